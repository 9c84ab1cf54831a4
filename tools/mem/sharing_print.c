// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl mem --sharing prints: all that was seen, then line by line who touches what.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mem/sharing.h"
#include "tools/samples/text.h"

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* ---- all of the file ------------------------------------------------------------------------- */

static void print_origins(const struct sharing *s, struct writer *w)
{
	int origin;

	for (origin = 0; origin < ORIGINS; origin++) {
		if (!s->origins[origin])
			continue;
		writer_row(w);
		writer_string(w, "table", NULL, "origin");
		writer_double(w, "percent", "    %7.2f", 2,
			      percent_of(s->origins[origin], s->samples));
		writer_u64(w, "samples", " %8" PRIu64, s->origins[origin]);
		writer_string(w, "text", "  %s\n", origin_text(origin));
		writer_end_row(w);
	}
}

/* What of it the hardware could have told, and did not. */
static void print_modified(const struct sharing *s, struct writer *w)
{
	if (!s->read.samples)
		writer_text(w, "no loads were sampled: lines that are only read are not seen\n");
	else if (!s->told)
		writer_text(w, "whether loads found their line modified in another core is not in the "
			    "samples\n");
	else
		writer_text(w, "%" PRIu64 " of %" PRIu64 " loads found their line modified in another "
			    "core (HITM), %" PRIu64 " of them in another socket\n",
			    s->local + s->remote, s->told, s->remote);
	if (!s->written.samples)
		writer_text(w, "no stores were sampled: what writes is known of instructions that also "
			    "load\n");
	if (s->unsized)
		writer_text(w, "%" PRIu64 " accesses are taken for one byte: their instructions are not "
			    "to be had\n", s->unsized);
}

static void print_verdicts(const struct sharing *s, struct writer *w)
{
	int verdict;

	for (verdict = 0; verdict < VERDICTS; verdict++) {
		if (!s->verdicts[verdict])
			continue;
		writer_row(w);
		writer_string(w, "table", NULL, "verdict");
		writer_u64(w, "lines", "    %" PRIu64, s->verdicts[verdict]);
		writer_text(w, " line%s ", plural(s->verdicts[verdict]));
		writer_string(w, "verdict", verdict <= VERDICT_REPORTED ? "with %s\n" : "touched %s\n",
			      verdict_text(verdict));
		writer_end_row(w);
	}
	if (!s->read_only)
		return;
	writer_row(w);
	writer_string(w, "table", NULL, "verdict");
	writer_u64(w, "lines", "    %" PRIu64, s->read_only);
	writer_text(w, " line%s ", plural(s->read_only));
	writer_string(w, "verdict", "of several threads, %s\n", "only read");
	writer_end_row(w);
}

static void print_totals(const struct sharing *s, struct writer *w)
{
	writer_text(w, "%" PRIu64 " samples of loads and %" PRIu64 " of stores, on %zu line%s\n",
		    s->read.samples, s->written.samples, s->lines.count, plural(s->lines.count));
	print_origins(s, w);
	print_modified(s, w);
	writer_text(w, "\nlines of %u bytes that several threads touch\n", SHARING_LINE);
	print_verdicts(s, w);
	if (!s->list[0])
		writer_text(w, "    no line is shared in a way that costs%s\n",
			    s->verdicts[VERDICT_TOO_FEW] ? ", but for what few samples do not tell" : "");
}

/* ---- a line ---------------------------------------------------------------------------------- */

/* "0-7 16"; as the first character of CSV a plus would be a formula's. */
static void bytes_text(uint64_t bytes, char *text, size_t size)
{
	unsigned int first, last = 0;
	size_t used = 0;

	*text = '\0';
	for (first = 0; first < SHARING_LINE && used < size; first = last + 1) {
		last = first;
		if (!(bytes >> first & 1))
			continue;
		while (last + 1 < SHARING_LINE && bytes >> (last + 1) & 1)
			last++;
		used += (size_t)snprintf(text + used, size - used, "%s%u", used ? " " : "", first);
		if (last > first && used < size)
			used += (size_t)snprintf(text + used, size - used, "-%u", last);
	}
}

static void print_reason(struct writer *w, const struct finding *f)
{
	char bytes[256];

	bytes_text(f->contested, bytes, sizeof(bytes));
	writer_u64(w, "threads", "  %" PRIu64 " threads", f->threads);
	if (f->cores)
		writer_u64(w, "cores", " on %" PRIu64 " cores", f->cores);
	else
		writer_null(w, "cores", "%s", writer_format(w) == FORMAT_TEXT ?
			    " (on which CPUs is not recorded)" : "");
	writer_u64(w, "writers", ", %" PRIu64 " of them write", f->writers);
	writer_string(w, "contested", f->contested ? "; bytes %s are several threads'" :
		      "; no byte is two threads'", bytes);
	writer_u64(w, "aside", f->aside ? ", which %" PRIu64 " of the threads do not touch" : NULL,
		   f->aside);
	writer_text(w, f->apart && !f->aside ? ", and not all of them want the same\n" : "\n");
}

static void print_mean(struct writer *w, const char *key, const char *fmt, const char *none,
		       const struct amount *a)
{
	if (a->weighed)
		writer_double(w, key, fmt, 1, (double)a->cycles / (double)a->weighed);
	else
		writer_null(w, key, none, writer_format(w) == FORMAT_TEXT ? "-" : "");
}

