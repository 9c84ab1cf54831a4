// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits out of the switches of threads: by hand, a record at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Before cmocka, which makes a macro of fail(). */
#include "lib/record/dump.h"

#include <cmocka.h>

#include "lib/record/waits.h"

#define SWITCH_IN 0
#define SWITCH_OUT PERF_RECORD_MISC_SWITCH_OUT
#define PREEMPTED (PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)

/* As the kernel has it, up to the chain. */
struct sample {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
	uint64_t period, nr_chain;
};

/* The waits that were given. */
static struct {
	struct wait wait;
	uint64_t ip;
	uint32_t tid;
} seen[16];
static size_t nr_seen;
static int refusal;
static struct waits *waits;

static int see(void *data, const struct wait *wait)
{
	struct sample s;

	assert_ptr_equal(data, &waits);
	assert_true(nr_seen < ARRAY_SIZE(seen) && wait->size >= sizeof(s));
	memcpy(&s, wait->sample, sizeof(s));
	seen[nr_seen].wait = *wait;
	seen[nr_seen].ip = s.ip;
	seen[nr_seen++].tid = s.tid;
	return refusal;
}

static int setup_least(uint64_t least)
{
	nr_seen = 0;
	refusal = 0;
	waits = waits_new(least, see, &waits);
	assert_non_null(waits);
	waits_set_beginning(waits, 0);
	return 0;
}

static int setup(void **state)
{
	(void)state;
	return setup_least(0);
}

static int setup_with_least(void **state)
{
	(void)state;
	return setup_least(100);
}

static int teardown(void **state)
{
	(void)state;
	waits_free(waits);
	return 0;
}

/* ---- records ----------------------------------------------------------------------- */

static void sampled(uint32_t tid, uint32_t cpu, uint64_t ip, uint64_t time)
{
	const struct sample s = {
		.header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(s) },
		.ip = ip, .pid = 7, .tid = tid, .time = time, .cpu = cpu,
	};

	assert_int_equal(waits_take(waits, (const void *)&s, time), 0);
}

static int take_switch(uint32_t tid, uint16_t misc, uint64_t time)
{
	const struct {
		struct perf_event_header header;
		struct dump_trailer trailer;
	} r = {
		.header = { .type = PERF_RECORD_SWITCH, .misc = misc, .size = sizeof(r) },
		.trailer = { .pid = 7, .tid = tid, .time = time },
	};

	return waits_take(waits, (const void *)&r, time);
}

static void switched(uint32_t tid, uint16_t misc, uint64_t time)
{
	assert_int_equal(take_switch(tid, misc, time), 0);
}

static void leaves(uint32_t tid, uint16_t misc, uint64_t time)
{
	sampled(tid, 0, 0x1000 + time, time);
	switched(tid, misc, time);
}

/* The kernel says it with the number of who did it: a parent, or the thread that ends. */
static void lives(uint32_t type, uint32_t tid, uint64_t time)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
		struct dump_trailer trailer;
	} r = {
		.header = { .type = type, .size = sizeof(r) },
		.pid = 7, .ppid = 1, .tid = tid, .ptid = 1, .time = time,
		.trailer = { .pid = 1, .tid = 1, .time = time },
	};

	assert_int_equal(waits_take(waits, (const void *)&r, time), 0);
}

static void execs(uint32_t tid, uint16_t misc, uint64_t time)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
		struct dump_trailer trailer;
	} r = {
		.header = { .type = PERF_RECORD_COMM, .misc = misc, .size = sizeof(r) },
		.pid = 7, .tid = tid, .trailer = { .pid = 7, .tid = tid, .time = time },
	};

	assert_int_equal(waits_take(waits, (const void *)&r, time), 0);
}

static void is_wait(size_t i, uint32_t tid, uint64_t start, uint64_t end)
{
	assert_true(i < nr_seen);
	assert_int_equal(seen[i].tid, tid);
	assert_int_equal(seen[i].wait.start, start);
	assert_int_equal(seen[i].wait.end, end);
}

/* ---- tests ------------------------------------------------------------------------- */

static void a_thread_waits(void **state)
{
	(void)state;
	/* Where it comes from is not known. */
	switched(10, SWITCH_IN, 5);
	leaves(10, SWITCH_OUT, 20);
	assert_int_equal(nr_seen, 0);
	switched(10, SWITCH_IN, 50);
	leaves(10, PREEMPTED, 60);
	switched(10, SWITCH_IN, 61);
	assert_int_equal(nr_seen, 2);
	is_wait(0, 10, 20, 50);
	assert_false(seen[0].wait.preempted);
	assert_int_equal(seen[0].ip, 0x1014);
	is_wait(1, 10, 60, 61);
	assert_true(seen[1].wait.preempted);
	assert_int_equal(seen[1].ip, 0x103c);
}

