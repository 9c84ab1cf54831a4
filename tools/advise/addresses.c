// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is to be done about a load that misses, by where it goes: its lines compete for sets, or
 * little of each is used, or all of them come again but are more than the first level holds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"

/* What less than this takes away is not worth to be said. */
#define SHARE_LEAST	0.25
/* A record is gone through in its order if so many steps are alike, in per cent. */
#define ORDER_LEAST	50
#define FIELDS_MOST	64
#define LINE		64u

/* ---- addresses of a run --------------------------------------------------------------------- */

struct addresses {
	struct mem m;
	struct conflicts conflicts;
	const struct profile *p;
	const struct load *load;
	bool opened, has_conflicts;
};

static const struct load *load_at(const struct addresses *s, const struct hot_spot *spot)
{
	const char *file = pmuctl_data_dso(spot->data, spot->place.dso);
	const struct load *load;
	size_t i;

	for (i = 0; i < s->p->loads.slots_count; i++) {
		load = s->p->loads.slots[i];
		if (load && load->key.b == spot->place.address && load->amount.samples &&
		    !strcmp(pmuctl_data_dso(s->m.data, (uint32_t)load->key.a), file))
			return load;
	}
	return NULL;
}

/* 0 or a negative errno; without addresses there is no load. */
static int read_addresses(struct advise *a, unsigned int run, const struct hot_spot *spot,
			  struct addresses *s)
{
	int err;

	if (!a->runs[run].s.data || !a->runs[run].s.content)
		return 0;
	err = mem_read(&s->m, a->ctx, a->runs[run].s.data);
	s->opened = true;
	if (err)
		return err;
	s->p = &s->m.profiles[0];
	s->load = load_at(s, spot);
	s->has_conflicts = s->m.cache.sets && run != RUN_LOADS;
	return s->has_conflicts ? mem_find_conflicts(&s->m, s->p, &s->conflicts) : 0;
}

static void free_addresses(struct addresses *s)
{
	if (s->has_conflicts)
		conflicts_free(&s->conflicts);
	if (s->opened)
		mem_free(&s->m);
}

static void put_size(FILE *to, uint64_t bytes)
{
	if (bytes >= 2 << 20)
		fprintf(to, "%" PRIu64 " MiB", bytes >> 20);
	else if (bytes >= 2 << 10)
		fprintf(to, "%" PRIu64 " KiB", bytes >> 10);
	else
		fprintf(to, "%" PRIu64 " bytes", bytes);
}

/* ---- lines that compete for sets ------------------------------------------------------------ */

static void pad(const struct addresses *s, struct cure *cure, FILE *to)
{
	const struct load_sets sets = load_sets_of(&s->conflicts, s->load);
	char advice[160];

	if (!mem_conflict_advice(&s->m, sets.worst, advice, sizeof(advice)))
		return;
	fprintf(to, "%s Its %" PRIu64 " lines compete for %" PRIu64 " set%s of %" PRIu64 " ways.", advice,
		sets.lines, sets.sets, sets.sets == 1 ? "" : "s", sets.ways);
	cure->remedy = REMEDY_PAD;
	cure->share = 1;
}

/*
 * Column by column all sets take their turns, and none has more misses than others; in a column
 * there is one that has all of its lines.
 */
static void pad_steps(const struct addresses *s, const struct finding *f, struct cure *cure,
		      FILE *to)
{
	uint64_t way = (uint64_t)s->m.cache.sets * s->m.cache.line;
	int64_t stride = loop_stride(f->spot, &f->loop);
	uint64_t step = stride < 0 ? -(uint64_t)stride : (uint64_t)stride;

	if (!step || step % way || s->load->reach < step * s->m.cache.ways)
		return;
	fprintf(to, "Make its steps of %" PRIu64 " bytes %u (a line) longer: lines that are a multiple of "
		"%" PRIu64 " bytes apart share a set, which has %u ways.", step, s->m.cache.line, way,
		s->m.cache.ways);
	cure->remedy = REMEDY_PAD;
	cure->share = 1;
}

/* ---- fields of records ---------------------------------------------------------------------- */

struct fields {
	uint64_t step;			/* bytes of a record */
	uint64_t offsets[FIELDS_MOST], sizes[FIELDS_MOST];
	size_t count;
	uint64_t used;			/* bytes of a record */
	uint64_t lines;			/* that those are in */
};

static uint64_t size_of(const struct load *load)
{
	const struct pmuctl_insn *insn = &load->insn;

	return insn->memory_count && insn->memory[0].bytes ? insn->memory[0].bytes : 8;
}

/* Whether both go through the same records. */
static bool together(const struct load *a, const struct load *b)
{
	uint64_t apart = a->first > b->first ? a->first - b->first : b->first - a->first;

	return b->reach && !(b->step % a->step) && apart <= a->reach + a->step &&
	       b->reach * 2 >= a->reach;
}

static void add_field(struct fields *f, uint64_t offset, uint64_t size)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		if (f->offsets[i] == offset) {
			f->sizes[i] = f->sizes[i] > size ? f->sizes[i] : size;
			return;
		}
	if (f->count == FIELDS_MOST)
		return;
	f->offsets[f->count] = offset;
	f->sizes[f->count++] = size;
}

