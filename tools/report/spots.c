// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of pmuctl report: each is looked up once, whoever was seen there.
 */
#include <stdlib.h>

#include "tools/report/run.h"

bool report_room(void **array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t wanted = *room ? 2 * *room : 256;
	void *more;

	if (count < *room)
		return true;
	if (*room > INDEX_NONE / 4)
		return false;
	more = reallocarray(*array, wanted, size);
	if (!more)
		return false;
	*array = more;
	*room = wanted;
	return true;
}

static bool same_function(const void *data, uint32_t id, const void *key)
{
	const struct report_function *a = &((const struct profile *)data)->functions[id], *b = key;

	/* With a symbol and without: a place may be the start of a function too. */
	return a->dso == b->dso && a->start == b->start && a->kernel == b->kernel &&
	       !a->name == !b->name;
}

static uint32_t add_function(struct profile *r, const struct report_function *key)
{
	uint32_t hash = hash_u64(key->start, 2 * (uint64_t)key->dso + key->kernel);
	uint32_t id = index_find(&r->function_index, hash, same_function, r, key);

	if (id != INDEX_NONE)
		return id;
	if (!report_room((void **)&r->functions, r->functions_count, &r->functions_room,
			 sizeof(*r->functions)) ||
	    !index_add(&r->function_index, hash, r->functions_count))
		return INDEX_NONE;
	r->functions[r->functions_count] = *key;
	return r->functions_count++;
}

static uint32_t function_of(struct profile *r, const struct report_spot *spot)
{
	struct report_function key = { .dso = spot->place.dso, .kernel = spot->kernel };
	struct pmuctl_symbol symbol;

	callers_symbol(r->data, &spot->place, spot->returns, &symbol);
	key.name = symbol.name;
	key.start = symbol.name ? symbol.start : spot->place.address;
	return add_function(r, &key);
}

/* What nobody asked for is not looked up: lines above all take long. */
static bool needs_functions(const struct report_args *args)
{
	return report_by(args, KEY_SYMBOL) || args->symbols || args->graph.on;
}

static bool same_spot(const void *data, uint32_t id, const void *key)
{
	const struct report_spot *a = &((const struct profile *)data)->spots[id], *b = key;

	return a->place.address == b->place.address && a->place.dso == b->place.dso &&
	       a->kernel == b->kernel && a->returns == b->returns;
}

static uint32_t add_spot(struct profile *r, uint32_t hash, const struct report_spot *key)
{
	struct report_spot spot = *key;

	spot.function = INDEX_NONE;
	if (needs_functions(r->args)) {
		spot.function = function_of(r, &spot);
		if (spot.function == INDEX_NONE)
			return INDEX_NONE;
	}
	spot.wanted = report_wants_spot(r, &spot);
	if (report_by(r->args, KEY_LINE))
		pmuctl_data_line(r->data, &spot.place, &spot.file, &spot.line);
	if (!report_room((void **)&r->spots, r->spots_count, &r->spots_room, sizeof(*r->spots)) ||
	    !index_add(&r->spot_index, hash, r->spots_count))
		return INDEX_NONE;
	r->spots[r->spots_count] = spot;
	return r->spots_count++;
}

uint32_t report_find_spot(struct profile *r, const struct report_spot *key)
{
	uint32_t hash = hash_u64(key->place.address, 2 * (uint64_t)key->place.dso + key->kernel);
	uint32_t id = index_find(&r->spot_index, hash, same_spot, r, key);

	return id != INDEX_NONE ? id : add_spot(r, hash, key);
}
