// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diff on two files of paper: what meets, how it is judged, and how often that is wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/diff/diff.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/random.h"
#include "tests/unit/tools/fake_data.h"

#define ROWS 40
#define MOST 20000

static const struct pmuctl_data_event event = { .name = "cycles" };
static const char *const comms[] = { "prog" };
static struct fake_function functions[2][ROWS + 1];
static char names[ROWS][16];
static struct pmuctl_data_sample samples[2][MOST];
static struct pmuctl_data files[2];
static struct diff_args args;
static struct diff d;
static char *out;

static void begin(const char *program_b)
{
	static const char *dsos[2][4] = { { "[unknown]", "/old/prog", "/lib/libc-2.36.so" } };
	unsigned int side, i;

	dsos[1][0] = "[unknown]";
	dsos[1][1] = program_b;
	dsos[1][2] = "/lib/x86_64-linux-gnu/libc.so.6";
	for (side = 0; side < 2; side++) {
		functions[side][0] = (struct fake_function){ 0, NULL, 0 };
		for (i = 0; i < ROWS; i++) {
			snprintf(names[i], sizeof(names[i]), "f%u", i);
			functions[side][i + 1] = (struct fake_function){
				0x1000 * (i + 1), names[i], 1 + i % 2,
			};
		}
		files[side] = (struct pmuctl_data){
			.info = { .events = &event, .events_count = 1 }, .samples = samples[side],
			.functions = functions[side], .functions_count = ROWS + 1,
			.dsos = dsos[side], .comms = comms, .starts = true,
			.inlined_at = 1,
		};
	}
	args = (struct diff_args){
		.files = { "a.data", "b.data" }, .keys = { DIFF_DSO, DIFF_SYMBOL },
		.keys_count = 2, .layout = LAYOUT_TEXT,
	};
}

static void add_at(unsigned int side, uint64_t ip, uint64_t period, size_t count)
{
	struct pmuctl_data *f = &files[side];

	assert_true(f->samples_count + count <= MOST);
	while (count--)
		samples[side][f->samples_count++] = (struct pmuctl_data_sample){
			.ip = ip, .period = period,
		};
}

static void add(unsigned int side, unsigned int function, uint64_t period, size_t count)
{
	add_at(side, 0x1000 * (function + 1) + 8, period, count);
}

static void compare(void)
{
	unsigned int side;

	d = (struct diff){ .args = &args, .event = event.name };
	for (side = 0; side < 2; side++) {
		d.sides[side].file = args.files[side];
		d.sides[side].data = &files[side];
		assert_int_equal(side_read(&d.sides[side]), 0);
	}
	assert_int_equal(diff_pair_functions(&d), 0);
	assert_int_equal(diff_rows(&d), 0);
	assert_int_equal(diff_notes(&d), 0);
}

static void print(enum format format)
{
	size_t size;
	FILE *f;
	struct writer *w;

	free(out);
	f = open_memstream(&out, &size);
	args.layout.format = format;
	w = writer_open(f, format, ",");
	diff_print(&d, w, f);
	assert_true(writer_close(w));
	fclose(f);
}

static const struct diff_row *row_of(const char *symbol)
{
	uint32_t i;

	for (i = 0; i < d.rows_count; i++)
		if (!strcmp(d.rows[i].text[DIFF_SYMBOL], symbol))
			return &d.rows[i];
	fail_msg("no row of %s", symbol);
	return NULL;
}

static bool near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

/* ---- what meets ------------------------------------------------------------------------------ */

static void rows_meet(void **state)
{
	const struct diff_row *row;

	(void)state;
	begin("/new/prog");
	add(0, 0, 100, 600);
	add(0, 1, 100, 400);
	add(1, 0, 100, 300);
	add(1, 1, 100, 200);
	add(1, 2, 100, 500);
	compare();
	assert_null(d.programs[0]);
	assert_int_equal(d.rows_count, 3);
	/* The largest change comes first. */
	assert_string_equal(d.rows[0].text[DIFF_SYMBOL], "f2");
	row = row_of("f0");
	assert_string_equal(row->text[DIFF_DSO], "prog");
	assert_int_equal(row->of[0].samples, 600);
	assert_true(near(row->of[1].events, 30000));
	assert_true(near(row->change, -0.3) && row->apart);
	assert_true(row->interval.low < -0.3 && row->interval.high > -0.3);
	/* Another version of a library is that library. */
	assert_string_equal(row_of("f1")->text[DIFF_DSO], "libc.so");
	print(FORMAT_TEXT);
	assert_non_null(strstr(out, "# B has +0.00 % events, 1.0000 times as many as A\n"));
	assert_non_null(strstr(out, "\n   60.00%   30.00%   -30.00  ["));
	assert_non_null(strstr(out, "# 3 of 3 rows told apart\n"));
	diff_free(&d);
}

