// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the pairs of pmuctl compare come to: ratios, intervals and verdicts, and Amdahl's law.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compare/compare.h"

int results_make(struct results *r, size_t pairs)
{
	r->room = pairs;
	r->pairs = 0;
	r->readings = calloc(r->nr_contests * pairs * 2 * r->nr_rows, sizeof(*r->readings));
	r->cells = calloc(r->nr_contests * r->nr_rows, sizeof(*r->cells));
	return r->readings && r->cells ? 0 : -ENOMEM;
}

void results_free(struct results *r)
{
	free(r->readings);
	free(r->cells);
	r->readings = NULL;
	r->cells = NULL;
}

struct reading *results_of(const struct results *r, size_t contest, size_t pair, unsigned int side)
{
	return &r->readings[((contest * r->room + pair) * 2 + side) * r->nr_rows];
}

const struct cell *results_cell(const struct results *r, size_t contest, size_t row)
{
	return &r->cells[contest * r->nr_rows + row];
}

uint32_t results_flags(const struct results *r)
{
	uint32_t flags = 0;
	size_t i;

	for (i = 0; i < r->nr_contests * r->nr_rows; i++)
		flags |= r->cells[i].flags;
	return flags;
}

size_t results_comparisons(const struct results *r)
{
	size_t row, count = 0;

	for (row = 0; row < r->nr_rows; row++)
		count += !r->rows[row].why_not;
	return count * r->nr_contests;
}

/* ---- one cell ------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* values: room for all pairs.  The flags go into the cell as well. */
static void take_median(const struct results *r, size_t contest, size_t row, unsigned int side,
			double *values, struct cell *cell)
{
	size_t pair;

	for (pair = 0; pair < r->pairs; pair++) {
		values[pair] = results_of(r, contest, pair, side)[row].value;
		cell->flags |= results_of(r, contest, pair, side)[row].flags;
	}
	qsort(values, r->pairs, sizeof(*values), compare_doubles);
	cell->medians[side] = (values[(r->pairs - 1) / 2] + values[r->pairs / 2]) / 2;
}

/* Puts the logarithms of the ratios into d; false, with the reason in the cell, if one has none. */
static bool take_logs(const struct results *r, size_t contest, size_t row, double *d,
		      struct cell *cell)
{
	size_t pair;
	unsigned int side;

	for (pair = 0; pair < r->pairs; pair++) {
		d[pair] = 0;
		for (side = 0; side < 2; side++) {
			const struct reading *x = &results_of(r, contest, pair, side)[row];

			if (x->why_not || !(x->value > 0)) {
				snprintf(cell->why_not, sizeof(cell->why_not),
					 "%s in pair %zu of %c: no ratio", x->why_not ? x->why_not :
					 x->value < 0 ? "below 0" : "0", pair + 1, 'A' + (int)side);
				return false;
			}
			/* As a difference, so that what is exchanged has the other sign exactly. */
			d[pair] += side ? -natural_log(x->value) : natural_log(x->value);
		}
	}
	return true;
}

static bool all_equal(const double *d, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (d[i] != d[0])
			return false;
	return true;
}

/* Up to the verdict, which takes all cells; d has room for all pairs. */
static int fill_cell(struct results *r, size_t contest, size_t row, double *d, struct cell *cell)
{
	*cell = (struct cell){ .p = 1 };
	if (r->rows[row].why_not) {
		snprintf(cell->why_not, sizeof(cell->why_not), "%s", r->rows[row].why_not);
		return 0;
	}
	take_median(r, contest, row, 0, d, cell);
	take_median(r, contest, row, 1, d, cell);
	if (!take_logs(r, contest, row, d, cell))
		return 0;
	cell->identical = all_equal(d, r->pairs);
	return signed_rank_p(d, r->pairs, &cell->p);
}

/* The ratio and its interval, at the level of the verdict. */
static int estimate(const struct results *r, size_t contest, size_t row, double *d, double level,
		    struct cell *cell)
{
	struct interval *i = &cell->interval;
	struct walsh w;

	take_logs(r, contest, row, d, cell);
	if (walsh_make(&w, d, r->pairs))
		return -ENOMEM;
	cell->ratio = exponential(walsh_median(&w));
	/* There are as many pairs as the level needs, or none of this would be done. */
	if (!walsh_interval(&w, level, i))
		*i = (struct interval){ w.averages[0], w.averages[w.count - 1], 0 };
	walsh_free(&w);
	/* With ties the two may differ by a case; what is said is what both say. */
	cell->apart = cell->apart && (i->low > 0 || i->high < 0);
	i->low = exponential(i->low);
	i->high = exponential(i->high);
	return 0;
}

/* ---- all cells ------------------------------------------------------------------------------ */

struct judging {
	double *d;		/* of one cell */
	double *p;
	struct holm *verdicts;
	struct cell **cells;	/* the comparisons, in the order of p */
	size_t count;
};

static int fill_cells(struct results *r, struct judging *j)
{
	size_t contest, row;
	int err = 0;

	for (contest = 0; !err && contest < r->nr_contests; contest++)
		for (row = 0; !err && row < r->nr_rows; row++) {
			struct cell *cell = &r->cells[contest * r->nr_rows + row];

			err = fill_cell(r, contest, row, j->d, cell);
			if (r->rows[row].why_not)
				continue;
			j->cells[j->count] = cell;
			j->p[j->count++] = cell->p;
		}
	return err;
}

/* What has no ratio was a comparison all the same: it was decided before anything ran. */
static int judge_all(struct results *r, struct judging *j)
{
	int err = fill_cells(r, j);
	size_t i, at;

	if (err)
		return err;
	holm_judge(j->p, j->count, ERROR_MOST, j->verdicts);
	for (i = 0; !err && i < j->count; i++) {
		struct cell *cell = j->cells[i];

		at = (size_t)(cell - r->cells);
		cell->apart = j->verdicts[i].apart;
		if (!*cell->why_not)
			err = estimate(r, at / r->nr_rows, at % r->nr_rows, j->d,
				       j->verdicts[i].level, cell);
	}
	return err;
}

int results_judge(struct results *r)
{
	size_t cells = r->nr_contests * r->nr_rows;
	struct judging j = {
		.d = calloc(r->pairs + 1, sizeof(*j.d)), .p = calloc(cells, sizeof(*j.p)),
		.verdicts = calloc(cells, sizeof(*j.verdicts)),
		.cells = calloc(cells, sizeof(struct cell *)),
	};
	int err = j.d && j.p && j.verdicts && j.cells ? judge_all(r, &j) : -ENOMEM;

	free(j.d);
	free(j.p);
	free(j.verdicts);
	free(j.cells);
	return err;
}

/* ---- a part --------------------------------------------------------------------------------- */

double amdahl_bound(double share)
{
	return 1 / (1 - share);
}

/* The whole takes 1 / whole of its time: what is left of the part's is that less the rest's. */
double amdahl_part(double share, double whole)
{
	double left = 1 / whole - (1 - share);

	return left > 0 ? share / left : 0;
}
