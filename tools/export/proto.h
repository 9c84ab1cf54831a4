/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protocol buffers, as far as profile.proto needs them: numbers, text and
 * messages are put at the end of a buffer.
 */
#ifndef PMUCTL_PROTO_H
#define PMUCTL_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
struct proto {
	unsigned char *bytes;
	size_t size, room;
	bool failed;		/* out of memory; the bytes are not all there */
};

/* A field of proto3 that is 0 is left out. */
void proto_number(struct proto *p, unsigned int field, uint64_t value);
void proto_text(struct proto *p, unsigned int field, const char *text);
/* Of a repeated field, packed or of messages: what is in part. */
void proto_part(struct proto *p, unsigned int field, const struct proto *part);
/* A number alone, for a packed field. */
void proto_varint(struct proto *p, uint64_t value);
void proto_clear(struct proto *p);
void proto_free(struct proto *p);

#endif
