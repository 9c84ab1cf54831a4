// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat: count events while a command runs, or of what runs already.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/run/features.h"
#include "tools/run/watchdog.h"
#include "tools/stat/run.h"

/* ---- -I --------------------------------------------------------------------------------- */

static void set_times(struct run *r, uint64_t now)
{
	r->result.time = (double)(now - r->c.start_ns) / 1e9;
	r->result.elapsed = r->c.began_ns ? (double)(now - r->c.printed_ns) / 1e9 : 0;
	r->result.has_usage = false;
	r->c.printed_ns = now;
}

/* Text that nobody takes would only grow; the last interval waits for who reads it. */
static bool is_held_up(struct run *r)
{
	bool words = printing_push(&r->words);

	return (printing_push(&r->to) || words) && !r->c.stop_ns;
}

static int stat_interval(void *run)
{
	struct run *r = run;
	uint64_t now = r->c.stop_ns ? r->c.stop_ns : now_ns();
	int code;

	if (is_held_up(r)) {
		r->c.missed++;
		return 0;
	}
	code = stat_read(r);
	if (!code)
		code = stat_open_writer(r);
	if (code)
		return code;
	if (r->args.verbose)
		stat_print_values(r);
	set_times(r, now);
	r->result.missed = r->c.missed - r->missed_said;
	r->missed_said = r->c.missed;
	stat_take_counts(r, r->before);
	stat_print_interval(r->to.w, &r->result);
	memcpy(r->before, r->values, r->lines * sizeof(*r->values));
	/* Who watches a pipe or a file wants it now. */
	printing_push(&r->words);
	printing_push(&r->to);
	return 0;
}

static int out_of_memory(void)
{
	return complain("stat", EXIT_FAILED, "out of memory");
}

/* With -A, of an event that the CPU's kind does not have. */
static void find_elsewhere(const struct run *r, struct stat_count *c)
{
	unsigned int kind;

	if (!r->args.per_cpu || c->cpu < 0 || !c->kinds)
		return;
	kind = kind_of_cpu(&r->result.kinds, (unsigned int)c->cpu);
	if (kind == r->result.kinds.count || c->kinds & 1u << kind)
		return;
	c->elsewhere = true;
	c->supported = false;
	c->why_not = "it is not an event of this kind of core";
}

static void init_line(struct run *r, size_t line, const struct event *e, size_t place)
{
	r->counts[line].event = e;
	stat_set_place(&r->args, place, &r->counts[line]);
	r->counts[line].supported = e->event || e->software;
	r->counts[line].why_not = e->why_not;
	r->counts[line].kinds = e->event ? kinds_of_event(&r->result.kinds, e->event) : 0;
	find_elsewhere(r, &r->counts[line]);
}

/* A copy of each, which is of one kind. */
static void init_parts(struct run *r)
{
	struct stat_count *part;
	unsigned int k;
	size_t i;

	for (i = 0; r->parts && i < r->result.count; i++)
		for (k = 0; k < r->result.kinds.count; k++) {
			part = stat_part(&r->result, &r->counts[i], k);
			*part = r->counts[i];
			part->part = 1u << k;
		}
}

static void free_counts(struct run *r)
{
	free(r->counts);
	free(r->values);
	free(r->before);
	stat_columns_free(r->columns);
	r->counts = NULL;
	r->values = r->before = NULL;
	r->columns = NULL;
}

/* A table without columns is none. */
static int init_columns(struct run *r)
{
	if (!r->args.metric_only)
		return 0;
	r->columns = stat_columns_new(&r->result);
	r->result.columns = r->columns;
	if (!r->columns)
		return out_of_memory();
	if (!stat_columns_are_none(r->columns))
		return 0;
	return complain("stat", EXIT_USAGE, "--metric-only: nothing follows from these events by "
			"themselves; add a clock, or the event that they are a share of, or metrics "
			"with -M");
}

