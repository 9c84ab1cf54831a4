// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which instructions have the events that matter: a run for each, sampled by PEBS at the very
 * instruction where the event can be, else by interrupt, which tells the function.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/record/record.h"

/*
 * Where events of loads have no address but what registers tell, which is nothing of a load that
 * overwrites its own: the latency of loads has one everywhere.
 */
#define LONG_LOADS "mem-loads:ldlat=8"
#define ALL_LOADS "mem-loads:ldlat=3"
#define ADDRESSES (PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC)

static bool can(struct advise *a, const char *text, double count, uint64_t content)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .period = sampling_period(count, 1), .content = content,
	};

	return !record_try(a->ctx, text, &sampling);
}

static int sample(struct advise *a, unsigned int run, const char *event, const char *precise,
		  double count, uint64_t content)
{
	char *text = event_in_ring(event, a->ring, precise);
	int code = text ? 0 : complain(a->cmd, EXIT_FAILED, "out of memory");

	if (!code && !can(a, text, count, content))
		code = -1;
	if (!code)
		code = advise_sample(a, run, text, count, content);
	free(text);
	return code;
}

static bool gives_address(struct advise *a, const char *name)
{
	struct pmuctl_event *event;
	bool gives;

	if (pmuctl_event_parse(a->ctx, name, &event))
		return false;
	gives = pmuctl_event_get_info(event)->gives_address;
	pmuctl_event_free(event);
	return gives;
}

/* By the event, or by that other one if it alone has addresses.  -1: it cannot be. */
static int sample_addresses(struct advise *a, unsigned int run, const char *event,
			    const char *other, double count)
{
	int code = -1;

	if (!gives_address(a, event))
		code = sample(a, run, other, "pp", count, ADDRESSES);
	return code < 0 ? sample(a, run, event, "pp", count, ADDRESSES) : code;
}

static int find_clue(struct advise *a, enum clue clue)
{
	struct clue_count *c = &a->clues[clue];
	unsigned int run = RUN_CLUES + clue;
	int code = -1;

	c->exact = true;
	if (clue == CLUE_MISSES)
		code = sample_addresses(a, run, c->event, LONG_LOADS, c->count);
	if (code < 0)
		code = sample(a, run, c->event, "pp", c->count, 0);
	if (code >= 0)
		return code;
	c->exact = false;
	code = sample(a, run, c->event, "", c->count, 0);
	if (code >= 0)
		return code;
	c->seen = false;
	c->why_not = strdup(pmuctl_error(a->ctx));
	return c->why_not ? 0 : complain(a->cmd, EXIT_FAILED, "out of memory");
}

int advise_find_clues(struct advise *a)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < CLUES; i++)
		if (a->clues[i].seen)
			code = find_clue(a, (enum clue)i);
	/* Fields of records are read where they hit as well. */
	if (!code && a->clues[CLUE_MISSES].seen)
		code = sample_addresses(a, RUN_LOADS, "l1d-loads", ALL_LOADS, a->instructions / 4);
	if (code <= 0 && a->clues[CLUE_MISPREDICTIONS].seen)
		code = advise_measure_misprediction(a);
	return code > 0 ? code : 0;
}
