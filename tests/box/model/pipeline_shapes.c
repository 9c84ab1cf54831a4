// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cores that have a pipeline, as data.  The figures are what these generations are
 * commonly said to have, not looked up one by one in a manual: the model wants a core of
 * that kind, not that core.  How a misprediction's cost is divided and what a line costs
 * the memory bus are guesses.
 */
#include "model.h"

#define P(n) (1 << (n))
#define P01 (P(0) | P(1))
#define P05 (P(0) | P(5))
#define P06 (P(0) | P(6))
#define P15 (P(1) | P(5))
#define P015 (P01 | P(5))
#define P0156 (P015 | P(6))
#define P23 (P(2) | P(3))
#define P237 (P23 | P(7))
#define P78 (P(7) | P(8))
#define P49 (P(4) | P(9))

/* Of 2011: three ports that compute, of which one has the branches. */
#define BRIDGE_UNITS(fp_div, int_div)					\
	.load_ports = P23, .address_ports = P23, .data_ports = P(4),		\
	.unit = {								\
		[PMU_CODE_ALU] = { P015, 1 },					\
		[PMU_CODE_SHIFT] = { P05, 1 },					\
		[PMU_CODE_LEA] = { P15, 1 },					\
		[PMU_CODE_LEA_SLOW] = { P(1), 3 },				\
		[PMU_CODE_MUL] = { P(1), 3 },					\
		[PMU_CODE_DIV] = { P(0), (int_div) },		\
		[PMU_CODE_MOVE] = { P015, 1 },					\
		[PMU_CODE_VEC_ALU] = { P15, 1 },				\
		[PMU_CODE_SHUFFLE] = { P15, 1 },				\
		[PMU_CODE_VEC_MUL] = { P(0), 5 },				\
		[PMU_CODE_FP_ADD] = { P(1), 3 },				\
		[PMU_CODE_FP_MUL] = { P(0), 5 },				\
		[PMU_CODE_FP_FMA] = { P(0), 5 },				\
		[PMU_CODE_FP_DIV] = { P(0), (fp_div) },		\
		[PMU_CODE_SQRT] = { P(0), (fp_div) },		\
		[PMU_CODE_X87] = { P(1), 3 },					\
		[PMU_CODE_TO_VEC] = { P(0), 2 },				\
		[PMU_CODE_JCC] = { P(5), 1 },					\
		[PMU_CODE_JMP] = { P(5), 1 },					\
		[PMU_CODE_CALL] = { P(5), 1 },					\
		[PMU_CODE_RET] = { P(5), 1 },					\
		[PMU_CODE_INDIRECT] = { P(5), 1 },				\
		[PMU_CODE_FAR] = { P(5), 20 },					\
		[PMU_CODE_STRING] = { P015, 1 },				\
		[PMU_CODE_SYSTEM] = { P015, 10 },				\
	}

/* From Haswell on a fourth port computes and branches. */
#define BROAD_UNITS(alu, lea)							\
	[PMU_CODE_ALU] = { (alu), 1 },						\
	[PMU_CODE_SHIFT] = { P06, 1 },						\
	[PMU_CODE_LEA] = { (lea), 1 },						\
	[PMU_CODE_LEA_SLOW] = { P(1), 3 },					\
	[PMU_CODE_MUL] = { P(1), 3 },						\
	[PMU_CODE_MOVE] = { (alu), 1 },						\
	[PMU_CODE_X87] = { P(1), 3 },						\
	[PMU_CODE_TO_VEC] = { P(0), 2 },					\
	[PMU_CODE_JCC] = { P06, 1 },						\
	[PMU_CODE_JMP] = { P(6), 1 },						\
	[PMU_CODE_CALL] = { P(6), 1 },						\
	[PMU_CODE_RET] = { P(6), 1 },						\
	[PMU_CODE_INDIRECT] = { P(6), 1 },					\
	[PMU_CODE_FAR] = { P(6), 20 },						\
	[PMU_CODE_STRING] = { (alu), 1 },					\
	[PMU_CODE_SYSTEM] = { (alu), 10 }

