// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is for people alone: colours, which are around figures and change nothing else, and counts
 * in bigger units.
 */
#include <inttypes.h>

#include "tools/base/colour.h"
#include "tools/base/units.h"
#include "tools/base/writer.h"
#include "tests/unit/tools/run.h"
#include "tests/unit/tools/written.h"

#define RED "\033[31m"
#define GREEN "\033[32m"
#define END "\033[0m"

/* ---- counts ---------------------------------------------------------------------------------- */

static void three_digits(void **state)
{
	static const struct {
		uint64_t count;
		const char *text;
	} rows[] = {
		{ 0, "0" }, { 1, "1" }, { 999, "999" }, { 1000, "1.00 k" }, { 1004, "1.00 k" },
		{ 1005, "1.01 k" }, { 9994, "9.99 k" }, { 9995, "10.0 k" }, { 99949, "99.9 k" },
		{ 99950, "100 k" }, { 999499, "999 k" }, { 999500, "1.00 M" }, { 999999, "1.00 M" },
		{ 1234567890, "1.23 G" }, { 999499999999, "999 G" }, { 999500000000, "1.00 T" },
		{ 45600000000000, "45.6 T" }, { 999500000000000, "1.00 P" },
		{ 999499999999999999, "999 P" }, { 999500000000000000, "1.00 E" },
		{ INT64_MAX, "9.22 E" }, { 9995000000000000000u, "10.0 E" }, { UINT64_MAX, "18.4 E" },
	};
	char text[UNITS_TEXT];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		units_text(rows[i].count, text);
		assert_string_equal(text, rows[i].text);
	}
}

static struct writer *begin(FILE **f, const struct layout *layout)
{
	*f = memory();
	assert_non_null(*f);
	return writer_open_as(*f, layout);
}

static void finish_writer(struct writer *w, FILE *f)
{
	assert_true(writer_close(w));
	fclose(f);
}

static void print_counts(const struct layout *layout)
{
	char text[COUNT_TEXT];
	struct writer *w;
	FILE *f;

	w = begin(&f, layout);
	writer_row(w);
	writer_count(w, "a", "%9" PRIu64 "|", 9, 999);
	writer_count(w, "b", "%9" PRIu64 "|", 9, 1234567);
	writer_count(w, "c", NULL, 9, 1234567);
	writer_text(w, "%s", writer_count_text(w, 1000000, text));
	writer_end_row(w);
	finish_writer(w, f);
}

static void counts_in_columns(void **state)
{
	struct layout layout = LAYOUT_TEXT;

	(void)state;
	print_counts(&layout);
	assert_string_equal(written, "      999|  1234567|1000000");
	layout.human = true;
	print_counts(&layout);
	assert_string_equal(written, "    999     1.23 M1.00 M");
	layout.format = FORMAT_CSV;
	print_counts(&layout);
	assert_string_equal(written, "999,1234567,1234567\n");
	layout.format = FORMAT_JSON;
	print_counts(&layout);
	assert_string_equal(written, "{\"a\": 999, \"b\": 1234567, \"c\": 1234567}\n");
}

static void bigger_units(void **state)
{
	(void)state;
	fake.counts[0].value = 1234567890;
	fake.counts[1].value = 7;
	assert_int_equal(run("stat --human -e cycles,instructions true"), 0);
	assert_non_null(strstr(err, "\n            1.23 G      cycles"));
	assert_non_null(strstr(err, "\n               7        instructions"));
	setup(state);
	assert_int_equal(run("cost --human -e branch-misses,l1d-load-misses,cycles -r 2 -- true"), 0);
	assert_non_null(strstr(err, "\n  branch-misses                          4.00 k        18 "));
	RUN_HAS("stat --human -x; true", 129, "--human rounds, and -x is for programs");
	RUN_HAS("stat -j --human true", 129, "--human rounds, and -j is for programs");
	RUN_HAS("cost --human -j true", 129, "--human rounds, and -j is for programs");
	RUN_HAS("report --human -x, -i /dev/null", 129, "--human rounds");
}

/* ---- colours --------------------------------------------------------------------------------- */

static void colours_are_around_values(void **state)
{
	struct layout layout = LAYOUT_TEXT;
	struct writer *w;
	FILE *f;

	(void)state;
	layout.colour = COLOUR_ALWAYS;
	w = begin(&f, &layout);
	writer_colour(w, COLOUR_RED);
	writer_double(w, "a", NULL, 1, 0.5);
	writer_double(w, "a", "%6.1f", 1, 0.5);
	writer_u64(w, "b", "%3" PRIu64, 1);
	writer_colour(w, COLOUR_GREEN);
	writer_u64(w, "b", "%3" PRIu64, 1);
	writer_colour(w, COLOUR_RED);
	writer_text(w, "%s", "\033[1mx");
	writer_colour(w, COLOUR_RED);
	writer_string(w, "c", "%s", "\033[1my");
	writer_colour(w, COLOUR_RED);
	writer_null(w, "d", "%3s", "-");
	writer_colour(w, COLOUR_NONE);
	writer_text(w, "z");
	finish_writer(w, f);
	assert_string_equal(written, RED "   0.5" END "  1" GREEN "  1" END RED "?[1mx" END RED
			    "?[1my" END RED "  -" END "z");
}

