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

/* All that it has; without memory some are not known. */
void die_ranges_add(struct die_ranges *ranges, Dwarf_Die *die);
/* One that is known already. */
void die_ranges_put(struct die_ranges *ranges, const struct die_range *range);
/* Once, before any is looked for.  They do not overlap. */
void die_ranges_sort(struct die_ranges *ranges);
bool die_ranges_find(const struct die_ranges *ranges, Dwarf *dwarf, uint64_t address,
		     Dwarf_Die *die);
void die_ranges_free(struct die_ranges *ranges);

#endif
