// SPDX-License-Identifier: GPL-2.0-only
/*
 * The P6 backend, with the box's model of a Pentium III as its registers: one
 * enable bit for both counters, writes of 32 bits, nothing that says which of
 * them overflowed.  Any access that the model faults fails the test.
 */
#include "tests/unit/kmod/early_host.h"
#include "kmod/pmu/twins.h"

#define PMC MSR_PMC0
#define SELECT MSR_EVTSEL0
#define WIDTH UINT64_C(0xffffffffff)
#define INSTRUCTIONS 0xc0
#define BRANCHES 0xc4

const struct pmuctl_backend *pmuctl_backend = &pmuctl_p6;

static const struct pmuctl_backend *const p6 = &pmuctl_p6;

/* --- the processor --- */

/* The other backend's tries. */
void hw_run_loop(u32 msr, u64 value, u32 loops) { fail(); }
void hw_run_branches(u32 msr, u64 value) { fail(); }

void hw_wrmsr(u32 msr, u64 value)
{
	writes++;
	assert_int_equal(value >> 32, 0);
	if (msr == SELECT + 1)
		assert_false(value & EN);
	if (fake.stuck && msr == SELECT)
		value &= ~(u64)EN;
	if (!fake.dead)
		host_wrmsr(&cpu, msr, value);
}

u64 hw_rdpmc(u32 counter)
{
	uint64_t value = 0;

	host_start(&cpu);
	assert_int_equal(pmu_rdpmc(cpu.pmu, counter, &value), PMU_DONE);
	cpu.retired++;
	return fake.dead ? 0 : value;
}

void hw_cpuid(u32 leaf, u32 out[4])
{
	memset(out, 0, 4 * sizeof(out[0]));
	if (leaf == 1)
		out[0] = fake.signature;
	else if (leaf == 0xa)
		out[0] = fake.version;
}

void hw_cpuid_count(u32 leaf, u32 subleaf, u32 out[4])
{
	(void)subleaf;
	hw_cpuid(leaf, out);
}

u32 hw_microcode(void)
{
	return 0;
}

struct pmuctl_twins *pmuctl_twins_here(void)
{
	fail_msg("there are no twins");
	return NULL;
}

u64 hw_linux_ds_area(void)
{
	return 0;
}

/* --- what each test starts from --- */

static int start(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	memset(&pmuctl_tried, 0, sizeof(pmuctl_tried));
	fake.signature = 0x683;
	said[0] = '\0';
	host_new(&cpu, "p6", 0);
	host_ring(&cpu, PMU_KERNEL);
	if (!pmuctl_p6_drives() || p6->probe(&pmuctl_caps))
		return -1;
	p6->reset(&regs);
	return 0;
}

static struct pmuctl_event event_on(unsigned int counter, u64 evtsel, u32 flags)
{
	return event_of(PMUCTL_REG_EVTSEL, counter, evtsel, flags);
}

/* --- facts --- */

static void facts(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_caps.version, 0);
	assert_int_equal(pmuctl_caps.counters, 3);
	assert_int_equal(pmuctl_caps.gp_width, 40);
	assert_int_equal(pmuctl_caps.nr_fixed, 0);
	assert_int_equal(pmuctl_caps.nr_reserve, 2);
	assert_int_equal(pmuctl_caps.signature, 0x683);
	assert_false(pmuctl_caps.has_pebs);
	assert_false(pmuctl_caps.any);
}

/* Pentium Pro, II, III, M; no Core, no Atom, nothing architectural. */
static void which_it_drives(void **state)
{
	static const unsigned int models[] = { 1, 3, 5, 6, 7, 8, 9, 10, 11, 13 };
	unsigned int model, i;
	bool listed;

	(void)state;
	for (model = 0; model < 256; model++) {
		for (listed = false, i = 0; i < sizeof(models) / sizeof(models[0]); i++)
			listed |= models[i] == model;
		fake.signature = 0x600 | (model & 0xf) << 4 | (model >> 4) << 16;
		fake.version = 0;
		assert_int_equal(pmuctl_p6_drives(), listed);
		fake.version = 1;
		assert_false(pmuctl_p6_drives());
	}
}

