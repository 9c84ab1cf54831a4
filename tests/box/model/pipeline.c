// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pipeline of a core: what the host tells of instructions becomes slots.  An
 * instruction is fetched and allocated when it begins, executed when its accesses are
 * known, at the boundary behind it; one that does not retire has been issued in vain.
 */
#include <stdlib.h>
#include <string.h>

#include "pipeline.h"

#define MAX_UOPS 100			/* of an instruction: fewer than any core has room for */
#define ROUND_UOPS 2			/* of a REP, but for the first round */
#define EVENTS_AT_END 256		/* more than any event has when an instruction ends */
#define STALLS_AT_END 4096		/* ... but those of a whole wait for memory */
#define EVENTS_IN_CYCLE 256		/* ... or in a cycle */
#define RETIRES_WITHIN 128		/* cycles, at most, if it loads nothing */
#define LOADED_WITHIN 4096		/* ... and if it does, from wherever that comes */

/* --- life --- */

static bool pipe_alloc(struct pipeline *p, const struct pmu_profile *profile)
{
	const struct pmu_core_shape *s = profile->shape;
	const struct cache_shape *l2 = &profile->cache[1];

	p->icache = calloc(s->icache.ways * BIT(s->icache.set_bits), sizeof(uint64_t));
	p->code_l2 = calloc(l2->ways * BIT(l2->set_bits), sizeof(uint64_t));
	p->dsb = calloc(s->dsb_ways * BIT(s->dsb_set_bits), sizeof(uint64_t));
	return p->icache && p->code_l2 && p->dsb && pmu_tlb_new(&p->itlb, s->itlb) &&
	       pmu_tlb_new(&p->dtlb, s->dtlb) && pmu_tlb_new(&p->stlb, s->stlb);
}

/* What goes round in rings must not overtake itself. */
static bool pipe_fits(const struct pmu_core_shape *s)
{
	return s->rob <= ROB_RING && s->loads <= LOAD_RING && s->stores <= STORE_RING &&
	       s->fill_buffers <= MAX_FILL_BUFFERS && s->width <= MAX_SLOTS;
}

static int pipe_new(struct pmu *pmu)
{
	struct pipeline *p = calloc(1, sizeof(*p));

	pmu->pipe = p;
	if (!p || !pipe_fits(pmu->profile->shape) || !pipe_alloc(p, pmu->profile))
		return -1;
	p->shape = pmu->profile->shape;
	p->ideal = &pmu->ideal;
	p->wants_busy = &pmu->wants_busy;
	p->wants_loads = &pmu->wants_loads;
	p->slots = pmu->pending + EV_PIPE;
	p->n = pmu->pending + EV_SIGNALS;
	p->computing = execute_kinds(p->shape);
	p->check_at = UINT64_MAX;
	p->due = UINT64_MAX;
	p->blocked = SIG_COUNT;
	p->fuse_ip = NOWHERE;
	p->front.next_ip = NOWHERE;
	p->front.page = UINT64_MAX;
	p->front.line = UINT64_MAX;
	front_from(p, FROM_MITE);
	p->front.cause = SLOT_RESTEER;
	p->front.window = UINT64_MAX;
	return 0;
}

int pmu_pipe_new(struct pmu *pmu)
{
	const struct pmu_profile *profile = pmu->profile;

	return profile->shape && !profile->piped_events ? pipe_new(pmu) : 0;
}

bool pmu_use_pipeline(struct pmu *pmu)
{
	if (!pmu->profile->shape || pmu->pipe)
		return true;
	pmu_pages_free(pmu);
	return pipe_new(pmu) == 0;
}

void pmu_pipe_free(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;

	if (!p)
		return;
	free(p->icache);
	free(p->code_l2);
	free(p->dsb);
	free(p->itlb.way);
	free(p->dtlb.way);
	free(p->stlb.way);
	free(p);
	pmu->pipe = NULL;
}

bool pmu_wants_code(const struct pmu *pmu)
{
	return pmu->pipe != NULL;
}

