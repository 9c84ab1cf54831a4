/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arithmetic of readings that scatter: means, ranks of differences, ratios, and how far each can
 * be trusted.  The command links this object by itself, so that no name of it is the library's.
 */
#ifndef LIBPMUCTL_STATISTICS_H
#define LIBPMUCTL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- functions that are in libm, which would cost every start ----------------------------- */

/* Returns the root of x, which is not negative. */
double square_root(double x);
/* Returns the natural logarithm of x, which is above 0 and finite. */
double natural_log(double x);
/* Returns e to the power of x, which is between -700 and 700. */
double exponential(double x);

/* ---- means -------------------------------------------------------------------------------- */

/* Readings that came so far, by Welford's method; all zero: none. */
struct moments {
	unsigned int n;
	double mean, squares;	/* the sum of squared distances from the mean */
};

/* Adds the reading x. */
void moments_add(struct moments *m, double x);
/* Returns the standard error of the mean; 0 of less than two readings. */
double moments_error(const struct moments *m);

/* Returns within how many standard errors a share `level` of normal values is. */
double normal_quantile(double level);
/*
 * Returns within how many of its standard errors a share `level` of means is that have so many
 * degrees of freedom, at least one: Student's t, two-sided.
 */
double student_quantile(double level, unsigned int freedom);

/*
 * Returns how likely a quotient of two variances with so many degrees of freedom, at least one
 * each, is as large as f or larger where both are of the same: Fisher's F.
 */
double fisher_tail(double f, unsigned int above, unsigned int below);

/* ---- differences of pairs: Wilcoxon's signed ranks ------------------------------------------ */

/* An interval, and the share of such intervals that hold what they are about. */
struct interval {
	double low, high;
	double level;
};

/* Up to so many differences the distribution is counted out; beyond it is the normal one. */
#define SIGNED_RANK_EXACT 100

/* The averages of any two differences, and of each with itself, in order. */
struct walsh {
	size_t n;		/* differences */
	double *averages;
	size_t count;		/* n * (n + 1) / 2 */
};

/* Makes them of n differences, at least one; returns 0 or -ENOMEM.  walsh_free() frees them. */
int walsh_make(struct walsh *w, const double *differences, size_t n);
void walsh_free(struct walsh *w);
/* Returns the estimate of Hodges and Lehmann: the median of the averages. */
double walsh_median(const struct walsh *w);
/*
 * Fills in the narrowest interval of two averages that are as far from either end which holds
 * the middle of the differences at least as often as `level` says; its own level is how often,
 * if no two differences are equal, and more often otherwise.  Returns false if so few
 * differences have none.
 */
bool walsh_interval(const struct walsh *w, double level, struct interval *interval);
/*
 * Tells how likely signs as one-sided as these, or more so, are if either sign is as likely as
 * the other: *p, two-sided.  Differences of 0 have ranks and no sign (Pratt), equal ones share
 * their ranks, and the distribution is that of these very ranks.  Returns 0 or -ENOMEM.
 */
int signed_rank_p(const double *differences, size_t n, double *p);

/* Returns the least number of pairs that can tell so many comparisons apart at this error. */
size_t signed_rank_least(size_t comparisons, double error);

/* What became of one of several comparisons. */
struct holm {
	bool apart;		/* p is below what it had to be */
	double level;		/* of the interval to be shown beside that */
};

/*
 * Judges n values of p together, by Holm's steps, so that one of them or more is wrongly said to
 * be apart no more often than `error` says.
 */
void holm_judge(const double *p, size_t n, double error, struct holm *verdicts);

/* ---- shares and counts of events that come by themselves ---------------------------------- */

/*
 * Returns how likely it is that of n trials at this share as many succeed as k, or the share is
 * missed even more: twice the smaller tail of the binomial distribution, at most 1.
 */
double binomial_p(uint64_t k, uint64_t n, double share);
/* How wide an interval is: in standard errors, by normal_quantile(level). */
struct width {
	double level, errors;
};

/* Returns Wilson's interval for the share that `share` of n trials succeeded at; n is above 0. */
struct interval share_interval(double share, double n, const struct width *width);
/* Returns the score interval for what a count is expected to be; the count may be 0. */
struct interval count_interval(double count, const struct width *width);
/*
 * Returns an interval for b - a out of those for each, of one level: Newcombe's of two shares,
 * and in general that of variance estimates recovered.
 */
struct interval difference_interval(double a, const struct interval *of_a, double b,
				    const struct interval *of_b);

/* ---- ratios of sums ----------------------------------------------------------------------- */

enum fieller {
	FIELLER_BOUNDED,	/* from low to high */
	FIELLER_OUTSIDE,	/* all up to low, and all from high on */
	FIELLER_ALL,		/* any ratio is possible */
};

/*
 * Finds Fieller's interval for the sum of n values x over that of the y beside them, two pairs or
 * more.  Returns which kind it is: unless the y are told apart from 0 it has no bounds.
 */
enum fieller fieller_interval(const double *x, const double *y, size_t n, double level,
			      struct interval *interval);

#endif
