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

#include "tools/annotate/annotate.h"
#include "tools/annotate/arrows.h"
#include "tools/samples/text.h"

/* No function is longer. */
#define CODE_MAX	(4u << 20)
#define COLUMN_MIN	8
#define COLUMN_MAX	18
#define ADDRESS_WIDTH	8
/* Of the mean cycles beside it. */
#define CYCLES_WIDTH	8

/* One walk over one block. */
struct walk {
	struct annotation *a;
	struct writer *w;
	const struct block *block;
	struct sources **sources;
	unsigned char *code;
	size_t size;
	unsigned int bits;	/* of its code; 0: another machine's, */
	const char *machine;	/* which is called so */
	size_t hit;		/* the next one of the block */
	size_t skipped;		/* instructions since the last that was shown */
	struct arrows arrows;
	uint32_t offset;	/* of the instruction that is printed */
	char file[512];		/* where the instruction before came from */
	unsigned int line;
	const char *inlined;	/* and the function that it was inlined from; NULL: from none */
};

static bool shown(const struct annotation *a, size_t event)
{
	return a->events[event].samples &&
	       (!a->args->event || !strcmp(a->args->event, a->events[event].name));
}

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
static bool has_cycles(const struct walk *k, size_t event)
{
	return k->block->counts[event].cycles > 0;
}

static double mean_cycles(const struct count *c)
{
	return c->events ? c->cycles / (double)c->events : 0;
}

/* ---- a row ------------------------------------------------------------------ */

static void print_count(const struct walk *k, size_t event, const struct count *c)
{
	double share = percent(c->events, k->block->counts[event].events);
	int width = column(&k->a->events[event]);

	if (c->samples)
		writer_text(k->w, " %*.2f", width, share);
	else
		writer_text(k->w, " %*s", width, ".");
	if (!has_cycles(k, event))
		return;
	if (c->samples)
		writer_text(k->w, " %*.1f", CYCLES_WIDTH, mean_cycles(c));
	else
		writer_text(k->w, " %*s", CYCLES_WIDTH, ".");
}

/* A line for each event, so that every column means one thing. */
static void write_count(const struct walk *k, size_t event, const struct count *c,
			uint64_t address, const char *text)
{
	char hex[24];

	snprintf(hex, sizeof(hex), "%#" PRIx64, address);
	writer_row(k->w);
	writer_string(k->w, "symbol", NULL, k->block->name ? k->block->name : "");
	writer_string(k->w, "dso", NULL,
		      pmuctl_data_dso(k->a->data, (uint32_t)k->block->key.a));
	writer_string(k->w, "address", NULL, hex);
	writer_string(k->w, "event", NULL, k->a->events[event].name);
	writer_u64(k->w, "samples", NULL, c->samples);
	writer_u64(k->w, "events", NULL, c->events);
	writer_double(k->w, "percent", NULL, 2,
		      percent(c->events, k->block->counts[event].events));
	writer_string(k->w, "instruction", NULL, text);
	if (k->line) {
		writer_string(k->w, "file", NULL, k->file);
		writer_u64(k->w, "line", NULL, k->line);
	} else {
		writer_null(k->w, "file", NULL, "");
		writer_null(k->w, "line", NULL, "");
	}
	writer_number(k->w, "retire-latency", 2, mean_cycles(c), c->samples && has_cycles(k, event));
	writer_end_row(k->w);
}

/* above: of a line above the instruction. */
static void print_arrows(const struct walk *k, bool above)
{
	char lanes[LANES_MAX + 3];

	if (!k->arrows.lanes)
		return;
	arrows_text(&k->arrows, k->offset, above, lanes);
	writer_text(k->w, "%s", lanes);
}

/* hit: of this address, or NULL. */
static void print_row(const struct walk *k, const struct hit *hit, uint64_t address,
		      const char *text)
{
	const struct count none = { 0 };
	size_t i;

	for (i = 0; i < k->a->events_count; i++) {
		if (!shown(k->a, i))
			continue;
		if (writer_format(k->w) == FORMAT_TEXT)
			print_count(k, i, hit ? &hit->counts[i] : &none);
		else
			write_count(k, i, hit ? &hit->counts[i] : &none, address, text);
	}
	writer_text(k->w, "  %*" PRIx64 "  ", ADDRESS_WIDTH, address);
	print_arrows(k, false);
	writer_text(k->w, "%s\n", text);
}

/* ---- source lines ------------------------------------------------------------ */

static int columns_width(const struct walk *k)
{
	const struct annotation *a = k->a;
	int width = 0;
	size_t i;

	for (i = 0; i < a->events_count; i++)
		if (shown(a, i))
			width += 1 + column(&a->events[i]) +
				 (has_cycles(k, i) ? 1 + CYCLES_WIDTH : 0);
	return width;
}

