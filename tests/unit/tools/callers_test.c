// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Callers of a sample whose branches are the calls under way: from the records, behind them by
 * frame pointers, and never by frame pointers that say something else.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"
#include "tools/samples/callers.h"

#define MOST 8

static const struct {
	const char *what;
	bool kernel;
	uint64_t chain[MOST], calls[MOST], is[MOST];	/* 0 ends them */
} rows[] = {
	{ "no call is recorded, and frames are not to be trusted then", false,
	  { PERF_CONTEXT_USER, 0x1000, 0x2005, 0x3005 }, { 0 }, { 0x1000 } },
	{ "frames know the same, and nothing more", false,
	  { PERF_CONTEXT_USER, 0x1000, 0x2005, 0x3005 }, { 0x2000, 0x3000 },
	  { 0x1000, 0x2000, 0x3000 } },
	{ "frames lack the first caller, and go on", false,
	  { PERF_CONTEXT_USER, 0x1000, 0x3005, 0x4005, 0x5005 }, { 0x2000, 0x3000 },
	  { 0x1000, 0x2000, 0x3000, 0x4005, 0x5005 } },
	{ "of a recursion they know which call is which", false,
	  { PERF_CONTEXT_USER, 0x1000, 0x2005, 0x2005, 0x2005, 0x3005 }, { 0x2000, 0x2000 },
	  { 0x1000, 0x2000, 0x2000, 0x2005, 0x3005 } },
	{ "they do not know the outermost one", false,
	  { PERF_CONTEXT_USER, 0x1000, 0x2005, 0x9005 }, { 0x2000, 0x3000 },
	  { 0x1000, 0x2000, 0x3000 } },
	{ "what they know is no call", false,
	  { PERF_CONTEXT_USER, 0x1000, 0x2001, 0x3009 }, { 0x2000, 0x3000 },
	  { 0x1000, 0x2000, 0x3000 } },
	{ "in the kernel: its own, where it was entered, calls", true,
	  { PERF_CONTEXT_KERNEL, 0xffffffff81000000, 0xffffffff81000105, PERF_CONTEXT_USER, 0x1000,
	    0x2005, 0x7005 }, { 0x2000 },
	  { 0xffffffff81000000, 0xffffffff81000105, 0x1000, 0x2000, 0x7005 } },
};

static size_t length(const uint64_t *list)
{
	size_t n = 0;

	while (n < MOST && list[n])
		n++;
	return n;
}

static void test_calls(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmuctl_branch_entry branches[MOST] = { 0 };
		struct pmuctl_data_sample sample = {
			.ip = rows[i].kernel ? rows[i].chain[1] : 0x1000, .kernel = rows[i].kernel,
			.chain = rows[i].chain, .chain_count = length(rows[i].chain),
			.branches = branches, .branches_count = length(rows[i].calls),
			.calls = true,
		};
		struct callers callers = { 0 };

		for (size_t b = 0; b < sample.branches_count; b++)
			branches[b].from = rows[i].calls[b];
		assert_int_equal(callers_take(&callers, NULL, &sample), 0);
		if (callers.count != length(rows[i].is))
			fail_msg("%s: %zu callers", rows[i].what, callers.count);
		for (size_t c = 0; c < callers.count; c++)
			if (callers.at[c].raw != rows[i].is[c])
				fail_msg("%s: caller %zu is %#lx", rows[i].what, c,
					 (unsigned long)callers.at[c].raw);
		/* Branches that are no calls are not among them. */
		sample.calls = false;
		assert_int_equal(callers_take(&callers, NULL, &sample), 0);
		assert_int_equal(callers.count, sample.chain_count - (rows[i].kernel ? 2 : 1));
		callers_free(&callers);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
	};

	return cmocka_run_group_tests_name("callers", tests, NULL, NULL);
}
