// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Making a session in the kernel: the request, in the order of the plan, and
 * what the kernel made of it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/session/session.h"

struct creation {
	struct pmuctl_session *s;
	uint64_t flags;
};

/* ---- the request ----------------------------------------------------- */

static int put_regs(struct nl_msg *msg, const struct session_event *e)
{
	struct pmuctl_reg regs[EVENT_REGISTERS];
	size_t i;

	for (i = 0; i < e->nr_regs; i++)
		regs[i] = (struct pmuctl_reg){
			.reg = e->reg[i].kind, .index = e->reg[i].index, .value = e->reg[i].value,
		};
	return nla_put(msg, PMUCTL_A_EVENT_REGS, (int)(e->nr_regs * sizeof(regs[0])), regs);
}

/* By period or by frequency, whichever is not 0; nothing for one that is counted only. */
static int put_sampling(struct nl_msg *msg, const struct pmuctl_session *s,
			const struct pmuctl_sampling *sampling, uint32_t place)
{
	if (!is_sampled(sampling))
		return 0;
	if ((sampling->period &&
	     nla_put_u64(msg, PMUCTL_A_EVENT_PERIOD, sampling->period)) ||
	    (sampling->frequency &&
	     nla_put_u32(msg, PMUCTL_A_EVENT_FREQ, sampling->frequency)) ||
	    (sampling->random_bits &&
	     nla_put_u32(msg, PMUCTL_A_EVENT_RANDOM, sampling->random_bits)) ||
	    nla_put_u32(msg, PMUCTL_A_EVENT_PRECISE, sampling->precise) ||
	    nla_put_u64(msg, PMUCTL_A_EVENT_CONTENT, sample_content(&s->ctx->info, sampling)) ||
	    (sampling->stack && nla_put_u32(msg, PMUCTL_A_EVENT_STACK, sampling->stack)) ||
	    (s->places && nla_put_u32(msg, PMUCTL_A_EVENT_PLACE, place)))
		return -ENOMEM;
	return 0;
}

/* Numbers that are 0 by default are left out, for modules that do not know them. */
static int put_event(struct nl_msg *msg, const struct pmuctl_session *s,
		     const struct session_event *e)
{
	struct nlattr *nest = nla_nest_start(msg, PMUCTL_A_SESSION_EVENT | NLA_F_NESTED);
	uint64_t flags = e->flags;

	/* Of one set all events are always on. */
	if (s->nr_sets == 1)
		flags &= ~(uint64_t)PMUCTL_EVENT_PINNED;
	if (!nest || nla_put_u64(msg, PMUCTL_A_EVENT_FLAGS, flags) || put_regs(msg, e) ||
	    nla_put_u64(msg, PMUCTL_A_EVENT_COUNTERS, e->only) ||
	    (e->set && nla_put_u32(msg, PMUCTL_A_EVENT_SET, e->set)) ||
	    (e->group && s->ctx->info.features & PMUCTL_CAN_SETS &&
	     nla_put_u32(msg, PMUCTL_A_EVENT_GROUP, e->group)) ||
	    (e->after && nla_put_u64(msg, PMUCTL_A_EVENT_AFTER, e->after)) ||
	    (e->started_by != NO_EVENT &&
	     nla_put_u32(msg, PMUCTL_A_EVENT_CASCADE, e->started_by)) ||
	    put_sampling(msg, s, &e->sampling, e->place))
		return -ENOMEM;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_session(struct nl_msg *msg, const void *data)
{
	const struct creation *c = data;
	const struct pmuctl_session *s = c->s;
	size_t i;
	int err = nla_put_u64(msg, PMUCTL_A_SESSION_FLAGS, c->flags);

	if (!err && s->ctx->whole)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_KIND, s->ctx->kind);
	if (!err && s->beside)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_BESIDE, s->beside);
	if (!err && s->places)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_PLACES, s->places);
	if (!err && s->interval && s->ctx->info.features & PMUCTL_CAN_SETS)
		err = nla_put_u64(msg, PMUCTL_A_SESSION_INTERVAL, s->interval);
	if (!err && s->ring)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_RING, s->ring);
	if (!err && s->watermark)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_WATERMARK, s->watermark);
	for (i = 0; !err && i < s->nr_targets; i++)
		err = nla_put_u32(msg, s->target_kind, s->targets[i]);
	for (i = 0; !err && i < all_events(s); i++)
		err = put_event(msg, s, &s->events[i]);
	return err;
}

