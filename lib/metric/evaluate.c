// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a formula comes to.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/metric/nodes.h"

struct evaluation {
	const struct formula *f;
	formula_value_fn *fn;
	void *data;
	struct formula_error *error;
};

static int evaluate(const struct evaluation *e, uint32_t number, double *value);

static int by_zero(const struct evaluation *e, const struct node *node)
{
	size_t len = node->to - node->from;

	e->error->at = node->from;
	e->error->len = len;
	snprintf(e->error->why, sizeof(e->error->why), "'%.*s%s' is 0",
		 len > 100 ? 97 : (int)len, e->f->text + node->from, len > 100 ? "..." : "");
	return -EDOM;
}

/* The remainder has the sign of a; the library that fmod() lives in would cost every start. */
static double remainder_of(double a, double b)
{
	const double whole = 4503599627370496.0;	/* doubles have no fraction from here on */
	double times = a / b;

	if (times <= -whole || times >= whole)
		return 0;
	return a - b * (double)(int64_t)times;
}

static int divide(const struct evaluation *e, const struct node *node, double a, double b,
		  double *value)
{
	if (b == 0 && node->kind == NODE_RATIO_OR_0) {
		*value = 0;
		return 0;
	}
	if (b == 0)
		return by_zero(e, node);
	*value = node->kind == NODE_MODULO ? remainder_of(a, b) : a / b;
	return 0;
}

static double combine(enum node_kind kind, double a, double b)
{
	switch (kind) {
	case NODE_OR:
		return a != 0 || b != 0;
	case NODE_AND:
		return a != 0 && b != 0;
	case NODE_BELOW:
		return a < b;
	case NODE_ABOVE:
		return a > b;
	case NODE_NOT_ABOVE:
		return a <= b;
	case NODE_NOT_BELOW:
		return a >= b;
	case NODE_EQUAL:
		return a == b;
	case NODE_UNEQUAL:
		return a != b;
	case NODE_PLUS:
		return a + b;
	case NODE_MINUS:
		return a - b;
	case NODE_TIMES:
		return a * b;
	case NODE_MAX:
		return a > b ? a : b;
	default:
		return a < b ? a : b;
	}
}

static int of_two(const struct evaluation *e, const struct node *node, double *value)
{
	double a = 0, b = 0;
	int err = evaluate(e, node->a, &a);

	if (!err)
		err = evaluate(e, node->b, &b);
	if (err)
		return err;
	if (node->kind == NODE_OVER || node->kind == NODE_MODULO || node->kind == NODE_RATIO_OR_0)
		return divide(e, node, a, b, value);
	*value = combine(node->kind, a, b);
	return 0;
}

static int evaluate(const struct evaluation *e, uint32_t number, double *value)
{
	const struct node *node = &e->f->nodes[number - 1];
	int err;

	*value = 0;
	switch (node->kind) {
	case NODE_NUMBER:
		*value = node->number;
		return 0;
	case NODE_NAME:
		return e->fn(e->data, node->name, value);
	case NODE_NEGATIVE:
		err = evaluate(e, node->a, value);
		*value = -*value;
		return err;
	case NODE_IF:
		err = evaluate(e, node->a, value);
		return err ? err : evaluate(e, *value != 0 ? node->b : node->c, value);
	default:
		return of_two(e, node, value);
	}
}

int formula_evaluate(const struct formula *formula, formula_value_fn *fn, void *data,
		     double *value, struct formula_error *error)
{
	const struct evaluation e = { .f = formula, .fn = fn, .data = data, .error = error };

	return evaluate(&e, formula->root, value);
}

/* ---- what it depends on ---------------------------------------------------------- */

static void visit(const struct evaluation *e, uint32_t number, bool *live)
{
	const struct node *node;
	double holds;

	if (!number)
		return;
	node = &e->f->nodes[number - 1];
	if (node->kind == NODE_NAME)
		live[node->name] = true;
	if (node->kind == NODE_IF && !evaluate(e, node->a, &holds)) {
		visit(e, holds != 0 ? node->b : node->c, live);
		return;
	}
	visit(e, node->a, live);
	visit(e, node->b, live);
	visit(e, node->c, live);
}

void formula_live(const struct formula *formula, formula_value_fn *fn, void *data, bool *live)
{
	struct formula_error error;
	const struct evaluation e = { .f = formula, .fn = fn, .data = data, .error = &error };

	visit(&e, formula->root, live);
}
