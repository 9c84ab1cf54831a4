// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat: count events while a command runs, or of what runs already.
 */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "signals.h"
#include "stat.h"
#include "tool.h"

static const char default_events[] = "cycles,instructions,branches,branch-misses";

struct run {
	struct stat_args args;
	struct pmuctl *ctx;
	struct pmuctl_session *session;
	struct events events;
	struct stat_count *counts;	/* one an event */
	struct child child;
	FILE *out;
	struct stat_result result;
};

/* The reason of the last error, then who is in the way and what to do. */
static int failed(struct run *r, int err, const char *what)
{
	complain("stat", 0, "%s: %s", what, pmuctl_error(r->ctx));
	diagnose(r->ctx, err, stderr);
	return EXIT_FAILED;
}

static int parse_events(struct run *r)
{
	size_t i;
	int code = 0;

	if (!r->args.events_given)
		return events_add(r->ctx, "stat", default_events, &r->events);
	for (i = 0; !code && i < r->args.nr_event_texts; i++)
		code = events_add(r->ctx, "stat", r->args.event_texts[i], &r->events);
	return code;
}

static int init_counts(struct run *r)
{
	size_t i, countable = 0;

	r->counts = calloc(r->events.count, sizeof(*r->counts));
	if (!r->counts)
		return complain("stat", EXIT_FAILED, "out of memory");
	for (i = 0; i < r->events.count; i++) {
		r->counts[i].event = &r->events.list[i];
		r->counts[i].supported = r->events.list[i].event;
		r->counts[i].why_not = r->events.list[i].why_not;
		countable += r->counts[i].supported;
	}
	return countable ? 0 : events_unsupported(&r->events, "stat");
}

/* Of the default events, which nobody asked for by name, leave out what has no room. */
static int fit_default_events(struct run *r)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	uint64_t masks[8];
	size_t i, n = 0;

	if (r->args.events_given || pmuctl_get_info(r->ctx, &info))
		return 0;
	for (i = 0; i < r->events.count && n < ARRAY_SIZE(masks); i++) {
		if (r->counts[i].why_not)
			continue;
		masks[n] = pmuctl_event_info(r->events.list[i].event)->counters;
		if (counters_fit(masks, n + 1, info.counters))
			n++;
		else
			r->counts[i].why_not = "no counter left";
	}
	return 0;
}

static int add_targets(struct run *r)
{
	const struct stat_args *args = &r->args;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < args->nr_cpus; i++)
		err = pmuctl_session_add_cpu(r->session, args->cpus[i]);
	for (i = 0; !err && i < args->nr_pids; i++)
		err = args->target == TARGET_THREADS ?
			      pmuctl_session_add_thread(r->session, args->pids[i]) :
			      pmuctl_session_add_process(r->session, args->pids[i]);
	if (!err && args->target == TARGET_COMMAND)
		err = pmuctl_session_add_process(r->session, r->child.pid);
	return err;
}

static uint64_t session_options(const struct stat_args *args)
{
	bool tasks = args->target != TARGET_ALL_CPUS && args->target != TARGET_CPUS;

	return (tasks && !args->no_inherit ? PMUCTL_INHERIT : 0) |
	       (args->target == TARGET_COMMAND ? PMUCTL_ON_EXEC : 0);
}

