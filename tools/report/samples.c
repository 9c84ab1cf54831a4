// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adding the samples of a file up to the rows of pmuctl report, in one pass.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/progress.h"
#include "tools/report/run.h"

/* Addresses that are looked up in a millisecond or so. */
#define STEP 512

static void add_weight(struct report_weight *weight, uint64_t events)
{
	weight->samples++;
	weight->events += events;
}

/* Where names were asked for. */
static void add_missing(struct profile *r, uint32_t spot, uint64_t samples)
{
	const struct report_spot *s = &r->spots[spot];

	if (s->function != INDEX_NONE)
		missing_add(&r->missing, s->place.dso, r->functions[s->function].name, samples);
}

static uint32_t spot_at(struct profile *r, const struct pmuctl_data_sample *sample,
			const struct caller *caller)
{
	struct report_spot key = { .kernel = caller->kernel, .returns = caller->returns };

	callers_place(r->data, sample, caller, &key.place);
	/* What is no address of code is shown as it is: nothing returns to it. */
	if (!key.place.dso)
		key.place.address = caller->raw;
	return report_find_spot(r, &key);
}

/* The frame of a spot that so many functions were inlined around. */
static uint32_t frame_at(struct profile *r, uint32_t spot, uint32_t level)
{
	struct report_spot key = r->spots[spot];

	key.level = level;
	return level ? report_find_spot(r, &key) : spot;
}

/* What was inlined there, and then the function itself. */
static int push_frames(struct profile *r, uint32_t spot)
{
	uint32_t level = spot == INDEX_NONE ? 0 : r->spots[spot].levels;
	size_t wanted = r->chain_count + level + 1;

	if (wanted > r->chain_room) {
		uint32_t *more = reallocarray(r->chain_spots, 2 * wanted, sizeof(*more));

		if (!more)
			return -ENOMEM;
		r->chain_spots = more;
		r->chain_room = 2 * wanted;
	}
	do {
		uint32_t frame = spot == INDEX_NONE ? spot : frame_at(r, spot, level);

		if (frame == INDEX_NONE)
			return -ENOMEM;
		r->chain_spots[r->chain_count++] = frame;
	} while (level--);
	return 0;
}

/* The places of the whole chain; without children and callers the first is all that counts. */
static int take_chain(struct profile *r, const struct pmuctl_data_sample *sample)
{
	size_t i;

	if (callers_take(&r->chain, r->data, sample))
		return -ENOMEM;
	r->chain_count = 0;
	for (i = 0; i < r->chain.count; i++)
		if (push_frames(r, spot_at(r, sample, &r->chain.at[i])))
			return -ENOMEM;
	return 0;
}

/* A function that called itself had these events once: what is below it is by its first entry. */
static int add_frame(struct profile *r, struct report_row *key, size_t i, uint64_t events)
{
	struct report_row *row;
	uint32_t id;

	if (!r->spots[r->chain_spots[i]].wanted)
		return 0;
	key->spot = r->chain_spots[i];
	id = report_find_row(r, key);
	if (id == INDEX_NONE)
		return -ENOMEM;
	row = &r->rows[id];
	if (!i) {
		add_weight(&row->self, events);
		add_missing(r, key->spot, 1);
	}
	if (row->last == r->sample)
		return 0;
	row->last = r->sample;
	add_weight(&row->all, events);
	return r->args->graph.on ? report_add_callers(r, id, i, events) : 0;
}

static int add_chain(struct profile *r, const struct pmuctl_data_sample *sample)
{
	bool caller_first = r->args->graph.caller_first;
	struct report_row key;
	size_t i, count;
	int err = take_chain(r, sample);

	if (err)
		return err;
	report_set_key(r, sample, &key);
	count = r->children ? r->chain_count : 1;
	for (i = 0; i < count && !err; i++)
		err = add_frame(r, &key, caller_first ? count - 1 - i : i, sample->period);
	return err;
}

static void show_progress(struct profile *r, size_t left)
{
	if (!r->sums)
		r->sums = left + 1;
	if (left % STEP == 0)
		progress_show(r->filter.cmd, "looking up addresses:", "%",
			      100 * (double)(r->sums - left) / (double)r->sums, 100);
}

