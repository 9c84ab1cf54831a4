// SPDX-License-Identifier: GPL-2.0-only
/*
 * AnyThread of the PMU model: what a counter makes of the other thread of its
 * core, one after the other and both at the same time.
 */
#include <pthread.h>

#include "tests/unit/model/host.h"

#define FIXED_ANY_USER 6u

struct core {
	struct host a, b;
};

static void new_core(struct core *c, const char *profile)
{
	host_new(&c->a, profile, 0);
	host_new(&c->b, profile, 0);
	assert_true(pmu_join(c->b.pmu, c->a.pmu));
	host_wrmsr(&c->a, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&c->b, MSR_GLOBAL_CTRL, 0);
}

static void free_core(struct core *c)
{
	host_free(&c->a);
	host_free(&c->b);
}

/* What the host of one does when it changes what it wants to know. */
static void tell_other(struct host *one, struct host *other)
{
	if (pmu_core_changed(one->pmu))
		pmu_core_update(other->pmu);
}

static uint64_t seen(struct core *c, uint32_t msr)
{
	host_boundary(&c->b);
	return host_peek(&c->a, msr);
}

static void counts_both_threads(void **state)
{
	struct core c;

	(void)state;
	new_core(&c, "haswell");
	host_wrmsr(&c.a, MSR_EVTSEL0, EN | USR | OS | ANY | 0xc0);
	host_wrmsr(&c.a, MSR_EVTSEL0 + 1, EN | USR | OS | 0xc0);
	host_wrmsr(&c.a, MSR_EVTSEL0 + 2, EN | USR | ANY | 0xc4);
	tell_other(&c.a, &c.b);
	assert_int_equal(c.b.hot.needs[PMU_KERNEL], PMU_NEED_INSN);
	assert_int_equal(c.b.hot.needs[PMU_USER], PMU_NEED_INSN | PMU_NEED_BRANCH);
	host_run(&c.b, 1000000);			/* not on yet */
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, 7);
	for (int i = 0; i < 3; i++)
		host_wrmsr(&c.a, MSR_PMC0 + (uint32_t)i, 0);
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, 7);
	host_boundary(&c.b);
	host_wrmsr(&c.a, MSR_PMC0, 0);
	host_wrmsr(&c.a, MSR_PMC0 + 1, 0);		/* one more for PMC0 */
	host_run(&c.b, 30000);
	host_ring(&c.b, PMU_USER);
	host_run(&c.b, 5000);
	for (int i = 0; i < 10; i++)
		host_branch(&c.b, 0x1000, true, 0x2000);
	host_ring(&c.b, PMU_KERNEL);
	for (int i = 0; i < 10; i++)
		host_branch(&c.b, 0x1000, true, 0x2000);
	host_run(&c.a, 700);
	assert_int_equal(seen(&c, MSR_PMC0), 1 + 30000 + 5020 + 700);
	assert_int_equal(seen(&c, MSR_PMC0 + 1), 700);
	assert_int_equal(seen(&c, MSR_PMC0 + 2), 10);
	/* The other thread's own counters know nothing of it. */
	host_wrmsr(&c.b, MSR_EVTSEL0, EN | OS | 0xc0);
	host_wrmsr(&c.b, MSR_GLOBAL_CTRL, 1);
	host_run(&c.a, 1000);
	assert_int_equal(host_peek(&c.b, MSR_PMC0), 0);
	free_core(&c);
}

static void stops_asking(void **state)
{
	struct core c;

	(void)state;
	new_core(&c, "skylake");
	host_wrmsr(&c.a, MSR_FIXED_CTRL, FIXED_ANY_USER);
	assert_true(pmu_core_changed(c.a.pmu));
	assert_false(pmu_core_changed(c.a.pmu));
	pmu_core_update(c.b.pmu);
	assert_int_equal(c.b.hot.needs[PMU_USER], PMU_NEED_INSN);
	assert_int_equal(c.b.hot.needs[PMU_KERNEL], 0);
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, FIXED_BIT(0));
	assert_false(pmu_core_changed(c.a.pmu));
	host_wrmsr(&c.a, MSR_FIXED_CTRL, 2);
	tell_other(&c.a, &c.b);
	assert_false(c.b.hot.active);
	/* Alone in its core there is nobody to ask. */
	free_core(&c);
	host_new(&c.a, "skylake", 0);
	host_wrmsr(&c.a, MSR_FIXED_CTRL, FIXED_ANY_USER);
	assert_false(pmu_core_changed(c.a.pmu));
	host_free(&c.a);
}

