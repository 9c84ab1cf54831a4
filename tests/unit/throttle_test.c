// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many samples a CPU takes: a program runs, then a handler takes what came,
 * one sample or a buffer's worth.  A cycle of the TSC is a ns here.
 */
#include "cmocka_all.h"
#include "../../kmod/percpu.h"
#include "../../kmod/rotate.h"
#include "../../kmod/throttle.h"
#include "../../kmod/wake.h"

/* What the parameter is by default. */
#define RATE 50000u
#define WINDOW (NSEC_PER_SEC / 250)

u64 core_ns;

static struct pmuctl_cpu cpu;
static unsigned int told;

void pmuctl_wake(struct pmuctl_cpu *here, struct pmuctl_session *session, enum pmuctl_wake why)
{
	assert_int_equal(why, PMUCTL_WAKE_THROTTLED);
	told++;
}

static void begin(void)
{
	memset(&cpu, 0, sizeof(cpu));
	told = 0;
	core_ns = NSEC_PER_SEC;
	pmuctl_throttle_reset(&cpu);
}

/* The program runs for so long; is it throttled behind the handler, which takes so long? */
static bool take(u64 ns, unsigned int samples, u64 handler)
{
	static struct pt_regs regs;
	bool throttled;

	core_ns += ns;
	cpu.at = &regs;
	pmuctl_throttle_enter(&cpu);
	cpu.meter.samples += samples;
	pmuctl_throttle_settle(&cpu);
	core_ns += handler;
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
	assert_true(pmuctl_throttle_end(&cpu, core_ns));
	assert_false(pmuctl_throttled(&cpu, NULL));
	return ns;
}

static void one_by_one_the_rest_of_the_window_is_free(void **state)
{
	unsigned int i;

	begin();
	for (i = 1; i < RATE / 250; i++)
		assert_false(take(1000, 1, 500));
	assert_true(take(1000, 1, 500));
	assert_int_equal(told, 1);
	assert_int_equal(wait_for_the_end(), WINDOW - 1000 * i);
	assert_false(take(1000, 1, 500));
}

/* What comes as seldom as it may is never throttled, whatever the size of the lumps. */
static void what_keeps_to_the_rate_goes_on(void **state)
{
	unsigned int percent, lump, i;

	for (percent = 50; percent < 100; percent += 7)
		for (lump = 1; lump < 500; lump += 13) {
			begin();
			for (i = 0; i < 2000; i++)
				if (take(NSEC_PER_SEC * lump * 100 / (RATE * percent), lump, 0))
					fail_msg("lump %u of %u, %u %% of the rate", i, lump, percent);
		}
}

/* A buffer is full ten times as soon as it may be, and each has its time behind it. */
static void lumps_are_held_to_the_rate(void **state)
{
	unsigned int lump, samples;
	u64 ns;

	for (lump = 1; lump < 1000; lump += 37) {
		begin();
		ns = core_ns;
		for (samples = 0; samples < 100000; samples += lump)
			if (take(NSEC_PER_SEC * lump / (RATE * 10), lump, 0))
				wait_for_the_end();
		ns = core_ns - ns;
		/* At most the last window is more than there was time for. */
		assert_in_range(samples, RATE * ns / NSEC_PER_SEC * 9 / 10,
				RATE * (ns + WINDOW) / NSEC_PER_SEC + lump);
	}
}

/* A handler that takes all the time is not what is asked: then next to nothing was outside. */
static void the_handlers_time_does_not_count(void **state)
{
	unsigned int i;

	begin();
	for (i = 1; i < RATE / 250; i++)
		assert_false(take(10, 1, WINDOW));
	assert_true(take(10, 1, WINDOW));
	assert_int_equal(wait_for_the_end(), WINDOW - 10 * i);
}

/* With many too many at the last moment there is still time for something else. */
static void a_throttle_is_never_short(void **state)
{
	unsigned int i;

	begin();
	for (i = 1; i < RATE / 250; i++)
		take(0, 1, 0);
	assert_true(take(WINDOW - 1, 1, 0));
	assert_int_equal(wait_for_the_end(), WINDOW / 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_by_one_the_rest_of_the_window_is_free),
		cmocka_unit_test(what_keeps_to_the_rate_goes_on),
		cmocka_unit_test(lumps_are_held_to_the_rate),
		cmocka_unit_test(the_handlers_time_does_not_count),
		cmocka_unit_test(a_throttle_is_never_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
