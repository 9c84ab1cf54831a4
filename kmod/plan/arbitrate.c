// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who gets which counter, of all sessions that there are.
 *
 * A session keeps the counters of all its sets for its lifetime.  What it
 * cannot have is refused with what was asked, what is free and who has the
 * rest.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/topology.h>

#include "kmod/base/counters_text.h"
#include "kmod/base/why.h"
#include "kmod/cpu/along.h"
#include "kmod/cpu/cascade.h"
#include "kmod/cpu/metrics.h"
#include "kmod/plan/arbitrate.h"
#include "kmod/plan/sets.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/owner.h"
#include "kmod/session/target.h"
#include "kmod/state/session.h"

/* --- who is in the way --- */

/*
 * A session without privilege gives way to one with it, if counters do not
 * suffice for both; one that has lost its counters is in nobody's way.
 */
static bool gives_way(const struct pmuctl_plan *plan,
		      const struct pmuctl_session *session)
{
	return session->lost || (plan->evicts && !session->privileged);
}

static bool same_kind(const struct pmuctl_session *a,
		      const struct pmuctl_session *b)
{
	return a->kind == b->kind;
}

static void arbitrate_mark(struct pmuctl_session *session, void *data)
{
	const struct pmuctl_plan *plan = data;

	if (same_kind(plan->session, session) && !gives_way(plan, session))
		session->in_the_way = true;
}

static bool on_one_core(const struct pmuctl_session *a,
			const struct pmuctl_session *b)
{
	unsigned int cpu;

	if (pmuctl_caps.threads < 2 && !a->twice && !b->twice)
		return cpumask_intersects(a->cpus, b->cpus);
	for_each_cpu(cpu, a->cpus)
		if (cpumask_intersects(topology_sibling_cpumask(cpu), b->cpus))
			return true;
	return false;
}

/*
 * Two sessions are in each other's way if they can ever run on one PMU at the
 * same time, and cannot wait for each other.
 */
static bool may_meet(const struct pmuctl_session *a,
		     const struct pmuctl_session *b)
{
	if (!same_kind(a, b))
		return false;
	if (a->on_task != b->on_task)
		return true;
	if (pmuctl_cgroups_meet(a, b))
		return true;
	if (a->on_task)
		return a->exclusive || b->exclusive || a->twice || b->twice ||
		       a->auxiliary || b->auxiliary;
	return on_one_core(a, b);
}

bool pmuctl_plan_passes(const struct pmuctl_plan *plan,
			const struct pmuctl_session *session)
{
	return gives_way(plan, session);
}

u64 pmuctl_mark_in_the_way(struct pmuctl_plan *plan)
{
	struct pmuctl_session *session;
	u64 counters = 0;

	for_each_session(session)
		session->in_the_way = may_meet(plan->session, session) &&
				      !gives_way(plan, session);
	pmuctl_targets_sessions(plan, arbitrate_mark, plan);
	for_each_session(session)
		if (session->in_the_way)
			counters |= session->counters;
	return counters;
}

/* --- in words --- */

/* As many as there is room for, then how many more. */
void pmuctl_name_holders(char *line, const struct pmuctl_why *why)
{
	struct pmuctl_owner_text owner;
	struct pmuctl_session *session;
	size_t used = 0, size = PMUCTL_HOLDERS;
	unsigned int more = 0;
	struct pmuctl_text text;

	line[0] = '\0';
	for_each_session(session) {
		if (!session->in_the_way)
			continue;
		if (used > size - 100) {
			more++;
			continue;
		}
		used += scnprintf(line + used, size - used,
				  "%s%s holds %s", used ? "; " : "",
				  pmuctl_owner_text(session, why->all, &owner),
				  pmuctl_counters_text(session->counters,
						       &text));
	}
	if (more)
		scnprintf(line + used, size - used, "; and %u more", more);
}

/* --- counters --- */

/* For MEM_LOADS_AUX. */
#define AUXILIARY_COUNTERS	GENMASK_ULL(3, 0)
#define TWICE ", of which events 0xd0 to 0xd3 take two, one for each thread of a core (errata BJ122, BV98, HSD29)"

