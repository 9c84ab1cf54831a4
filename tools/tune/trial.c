// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runs of pmuctl tune: rounds of pairs, in which a setting of features is held all the time, or
 * while the program is in the phase that is tuned.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/talk/phase.h"
#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/run/kinds.h"
#include "tools/run/phases.h"
#include "tools/run/signals.h"
#include "tools/tune/tune.h"

/* What a run had in the phase that is tuned. */
struct phase_run {
	unsigned int depth;		/* processes that are in it */
	uint64_t begins;		/* how often one was */
	double cycles, seconds, joules;	/* that are over */
	double at_cycles;		/* when the one that goes on began */
	uint64_t at_ns;
};

enum { AT_COST, AT_ENERGY, ROWS };

/* Settings beside the first of them, by turns. */
struct round {
	const char **texts;
	size_t count;
	struct mode *modes;
	struct pair_args args;
	struct pair_set set;
	struct pairs pairs;
	struct row rows[ROWS];		/* without names: print.c has its own words */
	struct results results;
};

struct trial {
	const struct tune_args *args;
	struct pmuctl *ctx;
	struct phases *phases;
	struct energy *meter;		/* of the phase; NULL: no phase, or no rule */
	char marked[256];		/* other phases that were seen */
	struct round *round;		/* that goes on */
	/* Of a run: */
	size_t setting;			/* of the round's texts */
	struct phase_run phase;
	struct pmuctl_hold *hold;	/* in the phase */
	int failed;			/* the exit code that a phase ended with */
};

static int no_memory(void)
{
	return complain("tune", EXIT_FAILED, "out of memory");
}

/* ---- what is tried -------------------------------------------------------------------------- */

struct candidates {
	char **texts;
	size_t count;
	const char *cores;		/* of this kind alone; NULL: of any */
};

/* What several kinds of cores have comes once for each, and is one candidate. */
static bool is_candidate(const struct candidates *c, const struct pmuctl_feature_info *f)
{
	size_t i, length = strlen(f->name);

	if (f->level > 2 || f->why_not || (c->cores && f->cores && strcmp(c->cores, f->cores) != 0))
		return false;
	for (i = 0; i < c->count; i++)
		if (!strncmp(c->texts[i], f->name, length) && c->texts[i][length] == '=')
			return false;
	return true;
}

/* A feature that is on is tried off, and one that is off on. */
static int add_feature(void *data, const struct pmuctl_feature_info *f)
{
	struct candidates *c = data;
	char **grown;
	bool is_off = f->places_count && f->places[0].known && f->places[0].now == f->off;

	if (!is_candidate(c, f))
		return 0;
	grown = reallocarray(c->texts, c->count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	c->texts = grown;
	grown[c->count] = new_text("%s=%s", f->name, is_off ? "on" : "off");
	if (!grown[c->count])
		return -ENOMEM;
	c->count++;
	return 0;
}

static int add_tries(const struct option_list *tries, struct candidates *c)
{
	size_t i;

	c->texts = calloc(tries->count, sizeof(*c->texts));
	for (i = 0; c->texts && i < tries->count; i++) {
		c->texts[i] = strdup(tries->texts[i]);
		if (!c->texts[i])
			return -ENOMEM;
		c->count++;
	}
	return c->texts ? 0 : -ENOMEM;
}

static int find_candidates(const struct trial *t, struct candidates *c)
{
	const struct mode *cpu = &t->args->runs.cpu;
	struct kinds kinds;
	unsigned int kind;
	int code, err;

	if (t->args->tries.count)
		return add_tries(&t->args->tries, c) ? no_memory() : 0;
	code = features_any("tune", t->ctx, "tried");
	if (code)
		return code;
	kinds_find(t->ctx, &kinds);
	kind = cpu->nr_cpus ? kind_of_cpu(&kinds, cpu->cpus[0]) : kinds.count;
	c->cores = kind < kinds.count ? kinds.list[kind].name : NULL;
	err = pmuctl_list_features(t->ctx, add_feature, c);
	if (err == -ENOMEM)
		return no_memory();
	return err ? complain("tune", EXIT_FAILED, "%s", pmuctl_error(t->ctx)) : 0;
}

static void free_candidates(struct candidates *c)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		free(c->texts[i]);
	free(c->texts);
}

/* ---- the phase ------------------------------------------------------------------------------ */

static int take_cycles(void *data, const struct pmuctl_value *v)
{
	if (!v->event)
		*(double *)data = (double)v->value;
	return 0;
}

static double cycles_now(const struct trial *t)
{
	double cycles = 0;

	pmuctl_session_read(t->round->pairs.c.session, take_cycles, &cycles);
	return cycles;
}

static void release(struct trial *t)
{
	features_release("tune", t->ctx, t->hold);
	t->hold = NULL;
}

