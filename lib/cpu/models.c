// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which generation a processor belongs to, by family, model and kind of core, and what registers
 * beside the event select its events need.
 */
#include "lib/cpu/p4.h"
#include "lib/cpu/p5.h"

/* Family and model: the number of a model means nothing without its family. */
#define ID(family, model) ((family) << 8 | (model))
#define ROW(model, generation) { ID(6, model), 0, 0, generation }
#define BIG(model, generation) { ID(6, model), CORE_BIG, 0, generation }
#define SMALL(model, generation) { ID(6, model), CORE_SMALL, 0, generation }
/* Of two kinds of small cores. */
#define MAKE(model, make, generation) { ID(6, model), CORE_SMALL, make, generation }
#define HYBRID(model, big, small) BIG(model, big), SMALL(model, small)

static const struct {
	uint16_t id;
	uint8_t kind;		/* 0: any */
	uint8_t make;		/* 0: any */
	enum generation generation;
} models[] = {
	ROW(0x0f, GEN_CORE2), ROW(0x16, GEN_CORE2), ROW(0x17, GEN_CORE2), ROW(0x1d, GEN_CORE2),
	ROW(0x1a, GEN_NHM), ROW(0x1e, GEN_NHM), ROW(0x1f, GEN_NHM), ROW(0x2e, GEN_NHM),
	ROW(0x25, GEN_WSM), ROW(0x2c, GEN_WSM), ROW(0x2f, GEN_WSM),
	ROW(0x2a, GEN_SNB), ROW(0x2d, GEN_SNB),
	ROW(0x3a, GEN_IVB), ROW(0x3e, GEN_IVB),
	ROW(0x3c, GEN_HSW), ROW(0x3f, GEN_HSW), ROW(0x45, GEN_HSW), ROW(0x46, GEN_HSW),
	ROW(0x3d, GEN_BDW), ROW(0x47, GEN_BDW), ROW(0x4f, GEN_BDW), ROW(0x56, GEN_BDW),
	/* Kaby, Coffee and Comet Lake as well. */
	ROW(0x4e, GEN_SKL), ROW(0x5e, GEN_SKL), ROW(0x8e, GEN_SKL), ROW(0x9e, GEN_SKL),
	ROW(0xa5, GEN_SKL), ROW(0xa6, GEN_SKL),
	/* Cascade and Cooper Lake as well. */
	ROW(0x55, GEN_SKX),
	/* Tiger and Rocket Lake as well. */
	ROW(0x7d, GEN_ICL), ROW(0x7e, GEN_ICL), ROW(0x8c, GEN_ICL), ROW(0x8d, GEN_ICL),
	ROW(0xa7, GEN_ICL),
	ROW(0x6a, GEN_ICX), ROW(0x6c, GEN_ICX),
	/* Emerald Rapids as well. */
	ROW(0x8f, GEN_SPR), ROW(0xcf, GEN_SPR),
	/* Granite Rapids: see is_granite_rapids(). */
	ROW(0xad, GEN_SPR), ROW(0xae, GEN_SPR),
	/* Alder and Raptor Lake; Bartlett Lake has big cores alone, Alder Lake-N small ones. */
	HYBRID(0x97, GEN_ADL, GEN_GRT), HYBRID(0x9a, GEN_ADL, GEN_GRT),
	HYBRID(0xb7, GEN_ADL, GEN_GRT), HYBRID(0xba, GEN_ADL, GEN_GRT),
	HYBRID(0xbf, GEN_ADL, GEN_GRT),
	ROW(0xd7, GEN_ADL), ROW(0xbe, GEN_GRT),
	/* Meteor Lake, and Arrow Lake U, which is one. */
	HYBRID(0xaa, GEN_ADL, GEN_CMT), HYBRID(0xac, GEN_ADL, GEN_CMT),
	HYBRID(0xb5, GEN_ADL, GEN_CMT),
	/* Arrow Lake H: Crestmont in its low-power cores. */
	BIG(0xc5, GEN_LNC), MAKE(0xc5, 3, GEN_SKT), MAKE(0xc5, 2, GEN_CMT),
	/* Arrow Lake S and HX, Lunar Lake. */
	HYBRID(0xc6, GEN_LNC, GEN_SKT), HYBRID(0xbd, GEN_LNC, GEN_SKT),
	/* Panther Lake; Wildcat Lake. */
	HYBRID(0xcc, GEN_CGC, GEN_DKT), HYBRID(0xe5, GEN_CGC, GEN_DKT),
	HYBRID(0xd5, GEN_CGC, GEN_DKT),
	/* Denverton; Gemini Lake. */
	ROW(0x5c, GEN_GLM), ROW(0x5f, GEN_GLM), ROW(0x7a, GEN_GLP),
	/* Snow Ridge, Elkhart and Jasper Lake. */
	ROW(0x86, GEN_TNT), ROW(0x96, GEN_TNT), ROW(0x9c, GEN_TNT),
	/* Sierra Forest, Grand Ridge. */
	ROW(0xaf, GEN_CMT), ROW(0xb6, GEN_CMT),
};

/* It may not say where all cores are big: these alone have the counter of slots. */
uint32_t core_kind(const struct pmu_facts *facts)
{
	if (facts->core)
		return facts->core >> 24;
	return facts->counters >> (PMUCTL_COUNTER_FIXED + 3) & 1 ? CORE_BIG : 0;
}

uint32_t core_make(const struct pmu_facts *facts)
{
	return facts->core & 0xffffff;
}

enum generation generation_of(const struct pmu_facts *facts)
{
	uint32_t id = ID(signature_family(facts->signature), signature_model(facts->signature));
	size_t i;

