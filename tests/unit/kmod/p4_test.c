// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4 backend against the box's model: what it finds, takes and gives
 * back, and which events it accepts.
 */
#include "tests/unit/kmod/p4_host.h"

/* --- facts --- */

static void test_probe(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_caps.counters, 0x3fffd);
	assert_int_equal(pmuctl_caps.gp_width, 40);
	assert_int_equal(pmuctl_caps.version, 0);
	assert_int_equal(pmuctl_caps.nr_reserve, 18);
	assert_int_equal(pmuctl_caps.threads, fake.threads);
	pmuctl_caps.p4_counter1 = true;
	assert_int_equal(p4->probe(&pmuctl_caps), 0);
	assert_int_equal(pmuctl_caps.counters, 0x3ffff);
}

/* Logical CPUs that are cores have no sibling. */
static void test_cores_are_no_threads(void **state)
{
	(void)state;
	fake.cores = 2;
	assert_int_equal(p4->probe(&pmuctl_caps), 0);
	assert_int_equal(pmuctl_caps.threads, 1);
	fake.threads = 4;
	assert_int_equal(p4->probe(&pmuctl_caps), 0);
	assert_int_equal(pmuctl_caps.threads, 2);
}

static void test_hidden_or_unknown_is_refused(void **state)
{
	struct pmuctl_caps caps = { 0 };

	(void)state;
	fake.hidden = true;
	assert_int_equal(p4->probe(&caps), -ENODEV);
	assert_non_null(strstr(said, "MISC_ENABLE"));
	fake.hidden = false;
	fake.signature = 0xf51;
	assert_int_equal(p4->probe(&caps), -ENODEV);
	assert_non_null(strstr(said, "model 5"));
	caps.allow_unsupported = true;
	assert_int_equal(p4->probe(&caps), 0);
}

/* Every ESCR that the model has, and no other. */
static void test_escrs_are_those_of_the_model(void **state)
{
	u8 escrs[P4_ESCRS];
	unsigned int i, n = pmuctl_p4_escrs(escrs), found = 0, all = 0;
	uint64_t value;

	(void)state;
	on(0);
	for (i = 0; i < n; i++)
		found += host_try_rdmsr(&cpu.t[0], ESCR(escrs[i]), &value) == PMU_DONE;
	for (i = 0; i < P4_ESCRS; i++)
		all += host_try_rdmsr(&cpu.t[0], ESCR(i), &value) == PMU_DONE;
	assert_int_equal(found, n);
	assert_int_equal(all, n);
}

/* --- taking and giving back --- */

static void scribble(void)
{
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++) {
		host_wrmsr(&cpu.t[0], COUNTER(i), 0x1234567800 + i);
		host_wrmsr(&cpu.t[0], CCCR(i), CCCR_ANY | CCCR_SEL(i & 7));
	}
	host_wrmsr(&cpu.t[0], ESCR(CRU0), INSTR_RETIRED(1, T0_USR));
	host_wrmsr(&cpu.t[0], MSR_PEBS_ENABLE, 0x1000001);
	host_wrmsr(&cpu.t[0], MSR_MATRIX_VERT, 1);
}

static void test_all_is_given_back_as_found(void **state)
{
	struct pmuctl_event event[] = { INSTRUCTIONS(UK), CYCLES(UK) };
	enum pmuctl_p4_sharing sharing;
	unsigned int i;

	(void)state;
	on(0);
	scribble();
	take();
	assert_int_equal(seat(event, 2, &nobody, &sharing), -1);
	events_on(event, 2);
	on(1);
	events_on(event, 2);
	user_runs(1, 100);
	events_off(event, 2);
	on(0);
	events_off(event, 2);
	give_back();
	for (i = 0; i < P4_COUNTERS; i++) {
		assert_int_equal(host_peek(&cpu.t[me], COUNTER(i)), 0x1234567800 + i);
		assert_int_equal(host_peek(&cpu.t[me], CCCR(i)), CCCR_ANY | CCCR_SEL(i & 7));
	}
	assert_int_equal(host_peek(&cpu.t[me], ESCR(CRU0)), INSTR_RETIRED(1, T0_USR));
	assert_int_equal(host_peek(&cpu.t[me], ESCR(FSB0)), 0);
	assert_int_equal(host_peek(&cpu.t[me], MSR_PEBS_ENABLE), 0x1000001);
	assert_int_equal(host_peek(&cpu.t[me], MSR_MATRIX_VERT), 1);
}

