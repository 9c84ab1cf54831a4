// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the perfmon backend finds out by trying, and that somebody else wrote its registers,
 * against the model as each kind of machine.
 */
#include "tests/unit/kmod/perfmon_host.h"

#define DS UINT64_C(0xffff800000010000)
#define MEMORY_SIZE 0x10000
#define RECORDS (DS + 0x1000)
#define RECORDS_SIZE 0x8000

#include "tests/unit/kmod/ds_host.h"

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/lbr.h"

static void be(const char *silicon)
{
	char why[300];

	if (silicon && !pmu_silicon(cpu.pmu, silicon, why, sizeof(why)))
		fail_msg("%s", why);
}

static void write_record(struct host *h)
{
	struct pmu_cpu at = { .ip = 0x1234, .long_mode = true };

	(void)pmu_record(h->pmu, &at, &memory_ops);
}

/* The module's view of the area that the model's MSR_DS_AREA points at. */
static struct pmuctl_ds set_up_area(void)
{
	struct debug_store *area = (struct debug_store *)memory;

	memset(memory, 0, sizeof(memory));
	area->pebs_buffer_base = RECORDS;
	area->pebs_index = RECORDS;
	hw_wrmsr(MSR_DS_AREA, DS);
	cpu.record = write_record;
	perfmon->reset(&regs);
	memset(&pmuctl_tried, 0, sizeof(pmuctl_tried));
	return (struct pmuctl_ds) {
		.area = area, .records = memory + (RECORDS - DS), .size = RECORDS_SIZE,
	};
}

static void tries(const char *silicon, bool counts_recorded, bool names_ready)
{
	struct pmuctl_ds ds = set_up_area();

	be(silicon);
	regs.evtsel[1] = 0x4300c4;
	perfmon->pebs_try(&regs, &ds);
	assert_int_equal(pmuctl_tried.pebs_counts_recorded, counts_recorded);
	assert_int_equal(pmuctl_tried.pebs_names_ready, names_ready);
	assert_int_equal(hw_rdmsr(MSR_PEBS_ENABLE), 0);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL), 0);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL + 1), 0x4300c4);
	assert_int_equal(hw_rdmsr(MSR_GLOBAL_CTRL), 0);
	assert_int_equal(hw_rdmsr(MSR_GLOBAL_STATUS), 0);
	assert_true(ds.area->pebs_index == RECORDS);
	assert_int_equal(cpu.pmis, 0);
}

static void pebs_as_in_the_model(void **state)
{
	(void)state;
	tries(NULL, false, false);
}

static void pebs_counts_what_it_records(void **state)
{
	(void)state;
	tries("counts-recorded", true, false);
}

/* Whether names are ready takes uops then, which a box with a pipeline has (silicon.guest). */
static void pebs_of_branches_tells_it_as_well(void **state)
{
	(void)state;
	tries("c0-counts-only", false, false);
	assert_false(pmuctl_tried.pebs_silent);
	tries("counts-recorded", true, false);
	assert_false(pmuctl_tried.pebs_silent);
}

/* A Core 2 has no such branches. */
static void pebs_that_says_nothing_is_known(void **state)
{
	(void)state;
	tries("c0-counts-only,counts-recorded", false, false);
	assert_true(pmuctl_tried.pebs_silent);
}

static void pebs_names_what_is_ready(void **state)
{
	(void)state;
	tries("names-ready", false, pmuctl_caps.pebs_format == 1 || pmuctl_caps.pebs_format == 2);
}

/* --- the interrupt --- */

static void one_interrupt(void **state)
{
	(void)state;
	perfmon->reset(&regs);
	regs.evtsel[0] = 0x4300c4;
	perfmon->pmi_try(&regs);
	assert_int_equal(cpu.pmis, 1);
	assert_int_equal(hw_rdmsr(MSR_GLOBAL_STATUS), 0);
	assert_int_equal(hw_rdmsr(MSR_GLOBAL_CTRL), 0);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL), 0x4300c4);
}

/* --- bits that come late --- */

static void both_overflow(void)
{
	struct pmuctl_event a = event_on(0, 0xc0, PMUCTL_EVENT_KERNEL);
	struct pmuctl_event b = event_on(1, 0xc0, PMUCTL_EVENT_KERNEL);

	perfmon->reset(&regs);
	perfmon->program(&regs, &a);
	perfmon->program(&regs, &b);
	perfmon->arm(0, 100);
	perfmon->arm(1, 110);
	perfmon->enable(&regs, 3);
	host_run(&cpu, 200);
	perfmon->enable(&regs, 0);
}

