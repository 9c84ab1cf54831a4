/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perfmon backend as the module has it, compiled in user space, with the
 * box's PMU model as its registers.  Any access that the model faults fails
 * the test, as it would oops the kernel.
 */
#ifndef PERFMON_HOST_H
#define PERFMON_HOST_H

#include "tests/unit/model/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kmod/pmu/pmu.h"
#include "kmod/pmu/alike.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/twins.h"
#include "tests/unit/kmod/why_host.h"

#define MSR_MISC_ENABLE 0x1a0
#define HAS_METRICS (UINT64_C(1) << 15)

struct pmuctl_caps pmuctl_caps;
struct pmuctl_tried pmuctl_tried;
const struct pmuctl_backend *pmuctl_backend = &pmuctl_perfmon;

static struct host cpu;
static unsigned int writes;
static struct {
	bool leaf_set;
	uint32_t leaf[4];		/* instead of the model's 0AH */
	bool dead;			/* writes are swallowed, nothing counts */
	bool stuck;			/* writes are kept, nothing counts */
	uint32_t hidden;		/* no such register, whatever the model has */
	bool hybrid;			/* CPUID.7:EDX[15] */
	uint32_t core;			/* CPUID.1AH:EAX, where the profile has none */
	bool without_core;		/* ... and 0 where it has one */
	bool leaf_23;			/* CPUID.23H.1: counters of this core */
	uint32_t gp_23, fixed_23;
	uint32_t ext_23;		/* more subleaves of it that say the same */
	const uint32_t *branches;	/* instead of the model's 1CH */
	uint64_t branching;		/* who reads registers branches there in between; 0: not */
	unsigned int threads;		/* of a core */
	uint32_t signature;
	uint32_t microcode;		/* 0: the newest */
	uint32_t apic_id;
	bool force_abort;		/* CPUID.7:EDX[13], [11] */
	bool always_abort;
	uint64_t linux_ds;
	bool metrics;			/* there is PERF_METRICS, as a mere register */
	uint64_t fields;		/* what it holds */
	uint64_t slots_then;		/* fixed counter 3, when it was written */
} fake;

/* --- the seam --- */

u64 hw_rdmsr(u32 msr)
{
	assert_int_not_equal(msr, fake.hidden);
	if (fake.dead)
		return 0;
	if (msr == MSR_MISC_ENABLE)
		return pmu_misc_enable(cpu.pmu);
	if (fake.metrics && msr == PMUCTL_MSR_METRICS)
		return fake.fields;
	if (fake.metrics && msr == MSR_CAPABILITIES)
		return host_rdmsr(&cpu, msr) | HAS_METRICS;
	if (fake.branching)
		host_branch_kind(&cpu, fake.branching, fake.branching, PMU_JMP);
	return host_rdmsr(&cpu, msr);
}

static bool is_there(u32 msr)
{
	uint64_t ignored;

	if (msr == fake.hidden)
		return false;
	return fake.dead || msr == MSR_MISC_ENABLE || (fake.metrics && msr == PMUCTL_MSR_METRICS) ||
	       host_try_rdmsr(&cpu, msr, &ignored) == PMU_DONE;
}

bool hw_rdmsr_safe(u32 msr, u64 *value)
{
	bool exists = is_there(msr);

	*value = exists ? hw_rdmsr(msr) : 0;
	return exists;
}

void hw_wrmsr(u32 msr, u64 value)
{
	writes++;
	if (fake.dead || (fake.stuck && msr == MSR_GLOBAL_CTRL))
		return;
	if (fake.metrics && msr == PMUCTL_MSR_METRICS) {
		fake.fields = value;
		fake.slots_then = host_peek(&cpu, MSR_FIXED0 + 3);
		return;
	}
	host_wrmsr(&cpu, msr, value);
}

u64 hw_rdpmc(u32 counter)
{
	uint64_t value = 0;

	if (fake.dead)
		return 0;
	if (fake.metrics && counter == 1u << 29)
		return fake.fields;
	host_start(&cpu);
	assert_int_equal(pmu_rdpmc(cpu.pmu, counter, &value), PMU_DONE);
	cpu.retired++;
	return value;
}

