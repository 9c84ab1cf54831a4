// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl topdown as a whole, against the kernel of paper: what it refuses, what it
 * prints in each format, and that the counted command runs as it would alone.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>

#include "tools/topdown/topdown.h"
#include "tests/unit/tools/run.h"

static void usage_is_129(void **state)
{
	(void)state;
	RUN_HAS("topdown", 129, "nothing to count");
	RUN_HAS("topdown -Q true", 129, "usage: pmuctl topdown");
	RUN_HAS("topdown -l 9 true", 129, "-l '9': not a number from 1 to 3");
	RUN_HAS("topdown -l 0 true", 129, "-l '0'");
	RUN_HAS("topdown --tma5 --classical true", 129, "not both");
	RUN_HAS("topdown --nodes  true", 129, "name of a node is empty");
	RUN_HAS("topdown --nodes Retiring,,Backend_Bound true", 129, "name of a node is empty");
	RUN_HAS("topdown --svg  true", 129, "--svg: the file name is empty");
	RUN_HAS("topdown --counts  true", 129, "--counts: the file name is empty");
	RUN_HAS("topdown -x, -j true", 129, "not both");
	RUN_HAS("topdown -r 3 -a", 129, "there is none");
	RUN_HAS("topdown -r 0 true", 129, "-r '0'");
	RUN_HAS("topdown -r 2 --per-task true", 129, "--per-task");
	RUN_HAS("topdown -r 2 -I 10 true", 129, "does not go with -r");
	RUN_HAS("topdown -I x true", 129, "-I 'x'");
	RUN_HAS("topdown --per-task -C 0", 129, "--per-task is for tasks");
	RUN_HAS("topdown --per-task -D 5 true", 129, "-D does not go with --per-task");
	RUN_HAS("topdown --per-task -I 5 --svg x true", 129, "not for both");
	RUN_HAS("topdown --append true", 129, "there is no -o");
	RUN_HAS("topdown --timeout 5 -D 5 true", 129, "over before the delay");
	RUN_HAS("topdown -p 7,8,7", 129, "7 is in it twice");
	RUN_HAS("topdown -a -p 1", 129, "at a time");
}

static void bad_nodes(void **state)
{
	(void)state;
	RUN_HAS("topdown --nodes Memory_Bond true", 129, "Memory_Bound");
	RUN_HAS("topdown --nodes nonsense true", 129, "nonsense");
	assert_null(strstr(err, "Top-Down of"));
	/* What was in the file stays. */
	RUN_HAS("topdown --nodes nonsense -o /dev/full true", 129, "nonsense");
	RUN_HAS("topdown -o /no/such/file true", 255, "-o /no/such/file: No such file");
	RUN_HAS("topdown --svg /no/such/file true", 255, "/no/such/file: No such file");
	RUN_HAS("topdown --counts /no/such/file true", 255, "/no/such/file: No such file");
}

static void no_tree_here(void **state)
{
	(void)state;
	fake_p6();
	RUN_HAS("topdown true", 255, "pmuctl topdown: ");
	assert_null(strstr(err, "Top-Down of"));
}

static void commands_exit_code(void **state)
{
	(void)state;
	RUN_HAS("topdown true", 0, "Top-Down of true");
	RUN_HAS("topdown -l 1 false", 1, "Top-Down of false");
	assert_int_equal(run("topdown -r 2 false"), 1);
	assert_int_equal(run("topdown --no-multiplex false"), 1);
	RUN_HAS("topdown /no/such/command", 255, "command '/no/such/command': No such file");
	assert_null(strstr(err, "Top-Down of"));
}

static void text_is_a_tree(void **state)
{
	(void)state;
	assert_int_equal(run("topdown -l 2 true"), 0);
	assert_string_equal(out, "");
	assert_non_null(strstr(err, "Top-Down of true\n"));
	assert_non_null(strstr(err, "TMA 5.2"));
	assert_non_null(strstr(err, " Frontend_Bound "));
	assert_non_null(strstr(err, "   Fetch_Latency "));
	assert_non_null(strstr(err, " seconds\n"));
	assert_int_equal(run("topdown -l 1 -u true"), 0);
	assert_non_null(strstr(err, "user mode only"));
	assert_null(strstr(err, "Fetch_Latency"));
	assert_int_equal(run("topdown --nodes memory_bound true"), 0);
	assert_non_null(strstr(err, " Memory_Bound "));
	assert_null(strstr(err, "Fetch_Latency"));
	assert_int_equal(run("topdown -l 1 --formula true"), 0);
	assert_non_null(strstr(err, "IDQ_UOPS_NOT_DELIVERED"));
}

