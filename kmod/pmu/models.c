// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processors of family 6 that the module knows, as tables.
 */
#include <linux/kernel.h>

#include "kmod/pmu/models.h"
#include "kmod/pmu/pmu.h"

#define MSR_OFFCORE_RSP_0	0x1a6
#define MSR_OFFCORE_RSP_1	0x1a7
#define MSR_LD_LAT		0x3f6
#define MSR_FRONTEND		0x3f7

/* Latencies below three cycles do not exist. */
#define LD_LAT_LEAST		3
#define LD_LAT_BITS		0xffff

/* Slots of registers. */
enum { RSP_0, RSP_1, LD_LAT, FRONTEND };

#define OFFCORE(i, event, shared, bits)					\
	{ PMUCTL_REG_OFFCORE_RSP, i, event, RSP_##i, shared,		\
	  MSR_OFFCORE_RSP_##i, bits, 1 }
#define LATENCY(event)							\
	{ PMUCTL_REG_LD_LAT, 0, event, LD_LAT, false, MSR_LD_LAT,	\
	  LD_LAT_BITS, LD_LAT_LEAST }
#define FRONT(event, bits)						\
	{ PMUCTL_REG_FRONTEND, 0, event, FRONTEND, false, MSR_FRONTEND,	\
	  bits, 1 }

static const struct pmuctl_extra nehalem_extra[] = {
	OFFCORE(0, 0x01b7, true, 0xffff),
	LATENCY(0x100b),
};

static const struct pmuctl_extra westmere_extra[] = {
	OFFCORE(0, 0x01b7, true, 0xffff),
	OFFCORE(1, 0x01bb, true, 0xffff),
	LATENCY(0x100b),
};

/* Ivy Bridge for desktops as well. */
static const struct pmuctl_extra sandybridge_extra[] = {
	OFFCORE(0, 0x01b7, true, 0x3f807f8fffULL),
	OFFCORE(1, 0x01bb, true, 0x3f807f8fffULL),
	LATENCY(0x01cd),
};

/* From Sandy Bridge for servers to Broadwell. */
static const struct pmuctl_extra haswell_extra[] = {
	OFFCORE(0, 0x01b7, true, 0x3fffff8fffULL),
	OFFCORE(1, 0x01bb, true, 0x3fffff8fffULL),
	LATENCY(0x01cd),
};

static const struct pmuctl_extra skylake_extra[] = {
	OFFCORE(0, 0x01b7, true, 0x3fffff8fffULL),
	OFFCORE(1, 0x01bb, true, 0x3fffff8fffULL),
	LATENCY(0x01cd),
	FRONT(0x01c6, 0x7fff17),
};

static const struct pmuctl_extra icelake_extra[] = {
	OFFCORE(0, 0x01b7, false, 0x3fffffbfffULL),
	OFFCORE(1, 0x01bb, false, 0x3fffffbfffULL),
	LATENCY(0x01cd),
	FRONT(0x01c6, 0x7fff17),
};

static const struct pmuctl_extra sapphirerapids_extra[] = {
	OFFCORE(0, 0x012a, false, 0x3fffffffffULL),
	OFFCORE(1, 0x012b, false, 0x3fffffffffULL),
	LATENCY(0x01cd),
	FRONT(0x01c6, 0x7fff1f),
	FRONT(0x40ad, 0x7),
	FRONT(0x04c2, 0x8),
};

/* Granite Rapids: the front end's event has two codes. */
static const struct pmuctl_extra graniterapids_extra[] = {
	OFFCORE(0, 0x012a, false, 0x3fffffffffULL),
	OFFCORE(1, 0x012b, false, 0x3fffffffffULL),
	LATENCY(0x01cd),
	FRONT(0x02c6, 0x9),
	FRONT(0x03c6, 0x7fff1f),
	FRONT(0x40ad, 0x7),
	FRONT(0x04c2, 0x8),
};

/* These have offcore events as well, of whose registers we know too little. */
static const struct pmuctl_extra atom_extra[] = {
	OFFCORE(0, 0x01b7, true, 0),
	OFFCORE(1, 0x02b7, true, 0),
};

/* --- what PEBS can record --- */

#define CODE(event)	{ event, 0xffff }
#define ALL_OF(event)	{ event, 0x00ff }

static const struct pmuctl_pebs_event core2_pebs[] = {
	CODE(0x00c0), CODE(0xfec1), CODE(0x00c5), CODE(0x1fc7), ALL_OF(0xcb),
};

static const struct pmuctl_pebs_event nehalem_pebs[] = {
	CODE(0x100b), ALL_OF(0x0f), CODE(0x010c), ALL_OF(0xc0), ALL_OF(0xc2),
	ALL_OF(0xc4), CODE(0x02c5), ALL_OF(0xc7), CODE(0x20c8), ALL_OF(0xcb),
	ALL_OF(0xf7),
};

/* Stores whose address is recorded, where that is a mode of its own. */
#define PRECISE_STORE	0x02cd

/* Fields of PERF_METRICS: four of each level of Top-Down. */
#define METRICS_LEVEL_1	4
#define METRICS_LEVEL_2	8

/* Errata, of all steppings or of some; perfmon/errata.c finds out. */
#define MEROM_ERRATA		PMUCTL_ERRATUM_PEBS
#define WESTMERE_ERRATA		(PMUCTL_ERRATUM_FIRST_EVENT |		\
				 PMUCTL_ERRATUM_SHORT_PERIOD)
#define NEHALEM_ERRATA		(WESTMERE_ERRATA |			\
				 PMUCTL_ERRATUM_BRANCH_MISSES)
#define IVYBRIDGE_ERRATA	(PMUCTL_ERRATUM_TWIN |			\
				 PMUCTL_ERRATUM_SHORT_PERIOD)
