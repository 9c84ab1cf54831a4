// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU model's counters of energy: who has them, that they add up what happens by the figures
 * of box.rst, for all CPUs of a package, and that they wrap.
 */
#include "tests/unit/model/pipeline_host.h"

enum {
	MSR_UNITS = 0x606,
	MSR_LIMIT = 0x610,
	MSR_ENERGY = 0x611,
	MSR_INFO = 0x614,
	MSR_CORE_LIMIT = 0x638,
	MSR_CORE_ENERGY = 0x639,
};

static const uint32_t registers[] = {
	MSR_UNITS, MSR_LIMIT, MSR_ENERGY, MSR_INFO, MSR_CORE_LIMIT, MSR_CORE_ENERGY,
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define AT_POWER_ON 1000000

static const char *const with_energy[] = {
	"sandybridge", "ivybridge", "haswell", "skylake", "icelake", "sapphirerapids",
	"graniterapids", "alderlake", "alderlake-p", "meteorlake", "arrowlake-h", "lunarlake",
	"pantherlake", "perfmon6", "unknown",
};
static const char *const without_energy[] = {
	"p5", "p55c", "p6", "core2", "nehalem", "p4", "p4-northwood",
};

static unsigned int shift_of(const char *profile)
{
	bool bridge = !strcmp(profile, "sandybridge") || !strcmp(profile, "ivybridge");

	return bridge ? 16 : 14;
}

static uint64_t units(uint64_t nj, unsigned int shift)
{
	return (nj << shift) / 1000000000;
}

static void older_processors_fault(void **state)
{
	struct host h;
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < ROWS(without_energy); i++) {
		host_new(&h, without_energy[i], 0);
		for (size_t r = 0; r < ROWS(registers); r++) {
			assert_int_equal(host_try_rdmsr(&h, registers[r], &value), PMU_FAULT);
			assert_int_equal(host_try_wrmsr(&h, registers[r], 0), PMU_FAULT);
		}
		host_free(&h);
	}
}

/* Limits can be set, and are the package's; all others are read-only. */
static void registers_of_the_package(void **state)
{
	struct host h, other;

	(void)state;
	for (size_t i = 0; i < ROWS(with_energy); i++) {
		host_new(&h, with_energy[i], 0);
		host_new(&other, with_energy[i], 0);
		assert_true(pmu_join_package(other.pmu, h.pmu));
		assert_int_equal(host_rdmsr(&h, MSR_UNITS) >> 8 & 0x1f, shift_of(with_energy[i]));
		assert_int_equal(host_rdmsr(&h, MSR_INFO), 65 * 8);
		assert_int_equal(host_rdmsr(&h, MSR_LIMIT) & 0x7fff, 65 * 8);
		assert_int_equal(host_rdmsr(&h, MSR_ENERGY), AT_POWER_ON);
		host_wrmsr(&h, MSR_LIMIT, 0x8100);
		assert_int_equal(host_rdmsr(&other, MSR_LIMIT), 0x8100);
		assert_int_equal(host_try_wrmsr(&h, MSR_LIMIT, UINT64_C(1) << 62), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, MSR_UNITS, 0), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, MSR_ENERGY, 0), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, MSR_INFO, 0), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, MSR_CORE_ENERGY, 0), PMU_FAULT);
		host_free(&other);
		host_free(&h);
	}
}

/* Of a program that loads alone, no more than a line at a time. */
static uint64_t core_energy_of(struct program *p, uint64_t uops)
{
	return total(p, PMU_CYCLES) + uops + total(p, PMU_LOADS) + 4 * total(p, PMU_L1D_MISSES);
}

static uint64_t energy_of(struct program *p, uint64_t uops, uint64_t prefetched)
{
	return core_energy_of(p, uops) + 12 * total(p, PMU_CACHE_REFERENCES) +
	       40 * total(p, PMU_CACHE_MISSES) + 50 * prefetched;
}

static void expect_energy(struct program *p, const char *profile, uint64_t uops,
			  uint64_t prefetched)
{
	unsigned int shift = shift_of(profile);
	bool server = !strcmp(profile, "sapphirerapids") || !strcmp(profile, "graniterapids");
	uint64_t energy = energy_of(p, uops, prefetched), core = core_energy_of(p, uops);

	assert_int_equal(total(p, PMU_ENERGY), energy);
	assert_int_equal(total(p, PMU_CORE_ENERGY), core);
	assert_int_equal(host_peek(&p->h, MSR_ENERGY), AT_POWER_ON + units(energy, shift));
	assert_int_equal(host_peek(&p->h, MSR_CORE_ENERGY),
			 server ? 0 : AT_POWER_ON + units(core, shift));
}

