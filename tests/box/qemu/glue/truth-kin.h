/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose child a new process is, and which exec a new program: system calls that may
 * make one are noted, and found again when it enters user mode for the first time.
 */
#ifndef PMUBOX_TRUTH_KIN_H
#define PMUBOX_TRUTH_KIN_H

#include "cpu.h"
#include "truth.h"

/* In flight, in user mode: how a child will be known; its RSP, and where its thread ID will be. */
void truth_child_of(CPUX86State *env, uint64_t rsp, uint64_t tid_at, struct truth_child *child);

/* A thread of space, which left user mode to come back to place, forks, or execs. */
void truth_forks(struct truth_space *space, struct truth_place place,
		 const struct truth_child *child);
void truth_execs(struct truth_space *space, struct truth_place place, char *path);
/* It is back: no program took its place, and its fork, if it was one, has this result. */
void truth_came_back(struct truth_space *space, struct truth_place place, int64_t result);

/* The CPU went from the tables of a space to its present ones, those of key. */
void truth_went_from(CPUX86State *env, const struct truth_space *from, uint64_t key);
/* What enters user mode with these tables has been started long ago. */
void truth_is_no_exec(uint64_t key);
/* A CPU went from the space of an exec that is not done to these tables, when they were new. */
bool truth_execs_to(uint64_t key);

/* Whose program by that name has just begun, with these tables; or NULL. */
struct truth_space *truth_take_exec(const char *name, uint64_t key);
/*
 * The space of a child that enters user mode for the first time, with tables that were
 * the owner's; or NULL.  It is known by its thread ID; else it is likely to be one.
 */
struct truth_space *truth_known_child(CPUX86State *env, const struct truth_space *owner,
				      uint64_t key);
struct truth_space *truth_likely_child(CPUX86State *env, const struct truth_space *owner,
				       uint64_t key);

#endif
