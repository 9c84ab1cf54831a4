/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a profile says of the size of caches, and of a core that has a pipeline.
 */
#ifndef PMUBOX_SHAPE_H
#define PMUBOX_SHAPE_H

#include "pmu.h"

#define LINE_BITS 6
#define CACHE_LEVELS 3
#define L3_LEVEL (CACHE_LEVELS - 1)	/* which is the package's; those before it are a CPU's */

struct cache_shape {
	uint8_t set_bits;		/* log2 of the number of sets */
	uint8_t ways;			/* 0: no such cache */
	uint16_t stall;			/* cycles that a load waits for a hit here */
};

struct tlb_shape {
	uint8_t set_bits, ways;
};

/* What a core without a pipeline has besides caches of data: pages.c. */
struct pages_shape {
	struct tlb_shape code;		/* lines of the first level; no ways: not modelled */
	struct tlb_shape itlb, dtlb;
};

/* Which ports can execute a kind, and how long that takes. */
struct unit_shape {
	uint16_t ports;			/* bit per port */
	uint8_t latency;		/* the divider is taken as long */
};

#define MAX_SLOTS 8			/* width of the widest core */
#define MAX_FILL_BUFFERS 16

/* A core with a pipeline: pipeline_shapes.c has one for each generation. */
struct pmu_core_shape {
	uint8_t width;			/* uops that are issued in a cycle */
	uint8_t retire;			/* ... that retire */
	uint16_t rob, rs, loads, stores;	/* entries */
	uint8_t fill_buffers;
	/* front end */
	uint8_t queue;			/* uops decoded ahead */
	uint8_t dsb_rate;		/* uops in a cycle */
	uint8_t dsb_set_bits, dsb_ways, dsb_window;	/* sets, ways, log2 of bytes */
	uint8_t dsb_uops;		/* of a window, at most */
	uint8_t decoders, fetch_bytes;	/* in a cycle */
	uint8_t ms_rate;
	uint8_t dsb_switch, ms_switch, lcp, unknown_branch;	/* cycles lost */
	uint8_t recovery, resteer;	/* ... behind a misprediction: parts of it */
	uint8_t clear_restart;		/* ... and one that metrics do not see */
	/* memory */
	uint8_t stlb_hit, walk;		/* cycles */
	uint8_t line_interval;		/* cycles between two lines from memory */
	struct tlb_shape itlb, dtlb, stlb;
	struct cache_shape icache;
	uint16_t load_ports, address_ports, data_ports;
	bool moves_eliminated;
	struct unit_shape unit[PMU_CODE_KINDS];
};

#endif
