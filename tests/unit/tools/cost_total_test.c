// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Costs by total time: the arithmetic on changes that are planted, and each refusal.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/random.h"
#include "tools/base/base.h"
#include "tools/cost/cost.h"

#define SETS 10000
#define PAIRS 12

static struct cost_total judge(const struct cost_changes *changes)
{
	struct cost_total total;

	assert_int_equal(cost_total_time(changes, &total), 0);
	if (total.refused)
		assert_true(strlen(total.note) > 10);
	return total;
}

static void refused(const struct cost_changes *changes, const char *why)
{
	struct cost_total total = judge(changes);

	if (!total.refused || !strstr(total.note, why))
		print_message("'%s' is not: %.3f '%s'\n", why, total.cost, total.note);
	assert_true(total.refused);
	assert_non_null(strstr(total.note, why));
}

/* ---- two points ----------------------------------------------------------------------------- */

static void patent(void **state)
{
	const struct cost_point from = { 100, 2000, true }, to = { 90, 1600, true };
	struct cost_total total;

	(void)state;
	cost_of_points(&from, &to, &total);
	assert_false(total.refused);
	assert_true(total.cost == 40);
	assert_string_equal(total.note, "two points, no error");
	cost_of_points(&to, &from, &total);
	assert_true(total.cost == 40);
	cost_of_points(&from, &from, &total);
	assert_true(total.refused);
	cost_of_points(&from, &(struct cost_point){ 110, 1600, true }, &total);
	assert_true(total.refused);
	assert_non_null(strstr(total.note, "more events, fewer cycles (-40.0 each)"));
}

/* ---- refusals ------------------------------------------------------------------------------- */

static const double events[] = { 1000, 1010, 990, 1000 };
static const double cycles[] = { 21000, 21100, 20900, 21000 };

static struct cost_changes usual(void)
{
	return (struct cost_changes){
		.name = "misses", .contests = 1, .pairs = 4, .events = events, .cycles = cycles,
		.before = 200, .figure = 20,
	};
}

static void told(void **state)
{
	struct cost_changes c = usual();
	struct cost_total total = judge(&c);

	(void)state;
	assert_false(total.refused);
	assert_true(fabs(total.cost - 21) < 1e-12);
	assert_true(total.interval.low <= 21 && total.interval.high >= 21);
	assert_true(total.interval.high - total.interval.low < 1);
	assert_string_equal(total.note, "");
	/* Fewer of both is the same. */
	c.events = (const double[]){ -1000, -1010, -990, -1000 };
	c.cycles = (const double[]){ -21000, -21100, -20900, -21000 };
	assert_true(fabs(judge(&c).cost - 21) < 1e-12);
}

static void too_little(void **state)
{
	struct cost_changes c = usual();

	(void)state;
	c.pairs = 1;
	refused(&c, "1 pair has no error: -r 2 or more");
	c.pairs = 4;
	c.before = 20001;
	refused(&c, "the settings change misses by 1000 of 20001, which is 5.0 %: less than 5 %");
	c.before = 19999;
	assert_false(judge(&c).refused);
	c.events = (const double[]){ 0, 0, 0, 0 };
	refused(&c, "no setting changes misses");
	c.events = (const double[]){ 96, -40, 200, 128 };
	c.before = 852;
	refused(&c, "change misses by 96 +- 160 of 852: the interval holds 0");
}

/* Where sets take turns there are few changes of another event. */
static void moved(void **state)
{
	(void)state;
	assert_false(cost_moved(NULL, 0));
	assert_true(cost_moved((const double[]){ -3 }, 1));
	assert_false(cost_moved((const double[]){ 0 }, 1));
	assert_true(cost_moved((const double[]){ 5000, 3000 }, 2));
	assert_true(cost_moved((const double[]){ -5000, -3000 }, 2));
	assert_false(cost_moved((const double[]){ 5000, 1000 }, 2));
	assert_false(cost_moved((const double[]){ 5000, -4000, 100 }, 3));
}

