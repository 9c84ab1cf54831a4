// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A session: events and targets gathered here, made, started and stopped in
 * the kernel.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "../kmod/uapi/pmuctl.h"
#include "private.h"
#include "session.h"

int pmuctl_session_new(struct pmuctl *ctx, struct pmuctl_session **session)
{
	struct pmuctl_session *s = calloc(1, sizeof(*s));

	if (!s)
		return fail(ctx, -ENOMEM, "out of memory");
	s->ctx = ctx;
	*session = s;
	return 0;
}

void pmuctl_session_free(struct pmuctl_session *s)
{
	if (!s)
		return;
	if (s->id)
		session_command(s, PMUCTL_CMD_SESSION_DEL);
	free(s->events);
	free(s->targets);
	free(s);
}

int pmuctl_session_add_event(struct pmuctl_session *s, const struct pmuctl_event *event)
{
	struct session_event *grown, *e;

	grown = reallocarray(s->events, s->nr_events + 1, sizeof(*grown));
	if (!grown)
		return fail(s->ctx, -ENOMEM, "out of memory");
	s->events = grown;
	e = &grown[s->nr_events++];
	memset(e, 0, sizeof(*e));
	e->flags = (event->info.user ? PMUCTL_EVENT_USER : 0) |
		   (event->info.kernel ? PMUCTL_EVENT_KERNEL : 0);
	e->counters = event->info.counters;
	e->reg = event->reg;
	return 0;
}

static int add_target(struct pmuctl_session *s, uint16_t kind, uint32_t target)
{
	uint32_t *grown;

	if (s->nr_targets && s->target_kind != kind)
		return fail(s->ctx, -EINVAL, "a session has one kind of target: "
					     "processes, threads or CPUs");
	grown = reallocarray(s->targets, s->nr_targets + 1, sizeof(*grown));
	if (!grown)
		return fail(s->ctx, -ENOMEM, "out of memory");
	s->targets = grown;
	s->target_kind = kind;
	s->targets[s->nr_targets++] = target;
	return 0;
}

int pmuctl_session_add_process(struct pmuctl_session *s, pid_t pid)
{
	return add_target(s, PMUCTL_A_SESSION_PID, (uint32_t)pid);
}

int pmuctl_session_add_thread(struct pmuctl_session *s, pid_t tid)
{
	return add_target(s, PMUCTL_A_SESSION_TID, (uint32_t)tid);
}

int pmuctl_session_add_cpu(struct pmuctl_session *s, unsigned int cpu)
{
	return add_target(s, PMUCTL_A_SESSION_CPU, cpu);
}

static int put_event(struct nl_msg *msg, const struct session_event *e)
{
	const struct pmuctl_reg reg = {
		.reg = PMUCTL_REG_EVTSEL,
		.index = e->reg.index,
		.value = e->reg.value,
	};
	struct nlattr *nest = nla_nest_start(msg, PMUCTL_A_SESSION_EVENT | NLA_F_NESTED);

	if (!nest || nla_put_u64(msg, PMUCTL_A_EVENT_FLAGS, e->flags) ||
	    nla_put(msg, PMUCTL_A_EVENT_REGS, sizeof(reg), &reg) ||
	    nla_put_u64(msg, PMUCTL_A_EVENT_COUNTERS, e->counters))
		return -ENOMEM;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_session(struct nl_msg *msg, const struct pmuctl_session *s, uint64_t flags)
{
	size_t i;
	int err = nla_put_u64(msg, PMUCTL_A_SESSION_FLAGS, flags);

	for (i = 0; !err && i < s->nr_targets; i++)
		err = nla_put_u32(msg, s->target_kind, s->targets[i]);
	for (i = 0; !err && i < s->nr_events; i++)
		err = put_event(msg, &s->events[i]);
	return err;
}

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
	if (attrs[PMUCTL_A_EVENT_SET] && nla_len(attrs[PMUCTL_A_EVENT_SET]) >= 4)
		e->set = nla_get_u32(attrs[PMUCTL_A_EVENT_SET]);
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
		if (i == s->nr_events)
			return fail(s->ctx, -EBADMSG, "the module answered for too many events");
		err = take_assigned(s->ctx, &s->events[i++], attr);
		if (err)
			return err;
	}
	if (i < s->nr_events)
		return fail(s->ctx, -EBADMSG, "the module answered for %zu of %zu events", i,
			    s->nr_events);
	return 0;
}

