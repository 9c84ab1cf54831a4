// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libpmuctl's packing of events into sets: what goes to the kernel when not
 * all of it fits at once.
 */
#include <errno.h>

#include "tests/unit/lib/session.h"

#define FIXED(i) (1ull << (32 + (i)))

static int setup(void **state)
{
	(void)state;
	fake_skylake();
	begin();
	return 0;
}

/* Like any kernel, this one would refuse a set that has no counters for all. */
static bool place(const uint64_t *masks, int n, int i, uint64_t taken)
{
	uint64_t left;

	if (i == n)
		return true;
	for (left = masks[i] & ~taken; left; left &= left - 1)
		if (place(masks, n, i + 1, taken | (left & -left)))
			return true;
	return false;
}

static void every_set_fits(void)
{
	uint64_t masks[64];
	uint32_t set;
	int i, n, all = nr_sent();

	for (set = 0; set < 64; set++) {
		for (i = 0, n = 0; i < all; i++)
			if (sent_event(i).set == set || sent_event(i).flags & PMUCTL_EVENT_PINNED)
				masks[n++] = sent_event(i).counters & fake.counters;
		if (!place(masks, n, 0, 0))
			fail_msg("set %u does not fit", set);
	}
}

static uint32_t nr_sets(void)
{
	uint32_t last = 0;
	int i;

	for (i = 0; i < nr_sent(); i++)
		last = sent_event(i).set > last ? sent_event(i).set : last;
	return last + 1;
}

static void one_set_if_it_fits(void **state)
{
	(void)state;
	add("instructions:D");
	add("branches");
	add("r01c2");
	assert_int_equal(pmuctl_session_fits(fixture.session), 1);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sent(), 3);
	assert_int_equal(nr_sets(), 1);
	/* All are always on, so that none has to be pinned. */
	assert_int_equal(sent_event(0).flags, PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL);
	assert_null(sent(PMUCTL_A_SESSION_INTERVAL, 0));
}

static const char *const twelve[] = {
	"r01a0", "r01a1", "r01a2", "r01a3", "r01a4", "r01a5",
	"r01a6", "r01a7", "r01a8", "r01a9", "r01aa", "r01ab",
};

static void twelve_over_four(void **state)
{
	unsigned int count[64] = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 12; i++)
		add(twelve[i]);
	assert_int_equal(pmuctl_session_fits(fixture.session), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 3);
	every_set_fits();
	/* The caller's come first and in order, then a yardstick for each set. */
	assert_int_equal(nr_sent(), 15);
	for (i = 0; i < 12; i++)
		assert_int_equal(sent_event(i).reg[0].value, 0x1a0 + i);
	for (i = 12; i < 15; i++) {
		assert_int_equal(sent_event(i).reg[0].value, 0x3c);
		assert_int_equal(sent_event(i).counters & FIXED(1), FIXED(1));
		count[sent_event(i).set]++;
	}
	assert_true(count[0] == 1 && count[1] == 1 && count[2] == 1);
}

/* Each takes two of the four counters: so many fit, in so many sets. */
static void some_take_two(void **state)
{
	(void)state;
	fake.info_new = true;
	fake.errata = PMUCTL_ERRATUM_TWIN;
	add("r81d0");
	add("r01d1");
	assert_int_equal(pmuctl_session_fits(fixture.session), 1);
	add("r01a0");
	assert_int_equal(pmuctl_session_fits(fixture.session), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 2);
}

static void pinned_take_two(void **state)
{
	(void)state;
	fake.info_new = true;
	fake.errata = PMUCTL_ERRATUM_TWIN;
	add("r81d0:D");
	add("r01a0");
	add("r01a1");
	add("r01a2");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(__builtin_popcountll(sent_event(0).counters), 2);
	assert_int_equal(nr_sets(), 3);
}

/* Of Sapphire Rapids, sampled. */
static void add_load(void)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = 1000 };
	struct pmuctl_event *event;

	fake_cpu(0x806f8, 5, 0xf000000ffull);
	fake_sampling(4);
	fake.info_new = true;
	fake.any = 0;
	fake.errata = PMUCTL_ERRATUM_AUXILIARY;
	assert_int_equal(pmuctl_event_parse(fixture.ctx, "mem-loads:pp", &event), 0);
	assert_int_equal(pmuctl_event_sample(event, &sampling), 0);
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
}

