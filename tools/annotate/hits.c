// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of a file, summed up by place and by symbol.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/annotate/annotate.h"

/* A file may claim any number of one. */
#define CPUS_MAX 65536

static void add(struct count *to, const struct count *more)
{
	to->samples += more->samples;
	to->events += more->events;
	to->timed += more->timed;
	to->cycles += more->cycles;
}

static bool is_wanted(const struct annotation *a, size_t event)
{
	const char *only = a->args->event;

	return event < a->events_count && (!only || !strcmp(a->events[event].name, only));
}

bool annotation_shows(const struct annotation *a, size_t event)
{
	return a->events[event].samples && is_wanted(a, event);
}

/* A file does not say which CPUs have it, but one that has it never tells 0 alone. */
static int take_timed(void *data, const struct pmuctl_data_sample *s)
{
	const struct annotation *a = data;

	if (s->cpu < CPUS_MAX)
		a->timed[s->cpu] |= s->retire > 0;
	return 0;
}

/* Of samples that say no CPU all are alike. */
static bool is_timed(const struct annotation *a, const struct pmuctl_data_sample *s)
{
	return a->timed && (s->cpu >= CPUS_MAX || a->timed[s->cpu]);
}

static struct count count_of(const struct annotation *a, const struct pmuctl_data_sample *s)
{
	return (struct count){ 1, s->period, is_timed(a, s) ? s->period : 0,
			       (double)s->period * (double)s->retire };
}

static int add_hit(struct annotation *a, const struct pmuctl_place *place, uint32_t event,
		   const struct count *count)
{
	struct hit *hit = table_get(&a->places, place->dso, place->address);

	if (!hit)
		return -ENOMEM;
	add(&hit->counts[event], count);
	return 0;
}

/* 1: it is one of those that were asked for; 0: at most a part of all. */
static int count_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct annotation *a = data;
	const struct count one = count_of(a, s);

	if (!is_wanted(a, s->event) || !filter_is_there(&a->filter, s))
		return 0;
	add(&a->totals[s->event], &one);
	if (!filter_wants_task(&a->filter, s))
		return 0;
	if (!s->exact)
		a->uncertain[s->event]++;
	return 1;
}

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct annotation *a = data;
	const struct count one = count_of(a, s);
	struct pmuctl_place place;

	if (!count_sample(a, s))
		return 0;
	pmuctl_data_sample_place(a->data, s, &place);
	return add_hit(a, &place, s->event, &one);
}

static int take_sum(void *data, const struct pmuctl_data_sum *sum)
{
	const struct count count = { .samples = sum->samples, .events = sum->events };

	return add_hit(data, &sum->place, sum->event, &count);
}

/* All of them count, and the file says how many there are. */
static void take_totals(struct annotation *a)
{
	size_t i;

	for (i = 0; i < a->events_count; i++) {
		a->totals[i] = (struct count){ .samples = a->events[i].samples,
					       .events = a->events[i].events };
		a->uncertain[i] = a->events[i].inexact;
	}
}

/* How long retirement stood still is another number in each sample; else sums will do. */
static int collect(struct annotation *a)
{
	struct pmuctl_data_sums_options options = { .size = sizeof(options) };
	int err;

	if (samples_have(pmuctl_data_get_info(a->data), PERF_SAMPLE_WEIGHT_STRUCT)) {
		a->timed = calloc(CPUS_MAX, sizeof(*a->timed));
		err = a->timed ? pmuctl_data_samples(a->data, take_timed, a) : -ENOMEM;
		return err ? err : pmuctl_data_samples(a->data, take_sample, a);
	}
	if (a->args->event || filter_asks(&a->filter)) {
		options.wanted = count_sample;
		options.wanted_data = a;
	} else {
		take_totals(a);
	}
	return pmuctl_data_sums(a->data, &options, take_sum, a);
}

/* ---- by symbol ------------------------------------------------------------- */

