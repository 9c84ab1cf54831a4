// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processors with architectural perfmon that the module knows, as tables.
 */
#include <linux/kernel.h>

#include "kmod/pmu/models.h"
#include "kmod/pmu/pmu.h"

#define MSR_OFFCORE_RSP_0	0x1a6
#define MSR_OFFCORE_RSP_1	0x1a7
#define MSR_LD_LAT		0x3f6
#define MSR_FRONTEND		0x3f7
#define MSR_SNOOP_RSP_0		0x1328
#define MSR_SNOOP_RSP_1		0x1329

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

/* Lion Cove. */
static const struct pmuctl_extra lioncove_extra[] = {
	OFFCORE(0, 0x012a, false, 0xfffffffffffULL),
	OFFCORE(1, 0x012b, false, 0xfffffffffffULL),
	LATENCY(0x01cd),
	FRONT(0x02c6, 0x9),
	FRONT(0x03c6, 0x7fff1f),
	FRONT(0x40ad, 0xf),
	FRONT(0x04c2, 0x8),
};

/*
 * Small cores, as Linux's driver has them.  Bit 63, requests outstanding, is
 * the first register's alone.
 */
#define ATOM_OFFCORE(first, second)					\
	OFFCORE(0, 0x01b7, false, first), OFFCORE(1, 0x02b7, false, second)

static const struct pmuctl_extra goldmont_extra[] = {
	ATOM_OFFCORE(0x760005ffbfULL, 0x360005ffbfULL),
};

static const struct pmuctl_extra tremont_extra[] = {
	ATOM_OFFCORE(0x800ff0ffffff9fffULL, 0xff0ffffff9fffULL),
};

static const struct pmuctl_extra gracemont_extra[] = {
	ATOM_OFFCORE(0x8003f03fffffffffULL, 0x3f03fffffffffULL),
	LATENCY(0x05d0),
};

