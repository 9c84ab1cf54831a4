/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of the perfmon backend: registers, bits, facts.
 */
#ifndef PMUCTL_PERFMON_H
#define PMUCTL_PERFMON_H

#include <linux/bits.h>
#include <linux/types.h>

#include "kmod/pmu/msr.h"
#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"

#define MSR_PMC			0x0c1
#define MSR_EVTSEL		0x186
#define MSR_MISC_ENABLE		0x1a0
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED_CTR		0x309
#define MSR_METRICS		PMUCTL_MSR_METRICS
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_OVF_CTRL	0x390	/* v4: GLOBAL_STATUS_RESET */
#define MSR_GLOBAL_STATUS_SET	0x391	/* from v4 on */
#define MSR_PEBS_ENABLE		0x3f1
#define MSR_PEBS_GROUPS		0x3f2	/* MSR_PEBS_DATA_CFG */
#define MSR_PEBS_BASE		0x3f4	/* of architectural PEBS */
#define MSR_PEBS_INDEX		0x3f5
#define MSR_FULL_PMC		0x4c1
#define MSR_RTIT_CTL		0x570
#define MSR_DS_AREA		PMUCTL_MSR_DS_AREA
#define MSR_LBR_CTL		0x14ce
#define MSR_LBR_DEPTH		0x14cf
/* Version 6: of a counter, and of the next one behind so many others. */
#define MSR_CFG_B		0x1902
#define MSR_CFG_C		0x1903
#define MSR_FIXED_CFG_B		0x1982
#define MSR_FIXED_CFG_C		0x1983
#define MSR_CFG_STEP		4

#define DEBUGCTL_LBR		BIT_ULL(0)
#define DEBUGCTL_BTS		BIT_ULL(7)
#define DEBUGCTL_FREEZE_LBR	BIT_ULL(11)
#define DEBUGCTL_FREEZE		(DEBUGCTL_FREEZE_LBR | BIT_ULL(12))
/* From this version on a PMI freezes by a bit of GLOBAL_STATUS. */
#define VERSION_STREAMLINED	4

#define CAP_PEBS_FORMAT		GENMASK_ULL(11, 8)
#define CAP_PEBS_FORMAT_SHIFT	8
#define CAP_FULL_WIDTH		PMUCTL_CAP_FULL_WIDTH
#define CAP_BASELINE		BIT_ULL(14)
#define CAP_METRICS		BIT_ULL(15)
#define CAP_TIMED_PEBS		BIT_ULL(17)

#define EVTSEL_EVENT		GENMASK_ULL(7, 0)
#define EVTSEL_UMASK		GENMASK_ULL(15, 8)
#define EVTSEL_CODE		(EVTSEL_EVENT | EVTSEL_UMASK)
#define EVTSEL_USR		BIT_ULL(16)
#define EVTSEL_OS		BIT_ULL(17)
#define EVTSEL_EDGE		BIT_ULL(18)
#define EVTSEL_PC		BIT_ULL(19)
#define EVTSEL_INT		BIT_ULL(20)
#define EVTSEL_ANY		PMUCTL_EVTSEL_ANY
#define EVTSEL_EN		BIT_ULL(22)
#define EVTSEL_INV		BIT_ULL(23)
#define EVTSEL_CMASK		GENMASK_ULL(31, 24)
#define EVTSEL_CMASK_SHIFT	24
#define EVTSEL_ADAPTIVE		BIT_ULL(34)
#define EVTSEL_EQ		BIT_ULL(36)
#define EVTSEL_UMASK2		GENMASK_ULL(47, 40)

#define FIXED_OS		BIT_ULL(0)
#define FIXED_USR		BIT_ULL(1)
#define FIXED_ANY		BIT_ULL(2)
#define FIXED_PMI		BIT_ULL(3)
#define FIXED_NIBBLE		GENMASK_ULL(3, 0)
/* Of fixed counter 0; as far apart for the next ones as the four bits are. */
#define FIXED_ADAPTIVE		BIT_ULL(32)

