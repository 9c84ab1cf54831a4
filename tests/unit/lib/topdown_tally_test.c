// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down: what tallies make of counts.
 */
#include "tests/unit/lib/topdown_given.h"

static void level_1(void **state)
{
	struct fixture f;
	double sum;
	char *text;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(1);
	give(f.td, f.tally, starved, COUNT(starved), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(result(f.td, "Frontend_Bound")->value, 60));
	assert_true(near(result(f.td, "Retiring")->value, 25));
	assert_true(near(result(f.td, "Bad_Speculation")->value, 5));
	assert_true(near(result(f.td, "Backend_Bound")->value, 10));
	assert_true(result(f.td, "Frontend_Bound")->flagged);
	assert_true(result(f.td, "Frontend_Bound")->bottleneck);
	assert_false(result(f.td, "Backend_Bound")->flagged);
	assert_true(near(result(f.td, "Retiring")->measured, 100));
	/* All of a run is no estimate. */
	assert_true(result(f.td, "Retiring")->error == 0);
	text = pmuctl_topdown_numbers(f.tally, 0);
	assert_string_equal(text, "100 * ( 2400 / ( 4 * 1000 ) )");
	free(text);
	give(f.td, f.tally, other, COUNT(other), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(result(f.td, "Frontend_Bound")->value, 55));
	assert_true(result(f.td, "Frontend_Bound")->error == 0);
	assert_true(result(f.td, "Frontend_Bound")->bottleneck);
	sum = result(f.td, "Frontend_Bound")->raw + result(f.td, "Retiring")->raw +
	      result(f.td, "Bad_Speculation")->raw + result(f.td, "Backend_Bound")->raw;
	assert_true(near(sum, 100));
	pmuctl_topdown_tally_reset(f.tally);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_string_equal(results[0].why_not, "not measurable: its events were never on a "
						"counter");
	drop(&f);
}

/* The core's other thread is idle, then it runs all the time: of 4000 slots 2000 are left. */
static const struct given alone[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "CPU_CLK_UNHALTED.THREAD_ANY", 1000 },
	{ "CPU_CLK_UNHALTED.REF_XCLK", 100 }, { "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", 100 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 500 }, { "UOPS_ISSUED.ANY", 1200 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 1200 }, { "INT_MISC.RECOVERY_CYCLES", 50 },
	{ "INT_MISC.RECOVERY_CYCLES_ANY", 50 },
};

static const struct given beside_another[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "CPU_CLK_UNHALTED.THREAD_ANY", 1000 },
	{ "CPU_CLK_UNHALTED.REF_XCLK", 100 }, { "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", 0 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 500 }, { "UOPS_ISSUED.ANY", 1200 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 1200 }, { "INT_MISC.RECOVERY_CYCLES", 50 },
	{ "INT_MISC.RECOVERY_CYCLES_ANY", 120 },
};

/* A task's slots are all of its core's while nothing runs beside it. */
static void task_of_a_shared_core(void **state)
{
	const struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1, .tasks = true };
	struct fixture f;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	fake.info_new = true;
	fake.any = true;
	fake.threads = true;
	f = make_by(&o);
	give(f.td, f.tally, alone, COUNT(alone), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(result(f.td, "Retiring")->raw, 30));
	assert_true(near(result(f.td, "Frontend_Bound")->raw, 12.5));
	assert_true(near(result(f.td, "Bad_Speculation")->raw, 5));
	assert_true(near(result(f.td, "Backend_Bound")->raw, 52.5));
	pmuctl_topdown_tally_reset(f.tally);
	give(f.td, f.tally, beside_another, COUNT(beside_another), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(result(f.td, "Retiring")->raw, 60));
	assert_true(near(result(f.td, "Bad_Speculation")->raw, 10));
	drop(&f);
}

