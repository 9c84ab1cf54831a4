// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the processor says about its PMU: leaf 0AH of CPUID from the facts of the
 * profile, its caches and how the last one is divided, and what the profile has in
 * other leaves and in MISC_ENABLE.
 */
#include <string.h>

#include "model.h"

#define EAX 0
#define EBX 1
#define ECX 2
#define EDX 3

#define ANY_DEPRECATED BIT(15)

/* Leaf 04H: EAX [4:0] type, [7:5] level; EBX ways and bytes of a line, ECX sets, less one each. */
#define CACHE_TYPE 0x1f
#define CACHE_CODE 2
#define CACHE_LEVEL(eax) ((eax) >> 5 & 7)
#define CACHE_SHARED_BY(cpus) (((cpus) - 1u) << 14)
#define CACHE_SHARED CACHE_SHARED_BY(4096)

static void leaf_0a(const struct pmu *pmu, uint32_t regs[4])
{
	const struct pmu_profile *p = pmu->profile;
	uint32_t gp = p->gp_said ? p->gp_said : pmu->gp;
	uint32_t fixed = p->fixed_said ? p->fixed_said : p->fixed;
	uint32_t events = p->arch_said ? p->arch_said : p->arch_events;

	memset(regs, 0, 4 * sizeof(*regs));
	/* Before there was an architectural PMU nothing of it was said. */
	if (!p->version)
		return;
	regs[EAX] = p->version | gp << 8 | (uint32_t)p->gp_width << 16 |
		    events << 24;
	regs[EBX] = p->arch_missing;
	if (p->version >= 2)
		regs[EDX] = fixed | (uint32_t)p->fixed_width << 5;
	if (p->no_any)
		regs[EDX] |= ANY_DEPRECATED;
	if (p->version < 5)
		return;
	regs[ECX] = (uint32_t)(p->fixed_said ? BIT(fixed) - 1 : pmu_profile_fixed(p));
	if (!(p->evtsel_writable & SEL_ANY))
		regs[EDX] |= ANY_DEPRECATED;
}

/*
 * QEMU has the same caches for nearly every processor, and whoever looks for lines that
 * share a set, or for memory that no cache holds, goes by this.  A level that the profile
 * has not ends the list.
 */
static void leaf_04(const struct pmu *pmu, uint32_t regs[4])
{
	uint32_t type = regs[EAX] & CACHE_TYPE, level = CACHE_LEVEL(regs[EAX]);
	const struct cache_shape *shape;

	if (!type || type == CACHE_CODE || !level || level > CACHE_LEVELS)
		return;
	shape = &pmu->profile->cache[level - 1];
	if (!shape->ways) {
		memset(regs, 0, 4 * sizeof(*regs));
		return;
	}
	/* A module of small cores is two of them here. */
	if (level == 2 && pmu_has_modules(pmu->profile))
		regs[EAX] = (regs[EAX] & ~CACHE_SHARED) | CACHE_SHARED_BY(2);
	regs[EBX] = (uint32_t)(shape->ways - 1) << 22 | ((1u << LINE_BITS) - 1);
	regs[ECX] = (uint32_t)BIT(shape->set_bits) - 1;
}

/*
 * Leaf 10H: 0 names the third level (bit 1 of EBX), 1 is of it: EAX the length of its masks less
 * one, EBX what devices fill as well, EDX the last class.  Masks with gaps (bit 3 of ECX) are not
 * taken, nor apart for code and data (bit 2).
 */
static void leaf_10(const struct pmu *pmu, uint32_t subleaf, uint32_t regs[4])
{
	const struct pmu_profile *p = pmu->profile;

	if (!p->l3_classes || subleaf > 1)
		return;
	memset(regs, 0, 4 * sizeof(*regs));
	if (!subleaf) {
		regs[EBX] = BIT(1);
		return;
	}
	regs[EAX] = p->cache[L3_LEVEL].ways - 1u;
	regs[EBX] = p->l3_shared;
	regs[EDX] = p->l3_classes - 1u;
}

/*
 * Leaf 1CH, architectural branch records: EAX depths, whether deep C-states empty them (bit 30)
 * and addresses are linear (31); EBX filters by ring and kind, a stack of calls; ECX what INFO
 * has: misprediction, cycles, kind.
 */
static void leaf_1c(const struct pmu *pmu, uint32_t subleaf, uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(*regs));
	if (subleaf || !pmu->profile->lbr_leaf)
		return;
	regs[EAX] = pmu->profile->lbr_leaf;
	regs[EBX] = 7;
	regs[ECX] = 7;
}

void pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct cpuid_list *list = &pmu->profile->cpuid;

	if (leaf == 0x0a)
		leaf_0a(pmu, regs);
	if (leaf == 4)
		leaf_04(pmu, regs);
	if (leaf == 0x10)
		leaf_10(pmu, subleaf, regs);
	if (leaf == 0x1c)
		leaf_1c(pmu, subleaf, regs);
	if (leaf == 7 && !subleaf && pmu->profile->lbr_leaf)
		regs[EDX] |= BIT(19);
	if (leaf == 7 && !subleaf && pmu->profile->l3_classes)
		regs[EBX] |= BIT(15);
	/* TSX_FORCE_ABORT, and not RTM_ALWAYS_ABORT. */
	if (leaf == 7 && !subleaf && silicon_is(&pmu->silicon, SILICON_COUNTER3))
		regs[EDX] = (regs[EDX] | BIT(13)) & ~(uint32_t)BIT(11);
	for (unsigned int i = 0; i < list->nr; i++) {
		const struct cpuid_bits *bits = &list->leaves[i];

		if (bits->leaf != leaf || bits->subleaf != subleaf)
			continue;
		for (int r = 0; r < 4; r++)
			regs[r] |= bits->regs[r];
	}
}

uint64_t pmu_misc_enable(const struct pmu *pmu)
{
	return pmu->profile->misc_enable;
}
