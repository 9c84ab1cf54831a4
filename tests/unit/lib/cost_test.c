// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tables of costs: whatever they name can be counted on the processor that they name it for.
 */
#include <errno.h>
#include <string.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define GP(n) ((1ull << (n)) - 1)
#define FIXED(n) (((1ull << (n)) - 1) << 32)

static const struct {
	const char *name;
	uint32_t signature, version;
	uint64_t counters;
	uint32_t width, load;
} processors[] = {
	{ "Core 2", FAKE_CORE2, 2, GP(2) | FIXED(3), 4, 3 },
	{ "Nehalem", 0x106a5, 3, GP(4) | FIXED(3), 4, 4 },
	{ "Westmere", 0x206c2, 3, GP(4) | FIXED(3), 4, 4 },
	{ "Sandy Bridge", 0x206a7, 3, GP(4) | FIXED(3), 4, 4 },
	{ "Ivy Bridge", 0x306a9, 3, GP(4) | FIXED(3), 4, 4 },
	{ "Haswell", 0x306c3, 3, GP(4) | FIXED(3), 4, 4 },
	{ "Broadwell", 0x306d4, 3, GP(4) | FIXED(3), 4, 4 },
	{ "Skylake", FAKE_SKYLAKE, 4, GP(4) | FIXED(3), 4, 4 },
	{ "Skylake-X", 0x50654, 4, GP(4) | FIXED(3), 4, 4 },
	{ "Ice Lake", 0x706e5, 5, GP(8) | FIXED(4), 5, 5 },
	{ "Ice Lake-X", 0x606a6, 5, GP(8) | FIXED(4), 5, 5 },
	{ "Sapphire Rapids", 0x806f8, 5, GP(8) | FIXED(4), 6, 5 },
};

static struct pmuctl *context(void)
{
	struct pmuctl *ctx;

	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	return ctx;
}

struct seen {
	struct pmuctl *ctx;
	const char *processor;
	size_t rows, figures, durations;
	bool misses;
};

static void countable(const struct seen *s, const char *text)
{
	struct pmuctl_event *event;

	if (pmuctl_event_parse(s->ctx, text, &event))
		fail_msg("%s: %s: %s", s->processor, text, pmuctl_error(s->ctx));
	pmuctl_event_free(event);
}

/* Both at the same time, or no quotient of them is worth anything. */
static void countable_together(const struct seen *s, const char *a, const char *b)
{
	const char *const texts[] = { a, b };
	struct pmuctl_event *events[2];
	struct pmuctl_session *session;
	size_t i;

	assert_int_equal(pmuctl_session_new(s->ctx, &session), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(pmuctl_event_parse(s->ctx, texts[i], &events[i]), 0);
	assert_int_equal(pmuctl_session_add_group(session, events, 2), 0);
	if (pmuctl_session_fits(session) != 1)
		fail_msg("%s: %s and %s do not fit", s->processor, a, b);
	pmuctl_session_free(session);
	for (i = 0; i < 2; i++)
		pmuctl_event_free(events[i]);
}

static int look(void *data, const struct pmuctl_cost *cost)
{
	struct seen *s = data;

	s->rows++;
	assert_non_null(cost->text);
	countable(s, cost->event);
	s->misses |= !strcmp(cost->name, "branch-misses") && cost->cycles >= 10 && cost->cycles < 40;
	if (cost->cycles > 0) {
		s->figures++;
		assert_non_null(cost->source);
	}
	assert_true(!cost->duration == !cost->periods);
	assert_true(!cost->duration == !!cost->why_not);
	if (cost->duration) {
		s->durations++;
		countable(s, cost->duration);
		countable(s, cost->periods);
		countable_together(s, cost->duration, cost->periods);
	}
	return 0;
}

static void check_rows(const char *name, size_t durations, uint32_t width, uint32_t load)
{
	struct seen s = { .ctx = context(), .processor = name };
	struct pmuctl_cost_floor lowest = { .size = sizeof(lowest) };

	if (pmuctl_list_costs(s.ctx, look, &s))
		fail_msg("%s: %s", name, pmuctl_error(s.ctx));
	assert_true(s.rows >= 4);
	assert_true(s.misses);
	if (s.durations < durations)
		fail_msg("%s: %zu durations", name, s.durations);
	assert_int_equal(pmuctl_cost_get_floor(s.ctx, &lowest), 0);
	assert_int_equal(lowest.width, width);
	assert_int_equal(lowest.load, load);
	countable(&s, lowest.event);
	pmuctl_close(s.ctx);
}

static void rows(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(processors); i++) {
		fake_cpu(processors[i].signature, processors[i].version, processors[i].counters);
		check_rows(processors[i].name, i < 2 ? 1 : 3, processors[i].width,
			   processors[i].load);
	}
	fake_p6();
	check_rows("P6", 2, 3, 3);
	fake_p4(FAKE_PRESCOTT);
	check_rows("Pentium 4", 1, 3, 0);
	fake_p4(FAKE_NORTHWOOD);
	check_rows("Northwood", 1, 3, 0);
}

static int stop(void *data, const struct pmuctl_cost *cost)
{
	(void)cost;
	return ++*(int *)data < 3 ? 0 : 42;
}

static void refused(void **state)
{
	struct pmuctl_cost_floor lowest = { .size = sizeof(lowest) };
	struct pmuctl *ctx;
	int calls = 0;

	(void)state;
	/* Granite Rapids, of which there is no table, and no model at all. */
	fake_cpu(0xa06f3, 5, GP(8) | FIXED(4));
	ctx = context();
	assert_int_equal(pmuctl_list_costs(ctx, stop, &calls), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "on this processor (family 6, model 175)"));
	assert_int_equal(pmuctl_cost_get_floor(ctx, &lowest), -EOPNOTSUPP);
	pmuctl_close(ctx);
	fake_skylake();
	ctx = context();
	assert_int_equal(pmuctl_list_costs(ctx, NULL, NULL), -EINVAL);
	assert_int_equal(pmuctl_list_costs(ctx, stop, &calls), 42);
	assert_int_equal(calls, 3);
	lowest.size = 0;
	assert_int_equal(pmuctl_cost_get_floor(ctx, &lowest), -EINVAL);
	assert_int_equal(pmuctl_cost_get_floor(ctx, NULL), -EINVAL);
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
