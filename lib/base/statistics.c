// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Arithmetic of readings that scatter.  Nothing here needs libm, which would cost every start of
 * a short measurement more than the rest of its libraries.
 */
#include <emmintrin.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/statistics.h"

#define PI 3.14159265358979323846
#define LN_2 0.693147180559945309417

/* ---- functions ---------------------------------------------------------------------------- */

double square_root(double x)
{
	__m128d v = _mm_set_sd(x);

	return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}

/* With x = 2^e * m, and m around 1: the series of (m - 1) / (m + 1) = s, by odd powers of s. */
double natural_log(double x)
{
	double s, square, power, sum = 0;
	int e = 0, k;

	while (x > 1.5) {
		x /= 2;
		e++;
	}
	while (x < 0.75) {
		x *= 2;
		e--;
	}
	s = (x - 1) / (x + 1);
	square = s * s;
	power = s;
	for (k = 1; k < 40; k += 2) {
		sum += power / k;
		power *= square;
	}
	return 2 * sum + e * LN_2;
}

/* The series of what is left of x without multiples of ln 2, which double or halve. */
double exponential(double x)
{
	int e = (int)(x / LN_2), k;
	double rest = x - e * LN_2, term = 1, sum = 1;

	for (k = 1; k < 24; k++) {
		term *= rest / k;
		sum += term;
	}
	for (; e > 0; e--)
		sum *= 2;
	for (; e < 0; e++)
		sum /= 2;
	return sum;
}

/* Returns the angle of this tangent; halved three times its series is short. */
static double arc_tangent(double x)
{
	double square, power, sum = 0;
	int i;

	for (i = 0; i < 3; i++)
		x /= 1 + square_root(1 + x * x);
	square = x * x;
	power = x;
	for (i = 1; i < 40; i += 2) {
		sum += power / i;
		power *= -square;
	}
	return 8 * sum;
}

/* ---- means -------------------------------------------------------------------------------- */

void moments_add(struct moments *m, double x)
{
	double distance = x - m->mean;

	m->n++;
	m->mean += distance / m->n;
	m->squares += distance * (x - m->mean);
}

double moments_error(const struct moments *m)
{
	return m->n < 2 ? 0 : square_root(m->squares / (m->n - 1) / m->n);
}

/* Returns the share of normal values within z of the mean; beyond 8 of them all but 1e-15 are. */
static double normal_within(double z)
{
	double term = z, sum = z;
	int k;

	if (z > 8)
		return 1;
	for (k = 3; term > sum * 1e-17; k += 2) {
		term *= z * z / k;
		sum += term;
	}
	return sum * exponential(-z * z / 2) * square_root(2 / PI);
}

/* The same of means with so many degrees of freedom, by the closed form of the integral. */
static double student_within(double t, unsigned int freedom)
{
	double tangent = t / square_root(freedom), cosine = 1 / square_root(1 + tangent * tangent);
	unsigned int odd = freedom % 2, k;
	double term = odd ? cosine : 1, sum = 0;

	for (k = odd; k + 2 <= freedom; k += 2) {
		sum += term;
		term *= cosine * cosine * (k + 1) / (k + 2);
	}
	sum *= tangent * cosine;
	return odd ? (arc_tangent(tangent) + sum) * 2 / PI : sum;
}

static double share_within(double x, unsigned int freedom)
{
	return freedom ? student_within(x, freedom) : normal_within(x);
}

