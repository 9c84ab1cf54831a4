// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down where cores are of several kinds, and what is found on one of them alone, against a
 * kernel of paper that has CPUs 0 and 1 of big cores, 2 and 3 of small ones.
 */
#include "tests/unit/tools/run.h"

/* As the sets of level 1 have them; ns on cores of that kind. */
#define TIME(ns, value_) { .cpu = UINT32_MAX, .value = (value_), .enabled = (ns), .running = (ns) }

/* Of 6000 slots: 3000 of the front end, 600 of bad speculation, 1200 retired, 1200 of the back. */
static const struct pmuctl_count big[] = {
	TIME(1000000, 6000), TIME(1000000, 1000), TIME(1000000, 0), TIME(1000000, 3000),
	TIME(1000000, 600), TIME(1000000, 1200), TIME(1000000, 1200),
};

/* Of 5 slots a cycle: 500 of the front end, 3500 of the back end, 750 retired. */
static const struct pmuctl_count small[] = {
	TIME(3000000, 1000), TIME(3000000, 500), TIME(3000000, 3500), TIME(3000000, 750),
};

static void put_counts(unsigned int kind, const struct pmuctl_count *counts, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		fake.kinds[kind].counts[i] = counts[i];
		fake.kinds[kind].counts[i].event = (uint32_t)i;
	}
}

static int setup_hybrid(void **state)
{
	setup(state);
	fake_hybrid();
	fake.kinds[0].counters |= 0xffull << PMUCTL_COUNTER_METRIC;
	put_counts(0, big, ARRAY_SIZE(big));
	put_counts(1, small, ARRAY_SIZE(small));
	return 0;
}

static bool said(const char *text)
{
	return strstr(err, text);
}

static void each_kind_has_a_tree(void **state)
{
	const char *e_cores;

	(void)state;
	assert_int_equal(run("topdown -l 1 true"), 0);
	assert_true(said("(p cores: TMA 5.2, levels 1 and 2 from PERF_METRICS; e cores: TMA 4 of small"));
	assert_true(said(" On p cores, 25.00 % of the time:\n"));
	assert_true(said("Frontend_Bound                50.00 %"));
	assert_true(said("pmuctl record -e cpu_core/FRONTEND_RETIRED.LATENCY_GE_4/pp -- true\n"));
	e_cores = strstr(err, " On e cores, 75.00 % of the time:\n");
	assert_non_null(e_cores);
	assert_non_null(strstr(e_cores, "Frontend_Bound                10.00 %"));
	assert_non_null(strstr(e_cores, "Backend_Bound                 70.00 %"));
	assert_true(said(" What matters: e cores, 75.00 % of the time (bottleneck: Backend_Bound); p "
			 "cores, 25.00 % of the time (bottleneck: Frontend_Bound).\n"));
	/* What has little of the time is not worth looking at. */
	fake.kinds[0].counts[0].enabled = fake.kinds[0].counts[0].running = 3000;
	assert_int_equal(run("topdown -l 1 true"), 0);
	assert_true(said(" On p cores, 0.10 % of the time:\n"));
	assert_true(said(" What matters: e cores, 99.90 % of the time (bottleneck: Backend_Bound).\n"));
}

static void rows_have_the_kind(void **state)
{
	(void)state;
	assert_int_equal(run("topdown -l 1 -x; true"), 0);
	assert_int_equal(count_text(err, ";p cores;25.000000000000\n"), 4);
	assert_int_equal(count_text(err, ";e cores;75.000000000000\n"), 4);
	assert_int_equal(count_text(err, ";Backend_Bound;"), 2);
	assert_int_equal(count_text(err, "What matters"), 0);
	assert_int_equal(run("topdown -l 1 -j true"), 0);
	assert_int_equal(count_text(err, "\"kind\": \"p cores\", \"time-share\": 25.0, "
					 "\"cycles\": 1000,"), 4);
	assert_int_equal(count_text(err, "\"kind\": \"e cores\", \"time-share\": 75.0, "
					 "\"cycles\": 1000,"), 4);
	assert_int_equal(count_text(err, "\"event\": \"cpu_core/FRONTEND_RETIRED.LATENCY_GE_4/\""), 1);
	assert_int_equal(run("topdown -l 1 -o /dev/null --counts /dev/stderr true"), 0);
	assert_int_equal(count_text(err, ",p cores\n"), 7);
	assert_int_equal(count_text(err, ",e cores\n"), 4);
	assert_true(said("3500,,TOPDOWN_BE_BOUND.ALL,3000000,100.00,e cores\n"));
}

static void nothing_ran_there(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(big); i++)
		fake.kinds[0].counts[i] = (struct pmuctl_count){ .event = (uint32_t)i };
	assert_int_equal(run("topdown -l 1 true"), 0);
	assert_true(said(" On p cores, 0.00 % of the time: nothing ran there.\n"));
	assert_true(said(" What matters: e cores, 100.00 % of the time (bottleneck: Backend_Bound).\n"));
	assert_int_equal(run("topdown -l 1 -x; true"), 0);
	assert_int_equal(count_text(err, "<not measured>"), 4);
}

