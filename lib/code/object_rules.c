// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rules for finding callers, out of .eh_frame and .debug_frame of a file of code.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/object.h"
#include "lib/code/rules.h"

/* Ends an expression that yields the value itself, not where it is. */
static bool takes_value(Dwarf_Op *ops, size_t *count)
{
	if (!*count || ops[*count - 1].atom != DW_OP_stack_value)
		return false;
	--*count;
	return true;
}

/* False: the row has no room for more operations. */
static bool set_expression(struct rule_row *row, struct rule *rule, enum rule_kind kind,
			   const Dwarf_Op *ops, size_t count)
{
	size_t i;

	if (count > RULE_OPS - (size_t)row->ops_count)
		return false;
	*rule = (struct rule){ .kind = kind, .first_op = row->ops_count, .ops = (uint8_t)count };
	for (i = 0; i < count; i++)
		row->ops[row->ops_count++] = (struct rule_op){
			ops[i].atom, ops[i].number, ops[i].number2,
		};
	return true;
}

static bool set_cfa(struct rule_row *row, Dwarf_Op *ops, size_t count)
{
	takes_value(ops, &count);
	if (count != 1 || ops->atom != DW_OP_bregx || ops->number >= RULE_REGISTERS)
		return count && set_expression(row, &row->cfa, RULE_IS_EXPRESSION, ops, count);
	row->cfa = (struct rule){
		.kind = RULE_SUM, .number = (uint8_t)ops->number, .offset = (int64_t)ops->number2,
	};
	return true;
}

static bool is_cfa(const Dwarf_Op *ops, size_t count)
{
	return ops->atom == DW_OP_call_frame_cfa &&
	       (count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst));
}

static bool set_register(struct rule_row *row, struct rule *rule, Dwarf_Op *ops, size_t count)
{
	bool value = takes_value(ops, &count);

	if (!count)
		return false;
	if (is_cfa(ops, count)) {
		*rule = (struct rule){
			.kind = value ? RULE_IS_CFA : RULE_AT_CFA,
			.offset = count == 2 ? (int64_t)ops[1].number : 0,
		};
		return true;
	}
	if (count == 1 && ops->atom == DW_OP_regx && ops->number < RULE_REGISTERS) {
		*rule = (struct rule){ .kind = RULE_REGISTER, .number = (uint8_t)ops->number };
		return true;
	}
	return set_expression(row, rule, value ? RULE_IS_EXPRESSION : RULE_AT_EXPRESSION, ops,
			      count);
}

static bool read_register(struct rule_row *row, Dwarf_Frame *frame, int number)
{
	struct rule *rule = &row->registers[number];
	Dwarf_Op memory[3], *ops;
	size_t count;

	if (elfutils()->frame_register(frame, number, memory, &ops, &count))
		return false;
	if (count)
		return set_register(row, rule, ops, count);
	rule->kind = ops ? RULE_UNDEFINED : RULE_SAME;
	return true;
}

static bool read_frame(struct rule_row *row, Dwarf_Frame *frame)
{
	const struct elfutils *e = elfutils();
	Dwarf_Op *ops;
	size_t count;
	int i;

	if (e->frame_info(frame, &row->start, &row->end, &row->signal) != RULE_RA ||
	    e->frame_cfa(frame, &ops, &count) || !set_cfa(row, ops, count))
		return false;
	for (i = 0; i < RULE_REGISTERS; i++)
		if (!read_register(row, frame, i))
			return false;
	return true;
}

/* False: this CFI has nothing of the address. */
static bool read_row(Dwarf_CFI *cfi, uint64_t address, struct rule_row *row)
{
	Dwarf_Frame *frame;

	if (!cfi || elfutils()->cfi_addrframe(cfi, address, &frame))
		return false;
	row->state = read_frame(row, frame) ? ROW_FOUND : ROW_STRANGE;
	free(frame);
	return true;
}

static Dwarf_CFI *find_cfi(struct object *object)
{
	if (!object->cfi_searched && !object->is_debug)
		object->cfi = elfutils()->getcfi_elf(object->file.elf);
	object->cfi_searched = true;
	return object->cfi;
}

static Dwarf_CFI *find_debug_cfi(struct object *object)
{
	Dwarf *dwarf;

	if (object->debug_cfi_searched)
		return object->debug_cfi;
	object->debug_cfi_searched = true;
	dwarf = object_dwarf(object);
	if (dwarf)
		object->debug_cfi = elfutils()->getcfi(dwarf);
	return object->debug_cfi;
}

void object_rules(struct object *object, uint64_t address, bool debug, struct rule_row *row)
{
	const char *machine;

	memset(row, 0, sizeof(*row));
	row->start = address;
	row->end = address + 1;
	row->state = ROW_STRANGE;
	if (object_bits(object, &machine) != 64 ||
	    read_row(find_cfi(object), address, row))
		return;
	row->state = debug ? ROW_NONE : ROW_NONE_YET;
	if (debug)
		read_row(find_debug_cfi(object), address, row);
}
