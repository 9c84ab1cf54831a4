/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host that is a Pentium 4, alone or with its sibling: its registers, and
 * instructions that tell the model what they are.
 */
#ifndef MODEL_P4_HOST_H
#define MODEL_P4_HOST_H

#include "tests/unit/model/host.h"

#define COUNTER(n) (0x300 + (n))
#define CCCR(n) (0x360 + (n))
#define ESCR(n) (0x3a0 + (n))
#define MSR_MATRIX_VERT 0x3f2

enum escr_number {
	FSB0 = 0x02, FSB1 = 0x03, FIRM0 = 0x04, FIRM1 = 0x05, MOB0 = 0x0a, SAAT0 = 0x0e,
	SAAT1 = 0x0f, CRU0 = 0x18, CRU1 = 0x19, RAT0 = 0x1c, RAT1 = 0x1d, CRU2 = 0x2c, CRU3 = 0x2d,
};

#define T0_OS 8u
#define T0_USR 4u
#define T1_OS 2u
#define T1_USR 1u

#define ESCR_OF(event, mask, threads) ((uint64_t)(event) << 25 | (uint64_t)(mask) << 9 | (threads))
#define TAG(n) (1u << (5 + (n)) | 1u << 4)

#define CCCR_ON (1u << 12)
#define CCCR_ANY (3u << 16)
#define CCCR_SEL(n) ((uint64_t)(n) << 13)
#define CCCR_ON_SEL(n) (CCCR_ON | CCCR_ANY | CCCR_SEL(n))
#define CCCR_COMPARE (1u << 18)
#define CCCR_COMPLEMENT (1u << 19)
#define CCCR_THRESHOLD(n) ((uint64_t)(n) << 20)
#define CCCR_EDGE (1u << 24)
#define CCCR_FORCE (1u << 25)
#define CCCR_PMI_T0 (1u << 26)
#define CCCR_PMI_T1 (1u << 27)
#define CCCR_CASCADE (1u << 30)
#define CCCR_OVF (1u << 31)
#define CCCR_EXTENDED (1u << 11)
#define WIDTH40 UINT64_C(0xffffffffff)

#define INSTR_RETIRED(mask, threads) ESCR_OF(2, mask, threads)
#define RUNNING(threads) ESCR_OF(0x13, 1, threads)
#define CODE UINT64_C(0x400000)
/* Lines of one set of the first level, and no neighbours. */
#define FAR_LINE(n) (UINT64_C(0x20000000) + UINT64_C(0x2000) * (n))

/* An instruction of a kind at an address; the host counts it as retired. */
static inline void p4_insn(struct host *h, uint64_t ip, uint32_t what)
{
	host_start(h);
	if (h->hot.needs[h->hot.cls] & PMU_NEED_KIND)
		pmu_insn(h->pmu, ip, what);
	h->retired++;
}

static inline void p4_run(struct host *h, uint64_t instructions)
{
	for (; instructions; instructions--)
		p4_insn(h, CODE, PMU_INTEGER);
}

static inline void p4_access(struct host *h, uint64_t addr, unsigned int size, bool store)
{
	host_start(h);
	if (h->hot.needs[h->hot.cls] & PMU_NEED_KIND)
		pmu_insn(h->pmu, CODE, PMU_INTEGER | PMU_INSN_MOVE);
	host_mem(h, addr, size, store);
	h->retired++;
}

/* In ring 0, so that the set-up is not counted where user mode is. */
static inline void p4_set(struct host *h, uint32_t msr, uint64_t value)
{
	enum pmu_class cls = (enum pmu_class)h->hot.cls;

	host_ring(h, PMU_KERNEL);
	host_wrmsr(h, msr, value);
	host_ring(h, cls);
}

/* ESCR, counter, CCCR. */
static inline void p4_start(struct host *h, unsigned int counter, unsigned int escr, uint64_t event,
			    uint64_t cccr)
{
	p4_set(h, ESCR(escr), event);
	p4_set(h, COUNTER(counter), 0);
	p4_set(h, CCCR(counter), cccr);
}

static inline uint64_t p4_count(struct host *h, unsigned int counter)
{
	return host_peek(h, COUNTER(counter));
}

/* A core of two threads in user mode, of which the first runs. */
struct p4_core {
	struct host t[2];
};

static inline void p4_core_new(struct p4_core *core, const char *profile)
{
	host_new(&core->t[0], profile, 0);
	host_new(&core->t[1], profile, 0);
	assert_true(pmu_join(core->t[1].pmu, core->t[0].pmu));
	host_ring(&core->t[0], PMU_USER);
	host_ring(&core->t[1], PMU_USER);
}

static inline void p4_core_free(struct p4_core *core)
{
	host_free(&core->t[1]);
	host_free(&core->t[0]);
}

static inline void p4_turn(struct p4_core *core, unsigned int to)
{
	if (pmu_leave(core->t[!to].pmu))
		host_serve(&core->t[!to]);
	pmu_enter(core->t[to].pmu);
}

#endif
