// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of pmuctl analyze summed up: by instruction as pmuctl annotate does, by data
 * address as pmuctl mem does.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/analyze/hot.h"

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
	bool has_cache;
	int err;

	*m = (struct mem){ .args = &all, .ctx = hot->a->run.c.ctx, .data = hot->data };
	m->info = pmuctl_data_get_info(hot->data);
	has_cache = mem_find_cache(m);
	hot->has_mem = true;
	err = mem_collect(m);
	if (err || !has_cache)
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

struct hot_sets hot_find_sets(const struct hot *hot, const struct load *load)
{
	struct set_conflict **list = hot->conflicts.list;
	struct hot_sets found = { .sets = 0 };
	size_t i;

	for (i = 0; list && list[i]; i++) {
		if (list[i]->load != load->number + 1)
			continue;
		if (!found.sets++) {
			found.worst = list[i];
			found.ways = list[i]->ways;
			found.step = list[i]->step;
		}
		found.lines += list[i]->lines;
	}
	return found;
}
