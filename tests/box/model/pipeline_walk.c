// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk over the cycles that allocation has passed: what executed and retired in
 * each of them, and which loads were under way.  Stretches in which nothing begins or
 * ends are one step.
 */
#include "pipeline.h"

static unsigned int at_most(unsigned int n, unsigned int most)
{
	return n < most ? n : most;
}

/* --- execution --- */

/* There is no room for one more store; allocation may not have come to it yet. */
static bool stores_full(const struct pipeline *p)
{
	unsigned int most = p->shape->stores;

	return p->blocked == SIG_STALLS_SB ||
	       (p->stores >= most && p->store[(p->stores - most) % STORE_RING] > p->walked);
}

/* Cycles in which nothing begins to execute. */
static void count_stalls(struct pipeline *p, uint64_t cycles)
{
	if (LANE_OF(p->memory, LANE_LOADS)) {
		sig(p, SIG_EXE_STALLS, cycles);
		sig(p, SIG_EXE_STALLS_MEM, cycles);
		sig(p, SIG_BOUND_ON_LOADS, cycles);
		sig(p, SIG_EXE_STALLS_L1D, LANE_OF(p->memory, LANE_L1D) ? cycles : 0);
		sig(p, SIG_EXE_STALLS_L2, LANE_OF(p->memory, LANE_L2) ? cycles : 0);
		sig(p, SIG_EXE_STALLS_L3, LANE_OF(p->memory, LANE_L3) ? cycles : 0);
	} else if (stores_full(p)) {
		sig(p, SIG_BOUND_ON_STORES, cycles);
	} else {
		sig(p, SIG_EXE_STALLS, cycles);
		sig(p, SIG_BOUND_0_PORTS, p->waiting > 0 ? cycles : 0);
	}
}

static void count_executed(struct pipeline *p, const union cycle_plan *plan)
{
	unsigned int n = at_most(plan->executed, MAX_PORTS);
	struct tally *t = &p->tally;
	bool stores = p->blocked == SIG_STALLS_SB;

	for (unsigned int i = 0; i < MAX_PORTS / PORT_GROUP; i++)
		t->ports[i][plan->ports >> i * PORT_GROUP & (BIT(PORT_GROUP) - 1)]++;
	t->executed[n]++;
	p->singles += n == 1;
	/* Utilization of ports is of interest while something waits for one. */
	if (p->waiting > 0 && !stores)
		t->utilized[n]++;
	if (stores && !LANE_OF(p->memory, LANE_LOADS))
		sig(p, SIG_BOUND_ON_STORES, 1);
}

/* --- what does not depend on whether anything executes --- */

/* Up to here what is under way in memory has been the same for a while. */
static void count_memory(struct pipeline *p)
{
	uint64_t cycles = p->walked - p->memory_since;
	uint64_t l1d = LANE_OF(p->memory, LANE_L1D), l2 = LANE_OF(p->memory, LANE_L2);
	bool full = LANE_OF(p->memory, LANE_FILLS) >= p->shape->fill_buffers;

	p->memory_since = p->walked;
	if (!cycles)
		return;
	sig(p, SIG_MEM_CYCLES, LANE_OF(p->memory, LANE_LOADS) ? cycles : 0);
	sig(p, SIG_L1D_MISS_CYCLES, l1d ? cycles : 0);
	sig(p, SIG_L1D_PENDING, cycles * l1d);
	sig(p, SIG_L2_MISS_CYCLES, l2 ? cycles : 0);
	sig(p, SIG_OFFCORE_PENDING, cycles * l2);
	sig(p, SIG_L3_MISS_CYCLES, LANE_OF(p->memory, LANE_L3) ? cycles : 0);
	sig(p, SIG_L3_PENDING, cycles * LANE_OF(p->memory, LANE_L3));
	sig(p, SIG_RFO_CYCLES, LANE_OF(p->memory, LANE_RFOS) ? cycles : 0);
	sig(p, SIG_FB_FULL_CYCLES, full ? cycles : 0);
	sig(p, SIG_FB_FULL, full && !p->fills_were_full);
	p->fills_were_full = full;
}

static void count_waiting(struct pipeline *p, uint64_t cycles)
{
	if (p->waiting <= 0)
		sig(p, SIG_RS_EMPTY_CYCLES, cycles);
	else if (p->was_empty)
		sig(p, SIG_RS_EMPTY_END, 1);
	p->was_empty = p->waiting <= 0;
}

/* --- the walk --- */

static void walk_cycle(struct pipeline *p, union cycle_plan plan)
{
	unsigned int i = p->walked & (RING_CYCLES - 1);

	if (plan.memory) {
		count_memory(p);
		p->memory += p->plan_memory[i];
		p->plan_memory[i] = 0;
	}
	count_waiting(p, 1);
	p->waiting -= plan.executed;
	if (plan.executed)
		count_executed(p, &plan);
	else
		count_stalls(p, 1);
	p->tally.retired[at_most(plan.retired, MAX_SLOTS)]++;
	p->plan[i].any = 0;
	p->walked++;
}

