// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What was looked up last: where addresses of processes are in their files, and what tasks are
 * called.  Samples name few places again and again.  Each answer is kept with how far it reaches,
 * in addresses and in time, and is used where it cannot be another one.
 *
 * Who reads a part of a file in a thread has answers of its own, and asks behind a lock: files of
 * code are opened there, and names kept.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perfdata/perfdata.h"

/* Powers of two: 128 KiB, of which a process takes a line of the cache for each 2 MiB of code. */
#define PLACES	512
#define NAMES	512
/* There may be several files in these. */
#define WAYS	4
#define PART_BITS 21

/* Later than `after`, for so many more nanoseconds; 0: never. */
struct spell {
	uint64_t after;
	uint64_t lasts;
};

struct known_place {
	_Alignas(64) uint64_t start;
	uint64_t size;		/* of addresses from there on; 0: free */
	struct spell spell;
	uint64_t distance;	/* from an address to that of the DSO's symbol table */
	uint32_t pid, dso;
};

struct known_name {
	struct spell spell;
	const char *name;
	uint32_t tid;
};

struct look {
	struct known_place places[PLACES][WAYS];
	struct known_name names[NAMES];
	uint64_t at;		/* in the file, see maps_set_place() */
	unsigned int turn;	/* whose place is given to others next */
};

struct look *look_new(void)
{
	struct look *look = aligned_alloc(_Alignof(struct look), sizeof(*look));

	if (!look)
		return NULL;
	memset(look, 0, sizeof(*look));
	look->at = UINT64_MAX;
	return look;
}

void look_free(struct look *look)
{
	free(look);
}

void look_forget(struct look *look)
{
	memset(look->places, 0, sizeof(look->places));
	memset(look->names, 0, sizeof(look->names));
}

void look_set_place(struct look *look, uint64_t offset)
{
	look->at = offset;
}

/* What happens at the very time is before or behind us by its place in the file: neither is in. */
static struct spell spell_of(uint64_t after, uint64_t before)
{
	return (struct spell){ after, before - after > 1 ? before - after - 1 : 0 };
}

static bool is_in(const struct spell *spell, uint64_t time)
{
	return time - spell->after - 1 < spell->lasts;
}

static struct known_place *places_of(struct look *look, uint32_t pid, uint64_t ip)
{
	uint64_t hash = ((ip >> PART_BITS) ^ (uint64_t)pid << 32) * 0x9e3779b97f4a7c15ull;

	return look->places[hash >> 48 & (PLACES - 1)];
}

/* Of addresses in a map, those whose offsets in the file are in a piece of it. */
static void bound_by_file(const struct map *map, uint64_t from, uint64_t to,
			  struct maps_spell *spell)
{
	const uint64_t moved = map->start - map->offset;

	if (from > map->offset && from + moved > spell->start)
		spell->start = from + moved;
	if (to > map->offset && to - map->offset < spell->end - map->start)
		spell->end = to + moved;
}

static uint64_t find_distance(struct pmuctl_data *data, uint64_t ip, struct maps_spell *spell)
{
	const struct map *map = spell->map;
	uint64_t offset, address, from, to;

	if (!map || map->as_it_is)
		return 0;
	offset = ip - map->start + map->offset;
	address = dsos_address_spell(data->dsos, map->dso, offset, &from, &to);
	bound_by_file(map, from, to, spell);
	return address - ip;
}

static void learn_place(struct pmuctl_data *data, const struct look *look, uint32_t pid,
			uint64_t time, uint64_t ip, struct known_place *known)
{
	struct maps_spell spell;

	maps_find_spell(data->maps, pid, time, look->at, ip, &spell);
	pthread_mutex_lock(&data->lock);
	known->distance = find_distance(data, ip, &spell);
	pthread_mutex_unlock(&data->lock);
	known->dso = spell.map ? spell.map->dso : 0;
	known->pid = pid;
	known->start = spell.start;
	/* A file of code may be damaged, and say that pieces of it have any place. */
	known->size = ip >= spell.start && ip < spell.end ? spell.end - spell.start : 0;
	known->spell = spell_of(spell.after, spell.before);
}

void look_place(struct pmuctl_data *data, struct look *look, uint32_t pid, uint64_t time,
		uint64_t ip, struct pmuctl_place *place)
{
	struct known_place *all = places_of(look, pid, ip), *known;

	for (known = all; known < all + WAYS; known++)
		if (ip - known->start < known->size && known->pid == pid &&
		    is_in(&known->spell, time))
			break;
	if (known == all + WAYS) {
		known = &all[look->turn++ % WAYS];
		learn_place(data, look, pid, time, ip, known);
	}
	place->dso = known->dso;
	place->address = ip + known->distance;
}

/* A task that nobody named, as perf has it. */
static const char *number_as_name(struct pmuctl_data *data, uint32_t tid)
{
	const char *name;
	char text[16];

	snprintf(text, sizeof(text), ":%d", (int)tid);
	pthread_mutex_lock(&data->lock);
	name = strings_add(&data->strings, text, sizeof(text));
	pthread_mutex_unlock(&data->lock);
	return name ? name : "";
}

const char *look_comm(struct pmuctl_data *data, struct look *look, uint32_t tid, uint64_t time)
{
	struct known_name *known = &look->names[tid & (NAMES - 1)];
	uint64_t after, before;

	if (known->tid == tid && is_in(&known->spell, time))
		return known->name;
	known->name = comms_find_spell(data->comms, tid, time, look->at, &after, &before);
	if (!known->name)
		known->name = tid ? number_as_name(data, tid) : "swapper";
	known->tid = tid;
	known->spell = spell_of(after, before);
	return known->name;
}
