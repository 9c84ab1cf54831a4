// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl stat shows its counts by: cores, sockets and nodes of a machine of paper, and
 * threads of this process.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/tools/run.h"
#include "tools/stat/stat.h"

static char sysfs[] = "/tmp/pmuctl-test-XXXXXX";

static void put(const char *file, const char *text)
{
	char path[160], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", sysfs, file);
	for (slash = strchr(path + 5, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void put_cpu(unsigned int cpu, const char *socket, const char *die, const char *core)
{
	char file[64];

	snprintf(file, sizeof(file), "cpu/cpu%u/topology/physical_package_id", cpu);
	put(file, socket);
	snprintf(file, sizeof(file), "cpu/cpu%u/topology/core_id", cpu);
	put(file, core);
	snprintf(file, sizeof(file), "cpu/cpu%u/topology/die_id", cpu);
	if (die)
		put(file, die);
}

/* Two threads a core; cores of two sockets have the same numbers, and one's has two bytes. */
static int make_machine(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(sysfs));
	put_cpu(0, "1", "0", "0");
	put_cpu(1, "0", "0", "256");
	put_cpu(2, "1", "0", "0");
	put_cpu(3, "0", "0", "2");
	put_cpu(4, "0", NULL, "2");
	put_cpu(5, "0", "1", "2");
	put("node/online", "0-1");
	put("node/node0/cpulist", "1,3-5");
	put("node/node1/cpulist", "0,2");
	return 0;
}

static int remove_machine(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", sysfs);
	return system(command);
}

/* names: "S0:2 S1:1", of each CPU's place: "0010". */
static void places_are(enum stat_split split, unsigned int *cpus, size_t count, const char *names,
		       const char *of)
{
	struct stat_args args = {
		.split = split, .targets = { .kind = TARGET_CPUS, .cpus = cpus, .nr_cpus = count },
	};
	char text[256] = "", each[16] = "";
	struct stat_places places = { .list = NULL };
	size_t i, at = 0;

	assert_int_equal(stat_places_of_cpus(sysfs, &args, &places), 0);
	for (i = 0; i < places.count; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s:%d", i ? " " : "",
				       places.list[i].name, (int)places.list[i].cpus);
	for (i = 0; i < count; i++)
		each[i] = (char)('0' + places.of_cpu[i]);
	assert_string_equal(text, names);
	assert_string_equal(each, of);
	stat_places_free(&places);
}

static void cpus_have_places(void **state)
{
	unsigned int all[] = { 0, 1, 2, 3, 4, 5 }, some[] = { 5, 0 }, none[] = { 6 };
	struct stat_args args = {
		.split = SPLIT_CORES,
		.targets = { .kind = TARGET_CPUS, .cpus = none, .nr_cpus = 1 },
	};
	struct stat_places places = { .list = NULL };

	(void)state;
	places_are(SPLIT_CORES, all, 6, "S0-D0-C2:2 S0-D0-C256:1 S0-D1-C2:1 S1-D0-C0:2", "313002");
	places_are(SPLIT_SOCKETS, all, 6, "S0:4 S1:2", "101000");
	places_are(SPLIT_NODES, all, 6, "N0:4 N1:2", "101000");
	places_are(SPLIT_CORES, some, 2, "S0-D1-C2:1 S1-D0-C0:1", "01");
	assert_int_equal(stat_places_of_cpus(sysfs, &args, &places), 255);
	stat_places_free(&places);
}

/* The counts are 1000, 2000, 3000 and 4000 of two events on two CPUs, which are of one node. */
static void sums(void **state)
{
	(void)state;
	fake.cpus = 2;
	assert_int_equal(run("stat -x; --per-node -C 1,0 -e cycles,instructions --timeout 5"), 0);
	assert_non_null(strstr(err, "N0;2;3000;;cycles;10000;100.00;"));
	assert_non_null(strstr(err, "N0;2;7000;;instructions;10000;100.00;2.33;insn per cycle;"));
	assert_int_equal(run("stat -x; --per-node -C 1,0 -M IPC --timeout 5"), 0);
	assert_non_null(strstr(err, "N0;2;;;IPC;10000;100.00;0.428571;"));
	/* Flags of one are the sum's, and what one of them missed makes it an estimate. */
	fake.counts[1].flags = PMUCTL_COUNT_GUESTS;
	fake.counts[0].running = 2500;
	assert_int_equal(run("stat -j --per-node -C 0,1 -e cycles --timeout 5"), 0);
	assert_non_null(strstr(err, "{\"node\": \"N0\", \"aggregate-number\": 2, "));
	assert_non_null(strstr(err, "\"event-runtime\": 7500, \"pcnt-running\": 75.0"));
	assert_non_null(strstr(err, "\"guests\": true"));
	fake.counts[0].running = 5000;
	assert_int_equal(run("stat --per-node -v -C 0,1 -e cycles --timeout 5"), 0);
	assert_non_null(strstr(err, "cycles: N0: 3000 10000 10000"));
	assert_non_null(strstr(err, "N0        2               3,000      cycles") ?:
			strstr(err, "N0        2               3000      cycles"));
}

static void threads(void **state)
{
	char line[128], expected[64];
	int pid = (int)getpid();

	(void)state;
	snprintf(line, sizeof(line), "stat -x; --per-thread -t %d -e cycles,instructions --timeout 5",
		 pid);
	assert_int_equal(run(line), 0);
	snprintf(expected, sizeof(expected), "stat_places_tes-%d;1000;;cycles;5000;100.00;", pid);
	assert_non_null(strstr(err, expected));
	snprintf(expected, sizeof(expected), "-%d;2000;;instructions;5000;100.00;2.00;", pid);
	assert_non_null(strstr(err, expected));
	RUN_HAS("stat --per-thread -p 4194303", 255, "there is no process '4194303'");
	RUN_HAS("stat --per-thread true", 129, "it goes with -p or -t");
	RUN_HAS("stat --per-thread -a", 129, "it goes with -p or -t");
	RUN_HAS("stat --per-thread -p 1 -r 2 true", 129, "without -r");
}

static void what_excludes_what(void **state)
{
	(void)state;
	RUN_HAS("stat --per-core -p 1", 129, "they go with -a or -C");
	RUN_HAS("stat --per-socket true", 129, "they go with -a or -C");
	RUN_HAS("stat --per-node -t 1", 129, "they go with -a or -C");
	RUN_HAS("stat -A --per-core -a", 129, "one at a time");
	RUN_HAS("stat --per-core --per-node -a", 129, "one of them at a time");
	RUN_HAS("stat --summary true", 129, "it goes with -I");
	RUN_HAS("stat --summary -I 10 -r 2 true", 129, "without -r");
	RUN_HAS("stat -n -e cycles true", 129, "-n counts nothing");
	RUN_HAS("stat -n -I 10 true", 129, "-n counts nothing");
	RUN_HAS("stat --null -d true", 129, "-n counts nothing");
	RUN_HAS("stat -B -x, true", 129, "-B is thousands in text");
	RUN_HAS("stat -B --no-big-num true", 129, "-B is thousands in text");
	RUN_HAS("stat --metric-only -e cycles true", 129, "nothing follows from these events");
}

/* 1000 cycles and 2000 instructions; what could not be counted keeps its column. */
static void tables(void **state)
{
	(void)state;
	assert_int_equal(run("stat --metric-only -x; -e cycles,instructions,branches true"), 0);
	assert_string_equal(err, "insn per cycle\n2.000000\n");
	assert_int_equal(run("stat --metric-only -j -e cycles,instructions -M IPC,CPI true"), 0);
	assert_string_equal(err, "{\"insn per cycle\": 2.0, \"IPC\": 0.75, "
				 "\"CPI\": 1.33333333333333}\n");
	assert_int_equal(run("stat --metric-only -x; -e {cycles,instructions},{cycles,instructions} "
			     "true"), 0);
	assert_string_equal(err, "insn per cycle;insn per cycle (2)\n2.000000;1.333333\n");
	assert_int_equal(run("stat --metric-only -e cycles:u,instructions:u true"), 0);
	assert_non_null(strstr(err, "  instructions:u insn per cycle\n"));
	assert_non_null(strstr(err, "                           2.00\n"));
	fake.counts[0].running = fake.counts[0].enabled = 0;
	assert_int_equal(run("stat --metric-only -x; -e cycles,instructions,branches,branch-misses "
			     "true"), 0);
	assert_string_equal(err, "insn per cycle;branch-misses of all branches\n;133.333333\n");
}

/* With -I and --summary the last line is of all. */
static void summaries(void **state)
{
	(void)state;
	fake.growth = 10;
	assert_int_equal(run("stat -x; -I 100000 --summary -e cycles true"), 0);
	assert_non_null(strstr(err, "\n         summary;1000;;cycles;5000;100.00;"));
	assert_int_equal(run("stat -I 100000 --summary -e cycles true"), 0);
	assert_non_null(strstr(err, "Performance counter stats for 'true':\n\n"
				    "              1000      cycles\n\n"));
	assert_int_equal(run("stat -n true"), 0);
	assert_non_null(strstr(err, "for 'true':\n\n  "));
	assert_null(strstr(err, "cycles"));
	assert_int_equal(run("stat -n -j true"), 0);
	assert_non_null(strstr(err, "\"event\": null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cpus_have_places, make_machine, remove_machine),
		cmocka_unit_test_setup(sums, setup),
		cmocka_unit_test_setup(threads, setup),
		cmocka_unit_test_setup(what_excludes_what, setup),
		cmocka_unit_test_setup(tables, setup),
		cmocka_unit_test_setup(summaries, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
