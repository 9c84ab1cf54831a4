// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl workload and pmuctl analyze.
 */
#include "tools/workload/workload.h"
#include "tests/unit/tools/run.h"

static const struct workload *workload(const char *name)
{
	const struct workload *w = workloads;

	while (strcmp(w->name, name) != 0)
		w++;
	return w;
}

static void workloads_are_listed(void **state)
{
	const struct workload *w;

	(void)state;
	assert_int_equal(run("workload --list"), 0);
	for (w = workloads; w->name; w++)
		assert_non_null(strstr(out, w->name));
	assert_int_equal(run("workload --list -x ;"), 0);
	assert_non_null(strstr(out, "\ndivide-chain;divisions that wait for each other;Divider;"));
	assert_int_equal(run("workload --list -j"), 0);
	assert_non_null(strstr(out, "{\"name\": \"pointer-chase\", "));
}

static void workload_usage_is_129(void **state)
{
	(void)state;
	RUN_HAS("workload", 129, "nothing to run; name a workload, or --list");
	RUN_HAS("workload dense-alu divide-chain", 129, "'divide-chain': it takes one workload");
	RUN_HAS("workload --list dense-alu", 129, "--list runs none: no 'dense-alu'");
	RUN_HAS("workload -j dense-alu", 129, "-x and -j go with --list");
	RUN_HAS("workload dense", 129, "there is no workload 'dense'; there are:\n  pointer-chase");
	RUN_HAS("workload --rounds 0 dense-alu", 129, "--rounds");
	RUN_HAS("workload --rounds -1 dense-alu", 129, "--rounds");
}

/* Those that need no memory beyond the caches. */
static void small_workloads_run(void **state)
{
	(void)state;
	assert_int_equal(run("workload --rounds 1 random-branches"), 0);
	assert_int_equal(run("workload --rounds 2 code-footprint"), 0);
	assert_int_equal(run("workload --rounds 100 divide-chain"), 0);
	assert_int_equal(run("workload --rounds 100 dense-alu"), 0);
	assert_int_equal(run("workload --rounds 100 set-conflict"), 0);
}

/* From line to line until the first one comes again. */
static size_t cycle_length(void *memory)
{
	void **line = memory;
	size_t n = 0;

	do {
		line = *line;
		n++;
	} while (line != memory);
	return n;
}

static void the_chase_goes_through_all_lines(void **state)
{
	const struct workload *w = workload("pointer-chase");
	struct workload_machine machine = { .last_level = 3 << 20, .memory = 1 << 30 };
	struct workload_run chase = { .machine = &machine, .size = w->memory(&machine) };

	(void)state;
	chase.memory = workload_allocate(chase.size);
	assert_int_equal(chase.size, 8 << 20);
	w->prepare(&chase);
	assert_int_equal(cycle_length(chase.memory), chase.size / 64);
	chase.rounds = 1000;
	w->run(&chase);
	/* The last stores are to the first lines again. */
	chase.rounds = chase.size / 64 + 3;
	workload("streaming-stores")->run(&chase);
	assert_int_equal(*(uint64_t *)chase.memory, 3);
	free(chase.memory);
	/* A small machine. */
	machine.memory = 16 << 20;
	assert_int_equal(w->memory(&machine), 4 << 20);
}

static void the_lines_in_conflict_share_a_set(void **state)
{
	const struct workload *w = workload("set-conflict");
	const struct workload_machine machine = { .l1d = { .sets = 64, .ways = 12, .line = 64 } };
	struct workload_run conflict = { .machine = &machine, .size = w->memory(&machine) };

	(void)state;
	conflict.memory = workload_allocate(conflict.size);
	w->prepare(&conflict);
	assert_int_equal(cycle_length(conflict.memory), 24);
	assert_ptr_equal(*(void **)conflict.memory, (char *)conflict.memory + 4096);
	free(conflict.memory);
}

static void analyze_usage_is_129(void **state)
{
	(void)state;
	RUN_HAS("analyze", 129, "nothing to analyze; name a command\nusage: pmuctl analyze");
	RUN_HAS("analyze -l 9 true", 129, "-l");
	RUN_HAS("analyze -c 5 -F 5 true", 129, "-c or -F, one of them");
	RUN_HAS("analyze -p 1", 129, "-p: what runs already cannot be run a second time");
	RUN_HAS("analyze -a", 129, "`pmuctl topdown -a`");
	RUN_HAS("analyze -x , -j true", 129, "-");
	RUN_HAS("analyze -o - true", 129, "cannot go to a pipe");
	RUN_HAS("analyze --node Nothing_Bound true", 129, "'Nothing_Bound'");
	RUN_HAS("analyze -- /nonexistent/command", 255, "/nonexistent/command': No such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(workloads_are_listed, setup),
		cmocka_unit_test_setup(workload_usage_is_129, setup),
		cmocka_unit_test_setup(small_workloads_run, setup),
		cmocka_unit_test_setup(analyze_usage_is_129, setup),
		cmocka_unit_test(the_chase_goes_through_all_lines),
		cmocka_unit_test(the_lines_in_conflict_share_a_set),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
