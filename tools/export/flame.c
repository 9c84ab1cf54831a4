// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flame graph: a box a function, as wide as what was spent in it and in what it
 * called, on top of its caller.
 *
 * Without the script it is a picture of 1200 pixels; flame.js fits it into the
 * window, zooms and searches.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/embed.h"
#include "tools/base/svg.h"
#include "tools/export/flame.h"

#define WIDTH		1200
#define ROW		17
#define ABOVE		76	/* title, search, legend */
#define BELOW		28	/* what is pointed at */
#define NARROWEST	(0.1 / WIDTH)

EMBED(flame_script, "tools/export/flame.js");

struct box {
	double x, width;	/* of the whole, 1 */
	uint32_t depth;
};

struct flame {
	const struct stacks *s;
	const struct flame_look *look;
	const void *data;	/* the look's */
	uint32_t root;
	struct box *boxes;	/* by node; width 0: left out */
	uint32_t depth;		/* rows */
	uint32_t left_out;
	FILE *out;
};

static double weight(const struct flame *f, uint32_t node)
{
	return f->look->weight(f->data, node);
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
	f->boxes[f->root].width = 1;
	f->depth = 1;
	for (node = f->root; node != INDEX_NONE; node = stacks_next(f->s, f->root, node))
		if (f->boxes[node].width > 0)
			place_children(f, node);
	return 0;
}

static const char *name_of(const struct flame *f, uint32_t node)
{
	return node == f->root ? "all" : f->s->frames[f->s->nodes[node].frame].name;
}

/* The first line is the name; flame.js relies on it. */
static int print_tooltip(const struct flame *f, uint32_t node)
{
	int err;

	fputs("<title>", f->out);
	put_xml(f->out, name_of(f, node));
	fputc('\n', f->out);
	err = f->look->about(f->data, node, f->out);
	fputs("</title>", f->out);
	return err;
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
	f->look->colour(f->data, node, f->out);
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
		"#search input { display: block; box-sizing: border-box; width: 100%; height: 100%; "
		"font: 12px monospace }\n";
	unsigned int height = ABOVE + f->depth * ROW + BELOW;

	if (f->look->form == FLAME_PART)
		svg_begin_part(f->out, WIDTH, height, style);
	else
		svg_begin(f->out, WIDTH, height, style);
}

static int print_title(const struct flame *f)
{
	int err;

	fprintf(f->out, "<text id=\"title\" x=\"%d\" y=\"22\">", WIDTH / 2);
	err = f->look->title(f->data, f->out);
	fputs("</text>\n", f->out);
	return err;
}

/* What colours mean, and widths. */
static void print_legend(const struct flame *f)
{
	const struct flame_key *key;
	double x = 8;

	for (key = f->look->keys; key < f->look->keys + f->look->keys_count; key++) {
		fprintf(f->out, "<rect class=\"key\" x=\"%.0f\" y=\"55\" width=\"10\" height=\"10\" "
			"fill=\"hsl(%u,%u%%,%u%%)\"/>\n", x, key->hue, key->saturation,
			key->lightness);
		svg_text(f->out, x + 14, 64, WIDTH, key->name);
		x += 14 + svg_width(key->name) + 16;
	}
	svg_text(f->out, x, 64, WIDTH, f->look->widths);
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

static int print_all(struct flame *f)
{
	int err = place_all(f);

	if (!err) {
		print_top(f);
		err = print_title(f);
	}
	if (!err) {
		print_legend(f);
		print_controls(f);
		err = print_boxes(f);
	}
	if (!err && f->look->form == FLAME_FILE)
		fprintf(f->out, "<script><![CDATA[\n%sflameGraph(document.documentElement);\n]]>"
			"</script>\n", flame_script);
	fputs("</svg>\n", f->out);
	free(f->boxes);
	return err;
}

int flame_draw(const struct stacks *s, uint32_t root, const struct flame_look *look,
	       const void *data, FILE *out)
{
	struct flame f = { .s = s, .root = root, .look = look, .data = data, .out = out };

	return print_all(&f);
}