/* Of the counters 0 to 3 the module has one, for what has to run beside it. */
static void one_runs_beside(void **state)
{
	(void)state;
	add_load();
	add("r81d0");
	add("r82d0");
	add("r01d1");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 1);
	assert_int_equal(nr_sent(), 4);
}

static void one_too_many_beside(void **state)
{
	static const char *const loads[] = { "r81d0", "r82d0", "r01d1", "r02d1" };
	int i;

	(void)state;
	add_load();
	for (i = 0; i < 4; i++)
		add(loads[i]);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 2);
}

/* Of which it is one: nobody hears of the yardsticks. */
static void hidden_events_stay_hidden(void **state)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };
	int i;

	(void)state;
	for (i = 0; i < 12; i++)
		add(twelve[i]);
	assert_int_equal(create(PMUCTL_MULTIPLEX | PMUCTL_DRY_RUN), 0);
	assert_int_equal(pmuctl_session_assignment(fixture.session, 11, &a), 0);
	assert_true(a.set < 3);
	assert_int_equal(pmuctl_session_assignment(fixture.session, 12, &a), -ENOENT);
}

static void no_sets_unless_asked_for(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 12; i++)
		add(twelve[i]);
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -ENOSPC;
	fake.extack = "12 events, 4 counters";
	assert_int_equal(create(0), -ENOSPC);
	assert_string_equal(pmuctl_error(fixture.ctx), "12 events, 4 counters");
	assert_int_equal(nr_sets(), 1);
	assert_int_equal(nr_sent(), 12);
}

static void old_modules_have_no_sets(void **state)
{
	int i;

	(void)state;
	fake.features = 0x1f;
	for (i = 0; i < 12; i++)
		add(twelve[i]);
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 2000000), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "take turns"));
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 0);
}

static void groups_stay_whole(void **state)
{
	static const char *const a[] = { "r01a0", "r01a1", "r01a2", NULL };
	static const char *const b[] = { "r01b0", "r01b1", "cycles", NULL };
	static const char *const c[] = { "r01c1", "r01c2", "instructions", NULL };
	int i;

	(void)state;
	assert_int_equal(add_group(a), 0);
	add("r0142");
	assert_int_equal(add_group(b), 0);
	assert_int_equal(add_group(c), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	every_set_fits();
	assert_int_equal(nr_sets(), 2);
	for (i = 0; i < 3; i++) {
		assert_int_equal(sent_event(i).set, sent_event(0).set);
		assert_int_equal(sent_event(i).group, sent_event(0).group);
		assert_int_equal(sent_event(i + 4).set, sent_event(4).set);
		assert_int_equal(sent_event(i + 7).set, sent_event(7).set);
	}
	assert_int_equal(sent_event(3).group, 0);
	assert_int_not_equal(sent_event(0).group, sent_event(4).group);
	assert_int_not_equal(sent_event(0).group, sent_event(7).group);
}

static void too_large_a_group(void **state)
{
	static const char *const five[] = { "r01a0", "r01a1", "r01a2", "r01a3", "r01a4", NULL };
	static const char *const wide[] = {
		"rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0",
		"rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0",
		"rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", "rc0", NULL
	};

	(void)state;
	add("r0142");
	assert_int_equal(add_group(five), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "too many events in a group"));
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "{r01a0,r01a1,r01a2,r01a3,r01a4} has 5"));
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "4 general-purpose"));
	teardown(NULL);
	begin();
	assert_int_equal(add_group(wide), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "has 34"));
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 0);
}

static void groups_are_checked(void **state)
{
	static const char *const half[] = { "r01a0:D", "r01a1", NULL };

	(void)state;
	assert_int_equal(add_group(half), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "pinned"));
	assert_int_equal(pmuctl_session_add_group(fixture.session, NULL, 0), -EINVAL);
	assert_int_equal(create(0), -EINVAL);
}

