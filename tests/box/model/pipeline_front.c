// SPDX-License-Identifier: GPL-2.0-only
/*
 * The front end: where uops come from, and when.  It has a clock of its own, which runs
 * ahead of allocation as far as the queue between them has room.
 */
#include <string.h>

#include "pipeline.h"

bool pipe_find(uint64_t *way, unsigned int ways, uint64_t tag)
{
	unsigned int w = 0;

	while (w < ways && way[w] != tag)
		w++;
	if (w == ways)
		return false;
	memmove(way + 1, way, w * sizeof(*way));
	way[0] = tag;
	return true;
}

static uint64_t *set_of(uint64_t *way, unsigned int set_bits, unsigned int ways, uint64_t number)
{
	return way + (number & (BIT(set_bits) - 1)) * ways;
}

/* --- its clock --- */

void front_from(struct pipeline *p, enum uop_source source)
{
	const uint8_t rates[] = {
		[FROM_DSB] = p->shape->dsb_rate, [FROM_MITE] = p->shape->decoders,
		[FROM_MS] = p->shape->ms_rate,
	};

	p->front.source = source;
	p->front.rate = rates[source];
}

static void end_cycle(struct pipeline *p)
{
	struct front_end *f = &p->front;

	if (f->uops) {
		p->tally.delivering[f->source]++;
		p->tally.full[f->source] += f->uops >= p->shape->width;
		f->cycle++;
	}
	f->uops = 0;
	f->bytes = 0;
}

static void bubble(struct pipeline *p, unsigned int cycles, enum slot_cause cause)
{
	struct front_end *f = &p->front;

	if (!cycles)
		return;
	end_cycle(p);
	f->cycle += cycles;
	if (cycles > f->bubble) {
		f->bubble = cycles;
		f->cause = (uint8_t)cause;
	}
}

/* A uop has to wait until there is room in the queue. */
static void wait_for_queue(struct pipeline *p)
{
	struct front_end *f = &p->front;
	uint64_t room = p->allocated[(p->seq - p->shape->queue) % ROB_RING];

	if (room <= f->cycle)
		return;
	end_cycle(p);
	f->cycle = max64(f->cycle, room);
}

uint64_t front_uop(struct pipeline *p)
{
	struct front_end *f = &p->front;

	if (f->uops >= f->rate)
		end_cycle(p);
	f->uops++;
	f->window_uops++;
	p->tally.delivered[f->source]++;
	return f->cycle;
}

uint64_t front_next_uop(struct pipeline *p)
{
	wait_for_queue(p);
	return front_uop(p);
}

/* --- code in memory --- */

static void fetch_line(struct pipeline *p, const struct pmu_profile *profile, uint64_t line)
{
	const struct pmu_core_shape *s = p->shape;
	const struct cache_shape *l2 = &profile->cache[1];
	unsigned int wait;
	uint64_t *set;
	bool far;

	p->front.line = line;
	set = set_of(p->icache, s->icache.set_bits, s->icache.ways, line);
	if (pmu_touch_way(set, s->icache.ways, line + 1))
		return;
	p->code_lines[line / 64 % 64] |= BIT(line % 64);
	set = set_of(p->code_l2, l2->set_bits, l2->ways, line);
	p->front.fetched |= FETCHED_L1I_MISS;
	far = !pmu_touch_way(set, l2->ways, line + 1);
	wait = far ? profile->cache[2].stall : l2->stall;
	p->front.fetched |= far ? FETCHED_L2_MISS : 0;
	sig(p, SIG_ICACHE_MISSES, 1);
	sig(p, SIG_ICACHE_STALLS, 1);
	if (ideal_takes(p->ideal, IDEAL_ICACHE))
		return;
	sig(p, SIG_CODE_L2_MISS_CYCLES, far ? wait : 0);
	sig(p, SIG_ICACHE_STALL_CYCLES, wait);
	bubble(p, wait, SLOT_ICACHE);
}

bool front_has_code(const struct pipeline *p, uint64_t line)
{
	const struct cache_shape *s = &p->shape->icache;
	const uint64_t *set;

	if (!(p->code_lines[line / 64 % 64] & BIT(line % 64)))
		return false;
	set = p->icache + (line & (BIT(s->set_bits) - 1)) * s->ways;
	for (unsigned int w = 0; w < s->ways; w++)
		if (set[w] == line + 1)
			return true;
	return false;
}

static void fetch_page(struct pipeline *p, uint64_t page)
{
	uint64_t walks = p->n[SIG_ITLB_WALKS];
	unsigned int wait;

	p->front.page = page;
	wait = memory_translate(p, &p->itlb, page, SIG_ITLB_STLB_HITS, SIG_ITLB_WALKS,
				SIG_ITLB_WALK_CYCLES);
	if (wait)
		p->front.fetched |= FETCHED_ITLB_MISS;
	if (p->n[SIG_ITLB_WALKS] != walks)
		p->front.fetched |= FETCHED_STLB_MISS;
	sig(p, SIG_ITLB_STALL_CYCLES, wait);
	bubble(p, wait, SLOT_ITLB);
}

/* Code that has to be decoded comes from the instruction cache. */
static void fetch_bytes(struct pipeline *p, const struct pmu_profile *profile, uint64_t ip,
			unsigned int length)
{
	uint64_t last = ip + length - 1;

	for (uint64_t line = ip >> LINE_BITS; line <= last >> LINE_BITS; line++) {
		if (line == p->front.line)
			continue;
		if (line >> (PAGE_BITS - LINE_BITS) != p->front.page)
			fetch_page(p, line >> (PAGE_BITS - LINE_BITS));
		fetch_line(p, profile, line);
	}
}

