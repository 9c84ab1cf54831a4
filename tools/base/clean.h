/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of unknown origin, made fit to be shown; and text of our own.
 */
#ifndef PMUCTL_CLEAN_H
#define PMUCTL_CLEAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the UTF-8 character that text starts with; 0: it is none. */
unsigned int utf8_character(const char *text, uint32_t *character);
/*
 * Characters that change the direction of the text behind them, so that a name shows as what
 * it is not; and those that part lines.
 */
bool turns_text(uint32_t c);
/* What that prints, for free(); NULL: no memory. */
__attribute__((format(printf, 1, 2))) char *new_text(const char *format, ...);
/* UTF-8 without control characters: '?' for each byte of what else there is; NULL: no memory. */
char *clean_copy(const char *text);
/* Whether it is ASCII that may be shown as it is, as nearly all is: no copy is needed of that. */
bool is_clean_ascii(const char *text);
/* The same to a stream. */
void put_clean(FILE *out, const char *text);
/* Of text with names in it: its lines and tabs stay. */
void put_clean_lines(FILE *out, const char *text);
/* Whether a DSO is code that a process made: "/tmp/perf-PID.map". */
bool is_made_code(const char *dso, int *pid);
/* Both take clean text. */
void put_xml(FILE *out, const char *text);
/* In quotes. */
void put_json(FILE *out, const char *text);

#endif