/* Do cycles of the present class come from the pipeline? */
bool pmu_pipe_runs(const struct pmu *pmu)
{
	return pmu->pipe && pmu->pipe->on &&
	       (pmu->hot->needs[pmu->hot->cls] & PMU_NEED_KIND);
}

/* The cycle in which the last instruction retired. */
uint64_t pmu_pipe_clock(const struct pmu *pmu)
{
	return pmu->pipe->last_retire;
}

/* Cycles that it retired behind the one before it. */
uint64_t pmu_pipe_gap(const struct pmu *pmu)
{
	return pmu->pipe->gap;
}

/* Is no instruction in flight?  Then the cycle in which the last one retires. */
bool pmu_pipe_retired(const struct pmu *pmu, uint64_t *cycle)
{
	*cycle = pmu->pipe->last_retire;
	return !pmu->pipe->flight.code;
}

/* --- counters that overflow --- */

/* A counter of this event overflows at a signal, not after so many cycles. */
void pmu_pipe_watch(struct pmu *pmu, enum event event)
{
	struct pipeline *p = pmu->pipe;

	if (!p || p->watched == PMU_MAX_COUNTERS)
		return;
	p->watch[p->watched++] = (uint16_t)event;
	p->check_at = 0;
}

void pmu_pipe_unwatch(struct pmu *pmu)
{
	if (!pmu->pipe)
		return;
	pmu->pipe->watched = 0;
	pmu->pipe->check_at = UINT64_MAX;
	pmu->pipe->due = UINT64_MAX;
}

/* Cycles in which retirement waits for a load all come when that retires. */
static uint64_t most_at_end(enum event event)
{
	return event >= EV_SIG_MISS_STALLS && event <= EV_SIG_MISS_STALLS_DRAM ?
	       STALLS_AT_END : EVENTS_AT_END;
}

/*
 * The instruction in flight may have events yet when it ends: so near an overflow each
 * boundary is looked at.
 */
static __attribute__((noinline)) void check_watched(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;
	uint64_t left = UINT64_MAX;

	pipe_tell(p);
	for (unsigned int i = 0; i < p->watched; i++) {
		uint64_t at_end = pmu->pending[p->watch[i]] +
				  most_at_end((enum event)p->watch[i]);
		uint64_t limit = pmu->limit[p->watch[i]];

		if (at_end >= limit) {
			pmu_kick(pmu);
			return;
		}
		left = limit - at_end < left ? limit - at_end : left;
	}
	p->check_at = p->cycle + left / EVENTS_IN_CYCLE;
}

/* Where allocation stands. */
struct slot {
	uint64_t cycle;
	unsigned int used;
};

static struct slot slot_now(const struct pipeline *p)
{
	return (struct slot) { p->cycle, p->used };
}

static uint64_t slots_since(const struct pipeline *p, struct slot then)
{
	return (p->cycle - then.cycle) * p->shape->width + p->used - then.used;
}

/* More slots have been taken than the budget, which goes down by instructions, knows. */
static void take_from_budget(struct pmu *pmu, uint64_t slots)
{
	if (pmu->hot->budget <= (int64_t)slots) {
		pmu_kick(pmu);
		return;
	}
	pmu->hot->budget -= (int64_t)slots;
	pmu->granted -= (int64_t)slots;
}

static void look_for_overflow(struct pmu *pmu)
{
	if (pmu->pipe->cycle >= pmu->pipe->check_at)
		check_watched(pmu);
}

/*
 * Has the boundary behind the instruction in flight looked at, if that may retire as late
 * as a counter of cycles overflows: it takes so many cycles at most, and how many is known
 * at its end only.
 */
static inline void look_at_clock(struct pmu *pmu, uint64_t most)
{
	const struct pipeline *p = pmu->pipe;

	if (__builtin_expect(max64(p->cycle, p->last_retire) + most >= p->due, 0) &&
	    p->due != UINT64_MAX)
		pmu_kick(pmu);
}

