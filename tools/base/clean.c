// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text of unknown origin, made fit to be shown: names in a perf.data file may be anything.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"

char *new_text(const char *format, ...)
{
	va_list ap;
	char *text;
	int len;

	va_start(ap, format);
	len = vasprintf(&text, format, ap);
	va_end(ap);
	return len < 0 ? NULL : text;
}

/* Bytes of the character, by its first byte; 0: none starts so. */
static unsigned int length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

bool turns_text(uint32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

unsigned int utf8_character(const char *text, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned int length = length_of((unsigned char)*text), i;
	uint32_t c = length == 1 ? (unsigned char)*text : (unsigned char)*text & (0x7f >> length);

	for (i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (text[i] & 0x3f);
	}
	*character = c;
	return c < least[length] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff ? 0 : length;
}

/* Neither control characters nor what XML and JSON do not allow. */
static bool is_fit(uint32_t c)
{
	return !turns_text(c) && c >= 0x20 && !(c >= 0x7f && c < 0xa0) && (c & 0xfffe) != 0xfffe;
}

/* Bytes of the character that text starts with; 0: it is not fit. */
static unsigned int fit_character(const char *text)
{
	uint32_t c;
	unsigned int length = utf8_character(text, &c);

	return length && is_fit(c) ? length : 0;
}

/* So many of its first characters are ASCII that is fit, as nearly all is. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f)
		n++;
	return n;
}

bool is_clean_ascii(const char *text)
{
	return !text[plain_length(text)];
}

char *clean_copy(const char *text)
{
	char *copy = malloc(strlen(text) + 1), *to = copy;
	unsigned int length;
	size_t plain;

	if (!copy)
		return NULL;
	while (*text) {
		plain = plain_length(text);
		if (plain) {
			to = mempcpy(to, text, plain);
			text += plain;
			continue;
		}
		length = fit_character(text);
		if (!length) {
			*to++ = '?';
			text++;
			continue;
		}
		memcpy(to, text, length);
		to += length;
		text += length;
	}
	*to = '\0';
	return copy;
}

/* but: control characters that are fit all the same. */
static void put_clean_but(FILE *out, const char *text, const char *but)
{
	unsigned int length;
	size_t plain;

	while (*text) {
		plain = plain_length(text);
		if (plain) {
			fwrite(text, 1, plain, out);
			text += plain;
			continue;
		}
		length = strchr(but, *text) ? 1 : fit_character(text);
		if (length)
			fwrite(text, 1, length, out);
		else
			fputc('?', out);
		text += length ? length : 1;
	}
}

void put_clean(FILE *out, const char *text)
{
	put_clean_but(out, text, "");
}

void put_clean_lines(FILE *out, const char *text)
{
	put_clean_but(out, text, "\n\t");
}

bool is_made_code(const char *dso, int *pid)
{
	int end = 0;

	return sscanf(dso, "/tmp/perf-%d.map%n", pid, &end) == 1 && end && !dso[end];
}

void put_xml(FILE *out, const char *text)
{
	static const struct {
		char c;
		const char *entity;
	} escapes[] = {
		{ '<', "&lt;" }, { '>', "&gt;" }, { '&', "&amp;" }, { '"', "&quot;" },
		{ '\'', "&#39;" },
	};
	size_t i;

	for (; *text; text++) {
		for (i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
			if (escapes[i].c == *text)
				break;
		if (i < sizeof(escapes) / sizeof(escapes[0]))
			fputs(escapes[i].entity, out);
		else
			fputc(*text, out);
	}
}

void put_json(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}
