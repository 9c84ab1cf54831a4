// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that counts itself through libpmuctl: what it reads must be what
 * it does, whole or in turns, by sums and by CPUs, before and after a reset.
 * Says what is wrong, and ends with 1 then.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pmuctl.h>

#include "checked.h"
#include "need.h"

static struct pmuctl *ctx;

static struct pmuctl_value values[64];
static size_t nr_values;

static int take(void *data, const struct pmuctl_value *value)
{
	(void)data;
	if (nr_values < 64)
		values[nr_values++] = *value;
	return 0;
}

static void read_counts(struct pmuctl_session *s)
{
	nr_values = 0;
	need(ctx, pmuctl_session_read(s, take, NULL), "read");
}

static struct pmuctl_event *event(const char *name)
{
	struct pmuctl_event *e;

	need(ctx, pmuctl_event_parse(ctx, name, &e), name);
	return e;
}

static void add(struct pmuctl_session *s, const char *name)
{
	struct pmuctl_event *e = event(name);

	need(ctx, pmuctl_session_add_event(s, e), name);
	pmuctl_event_free(e);
}

static void add_pair(struct pmuctl_session *s, const char *a, const char *b)
{
	struct pmuctl_event *pair[2] = { event(a), event(b) };

	need(ctx, pmuctl_session_add_group(s, pair, 2), "group");
	pmuctl_event_free(pair[0]);
	pmuctl_event_free(pair[1]);
}

static struct pmuctl_session *begin(void)
{
	struct pmuctl_session *s;

	need(ctx, pmuctl_session_new(ctx, &s), "session");
	return s;
}

static void run(struct pmuctl_session *s)
{
	need(ctx, pmuctl_session_create(s, PMUCTL_MULTIPLEX), "create");
	need(ctx, pmuctl_session_start(s), "start");
}

/* The read costs the same each time, so that two lengths of a loop differ by it alone. */
static void count_itself(void)
{
	struct pmuctl_session *s = begin();
	uint64_t cost[3], branches[3];
	struct pmuctl_value one;
	struct mallinfo2 before;
	size_t used;
	int i;

	add(s, "instructions:u");
	add(s, "branches:u");
	need(ctx, pmuctl_session_add_thread(s, 0), "thread");
	run(s);
	read_counts(s);
	for (i = 0; i < 3; i++) {
		read_counts(s);
		cost[i] = values[0].value;
		branches[i] = values[1].value;
		loop((uint64_t)(i + 1) * 100000);
	}
	read_counts(s);
	CHECK(cost[2] - cost[1] - (cost[1] - cost[0]) == 200000, "%llu and %llu",
	      (unsigned long long)(cost[1] - cost[0]), (unsigned long long)(cost[2] - cost[1]));
	CHECK(branches[2] - branches[1] - (branches[1] - branches[0]) == 100000, "%llu",
	      (unsigned long long)branches[2]);
	need(ctx, pmuctl_session_value(s, 1, &one), "value");
	CHECK(one.value > branches[2] + 300000 && one.value < branches[2] + 301000, "%llu and %llu",
	      (unsigned long long)branches[2], (unsigned long long)one.value);
	CHECK(values[0].estimate == values[0].value && !values[0].flags, "flags %u",
	      values[0].flags);
	before = mallinfo2();
	used = before.uordblks;
	for (i = 0; i < 1000; i++)
		read_counts(s);
	CHECK(mallinfo2().uordblks == used, "reading leaves %zu bytes",
	      mallinfo2().uordblks - used);
	need(ctx, pmuctl_session_reset(s), "reset");
	read_counts(s);
	CHECK(values[0].value < cost[0] && values[1].value < branches[0], "%llu after a reset",
	      (unsigned long long)values[0].value);
	pmuctl_session_free(s);
}

/* A group's members count the same thing for the same time: the same number. */
static void take_turns(void)
{
	struct pmuctl_session *s = begin();
	uint64_t turns = 60000000;

	add(s, "instructions:uD");
	add_pair(s, "branches:u", "r00c4:u");
	add_pair(s, "branches:u", "r00c4:u");
	add_pair(s, "branches:u", "r00c4:u");
	need(ctx, pmuctl_session_add_thread(s, gettid()), "thread");
	CHECK(!pmuctl_session_fits(s), "six branches fit");
	need(ctx, pmuctl_session_set_interval(s, 500000), "interval");
	run(s);
	loop(turns);
	need(ctx, pmuctl_session_stop(s), "stop");
	read_counts(s);
	CHECK(nr_values == 7, "%zu values", nr_values);
	CHECK(values[0].value >= 2 * turns && values[0].value < 2 * turns + 20000,
	      "pinned %llu", (unsigned long long)values[0].value);
	CHECK(values[0].running == values[0].enabled && !values[0].flags, "pinned %u",
	      values[0].flags);
	for (size_t i = 1; i < 7; i += 2) {
		CHECK(values[i].value == values[i + 1].value, "group of %zu is %llu and %llu", i,
		      (unsigned long long)values[i].value, (unsigned long long)values[i + 1].value);
		CHECK(values[i].flags == PMUCTL_VALUE_ESTIMATE, "event %zu flags %u", i,
		      values[i].flags);
		CHECK(values[i].running && values[i].running < values[i].enabled, "event %zu", i);
		CHECK(values[i].estimate > turns - turns / 50 &&
		      values[i].estimate < turns + turns / 50,
		      "event %zu is estimated as %llu of %llu", i,
		      (unsigned long long)values[i].estimate, (unsigned long long)turns);
	}
	pmuctl_session_free(s);
}

/* The CPUs' values add up to their sum. */
static void cpus_add_up(void)
{
	struct pmuctl_session *s = begin();
	uint64_t sum[6] = { 0 };
	size_t i;

	add(s, "instructions");
	add(s, "branches");
	add(s, "branch-misses");
	add(s, "r00c4");
	add(s, "r00c5");
	add(s, "r00c4:u");
	need(ctx, pmuctl_session_add_cpu(s, 0), "cpu");
	need(ctx, pmuctl_session_add_cpu(s, 1), "cpu");
	run(s);
	loop(20000000);
	need(ctx, pmuctl_session_stop(s), "stop");
	nr_values = 0;
	need(ctx, pmuctl_session_read_each(s, take, NULL), "read");
	CHECK(nr_values == 12, "%zu values", nr_values);
	for (i = 0; i < nr_values; i++)
		sum[values[i].event] += values[i].value;
	read_counts(s);
	for (i = 0; i < 6; i++)
		CHECK(values[i].cpu == -1 && values[i].value == sum[i] && sum[0],
		      "event %zu: %llu and %llu", i, (unsigned long long)values[i].value,
		      (unsigned long long)sum[i]);
	pmuctl_session_free(s);
}

int main(void)
{
	if (pmuctl_open(NULL, &ctx))
		return 1;
	count_itself();
	take_turns();
	cpus_add_up();
	pmuctl_close(ctx);
	return failed;
}