/* Parts of a formula come from other sets: per cycle, whatever each set had of those. */
static void spread(void **state)
{
	static const struct given given[] = {
		{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 400 },
		{ "UOPS_ISSUED.ANY", 1200 }, { "UOPS_RETIRED.RETIRE_SLOTS", 1200 },
		{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 450 }, { "CYCLE_ACTIVITY.STALLS_TOTAL", 500 },
		{ "EXE_ACTIVITY.1_PORTS_UTIL", 100 }, { "EXE_ACTIVITY.2_PORTS_UTIL", 0 },
		{ "CYCLE_ACTIVITY.STALLS_L3_MISS", 400 }, { "CYCLE_ACTIVITY.STALLS_L1D_MISS", 430 },
		{ "CYCLE_ACTIVITY.STALLS_L2_MISS", 430 }, { "MEM_LOAD_RETIRED.L1_MISS", 10 },
		{ "MEM_LOAD_RETIRED.L2_HIT", 1 },
	};
	struct given scaled[COUNT(given)];
	struct fixture f;
	size_t i, set, round;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(3);
	/* The sets take turns, and the last ones run at another frequency. */
	for (round = 1; round <= 3; round++) {
		for (set = 0; set < pmuctl_topdown_sets(f.td); set++) {
			for (i = 0; i < COUNT(given); i++)
				scaled[i] = (struct given){ given[i].event,
							    given[i].value * (1 + set) };
			give(f.td, f.tally, scaled, COUNT(given), (int)set);
		}
		assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
		/* One turn of each tells nothing for certain. */
		assert_int_equal(pmuctl_topdown_too_short(f.td, results), round < 3);
		for (i = 0; round < 3 && i < pmuctl_topdown_nodes(f.td); i++)
			assert_false(results[i].flagged || results[i].bottleneck);
	}
	/* Backend 60 %, of which 450 of 600 cycles wait for memory. */
	assert_true(near(result(f.td, "Backend_Bound")->value, 60));
	assert_true(near(result(f.td, "Memory_Bound")->raw, 45));
	assert_true(near(result(f.td, "Core_Bound")->raw, 15));
	assert_true(near(result(f.td, "L3_Miss_Bound")->raw, 40));
	assert_true(result(f.td, "L3_Miss_Bound")->flagged);
	assert_true(result(f.td, "L3_Miss_Bound")->bottleneck);
	assert_true(result(f.td, "Memory_Bound")->measured < 100);
	/* Divided by nothing, which is said and is not 0. */
	assert_string_equal(result(f.td, "Branch_Mispredicts")->why_not,
			    "not measurable: ( BR_MISP_RETIRED.ALL_BRANCHES + "
			    "MACHINE_CLEARS.COUNT ) is 0");
	assert_non_null(strstr(result(f.td, "AMX_Busy")->why_not, "not on this CPU"));
	drop(&f);
}

/* A reading has a turn of each set, and in turns it takes three of those. */
static void few_rounds(void **state)
{
	struct fixture f;
	size_t set, round;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(2);
	for (round = 1; round <= 3; round++) {
		for (set = 0; set < pmuctl_topdown_sets(f.td); set++) {
			give(f.td, f.tally, starved, COUNT(starved), (int)set);
			assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
		}
		assert_true(result(f.td, "Fetch_Latency")->measured < 100);
		assert_true(result(f.td, "Fetch_Latency")->error < 0 || round == 3);
	}
	/* They are alike, but for rounding. */
	assert_true(result(f.td, "Fetch_Latency")->error >= 0);
	assert_true(result(f.td, "Fetch_Latency")->error < 1e-4);
	drop(&f);
}

/* Of 1000 the first set is on for so long, and the others for the rest. */
static void give_turns(const struct fixture *f, uint64_t first)
{
	struct pmuctl_topdown_count counts[ROOM] = { { 0 } };
	size_t i, k, at = 0, sets = pmuctl_topdown_sets(f->td);

	for (i = 0; i < sets; i++) {
		const struct pmuctl_topdown_set *s = pmuctl_topdown_get_set(f->td, i);

		for (k = 0; k < s->events_count; k++, at++) {
			counts[at].enabled = 1000;
			counts[at].running = i ? (1000 - first) / (sets - 1) : first;
			counts[at].value = counts[at].running;
		}
	}
	assert_int_equal(pmuctl_topdown_tally_add(f->tally, counts), 0);
	assert_int_equal(pmuctl_topdown_results(f->tally, results), 0);
}

static bool is_known(const struct fixture *f)
{
	return result(f->td, "Frontend_Bound")->error >= 0;
}

/* Half of a set's share makes a reading, less does not. */
static void half_a_turn(void **state)
{
	struct fixture f;
	uint64_t share;
	int i;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(2);
	share = 1000 / pmuctl_topdown_sets(f.td);
	for (i = 0; i < 3; i++)
		give_turns(&f, share * 6 / 10);
	assert_true(is_known(&f));
	pmuctl_topdown_tally_reset(f.tally);
	for (i = 0; i < 3; i++)
		give_turns(&f, share * 4 / 10);
	assert_false(is_known(&f));
	drop(&f);
}

/*
 * Four readings of 60 %, and behind them a part that is too short for one of its own: it is in
 * the last one, and their error is no longer that of four that are alike.
 */
static void rest_of_a_reading(void **state)
{
	struct fixture f;
	size_t set;
	int i;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(2);
	for (i = 0; i < 4; i++)
		for (set = 0; set < pmuctl_topdown_sets(f.td); set++)
			give(f.td, f.tally, starved, COUNT(starved), (int)set);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(result(f.td, "Frontend_Bound")->error < 1e-4);
	give(f.td, f.tally, other, COUNT(other), 0);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(result(f.td, "Frontend_Bound")->error > 1);
	drop(&f);
}

static void no_cycles(void **state)
{
	struct fixture f;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(1);
	give(f.td, f.tally, NULL, 0, -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_string_equal(results[0].why_not, "not measurable: no cycles counted");
	assert_false(results[0].flagged || results[0].bottleneck);
	drop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(level_1),
		cmocka_unit_test(task_of_a_shared_core),
		cmocka_unit_test(spread),
		cmocka_unit_test(few_rounds),
		cmocka_unit_test(half_a_turn),
		cmocka_unit_test(rest_of_a_reading),
		cmocka_unit_test(no_cycles),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
