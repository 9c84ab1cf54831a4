// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the box tells the pipeline of instructions, by their bytes.
 */
#include <string.h>

#include "tests/unit/cmocka_all.h"
#include "code.h"

#define RAX 1u
#define RCX 2u
#define RDX 4u
#define RBX 8u
#define RSP 0x10u
#define FLAGS (UINT64_C(1) << PMU_REG_FLAGS)
#define X87 (UINT64_C(1) << PMU_REG_X87)
#define XMM(n) (UINT64_C(1) << (PMU_REG_VECTOR + (n)))
#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static const struct row {
	const char *what;
	const uint8_t *bytes;
	size_t length;
	struct pmu_code code;		/* but for its length */
} rows[] = {
	{ "add %rax,%rbx", BYTES(0x48, 0x01, 0xc3), { .uops = 1, .kind = PMU_CODE_ALU, .bits = 64,
		.flags = PMU_CODE_FUSES, .reads = RAX | RBX, .writes = RBX | FLAGS } },
	{ "add %rbx,(%rcx)", BYTES(0x48, 0x01, 0x19), { .uops = 2, .kind = PMU_CODE_ALU, .bits = 64,
		.flags = PMU_CODE_LOADS | PMU_CODE_STORES, .address_regs = RCX, .reads = RBX,
		.writes = FLAGS } },
	{ "lock addq $1,(%rcx)", BYTES(0xf0, 0x48, 0x83, 0x01, 1), { .uops = 8,
		.kind = PMU_CODE_ALU, .bits = 64, .flags = PMU_CODE_LOADS | PMU_CODE_STORES |
		PMU_CODE_LOCK | PMU_CODE_MICROCODE, .address_regs = RCX, .writes = FLAGS } },
	{ "cmpl $5,(%rax)", BYTES(0x83, 0x38, 5), { .uops = 1, .kind = PMU_CODE_ALU, .bits = 32,
		.flags = PMU_CODE_LOADS, .address_regs = RAX, .writes = FLAGS } },
	{ "cmp %ecx,(%rax)", BYTES(0x39, 0x08), { .uops = 1, .kind = PMU_CODE_ALU, .bits = 32,
		.flags = PMU_CODE_LOADS | PMU_CODE_FUSES, .address_regs = RAX, .reads = RCX,
		.writes = FLAGS } },
	{ "adc %rax,%rbx", BYTES(0x48, 0x11, 0xc3), { .uops = 1, .kind = PMU_CODE_ALU, .bits = 64,
		.reads = RAX | RBX | FLAGS, .writes = RBX | FLAGS } },
	{ "xor %eax,%eax", BYTES(0x31, 0xc0), { .uops = 1, .kind = PMU_CODE_ZEROING, .bits = 32,
		.writes = RAX | FLAGS } },
	{ "xor %al,%al", BYTES(0x30, 0xc0), { .uops = 1, .kind = PMU_CODE_ALU, .bits = 8,
		.reads = RAX, .writes = RAX | FLAGS } },
	{ "mov %rax,%rbx", BYTES(0x48, 0x89, 0xc3), { .uops = 1, .kind = PMU_CODE_MOVE, .bits = 64,
		.reads = RAX, .writes = RBX } },
	{ "mov (%rax),%rbx", BYTES(0x48, 0x8b, 0x18), { .uops = 1, .kind = PMU_CODE_NONE, .bits = 64,
		.flags = PMU_CODE_LOADS, .address_regs = RAX, .writes = RBX } },
	{ "mov (%rax),%bl", BYTES(0x8a, 0x18), { .uops = 1, .kind = PMU_CODE_ALU, .bits = 8,
		.flags = PMU_CODE_LOADS, .address_regs = RAX, .reads = RBX, .writes = RBX } },
	{ "push %rax", BYTES(0x50), { .uops = 1, .kind = PMU_CODE_NONE, .bits = 64,
		.flags = PMU_CODE_STORES, .address_regs = RSP, .reads = RAX } },
	{ "call *%rax", BYTES(0xff, 0xd0), { .uops = 2, .kind = PMU_CODE_INDIRECT, .bits = 64,
		.flags = PMU_CODE_STORES, .address_regs = RSP, .reads = RAX } },
	{ "ret", BYTES(0xc3), { .uops = 1, .kind = PMU_CODE_RET, .flags = PMU_CODE_LOADS,
		.address_regs = RSP } },
	{ "lea 4(%rax,%rbx),%rcx", BYTES(0x48, 0x8d, 0x4c, 0x18, 4), { .uops = 1,
		.kind = PMU_CODE_LEA_SLOW, .bits = 64, .reads = RAX | RBX, .writes = RCX } },
	{ "div %ecx", BYTES(0xf7, 0xf1), { .uops = 10, .kind = PMU_CODE_DIV, .bits = 32,
		.flags = PMU_CODE_MICROCODE, .reads = RAX | RCX | RDX,
		.writes = RAX | RDX | FLAGS } },
	{ "divsd %xmm0,%xmm1", BYTES(0xf2, 0x0f, 0x5e, 0xc8), { .uops = 1, .kind = PMU_CODE_FP_DIV,
		.bits = 64, .counts = PMU_COUNT_FP_SCALAR_DOUBLE, .reads = XMM(0) | XMM(1),
		.writes = XMM(1) } },
	{ "vaddpd %ymm0,%ymm1,%ymm2", BYTES(0xc5, 0xf5, 0x58, 0xd0), { .uops = 1,
		.kind = PMU_CODE_FP_ADD, .bits = 255, .counts = PMU_COUNT_FP_256_DOUBLE,
		.reads = XMM(0) | XMM(1), .writes = XMM(2) } },
	{ "movsd %xmm0,%xmm1", BYTES(0xf2, 0x0f, 0x10, 0xc8), { .uops = 1,
		.kind = PMU_CODE_VEC_ALU, .bits = 64, .reads = XMM(0) | XMM(1),
		.writes = XMM(1) } },
	{ "rep stosb", BYTES(0xf3, 0xaa), { .uops = 2, .kind = PMU_CODE_STRING,
		.flags = PMU_CODE_STORES | PMU_CODE_MICROCODE, .address_regs = 0x80,
		.reads = RAX | RCX | 0x80 | FLAGS, .writes = RCX | 0x80 } },
	{ "fldl (%rax)", BYTES(0xdd, 0x00), { .uops = 1, .kind = PMU_CODE_NONE, .bits = 64,
		.flags = PMU_CODE_LOADS, .address_regs = RAX, .writes = X87 } },
	{ "lfence", BYTES(0x0f, 0xae, 0xe8), { .uops = 2, .kind = PMU_CODE_SYSTEM,
		.flags = PMU_CODE_SERIALIZING, .counts = PMU_COUNT_LFENCE } },
	{ "add $0x1234,%ax", BYTES(0x66, 0x05, 0x34, 0x12), { .uops = 1, .kind = PMU_CODE_ALU,
		.bits = 16, .flags = PMU_CODE_LCP | PMU_CODE_FUSES, .reads = RAX,
		.writes = RAX | FLAGS } },
	{ "nopw (%rax,%rax)", BYTES(0x66, 0x0f, 0x1f, 0x04, 0), { .uops = 1, .kind = PMU_CODE_NOP,
		.bits = 16, .counts = PMU_COUNT_NOP } },
	{ "pause", BYTES(0xf3, 0x90), { .uops = 4, .kind = PMU_CODE_SYSTEM,
		.counts = PMU_COUNT_PAUSE } },
	{ "mov %rax,%cr3", BYTES(0x0f, 0x22, 0xd8), { .uops = 20, .kind = PMU_CODE_SYSTEM,
		.bits = 64, .flags = PMU_CODE_SERIALIZING | PMU_CODE_MICROCODE, .reads = RAX } },
	{ "none", BYTES(0x0f, 0x0b, 0x0f), { .uops = 1, .kind = PMU_CODE_ALU } },
};

