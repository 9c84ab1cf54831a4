// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How far a mean of readings can be trusted: by how much they differ, and how few they are.
 */
#include "lib/base/statistics.h"
#include "lib/topdown/topdown.h"

/* So many of all readings are within three standard errors of their mean. */
#define THREE_ERRORS 0.9973002039

/*
 * Fewer tell nothing.  In turns two of them often have the same phase of a program, and differ
 * by less than from what came behind them.
 */
#define LEAST 2
#define LEAST_IN_TURNS 3

/* Lengths are never quite the same: what is so little below a number of readings is that. */
#define NEARLY 0.1

/*
 * Returns by how much more a mean of so few readings is off than one of as many as there can be:
 * three standard errors are to hold as many of either.
 */
static double widening(double readings)
{
	return student_quantile(THREE_ERRORS, (unsigned int)(readings + NEARLY) - 1) / 3;
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

/* A field is rounded each time that it is read, anywhere within its step. */
static double rounding_squares(const struct topdown_spread *s, bool coarse)
{
	double step = 100.0 / 255;

	return coarse && s->count ? step * step / 12 / (double)s->count : 0;
}

double topdown_rounding_error(const struct topdown_spread *s, bool coarse)
{
	return square_root(rounding_squares(s, coarse));
}

double topdown_spread_error(const struct topdown_spread *s, bool in_turns, bool coarse)
{
	double mean, squares, readings = readings_of(s);

	if (readings + NEARLY < (in_turns ? LEAST_IN_TURNS : LEAST))
		return -1;
	mean = s->wx / s->w;
	squares = s->w2x2 - 2 * mean * s->w2x + mean * mean * s->w2;
	squares = squares > 0 ? squares / (s->w * s->w) * readings / (readings - 1) : 0;
	squares *= widening(readings) * widening(readings);
	return square_root(squares + rounding_squares(s, coarse));
}
