// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down for users without privilege: what they may count of each generation, and what
 * they are advised to record.
 */
#include <stdio.h>
#include <stdlib.h>

/* Before cmocka, which has a macro of a name in it. */
#include "lib/tma/tma.h"
#include "tests/unit/lib/topdown.h"

/* The module lets nobody without CAP_PERFMON have it. */
static bool is_refused(struct pmuctl *ctx, const char *name)
{
	const struct pmuctl_event_info *info;
	struct pmuctl_event *event;
	bool refused;

	if (pmuctl_event_parse(ctx, name, &event))
		return true;
	info = pmuctl_event_get_info(event);
	refused = info->registers_count > 1 || info->registers[0].value & 1 << 21;
	pmuctl_event_free(event);
	return refused;
}

static size_t refused_in_sets(struct pmuctl *ctx, const struct pmuctl_topdown *td)
{
	const struct pmuctl_topdown_set *set;
	size_t i, k, n = 0;

	for (i = 0; i < pmuctl_topdown_sets(td); i++) {
		set = pmuctl_topdown_get_set(td, i);
		for (k = 0; k < set->events_count; k++)
			n += is_refused(ctx, set->events[k]);
	}
	return n;
}

/* Every other node of all levels has its numbers. */
static size_t nodes_refused(const struct pmuctl_topdown *td)
{
	const struct pmuctl_topdown_node *node;
	size_t i, n = 0;

	for (i = 0; i < pmuctl_topdown_nodes(td); i++) {
		node = pmuctl_topdown_get_node(td, i);
		if (!node->why_not || !strncmp(node->why_not, "not on this CPU: it needs ", 26))
			continue;
		if (!strstr(node->why_not, "CAP_PERFMON") || node->formula)
			printf("%s: %s\n", node->name, node->why_not);
		n++;
	}
	return n;
}

/* What cannot be recorded is no advice, and that it is another node's is said. */
static size_t bad_advice(struct pmuctl *ctx, const struct pmuctl_topdown *td)
{
	const struct pmuctl_topdown_node *node;
	size_t i, n = 0;
	bool other;

	for (i = 0; i < pmuctl_topdown_nodes(td); i++) {
		node = pmuctl_topdown_get_node(td, i);
		other = node->why_not_event;
		if (!is_refused(ctx, node->event) && !node->precise &&
		    (!other || strstr(node->why_not_event, "CAP_PERFMON")))
			continue;
		printf("%s: record %s%s\n", node->name, node->event, node->precise ? ":pp" : "");
		n++;
	}
	return n;
}

static int users_fail(const struct cpu *cpu)
{
	struct pmuctl_topdown_options o = {
		.size = sizeof(o), .ring = "u", .tasks = true, .unprivileged = true,
	};
	/* Golden Cove has a register for some events of retired uops. */
	bool registers = !strcmp(cpu->arch, "SPR") || !strcmp(cpu->arch, "ADL");
	struct pmuctl_topdown *td;
	struct pmuctl *ctx;
	int bad = 0, way;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	for (way = 0; way < (is_small(cpu) ? 2 : 4); way++) {
		fake_cpu(cpu->signature, cpu->version, cpu->counters | cpu->metrics);
		fake.info_new = true;
		fake.any = cpu->version < 5;
		fake.threads = way & 1;
		o.kind = way & 2 ? PMUCTL_TOPDOWN_CLASSICAL : PMUCTL_TOPDOWN_TMA5;
		ctx = open_ctx();
		assert_int_equal(pmuctl_topdown_new(ctx, &o, &td), 0);
		bad |= bad_advice(ctx, td) > 0;
		if (refused_in_sets(ctx, td) ||
		    !nodes_refused(td) != !(registers && o.kind == PMUCTL_TOPDOWN_TMA5)) {
			printf("%s, way %d: %zu events, %zu nodes\n", cpu->arch, way,
			       refused_in_sets(ctx, td), nodes_refused(td));
			bad = 1;
		}
		pmuctl_topdown_free(td);
		pmuctl_close(ctx);
	}
	return bad;
}

/*
 * Their own, their parent's, or what always counts; and with the capability their own, if PEBS
 * records it, and else what retirement waits for.
 */
static void advice(void **state)
{
	static const struct {
		const char *node, *for_users, *precise;
	} advices[] = {
		{ "Fetch_Latency", "cycles", "FRONTEND_RETIRED.LATENCY_GE_8" },
		{ "Memory_Bound", "cycles", "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=8" },
		{ "L1_Bound", "MEM_LOAD_RETIRED.L1_HIT", "MEM_LOAD_RETIRED.L1_HIT" },
		{ "ITLB_Misses", "cycles", "FRONTEND_RETIRED.ITLB_MISS" },
		{ "Branch_Mispredicts", "branch-misses", "branch-misses" },
		{ "Core_Bound", "cycles", "cycles" }, { "Ports_Utilization", "cycles", "cycles" },
		{ "Divider", "ARITH.DIVIDER_ACTIVE", "cycles" },
		{ "Retiring", "INST_RETIRED.PREC_DIST", "INST_RETIRED.PREC_DIST" },
	};
	struct pmuctl_topdown_options o = { .size = sizeof(o), .tasks = true };
	const struct pmuctl_topdown_node *node;
	struct pmuctl_topdown *td[2];
	struct pmuctl *ctx;
	size_t i, k;

	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	ctx = open_ctx();
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td[0]), 0);
	o.unprivileged = true;
	assert_int_equal(pmuctl_topdown_new(ctx, &o, &td[1]), 0);
	for (i = 0; i < sizeof(advices) / sizeof(advices[0]); i++) {
		for (k = 0; strcmp(pmuctl_topdown_get_node(td[1], k)->name, advices[i].node); k++)
			;
		node = pmuctl_topdown_get_node(td[1], k);
		assert_string_equal(node->event, advices[i].for_users);
		node = pmuctl_topdown_get_node(td[0], k);
		assert_string_equal(node->event, advices[i].precise);
		assert_true(node->precise);
		assert_null(node->why_not_event);
	}
	pmuctl_topdown_free(td[0]);
	pmuctl_topdown_free(td[1]);
	pmuctl_close(ctx);
}

/* Who has no CAP_PERFMON counts what is left to count. */
static void users(void **state)
{
	int bad = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		bad += in_a_child(users_fail, &cpus[i]);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* It wants libpfm4 to be started in its children. */
		cmocka_unit_test(users),
		cmocka_unit_test(advice),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
