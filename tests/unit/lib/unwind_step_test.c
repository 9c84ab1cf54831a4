// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One step from a function to its caller: by rules that are in order, and by such as a hostile
 * file may have.
 */
#include <dwarf.h>
#include <string.h>

#include "lib/unwind/unwind.h"
#include "tests/unit/cmocka_all.h"

#define SP	0x7000

static struct rule_row row;
static struct frame frame, caller;
static enum pmuctl_cut cut;
static const uint64_t words[8] = { 0x11, 0x401000, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };

/* CFA is SP + 16, and where it returns to is right below it. */
static void begin_row(void)
{
	int i;

	memset(&row, 0, sizeof(row));
	row.cfa = (struct rule){ .kind = RULE_SUM, .number = RULE_SP, .offset = 16 };
	for (i = 0; i < RULE_REGISTERS; i++)
		row.registers[i].kind = RULE_SAME;
	row.registers[RULE_SP].kind = RULE_IS_CFA;
	row.registers[RULE_RA] = (struct rule){ .kind = RULE_AT_CFA, .offset = -8 };
	memset(&frame, 0, sizeof(frame));
	frame.known = (1u << RULE_REGISTERS) - 1;
	frame.registers[RULE_SP] = SP;
}

static int step(size_t more)
{
	const struct stack_copy stack = {
		.bytes = (const uint8_t *)words, .size = sizeof(words), .start = SP,
		.asked = sizeof(words) + more,
	};

	cut = PMUCTL_CUT_NONE;
	return unwind_step(&row, &stack, &frame, &caller, &cut);
}

static void expect_no_step(enum pmuctl_cut why)
{
	assert_int_equal(step(0), -1);
	assert_int_equal(cut, why);
}

static void add_op(uint32_t atom, uint64_t number, uint64_t number2)
{
	row.ops[row.ops_count++] = (struct rule_op){ atom, number, number2 };
}

static void test_step(void **state)
{
	(void)state;
	begin_row();
	row.registers[3] = (struct rule){ .kind = RULE_AT_CFA, .offset = 0 };
	row.registers[6] = (struct rule){ .kind = RULE_REGISTER, .number = 12 };
	row.registers[0].kind = RULE_UNDEFINED;
	frame.registers[12] = 99;
	assert_int_equal(step(0), 1);
	assert_int_equal(caller.registers[RULE_RA], 0x401000);
	assert_int_equal(caller.registers[RULE_SP], SP + 16);
	assert_int_equal(caller.registers[3], 0x33);
	assert_int_equal(caller.registers[6], 99);
	assert_false(caller.known & 1);
	/* Nobody called the first. */
	row.registers[RULE_RA].kind = RULE_UNDEFINED;
	assert_int_equal(step(0), 0);
}

static void test_step_leads_nowhere(void **state)
{
	(void)state;
	begin_row();
	row.cfa.offset = 8 * 8 + 8;
	expect_no_step(PMUCTL_CUT_COPY);
	assert_int_equal(step(64), -1);
	assert_int_equal(cut, PMUCTL_CUT_ABSENT);
	row.cfa.offset = -8;
	expect_no_step(PMUCTL_CUT_BELOW);
	row.cfa.offset = -(1 << 20);
	expect_no_step(PMUCTL_CUT_REGISTERS);
	row.cfa.offset = INT64_MAX;
	expect_no_step(PMUCTL_CUT_REGISTERS);
	/* The same stack again would be the same frame for ever. */
	begin_row();
	row.registers[RULE_SP].kind = RULE_SAME;
	expect_no_step(PMUCTL_CUT_REGISTERS);
	begin_row();
	row.registers[RULE_SP] = (struct rule){ .kind = RULE_IS_CFA, .offset = -16 };
	expect_no_step(PMUCTL_CUT_REGISTERS);
	begin_row();
	row.cfa.number = 6;
	frame.known &= ~(1u << 6);
	expect_no_step(PMUCTL_CUT_REGISTERS);
	/* What was lost to a copy that is too short says so where it is missed. */
	frame.lost = PMUCTL_CUT_COPY;
	expect_no_step(PMUCTL_CUT_COPY);
	begin_row();
	row.cfa.number = 200;
	expect_no_step(PMUCTL_CUT_RULES);
}

/* That of a stub in the PLT: SP + 8, and 8 more behind its push. */
static void test_expression(void **state)
{
	static const uint32_t stub[] = {
		DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge,
		DW_OP_lit3, DW_OP_shl, DW_OP_plus,
	};
	size_t i;

	(void)state;
	begin_row();
	for (i = 0; i < 9; i++)
		add_op(stub[i], stub[i] == DW_OP_breg7 ? 8 : 0, 0);
	row.cfa = (struct rule){ .kind = RULE_IS_EXPRESSION, .ops = row.ops_count };
	frame.registers[RULE_RA] = 0x40100b;
	assert_int_equal(step(0), 1);
	assert_int_equal(caller.registers[RULE_SP], SP + 16);
	frame.registers[RULE_RA] = 0x401006;
	assert_int_equal(step(0), 1);
	assert_int_equal(caller.registers[RULE_SP], SP + 8);
	assert_int_equal(caller.registers[RULE_RA], 0x11);
}

/* As after a signal: where a register was saved is computed. */
static void test_saved_by_expression(void **state)
{
	(void)state;
	begin_row();
	add_op(DW_OP_breg7, 24, 0);
	row.registers[5] = (struct rule){ .kind = RULE_AT_EXPRESSION, .ops = 1 };
	assert_int_equal(step(0), 1);
	assert_int_equal(caller.registers[5], 0x44);
	row.registers[5].kind = RULE_IS_EXPRESSION;
	assert_int_equal(step(0), 1);
	assert_int_equal(caller.registers[5], SP + 24);
}

static void test_strange_expressions(void **state)
{
	static const uint32_t strange[] = {
		DW_OP_bra, DW_OP_skip, DW_OP_plus, DW_OP_deref, DW_OP_drop, DW_OP_dup, DW_OP_addr,
		DW_OP_breg31, DW_OP_call_frame_cfa, DW_OP_div, 0, UINT32_MAX,
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
		begin_row();
		add_op(strange[i], 0, 0);
		row.cfa = (struct rule){ .kind = RULE_IS_EXPRESSION, .ops = 1 };
		expect_no_step(PMUCTL_CUT_RULES);
	}
	begin_row();
	for (i = 0; i < RULE_OPS; i++)
		add_op(DW_OP_lit1, 0, 0);
	row.cfa = (struct rule){ .kind = RULE_IS_EXPRESSION, .ops = RULE_OPS };
	expect_no_step(PMUCTL_CUT_RULES);
	row.cfa.first_op = 255;
	expect_no_step(PMUCTL_CUT_RULES);
	begin_row();
	row.cfa.kind = 77;
	expect_no_step(PMUCTL_CUT_RULES);
	begin_row();
	row.registers[RULE_RA].kind = 77;
	expect_no_step(PMUCTL_CUT_RULES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step), cmocka_unit_test(test_step_leads_nowhere),
		cmocka_unit_test(test_expression), cmocka_unit_test(test_saved_by_expression),
		cmocka_unit_test(test_strange_expressions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
