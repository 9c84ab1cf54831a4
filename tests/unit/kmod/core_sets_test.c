// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of a session come on and go off: fields of PERF_METRICS, and the branches kept.
 */
#include "tests/unit/kmod/core_host.h"

/* Slots and the first fields of level 1, in each of so many sets. */
static void with_metrics(unsigned int sets)
{
	unsigned int set, i;

	for (set = 0; set < sets; set++) {
		of.set[set].first = of.session.nr_events;
		of.set[set].nr = 1 + FIELDS;
		add_event(set, UINT64_C(1) << SLOTS, false, SLOTS);
		for (i = 0; i < FIELDS; i++)
			add_event(set, UINT64_C(1) << (48 + i), true, 48 + i);
		of.set[set].counters = UINT64_C(0xf000800000000);
	}
	of.session.nr_sets = sets;
	of.session.rotates = sets > 1;
	of.on.counts.left = 1;
	assert_int_equal(pmuctl_metrics_build(&of.session, NULL), 0);
	pmuctl_metrics_assigned(&of.session);
	assert_true(of.set[0].counters == UINT64_C(0x1000800000000));
}

static void run_on(void)
{
	pmuctl_run_on(pmuctl_cpus, &of.run, &of.session, NULL, 0);
}

static void hold(u64 slots, u64 fields)
{
	hw.counter[SLOTS_SLOT] = slots;
	hw.fields = fields;
}

/* --- PERF_METRICS --- */

static void fields_share_the_slots(void **state)
{
	with_metrics(1);
	run_on();
	/* From 0, wherever the counter was before. */
	assert_int_equal(hw.clears, 1);
	hold(1000, 0x00403f80);
	pmuctl_run_off(pmuctl_cpus, &of.run, 10);
	assert_int_equal(values()[0], 1000);
	assert_int_equal(values()[1], 1000 * 0x80 / 255);
	assert_int_equal(values()[2], 1000 * 0x3f / 255);
	assert_int_equal(values()[3], 1000 * 0x40 / 255);
	assert_int_equal(values()[4], 0);
	/* One reading, one pair of writes; and on again there is nothing to write. */
	assert_int_equal(hw.reads_of_fields, 1);
	assert_int_equal(hw.clears, 2);
	assert_int_equal(hw.enables, 0);
	run_on();
	assert_int_equal(hw.clears, 2);
}

static void what_is_left_over_counts_later(void **state)
{
	unsigned int i;

	with_metrics(1);
	run_on();
	for (i = 0; i < 255; i++) {
		hold(1, 0x55aa0001);
		pmuctl_run_fold(pmuctl_cpus, &of.run, 0);
	}
	assert_int_equal(values()[0], 255);
	assert_int_equal(values()[1], 1);
	assert_int_equal(values()[2], 0);
	assert_int_equal(values()[3], 0xaa);
	assert_int_equal(values()[4], 0x55);
}

static void nothing_is_read_of_no_slots(void **state)
{
	with_metrics(1);
	run_on();
	pmuctl_run_off(pmuctl_cpus, &of.run, 0);
	assert_int_equal(hw.reads_of_fields, 0);
	assert_int_equal(hw.clears, 1);
}

/* A group's counters stand still while it is read, and go on. */
static void stopped_while_read(void **state)
{
	with_metrics(1);
	run_on();
	pmuctl_cpus->regs.enabled = of.run.counters | 1;
	hold(1000, 0xff);
	pmuctl_run_fold(pmuctl_cpus, &of.run, 0);
	assert_int_equal(hw.enables, 2);
	assert_true(hw.enabled[0] == 1);
	assert_true(hw.enabled[1] == (of.run.counters | 1));
	assert_int_equal(values()[1], 1000);
}

