// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of pmuctl diff: samples of both sides by what was asked for, and how much they differ.
 *
 * Samples are taken to come by themselves: so many of all trials hit a row, and given how many
 * hit it on both sides together, those of B are binomial.  Of samples with unlike periods the
 * trials are fewer than samples, as Kish's effective size has it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/diff/diff.h"

bool diff_by(const struct diff_args *args, enum diff_key key)
{
	size_t i;

	for (i = 0; i < args->keys_count; i++)
		if (args->keys[i] == key)
			return true;
	return false;
}

double diff_share(const struct diff *d, const struct diff_row *row, unsigned int side)
{
	double all = d->sides[side].all.events;

	return all > 0 ? row->of[side].events / all : 0;
}

/* ---- adding up ------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_row(const void *data, uint32_t id, const void *key)
{
	const struct diff_row *a = &((const struct diff *)data)->rows[id], *b = key;
	size_t k;

	if (a->function != b->function || a->alone != b->alone)
		return false;
	for (k = 0; k < DIFF_KEYS; k++)
		if (!same_text(a->text[k], b->text[k]))
			return false;
	return true;
}

static uint32_t hash_row(const struct diff_row *row)
{
	uint32_t hash = row->function + row->alone;
	size_t k;

	for (k = 0; k < DIFF_KEYS; k++)
		hash = hash_text(row->text[k] ? row->text[k] : "", hash);
	return hash;
}

static void free_texts(struct diff_row *row)
{
	size_t k;

	for (k = 0; k < DIFF_KEYS; k++)
		free(row->text[k]);
}

/* Of the key's texts one is kept; NULL: no memory. */
static struct diff_row *find_row(struct diff *d, struct diff_row *key)
{
	uint32_t hash = hash_row(key);
	uint32_t id = index_find(&d->row_index, hash, same_row, d, key);

	if (id != INDEX_NONE) {
		free_texts(key);
		return &d->rows[id];
	}
	if (!index_room((void **)&d->rows, d->rows_count, &d->rows_room, sizeof(*d->rows)) ||
	    !index_add(&d->row_index, hash, d->rows_count)) {
		free_texts(key);
		return NULL;
	}
	d->rows[d->rows_count] = *key;
	return &d->rows[d->rows_count++];
}

/* Of several functions of one name only the first of each side was compared with the other's. */
static int set_line(struct diff *d, unsigned int side, struct diff_function *f,
		    const struct diff_half *half, struct diff_row *key)
{
	unsigned int line, in_b;
	const char *file, *slash;
	bool alone = false;
	char *clean;
	int err;

	pmuctl_data_line(d->sides[side].data, &key->at, &file, &line);
	if (!file) {
		key->text[DIFF_LINE] = strdup("??:0");
		return key->text[DIFF_LINE] ? 0 : -ENOMEM;
	}
	in_b = line;
	err = half == f->of[side] ? diff_line(d, f, side, file, &line, &alone) : 0;
	if (err)
		return err;
	key->alone = alone ? side + 1 : 0;
	key->line_b = side && in_b != line ? in_b : 0;
	slash = strrchr(file, '/');
	clean = clean_copy(slash ? slash + 1 : file);
	if (!clean || asprintf(&key->text[DIFF_LINE], "%s:%u", clean, line) < 0)
		key->text[DIFF_LINE] = NULL;
	free(clean);
	return key->text[DIFF_LINE] ? 0 : -ENOMEM;
}

static int set_address(struct diff *d, unsigned int side, struct diff_function *f,
		       const struct diff_half *half, struct diff_row *key)
{
	uint64_t offset = key->at.address;
	bool alone = false;
	int err;

	if (half->name) {
		offset -= half->key.b;
		err = half == f->of[side] ? diff_offset(d, f, side, &offset, &alone) : 0;
		if (err)
			return err;
		key->alone = alone ? side + 1 : 0;
	}
	if (asprintf(&key->text[DIFF_ADDRESS], half->name ? "+0x%llx" : "0x%llx",
		     (unsigned long long)offset) < 0)
		key->text[DIFF_ADDRESS] = NULL;
	return key->text[DIFF_ADDRESS] ? 0 : -ENOMEM;
}

/* The texts of the keys that were asked for; what is set is freed with the key. */
static int set_key(struct diff *d, unsigned int side, const struct place *place,
		   struct diff_row *key)
{
	const struct diff_half *half = place->half;
	struct diff_function *f = &d->functions[half->function];
	const struct diff_args *args = d->args;
	int err = 0;

