/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place in a program in words.
 */
#ifndef PMUCTL_PLACE_TEXT_H
#define PMUCTL_PLACE_TEXT_H

#include <stddef.h>

struct pmuctl_data;
struct pmuctl_insn;
struct pmuctl_place;

/* "main+0x24", or without a symbol "0x1139 in prog" */
void place_text(struct pmuctl_data *data, const struct pmuctl_place *place, char *text,
		size_t size);
/* The instruction there, whose size field is set; without its code only text: "(no code)". */
void place_insn(struct pmuctl_data *data, const struct pmuctl_place *place,
		struct pmuctl_insn *insn);

#endif
