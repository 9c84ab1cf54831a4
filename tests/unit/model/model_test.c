// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PMU model's counters count, in which ring, when they overflow and
 * interrupt, and how they freeze.
 */
#include "tests/unit/model/host.h"

static void nothing_enabled_needs_nothing(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	assert_false(h.hot.active);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN);
	assert_true(h.hot.active);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	assert_false(h.hot.active);
	host_free(&h);
}

static void needs_follow_event_and_ring(void **state)
{
	static const struct {
		uint32_t sel;
		uint8_t kernel, user;
	} rows[] = {
		{ EN | USR | 0xc0, 0, PMU_NEED_INSN },
		{ EN | OS | 0xc0, PMU_NEED_INSN, 0 },
		{ EN | OS | USR | 0xc4, PMU_NEED_INSN | PMU_NEED_BRANCH,
		  PMU_NEED_INSN | PMU_NEED_BRANCH },
		{ EN | USR | 0x81d0, 0, PMU_NEED_INSN | PMU_NEED_MEM },
		{ EN | OS | 0x412e, PMU_NEED_INSN | PMU_NEED_MEM, 0 },
		{ EN | USR | 0x3c, 0, PMU_NEED_ALL | PMU_NEED_KIND },
		{ EN | USR | 0x13c, 0, PMU_NEED_ALL | PMU_NEED_KIND },
		{ OS | USR | 0xc0, 0, 0 },	/* not enabled */
		{ EN | 0xc0, 0, 0 },		/* in no ring */
		{ EN | OS | USR | 0xff, 0, 0 },	/* no such event: no fault, no count */
	};
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		host_wrmsr(&h, MSR_EVTSEL0 + 1, rows[i].sel);
		assert_int_equal(h.hot.needs[PMU_KERNEL], rows[i].kernel);
		assert_int_equal(h.hot.needs[PMU_USER], rows[i].user);
	}
	pmu_force(h.pmu, PMU_NEED_INSN);
	assert_int_equal(h.hot.needs[PMU_KERNEL], PMU_NEED_INSN);
	pmu_force(h.pmu, 0);
	assert_false(h.hot.active);
	host_free(&h);
}

static void counts_per_ring(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0xc0);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | OS | 0xc0);
	host_wrmsr(&h, MSR_EVTSEL0 + 2, EN | OS | USR | 0xc0);
	host_run(&h, 10);
	host_ring(&h, PMU_USER);
	host_run(&h, 1000);
	host_ring(&h, PMU_KERNEL);
	host_run(&h, 100);
	assert_int_equal(host_peek(&h, MSR_PMC0), 1000);
	/* The last write, which enables counter 2, is counted by counter 1. */
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 111);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 2), 1110);
	host_free(&h);
}

static void writes_and_reads_in_flight(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | OS | 0xc0);	/* does not count itself */
	assert_int_equal(host_rdmsr(&h, MSR_PMC0), 0);	/* nor the reading one */
	assert_int_equal(host_rdmsr(&h, MSR_PMC0), 1);
	host_run(&h, 5);
	assert_int_equal(host_rdmsr(&h, MSR_PMC0), 7);
	host_wrmsr(&h, MSR_EVTSEL0, 0);			/* counts itself */
	host_run(&h, 5);
	assert_int_equal(host_rdmsr(&h, MSR_PMC0), 9);
	host_free(&h);
}

static void faulting_write_is_not_counted(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | OS | 0xc0);
	host_run(&h, 3);
	assert_int_equal(host_try_wrmsr(&h, MSR_GLOBAL_CTRL, UINT64_C(1) << 50), PMU_FAULT);
	assert_int_equal(host_rdmsr(&h, MSR_PMC0), 3);
	host_free(&h);
}

static void global_ctrl_gates(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_INSN);
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x002);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0x2);
	host_wrmsr(&h, MSR_PMC0, 0);
	host_wrmsr(&h, MSR_PMC0 + 1, 0);
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 50);
	assert_int_equal(host_peek(&h, MSR_FIXED0), 0);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, FIXED_BIT(0));
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_FIXED0), 50);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 51);
	host_free(&h);
}

