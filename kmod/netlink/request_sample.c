// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of a SESSION_NEW that asks for samples, every bit checked.
 */
#include <linux/log2.h>

#include "kmod/base/why.h"
#include "kmod/netlink/named.h"
#include "kmod/netlink/request_sample.h"
#include "kmod/pmu/kinds.h"
#include "kmod/sample/ring.h"
#include "kmod/sample/sample.h"
#include "kmod/state/meter.h"
#include "kmod/state/session.h"

#define PERIOD_MAX	BIT_ULL(47)
#define RANDOM_MAX	32
#define PRECISE_MAX	3

/* What only a record of the hardware has. */
#define CONTENT_PEBS	(PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_LATENCY |	\
			 PMUCTL_CONTENT_DATA_SRC | PMUCTL_CONTENT_BLOCK | \
			 PMUCTL_CONTENT_RETIRE)
#define CONTENT_ALL	(CONTENT_PEBS | PMUCTL_CONTENT_REGS |		\
			 PMUCTL_CONTENT_CHAIN | PMUCTL_CONTENT_BRANCHES | \
			 PMUCTL_CONTENT_CALLS | PMUCTL_CONTENT_STACK |	\
			 PMUCTL_CONTENT_TOP | PMUCTL_CONTENT_COUNTS)

static u64 value_of(const struct nlattr *attr)
{
	if (!attr)
		return 0;
	return nla_len(attr) == sizeof(u32) ? nla_get_u32(attr) :
					      nla_get_u64(attr);
}

static int parse_period(struct pmuctl_event *event, struct nlattr **attrs,
			const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_PERIOD];
	u64 least = event->precise ? 2 : 1;

	event->period = value_of(attr);
	if (!attr || (event->period >= least && event->period <= PERIOD_MAX))
		return 0;
	return pmuctl_why_attr(why, attr, -ERANGE,
			       "event period %llu: a sample is taken every %llu to %llu events%s",
			       event->period, least, PERIOD_MAX,
			       event->precise ?
			       " (PEBS needs one event to arm it)" : "");
}

static int parse_freq(struct pmuctl_event *event, struct nlattr **attrs,
		      const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_FREQ];
	u32 most = pmuctl_max_sample_rate();

	event->freq = value_of(attr);
	if (attr && attrs[PMUCTL_A_EVENT_PERIOD])
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event frequency and period are both given: give one of them");
	if (!attr || (event->freq && event->freq <= most))
		return 0;
	return pmuctl_why_attr(why, attr, -ERANGE,
			       "event frequency %u: from 1 to %u samples a second; root raises the most in /sys/module/pmuctl/parameters/max_sample_rate",
			       event->freq, most);
}

static int parse_random(struct pmuctl_event *event, struct nlattr **attrs,
			const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_RANDOM];

	event->random = value_of(attr);
	if (!attr)
		return 0;
	if (!event->period)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event random bits without a period: there is nothing that they could change");
	if (!event->random || event->random > RANDOM_MAX ||
	    BIT_ULL(event->random) >= event->period)
		return pmuctl_why_attr(why, attr, -ERANGE,
				       "event random bits %u: from 1 to %u, and 2^n is less than the period (%llu)",
				       event->random, RANDOM_MAX,
				       event->period);
	return 0;
}

static int parse_precise(struct pmuctl_event *event, struct nlattr **attrs,
			 const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_PRECISE];

	event->precise = value_of(attr);
	if (event->precise > PRECISE_MAX)
		return pmuctl_why_attr(why, attr, -ERANGE,
				       "event precision %u: from 0 (by interrupt) to %u",
				       event->precise, PRECISE_MAX);
	return 0;
}

static int parse_content(struct pmuctl_event *event, struct nlattr **attrs,
			 const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_CONTENT];

	event->content = value_of(attr);
	if (event->content & ~(u64)CONTENT_ALL)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event content 0x%llx: this module knows 0x%x only",
				       event->content, CONTENT_ALL);
	if (event->content & PMUCTL_CONTENT_CALLS &&
	    !(event->content & PMUCTL_CONTENT_BRANCHES))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event content 0x%llx: calls (0x%x) are what the branches (0x%x) are then; ask for both",
				       event->content, PMUCTL_CONTENT_CALLS,
				       PMUCTL_CONTENT_BRANCHES);
	if (event->content & CONTENT_PEBS && !event->precise)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event content 0x%llx: addresses, latencies (of retirement as well), data sources and blocks (0x%x) are in PEBS records only; ask for precision 1 or more, or leave them out",
				       event->content, CONTENT_PEBS);
	return 0;
}

