// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that PEBS records, as they come on: what they are set to, and what
 * the DS area sets them back to.
 *
 * An overflow readies the counter, and the next event is the one recorded;
 * behind the record the hardware sets the counter to a value from the DS area.
 * (of architectural PEBS: from a register of each counter).
 * So for a record every N events that value is N - 1 below zero: N - 1 events
 * to the overflow, and one that is recorded instead of being counted.  Where
 * that one is counted all the same it is N below zero: no manual says which,
 * and the backend's pebs_try() finds out.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/percpu.h>

#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/twins.h"
#include "kmod/sample/pebs_arm.h"
#include "kmod/sample/pebs_drain.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

DEFINE_PER_CPU(struct pmuctl_pebs_armed, pmuctl_pebs_armed);

/* --- the DS area --- */

u32 pmuctl_pebs_record_size(const struct pmuctl_cpu *cpu)
{
	if (pmuctl_backend->buffer)
		return pmuctl_pebs_architectural_size(cpu->regs.pebs_cfg);
	return pmuctl_pebs_format_here()->size ?:
	       pmuctl_pebs_adaptive_size(cpu->regs.pebs_cfg);
}

/*
 * An event whose samples need what is gone when the buffer is full: the stack,
 * the last branches, other counters; or another period after each.
 */
static bool one_by_one(const struct pmuctl_event *event)
{
	u64 cfg = event->pebs_cfg;

	return event->freq || event->random ||
	       (event->lbr && !(cfg & PEBS_CFG_LBR)) ||
	       (event->content & PMUCTL_CONTENT_COUNTS &&
		!(cfg & PEBS_CFG_COUNTERS)) ||
	       event->content & PMUCTL_CONTENT_STACKS;
}

/* Records may name several, and the counters say which of them it was. */
static bool one_of_several(u64 counters)
{
	return pmuctl_tried.pebs_names_ready && counters & (counters - 1);
}

/* So many events may pass before the interrupt of a record is handled. */
#define LATE_EVENTS	4096

static u32 records_while_late(u64 period)
{
	return period && period < LATE_EVENTS ? LATE_EVENTS / (u32)period : 0;
}

/*
 * Of n records that there is room for.  Some is left behind the threshold for
 * what comes until the interrupt is there: what finds none is lost, and nobody
 * is told.
 */
static u32 threshold_of(const struct pmuctl_cpu *cpu, u32 n)
{
	const struct pmuctl_pebs_armed *here = this_cpu_ptr(&pmuctl_pebs_armed);
	u64 counters = pmuctl_pebs_counters(cpu);
	u32 room = n / 16 + 2;
	unsigned int i;

	if (one_of_several(counters))
		return 1;
	for (; counters; counters &= counters - 1) {
		i = pmuctl_slot(__ffs64(counters));
		if (!cpu->slot[i].event)
			continue;
		if (one_by_one(cpu->slot[i].event))
			return 1;
		room += records_while_late(here->reload[i]);
	}
	return room < n ? n - room : 1;
}

static void set_limits(struct pmuctl_cpu *cpu, struct pmuctl_ds *ds)
{
	u32 size = pmuctl_pebs_record_size(cpu), n = ds->size / size;
	u32 threshold = threshold_of(cpu, n);
	u64 base;

	if (pmuctl_backend->buffer) {
		/* Records are of different sizes: one need not be so long. */
		pmuctl_backend->buffer->limit(&cpu->regs, ds, threshold == 1 ?
					      1 : threshold * size);
		return;
	}
	base = ds_base(ds->area);
	ds_set_limits(ds->area, base + n * size, base + threshold * size);
}

static unsigned int reset_of(unsigned int slot)
{
	if (pmuctl_pebs_format_here()->one_reset)
		return 0;
	return slot < PMUCTL_GP_MAX ? pmuctl_twins_place(slot) :
	       pmuctl_pebs_format_here()->nr_gp_resets + slot - PMUCTL_GP_MAX;
}