#define BRIDGE_CORE								\
	.width = 4, .retire = 4,						\
	.rob = 168, .rs = 54, .loads = 64, .stores = 36,			\
	.fill_buffers = 10,							\
	.dsb_rate = 4, .dsb_set_bits = 5, .dsb_ways = 6, .dsb_window = 5,	\
	.dsb_uops = 18,								\
	.decoders = 4, .fetch_bytes = 16, .ms_rate = 4,				\
	.dsb_switch = 2, .ms_switch = 3, .lcp = 3, .unknown_branch = 12,	\
	.recovery = 6, .resteer = 9,						\
	.stlb_hit = 7, .walk = 24, .line_interval = 12,				\
	.itlb = { 5, 4 }, .dtlb = { 4, 4 }, .stlb = { 7, 4 },			\
	.icache = { .set_bits = 6, .ways = 8 }

const struct pmu_core_shape pmu_shape_sandybridge = {
	BRIDGE_CORE,
	.queue = 28,
	BRIDGE_UNITS(22, 28),
};

const struct pmu_core_shape pmu_shape_ivybridge = {
	BRIDGE_CORE,
	.queue = 56,
	.moves_eliminated = true,
	BRIDGE_UNITS(15, 26),
};

const struct pmu_core_shape pmu_shape_haswell = {
	.width = 4, .retire = 4,
	.rob = 192, .rs = 60, .loads = 72, .stores = 42,
	.fill_buffers = 10,
	.queue = 56,
	.dsb_rate = 4, .dsb_set_bits = 5, .dsb_ways = 6, .dsb_window = 5,
	.dsb_uops = 18,
	.decoders = 4, .fetch_bytes = 16, .ms_rate = 4,
	.dsb_switch = 2, .ms_switch = 2, .lcp = 3, .unknown_branch = 12,
	.recovery = 6, .resteer = 9,
	.stlb_hit = 8, .walk = 24, .line_interval = 12,
	.itlb = { 5, 4 }, .dtlb = { 4, 4 }, .stlb = { 7, 8 },
	.icache = { .set_bits = 6, .ways = 8 },
	.moves_eliminated = true,
	.load_ports = P23, .address_ports = P237, .data_ports = P(4),
	.unit = {
		BROAD_UNITS(P0156, P15),
		[PMU_CODE_DIV] = { P(0), 26 },
		[PMU_CODE_VEC_ALU] = { P15, 1 },
		[PMU_CODE_SHUFFLE] = { P(5), 1 },
		[PMU_CODE_VEC_MUL] = { P(0), 5 },
		[PMU_CODE_FP_ADD] = { P(1), 3 },
		[PMU_CODE_FP_MUL] = { P01, 5 },
		[PMU_CODE_FP_FMA] = { P01, 5 },
		[PMU_CODE_FP_DIV] = { P(0), 15 },
		[PMU_CODE_SQRT] = { P(0), 15 },
	},
};

const struct pmu_core_shape pmu_shape_skylake = {
	.width = 4, .retire = 4,
	.rob = 224, .rs = 97, .loads = 72, .stores = 56,
	.fill_buffers = 12,
	.queue = 64,
	.dsb_rate = 6, .dsb_set_bits = 5, .dsb_ways = 6, .dsb_window = 5,
	.dsb_uops = 18,
	.decoders = 4, .fetch_bytes = 16, .ms_rate = 4,
	.dsb_switch = 2, .ms_switch = 2, .lcp = 3, .unknown_branch = 9,
	.recovery = 7, .resteer = 9,
	.stlb_hit = 9, .walk = 24, .line_interval = 12,
	.itlb = { 4, 8 }, .dtlb = { 4, 4 }, .stlb = { 7, 12 },
	.icache = { .set_bits = 6, .ways = 8 },
	.moves_eliminated = true,
	.load_ports = P23, .address_ports = P237, .data_ports = P(4),
	.unit = {
		BROAD_UNITS(P0156, P15),
		[PMU_CODE_DIV] = { P(0), 26 },
		[PMU_CODE_VEC_ALU] = { P015, 1 },
		[PMU_CODE_SHUFFLE] = { P(5), 1 },
		[PMU_CODE_VEC_MUL] = { P01, 5 },
		[PMU_CODE_FP_ADD] = { P01, 4 },
		[PMU_CODE_FP_MUL] = { P01, 4 },
		[PMU_CODE_FP_FMA] = { P01, 4 },
		[PMU_CODE_FP_DIV] = { P(0), 14 },
		[PMU_CODE_SQRT] = { P(0), 16 },
	},
};

