/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Pentium 4's PMU: the facts of its models, and the state that the threads of a
 * core share.  One thread runs at a time (see pmu_leave()), so nothing is locked.
 */
#ifndef PMUBOX_P4_H
#define PMUBOX_P4_H

#include "model.h"

#define P4_COUNTERS 18
#define P4_ESCRS 0x42			/* numbers: address - 0x3a0 */
#define P4_NO_ESCR 0xff
#define P4_COUNTER_WIDTH 40

/* ESCR */
#define ESCR_SELECT(escr) ((escr) >> 25 & 0x3f)
#define ESCR_MASK(escr) ((escr) >> 9 & 0xffff)
#define ESCR_TAGS(escr) ((escr) >> 5 & 0xf)
#define ESCR_TAG_ENABLE BIT(4)
#define ESCR_T0_OS BIT(3)
#define ESCR_T0_USR BIT(2)
#define ESCR_T1_OS BIT(1)
#define ESCR_T1_USR BIT(0)
#define ESCR_T1 (ESCR_T1_OS | ESCR_T1_USR)
#define ESCR_WRITABLE (BIT(31) - 1)

/* CCCR */
#define CCCR_OVF BIT(31)
#define CCCR_CASCADE BIT(30)
#define CCCR_OVF_PMI_T0 BIT(26)		/* that of thread 1 is the next bit */
#define CCCR_FORCE_OVF BIT(25)
#define CCCR_EDGE BIT(24)
#define CCCR_THRESHOLD(cccr) ((unsigned int)((cccr) >> 20) & 0xf)
#define CCCR_COMPLEMENT BIT(19)
#define CCCR_COMPARE BIT(18)
#define CCCR_ACTIVE_ANY 3
#define CCCR_ACTIVE(cccr) ((unsigned int)((cccr) >> 16) & 3)
#define CCCR_SELECT(cccr) ((unsigned int)((cccr) >> 13) & 7)
#define CCCR_ENABLE BIT(12)
#define CCCR_EXTENDED BIT(11)

/* PEBS_ENABLE, as it is kept: the bits of thread 0 and 1, not "mine" and "other". */
#define PEBS_REPLAY_TAG BIT(24)
#define PEBS_THREAD(thread) BIT(25 + (thread))
#define PEBS_THREADS (BIT(25) | BIT(26))

enum p4_group { P4_BPU, P4_MS, P4_FLAME, P4_IQ };

/* A CCCR select value of a group: the ESCR of either half of its counters. */
struct p4_route {
	uint8_t group, select;
	uint8_t escr[2];
};

/* A counter: its group, the half that chooses its ESCRs, and what it may start. */
struct p4_counter_facts {
	uint8_t group, half;
	uint8_t cascaded_from;		/* by bit 30 of its CCCR; P4_NOBODY */
	uint8_t extended_from;		/* by bit 11 */
};

#define P4_NOBODY 0xff

/* What a model of family 15 has and lacks. */
struct p4_model {
	uint8_t model;			/* bit per model in struct p4_event */
	bool iq_escrs;			/* IQ_ESCR0 and 1 */
	bool cascade_silent;		/* erratum: a cascaded counter raises no PMI */
	bool dtes64;			/* DS areas are those of 64 bits, whatever the mode */
};

enum p4_kind {
	P4_PLAIN,
	P4_TAGS_LOADS_STORES,		/* uop_type: tags at the front end, counts nothing */
	P4_TAGS_UOPS,			/* may tag what it counts */
	P4_FRONT_END,			/* retired uops that the front end tagged */
	P4_EXECUTION,
	P4_REPLAY,
	P4_LOADS_REPLAYED,		/* upstream of replay tagging, too */
	P4_STORES_REPLAYED,
	P4_MOB_REPLAYS,
	P4_BUS,				/* the mask is a condition */
};

/* What a bit of an event's mask counts; several rows of a bit add up. */
struct p4_mask {
	uint8_t bit;
	enum event event, less;		/* less: EV_NONE, or what of event is not meant */
};

/* An event: where it is detected, and what its mask means. */
struct p4_event {
	uint8_t group, select;		/* a route */
	uint8_t code;
	uint8_t kind;			/* enum p4_kind */
	bool either_thread;		/* TI: T0's and T1's bits are one */
	uint8_t models;			/* bit per model; 0: all */
	uint8_t nr;
	const struct p4_mask *masks;
};

/* A set of enum event: what is counted is the sum. */
#define SET_WORDS ((EV_P4_END + 63) / 64)

struct event_set {
	uint64_t word[SET_WORDS];
};

