// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cores of several kinds: an event is what its name means on each, and a session is one of each.
 */
#include <errno.h>

#include "tests/unit/lib/session.h"

static int setup(void **state)
{
	(void)state;
	fake_hybrid();
	begin();
	return 0;
}

static int setup_three(void **state)
{
	(void)state;
	fake_three_kinds();
	begin();
	return 0;
}

static int setup_three_sampling(void **state)
{
	setup_three(state);
	fake.features |= PMUCTL_FEATURE_SAMPLE;
	return 0;
}

static int setup_sampling(void **state)
{
	setup(state);
	fake.features |= PMUCTL_FEATURE_SAMPLE;
	return 0;
}

static int create_on_process(uint64_t options)
{
	assert_int_equal(pmuctl_session_add_process(fixture.session, 17), 0);
	return create(options);
}

static int refused(const char *name)
{
	struct pmuctl_event *event;

	return pmuctl_event_parse(fixture.ctx, name, &event);
}

/* What a session there was asked for: the event select of its event number `which`. */
static bool sent_to(unsigned int kind, int which, struct pmuctl_reg *reg, uint64_t *counters)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(void *)fake.kinds[kind].last_new;
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1], *attr;
	int rem;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_EVENT || which--)
			continue;
		assert_int_equal(nla_parse_nested(attrs, PMUCTL_A_EVENT_MAX, attr, NULL), 0);
		memcpy(reg, nla_data(attrs[PMUCTL_A_EVENT_REGS]), sizeof(*reg));
		*counters = nla_get_u64(attrs[PMUCTL_A_EVENT_COUNTERS]);
		return true;
	}
	return false;
}

static uint32_t kinds_that_have(const char *name)
{
	struct pmuctl_event *event = parsed(name);
	uint32_t mask = 0;
	unsigned int k;

	for (k = 0; k < PMUCTL_KINDS_MAX; k++)
		mask |= (uint32_t)!!pmuctl_event_of_kind(event, k) << k;
	assert_string_equal(pmuctl_event_get_info(event)->name, name);
	pmuctl_event_free(event);
	return mask;
}

/* ---- which there are ---------------------------------------------------------- */

static void kinds_are_told(void **state)
{
	struct pmuctl_kind kind = { .size = sizeof(kind) };
	struct pmuctl_info info = { .size = sizeof(info) };

	(void)state;
	assert_int_equal(pmuctl_kinds(fixture.ctx), 2);
	assert_int_equal(pmuctl_kind_get(fixture.ctx, 1, &kind), 0);
	assert_string_equal(kind.name, "e cores");
	assert_string_equal(kind.pmu, "cpu_atom");
	assert_int_equal(kind.core, 0x20000001);
	assert_int_equal(kind.cpus_count, 2);
	assert_int_equal(kind.cpus[1], 3);
	assert_int_equal(pmuctl_get_info(kind.ctx, &info), 0);
	assert_int_equal(info.counters, 0x70000003full);
	assert_int_equal(info.features & PMUCTL_CAN_KINDS, 0);
	assert_int_equal(pmuctl_kinds(kind.ctx), 0);
	assert_int_equal(pmuctl_kind_get(fixture.ctx, 0, &kind), 0);
	assert_string_equal(kind.name, "p cores");
	assert_int_equal(pmuctl_get_info(kind.ctx, &info), 0);
	assert_int_equal(info.counters, 0xf000000ffull);
	assert_int_equal(pmuctl_kind_get(fixture.ctx, 2, &kind), -ENOENT);
}

static void alike_is_no_kind(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	teardown(NULL);
	fake_skylake();
	begin();
	assert_int_equal(pmuctl_kinds(fixture.ctx), 0);
	event = parsed("cycles");
	assert_ptr_equal(pmuctl_event_of_kind(event, 0), event);
	assert_null(pmuctl_event_of_kind(event, 1));
	pmuctl_event_free(event);
}

/* ---- events -------------------------------------------------------------------- */

