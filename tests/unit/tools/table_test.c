// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table in which views add up: every key is found again, in order as well.
 */
#include <stdlib.h>

#include "tools/base/table.h"
#include "tests/unit/cmocka_all.h"

struct numbered {
	struct table_entry key;
	uint64_t number;
};

static int by_key(const void *x, const void *y)
{
	const struct numbered *a = *(struct numbered *const *)x, *b = *(struct numbered *const *)y;

	return a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static void table_keeps_everything(void **state)
{
	struct numbered **sorted;
	struct table t;
	uint64_t i;

	(void)state;
	table_init(&t, sizeof(struct numbered));
	assert_null(table_find(&t, 1, 2));
	for (i = 0; i < 5000; i++)
		((struct numbered *)table_get(&t, i * 4096, ~i))->number = i;
	for (i = 0; i < 5000; i++)
		assert_int_equal(((struct numbered *)table_get(&t, i * 4096, ~i))->number, i);
	assert_int_equal(t.count, 5000);
	assert_null(table_find(&t, 4096, 0));
	sorted = (struct numbered **)table_sorted(&t, by_key);
	for (i = 0; i < 5000; i++)
		assert_int_equal(sorted[i]->number, i);
	assert_null(sorted[5000]);
	free(sorted);
	table_free(&t, NULL);
	assert_int_equal(t.count, 0);
}

static bool is_even(void *entry, void *data)
{
	(*(unsigned int *)data)++;
	return !(((struct numbered *)entry)->number % 2);
}

static void table_drops_what_is_not_kept(void **state)
{
	unsigned int asked = 0;
	struct table t;
	uint64_t i;

	(void)state;
	table_init(&t, sizeof(struct numbered));
	assert_int_equal(table_keep(&t, is_even, &asked, NULL), 0);
	for (i = 0; i < 1000; i++)
		((struct numbered *)table_get(&t, i, 3))->number = i;
	assert_int_equal(table_keep(&t, is_even, &asked, NULL), 0);
	assert_int_equal(asked, 1000);
	assert_int_equal(t.count, 500);
	for (i = 0; i < 1000; i++)
		assert_int_equal(!!table_find(&t, i, 3), !(i % 2));
	/* In the room of one that went: nothing is left of that. */
	for (i = 1; i < 1000; i += 2) {
		assert_int_equal(((struct numbered *)table_get(&t, i, 4))->number, 0);
		assert_int_equal(((struct numbered *)table_get(&t, i - 1, 3))->number, i - 1);
	}
	assert_int_equal(t.count, 1000);
	table_free(&t, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_keeps_everything),
		cmocka_unit_test(table_drops_what_is_not_kept),
	};

	return cmocka_run_group_tests_name("tools_table", tests, NULL, NULL);
}
