// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One of the two files: where the samples of an event were, and in which functions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/diff/diff.h"

void weight_add(struct weight *to, const struct weight *more)
{
	to->samples += more->samples;
	to->events += more->events;
	to->squares += more->squares;
}

double weight_trials(const struct weight *w)
{
	return w->squares > 0 ? w->events / w->squares * w->events : 0;
}

/* ---- places --------------------------------------------------------------------------------- */

static bool same_comm(const void *data, uint32_t id, const void *comm)
{
	return !strcmp(((const struct diff_side *)data)->comms[id], comm);
}

/* INDEX_NONE: no memory. */
static uint32_t number_of_comm(struct diff_side *side, const char *comm)
{
	uint32_t hash = hash_text(comm, 0);
	uint32_t id = index_find(&side->comm_index, hash, same_comm, side, comm);

	if (id != INDEX_NONE)
		return id;
	if (!index_room((void **)&side->comms, side->comms_count, &side->comms_room,
			sizeof(*side->comms)) ||
	    !index_add(&side->comm_index, hash, side->comms_count))
		return INDEX_NONE;
	side->comms[side->comms_count] = comm;
	return side->comms_count++;
}

uint32_t place_dso(const struct place *place)
{
	return (uint32_t)place->key.a;
}

const char *place_comm(const struct diff_side *side, const struct place *place)
{
	return side->comms[place->key.a >> 32];
}

static int take_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct diff_side *side = data;
	/* Without periods samples are what is counted. */
	double period = sample->period ? (double)sample->period : 1;
	const struct weight one = { 1, period, period * period };
	const struct pmuctl_data_info *info = pmuctl_data_get_info(side->data);
	struct pmuctl_place at;
	struct place *place;
	uint32_t comm = 0;

	if (strcmp(info->events[sample->event].name, info->events[side->event].name) != 0)
		return 0;
	if (side->by_comm)
		comm = number_of_comm(side, pmuctl_data_comm(side->data, sample->tid,
							     sample->time));
	pmuctl_data_sample_place(side->data, sample, &at);
	place = comm == INDEX_NONE ? NULL :
		table_get(&side->places, (uint64_t)comm << 32 | at.dso, at.address);
	if (!place)
		return -ENOMEM;
	place->kernel = sample->kernel;
	weight_add(&place->weight, &one);
	weight_add(&side->all, &one);
	return 0;
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Of a DSO what has no symbol. */
#define NO_SYMBOL UINT64_MAX

static struct diff_half *find_half(struct diff_side *side, const struct place *place)
{
	const struct pmuctl_place at = { place_dso(place), place->key.b };
	struct pmuctl_symbol symbol;
	struct diff_half *half;

	pmuctl_data_symbol(side->data, &at, &symbol);
	half = table_get(&side->halves, at.dso, symbol.name ? symbol.start : NO_SYMBOL);
	if (!half)
		return NULL;
	half->name = symbol.name;
	half->size = symbol.size;
	half->kernel = place->kernel;
	return half;
}

static int find_halves(struct diff_side *side)
{
	size_t i;

	for (i = 0; i < side->places.slots_count; i++) {
		struct place *place = side->places.slots[i];

		if (!place)
			continue;
		place->half = find_half(side, place);
		if (!place->half)
			return -ENOMEM;
		missing_add(&side->missing, place_dso(place), place->half->name,
			    place->weight.samples);
	}
	return 0;
}

int side_read(struct diff_side *side)
{
	int err;

	table_init(&side->places, sizeof(struct place));
	table_init(&side->halves, sizeof(struct diff_half));
	err = pmuctl_data_samples(side->data, take_sample, side);
	return err ? err : find_halves(side);
}

void side_free(struct diff_side *side)
{
	uint32_t i;

	for (i = 0; i < side->objects_count; i++)
		free(side->objects[i]);
	free(side->objects);
	table_free(&side->places, NULL);
	table_free(&side->halves, NULL);
	missing_free(&side->missing);
	index_free(&side->inlined_index);
	index_free(&side->comm_index);
	free(side->inlined);
	free(side->comms);
}

/* ---- what was inlined ------------------------------------------------------------------------ */

static bool same_name(const void *data, uint32_t id, const void *name)
{
	return !strcmp(((const struct diff_side *)data)->inlined[id].name, name);
}

static uint32_t find_inlined(struct diff_side *side, const char *name)
{
	uint32_t hash = hash_text(name, 0);
	uint32_t id = index_find(&side->inlined_index, hash, same_name, side, name);

	if (id != INDEX_NONE)
		return id;
	if (!index_room((void **)&side->inlined, side->inlined_count, &side->inlined_room,
			sizeof(*side->inlined)) ||
	    !index_add(&side->inlined_index, hash, side->inlined_count))
		return INDEX_NONE;
	side->inlined[side->inlined_count] = (struct inlined){ name, 0 };
	return side->inlined_count++;
}

/* One that was inlined into itself had the samples once. */
static bool is_repeated(const struct pmuctl_inlined *inlined, int i)
{
	int k;

	for (k = 0; k < i; k++)
		if (!strcmp(inlined[k].name, inlined[i].name))
			return true;
	return false;
}

static int read_inlined(struct diff_side *side)
{
	size_t i;

	side->inlined_read = true;
	for (i = 0; i < side->places.slots_count; i++) {
		const struct place *place = side->places.slots[i];
		const struct pmuctl_inlined *inlined;
		struct pmuctl_place at;
		int k, count;

		if (!place)
			continue;
		at = (struct pmuctl_place){ place_dso(place), place->key.b };
		count = at.dso ? pmuctl_data_inlined(side->data, &at, &inlined) : -ENODATA;
		side->inlined_known |= count >= 0;
		for (k = 0; k < count; k++) {
			uint32_t id;

			if (is_repeated(inlined, k))
				continue;
			id = find_inlined(side, inlined[k].name);
			if (id == INDEX_NONE)
				return -ENOMEM;
			side->inlined[id].events += place->weight.events;
		}
	}
	return 0;
}

int side_inlined(struct diff_side *side, const char *name, double *events)
{
	uint32_t id;

	if (!side->inlined_read && read_inlined(side))
		return -ENOMEM;
	if (!side->inlined_known)
		return -ENODATA;
	id = index_find(&side->inlined_index, hash_text(name, 0), same_name, side, name);
	*events = id == INDEX_NONE ? 0 : side->inlined[id].events;
	return 0;
}
