// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hash table of numbers, with open addressing and linear probing.
 */
#include <stdlib.h>

#include "tools/base/index.h"

#define FIRST_SIZE 256

uint32_t hash_u64(uint64_t a, uint64_t b)
{
	uint64_t x = a * 0x9e3779b97f4a7c15 + b;

	/* Multiplying carries upwards alone: the upper half has to come down. */
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

uint32_t hash_text(const char *text, uint32_t seed)
{
	uint64_t x = 0xcbf29ce484222325 ^ seed;

	for (; *text; text++)
		x = (x ^ (unsigned char)*text) * 0x100000001b3;
	return hash_u64(x, 0);
}

uint32_t index_find(const struct index *index, uint32_t hash, index_same_fn *same,
		    const void *data, const void *key)
{
	const struct index_slot *slot;
	size_t i;

	if (!index->size)
		return INDEX_NONE;
	for (i = hash & (index->size - 1);; i = (i + 1) & (index->size - 1)) {
		slot = &index->slots[i];
		if (slot->id == INDEX_NONE)
			return INDEX_NONE;
		if (slot->hash == hash && same(data, slot->id, key))
			return slot->id;
	}
}

bool index_room(void **array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t wanted = *room ? 2 * *room : FIRST_SIZE;
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

static void put(struct index_slot *slots, size_t size, struct index_slot slot)
{
	size_t i = slot.hash & (size - 1);

	while (slots[i].id != INDEX_NONE)
		i = (i + 1) & (size - 1);
	slots[i] = slot;
}

static bool grow(struct index *index)
{
	size_t size = index->size ? 2 * index->size : FIRST_SIZE, i;
	struct index_slot *slots = malloc(size * sizeof(*slots));

	if (!slots)
		return false;
	for (i = 0; i < size; i++)
		slots[i].id = INDEX_NONE;
	for (i = 0; i < index->size; i++)
		if (index->slots[i].id != INDEX_NONE)
			put(slots, size, index->slots[i]);
	free(index->slots);
	index->slots = slots;
	index->size = size;
	return true;
}

bool index_add(struct index *index, uint32_t hash, uint32_t id)
{
	/* Half empty, so that the search for what is not there ends soon. */
	if (2 * index->used >= index->size && !grow(index))
		return false;
	put(index->slots, index->size, (struct index_slot){ .id = id, .hash = hash });
	index->used++;
	return true;
}

void index_free(struct index *index)
{
	free(index->slots);
	*index = (struct index){ 0 };
}