static int no_counter_at_all(const struct pmuctl_session *session,
			     const struct pmuctl_event *event,
			     const struct pmuctl_why *why)
{
	u64 there = pmuctl_session_caps(session)->counters;
	struct pmuctl_text allowed, all;

	return pmuctl_why(why, -ENOSPC,
			  "event %u of %u (0x%04llx) finds no counter: it may use %s of %s, and the events that are to count at the same time (set %u%s) need those%s; ask for fewer at the same time",
			  event->place + 1, session->nr_events, event->evtsel,
			  pmuctl_counters_text(event->allowed, &allowed),
			  pmuctl_counters_text(there, &all),
			  event->set,
			  session->pinned ? ", and the pinned ones" : "",
			  session->twice ? TWICE : "");
}

static int no_counter(const struct pmuctl_plan *plan,
		      const struct pmuctl_event *event, u64 free,
		      const struct pmuctl_why *why)
{
	const struct pmuctl_session *session = plan->session;
	struct pmuctl_text allowed, left;
	char holders[PMUCTL_HOLDERS];

	if (free == pmuctl_session_caps(session)->counters)
		return no_counter_at_all(session, event, why);
	pmuctl_name_holders(holders, why);
	return pmuctl_why(why, -EBUSY,
			  "event %u of %u (0x%04llx) finds no counter: it may use %s; free are %s; %s%s; ask for fewer events at a time or end those sessions",
			  event->place + 1, session->nr_events, event->evtsel,
			  pmuctl_counters_text(event->allowed, &allowed),
			  pmuctl_counters_text(free, &left), holders,
			  session->twice ? TWICE : "");
}

/* On other threads its events are elsewhere, and leave traces there. */
static void share_out(struct pmuctl_session *session)
{
	unsigned int i;

	session->counters |= pmuctl_assigned(session->event,
					     session->nr_events);
	for (i = 0; i < session->nr_events; i++)
		session->event[i].again = true;
}

/* In all sets, so that no event is ever where that one was. */
static void set_beside(struct pmuctl_session *session, u64 counter)
{
	struct pmuctl_event *event = session->event;
	struct pmuctl_set *set = session->set;
	unsigned int i;

	session->counters |= counter;
	for (; set < session->set + session->nr_sets; set++)
		for (i = 0; i < set->nr; i++, event++)
			if (event->auxiliary) {
				event->twin = __ffs64(counter);
				set->counters |= counter;
			}
}

static int no_counter_beside(const struct pmuctl_plan *plan,
			     const struct pmuctl_why *why)
{
	char holders[PMUCTL_HOLDERS];

	pmuctl_name_holders(holders, why);
	return pmuctl_why(why, -EBUSY,
			  "no counter is free for event 0x8203, which has to be on one of gp0-3 beside event 0x01cd, or its records lack what they are for; %s; end those sessions",
			  holders);
}

static int assign_counters(struct pmuctl_plan *plan,
			   const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	unsigned int i;
	u64 free, auxiliary = 0;
	int failed;

	for (i = 0; i < session->nr_events; i++) {
		session->twice |= session->event[i].twice;
		session->auxiliary |= session->event[i].auxiliary;
	}
	free = pmuctl_session_caps(session)->counters &
	       ~pmuctl_mark_in_the_way(plan);
	if (session->auxiliary) {
		auxiliary = BIT_ULL(fls64(free & AUXILIARY_COUNTERS)) >> 1;
		free &= ~auxiliary;
		if (!auxiliary)
			return no_counter_beside(plan, why);
	}
	failed = pmuctl_assign_sets(session->event, session->set,
				    session->nr_sets, session->pinned, free);
	if (failed >= 0)
		return no_counter(plan, &session->event[failed], free, why);
	for (i = 0; i < session->nr_sets; i++)
		session->counters |= session->set[i].counters;
	if (session->twice)
		share_out(session);
	if (auxiliary)
		set_beside(session, auxiliary);
	pmuctl_metrics_assigned(session);
	return 0;
}

/* --- registers beside the event select --- */

