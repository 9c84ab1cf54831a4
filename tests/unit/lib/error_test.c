// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Errors of Top-Down's means, against examples worked by hand and Student's distribution
 * itself, by the closed form of its integral.
 */
#include <math.h>

#include "lib/topdown/topdown.h"
#include "tests/unit/cmocka_all.h"

#define THREE_SIGMA 0.9973002039	/* of all readings are so near to their mean */

static bool near(double a, double b, double within)
{
	if (fabs(a - b) <= within)
		return true;
	print_message("%.9g, not %.9g\n", a, b);
	return false;
}

static struct topdown_spread spread_of(const double (*readings)[2], size_t count)
{
	struct topdown_spread s = { .count = 0 };
	size_t i;

	for (i = 0; i < count; i++)
		topdown_spread_add(&s, readings[i][0], readings[i][1]);
	return s;
}

#define SPREAD(readings) spread_of(readings, ARRAY_SIZE(readings))

/* The share of means of so many degrees of freedom that are within t standard errors. */
static double within(double t, unsigned int freedom)
{
	const unsigned int odd = freedom % 2;
	const double angle = atan(t / sqrt(freedom)), c = cos(angle);
	double term = odd ? c : 1, sum = 0;
	unsigned int k;

	for (k = odd; k + 2 <= freedom; k += 2) {
		sum += term;
		term *= c * c * (k + 1) / (k + 2);
	}
	sum *= sin(angle);
	return odd ? (angle + sum) * 2 / acos(-1) : sum;
}

/* Of n readings: in how many standard errors three are said to be. */
static double factor(unsigned int n)
{
	struct topdown_spread s = { .count = 0 };
	double mean = 0, squares = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		topdown_spread_add(&s, 1000, 10 + i);
		mean += (10.0 + i) / n;
	}
	for (i = 0; i < n; i++)
		squares += (10 + i - mean) * (10 + i - mean);
	return 3 * topdown_spread_error(&s, false, false) / sqrt(squares / (n - 1) / n);
}

static void student(void **state)
{
	unsigned int n;

	(void)state;
	/* As in the tables of any book. */
	assert_true(near(within(12.706, 1), 0.95, 1e-5));
	assert_true(near(within(4.303, 2), 0.95, 1e-5));
	assert_true(near(within(3.182, 3), 0.95, 1e-4));
	assert_true(near(within(4.604, 4), 0.99, 1e-5));
	assert_true(near(within(2.262, 9), 0.95, 1e-4));
	for (n = 2; n <= 10; n++)
		assert_true(near(within(factor(n), n - 1), THREE_SIGMA, 1e-5));
	for (n = 11; n <= 100; n++)
		assert_true(near(within(factor(n), n - 1), THREE_SIGMA, 2e-4));
}

/*
 * 10, 12 and 14: the mean is 12, the squares 4 + 0 + 4, the variance 8 / 2 = 4, the standard
 * error the root of 4 / 3.  With two degrees of freedom it is 19.20674 / 3 as much.
 */
static void of_three(void **state)
{
	static const double readings[][2] = { { 5, 10 }, { 5, 12 }, { 5, 14 } };
	const struct topdown_spread s = SPREAD(readings);

	(void)state;
	assert_true(near(topdown_spread_error(&s, false, false), 7.392679, 1e-6));
	assert_true(near(topdown_spread_error(&s, true, false), 7.392679, 1e-6));
}

/*
 * One of twice the length: the mean is (10 + 20 + 2 * 30) / 4 = 22.5, which says as much as
 * 4 * 4 / (1 + 1 + 4) = 2.67 of one length.  Weighed squares: 156.25 + 6.25 + 4 * 56.25 = 387.5;
 * over 16 and times 2.67 / 1.67 it is 38.75, and there is one degree of freedom.
 */
static void of_unequal_lengths(void **state)
{
	static const double readings[][2] = { { 1, 10 }, { 1, 20 }, { 2, 30 } };
	const struct topdown_spread s = SPREAD(readings);

	(void)state;
	assert_true(near(topdown_spread_error(&s, false, false), sqrt(38.75) * 235.80149475 / 3,
			 1e-5));
	/* In turns so few tell nothing. */
	assert_true(topdown_spread_error(&s, true, false) < 0);
}

static void of_too_few(void **state)
{
	static const double one[][2] = { { 1, 10 } }, two[][2] = { { 1, 10 }, { 1, 12 } };
	/* One that outweighs the other is hardly more than one: 121 / 101. */
	static const double uneven[][2] = { { 10, 10 }, { 1, 12 } };
	const struct topdown_spread none = { .count = 0 };
	struct topdown_spread s = SPREAD(one);

	(void)state;
	assert_true(topdown_spread_error(&none, false, false) < 0);
	assert_true(topdown_spread_error(&s, false, false) < 0);
	s = SPREAD(two);
	assert_true(near(topdown_spread_error(&s, false, false), 235.80149475 / 3, 1e-6));
	assert_true(topdown_spread_error(&s, true, false) < 0);
	s = SPREAD(uneven);
	assert_true(topdown_spread_error(&s, false, false) < 0);
}

/* What does not differ has no error but that of being rounded to 255ths: 100 / 255 / 12^0.5. */
static void of_rounding(void **state)
{
	static const double readings[][2] = { { 1, 50 }, { 1, 50 }, { 1, 50 } };
	const struct topdown_spread s = SPREAD(readings);

	(void)state;
	assert_true(near(topdown_spread_error(&s, false, false), 0, 1e-9));
	assert_true(near(topdown_spread_error(&s, false, true), 0.0653595, 1e-7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student),
		cmocka_unit_test(of_three),
		cmocka_unit_test(of_unequal_lengths),
		cmocka_unit_test(of_too_few),
		cmocka_unit_test(of_rounding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
