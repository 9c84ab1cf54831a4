/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How the registers of a caller are found from those of what it called, at one address of a file
 * of code (a row of its CFI), as numbers alone: so that one process can tell it another.
 */
#ifndef LIBPMUCTL_RULES_H
#define LIBPMUCTL_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* Registers by DWARF's numbers for x86-64; the last is the return address. */
#define RULE_SP		7
#define RULE_RA		16
#define RULE_REGISTERS	17
/* Of all expressions of a rule. */
#define RULE_OPS	64

struct rule_op {
	uint32_t atom;		/* DW_OP_* */
	uint64_t number, number2;
};

enum rule_kind {
	RULE_UNDEFINED,		/* nobody knows */
	RULE_SAME,
	RULE_REGISTER,		/* that of register `number` */
	RULE_AT_CFA,		/* saved at CFA + offset */
	RULE_IS_CFA,		/* CFA + offset itself */
	RULE_SUM,		/* register `number` + offset: the CFA alone */
	RULE_AT_EXPRESSION,
	RULE_IS_EXPRESSION,
};

struct rule {
	uint8_t kind;		/* enum rule_kind */
	uint8_t number;
	uint8_t first_op, ops;	/* of an expression, in the row's */
	int64_t offset;
};

enum row_state {
	ROW_FOUND,
	ROW_NONE,		/* the file has no CFI for the address */
	ROW_NONE_YET,		/* nor has its .eh_frame; its debugging information may */
	ROW_STRANGE,		/* it has, and that is not understood */
};

struct rule_row {
	uint64_t start, end;	/* addresses that it is for; the one that was asked is within */
	uint32_t state;		/* enum row_state */
	bool signal;		/* of what the kernel calls a signal's handler from */
	uint8_t ops_count;
	struct rule cfa;
	struct rule registers[RULE_REGISTERS];
	struct rule_op ops[RULE_OPS];
};

struct object;

/*
 * object_rules.c: debug: .debug_frame as well, and in the file with what was stripped off; this
 * one may have to be fetched.
 */
void object_rules(struct object *object, uint64_t address, bool debug, struct rule_row *row);

#endif
