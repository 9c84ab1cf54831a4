// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which variable is at an address, and which field or element of it, out of the debugging
 * information of a file of code.
 *
 * All units are gone through once, for where their variables are: globals, those of
 * namespaces, and those that functions keep from call to call.
 */
#include <dwarf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/code/object.h"

/* Of an array; C++ and Fortran have no more. */
#define DIMENSIONS_MAX 8

/* ---- types --------------------------------------------------------------------------------- */

static bool get_number(Dwarf_Die *die, unsigned int name, uint64_t *number)
{
	const struct elfutils *e = elfutils();
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!e->attr_integrate(die, name, &attribute) || e->formudata(&attribute, &value))
		return false;
	*number = value;
	return true;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	const struct elfutils *e = elfutils();
	Dwarf_Attribute attribute;
	Dwarf_Die found;

	if (!e->attr_integrate(die, DW_AT_type, &attribute) || !e->formref_die(&attribute, &found))
		return false;
	*type = found;
	return true;
}

/* What stands behind typedef, const and the like; false: nothing does. */
static bool strip(Dwarf_Die *type)
{
	unsigned int depth;

	for (depth = 0; depth < DIE_DEPTH_MAX; depth++) {
		switch (elfutils()->tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!type_of(type, type))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

/* How many elements each dimension has, the last 0 if nobody says; how many dimensions. */
static unsigned int dimensions_of(Dwarf_Die *array, uint64_t *counts)
{
	const struct elfutils *e = elfutils();
	unsigned int dimensions = 0;
	Dwarf_Die range;

	if (e->child(array, &range))
		return 0;
	do {
		uint64_t *count = &counts[dimensions];

		if (e->tag(&range) != DW_TAG_subrange_type)
			continue;
		if (!get_number(&range, DW_AT_count, count))
			*count = get_number(&range, DW_AT_upper_bound, count) ? *count + 1 : 0;
		dimensions++;
	} while (dimensions < DIMENSIONS_MAX && die_next(&range));
	return dimensions;
}

/* Of a type that was stripped; 0: unknown. */
static uint64_t bytes_of(Dwarf_Die *type)
{
	uint64_t counts[DIMENSIONS_MAX], bytes, all = 1;
	unsigned int depth, dimensions, i;
	Dwarf_Die at = *type;

	for (depth = 0; depth < DIE_DEPTH_MAX; depth++) {
		if (get_number(&at, DW_AT_byte_size, &bytes))
			return bytes && all <= UINT64_MAX / bytes ? all * bytes : 0;
		if (elfutils()->tag(&at) != DW_TAG_array_type)
			return 0;
		dimensions = dimensions_of(&at, counts);
		for (i = 0; i < dimensions; i++)
			if (!counts[i] || __builtin_mul_overflow(all, counts[i], &all))
				return 0;
		if (!type_of(&at, &at) || !strip(&at))
			return 0;
	}
	return 0;
}

/* ---- where variables are ------------------------------------------------------------------- */

/* The constant that its location is; clang has it in a table of addresses. */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
	const struct elfutils *e = elfutils();
	Dwarf_Attribute location, entry;
	size_t count = 0;
	Dwarf_Op *ops;

	if (!e->attr(die, DW_AT_location, &location) ||
	    e->getlocation(&location, &ops, &count) || count != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*address = ops[0].number;
		return true;
	}
	return ops[0].atom == DW_OP_addrx && !e->getlocation_attr(&location, ops, &entry) &&
	       !e->formaddr(&entry, address);
}

static void add_variable(struct die_ranges *variables, Dwarf_Die *die)
{
	struct die_range range = { .die = elfutils()->dieoffset(die) };
	Dwarf_Die type;

	if (!address_of(die, &range.start) || !type_of(die, &type) || !strip(&type))
		return;
	range.end = range.start + bytes_of(&type);
	die_ranges_put(variables, &range);
}

static const struct die_kind variable_kind = {
	DW_TAG_variable, add_variable,
	{ DW_TAG_namespace, DW_TAG_module, DW_TAG_subprogram, DW_TAG_lexical_block },
};

static void find_variables(struct object *object)
{
	const struct elfutils *e = elfutils();
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	object->variables_searched = true;
	if (!object_dwarf(object))
		return;
	while (!e->get_units(object->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		die_ranges_collect(&object->variables, &die, &variable_kind);
	die_ranges_sort(&object->variables);
}

/* ---- what of it is there ------------------------------------------------------------------- */

struct name {
	char *text;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void append(struct name *name, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(name->text + name->used, name->size - name->used, fmt, ap);
	va_end(ap);
	if (len > 0)
		name->used += (size_t)len < name->size - name->used ? (size_t)len :
								      name->size - name->used - 1;
}

/* Where it begins in what it is a member of, and how long it is. */
static bool place_of(Dwarf_Die *member, Dwarf_Die *type, uint64_t *start, uint64_t *bytes)
{
	uint64_t bits, first;

	if (!type_of(member, type) || !strip(type))
		return false;
	*bytes = bytes_of(type);
	if (get_number(member, DW_AT_data_bit_offset, &first) &&
	    get_number(member, DW_AT_bit_size, &bits)) {
		*start = first / 8;
		*bytes = (first % 8 + bits + 7) / 8;
		return true;
	}
	/* Members of a union have none. */
	if (!get_number(member, DW_AT_data_member_location, start))
		*start = 0;
	return true;
}

/* The member that has the offset, of a union the first; bases of a class have no name. */
static bool step_into_member(struct name *name, Dwarf_Die *type, uint64_t *offset)
{
	const struct elfutils *e = elfutils();
	uint64_t start, bytes;
	Dwarf_Die member, its;
	const char *text;
	int tag;

	if (e->child(type, &member))
		return false;
	do {
		tag = e->tag(&member);
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    !place_of(&member, &its, &start, &bytes) || *offset - start >= bytes)
			continue;
		text = tag == DW_TAG_member ? e->diename(&member) : NULL;
		if (text)
			append(name, ".%s", text);
		*type = its;
		*offset -= start;
		return true;
	} while (die_next(&member));
	append(name, " (padding)");
	*offset = 0;
	return false;
}

static bool step_into_element(struct name *name, Dwarf_Die *type, uint64_t *offset)
{
	uint64_t counts[DIMENSIONS_MAX], bytes, below;
	unsigned int dimensions = dimensions_of(type, counts), i, k;

	if (!type_of(type, type) || !strip(type))
		return false;
	bytes = bytes_of(type);
	for (i = 0; bytes && i < dimensions; i++) {
		below = bytes;
		for (k = i + 1; k < dimensions; k++)
			below *= counts[k] ? counts[k] : 1;
		/* Of a damaged file the product may be too large. */
		if (!below)
			return false;
		append(name, "[%" PRIu64 "]", *offset / below);
		*offset %= below;
	}
	return bytes;
}

static void describe(struct name *name, Dwarf_Die type, uint64_t offset)
{
	unsigned int depth;
	bool deeper = true;

	for (depth = 0; deeper && depth < DIE_DEPTH_MAX; depth++) {
		switch (elfutils()->tag(&type)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			deeper = step_into_member(name, &type, &offset);
			break;
		case DW_TAG_array_type:
			deeper = step_into_element(name, &type, &offset);
			break;
		default:
			deeper = false;
			break;
		}
	}
	if (offset)
		append(name, "+%#" PRIx64, offset);
}

static uint64_t element_of(Dwarf_Die type)
{
	if (elfutils()->tag(&type) != DW_TAG_array_type || !type_of(&type, &type) || !strip(&type))
		return 0;
	return bytes_of(&type);
}

int object_variable(struct object *object, uint64_t address, struct pmuctl_variable *variable)
{
	struct name name = { variable->name, sizeof(variable->name), 0 };
	Dwarf_Die die, type;

	if (!object->variables_searched)
		find_variables(object);
	if (!object->dwarf)
		return -ENODATA;
	if (!die_ranges_find(&object->variables, object->dwarf, address, &die) ||
	    !address_of(&die, &variable->start) || !type_of(&die, &type) || !strip(&type))
		return -ENOENT;
	variable->bytes = bytes_of(&type);
	variable->element = element_of(type);
	append(&name, "%s", object_die_name(object, &die));
	describe(&name, type, address - variable->start);
	return 0;
}