static void names_mean_what_each_has(void **state)
{
	const struct pmuctl_event_info *big, *small;
	struct pmuctl_event *event;

	(void)state;
	assert_int_equal(kinds_that_have("cycles"), 3);
	assert_int_equal(kinds_that_have("instructions:u"), 3);
	assert_int_equal(kinds_that_have("slots"), 1);
	event = parsed("instructions");
	big = pmuctl_event_get_info(pmuctl_event_of_kind(event, 0));
	small = pmuctl_event_get_info(pmuctl_event_of_kind(event, 1));
	assert_int_equal(big->counters, 0x1000000ffull);
	assert_int_equal(small->counters, 0x10000003full);
	pmuctl_event_free(event);
}

static void one_kind_is_named(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	assert_int_equal(kinds_that_have("cpu_core/cycles/"), 1);
	assert_int_equal(kinds_that_have("cpu_atom/cycles/u"), 2);
	assert_int_equal(kinds_that_have("cpu_atom/event=0xb2,umask=0x12/"), 2);
	assert_int_equal(kinds_that_have("cpu_atom/r12b2/"), 2);
	assert_int_equal(kinds_that_have("cpu_core/cycles,cmask=1/"), 1);
	event = parsed("cpu_atom/cycles/u");
	assert_true(pmuctl_event_get_info(event)->user);
	assert_false(pmuctl_event_get_info(event)->kernel);
	pmuctl_event_free(event);
	event = parsed("cpu_atom/r12b2/k");
	assert_int_equal(pmuctl_event_get_info(event)->registers[0].value, 0x12b2);
	assert_false(pmuctl_event_get_info(event)->user);
	pmuctl_event_free(event);
	assert_int_equal(refused("cpu_atom/cycles"), -EINVAL);
	assert_int_equal(refused("cpu_atom/slots/"), -EOPNOTSUPP);
	assert_int_equal(refused("cpu_lowpower/cycles/"), -ENOENT);
}

/* Behind a colon "=" is a modifier's, and the name no list of terms. */
static void modifiers_have_values(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	assert_int_equal(kinds_that_have("cpu_core/cycles:c=2/u"), 1);
	event = parsed("cpu_core/cycles:c=2/u");
	assert_int_equal(pmuctl_event_get_info(event)->registers[0].value >> 24 & 0xff, 2);
	assert_false(pmuctl_event_get_info(event)->kernel);
	pmuctl_event_free(event);
}

static void a_kinds_text_is_its_own(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	assert_int_equal(pmuctl_event_parse_kind(fixture.ctx, 1, "r12b2:u", &event), 0);
	assert_null(pmuctl_event_of_kind(event, 0));
	assert_int_equal(pmuctl_event_get_info(event)->registers[0].value, 0x12b2);
	assert_string_equal(pmuctl_event_get_info(event)->name, "cpu_atom/r12b2:u/");
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
	assert_int_equal(pmuctl_event_parse_kind(fixture.ctx, 1, "slots", &event), -EOPNOTSUPP);
	assert_int_equal(pmuctl_event_parse_kind(fixture.ctx, 2, "cycles", &event), -ENOENT);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "no kind 2 of cores"));
	assert_int_equal(pmuctl_event_parse_kind(fixture.ctx, 0, NULL, &event), -EINVAL);
	assert_int_equal(create_on_process(0), 0);
	assert_int_equal(fake.kinds[0].nr_events, 0);
	assert_int_equal(fake.kinds[1].nr_events, 1);
}

/* Closed as any other, and the whole with it. */
static void narrowed_to_one(void **state)
{
	struct pmuctl_session *session;
	struct pmuctl_event *event;
	struct pmuctl *ctx;

	(void)state;
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(pmuctl_narrow(&ctx, 2), -ENOENT);
	assert_int_equal(pmuctl_narrow(&ctx, 1), 0);
	assert_int_equal(pmuctl_kinds(ctx), 0);
	assert_int_equal(pmuctl_one_kind(ctx), 0);
	assert_int_equal(pmuctl_event_parse(ctx, "r12b2", &event), 0);
	assert_int_equal(pmuctl_session_new(ctx, &session), 0);
	assert_int_equal(pmuctl_session_add_event(session, event), 0);
	pmuctl_event_free(event);
	assert_int_equal(pmuctl_session_create(session, 0), 0);
	assert_int_equal(pmuctl_session_start(session), 0);
	assert_int_equal(fake.kinds[0].started, 0);
	assert_int_equal(fake.kinds[1].started, 1);
	pmuctl_session_free(session);
	pmuctl_close(ctx);
}