static const char *reg_name(u32 reg)
{
	static const char *const names[] = {
		[PMUCTL_REG_OFFCORE_RSP] = "offcore response",
		[PMUCTL_REG_LD_LAT] = "load latency",
		[PMUCTL_REG_FRONTEND] = "front end",
		[PMUCTL_REG_REPLAY] = "replay tagging",
		[PMUCTL_REG_MATRIX_VERT] = "replay matrix",
	};

	return reg < ARRAY_SIZE(names) && names[reg] ? names[reg] : "extra";
}

static bool one_a_core(const struct pmuctl_event *event,
		       const struct pmuctl_reg *reg)
{
	return pmuctl_caps_of(event)->extra_shared & BIT(reg->reg);
}

/* What b has in the way of a: the same register with another value. */
static const struct pmuctl_reg *other_value(const struct pmuctl_reg *a,
					    const struct pmuctl_event *b)
{
	const struct pmuctl_reg *reg;

	for (reg = b->extra; reg < b->extra + b->nr_extra; reg++)
		if (reg->reg == a->reg && reg->index == a->index &&
		    reg->value != a->value)
			return reg;
	return NULL;
}

/* Sets that take turns may each have their own, unless a sibling looks on. */
static bool at_the_same_time(const struct pmuctl_event *a,
			     const struct pmuctl_event *b)
{
	return a->set == b->set || (a->flags | b->flags) & PMUCTL_EVENT_PINNED;
}

static int check_own_pair(const struct pmuctl_event *a,
			  const struct pmuctl_event *b,
			  const struct pmuctl_why *why)
{
	const struct pmuctl_reg *reg, *other;

	for (reg = a->extra; reg < a->extra + a->nr_extra; reg++) {
		other = other_value(reg, b);
		if (!other ||
		    (!at_the_same_time(a, b) && !one_a_core(a, reg)))
			continue;
		return pmuctl_why(why, -EINVAL,
				  "events %u and %u both need %s register %u, with the values 0x%llx and 0x%llx: there is one of it%s; %s",
				  a->place + 1, b->place + 1,
				  reg_name(reg->reg), reg->index, reg->value,
				  other->value, at_the_same_time(a, b) ? "" :
				  " for both threads of a core",
				  one_a_core(a, reg) ?
				  "count them in one run after the other" :
				  "they cannot count at the same time");
	}
	return 0;
}

static int check_other(const struct pmuctl_event *event,
		       const struct pmuctl_session *session,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_event *theirs = session->event;
	const struct pmuctl_reg *reg, *other;
	struct pmuctl_owner_text owner;

	for (; theirs < session->event + session->nr_events; theirs++)
		for (reg = event->extra; reg < event->extra + event->nr_extra;
		     reg++) {
			other = other_value(reg, theirs);
			if (!other ||
			    (!session->in_the_way && !one_a_core(event, reg)))
				continue;
			return pmuctl_why(why, -EBUSY,
					  "event %u needs %s register %u with the value 0x%llx, but %s has it with 0x%llx: end that session, or use its value",
					  event->place + 1, reg_name(reg->reg),
					  reg->index, reg->value,
					  pmuctl_owner_text(session, why->all,
							    &owner),
					  other->value);
		}
	return 0;
}

static int check_extra(const struct pmuctl_session *new,
		       const struct pmuctl_event *event,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_event *earlier = new->event;
	struct pmuctl_session *session;
	int err = 0;

	for (; earlier < event && !err; earlier++)
		err = check_own_pair(earlier, event, why);
	if (err)
		return err;
	for_each_session(session) {
		if (!same_kind(new, session))
			continue;
		err = check_other(event, session, why);
		if (err)
			return err;
	}
	return 0;
}

static int check_extras(const struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	const struct pmuctl_event *event = session->event;
	int err = 0;

	for (; event < session->event + session->nr_events && !err; event++)
		if (event->nr_extra)
			err = check_extra(session, event, why);
	return err;
}

/* --- the one ring of last branches --- */

static u64 branches_of(const struct pmuctl_event *event)
{
	return event->content &
	       (PMUCTL_CONTENT_BRANCHES | PMUCTL_CONTENT_CALLS);
}

