// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cores of several kinds: a session is one of each, and its samples go on from kind to kind.
 */
#include "tests/unit/lib/kinds.h"

/* ---- sessions ------------------------------------------------------------------- */

static int take_value(void *data, const struct pmuctl_value *value)
{
	((struct pmuctl_value *)data)[value->event] = *value;
	return 0;
}

static int take_part(void *data, unsigned int kind, const struct pmuctl_value *value)
{
	((struct pmuctl_value (*)[4])data)[kind][value->event] = *value;
	return 0;
}

static void one_session_a_kind(void **state)
{
	struct pmuctl_value sum[4] = { { 0 } }, part[2][4] = { { { 0 } } };
	struct pmuctl_reg reg;
	uint64_t counters;

	(void)state;
	add("cpu_core/cycles/");
	add("instructions:u");
	add("cpu_atom/event=0xb2,umask=0x12/");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[0].nr_events, 2);
	assert_int_equal(fake.kinds[1].nr_events, 2);
	assert_true(sent_to(1, 1, &reg, &counters));
	assert_int_equal(reg.value, 0x12b2);
	assert_int_equal(counters, 0x3f);
	assert_true(sent_to(0, 1, &reg, &counters));
	assert_int_equal(reg.value, 0xc0);
	assert_int_equal(pmuctl_session_start(fixture.session), 0);
	assert_int_equal(pmuctl_session_stop(fixture.session), 0);
	assert_int_equal(fake.kinds[0].started + fake.kinds[0].stopped, 2);
	assert_int_equal(fake.kinds[1].started + fake.kinds[1].stopped, 2);

	fake.kinds[0].counts[0].value = 5;
	fake.kinds[0].counts[1] = (struct pmuctl_count){ .value = 100, .enabled = 7, .running = 7 };
	fake.kinds[1].counts[0] = (struct pmuctl_count){ .value = 23, .enabled = 9, .running = 9 };
	fake.kinds[1].counts[1].value = 11;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, sum), 0);
	assert_int_equal(sum[0].value, 5);
	assert_int_equal(sum[1].value, 123);
	assert_int_equal(sum[1].enabled, 16);
	assert_int_equal(sum[1].cpu, -1);
	assert_int_equal(sum[2].value, 11);
	assert_int_equal(pmuctl_session_read_parts(fixture.session, take_part, part), 0);
	assert_int_equal(part[0][1].value, 100);
	assert_int_equal(part[1][1].value, 23);
	assert_int_equal(part[1][1].enabled, 9);
	assert_int_equal(part[1][2].value, 11);
	assert_int_equal(part[1][0].value, 0);
}

static void cpus_go_to_their_kind(void **state)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(void *)fake.kinds[1].last_new;
	struct pmuctl_value values[4] = { { 0 } };
	struct nlattr *cpu;

	(void)state;
	add("cycles");
	add("slots");
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 3), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(fake.kinds[0].nr_events, 0);
	assert_int_equal(fake.kinds[1].nr_events, 1);
	cpu = nlmsg_find_attr(nlh, GENL_HDRLEN, PMUCTL_A_SESSION_CPU);
	assert_non_null(cpu);
	assert_int_equal(nla_get_u32(cpu), 3);
	fake.kinds[1].counts[0].value = 42;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, values), 0);
	assert_int_equal(values[0].value, 42);
	assert_int_equal(values[1].event, 1);
	assert_int_equal(values[1].value, 0);
}

static void no_kind_has_it(void **state)
{
	(void)state;
	add("slots");
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 2), 0);
	assert_int_equal(create(0), -EOPNOTSUPP);
}

/* What one kind refuses is taken back on the others, and can be asked for again. */
static void all_or_nothing(void **state)
{
	(void)state;
	add("cycles");
	fake.kinds[1].errno_new = -EACCES;
	assert_int_equal(create_on_process(0), -EACCES);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "e cores: "));
	assert_int_equal(fake.kinds[0].ended, 1);
	assert_int_equal(pmuctl_session_start(fixture.session), -EINVAL);
	fake.kinds[1].errno_new = 0;
	assert_int_equal(create(0), 0);
	assert_int_equal(create(0), -EINVAL);
}

static void groups_are_of_one_kind(void **state)
{
	static const char *const mixed[] = { "cpu_core/cycles/", "cpu_atom/cycles/", NULL };
	static const char *const part[] = { "cycles", "cpu_core/instructions/", NULL };
	static const char *const both[] = { "cycles", "instructions", NULL };

	(void)state;
	assert_int_equal(add_group(mixed), -EINVAL);
	assert_int_equal(add_group(part), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "e cores"));
	assert_int_equal(add_group(both), 0);
	assert_int_equal(pmuctl_session_fits(fixture.session), 1);
}