#define COVE_UNITS(alu, lea)							\
	BROAD_UNITS((alu), (lea)),						\
	[PMU_CODE_DIV] = { P(1), 14 },					\
	[PMU_CODE_VEC_ALU] = { P015, 1 },					\
	[PMU_CODE_SHUFFLE] = { P15, 1 },					\
	[PMU_CODE_VEC_MUL] = { P01, 5 },					\
	[PMU_CODE_FP_MUL] = { P01, 4 },						\
	[PMU_CODE_FP_FMA] = { P01, 4 },						\
	[PMU_CODE_FP_DIV] = { P(0), 14 },					\
	[PMU_CODE_SQRT] = { P(0), 16 }

const struct pmu_core_shape pmu_shape_icelake = {
	.width = 5, .retire = 8,
	.rob = 352, .rs = 160, .loads = 128, .stores = 72,
	.fill_buffers = 12,
	.queue = 70,
	.dsb_rate = 6, .dsb_set_bits = 6, .dsb_ways = 5, .dsb_window = 5,
	.dsb_uops = 18,
	.decoders = 5, .fetch_bytes = 16, .ms_rate = 4,
	.dsb_switch = 2, .ms_switch = 3, .lcp = 3, .unknown_branch = 10,
	.recovery = 7, .resteer = 9, .clear_restart = 1,
	.stlb_hit = 7, .walk = 24, .line_interval = 12,
	.itlb = { 4, 8 }, .dtlb = { 4, 4 }, .stlb = { 7, 16 },
	.icache = { .set_bits = 6, .ways = 8 },
	.moves_eliminated = true,
	.load_ports = P23, .address_ports = P78, .data_ports = P49,
	.unit = {
		COVE_UNITS(P0156, P0156),
		[PMU_CODE_FP_ADD] = { P01, 4 },
	},
};

/* A fifth port that computes, a third that loads. */
#define P5ALU (P0156 | P(10))
#define P3LOAD (P23 | P(11))

const struct pmu_core_shape pmu_shape_sapphirerapids = {
	.width = 6, .retire = 8,
	.rob = 512, .rs = 200, .loads = 192, .stores = 112,
	.fill_buffers = 16,
	.queue = 144,
	.dsb_rate = 8, .dsb_set_bits = 6, .dsb_ways = 8, .dsb_window = 6,
	.dsb_uops = 48,
	.decoders = 6, .fetch_bytes = 32, .ms_rate = 4,
	.dsb_switch = 2, .ms_switch = 3, .lcp = 3, .unknown_branch = 10,
	.recovery = 7, .resteer = 9,
	.stlb_hit = 7, .walk = 24, .line_interval = 12,
	.itlb = { 5, 8 }, .dtlb = { 4, 6 }, .stlb = { 7, 16 },
	.icache = { .set_bits = 6, .ways = 8 },
	.moves_eliminated = true,
	.load_ports = P3LOAD, .address_ports = P78, .data_ports = P49,
	.unit = {
		COVE_UNITS(P5ALU, P5ALU),
		[PMU_CODE_FP_ADD] = { P15, 3 },
	},
};

