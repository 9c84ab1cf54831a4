// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processors that the box can be, as data: registers and their bits, caches,
 * costs.  Some of them are broken or unknown on purpose.
 */
#include <string.h>

#include "p4.h"

#define LIST(table) { table, ARRAY_SIZE(table) }

/* BTS is declared unavailable, as are its bits 6 to 10. */
#define DEBUGCTL_BITS (DEBUGCTL_BTF | DEBUGCTL_FREEZE_LBR | DEBUGCTL_FREEZE_PERFMON)

/* Where LBR_CTL turns branch records on, the old bit for that means nothing. */
#define DEBUG_REGISTERS_ARCH							\
	{ .msr = MSR_DEBUGCTL, .writable = DEBUGCTL_BITS, .dropped = DEBUGCTL_LBR },	\
	{ .msr = MSR_DS_AREA, .writable = UINT64_MAX, .linear = true }
#define DEBUG_REGISTERS(lbr)							\
	{ .msr = MSR_DEBUGCTL, .writable = DEBUGCTL_BITS | (lbr) },		\
	{ .msr = MSR_DS_AREA, .writable = UINT64_MAX, .linear = true }
#define PEBS_ENABLE(bits) { .msr = MSR_PEBS_ENABLE, .writable = (bits) }
/* OFFCORE_RSP_0 and _1 belong to the core before Ice Lake. */
#define OFFCORE(n, bits, shared) { .msr = 0x1a6 + (n), .writable = (bits), .core = (shared) }
#define LOAD_LATENCY { .msr = 0x3f6, .writable = 0xffff }
#define FRONTEND(more) { .msr = MSR_FRONTEND, .writable = 0x7fff17 | (more) }
/* MISC_FEATURE_CONTROL: prefetchers that are off, for both threads of a core. */
#define PREFETCH { .msr = MSR_PREFETCH, .writable = 0xf, .core = true }
/*
 * Of small cores' modules: next page (4), adaptive (5); from Crestmont on adjacent (1), into the
 * last level (6), pointers (7), code (8), and Darkmont's own tuning (12).  The second level's have
 * two more, whose other bits are thresholds; the next line (40) is off from the start.
 */
#define PREFETCH_SMALL(bits) {							\
	.msr = MSR_PREFETCH, .writable = (bits), .core = true, .module = true,	\
}
#define PREFETCH_MODULE(bits)							\
	PREFETCH_SMALL(bits),							\
	{ .msr = MSR_PREFETCH_L2, .writable = UINT64_C(0x7fffffffffffffff),	\
	  .core = true, .module = true, .power_on = UINT64_C(0x100007e041000004) },	\
	{ .msr = MSR_PREFETCH_L2 + 1, .writable = UINT64_C(0x7fffffffffff),	\
	  .core = true, .module = true, .power_on = UINT64_C(0x250122000001) }
/*
 * MISC_ENABLE where prefetchers are switched by it: what its manual lists.  The bits that say
 * what the PMU has are read-only.
 */
#define MISC_ENABLE(bits, shared) {						\
	.msr = MSR_MISC_ENABLE, .writable = (bits), .core = true, .package = (shared),	\
	.power_on = MISC_FAST_STRINGS, .always = MISC_PERFMON | MISC_NO_BTS,	\
}
#define MISC_CORE2								\
	MISC_ENABLE(UINT64_C(0xe4005d2009) | MISC_NO_STREAMER | MISC_NO_NEXT_LINE |	\
		    MISC_NO_STRIDE, MISC_NO_ADJACENT)
#define MISC_NETBURST MISC_ENABLE(UINT64_C(0x401480659) | MISC_NO_ADJACENT, 0)
/* Requests and what other caches answered, of small cores from Crestmont on. */
#define SNOOP_RSP(n) { .msr = 0x1328 + (n), .writable = UINT64_MAX }
#define PEBS_DATA_CFG { .msr = 0x3f2, .writable = UINT64_C(0xff00000f) }

/* What power the package and its cores may take, which limits nothing here. */
#define POWER_LIMIT(number, bits, first) {					\
	.msr = (number), .writable = (bits), .core = true, .package = UINT64_MAX,	\
	.power_on = (first),							\
}
/* At first 65 W, in eighths, for a while and above that for a moment. */
#define POWER_LIMITS								\
	POWER_LIMIT(MSR_PKG_POWER_LIMIT, UINT64_C(0x80ffffff00ffffff),		\
		    UINT64_C(0x42820800dd8208)),				\
	POWER_LIMIT(MSR_PP0_POWER_LIMIT, UINT64_C(0x80ffffff), 0)
/* Power in eighths of a watt, time in 976 us; energy in 15.3 uJ, or since Haswell 61. */
#define RAPL_UNITS_BRIDGE 0xa1003
#define RAPL_UNITS 0xa0e03

/* The line is found exclusive, and no other core has to be asked. */
#define OFFCORE_BITS(found_in_memory) {						\
	.any = BIT(16), .hit = BIT(19), .miss = (found_in_memory), .snoop = BIT(32), \
}

#define PEBS_LATENCY_BITS UINT64_C(0xf0000000f)
#define PEBS_STORE_BIT BIT(63)
#define OFFCORE_CLIENT UINT64_C(0x3f807f8fff)
#define OFFCORE_HASWELL UINT64_C(0x3fffff8fff)
#define OFFCORE_ICELAKE UINT64_C(0x3fffffbfff)
#define OFFCORE_SAPPHIRE UINT64_C(0x3fffffffff)
#define OFFCORE_LIONCOVE UINT64_C(0xfffffffffff)

/* The Pentium III has neither a DS area nor freezing. */
static const struct plain_msr p6_plain[] = {
	{ .msr = MSR_DEBUGCTL, .writable = DEBUGCTL_BTF },
};

static const struct plain_msr core2_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(0x1), MISC_CORE2,
};

static const struct plain_msr nehalem_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(PEBS_LATENCY_BITS), LOAD_LATENCY,
	PREFETCH, OFFCORE(0, 0xffff, true),
};

/* Sandy and Ivy Bridge. */
static const struct plain_msr bridge_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(PEBS_STORE_BIT | PEBS_LATENCY_BITS),
	LOAD_LATENCY, PREFETCH, POWER_LIMITS,
	OFFCORE(0, OFFCORE_CLIENT, true), OFFCORE(1, OFFCORE_CLIENT, true),
};

static const struct plain_msr haswell_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(PEBS_LATENCY_BITS), LOAD_LATENCY,
	PREFETCH, OFFCORE(0, OFFCORE_HASWELL, true), OFFCORE(1, OFFCORE_HASWELL, true),
	POWER_LIMITS,
};

static const struct plain_msr skylake_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(PEBS_LATENCY_BITS), LOAD_LATENCY, FRONTEND(0),
	PREFETCH, OFFCORE(0, OFFCORE_HASWELL, true), OFFCORE(1, OFFCORE_HASWELL, true),
	POWER_LIMITS,
};

#define ICELAKE_PEBS (UINT64_C(0xf000000ff))
#define ICELAKE_REGISTERS							\
	PEBS_ENABLE(ICELAKE_PEBS), PEBS_DATA_CFG, LOAD_LATENCY,	\
	FRONTEND(0), PREFETCH, POWER_LIMITS,					\
	OFFCORE(0, OFFCORE_ICELAKE, false), OFFCORE(1, OFFCORE_ICELAKE, false)