static void no_colours_elsewhere(void **state)
{
	static const struct layout layouts[] = {
		{ .format = FORMAT_TEXT, .separator = ",", .colour = COLOUR_AUTO },
		{ .format = FORMAT_TEXT, .separator = ",", .colour = COLOUR_NEVER },
		{ .format = FORMAT_CSV, .separator = ",", .colour = COLOUR_ALWAYS },
		{ .format = FORMAT_JSON, .separator = ",", .colour = COLOUR_ALWAYS },
	};
	struct writer *w;
	size_t i;
	FILE *f;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		w = begin(&f, &layouts[i]);
		writer_row(w);
		writer_colour(w, COLOUR_RED);
		writer_u64(w, "a", "%" PRIu64, 1);
		writer_text(w, "\n");
		writer_end_row(w);
		finish_writer(w, f);
		assert_string_equal(written, layouts[i].format == FORMAT_JSON ? "{\"a\": 1}\n" : "1\n");
	}
}

static void heat(void **state)
{
	(void)state;
	assert_int_equal(colour_of_share(100), COLOUR_RED);
	assert_int_equal(colour_of_share(5), COLOUR_RED);
	assert_int_equal(colour_of_share(4.999), COLOUR_GREEN);
	assert_int_equal(colour_of_share(0.5), COLOUR_GREEN);
	assert_int_equal(colour_of_share(0.499), COLOUR_NONE);
	assert_int_equal(colour_of_share(0), COLOUR_NONE);
}

static void take_colours_out(char *text)
{
	char *at, *end;

	while ((at = strchr(text, '\033'))) {
		end = strchr(at, 'm');
		assert_non_null(end);
		memmove(at, end + 1, strlen(end + 1) + 1);
	}
}

/*
 * The lines up to this text that have a mark are those with colours, and there are some of both
 * kinds; what is below the colours is what there is without.
 */
static void marked_lines_are_red(const char *line, const char *mark, const char *until)
{
	char coloured[sizeof(err)], words[256], *rest = coloured, *text;
	size_t red = 0, plain = 0;

	snprintf(words, sizeof(words), line, "--color=always");
	if (run(words))
		print_message("%s: %s", words, err);
	assert_non_null(strstr(err, until));
	strstr(err, until)[1] = '\0';
	*strrchr(err, '\n') = '\0';
	snprintf(coloured, sizeof(coloured), "%s", err);
	snprintf(words, sizeof(words), line, "--color=auto");
	assert_int_equal(run(words), 0);
	*strstr(err, until) = '\0';
	while ((text = strsep(&rest, "\n"))) {
		assert_int_equal(!!strstr(text, RED), !!strstr(text, mark));
		*(strstr(text, RED) ? &red : &plain) += 1;
		take_colours_out(text);
		assert_non_null(strstr(err, text));
	}
assert_true(red && plain);
}

static void thresholds_of_stat(void **state)
{
	(void)state;
	marked_lines_are_red("stat -M IPC,Retiring,Bad_Speculation,Frontend_Bound,Backend_Bound %s true",
			     "flagged: ", "time elapsed");
}

/* Bad_Speculation alone is above it. */
static void thresholds_of_a_table(void **state)
{
	(void)state;
	assert_int_equal(run("stat --metric-only -M Retiring,Bad_Speculation --color=always true"), 0);
	assert_non_null(strstr(err, "       12.5000" RED "          68.7500" END));
	assert_null(strstr(err, RED "       12.5000"));
	assert_int_equal(run("stat --metric-only -M Retiring,Bad_Speculation true"), 0);
	assert_non_null(strstr(err, "       12.5000          68.7500"));
}

static void flagged_nodes(void **state)
{
	(void)state;
	marked_lines_are_red("topdown -l 2 %s true", " ! ", "\n\n ! ");
	marked_lines_are_red("topdown -l 1 %s true", " ! ", "\n\n ! ");
}

static void words_of_color(void **state)
{
	(void)state;
	RUN_HAS("stat --color=sometimes true", 129,
		"--color 'sometimes': it is auto, always or never");
	RUN_HAS("topdown --color= true", 129, "--color ''");
	assert_int_equal(run("stat --color=never -M Retiring true"), 0);
	assert_null(strchr(err, '\033'));
	assert_int_equal(run("stat -j --color=always -M Retiring true"), 0);
	assert_null(strchr(err, '\033'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_digits),
		cmocka_unit_test_teardown(counts_in_columns, forget_written),
		cmocka_unit_test_setup(bigger_units, setup),
		cmocka_unit_test_teardown(colours_are_around_values, forget_written),
		cmocka_unit_test_teardown(no_colours_elsewhere, forget_written),
		cmocka_unit_test(heat),
		cmocka_unit_test_setup(thresholds_of_stat, setup),
		cmocka_unit_test_setup(thresholds_of_a_table, setup),
		cmocka_unit_test_setup(flagged_nodes, setup),
		cmocka_unit_test_setup(words_of_color, setup),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	setenv("LC_ALL", "C", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
