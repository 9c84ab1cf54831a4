// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session on the Pentium 4 among others: who is in its way, where its
 * events go, what it holds, and which tags it may use.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "kmod/base/counters_text.h"
#include "kmod/p4/p4.h"
#include "kmod/plan/arbitrate.h"
#include "kmod/session/owner.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

#define for_each_event(e, session)					\
	for ((e) = (session)->event;					\
	     (e) < (session)->event + (session)->nr_events; (e)++)

/* --- threads --- */

static void find_thread(void *thread)
{
	*(unsigned int *)thread = pmuctl_p4_thread();
}

/* By bit; CPUs neither come nor go now. */
static unsigned int threads_of(const struct pmuctl_session *session)
{
	unsigned int cpu, thread, threads = 0;

	if (pmuctl_caps.threads < 2)
		return BIT(0);
	if (session->on_task)
		return GENMASK(PMUCTL_THREADS_MAX - 1, 0);
	for_each_cpu(cpu, session->cpus) {
		thread = 0;
		smp_call_function_single(cpu, find_thread, &thread, true);
		threads |= BIT(thread);
	}
	return threads;
}

static bool has_both_threads(const struct pmuctl_session *session)
{
	unsigned int cpu, sibling;

	for_each_cpu(cpu, session->cpus)
		for_each_cpu(sibling, topology_sibling_cpumask(cpu))
			if (sibling != cpu &&
			    cpumask_test_cpu(sibling, session->cpus))
				return true;
	return false;
}

/* Threads of one core may want the same at the same time. */
static bool p4_plan_contends(const struct pmuctl_session *session,
			     enum pmuctl_p4_sharing sharing)
{
	if (pmuctl_caps.threads < 2)
		return false;
	if (session->on_task)
		return true;
	return sharing == P4_WHOLE && has_both_threads(session);
}

/* --- rings of named threads --- */

static int check_rings(const struct pmuctl_session *session,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_event *event;

	for_each_event(event, session)
		if (session->on_task && event->evtsel & ESCR_RINGS)
			return pmuctl_why(why, -EINVAL,
					  "event %u (ESCR 0x%llx) names rings of certain threads of a core, and a task runs on either: count CPUs, or leave [3:0] 0",
					  event->place + 1, event->evtsel);
	return 0;
}

/* --- tags --- */

static unsigned int tags_of(const struct pmuctl_event *event)
{
	if (!(event->evtsel & ESCR_TAG_ENABLE))
		return 0;
	return (event->evtsel & ESCR_TAG) >> ESCR_TAG_SHIFT;
}

/* Tags that it counts: bogus or not, a bit each. */
static unsigned int tags_wanted(const struct pmuctl_event *event)
{
	unsigned int masks = event->evtsel >> ESCR_MASK_SHIFT;

	if (!(pmuctl_p4_event(event)->flags & P4_EXECUTION))
		return 0;
	return (masks | masks >> 4) & 0xf;
}

static bool on_together(const struct pmuctl_event *a,
			const struct pmuctl_event *b)
{
	return a->set == b->set || b->flags & PMUCTL_EVENT_PINNED;
}

static bool is_tagged_front(const struct pmuctl_session *session,
			    const struct pmuctl_event *wants)
{
	const struct pmuctl_event *event;

	for_each_event(event, session)
		if (on_together(wants, event) &&
		    pmuctl_p4_event(event)->flags & P4_TAGS_FRONT)
			return true;
	return false;
}

static unsigned int tagged_in(const struct pmuctl_session *session,
			      const struct pmuctl_event *wants)
{
	const struct pmuctl_event *event;
	unsigned int tags = 0;

	for_each_event(event, session)
		if (on_together(wants, event))
			tags |= tags_of(event);
	return tags;
}

/* Without what tags uops it would count nothing, and say nothing. */
static int check_upstream(const struct pmuctl_session *session,
			  const struct pmuctl_event *event,
			  const struct pmuctl_why *why)
{
	unsigned int missing = tags_wanted(event) & ~tagged_in(session, event);

	if (missing)
		return pmuctl_why(why, -EINVAL,
				  "event %u (ESCR 0x%llx) counts uops with tags 0x%x, and no event of its set tags them: add one with tag enable and that tag value, as pmuctl does with :tag=EVENT",
				  event->place + 1, event->evtsel, missing);
	if (pmuctl_p4_event(event)->flags & P4_FRONT_END &&
	    !is_tagged_front(session, event))
		return pmuctl_why(why, -EINVAL,
				  "event %u (ESCR 0x%llx) counts uops that are tagged at the front end, and no event of its set tags them: add uops_type (event 0x02, select 2 of gp12-17), as pmuctl does with :tag=TAGLOADS or :tag=TAGSTORES",
				  event->place + 1, event->evtsel);
	return 0;
}