#define INSTRUCTIONS		0x00c0
#define ARCH_INSTRUCTIONS	BIT(1)

/* Fixed counter i exists; v5 may leave holes. */
static inline bool pmuctl_has_fixed(const struct pmuctl_caps *caps,
				    unsigned int i)
{
	return caps->counters & BIT_ULL(PMUCTL_FIXED_BASE + i);
}

/* perfmon/facts.c */
int pmuctl_perfmon_probe(struct pmuctl_caps *caps);

/* perfmon/leaves.c: CPUID leaf 23H, which not all processors have. */
/* More than any version has. */
#define PMUCTL_LEAF_GP_MAX	12
/* How many general-purpose ones this core has, and which fixed ones. */
void pmuctl_leaf_counters(u32 *gp, u32 *fixed);
/* Those that record, by bit; and what of CFG_C[63:32] there is. */
u64 pmuctl_leaf_pebs_counters(void);
u64 pmuctl_leaf_pebs_groups(void);
/*
 * perf leaves in CFG_B and CFG_C what a counter's overflow is to reload, or
 * record, so that it would go on to with ours: which counters have them.
 */
void pmuctl_leaf_cfg(struct pmuctl_caps *caps);
/* What an event select has beyond its lower half. */
void pmuctl_leaf_fields(struct pmuctl_caps *caps);

/* perfmon/events.c */
int pmuctl_perfmon_validate(struct pmuctl_event *event,
			    const struct pmuctl_why *why);
void pmuctl_perfmon_encode(struct pmuctl_event *event, struct pmuctl_reg *reg);

/* perfmon/errata.c */
void pmuctl_errata_probe(struct pmuctl_caps *caps);
/* Before the event's counters and its period are looked at by anybody else. */
int pmuctl_errata_validate(struct pmuctl_event *event,
			   const struct pmuctl_why *why);

/* perfmon/before.c: their values are lost; nothing where it is not needed. */
void pmuctl_events_before(u64 counters);

/* perfmon/perfmon.c: see struct pmuctl_backend. */
const char *pmuctl_perfmon_foreign(void);
u64 pmuctl_perfmon_fixed_on(void);
void pmuctl_perfmon_save(u64 *saved);
void pmuctl_perfmon_adopt(u64 *saved, const u64 *of_sibling);
void pmuctl_perfmon_restore(const u64 *saved, bool shared);
const char *pmuctl_perfmon_pretends(struct pmuctl_regs *regs);
u64 pmuctl_perfmon_mask(unsigned int slot);
u64 pmuctl_perfmon_metrics(void);
void pmuctl_perfmon_clear_metrics(void);
void pmuctl_perfmon_reset(struct pmuctl_regs *regs);
void pmuctl_perfmon_program(struct pmuctl_regs *regs,
			    const struct pmuctl_event *event);
/* On another general-purpose counter than that of its slot. */
void pmuctl_perfmon_program_at(struct pmuctl_regs *regs,
			       const struct pmuctl_event *event,
			       unsigned int counter);
void pmuctl_perfmon_enable(struct pmuctl_regs *regs, u64 counters);
u64 pmuctl_perfmon_read(unsigned int slot);
u32 pmuctl_perfmon_rdpmc(unsigned int slot);
u64 pmuctl_perfmon_rearm(unsigned int slot);
u64 pmuctl_perfmon_arm(unsigned int slot, u64 left);
u64 pmuctl_perfmon_overflows(u64 ran);

/* perfmon/mended.c: the same where they take more. */
void pmuctl_perfmon_twins_reset(struct pmuctl_regs *regs);
void pmuctl_perfmon_twins_program(struct pmuctl_regs *regs,
				  const struct pmuctl_event *event);
