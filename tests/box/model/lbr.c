// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch records (LBR): which branches are recorded, how the registers show them,
 * and the call stack that they become.
 */
#include <string.h>

#include "model.h"

/* LBR_SELECT: what is left out... */
#define SELECT_NOT_KERNEL BIT(0)
#define SELECT_NOT_USER BIT(1)
#define SELECT_NOT(kind) BIT(2 + (kind))
/* ...and from Haswell on: returns take back what calls record. */
#define SELECT_CALL_STACK BIT(9)

#define MISPREDICTED BIT(63)
#define CYCLES_MAX 0xffff

/* The ring's size is a power of two. */
static unsigned int slot(const struct pmu *pmu, unsigned int i)
{
	return i & (pmu->profile->lbr_depth - 1u);
}

static uint64_t cycle_now(const struct pmu *pmu)
{
	const struct issue *issue = &pmu->issue;

	if (pmu_pipe_runs(pmu))
		return pmu_pipe_clock(pmu);
	return ((pmu_in_flight(pmu) + issue->lost_total) >> pmu->profile->issue_bits) +
	       issue->stall_total;
}

void pmu_lbr_reset(struct pmu *pmu)
{
	memset(&pmu->lbr, 0, sizeof(pmu->lbr));
}

void pmu_lbr_configure(struct pmu *pmu)
{
	const uint64_t *debugctl = pmu_plain(pmu, MSR_DEBUGCTL);
	bool on = debugctl && (*debugctl & DEBUGCTL_LBR) &&
		  !(pmu->global_status & STATUS_LBR_FRZ);

	if (on && !pmu->lbr.on)
		pmu->lbr.cycle = cycle_now(pmu);
	pmu->lbr.on = on;
}

/* A branch of one ring may lead to the other; cycles need all that takes some. */
uint8_t pmu_lbr_needs(const struct pmu *pmu)
{
	if (!pmu->lbr.on)
		return 0;
	return pmu->profile->lbr_format == LBR_INFO ? PMU_NEED_ALL | PMU_NEED_KIND :
							      PMU_NEED_BRANCH;
}

static bool selected(const struct pmu *pmu, const struct pmu_branch *b)
{
	uint64_t out = b->cls == PMU_KERNEL ? SELECT_NOT_KERNEL : SELECT_NOT_USER;

	return !(pmu->lbr.select & (out | SELECT_NOT(b->kind)));
}

static uint64_t info(struct pmu *pmu, bool right)
{
	uint64_t now = cycle_now(pmu), cycles = now - pmu->lbr.cycle;

	pmu->lbr.cycle = now;
	return (right ? 0 : MISPREDICTED) | (cycles < CYCLES_MAX ? cycles : CYCLES_MAX);
}

/* Without TSX bits 61 and 62 of FROM stay part of the address, as on such a Haswell. */
static void push(struct pmu *pmu, const struct pmu_branch *b, bool right)
{
	struct lbr *lbr = &pmu->lbr;
	struct pmu_lbr_entry e = { .from = b->from, .to = b->to };

	switch (pmu->profile->lbr_format) {
	case LBR_FLAGS:
	case LBR_FLAGS_TSX:
		e.from = (e.from & ~MISPREDICTED) | (right ? 0 : MISPREDICTED);
		break;
	case LBR_INFO:
		e.info = info(pmu, right);
		break;
	}
	lbr->top = slot(pmu, lbr->top + 1);
	lbr->entry[lbr->top] = e;
}

static void pop(struct pmu *pmu)
{
	struct lbr *lbr = &pmu->lbr;

	if (!lbr->entry[lbr->top].from && !silicon_is(&pmu->silicon, SILICON_POPS_EMPTY))
		return;
	lbr->entry[lbr->top] = (struct pmu_lbr_entry) { 0 };
	lbr->top = slot(pmu, lbr->top - 1);
}

static bool taken(const struct pmu_branch *b)
{
	return b->kind != PMU_JCC || b->to != b->fall;
}

void pmu_lbr_branch(struct pmu *pmu, const struct pmu_branch *b, bool right)
{
	if (!pmu->lbr.on || !taken(b) || !selected(pmu, b))
		return;
	if (!(pmu->lbr.select & SELECT_CALL_STACK))
		push(pmu, b, right);
	else if (b->kind == PMU_RET)
		pop(pmu);
	/* A call of what stands behind it fetches its own address. */
	else if (b->kind != PMU_CALL || b->to != b->fall)
		push(pmu, b, right);
}

void pmu_interrupt(struct pmu *pmu, uint64_t from, uint64_t to, enum pmu_class cls)
{
	struct pmu_branch b = { .from = from, .to = to, .kind = PMU_FAR, .cls = cls };

	pmu_pipe_interrupt(pmu);
	pmu_count_interrupt(pmu);
	pmu_lbr_branch(pmu, &b, true);
}

unsigned int pmu_lbr_read(const struct pmu *pmu, struct pmu_lbr_entry *entries, unsigned int max)
{
	unsigned int n = pmu->profile->lbr_depth;

	n = n < max ? n : max;
	for (unsigned int i = 0; i < n; i++)
		entries[i] = pmu->lbr.entry[slot(pmu, pmu->lbr.top - i)];
	return n;
}
