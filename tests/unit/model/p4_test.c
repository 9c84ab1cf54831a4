// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4 of the PMU model: registers, routes, overflow and PMI, cascades, the
 * threads of a core.
 */
#include "tests/unit/model/p4_host.h"

static void test_instructions_and_cycles_count(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 12, CRU0, INSTR_RETIRED(3, T0_USR), CCCR_ON_SEL(4));
	p4_start(&h, 0, FSB0, RUNNING(T0_USR), CCCR_ON_SEL(6));
	p4_run(&h, 1000);
	assert_int_equal(p4_count(&h, 12), 1000);
	assert_int_equal(p4_count(&h, 0), host_total(&h, PMU_USER, PMU_CYCLES));
	host_free(&h);
}

/* A counter reaches an ESCR by its select value; the other half's another one. */
static void test_halves_have_their_own_escrs(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 12, CRU0, INSTR_RETIRED(3, T0_USR), CCCR_ON_SEL(4));
	p4_start(&h, 14, CRU1, INSTR_RETIRED(3, T0_OS), CCCR_ON_SEL(4));
	p4_start(&h, 13, CRU2, INSTR_RETIRED(3, T0_USR), CCCR_ON_SEL(5));
	p4_run(&h, 100);
	assert_int_equal(p4_count(&h, 12), 100);
	assert_true(p4_count(&h, 14) < 10);
	assert_int_equal(p4_count(&h, 13), 0);
	host_free(&h);
}

static const struct missing {
	const char *profile;
	uint32_t msr;
	bool there;
} missing[] = {
	{ "p4", ESCR(0x1a), false },		/* IQ_ESCR0: models 0 to 2 */
	{ "p4-northwood", ESCR(0x1a), true },
	{ "p4", ESCR(0x1f), false },		/* SSU_ESCR1, the kernel's guess */
	{ "p4", ESCR(0x1e), true },
	{ "p4", ESCR(0x26), false }, { "p4", ESCR(0x27), false },
	{ "p4", ESCR(0x2e), false }, { "p4", ESCR(0x3f), false },
	{ "p4", ESCR(0x40), true }, { "p4", ESCR(0x41), true },
	{ "p4", COUNTER(17), true }, { "p4", CCCR(17), true },
	{ "p4", 0x3f0, true }, { "p4", 0x3f1, true }, { "p4", 0x3f2, true },
	{ "p4", 0x600, true }, { "p4", 0x186, false }, { "p4", 0xc1, false },
	{ "p4", 0x38d, false }, { "p4", 0x38f, false }, { "p4", 0x345, false },
};

static void test_missing_registers_fault(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		enum pmu_access expected = missing[i].there ? PMU_DONE : PMU_FAULT;
		uint64_t value;
		struct host h;

		user_host(&h, missing[i].profile, 0);
		assert_int_equal(host_try_rdmsr(&h, missing[i].msr, &value), expected);
		assert_int_equal(host_try_wrmsr(&h, missing[i].msr, 0), expected);
		host_free(&h);
	}
}

static unsigned int escrs_of(const char *profile)
{
	unsigned int n = 0;
	uint64_t value;
	struct host h;

	user_host(&h, profile, 0);
	for (uint32_t msr = ESCR(0); msr <= ESCR(0x41); msr++)
		n += host_try_rdmsr(&h, msr, &value) == PMU_DONE;
	host_free(&h);
	return n;
}

static void test_number_of_escrs(void **state)
{
	(void)state;
	assert_int_equal(escrs_of("p4-northwood"), 45);
	assert_int_equal(escrs_of("p4"), 43);
}

/* Reserved bits, those of a second thread that is not there among them. */
static void test_reserved_bits_fault(void **state)
{
	static const struct {
		uint32_t msr;
		uint64_t alone, together;
	} rows[] = {
		{ ESCR(CRU0), 0x7ffffffc, 0x7fffffff },
		{ CCCR(4), 0xc7fff000, 0xcffff000 },
		{ CCCR(12), 0xc7fff800, 0xcffff800 },
		{ COUNTER(4), WIDTH40, WIDTH40 },
		{ MSR_PEBS_ENABLE, 0x3019fff, 0x7019fff },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int bit = 0; bit < 64; bit++) {
			uint64_t value = UINT64_C(1) << bit;
			struct p4_core core;
			struct host h;

			host_new(&h, "p4", 0);
			assert_int_equal(host_try_wrmsr(&h, rows[i].msr, value),
					 value & rows[i].alone ? PMU_DONE : PMU_FAULT);
			host_free(&h);
			p4_core_new(&core, "p4");
			assert_int_equal(host_try_wrmsr(&core.t[0], rows[i].msr, value),
					 value & rows[i].together ? PMU_DONE : PMU_FAULT);
			p4_core_free(&core);
		}
	}
}

