// SPDX-License-Identifier: GPL-2.0-only
/*
 * What PEBS records of the PMU model hold: the layouts of all formats, latencies,
 * sources and addresses.
 */
#include "tests/unit/model/pebs_host.h"

/* Formats 0 to 3: where each register is, by its encoding. */
static void old_formats(void **state)
{
	static const struct {
		const char *profile;
		unsigned int size;
	} rows[] = {
		{ "core2", 0x90 }, { "nehalem", 0xb0 }, { "haswell", 0xc0 }, { "skylake", 0xc8 },
	};
	static const uint8_t order[16] = {
		0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15
	};
	struct host h;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t first;

		pebs_host(&h, rows[i].profile, 5);
		start(&h, 0, SEL_INSN, 1, 5);
		first = h.retired;
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(*word_at(DS + 0x28), BUFFER + 2 * rows[i].size);
		for (unsigned int k = 0; k < 2; k++) {
			assert_int_equal(field(k, rows[i].size, 0), 0x246);
			assert_int_equal(field(k, rows[i].size, 8), ip_of(first + 5 * (k + 1)));
			for (unsigned int r = 0; r < 16; r++)
				assert_int_equal(field(k, rows[i].size, 0x10 + 8 * r),
						 0x100 + order[r]);
		}
		if (i >= 1) {
			assert_int_equal(field(0, rows[i].size, 0x90), 1);
			assert_int_equal(field(0, rows[i].size, 0x98), 0);
			assert_int_equal(field(0, rows[i].size, 0xa8), 0);
		}
		if (i >= 2) {
			assert_int_equal(field(0, rows[i].size, 0xb0), ip_of(first + 4));
			assert_int_equal(field(0, rows[i].size, 0xb8), 0);
		}
		if (i >= 3)
			assert_int_equal(field(0, rows[i].size, 0xc0), 0x75c);
		/* Nothing behind the second one. */
		assert_int_equal(field(2, rows[i].size, 0), 0);
		host_free(&h);
	}
}

/* Architectural branch records are in a record as their registers show them. */
static void architectural_branches(void **state)
{
	const unsigned int lbr = 0x20, entry = 0x18, size = lbr + 10 * entry;
	struct host h;

	(void)state;
	pebs_host(&h, "sapphirerapids", 5);
	host_wrmsr(&h, MSR_DATA_CFG, 0x09000008);
	host_wrmsr(&h, 0x14cf, 8);
	host_wrmsr(&h, 0x14ce, 0x7f0007);
	for (uint64_t n = 0; n < 20; n++)
		host_branch(&h, 0x1000 * n, true, 0x100000);
	host_wrmsr(&h, 0x14ce, 0);
	start(&h, 0, SEL_INSN | ADAPTIVE, 1, 5);
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + size);
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(field(0, 0, lbr + i * entry), 0x1000 * (19 - i));
		assert_int_equal(field(0, 0, lbr + i * entry + 8), 0x100000);
		assert_int_equal(field(0, 0, lbr + i * entry + 16), host_peek(&h, 0x1200 + i));
	}
	/* It asks for more than the depth that is chosen. */
	for (uint32_t i = 8; i < 10; i++)
		assert_int_equal(field(0, 0, lbr + i * entry) |
				 field(0, 0, lbr + i * entry + 16), 0);
	host_free(&h);
}

static void adaptive_format(void **state)
{
	/* basic, memory, GPR, XMM, two branches */
	const unsigned int gpr = 0x40, xmm = gpr + 0x90, lbr = xmm + 0x100, size = lbr + 0x30;
	struct host h;
	uint64_t first;

	(void)state;
	pebs_host(&h, "icelake", 5);
	host_wrmsr(&h, MSR_DATA_CFG, 0x0100000f);
	host_wrmsr(&h, MSR_DEBUGCTL, 1);
	start(&h, 0, SEL_INSN | ADAPTIVE, 1, 5);
	first = h.retired;
	host_run(&h, 2);
	host_branch(&h, 0x1000, true, 0x2000);
	host_branch(&h, 0x3000, true, 0x4000);
	host_branch(&h, 0x5000, false, 0x6000);
	host_boundary(&h);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + size);
	assert_int_equal(field(0, 0, 0), (uint64_t)size << 48 | 0x0100000f);
	assert_int_equal(field(0, 0, 0x08), ip_of(first + 4));
	assert_int_equal(field(0, 0, 0x10), 1);
	assert_int_equal(field(0, 0, 0x18), 0x75c);
	assert_int_equal(field(0, 0, gpr), 0x246);
	assert_int_equal(field(0, 0, gpr + 8), ip_of(first + 5));
	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(field(0, 0, gpr + 0x10 + 8 * i), 0x100 + i);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(field(0, 0, xmm + 8 * i), 0x200 + i);
	assert_int_equal(field(0, 0, lbr), 0x3000);
	assert_int_equal(field(0, 0, lbr + 0x08), 0x4000);
	assert_int_equal(field(0, 0, lbr + 0x18), 0x1000);
	assert_int_equal(field(0, 0, lbr + 0x20), 0x2000);
	host_free(&h);
}

