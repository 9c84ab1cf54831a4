// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printing what pmuctl diff found: a table an event, the largest changes first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/diff/diff.h"
#include "tools/samples/text.h"

#define GAP "  "

static const struct {
	const char *heading, *key;
} columns[DIFF_KEYS] = {
	[DIFF_COMM] = { "Command", "comm" },
	[DIFF_DSO] = { "Shared Object", "dso" },
	[DIFF_SYMBOL] = { "Symbol", "symbol" },
	[DIFF_LINE] = { "Source:Line", "line" },
	[DIFF_ADDRESS] = { "Address", "address" },
};

/* ---- around the rows ------------------------------------------------------------------------ */

static void print_side(const struct diff *d, struct writer *w, unsigned int i)
{
	const struct diff_side *side = &d->sides[i];
	const struct pmuctl_data_info *info = pmuctl_data_get_info(side->data);

	writer_text(w, "# %c: ", 'A' + (int)i);
	writer_string(w, NULL, "%s", side->file);
	writer_text(w, ", %" PRIu64 " samples, %.0f events", side->all.samples, side->all.events);
	if (info->command && *info->command) {
		writer_text(w, ", of ");
		writer_string(w, NULL, "%s", info->command);
	}
	writer_text(w, "\n");
}

static void print_head(const struct diff *d, struct writer *w)
{
	double a = d->sides[0].all.events, b = d->sides[1].all.events;

	writer_text(w, "# ");
	writer_string(w, NULL, "%s", d->event);
	writer_text(w, " in A and in B, %s\n",
		    d->args->by_events ? "changes by events, all of A being 100 %" :
					 "changes by shares, in percent of each");
	print_side(d, w, 0);
	print_side(d, w, 1);
	writer_text(w, "# B has %+.2f %% events, %.4f times as many as A\n",
		    100 * (b - a) / a, b / a);
	if (d->programs[0]) {
		writer_text(w, "# ");
		writer_string(w, NULL, "%s", d->programs[0]);
		writer_text(w, " of A is compared with ");
		writer_string(w, NULL, "%s", d->programs[1]);
		writer_text(w, " of B\n");
	}
}

/* What the file says of this event, for machines. */
static void write_head(const struct diff *d, struct writer *w)
{
	unsigned int i;

	writer_row(w);
	writer_string(w, "event", NULL, d->event);
	for (i = 0; i < 2; i++) {
		writer_string(w, i ? "file_b" : "file_a", NULL, d->sides[i].file);
		writer_u64(w, i ? "total_samples_b" : "total_samples_a", NULL,
			   d->sides[i].all.samples);
		writer_double(w, i ? "total_events_b" : "total_events_a", NULL, 0,
			      d->sides[i].all.events);
	}
	writer_string(w, "program_a", NULL, d->programs[0]);
	writer_string(w, "program_b", NULL, d->programs[1]);
	writer_end_row(w);
}

static void levels(const struct diff *d, double *least, double *most)
{
	size_t i;

	*least = 1;
	*most = 0;
	for (i = 0; i < d->shown; i++) {
		double level = d->rows[i].interval.level;

		*least = level < *least ? level : *least;
		*most = level > *most ? level : *most;
	}
}

static void print_foot(const struct diff *d, struct writer *w)
{
	size_t i, apart = 0;
	double least, most;

	for (i = 0; i < d->rows_count; i++)
		apart += d->rows[i].apart;
	levels(d, &least, &most);
	writer_text(w, "#\n# %zu of %" PRIu32 " rows told apart", apart, d->rows_count);
	if (d->shown < d->rows_count)
		writer_text(w, "; %zu with less than %g %% on both sides left out (--percent-limit)",
			    d->rows_count - d->shown, d->args->limit);
	writer_text(w, "\n");
	if (d->shown)
		writer_text(w, "# intervals of %.2f to %.2f %%: Holm's and Tarone's correction, so that "
			    "if nothing differs, something is told apart in %.0f %% of cases at most\n",
			    100 * least, 100 * most, 100 * ERROR_MOST);
	writer_text(w, "# they are of sampling alone: how much runs differ `pmuctl compare` tells\n");
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *verdict_of(const struct diff_row *row)
{
	return !row->apart ? "unclear" : row->change > 0 ? "more" : "less";
}

static enum colour colour_of(const struct diff_row *row)
{
	if (!row->apart)
		return COLOUR_NONE;
	return row->change > 0 ? COLOUR_RED : COLOUR_GREEN;
}

static const char *text_of(const struct diff *d, const struct diff_row *row, enum diff_key key,
			   char *text, size_t size)
{
	if (key != DIFF_SYMBOL || row->function == INDEX_NONE)
		return row->text[key];
	snprintf(text, size, "[%c] %s", d->functions[row->function].kernel ? 'k' : '.',
		 row->text[key]);
	return text;
}

static void measure(const struct diff *d, size_t width[DIFF_KEYS])
{
	const struct diff_args *args = d->args;
	char text[512];
	size_t i, k, length;

	for (k = 0; k < args->keys_count; k++) {
		width[k] = strlen(columns[args->keys[k]].heading);
		for (i = 0; i < d->shown; i++) {
			length = strlen(text_of(d, &d->rows[i], args->keys[k], text, sizeof(text)));
			width[k] = length > width[k] ? length : width[k];
		}
	}
}

static void print_headings(const struct diff *d, struct writer *w, const size_t *width)
{
	size_t k;

	writer_text(w, "#\n#      A         B   Change  Interval            Verdict");
	for (k = 0; k < d->args->keys_count; k++)
		writer_text(w, GAP "%-*s", k + 1 < d->args->keys_count ? (int)width[k] : 0,
			    columns[d->args->keys[k]].heading);
	writer_text(w, "\n#\n");
}

static void instruction_of(const struct diff *d, const struct diff_row *row, char *text,
			   size_t size)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	place_insn(d->sides[row->at_side].data, &row->at, &insn);
	snprintf(text, size, "%s", insn.text);
}

