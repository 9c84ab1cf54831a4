/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A symbol's instructions one after the other, each with the samples that name it, and between
 * them samples where no instruction begins: no sample of the symbol is left out.
 */
#ifndef PMUCTL_ANNOTATE_WALK_H
#define PMUCTL_ANNOTATE_WALK_H

#include "tools/annotate/annotate.h"

struct walk {
	struct annotation *a;
	const struct block *block;
	unsigned char *code;	/* NULL, and size 0: it is not here, or another machine's */
	size_t size;
	unsigned int bits;	/* of its code; 0: another machine's, */
	const char *machine;	/* which is called so */
	size_t next;		/* offset of the instruction behind */
	size_t next_hit;	/* the first of the block's that did not come yet */
	/* What walk_next() came to: */
	uint64_t address;
	const struct hit *hit;	/* the samples that name it; NULL: none */
	size_t length;		/* of the instruction; 0: it is none, hit says so in text */
	char text[512];		/* what it does */
};

/* All of it is set; walk_end() in any case. */
void walk_begin(struct walk *k, struct annotation *a, const struct block *block);
/* false: that was the last. */
bool walk_next(struct walk *k);
/* From walk_next(), of an instruction: what within it samples name does not come. */
void walk_skip_within(struct walk *k);
void walk_end(struct walk *k);

#endif