static int make_session(struct run *r)
{
	size_t i;
	int err = pmuctl_session_new(r->ctx, &r->session);

	for (i = 0; !err && i < r->events.count; i++)
		if (!r->counts[i].why_not)
			err = pmuctl_session_add_event(r->session, r->events.list[i].event);
	if (!err)
		err = add_targets(r);
	if (!err)
		err = pmuctl_session_create(r->session, session_options(&r->args));
	/* What counts from an exec on starts there. */
	if (!err && r->args.target != TARGET_COMMAND)
		err = pmuctl_session_start(r->session);
	return err ? failed(r, err, "cannot count") : 0;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) +
	       (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static int run_command(struct run *r)
{
	int err = child_exec(&r->child);

	if (err)
		return complain("stat", EXIT_FAILED, "command '%s': %s", r->args.command[0],
			    strerror(-err));
	err = child_wait(&r->child);
	if (err && err != -EINTR)
		return complain("stat", EXIT_FAILED, "command '%s': %s", r->args.command[0],
			    strerror(-err));
	r->result.has_usage = !err;
	r->result.user = seconds(&r->child.usage.ru_utime);
	r->result.system = seconds(&r->child.usage.ru_stime);
	return 0;
}

static int wait_without_command(struct run *r)
{
	int err = wait_for_processes(r->args.pids, r->args.nr_pids);

	if (!err)
		return 0;
	return complain("stat", EXIT_FAILED, "cannot wait: %s", strerror(-err));
}

static int run_until_done(struct run *r)
{
	struct timespec start;
	int code, err = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	code = r->args.command ? run_command(r) : wait_without_command(r);
	r->result.elapsed = seconds_since(&start);
	/* A command's session has nothing left to count, whatever it left behind. */
	if (!code && (r->args.target != TARGET_COMMAND || signals_seen()))
		err = pmuctl_session_stop(r->session);
	return err ? failed(r, err, "cannot stop counting") : code;
}

struct reading {
	struct run *run;
	size_t next;		/* the next event that is in the session */
};

/* What perf does too; with one set of events it changes nothing. */
static uint64_t scale(const struct pmuctl_value *v)
{
	if (v->running >= v->enabled || !v->running)
		return v->value;
	return (uint64_t)((unsigned __int128)v->value * v->enabled / v->running);
}

static int take_value(void *data, const struct pmuctl_value *v)
{
	struct reading *reading = data;
	struct run *r = reading->run;
	struct stat_count *c;

	while (reading->next < r->events.count && r->counts[reading->next].why_not)
		reading->next++;
	if (reading->next == r->events.count)
		return 0;
	c = &r->counts[reading->next++];
	c->value = scale(v);
	c->enabled = v->enabled;
	c->running = v->running;
	c->flags = v->flags;
	return 0;
}

static int read_counts(struct run *r)
{
	struct reading reading = { .run = r };
	size_t i;
	int err = pmuctl_session_read(r->session, take_value, &reading);

	if (err)
		return failed(r, err, "cannot read the counts");
	for (i = 0; i < r->events.count; i++) {
		if (r->counts[i].why_not || r->counts[i].running)
			continue;
		r->counts[i].why_not = r->counts[i].enabled ? "it never was on a counter" :
							      "nothing of it ran";
	}
	return 0;
}

static int print(struct run *r)
{
	struct writer *w;

	/* For the thousands; the other formats are the same everywhere. */
	if (r->args.format == FORMAT_TEXT)
		setlocale(LC_NUMERIC, "");
	w = writer_open(r->out, r->args.format, r->args.separator);
	if (!w)
		return complain("stat", EXIT_FAILED, "out of memory");
	r->result.args = &r->args;
	r->result.counts = r->counts;
	r->result.count = r->events.count;
	stat_print(r->out, w, &r->result);
	if (!writer_close(w))
		return complain("stat", EXIT_FAILED, "%s: cannot write: %s",
			    r->args.output ? r->args.output : "standard error", strerror(errno));
	return 0;
}

static int open_output(struct run *r)
{
	r->out = stderr;
	if (!r->args.output)
		return 0;
	r->out = fopen(r->args.output, "we");
	if (!r->out)
		return complain("stat", EXIT_FAILED, "-o %s: %s", r->args.output, strerror(errno));
	return 0;
}

static int close_output(struct run *r, int code)
{
	if (!r->out || r->out == stderr)
		return code;
	if (fclose(r->out) && !code)
		return complain("stat", EXIT_FAILED, "-o %s: %s", r->args.output, strerror(errno));
	return code;
}

static int start_command(struct run *r)
{
	int err;

	if (!r->args.command)
		return 0;
	err = child_fork(&r->child, r->args.command);
	if (!err)
		return 0;
	return complain("stat", EXIT_FAILED, "command '%s': cannot fork: %s", r->args.command[0],
		    strerror(-err));
}

/* Everything after the command line, one step after the other; 0 or the exit code. */
static int count(struct run *r)
{
	int code = open_output(r);

	if (!code)
		code = parse_events(r);
	if (!code)
		code = init_counts(r);
	if (!code)
		code = fit_default_events(r);
	if (!code)
		code = make_session(r);
	if (code)
		return code;
	signals_catch(r->child.pid);
	code = run_until_done(r);
	if (!code)
		code = read_counts(r);
	if (!code)
		code = print(r);
	if (!code && r->args.command && !r->child.pid)
		code = child_exit_code(&r->child);
	return code;
}

int cmd_stat(int argc, char **argv)
{
	struct run r = { .out = NULL };
	int code = stat_args_parse(&r.args, argc, argv);

	/*
	 * Forked before there is a socket: a copy of it would keep the session
	 * alive for a moment when we are killed.
	 */
	if (!code)
		code = start_command(&r);
	if (!code)
		code = open_context("stat", &r.ctx);
	if (!code) {
		code = count(&r);
		code = close_output(&r, code);
	}
	child_close(&r.child);
	pmuctl_session_free(r.session);
	events_free(&r.events);
	free(r.counts);
	pmuctl_close(r.ctx);
	stat_args_free(&r.args);
	/* ^C ended the counting: whoever called us should know. */
	if (signals_seen() && !r.args.command && !code)
		signals_die();
	return code;
}
