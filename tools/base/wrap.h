/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sentences in lines that fit a screen.
 */
#ifndef PMUCTL_WRAP_H
#define PMUCTL_WRAP_H

#include <stddef.h>
#include <stdio.h>

struct writer;

/* In text alone; each line is indented by as many spaces. */
void wrapped_text(struct writer *w, int indent, const char *text);

/*
 * From this column on, with later lines indented, as wide as the terminal; elsewhere as it
 * is.  What is in brackets stays in one piece.
 */
void put_wrapped(FILE *out, const char *text, size_t column, size_t indent);
/* The same, but broken where there is no terminal, too. */
void put_filled(FILE *out, const char *text, size_t column, size_t indent);

#endif
