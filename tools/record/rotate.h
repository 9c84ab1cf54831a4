/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmuctl record --rotate: one recording, a file an interval, by itself or as a profile.
 */
#ifndef PMUCTL_ROTATE_H
#define PMUCTL_ROTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* "20261130T171022.123Z-000001", and room for more digits of the number. */
#define STAMP_SIZE 48

/* tools/record/names.c: what the files of a recording are called: DIR/BASE.STAMP and the suffix. */
struct rotate_names {
	char *dir;
	const char *base, *suffix;
};

/* Of a moment in ns since 1970, UTC, and the number of the interval. */
void rotate_stamp(char text[STAMP_SIZE], uint64_t moment, uint64_t number);
/* Whether it is called so: the name is in the directory. */
bool rotate_is_named(const struct rotate_names *names, const char *suffix, const char *name);
/*
 * Removes the oldest of them until there are not more than `count` (0: any number) that have not
 * more than `bytes` together (0: any).  The newest stays.  How many went, or -errno.
 */
int rotate_prune(const struct rotate_names *names, uint64_t count, uint64_t bytes);
/* All that are called so, with another suffix. */
void rotate_remove(const struct rotate_names *names, const char *suffix);

/* An interval whose file is closed. */
struct job {
	char *name;		/* of its files, without what they end with; NULL: none */
	uint64_t number;
};

/* Makes profiles of closed files while the recording goes on; all zero: idle. */
struct converter {
	struct job now, next;
	pid_t pid;		/* 0: nothing runs */
	int words;		/* what it says goes there */
};

struct rotation {
	struct rotate_names names;
	int lock;		/* of the directory of profiles; 0: none */
	struct job job;		/* the interval that is being recorded */
	char *path;		/* where it is written */
	bool published;		/* there is something to record */
	struct converter converter;
	uint64_t files, bytes;	/* that have their names */
	uint64_t removed;	/* because of --keep and --keep-size */
	uint64_t empty;		/* intervals without samples, which have no profile */
	uint64_t missing;	/* profiles that could not be made, or were left out */
};

struct record;

/* Each returns 0 or the exit code, after saying why. */
/* tools/record/rotate.c: of the first interval; nothing without --rotate. */
int rotate_open(struct record *r);
/* An interval is over. */
int rotate_next(struct record *r);
/* Profiles that have been made by now. */
int rotate_poll(struct record *r);
/* The file has ended; code: what the recording has come to. */
int rotate_end(struct record *r, int code);
void rotate_free(struct record *r);

#endif
