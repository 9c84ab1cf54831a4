// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a name of Top-Down's tables to a formula over events: rows that stand for
 * each other are put in until nothing but events and constants is left.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/tma/tma.h"

/* The deepest today is 7. */
#define DEPTH_MAX 16

static bool has_metrics(const struct pmu_facts *facts, enum generation generation)
{
	/* Level 2 as well from Sapphire Rapids on, and formulas want all or nothing. */
	uint64_t fields = (generation >= GEN_SPR ? 0xffull : 0xfull) << PMUCTL_COUNTER_METRIC;

	return (facts->counters & fields) == fields;
}

static uint32_t conditions(const struct pmu_facts *facts, enum generation generation)
{
	bool slots = facts->counters >> (PMUCTL_COUNTER_FIXED + 3) & 1;

	return TMA_CPUS | (facts->smt ? TMA_SMT : TMA_NO_SMT) | (facts->any ? TMA_ANY : 0) |
	       (slots ? TMA_SLOTS : 0) |
	       (slots && has_metrics(facts, generation) ? TMA_METRICS : 0);
}

/* Of cores that have a table for themselves, and no other tree; NULL: it is of those that share. */
static const struct tma_rows *own_formulas(enum generation generation)
{
	if (is_lion_cove(generation))
		return &lioncove_formulas;
	return tma_is_small(generation) ? &small_formulas : NULL;
}

static void choose_tables(struct tma_scope *scope, enum tma_tree tree)
{
	const struct tma_rows *own = own_formulas(scope->generation);

	if (tree == TMA_TREE_CLASSICAL) {
		scope->tables[0] = &classical_formulas;
	} else if (own) {
		scope->tables[0] = tree == TMA_TREE_TMA5 ? own : NULL;
	} else {
		scope->tables[0] = tree == TMA_TREE_TMA5 ? &tma_formulas : &pipeline_formulas;
		scope->tables[1] = &tma_helpers;
	}
}

int tma_scope_of(struct pmuctl *ctx, enum tma_tree tree, uint32_t without,
		 struct tma_scope *scope)
{
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	*scope = (struct tma_scope){ .generation = GEN_UNKNOWN };
	/* Of a model that the module does not know there is nothing to be said. */
	if (facts.backend == BACKEND_PERFMON && !facts.arch_only)
		scope->generation = generation_of(&facts);
	scope->when = conditions(&facts, scope->generation) & ~without;
	choose_tables(scope, tree);
	tma_scope_index(scope);
	return 0;
}

bool tma_is_small(enum generation generation)
{
	return generation >= GEN_GRT && generation <= GEN_DKT;
}

const struct tma_nodes *tma_nodes_of(enum generation generation)
{
	return tma_is_small(generation) ? &small_nodes : &tma_nodes;
}

static bool holds(const struct tma_scope *scope, const struct tma_row *row)
{
	return row->first <= scope->generation && scope->generation <= row->last &&
	       !(row->when & ~scope->when);
}

/* That of the row with this name, or the first that is free. */
static size_t find_slot(const struct tma_scope *scope, const char *name, size_t len)
{
	const struct tma_row *row;
	uint32_t hash = 0;
	size_t i;

	for (i = 0; i < len; i++)
		hash = 31 * hash + (unsigned char)name[i];
	for (i = hash % TMA_SCOPE_SLOTS; (row = scope->slots[i]); i = (i + 1) % TMA_SCOPE_SLOTS)
		if (!strncmp(row->name, name, len) && !row->name[len])
			break;
	return i;
}

void tma_scope_index(struct tma_scope *scope)
{
	const struct tma_row *row;
	size_t t, i, slot;

	for (t = 0; t < ARRAY_SIZE(scope->tables) && scope->tables[t]; t++) {
		for (i = 0; i < scope->tables[t]->count; i++) {
			row = &scope->tables[t]->rows[i];
			if (!holds(scope, row))
				continue;
			slot = find_slot(scope, row->name, strlen(row->name));
			if (!scope->slots[slot])
				scope->slots[slot] = row;
		}
	}
}

