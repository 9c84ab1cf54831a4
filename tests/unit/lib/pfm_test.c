// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libpfm4 as a referee of event names from Core 2 on: each of its names, alone and with each
 * of its umasks, encoded by it and by ours.  Each difference is a row here, and where ours is
 * another code the event's note says which is right.  Of the P6 family, which libpfm4 has on
 * i386 alone, the table libpfm4_p6.csv says what it encodes (lib/event_p6_test.c).
 */
#include <errno.h>
#include <fnmatch.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/event.h"

/* USR, OS, INT and EN, which libpfm4 sets and the kernel does. */
#define RINGS 0x530000ull
#define FIXED0 0x100000000ull

static const struct cpu {
	const char *pfm;
	uint32_t signature, version;
	uint64_t counters;
} cpus[] = {
	{ "core", 0x10676, 2, 0x700000003ull },
	{ "nhm", 0x106a5, 3, 0x70000000full },
	{ "wsm", 0x20652, 3, 0x70000000full },
	{ "snb", 0x206a7, 3, 0x7000000ffull },
	{ "snb_ep", 0x206d7, 3, 0x7000000ffull },
	{ "ivb", 0x306a9, 3, 0x7000000ffull },
	{ "hsw", 0x306c3, 3, 0x7000000ffull },
	{ "bdw", 0x306d4, 3, 0x7000000ffull },
	{ "skl", 0x506e3, 4, 0x7000000ffull },
	{ "skx", 0x50654, 4, 0x7000000ffull },
	{ "clx", 0x50656, 4, 0x7000000ffull },
	{ "icl", 0x706e5, 5, 0xf000000ffull },
	{ "icx", 0x606a6, 5, 0xf000000ffull },
	{ "spr", 0x806f8, 5, 0xf000000ffull },
};

/* What ours does otherwise, and says so in the event's note. */
static const struct row {
	const char *cpus, *names;	/* patterns */
	const char *note;		/* part of it; NULL: ours refuses the name */
	uint64_t counters;		/* 0: they do not matter */
} rows[] = {
	{ "wsm", "INST_RETIRED:ANY", "libpfm4 4.13.0 has code 0x01c0" },
	{ "spr", "INST_RETIRED:ANY", "libpfm4 4.13.0 has code 0x01c0" },
	{ "ic[lx]", "INST_RETIRED:ANY", "0x0100 is fixed counter 0's alone" },
	{ "spr", "CPU_CLK_UNHALTED:THREAD", "0x0200 is fixed counter 1's alone" },
	{ "ic[lx]", "INST_RETIRED:PREC_DIST", "it is fixed counter 0 alone", FIXED0 },
	{ "spr", "INST_RETIRED:PREC_DIST", "it is fixed counter 0 alone", FIXED0 },
	{ "snb*", "BR_MISP_RETIRED:ALL_BRANCHES", "Intel's event list 0x00c5" },
	{ "[hb][sd]w", "L2_RQSTS:RFO_HIT", "Intel's event list 0xc224" },
	{ "snb*", "BR_INST_RETIRED:ALL_BRANCHES", "Intel's event list 0x00c4" },
	{ "ivb", "MOVE_ELIMINATION:INT_*", "Intel's event list 0x0" },
	{ "[hb][sd]w", "L2_RQSTS:DEMAND_DATA_RD_HIT", "Intel's event list 0xc124" },
	{ "[hb][sd]w", "L2_RQSTS:CODE_RD_HIT", "Intel's event list 0xc424" },
	{ "[hb][sd]w", "L2_RQSTS:L2_PF_*", "Intel's event list 0x" },
	{ "[hb][sd]w", "UOPS_RETIRED:TOTAL_CYCLES", "Intel's event list 0x108001c2" },
	{ "[sc][kl][lx]", "UOPS_RETIRED:[ST]*_CYCLES", "Intel's event list 0x1" },
	{ "ic[lx]", "MEM_LOAD_MISC_RETIRED:UC", "Intel's event list 0x04d4" },
	{ "spr", "ARITH:I*DIV*_ACTIVE", "Intel's event list 0x10008b0" },
	{ "spr", "MEM_TRANS_RETIRED:STORE_SAMPLE", "Intel's event list 0x02cd" },
	{ "*", "TOPDOWN:BACKEND_BOUND_SLOTS", "Intel's event list 0x02a4" },
	{ "spr", "TOPDOWN:B*", "Intel's event list 0x" },
	{ "spr", "TOPDOWN:MEMORY_BOUND_SLOTS", "Intel's event list 0x10a4" },
	{ "spr", "UOPS_RETIRED:MS", "Intel's event list 0x04c2" },
	{ "spr", "INT_MISC:UNKNOWN_BRANCH_CYCLES", "Intel's event list 0x40ad" },
	/* Code 00 in libpfm4, and Intel's list does not have it. */
	{ "ic[lx]", "TOPDOWN:BR_MISPREDICT_SLOTS", NULL },
	/* Fields of PERF_METRICS, which no counter counts; libpfm4 has them behind 4.13.0. */
	{ "ic[lx]", "TOPDOWN_M:*", NULL },
	{ "spr", "TOPDOWN_M:*", NULL },
};

