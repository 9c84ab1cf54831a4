// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names on a Skylake: portable, raw and libpfm4's.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib_event.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define L PMUCTL_SOURCE_LIBPFM4

static const struct expected portables[] = {
	{ "cycles", 0, 0x3c, 0x20000000full, true, true, P, NULL },
	{ "cycles:u", 0, 0x3c, 0x20000000full, true, false, P, NULL },
	{ "instructions:k", 0, 0xc0, 0x10000000full, false, true, P, NULL },
	{ "instructions:uk", 0, 0xc0, 0x10000000full, true, true, P, NULL },
	{ "instructions:ku", 0, 0xc0, 0x10000000full, true, true, P, NULL },
	{ "branches", 0, 0xc4, 0xf, true, true, P, NULL },
	{ "branch-misses:u", 0, 0xc5, 0xf, true, false, P, NULL },
	{ "cache-references", 0, 0x4f2e, 0xf, true, true, P, NULL },
	{ "cache-misses", 0, 0x412e, 0xf, true, true, P, NULL },
	{ "ref-cycles", 0, 0x300, 0x400000000ull, true, true, P, NULL },
	{ "bus-cycles", 0, 0x13c, 0xf, true, true, P, NULL },
	{ "cycles:x", -EINVAL, 0, 0, false, false, P, "':x'" },
	{ "cycles:uu", -EINVAL, 0, 0, false, false, P, "':uu'" },
	{ "cycles:", -EINVAL, 0, 0, false, false, P, "':'" },
	{ "cycles:u:k", -EINVAL, 0, 0, false, false, P, "':u:k'" },
};

static const struct expected raws[] = {
	{ "rc0", 0, 0xc0, 0x10000000full, true, true, R, NULL },
	{ "r01c0", 0, 0x1c0, 0x2, true, true, R, NULL },
	{ "r412E:u", 0, 0x412e, 0xf, true, false, R, NULL },
	{ "r10400c0:k", 0, 0x10400c0, 0xf, false, true, R, NULL },
	{ "rff8400c0", 0, 0xff8400c0, 0xf, true, true, R, NULL },
	{ "r0300", 0, 0x300, 0x400000000ull, true, true, R, NULL },
	{ "r5300c0", -EINVAL, 0, 0, false, false, R, "write rc0" },
	{ "r1000000c0", -EINVAL, 0, 0, false, false, R, "32 bits" },
	{ "rffffffffffffffffffff", -EINVAL, 0, 0, false, false, R, "32 bits" },
	{ "rc0:q", -EINVAL, 0, 0, false, false, R, "':q'" },
};

static const struct expected names[] = {
	{ "INST_RETIRED:ANY_P:u", 0, 0xc0, 0x10000000full, true, false, L, NULL },
	{ "inst_retired:any_p:k", 0, 0xc0, 0x10000000full, false, true, L, NULL },
	{ "INST_RETIRED.ANY_P:uk", 0, 0xc0, 0x10000000full, true, true, L, NULL },
	{ "INST_RETIRED:PREC_DIST", 0, 0x1c0, 0x2, true, true, L, NULL },
	{ "BR_INST_RETIRED:c=2:i", 0, 0x28000c4, 0xf, true, true, L, NULL },
	{ "UNHALTED_REFERENCE_CYCLES:u", 0, 0x300, 0x400000000ull, true, false, L, NULL },
	{ "MEM_LOAD_RETIRED:L1_MISS", 0, 0x8d1, 0xf, true, true, L, NULL },
	{ "skl::MEM_LOAD_RETIRED:L1_MISS", 0, 0x8d1, 0xf, true, true, L, NULL },
	{ "FRONTEND_RETIRED:IDQ_2_BUBBLES", -EOPNOTSUPP, 0, 0, false, false, L, "extra register" },
	{ "INST_RETIRED:NO_SUCH", -ENOENT, 0, 0, false, false, L, "INST_RETIRED" },
};

static const struct expected wrong[] = {
	{ "", -EINVAL, 0, 0, false, false, P, "empty" },
	{ "cycels", -ENOENT, 0, 0, false, false, P, "nearest: cycles" },
	{ "instruction", -ENOENT, 0, 0, false, false, P, "instructions" },
	{ "branch_miss", -ENOENT, 0, 0, false, false, P, "branch-misses" },
	{ "INST_RETIERD", -ENOENT, 0, 0, false, false, P, "INST_RETIRED" },
	{ "xyzzyxyzzyxyzzyxyzzyxyzzy", -ENOENT, 0, 0, false, false, P, "pmuctl list" },
	{ ":::::", -ENOENT, 0, 0, false, false, P, NULL },
	{ ":u", -ENOENT, 0, 0, false, false, P, NULL },
	{ "r", -ENOENT, 0, 0, false, false, P, NULL },
	{ "rxyz", -ENOENT, 0, 0, false, false, P, NULL },
	{ "%s%n%s%n", -ENOENT, 0, 0, false, false, P, NULL },
};

