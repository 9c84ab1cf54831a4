// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields of PERF_METRICS as events: what is asked for, and their counts.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>

#include "kmod/base/why.h"
#include "kmod/cpu/metrics.h"
#include "kmod/cpu/run.h"
#include "kmod/pmu/hot.h"
#include "kmod/pmu/msr.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

/* What a field holds if all slots are its. */
#define WHOLE			255
/* The fields of level 1 divide all slots; each is rounded. */
#define LEVEL_1			4
#define ROUNDING		4
/* Of fewer slots than that the fields say little. */
#define SLOTS_ENOUGH		4096

#define RINGS			(PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)

/* As perf has them, for messages. */
#define PSEUDO_CODE(field)	(0x8000 | (field) << 8)

/* --- one event --- */

static int no_field(const struct pmuctl_event *event, u32 field,
		    const struct nlattr *attr, const struct pmuctl_why *why)
{
	unsigned int n = hweight64(pmuctl_caps_of(event)->counters &
				   PMUCTL_METRICS);

	if (!n)
		return pmuctl_why_attr(why, attr, -EOPNOTSUPP,
				       "field %u of PERF_METRICS: this processor has no such register; count Top-Down's own events instead",
				       field);
	return pmuctl_why_attr(why, attr, -EOPNOTSUPP,
			       "field %u of PERF_METRICS: this processor has fields 0 to %u",
			       field, n - 1);
}

int pmuctl_metrics_field(struct pmuctl_event *event, u32 field,
			 const struct nlattr *attr,
			 const struct pmuctl_why *why)
{
	if (field >= PMUCTL_METRICS_MAX ||
	    !(pmuctl_caps_of(event)->counters &
	      BIT_ULL(PMUCTL_METRIC_BASE + field)))
		return no_field(event, field, attr, why);
	event->metric = true;
	event->counter = PMUCTL_METRIC_BASE + field;
	event->evtsel = PSEUDO_CODE(field);
	return 0;
}

static u32 field_of(const struct pmuctl_event *event)
{
	return event->counter - PMUCTL_METRIC_BASE;
}

int pmuctl_metrics_validate(const struct pmuctl_event *event,
			    const struct pmuctl_why *why)
{
	if (!event->sampled)
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "event %u is field %u of PERF_METRICS, which is read and does not overflow, so it cannot be sampled: leave period and frequency out",
			  event->place + 1, field_of(event));
}

/* --- fields and the slots that they divide --- */

static bool counts_slots(const struct pmuctl_event *event)
{
	return !event->metric && event->allowed & BIT_ULL(PMUCTL_METRICS_OF);
}

static struct pmuctl_event *find_slots(struct pmuctl_event *event, u32 n)
{
	for (; n--; event++)
		if (counts_slots(event))
			return event;
	return NULL;
}

static int no_slots(const struct pmuctl_session *session,
		    const struct pmuctl_event *field,
		    const struct pmuctl_why *why)
{
	const struct pmuctl_event *slots;

	slots = find_slots(session->event, session->nr_events);
	if (slots)
		return pmuctl_why(why, -EINVAL,
				  "event %u, field %u of PERF_METRICS, is in set %u, but event %u counts the slots that it divides in set %u: put both into one set and group",
				  field->place + 1, field_of(field), field->set,
				  slots->place + 1, slots->set);
	return pmuctl_why(why, -EINVAL,
			  "event %u, field %u of PERF_METRICS, is without the slots that it divides: put an event on fixed counter %u (event select 0x0400) into its set and group",
			  field->place + 1, field_of(field),
			  PMUCTL_METRIC_SLOTS);
}

static int check_field(const struct pmuctl_event *field,
		       const struct pmuctl_event *slots,
		       const struct pmuctl_why *why)
{
	if (field->group != slots->group)
		return pmuctl_why(why, -EINVAL,
				  "event %u, field %u of PERF_METRICS, is not in the group of event %u, which counts the slots that it divides: put both into one group",
				  field->place + 1, field_of(field),
				  slots->place + 1);
	if ((field->flags ^ slots->flags) & RINGS)
		return pmuctl_why(why, -EINVAL,
				  "event %u, field %u of PERF_METRICS, and event %u, whose slots it divides, differ in user and kernel (flags 0x%x and 0x%x): there is one such register; give both the same flags",
				  field->place + 1, field_of(field),
				  slots->place + 1, field->flags & RINGS,
				  slots->flags & RINGS);
	if (slots->sampled)
		return pmuctl_why(why, -EINVAL,
				  "event %u is sampled, but event %u is field %u of PERF_METRICS, which divides its slots and starts from 0 with them: leave its period or frequency out",
				  slots->place + 1, field->place + 1,
				  field_of(field));
	return 0;
}

