// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many samples a CPU takes: a program runs, then a handler takes what came.  A cycle of the TSC
 * is a ns here.
 */
#include "tests/unit/cmocka_all.h"
/* For the parameter, and what it is by default. */
#include "kmod/sample/throttle.c"

#define WINDOW (NSEC_PER_SEC / WINDOWS)

u64 core_ns;

static struct pmuctl_cpu cpu;
static unsigned int told;

/* So many other CPUs of a virtual machine have their turns before this one goes on. */
static unsigned int others;
static u64 own_ns;
#define TURN	(200 * NSEC_PER_USEC)

void pmuctl_wake(struct pmuctl_cpu *here, struct pmuctl_session *session, enum pmuctl_wake why)
{
	assert_int_equal(why, PMUCTL_WAKE_THROTTLED);
	told++;
}

void pmuctl_busy_missed(struct pmuctl_cpu *here)
{
	fail_msg("no interrupt came");
}

static void begin(void)
{
	memset(&cpu, 0, sizeof(cpu));
	told = 0;
	others = 0;
	own_ns = 0;
	core_ns = NSEC_PER_SEC;
	pmuctl_throttle_reset(&cpu);
}

static void pass(u64 ns)
{
	u64 turns = (own_ns % TURN + ns) / TURN;

	own_ns += ns;
	core_ns += ns + turns * others * TURN;
}

/* The program runs for so long; is it throttled behind the handler, which takes so long? */
static bool take(u64 ns, unsigned int samples, u64 handler)
{
	static struct pt_regs regs;
	bool throttled;

	pass(ns);
	cpu.at = &regs;
	pmuctl_throttle_enter(&cpu);
	cpu.meter.samples += samples;
	pmuctl_throttle_settle(&cpu);
	pass(handler);
	throttled = pmuctl_throttled(&cpu, NULL);
	pmuctl_throttle_leave(&cpu);
	cpu.at = NULL;
	return throttled;
}

/* The timer's part; ns until then. */
static u64 wait_for_the_end(void)
{
	u64 ns = cpu.meter.until - core_ns;

	assert_false(pmuctl_throttle_end(&cpu, core_ns));
	assert_true(pmuctl_throttled(&cpu, NULL));
	core_ns = cpu.meter.until;
	own_ns += ns / (1 + others);
	assert_true(pmuctl_throttle_end(&cpu, core_ns));
	assert_false(pmuctl_throttled(&cpu, NULL));
	return ns;
}

static void one_by_one_the_rest_of_the_window_is_free(void **state)
{
	unsigned int i;

	begin();
	for (i = 1; i < RATE / WINDOWS; i++)
		assert_false(take(1000, 1, 500));
	assert_true(take(1000, 1, 500));
	assert_int_equal(told, 1);
	assert_int_equal(wait_for_the_end(), WINDOW - 1000 * i);
	assert_false(take(1000, 1, 500));
}

/* What comes as seldom as it may is never throttled. */
static void what_keeps_to_the_rate_goes_on(void **state)
{
	unsigned int percent, i;

	for (percent = 50; percent < 100; percent += 7) {
		begin();
		for (i = 0; i < 20000; i++)
			if (take(NSEC_PER_SEC * 100 / (RATE * percent), 1, 0))
				fail_msg("sample %u, %u %% of the rate", i, percent);
	}
}

/* Ten times as soon as it may be. */
static void it_is_held_to_the_rate(void **state)
{
	unsigned int samples;
	u64 ns;

	begin();
	ns = core_ns;
	for (samples = 0; samples < 100000; samples++)
		if (take(NSEC_PER_SEC / (RATE * 10), 1, 0))
			wait_for_the_end();
	ns = core_ns - ns;
	/* At most the last window is more than there was time for. */
	assert_in_range(samples, RATE * ns / NSEC_PER_SEC * 9 / 10,
			RATE * (ns + WINDOW) / NSEC_PER_SEC + 1);
}

/* --- buffers of records --- */

/* So many records of PEBS, each of which takes so long: in the handler, or in a switch. */
static bool take_buffer(u64 ns, unsigned int records, u64 each, bool in_handler)
{
	static struct pt_regs regs;
	bool throttled;

	pass(ns);
	cpu.at = in_handler ? &regs : NULL;
	if (in_handler)
		pmuctl_throttle_enter(&cpu);
	pass(records * each);
	pmuctl_throttle_drained(&cpu, records * each);
	if (in_handler)
		pmuctl_throttle_settle(&cpu);
	throttled = pmuctl_throttled(&cpu, NULL);
	if (in_handler)
		pmuctl_throttle_leave(&cpu);
	cpu.at = NULL;
	return throttled;
}

