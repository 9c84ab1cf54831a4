// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions: what they are, what they write and branch to, and where their
 * operands were by the registers of a sample.
 */
#include <asm/perf_regs.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"
#include "lib/pmuctl.h"

#define IP 0x401000ull
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BIT(reg) (1ull << PERF_REG_X86_##reg)

static struct pmuctl_insn decode(const char *code, size_t size)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	assert_int_equal(pmuctl_insn_decode(code, size, IP, &insn), 0);
	return insn;
}

/* ---- what an instruction is ------------------------------------------------ */

static const struct {
	const char *code;
	size_t size;
	unsigned int length;
	const char *text;
	uint64_t writes;	/* flags left out */
	unsigned int memory;
	bool branch;
	uint64_t target;
} decoded[] = {
#define CODE(s) s, sizeof(s) - 1
	{ CODE("\x48\x8b\x44\x98\xf8"), 5, "mov -0x8(%rax,%rbx,4), %rax", BIT(AX), 1, false, 0 },
	{ CODE("\x48\x8b\x05\x10\x20\x00\x00"), 7, "mov 0x2010(%rip), %rax", BIT(AX), 1, false, 0 },
	{ CODE("\x41\x88\x01"), 3, "mov %al, (%r9)", 0, 1, false, 0 },
	{ CODE("\x88\xe3"), 2, "mov %ah, %bl", BIT(BX), 0, false, 0 },
	{ CODE("\x48\x8d\x04\x18"), 4, "lea (%rax,%rbx,1), %rax", BIT(AX), 0, false, 0 },
	{ CODE("\x66\x0f\x1f\x44\x00\x00"), 6, "nop %ax, (%rax,%rax,1)", 0, 0, false, 0 },
	{ CODE("\x75\xf0"), 2, "jnz 0x400ff2", 0, 0, true, 0x400ff2 },
	{ CODE("\xe8\xfb\xff\xff\xff"), 5, "call 0x401000", BIT(SP), 1, true, 0x401000 },
	{ CODE("\xff\x10"), 2, "call (%rax)", BIT(SP), 2, true, 0 },
	{ CODE("\xc3"), 1, "ret", BIT(SP), 1, true, 0 },
	{ CODE("\x0f\x05"), 2, "syscall", BIT(CX) | BIT(R11), 0, true, 0 },
	{ CODE("\x48\xa5"), 2, "movsq", BIT(SI) | BIT(DI), 2, false, 0 },
	{ CODE("\x48\x87\x03"), 3, "xchg %rax, (%rbx)", BIT(AX), 1, false, 0 },
	/* What follows is not its business. */
	{ CODE("\xf9\x06\x06\x06"), 1, "stc", 0, 0, false, 0 },
};

static void test_decoded(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(decoded); i++) {
		struct pmuctl_insn insn = decode(decoded[i].code, decoded[i].size);
		uint64_t flags = BIT(FLAGS) | BIT(CS) | BIT(SS);

		assert_string_equal(insn.text, decoded[i].text);
		assert_int_equal(insn.length, decoded[i].length);
		if ((insn.writes & ~flags) != decoded[i].writes)
			fail_msg("%s writes %#jx", insn.text, (uintmax_t)insn.writes);
		if (insn.memory_count != decoded[i].memory)
			fail_msg("%s has %u operands", insn.text, insn.memory_count);
		assert_int_equal(insn.branch, decoded[i].branch);
		assert_int_equal(insn.target, decoded[i].target);
	}
}

static void test_repeats(void **state)
{
	(void)state;
	assert_true(decode("\xf3\x48\xa5", 3).repeats);
	assert_true(decode("\xf2\xae", 2).repeats);
	assert_false(decode("\x48\xa5", 2).repeats);
	/* pause, and a prefix that SSE has another use for */
	assert_false(decode("\xf3\x90", 2).repeats);
	assert_false(decode("\xf3\x0f\x10\x00", 4).repeats);
}

static void test_not_decoded(void **state)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	(void)state;
	assert_int_equal(pmuctl_insn_decode("\x48\x8b", 2, IP, &insn), -EBADMSG);
	assert_int_equal(pmuctl_insn_decode("\x06", 1, IP, &insn), -EBADMSG);
	assert_int_equal(pmuctl_insn_decode("", 0, IP, &insn), -EBADMSG);
	insn.size = 0;
	assert_int_equal(pmuctl_insn_decode("\x90", 1, IP, &insn), -EINVAL);
}

