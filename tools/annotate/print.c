// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A symbol's instructions beside the samples that name them, with the source lines
 * that they come from.
 */
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/annotate/arrows.h"
#include "tools/annotate/walk.h"
#include "tools/samples/text.h"

#define COLUMN_MIN	8
#define COLUMN_MAX	18
#define ADDRESS_WIDTH	8
/* Of the mean cycles beside it. */
#define CYCLES_WIDTH	8

/* One walk over one block. */
struct printer {
	struct walk walk;
	struct writer *w;
	struct sources **sources;
	size_t skipped;		/* instructions since the last that was shown */
	struct arrows arrows;
	uint32_t offset;	/* of the instruction that was the last one */
	char file[512];		/* where the instruction before came from */
	unsigned int line;
	const char *inlined;	/* and the function that it was inlined from; NULL: from none */
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static int column(const struct pmuctl_data_event *event)
{
	size_t len = strlen(event->name);

	return len < COLUMN_MIN ? COLUMN_MIN : len > COLUMN_MAX ? COLUMN_MAX : (int)len;
}

/* Whether samples of it say how long retirement stood still in front of them. */
static bool has_cycles(const struct printer *p, size_t event)
{
	return p->walk.block->counts[event].cycles > 0;
}

static double mean_cycles(const struct count *c)
{
	return c->timed ? c->cycles / (double)c->timed : 0;
}

/* ---- a row ------------------------------------------------------------------ */

static void print_count(const struct printer *p, size_t event, const struct count *c)
{
	double share = percent(c->events, p->walk.block->counts[event].events);
	int width = column(&p->walk.a->events[event]);

	writer_heat(p->w, share);
	if (c->samples)
		writer_text(p->w, " %*.2f", width, share);
	else
		writer_text(p->w, " %*s", width, ".");
	if (!has_cycles(p, event))
		return;
	if (c->timed)
		writer_text(p->w, " %*.1f", CYCLES_WIDTH, mean_cycles(c));
	else
		writer_text(p->w, " %*s", CYCLES_WIDTH, ".");
}

/* A line for each event, so that every column means one thing. */
static void write_count(const struct printer *p, size_t event, const struct count *c)
{
	const struct walk *k = &p->walk;
	char hex[24];

	snprintf(hex, sizeof(hex), "%#" PRIx64, k->address);
	writer_row(p->w);
	writer_string(p->w, "symbol", NULL, k->block->name ? k->block->name : "");
	writer_string(p->w, "dso", NULL, pmuctl_data_dso(k->a->data, (uint32_t)k->block->key.a));
	writer_string(p->w, "address", NULL, hex);
	writer_string(p->w, "event", NULL, k->a->events[event].name);
	writer_u64(p->w, "samples", NULL, c->samples);
	writer_u64(p->w, "events", NULL, c->events);
	writer_double(p->w, "percent", NULL, 2,
		      percent(c->events, k->block->counts[event].events));
	writer_string(p->w, "instruction", NULL, k->text);
	if (p->line) {
		writer_string(p->w, "file", NULL, p->file);
		writer_u64(p->w, "line", NULL, p->line);
	} else {
		writer_null(p->w, "file", NULL, "");
		writer_null(p->w, "line", NULL, "");
	}
	writer_number(p->w, "retire-latency", 2, mean_cycles(c), c->timed && has_cycles(p, event));
	writer_end_row(p->w);
}

/* above: of a line above the instruction. */
static void print_arrows(const struct printer *p, bool above)
{
	char lanes[LANES_MAX + 3];

	if (!p->arrows.lanes)
		return;
	arrows_text(&p->arrows, p->offset, above, lanes);
	writer_text(p->w, "%s", lanes);
}

static void print_row(const struct printer *p)
{
	const struct count none = { 0 };
	const struct walk *k = &p->walk;
	const struct count *c;
	size_t i;

	for (i = 0; i < k->a->events_count; i++) {
		if (!annotation_shows(k->a, i))
			continue;
		c = k->hit ? &k->hit->counts[i] : &none;
		if (writer_format(p->w) == FORMAT_TEXT)
			print_count(p, i, c);
		else
			write_count(p, i, c);
	}
	writer_text(p->w, "  %*" PRIx64 "  ", ADDRESS_WIDTH, k->address);
	print_arrows(p, false);
	writer_text(p->w, "%s\n", k->text);
}

/* ---- source lines ------------------------------------------------------------ */

static int columns_width(const struct printer *p)
{
	const struct annotation *a = p->walk.a;
	int width = 0;
	size_t i;

	for (i = 0; i < a->events_count; i++)
		if (annotation_shows(a, i))
			width += 1 + column(&a->events[i]) +
				 (has_cycles(p, i) ? 1 + CYCLES_WIDTH : 0);
	return width;
}

/* Names are kept once: the same one is the same pointer. */
static void print_inlined(const struct printer *p, const struct pmuctl_inlined *inlined,
			  size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		writer_text(p->w, "%s%s" INLINED, i ? " <- " : "  ", inlined[i].name);
}

static void print_line(struct printer *p)
{
	struct annotation *a = p->walk.a;
	const struct pmuctl_place place = { .dso = (uint32_t)p->walk.block->key.a,
					    .address = p->walk.address };
	const char *file, *text, *base;
	int width = columns_width(p);
	const struct pmuctl_inlined *inlined;
	size_t count = inlines_at(&a->inlines, a->data, &place, &inlined);
	const char *function = count ? inlined->name : NULL;
	unsigned int line = 0;
	char path[PATH_MAX];

	pmuctl_data_line(a->data, &place, &file, &line);
	if (!file || (p->line == line && !strcmp(p->file, file) && p->inlined == function))
		return;
	p->inlined = function;
	snprintf(p->file, sizeof(p->file), "%s", file);
	p->line = line;
	if (writer_format(p->w) != FORMAT_TEXT)
		return;
	base = strrchr(file, '/');
	text = source_line(p->sources, source_path(a->listing.prefix, a->listing.strip, file, path,
							    sizeof(path)), line);
	writer_text(p->w, "%*s  ", width, "");
	if (p->arrows.lanes) {
		writer_text(p->w, "%*s  ", ADDRESS_WIDTH, "");
		print_arrows(p, true);
	}
	writer_text(p->w, "%s:%u", base ? base + 1 : file, line);
	print_inlined(p, inlined, count);
	writer_text(p->w, "%s%s\n", text ? "  " : "", text ? text : "");
}

/* ---- instructions ------------------------------------------------------------ */

static bool has_enough(const struct walk *k, const struct hit *hit)
{
	size_t event;

	for (event = 0; event < k->a->events_count; event++)
		if (annotation_shows(k->a, event) &&
		    percent(hit->counts[event].events, k->block->counts[event].events) >=
		    k->a->listing.least)
			return true;
	return false;
}

/* Whether the instruction, or a sample within it, has enough of any event. */
static bool is_hot(const struct walk *k)
{
	const struct block *b = k->block;
	size_t i;

	if (!(k->a->listing.least > 0) || (k->hit && has_enough(k, k->hit)))
		return true;
	for (i = k->next_hit; i < b->hits_count && b->hits[i]->key.b < k->address + k->length; i++)
		if (has_enough(k, b->hits[i]))
			return true;
	return false;
}

static void print_skipped(struct printer *p)
{
	if (p->skipped)
		writer_text(p->w, "%*s  %*s  (%zu instructions)\n", columns_width(p), "",
			    ADDRESS_WIDTH, "...", p->skipped);
	p->skipped = 0;
}

static void print_walked(struct printer *p)
{
	struct walk *k = &p->walk;

	if (k->length && !is_hot(k)) {
		walk_skip_within(k);
		p->skipped++;
		return;
	}
	print_skipped(p);
	if (k->length) {
		p->offset = (uint32_t)(k->address - k->block->key.b);
		print_line(p);
	}
	print_row(p);
}

/* ---- a block ----------------------------------------------------------------- */

static void print_heading(const struct printer *p)
{
	const struct annotation *a = p->walk.a;
	const struct block *b = p->walk.block;
	const char *mark = ": ";
	size_t i;

	writer_text(p->w, "\n%s in %s", b->name ? b->name : "[no symbol]",
		    pmuctl_data_dso(a->data, (uint32_t)b->key.a));
	for (i = 0; i < a->events_count; i++) {
		if (!annotation_shows(a, i))
			continue;
		writer_text(p->w, "%s%.2f %% of %s", mark,
			    percent(b->counts[i].events, a->totals[i].events),
			    a->events[i].name);
		mark = ", ";
	}
	writer_text(p->w, "\n\n");
	for (i = 0; i < a->events_count; i++) {
		if (!annotation_shows(a, i))
			continue;
		writer_text(p->w, " %*.*s", column(&a->events[i]), column(&a->events[i]),
			    a->events[i].name);
		if (has_cycles(p, i))
			writer_text(p->w, " %*s", CYCLES_WIDTH, "pushout");
	}
	writer_text(p->w, "  %*s  %*s%s\n", ADDRESS_WIDTH, "address",
		    p->arrows.lanes ? (int)p->arrows.lanes + 2 : 0, "", "instruction");
}

/* Jumps within the block; without memory for them there are none. */
static void find_arrows(struct printer *p)
{
	const struct walk *k = &p->walk;
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	uint64_t start = k->block->key.b;
	size_t offset;

	for (offset = 0; offset < k->size; offset += insn.length) {
		if (pmuctl_insn_decode_bits(k->bits, k->code + offset, k->size - offset,
					    start + offset, &insn)) {
			insn.length = 1;
			continue;
		}
		/* A call comes back. */
		if (insn.target >= start && insn.target - start < k->size &&
		    strncmp(insn.text, "call", 4) != 0 &&
		    arrows_add(&p->arrows, (uint32_t)offset, (uint32_t)(insn.target - start)))
			break;
	}
	arrows_place(&p->arrows);
}

static void print_why(const struct printer *p)
{
	const struct walk *k = &p->walk;
	uint32_t dso = (uint32_t)k->block->key.a;
	const char *name = pmuctl_data_dso(k->a->data, dso);
	const char *why = pmuctl_data_missing(k->a->data, dso);

	if (!k->bits)
		writer_text(p->w, "  (%s is code of %s, which is not decoded here; that machine's "
			    "objdump -d does)\n", name, k->machine);
	else
		writer_text(p->w, "  (the code of %s is not to be had here%s%s)\n", name,
			    why ? ": " : "", why ? why : "");
}

static void print_block(struct annotation *a, struct writer *w, const struct block *block,
			struct sources **sources)
{
	struct printer p = { .w = w, .sources = sources };

