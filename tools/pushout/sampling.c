// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run of a command whose samples are kept in memory.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/pushout/sampling.h"
#include "tools/record/record.h"
#include "tools/run/context.h"
#include "tools/run/signals.h"

/* With a shorter one the buffer has no room for what comes meanwhile: each record drains it. */
#define PERIOD_LEAST	101

uint64_t sampling_period(double events, double samples)
{
	uint64_t period = samples > 0 ? (uint64_t)(events / samples) | 1 : 1;

	while (period % 3 == 0 || period % 5 == 0 || period % 7 == 0)
		period += 2;
	return period > PERIOD_LEAST ? period : PERIOD_LEAST;
}

/* Of what the module takes a second: a run has moments with more events than others. */
#define RATE_SHARE	0.5

double sampling_most(struct pmuctl *ctx, double seconds)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	if (seconds <= 0 || pmuctl_get_info(ctx, &info))
		return INFINITY;
	return RATE_SHARE * info.rate_max * seconds;
}

/* What record wants of them. */
struct lists {
	const char **texts;
	uint64_t *periods;
	size_t sampled;
};

static int make_lists(const struct sampling *s, struct lists *to)
{
	size_t i;

	to->texts = calloc(s->count, sizeof(*to->texts));
	to->periods = calloc(s->count, sizeof(*to->periods));
	if (!to->texts || !to->periods)
		return complain(s->cmd, EXIT_FAILED, "out of memory");
	for (i = 0; i < s->count; i++) {
		to->texts[i] = s->events[i].text;
		to->periods[i] = s->events[i].period;
		to->sampled += !!s->events[i].period;
	}
	return 0;
}

/* Whoever fails does something else than was to be run. */
static int check_end(const struct sampling *s, const struct side *side, const struct record *r)
{
	if (signals_seen())
		return complain(s->cmd, EXIT_FAILED, "ended by a signal before '%s' had ended: there is "
				"nothing to be told of a part of it", side->command[0]);
	if (!r->child.status)
		return 0;
	return complain(s->cmd, EXIT_FAILED, "'%s' failed, and what fails is not measured; run it by sh "
			"-c '...; true' if that is no failure", side->command[0]);
}

static void take_ledger(struct sampling *s, const struct record *r)
{
	size_t i;

	for (i = 0; i < s->count && i < r->nr_ledger; i++) {
		s->events[i].total = r->ledger[i].count;
		s->events[i].samples = r->ledger[i].written;
		s->events[i].lost = r->ledger[i].lost + r->ledger[i].throttled;
	}
	s->flags = r->flags;
}

static int read_back(struct sampling *s, const char *path)
{
	int err = pmuctl_data_open(s->ctx, path, &s->data);

	return err ? complain(s->cmd, EXIT_FAILED, "cannot read the samples: %s",
			      err == -ENOMEM ? "out of memory" : pmuctl_error(s->ctx)) : 0;
}

int sampling_run(struct sampling *s, const struct side *side, const struct pair_args *args)
{
	struct record r = { .cmd = s->cmd, .ctx = s->ctx };
	struct lists lists = { .sampled = 0 };
	struct pmuctl_hold *hold = NULL;
	char path[MEMORY_FILE_PATH];
	int code;

	s->file = -1;
	code = make_lists(s, &lists);
	r.args = (struct record_args){
		.targets.kind = TARGET_COMMAND, .quiet = true, .output = path,
		.command = side->command, .argv = side->command, .content = s->content,
		.random_bits = s->random_bits,
		.periods = lists.periods,
		.events = { lists.texts, lists.sampled },
	};
	if (!code)
		r.args.counted = (struct option_list){ lists.texts + lists.sampled,
						       s->count - lists.sampled };
	if (!code)
		code = (s->file = memory_file(s->cmd, path)) < 0 ? EXIT_FAILED : 0;
	if (!code)
		code = side_fork(s->cmd, side, &args->cpu, -1, &r.child);
	if (!code)
		code = side_hold(s->cmd, s->ctx, side, args, &hold);
	if (!code)
		code = record_run(&r);
	features_release(s->cmd, s->ctx, hold);
	if (!code)
		code = check_end(s, side, &r);
	if (!code)
		take_ledger(s, &r);
	if (!code)
		code = read_back(s, path);
	record_free(&r);
	free(lists.texts);
	free(lists.periods);
	return code;
}

void sampling_close(struct sampling *s)
{
	if (s->data)
		pmuctl_data_close(s->data);
	s->data = NULL;
	if (s->file >= 0)
		close(s->file);
	s->file = -1;
}
