// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names on a Pentium III, which has two counters and no architectural
 * events.
 */
#include <errno.h>

#include "lib_event.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define L PMUCTL_SOURCE_LIBPFM4

static const struct expected table[] = {
	{ "cycles", 0, 0x79, 0x3, true, true, P },
	{ "instructions:u", 0, 0xc0, 0x3, true, false, P },
	{ "ref-cycles", 0, 0x79, 0x3, true, true, P },
	{ "branches", 0, 0xc4, 0x3, true, true, P },
	{ "branch-misses", 0, 0xc5, 0x3, true, true, P },
	{ "cache-references", 0, 0x0f2e, 0x3, true, true, P },
	{ "cache-misses", 0, 0x012e, 0x3, true, true, P },
	{ "l1d-load-misses", 0, 0x45, 0x3, true, true, P },
	{ "bus-cycles", -EOPNOTSUPP, .error = "no event for bus-cycles" },
	{ "slots", -EOPNOTSUPP, .error = "no event for slots" },
	{ "INST_RETIRED", 0, 0xc0, 0x3, true, true, L },
	{ "L2_RQSTS", 0, 0x0f2e, 0x3, true, true, L },
	{ "BUS_TRAN_MEM:any", 0, 0x206f, 0x3, true, true, L },
	{ "l2_ifetch.s", 0, 0x0228, 0x3, true, true, L },
	{ "L2_IFETCH:X", -ENOENT, .error = "nearest: L2_IFETCH:" },
	{ "INST_RETIRD", -ENOENT, .error = "INST_RETIRED" },
	{ "l2_rqsts:m:e:i:s", 0, 0x0f2e, 0x3, true, true, L },
	{ "L2_RQSTS:E:E", 0, 0x042e, 0x3, true, true, L },
	{ "L2_RQSTS:E:e=1:I:i=1:c=2", 0, 0x284052e, 0x3, true, true, L },
	{ "L2_RQSTS:M:E:u", 0, 0x0c2e, 0x3, true, false, L },
	/* With one counter each. */
	{ "FLOPS", 0, 0xc1, 0x1, true, true, L },
	{ "MUL", 0, 0x12, 0x2, true, true, L },
	{ "r0014", 0, 0x14, 0x1, true, true, R },
	{ "r0000c0:cmask=2:inv", 0, 0x28000c0, 0x3, true, true, R },
	{ "cycles:any", -EOPNOTSUPP, .error = "AnyThread" },
};

static void names(void **state)
{
	(void)state;
	fake_p6();
	all_parse_as(table, sizeof(table) / sizeof(table[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
