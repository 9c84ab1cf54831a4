// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is known of costs on this processor, and what a user knows better.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/cost/figures.h"

/* ---- EVENT=N -------------------------------------------------------------------------------- */

/* The last '=': a code has some of its own.  Returns whether it is a number of cycles. */
static bool split(const char *text, size_t *len, double *cycles)
{
	const char *equals = strrchr(text, '=');
	char *end;

	if (!equals || equals == text || equals[1] < '0' || equals[1] > '9')
		return false;
	*len = (size_t)(equals - text);
	*cycles = strtod(equals + 1, &end);
	return !*end && *cycles > 0 && *cycles <= 1e9;
}

int take_figure(const struct option_use *use)
{
	double cycles;
	size_t len;

	if (!split(use->text, &len, &cycles))
		return complain(use->cmd, EXIT_USAGE, "--analytic '%s': it is EVENT=CYCLES, like "
				"branch-misses=20, with cycles above 0 and up to 1000000000", use->text);
	return take_list(use);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static struct cost_figure *grow(struct cost_figures *figures)
{
	struct cost_figure *grown = reallocarray(figures->list, figures->count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	figures->list = grown;
	memset(&grown[figures->count], 0, sizeof(*grown));
	return &grown[figures->count++];
}

static int add(void *data, const struct pmuctl_cost *cost)
{
	struct cost_figure *row = grow(data);

	if (!row)
		return -ENOMEM;
	row->cost = *cost;
	return 0;
}

const struct cost_figure *figures_named(const struct cost_figures *figures, const char *name,
					size_t len)
{
	size_t i;

	for (i = 0; i < figures->count; i++)
		if (strlen(figures->list[i].cost.name) == len &&
		    !strncasecmp(figures->list[i].cost.name, name, len))
			return &figures->list[i];
	return NULL;
}

/* Returns whether both count the same, in whichever ring. */
static bool same_registers(const struct pmuctl_event_info *a, const struct pmuctl_event_info *b)
{
	size_t i;

	if (a->registers_count != b->registers_count || !a->registers_count)
		return false;
	for (i = 0; i < a->registers_count; i++)
		if (a->registers[i].kind != b->registers[i].kind ||
		    a->registers[i].index != b->registers[i].index ||
		    a->registers[i].value != b->registers[i].value)
			return false;
	return true;
}

/* Returns the event in the rings of the other one; NULL: it is none of this CPU. */
static struct pmuctl_event *parse_as(struct pmuctl *ctx, const char *name,
				     const struct pmuctl_event_info *as)
{
	struct pmuctl_event *event = NULL;
	char *text;

	if (asprintf(&text, "%s%s", name, as->user == as->kernel ? "" : as->user ? ":u" : ":k") < 0)
		return NULL;
	if (pmuctl_event_parse(ctx, text, &event))
		event = NULL;
	free(text);
	return event;
}

const struct cost_figure *figures_of_event(struct pmuctl *ctx, const struct cost_figures *figures,
					   const struct pmuctl_event *event)
{
	const struct pmuctl_event_info *info = pmuctl_event_get_info(event);
	struct pmuctl_event *other;
	bool same = false;
	size_t i;

	for (i = 0; i < figures->count; i++) {
		other = parse_as(ctx, figures->list[i].cost.event, info);
		same = other && same_registers(info, pmuctl_event_get_info(other));
		pmuctl_event_free(other);
		if (same)
			return &figures->list[i];
	}
	return NULL;
}

/* ---- the user's ----------------------------------------------------------------------------- */

static int bad_event(struct pmuctl *ctx, const char *cmd, const char *text)
{
	return complain(cmd, EXIT_USAGE, "--analytic '%s': %s", text, pmuctl_error(ctx));
}

/* Returns the row of this name or event, or a new one; NULL: no memory, or the event is none. */
static struct cost_figure *row_of(struct pmuctl *ctx, struct cost_figures *figures,
				  const char *name, bool *is_event)
{
	const struct cost_figure *row = figures_named(figures, name, strlen(name));
	struct pmuctl_event *event = NULL;
	struct cost_figure *new;

	*is_event = true;
	if (!row && pmuctl_event_parse(ctx, name, &event)) {
		*is_event = false;
		return NULL;
	}
	if (!row)
		row = figures_of_event(ctx, figures, event);
	pmuctl_event_free(event);
	if (row)
		return &figures->list[row - figures->list];
	new = grow(figures);
	if (new)
		new->cost = (struct pmuctl_cost){
			.name = name, .event = name, .text = name,
			.why_not = "nothing is known of what it is on this processor",
		};
	return new;
}

static int take_given(struct pmuctl *ctx, const char *cmd, const char *text,
		      struct cost_figures *figures)
{
	struct cost_figure *row;
	double cycles = 0;
	size_t len = 0;
	bool is_event;
	char *name;

	split(text, &len, &cycles);
	name = strndup(text, len);
	row = name ? row_of(ctx, figures, name, &is_event) : NULL;
	if (name && !row && !is_event) {
		free(name);
		return bad_event(ctx, cmd, text);
	}
	if (!row) {
		free(name);
		return complain(cmd, EXIT_FAILED, "out of memory");
	}
	/* A row that was there has a name of its own; a new one keeps ours to the end. */
	if (row->cost.name == name)
		row->own = name;
	else
		free(name);
	row->cost.cycles = cycles;
	row->cost.source = COST_GIVEN;
	row->given = true;
	return 0;
}

int figures_read(struct pmuctl *ctx, const char *cmd, const struct option_list *given,
		 struct cost_figures *figures)
{
	int err = pmuctl_list_costs(ctx, add, figures), code = 0;
	size_t i;

	if (err == -EOPNOTSUPP) {
		snprintf(figures->why_not, sizeof(figures->why_not), "%s", pmuctl_error(ctx));
	} else if (err) {
		complain(cmd, 0, "%s", err == -ENOMEM ? "out of memory" : pmuctl_error(ctx));
		if (err != -ENOMEM)
			diagnose(ctx, err, stderr);
		return EXIT_FAILED;
	}
	for (i = 0; !code && i < given->count; i++)
		code = take_given(ctx, cmd, given->texts[i], figures);
	return code;
}

void figures_free(struct cost_figures *figures)
{
	size_t i;

	for (i = 0; i < figures->count; i++)
		free(figures->list[i].own);
	free(figures->list);
}
