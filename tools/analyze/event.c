// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The event by which pmuctl analyze finds the instructions of a node: the node's own, at the
 * very instruction and with data addresses if that is to be had here, and else what comes
 * next best.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analyze/analyze.h"

/* What counts everywhere. */
#define LAST_RESORT "cycles"

/* What is worth recording of its samples beside where they are. */
static uint64_t contents_of(const char *event)
{
	if (strcasestr(event, "latency"))
		return PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC | PMUCTL_SAMPLE_WEIGHT;
	if (strcasestr(event, "mem_") || strcasestr(event, "load") || strcasestr(event, "store"))
		return PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC;
	return 0;
}

/* Whether it can be sampled; else the reason is pmuctl_error(). */
static int try_sampling(struct analyze *a, const char *text, uint64_t content)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling),
		.period = a->args.period,
		.frequency = (uint32_t)a->args.frequency,
		.content = content,
	};

	return record_try(a->run.c.ctx, text, &sampling);
}

/* 0 with the event chosen; or the error. */
static int try_event(struct analyze *a, const char *name, const char *precise, uint64_t content)
{
	char modifiers[8], *text;
	int err;

	snprintf(modifiers, sizeof(modifiers), "%s%s", a->ring, precise);
	text = kind_event(a->part->kind, name, modifiers);
	err = text ? try_sampling(a, text, content) : -ENOMEM;
	if (err) {
		free(text);
		return err;
	}
	a->event = text;
	a->content = content;
	return 0;
}

static int take_reason(struct analyze *a, char **reason, const char *text)
{
	free(*reason);
	*reason = strdup(text);
	return *reason ? 0 : complain(a->run.c.cmd, EXIT_FAILED, "out of memory");
}

/* By PEBS; without addresses where it is them that stand in the way. */
static int try_precise(struct analyze *a, const char *name)
{
	uint64_t content = contents_of(name);
	int err = try_event(a, name, "pp", content);

	return err && content ? try_event(a, name, "pp", 0) : err;
}

/* Its nearest ancestor that has one. */
static const char *own_event(const struct analyze *a)
{
	const struct pmuctl_topdown_node *node = a->node;

	while (!node->event && node->parent >= 0)
		node = pmuctl_topdown_get_node(a->plan, (size_t)node->parent);
	return node->event;
}

static int try_interrupt(struct analyze *a, const char *name)
{
	int code = take_reason(a, &a->why_not_precise, pmuctl_error(a->run.c.ctx));

	if (code)
		return code;
	if (!try_event(a, name, "", 0))
		return 0;
	if (take_reason(a, &a->why_not_event, pmuctl_error(a->run.c.ctx)))
		return EXIT_FAILED;
	return 0;
}

static int last_resort(struct analyze *a)
{
	int err = try_event(a, LAST_RESORT, "", 0);

	if (!err)
		return 0;
	complain("analyze", 0, "cannot sample: %s", pmuctl_error(a->run.c.ctx));
	diagnose(a->run.c.ctx, err, stderr);
	return EXIT_FAILED;
}

int analyze_choose_event(struct analyze *a)
{
	const char *name = own_event(a), *why = a->node->why_not_event;
	int code = 0;

	if (!name)
		why = "no event is about this node";
	if (why)
		code = take_reason(a, &a->why_not_event, why);
	if (!code && name && try_precise(a, name))
		code = try_interrupt(a, name);
	if (code || a->event)
		return code;
	return last_resort(a);
}
