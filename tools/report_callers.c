// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called: below each row of pmuctl report a tree of callers.
 */
#include <errno.h>
#include <stdlib.h>

#include "report_run.h"

/* Less than this share of all is not worth a line, as in perf. */
#define LEAST 0.5
/* Below that many lines nobody sees a tree any more. */
#define DEPTH_MAX 128

static bool same_node(const void *data, uint32_t id, const void *key)
{
	const struct report_node *a = &((const struct profile *)data)->nodes[id], *b = key;

	return a->row == b->row && a->parent == b->parent && a->function == b->function;
}

static void link_node(struct profile *r, uint32_t id)
{
	struct report_node *node = &r->nodes[id];
	uint32_t *first = node->parent == INDEX_NONE ? &r->rows[node->row].callers :
						       &r->nodes[node->parent].child;

	node->next = *first;
	*first = id;
}

static uint32_t add_node(struct profile *r, const struct report_node *key)
{
	uint32_t hash = hash_u64((uint64_t)key->row << 32 | key->parent, key->function);
	uint32_t id = index_find(&r->node_index, hash, same_node, r, key);

	if (id != INDEX_NONE)
		return id;
	if (!report_room((void **)&r->nodes, r->nodes_count, &r->nodes_room, sizeof(*r->nodes)) ||
	    !index_add(&r->node_index, hash, r->nodes_count))
		return INDEX_NONE;
	id = r->nodes_count++;
	r->nodes[id] = *key;
	link_node(r, id);
	return id;
}

int report_add_callers(struct profile *r, uint32_t row, size_t first, uint64_t events)
{
	struct report_node key = { .row = row, .parent = INDEX_NONE, .child = INDEX_NONE };
	size_t i;

	for (i = first + 1; i < r->chain.count && i - first <= DEPTH_MAX; i++) {
		key.function = r->spots[r->chain_spots[i]].function;
		key.parent = add_node(r, &key);
		if (key.parent == INDEX_NONE)
			return -ENOMEM;
		r->nodes[key.parent].weight.samples++;
		r->nodes[key.parent].weight.events += events;
	}
	return 0;
}

struct printing {
	const struct profile *profile;
	struct writer *w;
	double total;
	unsigned int indent;
};

static int heavier(const void *left, const void *right, void *data)
{
	const struct profile *r = data;
	const struct report_node *l = &r->nodes[*(const uint32_t *)left];
	const struct report_node *n = &r->nodes[*(const uint32_t *)right];

	if (l->weight.events != n->weight.events)
		return l->weight.events > n->weight.events ? -1 : 1;
	return l->function < n->function ? -1 : l->function > n->function;
}

static void print_node(struct printing *p, const struct report_node *node, unsigned int depth)
{
	double percent = report_percent(node->weight.events, p->total);
	char *name = report_function_text(p->profile, node->function, false);

	writer_text(p->w, "%*s", (int)(p->indent + 2 * depth), "");
	writer_row(p->w);
	writer_u64(p->w, "depth", NULL, depth);
	writer_double(p->w, "overhead", "<- %5.2f%%  ", 2, percent);
	writer_u64(p->w, "samples", NULL, node->weight.samples);
	writer_u64(p->w, "events", NULL, node->weight.events);
	writer_string(p->w, "caller", "%s\n", name ? name : "");
	writer_end_row(p->w);
	free(name);
}

static void print_level(struct printing *p, uint32_t first, unsigned int depth);

static void print_sorted(struct printing *p, uint32_t *ids, size_t count, unsigned int depth)
{
	size_t i;

	qsort_r(ids, count, sizeof(*ids), heavier, (void *)(uintptr_t)p->profile);
	for (i = 0; i < count; i++) {
		const struct report_node *node = &p->profile->nodes[ids[i]];

		if (report_percent(node->weight.events, p->total) < LEAST)
			continue;
		print_node(p, node, depth);
		print_level(p, node->child, depth + 1);
	}
}

/* Not deeper than the chains were followed: DEPTH_MAX. */
static void print_level(struct printing *p, uint32_t first, unsigned int depth)
{
	const struct report_node *nodes = p->profile->nodes;
	size_t count = 0;
	uint32_t id, *ids;

	for (id = first; id != INDEX_NONE; id = nodes[id].next)
		count++;
	ids = count ? malloc(count * sizeof(*ids)) : NULL;
	if (!ids)
		return;
	count = 0;
	for (id = first; id != INDEX_NONE; id = nodes[id].next)
		ids[count++] = id;
	print_sorted(p, ids, count, depth);
	free(ids);
}

void report_print_callers(const struct profile *profile, struct writer *w,
			  const struct report_row *row, double total, unsigned int indent)
{
	struct printing p = { profile, w, total, indent };

	writer_array(w, "callers");
	print_level(&p, row->callers, 1);
	writer_end_array(w);
}
