// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tagging: which uops the registers tag, what a counter of tagged uops adds up, and
 * what makes an instruction a tagged one.
 */
#include <stddef.h>

#include "p4.h"

#define FRONT_END_LOADS BIT(1)		/* of uop_type's mask */
#define FRONT_END_STORES BIT(2)
#define REPLAYED BIT(1)			/* of load_port_replay's and store_port_replay's */
#define NBOGUS BIT(0)			/* of front_end_event's and replay_event's */
#define BOGUS BIT(1)

/* What is tagged of a thread's in a class: as they retire, as they are squashed. */
struct tagged {
	struct event_set retired, bogus;
	uint32_t traits;
};

bool p4_selects(uint64_t escr, bool either_thread, unsigned int thread, unsigned int cls)
{
	uint64_t t0 = cls == PMU_KERNEL ? ESCR_T0_OS : ESCR_T0_USR;
	uint64_t t1 = cls == PMU_KERNEL ? ESCR_T1_OS : ESCR_T1_USR;

	if (either_thread)
		return escr & (t0 | t1);
	return escr & (thread ? t1 : t0);
}

static void add_front_end(struct tagged *t, uint64_t mask)
{
	if (mask & FRONT_END_LOADS) {
		set_add(&t->retired, EV_LOADS);
		set_add(&t->bogus, EV_P4_BOGUS_LOADS);
		t->traits |= UOP_LOAD;
	}
	if (mask & FRONT_END_STORES) {
		set_add(&t->retired, EV_STORES);
		set_add(&t->bogus, EV_P4_BOGUS_STORES);
		t->traits |= UOP_STORE;
	}
}

/* Squashed instructions are loads, stores and integer ones: no unit's. */
static void add_units(struct tagged *t, const struct p4_event *event, uint64_t mask)
{
	for (const struct p4_mask *m = event->masks; m < event->masks + event->nr; m++) {
		if (!(mask & BIT(m->bit)))
			continue;
		set_add(&t->retired, m->event);
		t->traits |= (uint32_t)UOP_UNIT << (m->event - EV_P4_X87 + PMU_X87);
	}
}

typedef void (*upstream_fn)(void *data, const struct p4_event *event, uint64_t escr);

/*
 * Every ESCR that is powered, once or oftener: what follows from it goes into sets.
 * A counter that is on powers the one that it selects and its twin of the other half.
 */
static void each_upstream(const struct p4 *p4, unsigned int thread, unsigned int cls,
			  upstream_fn fn, void *data)
{
	for (unsigned int i = 0; i < P4_COUNTERS; i++) {
		const struct p4_counter *c = &p4->counter[i];

		for (unsigned int half = 0; c->on && half < 2; half++) {
			const struct p4_event *event = c->event[half];
			uint64_t escr = event ? p4->escr[c->route->escr[half]] : 0;

			if (event && p4_selects(escr, event->either_thread, thread, cls))
				fn(data, event, escr);
		}
	}
}

static void front_end(void *data, const struct p4_event *event, uint64_t escr)
{
	if (event->kind == P4_TAGS_LOADS_STORES)
		add_front_end(data, ESCR_MASK(escr));
}

struct execution {
	struct tagged tagged;
	uint64_t tags;			/* bit per tag */
};

static void execution(void *data, const struct p4_event *event, uint64_t escr)
{
	struct execution *x = data;

	if (event->kind == P4_TAGS_UOPS && (escr & ESCR_TAG_ENABLE) && (ESCR_TAGS(escr) & x->tags))
		add_units(&x->tagged, event, ESCR_MASK(escr));
}

/* --- replay tags --- */

#define CAUSE_L1 BIT(0)
#define CAUSE_L2 BIT(1)
#define CAUSE_DTLB BIT(2)
#define CAUSE_MOB BIT(9)
#define CAUSE_SPLIT BIT(10)
#define CAUSE_BRANCH (BIT(15) | BIT(16))

#define LOADS BIT(0)			/* of MATRIX_VERT */
#define STORES BIT(1)
#define BRANCHES BIT(4)

