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
#define SELECT_KINDS 2			/* its bit of the first kind */
/* ...and from Haswell on: returns take back what calls record. */
#define SELECT_CALL_STACK BIT(9)

/* LBR_CTL has the kinds in another order, and says which are wanted. */
#define CTL_KIND(n) BIT(16 + (n))

#define MISPREDICTED BIT(63)

/* Of each kind its bit in LBR_CTL, and what INFO calls it. */
static const struct {
	uint64_t ctl;
	uint8_t type;
} kinds[] = {
	[PMU_JCC] = { CTL_KIND(0), 0 },
	[PMU_JMP] = { CTL_KIND(1), 2 },
	[PMU_JMP_INDIRECT] = { CTL_KIND(2), 1 },
	[PMU_CALL] = { CTL_KIND(3), 4 },
	[PMU_CALL_INDIRECT] = { CTL_KIND(4), 3 },
	[PMU_RET] = { CTL_KIND(5), 5 },
	[PMU_FAR] = { CTL_KIND(6), 8 },
};

bool pmu_lbr_is_architectural(const struct pmu *pmu)
{
	return pmu->profile->lbr_format == LBR_ARCHITECTURAL;
}

/* The ring's size is a power of two, whichever depth is chosen. */
static unsigned int slot(const struct pmu *pmu, unsigned int i)
{
	return i & (pmu->lbr.depth - 1u);
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
	pmu->lbr.depth = pmu->profile->lbr_depth;
}

bool pmu_lbr_busy(const struct pmu *pmu)
{
	return pmu->lbr.ctl & LBR_CTL_ON;
}

static bool turned_on(struct pmu *pmu)
{
	const uint64_t *debugctl = pmu_plain(pmu, MSR_DEBUGCTL);

	if (pmu_lbr_is_architectural(pmu))
		return pmu_lbr_busy(pmu);
	return debugctl && (*debugctl & DEBUGCTL_LBR);
}

static uint8_t kinds_left(uint64_t select)
{
	return (uint8_t)(~select >> SELECT_KINDS);
}

static uint8_t kinds_asked_for(uint64_t ctl)
{
	uint8_t wanted = 0;

	for (unsigned int kind = 0; kind < ARRAY_SIZE(kinds); kind++)
		wanted |= (uint8_t)(ctl & kinds[kind].ctl ? BIT(kind) : 0);
	return wanted;
}

static void choose(struct lbr *lbr, uint8_t wanted, bool kernel, bool user, bool call_stack)
{
	lbr->wanted[PMU_KERNEL] = kernel ? wanted : 0;
	lbr->wanted[PMU_USER] = user ? wanted : 0;
	lbr->call_stack = call_stack;
}

void pmu_lbr_configure(struct pmu *pmu)
{
	struct lbr *lbr = &pmu->lbr;
	bool on = turned_on(pmu) && !(pmu->global_status & STATUS_LBR_FRZ);

	if (pmu_lbr_is_architectural(pmu))
		choose(lbr, kinds_asked_for(lbr->ctl), lbr->ctl & LBR_CTL_KERNEL,
		       lbr->ctl & LBR_CTL_USER, lbr->ctl & LBR_CTL_CALL_STACK);
	else
		choose(lbr, kinds_left(lbr->select), !(lbr->select & SELECT_NOT_KERNEL),
		       !(lbr->select & SELECT_NOT_USER), lbr->select & SELECT_CALL_STACK);
	if (on && !lbr->on)
		lbr->cycle = cycle_now(pmu);
	lbr->on = on;
}

/* A branch of one ring may lead to the other; cycles need all that takes some. */
uint8_t pmu_lbr_needs(const struct pmu *pmu)
{
	if (!pmu->lbr.on)
		return 0;
	return pmu->profile->lbr_format >= LBR_INFO ? PMU_NEED_ALL | PMU_NEED_KIND :
							      PMU_NEED_BRANCH;
}

static uint64_t info(struct pmu *pmu, bool right)
{
	uint64_t now = cycle_now(pmu), cycles = now - pmu->lbr.cycle;

	pmu->lbr.cycle = now;
	return (right ? 0 : MISPREDICTED) |
	       (cycles < LBR_INFO_MOST_CYCLES ? cycles : LBR_INFO_MOST_CYCLES);
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
	case LBR_ARCHITECTURAL:
		e.info = info(pmu, right) | LBR_INFO_CYCLES_VALID |
			 (uint64_t)kinds[b->kind].type << LBR_INFO_TYPE_SHIFT;
		break;
	}
	lbr->top = slot(pmu, lbr->top + 1);
	lbr->entry[lbr->top] = e;
	pmu_bump(pmu, EV_LBR_INSERTS);
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
	const struct lbr *lbr = &pmu->lbr;

	if (!lbr->on || !taken(b) || !(lbr->wanted[b->cls] >> b->kind & 1))
		return;
	if (!lbr->call_stack)
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

/* The old registers are the ring's places, the architectural ones go back from the latest. */
struct pmu_lbr_entry *pmu_lbr_at(struct pmu *pmu, unsigned int i)
{
	return &pmu->lbr.entry[pmu_lbr_is_architectural(pmu) ? slot(pmu, pmu->lbr.top - i) : i];
}

/* Bit n of the leaf stands for 8 (n + 1); those that profiles have are powers of two. */
bool pmu_lbr_has_depth(const struct pmu *pmu, uint64_t depth)
{
	return depth && depth % 8 == 0 && depth <= LBR_MAX &&
	       (pmu->profile->lbr_leaf >> (depth / 8 - 1) & 1);
}

void pmu_lbr_set_depth(struct pmu *pmu, unsigned int depth)
{
	memset(pmu->lbr.entry, 0, sizeof(pmu->lbr.entry));
	pmu->lbr.top = 0;
	pmu->lbr.depth = depth;
}

unsigned int pmu_lbr_read(const struct pmu *pmu, struct pmu_lbr_entry *entries, unsigned int max)
{
	unsigned int n = pmu->lbr.depth;

	n = n < max ? n : max;
	for (unsigned int i = 0; i < n; i++)
		entries[i] = pmu->lbr.entry[slot(pmu, pmu->lbr.top - i)];
	return n;
}
