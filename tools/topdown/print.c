// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tree of Top-Down as text: a line a node, on one screen.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/wrap.h"
#include "tools/topdown/topdown.h"

#define NAME_WIDTH 28

static const struct pmuctl_topdown_node *node_of(const struct topdown_tree *tree, size_t i)
{
	return pmuctl_topdown_get_node(tree->plan, i);
}

void topdown_put_method(FILE *out, const struct topdown_run *r)
{
	const struct topdown_part *part;
	const char *between = "";
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++) {
		part = &r->parts[p];
		if (!part->plan)
			continue;
		fputs(between, out);
		if (part->kind)
			fprintf(out, "%s: ", part->kind->name);
		fputs(pmuctl_topdown_method(part->plan), out);
		between = "; ";
	}
}

void topdown_print_head(struct writer *w, const struct topdown_args *args,
			const struct topdown_run *r)
{
	static const char *const rings[] = { "", ", user mode only", ", kernel mode only", "" };
	char target[1100], *method = NULL;
	size_t size;
	FILE *to = open_memstream(&method, &size);

	if (to) {
		topdown_put_method(to, r);
		fclose(to);
	}
	writer_text(w, "\n Top-Down of %s\n (%s%s)\n\n",
		    topdown_target(args, target, sizeof(target)), method ? method : "",
		    rings[args->user + 2 * args->kernel]);
	free(method);
}

/* ---- one line --------------------------------------------------------------------------- */

/* Of an estimate, or of several runs. */
static void print_error(struct writer *w, const struct pmuctl_topdown_result *r)
{
	double bar = topdown_bar(r);

	/* 0: it was counted all the time. */
	if (bar <= 0)
		writer_text(w, "          ");
	else
		writer_text(w, " +-%6.2f ", bar);
}

static void print_measured(struct writer *w, const struct pmuctl_topdown_result *r, bool partly)
{
	if (!partly)
		return;
	if (topdown_is_partial(r))
		writer_text(w, "%7.1f %%", r->measured);
	else
		writer_text(w, "    all  ");
}

/* The length; behind " & " there are those of the nodes above. */
static int own_threshold(const struct pmuctl_topdown_node *n)
{
	const char *above = strstr(n->threshold, " & ");

	return (int)(above ? (size_t)(above - n->threshold) : strlen(n->threshold));
}

/* With two digits. */
static bool seems_larger(const struct topdown_tree *tree, size_t i)
{
	int32_t parent = node_of(tree, i)->parent;
	char own[32], above[32];

	if (parent < 0 || tree->results[parent].why_not)
		return false;
	snprintf(own, sizeof(own), "%.2f", tree->results[i].value);
	snprintf(above, sizeof(above), "%.2f", tree->results[parent].value);
	return strcmp(own, above) != 0;
}

static void print_node(struct writer *w, const struct topdown_tree *tree, size_t i, bool partly)
{
	const struct pmuctl_topdown_node *n = node_of(tree, i);
	const struct pmuctl_topdown_result *r = &tree->results[i];
	int indent = 2 * (int)(n->level - 1);
	char remark[80];

	topdown_remark(tree, i, remark, sizeof(remark));
	writer_text(w, " %c %*s", r->flagged ? '!' : ' ', indent, "");
	writer_colour(w, r->bottleneck ? COLOUR_RED : COLOUR_NONE);
	writer_text(w, "%-*s", NAME_WIDTH - indent, n->name);
	writer_colour(w, r->flagged ? COLOUR_RED : COLOUR_NONE);
	writer_text(w, " %6.2f %%", r->value);
	print_error(w, r);
	writer_text(w, " %-15s", n->unit);
	print_measured(w, r, partly);
	if (*n->threshold)
		writer_text(w, "  %.*s", own_threshold(n), n->threshold);
	if (*remark && (r->outside || seems_larger(tree, i)))
		writer_text(w, "  (raw: %.2f %%, %s)", r->raw, remark);
	writer_text(w, "%s\n", r->bottleneck ? "  <== bottleneck" : "");
}

/* The widths are those of print_node(). */
static void print_headings(struct writer *w, bool partly)
{
	writer_text(w, "   %-*s  share     error  %% of           %s  flagged (if its parent is)\n",
		    NAME_WIDTH, "", partly ? "measured " : "");
}

static void print_formula(struct writer *w, const struct topdown_tree *tree, size_t i)
{
	const struct pmuctl_topdown_node *n = node_of(tree, i);
	char *numbers = topdown_numbers(tree, i);

	if (numbers)
		writer_text(w, "       = %s\n       = %s\n", n->formula, numbers);
	free(numbers);
}

/* ---- what has no line ---------------------------------------------------------------------- */

/* Of the CPU if there are no results, else of what was counted. */
static const char *reason(const struct pmuctl_topdown *plan,
			  const struct pmuctl_topdown_result *results, size_t i)
{
	const char *lacking = pmuctl_topdown_get_node(plan, i)->why_not;

	if (!results)
		return lacking;
	return lacking ? NULL : results[i].why_not;
}

/* Comes after another that has it, too. */
static bool is_said(const struct pmuctl_topdown *plan,
		    const struct pmuctl_topdown_result *results, size_t i)
{
	const char *why = reason(plan, results, i), *before;
	size_t j;

	for (j = 0; j < i; j++) {
		before = reason(plan, results, j);
		if (before && !strcmp(before, why))
			return true;
	}
	return false;
}

