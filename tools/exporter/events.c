// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which events are counted: those of options and files, parsed anew with each module, and of
 * Top-Down a plan's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exporter/exporter.h"

static int add_lines(struct counts *c)
{
	const struct exporter_args *args = c->args;
	int code = 0;
	size_t i;

	for (i = 0; !code && i < args->events.count; i++)
		code = event_lines_add(&c->lines, "", args->events.texts[i]);
	if (!code && args->events_file)
		code = event_lines_read(&c->lines, args->events_file);
	return code;
}

/* Their places in c->events become their places in c->names. */
static int add_names(struct counts *c, const char *group)
{
	struct exported_event *grown = reallocarray(c->names, c->events.count + 1, sizeof(*grown));
	size_t i;

	if (!grown)
		return complain("exporter", EXIT_FAILED, "out of memory");
	c->names = grown;
	for (; c->nr_names < c->events.count; c->nr_names++) {
		const char *name = c->events.list[c->nr_names].name;

		for (i = 0; i < c->nr_names; i++)
			if (!strcmp(grown[i].name, name) && !strcmp(grown[i].group, group))
				return complain("exporter", EXIT_USAGE, "event '%s' is there twice%s%s: "
						"it would be one series", name, *group ? ", in group " : "",
						group);
		grown[c->nr_names] = (struct exported_event){
			.name = strdup(name), .group = group,
		};
		if (!grown[c->nr_names].name)
			return complain("exporter", EXIT_FAILED, "out of memory");
	}
	return 0;
}

/* names: they are new, or those that there were before the context was opened anew. */
static int parse_events(struct counts *c, bool names)
{
	bool usual = !c->lines.count && !c->args->topdown;
	int code = usual ? events_add_usual(c->ctx, "exporter", &c->events) : 0;
	size_t i;

	if (!code && usual && names)
		code = add_names(c, "");
	for (i = 0; !code && i < c->lines.count; i++) {
		code = events_add(c->ctx, "exporter", c->lines.list[i].text, &c->events);
		if (!code && names)
			code = add_names(c, c->lines.list[i].group);
	}
	return code ? code : events_unsupported(&c->events, "exporter");
}

static int label_events(struct counts *c)
{
	size_t i, size;

	for (i = 0; i < c->nr_names; i++) {
		struct exported_event *e = &c->names[i];
		FILE *out = open_memstream(&e->labels, &size);
		bool first = true;

		if (!out)
			return complain("exporter", EXIT_FAILED, "out of memory");
		put_label(out, &first, "event", e->name);
		if (*e->group)
			put_label(out, &first, "group", e->group);
		fclose(out);
	}
	return 0;
}

/* All of a plan at once, for seconds that add up. */
static int find_nodes(struct counts *c, unsigned int p)
{
	static const char *const names[CATEGORIES] = {
		"Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound",
	};
	const struct pmuctl_topdown *plan = c->topdown.parts[p].plan;
	size_t i, nodes = plan ? pmuctl_topdown_nodes(plan) : 0;

	if (!plan)
		return complain("exporter", EXIT_FAILED, "--topdown: %s: %s",
				c->topdown.parts[p].kind->name, c->topdown.parts[p].why_not);
	for (i = 0; i < CATEGORIES; i++) {
		c->nodes[p][i] = topdown_node_named(plan, names[i]);
		if (c->nodes[p][i] == nodes || pmuctl_topdown_sets(plan) != 1)
			return complain("exporter", EXIT_FAILED, "--topdown: this processor counts level 1 "
					"in parts, one after the other (%s): not yet",
					pmuctl_topdown_method(plan));
	}
	return 0;
}

/* A control group's tasks may go to any kind of core, and CPUs are all of them. */
static int plan_topdown(struct counts *c)
{
	static const struct targets anybody = { .kind = TARGET_PROCESSES };
	const struct pmuctl_topdown_options options = {
		.size = sizeof(options), .levels = 1, .tasks = c->args->scope == SCOPES,
	};
	unsigned int p;
	int code;

	c->topdown.c = (struct counting){ .cmd = "exporter", .ctx = c->ctx, .targets = &anybody };
	code = topdown_make_plans(&c->topdown, &options);
	for (p = 0; !code && p < c->topdown.nr_parts; p++)
		code = find_nodes(c, p);
	if (!code && topdown_list_turns(&c->topdown))
		code = complain("exporter", EXIT_FAILED, "out of memory");
	c->nr_events += c->topdown.events;
	return code;
}

