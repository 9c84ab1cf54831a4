// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl topdown says in words: what is counted and how to record the same, what a
 * flagged node means, how rough a share is.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/wrap.h"
#include "tools/topdown/topdown.h"

/* What a shell takes as it is. */
static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-./:,=+@%")];
}

static void put_quoted(FILE *out, const char *word)
{
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

void topdown_put_command(FILE *out, char *const *command)
{
	for (; *command; command++) {
		if (is_plain(*command))
			fputs(*command, out);
		else
			put_quoted(out, *command);
		if (command[1])
			fputc(' ', out);
	}
}

const char *topdown_target(const struct topdown_args *args, char *text, size_t size)
{
	char command[1024] = "";
	FILE *to = args->command ? fmemopen(command, sizeof(command), "w") : NULL;

	/* As much of it as there is room for. */
	if (to) {
		topdown_put_command(to, args->command);
		fclose(to);
		command[sizeof(command) - 1] = '\0';
	}
	switch (args->targets.kind) {
	case TARGET_COMMAND:
		snprintf(text, size, "%s", command);
		break;
	case TARGET_ALL_CPUS:
		snprintf(text, size, "all CPUs");
		break;
	case TARGET_CPUS:
		snprintf(text, size, "CPUs %s", args->targets.text);
		break;
	case TARGET_PROCESSES:
		snprintf(text, size, "processes %s", args->targets.text);
		break;
	case TARGET_THREADS:
		snprintf(text, size, "threads %s", args->targets.text);
		break;
	case TARGET_CGROUPS:
		snprintf(text, size, "control group %s", args->targets.text);
		break;
	}
	return text;
}

/* ---- what flagged nodes mean, and the next command to run ------------------------------- */

#define INDENT 5

static void put_target(FILE *out, const struct topdown_args *args)
{
	static const char letters[] = {
		[TARGET_CPUS] = 'C', [TARGET_PROCESSES] = 'p', [TARGET_THREADS] = 't',
		[TARGET_CGROUPS] = 'G',
	};
	const struct targets *t = &args->targets;

	if (t->kind == TARGET_ALL_CPUS)
		fputs(" -a", out);
	if (letters[t->kind])
		fprintf(out, " -%c %s", letters[t->kind], t->text);
	if (args->command) {
		fputs(" -- ", out);
		topdown_put_command(out, args->command);
	}
}

static void put_event(FILE *out, const struct topdown_tree *tree,
		      const struct pmuctl_topdown_node *n)
{
	const struct topdown_args *args = tree->args;
	char modifiers[8], *text;

	snprintf(modifiers, sizeof(modifiers), "%s%s",
		 args->user == args->kernel ? "" : args->user ? "u" : "k", n->precise ? "pp" : "");
	text = kind_event(tree->kind, n->event, modifiers);
	fputs(text ? text : n->event, out);
	free(text);
}

static void print_next(struct writer *w, const struct topdown_tree *tree,
		       const struct pmuctl_topdown_node *n)
{
	char *text = NULL;
	size_t size;
	FILE *to = n->event ? open_memstream(&text, &size) : NULL;

	if (!to)
		return;
	fputs("pmuctl record -e ", to);
	put_event(to, tree, n);
	put_target(to, tree->args);
	if (!fclose(to))
		writer_text(w, "%*s%s\n", INDENT + 2, "", text);
	free(text);
}

/* Where there are many trees of the bottlenecks alone. */
void topdown_print_advice(struct writer *w, const struct topdown_tree *tree)
{
	size_t i;
	bool any = false;

	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++) {
		const struct pmuctl_topdown_node *n = pmuctl_topdown_get_node(tree->plan, i);
		const struct pmuctl_topdown_result *r = &tree->results[i];

		if (r->why_not || !r->flagged || (tree->args->per_task && !r->bottleneck))
			continue;
		writer_text(w, "%s ! %s%s\n", any ? "" : "\n", n->name,
			    r->bottleneck ? " (bottleneck)" : "");
		wrapped_text(w, INDENT, n->text);
		if (*n->hint)
			wrapped_text(w, INDENT, n->hint);
		print_next(w, tree, n);
		any = true;
	}
}

/* ---- how far a share may be off --------------------------------------------------------- */

#define ALWAYS 99.95

double topdown_bar(const struct pmuctl_topdown_result *result)
{
	double bar = PMUCTL_TOPDOWN_ERRORS * result->error;

	if (result->error < 0)
		return -1;
	/* It may be anything. */
	return bar > 100 ? 100 : bar;
}

bool topdown_has_bars(const struct topdown_tree *tree)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++)
		if (!tree->results[i].why_not && topdown_bar(&tree->results[i]) > 0)
			return true;
	return false;
}

char *topdown_numbers(const struct topdown_tree *tree, size_t node)
{
	return pmuctl_topdown_numbers(tree->watch->tally[tree->part], node);
}

void topdown_remark(const struct topdown_tree *tree, size_t node, char *text, size_t size)
{
	const struct pmuctl_topdown_node *n = pmuctl_topdown_get_node(tree->plan, node), *above;
	const struct pmuctl_topdown_result *r = &tree->results[node];

	text[0] = '\0';
	if (r->outside && (r->raw < 0 || r->raw > 100))
		snprintf(text, size, "outside of 0 to 100");
	else if (r->outside)
		snprintf(text, size, "above its parent");
	if (*text || r->why_not || n->parent < 0 || tree->results[n->parent].why_not)
		return;
	above = pmuctl_topdown_get_node(tree->plan, (size_t)n->parent);
	if (r->value > tree->results[n->parent].value && strcmp(n->unit, above->unit) != 0)
		snprintf(text, size, "above its parent, which is of %s", above->unit);
}

/* ---- shares that were measured in turns, and too few of them ---------------------------- */

bool topdown_is_partial(const struct pmuctl_topdown_result *result)
{
	return !result->why_not && result->measured < ALWAYS;
}

const char *topdown_rough_advice(const struct pmuctl_topdown *plan,
				 const struct pmuctl_topdown_result *results,
				 enum topdown_length length)
{
	static const char *const advice[] = {
		[TOPDOWN_RUN] =
			"The run was too short for turns: nodes are of different parts of it, may be "
			"far off, and none is flagged. --no-multiplex runs the command once for each "
			"set of events.",
		[TOPDOWN_TIME] =
			"The time was too short for turns: nodes are of different parts of it, those "
			"without an error may be far off, and none is flagged. Count for longer.",
		[TOPDOWN_INTERVAL] =
			"The interval is too short for turns: nodes are of different parts of it, "
			"those without an error may be far off, and none is flagged. Make it longer, "
			"or ask for fewer levels (-l) or nodes (--nodes).",
	};

	return pmuctl_topdown_too_short(plan, results) ? advice[length] : NULL;
}