/* What another thread has not told yet is a thousand instructions at most. */
static void lags_little(void **state)
{
	struct core c;
	uint64_t n;

	(void)state;
	new_core(&c, "nehalem");
	host_wrmsr(&c.a, MSR_FIXED_CTRL, FIXED_ANY_USER);
	tell_other(&c.a, &c.b);
	host_ring(&c.a, PMU_USER);
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, FIXED_BIT(0));
	host_wrmsr(&c.a, MSR_FIXED0, 0);
	host_ring(&c.b, PMU_USER);
	host_run(&c.b, 123456);
	n = host_peek(&c.a, MSR_FIXED0);
	assert_in_range(n, 122456, 123456);
	assert_int_equal(seen(&c, MSR_FIXED0), 123456);
	free_core(&c);
}

/* Cycles are the core's: two at the same time are one, one after the other two. */
static void cycles_are_the_cores(void **state)
{
	struct core c;
	uint64_t before;

	(void)state;
	new_core(&c, "haswell");
	host_wrmsr(&c.a, MSR_FIXED_CTRL, 0x770);
	tell_other(&c.a, &c.b);
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, FIXED_BIT(1) | FIXED_BIT(2));
	before = seen(&c, MSR_FIXED0 + 1);
	for (int i = 0; i < 10; i++) {
		host_run(&c.a, 4000);
		host_run(&c.b, 4000);
	}
	assert_in_range(seen(&c, MSR_FIXED0 + 1) - before, 9999, 10001);
	/* The other one is halted while this one runs, and the other way round. */
	assert_false(pmu_halt(c.b.pmu));
	host_run(&c.a, 40000);
	assert_false(pmu_halt(c.a.pmu));
	host_run(&c.b, 40000);
	assert_in_range(seen(&c, MSR_FIXED0 + 1) - before, 29999, 30001);
	assert_in_range(host_peek(&c.a, MSR_FIXED0 + 2), (30000 + before) * 7 / 8 - 2,
			(30000 + before) * 7 / 8 + 2);
	free_core(&c);
}

static void other_thread_overflows_it(void **state)
{
	struct core c;

	(void)state;
	new_core(&c, "haswell");
	host_wrmsr(&c.a, MSR_PMC0_FULL, (uint64_t)-500 & WIDTH48);
	host_wrmsr(&c.a, MSR_EVTSEL0, EN | USR | ANY | INT | 0xc0);
	tell_other(&c.a, &c.b);
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, 1);
	host_ring(&c.a, PMU_USER);
	host_ring(&c.b, PMU_USER);
	host_run(&c.b, 600);
	host_boundary(&c.b);
	assert_int_equal(c.b.pmis, 0);
	host_run(&c.a, 2000);
	assert_int_equal(c.a.pmis, 1);
	assert_int_equal(host_peek(&c.a, MSR_STATUS), 1);
	free_core(&c);
}

static void *run_other(void *other)
{
	for (int i = 0; i < 2000; i++) {
		host_run(other, 991);
		host_ring(other, i & 1 ? PMU_KERNEL : PMU_USER);
	}
	return NULL;
}

/* Both listen, both run, and nothing is lost. */
static void both_at_the_same_time(void **state)
{
	pthread_t thread;
	struct core c;

	(void)state;
	new_core(&c, "haswell");
	host_wrmsr(&c.a, MSR_EVTSEL0, EN | USR | OS | ANY | 0xc0);
	tell_other(&c.a, &c.b);
	host_wrmsr(&c.b, MSR_EVTSEL0, EN | USR | OS | ANY | 0xc0);
	tell_other(&c.b, &c.a);
	host_wrmsr(&c.a, MSR_GLOBAL_CTRL, 1);
	host_wrmsr(&c.b, MSR_GLOBAL_CTRL, 1);
	host_wrmsr(&c.a, MSR_PMC0, 0);
	host_boundary(&c.a);
	host_wrmsr(&c.b, MSR_PMC0, 0);			/* one for a */
	assert_int_equal(pthread_create(&thread, NULL, run_other, &c.b), 0);
	run_other(&c.a);
	pthread_join(thread, NULL);
	host_boundary(&c.a);
	host_boundary(&c.b);
	assert_int_equal(host_peek(&c.a, MSR_PMC0), 1 + 2 * 2000 * 991);
	assert_int_equal(host_peek(&c.b, MSR_PMC0), 2 * 2000 * 991);
	free_core(&c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_both_threads),
		cmocka_unit_test(stops_asking),
		cmocka_unit_test(lags_little),
		cmocka_unit_test(cycles_are_the_cores),
		cmocka_unit_test(other_thread_overflows_it),
		cmocka_unit_test(both_at_the_same_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