/* Names are kept once: the same one is the same pointer. */
static void print_inlined(const struct walk *k, const struct pmuctl_inlined *inlined, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		writer_text(k->w, "%s%s" INLINED, i ? " <- " : "  ", inlined[i].name);
}

/* As perf has it: without so many directories at its start, below the prefix. */
static const char *source_path(const struct walk *k, const char *file, char *path, size_t size)
{
	const struct listing *listing = &k->a->listing;
	unsigned int i;

	if (!listing->prefix)
		return file;
	for (i = 0; i < listing->strip && strchr(file + 1, '/'); i++)
		file = strchr(file + 1, '/');
	snprintf(path, size, "%s%s%s", listing->prefix, *file == '/' ? "" : "/", file);
	return path;
}

static void print_line(struct walk *k, uint64_t address)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a, .address = address };
	const char *file, *text, *base;
	int width = columns_width(k);
	const struct pmuctl_inlined *inlined;
	size_t count = inlines_at(&k->a->inlines, k->a->data, &place, &inlined);
	const char *function = count ? inlined->name : NULL;
	unsigned int line = 0;
	char path[PATH_MAX];

	pmuctl_data_line(k->a->data, &place, &file, &line);
	if (!file || (k->line == line && !strcmp(k->file, file) && k->inlined == function))
		return;
	k->inlined = function;
	snprintf(k->file, sizeof(k->file), "%s", file);
	k->line = line;
	if (writer_format(k->w) != FORMAT_TEXT)
		return;
	base = strrchr(file, '/');
	text = source_line(k->sources, source_path(k, file, path, sizeof(path)), line);
	writer_text(k->w, "%*s  ", width, "");
	if (k->arrows.lanes) {
		writer_text(k->w, "%*s  ", ADDRESS_WIDTH, "");
		print_arrows(k, true);
	}
	writer_text(k->w, "%s:%u", base ? base + 1 : file, line);
	print_inlined(k, inlined, count);
	writer_text(k->w, "%s%s\n", text ? "  " : "", text ? text : "");
}

/* ---- instructions ------------------------------------------------------------ */

static void append_place(const struct walk *k, char *text, size_t size, const char *mark,
			 uint64_t address)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a, .address = address };
	struct pmuctl_symbol symbol = { .name = NULL };
	size_t len = strlen(text);

	pmuctl_data_symbol(k->a->data, &place, &symbol);
	if (!symbol.name && !*mark)
		return;
	len += (size_t)snprintf(text + len, size - len, " %s", mark);
	if (!symbol.name || len >= size)
		return;
	if (address == symbol.start)
		snprintf(text + len, size - len, "<%s>", symbol.name);
	else
		snprintf(text + len, size - len, "<%s+%#" PRIx64 ">", symbol.name,
			 address - symbol.start);
}

/* What it says and where its direct target or its operand beside %rip is. */
static void describe(const struct walk *k, const struct pmuctl_insn *insn, uint64_t address,
		     char *text, size_t size)
{
	uint64_t operand = address + insn->length + (uint64_t)insn->memory[0].displacement;
	char mark[32];

	snprintf(text, size, "%s", insn->text);
	if (k->a->listing.syntax != PMUCTL_SYNTAX_ATT)
		pmuctl_insn_text(k->bits, k->code + k->offset, k->size - k->offset, address,
				 k->a->listing.syntax, text, size);
	if (insn->target)
		append_place(k, text, size, "", insn->target);
	if (!insn->memory_count || insn->memory[0].base != PMUCTL_REG_RIP)
		return;
	snprintf(mark, sizeof(mark), "# %#" PRIx64 " ", operand);
	append_place(k, text, size, mark, operand);
}

static const struct hit *take_hit(struct walk *k, uint64_t before)
{
	if (k->hit == k->block->hits_count || k->block->hits[k->hit]->key.b >= before)
		return NULL;
	return k->block->hits[k->hit++];
}

/* Where no code is there to show: nothing that was counted is left out. */
static void print_bare_hits(struct walk *k, uint64_t before, const char *why)
{
	const struct hit *hit;

	while ((hit = take_hit(k, before)))
		print_row(k, hit, hit->key.b, why);
}

/* Whether the instruction that ends there has enough of any event. */
static bool is_hot(const struct walk *k, uint64_t end)
{
	const struct block *b = k->block;
	size_t i, event;

	if (!(k->a->listing.least > 0))
		return true;
	for (i = k->hit; i < b->hits_count && b->hits[i]->key.b < end; i++)
		for (event = 0; event < k->a->events_count; event++)
			if (shown(k->a, event) &&
			    percent(b->hits[i]->counts[event].events, b->counts[event].events) >=
			    k->a->listing.least)
				return true;
	return false;
}

static void print_skipped(struct walk *k)
{
	if (k->skipped)
		writer_text(k->w, "%*s  %*s  (%zu instructions)\n", columns_width(k), "",
			    ADDRESS_WIDTH, "...", k->skipped);
	k->skipped = 0;
}