static void threads_are_told_apart(void **state)
{
	uint32_t tid;

	(void)state;
	/* More than the table begins with. */
	for (tid = 1; tid <= 1000; tid++)
		leaves(tid, SWITCH_OUT, 1000 + tid);
	assert_int_equal(nr_seen, 0);
	switched(10, SWITCH_IN, 3000);
	switched(1000, SWITCH_IN, 3001);
	switched(10, SWITCH_IN, 3002);
	assert_int_equal(nr_seen, 2);
	is_wait(0, 10, 1010, 3000);
	is_wait(1, 1000, 2000, 3001);
}

/* The idle task, and who is in another namespace or gone. */
static void nobody_waits(void **state)
{
	(void)state;
	leaves(0, SWITCH_OUT, 10);
	switched(0, SWITCH_IN, 20);
	leaves(UINT32_MAX, SWITCH_OUT, 30);
	switched(UINT32_MAX, SWITCH_IN, 40);
	assert_int_equal(waits_end(waits, 100), 0);
	assert_int_equal(nr_seen, 0);
}

static void the_end_counts(void **state)
{
	(void)state;
	leaves(10, SWITCH_OUT, 20);
	leaves(11, SWITCH_OUT, 30);
	switched(11, SWITCH_IN, 40);
	assert_int_equal(waits_end(waits, 100), 0);
	assert_int_equal(nr_seen, 2);
	is_wait(1, 10, 20, 100);
	assert_int_equal(waits_sums(waits)->open, 1);
}

static void the_beginning_counts(void **state)
{
	(void)state;
	waits_set_beginning(waits, UINT64_MAX);
	leaves(10, SWITCH_OUT, 20);
	switched(10, SWITCH_IN, 30);
	leaves(10, SWITCH_OUT, 40);
	leaves(11, SWITCH_OUT, 45);
	waits_set_beginning(waits, 50);
	switched(11, SWITCH_IN, 50);
	switched(10, SWITCH_IN, 70);
	assert_int_equal(nr_seen, 1);
	is_wait(0, 10, 50, 70);
}

/* A record of another CPU that was being written when this one was read. */
static void a_leaving_comes_late(void **state)
{
	(void)state;
	switched(10, SWITCH_IN, 10);
	switched(10, SWITCH_IN, 50);
	assert_int_equal(nr_seen, 0);
	leaves(10, SWITCH_OUT, 30);
	is_wait(0, 10, 30, 50);
	/* It is on its CPU again. */
	assert_int_equal(waits_end(waits, 100), 0);
	assert_int_equal(nr_seen, 1);
}

static void short_waits_are_left_out(void **state)
{
	(void)state;
	leaves(10, SWITCH_OUT, 1000);
	switched(10, SWITCH_IN, 1099);
	leaves(10, SWITCH_OUT, 2000);
	switched(10, SWITCH_IN, 2100);
	assert_int_equal(nr_seen, 1);
	is_wait(0, 10, 2000, 2100);
	assert_int_equal(waits_sums(waits)->brief, 1);
}

static void cpus_are_those_that_were_left(void **state)
{
	static const uint32_t cpus[] = { 2, 3 };

	(void)state;
	waits_set_cpus(waits, cpus, ARRAY_SIZE(cpus));
	sampled(10, 1, 1, 20);
	switched(10, SWITCH_OUT, 20);
	switched(10, SWITCH_IN, 30);
	sampled(10, 3, 3, 40);
	switched(10, SWITCH_OUT, 40);
	switched(10, SWITCH_IN, 50);
	assert_int_equal(nr_seen, 1);
	assert_int_equal(seen[0].ip, 3);
}

/* A thread that has exited switches once more, or twice. */
static void the_dead_do_not_wait(void **state)
{
	(void)state;
	lives(PERF_RECORD_EXIT, 10, 10);
	leaves(10, PREEMPTED, 11);
	switched(10, SWITCH_IN, 12);
	leaves(10, SWITCH_OUT, 13);
	assert_int_equal(waits_end(waits, 100), 0);
	assert_int_equal(nr_seen, 0);
}

static void numbers_are_used_again(void **state)
{
	(void)state;
	leaves(10, SWITCH_OUT, 5);
	lives(PERF_RECORD_EXIT, 10, 10);
	leaves(10, SWITCH_OUT, 13);
	lives(PERF_RECORD_FORK, 10, 20);
	switched(10, SWITCH_IN, 30);
	leaves(10, SWITCH_OUT, 40);
	switched(10, SWITCH_IN, 50);
	assert_int_equal(nr_seen, 1);
	is_wait(0, 10, 40, 50);
	/* exec() by another thread has the first one's number. */
	lives(PERF_RECORD_EXIT, 10, 60);
	execs(10, 0, 65);
	leaves(10, SWITCH_OUT, 66);
	switched(10, SWITCH_IN, 68);
	assert_int_equal(nr_seen, 1);
	execs(10, PERF_RECORD_MISC_COMM_EXEC, 70);
	leaves(10, SWITCH_OUT, 80);
	switched(10, SWITCH_IN, 90);
	assert_int_equal(nr_seen, 2);
	is_wait(1, 10, 80, 90);
}