/* Where no tree is the time is known all the same. */
static void nodes_of_one_kind(void **state)
{
	(void)state;
	assert_int_equal(run("topdown --nodes mem_scheduler -o /dev/null --counts /dev/stderr true"), 0);
	assert_true(said("6000,,cycles,1000000,100.00,p cores\n"));
	assert_int_equal(count_text(err, "p cores"), 1);
	assert_int_equal(run("topdown --nodes mem_scheduler true"), 0);
	assert_true(said(" On p cores, 25.00 % of the time: no tree.\n"));
	assert_true(said("'mem_scheduler' is no node of this tree"));
	assert_true(said(" Mem_Scheduler "));
	assert_true(said("; p cores, 25.00 % of the time (no tree)."));
	RUN_HAS("topdown --nodes l3_bound,mem_scheduler true", 0, "");
	assert_false(said("no tree"));
	assert_int_equal(run("topdown --nodes mem_scheduler -j true"), 0);
	assert_true(said("\"kind\": \"p cores\", \"time-share\": 25.0, \"cycles\": 6000"));
	assert_int_equal(run("topdown --nodes mem_scheduler -x; true"), 0);
	assert_true(said("<not supported>;;;0;;no;;;;no;'mem_scheduler' is no node of this tree;p cores;"
			 "25.000000000000\n"));
	RUN_HAS("topdown --nodes l3_bond true", 129, "p cores: 'l3_bond' is no node of this tree; nearest: "
						     "L3_Bound");
	RUN_HAS("topdown --nodes retiring,l3_bond true", 129, "'l3_bond' is no node of Top-Down here");
	RUN_HAS("topdown --classical -l 1 true", 0, "the classical equations are of big cores");
}

static void cpus_are_of_a_kind(void **state)
{
	(void)state;
	assert_int_equal(run("topdown -l 1 -C 2 true"), 0);
	assert_true(said(" On e cores, 100.00 % of the cycles:\n"));
	assert_false(said("p cores"));
	assert_false(said("What matters"));
	assert_int_equal(run("topdown -l 1 -C 0,2 true"), 0);
	assert_true(said(" On e cores, 50.00 % of the cycles:\n"));
	/* Counted for half of the time they are twice as many. */
	fake.kinds[1].counts[0].running /= 2;
	assert_int_equal(run("topdown -l 1 -C 0,2 true"), 0);
	assert_true(said(" On e cores, 66.67 % of the cycles:\n"));
	RUN_HAS("topdown --classical -C 3 true", 255, "e cores: the classical equations");
}

/* A set of each kind in one run. */
static void runs_are_shared(void **state)
{
	(void)state;
	RUN_HAS("topdown -l 3 --no-multiplex -I 10 true", 129, "--no-multiplex: these nodes need 5 sets");
	assert_int_equal(run("topdown -l 1 --no-multiplex true"), 0);
	assert_true(said(" On p cores, 25.00 % of the time:\n"));
	assert_true(said(" On e cores, 75.00 % of the time:\n"));
}

/* ---- what is of one kind ------------------------------------------------------------------ */

static void one_kind_is_needed(void **state)
{
	(void)state;
	/* Of the host's CPUs there is one at least. */
	fake.kinds[0].cpus[1] = 2;
	fake.kinds[1].cpus[0] = 1;
	RUN_HAS("cpi -C 0,1 true", 255, "by `taskset -c 0,2 pmuctl cpi ...` (p cores) or `taskset -c 1,3 "
					"pmuctl cpi ...` (e cores)");
	RUN_HAS("cpi -C 1,3 true", 0, "");
	assert_non_null(strstr(err, "the core stands still"));
	RUN_HAS("cpi -C 0,2 true", 0, "");
	RUN_HAS("cost -C 0,1 -r 40 -- true", 255, "`taskset -c 1,3 pmuctl cost ...` (e cores)");
	RUN_HAS("pushout -C 0,1 -- true", 255, "cores are of several kinds here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_kind_has_a_tree, setup_hybrid),
		cmocka_unit_test_setup(rows_have_the_kind, setup_hybrid),
		cmocka_unit_test_setup(nothing_ran_there, setup_hybrid),
		cmocka_unit_test_setup(nodes_of_one_kind, setup_hybrid),
		cmocka_unit_test_setup(cpus_are_of_a_kind, setup_hybrid),
		cmocka_unit_test_setup(runs_are_shared, setup_hybrid),
		cmocka_unit_test_setup(one_kind_is_needed, setup_hybrid),
	};

	/* Whatever machine this is; for all processes, of which each starts it once. */
	setenv("LIBPFM_FORCE_PMU", "ix86arch", 1);
	unsetenv("PMUCTL_EVENTS_DIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
