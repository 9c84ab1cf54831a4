// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocation, where slots are used or lost.  What is lost is the back end's if that has
 * no room, whatever the front end does; else the front end's.  Waits end where a cycle
 * begins, so that the slots used in a cycle are its first.
 */
#include <stddef.h>

#include "pipeline.h"

/* Which signals count a lost slot, besides its cause. */
static const struct {
	uint8_t signal[4];
	uint8_t signals;
} lost_signals[SLOT_CAUSE_COUNT] = {
#define BAD(more)								\
	{ { SIG_METRIC_BAD_SPECULATION, more }, 2 }
#define BAD_CLEAR BAD(SIG_CLEAR_SLOTS)
	[SLOT_MISPREDICTED] = BAD(SIG_METRIC_MISPREDICTS),
	[SLOT_MISPREDICT_RECOVERY] = BAD(SIG_METRIC_MISPREDICTS),
	[SLOT_CLEARED] = BAD_CLEAR,
	[SLOT_CLEAR_RECOVERY] = BAD_CLEAR,
#define LATENCY { { SIG_NOT_DELIVERED, SIG_METRIC_FETCH_LATENCY }, 2 }
	[SLOT_ICACHE] = LATENCY,
	[SLOT_ITLB] = LATENCY,
	[SLOT_RESTEER] = LATENCY,
	[SLOT_UNKNOWN_BRANCH] = LATENCY,
	[SLOT_MS_SWITCH] = LATENCY,
	[SLOT_DSB_SWITCH] = LATENCY,
	[SLOT_LCP] = LATENCY,
#define BANDWIDTH { { SIG_NOT_DELIVERED }, 1 }
	[SLOT_MITE] = BANDWIDTH,
	[SLOT_DSB] = BANDWIDTH,
	[SLOT_MS] = BANDWIDTH,
#define MEMORY { { SIG_BACK_END_SLOTS, SIG_METRIC_BACK_END, SIG_METRIC_MEMORY }, 3 }
	[SLOT_L1] = MEMORY,
	[SLOT_L2] = MEMORY,
	[SLOT_L3] = MEMORY,
	[SLOT_DRAM] = MEMORY,
	[SLOT_STORE] = MEMORY,
#define CORE { { SIG_BACK_END_SLOTS, SIG_METRIC_BACK_END }, 2 }
	[SLOT_DIVIDER] = CORE,
	[SLOT_PORTS] = CORE,
	[SLOT_SERIALIZING] = CORE,
	/* The metrics take it for bad speculation. */
	[SLOT_RESTART] = { { SIG_BACK_END_SLOTS, SIG_METRIC_BAD_SPECULATION }, 2 },
};

static bool is_memory(enum slot_cause cause)
{
	return cause >= SLOT_L1 && cause <= SLOT_STORE;
}

/* What allocation finds full while it waits.  Schedulers are one here: whose the oldest uop is. */
static enum pipe_signal full_resource(const struct pipeline *p, enum slot_cause cause)
{
	switch (p->blocked) {
	case SIG_STALLS_ROB:
		return SIG_ROB_SLOTS;
	case SIG_STALLS_RS:
		return is_memory(cause) ? SIG_MEM_SCHEDULER_SLOTS : SIG_OTHER_SCHEDULER_SLOTS;
	case SIG_STALLS_LB:
	case SIG_STALLS_SB:
		return SIG_MEM_SCHEDULER_SLOTS;
	default:
		return SIG_SERIALIZING_SLOTS;
	}
}

void alloc_lose(struct pipeline *p, enum slot_cause cause, uint64_t slots)
{
	p->slots[cause] += slots;
	for (unsigned int i = 0; i < lost_signals[cause].signals; i++)
		p->n[lost_signals[cause].signal[i]] += slots;
	if (cause >= SLOT_L1)
		p->n[full_resource(p, cause)] += slots;
}

/* --- cycles --- */

/* Cycles in which nothing is issued. */
static void count_unissued(struct pipeline *p, uint64_t cycles)
{
	if (!cycles || p->was_stalled)
		return;
	sig(p, SIG_ISSUE_STALLS_BEGUN, 1);
	p->was_stalled = true;
}

