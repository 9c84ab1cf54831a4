// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Metrics: found, taken apart into events, and evaluated; and files of them in
 * Intel's form.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib/event.h"

static char path[64];

static int setup(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/pmuctl-metrics-XXXXXX.json");
	fd = mkstemps(path, 5);
	assert_true(fd >= 0);
	close(fd);
	fake_skylake();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct pmuctl *open_with(const char *events_dir)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = events_dir };
	struct pmuctl *ctx;

	assert_int_equal(pmuctl_open(&options, &ctx), 0);
	return ctx;
}

/* Our own, in every shape that Intel's have. */
static const char fixture[] =
	"{ \"Header\": {}, \"Metrics\": [\n"
	" { \"MetricName\": \"Fix_IPC\", \"BriefDescription\": \"per cycle\",\n"
	"   \"UnitOfMeasure\": \"\", \"MetricGroup\": \"Ret;Summary\", \"Level\": 1,\n"
	"   \"Events\": [ { \"Name\": \"INST_RETIRED.ANY\", \"Alias\": \"a\" },\n"
	"               { \"Name\": \"CPU_CLK_UNHALTED.THREAD\", \"Alias\": \"b\" } ],\n"
	"   \"Constants\": [], \"Formula\": \"a / ( b )\",\n"
	"   \"LegacyName\": \"metric_Fix(IPC)\", \"ParentCategory\": null,\n"
	"   \"Threshold\": { \"Formula\": \"\" } },\n"
	" { \"MetricName\": \"Fix_Mods\", \"UnitOfMeasure\": \"percent\",\n"
	"   \"Events\": [ { \"Name\": \"UOPS_ISSUED.ANY:c1:e1:eq0\", \"Alias\": \"a\" },\n"
	"               { \"Name\": \"UOPS_ISSUED.ANY:SUP\", \"Alias\": \"b\" } ],\n"
	"   \"Constants\": [ { \"Name\": \"HYPERTHREADING_ON\", \"Alias\": \"smt_on\" },\n"
	"                  { \"Name\": \"DURATIONTIMEINMILLISECONDS\", \"Alias\": \"ms\" },\n"
	"                  { \"Name\": \"20\", \"Alias\": \"weight\" } ],\n"
	"   \"Formula\": \"100 * a / ( b if smt_on else weight * ms )\",\n"
	"   \"LegacyName\": \"metric_..Fix_Mods(%)\", \"ParentCategory\": \"Fix_IPC\",\n"
	"   \"Threshold\": { \"Formula\": \"( a > 5 ) & ( b < 4 / 2 )\", \"ThresholdMetrics\": [\n"
	"     { \"Alias\": \"a\", \"Value\": \"metric_..Fix_Mods(%)\" },\n"
	"     { \"Alias\": \"b\", \"Value\": \"metric_Fix(IPC)\" } ] } },\n"
	" { \"MetricName\": \"Fix_Tsc\", \"Events\": [],\n"
	"   \"Constants\": [ { \"Name\": \"SYSTEM_TSC_FREQ\", \"Alias\": \"f\" } ],\n"
	"   \"Formula\": \"f\" },\n"
	" { \"MetricName\": \"Fix_Missing\",\n"
	"   \"Events\": [ { \"Name\": \"NO_SUCH.EVENT\", \"Alias\": \"a\" } ],\n"
	"   \"Formula\": \"a\" },\n"
	" { \"MetricName\": \"Fix_Nothing\", \"Formula\": \"1 / DURATIONTIMEINSECONDS + q\",\n"
	"   \"Events\": [ { \"Name\": \"Q\", \"Alias\": \"q\" } ] },\n"
	" { \"MetricName\": \"Fix_Rate\", \"Formula\": \"3 / DURATIONTIMEINSECONDS\" }\n"
	"] }\n";

static double value_of(struct pmuctl *ctx, const char *name, double a, double b, double seconds)
{
	const double counts[] = { a, b };
	struct pmuctl_metric *m;
	double value = NAN;

	if (pmuctl_metric_find(ctx, name, &m))
		fail_msg("%s: %s", name, pmuctl_error(ctx));
	assert_int_equal(pmuctl_metric_value(m, counts, seconds, &value), 0);
	pmuctl_metric_free(m);
	return value;
}