/* A thousand records are no more than one interrupt, and in a switch they are none. */
static void records_are_not_counted(void **state)
{
	unsigned int i;

	begin();
	for (i = 0; i < 2000; i++)
		assert_false(take_buffer(1000000, 1000, 60, true));
	for (i = 0; i < 200000; i++)
		assert_false(take_buffer(10000, 2, 60, false));
	assert_int_equal(told, 0);
}

/* By the time that they take, wherever it is: a fifth of all. */
static void records_are_held_to_their_time(void **state)
{
	unsigned int i, in_handler;
	u64 ns, inside;

	for (in_handler = 0; in_handler < 2; in_handler++) {
		begin();
		ns = core_ns;
		for (i = 0, inside = 0; i < 20000; i++, inside += 100 * 2000)
			if (take_buffer(50000, 100, 2000, in_handler))
				wait_for_the_end();
		ns = core_ns - ns;
		assert_in_range(inside * 100 / ns, 15, 21);
		assert_true(told > 100);
	}
}

/* What a handler takes is no time that has passed: next to nothing was outside. */
static void the_handlers_time_makes_no_window(void **state)
{
	unsigned int i;

	begin();
	for (i = 1; i < RATE / WINDOWS; i++)
		assert_false(take(10, 1, 4000));
	assert_true(take(10, 1, 4000));
	assert_int_equal(wait_for_the_end(), WINDOW - 10 * i);
}

/* A slow handler leaves four fifths of the time to others, however few its samples are. */
static void a_slow_handler_is_held_to_its_share(void **state)
{
	static const u64 handlers[] = { 7000, 20000, 50000 };
	u64 ns, inside;
	unsigned int k, i;

	for (k = 0; k < ARRAY_SIZE(handlers); k++) {
		begin();
		ns = core_ns;
		for (i = 0, inside = 0; i < 100000; i++, inside += handlers[k])
			if (take(10, 1, handlers[k]))
				wait_for_the_end();
		ns = core_ns - ns;
		assert_in_range(inside * 100 / ns, 15, 21);
	}
}

/* The time of the others is as often in the midst of the handler as it is long. */
static void it_is_held_to_its_share_of_a_shared_cpu(void **state)
{
	u64 inside;
	unsigned int i;

	begin();
	others = 3;
	for (i = 0, inside = 0; i < 100000; i++, inside += 8000)
		if (take(13000, 1, 8000))
			wait_for_the_end();
	assert_in_range(inside * 100 / own_ns, 15, 21);
}

/* For 16 ms it may have more than its share: a lump of whole buffers, a short period at first. */
static void a_lump_is_no_slow_handler(void **state)
{
	unsigned int lump, i;

	begin();
	for (lump = 0; lump < 100; lump++, core_ns += 80 * NSEC_PER_MSEC)
		for (i = 0; i < 250; i++)
			assert_false(take(30000, 1, 60000));
}

/* The host takes the CPU away for long in the midst of a handler, as seldom as that is. */
static void a_pause_is_not_the_handlers(void **state)
{
	unsigned int i;

	begin();
	for (i = 0; i < 1000; i++)
		assert_false(take(100000, 1, i % 200 ? 1000 : 100 * WINDOW));
}

/* Who raises the rate allows the time for it, who lowers it gives the samples no less. */
static void the_time_goes_with_the_rate(void **state)
{
	unsigned int i;

	max_sample_rate = 200 * RATE;
	begin();
	for (i = 0; i < 10000; i++)
		assert_false(take(10, 1, 50000));
	max_sample_rate = 1000;
	begin();
	for (i = 0; i < 1000; i++)
		assert_false(take(NSEC_PER_SEC / 900, 1, 50000));
	max_sample_rate = RATE;
}

/* With many too many at the last moment there is still time for something else. */
static void a_throttle_is_never_short(void **state)
{
	unsigned int i;

	begin();
	for (i = 1; i < RATE / WINDOWS; i++)
		take(0, 1, 0);
	assert_true(take(WINDOW - 1, 1, 0));
	assert_int_equal(wait_for_the_end(), WINDOW / 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_by_one_the_rest_of_the_window_is_free),
		cmocka_unit_test(what_keeps_to_the_rate_goes_on),
		cmocka_unit_test(it_is_held_to_the_rate),
		cmocka_unit_test(records_are_not_counted),
		cmocka_unit_test(records_are_held_to_their_time),
		cmocka_unit_test(the_handlers_time_makes_no_window),
		cmocka_unit_test(a_slow_handler_is_held_to_its_share),
		cmocka_unit_test(it_is_held_to_its_share_of_a_shared_cpu),
		cmocka_unit_test(a_lump_is_no_slow_handler),
		cmocka_unit_test(a_pause_is_not_the_handlers),
		cmocka_unit_test(the_time_goes_with_the_rate),
		cmocka_unit_test(a_throttle_is_never_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
