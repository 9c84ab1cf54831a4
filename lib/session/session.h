/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session from the inside, for the files that plan it, make it and read its
 * counts.
 */
#ifndef LIBPMUCTL_SESSION_H
#define LIBPMUCTL_SESSION_H

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

/* No event of a session has this number. */
#define NO_EVENT (~0u)

struct session_event {
	char *name;		/* for errors; NULL: one of our own */
	uint64_t flags;		/* enum pmuctl_event_flag of the protocol */
	uint64_t counters;
	uint32_t group;		/* 0: none */
	struct pmuctl_register reg[EVENT_REGISTERS];
	size_t nr_regs;
	struct pmuctl_sampling sampling;
	uint32_t place;		/* if the session has places */
	struct upstream upstream[UPSTREAMS];
	size_t nr_upstreams;
	bool tag_free;
	uint64_t after;		/* it starts another at its event of that number; 0: none */
	uint32_t started_by;	/* which event starts it; NO_EVENT: none */

	/* The plan. */
	uint32_t set;
	uint64_t only;		/* the counters that it is planned for */

	/* The kernel's answer. */
	bool assigned;
	uint32_t counter;
	uint32_t got_set;
	struct pmuctl_register programmed[8];
	size_t nr_programmed;
};

/* Of loads that took longer than a threshold. */
static inline bool is_latency(const struct session_event *e)
{
	return e->nr_regs > 1 && e->reg[1].kind == PMUCTL_REGISTER_LD_LAT;
}

struct pmuctl_session {
	struct pmuctl *ctx;
	uint32_t id;		/* 0: not in the kernel */
	uint32_t beside;	/* session of another kind that its samples go on with; 0: none */
	uint32_t places;	/* sampled events of all those beside each other; 0: all the same */
	int fd;			/* to read the counts; -1: by messages; of kinds to poll alone */
	bool on_exec;		/* the kernel starts it */
	bool self;		/* its thread maps a page of fd */
	/* When we did so last, and stopped it since: CLOCK_MONOTONIC in ns; 0: never. */
	uint64_t started, stopped;
	uint64_t interval;	/* 0: the kernel's */
	uint32_t ring, watermark;	/* bytes; 0: the kernel's */

	/* Where cores are of several kinds, one of each (kinds.c); else NULL. */
	struct parts *parts;

	/* The caller's nr_events, then nr_hidden that measure the sets or tag uops. */
	struct session_event *events;
	size_t nr_events;
	size_t nr_hidden;
	uint32_t nr_groups;

	/* The plan: of how many sets, and in which of them nothing rotates. */
	uint32_t nr_sets;
	uint32_t first_rotating;
	/* Of each rotating set the event that counts cycles, if all have one. */
	bool measured;
	uint32_t yardstick[PMUCTL_SETS_MAX];

	/* Others have the offcore register that was asked for: take the other. */
	bool offcore_swapped;

	uint16_t target_kind;	/* PMUCTL_A_SESSION_PID, _TID, _CPU or _CGROUP */
	uint32_t *targets;
	size_t nr_targets;

	/* Of the last reading; kept for the next. */
	struct pmuctl_count *counts;
	size_t counts_room;
};

/* Whether it is in the kernel.  One of several kinds has no number of its own. */
static inline bool session_is_made(const struct pmuctl_session *s)
{
	return s->id || (s->parts && s->fd >= 0);
}

static inline size_t all_events(const struct pmuctl_session *s)
{
	return s->nr_events + s->nr_hidden;
}

/* Whether it is on tasks that were named: else it can meet any. */
static inline bool names_tasks(const struct pmuctl_session *s)
{
	return s->target_kind == PMUCTL_A_SESSION_PID || s->target_kind == PMUCTL_A_SESSION_TID;
}

/* Whether a set takes turns with others. */
static inline bool set_rotates(const struct pmuctl_session *s, uint32_t set)
{
	return s->nr_sets > s->first_rotating + 1 && set >= s->first_rotating;
}

/* An event that has one counter on one thread of a core, and one on the other. */
static inline bool takes_two(const struct pmuctl_session *s, unsigned int event)
{
	return erratum_on(&s->ctx->facts, PMUCTL_ERRATUM_TWIN, s->events[event].reg[0].value);
}

/* Its events do not fit at once. */
struct pmuctl_self;
bool self_takes_turns(const struct pmuctl_self *shown);

/* What the kernel gave it. */
int assignment_of(const struct pmuctl_session *s, const struct session_event *e,
		  struct pmuctl_assignment *assignment);
/* A request about this session, with replies and without. */
int session_ask(struct pmuctl_session *s, const struct request *req);
/*
 * What the functions of pmuctl.h do (whole.c) with a session of one kind of core, or where all CPUs
 * are alike.
 */
int session_add_group(struct pmuctl_session *s, struct pmuctl_event *const *events, size_t count);
int session_create(struct pmuctl_session *s, uint64_t options);
int session_fits(struct pmuctl_session *s);
int session_start(struct pmuctl_session *s);
int session_stop(struct pmuctl_session *s);
int session_reset(struct pmuctl_session *s);
int session_assignment(const struct pmuctl_session *s, unsigned int event,
		       struct pmuctl_assignment *assignment);
