// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What libpmuctl makes of counts whose sets took turns.
 */
#include <errno.h>

#include "tests/unit/lib/session.h"

#define EVENTS 6	/* over four counters: two sets, two yardsticks */

static int setup(void **state)
{
	char name[16];
	int i;

	(void)state;
	fake_skylake();
	begin();
	for (i = 0; i < EVENTS; i++) {
		snprintf(name, sizeof(name), "r01a%d", i);
		add(name);
	}
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sent(), EVENTS + 2);
	assert_int_equal(sent_event(0).set, 0);
	assert_int_equal(sent_event(5).set, 1);
	assert_int_equal(sent_event(6).set, 0);
	return 0;
}

static void put(int event, uint64_t value, uint64_t running)
{
	fake.counts[event].value = value;
	fake.counts[event].enabled = 1000;
	fake.counts[event].running = running;
}

static struct pmuctl_value values[64];
static size_t nr_values;

static int take(void *data, const struct pmuctl_value *v)
{
	(void)data;
	assert_true(nr_values < 64);
	values[nr_values++] = *v;
	return 0;
}

static void read_all(bool each)
{
	nr_values = 0;
	assert_int_equal(each ? pmuctl_session_read_each(fixture.session, take, NULL) :
				pmuctl_session_read(fixture.session, take, NULL), 0);
}

/* Two thirds of the cycles, whatever the clock says. */
static void cycles_are_the_measure(void **state)
{
	(void)state;
	put(0, 200, 500);
	put(5, 70, 500);
	put(6, 2000, 500);
	put(7, 1000, 500);
	read_all(false);
	assert_int_equal(nr_values, EVENTS);
	assert_int_equal(values[0].value, 200);
	assert_int_equal(values[0].estimate, 300);
	assert_int_equal(values[0].flags, PMUCTL_VALUE_ESTIMATE);
	assert_int_equal(values[5].estimate, 210);
	assert_int_equal(values[5].running, 500);
}

static void time_if_there_are_no_cycles(void **state)
{
	(void)state;
	put(0, 200, 250);
	put(6, 0, 250);
	put(7, 1000, 750);
	read_all(false);
	assert_int_equal(values[0].estimate, 800);
}

/* Its set never had a turn: nothing is made up. */
static void never_on(void **state)
{
	(void)state;
	put(0, 0, 0);
	put(6, 0, 0);
	put(7, 1000, 1000);
	read_all(false);
	assert_int_equal(values[0].estimate, 0);
	assert_int_equal(values[0].flags, PMUCTL_VALUE_ESTIMATE);
}

static void always_on(void **state)
{
	(void)state;
	put(0, 123, 1000);
	put(6, 2000, 1000);
	put(7, 0, 0);
	read_all(false);
	assert_int_equal(values[0].estimate, 123);
	assert_int_equal(values[0].flags, 0);
}

/* 11 * 7 / 3 = 25.67, 10 * 7 / 3 = 23.33: to the nearest. */
static void rounded(void **state)
{
	(void)state;
	put(0, 11, 500);
	put(1, 10, 500);
	put(6, 3, 500);
	put(7, 4, 500);
	read_all(false);
	assert_int_equal(values[0].estimate, 26);
	assert_int_equal(values[1].estimate, 23);
}

/* What takes no turns is no estimate, though it was off for a time. */
static void no_turns(void **state)
{
	(void)state;
	teardown(NULL);
	fake_skylake();
	begin();
	add("r01a0");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	put(0, 100, 250);
	read_all(false);
	assert_int_equal(nr_values, 1);
	assert_int_equal(values[0].estimate, 100);
	assert_int_equal(values[0].flags, 0);
}

