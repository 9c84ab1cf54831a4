// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timing model, a first simple one: two levels of caches that each logical CPU has
 * for itself and that see linear addresses, what the last level says, a branch predictor,
 * and the cycles that their misses cost.  Everything else issues at full width.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

static unsigned int levels(const struct pmu_profile *p)
{
	return p->cache[L3_LEVEL].ways ? CACHE_LEVELS : L3_LEVEL;
}

int pmu_timing_new(struct pmu *pmu)
{
	for (unsigned int l = 0; l < L3_LEVEL; l++) {
		const struct cache_shape *shape = &pmu->profile->cache[l];

		pmu->line[l] = calloc(shape->ways * BIT(shape->set_bits), sizeof(uint64_t));
		if (!pmu->line[l])
			return -1;
	}
	return 0;
}

void pmu_timing_free(struct pmu *pmu)
{
	for (unsigned int l = 0; l < L3_LEVEL; l++)
		free(pmu->line[l]);
}

bool pmu_touch_way(uint64_t *way, unsigned int ways, uint64_t tag)
{
	uint64_t before = tag;

	/* Those in front of it, or all, move on by one. */
	for (unsigned int w = 0; w < ways; w++) {
		uint64_t here = way[w];

		way[w] = before;
		if (here == tag)
			return true;
		before = here;
	}
	return false;
}

/* True if the line is in the cache; it is afterwards in any case. */
static inline bool touch(struct pmu *pmu, unsigned int level, uint64_t line)
{
	const struct cache_shape *shape = &pmu->profile->cache[level];
	uint64_t set = line & (BIT(shape->set_bits) - 1);
	uint64_t *way;

	if (level == L3_LEVEL)
		return pmu_l3_touch(pmu, line);
	way = pmu->line[level] + set * shape->ways;
	/* Zero is an empty way. */
	return way[0] == line + 1 || pmu_touch_way(way, shape->ways, line + 1);
}

void pmu_miss_event(struct pmu *pmu, enum event event)
{
	pmu->tally.count[event]++;
	pmu->tally.missed = true;
	pmu_bump(pmu, event);
	pmu_seen(pmu, event);
}

/* A Pentium 4 looks at the states of the second level's lines, too. */
static bool has_line(struct pmu *pmu, unsigned int level, uint64_t line, bool store)
{
	if (pmu->burst && level == 1)
		return pmu_burst_l2(pmu, line, store ? L2_STORE : L2_LOAD);
	return touch(pmu, level, line);
}

/* A line that the first level lacks: the level that has it, or one past all. */
static unsigned int fetch(struct pmu *pmu, uint64_t line, bool store)
{
	unsigned int last = levels(pmu->profile) - 1, level;

	pmu_miss_event(pmu, EV_L1D_FILLS);
	for (level = 1; level <= last; level++) {
		if (level == 1)
			pmu_miss_event(pmu, EV_L2_REFERENCES);
		if (level == last)
			pmu_miss_event(pmu, EV_CACHE_REFERENCES);
		if (has_line(pmu, level, line, store))
			break;
		if (level == 1)
			pmu_miss_event(pmu, EV_L2_FILLS);
		if (level == last)
			pmu_miss_event(pmu, EV_CACHE_MISSES);
	}
	if (pmu->pipe)
		pmu_prefetch(pmu, line, level > 1, store);
	return level;
}

/* Unlike a request of a program this one is no event of the caches. */
void pmu_timing_prefetch(struct pmu *pmu, uint64_t line, unsigned int to, bool store)
{
	unsigned int last = levels(pmu->profile) - 1, level = to;

	while (level <= last && !touch(pmu, level, line))
		level++;
	pmu->prefetched += level > to;
	pmu->tally.prefetched += level > to;
	if (level > to && pmu->pipe)
		pmu_pipe_prefetched(pmu, line, to, level, store);
}

#define OFFCORE_READ BIT(0)
#define OFFCORE_OWN BIT(1)		/* a store wants the line for itself */

/* A request that leaves the core's own caches, and whether the last one has it. */
static void offcore(struct pmu *pmu, uint64_t request, bool hit)
{
	const struct offcore_bits *bits = &pmu->profile->offcore;
	uint64_t source = hit ? bits->hit : bits->miss;

	for (unsigned int i = 0; i < 2; i++) {
		const uint64_t *rsp = pmu_plain(pmu, MSR_OFFCORE_RSP_0 + i);
		uint64_t asked = rsp ? __atomic_load_n(rsp, __ATOMIC_RELAXED) : 0;
		bool found = (asked & source) && (!bits->snoop || (asked & bits->snoop));

		if ((asked & request) && ((asked & bits->any) || found))
			pmu_miss_event(pmu, EV_OFFCORE_0 + (enum event)i);
	}
}

