// SPDX-License-Identifier: GPL-2.0-only
/*
 * PERF_METRICS of the PMU model as registers, and the events that tell rings and
 * sibling threads apart.
 */
#include "tests/unit/model/host.h"

#define EDGE (1u << 18)
#define CMASK(n) ((uint32_t)(n) << 24)
#define MSR_SLOTS (MSR_FIXED0 + 3)
#define MSR_METRICS 0x329
#define METRICS_BIT (UINT64_C(1) << 48)
#define RDPMC_METRICS (1u << 29)
#define SLOTS_USER (2u << 12)

static void writes_and_reads_back(void **state)
{
	static const struct {
		const char *profile;
		uint64_t slots, metrics, read;
	} rows[] = {
		{ "icelake", 1000003, 0x3f302070, 0x3f302070 },
		{ "icelake", 255, 0xff, 0xff },
		{ "icelake", 255000, 0x7f800000, 0x7f800000 },
		{ "sapphirerapids", 1000003, 0x201010203f302070, 0x201010203f302070 },
		{ "sapphirerapids", 12345678, 0, 0 },
		{ "sapphirerapids", 0, UINT64_MAX, 0 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		host_new(&h, rows[i].profile, 0);
		host_wrmsr(&h, MSR_SLOTS, rows[i].slots);
		host_wrmsr(&h, MSR_METRICS, rows[i].metrics);
		assert_int_equal(host_peek(&h, MSR_METRICS), rows[i].read);
		host_free(&h);
	}
}

/* Whatever was written, the first level adds up to all parts and contains the second. */
static void bytes_add_up(void **state)
{
	uint64_t seed = 1, value, part[8];
	struct host h;

	(void)state;
	host_new(&h, "sapphirerapids", 0);
	for (int i = 0; i < 2000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		host_wrmsr(&h, MSR_SLOTS, 1000 + (seed >> 40));
		host_wrmsr(&h, MSR_METRICS, seed | 1);
		value = host_peek(&h, MSR_METRICS);
		for (int b = 0; b < 8; b++)
			part[b] = value >> 8 * b & 0xff;
		assert_int_equal(part[0] + part[1] + part[2] + part[3], 255);
		for (int b = 0; b < 4; b++)
			assert_true(part[b + 4] <= part[b]);
	}
	host_free(&h);
}

static void rdpmc_reads_it(void **state)
{
	uint64_t value = 0;
	struct host h;

	(void)state;
	host_new(&h, "icelake", 0);
	host_wrmsr(&h, MSR_SLOTS, 2550);
	host_wrmsr(&h, MSR_METRICS, 0x0f10e000);
	assert_int_equal(pmu_rdpmc(h.pmu, RDPMC_METRICS, &value), PMU_DONE);
	assert_int_equal(value, 0x0f10e000);
	assert_int_equal(pmu_rdpmc(h.pmu, RDPMC_METRICS | 1, &value), PMU_FAULT);
	host_free(&h);
	host_new(&h, "skylake", 0);
	assert_int_equal(pmu_rdpmc(h.pmu, RDPMC_METRICS, &value), PMU_FAULT);
	host_free(&h);
}

static void announced_where_it_is(void **state)
{
	static const struct {
		const char *profile;
		bool metrics;
	} rows[] = {
		{ "skylake", false }, { "icelake", true }, { "sapphirerapids", true },
		{ "alderlake", false }, { "perfmon6", false },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		host_new(&h, rows[i].profile, 0);
		assert_int_equal(host_peek(&h, MSR_CAPABILITIES) >> 15 & 1, rows[i].metrics);
		if (rows[i].metrics) {
			host_wrmsr(&h, MSR_STATUS_SET, METRICS_BIT);
			assert_int_equal(host_peek(&h, MSR_STATUS), METRICS_BIT);
			host_wrmsr(&h, MSR_STATUS_RESET, METRICS_BIT);
			assert_int_equal(host_peek(&h, MSR_STATUS), 0);
		}
		host_free(&h);
	}
}

/* A snapshot has what was written, and a reset clears it. */
static void found_metrics(void *found, uint32_t msr, uint64_t value)
{
	if (msr == MSR_METRICS)
		*(uint64_t *)found = value;
}

static void belongs_to_the_state(void **state)
{
	uint64_t found = 0;
	struct host h;

	(void)state;
	host_new(&h, "icelake", 0);
	host_wrmsr(&h, MSR_SLOTS, 510);
	host_wrmsr(&h, MSR_METRICS, 0x000000ff);
	host_boundary(&h);
	pmu_each_changed_msr(h.pmu, found_metrics, &found);
	assert_int_equal(found, 0xff);
	pmu_reset(h.pmu);
	assert_int_equal(host_peek(&h, MSR_METRICS), 0);
	host_free(&h);
}

/* --- rings --- */

static void rings_and_switches(void **state)
{
	static const char *const profiles[] = { "sandybridge", "ivybridge", "haswell" };
	const uint32_t both = EN | USR | OS;
	struct host h;

	(void)state;
	for (size_t p = 0; p < sizeof(profiles) / sizeof(profiles[0]); p++) {
		uint64_t kernel, user;

		host_new(&h, profiles[p], 0);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
		host_wrmsr(&h, MSR_EVTSEL0, both | 0x015c);
		host_wrmsr(&h, MSR_EVTSEL0 + 1, both | 0x015c | EDGE | CMASK(1));
		host_wrmsr(&h, MSR_EVTSEL0 + 2, both | 0x025c);
		host_wrmsr(&h, MSR_EVTSEL0 + 3, both | 0x3c);
		host_wrmsr(&h, MSR_EVTSEL0 + 4, EN | USR | 0x015c);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 0xff);
		for (int i = 0; i < 25; i++) {
			host_run(&h, 400);
			host_ring(&h, PMU_USER);
			host_run(&h, 1200);
			host_ring(&h, PMU_KERNEL);
		}
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
		kernel = host_peek(&h, MSR_PMC0);
		user = host_peek(&h, MSR_PMC0 + 2);
		assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 25);
		assert_int_equal(kernel + user, host_peek(&h, MSR_PMC0 + 3));
		assert_in_range(user, kernel * 3 - 5, kernel * 3 + 5);
		assert_int_equal(host_peek(&h, MSR_PMC0 + 4), 0);
		host_free(&h);
	}
}

