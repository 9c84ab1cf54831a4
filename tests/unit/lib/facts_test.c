// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every event of tables that were made from Intel's files by other means, by
 * libpfm4 with our mending, and by Intel's files themselves; on nine
 * generations.  The tables are not in this tree: PMUCTL_FACTS names their
 * directory, and without it there is nothing to compare with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/csv.h"
#include "tests/unit/lib/event.h"

static const struct cpu {
	const char *arch, *pfm;
	uint32_t signature, version;
	uint64_t counters;
} cpus[] = {
	{ "SNB", "snb", 0x206a7, 3, 0x7000000ffull },
	{ "IVB", "ivb", 0x306a9, 3, 0x7000000ffull },
	{ "HSW", "hsw", 0x306c3, 3, 0x7000000ffull },
	{ "BDW", "bdw", 0x306d4, 3, 0x7000000ffull },
	{ "SKL", "skl", 0x506e3, 4, 0x7000000ffull },
	{ "SKX", "skx", 0x50654, 4, 0x7000000ffull },
	{ "ICL", "icl", 0x706e5, 5, 0xf000000ffull },
	{ "ICX", "icx", 0x606a6, 5, 0xf000000ffull },
	{ "SPR", "spr", 0x806f8, 5, 0xf000000ffull },
};

#define COLUMNS 20

/* Codes that only fixed counters have, in those of general-purpose ones. */
static uint64_t as_ours(uint64_t code)
{
	if ((code & 0xffff) == 0x0100)
		return (code & ~0xffffull) | 0xc0;
	if ((code & 0xffff) == 0x0200)
		return (code & ~0xffffull) | 0x3c;
	return code;
}

/* 0: as it should be. */
static int differs(struct pmuctl *ctx, const char *arch, const char *name, uint64_t code)
{
	struct pmuctl_event *event;
	uint64_t got;

	if (pmuctl_event_parse(ctx, name, &event)) {
		printf("%s %s: %s\n", arch, name, pmuctl_error(ctx));
		return 1;
	}
	got = pmuctl_event_get_info(event)->registers[0].value;
	pmuctl_event_free(event);
	if (got == as_ours(code))
		return 0;
	printf("%s %s: %llx, and the table has %llx\n", arch, name, (unsigned long long)got,
	       (unsigned long long)code);
	return 1;
}

