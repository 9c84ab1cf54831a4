// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the threads of a core share: the number of counters that each of them
 * gets, some registers, and what a counter with ANY counts.
 *
 * A thread that listens has a counter with ANY; the others then keep their budgets
 * short and tell the core at each sync what they have counted.  Cycles are those
 * of the core, in which any thread runs: the thread that is ahead of all others
 * moves the core's clock, one that is behind catches up with it, and one that was
 * halted goes on from it.  Each set of classes has its own clock.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

static uint8_t counters_of(const struct pmu_profile *p, unsigned int threads)
{
	return threads == 1 && p->gp_alone ? p->gp_alone : p->gp;
}

static void enter(struct pmu_core *core, struct pmu *pmu)
{
	pmu->core = core;
	pmu->thread = core->threads++;
	core->thread[pmu->thread] = pmu;
}

static void leave_package(struct pmu_core *core)
{
	if (--core->package->cores)
		return;
	free(core->package->l3);
	free(core->package);
}

int pmu_core_new(struct pmu *pmu)
{
	struct pmu_core *core = calloc(1, sizeof(*core));

	if (core)
		core->package = calloc(1, sizeof(*core->package));
	if (!core || !core->package) {
		free(core);
		return -1;
	}
	core->package->cores = 1;
	enter(core, pmu);
	pmu->gp = counters_of(pmu->profile, 1);
	return 0;
}

/* The last thread takes the core with it. */
void pmu_core_leave(struct pmu *pmu)
{
	struct pmu_core *core = pmu->core;

	if (!core)
		return;
	pmu->core = NULL;
	core->thread[pmu->thread] = NULL;
	for (unsigned int i = 0; i < core->threads; i++)
		if (core->thread[i])
			return;
	leave_package(core);
	free(core->p4);
	free(core);
}

bool pmu_join_package(struct pmu *pmu, struct pmu *core)
{
	struct pmu_package *package = core->core->package;

	if (pmu->core->package == package ||
	    pmu_profile_head(pmu->profile) != pmu_profile_head(core->profile))
		return false;
	leave_package(pmu->core);
	pmu->core->package = package;
	pmu->core->number = package->cores++;
	pmu_power_on(pmu);
	return true;
}

bool pmu_join(struct pmu *pmu, struct pmu *thread)
{
	struct pmu_core *core = thread->core;

	if (core->threads == PMU_MAX_THREADS || pmu->profile != thread->profile)
		return false;
	pmu_core_leave(pmu);
	enter(core, pmu);
	for (unsigned int i = 0; i < core->threads; i++) {
		core->thread[i]->gp = counters_of(pmu->profile, core->threads);
		pmu_power_on(core->thread[i]);
	}
	return true;
}

static uint8_t listening(const struct pmu_core *core)
{
	return __atomic_load_n(&core->listening, __ATOMIC_RELAXED);
}

/* Does any thread of the core count for all of them? */
bool pmu_core_busy(const struct pmu *pmu)
{
	return pmu->core->threads > 1 && listening(pmu->core);
}

/* What the other threads want to know of this one. */
uint8_t pmu_core_needs(const struct pmu *pmu, unsigned int cls)
{
	const struct pmu_core *core = pmu->core;
	uint8_t needs = 0;

	for (unsigned int i = 0; i < core->threads; i++)
		if (i != pmu->thread)
			needs |= __atomic_load_n(&core->needs[i][cls], __ATOMIC_RELAXED);
	return needs;
}

/* What is counted once for the core, however many threads run, as a core_ticks; or -1. */
int pmu_core_ticks(enum event event)
{
	switch (event) {
	case EV_CYCLES:
		return CORE_CYCLES;
	case EV_REF_CYCLES:
		return CORE_REF_CYCLES;
	case EV_BUS_CYCLES:
		return CORE_BUS_CYCLES;
	default:
		return -1;
	}
}

/* How many events threads tell each other: a pipeline's slots and signals as well. */
static unsigned int told_events(const struct pmu *pmu)
{
	return pmu->pipe ? EV_ALL : pmu->events;
}

/* Everything that the other threads have told. */
static void sum_told(const struct pmu *pmu, event_counts sum)
{
	const struct pmu_core *core = pmu->core;

	memset(sum, 0, sizeof(event_counts));
	for (unsigned int i = 0; i < core->threads; i++)
		for (int cls = 0; i != pmu->thread && cls < PMU_CLASSES; cls++)
			for (unsigned int e = 0; e < told_events(pmu); e++)
				sum[cls][e] += core->told[i][cls][e];
}

static void hear(struct pmu *pmu)
{
	event_counts told;

	sum_told(pmu, told);
	for (int cls = 0; cls < PMU_CLASSES; cls++)
		for (unsigned int e = 0; e < told_events(pmu); e++)
			pmu->heard[cls][e] = told[cls][e] - pmu->seen[cls][e];
	memcpy(pmu->seen, told, sizeof(told));
	for (int set = 0; set < CLASS_SETS; set++) {
		const uint64_t *count = pmu->core->clock[set].count;

		for (int t = 0; t < CORE_TICKS; t++)
			pmu->ticked[set][t] = count[t] - pmu->seen_ticks[set][t];
		memcpy(pmu->seen_ticks[set], count, sizeof(pmu->seen_ticks[set]));
	}
}

static void tell(struct pmu *pmu)
{
	for (unsigned int e = 0; e < told_events(pmu); e++)
		pmu->core->told[pmu->thread][pmu->hot->cls][e] += pmu->pending[e];
}