/* --- where uops come from --- */

static uint64_t *dsb_set(struct pipeline *p, uint64_t window)
{
	return set_of(p->dsb, p->shape->dsb_set_bits, p->shape->dsb_ways, window);
}

/* What has been decoded of a window is in the uop cache from now on, if it fits. */
static void leave_window(struct pipeline *p)
{
	struct front_end *f = &p->front;

	if (f->source == FROM_MITE && f->window_uops && f->window_uops <= p->shape->dsb_uops)
		pmu_touch_way(dsb_set(p, f->window), p->shape->dsb_ways, f->window + 1);
	f->window_uops = 0;
}

static void switch_source(struct pipeline *p, enum uop_source to)
{
	struct front_end *f = &p->front;

	if (f->source == to)
		return;
	end_cycle(p);
	if (to == FROM_MS) {
		sig(p, SIG_MS_SWITCHES, 1);
		bubble(p, p->shape->ms_switch, SLOT_MS_SWITCH);
	} else if (to == FROM_MITE && f->source == FROM_DSB) {
		sig(p, SIG_DSB_SWITCHES, 1);
		sig(p, SIG_DSB_SWITCH_CYCLES, p->shape->dsb_switch);
		bubble(p, p->shape->dsb_switch, SLOT_DSB_SWITCH);
	}
	front_from(p, to);
	if (to == FROM_MITE)
		f->line = UINT64_MAX;
}

static void enter_window(struct pipeline *p, uint64_t window)
{
	leave_window(p);
	p->front.window = window;
	switch_source(p, pipe_find(dsb_set(p, window), p->shape->dsb_ways, window + 1) ?
				 FROM_DSB : FROM_MITE);
}

static __attribute__((noinline)) void decode(struct pipeline *p,
					     const struct pmu_profile *profile,
					     const struct flight *fl)
{
	struct front_end *f = &p->front;
	const struct pmu_code *code = fl->code;

	fetch_bytes(p, profile, fl->ip, code->length);
	if (code->flags & PMU_CODE_LCP) {
		sig(p, SIG_LCP_CYCLES, p->shape->lcp);
		bubble(p, p->shape->lcp, SLOT_LCP);
	}
	/* Only the first decoder makes several uops of an instruction. */
	if (f->bytes + code->length > p->shape->fetch_bytes || (fl->uops > 1 && f->uops))
		end_cycle(p);
	f->bytes += code->length;
	sig(p, SIG_INSTRUCTIONS_DECODED, 1);
	if (fl->uops > 1 && fl->uops <= 4) {
		sig(p, SIG_DEC0_UOPS, fl->uops);
		sig(p, SIG_DEC0_CYCLES, 1);
	}
}

static bool from_microcode(const struct flight *f)
{
	return (f->code->flags & PMU_CODE_MICROCODE) || f->uops > 4;
}

/* It does not just go on with a window; false: nor is there anything to fetch. */
static __attribute__((noinline)) bool go_to(struct pipeline *p, const struct flight *fl,
					    uint64_t window)
{
	struct front_end *f = &p->front;
	bool led_away = fl->ip != f->next_ip;

	if (fl->round && f->source == FROM_MS) {
		/* The sequencer goes on with it. */
		f->fetched |= FETCHED_FROM_MS;
		return false;
	}
	if (led_away)
		end_cycle(p);
	if (f->pending_bubble)
		bubble(p, f->pending_bubble, (enum slot_cause)f->pending_cause);
	f->pending_bubble = 0;
	if (led_away || window != f->window || f->source == FROM_MS)
		enter_window(p, window);
	return true;
}

void front_fetch(struct pipeline *p, const struct pmu_profile *profile, const struct flight *fl)
{
	struct front_end *f = &p->front;
	uint64_t window = fl->ip >> p->shape->dsb_window;

	f->bubble = 0;
	f->fetched = f->next_fetched;
	f->next_fetched = 0;
	f->lost = 0;
	wait_for_queue(p);
	if ((fl->ip != f->next_ip || window != f->window || f->pending_bubble ||
	     f->source == FROM_MS) && !go_to(p, fl, window))
		return;
	f->next_ip = fl->ip + fl->code->length;
	if (f->source == FROM_MITE) {
		f->fetched |= FETCHED_BY_MITE;
		decode(p, profile, fl);
	}
	if (!fl->plain && from_microcode(fl)) {
		f->fetched |= FETCHED_FROM_MS;
		switch_source(p, FROM_MS);
	}
}

/* --- branches --- */

void front_resteer(struct pipeline *p, uint64_t cycle, unsigned int cycles)
{
	struct front_end *f = &p->front;

	leave_window(p);
	end_cycle(p);
	f->cycle = max64(f->cycle, cycle);
	f->next_ip = NOWHERE;
	f->pending_bubble = cycles;
	f->pending_cause = SLOT_RESTEER;
}

void front_taken(struct pipeline *p, uint64_t ip, bool right)
{
	uint32_t *known = &p->btb[(ip ^ ip >> 12) % BTB_ENTRIES], tag = (uint32_t)ip | 1u << 31;

	if (*known == tag)
		return;
	*known = tag;
	if (!right)
		return;
	sig(p, SIG_BACLEARS, 1);
	sig(p, SIG_UNKNOWN_BRANCH_CYCLES, p->shape->unknown_branch);
	p->front.next_fetched = FETCHED_UNKNOWN_BRANCH;
	p->front.pending_bubble = p->shape->unknown_branch;
	p->front.pending_cause = SLOT_UNKNOWN_BRANCH;
}
