// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lines of source code, out of the debugging information of a file of code.
 *
 * Which unit of compilation an address belongs to is gathered from the units
 * themselves: the table of it (.debug_aranges) is what clang leaves out.
 */
#include <stdlib.h>

#include "lib/code/object.h"

static void add_range(struct object *object, const struct unit_range *range)
{
	void *more = data_grow(object->units, &object->units_room, object->units_count,
			       sizeof(*range));

	/* Without memory some lines are not known. */
	if (!more)
		return;
	object->units = more;
	object->units[object->units_count++] = *range;
}

static void add_unit(struct object *object, Dwarf_Die *unit)
{
	const struct elfutils *e = elfutils();
	struct unit_range range = { .unit = e->dieoffset(unit) };
	ptrdiff_t at = 0;
	Dwarf_Addr base;

	while ((at = e->ranges(unit, at, &base, &range.start, &range.end)) > 0)
		if (range.end > range.start)
			add_range(object, &range);
}

static int by_start(const void *left, const void *right)
{
	const struct unit_range *l = left, *r = right;

	return l->start < r->start ? -1 : l->start > r->start;
}

static void find_units(struct object *object)
{
	const struct elfutils *e = elfutils();
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (!e->get_units(object->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		add_unit(object, &die);
	if (object->units_count)
		qsort(object->units, object->units_count, sizeof(*object->units), by_start);
}

Dwarf *object_dwarf(struct object *object)
{
	const struct elfutils *e = elfutils();
	const struct elf_file *debug;

	if (object->dwarf_searched)
		return object->dwarf;
	object->dwarf_searched = true;
	object->dwarf = e->dwarf_begin(object->file.elf, DWARF_C_READ, NULL);
	if (!object->dwarf) {
		debug = object_debug(object);
		if (debug)
			object->dwarf = e->dwarf_begin(debug->elf, DWARF_C_READ, NULL);
	}
	return object->dwarf;
}

static void find_lines(struct object *object)
{
	object->lines_searched = true;
	if (object_dwarf(object))
		find_units(object);
}

/* Ranges of units do not overlap: the last that starts before is the only one. */
static bool find_unit(const struct object *object, uint64_t address, Dwarf_Die *unit)
{
	size_t low = 0, high = object->units_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (object->units[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && address < object->units[low - 1].end &&
	       elfutils()->offdie(object->dwarf, object->units[low - 1].unit, unit);
}

bool object_unit(struct object *object, uint64_t address, Dwarf_Die *unit)
{
	if (!object->lines_searched)
		find_lines(object);
	return object->dwarf && find_unit(object, address, unit);
}

const char *object_line(struct object *object, uint64_t address, unsigned int *line)
{
	const struct elfutils *e = elfutils();
	const char *file;
	Dwarf_Line *found;
	Dwarf_Die unit;
	int number;

	if (!object_unit(object, address, &unit))
		return NULL;
	found = e->getsrc(&unit, address);
	if (!found || e->lineno(found, &number))
		return NULL;
	file = e->linesrc(found, NULL, NULL);
	if (file && number >= 0)
		*line = (unsigned int)number;
	return file;
}