static void codes_are_of_one_kind(void **state)
{
	(void)state;
	assert_int_equal(refused("r12b2"), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "cpu_core/.../ or cpu_atom/.../"));
	assert_int_equal(refused("cpu/event=0xb2,umask=0x12/"), -EINVAL);
	assert_int_equal(kinds_that_have("r00c0"), 3);
	assert_int_equal(kinds_that_have("cpu/event=0x3c,umask=0/"), 3);
	assert_int_equal(kinds_that_have("cpu/instructions/"), 3);
	assert_int_equal(refused("r1zz"), -ENOENT);
	assert_int_equal(refused("cycles:q"), -EINVAL);
}

static int take_kinds(void *data, const struct pmuctl_event_desc *desc)
{
	uint32_t *masks = data;

	masks[0] |= !strcmp(desc->name, "instructions") ? desc->kinds : 0;
	masks[1] |= !strcmp(desc->name, "slots") ? desc->kinds : 0;
	masks[2] += !strcmp(desc->name, "instructions");
	return 0;
}

static void list_says_whose(void **state)
{
	uint32_t masks[3] = { 0 };

	(void)state;
	assert_int_equal(pmuctl_list_events(fixture.ctx, NULL, take_kinds, masks), 0);
	assert_int_equal(masks[0], 3);
	assert_int_equal(masks[1], 1);
	assert_int_equal(masks[2], 1);
}

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

static void pairs_of_samples(void **state)
{
	(void)state;
	add_sampled("cycles");
	add_sampled("cpu_core/instructions/");
	assert_int_equal(create_on_process(0), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "not yet"));
	assert_int_equal(fake.kinds[0].ended, 1);
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

/*
 * Of a libpfm4 that knows neither kind the big cores' names are those of servers with this core;
 * small ones have none of them.
 */
static void names_of_servers(void **state)
{
	(void)state;
	/* As if it had found nothing of the cores' own, whatever CPU the test runs on. */
	setenv("LIBPFM_FORCE_PMU", "ix86arch", 1);
	assert_int_equal(kinds_that_have("UOPS_RETIRED.SLOTS"), 1 << 0);
	assert_int_equal(kinds_that_have("TOPDOWN_BE_BOUND.ALL"), 1 << 1);
	assert_int_equal(kinds_that_have("OCR.DEMAND_DATA_RD.DRAM"), 1 << 0);
	assert_int_equal(refused("OCR.HWPF_L3.REMOTE"), -ENOENT);
	assert_int_equal(refused("cpu_atom/UOPS_RETIRED.SLOTS/"), -ENOENT);
	unsetenv("LIBPFM_FORCE_PMU");
}

/* ---- three of them -------------------------------------------------------------------- */

static void check_kind(unsigned int number, const char *name, const char *pmu)
{
	struct pmuctl_kind kind = { .size = sizeof(kind) };

	assert_int_equal(pmuctl_kind_get(fixture.ctx, number, &kind), 0);
	assert_string_equal(kind.name, name);
	assert_string_equal(kind.pmu, pmu);
}

static void three_are_told(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_kinds(fixture.ctx), 3);
	check_kind(0, "p cores", "cpu_core");
	check_kind(1, "e cores", "cpu_atom");
	check_kind(2, "lp-e cores", "cpu_lowpower");
	assert_int_equal(pmuctl_one_kind(fixture.ctx), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "(p cores, e cores, lp-e cores)"));
}

/* What a low-power core is Linux knows by its make: also while no other small one is there. */
static void low_power_is_its_make(void **state)
{
	(void)state;
	teardown(NULL);
	fake_three_kinds();
	fake.kinds[1] = fake.kinds[2];
	fake.nr_kinds = 2;
	begin();
	assert_int_equal(pmuctl_kinds(fixture.ctx), 2);
	check_kind(1, "lp-e cores", "cpu_lowpower");
	assert_int_equal(kinds_that_have("cpu_lowpower/cycles/"), 2);
	assert_int_equal(refused("cpu_atom/cycles/"), -ENOENT);
}

/* As of a Lunar Lake or a Panther Lake: two kinds, of this make. */
static void begin_version_6(uint32_t signature, uint32_t make)
{
	fake_three_kinds();
	fake.signature = signature;
	fake.nr_kinds = 2;
	fake.kinds[0].core = 0x40000000 | make;
	fake.kinds[1].core = 0x20000000 | make;
	begin();
}