/* The column of a line, from 0; false: it has none. */
static bool column(const char *line, unsigned int number, char *text, size_t size)
{
	size_t n;

	for (; number; number--) {
		line += strcspn(line, ";\n");
		if (*line++ != ';')
			return false;
	}
	n = strcspn(line, ";\n");
	snprintf(text, size, "%.*s", (int)n, line);
	return true;
}

static unsigned int digits(const char *text)
{
	unsigned int n = 0;

	for (text += strspn(text, "-0."); *text; text++)
		n += !!isdigit((unsigned char)*text);
	return n;
}

/* The counts of paper make no sense: what is shown does, and the raw value is there. */
static void rows_are_sane(const char *rows, unsigned int skip)
{
	double sum = 0, value;
	char text[64], raw[64];
	const char *line;

	for (line = rows; *line; line = strchr(line, '\n') + 1) {
		assert_true(column(line, skip, text, sizeof(text)));
		assert_true(column(line, skip + 7, raw, sizeof(raw)));
		if (text[0] == '<')
			continue;
		value = strtod(text, NULL);
		assert_true(value >= 0 && value <= 100);
		assert_true(value == 0 || value == 100 || digits(text) >= 6);
		assert_int_not_equal(raw[0], '\0');
		assert_true(column(line, skip + 3, text, sizeof(text)));
		if (atoi(text) == 1)
			sum += value;
	}
	assert_float_equal(sum, 100, 1e-6);
}

static void csv_and_json(void **state)
{
	char text[64];

	(void)state;
	assert_int_equal(run("topdown -x; true"), 0);
	rows_are_sane(err, 0);
	assert_true(column(err, 2, text, sizeof(text)));
	assert_string_equal(text, "Frontend_Bound");
	assert_true(column(err, 10, text, sizeof(text)));
	assert_false(column(err, 11, text, sizeof(text)));
	assert_int_equal(run("topdown -x; --formula true"), 0);
	assert_true(column(err, 12, text, sizeof(text)));
	assert_int_equal(run("topdown -x; -I 10000 true"), 0);
	rows_are_sane(err, 1);
	assert_int_equal(run("topdown -x; --no-multiplex true"), 0);
	rows_are_sane(err, 0);
	assert_int_equal(run("topdown -x; -r 3 true"), 0);
	rows_are_sane(err, 0);
	assert_int_equal(run("topdown -j true"), 0);
	assert_non_null(strstr(err, "\"name\": \"Frontend_Bound\", \"level\": 1"));
	assert_non_null(strstr(err, "\"parent\": \"Frontend_Bound\""));
	assert_non_null(strstr(err, "\"bottleneck\": "));
}

/* A node has its error though its events are spread over several runs. */
static void runs_of_a_round_have_errors(void **state)
{
	const char *line;
	char text[64];

	(void)state;
	assert_int_equal(run("topdown -l 2 -x; --no-multiplex -r 2 true"), 0);
	for (line = err; *line; line = strchr(line, '\n') + 1) {
		assert_true(column(line, 0, text, sizeof(text)));
		if (text[0] == '<')
			continue;
		assert_true(column(line, 8, text, sizeof(text)));
		assert_int_not_equal(text[0], '\0');
	}
}

static void nothing_ran(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(fake.counts) / sizeof(fake.counts[0]); i++)
		memset(&fake.counts[i], 0, sizeof(fake.counts[i]));
	assert_int_equal(run("topdown -x; -l 1 true"), 0);
	assert_int_equal(count_text(err, "<not measured>"), 4);
	assert_int_equal(run("topdown -l 1 true"), 0);
	assert_non_null(strstr(err, "not measurable"));
	assert_null(strstr(err, " 0.00 %"));
}

static void too_short_for_turns(void **state)
{
	size_t i;

	(void)state;
	assert_int_equal(run("topdown -l 1 true"), 0);
	assert_null(strstr(err, "too short"));
	/* What +- means is said where there is one. */
	assert_true(!strstr(err, "% +-") == !strstr(err, "Behind +-"));
	for (i = 0; i < sizeof(fake.counts) / sizeof(fake.counts[0]); i++)
		fake.counts[i].running = fake.counts[i].enabled / 4;
	assert_int_equal(run("topdown -l 1 true"), 0);
	assert_non_null(strstr(err, "--no-multiplex runs the command once"));
	/* Before any number, and none is marked. */
	assert_true(strstr(err, "too short") < strstr(err, " %"));
	assert_null(strstr(err, " ! "));
	assert_null(strstr(err, "bottleneck"));
	assert_int_equal(run("topdown -x; -l 1 true"), 0);
	assert_non_null(strstr(err, ";too short for turns: "));
	assert_int_equal(run("topdown -l 1 -a --timeout 5"), 0);
	assert_non_null(strstr(err, "The time was too short"));
	assert_int_equal(run("topdown -l 1 -I 10000 true"), 0);
	assert_non_null(strstr(err, "The interval is too short"));
	assert_null(strstr(err, "% +-"));
	assert_null(strstr(err, "Behind +-"));
	assert_null(strstr(err, "--no-multiplex"));
}

