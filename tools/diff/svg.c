// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flame graph of both files in one: what either has is in it, so that what is gone is seen
 * as well as what is new.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/output.h"
#include "tools/diff/diff.h"
#include "tools/export/flame.h"
#include "tools/samples/cuts.h"

/* Of each node by itself: no correction for how many there are. */
#define LEVEL 0.95

enum change { CHANGE_MORE, CHANGE_LESS, CHANGE_UNCLEAR };

static const struct flame_key keys[] = {
	[CHANGE_MORE] = { 4, 75, 58, "more in B" },
	[CHANGE_LESS] = { 212, 70, 58, "less in B" },
	[CHANGE_UNCLEAR] = { 45, 25, 92, "not told apart" },
};

/* What the two files have of a node that is in either. */
struct both {
	double share[2];	/* of all of each */
	uint64_t samples[2];
	double low, high;	/* an interval for the change of the share */
	const char *object;	/* that it is in; NULL: it is none's */
};

/* Both trees as one.  Nodes come after their parents; the first is the root. */
struct merged {
	const struct diff_args *args;
	const char *event;
	const struct stacks *s[2];
	struct stacks tree;
	struct both *both;		/* by node */
	uint32_t (*from)[2];		/* by node: those of the trees; INDEX_NONE: it has none */
	uint32_t both_room, from_room;
	struct width width;
};

static const struct frame *frame_of(const struct merged *m, unsigned int side, uint32_t node)
{
	return &m->s[side]->frames[m->s[side]->nodes[node].frame];
}

static uint64_t events_of(const struct node *node)
{
	return node->all_events ? node->all_events : node->all_samples;
}

static void fill(const struct merged *m, struct both *both, unsigned int side, uint32_t node)
{
	const struct stacks *s = m->s[side];
	const struct frame *frame;

	both->samples[side] = s->nodes[node].all_samples;
	both->share[side] = (double)events_of(&s->nodes[node]) /
			    (double)events_of(&s->nodes[s->only]);
	if (node == s->only)
		return;
	frame = frame_of(m, side, node);
	if (frame->kind != FRAME_COMM && !both->object)
		both->object = pmuctl_data_dso(s->data, frame->dso);
}

static void judge(const struct merged *m, struct both *both)
{
	struct interval of[2], change;
	unsigned int side;

	for (side = 0; side < 2; side++)
		of[side] = share_interval(both->share[side],
					  (double)m->s[side]->nodes[m->s[side]->only].all_samples,
					  &m->width);
	change = difference_interval(both->share[0], &of[0], both->share[1], &of[1]);
	both->low = change.low;
	both->high = change.high;
}

/* Either node may be INDEX_NONE.  INDEX_NONE: no memory. */
static uint32_t add_node(struct merged *m, uint32_t parent, const uint32_t from[2])
{
	struct stacks *t = &m->tree;
	struct both both = { .object = NULL };
	uint32_t id = t->nodes_count;
	unsigned int side;

	if (!index_room((void **)&t->nodes, id, &t->nodes_room, sizeof(*t->nodes)) ||
	    !index_room((void **)&m->both, id, &m->both_room, sizeof(*m->both)) ||
	    !index_room((void **)&m->from, id, &m->from_room, sizeof(*m->from)) ||
	    !index_room((void **)&t->frames, id, &t->frames_room, sizeof(*t->frames)))
		return INDEX_NONE;
	for (side = 0; side < 2; side++)
		if (from[side] != INDEX_NONE)
			fill(m, &both, side, from[side]);
	judge(m, &both);
	m->both[id] = both;
	memcpy(m->from[id], from, sizeof(m->from[id]));
	t->nodes[id] = (struct node){ .parent = parent, .frame = id, .child = INDEX_NONE,
				      .next = INDEX_NONE };
	side = from[0] == INDEX_NONE;
	if (parent != INDEX_NONE)
		t->frames[id] = *frame_of(m, side, from[side]);
	t->nodes_count++;
	return id;
}

/* Siblings are in the order of their names; of equal ones those of one kind belong together. */
static int order_of(const struct merged *m, const uint32_t at[2])
{
	const struct frame *a, *b;
	int order;

	if (at[0] == INDEX_NONE || at[1] == INDEX_NONE)
		return at[0] == INDEX_NONE ? 1 : -1;
	a = frame_of(m, 0, at[0]);
	b = frame_of(m, 1, at[1]);
	order = strcmp(a->name, b->name);
	return order ? order : (int)a->kind - (int)b->kind;
}

/* One task on each side is the same one by another name, as programs are. */
static bool are_renamed(const struct merged *m, uint32_t parent, const uint32_t at[2])
{
	return !parent && at[0] != INDEX_NONE && at[1] != INDEX_NONE &&
	       m->s[0]->nodes[at[0]].next == INDEX_NONE && m->s[1]->nodes[at[1]].next == INDEX_NONE;
}