/* What is behind 100 and not behind 200 may lack anything. */
static void nothing_is_made_up(void **state)
{
	(void)state;
	leaves(10, SWITCH_OUT, 50);
	leaves(11, PREEMPTED, 60);
	switched(11, SWITCH_IN, 70);
	assert_int_equal(waits_until(waits, 90), 0);
	waits_lose(waits, 100, 200);
	leaves(12, SWITCH_OUT, 100);
	assert_int_equal(nr_seen, 1);
	/* The first record behind it: those that are on end there. */
	switched(10, SWITCH_IN, 150);
	assert_int_equal(nr_seen, 3);
	assert_int_equal(seen[1].wait.end, 100);
	assert_int_equal(seen[2].wait.end, 100);
	assert_int_equal(seen[1].tid + seen[2].tid, 10 + 12);
	/* None begins. */
	leaves(10, SWITCH_OUT, 160);
	switched(10, SWITCH_IN, 190);
	sampled(14, 0, 1, 195);
	leaves(13, SWITCH_OUT, 200);
	switched(13, SWITCH_IN, 250);
	switched(12, SWITCH_IN, 260);
	assert_int_equal(nr_seen, 3);
	/* And all goes on. */
	leaves(13, SWITCH_OUT, 270);
	switched(13, SWITCH_IN, 280);
	assert_int_equal(nr_seen, 4);
	is_wait(3, 13, 270, 280);
	assert_int_equal(waits_sums(waits)->cut, 2);
	assert_int_equal(waits_sums(waits)->unknown, 3);
	assert_int_equal(waits_sums(waits)->open, 0);
}

/* The second is known before the first has passed. */
static void losses_follow_each_other(void **state)
{
	(void)state;
	assert_int_equal(waits_until(waits, 90), 0);
	waits_lose(waits, 50, 110);
	assert_int_equal(waits_until(waits, 100), 0);
	waits_lose(waits, 150, 210);
	leaves(10, SWITCH_OUT, 105);
	leaves(11, SWITCH_OUT, 120);
	switched(11, SWITCH_IN, 130);
	leaves(12, SWITCH_OUT, 140);
	switched(10, SWITCH_IN, 145);
	assert_int_equal(nr_seen, 1);
	is_wait(0, 11, 120, 130);
	assert_int_equal(waits_until(waits, 200), 0);
	assert_int_equal(nr_seen, 2);
	is_wait(1, 12, 140, 150);
	leaves(10, SWITCH_OUT, 205);
	assert_int_equal(waits_end(waits, 300), 0);
	assert_int_equal(nr_seen, 2);
}

static void without_its_sample_a_wait_is_unknown(void **state)
{
	(void)state;
	switched(10, SWITCH_OUT, 20);
	switched(10, SWITCH_IN, 30);
	/* Nor has it that of the one before. */
	leaves(10, SWITCH_OUT, 40);
	switched(10, SWITCH_IN, 50);
	switched(10, SWITCH_OUT, 60);
	switched(10, SWITCH_IN, 70);
	assert_int_equal(nr_seen, 1);
	is_wait(0, 10, 40, 50);
	assert_int_equal(waits_sums(waits)->unknown, 0);
}

/* A ring had room for the sample, and not for the record behind it. */
static void without_its_leaving_a_wait_is_unknown(void **state)
{
	(void)state;
	sampled(10, 0, 1, 20);
	switched(10, SWITCH_IN, 30);
	leaves(10, SWITCH_OUT, 40);
	/* And this one's return was lost. */
	leaves(10, SWITCH_OUT, 50);
	switched(10, SWITCH_IN, 60);
	assert_int_equal(waits_sums(waits)->unknown, 2);
	sampled(10, 0, 1, 70);
	waits_lose(waits, 70, 75);
	switched(11, SWITCH_IN, 80);
	assert_int_equal(waits_sums(waits)->unknown, 3);
	/* One that leaves as all ends. */
	sampled(10, 0, 1, 90);
	assert_int_equal(waits_end(waits, 90), 0);
	assert_int_equal(nr_seen, 1);
	is_wait(0, 10, 50, 60);
	assert_int_equal(waits_sums(waits)->unknown, 3);
}

static void an_error_ends_it(void **state)
{
	(void)state;
	refusal = -5;
	leaves(10, SWITCH_OUT, 20);
	assert_int_equal(take_switch(10, SWITCH_IN, 30), -5);
	leaves(10, SWITCH_OUT, 40);
	assert_int_equal(waits_end(waits, 50), -5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_thread_waits),
		TEST(threads_are_told_apart),
		TEST(nobody_waits),
		TEST(the_end_counts),
		TEST(the_beginning_counts),
		TEST(a_leaving_comes_late),
		cmocka_unit_test_setup_teardown(short_waits_are_left_out, setup_with_least,
						teardown),
		TEST(cpus_are_those_that_were_left),
		TEST(the_dead_do_not_wait),
		TEST(numbers_are_used_again),
		TEST(nothing_is_made_up),
		TEST(losses_follow_each_other),
		TEST(without_its_sample_a_wait_is_unknown),
		TEST(without_its_leaving_a_wait_is_unknown),
		TEST(an_error_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
