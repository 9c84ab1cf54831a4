// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions that were inlined at an address, out of the debugging information of a file of code.
 *
 * A unit of compilation is gone through once, for where its functions are; an address then costs
 * what its own function has inside, and is looked up once.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/object.h"

struct inlined_list {
	struct pmuctl_inlined *inlined;
	size_t count;
};

struct object_inlines {
	struct data_ids units;		/* by offset, into `functions` */
	struct die_ranges *functions;	/* of a unit each */
	size_t functions_count, functions_room;
	struct data_ids addresses;	/* into `lists` */
	struct inlined_list *lists;
	size_t lists_count, lists_room;
};

/* ---- debugging information --------------------------------------------------------------- */

/* Namespaces have functions of their own. */
static const struct die_kind function_kind = {
	DW_TAG_subprogram, die_ranges_add, { DW_TAG_namespace, DW_TAG_module },
};

static const struct die_ranges *functions_of(struct object_inlines *in, Dwarf_Die *unit)
{
	Dwarf_Off offset = elfutils()->dieoffset(unit);
	int64_t number = data_ids_find(&in->units, offset);
	struct die_ranges *functions;	/* of a unit each */
	void *more;

	if (number >= 0)
		return &in->functions[number];
	more = data_grow(in->functions, &in->functions_room, in->functions_count,
			 sizeof(*in->functions));
	if (!more)
		return NULL;
	in->functions = more;
	functions = &in->functions[in->functions_count];
	*functions = (struct die_ranges){ .at = NULL };
	if (data_ids_add(&in->units, offset, (uint32_t)in->functions_count))
		return NULL;
	in->functions_count++;
	die_ranges_collect(functions, unit, &function_kind);
	die_ranges_sort(functions);
	return functions;
}

/* ---- what is inlined at an address --------------------------------------------------------- */

/* Whether it has the address; a block without addresses may have something inside that does. */
static bool may_have(Dwarf_Die *die, uint64_t address)
{
	const struct elfutils *e = elfutils();
	int tag = e->tag(die);

	if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block)
		return false;
	return e->haspc(die, address) > 0;
}

/* Outermost first; how many. */
static size_t find_inlined(Dwarf_Die die, uint64_t address, Dwarf_Die *inlined)
{
	const struct elfutils *e = elfutils();
	size_t count = 0;
	unsigned int depth;
	Dwarf_Die child;

	for (depth = 0; depth < DIE_DEPTH_MAX; depth++) {
		if (e->child(&die, &child))
			break;
		while (!may_have(&child, address))
			if (!die_next(&child))
				return count;
		if (e->tag(&child) == DW_TAG_inlined_subroutine)
			inlined[count++] = child;
		die = child;
	}
	return count;
}

static const char *keep(struct object *object, const char *name)
{
	const char *kept = strings_add(&object->data->strings, name, strlen(name));

	return kept ? kept : "";
}

const char *object_die_name(struct object *object, Dwarf_Die *die)
{
	const struct elfutils *e = elfutils();
	const char *linkage = NULL, *name;
	Dwarf_Attribute attribute;
	char *plain;

	if (e->attr_integrate(die, DW_AT_linkage_name, &attribute))
		linkage = e->formstring(&attribute);
	plain = linkage ? demangle(linkage) : NULL;
	name = plain ? plain : e->diename(die);
	name = keep(object, name ? name : linkage ? linkage : "[no name]");
	free(plain);
	return name;
}

static uint64_t number_of(Dwarf_Die *die, unsigned int name)
{
	const struct elfutils *e = elfutils();
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;

	if (e->attr(die, name, &attribute))
		e->formudata(&attribute, &value);
	return value;
}

static struct pmuctl_inlined describe(struct object *object, Dwarf_Die *unit, Dwarf_Die *die)
{
	const struct elfutils *e = elfutils();
	struct pmuctl_inlined inlined = { .name = object_die_name(object, die) };
	uint64_t file = number_of(die, DW_AT_call_file);
	Dwarf_Files *files;
	size_t count;

	inlined.line = (unsigned int)number_of(die, DW_AT_call_line);
	if (!e->getsrcfiles(unit, &files, &count) && file < count)
		inlined.file = e->filesrc(files, file, NULL, NULL);
	return inlined;
}

static void fill_list(struct object *object, struct object_inlines *in, Dwarf_Die *unit,
		      uint64_t address, struct inlined_list *list)
{
	const struct die_ranges *functions = functions_of(in, unit);
	Dwarf_Die function, dies[DIE_DEPTH_MAX];
	size_t count, i;

	if (!functions || !die_ranges_find(functions, object->dwarf, address, &function))
		return;
	count = find_inlined(function, address, dies);
	list->inlined = count ? calloc(count, sizeof(*list->inlined)) : NULL;
	if (!list->inlined)
		return;
	list->count = count;
	for (i = 0; i < count; i++)
		list->inlined[i] = describe(object, unit, &dies[count - 1 - i]);
}

/* Without memory nothing was inlined. */
static const struct inlined_list *list_at(struct object *object, uint64_t address,
					  Dwarf_Die *unit)
{
	struct object_inlines *in = object->inlines;
	int64_t number = data_ids_find(&in->addresses, address);
	struct inlined_list *list;
	void *more;

	if (number >= 0)
		return &in->lists[number];
	more = data_grow(in->lists, &in->lists_room, in->lists_count, sizeof(*in->lists));
	if (!more)
		return NULL;
	in->lists = more;
	if (data_ids_add(&in->addresses, address, (uint32_t)in->lists_count))
		return NULL;
	list = &in->lists[in->lists_count++];
	*list = (struct inlined_list){ .inlined = NULL };
	fill_list(object, in, unit, address, list);
	return list;
}

int object_inlined(struct object *object, uint64_t address, const struct pmuctl_inlined **inlined)
{
	const struct inlined_list *list;
	Dwarf_Die unit;

	*inlined = NULL;
	if (!object_unit(object, address, &unit))
		return -ENODATA;
	if (!object->inlines)
		object->inlines = calloc(1, sizeof(*object->inlines));
	list = object->inlines ? list_at(object, address, &unit) : NULL;
	if (!list)
		return 0;
	*inlined = list->inlined;
	return (int)list->count;
}

void object_inlines_free(struct object *object)
{
	struct object_inlines *in = object->inlines;
	size_t i;

	if (!in)
		return;
	for (i = 0; i < in->functions_count; i++)
		die_ranges_free(&in->functions[i]);
	for (i = 0; i < in->lists_count; i++)
		free(in->lists[i].inlined);
	free(in->functions);
	free(in->lists);
	data_ids_free(&in->units);
	data_ids_free(&in->addresses);
	free(in);
}