/* Format 6: counters, as they are before one of them starts anew, and PERF_METRICS. */
static void counters_in_records(void **state)
{
	const uint64_t shown = UINT64_C(0x2) << 48 | UINT64_C(0x205) << 32;
	struct host h;

	(void)state;
	pebs_host(&h, "lunarlake", 5);
	host_wrmsr(&h, MSR_PMC0_FULL + 2, 222);
	host_wrmsr(&h, MSR_PMC0_FULL + 9, 999);
	host_wrmsr(&h, MSR_FIXED0 + 1, 1111);
	host_wrmsr(&h, MSR_FIXED0 + 3, 2550);
	host_wrmsr(&h, 0x329, 0x20406090);
	host_wrmsr(&h, MSR_DATA_CFG, shown | 0x10);
	start(&h, 0, SEL_INSN | ADAPTIVE, 1, 5);
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + 0x50);
	assert_int_equal(field(0, 0, 0), UINT64_C(0x50) << 48 | 0x10);
	assert_int_equal(field(0, 0, 0x20), UINT64_C(2) << 32 | 0x205);
	assert_int_equal(field(0, 0, 0x28), 0);
	assert_int_equal(field(0, 0, 0x30), 1);
	assert_int_equal(field(0, 0, 0x38), 222);
	assert_int_equal(field(0, 0, 0x40), 999);
	assert_int_equal(field(0, 0, 0x48), 1111);
	assert_int_equal(host_peek(&h, MSR_PMC0), -UINT64_C(4) & WIDTH48);
	/* The bits say whether, not which. */
	*word_at(DS + 0x28) = BUFFER;
	host_wrmsr(&h, MSR_DATA_CFG, shown | 0x20);
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + 0x40);
	assert_int_equal(field(0, 0, 0), UINT64_C(0x40) << 48 | 0x20);
	assert_int_equal(field(0, 0, 0x20), 0);
	assert_int_equal(field(0, 0, 0x28), 3);
	assert_int_equal(field(0, 0, 0x30), 2550);
	assert_int_equal(field(0, 0, 0x38), host_peek(&h, 0x329));
	assert_int_not_equal(field(0, 0, 0x38), 0);
	/* Who reads PERF_METRICS empties it, if FIXED_CTR_CTRL says so: a record does. */
	host_wrmsr(&h, MSR_FIXED_CTRL, 1 << 14);
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(field(1, 0x40, 0x30), 2550);
	assert_int_equal(host_peek(&h, MSR_FIXED0 + 3) | host_peek(&h, 0x329), 0);
	host_free(&h);
}

static void bits_of_data_cfg(void **state)
{
	static const struct {
		const char *profile;
		uint64_t value;
		bool taken;
	} rows[] = {
		{ "lunarlake", UINT64_C(0x000f03ffff00003f), true },
		{ "lunarlake", UINT64_C(1) << 42, false }, { "lunarlake", UINT64_C(1) << 52, false },
		{ "lunarlake-e", UINT64_C(0x007700ffff00001f), true },
		{ "lunarlake-e", 0x20, false }, { "lunarlake-e", UINT64_C(1) << 40, false },
		{ "lunarlake-e", UINT64_C(1) << 51, false }, { "lunarlake-e", UINT64_C(1) << 54, true },
		{ "lunarlake", 0x40, false }, { "graniterapids", 0x10, false },
		{ "graniterapids", UINT64_C(1) << 32, false },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		host_new(&h, rows[i].profile, 0);
		assert_int_equal(host_try_wrmsr(&h, MSR_DATA_CFG, rows[i].value) == PMU_DONE,
				 rows[i].taken);
		host_free(&h);
	}
}