static void of_portable_events(void **state)
{
	struct pmuctl *ctx = open_with("");
	const struct pmuctl_metric_info *info;
	const double none[2] = { 0 };
	struct pmuctl_metric *m;
	double value;

	(void)state;
	assert_true(value_of(ctx, "ipc", 300, 200, 1) == 1.5);
	assert_true(value_of(ctx, "branch-miss-rate", 5, 200, 1) == 2.5);
	assert_int_equal(pmuctl_metric_find(ctx, "IPC:u", &m), 0);
	info = pmuctl_metric_get_info(m);
	assert_string_equal(info->desc.name, "IPC:u");
	assert_string_equal(info->formula, "instructions:u / cycles:u");
	assert_int_equal(info->events_count, 2);
	assert_string_equal(info->events[0], "instructions:u");
	assert_int_equal(pmuctl_metric_value(m, none, 1, &value), -EDOM);
	assert_int_equal(pmuctl_metric_value(NULL, none, 1, &value), -EINVAL);
	assert_int_equal(pmuctl_metric_value(m, NULL, 1, &value), -EINVAL);
	assert_string_equal(pmuctl_error(ctx), "not measurable: no cycles counted (cycles:u is 0)");
	pmuctl_metric_free(m);
	/* An event that has its ring keeps it. */
	assert_int_equal(pmuctl_metric_find(ctx, "kernel-share", &m), 0);
	assert_string_equal(pmuctl_metric_get_info(m)->events[0], "instructions:k");
	assert_string_equal(pmuctl_metric_get_info(m)->events[1], "instructions");
	pmuctl_metric_free(m);
	pmuctl_close(ctx);
}

/* Each with 3 of its first event and 200 of its second one. */
static const struct {
	const char *name, *first, *second;
	double value;
} by_hand[] = {
	{ "IPC", "instructions", "cycles", 0.015 },
	{ "CPI", "cycles", "instructions", 0.015 },
	{ "clock-ratio", "cycles", "ref-cycles", 0.015 },
	{ "branch-miss-rate", "branch-misses", "branches", 1.5 },
	{ "branch-mpki", "branch-misses", "instructions", 15 },
	{ "instructions-per-branch", "instructions", "branches", 0.015 },
	{ "l1d-miss-rate", "l1d-load-misses", "l1d-loads", 1.5 },
	{ "l1d-mpki", "l1d-load-misses", "instructions", 15 },
	{ "cache-miss-rate", "cache-misses", "cache-references", 1.5 },
	{ "cache-mpki", "cache-misses", "instructions", 15 },
	{ "dtlb-mpki", "dtlb-load-misses", "instructions", 15 },
	{ "itlb-mpki", "itlb-misses", "instructions", 15 },
	{ "l1i-mpki", "l1i-misses", "instructions", 15 },
	{ "kernel-share", "instructions:k", "instructions", 1.5 },
};

static int count_portable(void *data, const struct pmuctl_metric_desc *desc)
{
	if (desc->source == PMUCTL_SOURCE_PORTABLE)
		++*(size_t *)data;
	return 0;
}

static void all_portable(void **state)
{
	struct pmuctl *ctx = open_with("");
	struct pmuctl_metric *m;
	size_t i, listed = 0;

	(void)state;
	for (i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++) {
		assert_int_equal(pmuctl_metric_find(ctx, by_hand[i].name, &m), 0);
		assert_string_equal(pmuctl_metric_get_info(m)->events[0], by_hand[i].first);
		assert_string_equal(pmuctl_metric_get_info(m)->events[1], by_hand[i].second);
		pmuctl_metric_free(m);
		if (fabs(value_of(ctx, by_hand[i].name, 3, 200, 1) - by_hand[i].value) > 1e-9)
			fail_msg("%s: %g", by_hand[i].name, value_of(ctx, by_hand[i].name, 3, 200, 1));
	}
	/* There are no others. */
	assert_int_equal(pmuctl_list_metrics(ctx, NULL, count_portable, &listed), 0);
	assert_int_equal(listed, i);
	pmuctl_close(ctx);
}