static int parse_stack(struct pmuctl_event *event, struct nlattr **attrs,
		       const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_STACK];
	u32 most = round_down(PMUCTL_RECORD_MAX -
			      pmuctl_sample_room(event->content, 0),
			      sizeof(u64));

	event->stack = value_of(attr);
	if (!(event->content & PMUCTL_CONTENT_STACK) != !attr)
		return pmuctl_why_attr(why, attr ?:
				       attrs[PMUCTL_A_EVENT_CONTENT], -EINVAL,
				       "event stack and content 0x%x go together: one says how many bytes the other has",
				       PMUCTL_CONTENT_STACK);
	if (!attr || (event->stack >= PMUCTL_STACK_MIN &&
		      event->stack <= most &&
		      IS_ALIGNED(event->stack, sizeof(u64))))
		return 0;
	return pmuctl_why_attr(why, attr, -ERANGE,
			       "event stack of %u bytes: a multiple of %zu from %u to %u, which is what a record of this content leaves",
			       event->stack, sizeof(u64), PMUCTL_STACK_MIN,
			       most);
}

/* What is not asked for needs no sampling; what is, does. */
static int check_sampled(const struct pmuctl_event *event,
			 struct nlattr **attrs, const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_PRECISE] ?:
				    attrs[PMUCTL_A_EVENT_CONTENT];

	if (event->sampled && !pmuctl_interrupts())
		return pmuctl_why_attr(why, attrs[PMUCTL_A_EVENT_PERIOD] ?:
				       attrs[PMUCTL_A_EVENT_FREQ], -EOPNOTSUPP,
				       "event samples: an overflow of this PMU interrupts nobody, so it counts and never samples; leave period and frequency out");
	if (event->sampled || !attr)
		return 0;
	return pmuctl_why_attr(why, attr, -EINVAL,
			       "event content or precision without samples: give a period or a frequency");
}

/* Others' programs leave traces in the branch records and in buffers. */
static int check_privilege(const struct pmuctl_session *session,
			   const struct pmuctl_event *event,
			   struct nlattr **attrs, const struct pmuctl_why *why)
{
	if (session->privileged)
		return 0;
	if (event->precise)
		return pmuctl_why_attr(why, attrs[PMUCTL_A_EVENT_PRECISE],
				       -EACCES,
				       "event precision %u: PEBS needs CAP_PERFMON; sampling by interrupt (precision 0) does not",
				       event->precise);
	if (event->content & PMUCTL_CONTENT_BRANCHES)
		return pmuctl_why_attr(why, attrs[PMUCTL_A_EVENT_CONTENT],
				       -EACCES,
				       "event content 0x%llx: branch records need CAP_PERFMON; leave 0x%x out",
				       event->content,
				       PMUCTL_CONTENT_BRANCHES);
	return 0;
}

/*
 * Its number among those sampled, of which sessions beside each other have
 * some each.
 */
static int take_place(struct pmuctl_session *session,
		      struct pmuctl_event *event, const struct nlattr *attr,
		      const struct pmuctl_why *why)
{
	event->phase = attr ? nla_get_u32(attr) : session->nr_sampled;
	if (event->phase < session->nr_sampled ||
	    event->phase >= PMUCTL_SESSION_EVENTS_MAX)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event place %u: sampled events are numbered upwards, this one from %u to %u",
				       event->phase, session->nr_sampled,
				       PMUCTL_SESSION_EVENTS_MAX - 1);
	session->nr_sampled = event->phase + 1;
	return 0;
}

int pmuctl_request_event(struct pmuctl_session *session,
			 struct pmuctl_event *event, struct nlattr **attrs,
			 const struct pmuctl_why *why)
{
	int err = parse_precise(event, attrs, why);

	if (!err)
		err = parse_period(event, attrs, why);
	if (!err)
		err = parse_freq(event, attrs, why);
	if (!err)
		err = parse_random(event, attrs, why);
	if (!err)
		err = parse_content(event, attrs, why);
	if (!err)
		err = parse_stack(event, attrs, why);
	event->session = session;
	event->sampled = event->period || event->freq;
	if (!err)
		err = check_sampled(event, attrs, why);
	if (!err)
		err = check_privilege(session, event, attrs, why);
	if (err || !event->sampled)
		return err;
	event->room = pmuctl_sample_room(event->content, event->stack);
	session->room = max(session->room, event->room);
	session->by_freq |= event->freq;
	session->calls |= event->content & PMUCTL_CONTENT_CALLS;
	return take_place(session, event, attrs[PMUCTL_A_EVENT_PLACE], why);
}

