// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names on a Core 2, whose counters are not all alike.
 */
#include <errno.h>
#include <stdlib.h>

#include "tests/unit/lib/event.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define L PMUCTL_SOURCE_LIBPFM4

static const struct expected table[] = {
	{ "cycles", 0, 0x3c, 0x200000003ull, true, true, P, NULL },
	{ "instructions", 0, 0xc0, 0x100000003ull, true, true, P, NULL },
	{ "ref-cycles", 0, 0x300, 0x400000000ull, true, true, P, NULL },
	{ "branches:u", 0, 0xc4, 0x3, true, false, P, NULL },
	/* archperf.md section 7: these events have one counter only. */
	{ "r0010", 0, 0x10, 0x1, true, true, R, NULL },
	{ "r0014", 0, 0x14, 0x1, true, true, R, NULL },
	{ "r0018", 0, 0x18, 0x1, true, true, R, NULL },
	{ "r01a1", 0, 0x1a1, 0x1, true, true, R, NULL },
	{ "r00c9", 0, 0xc9, 0x1, true, true, R, NULL },
	{ "r04cb", 0, 0x4cb, 0x1, true, true, R, NULL },
	{ "r0011", 0, 0x11, 0x2, true, true, R, NULL },
	{ "r0012", 0, 0x12, 0x2, true, true, R, NULL },
	{ "r0013", 0, 0x13, 0x2, true, true, R, NULL },
	{ "r0119", 0, 0x119, 0x2, true, true, R, NULL },
	{ "INST_RETIRED:ANY_P:u", 0, 0xc0, 0x100000003ull, true, false, L, NULL },
	{ "MUL", 0, 0x12, 0x2, true, true, L, NULL },
	{ "skl::INST_RETIRED", -ENOENT, 0, 0, false, false, L, NULL },
};

static void core2_names(void **state)
{
	(void)state;
	fake_core2();
	all_parse_as(table, sizeof(table) / sizeof(table[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(core2_names),
	};

	setenv("LIBPFM_FORCE_PMU", "core", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
