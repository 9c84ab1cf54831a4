// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events make PEBS records, and what these have.  Up to Skylake those that the
 * SDM's tables of precise events have (INST_RETIRED, BR_*_RETIRED, MEM_*_RETIRED,
 * FRONTEND_RETIRED); others count, and make none.  Since Ice Lake every event does.
 */
#include "model.h"

#define ANY_UMASK SEL_EVENT
#define ONE_UMASK SEL_CODE

static const struct pebs_rule core2_pebs[] = {
	{ 0x00c0, ONE_UMASK, PEBS_PLAIN },
	{ 0x00c5, ONE_UMASK, PEBS_PLAIN },
	{ 0x00cb, ANY_UMASK, PEBS_PLAIN },
};

static const struct pebs_rule nehalem_pebs[] = {
	{ 0x100b, ONE_UMASK, PEBS_LATENCY },
	{ 0x000b, ANY_UMASK, PEBS_PLAIN },
	{ 0x00c0, ANY_UMASK, PEBS_PLAIN },
	{ 0x00c4, ANY_UMASK, PEBS_PLAIN },
	{ 0x00cb, ANY_UMASK, PEBS_PLAIN },
};

#define RETIRED_PEBS								\
	{ 0x01cd, ONE_UMASK, PEBS_LATENCY },					\
	{ 0x00c0, ANY_UMASK, PEBS_PLAIN },					\
	{ 0x00c2, ANY_UMASK, PEBS_PLAIN },					\
	{ 0x00c4, ANY_UMASK, PEBS_PLAIN },					\
	{ 0x00c5, ANY_UMASK, PEBS_PLAIN }

static const struct pebs_rule bridge_pebs[] = {
	RETIRED_PEBS,
	{ 0x02cd, ONE_UMASK, PEBS_PRECISE_STORE },
	{ 0x00d0, ANY_UMASK, PEBS_PLAIN },
	{ 0x00d1, ANY_UMASK, PEBS_PLAIN },
	{ 0x00d2, ANY_UMASK, PEBS_PLAIN },
	{ 0x00d3, ANY_UMASK, PEBS_PLAIN },
	{ 0x00d4, ANY_UMASK, PEBS_PLAIN },
};

/* Haswell on: the address of every load and store (umasks x1 and x2 of D0). */
#define ADDRESS_PEBS								\
	{ 0x02d0, 0x0fff, PEBS_STORE },						\
	{ 0x00d0, ANY_UMASK, PEBS_LOAD },					\
	{ 0x00d1, ANY_UMASK, PEBS_LOAD },					\
	{ 0x00d2, ANY_UMASK, PEBS_LOAD },					\
	{ 0x00d3, ANY_UMASK, PEBS_LOAD }

static const struct pebs_rule haswell_pebs[] = { RETIRED_PEBS, ADDRESS_PEBS };

static const struct pebs_rule skylake_pebs[] = {
	{ 0x01c6, ONE_UMASK, PEBS_PLAIN },		/* FRONTEND_RETIRED */
	RETIRED_PEBS,
	ADDRESS_PEBS,
};

static const struct pebs_rule icelake_pebs[] = {
	RETIRED_PEBS,
	ADDRESS_PEBS,
	{ 0x00d4, ANY_UMASK, PEBS_LOAD },
	{ 0x0000, 0x0000, PEBS_PLAIN },
};

/* ... with a facility for stores. */
static const struct pebs_rule sapphirerapids_pebs[] = {
	{ 0x02cd, ONE_UMASK, PEBS_STORE },
	RETIRED_PEBS,
	ADDRESS_PEBS,
	{ 0x00d4, ANY_UMASK, PEBS_LOAD },
	{ 0x0000, 0x0000, PEBS_PLAIN },
};

/* Small cores, of which every event has a record as well; Tremont has no latencies. */
#define ATOM_PEBS								\
	{ 0x02d0, 0x0fff, PEBS_STORE },						\
	{ 0x00d0, ANY_UMASK, PEBS_LOAD },					\
	{ 0x00d1, ANY_UMASK, PEBS_LOAD },					\
	{ 0x00d3, ANY_UMASK, PEBS_LOAD },					\
	{ 0x0000, 0x0000, PEBS_PLAIN }

/* Goldmont Plus: as Skylake, of its own list. */
static const struct pebs_rule goldmont_pebs[] = {
	{ 0x00c0, ONE_UMASK, PEBS_PLAIN },
	{ 0x00c2, ANY_UMASK, PEBS_PLAIN },
	{ 0x00c4, ANY_UMASK, PEBS_PLAIN },
	{ 0x00c5, ANY_UMASK, PEBS_PLAIN },
	{ 0x0003, ANY_UMASK, PEBS_PLAIN },
	{ 0x0013, ANY_UMASK, PEBS_PLAIN },
	{ 0x02d0, 0x0fff, PEBS_STORE },
	{ 0x00d0, ANY_UMASK, PEBS_LOAD },
	{ 0x00d1, ANY_UMASK, PEBS_LOAD },
};

static const struct pebs_rule tremont_pebs[] = { ATOM_PEBS };

static const struct pebs_rule gracemont_pebs[] = {
	{ 0x05d0, ONE_UMASK, PEBS_LATENCY },		/* MEM_UOPS_RETIRED.LOAD_LATENCY_* */
	{ 0x06d0, ONE_UMASK, PEBS_STORE },		/* .STORE_LATENCY */
	ATOM_PEBS,
};

#define PEBS_RULES(table) { .rules = (table), .nr = ARRAY_SIZE(table) }

const struct pebs_rules pmu_pebs_core2 = PEBS_RULES(core2_pebs);
const struct pebs_rules pmu_pebs_nehalem = PEBS_RULES(nehalem_pebs);
const struct pebs_rules pmu_pebs_bridge = PEBS_RULES(bridge_pebs);
const struct pebs_rules pmu_pebs_haswell = PEBS_RULES(haswell_pebs);
const struct pebs_rules pmu_pebs_skylake = PEBS_RULES(skylake_pebs);
const struct pebs_rules pmu_pebs_icelake = PEBS_RULES(icelake_pebs);
/* Granite Rapids as well. */
const struct pebs_rules pmu_pebs_sapphirerapids = PEBS_RULES(sapphirerapids_pebs);
const struct pebs_rules pmu_pebs_goldmont = PEBS_RULES(goldmont_pebs);
const struct pebs_rules pmu_pebs_tremont = PEBS_RULES(tremont_pebs);
/* Crestmont as well. */
const struct pebs_rules pmu_pebs_gracemont = PEBS_RULES(gracemont_pebs);

enum pebs_kind pmu_pebs_kind(const struct pmu_profile *p, uint16_t code)
{
	const struct pebs_rules *list = p->pebs;

	for (unsigned int i = 0; list && i < list->nr; i++)
		if ((code & list->rules[i].mask) == list->rules[i].code)
			return list->rules[i].kind;
	return PEBS_NOT;
}
