/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a file that is made out of another one.
 */
#ifndef PMUCTL_OUTPUT_H
#define PMUCTL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* "-", as everywhere. */
bool names_standard_output(const char *path);
/* Whether a file that is to be written is one that is read, by whatever name. */
bool output_is(const char *path, const char *input);
/* path NULL or "-": standard output.  Not over the input; NULL after a complaint. */
FILE *open_output(const char *cmd, const char *path, const char *input);
/*
 * Flushes it: 0, or the negative errno of what could not be written, now or before (that is
 * forgotten by then, but what caused it causes it again).
 */
int stream_error(FILE *out);
/*
 * Whether path still names the file of fd, true of what is no regular file; where: the name that
 * it has now, "" if it has none or none is known.
 */
bool output_is_there(const char *path, int fd, char *where, size_t size);
/* The exit code of a file that was replaced while it was written, after a complaint of that. */
int output_replaced(const char *cmd, const char *path, int fd, const char *where);
/* Both in one: 0 if it is there. */
int check_output(const char *cmd, const char *path, int fd);
/* err: what writing it gave, 0 or a negative errno.  The exit code, after a complaint. */
int close_output(const char *cmd, const char *path, FILE *out, int err);

#endif
