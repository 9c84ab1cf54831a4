// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of two builds of a function: which is which.
 */
#include <string.h>

#include "tools/diff/align.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/random.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define CODE(bytes) { (const uint8_t *)(bytes), sizeof(bytes) - 1, 64 }

/* Other registers and offsets, one instruction more at the front, one less within. */
static void other_registers(void **state)
{
	const struct align_code a = CODE("\x48\x8b\x45\xf8"	/* 0: mov -0x8(%rbp),%rax */
					 "\x48\x01\xd0"		/* 4: add %rdx,%rax */
					 "\x0f\xaf\xc0"		/* 7: imul %eax,%eax */
					 "\x75\xf4"		/* a: jne */
					 "\xc3");		/* c: ret */
	const struct align_code b = CODE("\x90"			/* 0: nop */
					 "\x48\x8b\x5d\xe0"	/* 1: mov -0x20(%rbp),%rbx */
					 "\x48\x01\xcb"		/* 5: add %rcx,%rbx */
					 "\x75\x10"		/* 8: jne elsewhere */
					 "\xc3");		/* a: ret */
	static const uint64_t of_a[][2] = { { 0, 1 }, { 4, 5 }, { 0xa, 8 }, { 0xc, 0xa } };
	struct alignment made;
	size_t i;

	(void)state;
	assert_int_equal(align_make(&a, &b, &made), 0);
	assert_int_equal(made.count, COUNT(of_a));
	for (i = 0; i < COUNT(of_a); i++) {
		assert_int_equal(align_other(&made, 0, of_a[i][0]), of_a[i][1]);
		assert_int_equal(align_other(&made, 1, of_a[i][1]), of_a[i][0]);
	}
	assert_int_equal(align_other(&made, 0, 7), ALIGN_NONE);
	assert_int_equal(align_other(&made, 1, 0), ALIGN_NONE);
	/* Within an instruction there is none. */
	assert_int_equal(align_other(&made, 0, 5), ALIGN_NONE);
	align_free(&made);
}

/* Memory is no register, and a byte of no instruction is itself. */
static void what_is_unlike(void **state)
{
	const struct align_code a = CODE("\x48\x8b\x00\x06");	/* mov (%rax),%rax; bad */
	const struct align_code b = CODE("\x48\x89\xd8\x06");	/* mov %rbx,%rax; bad */
	const struct align_code none = { NULL, 0, 64 };
	struct alignment made;

	(void)state;
	assert_int_equal(align_make(&a, &b, &made), 0);
	assert_int_equal(made.count, 1);
	assert_int_equal(align_other(&made, 0, 3), 3);
	align_free(&made);
	assert_int_equal(align_make(&a, &none, &made), 0);
	assert_int_equal(made.count, 0);
	assert_int_equal(align_other(&made, 0, 0), ALIGN_NONE);
	align_free(&made);
}

/* ---- against counting all cases -------------------------------------------------------------- */

#define LONGEST 60

/* Instructions of one byte, each of a kind of its own. */
static const uint8_t kinds[] = { 0x90, 0xc3, 0xf4, 0xfa, 0xfb, 0xfc };

static size_t longest_common(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
	static size_t best[LONGEST + 1][LONGEST + 1];
	size_t i, k;

	for (i = 0; i <= na; i++)
		for (k = 0; k <= nb; k++) {
			if (!i || !k)
				best[i][k] = 0;
			else if (a[i - 1] == b[k - 1])
				best[i][k] = best[i - 1][k - 1] + 1;
			else
				best[i][k] = best[i - 1][k] > best[i][k - 1] ? best[i - 1][k] :
									       best[i][k - 1];
		}
	return best[na][nb];
}

static size_t make_code(uint8_t *code, unsigned int of_kinds)
{
	size_t n = (size_t)(LONGEST * uniform()), i;

	for (i = 0; i < n; i++)
		code[i] = kinds[(size_t)(of_kinds * uniform())];
	return n;
}

static void as_many_as_can_be(void **state)
{
	uint8_t a[LONGEST], b[LONGEST];
	struct alignment made;
	unsigned int run;
	size_t i;

	(void)state;
	seed = 7;
	for (run = 0; run < 3000; run++) {
		const struct align_code of_a = { a, make_code(a, 2 + run % 5), 64 };
		const struct align_code of_b = { b, make_code(b, 2 + run % 5), 64 };

		assert_int_equal(align_make(&of_a, &of_b, &made), 0);
		assert_int_equal(made.count, longest_common(a, of_a.size, b, of_b.size));
		for (i = 0; i < made.count; i++) {
			assert_int_equal(a[made.pairs[i].a], b[made.pairs[i].b]);
			if (i) {
				assert_true(made.pairs[i].a > made.pairs[i - 1].a);
				assert_true(made.pairs[i].b > made.pairs[i - 1].b);
			}
		}
		align_free(&made);
	}
}

/* Thousands of differences are none of one function: the ends alone are paired. */
static void too_many_differences(void **state)
{
	static uint8_t a[9002], b[9002];
	const struct align_code of_a = { a, sizeof(a), 64 }, of_b = { b, sizeof(b), 64 };
	struct alignment made;

	(void)state;
	memset(a, 0xfa, sizeof(a));
	memset(b, 0xfb, sizeof(b));
	a[0] = b[0] = a[9001] = b[9001] = 0x90;
	assert_int_equal(align_make(&of_a, &of_b, &made), 0);
	assert_int_equal(made.count, 2);
	assert_int_equal(align_other(&made, 1, 9001), 9001);
	align_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_registers),
		cmocka_unit_test(what_is_unlike),
		cmocka_unit_test(as_many_as_can_be),
		cmocka_unit_test(too_many_differences),
	};

	return cmocka_run_group_tests_name("alignment", tests, NULL, NULL);
}
