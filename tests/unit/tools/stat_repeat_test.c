// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat -r, against the kernel of paper: means of several runs, and their errors.
 */
#include "tests/unit/tools/run.h"
#include "tools/stat/run.h"

static void repeats(void **state)
{
	(void)state;
	assert_int_equal(run("stat -r 3 -e cycles sh -c true"), 0);
	assert_non_null(strstr(err, "for 'sh -c true' (3 runs):"));
	assert_non_null(strstr(err, "( +-  0.00% )"));
	assert_non_null(strstr(err, "seconds time elapsed  ( +-"));
	assert_int_equal(run("stat -r 2 -x, -e cycles true"), 0);
	assert_memory_equal(err, "1000,,cycles,5000,100.00,,,,", 28);
	assert_non_null(strstr(err, ",0.00\n"));
	assert_int_equal(run("stat -r 2 -x, -M IPC true"), 0);
	assert_non_null(strstr(err, "\n,,IPC,"));
	assert_int_equal(count_text(err, ",0.00\n"), 3);
	assert_int_equal(run("stat -r 2 false"), 1);
	RUN_HAS("stat -r 2 /no/such/command", 255, "No such file");
	assert_int_equal(count_text(err, "No such file"), 1);
	/* One run has no spread, and no runs in its title. */
	assert_int_equal(run("stat -r 1 true"), 0);
	assert_null(strstr(err, "runs"));
	assert_null(strstr(err, "( +-"));
	/* With -I each run's intervals, and no means; with 0 until something goes wrong. */
	assert_int_equal(run("stat -r 3 -I 10000 -x, -e cycles true"), 0);
	assert_int_equal(count_text(err, ",cycles,"), 3);
	assert_int_equal(count_text(err, ",1000,,cycles,"), 3);
	assert_int_equal(run("stat -r 2 -I 10000 -e cycles true"), 0);
	assert_null(strstr(err, "( +-"));
	RUN_HAS("stat -r 0 /no/such/command", 255, "No such file");
}

/*
 * 1000, 1300 and 1600 cycles: the mean is 1300, the variance 300^2, the standard error
 * 300 / 3^0.5 = 173.2, which is 13.32 % of the mean.  2000, 2300 and 2600 instructions: 7.53 %.
 * IPC of 1000 by 2000, 1300 by 2300 ... is 0.5, 0.5652 and 0.6154: the mean is 0.5602, the
 * squares 0.003624, 0.000025 and 0.003045, the error (0.006694 / 2 / 3)^0.5 = 0.0334: 5.96 %.
 */
static void repeats_by_hand(void **state)
{
	(void)state;
	fake.growth = 300;
	assert_int_equal(run("stat -r 3 -x; -e cycles,instructions true"), 0);
	assert_memory_equal(err, "1300;;cycles;5000;100.00;", 25);
	assert_int_equal(count_text(err, ";13.32\n"), 1);
	assert_non_null(strstr(err, "\n2300;;instructions;5000;100.00;1.77;insn per cycle;"));
	assert_int_equal(count_text(err, ";7.53\n"), 1);
	assert_int_equal(run("stat -r 3 -e cycles,instructions true"), 0);
	assert_non_null(strstr(err, "( +- 13.32% )"));
	assert_non_null(strstr(err, "( +-  7.53% )"));
	assert_int_equal(run("stat -r 3 -x; -M IPC true"), 0);
	assert_int_equal(count_text(err, ";5.96\n"), 1);
	assert_int_equal(run("stat -r 3 -j -e cycles true"), 0);
	assert_non_null(strstr(err, "\"counter-value\": 1300,"));
	assert_non_null(strstr(err, "\"variance\": 13.32"));
	/* Two: 1000 and 1300, their mean 1150 and its error 150. */
	assert_int_equal(run("stat -r 2 -x; -e cycles true"), 0);
	assert_memory_equal(err, "1150;;cycles;", 13);
	assert_int_equal(count_text(err, ";13.04\n"), 1);
}

static bool is_near(double a, double b)
{
	return a - b < 1e-6 && b - a < 1e-6;
}

/* 1, 1.2 and 1.7 seconds: 1.3, and ((0.09 + 0.01 + 0.16) / 2 / 3)^0.5 = 0.208167. */
static void times_of_repeats(void **state)
{
	static const double elapsed[] = { 1, 1.2, 1.7 };
	const struct stat_args args = { .repeat = 3 };
	struct stat_count count = { .cpu = -1 };
	struct stat_result result = { .args = &args, .counts = &count, .count = 1 };
	struct repeat *rep = repeat_new(1, 0);
	size_t i;

	(void)state;
	assert_non_null(rep);
	for (i = 0; i < 3; i++) {
		count = (struct stat_count){ .cpu = -1, .value = 10 * (i + 1), .enabled = 100,
					     .running = 50 + i, .flags = 1u << i };
		result.elapsed = elapsed[i];
		result.user = 2 * elapsed[i];
		result.system = 3 * elapsed[i];
		repeat_add(rep, &result);
	}
	repeat_result(rep, &result);
	repeat_free(rep);
	assert_int_equal(result.runs, 3);
	assert_true(is_near(result.elapsed, 1.3));
	assert_true(is_near(result.elapsed_error, 0.208167));
	assert_true(is_near(result.user, 2.6));
	assert_true(is_near(result.system, 3.9));
	assert_int_equal(count.value, 20);
	assert_int_equal(count.enabled, 100);
	assert_int_equal(count.running, 51);
	assert_int_equal(count.flags, 7);
	/* 10, 20 and 30: 100 * (100 / 3)^0.5 / 20. */
	assert_true(is_near(count.spread.percent, 28.867513));
	assert_int_equal(count.spread.runs, 3);
}

/* A single value has no spread, and that it is a single one is said. */
static void counted_in_some_runs(void **state)
{
	(void)state;
	fake.idle_reads = 2;
	assert_int_equal(run("stat -r 3 -e cycles true"), 0);
	assert_non_null(strstr(err, "      cycles                           # in 1 of 3 runs\n"));
	assert_int_equal(run("stat -r 3 -x; -M IPC true"), 0);
	assert_int_equal(count_text(err, ";in 1 of 3 runs;"), 3);
	assert_null(strstr(err, ";0.00\n"));
	assert_int_equal(run("stat -r 3 -j -M IPC true"), 0);
	assert_int_equal(count_text(err, "\"note\": \"in 1 of 3 runs\""), 3);
	assert_int_equal(count_text(err, "\"variance\": null"), 3);
	/* Of two there is one, of two. */
	assert_int_equal(run("stat -r 4 -x; -e cycles true"), 0);
	assert_non_null(strstr(err, ";in 2 of 4 runs;"));
	assert_non_null(strstr(err, ";0.00\n"));
	assert_int_equal(run("stat -r 2 -x; -e cycles true"), 0);
	assert_non_null(strstr(err, ";it never was on a counter;"));
	assert_null(strstr(err, "of 2 runs"));
	fake.idle_reads = 1;
	assert_int_equal(run("stat -r 3 -x; -e cycles true"), 0);
	assert_non_null(strstr(err, ";in 2 of 3 runs;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(repeats, setup),
		cmocka_unit_test_setup(repeats_by_hand, setup),
		cmocka_unit_test_setup(times_of_repeats, setup),
		cmocka_unit_test_setup(counted_in_some_runs, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
