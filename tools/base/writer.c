// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output writer: text, CSV and JSON of the same values.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/digits.h"
#include "tools/base/json.h"
#include "tools/base/output.h"
#include "tools/base/units.h"
#include "tools/base/writer.h"

/* The longest value that is put together here. */
#define CONVERTED 256
/* More than a row has, as a rule. */
#define FORMATS_KNOWN 64

/* "before%-16sbehind": what printf() would look for in a format again and again. */
struct conversion {
	char fmt[32];
	char behind[32];
	size_t before, behind_count;	/* characters of it, and behind the conversion */
	size_t width;
	int decimals;
	bool left, zeros;
	char kind;		/* 's', 'f'; of 64 bits: 'u', 'x'; 0: printf() does it */
};

struct writer {
	FILE *out;
	enum format format;
	const char *separator;
	unsigned int column;
	struct json_line json;
	struct conversion known[FORMATS_KNOWN];
	bool failed;		/* there was no memory for a text */
	bool human;		/* counts are in bigger units */
	bool coloured;
	enum colour next;	/* what is shown next has it */
};

struct writer *writer_open(FILE *out, enum format format, const char *separator)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->out = out;
	w->format = format;
	w->separator = separator;
	return w;
}

struct writer *writer_open_as(FILE *out, const struct layout *layout)
{
	struct writer *w = writer_open(out, layout->format, layout->separator);

	if (w && layout->format == FORMAT_TEXT) {
		w->coloured = colours_wanted(layout->colour, fileno(out));
		w->human = layout->human;
	}
	return w;
}

bool writer_close(struct writer *w)
{
	int err = stream_error(w->out);

	if (!err && (w->failed || w->json.failed))
		err = -ENOMEM;
	free(w->json.text);
	free(w);
	errno = -err;
	return !err;
}

enum format writer_format(const struct writer *w)
{
	return w->format;
}

void writer_colour(struct writer *w, enum colour colour)
{
	if (w->coloured)
		w->next = colour;
}

void writer_heat(struct writer *w, double percent)
{
	if (w->coloured)
		w->next = colour_of_share(percent);
}

/* Hardly ever: what is called for each value stays small. */
__attribute__((cold, noinline)) static void put_colour(const struct writer *w, const char *escape)
{
	fputs(escape, w->out);
}

/* Around what is shown; what a name has of its own kind was taken out of it. */
static void begin_colour(const struct writer *w)
{
	if (w->next)
		put_colour(w, colour_begin(w->next));
}

static void end_colour(struct writer *w)
{
	if (!w->next)
		return;
	put_colour(w, COLOUR_END);
	w->next = COLOUR_NONE;
}

void writer_row(struct writer *w)
{
	w->column = 0;
	if (w->format == FORMAT_JSON)
		json_begin(&w->json, NULL, false);
}

void writer_end_row(struct writer *w)
{
	if (w->format == FORMAT_CSV && w->column)
		fputc('\n', w->out);
	w->column = 0;
	if (w->format == FORMAT_JSON)
		json_end(&w->json, w->out);
}

void writer_array(struct writer *w, const char *key)
{
	if (w->format == FORMAT_JSON)
		json_begin(&w->json, key, true);
	if (w->format == FORMAT_CSV && w->column)
		fputc('\n', w->out);
	w->column = 0;
}

void writer_end_array(struct writer *w)
{
	if (w->format == FORMAT_JSON)
		json_end(&w->json, w->out);
}

static void put_text(struct writer *w, const char *text)
{
	begin_colour(w);
	put_clean_lines(w->out, text);
	end_colour(w);
}

void writer_text(struct writer *w, const char *fmt, ...)
{
	char most[256], *text;
	va_list ap;
	int len;

	if (w->format != FORMAT_TEXT)
		return;
	if (!strchr(fmt, '%')) {
		put_text(w, fmt);
		return;
	}
	va_start(ap, fmt);
	len = vsnprintf(most, sizeof(most), fmt, ap);
	va_end(ap);
	if (len >= 0 && (size_t)len < sizeof(most)) {
		put_text(w, most);
		return;
	}
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0) {
		w->failed = true;
		return;
	}
	put_text(w, text);
	free(text);
}

/* ---- one value by a format ---------------------------------------------------------- */

/* What is to be shown behind a conversion; false: there is another one. */
static bool take_behind(const char *at, struct conversion *c)
{
	for (; *at; at++) {
		at += *at == '%';
		if (!*at || (*at != '%' && at[-1] == '%'))
			return false;
		c->behind[c->behind_count++] = *at;
	}
	return true;
}