/* Sorted: fields are the last of their set. */
static int build_set(struct pmuctl_session *session, struct pmuctl_set *set,
		     const struct pmuctl_why *why)
{
	struct pmuctl_event *event = &session->event[set->first], *slots;
	unsigned int i;
	int err = 0;

	set->counted = set->nr;
	while (set->counted && event[set->counted - 1].metric)
		set->counted--;
	if (set->counted == set->nr)
		return 0;
	slots = find_slots(event, set->counted);
	if (!slots)
		return no_slots(session, &event[set->counted], why);
	for (i = set->counted; i < set->nr && !err; i++)
		err = check_field(&event[i], slots, why);
	slots->metrics = &event[set->counted];
	slots->nr_metrics = set->nr - set->counted;
	/* Elsewhere it would be without what they divide. */
	slots->allowed = BIT_ULL(PMUCTL_METRICS_OF);
	set->slots = slots;
	session->metrics = true;
	return err;
}

int pmuctl_metrics_build(struct pmuctl_session *session,
			 const struct pmuctl_why *why)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < session->nr_sets && !err; i++)
		err = build_set(session, &session->set[i], why);
	session->odd = session->pinned || session->metrics ||
		       session->flags & PMUCTL_SESSION_SELF;
	return err;
}

/* The session holds them one by one, but one bit has them count. */
void pmuctl_metrics_assigned(struct pmuctl_session *session)
{
	struct pmuctl_set *set = session->set;

	for (; set < session->set + session->nr_sets; set++)
		if (set->slots)
			set->counters = (set->counters & ~PMUCTL_METRICS) |
					PMUCTL_METRICS_ON;
}

/* --- on a CPU --- */

/* What it held when it went off was added up, and nobody had it since. */
void pmuctl_metrics_on(struct pmuctl_cpu *cpu,
		       const struct pmuctl_event *slots)
{
	struct pmuctl_slot *slot = &cpu->slot[slots->slot];

	if (slots->flags & PMUCTL_EVENT_KERNEL)
		cpu->regs.user_only &= ~PMUCTL_METRICS_ON;
	else
		cpu->regs.user_only |= PMUCTL_METRICS_ON;
	if (slot->event == slots)
		return;
	pmuctl_backend->clear_metrics();
	slot->last = 0;
}

static bool adds_up(u64 fields)
{
	unsigned int i, sum = 0;

	for (i = 0; i < LEVEL_1; i++)
		sum += fields >> 8 * i & 0xff;
	return sum + ROUNDING >= WHOLE && sum <= WHOLE + ROUNDING;
}

/* Parts of a slot that are left over count the next time. */
static void add_share(u64 *value, u8 *rest, u64 share)
{
	u32 left;

	*value += div_u64_rem(share + *rest, WHOLE, &left);
	*rest = left;
}

void pmuctl_metrics_fold(struct pmuctl_cpu *cpu,
			 const struct pmuctl_event *slots, u64 count)
{
	struct pmuctl_session *session = slots->session;
	struct pmuctl_counts *counts = this_cpu_ptr(session->counts);
	const struct pmuctl_event *event = slots->metrics;
	u64 *value = pmuctl_values(session, counts) + (event - session->event);
	unsigned int n, field;
	u64 fields;

	if (!count)
		return;
	fields = pmuctl_backend->metrics();
	for (n = slots->nr_metrics; n--; event++, value++) {
		field = field_of(event);
		add_share(value, &counts->rest[field],
			  count * (fields >> 8 * field & 0xff));
	}
	pmuctl_backend->clear_metrics();
	cpu->slot[slots->slot].last = 0;
	if (unlikely(count >= SLOTS_ENOUGH && !adds_up(fields)))
		pmuctl_session_disturbed(session, PMUCTL_MSR_METRICS);
}

/*
 * It starts from 0, not half way: what it held when it wrapped does not show
 * in a difference.
 */
bool pmuctl_metrics_overflow(struct pmuctl_cpu *cpu, bool wrapped)
{
	unsigned int i = pmuctl_slot(PMUCTL_METRICS_OF);
	struct pmuctl_slot *slot = &cpu->slot[i];
	u64 before;

	if (!slot->event || !slot->event->nr_metrics)
		return false;
	before = *slot->value;
	pmuctl_fold_slot(slot, i);
	if (wrapped)
		*slot->value += pmuctl_backend->mask(i) + 1;
	pmuctl_metrics_fold(cpu, slot->event, *slot->value - before);
	return true;
}