/* A hypervisor that takes any write of what it has not: no prefetchers, 0 is read. */
static const struct plain_msr swallowed_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(PEBS_LATENCY_BITS), LOAD_LATENCY, FRONTEND(0),
	OFFCORE(0, OFFCORE_HASWELL, true), OFFCORE(1, OFFCORE_HASWELL, true), POWER_LIMITS,
};

static const struct plain_msr icelake_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), ICELAKE_REGISTERS,
};

static const struct plain_msr sapphirerapids_plain[] = {
	DEBUG_REGISTERS_ARCH, PEBS_ENABLE(ICELAKE_PEBS), PEBS_DATA_CFG, LOAD_LATENCY,
	FRONTEND(0x8), PREFETCH, POWER_LIMITS,
	OFFCORE(0, OFFCORE_SAPPHIRE, false), OFFCORE(1, OFFCORE_SAPPHIRE, false),
};

static const struct plain_msr graniterapids_plain[] = {
	DEBUG_REGISTERS_ARCH, PEBS_ENABLE(ICELAKE_PEBS), PEBS_DATA_CFG, LOAD_LATENCY,
	FRONTEND(0x9), PREFETCH, POWER_LIMITS,
	OFFCORE(0, OFFCORE_SAPPHIRE, false), OFFCORE(1, OFFCORE_SAPPHIRE, false),
};

#define LIONCOVE_REGISTERS							\
	DEBUG_REGISTERS_ARCH, LOAD_LATENCY, FRONTEND(0x9), PREFETCH, POWER_LIMITS,	\
	OFFCORE(0, UINT64_C(0xfffffffffff), false),				\
	OFFCORE(1, UINT64_C(0xfffffffffff), false)

/* With counters in records: bits 4, 5, and which, from 32 and from 48 on. */
static const struct plain_msr lunarlake_plain[] = {
	LIONCOVE_REGISTERS, PEBS_ENABLE(UINT64_C(0xf000003ff)),
	{ .msr = MSR_PEBS_DATA_CFG, .writable = UINT64_C(0xf03ffff00003f) },
};

/* No PEBS_ENABLE, no PEBS_DATA_CFG. */
static const struct plain_msr pantherlake_plain[] = { LIONCOVE_REGISTERS };

static const struct plain_msr goldmont_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(0xf), POWER_LIMITS, PREFETCH_SMALL(0x5),
	OFFCORE(0, UINT64_C(0x760005ffbf), false), OFFCORE(1, UINT64_C(0x360005ffbf), false),
};

/* Small cores: bit 63 of the first OFFCORE_RSP is for requests outstanding. */
static const struct plain_msr tremont_plain[] = {
	DEBUG_REGISTERS(DEBUGCTL_LBR), PEBS_ENABLE(UINT64_C(0x70000000f)), PEBS_DATA_CFG,
	POWER_LIMITS, PREFETCH_SMALL(0x5),
	OFFCORE(0, UINT64_C(0x800ff0ffffff9fff), false),
	OFFCORE(1, UINT64_C(0xff0ffffff9fff), false),
};

static const struct plain_msr gracemont_plain[] = {
	DEBUG_REGISTERS_ARCH, PEBS_ENABLE(UINT64_C(0x70000003f)), PEBS_DATA_CFG, LOAD_LATENCY,
	POWER_LIMITS, PREFETCH_MODULE(0x3d),
	OFFCORE(0, UINT64_C(0x8003f03fffffffff), false),
	OFFCORE(1, UINT64_C(0x3f03fffffffff), false),
};

static const struct plain_msr crestmont_plain[] = {
	DEBUG_REGISTERS_ARCH, PEBS_ENABLE(UINT64_C(0x7000000ff)), PEBS_DATA_CFG, LOAD_LATENCY,
	POWER_LIMITS, PREFETCH_MODULE(0x1ff),
	OFFCORE(0, UINT64_C(0x800ff3ffffffffff), false),
	OFFCORE(1, UINT64_C(0xff3ffffffffff), false),
	SNOOP_RSP(0), SNOOP_RSP(1),
};

static const struct plain_msr lioncove_plain[] = {
	DEBUG_REGISTERS_ARCH, PEBS_ENABLE(UINT64_C(0xf000003ff)), PEBS_DATA_CFG, LOAD_LATENCY,
	FRONTEND(0x9), PREFETCH, POWER_LIMITS,
	OFFCORE(0, OFFCORE_LIONCOVE, false), OFFCORE(1, OFFCORE_LIONCOVE, false),
};

/*
 * CFG_B and CFG_C of a counter of version 6: which overflows reload it, and with what.  No
 * counter is reloaded here.
 */
#define RELOADED_BY(cfg_b, counters) { .msr = (cfg_b), .writable = (counters) }
#define RELOADS(cfg_b, counters)						\
	RELOADED_BY(cfg_b, counters),						\
	{ .msr = (cfg_b) + 1, .writable = UINT32_MAX }

/* Skymont's, by leaf 23H: neither the first two counters nor the third of the fixed ones. */
#define SKYMONT_RELOAD UINT64_C(0x3000000fc)
#define SKYMONT_REGISTERS(prefetchers)						\
	DEBUG_REGISTERS_ARCH, LOAD_LATENCY, POWER_LIMITS, PREFETCH_MODULE(prefetchers),	\
	OFFCORE(0, UINT64_C(0x800ff3ffffffffff), false),			\
	OFFCORE(1, UINT64_C(0xff3ffffffffff), false),				\
	SNOOP_RSP(0), SNOOP_RSP(1)

static const struct plain_msr skymont_plain[] = {
	SKYMONT_REGISTERS(0x1ff), PEBS_ENABLE(UINT64_C(0x77000000ff)), PEBS_DATA_CFG,
};

/* Of version 6, and with counters in records: bit 4; metrics there are none. */
static const struct plain_msr lunarlake_e_plain[] = {
	SKYMONT_REGISTERS(0x1ff), PEBS_ENABLE(UINT64_C(0x77000000ff)),
	{ .msr = MSR_PEBS_DATA_CFG, .writable = UINT64_C(0x7700ffff00001f) },
	RELOADS(0x190a, SKYMONT_RELOAD), RELOADS(0x190e, SKYMONT_RELOAD),
	RELOADS(0x1912, SKYMONT_RELOAD), RELOADS(0x1916, SKYMONT_RELOAD),
	RELOADS(0x191a, SKYMONT_RELOAD), RELOADS(0x191e, SKYMONT_RELOAD),
	RELOADS(0x1982, SKYMONT_RELOAD), RELOADS(0x1986, SKYMONT_RELOAD),
};

/* CFG_C is PEBS' as well, and every counter has it. */
static const struct plain_msr pantherlake_e_plain[] = {
	SKYMONT_REGISTERS(0x11ff),
	RELOADED_BY(0x190a, SKYMONT_RELOAD), RELOADED_BY(0x190e, SKYMONT_RELOAD),
	RELOADED_BY(0x1912, SKYMONT_RELOAD), RELOADED_BY(0x1916, SKYMONT_RELOAD),
	RELOADED_BY(0x191a, SKYMONT_RELOAD), RELOADED_BY(0x191e, SKYMONT_RELOAD),
	RELOADED_BY(0x1982, SKYMONT_RELOAD), RELOADED_BY(0x1986, SKYMONT_RELOAD),
};