/* each: by CPU. */
int session_read(struct pmuctl_session *s, bool each, pmuctl_value_fn *fn, void *data);
void session_free(struct pmuctl_session *s);

/* As the whole's: its fn gets the events' numbers of this one. */
int session_drain(struct pmuctl *ctx, const struct pmuctl_session *s, int cpu, bool flush,
		  pmuctl_records_fn *fn, void *data);
int session_ledger(struct pmuctl_session *s, pmuctl_ledger_fn *fn, void *data);
int event_sample(struct pmuctl_event *e, const struct pmuctl_sampling *sampling);

/* -EINVAL if it is in the kernel. */
int session_check_new(struct pmuctl_session *s);
/* The event as it was asked for on that CPU, and whose it is; NULL: not there. */
const struct session_event *session_event_on(const struct pmuctl_session *s, unsigned int event,
					     unsigned int cpu, struct pmuctl **of);
/* enum pmuctl_content bits in the module's records; the kind is 0 where CPUs are alike. */
uint64_t session_content(const struct pmuctl_session *s, unsigned int event, unsigned int kind);
unsigned int session_kind_of(const struct pmuctl_session *s, unsigned int cpu);
/* Whether it can be one at all. */
int session_check_group(struct pmuctl_session *s, struct pmuctl_event *const *events,
			size_t count);
/* kind: PMUCTL_A_SESSION_PID, _TID, _CPU or _CGROUP. */
int session_add_target(struct pmuctl_session *s, uint16_t kind, uint32_t target);
/* It may be made again. */
void session_end(struct pmuctl_session *s);
/* group: of those that are added one by one; 0: none. */
int session_add(struct pmuctl_session *s, const struct pmuctl_event *event, uint32_t group);
/* Back to its first `count` events. */
void session_cut(struct pmuctl_session *s, size_t count);
/* -E2BIG, -EINVAL: it has one too many, or none. */
int too_many_events(struct pmuctl_session *s);
int no_events(struct pmuctl_session *s);
/* Room for one more event; NULL: no memory, and the error says so. */
struct session_event *session_grow(struct pmuctl_session *s);

/* metric/parts.c: one to try with what fits, event i being that of names[i]. */
int session_of_names(struct pmuctl *ctx, const char *const *names, size_t count,
		     struct pmuctl_session **session);

/*
 * plan.c: which set each event goes to, so that every set fits into the
 * available counters.  -ENOSPC if that cannot be, with the reason.
 */
int plan_session(struct pmuctl_session *s, uint64_t available, bool multiplex);
/* Whether all events can be on at the same time. */
bool plan_fits(const struct pmuctl_session *s, uint64_t available);

/* pack.c: `sets` of units of events, as few as can be found. */
#define UNIT_EVENTS 24

struct unit {
	unsigned int event[UNIT_EVENTS];
	unsigned int count;
	uint32_t set;		/* found */
};

struct packing {
	const struct pmuctl_session *s;
	uint64_t available;
	/* These are always on, beside every set; NULL: nothing is. */
	const struct unit *pinned;
	/* 0, or the counters of one more event that every set has to have. */
	uint64_t yardstick;
};

/* Whether the events of both units (b may be NULL) can be on at the same time. */
bool units_fit(const struct packing *p, const struct unit *a, const struct unit *b);
/* The number of sets; 0 if some unit does not even fit alone: *bad is its index. */
uint32_t pack_units(const struct packing *p, struct unit *units, size_t count, size_t *bad);

/*
 * match.c: a counter of its own for each event.  got may be NULL; false if
 * there is no way.  Fixed counters are taken first, then from the last
 * general-purpose one on: the first ones can do what others cannot.
 */
bool match_counters(const uint64_t *masks, size_t count, uint64_t available, uint8_t *got);

static inline bool is_p4(const struct pmuctl_session *s)
{
	return s->ctx->facts.backend == BACKEND_P4;
}

/*
 * p4_fit.c: whether these events can be on at the same time, with what tags for
 * them and an event that counts cycles on the counters of yardstick, if that is
 * not 0.  got may be NULL, and is each event's counter.
 */
bool p4_fits(const struct pmuctl_session *s, const unsigned int *events, size_t count,
	     uint64_t available, uint64_t yardstick, uint8_t *got);
/* Whether the two want a tag or a register in different ways. */
bool p4_clash(const struct session_event *a, const struct session_event *b);
/* p4_plan.c: a tag for each event that wants any; -ENOSPC: there are too many. */
int p4_assign_tags(struct pmuctl_session *s);
/* -ENOSPC if two threads of a core could not have sets of it that differ. */
int p4_check_threads(struct pmuctl_session *s);
/* Once sets are known: what tags uops goes beside what counts them. */
int p4_add_upstreams(struct pmuctl_session *s);

/* extra.c: the registers beside the event select. */
/* Whether the two cannot be on at the same time, whatever is done. */
bool extras_clash(const struct pmuctl_session *s, const unsigned int *events, size_t count);
/* Whether there is an offcore event at all. */
bool extras_offcore(const struct pmuctl_session *s);
/* Spread offcore conditions over the two registers; -ENOSPC if there are too many. */
int extras_assign(struct pmuctl_session *s);

#endif
