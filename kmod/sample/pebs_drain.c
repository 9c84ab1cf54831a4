// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling by PEBS: records become samples.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/hot.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/pebs_fixup.h"
#include "kmod/pmu/twins.h"
#include "kmod/sample/branches.h"
#include "kmod/sample/pebs_arm.h"
#include "kmod/sample/pebs_drain.h"
#include "kmod/sample/sample.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

/* What is made of a record, beside it. */
struct scratch {
	u64 entry;		/* of system calls */
	struct pt_regs chain;
	struct pmuctl_sample_regs regs;	/* without secrets */
};

static DEFINE_PER_CPU(struct scratch, scratch);

/* As many may come before each of them is seen by itself. */
#define LATE_RECORDS	4

struct drain {
	struct pmuctl_cpu *cpu;
	struct pmuctl_pebs_armed *armed;
	struct scratch *here;
	u64 now_ns, now_tsc;
	u16 flags;			/* of each record */
	u64 events[PMUCTL_SLOTS];	/* that the records stand for */
	/* Named beside others by a record that may not be theirs. */
	u64 unsure;
	bool late;			/* more records than come at once */
	/*
	 * The first record's interrupt stopped the last branches: those that
	 * came before its handler had stopped the counters are not in them.
	 */
	bool behind;
};

/* Between two moments that were on both clocks. */
static u64 time_of(const struct drain *drain, u64 tsc)
{
	const struct pmuctl_pebs_armed *here = drain->armed;
	u64 ticks = drain->now_tsc - here->then_tsc;

	if (!tsc || tsc >= drain->now_tsc || drain->now_ns <= here->then_ns)
		return drain->now_ns;
	if (tsc <= here->then_tsc)
		return here->then_ns;
	return here->then_ns +
	       mul_u64_u64_div_u64(tsc - here->then_tsc,
				   drain->now_ns - here->then_ns, ticks);
}

/*
 * In the kernel it is unwound from the interrupt, whose stack is there; of a
 * program that has not left user mode since, from the record.
 */
static struct pt_regs *chain_regs(const struct drain *drain,
				  const struct pmuctl_event *event,
				  const struct pmuctl_pebs_record *record)
{
	struct pt_regs *regs = &drain->here->chain;

	if (likely(!(event->content & PMUCTL_CONTENT_STACKS)))
		return NULL;
	if (!drain->cpu->at || !user_mode(drain->cpu->at) || !record->regs ||
	    pmuctl_ring_of(record->regs->ip) != PMUCTL_EVENT_USER)
		return drain->cpu->at;
	*regs = *drain->cpu->at;
	regs->ip = record->regs->ip;
	regs->sp = record->regs->sp;
	regs->bp = record->regs->bp;
	return regs;
}

/* Where the processor is now, if the event may know. */
static u64 ip_now(const struct drain *drain, const struct pmuctl_event *event)
{
	const struct pt_regs *at = drain->cpu->at;

	if (!at || !(event->flags & pmuctl_ring_of(at->ip)))
		return 0;
	return at->ip;
}

/*
 * The one instruction that leads from user mode to where the kernel begins;
 * it is two bytes long and leaves the address behind it in RCX.
 */
#define SYSCALL_SIZE	2

static bool was_syscall(const struct drain *drain,
			const struct pmuctl_pebs_record *record)
{
	struct scratch *here = drain->here;

	/* Not before it is needed: a Pentium 4 may not have the register. */
	if (unlikely(!here->entry))
		here->entry = hw_rdmsr(MSR_LSTAR);
	return record->regs && record->ip == here->entry;
}

static void name_syscall(const struct pmuctl_pebs_record *record,
			 struct pmuctl_taken *taken)
{
	taken->ip = record->regs->cx - SYSCALL_SIZE;
	taken->flags &= ~PMUCTL_RECORD_UNCERTAIN;
	taken->flags |= PMUCTL_RECORD_EXACT;
}

/* Enough for prefixes and an opcode. */
#define CODE_SIZE	6