/* What a cloud shows of a Granite Rapids as version 2: counters, and no PEBS. */
static const struct plain_msr graniterapids_v2_plain[] = {
	{ .msr = MSR_DEBUGCTL, .writable = DEBUGCTL_BITS }, PREFETCH,
	OFFCORE(0, OFFCORE_SAPPHIRE, false), OFFCORE(1, OFFCORE_SAPPHIRE, false), FRONTEND(0x9),
};

static const struct plain_msr perfmon6_plain[] = {
	DEBUG_REGISTERS_ARCH, ICELAKE_REGISTERS,
	RELOADS(0x1902, ICELAKE_PEBS), RELOADS(0x1906, ICELAKE_PEBS),
	RELOADS(0x190a, ICELAKE_PEBS), RELOADS(0x190e, ICELAKE_PEBS),
	RELOADS(0x1912, ICELAKE_PEBS), RELOADS(0x1916, ICELAKE_PEBS),
	RELOADS(0x191a, ICELAKE_PEBS), RELOADS(0x191e, ICELAKE_PEBS),
	RELOADS(0x1982, ICELAKE_PEBS), RELOADS(0x1986, ICELAKE_PEBS),
	RELOADS(0x198a, ICELAKE_PEBS), RELOADS(0x198e, ICELAKE_PEBS),
};

/* CPUID.1: DTES64, PDCM; DS */
#define CPUID_1 { .leaf = 1, .regs = { 0, 0, BIT(2) | BIT(15), BIT(21) } }

static const struct cpuid_bits usual_cpuid[] = { CPUID_1 };

/* Leaf 1AH: the kind of this core and the number of its make. */
#define BIG_CORE(make) { .leaf = 0x1a, .regs = { UINT32_C(0x40000000) | (make), 0, 0, 0 } }
#define SMALL_CORE(make) { .leaf = 0x1a, .regs = { UINT32_C(0x20000000) | (make), 0, 0, 0 } }
/* 7: hybrid, also where firmware has switched one kind of its cores off. */
#define HYBRID { .leaf = 7, .regs = { 0, 0, 0, BIT(15) } }

static const struct cpuid_bits alderlake_cpuid[] = { CPUID_1, HYBRID, BIG_CORE(1) };
static const struct cpuid_bits alderlake_e_cpuid[] = { CPUID_1, HYBRID, SMALL_CORE(1) };
static const struct cpuid_bits gracemont_cpuid[] = { CPUID_1, SMALL_CORE(1) };
static const struct cpuid_bits tremont_cpuid[] = { CPUID_1, SMALL_CORE(0) };

/* 7.1: ARCH_PERFMON_EXT, by which leaf 23H is there. */
#define PERFMON_EXT								\
	{ .leaf = 7, .regs = { 1, 0, 0, 0 } },					\
	{ .leaf = 7, .subleaf = 1, .regs = { BIT(8), 0, 0, 0 } }

/* As of a Meteor Lake's (A06A4) small core, six slots wide. */
#define CRESTMONT								\
	CPUID_1, PERFMON_EXT, SMALL_CORE(2),					\
	{ .leaf = 0x23, .subleaf = 0, .regs = { 0xb, 0, 6, 0 } },		\
	{ .leaf = 0x23, .subleaf = 1, .regs = { 0xff, 0x7, 0, 0 } },		\
	{ .leaf = 0x23, .subleaf = 3, .regs = { 0x7f, 0, 0, 0 } }

/* As of a Granite Rapids (A06D1), and of a Meteor Lake's big core. */
#define REDWOOD_COVE								\
	CPUID_1, PERFMON_EXT, BIG_CORE(2),					\
	{ .leaf = 0x23, .subleaf = 0, .regs = { 0xb, 0, 0, 0 } },		\
	{ .leaf = 0x23, .subleaf = 1, .regs = { 0xff, 0xf, 0, 0 } },		\
	{ .leaf = 0x23, .subleaf = 3, .regs = { 0xdff, 0, 0, 0 } }

/*
 * As of an Arrow Lake H (C0652), and of Lunar and Panther Lakes; UMASK2 and EQ (23H.0:EBX) are
 * there without version 6.
 */
#define LION_COVE(make, leaves)							\
	CPUID_1, PERFMON_EXT, BIG_CORE(make),					\
	{ .leaf = 0x23, .subleaf = 0, .regs = { (leaves), 3, 0, 0 } },		\
	{ .leaf = 0x23, .subleaf = 1, .regs = { 0x3ff, 0xf, 0, 0 } },		\
	{ .leaf = 0x23, .subleaf = 3, .regs = { 0x1dff, 0, 0, 0 } }
#define SKYMONT(make, leaves)							\
	CPUID_1, PERFMON_EXT, SMALL_CORE(make),					\
	{ .leaf = 0x23, .subleaf = 0, .regs = { (leaves), 3, 8, 0 } },		\
	{ .leaf = 0x23, .subleaf = 1, .regs = { 0xff, 0x77, 0, 0 } },		\
	{ .leaf = 0x23, .subleaf = 2, .regs = { 0xfc, 3, 0xfc, 3 } },		\
	{ .leaf = 0x23, .subleaf = 3, .regs = { 0x1f7f, 0, 0, 0 } }

static const struct cpuid_bits crestmont_cpuid[] = { CRESTMONT };
static const struct cpuid_bits graniterapids_cpuid[] = { REDWOOD_COVE };
static const struct cpuid_bits meteorlake_cpuid[] = { HYBRID, REDWOOD_COVE };
static const struct cpuid_bits meteorlake_e_cpuid[] = { HYBRID, CRESTMONT };
static const struct cpuid_bits lioncove_cpuid[] = { HYBRID, LION_COVE(3, 0xb) };
static const struct cpuid_bits skymont_cpuid[] = { HYBRID, SKYMONT(3, 0xf) };

/* 1AH: Cougar Cove; 23H: subleaves 0 to 3; counters; those that are reloaded, and by; events. */
static const struct cpuid_bits perfmon6_cpuid[] = {
	CPUID_1,
	PERFMON_EXT,
	BIG_CORE(4),
	{ .leaf = 0x23, .subleaf = 0, .regs = { 0xf, 0, 0, 0 } },
	{ .leaf = 0x23, .subleaf = 1, .regs = { 0xff, 0xf, 0, 0 } },
	{ .leaf = 0x23, .subleaf = 2, .regs = { 0xff, 0xf, 0xff, 0xf } },
	{ .leaf = 0x23, .subleaf = 3, .regs = { 0xff, 0, 0, 0 } },
};

/* 23H: subleaf 4, what CFG_C may have; 5, counters with PEBS, and with exact distribution. */
#define COUGARCOVE_PEBS UINT32_C(0x60060378)
#define DARKMONT_PEBS UINT32_C(0x60060338)

