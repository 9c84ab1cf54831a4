// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execution and retirement.  Instructions are looked at in the order of the program;
 * each takes the first cycle in which what it reads is there and a port is free, so
 * that older ones come first.
 */
#include "pipeline.h"

#define DISPATCH_DELAY 3		/* cycles from allocation to execution, at least */
#define WIDE_DIVISION 2			/* of 64 bits: so many times the latency ... */
#define WIDE_DIVISION_FROM 20		/* ... where divisions are that slow anyway */
#define DIVIDER_UOP_CYCLES 10		/* the divider works in uops of so many */

enum port_group { GROUP_LOAD = PMU_CODE_KINDS, GROUP_ADDRESS, GROUP_DATA };

/* --- ports --- */

static uint16_t free_ports(const struct pipeline *p, uint64_t cycle, uint16_t ports)
{
	if (cycle >= p->walked + RING_CYCLES)
		return ports;
	return (uint16_t)(ports & ~p->plan[cycle & (RING_CYCLES - 1)].ports);
}

/* The first cycle from one on in which one of the ports is free, as it is not in that. */
static __attribute__((noinline)) uint64_t next_free(struct pipeline *p, unsigned int group,
						    uint16_t ports, uint64_t from)
{
	uint64_t cycle = from;

	if (cycle >= p->full[group].from && cycle < p->full[group].to)
		cycle = p->full[group].to;
	while (!free_ports(p, cycle, ports))
		cycle++;
	if (from > p->full[group].to || from < p->full[group].from)
		p->full[group].from = from;
	p->full[group].to = cycle;
	return cycle;
}

/* A uop begins to execute, as soon as a port is free. */
static inline uint64_t dispatch(struct pipeline *p, unsigned int group, uint16_t ports,
				uint64_t cycle)
{
	uint16_t free = free_ports(p, cycle, ports);
	union cycle_plan *plan;

	if (!free) {
		cycle = next_free(p, group, ports, cycle);
		free = free_ports(p, cycle, ports);
	}
	plan = plan_for(p, cycle);
	/* The highest: the lower ones can do more. */
	plan->ports |= (uint16_t)(1u << (31 - __builtin_clz(free)));
	plan->executed++;
	p->waiting++;
	return cycle;
}

/* --- what it waits for --- */

static uint64_t registers_ready(const struct pipeline *p, uint64_t mask, uint64_t from)
{
	for (; mask; mask &= mask - 1)
		from = max64(from, p->ready[(unsigned int)__builtin_ctzll(mask)]);
	return from;
}

static void registers_written(struct pipeline *p, uint64_t mask, uint64_t cycle)
{
	for (; mask; mask &= mask - 1)
		p->ready[(unsigned int)__builtin_ctzll(mask)] = cycle;
}

/* What an instruction has come to. */
struct progress {
	uint64_t start;			/* the first cycle in which it could execute */
	uint64_t address;		/* ... its addresses are known */
	uint64_t loaded, load_cycles;	/* its data are there, and took so long */
	uint64_t complete;		/* its result is there */
	uint64_t done;			/* ... and its stores are executed */
	enum slot_cause load_cause, cause;
};

static void load_all(struct pipeline *p, const struct pmu_profile *profile,
		     const struct flight *f, struct progress *x)
{
	for (unsigned int i = 0; i < f->accesses; i++) {
		struct load_result r;
		uint64_t begin;

		if (f->access[i].store)
			continue;
		begin = dispatch(p, GROUP_LOAD, p->shape->load_ports, x->address);
		r = memory_load(p, profile, &f->access[i], begin);
		if (r.ready <= x->loaded)
			continue;
		x->loaded = r.ready;
		x->load_cycles = r.ready - begin;
		x->load_cause = r.cause;
		p->tag_access = (uint8_t)r.tag;
	}
}

static void store_executed(struct pipeline *p, const struct flight *f, struct progress *x)
{
	for (unsigned int i = 0; i < f->accesses; i++) {
		uint64_t address, data;

		if (!f->access[i].store)
			continue;
		address = dispatch(p, GROUP_ADDRESS, p->shape->address_ports, x->address);
		address = memory_store_translated(p, &f->access[i], address);
		data = dispatch(p, GROUP_DATA, p->shape->data_ports, x->complete);
		x->done = max64(x->done, max64(address, data) + 1);
	}
}

