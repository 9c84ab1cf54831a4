// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libpmuctl's sessions: what goes to the kernel, what comes back, and what is
 * refused of that.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <string.h>
#include <unistd.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"

struct fixture {
	struct pmuctl *ctx;
	struct pmuctl_session *session;
};

static struct fixture fixture;

static void add(const char *name)
{
	struct pmuctl_event *event;

	assert_int_equal(pmuctl_event_parse(fixture.ctx, name, &event), 0);
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
}

static int setup(void **state)
{
	(void)state;
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &fixture.ctx), 0);
	assert_int_equal(pmuctl_session_new(fixture.ctx, &fixture.session), 0);
	add("instructions:u");
	add("r01c4:k");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	pmuctl_session_free(fixture.session);
	pmuctl_close(fixture.ctx);
	return 0;
}

static int create(uint64_t options)
{
	assert_int_equal(pmuctl_session_add_process(fixture.session, 17), 0);
	return pmuctl_session_create(fixture.session, options);
}

static struct nlattr *sent(int type, int which)
{
	struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, (struct nlmsghdr *)(void *)fake.last_new, GENL_HDRLEN, rem)
		if (nla_type(attr) == type && !which--)
			return attr;
	return NULL;
}

static void check_event(int which, uint64_t flags, uint64_t value, uint64_t counters)
{
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1];
	struct pmuctl_reg reg;

	assert_int_equal(nla_parse_nested(attrs, PMUCTL_A_EVENT_MAX,
					  sent(PMUCTL_A_SESSION_EVENT, which), NULL), 0);
	assert_int_equal(nla_get_u64(attrs[PMUCTL_A_EVENT_FLAGS]), flags);
	assert_int_equal(nla_get_u64(attrs[PMUCTL_A_EVENT_COUNTERS]), counters);
	assert_int_equal(nla_len(attrs[PMUCTL_A_EVENT_REGS]), sizeof(reg));
	memcpy(&reg, nla_data(attrs[PMUCTL_A_EVENT_REGS]), sizeof(reg));
	assert_int_equal(reg.reg, PMUCTL_REG_EVTSEL);
	assert_int_equal(reg.value, value);
}

static void request_says_it_all(void **state)
{
	(void)state;
	assert_int_equal(create(PMUCTL_INHERIT | PMUCTL_ON_EXEC), 0);
	assert_int_equal(nla_get_u64(sent(PMUCTL_A_SESSION_FLAGS, 0)),
			 PMUCTL_SESSION_INHERIT | PMUCTL_SESSION_ON_EXEC);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_PID, 0)), 17);
	assert_null(sent(PMUCTL_A_SESSION_PID, 1));
	check_event(0, PMUCTL_EVENT_USER, 0xc0, 0x10000000full);
	check_event(1, PMUCTL_EVENT_KERNEL, 0x1c4, 0xf);
	assert_null(sent(PMUCTL_A_SESSION_EVENT, 2));
}

static void cpus_are_targets(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 3), 0);
	assert_int_equal(pmuctl_session_add_thread(fixture.session, 5), -EINVAL);
	assert_int_equal(pmuctl_session_create(fixture.session, 0), 0);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_CPU, 0)), 0);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_CPU, 1)), 3);
	assert_null(sent(PMUCTL_A_SESSION_TID, 0));
}

static void a_cgroup_is_a_target(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_session_add_cgroup(fixture.session, 7), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "cannot count control groups"));
	fake.features |= PMUCTL_FEATURE_CGROUP;
	pmuctl_session_free(fixture.session);
	pmuctl_close(fixture.ctx);
	assert_int_equal(pmuctl_open(NULL, &fixture.ctx), 0);
	assert_int_equal(pmuctl_session_new(fixture.ctx, &fixture.session), 0);
	add("cycles");
	assert_int_equal(pmuctl_session_add_cgroup(fixture.session, 7), 0);
	assert_int_equal(pmuctl_session_add_cgroup(fixture.session, 8), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "one control group"));
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), -EINVAL);
	assert_int_equal(pmuctl_session_create(fixture.session, 0), 0);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_CGROUP, 0)), 7);
	assert_null(sent(PMUCTL_A_SESSION_CGROUP, 1));
}

static void the_caller_is_a_target(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_session_add_thread(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_create(fixture.session, 0), 0);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_TID, 0)), gettid());
	pmuctl_session_free(fixture.session);
	assert_int_equal(pmuctl_session_new(fixture.ctx, &fixture.session), 0);
	add("cycles");
	assert_int_equal(pmuctl_session_add_process(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_create(fixture.session, 0), 0);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_PID, 0)), getpid());
}

/* What the hardware does for PEBS alone would be a silent 0. */
static void latencies_are_not_counted(void **state)
{
	(void)state;
	add("mem-loads:ldlat=30:u");
	assert_int_equal(create(0), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "'mem-loads:ldlat=30:u' counts nothing"));
	assert_int_equal(pmuctl_session_create(fixture.session, PMUCTL_DRY_RUN), 0);
}

