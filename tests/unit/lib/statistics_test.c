// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arithmetic of readings that scatter, against published tables and examples, against what
 * counting all cases says, and over sets whose truth is planted.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/statistics.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/random.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define SETS 10000

static bool near(double a, double b, double within)
{
	if (fabs(a - b) <= within)
		return true;
	print_message("%.9g, not %.9g\n", a, b);
	return false;
}

/* ---- functions ---------------------------------------------------------------------------- */

static void functions(void **state)
{
	static const double some[] = {
		1e-300, 1e-9, 0.3, 0.75, 0.9999999, 1, 1.0000001, 1.5, 2, 10, 12345678, 1e18, 1e300,
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(some); i++) {
		assert_true(near(natural_log(some[i]), log(some[i]),
				 1e-15 + 2e-16 * fabs(log(some[i]))));
		assert_true(near(square_root(some[i]), sqrt(some[i]), 0));
		assert_true(near(exponential(log(some[i])) / some[i], 1, 3e-13));
		assert_true(near(exponential(-1 / (1 + some[i])), exp(-1 / (1 + some[i])), 1e-15));
	}
	assert_true(natural_log(1) == 0);
	assert_true(exponential(0) == 1);
	assert_true(square_root(0) == 0);
}

/* 10, 12 and 17: their mean is 13, the squares 9 + 1 + 16, the error (26 / 2 / 3)^0.5. */
static void means(void **state)
{
	struct moments m = { .n = 0 };

	(void)state;
	assert_true(moments_error(&m) == 0);
	moments_add(&m, 10);
	assert_true(m.mean == 10);
	assert_true(moments_error(&m) == 0);
	moments_add(&m, 12);
	moments_add(&m, 17);
	assert_int_equal(m.n, 3);
	assert_true(near(m.mean, 13, 1e-12));
	assert_true(near(moments_error(&m), 2.081665999, 1e-9));
}

/* As in the tables of any book. */
static void quantiles(void **state)
{
	static const struct {
		unsigned int freedom;
		double at95, at99;
	} rows[] = {
		{ 1, 12.706, 63.657 }, { 2, 4.303, 9.925 }, { 3, 3.182, 5.841 },
		{ 4, 2.776, 4.604 }, { 5, 2.571, 4.032 }, { 9, 2.262, 3.250 },
		{ 10, 2.228, 3.169 }, { 19, 2.093, 2.861 },
		{ 20, 2.086, 2.845 }, { 30, 2.042, 2.750 }, { 60, 2.000, 2.660 },
		{ 120, 1.980, 2.617 }, { 1000, 1.962, 2.581 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		assert_true(near(student_quantile(0.95, rows[i].freedom), rows[i].at95, 5.1e-4));
		assert_true(near(student_quantile(0.99, rows[i].freedom), rows[i].at99, 5.1e-4));
	}
	assert_true(near(normal_quantile(0.95), 1.959963985, 1e-8));
	assert_true(near(normal_quantile(0.99), 2.575829304, 1e-8));
	assert_true(near(normal_quantile(0.9973002039), 3, 1e-8));
	assert_true(near(normal_quantile(1 - 1e-9), 6.109410, 1e-5));
	/* The expansion goes on where the closed form ends. */
	assert_true(near(student_quantile(0.95, 199), 1.971956544, 1e-6));
	assert_true(near(student_quantile(0.95, 200), 1.971896224, 1e-6));
	assert_true(near(student_quantile(0.999, 200), 3.340, 5.1e-4));
	assert_true(near(student_quantile(0.999, 1000), 3.300, 5.1e-4));
}

/* ---- signed ranks ------------------------------------------------------------------------- */

/* Differences of which no two averages are equal; returns how many averages are outside. */
static long outside(size_t n, double level, double *held)
{
	struct interval interval;
	double d[200];
	struct walsh w;
	size_t i;
	long k = 0;

	for (i = 0; i < n; i++)
		d[i] = normal();
	assert_int_equal(walsh_make(&w, d, n), 0);
	if (walsh_interval(&w, level, &interval)) {
		for (k = 1; w.averages[k - 1] != interval.low; k++)
			;
		assert_true(interval.high == w.averages[w.count - (size_t)k]);
		*held = interval.level;
	}
	walsh_free(&w);
	return k;
}

/* The largest sums that are significant, two-sided, in any book's table; -1: none is. */
static void critical_values(void **state)
{
	static const struct {
		size_t n;
		long at95, at99;
	} rows[] = {
		{ 5, -1, -1 }, { 6, 0, -1 }, { 7, 2, -1 }, { 8, 3, 0 }, { 9, 5, 1 }, { 10, 8, 3 },
		{ 11, 10, 5 }, { 12, 13, 7 }, { 13, 17, 9 }, { 14, 21, 12 }, { 15, 25, 15 },
		{ 16, 29, 19 }, { 17, 34, 23 }, { 18, 40, 27 }, { 19, 46, 32 }, { 20, 52, 37 },
		{ 21, 58, 42 }, { 22, 65, 48 }, { 23, 73, 54 }, { 24, 81, 61 }, { 25, 89, 68 },
		{ 30, 137, 109 },
	};
	double held;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		assert_int_equal(outside(rows[i].n, 0.95, &held), rows[i].at95 + 1);
		assert_int_equal(outside(rows[i].n, 0.99, &held), rows[i].at99 + 1);
	}
	outside(6, 0.95, &held);
	assert_true(near(held, 1 - 2.0 / 64, 1e-12));
	outside(7, 0.95, &held);
	assert_true(near(held, 1 - 6.0 / 128, 1e-12));
	outside(10, 0.95, &held);
	assert_true(near(held, 1 - 50.0 / 1024, 1e-12));
	/* What is held exactly is enough. */
	assert_int_equal(outside(6, 1 - 2.0 / 64, &held), 1);
	assert_int_equal(outside(6, 1 - 2.0 / 64 + 1e-9, &held), 0);
}

