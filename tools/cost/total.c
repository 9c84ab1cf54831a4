// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an event costs by total time: the change of cycles by the change of events between two
 * settings or more, and why that would be no cost.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/cost/cost.h"

/* Of the events there are at least so many have to change. */
#define CHANGE_LEAST	0.05
/* The risk of calling settings no line that are one. */
#define LINE_RISK	0.01
/* More is by a twentieth at least: what is the same by two events differs by a few. */
#define MORE		1.05
/* Two changes are told from 0 if the smaller is half of the larger. */
#define MOVED_LEVEL	0.8
/* What others that moved may have taken is said from this share on. */
#define OTHERS_SAID	0.05

static double size_of(double x)
{
	return x < 0 ? -x : x;
}

static double mean(const double *x, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : 0;
}

static double change_of(const struct cost_changes *c, const double *values, size_t contest)
{
	return mean(values + contest * c->pairs, c->pairs);
}

/* The settings' changes added up, whichever sign each has. */
static double whole_change(const struct cost_changes *c)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < c->contests; i++)
		sum += size_of(change_of(c, c->events, i));
	return sum;
}

static double largest_change(const struct cost_changes *c)
{
	double most = 0, change;
	size_t i;

	for (i = 0; i < c->contests; i++) {
		change = size_of(change_of(c, c->events, i));
		most = change > most ? change : most;
	}
	return most;
}

/* Returns true. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct cost_total *total, const char *fmt,
							 ...)
{
	va_list ap;

	total->refused = true;
	va_start(ap, fmt);
	vsnprintf(total->note, sizeof(total->note), fmt, ap);
	va_end(ap);
	return true;
}

/* ---- too little ----------------------------------------------------------------------------- */

static bool is_too_little(const struct cost_changes *c, struct cost_total *total)
{
	double change = largest_change(c);

	if (c->pairs < 2)
		return refuse(total, "%zu pair%s no error: -r 2 or more", c->pairs,
			      c->pairs == 1 ? " has" : "s have");
	if (change == 0)
		return refuse(total, "no setting changes %s", c->name);
	if (change < CHANGE_LEAST * c->before)
		return refuse(total, "the settings change %s by %.0f of %.0f, which is %.1f %%: less than "
			      "%.0f %% of them say nothing of what they cost", c->name, change, c->before,
			      100 * change / c->before, 100 * CHANGE_LEAST);
	return false;
}

/* ---- the quotient --------------------------------------------------------------------------- */

/*
 * A pair's sums over the settings, each weighted by how much it changes the events in the mean:
 * their quotient is the slope of the line through the first setting.  With two settings the
 * weight is the same for all.
 */
static void take_sums(const struct cost_changes *c, double *cycles, double *events)
{
	size_t contest, pair;

	for (contest = 0; contest < c->contests; contest++) {
		double weight = change_of(c, c->events, contest);

		for (pair = 0; pair < c->pairs; pair++) {
			cycles[pair] += weight * c->cycles[contest * c->pairs + pair];
			events[pair] += weight * c->events[contest * c->pairs + pair];
		}
	}
}

/* Half of the interval of the mean of the events' change, of the setting that changes most. */
static double change_error(const struct cost_changes *c)
{
	struct moments m = { .n = 0 };
	size_t contest, pair, best = 0;

	for (contest = 1; contest < c->contests; contest++)
		if (size_of(change_of(c, c->events, contest)) >
		    size_of(change_of(c, c->events, best)))
			best = contest;
	for (pair = 0; pair < c->pairs; pair++)
		moments_add(&m, c->events[best * c->pairs + pair]);
	return student_quantile(COST_LEVEL, (unsigned int)c->pairs - 1) * moments_error(&m);
}

