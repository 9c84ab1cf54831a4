// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Texts that are put together piece by piece.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"

/* Most are shorter. */
#define FIRST_ROOM 256

/* Whether there is room for so much more, and the byte that ends it. */
static bool make_room(struct text *t, size_t more)
{
	size_t room = t->room ? t->room : FIRST_ROOM;
	char *grown;

	if (t->failed)
		return false;
	if (t->len + more < t->room)
		return true;
	while (room <= t->len + more)
		room *= 2;
	grown = realloc(t->at, room);
	t->failed = !grown;
	if (!grown)
		return false;
	t->at = grown;
	t->room = room;
	return true;
}

void text_add(struct text *t, const char *piece, size_t len)
{
	if (!make_room(t, len))
		return;
	memcpy(t->at + t->len, piece, len);
	t->len += len;
}

void text_add_string(struct text *t, const char *piece)
{
	text_add(t, piece, strlen(piece));
}

void text_printf(struct text *t, const char *fmt, ...)
{
	size_t room;
	va_list ap;
	int len = 0;

	/* A second time where it was longer than what there was room for. */
	do {
		if (!make_room(t, (size_t)len))
			return;
		room = t->room - t->len;
		va_start(ap, fmt);
		len = vsnprintf(t->at + t->len, room, fmt, ap);
		va_end(ap);
		if (len < 0) {
			t->failed = true;
			return;
		}
	} while ((size_t)len >= room);
	t->len += (size_t)len;
}

char *text_take(struct text *t)
{
	char *whole = NULL;

	if (make_room(t, 0)) {
		t->at[t->len] = '\0';
		whole = t->at;
		t->at = NULL;
	}
	text_drop(t);
	return whole;
}

void text_drop(struct text *t)
{
	free(t->at);
	*t = (struct text){ .at = NULL };
}
