/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bits of the registers that the PMU model has.
 */
#ifndef PMUBOX_REGISTERS_H
#define PMUBOX_REGISTERS_H

#include <stdint.h>

#define BIT(n) (UINT64_C(1) << (n))

/* IA32_MISC_ENABLE */
#define MSR_MISC_ENABLE 0x1a0
#define MISC_FAST_STRINGS BIT(0)	/* on at power-on */
#define MISC_PERFMON BIT(7)
#define MISC_NO_STREAMER BIT(9)
#define MISC_NO_BTS BIT(11)
#define MISC_NO_PEBS BIT(12)
#define MISC_NO_ADJACENT BIT(19)
#define MISC_NO_NEXT_LINE BIT(37)	/* of Core 2 */
#define MISC_NO_STRIDE BIT(39)

/* IA32_PERF_CAPABILITIES */
#define CAP_PEBS_TRAP BIT(6)
#define CAP_PEBS_REGS BIT(7)
#define CAP_PEBS_FORMAT(n) ((uint64_t)(n) << 8)
#define CAP_PEBS_FORMAT_OF(cap) ((unsigned int)((cap) >> 8) & 0xf)
#define CAP_FULL_WIDTH BIT(13)
#define CAP_PEBS_BASELINE BIT(14)
#define CAP_METRICS BIT(15)
#define CAP_TIMED_PEBS BIT(17)		/* records have the retire latency */
#define CAP_METRICS_CLEAR BIT(19)	/* FIXED_METRICS_CLEAR is there */

/* IA32_PERFEVTSELx */
#define SEL_CODE UINT64_C(0xffff)
#define SEL_EVENT UINT64_C(0xff)
#define SEL_USR BIT(16)
#define SEL_OS BIT(17)
#define SEL_EDGE BIT(18)
#define SEL_INT BIT(20)
#define SEL_ANY BIT(21)
#define SEL_EN BIT(22)
#define SEL_INV BIT(23)
#define SEL_ADAPTIVE BIT(34)
#define SEL_EQ BIT(36)
#define SEL_UMASK2_BITS (UINT64_C(0xff) << 40)
#define SEL_UMASK2(sel) ((unsigned int)((sel) >> 40) & 0xff)
#define SEL_CMASK(sel) ((unsigned int)((sel) >> 24) & 0xff)
#define SEL_HOW (SEL_EDGE | SEL_INV | UINT64_C(0xff000000))	/* how events are compared */

/* IA32_FIXED_CTR_CTRL, each field */
#define FIXED_OS 1
#define FIXED_USR 2
#define FIXED_RINGS 3
#define FIXED_ANY 4
#define FIXED_PMI 8
#define FIXED_BITS 4
#define FIXED_ADAPTIVE_OF(i) BIT(32 + FIXED_BITS * (i))
#define FIXED_METRICS_CLEAR BIT(14)	/* who reads PERF_METRICS empties it */

/* IA32_PERF_GLOBAL_STATUS and its relatives */
#define STATUS_FIXED 32			/* first bit of fixed counters */
#define STATUS_METRICS BIT(48)
#define STATUS_ARCH_PEBS BIT(54)	/* its buffer has reached the threshold */
#define STATUS_LBR_FRZ BIT(58)
#define STATUS_CTR_FRZ BIT(59)
#define STATUS_ASCI BIT(60)
#define STATUS_UNCORE BIT(61)
#define STATUS_DS BIT(62)
#define STATUS_COND_CHGD BIT(63)

/* IA32_PERF_GLOBAL_INUSE */
#define INUSE_PMI BIT(63)

/* IA32_DEBUGCTL */
#define MSR_DEBUGCTL 0x1d9
#define DEBUGCTL_LBR BIT(0)
#define DEBUGCTL_BTF BIT(1)
#define DEBUGCTL_FREEZE_LBR BIT(11)
#define DEBUGCTL_FREEZE_PERFMON BIT(12)

