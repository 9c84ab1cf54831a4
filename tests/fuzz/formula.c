// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the parser of formulas and their evaluation: Intel's files may have any
 * text in their place.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric/formula.h"

static void check(bool good)
{
	if (!good)
		abort();
}

/* A bit a name: whether it is 0, so that divisions by zero come up as well. */
static int value_of(void *data, size_t name, double *value)
{
	const unsigned char *zero = data;

	*value = *zero >> name % 8 & 1 ? 0 : 3 + (double)name;
	return 0;
}

/* The same each time; a divisor that is 0 is part of the text. */
static void evaluate(const struct formula *formula, unsigned char zero)
{
	double first = 0, second = 0;
	struct formula_error error = { .at = SIZE_MAX };
	int err = formula_evaluate(formula, value_of, &zero, &first, &error);

	check(err == formula_evaluate(formula, value_of, &zero, &second, &error));
	check(!err || err == -EDOM);
	check(err || first == second || (isnan(first) && isnan(second)));
	if (err)
		check(error.len && error.at + error.len <= strlen(formula_text(formula)));
}

static void check_names(const struct formula *formula)
{
	size_t i, j;

	for (i = 0; i < formula_names(formula); i++) {
		check(strstr(formula_text(formula), formula_name(formula, i)));
		for (j = 0; j < i; j++)
			check(strcmp(formula_name(formula, i), formula_name(formula, j)) != 0);
	}
}

static void try(const char *text)
{
	struct formula_error error = { .why = "" };
	struct formula *formula, *again;
	int err = formula_parse(text, &formula, &error);

	if (err) {
		check(err == -EINVAL && *error.why && error.at <= strlen(text));
		return;
	}
	check_names(formula);
	/* A number alone is one. */
	if (!formula_names(formula) && strspn(text, "0123456789.") == strlen(text)) {
		double value;

		check(!formula_evaluate(formula, value_of, NULL, &value, &error));
		check(isfinite(value));
	}
	evaluate(formula, 0);
	evaluate(formula, 0xa5);
	evaluate(formula, 0xff);
	check(!formula_parse(formula_text(formula), &again, &error));
	check(formula_names(formula) == formula_names(again));
	formula_free(again);
	formula_free(formula);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, bytes, size);
	text[size] = '\0';
	try(text);
	free(text);
	return 0;
}
