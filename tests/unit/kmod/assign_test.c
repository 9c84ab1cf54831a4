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

#include "kmod/state/set.h"

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

static void takes_two_for_some(void **state)
{
	struct pmuctl_event event[4] = {
		{ .allowed = 0xf, .twice = true }, { .allowed = 0xf },
		{ .allowed = 0x8 }, { .allowed = 0xf, .twice = true },
	};
	uint64_t first;

	(void)state;
	assert_int_equal(pmuctl_assign(event, 3, 0xf), -1);
	first = UINT64_C(1) << event[0].counter | UINT64_C(1) << event[0].twin;
	assert_int_equal(__builtin_popcountll(first), 2);
	assert_int_equal(event[2].counter, 3);
	assert_int_equal(pmuctl_assigned(event, 1), first);
	assert_int_equal(pmuctl_assigned(event, 3), 0xf);
	assert_int_equal(pmuctl_assign(event, 4, 0xf), 3);
	assert_int_equal(pmuctl_assign(event, 1, 0x1), 0);
}

/* --- sets --- */

#define SETS 3
#define IN_SET 3

/* Tries every place of the pinned events, then each other set by itself. */
static bool possible_beside(const struct pmuctl_event *event, const struct pmuctl_set *set,
			    unsigned int placed, uint64_t left)
{
	if (placed == set[0].nr) {
		for (unsigned int i = 1; i < SETS; i++)
			if (!possible(event + set[i].first, set[i].nr, left))
				return false;
		return true;
	}
	for (unsigned int bit = 0; bit < 64; bit++)
		if (event[placed].allowed & left & (UINT64_C(1) << bit) &&
		    possible_beside(event, set, placed + 1, left & ~(UINT64_C(1) << bit)))
			return true;
	return false;
}

static void random_sets(struct pmuctl_event *event, struct pmuctl_set *set)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < SETS; i++) {
		set[i] = (struct pmuctl_set){ .first = n, .nr = 1 + random() % IN_SET };
		n += set[i].nr;
	}
	memset(event, 0, n * sizeof(*event));
	for (unsigned int i = 0; i < n; i++)
		event[i].allowed = (random() & (random() | random()) & 0xf) |
				   (uint64_t)(random() & 1) << (32 + i % 2);
}

static void finds_a_place_beside_pinned_events(void **state)
{
	struct pmuctl_event event[SETS * IN_SET];
	struct pmuctl_set set[SETS];
	unsigned int found = 0, none = 0;

	(void)state;
	srandom(2);
	for (unsigned int round = 0; round < 20000; round++) {
		uint64_t free = (random() & 0xf) | 0x300000003;
		int failed;

		random_sets(event, set);
		failed = pmuctl_assign_sets(event, set, SETS, true, free);
		assert_int_equal(failed < 0, possible_beside(event, set, 0, free));
		none += failed >= 0;
		if (failed >= 0)
			continue;
		found++;
		for (unsigned int i = 0; i < SETS; i++)
			check_plan(event + set[i].first, set[i].nr,
				   i ? free & ~set[0].counters : free);
	}
	assert_true(found > 1000 && none > 1000);
}

static void sets_that_take_turns_share(void **state)
{
	struct pmuctl_event event[4] = {
		{ .allowed = 0x3 }, { .allowed = 0x3 }, { .allowed = 0x3 }, { .allowed = 0x1 },
	};
	struct pmuctl_set set[2] = { { .first = 0, .nr = 2 }, { .first = 2, .nr = 2 } };

	(void)state;
	assert_int_equal(pmuctl_assign_sets(event, set, 2, false, 0x3), -1);
	assert_int_equal(set[0].counters, 0x3);
	assert_int_equal(set[1].counters, 0x3);
	assert_int_equal(event[3].counter, 0);
	/* The event that finds no counter is named by its place in all. */
	event[2].allowed = 0x1;
	assert_int_equal(pmuctl_assign_sets(event, set, 2, false, 0x3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_plan_whenever_there_is_one),
		cmocka_unit_test(prefers_fixed_then_high),
		cmocka_unit_test(moves_events_aside),
		cmocka_unit_test(takes_two_for_some),
		cmocka_unit_test(finds_a_place_beside_pinned_events),
		cmocka_unit_test(sets_that_take_turns_share),
	};

	return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
