// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down: what results mean, and what of them is flagged.
 */
#include "tests/unit/lib/topdown_given.h"

/* From Ice Lake on the formula cuts at 0, and what it cuts is in raw all the same. */
static int cut_fails(const struct cpu *cpu)
{
	static const struct given given[] = {
		{ "TOPDOWN.SLOTS", 10200 }, { "CPU_CLK_UNHALTED.THREAD", 2040 },
		{ "PERF_METRICS.RETIRING", 5000 }, { "PERF_METRICS.BAD_SPECULATION", 0 },
		{ "PERF_METRICS.FRONTEND_BOUND", 2600 }, { "PERF_METRICS.BACKEND_BOUND", 2600 },
		{ "INT_MISC.CLEARS_COUNT", 102 },
	};
	struct fixture f;
	bool right;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters | cpu->metrics);
	f = make(1);
	right = strstr(pmuctl_topdown_method(f.td), "PERF_METRICS");
	give(f.td, f.tally, given, COUNT(given), -1);
	right &= !pmuctl_topdown_results(f.tally, results);
	right &= near(result(f.td, "Bad_Speculation")->raw, -5);
	right &= result(f.td, "Bad_Speculation")->outside;
	right &= near(result(f.td, "Retiring")->raw, 5000 / 102.0);
	right &= near(result(f.td, "Retiring")->value, 5000 / 102.0 / 1.05);
	drop(&f);
	return !right;
}

static const struct cpu icelake = { "ICL", "icl", 0x706e5, 5, 0xf000000ffull, 0xfull << 48 };

static void cut(void **state)
{
	(void)state;
	assert_int_equal(in_a_child(cut_fails, &icelake), 0);
}

/* Three shares that are the whole, of so many slots each. */
static uint64_t third(unsigned int round, unsigned int share)
{
	return (round * 7919ull + 1) * (share + 3) % 100003;
}

static bool is_any_outside(const struct fixture *f)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(f->td); i++)
		if (results[i].outside)
			return true;
	return false;
}

/* Nothing was wasted; that the others come to 100.00000000000001 is no finding. */
static int noise_is_shown(const struct cpu *cpu)
{
	struct fixture f;
	bool shown = false;
	unsigned int i;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters | cpu->metrics);
	f = make(1);
	for (i = 0; i < 200; i++) {
		const uint64_t front = third(i, 0), back = third(i, 1), retired = third(i, 2);
		const struct given given[] = {
			{ "TOPDOWN.SLOTS", front + back + retired },
			{ "CPU_CLK_UNHALTED.THREAD", (front + back + retired) / 5 },
			{ "PERF_METRICS.RETIRING", retired },
			{ "PERF_METRICS.FRONTEND_BOUND", front },
			{ "PERF_METRICS.BACKEND_BOUND", back },
		};

		pmuctl_topdown_tally_reset(f.tally);
		give(f.td, f.tally, given, COUNT(given), -1);
		shown |= pmuctl_topdown_results(f.tally, results) || is_any_outside(&f);
		shown |= !near(result(f.td, "Bad_Speculation")->raw, 0);
	}
	drop(&f);
	return shown;
}

/* Where the formula has no cut its value is left alone. */
static void no_cut_no_change(const struct fixture *f, unsigned int round)
{
	const uint64_t cycles = 3000 + round, retired = 1000 + 7 * round;
	const struct given given[] = {
		{ "CPU_CLK_UNHALTED.THREAD", cycles }, { "UOPS_ISSUED.ANY", retired },
		{ "IDQ_UOPS_NOT_DELIVERED.CORE", 3 * round },
		{ "UOPS_RETIRED.RETIRE_SLOTS", retired },
	};

	pmuctl_topdown_tally_reset(f->tally);
	give(f->td, f->tally, given, COUNT(given), -1);
	assert_int_equal(pmuctl_topdown_results(f->tally, results), 0);
	assert_true(result(f->td, "Bad_Speculation")->raw == 0);
	assert_false(is_any_outside(f));
}

