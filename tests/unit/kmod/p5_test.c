// SPDX-License-Identifier: GPL-2.0-only
/*
 * The P5 backend, with the box's model of a Pentium as its registers: both counters in one
 * register, no RDPMC, no interrupt, and an event that is switched only behind a counter that
 * has been set.  Any access that the model faults fails the test.
 */
#include "tests/unit/kmod/early_host.h"

#define CESR 0x11
#define CTR 0x12
#define MASK UINT64_C(0xffffffffff)
#define READS 0x00
#define BRANCHES 0x12
#define INSTRUCTIONS 0x16
#define CYCLES 0x130			/* in clocks, counter 0 */
#define TAKEN 0x32			/* counter 1 */
#define PIN 0x200
#define USER 0x80
#define KERNEL 0x40

const struct pmuctl_backend *pmuctl_backend = &pmuctl_p5;

static const struct pmuctl_backend *const p5 = &pmuctl_p5;

/* --- the processor --- */

void hw_wrmsr(u32 msr, u64 value)
{
	writes++;
	if (fake.stuck && msr == CESR)
		value = 0;
	if (!fake.dead)
		host_wrmsr(&cpu, msr, value);
}

u64 hw_rdpmc(u32 counter)
{
	fail_msg("a Pentium without MMX has no RDPMC");
	return 0;
}

void hw_cpuid(u32 leaf, u32 out[4])
{
	memset(out, 0, 4 * sizeof(out[0]));
	if (leaf == 1)
		out[0] = fake.signature;
}

/* --- what each test starts from --- */

static int start_as(const char *profile, u32 signature, const char *silicon)
{
	char why[128];

	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	fake.signature = signature;
	said[0] = '\0';
	host_new(&cpu, profile, 0);
	host_ring(&cpu, PMU_KERNEL);
	if (silicon && !pmu_silicon(cpu.pmu, silicon, why, sizeof(why)))
		return -1;
	if (p5->probe(&pmuctl_caps))
		return -1;
	p5->reset(&regs);
	return 0;
}

/* Each on a machine that wants counters set before their events change. */
static int start(void **state)
{
	(void)state;
	return start_as("p5", 0x52c, "wants-preset");
}

static int start_mmx(void **state)
{
	(void)state;
	return start_as("p55c", 0x543, "wants-preset,counts-beginnings");
}

static struct pmuctl_event event_on(unsigned int counter, u64 evtsel, u32 flags)
{
	return event_of(PMUCTL_REG_CESR, counter, evtsel, flags);
}

/* --- facts --- */

static void facts(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_caps.version, 0);
	assert_int_equal(pmuctl_caps.counters, 3);
	assert_int_equal(pmuctl_caps.gp_width, 40);
	assert_int_equal(pmuctl_caps.nr_fixed, 0);
	assert_int_equal(pmuctl_caps.nr_reserve, 1);
	assert_int_equal(pmuctl_caps.perfctr, CTR);
	assert_int_equal(pmuctl_caps.evntsel, CESR);
	assert_int_equal(pmuctl_caps.signature, 0x52c);
	assert_false(pmuctl_caps.has_pebs);
	assert_false(pmuctl_interrupts());
	assert_null(p5->user_index);
	assert_int_equal(pmuctl_p5_mmx.user_index(1), 1);
	assert_false(pmuctl_p5_has_mmx(&pmuctl_caps));
	/* 2^40 events in that time are more than any Pentium has. */
	assert_true(pmuctl_caps.fold_every == UINT64_C(60000000000));
	assert_true(p5->mask(0) == MASK);
}

static void which_it_drives(void **state)
{
	unsigned int model;

	(void)state;
	for (model = 0; model < 16; model++) {
		bool known = model == 1 || model == 2 || model == 4 || model == 7 || model == 8;

		memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
		fake.signature = 0x500 | model << 4;
		assert_int_equal(p5->probe(&pmuctl_caps), known ? 0 : -ENODEV);
		pmuctl_caps.allow_unsupported = true;
		assert_int_equal(p5->probe(&pmuctl_caps), 0);
	}
	fake.hidden = true;
	assert_int_equal(p5->probe(&pmuctl_caps), -ENODEV);
	assert_non_null(strstr(said, "CESR"));
}

/* For tests: so many bits, and the timer so much sooner; none that it cannot follow. */
static void narrower(void **state)
{
	(void)state;
	pmuctl_caps.overflow_bits = 24;
	assert_int_equal(p5->probe(&pmuctl_caps), 0);
	assert_true(p5->mask(1) == 0xffffff);
	assert_true(pmuctl_caps.fold_every == UINT64_C(60000000000) >> 16);
	p5->reset(&regs);
	assert_true(p5->read(0) == MASK - 0xffffff);
	assert_null(p5->pretends(&regs));
	pmuctl_caps.overflow_bits = 23;
	assert_int_equal(p5->probe(&pmuctl_caps), -EINVAL);
	assert_non_null(strstr(said, "below 24"));
}

/* --- validation --- */

