// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the rows of pmuctl report are added up from.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/report/run.h"

/* ---- addresses: each is looked up once -------------------------------------------------- */

static bool same_function(const void *data, uint32_t id, const void *key)
{
	const struct report_function *a = &((const struct profile *)data)->functions[id], *b = key;

	/*
	 * With a symbol and without: a place may be the start of a function too.  Names of what
	 * was inlined are kept once, and so are theirs by where they are.
	 */
	return a->dso == b->dso && a->start == b->start && a->kernel == b->kernel &&
	       !a->name == !b->name && a->inlined == b->inlined &&
	       (!a->inlined || a->name == b->name);
}

static uint32_t add_function(struct profile *r, const struct report_function *key)
{
	uint32_t seed = 2 * key->dso + key->kernel;
	uint32_t hash = key->inlined ? hash_text(key->name, seed) : hash_u64(key->start, seed);
	uint32_t id = index_find(&r->function_index, hash, same_function, r, key);

	if (id != INDEX_NONE)
		return id;
	if (!index_room((void **)&r->functions, r->functions_count, &r->functions_room,
			sizeof(*r->functions)) ||
	    !index_add(&r->function_index, hash, r->functions_count))
		return INDEX_NONE;
	r->functions[r->functions_count] = *key;
	return r->functions_count++;
}

static uint32_t function_of(struct profile *r, const struct report_spot *spot,
			    const struct pmuctl_inlined *inlined, size_t levels)
{
	struct report_function key = { .dso = spot->place.dso, .kernel = spot->kernel };
	struct pmuctl_symbol symbol;

	if (spot->level) {
		key.name = inlined[levels - spot->level].name;
		key.inlined = true;
		return add_function(r, &key);
	}
	callers_symbol(r->data, &spot->place, spot->returns, &symbol);
	key.name = symbol.name;
	key.start = symbol.name ? symbol.start : spot->place.address;
	return add_function(r, &key);
}

/* What nobody asked for is not looked up: lines above all take long. */
static bool needs_functions(const struct report_args *args)
{
	return report_by(args, KEY_SYMBOL) || report_by(args, KEY_SYMBOL_FROM) ||
	       report_by(args, KEY_SYMBOL_TO) || args->filter.symbols || args->graph.on;
}

static bool same_spot(const void *data, uint32_t id, const void *key)
{
	const struct report_spot *a = &((const struct profile *)data)->spots[id], *b = key;

	return a->place.address == b->place.address && a->place.dso == b->place.dso &&
	       a->kernel == b->kernel && a->returns == b->returns && a->level == b->level;
}

uint32_t report_add_spot(struct profile *r, const struct report_spot *key)
{
	const struct pmuctl_inlined *inlined;
	size_t levels = inlines_at(&r->inlines, r->data, &key->place, &inlined);
	struct report_spot spot = *key;

	spot.levels = spot.level ? 0 : (uint32_t)levels;
	spot.function = INDEX_NONE;
	if (needs_functions(r->args)) {
		spot.function = function_of(r, &spot, inlined, levels);
		if (spot.function == INDEX_NONE)
			return INDEX_NONE;
	}
	spot.wanted = filter_wants_dso(&r->filter, spot.place.dso) &&
		      (!r->args->filter.symbols ||
		       filter_wants_symbol(&r->filter, r->functions[spot.function].name));
	if (report_wants_lines(r->args))
		inlines_line(r->data, &spot.place, inlined, levels - spot.level, &spot.file,
			     &spot.line);
	if (!index_room((void **)&r->spots, r->spots_count, &r->spots_room, sizeof(*r->spots)))
		return INDEX_NONE;
	r->spots[r->spots_count] = spot;
	return r->spots_count++;
}

