// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down: plans on every generation, and what there is none for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Before cmocka, which has a macro of a name in it. */
#include "lib/tma/tma.h"
#include "tests/unit/lib/topdown.h"

/* 0: all its events are counted at once. */
static int set_fails(struct pmuctl *ctx, const struct pmuctl_topdown_set *set)
{
	struct pmuctl_event *events[32] = { NULL };
	struct pmuctl_session *session;
	int bad = 0;
	size_t i;

	if (pmuctl_session_new(ctx, &session))
		return 1;
	for (i = 0; !bad && i < set->events_count; i++)
		bad = pmuctl_event_parse(ctx, set->events[i], &events[i]);
	if (!bad)
		bad = pmuctl_session_add_group(session, events, set->events_count);
	bad = bad || pmuctl_session_fits(session) != 1;
	for (i = 0; i < set->events_count; i++) {
		/* What PERF_METRICS divides is the first of its group. */
		if (!strncmp(set->events[i], "PERF_METRICS.", 13))
			bad = bad || strcmp(set->events[0], "TOPDOWN.SLOTS") != 0;
		pmuctl_event_free(events[i]);
	}
	pmuctl_session_free(session);
	return bad;
}

static bool set_has(const struct pmuctl_topdown_set *set, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < set->events_count; i++)
		if (strlen(set->events[i]) == len && !strncmp(set->events[i], name, len))
			return true;
	return false;
}

/* How many sets have every event of the formula; -1: some event is nowhere. */
static int homes(const struct pmuctl_topdown *td, const char *formula)
{
	static const char of_names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789._#:=";
	size_t sets = pmuctl_topdown_sets(td), i, n;
	uint32_t all = (1u << sets) - 1, with, left = all;
	const char *at;

	for (at = formula; *at; at += n ? n : 1) {
		n = strspn(at, of_names);
		if (n < 5 || !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", *at))
			continue;
		for (with = 0, i = 0; i < sets; i++)
			if (set_has(pmuctl_topdown_get_set(td, i), at, n))
				with |= 1u << i;
		if (!with)
			return -1;
		left &= with;
	}
	return __builtin_popcount(left);
}

/* The same of all formulas of level 1: its shares come from the same sets. */
static int level_1_homes(const struct pmuctl_topdown *td)
{
	const struct pmuctl_topdown_node *node;
	char all[4096] = "";
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(td); i++) {
		node = pmuctl_topdown_get_node(td, i);
		if (node->level != 1 || !node->formula)
			continue;
		assert_true(strlen(all) + strlen(node->formula) + 1 < sizeof(all));
		strcat(strcat(all, " "), node->formula);
	}
	return homes(td, all);
}

static int node_fails(const struct cpu *cpu, const struct pmuctl_topdown *td, size_t i)
{
	const struct pmuctl_topdown_node *node = pmuctl_topdown_get_node(td, i);
	int sets;

	if (!node->text[0] || !node->hint[0] || node->parent >= (int32_t)i ||
	    (node->level == 1) != (node->parent < 0) || !node->threshold[0]) {
		printf("%s %s: not described\n", cpu->arch, node->name);
		return 1;
	}
	if (node->why_not) {
		if (!node->formula && !strncmp(node->why_not, "not on this CPU: it needs ", 26))
			return 0;
		printf("%s %s: '%s'\n", cpu->arch, node->name, node->why_not);
		return 1;
	}
	sets = node->level == 1 ? level_1_homes(td) : homes(td, node->formula);
	if (sets >= 0 && (sets > 0) == node->together && node->event)
		return 0;
	printf("%s %s: in %d sets, event %s\n", cpu->arch, node->name, sets,
	       node->event ? node->event : "none");
	return 1;
}