static void of_intels_files(void **state)
{
	struct pmuctl_metric *m;
	struct pmuctl *ctx;

	(void)state;
	write_file(fixture);
	ctx = open_with(path);
	assert_true(value_of(ctx, "fix_ipc", 300, 200, 1) == 1.5);
	if (pmuctl_metric_find(ctx, "Fix_Mods", &m))
		fail_msg("Fix_Mods: %s", pmuctl_error(ctx));
	assert_string_equal(pmuctl_metric_get_info(m)->events[0], "UOPS_ISSUED.ANY:cmask=1:edge=1:eq=0");
	/* Where no core has threads the other one does not matter. */
	assert_int_equal(pmuctl_metric_get_info(m)->events_count, 1);
	assert_string_equal(pmuctl_metric_get_info(m)->desc.unit, "percent");
	pmuctl_metric_free(m);
	/* 100 * 40 / (20 * 500 ms), or of the second event where threads share cores. */
	assert_true(value_of(ctx, "Fix_Mods", 40, 8, 0.5) == 0.4);
	assert_true(value_of(ctx, "Fix_Rate", 0, 0, 0.5) == 6);
	pmuctl_close(ctx);
	fake.threads = true;
	ctx = open_with(path);
	assert_true(value_of(ctx, "Fix_Mods", 40, 8, 0.5) == 500);
	assert_int_equal(pmuctl_metric_find(ctx, "Fix_Mods", &m), 0);
	assert_string_equal(pmuctl_metric_get_info(m)->events[1], "UOPS_ISSUED.ANY:k");
	pmuctl_metric_free(m);
	pmuctl_close(ctx);
	/* Made with two, of which one is switched off ("nosmt"). */
	fake.smt = 0;
	ctx = open_with(path);
	assert_true(value_of(ctx, "Fix_Mods", 40, 8, 0.5) == 0.4);
	pmuctl_close(ctx);
}

static const struct {
	const char *name;
	int err;
	const char *error;
} refused[] = {
	{ "ipd", -ENOENT, "no such metric; nearest: IPC" },
	{ "no-such-metric-here", -ENOENT, "list --metrics" },
	{ "IPC:x", -EINVAL, "no other modifier" },
	{ "", -ENOENT, "no such metric" },
	{ "Fix_Tsc", -EOPNOTSUPP, "SYSTEM_TSC_FREQ" },
	{ "Fix_Missing", -EOPNOTSUPP, "not on this CPU: its event 'NO_SUCH.EVENT'" },
	{ "kernel-share:u", -EOPNOTSUPP, "its event 'instructions:k' has a ring of its own" },
	{ "Fix_Nothing", -EOPNOTSUPP, "not on this CPU: its event 'Q'" },
};

static void what_cannot_be_measured(void **state)
{
	struct pmuctl_metric *m;
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	write_file(fixture);
	ctx = open_with(path);
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(pmuctl_metric_find(ctx, refused[i].name, &m), refused[i].err);
		if (!strstr(pmuctl_error(ctx), refused[i].error))
			fail_msg("%s: %s", refused[i].name, pmuctl_error(ctx));
	}
	pmuctl_close(ctx);
}

static int count(void *data, const struct pmuctl_metric_desc *desc)
{
	assert_true(desc->name[0]);
	++*(unsigned int *)data;
	return 0;
}

static void listed(void **state)
{
	unsigned int all = 0, summary = 0, fix = 0;
	struct pmuctl *ctx;

	(void)state;
	write_file(fixture);
	ctx = open_with(path);
	assert_int_equal(pmuctl_list_metrics(ctx, NULL, count, &all), 0);
	assert_int_equal(pmuctl_list_metrics(ctx, "Summary", count, &summary), 0);
	assert_int_equal(pmuctl_list_metrics(ctx, "fix*", count, &fix), 0);
	assert_true(all > 10);
	assert_int_equal(summary, 5);
	assert_int_equal(fix, 6);
	pmuctl_close(ctx);
}