static void test_rdpmc_has_a_fast_half(void **state)
{
	uint64_t value;
	struct host h;

	(void)state;
	host_new(&h, "p4", 0);
	host_wrmsr(&h, COUNTER(17), UINT64_C(0x8912345678));
	assert_int_equal(pmu_rdpmc(h.pmu, 17, &value), PMU_DONE);
	assert_int_equal(value, UINT64_C(0x8912345678));
	assert_int_equal(pmu_rdpmc(h.pmu, 17 | 1u << 31, &value), PMU_DONE);
	assert_int_equal(value, UINT64_C(0x12345678));
	assert_int_equal(pmu_rdpmc(h.pmu, 18, &value), PMU_FAULT);
	assert_int_equal(pmu_rdpmc(h.pmu, 1u << 30, &value), PMU_FAULT);
	host_free(&h);
}

/* --- overflow --- */

static void count_down(struct host *h, unsigned int counter, uint64_t events, uint64_t more)
{
	p4_set(h, ESCR(CRU0), INSTR_RETIRED(3, T0_USR));
	p4_set(h, COUNTER(counter), -events & WIDTH40);
	p4_set(h, CCCR(counter), CCCR_ON_SEL(4) | more);
}

static void test_the_event_behind_the_overflow_interrupts(void **state)
{
	struct host h;
	uint64_t before;

	(void)state;
	user_host(&h, "p4", 0);
	count_down(&h, 12, 99, CCCR_PMI_T0);
	before = h.retired;
	p4_run(&h, 99);
	host_boundary(&h);
	assert_int_equal(h.pmis, 0);
	assert_true(host_peek(&h, CCCR(12)) & CCCR_OVF);
	p4_run(&h, 1);
	host_boundary(&h);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at - before, 100);
	p4_run(&h, 1000);
	host_boundary(&h);
	assert_int_equal(h.pmis, 1);
	host_free(&h);
}

static void test_overflow_sticks_until_it_is_cleared(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	count_down(&h, 12, 10, 0);
	p4_run(&h, 20);
	assert_true(host_peek(&h, CCCR(12)) & CCCR_OVF);
	assert_int_equal(p4_count(&h, 12), 10);
	p4_set(&h, CCCR(12), CCCR_ON_SEL(4));
	p4_run(&h, 20);
	assert_false(host_peek(&h, CCCR(12)) & CCCR_OVF);
	assert_int_equal(h.pmis, 0);
	host_free(&h);
}

static void test_clearing_the_overflow_takes_the_interrupt_back(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	count_down(&h, 12, 10, CCCR_PMI_T0);
	p4_run(&h, 10);
	p4_set(&h, CCCR(12), CCCR_ON_SEL(4) | CCCR_PMI_T0);
	p4_run(&h, 20);
	host_boundary(&h);
	assert_int_equal(h.pmis, 0);
	host_free(&h);
}

static void test_force_ovf_interrupts_at_each_event(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	count_down(&h, 12, 1, CCCR_FORCE | CCCR_PMI_T0);
	p4_run(&h, 7);
	host_boundary(&h);
	assert_int_equal(h.pmis, 7);
	host_free(&h);
}

/* Without HT there is nobody to interrupt; with it the other thread is. */
static void test_interrupts_go_to_the_threads_named(void **state)
{
	struct p4_core core;

	(void)state;
	p4_core_new(&core, "p4");
	count_down(&core.t[0], 12, 9, CCCR_PMI_T1);
	p4_run(&core.t[0], 50);
	p4_turn(&core, 1);
	host_boundary(&core.t[1]);
	assert_int_equal(core.t[0].pmis, 0);
	assert_int_equal(core.t[1].pmis, 1);
	p4_core_free(&core);
}

/* --- cascades --- */