static void check_row(const struct row *row)
{
	const struct pmu_code *got = pmu_describe(row->bytes, (unsigned int)row->length, 64);
	struct pmu_code want = row->code;

	want.length = (uint8_t)row->length;
	if (got->length != want.length || got->uops != want.uops || got->kind != want.kind ||
	    got->bits != want.bits || got->flags != want.flags || got->counts != want.counts ||
	    got->address_regs != want.address_regs || got->reads != want.reads ||
	    got->writes != want.writes)
		fail_msg("%s: length %u uops %u kind %u bits %u flags %#x counts %u address %#llx"
			 " reads %#llx writes %#llx", row->what, got->length, got->uops, got->kind,
			 got->bits, got->flags, got->counts, (unsigned long long)got->address_regs,
			 (unsigned long long)got->reads, (unsigned long long)got->writes);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* What events count them as, and how often; 0: as nothing. */
static void test_counts(void **state)
{
	static const struct {
		const uint8_t bytes[6];
		unsigned int length, counts, times;
	} rows[] = {
		{ { 0xf3, 0x0f, 0x59, 0xc1 }, 4, PMU_COUNT_FP_SCALAR_SINGLE, 1 },  /* mulss */
		{ { 0x66, 0x0f, 0x58, 0xc1 }, 4, PMU_COUNT_FP_128_DOUBLE, 1 },	/* addpd */
		{ { 0x0f, 0x51, 0xc1 }, 3, PMU_COUNT_FP_128_SINGLE, 1 },		/* sqrtps */
		{ { 0xc5, 0xf4, 0x5c, 0xc2 }, 4, PMU_COUNT_FP_256_SINGLE, 1 },	/* vsubps %ymm */
		/* vfmadd231sd, dpps */
		{ { 0xc4, 0xe2, 0xf1, 0xb9, 0xc2 }, 5, PMU_COUNT_FP_SCALAR_DOUBLE, 2 },
		{ { 0x66, 0x0f, 0x3a, 0x40, 0xc1, 0xff }, 6, PMU_COUNT_FP_128_SINGLE, 2 },
		{ { 0xd8, 0xc1 }, 2, PMU_COUNT_X87, 1 },				/* fadd */
		{ { 0x66, 0x0f, 0xfe, 0xc1 }, 4, PMU_COUNT_VECTOR_ADD_128, 1 },	/* paddd */
		{ { 0xc5, 0xf5, 0xfe, 0xc2 }, 4, PMU_COUNT_VECTOR_ADD_256, 1 },	/* vpaddd */
		{ { 0xc5, 0xf5, 0xd5, 0xc2 }, 4, PMU_COUNT_VECTOR_MUL_256, 1 },	/* vpmullw */
		{ { 0xc4, 0xe2, 0x75, 0x00, 0xc2 }, 5, PMU_COUNT_SHUFFLE_256, 1 }, /* vpshufb */
		/* cmpsd, cvtsi2sd, ucomisd, paddd of MMX, pmullw, add, fld %st(1) */
		{ { 0xf2, 0x0f, 0xc2, 0xc1, 0x00 }, 5, 0, 0 },
		{ { 0xf2, 0x0f, 0x2a, 0xc0 }, 4, 0, 0 },
		{ { 0x66, 0x0f, 0x2e, 0xc1 }, 4, 0, 0 },
		{ { 0x0f, 0xfe, 0xc1 }, 3, 0, 0 },
		{ { 0x66, 0x0f, 0xd5, 0xc1 }, 4, 0, 0 },
		{ { 0x01, 0xc0 }, 2, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pmu_code *got = pmu_describe(rows[i].bytes, rows[i].length, 64);

		if (got->counts != rows[i].counts ||
		    (rows[i].counts && got->times != rows[i].times))
			fail_msg("row %zu: counts %u, %u times", i, got->counts, got->times);
	}
}

/* Those that are alike share a description, whatever their constants. */
static void test_once(void **state)
{
	(void)state;
	assert_ptr_equal(pmu_describe(BYTES(0x48, 0x83, 0xc0, 1), 64),
			 pmu_describe(BYTES(0x48, 0x83, 0xc0, 2), 64));
	assert_ptr_not_equal(pmu_describe(BYTES(0x48, 0x83, 0xc0, 1), 64),
			     pmu_describe(BYTES(0x48, 0x83, 0xc3, 1), 64));
}

/* 48 is DEC EAX where it is no prefix. */
static void test_modes(void **state)
{
	const struct pmu_code *code = pmu_describe(BYTES(0x48), 32);

	(void)state;
	assert_int_equal(code->writes, RAX | FLAGS);
	assert_int_equal(code->bits, 32);
	assert_int_equal(pmu_describe(BYTES(0x48), 16)->bits, 16);
}

/* Whatever the bytes are, there is a description with a uop. */
static void test_any_bytes(void **state)
{
	uint32_t x = 1;
	uint8_t bytes[15];

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		for (unsigned int k = 0; k < sizeof(bytes); k++) {
			x = x * 1664525 + 1013904223;
			bytes[k] = (uint8_t)(x >> 24);
		}
		const struct pmu_code *code = pmu_describe(bytes, 1 + i % 15, i % 3 ? 64 : 32);

		assert_true(code->uops >= 1 && code->kind < PMU_CODE_KINDS);
		assert_true(!((code->reads | code->writes | code->address_regs) >> PMU_REGS));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
