// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPUs have a feature in common.
 *
 * The kernel forgets where a CPU is when that goes offline, so it is kept from
 * when it was first seen online.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "kmod/features/places.h"
#include "kmod/features/rows.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/msr.h"

#define CACHES_MAX	8	/* that leaf 4 may list */
#define SCOPES	(PMUCTL_FEATURE_SCOPE_PACKAGE + 1)

struct place_cpu {
	bool known;			/* it was online once */
	u32 module, order;		/* of 2^order APIC IDs from there on */
	unsigned int place[SCOPES];	/* the CPU that stands for it */
};

static const struct pmuctl_feature_rows *rows;

/* Allocated: modules have little per CPU. */
static struct place_cpu __percpu *place_cpus;
/* Of who has the lock: places that are reached, or have no CPU yet. */
static cpumask_var_t rest;

static struct place_cpu *of_cpu(unsigned int cpu)
{
	return per_cpu_ptr(place_cpus, cpu);
}

int pmuctl_places_init(const struct pmuctl_feature_rows *of)
{
	unsigned int cpu;
	u32 scope;

	rows = of;
	place_cpus = alloc_percpu(struct place_cpu);
	if (!place_cpus || !zalloc_cpumask_var(&rest, GFP_KERNEL)) {
		free_percpu(place_cpus);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		for (scope = 0; scope < SCOPES; scope++)
			of_cpu(cpu)->place[scope] = cpu;
	return 0;
}

void pmuctl_places_exit(void)
{
	free_cpumask_var(rest);
	free_percpu(place_cpus);
}

/*
 * On the CPU meant.  A module is what has one cache of the second level, which
 * leaf 4 tells: the kernel's own mask of it is not modules' on all kernels.
 */
static void look_here(void *unused)
{
	struct place_cpu *me = this_cpu_ptr(place_cpus);
	u32 regs[4], i = 0;

	me->order = 0;
	do {
		hw_cpuid_count(4, i++, regs);
		if (regs[0] & 0x1f && (regs[0] >> 5 & 0x7) == 2)
			me->order = fls(regs[0] >> 14 & 0xfff);
	} while (regs[0] & 0x1f && i < CACHES_MAX);
	hw_cpuid(1, regs);
	me->module = regs[1] >> 24;
	hw_cpuid_count(0xb, 0, regs);
	if (regs[1])
		me->module = regs[3];
	me->module = me->module >> me->order << me->order;
}

static bool share(unsigned int a, unsigned int b, u32 scope)
{
	if (topology_physical_package_id(a) != topology_physical_package_id(b))
		return false;
	return scope == PMUCTL_FEATURE_SCOPE_PACKAGE ||
	       cpumask_test_cpu(a, topology_sibling_cpumask(b)) ||
	       (scope == PMUCTL_FEATURE_SCOPE_CLUSTER &&
		of_cpu(a)->module == of_cpu(b)->module &&
		of_cpu(a)->order == of_cpu(b)->order);
}

void pmuctl_place_learn(unsigned int cpu)
{
	struct place_cpu *me = of_cpu(cpu);
	unsigned int other;
	u32 scope;

	if (me->known)
		return;
	smp_call_function_single(cpu, look_here, NULL, true);
	for_each_online_cpu(other)
		for (scope = 0; scope < SCOPES; scope++)
			if (of_cpu(other)->known && share(cpu, other, scope))
				me->place[scope] = of_cpu(other)->place[scope];
	me->known = true;
}

void pmuctl_places_learn(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		pmuctl_place_learn(cpu);
}

/* What is taken to have one by itself: of a module each core. */
static u32 scope_of(unsigned int row)
{
	return rows->row[row].scope == PMUCTL_FEATURE_SCOPE_PACKAGE ?
	       PMUCTL_FEATURE_SCOPE_PACKAGE : PMUCTL_FEATURE_SCOPE_CORE;
}

bool pmuctl_place_has(unsigned int row, unsigned int cpu)
{
	return pmuctl_nr_kinds == 1 ||
	       per_cpu(pmuctl_kind_of_cpu, cpu) == rows->cores[row];
}

unsigned int pmuctl_place_of(unsigned int row, unsigned int cpu)
{
	return of_cpu(cpu)->place[scope_of(row)];
}

bool pmuctl_place_reaches(unsigned int row, unsigned int cpu,
			  unsigned int other)
{
	u32 reach = rows->row[row].scope;

	return pmuctl_place_has(row, cpu) && pmuctl_place_has(row, other) &&
	       of_cpu(cpu)->place[reach] == of_cpu(other)->place[reach];
}

void pmuctl_places_of(unsigned int row, const struct cpumask *cpus,
		      struct cpumask *to)
{
	u32 reach = rows->row[row].scope;
	unsigned int cpu;

	cpumask_clear(rest);
	for_each_cpu(cpu, cpus)
		if (pmuctl_place_has(row, cpu))
			cpumask_set_cpu(of_cpu(cpu)->place[reach], rest);
	cpumask_clear(to);
	for_each_possible_cpu(cpu)
		if (pmuctl_place_has(row, cpu) &&
		    cpumask_test_cpu(of_cpu(cpu)->place[reach], rest))
			cpumask_set_cpu(pmuctl_place_of(row, cpu), to);
}

void pmuctl_places_online(unsigned int row, const struct cpumask *of,
			  struct cpumask *to)
{
	unsigned int cpu;

	cpumask_clear(to);
	cpumask_copy(rest, of);
	for_each_online_cpu(cpu)
		if (pmuctl_place_has(row, cpu) &&
		    cpumask_test_and_clear_cpu(pmuctl_place_of(row, cpu), rest))
			cpumask_set_cpu(cpu, to);
}

bool pmuctl_place_is_first(unsigned int row, unsigned int cpu)
{
	unsigned int other;

	for_each_online_cpu(other)
		if (pmuctl_place_reaches(row, cpu, other))
			return other == cpu;
	return false;
}

bool pmuctl_place_is_last(unsigned int row, unsigned int cpu)
{
	unsigned int other;

	for_each_online_cpu(other)
		if (other != cpu && pmuctl_place_has(row, other) &&
		    pmuctl_place_of(row, other) == pmuctl_place_of(row, cpu))
			return false;
	return true;
}