static unsigned int compared, bad;

static const struct row *find_row(const char *pmu, const char *name)
{
	const struct row *row;

	for (row = rows; row < rows + sizeof(rows) / sizeof(rows[0]); row++)
		if (!fnmatch(row->cpus, pmu, 0) && !fnmatch(row->names, name, 0))
			return row;
	return NULL;
}

static void complain(const char *pmu, const char *name, const char *what, uint64_t theirs)
{
	printf("%s %s: %s, and libpfm4 has %#llx\n", pmu, name, what, (unsigned long long)theirs);
	bad++;
}

/* Than 4.13.0, which the notes are about: some of its codes are mended. */
static bool is_newer(const char *pmu)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	char name[80];

	snprintf(name, sizeof(name), "%s::TOPDOWN_M:RETIRING", pmu);
	if (pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_NONE, &arg))
		return false;
	free(arg.codes);
	return true;
}

static void check_note(const char *pmu, const char *name, const struct pmuctl_event_info *info,
		       uint64_t theirs)
{
	const struct row *row = find_row(pmu, name);
	bool differs = info->registers[0].value != theirs;

	if (differs != (row && row->note) && (differs || !is_newer(pmu)))
		complain(pmu, name, differs ? "no row has it" : "there is no difference", theirs);
	else if (differs && !strstr(info->note, row->note))
		complain(pmu, name, info->note, theirs);
	if (row && row->counters && row->counters != info->counters)
		complain(pmu, name, "it is on other counters", theirs);
	/* What libpfm4 encodes it does not lack. */
	if (strstr(info->note, "lacks") && !is_newer(pmu))
		complain(pmu, name, info->note, theirs);
}

static void compare(struct pmuctl *ctx, const char *pmu, const char *name)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	const struct row *row = find_row(pmu, name);
	struct pmuctl_event *ours;
	char theirs[200];
	uint64_t code;

	snprintf(theirs, sizeof(theirs), "%s::%s", pmu, name);
	if (pfm_get_os_event_encoding(theirs, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg))
		return;
	code = arg.codes[0] & ~RINGS;
	free(arg.codes);
	compared++;
	if (pmuctl_event_parse(ctx, name, &ours)) {
		if (!row || row->note)
			complain(pmu, name, pmuctl_error(ctx), code);
		return;
	}
	check_note(pmu, name, pmuctl_event_get_info(ours), code);
	pmuctl_event_free(ours);
}

static void check_event(struct pmuctl *ctx, const char *pmu, int index)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	char name[160];
	int i;

	assert_int_equal(pfm_get_event_info(index, PFM_OS_NONE, &event), PFM_SUCCESS);
	compare(ctx, pmu, event.name);
	for (i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		assert_int_equal(pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr),
				 PFM_SUCCESS);
		if (attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s:%s", event.name, attr.name);
		compare(ctx, pmu, name);
	}
}

static int first_event(const char *pmu)
{
	pfm_pmu_t id;

	for (id = PFM_PMU_NONE; id < PFM_PMU_MAX; id++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(id, &info) == PFM_SUCCESS && info.is_present &&
		    !strcmp(info.name, pmu))
			return info.first_event;
	}
	return -1;
}

/* Where libpfm4 refuses them, too. */
static void check_fixed_only(struct pmuctl *ctx)
{
	const struct expected edges = { "INST_RETIRED.PREC_DIST:e", -EOPNOTSUPP,
					.error = "fixed counter 0 alone, which has no edge" };
	const struct expected cmask = { "INST_RETIRED.PREC_DIST:c=1", -EOPNOTSUPP,
					.error = "or take INST_RETIRED.ANY_P" };

	parses_as(ctx, &edges);
	parses_as(ctx, &cmask);
}

static int compare_cpu(const struct cpu *cpu)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	struct pmuctl *ctx;
	int index;

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters);
	fake.arch_events = 0xff;
	if (pmuctl_open(&options, &ctx) || pfm_initialize())
		return 1;
	for (index = first_event(cpu->pfm); index >= 0; index = pfm_get_event_next(index))
		check_event(ctx, cpu->pfm, index);
	if (cpu->version == 5)
		check_fixed_only(ctx);
	pmuctl_close(ctx);
	printf("%s: %u of %u names differ\n", cpu->pfm, bad, compared);
	return bad || !compared;
}

static void same_as_libpfm4(void **state)
{
	int status, failed = 0;
	size_t i;
	pid_t pid;

	(void)state;
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			status = compare_cpu(&cpus[i]);
			fflush(NULL);
			_exit(status);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		failed += !!status;
	}
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_libpfm4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
