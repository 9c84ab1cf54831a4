// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each profile of the PMU model announces is there, and what is not there it does not
 * announce: who believes it and asks gets counts, records and branches, or a fault, but
 * never silence.
 */
#include "tests/unit/model/pebs_host.h"

#define MSR_METRICS 0x329
#define MSR_PEBS_BASE 0x3f4
#define MSR_LBR_SELECT 0x1c8
#define MSR_LBR_FROM 0x680
#define MSR_LBR_FROM_CORE 0x40
#define MSR_LBR_CTL 0x14ce
#define MSR_LBR_FROM_ARCH 0x1500
#define LBR 1u
#define LBR_CTL_ALL 0x7f0007u
#define CAP_LBR 0x3f			/* all of it: architectural */
#define BTS (7u << 6)			/* TR, BTS, BTINT */
#define SMM_FREEZE (1u << 14)
#define MISC_NO_BTS (1u << 11)
#define MISC_NO_PEBS (1u << 12)
#define CAP_SMM_FREEZE (1u << 12)
#define CAP_FULL_WIDTH (1u << 13)
#define CAP_BASELINE (1u << 14)
#define CAP_METRICS (1u << 15)
#define CAP_PEBS_TO_PT (1u << 16)
/* Architectural events by number. */
#define BACK_END 8
#define LBR_INSERTS 12
#define CAP_PEBS_FORMAT 0xf00		/* all of it: architectural */
#define IN_TX (UINT64_C(3) << 32)
#define CPUID_1_DS (1u << 21)
#define CPUID_1_PDCM (1u << 15)
#define CPUID_7_TSX (1u << 4 | 1u << 11)
#define CPUID_7_PT (1u << 25)
#define CPUID_7_LBR (1u << 19)

static const char *const all[] = {
	"p5", "p55c", "p6", "core2", "nehalem", "sandybridge", "ivybridge", "haswell", "skylake",
	"icelake",
	"sapphirerapids", "graniterapids-v2", "alderlake", "alderlake-e", "alderlake-p", "alderlake-n",
	"meteorlake", "meteorlake-e", "arrowlake-h", "arrowlake-h-e", "arrowlake-h-l",
	"sierraforest", "tremont", "goldmontplus", "lunarlake", "lunarlake-e", "pantherlake",
	"pantherlake-e", "perfmon6", "p4", "p4-northwood", "unknown",
};

#define EACH(i) for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)

struct said {
	uint32_t one[4], seven[4], pmu[4];
	uint64_t capabilities;
};

/* To a host that has nothing of its own to say. */
static struct said listen(struct host *h)
{
	struct said s = { 0 };

	pmu_cpuid(h->pmu, 1, 0, s.one);
	pmu_cpuid(h->pmu, 7, 0, s.seven);
	pmu_cpuid(h->pmu, 0xa, 0, s.pmu);
	if (s.one[2] & CPUID_1_PDCM)
		s.capabilities = host_peek(h, MSR_CAPABILITIES);
	return s;
}

static bool exists(struct host *h, uint32_t msr)
{
	uint64_t value;

	return host_try_rdmsr(h, msr, &value) == PMU_DONE;
}

static bool takes(struct host *h, uint32_t msr, uint64_t value)
{
	bool taken = host_try_wrmsr(h, msr, value) == PMU_DONE;

	if (taken)
		host_wrmsr(h, msr, 0);
	return taken;
}

/* Something of everything that has an architectural event. */
static void run_a_bit(struct host *h)
{
	for (uint64_t i = 0; i < 2000; i++) {
		host_load(h, FAR(i));
		host_run(h, 100);
		host_branch(h, 0x1000, i * i / 3 & 1, 0x2000);
	}
}

static void architectural_events_count(void **state)
{
	static const uint32_t codes[] = {
		0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x01a4,
		0x02a4, 0x0073, 0x019c, 0x02c2, 0x01e4,
	};

	(void)state;
	EACH(i) {
		struct host h;
		struct said s;

		user_host(&h, all[i], 0);
		s = listen(&h);
		for (unsigned int e = 0; e < s.pmu[0] >> 24; e++) {
			uint64_t counted;

			/* Those between are a pipeline's, which this host does not run. */
			if ((s.pmu[1] >> e & 1) || (e >= BACK_END && e < LBR_INSERTS))
				continue;
			if (e == LBR_INSERTS)
				host_wrmsr(&h, MSR_LBR_CTL, LBR_CTL_ALL);
			host_wrmsr(&h, MSR_PMC0, 0);
			host_wrmsr(&h, MSR_EVTSEL0, EN | USR | codes[e]);
			run_a_bit(&h);
			counted = host_peek(&h, MSR_PMC0);
			if (!counted)
				print_error("%s: %04x\n", all[i], codes[e]);
			assert_true(counted > 0);
		}
		host_free(&h);
	}
}

static void all_counters_count(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		struct said s;
		unsigned int gp, fixed;

		user_host(&h, all[i], 0);
		s = listen(&h);
		gp = s.pmu[0] >> 8 & 0xff;
		fixed = s.pmu[3] & 0x1f;
		for (unsigned int c = 0; c < gp; c++)
			host_wrmsr(&h, MSR_EVTSEL0 + c, SEL_INSN);
		if (fixed)
			host_wrmsr(&h, MSR_FIXED_CTRL, 0x2222 & ((1u << 4 * fixed) - 1));
		if (fixed)
			host_wrmsr(&h, MSR_GLOBAL_CTRL,
				   ((UINT64_C(1) << fixed) - 1) << 32 | ((1u << gp) - 1));
		run_a_bit(&h);
		for (unsigned int c = 0; c < gp; c++)
			assert_true(host_peek(&h, MSR_PMC0 + c) >= 200000);
		for (unsigned int c = 0; c < fixed; c++)
			assert_true(host_peek(&h, MSR_FIXED0 + c) > 0);
		host_free(&h);
	}
}