/* On no kind is anything of it there then. */
static void group_too_many(void **state)
{
	static const char *const pair[] = { "instructions", "cycles", NULL };
	unsigned int i;

	(void)state;
	for (i = 1; i < PMUCTL_SESSION_EVENTS_MAX; i++)
		add(i % 2 ? "cycles" : "cpu_atom/cycles/");
	assert_int_equal(add_group(pair), -E2BIG);
	add("cpu_core/cycles/");
	assert_int_equal(create_on_process(PMUCTL_MULTIPLEX), 0);
	assert_int_equal(fake.kinds[0].nr_events, PMUCTL_SESSION_EVENTS_MAX / 2 + 1);
	assert_int_equal(fake.kinds[1].nr_events, PMUCTL_SESSION_EVENTS_MAX - 1);
}

/* Of one that has no events of some kind, too. */
static void nothing_is_added_later(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	add("slots");
	assert_int_equal(create_on_process(0), 0);
	event = parsed("cpu_atom/cycles/");
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), -EINVAL);
	assert_string_equal(pmuctl_error(fixture.ctx), "the session exists already");
	assert_int_equal(pmuctl_session_add_group(fixture.session, &event, 1), -EINVAL);
	assert_int_equal(pmuctl_session_set_interval(fixture.session, 1000000), -EINVAL);
	pmuctl_event_free(event);
}

/* Which leaves nothing in the kernel that could be started. */
static void a_plan_is_no_session(void **state)
{
	struct pmuctl_assignment assignment = { .size = sizeof(assignment) };

	(void)state;
	add("cycles");
	assert_int_equal(create_on_process(PMUCTL_DRY_RUN), 0);
	assert_int_equal(pmuctl_session_assignment_of(fixture.session, 0, 1, &assignment), 0);
	assert_int_equal(pmuctl_session_start(fixture.session), -EINVAL);
	assert_string_equal(pmuctl_error(fixture.ctx), "the session was not created");
	assert_int_equal(create(0), 0);
	assert_int_equal(pmuctl_session_start(fixture.session), 0);
}

/* ---- samples ---------------------------------------------------------------------- */

static void add_sampled(const char *name)
{
	struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = 1000 };
	struct pmuctl_event *event = parsed(name);

	assert_int_equal(pmuctl_event_sample(event, &sampling), 0);
	assert_string_equal(pmuctl_event_get_info(event)->name, name);
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
}

/* The session of small cores goes on with what the big ones' has left of a period. */
static void samples_go_on(void **state)
{
	(void)state;
	add("slots");
	add_sampled("cycles");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[0].beside, 0);
	assert_int_equal(fake.kinds[1].beside, 70);
}

/* CPUs are of one kind each. */
static void cpus_need_no_other(void **state)
{
	(void)state;
	add_sampled("cycles");
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 2), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(fake.kinds[1].beside, 0);
}

static uint32_t sent_to_kind(unsigned int kind, int type)
{
	struct nlattr *attr = nlmsg_find_attr((struct nlmsghdr *)(void *)fake.kinds[kind].last_new,
					      GENL_HDRLEN, type);

	return attr ? nla_get_u32(attr) : 0;
}

/* ~0: the kind has no such event, or no place was sent with it. */
static uint32_t place_sent(unsigned int kind, unsigned int event)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(void *)fake.kinds[kind].last_new;
	struct nlattr *attr, *place;
	int rem;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_EVENT || event--)
			continue;
		place = nla_find(nla_data(attr), nla_len(attr), PMUCTL_A_EVENT_PLACE);
		return place ? nla_get_u32(place) : ~0u;
	}
	return ~0u;
}

/* What one kind alone has keeps its place beside what all have. */
static void places_of_samples(void **state)
{
	(void)state;
	add_sampled("cpu_core/instructions/");
	add_sampled("cycles");
	add("branches");
	add_sampled("cpu_atom/instructions/");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[0].beside, 0);
	assert_int_equal(fake.kinds[1].beside, 70);
	for (unsigned int k = 0; k < 2; k++) {
		assert_int_equal(sent_to_kind(k, PMUCTL_A_SESSION_PLACES), 3);
		/* The second kind's first event is the whole's second. */
		assert_int_equal(place_sent(k, 0), k);
		assert_int_equal(place_sent(k, k ? 2 : 1), k ? 2 : 1);
		assert_int_equal(place_sent(k, k ? 1 : 2), ~0u);
	}
}

/* Where each has all there is nothing to number. */
static void no_places_where_all_have_all(void **state)
{
	(void)state;
	add_sampled("cycles");
	add("cpu_core/instructions/");
	add_sampled("branches");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[1].beside, 70);
	assert_int_equal(sent_to_kind(0, PMUCTL_A_SESSION_PLACES), 0);
	assert_int_equal(place_sent(1, 0), ~0u);
}

static void pairs_are_of_one_event(void **state)
{
	(void)state;
	add_sampled("cpu_core/instructions/");
	add_sampled("cpu_atom/cycles/");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[1].beside, 0);
}

