// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flame graph: a box a function, as wide as what was spent in it and in what it
 * called, on top of its caller.  Colours tell user from kernel, nothing else.
 *
 * Without the script it is a picture of 1200 pixels; flame.js fits it into the
 * window, zooms and searches.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/svg.h"
#include "tools/export/flame.h"

#define WIDTH		1200
#define ROW		17
#define ABOVE		76	/* title, search, legend */
#define BELOW		28	/* what is pointed at */
#define NARROWEST	(0.1 / WIDTH)

/* From tools/export/flame.js: what is run in the browser is best written as what it is. */
extern const char flame_script[];

__asm__(".pushsection .rodata\n"
	"flame_script:\n"
	"\t.incbin \"tools/export/flame.js\"\n"
	"\t.byte 0\n"
	".popsection");

struct box {
	double x, width;	/* of the whole, 1 */
	uint32_t depth;
};

struct flame {
	const struct stacks *s;
	const struct flame_pair *pair;	/* NULL: it is of one file */
	uint32_t root;
	bool samples;		/* there are no periods: widths are samples */
	bool waits;		/* samples are waits, and periods ns off the CPU */
	struct box *boxes;	/* by node; width 0: left out */
	uint32_t depth;		/* rows */
	uint32_t left_out;
	FILE *out;
};

static double weight(const struct flame *f, uint32_t node)
{
	const struct flame_both *both = f->pair ? &f->pair->nodes[node] : NULL;

	if (both)
		return (both->share[0] + both->share[1]) / 2;
	return f->samples ? f->s->nodes[node].all_samples : f->s->nodes[node].all_events;
}

/* Children start where their parent does; what it spent itself stays free at its end. */
static void place_children(struct flame *f, uint32_t node)
{
	double whole = weight(f, f->root), x = f->boxes[node].x;
	double end = x + f->boxes[node].width;
	uint32_t child;

	for (child = f->s->nodes[node].child; child != INDEX_NONE;
	     child = f->s->nodes[child].next) {
		struct box *box = &f->boxes[child];

		box->x = x;
		box->width = weight(f, child) / whole;
		/* Sums of hostile periods may have wrapped. */
		if (x + box->width > end)
			box->width = end > x ? end - x : 0;
		x += box->width;
		box->depth = f->boxes[node].depth + 1;
		if (box->width < NARROWEST) {
			box->width = 0;
			f->left_out++;
		} else if (box->depth >= f->depth) {
			f->depth = box->depth + 1;
		}
	}
}

static int place_all(struct flame *f)
{
	uint32_t node;

	f->boxes = calloc(f->s->nodes_count, sizeof(*f->boxes));
	if (!f->boxes)
		return -ENOMEM;
	f->samples = !f->pair && !f->s->nodes[f->root].all_events;
	f->boxes[f->root].width = 1;
	f->depth = 1;
	for (node = f->root; node != INDEX_NONE; node = stacks_next(f->s, f->root, node))
		if (f->boxes[node].width > 0)
			place_children(f, node);
	return 0;
}

static const struct {
	unsigned int hue, saturation;
	const char *name;
} colours[] = {
	[FRAME_COMM] = { 110, 25, "task" },
	[FRAME_USER] = { 8, 85, "user" },
	[FRAME_KERNEL] = { 195, 60, "kernel" },
};

/* How much of its colour's range functions have, by name. */
#define VARIETY 40u

enum change { CHANGE_MORE, CHANGE_LESS, CHANGE_UNCLEAR };

static const struct {
	unsigned int hue, saturation;
	const char *name;
} changes[] = {
	[CHANGE_MORE] = { 4, 75, "more in B" },
	[CHANGE_LESS] = { 212, 70, "less in B" },
	[CHANGE_UNCLEAR] = { 45, 25, "not told apart" },
};

/* The paler, the less of it has changed; full where all is new, or gone. */
static void print_change_colour(const struct flame *f, const struct flame_both *both)
{
	double change = both->share[1] - both->share[0];
	double most = both->share[change > 0];
	enum change kind = both->low > 0 ? CHANGE_MORE : both->high < 0 ? CHANGE_LESS :
			   CHANGE_UNCLEAR;
	double part = kind == CHANGE_UNCLEAR || most <= 0 ? 0 : change / most;

	fprintf(f->out, "hsl(%u,%u%%,%.0f%%)", changes[kind].hue, changes[kind].saturation,
		92 - 34 * (part < 0 ? -part : part));
}