/* RDPMC of PERF_METRICS empties it and the slots, if FIXED_CTR_CTRL says so. */
static void metrics_that_are_read(void **state)
{
	uint64_t value;
	struct host h;

	(void)state;
	for (uint64_t clear = 0; clear < 2; clear++) {
		host_new(&h, "lunarlake", 0);
		host_wrmsr(&h, MSR_FIXED0 + 3, 2550);
		host_wrmsr(&h, 0x329, 0x20406090);
		host_wrmsr(&h, MSR_FIXED_CTRL, clear << 14);
		assert_int_equal(pmu_rdpmc(h.pmu, 1 << 29, &value), PMU_DONE);
		assert_int_not_equal(value, 0);
		assert_int_equal(host_peek(&h, MSR_FIXED0 + 3), clear ? 0 : 2550);
		assert_int_equal(host_peek(&h, 0x329), clear ? 0 : value);
		host_free(&h);
	}
	host_new(&h, "graniterapids", 0);
	assert_int_equal(host_try_wrmsr(&h, MSR_FIXED_CTRL, 1 << 14), PMU_FAULT);
	host_free(&h);
}

/* Without the counter's adaptive bit the basic group is all, whatever DATA_CFG says. */
static void adaptive_bit_of_the_counter(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "icelake", 5);
	host_wrmsr(&h, MSR_DATA_CFG, 0x3);
	start(&h, 0, SEL_INSN, 1, 5);
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + 0x20);
	assert_int_equal(field(0, 0, 0), UINT64_C(0x20) << 48);
	/* A fixed counter has its bit in FIXED_CTR_CTRL. */
	host_ring(&h, PMU_KERNEL);
	host_wrmsr(&h, MSR_EVTSEL0, 0);
	*word_at(DS + 0x28) = BUFFER;
	host_wrmsr(&h, MSR_PEBS_ENABLE, FIXED_BIT(0));
	host_wrmsr(&h, MSR_FIXED0, -UINT64_C(4) & WIDTH48);
	host_wrmsr(&h, MSR_FIXED_CTRL, UINT64_C(1) << 32 | 2);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, FIXED_BIT(0));
	host_ring(&h, PMU_USER);
	host_run(&h, 15);
	host_boundary(&h);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + UINT64_C(3) * (0x20 + 0x20 + 0x90));
	assert_int_equal(field(0, 0, 0x10), FIXED_BIT(0));
	host_free(&h);
}

/* Format 1 and 2 also show what other counters have left in GLOBAL_STATUS. */
static void status_of_old_formats(void **state)
{
	static const struct {
		const char *profile;
		unsigned int size;
		uint64_t status;
	} rows[] = { { "nehalem", 0xb0, 0x5 }, { "haswell", 0xc0, 0x5 }, { "skylake", 0xc8, 0x1 } };
	struct host h;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		pebs_host(&h, rows[i].profile, 10);
		start(&h, 2, SEL_INSN, 0, 4);
		start(&h, 0, SEL_INSN, 1, 10);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(field(0, rows[i].size, 0x90), rows[i].status);
		host_free(&h);
	}
}