/* Every node of the tree that Intel's generation of that name has a formula for. */
static int plan_fails(const struct cpu *cpu, const struct pmuctl_topdown_options *o, size_t least)
{
	struct pmuctl *ctx = open_ctx();
	struct pmuctl_topdown *td;
	size_t i, measured = 0;
	int bad = 0;

	if (pmuctl_topdown_new(ctx, o, &td)) {
		printf("%s: %s\n", cpu->arch, pmuctl_error(ctx));
		return 1;
	}
	for (i = 0; i < pmuctl_topdown_nodes(td); i++) {
		bad |= node_fails(cpu, td, i);
		measured += !pmuctl_topdown_get_node(td, i)->why_not;
	}
	for (i = 0; i < pmuctl_topdown_sets(td); i++)
		if (set_fails(ctx, pmuctl_topdown_get_set(td, i))) {
			printf("%s: set %zu does not fit\n", cpu->arch, i);
			bad = 1;
		}
	if (measured < least) {
		printf("%s: %zu nodes\n", cpu->arch, measured);
		bad = 1;
	}
	pmuctl_topdown_free(td);
	pmuctl_close(ctx);
	return bad;
}

/* What is listed can be counted. */
static int find_metric(void *data, const struct pmuctl_metric_desc *desc)
{
	struct pmuctl *ctx = data;
	struct pmuctl_metric *m;

	if (desc->source != PMUCTL_SOURCE_INTEL)
		return 0;
	if (pmuctl_metric_find(ctx, desc->name, &m)) {
		printf("%s: %s\n", desc->name, pmuctl_error(ctx));
		return 1;
	}
	pmuctl_metric_free(m);
	return 0;
}

static int metrics_fail(const struct cpu *cpu)
{
	struct pmuctl *ctx = open_ctx();
	int bad = pmuctl_list_metrics(ctx, NULL, find_metric, ctx);

	if (bad)
		printf("%s: metrics\n", cpu->arch);
	pmuctl_close(ctx);
	return bad;
}

static bool is_refused(const struct pmuctl_topdown_options *o, const char *why)
{
	struct pmuctl *ctx = open_ctx();
	struct pmuctl_topdown *td;
	bool refused = pmuctl_topdown_new(ctx, o, &td) == -EOPNOTSUPP &&
		       strstr(pmuctl_error(ctx), why);

	pmuctl_close(ctx);
	return refused;
}

static int plans_fail(const struct cpu *cpu)
{
	struct pmuctl_topdown_options o = { .size = sizeof(o) };
	int bad = 0, way;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	for (way = 0; way < 8; way++) {
		fake_cpu(cpu->signature, cpu->version,
			 cpu->counters | (way & 1 ? cpu->metrics : 0));
		fake.info_new = true;
		fake.any = cpu->version < 5;
		fake.threads = way & 2;
		o.tasks = way & 4;
		o.kind = PMUCTL_TOPDOWN_TMA5;
		bad |= plan_fails(cpu, &o, 23);
		o.kind = PMUCTL_TOPDOWN_CLASSICAL;
		bad |= is_small(cpu) ? !is_refused(&o, "of big cores") : plan_fails(cpu, &o, 14);
		bad |= metrics_fail(cpu);
	}
	return bad;
}

static void plans(void **state)
{
	int bad = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		bad += in_a_child(plans_fail, &cpus[i]);
	assert_int_equal(bad, 0);
}

/* What every share of level 1 is divided by. */
static const char *slots_of(const struct pmuctl_topdown *td)
{
	return strstr(pmuctl_topdown_get_node(td, 0)->formula, "/ ");
}

static int clocks_fail(const struct cpu *cpu)
{
	static const char own[] = "/ ( 4 * ( ( CPU_CLK_UNHALTED.THREAD / 2 ) * ( 1 + CPU_CLK_UNHALTED."
				  "ONE_THREAD_ACTIVE / CPU_CLK_UNHALTED.REF_XCLK ) ) ) )";
	static const char *const slots[] = {
		"/ ( 4 * CPU_CLK_UNHALTED.THREAD ) )", "/ ( 4 * CPU_CLK_UNHALTED.THREAD ) )",
		"/ ( 4 * ( CPU_CLK_UNHALTED.THREAD_ANY / 2 ) ) )", own,
	};
	struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1 };
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;
	int bad = 0, way;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	for (way = 0; way < 4; way++) {
		fake_cpu(cpu->signature, cpu->version, cpu->counters);
		fake.info_new = true;
		fake.any = true;
		fake.threads = way & 2;
		o.tasks = way & 1;
		ctx = open_ctx();
		assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
		if (strcmp(slots_of(td), slots[way]) != 0) {
			printf("%s, way %d: %s\n", cpu->arch, way, slots_of(td));
			bad = 1;
		}
		pmuctl_topdown_free(td);
		pmuctl_close(ctx);
	}
	return bad;
}