/* Top-Down's nodes, in parts where four counters are too few, and other pipeline metrics. */
static void of_the_pipeline(void **state)
{
	const struct pmuctl_metric_info *info;
	unsigned int whole = 0, globbed = 0;
	struct pmuctl_metric *m;
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	ctx = open_with("");
	/* One of several groups, by a part of its name or by a pattern. */
	assert_int_equal(pmuctl_list_metrics(ctx, "topdownl1", count, &whole), 0);
	assert_int_equal(pmuctl_list_metrics(ctx, "TopdownL1*", count, &globbed), 0);
	assert_int_equal(whole, 4);
	assert_int_equal(globbed, 4);
	assert_int_equal(pmuctl_metric_find(ctx, "Ring0_Cycles:k", &m), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "not of one ring alone (:k)"));
	if (pmuctl_metric_find(ctx, "memory_bound:u", &m))
		fail_msg("%s", pmuctl_error(ctx));
	info = pmuctl_metric_get_info(m);
	assert_string_equal(info->desc.name, "Memory_Bound:u");
	assert_string_equal(info->desc.unit, "percent");
	assert_int_equal(info->parts_count, 3);
	for (i = 0; i < info->events_count; i++)
		assert_true(info->parts[i] < 3 && strstr(info->events[i], ":u"));
	pmuctl_metric_free(m);
	assert_int_equal(pmuctl_metric_find(ctx, "Retiring", &m), 0);
	assert_int_equal(pmuctl_metric_get_info(m)->parts_count, 1);
	pmuctl_metric_free(m);
	assert_int_equal(pmuctl_metric_find(ctx, "Issue_2", &m), 0);
	assert_string_equal(pmuctl_metric_get_info(m)->formula,
			    "100 * ( UOPS_ISSUED.ANY:cmask=2 - UOPS_ISSUED.ANY:cmask=3 ) / "
			    "CPU_CLK_UNHALTED.THREAD");
	pmuctl_metric_free(m);
	assert_int_equal(pmuctl_metric_find(ctx, "Issue_5", &m), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "not on this CPU"));
	pmuctl_close(ctx);
}

static void clock_is(struct pmuctl *ctx, const char *event)
{
	struct pmuctl_metric *m;

	assert_int_equal(pmuctl_metric_find(ctx, "Retiring", &m), 0);
	assert_non_null(strstr(pmuctl_metric_get_info(m)->formula, event));
	pmuctl_metric_free(m);
}

/* Where threads share cores, tasks have other formulas than CPUs. */
static void of_targets(void **state)
{
	struct pmuctl_metric_target target = { .size = sizeof(target), .tasks = true };
	struct pmuctl *ctx;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	fake.info_new = true;
	fake.any = true;
	fake.threads = true;
	ctx = open_with("");
	clock_is(ctx, "CPU_CLK_UNHALTED.THREAD_ANY / 2");
	assert_int_equal(pmuctl_metrics_for(ctx, &target), 0);
	clock_is(ctx, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE");
	target.tasks = false;
	assert_int_equal(pmuctl_metrics_for(ctx, &target), 0);
	clock_is(ctx, "CPU_CLK_UNHALTED.THREAD_ANY / 2");
	assert_int_equal(pmuctl_metrics_for(ctx, NULL), -EINVAL);
	pmuctl_close(ctx);
}

/* Haswell's event of executed uops is of both threads of a core, and no share of one's cycles. */
static void of_executed_uops(void **state)
{
	struct pmuctl_metric *m;
	unsigned int listed = 0;
	struct pmuctl *ctx;

	(void)state;
	fake_cpu(0x306c3, 3, 0x70000000full);
	ctx = open_with("");
	assert_int_equal(pmuctl_metric_find(ctx, "Execute_1", &m), 0);
	assert_string_equal(pmuctl_metric_get_info(m)->events[0], "UOPS_EXECUTED.CORE:cmask=1");
	pmuctl_metric_free(m);
	assert_int_equal(pmuctl_metric_find(ctx, "ExecuteWidth", &m), -ENOENT);
	assert_int_equal(pmuctl_list_metrics(ctx, "ExecuteWidth", count, &listed), 0);
	assert_int_equal(listed, 6);
	pmuctl_close(ctx);
	fake.threads = true;
	listed = 0;
	ctx = open_with("");
	assert_int_equal(pmuctl_metric_find(ctx, "Execute_1", &m), -EOPNOTSUPP);
	assert_string_equal(pmuctl_error(ctx), "not on this CPU: it needs an event of the uops that "
					       "one thread of a core executes");
	assert_int_equal(pmuctl_list_metrics(ctx, "ExecuteWidth", count, &listed), 0);
	assert_int_equal(listed, 0);
	/* A group of which there is nothing here has the reason of what is in it. */
	assert_int_equal(pmuctl_metric_find(ctx, "executewidth:u", &m), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "one thread of a core executes"));
	assert_int_equal(pmuctl_metric_find(ctx, "ExecuteWidt", &m), -ENOENT);
	pmuctl_close(ctx);
}