static const char *find(const struct tma_scope *scope, const char *name, size_t len)
{
	const struct tma_row *row = scope->slots[find_slot(scope, name, len)];

	return row ? row->formula : NULL;
}

const char *tma_find(const struct tma_scope *scope, const char *name)
{
	return find(scope, name, strlen(name));
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '#';
}

/* A name's characters, those of modifiers included. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	while (begins_name(text[n]) || isdigit((unsigned char)text[n]) || text[n] == '.' ||
	       text[n] == ':')
		n++;
	return n;
}

/* What stands before the next name: numbers, operators, brackets. */
static size_t other_length(const char *text)
{
	size_t n = 0;

	while (text[n] && !begins_name(text[n]))
		n++;
	return n;
}

static int write_expanded(const struct tma_scope *scope, const char *text, struct text *to,
			  unsigned int depth)
{
	const char *formula;
	bool brackets;
	int err = 0;
	size_t n;

	if (depth > DEPTH_MAX)
		return -ELOOP;
	for (; !err && *text; text += n) {
		n = other_length(text);
		text_add(to, text, n);
		text += n;
		n = name_length(text);
		formula = n ? find(scope, text, n) : NULL;
		if (!formula) {
			text_add(to, text, n);
			/* What is left of helpers is not defined here. */
			err = *text == '#' ? -ENOENT : 0;
			continue;
		}
		/* One name or number needs no brackets. */
		brackets = strchr(formula, ' ');
		text_add(to, "( ", brackets ? 2 : 0);
		err = write_expanded(scope, formula, to, depth + 1);
		text_add(to, " )", brackets ? 2 : 0);
	}
	return err;
}

int tma_expand(const struct tma_scope *scope, const char *name, char **formula)
{
	const char *text = tma_find(scope, name);
	struct text to = { .at = NULL };
	int err;

	if (!text)
		return -ENOENT;
	err = write_expanded(scope, text, &to, 0);
	if (err) {
		text_drop(&to);
		return err;
	}
	*formula = text_take(&to);
	return *formula ? 0 : -ENOMEM;
}

const struct tma_node *tma_node(const struct tma_nodes *nodes, const char *name)
{
	const struct tma_node *node;

	for (node = nodes->nodes; node < nodes->nodes + nodes->count; node++)
		if (!strcasecmp(node->name, name))
			return node;
	return NULL;
}

uint32_t tma_level(const struct tma_nodes *nodes, const struct tma_node *node)
{
	return node->parent ? 1 + tma_level(nodes, tma_node(nodes, node->parent)) : 1;
}

struct thresholds {
	const struct tma_nodes *nodes;
	tma_tested_fn *is_tested;
	const void *data;
};

static bool is_tested(const struct thresholds *t, const struct tma_node *node)
{
	return !t->is_tested || t->is_tested(t->data, node);
}

/* One that is not tested stands for its own. */
static const struct tma_node *tested_parent(const struct thresholds *t,
					    const struct tma_node *node)
{
	do
		node = node->parent ? tma_node(t->nodes, node->parent) : NULL;
	while (node && !is_tested(t, node));
	return node;
}

static void write_threshold(const struct thresholds *t, const struct tma_node *node,
			    struct text *to)
{
	const struct tma_node *parent = tested_parent(t, node);
	const struct tma_node *heavy = node->flags & TMA_OR_HEAVY ?
				       tma_node(t->nodes, "Heavy_Operations") : NULL;

	text_printf(to, "> %g", node->threshold);
	if (heavy && is_tested(t, heavy))
		text_printf(to, " | %s > %g", heavy->name, heavy->threshold);
	if (!(node->flags & TMA_AND_PARENT) || !parent || !parent->threshold)
		return;
	text_add_string(to, " & ");
	text_add_string(to, parent->name);
	text_add_char(to, ' ');
	write_threshold(t, parent, to);
}

char *tma_threshold(const struct tma_nodes *nodes, const struct tma_node *node,
		    tma_tested_fn *tested, const void *data)
{
	const struct thresholds t = { .nodes = nodes, .is_tested = tested, .data = data };
	struct text to = { .at = NULL };

	if (node->threshold)
		write_threshold(&t, node, &to);
	return text_take(&to);
}