static const struct cascade {
	unsigned int from, to;
	uint64_t bit;
	bool works;
} cascade_rows[] = {
	{ 12, 14, CCCR_CASCADE, true }, { 14, 12, CCCR_CASCADE, true },
	{ 13, 15, CCCR_CASCADE, true }, { 15, 13, CCCR_CASCADE, true },
	{ 14, 16, CCCR_CASCADE, true }, { 15, 17, CCCR_CASCADE, true },
	{ 16, 14, CCCR_CASCADE, false }, { 17, 15, CCCR_CASCADE, false },
	{ 12, 15, CCCR_CASCADE, false }, { 12, 13, CCCR_CASCADE, false },
	{ 16, 12, CCCR_EXTENDED, true }, { 17, 15, CCCR_EXTENDED, true },
	{ 17, 16, CCCR_EXTENDED, true }, { 16, 17, CCCR_EXTENDED, true },
	{ 14, 16, CCCR_EXTENDED, false }, { 17, 12, CCCR_EXTENDED, false },
};

static void run_cascade(const struct cascade *c, const char *profile)
{
	struct host h;

	user_host(&h, profile, 0);
	p4_set(&h, ESCR(CRU0), INSTR_RETIRED(3, T0_USR));
	p4_set(&h, ESCR(CRU1), INSTR_RETIRED(3, T0_USR));
	p4_set(&h, COUNTER(c->to), 0);
	p4_set(&h, CCCR(c->to), CCCR_ANY | CCCR_SEL(4) | c->bit);
	p4_set(&h, COUNTER(c->from), -UINT64_C(1000) & WIDTH40);
	p4_set(&h, CCCR(c->from), CCCR_ON_SEL(4));
	p4_run(&h, 1000);
	assert_int_equal(p4_count(&h, c->to), 0);
	p4_run(&h, 234);
	assert_int_equal(p4_count(&h, c->to), c->works ? 234 : 0);
	host_free(&h);
}

static void test_cascades_begin_behind_the_overflow(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cascade_rows) / sizeof(cascade_rows[0]); i++)
		run_cascade(&cascade_rows[i], i % 2 ? "p4" : "p4-northwood");
}

static void test_cascade_stops_with_the_overflow_bit(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_set(&h, ESCR(CRU1), INSTR_RETIRED(3, T0_USR));
	p4_set(&h, CCCR(14), CCCR_ANY | CCCR_SEL(4) | CCCR_CASCADE);
	count_down(&h, 12, 10, 0);
	p4_run(&h, 30);
	p4_set(&h, CCCR(12), CCCR_ON_SEL(4));
	p4_run(&h, 30);
	assert_int_equal(p4_count(&h, 14), 20);
	host_free(&h);
}

/* The host hears of no more needs at the boundary where the cascade begins. */
static void test_waiting_cascades_have_their_needs(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 10, FIRM1, ESCR_OF(4, 0x8000, T0_USR), CCCR_ON_SEL(1));
	p4_set(&h, COUNTER(10), WIDTH40);
	p4_start(&h, 8, SAAT0, ESCR_OF(4, 2, T0_USR), CCCR_ANY | CCCR_SEL(2));
	assert_false(h.hot.needs[PMU_USER] & PMU_NEED_MEM);
	p4_set(&h, CCCR(8), CCCR_ANY | CCCR_SEL(2) | CCCR_CASCADE);
	assert_true(h.hot.needs[PMU_USER] & PMU_NEED_MEM);
	p4_access(&h, 0x1000 + 60, 8, false);
	p4_insn(&h, CODE, PMU_X87);
	p4_access(&h, 0x1000 + 60, 8, false);
	assert_int_equal(p4_count(&h, 8), 1);
	host_free(&h);
}

/* Which counters interrupted is told once, by the instruction that did. */
static void test_causes_are_told(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	pmu_want_causes(h.pmu, true);
	count_down(&h, 12, 9, CCCR_PMI_T0);
	p4_run(&h, 10);
	host_boundary(&h);
	assert_int_equal(pmu_overflowed(h.pmu), 1 << 12);
	assert_int_equal(pmu_overflowed(h.pmu), 0);
	host_free(&h);
}

