/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table from what the caller compares to small numbers: it stores those
 * and their hashes, the things themselves are in an array of the caller's.
 */
#ifndef PMUCTL_INDEX_H
#define PMUCTL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index_slot {
	uint32_t id;		/* INDEX_NONE: free */
	uint32_t hash;
};

/* All zero: empty. */
struct index {
	struct index_slot *slots;
	size_t size;		/* a power of two, or 0 */
	size_t used;
};

typedef bool index_same_fn(const void *data, uint32_t id, const void *key);

/* INDEX_NONE: not there. */
uint32_t index_find(const struct index *index, uint32_t hash, index_same_fn *same,
		    const void *data, const void *key);
/* What is not there yet; false: out of memory. */
bool index_add(struct index *index, uint32_t hash, uint32_t id);
void index_free(struct index *index);

/*
 * Room in such an array for one more than the count entries that it has, *room being what there
 * is; false: no memory, or too many to be numbered.
 */
bool index_room(void **array, uint32_t count, uint32_t *room, size_t size);

uint32_t hash_u64(uint64_t a, uint64_t b);
uint32_t hash_text(const char *text, uint32_t seed);

#endif
