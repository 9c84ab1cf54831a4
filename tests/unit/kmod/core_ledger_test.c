// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was produced is what was written and what was lost, and each that was lost is told once.
 */
#include "tests/unit/kmod/core_whole.h"

/* Each that was lost is told once, before whatever comes behind it. */
static void each_that_is_lost_is_told_once(void **state)
{
	const unsigned int fit = 4096 / 64;
	struct pmuctl_tally *tally;
	unsigned int round;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	tally = ring->tally;
	session_of(10, false, false);
	/* Samples that fill the ring to the last byte. */
	of.event[0].content = PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_LATENCY |
			      PMUCTL_CONTENT_DATA_SRC;
	of.event[0].room = pmuctl_sample_room(of.event[0].content, 0);
	assert_int_equal(of.event[0].room, 64);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	for (round = 1; round < 5; round++) {
		/* One more than there is room for, with what is told first. */
		happen(10 * (fit + 5));
		drain();
		if (round == 1)
			assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], fit);
		assert_int_equal(got.of[PMUCTL_RECORD_LOST], round > 1);
		assert_true(round == 1 || got.types[0] == PMUCTL_RECORD_LOST);
		assert_int_equal(tally->produced, round * (fit + 5));
		assert_int_equal(tally->produced, tally->written + tally->lost);
	}
	pmuctl_cpu_tell_lost(&of.session, 0);
	pmuctl_cpu_tell_lost(&of.session, 0);
	drain();
	assert_int_equal(got.all, 1);
	assert_int_equal(got.of[PMUCTL_RECORD_LOST], 1);
	happen(10);
	drain();
	assert_int_equal(got.all, 1);
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 1);
}

/* All that was told is all that was lost. */
static void what_is_told_is_what_was_lost(void **state)
{
	u64 told = 0, samples = 0;
	unsigned int round;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	session_of(10, false, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	for (round = 1; round < 120; round++) {
		happen(10 * round);
		drain();
		told += got.lost;
		samples += got.of[PMUCTL_RECORD_SAMPLE];
		assert_true(got.of[PMUCTL_RECORD_LOST] <= 1);
	}
	pmuctl_cpu_tell_lost(&of.session, 0);
	drain();
	told += got.lost;
	assert_int_equal(told, ring->tally[0].lost);
	assert_int_equal(samples, ring->tally[0].written);
	assert_int_equal(told + samples, happened[0] / 10);
	assert_true(told > 0);
}

/* Of two events each has its own. */
static void losses_are_by_event(void **state)
{
	const struct pmuctl_lost *lost;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	session_of(10, false, false);
	of.session.nr_events = 2;
	of.session.nr_phases = 2;
	of.session.nr_sampled = 2;
	of.event[1] = sampled_on(&of.session, 1, 20, false);
	of.event[1].place = 9;
	of.event[1].phase = 1;
	of.set[0] = (struct pmuctl_set){ .nr = 2, .counted = 2, .counters = 3 };
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(1200);
	assert_int_equal(ring->tally[0].produced, 120);
	assert_int_equal(ring->tally[1].produced, 60);
	ring->tail = ring->head;
	pmuctl_cpu_tell_lost(&of.session, 0);
	lost = (const void *)first_sample();
	assert_int_equal(lost->record.event, 7);
	assert_int_equal(lost->samples, ring->tally[0].lost);
	ring->tail += sizeof(*lost);
	lost = (const void *)first_sample();
	assert_int_equal(lost->record.event, 9);
	assert_int_equal(lost->samples, ring->tally[1].lost);
	ring->tail += sizeof(*lost);
	assert_int_equal(ring->tail, ring->head);
	assert_int_equal(ring->tally[0].lost + ring->tally[1].lost,
			 180 - ring->tally[0].written - ring->tally[1].written);
}

/* As soon as there is as much as it asked for, and once until it has read. */
static void a_reader_is_woken_once(void **state)
{
	session_of(10, false, false);
	ring->watermark = 3 * sizeof(struct pmuctl_sample);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(20);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 0);
	happen(10);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 1);
	happen(100);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 1);
	drain();
	ring->woken = false;
	happen(30);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 2);
}

