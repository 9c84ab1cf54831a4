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
 * A function of it, or the same once more where it was moved to: by the clock of the dump, from
 * then on memory of that start and size has what is at that offset of the file.  0 or -errno.
 */
typedef int jitdump_fn(void *fn_data, uint64_t time, uint64_t start, uint64_t size,
		       uint64_t offset);
/*
 * Of process pid, which had it mapped: adds its names to the DSO and tells where its code was, in
 * the order in which it was made.  What is wrong with it is the DSO's `why`.  0, -ENOMEM or what
 * fn said.
 */
int jitdump_take(struct pmuctl_data *data, uint32_t pid, struct dso *dso, jitdump_fn *fn,
		 void *fn_data);
/* The line of code at that offset of the file; NULL: none is known. */
const char *jitdump_line(const struct dso *dso, uint64_t offset, unsigned int *line);
size_t jitdump_text(const struct dso *dso, uint64_t offset, void *text, size_t size);
void jitdump_free(struct jitdump *jit);

#endif
