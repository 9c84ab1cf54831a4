// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Texts that are kept once each: names of files and of tasks come over and over.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/perfdata/perfdata.h"

#define CHUNK 4096

struct strings_chunk {
	struct strings_chunk *next;
	size_t used, size;
	char text[];
};

static size_t hash(const char *text, size_t len)
{
	size_t h = 5381;

	while (len--)
		h = h * 33 + (unsigned char)*text++;
	return h;
}

static char *take_room(struct strings *strings, size_t size)
{
	struct strings_chunk *chunk = strings->chunks;
	size_t room = size > CHUNK ? size : CHUNK;

	if (!chunk || chunk->size - chunk->used < size) {
		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->next = strings->chunks;
		chunk->used = 0;
		chunk->size = room;
		strings->chunks = chunk;
	}
	chunk->used += size;
	return chunk->text + chunk->used - size;
}

static const char **find_slot(const char **slots, size_t room, const char *text, size_t len)
{
	size_t i = hash(text, len) & (room - 1);

	while (slots[i] && (strncmp(slots[i], text, len) != 0 || slots[i][len]))
		i = (i + 1) & (room - 1);
	return &slots[i];
}

static bool make_room(struct strings *strings)
{
	size_t i, room = strings->room ? strings->room * 2 : 64;
	const char **slots;

	if (strings->count * 2 < strings->room)
		return true;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return false;
	for (i = 0; i < strings->room; i++)
		if (strings->slots[i])
			*find_slot(slots, room, strings->slots[i], strlen(strings->slots[i])) =
				strings->slots[i];
	free(strings->slots);
	strings->slots = slots;
	strings->room = room;
	return true;
}

const char *strings_keep(struct strings *strings, const char *text, size_t len)
{
	char *copy = take_room(strings, len + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

const char *strings_add(struct strings *strings, const char *text, size_t len)
{
	const char **slot, *kept, *copy;

	len = strnlen(text, len);
	if (!make_room(strings))
		return NULL;
	slot = find_slot(strings->slots, strings->room, text, len);
	kept = *slot;
	if (kept)
		return kept;
	copy = strings_keep(strings, text, len);
	if (!copy)
		return NULL;
	strings->count++;
	*slot = copy;
	return copy;
}

void strings_free(struct strings *strings)
{
	struct strings_chunk *chunk, *next;

	for (chunk = strings->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(strings->slots);
	memset(strings, 0, sizeof(*strings));
}
