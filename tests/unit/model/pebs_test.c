// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS in the PMU model: which event is recorded, when it interrupts, and what happens
 * where there is no room or no memory.
 */
#include "tests/unit/model/pebs_host.h"

static void one_record_every_period(void **state)
{
	static const char *const profiles[] = {
		"core2", "nehalem", "sandybridge", "ivybridge", "haswell", "skylake", "icelake",
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		pebs_host(&h, profiles[i], 10);
		start(&h, 0, SEL_INSN, 1, 10);
		for (unsigned int n = 1; n <= 25; n++) {
			uint64_t before = h.retired;

			host_run(&h, 10);
			host_boundary(&h);
			assert_int_equal(written, n);
			assert_int_equal(h.step, before + 9);
			assert_int_equal(host_peek(&h, MSR_PMC0) & 0xffffffff, (uint32_t)-9);
		}
		assert_int_equal(h.pmis, 0);
		assert_int_equal(host_peek(&h, MSR_STATUS), 0);
		host_free(&h);
	}
}

static void threshold_interrupts_at_once(void **state)
{
	struct host h;
	uint64_t first;

	(void)state;
	pebs_host(&h, "skylake", 10);
	set_ds(4 * 0xc8, 3 * 0xc8, -UINT64_C(9));
	start(&h, 0, SEL_INSN, 1, 10);
	first = h.retired;
	host_run(&h, 31);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, first + 30);
	assert_int_equal(host_peek(&h, MSR_STATUS), STATUS_DS);
	assert_int_equal(written, 3);
	/* Each record from there on interrupts; the last fits, then nothing does. */
	host_run(&h, 10);
	assert_int_equal(h.pmis, 2);
	host_run(&h, 50);
	assert_int_equal(written, 4);
	assert_int_equal(h.pmis, 2);
	assert_int_equal(last.counters, 1);
	assert_false(last.written);
	assert_int_equal(*word_at(DS + 0x28), BUFFER + 4 * 0xc8);
	assert_int_equal(field(4, 0xc8, 0), 0);
	/* The counter goes on all the time. */
	*word_at(DS + 0x28) = BUFFER;
	host_run(&h, 10);
	assert_int_equal(written, 5);
	host_free(&h);
}

/* On a processor with skid the PMI of the buffer has none. */
static void threshold_has_no_skid(void **state)
{
	struct host h;
	uint64_t first;

	(void)state;
	pebs_host(&h, "skylake", 10);
	host_free(&h);
	host_new(&h, "skylake", 100);
	h.record = record;
	set_ds(0xc8, 0xc8, -UINT64_C(9));
	host_wrmsr(&h, MSR_DS_AREA, DS);
	start(&h, 0, SEL_INSN, 1, 10);
	first = h.retired;
	host_run(&h, 20);
	assert_int_equal(h.pmi_at, first + 10);
	host_free(&h);
}

static void pages_that_are_not_there(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	start(&h, 0, SEL_INSN, 1, 10);
	hole = BUFFER;
	host_run(&h, 35);
	host_boundary(&h);
	assert_int_equal(written, 0);
	assert_int_equal(last.counters, 1);
	assert_int_equal(*word_at(DS + 0x28), BUFFER);
	assert_int_equal(field(0, 0, 0), 0);
	hole = 0;
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(written, 1);
	/* Without the DS area there is no reset value either. */
	hole = DS;
	host_run(&h, 35);
	host_boundary(&h);
	assert_int_equal(written, 1);
	assert_int_equal(host_peek(&h, MSR_PMC0), 26);
	assert_int_equal(h.pmis, 0);
	host_free(&h);
}