	key->at_side = side;
	key->at = (struct pmuctl_place){ place_dso(place), place->key.b };
	key->function = INDEX_NONE;
	if (diff_by(args, DIFF_COMM)) {
		key->text[DIFF_COMM] = clean_copy(place_comm(&d->sides[side], place));
		err = key->text[DIFF_COMM] ? 0 : -ENOMEM;
	}
	if (!err && diff_by(args, DIFF_DSO)) {
		key->text[DIFF_DSO] = strdup(f->dso);
		err = key->text[DIFF_DSO] ? 0 : -ENOMEM;
	}
	if (!err && diff_by(args, DIFF_SYMBOL)) {
		key->text[DIFF_SYMBOL] = f->name ? clean_copy(f->name) : strdup("[no symbol]");
		err = key->text[DIFF_SYMBOL] ? 0 : -ENOMEM;
		key->function = half->function;
	}
	if (!err && diff_by(args, DIFF_LINE))
		err = set_line(d, side, f, half, key);
	if (!err && diff_by(args, DIFF_ADDRESS))
		err = set_address(d, side, f, half, key);
	return err;
}

static int add_place(struct diff *d, unsigned int side, const struct place *place)
{
	struct diff_row key = { .line_b = 0 }, *row;
	unsigned int line_b;
	int err = set_key(d, side, place, &key);

	if (err) {
		free_texts(&key);
		return err;
	}
	line_b = key.line_b;
	row = find_row(d, &key);
	if (!row)
		return -ENOMEM;
	row->line_b = line_b ? line_b : row->line_b;
	weight_add(&row->of[side], &place->weight);
	return 0;
}

