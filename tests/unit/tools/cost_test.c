// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl cost as a whole against the kernel of paper.
 */
#include <fcntl.h>

#include "tests/unit/tools/run.h"

#define TRUE_TRUE " -- true -- true"

static void points(void **state)
{
	(void)state;
	/* Neither a kernel nor a PMU. */
	fake.missing = true;
	assert_int_equal(run("cost --from 100:2000 --to 90:1600"), 0);
	assert_string_equal(err, "\n from 100 events and 2000 cycles to 90 and 1600: 40.0 cycles an event "
			    "(two points, no error)\n\n");
	assert_int_equal(run("cost --from 100:2000 --to 90:1600 -x, -o -"), 0);
	assert_string_equal(out, "40.000000,,,,cost,\"two points, no error\"\n");
	assert_int_equal(run("cost --from 100:2000 --to 90:2100 -j -o -"), EXIT_CANNOT);
	assert_non_null(strstr(out, "\"verdict\": \"refused\""));
	assert_non_null(strstr(out, "more events, fewer cycles (-10.0 each)"));
	RUN_HAS("cost --from 100:2000", EXIT_USAGE, "--from and --to are two points: there is no --to");
	RUN_HAS("cost --to 100:2000", EXIT_USAGE, "there is no --from");
	RUN_HAS("cost --from 1:1 --to 2:2 true", EXIT_USAGE, "--from and --to run nothing");
	RUN_HAS("cost --from 1:1 --to 2:2 -r 3", EXIT_USAGE, "--from and --to run nothing");
	RUN_HAS("cost --from 100 --to 2:2", EXIT_USAGE, "--from '100': it is EVENTS:CYCLES");
	RUN_HAS("cost --from 1:2x --to 2:2", EXIT_USAGE, "--from '1:2x': it is EVENTS:CYCLES");
	RUN_HAS("cost --from -1:2 --to 2:2", EXIT_USAGE, "--from '-1:2': it is EVENTS:CYCLES");
	RUN_HAS("cost --from 1:1e19 --to 2:2", EXIT_USAGE, "--from '1:1e19': it is EVENTS:CYCLES");
	RUN_HAS("cost --from 1:nan --to 2:2", EXIT_USAGE, "--from '1:nan': it is EVENTS:CYCLES");
}

static void table(void **state)
{
	(void)state;
	assert_int_equal(run("cost -e branch-misses,l1d-load-misses,cycles -r 2 -- true"), 0);
	matches_golden("cost.txt", err);
	assert_int_equal(run("cost -e branch-misses,l1d-load-misses,cycles -r 2 -x; -o - -- true"), 0);
	matches_golden("cost.csv", out);
	assert_int_equal(run("cost -e branch-misses,l1d-load-misses -r 2 -j -o - -- true"), 0);
	matches_golden("cost.json", out);
	/* What is the same event by another name has the same figure, and a user's is better. */
	RUN_HAS("cost -e cpu/event=0xd1,umask=8/u --analytic l1d-load-misses=11 -r 2 -x; -o - -- true",
		0, "");
	assert_memory_equal(out, "cpu/event=0xd1,umask=8/u;2000.000;0.000;11.000;given;", 52);
	/* Names of rows, and all of them. */
	assert_int_equal(run("cost -e divisions:u -x; -o - -- true"), 0);
	assert_memory_equal(out, "divisions:u;", 12);
	assert_int_equal(run("cost -x; -o - -- true"), 0);
	assert_int_equal(count_text(out, "\n"), 14);
	assert_null(strstr(out, "machine-clears"));
}

/* Counts grow from run to run, so that B's are neither more nor less than A's. */
static void settings(void **state)
{
	(void)state;
	assert_int_equal(run("cost -e branch-misses -r 9 -x; -o -" TRUE_TRUE), 0);
	assert_non_null(strstr(out, ";refused;no setting changes branch-misses;9;"));
	fake.growth = 100;
	assert_int_equal(run("cost -e branch-misses -r 11 -x; -o -" TRUE_TRUE), 0);
	assert_non_null(strstr(out, ";refused;the settings change branch-misses by "));
	assert_int_equal(run("cost -e branch-misses -r 9 --mode a --mode b=env:X=1 --mode c=cpu=0 -- true"),
			 0);
	assert_non_null(strstr(err, " B: 'true' in mode b, then in mode c\n"));
	RUN_HAS("cost -e branch-misses -r 1" TRUE_TRUE, EXIT_USAGE, "-r 1: what is counted does not fit at "
		"once and takes turns by pairs, in 9 sets: 9 pairs are the least (-r 9)\n");
	RUN_HAS("cost -e cycles,instructions,branches,branch-misses,l1d-loads,itlb-misses -r 2" TRUE_TRUE,
		EXIT_USAGE, "pairs are the least (-r 16), or fewer events\n");
}

