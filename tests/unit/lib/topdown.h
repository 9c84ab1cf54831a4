/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of Top-Down share: CPUs, a library without files of events, and a child a CPU.
 */
#ifndef LIB_TOPDOWN_H
#define LIB_TOPDOWN_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/event.h"

/* The second mask has PERF_METRICS as far as the CPU does. */
struct cpu {
	const char *arch, *pfm;
	uint32_t signature, version;
	uint64_t counters, metrics;
};

/* One of each generation. */
static const struct cpu cpus[] = {
	{ "SNB", "snb", 0x206a7, 3, 0x70000000full, 0 },
	{ "IVB", "ivb", 0x306a9, 3, 0x70000000full, 0 },
	{ "HSW", "hsw", 0x306c3, 3, 0x70000000full, 0 },
	{ "BDW", "bdw", 0x306d4, 3, 0x70000000full, 0 },
	{ "SKL", "skl", 0x506e3, 4, 0x70000000full, 0 },
	{ "SKX", "skx", 0x50654, 4, 0x70000000full, 0 },
	{ "ICL", "icl", 0x706e5, 5, 0xf000000ffull, 0xfull << 48 },
	{ "ICX", "icx", 0x606a6, 5, 0xf000000ffull, 0xfull << 48 },
	{ "SPR", "spr", 0x806f8, 5, 0xf000000ffull, 0xffull << 48 },
	{ "ADL", "spr", 0xd0670, 5, 0xf000000ffull, 0xffull << 48 },
	{ "GRT", "ix86arch", 0xb06e0, 5, 0x70000003full, 0 },
	{ "CMT", "ix86arch", 0xa06f3, 5, 0x7000000ffull, 0 },
};

/* Those have a tree of their own, and no classical one. */
static inline bool is_small(const struct cpu *cpu)
{
	return cpu->version == 5 && !(cpu->counters >> 35 & 1);
}

static inline struct pmuctl *open_ctx(void)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	struct pmuctl *ctx;

	assert_int_equal(pmuctl_open(&options, &ctx), 0);
	return ctx;
}

/* libpfm4 knows one CPU a process. */
static inline int in_a_child(int (*fn)(const struct cpu *cpu), const struct cpu *cpu)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		status = fn(cpu);
		fflush(NULL);
		_exit(status);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

#endif