/* Wider, with the same units; its buffer for reordering has 576 entries, and the model 512. */
const struct pmu_core_shape pmu_shape_lioncove = {
	.width = 8, .retire = 12,
	.rob = 512, .rs = 250, .loads = 192, .stores = 112,
	.fill_buffers = 16,
	.queue = 192,
	.dsb_rate = 12, .dsb_set_bits = 6, .dsb_ways = 10, .dsb_window = 6,
	.dsb_uops = 48,
	.decoders = 8, .fetch_bytes = 64, .ms_rate = 4,
	.dsb_switch = 2, .ms_switch = 3, .lcp = 3, .unknown_branch = 10,
	.recovery = 7, .resteer = 9,
	.stlb_hit = 7, .walk = 24, .line_interval = 12,
	.itlb = { 5, 8 }, .dtlb = { 4, 8 }, .stlb = { 7, 16 },
	.icache = { .set_bits = 6, .ways = 16 },
	.moves_eliminated = true,
	.load_ports = P3LOAD, .address_ports = P78, .data_ports = P49,
	.unit = {
		COVE_UNITS(P5ALU, P5ALU),
		[PMU_CODE_FP_ADD] = { P15, 3 },
	},
};

/*
 * Small cores.  They have no uop cache (nothing fits into the one way there is) and no queue of
 * microcode to switch to, so that what is lost in front of allocation is decoding, microcode, or
 * one of the latencies that they count.
 */
#define JUMPS (P(3) | P(11))
#define VECTORS (P(9) | P(10))
#define ALUS (P01 | P23)
#define MONT_UNITS								\
	.load_ports = P(4) | P(5), .address_ports = P(6) | P(7), .data_ports = P(8), \
	.unit = {								\
		[PMU_CODE_ALU] = { ALUS, 1 },					\
		[PMU_CODE_SHIFT] = { P01, 1 },					\
		[PMU_CODE_LEA] = { ALUS, 1 },					\
		[PMU_CODE_LEA_SLOW] = { P(1), 2 },				\
		[PMU_CODE_MUL] = { P(1), 3 },					\
		[PMU_CODE_DIV] = { P(1), 14 },					\
		[PMU_CODE_MOVE] = { ALUS, 1 },					\
		[PMU_CODE_VEC_ALU] = { VECTORS, 1 },				\
		[PMU_CODE_SHUFFLE] = { VECTORS, 1 },				\
		[PMU_CODE_VEC_MUL] = { P(9), 5 },				\
		[PMU_CODE_FP_ADD] = { VECTORS, 3 },				\
		[PMU_CODE_FP_MUL] = { VECTORS, 4 },				\
		[PMU_CODE_FP_FMA] = { VECTORS, 6 },				\
		[PMU_CODE_FP_DIV] = { P(9), 15 },				\
		[PMU_CODE_SQRT] = { P(9), 18 },					\
		[PMU_CODE_X87] = { P(9), 3 },					\
		[PMU_CODE_TO_VEC] = { P(9), 2 },				\
		[PMU_CODE_JCC] = { JUMPS, 1 },					\
		[PMU_CODE_JMP] = { JUMPS, 1 },					\
		[PMU_CODE_CALL] = { JUMPS, 1 },					\
		[PMU_CODE_RET] = { JUMPS, 1 },					\
		[PMU_CODE_INDIRECT] = { JUMPS, 1 },				\
		[PMU_CODE_FAR] = { P(3), 20 },					\
		[PMU_CODE_STRING] = { ALUS, 1 },				\
		[PMU_CODE_SYSTEM] = { ALUS, 10 },				\
	}

#define MONT_CORE								\
	.retire = 8,								\
	.rob = 256, .rs = 96, .loads = 80, .stores = 50,			\
	.fill_buffers = 16,							\
	.queue = 64,								\
	.dsb_rate = 1, .dsb_ways = 1, .dsb_window = 5,				\
	.decoders = 6, .fetch_bytes = 32, .ms_rate = 3,				\
	.unknown_branch = 7,							\
	.recovery = 5, .resteer = 8,						\
	.stlb_hit = 7, .walk = 24, .line_interval = 12,				\
	.itlb = { 4, 4 }, .dtlb = { 4, 3 }, .stlb = { 9, 4 },			\
	.icache = { .set_bits = 7, .ways = 8 },					\
	.moves_eliminated = true,						\
	MONT_UNITS

const struct pmu_core_shape pmu_shape_gracemont = { .width = 5, MONT_CORE };
const struct pmu_core_shape pmu_shape_crestmont = { .width = 6, MONT_CORE };
const struct pmu_core_shape pmu_shape_skymont = { .width = 8, MONT_CORE };
