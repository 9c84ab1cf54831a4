// SPDX-License-Identifier: GPL-2.0-only
/*
 * The address in a record of formats 0 and 1 is that of the instruction behind
 * the one that was recorded.  Between two taken branches instructions follow
 * each other, so the branches tell in which run of them the record was made: it
 * begins where one branch led to and ends at the next one.
 *
 * If the record's address is the very beginning of a run, the instruction was
 * the branch that led there.  Otherwise whoever can decode instructions finds
 * it from the run's beginning; the kernel exports no decoder.
 *
 * Branches go on being taken until the interrupt that reads them, so several
 * runs may hold the address (a loop has passed again).  If they all say the
 * same, it does not matter which it was; if they do not, nothing is claimed.
 */
#include <linux/kernel.h>

#include "kmod/pmu/pebs_fixup.h"
#include "kmod/pmu/pmu.h"

/* A run that nothing ended yet: no longer than this, if it is not known. */
#define RUN_MAX	4096

static bool fixup_holds(u64 begin, u64 end, u64 ip)
{
	return begin <= ip && ip <= end &&
	       pmuctl_ring_of(begin) == pmuctl_ring_of(ip);
}

/* Where the run that begins with branch i ends. */
static u64 end_of(const struct pmuctl_branch *branches, unsigned int i,
		  u64 now)
{
	u64 begin = branches[i].to;

	if (i)
		return branches[i - 1].from;
	if (now >= begin && pmuctl_ring_of(now) == pmuctl_ring_of(begin))
		return now;
	return begin + RUN_MAX;
}

/* It ends with a branch into a ring that is not recorded: no end is known. */
static u64 end_if_left(const struct pmuctl_branch *branches, unsigned int i,
		       u64 now)
{
	u64 begin = branches[i].to, end = end_of(branches, i, now);

	if (end < begin || pmuctl_ring_of(end) != pmuctl_ring_of(begin))
		return begin + RUN_MAX;
	return end;
}

static struct pmuctl_fixup from_branch(const struct pmuctl_branch *branch,
				       u64 ip, u32 rings)
{
	struct pmuctl_fixup fixup = { .block = branch->to };

	if (branch->to != ip)
		return fixup;
	fixup.block = 0;
	/* An interrupt came in between, and what was before it is not known. */
	if (!branch->from || !(pmuctl_ring_of(branch->from) & rings))
		return fixup;
	fixup.exact = true;
	fixup.ip = branch->from;
	return fixup;
}

static bool fixup_same(const struct pmuctl_fixup *a,
		       const struct pmuctl_fixup *b)
{
	return a->exact == b->exact && a->ip == b->ip && a->block == b->block;
}

struct pmuctl_fixup
pmuctl_pebs_fixup(const struct pmuctl_branch *branches, unsigned int n,
		  u64 ip, u64 now, u32 rings)
{
	struct pmuctl_fixup result = { 0 }, other;
	bool any = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!fixup_holds(branches[i].to, end_if_left(branches, i, now),
				 ip))
			continue;
		other = from_branch(&branches[i], ip, rings);
		if (any && !fixup_same(&result, &other))
			return (struct pmuctl_fixup){ 0 };
		result = other;
		any = true;
		/* Nothing was executed since: no other run is in question. */
		if (!i && ip == now)
			break;
	}
	return result;
}

/* --- repeated string instructions --- */

static bool is_prefix(u8 byte)
{
	switch (byte) {
	case 0x26: case 0x2e: case 0x36: case 0x3e:	/* segments */
	case 0x64: case 0x65: case 0x66: case 0x67:
	case 0xf2: case 0xf3:
		return true;
	}
	return false;
}

static bool is_repeat(u8 byte)
{
	return byte == 0xf2 || byte == 0xf3;
}

static bool is_rex(u8 byte)
{
	return (byte & 0xf0) == 0x40;
}

/* INS, OUTS; MOVS, CMPS; STOS, LODS, SCAS */
static bool is_string(u8 opcode)
{
	return (opcode >= 0x6c && opcode <= 0x6f) ||
	       (opcode >= 0xa4 && opcode <= 0xa7) ||
	       (opcode >= 0xaa && opcode <= 0xaf);
}

bool pmuctl_pebs_repeats(const u8 *code, unsigned int size)
{
	bool repeat = false;
	unsigned int i;

	for (i = 0; i < size && is_prefix(code[i]); i++)
		repeat |= is_repeat(code[i]);
	if (i < size && is_rex(code[i]))
		i++;
	/* More prefixes than anybody writes: not known. */
	return repeat && (i == size || is_string(code[i]));
}
