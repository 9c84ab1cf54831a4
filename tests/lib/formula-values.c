// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formula-values: reads lines "FORMULA<tab>NAME=VALUE ..." and prints for each its
 * value, "zero" for a division by zero, or what is wrong with it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric/formula.h"

struct line {
	const struct formula *formula;
	const char *values;
};

static int value_of(void *data, size_t name, double *value)
{
	const struct line *l = data;
	const char *text = formula_name(l->formula, name), *at = l->values;
	size_t len = strlen(text);

	for (; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
		if (!strncmp(at, text, len) && at[len] == '=') {
			*value = strtod(at + len + 1, NULL);
			return 0;
		}
	return -ENODATA;
}

static void print_value(char *text)
{
	struct formula_error error;
	struct formula *formula;
	struct line line;
	double value;
	int err;

	line.values = strchr(text, '\t') + 1;
	text[strcspn(text, "\t")] = '\0';
	if (formula_parse(text, &formula, &error)) {
		printf("%zu: %s\n", error.at, error.why);
		return;
	}
	line.formula = formula;
	err = formula_evaluate(formula, value_of, &line, &value, &error);
	if (err)
		puts(err == -EDOM ? "zero" : "no value");
	else
		printf("%.17g\n", value);
	formula_free(formula);
}

int main(void)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strchr(line, '\t'))
			print_value(line);
	}
	free(line);
	return 0;
}