/* A caller of an older header has room for less. */
static void test_small_structure(void **state)
{
	struct pmuctl_insn insn = { .size = offsetof(struct pmuctl_insn, writes), .writes = 77 };

	(void)state;
	assert_int_equal(pmuctl_insn_decode("\x31\xc0", 2, IP, &insn), 0);
	assert_int_equal(insn.length, 2);
	assert_string_equal(insn.text, "xor %eax, %eax");
	assert_int_equal(insn.writes, 77);
	assert_int_equal(insn.size, offsetof(struct pmuctl_insn, writes));
}

static void test_before(void **state)
{
	/* nop; mov -8(%rax,%rbx,4),%rax; jnz; and an opcode that is none */
	static const char code[] = "\x90\x48\x8b\x44\x98\xf8\x75\xf0\x06\x90";
	const size_t size = sizeof(code) - 1;

	(void)state;
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP + 1), IP);
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP + 6), IP + 1);
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP + 8), IP + 6);
	/* Within an instruction, behind what is none, at the start, before it, too far. */
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP + 3), 0);
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP + 9), 0);
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP), 0);
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP - 4), 0);
	assert_int_equal(pmuctl_insn_before(code, size, IP, IP + size + 1), 0);
	assert_int_equal(pmuctl_insn_before(code, 7, IP, IP + 8), 0);
}

/* ---- where an operand was --------------------------------------------------- */

#define ALL (0xffffffffull & ~(BIT(DS) | BIT(ES) | BIT(FS) | BIT(GS)))
#define LOST UINT64_MAX

