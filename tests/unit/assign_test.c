// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's assignment of counters, in user space, against trying out all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/assign.h"

static bool possible(const struct pmuctl_event *event, unsigned int n, uint64_t free)
{
	if (!n)
		return true;
	for (unsigned int bit = 0; bit < 64; bit++)
		if (event->allowed & free & (UINT64_C(1) << bit) &&
		    possible(event + 1, n - 1, free & ~(UINT64_C(1) << bit)))
			return true;
	return false;
}

static void check_plan(const struct pmuctl_event *event, unsigned int n, uint64_t free)
{
	uint64_t used = 0;

	for (unsigned int i = 0; i < n; i++) {
		uint64_t bit = UINT64_C(1) << event[i].counter;

		assert_true(event[i].allowed & free & bit);
		assert_false(used & bit);
		used |= bit;
	}
}

static void finds_a_plan_whenever_there_is_one(void **state)
{
	struct pmuctl_event event[7];
	unsigned int found = 0, none = 0;

	(void)state;
	srandom(1);
	for (unsigned int round = 0; round < 20000; round++) {
		unsigned int n = 1 + random() % 7;
		uint64_t free = (random() & 0xf) | (uint64_t)(random() & 7) << 32;
		int failed;

		memset(event, 0, sizeof(event));
		for (unsigned int i = 0; i < n; i++)
			event[i].allowed = (random() & random() & 0xf) |
					   (uint64_t)(random() & 1) << (32 + i % 3);
		failed = pmuctl_assign(event, n, free);
		assert_int_equal(failed < 0, possible(event, n, free));
		if (failed < 0) {
			check_plan(event, n, free);
			found++;
		} else {
			assert_in_range(failed, 0, n - 1);
			/* Those before it did fit. */
			assert_true(possible(event, failed, free));
			assert_false(possible(event, failed + 1, free));
			none++;
		}
	}
	assert_true(found > 1000 && none > 1000);
}

static void prefers_fixed_then_high(void **state)
{
	struct pmuctl_event event[3] = {
		{ .allowed = 0x10000000f }, { .allowed = 0xf }, { .allowed = 0x1 },
	};

	(void)state;
	assert_int_equal(pmuctl_assign(event, 3, 0x70000000f), -1);
	assert_int_equal(event[0].counter, 32);
	assert_int_equal(event[1].counter, 3);
	assert_int_equal(event[2].counter, 0);
}

static void moves_events_aside(void **state)
{
	struct pmuctl_event event[3] = {
		{ .allowed = 0x3 }, { .allowed = 0x3 }, { .allowed = 0x2 },
	};

	(void)state;
	assert_int_equal(pmuctl_assign(event, 2, 0x3), -1);
	assert_int_equal(pmuctl_assign(event + 1, 2, 0x3), -1);
	assert_int_equal(event[1].counter, 0);
	assert_int_equal(event[2].counter, 1);
	assert_int_equal(pmuctl_assign(event, 3, 0x3), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_plan_whenever_there_is_one),
		cmocka_unit_test(prefers_fixed_then_high),
		cmocka_unit_test(moves_events_aside),
	};

	return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
