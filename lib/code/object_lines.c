// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lines of source code, out of the debugging information of a file of code.
 *
 * Which unit of compilation an address belongs to is gathered from the units
 * themselves: the table of it (.debug_aranges) is what clang leaves out.
 */
#include "lib/code/object.h"

static void find_units(struct object *object)
{
	const struct elfutils *e = elfutils();
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (!e->get_units(object->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		die_ranges_add(&object->units, &die);
	die_ranges_sort(&object->units);
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

bool object_unit(struct object *object, uint64_t address, Dwarf_Die *unit)
{
	if (!object->lines_searched)
		find_lines(object);
	return object->dwarf && die_ranges_find(&object->units, object->dwarf, address, unit);
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
