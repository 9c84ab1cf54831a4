// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl compare makes of given readings, and prints of that: without a kernel.
 */
#include <fcntl.h>
#include <math.h>

#include "tests/unit/lib/golden.h"
#include "tools/base/base.h"
#include "tools/compare/compare.h"
#include "tools/pairs/pairs.h"

static bool near(double a, double b)
{
	if (fabs(a - b) <= 1e-9 * fabs(b))
		return true;
	print_message("%.12g, not %.12g\n", a, b);
	return false;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Two pairs are ABBA or BAAB, of both kinds about as many, whatever the seed is. */
static void order(void **state)
{
	unsigned int seed, pair, b_first = 0, sizes = 0;
	bool seen[8] = { false };

	(void)state;
	for (seed = 0; seed < 50; seed++)
		for (pair = 1; pair < 21; pair += 2) {
			unsigned int first = order_first(seed, 0, pair);

			assert_int_not_equal(first, order_first(seed, 0, pair + 1));
			assert_int_equal(first, order_first(seed, 0, pair));
			b_first += first;
		}
	assert_in_range(b_first, 200, 300);
	for (pair = 0; pair < 100; pair++) {
		assert_in_range(order_padding(1, 0, pair, 0), 0, 4095);
		seen[order_padding(1, 0, pair, 0) / 512] = true;
		sizes += order_padding(1, 0, pair, 0) != order_padding(1, 0, pair, 1);
		assert_int_not_equal(order_padding(1, 0, pair, 0), order_padding(2, 0, pair, 0));
	}
	for (pair = 0; pair < 8; pair++)
		assert_true(seen[pair]);
	assert_int_equal(sizes, 100);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static char *command_a[] = { "./old", "-O0", NULL }, *command_b[] = { "./new", NULL };
static struct mode modes[] = { { .name = "base" }, { .name = "huge" } }, plain;
static const struct contest one[] = {
	{ NULL, { { command_a, &plain }, { command_b, &plain } } },
};
static const struct contest two[] = {
	{ "base", { { command_a, &modes[0] }, { command_b, &modes[0] } } },
	{ "huge", { { command_a, &modes[1] }, { command_b, &modes[1] } } },
};
static const struct part no_part;

static struct results results_for(const struct row *rows, size_t nr_rows,
				  const struct contest *contests, size_t nr_contests, size_t pairs)
{
	struct results r = {
		.seed = 1, .contests = contests, .nr_contests = nr_contests, .rows = rows,
		.nr_rows = nr_rows, .part = &no_part,
	};

	assert_int_equal(results_make(&r, pairs), 0);
	r.pairs = pairs;
	return r;
}

static void put(struct results *r, size_t contest, size_t row, const double *a, const double *b)
{
	size_t pair;

	for (pair = 0; pair < r->pairs; pair++) {
		results_of(r, contest, pair, 0)[row].value = a[pair];
		results_of(r, contest, pair, 1)[row].value = b[pair];
	}
}

static const struct row cycles[] = { { ROW_COUNT, "cycles", NULL } };
static const double ones[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

/*
 * Six ratios from 1.1 to 1.6: the interval that 6 pairs have is from the least to the greatest,
 * and the median of averages is that of 1.2 and 1.5, 1.3 and 1.4, ... in the middle: of the 21
 * geometric means the eleventh, the root of 1.2 * 1.5.
 */
static void of_six(void **state)
{
	static const double a[] = { 1.3, 1.1, 1.6, 1.4, 1.2, 1.5 };
	struct results r = results_for(cycles, 1, one, 1, 6);
	const struct cell *cell = results_cell(&r, 0, 0);

	(void)state;
	put(&r, 0, 0, a, ones);
	assert_int_equal(results_comparisons(&r), 1);
	assert_int_equal(results_judge(&r), 0);
	assert_true(near(cell->ratio, sqrt(1.2 * 1.5)));
	assert_true(near(cell->interval.low, 1.1));
	assert_true(near(cell->interval.high, 1.6));
	assert_true(near(cell->interval.level, 1 - 2.0 / 64));
	assert_true(near(cell->p, 2.0 / 64));
	assert_true(cell->apart && !cell->identical);
	assert_true(near(cell->medians[0], 1.35));
	assert_true(near(cell->medians[1], 1));
	/* The other way round all is one by that. */
	put(&r, 0, 0, ones, a);
	assert_int_equal(results_judge(&r), 0);
	assert_true(near(cell->ratio, 1 / sqrt(1.2 * 1.5)));
	assert_true(near(cell->interval.low, 1 / 1.6));
	assert_true(cell->apart);
	results_free(&r);
}

/* One of six on the other side: 4 of 64 cases are as one-sided, and it is not told apart. */
static void of_both_sides(void **state)
{
	static const double a[] = { 1.3, 0.99, 1.6, 1.4, 1.2, 1.5 };
	/* Zeros have ranks and no sign: five are too few to tell. */
	static const double zero[] = { 1.3, 1, 1.6, 1.4, 1.2, 1.5 };
	struct results r = results_for(cycles, 1, one, 1, 6);
	const struct cell *cell = results_cell(&r, 0, 0);

	(void)state;
	put(&r, 0, 0, a, ones);
	assert_int_equal(results_judge(&r), 0);
	assert_true(near(cell->p, 4.0 / 64));
	assert_false(cell->apart);
	assert_true(cell->interval.low < 1 && cell->interval.high > 1);
	put(&r, 0, 0, zero, ones);
	assert_int_equal(results_judge(&r), 0);
	assert_true(near(cell->p, 2.0 / 32));
	assert_false(cell->apart);
	results_free(&r);
}

static void identical(void **state)
{
	static const double a[] = { 3, 6, 9, 12, 15, 18 };
	struct results r = results_for(cycles, 1, one, 1, 6);
	const struct cell *cell = results_cell(&r, 0, 0);

	(void)state;
	put(&r, 0, 0, a, a);
	assert_int_equal(results_judge(&r), 0);
	assert_true(cell->identical && !cell->apart);
	assert_true(cell->ratio == 1 && cell->p == 1);
	put(&r, 0, 0, ones, a);
	assert_int_equal(results_judge(&r), 0);
	assert_false(cell->identical);
	/* As many more each time. */
	put(&r, 0, 0, (double[]){ 3, 3, 3, 3, 3, 3 }, (double[]){ 2, 2, 2, 2, 2, 2 });
	assert_int_equal(results_judge(&r), 0);
	assert_true(cell->identical && near(cell->ratio, 1.5));
	results_free(&r);
}

/* Three rows at 7 pairs: each alone would be told apart at 0.05; one of both sides ends it. */
static void together(void **state)
{
	static const struct row rows[] = {
		{ ROW_COUNT, "cycles", NULL }, { ROW_COUNT, "loads", NULL },
		{ ROW_METRIC, "IPC", NULL },
	};
	static const double a[] = { 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7 };
	static const double c[] = { 0.99, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7 };
	struct results r = results_for(rows, 3, one, 1, 7);

	(void)state;
	assert_int_equal(results_comparisons(&r), 3);
	put(&r, 0, 0, a, ones);
	put(&r, 0, 1, a, ones);
	put(&r, 0, 2, a, ones);
	assert_int_equal(results_judge(&r), 0);
	assert_true(results_cell(&r, 0, 0)->apart && results_cell(&r, 0, 1)->apart &&
		    results_cell(&r, 0, 2)->apart);
	/* 4 / 128 is below 0.05 and comes last of three. */
	put(&r, 0, 1, c, ones);
	assert_int_equal(results_judge(&r), 0);
	assert_true(near(results_cell(&r, 0, 1)->p, 4.0 / 128));
	assert_true(results_cell(&r, 0, 1)->apart);
	/* Of two such each has to be below 0.05 / 2. */
	put(&r, 0, 2, c, ones);
	assert_int_equal(results_judge(&r), 0);
	assert_true(results_cell(&r, 0, 0)->apart);
	assert_false(results_cell(&r, 0, 1)->apart || results_cell(&r, 0, 2)->apart);
	assert_true(near(results_cell(&r, 0, 0)->interval.level, 1 - 2.0 / 128));
	assert_true(near(results_cell(&r, 0, 1)->interval.level, 1 - 2.0 / 128));
	assert_true(results_cell(&r, 0, 1)->interval.low < 1);
	results_free(&r);
}

static void without_a_ratio(void **state)
{
	static const struct row rows[] = {
		{ ROW_COUNT, "cycles", NULL }, { ROW_COUNT, "misses", NULL },
		{ ROW_METRIC, "MUX", "this CPU has no such event" },
	};
	static const double a[] = { 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7 };
	static const double c[] = { 1, 2, 0, 1, 2, 3, 4 };
	struct results r = results_for(rows, 3, one, 1, 7);
	const struct cell *cell = results_cell(&r, 0, 1);

	(void)state;
	assert_int_equal(results_comparisons(&r), 2);
	put(&r, 0, 0, a, ones);
	put(&r, 0, 1, a, c);
	assert_int_equal(results_judge(&r), 0);
	assert_true(results_cell(&r, 0, 0)->apart);
	assert_string_equal(cell->why_not, "0 in pair 3 of B: no ratio");
	assert_false(cell->apart);
	assert_true(near(cell->medians[1], 2));
	assert_string_equal(results_cell(&r, 0, 2)->why_not, "this CPU has no such event");
	results_of(&r, 0, 1, 0)[1].why_not = "not counted";
	assert_int_equal(results_judge(&r), 0);
	assert_string_equal(cell->why_not, "not counted in pair 2 of A: no ratio");
	results_of(&r, 0, 0, 1)[1].value = -3;
	assert_int_equal(results_judge(&r), 0);
	assert_string_equal(cell->why_not, "below 0 in pair 1 of B: no ratio");
	results_free(&r);
}

/* Numbers that look random, the same each time, as often below 0 as above it. */
static double chance(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

/* Equal programs whose runs scatter, disturbed now and then: all the way from counts to words. */
static void equal_programs(void **state)
{
	static const struct row rows[] = {
		{ ROW_COUNT, "a", NULL }, { ROW_COUNT, "b", NULL }, { ROW_COUNT, "c", NULL },
	};
	struct results r = results_for(rows, 3, two, 2, 9);
	unsigned int set, i, wrong = 0;
	double a[9], b[9];

	(void)state;
	for (set = 0; set < 2000; set++) {
		unsigned int apart = 0;

		for (i = 0; i < 6; i++) {
			for (r.pairs = 0; r.pairs < 9; r.pairs++) {
				a[r.pairs] = 1000 + 50 * chance() + (chance() > 0.4 ? 300 : 0);
				b[r.pairs] = 1000 + 50 * chance() + (chance() > 0.4 ? 300 : 0);
			}
			put(&r, i / 3, i % 3, a, b);
		}
		assert_int_equal(results_judge(&r), 0);
		for (i = 0; i < 6; i++)
			apart += r.cells[i].apart;
		wrong += !!apart;
	}
	print_message("note: A/A, 3 rows in 2 modes, 9 pairs: %.2f %% of 2000 comparisons tell "
		      "something apart\n", wrong / 20.0);
	assert_true(wrong <= 100);
	assert_true(wrong > 0);
	results_free(&r);
}

/* 60 % of the time: 2.5 at most; twice as fast in all is 0.1 left of 0.6. */
static void amdahl(void **state)
{
	(void)state;
	assert_true(near(amdahl_bound(0.6), 2.5));
	assert_true(near(amdahl_part(0.6, 2), 6));
	assert_true(near(amdahl_part(0.6, 1), 1));
	assert_true(near(amdahl_part(0.6, 0.5), 0.375));
	assert_true(amdahl_part(0.6, 2.5) == 0);
	assert_true(amdahl_part(0.6, 3) == 0);
}

/* ---- printing ------------------------------------------------------------------------------- */

static char *printed(const struct results *r, enum format format)
{
	static char text[8192];
	FILE *to = fmemopen(text, sizeof(text), "w");
	struct writer *w = writer_open(to, format, ";");

	compare_print(w, r);
	assert_true(writer_close(w));
	fclose(to);
	return text;
}

static const struct row rows[] = {
	{ ROW_COUNT, "cycles", NULL }, { ROW_COUNT, "instructions", NULL },
	{ ROW_COUNT, "llc-load-misses", NULL }, { ROW_METRIC, "IPC", NULL },
	{ ROW_TIME, "seconds elapsed", NULL },
};
#define ROWS ARRAY_SIZE(rows)

static const double slow[] = { 2000, 2040, 1990, 2010, 2031, 2002, 1985, 2013, 2005, 1999 };
static const double fast[] = { 1010, 1001, 998, 1003, 1012, 995, 1004, 999, 1000, 1006 };
static const double equal[] = { 500, 500, 500, 500, 500, 500, 500, 500, 500, 500 };
static const double few[] = { 3, 0, 1, 2, 1, 4, 1, 1, 5, 2 };
static const double wavering[] = {
	1.01, 0.99, 1.02, 0.98, 1.03, 0.97, 1.04, 0.955, 1.001, 1.002,
};
static const double time_a[] = { .2, .21, .19, .2, .205, .199, .22, .201, .2, .21 };
static const double time_b[] = { .1, .101, .11, .09, .105, .1, .103, .099, .1, .1 };

static struct results golden(const struct contest *contests, size_t n)
{
	struct results r = results_for(rows, ROWS, contests, n, 10);
	size_t i;

	for (i = 0; i < n; i++) {
		put(&r, i, 0, slow, i ? slow : fast);
		put(&r, i, 1, equal, equal);
		put(&r, i, 2, few, equal);
		put(&r, i, 3, wavering, ones);
		put(&r, i, 4, time_a, time_b);
	}
	assert_int_equal(results_judge(&r), 0);
	return r;
}

static void text_of_one(void **state)
{
	struct results r = golden(one, 1);

	(void)state;
	matches_golden("compare.txt", printed(&r, FORMAT_TEXT));
	results_free(&r);
}

/* Of two modes, where a part has a name. */
static void modes_match(const char *file, enum format format)
{
	struct part part = { "parse", 0.6 };
	struct results r = golden(two, 2);

	r.part = &part;
	matches_golden(file, printed(&r, format));
	results_free(&r);
}

static void text_of_two(void **state)
{
	(void)state;
	modes_match("compare-modes.txt", FORMAT_TEXT);
}

static void csv_and_json(void **state)
{
	(void)state;
	modes_match("compare-modes.csv", FORMAT_CSV);
	modes_match("compare-modes.json", FORMAT_JSON);
}

static char *drawn(const struct results *r)
{
	static char text[32768];
	FILE *to = fmemopen(text, sizeof(text), "w");

	compare_draw(to, r);
	fclose(to);
	return text;
}

static void pictures(void **state)
{
	struct results r = golden(two, 2);
	static const double times_32[] = { 32, 33, 31, 30, 34, 32, 33, 31, 35, 30 };
	size_t i;

	(void)state;
	matches_golden("compare-modes.svg", drawn(&r));
	/* From a 32nd to 32 times the scale is in powers of two, with all of these. */
	put(&r, 0, 0, times_32, ones);
	put(&r, 1, 0, ones, times_32);
	assert_int_equal(results_judge(&r), 0);
	assert_non_null(strstr(drawn(&r), "text-anchor=\"middle\">0.031</text>"));
	assert_non_null(strstr(drawn(&r), "text-anchor=\"middle\">32</text>"));
	/* Where all is 1 there is a scale all the same. */
	for (i = 0; i < ROWS; i++) {
		put(&r, 0, i, ones, ones);
		put(&r, 1, i, ones, ones);
	}
	assert_int_equal(results_judge(&r), 0);
	assert_non_null(strstr(drawn(&r), "middle\">1.000</text>"));
	assert_int_equal(count_text(drawn(&r), "<circle class=\"same\" cx=\"540.00\""), 2 * ROWS);
	results_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order),
		cmocka_unit_test(of_six),
		cmocka_unit_test(of_both_sides),
		cmocka_unit_test(identical),
		cmocka_unit_test(together),
		cmocka_unit_test(without_a_ratio),
		cmocka_unit_test(equal_programs),
		cmocka_unit_test(amdahl),
		cmocka_unit_test(text_of_one),
		cmocka_unit_test(text_of_two),
		cmocka_unit_test(csv_and_json),
		cmocka_unit_test(pictures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