static void hidden_by_a_hypervisor(void **state)
{
	(void)state;
	fake.hidden = true;
	assert_int_equal(p6->probe(&pmuctl_caps), -ENODEV);
	assert_non_null(strstr(said, "PerfEvtSel0"));
}

/* --- validation --- */

static void refused(u64 evtsel, u64 counters, const char *reason)
{
	struct pmuctl_event event = { .evtsel = evtsel, .allowed = counters, .flags = 3 };

	said[0] = '\0';
	assert_true(p6->validate(&event, NULL) < 0);
	assert_non_null(strstr(said, reason));
}

static void what_may_be_set(void **state)
{
	struct pmuctl_event event = { .evtsel = 0x0a85ff2e, .allowed = 3, .flags = 3 };

	(void)state;
	refused(0x100c0 | 1, 3, "USR/OS");
	refused(0x800c0, 3, "PC");
	refused(0x1000c0, 3, "INT");
	refused(0x2000c0, 3, "any");
	refused(0x4000c0, 3, "EN");
	refused(UINT64_C(0x1000000c0), 3, "bits 63:32");
	refused(0x0000, 3, "event code 0");
	event.evtsel = 0x0a84ff2e;	/* edge, inv and a threshold */
	assert_int_equal(p6->validate(&event, NULL), 0);
	assert_int_equal(event.allowed, 3);
	event.nr_extra = 1;
	assert_true(p6->validate(&event, NULL) < 0);
}

static void events_of_one_counter(void **state)
{
	struct pmuctl_event event = { .evtsel = 0x12, .allowed = 3, .flags = 3 };

	(void)state;
	assert_int_equal(p6->validate(&event, NULL), 0);
	assert_int_equal(event.allowed, 2);
	event.evtsel = 0xc1;
	event.allowed = 3;
	assert_int_equal(p6->validate(&event, NULL), 0);
	assert_int_equal(event.allowed, 1);
	refused(0xc1, 2, "counter 0 only");
	refused(0x13, 1, "counter 1 only");
}

/* --- taking and giving back --- */

static void given_back_as_found(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX];
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, 3), b = event_on(1, BRANCHES, 3);
	const u64 selects[2] = { 0x1000c0, 0x2e }, counters[2] = { 0xff80001234, 0x1234 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		poke(SELECT + i, selects[i]);
		poke(PMC + i, counters[i] & 0xffffffff);
	}
	assert_null(p6->foreign());
	p6->save(saved);
	p6->reset(&regs);
	assert_null(p6->pretends(&regs));
	p6->program(&regs, &a);
	p6->program(&regs, &b);
	p6->enable(&regs, 3);
	p6->restore(saved, true);
	for (i = 0; i < 2; i++) {
		assert_int_equal(host_peek(&cpu, SELECT + i), selects[i]);
		assert_int_equal(host_peek(&cpu, PMC + i), counters[i]);
	}
	/* What 32 bits cannot say becomes zero, not something else. */
	saved[1] = 0x1200000000;
	p6->restore(saved, true);
	assert_int_equal(host_peek(&cpu, PMC + 1), 0);
}

static void foreign_use(void **state)
{
	(void)state;
	assert_null(p6->foreign());
	/* As Linux leaves it. */
	poke(SELECT, EN | 0x2e);
	assert_null(p6->foreign());
	poke(SELECT + 1, USR | INSTRUCTIONS);
	assert_non_null(p6->foreign());
	poke(SELECT, USR | INSTRUCTIONS);
	assert_null(p6->foreign());
	poke(SELECT, EN | USR | INSTRUCTIONS);
	poke(SELECT + 1, 0);
	assert_non_null(p6->foreign());
}

static void notices_a_pmu_that_only_pretends(void **state)
{
	(void)state;
	assert_null(p6->pretends(&regs));
	assert_int_equal(host_peek(&cpu, SELECT), 0);
	fake.stuck = true;
	assert_non_null(strstr(p6->pretends(&regs), "stuck"));
	fake.dead = true;
	p6->reset(&regs);
	assert_non_null(strstr(p6->pretends(&regs), "do not keep"));
}

/* --- counting --- */