/* One line for each reason, and all the nodes that have it; kind: where, or NULL. */
static void print_missing(struct writer *w, const struct pmuctl_topdown *plan,
			  const struct pmuctl_topdown_result *results,
			  const struct pmuctl_kind *kind)
{
	size_t nodes = pmuctl_topdown_nodes(plan), i, j;
	const char *why, *other;

	for (i = 0; i < nodes; i++) {
		why = reason(plan, results, i);
		if (!why || is_said(plan, results, i))
			continue;
		writer_text(w, " %s%s%s", kind ? kind->name : "", kind ? ": " : "",
			    pmuctl_topdown_get_node(plan, i)->name);
		for (j = i + 1; j < nodes; j++) {
			other = reason(plan, results, j);
			if (other && !strcmp(other, why))
				writer_text(w, ", %s", pmuctl_topdown_get_node(plan, j)->name);
		}
		writer_text(w, ": %s\n", why);
	}
}

/* ---- the tree -------------------------------------------------------------------------------- */

static bool is_partly_measured(const struct topdown_tree *tree)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++)
		if (topdown_is_partial(&tree->results[i]))
			return true;
	return false;
}

/* Tasks were there for so much of their time; CPUs are always there, and are busy or not. */
static const char *whole_of(const struct topdown_args *args)
{
	return args->per_task || targets_are_tasks(&args->targets) ? "time" : "cycles";
}

static void print_kind(struct writer *w, const struct topdown_tree *tree)
{
	writer_text(w, " On %s", tree->kind->name);
	if (tree->time_share >= 0)
		writer_text(w, ", %.2f %% of the %s", tree->time_share, whole_of(tree->args));
	writer_text(w, ":");
}

void topdown_print_title(struct writer *w, const struct topdown_tree *tree)
{
	const struct topdown_watch *task = tree->watch;

	if (tree->missed)
		writer_text(w, " %.3f s, of %" PRIu64 " intervals:\n", tree->time,
			    tree->missed + 1);
	else if (tree->args->interval)
		writer_text(w, " %.3f s:\n", tree->time);
	if (tree->args->per_task && task->tid == task->pid)
		writer_text(w, " %s, process %d:\n", task->comm, (int)task->pid);
	else if (tree->args->per_task)
		writer_text(w, " %s, thread %d of process %d:\n", task->comm, (int)task->tid,
			    (int)task->pid);
}

static enum topdown_length length_of(const struct topdown_args *args)
{
	if (args->interval)
		return TOPDOWN_INTERVAL;
	return args->command && !args->per_task ? TOPDOWN_RUN : TOPDOWN_TIME;
}

static void print_roughness(struct writer *w, const struct topdown_tree *tree)
{
	const char *advice = topdown_rough_advice(tree->plan, tree->results,
						  length_of(tree->args));

	if (advice)
		wrapped_text(w, 1, advice);
}

void topdown_print_tree(struct writer *w, const struct topdown_tree *tree)
{
	bool partly = is_partly_measured(tree);
	size_t i;

	if (tree->kind) {
		print_kind(w, tree);
		writer_text(w, "\n");
	}
	print_roughness(w, tree);
	print_headings(w, partly);
	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++) {
		if (tree->results[i].why_not)
			continue;
		print_node(w, tree, i, partly);
		if (tree->args->formula)
			print_formula(w, tree, i);
	}
	print_missing(w, tree->plan, tree->results, NULL);
	if (!tree->args->interval)
		topdown_print_advice(w, tree);
	writer_text(w, "\n");
}

void topdown_print_absent(struct writer *w, const struct topdown_tree *tree, const char *why)
{
	print_kind(w, tree);
	if (!why) {
		writer_text(w, " nothing ran there.\n\n");
		return;
	}
	writer_text(w, " no tree.\n");
	wrapped_text(w, 1, why);
	writer_text(w, "\n");
}

/* ---- the kind that matters ------------------------------------------------------------------ */

/* One with less of the time than that changes little, percent. */
#define LITTLE 10

static int by_share(const void *left, const void *right)
{
	const struct topdown_verdict *a = left, *b = right;

	return (a->time_share < b->time_share) - (a->time_share > b->time_share);
}

void topdown_print_verdict(struct writer *w, const struct topdown_verdict *kinds,
			   unsigned int count, const struct topdown_args *args)
{
	struct topdown_verdict sorted[PMUCTL_KINDS_MAX];
	unsigned int i;

	memcpy(sorted, kinds, count * sizeof(*kinds));
	qsort(sorted, count, sizeof(*sorted), by_share);
	writer_text(w, " What matters:");
	for (i = 0; i < count && (!i || sorted[i].time_share >= LITTLE); i++)
		writer_text(w, "%s %s, %.2f %% of the %s (%s%s)", i ? ";" : "",
			    sorted[i].kind->name, sorted[i].time_share, whole_of(args),
			    !sorted[i].has_tree ? "no tree" : sorted[i].bottleneck ?
			    "bottleneck: " : "no bottleneck stands out",
			    sorted[i].bottleneck ? sorted[i].bottleneck : "");
	writer_text(w, ".\n\n");
}

void topdown_print_legend(struct writer *w, const struct topdown_args *args)
{
	writer_text(w, " Behind +-: three standard errors, by how much %s differ; more, if those "
		    "are few.\n Flagged (!) is what is above its threshold by more than that.\n",
		    args->repeat > 1 ? "the runs" : "parts of the run");
}

void topdown_print_foot(struct writer *w, const struct topdown_args *args,
			const struct topdown_run *r, double seconds)
{
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++)
		if (r->parts[p].plan)
			print_missing(w, r->parts[p].plan, NULL, r->parts[p].kind);
	if (args->repeat > 1)
		writer_text(w, "\n %u runs\n\n", r->runs);
	else
		writer_text(w, "\n %.6f seconds\n\n", seconds);
}
