// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last level in the PMU model: that a package has one, by physical lines; of cache allocation
 * what CPUID says, which values its registers take, which ways a class of service fills, and that a
 * line is found in all of them.
 */
#include "tests/unit/model/pipeline_host.h"

#define MSR_CLASS 0xc8f
#define MSR_MASK 0xc90
#define CLASS(n) ((uint64_t)(n) << 32)
#define ALL 0x7fff
#define SET_STEP (UINT64_C(16384) * LINE)	/* to the next line of the same set */

static void cpuid_says_it_of_servers(void **state)
{
	static const uint32_t none[4], which[4] = { 0, 2, 0, 0 }, l3[4] = { 14, 0x6000, 0, 14 };
	static const struct {
		const char *profile;
		bool there;
	} rows[] = {
		{ "p5", false }, { "p6", false }, { "core2", false }, { "haswell", false }, { "skylake", false },
		{ "icelake", false }, { "alderlake", false }, { "perfmon6", false }, { "p4", false },
		{ "sapphirerapids", true }, { "graniterapids", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t seven[4] = { 0 }, zero[4] = { 0 }, one[4] = { 0 }, two[4] = { 0 };
		uint64_t value;
		struct host h;

		host_new(&h, rows[i].profile, 0);
		pmu_cpuid(h.pmu, 7, 0, seven);
		pmu_cpuid(h.pmu, 0x10, 0, zero);
		pmu_cpuid(h.pmu, 0x10, 1, one);
		pmu_cpuid(h.pmu, 0x10, 2, two);
		assert_int_equal(seven[1] >> 15 & 1, rows[i].there);
		assert_memory_equal(zero, rows[i].there ? which : none, sizeof(zero));
		assert_memory_equal(one, rows[i].there ? l3 : none, sizeof(one));
		assert_memory_equal(two, none, sizeof(two));
		if (strncmp(rows[i].profile, "p4", 2) != 0)
			assert_int_equal(host_try_rdmsr(&h, MSR_MASK, &value),
					 rows[i].there ? PMU_DONE : PMU_FAULT);
		host_free(&h);
	}
}

static void registers_take_what_they_may(void **state)
{
	static const struct {
		uint32_t msr;
		uint64_t value;
		bool taken;
	} rows[] = {
		{ MSR_MASK, 0xf, true }, { MSR_MASK, 0x7ff0, true }, { MSR_MASK, 0x4000, true },
		{ MSR_MASK, 0, false }, { MSR_MASK, 0x5, false }, { MSR_MASK, 0x4001, false },
		{ MSR_MASK, 0x8000, false }, { MSR_MASK, 0xffff, false },
		{ MSR_MASK + 14, 1, true }, { MSR_MASK + 15, 1, false },
		{ MSR_CLASS, CLASS(14), true }, { MSR_CLASS, CLASS(15), false },
		{ MSR_CLASS, CLASS(0x100), false }, { MSR_CLASS, 1, false },
	};
	struct host h;

	(void)state;
	host_new(&h, "sapphirerapids", 0);
	for (uint32_t i = 0; i < 15; i++)
		assert_int_equal(host_peek(&h, MSR_MASK + i), ALL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(host_try_wrmsr(&h, rows[i].msr, rows[i].value),
				 rows[i].taken ? PMU_DONE : PMU_FAULT);
		if (rows[i].taken)
			assert_int_equal(host_peek(&h, rows[i].msr), rows[i].value);
	}
	pmu_reset(h.pmu);
	assert_int_equal(host_peek(&h, MSR_MASK + 14), ALL);
	assert_int_equal(host_peek(&h, MSR_CLASS), 0);
	host_free(&h);
}

/* Masks are a package's, the class is a thread's. */
static void packages_share_masks(void **state)
{
	struct host a, b, c;

	(void)state;
	host_new(&a, "sapphirerapids", 0);
	host_new(&b, "sapphirerapids", 0);
	host_new(&c, "sapphirerapids", 0);
	assert_true(pmu_join_package(b.pmu, a.pmu));
	host_wrmsr(&a, MSR_MASK + 2, 0xff);
	host_wrmsr(&a, MSR_CLASS, CLASS(2));
	assert_int_equal(host_peek(&b, MSR_MASK + 2), 0xff);
	assert_int_equal(host_peek(&c, MSR_MASK + 2), ALL);
	assert_int_equal(host_peek(&b, MSR_CLASS), 0);
	host_free(&a);
	host_free(&b);
	host_free(&c);
}

static void changed_registers_are_told(void *data, uint32_t msr, uint64_t value)
{
	uint64_t *told = data;

	assert_int_equal(msr, MSR_MASK + 3);
	assert_int_equal(value, 0x1ff);
	++*told;
}

static void masks_are_state(void **state)
{
	uint64_t told = 0;
	struct host h;

	(void)state;
	host_new(&h, "sapphirerapids", 0);
	host_wrmsr(&h, MSR_MASK + 3, 0x1ff);
	pmu_each_changed_msr(h.pmu, changed_registers_are_told, &told);
	assert_int_equal(told, 1);
	host_free(&h);
}

/*
 * Loads of `lines` lines that share a set of the last level, and of the levels below, so often that
 * only the last one is asked; returns how many it lacked.
 */
static uint64_t lacked(struct program *p, unsigned int lines, unsigned int rounds)
{
	uint64_t before = total(p, PMU_CACHE_MISSES);

	for (unsigned int i = 0; i < rounds * lines; i++)
		run_access(p, &code_load, DATA_BASE + i % lines * SET_STEP, false);
	return total(p, PMU_CACHE_MISSES) - before;
}

/* So many lines that the second level, of 16 ways, has none of them when it is asked again. */
static void pass_the_second_level(struct program *p)
{
	for (unsigned int i = 0; i < 40; i++)
		run_access(p, &code_load, 2 * DATA_BASE + 2048 * LINE + i * SET_STEP, false);
}

static void fills_go_into_the_mask(void **state)
{
	struct program p;

	(void)state;
	program_new_simple(&p, "sapphirerapids");
	host_no_prefetch(&p.h);
	host_wrmsr(&p.h, MSR_MASK + 1, 0x3);
	/* Class 0 has all ways, so that 14 lines stay. */
	assert_int_equal(lacked(&p, 14, 1), 14);
	/* Class 1 fills two of them; and finds lines of others. */
	host_wrmsr(&p.h, MSR_CLASS, CLASS(1));
	pass_the_second_level(&p);
	assert_int_equal(lacked(&p, 14, 1), 0);
	pmu_evict_all(p.h.pmu, true);
	assert_int_equal(lacked(&p, 14, 1), 14);
	assert_int_equal(pmu_wrmsr(p.h.pmu, MSR_CLASS, 0), PMU_DONE);
	program_end(&p);
}

/* A random walk over 8 MiB, eight lines of each set: misses of its second half. */
static uint64_t misses_of_a_walk(uint64_t mask)
{
	struct program p;
	uint64_t cold = 0, all;

	program_new_simple(&p, "sapphirerapids");
	host_no_prefetch(&p.h);
	host_wrmsr(&p.h, MSR_MASK + 1, mask);
	host_wrmsr(&p.h, MSR_CLASS, CLASS(1));
	for (unsigned int n = 0; n < 400000; n++) {
		uint64_t line = next_random(&p) % 131072;

		run_access(&p, &code_load, DATA_BASE + line * LINE, false);
		if (n == 200000)
			cold = total(&p, PMU_CACHE_MISSES);
	}
	all = total(&p, PMU_CACHE_MISSES) - cold;
	program_end(&p);
	return all;
}

static void misses_grow_as_ways_shrink(void **state)
{
	uint64_t fifteen = misses_of_a_walk(ALL), six = misses_of_a_walk(0x7e00);
	uint64_t four = misses_of_a_walk(0xf), two = misses_of_a_walk(0x6);
	uint64_t one = misses_of_a_walk(1);

	(void)state;
	assert_true(one > two && two > four && four > six && six > fifteen);
	/* Two are two, whichever they are. */
	assert_int_equal(misses_of_a_walk(0x30), two);
}

/* What leaves makes room for the next one, in its own way. */
static void evicted_lines_make_room(void **state)
{
	struct program p;

	(void)state;
	program_new_simple(&p, "sapphirerapids");
	host_no_prefetch(&p.h);
	assert_int_equal(lacked(&p, 15, 1), 15);
	pmu_evict(p.h.pmu, DATA_BASE + 3 * SET_STEP);
	/* One new line takes the empty way; all others stay. */
	run_access(&p, &code_load, DATA_BASE + 20 * SET_STEP, false);
	pass_the_second_level(&p);
	assert_int_equal(lacked(&p, 3, 1), 0);
	program_end(&p);
}

/* Three CPUs, two of them in a package. */
static void start_packages(struct program p[3], const char *profile)
{
	for (unsigned int i = 0; i < 3; i++) {
		program_new_simple(&p[i], profile);
		host_no_prefetch(&p[i].h);
	}
	assert_true(pmu_join_package(p[1].h.pmu, p[0].h.pmu));
	for (unsigned int i = 0; i < 3; i++)
		host_no_prefetch(&p[i].h);
}

/* Those that leave last free what they have had together. */
static void end_packages(struct program p[3])
{
	for (unsigned int i = 0; i < 3; i++)
		program_end(&p[i]);
}

static void packages_share_lines(void **state)
{
	static const char *const profiles[] = { "skylake", "icelake", "sapphirerapids" };
	struct program p[3];

	(void)state;
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		start_packages(p, profiles[i]);
		assert_int_equal(lacked(&p[0], 8, 1), 8);
		assert_int_equal(lacked(&p[1], 8, 1), 0);
		assert_int_equal(lacked(&p[2], 8, 1), 8);
		/* Its own levels have them still, the package's has not. */
		pmu_evict(p[1].h.pmu, DATA_BASE);
		assert_int_equal(lacked(&p[1], 8, 1), 1);
		pmu_evict_all(p[0].h.pmu, true);
		assert_int_equal(lacked(&p[0], 8, 1), 8);
		end_packages(p);
	}
}

