// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What became of the functions that one side alone was seen in: they are new, gone, inlined now,
 * or were not met.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/diff/diff.h"

static double share_of(const struct diff_side *side, double events)
{
	return side->all.events > 0 ? events / side->all.events : 0;
}

/* Shares of where it was inlined, -1 where nothing tells; -ENOMEM. */
static int find_inlined(struct diff *d, struct diff_row *row, const char *name)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		double events = 0;
		int err = side_inlined(&d->sides[i], name, &events);

		if (err == -ENOMEM)
			return err;
		row->inlined[i] = err ? -1 : share_of(&d->sides[i], events);
	}
	return 0;
}

/* A function that the side `without` has no sample of. */
static void note_missing(struct diff *d, struct diff_row *row, const struct diff_function *f,
			 unsigned int without)
{
	char side = "AB"[without];
	double inlined = row->inlined[without];
	uint32_t dso = diff_object(d, without, f->dso);
	struct pmuctl_symbol symbol;
	int err = dso == INDEX_NONE ? -ENODATA :
		  pmuctl_data_named(d->sides[without].data, dso, f->name, &symbol);

	if (dso == INDEX_NONE)
		snprintf(row->note, sizeof(row->note), "%c has no sample in %.80s", side, f->dso);
	else if (inlined > 0)
		snprintf(row->note, sizeof(row->note), "%s: %.2f %% of %c is in it",
			 without ? "inlined now" : "was inlined", 100 * inlined, side);
	else if (err == -ENOENT)
		snprintf(row->note, sizeof(row->note), "%s%s", without ? "gone" : "new",
			 inlined < 0 ? without ? ", or inlined now" : ", or was inlined" : "");
}

static void note_both(struct diff_row *row, const struct diff_function *f)
{
	const char *in_b = f->of[1]->name;
	size_t at = 0;

	if (strcmp(f->name, in_b) != 0)
		at = (size_t)snprintf(row->note, sizeof(row->note), "%.80s in B", in_b);
	if (row->inlined[0] > 0 || row->inlined[1] > 0)
		snprintf(row->note + at, sizeof(row->note) - at,
			 "%sand inlined: %.2f %% of A, %.2f %% of B", at ? "; " : "",
			 100 * row->inlined[0], 100 * row->inlined[1]);
}

static int note_function(struct diff *d, struct diff_row *row)
{
	bool inside = diff_by(d->args, DIFF_LINE) || diff_by(d->args, DIFF_ADDRESS);
	const struct diff_function *f = &d->functions[row->function];
	bool both = f->of[0] && f->of[1];
	int err;

	if (!f->name)
		return 0;
	/* What did not change need not be explained. */
	if (both && (inside || (!row->apart && !strcmp(f->name, f->of[1]->name))))
		return 0;
	err = find_inlined(d, row, f->name);
	if (err)
		return err;
	if (both)
		note_both(row, f);
	else
		note_missing(d, row, f, f->of[1] ? 0 : 1);
	return 0;
}

int diff_notes(struct diff *d)
{
	size_t i;
	int err = 0;

	for (i = 0; i < d->shown && !err; i++) {
		struct diff_row *row = &d->rows[i];

		row->inlined[0] = row->inlined[1] = -1;
		if (row->alone)
			snprintf(row->note, sizeof(row->note), row->alone == 1 ? "gone" : "new");
		else if (row->line_b)
			snprintf(row->note, sizeof(row->note), "line %u in B", row->line_b);
		else if (row->function != INDEX_NONE)
			err = note_function(d, row);
	}
	return err;
}