static uint64_t first_register(const struct pmuctl_event *event)
{
	return pmuctl_event_get_info(event)->registers[0].value;
}

static uint64_t first_code(const char *name)
{
	struct pmuctl_event *event = parsed(name);
	uint64_t code = first_register(event);

	pmuctl_event_free(event);
	return code;
}

/* Branches have other codes in a Panther Lake, and a Lunar Lake's e cores no third level. */
static void each_of_version_6_has_its_codes(void **state)
{
	static const struct {
		uint32_t signature, make;
	} parts[] = { { 0xc0662, 3 }, { 0xb06d1, 3 }, { 0xc06c3, 4 } };
	static const struct {
		const char *name;
		uint32_t codes[3][2];
	} rows[] = {
		{ "cycles", { { 0x3c, 0x3c }, { 0x3c, 0x3c }, { 0x3c, 0x3c } } },
		{ "branches", { { 0xc4, 0xc4 }, { 0xc4, 0xc4 }, { 0xc4, 0xc4 } } },
		{ "taken-branches", { { 0x20c4, 0xc0c4 }, { 0x20c4, 0xc0c4 }, { 0xfbc4, 0xfbc4 } } },
		{ "slots", { { 0x400, 0 }, { 0x400, 0 }, { 0x400, 0 } } },
		{ "l1d-loads", { { 0x81d0, 0x81d0 }, { 0x81d0, 0x81d0 }, { 0x81d0, 0x81d0 } } },
		{ "l1d-load-misses",
		  { { 0x08d1, 0x40d1 }, { 0x08d1, 0x40d1 }, { 0x08d1, 0x40d1 } } },
		{ "llc-loads", { { 0x10d1, 0x80d1 }, { 0x10d1, 0x40d1 }, { 0x10d1, 0x80d1 } } },
		{ "llc-load-misses",
		  { { 0x20d1, 0x02d4 }, { 0x20d1, 0x80d1 }, { 0x20d1, 0xffd3 } } },
		{ "mem-loads", { { 0x01cd, 0x05d0 }, { 0x01cd, 0x05d0 }, { 0x01cd, 0x05d0 } } },
		{ "mem-stores", { { 0x82d0, 0x82d0 }, { 0x82d0, 0x82d0 }, { 0x82d0, 0x06d0 } } },
		{ "TOPDOWN_RETIRING.ALL", { { 0, 0x02c2 }, { 0, 0x02c2 }, { 0, 0x02c2 } } },
		{ "MEMORY_STALLS.L2", { { 0x0246, 0 }, { 0x0246, 0 }, { 0x0246, 0 } } },
	};

	(void)state;
	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
		teardown(NULL);
		begin_version_6(parts[p].signature, parts[p].make);
		assert_int_equal(pmuctl_kinds(fixture.ctx), 2);
		check_kind(0, "p cores", "cpu_core");
		check_kind(1, "e cores", "cpu_atom");
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct pmuctl_event *event = parsed(rows[i].name);

			for (unsigned int k = 0; k < 2; k++) {
				const struct pmuctl_event *own = pmuctl_event_of_kind(event, k);
				uint32_t code = rows[i].codes[p][k];

				assert_int_equal(!own, !code);
				if (own)
					assert_int_equal(first_register(own), code);
			}
			pmuctl_event_free(event);
		}
		/* Fixed counter 4's own code is of small cores, and others count the same. */
		assert_int_equal(first_code("cpu_atom/event=0x00,umask=0x05/"), 0x73);
		assert_int_equal(first_code("cpu_atom/event=0x00,umask=0x06/"), 0x19c);
		assert_int_equal(first_code("cpu_atom/event=0x00,umask=0x07/"), 0x2c2);
		assert_int_equal(refused("cpu_core/event=0,umask=0x05/"), -EOPNOTSUPP);
		/* UMASK2 on both. */
		assert_int_equal(kinds_that_have("cpu_core/config=0x100000011c4/"), 1);
		assert_int_equal(kinds_that_have("cpu_atom/config=0x100000011c4/"), 2);
	}
}

