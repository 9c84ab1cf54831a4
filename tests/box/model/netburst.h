/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a Pentium 4's events are made of: the state of a thread, and how an instruction
 * in flight causes them.
 */
#ifndef PMUBOX_NETBURST_H
#define PMUBOX_NETBURST_H

#include "model.h"

#define PAGE_BITS 12

/* Sets of four ways, and of eight: the trace cache knows lines of code. */
#define DTLB_SET_BITS 4
#define ITLB_SET_BITS 5
#define TLB_WAYS 4
#define TC_SET_BITS 6
#define TC_WAYS 8

#define STORES 8			/* that a load looks at */
#define LOG_MAX 2048

struct recent_store {
	uint64_t addr, instruction;
	unsigned int size;
};

/* What the instruction in flight has added, in case that it does not retire. */
struct event_log {
	uint64_t instruction;
	unsigned int nr;
	unsigned int kinds, kinds_end;	/* of these, what each round of a REP repeats */
	struct {
		uint16_t event, n;
	} entry[LOG_MAX];
};

/* What the trace cache does for a thread. */
enum tc_mode { TC_DELIVER, TC_BUILD, TC_IDLE, TC_MODES };

struct netburst {
	struct event_log log;
	uint32_t what;			/* the instruction, as in pmu_insn() */
	bool moved;			/* it has had an access already */
	bool tagged;			/* ... or a uop that is tagged... */
	uint64_t tagged_instruction;	/* ...and its number */
	uint64_t code_line;		/* fetched from last... */
	uint64_t ip;			/* ...and where in it */
	enum tc_mode mode;
	bool idle;
	uint64_t mode_cycle;		/* up to where cycles have been given to a mode */
	struct recent_store store[STORES];	/* a ring */
	unsigned int newest;
	uint64_t dtlb[TLB_WAYS << DTLB_SET_BITS];
	uint64_t itlb[TLB_WAYS << ITLB_SET_BITS];
	uint64_t tc[TC_WAYS << TC_SET_BITS];
};

/* Events of the instruction in flight: its log begins, one happens n times. */
void burst_begin(struct pmu *pmu);
void burst_happen(struct pmu *pmu, enum event event, unsigned int n);
void burst_stall(struct pmu *pmu, uint32_t cycles);
/* It has a uop with these traits; it has n uops more. */
void burst_tag(struct pmu *pmu, uint32_t traits);
void burst_uops(struct pmu *pmu, unsigned int n);
/* Page tables are walked. */
void burst_walk(struct pmu *pmu, enum event event);

/* True if key is among the ways of its set; it is in front afterwards. */
bool burst_look_up(uint64_t *table, unsigned int set_bits, unsigned int ways, uint64_t key);
uint64_t *burst_find(uint64_t *table, unsigned int set_bits, unsigned int ways, uint64_t key);

#endif
