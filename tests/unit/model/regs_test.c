// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of the PMU model: which exist, what they hold after power-on,
 * which bits fault, how wide they are.
 */
#include "tests/unit/model/host.h"

/* OFFCORE_RSP is the core's before Ice Lake, and so are prefetchers; others are the thread's. */
static void siblings_share_offcore(void **state)
{
	struct host a, b;

	(void)state;
	host_new(&a, "haswell", 0);
	host_new(&b, "haswell", 0);
	assert_true(pmu_join(b.pmu, a.pmu));
	host_wrmsr(&a, 0x1a7, 0x10001);
	assert_int_equal(host_peek(&b, 0x1a7), 0x10001);
	assert_int_equal(host_peek(&b, 0x1a6), 0);
	host_wrmsr(&a, 0x1a4, 0x5);
	assert_int_equal(host_peek(&b, 0x1a4), 0x5);
	host_wrmsr(&b, 0x3f6, 3);
	assert_int_equal(host_peek(&a, 0x3f6), 0);
	host_free(&a);
	host_free(&b);
	host_new(&a, "icelake", 0);
	host_new(&b, "icelake", 0);
	assert_true(pmu_join(b.pmu, a.pmu));
	host_wrmsr(&a, 0x1a7, 0x10001);
	assert_int_equal(host_peek(&b, 0x1a7), 0);
	host_free(&a);
	host_free(&b);
}

static void extra_registers_take_their_bits(void **state)
{
	static const struct {
		const char *profile;
		uint32_t msr;
		uint64_t most;		/* UINT64_MAX: no such register */
	} rows[] = {
		{ "core2", 0x1a6, UINT64_MAX }, { "nehalem", 0x1a6, 0xffff },
		{ "nehalem", 0x1a7, UINT64_MAX }, { "sandybridge", 0x1a7, 0x3f807f8fff },
		{ "ivybridge", 0x1a6, 0x3f807f8fff }, { "haswell", 0x1a7, 0x3fffff8fff },
		{ "skylake", 0x1a6, 0x3fffff8fff }, { "icelake", 0x1a6, 0x3fffffbfff },
		{ "core2", 0x3f6, UINT64_MAX }, { "nehalem", 0x3f6, 0xffff },
		{ "haswell", 0x3f7, UINT64_MAX }, { "skylake", 0x3f7, 0x7fff17 },
		{ "icelake", 0x3f2, 0xff00000f }, { "skylake", 0x3f2, UINT64_MAX },
		{ "sandybridge", MSR_PEBS_ENABLE, 0x8000000f0000000f },
		{ "icelake", MSR_PEBS_ENABLE, 0xf000000ff },
		{ "icelake", MSR_FIXED_CTRL, 0x11110000bbbb },
		{ "icelake", MSR_GLOBAL_CTRL, 0x1000f000000ff },
		{ "icelake", 0x329, 0xffffffff },
		{ "skylake", 0x329, UINT64_MAX },
		{ "sapphirerapids", MSR_GLOBAL_CTRL, 0x1000f000000ff },
		{ "sapphirerapids", 0x1a7, 0x3fffffffff },
		{ "sapphirerapids", 0x3f7, 0x7fff1f },
		{ "perfmon6", MSR_GLOBAL_CTRL, 0xf000000ff },
		{ "nehalem", 0x1a4, 0xf }, { "sandybridge", 0x1a4, 0xf },
		{ "haswell", 0x1a4, 0xf }, { "sapphirerapids", 0x1a4, 0xf },
		{ "icelake", MSR_EVTSEL0 + 7, 0x4ffdfffff },
		{ "haswell", MSR_EVTSEL0 + 7, 0xffffffff },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t most = rows[i].most, none = most == UINT64_MAX;

		host_new(&h, rows[i].profile, 0);
		assert_int_equal(host_try_wrmsr(&h, rows[i].msr, none ? 0 : most),
				 none ? PMU_FAULT : PMU_DONE);
		for (int bit = 0; bit < 64 && !none; bit++)
			if (!(most >> bit & 1))
				assert_int_equal(host_try_wrmsr(&h, rows[i].msr,
								UINT64_C(1) << bit), PMU_FAULT);
		host_free(&h);
	}
}