static void test_foreign_counter_is_seen(void **state)
{
	(void)state;
	on(0);
	assert_null(p4->foreign());
	host_wrmsr(&cpu.t[0], CCCR(5), CCCR_ANY | CCCR_ON);
	assert_non_null(p4->foreign());
}

/* Ours, on the other thread, is not. */
static void test_sibling_is_not_foreign(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(UK);
	enum pmuctl_p4_sharing sharing;
	u64 saved[PMUCTL_SAVED_MAX];

	(void)state;
	on(0);
	p4->save(saved);
	p4->reset(&regs[0]);
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	events_on(&event, 1);
	on(1);
	assert_null(p4->foreign());
	p4->save(saved);
	p4->reset(&regs[1]);
	on(0);
	assert_true(host_peek(&cpu.t[0], CCCR(event.counter)) & CCCR_ENABLE);
}

static void test_dead_and_stuck_counters_are_told(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX];

	(void)state;
	on(0);
	fake.dead = true;
	p4->save(saved);
	p4->reset(&regs[0]);
	assert_non_null(strstr(p4->pretends(&regs[0]), "do not keep"));
	fake.dead = false;
	p4->restore(saved, true);
	fake.stuck = true;
	p4->save(saved);
	p4->reset(&regs[0]);
	assert_non_null(strstr(p4->pretends(&regs[0]), "stuck"));
}

/* --- events --- */

static int refusal(struct pmuctl_event event, const char *text)
{
	int err = p4->validate(&event, NULL);

	assert_true(err < 0);
	if (!strstr(said, text))
		fail_msg("'%s' says nothing of '%s'", said, text);
	return err;
}

static void test_what_is_no_event_is_refused(void **state)
{
	(void)state;
	refusal(event_of(GROUP_IQ, 4, 0x3f, 1, UK), "no event 0x3f");
	refusal(event_of(GROUP_IQ, 7, 2, 1, UK), "no event");
	/* The FSB's at the ITLB's select: as some tables have it. */
	refusal(event_of(GROUP_BPU, 3, 0x16, 2, UK), "no event");
	refusal(event_of(GROUP_BPU | GROUP_IQ, 4, 2, 1, UK), "several groups");
	refusal(event_of(GROUP_IQ, 4, 2, 0, UK), "empty");
	refusal(event_of(GROUP_IQ, 4, 2, 0x10, UK), "mask bits 0xf, not 0x10");
	refusal(event_of(GROUP_IQ, 5, 2, 0x2, UK), "mask bits 0x45");
}

static void test_what_is_the_kernels_is_refused(void **state)
{
	(void)state;
	refusal(with(INSTRUCTIONS(UK), 1ull << 31, 0), "31 bits");
	refusal(with(INSTRUCTIONS(UK), 0, CCCR_ENABLE), "may not be set");
	refusal(with(INSTRUCTIONS(UK), 0, CCCR_PMI_T1), "may not be set");
	refusal(with(INSTRUCTIONS(UK), 0, CCCR_OVF), "may not be set");
	refusal(with(INSTRUCTIONS(UK), 0, CCCR_EXTENDED), "may not be set");
	refusal(with(INSTRUCTIONS(UK), 0, CCCR_EDGE), "without compare");
	refusal(with(INSTRUCTIONS(UK), 0, 3u << 20), "without compare");
	refusal(with(INSTRUCTIONS(UK), 0, CCCR_FORCE_OVF), "period of 1");
	refusal(with(INSTRUCTIONS(UK), TAG(1), 0), "tags no uops");
	refusal(with(event_of(GROUP_FLAME, 1, 8, 0x8000, UK), 1u << 5, 0), "go together");
	refusal(with(INSTRUCTIONS(PMUCTL_EVENT_USER), T0_OS, 0), "flags differ");
}

