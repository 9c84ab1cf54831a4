/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of entries by two numbers, for what samples are summed up by.
 */
#ifndef PMUCTL_TABLE_H
#define PMUCTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_entry {
	uint64_t a, b;		/* its key */
};

struct table {
	size_t entry_size;	/* of what begins with a struct table_entry */
	void **slots;
	uint32_t *hashes;	/* of the entry in each slot */
	size_t slots_count;	/* a power of two, or 0 */
	size_t count;
	struct table_block *blocks;
	char *free;		/* in the last of them, for so many entries */
	size_t free_count;
	void *gone;		/* entries that were not kept; each begins with the next */
};

void table_init(struct table *t, size_t entry_size);
/* free_entry, for what an entry holds, may be NULL. */
void table_free(struct table *t, void (*free_entry)(void *entry));
/* The entry of this key, new and zeroed if there was none; NULL: out of memory. */
void *table_get(struct table *t, uint64_t a, uint64_t b);
/* The entry if there is one, else NULL. */
void *table_find(const struct table *t, uint64_t a, uint64_t b);
/* Those that keep() refuses go, and others take their room. -1: out of memory, and all stay. */
int table_keep(struct table *t, bool (*keep)(void *entry, void *data), void *data,
	       void (*free_entry)(void *entry));
/* All of them in an order of qsort()'s kind, with NULL behind the last; free it. */
void **table_sorted(const struct table *t, int (*compare)(const void *, const void *));

#endif