static void load_latency(void **state)
{
	static const struct {
		const char *profile;
		uint64_t sel, enable;
		unsigned int counter, size, source, latency;
	} rows[] = {
		{ "nehalem", EN | USR | 0x100b, 0x100000001, 0, 0xb0, 0xc, 184 },
		{ "sandybridge", EN | USR | 0x01cd, 0x800000008, 3, 0xb0, 0xc, 184 },
		{ "haswell", EN | USR | 0x01cd, 0x200000002, 1, 0xc0, 0xc, 184 },
		{ "skylake", EN | USR | 0x01cd, 0x400000004, 2, 0xc8, 0xa, 184 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pebs_host(&h, rows[i].profile, 2);
		host_wrmsr(&h, MSR_LATENCY, 30);
		start(&h, rows[i].counter, rows[i].sel, rows[i].enable, 2);
		for (unsigned int n = 0; n < 20; n++)
			host_load(&h, FAR(0));		/* one of them is slow */
		host_load(&h, FAR(1));
		host_boundary(&h);
		assert_int_equal(written, 1);
		assert_int_equal(field(0, rows[i].size, 0x98), FAR(1));
		assert_int_equal(field(0, rows[i].size, 0xa0), rows[i].source);
		assert_int_equal(field(0, rows[i].size, 0xa8), rows[i].latency);
		/* Slower than the threshold is not as slow. */
		host_wrmsr(&h, MSR_LATENCY, rows[i].latency);
		host_load(&h, FAR(2));
		host_boundary(&h);
		assert_int_equal(written, 1);
		/* Loads from the first level are slower than 3. */
		host_wrmsr(&h, MSR_LATENCY, 0);
		host_load(&h, FAR(1));
		host_load(&h, FAR(1) + 8);
		host_boundary(&h);
		assert_int_equal(written, 2);
		assert_int_equal(field(1, rows[i].size, 0x98), FAR(1) + 8);
		assert_int_equal(field(1, rows[i].size, 0xa0), 1);
		assert_int_equal(field(1, rows[i].size, 0xa8), 4);
		/* Without its bit the facility is off. */
		host_wrmsr(&h, MSR_PEBS_ENABLE, rows[i].enable & 0xf);
		host_load(&h, FAR(2));
		host_load(&h, FAR(3));
		host_boundary(&h);
		assert_int_equal(written, 2);
		host_free(&h);
	}
}

/* Sapphire Rapids has the instruction's and the cache's latency in one field. */
static void load_latency_of_ice_lake(void **state)
{
	static const struct {
		const char *profile;
		uint64_t latency;
	} rows[] = { { "icelake", 205 }, { "sapphirerapids", UINT64_C(265) << 32 | 265 } };
	struct host h;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		pebs_host(&h, rows[i].profile, 2);
		host_wrmsr(&h, MSR_DATA_CFG, 1);
		host_wrmsr(&h, MSR_LATENCY, 30);
		start(&h, 5, EN | USR | ADAPTIVE | 0x01cd, 1 << 5, 2);
		host_load(&h, FAR(0));
		host_load(&h, FAR(1));
		host_boundary(&h);
		assert_int_equal(field(0, 0, 0), UINT64_C(0x40) << 48 | 1);
		assert_int_equal(field(0, 0, 0x10), 1 << 5);
		assert_int_equal(field(0, 0, 0x20), FAR(1));
		assert_int_equal(field(0, 0, 0x28), 0xa);
		assert_int_equal(field(0, 0, 0x30), rows[i].latency);
		host_free(&h);
	}
}

static void addresses_and_stores(void **state)
{
	static const struct {
		const char *profile;
		uint64_t sel, enable;
		unsigned int counter, size;
		bool store, has;
	} rows[] = {
		{ "haswell", SEL_LOADS, 1, 0, 0xc0, false, true },
		{ "skylake", SEL_LOADS, 1, 0, 0xc8, false, true },
		{ "skylake", SEL_STORES, 2, 1, 0xc8, true, true },
		{ "sandybridge", SEL_LOADS, 1, 0, 0xb0, false, false },
		{ "sandybridge", SEL_STORES, 1, 0, 0xb0, true, false },
		{ "sandybridge", EN | USR | 0x02cd, UINT64_C(1) << 63 | 8, 3, 0xb0, true, true },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pebs_host(&h, rows[i].profile, 2);
		start(&h, rows[i].counter, rows[i].sel, rows[i].enable, 2);
		for (unsigned int n = 0; n < 4; n++) {
			host_start(&h);
			host_mem(&h, FAR(n / 2), 8, rows[i].store);
			h.retired++;
		}
		host_start(&h);
		host_mem(&h, FAR(9), 8, rows[i].store);
		h.retired++;
		host_start(&h);
		host_mem(&h, FAR(10), 8, rows[i].store);
		h.retired++;
		host_boundary(&h);
		assert_int_equal(written, 3);
		assert_int_equal(field(1, rows[i].size, 0x98), rows[i].has ? FAR(1) : 0);
		assert_int_equal(field(1, rows[i].size, 0xa0), rows[i].has && rows[i].store);
		assert_int_equal(field(2, rows[i].size, 0x98), rows[i].has ? FAR(10) : 0);
		assert_int_equal(field(2, rows[i].size, 0xa0), 0);
		assert_int_equal(last.has_address, rows[i].has);
		host_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_formats),
		cmocka_unit_test(architectural_branches),
		cmocka_unit_test(adaptive_format),
		cmocka_unit_test(counters_in_records),
		cmocka_unit_test(bits_of_data_cfg),
		cmocka_unit_test(metrics_that_are_read),
		cmocka_unit_test(adaptive_bit_of_the_counter),
		cmocka_unit_test(status_of_old_formats),
		cmocka_unit_test(load_latency),
		cmocka_unit_test(load_latency_of_ice_lake),
		cmocka_unit_test(addresses_and_stores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
