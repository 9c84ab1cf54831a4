/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of Top-Down share: a library without files of events, and a child a CPU.
 */
#ifndef LIB_TOPDOWN_H
#define LIB_TOPDOWN_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib_event.h"

/* The second mask has PERF_METRICS as far as the CPU does. */
struct cpu {
	const char *arch, *pfm;
	uint32_t signature, version;
	uint64_t counters, metrics;
};

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