/* The pinned events are a set without turns, whose cycles are none of the others'. */
static void pinned_beside(void **state)
{
	char name[16];
	int i;

	(void)state;
	teardown(NULL);
	fake_skylake();
	begin();
	add("r01b1:D");
	for (i = 0; i < EVENTS; i++) {
		snprintf(name, sizeof(name), "r01a%d", i);
		add(name);
	}
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sent(), 1 + EVENTS + 2);
	put(0, 900, 1000);
	put(1, 200, 500);
	put(7, 2000, 500);
	put(8, 1000, 500);
	read_all(false);
	assert_int_equal(nr_values, 1 + EVENTS);
	assert_int_equal(values[0].estimate, 900);
	assert_int_equal(values[0].flags, 0);
	assert_int_equal(values[1].estimate, 300);
	assert_int_equal(values[1].flags, PMUCTL_VALUE_ESTIMATE);
}

/* 128 bits between, and no more than 64 after. */
static void large_numbers(void **state)
{
	(void)state;
	put(0, 1ull << 62, 500);
	put(1, UINT64_MAX, 500);
	put(6, 1ull << 61, 500);
	put(7, 1ull << 61, 500);
	read_all(false);
	assert_int_equal(values[0].estimate, 1ull << 63);
	assert_true(values[1].estimate == UINT64_MAX);
}

/* Each CPU has turns, and cycles, of its own. */
static void each_cpu_by_itself(void **state)
{
	const uint64_t cycles[2][2] = { { 100, 300 }, { 100, 100 } };	/* [set][cpu] */
	int cpu;

	(void)state;
	fake.cpus = 2;
	for (cpu = 0; cpu < 2; cpu++) {
		put(0 * 2 + cpu, 60, 500);
		put(6 * 2 + cpu, cycles[0][cpu], 500);
		put(7 * 2 + cpu, cycles[1][cpu], 500);
	}
	read_all(true);
	assert_int_equal(nr_values, 2 * EVENTS);
	assert_int_equal(values[0].cpu, 0);
	assert_int_equal(values[0].estimate, 120);
	assert_int_equal(values[1].cpu, 1);
	assert_int_equal(values[1].estimate, 80);
}

static void flags_have_names(void **state)
{
	(void)state;
	put(0, 1, 1000);
	put(1, 1, 1000);
	fake.counts[0].flags = PMUCTL_COUNT_INCOMPLETE | PMUCTL_COUNT_DETACHED;
	fake.counts[1].flags = PMUCTL_COUNT_GUESTS | 1u << 30;
	put(2, 1, 1000);
	fake.counts[2].flags = PMUCTL_COUNT_DISTURBED;
	read_all(false);
	assert_int_equal(values[2].flags, PMUCTL_VALUE_DISTURBED);
	assert_int_equal(values[0].flags, PMUCTL_VALUE_INCOMPLETE | PMUCTL_VALUE_DETACHED);
	assert_int_equal(values[1].flags, PMUCTL_VALUE_GUESTS);
}

/* Nothing may be read of a kernel that forgets the yardsticks. */
static void counts_without_yardsticks(void **state)
{
	(void)state;
	fake.nr_events = EVENTS;
	assert_int_equal(pmuctl_session_read(fixture.session, take, NULL), -EBADMSG);
	fake.nr_events = EVENTS + 3;
	assert_int_equal(pmuctl_session_read(fixture.session, take, NULL), -EBADMSG);
}

/* A caller's function may well talk to the kernel itself. */
static int take_and_ask(void *data, const struct pmuctl_value *v)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	(void)data;
	assert_int_equal(pmuctl_get_info(fixture.ctx, &info), 0);
	assert_int_equal(v->value, 100 + v->event);
	return 0;
}

static void callbacks_may_talk(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < EVENTS; i++)
		put(i, 100 + (uint64_t)i, 1000);
	assert_int_equal(pmuctl_session_read(fixture.session, take_and_ask, NULL), 0);
}

/* Where the module gives one, a descriptor is read and no message sent. */
static void no_descriptor_of_a_dry_run(void **state)
{
	(void)state;
	teardown(NULL);
	fake_skylake();
	fake.features |= PMUCTL_FEATURE_FD;
	begin();
	add("cycles");
	add("branches");
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 1), 0);
	assert_int_equal(create(PMUCTL_DRY_RUN), 0);
	assert_int_equal(nla_get_u64(sent(PMUCTL_A_SESSION_FLAGS, 0)), PMUCTL_SESSION_DRY_RUN);
}