static int parse_watermark(struct pmuctl_session *session,
			   const struct nlattr *attr,
			   const struct pmuctl_why *why)
{
	session->watermark = attr ? nla_get_u32(attr) : session->ring_size / 4;
	if (session->watermark && session->watermark <= session->ring_size / 2)
		return 0;
	return pmuctl_why_attr(why, attr, -ERANGE,
			       "watermark %u: from 1 to half of a ring, which has %u bytes",
			       session->watermark, session->ring_size);
}

int pmuctl_request_rings(struct pmuctl_session *session, struct nlattr **attrs,
			 const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_SESSION_RING] ?:
				    attrs[PMUCTL_A_SESSION_WATERMARK];
	u32 least;

	if (!session->nr_sampled) {
		if (!attr)
			return 0;
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "a ring or a watermark is given, but no event has a period or a frequency: leave it out");
	}
	attr = attrs[PMUCTL_A_SESSION_RING];
	session->ring_size = attr ? nla_get_u32(attr) :
				    pmuctl_rings_default(session);
	least = pmuctl_rings_least(session);
	if (!is_power_of_2(session->ring_size) || session->ring_size < least ||
	    session->ring_size > PMUCTL_RING_MAX)
		return pmuctl_why_attr(why, attr, -ERANGE,
				       "ring of %u bytes: a power of two from %u to %u, for samples of up to %u",
				       session->ring_size, least,
				       PMUCTL_RING_MAX, session->room);
	return parse_watermark(session, attrs[PMUCTL_A_SESSION_WATERMARK], why);
}

/* --- the session beside it, for another kind of core --- */

int pmuctl_request_places(struct pmuctl_session *session,
			  const struct nlattr *attr,
			  const struct pmuctl_why *why)
{
	u32 places = attr ? nla_get_u32(attr) : session->nr_sampled;

	if (attr && (!session->nr_sampled || places < session->nr_sampled ||
		     places > PMUCTL_SESSION_EVENTS_MAX))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session places %u: it is how many sampled events there are in sessions beside each other, here from %u to %u, and nothing for a session without",
				       places, max(session->nr_sampled, 1u),
				       PMUCTL_SESSION_EVENTS_MAX);
	session->nr_sampled = places;
	return 0;
}

static const struct pmuctl_event *
sampled_at(const struct pmuctl_session *session, u32 phase)
{
	const struct pmuctl_event *event = session->event;

	const struct pmuctl_event *end = event + session->nr_events;

	for (; event < end; event++)
		if (event->sampled && event->phase == phase)
			return event;
	return NULL;
}

/* What is left of a period is to mean the same to all that have the event. */
static int check_pairs(const struct pmuctl_session *session,
		       const struct pmuctl_session *beside,
		       const struct nlattr *attr, const struct pmuctl_why *why)
{
	const struct pmuctl_event *own, *other;
	u32 i;

	if (session->nr_sampled != beside->nr_sampled)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session %u beside it samples %u events, and this one %u: give both the same ones in the same order, or say how many there are in all (PMUCTL_A_SESSION_PLACES)",
				       beside->id, beside->nr_sampled,
				       session->nr_sampled);
	for (i = 0; i < session->nr_sampled; i++) {
		own = sampled_at(session, i);
		other = sampled_at(beside, i);
		if (!own || !other)
			continue;
		if (own->period == other->period && own->freq == other->freq &&
		    own->random == other->random)
			continue;
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "sampled event %u has period %llu, frequency %u and %u random bits, and in session %u beside it %llu, %u and %u: give both the same",
				       i, own->period, own->freq, own->random,
				       beside->id, other->period, other->freq,
				       other->random);
	}
	return 0;
}

static int check_beside(const struct pmuctl_session *session,
			const struct pmuctl_session *beside,
			const struct nlattr *attr, const struct pmuctl_why *why)
{
	if (!session->nr_sampled)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session %u beside it, but no event has a period or a frequency: leave it out",
				       beside->id);
	if (session->kind == beside->kind)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session %u beside it is for cores of kind %u as well: name one that is for another kind",
				       beside->id, beside->kind);
	if (!beside->on_task)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session %u beside it is on CPUs: name one on the same tasks",
				       beside->id);
	if (beside->phases_beside)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session %u beside it has one beside itself: name that one",
				       beside->id);
	return check_pairs(session, beside, attr, why);
}

int pmuctl_request_beside(struct pmuctl_plan *plan,
			  const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session, *beside;
	struct nlattr *attr = plan->beside;
	int err;

	if (!attr)
		return 0;
	if (!session->on_task)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "a session beside one on CPUs: each CPU is of one kind and keeps its own periods; leave it out");
	err = pmuctl_find_session(attr, false, why, &beside);
	if (!err)
		err = check_beside(session, beside, attr, why);
	if (err)
		return err;
	session->beside = beside;
	session->phases_beside = true;
	return 0;
}