/* The Pentium 4 has its own way to ask: model_p4_pebs_test. */
static void pebs_makes_records(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		struct said s;

		if (!strncmp(all[i], "p4", 2))
			continue;
		host_new(&h, all[i], 0);
		s = listen(&h);
		if (!(s.one[3] & CPUID_1_DS) || (pmu_misc_enable(h.pmu) & MISC_NO_PEBS)) {
			assert_false(exists(&h, MSR_PEBS_ENABLE));
			assert_false(exists(&h, MSR_DS_AREA));
			host_free(&h);
			continue;
		}
		host_free(&h);
		if ((s.capabilities & CAP_PEBS_FORMAT) == CAP_PEBS_FORMAT) {
			/* pebs_arch_test has its records. */
			host_new(&h, all[i], 0);
			assert_false(exists(&h, MSR_PEBS_ENABLE));
			assert_true(exists(&h, MSR_PEBS_BASE));
			host_free(&h);
			continue;
		}
		pebs_host(&h, all[i], 10);
		start(&h, 0, SEL_INSN, 1, 10);
		host_run(&h, 80);
		host_boundary(&h);
		assert_in_range(written, 7, 8);
		host_free(&h);
	}
}

static void branch_traces_are_declared_missing(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		struct said s;

		host_new(&h, all[i], 0);
		s = listen(&h);
		assert_true(!(s.one[3] & CPUID_1_DS) || (pmu_misc_enable(h.pmu) & MISC_NO_BTS));
		for (unsigned int bit = 6; bit <= 8; bit++)
			assert_false(takes(&h, MSR_DEBUGCTL, BTS & 1u << bit));
		host_free(&h);
	}
}

static bool has_architectural(struct host *h)
{
	return (listen(h).capabilities & CAP_LBR) == CAP_LBR;
}

static void fills(struct host *h, uint32_t from)
{
	uint64_t found = 0;

	for (unsigned int n = 0; n < 64; n++)
		host_branch(h, 0x401000, true, 0x402000);
	for (unsigned int n = 0; n < 4; n++)
		found += (uint32_t)host_peek(h, from + n) == 0x401000;
	assert_int_equal(found, 4);
}

/* The registers of its format are there and fill, or none, and nothing turns them on. */
static void branch_records_are_there_or_not(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		bool core2 = !strcmp(all[i], "core2"), architectural;
		uint32_t from = core2 ? MSR_LBR_FROM_CORE : MSR_LBR_FROM;

		user_host(&h, all[i], 0);
		architectural = has_architectural(&h);
		assert_int_equal(exists(&h, MSR_LBR_FROM_ARCH), architectural);
		assert_int_equal(takes(&h, MSR_LBR_CTL, LBR_CTL_ALL), architectural);
		assert_int_equal(exists(&h, from) || architectural, takes(&h, MSR_DEBUGCTL, LBR));
		assert_int_equal(exists(&h, MSR_LBR_SELECT), exists(&h, from) && !core2);
		if (exists(&h, from)) {
			assert_true(listen(&h).capabilities & CAP_LBR);
			host_wrmsr(&h, MSR_DEBUGCTL, LBR);
			fills(&h, from);
		} else if (architectural) {
			host_wrmsr(&h, MSR_LBR_CTL, LBR_CTL_ALL);
			fills(&h, MSR_LBR_FROM_ARCH);
		}
		host_free(&h);
	}
}

static void capabilities_are_registers(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		struct said s;

		/* Its registers have these numbers for other things. */
		if (!strncmp(all[i], "p4", 2))
			continue;
		host_new(&h, all[i], 0);
		s = listen(&h);
		assert_int_equal(exists(&h, MSR_PMC0_FULL), !!(s.capabilities & CAP_FULL_WIDTH));
		assert_int_equal(exists(&h, MSR_DATA_CFG),
				 (s.capabilities & CAP_BASELINE) &&
				 (s.capabilities & CAP_PEBS_FORMAT) != CAP_PEBS_FORMAT);
		assert_true(exists(&h, MSR_METRICS) || !(s.capabilities & CAP_METRICS));
		assert_false(s.capabilities & CAP_PEBS_TO_PT);
		assert_false(s.capabilities & CAP_SMM_FREEZE);
		assert_false(takes(&h, MSR_DEBUGCTL, SMM_FREEZE));
		host_free(&h);
	}
}

static void neither_transactions_nor_traces(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		struct said s;
		uint32_t pt[4] = { 0 }, lbr[4] = { 0 };

		host_new(&h, all[i], 0);
		s = listen(&h);
		assert_false(s.seven[1] & (CPUID_7_TSX | CPUID_7_PT));
		assert_int_equal(!!(s.seven[3] & CPUID_7_LBR), has_architectural(&h));
		pmu_cpuid(h.pmu, 0x14, 0, pt);
		pmu_cpuid(h.pmu, 0x1c, 0, lbr);
		assert_int_equal(!!lbr[0], has_architectural(&h));
		for (unsigned int r = 0; r < 4; r++)
			assert_int_equal(pt[r], 0);
		if (s.pmu[0])
			assert_false(takes(&h, MSR_EVTSEL0, SEL_INSN | IN_TX));
		host_free(&h);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(architectural_events_count),
		cmocka_unit_test(all_counters_count),
		cmocka_unit_test(pebs_makes_records),
		cmocka_unit_test(branch_traces_are_declared_missing),
		cmocka_unit_test(branch_records_are_there_or_not),
		cmocka_unit_test(capabilities_are_registers),
		cmocka_unit_test(neither_transactions_nor_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