static void refused(u64 evtsel, u64 counters, int err, const char *reason)
{
	struct pmuctl_event event = { .evtsel = evtsel, .allowed = counters, .flags = 3 };

	said[0] = '\0';
	assert_int_equal(p5->validate(&event, NULL), err);
	if (!strstr(said, reason))
		fail_msg("'%s' is not in '%s'", reason, said);
}

static void what_may_be_set(void **state)
{
	struct pmuctl_event event = { .evtsel = 0x300 | INSTRUCTIONS, .allowed = 3, .flags = 3 };
	unsigned int bit;

	(void)state;
	assert_int_equal(p5->validate(&event, NULL), 0);
	assert_int_equal(event.allowed, 3);
	refused(USER | INSTRUCTIONS, 3, -EINVAL, "user and kernel flags");
	refused(KERNEL | INSTRUCTIONS, 3, -EINVAL, "six bits");
	for (bit = 10; bit < 64; bit++)
		refused(UINT64_C(1) << bit | INSTRUCTIONS, 3, -EINVAL, "no umask");
	event.nr_extra = 1;
	assert_int_equal(p5->validate(&event, NULL), -EINVAL);
}

static void reserved_codes(void **state)
{
	unsigned int code;

	(void)state;
	for (code = 0; code < 0x40; code++) {
		struct pmuctl_event event = { .evtsel = code, .allowed = 3, .flags = 3 };
		bool none = code == 0x10 || code == 0x11 || code == 0x20 || code == 0x21 ||
			    code > 0x3b;

		if (code >= 0x2a && code <= 0x3b)
			refused(code, 3, -EOPNOTSUPP, "MMX");
		else if (none)
			refused(code, 3, -EOPNOTSUPP, "reserved");
		else
			assert_int_equal(p5->validate(&event, NULL), 0);
	}
	pmuctl_caps.allow_unknown_events = true;
	event_on(0, 0x20, 3);
}

/* With MMX each counter has its own. */
static void events_of_one_counter(void **state)
{
	(void)state;
	assert_true(pmuctl_p5_has_mmx(&pmuctl_caps));
	refused(0x30, 3, -EINVAL, "another event on each counter");
	refused(0x39, 2, -EINVAL, "counter 0 only");
	refused(0x3c, 1, -EOPNOTSUPP, "reserved");
	event_on(0, 0x30, 3);
	event_on(1, 0x30, 3);
	event_on(0, 0x39, 3);
}

/* --- taking and giving back --- */

static void given_back_as_found(void **state)
{
	/* Odd, and standing still: pins, clocks and events without a ring. */
	const u64 found[] = { UINT64_C(0x8123456789), UINT64_C(0xfffffffffe), 0x03120316 };
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, 3), b = event_on(1, BRANCHES, 3);
	u64 saved[PMUCTL_SAVED_MAX];

	(void)state;
	poke(CESR, found[2]);
	poke(CTR, found[0]);
	poke(CTR + 1, found[1]);
	assert_null(p5->foreign());
	p5->save(saved);
	p5->reset(&regs);
	assert_null(p5->pretends(&regs));
	p5->program(&regs, &a);
	p5->program(&regs, &b);
	p5->enable(&regs, 3);
	run(PMU_USER, 1000);
	p5->restore(saved, true);
	assert_true(host_peek(&cpu, CESR) == found[2]);
	assert_true(host_peek(&cpu, CTR) == found[0]);
	assert_true(host_peek(&cpu, CTR + 1) == found[1]);
}

static void foreign_use(void **state)
{
	static const u32 on[] = { 0x40, 0x80, 0x1c0, 0x400000, 0x800000, 0x1800000 };
	unsigned int i;

	(void)state;
	poke(CESR, 0x03160316 & ~0xc000c0u);
	assert_null(p5->foreign());
	for (i = 0; i < sizeof(on) / sizeof(on[0]); i++) {
		poke(CESR, on[i]);
		assert_non_null(p5->foreign());
	}
}

static void notices_a_pmu_that_only_pretends(void **state)
{
	(void)state;
	assert_null(p5->pretends(&regs));
	assert_int_equal(host_peek(&cpu, CESR), 0);
	assert_int_equal(p5->read(0), 0);
	fake.stuck = true;
	assert_non_null(strstr(p5->pretends(&regs), "stuck"));
	fake.stuck = false;
	poke(CTR, 5);
	assert_non_null(strstr(p5->pretends(&regs), "do not keep"));
}

/* --- counting --- */