/* A Lunar Lake (B06D1) says of its cores what an Arrow Lake H does; a Panther Lake is C06C3. */
static const struct cpuid_bits darkmont_cpuid[] = {
	HYBRID, SKYMONT(4, 0x3f),
	{ .leaf = 0x23, .subleaf = 4, .regs = { 0, DARKMONT_PEBS, 0, 0 } },
	{ .leaf = 0x23, .subleaf = 5, .regs = { 0xff, 0x3, 0x77, 0x1 } },
};

static const struct cpuid_bits cougarcove_cpuid[] = {
	HYBRID, LION_COVE(4, 0x3b),
	{ .leaf = 0x23, .subleaf = 4, .regs = { 0, COUGARCOVE_PEBS, 0, 0 } },
	{ .leaf = 0x23, .subleaf = 5, .regs = { 0x3ff, 0x3, 0xf, 0x1 } },
};

/* PERFEVTSEL without TSX's bits, which the box's processors lack. */
#define SEL_V3 UINT64_C(0xffffffff)
#define SEL_V2 (SEL_V3 & ~SEL_ANY)
#define SEL_V5 (SEL_V2 | BIT(34))		/* and adaptive PEBS */

/* From Lion Cove and Skymont on: UMASK2, and CMASK by equality. */
#define SEL_V6 (SEL_V5 | SEL_EQ | SEL_UMASK2_BITS)

#define USUAL_CPUID .cpuid = LIST(usual_cpuid)

#define PEBS_CAPABILITIES(format) (CAP_PEBS_TRAP | CAP_PEBS_REGS | CAP_PEBS_FORMAT(format))

#define STATUS_V3 (STATUS_UNCORE | STATUS_DS | STATUS_COND_CHGD)
#define STATUS_V4 (STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI | STATUS_UNCORE | STATUS_DS)

#define VERSION_3								\
	.version = 3,								\
	.gp = 4, .gp_width = 48,						\
	.fixed = 3, .fixed_width = 48,						\
	.arch_events = 7,							\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.evtsel_writable = SEL_V3,						\
	.fixed_ctrl_writable = FIXED_RINGS | FIXED_ANY | FIXED_PMI,		\
	.status_clearable = STATUS_V3,						\
	USUAL_CPUID

#define VERSION_4_PMU								\
	.version = 4,								\
	.gp = 4, .gp_width = 48,						\
	.fixed = 3, .fixed_width = 48,						\
	.arch_events = 7,							\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.capabilities = PEBS_CAPABILITIES(3) | CAP_FULL_WIDTH,			\
	.lbr_depth = 32, .lbr_format = LBR_INFO,				\
	.evtsel_writable = SEL_V3,						\
	.fixed_ctrl_writable = FIXED_RINGS | FIXED_ANY | FIXED_PMI,		\
	.status_clearable = STATUS_V4 | STATUS_COND_CHGD,			\
	.status_settable = STATUS_V4,						\
	.offcore = OFFCORE_BITS(BIT(26)),					\
	USUAL_CPUID

#define VERSION_4								\
	VERSION_4_PMU,								\
	.plain = LIST(skylake_plain)

/* A bit 32 + 4i for each fixed counter: adaptive PEBS. */
#define FIXED_ADAPTIVE UINT64_C(0x111100000000)

#define ICELAKE_CAPABILITIES (PEBS_CAPABILITIES(4) | CAP_FULL_WIDTH | CAP_PEBS_BASELINE)

/* What Ice Lake and those behind it have in common. */
#define BASELINE_PMU								\
	.gp = 8, .gp_width = 48,						\
	.fixed = 4, .fixed_width = 48,						\
	.arch_events = 8,							\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.evtsel_writable = SEL_V5,						\
	.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,				\
	.fixed_ctrl_more = FIXED_ADAPTIVE,					\
	.offcore = OFFCORE_BITS(BIT(26))

/* PERF_METRICS with so many fields, and its bits elsewhere. */
#define METRICS_REGISTER_WITH(fields, status)					\
	.metrics = (fields),							\
	.global_ctrl_more = STATUS_METRICS,					\
	.status_clearable = STATUS_V4 | STATUS_COND_CHGD | STATUS_METRICS | (status), \
	.status_settable = STATUS_V4 | STATUS_METRICS | (status)
#define METRICS_REGISTER(fields) METRICS_REGISTER_WITH(fields, 0)

#define METRICS(fields)								\
	METRICS_REGISTER(fields),						\
	.capabilities = ICELAKE_CAPABILITIES | CAP_METRICS

/* A hybrid does not announce it, for its small cores lack it; Linux knows of it anyway. */
#define HYBRID_METRICS								\
	METRICS_REGISTER(8),							\
	.capabilities = ICELAKE_CAPABILITIES

#define NO_METRICS								\
	.capabilities = ICELAKE_CAPABILITIES,					\
	.status_clearable = STATUS_V4 | STATUS_COND_CHGD,			\
	.status_settable = STATUS_V4

/* Depths of 8, 16 and 32; a small core also says that addresses are linear. */
#define ARCH_LBR(more)								\
	.lbr_depth = 32, .lbr_format = LBR_ARCHITECTURAL,			\
	.lbr_leaf = UINT32_C(0x4000000b) | (more)
#define BIG_CORE_LBR ARCH_LBR(0)
#define SMALL_CORE_LBR ARCH_LBR(UINT32_C(0x80000000))

/* Small cores: no SLOTS, no PERF_METRICS. */
#define ATOM_PMU(counters)							\
	.version = 5,								\
	.gp = (counters), .gp_width = 48,					\
	.fixed = 3, .fixed_width = 48,						\
	.arch_events = 7,							\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.evtsel_writable = SEL_V5,						\
	.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,				\
	.fixed_ctrl_more = UINT64_C(0x11100000000),				\
	.status_clearable = STATUS_V4 | STATUS_COND_CHGD,			\
	.status_settable = STATUS_V4,						\
	.offcore = OFFCORE_BITS(BIT(26))

#define GRACEMONT_PMU								\
	ATOM_PMU(6),								\
	SMALL_CORE_LBR,								\
	.capabilities = ICELAKE_CAPABILITIES,					\
	.two_latencies = true,							\
	.shape = &pmu_shape_gracemont,						\
	.events = &pmu_events_gracemont,					\
	.piped_events = &pmu_events_gracemont_piped,				\
	.pebs = &pmu_pebs_gracemont,						\
	.plain = LIST(gracemont_plain)

#define CRESTMONT_PMU(list)							\
	ATOM_PMU(8),								\
	SMALL_CORE_LBR,								\
	.capabilities = PEBS_CAPABILITIES(5) | CAP_FULL_WIDTH | CAP_PEBS_BASELINE,	\
	.two_latencies = true,							\
	.shape = &pmu_shape_crestmont,						\
	.events = &pmu_events_##list,						\
	.piped_events = &pmu_events_##list##_piped,				\
	.pebs = &pmu_pebs_gracemont,						\
	.plain = LIST(crestmont_plain)

/* Leaf 0AH of hybrids of version 6 has what all cores have: neither SLOTS nor event 9. */
#define COMMON_V6								\
	.version = 6,								\
	.gp_said = 8, .fixed_said = 3, .arch_said = 13, .arch_missing = 0x280