/*
 * Has the boundary behind the instruction in flight looked at, if its loads may overflow a
 * counter of slow ones: whether they are is known at its end only.
 */
static void look_at_loads(struct pmu *pmu)
{
	if (pmu->pending[EV_SLOW_LOADS] + pmu->pipe->flight.accesses >= pmu->limit[EV_SLOW_LOADS])
		pmu_kick(pmu);
}

/* Notes that in so many cycles of retirement a counter may overflow, or the PMI is due. */
void pmu_pipe_due(struct pmu *pmu, uint64_t cycles)
{
	struct pipeline *p = pmu->pipe;

	if (p->counted + cycles < p->due)
		p->due = p->counted + cycles;
}

/* --- an instruction ends --- */

/* Up to three signals for each; the first of all signals is none of them. */
static const uint8_t computed[PMU_COUNTS][3] = {
	[PMU_COUNT_NOP] = { SIG_NOPS },
	[PMU_COUNT_PAUSE] = { SIG_PAUSES },
	[PMU_COUNT_LFENCE] = { SIG_LFENCES },
	[PMU_COUNT_X87] = { SIG_X87_UOPS },
	[PMU_COUNT_FP_SCALAR_DOUBLE] = { SIG_FP_SCALAR_DOUBLE, SIG_FP_SCALAR },
	[PMU_COUNT_FP_SCALAR_SINGLE] = { SIG_FP_SCALAR_SINGLE, SIG_FP_SCALAR },
	[PMU_COUNT_FP_128_DOUBLE] = { SIG_FP_128_DOUBLE, SIG_FP_VECTOR },
	[PMU_COUNT_FP_128_SINGLE] = { SIG_FP_128_SINGLE, SIG_FP_VECTOR, SIG_FP_4_FLOPS },
	[PMU_COUNT_FP_256_DOUBLE] = { SIG_FP_256_DOUBLE, SIG_FP_VECTOR, SIG_FP_4_FLOPS },
	[PMU_COUNT_FP_256_SINGLE] = { SIG_FP_256_SINGLE, SIG_FP_VECTOR },
	[PMU_COUNT_VECTOR_ADD_128] = { SIG_VECTOR_ADD_128 },
	[PMU_COUNT_VECTOR_ADD_256] = { SIG_VECTOR_ADD_256, SIG_VECTOR_256 },
	[PMU_COUNT_VECTOR_MUL_256] = { SIG_VECTOR_MUL_256, SIG_VECTOR_256 },
	[PMU_COUNT_SHUFFLE_256] = { SIG_SHUFFLE_256 },
};

static void count_computed(struct pipeline *p, const struct pmu_code *code)
{
	const uint8_t *signal = computed[code->counts];

	for (unsigned int i = 0; i < ARRAY_SIZE(computed[0]) && signal[i]; i++)
		p->n[signal[i]] += code->times;
}

static void count_retired(struct pipeline *p, const struct flight *f)
{
	const struct pmu_code *code = f->code;
	struct tally *t = &p->tally;

	t->light += f->uops > 0;
	t->heavy += f->uops - (f->uops > 0);
	t->accesses += f->accesses;
	if (f->fused)
		sig(p, SIG_MACRO_FUSED, 1);
	if ((code->flags & PMU_CODE_MICROCODE) || f->uops > 4)
		sig(p, SIG_UOPS_MS, f->uops);
	if (code->flags & PMU_CODE_LOCK)
		sig(p, SIG_LOCK_LOADS, 1);
	if (code->counts)
		count_computed(p, code);
}

static __attribute__((noinline)) void finish_other(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;
	struct flight *f = &p->flight;

	count_retired(p, f);
	execute(p, pmu->profile, f);
	if (__builtin_expect(p->executed != 0, false))
		pmu_loads_executed(pmu);
	if ((f->code->flags & PMU_CODE_FUSES) && f->uops == 1)
		p->fuse_ip = f->ip + f->code->length;
	/* Whatever follows begins in a cycle of its own. */
	if (f->code->flags & PMU_CODE_SERIALIZING)
		alloc_wait_oldest(p, p->serial, SIG_STALLS_SERIALIZING);
}