static void record_across_pages(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	start(&h, 0, SEL_INSN, 1, 10);
	*word_at(DS + 0x28) = BUFFER + 0x1000 - 8;
	hole = BUFFER + 0x1000;
	host_run(&h, 10);
	host_boundary(&h);
	assert_int_equal(written, 0);
	assert_int_equal(*word_at(BUFFER + 0x1000 - 8), 0);
	hole = 0;
	host_run(&h, 10);
	host_boundary(&h);
	assert_int_equal(written, 1);
	assert_int_equal(*word_at(BUFFER + 0x1000 - 8), 0x246);
	host_free(&h);
}

/* Cycles make no record before Ice Lake, but overflow as ever. */
static void events_without_pebs(void **state)
{
	static const struct {
		const char *profile;
		uint64_t sel;
		unsigned int counter;
		bool records;
	} rows[] = {
		{ "skylake", SEL_CYCLES, 0, false },
		{ "icelake", SEL_CYCLES, 0, true },
		{ "icelake", SEL_CYCLES, 7, true },
		{ "core2", SEL_BRANCHES, 0, false },
		{ "core2", SEL_INSN, 1, false },
		{ "nehalem", SEL_BRANCHES, 3, true },
		{ "unknown", SEL_CYCLES, 0, false },
		{ "unknown", SEL_INSN, 0, true },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t status = 1ull << rows[i].counter;
		bool can = strcmp(rows[i].profile, "core2") || !rows[i].counter;

		pebs_host(&h, rows[i].profile, 10);
		start(&h, rows[i].counter, rows[i].sel, can ? status : 0, 10);
		for (unsigned int n = 0; n < 80; n++)
			host_branch(&h, 0x1000, true, 0x2000);
		host_boundary(&h);
		assert_int_equal(written != 0, rows[i].records);
		assert_int_equal(host_peek(&h, MSR_STATUS), rows[i].records ? 0 : status);
		host_free(&h);
	}
}

static void collision(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	start(&h, 0, SEL_INSN, 0, 10);
	start(&h, 2, SEL_BRANCHES, 0x5, 10);
	host_wrmsr(&h, MSR_PMC0, (uint32_t)-9);
	host_run(&h, 0);
	for (unsigned int n = 0; n < 10; n++)
		host_branch(&h, 0x1000, true, 0x2000);
	host_boundary(&h);
	assert_int_equal(written, 1);
	assert_int_equal(field(0, 0xc8, 0x90), 0x5);
	assert_int_equal(host_peek(&h, MSR_PMC0), -UINT64_C(9) & WIDTH48);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 2), -UINT64_C(9) & WIDTH48);
	host_free(&h);
}

/* Three loads in each instruction: a record every 10 of them on average. */
static void several_events_an_instruction(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	start(&h, 0, SEL_LOADS, 1, 10);
	for (unsigned int n = 0; n < 100; n++) {
		host_start(&h);
		host_mem(&h, FAR(0), 8, false);
		host_mem(&h, FAR(0) + 8, 8, false);
		host_mem(&h, FAR(0) + 16, 8, false);
		h.retired++;
	}
	host_boundary(&h);
	assert_in_range(written, 29, 30);
	host_free(&h);
}

static void instructions_that_do_not_retire(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 2);
	start(&h, 0, SEL_LOADS, 1, 2);
	host_load(&h, FAR(0));
	host_start(&h);
	host_mem(&h, FAR(1), 8, false);
	pmu_unretire(h.pmu);
	host_run(&h, 5);
	host_boundary(&h);
	assert_int_equal(written, 0);
	host_load(&h, FAR(2));
	host_boundary(&h);
	assert_int_equal(written, 1);
	assert_int_equal(field(0, 0, 0x98), FAR(2));
	host_free(&h);
}

/* A round of REP is seen before the instruction has retired. */
static void rounds_of_rep(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 4);
	start(&h, 0, SEL_LOADS, 1, 4);
	for (unsigned int n = 0; n < 8; n++) {
		host_start(&h);
		host_mem(&h, FAR(0) + 8 * n, 8, false);
		if (n < 7)
			pmu_rep_again(h.pmu);
	}
	h.retired++;
	host_boundary(&h);
	assert_int_equal(written, 2);
	assert_int_equal(field(0, 0, 0x98), FAR(0) + 24);
	host_free(&h);
}