static void confounded(void **state)
{
	struct cost_other other = { "lines", 1001, true, 0, false };
	struct cost_changes c = usual();

	(void)state;
	c.cycles = (const double[]){ -32900, -33000, -32800, -32900 };
	refused(&c, "more misses, fewer cycles (-32.9 each): the settings change more than misses");
	/* What may as well be 0 is a cost: that of what something else hides. */
	c.cycles = (const double[]){ -10, 20, -20, 5 };
	assert_false(judge(&c).refused);
	assert_string_equal(judge(&c).note, "not told from 0");
	c = usual();
	c.others = &other;
	c.nr_others = 1;
	assert_false(judge(&c).refused);
	other.change = 1051;
	refused(&c, "lines moves more than misses: it changes by 1051, misses by 1000");
	/* Whose interval holds 0 may not have moved at all. */
	other.told = false;
	assert_false(judge(&c).refused);
	/* Dear ones need not be as many, cheap ones are more. */
	other = (struct cost_other){ "walks", -200, true, 150, true };
	refused(&c, "walks moves more than misses: it changes by 200 x 150 cycles, misses by 1000 x 20");
	other = (struct cost_other){ "hits", 2000, true, 1, true };
	assert_false(judge(&c).refused);
	assert_non_null(strstr(judge(&c).note, "hits moves as well: up to 10 % of it"));
	other.change = 500;
	assert_string_equal(judge(&c).note, "");
	/* What may cost anything is as much as the event where it is as many, and noted before. */
	other = (struct cost_other){ "far misses", 960, true, 0, true };
	refused(&c, "far misses moves as much as misses, and what one costs is not known: it changes by "
		"960, misses by 1000");
	other.change = 400;
	assert_string_equal(judge(&c).note, "far misses moves as well, 0.40 times as often, and what one "
			    "costs is not known");
	/* Of an event that is not known itself it is by what was measured. */
	c.figure = 0;
	other = (struct cost_other){ "walks", 1000, true, 3, true };
	assert_string_equal(judge(&c).note, "walks moves as well: up to 14 % of it");
	other.figure = 30;
	refused(&c, "walks moves more than misses");
}

static void no_line(void **state)
{
	/* 21 cycles each, in the second setting and the third; 30 in the third. */
	const double three[] = { 1000, 1010, 990, 1000, 2000, 1990, 2010, 2000 };
	const double line[] = { 21000, 21100, 20900, 21000, 42000, 41900, 42100, 42000 };
	const double bent[] = { 21000, 21100, 20900, 21000, 60000, 59900, 60100, 60000 };
	const double still[] = { 1000, 1000, 1000, 1000, 2000, 2000, 2000, 2000 };
	struct cost_changes c = usual();

	(void)state;
	c.contests = 2;
	c.events = three;
	c.cycles = line;
	assert_false(judge(&c).refused);
	assert_true(fabs(judge(&c).cost - 21) < 0.01);
	c.cycles = bent;
	refused(&c, "the 3 settings are no line (lack of fit: F ");
	/* Where nothing scatters a line is a line, and what is none needs no F. */
	c.events = still;
	c.cycles = (const double[]){ 21000, 21000, 21000, 21000, 42000, 42000, 42000, 42000 };
	assert_true(judge(&c).cost == 21);
	c.cycles = (const double[]){ 21000, 21000, 21000, 21000, 42300, 42300, 42300, 42300 };
	refused(&c, "the 3 settings are no line, and nothing scatters");
}

/* ---- many sets ------------------------------------------------------------------------------ */

/* Pairs whose cycles are 21 an event and noise; events have noise of their own. */
static void plant(struct cost_changes *c, double *e, double *y, double noise)
{
	size_t contest, pair, at = 0;

	for (contest = 0; contest < c->contests; contest++)
		for (pair = 0; pair < PAIRS; pair++, at++) {
			double true_events = 1000.0 * (double)(contest + 1) + 30 * normal();

			e[at] = true_events + 20 * normal();
			y[at] = 21 * true_events + noise * normal();
		}
	c->events = e;
	c->cycles = y;
	c->pairs = PAIRS;
	c->before = 500;
}

/* Of two settings 95 % of the intervals hold the cost; sets without a bound count as covering. */
static void intervals_cover(void **state)
{
	double e[PAIRS], y[PAIRS];
	struct cost_changes c = usual();
	struct cost_total total;
	int set, covered = 0, unbounded = 0;

	(void)state;
	seed = 1;
	for (set = 0; set < SETS; set++) {
		plant(&c, e, y, 2000);
		total = judge(&c);
		unbounded += total.refused;
		covered += total.refused || (total.interval.low <= 21 && total.interval.high >= 21);
	}
	print_message("%d of %d sets covered, %d refused\n", covered, SETS, unbounded);
	assert_in_range(covered, SETS * 94 / 100, SETS * 96 / 100);
}

/* Of three settings that are a line 1 % are refused, and of those that are none all. */
static void lines_are_told(void **state)
{
	double e[2 * PAIRS], y[2 * PAIRS];
	struct cost_changes c = usual();
	int set, line = 0, bent = 0, i;

	(void)state;
	seed = 2;
	c.contests = 2;
	for (set = 0; set < SETS; set++) {
		plant(&c, e, y, 2000);
		line += judge(&c).refused;
		for (i = PAIRS; i < 2 * PAIRS; i++)
			y[i] += 10000;
		bent += judge(&c).refused;
	}
	print_message("refused: %d lines of %d, %d of those that are none\n", line, SETS, bent);
	assert_in_range(line, SETS * 7 / 1000, SETS * 13 / 1000);
	assert_true(bent > SETS * 99 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patent),
		cmocka_unit_test(told),
		cmocka_unit_test(moved),
		cmocka_unit_test(too_little),
		cmocka_unit_test(confounded),
		cmocka_unit_test(no_line),
		cmocka_unit_test(intervals_cover),
		cmocka_unit_test(lines_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
