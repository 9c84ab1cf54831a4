/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs for the pipeline of the PMU model, as a host would tell of them: each has a
 * resource that it is made to wait for.
 */
#ifndef MODEL_PIPELINE_HOST_H
#define MODEL_PIPELINE_HOST_H

#include <string.h>

#include "tests/unit/model/host.h"

#define REG(n) (UINT64_C(1) << (n))
#define FLAGS REG(PMU_REG_FLAGS)
#define CODE_BASE UINT64_C(0x400000)
#define DATA_BASE UINT64_C(0x10000000)
#define LINE 64

struct program {
	struct host h;
	uint64_t ip;
	uint64_t random;
	uint64_t instructions;
	uint64_t at;			/* in its data */
	bool simple;			/* the host says nothing of its code */
};

static const struct pmu_code code_add[16] = {
#define ADD(n) { .length = 4, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64,	\
		 .reads = REG(n), .writes = REG(n) | FLAGS }
	ADD(0), ADD(1), ADD(2), ADD(3), ADD(4), ADD(5), ADD(6), ADD(7),
	ADD(8), ADD(9), ADD(10), ADD(11), ADD(12), ADD(13), ADD(14), ADD(15),
#undef ADD
};
static const struct pmu_code code_nop = {
	.length = 4, .uops = 1, .kind = PMU_CODE_NOP,
};
static const struct pmu_code code_dec = {
	.length = 3, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64, .flags = PMU_CODE_FUSES,
	.reads = REG(1), .writes = REG(1) | FLAGS,
};
static const struct pmu_code code_test = {
	.length = 3, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64, .flags = PMU_CODE_FUSES,
	.reads = REG(0), .writes = FLAGS,
};
static const struct pmu_code code_jcc = {
	.length = 2, .uops = 1, .kind = PMU_CODE_JCC, .reads = FLAGS,
};
static const struct pmu_code code_jmp = { .length = 5, .uops = 1, .kind = PMU_CODE_JMP };
/* mov (%rax),%rax */
static const struct pmu_code code_chase = {
	.length = 3, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64, .flags = PMU_CODE_LOADS,
	.address_regs = REG(0), .writes = REG(0),
};
/* mov (%rbx),%rcx */
static const struct pmu_code code_load = {
	.length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64, .flags = PMU_CODE_LOADS,
	.address_regs = REG(3), .writes = REG(2),
};
/* mov %rcx,(%rbx) */
static const struct pmu_code code_store = {
	.length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64, .flags = PMU_CODE_STORES,
	.address_regs = REG(3), .reads = REG(2),
};
static const struct pmu_code code_fdiv = {
	.length = 4, .uops = 1, .kind = PMU_CODE_FP_DIV, .bits = 64,
	.counts = PMU_COUNT_FP_SCALAR_DOUBLE, .times = 1,
	.reads = REG(16) | REG(17), .writes = REG(16),
};
static const struct pmu_code code_cpuid = {
	.length = 2, .uops = 20, .kind = PMU_CODE_SYSTEM,
	.flags = PMU_CODE_MICROCODE | PMU_CODE_SERIALIZING, .writes = REG(0) | REG(1),
};
static const struct pmu_code code_imul = {
	.length = 4, .uops = 1, .kind = PMU_CODE_MUL, .bits = 64, .reads = REG(5),
	.writes = REG(4) | FLAGS,
};

/* A program in user mode, of which everything is to be known. */
static inline void program_new(struct program *p, const char *profile)
{
	user_host(&p->h, profile, 0);
	pmu_force(p->h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	host_boundary(&p->h);
	p->ip = CODE_BASE;
	p->random = 88172645463325252;
	p->instructions = 0;
	p->at = 0;
	p->simple = false;
}

/* The same, for a core that has no pipeline or does not hear of code. */
static inline void program_new_simple(struct program *p, const char *profile)
{
	program_new(p, profile);
	pmu_force(p->h.pmu, PMU_NEED_ALL);
	host_boundary(&p->h);
	p->simple = true;
}

static inline void program_end(struct program *p)
{
	host_free(&p->h);
}

static inline void begin(struct program *p, const struct pmu_code *code)
{
	host_start(&p->h);
	if (!p->simple)
		pmu_code_run(p->h.pmu, p->ip, code);
	p->h.retired++;
	p->instructions++;
	p->ip += code->length;
}

static inline void run(struct program *p, const struct pmu_code *code)
{
	begin(p, code);
}

static inline void run_access(struct program *p, const struct pmu_code *code, uint64_t addr,
			      bool store)
{
	begin(p, code);
	pmu_mem(p->h.pmu, addr, 8, store);
}

static inline void run_branch(struct program *p, const struct pmu_code *code, bool taken,
			      uint64_t to)
{
	struct pmu_branch b = { .from = p->ip, .kind = PMU_JCC, .cls = PMU_USER };

	if (code->kind == PMU_CODE_JMP)
		b.kind = PMU_JMP;
	begin(p, code);
	b.fall = p->ip;
	b.to = taken ? to : p->ip;
	p->ip = b.to;
	pmu_branch(p->h.pmu, &b);
}

static inline void loop_end(struct program *p, uint64_t to, bool again)
{
	run(p, &code_dec);
	run_branch(p, &code_jcc, again, to);
}

static inline uint64_t next_random(struct program *p)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return p->random;
}

