// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl top without a terminal: a table at each look, for scripts.
 */
#include <errno.h>
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

static int print(struct top *t)
{
	static char text[SIZE];
	size_t i;

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
	return complain("top", EXIT_FAILED, "cannot write: %s", strerror(errno));
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
	if (!code)
		code = wait_all(t, w);
	waiter_close(w);
	return code;
}