static int enter(struct trial *t)
{
	const struct mode *cpu = &t->args->runs.cpu;
	const char **text = &t->round->texts[t->setting];
	struct option_list features = { text, **text != '\0' };

	t->phase.begins++;
	if (t->phase.depth++)
		return 0;
	t->failed = features_hold("tune", t->ctx, &features, NULL, cpu->cpus, cpu->nr_cpus,
				  &t->hold);
	if (t->meter)
		energy_begin(t->meter);
	t->phase.at_cycles = cycles_now(t);
	t->phase.at_ns = now_ns();
	return t->failed ? -EBUSY : 0;
}

static void leave(struct trial *t, double cycles)
{
	double joules = 0;

	if (--t->phase.depth)
		return;
	if (t->meter && energy_end(t->meter, &joules))
		t->failed = complain("tune", EXIT_FAILED, "--energy: cannot read the counters of energy");
	t->phase.joules += joules;
	t->phase.seconds += (double)(now_ns() - t->phase.at_ns) / 1e9;
	t->phase.cycles += cycles - t->phase.at_cycles;
	release(t);
}

/* Names of others are remembered for who misspelled his. */
static void note_name(struct trial *t, const char *name)
{
	size_t at = strlen(t->marked);

	if (!strstr(t->marked, name))
		snprintf(t->marked + at, sizeof(t->marked) - at, "%s%s", at ? ", " : "", name);
}

static int change_phase(void *data, pid_t pid, const char *name, bool begins)
{
	struct trial *t = data;

	(void)pid;
	/* What a run left behind tells of phases when nothing is counted: they are nobody's. */
	if (!t->round || !t->round->pairs.c.session)
		return 0;
	if (strcmp(name, t->args->phase) != 0) {
		note_name(t, name);
		return 0;
	}
	if (begins)
		return enter(t);
	if (t->phase.depth)
		leave(t, cycles_now(t));
	return 0;
}

static int serve_phases(void *data)
{
	struct trial *t = ((struct pairs *)data)->data;
	int err = phases_serve(t->phases);

	if (err)
		return complain("tune", EXIT_FAILED, "phases: %s", strerror(-err));
	return t->failed;
}

/* Of the phase alone: that of whole runs is measured with them. */
static int open_meter(struct trial *t)
{
	char why[512];

	if (!t->args->rule.given || !energy_open(&t->meter, why, sizeof(why)))
		return 0;
	return complain("tune", EXIT_FAILED, "--energy: %s", why);
}

static int open_phases(struct trial *t)
{
	const struct phases_user user = { .change = change_phase, .data = t };
	char path[64];
	int err;

	if (!t->args->phase)
		return 0;
	if (open_meter(t))
		return EXIT_FAILED;
	snprintf(path, sizeof(path), "@pmuctl-tune-%d", (int)getpid());
	err = phases_open(path, &user, &t->phases);
	if (!err && setenv(PHASE_VARIABLE, path, 1))
		err = -errno;
	return err ? complain("tune", EXIT_FAILED, "cannot hear of phases: %s", strerror(-err)) : 0;
}

static int missing_phase(const struct trial *t)
{
	if (!*t->marked)
		return complain("tune", EXIT_FAILED, "phase '%s': the program marked none at all; it "
				"does so by pmuctl_phase_begin() of libpmuctl", t->args->phase);
	return complain("tune", EXIT_FAILED, "phase '%s': the program marked none of that name, but %s",
			t->args->phase, t->marked);
}

/* ---- a run ---------------------------------------------------------------------------------- */

static int begin_run(void *data, size_t contest, unsigned int side)
{
	struct trial *t = data;

	/* One that was killed in its phase hangs up late. */
	release(t);
	t->phase.depth = 0;
	if (t->phases && phases_serve(t->phases))
		return complain("tune", EXIT_FAILED, "phases cannot be heard of any more");
	if (t->phases && t->round->pairs.runs && !t->phase.begins)
		return missing_phase(t);
	t->phase = (struct phase_run){ .depth = 0 };
	t->setting = side ? contest + 1 : 0;
	return 0;
}

/* One that ended in its phase was in it to the end. */
static void end_phase(struct trial *t, const struct pair_run *run)
{
	if (t->phase.depth) {
		t->phase.depth = 1;
		leave(t, run->counted[0].value);
	}
}

static int take_run(void *data, const struct pair_run *run)
{
	struct trial *t = data;
	struct reading *to = results_of(&t->round->results, run->contest, run->pair, run->side);
	bool time = tune_by(t->args) == BY_TIME;

	to[AT_COST] = run->counted[0];
	if (time)
		to[AT_COST] = (struct reading){ .value = run->seconds };
	if (t->args->rule.given)
		to[AT_ENERGY] = (struct reading){ .value = run->joules };
	if (!t->phases)
		return 0;
	end_phase(t, run);
	to[AT_COST].value = time ? t->phase.seconds : t->phase.cycles;
	if (t->meter)
		to[AT_ENERGY].value = t->phase.joules;
	if (!t->phase.begins)
		return missing_phase(t);
	return t->failed;
}

