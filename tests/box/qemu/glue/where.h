/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where instructions go: each that retires is counted by its address and by who called it, while
 * the truth is kept.  The environment variable PMUBOX_WHERE names the file.
 *
 * All of it runs on the one thread that runs all CPUs: there is no lock.
 */
#ifndef PMUBOX_WHERE_H
#define PMUBOX_WHERE_H

#include "truth.h"

bool where_wanted(void);
/* A CPU, at a boundary in the kernel. */
struct where *where_new(void);

/* An instruction is about to run; it does not complete, or will run again. */
void where_count(CPUX86State *env, struct where *w, uint64_t ip);
void where_undo(struct where *w);

/* Boundaries.  A near or far branch of the class that the CPU is in now: */
void where_branch(CPUX86State *env, struct where *w, const struct pmu_branch *branch);
/* An interrupt or exception was delivered; of one that left user mode where_kernel() tells. */
void where_event(CPUX86State *env, struct where *w);
/* User mode was left, by that system call if it was one, which makes a process; entered. */
void where_kernel(CPUX86State *env, struct where *w, bool syscall, uint64_t nr, bool forks);
void where_user(CPUX86State *env, struct where *w, struct truth_space *space);

/* All CPUs stand still. */
void where_mark(uint32_t label, unsigned int cpu);
void where_end(void);

#endif
