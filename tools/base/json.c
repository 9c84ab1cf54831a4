// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON written by hand: the bytes of jansson, which escapes and rounds the same way, at a
 * twentieth of its instructions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/digits.h"
#include "tools/base/json.h"

/* ---- bytes -------------------------------------------------------------------- */

/* NULL: no memory. */
static char *grow(struct json_line *l, size_t size)
{
	size_t room = l->room ? l->room : 1024;
	char *grown;

	while (room - l->len < size)
		room *= 2;
	grown = realloc(l->text, room);
	if (!grown) {
		l->failed = true;
		return NULL;
	}
	l->text = grown;
	l->room = room;
	return grown + l->len;
}

/* Where so many bytes may be written; NULL: no memory. */
static inline char *room_for(struct json_line *l, size_t size)
{
	return l->room - l->len >= size ? l->text + l->len : grow(l, size);
}

#define EACH_BYTE(byte) (0x0101010101010101ull * (byte))

/* Whether one of eight bytes is more than itself in a string, or from 0x7f on. */
static bool is_special(uint64_t bytes)
{
	uint64_t quote = bytes ^ EACH_BYTE('"'), backslash = bytes ^ EACH_BYTE('\\');

	/* Bit 7 of one below 0x20, of a mark, or above 0x7e; a borrow only behind such a one. */
	return ((bytes - EACH_BYTE(0x20)) | (quote - EACH_BYTE(1)) | (backslash - EACH_BYTE(1)) |
		(bytes + EACH_BYTE(1)) | bytes) & EACH_BYTE(0x80);
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

/* So many bytes of the text stand for themselves. */
static size_t plain_length(const char *text, size_t len)
{
	uint64_t eight;
	size_t n = 0;

	for (; len - n >= sizeof(eight); n += sizeof(eight)) {
		memcpy(&eight, text + n, sizeof(eight));
		if (is_special(eight))
			break;
	}
	while (n < len && is_plain(text[n]))
		n++;
	return n;
}

/* What a terminal obeys, or what turns text, besides what JSON wants escaped. */
static bool is_escaped(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || turns_text(c);
}

/* At most 6 bytes for one. */
static char *put_character(char *to, const char *text, unsigned int length, uint32_t c)
{
	static const char letters[] = "\"\\\b\f\n\r\t", escaped[] = "\"\\bfnrt";
	static const char digits[] = "0123456789ABCDEF";
	const char *letter = c < 0x80 ? memchr(letters, (int)c, sizeof(letters) - 1) : NULL;
	int shift;

	if (letter) {
		*to++ = '\\';
		*to++ = escaped[letter - letters];
	} else if (is_escaped(c)) {
		*to++ = '\\';
		*to++ = 'u';
		for (shift = 12; shift >= 0; shift -= 4)
			*to++ = digits[c >> shift & 0xf];
	} else {
		memcpy(to, text, length);
		to += length;
	}
	return to;
}

/* With its quotes; there is room for 6 bytes a byte of it and two.  It is UTF-8. */
static char *put_quoted(char *to, const char *text, size_t len)
{
	const char *end = text + len;
	unsigned int length;
	uint32_t c;
	size_t n;

	*to++ = '"';
	while (text < end) {
		n = plain_length(text, (size_t)(end - text));
		memcpy(to, text, n);
		to += n;
		text += n;
		if (text == end)
			break;
		length = utf8_character(text, &c);
		to = put_character(to, text, length, c);
		text += length;
	}
	*to++ = '"';
	return to;
}

/* ---- keys, objects and arrays ------------------------------------------------------ */

/* Of what stands at the key, behind what was before; NULL: it is not written. */
static inline char *begin_value(struct json_line *l, const char *key, size_t size)
{
	size_t len = key ? strlen(key) : 0;
	char *to = room_for(l, size + len + 8);
	bool has_some, is_array;

	if (!to || !l->depth)
		return to;
	has_some = l->open[l->depth - 1].has_some;
	is_array = l->open[l->depth - 1].is_array;
	l->open[l->depth - 1].has_some = true;
	if (has_some) {
		*to++ = ',';
		*to++ = ' ';
	}
	if (is_array)
		return to;
	*to++ = '"';
	to = mempcpy(to, key ? key : "", len);
	*to++ = '"';
	*to++ = ':';
	*to++ = ' ';
	return to;
}

static void end_value(struct json_line *l, const char *to)
{
	l->len = (size_t)(to - l->text);
}

void json_begin(struct json_line *l, const char *key, bool is_array)
{
	char *to = begin_value(l, key, 1);

	if (l->depth == JSON_DEPTH)
		abort();
	l->open[l->depth].is_array = is_array;
	l->open[l->depth].has_some = false;
	l->depth++;
	if (!to)
		return;
	*to++ = is_array ? '[' : '{';
	end_value(l, to);
}

void json_end(struct json_line *l, FILE *out)
{
	bool is_array = l->open[--l->depth].is_array;
	char *to = room_for(l, 2);

	if (to) {
		*to++ = is_array ? ']' : '}';
		if (!l->depth)
			*to++ = '\n';
		end_value(l, to);
	}
	if (l->depth)
		return;
	if (!l->failed)
		fwrite(l->text, 1, l->len, out);
	l->len = 0;
}

/* ---- values ------------------------------------------------------------------------ */

static bool is_utf8(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned int length;
	uint32_t c;

	while (text < end) {
		text += plain_length(text, (size_t)(end - text));
		if (text == end)
			break;
		length = utf8_character(text, &c);
		if (!length)
			return false;
		text += length;
	}
	return true;
}

/* A process may be called anything. */
static void put_mended(struct json_line *l, const char *key, const char *value)
{
	char plain[256] = "";
	size_t i;

	for (i = 0; i < sizeof(plain) - 1 && value[i]; i++)
		plain[i] = (unsigned char)value[i] < 0x80 ? value[i] : '?';
	plain[i] = '\0';
	json_put_string(l, key, plain);
}

void json_put_string(struct json_line *l, const char *key, const char *value)
{
	size_t len = strlen(value), plain = plain_length(value, len);
	char *to;

	if (plain == len) {
		to = begin_value(l, key, len + 2);
		if (!to)
			return;
		*to++ = '"';
		to = mempcpy(to, value, len);
		*to++ = '"';
		end_value(l, to);
		return;
	}
	if (!is_utf8(value, len)) {
		put_mended(l, key, value);
		return;
	}
	to = begin_value(l, key, 6 * len + 2);
	if (to)
		end_value(l, put_quoted(to, value, len));
}

void json_put_integer(struct json_line *l, const char *key, int64_t value)
{
	char *to = begin_value(l, key, 21);

	if (!to)
		return;
	if (value < 0)
		*to++ = '-';
	end_value(l, digits_whole(to, value < 0 ? -(uint64_t)value : (uint64_t)value));
}

void json_put_word(struct json_line *l, const char *key, const char *word, size_t len)
{
	char *to = begin_value(l, key, len);

	if (!to)
		return;
	memcpy(to, word, len);
	end_value(l, to + len);
}

void json_put_real(struct json_line *l, const char *key, double value)
{
	uint64_t bits;
	size_t i;
	char *to;

	if (!isfinite(value))
		return;
	to = begin_value(l, key, DIGITS_REAL);
	if (!to)
		return;
	memcpy(&bits, &value, sizeof(bits));
	i = (bits >> 20 ^ bits >> 40 ^ bits >> 52) % JSON_RECENT;
	if (!l->recent[i].len || l->recent[i].bits != bits) {
		l->recent[i].bits = bits;
		l->recent[i].len = (size_t)(digits_real(l->recent[i].text, value) -
					    l->recent[i].text);
	}
	end_value(l, mempcpy(to, l->recent[i].text, l->recent[i].len));
}
