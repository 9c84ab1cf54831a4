// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory as the pipeline sees it: translations, lines on their way, stores that loads
 * look into and that leave in order.
 */
#include <stddef.h>

#include "pipeline.h"

/* --- translations --- */

/* Not the translation of its set that was used last. */
static __attribute__((noinline)) unsigned int
translate_other(struct pipeline *p, struct tlb *first, uint64_t page, enum pipe_signal hits,
		enum pipe_signal walks, enum pipe_signal walk_cycles)
{
	if (pmu_tlb_look_up(first, page))
		return 0;
	if (pmu_tlb_look_up(&p->stlb, page)) {
		sig(p, hits, 1);
		return p->shape->stlb_hit;
	}
	sig(p, walks, 1);
	if (ideal_takes(p->ideal, IDEAL_WALK))
		return p->shape->stlb_hit;
	sig(p, walk_cycles, p->shape->walk);
	return p->shape->stlb_hit + p->shape->walk;
}

unsigned int memory_translate(struct pipeline *p, struct tlb *first, uint64_t page,
			      enum pipe_signal hits, enum pipe_signal walks,
			      enum pipe_signal walk_cycles)
{
	if (*pmu_tlb_ways(first, page) == page + 1)
		return 0;
	return translate_other(p, first, page, hits, walks, walk_cycles);
}

static unsigned int translate_load(struct pipeline *p, const struct access *a)
{
	return memory_translate(p, &p->dtlb, a->addr >> PAGE_BITS, SIG_DTLB_LOAD_STLB_HITS,
				SIG_DTLB_LOAD_WALKS, SIG_DTLB_LOAD_WALK_CYCLES);
}

uint64_t memory_store_translated(struct pipeline *p, const struct access *a, uint64_t start)
{
	unsigned int cycles = memory_translate(p, &p->dtlb, a->addr >> PAGE_BITS,
					       SIG_DTLB_STORE_STLB_HITS, SIG_DTLB_STORE_WALKS,
					       SIG_DTLB_STORE_WALK_CYCLES);

	if (cycles > p->shape->stlb_hit && p->tag_access == GAP_OTHER)
		p->tag_access = GAP_WALK;
	return start + cycles;
}

/* --- lines on their way --- */

static unsigned int wait_of(const struct pmu_profile *profile, unsigned int level)
{
	return level < MEMORY_LEVEL ? profile->cache[level].stall : profile->memory_stall;
}

/* All later requests are for cycles in which the oldest of them are there. */
static void forget_arrived(struct pipeline *p)
{
	unsigned int margin = p->shape->line_interval << 1;

	while (p->arrived != p->fills &&
	       (p->fills - p->arrived > FILLS ||
		p->fill[p->arrived % FILLS].until + margin <= p->cycle))
		p->arrived++;
}

/* Of a fill by its number plus one, as buckets have it. */
static bool is_under_way(const struct pipeline *p, unsigned int number)
{
	return number && number - 1 - p->arrived < p->fills - p->arrived;
}

/* The latest fill of a line that has not arrived by a cycle; NULL: it is here. */
static const struct fill *under_way(struct pipeline *p, uint64_t line, uint64_t cycle)
{
	const struct fill *found = NULL, *f;

	if (p->fills_until <= cycle)
		return NULL;
	forget_arrived(p);
	for (unsigned int i = p->bucket[line % FILL_BUCKETS]; is_under_way(p, i); i = f->before) {
		f = &p->fill[(i - 1) % FILLS];
		if (f->line == line && f->until > cycle && (!found || f->until > found->until))
			found = f;
	}
	return found;
}

/*
 * What is taken stays taken, so that a search that begins where an earlier one found
 * nothing goes on where that ended.
 */
static uint64_t skip(const struct busy *b, uint64_t cycle)
{
	return cycle >= b->from && cycle < b->to ? b->to : cycle;
}

static void note_busy(struct busy *b, uint64_t from, uint64_t to)
{
	if (to == from)
		return;
	if (from > b->to || from < b->from)
		b->from = from;
	b->to = to;
}

/* When the first of the buffers that are taken in a cycle is free; or, if one is, then. */
static uint64_t first_free(const struct pipeline *p, uint64_t cycle)
{
	uint64_t first = UINT64_MAX;
	unsigned int taken = 0;

	for (unsigned int i = p->arrived; i != p->fills; i++) {
		const struct fill *f = &p->fill[i % FILLS];

		if (!f->buffer || f->from > cycle || f->until <= cycle)
			continue;
		taken++;
		first = f->until < first ? f->until : first;
	}
	return taken < p->shape->fill_buffers ? cycle : first;
}

/* When a fill buffer is free, at a cycle or later. */
static uint64_t buffer_free(struct pipeline *p, uint64_t cycle)
{
	uint64_t from = cycle, next;

	if (p->fills_until <= cycle)
		return cycle;
	forget_arrived(p);
	next = skip(&p->no_buffer, cycle);
	do {
		cycle = next;
		next = first_free(p, cycle);
	} while (next != cycle);
	note_busy(&p->no_buffer, from, cycle);
	return cycle;
}

