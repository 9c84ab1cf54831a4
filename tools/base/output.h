/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a file that is made out of another one.
 */
#ifndef PMUCTL_OUTPUT_H
#define PMUCTL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* "-", as everywhere. */
bool names_standard_output(const char *path);
/* path NULL or "-": standard output.  Not over the input; NULL after a complaint. */
FILE *open_output(const char *cmd, const char *path, const char *input);
/*
 * Flushes it: 0, or the negative errno of what could not be written, now or before (that is
 * forgotten by then, but what caused it causes it again).
 */
int stream_error(FILE *out);
/* err: what writing it gave, 0 or a negative errno.  The exit code, after a complaint. */
int close_output(const char *cmd, const char *path, FILE *out, int err);

#endif
