/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a program, and what it is known by.
 */
#ifndef PMUCTL_TUNE_PROGRAM_H
#define PMUCTL_TUNE_PROGRAM_H

#include "lib/base/build_id.h"

struct program {
	char *path;		/* the whole one; to be freed */
	char id[2 * BUILD_ID_MAX + 1];
};

/* Where an exec of this name finds it.  0, or the exit code after a complaint. */
int program_find(const char *name, struct program *program);
/* Fills in the build-id of an open file; 0, or -ENODATA: it has none. */
int program_id(int fd, char id[2 * BUILD_ID_MAX + 1]);

#endif
