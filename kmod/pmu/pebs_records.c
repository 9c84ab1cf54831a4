// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding PEBS records: formats 0 to 3 have one layout each, from 4 on a
 * record says which groups it consists of, and an architectural one comes in
 * fragments that do.  The Pentium 4's have no number.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"

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

/* --- architectural: fragments, of groups in this order --- */

struct fragment {
	u64 format;		/* bytes [15:0], groups */
	u64 reserved;
};

struct basic_part {
	u64 ip;
	u64 counters;
	u64 tsc;
	u64 retire;		/* [15:0], if [16] says so */
	u64 reserved[2];
};

struct memory_part {
	u64 addr;
	u64 reserved[4];
	u64 data_src, latency, tsx;
};

struct gpr_part {
	struct gpr_group gpr;
	u64 shadow_stack, reserved;
};

struct branches_part {
	u64 reserved;
	u64 ctl, depth;
	u64 before_exception[3];
};

#define FRAGMENT_SIZE		0xffff
#define FRAGMENT_CONTINUES	(1ULL << 31)
/* Where none of these is there is nothing, and another fragment behind. */
#define FRAGMENT_FORMAT		(~0xffffULL)
#define FRAGMENT_COUNTERS	(7ULL << 36)	/* of PERF_METRICS, too */
#define FRAGMENT_LBR		(3ULL << 40)
#define FRAGMENT_LBR_8		(1ULL << 40)
#define FRAGMENT_LBR_16		(2ULL << 40)
#define FRAGMENT_VECTORS	(0x7fULL << 49)
#define FRAGMENT_GPR		(1ULL << 61)
#define FRAGMENT_MEMORY		(1ULL << 62)
#define FRAGMENT_BASIC		(1ULL << 63)
#define RETIRE_VALID		(1ULL << 16)

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

static const struct pmuctl_pebs_format architectural = {
	.least = sizeof(struct fragment) + sizeof(struct basic_part),
	.exact = true,
	.has_memory = true,
	.says_counters = true,
};