#define SANDYBRIDGE_ERRATA	(IVYBRIDGE_ERRATA | PMUCTL_ERRATUM_PEBS)
#define HASWELL_ERRATA		(IVYBRIDGE_ERRATA |			\
				 PMUCTL_ERRATUM_SHORT_DIST)
#define BROADWELL_ERRATA	(PMUCTL_ERRATUM_SHORT_DIST |		\
				 PMUCTL_ERRATUM_ODD_DIST)

#define ERRATA(of)	.errata = of##_ERRATA
#define STORES		.precise_store = PRECISE_STORE
#define EXTRA(of)	.extra = of##_extra, .nr_extra = ARRAY_SIZE(of##_extra)
#define PEBS(of)	.pebs = of##_pebs, .nr_pebs = ARRAY_SIZE(of##_pebs)
#define MODEL(name_, depth, ...)					\
	static const struct pmuctl_model name_ =			\
		{ .name = #name_, .lbr_depth = depth, __VA_ARGS__ }

/* Of 65 nm, and of 45. */
MODEL(merom, 4, PEBS(core2), ERRATA(MEROM));
MODEL(core2, 4, PEBS(core2));
MODEL(nehalem, 16, EXTRA(nehalem), PEBS(nehalem), ERRATA(NEHALEM));
MODEL(westmere, 16, EXTRA(westmere), PEBS(nehalem), ERRATA(WESTMERE));
MODEL(sandybridge, 16, EXTRA(sandybridge), STORES, ERRATA(SANDYBRIDGE));
MODEL(sandybridge_ep, 16, EXTRA(haswell), STORES, ERRATA(SANDYBRIDGE));
MODEL(ivybridge, 16, EXTRA(sandybridge), STORES, ERRATA(IVYBRIDGE));
MODEL(ivybridge_ep, 16, EXTRA(haswell), STORES, ERRATA(IVYBRIDGE));
MODEL(haswell, 16, EXTRA(haswell), ERRATA(HASWELL));
MODEL(broadwell, 16, EXTRA(haswell), ERRATA(BROADWELL));
MODEL(skylake, 32, EXTRA(skylake));
MODEL(icelake, 32, EXTRA(icelake), .metrics = METRICS_LEVEL_1);
/* Its branch records are architectural, in registers of their own. */
MODEL(sapphirerapids, 0, EXTRA(sapphirerapids), .metrics = METRICS_LEVEL_2,
	.errata = PMUCTL_ERRATUM_AUXILIARY);
MODEL(graniterapids, 0, EXTRA(graniterapids), .metrics = METRICS_LEVEL_2);
MODEL(bonnell, 8, .pebs_first_only = true,
	.errata = PMUCTL_ERRATUM_LBR_FREEZE);
MODEL(silvermont, 8, EXTRA(atom), .pebs_first_only = true);
MODEL(goldmont, 32, EXTRA(atom), .pebs_first_only = true);
MODEL(tremont, 32, EXTRA(atom));
MODEL(knightslanding, 8, EXTRA(atom), .pebs_first_only = true);

static const struct {
	u8 number;
	const struct pmuctl_model *model;
} models[] = {
	{ 0x0f, &merom }, { 0x16, &merom }, { 0x17, &core2 }, { 0x1d, &core2 },
	{ 0x1a, &nehalem }, { 0x1e, &nehalem }, { 0x1f, &nehalem },
	{ 0x2e, &nehalem },
	{ 0x25, &westmere }, { 0x2c, &westmere }, { 0x2f, &westmere },
	{ 0x2a, &sandybridge }, { 0x2d, &sandybridge_ep },
	{ 0x3a, &ivybridge }, { 0x3e, &ivybridge_ep },
	{ 0x3c, &haswell }, { 0x3f, &haswell }, { 0x45, &haswell },
	{ 0x46, &haswell },
	{ 0x3d, &broadwell }, { 0x47, &broadwell }, { 0x4f, &broadwell },
	{ 0x56, &broadwell },
	/* Kaby, Coffee and Comet Lake, Cascade and Cooper Lake as well. */
	{ 0x4e, &skylake }, { 0x5e, &skylake }, { 0x55, &skylake },
	{ 0x8e, &skylake }, { 0x9e, &skylake }, { 0xa5, &skylake },
	{ 0xa6, &skylake },
	/* Tiger and Rocket Lake as well. */
	{ 0x7d, &icelake }, { 0x7e, &icelake }, { 0x6a, &icelake },
	{ 0x6c, &icelake }, { 0x8c, &icelake }, { 0x8d, &icelake },
	{ 0xa7, &icelake },
	/* Emerald Rapids as well. */
	{ 0x8f, &sapphirerapids }, { 0xcf, &sapphirerapids },
	{ 0xad, &graniterapids }, { 0xae, &graniterapids },
	{ 0x1c, &bonnell }, { 0x26, &bonnell }, { 0x27, &bonnell },
	{ 0x35, &bonnell }, { 0x36, &bonnell },
	{ 0x37, &silvermont }, { 0x4a, &silvermont }, { 0x4c, &silvermont },
	{ 0x4d, &silvermont }, { 0x5a, &silvermont }, { 0x5d, &silvermont },
	{ 0x5c, &goldmont }, { 0x5f, &goldmont }, { 0x7a, &goldmont },
	{ 0x86, &tremont }, { 0x96, &tremont }, { 0x9c, &tremont },
	{ 0x57, &knightslanding }, { 0x85, &knightslanding },
};

const struct pmuctl_model *pmuctl_model_find(u32 signature)
{
	u32 number = pmuctl_model_number(signature);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].number == number)
			return models[i].model;
	return NULL;
}