/* What a cause makes of loads, stores and branches; upstream: it needs this, too. */
static const struct replay_cause {
	uint64_t causes, kind;
	enum event event;
	uint32_t trait;
	enum p4_kind upstream;
	uint64_t upstream_mask;
} replay_causes[] = {
	{ CAUSE_L1, LOADS, EV_L1D_MISSES, UOP_L1D_MISS, P4_PLAIN, 0 },
	{ CAUSE_L2, LOADS, EV_L2_MISSES, UOP_L2_MISS, P4_PLAIN, 0 },
	{ CAUSE_DTLB, LOADS, EV_P4_DTLB_LOAD_MISSES, UOP_DTLB_LOAD_MISS, P4_PLAIN, 0 },
	{ CAUSE_DTLB, STORES, EV_P4_DTLB_STORE_MISSES, UOP_DTLB_STORE_MISS, P4_PLAIN, 0 },
	{ CAUSE_MOB, LOADS, EV_P4_MOB_NO_STA, UOP_MOB_NO_STA, P4_MOB_REPLAYS, BIT(1) },
	{ CAUSE_MOB, LOADS, EV_P4_MOB_NO_STD, UOP_MOB_NO_STD, P4_MOB_REPLAYS, BIT(3) },
	{ CAUSE_MOB, LOADS, EV_P4_MOB_PARTIAL, UOP_MOB_PARTIAL, P4_MOB_REPLAYS, BIT(4) },
	{ CAUSE_MOB, LOADS, EV_P4_MOB_UNALIGNED, UOP_MOB_UNALIGNED, P4_MOB_REPLAYS, BIT(5) },
	{ CAUSE_SPLIT, LOADS, EV_P4_SPLIT_LOADS, UOP_SPLIT_LOAD, P4_LOADS_REPLAYED, REPLAYED },
	{ CAUSE_SPLIT, STORES, EV_P4_SPLIT_STORES, UOP_SPLIT_STORE, P4_STORES_REPLAYED, REPLAYED },
	{ CAUSE_BRANCH, BRANCHES, EV_BRANCH_MISSES, UOP_MISSED_BRANCH, P4_PLAIN, 0 },
};

/* The masks of the upstream events that are on. */
struct replayed {
	uint64_t mask[P4_MOB_REPLAYS + 1];
};

static void replayed(void *data, const struct p4_event *event, uint64_t escr)
{
	struct replayed *r = data;

	if (event->kind >= P4_LOADS_REPLAYED && event->kind <= P4_MOB_REPLAYS)
		r->mask[event->kind] |= ESCR_MASK(escr);
}

static void add_replays(const struct p4 *p4, unsigned int thread, unsigned int cls,
			struct tagged *t)
{
	struct replayed up = { 0 };

	if (!(p4->pebs_enable & PEBS_REPLAY_TAG))
		return;
	each_upstream(p4, thread, cls, replayed, &up);
	for (size_t i = 0; i < ARRAY_SIZE(replay_causes); i++) {
		const struct replay_cause *r = &replay_causes[i];

		if ((p4->pebs_enable & r->causes) != r->causes || !(p4->matrix_vert & r->kind))
			continue;
		if (r->upstream && !(up.mask[r->upstream] & r->upstream_mask))
			continue;
		/* What misses the second level has missed the first. */
		if (r->causes == CAUSE_L2 && (p4->pebs_enable & CAUSE_L1))
			continue;
		set_add(&t->retired, r->event);
		t->traits |= r->trait;
	}
}

/* --- all of them --- */

static void add(struct p4_sum *sum, const struct event_set *set, bool wanted)
{
	for (int w = 0; wanted && w < SET_WORDS; w++)
		sum->more.word[w] |= set->word[w];
}

/* What a counter of tagged uops adds up, by the mask of its ESCR. */
void p4_tags_sum(const struct pmu *pmu, unsigned int cls, const struct p4_event *event,
		 uint64_t mask, struct p4_sum *sum)
{
	const struct p4 *p4 = p4_of(pmu);
	struct execution x = { .tags = mask & 0xf };

	if (event->kind == P4_EXECUTION) {
		each_upstream(p4, pmu->thread, cls, execution, &x);
		add(sum, &x.tagged.retired, true);
		return;
	}
	if (event->kind == P4_FRONT_END)
		each_upstream(p4, pmu->thread, cls, front_end, &x.tagged);
	else if (event->kind == P4_REPLAY)
		add_replays(p4, pmu->thread, cls, &x.tagged);
	add(sum, &x.tagged.retired, mask & NBOGUS);
	add(sum, &x.tagged.bogus, mask & BOGUS);
}

/* Tells the model which uops make an instruction of this thread a tagged one. */
void p4_tags_mark(struct pmu *pmu)
{
	for (unsigned int cls = 0; cls < PMU_CLASSES; cls++) {
		struct execution x = { .tags = 0xf };

		each_upstream(p4_of(pmu), pmu->thread, cls, execution, &x);
		each_upstream(p4_of(pmu), pmu->thread, cls, front_end, &x.tagged);
		add_replays(p4_of(pmu), pmu->thread, cls, &x.tagged);
		pmu->tagged[cls] = x.tagged.traits;
	}
}