static void finish_plain(struct pipeline *p)
{
	const struct flight *f = &p->flight;

	p->tally.light++;
	execute_plain(p, f->code);
	if (f->code->flags & PMU_CODE_FUSES)
		p->fuse_ip = f->ip + f->code->length;
}

/* The instruction in flight has retired. */
static void finish(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;

	if (__builtin_expect(pmu->wants_fetched, false))
		pmu_fetched(pmu, p->front.lost, p->front.fetched);
	if (p->flight.plain)
		finish_plain(p);
	else
		finish_other(pmu);
	if (__builtin_expect(pmu->compared != 0, false))
		pmu_compare_retired(pmu, p->last_retire);
	if (__builtin_expect(pmu->wants_gaps, false))
		pmu_gap(pmu);
	if (__builtin_expect(p->behind_miss, false)) {
		p->behind_miss = false;
		pmu_bump(pmu, EV_BEHIND_MISS);
	}
	p->flight.code = NULL;
}

void pmu_pipe_finish(struct pmu *pmu)
{
	if (pmu->pipe && pmu->pipe->flight.code && !pmu->pipe->held)
		finish(pmu);
}

/* Around a sync while an instruction is in flight, which goes on behind it. */
void pmu_pipe_hold(struct pmu *pmu, bool hold)
{
	if (pmu->pipe)
		pmu->pipe->held = hold;
}

/* The instruction in flight has been issued and is squashed. */
void pmu_pipe_drop(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;
	struct flight *f;

	if (!p || !p->flight.code)
		return;
	f = &p->flight;
	for (unsigned int i = 1; i <= f->uops; i++)
		p->retires[(p->seq - i) % ROB_RING] = p->last_retire;
	alloc_lose(p, SLOT_CLEARED, f->uops);
	p->fuse_ip = NOWHERE;
	f->code = NULL;
}

/* --- an instruction begins --- */

static void wait_for_buffers(struct pipeline *p, const struct pmu_code *code)
{
	const struct pmu_core_shape *s = p->shape;

	if ((code->flags & PMU_CODE_LOADS) && p->loads >= s->loads)
		alloc_wait_oldest(p, p->load[(p->loads - s->loads) % LOAD_RING], SIG_STALLS_LB);
	if ((code->flags & PMU_CODE_STORES) && p->stores >= s->stores)
		alloc_wait(p, p->store[(p->stores - s->stores) % STORE_RING], SLOT_STORE,
			   SIG_STALLS_SB);
}

/* Neither what these are nor what they wait for is of interest to any event of its own. */
#define PLAIN_KINDS (1u << PMU_CODE_ALU | 1u << PMU_CODE_SHIFT | 1u << PMU_CODE_LEA |		\
		     1u << PMU_CODE_LEA_SLOW | 1u << PMU_CODE_MUL | 1u << PMU_CODE_MOVE |	\
		     1u << PMU_CODE_ZEROING | 1u << PMU_CODE_VEC_ALU | 1u << PMU_CODE_SHUFFLE |	\
		     1u << PMU_CODE_VEC_MUL | 1u << PMU_CODE_TO_VEC | 1u << PMU_CODE_JCC |	\
		     1u << PMU_CODE_JMP)

static bool is_plain(const struct pmu_code *code)
{
	return code->uops == 1 && !(code->flags & ~PMU_CODE_FUSES) && !code->counts &&
	       (PLAIN_KINDS >> code->kind & 1);
}

/* So many uops it takes to issue what is not plain. */
static unsigned int uops_of(const struct flight *f)
{
	unsigned int uops = f->code->uops < MAX_UOPS ? f->code->uops : MAX_UOPS;

	if (f->fused)
		return 0;
	return f->round && uops > ROUND_UOPS ? ROUND_UOPS : uops;
}