/* IA32_LBR_CTL: on, what is wanted (a bit per ring, then one per kind), a stack of calls. */
#define LBR_CTL_ON BIT(0)
#define LBR_CTL_KERNEL BIT(1)
#define LBR_CTL_USER BIT(2)
#define LBR_CTL_CALL_STACK BIT(3)
#define LBR_CTL_KINDS UINT64_C(0x7f0000)
/* IA32_LBR_x_INFO, and the same in an old one's */
#define LBR_INFO_MOST_CYCLES 0xffff
#define LBR_INFO_TYPE_SHIFT 56
#define LBR_INFO_CYCLES_VALID BIT(60)

#define MSR_PREFETCH 0x1a4		/* bits: L2 streamer, L2 adjacent, L1 next, L1 by IP */
#define MSR_PREFETCH_L2 0x1320		/* of small cores, and what follows */
#define MSR_OFFCORE_RSP_0 0x1a6
#define MSR_GLOBAL_STATUS 0x38e
#define MSR_GLOBAL_CTRL 0x38f
#define MSR_PEBS_ENABLE 0x3f1
#define MSR_PEBS_DATA_CFG 0x3f2
#define MSR_PEBS_BASE 0x3f4
#define MSR_PEBS_INDEX 0x3f5
#define MSR_LD_LAT_THRESHOLD 0x3f6
#define MSR_FRONTEND 0x3f7
#define MSR_DS_AREA 0x600
#define MSR_PKG_POWER_LIMIT 0x610
#define MSR_PP0_POWER_LIMIT 0x638

/* IA32_PEBS_ENABLE; counters as in GLOBAL_CTRL, where they may be recorded. */
#define PEBS_LATENCY_OF(i) BIT(32 + (i))	/* before version 5 */
#define PEBS_STORES BIT(63)

/* MSR_PEBS_DATA_CFG, and the same in what a record says of itself */
#define PEBS_GROUP_MEMORY BIT(0)
#define PEBS_GROUP_GPR BIT(1)
#define PEBS_GROUP_XMM BIT(2)
#define PEBS_GROUP_LBR BIT(3)
#define PEBS_GROUP_COUNTERS BIT(4)	/* format 6, as those below */
#define PEBS_GROUP_METRICS BIT(5)
#define PEBS_GROUPS 0x3f
#define PEBS_LBR_SHIFT 24
#define PEBS_LBR_ENTRIES(cfg) (((unsigned int)((cfg) >> PEBS_LBR_SHIFT) & 0xff) + 1)
#define PEBS_GP_SHIFT 32		/* which counters, as bits */
#define PEBS_FIXED_SHIFT 48

/* IA32_PEBS_BASE: where the buffer is, and the pages that it has: a power of two */
#define PEBS_BASE_PAGE UINT64_C(0x1000)
#define PEBS_BASE_SIZE UINT64_C(0x1f)
#define PEBS_BASE_MOST 15		/* as much as the index can name */

/* IA32_PEBS_INDEX */
#define INDEX_WR UINT64_C(0x7fffff0)	/* bytes of records */
#define INDEX_FULL BIT(31)
#define INDEX_EN BIT(32)
#define INDEX_THRESH (UINT64_C(0x7fffff) << 36)
#define INDEX_THRESH_BYTES(index) ((index) >> 32 & INDEX_WR)

/* IA32_PMC_GPn_CFG_C and IA32_PMC_FXm_CFG_C */
#define CFG_C_RELOAD UINT32_MAX
#define CFG_C_ALLOW BIT(35)		/* may be in records, others' too */
#define CFG_C_GP BIT(36)		/* its records have counters ... */
#define CFG_C_FIXED BIT(37)
#define CFG_C_METRICS BIT(38)
#define CFG_C_LBR (UINT64_C(3) << 40)	/* ... and branch records, up to the depth */
#define CFG_C_LBR_8 (UINT64_C(1) << 40)
#define CFG_C_LBR_16 (UINT64_C(2) << 40)
#define CFG_C_XMM BIT(49)
#define CFG_C_YMMH BIT(50)
#define CFG_C_GPR BIT(61)
#define CFG_C_AUX BIT(62)
#define CFG_C_PEBS BIT(63)

#endif
