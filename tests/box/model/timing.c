// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timing model, a first simple one: caches that each logical CPU has for
 * itself and that see linear addresses, a branch predictor, and the cycles that
 * their misses cost.  Everything else issues at full width.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define LINE_BITS 6

static unsigned int levels(const struct pmu_profile *p)
{
	return p->cache[CACHE_LEVELS - 1].ways ? CACHE_LEVELS : CACHE_LEVELS - 1;
}

int pmu_timing_new(struct pmu *pmu)
{
	for (unsigned int l = 0; l < levels(pmu->profile); l++) {
		const struct cache_shape *shape = &pmu->profile->cache[l];

		pmu->line[l] = calloc(shape->ways * BIT(shape->set_bits), sizeof(uint64_t));
		if (!pmu->line[l])
			return -1;
	}
	return 0;
}

void pmu_timing_free(struct pmu *pmu)
{
	for (unsigned int l = 0; l < CACHE_LEVELS; l++)
		free(pmu->line[l]);
}

/* Not the way used last: look at the others, then put the line in front. */
static bool touch_others(uint64_t *way, unsigned int ways, uint64_t tag)
{
	unsigned int w = 1;

	while (w < ways && way[w] != tag)
		w++;
	memmove(way + 1, way, (w < ways ? w : ways - 1) * sizeof(*way));
	way[0] = tag;
	return w < ways;
}

/* True if the line is in the cache; it is afterwards in any case. */
static inline bool touch(struct pmu *pmu, unsigned int level, uint64_t line)
{
	const struct cache_shape *shape = &pmu->profile->cache[level];
	uint64_t set = line & (BIT(shape->set_bits) - 1);
	uint64_t *way = pmu->line[level] + set * shape->ways;

	/* Zero is an empty way. */
	return way[0] == line + 1 || touch_others(way, shape->ways, line + 1);
}

static void miss_event(struct pmu *pmu, enum event event)
{
	pmu->tally.count[event]++;
	pmu->tally.missed = true;
	pmu_bump(pmu, event);
}

/* A line that the first level lacks: the level that has it, or one past all. */
static unsigned int fetch(struct pmu *pmu, uint64_t line)
{
	unsigned int last = levels(pmu->profile) - 1, level;

	miss_event(pmu, EV_L1D_FILLS);
	for (level = 1; level <= last; level++) {
		if (level == 1)
			miss_event(pmu, EV_L2_REFERENCES);
		if (level == last)
			miss_event(pmu, EV_CACHE_REFERENCES);
		if (touch(pmu, level, line))
			break;
		if (level == 1)
			miss_event(pmu, EV_L2_FILLS);
		if (level == last)
			miss_event(pmu, EV_CACHE_MISSES);
	}
	return level;
}

static void wait_for_data(struct pmu *pmu, uint32_t cycles)
{
	pmu->tally.stall += cycles;
	pmu_stall(pmu, cycles);
}

static void load_missed(struct pmu *pmu, unsigned int level)
{
	unsigned int last = levels(pmu->profile) - 1;

	miss_event(pmu, EV_L1D_MISSES);
	miss_event(pmu, level == 1 ? EV_L2_HITS : EV_L2_MISSES);
	if (level == 2 && last == 2)
		miss_event(pmu, EV_L3_HITS);
	if (level >= last)
		miss_event(pmu, EV_LLC_LOADS);
	if (level > last)
		miss_event(pmu, EV_LLC_LOAD_MISSES);
	wait_for_data(pmu, level > last ? pmu->profile->memory_stall :
				 pmu->profile->cache[level].stall);
}

/* The store buffer hides most of the wait. */
#define STORE_SHIFT 2

static void store_missed(struct pmu *pmu, unsigned int level)
{
	unsigned int last = levels(pmu->profile) - 1;

	miss_event(pmu, EV_L1D_STORE_MISSES);
	if (level >= last)
		miss_event(pmu, EV_LLC_STORES);
	if (level > last)
		miss_event(pmu, EV_LLC_STORE_MISSES);
	wait_for_data(pmu, (level > last ? pmu->profile->memory_stall :
				  pmu->profile->cache[level].stall) >> STORE_SHIFT);
}

/* An access that is not wholly in the lines used last. */
static __attribute__((noinline)) void access_lines(struct pmu *pmu, uint64_t line, uint64_t lines,
						   bool store)
{
	unsigned int worst = 0;

	for (; lines; lines--, line++) {
		unsigned int level = touch(pmu, 0, line) ? 0 : fetch(pmu, line);
		worst = level > worst ? level : worst;
	}
	if (!worst)
		return;
	if (store)
		store_missed(pmu, worst);
	else
		load_missed(pmu, worst);
}

static inline void tally_begin(struct access_tally *t, uint64_t instruction)
{
	if (t->instruction == instruction)
		return;
	t->instruction = instruction;
	if (t->missed) {
		memset(t->count, 0, sizeof(t->count));
		t->stall = 0;
		t->missed = false;
	}
	t->count[EV_LOADS] = 0;
	t->count[EV_STORES] = 0;
}

void pmu_mem(struct pmu *pmu, uint64_t addr, unsigned int size, bool store)
{
	const struct cache_shape *l1 = &pmu->profile->cache[0];
	enum event event = store ? EV_STORES : EV_LOADS;
	uint64_t line = addr >> LINE_BITS;
	uint64_t lines = ((addr & (BIT(LINE_BITS) - 1)) + size + BIT(LINE_BITS) - 1) >> LINE_BITS;
	uint64_t set = line & (BIT(l1->set_bits) - 1);

	tally_begin(&pmu->tally, pmu_in_flight(pmu));
	pmu->tally.count[event]++;
	pmu_bump(pmu, event);
	if (lines == 1 && pmu->line[0][set * l1->ways] == line + 1)
		return;
	access_lines(pmu, line, lines, store);
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

void pmu_branch(struct pmu *pmu, uint64_t from, uint64_t target, uint64_t fall)
{
	bool taken = target != fall;
	bool right = predict_direction(pmu, from, taken);

	if (taken)
		right &= predict_target(pmu, from, target);
	pmu->pending[EV_TAKEN] += taken;
	pmu_bump(pmu, EV_BRANCHES);
	if (right)
		return;
	pmu_bump(pmu, EV_BRANCH_MISSES);
	pmu_bump(pmu, taken ? EV_MISSED_TAKEN : EV_MISSED_NOT_TAKEN);
	pmu_stall(pmu, pmu->profile->branch_stall);
}
