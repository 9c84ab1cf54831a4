// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl cpi: the arithmetic of its parts, and the command as a whole against the kernel of paper.
 */
#include <fcntl.h>
#include <math.h>

#include "tests/unit/tools/run.h"
#include "tools/cpi/cpi.h"

/* ---- parts of known counts ------------------------------------------------------------------ */

enum { CYCLES, INSTRUCTIONS, UOPS, MISSES, LOADS, PENDING, COUNTS };

/* A thousand instructions in the whole of this set. */
static struct pmuctl_topdown_count counts[COUNTS];

static struct cpi_part list[] = {
	{ .name = "floor", .method = CPI_FLOOR, .cycles = 0.25, .at = { UOPS, CPI_NOWHERE, CPI_NOWHERE },
	  .instructions = INSTRUCTIONS, .node_at = CPI_NOWHERE },
	{ .name = "branch-misses", .method = CPI_ANALYTIC, .cycles = 20,
	  .at = { MISSES, CPI_NOWHERE, CPI_NOWHERE }, .instructions = INSTRUCTIONS,
	  .node = "Branch_Mispredicts", .node_at = 0 },
	{ .name = "loads", .method = CPI_DURATION, .at = { LOADS, PENDING, LOADS },
	  .instructions = INSTRUCTIONS, .node = "Memory_Bound", .node_at = 1 },
};
static struct cpi_clock clock_of_all = { CYCLES, INSTRUCTIONS };
static const struct cpi_parts parts = {
	.list = list, .count = ARRAY_SIZE(list), .nr_sets = 1, .clocks = &clock_of_all,
};
static struct cpi_row rows[ARRAY_SIZE(list)], spare_rows[ARRAY_SIZE(list)];
static struct cpi_sum sum = { .rows = rows };

