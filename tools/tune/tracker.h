/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When programs begin and end: known by their files, before their first instruction, with all
 * processes that they fork.
 */
#ifndef PMUCTL_TUNE_TRACKER_H
#define PMUCTL_TUNE_TRACKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tracker;

struct tracker_user {
	/* A process becomes this program, or is it already: it waits for the return. */
	void (*begins)(void *data, uint64_t run, size_t program, pid_t pid);
	/* It and what it forked have all ended, or run something else. */
	void (*ends)(void *data, uint64_t run);
	/* The file was written since tracker_add(); called once. */
	void (*changed)(void *data, size_t program);
	void *data;
};

/* 0, or the exit code after a complaint. */
int tracker_open(const struct tracker_user *user, struct tracker **tracker);
/* Its file is open; programs have numbers from 0 on.  0 or -errno. */
int tracker_add(struct tracker *t, int fd);
/* From now on; what runs already begins now.  0, or the exit code. */
int tracker_begin(struct tracker *t);
/* It can be read when there is something for tracker_serve(). */
int tracker_fd(const struct tracker *t);
/* 0, or the exit code. */
int tracker_serve(struct tracker *t);
/* In which run this process is now; 0: in none. */
uint64_t tracker_run_of(struct tracker *t, pid_t pid);
/* Ends all runs.  NULL is none. */
void tracker_close(struct tracker *t);

#endif