/* Returns the value that a share `level` is within, by halving; freedom 0: of the normal one. */
static double find_quantile(double level, unsigned int freedom)
{
	double low = 0, high = 1, middle;
	int i;

	while (high < 1e9 && share_within(high, freedom) < level)
		high *= 2;
	for (i = 0; i < 60; i++) {
		middle = (low + high) / 2;
		if (share_within(middle, freedom) < level)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double normal_quantile(double level)
{
	return find_quantile(level, 0);
}

/* From so many degrees of freedom on three terms of Fisher's expansion differ by less than 1e-8. */
#define STUDENT_EXPANDED 200

double student_quantile(double level, unsigned int freedom)
{
	double f = freedom, z, z2;

	if (freedom < STUDENT_EXPANDED)
		return find_quantile(level, freedom);
	z = normal_quantile(level);
	z2 = z * z;
	return z * (1 + (z2 + 1) / 4 / f + ((5 * z2 + 16) * z2 + 3) / 96 / (f * f) +
		    (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384 / (f * f * f));
}

/* ---- variances ---------------------------------------------------------------------------- */

/* Returns the logarithm of the gamma function of n halves, n being 1 or more. */
static double log_gamma_of_halves(unsigned int n)
{
	double sum = n % 2 ? natural_log(PI) / 2 : 0;
	unsigned int k;

	for (k = n % 2 ? 1 : 2; k + 2 <= n; k += 2)
		sum += natural_log(k / 2.0);
	return sum;
}

/* What is next to 0 in the continued fraction, but not 0. */
#define TINY 1e-300

static double not_zero(double x)
{
	return x < TINY && x > -TINY ? TINY : x;
}

/* The continued fraction of the incomplete beta function, by the method of Lentz. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), value = d, step = 0;
	int m;

	for (m = 1; m < 300 && (step < 1 - 1e-15 || step > 1 + 1e-15); m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		value *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = d * c;
		value *= step;
	}
	return value;
}

/* Returns the regularized incomplete beta function of na and nb halves, for x from 0 to 1. */
static double beta_share(unsigned int na, unsigned int nb, double x)
{
	double a = na / 2.0, b = nb / 2.0, log_front;

	if (x <= 0 || x >= 1)
		return x > 0;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_share(nb, na, 1 - x);
	log_front = log_gamma_of_halves(na + nb) - log_gamma_of_halves(na) -
		    log_gamma_of_halves(nb) + a * natural_log(x) + b * natural_log(1 - x);
	return log_front < -700 ? 0 : exponential(log_front) * beta_fraction(a, b, x) / a;
}

double fisher_tail(double f, unsigned int above, unsigned int below)
{
	return beta_share(below, above, below / (below + above * f));
}

/* ---- signed ranks ------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int walsh_make(struct walsh *w, const double *differences, size_t n)
{
	size_t i, j;

	w->n = n;
	w->count = 0;
	w->averages = calloc(n * (n + 1) / 2, sizeof(*w->averages));
	if (!w->averages)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		for (j = i; j < n; j++)
			w->averages[w->count++] = (differences[i] + differences[j]) / 2;
	qsort(w->averages, w->count, sizeof(*w->averages), compare_doubles);
	return 0;
}

void walsh_free(struct walsh *w)
{
	free(w->averages);
	w->averages = NULL;
}

double walsh_median(const struct walsh *w)
{
	return (w->averages[(w->count - 1) / 2] + w->averages[w->count / 2]) / 2;
}

/* Of doubled ranks: halves, where equal ones share theirs, are whole numbers then. */
#define SUM_MOST (SIGNED_RANK_EXACT * (SIGNED_RANK_EXACT + 1))

/*
 * How likely each sum of the ranks with a plus is, where each rank has one as likely as not:
 * every rank splits what is there into the sums with it and those without.
 */
struct rank_sums {
	size_t most;		/* all of them */
	double likely[SUM_MOST + 1];
};

static void add_rank(struct rank_sums *s, size_t rank)
{
	size_t i;

	memset(&s->likely[s->most + 1], 0, rank * sizeof(s->likely[0]));
	for (i = s->most + 1; i-- > 0;) {
		s->likely[i] /= 2;
		s->likely[i + rank] += s->likely[i];
	}
	s->most += rank;
}

/* Returns how often the ranks 1 to n, up to SIGNED_RANK_EXACT, have the sum k or less. */
static double exact_tail(size_t n, size_t k, struct rank_sums *s)
{
	double tail = 0;
	size_t i;

	s->most = 0;
	s->likely[0] = 1;
	for (i = 1; i <= n; i++)
		add_rank(s, i);
	for (i = 0; i <= k; i++)
		tail += s->likely[i];
	return tail;
}

/*
 * Finds how many averages at either end are outside: as many as the largest sum + 1 that is no
 * more likely than half of what may be missed.  *level: what is held then.
 */
static size_t exact_outside(size_t n, double missed, double *level)
{
	struct rank_sums s;
	double tail = exact_tail(n, 0, &s);
	size_t k = 0;

	for (; k < s.most && tail <= missed / 2; tail += s.likely[++k])
		*level = 1 - 2 * tail;
	return k;
}

/* The same by the normal distribution, with a half for the steps of the exact one. */
static size_t normal_outside(size_t n, double missed, double *level)
{
	double count = (double)n, mean = count * (count + 1) / 4;
	double deviation = square_root(count * (count + 1) * (2 * count + 1) / 24);
	size_t k = (size_t)(mean + 0.5 - normal_quantile(1 - missed) * deviation);

	*level = normal_within((mean + 0.5 - (double)k) / deviation);
	return k;
}

/* Of the levels that are asked for, which decimals do not hit: 1 - 0.05 / 2 is 0.975 or less. */
#define NEARLY 1e-12

bool walsh_interval(const struct walsh *w, double level, struct interval *interval)
{
	double missed = 1 - level + NEARLY;
	size_t k = w->n <= SIGNED_RANK_EXACT ? exact_outside(w->n, missed, &interval->level) :
					      normal_outside(w->n, missed, &interval->level);

	if (!k)
		return false;
	interval->low = w->averages[k - 1];
	interval->high = w->averages[w->count - k];
	return true;
}

struct ranks {
	double plus;		/* the sum of those with this sign; all are doubled */
	double sum, squares;
	size_t *doubled;	/* of those that are not 0 */
	size_t count;
};

static double size_of(double x)
{
	return x < 0 ? -x : x;
}

static int compare_sizes(const void *a, const void *b)
{
	double x = size_of(*(const double *)a), y = size_of(*(const double *)b);

	return (x > y) - (x < y);
}

/* Differences from `first` to before `end`, counted from 0, are as large: they share a rank. */
static void add_equal(struct ranks *r, const double *sorted, size_t first, size_t end)
{
	size_t doubled = first + 1 + end, i;

	for (i = first; i < end && sorted[i] != 0; i++) {
		r->plus += sorted[i] > 0 ? (double)doubled : 0;
		r->sum += (double)doubled;
		r->squares += (double)doubled * (double)doubled;
		r->doubled[r->count++] = doubled;
	}
}

static void take_ranks(struct ranks *r, const double *sorted, size_t n)
{
	size_t first, end;

	for (first = 0; first < n; first = end) {
		for (end = first + 1; end < n && size_of(sorted[end]) == size_of(sorted[first]);)
			end++;
		add_equal(r, sorted, first, end);
	}
}

/* Returns how likely a sum as far from the middle as this one is, on either side. */
static double exact_p(const struct ranks *r)
{
	double less = r->plus < r->sum - r->plus ? r->plus : r->sum - r->plus, tail = 0;
	struct rank_sums s;
	size_t i;

	s.most = 0;
	s.likely[0] = 1;
	for (i = 0; i < r->count; i++)
		add_rank(&s, r->doubled[i]);
	for (i = 0; i <= (size_t)less && i <= s.most; i++)
		tail += s.likely[i];
	return tail > 0.5 ? 1 : 2 * tail;
}

/* The variance is that of these very ranks, which is the correction for equal ones. */
static double normal_p(const struct ranks *r)
{
	double distance = size_of(r->plus - r->sum / 2) - 1;

	if (!r->count || distance <= 0)
		return 1;
	return 1 - normal_within(2 * distance / square_root(r->squares));
}

int signed_rank_p(const double *differences, size_t n, double *p)
{
	struct ranks r = { .doubled = calloc(n + 1, sizeof(*r.doubled)) };
	double *sorted = calloc(n + 1, sizeof(*sorted));
	int err = r.doubled && sorted ? 0 : -ENOMEM;

	if (!err) {
		memcpy(sorted, differences, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), compare_sizes);
		take_ranks(&r, sorted, n);
		*p = n <= SIGNED_RANK_EXACT ? exact_p(&r) : normal_p(&r);
	}
	free(sorted);
	free(r.doubled);
	return err;
}

size_t signed_rank_least(size_t comparisons, double error)
{
	double p = 2;
	size_t n = 0;

	for (; p * (double)comparisons > error + NEARLY; n++)
		p /= 2;
	return n;
}

/* Returns which of those that have no verdict yet has the smallest p; n: none is left. */
static size_t smallest(const double *p, size_t n, const struct holm *verdicts)
{
	size_t i, best = n;

	for (i = 0; i < n; i++)
		if (!verdicts[i].apart && (best == n || p[i] < p[best]))
			best = i;
	return best;
}

void holm_judge(const double *p, size_t n, double error, struct holm *verdicts)
{
	size_t left = n, best, i;

	memset(verdicts, 0, n * sizeof(*verdicts));
	for (; left; left--) {
		best = smallest(p, n, verdicts);
		if (p[best] * (double)left > error + NEARLY)
			break;
		verdicts[best] = (struct holm){ true, 1 - error / (double)left };
	}
	/* The first that is not apart ends it, and all others have its level. */
	for (i = 0; i < n; i++)
		if (!verdicts[i].apart)
			verdicts[i].level = 1 - error / (double)left;
}

/* ---- shares and counts -------------------------------------------------------------------- */

/* Returns the logarithm of n!, by Stirling's series where it is exact enough. */
static double log_factorial(double n)
{
	double product = 1, inverse;
	int k;

	if (n < 20) {
		for (k = 2; k <= (int)n; k++)
			product *= k;
		return natural_log(product);
	}
	inverse = 1 / n;
	return (n + 0.5) * natural_log(n) - n + natural_log(2 * PI) / 2 +
	       inverse * (1.0 / 12 - inverse * inverse * (1.0 / 360 - inverse * inverse / 1260));
}

/* Returns the tail of n trials from k on away from the mean: odds are those of one step on. */
static double binomial_tail(double k, double n, double share)
{
	double log_term = log_factorial(n) - log_factorial(k) - log_factorial(n - k) +
			  k * natural_log(share) + (n - k) * natural_log(1 - share);
	double odds = share / (1 - share), term, sum;

	if (log_term < -700)
		return 0;
	term = exponential(log_term);
	for (sum = term; k < n && term > sum * 1e-17; sum += term) {
		term *= odds * (n - k) / (k + 1);
		k++;
	}
	return sum;
}

double binomial_p(uint64_t k, uint64_t n, double share)
{
	double mean = (double)n * share, tail;

	if (share <= 0 || share >= 1)
		return (share > 0 ? n - k : k) ? 0 : 1;
	tail = (double)k >= mean ? binomial_tail((double)k, (double)n, share) :
				   binomial_tail((double)(n - k), (double)n, 1 - share);
	return tail < 0.5 ? 2 * tail : 1;
}

struct interval share_interval(double share, double n, const struct width *width)
{
	double z = width->errors, shrink = 1 / (1 + z * z / n);
	double middle = (share + z * z / (2 * n)) * shrink;
	double half = z * shrink * square_root(share * (1 - share) / n + z * z / (4 * n * n));

	return (struct interval){ middle > half ? middle - half : 0,
				  middle + half < 1 ? middle + half : 1, width->level };
}

struct interval count_interval(double count, const struct width *width)
{
	double z = width->errors, middle = count + z * z / 2;
	double half = z * square_root(count + z * z / 4);

	return (struct interval){ middle > half ? middle - half : 0, middle + half,
				  width->level };
}

struct interval difference_interval(double a, const struct interval *of_a, double b,
				    const struct interval *of_b)
{
	double below_a = a - of_a->low, above_a = of_a->high - a;
	double below_b = b - of_b->low, above_b = of_b->high - b;

	return (struct interval){
		b - a - square_root(below_b * below_b + above_a * above_a),
		b - a + square_root(above_b * above_b + below_a * below_a), of_a->level,
	};
}

/* ---- ratios ------------------------------------------------------------------------------- */

/* Of a mean: its square less what the error makes of it is above 0 where it is told from 0. */
struct pairs {
	double x, y;			/* means */
	double xx, xy, yy;		/* (co)variances of the means, times t squared */
};

static struct pairs sums_of(const double *x, const double *y, size_t n, double level)
{
	double t = student_quantile(level, (unsigned int)n - 1);
	double scale = t * t / (double)(n - 1) / (double)n;
	struct pairs s = { .x = 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		s.x += x[i] / (double)n;
		s.y += y[i] / (double)n;
	}
	for (i = 0; i < n; i++) {
		s.xx += (x[i] - s.x) * (x[i] - s.x) * scale;
		s.xy += (x[i] - s.x) * (y[i] - s.y) * scale;
		s.yy += (y[i] - s.y) * (y[i] - s.y) * scale;
	}
	return s;
}

/*
 * A ratio r is possible where the mean of x - r y is within t of its errors of 0, which is where
 * a r^2 - 2 b r + c is not above 0.
 */
enum fieller fieller_interval(const double *x, const double *y, size_t n, double level,
			      struct interval *interval)
{
	struct pairs s = sums_of(x, y, n, level);
	double a = s.y * s.y - s.yy, b = s.x * s.y - s.xy, c = s.x * s.x - s.xx;
	double within = b * b - a * c, root, one, other;

	*interval = (struct interval){ .level = level };
	if (a == 0 || within < 0)
		return FIELLER_ALL;
	root = square_root(within);
	one = (b - root) / a;
	other = (b + root) / a;
	interval->low = one < other ? one : other;
	interval->high = one < other ? other : one;
	return a > 0 ? FIELLER_BOUNDED : FIELLER_OUTSIDE;
}
