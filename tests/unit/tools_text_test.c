// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The small parts of the command: CPU lists, names of counters, what fits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/stat.h"
#include "../../tools/tool.h"
#include "cmocka_all.h"

static void cpulist_is(const char *text, size_t n, const unsigned int *expected)
{
	unsigned int *cpus;
	size_t count, i;

	assert_int_equal(parse_cpulist(text, &cpus, &count), 0);
	assert_int_equal(count, n);
	for (i = 0; i < n; i++)
		assert_int_equal(cpus[i], expected[i]);
	free(cpus);
}

static void good_cpulists(void **state)
{
	(void)state;
	cpulist_is("0", 1, (unsigned int[]){ 0 });
	cpulist_is("0,2-3", 3, (unsigned int[]){ 0, 2, 3 });
	cpulist_is("3,1", 2, (unsigned int[]){ 3, 1 });
	cpulist_is("0-3\n", 4, (unsigned int[]){ 0, 1, 2, 3 });
	/* Twice the same CPU must not be counted twice. */
	cpulist_is("1,1,0-1", 2, (unsigned int[]){ 1, 0 });
}

static void bad_cpulists(void **state)
{
	static const char *const bad[] = { "", ",", "0,", ",0", "a", "0-", "-1", "3-1", "0 1", "0x1",
					   "0--1", "99999999999999999999", "0-4294967295", "+1" };
	unsigned int *cpus;
	size_t count, i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse_cpulist(bad[i], &cpus, &count), -EINVAL);
}

static void counters_are(uint64_t counters, const char *expected)
{
	char text[128];

	counters_text(counters, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void counter_names(void **state)
{
	char text[32];

	(void)state;
	counters_are(0, "none");
	counters_are(1, "gp0");
	counters_are(0xd, "gp0, gp2-3");
	counters_are(0x70000000full, "gp0-3, fixed0-2");
	counters_are(0x200000000ull, "fixed1");
	counters_are(~0ull, "gp0-31, fixed0-31");
	counter_text(3, text, sizeof(text));
	assert_string_equal(text, "gp3");
	counter_text(33, text, sizeof(text));
	assert_string_equal(text, "fixed1");
	/* Never past the end. */
	counters_text(0x5555555555555555ull, text, 8);
	assert_true(strlen(text) < 8);
}

static void fitting(void **state)
{
	/* cycles, instructions, branches, branch-misses. */
	const uint64_t defaults[] = { 0x20000000f, 0x10000000f, 0xf, 0xf, 0xf };
	/* The second has to push the first to its other counter. */
	const uint64_t push[] = { 0x3, 0x1, 0x100000003 };

	(void)state;
	assert_true(counters_fit(defaults, 4, 0x700000003));
	assert_false(counters_fit(defaults, 5, 0x700000003));
	assert_false(counters_fit(defaults, 3, 0x3));
	assert_true(counters_fit(push, 3, 0x100000003));
	assert_false(counters_fit(push, 3, 0x3));
	assert_true(counters_fit(push, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_cpulists),
		cmocka_unit_test(bad_cpulists),
		cmocka_unit_test(counter_names),
		cmocka_unit_test(fitting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