/* An armed counter waits for its own ring, and for the next event behind a WRMSR. */
static void armed(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	start(&h, 0, SEL_INSN, 1, 10);
	host_run(&h, 9);
	host_ring(&h, PMU_KERNEL);
	host_run(&h, 100);
	assert_int_equal(written, 0);
	host_ring(&h, PMU_USER);
	host_run(&h, 1);
	host_ring(&h, PMU_KERNEL);	/* the record is written on the way */
	assert_int_equal(written, 1);
	host_wrmsr(&h, MSR_EVTSEL0, EN | OS | 0xc0);
	host_run(&h, 8);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0xf);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0xf);
	host_boundary(&h);
	assert_int_equal(written, 1);
	host_run(&h, 1);
	host_boundary(&h);
	assert_int_equal(written, 2);
	/* What WRMSR did counts on top. */
	assert_int_equal(host_peek(&h, MSR_PMC0), (-UINT64_C(9) + 1) & WIDTH48);
	host_free(&h);
}

static void a_write_disarms(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	start(&h, 0, SEL_INSN, 1, 10);
	host_run(&h, 9);
	host_boundary(&h);
	host_wrmsr(&h, MSR_PMC0, (uint32_t)-20);
	host_run(&h, 20);
	host_boundary(&h);
	assert_int_equal(written, 0);
	host_run(&h, 1);
	host_boundary(&h);
	assert_int_equal(written, 1);
	/* PEBS_ENABLE does not. */
	host_run(&h, 9);
	host_boundary(&h);
	host_wrmsr(&h, MSR_PEBS_ENABLE, 0);
	host_run(&h, 50);
	host_wrmsr(&h, MSR_PEBS_ENABLE, 1);
	host_run(&h, 1);
	host_boundary(&h);
	assert_int_equal(written, 2);
	host_free(&h);
}

/* Who asks for the causes of PMIs is called in front of each of them. */
static void causes_of_interrupts(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 10);
	pmu_want_causes(h.pmu, true);
	start(&h, 1, SEL_LOADS | INT, 0, 4);
	for (unsigned int n = 0; n < 7; n++) {
		host_run(&h, 5);
		host_load(&h, FAR(0));
	}
	host_boundary(&h);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(pmu_overflowed(h.pmu), 2);
	assert_int_equal(pmu_overflowed(h.pmu), 0);
	assert_int_equal(h.step, h.pmi_at - 1);
	host_free(&h);
}

/* PEBS needs no step but for the events it records. */
static void steps_while_armed_only(void **state)
{
	struct host h;

	(void)state;
	pebs_host(&h, "skylake", 1000);
	start(&h, 0, SEL_INSN, 1, 1000);
	host_run(&h, 1);
	assert_false(pmu_stepping(h.pmu));
	assert_int_equal(h.hot.budget, 998);
	host_run(&h, 998);
	host_boundary(&h);
	assert_true(pmu_stepping(h.pmu));
	host_run(&h, 1);
	host_boundary(&h);
	assert_false(pmu_stepping(h.pmu));
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_record_every_period),
		cmocka_unit_test(threshold_interrupts_at_once),
		cmocka_unit_test(threshold_has_no_skid),
		cmocka_unit_test(pages_that_are_not_there),
		cmocka_unit_test(record_across_pages),
		cmocka_unit_test(events_without_pebs),
		cmocka_unit_test(collision),
		cmocka_unit_test(several_events_an_instruction),
		cmocka_unit_test(instructions_that_do_not_retire),
		cmocka_unit_test(rounds_of_rep),
		cmocka_unit_test(armed),
		cmocka_unit_test(a_write_disarms),
		cmocka_unit_test(causes_of_interrupts),
		cmocka_unit_test(steps_while_armed_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
