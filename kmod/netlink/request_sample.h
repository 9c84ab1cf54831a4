/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a SESSION_NEW that asks for samples.
 */
#ifndef PMUCTL_REQUEST_SAMPLE_H
#define PMUCTL_REQUEST_SAMPLE_H

#include <net/netlink.h>

struct pmuctl_event;
struct pmuctl_plan;
struct pmuctl_session;
struct pmuctl_why;

/* Of an event: before the backend looks at it. */
int pmuctl_request_event(struct pmuctl_session *session,
			 struct pmuctl_event *event, struct nlattr **attrs,
			 const struct pmuctl_why *why);
/* Of the session: behind all events. */
int pmuctl_request_rings(struct pmuctl_session *session, struct nlattr **attrs,
			 const struct pmuctl_why *why);
/* How many sampled events it and those beside it have, with what it lacks. */
int pmuctl_request_places(struct pmuctl_session *session,
			  const struct nlattr *attr,
			  const struct pmuctl_why *why);
/*
 * The session whose phases are to be this one's as well, if the plan names one:
 * it is there until the lock is let go.
 */
int pmuctl_request_beside(struct pmuctl_plan *plan,
			  const struct pmuctl_why *why);

#endif
