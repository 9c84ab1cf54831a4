// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called, or what was called: a tree below each row of pmuctl report, or whole chains.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/report/run.h"

/* Below that many lines nobody sees a tree any more. */
#define DEPTH_MAX 128
#define INDENT 12

static bool same_caller(const struct profile *r, uint32_t left, uint32_t right)
{
	const struct report_spot *a = &r->spots[left], *b = &r->spots[right];

	if (left == right || a->function != b->function)
		return left == right;
	switch (r->args->graph.by) {
	case CALLER_ADDRESS:
		return a->place.dso == b->place.dso && a->place.address == b->place.address;
	case CALLER_LINE:
		return report_same_line(a, b);
	default:
		return true;
	}
}

static bool same_node(const void *data, uint32_t id, const void *key)
{
	const struct profile *r = data;
	const struct report_node *a = &r->nodes[id], *b = key;

	return a->row == b->row && a->parent == b->parent && same_caller(r, a->spot, b->spot);
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
	uint32_t hash = hash_u64((uint64_t)key->row << 32 | key->parent,
				 r->spots[key->spot].function);
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
		key.spot = r->chain_spots[entry];
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

/* Of a node: all that it has, or of chains what those have that end there. */
struct line {
	uint32_t node;
	struct report_weight weight;
};

struct lines {
	struct line *list;
	uint32_t count, room;
};

static int heavier(const void *left, const void *right, void *data)
{
	const struct printing *p = data;
	const struct line *l = left, *r = right;
	const struct report_node *nodes = p->profile->nodes;
	const struct report_spot *spots = p->profile->spots;
	uint64_t a = report_amount(&l->weight, p->by_samples);
	uint64_t b = report_amount(&r->weight, p->by_samples);

	if (a != b)
		return a > b ? -1 : 1;
	a = spots[nodes[l->node].spot].function;
	b = spots[nodes[r->node].spot].function;
	if (a != b)
		return a < b ? -1 : 1;
	return l->node < r->node ? -1 : l->node > r->node;
}

static const char *node_text(struct printing *p, uint32_t node)
{
	const struct profile *profile = p->profile;

	return report_caller_text(profile, &profile->spots[profile->nodes[node].spot], &p->texts);
}

static void print_value(struct printing *p, const struct report_weight *weight, double percent)
{
	enum report_value value = p->graph->value;

	writer_heat(p->w, percent);
	writer_double(p->w, "overhead", value == VALUE_PERCENT ? "%5.2f%%" : NULL, 2, percent);
	writer_u64(p->w, "samples", value == VALUE_SAMPLES ? "%" PRIu64 : NULL,
		   weight->samples);
	writer_u64(p->w, "events", value == VALUE_EVENTS ? "%" PRIu64 : NULL, weight->events);
}

/* Heaviest first, as many as are wanted; returns how many these are. */
static size_t choose(const struct printing *p, struct lines *lines, double total)
{
	size_t i, most = p->graph->lines ? p->graph->lines : lines->count;

	if (!lines->count)
		return 0;
	qsort_r(lines->list, lines->count, sizeof(*lines->list), heavier, (void *)(uintptr_t)p);
	for (i = 0; i < lines->count && i < most; i++)
		if (report_percent(report_amount(&lines->list[i].weight, p->by_samples), total) <
		    p->graph->least)
			break;
	return i;
}

/* ---- a tree ------------------------------------------------------------------ */

static void print_node(struct printing *p, const struct line *line, unsigned int depth,
		       double percent)
{
	writer_text(p->w, "%*s%s ", (int)(INDENT + 2 * depth), "", p->arrow);
	writer_row(p->w);
	writer_u64(p->w, "depth", NULL, depth);
	print_value(p, &line->weight, percent);
	writer_string(p->w, p->key, "  %s\n", node_text(p, line->node));
	writer_end_row(p->w);
}

static int add_line(struct lines *lines, uint32_t node, const struct report_weight *weight)
{
	if (!index_room((void **)&lines->list, lines->count, &lines->room, sizeof(*lines->list)))
		return -ENOMEM;
	lines->list[lines->count++] = (struct line){ node, *weight };
	return 0;
}

/* Not deeper than the chains were followed: DEPTH_MAX. */
static int print_level(struct printing *p, uint32_t first, unsigned int depth, double total)
{
	const struct report_node *nodes = p->profile->nodes;
	struct lines level = { NULL, 0, 0 };
	size_t i, count;
	uint64_t amount;
	uint32_t id;
	int err = 0;

	for (id = first; !err && id != INDEX_NONE; id = nodes[id].next)
		err = add_line(&level, id, &nodes[id].weight);
	count = err ? 0 : choose(p, &level, total);
	for (i = 0; !err && i < count; i++) {
		amount = report_amount(&level.list[i].weight, p->by_samples);
		print_node(p, &level.list[i], depth, report_percent(amount, total));
		err = print_level(p, nodes[level.list[i].node].child, depth + 1,
				  p->graph->relative ? (double)amount : total);
	}
	free(level.list);
	return err;
}

/* ---- whole chains ------------------------------------------------------------ */

static int find_ends(const struct printing *p, uint32_t first, struct lines *lines)
{
	const struct report_node *nodes = p->profile->nodes;
	struct report_weight own;
	uint32_t id, child;
	int err = 0;

	for (id = first; !err && id != INDEX_NONE; id = nodes[id].next) {
		own = nodes[id].weight;
		for (child = nodes[id].child; child != INDEX_NONE; child = nodes[child].next) {
			own.samples -= nodes[child].weight.samples;
			own.events -= nodes[child].weight.events;
		}
		err = own.samples ? add_line(lines, id, &own) : 0;
		if (!err)
			err = find_ends(p, nodes[id].child, lines);
	}
	return err;
}

/* From the row on. */
static size_t path_of(const struct printing *p, uint32_t node, uint32_t path[DEPTH_MAX])
{
	size_t count = 0, i;
	uint32_t other;

	for (; node != INDEX_NONE && count < DEPTH_MAX; node = p->profile->nodes[node].parent)
		path[count++] = node;
	for (i = 0; i < count / 2; i++) {
		other = path[i];
		path[i] = path[count - 1 - i];
		path[count - 1 - i] = other;
	}
	return count;
}

static int print_chain(struct printing *p, const struct line *line, double percent)
{
	uint32_t path[DEPTH_MAX];
	size_t i, size, count = path_of(p, line->node, path);
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	bool flat = p->graph->shape == SHAPE_FLAT;

	for (i = 0; out && i < count; i++)
		fprintf(out, "%s%s", i ? ";" : "", node_text(p, path[i]));
	if (!out || fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	writer_text(p->w, "%*s%s ", INDENT + 2, "", p->arrow);
	writer_row(p->w);
	print_value(p, &line->weight, percent);
	writer_string(p->w, "chain", flat ? NULL : "  %s\n", text);
	writer_end_row(p->w);
	if (flat)
		writer_text(p->w, "\n");
	for (i = 0; flat && i < count; i++)
		writer_text(p->w, "%*s%s\n", INDENT + 5, "", node_text(p, path[i]));
	free(text);
	return 0;
}

static int print_chains(struct printing *p, uint32_t first, double total)
{
	struct lines lines = { NULL, 0, 0 };
	size_t i, count;
	uint64_t amount;
	int err = find_ends(p, first, &lines);

	count = err ? 0 : choose(p, &lines, total);
	for (i = 0; !err && i < count; i++) {
		amount = report_amount(&lines.list[i].weight, p->by_samples);
		err = print_chain(p, &lines.list[i], report_percent(amount, total));
	}
	free(lines.list);
	return err;
}

/* ---- below a row ------------------------------------------------------------- */

int report_print_callers(const struct profile *profile, struct writer *w,
			 const struct report_row *row, bool by_samples, double total)
{
	const struct report_graph *graph = &profile->args->graph;
	bool called = graph->caller_first && profile->children;
	struct printing p = {
		profile, graph, w, by_samples, graph->caller_first ? "->" : "<-",
		called ? "callee" : "caller", { .room = 0 },
	};
	int err;

	if (graph->relative)
		total = (double)report_amount(profile->children ? &row->all : &row->self,
					      by_samples);
	writer_array(w, called ? "callees" : "callers");
	if (graph->shape == SHAPE_TREE)
		err = print_level(&p, row->callers, 1, total);
	else
		err = print_chains(&p, row->callers, total);
	writer_end_array(w);
	report_texts_free(&p.texts);
	return err;
}