static bool is_unbounded(const struct cost_changes *c, const double *cycles, const double *events,
			 struct cost_total *total)
{
	if (fieller_interval(cycles, events, c->pairs, COST_LEVEL, &total->interval) ==
	    FIELLER_BOUNDED)
		return false;
	return refuse(total, "the settings change %s by %.0f +- %.0f of %.0f: the interval holds 0, and "
		      "cycles by it have no bound", c->name, largest_change(c), change_error(c),
		      c->before);
}

static bool is_absurd(const struct cost_changes *c, struct cost_total *total)
{
	/* What holds 0 may be cheap, or hidden by something else. */
	if (total->interval.high >= 0)
		return false;
	return refuse(total, "more %s, fewer cycles (%.1f each): the settings change more than %s",
		      c->name, total->cost, c->name);
}

/* ---- others --------------------------------------------------------------------------------- */

bool cost_moved(const double *changes, size_t count)
{
	struct moments m = { .n = 0 };
	size_t i;

	for (i = 0; i < count; i++)
		moments_add(&m, changes[i]);
	if (count < 2)
		return count && m.mean != 0;
	return size_of(m.mean) > student_quantile(MOVED_LEVEL, m.n - 1) * moments_error(&m);
}

/*
 * Returns how many times the event's own change the other one's is: by what either takes, which of
 * the event is what was measured where nothing else is known; otherwise by how often they happen,
 * where what may cost anything need not be more, but as many.
 */
static double times_of(const struct cost_changes *c, const struct cost_other *other, double cost)
{
	double own = whole_change(c), its = size_of(other->change);

	if (!other->told)
		return 0;
	if (other->figure > 0)
		return its * other->figure / (own * (c->figure > 0 ? c->figure : cost));
	return its / own * (other->costs && c->figure > 0 ? MORE * MORE : 1);
}

static const struct cost_other *find_worst(const struct cost_changes *c, double cost)
{
	const struct cost_other *worst = NULL;
	size_t i;

	for (i = 0; i < c->nr_others; i++)
		if (times_of(c, &c->others[i], cost) > (worst ? times_of(c, worst, cost) : 0))
			worst = &c->others[i];
	return worst;
}

static bool is_confounded(const struct cost_changes *c, struct cost_total *total)
{
	const struct cost_other *worst = find_worst(c, total->cost);
	bool weighed = worst && c->figure > 0 && worst->figure > 0;

	/* What is not told from 0 has no share in anything. */
	if (!worst || total->interval.low <= 0 || times_of(c, worst, total->cost) <= MORE)
		return false;
	if (worst->costs && worst->figure <= 0 && c->figure > 0)
		return refuse(total, "%s moves as much as %s, and what one costs is not known: it changes "
			      "by %.0f, %s by %.0f", worst->name, c->name, size_of(worst->change),
			      c->name, whole_change(c));
	if (weighed)
		return refuse(total, "%s moves more than %s: it changes by %.0f x %.0f cycles, %s by "
			      "%.0f x %.0f", worst->name, c->name, size_of(worst->change), worst->figure,
			      c->name, whole_change(c), c->figure);
	return refuse(total, "%s moves more than %s: it changes by %.0f, %s by %.0f", worst->name,
		      c->name, size_of(worst->change), c->name, whole_change(c));
}

/* One of those that moved: the share that may be its, or that nobody knows it. */
static size_t note_other(const struct cost_changes *c, const struct cost_other *o, double cost,
			 char *note, size_t size)
{
	double times = size_of(o->change) / whole_change(c), share = times * o->figure / cost;

	if (!o->told || (o->figure > 0 ? share : times) <= OTHERS_SAID || (!o->costs && !o->figure))
		return 0;
	if (o->figure > 0)
		return (size_t)snprintf(note, size, "; %s moves as well: up to %.0f %% of it", o->name,
					share < 1 ? 100 * share : 100);
	return (size_t)snprintf(note, size, "; %s moves as well, %.2f times as often, and what one costs "
				"is not known", o->name, times);
}

