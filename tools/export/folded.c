// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folded stacks, as flamegraph.pl takes them: a line a stack, the command first,
 * then its functions inwards with semicolons between, and how often.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tools/export/export.h"

static void print_frame(const struct frame *frame, FILE *out)
{
	const char *c;

	for (c = frame->name; *c; c++)
		fputc(*c == ';' ? ':' : *c, out);
	if (frame->kind == FRAME_KERNEL)
		fputs("_[k]", out);
}

/* Where node is, from the command on; the depth. */
static uint32_t find_path(const struct stacks *s, uint32_t node, uint32_t *path)
{
	uint32_t depth = 0, i, other;

	for (; s->nodes[node].parent != INDEX_NONE; node = s->nodes[node].parent)
		path[depth++] = node;
	for (i = 0; i < depth / 2; i++) {
		other = path[i];
		path[i] = path[depth - 1 - i];
		path[depth - 1 - i] = other;
	}
	return depth;
}

static void print_stack(const struct stacks *s, uint32_t node, uint32_t *path, bool samples,
			FILE *out)
{
	uint32_t depth = find_path(s, node, path), i;

	for (i = 0; i < depth; i++) {
		if (i)
			fputc(';', out);
		print_frame(&s->frames[s->nodes[path[i]].frame], out);
	}
	fprintf(out, " %" PRIu64 "\n", samples ? s->nodes[node].samples : s->nodes[node].events);
}

int export_folded(const struct stacks *s, const struct export_options *options, FILE *out)
{
	uint32_t *path = malloc((s->nodes_count + 1) * sizeof(*path));
	uint32_t root, node;

	if (!path)
		return -ENOMEM;
	for (root = 0; root < s->roots; root++)
		for (node = stacks_next(s, root, root); node != INDEX_NONE;
		     node = stacks_next(s, root, node))
			if (s->nodes[node].samples)
				print_stack(s, node, path, options->samples, out);
	free(path);
	return 0;
}
