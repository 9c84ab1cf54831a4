// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which events pmuctl stat counts.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/run/context.h"
#include "tools/stat/stat.h"

/* ---- --cascade -------------------------------------------------------------------------- */

struct cascade {
	const char *starter, *started;
	int starter_len, started_len;
	uint64_t after, wanted;
};

static int bad(const char *text, const char *why)
{
	return complain("stat", EXIT_USAGE, "--cascade '%s': %s; it is A:M,B, for B to count only "
			"after M of A, or A:M,B:N", text, why);
}

/* The comma between the two, none within cpu/.../. */
static const char *find_comma(const char *text)
{
	bool slashes = false;

	for (; *text; text++) {
		if (*text == '/')
			slashes = !slashes;
		else if (*text == ',' && !slashes)
			return text;
	}
	return NULL;
}

/* Takes ":NUMBER" off the end of what lies between; 0 if there is none, -1 if it is too large. */
static int take_number(const char *from, int *len, uint64_t *number)
{
	int at = *len;
	char *end;

	while (at && isdigit((unsigned char)from[at - 1]))
		at--;
	if (at == *len || at < 2 || from[at - 1] != ':')
		return 0;
	errno = 0;
	*number = strtoull(from + at, &end, 10);
	*len = at - 1;
	return errno ? -1 : 1;
}

static int parse(const char *text, struct cascade *c)
{
	const char *comma = find_comma(text);

	if (!comma)
		return bad(text, "there is one event");
	if (find_comma(comma + 1))
		return bad(text, "there are more than two events");
	c->starter = text;
	c->starter_len = (int)(comma - text);
	c->started = comma + 1;
	c->started_len = (int)strlen(comma + 1);
	if (take_number(c->starter, &c->starter_len, &c->after) <= 0 || !c->after)
		return bad(text, "behind the first event is no number of events, from 1 on");
	if (take_number(c->started, &c->started_len, &c->wanted) < 0)
		return bad(text, "the second number is too large");
	if (!c->starter_len || !c->started_len)
		return bad(text, "an event's name is empty");
	return 0;
}

static int add(struct pmuctl *ctx, const struct cascade *c, struct events *events)
{
	size_t before = events->count;
	struct event *e;
	char *group;
	int code;

	if (asprintf(&group, "{%.*s,%.*s}", c->starter_len, c->starter, c->started_len,
		     c->started) < 0)
		return complain("stat", EXIT_FAILED, "out of memory");
	code = events_add(ctx, "stat", group, events);
	free(group);
	if (code)
		return code;
	e = &events->list[before];
	if (events->count != before + 2)
		return complain("stat", EXIT_USAGE, "--cascade: that are not two events");
	if (!e[0].event || !e[1].event) {
		e += !!e[0].event;
		return complain("stat", EXIT_USAGE, "--cascade: event '%s': %s", e->name,
				e->why_not ? e->why_not : "Linux counts it itself: no counter starts it");
	}
	e[0].after = c->after;
	e[1].started = true;
	e[1].wanted = c->wanted;
	e[1].remark = new_text("after %llu of %s", (unsigned long long)c->after, e[0].name);
	return e[1].remark ? 0 : complain("stat", EXIT_FAILED, "out of memory");
}

/* Those of --cascade; 0, or the exit code. */
static int stat_add_cascades(struct pmuctl *ctx, const struct stat_args *args,
			     struct events *events)
{
	struct cascade c = { .after = 0 };
	size_t i;
	int code = 0;

	for (i = 0; !code && i < args->cascades.count; i++) {
		c = (struct cascade){ .after = 0 };
		code = parse(args->cascades.texts[i], &c);
		if (!code)
			code = add(ctx, &c, events);
	}
	return code;
}

/* What each -d adds, as far as the CPU has it. */
static const struct {
	unsigned int detail;
	const char *name;
} details[] = {
	{ 1, "l1d-loads" },
	{ 1, "l1d-load-misses" },
	{ 1, "llc-loads" },
	{ 1, "llc-load-misses" },
	{ 2, "l1i-misses" },
	{ 2, "dtlb-load-misses" },
	{ 2, "dtlb-store-misses" },
	{ 2, "itlb-misses" },
	{ 3, "l1d-stores" },
	{ 3, "cache-references" },
	{ 3, "cache-misses" },
	{ 3, "ref-cycles" },
};

static bool named(const struct stat_args *args)
{
	return args->events.count || args->cascades.count || args->metrics.count || args->null;
}

static int add_details(struct pmuctl *ctx, const struct stat_args *args, struct events *events)
{
	/* Of events that nobody asked for by name. */
	const char *modifier = user_mode_only(ctx) ? ":u" : "";
	char name[64];
	size_t i;
	int code = 0;

	for (i = 0; !code && i < ARRAY_SIZE(details); i++) {
		snprintf(name, sizeof(name), "%s%s", details[i].name, modifier);
		if (details[i].detail <= args->detail)
			code = events_try(ctx, "stat", name, events);
	}
	return code;
}

/* perf's, in its order. */
static int add_usual_software(struct pmuctl *ctx, const struct stat_args *args,
			      struct events *events)
{
	const char *const usual[] = {
		targets_are_tasks(&args->targets) ? "task-clock" : "cpu-clock", "context-switches",
		"cpu-migrations", user_mode_only(ctx) ? "page-faults:u" : "page-faults",
	};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < ARRAY_SIZE(usual); i++)
		code = events_add(ctx, "stat", usual[i], events);
	return code;
}

int stat_add_events(struct pmuctl *ctx, const struct stat_args *args, struct events *events)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < args->events.count; i++)
		code = events_add(ctx, "stat", args->events.texts[i], events);
	if (!code)
		code = stat_add_cascades(ctx, args, events);
	if (!code && !named(args))
		code = add_usual_software(ctx, args, events);
	if (!code && !named(args))
		code = events_add_usual(ctx, "stat", events);
	return code ? code : add_details(ctx, args, events);
}
