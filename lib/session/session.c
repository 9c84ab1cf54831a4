// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A session: events and targets gathered here, started, stopped and reset in
 * the kernel.  create.c makes it there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/session/session.h"

#define INTERVAL_MIN 100000ull		/* ns */
#define INTERVAL_MAX 1000000000ull

int pmuctl_session_new(struct pmuctl *ctx, struct pmuctl_session **session)
{
	struct pmuctl_session *s;

	if (!session)
		return is_null(ctx, "the session to be made");
	s = calloc(1, sizeof(*s));
	if (!s)
		return fail(ctx, -ENOMEM, "out of memory");
	s->ctx = ctx;
	s->fd = -1;
	*session = s;
	return 0;
}

static int command(struct pmuctl_session *s, uint8_t cmd)
{
	const struct request req = {
		.cmd = cmd, .acked = true, .session = s->id, .maxattr = PMUCTL_A_SESSION_MAX,
	};

	return session_ask(s, &req);
}

void session_end(struct pmuctl_session *s)
{
	if (s->fd >= 0)
		wire_close(s->fd);
	if (s->id)
		command(s, PMUCTL_CMD_SESSION_DEL);
	s->fd = -1;
	s->id = 0;
}

void session_free(struct pmuctl_session *s)
{
	size_t i;

	if (!s)
		return;
	session_end(s);
	for (i = 0; s->events && i < s->nr_events; i++)
		free(s->events[i].name);
	free(s->events);
	free(s->targets);
	free(s->counts);
	free(s);
}

struct session_event *session_grow(struct pmuctl_session *s)
{
	size_t count = all_events(s);
	struct session_event *grown = reallocarray(s->events, count + 1, sizeof(*grown));

	if (!grown) {
		fail(s->ctx, -ENOMEM, "out of memory");
		return NULL;
	}
	s->events = grown;
	memset(&grown[count], 0, sizeof(*grown));
	grown[count].started_by = NO_EVENT;
	return &grown[count];
}

int too_many_events(struct pmuctl_session *s)
{
	return fail(s->ctx, -E2BIG, "a session has %d events at most", PMUCTL_SESSION_EVENTS_MAX);
}

int no_events(struct pmuctl_session *s)
{
	return fail(s->ctx, -EINVAL, "a session needs an event");
}

int session_add(struct pmuctl_session *s, const struct pmuctl_event *event, uint32_t group)
{
	struct session_event *e;

	if (s->nr_events == PMUCTL_SESSION_EVENTS_MAX)
		return too_many_events(s);
	/* Of a plan that came to nothing. */
	s->nr_hidden = 0;
	e = session_grow(s);
	if (!e)
		return -ENOMEM;
	e->name = strdup(event->info.name);
	if (!e->name)
		return fail(s->ctx, -ENOMEM, "out of memory");
	s->nr_events++;
	e->flags = (event->info.user ? PMUCTL_EVENT_USER : 0) |
		   (event->info.kernel ? PMUCTL_EVENT_KERNEL : 0) |
		   (event->info.pinned ? PMUCTL_EVENT_PINNED : 0);
	e->counters = e->only = event->info.counters;
	e->group = group;
	memcpy(e->reg, event->reg, sizeof(e->reg));
	e->nr_regs = event->info.registers_count;
	e->sampling = event->sampling;
	memcpy(e->upstream, event->upstream, sizeof(e->upstream));
	e->nr_upstreams = event->info.upstreams_count;
	e->tag_free = event->tag_free;
	return 0;
}

void session_cut(struct pmuctl_session *s, size_t count)
{
	while (s->nr_events > count)
		free(s->events[--s->nr_events].name);
}

int session_check_new(struct pmuctl_session *s)
{
	return session_is_made(s) ? fail(s->ctx, -EINVAL, "the session exists already") : 0;
}

int session_check_group(struct pmuctl_session *s, struct pmuctl_event *const *events,
			size_t count)
{
	size_t i;

	if (!events || !count)
		return fail(s->ctx, -EINVAL, "a group needs an event");
	for (i = 0; i < count; i++) {
		if (!events[i])
			return is_null(s->ctx, "an event");
		if (events[i]->info.pinned != events[0]->info.pinned)
			return fail(s->ctx, -EINVAL,
				    "'%s' and '%s' are in one group, and only one of them is "
				    "pinned (:D); pin all of them or none", events[0]->info.name,
				    events[i]->info.name);
	}
	return 0;
}

int session_add_group(struct pmuctl_session *s, struct pmuctl_event *const *events, size_t count)
{
	size_t i, before = s->nr_events;
	int err = 0;

	for (i = 0; !err && i < count; i++)
		err = session_add(s, events[i], s->nr_groups + 1);
	/* All of it or nothing. */
	if (err)
		session_cut(s, before);
	else
		s->nr_groups++;
	return err;
}