static uint64_t cascaded_pmis(const char *profile)
{
	uint64_t pmis;
	struct host h;

	user_host(&h, profile, 0);
	p4_set(&h, ESCR(CRU1), INSTR_RETIRED(3, T0_USR));
	p4_set(&h, COUNTER(14), -UINT64_C(4) & WIDTH40);
	p4_set(&h, CCCR(14), CCCR_ANY | CCCR_SEL(4) | CCCR_CASCADE | CCCR_PMI_T0);
	count_down(&h, 12, 10, 0);
	p4_run(&h, 30);
	host_boundary(&h);
	assert_true(host_peek(&h, CCCR(14)) & CCCR_OVF);
	pmis = h.pmis;
	host_free(&h);
	return pmis;
}

static void test_erratum_of_cascaded_interrupts(void **state)
{
	(void)state;
	assert_int_equal(cascaded_pmis("p4-northwood"), 0);
	assert_int_equal(cascaded_pmis("p4"), 1);
}

/* --- threads --- */

static void test_threads_share_counters(void **state)
{
	struct p4_core core;

	(void)state;
	p4_core_new(&core, "p4");
	p4_start(&core.t[0], 12, CRU0, INSTR_RETIRED(3, T0_USR), CCCR_ON_SEL(4));
	p4_start(&core.t[0], 14, CRU1, INSTR_RETIRED(3, T1_USR), CCCR_ON_SEL(4));
	p4_run(&core.t[0], 100);
	p4_turn(&core, 1);
	p4_run(&core.t[1], 23);
	assert_int_equal(p4_count(&core.t[1], 12), 100);
	assert_int_equal(p4_count(&core.t[1], 14), 23);
	p4_turn(&core, 0);
	assert_int_equal(p4_count(&core.t[0], 14), 23);
	p4_core_free(&core);
}

/* "Thread 0 user + thread 1 kernel", and who counts both overflows exactly. */
static void test_any_mix_of_threads_and_rings(void **state)
{
	struct p4_core core;

	(void)state;
	p4_core_new(&core, "p4");
	p4_set(&core.t[0], ESCR(CRU0), INSTR_RETIRED(3, T0_USR | T1_OS));
	p4_set(&core.t[0], COUNTER(12), -UINT64_C(150) & WIDTH40);
	p4_set(&core.t[0], CCCR(12), CCCR_ON_SEL(4) | CCCR_PMI_T0 | CCCR_PMI_T1);
	p4_run(&core.t[0], 100);
	p4_turn(&core, 1);
	p4_run(&core.t[1], 1000);
	host_ring(&core.t[1], PMU_KERNEL);
	p4_run(&core.t[1], 49);
	assert_int_equal(p4_count(&core.t[1], 12), WIDTH40);
	p4_turn(&core, 0);
	p4_run(&core.t[0], 1);
	host_boundary(&core.t[0]);
	assert_int_equal(core.t[0].pmis, 0);
	p4_run(&core.t[0], 1);
	host_boundary(&core.t[0]);
	assert_int_equal(core.t[0].pmis, 1);
	p4_turn(&core, 1);
	host_boundary(&core.t[1]);
	assert_int_equal(core.t[1].pmis, 1);
	p4_core_free(&core);
}

/* x87_FP_uop is TI: T0's and T1's bits are one. */
static void test_ti_events_take_both_threads(void **state)
{
	struct p4_core core;

	(void)state;
	p4_core_new(&core, "p4");
	p4_start(&core.t[0], 8, FIRM0, ESCR_OF(4, 0x8000, T0_USR), CCCR_ON_SEL(1));
	p4_insn(&core.t[0], CODE, PMU_X87);
	p4_turn(&core, 1);
	p4_insn(&core.t[1], CODE, PMU_X87);
	p4_insn(&core.t[1], CODE, PMU_X87);
	assert_int_equal(p4_count(&core.t[1], 8), 3);
	p4_core_free(&core);
}

static void test_active_threads(void **state)
{
	static const uint64_t expected[] = { 0, 10, 20, 30 };
	struct p4_core core;

	(void)state;
	p4_core_new(&core, "p4");
	for (unsigned int mode = 0; mode < 4; mode++) {
		uint64_t cccr = CCCR_ON | CCCR_SEL(4) | mode << 16;

		p4_turn(&core, 0);
		p4_start(&core.t[0], 12, CRU0, INSTR_RETIRED(3, T0_USR), cccr);
		p4_turn(&core, 1);
		p4_run(&core.t[1], 1);
		pmu_halt(core.t[1].pmu);
		p4_turn(&core, 0);
		p4_run(&core.t[0], 10);
		p4_turn(&core, 1);
		p4_run(&core.t[1], 1);
		p4_turn(&core, 0);
		p4_run(&core.t[0], 20);
		assert_int_equal(p4_count(&core.t[0], 12), expected[mode]);
	}
	p4_core_free(&core);
}