/* Code that cannot be read may be anything. */
static bool may_repeat(u64 ip)
{
	bool kernel = pmuctl_ring_of(ip) == PMUCTL_EVENT_KERNEL;
	u8 code[CODE_SIZE];

	if (kernel ? copy_from_kernel_nofault(code, (void *)(uintptr_t)ip,
					      CODE_SIZE) :
		     copy_from_user_nmi(code, (void __user *)(uintptr_t)ip,
					CODE_SIZE))
		return true;
	return pmuctl_pebs_repeats(code, CODE_SIZE);
}

static void fix_up(const struct drain *drain, struct pmuctl_taken *taken)
{
	const struct pmuctl_event *event = taken->event;
	struct pmuctl_fixup fixup;

	fixup = pmuctl_pebs_fixup(taken->branches, taken->nr_branches,
				  taken->ip, ip_now(drain, event),
				  event->flags);
	taken->block = fixup.block;
	if (!fixup.exact || may_repeat(taken->ip))
		return;
	taken->ip = fixup.ip;
	taken->flags &= ~PMUCTL_RECORD_UNCERTAIN;
	taken->flags |= PMUCTL_RECORD_EXACT;
}

/*
 * Behind its last instruction a program may be where the kernel begins.  An
 * event of the program alone does not tell where that is, nor where the
 * kernel's stack is: whoever may sample it may not know.
 */
static void hide_kernel(const struct drain *drain, struct pmuctl_taken *taken)
{
	struct pmuctl_sample_regs *regs = &drain->here->regs;

	if (taken->event->flags & PMUCTL_EVENT_KERNEL)
		return;
	if (pmuctl_ring_of(taken->ip) == PMUCTL_EVENT_KERNEL) {
		taken->ip = 0;
		taken->block = 0;
		taken->regs = NULL;
		taken->gpr = NULL;
		taken->flags &= ~PMUCTL_RECORD_EXACT;
		taken->flags |= PMUCTL_RECORD_UNCERTAIN;
	}
	if (!taken->gpr || pmuctl_ring_of(taken->gpr->ip) == PMUCTL_EVENT_USER)
		return;
	*regs = *taken->gpr;
	regs->ip = 0;
	if (pmuctl_ring_of(regs->sp) == PMUCTL_EVENT_KERNEL)
		regs->sp = 0;
	taken->gpr = regs;
}

static void take_one(struct drain *drain, unsigned int i,
		     const struct pmuctl_pebs_record *record)
{
	struct pmuctl_slot *slot = &drain->cpu->slot[i];
	const struct pmuctl_event *event = slot->event;
	struct pmuctl_taken taken = {
		.event = event,
		.task = pmuctl_cpu_task(drain->cpu, event->session->on_task),
		.regs = chain_regs(drain, event, record),
		.gpr = record->regs,
		.flags = drain->flags,
		.time = time_of(drain, record->tsc),
		.ip = record->ip,
		.period = slot->phase.period,
		.addr = record->addr,
		.latency = record->latency,
		.data_src = record->data_src,
		.retire = record->retire,
		.counts = record->counts,
		/* All of them, or the whole is cleared before. */
		.branches = NULL,
		.nr_branches = 0,
		.block = 0,
	};

	if (record->branches)
		taken.branches = pmuctl_branches_in(record->branches,
						    record->nr_branches, event,
						    &taken.nr_branches);
	else if (event->lbr && !drain->behind)
		taken.branches = pmuctl_branches_of(event,
						    &taken.nr_branches);
	if (!record->exact && was_syscall(drain, record))
		name_syscall(record, &taken);
	else if (!record->exact && event->lbr)
		fix_up(drain, &taken);
	hide_kernel(drain, &taken);
	if (pmuctl_ring_of(taken.ip) == PMUCTL_EVENT_USER)
		taken.flags |= PMUCTL_RECORD_USER;
	pmuctl_sample_take(drain->cpu, &taken);
}

/* Without those whose session has ended: nothing starts them any more. */
static u64 of_events(const struct pmuctl_cpu *cpu, u64 counters)
{
	u64 rest, live = 0;

	for (rest = counters; rest; rest &= rest - 1)
		if (cpu->slot[pmuctl_slot(__ffs64(rest))].event)
			live |= rest & -rest;
	return live;
}

/*
 * The counters that a record is of, among those that have PEBS on.  A record
 * that names none is the one counter's if there is only one; Linux knows
 * processors on which GLOBAL_STATUS is sometimes cleared just before.
 */
