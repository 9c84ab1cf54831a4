// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of events as -e takes them, and sessions made of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/events.h"
#include "tools/run/context.h"
#include "tools/run/software.h"

/* What the walk over a text carries along. */
struct adding {
	struct pmuctl *ctx;
	const char *cmd;
	struct events *events;
	unsigned int groups;	/* before this text */
};

static struct event *grow(struct events *events)
{
	struct event *grown = reallocarray(events->list, events->count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	events->list = grown;
	memset(&grown[events->count], 0, sizeof(*grown));
	return &grown[events->count++];
}

static int bad_event(struct pmuctl *ctx, const char *cmd, const char *name, int err)
{
	if (err == -ENOENT || err == -EINVAL)
		return complain(cmd, EXIT_USAGE, "event '%s': %s", name, pmuctl_error(ctx));
	complain(cmd, 0, "%s", pmuctl_error(ctx));
	diagnose(ctx, err, stderr);
	return EXIT_FAILED;
}

/* What cpu/name=../ calls it, or what was written, without space around it. */
static int take_name(const struct adding *a, struct event *e)
{
	const struct pmuctl_event_info *info = pmuctl_event_get_info(e->event);
	bool named = !strncmp(info->name, "cpu/", 4) && strstr(info->name, "name=");
	char *name = strdup(named ? info->full_name : info->name);

	if (!name)
		return complain(a->cmd, EXIT_FAILED, "out of memory");
	free(e->name);
	e->name = name;
	return 0;
}

static int bad_software(const struct adding *a, const struct event *e, const char *why)
{
	return complain(a->cmd, EXIT_USAGE, "event '%s': %s", e->name, why);
}

static int take_software(struct adding *a, struct event *e, const struct software_event *found)
{
	e->software = malloc(sizeof(*found));
	if (!e->software || (found->remark && !(e->remark = strdup(found->remark))))
		return complain(a->cmd, EXIT_FAILED, "out of memory");
	*e->software = *found;
	return 0;
}

static int parse(struct adding *a, struct event *e)
{
	struct software_event found;
	char why[512];
	int err = a->events->software ? software_find(e->name, &found, why, sizeof(why)) : -ENOENT;

	if (!err)
		return take_software(a, e, &found);
	if (err == -EINVAL)
		return bad_software(a, e, why);
	err = pmuctl_event_parse(a->ctx, e->name, &e->event);
	if (err == -ENOENT && a->events->software) {
		err = software_find_tracepoint(e->name, &found, why, sizeof(why));
		if (!err)
			return take_software(a, e, &found);
		if (*why)
			return bad_software(a, e, why);
	}
	if (err == -EOPNOTSUPP) {
		e->why_not = strdup(pmuctl_error(a->ctx));
		return e->why_not ? 0 : complain(a->cmd, EXIT_FAILED, "out of memory");
	}
	return err ? bad_event(a->ctx, a->cmd, e->name, err) : take_name(a, e);
}

static int add(void *data, const struct event_part *part)
{
	struct adding *a = data;
	struct event *e = grow(a->events);

	if (!e || asprintf(&e->name, "%.*s%.*s", (int)part->len, part->name,
			   (int)part->modifiers_len, part->modifiers) < 0)
		return complain(a->cmd, EXIT_FAILED, "out of memory");
	if (part->group) {
		e->group = a->groups + part->group;
		e->along = part->leads && e->group == a->events->groups;
		e->leads = part->leads && !e->along;
		a->events->groups = e->group;
	}
	if (part->leads && !a->events->leaders)
		return complain(a->cmd, EXIT_USAGE, "{%s ...}:S: samples of the first event would have "
				"the counts of the others, and this command takes none; leave :S away, "
				"or see `pmuctl record`", e->name);
	return parse(a, e);
}

/* A counter's events begin behind the exec and may take turns, and Linux's do neither. */
static int refuse_mixed_groups(struct pmuctl *ctx, const char *cmd, const struct events *events,
			       size_t from)
{
	size_t i;

	for (i = from + 1; i < events->count; i++) {
		const struct event *a = &events->list[i - 1], *b = &events->list[i];

		if (!b->group || a->group != b->group)
			continue;
		if (a->event && b->event && pmuctl_events_same_kinds(ctx, a->event, b->event))
			return complain(cmd, EXIT_USAGE, "%s", pmuctl_error(ctx));
		if ((a->event && b->software) || (a->software && b->event))
			return complain(cmd, EXIT_USAGE, "'%s' and '%s' in one group: what Linux counts "
					"itself is not counted over the very span of a counter; leave the "
					"braces away, and both are counted in the same run", a->name,
					b->name);
	}
	return 0;
}

int events_add(struct pmuctl *ctx, const char *cmd, const char *text, struct events *events)
{
	struct adding adding = {
		.ctx = ctx, .cmd = cmd, .events = events, .groups = events->groups,
	};
	size_t before = events->count;
	const char *why = NULL;
	int code = event_text_walk(text, add, &adding, &why);

	if (why)
		return complain(cmd, EXIT_USAGE, "'%s': %s", text, why);
	return code ? code : refuse_mixed_groups(ctx, cmd, events, before);
}

static int accept(void *data, const struct event_part *part)
{
	(void)data;
	(void)part;
	return 0;
}

int take_events(const struct option_use *use)
{
	const char *why = NULL;

	event_text_walk(use->text, accept, NULL, &why);
	if (why)
		return complain(use->cmd, EXIT_USAGE, "-e '%s': %s", use->text, why);
	return take_list(use);
}

/* The first Pentium, which without MMX has neither cycles nor mispredictions. */
static bool may_lack_usual(struct pmuctl *ctx)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	return !pmuctl_get_cpu(ctx, &cpu) && !strcmp(cpu.pmu, "p5");
}