/* Beyond it the normal distribution has one average more or fewer outside, and says so. */
static void beyond_the_exact_one(void **state)
{
	double held = 0;
	long last = outside(SIGNED_RANK_EXACT, 0.95, &held);
	long next = outside(SIGNED_RANK_EXACT + 1, 0.95, &held);

	(void)state;
	assert_true(next > last && next < last + 60);
	assert_true(held >= 0.95 && held < 0.951);
	next = outside(SIGNED_RANK_EXACT + 1, 0.9995, &held);
	assert_true(held >= 0.9995 && held < 0.9996);
	assert_true(next > 0);
}

/*
 * Hollander and Wolfe's example (Hamilton's scale of depression before and after): the sum is 40
 * of 45, p 0.0391, the median of averages 0.46, the interval of 96.1 % from 0.010 to 0.786.
 */
static void depression(void **state)
{
	static const double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	static const double after[] = {
		0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29,
	};
	struct interval interval;
	double d[9], p;
	struct walsh w;
	size_t i;

	(void)state;
	for (i = 0; i < 9; i++)
		d[i] = before[i] - after[i];
	assert_int_equal(signed_rank_p(d, 9, &p), 0);
	assert_true(near(p, 0.0390625, 1e-12));
	assert_int_equal(walsh_make(&w, d, 9), 0);
	assert_int_equal(w.count, 45);
	assert_true(near(walsh_median(&w), 0.46, 1e-9));
	assert_true(walsh_interval(&w, 0.95, &interval));
	assert_true(near(interval.low, 0.010, 1e-9));
	assert_true(near(interval.high, 0.786, 1e-9));
	assert_true(near(interval.level, 0.9609375, 1e-12));
	walsh_free(&w);
}

/* Of all ways to give these sizes signs, the share whose sum is as far from the middle. */
static double p_by_counting(const double *d, size_t n)
{
	double rank[16], plus = 0, sum = 0;
	unsigned int signs, as_far = 0, all = 0;
	size_t i, j;

	for (i = 0; i < n; i++) {
		rank[i] = 0.5;
		for (j = 0; j < n; j++)
			rank[i] += (fabs(d[j]) < fabs(d[i])) + 0.5 * (fabs(d[j]) == fabs(d[i]));
		rank[i] = d[i] != 0 ? rank[i] : 0;
		plus += d[i] > 0 ? rank[i] : 0;
		sum += rank[i];
	}
	for (signs = 0; signs < 1u << n; signs++) {
		double other = 0;

		for (i = 0; i < n; i++)
			other += signs >> i & 1 ? rank[i] : 0;
		as_far += fabs(other - sum / 2) >= fabs(plus - sum / 2) - 1e-9;
		all++;
	}
	return (double)as_far / all;
}