/* Records begin where a step's multiple is: where they do is not known, what repeats is. */
static void find_fields(const struct addresses *s, struct fields *f)
{
	const struct load *load;
	uint64_t lines[FIELDS_MOST], line;
	size_t i, j;

	f->step = s->load->step;
	for (i = 0; i < s->p->loads.slots_count; i++) {
		load = s->p->loads.slots[i];
		if (load && load->amount.samples && together(s->load, load))
			add_field(f, load->first % f->step, size_of(load));
	}
	for (i = 0; i < f->count; i++) {
		f->used += f->sizes[i];
		line = f->offsets[i] / LINE;
		for (j = 0; j < f->lines && lines[j] != line; j++)
			;
		if (j == f->lines)
			lines[f->lines++] = line;
	}
}

static int by_offset(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static void put_fields(FILE *to, const struct fields *f, bool ordered)
{
	uint64_t sorted[FIELDS_MOST];
	size_t i;

	memcpy(sorted, f->offsets, f->count * sizeof(*sorted));
	qsort(sorted, f->count, sizeof(*sorted), by_offset);
	fprintf(to, "Lay out next to each other what is used together: of each %" PRIu64 " bytes that this "
		"goes through%s only %" PRIu64 " are used, in %" PRIu64 " line%s", f->step,
		ordered ? "" : " in no order", f->used, f->lines, f->lines == 1 ? "" : "s");
	for (i = 0; f->count > 1 && i < f->count; i++)
		fprintf(to, "%s%" PRIu64, !i ? ", at offsets " : i + 1 == f->count ? " and " : ", ",
			sorted[i] - sorted[0]);
	fputs(".", to);
}

static uint64_t first_level(const struct addresses *s)
{
	return (uint64_t)s->m.cache.sets * s->m.cache.ways * s->m.cache.line;
}

/*
 * Lines that a record takes now, and those that what is used of it would take: none once the first
 * level has all of them.
 */
static void gather(const struct addresses *s, struct cure *cure, FILE *to)
{
	struct fields f = { .count = 0 };
	const struct stride *best;
	double before, behind, share;
	bool ordered;

	if (!s->load || s->load->step <= size_of(s->load))
		return;
	find_fields(s, &f);
	best = mem_best_stride(s->p, s->load);
	ordered = best && percent_of(best->pairs, s->load->pairs) >= ORDER_LEAST;
	before = f.step < LINE ? (double)f.step / LINE : (double)f.lines;
	behind = (double)f.used / LINE;
	if (f.used * (s->load->reach / f.step + 1) <= first_level(s))
		behind = 0;
	else if (!ordered && behind < 1)
		behind = 1;
	share = before > behind ? 1 - behind / before : 0;
	if (share < SHARE_LEAST)
		return;
	put_fields(to, &f, ordered);
	cure->remedy = REMEDY_GATHER;
	cure->share = share;
}

/* ---- more than the first level holds -------------------------------------------------------- */

static void block(struct advise *a, const struct finding *f, const struct addresses *s,
		  struct cure *cure, FILE *to)
{
	uint64_t l1d = first_level(s);
	uint64_t step = s->load->step > LINE ? s->load->step : LINE;
	double passes = s->load->reach ? spot_events(a, f->spot, CLUE_MISSES) * (double)step /
			(double)s->load->reach : 0;

	if (!l1d || s->load->reach <= l1d || passes < 2)
		return;
	fputs("Go through it block by block, as often as is needed before the next one: its ", to);
	put_size(to, s->load->reach);
	fprintf(to, " are gone through about %.0f times, and the first level holds ", passes);
	put_size(to, l1d);
	fputs(".", to);
	cure->remedy = REMEDY_BLOCK;
	cure->share = 1 - 1 / passes;
	cure->most = 1;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int no_memory(const struct advise *a)
{
	return complain(a->cmd, EXIT_FAILED, "out of memory");
}

int advise_misses(struct advise *a, const struct finding *f, struct cure *cure)
{
	struct addresses misses = { .opened = false }, loads = { .opened = false };
	size_t size;
	FILE *to = open_memstream(&cure->text, &size);
	int err;

	if (!to)
		return no_memory(a);
	err = read_addresses(a, RUN_CLUES + CLUE_MISSES, f->spot, &misses);
	if (!err && misses.load && misses.has_conflicts)
		pad(&misses, cure, to);
	if (!err && misses.load && misses.has_conflicts && !cure->share)
		pad_steps(&misses, f, cure, to);
	if (!err && misses.load && !cure->share)
		err = read_addresses(a, RUN_LOADS, f->spot, &loads);
	if (!err && misses.load && !cure->share)
		gather(&loads, cure, to);
	if (!err && misses.load && misses.has_conflicts && !cure->share)
		block(a, f, &misses, cure, to);
	free_addresses(&misses);
	free_addresses(&loads);
	return fclose(to) || err ? no_memory(a) : 0;
}