/* ---- the answer ------------------------------------------------------ */

static int take_regs(struct pmuctl *ctx, struct session_event *e, struct nlattr *attr)
{
	struct pmuctl_reg reg;
	size_t i, count = (size_t)nla_len(attr) / sizeof(reg);

	if ((size_t)nla_len(attr) % sizeof(reg) || count > ARRAY_SIZE(e->programmed))
		return fail(ctx, -EBADMSG, "the module's answer has registers of %d bytes",
			    nla_len(attr));
	for (i = 0; i < count; i++) {
		/* Attributes are aligned to four bytes, registers want eight. */
		memcpy(&reg, (char *)nla_data(attr) + i * sizeof(reg), sizeof(reg));
		e->programmed[i] = (struct pmuctl_register){
			.kind = reg.reg, .index = reg.index, .value = reg.value,
		};
	}
	e->nr_programmed = count;
	return 0;
}

static int take_assigned(struct pmuctl *ctx, struct session_event *e, struct nlattr *nest)
{
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1];

	if (nla_parse_nested(attrs, PMUCTL_A_EVENT_MAX, nest, NULL) < 0 ||
	    !attrs[PMUCTL_A_EVENT_COUNTER] || nla_len(attrs[PMUCTL_A_EVENT_COUNTER]) < 4)
		return fail(ctx, -EBADMSG, "the module's answer has an event without a counter");
	e->counter = nla_get_u32(attrs[PMUCTL_A_EVENT_COUNTER]);
	e->got_set = get_u32(attrs, PMUCTL_A_EVENT_SET);
	e->assigned = true;
	if (!attrs[PMUCTL_A_EVENT_REGS])
		return 0;
	return take_regs(ctx, e, attrs[PMUCTL_A_EVENT_REGS]);
}

/* An event each, all under one attribute number: walk them. */
static int take_events(struct pmuctl_session *s, struct nlmsghdr *nlh)
{
	struct nlattr *attr;
	size_t i = 0;
	int rem, err;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_EVENT)
			continue;
		if (i == all_events(s))
			return fail(s->ctx, -EBADMSG, "the module answered for too many events");
		err = take_assigned(s->ctx, &s->events[i++], attr);
		if (err)
			return err;
	}
	if (i < all_events(s))
		return fail(s->ctx, -EBADMSG, "the module answered for %zu of %zu events", i,
			    all_events(s));
	return 0;
}

static int take_created(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct pmuctl_session *s = ((struct creation *)data)->s;
	struct nlattr *id = attrs[PMUCTL_A_SESSION_ID];

	/* A dry run's is 0. */
	if (!id || nla_len(id) < 4)
		return fail(s->ctx, -EBADMSG, "the module's answer has no session in it");
	s->id = nla_get_u32(id);
	if (attrs[PMUCTL_A_SESSION_FD] && nla_len(attrs[PMUCTL_A_SESSION_FD]) >= 4)
		s->fd = (int)nla_get_u32(attrs[PMUCTL_A_SESSION_FD]);
	return take_events(s, nlh);
}

/* ---- the refusal --------------------------------------------------------- */

/* The caller's name of the event that the kernel counts as `number`, from 1 on; NULL: none. */
static const char *name_of(const struct pmuctl_session *s, unsigned int number)
{
	return number && number <= s->nr_events ? s->events[number - 1].name : NULL;
}

/* The kernel knows events by their places in the request; what it says stays as it is. */
static int refused(struct pmuctl_session *s, int err)
{
	const char *said = s->ctx->error, *name, *other;
	unsigned int first = 0, second = 0;

	if (sscanf(said, "events %u and %u ", &first, &second) != 2)
		sscanf(said, "event %u", &first);
	name = name_of(s, first);
	other = name_of(s, second);
	if (name && other)
		return fail(s->ctx, err, "'%s' and '%s': %s", name, other, said);
	return name ? fail(s->ctx, err, "'%s': %s", name, said) : err;
}

/* ---- all of it --------------------------------------------------------- */

static int ask_for(struct pmuctl_session *s, uint64_t flags)
{
	struct creation c = { .s = s, .flags = flags };
	const struct request req = {
		.cmd = PMUCTL_CMD_SESSION_NEW,
		.acked = true,
		.put = put_session,
		/* Rounded up: flags, kind, beside, interval, ring; a target each, an event each. */
		.room = 120 + s->nr_targets * 8 + all_events(s) * (160 + 16 * EVENT_REGISTERS),
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_created,
		.data = &c,
	};
	int err = talk(s->ctx, &req);

	return err ? refused(s, err) : 0;
}

