// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Look-ups in the Pentium 4's tables: names, counters and the ESCRs that they
 * reach.
 */
#include <string.h>

#include "lib/cpu/p4.h"

/* ---- portable names ------------------------------------------------------- */

static const struct {
	const char *name;
	const char *alias;	/* perf's, or NULL */
	const char *event;
	const char *remark;	/* or NULL */
	const char *text;
} portables[] = {
	{ "cycles", "cpu-cycles", "global_power_events:RUNNING", NULL,
	  "core clock cycles while not stopped" },
	{ "instructions", NULL, "instr_retired:NBOGUSNTAG:NBOGUSTAG", NULL,
	  "instructions retired" },
	{ "ref-cycles", NULL, "global_power_events:RUNNING",
	  "the core's clock, which is the TSC's unless the core is slowed down",
	  "cycles while not stopped, at the rate of the TSC" },
	{ "branches", "branch-instructions", "branch_retired:MMNP:MMNM:MMTP:MMTM", NULL,
	  "branch instructions retired" },
	{ "branch-misses", NULL, "mispred_branch_retired:NBOGUS", NULL,
	  "mispredicted branch instructions retired" },
	{ "cache-references", NULL,
	  "BSQ_cache_reference:RD_2ndL_HITS:RD_2ndL_HITE:RD_2ndL_HITM:RD_2ndL_MISS:WR_2ndL_MISS",
	  "of the second level; may be wrong by up to twice either way (erratum)",
	  "references to the second-level cache" },
	{ "cache-misses", NULL, "BSQ_cache_reference:RD_2ndL_MISS:WR_2ndL_MISS",
	  "of the second level; may be wrong by up to twice either way (erratum)",
	  "misses of the second-level cache" },
	{ "l1d-loads", "L1-dcache-loads", "memory_loads", "uops", "loads retired" },
	{ "l1d-load-misses", "L1-dcache-load-misses", "1stL_cache_load_miss_retired", NULL,
	  "loads that missed the first-level data cache" },
	{ "l1d-stores", "L1-dcache-stores", "memory_stores", "uops", "stores retired" },
	{ "l1i-misses", "L1-icache-load-misses", "BPU_fetch_request:TCMISS", "of the trace cache",
	  "instruction fetches that missed the first-level cache" },
	{ "llc-load-misses", "LLC-load-misses", "2ndL_cache_load_miss_retired",
	  "of the second level", "loads that missed the last-level cache" },
	{ "dtlb-load-misses", "dTLB-load-misses", "DTLB_load_miss_retired", NULL,
	  "loads whose address no TLB had" },
	{ "dtlb-store-misses", "dTLB-store-misses", "DTLB_store_miss_retired", NULL,
	  "stores whose address no TLB had" },
	{ "itlb-misses", "iTLB-load-misses", "ITLB_reference:MISS", NULL,
	  "instruction fetches whose address no TLB had" },
};

static bool is(const char *a, const char *b)
{
	return a && !strcasecmp(a, b);
}

const char *p4_find_portable(const char *name, const char **full_name, const char **remark)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(portables); i++) {
		if (!is(portables[i].name, name) && !is(portables[i].alias, name))
			continue;
		*full_name = portables[i].name;
		*remark = portables[i].remark;
		return portables[i].event;
	}
	return NULL;
}

/* ---- events and metrics ---------------------------------------------------- */

const struct p4_event *p4_find_event(const char *name)
{
	size_t i;

	for (i = 0; i < p4_events_count; i++)
		if (is(p4_events[i].name, name) || is(p4_events[i].alias, name))
			return &p4_events[i];
	return NULL;
}

const struct p4_metric *p4_find_metric(const char *name)
{
	size_t i;

	for (i = 0; i < p4_metrics_count; i++)
		if (is(p4_metrics[i].name, name) || is(p4_metrics[i].alias, name))
			return &p4_metrics[i];
	return NULL;
}

const struct p4_metric *p4_find_cause(const char *name)
{
	size_t i;

	for (i = 0; i < p4_metrics_count; i++)
		if (is(p4_metrics[i].cause, name))
			return &p4_metrics[i];
	return NULL;
}