/* Who may count nothing but own tasks' user mode has sets of what the module gives. */
static void users_count_their_own(void **state)
{
	(void)state;
	fake.info_new = true;
	fake.any = true;
	fake.threads = true;
	assert_int_equal(run("topdown -l 1 -v -a true"), 0);
	assert_non_null(strstr(err, " INT_MISC.RECOVERY_CYCLES_ANY"));
	assert_int_equal(run("topdown -l 1 -v true"), 0);
	assert_non_null(strstr(err, " INT_MISC.RECOVERY_CYCLES\n"));
	assert_null(strstr(err, "RECOVERY_CYCLES_ANY"));
	unprivileged = true;
	assert_int_equal(run("topdown -l 1 -v true"), 0);
	assert_non_null(strstr(err, " INT_MISC.RECOVERY_CYCLES:u"));
	assert_null(strstr(err, "RECOVERY_CYCLES_ANY"));
	assert_int_equal(run("topdown -l 1 -v -u true"), 0);
	assert_null(strstr(err, "RECOVERY_CYCLES_ANY"));
}

/* What they are told to record is what they may, and JSON has the same. */
static void users_record_their_own(void **state)
{
	(void)state;
	fake.info_new = true;
	assert_int_equal(run("topdown -j --nodes Memory_Bound true"), 0);
	assert_non_null(strstr(err, "\"event\": \"MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=8\", "
				    "\"precise\": true"));
	unprivileged = true;
	assert_int_equal(run("topdown -j --nodes Memory_Bound true"), 0);
	assert_int_equal(count_text(err, "\"event\": \"cycles\", \"precise\": false"), 2);
	assert_int_equal(run("topdown true"), 0);
	assert_non_null(strstr(err, "pmuctl record -e "));
	assert_null(strstr(err, "pmuctl record -e FRONTEND_RETIRED"));
	assert_null(strstr(err, "pmuctl record -e MEM_TRANS_RETIRED"));
	assert_null(strstr(err, "pp -- "));
}

static void sets_need_runs(void **state)
{
	(void)state;
	RUN_HAS("topdown --no-multiplex -a", 129, "each in a run of its own");
	RUN_HAS("topdown --no-multiplex -I 10 true", 129, "each in a run of its own");
	RUN_HAS("topdown --no-multiplex --per-task true", 129, "-l 1");
}

static unsigned int files_in(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char path[PATH_MAX];
	unsigned int n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		n += entry->d_name[0] != '.' && !unlink(path);
	}
	closedir(dir);
	return n;
}

/* No set has the cold run, which comes first. */
static void a_run_warms_up(void **state)
{
	char directory[] = "/tmp/topdown-XXXXXX", command[100];

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(command, sizeof(command), "topdown -l 2 -v --no-multiplex mktemp -p %s", directory);
	assert_int_equal(run(command), 0);
	assert_true(count_text(err, "\nset ") > 1);
	assert_int_equal(files_in(directory), count_text(err, "\nset ") + 1);
	snprintf(command, sizeof(command), "topdown -l 1 --no-multiplex mktemp -p %s", directory);
	assert_int_equal(run(command), 0);
	assert_int_equal(files_in(directory), 1);
	assert_int_equal(rmdir(directory), 0);
}

/* Three standard errors, if they are known; it may be anything from 100 on. */
static void bars_are_three_errors(void **state)
{
	struct pmuctl_topdown_result r = { .error = 2.5 };

	(void)state;
	assert_true(topdown_bar(&r) == 7.5);
	r.error = 0;
	assert_true(topdown_bar(&r) == 0);
	r.error = -0.25;
	assert_true(topdown_bar(&r) == -1);
	r.error = 33.5;
	assert_true(topdown_bar(&r) == 100);
}

static size_t node_named(const struct pmuctl_topdown *plan, const char *name)
{
	size_t i;

	for (i = 0; strcmp(pmuctl_topdown_get_node(plan, i)->name, name); i++)
		;
	return i;
}

