// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each run of pmuctl compare counted, as a file of CSV: written by --counts, and compared
 * without running anything by --from.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/compare/compare.h"

#define HEAD "mode,event,pair,a,b"
#define COLUMNS 5

/* ---- writing -------------------------------------------------------------------------------- */

static void write_value(struct writer *w, const struct reading *x)
{
	char text[40] = "";

	if (!x->why_not)
		snprintf(text, sizeof(text), "%.15g", x->value);
	writer_string(w, "value", NULL, text);
}

void compare_write_counts(struct writer *w, FILE *out, const struct results *r)
{
	size_t contest, row, pair;

	fputs(HEAD "\n", out);
	for (contest = 0; contest < r->nr_contests; contest++)
		for (row = 0; row < r->nr_rows; row++)
			for (pair = 0; !r->rows[row].why_not && pair < r->pairs; pair++) {
				const char *mode = r->contests[contest].name;

				writer_row(w);
				writer_string(w, "mode", NULL, mode ? mode : "");
				writer_string(w, "event", NULL, r->rows[row].name);
				writer_u64(w, "pair", NULL, pair + 1);
				write_value(w, &results_of(r, contest, pair, 0)[row]);
				write_value(w, &results_of(r, contest, pair, 1)[row]);
				writer_end_row(w);
			}
}

/* ---- lines ---------------------------------------------------------------------------------- */

static int bad_line(const char *path, size_t number, const char *what)
{
	return complain("compare", EXIT_USAGE, "--from %s: line %zu: %s", path, number, what);
}

/* Ends the column that begins here, without its quotes; returns the next one, or NULL. */
static char *end_column(char *column)
{
	char *from = column, *to = column;
	bool quoted = *from == '"';

	from += quoted;
	while (*from && (quoted || *from != ',')) {
		if (quoted && *from == '"') {
			from++;
			quoted = *from == '"';
			if (!quoted)
				continue;
		}
		*to++ = *from++;
	}
	from = *from == ',' ? from + 1 : NULL;
	*to = '\0';
	return from;
}

/* Returns whether there are as many columns as there have to be. */
static bool split(char *line, char *columns[COLUMNS])
{
	size_t i;

	line[strcspn(line, "\r\n")] = '\0';
	for (i = 0; i < COLUMNS && line; i++) {
		columns[i] = line;
		line = end_column(line);
	}
	return i == COLUMNS && !line;
}

