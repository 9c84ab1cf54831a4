// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The geometry of the first-level data cache, as CPUID tells it: leaf 4, AMD's
 * leaf of the same form (files are looked at on any machine), and the descriptors of
 * leaf 2 on processors that have neither.
 */
#include <cpuid.h>
#include <errno.h>

#include "lib/base/private.h"

#define LEAF_AMD	0x8000001du
/* Both leaves: EAX [4:0] type, [7:5] level; EBX ways, partitions, line; ECX sets. */
#define TYPE_DATA	1
#define TYPE_UNIFIED	3
#define SUBLEAVES_MAX	32

/* Descriptors of first-level data caches (SDM vol. 2, CPUID, table of leaf 2). */
static const struct {
	uint8_t descriptor;
	uint16_t kib;
	uint8_t ways, line;
} descriptors[] = {
	{ 0x0a, 8, 2, 32 },  { 0x0c, 16, 4, 32 }, { 0x0d, 16, 4, 64 }, { 0x0e, 24, 6, 64 },
	{ 0x2c, 32, 8, 64 }, { 0x60, 16, 8, 64 }, { 0x66, 8, 4, 64 },  { 0x67, 16, 4, 64 },
	{ 0x68, 32, 4, 64 },
};

static bool from_leaf(uint32_t leaf, struct pmuctl_cache *cache)
{
	uint32_t eax, ebx, ecx, edx, i;

	for (i = 0; i < SUBLEAVES_MAX; i++) {
		if (!__get_cpuid_count(leaf, i, &eax, &ebx, &ecx, &edx) || !(eax & 0x1f))
			return false;
		if ((eax >> 5 & 7) != 1 ||
		    ((eax & 0x1f) != TYPE_DATA && (eax & 0x1f) != TYPE_UNIFIED))
			continue;
		cache->line = (ebx & 0xfff) + 1;
		cache->ways = (ebx >> 22) + 1;
		cache->sets = ecx + 1;
		return true;
	}
	return false;
}

static bool take_descriptor(uint8_t descriptor, struct pmuctl_cache *cache)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(descriptors); i++) {
		if (descriptors[i].descriptor != descriptor)
			continue;
		cache->line = descriptors[i].line;
		cache->ways = descriptors[i].ways;
		cache->sets = descriptors[i].kib * 1024u / (cache->line * cache->ways);
		return true;
	}
	return false;
}

/* A register with bit 31 set has none; AL of the first is how often to ask, always 1. */
static bool from_leaf_2(struct pmuctl_cache *cache)
{
	uint32_t regs[4], i;

	if (!__get_cpuid(2, &regs[0], &regs[1], &regs[2], &regs[3]))
		return false;
	regs[0] &= ~0xffu;
	for (i = 0; i < 16; i++)
		if (!(regs[i / 4] >> 31) &&
		    take_descriptor((uint8_t)(regs[i / 4] >> i % 4 * 8), cache))
			return true;
	return false;
}

int pmuctl_get_l1d(struct pmuctl *ctx, struct pmuctl_cache *cache)
{
	struct pmuctl_cache own = { .size = sizeof(own) };

	if (!from_leaf(4, &own) && !from_leaf(LEAF_AMD, &own) && !from_leaf_2(&own))
		return fail(ctx, -ENOENT, "CPUID does not tell the geometry of this machine's "
					  "first-level data cache");
	return give_sized(ctx, cache, &own, sizeof(own));
}