static void a_bit_that_comes_late_is_read(void **state)
{
	(void)state;
	be("late-bits");
	both_overflow();
	assert_int_equal(perfmon->overflows(3), 3);
	assert_int_equal(hw_rdmsr(MSR_GLOBAL_STATUS), 0);
}

/* Where no other ran nobody reads twice. */
static void all_that_ran_are_read_once(void **state)
{
	unsigned int before;

	(void)state;
	both_overflow();
	before = writes;
	assert_int_equal(perfmon->overflows(3), 3);
	assert_int_equal(writes - before, 1);
}

/* --- somebody else's writes --- */

static void every_register_is_looked_at(void **state)
{
	const struct {
		uint32_t msr;
		uint64_t value;
	} others[] = {
		{ MSR_EVTSEL, 0 }, { MSR_EVTSEL + 1, 0x5100c0 }, { MSR_FIXED_CTR_CTRL, 0 },
		{ MSR_FIXED_CTR_CTRL, 0x330 }, { MSR_PEBS_ENABLE, 1 }, { MSR_DS_AREA, 0 },
		{ MSR_DEBUGCTL, 1 << 11 }, { MSR_LBR_CTL, 1 },
	};
	struct pmuctl_event a = event_on(0, 0xc0, PMUCTL_EVENT_USER);
	struct pmuctl_event b = event_on(1, 0xc4, PMUCTL_EVENT_USER);
	struct pmuctl_event c = event_on(PMUCTL_FIXED_BASE, 0xc0, PMUCTL_EVENT_USER);

	(void)state;
	a.slot = 0;
	b.slot = 1;
	c.slot = PMUCTL_GP_MAX;
	perfmon->reset(&regs);
	perfmon->program(&regs, &a);
	perfmon->program(&regs, &b);
	perfmon->program(&regs, &c);
	regs.pebs_area = DS;
	hw_wrmsr(MSR_DS_AREA, DS);
	perfmon->enable(&regs, 3);
	assert_int_equal(perfmon->disturbed(&regs), 0);
	for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		uint64_t was;

		if (others[i].msr == MSR_DEBUGCTL && !pmuctl_caps.lbr_depth)
			continue;
		if (others[i].msr == MSR_LBR_CTL && !pmuctl_lbr_is_list())
			continue;
		was = hw_rdmsr(others[i].msr);
		hw_wrmsr(others[i].msr, others[i].value);
		assert_int_equal(perfmon->disturbed(&regs), others[i].msr);
		assert_true(hw_rdmsr(others[i].msr) == was);
		assert_int_equal(perfmon->disturbed(&regs), 0);
	}
	hw_wrmsr(MSR_GLOBAL_CTRL, 1);
	assert_int_equal(perfmon->disturbed(&regs), MSR_GLOBAL_CTRL);
}

/* A guest has its own meanwhile, and single steps of branches are Linux's. */
static void what_is_not_ours_is_left(void **state)
{
	(void)state;
	perfmon->reset(&regs);
	regs.pebs_foreign = true;
	hw_wrmsr(MSR_PEBS_ENABLE, 1);
	hw_wrmsr(MSR_DEBUGCTL, 2);
	assert_int_equal(perfmon->disturbed(&regs), 0);
	assert_int_equal(hw_rdmsr(MSR_DEBUGCTL), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(pebs_as_in_the_model),
		ON_EACH(pebs_counts_what_it_records),
		ON(pebs_of_branches_tells_it_as_well, sandybridge),
		ON(pebs_of_branches_tells_it_as_well, ivybridge),
		ON(pebs_of_branches_tells_it_as_well, haswell),
		ON(pebs_that_says_nothing_is_known, core2),
		ON_EACH(pebs_names_what_is_ready),
		ON_EACH(one_interrupt),
		ON_EACH(a_bit_that_comes_late_is_read),
		ON_EACH(all_that_ran_are_read_once),
		ON_EACH(every_register_is_looked_at),
		ON_EACH(what_is_not_ours_is_left),
	};

	return cmocka_run_group_tests_name("perfmon and silicon", tests, NULL, NULL);
}
