// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command is run once for each part of a page: sampled, by Top-Down, and where its loads and
 * stores can be sampled with their addresses, for what its threads share.  Each run is another
 * command of pmuctl, in a process of its own.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/clean.h"
#include "tools/html/html.h"
#include "tools/record/record.h"
#include "tools/run/events.h"
#include "tools/run/signals.h"

/* What `pmuctl mem --sharing` samples. */
#define LOADS	"mem-loads:ldlat=30"
#define STORES	"mem-stores"
#define CONTENT	(PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC | PMUCTL_SAMPLE_WEIGHT | \
		 PMUCTL_SAMPLE_REGS)

/* "pmuctl", its options, and the command. */
struct words {
	char *at[16];
	size_t count;
};

static void add(struct words *w, const char *word)
{
	w->at[w->count++] = (char *)word;
}

/* ---- one run -------------------------------------------------------------------------------- */

static char **with_command(const struct words *w, char **command)
{
	size_t count = 0;
	char **argv;

	while (command[count])
		count++;
	argv = calloc(w->count + count + 2, sizeof(*argv));
	if (!argv)
		return NULL;
	memcpy(argv, w->at, w->count * sizeof(*argv));
	argv[w->count] = "--";
	memcpy(argv + w->count + 1, command, count * sizeof(*argv));
	return argv;
}

static int spawn(char **argv, pid_t *pid)
{
	int err;

	/* SIGINT of a terminal is the command's and the recorder's; we show what there is. */
	signals_catch(0);
	err = posix_spawn(pid, "/proc/self/exe", NULL, NULL, argv, environ);
	if (err)
		return complain("html", EXIT_FAILED, "cannot run pmuctl %s: %s", argv[1],
				strerror(err));
	signals_catch(*pid);
	return 0;
}

static int exit_code_of(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILED;
	signals_forget_child();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool wrote_something(const struct html_run *run)
{
	struct stat st;

	return !fstat(run->fd, &st) && st.st_size;
}

/* Each run has all of standard input, if that is a file.  *exit_code: pmuctl's or the command's. */
static int run(const struct html_runs *runs, struct html_run *run, struct words *w, char **command,
	       int *exit_code)
{
	char **argv;
	pid_t pid = 0;
	int code = 0;

	run->fd = memory_file("html", run->path);
	if (run->fd < 0)
		return EXIT_FAILED;
	snprintf(run->others, sizeof(run->others), "/proc/%d/fd/%d", (int)getpid(), run->fd);
	add(w, "-o");
	add(w, run->others);
	if (runs->input >= 0)
		lseek(STDIN_FILENO, runs->input, SEEK_SET);
	argv = with_command(w, command);
	code = argv ? spawn(argv, &pid) : page_no_memory();
	if (!code)
		*exit_code = exit_code_of(pid);
	free(argv);
	if (!code && !wrote_something(run))
		snprintf(run->why_not, sizeof(run->why_not), "`pmuctl %s` failed, and said why",
			 w->at[1]);
	return code;
}

/* ---- which runs ------------------------------------------------------------------------------ */

static int sample(struct html_runs *runs, const struct html_args *args)
{
	struct words w = { .count = 0 };
	char frequency[16];

	add(&w, "pmuctl");
	add(&w, "record");
	add(&w, "-q");
	add(&w, "--call-graph");
	add(&w, args->call_graph ? args->call_graph : "fp");
	if (args->view.event) {
		add(&w, "-e");
		add(&w, args->view.event);
	}
	if (args->frequency) {
		snprintf(frequency, sizeof(frequency), "%u", args->frequency);
		add(&w, "-F");
		add(&w, frequency);
	}
	return run(runs, &runs->samples, &w, args->command, &runs->exit_code);
}

static int measure_topdown(struct html_runs *runs, const struct html_args *args)
{
	struct words w = { { "pmuctl", "topdown", "-j" }, 3 };
	int exit_code;

	return run(runs, &runs->topdown, &w, args->command, &exit_code);
}

/* The two events, or NULL: they cannot be sampled here, and why. */
static char *sharing_events(struct pmuctl *ctx, char *why, size_t size)
{
	static const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .frequency = 4000, .content = CONTENT,
	};
	const char *ring = user_mode_only(ctx) ? "u" : "";
	char *loads = event_in_ring(LOADS, ring, "pp"), *stores = event_in_ring(STORES, ring, "pp");
	char *both = NULL;

	if (!loads || !stores)
		snprintf(why, size, "out of memory");
	else if (record_try(ctx, loads, &sampling) || record_try(ctx, stores, &sampling))
		snprintf(why, size, "%s", pmuctl_error(ctx));
	else
		both = new_text("%s,%s", loads, stores);
	free(loads);
	free(stores);
	return both;
}

static int sample_sharing(struct html_runs *runs, const struct html_args *args)
{
	struct html_run *to = &runs->sharing;
	struct words w = { { "pmuctl", "record", "-q", "-d", "-W", "-I", "-e" }, 7 };
	struct pmuctl *ctx;
	int code = open_context("html", NULL, &ctx), exit_code;
	char *events;

	if (code)
		return code;
	events = sharing_events(ctx, to->why_not, sizeof(to->why_not));
	pmuctl_close(ctx);
	if (!events)
		return 0;
	add(&w, events);
	code = run(runs, to, &w, args->command, &exit_code);
	free(events);
	return code;
}

int html_run(struct html_runs *runs, const struct html_args *args)
{
	static const char interrupted[] = "interrupted, before it was measured";
	int code;

	*runs = (struct html_runs){
		.samples.fd = -1, .topdown.fd = -1, .sharing.fd = -1,
		.input = lseek(STDIN_FILENO, 0, SEEK_CUR),
	};
	code = sample(runs, args);
	/* The recorder's own, which has said why; a command that ends with that has no page. */
	if (!code && (*runs->samples.why_not || runs->exit_code == EXIT_FAILED))
		return complain("html", runs->exit_code ? runs->exit_code : EXIT_FAILED,
				"no page: `pmuctl record` of the command failed");
	if (!code && !signals_seen())
		code = measure_topdown(runs, args);
	else
		memcpy(runs->topdown.why_not, interrupted, sizeof(interrupted));
	if (!code && !signals_seen())
		code = sample_sharing(runs, args);
	else
		memcpy(runs->sharing.why_not, interrupted, sizeof(interrupted));
	return code;
}

static void close_run(const struct html_run *run)
{
	if (run->fd >= 0)
		close(run->fd);
}

void html_runs_close(struct html_runs *runs)
{
	close_run(&runs->samples);
	close_run(&runs->topdown);
	close_run(&runs->sharing);
}