static void noise(void **state)
{
	struct fixture f;
	unsigned int i;

	(void)state;
	assert_int_equal(in_a_child(noise_is_shown, &icelake), 0);
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(1);
	for (i = 0; i < 200; i++)
		no_cut_no_change(&f, i);
	drop(&f);
}

/* Nothing below 0 is shown, and the rest is still the whole; raw hides nothing. */
static void outside(void **state)
{
	static const struct given given[] = {
		{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 1000 },
		{ "UOPS_ISSUED.ANY", 900 }, { "UOPS_RETIRED.RETIRE_SLOTS", 1000 },
	};
	struct fixture f;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(1);
	give(f.td, f.tally, given, COUNT(given), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(result(f.td, "Bad_Speculation")->raw, -2.5));
	assert_true(result(f.td, "Bad_Speculation")->outside);
	assert_true(result(f.td, "Bad_Speculation")->value == 0);
	assert_false(result(f.td, "Retiring")->outside);
	assert_true(near(results[0].value + result(f.td, "Retiring")->value +
			 result(f.td, "Backend_Bound")->value, 100));
	drop(&f);
}

#define NOTHING_CAME "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE"

/* Of 4000 slots 3200 and 400 lack a uop, all of them in cycles in which nothing came. */
static const struct given comes_little[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 3200 },
	{ NOTHING_CAME, 800 }, { "UOPS_ISSUED.ANY", 800 }, { "UOPS_RETIRED.RETIRE_SLOTS", 800 },
};

static const struct given comes_much[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 400 },
	{ NOTHING_CAME, 100 }, { "UOPS_ISSUED.ANY", 3600 }, { "UOPS_RETIRED.RETIRE_SLOTS", 3600 },
};

static bool counts(const struct pmuctl_topdown_set *set, const char *event)
{
	size_t i;

	for (i = 0; i < set->events_count; i++)
		if (!strcmp(set->events[i], event))
			return true;
	return false;
}

/* A part that was counted when more was lost than on average is no more than its whole. */
static void parts_of_a_whole(void **state)
{
	const struct pmuctl_topdown_node *node;
	struct fixture f;
	bool little;
	size_t set, i;
	int round;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(3);
	for (round = 0; round < 3; round++)
		for (set = 0; set < pmuctl_topdown_sets(f.td); set++) {
			little = counts(pmuctl_topdown_get_set(f.td, set), NOTHING_CAME);
			give(f.td, f.tally, little ? comes_little : comes_much,
			     COUNT(comes_little), (int)set);
		}
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(result(f.td, "Fetch_Latency")->raw, 80));
	assert_true(result(f.td, "Fetch_Latency")->outside);
	assert_true(result(f.td, "Frontend_Bound")->value < 60);
	for (i = 0; i < pmuctl_topdown_nodes(f.td); i++) {
		node = pmuctl_topdown_get_node(f.td, i);
		if (node->level == 2 && !results[i].why_not)
			assert_true(results[i].value <= results[node->parent].value);
	}
	drop(&f);
}

/* 60 and 50: the error of their mean is 5, and with two Student's t is not 3 but 236. */
static void runs_that_differ(void **state)
{
	const struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1, .runs = true };
	const struct pmuctl_topdown_result *r;
	struct fixture f;
	int i;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make_by(&o);
	r = result(f.td, "Frontend_Bound");
	give(f.td, f.tally, starved, COUNT(starved), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(r->error < 0);
	assert_true(r->bottleneck);
	give(f.td, f.tally, other, COUNT(other), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(near(r->value, 55));
	assert_true(near(r->error, 5 * 235.8014947516 / 3));
	/* It may be 0. */
	assert_false(r->flagged || r->bottleneck);
	assert_false(pmuctl_topdown_too_short(f.td, results));
	for (i = 0; i < 8; i++)
		give(f.td, f.tally, starved, COUNT(starved), -1);
	assert_int_equal(pmuctl_topdown_results(f.tally, results), 0);
	assert_true(r->value - 3 * r->error > 15);
	assert_true(r->flagged && r->bottleneck);
	drop(&f);
}

/* The divider, not what is left of the core; and mispredicted branches for their resteers. */
static const struct given divides[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 40 },
	{ "UOPS_ISSUED.ANY", 300 }, { "UOPS_RETIRED.RETIRE_SLOTS", 300 },
	{ "CYCLE_ACTIVITY.STALLS_TOTAL", 900 }, { "EXE_ACTIVITY.1_PORTS_UTIL", 60 },
	{ "EXE_ACTIVITY.EXE_BOUND_0_PORTS", 850 }, { "ARITH.DIVIDER_ACTIVE", 800 },
};

