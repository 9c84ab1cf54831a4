// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model's first Pentium: CESR's fields, what each counter counts in which ring, and where
 * the manual leaves something open both readings of it.
 */
#include "tests/unit/model/host.h"

#define CESR 0x11
#define CTR0 0x12
#define CTR1 0x13
#define WIDTH40 UINT64_C(0xffffffffff)
/* CC: CPL 0 to 2, CPL 3, and clocks. */
#define KERNEL_0 (1u << 6)
#define USER_0 (2u << 6)
#define CLOCKS_0 (4u << 6)
#define USER_1 (2u << 22)

static void some_of_everything(struct host *h)
{
	host_ring(h, PMU_USER);
	host_run(h, 1000);
	for (unsigned int i = 0; i < 20; i++)
		host_load(h, 0x100000 + 64 * i);
	for (unsigned int i = 0; i < 10; i++)
		host_store(h, 0x200000 + 64 * i);
	for (unsigned int i = 0; i < 5; i++)
		host_branch(h, 0x1000, i & 1, 0x2000);
	host_ring(h, PMU_KERNEL);
	host_run(h, 300);
}

static uint64_t counted(const char *profile, uint64_t cesr, uint32_t counter)
{
	struct host h;
	uint64_t value;

	host_new(&h, profile, 0);
	host_ring(&h, PMU_KERNEL);
	host_wrmsr(&h, CESR, cesr);
	some_of_everything(&h);
	value = host_peek(&h, counter);
	host_free(&h);
	return value;
}

