// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tree of Top-Down as CSV and JSON: a row a node, whether it has numbers or not.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/flags.h"
#include "tools/topdown/topdown.h"

/* Six digits that mean something, down to a millionth of a percent. */
#define DECIMALS 12

static void print_where(struct writer *w, const struct topdown_tree *tree)
{
	if (tree->args->interval)
		writer_double(w, "interval", NULL, 9, tree->time);
	if (!tree->args->per_task)
		return;
	writer_string(w, "comm", NULL, tree->watch->comm);
	writer_u64(w, "pid", NULL, (uint64_t)tree->watch->pid);
	writer_u64(w, "tid", NULL, (uint64_t)tree->watch->tid);
}

static void print_number(struct writer *w, const char *key, bool there, double value)
{
	if (there)
		writer_double(w, key, NULL, DECIMALS, value);
	else
		writer_null(w, key, NULL, "");
}

static void print_value(struct writer *w, const struct pmuctl_topdown_node *n,
			const struct pmuctl_topdown_result *r)
{
	if (r->why_not)
		writer_null(w, "value", NULL, n->why_not ? "<not supported>" : "<not measured>");
	else
		writer_double(w, "value", NULL, DECIMALS, r->value);
}

static void print_text(struct writer *w, const char *key, const char *text)
{
	if (text)
		writer_string(w, key, NULL, text);
	else
		writer_null(w, key, NULL, "");
}

static void print_formula(struct writer *w, const struct topdown_tree *tree, size_t i)
{
	const struct pmuctl_topdown_node *n = pmuctl_topdown_get_node(tree->plan, i);
	char *numbers = topdown_numbers(tree, i);

	print_text(w, "formula", n->formula);
	print_text(w, "numbers", numbers);
	free(numbers);
}

static void print_event(struct writer *w, const struct topdown_tree *tree,
			const struct pmuctl_topdown_node *n)
{
	char *event = n->event ? kind_event(tree->kind, n->event, "") : NULL;

	print_text(w, "event", event);
	free(event);
}

/* By which trees of tasks can be put in order; CSV keeps the columns that it has. */
static void print_cycles(struct writer *w, const struct topdown_tree *tree)
{
	if (writer_format(w) == FORMAT_JSON)
		writer_u64(w, "cycles", NULL, (uint64_t)tree->cycles);
}

/* What only programs want that look a key up. */
static void print_more(struct writer *w, const struct topdown_tree *tree,
		       const struct pmuctl_topdown_node *n)
{
	if (writer_format(w) != FORMAT_JSON)
		return;
	print_text(w, "parent", n->parent < 0 ? NULL :
		   pmuctl_topdown_get_node(tree->plan, (size_t)n->parent)->name);
	writer_string(w, "text", NULL, n->text);
	print_event(w, tree, n);
	writer_bool(w, "precise", n->precise);
	flags_print(w, tree->watch->flags & ~(uint32_t)PMUCTL_VALUE_ESTIMATE);
}

static void print_note(struct writer *w, const struct topdown_tree *tree, size_t i)
{
	const struct pmuctl_topdown_result *r = &tree->results[i];
	const char *note = r->why_not ? r->why_not : "";
	char text[600], remark[96], raw[120];

	topdown_remark(tree, i, remark, sizeof(remark));
	if (topdown_is_partial(r) && r->error < 0)
		note = "too short for turns: it may be far off";
	else if (*remark) {
		snprintf(raw, sizeof(raw), "raw value is %s", remark);
		note = raw;
	}
	if (tree->missed)
		snprintf(text, sizeof(text), "%s%sof %" PRIu64 " intervals", note, *note ? "; " : "",
			 tree->missed + 1);
	writer_string(w, "note", NULL, tree->missed ? text : note);
}

/* Fields at the end, where there are kinds. */
static void print_kind(struct writer *w, const struct topdown_tree *tree)
{
	if (!tree->kind)
		return;
	writer_string(w, "kind", NULL, tree->kind->name);
	print_number(w, "time-share", tree->time_share >= 0, tree->time_share);
}

static void print_row(struct writer *w, const struct topdown_tree *tree, size_t i)
{
	const struct pmuctl_topdown_node *n = pmuctl_topdown_get_node(tree->plan, i);
	const struct pmuctl_topdown_result *r = &tree->results[i];
	double bar = topdown_bar(r);

	writer_row(w);
	print_where(w, tree);
	print_value(w, n, r);
	writer_string(w, "unit", NULL, n->unit);
	writer_string(w, "name", NULL, n->name);
	writer_u64(w, "level", NULL, n->level);
	writer_string(w, "threshold", NULL, n->threshold);
	writer_bool(w, "flagged", r->flagged);
	print_number(w, "measured", !r->why_not, r->measured);
	print_number(w, "raw", !r->why_not, r->raw);
	print_number(w, "error", !r->why_not && bar >= 0, bar);
	writer_bool(w, "bottleneck", r->bottleneck);
	print_note(w, tree, i);
	if (tree->args->formula)
		print_formula(w, tree, i);
	print_kind(w, tree);
	print_cycles(w, tree);
	print_more(w, tree, n);
	writer_end_row(w);
}

/* In the columns of the others, with a reason and without a number. */
void topdown_print_absent_row(struct writer *w, const struct topdown_tree *tree, const char *why)
{
	static const char *const numbers[] = { "measured", "raw", "error" };
	size_t i;

	writer_row(w);
	print_where(w, tree);
	writer_null(w, "value", NULL, "<not supported>");
	writer_string(w, "unit", NULL, "");
	writer_string(w, "name", NULL, "");
	writer_u64(w, "level", NULL, 0);
	writer_string(w, "threshold", NULL, "");
	writer_bool(w, "flagged", false);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		writer_null(w, numbers[i], NULL, "");
	writer_bool(w, "bottleneck", false);
	writer_string(w, "note", NULL, why);
	if (tree->args->formula) {
		writer_null(w, "formula", NULL, "");
		writer_null(w, "numbers", NULL, "");
	}
	print_kind(w, tree);
	print_cycles(w, tree);
	writer_end_row(w);
}

void topdown_print_rows(struct writer *w, const struct topdown_tree *tree)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++)
		print_row(w, tree, i);
}