static void version_6_has_a_second_view(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "perfmon6", 0);
	host_wrmsr(&h, 0x1900 + 4 * 7, 0x123456789a);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 7), 0x123456789a);
	host_wrmsr(&h, 0x1901, SEL_INSN);
	assert_int_equal(host_peek(&h, MSR_EVTSEL0), SEL_INSN);
	host_wrmsr(&h, 0x1980 + 4 * 3, 77);
	assert_int_equal(host_peek(&h, MSR_FIXED0 + 3), 77);
	/* What belongs to version 6 alone: who reloads a counter, and with what. */
	host_wrmsr(&h, 0x1902 + 4 * 7, 0xf000000ff);
	assert_int_equal(host_peek(&h, 0x1902 + 4 * 7), 0xf000000ff);
	assert_int_equal(host_try_wrmsr(&h, 0x1902, 0x100), PMU_FAULT);
	host_wrmsr(&h, 0x1983 + 4 * 3, 0xfffffff0);
	assert_int_equal(host_peek(&h, 0x1983 + 4 * 3), 0xfffffff0);
	assert_int_equal(host_try_wrmsr(&h, 0x1981, 0), PMU_FAULT);
	assert_int_equal(host_try_wrmsr(&h, 0x1900 + 4 * 8, 0), PMU_FAULT);
	host_free(&h);
}

/* What is broken, is: the counter reads 0, or it holds a value and does not move. */
static void faulty_counters(void **state)
{
	static const struct {
		const char *profile;
		uint64_t written, counted, other, fixed;
	} rows[] = {
		{ "skylake", 1000, 1100, 1100, 1100 },
		{ "faulty-zero", 0, 0, 0, 0 },
		{ "faulty-stuck", 1000, 1000, 1000, 1000 },
		{ "faulty-one", 1000, 1000, 1100, 1100 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		user_host(&h, rows[i].profile, 0);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
		host_wrmsr(&h, MSR_PMC0_FULL + 2, 1000);
		host_wrmsr(&h, MSR_PMC0 + 3, 1000);
		host_wrmsr(&h, MSR_FIXED0, 1000);
		assert_int_equal(host_peek(&h, MSR_PMC0 + 2), rows[i].written);
		host_wrmsr(&h, MSR_EVTSEL0 + 2, SEL_INSN | INT);
		host_wrmsr(&h, MSR_EVTSEL0 + 3, SEL_INSN);
		host_wrmsr(&h, MSR_FIXED_CTRL, 2);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 0xc | FIXED_BIT(0));
		host_run(&h, 100);
		assert_int_equal(host_peek(&h, MSR_PMC0 + 2), rows[i].counted);
		assert_int_equal(host_peek(&h, MSR_PMC0 + 3), rows[i].other);
		assert_int_equal(host_peek(&h, MSR_FIXED0), rows[i].fixed);
		assert_int_equal(host_peek(&h, MSR_STATUS), 0);
		assert_int_equal(h.pmis, 0);
		host_free(&h);
	}
}

static void capabilities(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	assert_int_equal(host_peek(&h, MSR_CAPABILITIES), 0xc2);
	assert_int_equal(host_try_wrmsr(&h, MSR_CAPABILITIES, 0xc0), PMU_FAULT);
	host_free(&h);
	host_new(&h, "skylake", 0);
	assert_int_equal(host_peek(&h, MSR_CAPABILITIES), 0x23c5);
	host_free(&h);
}

static void power_on_values(void **state)
{
	static const uint32_t zero[] = {
		MSR_PMC0, MSR_PMC0 + 1, MSR_EVTSEL0, MSR_EVTSEL0 + 1, MSR_FIXED0, MSR_FIXED0 + 1,
		MSR_FIXED0 + 2, MSR_FIXED_CTRL, MSR_STATUS, MSR_STATUS_RESET, MSR_DEBUGCTL,
		MSR_PEBS_ENABLE, MSR_DS_AREA,
	};
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
		assert_int_equal(host_peek(&h, zero[i]), 0);
	assert_int_equal(host_peek(&h, MSR_GLOBAL_CTRL), 0x3);
	host_free(&h);
	host_new(&h, "skylake", 0);
	assert_int_equal(host_peek(&h, MSR_GLOBAL_CTRL), 0xf);
	host_free(&h);
}

