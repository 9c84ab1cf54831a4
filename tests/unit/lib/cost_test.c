// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tables of costs: whatever they name can be counted on the processor that they name it for, and
 * from Lion Cove and Goldmont on has the code that Intel's lists have (tests/figures/costs.csv).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"
#include "tests/unit/lib/figures.h"

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

#define BIG 0x40000000
#define SMALL 0x20000000

/* Of these the core is one of two kinds, or the only one there is. */
static const struct newer {
	const char *name, *list;
	uint32_t signature, core;
	uint64_t counters;
	size_t rows, durations, tags;
	uint32_t width, load;
} newer[] = {
	{ "Meteor Lake", NULL, 0xa06a4, BIG | 2, GP(8) | FIXED(4), 16, 8, 6, 6, 5 },
	{ "Arrow Lake, big", "LNC", 0xc0662, BIG | 3, GP(10) | FIXED(4), 16, 8, 6, 8, 4 },
	{ "Lunar Lake, big", "LNC", 0xb06d1, BIG | 3, GP(10) | FIXED(4), 16, 8, 6, 8, 4 },
	{ "Panther Lake, big", "CGC", 0xc06c3, BIG | 4, GP(10) | FIXED(4), 16, 8, 6, 8, 0 },
	{ "Goldmont", "GLM", 0x506ca, 0, GP(4) | FIXED(3), 12, 3, 0, 3, 0 },
	{ "Goldmont Plus", "GLP", 0x706a8, 0, GP(4) | FIXED(3), 12, 4, 0, 4, 0 },
	{ "Tremont", "TNT", 0x90661, 0, GP(4) | FIXED(3), 14, 6, 0, 4, 0 },
	{ "Gracemont", "GRT", 0xb06e0, SMALL | 1, GP(6) | FIXED(3), 12, 4, 0, 5, 0 },
	{ "Sierra Forest", "CMT", 0xa06f3, SMALL | 2, GP(8) | FIXED(3), 15, 7, 5, 6, 0 },
	{ "Arrow Lake, small", "SKT", 0xc0662, SMALL | 3, GP(8) | FIXED(3), 15, 7, 5, 8, 0 },
	/* Without a third level. */
	{ "Lunar Lake, small", "SKT", 0xb06d1, SMALL | 3, GP(8) | FIXED(3), 14, 6, 4, 8, 0 },
	{ "Panther Lake, small", "DKT", 0xc06c3, SMALL | 4, GP(8) | FIXED(3), 14, 5, 5, 8, 0 },
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
	const char *list;	/* of Intel's; NULL: none is compared */
	size_t rows, figures, durations, tags, compared;
	bool misses;
};

/* A name of Intel's, and the code that was found for it. */
struct wanted {
	const char *list, *name;
	uint64_t code;
	bool found;
};

static void find_code(char **fields, void *data)
{
	struct wanted *w = data;

	if (strcmp(fields[0], w->list) != 0 || strcmp(fields[1], w->name) != 0)
		return;
	w->code = strtoull(fields[2], NULL, 16);
	w->found = true;
}

/* Portable names have codes of their own, which other tests compare. */
static void compare_code(struct seen *s, const char *text)
{
	struct wanted w = { .list = s->list };
	const struct pmuctl_event_info *info;
	struct pmuctl_event *event;

	if (!text || !s->list || strncmp(text, "cpu/", 4) != 0)
		return;
	assert_int_equal(pmuctl_event_parse(s->ctx, text, &event), 0);
	info = pmuctl_event_get_info(event);
	w.name = info->full_name;
	figures_read("costs.csv", find_code, &w);
	if (!w.found)
		fail_msg("%s: %s: no list has %s", s->processor, text, w.name);
	if (info->registers[0].value != w.code)
		fail_msg("%s: %s is %llx, and %llx in Intel's list", s->processor, w.name,
			 (unsigned long long)info->registers[0].value, (unsigned long long)w.code);
	s->compared++;
	pmuctl_event_free(event);
}

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
	compare_code(s, cost->event);
	compare_code(s, cost->duration);
	compare_code(s, cost->periods);
	compare_code(s, cost->tag);
	compare_code(s, cost->otherwise);
	s->misses |= !strcmp(cost->name, "branch-misses") && cost->cycles >= 10 && cost->cycles < 40;
	if (cost->cycles > 0) {
		s->figures++;
		assert_non_null(cost->source);
	}
	assert_true(!cost->duration == !cost->periods);
	assert_true(!cost->duration == !!cost->why_not);
	assert_true(!cost->tag == !cost->against);
	if (cost->tag) {
		s->tags++;
		countable(s, cost->tag);
	}
	if (cost->otherwise)
		countable(s, cost->otherwise);
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