static void leaf_7(u32 subleaf, u32 regs[4])
{
	pmu_cpuid(cpu.pmu, 7, subleaf, regs);
	if (subleaf) {
		regs[0] |= fake.leaf_23 ? 1 << 8 : 0;
		return;
	}
	regs[0] |= fake.leaf_23;
	regs[3] |= (fake.hybrid ? 1 << 15 : 0) | (fake.force_abort ? 1 << 13 : 0) |
		   (fake.always_abort ? 1 << 11 : 0);
}

static void leaf_23(u32 subleaf, u32 regs[4])
{
	pmu_cpuid(cpu.pmu, 0x23, subleaf, regs);
	if (!fake.leaf_23)
		return;
	regs[0] = subleaf ? fake.gp_23 : 2 | fake.ext_23;
	regs[subleaf == 5 ? 2 : 1] = subleaf ? fake.fixed_23 : 0;
	regs[subleaf == 5 ? 1 : 2] = 0;
}

void hw_cpuid_count(u32 leaf, u32 subleaf, u32 regs[4])
{
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf == 1) {
		regs[0] = fake.signature;
		pmu_cpuid(cpu.pmu, leaf, 0, regs);
	} else if (leaf == 7) {
		leaf_7(subleaf, regs);
	} else if (leaf == 0xb) {
		regs[0] = fake.threads > 1;
		regs[1] = fake.threads;
		regs[3] = fake.apic_id;
	} else if (leaf == 0xa && fake.leaf_set) {
		memcpy(regs, fake.leaf, sizeof(fake.leaf));
	} else if (leaf == 0xa || (leaf == 0x1a && !fake.without_core)) {
		pmu_cpuid(cpu.pmu, leaf, 0, regs);
		regs[0] |= leaf == 0x1a ? fake.core : 0;
	} else if (leaf == 0x1c && fake.branches) {
		memcpy(regs, fake.branches, 4 * sizeof(regs[0]));
	} else if (leaf == 0x1c) {
		pmu_cpuid(cpu.pmu, leaf, 0, regs);
	} else if (leaf == 0x23) {
		leaf_23(subleaf, regs);
	}
}

void hw_cpuid(u32 leaf, u32 regs[4])
{
	hw_cpuid_count(leaf, 0, regs);
}

/* The writes are the kernel's, a call each. */
void hw_run_loop(u32 msr, u64 value, u32 loops)
{
	hw_wrmsr(msr, value);
	for (; loops; loops--) {
		host_run(&cpu, 1);
		host_branch(&cpu, 0x1000, true, 0x0ff8);
	}
	hw_wrmsr(msr, 0);
}

void hw_run_branches(u32 msr, u64 value)
{
	hw_wrmsr(msr, value);
	host_branch_kind(&cpu, 0x1000, 0x1002, PMU_JMP);
	host_run(&cpu, HW_STRAIGHT);
	host_branch_kind(&cpu, 0x2000, 0x2002, PMU_JMP);
	host_run(&cpu, 2);
	hw_wrmsr(msr, 0);
}

u32 hw_microcode(void)
{
	return fake.microcode ?: UINT32_MAX;
}

static struct pmuctl_twins twins;

struct pmuctl_twins *pmuctl_twins_here(void)
{
	return &twins;
}

u64 hw_linux_ds_area(void)
{
	return fake.linux_ds;
}

/* --- what each test starts from --- */

static const struct pmuctl_backend *const perfmon = &pmuctl_perfmon;
static struct pmuctl_regs regs;

/* What each profile is, said a second time. */
struct profile {
	const char *name;
	uint32_t signature;
	unsigned int version, gp, fixed, width, arch_events;
	uint64_t counters;
	bool any;
};