uint32_t report_find_spot(struct profile *r, const struct report_spot *key)
{
	uint32_t hash = hash_u64(key->place.address + key->level,
				 2 * (uint64_t)key->place.dso + key->kernel);
	uint32_t id = index_find(&r->spot_index, hash, same_spot, r, key);

	if (id != INDEX_NONE)
		return id;
	id = report_add_spot(r, key);
	return id != INDEX_NONE && index_add(&r->spot_index, hash, id) ? id : INDEX_NONE;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Of branches; of what is none nothing of it is asked. */
static bool same_ends(const struct profile *r, const struct report_row *a,
		      const struct report_row *b)
{
	const struct report_spot *s = &r->spots[a->spot], *t = &r->spots[b->spot];

	if ((report_by(r->args, KEY_DSO_FROM) && s->place.dso != t->place.dso) ||
	    (report_by(r->args, KEY_SYMBOL_FROM) && s->function != t->function))
		return false;
	if (a->to == b->to)
		return true;
	s = &r->spots[a->to];
	t = &r->spots[b->to];
	return (!report_by(r->args, KEY_DSO_TO) || s->place.dso == t->place.dso) &&
	       (!report_by(r->args, KEY_SYMBOL_TO) || s->function == t->function);
}

bool report_same_line(const struct report_spot *s, const struct report_spot *t)
{
	return s->line == t->line && !s->file == !t->file &&
	       (!s->file || !strcmp(s->file, t->file));
}

static bool same_row(const void *data, uint32_t id, const void *key)
{
	const struct profile *r = data;
	const struct report_row *a = &r->rows[id], *b = key;
	const struct report_spot *s = &r->spots[a->spot], *t = &r->spots[b->spot];
	const struct report_args *args = r->args;

	if (a->event != b->event || a->comm != b->comm || a->pid != b->pid || a->tid != b->tid ||
	    a->cpu != b->cpu || a->mispredict != b->mispredict || !same_ends(r, a, b))
		return false;
	if (a->spot == b->spot)
		return true;
	return (!report_by(args, KEY_DSO) || s->place.dso == t->place.dso) &&
	       (!report_by(args, KEY_SYMBOL) || s->function == t->function) &&
	       (!report_by(args, KEY_ADDRESS) || (s->place.address == t->place.address &&
						  s->place.dso == t->place.dso)) &&
	       (!report_by(args, KEY_LINE) || report_same_line(s, t));
}

/* Of what tells rows apart, and of nothing else. */
static uint32_t hash_row(const struct profile *r, const struct report_row *row)
{
	const struct report_spot *s = &r->spots[row->spot];
	uint32_t hash = hash_u64((uint64_t)row->event << 32 | row->cpu,
				 (uint64_t)row->pid << 32 | row->tid);

	hash = hash_u64((uintptr_t)row->comm, hash);
	if (report_by(r->args, KEY_SYMBOL_FROM))
		hash = hash_u64(s->function, hash);
	if (report_by(r->args, KEY_SYMBOL_TO))
		hash = hash_u64(r->spots[row->to].function, hash);
	if (report_by(r->args, KEY_SYMBOL))
		hash = hash_u64(s->function, hash);
	else if (report_by(r->args, KEY_DSO))
		hash = hash_u64(s->place.dso, hash);
	if (report_by(r->args, KEY_ADDRESS))
		hash = hash_u64(s->place.address, hash);
	if (report_by(r->args, KEY_LINE))
		hash = hash_text(s->file ? s->file : "", hash + s->line);
	return hash;
}

uint32_t report_find_row(struct profile *r, const struct report_row *key)
{
	uint32_t hash = hash_row(r, key);
	uint32_t id = index_find(&r->row_index, hash, same_row, r, key);

	if (id != INDEX_NONE)
		return id;
	if (!index_room((void **)&r->rows, r->rows_count, &r->rows_room, sizeof(*r->rows)) ||
	    !index_add(&r->row_index, hash, r->rows_count))
		return INDEX_NONE;
	r->rows[r->rows_count] = *key;
	return r->rows_count++;
}

void report_set_key(const struct profile *r, const struct pmuctl_data_sample *sample,
		    struct report_row *key)
{
	*key = (struct report_row){
		.event = sample->event, .callers = INDEX_NONE, .to = INDEX_NONE,
	};
	if (report_by(r->args, KEY_COMM))
		key->comm = pmuctl_data_comm(r->data, sample->tid, sample->time);
	if (report_by(r->args, KEY_PID))
		key->pid = sample->pid;
	if (report_by(r->args, KEY_TID))
		key->tid = sample->tid;
	if (report_by(r->args, KEY_CPU))
		key->cpu = sample->cpu;
}