static void missing_registers_fault(void **state)
{
	static const uint32_t core2[] = {
		0xc3, 0xc8, 0x188, 0x30c, 0x391, 0x392, 0x4c1, 0x1a6, 0x1a7, 0x1c8, 0x44,
		0x64, 0x329, 0x3f2, 0x3f6, 0x3f7, 0x680, 0x6df, 0xdc0, 0x1900,
	};
	static const uint32_t skylake[] = {
		0xc5, 0x18a, 0x30c, 0x4c5, 0x40, 0x60, 0x329, 0x3f2, 0x1309,
		0x14c1, 0x14ce, 0x1500, 0x1900,
	};
	struct host h;
	uint64_t value;

	(void)state;
	host_new(&h, "core2", 0);
	for (size_t i = 0; i < sizeof(core2) / sizeof(core2[0]); i++) {
		assert_int_equal(host_try_rdmsr(&h, core2[i], &value), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, core2[i], 0), PMU_FAULT);
	}
	host_free(&h);
	host_new(&h, "skylake", 0);
	for (size_t i = 0; i < sizeof(skylake) / sizeof(skylake[0]); i++) {
		assert_int_equal(host_try_rdmsr(&h, skylake[i], &value), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, skylake[i], 0), PMU_FAULT);
	}
	host_free(&h);
}

static void other_registers_are_the_hosts(void **state)
{
	static const uint32_t others[] = { 0x10, 0x1b, 0xce, 0xcd, 0x1a0, 0x277, 0x2ff,
					   0x400, 0x6e0, 0xc0000080 };
	struct host h;
	uint64_t value;

	(void)state;
	host_new(&h, "skylake", 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_equal(pmu_rdmsr(h.pmu, others[i], &value), PMU_NOT_MINE);
		assert_int_equal(pmu_wrmsr(h.pmu, others[i], 0), PMU_NOT_MINE);
	}
	host_free(&h);
}

/* Every bit alone: either it is written and read back, or it faults. */
static void check_writable(struct host *h, uint32_t msr, uint64_t writable)
{
	for (int bit = 0; bit < 64; bit++) {
		uint64_t value = UINT64_C(1) << bit;

		if (writable & value) {
			assert_int_equal(host_try_wrmsr(h, msr, value), PMU_DONE);
			assert_int_equal(host_peek(h, msr), value);
		} else {
			assert_int_equal(host_try_wrmsr(h, msr, value), PMU_FAULT);
		}
		host_wrmsr(h, msr, 0);
	}
}

static void reserved_bits_fault(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	check_writable(&h, MSR_EVTSEL0 + 1, 0xffdfffff);
	check_writable(&h, MSR_FIXED_CTRL, 0xbbb);
	check_writable(&h, MSR_GLOBAL_CTRL, 0x700000003);
	check_writable(&h, MSR_FIXED0 + 2, 0xffffffffff);
	check_writable(&h, MSR_PEBS_ENABLE, 0x1);
	check_writable(&h, MSR_DEBUGCTL, 0x1803);
	host_free(&h);
	host_new(&h, "skylake", 0);
	check_writable(&h, MSR_EVTSEL0 + 3, 0xffffffff);
	check_writable(&h, MSR_FIXED_CTRL, 0xfff);
	check_writable(&h, MSR_GLOBAL_CTRL, 0x70000000f);
	check_writable(&h, MSR_FIXED0, 0xffffffffffff);
	check_writable(&h, MSR_PMC0_FULL + 3, 0xffffffffffff);
	check_writable(&h, MSR_PEBS_ENABLE, 0xf0000000f);
	check_writable(&h, MSR_DEBUGCTL, 0x1803);
	check_writable(&h, 0x1a6, 0x3fffff8fff);
	check_writable(&h, 0x1a7, 0x3fffff8fff);
	check_writable(&h, 0x3f6, 0xffff);
	check_writable(&h, 0x3f7, 0x7fff17);
	host_free(&h);
}

