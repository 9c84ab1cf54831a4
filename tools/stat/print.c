// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl stat: what is around the lines, in perf's words.
 */
#include <inttypes.h>
#include <time.h>

#include "tools/stat/stat.h"

static void print_command(struct writer *w, char **command)
{
	writer_text(w, "'");
	for (; *command; command++)
		writer_text(w, "%s%s", *command, command[1] ? " " : "");
	writer_text(w, "'");
}

static void print_target(struct writer *w, const struct stat_args *args)
{
	switch (args->targets.kind) {
	case TARGET_COMMAND:
		print_command(w, args->command);
		break;
	case TARGET_ALL_CPUS:
		writer_text(w, "'system wide'");
		break;
	case TARGET_CPUS:
		writer_text(w, "'CPU(s) %s'", args->targets.text);
		break;
	case TARGET_PROCESSES:
		writer_text(w, "process id '%s'", args->targets.text);
		break;
	case TARGET_THREADS:
		writer_text(w, "thread id '%s'", args->targets.text);
		break;
	case TARGET_CGROUPS:
		writer_text(w, "control group%s '%s'", args->split == SPLIT_CGROUPS ? "s" : "",
			    args->targets.text);
		break;
	}
}

static void print_started(FILE *out)
{
	time_t now = time(NULL);
	char text[64];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		fprintf(out, "# started on %s\n\n", text);
}

static void print_title(struct writer *w, const struct stat_result *r)
{
	writer_text(w, "\n Performance counter stats for ");
	print_target(w, r->args);
	if (r->runs > 1)
		writer_text(w, " (%u runs)", r->runs);
	writer_text(w, ":\n\n");
}

/* Two digits more than the error has zeros behind the point, as perf does. */
static int decimals(double error)
{
	int zeros = 0;

	if (error <= 0)
		return 9;
	for (; error < 1 && zeros < 7; zeros++)
		error *= 10;
	return zeros + 2;
}

static void print_elapsed(struct writer *w, const struct stat_result *r)
{
	int n = decimals(r->elapsed_error);

	if (r->runs > 1)
		writer_text(w, "\n %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n", n,
			    r->elapsed, n, r->elapsed_error,
			    r->elapsed > 0 ? 100 * r->elapsed_error / r->elapsed : 0);
	else
		writer_text(w, "%s%17.9f seconds time elapsed\n", r->args->null ? "" : "\n",
			    r->elapsed);
	if (r->has_usage)
		writer_text(w, "\n%17.9f seconds user\n%17.9f seconds sys\n", r->user, r->system);
	writer_text(w, "\n");
}

/* All events of a place, then those of the next; of -A all CPUs of an event, both as perf. */
static const struct stat_count *count_at(const struct stat_result *r, size_t i)
{
	size_t places = stat_args_cpus(r->args), events;

	if (r->args->split == SPLIT_NOT)
		return &r->counts[i];
	events = r->count / places;
	return &r->counts[i % events * places + i / events];
}

static void print_rows(struct writer *w, const struct stat_result *r)
{
	size_t i;

	if (r->columns) {
		stat_print_columns(w, r);
		return;
	}
	for (i = 0; i < r->count; i++)
		stat_print_count(w, r, count_at(r, i));
	stat_print_metrics(w, r);
	if (r->args->null && writer_format(w) != FORMAT_TEXT)
		stat_print_null(w, r);
}

void stat_print(FILE *out, struct writer *w, const struct stat_result *r)
{
	if (r->args->output && r->args->layout.format == FORMAT_TEXT && !r->summary)
		print_started(out);
	print_title(w, r);
	if (r->columns && (!r->summary || writer_format(w) == FORMAT_TEXT))
		stat_print_columns_head(w, r);
	print_rows(w, r);
	print_elapsed(w, r);
}

void stat_print_head(FILE *out, struct writer *w, const struct stat_result *r)
{
	if (r->args->output && r->args->layout.format == FORMAT_TEXT)
		print_started(out);
	if (r->columns) {
		stat_print_columns_head(w, r);
		return;
	}
	writer_text(w, "#           time ");
	stat_print_place_head(w, r->args);
	writer_text(w, "            counts unit events\n");
}

void stat_print_interval(struct writer *w, const struct stat_result *r)
{
	print_rows(w, r);
}
