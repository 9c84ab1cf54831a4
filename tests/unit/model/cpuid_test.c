// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profiles of the PMU model: what CPUID says of each, and of threads that share a core.
 */
#include <string.h>

#include "tests/unit/model/host.h"

static void unknown_profile_is_refused(void **state)
{
	struct pmu_hot hot;

	(void)state;
	assert_null(pmu_new("pentium9", 0, &hot));
}

static void cpuid_describes_profiles(void **state)
{
	static const struct {
		const char *profile;
		uint32_t regs[4];	/* of leaf 0AH with one thread a core */
	} rows[] = {
		{ "core2", { 0x07280202, 0, 0, 0x503 } },
		{ "nehalem", { 0x07300403, 0, 0, 0x603 } },
		{ "sandybridge", { 0x07300803, 0, 0, 0x603 } },
		{ "ivybridge", { 0x07300803, 0, 0, 0x603 } },
		{ "haswell", { 0x07300803, 0, 0, 0x603 } },
		{ "skylake", { 0x07300404, 0, 0, 0x603 } },
		{ "icelake", { 0x08300805, 0, 0xf, 0x8604 } },
		{ "sapphirerapids", { 0x08300805, 0, 0xf, 0x8604 } },
		{ "graniterapids", { 0x08300805, 0, 0xf, 0x8604 } },
		{ "alderlake", { 0x07300605, 0, 0x7, 0x8603 } },
		{ "alderlake-e", { 0x07300605, 0, 0x7, 0x8603 } },
		{ "meteorlake", { 0x07300805, 0, 0x7, 0x8603 } },
		{ "meteorlake-e", { 0x07300805, 0, 0x7, 0x8603 } },
		{ "arrowlake-h", { 0x07300805, 0, 0x7, 0x8603 } },
		{ "arrowlake-h-e", { 0x07300805, 0, 0x7, 0x8603 } },
		{ "arrowlake-h-l", { 0x07300805, 0, 0x7, 0x8603 } },
		{ "alderlake-p", { 0x08300805, 0, 0xf, 0x8604 } },
		{ "alderlake-n", { 0x07300605, 0, 0x7, 0x8603 } },
		{ "sierraforest", { 0x07300805, 0, 0x7, 0x8603 } },
		{ "tremont", { 0x07300405, 0, 0x7, 0x8603 } },
		{ "goldmontplus", { 0x07300404, 0, 0, 0x8603 } },
		{ "lunarlake", { 0x0d300806, 0x280, 0x7, 0x8603 } },
		{ "lunarlake-e", { 0x0d300806, 0x280, 0x7, 0x8603 } },
		{ "pantherlake", { 0x0d300806, 0x280, 0x7, 0x8603 } },
		{ "pantherlake-e", { 0x0d300806, 0x280, 0x7, 0x8603 } },
		{ "perfmon6", { 0x08300806, 0, 0xf, 0x8604 } },
		{ "unknown", { 0x07300404, 0, 0, 0x603 } },
		{ "faulty-zero", { 0x07300404, 0, 0, 0x603 } },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t regs[4] = { 1, 2, 3, 4 }, one[4] = { 5, 0, 1, 1 };

		host_new(&h, rows[i].profile, 0);
		pmu_cpuid(h.pmu, 0xa, 0, regs);
		assert_memory_equal(regs, rows[i].regs, sizeof(regs));
		/* What the host has already stays: DTES64, PDCM, DS are added. */
		pmu_cpuid(h.pmu, 1, 0, one);
		assert_int_equal(one[0], 5);
		assert_int_equal(one[2], 1 | 1 << 2 | 1 << 15);
		assert_int_equal(one[3], 1 | 1 << 21);
		/* Performance monitoring yes, BTS no, PEBS not unavailable. */
		assert_int_equal(pmu_misc_enable(h.pmu), 1 << 7 | 1 << 11);
		host_free(&h);
	}
}