static void each_field(void **state)
{
	static const struct {
		uint64_t cesr;
		uint64_t first, second;
	} rows[] = {
		{ USER_0 | 0x16, 1035, 0 },
		{ KERNEL_0 | 0x16, 300, 0 },
		{ KERNEL_0 | USER_0 | 0x16, 1335, 0 },
		{ 0x16, 0, 0 },
		/* "100: count nothing" */
		{ CLOCKS_0 | 0x16, 0, 0 },
		/* What does not last has no clocks. */
		{ CLOCKS_0 | USER_0 | 0x16, 0, 0 },
		{ USER_1 | 0x160000, 0, 1035 },
		{ USER_0 | USER_1 | 0x120000 | 0x16, 1035, 5 },
		/* Pin control counts nothing. */
		{ USER_0 | USER_1 | 0x02000200 | 0x00010000, 20, 10 },
		{ USER_0 | USER_1 | 0x00040003, 20, 10 },
		{ USER_0 | USER_1 | 0x00290028, 30, 30 },
		/* Reserved, and what the model does not make. */
		{ USER_0 | USER_1 | 0x00100015, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(counted("p5", rows[i].cesr, CTR0), rows[i].first);
		assert_int_equal(counted("p5", rows[i].cesr, CTR1), rows[i].second);
	}
}

/* The same code is another event on each counter, and none without MMX. */
static void events_of_mmx(void **state)
{
	uint64_t cycles = counted("p55c", USER_0 | CLOCKS_0 | 0x30, CTR0);

	(void)state;
	assert_true(cycles > 1035 / 2);
	assert_int_equal(counted("p55c", USER_0 | 0x30, CTR0), cycles);
	assert_int_equal(counted("p55c", USER_1 | 0x300000, CTR1), 0);
	assert_int_equal(counted("p55c", USER_1 | 0x320000, CTR1), 2);
	assert_int_equal(counted("p55c", USER_0 | 0x32, CTR0), 0);
	assert_int_equal(counted("p5", USER_0 | 0x30, CTR0), 0);
	assert_int_equal(counted("p5", USER_1 | 0x320000, CTR1), 0);
}

static void registers(void **state)
{
	struct host h;
	uint64_t value;

	(void)state;
	host_new(&h, "p5", 0);
	for (uint32_t bit = 0; bit < 64; bit++) {
		bool field = bit < 10 || (bit >= 16 && bit < 26);

		assert_int_equal(host_try_wrmsr(&h, CESR, UINT64_C(1) << bit),
				 field ? PMU_DONE : PMU_FAULT);
		host_wrmsr(&h, CESR, 0);
		assert_int_equal(host_try_wrmsr(&h, CTR1, UINT64_C(1) << bit),
				 bit < 40 ? PMU_DONE : PMU_FAULT);
	}
	/* All 40 bits can be written, and come round. */
	host_wrmsr(&h, CTR0, WIDTH40 - 9);
	assert_true(host_peek(&h, CTR0) == WIDTH40 - 9);
	host_wrmsr(&h, CESR, USER_0 | 0x16);
	host_ring(&h, PMU_USER);
	host_run(&h, 30);
	host_ring(&h, PMU_KERNEL);
	assert_int_equal(host_peek(&h, CTR0), 20);
	assert_int_equal(h.pmis, 0);
	/* Neither those of a P6, nor RDPMC. */
	assert_int_equal(host_try_rdmsr(&h, MSR_PMC0, &value), PMU_FAULT);
	assert_int_equal(host_try_rdmsr(&h, MSR_EVTSEL0, &value), PMU_FAULT);
	assert_int_equal(host_try_rdmsr(&h, MSR_STATUS, &value), PMU_FAULT);
	assert_int_equal(pmu_rdpmc(h.pmu, 0, &value), PMU_FAULT);
	host_free(&h);
	host_new(&h, "p55c", 0);
	host_wrmsr(&h, CTR1, 7);
	assert_int_equal(pmu_rdpmc(h.pmu, 1, &value), PMU_DONE);
	assert_int_equal(value, 7);
	assert_int_equal(pmu_rdpmc(h.pmu, 2, &value), PMU_FAULT);
	host_free(&h);
	host_new(&h, "skylake", 0);
	assert_int_equal(host_try_rdmsr(&h, CESR, &value), PMU_NOT_MINE);
	host_free(&h);
}

static void note(void *data, uint32_t msr, uint64_t value)
{
	uint64_t *at = data;

	assert_in_range(msr, CESR, CTR1);
	at[msr - CESR] = value;
}

static void snapshot(void **state)
{
	uint64_t at[3] = { 0 };
	struct host h;

	(void)state;
	host_new(&h, "p5", 0);
	host_wrmsr(&h, CTR1, 99);
	host_wrmsr(&h, CESR, 0x02160212);
	pmu_each_changed_msr(h.pmu, note, at);
	assert_int_equal(at[0], 0x02160212);
	assert_int_equal(at[1], 0);
	assert_int_equal(at[2], 99);
	pmu_reset(h.pmu);
	assert_int_equal(host_peek(&h, CESR), 0);
	host_free(&h);
}

/* "Stopped and cleared or preset before switching to a new event": else what it shows is wrong. */
static void switched_without_preset(void **state)
{
	static const struct {
		bool stopped, set, wrong;
	} rows[] = {
		{ true, true, false }, { true, false, true }, { false, true, true },
		{ false, false, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int strict = 0; strict < 2; strict++) {
			char why[64];
			struct host h;

			host_new(&h, "p5", 0);
			if (strict)
				assert_true(pmu_silicon(h.pmu, "wants-preset", why, sizeof(why)));
			host_wrmsr(&h, CESR, USER_0 | 0x16);
			if (rows[i].stopped)
				host_wrmsr(&h, CESR, 0x16);
			if (rows[i].set)
				host_wrmsr(&h, CTR0, 0);
			host_wrmsr(&h, CESR, USER_0 | 0x12);
			if ((host_peek(&h, CTR0) != 0) != (strict && rows[i].wrong))
				fail_msg("row %zu, strict %d", i, strict);
			/* To go on with the same event is no switch. */
			host_wrmsr(&h, CESR, 0x12);
			host_wrmsr(&h, CTR0, 5);
			host_wrmsr(&h, CESR, USER_0 | 0x12);
			host_wrmsr(&h, CESR, 0x12);
			host_wrmsr(&h, CESR, USER_0 | 0x12);
			assert_int_equal(host_peek(&h, CTR0), 5);
			host_free(&h);
		}
}

static void beginnings(void **state)
{
	char why[64];
	struct host h;

	(void)state;
	host_new(&h, "p55c", 0);
	assert_true(pmu_silicon(h.pmu, "counts-beginnings", why, sizeof(why)));
	host_ring(&h, PMU_KERNEL);
	host_wrmsr(&h, CESR, KERNEL_0 | 0x30);
	host_run(&h, 1000);
	assert_int_equal(host_peek(&h, CTR0), 0);
	pmu_halt(h.pmu);
	host_run(&h, 1000);
	assert_int_equal(host_peek(&h, CTR0), 1);
	host_wrmsr(&h, CESR, KERNEL_0 | CLOCKS_0 | 0x30);
	host_wrmsr(&h, CTR0, 0);
	host_run(&h, 1000);
	assert_in_range(host_peek(&h, CTR0), 500, 502);
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field), cmocka_unit_test(events_of_mmx),
		cmocka_unit_test(registers), cmocka_unit_test(snapshot),
		cmocka_unit_test(switched_without_preset), cmocka_unit_test(beginnings),
	};

	return cmocka_run_group_tests_name("p5", tests, NULL, NULL);
}