/* Nothing in common: each by itself. */
static void kinds_sampled_apart(void **state)
{
	(void)state;
	add_sampled("cpu_atom/cycles/");
	add("cpu_core/instructions/");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[1].beside, 0);
}

static int take_records(void *data, unsigned int cpu, const void *records, size_t bytes)
{
	struct pmuctl_record record;
	unsigned int *events = data;

	assert_int_equal(bytes, sizeof(record));
	memcpy(&record, records, sizeof(record));
	events[cpu] = record.event;
	return 0;
}

static void records_have_the_wholes_numbers(void **state)
{
	const struct pmuctl_record record = {
		.type = PMUCTL_RECORD_THROTTLE, .size = sizeof(record), .event = 0,
	};
	unsigned int events[4] = { 99, 99, 99, 99 };

	(void)state;
	add("slots");
	add_sampled("cycles");
	assert_int_equal(create_on_process(0), 0);
	memcpy(fake.kinds[0].records, &record, sizeof(record));
	memcpy(fake.kinds[1].records, &record, sizeof(record));
	fake.kinds[0].records_size = fake.kinds[1].records_size = sizeof(record);
	assert_int_equal(pmuctl_session_drain(fixture.ctx, fixture.session, -1, false,
					      take_records, events), 0);
	assert_int_equal(events[0], 0);
	assert_int_equal(events[2], 1);
}

static void others_are_not_yet(void **state)
{
	struct pmuctl_topdown_options options = { .size = sizeof(options) };
	struct pmuctl_topdown *topdown;

	(void)state;
	assert_int_equal(pmuctl_topdown_new(fixture.ctx, &options, &topdown), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "not yet"));
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "p cores, e cores"));
}

/* ---- three of them -------------------------------------------------------------------- */

static void a_sum_of_three(void **state)
{
	struct pmuctl_value sum[4] = { { 0 } };
	static const char *const mixed[] = { "cycles", "cpu_lowpower/instructions/", NULL };

	(void)state;
	assert_int_equal(add_group(mixed), -EINVAL);
	add("instructions:u");
	add("cpu_lowpower/cycles/");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[1].nr_events, 1);
	assert_int_equal(fake.kinds[2].nr_events, 2);
	fake.kinds[0].counts[0].value = 1;
	fake.kinds[1].counts[0].value = 20;
	fake.kinds[2].counts[0].value = 300;
	fake.kinds[2].counts[1].value = 7;
	assert_int_equal(pmuctl_session_read(fixture.session, take_value, sum), 0);
	assert_int_equal(sum[0].value, 321);
	assert_int_equal(sum[1].value, 7);
}

/* All others go on with what the first one has left of a period. */
static void samples_go_on_three(void **state)
{
	(void)state;
	add_sampled("cycles");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[0].beside, 0);
	assert_int_equal(fake.kinds[1].beside, 70);
	assert_int_equal(fake.kinds[2].beside, 70);
}

/* An event of the small ones alone: these two go on with each other's, whatever the first has. */
static void samples_of_two_of_three(void **state)
{
	(void)state;
	add("cycles");
	add_sampled("CPU_CLK_UNHALTED.CORE_P");
	assert_int_equal(kinds_that_have("CPU_CLK_UNHALTED.CORE_P"), 6);
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[1].beside, 0);
	assert_int_equal(fake.kinds[2].beside, 71);
}

/* ... and what one of them has beside that keeps a place with the other. */
static void places_of_three(void **state)
{
	(void)state;
	add_sampled("CPU_CLK_UNHALTED.CORE_P");
	add_sampled("cpu_lowpower/instructions/");
	add("cycles");
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[1].beside, 0);
	assert_int_equal(fake.kinds[2].beside, 71);
	assert_int_equal(sent_to_kind(0, PMUCTL_A_SESSION_PLACES), 0);
	assert_int_equal(sent_to_kind(1, PMUCTL_A_SESSION_PLACES), 2);
	assert_int_equal(sent_to_kind(2, PMUCTL_A_SESSION_PLACES), 2);
	assert_int_equal(place_sent(2, 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_session_a_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(cpus_go_to_their_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(no_kind_has_it, setup, teardown),
		cmocka_unit_test_setup_teardown(all_or_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(groups_are_of_one_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(group_too_many, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_is_added_later, setup, teardown),
		cmocka_unit_test_setup_teardown(a_plan_is_no_session, setup, teardown),
		cmocka_unit_test_setup_teardown(samples_go_on, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(cpus_need_no_other, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(places_of_samples, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(no_places_where_all_have_all, setup_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(pairs_are_of_one_event, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(kinds_sampled_apart, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(records_have_the_wholes_numbers, setup_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(others_are_not_yet, setup, teardown),
		cmocka_unit_test_setup_teardown(a_sum_of_three, setup_three, teardown),
		cmocka_unit_test_setup_teardown(samples_go_on_three, setup_three_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(samples_of_two_of_three, setup_three_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(places_of_three, setup_three_sampling, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