static void pair(void **state)
{
	(void)state;
	assert_int_equal(run("cost -e branch-misses -r 9 --pair echo printf -- word"), 0);
	assert_int_equal(count_text(out, "word\n"), 10);
	assert_int_equal(count_text(out, "word"), 20);
	assert_non_null(strstr(err, " A: 'echo word'\n B: 'printf word'\n"));
	RUN_HAS("cost --pair true", EXIT_USAGE, "--pair 'true': it takes two programs, OLD and NEW");
	RUN_HAS("cost --pair true -- x", EXIT_USAGE, "--pair 'true': it takes two programs, OLD and NEW");
	RUN_HAS("cost --pair true true -- x -- y", EXIT_USAGE, "'--': the programs are those of --pair");
	RUN_HAS("cost --pair true ", EXIT_USAGE, "--pair: the name of a program is empty");
}

static void refused(void **state)
{
	(void)state;
	RUN_HAS("cost", EXIT_USAGE, "nothing to run");
	RUN_HAS("cost -e none-such true", EXIT_USAGE, "event 'none-such'");
	RUN_HAS("cost -e {branch-misses true", EXIT_USAGE, "-e '{branch-misses': ");
	RUN_HAS("cost -e slots true", EXIT_USAGE, "event 'slots': ");
	RUN_HAS("cost -r 0 true", EXIT_USAGE, "not a number from 1 to 1000");
	RUN_HAS("cost --toggle prefetch true", EXIT_USAGE,
		"--toggle 'prefetch': features 'prefetch': each is NAME=VALUE, like prefetch=off");
	RUN_HAS("cost --toggle tlb=off true", EXIT_USAGE,
		"--toggle 'tlb=off': feature 'tlb' cannot be switched: they have no switch");
	RUN_HAS("cost --analytic branch-misses true", EXIT_USAGE, "it is EVENT=CYCLES");
	RUN_HAS("cost --analytic branch-misses=0 true", EXIT_USAGE, "it is EVENT=CYCLES");
	RUN_HAS("cost --analytic branch-misses=inf true", EXIT_USAGE, "it is EVENT=CYCLES");
	RUN_HAS("cost --analytic none-such=3 true", EXIT_USAGE, "--analytic 'none-such=3': ");
	RUN_HAS("cost true -- true -- true", EXIT_USAGE, "more than two programs");
	RUN_HAS("cost --core 0,1 true", EXIT_USAGE, "--core '0,1': not a number");
	RUN_HAS("cost --core 1000 true", EXIT_USAGE, "--core: CPU 1000 is not online");
	RUN_HAS("cost -o /nowhere/at/all true", EXIT_FAILED, "-o /nowhere/at/all: No such");
	RUN_HAS("cost -e cycles -- false", EXIT_FAILED,
		"warm-up, A 'false': it ended with exit code 1, and what fails is not measured");
	RUN_HAS("cost -e cycles -- true -- /no/such/program", EXIT_FAILED,
		"command '/no/such/program': No such file");
	fake.missing = true;
	RUN_HAS("cost -e cycles -- true", EXIT_FAILED, "pmuctl cost: ");
}

/* Of a processor without a table there are no figures, and all else is there. */
static void unknown_processor(void **state)
{
	(void)state;
	fake_cpu(0x106c2, 3, 0x700000003ull);
	assert_int_equal(run("cost -e branch-misses -r 2 -- true"), 0);
	assert_non_null(strstr(err, "nothing is known of what events cost on this processor"));
	RUN_HAS("cost true", EXIT_FAILED, "(family 6, model 28): it is none of the big cores from P6 "
		"and Core 2 to Granite Rapids and Panther Lake, none of the small ones from Goldmont to "
		"Darkmont, and no Pentium 4; name events (-e)");
	assert_int_equal(run("cost -e branch-misses --analytic branch-misses=19 -r 2 -x; -o - -- true"), 0);
	assert_non_null(strstr(out, ";19.000;given;"));
	fake_p6();
	assert_int_equal(run("cost -e bus-requests,l1d-load-misses -x; -o - -- true"), 0);
	assert_non_null(strstr(out, "P6 counts how long the queue to the bus"));
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(run("cost -e l1d-load-misses,bus-requests -x; -o - -- true"), 0);
	assert_non_null(strstr(out, "a Pentium 4 counts how long requests to the bus take"));
}

/* 0 cycles, or 0 periods, are no duration. */
static void zeros(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(fake.counts); i++)
		fake.counts[i].value = 0;
	assert_int_equal(run("cost -e l1d-load-misses -r 2 -x; -o - -- true"), 0);
	assert_non_null(strstr(out, ";l1d-load-misses counted 0 in 4 runs;"));
	assert_int_equal(run("cost -e l1d-load-misses" TRUE_TRUE), 0);
	assert_non_null(strstr(err, "no setting changes l1d-load-misses"));
}

static void full_disk(void **state)
{
	(void)state;
	RUN_HAS("cost -e cycles -r 1 -o /dev/full -- true", EXIT_FAILED, "/dev/full: cannot write: No space left");
	RUN_HAS("cost --from 1:1 --to 2:2 -o /dev/full", EXIT_FAILED, "/dev/full: cannot write: No space left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(points, setup),
		cmocka_unit_test_setup(table, setup),
		cmocka_unit_test_setup(settings, setup),
		cmocka_unit_test_setup(pair, setup),
		cmocka_unit_test_setup(refused, setup),
		cmocka_unit_test_setup(unknown_processor, setup),
		cmocka_unit_test_setup(zeros, setup),
		cmocka_unit_test_setup(full_disk, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
