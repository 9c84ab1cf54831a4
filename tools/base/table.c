// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hash table with open addressing: it grows at two thirds.  Beside each slot is the hash of its
 * entry, so that entries of others are not looked at; entries are cut from blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/table.h"

#define SLOTS_FIRST 256
#define USED 0x80000000u
/* Entries of a block; later ones have as many as there are, up to these bytes. */
#define BLOCK_FIRST 16
#define BLOCK_BYTES (256u << 10)

struct table_block {
	struct table_block *next;
	_Alignas(16) char entries[];
};

void table_init(struct table *t, size_t entry_size)
{
	*t = (struct table){ .entry_size = entry_size };
}

void table_free(struct table *t, void (*free_entry)(void *entry))
{
	struct table_block *block, *next;
	size_t i;

	for (i = 0; i < t->slots_count && free_entry; i++)
		if (t->slots[i])
			free_entry(t->slots[i]);
	for (block = t->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	free(t->slots);
	free(t->hashes);
	table_init(t, t->entry_size);
}

/* ---- entries ------------------------------------------------------------------------------- */

static bool add_block(struct table *t)
{
	size_t size = (t->entry_size + 15) & ~(size_t)15;
	size_t count = t->count < BLOCK_FIRST ? BLOCK_FIRST : t->count;
	struct table_block *block;

	if (count * size > BLOCK_BYTES)
		count = BLOCK_BYTES / size + 1;
	block = malloc(sizeof(*block) + count * size);
	if (!block)
		return false;
	block->next = t->blocks;
	t->blocks = block;
	t->free = block->entries;
	t->free_count = count;
	return true;
}

/* One that went before, or the next of a block; zeroed. */
static struct table_entry *new_entry(struct table *t)
{
	struct table_entry *e = t->gone;

	if (e) {
		memcpy(&t->gone, e, sizeof(t->gone));
	} else {
		if (!t->free_count && !add_block(t))
			return NULL;
		e = (void *)t->free;
		t->free += (t->entry_size + 15) & ~(size_t)15;
		t->free_count--;
	}
	return memset(e, 0, t->entry_size);
}

static void take_back(struct table *t, void *entry)
{
	memcpy(entry, &t->gone, sizeof(t->gone));
	t->gone = entry;
}

/* ---- slots --------------------------------------------------------------------------------- */

/* Keys are addresses and small numbers: all their bits have to reach the low ones. */
static uint32_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15ull;

	/* 0 is that of no entry. */
	return (uint32_t)(h ^ h >> 29) | USED;
}

static size_t find_slot(const struct table *t, uint32_t hashed, uint64_t a, uint64_t b)
{
	const size_t mask = t->slots_count - 1;
	const struct table_entry *e;
	size_t i;

	for (i = hashed & mask; t->hashes[i]; i = (i + 1) & mask) {
		if (t->hashes[i] != hashed)
			continue;
		e = t->slots[i];
		if (e->a == a && e->b == b)
			break;
	}
	return i;
}

/* Where one that is in no slot belongs. */
static void put(struct table *t, void *entry, uint32_t hashed)
{
	const size_t mask = t->slots_count - 1;
	size_t i = hashed & mask;

	while (t->hashes[i])
		i = (i + 1) & mask;
	t->slots[i] = entry;
	t->hashes[i] = hashed;
}

/* As many slots, all of them free; false: no memory, and t stays. */
static bool new_slots(struct table *t, size_t count)
{
	void **slots = calloc(count, sizeof(*slots));
	uint32_t *hashes = calloc(count, sizeof(*hashes));

	if (!slots || !hashes) {
		free(slots);
		free(hashes);
		return false;
	}
	t->slots = slots;
	t->hashes = hashes;
	t->slots_count = count;
	return true;
}

static void free_slots(const struct table *t)
{
	free(t->slots);
	free(t->hashes);
}

static int grow(struct table *t)
{
	const struct table old = *t;
	size_t i;

	/* As far as a hash has bits. */
	if (t->slots_count >= USED ||
	    !new_slots(t, t->slots_count ? 2 * t->slots_count : SLOTS_FIRST))
		return -1;
	for (i = 0; i < old.slots_count; i++)
		if (old.slots[i])
			put(t, old.slots[i], old.hashes[i]);
	free_slots(&old);
	return 0;
}

void *table_get(struct table *t, uint64_t a, uint64_t b)
{
	const uint32_t hashed = hash(a, b);
	struct table_entry *e;
	size_t i;

	if (3 * t->count >= 2 * t->slots_count && grow(t))
		return NULL;
	i = find_slot(t, hashed, a, b);
	if (!t->slots[i]) {
		e = new_entry(t);
		if (!e)
			return NULL;
		e->a = a;
		e->b = b;
		t->count++;
		t->slots[i] = e;
		t->hashes[i] = hashed;
	}
	return t->slots[i];
}

void *table_find(const struct table *t, uint64_t a, uint64_t b)
{
	return t->slots_count ? t->slots[find_slot(t, hash(a, b), a, b)] : NULL;
}

int table_keep(struct table *t, bool (*keep)(void *entry, void *data), void *data,
	       void (*free_entry)(void *entry))
{
	const struct table old = *t;
	size_t i;

	if (!t->count)
		return 0;
	if (!new_slots(t, t->slots_count))
		return -1;
	t->count = 0;
	for (i = 0; i < old.slots_count; i++) {
		if (!old.slots[i])
			continue;
		if (keep(old.slots[i], data)) {
			put(t, old.slots[i], old.hashes[i]);
			t->count++;
			continue;
		}
		if (free_entry)
			free_entry(old.slots[i]);
		take_back(t, old.slots[i]);
	}
	free_slots(&old);
	return 0;
}

void **table_sorted(const struct table *t, int (*compare)(const void *, const void *))
{
	void **all = calloc(t->count + 1, sizeof(*all));
	size_t i, n = 0;

	for (i = 0; all && i < t->slots_count; i++)
		if (t->slots[i])
			all[n++] = t->slots[i];
	if (all)
		qsort(all, n, sizeof(*all), compare);
	return all;
}