/* Either counter alone, and both; in the program, in the kernel, in both. */
static void each_by_itself(void **state)
{
	u64 counters, first, second, instructions;
	u32 flags;

	(void)state;
	for (flags = 1; flags < 4; flags++) {
		struct pmuctl_event a = event_on(0, INSTRUCTIONS, flags);
		struct pmuctl_event b = event_on(1, BRANCHES, flags);

		p5->program(&regs, &a);
		p5->program(&regs, &b);
		for (counters = 0; counters < 4; counters++) {
			first = p5->read(0);
			second = p5->read(1);
			p5->enable(&regs, counters);
			run(PMU_USER, 1000);
			branch(30);
			run(PMU_KERNEL, 500);
			p5->enable(&regs, 0);
			run(PMU_USER, 77);
			branch(77);
			instructions = (flags & PMUCTL_EVENT_USER ? 1000 + 30 : 0) +
				       /* ... and WRMSR, which stops it. */
				       (flags & PMUCTL_EVENT_KERNEL ? 500 + 1 : 0);
			assert_int_equal(seen(0, first), counters & 1 ? instructions : 0);
			assert_int_equal(seen(1, second),
					 counters & 2 && flags & PMUCTL_EVENT_USER ? 30 : 0);
		}
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
	p5->program(&regs, &a);
	p5->program(&regs, &b);
	first = p5->read(0);
	second = p5->read(1);
	p5->enable(&regs, 3);
	run(PMU_USER, 10);
	p5->enable(&regs, 2);
	run(PMU_USER, 10);
	branch(3);
	/* Nothing is switched while it stands still. */
	assert_int_equal(host_peek(&cpu, CESR) & 0xffff, INSTRUCTIONS);
	p5->program(&regs, &c);
	branch(1);
	/* The other one is written anew. */
	p5->enable(&regs, 2);
	assert_int_equal(host_peek(&cpu, CESR) & 0xffff, INSTRUCTIONS);
	branch(2);
	p5->enable(&regs, 3);
	branch(4);
	p5->enable(&regs, 1);
	branch(5);
	p5->enable(&regs, 0);
	assert_int_equal(seen(0, first), 10 + 4 + 5);
	assert_int_equal(seen(1, second), 3 + 3 + 4);
}

/* Round the end of 40 bits. */
static void comes_round(void **state)
{
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, PMUCTL_EVENT_USER);
	u64 first;

	(void)state;
	poke(CTR, MASK - 10);
	p5->program(&regs, &a);
	first = p5->read(0);
	p5->enable(&regs, 1);
	run(PMU_USER, 1000);
	p5->enable(&regs, 0);
	assert_true(p5->read(0) < first);
	assert_int_equal(seen(0, first), 1000);
	assert_int_equal(cpu.pmis, 0);
	assert_int_equal(p5->overflows(3), 0);
}

/* One write starts, one stops; a new event takes one more, to set its counter. */
static void writes_no_more_than_needed(void **state)
{
	struct pmuctl_event a = event_on(0, INSTRUCTIONS, 3), b = event_on(1, BRANCHES, 3);
	struct pmuctl_event user = event_on(1, BRANCHES, PMUCTL_EVENT_USER);

	(void)state;
	p5->program(&regs, &a);
	p5->program(&regs, &b);
	writes = 0;
	p5->enable(&regs, 3);
	assert_int_equal(writes, 3);
	p5->enable(&regs, 0);
	p5->program(&regs, &b);
	p5->enable(&regs, 3);
	assert_int_equal(writes, 5);
	/* Another ring is no other event. */
	p5->enable(&regs, 1);
	p5->program(&regs, &user);
	p5->enable(&regs, 3);
	assert_int_equal(writes, 7);
	assert_int_equal(p5->disturbed(&regs), 0);
	poke(CESR, 0);
	assert_int_equal(p5->disturbed(&regs), CESR);
	p5->enable(&regs, regs.enabled);
	assert_int_equal(p5->disturbed(&regs), 0);
}

/* Clocks on counter 0, taken branches on counter 1, of a Pentium with MMX. */
static void cycles_and_taken(void **state)
{
	struct pmuctl_event a = event_on(0, CYCLES, PMUCTL_EVENT_USER);
	struct pmuctl_event b = event_on(1, TAKEN | PIN, PMUCTL_EVENT_USER);
	u64 first, second;

	(void)state;
	p5->program(&regs, &a);
	p5->program(&regs, &b);
	first = p5->read(0);
	second = p5->read(1);
	p5->enable(&regs, 3);
	assert_int_equal(host_peek(&cpu, CESR), 0x02b201b0);
	run(PMU_USER, 1000);
	p5->enable(&regs, 0);
	assert_int_equal(seen(0, first), 500);
	p5->enable(&regs, 2);
	branch(20);
	p5->enable(&regs, 0);
	assert_int_equal(seen(1, second), 20);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)
#define MMX(test) cmocka_unit_test_setup_teardown(test, start_mmx, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(facts), TEST(which_it_drives), TEST(narrower),
		TEST(what_may_be_set), TEST(reserved_codes), MMX(events_of_one_counter),
		TEST(given_back_as_found), TEST(foreign_use),
		TEST(notices_a_pmu_that_only_pretends),
		TEST(each_by_itself), TEST(one_goes_on), TEST(comes_round),
		TEST(writes_no_more_than_needed), MMX(cycles_and_taken),
	};

	return cmocka_run_group_tests_name("p5", tests, NULL, NULL);
}
