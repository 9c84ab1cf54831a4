// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding PEBS records: formats 0 to 3 have one layout each, from 4 on a
 * record says which groups it consists of.  The Pentium 4's have no number.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/pmu/pebs_records.h"

/* --- formats 0 to 3: each is the one before it and something more --- */

struct core_record {			/* format 0 */
	struct pmuctl_sample_regs regs;	/* in the same order */
};

struct nehalem_record {			/* format 1 */
	struct core_record core;
	u64 status;			/* 3: the counters that it is of */
	u64 addr, data_src, latency;
};

struct haswell_record {			/* format 2 */
	struct nehalem_record nehalem;
	u64 eventing_ip, tsx;
};

struct skylake_record {			/* format 3 */
	struct haswell_record haswell;
	u64 tsc;
};

/* The Pentium 4's are of the first layout, or this. */
struct narrow_record {
	u32 flags, ip, ax, bx, cx, dx, si, di, bp, sp;
};

/* --- adaptive: groups, in this order --- */

struct basic_group {
	/* groups [31:0], cycles since the last retirement, bytes [63:48] */
	u64 format_size;
	u64 ip;
	u64 counters;
	u64 tsc;
};

struct memory_group {
	u64 addr, data_src, latency, tsx;
};

struct gpr_group {
	u64 flags, ip, ax, cx, dx, bx, sp, bp, si, di;
	u64 high[8];
};

#define XMM_SIZE	0x100
#define GROUPS		0xffffffffULL
#define SIZE_SHIFT	48
#define RETIRE_SHIFT	32
#define RETIRE		0xffff

static const struct pmuctl_pebs_format formats[] = {
	[0] = { sizeof(struct core_record), sizeof(struct core_record),
		false, false, false, 1 },
	[1] = { sizeof(struct nehalem_record), sizeof(struct nehalem_record),
		false, true, false, 4 },
	[2] = { sizeof(struct haswell_record), sizeof(struct haswell_record),
		true, true, false, 4 },
	[3] = { sizeof(struct skylake_record), sizeof(struct skylake_record),
		true, true, true, 8 },
	[4] = { 0, sizeof(struct basic_group), true, true, true, 8 },
	/* Five and six differ in how many resets the DS area has room for. */
	[5] = { 0, sizeof(struct basic_group), true, true, true, 32 },
	[6] = { 0, sizeof(struct basic_group), true, true, true, 32 },
};

static const struct pmuctl_pebs_format p4 = {
	.size = sizeof(struct core_record),
	.least = sizeof(struct core_record),
	.exact = true,
	.one_reset = true,
	.before = true,
};

static const struct pmuctl_pebs_format p4_narrow = {
	.size = sizeof(struct narrow_record),
	.least = sizeof(struct narrow_record),
	.exact = true,
	.one_reset = true,
	.before = true,
};

const struct pmuctl_pebs_format *pmuctl_pebs_format(u32 format)
{
	if (format == PMUCTL_PEBS_FORMAT_P4)
		return &p4;
	if (format == PEBS_FORMAT_P4_NARROW)
		return &p4_narrow;
	return format < ARRAY_SIZE(formats) ? &formats[format] : NULL;
}

static void records_clear(struct pmuctl_pebs_record *record)
{
	memset(record, 0, offsetof(struct pmuctl_pebs_record, gpr));
}

static void take_core(const struct core_record *core,
		      struct pmuctl_pebs_record *record)
{
	record->regs = &core->regs;
	record->ip = core->regs.ip;
}

static void take_nehalem(const struct nehalem_record *nehalem,
			 struct pmuctl_pebs_record *record)
{
	record->counters = nehalem->status;
	record->addr = nehalem->addr;
	record->data_src = nehalem->data_src;
	record->latency = nehalem->latency;
}

static noinline bool decode_core(const void *data,
				 struct pmuctl_pebs_record *record)
{
	records_clear(record);
	record->size = sizeof(struct core_record);
	take_core(data, record);
	return true;
}

/* Every sample comes by here: what a record has is not cleared before. */
static bool decode_fixed(u32 format, const void *data,
			 struct pmuctl_pebs_record *record)
{
	const struct skylake_record *skylake = data;
	const struct haswell_record *haswell = data;

	record->size = formats[format].size;
	record->exact = formats[format].exact;
	record->branches = NULL;
	record->retire = 0;
	take_core(data, record);
	take_nehalem(data, record);
	if (format >= 2)
		record->ip = haswell->eventing_ip;
	record->tsc = format >= 3 ? skylake->tsc : 0;
	return true;
}

static void take_narrow(const struct narrow_record *narrow,
			struct pmuctl_pebs_record *record)
{
	record->gpr = (struct pmuctl_sample_regs){
		.flags = narrow->flags, .ip = narrow->ip,
		.ax = narrow->ax, .bx = narrow->bx,
		.cx = narrow->cx, .dx = narrow->dx,
		.si = narrow->si, .di = narrow->di,
		.bp = narrow->bp, .sp = narrow->sp,
	};
	record->regs = &record->gpr;
	record->ip = narrow->ip;
}

