// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formulas: what binds tighter, what has no value, and texts that are none.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric/formula.h"
#include "tests/unit/cmocka_all.h"

/* a is 2, b is 3, c is 5, zero is 0; `no` has no value. */
static int value_of(void *data, size_t name, double *value)
{
	const char *text = formula_name(data, name);

	if (!strcmp(text, "no"))
		return -ENODATA;
	*value = !strcmp(text, "a") ? 2 : !strcmp(text, "b") ? 3 : !strcmp(text, "c") ? 5 : 0;
	return 0;
}

static double evaluate(const char *text)
{
	struct formula_error error;
	struct formula *f;
	double value = NAN;

	assert_int_equal(formula_parse(text, &f, &error), 0);
	assert_int_equal(formula_evaluate(f, value_of, f, &value, &error), 0);
	formula_free(f);
	return value;
}

static const struct {
	const char *text;
	double value;
} values[] = {
	{ "1", 1 }, { ".5", 0.5 }, { "1e3", 1000 }, { "2.5E-1", 0.25 }, { " 1.25 ", 1.25 },
	{ "a + b * c", 17 }, { "(a + b) * c", 25 }, { "a - b - c", -6 }, { "c / a / b", 5.0 / 6 },
	{ "c % b", 2 }, { "-a * b", -6 }, { "a - -b", 5 }, { "--a", 2 }, { "a*-b", -6 },
	{ "a < b", 1 }, { "a > b", 0 }, { "a <= 2", 1 }, { "a >= 3", 0 }, { "a == 2", 1 },
	{ "a > = 2", 1 }, { "a <  = 1", 0 }, { "a > = 3", 0 },
	{ "a != 2", 0 }, { "a + 1 < b + 1", 1 }, { "a < b & b < c", 1 }, { "a > b | b < c", 1 },
	/* & before |, both before if. */
	{ "1 | 0 & 0", 1 }, { "a if b > 9 | 1 else c", 2 },
	{ "a if 0 else b if 0 else c", 5 }, { "a + 1 if zero else b + 1", 4 },
	{ "(a if 1 else b) * c", 10 }, { "a if (b if 0 else 0) else c", 5 },
	{ "max(a, b)", 3 }, { "min( a , b ) * 2", 4 }, { "max(min(a, b), c - 9)", 2 },
	{ "d_ratio(a, b)", 2.0 / 3 }, { "d_ratio(a, zero)", 0 },
	/* Only the side that holds is looked at. */
	{ "a / zero if zero else b", 3 }, { "no if 0 else 1", 1 },
	{ "#Pipeline_Width", 0 }, { "IDQ.MS_UOPS:c1:e1 + a", 2 }, { "X:cmask=1 == 0", 1 },
};

static void precedence(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (fabs(evaluate(values[i].text) - values[i].value) > 1e-12)
			fail_msg("'%s' is %g", values[i].text, evaluate(values[i].text));
}

/* More digits than a number has room for are no reason for it to be none. */
static void long_numbers(void **state)
{
	char text[512] = "1.";

	(void)state;
	memset(text + 2, '0', 400);
	text[402] = '\0';
	assert_true(evaluate(text) == 1);
	memset(text + 2, '9', 400);
	assert_true(fabs(evaluate(text) - 2) < 1e-12);
	text[1] = '0';
	memset(text + 2, '0', 290);
	strcpy(text + 292, ".25");
	assert_true(fabs(evaluate(text) / 1e291 - 1) < 1e-12);
}

static const struct {
	const char *text;
	size_t at;
	const char *why;
} broken[] = {
	{ "", 0, "a value is missing before the end" },
	{ "a +", 3, "a value is missing before the end" },
	{ "a b", 2, "an operator is missing before 'b'" },
	{ "(a", 2, "')' is missing before the end" },
	{ "a)", 1, "an operator is missing before ')'" },
	{ "max(a)", 5, "',' is missing before ')'" },
	{ "max a", 4, "'(' is missing before 'a'" },
	{ "a if b", 6, "'else' is missing before the end" },
	{ "if", 0, "a value is missing before 'if'" },
	{ "a < b < c", 7, "a comparison of a comparison" },
	{ "1e", 0, "'1e' is no number" },
	{ "0x10", 0, "'0x10' is no number" },
	{ "1e999", 0, "'1e999' is no number" },
	{ "1.2.3", 0, "'1.2.3' is no number" },
	{ "a ** b", 3, "a value is missing before '*" },
	{ "a $ b", 2, "an operator is missing before '$'" },
};

