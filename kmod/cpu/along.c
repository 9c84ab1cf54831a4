// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that are read along with samples of their group: which they are, and
 * where they stand.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/minmax.h>

#include "kmod/base/why.h"
#include "kmod/cpu/along.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* --- of a session --- */

static int check_other(const struct pmuctl_event *event,
		       const struct pmuctl_event *other,
		       const struct pmuctl_why *why)
{
	if (other->metric)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "event %u is a field of PERF_METRICS, which samples of event %u do not have yet: count it by itself, or take it out of the group",
				  other->place + 1, event->place + 1);
	if (other->after || other->cascaded)
		return pmuctl_why(why, -EINVAL,
				  "event %u is of a cascade, and samples of event %u are to tell its count: take it out of the group",
				  other->place + 1, event->place + 1);
	return 0;
}

static int two_leaders(const struct pmuctl_event *event,
		       const struct pmuctl_event *other,
		       const struct pmuctl_why *why)
{
	return pmuctl_why(why, -EINVAL,
			  "events %u and %u are in one group, and samples of both are to have (content 0x%x) what its other events counted since the one before: leave that out of one of them",
			  min(event->place, other->place) + 1,
			  max(event->place, other->place) + 1,
			  PMUCTL_CONTENT_COUNTS);
}

static int no_others(const struct pmuctl_event *event,
		     const struct pmuctl_why *why)
{
	return pmuctl_why(why, -EINVAL,
			  "event %u: content 0x%x is what the others of its group have counted, and there is none that is not sampled itself: group it with some, or leave that out",
			  event->place + 1, PMUCTL_CONTENT_COUNTS);
}

/* Groups are whole in a set. */
static int find_others(struct pmuctl_session *session,
		       const struct pmuctl_event *event,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_set *set = &session->set[event->set];
	struct pmuctl_event *other = &session->event[set->first];
	unsigned int i, n = 0;
	int err = 0;

	if (event->group == PMUCTL_NO_GROUP)
		return no_others(event, why);
	for (i = set->nr; i-- && !err; other++) {
		if (other->group != event->group || other == event)
			continue;
		if (other->content & PMUCTL_CONTENT_COUNTS)
			return two_leaders(event, other, why);
		if (other->sampled)
			continue;
		n++;
		err = check_other(event, other, why);
		other->along = true;
	}
	return err || n ? err : no_others(event, why);
}

/*
 * In the request's order: for another kind of core they may be in other sets,
 * and have the same phases.
 */
static void number_phases(struct pmuctl_session *session)
{
	struct pmuctl_event *event;
	unsigned int place, i;

	for (place = 0; place < session->nr_events; place++) {
		event = session->event;
		for (i = session->nr_events; i--; event++)
			if (event->along && event->place == place)
				event->phase = session->nr_phases++;
	}
}

static int check_beside(const struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	const struct pmuctl_session *beside = session->beside;

	if (!beside || beside->nr_phases == session->nr_phases)
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "samples of session %u beside it have the counts of %u other events, and of this one %u: give both the same ones in the same order",
			  beside->id, beside->nr_phases - beside->nr_sampled,
			  session->nr_phases - session->nr_sampled);
}

int pmuctl_along_build(struct pmuctl_session *session,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_event *event = session->event;
	unsigned int i;
	bool any = false;
	int err = 0;

	for (i = session->nr_events; i-- && !err; event++) {
		if (!(event->content & PMUCTL_CONTENT_COUNTS))
			continue;
		err = find_others(session, event, why);
		any = true;
	}
	if (!err && any)
		number_phases(session);
	return err ?: check_beside(session, why);
}

static u64 counters_along(const struct pmuctl_session *session,
			  const struct pmuctl_event *event)
{
	const struct pmuctl_set *set = &session->set[event->set];
	const struct pmuctl_event *other = &session->event[set->first];
	u64 counters = 0;
	unsigned int i;

	for (i = set->nr; i--; other++)
		if (other->along && other->group == event->group)
			counters |= BIT_ULL(other->counter);
	return counters;
}

void pmuctl_along_assigned(struct pmuctl_session *session)
{
	struct pmuctl_event *event = session->event;
	unsigned int i;

	for (i = session->nr_events; i--; event++)
		if (event->content & PMUCTL_CONTENT_COUNTS)
			event->counters_along = counters_along(session, event);
}

/* --- on a CPU --- */

void pmuctl_along_on(struct pmuctl_cpu *cpu,
		     const struct pmuctl_session *session,
		     const struct pmuctl_set *set,
		     const struct pmuctl_phase *phase)
{
	const struct pmuctl_event *event = &session->event[set->first];
	unsigned int n;

	for (n = set->nr; n--; event++)
		if (event->along)
			cpu->slot[event->slot].phase.left =
				phase ? phase[event->phase].left : 0;
}
