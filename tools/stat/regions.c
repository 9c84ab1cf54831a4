// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat --regions: a command whose processes count parts of themselves
 * (lib/pmuctl-region.h), asked by the environment; what they write at their ends is added up.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/run/command.h"
#include "tools/run/printing.h"
#include "tools/stat/stat.h"

#define USUAL "instructions:u,cycles:u"
#define LIBRARY "libpmuctl.so.0"

struct row {
	char *region;
	char *event;
	uint64_t times;
	uint64_t value;
};

struct regions {
	struct row *rows;
	size_t count;
	char *why;		/* read by system calls; NULL: none was */
	char *error;		/* not counted; NULL: none was not */
	pid_t last;		/* process of the line before */
	unsigned int processes;
};

static int out_of_memory(void)
{
	return complain("stat", EXIT_FAILED, "out of memory");
}

/* ---- asking -------------------------------------------------------------- */

/* -e may be given several times. */
static char *list_of(const struct stat_args *args)
{
	size_t i, size = sizeof(USUAL);
	char *list;

	for (i = 0; i < args->events.count; i++)
		size += strlen(args->events.texts[i]) + 1;
	list = malloc(size);
	if (!list)
		return NULL;
	strcpy(list, args->events.count ? "" : USUAL);
	for (i = 0; i < args->events.count; i++) {
		if (i)
			strcat(list, ",");
		strcat(list, args->events.texts[i]);
	}
	return list;
}

static int set_preload(void)
{
	const char *already = getenv("LD_PRELOAD");
	char *all = NULL;
	int failed;

	if (already && *already && asprintf(&all, "%s:%s", LIBRARY, already) < 0)
		return -1;
	failed = setenv("LD_PRELOAD", all ? all : LIBRARY, 1);
	free(all);
	return failed;
}

static int ask(const struct stat_args *args, const char *file)
{
	char *list = list_of(args);
	int code = 0;

	if (!list || setenv("PMUCTL_REGIONS", list, 1) ||
	    setenv("PMUCTL_REGIONS_FILE", file, 1) ||
	    setenv("PMUCTL_REGIONS_SUBTRACT", args->net ? "1" : "0", 1) || set_preload())
		code = out_of_memory();
	else if (strchr(list, '{'))
		code = complain("stat", EXIT_USAGE, "--regions: its events are counted at the same time "
				"anyway; give them without braces");
	free(list);
	return code;
}

/* ---- what comes back ----------------------------------------------------- */

static struct row *find(struct regions *r, const char *region, const char *event)
{
	struct row *grown;
	size_t i;

	for (i = 0; i < r->count; i++)
		if (!strcmp(r->rows[i].region, region) && !strcmp(r->rows[i].event, event))
			return &r->rows[i];
	grown = reallocarray(r->rows, r->count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	r->rows = grown;
	r->rows[r->count] = (struct row){
		.region = clean_copy(region), .event = clean_copy(event),
	};
	if (!r->rows[r->count].region || !r->rows[r->count].event) {
		free(r->rows[r->count].region);
		free(r->rows[r->count].event);
		return NULL;
	}
	return &r->rows[r->count++];
}

static int add_row(struct regions *r, char *rest)
{
	char *region = strsep(&rest, "\t"), *times = strsep(&rest, "\t");
	char *event = strsep(&rest, "\t");
	struct row *row;

	/* Whoever has written the file: what is no line of the library's is none. */
	if (!region || !times || !event || !rest)
		return 0;
	row = find(r, region, event);
	if (!row)
		return out_of_memory();
	row->times += strtoull(times, NULL, 10);
	row->value += strtoull(rest, NULL, 10);
	return 0;
}

static void keep(char **said, const char *text)
{
	free(*said);
	*said = text ? clean_copy(text) : NULL;
}

static int take_line(struct regions *r, char *line)
{
	char *word = strsep(&line, "\t"), *pid = strsep(&line, "\t");
	pid_t process;

	if (!pid || !line)
		return 0;
	process = (pid_t)atoi(pid);
	r->processes += process != r->last;
	r->last = process;
	if (!strcmp(word, "why"))
		keep(&r->why, line);
	else if (!strcmp(word, "error"))
		keep(&r->error, line);
	else if (!strcmp(word, "region"))
		return add_row(r, line);
	return 0;
}

static int take(struct regions *r, int fd)
{
	FILE *in = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t got;
	int code = 0;

	if (!in) {
		close(fd);
		return out_of_memory();
	}
	while (!code && (got = getline(&line, &room, in)) > 0) {
		if (line[got - 1] == '\n')
			line[got - 1] = '\0';
		code = take_line(r, line);
	}
	free(line);
	fclose(in);
	return code;
}

static void release(struct regions *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		free(r->rows[i].region);
		free(r->rows[i].event);
	}
	free(r->rows);
	free(r->why);
	free(r->error);
}