	if (facts->backend == BACKEND_P6)
		return GEN_P6;
	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].id == id &&
		    (!models[i].kind || models[i].kind == core_kind(facts)) &&
		    (!models[i].make || models[i].make == core_make(facts)))
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

bool is_lunar_lake(const struct pmu_facts *facts)
{
	return signature_family(facts->signature) == 6 &&
	       signature_model(facts->signature) == 0xbd;
}

bool is_crestmont_server(const struct pmu_facts *facts)
{
	uint32_t model = signature_model(facts->signature);

	return generation_of(facts) == GEN_CMT && (model == 0xaf || model == 0xb6);
}

bool is_redwood_cove(const struct pmu_facts *facts)
{
	uint32_t model = signature_model(facts->signature);

	return is_granite_rapids(facts) ||
	       (generation_of(facts) == GEN_ADL &&
		(model == 0xaa || model == 0xac || model == 0xb5));
}

static size_t cycles_event_p5(const struct pmu_facts *facts, struct pmuctl_register *reg)
{
	const struct p5_event *e = p5_cycles(facts);

	*reg = (struct pmuctl_register){ PMUCTL_REGISTER_CESR, 0, e ? p5_cesr(e) : 0 };
	return e ? 1 : 0;
}

/* On the Pentium 4 it is global_power_events:RUNNING; a Pentium without MMX has none. */
size_t cycles_event(const struct pmu_facts *facts, struct pmuctl_register reg[2])
{
	const struct p4_event *e;

	if (facts->backend == BACKEND_P5)
		return cycles_event_p5(facts, reg);
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
	if (facts->backend == BACKEND_P5)
		return p5_cycles(facts) ? p5_cycles(facts)->counters & facts->counters : 0;
	if (facts->backend == BACKEND_P4)
		return p4_counters(facts, p4_find_event("global_power_events"), 3);
	return allowed_counters(facts, facts->backend == BACKEND_P6 ? EVTSEL_CYCLES_P6 :
				EVTSEL_CYCLES);
}

uint64_t evtsel_bits(const struct pmu_facts *facts)
{
	enum generation generation = generation_of(facts);
	bool of_version_6 = is_lion_cove(generation) || generation >= GEN_SKT;

	return 0xffffffffull | (of_version_6 ? EVTSEL_EQ | EVTSEL_UMASK2 : 0);
}

/* Without a value by default one has to be given. */
static const struct extra_event extra_events[] = {
	{ GEN_NHM, GEN_ICX, 0x01b7, PMUCTL_REGISTER_OFFCORE_RSP, 0, 0 },
	{ GEN_WSM, GEN_ICX, 0x01bb, PMUCTL_REGISTER_OFFCORE_RSP, 1, 0 },
	{ GEN_SPR, GEN_CGC, 0x012a, PMUCTL_REGISTER_OFFCORE_RSP, 0, 0 },
	{ GEN_SPR, GEN_CGC, 0x012b, PMUCTL_REGISTER_OFFCORE_RSP, 1, 0 },
	{ GEN_GLM, GEN_DKT, 0x01b7, PMUCTL_REGISTER_OFFCORE_RSP, 0, 0 },
	{ GEN_GLM, GEN_DKT, 0x02b7, PMUCTL_REGISTER_OFFCORE_RSP, 1, 0 },
	{ GEN_NHM, GEN_WSM, 0x100b, PMUCTL_REGISTER_LD_LAT, 0, 3 },
	{ GEN_SNB, GEN_CGC, 0x01cd, PMUCTL_REGISTER_LD_LAT, 0, 3 },
	{ GEN_GRT, GEN_DKT, 0x05d0, PMUCTL_REGISTER_LD_LAT, 0, 3 },
	{ GEN_SKL, GEN_ADL, FRONTEND_RETIRED, PMUCTL_REGISTER_FRONTEND, 0, 0 },
	/* INT_MISC.UNKNOWN_BRANCH_CYCLES and UOPS_RETIRED.MS. */
	{ GEN_SPR, GEN_CGC, 0x40ad, PMUCTL_REGISTER_FRONTEND, 0, 7 },
	{ GEN_SPR, GEN_CGC, 0x04c2, PMUCTL_REGISTER_FRONTEND, 0, 8 },
};

/* In place of FRONTEND_RETIRED: MISP_ANT, and all others; Lion Cove has them as well. */
static const struct extra_event redwood_cove_events[] = {
	{ GEN_SPR, GEN_CGC, 0x02c6, PMUCTL_REGISTER_FRONTEND, 0, 0 },
	{ GEN_SPR, GEN_CGC, FRONTEND_RETIRED_RWC, PMUCTL_REGISTER_FRONTEND, 0, 0 },
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

	if ((is_redwood_cove(facts) || is_lion_cove(generation)) &&
	    (evtsel & EVTSEL_EVENT) == (FRONTEND_RETIRED & EVTSEL_EVENT))
		return find_extra(redwood_cove_events, ARRAY_SIZE(redwood_cove_events),
				  generation, evtsel);
	return find_extra(extra_events, ARRAY_SIZE(extra_events), generation, evtsel);
}

uint64_t offcore_code(const struct pmu_facts *facts, uint32_t index)
{
	enum generation generation = generation_of(facts);
	const struct extra_event *x;

	for (x = extra_events; x < extra_events + ARRAY_SIZE(extra_events); x++)
		if (x->kind == PMUCTL_REGISTER_OFFCORE_RSP && x->index == index &&
		    x->first <= generation && generation <= x->last)
			return x->code;
	return 0;
}