static int init_counts(struct run *r)
{
	size_t i, j, line = 0, each, whole;
	int code = stat_find_places(&r->args);

	if (!code)
		code = stat_metrics_room(&r->args, &r->metrics);
	if (code)
		return code;
	free_counts(r);
	each = stat_args_cpus(&r->args);
	r->c.threads = r->args.places.tids;
	r->c.nr_parts = r->args.places.of_cpu ? 0 : r->args.places.count;
	whole = r->events.count * each;
	r->parts = r->result.kinds.count && !r->args.per_cpu;
	r->lines = whole * (r->parts ? 1 + r->result.kinds.count : 1);
	r->counts = calloc(r->lines + 1, sizeof(*r->counts));
	r->values = calloc(r->lines + 1, sizeof(*r->values));
	r->before = calloc(r->lines + 1, sizeof(*r->before));
	if (!r->counts || !r->values || !r->before)
		return out_of_memory();
	for (i = 0; i < r->events.count; i++)
		for (j = 0; j < each; j++)
			init_line(r, line++, &r->events.list[i], j);
	r->result.args = &r->args;
	r->result.counts = r->counts;
	r->result.count = whole;
	r->result.metrics = &r->metrics;
	init_parts(r);
	return init_columns(r);
}

/* One that this CPU lacks is no reason not to count the others. */
static int check_events(const struct run *r)
{
	size_t i;

	if (r->args.null)
		return 0;
	for (i = 0; i < r->events.count; i++)
		if (r->events.list[i].event || r->events.list[i].software)
			return 0;
	if (!r->events.count && r->metrics.all.count)
		return complain("stat", EXIT_USAGE, "-M '%s': %s", r->metrics.all.list[0].name,
				r->metrics.all.list[0].why_not);
	return events_unsupported(&r->events, "stat");
}

