// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4 backend against the box's model: two threads of a core count each
 * its own, overflows are their thread's, tags last as long as their events.
 */
#include "tests/unit/kmod/p4_host.h"

/* --- two threads --- */

static void test_each_thread_counts_its_own(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;
	unsigned int t, turn;
	u64 from[2];

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	for (t = 0; t < 2; t++) {
		on(t);
		from[t] = p4->read(event.slot);
		events_on(&event, 1);
	}
	for (turn = 0; turn < 10; turn++) {
		user_runs(0, 100);
		user_runs(1, 33);
	}
	for (t = 0; t < 2; t++) {
		on(t);
		events_off(&event, 1);
		assert_int_equal(counted_since(&event, from[t]), t ? 330 : 1000);
	}
}

/* Both want the same counters: what either shows goes on where it was. */
static void test_counters_change_hands(void **state)
{
	struct pmuctl_event event[] = {
		INSTRUCTIONS(PMUCTL_EVENT_USER), UOPS(PMUCTL_EVENT_USER),
	};
	enum pmuctl_p4_sharing sharing;
	unsigned int t, turn;
	u64 from[2], to[2];

	(void)state;
	take();
	assert_int_equal(seat(event, 2, &nobody, &sharing), -1);
	assert_int_equal(event[0].seat[0].counter, event[0].seat[1].counter);
	for (t = 0; t < 2; t++) {
		on(t);
		from[t] = p4->read(event[0].slot);
	}
	for (turn = 0; turn < 20; turn++) {
		on(turn & 1);
		events_on(event, 2);
		user_runs(turn & 1, turn & 1 ? 7 : 100);
		events_off(event, 2);
		to[turn & 1] = p4->read(event[0].slot);
	}
	assert_int_equal((to[0] - from[0]) & p4->mask(0), 1000);
	assert_int_equal((to[1] - from[1]) & p4->mask(0), 70);
}

/* Erratum O9: it stops just behind the carry of bit 31, and shows 2^32 too little. */
static void test_a_lost_carry_is_found(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;
	char why[300];
	u64 from;

	(void)state;
	take();
	assert_true(pmu_silicon(cpu.t[0].pmu, "lost-carry", why, sizeof(why)));
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	on(0);
	events_on(&event, 1);
	events_off(&event, 1);
	from = p4->arm(event.slot, 1000);
	events_on(&event, 1);
	user_runs(0, 1010);
	events_off(&event, 1);
	assert_true(p4->overflows(0) & 1ull << event.counter);
	assert_int_equal(counted_since(&event, from), 1010);
}

/* A thread that was offline finds counters that it had, and where the other one has left them. */
static void test_a_thread_comes_back(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;
	unsigned int t;
	u64 from;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	for (t = 0; t < 2; t++) {
		on(t);
		events_on(&event, 1);
		user_runs(t, t ? 10 : 1000);
		events_off(&event, 1);
	}
	p4->restore(NULL, true);
	p4->save(NULL);
	p4->reset(&regs[1]);
	from = p4->read(event.slot);
	events_on(&event, 1);
	user_runs(1, 5);
	events_off(&event, 1);
	assert_int_equal(counted_since(&event, from), 5);
}

/* --- overflow --- */

/* One that interrupts at each event does not while it is throttled. */
static void test_forced_overflows_can_be_throttled(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;

	(void)state;
	event.cccr |= CCCR_FORCE_OVF;
	event.sampled = true;
	event.period = 1;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	p4->program(&regs[0], &event);
	p4->arm(event.slot, 1);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	assert_true(host_peek(&cpu.t[0], CCCR(event.counter)) & CCCR_FORCE_OVF);
	p4->enable(&regs[0], 0);
	p4->rearm(event.slot);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	assert_false(host_peek(&cpu.t[0], CCCR(event.counter)) & CCCR_FORCE_OVF);
	p4->enable(&regs[0], 0);
	p4->arm(event.slot, 1);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	assert_true(host_peek(&cpu.t[0], CCCR(event.counter)) & CCCR_FORCE_OVF);
}

static void test_period_interrupts_at_its_last_event(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	p4->program(&regs[0], &event);
	p4->arm(event.slot, 100);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	user_runs(0, 99);
	host_boundary(&cpu.t[0]);
	assert_int_equal(cpu.t[0].pmis, 0);
	user_runs(0, 1);
	host_boundary(&cpu.t[0]);
	assert_int_equal(cpu.t[0].pmis, 1);
	assert_int_equal(cpu.t[1].pmis, 0);
	p4->enable(&regs[0], 0);
	assert_int_equal(p4->overflows(0), BIT_ULL(event.slot));
	assert_false(host_peek(&cpu.t[0], CCCR(event.counter)) & CCCR_OVF);
	p4->arm(event.slot, 100);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	p4->enable(&regs[0], 0);
	assert_int_equal(p4->overflows(0), 0);
}

/* The other thread's overflow is none of this one's. */
static void test_overflow_is_of_its_thread(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;
	unsigned int t;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	for (t = 0; t < 2; t++) {
		on(t);
		p4->program(&regs[t], &event);
		p4->arm(event.slot, 50);
		p4->enable(&regs[t], BIT_ULL(event.slot));
	}
	user_runs(1, 60);
	assert_int_equal(cpu.t[1].pmis, 1);
	assert_int_equal(cpu.t[0].pmis, 0);
	on(0);
	p4->enable(&regs[0], 0);
	assert_int_equal(p4->overflows(0), 0);
	on(1);
	assert_true(host_peek(&cpu.t[1], CCCR(event.seat[1].counter)) & CCCR_OVF);
	p4->enable(&regs[1], 0);
	assert_int_equal(p4->overflows(0), BIT_ULL(event.slot));
}