/* Pinned events keep one counter, and every other set does without it. */
static void pinned_beside_all(void **state)
{
	uint64_t pinned = 0;
	int i;

	(void)state;
	add("r01d0:D");
	add("instructions:D");
	for (i = 0; i < 6; i++)
		add(twelve[i]);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	every_set_fits();
	assert_int_equal(nr_sets(), 3);
	for (i = 0; i < 2; i++) {
		assert_true(sent_event(i).flags & PMUCTL_EVENT_PINNED);
		assert_int_equal(sent_event(i).set, 0);
		assert_int_equal(__builtin_popcountll(sent_event(i).counters), 1);
		pinned |= sent_event(i).counters;
	}
	assert_true(pinned & FIXED(0));
	for (i = 2; i < 8; i++)
		assert_true(sent_event(i).set == 1 || sent_event(i).set == 2);
}

static void pinned_take_too_much(void **state)
{
	(void)state;
	add("r01d0:D");
	add("r01d1:D");
	add("r01d2:D");
	add("r01d3:D");
	add("r01a0");
	assert_int_equal(create(PMUCTL_MULTIPLEX), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "beside the pinned events"));
	teardown(NULL);
	begin();
	add("r01d0:D");
	add("r01d1:D");
	add("r01d2:D");
	add("r01d3:D");
	add("r01a0:D");
	assert_int_equal(create(PMUCTL_MULTIPLEX), -ENOSPC);
}

/* Narrow ones first would be placed last by chance otherwise. */
static void counters_that_few_can_use(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 4; i++)
		add(twelve[i]);
	for (i = 0; i < 2; i++)
		add("r01c0:u");		/* PMC1 alone */
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	every_set_fits();
	assert_int_equal(nr_sets(), 2);
	assert_int_not_equal(sent_event(4).set, sent_event(5).set);
}

/* The caller's own cycles will do, and its fixed counter is theirs. */
static void own_cycles_are_a_yardstick(void **state)
{
	int i, cycles = 0;

	(void)state;
	add("cycles");
	for (i = 0; i < 8; i++)
		add(twelve[i]);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	every_set_fits();
	assert_int_equal(nr_sets(), 2);
	for (i = 0; i < nr_sent(); i++)
		cycles += sent_event(i).reg[0].value == 0x3c;
	assert_int_equal(cycles, 2);
}

/* It measures the rings that are counted, and no more. */
static void yardstick_of_the_same_rings(void **state)
{
	int i;
	char name[32];

	(void)state;
	for (i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "%s:u", twelve[i]);
		add(name);
	}
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sent(), 7);
	assert_int_equal(sent_event(6).flags, PMUCTL_EVENT_USER);
}

static void no_counter_for_a_yardstick(void **state)
{
	int i;

	(void)state;
	fake.counters = 0x1;
	for (i = 0; i < 3; i++)
		add(twelve[i]);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 3);
	assert_int_equal(nr_sent(), 3);
}

static void others_hold_counters(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 4; i++)
		add(twelve[i]);
	fake.counters_used = 0x3;
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.extack = "pid 7 has two of them";
	fake.fail_times = 1;
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 2);
	fake.counters &= ~0x3ull;
	every_set_fits();
	assert_int_equal(nr_sets(), 2);
}

static void others_hold_too_many(void **state)
{
	static const char *const a[] = { "r01a0", "r01a1", "r01a2", NULL };

	(void)state;
	assert_int_equal(add_group(a), 0);
	fake.counters_used = 0x3;
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.extack = "pid 7 has two of them";
	assert_int_equal(create(PMUCTL_MULTIPLEX), -EBUSY);
	assert_string_equal(pmuctl_error(fixture.ctx), "pid 7 has two of them");
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 1);
	assert_int_equal(create(0), -EBUSY);
}

static void intervals(void **state)
{
	(void)state;
	add("cycles");
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 99999), -EINVAL);
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 1000000001), -EINVAL);
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 100000), 0);
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 1000000000), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nla_get_u64(sent(PMUCTL_A_SESSION_INTERVAL, 0)), 1000000000);
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 1000000), -EINVAL);
}

static void created_once(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	add("cycles");
	assert_int_equal(create(0), 0);
	event = parsed("branches");
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), -EINVAL);
	assert_int_equal(pmuctl_session_add_group(fixture.session, &event, 1), -EINVAL);
	pmuctl_event_free(event);
	assert_int_equal(create(0), -EINVAL);
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 1);
}

