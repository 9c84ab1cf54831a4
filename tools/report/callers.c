// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called, or what was called: a tree below each row of pmuctl report.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/report/run.h"

/* Below that many lines nobody sees a tree any more. */
#define DEPTH_MAX 128
#define INDENT 12

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
	if (!index_room((void **)&r->nodes, r->nodes_count, &r->nodes_room, sizeof(*r->nodes)) ||
	    !index_add(&r->node_index, hash, r->nodes_count))
		return INDEX_NONE;
	id = r->nodes_count++;
	r->nodes[id] = *key;
	link_node(r, id);
	return id;
}

/*
 * The entry of the chain that is so many lines below the row of entry `own`: who called it
 * or, caller first, who called from the outermost on; what a row with children called.
 */
static bool entry_below(const struct profile *r, size_t own, size_t lines, size_t *entry)
{
	bool caller_first = r->args->graph.caller_first;
	size_t above = r->chain_count - own - 1;

	if (lines >= DEPTH_MAX || lines >= (caller_first && r->children ? own : above))
		return false;
	if (!caller_first)
		*entry = own + 1 + lines;
	else
		*entry = (r->children ? own : r->chain_count) - 1 - lines;
	return true;
}

int report_add_callers(struct profile *r, uint32_t row, size_t own, uint64_t events)
{
	struct report_node key = { .row = row, .parent = INDEX_NONE, .child = INDEX_NONE };
	size_t lines, entry;

	for (lines = 0; entry_below(r, own, lines, &entry); lines++) {
		key.function = r->spots[r->chain_spots[entry]].function;
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
	const struct report_graph *graph;
	struct writer *w;
	bool by_samples;
	const char *arrow, *key;
	struct report_texts texts;
};

static int heavier(const void *left, const void *right, void *data)
{
	const struct printing *p = data;
	const struct report_node *l = &p->profile->nodes[*(const uint32_t *)left];
	const struct report_node *r = &p->profile->nodes[*(const uint32_t *)right];
	uint64_t a = report_amount(&l->weight, p->by_samples);
	uint64_t b = report_amount(&r->weight, p->by_samples);

	if (a != b)
		return a > b ? -1 : 1;
	return l->function < r->function ? -1 : l->function > r->function;
}

static void print_node(struct printing *p, const struct report_node *node, unsigned int depth,
		       double percent)
{
	const char *name = report_function_text(p->profile, node->function, false, &p->texts);

	writer_text(p->w, "%*s%s ", (int)(INDENT + 2 * depth), "", p->arrow);
	writer_row(p->w);
	writer_u64(p->w, "depth", NULL, depth);
	writer_heat(p->w, percent);
	writer_double(p->w, "overhead", "%5.2f%%  ", 2, percent);
	writer_u64(p->w, "samples", NULL, node->weight.samples);
	writer_u64(p->w, "events", NULL, node->weight.events);
	writer_string(p->w, p->key, "%s\n", name);
	writer_end_row(p->w);
}

static void print_level(struct printing *p, uint32_t first, unsigned int depth, double total);

static void print_sorted(struct printing *p, uint32_t *ids, size_t count, unsigned int depth,
			 double total)
{
	size_t i;

	qsort_r(ids, count, sizeof(*ids), heavier, p);
	if (p->graph->lines && count > p->graph->lines)
		count = p->graph->lines;
	for (i = 0; i < count; i++) {
		const struct report_node *node = &p->profile->nodes[ids[i]];
		uint64_t amount = report_amount(&node->weight, p->by_samples);
		double percent = report_percent(amount, total);

		if (percent < p->graph->least)
			break;
		print_node(p, node, depth, percent);
		print_level(p, node->child, depth + 1,
			    p->graph->relative ? (double)amount : total);
	}
}

/* Not deeper than the chains were followed: DEPTH_MAX. */
static void print_level(struct printing *p, uint32_t first, unsigned int depth, double total)
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
	print_sorted(p, ids, count, depth, total);
	free(ids);
}

void report_print_callers(const struct profile *profile, struct writer *w,
			  const struct report_row *row, bool by_samples, double total)
{
	const struct report_graph *graph = &profile->args->graph;
	bool called = graph->caller_first && profile->children;
	struct printing p = {
		profile, graph, w, by_samples, graph->caller_first ? "->" : "<-",
		called ? "callee" : "caller", { .room = 0 },
	};

	if (graph->relative)
		total = (double)report_amount(profile->children ? &row->all : &row->self,
					      by_samples);
	writer_array(w, called ? "callees" : "callers");
	print_level(&p, row->callers, 1, total);
	writer_end_array(w);
	report_texts_free(&p.texts);
}
