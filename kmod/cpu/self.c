// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a thread that counts itself sees of its counters.
 *
 * It reads the page on the CPU that writes it, so it is never there in the
 * midst of a writing, but may have begun to read before one and go on behind
 * it: seq tells that.  An event has counted what was added up, and what its
 * counter went on by since; so nothing needs to be written but where a set
 * comes on or goes off, or a counter is sent back to its start.
 */
#include <linux/compiler.h>

#include "kmod/cpu/self.h"
#include "kmod/pmu/msr.h"
#include "kmod/state/cpu.h"
#include "kmod/state/self.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

/* What is pinned, or alone, is on whenever its session is. */
static bool is_on(const struct pmuctl_session *session,
		  const struct pmuctl_counts *counts, unsigned int set)
{
	return set == counts->set || set < session->first_turn;
}

static unsigned int time_cell(const struct pmuctl_session *session,
			      unsigned int set)
{
	return session->rotates && set >= session->first_turn ? 1 + set : 0;
}

/* Cells only grow, each on its CPU. */
static void add_up(const struct pmuctl_run *run)
{
	struct pmuctl_self_cell *cell = run->session->self->cell;
	const u64 *now = run->counts->cell;
	unsigned int n = pmuctl_nr_cells(run->session);

	for (; n--; cell++, now++) {
		cell->total += *now - cell->from;
		cell->from = *now;
	}
}

static u32 index_of(const struct pmuctl_self *self,
		    const struct pmuctl_event *event)
{
	/* Of two counters one says nothing. */
	if (!self->allowed || event->twice)
		return 0;
	return pmuctl_backend->user_index(event->slot) + 1;
}

static void show_event(const struct pmuctl_cpu *cpu,
		       const struct pmuctl_session *session,
		       const struct pmuctl_event *event, u64 running, bool on)
{
	struct pmuctl_self *self = session->self;
	unsigned int i = event - session->event;
	struct pmuctl_self_event *shown = &self->shown->event[event->place];
	u32 index = on ? index_of(self, event) : 0;

	WRITE_ONCE(shown->index, index);
	WRITE_ONCE(shown->on, on);
	WRITE_ONCE(shown->mask, pmuctl_slot_mask[event->slot]);
	WRITE_ONCE(shown->offset,
		   self->cell[1 + session->nr_sets + i].total);
	/* What others counted there is nobody's without RDPMC to know. */
	WRITE_ONCE(shown->start, index ? cpu->slot[event->slot].last : 0);
	WRITE_ONCE(shown->running, running);
}

static void show_set(const struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
		     unsigned int i, bool on)
{
	const struct pmuctl_session *session = run->session;
	const struct pmuctl_set *set = &session->set[i];
	const struct pmuctl_event *event = &session->event[set->first];
	u64 running = session->self->cell[time_cell(session, i)].total;
	unsigned int n;

	on = on && is_on(session, run->counts, i);
	for (n = set->nr; n--; event++)
		show_event(cpu, session, event, running, on);
}

void pmuctl_self_show(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
		      bool on)
{
	struct pmuctl_session *session = run->session;
	struct pmuctl_self *self = session->self;
	struct pmuctl_self_page *page = self->shown;
	unsigned int i;

	add_up(run);
	WRITE_ONCE(page->seq, ++self->seq);
	barrier();
	for (i = 0; i < session->nr_sets; i++)
		show_set(cpu, run, i, on);
	WRITE_ONCE(page->on, on);
	WRITE_ONCE(page->tsc, hw_tsc());
	WRITE_ONCE(page->enabled, self->cell[0].total);
	barrier();
	WRITE_ONCE(page->seq, ++self->seq);
}

void pmuctl_self_begin(struct pmuctl_cpu *cpu, const struct pmuctl_run *run)
{
	struct pmuctl_self_cell *cell = run->session->self->cell;
	unsigned int i, n = pmuctl_nr_cells(run->session);

	for (i = 0; i < n; i++)
		cell[i].from = run->counts->cell[i];
	pmuctl_self_show(cpu, run, true);
}

void pmuctl_self_rearmed(struct pmuctl_cpu *cpu, unsigned int slot)
{
	const struct pmuctl_event *event = cpu->slot[slot].event;
	const struct pmuctl_run *run = cpu->task;

	for (; run < cpu->task + cpu->nr_task; run++)
		if (run->session->self && event >= run->session->event &&
		    event < run->session->event + run->session->nr_events)
			pmuctl_self_show(cpu, run, true);
}