static void as_many_events_as_there_may_be(void **state)
{
	struct pmuctl_event *event;
	char name[16];
	int i;

	(void)state;
	for (i = 0; i < 256; i++) {
		snprintf(name, sizeof(name), "r%02xb1", i);
		add(name);
	}
	event = parsed("branches");
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), -E2BIG);
	pmuctl_event_free(event);
	/* 64 sets and no room for a single yardstick. */
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sent(), 256);
	assert_int_equal(nr_sets(), 64);
	teardown(NULL);
	fake.counters = 0x700000007ull;
	begin();
	for (i = 0; i < 256; i++) {
		snprintf(name, sizeof(name), "r%02xb1", i);
		add(name);
	}
	assert_int_equal(create(PMUCTL_MULTIPLEX), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "86 turns"));
}

/* --- registers beside the event select --- */

static void offcore_takes_the_other_register(void **state)
{
	(void)state;
	add("r01b7:offcore_rsp=0x10001");
	add("r01b7:offcore_rsp=0x10002");
	add("r01bb:offcore_rsp=0x10001");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 1);
	assert_int_equal(sent_event(0).nr_regs, 2);
	assert_int_equal(sent_event(0).reg[0].value, 0x1b7);
	assert_int_equal(sent_event(0).reg[1].reg, PMUCTL_REG_OFFCORE_RSP);
	assert_int_equal(sent_event(0).reg[1].index, 0);
	assert_int_equal(sent_event(0).reg[1].value, 0x10001);
	assert_int_equal(sent_event(1).reg[0].value, 0x1bb);
	assert_int_equal(sent_event(1).reg[1].index, 1);
	assert_int_equal(sent_event(1).reg[1].value, 0x10002);
	assert_int_equal(sent_event(2).reg[0].value, 0x1b7);
	assert_int_equal(sent_event(2).reg[1].index, 0);
}

static void three_offcore_conditions(void **state)
{
	(void)state;
	add("r01b7:offcore_rsp=0x10001");
	add("r01b7:offcore_rsp=0x10002");
	add("r01b7:offcore_rsp=0x10004");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 2);
	assert_int_equal(create(PMUCTL_MULTIPLEX), -EINVAL);
	/* Where threads share the registers, turns do not help. */
	teardown(NULL);
	fake.threads = true;
	begin();
	add("r01b7:offcore_rsp=0x10001");
	add("r01b7:offcore_rsp=0x10002");
	add("r01b7:offcore_rsp=0x10004");
	assert_int_equal(create(PMUCTL_MULTIPLEX), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "OFFCORE_RSP_0 and _1"));
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "shared"));
}

/* Somebody else counts with another value in the first one. */
static void others_hold_the_offcore_register(void **state)
{
	(void)state;
	add("r01b7:offcore_rsp=0x10001");
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.extack = "pid 7 has another value in it";
	fake.fail_times = 1;
	assert_int_equal(create(0), 0);
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 2);
	assert_int_equal(sent_event(0).reg[0].value, 0x1bb);
	assert_int_equal(sent_event(0).reg[1].index, 1);
	teardown(NULL);
	begin();
	add("r01b7:offcore_rsp=0x10001");
	fake.fail_times = 0;
	assert_int_equal(create(0), -EBUSY);
	assert_string_equal(pmuctl_error(fixture.ctx), "pid 7 has another value in it");
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 4);
}

/* Their second one has the same event with another umask; requests outstanding stay. */
static void offcore_registers_of_small_cores(void **state)
{
	(void)state;
	teardown(NULL);
	fake_cpu(0xa06f3, 5, 0x7000000ffull);
	begin();
	add("r01b7:offcore_rsp=0x10001");
	add("r01b7:offcore_rsp=0x10002");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 1);
	assert_int_equal(sent_event(0).reg[0].value, 0x1b7);
	assert_int_equal(sent_event(1).reg[0].value, 0x2b7);
	assert_int_equal(sent_event(1).reg[1].index, 1);
	teardown(NULL);
	fake_cpu(0xa06f3, 5, 0x7000000ffull);
	begin();
	add("r01b7:offcore_rsp=0x8000000000000001");
	add("r01b7:offcore_rsp=0x8000000000000002");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 2);
	assert_int_equal(sent_event(0).reg[0].value, 0x1b7);
	assert_int_equal(sent_event(1).reg[0].value, 0x1b7);
	assert_int_equal(sent_event(1).reg[1].index, 0);
}

