// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the registers of a function to those of its caller, by one row of rules and a copy of the
 * stack.
 *
 * Rules, registers and stack may each be anything.  Nothing here loops but over the operations
 * of a rule, of which there are few and none jumps; memory is the copy of the stack alone; and
 * each caller has more of the stack behind it than what it called, so that no chain goes in
 * circles.
 */
#include <dwarf.h>
#include <string.h>

#include "lib/unwind/unwind.h"

#define WORD		8
#define DEPTH_MAX	32
/* What is further up than any stack reaches is no address of one. */
#define STACK_MAX	(64ull << 20)
/* No function has more on the stack below what its caller needs. */
#define BELOW_MAX	(64ull << 10)

struct evaluation {
	const struct rule_row *row;
	const struct stack_copy *stack;
	const struct frame *frame;
	uint64_t cfa;		/* once it is known */
	bool has_cfa;
	enum pmuctl_cut cut;
	uint64_t values[DEPTH_MAX];
	unsigned int depth;
};

static bool cut_off(struct evaluation *e, enum pmuctl_cut cut)
{
	if (!e->cut)
		e->cut = cut;
	return false;
}

static bool read_bytes(struct evaluation *e, uint64_t address, unsigned int size, uint64_t *value)
{
	const struct stack_copy *s = e->stack;
	uint64_t at = address - s->start;

	if (s->start - address <= BELOW_MAX && address != s->start)
		return cut_off(e, PMUCTL_CUT_BELOW);
	if (address < s->start || at > STACK_MAX)
		return cut_off(e, PMUCTL_CUT_REGISTERS);
	if (at > s->size || s->size - at < size)
		return cut_off(e, at + size > s->asked ? PMUCTL_CUT_COPY : PMUCTL_CUT_ABSENT);
	*value = 0;
	memcpy(value, s->bytes + at, size);
	return true;
}

static bool read_register(struct evaluation *e, uint64_t number, uint64_t *value)
{
	if (number >= RULE_REGISTERS)
		return cut_off(e, PMUCTL_CUT_RULES);
	if (!(e->frame->known >> number & 1))
		return cut_off(e, e->frame->lost ? e->frame->lost : PMUCTL_CUT_REGISTERS);
	*value = e->frame->registers[number];
	return true;
}

/* ---- expressions --------------------------------------------------------------------------- */

static bool push(struct evaluation *e, uint64_t value)
{
	if (e->depth == DEPTH_MAX)
		return cut_off(e, PMUCTL_CUT_RULES);
	e->values[e->depth++] = value;
	return true;
}

static bool pop(struct evaluation *e, uint64_t *value)
{
	if (!e->depth)
		return cut_off(e, PMUCTL_CUT_RULES);
	*value = e->values[--e->depth];
	return true;
}

static bool pick(struct evaluation *e, uint64_t below)
{
	if (below >= e->depth)
		return cut_off(e, PMUCTL_CUT_RULES);
	return push(e, e->values[e->depth - 1 - below]);
}

static bool dereference(struct evaluation *e, uint64_t size)
{
	uint64_t address, value;

	if (!size || size > WORD)
		return cut_off(e, PMUCTL_CUT_RULES);
	return pop(e, &address) && read_bytes(e, address, (unsigned int)size, &value) &&
	       push(e, value);
}

static bool shift(struct evaluation *e, uint32_t atom, uint64_t value, uint64_t by)
{
	bool negative = atom == DW_OP_shra && value >> 63;

	if (by >= 64)
		return push(e, negative ? UINT64_MAX : 0);
	if (atom == DW_OP_shl)
		return push(e, value << by);
	return push(e, value >> by | (negative && by ? UINT64_MAX << (64 - by) : 0));
}

/* Of two values; b was on top. */
static bool combine(struct evaluation *e, uint32_t atom, uint64_t a, uint64_t b)
{
	switch (atom) {
	case DW_OP_and:
		return push(e, a & b);
	case DW_OP_or:
		return push(e, a | b);
	case DW_OP_xor:
		return push(e, a ^ b);
	case DW_OP_plus:
		return push(e, a + b);
	case DW_OP_minus:
		return push(e, a - b);
	case DW_OP_mul:
		return push(e, a * b);
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		return shift(e, atom, a, b);
	case DW_OP_eq:
		return push(e, a == b);
	case DW_OP_ne:
		return push(e, a != b);
	case DW_OP_ge:
		return push(e, (int64_t)a >= (int64_t)b);
	case DW_OP_gt:
		return push(e, (int64_t)a > (int64_t)b);
	case DW_OP_le:
		return push(e, (int64_t)a <= (int64_t)b);
	case DW_OP_lt:
		return push(e, (int64_t)a < (int64_t)b);
	case DW_OP_swap:
		return push(e, b) && push(e, a);
	default:
		return cut_off(e, PMUCTL_CUT_RULES);
	}
}

