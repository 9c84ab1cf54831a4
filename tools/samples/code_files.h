/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of code by numbers that hold for several perf.data files: each numbers them in its own
 * way.
 */
#ifndef PMUCTL_CODE_FILES_H
#define PMUCTL_CODE_FILES_H

#include <stddef.h>

struct code_files {
	const char **names;	/* of whoever gave them */
	size_t count;
};

/* Returns its number; SIZE_MAX: no memory. */
size_t code_file_number(struct code_files *files, const char *name);
void code_files_free(struct code_files *files);

#endif