static unsigned int print_insn(struct walk *k, size_t offset)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	uint64_t address = k->block->key.b + offset;
	const struct hit *hit;
	char text[512];

	k->offset = (uint32_t)offset;
	if (pmuctl_insn_decode_bits(k->bits, k->code + offset, k->size - offset, address,
				    &insn)) {
		insn.length = 1;
		snprintf(text, sizeof(text), ".byte 0x%02x", k->code[offset]);
	} else {
		describe(k, &insn, address, text, sizeof(text));
	}
	if (!is_hot(k, address + insn.length)) {
		while (take_hit(k, address + insn.length))
			;
		k->skipped++;
		return insn.length;
	}
	print_skipped(k);
	print_line(k, address);
	hit = take_hit(k, address + 1);
	print_row(k, hit, address, text);
	print_bare_hits(k, address + insn.length, "(within the instruction above)");
	return insn.length;
}

/* ---- a block ----------------------------------------------------------------- */

static void print_heading(const struct walk *k)
{
	const struct annotation *a = k->a;
	const char *mark = ": ";
	size_t i;

	writer_text(k->w, "\n%s in %s", k->block->name ? k->block->name : "[no symbol]",
		    pmuctl_data_dso(a->data, (uint32_t)k->block->key.a));
	for (i = 0; i < a->events_count; i++) {
		if (!shown(a, i))
			continue;
		writer_text(k->w, "%s%.2f %% of %s", mark,
			    percent(k->block->counts[i].events, a->totals[i].events),
			    a->events[i].name);
		mark = ", ";
	}
	writer_text(k->w, "\n\n");
	for (i = 0; i < a->events_count; i++) {
		if (!shown(a, i))
			continue;
		writer_text(k->w, " %*.*s", column(&a->events[i]), column(&a->events[i]),
			    a->events[i].name);
		if (has_cycles(k, i))
			writer_text(k->w, " %*s", CYCLES_WIDTH, "pushout");
	}
	writer_text(k->w, "  %*s  %*s%s\n", ADDRESS_WIDTH, "address",
		    k->arrows.lanes ? (int)k->arrows.lanes + 2 : 0, "", "instruction");
}

static size_t code_size(const struct block *block)
{
	uint64_t last = block->hits[block->hits_count - 1]->key.b;
	uint64_t size = block->size ? block->size : last - block->key.b + 1;

	return size < CODE_MAX ? (size_t)size : CODE_MAX;
}

static void read_code(struct walk *k)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a,
					    .address = k->block->key.b };
	size_t size = code_size(k->block);

	k->bits = pmuctl_data_bits(k->a->data, place.dso, &k->machine);
	if (!k->bits)
		return;
	k->code = malloc(size);
	k->size = k->code ? pmuctl_data_text(k->a->data, &place, k->code, size) : 0;
}

/* Jumps within the block; without memory for them there are none. */
static void find_arrows(struct walk *k)
{
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
		    arrows_add(&k->arrows, (uint32_t)offset, (uint32_t)(insn.target - start)))
			break;
	}
	arrows_place(&k->arrows);
}

static void print_why(const struct walk *k)
{
	uint32_t dso = (uint32_t)k->block->key.a;
	const char *name = pmuctl_data_dso(k->a->data, dso);
	const char *why = pmuctl_data_missing(k->a->data, dso);

	if (!k->bits)
		writer_text(k->w, "  (%s is code of %s, which is not decoded here; that machine's "
			    "objdump -d does)\n", name, k->machine);
	else
		writer_text(k->w, "  (the code of %s is not to be had here%s%s)\n", name,
			    why ? ": " : "", why ? why : "");
}

static void print_code(struct walk *k)
{
	size_t offset = 0;

	while (offset < k->size)
		offset += print_insn(k, offset);
	print_skipped(k);
	if (!k->size)
		print_why(k);
	print_bare_hits(k, UINT64_MAX, k->size ? "(behind the symbol's end)" : "");
}

/* Each by itself: what lies between is nobody's. */
static void print_strays(struct walk *k)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	const struct hit *hit;

	while ((hit = take_hit(k, UINT64_MAX))) {
		const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a,
						    .address = hit->key.b };

		place_insn(k->a->data, &place, &insn);
		print_row(k, hit, hit->key.b, insn.text);
	}
}

static void print_block(struct annotation *a, struct writer *w, const struct block *block,
			struct sources **sources)
{
	struct walk k = { .a = a, .w = w, .block = block, .sources = sources };

	if (block->name)
		read_code(&k);
	if (a->listing.arrows && writer_format(w) == FORMAT_TEXT)
		find_arrows(&k);
	print_heading(&k);
	if (block->name)
		print_code(&k);
	else
		print_strays(&k);
	free(k.code);
	arrows_free(&k.arrows);
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

		if (!shown(a, i))
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
