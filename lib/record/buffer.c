// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buffers that records are put together in.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/dump.h"

/* Texts are padded to this. */
#define TEXT_ALIGN 64

#define FIRST_ROOM (256u << 10)

static int grow(struct dump_buffer *b, size_t size)
{
	size_t room = b->room ? b->room : FIRST_ROOM;
	unsigned char *grown;

	while (room < size)
		room *= 2;
	grown = realloc(b->bytes, room);
	if (!grown)
		return -ENOMEM;
	b->bytes = grown;
	b->room = room;
	return 0;
}

void *dump_room(struct dump_buffer *b, size_t size)
{
	void *at;

	if (b->used + size > b->room && grow(b, b->used + size))
		return NULL;
	at = b->bytes + b->used;
	b->used += size;
	return at;
}

int dump_append(struct dump_buffer *b, const void *bytes, size_t size)
{
	void *at = size ? dump_room(b, size) : NULL;

	if (at)
		memcpy(at, bytes, size);
	return at || !size ? 0 : -ENOMEM;
}

int dump_append_ids(struct dump_buffer *to, const struct dump_event *e)
{
	int err = dump_append(to, &e->id, sizeof(e->id));

	return err ? err : dump_append(to, e->ids, e->nr_ids * sizeof(*e->ids));
}

int dump_append_text(struct dump_buffer *to, const char *text)
{
	size_t len = (strlen(text) + TEXT_ALIGN) & ~(size_t)(TEXT_ALIGN - 1);
	uint32_t size = (uint32_t)len;
	char *at;

	if (dump_append(to, &size, sizeof(size)))
		return -ENOMEM;
	at = dump_room(to, len);
	if (!at)
		return -ENOMEM;
	/* With zeros behind it. */
	strncpy(at, text, len);
	return 0;
}

struct dump_trailer dump_trailer_of(const struct pmuctl_dump *d, uint32_t pid, uint32_t tid,
				    uint64_t time)
{
	return (struct dump_trailer){
		.pid = pid, .tid = tid, .time = time, .id = d->events[d->nr_events - 1].id,
	};
}
