// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl mem prints of an event: one table after the other.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mem/mem.h"
#include "tools/samples/text.h"

double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static unsigned int limit_of(const struct mem *m)
{
	return m->args->limit ? m->args->limit : UINT32_MAX;
}

/* ---- where the addresses are from ------------------------------------------- */

static void print_origins(struct writer *w, const struct profile *p)
{
	int origin;

	writer_text(w, "%s: %" PRIu64 " samples for %" PRIu64 " events\n", p->event->name,
		    p->all.samples, p->all.events);
	for (origin = 0; origin < ORIGINS; origin++) {
		if (!p->origins[origin])
			continue;
		writer_row(w);
		writer_string(w, "event", NULL, p->event->name);
		writer_string(w, "table", NULL, "origin");
		writer_double(w, "percent", "    %7.2f", 2,
			      percent_of(p->origins[origin], p->all.samples));
		writer_u64(w, "samples", " %8" PRIu64, p->origins[origin]);
		writer_string(w, "text", "  %s\n", origin_text(origin));
		writer_end_row(w);
	}
}

/* ---- what all tables have ---------------------------------------------------- */

static void print_amount(struct writer *w, const struct profile *p, const char *table,
			 const struct amount *a)
{
	writer_string(w, "event", NULL, p->event->name);
	writer_string(w, "table", NULL, table);
	writer_heat(w, percent_of(a->events, p->known.events));
	writer_double(w, "percent", "    %7.2f", 2, percent_of(a->events, p->known.events));
	writer_u64(w, "samples", " %8" PRIu64, a->samples);
	if (a->weighed)
		writer_double(w, "latency", " %8.1f", 1, (double)a->cycles / (double)a->weighed);
	else
		writer_null(w, "latency", " %8s", writer_format(w) == FORMAT_TEXT ? "-" : "");
}

static void print_head(struct writer *w, const char *title, const char *last)
{
	writer_text(w, "\n  %s\n    percent  samples  latency%s\n", title, last);
}

static int by_amount(const struct amount *a, const struct amount *b)
{
	if (a->events != b->events)
		return a->events > b->events ? -1 : 1;
	return a->samples == b->samples ? 0 : a->samples > b->samples ? -1 : 1;
}

/* ---- objects -------------------------------------------------------------------- */

static int by_object(const void *x, const void *y)
{
	const struct object *a = *(struct object *const *)x, *b = *(struct object *const *)y;
	int order = by_amount(&a->amount, &b->amount);

	return order ? order : a->start < b->start ? -1 : a->start > b->start;
}

static void print_object(const struct mem *m, struct writer *w, const struct profile *p,
			 const struct object *o)
{
	writer_row(w);
	print_amount(w, p, "object", &o->amount);
	writer_string(w, "name", "  %s", o->name);
	writer_string(w, "dso", o->symbol ? "  in %s" : NULL,
		      o->symbol ? pmuctl_data_dso(m->data, o->dso) : "");
	writer_u64(w, "start", o->symbol ? NULL : "  from %#" PRIx64, o->start);
	writer_u64(w, "end", o->symbol ? NULL : " to %#" PRIx64, o->end - 1);
	writer_text(w, "\n");
	writer_end_row(w);
}

static void print_objects(const struct mem *m, struct writer *w, const struct profile *p)
{
	struct object **all = (struct object **)table_sorted(&p->objects, by_object);
	unsigned int i;

	print_head(w, "symbols and other memory", "");
	for (i = 0; all && i < limit_of(m) && all[i]; i++)
		print_object(m, w, p, all[i]);
	if (all && all[i])
		writer_text(w, "    (%zu more)\n", p->objects.count - i);
	free(all);
}

/* ---- lines and pages -------------------------------------------------------------- */

