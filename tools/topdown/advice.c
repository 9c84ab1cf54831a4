// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the flagged nodes of a tree mean, and the next command to run.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/wrap.h"
#include "tools/topdown/topdown.h"

#define INDENT 5

static void put_target(FILE *out, const struct topdown_args *args)
{
	const struct targets *t = &args->targets;

	if (t->kind == TARGET_ALL_CPUS)
		fputs(" -a", out);
	if (t->kind == TARGET_CPUS || t->kind == TARGET_PROCESSES || t->kind == TARGET_THREADS)
		fprintf(out, " -%c %s", t->kind == TARGET_CPUS ? 'C' :
			t->kind == TARGET_PROCESSES ? 'p' : 't', t->text);
	if (args->command) {
		fputs(" -- ", out);
		topdown_put_command(out, args->command);
	}
}

/* "EVENT:upp": behind the first colon there are modifiers, or a umask of libpfm4's. */
static void put_event(FILE *out, const struct topdown_args *args,
		      const struct pmuctl_topdown_node *n)
{
	const char *rings = args->user == args->kernel ? "" : args->user ? "u" : "k";

	fputs(n->event, out);
	if (*rings || n->precise)
		fprintf(out, ":%s%s", rings, n->precise ? "pp" : "");
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
	put_event(to, tree->args, n);
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