/* What is asked of snoops (0127H, 0227H) has registers that nobody sets yet. */
static const struct pmuctl_extra crestmont_extra[] = {
	ATOM_OFFCORE(0x800ff3ffffffffffULL, 0xff3ffffffffffULL),
	LATENCY(0x05d0),
	{ .event = 0x0127, .msr = MSR_SNOOP_RSP_0 },
	{ .event = 0x0227, .msr = MSR_SNOOP_RSP_1 },
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
/*
 * Raptor Cove as well.  Bit 15 of its capabilities may be 0 (RPL018).  Beside
 * small cores leaf 0AH has their counters, and there is no leaf 23H.
 */
MODEL(goldencove, 0, EXTRA(sapphirerapids), .metrics = METRICS_LEVEL_2,
	.metrics_silent = true, .errata = PMUCTL_ERRATUM_AUXILIARY,
	.gp_silent = 8, .fixed_silent = 0xf);
MODEL(graniterapids, 0, EXTRA(graniterapids), .metrics = METRICS_LEVEL_2);
/* In clients, where bit 15 of its capabilities may be 0 as well. */
MODEL(redwoodcove, 0, EXTRA(graniterapids), .metrics = METRICS_LEVEL_2,
	.metrics_silent = true);
MODEL(lioncove, 0, EXTRA(lioncove), .metrics = METRICS_LEVEL_2);
MODEL(bonnell, 8, .pebs_first_only = true,
	.errata = PMUCTL_ERRATUM_LBR_FREEZE);
MODEL(silvermont, 8, EXTRA(atom), .pebs_first_only = true);
MODEL(goldmont, 32, EXTRA(goldmont), .pebs_first_only = true);
MODEL(goldmontplus, 32, EXTRA(goldmont));
MODEL(tremont, 32, EXTRA(tremont));
/* Their branch records are architectural as well. */
MODEL(gracemont, 0, EXTRA(gracemont));
MODEL(crestmont, 0, EXTRA(crestmont));
/* Bad speculation, front end and retiring have fixed counters of their own. */
MODEL(skymont, 0, EXTRA(crestmont), .fixed_classes = 0x70);
MODEL(knightslanding, 8, EXTRA(atom), .pebs_first_only = true);

/*
 * Family, model, and where it has cores of several kinds which of them; of two
 * kinds of small cores the number of their make tells which.
 */
#define ID(family, number)	((family) << 8 | (number))
#define ROW(number, model_)	{ ID(6, number), 0, 0, &model_ }
#define BIG(number, model_)	{ ID(6, number), PMUCTL_CORE_BIG, 0, &model_ }
#define SMALL(number, model_)	{ ID(6, number), PMUCTL_CORE_SMALL, 0, &model_ }
#define MAKE(number, make, model_)					\
	{ ID(6, number), PMUCTL_CORE_SMALL, make, &model_ }

static const struct {
	u16 id;
	u8 kind;		/* 0: any */
	u8 make;		/* 0: any */
	const struct pmuctl_model *model;
} models[] = {
	ROW(0x0f, merom), ROW(0x16, merom), ROW(0x17, core2), ROW(0x1d, core2),
	ROW(0x1a, nehalem), ROW(0x1e, nehalem), ROW(0x1f, nehalem),
	ROW(0x2e, nehalem),
	ROW(0x25, westmere), ROW(0x2c, westmere), ROW(0x2f, westmere),
	ROW(0x2a, sandybridge), ROW(0x2d, sandybridge_ep),
	ROW(0x3a, ivybridge), ROW(0x3e, ivybridge_ep),
	ROW(0x3c, haswell), ROW(0x3f, haswell), ROW(0x45, haswell),
	ROW(0x46, haswell),
	ROW(0x3d, broadwell), ROW(0x47, broadwell), ROW(0x4f, broadwell),
	ROW(0x56, broadwell),
	/* Kaby, Coffee and Comet Lake, Cascade and Cooper Lake as well. */
	ROW(0x4e, skylake), ROW(0x5e, skylake), ROW(0x55, skylake),
	ROW(0x8e, skylake), ROW(0x9e, skylake), ROW(0xa5, skylake),
	ROW(0xa6, skylake),
	/* Tiger and Rocket Lake as well. */
	ROW(0x7d, icelake), ROW(0x7e, icelake), ROW(0x6a, icelake),
	ROW(0x6c, icelake), ROW(0x8c, icelake), ROW(0x8d, icelake),
	ROW(0xa7, icelake),
	/* Emerald Rapids as well. */
	ROW(0x8f, sapphirerapids), ROW(0xcf, sapphirerapids),
	ROW(0xad, graniterapids), ROW(0xae, graniterapids),
	/* Alder and Raptor Lake. */
	BIG(0x97, goldencove), SMALL(0x97, gracemont),
	BIG(0x9a, goldencove), SMALL(0x9a, gracemont),
	BIG(0xb7, goldencove), SMALL(0xb7, gracemont),
	BIG(0xba, goldencove), SMALL(0xba, gracemont),
	BIG(0xbf, goldencove), SMALL(0xbf, gracemont),
	/* Meteor Lake, and Arrow Lake U, which is one. */
	BIG(0xaa, redwoodcove), SMALL(0xaa, crestmont),
	BIG(0xac, redwoodcove), SMALL(0xac, crestmont),
	BIG(0xb5, redwoodcove), SMALL(0xb5, crestmont),
	/* Arrow Lake H: Skymont, and Crestmont in its low-power cores. */
	BIG(0xc5, lioncove), MAKE(0xc5, 3, skymont), MAKE(0xc5, 2, crestmont),
	/*
	 * Arrow Lake S and HX, Lunar Lake; with Cougar Cove and Darkmont, whose
	 * registers are the same, Panther and Wildcat Lake.
	 */
	BIG(0xc6, lioncove), SMALL(0xc6, skymont),
	BIG(0xbd, lioncove), SMALL(0xbd, skymont),
	BIG(0xcc, lioncove), SMALL(0xcc, skymont),
	BIG(0xe5, lioncove), SMALL(0xe5, skymont),
	BIG(0xd5, lioncove), SMALL(0xd5, skymont),
	/* Bartlett Lake without small cores; Alder Lake-N without big ones. */
	ROW(0xd7, goldencove), ROW(0xbe, gracemont),
	/* Sierra Forest, Grand Ridge. */
	ROW(0xaf, crestmont), ROW(0xb6, crestmont),
	ROW(0x1c, bonnell), ROW(0x26, bonnell), ROW(0x27, bonnell),
	ROW(0x35, bonnell), ROW(0x36, bonnell),
	ROW(0x37, silvermont), ROW(0x4a, silvermont), ROW(0x4c, silvermont),
	ROW(0x4d, silvermont), ROW(0x5a, silvermont), ROW(0x5d, silvermont),
	ROW(0x5c, goldmont), ROW(0x5f, goldmont), ROW(0x7a, goldmontplus),
	ROW(0x86, tremont), ROW(0x96, tremont), ROW(0x9c, tremont),
	ROW(0x57, knightslanding), ROW(0x85, knightslanding),
};

const struct pmuctl_model *pmuctl_model_find(u32 signature, u32 kind, u32 make)
{
	u32 id = pmuctl_model_id(signature);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].id == id &&
		    (!models[i].kind || models[i].kind == kind) &&
		    (!models[i].make || models[i].make == make))
			return models[i].model;
	return NULL;
}