static int by_spot(const void *x, const void *y)
{
	const struct spot *a = *(struct spot *const *)x, *b = *(struct spot *const *)y;
	int order = by_amount(&a->amount, &b->amount);

	if (order)
		return order;
	if (a->key.b != b->key.b)
		return a->key.b < b->key.b ? -1 : 1;
	return a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static void print_spot(struct writer *w, const struct profile *p, const char *table,
		       const struct spot *s)
{
	char text[256], hex[24];

	spot_place(s, text, sizeof(text));
	snprintf(hex, sizeof(hex), "%#" PRIx64, s->key.a);
	writer_row(w);
	print_amount(w, p, table, &s->amount);
	writer_string(w, "address", "  %-18s", hex);
	writer_u64(w, "pid", NULL, memory_pid(s->key.b));
	writer_string(w, "place", "  %s\n", text);
	writer_end_row(w);
}

static void print_spots(const struct mem *m, struct writer *w, const struct profile *p,
			const char *table, const struct table *spots)
{
	struct spot **all = (struct spot **)table_sorted(spots, by_spot);
	unsigned int i;

	for (i = 0; all && i < limit_of(m) && all[i]; i++)
		print_spot(w, p, table, all[i]);
	if (all && all[i])
		writer_text(w, "    (%zu more)\n", spots->count - i);
	free(all);
}

/* ---- latency and source -------------------------------------------------------------- */

static void print_latencies(struct writer *w, const struct profile *p)
{
	unsigned int bits;

	if (!p->known.weighed)
		return;
	writer_text(w, "\n  latency in cycles\n    percent  samples\n");
	for (bits = 0; bits < LATENCY_BUCKETS; bits++) {
		if (!p->latencies[bits])
			continue;
		writer_row(w);
		writer_string(w, "event", NULL, p->event->name);
		writer_string(w, "table", NULL, "latency");
		writer_double(w, "percent", "    %7.2f", 2,
			      percent_of(p->latencies[bits], p->known.weighed));
		writer_u64(w, "samples", " %8" PRIu64, p->latencies[bits]);
		writer_u64(w, "from", "  %" PRIu64, bits ? 1ull << (bits - 1) : 0);
		writer_u64(w, "to", " to %" PRIu64 "\n", (1ull << bits) - 1);
		writer_end_row(w);
	}
}

static int by_source(const void *x, const void *y)
{
	const struct source *a = *(struct source *const *)x, *b = *(struct source *const *)y;
	int order = by_amount(&a->amount, &b->amount);

	return order ? order : a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static void print_sources(struct writer *w, const struct profile *p)
{
	struct source **all = (struct source **)table_sorted(&p->sources, by_source);
	char text[160];
	size_t i;

	if (p->has_source)
		print_head(w, "where the data came from", "");
	for (i = 0; all && all[i]; i++) {
		source_text_of(all[i]->key.a, text, sizeof(text));
		writer_row(w);
		print_amount(w, p, "source", &all[i]->amount);
		writer_string(w, "text", "  %s\n", text);
		writer_end_row(w);
	}
	free(all);
}

/* ---- all of it -------------------------------------------------------------------- */

static void print_profile(struct mem *m, struct writer *w, const struct profile *p)
{
	print_origins(w, p);
	if (p->known.samples) {
		print_objects(m, w, p);
		print_head(w, "cache lines of 64 bytes", "  line");
		print_spots(m, w, p, "line", &p->lines);
		print_head(w, "pages", "  page");
		print_spots(m, w, p, "page", &p->pages);
	}
	if (p->known.samples || p->origins[ORIGIN_OVERWRITTEN] || p->origins[ORIGIN_COMPLEX])
		mem_print_loads(m, w, p);
	if (p->known.samples) {
		print_latencies(w, p);
		print_sources(w, p);
		mem_print_conflicts(m, w, p);
	}
}

void mem_print(struct mem *m, struct writer *w)
{
	bool first = true;
	size_t i;

	for (i = 0; i < m->info->events_count; i++) {
		if (!m->profiles[i].all.samples)
			continue;
		if (!first)
			writer_text(w, "\n");
		first = false;
		print_profile(m, w, &m->profiles[i]);
	}
}
