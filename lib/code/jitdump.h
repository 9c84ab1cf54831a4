/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code that a program made itself, with its names, lines and bytes: jit-PID.dump, as just-in-time
 * compilers write it for `perf inject --jit` (Linux's tools/perf/Documentation/
 * jitdump-specification.txt).
 *
 * To a process such a file is a mapping like any other, which its agent makes to be noticed.  Each
 * function that is in it is a mapping of its own here: of its bytes in the file, from the moment
 * that it was made, to where it was put.
 */
#ifndef LIBPMUCTL_JITDUMP_H
#define LIBPMUCTL_JITDUMP_H

#include "lib/code/code.h"

/* Is it what such a file is called? */
bool jitdump_named(const char *path);
/*
 * Of process pid, which had it mapped: adds its code to the maps and its names to the DSO of that
 * number.  What is wrong with it is the DSO's `why`.  0 or -ENOMEM.
 */
int jitdump_take(struct pmuctl_data *data, uint32_t pid, uint64_t time, uint32_t number,
		 struct dso *dso);
/* The line of code at that offset of the file; NULL: none is known. */
const char *jitdump_line(const struct dso *dso, uint64_t offset, unsigned int *line);
size_t jitdump_text(const struct dso *dso, uint64_t offset, void *text, size_t size);
void jitdump_free(struct jitdump *jit);

#endif