/* What a counter adds up, and what it takes off. */
struct p4_sum {
	struct event_set more, less;
};

/* Where the cycle that runs stands with a counter that compares. */
struct p4_cycle {
	unsigned int n;			/* events in it */
	bool held;			/* the comparison, in the cycle before */
};

struct p4_counter {
	uint64_t value;
	struct p4_sum sum[PMU_MAX_THREADS][PMU_CLASSES];
	int64_t debt;			/* taken off before what it is to be taken from */
	struct p4_cycle cycle[PMU_MAX_THREADS];
	const struct p4_route *route;	/* of its CCCR, or NULL... */
	const struct p4_event *event[2];	/* ...and what the ESCRs of it detect, or NULL */
	bool on;
	bool ready;			/* on, or another's overflow turns it on */
	bool armed;			/* overflowed; the next event interrupts or is recorded */
	bool pebs;
};

struct p4 {
	const struct p4_model *model;
	uint64_t escr[P4_ESCRS];
	uint64_t cccr[P4_COUNTERS];
	struct p4_counter counter[P4_COUNTERS];
	uint64_t pebs_enable, matrix_vert, precise;
	uint8_t halted;			/* bit per thread */
};

static inline struct p4 *p4_of(const struct pmu *pmu)
{
	return pmu->core->p4;
}

static inline bool set_empty(const struct event_set *set)
{
	uint64_t any = 0;

	for (int w = 0; w < SET_WORDS; w++)
		any |= set->word[w];
	return !any;
}

static inline void set_add(struct event_set *set, enum event event)
{
	if (event != EV_NONE)
		set->word[event / 64] |= BIT(event % 64);
}

static inline unsigned int set_size(const struct event_set *set)
{
	unsigned int n = 0;

	for (int w = 0; w < SET_WORDS; w++)
		n += (unsigned int)__builtin_popcountll(set->word[w]);
	return n;
}

/* Runs fn for each event of a set. */
static inline void set_each(const struct event_set *set, void (*fn)(void *data, enum event event),
			    void *data)
{
	for (int w = 0; w < SET_WORDS; w++)
		for (uint64_t left = set->word[w]; left; left &= left - 1)
			fn(data, (enum event)(64 * w + __builtin_ctzll(left)));
}

/* What the rest of the model calls where a PMU is one of these. */
int p4_new(struct pmu *pmu);
void p4_power_on(struct pmu *pmu);
void p4_halt(struct pmu *pmu);
void p4_wake(struct pmu *pmu);
void p4_configure(struct pmu *pmu);
void p4_counters_advance(struct pmu *pmu);
uint64_t p4_budget(struct pmu *pmu);
uint8_t p4_needs(const struct pmu *pmu, unsigned int cls);
enum pmu_access p4_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum pmu_access p4_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
enum pmu_access p4_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value);
void p4_each_changed_msr(const struct pmu *pmu,
			 void (*fn)(void *data, uint32_t msr, uint64_t value), void *data);
struct pmu_written p4_record(struct pmu *pmu, const struct pmu_cpu *cpu,
			     const struct pmu_memory *memory);

/* p4_facts.c */
extern const struct p4_model p4_prescott, p4_northwood;
const struct p4_counter_facts *p4_counter_facts(unsigned int counter);
bool p4_escr_exists(const struct p4_model *model, unsigned int escr);
const struct p4_route *p4_route_of(unsigned int counter, unsigned int select);

/* p4_events.c */
const struct p4_event *p4_event_find(const struct p4_model *model, const struct p4_route *route,
				     uint64_t code);
void p4_event_sum(const struct p4_event *event, uint64_t mask, struct p4_sum *sum);

/* p4_tags.c */
bool p4_selects(uint64_t escr, bool either_thread, unsigned int thread, unsigned int cls);
void p4_tags_mark(struct pmu *pmu);
void p4_tags_sum(const struct pmu *pmu, unsigned int cls, const struct p4_event *event,
		 uint64_t mask, struct p4_sum *sum);

/* p4_counters.c */
uint64_t p4_sum_now(struct pmu *pmu, unsigned int i);

/* p4_compare.c */
bool p4_compares(const struct p4 *p4, unsigned int i);
uint8_t p4_compare_needs(const struct pmu *pmu, unsigned int i, unsigned int cls);
uint64_t p4_compare(struct pmu *pmu, unsigned int i);
uint64_t p4_compare_distance(struct pmu *pmu, unsigned int i, uint64_t left);

/* p4_pebs.c */
void p4_pebs_setup(struct pmu *pmu, unsigned int i);
void p4_pebs_event(struct pmu *pmu, unsigned int i, uint64_t n);

#endif