/* What is shown larger than its parent has a mark, whatever it is percents of. */
static void what_is_odd_has_a_mark(void **state)
{
	static const struct {
		const char *node;
		struct pmuctl_topdown_result result;
		const char *remark;
	} rows[] = {
		{ "Divider", { .value = 50, .raw = 50 }, "above its parent, which is of Slots" },
		{ "Divider", { .value = 5, .raw = 5 }, "" },
		{ "Divider", { .value = 100, .raw = 120, .outside = true }, "outside of 0 to 100" },
		{ "Memory_Bound", { .value = 30, .raw = 45, .outside = true }, "above its parent" },
		{ "Memory_Bound", { .value = 0, .raw = -2, .outside = true },
		  "outside of 0 to 100" },
		{ "Memory_Bound", { .value = 30, .raw = 30 }, "" },
		{ "Divider", { .value = 50, .why_not = "nothing ran" }, "" },
	};
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	struct pmuctl_topdown_result results[64] = { { .value = 0 } };
	struct topdown_tree tree = { .results = results };
	struct pmuctl_topdown *plan;
	struct pmuctl *ctx;
	char text[80];
	size_t i, node;

	(void)state;
	assert_int_equal(pmuctl_open(&options, &ctx), 0);
	assert_int_equal(pmuctl_topdown_new(ctx, NULL, &plan), 0);
	tree.plan = plan;
	results[node_named(plan, "Backend_Bound")].value = 30;
	results[node_named(plan, "Core_Bound")].value = 20;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		node = node_named(plan, rows[i].node);
		results[node] = rows[i].result;
		topdown_remark(&tree, node, text, sizeof(text));
		assert_string_equal(text, rows[i].remark);
	}
	pmuctl_topdown_free(plan);
	pmuctl_close(ctx);
}

/* Of readings that go up what is tallied is what came between them. */
static void readings_are_differences(void **state)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	const struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1 };
	struct topdown_run r = { .repeat = 1, .nr_parts = 1 };
	struct topdown_history *h = &r.whole.history;
	struct pmuctl *ctx;

	(void)state;
	assert_int_equal(pmuctl_open(&options, &ctx), 0);
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &r.parts[0].plan), 0);
	assert_int_equal(topdown_list_turns(&r), 0);
	assert_int_equal(r.events, pmuctl_topdown_events(r.parts[0].plan));
	assert_int_equal(topdown_watch_init(&r, &r.whole), 0);
	h->readings[r.events] = (struct pmuctl_topdown_count){ 10, 100, 50 };
	h->readings[2 * r.events] = (struct pmuctl_topdown_count){ 30, 250, 90 };
	h->count = 3;
	assert_int_equal(topdown_watch_tally(&r, &r.whole, false), 0);
	assert_int_equal(h->sums[0].value, 30);
	assert_int_equal(h->sums[0].enabled, 250);
	assert_int_equal(h->sums[0].running, 90);
	/* It goes on from there. */
	h->readings[r.events] = (struct pmuctl_topdown_count){ 31, 260, 100 };
	h->count = 2;
	assert_int_equal(topdown_watch_tally(&r, &r.whole, true), 0);
	assert_int_equal(h->sums[0].value, 31);
	assert_int_equal(h->sums[0].enabled, 260);
	assert_int_equal(h->sums[0].running, 100);
	topdown_run_free(&r);
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(usage_is_129, setup),
		cmocka_unit_test_setup(bad_nodes, setup),
		cmocka_unit_test_setup(no_tree_here, setup),
		cmocka_unit_test_setup(commands_exit_code, setup),
		cmocka_unit_test_setup(text_is_a_tree, setup),
		cmocka_unit_test_setup(csv_and_json, setup),
		cmocka_unit_test_setup(runs_of_a_round_have_errors, setup),
		cmocka_unit_test_setup(nothing_ran, setup),
		cmocka_unit_test_setup(too_short_for_turns, setup),
		cmocka_unit_test_setup(users_count_their_own, setup),
		cmocka_unit_test_setup(users_record_their_own, setup),
		cmocka_unit_test_setup(sets_need_runs, setup),
		cmocka_unit_test_setup(a_run_warms_up, setup),
		cmocka_unit_test(bars_are_three_errors),
		cmocka_unit_test_setup(what_is_odd_has_a_mark, setup),
		cmocka_unit_test_setup(readings_are_differences, setup),
	};

	/* Whatever machine this is; for all processes, of which each starts it once. */
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	unsetenv("PMUCTL_EVENTS_DIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