/* Slots' fixed counter has a hole in its place; behind it are three of Top-Down. */
#define SKYMONT_PMU								\
	.gp = 8, .gp_width = 48,						\
	.fixed = 7, .fixed_holes = BIT(3), .fixed_width = 48,			\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.evtsel_writable = SEL_V6,						\
	.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,				\
	.fixed_ctrl_more = UINT64_C(0x111011100000000),				\
	.offcore = OFFCORE_BITS(BIT(26)),					\
	SMALL_CORE_LBR,								\
	.two_latencies = true,							\
	.shape = &pmu_shape_skymont,						\
	.pebs = &pmu_pebs_gracemont
#define SKYMONT_CAPABILITIES(format)						\
	(PEBS_CAPABILITIES(format) | CAP_FULL_WIDTH | CAP_PEBS_BASELINE)
#define SMALL_STATUS(more)							\
	.status_clearable = STATUS_V4 | STATUS_COND_CHGD | (more),		\
	.status_settable = STATUS_V4 | (more)
#define SMALL_EVENTS(list)							\
	.events = &pmu_events_##list,						\
	.piped_events = &pmu_events_##list##_piped

#define LIONCOVE_PMU								\
	.gp = 10, .gp_width = 48,						\
	.fixed = 4, .fixed_width = 48,						\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.evtsel_writable = SEL_V6,						\
	.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,				\
	.offcore = OFFCORE_BITS(BIT(26)),					\
	BIG_CORE_LBR,								\
	.two_latencies = true,							\
	.pebs = &pmu_pebs_sapphirerapids
#define LIONCOVE_CAPABILITIES(format)						\
	(PEBS_CAPABILITIES(format) | CAP_FULL_WIDTH | CAP_PEBS_BASELINE |	\
	 CAP_METRICS | CAP_TIMED_PEBS)
#define LIONCOVE_V6_PMU								\
	LIONCOVE_PMU,								\
	COMMON_V6,								\
	.fixed_ctrl_more = FIXED_ADAPTIVE | FIXED_METRICS_CLEAR

#define ICELAKE_EVENTS								\
	.events = &pmu_events_icelake,						\
	.pebs = &pmu_pebs_icelake

/* Local memory in the data source of a record: exclusive, or since Skylake shared. */
#define LOCAL_DRAM 0xc
#define SHARED_DRAM 0xa

/* 32 KiB, 256 KiB, 8 MiB: a core of the clients from Nehalem to Skylake. */
#define CLIENT_CACHES								\
	{ .set_bits = 6, .ways = 8 },						\
	{ .set_bits = 9, .ways = 8, .stall = 8 },				\
	{ .set_bits = 13, .ways = 16, .stall = 30 }

#define CLIENT_CORE(stall)							\
	.issue_bits = 2,							\
	.branch_stall = (stall),						\
	.memory_stall = 180,							\
	.ref = { 7, 3 },		/* the core runs at 8/7 of the TSC */	\
	.load_cycles = 4,							\
	.pebs_memory_source = LOCAL_DRAM,					\
	.cache = { CLIENT_CACHES }

#define SKYLAKE_CORE								\
	.shape = &pmu_shape_skylake,						\
	.rapl_units = RAPL_UNITS,						\
	.issue_bits = 2,							\
	.branch_stall = 16,							\
	.memory_stall = 180,							\
	.ref = { 7, 3 },							\
	.bus = { 7, 8 },		/* REF_XCLK, a 32nd of the TSC */	\
	.load_cycles = 4,							\
	.pebs_memory_source = SHARED_DRAM,					\
	.cache = {								\
		{ .set_bits = 6, .ways = 8 },			/* 32 KiB */	\
		{ .set_bits = 10, .ways = 4, .stall = 8 },	/* 256 KiB */	\
		{ .set_bits = 13, .ways = 16, .stall = 30 },	/* 8 MiB */	\
	}

#define ICELAKE_CORE								\
	.shape = &pmu_shape_icelake,						\
	.rapl_units = RAPL_UNITS,						\
	.slots = 5,								\
	.issue_bits = 2,							\
	.branch_stall = 17,							\
	.memory_stall = 200,							\
	.ref = { 7, 3 },							\
	.bus = { 7, 8 },							\
	.load_cycles = 5,							\
	.pebs_memory_source = SHARED_DRAM,					\
	.cache = {								\
		{ .set_bits = 6, .ways = 12 },			/* 48 KiB */	\
		{ .set_bits = 10, .ways = 8, .stall = 9 },	/* 512 KiB */	\
		{ .set_bits = 13, .ways = 16, .stall = 34 },	/* 8 MiB */	\
	}

#define GOLDENCOVE_CORE								\
	.shape = &pmu_shape_sapphirerapids,					\
	.rapl_units = RAPL_UNITS,						\
	.slots = 6,								\
	.issue_bits = 2,							\
	.branch_stall = 17,							\
	.memory_stall = 260,							\
	.ref = { 7, 3 },							\
	.bus = { 7, 8 },							\
	.load_cycles = 5,							\
	.pebs_memory_source = SHARED_DRAM,					\
	.cache = {								\
		{ .set_bits = 6, .ways = 12 },			/* 48 KiB */	\
		{ .set_bits = 11, .ways = 16, .stall = 11 },	/* 2 MiB */	\
		{ .set_bits = 14, .ways = 15, .stall = 60 },	/* 15 MiB */	\
	}

#define LIONCOVE_CORE								\
	.shape = &pmu_shape_lioncove,						\
	.rapl_units = RAPL_UNITS,						\
	.slots = 8,								\
	.issue_bits = 2,							\
	.branch_stall = 17,							\
	.memory_stall = 260,							\
	.ref = { 7, 3 },							\
	.bus = { 7, 8 },							\
	.load_cycles = 4,							\
	.pebs_sources = lioncove_sources,					\
	.cache = {								\
		{ .set_bits = 6, .ways = 12 },			/* 48 KiB */	\
		{ .set_bits = 11, .ways = 20, .stall = 12 },	/* 2.5 MiB */	\
		{ .set_bits = 14, .ways = 15, .stall = 60 },	/* 15 MiB */	\
	}

#define SAPPHIRERAPIDS_CORE							\
	GOLDENCOVE_CORE,							\
	.server = true,								\
	.l3_classes = 15,							\
	.l3_shared = 0x6000

/* Without a pipeline: a width, and the stalls of caches and branches. */
#define ATOM_CORE(l2_bits)							\
	.rapl_units = RAPL_UNITS,						\
	.issue_bits = 2,							\
	.branch_stall = 13,							\
	.memory_stall = 200,							\
	.ref = { 7, 3 },							\
	.bus = { 7, 3 },		/* 3CH.01H is REF_TSC_P */		\
	.load_cycles = 3,							\
	.pebs_memory_source = SHARED_DRAM,					\
	.cache = {								\
		{ .set_bits = 6, .ways = 8 },			/* 32 KiB */	\
		{ .set_bits = (l2_bits), .ways = 16, .stall = 14 },		\
		{ .set_bits = 14, .ways = 15, .stall = 60 },	/* 15 MiB */	\
	},									\
	.fill_buffers = 16,							\
	/* 64 KiB of code; 256 and 2048 pages */				\
	.pages = { { 7, 8 }, { 6, 4 }, { 9, 4 } }

