// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cores of several kinds: which there are, and that an event is what its name means on each.
 */
#include "tests/unit/lib/kinds.h"

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

/* ---- three of them, and version 6 --------------------------------------------------- */

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

static uint64_t counters_for(const char *name)
{
	struct pmuctl_event *event = parsed(name);
	uint64_t counters = pmuctl_event_get_info(event)->counters;

	pmuctl_event_free(event);
	return counters;
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
		assert_true(counters_for("cpu_atom/r73/") == 0x10000000ff);
		assert_true(counters_for("cpu_atom/event=0x00,umask=0x06/") == 0x20000000ff);
		assert_true(counters_for("cpu_atom/TOPDOWN_RETIRING.ALL/") == 0x40000000ff);
		assert_true(counters_for("cpu_atom/TOPDOWN_RETIRING.ALL:c=1/") == 0xff);
		/* Cycles with exactly so many, by any way to write it. */
		assert_true(first_code("cpu_core/event=0xc2,umask=2,cmask=3,eq/") ==
			    0x10030002c2);
		assert_true(first_code("cpu_atom/r10030002c2/") == 0x10030002c2);
		assert_true(first_code("cpu_atom/TOPDOWN_RETIRING.ALL,cmask=3,eq=1/") ==
			    0x10030002c2);
		assert_int_equal(refused("cpu_core/event=0xc2,umask=2,eq/"), -EINVAL);
		assert_int_equal(refused("cpu_core/event=0xc2,eq=2,cmask=1/"), -EINVAL);
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
	/* In one number with the first, as Linux has it. */
	assert_true(first_code("cpu_core/event=0xc4,umask=0x111/") == 0x100000011c4);
	assert_true(first_code("cpu_core/event=0xc4,umask=0x8000/") == 0x800000000000 + 0xc4);
	assert_int_equal(refused("cpu_lowpower/event=0xc4,umask=0x111/"), -EOPNOTSUPP);
	assert_int_equal(refused("cpu_lowpower/r100000011c4/"), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "at most 32 bits"));
	assert_int_equal(refused("cpu_core/r10000000011c4/"), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "40 to 47 (UMASK2)"));
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
		cmocka_unit_test_setup_teardown(three_are_told, setup_three, teardown),
		cmocka_unit_test_setup_teardown(low_power_is_its_make, setup_three, teardown),
		cmocka_unit_test_setup_teardown(each_of_three_has_its_codes, setup_three, teardown),
		cmocka_unit_test_setup_teardown(each_of_version_6_has_its_codes, setup_three,
						teardown),
		cmocka_unit_test_setup_teardown(second_masks, setup_three, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
