/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the branches of a function go within it, as lines beside its instructions.
 */
#ifndef PMUCTL_ARROWS_H
#define PMUCTL_ARROWS_H

#include <stddef.h>
#include <stdint.h>

#define LANES_MAX 8

struct arrow {
	uint32_t from, to;	/* offsets in the function */
	unsigned int lane;	/* from the instruction outwards; LANES_MAX: it is not drawn */
};

/* All zero: none. */
struct arrows {
	struct arrow *at;
	size_t count, room;
	unsigned int lanes;
};

/* 0 or -ENOMEM. */
int arrows_add(struct arrows *arrows, uint32_t from, uint32_t to);
/* Once all are there: each gets a lane that no other one has where it is, short ones first. */
void arrows_place(struct arrows *arrows);
/*
 * What stands in front of the instruction at that offset, two characters wider than there are
 * lanes; or, above: of a line above it, which has no instruction.
 */
void arrows_text(const struct arrows *arrows, uint32_t offset, int above,
		 char text[LANES_MAX + 3]);
void arrows_free(struct arrows *arrows);

#endif