/* Names of masks beside those of the tables. */
static const struct {
	const char *event, *mask;
	uint16_t bits;
	const char *note;	/* or NULL */
} odd_masks[] = {
	{ "mispred_branch_retired", "BOGUS", 0x1,
	  "libpfm4 calls mask bit 0 BOGUS; it is NBOGUS, the branches that retired" },
	{ "b2b_cycles", "BIT5", 0x20, "libpfm4 encodes bit 4 for BIT5" },
	{ "b2b_cycles", "BIT6", 0x40, "libpfm4 encodes bit 4 for BIT6" },
	{ "instr_retired", "NBOGUS", 0x3, NULL },
	{ "instr_retired", "BOGUS", 0xc, NULL },
};

uint16_t p4_find_mask(const struct p4_event *e, const char *name, const char **note)
{
	const struct p4_mask *m;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(odd_masks); i++) {
		if (!is(odd_masks[i].event, e->name) || !is(odd_masks[i].mask, name))
			continue;
		if (odd_masks[i].note)
			*note = odd_masks[i].note;
		return odd_masks[i].bits;
	}
	for (m = e->masks; m->name; m++)
		if (is(m->name, name))
			return (uint16_t)(1u << m->bit);
	return 0;
}

/* ---- counters and ESCRs ------------------------------------------------------ */

/* SDM vol. 3, table of performance counter MSRs and associated CCCR and ESCR MSRs. */
static const struct {
	uint32_t half[2];		/* counters */
	short escr[8];			/* by select value, the first of a pair; -1: none */
} groups[P4_GROUPS] = {
	[P4_BPU] = { { 0x3, 0xc }, { 0x12, 0x14, 0x0a, 0x16, 0x0c, 0x28, 0x02, 0x00 } },
	[P4_MS] = { { 0x30, 0xc0 }, { 0x20, 0x24, 0x22, -1, -1, -1, -1, -1 } },
	[P4_FLAME] = { { 0x300, 0xc00 }, { 0x06, 0x04, 0x0e, 0x10, -1, 0x08, -1, -1 } },
	[P4_IQ] = { { 0x13000, 0x2c000 }, { 0x1a, 0x2a, 0x1c, 0x1e, 0x18, 0x2c, 0x40, -1 } },
};

/* The one that the manual does not have. */
#define SSU_ESCR1 0x1f

uint64_t p4_half_counters(enum p4_group group, unsigned int half)
{
	return groups[group].half[half];
}

enum p4_group p4_group_of(uint64_t counters)
{
	enum p4_group g = P4_BPU;

	while (g < P4_IQ && !(counters & (groups[g].half[0] | groups[g].half[1])))
		g++;
	return g;
}

int p4_route(unsigned int counter, unsigned int select)
{
	enum p4_group g = p4_group_of(1ull << counter);
	int escr = groups[g].escr[select & 7];
	int half = groups[g].half[1] >> counter & 1;

	return escr < 0 || escr + half == SSU_ESCR1 ? -1 : escr + half;
}

uint64_t p4_counters(const struct pmu_facts *facts, const struct p4_event *e, uint8_t escrs)
{
	uint64_t counters = 0;

	escrs &= e->escrs;
	if ((facts->signature & 0xfff) < e->second_since)
		escrs &= 1;
	if (escrs & 1)
		counters |= groups[e->group].half[0];
	if (escrs & 2)
		counters |= groups[e->group].half[1];
	return counters & facts->counters;
}

uint32_t p4_escr(const struct p4_event *e, uint16_t mask)
{
	return (uint32_t)e->select << P4_ESCR_SELECT_SHIFT | (uint32_t)mask << P4_ESCR_MASK_SHIFT;
}

uint32_t p4_cccr(const struct p4_event *e)
{
	return (uint32_t)e->cccr_select << P4_CCCR_SELECT_SHIFT;
}

/* ---- lists ------------------------------------------------------------------- */

int p4_list_portable(const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_PORTABLE };
	size_t i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(portables); i++) {
		desc.name = portables[i].name;
		desc.text = portables[i].text;
		if (pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}