/* What the module refuses to a user is told by the metric; formulas of tasks want none of it. */
static void of_users(void **state)
{
	const struct pmuctl_metric_target target = {
		.size = sizeof(target), .tasks = true, .unprivileged = true,
	};
	struct pmuctl_metric *m;
	struct pmuctl *ctx;

	(void)state;
	write_file("{ \"Metrics\": [ { \"MetricName\": \"Fix_Both\", \"Formula\": \"a\","
		   "\"Events\": [ { \"Name\": \"CPU_CLK_UNHALTED.THREAD_ANY\", \"Alias\": \"a\" }"
		   "] } ] }");
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	fake.info_new = true;
	fake.any = true;
	fake.threads = true;
	ctx = open_with(path);
	assert_int_equal(pmuctl_metrics_for(ctx, &target), 0);
	assert_int_equal(pmuctl_metric_find(ctx, "Fix_Both:u", &m), -EOPNOTSUPP);
	assert_string_equal(pmuctl_error(ctx), "it needs CAP_PERFMON: its event "
			    "'CPU_CLK_UNHALTED.THREAD_ANY:u' counts the other thread of the core "
			    "as well");
	assert_int_equal(pmuctl_metric_find(ctx, "Bad_Speculation:u", &m), 0);
	assert_null(strstr(pmuctl_metric_get_info(m)->formula, "_ANY"));
	pmuctl_metric_free(m);
	pmuctl_close(ctx);
}

static const struct {
	const char *name, *parent, *threshold;
} thresholds[] = {
	{ "Fix_Mods:u", "Fix_IPC", "( Fix_Mods > 5 ) & ( Fix_IPC < 4 / 2 )" },
	{ "Fix_IPC", "", "" },
	{ "ICache_Misses", "Fetch_Latency",
	  "ICache_Misses > 5 & Fetch_Latency > 10 & Frontend_Bound > 15" },
	{ "Retiring", "", "Retiring > 70 | Heavy_Operations > 10" },
	{ "CPI", "", "" },
};

static int values(void *data, const char *name, double *value)
{
	const double *of = data;

	if (!strcmp(name, "Fix_Mods"))
		*value = of[0];
	else if (of[1] >= 0 && !strcmp(name, "Fix_IPC"))
		*value = of[1];
	else
		return -1;
	return 0;
}

static void worth_a_look(void **state)
{
	double over[] = { 6, 1.5 }, under[] = { 6, 2.5 }, alone[] = { 6, -1 };
	struct pmuctl_metric *m;
	struct pmuctl *ctx;
	bool flagged;
	size_t i;

	(void)state;
	write_file(fixture);
	ctx = open_with(path);
	for (i = 0; i < sizeof(thresholds) / sizeof(thresholds[0]); i++) {
		if (pmuctl_metric_find(ctx, thresholds[i].name, &m))
			fail_msg("%s: %s", thresholds[i].name, pmuctl_error(ctx));
		assert_string_equal(pmuctl_metric_get_info(m)->desc.parent, thresholds[i].parent);
		assert_string_equal(pmuctl_metric_get_info(m)->desc.threshold,
				    thresholds[i].threshold);
		if (!*thresholds[i].threshold)
			assert_int_equal(pmuctl_metric_flagged(m, values, over, &flagged),
					 -ENODATA);
		pmuctl_metric_free(m);
	}
	assert_int_equal(pmuctl_metric_find(ctx, "Fix_Mods", &m), 0);
	assert_int_equal(pmuctl_metric_flagged(NULL, values, over, &flagged), -EINVAL);
	assert_int_equal(pmuctl_metric_flagged(m, values, over, &flagged), 0);
	assert_true(flagged);
	assert_int_equal(pmuctl_metric_flagged(m, values, under, &flagged), 0);
	assert_false(flagged);
	assert_int_equal(pmuctl_metric_flagged(m, values, alone, &flagged), -ENODATA);
	pmuctl_metric_free(m);
	pmuctl_close(ctx);
}