static void begin(struct pipeline *p, uint64_t ip, const struct pmu_code *code)
{
	struct flight *f = &p->flight;

	f->round = p->again && ip == f->ip;
	f->code = code;
	f->ip = ip;
	f->accesses = 0;
	f->fused = ip == p->fuse_ip && code->kind == PMU_CODE_JCC;
	f->plain = !f->fused && is_plain(code);
	f->uops = f->plain ? 1 : uops_of(f);
	p->again = false;
	p->fuse_ip = NOWHERE;
}

static __attribute__((noinline)) void allocate_other(struct pipeline *p, const struct flight *f)
{
	if (f->code->flags & (PMU_CODE_LOADS | PMU_CODE_STORES))
		wait_for_buffers(p, f->code);
	if (f->uops)
		alloc_uop(p, front_uop(p));
	for (unsigned int i = 1; i < f->uops; i++)
		alloc_uop(p, front_next_uop(p));
}

static void allocate(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;
	const struct flight *f = &p->flight;

	front_fetch(p, pmu->profile, f);
	if (f->plain)
		alloc_uop(p, front_uop(p));
	else
		allocate_other(p, f);
	if (p->walked < p->cycle)
		walk_to(p, p->cycle);
}

/* The instruction may end with a wait, which an overflow must not be late for. */
static void look_behind(struct pmu *pmu)
{
	if (pmu->counts_cycles || pmu->pipe->watched || pmu->pipe->due != UINT64_MAX)
		pmu_kick(pmu);
}

void pmu_code_run(struct pmu *pmu, uint64_t ip, const struct pmu_code *code)
{
	struct pipeline *p = pmu->pipe;
	struct slot before;
	uint64_t slots;

	if (!p)
		return;
	before = slot_now(p);
	if (p->flight.code)
		finish(pmu);
	if (!p->on) {
		/* Cycles are counted in another way from here on. */
		p->on = true;
		pmu_kick(pmu);
	}
	begin(p, ip, code);
	allocate(pmu);
	look_for_overflow(pmu);
	look_at_clock(pmu, RETIRES_WITHIN);
	slots = slots_since(p, before);
	if (pmu->counts_cycles && slots > 1)
		take_from_budget(pmu, slots - 1);
	if (code->flags & PMU_CODE_SERIALIZING)
		look_behind(pmu);
}

/* --- what else the host tells --- */

void pmu_pipe_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool store,
		     unsigned int level)
{
	struct pipeline *p = pmu->pipe;
	struct flight *f = &p->flight;
	bool code = store && front_has_code(p, addr >> LINE_BITS);

	if (!f->code || f->accesses == MAX_ACCESSES)
		return;
	if (__builtin_expect(p->ideal->free != 0, 0))
		level = pmu_ideal_level(pmu, level, MEMORY_LEVEL - 1);
	f->plain = false;
	f->access[f->accesses++] = (struct access) {
		.addr = addr, .size = (uint16_t)size, .store = store, .code = code,
		.level = (uint8_t)level,
	};
	if (code)
		look_behind(pmu);
	if (store)
		return;
	look_at_clock(pmu, LOADED_WITHIN);
	if (__builtin_expect(pmu->wants_loads, false))
		look_at_loads(pmu);
}

/* A prefetcher asks for a line, for the access in flight. */
void pmu_pipe_prefetched(struct pmu *pmu, uint64_t line, unsigned int to, unsigned int from,
			 bool store)
{
	struct pipeline *p = pmu->pipe;

	if (!p->flight.code)
		return;
	sig(p, to ? SIG_PREFETCHES_L2 : SIG_PREFETCHES_L1, 1);
	memory_prefetched(p, pmu->profile, line, from, store);
}