int pmuctl_session_set_interval(struct pmuctl_session *s, uint64_t ns)
{
	int err = session_check_new(s);

	if (!err && (ns < INTERVAL_MIN || ns > INTERVAL_MAX))
		err = fail(s->ctx, -EINVAL,
			   "%llu ns is no interval for sets; it is 100000 (100 us) to 1000000000 "
			   "(1 s)", (unsigned long long)ns);
	if (!err)
		s->interval = ns;
	return err;
}

int session_add_target(struct pmuctl_session *s, uint16_t kind, uint32_t target)
{
	uint32_t *grown;

	if (s->nr_targets && s->target_kind != kind)
		return fail(s->ctx, -EINVAL, "a session has one kind of target: "
					     "processes, threads, CPUs or a control group");
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
	return session_add_target(s, PMUCTL_A_SESSION_PID, (uint32_t)(pid ? pid : getpid()));
}

int pmuctl_session_add_thread(struct pmuctl_session *s, pid_t tid)
{
	return session_add_target(s, PMUCTL_A_SESSION_TID, (uint32_t)(tid ? tid : gettid()));
}

int pmuctl_session_add_cpu(struct pmuctl_session *s, unsigned int cpu)
{
	return session_add_target(s, PMUCTL_A_SESSION_CPU, cpu);
}

int pmuctl_session_add_cgroup(struct pmuctl_session *s, int fd)
{
	const struct pmuctl_info *info;
	int err = info_get(s->ctx, &info);

	if (err)
		return err;
	if (!(info->features & PMUCTL_CAN_CGROUP))
		return fail(s->ctx, -EOPNOTSUPP,
			    "the loaded module cannot count control groups; install module and "
			    "command of one version");
	if (s->nr_targets && s->target_kind == PMUCTL_A_SESSION_CGROUP)
		return fail(s->ctx, -EINVAL, "a session has one control group");
	return session_add_target(s, PMUCTL_A_SESSION_CGROUP, (uint32_t)fd);
}

int session_ask(struct pmuctl_session *s, const struct request *req)
{
	if (!s->id)
		return fail(s->ctx, -EINVAL, "the session was not created");
	return talk(s->ctx, req);
}

int session_start(struct pmuctl_session *s)
{
	return command(s, PMUCTL_CMD_SESSION_START);
}

int session_stop(struct pmuctl_session *s)
{
	return command(s, PMUCTL_CMD_SESSION_STOP);
}

int session_reset(struct pmuctl_session *s)
{
	if (s->id && !(s->ctx->info.features & PMUCTL_CAN_RESET))
		return fail(s->ctx, -EOPNOTSUPP,
			    "the loaded module cannot reset counts; install module and command of "
			    "one version");
	return command(s, PMUCTL_CMD_COUNT_RESET);
}

int assignment_of(const struct pmuctl_session *s, const struct session_event *e,
		  struct pmuctl_assignment *assignment)
{
	struct pmuctl_assignment own = { .size = sizeof(own) };

	own.counter = e->counter;
	own.set = e->got_set;
	own.registers = e->programmed;
	own.registers_count = e->nr_programmed;
	return give_sized(s->ctx, assignment, &own, sizeof(own));
}

int session_assignment(const struct pmuctl_session *s, unsigned int event,
		       struct pmuctl_assignment *assignment)
{
	if (event >= s->nr_events || !s->events[event].assigned)
		return fail(s->ctx, -ENOENT, "event %u has no counter", event);
	return assignment_of(s, &s->events[event], assignment);
}

static int cannot_cascade(struct pmuctl_session *s, unsigned int starter, unsigned int started)
{
	const struct pmuctl_info *info;
	int err = info_get(s->ctx, &info);

	if (err)
		return err;
	if (!(info->features & PMUCTL_CAN_CASCADE))
		return fail(s->ctx, -EOPNOTSUPP, "no counter of this CPU starts another (the "
			    "Pentium 4's do)");
	if (starter >= s->nr_events || started >= s->nr_events || starter == started)
		return fail(s->ctx, -EINVAL, "a cascade has two events of the session");
	return 0;
}

int pmuctl_session_cascade(struct pmuctl_session *s, unsigned int starter, uint64_t after,
			   unsigned int started)
{
	int err = session_check_new(s);

	if (!err)
		err = cannot_cascade(s, starter, started);
	if (!err && !after)
		err = fail(s->ctx, -EINVAL, "'%s' starts '%s' after how many? 0 are none",
			   s->events[starter].name, s->events[started].name);
	if (err)
		return err;
	s->events[starter].after = after;
	s->events[started].started_by = starter;
	return 0;
}