/* A few rows of the tables, for machines without them. */
static const struct {
	const char *arch, *name;
	uint64_t code;
} known[] = {
	{ "SNB", "RESOURCE_STALLS2.BOB_FULL", 0x405b },
	{ "SNB", "ICACHE.MISSES", 0x280 },
	{ "SNB", "ILD_STALL.LCP", 0x187 },
	{ "SNB", "RS_EVENTS.EMPTY_END", 0x184015e },
	{ "SNB", "RESOURCE_STALLS.ANY", 0x1a2 },
	{ "SNB", "BACLEARS.ANY", 0x1fe6 },
	{ "SNB", "BR_MISP_RETIRED.ALL_BRANCHES", 0xc5 },	/* mended */
	{ "SNB", "UOPS_DISPATCHED.CORE", 0x2b1 },	/* mended */
	{ "SNB", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 0x400019c },	/* mended */
	{ "SNB", "RESOURCE_STALLS.OOO_RSRC", 0xf0a2 },	/* mended */
	{ "IVB", "INST_RETIRED.PREC_DIST", 0x1c0 },
	{ "IVB", "CPU_CLK_UNHALTED.REF_XCLK", 0x13c },
	{ "IVB", "ICACHE.IFETCH_STALL", 0x480 },
	{ "IVB", "DTLB_LOAD_MISSES.WALK_DURATION", 0x8408 },
	{ "IVB", "MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_MISS", 0x1d2 },
	{ "IVB", "RS_EVENTS.EMPTY_CYCLES", 0x15e },
	{ "IVB", "FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE", 0x2010 },	/* mended */
	{ "IVB", "MEM_LOAD_UOPS_RETIRED.LLC_HIT", 0x4d1 },	/* mended */
	{ "IVB", "IDQ.ALL_DSB_CYCLES_ANY_UOPS", 0x1001879 },	/* mended */
	{ "HSW", "DTLB_LOAD_MISSES.STLB_HIT", 0x6008 },
	{ "HSW", "INT_MISC.RECOVERY_CYCLES", 0x100030d },
	{ "HSW", "BACLEARS.ANY", 0x1fe6 },
	{ "HSW", "IDQ_UOPS_NOT_DELIVERED.CORE", 0x19c },
	{ "HSW", "MEM_UOPS_RETIRED.LOCK_LOADS", 0x21d0 },
	{ "HSW", "L1D_PEND_MISS.PENDING", 0x148 },
	{ "HSW", "L2_RQSTS.RFO_HIT", 0xc224 },	/* mended */
	{ "HSW", "CPU_CLK_UNHALTED.THREAD_ANY", 0x200200 },	/* mended */
	{ "HSW", "INST_RETIRED.ANY", 0x100 },	/* mended */
	{ "HSW", "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_RFO", 0x1000460 },	/* mended */
	{ "BDW", "CYCLE_ACTIVITY.STALLS_L1D_PENDING", 0xc000ca3 },
	{ "BDW", "DTLB_STORE_MISSES.STLB_HIT", 0x6049 },
	{ "BDW", "MEM_LOAD_UOPS_RETIRED.L2_HIT", 0x2d1 },
	{ "BDW", "DTLB_LOAD_MISSES.WALK_DURATION", 0x1008 },
	{ "BDW", "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC", 0x30001b1 },
	{ "BDW", "ARITH.FPU_DIV_ACTIVE", 0x114 },
	{ "BDW", "L2_RQSTS.RFO_HIT", 0xc224 },	/* mended */
	{ "BDW", "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_RFO", 0x1000460 },	/* mended */
	{ "BDW", "CPU_CLK_UNHALTED.REF_TSC", 0x300 },	/* mended */
	{ "BDW", "CPU_CLK_UNHALTED.THREAD_P_ANY", 0x20003c },	/* mended */
	{ "SKL", "FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE", 0x4c7 },
	{ "SKL", "DTLB_STORE_MISSES.STLB_HIT", 0x2049 },
	{ "SKL", "IDQ_UOPS_NOT_DELIVERED.CORE", 0x19c },
	{ "SKL", "INST_RETIRED.TOTAL_CYCLES_PS", 0xa8001c0 },
	{ "SKL", "EXE_ACTIVITY.BOUND_ON_STORES", 0x40a6 },
	{ "SKL", "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD", 0x860 },
	{ "SKL", "UOPS_RETIRED.MACRO_FUSED", 0x4c2 },	/* mended */
	{ "SKL", "FP_ARITH_INST_RETIRED.SCALAR", 0x3c7 },	/* mended */
	{ "SKL", "FP_ARITH_INST_RETIRED.4_FLOPS", 0x18c7 },	/* mended */
	{ "SKX", "UOPS_ISSUED.ANY", 0x10e },
	{ "SKX", "EXE_ACTIVITY.BOUND_ON_STORES", 0x40a6 },
	{ "SKX", "L2_RQSTS.RFO_HIT", 0xc224 },
	{ "SKX", "INST_RETIRED.ANY_P", 0xc0 },
	{ "SKX", "BR_INST_RETIRED.ALL_BRANCHES", 0xc4 },
	{ "SKX", "L1D_PEND_MISS.PENDING", 0x148 },
	{ "SKX", "INST_RETIRED.ANY", 0x100 },	/* mended */
	{ "SKX", "FP_ARITH_INST_RETIRED.4_FLOPS", 0x18c7 },	/* mended */
	{ "SKX", "DECODE.LCP", 0x187 },	/* mended */
	{ "ICL", "INST_RETIRED.PREC_DIST", 0x100 },
	{ "ICL", "IDQ.DSB_CYCLES_ANY", 0x1000879 },
	{ "ICL", "CPU_CLK_UNHALTED.DISTRIBUTED", 0x2ec },
	{ "ICL", "INST_DECODED.DECODERS", 0x155 },
	{ "ICL", "IDQ.MITE_UOPS", 0x479 },
	{ "ICL", "MEM_LOAD_RETIRED.L2_HIT", 0x2d1 },
	{ "ICL", "MEM_LOAD_RETIRED.FB_HIT", 0x40d1 },
	{ "ICL", "TOPDOWN.BACKEND_BOUND_SLOTS", 0x2a4 },	/* mended */
	{ "ICL", "ARITH.FP_DIVIDER_ACTIVE", 0x1000114 },	/* mended */
	{ "ICL", "ICACHE_TAG.STALLS", 0x483 },	/* mended */
	{ "ICL", "DECODE.LCP", 0x187 },	/* mended */
	{ "ICX", "CPU_CLK_UNHALTED.DISTRIBUTED", 0x2ec },
	{ "ICX", "IDQ.MS_SWITCHES", 0x1043079 },
	{ "ICX", "INST_RETIRED.NOP", 0x2c0 },
	{ "ICX", "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS", 0x107 },
	{ "ICX", "RESOURCE_STALLS.SCOREBOARD", 0x2a2 },
	{ "ICX", "IDQ.MS_UOPS", 0x3079 },
	{ "ICX", "TOPDOWN.BACKEND_BOUND_SLOTS", 0x2a4 },	/* mended */
	{ "ICX", "CPU_CLK_UNHALTED.THREAD", 0x200 },	/* mended */
	{ "ICX", "ICACHE_DATA.STALLS", 0x480 },	/* mended */
	{ "ICX", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 0x500019c },	/* mended */
	{ "SPR", "MEM_LOAD_L3_HIT_RETIRED.XSNP_NO_FWD", 0x2d2 },
	{ "SPR", "DTLB_STORE_MISSES.STLB_HIT", 0x2013 },
	{ "SPR", "BR_INST_RETIRED.NEAR_TAKEN", 0x20c4 },
	{ "SPR", "FP_ARITH_INST_RETIRED.8_FLOPS", 0x60c7 },
	{ "SPR", "ARITH.FPDIV_ACTIVE", 0x10001b0 },
	{ "SPR", "MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM", 0x10d3 },
	{ "SPR", "TOPDOWN.BACKEND_BOUND_SLOTS", 0x2a4 },	/* mended */
	{ "SPR", "TOPDOWN.BAD_SPEC_SLOTS", 0x4a4 },	/* mended */
	{ "SPR", "LOCK_CYCLES.CACHE_LOCK_DURATION", 0x242 },	/* mended */
	{ "SPR", "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_CODE_RD", 0x1000220 },	/* mended */
	{ "SPR", "EXE_ACTIVITY.2_3_PORTS_UTIL", 0xca6 },	/* mended */
};