/* A context of the CPUs of this kind alone. */
static struct pmuctl *context_of(const struct newer *p, struct pmuctl **all)
{
	bool small = p->core & SMALL;
	struct pmuctl_kind kind = { .size = sizeof(kind) };

	*all = NULL;
	if (!p->core || p->signature == 0xb06e0 || p->signature == 0xa06f3) {
		fake_cpu(p->signature, 5, p->counters);
		return context();
	}
	fake_three_kinds();
	fake.signature = p->signature;
	fake.nr_kinds = 2;
	fake.kinds[0].core = BIG | (p->core & 0xff);
	fake.kinds[1].core = SMALL | (p->core & 0xff);
	fake.kinds[small].counters = p->counters;
	*all = context();
	assert_int_equal(pmuctl_kind_get(*all, small, &kind), 0);
	return kind.ctx;
}

static void newer_rows(void **state)
{
	struct pmuctl_cost_floor lowest = { .size = sizeof(lowest) };
	const struct newer *p;
	struct pmuctl *all;

	(void)state;
	for (p = newer; p < newer + ARRAY_SIZE(newer); p++) {
		struct seen s = { .ctx = context_of(p, &all), .processor = p->name,
				  .list = p->list };

		if (pmuctl_list_costs(s.ctx, look, &s))
			fail_msg("%s: %s", p->name, pmuctl_error(s.ctx));
		if (s.rows != p->rows || s.durations != p->durations || s.tags != p->tags)
			fail_msg("%s: %zu rows, %zu durations, %zu tags", p->name, s.rows, s.durations,
				 s.tags);
		if (p->list && s.compared < 8)
			fail_msg("%s: %zu codes compared", p->name, s.compared);
		assert_int_equal(pmuctl_cost_get_floor(s.ctx, &lowest), 0);
		assert_int_equal(lowest.width, p->width);
		assert_int_equal(lowest.load, p->load);
		countable(&s, lowest.event);
		compare_code(&s, lowest.event);
		pmuctl_close(all ? all : s.ctx);
	}
}

struct asked {
	const char *name, *node, *why_not, *meaning;
};

static int answer(void *data, const struct pmuctl_cost *cost)
{
	struct asked *a = data;

	if (strcmp(cost->name, a->name) != 0)
		return 0;
	a->node = cost->node;
	a->why_not = cost->why_not;
	a->meaning = cost->meaning;
	return 1;
}

/* What a small core does not count is said in words of its own, and its nodes are its tree's. */
static void of_small_cores(void **state)
{
	static const struct {
		size_t processor;
		const char *name, *node, *says;
	} rows[] = {
		{ 4, "l1d-load-misses", "Backend_Bound", "no cycles in which it waits for loads" },
		{ 4, "dtlb-store-misses", "Backend_Bound", "the duration of dtlb-load-misses" },
		{ 6, "divisions", "Backend_Bound", "has taken back the event" },
		{ 7, "itlb-misses", "IFetch_Latency", "of Gracemont counts page walks, and not" },
		{ 11, "dtlb-load-misses", "Backend_Bound", "of Darkmont counts page walks, and not" },
		{ 9, "locks", "Backend_Bound", "locks of the bus at most" },
		{ 9, "branch-misses", "Branch_Mispredicts", "no processor counts how long" },
		{ 9, "unknown-branches", "IFetch_Latency", "no counter of how long it lasts" },
	};
	struct pmuctl *ctx, *all;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct asked a = { .name = rows[i].name };

		ctx = context_of(&newer[rows[i].processor], &all);
		assert_int_equal(pmuctl_list_costs(ctx, answer, &a), 1);
		assert_string_equal(a.node, rows[i].node);
		assert_non_null(strstr(a.why_not, rows[i].says));
		pmuctl_close(all ? all : ctx);
	}
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
	/* A Bonnell, which is a small core before all of them. */
	fake_cpu(0x106c2, 3, GP(2) | FIXED(3));
	ctx = context();
	assert_int_equal(pmuctl_list_costs(ctx, stop, &calls), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "on this processor (family 6, model 28)"));
	assert_non_null(strstr(pmuctl_error(ctx), "none of the small ones from Goldmont to Darkmont"));
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
		cmocka_unit_test(newer_rows),
		cmocka_unit_test(of_small_cores),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