/* The switch that overflows is the one that interrupts. */
static void switches_overflow(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "haswell", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-3 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, EN | INT | OS | 0x015c | EDGE | CMASK(1));
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 1);
	for (uint64_t i = 1; i <= 4; i++) {
		host_ring(&h, PMU_USER);
		host_run(&h, 10);
		host_ring(&h, PMU_KERNEL);
		host_run(&h, 10);
		assert_int_equal(h.pmis, i >= 3);
	}
	host_free(&h);
}

/* --- threads --- */

struct core {
	struct host a, b;
};

static void new_core(struct core *c, const char *profile)
{
	host_new(&c->a, profile, 0);
	host_new(&c->b, profile, 0);
	assert_true(pmu_join(c->b.pmu, c->a.pmu));
}

static void free_core(struct core *c)
{
	host_free(&c->a);
	host_free(&c->b);
}

/* Each counts the event in both classes, and the other knows. */
static void count_both(struct core *c, uint32_t code)
{
	host_wrmsr(&c->a, MSR_EVTSEL0, EN | USR | OS | code);
	if (pmu_core_changed(c->a.pmu))
		pmu_core_update(c->b.pmu);
	host_wrmsr(&c->b, MSR_EVTSEL0, EN | USR | OS | code);
	if (pmu_core_changed(c->b.pmu))
		pmu_core_update(c->a.pmu);
	host_boundary(&c->a);
	host_boundary(&c->b);
	host_wrmsr(&c->a, MSR_PMC0, 0);
	host_wrmsr(&c->b, MSR_PMC0, 0);
}

static void take_turns(struct core *c, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		host_run(&c->a, 400);
		host_run(&c->b, 400);
	}
	host_boundary(&c->b);
	host_boundary(&c->a);
}

/*
 * What a thread has not heard of yet is a thousand instructions of the other, half of
 * whose cycles it will do without.
 */
#define LAG (1000 / 4 / 2)

/* Both run: each has half of the cycles.  One is halted: the other has all of them. */
static void threads_share_cycles(void **state)
{
	struct core c;
	uint64_t before;

	(void)state;
	new_core(&c, "icelake");
	count_both(&c, 0x02ec);
	take_turns(&c, 100);
	assert_in_range(host_peek(&c.a, MSR_PMC0), 4990, 5010 + LAG);
	assert_in_range(host_peek(&c.b, MSR_PMC0), 4990, 5010 + LAG);
	before = host_peek(&c.a, MSR_PMC0);
	assert_false(pmu_halt(c.b.pmu));
	host_run(&c.a, 40000);
	assert_in_range(host_peek(&c.a, MSR_PMC0) - before, 9990 - LAG, 10010);
	free_core(&c);
}

static void slots_are_divided(void **state)
{
	struct core c;

	(void)state;
	new_core(&c, "icelake");
	count_both(&c, 0x01a4);
	take_turns(&c, 100);
	assert_in_range(host_peek(&c.a, MSR_PMC0), 5 * 4990, 5 * (5010 + LAG));
	assert_in_range(host_peek(&c.b, MSR_PMC0), 5 * 4990, 5 * (5010 + LAG));
	free_core(&c);
}

static void one_thread_is_active(void **state)
{
	static const char *const profiles[] = { "sandybridge", "skylake", "icelake" };
	uint64_t bus = 40000 / 4 * 7 / 256, before;
	struct core c;

	(void)state;
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		new_core(&c, profiles[i]);
		count_both(&c, 0x023c);
		take_turns(&c, 100);
		assert_true(host_peek(&c.a, MSR_PMC0) < 2 * LAG * 7 / 256 + 2);
		before = host_peek(&c.a, MSR_PMC0);
		assert_false(pmu_halt(c.b.pmu));
		host_run(&c.a, 40000);
		assert_in_range(host_peek(&c.a, MSR_PMC0) - before, bus - 12, bus + 3);
		free_core(&c);
	}
}

/* A thread alone on its core is always that one. */
static void alone_is_the_bus_clock(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "haswell", 0);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | OS | 0x023c);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | OS | 0x013c);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 3);
	host_run(&h, 1000000);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	assert_true(host_peek(&h, MSR_PMC0) > 1000);
	assert_int_equal(host_peek(&h, MSR_PMC0), host_peek(&h, MSR_PMC0 + 1));
	host_free(&h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_and_reads_back),
		cmocka_unit_test(bytes_add_up),
		cmocka_unit_test(rdpmc_reads_it),
		cmocka_unit_test(announced_where_it_is),
		cmocka_unit_test(belongs_to_the_state),
		cmocka_unit_test(rings_and_switches),
		cmocka_unit_test(switches_overflow),
		cmocka_unit_test(threads_share_cycles),
		cmocka_unit_test(slots_are_divided),
		cmocka_unit_test(one_thread_is_active),
		cmocka_unit_test(alone_is_the_bus_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