static int add_side(struct diff *d, unsigned int side)
{
	const struct table *places = &d->sides[side].places;
	size_t i;
	int err = 0;

	for (i = 0; i < places->slots_count && !err; i++)
		if (places->slots[i])
			err = add_place(d, side, places->slots[i]);
	return err;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* What one sample of it stands for; of none the mean of the side's. */
static double step_of(const struct diff *d, const struct diff_row *row, unsigned int side)
{
	const struct weight *w = &row->of[side];

	if (!(w->events > 0))
		w = &d->sides[side].all;
	return w->events > 0 ? w->squares / w->events : 1;
}

/* How many trials hit the row, and of those of both sides which share is B's if nothing differs. */
static void trials_of(const struct diff *d, const struct diff_row *row, double hits[2],
		      double *share)
{
	double n[2];
	unsigned int side;

	for (side = 0; side < 2; side++) {
		n[side] = d->args->by_events ? 1 / step_of(d, row, side) :
					       weight_trials(&d->sides[side].all);
		hits[side] = d->args->by_events ? weight_trials(&row->of[side]) :
						  n[side] * diff_share(d, row, side);
	}
	*share = n[1] / (n[0] + n[1]);
}

/* Part of a trial is none; but for what arithmetic has lost. */
static uint64_t whole(double trials)
{
	return (uint64_t)(trials + 1e-6);
}

static struct interval interval_of(const struct diff *d, const struct diff_row *row,
				   unsigned int side, const struct width *width)
{
	double step, all = d->sides[0].all.events;
	struct interval i;

	if (!d->args->by_events)
		return share_interval(diff_share(d, row, side),
				      weight_trials(&d->sides[side].all), width);
	step = step_of(d, row, side) / all;
	i = count_interval(weight_trials(&row->of[side]), width);
	return (struct interval){ i.low * step, i.high * step, width->level };
}

/* In what the change is: a share of its side's events, or events by all of A. */
static double part_of(const struct diff *d, const struct diff_row *row, unsigned int side)
{
	return row->of[side].events / d->sides[d->args->by_events ? 0 : side].all.events;
}

/* width: of the row before, whose level is mostly this one's. */
static void estimate(const struct diff *d, struct diff_row *row, const struct holm *verdict,
		     struct width *width)
{
	struct interval a, b;

	if (width->level != verdict->level)
		*width = (struct width){ verdict->level, normal_quantile(verdict->level) };
	a = interval_of(d, row, 0, width);
	b = interval_of(d, row, 1, width);
	row->interval = difference_interval(part_of(d, row, 0), &a, part_of(d, row, 1), &b);
	/* The two may differ by a case: what is said is what both say. */
	row->apart = verdict->apart && (row->interval.low > 0 || row->interval.high < 0);
	if (!row->apart && row->interval.low > 0)
		row->interval.low = 0;
	if (!row->apart && row->interval.high < 0)
		row->interval.high = 0;
}

static int by_p(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/*
 * Rows with too few samples to be told apart whatever those are need not be corrected for
 * (Tarone, A modified Bonferroni method for discrete data, 1990): by how many comparisons then,
 * of those whose least p is as given; they are sorted.
 */
static size_t comparisons(double *least, size_t count)
{
	size_t k, can = count;

	qsort(least, count, sizeof(*least), by_p);
	for (k = 1; k < count; k++) {
		while (can && least[can - 1] > ERROR_MOST / (double)k)
			can--;
		if (can <= k)
			return k;
	}
	return count;
}

struct judging {
	double *least;		/* by row: the least p that its samples can have */
	double *p;		/* of those that are compared */
	struct holm *verdicts;
};

/* By row p and the least one; these are in `least` as well, to be sorted. */
static void take_p(struct diff *d, double *least, double *sorted)
{
	double hits[2], share, most;
	uint32_t i;

	for (i = 0; i < d->rows_count; i++) {
		struct diff_row *row = &d->rows[i];
		uint64_t n, b;

		trials_of(d, row, hits, &share);
		b = whole(hits[1]);
		n = whole(hits[0]) + b;
		row->p = binomial_p(b, n, share);
		least[i] = binomial_p(0, n, share);
		most = binomial_p(n, n, share);
		least[i] = most < least[i] ? most : least[i];
		sorted[i] = least[i];
	}
}

static void judge(struct diff *d, struct judging *j)
{
	struct holm rest = { false, 0 };
	struct width width = { 0, 0 };
	size_t k, used = 0, next = 0;
	double most;
	uint32_t i;

	take_p(d, j->least, j->p);
	k = comparisons(j->p, d->rows_count);
	most = ERROR_MOST / (double)k;
	rest.level = 1 - most;
	for (i = 0; i < d->rows_count; i++)
		if (j->least[i] <= most)
			j->p[used++] = d->rows[i].p;
	/* Holm's first step is for all of them. */
	for (; used < k; used++)
		j->p[used] = 1;
	holm_judge(j->p, k, ERROR_MOST, j->verdicts);
	for (i = 0; i < d->rows_count; i++)
		estimate(d, &d->rows[i],
			 j->least[i] <= most ? &j->verdicts[next++] : &rest, &width);
}

static int judge_rows(struct diff *d)
{
	size_t n = (size_t)d->rows_count + 1;
	struct judging j = {
		.least = calloc(n, sizeof(*j.least)), .p = calloc(n, sizeof(*j.p)),
		.verdicts = calloc(n, sizeof(*j.verdicts)),
	};
	int err = j.least && j.p && j.verdicts ? 0 : -ENOMEM;

	if (!err && d->rows_count)
		judge(d, &j);
	free(j.least);
	free(j.p);
	free(j.verdicts);
	return err;
}

/* ---- order ----------------------------------------------------------------------------------- */

static double size_of(double x)
{
	return x < 0 ? -x : x;
}

static bool is_shown(const struct diff *d, const struct diff_row *row)
{
	return row->apart || 100 * diff_share(d, row, 0) >= d->args->limit ||
	       100 * diff_share(d, row, 1) >= d->args->limit;
}

static int by_change(const void *left, const void *right, void *data)
{
	const struct diff *d = data;
	const struct diff_row *l = left, *r = right;
	double a = size_of(l->change), b = size_of(r->change);
	bool shown = is_shown(d, l);
	size_t k;
	int order;

	if (shown != is_shown(d, r))
		return shown ? -1 : 1;
	if (a != b)
		return a > b ? -1 : 1;
	for (k = 0; k < d->args->keys_count; k++) {
		enum diff_key key = d->args->keys[k];

		order = strcmp(l->text[key], r->text[key]);
		if (order)
			return order;
	}
	return (int)l->alone - (int)r->alone;
}

int diff_rows(struct diff *d)
{
	int err = add_side(d, 0);
	uint32_t i;

	if (!err)
		err = add_side(d, 1);
	for (i = 0; i < d->rows_count; i++)
		d->rows[i].change = part_of(d, &d->rows[i], 1) - part_of(d, &d->rows[i], 0);
	if (!err)
		err = judge_rows(d);
	if (err)
		return err;
	qsort_r(d->rows, d->rows_count, sizeof(*d->rows), by_change, d);
	for (d->shown = 0; d->shown < d->rows_count; d->shown++)
		if (!is_shown(d, &d->rows[d->shown]))
			break;
	return 0;
}

void diff_free(struct diff *d)
{
	uint32_t i;

	for (i = 0; i < d->rows_count; i++)
		free_texts(&d->rows[i]);
	free(d->rows);
	index_free(&d->row_index);
	diff_free_functions(d);
	side_free(&d->sides[0]);
	side_free(&d->sides[1]);
}