static void print_amounts(struct writer *w, const struct shared_line *line)
{
	writer_u64(w, "samples", "  %" PRIu64 " samples: ",
		   line->loads.samples + line->stores.samples);
	writer_u64(w, "stores", "%" PRIu64 " of stores", line->stores.samples);
	writer_u64(w, "loads", ", %" PRIu64 " of loads", line->loads.samples);
	writer_u64(w, "told", NULL, line->told);
	writer_u64(w, "hitm_local", line->told ? ", %" PRIu64 " of which found it modified in another "
		   "core" : NULL, line->local);
	writer_u64(w, "hitm_remote", line->told ? " and %" PRIu64 " in another socket" : NULL,
		   line->remote);
	print_mean(w, "latency", ", %.1f cycles each", NULL, &line->loads);
	writer_text(w, "\n");
}

static const char *advice_of(enum verdict verdict)
{
	if (verdict == VERDICT_TRUE)
		return "The threads want the same bytes, so padding does not help: let each write a copy "
		       "of its own, and add those up where they are read.";
	if (verdict == VERDICT_BOTH)
		return "Move the bytes that several threads want to a line of their own, away from what "
		       "stands beside them.";
	return "Begin what each thread writes on a line of its own: alignas(64), or alignas(128) where "
	       "the processor fetches lines in pairs.";
}

/* ---- who touches what of it ------------------------------------------------------------------ */

static void print_place(const struct sharing *s, struct writer *w, const struct touch *t)
{
	const struct pmuctl_place place = {
		.dso = (uint32_t)t->load->key.a, .address = t->load->key.b,
	};
	char text[256];

	load_place(s->m, t->load, text, sizeof(text));
	writer_string(w, "place", "  %s", text);
	write_source_line(w, s->m->data, &place);
}

static void print_touch(const struct sharing *s, struct writer *w, const struct shared_line *line,
			const struct touch *t)
{
	const struct spot cell = {
		.key = { line->key.a + touch_offset(t), line->key.b }, .time = t->time,
	};
	uint32_t tid = (uint32_t)t->thread->key.a;
	struct amount both = t->loads;
	char name[256], hex[24];

	snprintf(hex, sizeof(hex), "%#" PRIx64, line->key.a);
	amount_add(&both, &t->stores);
	sharing_name(s, &cell, name, sizeof(name));
	writer_row(w);
	writer_string(w, "table", NULL, "access");
	writer_string(w, "address", NULL, hex);
	writer_u64(w, "pid", NULL, memory_pid(line->key.b));
	writer_u64(w, "offset", "      +%-3" PRIu64, touch_offset(t));
	writer_u64(w, "bytes", "%5" PRIu64, touch_bytes(t));
	writer_u64(w, "stores", " %8" PRIu64, t->stores.samples);
	writer_u64(w, "loads", " %8" PRIu64, t->loads.samples);
	writer_u64(w, "hitm_local", NULL, t->local);
	writer_u64(w, "hitm_remote", NULL, t->remote);
	if (line->told)
		writer_text(w, " %6" PRIu64, t->local + t->remote);
	else
		writer_text(w, " %6s", "-");
	print_mean(w, "latency", " %8.1f", " %8s", &both);
	writer_u64(w, "tid", " %8" PRIu64, tid);
	writer_string(w, "comm", " %-15s", pmuctl_data_comm(s->m->data, tid, t->time));
	writer_string(w, "variable", "  %-20s", name);
	print_place(s, w, t);
	writer_text(w, "\n");
	writer_end_row(w);
}

static void print_line(const struct sharing *s, struct writer *w, const struct shared_line *line)
{
	unsigned int limit = s->m->args->limit ? s->m->args->limit : UINT32_MAX, i;
	uint32_t pid = memory_pid(line->key.b);
	char hex[24];

	snprintf(hex, sizeof(hex), "%#" PRIx64, line->key.a);
	writer_row(w);
	writer_string(w, "table", NULL, "line");
	writer_string(w, "address", "\n%s", hex);
	writer_u64(w, "pid", pid ? " of process %" PRIu64 : " of the kernel", pid);
	writer_string(w, "verdict", ": %s\n", verdict_text(line->finding.verdict));
	print_reason(w, &line->finding);
	print_amounts(w, line);
	writer_string(w, "advice", "  %s\n", advice_of(line->finding.verdict));
	writer_end_row(w);
	writer_text(w, "    offset bytes   stores    loads   HITM  latency      tid command          "
		    "variable              instruction\n");
	for (i = 0; i < limit && i < line->touches_count; i++)
		print_touch(s, w, line, line->touches[i]);
	if (i < line->touches_count)
		writer_text(w, "      (%zu more)\n", line->touches_count - i);
}

void sharing_print(struct sharing *s, struct writer *w)
{
	unsigned int limit = s->m->args->limit ? s->m->args->limit : UINT32_MAX, i;
	size_t more = 0;

	print_totals(s, w);
	for (i = 0; i < limit && s->list[i]; i++)
		print_line(s, w, s->list[i]);
	while (s->list[i + more])
		more++;
	if (more)
		writer_text(w, "\n(%zu more lines)\n", more);
}
