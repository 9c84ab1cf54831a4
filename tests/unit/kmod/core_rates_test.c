// SPDX-License-Identifier: GPL-2.0-only
/*
 * How often is sampled: throttles and periods.
 */
#include "tests/unit/kmod/core_whole.h"

/* --- throttles --- */

/*
 * More than may be: the rest of the window is without, then it goes on by itself, with no
 * event lost and the next sample where it would have been.
 */
static void throttled(unsigned int period, bool precise, unsigned int least, unsigned int most)
{
	unsigned int events = 0, windows = 0;

	session_of(period, precise, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	while (!woken[PMUCTL_WAKE_THROTTLED] && events++ < 1000000)
		happen(1);
	hw.during = NULL;
	assert_int_equal(woken[PMUCTL_WAKE_THROTTLED], 1);
	pmuctl_busy_begin(pmuctl_cpus);
	pmuctl_cpu_drain(pmuctl_cpus);
	pmuctl_busy_end(pmuctl_cpus);
	drain();
	assert_in_range(got.of[PMUCTL_RECORD_SAMPLE] + got.lost, least, most);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 1);
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 0);
	/* Not a moment before its time. */
	while (core_ns + NS < pmuctl_cpus->meter.until)
		happen(1);
	drain();
	assert_int_equal(got.all, 0);
	assert_true(pmuctl_cpus->slot[0].throttled);
	/* What the handler itself took since is for some windows more. */
	while (precise && pmuctl_cpus->slot[0].throttled) {
		happen(1);
		drain();
		assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 0);
		windows += got.of[PMUCTL_RECORD_THROTTLE];
	}
	assert_in_range(windows, 0, 3);
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], precise);
	happen(10 * period);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], !precise);
	assert_true(precise || got.types[0] == PMUCTL_RECORD_UNTHROTTLE);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 0);
	/* Of these events the first ended it. */
	assert_in_range(got.of[PMUCTL_RECORD_SAMPLE], 9, 10);
	assert_int_equal(values()[0], happened[0]);
	/* What came on with one event left is recorded by the next. */
	assert_in_range(ring->tally[0].produced + ring->tally[0].throttled,
			happened[0] / period - precise, happened[0] / period);
	assert_true(ring->tally[0].throttled > 0);
}

static void a_throttle_ends_by_itself(void **state)
{
	throttled(10, false, RATE / 250, RATE / 250 + RECORDS);
}

/* Of each buffer's handler. */
static void takes_long(void)
{
	core_ns += 1400 * NSEC_PER_USEC;
}

/* Of 16 ms beyond its part a buffer of some 200 has 1.4, less a quarter of the time before it. */
static void a_throttle_of_records_ends_by_itself(void **state)
{
	another_ring(1 << 20);
	hw.during = takes_long;
	throttled(100, true, 15 * 200, 20 * 200);
}

/* So many more than may be by interrupt are no matter where nothing takes long. */
static void records_are_not_counted(void **state)
{
	another_ring(1 << 20);
	session_of(100, true, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(300000);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 3000);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 0);
}

/* It goes on and off all the time, and what comes is what may. */
static void it_is_held_to_the_rate(void **state)
{
	const unsigned int events = 500000;

	another_ring(1 << 20);
	session_of(10, false, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(events);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	assert_in_range(ring->tally[0].produced, RATE / 20 - 2 * RATE / 250,
			RATE / 20 + 2 * RATE / 250);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], got.of[PMUCTL_RECORD_UNTHROTTLE]);
	assert_in_range(got.of[PMUCTL_RECORD_THROTTLE], 11, 14);
	assert_int_equal(values()[0], events);
}

/* The task that is throttled goes, another comes, and it is over for both. */
static void a_throttle_is_of_the_cpu(void **state)
{
	session_of(10, false, true);
	want(&a, true, false);
	while (!pmuctl_cpus->meter.until && happened[0] < 100000)
		happen(1);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 1);
	happen(100);
	switch_to(&b, true, false);
	happen(100);
	drain();
	/* Told of each of them, and none of it is a sample. */
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 1);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 1);
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 0);
	pass(WINDOW);
	happen(100);
	want(NULL, false, false);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 1);
	assert_int_equal(got.samples[0], 0);
	assert_int_equal(got.samples[1], 10);
}

/* --- periods --- */

/* As often longer as shorter, by less than half of so many bits, and hardly one like another. */
static void random_periods_have_the_mean_asked_for(void **state)
{
	const unsigned int n = 10000;
	unsigned int i, same = 0;
	u64 period, last = 0, sum = 0;

	session_of(5003, false, false);
	of.event[0].random = 11;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	for (i = 0; i < n; i++) {
		period = pmuctl_period_next(pmuctl_cpus, 0, 1);
		assert_in_range(period, 5003 - 1023, 5003 + 1023);
		same += period == last;
		last = period;
		sum += period;
	}
	/* Five standard deviations of the mean. */
	assert_in_range(sum / n, 5003 - 30, 5003 + 30);
	assert_in_range(same, 0, 20);
}

/* An interrupt that comes late finds several periods over: one sample, which stands for all. */
static void a_late_interrupt_is_one_sample(void **state)
{
	session_of(10, false, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	hw.counter[0] = (hw.counter[0] + 35) & MASK;
	hw.status = 1;
	nmi();
	happen(5);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 2);
	assert_int_equal(got.periods[0], 40);
	assert_int_equal(ring->tally[0].produced, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(a_throttle_ends_by_itself),
		WHOLE(a_throttle_of_records_ends_by_itself),
		WHOLE(records_are_not_counted),
		WHOLE(it_is_held_to_the_rate),
		WHOLE(a_throttle_is_of_the_cpu),
		WHOLE(random_periods_have_the_mean_asked_for),
		WHOLE(a_late_interrupt_is_one_sample),
	};

	return cmocka_run_group_tests_name("core rates", tests, NULL, NULL);
}