static u64 counters_of(const struct pmuctl_cpu *cpu,
		       const struct pmuctl_pebs_record *record)
{
	u64 counters = pmuctl_pebs_counters(cpu);
	u64 named = pmuctl_twins_bits(record->counters) & counters;

	if (named)
		return named;
	counters = of_events(cpu, counters);
	return hweight64(counters) == 1 ? counters : 0;
}

/* The next period is what the hardware has just set the counter back to. */
static void go_on(struct drain *drain, unsigned int i)
{
	struct pmuctl_slot *slot = &drain->cpu->slot[i];
	u64 period = drain->armed->reload[i];

	drain->events[i] += slot->phase.period;
	slot->reloaded += period;
	slot->phase.period = period;
}

/*
 * Another period than the last.  After all records: the hardware set back the
 * counter to the same for each of them.
 */
static void vary_periods(const struct drain *drain)
{
	const struct pmuctl_event *event;
	unsigned int i;

	for (i = 0; i < PMUCTL_SLOTS; i++) {
		event = drain->cpu->slot[i].event;
		if (drain->events[i] && (event->freq || event->random))
			pmuctl_pebs_vary(drain->cpu, i, drain->events[i]);
	}
}

static void pebs_collide(const struct drain *drain, u64 counters)
{
	const struct pmuctl_slot *slot;

	for (; counters; counters &= counters - 1) {
		slot = &drain->cpu->slot[pmuctl_slot(__ffs64(counters))];
		if (slot->event)
			pmuctl_sample_collision(drain->cpu, slot->event);
	}
}

/* Of none of them a sample; each was set back. */
static void drop_record(struct drain *drain, u64 counters)
{
	pebs_collide(drain, counters);
	for (; counters; counters &= counters - 1)
		if (drain->cpu->slot[pmuctl_slot(__ffs64(counters))].event)
			go_on(drain, pmuctl_slot(__ffs64(counters)));
}

/*
 * Bits of GLOBAL_STATUS, of which several say that there is one record of
 * several events, and not what it shows: Linux drops these as well.  Where a
 * bit may be that of a counter that is only ready, the next record that names
 * it is its own, or it still stands past its overflow when all is stopped.
 */
static void take_bits(struct drain *drain, u64 counters)
{
	if (!pmuctl_tried.pebs_names_ready)
		drop_record(drain, counters);
	else
		drain->unsure |= counters;
}

static void not_complete(const struct drain *drain, u64 counters)
{
	const struct pmuctl_event *event;

	for (; counters; counters &= counters - 1) {
		event = drain->cpu->slot[pmuctl_slot(__ffs64(counters))].event;
		if (event)
			pmuctl_session_trouble(event->session,
					       PMUCTL_COUNT_INCOMPLETE);
	}
}

/* Named again: what it waited for, or, if its interrupt was lost, a new one. */
static void settle_named(struct drain *drain, u64 counters)
{
	drain->unsure &= ~counters;
	if (unlikely(drain->late))
		not_complete(drain, counters);
}

static void settle_unsure(struct drain *drain)
{
	u64 rest, mine = 0;

	for (rest = drain->unsure; rest; rest &= rest - 1)
		if (!pmuctl_has_wrapped(pmuctl_slot(__ffs64(rest))))
			mine |= rest & -rest;
	drop_record(drain, mine);
}

/* It names nobody: somebody was set back, whose count lacks a period. */
static void lose_record(const struct drain *drain)
{
	u64 counters = pmuctl_pebs_counters(drain->cpu);

	pebs_collide(drain, counters);
	not_complete(drain, counters);
}

/*
 * From format 3 on counters that were ready at the same event share a record:
 * it is a sample of each, and each was set back.
 */
static void take_record(struct drain *drain,
			const struct pmuctl_pebs_record *record)
{
	u64 counters = counters_of(drain->cpu, record);
	bool several = counters & (counters - 1);
	unsigned int i;

	settle_named(drain, drain->unsure & counters);
	if (unlikely(several && !pmuctl_pebs_format_here()->says_counters)) {
		take_bits(drain, counters);
		return;
	}
	if (unlikely(!counters))
		lose_record(drain);
	else if (unlikely(several))
		pebs_collide(drain, counters);
	for (; counters; counters &= counters - 1) {
		i = pmuctl_slot(__ffs64(counters));
		if (!drain->cpu->slot[i].event)
			continue;
		take_one(drain, i, record);
		go_on(drain, i);
	}
}

