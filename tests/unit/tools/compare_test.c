// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl compare: its arithmetic on given readings, what it prints of them, and the command as a
 * whole against the kernel of paper.
 */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/run.h"
#include "tools/compare/compare.h"

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

static void text_of_two(void **state)
{
	struct part part = { "parse", 0.6 };
	struct results r = golden(two, 2);

	(void)state;
	r.part = &part;
	matches_golden("compare-modes.txt", printed(&r, FORMAT_TEXT));
	results_free(&r);
}

static void csv_and_json(void **state)
{
	struct part part = { "parse", 0.6 };
	struct results r = golden(two, 2);

	(void)state;
	r.part = &part;
	matches_golden("compare-modes.csv", printed(&r, FORMAT_CSV));
	matches_golden("compare-modes.json", printed(&r, FORMAT_JSON));
	results_free(&r);
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

/* ---- the command ---------------------------------------------------------------------------- */

static void command(void **state)
{
	(void)state;
	/* 1000 cycles each time, and what the time of true is nobody knows. */
	assert_int_equal(run("compare -e cycles -r 7 -- true -- true"), 0);
	assert_non_null(strstr(err, "\n Comparison of A with B:\n"));
	assert_non_null(strstr(err, "             1000             1000  1.000 identical in all pairs\n"));
	assert_non_null(strstr(err, " identical in all pairs: no noise seen, not a proof\n"));
	assert_non_null(strstr(err, "\n 7 pairs, seed 1; intervals of "));
	assert_int_equal(run("compare -e cycles,instructions -M IPC -r 8 -x; -o - -- true -- true"), 0);
	assert_int_equal(count_text(out, "\n"), 4);
	assert_memory_equal(out, "cycles;;1000;1000;1.000000;1.000000;1.000000;", 45);
	assert_non_null(strstr(out, "\nIPC;;0.750000000;0.750000000;1.000000;"));
	assert_non_null(strstr(out, "\nseconds elapsed;;0."));
	assert_string_equal(err, "");
	assert_int_equal(run("compare -e cycles -r 7 --svg - -- true -- true"), 0);
	assert_memory_equal(out, "<?xml ", 6);
	assert_memory_equal(out + strlen(out) - 7, "</svg>\n", 7);
	/* The usual ones, and as many pairs as by default. */
	assert_int_equal(run("compare -x; true -- true"), 0);
	assert_int_equal(count_text(err, ";12;\n"), 5);
	/* More comparisons than 12 pairs are enough for take as many as are needed. */
	assert_int_equal(run("compare -x; -M TopdownL1,TopdownL2,TopdownL3,Summary,Memory true -- true"),
			 0);
}

/* On a counter for half of its time, and with something that is said of stat's counts, too. */
static void flagged(void **state)
{
	(void)state;
	fake.counts[0].running = 2500;
	fake.counts[0].flags = PMUCTL_COUNT_INCOMPLETE;
	assert_int_equal(run("compare -e cycles,instructions -r 8 -x; -o - -- true -- true"), 0);
	assert_memory_equal(out, "cycles;;2000;2000;1.000000;", 27);
	assert_non_null(strstr(out, ";8;\"estimates: it took turns; incomplete: a child was not followed\""
				    "\ninstructions;"));
	assert_non_null(strstr(err, "pmuctl compare: warning: incomplete: at least one child"));
	assert_int_equal(run("compare -e instructions,cycles -M IPC -r 8 -j -o - -- true -- true"), 0);
	assert_int_equal(count_text(out, "\"estimate\": true"), 1);
	assert_int_equal(run("compare -e cycles,instructions -r 8 -- true -- true"), 0);
	assert_non_null(strstr(err, "\n events took turns: their counts are estimates; "));
	assert_non_null(strstr(strstr(err, "Comparison"), "warning: incomplete"));
	fake.counts[0].running = 0;
	assert_int_equal(run("compare -e cycles,instructions -r 8 -x; -o - -- true -- true"), 0);
	assert_non_null(strstr(out, ";no ratio;8;\"not counted in pair 1 of A: no ratio; incomplete"));
}

/* Counts grow from run to run: B's are above A's in one pair and below in the next one. */
static void interleaved(void **state)
{
	(void)state;
	fake.growth = 10;
	assert_int_equal(run("compare -e cycles -r 8 -x; -o - -- true -- true"), 0);
	assert_memory_equal(out, "cycles;;", 8);
	assert_memory_equal(strchr(out, '\n') - 18, ";not told apart;8;", 18);
}

/* 16 runs and two for warming up, by turns, each with what its mode says. */
static void modes_of_one(void **state)
{
	static const char *line = "compare -e cycles -r 7 --mode a=env:PMUCTL_X=1 "
				  "--mode b=env:PMUCTL_X=2 -- printenv PMUCTL_X";
	const char *c;
	int i;

	(void)state;
	setenv("PMUCTL_X", "3", 1);
	assert_int_equal(run(line), 0);
	unsetenv("PMUCTL_X");
	assert_int_equal(count_text(out, "1\n"), 8);
	assert_int_equal(count_text(out, "2\n"), 8);
	assert_null(strstr(out, "3"));
	/* Of pair 1 and 2, 3 and 4, ... each is the other way round. */
	for (i = 1; i < 7; i += 2) {
		c = out + 4 * i;
		assert_int_equal(c[0], c[6]);
		assert_int_equal(c[2], c[4]);
		assert_int_not_equal(c[0], c[2]);
	}
	assert_non_null(strstr(err, "\n A: 'printenv PMUCTL_X' in mode a\n"));
	assert_non_null(strstr(err, "\n B: 'printenv PMUCTL_X' in mode b\n"));
	/* Two programs under two modes are two contests. */
	assert_int_equal(run("compare -e cycles -r 8 --mode a --mode b=env:X=2 true -- true"), 0);
	assert_non_null(strstr(err, "\n  A / B "));
	assert_non_null(strstr(err, " Wilcoxon on log ratios; 4 comparisons"));
}

/* What was counted can be compared again, without a kernel, and says the same. */
static void from_a_file(void **state)
{
	char counts[] = "/tmp/pmuctl-compare-XXXXXX", line[256], before[4096];
	const char *c;
	int fd = mkstemp(counts), i;

	(void)state;
	assert_true(fd >= 0);
	fake.growth = 10;
	snprintf(line, sizeof(line), "compare -e cycles,cpu/event=0x3c,umask=0/ --mode m -r 8 -x; "
		 "-o - --counts %s true -- true", counts);
	assert_int_equal(run(line), 0);
	memcpy(before, out, sizeof(before));
	fake.missing = true;
	snprintf(line, sizeof(line), "compare --from %s -x; -o -", counts);
	assert_int_equal(run(line), 0);
	assert_string_equal(out, before);
	assert_int_equal(count_text(out, "\n"), 3);
	assert_non_null(strstr(out, "cpu/event=0x3c,umask=0/;m;"));
	snprintf(line, sizeof(line), "compare --from %s", counts);
	assert_int_equal(run(line), 0);
	assert_non_null(strstr(err, "\n Comparison of A with B, by the counts in /tmp/pmuctl-compare-"));
	assert_non_null(strstr(err, "\n 8 pairs; intervals of "));
	slurp(fd, before, sizeof(before));
	assert_memory_equal(before, "mode,event,pair,a,b\nm,cycles,1,10", 33);
	for (c = before, i = 0; (c = strstr(c, "\nm,cycles,")); c++)
		i++;
	assert_int_equal(i, 8);
	unlink(counts);
}

/* A file of these lines behind the head. */
static int run_from(const char *text)
{
	char counts[] = "/tmp/pmuctl-compare-XXXXXX", line[256];
	int fd = mkstemp(counts), code;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	snprintf(line, sizeof(line), "compare -x; -o - --from %s", counts);
	code = run(line);
	unlink(counts);
	return code;
}

#define HEAD "mode,event,pair,a,b\n"
#define SIX_OF(mode, event) mode event ",1,11,10\n" mode event ",2,12,10\n" mode event ",3,13,10\n" \
	mode event ",4,14,10\n" mode event ",6,16,10\n" mode event ",5,15,10\n"

static void files(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", ": there are no counts in it" },
		{ HEAD, ": there are no counts in it" },
		{ "mode,event\n", ": line 1: it is not 'mode,event,pair,a,b'" },
		{ HEAD ",x,1,2\n", ": line 2: there have to be the columns" },
		{ HEAD ",x,1,2,3,4\n", ": line 2: there have to be the columns" },
		{ HEAD ",x,1,2,3\n,x,0,2,3\n", ": line 3: the third column is the pair" },
		{ HEAD ",x,1,2,y\n", ": line 2: a count is no number" },
		{ HEAD ",x,1,inf,1\n", ": line 2: a count is no number" },
		{ HEAD ",x,1,1,2\n,x,3,1,2\n", ": there is no pair 2 of 'x'\n" },
		{ HEAD SIX_OF("a,", "x") "b,x,1,1,1\n", ": there is no pair 2 of 'x' in mode 'b'\n" },
		{ HEAD ",x,1,1,2\n", "no interval: 6 pairs are the least for 1 comparison (-r 6)" },
		{ HEAD SIX_OF(",", "x") SIX_OF(",", "y"), "7 pairs are the least for 2 comparisons" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(run_from(bad[i].text), EXIT_USAGE);
		if (!strstr(err, bad[i].why))
			print_message("%s: %s", bad[i].text, err);
		assert_non_null(strstr(err, bad[i].why));
	}
	assert_int_equal(run_from(HEAD SIX_OF("\"m,\"\"n\"\"\",", "x")), 0);
	assert_memory_equal(out, "x;\"m,\"\"n\"\"\";14;10;1.341641;1.100000;1.600000;0.968750;"
			    "0.031250000;told apart;6;\n", 70);
	assert_int_equal(run_from(HEAD ",x,1,,1\n" SIX_OF(",", "x") ",x,2,,10\n"), 0);
	assert_non_null(strstr(out, ";no ratio;6;not counted in pair 2 of A: no ratio\n"));
	RUN_HAS("compare --from /no/such/file", EXIT_FAILED, "--from /no/such/file: No such file");
	RUN_HAS("compare --from /etc", EXIT_FAILED, "--from /etc: Is a directory");
	RUN_HAS("compare --from x true -- true", EXIT_USAGE, "--from runs nothing");
	RUN_HAS("compare --from x -r 7", EXIT_USAGE, "--from runs nothing");
	RUN_HAS("compare --from x --svg x", EXIT_USAGE, "need files of their own");
}

static void padding(void **state)
{
	(void)state;
	assert_int_equal(run("compare -e cycles -r 7 -- printenv PMUCTL_PADDING -- true"), 0);
	assert_int_equal(count_text(out, "\n"), 8);
	assert_true(strlen(out) > 4096);
	assert_int_equal(run("compare --no-shuffle -e cycles -r 7 -- printenv PMUCTL_PADDING -- true"),
			 EXIT_FAILED);
}

static void on_cpus(void **state)
{
	(void)state;
	assert_int_equal(run("compare -e cycles -r 7 -C 0 -- taskset -cp 0 -- true"), EXIT_FAILED);
	assert_int_equal(run("compare -e cycles -r 7 -C 0 -- grep Cpus_allowed_list "
			     "/proc/self/status -- true"), 0);
	assert_int_equal(count_text(out, ":\t0\n"), 8);
	RUN_HAS("compare -C 1000 true -- true", EXIT_USAGE, "-C: CPU 1000 is not online");
	RUN_HAS("compare -C 99999 true -- true", EXIT_USAGE, "-C '99999': ");
	RUN_HAS("compare -C x true -- true", EXIT_USAGE, "-C 'x': ");
	RUN_HAS("compare --mode a=cpu=777 true -- true", EXIT_USAGE,
		"--mode cpu: CPU 777 is not online");
}

static void refused(void **state)
{
	(void)state;
	RUN_HAS("compare -r 7 -- true -- true", EXIT_USAGE,
		"no interval: 8 pairs are the least for 5 comparisons (-r 8)");
	RUN_HAS("compare -e cycles -r 6 -- touch /nowhere/at/all -- true", EXIT_USAGE,
		"no interval: 7 pairs are the least for 2 comparisons (-r 7)");
	RUN_HAS("compare -e cycles -r 7 --mode a --mode b -- true -- true", EXIT_USAGE,
		"no interval: 8 pairs are the least for 4 comparisons (-r 8)");
	RUN_HAS("compare", EXIT_USAGE, "nothing to compare");
	RUN_HAS("compare true", EXIT_USAGE, "one program under no mode is nothing to compare");
	RUN_HAS("compare --mode a true", EXIT_USAGE, "one program under one mode is nothing");
	RUN_HAS("compare true -- true -- true", EXIT_USAGE, "more than two programs");
	RUN_HAS("compare true --", EXIT_USAGE, "there is no program behind '--'");
	RUN_HAS("compare -- -- true", EXIT_USAGE, "there is no program before '--'");
	RUN_HAS("compare --mode prefetch=off true -- true", EXIT_USAGE,
		"'off' is no setting: there are env:VAR=VALUE and cpu=LIST; features of the "
		"processor, like prefetch=off, cannot be switched yet");
	RUN_HAS("compare --mode a=env:X true -- true", EXIT_USAGE, "is env:VAR=VALUE");
	RUN_HAS("compare --mode a=env:=1 true -- true", EXIT_USAGE, "is env:VAR=VALUE");
	RUN_HAS("compare --mode =env:X=1 true -- true", EXIT_USAGE, "the mode has no name");
	RUN_HAS("compare --part x true -- true", EXIT_USAGE, "--part 'x': it is NAME=SHARE");
	RUN_HAS("compare --part x= true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare --part =1 true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare --part x=100% true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare --part x=nan true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare -e none-such true -- true", EXIT_USAGE, "event 'none-such'");
	RUN_HAS("compare -M none-such true -- true", EXIT_USAGE, "compare: -M 'none-such'");
	RUN_HAS("compare -r 1001 true -- true", EXIT_USAGE, "not a number from 1 to 1000");
	RUN_HAS("compare -o /nowhere/at/all true -- true", EXIT_FAILED, "-o /nowhere/at/all: No such");
	RUN_HAS("compare --svg /nowhere/at/all true -- true", EXIT_FAILED,
		"--svg /nowhere/at/all: No such");
	RUN_HAS("compare --svg x -o x true -- true", EXIT_USAGE, "-o, --svg, --counts and --from need files");
}

static void failing(void **state)
{
	(void)state;
	RUN_HAS("compare -e cycles -- true -- false", EXIT_FAILED,
		"warm-up, B 'false': it ended with exit code 1, and what fails is not compared");
	RUN_HAS("compare -e cycles -- true -- /no/such/program", EXIT_FAILED,
		"command '/no/such/program': No such file");
	fake.missing = true;
	RUN_HAS("compare -e cycles -- true -- true", EXIT_FAILED, "pmuctl compare: ");
}

static void part_of_all(void **state)
{
	(void)state;
	assert_int_equal(run("compare --part parse=60% -e cycles -r 7 -- true -- true"), 0);
	assert_non_null(strstr(err, " part parse takes 60 % of A: if it took no time, A would be "));
	assert_non_null(strstr(err, "B is "));
}

/* Who looks at a terminal sees how far it is, and then the table alone. */
static void progress(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave, output = temporary();
	size_t at = 0;
	struct words w;
	ssize_t got;
	pid_t pid;

	(void)state;
	assert_true(master >= 0);
	assert_int_equal(grantpt(master) || unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	split(&w, "compare -e cycles -r 7 -- true -- true");
	pid = start_to(w.argc, w.argv, output, slave);
	close(slave);
	while ((got = read(master, err + at, sizeof(err) - 1 - at)) > 0)
		at += (size_t)got;
	err[at] = '\0';
	assert_int_equal(exit_of(pid), 0);
	close(master);
	close(output);
	assert_int_equal(count_text(err, "\r[ pmuctl compare: warming up"), 2);
	assert_int_equal(count_text(err, "\r[ pmuctl compare: pair 7 of 7, about "), 2);
	assert_int_equal(count_text(err, "s left ]"), 15);
	assert_non_null(strstr(err, "  \r\r\n Comparison of A with B:"));
}

/* A program that sends us this signal in the run of that number, and counts its runs in a file. */
static void write_counter(char path[], const char *runs, int number, const char *signal_name)
{
	int fd = mkstemp(path);
	FILE *to = fdopen(fd, "w");

	assert_non_null(to);
	fprintf(to, "#!/bin/sh\necho >>%s\n[ $(wc -l <%s) -lt %d ] || kill -%s $PPID\n", runs, runs,
		number, signal_name);
	assert_int_equal(fchmod(fd, 0700), 0);
	assert_int_equal(fclose(to), 0);
}

static int run_until(int number, const char *signal_name)
{
	char path[] = "/tmp/pmuctl-compare-XXXXXX", runs[64], line[256];
	int code;

	snprintf(runs, sizeof(runs), "/tmp/pmuctl-compare-runs.%d", (int)getpid());
	write_counter(path, runs, number, signal_name);
	snprintf(line, sizeof(line), "compare -e cycles -r 900 -x; -o - -- %s -- %s", path, path);
	code = run(line);
	unlink(path);
	unlink(runs);
	return code;
}

/*
 * A signal in the midst: with enough pairs there is a table, otherwise a reason.  In the 17th run
 * 7 pairs are complete, besides the one for warming up; in the 16th there are 6.
 */
static void signalled(void **state)
{
	(void)state;
	assert_int_equal(run_until(17, "INT"), 128 + SIGINT);
	assert_non_null(strstr(err, "pmuctl compare: ended by a signal after 7 of 900 pairs\n"));
	assert_non_null(strstr(out, "cycles;;1000;1000;1.000000;"));
	assert_int_equal(run_until(16, "TERM"), 128 + SIGTERM);
	assert_non_null(strstr(err, "ended by a signal after 6 of 900 pairs: no interval: 7 pairs are the "
				    "least for 2 comparisons (-r 7)"));
	assert_string_equal(out, "");
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
		cmocka_unit_test_setup(command, setup),
		cmocka_unit_test_setup(flagged, setup),
		cmocka_unit_test_setup(interleaved, setup),
		cmocka_unit_test_setup(modes_of_one, setup),
		cmocka_unit_test_setup(from_a_file, setup),
		cmocka_unit_test_setup(files, setup),
		cmocka_unit_test_setup(padding, setup),
		cmocka_unit_test_setup(on_cpus, setup),
		cmocka_unit_test_setup(refused, setup),
		cmocka_unit_test_setup(failing, setup),
		cmocka_unit_test_setup(part_of_all, setup),
		cmocka_unit_test_setup(progress, setup),
		cmocka_unit_test_setup(signalled, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