void pmuctl_perfmon_twins_enable(struct pmuctl_regs *regs, u64 counters);
u64 pmuctl_perfmon_twins_read(unsigned int slot);
u64 pmuctl_perfmon_twins_rearm(unsigned int slot);
u64 pmuctl_perfmon_twins_arm(unsigned int slot, u64 left);
u64 pmuctl_perfmon_twins_overflows(u64 ran);
void pmuctl_perfmon_twins_pebs_try(struct pmuctl_regs *regs,
				   const struct pmuctl_ds *ds);

void pmuctl_auxiliary_program(struct pmuctl_regs *regs,
			      const struct pmuctl_event *event);
void pmuctl_fresh_program(struct pmuctl_regs *regs,
			  const struct pmuctl_event *event);
void pmuctl_fresh_enable(struct pmuctl_regs *regs, u64 counters);

/* perfmon/pebs.c */
/* Its registers do. */
bool pmuctl_pebs_exists(const struct pmuctl_caps *caps);
void pmuctl_pebs_probe(struct pmuctl_caps *caps);
int pmuctl_pebs_validate(struct pmuctl_event *event,
			 const struct pmuctl_why *why);
/* What else the event sets, once it has its counter. */
void pmuctl_pebs_encode(struct pmuctl_event *event);
void pmuctl_pebs_reset(void);
void pmuctl_pebs_program(struct pmuctl_regs *regs,
			 const struct pmuctl_event *event);
/* What PEBS_ENABLE holds. */
u64 pmuctl_pebs_enabled(const struct pmuctl_regs *regs);
/* Again: slots have other counters. */
void pmuctl_pebs_write(struct pmuctl_regs *regs);
/* A guest is entered, and left: on the CPU, IRQs off. */
void pmuctl_pebs_pause(struct pmuctl_regs *regs);
void pmuctl_pebs_resume(struct pmuctl_regs *regs);
/* The registers that are given back as found; returns how many. */
unsigned int pmuctl_pebs_msrs(u32 *msrs);

/* See pmuctl_pebs_arm(). */
void pmuctl_pebs_unready(struct pmuctl_regs *regs, unsigned int counter);

/* perfmon/pebs_index.c: architectural PEBS. */
static inline bool pmuctl_pebs_is_architectural(void)
{
	return pmuctl_caps.pebs_format == PEBS_ARCHITECTURAL;
}

bool pmuctl_index_exists(void);
void pmuctl_index_probe(struct pmuctl_caps *caps);
unsigned int pmuctl_index_msrs(u32 *msrs);
void pmuctl_index_reset(void);
/* Of those counters whose events have PEBS these are recorded. */
void pmuctl_index_record(struct pmuctl_regs *regs, u64 counters);
/* The register that says so of a counter. */
u32 pmuctl_cfg_c_msr(unsigned int slot);
/* The same by hand, of a general-purpose counter; period 0: not. */
void pmuctl_index_try(unsigned int counter, u32 period);
extern const struct pmuctl_buffer pmuctl_index;

/* perfmon/disturbed.c */
u32 pmuctl_perfmon_disturbed(const struct pmuctl_regs *regs);

/* perfmon/tries.c */
void pmuctl_perfmon_pebs_try(struct pmuctl_regs *regs,
			     const struct pmuctl_ds *ds);
void pmuctl_perfmon_pmi_try(struct pmuctl_regs *regs);

/* perfmon/extra.c */
int pmuctl_extra_validate(const struct pmuctl_event *event,
			  const struct pmuctl_why *why);
void pmuctl_extra_program(struct pmuctl_regs *regs,
			  const struct pmuctl_event *event);
/* The registers there are, each once; returns how many. */
unsigned int pmuctl_extra_msrs(u32 *msrs);
bool pmuctl_extra_is_shared(u32 msr);
/* The core was made with several threads. */
bool pmuctl_core_has_siblings(void);
/* Which there are, and which of them the threads of a core share. */
void pmuctl_extra_probe(struct pmuctl_caps *caps);

#endif