static void sets_that_take_turns(void **state)
{
	unsigned int turn;

	with_metrics(2);
	run_on();
	for (turn = 0; turn < 6; turn++) {
		hold(255 * 10, 0x40403f40);
		pmuctl_run_turn(pmuctl_cpus, &of.run, 100 * (turn + 1));
		assert_true(of.run.counters == UINT64_C(0x1000800000000));
	}
	assert_int_equal(values()[0], 3 * 2550);
	assert_int_equal(values()[1], 3 * 640);
	assert_int_equal(values()[5], 3 * 2550);
	assert_int_equal(values()[7], 3 * 630);
	/* Each time another event's slots come on. */
	assert_int_equal(hw.clears, 1 + 2 * 6);
}

/* What was kept of the last branches would be the next turn's. */
static void a_set_without_branches_drops_them(void **state)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		of.set[i] = (struct pmuctl_set){
			.first = i, .nr = 1, .counted = 1, .counters = 1,
		};
		add_event(i, 1, false, 0);
	}
	of.event[0].lbr = 1;
	of.session.nr_sets = 2;
	of.session.rotates = true;
	of.on.counts.left = 1;
	run_on();
	assert_int_equal(pmuctl_cpus->regs.lbr, 1);
	pmuctl_run_turn(pmuctl_cpus, &of.run, 100);
	assert_int_equal(pmuctl_cpus->regs.lbr, 0);
	assert_int_equal(hw.drops, 1);
	pmuctl_run_turn(pmuctl_cpus, &of.run, 200);
	assert_int_equal(pmuctl_cpus->regs.lbr, 1);
	assert_int_equal(hw.drops, 1);
}

static void a_round_of_the_counter_is_not_lost(void **state)
{
	u64 round = MASK + 1, all;

	with_metrics(1);
	run_on();
	pmuctl_cpus->regs.enabled = of.run.counters;
	hw.status = UINT64_C(1) << SLOTS;
	hold(255, 0x000000ff);
	assert_int_equal(pmuctl_cpu_overflow(pmuctl_cpus, NULL, false), 1);
	all = round + 255;
	assert_true(values()[0] == all);
	assert_true(values()[1] == all);
	assert_int_equal(hw.rearmed, 0);
	/* The register's own overflow: it is read in time. */
	hw.status = UINT64_C(1) << 48;
	hold(510, 0x0000ff00);
	assert_int_equal(pmuctl_cpu_overflow(pmuctl_cpus, NULL, false), 1);
	assert_true(values()[0] == all + 510);
	assert_true(values()[2] == 510);
	assert_true(hw.counter[SLOTS_SLOT] == 0);
}

/* A session of slots alone: the counter begins in the middle. */
static void slots_alone_are_like_any_counter(void **state)
{
	of.set[0] = (struct pmuctl_set){ .nr = 1, .counters = UINT64_C(1) << SLOTS };
	add_event(0, UINT64_C(1) << SLOTS, false, SLOTS);
	of.session.nr_sets = 1;
	assert_int_equal(pmuctl_metrics_build(&of.session, NULL), 0);
	assert_false(of.session.odd);
	pmuctl_cpus->slot[SLOTS_SLOT].last = START;
	run_on();
	hw.status = UINT64_C(1) << SLOTS;
	hw.counter[SLOTS_SLOT] = 5;
	assert_int_equal(pmuctl_cpu_overflow(pmuctl_cpus, NULL, false), 1);
	assert_true(values()[0] == START + 5);
	assert_int_equal(hw.rearmed, 1);
	assert_int_equal(hw.clears, 0);
	assert_int_equal(hw.reads_of_fields, 0);
}

static bool says_disturbed(u64 slots, u64 fields)
{
	of.session.trouble.counter = 0;
	hold(slots, fields);
	pmuctl_run_fold(pmuctl_cpus, &of.run, 0);
	return of.session.trouble.counter & PMUCTL_COUNT_DISTURBED;
}