/* Pratt's ranks: 0 and 0 take the first two, which nobody gets; 3 and -3 share 4 and 5. */
static void zeros_and_ties(void **state)
{
	static const double some[] = { 0, 2, 0, 3, -3, 5, 6, 7 };
	double d[10], p;
	size_t set, i, n;

	(void)state;
	assert_int_equal(signed_rank_p(some, 8, &p), 0);
	assert_true(near(p, p_by_counting(some, 8), 1e-12));
	/* The minus has 4.5: of 64 cases as little have those of no rank, 3, and either 4.5. */
	assert_true(near(p, 8.0 / 64, 1e-12));
	for (set = 0; set < 300; set++) {
		n = 1 + (size_t)(uniform() * 10);
		for (i = 0; i < n; i++)
			d[i] = floor(uniform() * 9) - 3;
		assert_int_equal(signed_rank_p(d, n, &p), 0);
		assert_true(near(p, p_by_counting(d, n), 1e-12));
	}
	memset(d, 0, sizeof(d));
	assert_int_equal(signed_rank_p(d, 10, &p), 0);
	assert_true(p == 1);
}

/* More than the distribution is counted out for, and how near the normal one is to that. */
static void many_differences(void **state)
{
	double d[160], p, less;
	size_t i;

	(void)state;
	for (i = 0; i < 160; i++)
		d[i] = i < 90 ? 1 : -1;
	assert_int_equal(signed_rank_p(d, 160, &p), 0);
	/* All have the rank 80.5: ten of them from the middle, each a variance of 80.5^2 / 4. */
	assert_true(near(p, erfc((805 - 0.5) / (80.5 * sqrt(160) / 2) / sqrt(2)), 1e-9));
	for (i = 0; i < 160; i++)
		d[i] = (double)(i + 1) * (i % 2 ? 1 : -1);
	assert_int_equal(signed_rank_p(d, 160, &p), 0);
	/* The sum is 6480, 40 from the middle; (40 - 0.5) / 586.86 deviations. */
	assert_true(near(p, erfc(39.5 / sqrt(160.0 * 161 * 321 / 24) / sqrt(2)), 1e-9));
	/* What the exact distribution says of a hundred is near as well. */
	assert_int_equal(signed_rank_p(d, 100, &less), 0);
	assert_true(near(less, erfc(24.5 / sqrt(100.0 * 101 * 201 / 24) / sqrt(2)), 5e-4));
	memset(d, 0, sizeof(d));
	assert_int_equal(signed_rank_p(d, 160, &p), 0);
	assert_true(p == 1);
}