/* ./old and ./new are one program; with a third one it is not known which is meant. */
static void programs_of_other_names(void **state)
{
	(void)state;
	begin("/new/prog-2");
	add(0, 0, 100, 60);
	add(1, 0, 100, 30);
	compare();
	assert_string_equal(d.programs[0], "prog");
	assert_string_equal(d.programs[1], "prog-2");
	assert_int_equal(d.rows_count, 1);
	print(FORMAT_TEXT);
	assert_non_null(strstr(out, "# prog of A is compared with prog-2 of B\n"));
	diff_free(&d);
	begin("/new/prog-2");
	files[1].dsos = (const char *const[]){ "[unknown]", "/new/prog-2", "/new/prog-3" };
	add(0, 0, 100, 60);
	add(1, 0, 100, 30);
	add(1, 1, 100, 30);
	compare();
	assert_null(d.programs[0]);
	assert_int_equal(d.rows_count, 3);
	diff_free(&d);
}

/* By events all of A is 100 %, so that changes add up to what B has more or less. */
static void by_events(void **state)
{
	(void)state;
	begin("/new/prog");
	add(0, 0, 100, 600);
	add(0, 1, 100, 400);
	add(1, 0, 100, 300);
	add(1, 1, 100, 400);
	args.by_events = true;
	compare();
	assert_true(near(row_of("f0")->change, -0.3) && row_of("f0")->apart);
	assert_true(near(row_of("f1")->change, 0) && !row_of("f1")->apart);
	diff_free(&d);
	/* By shares f1 has more now. */
	args.by_events = false;
	compare();
	assert_true(near(row_of("f1")->change, 4.0 / 7 - 0.4) && row_of("f1")->apart);
	diff_free(&d);
}

/* Ten samples that stand for much say less than ten thousand of the same sum. */
static void periods_that_differ(void **state)
{
	(void)state;
	begin("/new/prog");
	add(0, 0, 1000, 5);
	add(0, 2, 1000, 5);
	add(1, 0, 1, 9000);
	add(1, 2, 1, 1000);
	compare();
	assert_true(near(row_of("f0")->change, 0.4));
	assert_false(row_of("f0")->apart);
	diff_free(&d);
	begin("/new/prog");
	add(0, 0, 1, 5000);
	add(0, 2, 1, 5000);
	add(1, 0, 1, 9000);
	add(1, 2, 1, 1000);
	compare();
	assert_true(row_of("f0")->apart);
	diff_free(&d);
	/* Two of them are half of all, whatever the others are. */
	begin("/new/prog");
	add(0, 0, 1000, 2);
	add(0, 2, 1, 2000);
	add(1, 0, 1, 7000);
	add(1, 2, 1, 3000);
	compare();
	assert_true(near(row_of("f0")->change, 0.2));
	assert_false(row_of("f0")->apart);
	diff_free(&d);
}

/* ---- what became of functions ---------------------------------------------------------------- */