static void print_text_row(const struct diff *d, struct writer *w, const struct diff_row *row,
			   const size_t *width)
{
	const struct diff_args *args = d->args;
	char text[512], interval[64];
	size_t k;

	snprintf(interval, sizeof(interval), "[%+.2f, %+.2f]", 100 * row->interval.low,
		 100 * row->interval.high);
	writer_text(w, " %7.2f%% %7.2f%%", 100 * diff_share(d, row, 0),
		    100 * diff_share(d, row, 1));
	writer_colour(w, colour_of(row));
	writer_text(w, "  %+7.2f", 100 * row->change);
	writer_text(w, "  %-18s", interval);
	writer_colour(w, colour_of(row));
	writer_text(w, "  %-7s", verdict_of(row));
	for (k = 0; k < args->keys_count; k++)
		writer_text(w, GAP "%-*s", k + 1 < args->keys_count ? (int)width[k] : 0,
			    text_of(d, row, args->keys[k], text, sizeof(text)));
	if (diff_by(args, DIFF_ADDRESS)) {
		instruction_of(d, row, text, sizeof(text));
		writer_text(w, GAP "%s", text);
	}
	if (*row->note)
		writer_text(w, GAP "(%s)", row->note);
	writer_text(w, "\n");
}

static void write_row(const struct diff *d, struct writer *w, const struct diff_row *row)
{
	const struct diff_args *args = d->args;
	char text[512];
	unsigned int i;
	size_t k;

	writer_row(w);
	writer_string(w, "event", NULL, d->event);
	for (k = 0; k < args->keys_count; k++)
		writer_string(w, columns[args->keys[k]].key, NULL, row->text[args->keys[k]]);
	for (i = 0; i < 2; i++) {
		writer_u64(w, i ? "samples_b" : "samples_a", NULL, row->of[i].samples);
		writer_double(w, i ? "events_b" : "events_a", NULL, 0, row->of[i].events);
		writer_double(w, i ? "share_b" : "share_a", NULL, 6, 100 * diff_share(d, row, i));
	}
	writer_double(w, "change", NULL, 6, 100 * row->change);
	writer_double(w, "low", NULL, 6, 100 * row->interval.low);
	writer_double(w, "high", NULL, 6, 100 * row->interval.high);
	writer_double(w, "level", NULL, 6, row->interval.level);
	writer_double(w, "p", NULL, 9, row->p);
	writer_string(w, "verdict", NULL, verdict_of(row));
	for (i = 0; i < 2; i++)
		writer_number(w, i ? "inlined_b" : "inlined_a", 6, 100 * row->inlined[i],
			      row->inlined[i] >= 0);
	if (diff_by(args, DIFF_ADDRESS)) {
		instruction_of(d, row, text, sizeof(text));
		writer_string(w, "instruction", NULL, text);
	}
	writer_string(w, "note", NULL, row->note);
	writer_end_row(w);
}

static void print_csv_headings(const struct diff *d, FILE *out)
{
	static const char *const figures[] = {
		"samples_a", "events_a", "share_a", "samples_b", "events_b", "share_b", "change",
		"low", "high", "level", "p", "verdict", "inlined_a", "inlined_b",
	};
	const struct diff_args *args = d->args;
	const char *s = args->layout.separator;
	size_t k;

	fprintf(out, "# event%s", s);
	for (k = 0; k < args->keys_count; k++)
		fprintf(out, "%s%s", columns[args->keys[k]].key, s);
	for (k = 0; k < ARRAY_SIZE(figures); k++)
		fprintf(out, "%s%s", figures[k], s);
	fprintf(out, "%s%snote\n", diff_by(args, DIFF_ADDRESS) ? "instruction" : "",
		diff_by(args, DIFF_ADDRESS) ? s : "");
}

void diff_print(const struct diff *d, struct writer *w, FILE *out)
{
	size_t width[DIFF_KEYS], i;

	if (writer_format(w) == FORMAT_TEXT) {
		measure(d, width);
		print_head(d, w);
		print_headings(d, w, width);
		for (i = 0; i < d->shown; i++)
			print_text_row(d, w, &d->rows[i], width);
		print_foot(d, w);
		writer_text(w, "\n");
		return;
	}
	if (writer_format(w) == FORMAT_CSV)
		print_csv_headings(d, out);
	else
		write_head(d, w);
	for (i = 0; i < d->shown; i++)
		write_row(d, w, &d->rows[i]);
}