static int take_created(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct pmuctl_session *s = data;
	struct nlattr *id = attrs[PMUCTL_A_SESSION_ID];

	if (!id || nla_len(id) < 4)
		return fail(s->ctx, -EBADMSG, "the module's answer has no session in it");
	s->id = nla_get_u32(id);
	return take_events(s, nlh);
}

static int check_session(struct pmuctl_session *s)
{
	const struct pmuctl_info *info;

	if (s->id)
		return fail(s->ctx, -EINVAL, "the session exists already");
	if (!s->nr_events)
		return fail(s->ctx, -EINVAL, "a session needs an event");
	/* Which also holds the two ABIs together before anything is asked. */
	return info_get(s->ctx, &info);
}

int pmuctl_session_create(struct pmuctl_session *s, uint64_t options)
{
	const struct request req = {
		.cmd = PMUCTL_CMD_SESSION_NEW,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.room = 16 + s->nr_targets * 8 + s->nr_events * 80,
		.fn = take_created,
		.data = s,
	};
	uint64_t flags = (options & PMUCTL_INHERIT ? PMUCTL_SESSION_INHERIT : 0) |
			 (options & PMUCTL_ON_EXEC ? PMUCTL_SESSION_ON_EXEC : 0) |
			 (options & PMUCTL_DRY_RUN ? PMUCTL_SESSION_DRY_RUN : 0);
	struct nl_msg *msg;
	int err;

	if (options & ~(uint64_t)(PMUCTL_INHERIT | PMUCTL_ON_EXEC | PMUCTL_DRY_RUN))
		return fail(s->ctx, -EINVAL, "unknown session option");
	err = check_session(s);
	if (!err)
		err = talk_message(s->ctx, &req, &msg);
	if (err)
		return err;
	err = put_session(msg, s, flags);
	if (err) {
		nlmsg_free(msg);
		return fail(s->ctx, err, "too many events or targets for one message");
	}
	return talk(s->ctx, &req, msg);
}

int session_command(struct pmuctl_session *s, uint8_t cmd)
{
	const struct request req = { .cmd = cmd, .maxattr = PMUCTL_A_SESSION_MAX };

	return session_ask(s, &req);
}

int session_ask(struct pmuctl_session *s, const struct request *req)
{
	struct nl_msg *msg;
	int err;

	if (!s->id)
		return fail(s->ctx, -EINVAL, "the session was not created");
	err = talk_message(s->ctx, req, &msg);
	if (err)
		return err;
	err = nla_put_u32(msg, PMUCTL_A_SESSION_ID, s->id);
	if (err) {
		nlmsg_free(msg);
		return fail(s->ctx, -ENOMEM, "out of memory");
	}
	return talk(s->ctx, req, msg);
}

int pmuctl_session_start(struct pmuctl_session *s)
{
	return session_command(s, PMUCTL_CMD_SESSION_START);
}

int pmuctl_session_stop(struct pmuctl_session *s)
{
	return session_command(s, PMUCTL_CMD_SESSION_STOP);
}

int pmuctl_session_assignment(const struct pmuctl_session *s, unsigned int event,
			      struct pmuctl_assignment *assignment)
{
	struct pmuctl_assignment own = { .size = sizeof(own) };
	const struct session_event *e;

	if (event >= s->nr_events || !s->events[event].assigned)
		return fail(s->ctx, -ENOENT, "event %u has no counter", event);
	e = &s->events[event];
	own.counter = e->counter;
	own.set = e->set;
	own.registers = e->programmed;
	own.registers_count = e->nr_programmed;
	return copy_sized(s->ctx, assignment, &own, sizeof(own));
}