/* Ends a cycle of which slots have been used. */
static void next_cycle(struct pipeline *p)
{
	p->tally.issued[p->used]++;
	p->was_stalled = false;
	p->cycle++;
	p->used = 0;
}

static void count_delivered(struct pipeline *p, unsigned int uops, uint64_t cycles)
{
	for (unsigned int i = uops; i < p->shape->width; i++)
		p->n[SIG_DELIVERED_0 + i] += cycles;
}

/* Ends a cycle of which some slots have been used. */
static void end_cycle(struct pipeline *p, enum slot_cause cause, bool front)
{
	alloc_lose(p, cause, p->shape->width - p->used);
	if (front)
		count_delivered(p, p->used, 1);
	next_cycle(p);
}

void alloc_end_cycle(struct pipeline *p, enum slot_cause cause)
{
	if (p->used)
		end_cycle(p, cause, false);
}

static void pass(struct pipeline *p, uint64_t cycles, enum slot_cause cause)
{
	alloc_lose(p, cause, cycles * p->shape->width);
	count_unissued(p, cycles);
	p->cycle += cycles;
}

static bool is_load(enum slot_cause cause)
{
	return cause >= SLOT_L1 && cause <= SLOT_DRAM;
}

/* Of so many cycles, those in which one uop begins to execute. */
static uint64_t walk_singles(struct pipeline *p, uint64_t cycles)
{
	uint64_t before = p->singles, executing;

	walk_to(p, p->cycle + cycles);
	executing = p->singles - before + p->singles_ahead;
	p->singles_ahead = 0;
	return executing < cycles ? executing : cycles;
}

/*
 * The back end has no room until a cycle.  It waits for a load where nothing begins to
 * execute, or much does; where a single uop does, there is too little to do at once.
 */
void alloc_wait(struct pipeline *p, uint64_t until, enum slot_cause cause, enum pipe_signal why)
{
	uint64_t cycles, singles;

	if (until <= p->cycle)
		return;
	walk_to(p, p->cycle);
	p->blocked = why;
	alloc_end_cycle(p, cause);
	cycles = until > p->cycle ? until - p->cycle : 0;
	sig(p, SIG_STALLS_ANY, cycles);
	sig(p, why, cycles);
	singles = is_load(cause) ? walk_singles(p, cycles) : 0;
	pass(p, singles, SLOT_PORTS);
	pass(p, cycles - singles, cause);
	walk_to(p, p->cycle);
	p->blocked = SIG_COUNT;
}

/* --- the front end is not there yet --- */

static __attribute__((noinline)) void wait_for_front(struct pipeline *p, uint64_t fetched)
{
	static const uint8_t bandwidth[] = {
		[FROM_DSB] = SLOT_DSB, [FROM_MITE] = SLOT_MITE, [FROM_MS] = SLOT_MS,
	};
	uint64_t cycles;

	if (p->used) {
		p->front.lost += p->shape->width - p->used;
		end_cycle(p, bandwidth[p->front.source], true);
	}
	if (fetched <= p->cycle)
		return;
	cycles = fetched - p->cycle;
	p->front.lost += cycles * p->shape->width;
	count_delivered(p, 0, cycles);
	if (p->front.cause != bandwidth[p->front.source])
		sig(p, SIG_FETCH_LATENCY_CYCLES, cycles);
	pass(p, cycles, p->front.cause);
}

/* --- the back end --- */

/* The oldest uop that has not retired: an index; or NONE, as all have. */
#define NONE ROB_RING

static unsigned int oldest(struct pipeline *p)
{
	while (p->head < p->seq && p->retires[p->head % ROB_RING] <= p->cycle)
		p->head++;
	return p->head < p->seq ? p->head % ROB_RING : NONE;
}

/* Until a cycle, and each slot is lost to what the oldest uop then waits for. */
void alloc_wait_oldest(struct pipeline *p, uint64_t until, enum pipe_signal why)
{
	while (p->cycle < until) {
		unsigned int i = oldest(p);
		uint64_t next = i != NONE && p->retires[i] < until ? p->retires[i] : until;

		alloc_wait(p, next, i != NONE ? (enum slot_cause)p->waits_for[i] : SLOT_PORTS,
			   why);
	}
}