/* Another plan, for the counters that others do not hold. */
static int ask_for_less(struct pmuctl_session *s, uint64_t flags)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	uint64_t free_counters;
	int err;

	err = pmuctl_get_info(s->ctx, &info);
	free_counters = info.counters & ~info.counters_used;
	if (err || free_counters == info.counters)
		return -EBUSY;
	err = plan_session(s, free_counters, true);
	return err ? -EBUSY : ask_for(s, flags);
}

/* Another plan, with the other register for offcore events. */
static int ask_for_other_register(struct pmuctl_session *s, uint64_t flags, bool multiplex)
{
	int err;

	s->offcore_swapped = true;
	err = plan_session(s, s->ctx->info.counters, multiplex);
	if (!err)
		err = ask_for(s, flags);
	s->offcore_swapped = false;
	return err;
}

/*
 * Others hold something that we want.  If there is no way round, what the
 * kernel said first is what the caller should know.
 */
static int ask_again(struct pmuctl_session *s, uint64_t flags, bool multiplex)
{
	char why[sizeof(s->ctx->error)];
	int err = -EBUSY;

	snprintf(why, sizeof(why), "%s", s->ctx->error);
	if (extras_offcore(s))
		err = ask_for_other_register(s, flags, multiplex);
	if (err == -EBUSY && multiplex)
		err = ask_for_less(s, flags);
	return err == -EBUSY ? fail(s->ctx, err, "%s", why) : err;
}

/* A descriptor makes reading cheap, where the module has it. */
static uint64_t session_flags(const struct pmuctl_session *s, uint64_t options)
{
	bool fd = s->ctx->info.features & PMUCTL_FEATURE_FD && !(options & PMUCTL_DRY_RUN);

	return (options & PMUCTL_INHERIT ? PMUCTL_SESSION_INHERIT : 0) |
	       (options & PMUCTL_ON_EXEC ? PMUCTL_SESSION_ON_EXEC : 0) |
	       (options & PMUCTL_DRY_RUN ? PMUCTL_SESSION_DRY_RUN : 0) |
	       (fd ? PMUCTL_SESSION_FD : 0) | (fd && s->self ? PMUCTL_SESSION_SELF : 0);
}

static int check_session(struct pmuctl_session *s)
{
	const struct pmuctl_info *info;
	struct pmu_facts facts;
	int err;

	if (!s->nr_events)
		return no_events(s);
	/* Which also holds the two ABIs together before anything is asked. */
	err = info_get(s->ctx, &info);
	return err ? err : facts_get(s->ctx, &facts);
}

/* Loads are timed for PEBS alone: without it their event is 0 whatever the program does. */
static int check_latencies(struct pmuctl_session *s)
{
	const struct session_event *e;

	for (e = s->events; e < s->events + s->nr_events; e++)
		if (is_latency(e) && !e->sampling.precise)
			return fail(s->ctx, -EOPNOTSUPP, "event '%s' counts nothing but while PEBS "
				    "records it: `pmuctl record -d -W` does, with :pp behind the event",
				    e->name);
	return 0;
}

int session_create(struct pmuctl_session *s, uint64_t options)
{
	bool multiplex = options & PMUCTL_MULTIPLEX;
	int err;

	if (options & ~(uint64_t)(PMUCTL_INHERIT | PMUCTL_ON_EXEC | PMUCTL_DRY_RUN |
				  PMUCTL_MULTIPLEX))
		return fail(s->ctx, -EINVAL, "unknown session option");
	err = check_session(s);
	if (!err && !(options & PMUCTL_DRY_RUN))
		err = check_latencies(s);
	if (!err)
		err = plan_session(s, s->ctx->info.counters, multiplex);
	if (!err)
		err = ask_for(s, session_flags(s, options));
	return err == -EBUSY ? ask_again(s, session_flags(s, options), multiplex) : err;
}

int session_fits(struct pmuctl_session *s)
{
	struct pmu_facts facts;
	int err = facts_get(s->ctx, &facts);

	/* Tags that are one too many do not fit, either. */
	if (!err && p4_assign_tags(s))
		return 0;
	return err ? err : plan_fits(s, facts.counters);
}