/* name, signature, version, counters, fixed, width, arch events, mask, any */
#define PROFILES(X)							\
	X(core2, 0x10676, 2, 2, 3, 40, 0x7f, 0x700000003, false)	\
	X(nehalem, 0x106a5, 3, 4, 3, 48, 0x7f, 0x70000000f, true)	\
	X(sandybridge, 0x206a7, 3, 8, 3, 48, 0x7f, 0x7000000ff, true)	\
	X(ivybridge, 0x306a9, 3, 8, 3, 48, 0x7f, 0x7000000ff, true)	\
	X(haswell, 0x306c3, 3, 8, 3, 48, 0x7f, 0x7000000ff, true)	\
	X(skylake, 0x506e3, 4, 4, 3, 48, 0x7f, 0x70000000f, true)	\
	X(icelake, 0x706e5, 5, 8, 4, 48, 0xff, 0xf000f000000ff, false)	\
	X(sapphirerapids, 0x806f8, 5, 8, 4, 48, 0xff, 0xff000f000000ff, false)		\
	X(graniterapids, 0xa06d1, 5, 8, 4, 48, 0xff, 0xff000f000000ff, false)		\
	X(goldmontplus, 0x706a8, 4, 4, 3, 48, 0x7f, 0x70000000f, false)	\
	X(sierraforest, 0xa06f3, 5, 8, 3, 48, 0x7f, 0x7000000ff, false)	\
	X(tremont, 0x90661, 5, 4, 3, 48, 0x7f, 0x70000000f, false)	\
	X(perfmon6, 0xf06e1, 6, 8, 4, 48, 0xff, 0xf000000ff, false)

static inline int start(void **state, const struct profile *profile)
{
	*state = (void *)profile;
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	memset(&pmuctl_tried, 0, sizeof(pmuctl_tried));
	memset(said, 0, sizeof(said));
	pmuctl_nr_kinds = 1;
	pmuctl_kind_of_cpu = 0;
	fake.signature = profile->signature;
	host_new(&cpu, profile->name, 0);
	return perfmon->probe(&pmuctl_caps);
}

#define SETUP(name, ...)						\
	static inline int name(void **state)				\
	{								\
		static const struct profile profile = { #name, __VA_ARGS__ };	\
									\
		return start(state, &profile);				\
	}
PROFILES(SETUP)

/* Those whose names are none of C's. */
#define SETUP_NAMED(ident, name, ...)						\
	static inline int ident(void **state)					\
	{									\
		static const struct profile profile = { name, __VA_ARGS__ };	\
										\
		return start(state, &profile);					\
	}
SETUP_NAMED(alderlake_n, "alderlake-n", 0xb06e0, 5, 6, 3, 48, 0x7f, 0x70000003f, false)
SETUP_NAMED(alderlake_p, "alderlake-p", 0x90672, 5, 8, 4, 48, 0xff, 0xff000f000000ff, false)
SETUP_NAMED(graniterapids_v2, "graniterapids-v2", 0xa06d1, 2, 8, 4, 48, 0xff, 0xf000000ff, false)

static inline int stop(void **state)
{
	(void)state;
	host_free(&cpu);
	return 0;
}

/* Again, after fake was changed. */
static inline int probe_again(void)
{
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	memset(&pmuctl_tried, 0, sizeof(pmuctl_tried));
	said[0] = '\0';
	return perfmon->probe(&pmuctl_caps);
}

static inline struct pmuctl_event event_on(unsigned int counter, uint64_t evtsel, uint32_t flags)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = UINT64_C(1) << counter,
		.flags = flags, .counter = counter,
	};
	struct pmuctl_reg reg;

	assert_int_equal(perfmon->validate(&event, NULL), 0);
	perfmon->encode(&event, &reg);
	return event;
}

/* Rows of a table of tests. */
#define ON(test, profile) { #test ", " #profile, test, profile, stop, NULL }
#define ON_EACH(test)							\
	ON(test, core2), ON(test, nehalem), ON(test, sandybridge),	\
	ON(test, ivybridge), ON(test, haswell), ON(test, skylake),	\
	ON(test, icelake), ON(test, sapphirerapids), ON(test, graniterapids),	\
	ON(test, sierraforest), ON(test, tremont), ON(test, alderlake_n),	\
	ON(test, alderlake_p), ON(test, goldmontplus)

#endif