#define ALL_COUNTERS UINT64_MAX

/* DEBUGCTL of family 15 without its branch records: single-stepping branches. */
static const struct plain_msr p4_plain[] = { DEBUG_REGISTERS(0), MISC_NETBURST };

/* CPUID.1: DTES64 (of Prescott); DS.  There is no PDCM. */
static const struct cpuid_bits prescott_cpuid[] = {
	{ .leaf = 1, .regs = { 0, 0, BIT(2), BIT(21) } },
};

static const struct cpuid_bits northwood_cpuid[] = { { .leaf = 1, .regs = { 0, 0, 0, BIT(21) } } };

/* BTS is declared unavailable, PEBS (bit 12) is not. */
#define NETBURST_PMU								\
	.misc_enable = MISC_PERFMON | MISC_NO_BTS,				\
	.plain = LIST(p4_plain),						\
	.netburst = true,							\
	.issue_bits = 1,							\
	.ref = { 1, 0 },							\
	.bus = { 1, 4 },		/* 200 MHz at 3.2 GHz */		\
	.fill_buffers = 4,							\
	.memory_stall = 240

/* What PEBS calls them from Lion Cove on, in bits 7 to 0. */
static const uint8_t lioncove_sources[LOAD_ORIGIN_COUNT] = {
	[LOAD_L1] = 1, [LOAD_STORE] = 1, [LOAD_UNDER_WAY] = 3, [LOAD_L2] = 5, [LOAD_L3] = 8,
	[LOAD_MEMORY] = 0x11,
};

/*
 * The first Pentium, at 120 MHz, which never had long mode: pairs of instructions, 8 KiB of each
 * cache and a second level on the board; with MMX twice as much of each, four ways.  Its lines
 * have 32 bytes, the model's 64.
 */
#define PENTIUM									\
	.p5 = true,								\
	.gp = 2, .gp_width = 40,						\
	.issue_bits = 1,							\
	.branch_stall = 4,							\
	.memory_stall = 20,							\
	.ref = { 1, 0 },							\
	.bus = { 1, 1 },							\
	.load_cycles = 1,							\
	.fill_buffers = 1