static void fixed_counters_keep_their_clocks(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0x13c);
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x222);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0x70000000f);
	host_wrmsr(&h, MSR_PMC0, 0);
	host_wrmsr(&h, MSR_FIXED0, 0);
	host_wrmsr(&h, MSR_FIXED0 + 1, 0);
	host_wrmsr(&h, MSR_FIXED0 + 2, 0);
	host_run(&h, 32000);
	assert_in_range(host_peek(&h, MSR_FIXED0), 32002, 32002);
	assert_in_range(host_peek(&h, MSR_FIXED0 + 1), 8000, 8001);
	assert_in_range(host_peek(&h, MSR_FIXED0 + 2), 7000, 7001);
	assert_in_range(host_peek(&h, MSR_PMC0), 218, 219);
	host_free(&h);
}

static void overflow_sets_status_only(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_PMC0 + 1, (uint64_t)-10);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_INSN);
	host_run(&h, 9);
	assert_int_equal(host_peek(&h, MSR_STATUS), 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0xffffffffff);
	host_run(&h, 1);
	assert_int_equal(host_peek(&h, MSR_STATUS), 2);
	host_run(&h, 5);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 5);
	assert_int_equal(h.pmis, 0);
	host_wrmsr(&h, MSR_STATUS_RESET, 2);
	assert_int_equal(host_peek(&h, MSR_STATUS), 0);
	host_free(&h);
}

/* The PMI comes on the boundary behind the instruction that overflows. */
static void pmi_comes_exactly(void **state)
{
	static const uint64_t period[] = { 1, 2, 3, 10, 10007 };
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(period) / sizeof(period[0]); i++) {
		user_host(&h, "skylake", 0);
		host_wrmsr(&h, MSR_PMC0_FULL, -period[i] & WIDTH48);
		host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
		h.retired = 0;
		host_run(&h, period[i]);
		assert_int_equal(h.pmis, 0);
		host_run(&h, 100);
		assert_int_equal(h.pmis, 1);
		assert_int_equal(h.pmi_at, period[i]);
		assert_int_equal(host_peek(&h, MSR_STATUS), 1);
		assert_int_equal(host_peek(&h, MSR_PMC0), 100);
		assert_int_equal(host_total(&h, PMU_USER, PMU_PMIS), 1);
		host_free(&h);
	}
}

static void fixed_counter_interrupts(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_FIXED0, (uint64_t)-77 & 0xffffffffff);
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x00a);
	h.retired = 0;
	host_wrmsr(&h, MSR_GLOBAL_CTRL, FIXED_BIT(0));
	host_run(&h, 100);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 78);		/* the WRMSR is not counted */
	assert_int_equal(host_peek(&h, MSR_STATUS), FIXED_BIT(0));
	host_free(&h);
}

/* Four instructions a cycle, nothing stalls: skid in cycles is 4 a cycle. */
static void pmi_skids(void **state)
{
	static const unsigned int skid[] = { 1, 5, 100 };
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(skid) / sizeof(skid[0]); i++) {
		user_host(&h, "skylake", skid[i]);
		host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-1000 & WIDTH48);
		host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
		h.retired = 0;
		host_run(&h, 2000);
		assert_int_equal(h.pmis, 1);
		assert_int_equal(h.pmi_at, 1000 + 4 * skid[i]);
		assert_int_equal(host_peek(&h, MSR_PMC0), 1000);
		host_free(&h);
	}
}

/* User code overflows, the PMI comes in the kernel that it entered. */
static void skid_crosses_rings(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 10);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-100 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	h.retired = 0;
	host_run(&h, 100);
	host_ring(&h, PMU_KERNEL);
	assert_int_equal(h.hot.needs[PMU_KERNEL], PMU_NEED_INSN);
	host_run(&h, 100);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 140);
	assert_int_equal(h.hot.needs[PMU_KERNEL], 0);
	assert_int_equal(host_total(&h, PMU_KERNEL, PMU_PMIS), 1);
	host_free(&h);
}

