/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A text that is put together piece by piece.  open_memstream() does the same, but clears 8 KiB
 * and takes a lock for each piece, which is more than most of our texts cost otherwise.
 */
#ifndef LIBPMUCTL_TEXT_H
#define LIBPMUCTL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Begins as { 0 }; without memory nothing more is added. */
struct text {
	char *at;
	size_t len, room;
	bool failed;
};

void text_add(struct text *t, const char *piece, size_t len);
void text_add_string(struct text *t, const char *piece);
__attribute__((format(printf, 2, 3)))
void text_printf(struct text *t, const char *fmt, ...);
/* What it came to, for free(); NULL: no memory. */
char *text_take(struct text *t);
void text_drop(struct text *t);

static inline void text_add_char(struct text *t, char c)
{
	if (t->len + 1 < t->room)
		t->at[t->len++] = c;
	else
		text_add(t, &c, 1);
}

#endif
