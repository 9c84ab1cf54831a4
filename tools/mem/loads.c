// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instructions of pmuctl mem: how each steps through memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mem/mem.h"
#include "tools/samples/text.h"

static int by_weight(const void *x, const void *y)
{
	const struct load *a = *(struct load *const *)x, *b = *(struct load *const *)y;

	if (a->amount.events != b->amount.events)
		return a->amount.events > b->amount.events ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

const struct load *load_of_number(const struct profile *p, uint32_t number)
{
	const struct load *load;
	size_t i;

	for (i = 0; i < p->loads.slots_count; i++) {
		load = p->loads.slots[i];
		if (load && load->number == number)
			return load;
	}
	return NULL;
}

void load_place(const struct mem *m, const struct load *load, char *text, size_t size)
{
	const struct pmuctl_place place = { .dso = (uint32_t)load->key.a, .address = load->key.b };

	place_text(m->data, &place, text, size);
}

/* The most frequent; of equals the shortest. */
const struct stride *mem_best_stride(const struct profile *p, const struct load *load)
{
	const struct stride *s, *best = NULL;
	size_t i;

	for (i = 0; i < p->strides.slots_count; i++) {
		s = p->strides.slots[i];
		if (!s || s->key.a != load->number)
			continue;
		if (!best || s->pairs > best->pairs ||
		    (s->pairs == best->pairs && llabs((int64_t)s->key.b) <
							llabs((int64_t)best->key.b)))
			best = s;
	}
	return best;
}

static void print_stride(struct writer *w, const struct profile *p, const struct load *load)
{
	const struct stride *best = mem_best_stride(p, load);
	char text[32] = "";

	if (!best) {
		writer_null(w, "stride", NULL, "");
		writer_null(w, "stride_percent", NULL, "");
		return;
	}
	snprintf(text, sizeof(text), "%+" PRId64, (int64_t)best->key.b);
	writer_string(w, "stride", ", most often %s", text);
	writer_double(w, "stride_percent", " (%.0f %%)", 2, percent_of(best->pairs, load->pairs));
}

static void print_reach(struct writer *w, const struct profile *p, const struct load *load)
{
	writer_u64(w, "reach", "  over %" PRIu64 " bytes", load->reach);
	writer_u64(w, "step", load->reach ? ", in steps of %" PRIu64 : NULL, load->step);
	print_stride(w, p, load);
}

static void print_text(struct mem *m, struct writer *w, const struct load *load)
{
	const struct pmuctl_place place = { .dso = (uint32_t)load->key.a, .address = load->key.b };
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	const char *file = NULL;
	unsigned int line = 0;

	place_insn(m->data, &place, &insn);
	writer_string(w, "text", "\n                    %s", insn.text);
	pmuctl_data_line(m->data, &place, &file, &line);
	writer_string(w, "file", file ? "  %s" : NULL, file ? file : "");
	writer_u64(w, "line", file ? ":%" PRIu64 : NULL, line);
}

static void print_failed(struct writer *w, const struct load *load)
{
	uint64_t failed = load->failed[ORIGIN_OVERWRITTEN] + load->failed[ORIGIN_COMPLEX] +
			  load->failed[ORIGIN_AMBIGUOUS];

	writer_u64(w, "not_recoverable", failed ? "; %" PRIu64 " not recoverable" : NULL, failed);
}

static void print_load(struct mem *m, struct writer *w, const struct profile *p,
		       const struct load *load)
{
	char place[256];

	load_place(m, load, place, sizeof(place));
	writer_row(w);
	writer_string(w, "event", NULL, p->event->name);
	writer_string(w, "table", NULL, "instruction");
	writer_heat(w, percent_of(load->amount.events, p->known.events));
	writer_double(w, "percent", "    %7.2f", 2,
		      percent_of(load->amount.events, p->known.events));
	writer_u64(w, "samples", " %8" PRIu64, load->amount.samples);
	writer_string(w, "place", "  %s", place);
	if (load->amount.samples) {
		print_reach(w, p, load);
	} else {
		writer_null(w, "reach", NULL, "");
		writer_null(w, "step", NULL, "");
		writer_null(w, "stride", NULL, "");
		writer_null(w, "stride_percent", NULL, "");
	}
	print_failed(w, load);
	print_text(m, w, load);
	writer_text(w, "\n");
	writer_end_row(w);
}

void mem_print_loads(struct mem *m, struct writer *w, const struct profile *p)
{
	struct load **loads = (struct load **)table_sorted(&p->loads, by_weight);
	unsigned int limit = m->args->limit ? m->args->limit : UINT32_MAX, i;

	if (!loads)
		return;
	writer_text(w, "\n  instructions\n    percent  samples\n");
	for (i = 0; i < limit && loads[i]; i++)
		print_load(m, w, p, loads[i]);
	if (loads[i])
		writer_text(w, "    (%zu more)\n", p->loads.count - i);
	free(loads);
}
