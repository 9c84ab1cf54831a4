/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one way by which values leave the command: as text for people, as CSV
 * columns, or as JSON, one object a line.
 */
#ifndef PMUCTL_WRITER_H
#define PMUCTL_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/base/colour.h"

enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
};

/* As -x, -j and the options of who is read on a terminal have it. */
struct layout {
	enum format format;
	const char *separator;	/* of CSV */
	enum colour_when colour;
	bool no_pager;
	bool human;		/* counts in bigger units */
};

#define LAYOUT_TEXT { .format = FORMAT_TEXT, .separator = "," }
#define LAYOUT_CSV { .format = FORMAT_CSV, .separator = "," }

struct writer;

/* separator is for CSV. */
struct writer *writer_open(FILE *out, enum format format, const char *separator);
/* With colours and bigger units, too, where the layout wants them. */
struct writer *writer_open_as(FILE *out, const struct layout *layout);
/* Flushes and frees; false if anything could not be written, errno says why. */
bool writer_close(struct writer *w);
enum format writer_format(const struct writer *w);

/* A row is a line of CSV, an object of JSON, and nothing in text. */
void writer_row(struct writer *w);
void writer_end_row(struct writer *w);
/* Objects, or values without a key, within a row's object, in JSON; plain rows in CSV. */
void writer_array(struct writer *w, const char *key);
void writer_end_array(struct writer *w);

/* Of the next value or text, if that is shown as text with colours. */
void writer_colour(struct writer *w, enum colour colour);
/* The same by how much of all it is: colour_of_share(). */
void writer_heat(struct writer *w, double percent);

/* In text alone: the words of a command with blanks between. */
void writer_words(struct writer *w, char *const *words);
/* In text alone. */
__attribute__((format(printf, 2, 3))) void writer_text(struct writer *w, const char *fmt, ...);

/*
 * In text by fmt, which takes that one value (NULL: not at all), in CSV the
 * next column, in JSON by key.  A string that is NULL is no value: nothing in
 * text, an empty column, null.
 */
void writer_string(struct writer *w, const char *key, const char *fmt, const char *value);
/* An integer that is text already, to stand in a column like others. */
void writer_digits(struct writer *w, const char *key, const char *fmt, const char *digits);
void writer_u64(struct writer *w, const char *key, const char *fmt, uint64_t value);
/* The same, but where the layout wants bigger units: then it is as wide as width. */
void writer_count(struct writer *w, const char *key, const char *fmt, int width, uint64_t value);
/* In a sentence; text alone. */
#define COUNT_TEXT 24
const char *writer_count_text(const struct writer *w, uint64_t value, char text[COUNT_TEXT]);
/* decimals: in CSV. */
void writer_double(struct writer *w, const char *key, const char *fmt, int decimals,
		   double value);
/* The same if it is there; else an empty column, or null. */
void writer_number(struct writer *w, const char *key, int decimals, double value, bool there);
void writer_bool(struct writer *w, const char *key, bool value);
/* Without a value: text and CSV have `instead`, JSON null. */
void writer_null(struct writer *w, const char *key, const char *fmt, const char *instead);

#endif