/* ---- showing it ------------------------------------------------------------ */

static void print_row(struct writer *w, const struct row *row, bool first)
{
	if (first)
		writer_text(w, " %s, %" PRIu64 " time%s\n", row->region, row->times,
			    row->times == 1 ? "" : "s");
	writer_row(w);
	writer_string(w, "region", NULL, row->region);
	writer_u64(w, "times", NULL, row->times);
	writer_count(w, "counter-value", "%'18" PRIu64, 18, row->value);
	writer_string(w, "event", "      %-24s", row->event);
	writer_number(w, "each", 1, row->times ? (double)row->value / (double)row->times : 0,
		      row->times);
	if (row->times)
		writer_text(w, " # %.1f each", (double)row->value / (double)row->times);
	writer_text(w, "\n");
	writer_end_row(w);
}

static int print(const struct stat_args *args, const struct regions *r, struct printing *to)
{
	int code = printing_begin(to);
	size_t i;

	if (code)
		return code;
	writer_text(to->w, "\n Regions of '");
	writer_words(to->w, args->command);
	writer_text(to->w, "', %u process%s%s:\n\n", r->processes, r->processes == 1 ? "" : "es",
		    args->net ? ", without what counting them took" : "");
	for (i = 0; i < r->count; i++)
		print_row(to->w, &r->rows[i],
			  !i || strcmp(r->rows[i].region, r->rows[i - 1].region) != 0);
	writer_text(to->w, "\n");
	return 0;
}

static int judge(const struct regions *r)
{
	if (r->error)
		return complain("stat", EXIT_FAILED, "--regions: not counted: %s", r->error);
	if (!r->count)
		return complain("stat", EXIT_FAILED, "--regions: the command began none: it marks them by "
				"pmuctl-region.h, is linked dynamically, and ends by exit()");
	if (r->why)
		complain("stat", 0, "--regions: read by system calls, some 500 instructions each: %s",
			 r->why);
	return 0;
}

/* ---- all of it --------------------------------------------------------------- */

static int count(const struct stat_args *args, const char *file, int fd, struct printing *to)
{
	struct regions r = { .count = 0 };
	struct child child = { .pid = 0 };
	int code = ask(args, file);

	if (!code)
		code = printing_open(to);
	if (!code)
		code = command_fork("stat", args->command, &child);
	if (!code)
		code = command_exec("stat", args->command, &child);
	if (!code)
		code = command_reap("stat", args->command, &child);
	if (code)
		close(fd);
	else
		code = take(&r, fd);
	if (!code)
		code = judge(&r);
	if (!code)
		code = print(args, &r, to);
	code = printing_end(to, code);
	if (!code)
		code = command_exit_code(args->command, &child);
	child_close(&child);
	release(&r);
	return code;
}

int stat_regions(const struct stat_args *args)
{
	struct printing to = {
		.cmd = "stat", .path = args->output, .append = args->append,
		.thousands = !args->no_big_num, .layout = args->layout,
	};
	const char *directory = getenv("TMPDIR");
	char *file = NULL;
	int fd, code;

	if (asprintf(&file, "%s/pmuctl-regions-XXXXXX",
		     directory && *directory ? directory : "/tmp") < 0)
		return out_of_memory();
	fd = mkostemp(file, O_CLOEXEC);
	if (fd < 0) {
		code = complain("stat", EXIT_FAILED, "--regions: %s: %s", file, strerror(errno));
		free(file);
		return code;
	}
	code = count(args, file, fd, &to);
	unlink(file);
	free(file);
	return code;
}