static void new_and_gone(void **state)
{
	static const struct pmuctl_inlined inlined[] = { { "f4", "x.c", 3 } };

	(void)state;
	begin("/new/prog");
	functions[0][3].name = "was";		/* f2 of A */
	functions[1][7].name = "is";		/* f6 of B */
	functions[1][5].name = "f4.constprop.0";
	add(0, 0, 1, 100);
	add(0, 2, 1, 100);
	add(0, 4, 1, 100);
	add(0, 8, 1, 100);
	add(1, 0, 1, 100);
	add(1, 6, 1, 150);
	add(1, 4, 1, 50);
	add(1, 0, 1, 100);
	files[1].inlined = inlined;
	files[1].inlined_count = 1;
	files[1].inlined_at = 0x1008;
	compare();
	assert_string_equal(row_of("was")->note, "gone");
	assert_string_equal(row_of("is")->note, "new");
	/* A copy of the compiler's is the function, which is inlined elsewhere, too. */
	assert_string_equal(row_of("f4")->note,
			    "f4.constprop.0 in B; and inlined: 0.00 % of A, 50.00 % of B");
	/* It is still there, and was not met. */
	assert_string_equal(row_of("f8")->note, "");
	diff_free(&d);
	begin("/new/prog");
	functions[1][5].name = "other";
	add(0, 0, 1, 100);
	add(0, 4, 1, 100);
	add(1, 0, 1, 200);
	files[1].inlined = inlined;
	files[1].inlined_count = 1;
	files[1].inlined_at = 0x1008;
	compare();
	assert_string_equal(row_of("f4")->note, "inlined now: 100.00 % of B is in it");
	print(FORMAT_JSON);
	assert_non_null(strstr(out, "\"inlined_a\": 0.0, \"inlined_b\": 100.0"));
	diff_free(&d);
}

static void without_symbols(void **state)
{
	(void)state;
	begin("/new/prog");
	add_at(0, 0x10, 1, 10);
	add_at(0, 0x20, 1, 10);
	add_at(1, 0x30, 1, 20);
	compare();
	/* Addresses of unknown code are no rows of their own. */
	assert_int_equal(d.rows_count, 1);
	assert_string_equal(d.rows[0].text[DIFF_SYMBOL], "[no symbol]");
	diff_free(&d);
}

/* ---- how often it is wrong ------------------------------------------------------------------- */

/* So many samples, each in a function i as often as 1 / (i + 1), but for what `more` changes. */
static void draw(unsigned int side, size_t count, double more)
{
	double cut[ROWS], sum = 0, at;
	unsigned int i;

	for (i = 0; i < ROWS; i++)
		cut[i] = sum += (i == 5 ? 1 + more : 1) / (i + 1);
	while (count--) {
		at = uniform() * sum;
		for (i = 0; i < ROWS - 1 && at > cut[i]; i++)
			;
		add(side, i, 1000, 1);
	}
}

/* Returns in how many of 200 comparisons a row is told apart: any, or that of f5. */
static unsigned int told_apart(size_t count, double more, bool by_count, const char *which)
{
	unsigned int run, found = 0;
	uint32_t i;

	for (run = 0; run < 200; run++) {
		begin("/new/prog");
		draw(0, count, 0);
		draw(1, by_count ? count : 3 * count, more);
		args.by_events = by_count;
		compare();
		for (i = 0; i < d.rows_count; i++)
			if (d.rows[i].apart &&
			    (!which || !strcmp(d.rows[i].text[DIFF_SYMBOL], which))) {
				found++;
				break;
			}
		diff_free(&d);
	}
	print_message("note: %zu samples, %+.0f %%: %u of 200\n", count, 100 * more, found);
	return found;
}

static void equal_ones_are_not_told_apart(void **state)
{
	(void)state;
	seed = 31;
	/* 5 %, and what 200 runs may be above it by chance: 3 standard deviations. */
	assert_true(told_apart(300, 0, false, NULL) <= 19);
	assert_true(told_apart(3000, 0, false, NULL) <= 19);
	assert_true(told_apart(1000, 0, true, NULL) <= 19);
}

static void what_differs_is(void **state)
{
	(void)state;
	seed = 32;
	/* A share of 3.9 % that becomes 5.7: of 4000 and 12,000 samples 4.8 standard errors. */
	assert_true(told_apart(4000, 0.5, false, "f5") >= 160);
	assert_true(told_apart(4000, 1, true, "f5") >= 160);
}

static int free_out(void **state)
{
	(void)state;
	free(out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_meet),
		cmocka_unit_test(programs_of_other_names),
		cmocka_unit_test(by_events),
		cmocka_unit_test(periods_that_differ),
		cmocka_unit_test(new_and_gone),
		cmocka_unit_test(without_symbols),
		cmocka_unit_test(equal_ones_are_not_told_apart),
		cmocka_unit_test(what_differs_is),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, free_out);
}