/* Both may be on one core at the same time. */
static bool share_a_core(const struct pmuctl_session *a,
			 const struct pmuctl_session *b)
{
	if (b->in_the_way)
		return true;
	if (pmuctl_caps.threads < 2)
		return false;
	return a->on_task || b->on_task;
}

static bool front_tags_differ(const struct pmuctl_event *a,
			      const struct pmuctl_event *b)
{
	return pmuctl_p4_event(a)->flags & P4_TAGS_FRONT &&
	       pmuctl_p4_event(b)->flags & P4_TAGS_FRONT &&
	       (a->evtsel ^ b->evtsel) & ESCR_MASK;
}

static int check_tag_of(const struct pmuctl_event *event,
			const struct pmuctl_session *other,
			const struct pmuctl_why *why)
{
	const struct pmuctl_event *theirs;
	struct pmuctl_owner_text owner;
	unsigned int tags;

	pmuctl_owner_text(other, why->all, &owner);
	for_each_event(theirs, other) {
		tags = tags_of(event) & tags_of(theirs);
		if (tags)
			return pmuctl_why(why, -EBUSY,
					  "event %u (ESCR 0x%llx) needs tag 0x%x, which %s has in use, and a core has four tags for both of its threads: use another tag, or end that session",
					  event->place + 1, event->evtsel,
					  tags, owner.line);
		if (front_tags_differ(event, theirs))
			return pmuctl_why(why, -EBUSY,
					  "event %u (ESCR 0x%llx) tags uops at the front end, and so does %s, others (ESCR 0x%llx): end that session, or tag the same",
					  event->place + 1, event->evtsel,
					  owner.line, theirs->evtsel);
	}
	return 0;
}

static int check_tags(const struct pmuctl_plan *plan,
		      const struct pmuctl_why *why)
{
	const struct pmuctl_session *session = plan->session;
	const struct pmuctl_event *event;
	struct pmuctl_session *other;
	int err = 0;

	for_each_event(event, session) {
		err = check_upstream(session, event, why);
		if (err)
			return err;
		for_each_session(other) {
			if (!pmuctl_plan_passes(plan, other) &&
			    share_a_core(session, other))
				err = check_tag_of(event, other, why);
			if (err)
				return err;
		}
	}
	return 0;
}

/* --- what others have --- */

static void p4_plan_take(struct pmuctl_p4_taken *taken,
			 const struct pmuctl_event *event, unsigned int thread)
{
	const struct pmuctl_seat *seat = &event->seat[thread];

	taken->counters |= BIT(seat->counter);
	taken->escr[seat->escr] = pmuctl_p4_escr(event, thread) | P4_TAKEN;
}

static void find_taken(struct pmuctl_p4_taken *taken)
{
	const struct pmuctl_event *event;
	struct pmuctl_session *session;
	unsigned int thread;

	memset(taken, 0, sizeof(*taken));
	for_each_session(session) {
		if (!session->in_the_way)
			continue;
		for_each_event(event, session)
			for (thread = 0; thread < PMUCTL_THREADS_MAX; thread++)
				if (session->threads & BIT(thread))
					p4_plan_take(taken, event, thread);
	}
}

/* --- no seat --- */

/* The ESCRs that the event's counters lead to: of one half or of two. */
static const char *escrs_text(const struct pmuctl_event *event, char *line,
			      size_t size)
{
	unsigned int select = (event->cccr & CCCR_SELECT) >> CCCR_SELECT_SHIFT;
	unsigned long counters = event->allowed;
	u8 first = pmuctl_p4_route(__ffs(counters), select);
	u8 second = pmuctl_p4_route(__fls(counters), select);

	if (first == second)
		scnprintf(line, size, "ESCR 0x%x", first);
	else
		scnprintf(line, size, "ESCRs 0x%x and 0x%x", first, second);
	return line;
}