/* The end of what a line collides with that would arrive in a cycle; or that cycle. */
static uint64_t behind_lines(const struct pipeline *p, uint64_t cycle, unsigned int interval)
{
	for (unsigned int i = p->arrived; i != p->fills; i++) {
		const struct fill *f = &p->fill[i % FILLS];

		if (f->level == MEMORY_LEVEL && cycle + interval > f->until &&
		    cycle < f->until + interval)
			cycle = f->until + interval;
	}
	return cycle;
}

/* A line that is written goes back to memory some day, over the same bus. */
static unsigned int interval(const struct pipeline *p, bool store)
{
	return p->shape->line_interval << store;
}

/* Lines come from memory one after the other. */
static uint64_t bus_free(struct pipeline *p, uint64_t cycle, bool store)
{
	unsigned int distance = interval(p, store);
	uint64_t from = cycle, next;

	if (p->fills_until + distance <= cycle)
		return cycle;
	forget_arrived(p);
	next = skip(&p->no_bus[store], cycle);
	do {
		cycle = next;
		next = behind_lines(p, cycle, distance);
	} while (next != cycle);
	note_busy(&p->no_bus[store], from, cycle);
	return cycle;
}

static void begin_fill(struct pipeline *p, struct fill fill)
{
	unsigned int *bucket = &p->bucket[fill.line % FILL_BUCKETS];

	fill.before = *bucket;
	p->fill[p->fills++ % FILLS] = fill;
	*bucket = p->fills;
	p->fills_until = max64(p->fills_until, fill.until);
	if (fill.buffer)
		plan_memory(p, LANE_FILLS, fill.from, fill.until);
}

/* Fetches a line for the first level. */
static struct fill fetch(struct pipeline *p, const struct pmu_profile *profile,
			 const struct access *a, uint64_t start)
{
	uint64_t line = a->addr >> LINE_BITS;
	uint64_t from = buffer_free(p, start);
	struct fill fill = {
		.line = line, .from = from, .level = a->level, .buffer = true,
		.until = from + profile->load_cycles + wait_of(profile, a->level),
	};
	const struct fill *ahead = under_way(p, line, fill.until);

	/* The level that was found to have it gets it by a prefetch yet. */
	if (ahead) {
		fill.until = ahead->until;
		fill.level = ahead->level;
	} else if (a->level == MEMORY_LEVEL) {
		fill.until = bus_free(p, fill.until, a->store);
	}
	begin_fill(p, fill);
	return fill;
}

void memory_prefetched(struct pipeline *p, const struct pmu_profile *profile, uint64_t line,
		       unsigned int level, bool store)
{
	uint64_t until = p->cycle + wait_of(profile, level);

	if (level == MEMORY_LEVEL)
		until = bus_free(p, until, store);
	begin_fill(p, (struct fill) {
		.line = line, .from = p->cycle, .until = until, .level = (uint8_t)level,
	});
}

/* --- loads --- */

static const uint8_t level_cause[] = { SLOT_L1, SLOT_L2, SLOT_L3, SLOT_DRAM };

static struct forward *forward_of(struct pipeline *p, uint64_t addr)
{
	return &p->forward[addr / 8 % FORWARD_ENTRIES];
}

#define BLOCKED_CYCLES 5		/* behind the store, from the first level */

enum found_store { NO_STORE, FORWARDED, BLOCKED };

/* The load may find a store in front of it that is not in the cache yet. */
static enum found_store look_into_stores(struct pipeline *p, const struct access *a,
					 uint64_t start, unsigned int latency, uint64_t *ready)
{
	const struct forward *s = forward_of(p, a->addr);

	if (s->drained <= start || a->addr >= s->addr + s->size || s->addr >= a->addr + a->size)
		return NO_STORE;
	*ready = max64(start, s->ready) + latency;
	if (a->addr >= s->addr && a->addr + a->size <= s->addr + s->size)
		return FORWARDED;
	sig(p, SIG_BLOCKED_LOADS, 1);
	if (!ideal_takes(p->ideal, IDEAL_BLOCK))
		*ready = max64(start, s->drained) + latency + BLOCKED_CYCLES;
	return BLOCKED;
}

/* A load is under way, which the levels up to one do not have. */
static void plan_load(struct pipeline *p, unsigned int level, uint64_t from, uint64_t to)
{
	static const uint64_t lanes[] = {
		LANE_LOADS, LANE_LOADS + LANE_L1D, LANE_LOADS + LANE_L1D + LANE_L2,
		LANE_LOADS + LANE_L1D + LANE_L2 + LANE_L3,
	};

	plan_memory(p, lanes[level], from, to);
}

/* The first level has the line, or it is on its way there. */
static struct load_result hit(struct pipeline *p, uint64_t line, uint64_t ready)
{
	const struct fill *f = under_way(p, line, ready);

	if (!f)
		return (struct load_result) { .ready = ready, .cause = SLOT_L1 };
	sig(p, SIG_FB_HITS, 1);
	return (struct load_result) {
		.ready = f->until, .cause = (enum slot_cause)level_cause[f->level],
	};
}