/* Of "s", ".2f", "lu" and "lx": its last letter; 0: it is none of these. */
static char take_kind(const char **at, struct conversion *c)
{
	const char *from = *at;

	*at += *from == 's' ? 1 : *from == 'l' ? 2 : 3;
	if (*from == 's')
		return c->zeros ? 0 : 's';
	if (*from == 'l' && (from[1] == 'u' || from[1] == 'x'))
		return from[1];
	if (*from != '.' || from[1] < '0' || from[1] > '9' || from[2] != 'f')
		return 0;
	c->decimals = from[1] - '0';
	return 'f';
}

/*
 * Of "before%-16sbehind"; kind 0: it has more than one conversion, one that is not known here, or
 * is long.
 */
static void take_format(const char *fmt, struct conversion *c)
{
	const char *at = fmt;
	char kind;

	*c = (struct conversion){ .kind = 0 };
	if (strlen(fmt) >= sizeof(c->fmt))
		return;
	strcpy(c->fmt, fmt);
	while (*at && *at != '%')
		at++;
	c->before = (size_t)(at - fmt);
	if (!*at++)
		return;
	if (*at == '-' || *at == '0') {
		c->left = *at == '-';
		c->zeros = *at++ == '0';
	}
	for (; *at >= '0' && *at <= '9' && c->width < CONVERTED; at++)
		c->width = 10 * c->width + (size_t)(*at - '0');
	kind = take_kind(&at, c);
	if (kind && take_behind(at, c))
		c->kind = kind;
}

/* Looked for by where it is, and known by what it is: some are made for each row in one place. */
static const struct conversion *conversion_of(struct writer *w, const char *fmt)
{
	struct conversion *c = &w->known[((uintptr_t)fmt ^ (uintptr_t)fmt >> 5) % FORMATS_KNOWN];

	if (strcmp(c->fmt, fmt) != 0)
		take_format(fmt, c);
	return c;
}

static char *put_bytes(char *to, const char *from, size_t len)
{
	/* Most are a blank or two, for which a call would be more. */
	while (len--)
		*to++ = *from++;
	return to;
}

static char *put_pad(char *to, char c, size_t len)
{
	while (len--)
		*to++ = c;
	return to;
}

/* False: it is longer than what is put together here. */
static bool put_converted(struct writer *w, const struct conversion *c, const char *value,
			  size_t len)
{
	size_t pad = c->width > len ? c->width - len : 0;
	char text[CONVERTED], *to = text;

	if (len >= CONVERTED || sizeof(c->fmt) + sizeof(c->behind) + pad + len > CONVERTED)
		return false;
	to = put_bytes(to, c->fmt, c->before);
	if (!c->left)
		to = put_pad(to, c->zeros ? '0' : ' ', pad);
	to = mempcpy(to, value, len);
	if (c->left)
		to = put_pad(to, ' ', pad);
	to = put_bytes(to, c->behind, c->behind_count);
	begin_colour(w);
	fwrite_unlocked(text, 1, (size_t)(to - text), w->out);
	end_colour(w);
	return true;
}

static void put_string_by(struct writer *w, const char *fmt, const char *value)
{
	const struct conversion *c = conversion_of(w, fmt);

	if (c->kind == 's' && put_converted(w, c, value, strlen(value)))
		return;
	begin_colour(w);
	fprintf(w->out, fmt, value);
	end_colour(w);
}

static void put_number_by(struct writer *w, const char *fmt, uint64_t value)
{
	const struct conversion *c = conversion_of(w, fmt);
	char digits[DIGITS_WHOLE], *end = digits;

	if (c->kind == 'x')
		end = digits_hex(digits, value);
	else if (c->kind == 'u')
		end = digits_whole(digits, value);
	if (end > digits && put_converted(w, c, digits, (size_t)(end - digits)))
		return;
	begin_colour(w);
	fprintf(w->out, fmt, value);
	end_colour(w);
}

static void put_real_by(struct writer *w, const char *fmt, double value)
{
	const struct conversion *c = conversion_of(w, fmt);
	char text[DIGITS_FIXED], *end = NULL;

	if (c->kind == 'f')
		end = digits_fixed(text, value, c->decimals);
	if (end && put_converted(w, c, text, (size_t)(end - text)))
		return;
	begin_colour(w);
	fprintf(w->out, fmt, value);
	end_colour(w);
}

static void separate(struct writer *w)
{
	if (w->column++)
		fputs(w->separator, w->out);
}

/*
 * A spreadsheet computes what begins so, and may start programs by it; a number is harmless, and
 * so is an @ that calls nothing, as in "@plt".
 */
static bool is_formula(const char *value)
{
	char *end;

	if (!*value || !value[1] || !strchr("=+-@\t", *value))
		return false;
	if (*value == '@')
		return strpbrk(value, "(|!");
	strtod(value, &end);
	return end == value || *end;
}

/*
 * Quoted, if a reader would otherwise see other columns than we wrote; behind an apostrophe, if
 * a spreadsheet would see a formula.
 */
