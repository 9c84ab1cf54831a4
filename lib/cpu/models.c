// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which generation a processor of family 6 belongs to, and what registers
 * beside the event select its events need.
 */
#include "lib/cpu/p4.h"

struct model {
	uint32_t model;
	enum generation generation;
};

static const struct model models[] = {
	{ 0x0f, GEN_CORE2 }, { 0x16, GEN_CORE2 }, { 0x17, GEN_CORE2 }, { 0x1d, GEN_CORE2 },
	{ 0x1a, GEN_NHM }, { 0x1e, GEN_NHM }, { 0x1f, GEN_NHM }, { 0x2e, GEN_NHM },
	{ 0x25, GEN_WSM }, { 0x2c, GEN_WSM }, { 0x2f, GEN_WSM },
	{ 0x2a, GEN_SNB }, { 0x2d, GEN_SNB },
	{ 0x3a, GEN_IVB }, { 0x3e, GEN_IVB },
	{ 0x3c, GEN_HSW }, { 0x3f, GEN_HSW }, { 0x45, GEN_HSW }, { 0x46, GEN_HSW },
	{ 0x3d, GEN_BDW }, { 0x47, GEN_BDW }, { 0x4f, GEN_BDW }, { 0x56, GEN_BDW },
	/* Kaby, Coffee and Comet Lake as well. */
	{ 0x4e, GEN_SKL }, { 0x5e, GEN_SKL }, { 0x8e, GEN_SKL }, { 0x9e, GEN_SKL },
	{ 0xa5, GEN_SKL }, { 0xa6, GEN_SKL },
	/* Cascade and Cooper Lake as well. */
	{ 0x55, GEN_SKX },
	/* Tiger and Rocket Lake as well. */
	{ 0x7d, GEN_ICL }, { 0x7e, GEN_ICL }, { 0x8c, GEN_ICL }, { 0x8d, GEN_ICL },
	{ 0xa7, GEN_ICL },
	{ 0x6a, GEN_ICX }, { 0x6c, GEN_ICX },
	/* Emerald Rapids as well. */
	{ 0x8f, GEN_SPR }, { 0xcf, GEN_SPR },
	/* Granite Rapids: see is_granite_rapids(). */
	{ 0xad, GEN_SPR }, { 0xae, GEN_SPR },
};

enum generation generation_of(const struct pmu_facts *facts)
{
	size_t i;

	if (facts->backend == BACKEND_P6)
		return GEN_P6;
	if (signature_family(facts->signature) != 6)
		return GEN_UNKNOWN;
	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].model == signature_model(facts->signature))
			return models[i].generation;
	return GEN_UNKNOWN;
}

bool is_bridge_client(const struct pmu_facts *facts)
{
	uint32_t model = signature_model(facts->signature);

	return signature_family(facts->signature) == 6 && (model == 0x2a || model == 0x3a);
}

bool is_granite_rapids(const struct pmu_facts *facts)
{
	uint32_t model = signature_model(facts->signature);

	return signature_family(facts->signature) == 6 && (model == 0xad || model == 0xae);
}

/* On the Pentium 4 it is global_power_events:RUNNING. */
size_t cycles_event(const struct pmu_facts *facts, struct pmuctl_register reg[2])
{
	const struct p4_event *e;

	if (facts->backend != BACKEND_P4) {
		reg[0] = (struct pmuctl_register){ PMUCTL_REGISTER_EVTSEL, 0,
			facts->backend == BACKEND_P6 ? EVTSEL_CYCLES_P6 : EVTSEL_CYCLES };
		return 1;
	}
	e = p4_find_event("global_power_events");
	reg[0] = (struct pmuctl_register){ PMUCTL_REGISTER_ESCR, 0, p4_escr(e, e->usual) };
	reg[1] = (struct pmuctl_register){ PMUCTL_REGISTER_CCCR, 0, p4_cccr(e) };
	return 2;
}

uint64_t cycles_counters(const struct pmu_facts *facts)
{
	if (facts->backend == BACKEND_P4)
		return p4_counters(facts, p4_find_event("global_power_events"), 3);
	return allowed_counters(facts, facts->backend == BACKEND_P6 ? EVTSEL_CYCLES_P6 :
				EVTSEL_CYCLES);
}

/* Without a value by default one has to be given. */
static const struct extra_event extra_events[] = {
	{ GEN_NHM, GEN_ICX, 0x01b7, PMUCTL_REGISTER_OFFCORE_RSP, 0, 0 },
	{ GEN_WSM, GEN_ICX, 0x01bb, PMUCTL_REGISTER_OFFCORE_RSP, 1, 0 },
	{ GEN_SPR, GEN_SPR, 0x012a, PMUCTL_REGISTER_OFFCORE_RSP, 0, 0 },
	{ GEN_SPR, GEN_SPR, 0x012b, PMUCTL_REGISTER_OFFCORE_RSP, 1, 0 },
	{ GEN_NHM, GEN_WSM, 0x100b, PMUCTL_REGISTER_LD_LAT, 0, 3 },
	{ GEN_SNB, GEN_SPR, 0x01cd, PMUCTL_REGISTER_LD_LAT, 0, 3 },
	{ GEN_SKL, GEN_SPR, FRONTEND_RETIRED, PMUCTL_REGISTER_FRONTEND, 0, 0 },
	/* INT_MISC.UNKNOWN_BRANCH_CYCLES and UOPS_RETIRED.MS. */
	{ GEN_SPR, GEN_SPR, 0x40ad, PMUCTL_REGISTER_FRONTEND, 0, 7 },
	{ GEN_SPR, GEN_SPR, 0x04c2, PMUCTL_REGISTER_FRONTEND, 0, 8 },
};

/* In place of FRONTEND_RETIRED: MISP_ANT, and all others. */
static const struct extra_event granite_rapids_events[] = {
	{ GEN_SPR, GEN_SPR, 0x02c6, PMUCTL_REGISTER_FRONTEND, 0, 0 },
	{ GEN_SPR, GEN_SPR, FRONTEND_RETIRED_GNR, PMUCTL_REGISTER_FRONTEND, 0, 0 },
};

static const struct extra_event *find_extra(const struct extra_event *list, size_t count,
					    enum generation generation, uint64_t evtsel)
{
	const struct extra_event *x;

	for (x = list; x < list + count; x++)
		if (x->first <= generation && generation <= x->last &&
		    x->code == (evtsel & EVTSEL_CODE))
			return x;
	return NULL;
}

const struct extra_event *extra_event(const struct pmu_facts *facts, uint64_t evtsel)
{
	enum generation generation = generation_of(facts);

	if (is_granite_rapids(facts) &&
	    (evtsel & EVTSEL_EVENT) == (FRONTEND_RETIRED & EVTSEL_EVENT))
		return find_extra(granite_rapids_events, ARRAY_SIZE(granite_rapids_events),
				  generation, evtsel);
	return find_extra(extra_events, ARRAY_SIZE(extra_events), generation, evtsel);
}