/* Each address is looked up once, now that all are known. */
static int add_sum(void *data, const struct pmuctl_data_sum *sum)
{
	struct profile *r = data;
	const struct report_spot spot = { .place = sum->place, .kernel = sum->kernel };
	struct report_row key = {
		.event = sum->event, .comm = sum->comm, .pid = sum->pid, .tid = sum->tid,
		.cpu = sum->cpu, .callers = INDEX_NONE, .to = INDEX_NONE,
	};
	uint32_t id;

	show_progress(r, sum->left);
	key.spot = r->once ? report_add_spot(r, &spot) : report_find_spot(r, &spot);
	if (key.spot != INDEX_NONE)
		key.spot = frame_at(r, key.spot, r->spots[key.spot].levels);
	if (key.spot == INDEX_NONE)
		return -ENOMEM;
	if (r->spots[key.spot].wanted) {
		id = report_find_row(r, &key);
		if (id == INDEX_NONE)
			return -ENOMEM;
		add_missing(r, key.spot, sum->samples);
		r->rows[id].self.samples += sum->samples;
		r->rows[id].self.events += sum->events;
		if (r->rows[id].spot == key.spot)
			return 0;
	}
	/* The row has one already, or there is none. */
	if (r->once)
		r->spots_count = key.spot;
	return 0;
}

static bool uses_chains(const struct profile *r)
{
	return r->children || r->args->graph.on;
}

/* 1: it is one of those that rows are made of; 0: at most a part of all. */
static int count_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct profile *r = data;
	const struct pmuctl_data_event *event = &r->events[sample->event];

	if (r->args->event && strcmp(r->args->event, event->name) != 0)
		return 0;
	if (!filter_is_there(&r->filter, sample))
		return 0;
	add_weight(&r->totals[sample->event], sample->period);
	if (event->precise && !sample->exact)
		r->uncertain[sample->event]++;
	return filter_wants_task(&r->filter, sample);
}

static int add_branches(void *data, const struct pmuctl_data_sample *sample)
{
	struct profile *r = data;

	if (r->args->event && strcmp(r->args->event, r->events[sample->event].name) != 0)
		return 0;
	if (!filter_is_there(&r->filter, sample) || !filter_wants_task(&r->filter, sample))
		return 0;
	return report_add_branches(r, sample);
}

static int add_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct profile *r = data;

	r->sample++;
	return count_sample(r, sample) ? add_chain(r, sample) : 0;
}

/* All of them count, and the file says how many there are. */
static void take_totals(struct profile *r, const struct pmuctl_data_info *info)
{
	size_t i;

	for (i = 0; i < info->events_count; i++) {
		r->totals[i] = (struct report_weight){ info->events[i].samples,
						       info->events[i].events };
		if (info->events[i].precise)
			r->uncertain[i] = info->events[i].inexact;
	}
}

static int add_sums(struct profile *r, const struct pmuctl_data_info *info)
{
	struct pmuctl_data_sums_options options = { .size = sizeof(options) };
	int err;

	options.by = (report_by(r->args, KEY_COMM) ? PMUCTL_BY_COMM : 0) |
		     (report_by(r->args, KEY_PID) ? PMUCTL_BY_PID : 0) |
		     (report_by(r->args, KEY_TID) ? PMUCTL_BY_TID : 0) |
		     (report_by(r->args, KEY_CPU) ? PMUCTL_BY_CPU : 0);
	r->once = !options.by && !r->inlines.on;
	if (r->args->event || filter_asks(&r->filter)) {
		options.wanted = count_sample;
		options.wanted_data = r;
	} else {
		take_totals(r, info);
	}
	err = pmuctl_data_sums(r->data, &options, add_sum, r);
	progress_end();
	return err;
}

int report_read(struct profile *r)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(r->data);

	r->children = r->args->children < 0 ? samples_have(info, PERF_SAMPLE_CALLCHAIN) &&
					     !report_by_branches(r->args) : r->args->children;
	r->events = info->events;
	r->totals = calloc(info->events_count, sizeof(*r->totals));
	r->uncertain = calloc(info->events_count, sizeof(*r->uncertain));
	if (!r->totals || !r->uncertain)
		return -ENOMEM;
	if (report_by_branches(r->args))
		return pmuctl_data_samples(r->data, add_branches, r);
	/* Without callers no copy of a stack need be looked at. */
	return uses_chains(r) ? pmuctl_data_chains(r->data, add_sample, r) : add_sums(r, info);
}

void report_free(struct profile *r)
{
	filter_close(&r->filter);
	callers_free(&r->chain);
	missing_free(&r->missing);
	free(r->chain_spots);
	index_free(&r->function_index);
	index_free(&r->spot_index);
	index_free(&r->row_index);
	index_free(&r->node_index);
	free(r->functions);
	free(r->spots);
	free(r->rows);
	free(r->nodes);
	free(r->totals);
	free(r->uncertain);
}