/* Either counter alone, and both: EN of select 0 is there for all. */
static void each_by_itself(void **state)
{
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, PMUCTL_EVENT_USER);
	struct pmuctl_event b = event_on(1, BRANCHES, PMUCTL_EVENT_USER);
	u64 counters, first, second;

	(void)state;
	p6->program(&regs, &a);
	p6->program(&regs, &b);
	for (counters = 0; counters < 4; counters++) {
		first = p6->read(0);
		second = p6->read(1);
		p6->enable(&regs, counters);
		assert_int_equal(!!(host_peek(&cpu, SELECT) & EN), counters != 0);
		run(PMU_USER, 1000);
		branch(30);
		run(PMU_KERNEL, 1000);
		p6->enable(&regs, 0);
		run(PMU_USER, 77);
		branch(77);
		assert_int_equal(seen(0, first), counters & 1 ? 1000 + 30 : 0);
		assert_int_equal(seen(1, second), counters & 2 ? 30 : 0);
	}
}

/* One goes on while the other stops, is given another event and comes back. */
static void one_goes_on(void **state)
{
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, PMUCTL_EVENT_USER);
	struct pmuctl_event b = event_on(1, BRANCHES, PMUCTL_EVENT_USER);
	struct pmuctl_event c = event_on(0, BRANCHES, PMUCTL_EVENT_USER);
	u64 first, second;

	(void)state;
	p6->program(&regs, &a);
	p6->program(&regs, &b);
	first = p6->read(0);
	second = p6->read(1);
	p6->enable(&regs, 3);
	run(PMU_USER, 10);
	p6->enable(&regs, 2);
	run(PMU_USER, 10);
	branch(3);
	p6->program(&regs, &c);
	branch(3);
	p6->enable(&regs, 3);
	branch(4);
	p6->enable(&regs, 1);
	branch(5);
	p6->enable(&regs, 0);
	assert_int_equal(seen(0, first), 10 + 4 + 5);
	assert_int_equal(seen(1, second), 3 + 3 + 4);
}

static void writes_only_what_changes(void **state)
{
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, 3), b = event_on(1, BRANCHES, 3);

	(void)state;
	p6->program(&regs, &a);
	p6->program(&regs, &b);
	writes = 0;
	p6->enable(&regs, 3);
	assert_int_equal(writes, 2);
	p6->enable(&regs, 0);
	p6->program(&regs, &b);
	p6->enable(&regs, 3);
	assert_int_equal(writes, 4);
	assert_false(p6->disturbed(&regs));
	poke(SELECT, 0);
	assert_true(p6->disturbed(&regs));
}

/* Armed so far before its overflow, for periods that 31 bits hold. */
static void samples_exactly(void **state)
{
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, PMUCTL_EVENT_USER);
	struct pmuctl_event b = event_on(1, INSTRUCTIONS, PMUCTL_EVENT_USER);
	u64 start;

	(void)state;
	p6->program(&regs, &a);
	p6->program(&regs, &b);
	start = p6->arm(0, 1000);
	assert_true(start == p6->read(0));
	p6->enable(&regs, 3);
	run(PMU_USER, 999);
	assert_int_equal(p6->overflows(0), 0);
	assert_int_equal(cpu.pmis, 0);
	run(PMU_USER, 1);
	assert_int_equal(cpu.pmis, 1);
	p6->enable(&regs, 0);
	assert_int_equal(p6->overflows(0), 1);
	assert_int_equal(seen(0, start), 1000);
	p6->rearm(0);
	assert_int_equal(p6->overflows(0), 0);
	start = p6->arm(1, UINT64_C(1) << 35);
	assert_true(start == WIDTH - 0x7fffffff + 1);
	pmuctl_caps.overflow_bits = 12;
	assert_true(p6->rearm(1) == WIDTH - 4095);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(facts), TEST(which_it_drives), TEST(hidden_by_a_hypervisor),
		TEST(what_may_be_set), TEST(events_of_one_counter),
		TEST(given_back_as_found), TEST(foreign_use),
		TEST(notices_a_pmu_that_only_pretends),
		TEST(each_by_itself), TEST(one_goes_on), TEST(writes_only_what_changes),
		TEST(samples_exactly),
	};

	return cmocka_run_group_tests_name("p6", tests, NULL, NULL);
}
