/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formulas over named values: what metrics are made of.
 *
 * From the loosest to the tightest: A if B else C (from the right), |, &, one of
 * < > <= >= == !=, + and -, * and / and %, unary minus.  max(A, B), min(A, B) and
 * d_ratio(A, B), which is A / B or 0 if B is 0.  True is 1, and everything but 0 is
 * true.  Only the side of an `if` is looked at that holds.
 *
 * A name starts with a letter, _ or # and goes on with letters, digits and . _ #;
 * behind a colon, which modifiers of an event follow, = may be in it as well.
 */
#ifndef LIBPMUCTL_FORMULA_H
#define LIBPMUCTL_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct formula;

/* Of a text that is none, or of a formula without a value. */
struct formula_error {
	size_t at;		/* from the start of the text */
	size_t len;		/* of the divisor that is 0 */
	char why[160];
};

/* -EINVAL with *error, or -ENOMEM. */
int formula_parse(const char *text, struct formula **formula, struct formula_error *error);
void formula_free(struct formula *formula);
const char *formula_text(const struct formula *formula);

/* The names in it, each once, in the order of their first use. */
size_t formula_names(const struct formula *formula);
const char *formula_name(const struct formula *formula, size_t name);
/* Its number among them; as many as there are: none of them is that. */
size_t formula_find_name(const struct formula *formula, const char *name, size_t len);
/* What names and numbers consist of, modifiers included. */
bool formula_in_word(char c);

/* The value of a name: 0, or what ends the evaluation, the reason being the caller's. */
typedef int formula_value_fn(void *data, size_t name, double *value);

/* 0; -EDOM with *error: a division by zero; or what fn returned. */
int formula_evaluate(const struct formula *formula, formula_value_fn *fn, void *data,
		     double *value, struct formula_error *error);

/*
 * Which names its value may depend on, when those are known that fn knows (it returns
 * anything else than 0 of others): an `if` that is decided has one side.
 */
void formula_live(const struct formula *formula, formula_value_fn *fn, void *data, bool *live);

#endif
