// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Branches as lines beside instructions.
 */
#include <string.h>

#include "tools/annotate/arrows.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/random.h"

static char text[LANES_MAX + 3];

static const char *at(const struct arrows *arrows, uint32_t offset, int above)
{
	arrows_text(arrows, offset, above, text);
	return text;
}

/* A loop within the way around it; both begin or end where they say. */
static void one_around_the_other(void **state)
{
	struct arrows a = { .at = NULL };

	(void)state;
	assert_string_equal((arrows_place(&a), at(&a, 0, 0)), "  ");
	assert_int_equal(arrows_add(&a, 2, 20), 0);
	assert_int_equal(arrows_add(&a, 12, 8), 0);
	arrows_place(&a);
	assert_int_equal(a.lanes, 2);
	assert_string_equal(at(&a, 0, 0), "    ");
	assert_string_equal(at(&a, 2, 1), "    ");
	assert_string_equal(at(&a, 2, 0), "+-- ");
	assert_string_equal(at(&a, 4, 0), "|   ");
	assert_string_equal(at(&a, 8, 1), "|   ");
	assert_string_equal(at(&a, 8, 0), "|+> ");
	assert_string_equal(at(&a, 10, 1), "||  ");
	assert_string_equal(at(&a, 12, 0), "|+- ");
	assert_string_equal(at(&a, 20, 1), "|   ");
	assert_string_equal(at(&a, 20, 0), "+-> ");
	assert_string_equal(at(&a, 24, 0), "    ");
	arrows_free(&a);
}

/* To itself, and two to one place in one lane. */
static void in_one_lane(void **state)
{
	struct arrows a = { .at = NULL };

	(void)state;
	assert_int_equal(arrows_add(&a, 4, 4), 0);
	assert_int_equal(arrows_add(&a, 10, 20), 0);
	assert_int_equal(arrows_add(&a, 12, 20), 0);
	arrows_place(&a);
	assert_int_equal(a.lanes, 1);
	assert_string_equal(at(&a, 4, 0), "+> ");
	assert_string_equal(at(&a, 10, 0), "+- ");
	assert_string_equal(at(&a, 12, 0), "+- ");
	assert_string_equal(at(&a, 20, 0), "+> ");
	arrows_free(&a);
}

/* No two of different targets are in one lane where both are; what has no room is left out. */
static void never_in_each_other(void **state)
{
	unsigned int run, n;
	size_t i, k;

	(void)state;
	seed = 5;
	for (run = 0; run < 200; run++) {
		struct arrows a = { .at = NULL };

		n = (unsigned int)(60 * uniform());
		while (n--)
			arrows_add(&a, (uint32_t)(100 * uniform()), (uint32_t)(100 * uniform()));
		arrows_place(&a);
		assert_true(a.lanes <= LANES_MAX);
		for (i = 0; i < a.count; i++)
			for (k = 0; k < i; k++) {
				const struct arrow *x = &a.at[i], *y = &a.at[k];
				uint32_t x0 = x->from < x->to ? x->from : x->to;
				uint32_t x1 = x->from + x->to - x0;
				uint32_t y0 = y->from < y->to ? y->from : y->to;
				uint32_t y1 = y->from + y->to - y0;

				assert_false(x->lane == y->lane && x->lane < LANES_MAX &&
					     x->to != y->to && x0 <= y1 && y0 <= x1);
			}
		assert_int_equal(strlen(at(&a, 50, 0)), a.lanes + 2);
		arrows_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_around_the_other),
		cmocka_unit_test(in_one_lane),
		cmocka_unit_test(never_in_each_other),
	};

	return cmocka_run_group_tests_name("arrows", tests, NULL, NULL);
}
