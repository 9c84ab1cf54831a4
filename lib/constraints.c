// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which counters may count an event: a fixed counter for what it counts, a
 * general-purpose one unless the model has a rule against it.
 */
#include "private.h"

#define FIXED(i) (1ull << (PMUCTL_COUNTER_FIXED + (i)))
#define GP_ALL 0xffffffffull
#define CODE (EVTSEL_EVENT | EVTSEL_UMASK)

struct rule {
	uint64_t mask;		/* these bits of the event ... */
	uint64_t code;		/* ... are these: */
	uint64_t counters;
};

/* The last one of each set has a mask of 0. */
static const struct rule core2_rules[] = {
	{ EVTSEL_EVENT, 0x10, 0x1 },	/* FP_COMP_OPS_EXE */
	{ EVTSEL_EVENT, 0x14, 0x1 },	/* CYCLES_DIV_BUSY */
	{ EVTSEL_EVENT, 0x18, 0x1 },	/* IDLE_DURING_DIV */
	{ EVTSEL_EVENT, 0xa1, 0x1 },	/* RS_UOPS_DISPATCHED by port */
	{ EVTSEL_EVENT, 0xc9, 0x1 },	/* ITLB_MISS_RETIRED */
	{ EVTSEL_EVENT, 0xcb, 0x1 },	/* MEM_LOAD_RETIRED */
	{ EVTSEL_EVENT, 0x11, 0x2 },	/* FP_ASSIST */
	{ EVTSEL_EVENT, 0x12, 0x2 },	/* MUL */
	{ EVTSEL_EVENT, 0x13, 0x2 },	/* DIV */
	{ EVTSEL_EVENT, 0x19, 0x2 },	/* DELAYED_BYPASS */
	{ 0 },
};

/* Four counters have these also where eight exist, with SMT off. */
static const struct rule skylake_rules[] = {
	{ CODE, 0x01c0, 0x2 },		/* INST_RETIRED.PREC_DIST */
	{ EVTSEL_EVENT, 0xcd, 0xf },	/* MEM_TRANS_RETIRED */
	{ EVTSEL_EVENT, 0xd0, 0xf },	/* MEM_INST_RETIRED */
	{ EVTSEL_EVENT, 0xd1, 0xf },	/* MEM_LOAD_RETIRED */
	{ EVTSEL_EVENT, 0xd2, 0xf },	/* MEM_LOAD_L3_HIT_RETIRED */
	{ EVTSEL_EVENT, 0xc6, 0xf },	/* FRONTEND_RETIRED */
	{ 0 },
};

struct model {
	uint32_t model;		/* of family 6 */
	const struct rule *rules;
};

static const struct model models[] = {
	{ 0x0f, core2_rules },		/* Merom */
	{ 0x16, core2_rules },		/* Merom-L */
	{ 0x17, core2_rules },		/* Penryn */
	{ 0x1d, core2_rules },		/* Dunnington */
	{ 0x4e, skylake_rules },	/* Skylake, mobile */
	{ 0x5e, skylake_rules },	/* Skylake, desktop */
	{ 0x55, skylake_rules },	/* Skylake-X */
	{ 0x8e, skylake_rules },	/* Kaby Lake, mobile */
	{ 0x9e, skylake_rules },	/* Kaby Lake, desktop */
	{ 0xa5, skylake_rules },	/* Comet Lake, desktop */
	{ 0xa6, skylake_rules },	/* Comet Lake, mobile */
};

static uint64_t model_counters(const struct pmu_facts *facts, uint64_t evtsel)
{
	const struct rule *rule;
	size_t i;

	if (signature_family(facts->signature) != 6)
		return GP_ALL;
	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].model == signature_model(facts->signature))
			break;
	if (i == ARRAY_SIZE(models))
		return GP_ALL;
	for (rule = models[i].rules; rule->mask; rule++)
		if ((evtsel & rule->mask) == rule->code)
			return rule->counters;
	return GP_ALL;
}

/* Codes 01..03 of event 00 are how Intel's lists write the fixed counters. */
uint64_t allowed_counters(const struct pmu_facts *facts, uint64_t evtsel)
{
	uint64_t allowed;

	switch (evtsel) {
	case 0x00c0:
		allowed = GP_ALL | FIXED(0);
		break;
	case 0x003c:
		allowed = GP_ALL | FIXED(1);
		break;
	case 0x0300:
		allowed = FIXED(2);
		break;
	default:
		allowed = model_counters(facts, evtsel);
	}
	return allowed & facts->counters;
}