static bool operate_on_two(struct evaluation *e, uint32_t atom)
{
	uint64_t a, b;

	return pop(e, &b) && pop(e, &a) && combine(e, atom, a, b);
}

static bool add(struct evaluation *e, uint64_t number)
{
	uint64_t a;

	return pop(e, &a) && push(e, a + number);
}

static bool push_register(struct evaluation *e, uint64_t number, uint64_t offset)
{
	uint64_t value;

	return read_register(e, number, &value) && push(e, value + offset);
}

/* What compilers and the hands that write CFI use; jumps are not among them. */
static bool operate(struct evaluation *e, const struct rule_op *op)
{
	uint64_t unused;

	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(e, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(e, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
		return push(e, op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return push_register(e, op->number, op->number2);
	case DW_OP_call_frame_cfa:
		return e->has_cfa ? push(e, e->cfa) : cut_off(e, PMUCTL_CUT_RULES);
	case DW_OP_plus_uconst:
		return add(e, op->number);
	case DW_OP_deref:
		return dereference(e, WORD);
	case DW_OP_deref_size:
		return dereference(e, op->number);
	case DW_OP_dup:
		return pick(e, 0);
	case DW_OP_over:
		return pick(e, 1);
	case DW_OP_pick:
		return pick(e, op->number);
	case DW_OP_drop:
		return pop(e, &unused);
	case DW_OP_nop:
		return true;
	default:
		return operate_on_two(e, op->atom);
	}
}

static bool evaluate(struct evaluation *e, const struct rule *rule, uint64_t *value)
{
	size_t i;

	/* A row that is kept ends with its last operation. */
	if (rule->first_op + rule->ops > e->row->ops_count)
		return cut_off(e, PMUCTL_CUT_RULES);
	e->depth = 0;
	for (i = 0; i < rule->ops; i++)
		if (!operate(e, &e->row->ops[rule->first_op + i]))
			return false;
	return pop(e, value);
}

/* ---- registers ----------------------------------------------------------------------------- */

static bool find_cfa(struct evaluation *e)
{
	const struct rule *rule = &e->row->cfa;

	if (rule->kind == RULE_SUM) {
		if (!read_register(e, rule->number, &e->cfa))
			return false;
		e->cfa += (uint64_t)rule->offset;
	} else if (!evaluate(e, rule, &e->cfa)) {
		return false;
	}
	e->has_cfa = true;
	return true;
}

static bool find_register(struct evaluation *e, const struct rule *rule, uint64_t number,
			  uint64_t *value)
{
	uint64_t address = 0;

	switch (rule->kind) {
	case RULE_SAME:
		return read_register(e, number, value);
	case RULE_REGISTER:
		return read_register(e, rule->number, value);
	case RULE_AT_CFA:
		return read_bytes(e, e->cfa + (uint64_t)rule->offset, WORD, value);
	case RULE_IS_CFA:
		*value = e->cfa + (uint64_t)rule->offset;
		return true;
	case RULE_AT_EXPRESSION:
		return evaluate(e, rule, &address) && read_bytes(e, address, WORD, value);
	case RULE_IS_EXPRESSION:
		return evaluate(e, rule, value);
	default:
		return cut_off(e, PMUCTL_CUT_RULES);
	}
}

/* One that is not known matters only to who needs it. */
static void find_registers(struct evaluation *e, struct frame *caller)
{
	uint64_t number;

	*caller = (struct frame){ .known = 0 };
	for (number = 0; number < RULE_REGISTERS; number++) {
		if (e->row->registers[number].kind == RULE_UNDEFINED)
			continue;
		e->cut = PMUCTL_CUT_NONE;
		if (find_register(e, &e->row->registers[number], number,
				  &caller->registers[number]))
			caller->known |= 1u << number;
		else if (!caller->lost || number == RULE_RA)
			caller->lost = e->cut;
	}
}

static bool has(const struct frame *frame, unsigned int number)
{
	return frame->known >> number & 1;
}

int unwind_step(const struct rule_row *row, const struct stack_copy *stack,
		const struct frame *frame, struct frame *caller, enum pmuctl_cut *cut)
{
	struct evaluation e = { .row = row, .stack = stack, .frame = frame };

	/* So do start files and threads say that they are the first. */
	if (row->registers[RULE_RA].kind == RULE_UNDEFINED)
		return 0;
	if (!find_cfa(&e)) {
		*cut = e.cut;
		return -1;
	}
	find_registers(&e, caller);
	if (!has(caller, RULE_RA) || !has(caller, RULE_SP)) {
		*cut = caller->lost ? caller->lost : PMUCTL_CUT_REGISTERS;
		return -1;
	}
	if (!caller->registers[RULE_RA])
		return 0;
	if (has(frame, RULE_SP) && caller->registers[RULE_SP] > frame->registers[RULE_SP])
		return 1;
	*cut = PMUCTL_CUT_REGISTERS;
	return -1;
}