/*
 * By frequency a period may be short for a moment that nobody foresees, at
 * first above all: one of a few events that the hardware repeated would fill
 * the buffer on the way to its interrupt.  Shorter ones are written to the
 * counter, one by one, and so are those that it cannot repeat.
 */
static u64 reload_for(const struct pmuctl_event *event, u64 period)
{
	if (event->freq)
		period = pmuctl_period_that_is(event, max_t(u64, period,
							    LATE_EVENTS));
	return pmuctl_backend->buffer ? min(period, pmuctl_caps.pebs_most) :
					period;
}

static void set_reload(struct pmuctl_cpu *cpu, unsigned int slot, u64 period)
{
	const struct pmuctl_buffer *buffer = pmuctl_backend->buffer;
	u64 value;

	/* One event makes it ready, one is recorded. */
	period = max_t(u64, period, 2);
	this_cpu_ptr(&pmuctl_pebs_armed)->reload[slot] = period;
	value = -(period - !pmuctl_tried.pebs_counts_recorded);
	if (buffer)
		buffer->reload(&cpu->regs, slot, value);
	else
		ds_set_reset(pmuctl_ds_here()->area, reset_of(slot),
			     value & pmuctl_backend->mask(slot));
}

static void note_time(struct pmuctl_pebs_armed *here)
{
	here->then_ns = ktime_get_mono_fast_ns();
	here->then_tsc = hw_tsc();
}

void pmuctl_pebs_unready_slot(struct pmuctl_cpu *cpu, unsigned int i)
{
	if (unlikely(pmuctl_is_past(i, cpu->slot[i].last)) &&
	    pmuctl_backend->pebs_unready)
		pmuctl_backend->pebs_unready(&cpu->regs, pmuctl_counter(i));
}

u64 pmuctl_pebs_arm(struct pmuctl_cpu *cpu, unsigned int i)
{
	struct pmuctl_ds *ds = pmuctl_ds_here();
	struct pmuctl_slot *slot = &cpu->slot[i];
	s64 left = slot->phase.left - 1;

	/* A CPU that came back without: counted, not recorded. */
	if (unlikely(!ds->records)) {
		pmuctl_session_trouble(slot->event->session,
				       PMUCTL_COUNT_INCOMPLETE);
		return pmuctl_backend->rearm(i);
	}
	/*
	 * An entry into a guest that failed has no exit.  An interrupt's record
	 * may be handled on the way into one.
	 */
	if (unlikely(cpu->regs.pebs_paused) && !cpu->at)
		pmuctl_backend->pebs_resume(&cpu->regs);
	set_reload(cpu, i, reload_for(slot->event, slot->event->random ?
				      pmuctl_period_next(cpu, i, 0) :
				      slot->phase.period));
	set_limits(cpu, ds);
	note_time(this_cpu_ptr(&pmuctl_pebs_armed));
	/* What is too near is one late, and the next one is so much nearer. */
	return pmuctl_backend->arm(i, pmuctl_period_to_arm(slot->event, left) +
				      pmuctl_caps.late);
}

/* Behind its last record the hardware set it back to more. */
static void pebs_shorten(struct pmuctl_cpu *cpu, unsigned int i, u64 period)
{
	struct pmuctl_slot *slot = &cpu->slot[i];
	struct pmuctl_phase *phase = &slot->phase;
	s64 done;

	if (slot->throttled)
		return;
	pmuctl_fold_slot(slot, i);
	done = phase->period - phase->left;
	phase->left = max_t(s64, period - done, 1);
	phase->period = done + phase->left;
	slot->last = pmuctl_pebs_arm(cpu, i);
}

void pmuctl_pebs_vary(struct pmuctl_cpu *cpu, unsigned int i, u64 events)
{
	const struct pmuctl_event *event = cpu->slot[i].event;
	u64 period = pmuctl_period_next(cpu, i, events);
	u64 reload = reload_for(event, period);

	set_reload(cpu, i, reload);
	if (unlikely(reload != period))
		pebs_shorten(cpu, i, period);
}