/* Uops of wrong paths and lines that nobody asked for have their part. */
static void a_pipeline_adds_up(void **state)
{
	struct program p;

	(void)state;
	for (size_t i = 0; i < ROWS(with_energy); i++) {
		program_new(&p, with_energy[i]);
		run_branches(&p, 20000);
		run_loads(&p, 60000, 1 << 20);
		run_chase(&p, 100000, CHASE_LINES);
		enter_kernel(&p);
		assert_true(total(&p, PMU_SIG_UOPS_ISSUED) > total(&p, PMU_SIG_UOPS_RETIRED));
		assert_true(total(&p, PMU_SIG_PREFETCHES_L2) > 1000);
		assert_true(total(&p, PMU_CACHE_MISSES) > 1000);
		expect_energy(&p, with_energy[i], total(&p, PMU_SIG_UOPS_ISSUED),
			      total(&p, PMU_SIG_PREFETCHES_L1) + total(&p, PMU_SIG_PREFETCHES_L2));
		program_end(&p);
	}
}

static void without_one_by_instructions(void **state)
{
	struct program p;

	(void)state;
	for (size_t i = 0; i < ROWS(with_energy); i++) {
		program_new_simple(&p, with_energy[i]);
		host_no_prefetch(&p.h);
		run_loads(&p, 20000, 1 << 20);
		expect_energy(&p, with_energy[i], total(&p, PMU_INSTRUCTIONS), 0);
		program_end(&p);
	}
}

static void what_prefetchers_bring_costs(void **state)
{
	uint64_t energy[2];
	struct program p;

	(void)state;
	for (unsigned int off = 0; off < 2; off++) {
		program_new_simple(&p, "skylake");
		if (off)
			host_no_prefetch(&p.h);
		chase_memory(&p, 20000);
		energy[off] = total(&p, PMU_ENERGY);
		program_end(&p);
	}
	assert_true(energy[0] > energy[1] + 50 * 5000);
}

/* A package's counters are of all its CPUs, another package's of none of them. */
static void packages_apart(void **state)
{
	struct program a, b, c;
	uint64_t sum;

	(void)state;
	program_new(&a, "skylake");
	program_new(&b, "skylake");
	program_new(&c, "skylake");
	assert_true(pmu_join_package(b.h.pmu, a.h.pmu));
	pmu_force(b.h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	run_dense(&a, 100000);
	run_chain(&b, 200000);
	sum = total(&a, PMU_ENERGY) + total(&b, PMU_ENERGY);
	assert_true(total(&a, PMU_ENERGY) > 50000 && total(&b, PMU_ENERGY) > 50000);
	assert_int_equal(host_peek(&a.h, MSR_ENERGY), AT_POWER_ON + units(sum, 14));
	assert_int_equal(host_peek(&b.h, MSR_ENERGY), AT_POWER_ON + units(sum, 14));
	assert_int_equal(host_peek(&c.h, MSR_ENERGY), AT_POWER_ON);
	program_end(&c);
	program_end(&b);
	program_end(&a);
}

static void counters_wrap(void **state)
{
	const uint64_t first = UINT64_C(0x100000000) - 100;
	struct program p;
	char why[200];

	(void)state;
	program_new(&p, "skylake");
	assert_true(pmu_silicon(p.h.pmu, "energy-wraps", why, sizeof(why)));
	assert_int_equal(host_peek(&p.h, MSR_ENERGY), first);
	run_chase(&p, 400000, CHASE_LINES);
	assert_true(units(total(&p, PMU_ENERGY), 14) > 100);
	assert_int_equal(host_peek(&p.h, MSR_ENERGY),
			 units(total(&p, PMU_ENERGY), 14) - 100);
	program_end(&p);
}

/* Nobody knows what happens while nobody asks. */
static void nothing_while_nothing_counts(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_run(&h, 1000000);
	host_load(&h, DATA_BASE);
	assert_int_equal(host_peek(&h, MSR_ENERGY), AT_POWER_ON);
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(older_processors_fault),
		cmocka_unit_test(registers_of_the_package),
		cmocka_unit_test(a_pipeline_adds_up),
		cmocka_unit_test(without_one_by_instructions),
		cmocka_unit_test(what_prefetchers_bring_costs),
		cmocka_unit_test(packages_apart),
		cmocka_unit_test(counters_wrap),
		cmocka_unit_test(nothing_while_nothing_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