static void count(uint64_t cycles, uint64_t uops, uint64_t misses, uint64_t loads, uint64_t pending)
{
	const uint64_t values[COUNTS] = { cycles, 1000, uops, misses, loads, pending };
	size_t i;

	for (i = 0; i < COUNTS; i++)
		counts[i] = (struct pmuctl_topdown_count){ values[i], 1, 1 };
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static void adds_up(void **state)
{
	(void)state;
	/* 250 cycles of uops, 40 x 20 of misses, 5 x 60 of loads; 30 cycles that nothing tells. */
	count(1380, 1000, 40, 5, 300);
	cpi_add_up(&parts, counts, &sum);
	assert_true(near(sum.cpi, 1.38));
	assert_true(near(rows[0].cpi, 0.25));
	assert_true(near(rows[1].cpi, 0.8) && near(rows[1].count, 0.04));
	assert_true(near(rows[1].cycles, 20));
	assert_true(near(rows[2].cpi, 0.3) && near(rows[2].cycles, 60));
	assert_true(near(sum.rest, 0.03));
	/* They overlap by 400 cycles, and none is cut. */
	count(950, 1000, 40, 5, 300);
	cpi_add_up(&parts, counts, &sum);
	assert_true(near(sum.rest, -0.4));
	assert_true(near(rows[1].cpi, 0.8) && near(rows[2].cpi, 0.3));
	/* What did not happen costs nothing, and what has no duration says so. */
	count(1000, 1000, 0, 0, 0);
	cpi_add_up(&parts, counts, &sum);
	assert_true(!rows[1].why_not && rows[1].cpi == 0);
	assert_true(!rows[2].why_not && rows[2].cpi == 0);
	assert_true(near(sum.rest, 0.75));
	count(1000, 0, 0, 7, 0);
	cpi_add_up(&parts, counts, &sum);
	assert_string_equal(rows[2].why_not, "its duration was counted as 0");
	assert_string_equal(rows[0].why_not, "no uops were counted");
	counts[MISSES].running = 0;
	cpi_add_up(&parts, counts, &sum);
	assert_string_equal(rows[1].why_not, "not counted");
	counts[INSTRUCTIONS].value = 0;
	cpi_add_up(&parts, counts, &sum);
	assert_true(sum.empty);
}

static void nodes(void **state)
{
	struct pmuctl_topdown_result results[2] = { { .value = 20 }, { .value = 50 } };

	(void)state;
	count(2000, 1000, 41, 10, 600);
	cpi_add_up(&parts, counts, &sum);
	cpi_take_nodes(NULL, &sum);
	assert_true(rows[1].node < 0 && !rows[1].flagged);
	cpi_take_nodes(results, &sum);
	assert_true(near(rows[1].node, 0.4) && rows[1].flagged);
	assert_true(near(rows[2].node, 1) && !rows[2].flagged);
	count(2000, 1000, 39, 10, 600);
	cpi_add_up(&parts, counts, &sum);
	cpi_take_nodes(results, &sum);
	assert_false(rows[1].flagged);
	/* What is next to nothing has no flag, and a node that has no value none either. */
	results[0].value = 0;
	count(2000, 1000, 1, 10, 600);
	cpi_add_up(&parts, counts, &sum);
	cpi_take_nodes(results, &sum);
	assert_false(rows[1].flagged);
	results[0].why_not = "x";
	count(2000, 1000, 90, 10, 600);
	cpi_add_up(&parts, counts, &sum);
	cpi_take_nodes(results, &sum);
	assert_true(rows[1].node < 0 && !rows[1].flagged);
}

/* Three runs of 1, 2 and 3 cycles an instruction: t of two degrees is 4.302653. */
static void errors(void **state)
{
	struct moments room[ARRAY_SIZE(list) + 2] = { { .n = 0 } };
	struct cpi_scatter scatter = { room };
	struct cpi_sum spare = { .rows = spare_rows };
	uint64_t i;

	(void)state;
	for (i = 1; i <= 3; i++) {
		count(1000 * i, 1000, 0, 0, 0);
		cpi_scatter_add(&parts, counts, &spare, &scatter);
	}
	cpi_add_up(&parts, counts, &sum);
	assert_true(sum.cpi_error < 0);
	cpi_take_errors(&scatter, &sum);
	assert_true(fabs(sum.cpi_error - 4.302653 / sqrt(3)) < 1e-6);
	assert_true(fabs(sum.rest_error - 4.302653 / sqrt(3)) < 1e-6);
	assert_true(rows[0].error == 0);
}

/* ---- the command ---------------------------------------------------------------------------- */

static void output(void **state)
{
	(void)state;
	assert_int_equal(run("cpi -- true"), 0);
	matches_golden("cpi.txt", err);
	assert_int_equal(run("cpi -x; -o - -- true"), 0);
	matches_golden("cpi.csv", out);
	assert_int_equal(run("cpi -u -j -o - -r 2 -- true"), 0);
	matches_golden("cpi.json", out);
	assert_int_equal(run("cpi --svg - -x, -o /dev/null -- true"), 0);
	matches_golden("cpi.svg", out);
	/* Each set in a run of its own. */
	assert_int_equal(run("cpi --no-multiplex -x; -o - -- echo ran"), 0);
	assert_true(count_text(out, "ran\n") > 3);
	assert_int_equal(run("cpi --per-task -x; -o - -- true"), 0);
	assert_memory_equal(out, "true;", 5);
	assert_int_equal(run("cpi -I 50 -x; -o - -- sleep 0.2"), 0);
	assert_true(count_text(out, ";CPI;") >= 3);
	assert_int_equal(run("cpi -x; -o - -- sh -c exit"), 0);
}

static void given(void **state)
{
	(void)state;
	assert_int_equal(run("cpi -x; -o - --analytic branch-misses=202 -- true"), 0);
	assert_non_null(strstr(out, ";202.000000;given;given;Branch_Mispredicts;"));
	/* Of one level a user knows what it costs: then all levels are for themselves. */
	assert_null(strstr(out, "llc-loads;"));
	assert_int_equal(run("cpi -x; -o - --analytic llc-load-misses=180 -- true"), 0);
	assert_non_null(strstr(out, "\nllc-loads;"));
	assert_non_null(strstr(out, ";8.000000;analytic;"));
	assert_non_null(strstr(out, ";180.000000;given;"));
}

static void refused(void **state)
{
	(void)state;
	RUN_HAS("cpi", EXIT_USAGE, "nothing to count");
	RUN_HAS("cpi --analytic none-such=3 true", EXIT_USAGE, "--analytic 'none-such=3': ");
	RUN_HAS("cpi --analytic 3 true", EXIT_USAGE, "it is EVENT=CYCLES");
	RUN_HAS("cpi -r 2 -p 1", EXIT_USAGE, "-r repeats a command");
	RUN_HAS("cpi -r 2 -I 100 true", EXIT_USAGE, "-r is for whole runs");
	RUN_HAS("cpi -r 2 --per-task true", EXIT_USAGE, "-r is for whole runs");
	RUN_HAS("cpi --no-multiplex -I 100 true", EXIT_USAGE, "--no-multiplex runs a command");
	RUN_HAS("cpi --append true", EXIT_USAGE, "there is no -o");
	RUN_HAS("cpi --svg x -o x true", EXIT_USAGE, "need files of their own");
	RUN_HAS("cpi -C 0 --per-task", EXIT_USAGE, "--per-task is for tasks");
	RUN_HAS("cpi -o /nowhere/at/all true", EXIT_FAILED, "-o /nowhere/at/all: No such");
	RUN_HAS("cpi --svg /nowhere/at/all true", EXIT_FAILED, "--svg /nowhere/at/all: No such");
	RUN_HAS("cpi -o /dev/full true", EXIT_FAILED, "/dev/full: cannot write: No space left");
	RUN_HAS("cpi /no/such/program", EXIT_FAILED, "command '/no/such/program': No such file");
	assert_int_equal(run("cpi -- false"), 1);
	assert_int_equal(run("cpi -- sh -c kill\t-9\t$$"), 128 + SIGKILL);
	fake_cpu(0x106c2, 3, 0x700000003ull);
	RUN_HAS("cpi true", EXIT_FAILED, "(family 6, model 28): it is none of the big cores from P6 and Core 2");
	fake.missing = true;
	RUN_HAS("cpi true", EXIT_FAILED, "pmuctl cpi: ");
}

static void some_counts(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fake.counts); i++)
		fake.counts[i] = (struct pmuctl_count){ .value = 1000 * (i + 1), .enabled = 5000,
							.running = 5000 };
}