#define PAGE_OFFSET (BIT(PAGE_BITS) - 1)
#define ALIAS_CYCLES 5			/* until the load tries again */

/*
 * Addresses are compared by their offsets in a page first: an older store to another
 * page looks like one that the load needs.
 */
static unsigned int wait_for_alias(struct pipeline *p, const struct access *a, uint64_t start)
{
	const struct forward *s = forward_of(p, a->addr);
	uint64_t load = a->addr & PAGE_OFFSET, store = s->addr & PAGE_OFFSET;

	if (s->drained <= start || (a->addr ^ s->addr) <= PAGE_OFFSET ||
	    load >= store + s->size || store >= load + a->size)
		return 0;
	sig(p, SIG_ALIASED_LOADS, 1);
	return ideal_takes(p->ideal, IDEAL_ALIAS) ? 0 : ALIAS_CYCLES;
}

#define SPLIT_CYCLES 6

static bool is_split(const struct access *a)
{
	return (a->addr ^ (a->addr + a->size - 1)) >> LINE_BITS;
}

/* What a load has met, by the cycles that it took; if nothing took any, where its line was. */
static __attribute__((noinline)) enum gap_tag
dearest(unsigned int walk, unsigned int alias, uint64_t block, unsigned int split,
	uint64_t line, enum slot_cause cause)
{
	const struct {
		uint64_t cycles;
		enum gap_tag tag;
	} met[] = {
		{ line, GAP_L1 + (enum gap_tag)(cause - SLOT_L1) }, { walk, GAP_WALK },
		{ block, GAP_BLOCK }, { alias, GAP_ALIAS }, { split, GAP_SPLIT },
	};
	unsigned int most = 0;

	for (unsigned int i = 1; i < ARRAY_SIZE(met); i++)
		if (met[i].cycles > met[most].cycles)
			most = i;
	return met[most].tag;
}

/* What hits the first level waits only if its line is not there yet. */
static enum load_origin origin_of(const struct access *a, enum found_store store, uint64_t waits)
{
	if (store != NO_STORE)
		return LOAD_STORE;
	return a->level || !waits ? LOAD_L1 + a->level : LOAD_UNDER_WAY;
}

struct load_result memory_load(struct pipeline *p, const struct pmu_profile *profile,
			       const struct access *a, uint64_t start)
{
	uint64_t line = a->addr >> LINE_BITS, from = start;
	struct load_result r = { .cause = SLOT_L1, .tag = GAP_OTHER };
	unsigned int level = a->level, translation = translate_load(p, a), alias;
	enum found_store store;

	start += translation;
	alias = wait_for_alias(p, a, start);
	start += alias;
	store = look_into_stores(p, a, start, profile->load_cycles, &r.ready);
	if (store != NO_STORE) {
		/* nothing of it comes from a cache */
	} else if (a->level) {
		struct fill fill = fetch(p, profile, a, start);

		r.ready = fill.until;
		level = fill.level;
		r.cause = (enum slot_cause)level_cause[level];
	} else {
		r = hit(p, line, start + profile->load_cycles);
	}
	if (__builtin_expect(*p->wants_loads, false)) {
		uint64_t waits = r.ready - start - profile->load_cycles;
		unsigned int split = is_split(a) ? SPLIT_CYCLES : 0;

		r.tag = dearest(translation > p->shape->stlb_hit ? translation : 0, alias,
				store == BLOCKED ? waits : 0, split,
				store == NO_STORE ? waits : 0, r.cause);
		p->load_executed[p->executed++] = (struct load_executed) {
			.addr = a->addr, .begun = from, .looked_up = start,
			.ready = r.ready + split, .origin = origin_of(a, store, waits),
		};
	}
	if (is_split(a)) {
		sig(p, SIG_SPLIT_LOADS, 1);
		r.ready += SPLIT_CYCLES;
	}
	plan_load(p, level, from, r.ready);
	return r;
}

/* --- stores --- */

/* When the line is the core's own. */
static uint64_t own_line(struct pipeline *p, const struct pmu_profile *profile,
			 const struct access *a, uint64_t start)
{
	uint64_t line = a->addr >> LINE_BITS;
	const struct fill *f;

	if (a->level) {
		struct fill own = fetch(p, profile, a, start);

		if (a->level > 1)
			plan_memory(p, LANE_RFOS, own.from, own.until);
		return own.until;
	}
	f = under_way(p, line, start);
	return f ? f->until : start;
}

void memory_store(struct pipeline *p, const struct pmu_profile *profile, const struct access *a,
		  uint64_t data, uint64_t retires)
{
	uint64_t done = max64(own_line(p, profile, a, retires + 1), p->drained + 1);

	if (is_split(a)) {
		sig(p, SIG_SPLIT_STORES, 1);
		done++;
	}
	p->drained = done;
	p->store[p->stores++ % STORE_RING] = done;
	*forward_of(p, a->addr) = (struct forward) {
		.addr = a->addr, .ready = data, .drained = done,
		.size = (uint8_t)(a->size < 255 ? a->size : 255),
	};
}
