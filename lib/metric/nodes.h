/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A formula as its parser leaves it to the evaluation.
 */
#ifndef LIBPMUCTL_FORMULA_NODES_H
#define LIBPMUCTL_FORMULA_NODES_H

#include "lib/metric/formula.h"

enum node_kind {
	NODE_NUMBER, NODE_NAME, NODE_NEGATIVE,
	NODE_OR, NODE_AND,
	NODE_BELOW, NODE_ABOVE, NODE_NOT_ABOVE, NODE_NOT_BELOW, NODE_EQUAL, NODE_UNEQUAL,
	NODE_PLUS, NODE_MINUS, NODE_TIMES, NODE_OVER, NODE_MODULO,
	NODE_MAX, NODE_MIN, NODE_RATIO_OR_0,
	NODE_IF,		/* a: the condition, b if it holds, else c */
};

/* Nodes are numbered from 1 on; parts come before what they are parts of. */
struct node {
	enum node_kind kind;
	uint32_t a, b, c;
	uint32_t height;	/* of what hangs on it, itself included */
	size_t name;
	double number;
	size_t from, to;	/* of the right side, in the text */
};

struct formula {
	char *text;
	struct node *nodes;
	uint32_t nr_nodes;
	uint32_t root;
	char **names;
	size_t nr_names;
};

#endif