static uint32_t stall_of(const struct pmu *pmu, unsigned int level)
{
	const struct pmu_profile *p = pmu->profile;

	return level < levels(p) ? p->cache[level].stall : p->memory_stall;
}

/*
 * Lets a simple core wait for a line that missed, unless it is on its way or the miss is
 * free.  Returns the cycles that it waits.
 */
static uint32_t wait_for_line(struct pmu *pmu, uint64_t line, unsigned int level,
			      unsigned int shift)
{
	uint32_t wait;

	if (pmu->ideal.free && !pmu_pipe_runs(pmu))
		level = pmu_ideal_level(pmu, level, levels(pmu->profile) - 1);
	wait = pmu_ahead(pmu, line, level ? stall_of(pmu, level) : 0) >> shift;
	if (level)
		pmu_stall(pmu, wait, &pmu->tally);
	return wait;
}

static void load_missed(struct pmu *pmu, uint64_t line, unsigned int level)
{
	unsigned int last = levels(pmu->profile) - 1;

	pmu_miss_event(pmu, EV_L1D_MISSES);
	pmu_miss_event(pmu, level == 1 ? EV_L2_HITS : EV_L2_MISSES);
	if (level == 2 && last == 2)
		pmu_miss_event(pmu, EV_L3_HITS);
	if (level <= last)
		pmu_miss_event(pmu, EV_BEHIND_L1D);
	if (level >= last) {
		pmu_miss_event(pmu, EV_LLC_LOADS);
		offcore(pmu, OFFCORE_READ, level == last);
	}
	if (level > last)
		pmu_miss_event(pmu, EV_LLC_LOAD_MISSES);
	wait_for_line(pmu, line, level, 0);
}

/* The store buffer hides most of the wait. */
#define STORE_SHIFT 2

static void store_missed(struct pmu *pmu, uint64_t line, unsigned int level)
{
	unsigned int last = levels(pmu->profile) - 1;
	uint32_t wait;

	pmu_miss_event(pmu, EV_L1D_STORE_MISSES);
	if (level < last)
		pmu_miss_event(pmu, EV_L2_STORE_HITS);
	if (level >= last) {
		pmu_miss_event(pmu, EV_LLC_STORES);
		offcore(pmu, OFFCORE_OWN, level == last);
	}
	if (level > last)
		pmu_miss_event(pmu, EV_LLC_STORE_MISSES);
	wait = wait_for_line(pmu, line, level, STORE_SHIFT);
	if (pmu->burst)
		pmu_burst_store_stall(pmu, wait);
}

/* An access that is not wholly in the lines used last. */
static __attribute__((noinline)) unsigned int access_lines(struct pmu *pmu, uint64_t line,
							   uint64_t lines, bool store)
{
	unsigned int worst = 0;
	uint64_t slowest = line;

	for (; lines; lines--, line++) {
		unsigned int level = touch(pmu, 0, line) ? 0 : fetch(pmu, line, store);

		slowest = level > worst ? line : slowest;
		worst = level > worst ? level : worst;
	}
	if (!worst && !store)
		pmu_seen(pmu, EV_L1D_HITS);
	if (worst && store)
		store_missed(pmu, slowest, worst);
	else if (worst)
		load_missed(pmu, slowest, worst);
	return worst;
}

static inline void tally_begin(struct access_tally *t, uint64_t instruction)
{
	if (t->instruction == instruction)
		return;
	t->instruction = instruction;
	if (t->missed) {
		memset(t->count, 0, sizeof(t->count));
		t->prefetched = 0;
		t->stalled = false;
		t->missed = false;
	}
	t->count[EV_LOADS] = 0;
	t->count[EV_STORES] = 0;
}

void pmu_tally_begin(struct pmu *pmu)
{
	tally_begin(&pmu->tally, pmu_in_flight(pmu));
}

void pmu_mem(struct pmu *pmu, uint64_t addr, unsigned int size, bool store)
{
	const struct cache_shape *l1 = &pmu->profile->cache[0];
	enum event event = store ? EV_STORES : EV_LOADS;
	uint64_t line = addr >> LINE_BITS;
	uint64_t lines = ((addr & (BIT(LINE_BITS) - 1)) + size + BIT(LINE_BITS) - 1) >> LINE_BITS;
	uint64_t set = line & (BIT(l1->set_bits) - 1);
	unsigned int level = 0;

	tally_begin(&pmu->tally, pmu_in_flight(pmu));
	pmu->tally.count[event]++;
	pmu_bump(pmu, event);
	if (__builtin_expect(pmu->compared != 0, 0)) {
		pmu_seen(pmu, event);
		pmu_seen(pmu, EV_ACCESSES);
	}
	if (lines != 1 || pmu->line[0][set * l1->ways] != line + 1)
		level = access_lines(pmu, line, lines, store);
	else if (!store)
		pmu_seen(pmu, EV_L1D_HITS);
	if (__builtin_expect(pmu->compared != 0, 0)) {
		pmu_watch(pmu, addr, store, level);
		if (pmu->compared & WATCH_PAGES)
			pmu_pages_access(pmu, addr, size, store);
		if (pmu->burst)
			pmu_burst_access(pmu, addr, size, store, level);
	}
	if (pmu->pipe)
		pmu_pipe_access(pmu, addr, size, store, level);
}