static const struct operand {
	const char *code;
	size_t size;
	unsigned int operand;
	uint64_t before;	/* the address, if the registers are those before */
	uint64_t after;		/* ...if they are those behind; LOST: not recoverable */
} operands[] = {
	/* mov (%rax),%rbx and mov (%rax),%rax, as pointers are chased */
	{ CODE("\x48\x8b\x18"), 0, 0xa000, 0xa000 },
	{ CODE("\x48\x8b\x00"), 0, 0xa000, LOST },
	{ CODE("\x8b\x00"), 0, 0xa000, LOST },
	/* mov (%rax),%al: a part of it is enough */
	{ CODE("\x8a\x00"), 0, 0xa000, LOST },
	/* mov -8(%rax,%rbx,4),%rcx; ...,%rbx */
	{ CODE("\x48\x8b\x4c\x98\xf8"), 0, 0xa000 + 4 * 0xb00 - 8, 0xa000 + 4 * 0xb00 - 8 },
	{ CODE("\x48\x8b\x5c\x98\xf8"), 0, 0xa000 + 4 * 0xb00 - 8, LOST },
	/* add %rax,(%rax): only flags and memory change */
	{ CODE("\x48\x01\x00"), 0, 0xa000, 0xa000 },
	/* mov 0x2010(%rip),%rax: no register to lose */
	{ CODE("\x48\x8b\x05\x10\x20\x00\x00"), 0, IP + 7 + 0x2010, IP + 7 + 0x2010 },
	/* mov 0x1234,%eax by an absolute address */
	{ CODE("\x8b\x04\x25\x34\x12\x00\x00"), 0, 0x1234, 0x1234 },
	/* mov (%eax,%ebx),%ecx with 32-bit addresses */
	{ CODE("\x67\x8b\x0c\x18"), 0, 0xab00, 0xab00 },
	/* mov %fs:0x28,%rax */
	{ CODE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00"), 0, LOST, LOST },
	/* push %rax, push 8(%rsp) and what it reads; SP is 0x7000 in the sample */
	{ CODE("\x50"), 0, 0x7000 - 8, 0x7000 },
	{ CODE("\x66\x50"), 0, 0x7000 - 2, 0x7000 },
	{ CODE("\xff\x74\x24\x08"), 0, 0x7000 + 8, 0x7000 + 16 },
	{ CODE("\xff\x74\x24\x08"), 1, 0x7000 - 8, 0x7000 },
	/* pop %rax, pop 8(%rsp) and where it writes, pop %rsp */
	{ CODE("\x58"), 0, 0x7000, 0x7000 - 8 },
	{ CODE("\x8f\x44\x24\x08"), 0, 0x7000 + 16, 0x7000 + 8 },
	{ CODE("\x8f\x44\x24\x08"), 1, 0x7000, 0x7000 - 8 },
	{ CODE("\x5c"), 0, 0x7000, LOST },
	/* call, call *8(%rsp), ret, ret $16 */
	{ CODE("\xe8\xfb\xff\xff\xff"), 0, 0x7000 - 8, 0x7000 },
	{ CODE("\xff\x54\x24\x08"), 0, 0x7000 + 8, 0x7000 + 16 },
	{ CODE("\xc3"), 0, 0x7000, 0x7000 - 8 },
	{ CODE("\xc2\x10\x00"), 0, 0x7000, 0x7000 - 24 },
	/* leave, enter */
	{ CODE("\xc9"), 0, 0x8000, LOST },
	{ CODE("\xc8\x10\x00\x00"), 0, LOST, LOST },
	/* movsq: to DI, from SI; lodsb; stosl; the same with rep */
	{ CODE("\x48\xa5"), 0, 0xd000, 0xd000 - 8 },
	{ CODE("\x48\xa5"), 1, 0xc000, 0xc000 - 8 },
	{ CODE("\xac"), 0, 0xc000, 0xc000 - 1 },
	{ CODE("\xab"), 0, 0xd000, 0xd000 - 4 },
	{ CODE("\xf3\x48\xa5"), 0, LOST, LOST },
	{ CODE("\xf3\xa6"), 0, LOST, LOST },
	/* bt %rax,(%rbx) reaches beyond its operand, bt $3,(%rbx) does not */
	{ CODE("\x48\x0f\xa3\x03"), 0, LOST, LOST },
	{ CODE("\x0f\xba\x23\x03"), 0, 0xb00, 0xb00 },
	/* xlat; vgatherdpd %xmm1,(%rax,%xmm2),%xmm0 */
	{ CODE("\xd7"), 0, LOST, LOST },
	{ CODE("\xc4\xe2\xf1\x92\x04\x10"), 0, LOST, LOST },
	/* cmove (%rax),%rax may overwrite it; xadd %rcx,(%rcx) does */
	{ CODE("\x48\x0f\x44\x00"), 0, 0xa000, LOST },
	{ CODE("\x48\x0f\xc1\x09"), 0, 0x3000, LOST },
};

/* The values above, by PERF_REG_X86_*. */
static const uint64_t file[64] = {
	[PERF_REG_X86_AX] = 0xa000, [PERF_REG_X86_BX] = 0xb00,	[PERF_REG_X86_CX] = 0x3000,
	[PERF_REG_X86_SP] = 0x7000, [PERF_REG_X86_BP] = 0x8000, [PERF_REG_X86_SI] = 0xc000,
	[PERF_REG_X86_DI] = 0xd000,
};

/* As a sample has them: those of the mask, side by side. */
static size_t pack(uint64_t mask, const uint64_t *from, uint64_t *to)
{
	size_t n = 0;
	unsigned int reg;

	for (reg = 0; reg < 64; reg++)
		if (mask >> reg & 1)
			to[n++] = from[reg];
	return n;
}

static uint64_t address(const struct operand *o, uint64_t mask, const uint64_t *from, bool after)
{
	struct pmuctl_insn insn = decode(o->code, o->size);
	uint64_t regs[64], out = LOST;
	int err;

	pack(mask, from, regs);
	err = pmuctl_insn_address(&insn, o->operand, IP, mask, regs, after, &out);
	if (err && err != -ENODATA)
		fail_msg("%s: error %d", insn.text, err);
	return err ? LOST : out;
}

static void test_operands(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(operands); i++) {
		const struct operand *o = &operands[i];
		uint64_t before = address(o, ALL, file, false), after = address(o, ALL, file, true);

		if (before != o->before || after != o->after)
			fail_msg("%s: %#jx before, %#jx after", decode(o->code, o->size).text,
				 (uintmax_t)before, (uintmax_t)after);
	}
}

/* Down, if the direction flag says so; not known without the flags. */
static void test_strings_downwards(void **state)
{
	static const struct operand movsq = { CODE("\x48\xa5"), 1, 0, 0 };
	uint64_t down[64];

	(void)state;
	memcpy(down, file, sizeof(down));
	down[PERF_REG_X86_FLAGS] = 1 << 10;
	assert_int_equal(address(&movsq, ALL, down, true), 0xc000 + 8);
	assert_int_equal(address(&movsq, ALL & ~BIT(FLAGS), down, true), LOST);
	assert_int_equal(address(&movsq, ALL & ~BIT(FLAGS), down, false), 0xc000);
}