/* By name, so that a function has one colour wherever it is. */
static void print_colour(const struct flame *f, uint32_t node)
{
	const struct frame *frame = node == f->root ? NULL : &f->s->frames[f->s->nodes[node].frame];
	unsigned int kind = frame ? frame->kind : FRAME_COMM;
	unsigned int vary = frame ? hash_text(frame->name, 0) % VARIETY : 0;

	fprintf(f->out, "hsl(%u,%u%%,%u%%)", colours[kind].hue + vary, colours[kind].saturation,
		70 - vary / 4);
}

static const char *name_of(const struct flame *f, uint32_t node)
{
	return node == f->root ? "all" : f->s->frames[f->s->nodes[node].frame].name;
}

static int print_change(const struct flame *f, const struct flame_both *both)
{
	char *object = both->object ? clean_copy(both->object) : NULL;

	if (both->object && !object)
		return -ENOMEM;
	if (object) {
		put_xml(f->out, object);
		fputs(", ", f->out);
	}
	free(object);
	fprintf(f->out, "A: %.2f%%, %" PRIu64 " samples, B: %.2f%%, %" PRIu64 " samples, "
		"change %+.2f [%+.2f, %+.2f]</title>", 100 * both->share[0], both->samples[0],
		100 * both->share[1], both->samples[1], 100 * (both->share[1] - both->share[0]),
		100 * both->low, 100 * both->high);
	return 0;
}

/* The first line is the name; flame.js relies on it. */
static int print_tooltip(const struct flame *f, uint32_t node)
{
	const struct node *n = &f->s->nodes[node];
	double share = weight(f, f->root) > 0 ? 100 * weight(f, node) / weight(f, f->root) : 0;
	char *dso;

	fputs("<title>", f->out);
	put_xml(f->out, name_of(f, node));
	fputc('\n', f->out);
	if (f->pair)
		return print_change(f, &f->pair->nodes[node]);
	if (node != f->root && f->s->frames[n->frame].kind != FRAME_COMM) {
		dso = clean_copy(pmuctl_data_dso(f->s->data, f->s->frames[n->frame].dso));
		if (!dso)
			return -ENOMEM;
		put_xml(f->out, dso);
		fputs(", ", f->out);
		free(dso);
	}
	fprintf(f->out, f->waits ? "%.2f%%, %" PRIu64 " waits, %" PRIu64 " ns</title>" :
				   "%.2f%%, %" PRIu64 " samples, %" PRIu64 " events</title>",
		share, n->all_samples, n->all_events);
	return 0;
}

static int print_box(const struct flame *f, uint32_t node)
{
	const struct box *box = &f->boxes[node];
	int y = ABOVE + (f->depth - 1 - box->depth) * ROW;
	int err;

	fprintf(f->out, "<g data-x=\"%.9g\" data-w=\"%.9g\" data-d=\"%" PRIu32 "\">", box->x,
		box->width, box->depth);
	err = print_tooltip(f, node);
	fprintf(f->out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"",
		box->x * WIDTH, y, box->width * WIDTH, ROW - 1);
	if (f->pair)
		print_change_colour(f, &f->pair->nodes[node]);
	else
		print_colour(f, node);
	fputs("\"/>", f->out);
	/* For those who see it without the script. */
	svg_label(f->out, box->x * WIDTH + 3, y + ROW - 5, box->width * WIDTH, name_of(f, node));
	fputs("</g>\n", f->out);
	return err;
}

static int print_boxes(const struct flame *f)
{
	uint32_t node;
	int err = 0;

	fputs("<g id=\"frames\">\n", f->out);
	for (node = f->root; !err && node != INDEX_NONE; node = stacks_next(f->s, f->root, node))
		if (f->boxes[node].width > 0)
			err = print_box(f, node);
	fputs("</g>\n", f->out);
	return err;
}

static void print_top(const struct flame *f)
{
	static const char style[] =
		"#title { font-size: 16px; text-anchor: middle }\n"
		"#frames g { cursor: pointer; outline: none }\n"
		"#frames text { pointer-events: none }\n"
		"#frames g:hover rect, #frames g:focus rect { stroke: #000 }\n"
		"#frames .outer { opacity: 0.5 }\n"
		"#frames .found rect { fill: #c060f0 }\n"
		"#reset { cursor: pointer; text-decoration: underline }\n"
		"input { box-sizing: border-box; width: 100%; height: 100% }\n";

	svg_begin(f->out, WIDTH, ABOVE + f->depth * ROW + BELOW, style);
}

