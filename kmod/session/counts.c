// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session has counted: added up over CPUs, and set back to 0.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/string.h>

#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* What is pinned, or alone, is on whenever its session is. */
static unsigned int running_cell(const struct pmuctl_session *session,
				 unsigned int set)
{
	return session->nr_sets == 1 || set < session->first_turn ? 0 : 1 + set;
}

/* One set on one CPU. */
struct reading {
	u64 enabled;
	u64 running;
	u64 value[PMUCTL_SET_EVENTS_MAX];
};

static void read_cells(const struct pmuctl_session *session,
		       const u64 *cell, unsigned int i, struct reading *reading)
{
	const struct pmuctl_set *set = &session->set[i];

	reading->enabled = cell[0];
	reading->running = cell[running_cell(session, i)];
	memcpy(reading->value, &cell[1 + session->nr_sets + set->first],
	       set->nr * sizeof(*cell));
}

/* That CPU goes on counting: what is read belongs together all the same. */
static void read_set(const struct pmuctl_session *session,
		     const struct pmuctl_counts *counts, unsigned int i,
		     struct reading *reading)
{
	unsigned int seq;

	do {
		seq = raw_read_seqcount_begin(&counts->seq);
		read_cells(session, counts->cell, i, reading);
	} while (read_seqcount_retry(&counts->seq, seq));
}

static void subtract_base(const struct pmuctl_session *session,
			  const struct pmuctl_counts *counts, unsigned int i,
			  struct reading *reading)
{
	const u64 *base = &counts->cell[pmuctl_nr_cells(session)];
	struct reading then;
	unsigned int event;

	read_cells(session, base, i, &then);
	reading->enabled -= then.enabled;
	reading->running -= then.running;
	for (event = 0; event < session->set[i].nr; event++)
		reading->value[event] -= then.value[event];
}

/* Counts of one event are this far from those of the next. */
static void add_set(const struct pmuctl_session *session,
		    const struct pmuctl_counts *counts, unsigned int i,
		    struct pmuctl_count *count, unsigned int stride)
{
	const struct pmuctl_set *set = &session->set[i];
	struct pmuctl_count *one;
	struct reading reading;
	unsigned int event;

	read_set(session, counts, i, &reading);
	if (session->was_reset)
		subtract_base(session, counts, i, &reading);
	for (event = 0; event < set->nr; event++) {
		one = &count[session->event[set->first + event].place * stride];
		one->value += reading.value[event];
		one->running += reading.running;
		one->enabled += reading.enabled;
	}
}

static void add_one_cpu(const struct pmuctl_session *session,
			unsigned int cpu, struct pmuctl_count *count,
			unsigned int stride)
{
	const struct pmuctl_counts *counts = per_cpu_ptr(session->counts, cpu);
	unsigned int i;

	/* Never written: it was not on there. */
	if (!raw_read_seqcount(&counts->seq))
		return;
	for (i = 0; i < session->nr_sets; i++)
		add_set(session, counts, i, count, stride);
}

static void clear_counts(const struct pmuctl_session *session, u32 cpu,
			 struct pmuctl_count *count, unsigned int stride)
{
	u32 i, flags = atomic_read(&session->trouble);

	for (i = 0; i < session->nr_events; i++)
		count[i * stride] = (struct pmuctl_count){
			.event = i, .cpu = cpu, .flags = flags,
			.disturbed = READ_ONCE(session->disturbed),
		};
}

static void on_cpu(const struct pmuctl_session *session, unsigned int cpu,
		   struct pmuctl_count *count, unsigned int stride)
{
	clear_counts(session, cpu, count, stride);
	add_one_cpu(session, cpu, count, stride);
}

static void counts_sum(const struct pmuctl_session *session,
		       struct pmuctl_count *count)
{
	unsigned int cpu;

	clear_counts(session, PMUCTL_CPU_ALL, count, 1);
	for_each_cpu(cpu, session->on_task ? cpu_possible_mask : session->cpus)
		add_one_cpu(session, cpu, count, 1);
}

void pmuctl_session_note_disturbances(struct pmuctl_session *session)
{
	const struct pmuctl_counts *counts;
	const struct pmuctl_cpu *cpu;
	unsigned int number;

	for_each_possible_cpu(number) {
		counts = per_cpu_ptr(session->counts, number);
		cpu = per_cpu_ptr(pmuctl_cpus, number);
		if (raw_read_seqcount(&counts->seq) &&
		    READ_ONCE(cpu->disturbances) != counts->disturbances)
			pmuctl_session_disturbed(session,
						 READ_ONCE(cpu->disturbed));
	}
}

void pmuctl_session_undisturbed(struct pmuctl_session *session)
{
	const struct pmuctl_cpu *cpu;
	unsigned int number;

	for_each_possible_cpu(number) {
		cpu = per_cpu_ptr(pmuctl_cpus, number);
		per_cpu_ptr(session->counts, number)->disturbances =
			READ_ONCE(cpu->disturbances);
	}
}

unsigned int pmuctl_session_nr_counts(const struct pmuctl_session *session,
				      bool each)
{
	if (!each || session->on_task)
		return session->nr_events;
	return session->nr_events * cpumask_weight(session->cpus);
}

void pmuctl_session_counts(struct pmuctl_session *session, bool each,
			   struct pmuctl_count *count)
{
	unsigned int cpu, cpus = cpumask_weight(session->cpus);

	pmuctl_cpu_fold(session);
	if (session->on_task)
		pmuctl_session_note_disturbances(session);
	if (!each || session->on_task) {
		counts_sum(session, count);
		return;
	}
	for_each_cpu(cpu, session->cpus)
		on_cpu(session, cpu, count++, cpus);
}

static void move_base(const struct pmuctl_session *session,
		      struct pmuctl_counts *counts)
{
	unsigned int seq, n = pmuctl_nr_cells(session);

	do {
		seq = raw_read_seqcount_begin(&counts->seq);
		memcpy(&counts->cell[n], counts->cell, n * sizeof(u64));
	} while (read_seqcount_retry(&counts->seq, seq));
}

/*
 * Cells only ever grow, so that nobody is kept from counting meanwhile: what
 * they are now is what readers leave out from here on.
 */
void pmuctl_session_reset(struct pmuctl_session *session)
{
	unsigned int cpu;

	pmuctl_cpu_fold(session);
	for_each_possible_cpu(cpu)
		move_base(session, per_cpu_ptr(session->counts, cpu));
	session->was_reset = true;
	pmuctl_session_undisturbed(session);
	WRITE_ONCE(session->disturbed, 0);
	/* A task that is not followed, or was let go, is missing for good. */
	atomic_and(PMUCTL_COUNT_INCOMPLETE | PMUCTL_COUNT_DETACHED |
		   PMUCTL_COUNT_LOST, &session->trouble);
}