/* Two counters that were ready at one event: a sample of each, and both say so. */
static void collisions_are_of_each(void **state)
{
	session_of(10, true, false);
	of.session.nr_events = 2;
	of.session.nr_phases = 2;
	of.event[1] = sampled_on(&of.session, 1, 10, true);
	of.event[1].phase = 1;
	of.set[0] = (struct pmuctl_set){ .nr = 2, .counted = 2, .counters = 3 };
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(9);
	assert_true(ready[0] && ready[1]);
	/* The hardware writes one for both. */
	ready[0] = ready[1] = false;
	write_record(0);
	buffer[0x90 / 8] = 3;
	hw.counter[0] = area.pebs_event_reset[0];
	hw.counter[1] = area.pebs_event_reset[1];
	happened[0]++;
	happen(5);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	assert_int_equal(ring->tally[0].produced, 1);
	assert_int_equal(ring->tally[1].produced, 1);
	assert_int_equal(ring->tally[0].collisions, 1);
	assert_int_equal(ring->tally[1].collisions, 1);
	assert_int_equal(values()[0], 15);
	assert_int_equal(values()[1], 15);
}

/* --- counts of a group --- */

/* A sampled event, and one more that counts the same. */
static void group_of_two(u64 period, bool precise, bool on_task)
{
	session_of(period, precise, on_task);
	of.event[0].content = PMUCTL_CONTENT_COUNTS;
	of.event[0].room = pmuctl_sample_room(PMUCTL_CONTENT_COUNTS, 0);
	of.session.nr_events = 2;
	of.event[1] = sampled_on(&of.session, 1, 0, false);
	of.event[0].place = 0;
	of.event[1].place = 1;
	of.set[0] = (struct pmuctl_set){ .nr = 2, .counted = 2, .counters = 3 };
	assert_int_equal(pmuctl_along_build(&of.session, NULL), 0);
}

static u64 told[2];			/* of each task */
static unsigned int told_late;

/*
 * Takes what there is: of each sample what the other one counted.  Whoever comes on with one event
 * left is recorded by the next.
 */
static void drain_counts(u64 period, bool precise)
{
	const struct pmuctl_sample *sample;
	const u64 *counts;

	while (ring->tail != ring->head) {
		sample = (const void *)first_sample();
		ring->tail += sample->record.size;
		if (sample->record.type != PMUCTL_RECORD_SAMPLE)
			continue;
		counts = (const void *)(sample + 1);
		assert_int_equal(sample->record.size, sizeof(*sample) + 2 * sizeof(u64));
		assert_int_equal(counts[0], 1);
		told[sample->pid == b.tgid] += counts[1];
		told_late += counts[1] > period;
		/* At each of its own events: as many of the other's are in between. */
		assert_in_range(told[sample->pid == b.tgid] % period, 0, precise);
	}
}

static void counts_until_now(unsigned int period, bool precise)
{
	unsigned int round, x = 1;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	told[0] = told[1] = told_late = 0;
	group_of_two(period, precise, true);
	switch_to(&a, true, false);
	for (round = 1; round < 2000; round++) {
		x = x * 1103515245 + 12345;
		happen(1 + x / 65536 % (2 * period));
		if (x >> 20 & 1)
			switch_to(current == &a ? &b : &a, !(x >> 21 & 1) || current == &b, false);
		/* Now and then nobody reads, and some are lost. */
		if (round % 397 > 300)
			drain_counts(period, precise);
	}
	assert_true(ring->tally[0].lost > 0 && told_late > 0);
}

/*
 * Of the task, though other tasks run in between, with the session or without; and those of samples
 * that were lost are the next one's.
 */
static void counts_of_a_group_are_the_tasks_own(void **state)
{
	counts_until_now(100, false);
}

static void counts_of_a_group_beside_records(void **state)
{
	counts_until_now(100, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(each_that_is_lost_is_told_once),
		WHOLE(what_is_told_is_what_was_lost),
		WHOLE(losses_are_by_event),
		WHOLE(a_reader_is_woken_once),
		WHOLE(collisions_are_of_each),
		WHOLE(counts_of_a_group_are_the_tasks_own),
		WHOLE(counts_of_a_group_beside_records),
	};

	return cmocka_run_group_tests_name("core ledger", tests, NULL, NULL);
}