const struct pmuctl_pebs_format *pmuctl_pebs_format(u32 format)
{
	if (format == PEBS_ARCHITECTURAL)
		return &architectural;
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
	record->counts = NULL;
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

/* --- counters: the same in both --- */

/* In the header: the slots of PERF_METRICS and the register follow. */
#define COUNTS_METRICS	3
#define METRICS_WORDS	2

/* The most: of an architectural record others let themselves be recorded. */
static u32 counts_size(u64 cfg)
{
	return sizeof(struct pmuctl_pebs_counts) +
	       hweight64(cfg & (PEBS_CFG_GP | PEBS_CFG_FIXED)) * sizeof(u64);
}

/* Returns how many bytes they are; 0: more than there are. */
static u32 take_counts(const struct pmuctl_pebs_counts *counts, u32 bytes,
		       struct pmuctl_pebs_record *record)
{
	u32 size = sizeof(*counts);

	if (bytes < size)
		return 0;
	size += (hweight32(counts->gp) + hweight32(counts->fixed)) *
		sizeof(u64);
	if (counts->metrics == COUNTS_METRICS)
		size += METRICS_WORDS * sizeof(u64);
	record->counts = counts;
	return size <= bytes ? size : 0;
}

bool pmuctl_pebs_counted(const struct pmuctl_pebs_counts *counts,
			 unsigned int slot, u64 *value)
{
	bool fixed = slot >= PMUCTL_GP_MAX;
	u32 there = fixed ? counts->fixed : counts->gp;
	u32 bit = BIT(fixed ? slot - PMUCTL_GP_MAX : slot);

	if (!(there & bit))
		return false;
	*value = counts->value[(fixed ? hweight32(counts->gp) : 0) +
			       hweight32(there & (bit - 1))];
	return true;
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
	if (cfg & PEBS_CFG_COUNTERS)
		size += counts_size(cfg);
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

/* They are last, and where that is the number of branches has to be known. */
static noinline bool take_shown(u64 groups, const void *data, u32 rest,
				struct pmuctl_pebs_record *record)
{
	record->nr_branches = nr_lbrs(groups);
	rest += record->nr_branches * sizeof(struct pmuctl_branch);
	return rest < record->size &&
	       take_counts(data + rest, record->size - rest, record) ==
	       record->size - rest;
}

/*
 * How many branches there are is what is left of the size, since the record
 * does not repeat the number of MSR_PEBS_DATA_CFG before format 6.
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
	if (unlikely(groups & (PEBS_CFG_COUNTERS | PEBS_CFG_METRICS)))
		return take_shown(groups, data, rest, record);
	if (record->branches)
		record->nr_branches = (size - rest) /
				      sizeof(struct pmuctl_branch);
	return true;
}

/* The groups may be in a fragment each, with an empty one behind. */
u32 pmuctl_pebs_architectural_size(u64 cfg)
{
	u32 size = sizeof(struct fragment) + sizeof(struct basic_part);

	if (cfg & PEBS_CFG_MEMORY)
		size += 2 * sizeof(struct fragment) +
			sizeof(struct memory_part);
	if (cfg & PEBS_CFG_GPR)
		size += 2 * sizeof(struct fragment) + sizeof(struct gpr_part);
	if (cfg & PEBS_CFG_LBR)
		size += 2 * sizeof(struct fragment) +
			sizeof(struct branches_part) +
			nr_lbrs(cfg) * sizeof(struct pmuctl_branch);
	if (cfg & PEBS_CFG_COUNTERS)
		size += 2 * sizeof(struct fragment) + counts_size(cfg);
	return size;
}

/* What is left of a fragment. */
struct parts {
	const void *at;
	u32 bytes;
};

/* The next one of its groups; NULL: it is not that long. */
static const void *part(struct parts *parts, size_t bytes)
{
	const void *at = parts->at;

	if (bytes > parts->bytes)
		return NULL;
	parts->at += bytes;
	parts->bytes -= bytes;
	return at;
}

static bool take_basic_part(struct parts *parts,
			    struct pmuctl_pebs_record *record)
{
	const struct basic_part *basic = part(parts, sizeof(*basic));

	if (!basic)
		return false;
	record->ip = basic->ip;
	record->counters = basic->counters;
	record->tsc = basic->tsc;
	if (basic->retire & RETIRE_VALID)
		record->retire = basic->retire & RETIRE;
	return true;
}

static bool take_memory_part(struct parts *parts,
			     struct pmuctl_pebs_record *record)
{
	const struct memory_part *memory = part(parts, sizeof(*memory));

	if (!memory)
		return false;
	record->addr = memory->addr;
	record->data_src = memory->data_src;
	record->latency = latencies(memory->latency);
	return true;
}

static bool take_gpr_part(struct parts *parts,
			  struct pmuctl_pebs_record *record)
{
	const struct gpr_part *gpr = part(parts, sizeof(*gpr));

	if (!gpr)
		return false;
	take_gpr(&gpr->gpr, record);
	return true;
}

static bool take_branches_part(u64 format, struct parts *parts,
			       struct pmuctl_pebs_record *record)
{
	const struct branches_part *branches = part(parts, sizeof(*branches));
	u64 nr;

	if (!branches)
		return false;
	switch (format & FRAGMENT_LBR) {
	case FRAGMENT_LBR_8:
		nr = 8;
		break;
	case FRAGMENT_LBR_16:
		nr = 16;
		break;
	default:
		nr = branches->depth;
	}
	/* Not multiplied before it is known to be no more than a size. */
	if (nr > parts->bytes)
		return false;
	record->branches = part(parts, nr * sizeof(struct pmuctl_branch));
	record->nr_branches = nr;
	return record->branches;
}

/* Counters come last, and behind them a fragment may be filled up. */
static bool take_parts(u64 format, struct parts parts,
		       struct pmuctl_pebs_record *record)
{
	/* Nobody asked for them, and what is behind them is far away. */
	if (format & FRAGMENT_VECTORS)
		return false;
	return (!(format & FRAGMENT_BASIC) ||
		take_basic_part(&parts, record)) &&
	       (!(format & FRAGMENT_MEMORY) ||
		take_memory_part(&parts, record)) &&
	       (!(format & FRAGMENT_GPR) || take_gpr_part(&parts, record)) &&
	       (!(format & FRAGMENT_LBR) ||
		take_branches_part(format, &parts, record)) &&
	       (!(format & FRAGMENT_COUNTERS) ||
		take_counts(parts.at, parts.bytes, record));
}

/* An empty one may be in front of a record as well. */
static bool continues(u64 format)
{
	return format & FRAGMENT_CONTINUES || !(format & FRAGMENT_FORMAT);
}

static noinline bool decode_architectural(const void *data, size_t room,
					  struct pmuctl_pebs_record *record)
{
	const struct fragment *fragment;
	u64 format;
	u32 size;

	records_clear(record);
	record->exact = true;
	do {
		if (room - record->size < sizeof(*fragment))
			return false;
		fragment = data + record->size;
		format = fragment->format;
		size = format & FRAGMENT_SIZE;
		if (size < sizeof(*fragment) || size % sizeof(*fragment) ||
		    size > room - record->size)
			return false;
		if (!take_parts(format, (struct parts){
				fragment + 1, size - sizeof(*fragment) },
				record))
			return false;
		record->size += size;
	} while (continues(format));
	return true;
}

/* Neither is in the table of formats. */
static noinline bool decode_other(u32 format, const void *data, size_t room,
				  struct pmuctl_pebs_record *record)
{
	if (format == PEBS_ARCHITECTURAL)
		return decode_architectural(data, room, record);
	return decode_p4(format, data, room, record);
}

/* What takes registers is apart, so that nothing is saved or moved here. */
bool pmuctl_pebs_decode(u32 format, const void *data, size_t room,
			struct pmuctl_pebs_record *record)
{
	/* Not by pmuctl_pebs_format(), which every record would pay for. */
	if (unlikely(format >= PEBS_ARCHITECTURAL))
		return decode_other(format, data, room, record);
	if (room < formats[format].least)
		return false;
	if (format >= PEBS_ADAPTIVE)
		return decode_adaptive(format, data, room, record);
	if (unlikely(!format))
		return decode_core(data, record);
	return decode_fixed(format, data, record);
}
