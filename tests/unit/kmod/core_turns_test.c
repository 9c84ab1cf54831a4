// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets take turns; and by the same timer counters are added up where no overflow interrupts.
 */
#include "tests/unit/kmod/core_whole.h"

#include "kmod/state/self.h"

#define INTERVAL NSEC_PER_MSEC

/* So many sets of one event each, all on the same counter or each on its own. */
static void sets_in_turns(unsigned int n, u64 period, bool apart)
{
	unsigned int i;

	session_of(period, false, false);
	of.session.nr_sets = n;
	of.session.nr_events = n;
	of.session.rotates = true;
	of.session.timed = true;
	of.session.interval = INTERVAL;
	of.session.nr_phases = period ? n : 0;
	for (i = 0; i < n; i++) {
		of.event[i] = of.event[0];
		of.event[i].set = i;
		of.event[i].phase = i;
		of.event[i].counter = of.event[i].slot = apart ? i : 0;
		of.set[i] = (struct pmuctl_set){ .first = i, .nr = 1, .counted = 1,
						 .counters = 1ull << of.event[i].counter };
	}
	pmuctl_rotate_begin(&of.session, &of.on.counts);
}

/* Each has its part of the time and counts in that alone; a turn is as long as was asked for. */
static void turns_of_sets(bool apart, bool read)
{
	u64 sum = 0, longest = 0, since = 0;
	unsigned int i, set = 0, turns = 0;
	u64 *cell = of.on.counts.cell;

	sets_in_turns(3, 0, apart);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	for (i = 0; i < 1000000; i++) {
		happen(1);
		/* Whoever asks makes no turn longer. */
		if (read && i % 1000 == 0)
			pmuctl_cpu_fold(&of.session);
		if (of.on.counts.set == set)
			continue;
		turns++;
		set = of.on.counts.set;
		/* The first ones are shorter. */
		if (core_ns > NSEC_PER_SEC + 20 * INTERVAL)
			longest = max(longest, core_ns - since);
		since = core_ns;
	}
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	for (i = 0; i < 3; i++) {
		/* What was on counted, the event of the turn itself aside. */
		assert_in_range(values()[i], cell[1 + i] / NS - turns, cell[1 + i] / NS + turns);
		assert_in_range(cell[1 + i], 100 * NSEC_PER_MSEC * 28 / 100,
				100 * NSEC_PER_MSEC * 39 / 100);
		sum += cell[1 + i];
	}
	assert_int_equal(sum, cell[0]);
	assert_int_equal(values()[0] + values()[1] + values()[2], 1000000);
	assert_in_range(longest, INTERVAL * 14 / 10, INTERVAL * 15 / 10 + 2 * NS);
	assert_in_range(turns, 95, 115);
}

static void sets_take_turns(void **state)
{
	turns_of_sets(false, false);
}

static void sets_take_turns_on_counters_of_their_own(void **state)
{
	turns_of_sets(true, false);
}

static void sets_take_turns_while_somebody_reads(void **state)
{
	turns_of_sets(false, true);
}

/* A sample every so many events of its set's time, however that is cut up. */
static void samples_in_turns(void **state)
{
	unsigned int i;

	sets_in_turns(3, 5003, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(500000);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	for (i = 0; i < 3; i++)
		assert_int_equal(ring->tally[i].produced, values()[i] / 5003);
}

/* A session of one set, on a counter that comes round after 2^16 events unseen. */
static void nothing_interrupts(void **state)
{
	pmuctl_caps.fold_every = 0x8000 * NS;
	pmuctl_slot_mask[0] = 0xffff;
	session_of(0, false, false);
	of.session.timed = true;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(1000000);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	pmuctl_caps.fold_every = 0;
	assert_int_equal(values()[0], 1000000);
}

/* --- what a thread reads that counts itself --- */

static struct {
	struct pmuctl_self self;
	struct pmuctl_self_cell cell[8];
} own;
static struct pmuctl_self_page page;

/* Counters have other numbers for RDPMC, so that nobody takes one for the other. */
static u32 user_index(unsigned int slot)
{
	return 0x40000000 + slot;
}

static struct pmuctl_backend with_index;

static void counts_itself(void)
{
	unsigned int i;

	with_index = backend;
	with_index.user_index = user_index;
	pmuctl_backend = &with_index;
	memset(&own, 0, sizeof(own));
	memset(&page, 0, sizeof(page));
	own.self.shown = &page;
	own.self.allowed = true;
	of.session.self = &own.self;
	of.session.odd = true;
	of.session.on_task = true;
	for (i = 0; i < of.session.nr_events; i++)
		of.event[i].place = i;
}

/* As kmod/uapi/pmuctl-self.h has it: a page that the thread sees between two instructions. */
static u64 read_page(unsigned int event)
{
	const struct pmuctl_self_event *shown = &page.event[event];

	assert_int_equal(page.seq % 2, 0);
	if (!shown->index) {
		assert_false(shown->on);
		return shown->offset;
	}
	assert_in_range(shown->index - 1, user_index(0), user_index(COUNTERS - 1));
	return shown->offset + ((hw.counter[shown->index - 1 - user_index(0)] - shown->start) &
				shown->mask);
}

static u64 read_all(void)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < of.session.nr_events; i++)
		sum += read_page(i);
	return sum;
}

/* At each of its events it reads what there was: where the set that is on is another one, too. */
static void reads_in_turns(bool apart)
{
	unsigned int i, turns = 0, set = 0;

	sets_in_turns(3, 0, apart);
	counts_itself();
	want(&a, true, false);
	for (i = 0; i < 100000; i++) {
		assert_int_equal(read_all(), i);
		assert_int_equal(page.on, 1);
		happen(1);
		turns += of.on.counts.set != set;
		set = of.on.counts.set;
	}
	assert_in_range(turns, 5, 50);
	switch_to(&b, false, false);
	assert_int_equal(page.on, 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(read_page(i), values()[i]);
	assert_int_equal(read_all(), 100000);
}

static void a_thread_reads_sets_in_turns(void **state)
{
	reads_in_turns(false);
}

static void a_thread_reads_sets_on_counters_of_their_own(void **state)
{
	reads_in_turns(true);
}

#define ROUND 100

static u64 rearm_near(unsigned int slot)
{
	hw.rearmed++;
	return hw.counter[slot] = -ROUND & MASK;
}

/* The counter goes back to its start each time, what is read goes on. */
static void a_thread_reads_over_overflows(void **state)
{
	unsigned int i;

	session_of(0, false, true);
	counts_itself();
	with_index.rearm = rearm_near;
	hw.counter[0] = pmuctl_cpus->slot[0].last = -ROUND & MASK;
	want(&a, true, false);
	for (i = 0; i < 3 * ROUND; i++) {
		assert_int_equal(read_page(0), i);
		happen(1);
	}
	assert_int_equal(hw.rearmed, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(a_thread_reads_sets_in_turns),
		WHOLE(a_thread_reads_sets_on_counters_of_their_own),
		WHOLE(a_thread_reads_over_overflows),
		WHOLE(sets_take_turns),
		WHOLE(sets_take_turns_on_counters_of_their_own),
		WHOLE(sets_take_turns_while_somebody_reads),
		WHOLE(samples_in_turns),
		WHOLE(nothing_interrupts),
	};

	return cmocka_run_group_tests_name("core turns", tests, NULL, NULL);
}