	walk_begin(&p.walk, a, block);
	if (a->listing.arrows && writer_format(w) == FORMAT_TEXT)
		find_arrows(&p);
	print_heading(&p);
	if (block->name && !p.walk.size)
		print_why(&p);
	while (walk_next(&p.walk))
		print_walked(&p);
	print_skipped(&p);
	walk_end(&p.walk);
	arrows_free(&p.arrows);
}

/* ---- all ---------------------------------------------------------------------- */

static const char *precision(const struct pmuctl_data_event *event)
{
	if (event->precise)
		return "by PEBS";
	if (event->type == PERF_TYPE_SOFTWARE || event->type == PERF_TYPE_TRACEPOINT)
		return "by the kernel";
	return "by interrupt: the cause is some instructions before what is named";
}

static void print_legend(const struct annotation *a, struct writer *w)
{
	size_t i;

	for (i = 0; i < a->events_count; i++) {
		const struct pmuctl_data_event *e = &a->events[i];

		if (!annotation_shows(a, i))
			continue;
		writer_text(w, "%s: %" PRIu64 " samples for %" PRIu64 " events, %s", e->name,
			    a->totals[i].samples, a->totals[i].events, precision(e));
		if (e->precise > 1 && a->uncertain[i])
			writer_text(w, "; %" PRIu64 " of them may name the instruction behind",
				    a->uncertain[i]);
		writer_text(w, "\n");
	}
}

void annotation_print(struct annotation *a, struct writer *w)
{
	const struct view_args *args = a->args;
	struct sources *sources = NULL;
	unsigned int printed = 0;
	struct block **b;

	print_legend(a, w);
	for (b = a->blocks; *b && (!args->limit || printed < args->limit); b++) {
		if (args->dso && !names_file(pmuctl_data_dso(a->data, (uint32_t)(*b)->key.a),
					     args->dso))
			continue;
		if (args->operand && (!(*b)->name || strcmp((*b)->name, args->operand) != 0))
			continue;
		print_block(a, w, *b, &sources);
		printed++;
	}
	sources_free(sources);
}
