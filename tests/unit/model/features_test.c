// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers that switch prefetchers off, as the PMU model has them: what a stream takes with
 * each and without, what of a register is a core's and what a package's, and which bits there are.
 */
#include "tests/unit/model/pipeline_host.h"

#define MSR_MISC 0x1a0
#define BIT_(n) (UINT64_C(1) << (n))
#define LINES_READ 20000

static void load_lines(struct program *p, int64_t step)
{
	for (int64_t i = 0; i < LINES_READ; i++)
		run_access(p, &code_load, DATA_BASE + (uint64_t)(i * step) * LINE, false);
}

/* Cycles of a stream with what is written there; 0: nothing is. */
static uint64_t stream(const char *profile, uint32_t msr, uint64_t value, int64_t step)
{
	struct program p;
	uint64_t cycles;

	program_new_simple(&p, profile);
	if (msr)
		assert_int_equal(pmu_wrmsr(p.h.pmu, msr, value), PMU_DONE);
	load_lines(&p, step);
	cycles = total(&p, PMU_CYCLES);
	program_end(&p);
	return cycles;
}

/* --- what they do --- */

static const struct {
	const char *profile;
	uint32_t msr;
	uint64_t streamer, stride;	/* bits; 0: one has both */
} switches[] = {
	{ "core2", MSR_MISC, BIT_(9), BIT_(39) },
	{ "p4", MSR_MISC, BIT_(9), 0 },
	{ "p4-northwood", MSR_MISC, BIT_(9), 0 },
	{ "nehalem", MSR_PREFETCH, BIT_(0), BIT_(3) },
};

#define ROWS (sizeof(switches) / sizeof(switches[0]))

static void streams_cost_more_without(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ROWS; i++) {
		const char *profile = switches[i].profile;
		uint64_t with = stream(profile, 0, 0, 1), by_three = stream(profile, 0, 0, 3);
		uint64_t stride = switches[i].stride ? switches[i].stride : switches[i].streamer;

		assert_true(stream(profile, switches[i].msr, switches[i].streamer, 1) > 2 * with);
		assert_true(stream(profile, switches[i].msr, stride, 3) > 2 * by_three);
		if (!switches[i].stride)
			continue;
		assert_int_equal(stream(profile, switches[i].msr, stride, 1), with);
		assert_int_equal(stream(profile, switches[i].msr, switches[i].streamer, 3),
				 by_three);
	}
}

static void an_order_without_steps_costs_the_same(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ROWS; i++) {
		uint64_t cycles[2];

		for (unsigned int off = 0; off < 2; off++) {
			struct program p;

			program_new_simple(&p, switches[i].profile);
			if (off)
				assert_int_equal(pmu_wrmsr(p.h.pmu, switches[i].msr,
							   switches[i].streamer), PMU_DONE);
			run_chase(&p, 30000, 65536);
			cycles[off] = total(&p, PMU_CYCLES);
			program_end(&p);
		}
		assert_int_equal(cycles[0], cycles[1]);
	}
}

/* --- whose they are --- */

static uint64_t read_msr(struct pmu *pmu, uint32_t msr)
{
	uint64_t value;

	assert_int_equal(pmu_rdmsr(pmu, msr, &value), PMU_DONE);
	return value;
}