/*
 * A CPU's clock runs while either thread of its core does.  A task's slots are shared only
 * while the other thread runs as well.
 */
static void clocks_of_shared_cores(void **state)
{
	int bad = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		if (cpus[i].version < 5)
			bad += in_a_child(clocks_fail, &cpus[i]);
	assert_int_equal(bad, 0);
}

/* Cores made with two threads, of which one is switched off, run one. */
static void switched_off(void **state)
{
	struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1 };
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;
	int smt;

	(void)state;
	for (smt = 0; smt < 2; smt++) {
		fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
		fake.info_new = true;
		fake.any = true;
		fake.threads = true;
		fake.smt = smt;
		ctx = open_ctx();
		assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
		assert_string_equal(slots_of(td), smt ?
				    "/ ( 4 * ( CPU_CLK_UNHALTED.THREAD_ANY / 2 ) ) )" :
				    "/ ( 4 * CPU_CLK_UNHALTED.THREAD ) )");
		pmuctl_topdown_free(td);
		pmuctl_close(ctx);
	}
}

/* Of what does not fit at once, the counts that are subtracted are of the same moment. */
static void sets_of_shared_cores(void **state)
{
	static const char *const counted[] = {
		"IDQ_UOPS_NOT_DELIVERED.CORE", "UOPS_ISSUED.ANY", "UOPS_RETIRED.RETIRE_SLOTS",
		"CPU_CLK_UNHALTED.THREAD",
	};
	struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1, .tasks = true };
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	fake.info_new = true;
	fake.any = true;
	fake.threads = true;
	ctx = open_ctx();
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
	assert_int_equal(pmuctl_topdown_sets(td), 2);
	for (i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		assert_true(set_has(pmuctl_topdown_get_set(td, 0), counted[i], strlen(counted[i])));
	pmuctl_topdown_free(td);
	pmuctl_close(ctx);
}

/* What is no tree of this CPU, and what is no option. */
static void refusals(void **state)
{
	static const char *const wrong[] = { "Memry_Bound" }, *const deep[] = { "L3_Bound" };
	static const struct {
		struct pmuctl_topdown_options o;
		int err;
		const char *error;
	} refused[] = {
		{ { .levels = 4 }, -EINVAL, "levels 1 to 3" },
		{ { .kind = 7 }, -EINVAL, "no such kind" },
		{ { .ring = "x" }, -EINVAL, "no ring" },
		{ { .nodes = wrong, .nodes_count = 1 }, -ENOENT, "nearest: Memory_Bound" },
		{ { .nodes = deep, .nodes_count = 1, .levels = 2 }, -EINVAL, "'L3_Bound' is of level 3" },
	};
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	fake_skylake();
	ctx = open_ctx();
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct pmuctl_topdown_options o = refused[i].o;

		o.size = sizeof(o);
		assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), refused[i].err);
		if (!strstr(pmuctl_error(ctx), refused[i].error))
			fail_msg("%s", pmuctl_error(ctx));
	}
	pmuctl_close(ctx);
	fake_core2();
	ctx = open_ctx();
	assert_int_equal(pmuctl_topdown_new(ctx, NULL, &td), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "Sandy Bridge"));
	pmuctl_close(ctx);
}

/* One counter of the four is somebody's, or all are: what is left decides. */
static void taken_counters(void **state)
{
	struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = 1 };
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	ctx = open_ctx();
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
	assert_int_equal(pmuctl_topdown_sets(td), 1);
	assert_true(pmuctl_topdown_get_node(td, 0)->together);
	pmuctl_topdown_free(td);
	fake.counters_used = 0x8;
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
	assert_int_equal(pmuctl_topdown_sets(td), 2);
	pmuctl_topdown_free(td);
	fake.counters_used = 0xf;
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(ctx), "none is free: gp0, gp1, gp2, gp3"));
	pmuctl_close(ctx);
}

