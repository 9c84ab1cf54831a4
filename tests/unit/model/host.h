/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host for the PMU model in a unit test: it runs instructions the way QEMU's
 * translated code does, taking each from the budget before it starts.
 */
#ifndef MODEL_HOST_H
#define MODEL_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "pmu.h"

enum {
	MSR_PMC0 = 0xc1,
	MSR_EVTSEL0 = 0x186,
	MSR_PREFETCH = 0x1a4,
	MSR_DEBUGCTL = 0x1d9,
	MSR_FIXED0 = 0x309,
	MSR_CAPABILITIES = 0x345,
	MSR_FIXED_CTRL = 0x38d,
	MSR_STATUS = 0x38e,
	MSR_GLOBAL_CTRL = 0x38f,
	MSR_STATUS_RESET = 0x390,
	MSR_STATUS_SET = 0x391,
	MSR_INUSE = 0x392,
	MSR_PEBS_ENABLE = 0x3f1,
	MSR_PMC0_FULL = 0x4c1,
	MSR_DS_AREA = 0x600,
};

#define EN (1u << 22)
#define ANY (1u << 21)
#define INT (1u << 20)
#define OS (1u << 17)
#define USR (1u << 16)
#define SEL_INSN (EN | USR | 0xc0u)
#define SEL_CYCLES (EN | USR | 0x3cu)
#define SEL_BRANCHES (EN | USR | 0xc4u)
#define SEL_LOADS (EN | USR | 0x81d0u)
#define SEL_STORES (EN | USR | 0x82d0u)
#define WIDTH48 UINT64_C(0xffffffffffff)
#define FIXED_BIT(i) (UINT64_C(1) << (32 + (i)))

struct host {
	struct pmu_hot hot;
	struct pmu *pmu;
	uint64_t retired;		/* as the host sees it, all of them */
	uint64_t pmis;
	uint64_t pmi_at;		/* retired when the last PMI came */
	bool masked;
	bool eager;			/* sync in front of every instruction */
	uint64_t step;			/* instruction looked at last, as retired was then */
	void (*record)(struct host *h);	/* writes the record that is due; NULL: the test does */
};

static inline void host_new(struct host *h, const char *profile, unsigned int skid)
{
	*h = (struct host) { 0 };
	h->pmu = pmu_new(profile, skid, &h->hot);
	assert_non_null(h->pmu);
}

static inline void host_free(struct host *h)
{
	pmu_free(h->pmu);
}

static inline bool host_counting(const struct host *h)
{
	return h->hot.needs[h->hot.cls] & PMU_NEED_INSN;
}

static inline void host_pmi(struct host *h)
{
	h->pmis++;
	h->pmi_at = h->retired;
	pmu_pmi(h->pmu, h->masked);
}

static inline void host_serve(struct host *h)
{
	if (h->record && pmu_record_due(h->pmu))
		h->record(h);
	if (pmu_pmi_due(h->pmu))
		host_pmi(h);
}

/* An instruction starts: what code translated with the present needs does. */
static inline void host_start(struct host *h)
{
	if (!host_counting(h))
		return;
	if (h->eager && pmu_sync(h->pmu))
		host_serve(h);
	if (--h->hot.budget >= 0)
		return;
	h->hot.budget++;
	if (pmu_sync(h->pmu))
		host_serve(h);
	if (pmu_stepping(h->pmu))
		h->step = h->retired;
	if (host_counting(h))
		h->hot.budget--;
}

static inline void host_run(struct host *h, uint64_t instructions)
{
	for (; instructions; instructions--) {
		host_start(h);
		h->retired++;
	}
}

static inline void host_mem(struct host *h, uint64_t addr, unsigned int size, bool store)
{
	if (h->hot.needs[h->hot.cls] & PMU_NEED_MEM)
		pmu_mem(h->pmu, addr, size, store);
}

static inline void host_load(struct host *h, uint64_t addr)
{
	host_start(h);
	host_mem(h, addr, 8, false);
	h->retired++;
}

static inline void host_store(struct host *h, uint64_t addr)
{
	host_start(h);
	host_mem(h, addr, 8, true);
	h->retired++;
}

/* What is two bytes behind a branch is where it falls through. */
static inline void host_branch_kind(struct host *h, uint64_t from, uint64_t to,
				    enum pmu_branch_kind kind)
{
	struct pmu_branch b = { .from = from, .to = to, .fall = from + 2, .kind = kind,
				.cls = (enum pmu_class)h->hot.cls };

	host_start(h);
	h->retired++;
	if (h->hot.needs[h->hot.cls] & PMU_NEED_BRANCH)
		pmu_branch(h->pmu, &b);
}

static inline void host_branch(struct host *h, uint64_t from, bool taken, uint64_t target)
{
	host_branch_kind(h, from, taken ? target : from + 2, PMU_JCC);
}

static inline void host_ring(struct host *h, enum pmu_class cls)
{
	if (pmu_set_class(h->pmu, cls))
		host_serve(h);
}

static inline void user_host(struct host *h, const char *profile, unsigned int skid)
{
	host_new(h, profile, skid);
	host_ring(h, PMU_USER);
}

/* No line comes by itself. */
static inline void host_no_prefetch(struct host *h)
{
	assert_int_equal(pmu_wrmsr(h->pmu, MSR_PREFETCH, 0xf), PMU_DONE);
}

static inline void host_boundary(struct host *h)
{
	if (pmu_sync(h->pmu))
		host_serve(h);
}

/* A faulting instruction starts and is taken back. */
static inline enum pmu_access host_try_wrmsr(struct host *h, uint32_t msr, uint64_t value)
{
	bool taken;
	enum pmu_access access;

	host_start(h);
	taken = host_counting(h);
	access = pmu_wrmsr(h->pmu, msr, value);
	if (access != PMU_FAULT)
		h->retired++;
	else if (taken)
		pmu_unretire(h->pmu);
	return access;
}

static inline void host_wrmsr(struct host *h, uint32_t msr, uint64_t value)
{
	assert_int_equal(host_try_wrmsr(h, msr, value), PMU_DONE);
}

static inline enum pmu_access host_try_rdmsr(struct host *h, uint32_t msr, uint64_t *value)
{
	bool taken;
	enum pmu_access access;

	host_start(h);
	taken = host_counting(h);
	access = pmu_rdmsr(h->pmu, msr, value);
	if (access != PMU_FAULT)
		h->retired++;
	else if (taken)
		pmu_unretire(h->pmu);
	return access;
}

static inline uint64_t host_rdmsr(struct host *h, uint32_t msr)
{
	uint64_t value = 0;

	assert_int_equal(host_try_rdmsr(h, msr, &value), PMU_DONE);
	return value;
}

/* Look at a register without an instruction that does so. */
static inline uint64_t host_peek(struct host *h, uint32_t msr)
{
	uint64_t value = 0;

	host_boundary(h);
	assert_int_equal(pmu_rdmsr(h->pmu, msr, &value), PMU_DONE);
	return value;
}

static inline uint64_t host_total(struct host *h, enum pmu_class cls, enum pmu_total what)
{
	host_boundary(h);
	return pmu_totals(h->pmu, cls)[what];
}

#endif