static bool other_branches(const struct pmuctl_event *a,
			   const struct pmuctl_event *b)
{
	return branches_of(a) && branches_of(b) &&
	       branches_of(a) != branches_of(b);
}

#define EITHER "the last branch records are a stack of calls or the branches themselves"

static int check_own_branches(const struct pmuctl_session *session,
			      const struct pmuctl_event *event,
			      const struct pmuctl_why *why)
{
	const struct pmuctl_event *other;

	for (other = session->event; other < event; other++)
		if (other_branches(event, other))
			return pmuctl_why(why, -EINVAL,
					  "events %u and %u: " EITHER "; sample them in one run after the other",
					  other->place + 1, event->place + 1);
	return 0;
}

static int check_their_branches(const struct pmuctl_event *event,
				const struct pmuctl_why *why)
{
	struct pmuctl_owner_text owner;
	struct pmuctl_session *session;
	unsigned int i;

	for_each_session(session) {
		if (!session->in_the_way)
			continue;
		for (i = 0; i < session->nr_events; i++)
			if (other_branches(event, &session->event[i]))
				return pmuctl_why(why, -EBUSY,
						  "event %u: " EITHER ", and %s has them as %s; end that session, or sample call chains by frame pointers",
						  event->place + 1,
						  pmuctl_owner_text(session,
								    why->all,
								    &owner),
						  session->calls ? "calls" :
						  "branches");
	}
	return 0;
}

static int check_branches(const struct pmuctl_session *session,
			  const struct pmuctl_why *why)
{
	const struct pmuctl_event *event = session->event;
	int err = 0;

	for (; event < session->event + session->nr_events && !err; event++) {
		if (!branches_of(event))
			continue;
		err = check_own_branches(session, event, why);
		if (!err)
			err = check_their_branches(event, why);
	}
	return err;
}

/* --- who has to give way --- */

/* Where a core's counters are shared, counters alone do not tell. */
static bool loses(const struct pmuctl_session *session,
		  const struct pmuctl_session *to)
{
	return session->in_the_way && !session->privileged &&
	       (pmuctl_backend->assign || session->counters & to->counters);
}

/* Says who loses what it has, now that it is known what is needed. */
static void find_losers(struct pmuctl_plan *plan)
{
	struct pmuctl_session *session;

	plan->evicts = false;
	pmuctl_mark_in_the_way(plan);
	for_each_session(session)
		session->loses = loses(session, plan->session);
	plan->evicts = true;
}

static bool somebody_gives_way(const struct pmuctl_plan *plan)
{
	struct pmuctl_session *session;

	if (!plan->session->privileged)
		return false;
	for_each_session(session)
		if (!session->privileged && !session->lost)
			return true;
	return false;
}

static int find_places(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	return pmuctl_backend->assign ? pmuctl_backend->assign(plan, why) :
					assign_counters(plan, why);
}

/* What the first try was refused for is nothing to be told then. */
static int assign_places(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	int err = find_places(plan, why);

	if (err != -EBUSY || !somebody_gives_way(plan))
		return err;
	plan->evicts = true;
	err = find_places(plan, why);
	if (err)
		return err;
	if (why->extack)
		why->extack->_msg = NULL;
	find_losers(plan);
	return 0;
}

int pmuctl_session_assign(struct pmuctl_plan *plan,
			  const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	struct pmuctl_reg reg[PMUCTL_OWN_REGS_MAX];
	unsigned int i;
	int err;

	err = pmuctl_sets_build(session, why);
	if (!err)
		err = pmuctl_metrics_build(session, why);
	if (!err)
		err = pmuctl_cascades_build(session, why);
	if (!err)
		err = pmuctl_along_build(session, why);
	if (!err)
		err = assign_places(plan, why);
	if (!err)
		err = check_extras(session, why);
	if (!err)
		err = check_branches(session, why);
	if (!err)
		pmuctl_along_assigned(session);
	for (i = 0; i < session->nr_events && !err; i++)
		pmuctl_backend->encode(&session->event[i], reg);
	return err;
}