static noinline bool decode_p4(u32 format, const void *data, size_t room,
			       struct pmuctl_pebs_record *record)
{
	const struct pmuctl_pebs_format *known = pmuctl_pebs_format(format);

	if (room < known->least)
		return false;
	records_clear(record);
	record->exact = known->exact;
	record->size = known->size;
	if (format == PEBS_FORMAT_P4_NARROW)
		take_narrow(data, record);
	else
		take_core(data, record);
	return true;
}

static void take_gpr(const struct gpr_group *gpr,
		     struct pmuctl_pebs_record *record)
{
	struct pmuctl_sample_regs *regs = &record->gpr;

	regs->flags = gpr->flags;
	regs->ip = gpr->ip;
	regs->ax = gpr->ax;
	regs->bx = gpr->bx;
	regs->cx = gpr->cx;
	regs->dx = gpr->dx;
	regs->si = gpr->si;
	regs->di = gpr->di;
	regs->bp = gpr->bp;
	regs->sp = gpr->sp;
	regs->r8 = gpr->high[0];
	regs->r9 = gpr->high[1];
	regs->r10 = gpr->high[2];
	regs->r11 = gpr->high[3];
	regs->r12 = gpr->high[4];
	regs->r13 = gpr->high[5];
	regs->r14 = gpr->high[6];
	regs->r15 = gpr->high[7];
	record->regs = regs;
}

static unsigned int nr_lbrs(u64 cfg)
{
	if (!(cfg & PEBS_CFG_LBR))
		return 0;
	return ((cfg & PEBS_CFG_LBR_ENTRIES) >> PEBS_CFG_LBR_SHIFT) + 1;
}

u32 pmuctl_pebs_adaptive_size(u64 cfg)
{
	u32 size = sizeof(struct basic_group);

	if (cfg & PEBS_CFG_MEMORY)
		size += sizeof(struct memory_group);
	if (cfg & PEBS_CFG_GPR)
		size += sizeof(struct gpr_group);
	if (cfg & PEBS_CFG_XMM)
		size += XMM_SIZE;
	return size + nr_lbrs(cfg) * sizeof(struct pmuctl_branch);
}

/*
 * Sapphire Rapids has two latencies: the instruction's, and above it the
 * cache's, which is the only one of earlier processors and comes first here.
 */
static u64 latencies(u64 latency)
{
	return latency >> 32 ? latency >> 32 | latency << 32 : latency;
}

static void take_groups(u64 groups, const void *at,
			struct pmuctl_pebs_record *record)
{
	const struct memory_group *memory = at;

	if (groups & PEBS_CFG_MEMORY) {
		record->addr = memory->addr;
		record->data_src = memory->data_src;
		record->latency = latencies(memory->latency);
		at += sizeof(*memory);
	}
	if (groups & PEBS_CFG_GPR) {
		take_gpr(at, record);
		at += sizeof(struct gpr_group);
	}
	if (groups & PEBS_CFG_XMM)
		at += XMM_SIZE;
	if (groups & PEBS_CFG_LBR)
		record->branches = at;
}

/*
 * How many branches there are is what is left of the size, since the record
 * does not repeat the number of MSR_PEBS_DATA_CFG.
 */
static noinline bool decode_adaptive(u32 format, const void *data, size_t room,
				     struct pmuctl_pebs_record *record)
{
	const struct basic_group *basic = data;
	u64 groups = basic->format_size & GROUPS;
	u32 size = basic->format_size >> SIZE_SHIFT;
	u64 others = groups & (PEBS_CFG_MEMORY | PEBS_CFG_GPR | PEBS_CFG_XMM);
	u32 rest = pmuctl_pebs_adaptive_size(others);

	if (size < rest || size > room || size % sizeof(u64))
		return false;
	records_clear(record);
	record->size = size;
	record->exact = formats[format].exact;
	record->ip = basic->ip;
	record->counters = basic->counters;
	record->tsc = basic->tsc;
	record->retire = basic->format_size >> RETIRE_SHIFT & RETIRE;
	take_groups(groups, basic + 1, record);
	if (record->branches)
		record->nr_branches = (size - rest) /
				      sizeof(struct pmuctl_branch);
	return true;
}

/* What takes registers is apart, so that nothing is saved or moved here. */
bool pmuctl_pebs_decode(u32 format, const void *data, size_t room,
			struct pmuctl_pebs_record *record)
{
	/* Not by pmuctl_pebs_format(), which every record would pay for. */
	if (unlikely(format >= PMUCTL_PEBS_FORMAT_P4))
		return decode_p4(format, data, room, record);
	if (room < formats[format].least)
		return false;
	if (format >= PEBS_ADAPTIVE)
		return decode_adaptive(format, data, room, record);
	if (unlikely(!format))
		return decode_core(data, record);
	return decode_fixed(format, data, record);
}
