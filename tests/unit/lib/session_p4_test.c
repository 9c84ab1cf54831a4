// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sessions of the Pentium 4's events: which fit together, what tags them, what
 * takes turns, cascades and samples.
 */
#include <errno.h>
#include <stdlib.h>

#include "tests/unit/lib/event_p4.h"

static struct pmuctl_session *session_of(struct pmuctl *ctx, const char *const *events)
{
	struct pmuctl_session *s;
	struct pmuctl_event *event;

	assert_int_equal(pmuctl_session_new(ctx, &s), 0);
	assert_int_equal(pmuctl_session_add_process(s, 1), 0);
	for (; *events; events++) {
		if (pmuctl_event_parse(ctx, *events, &event))
			fail_msg("%s: %s", *events, pmuctl_error(ctx));
		assert_int_equal(pmuctl_session_add_event(s, event), 0);
		pmuctl_event_free(event);
	}
	return s;
}

static const char *const seventeen[] = {
	"global_power_events:RUNNING", "ITLB_reference:MISS", "page_walk_type:DTMISS",
	"TC_deliver_mode:DD", "uop_queue_writes:FROM_ROM", "retired_branch_type:CALL",
	"retired_mispred_branch_type:RETURN",
	"memory_complete:LSC", "load_port_replay", "x87_FP_uop", "packed_SP_uop",
	"instr_retired", "uops_retired", "branch_retired", "machine_clear", "resource_stall",
	"uop_type:TAGLOADS", NULL
};

static bool fits(struct pmuctl *ctx, const char *const *events)
{
	struct pmuctl_session *s = session_of(ctx, events);
	bool fit = pmuctl_session_fits(s) == 1;

	pmuctl_session_free(s);
	return fit;
}

static void fitting(void **state)
{
	static const char *const same_escr[] = {
		"instr_retired", "instr_retired", "instr_retired", "instr_retired", NULL
	};
	static const char *const three_values[] = {
		"instr_retired:NBOGUSTAG", "instr_retired:NBOGUSNTAG", "instr_retired:BOGUSTAG",
		NULL
	};
	static const char *const two_causes[] = {
		"1stL_cache_load_miss_retired", "DTLB_load_miss_retired", NULL
	};
	static const char *const four_tags[] = {
		"packed_SP_retired", "packed_DP_retired", NULL
	};
	static const char *const front[] = { "memory_loads", "memory_stores", NULL };
	static const char *const usual[] = {
		"cycles", "instructions", "branches", "branch-misses", NULL
	};
	struct pmuctl *ctx;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_true(fits(ctx, seventeen));
	assert_true(fits(ctx, same_escr));
	assert_true(fits(ctx, usual));
	assert_true(fits(ctx, four_tags));
	assert_false(fits(ctx, three_values));
	assert_false(fits(ctx, two_causes));
	assert_false(fits(ctx, front));
	pmuctl_close(ctx);
}

/* The request's events, with their first register and their set. */
struct asked {
	uint64_t escr, cccr;
	uint32_t set, group, cascade;
	uint64_t after;
};

static size_t asked_for(struct asked *asked, size_t room)
{
	struct nlattr *attr, *regs;
	size_t count = 0;
	struct pmuctl_reg reg[2];
	int rem;

	nlmsg_for_each_attr(attr, (struct nlmsghdr *)fake.last_new, 4, rem) {
		struct nlattr *a[PMUCTL_A_EVENT_MAX + 1];

		if (nla_type(attr) != PMUCTL_A_SESSION_EVENT || count == room)
			continue;
		nla_parse_nested(a, PMUCTL_A_EVENT_MAX, attr, NULL);
		regs = a[PMUCTL_A_EVENT_REGS];
		memcpy(reg, nla_data(regs), sizeof(reg));
		asked[count++] = (struct asked){
			.escr = reg[0].value, .cccr = reg[1].value,
			.set = a[PMUCTL_A_EVENT_SET] ? nla_get_u32(a[PMUCTL_A_EVENT_SET]) : 0,
			.group = a[PMUCTL_A_EVENT_GROUP] ? nla_get_u32(a[PMUCTL_A_EVENT_GROUP]) : 0,
			.after = a[PMUCTL_A_EVENT_AFTER] ? nla_get_u64(a[PMUCTL_A_EVENT_AFTER]) : 0,
			.cascade = a[PMUCTL_A_EVENT_CASCADE] ?
				   nla_get_u32(a[PMUCTL_A_EVENT_CASCADE]) : 99,
		};
	}
	return count;
}

/* Each metric has a tag of its own, and an event of ours that sets it. */
static void tags(void **state)
{
	static const char *const metrics[] = {
		"packed_SP_retired", "packed_DP_retired", "packed_SP_retired:bogus", NULL
	};
	static const char *const five[] = {
		"packed_SP_retired", "packed_DP_retired", "scalar_SP_retired", "scalar_DP_retired",
		"X87_FP_retired", NULL
	};
	struct asked asked[16];
	struct pmuctl_session *s;
	struct pmuctl *ctx;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	s = session_of(ctx, metrics);
	assert_int_equal(pmuctl_session_create(s, PMUCTL_MULTIPLEX), 0);
	/* Three values, for which the two ESCRs do not do: two sets. */
	assert_int_equal(asked_for(asked, 16) >= 5, 1);
	assert_int_equal(asked[0].escr, ESCR(0xc, 1));
	assert_int_equal(asked[1].escr, ESCR(0xc, 2));
	assert_int_equal(asked[2].escr, ESCR(0xc, 0x10));
	pmuctl_session_free(s);
	s = session_of(ctx, five);
	assert_int_equal(pmuctl_session_create(s, PMUCTL_MULTIPLEX), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(ctx), "one tag too many"));
	pmuctl_session_free(s);
	pmuctl_close(ctx);
}

