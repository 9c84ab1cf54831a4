// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How far a mean of readings can be trusted: by how much they differ, and how few they are.
 */
#include "lib/topdown/topdown.h"

/*
 * Student's t by degrees of freedom: within so many of its standard errors a mean is as often
 * as one of many readings is within three.  (Three hold 99.7 % then, and 80 % of two readings.)
 */
static const double student[] = {
	0, 235.801, 19.207, 9.219, 6.620, 5.507, 4.904, 4.530, 4.277, 4.094,
};

/*
 * Fewer tell nothing.  In turns two of them often have the same phase of a program, and differ
 * by less than from what came behind them.
 */
#define LEAST 2
#define LEAST_IN_TURNS 3

/* Lengths are never quite the same: what is so little below a number of readings is that. */
#define NEARLY 0.1

/* Three standard errors of as many readings as there can be hold as much. */
static double widening(double readings)
{
	size_t freedom = (size_t)(readings + NEARLY) - 1;
	double f = (double)freedom;

	if (freedom < ARRAY_SIZE(student))
		return student[freedom] / 3;
	return 1 + 2.5 / f + 5.75 / (f * f);
}

/* Of numbers that are not negative; libm would cost every start. */
static double root(double x)
{
	double guess = x > 1 ? x : 1;
	int i;

	for (i = 0; x > 0 && i < 64; i++)
		guess = (guess + x / guess) / 2;
	return x > 0 ? guess : 0;
}

void topdown_spread_add(struct topdown_spread *s, double w, double x)
{
	s->count++;
	s->w += w;
	s->w2 += w * w;
	s->wx += w * x;
	s->w2x += w * w * x;
	s->w2x2 += w * w * x * x;
}

/* How many of one length tell as much: one that outweighs all others is hardly more than one. */
static double readings_of(const struct topdown_spread *s)
{
	return s->w2 > 0 ? s->w * s->w / s->w2 : 0;
}

double topdown_spread_error(const struct topdown_spread *s, bool in_turns, bool coarse)
{
	double mean, squares, readings = readings_of(s), rounding = 100.0 / 255;

	if (readings + NEARLY < (in_turns ? LEAST_IN_TURNS : LEAST))
		return -1;
	mean = s->wx / s->w;
	squares = s->w2x2 - 2 * mean * s->w2x + mean * mean * s->w2;
	squares = squares > 0 ? squares / (s->w * s->w) * readings / (readings - 1) : 0;
	squares *= widening(readings) * widening(readings);
	/* A field is rounded each time that it is read, anywhere within its step. */
	if (coarse)
		squares += rounding * rounding / 12 / (double)s->count;
	return root(squares);
}