static void write_that_overflows_interrupts_behind(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, EN | OS | INT | 0xc0);
	host_wrmsr(&h, MSR_DS_AREA, 0);		/* overflows by retiring */
	assert_int_equal(h.pmis, 0);
	host_wrmsr(&h, MSR_EVTSEL0, 0);		/* comes one too late */
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 3);
	host_free(&h);
}

static void masked_pmi_is_not_delivered(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	h.masked = true;
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-10 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	host_run(&h, 20);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_PMIS), 0);
	assert_int_equal(host_peek(&h, MSR_STATUS), 1);
	host_free(&h);
}

static void legacy_freeze_clears_global_ctrl(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, 1 << 12);
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x002);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, FIXED_BIT(0) | 3);
	host_wrmsr(&h, MSR_FIXED0, 0);
	host_wrmsr(&h, MSR_PMC0, (uint64_t)-10);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_GLOBAL_CTRL), 0);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0);
	assert_int_equal(host_peek(&h, MSR_FIXED0), 12);
	assert_int_equal(host_peek(&h, MSR_STATUS), 1);
	host_free(&h);
}

static void streamlined_freeze_sets_status(void **state)
{
	const uint64_t frozen = UINT64_C(1) << 59 | UINT64_C(1) << 58;
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, 1 << 12 | 1 << 11);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-10 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_GLOBAL_CTRL), 0xf);
	assert_int_equal(host_peek(&h, MSR_STATUS), frozen | 1);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0);
	host_wrmsr(&h, MSR_STATUS_RESET, 1);
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0);
	host_wrmsr(&h, MSR_STATUS_RESET, frozen);
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_PMC0), 50);
	host_wrmsr(&h, MSR_STATUS_SET, UINT64_C(1) << 59);
	host_run(&h, 50);
	assert_int_equal(host_peek(&h, MSR_PMC0), 51);
	host_free(&h);
}

static void no_freeze_unless_asked(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_PMC0, (uint64_t)-10);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	host_run(&h, 50);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(host_peek(&h, MSR_PMC0), 40);
	assert_int_equal(host_peek(&h, MSR_GLOBAL_CTRL), 3);
	host_free(&h);
}

/* Every third instruction loads: the PMI comes right behind the tenth load. */
static void memory_event_overflows_exactly(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-10 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_LOADS | INT);
	h.retired = 0;
	for (int i = 0; i < 20; i++) {
		host_run(&h, 2);
		host_load(&h, 0x1000);
	}
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 30);
	assert_int_equal(host_peek(&h, MSR_PMC0), 10);
	host_free(&h);
}

static void branch_event_overflows_exactly(void **state)
{
	static const uint32_t sels[] = { SEL_BRANCHES, EN | USR | 0x20c4, EN | USR | 0x10c4 };
	static const uint64_t at[] = { 20, 38, 40 };
	struct host h;

	(void)state;
	for (size_t s = 0; s < 3; s++) {
		user_host(&h, "skylake", 0);
		host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-10 & WIDTH48);
		host_wrmsr(&h, MSR_EVTSEL0, sels[s] | INT);
		h.retired = 0;
		for (int i = 0; i < 40; i++) {
			host_run(&h, 1);
			host_branch(&h, 0x400000, i % 2 == 0, 0x400100);
		}
		assert_int_equal(h.pmis, 1);
		assert_int_equal(h.pmi_at, at[s]);
		host_free(&h);
	}
}

/* Accesses and first-level hits are derived from other counts. */
static void derived_events_overflow_exactly(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-15 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | INT | 0x83d0);
	h.retired = 0;
	for (int i = 0; i < 20; i++) {
		host_load(&h, 0x1000);
		host_run(&h, 1);
		host_store(&h, 0x1000);
	}
	assert_int_equal(h.pmi_at, 22);
	host_free(&h);
	user_host(&h, "skylake", 0);
	host_no_prefetch(&h);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-5 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | INT | 0x01d1);
	h.retired = 0;
	for (uint64_t i = 0; i < 20; i++)
		host_load(&h, 0x1000 + i / 2 * 64);
	assert_int_equal(h.pmi_at, 10);
	host_free(&h);
}