static int no_seat(const struct pmuctl_session *session,
		   const struct pmuctl_event *event,
		   const struct pmuctl_p4_taken *taken,
		   const struct pmuctl_why *why)
{
	char escrs[32], holders[PMUCTL_HOLDERS];
	struct pmuctl_text text;
	const char *counters;

	escrs_text(event, escrs, sizeof(escrs));
	counters = pmuctl_counters_text(event->allowed & ~(u64)taken->counters,
					&text);
	if (!taken->counters)
		return pmuctl_why(why, -ENOSPC,
				  "event %u of %u (ESCR 0x%llx) finds no place: it needs %s with one of counters %s, and the events that are to count at the same time (set %u%s) have those; ask for fewer at the same time",
				  event->place + 1, session->nr_events,
				  event->evtsel, escrs, counters, event->set,
				  session->pinned ? ", and the pinned ones" :
				  "");
	pmuctl_name_holders(holders, why);
	return pmuctl_why(why, -EBUSY,
			  "event %u of %u (ESCR 0x%llx) finds no place: it needs %s with a counter; of its counters free are %s; %s; ask for fewer events at a time or end those sessions",
			  event->place + 1, session->nr_events, event->evtsel,
			  escrs, counters, holders);
}

static int no_pinning(const struct pmuctl_why *why)
{
	return pmuctl_why(why, -EOPNOTSUPP,
			  "pinned events are on all the time, but with these events the threads of a core have to take turns: pin fewer, or none");
}

/* --- what the session has --- */

static void p4_plan_claim(struct pmuctl_claim *claim,
			  const struct pmuctl_event *event, unsigned int thread)
{
	const struct pmuctl_seat *seat = &event->seat[thread];

	claim->counters |= BIT_ULL(seat->counter);
	/* Numbers above 63 are of ESCRs that no event has. */
	claim->escrs |= BIT_ULL(seat->escr & 63);
}

static int make_claims(struct pmuctl_session *session,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_set *set = session->set;
	unsigned int i, k, thread;

	session->claim = kcalloc(session->nr_sets, sizeof(*session->claim),
				 GFP_KERNEL_ACCOUNT);
	if (!session->claim)
		return pmuctl_why(why, -ENOMEM, "no memory for %u sets",
				  session->nr_sets);
	for (i = 0; i < session->nr_sets; i++, set++)
		for (k = set->first; k < set->first + set->nr; k++)
			for (thread = 0; thread < PMUCTL_THREADS_MAX; thread++)
				p4_plan_claim(&session->claim[i].of[thread],
					      &session->event[k], thread);
	return 0;
}

/* One set more, without events: it is on while the other thread counts. */
static int p4_plan_gate(struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	unsigned int n = session->nr_sets;
	struct pmuctl_set *sets;
	int err = make_claims(session, why);

	if (err)
		return err;
	sets = krealloc(session->set, (n + 1) * sizeof(*sets),
			GFP_KERNEL_ACCOUNT);
	if (!sets)
		return pmuctl_why(why, -ENOMEM, "no memory for %u sets",
				  n + 1);
	sets[n] = (struct pmuctl_set){ .first = session->nr_events };
	session->set = sets;
	session->nr_sets++;
	session->gated = true;
	session->rotates = true;
	session->timed = true;
	return 0;
}

/* The seat that names the slot: on each CPU each slot is one session's. */
static void name_counters(struct pmuctl_session *session)
{
	unsigned int i, k, thread, shown = !(session->threads & BIT(0));
	struct pmuctl_event *event;
	struct pmuctl_set *set;

	for (i = 0; i < session->nr_sets; i++) {
		set = &session->set[i];
		set->counters = 0;
		for (k = set->first; k < set->first + set->nr; k++) {
			event = &session->event[k];
			event->shown = shown;
			event->counter = event->seat[shown].counter;
			set->counters |= BIT_ULL(event->counter);
			for (thread = 0; thread < PMUCTL_THREADS_MAX; thread++)
				if (session->threads & BIT(thread))
					session->counters |= BIT_ULL(
						event->seat[thread].counter);
		}
	}
}

int pmuctl_p4_plan(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	enum pmuctl_p4_sharing sharing;
	struct pmuctl_p4_taken taken;
	int failed, err;

	/* It cannot wait, so whoever might be its sibling must not meet it. */
	session->exclusive = pmuctl_caps.threads > 1 && session->pinned;
	session->threads = threads_of(session);
	pmuctl_mark_in_the_way(plan);
	err = check_rings(session, why);
	if (!err)
		err = check_tags(plan, why);
	if (!err)
		err = pmuctl_p4_cascades_check(session->event,
					       session->nr_events, why);
	if (err)
		return err;
	find_taken(&taken);
	failed = pmuctl_p4_seat(session->event, session->set, session->nr_sets,
				session->pinned, session->threads, &taken,
				&sharing);
	if (failed >= 0)
		return no_seat(session, &session->event[failed], &taken, why);
	name_counters(session);
	if (!p4_plan_contends(session, sharing))
		return 0;
	session->split = sharing == P4_SPLIT;
	if (!session->exclusive)
		return p4_plan_gate(session, why);
	return sharing == P4_WHOLE ? no_pinning(why) : 0;
}