int events_add_usual(struct pmuctl *ctx, const char *cmd, struct events *events)
{
	bool tries = may_lack_usual(ctx);
	static const char *const usual[] = {
		"cycles", "instructions", "branches", "branch-misses",
	};
	const char *modifier = user_mode_only(ctx) ? ":u" : "";
	char name[64];
	size_t i;
	int code = 0;

	for (i = 0; !code && i < ARRAY_SIZE(usual); i++) {
		snprintf(name, sizeof(name), "%s%s", usual[i], modifier);
		code = tries ? events_try(ctx, cmd, name, events) :
			       events_add(ctx, cmd, name, events);
	}
	return code;
}

/* The name of one that this one cannot be counted beside; NULL: none. */
static const char *find_clash(const struct events *events, const struct pmuctl_event *event)
{
	const struct pmuctl_event_info *info;
	size_t i;

	for (i = 0; i < events->count; i++) {
		if (!events->list[i].event || !pmuctl_events_clash(events->list[i].event, event))
			continue;
		info = pmuctl_event_get_info(events->list[i].event);
		return info->name;
	}
	return NULL;
}

int events_try(struct pmuctl *ctx, const char *cmd, const char *name, struct events *events)
{
	struct pmuctl_event *event;
	const char *other;
	struct event *e;
	int err = pmuctl_event_parse(ctx, name, &event);

	if (err == -ENOENT || err == -EOPNOTSUPP)
		return 0;
	if (err)
		return bad_event(ctx, cmd, name, err);
	other = find_clash(events, event);
	e = grow(events);
	if (e)
		e->name = strdup(name);
	if (!e || !e->name || (other && asprintf(&e->why_not, "not beside %s on this CPU: count it "
						 "in a run of its own", other) < 0)) {
		pmuctl_event_free(event);
		return complain(cmd, EXIT_FAILED, "out of memory");
	}
	if (other)
		pmuctl_event_free(event);
	else
		e->event = event;
	return 0;
}

bool events_need_session(const struct events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->list[i].event)
			return true;
	return false;
}

int events_unsupported(const struct events *events, const char *cmd)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		if (!events->list[i].event && !events->list[i].software)
			return complain(cmd, EXIT_USAGE, "event '%s': %s", events->list[i].name,
				    events->list[i].why_not);
	return 0;
}

/* *at: the first of a group; behind the last of it afterwards. */
static int add_group(const struct events *events, size_t *at, struct pmuctl_session *session)
{
	struct pmuctl_event **members = calloc(events->count, sizeof(struct pmuctl_event *));
	unsigned int group = events->list[*at].group;
	size_t count = 0;
	int err = members ? 0 : -ENOMEM;

	for (; members && *at < events->count && events->list[*at].group == group; ++*at)
		if (events->list[*at].event)
			members[count++] = events->list[*at].event;
	if (count)
		err = pmuctl_session_add_group(session, members, count);
	free(members);
	return err;
}

/* Those without an event on this CPU have no number in the session. */
static int add_cascades(const struct events *events, struct pmuctl_session *session)
{
	unsigned int number = 0;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < events->count; i++) {
		if (events->list[i].after)
			err = pmuctl_session_cascade(session, number, events->list[i].after,
						     number + 1);
		number += !!events->list[i].event;
	}
	return err;
}

int events_into_session(const struct events *events, struct pmuctl_session *session)
{
	size_t i = 0;
	int err = 0;

	while (!err && i < events->count) {
		if (events->list[i].group) {
			err = add_group(events, &i, session);
		} else {
			if (events->list[i].event)
				err = pmuctl_session_add_event(session, events->list[i].event);
			i++;
		}
	}
	return err ? err : add_cascades(events, session);
}

bool events_fit(struct pmuctl *ctx, const struct events *events)
{
	struct pmuctl_session *session;
	bool fits = false;

	if (pmuctl_session_new(ctx, &session))
		return false;
	if (!events_into_session(events, session))
		fits = pmuctl_session_fits(session) == 1;
	pmuctl_session_free(session);
	return fits;
}

void events_drop(struct events *events, size_t from)
{
	while (events->count > from) {
		struct event *last = &events->list[--events->count];

		pmuctl_event_free(last->event);
		free(last->software);
		free(last->name);
		free(last->why_not);
		free(last->remark);
	}
}

void events_free(struct events *events)
{
	events_drop(events, 0);
	free(events->list);
	events->list = NULL;
}