static int add_children(struct merged *m, uint32_t parent)
{
	uint32_t at[2], last = INDEX_NONE;
	unsigned int side;

	for (side = 0; side < 2; side++) {
		uint32_t node = m->from[parent][side];

		at[side] = node == INDEX_NONE ? INDEX_NONE : m->s[side]->nodes[node].child;
	}
	while (at[0] != INDEX_NONE || at[1] != INDEX_NONE) {
		int order = are_renamed(m, parent, at) ? 0 : order_of(m, at);
		const uint32_t from[2] = { order > 0 ? INDEX_NONE : at[0],
					   order < 0 ? INDEX_NONE : at[1] };
		uint32_t id = add_node(m, parent, from);

		if (id == INDEX_NONE)
			return -ENOMEM;
		if (last == INDEX_NONE)
			m->tree.nodes[parent].child = id;
		else
			m->tree.nodes[last].next = id;
		last = id;
		for (side = 0; side < 2; side++)
			if (from[side] != INDEX_NONE)
				at[side] = m->s[side]->nodes[from[side]].next;
	}
	return 0;
}

static int merge(struct merged *m)
{
	const uint32_t roots[2] = { m->s[0]->only, m->s[1]->only };
	uint32_t node;
	int err = add_node(m, INDEX_NONE, roots) == INDEX_NONE ? -ENOMEM : 0;

	for (node = 0; !err && node < m->tree.nodes_count; node++)
		err = add_children(m, node);
	return err;
}

/* ---- how it looks ---------------------------------------------------------------------------- */

static double weight(const void *data, uint32_t node)
{
	const struct both *both = &((const struct merged *)data)->both[node];

	return (both->share[0] + both->share[1]) / 2;
}

static double change_of(const struct both *both)
{
	return both->share[1] - both->share[0];
}

/* The paler, the less of it has changed; full where all is new, or gone. */
static void print_colour(const void *data, uint32_t node, FILE *out)
{
	const struct both *both = &((const struct merged *)data)->both[node];
	enum change kind = both->low > 0 ? CHANGE_MORE : both->high < 0 ? CHANGE_LESS :
			   CHANGE_UNCLEAR;
	const struct flame_key *key = &keys[kind], *palest = &keys[CHANGE_UNCLEAR];
	double change = change_of(both), most = both->share[change > 0];
	double part = most > 0 ? change / most : 0;

	fprintf(out, "hsl(%u,%u%%,%.0f%%)", key->hue, key->saturation, palest->lightness -
		((double)palest->lightness - key->lightness) * (part < 0 ? -part : part));
}

static int print_about(const void *data, uint32_t node, FILE *out)
{
	const struct both *both = &((const struct merged *)data)->both[node];
	char *object = both->object ? clean_copy(both->object) : NULL;

	if (both->object && !object)
		return -ENOMEM;
	if (object) {
		put_xml(out, object);
		fputs(", ", out);
	}
	free(object);
	fprintf(out, "A: %.2f%%, %" PRIu64 " samples, B: %.2f%%, %" PRIu64 " samples, "
		"change %+.2f [%+.2f, %+.2f]", 100 * both->share[0], both->samples[0],
		100 * both->share[1], both->samples[1], 100 * change_of(both), 100 * both->low,
		100 * both->high);
	return 0;
}

static int put_clean_xml(FILE *out, const char *text)
{
	char *clean = clean_copy(text);

	if (!clean)
		return -ENOMEM;
	put_xml(out, clean);
	free(clean);
	return 0;
}

static int print_title(const void *data, FILE *out)
{
	const struct merged *m = data;
	int err = put_clean_xml(out, m->event);

	fputs(": A, ", out);
	if (!err)
		err = put_clean_xml(out, m->args->files[0]);
	fputs(", and B, ", out);
	return err ? err : put_clean_xml(out, m->args->files[1]);
}

static const struct flame_look look = {
	.keys = keys, .keys_count = ARRAY_SIZE(keys),
	.widths = "intervals of 95 %; width: mean of both shares",
	.title = print_title, .weight = weight, .colour = print_colour, .about = print_about,
};

static int draw(const struct diff_args *args, const struct stacks s[2], const char *event,
		FILE *out)
{
	struct merged m = {
		.args = args, .event = event, .s = { &s[0], &s[1] },
		.width = { LEVEL, normal_quantile(LEVEL) },
	};
	int err = merge(&m);

	if (!err)
		err = flame_draw(&m.tree, 0, &look, &m, out);
	free(m.tree.nodes);
	free(m.tree.frames);
	free(m.both);
	free(m.from);
	return err;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int diff_draw(const struct diff_args *args, struct pmuctl *ctx, struct pmuctl_data *const data[2],
	      const uint32_t event[2])
{
	struct stacks s[2] = {
		{ .data = data[0], .only = event[0], .inlines.on = args->inlined },
		{ .data = data[1], .only = event[1], .inlines.on = args->inlined },
	};
	const char *name = pmuctl_data_get_info(data[0])->events[event[0]].name;
	unsigned int i;
	FILE *out;
	int code, err = stacks_read(&s[0]);

	if (!err)
		err = stacks_read(&s[1]);
	if (err) {
		code = complain("diff", EXIT_FAILED, "%s",
				err == -ENOMEM ? strerror(ENOMEM) : pmuctl_error(ctx));
	} else {
		out = diff_open_output(args, args->svg);
		code = out ? close_output("diff", args->svg, out, draw(args, s, name, out)) :
			     EXIT_FAILED;
	}
	for (i = 0; i < 2; i++) {
		inlines_complain("diff", &s[i].inlines);
		cuts_complain("diff", args->files[i], data[i]);
		missing_complain("diff", &s[i].missing, data[i]);
		stacks_free(&s[i]);
	}
	return code;
}