static void wait_for_scheduler(struct pipeline *p)
{
	while (p->waiting >= p->shape->rs) {
		uint64_t singles;

		walk_to(p, p->cycle);
		if (p->waiting < p->shape->rs)
			return;
		p->blocked = SIG_STALLS_RS;
		singles = p->singles;
		walk_to_dispatch(p);
		p->singles_ahead = p->singles - singles;
		alloc_wait_oldest(p, p->walked, SIG_STALLS_RS);
	}
}

/* There may be no room for one more uop, whose place in the reorder buffer is known. */
static __attribute__((noinline)) void wait_for_back(struct pipeline *p, unsigned int before)
{
	if (p->serial > p->cycle)
		alloc_wait_oldest(p, p->serial, SIG_STALLS_SERIALIZING);
	if (p->retires[before] > p->cycle)
		alloc_wait_oldest(p, p->retires[before], SIG_STALLS_ROB);
	if (p->waiting >= p->shape->rs)
		wait_for_scheduler(p);
}

/* A uop is allocated as soon as it is there and there is room. */
void alloc_uop(struct pipeline *p, uint64_t fetched)
{
	unsigned int i = p->seq % ROB_RING, before = (p->seq - p->shape->rob) % ROB_RING;

	if (p->serial > p->cycle || p->retires[before] > p->cycle || p->waiting >= p->shape->rs)
		wait_for_back(p, before);
	if (fetched > p->cycle)
		wait_for_front(p, fetched);
	p->allocated[i] = p->cycle;
	p->retires[i] = NOT_YET;
	p->waits_for[i] = SLOT_PORTS;
	p->seq++;
	if (++p->used == p->shape->width)
		next_cycle(p);
}

/* --- the wrong path --- */

static uint64_t room(struct pipeline *p)
{
	uint64_t rob_room, rs_room;

	oldest(p);
	walk_to(p, p->cycle);
	rob_room = p->shape->rob - (p->seq - p->head);
	rs_room = (uint64_t)(p->shape->rs > p->waiting ? p->shape->rs - p->waiting : 0);
	return rob_room < rs_room ? rob_room : rs_room;
}

/* Uops that will be squashed, at full width as long as there is room for them. */
static void issue_wrong(struct pipeline *p, uint64_t until, enum slot_cause cause)
{
	uint64_t slots = (until - p->cycle) * p->shape->width - p->used, uops = room(p);

	uops = uops < slots ? uops : slots;
	sig(p, SIG_UOPS_ISSUED, uops);
	alloc_lose(p, cause, uops);
	while (uops) {
		unsigned int now = p->shape->width - p->used;

		now = uops < now ? (unsigned int)uops : now;
		uops -= now;
		p->used += now;
		if (p->used == p->shape->width)
			next_cycle(p);
	}
	alloc_wait_oldest(p, until, SIG_STALLS_ROB);
}

static void recover(struct pipeline *p, enum slot_cause cause)
{
	const struct pmu_core_shape *s = p->shape;

	sig(p, SIG_CLEARS_COUNT, 1);
	sig(p, SIG_RECOVERY_CYCLES, s->recovery);
	pass(p, s->recovery, cause);
	pass(p, s->clear_restart, SLOT_RESTART);
	sig(p, SIG_CLEAR_RESTEER_CYCLES, s->resteer);
	front_resteer(p, p->cycle, s->resteer);
}

void alloc_mispredicted(struct pipeline *p, uint64_t resolved)
{
	issue_wrong(p, max64(resolved, p->cycle + 1), SLOT_MISPREDICTED);
	recover(p, SLOT_MISPREDICT_RECOVERY);
}

/* What is in the front end is the same afterwards, and found or not as it would be. */
void alloc_mispredicted_free(struct pipeline *p)
{
	sig(p, SIG_CLEARS_COUNT, 1);
	front_resteer(p, 0, 0);
}

void alloc_clear(struct pipeline *p, uint64_t resolved)
{
	sig(p, SIG_MACHINE_CLEARS, 1);
	issue_wrong(p, max64(resolved, p->cycle + 1), SLOT_CLEARED);
	recover(p, SLOT_CLEAR_RECOVERY);
}