static int print_pair_title(const struct flame *f)
{
	const struct flame_pair *pair = f->pair;
	char *event = clean_copy(pair->event), *a = clean_copy(pair->files[0]);
	char *b = clean_copy(pair->files[1]);
	int err = event && a && b ? 0 : -ENOMEM;

	if (!err) {
		fprintf(f->out, "<text id=\"title\" x=\"%d\" y=\"22\">", WIDTH / 2);
		put_xml(f->out, event);
		fputs(": A, ", f->out);
		put_xml(f->out, a);
		fputs(", and B, ", f->out);
		put_xml(f->out, b);
		fputs("</text>\n", f->out);
	}
	free(event);
	free(a);
	free(b);
	return err;
}

static int print_title(const struct flame *f, const char *title)
{
	const struct pmuctl_data_event *event = &pmuctl_data_get_info(f->s->data)->events[f->root];
	char *name = clean_copy(event->name), *file = clean_copy(title);
	int err = name && file ? 0 : -ENOMEM;

	if (!err) {
		fprintf(f->out, "<text id=\"title\" x=\"%d\" y=\"22\">", WIDTH / 2);
		put_xml(f->out, name);
		fprintf(f->out, ", %" PRIu64 " %s of ", f->s->nodes[f->root].all_samples,
			f->waits ? "waits" : "samples");
		put_xml(f->out, file);
		fputs("</text>\n", f->out);
	}
	free(name);
	free(file);
	return err;
}

/* A square of a colour and what it means at x; where the next one goes. */
static double print_key(const struct flame *f, double x, unsigned int hue, unsigned int saturation,
			unsigned int lightness, const char *name)
{
	fprintf(f->out, "<rect class=\"key\" x=\"%.0f\" y=\"55\" width=\"10\" height=\"10\" "
		"fill=\"hsl(%u,%u%%,%u%%)\"/>\n", x, hue, saturation, lightness);
	svg_text(f->out, x + 14, 64, WIDTH, name);
	return x + 14 + svg_width(name) + 16;
}

static void print_pair_legend(const struct flame *f)
{
	double x = 8;
	char text[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++)
		x = print_key(f, x, changes[i].hue, changes[i].saturation,
			      i == CHANGE_UNCLEAR ? 92 : 58, changes[i].name);
	snprintf(text, sizeof(text), "intervals of %.0f %%; width: mean of both shares",
		 100 * f->pair->level);
	svg_text(f->out, x, 64, WIDTH, text);
}

/* What colours mean, and widths. */
static void print_legend(const struct flame *f)
{
	double x = 8;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(colours); i++)
		x = print_key(f, x, colours[i].hue + VARIETY / 2, colours[i].saturation,
			      70 - VARIETY / 8, colours[i].name);
	svg_text(f->out, x, 64, WIDTH, f->samples ? "width: samples" :
		 f->waits ? "width: ns waited off the CPU" : "width: events");
}

static void print_controls(const struct flame *f)
{
	fputs("<text id=\"reset\" x=\"8\" y=\"44\" role=\"button\" tabindex=\"0\" "
	      "visibility=\"hidden\">whole graph</text>\n"
	      "<text id=\"found\" x=\"340\" y=\"44\"></text>\n"
	      "<foreignObject id=\"search\" x=\"110\" y=\"30\" width=\"220\" height=\"20\">"
	      "<input xmlns=\"http://www.w3.org/1999/xhtml\" placeholder=\"search (/)\" "
	      "aria-label=\"search for a function\"/></foreignObject>\n", f->out);
	fprintf(f->out, "<text id=\"details\" x=\"8\" y=\"%u\">", ABOVE + f->depth * ROW + 18);
	if (f->left_out)
		fprintf(f->out, "%" PRIu32 " boxes too narrow to be seen are left out",
			f->left_out);
	fputs("</text>\n", f->out);
}

/* title: NULL of a pair */
static int print_all(struct flame *f, const char *title)
{
	int err = place_all(f);

	if (!err) {
		print_top(f);
		err = title ? print_title(f, title) : print_pair_title(f);
	}
	if (!err) {
		if (title)
			print_legend(f);
		else
			print_pair_legend(f);
		print_controls(f);
		err = print_boxes(f);
	}
	if (!err)
		fprintf(f->out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_script);
	free(f->boxes);
	return err;
}

int flame_svg(const struct stacks *s, uint32_t event, const char *title, FILE *out)
{
	struct flame f = {
		.s = s, .root = event, .out = out,
		.waits = is_off_cpu(&pmuctl_data_get_info(s->data)->events[event]),
	};

	return print_all(&f, title);
}

int flame_pair_svg(const struct stacks *merged, const struct flame_pair *pair, FILE *out)
{
	struct flame f = { .s = merged, .pair = pair, .out = out };

	return print_all(&f, NULL);
}