static const struct pmu_profile profiles[] = {
	{
		.name = "p5",
		PENTIUM,
		.cache = {
			{ .set_bits = 6, .ways = 2 },
			{ .set_bits = 12, .ways = 1, .stall = 8 },	/* 256 KiB */
		},
		/* 8 KiB; 32 and 64 pages */
		.pages = { { 6, 2 }, { 3, 4 }, { 4, 4 } },
	}, {
		.name = "p55c",
		PENTIUM,
		.mmx = true,
		.cache = {
			{ .set_bits = 6, .ways = 4 },
			{ .set_bits = 12, .ways = 1, .stall = 8 },
		},
		.pages = { { 6, 4 }, { 3, 4 }, { 4, 4 } },
	}, {
		/* The PMU of a Pentium III (Coppermine), which never had long mode. */
		.name = "p6",
		.gp = 2, .gp_width = 40,
		.one_enable = true,
		.evtsel_writable = SEL_V2,
		.events = &pmu_events_p6,
		.plain = LIST(p6_plain),
		.issue_bits = 1,
		.branch_stall = 10,
		.memory_stall = 100,
		.ref = { 1, 0 },		/* no turbo */
		.bus = { 1, 3 },		/* 133 MHz at 1 GHz */
		.load_cycles = 3,
		.cache = {
			{ .set_bits = 6, .ways = 4 },			/* 16 KiB */
			{ .set_bits = 9, .ways = 8, .stall = 5 },	/* 256 KiB */
		},
		.fill_buffers = 4,
		/* 16 KiB; 32 and 64 pages */
		.pages = { { 6, 4 }, { 3, 4 }, { 4, 4 } },
	}, {
		/* Core 2 of 45 nm (model 23): PEBS without Merom's errata. */
		.name = "core2",
		.version = 2,
		.gp = 2, .gp_width = 40,
		.fixed = 3, .fixed_width = 40,
		.arch_events = 7,
		USUAL_CPUID,
		.misc_enable = MISC_PERFMON | MISC_NO_BTS,
		.capabilities = PEBS_CAPABILITIES(0),
		.lbr_depth = 4, .lbr_format = LBR_EIP,
		.evtsel_writable = SEL_V2,
		.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,
		.status_clearable = STATUS_DS | STATUS_COND_CHGD,
		.events = &pmu_events_core2,
		.pebs = &pmu_pebs_core2,
		.plain = LIST(core2_plain),
		.issue_bits = 2,
		.branch_stall = 15,
		.memory_stall = 180,
		.ref = { 1, 0 },		/* no turbo */
		.bus = { 1, 3 },		/* 333 MHz at 2.67 GHz */
		.load_cycles = 3,
		.cache = {
			{ .set_bits = 6, .ways = 8 },			/* 32 KiB */
			{ .set_bits = 12, .ways = 24, .stall = 10 },	/* 6 MiB */
		},
		.fill_buffers = 8,
		/* 32 KiB; 128 and 256 pages */
		.pages = { { 6, 8 }, { 5, 4 }, { 6, 4 } },
	}, {
		.name = "nehalem",
		VERSION_3,
		.capabilities = PEBS_CAPABILITIES(1),
		.lbr_depth = 16, .lbr_format = LBR_FLAGS,
		.events = &pmu_events_nehalem,
		.pebs = &pmu_pebs_nehalem,
		.plain = LIST(nehalem_plain),
		.offcore = { .hit = BIT(8), .miss = BIT(14) },
		CLIENT_CORE(17),
		.fill_buffers = 10,
		.bus = { 7, 7 },		/* 133 MHz, a 16th of the TSC */
		/* 32 KiB; 128 pages, and 512 of the second TLB */
		.pages = { { 7, 4 }, { 5, 4 }, { 7, 4 } },
	}, {
		.name = "sandybridge",
		VERSION_3,
		.gp_alone = 8,
		.capabilities = PEBS_CAPABILITIES(1) | CAP_FULL_WIDTH,
		.lbr_depth = 16, .lbr_format = LBR_FLAGS,
		.events = &pmu_events_sandybridge,
		.pebs = &pmu_pebs_bridge,
		.plain = LIST(bridge_plain),
		.offcore = OFFCORE_BITS(BIT(22)),
		.shape = &pmu_shape_sandybridge,
		.rapl_units = RAPL_UNITS_BRIDGE,
		CLIENT_CORE(15),
		.bus = { 7, 8 },
	}, {
		.name = "ivybridge",
		VERSION_3,
		.gp_alone = 8,
		.capabilities = PEBS_CAPABILITIES(1) | CAP_FULL_WIDTH,
		.lbr_depth = 16, .lbr_format = LBR_FLAGS,
		.events = &pmu_events_ivybridge,
		.pebs = &pmu_pebs_bridge,
		.plain = LIST(bridge_plain),
		.offcore = OFFCORE_BITS(BIT(22)),
		.shape = &pmu_shape_ivybridge,
		.rapl_units = RAPL_UNITS_BRIDGE,
		CLIENT_CORE(15),
		.bus = { 7, 8 },
	}, {
		.name = "haswell",
		VERSION_3,
		.gp_alone = 8,
		.capabilities = PEBS_CAPABILITIES(2) | CAP_FULL_WIDTH,
		.lbr_depth = 16, .lbr_format = LBR_FLAGS_TSX,
		.events = &pmu_events_haswell,
		.pebs = &pmu_pebs_haswell,
		.plain = LIST(haswell_plain),
		.offcore = OFFCORE_BITS(BIT(22)),
		.shape = &pmu_shape_haswell,
		.rapl_units = RAPL_UNITS,
		CLIENT_CORE(15),
		.bus = { 7, 8 },
	}, {
		.name = "skylake",
		VERSION_4,
		.events = &pmu_events_skylake,
		.pebs = &pmu_pebs_skylake,
		SKYLAKE_CORE,
	}, {
		.name = "icelake",
		.version = 5,
		BASELINE_PMU,
		METRICS(4),
		ICELAKE_EVENTS,
		USUAL_CPUID,
		.lbr_depth = 32, .lbr_format = LBR_INFO,
		.plain = LIST(icelake_plain),
		ICELAKE_CORE,
	}, {
		.name = "sapphirerapids",
		.version = 5,
		BASELINE_PMU,
		BIG_CORE_LBR,
		METRICS(8),
		.two_latencies = true,
		.events = &pmu_events_sapphirerapids,
		.pebs = &pmu_pebs_sapphirerapids,
		USUAL_CPUID,
		.plain = LIST(sapphirerapids_plain),
		SAPPHIRERAPIDS_CORE,
	}, {
		/* Its core differs little, and that is not modelled. */
		.name = "graniterapids",
		.version = 5,
		BASELINE_PMU,
		BIG_CORE_LBR,
		METRICS_REGISTER(8),
		.capabilities = PEBS_CAPABILITIES(5) | CAP_FULL_WIDTH | CAP_PEBS_BASELINE |
				CAP_METRICS | CAP_TIMED_PEBS,
		.two_latencies = true,
		.events = &pmu_events_graniterapids,
		.pebs = &pmu_pebs_sapphirerapids,
		.cpuid = LIST(graniterapids_cpuid),
		.plain = LIST(graniterapids_plain),
		SAPPHIRERAPIDS_CORE,
	}, {
		/* The same as a cloud has it: no leaf beyond 0AH, no PEBS, old counters. */
		.name = "graniterapids-v2",
		.version = 2,
		.gp = 8, .gp_width = 48,
		.fixed = 4, .fixed_width = 48,
		.arch_events = 8,
		.misc_enable = MISC_PERFMON | MISC_NO_BTS | MISC_NO_PEBS,
		.evtsel_writable = SEL_V2,
		.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,
		.status_clearable = STATUS_COND_CHGD,
		.events = &pmu_events_graniterapids,
		.offcore = OFFCORE_BITS(BIT(26)),
		.plain = LIST(graniterapids_v2_plain),
		GOLDENCOVE_CORE,
		.server = true,
	}, {
		/* Leaf 0AH has what both kinds of its cores have. */
		.name = "alderlake",
		.version = 5,
		BASELINE_PMU,
		BIG_CORE_LBR,
		.gp_said = 6, .fixed_said = 3, .arch_said = 7,
		HYBRID_METRICS,
		.two_latencies = true,
		.events = &pmu_events_sapphirerapids,
		.pebs = &pmu_pebs_sapphirerapids,
		.cpuid = LIST(alderlake_cpuid),
		.plain = LIST(sapphirerapids_plain),
		GOLDENCOVE_CORE,
		.small = "alderlake-e",
	}, {
		.name = "alderlake-e",
		GRACEMONT_PMU,
		.cpuid = LIST(alderlake_e_cpuid),
		ATOM_CORE(11),
	}, {
		/* The same with its small cores off: the hybrid bit stays. */
		.name = "alderlake-p",
		.version = 5,
		BASELINE_PMU,
		BIG_CORE_LBR,
		HYBRID_METRICS,
		.two_latencies = true,
		.events = &pmu_events_sapphirerapids,
		.pebs = &pmu_pebs_sapphirerapids,
		.cpuid = LIST(alderlake_cpuid),
		.plain = LIST(sapphirerapids_plain),
		GOLDENCOVE_CORE,
	}, {
		.name = "alderlake-n",
		GRACEMONT_PMU,
		.cpuid = LIST(gracemont_cpuid),
		ATOM_CORE(11),
	}, {
		.name = "sierraforest",
		CRESTMONT_PMU(crestmont),
		.cpuid = LIST(crestmont_cpuid),
		ATOM_CORE(12),
		.server = true,
	}, {
		/* Its big core does not announce PERF_METRICS either (erratum RPL018). */
		.name = "meteorlake",
		.version = 5,
		BASELINE_PMU,
		BIG_CORE_LBR,
		.gp_said = 8, .fixed_said = 3, .arch_said = 7,
		METRICS_REGISTER(8),
		.capabilities = PEBS_CAPABILITIES(5) | CAP_FULL_WIDTH | CAP_PEBS_BASELINE |
				CAP_TIMED_PEBS,
		.two_latencies = true,
		.events = &pmu_events_graniterapids,
		.pebs = &pmu_pebs_sapphirerapids,
		.cpuid = LIST(meteorlake_cpuid),
		.plain = LIST(graniterapids_plain),
		GOLDENCOVE_CORE,
		.small = "meteorlake-e",
	}, {
		.name = "meteorlake-e",
		CRESTMONT_PMU(crestmont_client),
		.cpuid = LIST(meteorlake_e_cpuid),
		ATOM_CORE(11),
	}, {
		/* Three kinds: Lion Cove, Skymont, and Crestmont in the low-power cores. */
		.name = "arrowlake-h",
		.version = 5,
		LIONCOVE_PMU,
		METRICS_REGISTER(8),
		.arch_events = 8,
		.gp_said = 8, .fixed_said = 3, .arch_said = 7,
		.fixed_ctrl_more = FIXED_ADAPTIVE,
		.capabilities = LIONCOVE_CAPABILITIES(5),
		.events = &pmu_events_lioncove,
		.cpuid = LIST(lioncove_cpuid),
		.plain = LIST(lioncove_plain),
		LIONCOVE_CORE,
		.small = "arrowlake-h-e",
		.low_power = "arrowlake-h-l",
	}, {
		.name = "arrowlake-h-e",
		.version = 5,
		SKYMONT_PMU,
		SMALL_STATUS(0),
		SMALL_EVENTS(skymont),
		.arch_events = 7,
		.fixed_said = 3,
		.capabilities = SKYMONT_CAPABILITIES(5),
		.cpuid = LIST(skymont_cpuid),
		.plain = LIST(skymont_plain),
		ATOM_CORE(12),
	}, {
		.name = "arrowlake-h-l",
		CRESTMONT_PMU(crestmont_client),
		.cpuid = LIST(meteorlake_e_cpuid),
		ATOM_CORE(11),
	}, {
		/* Gemini Lake without PEBS on fixed counters; the second level is its last. */
		.name = "goldmontplus",
		.version = 4,
		.gp = 4, .gp_width = 48,
		.fixed = 3, .fixed_width = 48,
		.arch_events = 7,
		.no_any = true,
		.misc_enable = MISC_PERFMON | MISC_NO_BTS,
		.capabilities = PEBS_CAPABILITIES(3) | CAP_FULL_WIDTH,
		.lbr_depth = 32, .lbr_format = LBR_INFO,
		.evtsel_writable = SEL_V2,
		.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,
		.status_clearable = STATUS_V4 | STATUS_COND_CHGD,
		.status_settable = STATUS_V4,
		.events = &pmu_events_goldmont,
		.pebs = &pmu_pebs_goldmont,
		.plain = LIST(goldmont_plain),
		.offcore = OFFCORE_BITS(BIT(26)),
		USUAL_CPUID,
		.rapl_units = RAPL_UNITS,
		.issue_bits = 2,
		.branch_stall = 13,
		.memory_stall = 180,
		.ref = { 7, 3 },
		.bus = { 7, 8 },
		.load_cycles = 3,
		.pebs_memory_source = SHARED_DRAM,
		.cache = {
			{ .set_bits = 6, .ways = 6 },			/* 24 KiB */
			{ .set_bits = 12, .ways = 16, .stall = 16 },	/* 4 MiB */
		},
		.fill_buffers = 8,
		/* 32 KiB of code; 64 and 512 pages */
		.pages = { { 6, 8 }, { 4, 4 }, { 7, 4 } },
	}, {
		/* An Elkhart Lake. */
		.name = "tremont",
		ATOM_PMU(4),
		.capabilities = ICELAKE_CAPABILITIES,
		.lbr_depth = 32, .lbr_format = LBR_INFO,
		.events = &pmu_events_tremont,
		.pebs = &pmu_pebs_tremont,
		.cpuid = LIST(tremont_cpuid),
		.plain = LIST(tremont_plain),
		ATOM_CORE(11),
	}, {
		.name = "perfmon6",
		.version = 6,
		BASELINE_PMU,
		BIG_CORE_LBR,
		NO_METRICS,
		ICELAKE_EVENTS,
		.cpuid = LIST(perfmon6_cpuid),
		.plain = LIST(perfmon6_plain),
		ICELAKE_CORE,
	}, {
		.name = "lunarlake",
		LIONCOVE_V6_PMU,
		METRICS_REGISTER(8),
		.capabilities = LIONCOVE_CAPABILITIES(6) | CAP_METRICS_CLEAR,
		.events = &pmu_events_lioncove,
		.cpuid = LIST(lioncove_cpuid),
		.plain = LIST(lunarlake_plain),
		LIONCOVE_CORE,
		.small = "lunarlake-e",
	}, {
		.name = "lunarlake-e",
		SKYMONT_PMU,
		COMMON_V6,
		SMALL_STATUS(0),
		SMALL_EVENTS(skymont_alone),
		.capabilities = SKYMONT_CAPABILITIES(6),
		.cpuid = LIST(skymont_cpuid),
		.plain = LIST(lunarlake_e_plain),
		ATOM_CORE(12),
	}, {
		/* Cougar Cove and Darkmont; PEBS is architectural. */
		.name = "pantherlake",
		LIONCOVE_V6_PMU,
		METRICS_REGISTER_WITH(8, STATUS_ARCH_PEBS),
		.capabilities = LIONCOVE_CAPABILITIES(0xf) | CAP_METRICS_CLEAR,
		.arch_pebs = CFG_C_PEBS | (uint64_t)COUGARCOVE_PEBS << 32 | CFG_C_RELOAD,
		.events = &pmu_events_cougarcove,
		.cpuid = LIST(cougarcove_cpuid),
		.plain = LIST(pantherlake_plain),
		LIONCOVE_CORE,
		.small = "pantherlake-e",
	}, {
		.name = "pantherlake-e",
		SKYMONT_PMU,
		COMMON_V6,
		SMALL_STATUS(STATUS_ARCH_PEBS),
		SMALL_EVENTS(darkmont),
		.capabilities = SKYMONT_CAPABILITIES(0xf),
		.arch_pebs = CFG_C_PEBS | (uint64_t)DARKMONT_PEBS << 32 | CFG_C_RELOAD,
		.cpuid = LIST(darkmont_cpuid),
		.plain = LIST(pantherlake_e_plain),
		ATOM_CORE(12),
	}, {
		/* Model 4, 90 nm. */
		.name = "p4",
		NETBURST_PMU,
		.p4 = &p4_prescott,
		.cpuid = LIST(prescott_cpuid),
		.branch_stall = 30,
		.load_cycles = 4,
		.cache = {
			{ .set_bits = 5, .ways = 8 },			/* 16 KiB */
			{ .set_bits = 11, .ways = 8, .stall = 24 },	/* 1 MiB */
		},
	}, {
		/* Model 2, 130 nm. */
		.name = "p4-northwood",
		NETBURST_PMU,
		.p4 = &p4_northwood,
		.cpuid = LIST(northwood_cpuid),
		.branch_stall = 20,
		.load_cycles = 2,
		.cache = {
			{ .set_bits = 5, .ways = 4 },			/* 8 KiB */
			{ .set_bits = 10, .ways = 8, .stall = 16 },	/* 512 KiB */
		},
	}, {
		/* Nobody has a list of its events; those that it has are precise as well. */
		.name = "unknown",
		VERSION_4,
		.pebs = &pmu_pebs_skylake,
		SKYLAKE_CORE,
	}, {
		/* What hypervisors that swallow writes show. */
		.name = "faulty-zero",
		VERSION_4_PMU,
		.plain = LIST(swallowed_plain),
		.dead = ALL_COUNTERS,
		.events = &pmu_events_skylake,
		.pebs = &pmu_pebs_skylake,
		SKYLAKE_CORE,
	}, {
		.name = "faulty-stuck",
		VERSION_4,
		.stuck = ALL_COUNTERS,
		.events = &pmu_events_skylake,
		.pebs = &pmu_pebs_skylake,
		SKYLAKE_CORE,
	}, {
		.name = "faulty-one",
		VERSION_4,
		.stuck = BIT(2),
		.events = &pmu_events_skylake,
		.pebs = &pmu_pebs_skylake,
		SKYLAKE_CORE,
	},
};

const struct pmu_profile *pmu_profile_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}

const char *pmu_profile_name(const struct pmu *pmu)
{
	return pmu->profile->name;
}

static bool is_kind_of(const struct pmu_profile *p, const char *name)
{
	return (p->small && !strcmp(p->small, name)) ||
	       (p->low_power && !strcmp(p->low_power, name));
}

const struct pmu_profile *pmu_profile_head(const struct pmu_profile *profile)
{
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++)
		if (is_kind_of(&profiles[i], profile->name))
			return &profiles[i];
	return profile;
}

const char *pmu_core_of_kind(const char *profile, char kind)
{
	const struct pmu_profile *p = pmu_profile_find(profile);

	if (!p || !p->small)
		return NULL;
	return kind == 'p' ? p->name : kind == 'e' ? p->small : kind == 'l' ? p->low_power : NULL;
}
