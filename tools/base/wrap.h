/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sentences in lines that fit a screen.
 */
#ifndef PMUCTL_WRAP_H
#define PMUCTL_WRAP_H

struct writer;

/* In text alone; each line is indented by as many spaces. */
void wrapped_text(struct writer *w, int indent, const char *text);

#endif
