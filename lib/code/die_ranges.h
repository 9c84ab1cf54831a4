/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which entry of debugging information an address belongs to: units of compilation, functions,
 * variables.
 */
#ifndef LIBPMUCTL_DIE_RANGES_H
#define LIBPMUCTL_DIE_RANGES_H

#include "lib/code/elfutils.h"

struct die_range {
	uint64_t start, end;
	Dwarf_Off die;
};

/* All zero: empty. */
struct die_ranges {
	struct die_range *at;
	size_t count, room;
};

/* The next sibling; false: none.  What leads back is a damaged file. */
bool die_next(Dwarf_Die *die);

/* Blocks within blocks, inlined within inlined, types of types: more is a damaged file's. */
#define DIE_DEPTH_MAX 64

/* All that it has; without memory some are not known. */
void die_ranges_add(struct die_ranges *ranges, Dwarf_Die *die);

/* Which entries below one have ranges. */
struct die_kind {
	int tag;
	void (*add)(struct die_ranges *ranges, Dwarf_Die *die);
	int into[5];	/* tags of those that may have some below them; 0 behind the last */
};

void die_ranges_collect(struct die_ranges *ranges, Dwarf_Die *parent, const struct die_kind *kind);
/* One that is known already. */
void die_ranges_put(struct die_ranges *ranges, const struct die_range *range);
/* Once, before any is looked for.  They do not overlap. */
void die_ranges_sort(struct die_ranges *ranges);
bool die_ranges_find(const struct die_ranges *ranges, Dwarf *dwarf, uint64_t address,
		     Dwarf_Die *die);
void die_ranges_free(struct die_ranges *ranges);

#endif
