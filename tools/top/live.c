// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples as they come: they are written to a file that memory alone holds, as pmuctl record
 * writes them to a pipe, and read there as pmuctl report reads them, whose maps and symbols they
 * have so.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/clean.h"
#include "tools/run/context.h"
#include "tools/run/signals.h"
#include "tools/top/top.h"

static int failed(const struct top *t)
{
	return complain("top", EXIT_FAILED, "cannot read the samples: %s", pmuctl_error(t->r.ctx));
}

static int open_data(struct top *t)
{
	char path[MEMORY_FILE_PATH];
	int code;

	t->memory = memory_file("top", path);
	if (t->memory < 0)
		return EXIT_FAILED;
	t->r.args.piped = t->memory;
	code = record_open_dump(&t->r);
	if (code)
		return code;
	return pmuctl_data_open(t->r.ctx, path, &t->data) ? failed(t) : 0;
}

/* That takes a while, and is not to be what is seen first. */
static void read_kernel_symbols(struct top *t)
{
	struct pmuctl_place place = { .dso = 1 };
	struct pmuctl_symbol symbol;
	const char *name;

	for (; strcmp(name = pmuctl_data_dso(t->data, place.dso), "[unknown]") != 0; place.dso++)
		if (!strcmp(name, "[kernel.kallsyms]"))
			pmuctl_data_symbol(t->data, &place, &symbol);
}

static void set_head(struct top *t)
{
	const struct record_args *args = &t->r.args;

	t->head.own = NO_VALUE;
	t->head.event = t->r.events.list[0].name;
	if (args->period)
		snprintf(t->head.rate, sizeof(t->head.rate), "-c %llu",
			 (unsigned long long)args->period);
	else
		snprintf(t->head.rate, sizeof(t->head.rate), "-F %u", args->frequency);
}

int top_begin(struct top *t)
{
	int code = record_add_events(&t->r);

	t->user_only = user_mode_only(t->r.ctx);
	if (!code)
		code = record_make_session(&t->r);
	if (!code)
		code = open_data(t);
	if (code)
		return code;
	set_head(t);
	if (!targets_are_tasks(&t->r.args.targets))
		read_kernel_symbols(t);
	top_profile_init(&t->profile, t->data, t->r.events.count);
	return 0;
}

static uint64_t own_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

int top_start(struct top *t)
{
	int code = record_start(&t->r);

	if (!code)
		code = command_exec("top", t->r.args.command, &t->r.child);
	t->looked_ns = now_ns();
	t->own_ns = own_ns();
	return code;
}

int top_drain(struct top *t)
{
	return record_take(&t->r, false);
}

/* 2 to the power of -x, within a millionth. */
static double halved(double x)
{
	double whole = 1, rest = 0, term = 1;
	int i;

	for (; x >= 1 && whole > 0; x--)
		whole /= 2;
	for (i = 1; i < 10; i++) {
		rest += term;
		term *= -0.6931471805599453 * x / i;
	}
	return whole * rest;
}

static int pass_over(void *data, const struct pmuctl_data_sample *sample)
{
	(void)data;
	(void)sample;
	return 0;
}

static void age(struct top *t, double seconds)
{
	switch (t->state.past) {
	case PAST_DECAYS:
		top_profile_age(&t->profile, halved(seconds / HALF_LIFE));
		break;
	case PAST_DROPPED:
		top_profile_age(&t->profile, 0);
		break;
	default:
		break;
	}
}

/* What is paused goes by unseen, but what it says of tasks is known afterwards. */
static int take(struct top *t, double seconds)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	int err;

	if (!t->state.paused)
		age(t, seconds);
	err = pmuctl_data_follow(t->data, t->state.paused ? pass_over : top_profile_take,
				 &t->profile);
	if (err == -ENOMEM)
		return complain("top", EXIT_FAILED, "out of memory");
	if (err)
		return failed(t);
	pmuctl_dump_get_info(t->r.dump, &info);
	fallocate(t->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)t->punched,
		  (off_t)(info.bytes - t->punched));
	t->punched = info.bytes;
	t->head.per_second = seconds > 0 ? (double)(info.samples - t->seen) / seconds : 0;
	t->head.lost = info.lost;
	t->seen = info.samples;
	return 0;
}

int top_look(struct top *t)
{
	uint64_t now = now_ns(), own = own_ns();
	double seconds = (double)(now - t->looked_ns) / 1e9;
	int code = record_take(&t->r, true);

	if (!code)
		code = take(t, seconds);
	if (seconds > 0)
		t->head.own = 100 * (double)(own - t->own_ns) / 1e9 / seconds;
	t->looked_ns = now;
	t->own_ns = own;
	if (!code && t->shares && !t->state.paused)
		top_shares_turn(t->shares, &t->profile, t->state.event);
	return code ? code : top_make_lines(t);
}

int top_make_lines(struct top *t)
{
	const struct event *event = &t->r.events.list[t->state.event];

	t->head.event = event->name;
	t->head.note = NULL;
	if (t->state.view == VIEW_TOPDOWN && !t->shares) {
		t->shares = top_shares_open(t->r.ctx, t->user_only);
		if (t->shares)
			top_shares_turn(t->shares, &t->profile, t->state.event);
	}
	if (t->state.view == VIEW_TOPDOWN && t->shares)
		t->head.note = top_shares_why_not(t->shares);
	if (top_lines_make(&t->lines, &t->profile, t->shares, &t->state))
		return complain("top", EXIT_FAILED, "out of memory");
	return 0;
}

void top_end(struct top *t)
{
	top_shares_close(t->shares);
	top_lines_free(&t->lines);
	top_profile_free(&t->profile);
	pmuctl_data_close(t->data);
	record_free(&t->r);
	if (t->memory >= 0)
		close(t->memory);
}