/* The next cycle with a plan, or the limit if there is none before. */
static uint64_t next_plan(const struct pipeline *p, uint64_t limit)
{
	uint64_t cycle = p->walked;

	while (cycle < limit && !p->plan[cycle & (RING_CYCLES - 1)].any)
		cycle++;
	return cycle;
}

void walk_to(struct pipeline *p, uint64_t cycle)
{
	while (p->walked < cycle) {
		union cycle_plan plan = p->plan[p->walked & (RING_CYCLES - 1)];
		uint64_t next;

		if (plan.any) {
			walk_cycle(p, plan);
			continue;
		}
		next = next_plan(p, cycle);
		count_waiting(p, next - p->walked);
		count_stalls(p, next - p->walked);
		p->walked = next;
	}
}

void walk_to_dispatch(struct pipeline *p)
{
	int waiting = p->waiting;

	while (p->waiting >= waiting)
		walk_to(p, next_plan(p, p->walked + RING_CYCLES - 1) + 1);
}

/* --- from the tally to signals --- */

/* Of cycles with each number of something: those with at least 1, 2 and so on. */
static void tell_at_least(uint64_t *signal, uint64_t *cycles, unsigned int signals,
			  unsigned int most)
{
	uint64_t sum = 0;

	for (unsigned int n = most; n; n--) {
		sum += cycles[n];
		if (n <= signals)
			signal[n - 1] += sum;
	}
}

/* Cycles in which the same ports were taken. */
static void tell_ports(uint64_t *signal, unsigned int set, uint64_t cycles)
{
	for (; set; set &= set - 1)
		signal[__builtin_ctz(set)] += cycles;
}

static void tell_executed(struct pipeline *p)
{
	static const uint8_t utilized[] = { 0, SIG_PORTS_1, SIG_PORTS_2, SIG_PORTS_3 };
	const struct tally *t = &p->tally;

	for (unsigned int n = 1; n <= MAX_PORTS; n++) {
		sig(p, SIG_UOPS_EXECUTED, n * t->executed[n]);
		sig(p, SIG_PORTS_3M, n >= 3 ? t->executed[n] : 0);
		p->n[utilized[at_most(n, 3)]] += t->utilized[n];
	}
	for (unsigned int group = 0; group < MAX_PORTS / PORT_GROUP; group++)
		for (unsigned int set = 1; set < BIT(PORT_GROUP); set++)
			if (t->ports[group][set])
				tell_ports(p->n + SIG_PORT_0 + group * PORT_GROUP, set,
					   t->ports[group][set]);
}

static void tell_uops(struct pipeline *p)
{
	const struct tally *t = &p->tally;

	sig(p, SIG_UOPS_ISSUED, p->seq - p->seq_told);
	p->seq_told = p->seq;
	sig(p, SIG_DSB_UOPS, t->delivered[FROM_DSB]);
	sig(p, SIG_DSB_CYCLES_ANY, t->delivering[FROM_DSB]);
	sig(p, SIG_DSB_CYCLES_OK, t->full[FROM_DSB]);
	sig(p, SIG_MITE_UOPS, t->delivered[FROM_MITE]);
	sig(p, SIG_MITE_CYCLES_ANY, t->delivering[FROM_MITE]);
	sig(p, SIG_MITE_CYCLES_OK, t->full[FROM_MITE]);
	sig(p, SIG_MS_UOPS, t->delivered[FROM_MS]);
	sig(p, SIG_MS_CYCLES_ANY, t->delivering[FROM_MS]);
	sig(p, SIG_UOPS_RETIRED, t->light + t->heavy);
	sig(p, SIG_UOPS_RETIRED_ALL, t->light + t->heavy + t->accesses);
	sig(p, SIG_UOPS_HEAVY, t->heavy);
	p->slots[SLOT_LIGHT] += t->light;
	p->slots[SLOT_HEAVY] += t->heavy;
}

void pipe_tell(struct pipeline *p)
{
	struct tally *t = &p->tally;

	tell_uops(p);
	tell_at_least(p->n + SIG_ISSUED_GE1, t->issued, MAX_SLOTS, MAX_SLOTS);
	tell_at_least(p->n + SIG_RETIRED_GE1, t->retired, MAX_SLOTS, MAX_SLOTS);
	tell_at_least(p->n + SIG_EXECUTED_GE1, t->executed, 4, MAX_PORTS);
	tell_executed(p);
	count_memory(p);
	*t = (struct tally) { 0 };
}