/* Where there is no Top-Down the parts stand alone, and it is said why. */
static void old_processors(void **state)
{
	(void)state;
	fake_core2();
	assert_int_equal(run("cpi true"), 0);
	assert_non_null(strstr(err, "\n nothing ran\n"));
	some_counts();
	assert_int_equal(run("cpi true"), 0);
	assert_non_null(strstr(err, "\n without Top-Down: "));
	assert_non_null(strstr(err, " uops / 4\n"));
	/* Two counters are too few for how long a miss lasts: then it is what is published. */
	assert_non_null(strstr(err, "   11.0  analytic\n"));
	fake_p6();
	some_counts();
	assert_int_equal(run("cpi true"), 0);
	assert_non_null(strstr(err, " uops / 3\n"));
	fake_p4(FAKE_PRESCOTT);
	some_counts();
	assert_int_equal(run("cpi true"), 0);
	assert_non_null(strstr(err, "branch-misses"));
	assert_null(strstr(err, "bus-requests"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_up),
		cmocka_unit_test(nodes),
		cmocka_unit_test(errors),
		cmocka_unit_test_setup(output, setup),
		cmocka_unit_test_setup(given, setup),
		cmocka_unit_test_setup(refused, setup),
		cmocka_unit_test_setup(old_processors, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