/* A branch has retired. */
void pmu_pipe_branch(struct pmu *pmu, const struct pmu_branch *b, bool right)
{
	struct pipeline *p = pmu->pipe;
	struct slot before;
	uint64_t ip, slots;

	if (!p->flight.code)
		return;
	before = slot_now(p);
	ip = p->flight.ip;
	if (!right) {
		p->tag_branch = GAP_MISPREDICT;
		p->tag_next = GAP_MISPREDICT_NEXT;
	}
	finish(pmu);
	p->behind_miss = !right;
	if (b->to != b->fall)
		front_taken(p, ip, right);
	if (!right && ideal_takes(p->ideal, IDEAL_BRANCH))
		alloc_mispredicted_free(p);
	else if (!right)
		alloc_mispredicted(p, p->last_complete);
	look_for_overflow(pmu);
	look_at_clock(pmu, 0);
	slots = slots_since(p, before);
	if (pmu->counts_cycles && slots)
		take_from_budget(pmu, slots);
}

/* An interrupt or exception: what was fetched is of no use. */
void pmu_pipe_interrupt(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;

	if (!p || !p->on)
		return;
	pmu_pipe_finish(pmu);
	p->serial = max64(p->serial, p->last_retire);
	front_resteer(p, p->cycle, p->shape->resteer);
}

void pmu_pipe_again(struct pmu *pmu)
{
	if (pmu->pipe)
		pmu->pipe->again = true;
}

/*
 * Waits until all in flight has retired, where the class changes or a PMI is taken.  From
 * then on both clocks stand at one cycle, so that slots and cycles are of one class.
 */
void pmu_pipe_drain(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;

	if (!pmu_pipe_runs(pmu) || p->held)
		return;
	pmu_pipe_finish(pmu);
	alloc_wait_oldest(p, p->last_retire, SIG_STALLS_SERIALIZING);
	alloc_end_cycle(p, SLOT_SERIALIZING);
	p->last_retire = max64(p->last_retire, p->cycle);
	if (pmu->wants_gaps)
		pmu_gap_end(pmu);
}

void pmu_pipe_flush(struct pmu *pmu, uint64_t addr)
{
	struct pipeline *p = pmu->pipe;
	struct tlb *tlbs[] = { &p->itlb, &p->dtlb, &p->stlb };

	p->front.page = UINT64_MAX;
	for (unsigned int i = 0; i < ARRAY_SIZE(tlbs); i++)
		pmu_tlb_flush(tlbs[i], addr);
}

/* A line of code, or (UINT64_MAX) all of it, has left the caches. */
void pmu_pipe_evict(struct pmu *pmu, uint64_t line)
{
	const struct cache_shape *l1 = &pmu->pipe->shape->icache, *l2 = &pmu->profile->cache[1];
	struct pipeline *p = pmu->pipe;

	p->front.line = UINT64_MAX;
	if (line == UINT64_MAX) {
		memset(p->icache, 0, l1->ways * BIT(l1->set_bits) * sizeof(*p->icache));
		memset(p->code_l2, 0, l2->ways * BIT(l2->set_bits) * sizeof(*p->code_l2));
		return;
	}
	pmu_drop_way(p->icache + (line & (BIT(l1->set_bits) - 1)) * l1->ways, l1->ways, line + 1);
	pmu_drop_way(p->code_l2 + (line & (BIT(l2->set_bits) - 1)) * l2->ways, l2->ways, line + 1);
}

/* --- the clock --- */

/* Cycles since the last call, and their slots. */
void pmu_pipe_account(struct pmu *pmu, uint64_t *n)
{
	struct pipeline *p = pmu->pipe;

	pipe_tell(p);
	n[EV_CYCLES] = p->last_retire - p->counted;
	p->counted = p->last_retire;
	n[EV_ALLOCATION] = p->cycle - p->allocation_counted;
	p->allocation_counted = p->cycle;
	n[EV_SLOTS] = 0;
	for (unsigned int i = 0; i < SLOT_CAUSE_COUNT; i++)
		n[EV_SLOTS] += p->slots[i];
}

/* Slots until so many cycles have passed; each instruction takes one at least, or none. */
uint64_t pmu_pipe_distance(const struct pmu *pmu, uint64_t cycles)
{
	return cycles * pmu->pipe->shape->width - pmu->pipe->used;
}
