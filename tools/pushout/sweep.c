// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts above thresholds: a processor has one register for them, so that each threshold has runs
 * of its own, which take turns.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/statistics.h"
#include "tools/base/base.h"
#include "tools/pushout/pushout.h"
#include "tools/run/signals.h"

/* Loads are counted where they would be recorded: never, by so long a period. */
#define NEVER ((1ull << 31) - 1)

/* ---- events --------------------------------------------------------------------------------- */

enum { OF_STEP, OF_INSTRUCTIONS };

static int add_event(struct sweep *s, const char *name, const char *ring, struct pair_set *set)
{
	char text[96];

	snprintf(text, sizeof(text), "%s%s%s", name, *ring ? ":" : "", ring);
	return events_add(s->pairs.ctx, s->pairs.cmd, text, &set->events);
}

static int make_never(struct sweep *s, struct pmuctl_event *event)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .period = NEVER, .precise = 1,
	};

	if (!pmuctl_event_sample(event, &sampling))
		return 0;
	return complain(s->pairs.cmd, EXIT_FAILED, "%s", pmuctl_error(s->pairs.ctx));
}

static int make_set(struct sweep *s, const struct pushout_here *here, enum pushout_way way,
		    const char *ring, size_t i)
{
	struct pair_set *set = &s->pairs.sets[i];
	char name[80];
	int code;

	snprintf(name, sizeof(name), way == WAY_LOADS ? here->loads : here->front_end,
		 (unsigned long long)s->steps[i].threshold);
	code = add_event(s, name, ring, set);
	if (!code && way == WAY_LOADS)
		code = make_never(s, set->events.list[OF_STEP].event);
	if (!code)
		code = add_event(s, "instructions", ring, set);
	/* Nothing of it is the clock's. */
	set->cycles = set->ref_cycles = set->events.count;
	return code;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static int take(void *data, const struct pair_run *run)
{
	struct sweep *s = data;

	if (run->counted[OF_STEP].why_not || run->counted[OF_INSTRUCTIONS].why_not)
		return complain(s->pairs.cmd, EXIT_FAILED, "a run was not counted: somebody else has the "
				"counters");
	moments_add(&s->counts[run->set], run->counted[OF_STEP].value);
	s->instructions = run->counted[OF_INSTRUCTIONS].value;
	return 0;
}

static double half_interval(const struct moments *m)
{
	return m->n < 2 ? -1 : student_quantile(GAP_LEVEL, m->n - 1) * moments_error(m);
}

static void judge(struct sweep *s)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		const struct moments *m = &s->counts[i], *next = &s->counts[i + 1];
		double a = moments_error(m), b = i + 1 < s->count ? moments_error(next) : 0;

		s->steps[i].mean = m->mean;
		s->steps[i].error = half_interval(m);
		s->steps[i].between = m->mean - (i + 1 < s->count ? next->mean : 0);
		s->steps[i].between_error = m->n < 2 ? -1 :
			student_quantile(GAP_LEVEL, m->n - 1) * square_root(a * a + b * b);
	}
}

/* Two of each at least, or there is no error; both sides of a pair are the same. */
#define RUNS_USUAL 3

static int make_room(struct sweep *s, const struct thresholds *t)
{
	size_t i;

	s->count = t->count;
	s->steps = calloc(s->count, sizeof(*s->steps));
	s->counts = calloc(s->count + 1, sizeof(*s->counts));
	s->pairs.sets = calloc(s->count, sizeof(*s->pairs.sets));
	if (!s->steps || !s->counts || !s->pairs.sets)
		return complain(s->pairs.cmd, EXIT_FAILED, "out of memory");
	s->pairs.nr_sets = s->count;
	for (i = 0; i < s->count; i++)
		s->steps[i].threshold = t->cycles[i];
	return 0;
}

int sweep_run(struct sweep *s, struct pmuctl *ctx, const struct pushout_here *here,
	      const struct pushout_args *args, enum pushout_way way, const char *ring)
{
	size_t i;
	int code;

	s->pairs = (struct pairs){
		.cmd = "pushout", .what_fails = "measured", .ctx = ctx,
		.args = (struct pair_args *)&args->runs, .take = take, .data = s,
	};
	pairs_init(&s->pairs);
	code = make_room(s, &args->over);
	for (i = 0; !code && i < s->count; i++)
		code = make_set(s, here, way, ring, i);
	if (!code)
		code = pairs_make_contests(&s->pairs);
	s->pairs.room = (args->runs.pairs ? args->runs.pairs : RUNS_USUAL) * s->count;
	if (!code)
		code = pairs_run(&s->pairs);
	if (!code && s->pairs.done < s->count)
		code = complain("pushout", EXIT_FAILED, "ended by a signal before each threshold had had "
				"its turn");
	if (!code)
		judge(s);
	return code;
}

void sweep_free(struct sweep *s)
{
	pairs_free(&s->pairs);
	free(s->pairs.sets);
	free(s->steps);
	free(s->counts);
}