static void fault_leaves_value(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, 0x4100c0);
	assert_int_equal(host_try_wrmsr(&h, MSR_EVTSEL0, 0x1004100c5), PMU_FAULT);
	assert_int_equal(host_peek(&h, MSR_EVTSEL0), 0x4100c0);
	host_free(&h);
}

static void ds_area_takes_canonical_addresses(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	host_wrmsr(&h, MSR_DS_AREA, 0xfffffe0000001000);
	assert_int_equal(host_peek(&h, MSR_DS_AREA), 0xfffffe0000001000);
	assert_int_equal(host_try_wrmsr(&h, MSR_DS_AREA, 0x8000000000000000), PMU_FAULT);
	assert_int_equal(host_try_wrmsr(&h, MSR_DS_AREA, 0x800000000000), PMU_FAULT);
	host_free(&h);
}

static void legacy_write_extends_sign(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	host_wrmsr(&h, MSR_PMC0, 0x7fffffff);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0x7fffffff);
	host_wrmsr(&h, MSR_PMC0, 0x80000000);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0xff80000000);
	/* Bits above the 32nd do not count. */
	host_wrmsr(&h, MSR_PMC0, 0xdeadbeef00000001);
	assert_int_equal(host_peek(&h, MSR_PMC0), 1);
	host_free(&h);
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0 + 3, 0xffffffff);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 3), 0xffffffffffff);
	host_free(&h);
}

static void full_width_is_an_alias(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL + 1, 0x123456789abc);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0x123456789abc);
	host_wrmsr(&h, MSR_PMC0 + 1, 5);
	assert_int_equal(host_peek(&h, MSR_PMC0_FULL + 1), 5);
	host_free(&h);
}

static void rdpmc_knows_its_counters(void **state)
{
	static const uint32_t missing[] = { 4, 0x40000003, 0x80000000, 0x20000000, 0xffffffff };
	struct host h;
	uint64_t value;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL + 3, 0xfeed00000003);
	host_wrmsr(&h, MSR_FIXED0 + 2, 0xfeed00000002);
	assert_int_equal(pmu_rdpmc(h.pmu, 3, &value), PMU_DONE);
	assert_int_equal(value, 0xfeed00000003);
	assert_int_equal(pmu_rdpmc(h.pmu, 0x40000002, &value), PMU_DONE);
	assert_int_equal(value, 0xfeed00000002);
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		assert_int_equal(pmu_rdpmc(h.pmu, missing[i], &value), PMU_FAULT);
	host_free(&h);
	host_new(&h, "core2", 0);
	assert_int_equal(pmu_rdpmc(h.pmu, 2, &value), PMU_FAULT);
	host_free(&h);
}

static void status_registers(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	assert_int_equal(host_try_wrmsr(&h, MSR_STATUS, 0), PMU_FAULT);
	host_wrmsr(&h, MSR_STATUS_SET, 0x7c0000070000000f);
	assert_int_equal(host_peek(&h, MSR_STATUS), 0x7c0000070000000f);
	assert_int_equal(host_try_wrmsr(&h, MSR_STATUS_SET, 1u << 4), PMU_FAULT);
	assert_int_equal(host_try_wrmsr(&h, MSR_STATUS_SET, UINT64_C(1) << 63), PMU_FAULT);
	assert_int_equal(host_try_wrmsr(&h, MSR_STATUS_RESET, UINT64_C(1) << 57), PMU_FAULT);
	host_wrmsr(&h, MSR_STATUS_RESET, 0x7c00000500000003);
	assert_int_equal(host_peek(&h, MSR_STATUS), 0x20000000c);
	assert_int_equal(host_peek(&h, MSR_STATUS_RESET), 0);
	host_free(&h);
	host_new(&h, "core2", 0);
	assert_int_equal(host_try_wrmsr(&h, MSR_STATUS, 0), PMU_FAULT);
	host_wrmsr(&h, MSR_STATUS_RESET, 0xc000000700000003);
	/* CTR_FRZ and its like came with version 4. */
	assert_int_equal(host_try_wrmsr(&h, MSR_STATUS_RESET, UINT64_C(1) << 59), PMU_FAULT);
	host_free(&h);
}

