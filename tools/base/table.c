// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hash table with open addressing: it grows at two thirds, nothing leaves it.
 */
#include <stdlib.h>

#include "tools/base/table.h"

#define SLOTS_FIRST 256

void table_init(struct table *t, size_t entry_size)
{
	*t = (struct table){ .entry_size = entry_size };
}

void table_free(struct table *t, void (*free_entry)(void *entry))
{
	size_t i;

	for (i = 0; i < t->slots_count; i++) {
		if (t->slots[i] && free_entry)
			free_entry(t->slots[i]);
		free(t->slots[i]);
	}
	free(t->slots);
	table_init(t, t->entry_size);
}

/* Keys are addresses and small numbers: all their bits have to reach the low ones. */
static size_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15ull;

	return (size_t)(h ^ h >> 29);
}

static void **find_slot(const struct table *t, uint64_t a, uint64_t b)
{
	size_t i = hash(a, b);
	const struct table_entry *e;

	for (;; i++) {
		e = t->slots[i & (t->slots_count - 1)];
		if (!e || (e->a == a && e->b == b))
			return &t->slots[i & (t->slots_count - 1)];
	}
}

static int grow(struct table *t)
{
	struct table bigger = *t;
	const struct table_entry *e;
	size_t i;

	bigger.slots_count = t->slots_count ? 2 * t->slots_count : SLOTS_FIRST;
	bigger.slots = calloc(bigger.slots_count, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -1;
	for (i = 0; i < t->slots_count; i++) {
		e = t->slots[i];
		if (e)
			*find_slot(&bigger, e->a, e->b) = t->slots[i];
	}
	free(t->slots);
	*t = bigger;
	return 0;
}

void *table_get(struct table *t, uint64_t a, uint64_t b)
{
	struct table_entry *e;
	void **slot;

	if (3 * t->count >= 2 * t->slots_count && grow(t))
		return NULL;
	slot = find_slot(t, a, b);
	if (!*slot) {
		e = calloc(1, t->entry_size);
		if (!e)
			return NULL;
		e->a = a;
		e->b = b;
		t->count++;
		*slot = e;
	}
	return *slot;
}

void *table_find(const struct table *t, uint64_t a, uint64_t b)
{
	return t->slots_count ? *find_slot(t, a, b) : NULL;
}

int table_keep(struct table *t, bool (*keep)(void *entry, void *data), void *data,
	       void (*free_entry)(void *entry))
{
	struct table kept = *t;
	const struct table_entry *e;
	size_t i;

	if (!t->count)
		return 0;
	kept.slots = calloc(t->slots_count, sizeof(*kept.slots));
	if (!kept.slots)
		return -1;
	kept.count = 0;
	for (i = 0; i < t->slots_count; i++) {
		e = t->slots[i];
		if (e && keep(t->slots[i], data)) {
			*find_slot(&kept, e->a, e->b) = t->slots[i];
			kept.count++;
		} else if (e) {
			if (free_entry)
				free_entry(t->slots[i]);
			free(t->slots[i]);
		}
	}
	free(t->slots);
	*t = kept;
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