/* An empty one is of a run that did not count it. */
static bool take_value(const char *text, struct reading *to)
{
	char *end;

	*to = (struct reading){ .why_not = NOT_COUNTED };
	if (!*text)
		return true;
	to->value = strtod(text, &end);
	to->why_not = NULL;
	/* Neither infinite nor no number at all. */
	return !*end && to->value - to->value == 0;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Returns its place among the names, to which it is added if need be; -1: there is no memory. */
static long place_of(char ***names, size_t *count, const char *name)
{
	char **grown;
	size_t i;

	for (i = 0; i < *count; i++)
		if (!strcmp((*names)[i], name))
			return (long)i;
	grown = reallocarray(*names, *count + 1, sizeof(*grown));
	if (!grown)
		return -1;
	*names = grown;
	grown[*count] = strdup(name);
	return grown[*count] ? (long)(*count)++ : -1;
}

/* A line of the file. */
struct pair_line {
	size_t mode, event, pair;
	struct reading sides[2];
};

static int take_line(struct counts_file *f, const char *path, size_t number, char *text)
{
	struct pair_line *grown, line;
	char *columns[COLUMNS];
	uint64_t pair = 0;
	long mode, event;

	if (!split(text, columns))
		return bad_line(path, number, "there have to be the columns " HEAD);
	if (option_number("compare", "--from: the pair", columns[2], 1, PAIRS_MOST, &pair))
		return bad_line(path, number, "the third column is the pair");
	if (!take_value(columns[3], &line.sides[0]) || !take_value(columns[4], &line.sides[1]))
		return bad_line(path, number, "a count is no number");
	mode = place_of(&f->modes, &f->nr_modes, columns[0]);
	event = place_of(&f->events, &f->nr_events, columns[1]);
	grown = reallocarray(f->lines, f->nr_lines + 1, sizeof(*grown));
	if (grown)
		f->lines = grown;
	if (!grown || mode < 0 || event < 0)
		return complain("compare", EXIT_FAILED, "out of memory");
	line.mode = (size_t)mode;
	line.event = (size_t)event;
	line.pair = (size_t)pair;
	grown[f->nr_lines++] = line;
	if (line.pair > f->pairs)
		f->pairs = line.pair;
	return 0;
}

static int read_lines(struct counts_file *f, const char *path, FILE *in)
{
	char *text = NULL;
	size_t size = 0, number;
	int code = 0;

	for (number = 1; !code && getline(&text, &size, in) >= 0; number++) {
		if (number > 1)
			code = take_line(f, path, number, text);
		else if (strncmp(text, HEAD, strlen(HEAD)) != 0)
			code = bad_line(path, number, "it is not '" HEAD "', as --counts writes it");
	}
	free(text);
	if (!code && ferror(in))
		code = complain("compare", EXIT_FAILED, "--from %s: %s", path, strerror(errno));
	if (!code && !f->nr_lines)
		code = complain("compare", EXIT_USAGE, "--from %s: there are no counts in it", path);
	return code;
}

/* ---- results -------------------------------------------------------------------------------- */

static bool is_count(const struct counts_file *f, size_t event)
{
	size_t i, side;

	for (i = 0; i < f->nr_lines; i++)
		for (side = 0; f->lines[i].event == event && side < 2; side++) {
			double value = f->lines[i].sides[side].value;

			if (value < 0 || value > 9e15 || value != (double)(uint64_t)value)
				return false;
		}
	return true;
}

static enum row_kind kind_of(const struct counts_file *f, size_t event)
{
	if (!strcmp(f->events[event], ROW_TIME_NAME))
		return ROW_TIME;
	if (!strcmp(f->events[event], ROW_ENERGY_NAME))
		return ROW_ENERGY;
	return is_count(f, event) ? ROW_COUNT : ROW_METRIC;
}

static int make_results(struct counts_file *f, struct results *r)
{
	static const struct mode none;
	size_t i;

	f->contests = calloc(f->nr_modes, sizeof(*f->contests));
	f->rows = calloc(f->nr_events, sizeof(*f->rows));
	if (!f->contests || !f->rows)
		return -ENOMEM;
	for (i = 0; i < f->nr_modes; i++)
		f->contests[i] = (struct contest){ *f->modes[i] ? f->modes[i] : NULL,
						   { { NULL, &none }, { NULL, &none } } };
	for (i = 0; i < f->nr_events; i++)
		f->rows[i] = (struct row){ kind_of(f, i), f->events[i], NULL };
	r->contests = f->contests;
	r->nr_contests = f->nr_modes;
	r->rows = f->rows;
	r->nr_rows = f->nr_events;
	return results_make(r, f->pairs);
}

static int fill_results(const struct counts_file *f, const char *path, struct results *r)
{
	static const char missing[] = "missing";
	size_t i, contest, pair, row;
	unsigned int side;

	for (i = 0; i < r->nr_contests * r->room * 2 * r->nr_rows; i++)
		r->readings[i].why_not = missing;
	for (i = 0; i < f->nr_lines; i++)
		for (side = 0; side < 2; side++)
			results_of(r, f->lines[i].mode, f->lines[i].pair - 1,
				   side)[f->lines[i].event] = f->lines[i].sides[side];
	for (contest = 0; contest < r->nr_contests; contest++)
		for (row = 0; row < r->nr_rows; row++)
			for (pair = 0; pair < r->room; pair++)
				if (results_of(r, contest, pair, 0)[row].why_not == missing)
					return complain("compare", EXIT_USAGE, "--from %s: there is no "
							"pair %zu of '%s'%s%s%s", path, pair + 1,
							f->events[row], *f->modes[contest] ?
							" in mode '" : "", f->modes[contest],
							*f->modes[contest] ? "'" : "");
	r->pairs = r->room;
	return 0;
}

int compare_read_counts(const char *path, struct counts_file *f, struct results *r)
{
	FILE *in = fopen(path, "re");
	int code;

	if (!in)
		return complain("compare", EXIT_FAILED, "--from %s: %s", path, strerror(errno));
	code = read_lines(f, path, in);
	fclose(in);
	if (!code && make_results(f, r))
		code = complain("compare", EXIT_FAILED, "out of memory");
	return code ? code : fill_results(f, path, r);
}

static void free_names(char **names, size_t count)
{
	while (count)
		free(names[--count]);
	free(names);
}

void compare_free_counts(struct counts_file *f)
{
	free_names(f->modes, f->nr_modes);
	free_names(f->events, f->nr_events);
	free(f->lines);
	free(f->contests);
	free(f->rows);
}
