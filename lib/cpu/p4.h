/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The Pentium 4's events: what its files share.
 *
 * An event has two registers: an ESCR selects it, a CCCR connects one of 18
 * counters to the ESCR.  Names of registers are those of the SDM.
 */
#ifndef LIBPMUCTL_P4_H
#define LIBPMUCTL_P4_H

#include "lib/base/private.h"

#define P4_COUNTERS	18

/* Fields of an ESCR. */
#define P4_ESCR_SELECT_SHIFT	25
#define P4_ESCR_MASK_SHIFT	9
#define P4_ESCR_TAG_SHIFT	5
#define P4_ESCR_TAG_ENABLE	(1u << 4)
#define P4_ESCR_T0_OS		(1u << 3)
#define P4_ESCR_T0_USR		(1u << 2)
#define P4_ESCR_T1_OS		(1u << 1)
#define P4_ESCR_T1_USR		(1u << 0)
#define P4_ESCR_RINGS		0xfu
#define P4_ESCR_TAGS		(0xfu << P4_ESCR_TAG_SHIFT)

/* Fields of a CCCR that make up an event; the kernel owns the others. */
#define P4_CCCR_SELECT_SHIFT	13
#define P4_CCCR_THREAD		(3u << 16)
#define P4_CCCR_COMPARE		(1u << 18)
#define P4_CCCR_COMPLEMENT	(1u << 19)
#define P4_CCCR_THRESHOLD	(15u << 20)
#define P4_CCCR_EDGE		(1u << 24)
#define P4_CCCR_FORCE_OVF	(1u << 25)
#define P4_CCCR_EVENT		0x03ffe000u

/* Counters by PEBS: that of the first thread, and of the second. */
#define P4_PEBS_COUNTERS	(3ull << 16)

/* Counters come in groups, and each half of a group has ESCRs of its own. */
enum p4_group { P4_BPU, P4_MS, P4_FLAME, P4_IQ, P4_GROUPS };

/* What has to tag uops for the event to count them. */
enum p4_tagged { P4_NO_TAG, P4_FRONT, P4_EXECUTION, P4_REPLAY };

struct p4_mask {
	const char *name;	/* NULL: the end */
	uint8_t bit;
};

struct p4_event {
	const char *name;
	uint8_t select;		/* of the ESCR */
	uint8_t cccr_select;	/* which of the counter's ESCRs */
	enum p4_group group;
	uint8_t escrs;		/* bit 0: the first of the pair has it, bit 1: the second */
	uint16_t usual;		/* mask if none is named; 0: one has to be */
	const struct p4_mask *masks;
	const char *text;
	const char *alias;	/* or NULL */
	enum p4_tagged tagged;
	bool tags;		/* it can tag the uops that it counts */
	uint8_t first_model;	/* of family 15 */
	uint32_t second_since;	/* before this signature the second ESCR lacks it */
};

extern const struct p4_event p4_events[];
extern const size_t p4_events_count;

/* What counts tagged uops, by the manual's name, with all that tags them. */
struct p4_metric {
	const char *name;
	const char *alias;	/* or NULL */
	const char *cause;	/* libpfm4's umask of replay_event, or NULL */
	enum p4_tagged tagged;
	uint32_t replay;	/* bits of the PEBS enable register */
	uint32_t matrix;	/* value of PEBS_MATRIX_VERT */
	const char *upstream;	/* event that has to run beside it, or NULL */
	uint16_t mask;		/* of the upstream */
	uint8_t escrs;		/* that the upstream may use */
	const char *text;
};

extern const struct p4_metric p4_metrics[];
extern const size_t p4_metrics_count;

/* p4_tables.c */
const struct p4_event *p4_find_event(const char *name);
const struct p4_metric *p4_find_metric(const char *name);
const struct p4_metric *p4_find_cause(const char *name);
/* The portable name's event, and what to say of it, or NULL; NULL: there is none. */
const char *p4_find_portable(const char *name, const char **full_name, const char **remark);
int p4_list_portable(const char *pattern, pmuctl_event_fn *fn, void *data);
/* The bits of a mask's name, 0 if there is none; *note says what is odd about it. */
uint16_t p4_find_mask(const struct p4_event *e, const char *name, const char **note);
/* Counters of both halves of a group; half 0, 1. */
uint64_t p4_half_counters(enum p4_group group, unsigned int half);
enum p4_group p4_group_of(uint64_t counters);
/* The ESCR's number that a counter reaches by this select value; -1: none. */
int p4_route(unsigned int counter, unsigned int select);
/* That may count it here, of those that exist. */
uint64_t p4_counters(const struct pmu_facts *facts, const struct p4_event *e, uint8_t escrs);
/* Of an event without masks. */
uint32_t p4_escr(const struct p4_event *e, uint16_t mask);
uint32_t p4_cccr(const struct p4_event *e);

/* What a text turned out to be, before it is an event. */
struct p4_code {
	const struct p4_event *event;
	uint32_t escr, cccr;
	uint32_t replay, matrix;
	bool replayed;			/* the last two count */
	bool tag_free;			/* the tag's number does not matter */
	bool nbogus, bogus;
	uint64_t counters;
	struct upstream upstream[UPSTREAMS];
	size_t nr_upstreams;
	char full_name[256];
	char note[256];
	enum pmuctl_source source;
};

/* p4_tags.c: what tags the uops that it counts. */
int p4_take_upstream(struct pmuctl *ctx, const struct pmu_facts *facts, struct p4_code *code,
		     const char *word);
int p4_take_metric(struct pmuctl *ctx, const struct pmu_facts *facts, struct p4_code *code,
		   const struct p4_metric *metric);
/* Once all words are known. */
int p4_finish_tags(struct pmuctl *ctx, struct p4_code *code);
/* p4_raw.c: cpu/escr=0x..,cccr=0x..,.../ */
int p4_raw_parse(struct pmuctl *ctx, const char *terms, struct p4_code *code);

#endif