#define METRIC "{ \"Metrics\": [\n { \"MetricName\": \"X\",\n"
/* On lines 3 and 4. */
#define TWO(a, b) " \"Events\": [ { \"Name\": \"A.A\", \"Alias\": " a " },\n" \
		  " { \"Name\": \"B.B\", \"Alias\": " b " } ],\n"

static const struct {
	const char *text;
	const char *error;
} broken[] = {
	{ "{ \"Metrics\": [ { \"MetricName\" } ] }", ".json:1:" },
	{ "{ \"Metrics\": 3 }", "no list of metrics" },
	{ "{ \"Metrics\": [ 3 ] }", "metric 1 (of no name): it is no object" },
	{ "{ \"Metrics\": [ { \"Formula\": \"1\" } ] }", "MetricName is missing" },
	{ METRIC " \"Formula\": 3 } ] }", ".json:3: metric 1 (X): Formula is no string" },
	{ METRIC " \"Level\": 1 } ] }", ".json:2: metric 1 (X): Formula is missing" },
	{ METRIC " \"Formula\": \"1 +\" } ] }",
	  ".json:3: metric 1 (X): Formula is none: at character 4, a value is missing" },
	{ METRIC " \"Events\": 3, \"Formula\": \"1\" } ] }", "Events is no list" },
	{ METRIC " \"Events\": [ 3 ], \"Formula\": \"1\" } ] }", "one without Name or Alias" },
	{ METRIC " \"Events\": [ { \"Name\": \"A\" } ], \"Formula\": \"1\" } ] }",
	  "one without Name or Alias" },
	{ METRIC " \"Constants\": [ { \"Name\": 3 } ], \"Formula\": \"1\" } ] }",
	  "Name is no string" },
	{ METRIC " \"Formula\": \"1\", \"Threshold\": 3 } ] }", "Threshold is no object" },
	{ METRIC " \"Formula\": \"1\", \"Threshold\": { \"Formula\": 3 } } ] }",
	  "Threshold has a Formula that is no string" },
	{ METRIC " \"Formula\": \"1\",\n \"Threshold\": { \"Formula\": \"1 >\" } } ] }",
	  ".json:4: metric 1 (X): Threshold is none: at character 4, a value is missing" },
	{ METRIC " \"Formula\": \"1\", \"Threshold\": { \"Formula\": \"a\", "
	  "\"ThresholdMetrics\": [ 3 ] } } ] }", "one without Value or Alias" },
	/* Fields within fields have lines of their own. */
	{ METRIC TWO("\"a\"", "5") " \"Formula\": \"a\" } ] }",
	  ".json:4: metric 1 (X): Alias is no string" },
	{ METRIC " \"Events\": [ { \"Name\": \"Alias\", \"Alias\": \"a\" },\n"
	  " {\n \"Name\": 5 } ],\n \"Formula\": \"a\" } ] }",
	  ".json:5: metric 1 (X): Name is no string" },
	{ METRIC " \"Events\": [\n { \"Name\": \"A\", \"Alias\": \"a\" },\n 3 ],\n"
	  " \"Formula\": \"a\" } ] }",
	  ".json:5: metric 1 (X): Events has one without Name or Alias" },
	{ METRIC " \"Formula\": \"1\",\n \"Threshold\": {\n \"Formula\": \"1 >\" } } ] }",
	  ".json:5: metric 1 (X): Threshold is none: at character 4" },
	{ METRIC " \"Formula\": \"1\", \"Threshold\": { \"Formula\": \"a\",\n"
	  " \"ThresholdMetrics\": [\n { \"Value\": \"X\",\n \"Alias\": 5 } ] } } ] }",
	  ".json:6: metric 1 (X): Alias is no string" },
	{ METRIC " \"BriefDescription\": \"Formula\",\n \"Formula\": 3 } ] }",
	  ".json:4: metric 1 (X): Formula is no string" },
	/* What a formula uses has a meaning, and one. */
	{ METRIC TWO("\"a\"", "\"b\"") " \"Formula\": \"a / z + b\" } ] }",
	  ".json:5: metric 1 (X): Formula uses 'z', which is no alias" },
	{ METRIC " \"Formula\": \"INST_RETIRED.ANY\" } ] }",
	  ".json:3: metric 1 (X): Formula uses 'INST_RETIRED.ANY', which is no alias" },
	{ METRIC TWO("\"a\"", "\"a\"") " \"Formula\": \"a\" } ] }",
	  ".json:4: metric 1 (X): Alias 'a' is of another one already" },
	{ METRIC TWO("\"a\"", "\"b\"")
	  " \"Constants\": [ { \"Name\": \"4\",\n \"Alias\": \"b\" } ], \"Formula\": \"a\" } ] }",
	  ".json:6: metric 1 (X): Alias 'b' is of another one already" },
	{ METRIC TWO("\"a\"", "\"b\"") " \"Formula\": \"a\", \"Threshold\": {\n"
	  " \"Formula\": \"a > 5 & z > 1\", \"ThresholdMetrics\": [\n"
	  " { \"Alias\": \"a\", \"Value\": \"X\" } ] } } ] }",
	  ".json:6: metric 1 (X): Threshold uses 'z', which is no alias" },
	{ METRIC " \"Formula\": \"1\", \"Threshold\": { \"Formula\": \"a\",\n"
	  " \"ThresholdMetrics\": [ { \"Value\": \"X\", \"Alias\": \"a\" },\n"
	  " { \"Value\": \"Y\", \"Alias\": \"a\" } ] } } ] }",
	  ".json:5: metric 1 (X): Alias 'a' is of another one already" },
};