/* Lines of a neighbour push ours out, but out of the ways alone that his class fills. */
static void neighbours_take_ways(void **state)
{
	struct program p[3];

	(void)state;
	start_packages(p, "sapphirerapids");
	host_wrmsr(&p[0].h, MSR_MASK + 1, 0x7ffc);
	host_wrmsr(&p[0].h, MSR_MASK + 2, 0x3);
	host_wrmsr(&p[0].h, MSR_CLASS, CLASS(1));
	host_wrmsr(&p[1].h, MSR_CLASS, CLASS(2));
	assert_int_equal(lacked(&p[0], 13, 1), 13);
	pass_the_second_level(&p[1]);
	for (unsigned int i = 0; i < 30; i++)
		run_access(&p[1], &code_load, 3 * DATA_BASE + i * SET_STEP, false);
	assert_int_equal(lacked(&p[1], 13, 1), 0);
	host_wrmsr(&p[1].h, MSR_CLASS, 0);
	for (unsigned int i = 0; i < 30; i++)
		run_access(&p[1], &code_load, 4 * DATA_BASE + i * SET_STEP, false);
	pass_the_second_level(&p[0]);
	assert_int_equal(lacked(&p[0], 13, 1), 13);
	end_packages(p);
}

/* Programs have pages of their own at an address, the same one, or none. */
static uint64_t frame_of(void *data, uint64_t addr)
{
	const uint64_t *offset = data;

	return *offset == PMU_NO_ADDRESS ? PMU_NO_ADDRESS : addr - *offset;
}