/* What the other thread has made of a counter since is none of this one's either. */
static void test_overflow_is_not_of_who_had_it(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	event.seat[1] = event.seat[0];
	events_on(&event, 1);
	user_runs(0, 10);
	events_off(&event, 1);
	on(1);
	p4->program(&regs[1], &event);
	p4->arm(event.slot, 50);
	p4->enable(&regs[1], BIT_ULL(event.slot));
	user_runs(1, 60);
	on(0);
	assert_int_equal(p4->overflows(0), 0);
	on(1);
	p4->enable(&regs[1], 0);
	assert_int_equal(p4->overflows(0), BIT_ULL(event.slot));
}

/* A counter that somebody left behind its overflow has far to go again. */
static void test_a_counter_is_adopted(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	enum pmuctl_p4_sharing sharing;
	u64 from;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	from = p4->read(event.slot);
	host_wrmsr(&cpu.t[0], COUNTER(event.counter), 5);
	core.user[event.counter] = NULL;
	events_on(&event, 1);
	user_runs(0, 10);
	events_off(&event, 1);
	assert_int_equal(counted_since(&event, from), 10);
	assert_true(host_peek(&cpu.t[0], COUNTER(event.counter)) & P4_TOP);
}

static void test_disturbed(void **state)
{
	struct pmuctl_event event = INSTRUCTIONS(UK);
	enum pmuctl_p4_sharing sharing;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	events_on(&event, 1);
	assert_false(p4->disturbed(&regs[0]));
	host_wrmsr(&cpu.t[0], CCCR(event.counter), CCCR_ANY);
	assert_true(p4->disturbed(&regs[0]));
	p4->enable(&regs[0], regs[0].enabled);
	assert_true(host_peek(&cpu.t[0], CCCR(event.counter)) & CCCR_ENABLE);
	assert_false(p4->disturbed(&regs[0]));
}

/* --- tags --- */

/* Uops are tagged as long as the event that tags them counts, and no longer. */
static void test_tags_end_with_their_event(void **state)
{
	struct pmuctl_event event = with(event_of(GROUP_FLAME, 1, 8, 0x8000, UK), TAG(2), 0);
	enum pmuctl_p4_sharing sharing;

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	events_on(&event, 1);
	assert_int_equal(host_peek(&cpu.t[0], ESCR(FIRM0)), event.evtsel | T0_OS | T0_USR);
	events_off(&event, 1);
	assert_int_equal(host_peek(&cpu.t[0], ESCR(FIRM0)), 0);
}

/* Who wants the same of an ESCR shares it, until the last is off. */
static void test_tags_end_with_the_last(void **state)
{
	struct pmuctl_event event[2];
	enum pmuctl_p4_sharing sharing;
	unsigned int i;

	(void)state;
	take();
	for (i = 0; i < 2; i++)
		event[i] = with(event_of(GROUP_FLAME, 1, 8, 0x8000, UK), TAG(2), 0);
	assert_int_equal(seat(event, 2, &nobody, &sharing), -1);
	event[1].seat[0].escr = event[0].seat[0].escr;
	events_on(event, 2);
	p4->enable(&regs[0], BIT_ULL(event[0].slot));
	assert_int_equal(host_peek(&cpu.t[0], ESCR(event[0].seat[0].escr)),
			 event[0].evtsel | T0_OS | T0_USR);
	events_off(event, 2);
	assert_int_equal(host_peek(&cpu.t[0], ESCR(event[0].seat[0].escr)), 0);
}

static void test_replays_are_tagged_while_somebody_counts(void **state)
{
	struct pmuctl_event event = event_of(GROUP_IQ, 5, 9, 1, UK);
	enum pmuctl_p4_sharing sharing;

	(void)state;
	event.nr_extra = 2;
	event.extra[0] = (struct pmuctl_reg) { PMUCTL_REG_REPLAY, 0, 1 };
	event.extra[1] = (struct pmuctl_reg) { PMUCTL_REG_MATRIX_VERT, 0, 1 };
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	on(0);
	events_on(&event, 1);
	on(1);
	events_on(&event, 1);
	assert_int_equal(host_peek(&cpu.t[1], MSR_PEBS_ENABLE), 0x1000001);
	assert_int_equal(host_peek(&cpu.t[1], MSR_MATRIX_VERT), 1);
	events_off(&event, 1);
	assert_int_equal(host_peek(&cpu.t[1], MSR_PEBS_ENABLE), 0x1000001);
	on(0);
	events_off(&event, 1);
	assert_int_equal(host_peek(&cpu.t[0], MSR_PEBS_ENABLE), 0);
	assert_int_equal(host_peek(&cpu.t[0], MSR_MATRIX_VERT), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON(test_each_thread_counts_its_own, prescott),
		ON(test_each_thread_counts_its_own, northwood),
		ON(test_counters_change_hands, prescott),
		ON_EACH(test_a_lost_carry_is_found),
		ON(test_a_thread_comes_back, prescott),
		ON_EACH(test_forced_overflows_can_be_throttled),
		ON_EACH(test_period_interrupts_at_its_last_event),
		ON(test_overflow_is_of_its_thread, prescott),
		ON(test_overflow_is_not_of_who_had_it, prescott),
		ON_EACH(test_a_counter_is_adopted),
		ON_EACH(test_disturbed),
		ON_EACH(test_tags_end_with_their_event),
		ON_EACH(test_tags_end_with_the_last),
		ON(test_replays_are_tagged_while_somebody_counts, prescott),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