static int setup(void **state)
{
	fake_skylake();
	return pmuctl_open(NULL, (struct pmuctl **)state);
}

static int teardown(void **state)
{
	pmuctl_close(*state);
	return 0;
}

#define CHECK_ALL(ctx, table)                                                   \
	for (size_t i = 0; i < sizeof(table) / sizeof((table)[0]); i++)         \
		parses_as(ctx, &(table)[i])

static void portable_names(void **state)
{
	CHECK_ALL(*state, portables);
}

static void raw_codes(void **state)
{
	CHECK_ALL(*state, raws);
}

static void libpfm4_names(void **state)
{
	CHECK_ALL(*state, names);
}

static void wrong_names(void **state)
{
	CHECK_ALL(*state, wrong);
}

static void very_long_names(void **state)
{
	struct pmuctl_event *event;
	char name[5000];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_true(pmuctl_event_parse(*state, name, &event) < 0);
	name[300] = ':';
	assert_true(pmuctl_event_parse(*state, name, &event) < 0);
	name[10] = '.';
	assert_true(pmuctl_event_parse(*state, name, &event) < 0);
}

/* CPUID may say that an architectural event is not there. */
static void missing_arch_event(void **state)
{
	const struct expected gone = { "branch-misses", -EOPNOTSUPP, 0, 0, false, false, P,
				       "architectural event 6" };
	const struct expected there = { "branches", 0, 0xc4, 0xf, true, true, P, NULL };

	fake.arch_events = 0x3f;
	parses_as(*state, &gone);
	parses_as(*state, &there);
}

static void no_fixed_counter(void **state)
{
	const struct expected gone = { "ref-cycles", -EOPNOTSUPP, 0, 0, false, false, P,
				       "no counter" };
	const struct expected there = { "cycles", 0, 0x3c, 0xf, true, true, P, NULL };

	fake.counters = 0xf;
	parses_as(*state, &gone);
	parses_as(*state, &there);
}

struct listing {
	unsigned int events, umasks, portable;
	bool saw_any_p;
};

static int take_desc(void *data, const struct pmuctl_event_desc *desc)
{
	struct listing *l = data;

	assert_true(desc->name[0]);
	assert_non_null(desc->text);
	l->events += !desc->event;
	l->umasks += !!desc->event;
	l->portable += desc->source == PMUCTL_SOURCE_PORTABLE;
	if (!strcmp(desc->name, "INST_RETIRED:ANY_P"))
		l->saw_any_p = true;
	return 0;
}

static void listings(void **state)
{
	struct listing l = { 0 };

	assert_int_equal(pmuctl_list_events(*state, NULL, take_desc, &l), 0);
	assert_int_equal(l.portable, 8);
	assert_true(l.events > 50);
	assert_true(l.umasks > 100);
	assert_true(l.saw_any_p);
	memset(&l, 0, sizeof(l));
	assert_int_equal(pmuctl_list_events(*state, "inst_retired:any_p", take_desc, &l), 0);
	assert_int_equal(l.events, 0);
	assert_int_equal(l.umasks, 1);
	memset(&l, 0, sizeof(l));
	assert_int_equal(pmuctl_list_events(*state, "cache-*", take_desc, &l), 0);
	assert_int_equal(l.events, 2);
	memset(&l, 0, sizeof(l));
	assert_int_equal(pmuctl_list_events(*state, "nothing at all", take_desc, &l), 0);
	assert_int_equal(l.events + l.umasks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(portable_names, setup, teardown),
		cmocka_unit_test_setup_teardown(raw_codes, setup, teardown),
		cmocka_unit_test_setup_teardown(libpfm4_names, setup, teardown),
		cmocka_unit_test_setup_teardown(wrong_names, setup, teardown),
		cmocka_unit_test_setup_teardown(very_long_names, setup, teardown),
		cmocka_unit_test_setup_teardown(missing_arch_event, setup, teardown),
		cmocka_unit_test_setup_teardown(no_fixed_counter, setup, teardown),
		cmocka_unit_test_setup_teardown(listings, setup, teardown),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