/* ---- a round -------------------------------------------------------------------------------- */

/* In a phase it is not the run that has the features. */
static int make_modes(const struct trial *t, struct round *r)
{
	size_t i;

	r->modes = calloc(r->count, sizeof(*r->modes));
	for (i = 0; r->modes && i < r->count; i++)
		r->modes[i] = (struct mode){
			.name = (char *)r->texts[i],
			.features = { &r->texts[i], *r->texts[i] && !t->phases },
		};
	r->args = t->args->runs;
	r->args.modes = r->modes;
	r->args.nr_modes = r->count;
	return r->modes ? 0 : no_memory();
}

static void make_pairs(struct trial *t, struct round *r)
{
	r->pairs = (struct pairs){
		.cmd = "tune", .what_fails = "tuned", .args = &r->args, .ctx = t->ctx,
		.sets = &r->set, .nr_sets = 1, .begin = begin_run, .take = take_run, .data = t,
		.energy = t->args->rule.given && !t->phases,
	};
	pairs_init(&r->pairs);
	if (t->phases) {
		r->pairs.c.fd = phases_fd(t->phases);
		r->pairs.c.ready = serve_phases;
	}
}

static int make_results(const struct trial *t, struct round *r)
{
	struct results *results = &r->results;
	size_t least;

	results->rows = r->rows;
	results->nr_rows = t->args->rule.given ? ROWS : 1;
	results->contests = r->pairs.contests;
	results->nr_contests = r->pairs.nr_contests;
	least = signed_rank_least(results_comparisons(results), ERROR_MOST);
	r->pairs.room = r->args.pairs ? r->args.pairs : least > PAIRS_USUAL ? least : PAIRS_USUAL;
	if (r->pairs.room < least)
		return complain("tune", EXIT_USAGE, "%zu pairs are the least for %zu comparisons "
				"(-r %zu)", least, results_comparisons(results), least);
	return results_make(results, r->pairs.room) ? no_memory() : 0;
}

static int count_cycles(const struct trial *t, struct round *r)
{
	int code = events_add(t->ctx, "tune", "cycles", &r->set.events);

	if (!code)
		code = events_unsupported(&r->set.events, "tune");
	return code ? code : pair_set_watch(&r->pairs, &r->set);
}

static int run_round(struct trial *t, struct round *r)
{
	int code = make_modes(t, r);

	make_pairs(t, r);
	t->round = r;
	if (!code)
		code = pairs_make_contests(&r->pairs);
	if (!code)
		code = make_results(t, r);
	if (!code)
		code = pairs_open_energy(&r->pairs);
	if (!code)
		code = count_cycles(t, r);
	if (!code)
		code = pairs_run(&r->pairs);
	if (!code && signals_seen())
		code = complain("tune", EXIT_FAILED, "ended by a signal: nothing is kept");
	release(t);
	t->round = NULL;
	r->results.pairs = r->pairs.done;
	if (!code)
		pairs_warn(&r->pairs);
	return code || !results_judge(&r->results) ? code : no_memory();
}

/* For the chooser. */
static int measure(void *data, const char *base, const char *const *settings, size_t count,
		   struct tried *tried)
{
	struct round r = { .count = count + 1, .texts = calloc(count + 1, sizeof(*r.texts)) };
	size_t i;
	int code;

	if (!r.texts)
		return no_memory();
	r.texts[0] = base;
	memcpy(r.texts + 1, settings, count * sizeof(*r.texts));
	code = run_round(data, &r);
	for (i = 0; !code && i < count; i++)
		tried[i] = (struct tried){
			.cost = *results_cell(&r.results, i, AT_COST), .pairs = r.results.pairs,
		};
	for (i = 0; !code && i < count && r.results.nr_rows > AT_ENERGY; i++)
		tried[i].energy = *results_cell(&r.results, i, AT_ENERGY);
	pairs_free(&r.pairs);
	results_free(&r.results);
	free(r.modes);
	free(r.texts);
	return code;
}

int tune_try(const struct tune_args *args, struct choice *choice)
{
	struct trial t = { .args = args };
	struct candidates c = { .count = 0 };
	struct chooser chooser = { .rule = &args->rule, .measure = measure, .data = &t };
	int code = open_context("tune", NULL, &t.ctx);

	if (!code)
		code = find_candidates(&t, &c);
	if (!code)
		code = open_phases(&t);
	chooser.features = (const char *const *)c.texts;
	chooser.count = c.count;
	if (!code)
		code = choose(&chooser, choice);
	phases_close(t.phases);
	energy_close(t.meter);
	free_candidates(&c);
	pmuctl_close(t.ctx);
	return code;
}