static void csv_string(struct writer *w, const char *value)
{
	const char *mark = is_formula(value) ? "'" : "";

	separate(w);
	if (!strstr(value, w->separator) && !strpbrk(value, "\"\n")) {
		fputs(mark, w->out);
		fputs(value, w->out);
		return;
	}
	fprintf(w->out, "\"%s", mark);
	for (; *value; value++) {
		if (*value == '"')
			fputc('"', w->out);
		fputc(*value, w->out);
	}
	fputc('"', w->out);
}

static void put_string(struct writer *w, const char *fmt, const char *value)
{
	if (w->format == FORMAT_CSV) {
		csv_string(w, value);
	} else if (fmt) {
		put_string_by(w, fmt, value);
	}
}

/* What needs no closer look: from 0x80 on whole characters tell, and CSV quotes lines. */
static bool is_plain(char c, enum format format)
{
	return (c >= ' ' && c < 0x7f) || (format == FORMAT_CSV && (c == '\n' || c == '\t'));
}

void writer_string(struct writer *w, const char *key, const char *fmt, const char *value)
{
	const char *c = value;
	char *clean;

	if (!value) {
		writer_null(w, key, NULL, "");
		return;
	}
	if (w->format == FORMAT_JSON) {
		json_put_string(&w->json, key, value);
		return;
	}
	if (w->format == FORMAT_TEXT && !fmt)
		return;
	while (is_plain(*c, w->format))
		c++;
	clean = *c ? clean_copy(value) : NULL;
	if (*c && !clean)
		w->failed = true;
	put_string(w, fmt, clean ? clean : *c ? "" : value);
	free(clean);
}

void writer_digits(struct writer *w, const char *key, const char *fmt, const char *digits)
{
	if (w->format == FORMAT_JSON)
		json_put_integer(&w->json, key, strtoll(digits, NULL, 10));
	else
		put_string(w, fmt, digits);
}

void writer_u64(struct writer *w, const char *key, const char *fmt, uint64_t value)
{
	char text[DIGITS_WHOLE], *end;

	if (w->format == FORMAT_JSON) {
		/* Readers' integers have a sign; a count that needs bit 63 keeps its size. */
		if (value <= INT64_MAX)
			json_put_integer(&w->json, key, (int64_t)value);
		else
			json_put_real(&w->json, key, (double)value);
	} else if (w->format == FORMAT_CSV) {
		separate(w);
		end = digits_whole(text, value);
		fwrite(text, 1, (size_t)(end - text), w->out);
	} else if (fmt) {
		put_number_by(w, fmt, value);
	}
}

/* What has no unit has room for one, so that digits stand below digits. */
__attribute__((cold, noinline)) static void put_human(struct writer *w, int width, uint64_t value)
{
	char text[UNITS_TEXT];

	units_text(value, text);
	writer_text(w, "%*s%s", value < 1000 ? width - 2 : width, text, value < 1000 ? "  " : "");
}

void writer_count(struct writer *w, const char *key, const char *fmt, int width, uint64_t value)
{
	if (w->human && fmt)
		put_human(w, width, value);
	else
		writer_u64(w, key, fmt, value);
}

const char *writer_count_text(const struct writer *w, uint64_t value, char text[COUNT_TEXT])
{
	if (w->human)
		units_text(value, text);
	else
		snprintf(text, COUNT_TEXT, "%" PRIu64, value);
	return text;
}

void writer_double(struct writer *w, const char *key, const char *fmt, int decimals,
		   double value)
{
	char text[DIGITS_FIXED], *end;

	if (w->format == FORMAT_JSON) {
		json_put_real(&w->json, key, value);
	} else if (w->format == FORMAT_CSV) {
		separate(w);
		end = digits_fixed(text, value, decimals);
		if (end)
			fwrite(text, 1, (size_t)(end - text), w->out);
		else
			fprintf(w->out, "%.*f", decimals, value);
	} else if (fmt) {
		put_real_by(w, fmt, value);
	}
}

void writer_number(struct writer *w, const char *key, int decimals, double value, bool there)
{
	if (there)
		writer_double(w, key, NULL, decimals, value);
	else
		writer_null(w, key, NULL, "");
}

void writer_words(struct writer *w, char *const *words)
{
	for (; *words; words++)
		writer_text(w, "%s%s", *words, words[1] ? " " : "");
}

void writer_bool(struct writer *w, const char *key, bool value)
{
	if (w->format == FORMAT_JSON)
		json_put_word(&w->json, key, value ? "true" : "false", value ? 4 : 5);
	else if (w->format == FORMAT_CSV)
		csv_string(w, value ? "yes" : "no");
}

void writer_null(struct writer *w, const char *key, const char *fmt, const char *instead)
{
	if (w->format == FORMAT_JSON)
		json_put_word(&w->json, key, "null", 4);
	else
		put_string(w, fmt, instead);
}