static void nehalem_has_one_offcore_register(void **state)
{
	(void)state;
	teardown(NULL);
	fake_cpu(0x106a5, 3, 0x70000000full);
	begin();
	add("r01b7:offcore_rsp=0x11");
	add("r01b7:offcore_rsp=0x12");
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(nr_sets(), 2);
	assert_int_equal(sent_event(1).reg[0].value, 0x1b7);
	assert_int_equal(sent_event(1).reg[1].index, 0);
	teardown(NULL);
	begin();
	add("r01b7:offcore_rsp=0x11");
	add("r01b7:offcore_rsp=0x12");
	assert_int_equal(create(0), -ENOSPC);
}

static void one_latency_at_a_time(void **state)
{
	static const char *const a[] = { "r01cd:ldlat=30", "r01cd:ldlat=60", NULL };

	(void)state;
	add("r01cd:ldlat=30");
	add("r01cd:ldlat=60");
	add("r01cd:ldlat=30:u");
	assert_int_equal(create(PMUCTL_MULTIPLEX | PMUCTL_DRY_RUN), 0);
	assert_int_equal(nr_sets(), 2);
	assert_int_equal(sent_event(0).set, sent_event(2).set);
	teardown(NULL);
	begin();
	assert_int_equal(add_group(a), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX | PMUCTL_DRY_RUN), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "one value at a time"));
}

static void limits_of_an_event(void **state)
{
	struct pmuctl_event *event = parsed("cycles");

	(void)state;
	assert_int_equal(pmuctl_event_limit(event, 1ull << 40), -EINVAL);
	assert_int_equal(pmuctl_event_limit(event, 0x4 | 1ull << 40), 0);
	assert_int_equal(pmuctl_event_get_info(event)->counters, 0x4);
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
	assert_int_equal(create(0), 0);
	assert_int_equal(sent_event(0).counters, 0x4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_set_if_it_fits, setup, teardown),
		cmocka_unit_test_setup_teardown(twelve_over_four, setup, teardown),
		cmocka_unit_test_setup_teardown(some_take_two, setup, teardown),
		cmocka_unit_test_setup_teardown(pinned_take_two, setup, teardown),
		cmocka_unit_test_setup_teardown(one_runs_beside, setup, teardown),
		cmocka_unit_test_setup_teardown(one_too_many_beside, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_events_stay_hidden, setup, teardown),
		cmocka_unit_test_setup_teardown(no_sets_unless_asked_for, setup, teardown),
		cmocka_unit_test_setup_teardown(old_modules_have_no_sets, setup, teardown),
		cmocka_unit_test_setup_teardown(groups_stay_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(too_large_a_group, setup, teardown),
		cmocka_unit_test_setup_teardown(groups_are_checked, setup, teardown),
		cmocka_unit_test_setup_teardown(pinned_beside_all, setup, teardown),
		cmocka_unit_test_setup_teardown(pinned_take_too_much, setup, teardown),
		cmocka_unit_test_setup_teardown(counters_that_few_can_use, setup, teardown),
		cmocka_unit_test_setup_teardown(own_cycles_are_a_yardstick, setup, teardown),
		cmocka_unit_test_setup_teardown(yardstick_of_the_same_rings, setup, teardown),
		cmocka_unit_test_setup_teardown(no_counter_for_a_yardstick, setup, teardown),
		cmocka_unit_test_setup_teardown(others_hold_counters, setup, teardown),
		cmocka_unit_test_setup_teardown(others_hold_too_many, setup, teardown),
		cmocka_unit_test_setup_teardown(intervals, setup, teardown),
		cmocka_unit_test_setup_teardown(created_once, setup, teardown),
		cmocka_unit_test_setup_teardown(as_many_events_as_there_may_be, setup, teardown),
		cmocka_unit_test_setup_teardown(offcore_takes_the_other_register, setup, teardown),
		cmocka_unit_test_setup_teardown(three_offcore_conditions, setup, teardown),
		cmocka_unit_test_setup_teardown(others_hold_the_offcore_register, setup, teardown),
		cmocka_unit_test_setup_teardown(nehalem_has_one_offcore_register, setup, teardown),
		cmocka_unit_test_setup_teardown(offcore_registers_of_small_cores, setup, teardown),
		cmocka_unit_test_setup_teardown(one_latency_at_a_time, setup, teardown),
		cmocka_unit_test_setup_teardown(limits_of_an_event, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