static void assignments_come_back(void **state)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };

	(void)state;
	assert_int_equal(pmuctl_session_assignment(fixture.session, 0, &a), -ENOENT);
	assert_int_equal(create(PMUCTL_DRY_RUN), 0);
	assert_int_equal(pmuctl_session_assignment(fixture.session, 1, &a), 0);
	assert_int_equal(a.counter, 1);
	assert_int_equal(a.registers_count, 1);
	assert_int_equal(a.registers[0].kind, PMUCTL_REGISTER_EVTSEL);
	assert_int_equal(a.registers[0].value, 0x4300c1);
	assert_int_equal(pmuctl_session_assignment(fixture.session, 2, &a), -ENOENT);
}

static void refusal_is_the_kernels(void **state)
{
	(void)state;
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.extack = "5 counters asked, 4 free";
	assert_int_equal(create(0), -EBUSY);
	assert_string_equal(pmuctl_error(fixture.ctx), "5 counters asked, 4 free");
	assert_int_equal(pmuctl_session_start(fixture.session), -EINVAL);
	/* Nothing exists that would have to be deleted. */
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_DEL], 0);
}

static void bad_options_and_empty_sessions(void **state)
{
	struct pmuctl_session *empty;

	(void)state;
	assert_int_equal(create(1u << 20), -EINVAL);
	assert_int_equal(pmuctl_session_new(fixture.ctx, &empty), 0);
	assert_int_equal(pmuctl_session_create(empty, 0), -EINVAL);
	pmuctl_session_free(empty);
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 0);
}

static void other_abi_is_not_talked_to(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	pmuctl_session_free(fixture.session);
	pmuctl_close(fixture.ctx);
	fake.abi = 2;
	assert_int_equal(pmuctl_open(NULL, &fixture.ctx), 0);
	assert_int_equal(pmuctl_session_new(fixture.ctx, &fixture.session), 0);
	/* Not even its numbers are believed: facts come from CPUID, or not at all. */
	if (!pmuctl_event_parse(fixture.ctx, "r00c0", &event)) {
		assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
		pmuctl_event_free(event);
		assert_int_equal(create(0), -EPROTO);
	}
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_NEW], 0);
}

static void malformed_sessions(void **state)
{
	(void)state;
	fake.events_missing = 1;
	assert_int_equal(create(PMUCTL_DRY_RUN), -EBADMSG);
	fake.events_missing = 0;
	fake.events_extra = 1;
	assert_int_not_equal(pmuctl_session_create(fixture.session, PMUCTL_DRY_RUN), 0);
}

static void malformed_events(void **state)
{
	(void)state;
	fake.no_counter = true;
	assert_int_equal(create(0), -EBADMSG);
}

static void malformed_registers(void **state)
{
	(void)state;
	fake.short_regs = true;
	assert_int_equal(create(0), -EBADMSG);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "registers"));
}

static int take_value(void *data, const struct pmuctl_value *v)
{
	struct pmuctl_value *values = data;

	values[v->event] = *v;
	return 0;
}

static void counts_come_back(void **state)
{
	struct pmuctl_value values[2];

	(void)state;
	fake.counts[0].value = 1ull << 60;
	fake.counts[0].enabled = 100;
	fake.counts[0].running = 50;
	fake.counts[1].flags = PMUCTL_COUNT_DISTURBED;
	assert_int_equal(create(0), 0);
	assert_int_equal(pmuctl_session_start(fixture.session), 0);
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, values), 0);
	assert_int_equal(values[0].value, 1ull << 60);
	assert_int_equal(values[0].enabled, 100);
	assert_int_equal(values[0].running, 50);
	assert_int_equal(values[0].cpu, -1);
	assert_int_equal(values[0].flags, 0);
	assert_int_equal(values[1].flags, PMUCTL_VALUE_DISTURBED);
	assert_int_equal(pmuctl_session_read_each(fixture.session, take_value, values), 0);
	assert_int_equal(pmuctl_session_stop(fixture.session), 0);
	pmuctl_session_free(fixture.session);
	fixture.session = NULL;
	assert_int_equal(fake.requests[PMUCTL_CMD_SESSION_DEL], 1);
}

/* A value by its number, of the session's own events only. */
static void one_count_without_a_callback(void **state)
{
	struct pmuctl_value value = { .value = 5 };

	(void)state;
	fake.counts[0].value = 70;
	fake.counts[1].value = 80;
	fake.counts[1].flags = PMUCTL_COUNT_DISTURBED;
	assert_int_equal(pmuctl_session_value(fixture.session, 0, &value), -EINVAL);
	assert_int_equal(create(0), 0);
	assert_int_equal(pmuctl_session_value(fixture.session, 1, &value), 0);
	assert_int_equal(value.event, 1);
	assert_int_equal(value.value, 80);
	assert_int_equal(value.cpu, -1);
	assert_int_equal(value.flags, PMUCTL_VALUE_DISTURBED);
	assert_int_equal(pmuctl_session_value(fixture.session, 0, &value), 0);
	assert_int_equal(value.value, 70);
	assert_int_equal(pmuctl_session_value(fixture.session, 2, &value), -ENOENT);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "no event 2"));
	assert_int_equal(pmuctl_session_value(fixture.session, 0, NULL), -EINVAL);
	fake.short_counts = true;
	assert_int_equal(pmuctl_session_value(fixture.session, 0, &value), -EBADMSG);
	assert_int_equal(value.value, 70);
}

