// SPDX-License-Identifier: GPL-2.0-only
/*
 * From events that name their set to sets of events that stand in a row.
 */
#include <linux/slab.h>
#include <linux/sort.h>

#include "kmod/base/why.h"
#include "kmod/plan/sets.h"
#include "kmod/state/session.h"

static bool is_pinned(const struct pmuctl_event *event)
{
	return event->flags & PMUCTL_EVENT_PINNED;
}

/* What is pinned is on at the same time, whatever set it names. */
static bool same_set(const struct pmuctl_event *a, const struct pmuctl_event *b)
{
	return is_pinned(a) == is_pinned(b) &&
	       (is_pinned(a) || a->set == b->set);
}

static int sets_compare(const void *left, const void *right)
{
	const struct pmuctl_event *a = left, *b = right;

	if (is_pinned(a) != is_pinned(b))
		return is_pinned(a) ? -1 : 1;
	if (!same_set(a, b))
		return a->set < b->set ? -1 : 1;
	if (a->metric != b->metric)
		return b->metric ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* --- what is wrong with them --- */

static int check_pair(const struct pmuctl_event *a,
		      const struct pmuctl_event *b,
		      const struct pmuctl_why *why)
{
	if (a->group == b->group && a->group != PMUCTL_NO_GROUP &&
	    a->set != b->set)
		return pmuctl_why(why, -EINVAL,
				  "group %u is split: event %u is in set %u, event %u in set %u; the events of a group count at the same time, so put them into one set",
				  a->group, a->place + 1, a->set,
				  b->place + 1, b->set);
	if (a->set == b->set && is_pinned(a) != is_pinned(b))
		return pmuctl_why(why, -EINVAL,
				  "set %u is pinned in part: of events %u and %u only one has the flag; give it to all events of the set, or to none",
				  a->set, a->place + 1, b->place + 1);
	return 0;
}

/* Before they are sorted: the first two in the request's order are named. */
static int check_pairs(const struct pmuctl_session *session,
		       const struct pmuctl_why *why)
{
	unsigned int i, j;
	int err;

	for (i = 1; i < session->nr_events; i++)
		for (j = 0; j < i; j++) {
			err = check_pair(&session->event[j], &session->event[i],
					 why);
			if (err)
				return err;
		}
	return 0;
}

static int check_size(const struct pmuctl_session *session,
		      const struct pmuctl_set *set,
		      const struct pmuctl_why *why)
{
	const struct pmuctl_event *event = &session->event[set->first];
	unsigned int most = hweight64(pmuctl_session_caps(session)->counters);

	if (set->nr <= most)
		return 0;
	return pmuctl_why(why, -E2BIG,
			  "%u events are to count at the same time (%s %u), but the PMU has %u counters: ask for fewer at the same time",
			  set->nr, is_pinned(event) ? "pinned set" : "set",
			  event->set, most);
}

/* --- finding them --- */

static unsigned int count_sets(const struct pmuctl_session *session)
{
	unsigned int i, n = 1;

	for (i = 1; i < session->nr_events; i++)
		n += !same_set(&session->event[i - 1], &session->event[i]);
	return n;
}

static void find_sets(struct pmuctl_session *session)
{
	struct pmuctl_set *set = session->set;
	unsigned int i;

	set->nr = 1;
	for (i = 1; i < session->nr_events; i++) {
		if (!same_set(&session->event[i - 1], &session->event[i]))
			(++set)->first = i;
		set->nr++;
	}
}

int pmuctl_sets_build(struct pmuctl_session *session,
		      const struct pmuctl_why *why)
{
	unsigned int i;
	int err = check_pairs(session, why);

	if (err)
		return err;
	sort(session->event, session->nr_events, sizeof(*session->event),
	     sets_compare, NULL);
	session->nr_sets = count_sets(session);
	session->set = kcalloc(session->nr_sets, sizeof(*session->set),
			       GFP_KERNEL_ACCOUNT);
	if (!session->set)
		return pmuctl_why(why, -ENOMEM, "no memory for %u sets",
				  session->nr_sets);
	find_sets(session);
	/* Pinned alone is as good as one set. */
	session->pinned = session->nr_sets > 1 && is_pinned(session->event);
	session->first_turn = session->pinned;
	session->rotates = session->nr_sets - session->first_turn > 1;
	session->timed = session->rotates || session->nr_sampled ||
			 !pmuctl_interrupts();
	for (i = 0; i < session->nr_sets && !err; i++)
		err = check_size(session, &session->set[i], why);
	return err;
}
