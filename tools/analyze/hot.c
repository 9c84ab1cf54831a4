// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of pmuctl analyze summed up: by instruction as pmuctl annotate does, by data
 * address as pmuctl mem does; and why an instruction is hot.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analyze/hot.h"
#include "tools/samples/text.h"

/* Everything that is in the file. */
static const struct view_args all = { .limit = 0 };

/* The file has one that is sampled; that of its tasks has none. */
static size_t find_event(const struct pmuctl_data_info *info)
{
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (info->events[i].samples)
			return i;
	return 0;
}

static int by_address(const struct hit *a, const struct hit *b)
{
	if (a->key.a != b->key.a)
		return a->key.a < b->key.a ? -1 : 1;
	return a->key.b < b->key.b ? -1 : a->key.b > b->key.b;
}

/* data: which event. */
static int by_events(const void *x, const void *y, void *data)
{
	const struct hit *a = *(struct hit *const *)x, *b = *(struct hit *const *)y;
	size_t event = *(size_t *)data;
	uint64_t of_a = a->counts[event].events, of_b = b->counts[event].events;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return by_address(a, b);
}

static int take_hits(struct hot *hot)
{
	struct annotation *n = &hot->annotation;
	size_t i;
	int err = annotation_collect(n);

	if (err)
		return err;
	hot->hits = calloc(n->places.count + 1, sizeof(struct hit *));
	if (!hot->hits)
		return -ENOMEM;
	for (i = 0; i < n->places.count; i++)
		hot->hits[i] = n->hits[i];
	qsort_r(hot->hits, n->places.count, sizeof(struct hit *), by_events, &hot->event);
	return 0;
}

/* Without a cache to go by there are no sets, but addresses. */
static int take_addresses(struct hot *hot)
{
	struct mem *m = &hot->mem;
	int err = mem_read(m, hot->a->run.c.ctx, hot->data);

	hot->has_mem = true;
	if (err || !m->cache.sets)
		return err;
	return mem_find_conflicts(m, &m->profiles[hot->event], &hot->conflicts);
}

int hot_collect(struct hot *hot, const struct analyze *a, struct pmuctl_data *data)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(data);
	int err;

	*hot = (struct hot){ .a = a, .data = data, .event = find_event(info) };
	hot->annotation = (struct annotation){
		.args = &all, .data = data, .events = info->events,
		.events_count = info->events_count,
	};
	err = take_hits(hot);
	return err || !a->content ? err : take_addresses(hot);
}

void hot_free(struct hot *hot)
{
	if (hot->conflicts.sets.entry_size)
		conflicts_free(&hot->conflicts);
	if (hot->has_mem)
		mem_free(&hot->mem);
	annotation_free(&hot->annotation);
	free(hot->hits);
}

double hot_percent(const struct hot *hot, const struct hit *hit)
{
	return percent_of(hit->counts[hot->event].events,
			  hot->annotation.events[hot->event].events);
}

struct pmuctl_place hot_place(const struct hit *hit)
{
	return (struct pmuctl_place){ .dso = (uint32_t)hit->key.a, .address = hit->key.b };
}

const struct load *hot_load(const struct hot *hot, const struct hit *hit)
{
	const struct load *load;

	if (!hot->has_mem)
		return NULL;
	load = table_find(&hot->mem.profiles[hot->event].loads, hit->key.a, hit->key.b);
	return load && load->amount.samples ? load : NULL;
}

/* ---- why an instruction is hot, in words ------------------------------------------------ */

/* A stride is one if it comes this often. */
#define STRIDE_MIN 50	/* percent */

static const char *kind_of(const struct pmuctl_insn *insn)
{
	static const struct {
		const char *starts, *kind;
	} kinds[] = { { "div", "division" }, { "idiv", "division" }, { "fdiv", "division" } };
	size_t i;

	if (insn->branch)
		return "branch";
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(insn->text, kinds[i].starts, strlen(kinds[i].starts)))
			return kinds[i].kind;
	for (i = 0; i < insn->memory_count; i++)
		if (insn->memory[i].reads || insn->memory[i].writes)
			return insn->memory[i].reads ? "load" : "store";
	return "instruction";
}

static void put_sets(FILE *to, const struct load_sets *sets)
{
	fprintf(to, "; its addresses: %" PRIu64 " lines in ", sets->lines);
	if (sets->sets == 1)
		fputs("one set", to);
	else
		fprintf(to, "%" PRIu64 " sets", sets->sets);
	fprintf(to, " of %" PRIu64 " ways of the first-level cache, %" PRIu64 " bytes apart",
		sets->ways, sets->step);
}

static void put_stride(FILE *to, const struct profile *p, const struct load *load)
{
	const struct stride *best = mem_best_stride(p, load);
	double share = best ? percent_of(best->pairs, load->pairs) : 0;

	if (!load->reach && load->memories > 1) {
		fputs("; its address is always the same in each process", to);
		return;
	}
	if (!load->reach) {
		fprintf(to, "; its address is always the same, %#" PRIx64, load->first);
		return;
	}
	fprintf(to, "; its addresses: over %" PRIu64 " bytes", load->reach);
	if (best && share >= STRIDE_MIN)
		fprintf(to, ", most often %+" PRId64 " from the one before (%.0f %%)",
			(int64_t)best->key.b, share);
	else
		fputs(", in no order", to);
}

static void put_addresses(FILE *to, const struct hot *hot, const struct load *load)
{
	struct load_sets sets = load_sets_of(&hot->conflicts, load);

	if (sets.sets)
		put_sets(to, &sets);
	else
		put_stride(to, &hot->mem.profiles[hot->event], load);
	if (load->amount.weighed)
		fprintf(to, "; %.0f cycles each", (double)load->amount.cycles /
			(double)load->amount.weighed);
}

char *hot_reason(const struct hot *hot, const struct hit *hit)
{
	const struct pmuctl_place place = hot_place(hit);
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	const struct load *load = hot_load(hot, hit);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	place_insn(hot->data, &place, &insn);
	fprintf(to, "%.1f %% of the samples of %s: this %s%s", hot_percent(hot, hit),
		hot->a->node->name, kind_of(&insn),
		hot->a->why_not_precise ? ", or one shortly before it" : "");
	if (load)
		put_addresses(to, hot, load);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

bool hot_advice(const struct hot *hot, char *text, size_t size)
{
	const struct load *load = hot->hits[0] ? hot_load(hot, hot->hits[0]) : NULL;

	struct load_sets sets = { .worst = NULL };

	if (load)
		sets = load_sets_of(&hot->conflicts, load);
	return mem_conflict_advice(&hot->mem, sets.worst, text, size);
}
