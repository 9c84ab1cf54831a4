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
#include <linux/topology.h>

#include "kmod/features/places.h"
#include "kmod/uapi/pmuctl.h"

#define SCOPES	(PMUCTL_FEATURE_SCOPE_PACKAGE + 1)

struct place_cpu {
	bool known;			/* it was online once */
	unsigned int place[SCOPES];	/* the CPU that stands for it */
};

/* Allocated: modules have little per CPU. */
static struct place_cpu __percpu *place_cpus;
/* Of who has the lock: places that have no CPU yet. */
static cpumask_var_t rest;

static struct place_cpu *of_cpu(unsigned int cpu)
{
	return per_cpu_ptr(place_cpus, cpu);
}

int pmuctl_places_init(void)
{
	unsigned int cpu;
	u32 scope;

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

/* Modules of E cores are not told apart yet: nothing is written there. */
static bool share(unsigned int a, unsigned int b, u32 scope)
{
	if (topology_physical_package_id(a) != topology_physical_package_id(b))
		return false;
	return scope == PMUCTL_FEATURE_SCOPE_PACKAGE ||
	       cpumask_test_cpu(a, topology_sibling_cpumask(b));
}

void pmuctl_place_learn(unsigned int cpu)
{
	struct place_cpu *me = of_cpu(cpu);
	unsigned int other;
	u32 scope;

	if (me->known)
		return;
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

unsigned int pmuctl_place_of(u32 scope, unsigned int cpu)
{
	return of_cpu(cpu)->place[scope];
}

void pmuctl_places_of(u32 scope, const struct cpumask *cpus,
		      struct cpumask *to)
{
	unsigned int cpu;

	cpumask_clear(to);
	for_each_cpu(cpu, cpus)
		cpumask_set_cpu(pmuctl_place_of(scope, cpu), to);
}

void pmuctl_places_online(u32 scope, const struct cpumask *of,
			  struct cpumask *to)
{
	unsigned int cpu;

	cpumask_clear(to);
	cpumask_copy(rest, of);
	for_each_online_cpu(cpu)
		if (cpumask_test_and_clear_cpu(pmuctl_place_of(scope, cpu),
					       rest))
			cpumask_set_cpu(cpu, to);
}

unsigned int pmuctl_place_first(u32 scope, unsigned int cpu)
{
	unsigned int other;

	for_each_online_cpu(other)
		if (pmuctl_place_of(scope, other) ==
		    pmuctl_place_of(scope, cpu))
			return other;
	return cpu;
}

bool pmuctl_place_is_last(u32 scope, unsigned int cpu)
{
	unsigned int other;

	for_each_online_cpu(other)
		if (other != cpu && pmuctl_place_of(scope, other) ==
				    pmuctl_place_of(scope, cpu))
			return false;
	return true;
}
