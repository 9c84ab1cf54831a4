// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl analyze says of its first two steps: the way from the slots down to the node
 * that is gone into, and how that was sampled.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/analyze/analyze.h"
#include "tools/base/wrap.h"
#include "tools/topdown/topdown.h"

#define INDENT 2

static void print_node(const struct analyze *a, struct writer *w, size_t i)
{
	const struct pmuctl_topdown_node *node = pmuctl_topdown_get_node(a->run.plan, i);
	const struct pmuctl_topdown_result *result = &a->results[i];
	int indent = INDENT * (int)node->level;

	writer_row(w);
	writer_string(w, "table", NULL, "node");
	writer_text(w, "%*s", indent, "");
	writer_string(w, "name", "%s", node->name);
	writer_u64(w, "level", NULL, node->level);
	if (result->why_not) {
		writer_null(w, "percent", NULL, "");
		writer_null(w, "raw", NULL, "");
		writer_string(w, "unit", NULL, node->unit);
		writer_string(w, "why_not", "  (%s)", result->why_not);
	} else {
		writer_double(w, "percent", "  %.2f %%", 6, result->value);
		writer_double(w, "raw", NULL, 6, result->raw);
		writer_string(w, "unit", " of %s", node->unit);
		writer_null(w, "why_not", NULL, "");
	}
	writer_bool(w, "flagged", result->flagged);
	writer_bool(w, "bottleneck", result->bottleneck);
	writer_text(w, "%s\n", i == a->leaf ? "  <== here" : "");
	writer_end_row(w);
}

/* From level 1 down. */
static void print_way(const struct analyze *a, struct writer *w, size_t i)
{
	int32_t parent = pmuctl_topdown_get_node(a->run.plan, i)->parent;

	if (parent >= 0)
		print_way(a, w, (size_t)parent);
	print_node(a, w, i);
}

static void print_head(const struct analyze *a, struct writer *w)
{
	char *command = NULL;
	size_t size;
	FILE *to = open_memstream(&command, &size);

	if (to)
		topdown_put_command(to, a->args.command);
	if (to && !fclose(to))
		writer_text(w, "Top-Down of %s (%s)\n\n", command,
			    pmuctl_topdown_method(a->run.plan));
	free(command);
}

void analyze_print_path(const struct analyze *a, struct writer *w)
{
	const struct pmuctl_topdown_result *result = &a->results[a->leaf];
	const char *rough = topdown_rough_advice(a->run.plan, a->results, TOPDOWN_RUN);

	print_head(a, w);
	print_way(a, w, a->leaf);
	writer_text(w, "\n");
	if (rough)
		wrapped_text(w, INDENT, rough);
	if (!a->args.node && !result->bottleneck)
		writer_text(w, "  No node is over its threshold; this one has the largest share.\n");
	wrapped_text(w, INDENT, a->node->text);
	if (*a->node->hint)
		wrapped_text(w, INDENT, a->node->hint);
}

static void print_reasons(const struct analyze *a, struct writer *w)
{
	char text[512];

	if (a->why_not_event) {
		snprintf(text, sizeof(text), "Not an event of %s: %s.", a->node->name,
			 a->why_not_event);
		wrapped_text(w, INDENT, text);
	}
	if (!a->why_not_precise)
		return;
	snprintf(text, sizeof(text), "Sampled by interrupt, so that what costs the time is at the "
		 "instruction named or shortly before it: %s.", a->why_not_precise);
	wrapped_text(w, INDENT, text);
}

static void write_text_or_null(struct writer *w, const char *key, const char *text)
{
	if (text)
		writer_string(w, key, NULL, text);
	else
		writer_null(w, key, NULL, "");
}

void analyze_print_sampling(const struct analyze *a, struct writer *w, uint64_t samples)
{
	const struct pmuctl_dump_info *info = &a->record.info;

	writer_row(w);
	writer_string(w, "table", NULL, "sampling");
	writer_string(w, "node", NULL, a->node->name);
	writer_u64(w, "samples", "\n%" PRIu64 " samples", samples);
	writer_string(w, "event", " of %s", a->event);
	writer_u64(w, "lost", info->lost ? ", and %" PRIu64 " more that were lost" : NULL,
		   info->lost);
	writer_bool(w, "precise", !a->why_not_precise && !a->why_not_event);
	write_text_or_null(w, "why_not_precise", a->why_not_precise);
	write_text_or_null(w, "why_not_event", a->why_not_event);
	write_text_or_null(w, "file", a->args.output);
	writer_text(w, "%s%s\n", a->args.output ? ", in " : "",
		    a->args.output ? a->args.output : "");
	writer_end_row(w);
	print_reasons(a, w);
}