/* Returns how many bytes are behind what is a record. */
static size_t take_records(struct drain *drain, const void *at, size_t bytes)
{
	struct pmuctl_pebs_record record;

	while (pmuctl_pebs_decode(pmuctl_caps.pebs_format, at, bytes,
				  &record)) {
		take_record(drain, &record);
		drain->behind = true;
		at += record.size;
		bytes -= record.size;
	}
	return bytes;
}

/*
 * Set back by more than there are records: of what came before the last time
 * the count would go down.
 */
static void make_up(const struct drain *drain, unsigned int i)
{
	struct pmuctl_slot *slot = &drain->cpu->slot[i];
	u64 mask = pmuctl_slot_mask[i];
	u64 moved = (static_call(hw_read)(i) - slot->last + slot->reloaded) &
		    mask;

	if (moved > mask >> 1)
		slot->reloaded += drain->armed->reload[i];
}

/*
 * No room for one more.  What came then left no trace, and the count lacks its
 * events; that nothing came cannot be told from that.
 */
static void drain_overrun(const struct drain *drain)
{
	u64 counters = pmuctl_pebs_counters(drain->cpu);
	const struct pmuctl_event *event;
	unsigned int i;

	for (; counters; counters &= counters - 1) {
		i = pmuctl_slot(__ffs64(counters));
		event = drain->cpu->slot[i].event;
		if (!event)
			continue;
		make_up(drain, i);
		pmuctl_sample_overrun(event);
		pmuctl_session_trouble(event->session, PMUCTL_COUNT_INCOMPLETE);
	}
}

static struct pmuctl_filled look_at_area(const struct debug_store *area)
{
	u64 base = ds_base(area), index = ds_index(area);

	return (struct pmuctl_filled){
		.bytes = index - base,
		.due = index >= ds_threshold(area),
	};
}

struct pmuctl_filled pmuctl_pebs_look(void)
{
	const struct pmuctl_ds *ds = pmuctl_ds_here();

	if (unlikely(!ds->records))
		return (struct pmuctl_filled){ };
	return pmuctl_backend->buffer ? pmuctl_backend->buffer->look(ds) :
					look_at_area(ds->area);
}

static void empty_buffer(const struct pmuctl_ds *ds)
{
	if (pmuctl_backend->buffer)
		pmuctl_backend->buffer->empty(ds);
	else
		ds_set_index(ds->area, ds_base(ds->area));
}

void pmuctl_pebs_drain(struct pmuctl_cpu *cpu, struct pmuctl_filled filled)
{
	const struct pmuctl_pebs_format *format = pmuctl_pebs_format_here();
	const struct pmuctl_ds *ds = pmuctl_ds_here();
	struct drain drain = {
		.cpu = cpu, .armed = this_cpu_ptr(&pmuctl_pebs_armed),
		.here = this_cpu_ptr(&scratch),
	};
	u32 record = pmuctl_pebs_record_size(cpu);
	size_t rest;

	drain.flags = PMUCTL_RECORD_PEBS |
		      (format->before ? 0 : PMUCTL_RECORD_REGS_AFTER) |
		      (format->exact ? PMUCTL_RECORD_EXACT :
				       PMUCTL_RECORD_UNCERTAIN);
	drain.now_ns = ktime_get_mono_fast_ns();
	drain.now_tsc = hw_tsc();
	drain.late = filled.bytes > LATE_RECORDS * record;
	pmuctl_branches_keep(&cpu->regs);
	rest = take_records(&drain, ds->records,
			    min(filled.bytes, ds->size));
	if (unlikely(drain.unsure))
		settle_unsure(&drain);
	if (unlikely(filled.stopped || rest ||
		     filled.bytes + record > ds->size))
		drain_overrun(&drain);
	vary_periods(&drain);
	empty_buffer(ds);
	pmuctl_throttle_drained(cpu, hw_tsc() - drain.now_tsc);
	drain.armed->then_ns = drain.now_ns;
	drain.armed->then_tsc = drain.now_tsc;
}