/* Returns how many of the cycles no other thread has run in so far. */
static uint64_t move_clock(struct pmu *pmu, struct core_clock *clock, bool away, uint64_t cycles)
{
	uint64_t *position = &clock->position[pmu->thread], ahead;

	if (away)
		*position = clock->now;
	*position += cycles;
	if (*position <= clock->now)
		return 0;
	ahead = *position - clock->now;
	clock->now = *position;
	clock->count[CORE_CYCLES] += ahead;
	clock->count[CORE_REF_CYCLES] += pmu_ticks(pmu->profile->ref, &clock->ref_rest, ahead);
	clock->count[CORE_BUS_CYCLES] += pmu_ticks(pmu->profile->bus, &clock->bus_rest, ahead);
	return ahead;
}

/*
 * Cycles in which the other thread ran as well are half its own.  Whoever comes second
 * notices; the other takes them off what it counts next.
 */
static void share_cycles(struct pmu *pmu, uint64_t overlap)
{
	uint64_t *mine = &pmu->core->overlap[pmu->thread], *n = pmu->pending, half;

	for (unsigned int i = 0; i < pmu->core->threads; i++)
		if (i != pmu->thread)
			pmu->core->overlap[i] += overlap;
	*mine += overlap;
	half = *mine / 2;
	n[EV_DISTRIBUTED] -= half;
	n[EV_SLOTS] -= half * pmu->profile->slots;
	n[EV_BUS_ALONE] -= pmu_ticks(pmu->profile->bus, &pmu->core->overlap_rest[pmu->thread],
				     2 * half);
	*mine -= 2 * half;
}

static void move_clocks(struct pmu *pmu)
{
	struct pmu_core *core = pmu->core;
	uint64_t cycles = pmu->pending[EV_CYCLES], alone = 0;

	for (unsigned int set = 0; set < CLASS_SETS; set++) {
		bool runs = (set + 1) & BIT(pmu->hot->cls);

		alone = move_clock(pmu, &core->clock[set], core->away[pmu->thread],
				   runs ? cycles : 0);
	}
	/* The last set is that of all classes. */
	share_cycles(pmu, cycles - alone);
	core->away[pmu->thread] = false;
}

/* What is pending goes to the core, and what others told it comes back. */
void pmu_core_account(struct pmu *pmu)
{
	struct pmu_core *core = pmu->core;

	if (!pmu_core_busy(pmu))
		return;
	pmu_lock(&core->lock);
	tell(pmu);
	move_clocks(pmu);
	if (listening(core) & BIT(pmu->thread))
		hear(pmu);
	pmu_unlock(&core->lock);
}

void pmu_core_halt(struct pmu *pmu)
{
	if (!pmu_core_busy(pmu))
		return;
	pmu_lock(&pmu->core->lock);
	pmu->core->away[pmu->thread] = true;
	pmu_unlock(&pmu->core->lock);
	/* The first instruction behind it must find where the clock is. */
	pmu_kick(pmu);
}

static void set_listening(struct pmu *pmu, bool on)
{
	struct pmu_core *core = pmu->core;
	uint8_t others = core->listening & (uint8_t)~BIT(pmu->thread);

	__atomic_store_n(&core->listening, (uint8_t)(others | on << pmu->thread),
			 __ATOMIC_RELAXED);
}

/* Nobody can tell what the others did before somebody listened. */
static void start_listening(struct pmu *pmu)
{
	struct pmu_core *core = pmu->core;

	if (!core->listening)
		memset(core->away, true, sizeof(core->away));
	set_listening(pmu, true);
	hear(pmu);
	memset(pmu->heard, 0, sizeof(pmu->heard));
	memset(pmu->ticked, 0, sizeof(pmu->ticked));
}

/* Is it less while other threads run, whatever their class? */
static bool is_shared(enum event event)
{
	return event == EV_DISTRIBUTED || event == EV_BUS_ALONE || event == EV_SLOTS;
}

/* Whether they are globally on does not matter here: that changes all the time. */
static void wanted(const struct pmu *pmu, uint8_t needs[PMU_CLASSES])
{
	memset(needs, 0, PMU_CLASSES);
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		const struct counter *c = &pmu->counter[i];

		for (int cls = 0; cls < PMU_CLASSES; cls++)
			if ((c->any && (c->classes & BIT(cls))) ||
			    (is_shared(c->event) && c->classes))
				needs[cls] |= pmu_need_of(c->event) | pmu_need_of(c->less);
	}
}

/* The counters are set up: does this thread have to know of the others? */
void pmu_core_listen(struct pmu *pmu)
{
	struct pmu_core *core = pmu->core;
	uint8_t needs[PMU_CLASSES], *known = core->needs[pmu->thread];
	bool before = core->listening & BIT(pmu->thread);

	wanted(pmu, needs);
	if (core->threads == 1 || !memcmp(needs, known, sizeof(needs)))
		return;
	pmu_lock(&core->lock);
	for (int cls = 0; cls < PMU_CLASSES; cls++)
		__atomic_store_n(&known[cls], needs[cls], __ATOMIC_RELAXED);
	if (!needs[PMU_KERNEL] && !needs[PMU_USER])
		set_listening(pmu, false);
	else if (!before)
		start_listening(pmu);
	pmu_unlock(&core->lock);
	pmu->core_changed = true;
}

bool pmu_core_changed(struct pmu *pmu)
{
	bool changed = pmu->core_changed;

	pmu->core_changed = false;
	return changed;
}

void pmu_core_update(struct pmu *pmu)
{
	pmu_account(pmu, pmu->granted - pmu->hot->budget);
	pmu_needs_update(pmu);
	pmu_grant(pmu);
}