/* --- what it computes --- */

uint32_t execute_kinds(const struct pmu_core_shape *shape)
{
	uint32_t none = 1u << PMU_CODE_NONE | 1u << PMU_CODE_ZEROING | 1u << PMU_CODE_NOP;

	if (shape->moves_eliminated)
		none |= 1u << PMU_CODE_MOVE;
	return ~none;
}

static bool computes(const struct pipeline *p, const struct pmu_code *code)
{
	return p->computing >> code->kind & 1;
}

static bool divides(unsigned int kind)
{
	return kind == PMU_CODE_DIV || kind == PMU_CODE_FP_DIV || kind == PMU_CODE_SQRT;
}

static uint64_t divide(struct pipeline *p, const struct pmu_code *code, uint64_t from)
{
	const struct unit_shape *unit = &p->shape->unit[code->kind];
	uint64_t begin = dispatch(p, code->kind, unit->ports, max64(from, p->divider_free));
	unsigned int cycles = unit->latency;

	if (code->kind == PMU_CODE_DIV && code->bits >= 64 && cycles >= WIDE_DIVISION_FROM)
		cycles *= WIDE_DIVISION;
	sig(p, SIG_DIVIDER_UOPS, (cycles + DIVIDER_UOP_CYCLES / 2) / DIVIDER_UOP_CYCLES);
	if (ideal_takes(p->ideal, IDEAL_DIVIDER))
		cycles = p->shape->unit[PMU_CODE_ALU].latency;
	sig(p, SIG_DIVIDER_PERIODS, begin > p->divider_free);
	p->divider_free = begin + cycles;
	sig(p, SIG_DIVIDER_CYCLES, cycles);
	if (code->kind != PMU_CODE_DIV)
		sig(p, SIG_FP_DIVIDER_CYCLES, cycles);
	return p->divider_free;
}

/* Uops of it beside the one that has its latency, and those that access memory. */
static unsigned int more_uops(const struct flight *f)
{
	unsigned int other = 1;

	for (unsigned int i = 0; i < f->accesses; i++)
		other += f->access[i].store || f->uops > 2;
	return f->uops > other ? f->uops - other : 0;
}

static void compute(struct pipeline *p, const struct flight *f, struct progress *x)
{
	const struct pmu_code *code = f->code;
	const struct unit_shape *unit = &p->shape->unit[code->kind];
	uint64_t from = max64(registers_ready(p, code->reads, x->start), x->loaded);

	if (f->uops > 1)
		for (unsigned int i = more_uops(f); i; i--)
			dispatch(p, PMU_CODE_ALU, p->shape->unit[PMU_CODE_ALU].ports, from);
	if (divides(code->kind)) {
		x->complete = divide(p, code, from);
		x->cause = SLOT_DIVIDER;
	} else {
		x->complete = dispatch(p, code->kind, unit->ports, from) + unit->latency;
	}
	if (x->load_cycles > x->complete - from)
		x->cause = x->load_cause;
}

static void no_uop(struct pipeline *p, const struct flight *f, struct progress *x)
{
	x->complete = max64(registers_ready(p, f->code->reads, x->start), x->loaded);
	if (x->loaded)
		x->cause = x->load_cause;
	if (f->code->kind == PMU_CODE_ZEROING || f->code->kind == PMU_CODE_NOP)
		x->complete = x->start;
}

/* --- retirement --- */

/* Counts the cycle, if it is the first, second or so on instruction that retires in it. */
static inline void count_instruction(struct pipeline *p, uint64_t cycle)
{
	uint64_t *n = p->slots - EV_PIPE;

	if (cycle != p->busy_cycle) {
		p->busy_before = cycle == p->busy_cycle + 1 ? p->busy : 0;
		p->busy_cycle = cycle;
		p->busy = 0;
	}
	if (p->busy == MAX_WIDTH)
		return;
	n[EV_BUSY + p->busy]++;
	if (p->busy_before <= p->busy)
		n[EV_RUNS + p->busy]++;
	p->busy++;
}

