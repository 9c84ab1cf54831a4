// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a Pentium 4's memory accesses meet: the states of the second level's lines,
 * translations, stores in front of loads, code that is written.
 */
#include <string.h>

#include "netburst.h"

#define CLEAR_CYCLES 20
#define FLUSH_EVENTS 2			/* TC_misc counts a flush twice */
#define STORE_AGE 16			/* instructions after which a store is done */

/* --- the second level, whose lines have a state above their address --- */

#define STATE_SHIFT 62
#define STATE_S (UINT64_C(1) << STATE_SHIFT)
#define STATE_E (UINT64_C(2) << STATE_SHIFT)
#define STATE_M (UINT64_C(3) << STATE_SHIFT)
#define STATE_OF(entry) ((entry) >> STATE_SHIFT)
#define LINE_OF(entry) ((entry) & (STATE_S - 1))

static uint64_t *l2_set(struct pmu *pmu, uint64_t line)
{
	const struct cache_shape *shape = &pmu->profile->cache[1];

	return pmu->line[1] + (line & (BIT(shape->set_bits) - 1)) * shape->ways;
}

/* The line's state before, 0: not there.  It is in front afterwards, at least so. */
static uint64_t l2_touch(struct pmu *pmu, uint64_t line, uint64_t state)
{
	unsigned int ways = pmu->profile->cache[1].ways, w = 0;
	uint64_t *way = l2_set(pmu, line), found;

	while (w < ways && LINE_OF(way[w]) != line + 1)
		w++;
	found = w < ways ? way[w] : 0;
	if (!found && STATE_OF(way[ways - 1]) == STATE_OF(STATE_M))
		burst_happen(pmu, EV_P4_BUS_WRITES, 1);
	memmove(way + 1, way, (w < ways ? w : ways - 1) * sizeof(*way));
	way[0] = (line + 1) | (STATE_OF(found) > STATE_OF(state) ? found : state);
	return STATE_OF(found);
}

/* True if the second level has the line that the first lacks. */
bool pmu_burst_l2(struct pmu *pmu, uint64_t line, enum l2_access access)
{
	static const uint64_t wanted[] = {
		[L2_LOAD] = STATE_E, [L2_STORE] = STATE_M, [L2_CODE] = STATE_S,
	};
	uint64_t state;

	burst_begin(pmu);
	state = l2_touch(pmu, line, wanted[access]);
	if (!state) {
		burst_happen(pmu, EV_P4_L2_READ_MISS, 1);
		burst_happen(pmu, EV_P4_BUS_READS, 1);
		return false;
	}
	burst_happen(pmu, EV_P4_L2_READ_HIT_S + (enum event)(state - 1), 1);
	return true;
}

/* The first level writes through. */
static void write_through(struct pmu *pmu, uint64_t line)
{
	const uint64_t *first = l2_set(pmu, line);

	if (*first == ((line + 1) | STATE_M) || l2_touch(pmu, line, STATE_M))
		return;
	burst_happen(pmu, EV_P4_L2_WRITE_MISS, 1);
	burst_happen(pmu, EV_P4_BUS_READS, 1);
}

/* What is flushed while nobody counts it is no event. */
void pmu_burst_write_back(struct pmu *pmu, uint64_t line)
{
	const struct cache_shape *shape = &pmu->profile->cache[1];
	uint64_t *way = line == UINT64_MAX ? pmu->line[1] : l2_set(pmu, line);
	size_t ways = line == UINT64_MAX ? shape->ways * BIT(shape->set_bits) : shape->ways;
	unsigned int written = 0;

	if (!(pmu->hot->needs[pmu->hot->cls] & PMU_NEED_MEM))
		return;
	for (size_t w = 0; w < ways; w++)
		written += STATE_OF(way[w]) == STATE_OF(STATE_M) &&
			   (line == UINT64_MAX || LINE_OF(way[w]) == line + 1);
	burst_begin(pmu);
	burst_happen(pmu, EV_P4_BUS_WRITES, written);
}

/* --- accesses --- */

static void clear(struct pmu *pmu, enum event cause)
{
	burst_happen(pmu, cause, 1);
	burst_happen(pmu, EV_P4_CLEAR_CYCLES, CLEAR_CYCLES);
	burst_stall(pmu, CLEAR_CYCLES);
}

static bool translate_page(struct pmu *pmu, uint64_t page)
{
	if (burst_look_up(pmu->burst->dtlb, DTLB_SET_BITS, TLB_WAYS, page))
		return true;
	burst_walk(pmu, EV_P4_WALKS_DATA);
	return false;
}

static void translate(struct pmu *pmu, uint64_t addr, unsigned int size, bool store)
{
	uint64_t page = addr >> PAGE_BITS, last = (addr + size - 1) >> PAGE_BITS;
	bool hit = translate_page(pmu, page);

	if (last != page)
		hit &= translate_page(pmu, last);
	if (hit)
		return;
	burst_happen(pmu, store ? EV_P4_DTLB_STORE_MISSES : EV_P4_DTLB_LOAD_MISSES, 1);
	burst_tag(pmu, store ? UOP_DTLB_STORE_MISS : UOP_DTLB_LOAD_MISS);
}

static bool recent(const struct pmu *pmu, const struct recent_store *s)
{
	return s->instruction && s->instruction + STORE_AGE > pmu_in_flight(pmu);
}