int stat_open_writer(struct run *r)
{
	bool begun = r->to.w;
	int code = printing_begin(&r->to);

	if (!code && !begun && r->args.interval)
		stat_print_head(r->to.out, r->to.w, &r->result);
	return code;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void take_times(struct run *r)
{
	r->result.elapsed = r->c.began_ns ? (double)(r->c.stop_ns - r->c.began_ns) / 1e9 : 0;
	r->result.has_usage = r->args.command && !r->c.child.pid;
	r->result.user = seconds(&r->c.child.usage.ru_utime);
	r->result.system = seconds(&r->c.child.usage.ru_stime);
}

/* Of one run, into the counts. */
static int read_run(struct run *r)
{
	int code = 0;

	/* A command's session has nothing left to count, whatever it left behind. */
	if (r->args.targets.kind != TARGET_COMMAND || signals_seen())
		code = counting_stop(&r->c);
	if (code)
		return code;
	if (r->args.interval)
		return stat_interval(r);
	code = stat_read(r);
	if (code)
		return code;
	take_times(r);
	stat_take_counts(r, NULL);
	if (r->args.verbose)
		stat_print_values(r);
	return 0;
}

/* So often threads may come while each gets its session. */
#define TRIES 20

/*
 * A thread that came after the threads were listed is counted with the one that made it, or not
 * at all if that had no session yet: with all threads listed anew we begin again.
 */
static int make(struct run *r)
{
	unsigned int tries = TRIES;
	int code = counting_make(&r->c);

	while (!code && r->c.threads && stat_threads_came(&r->args)) {
		if (!tries--) {
			complain("stat", 0, "warning: threads come faster than they can be listed: some "
				 "may be counted with others, or not at all");
			return 0;
		}
		counting_free(&r->c);
		code = init_counts(r);
		if (!code)
			code = counting_make(&r->c);
	}
	return code;
}

/* One counting, from a new session to its end. */
static int run_once(struct run *r)
{
	int code = command_fork("stat", r->args.command, &r->c.child);

	if (!code)
		code = make(r);
	if (code)
		return code;
	if (r->args.verbose)
		stat_print_plan(r);
	memset(r->before, 0, r->lines * sizeof(*r->before));
	signals_catch(r->c.child.pid);
	code = counting_wait(&r->c);
	if (!code)
		code = read_run(r);
	counting_free(&r->c);
	return code;
}

/* With -I there is nothing left to be said of all the runs. */
static int run_repeatedly(struct run *r)
{
	struct repeat *rep = repeat_new(r->lines, stat_metric_lines(&r->args, &r->metrics));
	unsigned int i;
	int code = rep ? 0 : out_of_memory();

	for (i = 0; !code && i < r->args.repeat && !signals_seen(); i++) {
		code = run_once(r);
		/* One that a signal ended is none. */
		if (!code && (!signals_seen() || !i))
			repeat_add(rep, &r->result);
	}
	if (!code)
		repeat_result(rep, &r->result);
	repeat_free(rep);
	return code;
}

/* Of all intervals, as if there had been none. */
static void sum_up(struct run *r)
{
	take_times(r);
	r->result.missed = 0;
	r->result.summary = true;
	stat_take_counts(r, NULL);
}

static int print(struct run *r)
{
	int code = stat_open_writer(r);

	if (code)
		return code;
	if (r->args.summary)
		sum_up(r);
	if (!r->args.interval || r->args.summary)
		stat_print(r->to.out, r->to.w, &r->result);
	code = printing_finish(&r->to);
	stat_warn(r->c.ctx, &r->result);
	counting_warn_missed("stat", r->c.missed);
	return code;
}

/* Each by itself, as under perf. */
static int run_forever(struct run *r)
{
	int code = 0;

	while (!code && !signals_seen()) {
		code = run_once(r);
		if (!code)
			code = print(r);
	}
	return code;
}

static int count_and_print(struct run *r)
{
	int code;

	if (r->args.forever)
		return run_forever(r);
	code = r->args.repeat ? run_repeatedly(r) : run_once(r);
	return code ? code : print(r);
}

/* Everything after the command line, one step after the other; 0 or the exit code. */
static int count(struct run *r)
{
	int code;

	kinds_find(r->c.ctx, &r->result.kinds);
	code = stat_add_events(r->c.ctx, &r->args, &r->events);
	if (!code)
		code = stat_add_metrics(r->c.ctx, &r->args, &r->events, &r->metrics);
	if (!code)
		code = check_events(r);
	if (!code)
		code = printing_open(&r->to);
	if (!code && r->args.verbose && r->args.interval && r->args.output)
		code = printing_open(&r->words);
	r->c.outlet = r->to.outlet;
	if (!code)
		code = init_counts(r);
	if (!code)
		code = count_and_print(r);
	code = printing_end(&r->words, printing_end(&r->to, code));
	return code ? code : command_exit_code(r->args.command, &r->c.child);
}

static void release(struct run *r)
{
	child_close(&r->c.child);
	counting_free(&r->c);
	stat_free_metrics(&r->metrics);
	events_free(&r->events);
	free_counts(r);
	pmuctl_close(r->c.ctx);
}

static int add_to_session(void *data, struct pmuctl_session *session)
{
	return events_into_session(&((struct run *)data)->events, session);
}

static void set_up(struct run *r)
{
	const struct stat_args *args = &r->args;

	r->c.cmd = r->to.cmd = r->words.cmd = "stat";
	r->c.targets = &args->targets;
	r->c.command = args->command;
	r->c.no_inherit = args->no_inherit;
	r->c.no_multiplex = args->no_multiplex;
	r->c.interval = args->interval;
	r->c.delay = args->delay;
	r->c.timeout = args->timeout;
	r->c.add = add_to_session;
	r->c.events = &r->events;
	r->events.software = true;
	r->c.tick = stat_interval;
	r->c.data = r;
	r->to.path = args->output;
	r->to.append = args->append;
	r->to.thousands = !args->no_big_num;
	r->to.layout = args->layout;
}

static int cmd_stat(int argc, char **argv)
{
	struct run r = { .counts = NULL };
	struct watchdog *off = NULL;
	struct pmuctl_hold *hold = NULL;
	int code = stat_args_parse(&r.args, argc, argv);
	bool ended;

	if (!code && r.args.regions) {
		code = stat_regions(&r.args);
		stat_args_free(&r.args);
		return code;
	}
	set_up(&r);
	if (!code)
		code = command_fork("stat", r.args.command, &r.c.child);
	if (!code && r.args.watchdog_off)
		code = watchdog_turn_off("stat", &off);
	if (!code)
		code = open_context("stat", r.args.events_dir, &r.c.ctx);
	if (!code)
		code = features_hold_for("stat", r.c.ctx, &r.args.with, &r.args.targets, &hold);
	if (!code)
		code = count(&r);
	features_release("stat", r.c.ctx, hold);
	ended = signals_seen() && command_not_ended(r.args.command, &r.c.child);
	release(&r);
	/* The watchdog needs the PMU, so we let go of it before. */
	watchdog_restore("stat", off);
	stat_args_free(&r.args);
	/* ^C ended the counting: whoever called us should know. */
	if (ended && !code)
		signals_die();
	return code;
}

const struct command command_stat = {
	.name = "stat",
	.run = cmd_stat,
	.text = "run a command, or watch processes or CPUs, and count events",
	.options = stat_options,
	.operands = "[--] [COMMAND ...]",
	.runs_command = true,
};
