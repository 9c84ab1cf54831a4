/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON as it is written: an object or array a line.  A row an interval of each CPU adds up, so
 * that none is made into a tree first.
 */
#ifndef PMUCTL_JSON_H
#define PMUCTL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/base/digits.h"

#define JSON_DEPTH 6
#define JSON_RECENT 8

/* Begins as { 0 }. */
struct json_line {
	char *text;
	size_t len, room;
	unsigned int depth;	/* of objects and arrays that are open */
	struct {
		bool is_array;
		bool has_some;	/* the next one needs a comma */
	} open[JSON_DEPTH];
	/* Numbers that were written: an interval's times stand in each of its rows. */
	struct {
		uint64_t bits;
		size_t len;	/* 0: none yet */
		char text[DIGITS_REAL];
	} recent[JSON_RECENT];
	bool failed;		/* there was no memory: the line is not written */
};

/*
 * key: where it is in an object, of characters that stand for themselves; values of arrays have
 * none.
 */
void json_begin(struct json_line *l, const char *key, bool is_array);
/* What was opened last; the outermost goes to out. */
void json_end(struct json_line *l, FILE *out);
/* What is not UTF-8 has question marks for its bytes, and for nothing else. */
void json_put_string(struct json_line *l, const char *key, const char *value);
void json_put_integer(struct json_line *l, const char *key, int64_t value);
/* With 15 digits; what is no number is left out. */
void json_put_real(struct json_line *l, const char *key, double value);
/* true, false or null, of so many letters. */
void json_put_word(struct json_line *l, const char *key, const char *word, size_t len);

#endif
