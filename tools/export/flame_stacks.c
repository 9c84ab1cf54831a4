// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flame graph of an event of one file: colours tell user from kernel, nothing else.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/clean.h"
#include "tools/base/svg.h"
#include "tools/export/flame.h"

/* How much of its colour's range functions have, by name. */
#define VARIETY 40u

static const struct flame_key keys[] = {
	[FRAME_COMM] = { 110 + VARIETY / 2, 25, 70 - VARIETY / 8, "task" },
	[FRAME_USER] = { 8 + VARIETY / 2, 85, 70 - VARIETY / 8, "user" },
	[FRAME_KERNEL] = { 195 + VARIETY / 2, 60, 70 - VARIETY / 8, "kernel" },
};

struct shown {
	const struct stacks *s;
	uint32_t root;
	const char *title;
	bool samples;		/* there are no periods: widths are samples */
	bool waits;		/* samples are waits, and periods ns off the CPU */
};

static double weight(const void *data, uint32_t node)
{
	const struct shown *f = data;

	return f->samples ? f->s->nodes[node].all_samples : f->s->nodes[node].all_events;
}

static const struct frame *frame_of(const struct shown *f, uint32_t node)
{
	return node == f->root ? NULL : &f->s->frames[f->s->nodes[node].frame];
}

/* By name, so that a function has one colour wherever it is. */
static void print_colour(const void *data, uint32_t node, FILE *out)
{
	const struct frame *frame = frame_of(data, node);
	const struct flame_key *key = &keys[frame ? frame->kind : FRAME_COMM];
	unsigned int vary = frame ? hash_text(frame->name, 0) % VARIETY : 0;

	fprintf(out, "hsl(%u,%u%%,%u%%)", key->hue - VARIETY / 2 + vary, key->saturation,
		70 - vary / 4);
}

static int print_about(const void *data, uint32_t node, FILE *out)
{
	const struct shown *f = data;
	const struct node *n = &f->s->nodes[node];
	const struct frame *frame = frame_of(f, node);
	double all = weight(f, f->root), share = all > 0 ? 100 * weight(f, node) / all : 0;
	char *dso;

	if (frame && frame->kind != FRAME_COMM) {
		dso = clean_copy(pmuctl_data_dso(f->s->data, frame->dso));
		if (!dso)
			return -ENOMEM;
		put_xml(out, dso);
		fputs(", ", out);
		free(dso);
	}
	fprintf(out, f->waits ? "%.2f%%, %" PRIu64 " waits, %" PRIu64 " ns" :
				"%.2f%%, %" PRIu64 " samples, %" PRIu64 " events",
		share, n->all_samples, n->all_events);
	return 0;
}

static int print_title(const void *data, FILE *out)
{
	const struct shown *f = data;
	const struct pmuctl_data_event *event = &pmuctl_data_get_info(f->s->data)->events[f->root];
	char *name = clean_copy(event->name), *file = clean_copy(f->title);
	int err = name && file ? 0 : -ENOMEM;

	if (!err) {
		put_xml(out, name);
		fprintf(out, ", %" PRIu64 " %s of ", f->s->nodes[f->root].all_samples,
			f->waits ? "waits" : "samples");
		put_xml(out, file);
	}
	free(name);
	free(file);
	return err;
}

int flame_svg(const struct stacks *s, uint32_t event, const char *title, enum flame_form form,
	      FILE *out)
{
	const struct shown f = {
		.s = s, .root = event, .title = title,
		.samples = !s->nodes[event].all_events,
		.waits = is_off_cpu(&pmuctl_data_get_info(s->data)->events[event]),
	};
	const struct flame_look look = {
		.form = form,
		.keys = keys, .keys_count = ARRAY_SIZE(keys), .title = print_title,
		.weight = weight, .colour = print_colour, .about = print_about,
		.widths = f.samples ? "width: samples" : f.waits ? "width: ns waited off the CPU" :
								   "width: events",
	};

	return flame_draw(s, event, &look, &f, out);
}