static void inuse_follows_programming(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	assert_int_equal(host_peek(&h, MSR_INUSE), 0);
	host_wrmsr(&h, MSR_EVTSEL0 + 2, 0xc0);
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x020);
	assert_int_equal(host_peek(&h, MSR_INUSE), 0x4 | FIXED_BIT(1));
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x0a0);
	assert_int_equal(host_peek(&h, MSR_INUSE), UINT64_C(1) << 63 | 0x4 | FIXED_BIT(1));
	host_wrmsr(&h, MSR_FIXED_CTRL, 0);
	host_wrmsr(&h, MSR_PEBS_ENABLE, 1);
	assert_int_equal(host_peek(&h, MSR_INUSE), UINT64_C(1) << 63 | 0x4);
	assert_int_equal(host_try_wrmsr(&h, MSR_INUSE, 0), PMU_FAULT);
	host_free(&h);
}

struct snapshot {
	unsigned int n;
	uint32_t msr[64];
	uint64_t value[64];
};

static void note_msr(void *data, uint32_t msr, uint64_t value)
{
	struct snapshot *s = data;

	assert_true(s->n < 64);
	s->msr[s->n] = msr;
	s->value[s->n++] = value;
}

static void snapshot_lists_changes_once(void **state)
{
	struct snapshot s = { 0 };
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	pmu_each_changed_msr(h.pmu, note_msr, &s);
	assert_int_equal(s.n, 0);
	host_wrmsr(&h, MSR_PMC0_FULL + 1, 7);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&h, MSR_DS_AREA, 0x1000);
	pmu_each_changed_msr(h.pmu, note_msr, &s);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.msr[0], MSR_PMC0 + 1);
	assert_int_equal(s.value[0], 7);
	assert_int_equal(s.msr[1], MSR_GLOBAL_CTRL);
	assert_int_equal(s.value[1], 0);
	assert_int_equal(s.msr[2], MSR_DS_AREA);
	pmu_reset(h.pmu);
	s.n = 0;
	pmu_each_changed_msr(h.pmu, note_msr, &s);
	assert_int_equal(s.n, 0);
	host_free(&h);
}

/* EN of the first select is that of both counters; the second has none. */
static void p6_has_one_enable(void **state)
{
	uint64_t value;
	struct host h;

	(void)state;
	user_host(&h, "p6", 0);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, USR | 0xc0);
	host_run(&h, 100);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0x43);	/* DATA_MEM_REFS */
	host_load(&h, 64);
	host_run(&h, 99);
	assert_int_equal(host_peek(&h, MSR_PMC0), 1);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 100);
	assert_int_equal(host_try_wrmsr(&h, MSR_EVTSEL0 + 1, EN), PMU_FAULT);
	assert_int_equal(host_try_rdmsr(&h, MSR_EVTSEL0 + 2, &value), PMU_FAULT);
	assert_int_equal(host_try_rdmsr(&h, MSR_GLOBAL_CTRL, &value), PMU_FAULT);
	host_free(&h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_share_offcore),
		cmocka_unit_test(extra_registers_take_their_bits),
		cmocka_unit_test(version_6_has_a_second_view),
		cmocka_unit_test(faulty_counters),
		cmocka_unit_test(capabilities),
		cmocka_unit_test(power_on_values),
		cmocka_unit_test(missing_registers_fault),
		cmocka_unit_test(other_registers_are_the_hosts),
		cmocka_unit_test(reserved_bits_fault),
		cmocka_unit_test(fault_leaves_value),
		cmocka_unit_test(ds_area_takes_canonical_addresses),
		cmocka_unit_test(legacy_write_extends_sign),
		cmocka_unit_test(full_width_is_an_alias),
		cmocka_unit_test(rdpmc_knows_its_counters),
		cmocka_unit_test(status_registers),
		cmocka_unit_test(inuse_follows_programming),
		cmocka_unit_test(p6_has_one_enable),
		cmocka_unit_test(snapshot_lists_changes_once),
	};

	return cmocka_run_group_tests_name("model registers", tests, NULL, NULL);
}