static uint32_t kinds_of_part(const struct counts *c, size_t i)
{
	uint32_t mask = 0;
	unsigned int p;

	for (p = 0; p < c->topdown.nr_parts; p++)
		if (c->topdown.parts[p].first <= i)
			mask = 1u << c->topdown.parts[p].number;
	return mask;
}

/* An event that all kinds of cores have, if there is one; else events of different kinds. */
static int choose_timed(struct counts *c)
{
	uint32_t mask, all, covered = 0;
	struct kinds kinds;
	size_t i;
	int least;

	c->timed = calloc(c->nr_events + 1, sizeof(*c->timed));
	if (!c->timed)
		return complain("exporter", EXIT_FAILED, "out of memory");
	kinds_find(c->ctx, &kinds);
	all = kinds.count ? (1u << kinds.count) - 1 : 1;
	for (least = 1; least >= 0; least--)
		for (i = 0; i < c->nr_events; i++) {
			mask = !kinds.count ? 1 : i < c->nr_names ?
			       kinds_of_event(&kinds, c->events.list[i].event) :
			       kinds_of_part(c, i - c->nr_names);
			if (mask & covered || (least && mask != all))
				continue;
			c->timed[i] = true;
			covered |= mask;
		}
	return 0;
}

/*
 * Among a thousand machines there are some without a PMU, which is to be seen where the others are.
 * Names of events mean nothing there.
 */
static bool lacks_pmu(struct counts *c)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	c->no_pmu = pmuctl_get_info(c->ctx, &info) && !pmuctl_get_cpu(c->ctx, &cpu) &&
		    !has_pmu(&cpu);
	if (!c->no_pmu)
		return false;
	c->down = (struct down){
		.reason = "machine", .text = "this machine shows no PMU that pmuctl knows",
	};
	complain("exporter", 0, "nothing will be counted: %s", c->down.text);
	diagnose(c->ctx, -ENODEV, stderr);
	return true;
}

/* Without a module what there is is taken from CPUID. */
int counts_open_events(struct counts *c, bool names)
{
	int code = open_context("exporter", c->args->events_dir, &c->ctx);

	if (code) {
		c->ctx = NULL;
		return code;
	}
	if (names && lacks_pmu(c))
		return 0;
	code = parse_events(c, names);
	c->nr_events = c->events.count;
	if (!code && c->args->topdown)
		code = plan_topdown(c);
	return code ? code : choose_timed(c);
}

void counts_close_events(struct counts *c)
{
	free(c->timed);
	c->timed = NULL;
	topdown_run_free(&c->topdown);
	memset(&c->topdown, 0, sizeof(c->topdown));
	events_free(&c->events);
	pmuctl_close(c->ctx);
	c->ctx = NULL;
}

/* For all of what is counted: the events by name, then those of the plans. */
int counts_into_session(struct counts *c, struct pmuctl_session *session)
{
	int err = events_into_session(&c->events, session);

	return err ? err : topdown_add_alone(&c->topdown, session);
}

static int check_fit(struct counts *c)
{
	struct pmuctl_session *session;
	int err = pmuctl_session_new(c->ctx, &session), fits = 1;

	if (!err)
		err = counts_into_session(c, session);
	if (!err)
		fits = pmuctl_session_fits(session);
	pmuctl_session_free(session);
	if (fits)
		return 0;
	return complain("exporter", EXIT_FAILED, "these events do not fit into the counters of this "
			"processor at once, and taking turns they would be estimates: leave some out "
			"(`pmuctl explain EVENT` says which counters each can have)");
}

int counts_open(struct counts *c, const struct exporter_args *args)
{
	int code;

	*c = (struct counts){ .args = args, .places.limit = args->max_series };
	if (args->topdown && args->scope != SCOPES && (args->cgroups.count || args->units.count))
		return complain("exporter", EXIT_USAGE, "--topdown of CPUs and of control groups at once: "
				"not yet; leave out --by");
	code = add_lines(c);
	if (!code)
		code = counts_open_events(c, true);
	if (!code)
		code = label_events(c);
	if (!code && !c->no_pmu)
		code = check_fit(c);
	c->places.events = c->nr_names;
	c->places.topdown = args->topdown;
	if (!code && args->max_series < places_series(&c->places))
		return complain("exporter", EXIT_USAGE, "--max-series %u: one place alone has %zu series "
				"of these events", args->max_series, places_series(&c->places));
	return code;
}