static void texts_that_are_none(void **state)
{
	struct formula_error error;
	struct formula *f;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		assert_int_equal(formula_parse(broken[i].text, &f, &error), -EINVAL);
		if (error.at != broken[i].at || !strstr(error.why, broken[i].why))
			fail_msg("'%s': at %zu: %s", broken[i].text, error.at, error.why);
	}
}

static void without_a_value(void **state)
{
	struct formula_error error;
	struct formula *f;
	double value;

	(void)state;
	assert_int_equal(formula_parse("1 + a / (zero * b)", &f, &error), 0);
	assert_int_equal(formula_evaluate(f, value_of, f, &value, &error), -EDOM);
	assert_string_equal(error.why, "'(zero * b)' is 0");
	assert_int_equal(error.at, 8);
	assert_int_equal(error.len, 10);
	formula_free(f);
	assert_int_equal(formula_parse("a + no", &f, &error), 0);
	assert_int_equal(formula_evaluate(f, value_of, f, &value, &error), -ENODATA);
	formula_free(f);
}

static void names_once_each(void **state)
{
	struct formula_error error;
	struct formula *f;

	(void)state;
	assert_int_equal(formula_parse("b / a + max(b, a.c:c1)", &f, &error), 0);
	assert_int_equal(formula_names(f), 3);
	assert_string_equal(formula_name(f, 0), "b");
	assert_string_equal(formula_name(f, 1), "a");
	assert_string_equal(formula_name(f, 2), "a.c:c1");
	assert_string_equal(formula_text(f), "b / a + max(b, a.c:c1)");
	formula_free(f);
}

/* n times text between a start and an end. */
static char *repeated(const char *text, size_t n, const char *end)
{
	char *all = calloc(n * strlen(text) + strlen(end) + 1, 1);
	size_t i;

	assert_non_null(all);
	for (i = 0; i < n; i++)
		memcpy(all + i * strlen(text), text, strlen(text));
	strcpy(all + n * strlen(text), end);
	return all;
}

static void too_deep_and_too_long(void **state)
{
	static const struct {
		const char *text, *end, *why;
	} cases[] = {
		{ "(", "1", "200 brackets" }, { "1 if 1 else ", "1", "200 brackets" },
		{ "max(1,", "1", "200 brackets" }, { "1+", "1", "2000 operators" },
	};
	struct formula_error error;
	struct formula *f;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		text = repeated(cases[i].text, 100000, cases[i].end);
		assert_int_equal(formula_parse(text, &f, &error), -EINVAL);
		assert_non_null(strstr(error.why, cases[i].why));
		free(text);
	}
	text = repeated("-", 100000, "1");
	assert_int_equal(formula_parse(text, &f, &error), 0);
	formula_free(f);
	free(text);
	text = repeated("1+", 1900, "1");
	assert_true(evaluate(text) == 1901);
	free(text);
}

/* "no" is no constant. */
static const struct {
	const char *text;
	unsigned int live;	/* bit n: the name that comes n-th in the text */
} lives[] = {
	{ "no", 1 }, { "x.no + y.no", 3 }, { "x.no if a else y.no", 1 },
	{ "x.no if zero else y.no", 1 << 2 }, { "x.no if 1 else y.no", 1 },
	{ "x.no if zero else y.no if a < b else z.no", 1 << 2 },
	{ "x.no if y.no else z.no", 7 }, { "max(x.no, 1 if zero else y.no)", 1 | 1 << 2 },
};

static int constants_only(void *data, size_t name, double *value)
{
	return strstr(formula_name(data, name), "no") ? -ENODATA : value_of(data, name, value);
}

static void what_it_depends_on(void **state)
{
	struct formula_error error;
	struct formula *f;
	bool live[8];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(lives) / sizeof(lives[0]); i++) {
		memset(live, 0, sizeof(live));
		assert_int_equal(formula_parse(lives[i].text, &f, &error), 0);
		formula_live(f, constants_only, f, live);
		for (k = 0; k < formula_names(f); k++)
			if (strstr(formula_name(f, k), "no") && live[k] != (lives[i].live >> k & 1))
				fail_msg("%s: %s", lives[i].text, formula_name(f, k));
		formula_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(precedence),
		cmocka_unit_test(long_numbers),
		cmocka_unit_test(texts_that_are_none),
		cmocka_unit_test(without_a_value),
		cmocka_unit_test(names_once_each),
		cmocka_unit_test(too_deep_and_too_long),
		cmocka_unit_test(what_it_depends_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
