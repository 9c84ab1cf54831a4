// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl mem says of lines that compete for sets of the first-level cache.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/mem/mem.h"

/* Without a source of the data, only an event of misses tells that they were. */
static bool misses_known(const struct profile *p)
{
	return p->has_source || strcasestr(p->event->name, "miss") ||
	       strcasestr(p->event->name, "l2_hit") || strcasestr(p->event->name, "l3_hit");
}

static void print_headline(const struct mem *m, struct writer *w, const struct conflicts *c)
{
	uint64_t lines = 0, missed = 0;
	size_t sets;

	for (sets = 0; c->list[sets]; sets++) {
		lines += c->list[sets]->lines;
		missed += c->list[sets]->missed;
	}
	if (!sets)
		writer_text(w, "    no set has more lines that are missed again and again than it "
			       "has ways\n");
	else if (sets == 1)
		writer_text(w, "    %" PRIu64 " lines compete for one set of %u ways", lines,
			    m->cache.ways);
	else
		writer_text(w, "    %" PRIu64 " lines compete for %zu sets of %u ways", lines, sets,
			    m->cache.ways);
	if (sets)
		writer_text(w, ": %.2f %% of the samples\n", percent_of(missed, c->missed));
}

static void print_conflict(const struct mem *m, struct writer *w, const struct profile *p,
			   const struct conflicts *c, const struct set_conflict *set)
{
	char place[256] = "";

	if (set->load)
		load_place(m, load_of_number(p, set->load - 1), place, sizeof(place));
	writer_row(w);
	writer_string(w, "event", NULL, p->event->name);
	writer_string(w, "table", NULL, "set");
	writer_double(w, "percent", "    %7.2f", 2, percent_of(set->missed, c->missed));
	writer_u64(w, "samples", " %8" PRIu64, set->missed);
	writer_u64(w, "set", "  set %3" PRIu64, set->key.a);
	writer_u64(w, "lines", ": %3" PRIu64 " lines", set->lines);
	writer_u64(w, "ways", NULL, set->ways);
	writer_u64(w, "step", ", %" PRIu64 " bytes apart", set->step);
	writer_u64(w, "lowest", " from %#" PRIx64, set->lowest);
	writer_u64(w, "highest", " to %#" PRIx64, set->highest);
	writer_u64(w, "pid", NULL, memory_pid(set->key.b));
	writer_string(w, "object", ", in %s", set->several ? "several objects" : set->object->name);
	writer_string(w, "instruction", *place ? ", all by %s" : NULL, place);
	writer_text(w, "\n");
	writer_end_row(w);
}

bool mem_conflict_advice(const struct mem *m, const struct set_conflict *set, char *text,
			 size_t size)
{
	uint64_t way = (uint64_t)m->cache.sets * m->cache.line;

	if (!set || !set->step || set->step % way)
		return false;
	snprintf(text, size, "Lines that are a multiple of %" PRIu64 " bytes apart share a set: "
		 "put %u bytes (a line) more between them.", way, m->cache.line);
	return true;
}

static void print_advice(const struct mem *m, struct writer *w, const struct conflicts *c)
{
	char text[160];

	if (mem_conflict_advice(m, c->list[0], text, sizeof(text)))
		writer_text(w, "    %s\n", text);
}

void mem_print_conflicts(struct mem *m, struct writer *w, const struct profile *p)
{
	unsigned int limit = m->args->limit ? m->args->limit : UINT32_MAX, i;
	struct conflicts c;

	if (!m->cache.sets)
		return;
	if (mem_find_conflicts(m, p, &c)) {
		complain("mem", 0, "out of memory: sets of the cache are left out");
		conflicts_free(&c);
		return;
	}
	writer_text(w, "\n  sets of the first-level data cache: %u sets x %u ways x %u bytes (%s)\n",
		    m->cache.sets, m->cache.ways, m->cache.line,
		    m->cache_recorded ? "as recorded" : "of this machine");
	if (!misses_known(p))
		writer_text(w, "    (whether these accesses missed was not recorded)\n");
	print_headline(m, w, &c);
	for (i = 0; i < limit && c.list[i]; i++)
		print_conflict(m, w, p, &c, c.list[i]);
	print_advice(m, w, &c);
	conflicts_free(&c);
}
