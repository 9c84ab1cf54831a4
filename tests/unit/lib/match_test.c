// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which event gets which counter: one is found wherever there is one, as trying all of them does.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/session/session.h"
#include "tests/unit/cmocka_all.h"

#define EVENTS 5

/* Every way, one after the other. */
static bool any_fits(const uint64_t *masks, size_t count, uint64_t available)
{
	uint64_t left;

	if (!count)
		return true;
	for (left = masks[0] & available; left; left &= left - 1)
		if (any_fits(masks + 1, count - 1, available & ~(left & -left)))
			return true;
	return false;
}

static void check(const uint64_t *masks, size_t count, uint64_t available)
{
	uint64_t used = 0;
	uint8_t got[EVENTS];
	size_t i;

	memset(got, 0xff, sizeof(got));
	if (match_counters(masks, count, available, got) != any_fits(masks, count, available))
		fail_msg("%zu events: %#llx %#llx %#llx of %#llx", count,
			 (unsigned long long)masks[0], (unsigned long long)masks[1],
			 (unsigned long long)masks[2], (unsigned long long)available);
	if (!any_fits(masks, count, available))
		return;
	for (i = 0; i < count; i++) {
		assert_true(masks[i] & available & 1ull << got[i]);
		assert_false(used >> got[i] & 1);
		used |= 1ull << got[i];
	}
}

static void every_way(void **state)
{
	uint64_t masks[EVENTS], available;
	unsigned int seed = 7, i, k;

	(void)state;
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < EVENTS; k++)
			masks[k] = (uint64_t)rand_r(&seed) & 0x1f;
		available = (uint64_t)rand_r(&seed) & 0x1f;
		check(masks, 1 + i % EVENTS, available);
	}
}

/* The first take what the last one needs, and make room. */
static void moving(void **state)
{
	const uint64_t masks[] = { 0xf, 0xf, 0xf, 0x8 };
	uint8_t got[4];

	(void)state;
	assert_true(match_counters(masks, 4, 0xf, got));
	assert_int_equal(got[3], 3);
	assert_false(match_counters(masks, 4, 0xe, got));
}

/* A fixed counter first, so that the general ones are free for what needs those. */
static void fixed_first(void **state)
{
	const uint64_t masks[] = { 0xf | 1ull << 33, 0xf };
	uint8_t got[2];

	(void)state;
	assert_true(match_counters(masks, 2, 0xf | 1ull << 33, got));
	assert_int_equal(got[0], 33);
	assert_true(got[1] < 4);
	assert_true(match_counters(masks, 2, 0x3, got));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way),
		cmocka_unit_test(moving),
		cmocka_unit_test(fixed_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