static void lines_are_physical(void **state)
{
	uint64_t offset[3] = { 0, UINT64_C(1) << 30, 0 };
	struct program p[3];

	(void)state;
	start_packages(p, "skylake");
	for (unsigned int i = 0; i < 3; i++)
		pmu_l3_by(p[i].h.pmu, frame_of, &offset[i]);
	assert_int_equal(lacked(&p[0], 8, 1), 8);
	assert_int_equal(lacked(&p[1], 8, 1), 8);
	pmu_evict_all(p[1].h.pmu, true);
	assert_int_equal(lacked(&p[0], 1, 1), 0);	/* from its own second level */
	offset[1] = 0;
	assert_int_equal(lacked(&p[1], 8, 1), 8);
	offset[2] = PMU_NO_ADDRESS;
	assert_int_equal(lacked(&p[2], 40, 2), 80);
	pmu_evict(p[2].h.pmu, DATA_BASE);
	end_packages(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpuid_says_it_of_servers),
		cmocka_unit_test(registers_take_what_they_may),
		cmocka_unit_test(packages_share_masks),
		cmocka_unit_test(masks_are_state),
		cmocka_unit_test(fills_go_into_the_mask),
		cmocka_unit_test(misses_grow_as_ways_shrink),
		cmocka_unit_test(evicted_lines_make_room),
		cmocka_unit_test(packages_share_lines),
		cmocka_unit_test(neighbours_take_ways),
		cmocka_unit_test(lines_are_physical),
	};

	return cmocka_run_group_tests_name("model last level", tests, NULL, NULL);
}