static void events_that_are_null(void **state)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = 1000 };
	struct pmuctl_event *event, *group[2] = { NULL };

	(void)state;
	assert_int_equal(pmuctl_event_parse(fixture.ctx, "cycles", &event), 0);
	group[0] = event;
	assert_int_equal(pmuctl_session_add_event(fixture.session, NULL), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "NULL"));
	assert_int_equal(pmuctl_session_add_group(fixture.session, group, 2), -EINVAL);
	assert_int_equal(pmuctl_session_add_group(fixture.session, NULL, 2), -EINVAL);
	assert_int_equal(pmuctl_event_sample(NULL, &sampling), -EINVAL);
	assert_int_equal(pmuctl_event_sample(event, NULL), -EINVAL);
	assert_int_equal(pmuctl_event_limit(NULL, 1), -EINVAL);
	assert_null(pmuctl_event_get_info(NULL));
	assert_false(pmuctl_events_clash(event, NULL));
	assert_int_equal(pmuctl_event_parse(fixture.ctx, NULL, &event), -EINVAL);
	pmuctl_event_free(group[0]);
	/* Nothing of it is in the session. */
	assert_int_equal(create(0), 0);
	assert_int_equal(fake.nr_events, 2);
}

static void expect_null(int err, const char *what)
{
	assert_int_equal(err, -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), what));
}

/* Neither a function to call nor a place for what is made: the kernel is not asked. */
static void nowhere_to_put_it(void **state)
{
	struct pmuctl_dump_options options = { .size = sizeof(options), .path = "/no/such/place" };
	struct pmuctl_topdown_options tree = { .size = sizeof(tree) };
	struct pmuctl *ctx = fixture.ctx;

	(void)state;
	assert_int_equal(create(0), 0);
	fake.requests[PMUCTL_CMD_COUNT_GET] = 0;
	expect_null(pmuctl_session_read(fixture.session, NULL, NULL), "function for values");
	expect_null(pmuctl_session_read_each(fixture.session, NULL, NULL), "function for values");
	expect_null(pmuctl_session_ledger(fixture.session, NULL, NULL), "for the ledger");
	expect_null(pmuctl_session_drain(ctx, fixture.session, -1, false, NULL, NULL),
		    "function for records");
	expect_null(pmuctl_list_sessions(ctx, NULL, NULL), "function for sessions");
	expect_null(pmuctl_list_events(ctx, "*", NULL, NULL), "function for events");
	expect_null(pmuctl_list_metrics(ctx, "*", NULL, NULL), "function for metrics");
	expect_null(pmuctl_session_new(ctx, NULL), "session to be made");
	expect_null(pmuctl_event_parse(ctx, "cycles", NULL), "event to be made");
	expect_null(pmuctl_metric_find(ctx, "IPC", NULL), "metric to be made");
	expect_null(pmuctl_topdown_new(ctx, &tree, NULL), "tree to be made");
	expect_null(pmuctl_dump_open(fixture.session, &options, NULL), "dump to be made");
	assert_int_equal(fake.requests[PMUCTL_CMD_COUNT_GET], 0);
}

static void malformed_counts(void **state)
{
	struct pmuctl_value values[200];

	(void)state;
	assert_int_equal(create(0), 0);
	fake.short_counts = true;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, values), -EBADMSG);
	fake.short_counts = false;
	fake.wrong_event = true;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, values), -EBADMSG);
	fake.wrong_event = false;
	fake.nr_events = 1;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, values), -EBADMSG);
	fake.no_reply = true;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, values), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(request_says_it_all, setup, teardown),
		cmocka_unit_test_setup_teardown(cpus_are_targets, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cgroup_is_a_target, setup, teardown),
		cmocka_unit_test_setup_teardown(the_caller_is_a_target, setup, teardown),
		cmocka_unit_test_setup_teardown(latencies_are_not_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(assignments_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(refusal_is_the_kernels, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_options_and_empty_sessions, setup, teardown),
		cmocka_unit_test_setup_teardown(other_abi_is_not_talked_to, setup, teardown),
		cmocka_unit_test_setup_teardown(malformed_sessions, setup, teardown),
		cmocka_unit_test_setup_teardown(malformed_events, setup, teardown),
		cmocka_unit_test_setup_teardown(malformed_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(one_count_without_a_callback, setup, teardown),
		cmocka_unit_test_setup_teardown(events_that_are_null, setup, teardown),
		cmocka_unit_test_setup_teardown(nowhere_to_put_it, setup, teardown),
		cmocka_unit_test_setup_teardown(malformed_counts, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
