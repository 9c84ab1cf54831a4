// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The wire format of protocol buffers: each field has its number and kind, then its value.
 *
 * protobuf-c would bring a compiler to the build and a whole profile in memory;
 * what is needed of it is this.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/export/proto.h"

enum wire {
	WIRE_VARINT = 0,
	WIRE_BYTES = 2,
};

static void append(struct proto *p, const void *bytes, size_t size)
{
	size_t room = p->room;
	unsigned char *bigger;

	while (room - p->size < size)
		room = room ? 2 * room : 256;
	if (room != p->room) {
		bigger = realloc(p->bytes, room);
		if (!bigger) {
			p->failed = true;
			return;
		}
		p->bytes = bigger;
		p->room = room;
	}
	memcpy(p->bytes + p->size, bytes, size);
	p->size += size;
}

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
void proto_varint(struct proto *p, uint64_t value)
{
	unsigned char bytes[10];
	size_t n = 0;

	do {
		bytes[n++] = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		value >>= 7;
	} while (value);
	append(p, bytes, n);
}

static void put_key(struct proto *p, unsigned int field, enum wire wire)
{
	proto_varint(p, field << 3 | wire);
}

void proto_number(struct proto *p, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	put_key(p, field, WIRE_VARINT);
	proto_varint(p, value);
}

static void put_bytes(struct proto *p, unsigned int field, const void *bytes, size_t size)
{
	put_key(p, field, WIRE_BYTES);
	proto_varint(p, size);
	if (size)
		append(p, bytes, size);
}

void proto_text(struct proto *p, unsigned int field, const char *text)
{
	put_bytes(p, field, text, strlen(text));
}

void proto_part(struct proto *p, unsigned int field, const struct proto *part)
{
	p->failed |= part->failed;
	put_bytes(p, field, part->bytes, part->size);
}

void proto_clear(struct proto *p)
{
	p->size = 0;
}

void proto_free(struct proto *p)
{
	free(p->bytes);
	*p = (struct proto){ 0 };
}