/* A node and what is above it, of one ring. */
static void chosen(void **state)
{
	static const char *const names[] = { "divider" };
	struct pmuctl_topdown_options o = { .size = sizeof(o), .nodes = names, .nodes_count = 1,
					    .ring = "u" };
	struct pmuctl *ctx;
	struct pmuctl_topdown *td;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	ctx = open_ctx();
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
	assert_int_equal(pmuctl_topdown_nodes(td), 3);
	assert_string_equal(pmuctl_topdown_get_node(td, 2)->name, "Divider");
	assert_string_equal(pmuctl_topdown_get_node(td, 2)->formula,
			    "100 * ( ARITH.DIVIDER_ACTIVE:u / CPU_CLK_UNHALTED.THREAD:u )");
	assert_string_equal(pmuctl_topdown_get_node(td, 2)->threshold,
			    "> 20 & Core_Bound > 10 & Backend_Bound > 20");
	pmuctl_topdown_free(td);
	pmuctl_close(ctx);
}

/* A threshold names no node that is not measured beside it. */
static void tested_thresholds(void **state)
{
	static const char *const names[] = { "Retiring" }, *const both[] = {
		"Heavy_Operations", "Bad_Speculation",
	};
	static const struct {
		struct pmuctl_topdown_options o;
		const char *threshold;
	} plans[] = {
		{ { .levels = 1 }, "> 70" },
		{ { .nodes = names, .nodes_count = 1 }, "> 70" },
		{ { .levels = 2 }, "> 70 | Heavy_Operations > 10" },
		{ { .nodes = both, .nodes_count = 2 }, "> 70 | Heavy_Operations > 10" },
	};
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;
	size_t i, k;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	ctx = open_ctx();
	for (i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		struct pmuctl_topdown_options o = plans[i].o;

		o.size = sizeof(o);
		assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
		for (k = 0; strcmp(pmuctl_topdown_get_node(td, k)->name, "Retiring") != 0; k++)
			;
		assert_string_equal(pmuctl_topdown_get_node(td, k)->threshold,
				    plans[i].threshold);
		pmuctl_topdown_free(td);
	}
	pmuctl_close(ctx);
}

/* Definitions that run in a circle have no formula, and take no time to say so. */
static void circles(void **state)
{
	static const struct tma_row rows[] = {
		TMA_ROW(SNB, SPR, "A", "B + 1"), TMA_ROW(SNB, SPR, "B", "C * 2"),
		TMA_ROW(SNB, SPR, "C", "A"), TMA_ROW(SNB, SPR, "D", "D"),
		TMA_ROW(SNB, SPR, "E", "F + 1"), TMA_ROW(SNB, SPR, "F", "X.Y:c1"),
		TMA_ROW(SNB, SPR, "G", "#H"), TMA_ROW(SPR, SPR, "#H", "1"),
	};
	static const struct tma_rows table = { rows, ARRAY_SIZE(rows) };
	struct tma_scope scope = { .generation = GEN_SKL, .tables = { &table } };
	char *formula;

	(void)state;
	tma_scope_index(&scope);
	assert_int_equal(tma_expand(&scope, "A", &formula), -ELOOP);
	assert_int_equal(tma_expand(&scope, "D", &formula), -ELOOP);
	/* What another generation has is nothing here. */
	assert_int_equal(tma_expand(&scope, "G", &formula), -ENOENT);
	assert_int_equal(tma_expand(&scope, "I", &formula), -ENOENT);
	assert_int_equal(tma_expand(&scope, "E", &formula), 0);
	assert_string_equal(formula, "X.Y:c1 + 1");
	free(formula);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* It wants libpfm4 to be started in its children. */
		cmocka_unit_test(plans),
		cmocka_unit_test(clocks_of_shared_cores),
		cmocka_unit_test(switched_off),
		cmocka_unit_test(sets_of_shared_cores),
		cmocka_unit_test(refusals),
		cmocka_unit_test(taken_counters),
		cmocka_unit_test(chosen),
		cmocka_unit_test(tested_thresholds),
		cmocka_unit_test(circles),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
