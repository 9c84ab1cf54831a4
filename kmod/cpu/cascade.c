// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cascades: an event that counts only after so many of another one.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/base/why.h"
#include "kmod/cpu/cascade.h"
#include "kmod/pmu/hot.h"
#include "kmod/state/cpu.h"
#include "kmod/state/phase.h"
#include "kmod/state/session.h"

/* --- who starts whom --- */

static struct pmuctl_event *event_at(const struct pmuctl_session *session,
				     u32 place)
{
	struct pmuctl_event *event = session->event;

	while (event->place != place)
		event++;
	return event;
}

static int check_kinds(const struct pmuctl_event *event,
		       const struct pmuctl_event *starter,
		       const struct pmuctl_why *why)
{
	if (!starter->after)
		return pmuctl_why(why, -EINVAL,
				  "event %u is to be started by event %u, which does not say after how many of its events: give that one 'after'",
				  event->place + 1, starter->place + 1);
	if (event->after)
		return pmuctl_why(why, -EINVAL,
				  "event %u is started by another and starts one itself: a cascade has one step",
				  event->place + 1);
	if (event->sampled || starter->sampled)
		return pmuctl_why(why, -EINVAL,
				  "events %u and %u are a cascade, and events of a cascade are counted, not sampled: leave period and frequency out",
				  starter->place + 1, event->place + 1);
	if (event->set != starter->set)
		return pmuctl_why(why, -EINVAL,
				  "event %u is in set %u and started by event %u, in set %u: put them into one set",
				  event->place + 1, event->set,
				  starter->place + 1, starter->set);
	return 0;
}

static int find_starter(struct pmuctl_session *session,
			struct pmuctl_event *event,
			const struct pmuctl_why *why)
{
	struct pmuctl_event *starter;

	if (event->cascade >= session->nr_events ||
	    event->cascade == event->place)
		return pmuctl_why(why, -EINVAL,
				  "event %u is to be started by event %u: name another one of the %u events of the session, counted from 0",
				  event->place + 1, event->cascade,
				  session->nr_events);
	starter = event_at(session, event->cascade);
	starter->starts = true;
	event->starter = starter;
	return check_kinds(event, starter, why);
}

static int check_starter(const struct pmuctl_event *event,
			 const struct pmuctl_why *why)
{
	if (!event->starts)
		return pmuctl_why(why, -EINVAL,
				  "event %u says 'after', but starts none: name it as the 'cascade' of another event",
				  event->place + 1);
	if (event->after < pmuctl_caps.cascade)
		return 0;
	return pmuctl_why(why, -ERANGE,
			  "event %u is to start another after %llu of its own: from 1 to %llu",
			  event->place + 1, event->after,
			  pmuctl_caps.cascade - 1);
}

int pmuctl_cascades_build(struct pmuctl_session *session,
			  const struct pmuctl_why *why)
{
	struct pmuctl_event *end = session->event + session->nr_events;
	struct pmuctl_event *event;
	int err = 0;

	session->nr_phases = session->nr_sampled;
	for (event = session->event; event < end && !err; event++)
		if (event->cascaded)
			err = find_starter(session, event, why);
	for (event = session->event; event < end && !err; event++) {
		if (!event->after)
			continue;
		err = check_starter(event, why);
		event->phase = session->nr_phases++;
		session->cascades = true;
	}
	return err;
}

/* --- on a CPU --- */

/* What has passed already is an ordinary counter, and stands where it did. */
static void cascade_arm(struct pmuctl_slot *slot, unsigned int i)
{
	if (slot->phase.left > 0)
		slot->last = pmuctl_backend->arm(i, slot->phase.left +
						    pmuctl_caps.late);
}

static void starter_on(struct pmuctl_cpu *cpu, const struct pmuctl_event *event,
		       const struct pmuctl_phase *phase)
{
	struct pmuctl_slot *slot = &cpu->slot[event->slot];

	if (phase && phase[event->phase].period) {
		slot->phase = phase[event->phase];
	} else {
		slot->phase.period = event->after;
		slot->phase.left = event->after;
	}
	cascade_arm(slot, event->slot);
}

static void cascade_start(const struct pmuctl_cpu *cpu,
			  const struct pmuctl_event *event)
{
	s64 left = cpu->slot[event->starter->slot].phase.left;

	pmuctl_backend->cascade(event, left > 0);
}

void pmuctl_cascades_on(struct pmuctl_cpu *cpu,
			const struct pmuctl_session *session,
			const struct pmuctl_set *set,
			const struct pmuctl_phase *phase)
{
	const struct pmuctl_event *first = &session->event[set->first], *event;

	for (event = first; event < first + set->nr; event++)
		if (event->after)
			starter_on(cpu, event, phase);
	for (event = first; event < first + set->nr; event++)
		if (event->cascaded)
			cascade_start(cpu, event);
}

/*
 * Those that it starts run by the hardware's will until here; from here on by
 * ours, since its overflow has been acknowledged.
 */
void pmuctl_cascade_overflow(struct pmuctl_cpu *cpu, unsigned int i)
{
	struct pmuctl_slot *slot = &cpu->slot[i];
	const struct pmuctl_session *session = slot->event->session;
	u32 k;

	if (slot->phase.left > 0) {
		cascade_arm(slot, i);
		return;
	}
	slot->last = pmuctl_backend->rearm(i);
	for (k = 0; k < session->nr_events; k++)
		if (session->event[k].starter == slot->event)
			pmuctl_backend->cascade(&session->event[k], false);
}