static inline uint64_t retire(struct pipeline *p, unsigned int uops, uint64_t done,
			      enum slot_cause cause)
{
	uint64_t cycle = done + 1, before = p->last_retire;

	if (cycle > p->last_retire) {
		p->last_cause = (uint8_t)cause;
		p->last_retired = 0;
	} else if (p->last_retired + uops > p->shape->retire) {
		cycle = p->last_retire + 1;
		p->last_retired = 0;
	} else {
		cycle = p->last_retire;
	}
	p->last_retired += uops;
	p->last_retire = cycle;
	p->gap = cycle - before;
	for (unsigned int i = 1; i <= uops; i++) {
		unsigned int entry = (p->seq - i) % ROB_RING;

		p->retires[entry] = cycle;
		p->waits_for[entry] = p->last_cause;
	}
	walk_retire(p, cycle, uops);
	if (__builtin_expect(*p->wants_busy, false))
		count_instruction(p, cycle);
	return cycle;
}

/* An instruction has retired that waited for a load. */
static void count_miss_stalls(struct pipeline *p, enum slot_cause cause)
{
	static const uint8_t by_level[] = {
		[SLOT_L2 - SLOT_L2] = SIG_MISS_STALLS_L2, [SLOT_L3 - SLOT_L2] = SIG_MISS_STALLS_L3,
		[SLOT_DRAM - SLOT_L2] = SIG_MISS_STALLS_DRAM,
	};

	if (cause < SLOT_L2 || cause > SLOT_DRAM || p->gap < 2)
		return;
	sig(p, SIG_MISS_STALLS, p->gap - 1);
	sig(p, by_level[cause - SLOT_L2], p->gap - 1);
}

/* Loads leave their buffer when they retire, stores theirs some time later. */
static void leave_buffers(struct pipeline *p, const struct pmu_profile *profile,
			  const struct flight *f, const struct progress *x, uint64_t retires)
{
	bool modified = false;

	for (unsigned int i = 0; i < f->accesses; i++) {
		const struct access *a = &f->access[i];

		modified |= a->code;
		if (a->store)
			memory_store(p, profile, a, x->complete + 1, retires);
		else
			p->load[p->loads++ % LOAD_RING] = retires;
	}
	if (!modified)
		return;
	sig(p, SIG_CLEARS_CODE, 1);
	p->tag_next = GAP_CLEAR;
	alloc_clear(p, retires);
}

void execute(struct pipeline *p, const struct pmu_profile *profile, const struct flight *f)
{
	const struct pmu_code *code = f->code;
	struct progress x = { .cause = SLOT_PORTS };
	bool serializing = code->flags & PMU_CODE_SERIALIZING;
	uint64_t retires;

	x.start = last_allocated(p) + DISPATCH_DELAY;
	if (serializing)
		x.start = max64(x.start, p->last_retire);
	x.address = registers_ready(p, code->address_regs, x.start);
	if (f->accesses)
		load_all(p, profile, f, &x);
	if (computes(p, code) && !f->fused)
		compute(p, f, &x);
	else
		no_uop(p, f, &x);
	if (f->fused)
		x.complete = max64(x.complete, p->last_complete);
	registers_written(p, code->writes, x.complete);
	x.done = x.complete;
	if (f->accesses)
		store_executed(p, f, &x);
	p->last_complete = x.complete;
	if (serializing)
		x.cause = SLOT_SERIALIZING;
	retires = retire(p, f->uops, x.done, x.cause);
	if (f->accesses) {
		count_miss_stalls(p, x.cause);
		leave_buffers(p, profile, f, &x, retires);
	}
	if (serializing)
		p->serial = retires;
}

/* The same, for one that is its registers and at most one uop. */
void execute_plain(struct pipeline *p, const struct pmu_code *code)
{
	uint64_t complete = last_allocated(p) + DISPATCH_DELAY;

	if (code->kind != PMU_CODE_ZEROING)
		complete = registers_ready(p, code->reads, complete);
	if (computes(p, code)) {
		const struct unit_shape *unit = &p->shape->unit[code->kind];

		complete = dispatch(p, code->kind, unit->ports, complete) + unit->latency;
	}
	registers_written(p, code->writes, complete);
	p->last_complete = complete;
	retire(p, 1, complete, SLOT_PORTS);
}