/* With the prefix 67 an address has 32 bits, whatever is above them in its registers. */
static void test_narrow(void **state)
{
	static const struct operand mov = { CODE("\x67\x8b\x04\x98"), 0, 0, 0 };
	uint64_t high[64];

	(void)state;
	memcpy(high, file, sizeof(high));
	high[PERF_REG_X86_AX] = 0x7fffa000;
	high[PERF_REG_X86_BX] = 0x40000b00;
	assert_int_equal(address(&mov, ALL, high, false),
			 (uint32_t)(0x7fffa000 + 4 * 0x40000b00ull));
}

/* The same bytes as code of 32 bits: other instructions, and a stack of 4 bytes. */
static void test_code_of_32_bits(void **state)
{
	static const struct {
		const char *code;
		size_t size;
		unsigned int length;
		const char *text;
		int64_t step;
		uint64_t target;
		unsigned int bytes;	/* of the operand in memory */
	} rows[] = {
		{ CODE("\x40\x03\x16"), 1, "inc %eax", 0, 0, 0 },
		{ CODE("\x03\x16"), 2, "add (%esi), %edx", 0, 0, 4 },
		{ CODE("\x49"), 1, "dec %ecx", 0, 0, 0 },
		{ CODE("\x50"), 1, "push %eax", -4, 0, 4 },
		{ CODE("\x5d"), 1, "pop %ebp", 4, 0, 4 },
		{ CODE("\x9c"), 1, "pushfd", -4, 0, 4 },
		{ CODE("\xe8\xfb\xff\xff\xff"), 5, "call 0x401000", -4, 0x401000, 4 },
		{ CODE("\xc2\x08\x00"), 3, "ret $0x8", 12, 0, 4 },
		{ CODE("\xe8\x00\x00\xc0\xff"), 5, "call 0x1005", -4, 0x1005, 4 },
		{ CODE("\x06"), 1, "push %es", -4, 0, 4 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pmuctl_insn insn = { .size = sizeof(insn) };

		assert_int_equal(pmuctl_insn_decode_bits(32, rows[i].code, rows[i].size, IP, &insn),
				 0);
		assert_string_equal(insn.text, rows[i].text);
		assert_int_equal(insn.length, rows[i].length);
		assert_int_equal(insn.stack_step, rows[i].step);
		assert_int_equal(insn.target, rows[i].target);
		assert_int_equal(insn.memory_count, !!rows[i].bytes);
		if (rows[i].bytes)
			assert_true(insn.memory[0].narrow && insn.memory[0].bytes == 4);
	}
	assert_int_equal(pmuctl_insn_before_bits(32, "\x40\x03\x16\x43", 4, IP, IP + 3), IP + 1);
	assert_int_equal(pmuctl_insn_before("\x40\x03\x16\x43", 4, IP, IP + 3), IP);
	assert_int_equal(pmuctl_insn_before_bits(16, "\x90\x90", 2, IP, IP + 1), 0);
	assert_int_equal(pmuctl_insn_decode_bits(0, "\x90", 1, IP, &(struct pmuctl_insn){
		.size = sizeof(struct pmuctl_insn),
	}), -EINVAL);
}

static void test_registers_missing(void **state)
{
	static const struct operand mov = { CODE("\x48\x8b\x4c\x98\xf8"), 0, 0, 0 };

	(void)state;
	assert_int_equal(address(&mov, ALL & ~BIT(BX), file, false), LOST);
	assert_int_equal(address(&mov, ALL & ~BIT(AX), file, false), LOST);
	assert_int_equal(address(&mov, BIT(AX) | BIT(BX), file, false), 0xa000 + 4 * 0xb00 - 8);
	assert_int_equal(address(&mov, 0, file, false), LOST);
}

static void test_no_such_operand(void **state)
{
	struct pmuctl_insn insn = decode("\x90", 1);
	uint64_t out;

	(void)state;
	assert_int_equal(pmuctl_insn_address(&insn, 0, IP, 0, NULL, false, &out), -EINVAL);
	assert_int_equal(pmuctl_insn_address(NULL, 0, IP, 0, NULL, false, &out), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decoded),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_not_decoded),
		cmocka_unit_test(test_small_structure),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_strings_downwards),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_code_of_32_bits),
		cmocka_unit_test(test_registers_missing),
		cmocka_unit_test(test_no_such_operand),
	};

	return cmocka_run_group_tests_name("lib_insn", tests, NULL, NULL);
}
