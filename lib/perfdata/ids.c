// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which event an id in a record means: a table with open addressing.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/perfdata/perfdata.h"

static size_t slot_of(const struct data_ids *ids, uint64_t id)
{
	size_t i = (id * 0x9e3779b97f4a7c15ULL >> 32) & (ids->slots - 1);

	while (ids->events[i] && ids->ids[i] != id)
		i = (i + 1) & (ids->slots - 1);
	return i;
}

static void put(struct data_ids *ids, uint64_t id, uint32_t mark)
{
	size_t i = slot_of(ids, id);

	ids->count += !ids->events[i];
	ids->ids[i] = id;
	ids->events[i] = mark;
}

static int grow(struct data_ids *ids)
{
	struct data_ids more = { .slots = ids->slots ? ids->slots * 2 : 64 };
	size_t i;

	more.ids = calloc(more.slots, sizeof(*more.ids));
	more.events = calloc(more.slots, sizeof(*more.events));
	if (!more.ids || !more.events) {
		data_ids_free(&more);
		return -ENOMEM;
	}
	for (i = 0; i < ids->slots; i++)
		if (ids->events[i])
			put(&more, ids->ids[i], ids->events[i]);
	free(ids->ids);
	free(ids->events);
	ids->ids = more.ids;
	ids->events = more.events;
	ids->slots = more.slots;
	return 0;
}

int data_ids_add(struct data_ids *ids, uint64_t id, uint32_t event)
{
	if (ids->count * 2 >= ids->slots && grow(ids))
		return -ENOMEM;
	put(ids, id, event + 1);
	return 0;
}

int64_t data_ids_find(const struct data_ids *ids, uint64_t id)
{
	if (!ids->slots)
		return -1;
	return (int64_t)ids->events[slot_of(ids, id)] - 1;
}

int64_t data_ids_place(const struct data_ids *ids, uint64_t id)
{
	size_t i = ids->slots ? slot_of(ids, id) : 0;

	return ids->slots && ids->events[i] ? (int64_t)i : -1;
}

void data_ids_free(struct data_ids *ids)
{
	free(ids->ids);
	free(ids->events);
	*ids = (struct data_ids){ 0 };
}