/* Bit 19 of a Core 2 is its package's, the others are a core's. */
static void cores_share_what_is_the_packages(void **state)
{
	struct host a, b, c;

	(void)state;
	host_new(&a, "core2", 0);
	host_new(&b, "core2", 0);
	host_new(&c, "core2", 0);
	assert_true(pmu_join_package(b.pmu, a.pmu));
	assert_false(pmu_join_package(b.pmu, a.pmu));
	assert_int_equal(read_msr(b.pmu, MSR_MISC), 0x881);
	assert_int_equal(pmu_wrmsr(a.pmu, MSR_MISC, 0x881 | BIT_(9) | BIT_(19)), PMU_DONE);
	assert_int_equal(read_msr(a.pmu, MSR_MISC), 0x881 | BIT_(9) | BIT_(19));
	assert_int_equal(read_msr(b.pmu, MSR_MISC), 0x881 | BIT_(19));
	assert_int_equal(read_msr(c.pmu, MSR_MISC), 0x881);
	assert_int_equal(pmu_wrmsr(b.pmu, MSR_MISC, 0x881), PMU_DONE);
	assert_int_equal(read_msr(a.pmu, MSR_MISC), 0x881 | BIT_(9));
	/* Whoever comes first goes first. */
	host_free(&a);
	assert_int_equal(read_msr(b.pmu, MSR_MISC), 0x881);
	host_free(&b);
	host_free(&c);
}

static void other_kinds_have_another_package(void **state)
{
	struct host a, b;

	(void)state;
	host_new(&a, "core2", 0);
	host_new(&b, "nehalem", 0);
	assert_false(pmu_join_package(b.pmu, a.pmu));
	host_free(&a);
	host_free(&b);
}

static void threads_share_a_cores(void **state)
{
	struct host a, b;

	(void)state;
	host_new(&a, "p4", 0);
	host_new(&b, "p4", 0);
	assert_true(pmu_join(b.pmu, a.pmu));
	assert_int_equal(pmu_wrmsr(a.pmu, MSR_MISC, 0x881 | BIT_(9)), PMU_DONE);
	assert_int_equal(read_msr(b.pmu, MSR_MISC), 0x881 | BIT_(9));
	host_free(&a);
	host_free(&b);
}

/* --- which bits there are --- */

static void reserved_bits_fault(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ROWS; i++) {
		struct host h;
		uint64_t before;

		host_new(&h, switches[i].profile, 0);
		before = read_msr(h.pmu, switches[i].msr);
		assert_int_equal(pmu_wrmsr(h.pmu, switches[i].msr, BIT_(63)), PMU_FAULT);
		assert_int_equal(read_msr(h.pmu, switches[i].msr), before);
		host_free(&h);
	}
}

/* What says which PMU there is stays, whatever is written; a reset puts all back. */
static void read_only_bits_stay(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	assert_int_equal(pmu_wrmsr(h.pmu, MSR_MISC, BIT_(9)), PMU_DONE);
	assert_int_equal(read_msr(h.pmu, MSR_MISC), 0x880 | BIT_(9));
	pmu_reset(h.pmu);
	assert_int_equal(read_msr(h.pmu, MSR_MISC), 0x881);
	host_free(&h);
}

static void changed(void *data, uint32_t msr, uint64_t value)
{
	(void)value;
	*(uint32_t *)data = msr;
}

static void changes_are_seen_at_marks(void **state)
{
	uint32_t seen = 0;
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	pmu_each_changed_msr(h.pmu, changed, &seen);
	assert_int_equal(seen, 0);
	assert_int_equal(pmu_wrmsr(h.pmu, MSR_MISC, 0x881 | BIT_(37)), PMU_DONE);
	pmu_each_changed_msr(h.pmu, changed, &seen);
	assert_int_equal(seen, MSR_MISC);
	host_free(&h);
}

/* A hypervisor that has them not: whoever asks is answered by somebody who takes any write. */
static void some_machines_have_none(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "faulty-zero", 0);
	assert_int_equal(pmu_wrmsr(h.pmu, MSR_PREFETCH, 1), PMU_NOT_MINE);
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_cost_more_without),
		cmocka_unit_test(an_order_without_steps_costs_the_same),
		cmocka_unit_test(cores_share_what_is_the_packages),
		cmocka_unit_test(other_kinds_have_another_package),
		cmocka_unit_test(threads_share_a_cores),
		cmocka_unit_test(reserved_bits_fault),
		cmocka_unit_test(read_only_bits_stay),
		cmocka_unit_test(changes_are_seen_at_marks),
		cmocka_unit_test(some_machines_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
