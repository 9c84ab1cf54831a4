// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of cores that a machine has, and which CPU is of which.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "kmod/pmu/alike.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/pebs_records.h"

struct pmuctl_kind pmuctl_kinds[PMUCTL_KINDS_MAX];
u32 pmuctl_nr_kinds = 1;
DEFINE_PER_CPU(u32, pmuctl_kind_of_cpu);

const struct pmuctl_caps *pmuctl_caps_here(void)
{
	return pmuctl_kind_caps(pmuctl_kind_here());
}

bool pmuctl_kind_may_have(u32 kind, unsigned int cpu)
{
	u32 i;

	for (i = 0; pmuctl_nr_kinds > 1 && i < pmuctl_nr_kinds; i++)
		if (i != kind && cpumask_test_cpu(cpu, &pmuctl_kinds[i].cpus))
			return false;
	return true;
}

const char *pmuctl_core_name(u32 core)
{
	switch (core >> 24) {
	case PMUCTL_CORE_BIG:
		return "big";
	case PMUCTL_CORE_SMALL:
		return "small";
	default:
		return "of a kind that has no name here";
	}
}

/* --- finding them --- */

static u32 find_kind(const struct pmuctl_caps *caps)
{
	u32 i;

	for (i = 0; i < pmuctl_nr_kinds; i++)
		if (pmuctl_alike(&pmuctl_kinds[i].caps, caps))
			return i;
	return PMUCTL_KIND_NONE;
}

void pmuctl_kinds_begin(void)
{
	memset(pmuctl_kinds, 0, sizeof(pmuctl_kinds));
	pmuctl_nr_kinds = 0;
}

int pmuctl_kinds_add(const struct pmuctl_caps *caps, unsigned int cpu)
{
	u32 kind = find_kind(caps);

	if (kind == PMUCTL_KIND_NONE) {
		if (pmuctl_nr_kinds == PMUCTL_KINDS_MAX)
			return -ENOSPC;
		kind = pmuctl_nr_kinds++;
		pmuctl_kinds[kind].caps = *caps;
	}
	cpumask_set_cpu(cpu, &pmuctl_kinds[kind].cpus);
	return 0;
}

const char *pmuctl_kinds_apart(const struct pmuctl_caps *a,
			       const struct pmuctl_caps *b)
{
	if (a->version != b->version)
		return "the version of perfmon";
	if (a->gp_width != b->gp_width || a->fixed_width != b->fixed_width)
		return "how wide the counters are";
	if ((a->capabilities ^ b->capabilities) & PMUCTL_CAP_FULL_WIDTH)
		return "whether counters can be written in full";
	return NULL;
}

/* --- once they are found --- */

/* Leaf 1AH has the type above the number of its make: big above small. */
static int compare_kinds(const void *left, const void *right)
{
	const struct pmuctl_kind *a = left, *b = right;

	return a->caps.core > b->caps.core ? -1 : 1;
}

/* Buffers go by one format for all CPUs. */
static bool records_are_alike(void)
{
	const struct pmuctl_caps *first = &pmuctl_kinds[0].caps, *other;
	u32 kind;

	for (kind = 0; kind < pmuctl_nr_kinds; kind++) {
		other = &pmuctl_kinds[kind].caps;
		if (!other->has_pebs ||
		    other->pebs_format != first->pebs_format ||
		    other->pebs_format < PEBS_ADAPTIVE)
			return false;
	}
	return true;
}

static void without_pebs(struct pmuctl_caps *caps)
{
	if (caps->has_pebs)
		caps->pebs_refusal =
			"PEBS is not driven yet where kinds of cores differ in the format of its records, or some have none";
	caps->has_pebs = false;
	caps->has_retire = false;
}

/* Branch records go by one depth and format for all CPUs. */
static bool branches_are_alike(void)
{
	const struct pmuctl_caps *first = &pmuctl_kinds[0].caps, *other;
	u32 kind;

	for (kind = 1; kind < pmuctl_nr_kinds; kind++) {
		other = &pmuctl_kinds[kind].caps;
		if (other->lbr_depth != first->lbr_depth ||
		    other->lbr_format != first->lbr_format ||
		    other->has_lbr_calls != first->has_lbr_calls)
			return false;
	}
	return true;
}

/* Parameters are no facts of a CPU: each was looked at without them. */
static void take_parameters(struct pmuctl_caps *caps)
{
	caps->allow_unsupported = pmuctl_caps.allow_unsupported;
	caps->overflow_bits = pmuctl_caps.overflow_bits;
}

/* What the first kind has, and what the others have beside it. */
static void describe_machine(void)
{
	const struct pmuctl_kind *kind;

	pmuctl_caps = pmuctl_kinds[0].caps;
	for (kind = pmuctl_kinds + 1; kind < pmuctl_kinds + pmuctl_nr_kinds;
	     kind++) {
		pmuctl_caps.counters |= kind->caps.counters;
		pmuctl_caps.pebs_counters |= kind->caps.pebs_counters;
		pmuctl_caps.has_retire |= kind->caps.has_retire;
		pmuctl_caps.errata |= kind->caps.errata;
		if (pmuctl_caps.nr_reserve < kind->caps.nr_reserve)
			pmuctl_caps.nr_reserve = kind->caps.nr_reserve;
	}
}

void pmuctl_kinds_settle(void)
{
	bool pebs = records_are_alike(), branches = branches_are_alike();
	struct pmuctl_kind *kind;

	if (pmuctl_nr_kinds < 2)
		return;
	sort(pmuctl_kinds, pmuctl_nr_kinds, sizeof(*pmuctl_kinds),
	     compare_kinds, NULL);
	for (kind = pmuctl_kinds; kind < pmuctl_kinds + pmuctl_nr_kinds;
	     kind++) {
		take_parameters(&kind->caps);
		if (!branches)
			pmuctl_lbr_none(&kind->caps);
		if (!pebs)
			without_pebs(&kind->caps);
	}
	describe_machine();
}

void pmuctl_kinds_merge(void)
{
	u32 i;

	for (i = 1; i < pmuctl_nr_kinds; i++)
		pmuctl_caps_narrow(&pmuctl_caps, &pmuctl_kinds[i].caps);
	pmuctl_nr_kinds = 1;
}

/* --- CPUs that come --- */

static const char *join_kind(const struct pmuctl_caps *caps)
{
	const char *unlike = NULL;
	u32 kind = pmuctl_nr_kinds > 1 ? find_kind(caps) : 0;

	if (pmuctl_nr_kinds == 1)
		unlike = pmuctl_unlike(&pmuctl_caps, caps);
	else if (kind == PMUCTL_KIND_NONE)
		unlike = "it is like none of the CPUs that were online when the module was loaded";
	else if (!pmuctl_kind_may_have(kind, smp_processor_id()))
		unlike = "its core is of another kind than when it was online before";
	if (unlike)
		kind = PMUCTL_KIND_NONE;
	else
		cpumask_set_cpu(smp_processor_id(), &pmuctl_kinds[kind].cpus);
	this_cpu_write(pmuctl_kind_of_cpu, kind);
	return unlike;
}

const char *pmuctl_kinds_join(void)
{
	struct pmuctl_look look = { };

	look.backend = pmuctl_backend;
	pmuctl_look_here(&look);
	if (!look.err)
		return join_kind(&look.caps);
	this_cpu_write(pmuctl_kind_of_cpu, PMUCTL_KIND_NONE);
	return "its PMU is not one that this module drives";
}