static const struct given mispredicts[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 1720 },
	{ "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 400 },
	{ "UOPS_ISSUED.ANY", 1700 }, { "UOPS_RETIRED.RETIRE_SLOTS", 500 },
	{ "INT_MISC.RECOVERY_CYCLES", 90 }, { "BR_MISP_RETIRED.ALL_BRANCHES", 25 },
	{ "INT_MISC.CLEAR_RESTEER_CYCLES", 270 }, { "CYCLE_ACTIVITY.STALLS_TOTAL", 100 },
};

/* A small part of the fetch latency, whose rest nothing here has. */
static const struct given fetches[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 3300 },
	{ "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 760 },
	{ "UOPS_ISSUED.ANY", 400 }, { "UOPS_RETIRED.RETIRE_SLOTS", 400 },
	{ "ICACHE_64B.IFTAG_STALL", 90 }, { "ICACHE_TAG.STALLS", 90 },
};

static void count_anew(const struct fixture *f, const struct given *given, size_t n)
{
	pmuctl_topdown_tally_reset(f->tally);
	give(f->td, f->tally, given, n, -1);
	assert_int_equal(pmuctl_topdown_results(f->tally, results), 0);
}

/*
 * A third of the fetch latency, which is 100 * 4 * 760 / 4000 = 76 %: 25.4 % are enough, 17 %, less
 * than a quarter of it, are not.
 */
static void parts_of_a_parent(void **state)
{
	struct given part[COUNT(fetches)];
	struct fixture f;

	(void)state;
	memcpy(part, fetches, sizeof(part));
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(3);
	part[5].value = part[6].value = 254;
	count_anew(&f, part, COUNT(part));
	assert_true(near(result(f.td, "Fetch_Latency")->value, 76));
	assert_true(near(result(f.td, "ITLB_Misses")->value, 25.4));
	assert_true(result(f.td, "ITLB_Misses")->bottleneck);
	part[5].value = part[6].value = 170;
	count_anew(&f, part, COUNT(part));
	assert_true(result(f.td, "ITLB_Misses")->flagged);
	assert_true(result(f.td, "Fetch_Latency")->bottleneck);
	drop(&f);
}

static void bottlenecks(void **state)
{
	struct fixture f;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	f = make(3);
	count_anew(&f, divides, COUNT(divides));
	assert_true(result(f.td, "Ports_Utilization")->value >
		    result(f.td, "Divider")->value);
	assert_true(result(f.td, "Ports_Utilization")->flagged);
	assert_true(result(f.td, "Divider")->bottleneck);
	count_anew(&f, mispredicts, COUNT(mispredicts));
	assert_true(result(f.td, "Frontend_Bound")->value >
		    result(f.td, "Bad_Speculation")->value);
	assert_true(result(f.td, "Branch_Resteers")->flagged);
	assert_true(result(f.td, "Branch_Mispredicts")->bottleneck);
	count_anew(&f, fetches, COUNT(fetches));
	assert_true(result(f.td, "ITLB_Misses")->flagged);
	assert_true(result(f.td, "Fetch_Latency")->bottleneck);
	drop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* It wants libpfm4 to be started in its child. */
		cmocka_unit_test(cut),
		cmocka_unit_test(noise),
		cmocka_unit_test(outside),
		cmocka_unit_test(parts_of_a_whole),
		cmocka_unit_test(runs_that_differ),
		cmocka_unit_test(parts_of_a_parent),
		cmocka_unit_test(bottlenecks),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