static void each_of_three_has_its_codes(void **state)
{
	static const struct {
		const char *name;
		uint32_t codes[3];
	} rows[] = {
		{ "cycles", { 0x3c, 0x3c, 0x3c } }, { "slots", { 0x400, 0, 0 } },
		{ "l1d-load-misses", { 0x08d1, 0x40d1, 0x40d1 } },
		/* Of clients' Crestmont, whose lists have another than the servers'. */
		{ "llc-load-misses", { 0x20d1, 0x02d4, 0x02d4 } },
		{ "mem-loads", { 0x01cd, 0x05d0, 0x05d0 } },
		{ "dtlb-store-misses", { 0x0e13, 0x0e49, 0x0e49 } },
	};
	struct pmuctl_event *event;
	const struct pmuctl_event *own;
	size_t i;
	unsigned int k;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		event = parsed(rows[i].name);
		for (k = 0; k < 3; k++) {
			own = pmuctl_event_of_kind(event, k);
			assert_int_equal(own ? pmuctl_event_get_info(own)->registers[0].value : 0,
					 rows[i].codes[k]);
		}
		pmuctl_event_free(event);
	}
	assert_int_equal(kinds_that_have("cpu_lowpower/event=0xb2,umask=0x12/"), 4);
	assert_int_equal(refused("r12b2"), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx),
			       "cpu_core/.../, cpu_atom/.../ or cpu_lowpower/.../"));
}

/* UMASK2, of cores that have it; an architectural code with one is another event. */
static void second_masks(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	event = parsed("cpu_core/r100000011c4/");
	assert_int_equal(pmuctl_event_get_info(event)->registers[0].value, 0x100000011c4);
	assert_int_equal(pmuctl_event_get_info(event)->counters, 0x3ff);
	pmuctl_event_free(event);
	assert_int_equal(kinds_that_have("cpu_atom/config=0x100000011c4/"), 2);
	assert_int_equal(refused("cpu_lowpower/r100000011c4/"), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "at most 32 bits"));
	assert_int_equal(refused("cpu_core/r10000000011c4/"), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "40 to 47 (UMASK2)"));
}

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

/* ... and what one kind has beside that keeps no other. */
static void pairs_of_three(void **state)
{
	(void)state;
	add_sampled("CPU_CLK_UNHALTED.CORE_P");
	add_sampled("cpu_lowpower/instructions/");
	assert_int_equal(create_on_process(0), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "not yet"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* It wants libpfm4 to be started by itself. */
		cmocka_unit_test_setup_teardown(names_of_servers, setup, teardown),
		cmocka_unit_test_setup_teardown(kinds_are_told, setup, teardown),
		cmocka_unit_test_setup_teardown(alike_is_no_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(names_mean_what_each_has, setup, teardown),
		cmocka_unit_test_setup_teardown(one_kind_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(modifiers_have_values, setup, teardown),
		cmocka_unit_test_setup_teardown(a_kinds_text_is_its_own, setup, teardown),
		cmocka_unit_test_setup_teardown(narrowed_to_one, setup, teardown),
		cmocka_unit_test_setup_teardown(codes_are_of_one_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(list_says_whose, setup, teardown),
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
		cmocka_unit_test_setup_teardown(pairs_of_samples, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(pairs_are_of_one_event, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(kinds_sampled_apart, setup_sampling, teardown),
		cmocka_unit_test_setup_teardown(records_have_the_wholes_numbers, setup_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(others_are_not_yet, setup, teardown),
		cmocka_unit_test_setup_teardown(three_are_told, setup_three, teardown),
		cmocka_unit_test_setup_teardown(low_power_is_its_make, setup_three, teardown),
		cmocka_unit_test_setup_teardown(each_of_three_has_its_codes, setup_three, teardown),
		cmocka_unit_test_setup_teardown(each_of_version_6_has_its_codes, setup_three,
						teardown),
		cmocka_unit_test_setup_teardown(second_masks, setup_three, teardown),
		cmocka_unit_test_setup_teardown(a_sum_of_three, setup_three, teardown),
		cmocka_unit_test_setup_teardown(samples_go_on_three, setup_three_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(samples_of_two_of_three, setup_three_sampling,
						teardown),
		cmocka_unit_test_setup_teardown(pairs_of_three, setup_three_sampling, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