/* Through the kernel, in front of which all retires: slots and cycles are of one moment. */
static inline void enter_kernel(struct program *p)
{
	host_ring(&p->h, PMU_KERNEL);
	host_ring(&p->h, PMU_USER);
}

static inline uint64_t total(struct program *p, unsigned int what)
{
	return host_total(&p->h, PMU_USER, (enum pmu_total)what);
}

/* --- the programs: each for about so many instructions --- */

static inline void run_dense(struct program *p, uint64_t n)
{
	while (p->instructions < n) {
		uint64_t top = p->ip;

		for (unsigned int i = 0; i < 64; i++)
			run(p, i % 4 == 3 ? &code_nop : &code_add[2 + i % 12]);
		loop_end(p, top, true);
	}
}

static inline void run_chain(struct program *p, uint64_t n)
{
	while (p->instructions < n) {
		uint64_t top = p->ip;

		for (unsigned int i = 0; i < 64; i++)
			run(p, &code_add[2]);
		loop_end(p, top, true);
	}
}

static inline void run_imul(struct program *p, uint64_t n)
{
	while (p->instructions < n) {
		uint64_t top = p->ip;

		for (unsigned int i = 0; i < 64; i++)
			run(p, &code_imul);
		loop_end(p, top, true);
	}
}

/* Lines in an order that no prefetcher knows: a step that is prime to their number. */
static inline void run_chase(struct program *p, uint64_t n, uint64_t lines)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		run_access(p, &code_chase, DATA_BASE + p->at * LINE, false);
		p->at = (p->at * 5 + 12345) % lines;
		loop_end(p, top, true);
	}
}

static inline void chase_l1(struct program *p, uint64_t n)
{
	run_chase(p, n, 256);
}

static inline void chase_l2(struct program *p, uint64_t n)
{
	run_chase(p, n, 2048);
}

/* The first time long enough for a round of all lines: then they come from there. */
static inline void chase_l3_warm(struct program *p, uint64_t n)
{
	run_chase(p, p->instructions ? n : 4 * 65536, 65536);
}

/* More than any cache holds. */
#define CHASE_LINES (UINT64_C(1) << 22)

static inline void chase_memory(struct program *p, uint64_t n)
{
	run_chase(p, n, CHASE_LINES);
}

/* A load behind a store, so far from its address: blocked within 8 bytes, aliased at 4096. */
static inline void load_meets_store(struct program *p, uint64_t n, const struct pmu_code *load,
				    uint64_t distance)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		run_access(p, &code_store, DATA_BASE + 16, true);
		run_access(p, load, DATA_BASE + 16 + distance, false);
		loop_end(p, top, true);
	}
}

static inline void run_branches(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		p->ip = top;
		for (unsigned int i = 0; i < 6; i++)
			run(p, &code_add[0]);
		run(p, &code_test);
		run_branch(p, &code_jcc, next_random(p) & 1, p->ip + 10);
		p->ip = top + 40;
		run(p, &code_add[4]);
		run(p, &code_add[5]);
		loop_end(p, top, true);
	}
}

/* Straight code, so large. */
static inline void run_footprint(struct program *p, uint64_t n, uint64_t bytes)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		while (p->ip < top + bytes)
			run(p, &code_add[2 + p->instructions % 12]);
		run_branch(p, &code_jmp, true, top);
	}
}

static inline void run_divisions(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		for (unsigned int i = 0; i < 4; i++)
			run(p, &code_fdiv);
		loop_end(p, top, true);
	}
}

static inline void run_stores(struct program *p, uint64_t n, uint64_t bytes)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		for (unsigned int i = 0; i < 8; i++, p->at = (p->at + 8) % bytes)
			run_access(p, &code_store, DATA_BASE + p->at, true);
		run(p, &code_add[3]);
		loop_end(p, top, true);
	}
}

static inline void run_loads(struct program *p, uint64_t n, uint64_t bytes)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		for (unsigned int i = 0; i < 8; i++, p->at = (p->at + 8) % bytes)
			run_access(p, &code_load, DATA_BASE + p->at, false);
		run(p, &code_add[3]);
		loop_end(p, top, true);
	}
}

/* Anything, anywhere. */
static inline void run_random(struct program *p, uint64_t n)
{
	static const struct pmu_code *const codes[] = {
		&code_nop, &code_test, &code_fdiv, &code_imul, &code_cpuid, &code_dec,
	};

	while (p->instructions < n) {
		uint64_t r = next_random(p), addr = DATA_BASE + (r >> 20) % 0x2000000;

		switch (r % 8) {
		case 0:
			run_access(p, &code_chase, addr, false);
			break;
		case 1:
			run_access(p, &code_store, addr, true);
			break;
		case 2:
			run_branch(p, &code_jcc, r >> 8 & 1, CODE_BASE + (r >> 12) % 0x40000);
			break;
		case 3:
			run(p, codes[(r >> 8) % 64 % 6]);
			break;
		default:
			run(p, &code_add[r >> 8 & 15]);
		}
	}
}

#endif