static void test_one_thread_has_no_second(void **state)
{
	(void)state;
	refusal(with(INSTRUCTIONS(PMUCTL_EVENT_USER), T1_USR, 0), "second thread");
	refusal(with(INSTRUCTIONS(UK), 0, 1u << 16), "two threads a core");
}

static void test_replay_needs_its_registers(void **state)
{
	struct pmuctl_event event = event_of(GROUP_IQ, 5, 9, 1, UK);

	(void)state;
	refusal(event, "REPLAY");
	event.nr_extra = 2;
	event.extra[0] = (struct pmuctl_reg) { PMUCTL_REG_REPLAY, 0, 1 };
	event.extra[1] = (struct pmuctl_reg) { PMUCTL_REG_MATRIX_VERT, 0, 1 };
	assert_int_equal(p4->validate(&event, NULL), 0);
	event.extra[0].value = 1u << 24;
	refusal(event, "cannot be set");
	event.extra[0] = (struct pmuctl_reg) { PMUCTL_REG_LD_LAT, 0, 1 };
	refusal(event, "no meaning");
}

static void test_pebs_is_for_three_events(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(UK);

	(void)state;
	event.precise = 1;
	refusal(event, "PEBS records execution, front-end and replay events only");
}

static void test_what_came_later(void **state)
{
	struct pmuctl_event completed = event_of(GROUP_IQ, 4, 7, 1, UK);

	(void)state;
	if (pmuctl_p4_model(&pmuctl_caps) < 3)
		refusal(completed, "came with model 3");
	else
		assert_int_equal(p4->validate(&completed, NULL), 0);
}

/* One that has its ESCR in one half, behind a counter that is not used. */
static void test_counter_1_is_left_out(void **state)
{
	struct pmuctl_event event = event_of(GROUP_BPU, 7, 5, 1, UK);

	(void)state;
	assert_int_equal(p4->validate(&event, NULL), 0);
	assert_int_equal(event.allowed, 1);
	event.allowed = 2;
	refusal(event, "is on gp0 only");
}

static void test_who_sees_the_sibling(void **state)
{
	struct pmuctl_event own = INSTRUCTIONS(UK), both = event_of(GROUP_MS, 1, 1, 1, UK);
	struct pmuctl_event named = with(INSTRUCTIONS(UK), T0_USR | T1_OS, 0);

	(void)state;
	assert_int_equal(p4->validate(&own, NULL), 0);
	assert_int_equal(p4->validate(&both, NULL), 0);
	assert_int_equal(p4->validate(&named, NULL), 0);
	assert_false(own.sees_sibling);
	assert_true(both.sees_sibling);
	assert_true(named.sees_sibling);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_EACH(test_probe),
		ON(test_hidden_or_unknown_is_refused, prescott),
		ON_EACH(test_escrs_are_those_of_the_model),
		ON_EACH(test_foreign_counter_is_seen),
		ON(test_all_is_given_back_as_found, prescott),
		ON(test_all_is_given_back_as_found, northwood),
		ON(test_sibling_is_not_foreign, prescott),
		ON_EACH(test_dead_and_stuck_counters_are_told),
		ON_EACH(test_what_is_no_event_is_refused),
		ON_EACH(test_what_is_the_kernels_is_refused),
		ON(test_one_thread_has_no_second, no_threads),
		ON(test_cores_are_no_threads, prescott),
		ON_EACH(test_replay_needs_its_registers),
		ON_EACH(test_pebs_is_for_three_events),
		ON_EACH(test_what_came_later),
		ON_EACH(test_counter_1_is_left_out),
		ON(test_who_sees_the_sibling, prescott),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