static void least_pairs(void **state)
{
	static const size_t most[][2] = { { 1, 6 }, { 3, 7 }, { 6, 8 }, { 12, 9 }, { 25, 10 },
					  { 51, 11 }, { 102, 12 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(most); i++) {
		assert_int_equal(signed_rank_least(most[i][0], 0.05), most[i][1]);
		assert_int_equal(signed_rank_least(most[i][0] + 1, 0.05), most[i][1] + 1);
	}
}

/*
 * The example of every text: 0.005 is below 0.05 / 4 and 0.01 below 0.05 / 3, but 0.03 is not
 * below 0.05 / 2, and 0.04 comes behind it.
 */
static void holm(void **state)
{
	static const double p[] = { 0.01, 0.04, 0.03, 0.005 };
	static const double all[] = { 0.02, 0.02, 0.01 }, none[] = { 0.02, 0.03 };
	struct holm v[4];

	(void)state;
	holm_judge(p, 4, 0.05, v);
	assert_true(v[0].apart && !v[1].apart && !v[2].apart && v[3].apart);
	assert_true(near(v[0].level, 1 - 0.05 / 3, 1e-12));
	assert_true(near(v[1].level, 1 - 0.05 / 2, 1e-12));
	assert_true(near(v[2].level, 1 - 0.05 / 2, 1e-12));
	assert_true(near(v[3].level, 1 - 0.05 / 4, 1e-12));
	holm_judge(all, 3, 0.05, v);
	assert_true(v[0].apart && v[1].apart && v[2].apart);
	holm_judge(none, 2, 0.05, v);
	assert_true(v[0].apart && v[1].apart);
	holm_judge(none + 1, 1, 0.025, v);
	assert_false(v[0].apart);
	/* Seven pairs of one sign, three comparisons: 2 / 128 is enough, in all of them. */
	holm_judge((double[]){ 2.0 / 128, 2.0 / 128, 2.0 / 128 }, 3, 0.05, v);
	assert_true(v[0].apart && v[1].apart && v[2].apart);
	holm_judge((double[]){ 0.026, 0.9 }, 2, 0.05, v);
	assert_true(!v[0].apart && !v[1].apart);
	assert_true(near(v[1].level, 0.975, 1e-12));
}

/* ---- ratios ------------------------------------------------------------------------------- */

/*
 * Means 10 and 5, sums of squares 2 and 4, of products 2; over 3 * 4 and times 3.18245^2 = 10.128
 * that is 1.688, 3.376 and 1.688.  (25 - 3.376) r^2 - 2 (50 - 1.688) r + 100 - 1.688 = 0.
 */
static void fieller(void **state)
{
	static const double x[] = { 9, 11, 10, 10 }, y[] = { 4, 6, 6, 4 };
	static const double about_0[] = { 4, -6, 5, -2 }, both[] = { 1, -1, 2, -2 };
	struct interval i;

	(void)state;
	assert_int_equal(fieller_interval(x, y, 4, 0.95, &i), FIELLER_BOUNDED);
	assert_true(near(i.low, 1.566990, 2e-5));
	assert_true(near(i.high, 2.901390, 2e-5));
	assert_true(near(i.level, 0.95, 1e-12));
	/* The other way round it is one by that. */
	assert_int_equal(fieller_interval(y, x, 4, 0.95, &i), FIELLER_BOUNDED);
	assert_true(near(1 / i.low, 2.901390, 5e-5));
	assert_true(near(1 / i.high, 1.566990, 5e-5));
	/* The divisor may be 0: not so where x is. */
	assert_int_equal(fieller_interval(x, about_0, 4, 0.95, &i), FIELLER_OUTSIDE);
	assert_true(i.low < 0 && i.high > 0);
	assert_int_equal(fieller_interval(both, about_0, 4, 0.95, &i), FIELLER_ALL);
	assert_int_equal(fieller_interval((double[]){ 0, 0 }, (double[]){ 0, 0 }, 2, 0.95, &i),
			 FIELLER_ALL);
	/* The patent's numbers, without any scatter. */
	assert_int_equal(fieller_interval((double[]){ 400, 400 }, (double[]){ 10, 10 }, 2, 0.95,
					  &i), FIELLER_BOUNDED);
	assert_true(near(i.low, 40, 1e-9));
	assert_true(near(i.high, 40, 1e-9));
}

/* ---- planted truth -------------------------------------------------------------------------- */

/* Readings around 0.1 that are not normal, but as often below it as above. */
static double scattered(void)
{
	double x = normal();

	return 0.1 + x * x * x;
}

static double coverage(size_t n)
{
	unsigned int set, held = 0;
	struct interval interval;
	struct walsh w;
	double d[16];
	size_t i;

	for (set = 0; set < SETS; set++) {
		for (i = 0; i < n; i++)
			d[i] = scattered();
		assert_int_equal(walsh_make(&w, d, n), 0);
		assert_true(walsh_interval(&w, 0.95, &interval));
		held += interval.low <= 0.1 && 0.1 <= interval.high;
		walsh_free(&w);
	}
	return 100.0 * held / SETS;
}

static void signed_ranks_cover(void **state)
{
	static const struct {
		size_t n;
		double exact;
	} rows[] = { { 6, 96.875 }, { 7, 95.3125 }, { 10, 95.1171875 } };
	double covered;
	size_t i;

	(void)state;
	seed = 1;
	for (i = 0; i < COUNT(rows); i++) {
		covered = coverage(rows[i].n);
		print_message("note: %zu pairs: %.2f %% of %d intervals hold the truth, exactly %.2f\n",
			      rows[i].n, covered, SETS, rows[i].exact);
		assert_true(near(covered, rows[i].exact, 0.7));
	}
}

/* Pairs of a ratio of 40, whose divisor is 3.5 of its standard errors from 0 on average. */
static void fieller_covers(void **state)
{
	unsigned int set, held = 0, unbounded = 0;
	struct interval interval;
	double x[12], y[12];
	size_t i;

	(void)state;
	seed = 2;
	for (set = 0; set < SETS; set++) {
		for (i = 0; i < 12; i++) {
			y[i] = 10 + normal() * 10 / 3.5 * sqrt(12);
			x[i] = 40 * y[i] + 300 * normal();
		}
		if (fieller_interval(x, y, 12, 0.95, &interval) != FIELLER_BOUNDED)
			unbounded++;
		else
			held += interval.low <= 40 && 40 <= interval.high;
	}
	print_message("note: Fieller: %.2f %% of %d sets hold the truth or have no bounds (%.2f %%), "
		      "%.2f %% of those with bounds\n", 100.0 * (held + unbounded) / SETS, SETS,
		      100.0 * unbounded / SETS, 100.0 * held / (SETS - unbounded));
	assert_true(near(100.0 * (held + unbounded) / SETS, 95, 1));
	assert_true(unbounded > SETS / 50);
}

/* How often one of several rows that do not differ is told apart; ties: of a few values. */
static double told_apart(size_t rows, size_t n, bool ties)
{
	unsigned int set, wrong = 0;
	struct holm v[8];
	double d[16], p[8];
	size_t i, row;

	for (set = 0; set < SETS; set++) {
		bool any = false;

		for (row = 0; row < rows; row++) {
			for (i = 0; i < n; i++)
				d[i] = ties ? floor(uniform() * 5) - 2 : normal();
			assert_int_equal(signed_rank_p(d, n, &p[row]), 0);
		}
		holm_judge(p, rows, 0.05, v);
		for (row = 0; row < rows; row++)
			any |= v[row].apart;
		wrong += any;
	}
	return 100.0 * wrong / SETS;
}

static void equal_ones_are_not_told_apart(void **state)
{
	static const size_t shapes[][2] = { { 1, 6 }, { 1, 10 }, { 3, 7 }, { 5, 8 }, { 5, 12 } };
	double wrong;
	size_t i;

	(void)state;
	seed = 3;
	for (i = 0; i < 2 * COUNT(shapes); i++) {
		wrong = told_apart(shapes[i / 2][0], shapes[i / 2][1], i % 2);
		print_message("note: A/A, %zu rows, %zu pairs%s: %.2f %% have one told apart\n",
			      shapes[i / 2][0], shapes[i / 2][1], i % 2 ? ", ties" : "", wrong);
		assert_true(wrong <= 5);
	}
}

/* Percent points of published tables of F, which have two or three decimals. */
static void fisher(void **state)
{
	static const struct {
		double f;
		unsigned int above, below;
		double tail;
	} table[] = {
		{ 4052.2, 1, 1, 0.01 }, { 10.04, 1, 10, 0.01 }, { 5.85, 2, 20, 0.01 },
		{ 4.51, 3, 30, 0.01 }, { 3.34, 5, 60, 0.01 }, { 2.47, 10, 120, 0.01 },
		{ 4.10, 2, 10, 0.05 }, { 2.61, 4, 40, 0.05 }, { 161.4, 1, 1, 0.05 },
	};
	size_t i;
	unsigned int n;

	(void)state;
	for (i = 0; i < COUNT(table); i++)
		assert_true(near(fisher_tail(table[i].f, table[i].above, table[i].below),
				 table[i].tail, 0.01 * table[i].tail));
	/* With one above it is the square of Student's t; with two above it has a closed form. */
	for (n = 1; n < 300; n += 7) {
		double t = student_quantile(0.99, n);

		assert_true(near(fisher_tail(t * t, 1, n), 0.01, 1e-8));
		assert_true(near(fisher_tail(3, 2, n), pow(1 + 6.0 / n, -0.5 * n), 1e-11));
	}
	assert_true(fisher_tail(0, 3, 5) == 1);
	assert_true(fisher_tail(1e300, 3, 500) < 1e-100);
}

/* ---- shares and counts ----------------------------------------------------------------------- */

/* Adds up the smaller tail from Pascal's triangle, in logarithms of factorials one by one. */
static double summed_p(unsigned int k, unsigned int n, double share)
{
	double logs[601] = { 0 }, below = 0, above = 0, least;
	unsigned int i;

	for (i = 1; i <= n; i++)
		logs[i] = logs[i - 1] + log(i);
	for (i = 0; i <= n; i++) {
		double term = exp(logs[n] - logs[i] - logs[n - i] + i * log(share) +
				  (n - i) * log(1 - share));

		below += i <= k ? term : 0;
		above += i >= k ? term : 0;
	}
	least = 2 * (below < above ? below : above);
	return least < 1 ? least : 1;
}

static void binomial(void **state)
{
	unsigned int i;

	(void)state;
	assert_true(near(binomial_p(4, 4, 0.5), 0.125, 1e-12));
	assert_true(near(binomial_p(2, 10, 0.5), 0.109375, 1e-12));
	assert_true(binomial_p(5, 10, 0.5) == 1);
	assert_true(binomial_p(0, 0, 0.3) == 1);
	assert_true(binomial_p(1, 10, 0) == 0 && binomial_p(0, 10, 0) == 1);
	assert_true(binomial_p(9, 10, 1) == 0 && binomial_p(10, 10, 1) == 1);
	seed = 12;
	for (i = 0; i < 2000; i++) {
		unsigned int n = 1 + (unsigned int)(600 * uniform());
		double share = uniform(), wanted;
		/* About where it is expected, and now and then far from it. */
		double at = n * share + 4 * normal() * sqrt(n * share * (1 - share));
		unsigned int k = at < 0 ? 0 : at > n ? n : (unsigned int)at;

		wanted = summed_p(k, n, share);
		assert_true(near(binomial_p(k, n, share), wanted, 1e-9 * wanted + 1e-300));
	}
	/* Where the normal distribution is as good: half a step less than 4 of its deviations. */
	assert_true(near(binomial_p(502000, 1000000, 0.5), erfc(3.999 / sqrt(2)), 1e-8));
	assert_true(binomial_p(0, 1000000, 0.5) == 0);
}

/* The examples of Newcombe's papers of 1998, and Poisson's score interval by its definition. */
static void intervals_of_shares(void **state)
{
	const struct width width = { 0.95, normal_quantile(0.95) };
	const double z = 1.959963985;
	struct interval a, b;

	(void)state;
	a = share_interval(81.0 / 263, 263, &width);
	assert_true(near(a.low, 0.2553, 5e-5) && near(a.high, 0.3662, 5e-5));
	a = share_interval(0, 20, &width);
	assert_true(near(a.low, 0, 1e-12) && near(a.high, 0.1611, 5e-5));
	a = share_interval(48.0 / 80, 80, &width);
	b = share_interval(56.0 / 70, 70, &width);
	a = difference_interval(48.0 / 80, &a, 56.0 / 70, &b);
	assert_true(near(a.low, 0.0524, 5e-5) && near(a.high, 0.3339, 5e-5) && a.level == 0.95);
	a = count_interval(10, &width);
	assert_true(near((10 - a.low) / sqrt(a.low), z, 1e-6));
	assert_true(near((a.high - 10) / sqrt(a.high), z, 1e-6));
	a = count_interval(0, &width);
	assert_true(a.low == 0 && near(a.high, z * z, 1e-6));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(means),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(critical_values),
		cmocka_unit_test(beyond_the_exact_one),
		cmocka_unit_test(depression),
		cmocka_unit_test(zeros_and_ties),
		cmocka_unit_test(many_differences),
		cmocka_unit_test(least_pairs),
		cmocka_unit_test(holm),
		cmocka_unit_test(fieller),
		cmocka_unit_test(fisher),
		cmocka_unit_test(binomial),
		cmocka_unit_test(intervals_of_shares),
		cmocka_unit_test(signed_ranks_cover),
		cmocka_unit_test(fieller_covers),
		cmocka_unit_test(equal_ones_are_not_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