/* Two causes of replay take turns, but not where another thread may have the other one. */
static void threads(void **state)
{
	static const char *const causes[] = {
		"1stL_cache_load_miss_retired", "DTLB_load_miss_retired", NULL
	};
	struct pmuctl_event *a, *b;
	struct pmuctl_session *s;
	struct pmuctl *ctx;
	int shared;

	(void)state;
	for (shared = 0; shared < 2; shared++) {
		fake_p4(FAKE_PRESCOTT);
		fake.threads = shared;
		assert_int_equal(pmuctl_open(NULL, &ctx), 0);
		s = session_of(ctx, causes);
		assert_int_equal(pmuctl_session_create(s, PMUCTL_MULTIPLEX),
				 shared ? -ENOSPC : 0);
		pmuctl_session_free(s);
		assert_int_equal(pmuctl_event_parse(ctx, causes[0], &a), 0);
		assert_int_equal(pmuctl_event_parse(ctx, causes[1], &b), 0);
		assert_int_equal(pmuctl_events_clash(a, b), shared);
		assert_false(pmuctl_events_clash(a, a));
		pmuctl_event_free(a);
		pmuctl_event_free(b);
		pmuctl_close(ctx);
	}
}

static void one_upstream(void **state)
{
	static const char *const metrics[] = { "memory_loads:u", NULL };
	struct pmuctl_assignment a = { .size = sizeof(a) };
	struct asked asked[16];
	struct pmuctl_session *s;
	struct pmuctl *ctx;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	s = session_of(ctx, metrics);
	assert_int_equal(pmuctl_session_create(s, 0), 0);
	assert_int_equal(asked_for(asked, 16), 2);
	assert_int_equal(asked[1].escr, ESCR(2, 2));
	assert_int_equal(asked[1].cccr, CCCR(2));
	assert_int_equal(pmuctl_session_upstream(s, 0, 0, &a), 0);
	assert_int_equal(a.counter, 17);
	assert_int_equal(pmuctl_session_upstream(s, 0, 1, &a), -ENOENT);
	pmuctl_session_free(s);
	pmuctl_close(ctx);
}

static void cascade(void **state)
{
	static const char *const two[] = { "instr_retired:u", "branch_retired:u", NULL };
	struct asked asked[16];
	struct pmuctl_session *s;
	struct pmuctl *ctx;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	s = session_of(ctx, two);
	assert_int_equal(pmuctl_session_cascade(s, 0, 0, 1), -EINVAL);
	assert_int_equal(pmuctl_session_cascade(s, 0, 5, 2), -EINVAL);
	assert_int_equal(pmuctl_session_cascade(s, 0, 10000, 1), 0);
	assert_int_equal(pmuctl_session_create(s, 0), 0);
	assert_int_equal(asked_for(asked, 16), 2);
	assert_int_equal(asked[0].after, 10000);
	assert_int_equal(asked[0].cascade, 99);
	assert_int_equal(asked[1].after, 0);
	assert_int_equal(asked[1].cascade, 0);
	pmuctl_session_free(s);
	pmuctl_close(ctx);
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	s = session_of(ctx, (const char *const []){ "cycles", "instructions", NULL });
	assert_int_equal(pmuctl_session_cascade(s, 0, 1, 1), -EOPNOTSUPP);
	pmuctl_session_free(s);
	pmuctl_close(ctx);
}

static int sample(struct pmuctl *ctx, const char *name, struct pmuctl_sampling sampling,
		  uint64_t *cccr)
{
	struct pmuctl_event *event;
	int err;

	assert_int_equal(pmuctl_event_parse(ctx, name, &event), 0);
	sampling.size = sizeof(sampling);
	err = pmuctl_event_sample(event, &sampling);
	*cccr = pmuctl_event_get_info(event)->registers[1].value;
	if (!err && sampling.precise)
		assert_int_equal(pmuctl_event_get_info(event)->counters, 0x30000);
	pmuctl_event_free(event);
	return err;
}

static void sampling(void **state)
{
	const struct pmuctl_sampling precise = { .period = 1000, .precise = 2 };
	const struct pmuctl_sampling forced = { .period = 1, .force_overflow = true };
	const struct pmuctl_sampling wrong = { .period = 2, .force_overflow = true };
	struct pmuctl *ctx;
	uint64_t cccr;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	fake_sampling(0x40);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(sample(ctx, "l1d-load-misses", precise, &cccr), 0);
	assert_int_equal(sample(ctx, "packed_SP_retired", precise, &cccr), 0);
	assert_int_equal(sample(ctx, "instructions", precise, &cccr), -EOPNOTSUPP);
	assert_int_equal(sample(ctx, "machine_clear", forced, &cccr), 0);
	assert_int_equal(cccr, CCCR(5) | 0x2000000);
	assert_int_equal(sample(ctx, "machine_clear", wrong, &cccr), -EINVAL);
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fitting),
		cmocka_unit_test(tags),
		cmocka_unit_test(threads),
		cmocka_unit_test(one_upstream),
		cmocka_unit_test(cascade),
		cmocka_unit_test(sampling),
	};

	setenv("LIBPFM_FORCE_PMU", "netburst_p", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