static struct block *block_of(struct annotation *a, const struct hit *hit)
{
	const struct pmuctl_place place = { .dso = (uint32_t)hit->key.a, .address = hit->key.b };
	struct pmuctl_symbol symbol = { .name = NULL };
	struct block *block;
	size_t i;

	pmuctl_data_symbol(a->data, &place, &symbol);
	for (i = 0; i < a->events_count; i++)
		missing_add(&a->missing, place.dso, symbol.name, hit->counts[i].samples);
	block = table_get(&a->symbols, hit->key.a, symbol.name ? symbol.start : NO_SYMBOL);
	if (!block || block->name || !symbol.name)
		return block;
	block->name = strdup(symbol.name);
	block->size = symbol.size;
	return block->name ? block : NULL;
}

static int take_hit(struct annotation *a, struct hit *hit)
{
	struct block *block = block_of(a, hit);
	size_t i;

	if (!block)
		return -ENOMEM;
	hit->block = block->key.b;
	block->hits_count++;
	for (i = 0; i < a->events_count; i++)
		add(&block->counts[i], &hit->counts[i]);
	return 0;
}

static int by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_block(const void *x, const void *y)
{
	const struct hit *a = *(struct hit *const *)x, *b = *(struct hit *const *)y;

	if (a->key.a != b->key.a)
		return by_number(a->key.a, b->key.a);
	if (a->block != b->block)
		return by_number(a->block, b->block);
	return by_number(a->key.b, b->key.b);
}

static int by_share(const void *x, const void *y)
{
	const struct block *a = *(struct block *const *)x, *b = *(struct block *const *)y;

	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	if (a->key.a != b->key.a)
		return by_number(a->key.a, b->key.a);
	return by_number(a->key.b, b->key.b);
}

static void give_hits(struct annotation *a)
{
	struct block *block;
	size_t i;

	for (i = 0; i < a->places.count; i++) {
		block = table_find(&a->symbols, a->hits[i]->key.a, a->hits[i]->block);
		if (!block->hits)
			block->hits = &a->hits[i];
	}
}

/* Of all that the file has of an event, wherever it was. */
static void take_share(const struct annotation *a, struct block *block)
{
	double share;
	size_t i;

	for (i = 0; i < a->events_count; i++) {
		share = a->totals[i].events ?
				(double)block->counts[i].events / (double)a->totals[i].events : 0;
		if (share > block->share)
			block->share = share;
	}
}

static int group(struct annotation *a)
{
	size_t i;
	int err;

	for (i = 0; i < a->places.slots_count; i++) {
		err = a->places.slots[i] ? take_hit(a, a->places.slots[i]) : 0;
		if (err)
			return err;
	}
	a->hits = (struct hit **)table_sorted(&a->places, by_block);
	for (i = 0; i < a->symbols.slots_count; i++)
		if (a->symbols.slots[i])
			take_share(a, a->symbols.slots[i]);
	a->blocks = (struct block **)table_sorted(&a->symbols, by_share);
	if (!a->hits || !a->blocks)
		return -ENOMEM;
	give_hits(a);
	return 0;
}

int annotation_collect(struct annotation *a)
{
	size_t counts = a->events_count * sizeof(struct count);
	int err;

	table_init(&a->places, sizeof(struct hit) + counts);
	table_init(&a->symbols, sizeof(struct block) + counts);
	a->uncertain = calloc(a->events_count + 1, sizeof(*a->uncertain));
	a->totals = calloc(a->events_count + 1, sizeof(*a->totals));
	if (!a->uncertain || !a->totals)
		return -ENOMEM;
	err = collect(a);
	return err ? err : group(a);
}

static void free_block(void *entry)
{
	free(((struct block *)entry)->name);
}

void annotation_free(struct annotation *a)
{
	table_free(&a->places, NULL);
	table_free(&a->symbols, free_block);
	free(a->hits);
	free(a->blocks);
	free(a->timed);
	free(a->uncertain);
	free(a->totals);
	missing_free(&a->missing);
	filter_close(&a->filter);
}
