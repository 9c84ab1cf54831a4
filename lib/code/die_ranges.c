// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which entry of debugging information an address belongs to.
 */
#include <stdlib.h>

#include "lib/code/code.h"
#include "lib/code/die_ranges.h"

/* Each stands behind the one before. */
bool die_next(Dwarf_Die *die)
{
	const struct elfutils *e = elfutils();
	Dwarf_Off before = e->dieoffset(die);
	Dwarf_Die next;

	if (e->siblingof(die, &next) || e->dieoffset(&next) <= before)
		return false;
	*die = next;
	return true;
}

void die_ranges_put(struct die_ranges *ranges, const struct die_range *range)
{
	void *more;

	if (range->end <= range->start)
		return;
	more = data_grow(ranges->at, &ranges->room, ranges->count, sizeof(*range));
	if (!more)
		return;
	ranges->at = more;
	ranges->at[ranges->count++] = *range;
}

void die_ranges_add(struct die_ranges *ranges, Dwarf_Die *die)
{
	const struct elfutils *e = elfutils();
	struct die_range range = { .die = e->dieoffset(die) };
	ptrdiff_t at = 0;
	Dwarf_Addr base;

	while ((at = e->ranges(die, at, &base, &range.start, &range.end)) > 0)
		die_ranges_put(ranges, &range);
}

static bool goes_into(const struct die_kind *kind, int tag)
{
	const int *into;

	for (into = kind->into; *into; into++)
		if (*into == tag)
			return true;
	return false;
}

static void collect(struct die_ranges *ranges, Dwarf_Die *parent, const struct die_kind *kind,
		    unsigned int depth)
{
	const struct elfutils *e = elfutils();
	Dwarf_Die die;

	if (depth == DIE_DEPTH_MAX || e->child(parent, &die))
		return;
	do {
		int tag = e->tag(&die);

		if (tag == kind->tag)
			kind->add(ranges, &die);
		else if (goes_into(kind, tag))
			collect(ranges, &die, kind, depth + 1);
	} while (die_next(&die));
}

void die_ranges_collect(struct die_ranges *ranges, Dwarf_Die *parent, const struct die_kind *kind)
{
	collect(ranges, parent, kind, 0);
}

static int by_start(const void *left, const void *right)
{
	const struct die_range *l = left, *r = right;

	return l->start < r->start ? -1 : l->start > r->start;
}

void die_ranges_sort(struct die_ranges *ranges)
{
	if (ranges->count)
		qsort(ranges->at, ranges->count, sizeof(*ranges->at), by_start);
}

/* The last that starts before is the only one. */
bool die_ranges_find(const struct die_ranges *ranges, Dwarf *dwarf, uint64_t address,
		     Dwarf_Die *die)
{
	size_t begun = data_begun(ranges->at, ranges->count, sizeof(struct die_range), address);

	return begun && address < ranges->at[begun - 1].end &&
	       elfutils()->offdie(dwarf, ranges->at[begun - 1].die, die);
}

void die_ranges_free(struct die_ranges *ranges)
{
	free(ranges->at);
}