/* Sets, ways and lines of each level, those of data as well as those of both. */
static void cpuid_of_caches(void **state)
{
	static const struct {
		const char *profile;
		uint32_t eax, ebx, ecx;
	} rows[] = {
		{ "p4", 1 << 5 | 1, 7 << 22 | 63, 31 },
		{ "p4-northwood", 1 << 5 | 1, 3 << 22 | 63, 31 },
		{ "p4-northwood", 2 << 5 | 3, 7 << 22 | 63, 1023 },
		{ "skylake", 1 << 5 | 1, 7 << 22 | 63, 63 },
		{ "skylake", 2 << 5 | 3, 3 << 22 | 63, 1023 },
		{ "skylake", 3 << 5 | 3, 15 << 22 | 63, 8191 },
		{ "icelake", 1 << 5 | 1, 11 << 22 | 63, 63 },
		/* Code, and none: as the host says. */
		{ "skylake", 1 << 5 | 2, 7, 7 },
		{ "skylake", 0, 7, 7 },
		/* The list ends. */
		{ "core2", 3 << 5 | 3, 0, 0 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t regs[4] = { rows[i].eax, 7, 7, 7 };

		host_new(&h, rows[i].profile, 0);
		pmu_cpuid(h.pmu, 4, 0, regs);
		assert_int_equal(regs[0], rows[i].ebx ? rows[i].eax : 0);
		assert_int_equal(regs[1], rows[i].ebx);
		assert_int_equal(regs[2], rows[i].ecx);
		host_free(&h);
	}
}

/* The kind of core, the hybrid bit, and counters by leaf 23H, as of real processors. */
static void cpuid_of_kinds(void **state)
{
	static const struct {
		const char *profile, *small;
		uint32_t core;
		bool hybrid;
		uint32_t gp, fixed, slots;	/* of leaf 23H; 0: it is not there */
	} rows[] = {
		{ "alderlake", "alderlake-e", 0x40000001, true, 0, 0, 0 },
		{ "alderlake-e", NULL, 0x20000001, true, 0, 0, 0 },
		{ "meteorlake", "meteorlake-e", 0x40000002, true, 0xff, 0xf, 0 },
		{ "meteorlake-e", NULL, 0x20000002, true, 0xff, 0x7, 6 },
		{ "arrowlake-h", "arrowlake-h-e", 0x40000003, true, 0x3ff, 0xf, 0 },
		{ "arrowlake-h-e", NULL, 0x20000003, true, 0xff, 0x77, 8 },
		{ "arrowlake-h-l", NULL, 0x20000002, true, 0xff, 0x7, 6 },
		{ "lunarlake", "lunarlake-e", 0x40000003, true, 0x3ff, 0xf, 0 },
		{ "lunarlake-e", NULL, 0x20000003, true, 0xff, 0x77, 8 },
		{ "pantherlake", "pantherlake-e", 0x40000004, true, 0x3ff, 0xf, 0 },
		{ "pantherlake-e", NULL, 0x20000004, true, 0xff, 0x77, 8 },
		{ "alderlake-p", NULL, 0x40000001, true, 0, 0, 0 },
		{ "alderlake-n", NULL, 0x20000001, false, 0, 0, 0 },
		{ "sierraforest", NULL, 0x20000002, false, 0xff, 0x7, 6 },
		{ "tremont", NULL, 0x20000000, false, 0, 0, 0 },
		{ "graniterapids", NULL, 0x40000002, false, 0xff, 0xf, 0 },
		{ "perfmon6", NULL, 0x40000004, false, 0xff, 0xf, 0 },
		{ "graniterapids-v2", NULL, 0, false, 0, 0, 0 },
		{ "goldmontplus", NULL, 0, false, 0, 0, 0 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t seven[4] = { 0 }, more[4] = { 0 }, core[4] = { 0 }, gp[4] = { 0 };
		uint32_t pmu[4] = { 0 };
		const char *small = pmu_core_of_kind(rows[i].profile, 'e');

		host_new(&h, rows[i].profile, 0);
		assert_true(small ? rows[i].small && !strcmp(small, rows[i].small) :
			    !rows[i].small);
		pmu_cpuid(h.pmu, 7, 0, seven);
		/* Without architectural branch records, which lbr_arch_test is about. */
		assert_int_equal(seven[3] & ~(1u << 19), rows[i].hybrid ? 1 << 15 : 0);
		pmu_cpuid(h.pmu, 7, 1, more);
		assert_int_equal(more[0], rows[i].gp ? 1 << 8 : 0);
		assert_int_equal(seven[0], rows[i].gp ? 1 : 0);
		pmu_cpuid(h.pmu, 0x1a, 0, core);
		assert_int_equal(core[0], rows[i].core);
		pmu_cpuid(h.pmu, 0x23, 0, pmu);
		/* From Skymont and Cougar Cove on there are more, see below and pebs_arch_test. */
		if (rows[i].slots != 8 && (rows[i].core & 7) != 4)
			assert_int_equal(pmu[0], rows[i].gp ? 0xb : 0);
		assert_int_equal(pmu[2], rows[i].slots);
		pmu_cpuid(h.pmu, 0x23, 1, gp);
		assert_int_equal(gp[0], rows[i].gp);
		assert_int_equal(gp[1], rows[i].fixed);
		host_free(&h);
	}
	assert_null(pmu_core_of_kind("nothing", 'e'));
}

static void each_kind_has_a_letter(void **state)
{
	static const struct {
		const char *profile;
		char kind;
		const char *core;
	} rows[] = {
		{ "alderlake", 'p', "alderlake" }, { "alderlake", 'e', "alderlake-e" },
		{ "alderlake", 'l', NULL }, { "alderlake", 'x', NULL },
		{ "arrowlake-h", 'p', "arrowlake-h" }, { "arrowlake-h", 'e', "arrowlake-h-e" },
		{ "arrowlake-h", 'l', "arrowlake-h-l" }, { "arrowlake-h-e", 'l', NULL },
		{ "skylake", 'p', NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *core = pmu_core_of_kind(rows[i].profile, rows[i].kind);

		assert_true(core ? rows[i].core && !strcmp(core, rows[i].core) : !rows[i].core);
	}
}

/* As of an Arrow Lake H: UMASK2 and EQ are there, and what reloads what, on version 5. */
static void cpuid_of_skymont(void **state)
{
	static const struct {
		const char *profile;
		uint32_t regs[4][4];
	} rows[] = {
		{ "arrowlake-h", { { 0xb, 3 }, { 0x3ff, 0xf }, { 0 }, { 0x1dff } } },
		{ "arrowlake-h-e",
		  { { 0xf, 3, 8 }, { 0xff, 0x77 }, { 0xfc, 3, 0xfc, 3 }, { 0x1f7f } } },
		{ "arrowlake-h-l", { { 0xb, 0, 6 }, { 0xff, 0x7 }, { 0 }, { 0x7f } } },
		{ "lunarlake", { { 0xb, 3 }, { 0x3ff, 0xf }, { 0 }, { 0x1dff } } },
		{ "lunarlake-e",
		  { { 0xf, 3, 8 }, { 0xff, 0x77 }, { 0xfc, 3, 0xfc, 3 }, { 0x1f7f } } },
		{ "pantherlake-e",
		  { { 0x3f, 3, 8 }, { 0xff, 0x77 }, { 0xfc, 3, 0xfc, 3 }, { 0x1f7f } } },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		host_new(&h, rows[i].profile, 0);
		for (uint32_t leaf = 0; leaf < 4; leaf++) {
			uint32_t regs[4] = { 0 };

			pmu_cpuid(h.pmu, 0x23, leaf, regs);
			assert_memory_equal(regs, rows[i].regs[leaf], sizeof(regs));
		}
		host_free(&h);
	}
}

/* Counters of version 6 that overflows can reload, and whose overflows can. */
static void version_6_reloads(void **state)
{
	struct host h;
	uint32_t ext[4] = { 0 }, reload[4] = { 0 };

	(void)state;
	host_new(&h, "perfmon6", 0);
	pmu_cpuid(h.pmu, 0x23, 0, ext);
	pmu_cpuid(h.pmu, 0x23, 2, reload);
	assert_int_equal(ext[0], 0xf);
	assert_int_equal(reload[0], 0xff);
	assert_int_equal(reload[1], 0xf);
	assert_int_equal(reload[2], 0xff);
	assert_int_equal(reload[3], 0xf);
	host_free(&h);
}

/* A thread alone on its core has the counters of both. */
static void threads_halve_the_counters(void **state)
{
	static const struct {
		const char *profile;
		unsigned int alone, shared;
	} rows[] = {
		{ "core2", 2, 2 }, { "nehalem", 4, 4 }, { "sandybridge", 8, 4 },
		{ "ivybridge", 8, 4 }, { "haswell", 8, 4 }, { "skylake", 4, 4 },
		{ "icelake", 8, 8 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t regs[4] = { 0 };
		struct host a, b, c;

		host_new(&a, rows[i].profile, 0);
		host_new(&b, rows[i].profile, 0);
		host_new(&c, rows[i].profile, 0);
		pmu_cpuid(a.pmu, 0xa, 0, regs);
		assert_int_equal(regs[0] >> 8 & 0xff, rows[i].alone);
		assert_true(pmu_join(b.pmu, a.pmu));
		assert_false(pmu_join(c.pmu, a.pmu));
		pmu_cpuid(a.pmu, 0xa, 0, regs);
		assert_int_equal(regs[0] >> 8 & 0xff, rows[i].shared);
		assert_int_not_equal(host_try_wrmsr(&a, MSR_EVTSEL0 + rows[i].shared, 0), PMU_DONE);
		assert_int_equal(host_peek(&b, MSR_GLOBAL_CTRL), (1 << rows[i].shared) - 1);
		host_free(&c);
		host_free(&a);
		host_free(&b);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_profile_is_refused),
		cmocka_unit_test(cpuid_describes_profiles),
		cmocka_unit_test(cpuid_of_caches),
		cmocka_unit_test(cpuid_of_kinds),
		cmocka_unit_test(each_kind_has_a_letter),
		cmocka_unit_test(cpuid_of_skymont),
		cmocka_unit_test(version_6_reloads),
		cmocka_unit_test(threads_halve_the_counters),
	};

	return cmocka_run_group_tests_name("model CPUID", tests, NULL, NULL);
}