static bool just_before(const struct pmu *pmu, const struct recent_store *s)
{
	return s->instruction && s->instruction + 1 == pmu_in_flight(pmu);
}

static bool overlap(const struct recent_store *s, uint64_t addr, unsigned int size)
{
	return addr < s->addr + s->size && s->addr < addr + size;
}

static const struct recent_store *overlapped(const struct pmu *pmu, uint64_t addr,
					     unsigned int size)
{
	const struct netburst *b = pmu->burst;

	for (unsigned int i = 0; i < STORES; i++) {
		const struct recent_store *s = &b->store[(b->newest - i) % STORES];

		if (recent(pmu, s) && overlap(s, addr, size))
			return s;
	}
	return NULL;
}

static void replay(struct pmu *pmu, enum event event, uint32_t trait)
{
	burst_happen(pmu, event, 1);
	burst_tag(pmu, trait);
}

static void load_behind_store(struct pmu *pmu, const struct recent_store *s, uint64_t addr,
			      unsigned int size, bool split)
{
	bool inside = addr >= s->addr && addr + size <= s->addr + s->size;

	if (!inside) {
		replay(pmu, EV_P4_MOB_PARTIAL, UOP_MOB_PARTIAL);
		if (split)
			clear(pmu, EV_P4_CLEARS_MEMORY);
	} else if (addr != s->addr) {
		replay(pmu, EV_P4_MOB_UNALIGNED, UOP_MOB_UNALIGNED);
	} else if (just_before(pmu, s)) {
		replay(pmu, EV_P4_MOB_NO_STD, UOP_MOB_NO_STD);
	}
}

static bool aliased(const struct pmu *pmu, uint64_t addr)
{
	const struct netburst *b = pmu->burst;

	for (unsigned int i = 0; i < STORES; i++) {
		uint64_t other = b->store[i].addr ^ addr;

		if (recent(pmu, &b->store[i]) && other >> 16 && !((other & 0xffff) >> LINE_BITS))
			return true;
	}
	return false;
}

static void order_load(struct pmu *pmu, uint64_t addr, unsigned int size, bool split)
{
	const struct netburst *b = pmu->burst;
	const struct recent_store *newest = &b->store[b->newest % STORES];
	const struct recent_store *s = overlapped(pmu, addr, size);

	if (s)
		load_behind_store(pmu, s, addr, size, split);
	else if (just_before(pmu, newest) && newest->addr >> LINE_BITS == addr >> LINE_BITS)
		replay(pmu, EV_P4_MOB_NO_STA, UOP_MOB_NO_STA);
	if (aliased(pmu, addr))
		burst_happen(pmu, EV_P4_ALIAS_64K, 1);
}

static void note_store(struct pmu *pmu, uint64_t addr, unsigned int size)
{
	struct netburst *b = pmu->burst;

	b->newest++;
	b->store[b->newest % STORES] = (struct recent_store) {
		.addr = addr, .size = size, .instruction = pmu_in_flight(pmu),
	};
}

/* A store into a line that was translated into a trace. */
static void modify_code(struct pmu *pmu, uint64_t line)
{
	struct netburst *b = pmu->burst;

	if (!burst_find(b->tc, TC_SET_BITS, TC_WAYS, line))
		return;
	memset(b->tc, 0, sizeof(b->tc));
	b->code_line = 0;
	burst_happen(pmu, EV_P4_TC_FLUSHES, FLUSH_EVENTS);
	clear(pmu, EV_P4_CLEARS_CODE);
}

static void load(struct pmu *pmu, uint64_t addr, unsigned int size, bool split)
{
	burst_tag(pmu, UOP_LOAD);
	if (split)
		replay(pmu, EV_P4_SPLIT_LOADS, UOP_SPLIT_LOAD);
	order_load(pmu, addr, size, split);
}

static void store(struct pmu *pmu, uint64_t addr, unsigned int size, bool split)
{
	burst_tag(pmu, UOP_STORE);
	if (split)
		replay(pmu, EV_P4_SPLIT_STORES, UOP_SPLIT_STORE);
	for (uint64_t l = addr >> LINE_BITS; l <= (addr + size - 1) >> LINE_BITS; l++) {
		write_through(pmu, l);
		modify_code(pmu, l);
	}
	note_store(pmu, addr, size);
}

/* An access, behind the caches' look at it; level: which of them had it. */
void pmu_burst_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool is_store,
		      unsigned int level)
{
	struct netburst *b = pmu->burst;
	bool split = (addr ^ (addr + size - 1)) >> LINE_BITS;

	burst_begin(pmu);
	/* The only uop of an instruction that moves has been counted. */
	if (b->moved || !(b->what & PMU_INSN_MOVE))
		burst_uops(pmu, 1);
	b->moved = true;
	translate(pmu, addr, size, is_store);
	if (level && !is_store)
		burst_tag(pmu, level > 1 ? UOP_L1D_MISS | UOP_L2_MISS : UOP_L1D_MISS);
	if (is_store)
		store(pmu, addr, size, split);
	else
		load(pmu, addr, size, split);
}

void pmu_burst_store_stall(struct pmu *pmu, uint32_t cycles)
{
	burst_begin(pmu);
	burst_happen(pmu, EV_P4_STORE_STALLS, cycles);
}