static int compare_known(const struct cpu *cpu)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	struct pmuctl *ctx;
	int bad = 0;
	size_t i;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters);
	if (pmuctl_open(&options, &ctx))
		return 1;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].arch, cpu->arch))
			bad += differs(ctx, cpu->arch, known[i].name, known[i].code);
	pmuctl_close(ctx);
	return bad;
}

static void known_events(void **state)
{
	int status, bad = 0;
	size_t i;
	pid_t pid;

	(void)state;
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			status = compare_known(&cpus[i]);
			fflush(NULL);
			_exit(status);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		bad += !!status;
	}
	assert_int_equal(bad, 0);
}

/* All rows of one generation, in a process of its own: libpfm4 knows one CPU. */
static int compare(const struct cpu *cpu, const char *table, int column, const char *dir)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = dir };
	char line[4096], *fields[COLUMNS];
	int bad = 0, rows = 0;
	struct pmuctl *ctx;
	FILE *f = fopen(table, "r");

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters);
	fake.arch_events = 0xff;
	if (!f || pmuctl_open(&options, &ctx))
		return 1;
	while (fgets(line, sizeof(line), f)) {
		csv_split(line, fields, COLUMNS);
		if (strcmp(fields[0], cpu->arch))
			continue;
		rows++;
		bad += differs(ctx, fields[0], fields[1], strtoull(fields[column], NULL, 0));
	}
	pmuctl_close(ctx);
	fclose(f);
	printf("%s: %d of %d events\n", cpu->arch, rows - bad, rows);
	return bad || !rows;
}

static void compare_all(const char *name, int column, const char *events)
{
	const char *facts = getenv("PMUCTL_FACTS");
	char table[4096], dir[4096];
	int status, bad = 0;
	size_t i;
	pid_t pid;

	facts = facts ? facts : "/work/shared/facts";
	snprintf(table, sizeof(table), "%s/%s", facts, name);
	snprintf(dir, sizeof(dir), "%s/%s", facts, events);
	if (access(table, R_OK) || access(dir, R_OK)) {
		print_message("skipped: %s is not there (PMUCTL_FACTS)\n", table);
		skip();
	}
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			status = compare(&cpus[i], table, column, events[0] ? dir : "");
			fflush(NULL);
			_exit(status);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		bad += !!status;
	}
	assert_int_equal(bad, 0);
}

static void libpfm4_and_our_mending(void **state)
{
	(void)state;
	compare_all("topdown-events.csv", 8, "");
}

static void intels_files(void **state)
{
	(void)state;
	compare_all("topdown-events.csv", 8, "perfmon");
	compare_all("pebs-and-constraints.csv", 4, "perfmon");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_events),
		cmocka_unit_test(libpfm4_and_our_mending),
		cmocka_unit_test(intels_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