static void broken_files(void **state)
{
	struct pmuctl_metric *m;
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		write_file(broken[i].text);
		ctx = open_with(path);
		if (pmuctl_metric_find(ctx, "IPC", &m) != -EINVAL ||
		    !strstr(pmuctl_error(ctx), broken[i].error))
			fail_msg("%s: %s", broken[i].text, pmuctl_error(ctx));
		pmuctl_close(ctx);
	}
	/* Events without metrics beside them are no reason to complain. */
	write_file("[ { \"EventName\": \"X\", \"EventCode\": \"1\" } ]");
	ctx = open_with(path);
	assert_true(value_of(ctx, "CPI", 300, 200, 1) == 1.5);
	pmuctl_close(ctx);
}

/* Each of Intel's either is made of events that are there, or says what is missing. */
static int find_one(void *data, const struct pmuctl_metric_desc *desc)
{
	struct pmuctl *ctx = data;
	struct pmuctl_metric *m;
	int err = pmuctl_metric_find(ctx, desc->name, &m);

	if (!err)
		pmuctl_metric_free(m);
	else if (err != -EOPNOTSUPP || !pmuctl_error(ctx)[0])
		fail_msg("%s: %d %s", desc->name, err, pmuctl_error(ctx));
	return 0;
}

static void all_of_intels_own(void **state)
{
	const char *facts = getenv("PMUCTL_FACTS");
	char there[256];
	struct pmuctl *ctx;

	(void)state;
	snprintf(there, sizeof(there), "%s/perfmon/SKL/metrics/skylake_metrics.json",
		 facts ? facts : "/work/shared/facts");
	if (access(there, R_OK)) {
		print_message("%s is not there\n", there);
		skip();
	}
	ctx = open_with(there);
	if (pmuctl_list_metrics(ctx, NULL, find_one, ctx))
		fail_msg("%s", pmuctl_error(ctx));
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(of_portable_events, setup, teardown),
		cmocka_unit_test_setup_teardown(all_portable, setup, teardown),
		cmocka_unit_test_setup_teardown(of_intels_files, setup, teardown),
		cmocka_unit_test_setup_teardown(of_the_pipeline, setup, teardown),
		cmocka_unit_test_setup_teardown(of_targets, setup, teardown),
		cmocka_unit_test_setup_teardown(of_executed_uops, setup, teardown),
		cmocka_unit_test_setup_teardown(of_users, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_measured, setup, teardown),
		cmocka_unit_test_setup_teardown(listed, setup, teardown),
		cmocka_unit_test_setup_teardown(worth_a_look, setup, teardown),
		cmocka_unit_test_setup_teardown(broken_files, setup, teardown),
		cmocka_unit_test_setup_teardown(all_of_intels_own, setup, teardown),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