static void counts_of_a_descriptor(void **state)
{
	(void)state;
	teardown(NULL);
	fake_skylake();
	fake.features |= PMUCTL_FEATURE_FD;
	begin();
	add("cycles");
	add("branches");
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 1), 0);
	assert_int_equal(create(0), 0);
	fake.cpus = 2;
	put(0, 11, 1000);
	put(1, 12, 1000);
	put(2, 13, 1000);
	read_all(false);
	assert_int_equal(nr_values, 2);
	assert_int_equal(values[1].value, 12);
	read_all(true);
	assert_int_equal(nr_values, 4);
	assert_int_equal(values[2].value, 13);
	assert_int_equal(values[2].event, 1);
	assert_int_equal(fake.fd_reads, 2);
	assert_int_equal(fake.requests[PMUCTL_CMD_COUNT_GET], 0);
	/* A message has words for what a descriptor has a number for. */
	fake.fd_errno = -ENODEV;
	fake.fail_cmd = PMUCTL_CMD_COUNT_GET;
	fake.fail_errno = -ENOENT;
	fake.extack = "there is no session 7: it has ended";
	assert_int_equal(pmuctl_session_read(fixture.session, take, NULL), -ENOENT);
	assert_string_equal(pmuctl_error(fixture.ctx), fake.extack);
	fake.fail_cmd = 0;
	read_all(true);
	assert_int_equal(nr_values, 4);
	pmuctl_session_free(fixture.session);
	fixture.session = NULL;
	assert_int_equal(fake.fds_closed, 1);
}

static void resets(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_session_reset(fixture.session), 0);
	assert_int_equal(fake.requests[PMUCTL_CMD_COUNT_RESET], 1);
	fake.fail_cmd = PMUCTL_CMD_COUNT_RESET;
	fake.fail_errno = -ENOENT;
	fake.extack = "there is no session 7";
	assert_int_equal(pmuctl_session_reset(fixture.session), -ENOENT);
	assert_string_equal(pmuctl_error(fixture.ctx), "there is no session 7");
}

static void resets_of_old_modules(void **state)
{
	(void)state;
	teardown(NULL);
	fake_skylake();
	fake.features = 0x1f;
	begin();
	assert_int_equal(pmuctl_session_reset(fixture.session), -EINVAL);
	add("cycles");
	assert_int_equal(create(0), 0);
	assert_int_equal(pmuctl_session_reset(fixture.session), -EOPNOTSUPP);
	assert_int_equal(fake.requests[PMUCTL_CMD_COUNT_RESET], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cycles_are_the_measure, setup, teardown),
		cmocka_unit_test_setup_teardown(time_if_there_are_no_cycles, setup, teardown),
		cmocka_unit_test_setup_teardown(never_on, setup, teardown),
		cmocka_unit_test_setup_teardown(always_on, setup, teardown),
		cmocka_unit_test_setup_teardown(rounded, setup, teardown),
		cmocka_unit_test_setup_teardown(no_turns, setup, teardown),
		cmocka_unit_test_setup_teardown(pinned_beside, setup, teardown),
		cmocka_unit_test_setup_teardown(large_numbers, setup, teardown),
		cmocka_unit_test_setup_teardown(each_cpu_by_itself, setup, teardown),
		cmocka_unit_test_setup_teardown(flags_have_names, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_without_yardsticks, setup, teardown),
		cmocka_unit_test_setup_teardown(callbacks_may_talk, setup, teardown),
		cmocka_unit_test_setup_teardown(no_descriptor_of_a_dry_run, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_of_a_descriptor, setup, teardown),
		cmocka_unit_test_setup_teardown(resets, setup, teardown),
		cmocka_unit_test_setup_teardown(resets_of_old_modules, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