static void cycles_overflow_with_stalls(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-100 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_CYCLES | INT);
	h.retired = 0;
	host_run(&h, 40);
	host_load(&h, 0x5000);			/* from memory: 180 cycles */
	host_run(&h, 1000);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 41);
	assert_int_equal(host_peek(&h, MSR_STATUS), 1);
	host_free(&h);
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-100 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_CYCLES | INT);
	h.retired = 0;
	host_run(&h, 1000);
	assert_int_equal(h.pmi_at, 400);
	host_free(&h);
}

/* A second overflow joins the PMI that is on its way already. */
static void overflows_share_a_pmi(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 10);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_INSN | INT);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-100 & WIDTH48);
	host_wrmsr(&h, MSR_PMC0_FULL + 1, (uint64_t)-120 & WIDTH48);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 3);
	h.retired = 0;
	host_run(&h, 1000);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 100 + 40);
	assert_int_equal(host_peek(&h, MSR_STATUS), 3);
	host_free(&h);
}

/* Two counters of one event: each overflows in its own time. */
static void nearest_overflow_comes_first(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-10 & WIDTH48);
	host_wrmsr(&h, MSR_PMC0_FULL + 1, (uint64_t)-1000 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_LOADS | INT);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_LOADS | INT);
	h.retired = 0;
	for (int i = 0; i < 50; i++)
		host_load(&h, 0x1000);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 10);
	host_free(&h);
}

/* Two instructions of a cycle are over when the counter is set. */
static void cycles_remember_what_was_left(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_CYCLES | INT);
	host_run(&h, 4);
	host_wrmsr(&h, MSR_DS_AREA, 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-100 & WIDTH48);
	h.retired = 0;
	host_run(&h, 1000);
	assert_int_equal(h.pmi_at, 398);
	host_free(&h);
}

static void cmask_that_always_holds_counts_cycles(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 16u << 24 | 1u << 23 | 0xc0);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | USR | 16u << 24 | 0xc0);
	host_wrmsr(&h, MSR_PMC0, 0);
	host_run(&h, 4000);
	assert_in_range(host_peek(&h, MSR_PMC0), 1000, 1001);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0);
	host_free(&h);
}

/* Events that only some counters can count stay at zero elsewhere. */
static void event_on_wrong_counter_counts_nothing(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0x01cb);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | USR | 0x01cb);
	host_load(&h, 0x10000);
	host_load(&h, 0x20000);
	assert_int_equal(host_peek(&h, MSR_PMC0), 2);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0);
	host_free(&h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_enabled_needs_nothing),
		cmocka_unit_test(needs_follow_event_and_ring),
		cmocka_unit_test(counts_per_ring),
		cmocka_unit_test(writes_and_reads_in_flight),
		cmocka_unit_test(faulting_write_is_not_counted),
		cmocka_unit_test(global_ctrl_gates),
		cmocka_unit_test(fixed_counters_keep_their_clocks),
		cmocka_unit_test(overflow_sets_status_only),
		cmocka_unit_test(pmi_comes_exactly),
		cmocka_unit_test(fixed_counter_interrupts),
		cmocka_unit_test(pmi_skids),
		cmocka_unit_test(skid_crosses_rings),
		cmocka_unit_test(write_that_overflows_interrupts_behind),
		cmocka_unit_test(masked_pmi_is_not_delivered),
		cmocka_unit_test(legacy_freeze_clears_global_ctrl),
		cmocka_unit_test(streamlined_freeze_sets_status),
		cmocka_unit_test(no_freeze_unless_asked),
		cmocka_unit_test(memory_event_overflows_exactly),
		cmocka_unit_test(branch_event_overflows_exactly),
		cmocka_unit_test(derived_events_overflow_exactly),
		cmocka_unit_test(cycles_overflow_with_stalls),
		cmocka_unit_test(overflows_share_a_pmi),
		cmocka_unit_test(nearest_overflow_comes_first),
		cmocka_unit_test(cycles_remember_what_was_left),
		cmocka_unit_test(cmask_that_always_holds_counts_cycles),
		cmocka_unit_test(event_on_wrong_counter_counts_nothing),
	};

	return cmocka_run_group_tests_name("model counters", tests, NULL, NULL);
}