/* Two bits of hysteresis a branch and path; 2 and 3 say taken. */
static bool predict_direction(struct pmu *pmu, uint64_t from, bool taken)
{
	uint64_t index = (from ^ from >> PREDICTOR_BITS ^ pmu->history) & (BIT(PREDICTOR_BITS) - 1);
	uint8_t *state = &pmu->direction[index];
	bool right = (*state >= 2) == taken;

	if (taken)
		*state = (uint8_t)(*state + (*state < 3));
	else
		*state = (uint8_t)(*state - (*state > 0));
	pmu->history = pmu->history << 1 | taken;
	return right;
}

/*
 * A branch that always goes to one place is never wrong: where a direct branch
 * goes stands in its code.  One that went elsewhere before is an indirect one or
 * a return, predicted by the path that led to it.
 */
static bool predict_target(struct pmu *pmu, uint64_t from, uint64_t to)
{
	uint64_t mask = BIT(TARGET_BITS) - 1;
	struct branch_target *known = &pmu->target[(from ^ from >> TARGET_BITS) & mask];
	uint64_t *by_path = &pmu->path_target[(from ^ from >> TARGET_BITS ^ pmu->path) & mask];
	bool right = known->from != from || known->to == to || *by_path == to;

	*known = (struct branch_target) { .from = from, .to = to };
	*by_path = to;
	pmu->path = pmu->path << 3 ^ (uint32_t)(to >> 1) ^ (uint32_t)(from << 2);
	return right;
}

/* For comparisons, which want to know of each as it happens. */
static void branch_seen(struct pmu *pmu, bool taken, bool right)
{
	pmu_seen(pmu, EV_BRANCHES);
	pmu_seen(pmu, taken ? EV_TAKEN : EV_NOT_TAKEN);
	if (right) {
		pmu_seen(pmu, taken ? EV_PREDICTED_TAKEN : EV_PREDICTED_NOT_TAKEN);
		return;
	}
	pmu_seen(pmu, EV_BRANCH_MISSES);
	pmu_seen(pmu, taken ? EV_MISSED_TAKEN : EV_MISSED_NOT_TAKEN);
}

/* By what a branch is: an event of it, or none. */
static const enum event kinds[] = {
	[PMU_JCC] = EV_CONDITIONAL,
	[PMU_CALL] = EV_CALLS,
	[PMU_CALL_INDIRECT] = EV_CALLS,
	[PMU_RET] = EV_RETURNS,
	[PMU_JMP_INDIRECT] = EV_INDIRECT,
	[PMU_JMP] = EV_NONE,
	[PMU_FAR] = EV_NONE,
};

/* None of them is more than the branches, which are watched in their stead. */
static void count_kind(struct pmu *pmu, enum pmu_branch_kind kind, bool taken)
{
	if (kinds[kind] != EV_NONE)
		pmu->pending[kinds[kind]]++;
	pmu->pending[EV_CONDITIONAL_TAKEN] += kind == PMU_JCC && taken;
	pmu->pending[EV_INDIRECT] += kind == PMU_CALL_INDIRECT;
}

void pmu_branch(struct pmu *pmu, const struct pmu_branch *b)
{
	bool taken = b->to != b->fall;
	bool right = predict_direction(pmu, b->from, taken);

	if (taken)
		right &= predict_target(pmu, b->from, b->to);
	pmu->pending[EV_TAKEN] += taken;
	count_kind(pmu, b->kind, taken);
	pmu_bump(pmu, EV_BRANCHES);
	if (pmu->compared) {
		branch_seen(pmu, taken, right);
		if (pmu->burst)
			pmu_burst_branch(pmu, b->kind, right);
	}
	if (pmu->pipe)
		pmu_pipe_branch(pmu, b, right);
	/* In a pipeline it has retired by now, which is what its record tells. */
	pmu_lbr_branch(pmu, b, right);
	if (right)
		return;
	pmu_bump(pmu, EV_BRANCH_MISSES);
	pmu_bump(pmu, taken ? EV_MISSED_TAKEN : EV_MISSED_NOT_TAKEN);
	if (pmu_pipe_runs(pmu) || !ideal_takes(&pmu->ideal, IDEAL_BRANCH))
		pmu_stall(pmu, pmu->profile->branch_stall, NULL);
}
