// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Distributions of gaps: their arithmetic, and the command line of pmuctl pushout.
 */
#include <fcntl.h>
#include <math.h>

#include "tests/unit/lib/random.h"
#include "tests/unit/tools/run.h"
#include "tools/pushout/gaps.h"

static bool near(double a, double b)
{
	if (fabs(a - b) <= 1e-9 * fabs(b) + 1e-12)
		return true;
	print_message("%.12g, not %.12g\n", a, b);
	return false;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* The seed's thresholds: 36 of 100 at one value, 4 at the next, 1 above. */
static void thresholds(void **state)
{
	const double cycles = 36 * 20 + 4 * 25 + GAP_MOST + 59;
	struct gaps g;
	int i;

	(void)state;
	assert_int_equal(gaps_make(&g, 100), 0);
	for (i = 0; i < 100; i++)
		gaps_add(&g, i < 36 ? 20 : i < 40 ? 25 : i == 40 ? 100000 : 1, 7);
	assert_true(near(gaps_above(&g, 0).events, 1));
	assert_true(near(gaps_above(&g, 19).events, 0.41));
	assert_true(near(gaps_above(&g, 20).events, 0.05));
	assert_true(near(gaps_above(&g, 24).events, 0.05));
	assert_true(near(gaps_above(&g, 25).events, 0.01));
	/* What is longer than the field is as long. */
	assert_true(near(gaps_above(&g, GAP_MOST - 1).events, 0.01));
	assert_true(near(gaps_above(&g, GAP_MOST).events, 0.01));
	assert_true(near(gaps_above(&g, 25).cycles, GAP_MOST / cycles));
	assert_true(near(gaps_mean(&g), cycles / 100));
	assert_true(near(g.all.events, 700));
	gaps_free(&g);
}

static void part_taken_away(void **state)
{
	struct gaps g, part;
	int i;

	(void)state;
	assert_int_equal(gaps_make(&g, 60), 0);
	assert_int_equal(gaps_make(&part, 20), 0);
	for (i = 0; i < 60; i++)
		gaps_add(&g, i % 3 ? 16 : 70, 10);
	for (i = 0; i < 20; i++)
		gaps_add(&part, 70, 10);
	gaps_subtract(&g, &part);
	assert_true(near(gaps_mean(&g), 16));
	assert_true(near(g.events[70], 0));
	assert_true(near(gaps_above(&g, 16).events, 0));
	gaps_free(&part);
	gaps_free(&g);
}

/* How often the interval holds the mean that the gaps are drawn with: 0.9 x 16 + 0.1 x 200. */
static unsigned int held(void)
{
	unsigned int sets, n = 0;
	struct gaps g;
	int i;

	for (sets = 0; sets < 300; sets++) {
		assert_int_equal(gaps_make(&g, 2000), 0);
		for (i = 0; i < 2000; i++)
			gaps_add(&g, uniform() < 0.9 ? 16 : 200, 1);
		n += gaps_error(&g) >= fabs(gaps_mean(&g) - 34.4);
		gaps_free(&g);
	}
	return n;
}

/* Batches are stretches, so that what drifts over the run is a part of the error. */
static void errors(void **state)
{
	struct gaps g;
	int i;

	(void)state;
	/* 285 are due. */
	assert_in_range(held(), 273, 297);
	assert_int_equal(gaps_make(&g, 400), 0);
	for (i = 0; i < 400; i++)
		gaps_add(&g, i < 200 ? 0 : 40, 1);
	assert_true(gaps_error(&g) > 5);
	gaps_free(&g);
	assert_int_equal(gaps_make(&g, 39), 0);
	for (i = 0; i < 39; i++)
		gaps_add(&g, 5, 1);
	/* Too few. */
	assert_true(gaps_error(&g) < 0);
	gaps_add(&g, 5, 1);
	assert_true(near(gaps_error(&g) + 1, 1));
	gaps_free(&g);
}

/* ---- the command line ----------------------------------------------------------------------- */

static void usage_errors(void **state)
{
	(void)state;
	RUN_HAS("pushout", EXIT_USAGE, "nothing to run; name a command");
	RUN_HAS("pushout --pairs --blocks true", EXIT_USAGE, "one way at a time");
	RUN_HAS("pushout --not cycles true", EXIT_USAGE, "--not leaves a part of --tag out");
	RUN_HAS("pushout -u -k true", EXIT_USAGE, "-u and -k: one of them");
	RUN_HAS("pushout --over 5,3 true", EXIT_USAGE, "--over '5,3': each is above the one before");
	RUN_HAS("pushout --over 5,,7 true", EXIT_USAGE, "--over '5,,7': it is cycles from 0 to 65535");
	RUN_HAS("pushout --over 65536 true", EXIT_USAGE, "--over '65536': it is cycles from 0");
	RUN_HAS("pushout --over -1 true", EXIT_USAGE, "--over '-1': it is cycles");
	RUN_HAS("pushout -c 1 true", EXIT_USAGE, "'1'");
	RUN_HAS("pushout --pairs true", EXIT_FAILED, "--pairs: these cores' PEBS records have no retire "
		"latency: Granite Rapids");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thresholds),
		cmocka_unit_test(part_taken_away),
		cmocka_unit_test(errors),
		cmocka_unit_test_setup(usage_errors, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