/* What others may have taken of it, as far as it is known what they take. */
static void note_others(const struct cost_changes *c, struct cost_total *total)
{
	char note[sizeof(total->note)] = "";
	size_t i, at = 0;

	if (total->interval.low <= 0 && total->interval.high >= 0)
		at = (size_t)snprintf(note, sizeof(note), "; not told from 0");
	for (i = 0; total->interval.low > 0 && i < c->nr_others && at < sizeof(note); i++)
		at += note_other(c, &c->others[i], total->cost, note + at, sizeof(note) - at);
	/* Behind the first semicolon. */
	snprintf(total->note, sizeof(total->note), "%s", *note ? note + 2 : "");
}

/* ---- a line --------------------------------------------------------------------------------- */

/* What the cycles of a setting's pairs are off the line. */
struct rests {
	double between, within;		/* squares: of the settings' means, and around these */
};

static struct rests take_rests(const struct cost_changes *c, double slope)
{
	struct rests r = { 0, 0 };
	size_t contest, pair;

	for (contest = 0; contest < c->contests; contest++) {
		struct moments m = { .n = 0 };

		for (pair = 0; pair < c->pairs; pair++)
			moments_add(&m, c->cycles[contest * c->pairs + pair] -
				    slope * c->events[contest * c->pairs + pair]);
		r.between += m.n * m.mean * m.mean;
		r.within += m.squares;
	}
	return r;
}

/* Three settings or more: all lie on one line, as far as their scatter tells. */
static bool is_no_line(const struct cost_changes *c, struct cost_total *total)
{
	unsigned int above = (unsigned int)c->contests - 1;
	unsigned int below = (unsigned int)(c->contests * (c->pairs - 1));
	struct rests r = take_rests(c, total->cost);
	double f, p;

	/* Less than a millionth of the cycles is what numbers of this size are rounded by. */
	if (c->contests < 2 || r.between <= 1e-12 * total->cost * total->cost *
	    whole_change(c) * whole_change(c))
		return false;
	f = r.within > 0 ? r.between / above / (r.within / below) : 0;
	p = r.within > 0 ? fisher_tail(f, above, below) : 0;
	if (p >= LINE_RISK)
		return false;
	if (r.within > 0)
		return refuse(total, "the %zu settings are no line (lack of fit: F %.1f with %u and %u, p "
			      "%.2g): they change more than %s", c->contests + 1, f, above, below, p,
			      c->name);
	return refuse(total, "the %zu settings are no line, and nothing scatters: they change more than %s",
		      c->contests + 1, c->name);
}

/* ---- all of it ------------------------------------------------------------------------------ */

int cost_total_time(const struct cost_changes *c, struct cost_total *total)
{
	double *cycles = calloc(c->pairs + 1, sizeof(*cycles));
	double *events = calloc(c->pairs + 1, sizeof(*events));
	bool refused;

	*total = (struct cost_total){ .refused = false };
	if (cycles && events && !is_too_little(c, total)) {
		take_sums(c, cycles, events);
		refused = is_unbounded(c, cycles, events, total);
		total->cost = refused ? 0 : mean(cycles, c->pairs) / mean(events, c->pairs);
		refused = refused || is_absurd(c, total) || is_confounded(c, total) ||
			  is_no_line(c, total);
		if (!refused)
			note_others(c, total);
	}
	free(events);
	free(cycles);
	return cycles && events ? 0 : -ENOMEM;
}

void cost_of_points(const struct cost_point *from, const struct cost_point *to,
		    struct cost_total *total)
{
	double events = from->events - to->events;

	*total = (struct cost_total){ .refused = false };
	if (events == 0) {
		refuse(total, "both have %.0f events: cycles by their change have no bound",
		       from->events);
		return;
	}
	total->cost = (from->cycles - to->cycles) / events;
	if (total->cost < 0)
		refuse(total, "more events, fewer cycles (%.1f each): more changed than these events",
		       total->cost);
	else
		snprintf(total->note, sizeof(total->note), "two points, no error");
}