static void test_pebs_enable_speaks_of_my_thread(void **state)
{
	struct p4_core core;

	(void)state;
	p4_core_new(&core, "p4");
	p4_set(&core.t[0], MSR_PEBS_ENABLE, 1u << 25 | 1u << 24);
	p4_turn(&core, 1);
	assert_int_equal(host_peek(&core.t[1], MSR_PEBS_ENABLE), 1u << 26 | 1u << 24);
	p4_core_free(&core);
}

static void note_msr(void *data, uint32_t msr, uint64_t value)
{
	uint64_t *seen = data;

	seen[0]++;
	seen[1] += msr;
	seen[2] = value;
}

static void test_changed_registers_are_listed(void **state)
{
	uint64_t seen[3] = { 0 };
	struct host h;

	(void)state;
	host_new(&h, "p4", 0);
	pmu_each_changed_msr(h.pmu, note_msr, seen);
	assert_int_equal(seen[0], 0);
	host_wrmsr(&h, ESCR(0x41), 0x200);
	pmu_each_changed_msr(h.pmu, note_msr, seen);
	assert_int_equal(seen[0], 1);
	assert_int_equal(seen[1], ESCR(0x41));
	assert_int_equal(seen[2], 0x200);
	pmu_reset(h.pmu);
	seen[0] = 0;
	pmu_each_changed_msr(h.pmu, note_msr, seen);
	assert_int_equal(seen[0], 0);
	host_free(&h);
}

/* PMU, no BTS, PEBS; DS, and DTES64 on Prescott only; no leaf 0AH. */
static void test_what_cpuid_and_misc_enable_say(void **state)
{
	static const struct {
		const char *profile;
		uint32_t dtes64;
	} rows[] = { { "p4", 1u << 2 }, { "p4-northwood", 0 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		uint32_t one[4] = { 0 }, ten[4] = { 0 };
		struct host h;

		host_new(&h, rows[i].profile, 0);
		assert_int_equal(pmu_misc_enable(h.pmu) & 3u << 11, 1u << 11);
		assert_true(pmu_misc_enable(h.pmu) & 1u << 7);
		pmu_cpuid(h.pmu, 1, 0, one);
		assert_int_equal(one[2] & 1u << 2, rows[i].dtes64);
		assert_true(one[3] & 1u << 21);
		pmu_cpuid(h.pmu, 10, 0, ten);
		assert_int_equal(ten[0] | ten[1] | ten[2] | ten[3], 0);
		host_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instructions_and_cycles_count),
		cmocka_unit_test(test_halves_have_their_own_escrs),
		cmocka_unit_test(test_missing_registers_fault),
		cmocka_unit_test(test_number_of_escrs),
		cmocka_unit_test(test_reserved_bits_fault),
		cmocka_unit_test(test_rdpmc_has_a_fast_half),
		cmocka_unit_test(test_the_event_behind_the_overflow_interrupts),
		cmocka_unit_test(test_overflow_sticks_until_it_is_cleared),
		cmocka_unit_test(test_clearing_the_overflow_takes_the_interrupt_back),
		cmocka_unit_test(test_force_ovf_interrupts_at_each_event),
		cmocka_unit_test(test_interrupts_go_to_the_threads_named),
		cmocka_unit_test(test_cascades_begin_behind_the_overflow),
		cmocka_unit_test(test_cascade_stops_with_the_overflow_bit),
		cmocka_unit_test(test_waiting_cascades_have_their_needs),
		cmocka_unit_test(test_causes_are_told),
		cmocka_unit_test(test_erratum_of_cascaded_interrupts),
		cmocka_unit_test(test_threads_share_counters),
		cmocka_unit_test(test_any_mix_of_threads_and_rings),
		cmocka_unit_test(test_ti_events_take_both_threads),
		cmocka_unit_test(test_active_threads),
		cmocka_unit_test(test_pebs_enable_speaks_of_my_thread),
		cmocka_unit_test(test_changed_registers_are_listed),
		cmocka_unit_test(test_what_cpuid_and_misc_enable_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