static void tells_who_wrote_the_fields(void **state)
{
	with_metrics(1);
	run_on();
	assert_false(says_disturbed(1000000, 0x40403f40));
	/* Rounded each by itself. */
	assert_false(says_disturbed(1000000, 0x40404040));
	assert_true(says_disturbed(1000000, 0));
	assert_true(says_disturbed(1000000, 0x80808080));
	/* Of a few slots the fields say little. */
	assert_false(says_disturbed(10, 0));
}

/* --- events that are read along --- */

#define COUNTS PMUCTL_CONTENT_COUNTS

/* Of two sets, each a group of three: places 3, 4, 5 and 0, 1, 2. */
static void two_groups(void)
{
	unsigned int i;

	for (i = 0; i < 6; i++) {
		add_event(i / 3, 0xff, false, i);
		of.event[i].place = (i + 3) % 6;
	}
	of.set[0] = (struct pmuctl_set){ .first = 0, .nr = 3, .counted = 3 };
	of.set[1] = (struct pmuctl_set){ .first = 3, .nr = 3, .counted = 3 };
	of.session.nr_sets = 2;
	of.session.nr_sampled = of.session.nr_phases = 2;
	for (i = 1; i < 6; i += 3)
		of.event[i].sampled = true;
}

static void others_of_a_group_are_read_along(void **state)
{
	two_groups();
	/* In the first set, the second one is sampled and has the counts. */
	of.event[1].content = of.event[4].content = COUNTS;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), 0);
	assert_true(of.event[0].along && of.event[2].along && !of.event[1].along);
	/* Behind those of samples, in the request's order, whatever the sets are. */
	assert_int_equal(of.event[3].phase, 2);
	assert_int_equal(of.event[5].phase, 3);
	assert_int_equal(of.event[0].phase, 4);
	assert_int_equal(of.event[2].phase, 5);
	assert_int_equal(of.session.nr_phases, 6);
	pmuctl_along_assigned(&of.session);
	assert_true(of.event[1].counters_along == 5);
	assert_true(of.event[4].counters_along == 0x28);
	assert_true(of.event[0].counters_along == 0);
}

static void nobody_asked_for_counts(void **state)
{
	two_groups();
	assert_int_equal(pmuctl_along_build(&of.session, NULL), 0);
	assert_int_equal(of.session.nr_phases, 2);
	assert_false(of.event[0].along);
}

static void groups_that_have_no_counts(void **state)
{
	struct pmuctl_session beside = { .nr_sampled = 2, .nr_phases = 4 };

	two_groups();
	of.event[1].content = of.event[4].content = COUNTS;
	/* Another session's tasks have room for fewer phases than this one's. */
	of.session.beside = &beside;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), -EINVAL);
	of.session.nr_phases = 2;
	beside.nr_phases = 6;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), 0);
	of.session.nr_phases = 2;
	of.event[1].group = of.event[4].group = PMUCTL_NO_GROUP;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), -EINVAL);
	of.event[1].group = 77;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), -EINVAL);
	of.event[1].group = 0;
	of.event[4].group = 1;
	of.event[0].metric = true;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), -EOPNOTSUPP);
	of.event[0].metric = false;
	of.event[2].after = 1000;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), -EINVAL);
	of.event[2].after = 0;
	/* What one takes the other would lack. */
	of.event[2].sampled = true;
	of.event[2].content = COUNTS;
	assert_int_equal(pmuctl_along_build(&of.session, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(others_of_a_group_are_read_along),
		TEST(nobody_asked_for_counts),
		TEST(groups_that_have_no_counts),
		TEST(fields_share_the_slots),
		TEST(what_is_left_over_counts_later),
		TEST(nothing_is_read_of_no_slots),
		TEST(stopped_while_read),
		TEST(sets_that_take_turns),
		TEST(a_set_without_branches_drops_them),
		TEST(a_round_of_the_counter_is_not_lost),
		TEST(slots_alone_are_like_any_counter),
		TEST(tells_who_wrote_the_fields),
	};

	return cmocka_run_group_tests_name("core sets", tests, NULL, NULL);
}
