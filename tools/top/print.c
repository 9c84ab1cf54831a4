// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl top without a terminal: a table at each look, for scripts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/run/signals.h"
#include "tools/top/top.h"

/* Names are as long as they are. */
#define WIDTH 4000
#define SIZE (4 * WIDTH)

/* Without the spaces at its end. */
static void put_line(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		len--;
	printf("%.*s\n", (int)len, text);
}

static int failed(int err)
{
	return complain("top", EXIT_FAILED, "cannot write: %s", strerror(err));
}

/* A name as it is: [k] in front of the kernel's is for people. */
static const char *bare_text(const struct top_column *column, const char *text)
{
	return strcmp(column->name, "symbol") ? text : text + strlen("[k] ");
}

static void write_cell(struct writer *w, const struct top_column *column,
		       const struct top_line *line, size_t i)
{
	char digits[32];

	switch (column->kind) {
	case KIND_TEXT:
		writer_string(w, column->name, NULL, bare_text(column, line->text[i]));
		break;
	case KIND_SHARE:
	case KIND_COUNT:
		writer_number(w, column->name, 2, line->number[i], line->number[i] != NO_VALUE);
		break;
	default:
		snprintf(digits, sizeof(digits), "%.0f", line->number[i]);
		writer_digits(w, column->name, NULL, digits);
	}
}

/* Each line says when it was, and of which event: there is nothing above it. */
static int write_lines(struct top *t)
{
	const struct top_layout *layout = &top_layouts[t->state.view];
	const struct layout *format = &t->args.layout;
	struct writer *w = writer_open(stdout, format->format, format->separator);
	size_t i, k;

	if (!w)
		return failed(ENOMEM);
	for (i = 0; i < t->lines.count && (!t->args.entries || i < t->args.entries); i++) {
		writer_row(w);
		writer_double(w, "time", NULL, 3, (double)(t->looked_ns - t->began_ns) / 1e9);
		writer_string(w, "event", NULL, t->head.event);
		for (k = 0; k < layout->count; k++)
			write_cell(w, &layout->columns[k], &t->lines.list[i], k);
		writer_end_row(w);
	}
	return writer_close(w) ? 0 : failed(errno);
}

static int print(struct top *t)
{
	static char text[SIZE];
	size_t i;

	if (t->args.layout.format != FORMAT_TEXT)
		return write_lines(t);
	top_head_text(text, SIZE, WIDTH, true, &t->state, &t->head);
	put_line(text);
	if (t->head.note)
		printf("%s\n", t->head.note);
	top_heading_text(text, SIZE, 80, true, &t->state);
	put_line(text);
	for (i = 0; i < t->lines.count && (!t->args.entries || i < t->args.entries); i++) {
		top_line_text(text, SIZE, WIDTH, true, &t->state, &t->lines.list[i]);
		put_line(text);
	}
	putchar('\n');
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return failed(errno);
}

/* What no line says. */
static void complain_of_head(const struct top *t)
{
	if (t->args.layout.format == FORMAT_TEXT)
		return;
	if (t->head.lost)
		complain("top", 0, "%" PRIu64 " samples were lost", t->head.lost);
	if (t->head.note)
		complain("top", 0, "%s", t->head.note);
}

/* Each event has a table of its own. */
static int look_and_print(struct top *t)
{
	int code = top_look(t);

	for (t->state.event = 0; !code && t->state.event < t->profile.events; t->state.event++) {
		code = top_make_lines(t);
		if (!code)
			code = print(t);
	}
	t->state.event = 0;
	return code;
}

static int wait_all(struct top *t, struct waiter *w)
{
	uint64_t step = (uint64_t)(t->state.delay * 1e9), due = now_ns() + step;
	unsigned int looks = 0;
	int code = 0, what, signals = t->r.args.command ? 2 : 1;

	while (!code && !(t->args.iterations && looks >= t->args.iterations)) {
		what = waiter_wait(w, due, signals);
		if (what < 0)
			return complain("top", EXIT_FAILED, "cannot wait: %s", strerror(-what));
		if (what == WAIT_SIGNAL)
			return 0;
		if (what == WAIT_ENDED) {
			t->head.ended = "ended";
			return look_and_print(t);
		}
		if (what == WAIT_READY)
			code = top_drain(t);
		if (code || now_ns() < due)
			continue;
		code = look_and_print(t);
		looks++;
		due = now_ns() + step;
	}
	return code;
}

int top_print(struct top *t)
{
	const struct record_args *args = &t->r.args;
	const pid_t *pids = args->command ? &t->r.child.pid : args->targets.pids;
	size_t count = args->command ? 1 : args->targets.nr_pids;
	struct waiter *w;
	int code, err = waiter_open(&w, pids, count);

	code = err ? complain("top", EXIT_FAILED, "cannot wait: %s", strerror(-err)) :
		     top_start(t);
	if (!code)
		waiter_watch(w, pmuctl_dump_fd(t->r.dump));
	t->began_ns = now_ns();
	if (!code)
		code = wait_all(t, w);
	complain_of_head(t);
	waiter_close(w);
	return code;
}
