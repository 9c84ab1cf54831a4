/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU model's interface to whatever runs the instructions: QEMU's
 * translated code in the box, a loop in a unit test.
 *
 * One struct pmu per logical CPU, used by that CPU's thread alone.  The host
 * lowers hot->budget by one for every instruction that starts and calls
 * pmu_sync() when it falls below zero; everything else (what a counter
 * counts, when it overflows, what a cache miss costs) is the model's business.
 *
 * "Boundary" below means that no instruction is in flight: a host that finds
 * the budget below zero at the start of an instruction adds one back, calls
 * pmu_sync(), and takes one again.  struct pmu_hot must survive a CPU reset.
 * needs and active may change in pmu_new, pmu_reset, pmu_wrmsr, pmu_pmi and
 * pmu_force; pmu_sync and the reads only ever add PMU_NEED_INSN.
 */
#ifndef PMUBOX_PMU_H
#define PMUBOX_PMU_H

#include <stdbool.h>
#include <stdint.h>

enum pmu_class {
	PMU_KERNEL,		/* CPL 0 */
	PMU_USER,		/* CPL 1..3 */
	PMU_CLASSES
};

/* What the host has to tell the model in one class. */
enum pmu_need {
	PMU_NEED_INSN = 1 << 0,		/* keep the budget */
	PMU_NEED_MEM = 1 << 1,		/* call pmu_mem() */
	PMU_NEED_BRANCH = 1 << 2,	/* call pmu_branch() */
	PMU_NEED_ALL = 7,
};

/* The truth: everything the model knows how to total. */
enum pmu_total {
	PMU_INSTRUCTIONS,
	PMU_CYCLES,
	PMU_REF_CYCLES,
	PMU_BRANCHES,
	PMU_BRANCH_MISSES,
	PMU_LOADS,
	PMU_STORES,
	PMU_L1D_MISSES,			/* loads that missed the first level */
	PMU_CACHE_REFERENCES,		/* last level */
	PMU_CACHE_MISSES,
	PMU_MSR_READS,			/* RDMSR, of any MSR */
	PMU_MSR_WRITES,
	PMU_RDPMCS,
	PMU_PMIS,			/* delivered to the local APIC unmasked */
	PMU_TOTALS
};

/* The part that translated code touches: the host embeds it in its CPU state. */
struct pmu_hot {
	int64_t budget;			/* instructions that may still start */
	uint8_t needs[PMU_CLASSES];	/* enum pmu_need bits, set by the model */
	uint8_t cls;			/* enum pmu_class that runs now */
	uint8_t active;			/* any need in any class */
};

enum pmu_access {
	PMU_DONE,
	PMU_FAULT,			/* #GP(0) */
	PMU_NOT_MINE,			/* not a register of the model */
};

struct pmu;

/* NULL if there is no such profile; skid: cycles from overflow to PMI. */
struct pmu *pmu_new(const char *profile, unsigned int skid, struct pmu_hot *hot);
void pmu_free(struct pmu *pmu);
/* RESET: every register as after power-on; truth totals go on. */
void pmu_reset(struct pmu *pmu);

/* CPUID leaf 0AH as eax, ebx, ecx, edx. */
void pmu_cpuid_0a(const struct pmu *pmu, uint32_t regs[4]);
/* ORs in what the profile adds to CPUID.1:ECX and EDX (DS, PDCM, DTES64...). */
void pmu_cpuid_1(const struct pmu *pmu, uint32_t *ecx, uint32_t *edx);
/* IA32_MISC_ENABLE: bits the profile sets and that software cannot change. */
uint64_t pmu_misc_enable(const struct pmu *pmu);

/*
 * RDMSR, WRMSR, RDPMC while an instruction is in flight: that instruction has
 * already been taken from the budget (where its class needs that); it has not
 * retired for a read and retires, under the old settings, with a write.  After
 * PMU_FAULT nothing has retired or changed: pmu_unretire() as for any fault.
 * A PMI that falls due here is reported by pmu_sync() at the next boundary.
 */
enum pmu_access pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
enum pmu_access pmu_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value);

/*
 * At a boundary between two instructions: count what has been consumed of the
 * budget, overflow, and set the next budget.  True if a PMI is due now: the
 * host delivers it (pmu_pmi() below) before the next instruction.
 */
bool pmu_sync(struct pmu *pmu);
/* The same, and what follows runs in class cls. */
bool pmu_set_class(struct pmu *pmu, enum pmu_class cls);
/* The PMI is delivered (dropped if the LVT entry is masked): freezes what the
 * registers say either way, and notes the truth of an unmasked one. */
void pmu_pmi(struct pmu *pmu, bool masked);

/* The instruction in flight, which the host took from the budget, does not
 * retire: give back its budget and undo its memory accesses. */
void pmu_unretire(struct pmu *pmu);
/* A REP instruction in flight goes round again: gives its budget back, as it
 * retires once; the iteration's memory accesses stay. */
void pmu_rep_again(struct pmu *pmu);
/* Instruction in flight read or wrote size bytes at a linear address. */
void pmu_mem(struct pmu *pmu, uint64_t addr, unsigned int size, bool store);
/* A branch at from retired and went to target; fall: the instruction behind.
 * Before the next instruction is taken, and before sync, set_class and reset. */
void pmu_branch(struct pmu *pmu, uint64_t from, uint64_t target, uint64_t fall);

/* Truth: keep these needs on in both classes whatever the registers say. */
void pmu_force(struct pmu *pmu, unsigned int needs);
/* Totals since pmu_new() of one class, synced by the caller. */
const uint64_t *pmu_totals(const struct pmu *pmu, enum pmu_class cls);
/* Host events that only the truth counts (MSR accesses, RDPMCs). */
void pmu_note(struct pmu *pmu, enum pmu_total what);
/* Every register of the model whose value is not the power-on value, synced by
 * the caller; the full-width aliases of counters are left out. */
void pmu_each_changed_msr(const struct pmu *pmu,
			  void (*fn)(void *data, uint32_t msr, uint64_t value), void *data);

#endif
