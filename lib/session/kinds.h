/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session where cores are of several kinds, which is one of each.
 */
#ifndef LIBPMUCTL_SESSION_KINDS_H
#define LIBPMUCTL_SESSION_KINDS_H

#include "lib/session/session.h"

struct parts {
	const struct kinds *kinds;
	struct pmuctl_session *of[PMUCTL_KINDS_MAX];
	bool made[PMUCTL_KINDS_MAX];	/* it is in the kernel, or has a plan */
	bool samples_go_on;		/* tasks' from one kind to another: several have an event */
	/* The number that an event of the whole has there, and the other way round. */
	uint32_t number[PMUCTL_KINDS_MAX][PMUCTL_SESSION_EVENTS_MAX];
	uint32_t event[PMUCTL_KINDS_MAX][PMUCTL_SESSION_EVENTS_MAX];
	struct pmuctl_value sum[PMUCTL_SESSION_EVENTS_MAX];
};

#define for_each_made(k, p)							\
	for ((k) = 0; (k) < (p)->kinds->count; (k)++)				\
		if ((p)->made[k])

/* Once it is to have an event; s->parts stays NULL where all CPUs are alike. */
int parts_open(struct pmuctl_session *s);
void parts_free(struct pmuctl_session *s);

int parts_add_event(struct pmuctl_session *s, const struct pmuctl_event *event);
int parts_add_group(struct pmuctl_session *s, struct pmuctl_event *const *events, size_t count);

/* -EINVAL if none is in the kernel; ctx is who asks. */
int parts_check(struct pmuctl *ctx, const struct pmuctl_session *s);
int parts_create(struct pmuctl_session *s, uint64_t options);
int parts_fit(struct pmuctl_session *s);
/* Start, stop or reset, of each. */
int parts_tell(struct pmuctl_session *s, int (*fn)(struct pmuctl_session *session));
int parts_assignment(const struct pmuctl_session *s, unsigned int event, unsigned int kind,
		     struct pmuctl_assignment *assignment);

/* kinds_read.c */
int parts_read(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data);
int parts_read_each(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data);
/* each: by CPU. */
int parts_read_parts(struct pmuctl_session *s, bool each, pmuctl_part_fn *fn, void *data);
int parts_drain(struct pmuctl *ctx, const struct pmuctl_session *s, int cpu, bool flush,
		pmuctl_records_fn *fn, void *data);
int parts_ledger(struct pmuctl_session *s, pmuctl_ledger_fn *fn, void *data);
/* As session_content() and session_event_on(). */
uint64_t parts_content(const struct pmuctl_session *s, unsigned int event, unsigned int kind);
const struct session_event *parts_event_on(const struct pmuctl_session *s, unsigned int event,
					   unsigned int cpu, struct pmuctl **of);

/* The register that someone else wrote, of any; NULL: none. */
const char *parts_disturbed(const struct kinds *kinds);
/* 0 for a CPU that is of none: the module refuses it, with what it is. */
unsigned int parts_kind(const struct parts *p, uint32_t cpu);

#endif
