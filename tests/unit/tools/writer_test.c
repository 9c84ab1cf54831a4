// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the output looks like, in all three formats, held to golden files.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/stat/stat.h"
#include "tools/base/base.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"
#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/written.h"

/* One row of everything that is awkward. */
static void awkward(struct writer *w)
{
	writer_row(w);
	writer_string(w, "plain", "[%s]", "a,b");
	writer_string(w, "quoted", "[%s]", "say \"x\"\n");
	writer_u64(w, "big", "[%" PRIu64 "]", 1ull << 62);
	writer_u64(w, "bigger", NULL, ~0ull);
	writer_double(w, "half", "[%.1f]", 3, 0.5);
	writer_bool(w, "yes", true);
	writer_null(w, "nothing", "[%s]", "<none>");
	writer_array(w, "inner");
	writer_row(w);
	writer_u64(w, "n", "(%" PRIu64 ")", 1);
	writer_end_row(w);
	writer_row(w);
	writer_u64(w, "n", "(%" PRIu64 ")", 2);
	writer_end_row(w);
	writer_end_array(w);
	writer_text(w, "\n");
	writer_end_row(w);
}

static void writer_formats(void **state)
{
	static const char *const names[] = { "writer.txt", "writer.csv", "writer.json" };
	struct writer *w;
	FILE *f;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		f = memory();
		w = writer_open(f, (enum format)i, ",");
		awkward(w);
		assert_true(writer_close(w));
		fclose(f);
		matches_golden(names[i], written);
	}
}

/* A process may be called anything, JSON is UTF-8. */
static void bytes_that_are_no_text(void **state)
{
	FILE *f = memory();
	struct writer *w = writer_open(f, FORMAT_JSON, ",");

	(void)state;
	writer_row(w);
	writer_string(w, "comm", NULL, "\xff\xfe name");
	writer_end_row(w);
	assert_true(writer_close(w));
	fclose(f);
	assert_string_equal(written, "{\"comm\": \"?? name\"}\n");
}

/* What a terminal obeys is not for names out of files; letters of all kinds are. */
static void control_characters(void **state)
{
	static const char *const texts[] = { "?[31mn:?[0m\t\n", "?[31mn\n" };
	struct writer *w;
	FILE *f;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		f = memory();
		w = writer_open(f, (enum format)i, ",");
		writer_row(w);
		writer_string(w, "name", "%s:", "\033[31mn");
		writer_text(w, "%s\t\n", "\033[0m");
		writer_end_row(w);
		assert_true(writer_close(w));
		fclose(f);
		assert_string_equal(written, texts[i]);
	}
	f = memory();
	w = writer_open(f, FORMAT_TEXT, ",");
	writer_string(w, "name", "%s", "gr\xc3\xbc\xc3\x9f\xc2\x9b");
	writer_text(w, " %s", "\xc3\xbc");
	assert_true(writer_close(w));
	fclose(f);
	assert_string_equal(written, "gr\xc3\xbc\xc3\x9f?? \xc3\xbc");
	/* The 8-bit ones, as UTF-8 and as they are, and a line that is none of ours. */
	f = memory();
	w = writer_open(f, FORMAT_TEXT, ",");
	writer_text(w, "%s\n", "\xc2\x9b" "1m \x9b" "1m \x7f");
	writer_string(w, "name", "(%s)", "a\nb");
	assert_true(writer_close(w));
	fclose(f);
	assert_string_equal(written, "??1m ?1m ?\n(a?b)");
	f = memory();
	w = writer_open(f, FORMAT_JSON, ",");
	writer_row(w);
	writer_string(w, "name", NULL, "\033\x7f\xc2\x9b\xc3\xbc");
	writer_end_row(w);
	assert_true(writer_close(w));
	fclose(f);
	assert_string_equal(written, "{\"name\": \"\\u001B\\u007F\\u009B\xc3\xbc\"}\n");
	f = memory();
	w = writer_open(f, FORMAT_JSON, ",");
	writer_row(w);
	writer_string(w, "name", NULL, "a\xe2\x80\xae" "b\xe2\x80\xa6");
	writer_end_row(w);
	assert_true(writer_close(w));
	fclose(f);
	assert_string_equal(written, "{\"name\": \"a\\u202Eb\xe2\x80\xa6\"}\n");
}

/* A spreadsheet computes some texts; numbers and marks are not among them. */
static void formulas_are_texts(void **state)
{
	static const char *const texts[][2] = {
		{ "=HYPERLINK(1)", "'=HYPERLINK(1)" }, { "+cmd|' /C x'!A0", "'+cmd|' /C x'!A0" },
		{ "-[NSObject new]", "'-[NSObject new]" }, { "@SUM(1,2)", "\"'@SUM(1,2)\"" },
		{ "-1", "-1" }, { "+64", "+64" }, { "-", "-" }, { "@plt", "@plt" }, { "a=b", "a=b" },
	};
	struct writer *w;
	char line[64];
	size_t i;
	FILE *f;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		f = memory();
		w = writer_open(f, FORMAT_CSV, ",");
		writer_row(w);
		writer_string(w, "name", NULL, texts[i][0]);
		writer_end_row(w);
		assert_true(writer_close(w));
		fclose(f);
		snprintf(line, sizeof(line), "%s\n", texts[i][1]);
		assert_string_equal(written, line);
	}
}

static void full_disk_is_noticed(void **state)
{
	FILE *f = fopen("/dev/full", "w");
	struct writer *w;

	(void)state;
	assert_non_null(f);
	w = writer_open(f, FORMAT_CSV, ",");
	awkward(w);
	assert_false(writer_close(w));
	fclose(f);
}

static struct pmuctl *ctx;
static struct events events;

static void fill(struct stat_count *c, const char *name, uint64_t value)
{
	assert_int_equal(events_add(ctx, "stat", name, &events), 0);
	*c = (struct stat_count){
		.cpu = -1, .supported = true, .value = value, .enabled = 2000000,
		.running = 2000000,
	};
}

#define LINES 9

static void fill_all(struct stat_count *counts)
{
	memset(&events, 0, sizeof(events));
	fill(&counts[0], "cycles", 2000000);
	fill(&counts[1], "instructions", 1234567890123);
	fill(&counts[2], "instructions:u", 1000000);
	fill(&counts[3], "branches", 200000);
	fill(&counts[4], "branch-misses", 1000);
	counts[4].running = 1000000;
	counts[4].flags = PMUCTL_VALUE_ESTIMATE;
	fill(&counts[5], "cache-misses", 7);
	counts[5].why_not = "nothing of it ran";
	counts[5].running = counts[5].enabled = 0;
	fill(&counts[6], "bus-cycles", 0);
	counts[6].why_not = "this CPU does not have it";
	counts[6].supported = false;
	counts[6].running = counts[6].enabled = 0;
	fill(&counts[7], "rc0", 5);
	counts[7].flags = PMUCTL_VALUE_INCOMPLETE;
	fill(&counts[8], "r01c4:k", 6);
	counts[8].flags = PMUCTL_VALUE_DISTURBED | PMUCTL_VALUE_GUESTS;
}

static void stat_output(struct stat_result *result, const char *golden)
{
	const struct stat_args *args = result->args;
	struct stat_count counts[LINES];
	struct writer *w;
	FILE *f = memory();
	size_t i;

	fill_all(counts);
	result->counts = counts;
	result->count = LINES;
	for (i = 0; i < LINES; i++) {
		counts[i].event = &events.list[i];
		counts[i].cpu = args->per_cpu ? (int)i : -1;
		if (args->repeat)
			counts[i].spread = (struct stat_spread){ result->runs, 0.5 + (double)i };
	}
	w = writer_open(f, args->layout.format, ",");
	if (args->interval) {
		stat_print_head(f, w, result);
		stat_print_interval(w, result);
	} else {
		stat_print(f, w, result);
	}
	assert_true(writer_close(w));
	fclose(f);
	events_free(&events);
	matches_golden(golden, written);
}

static void stat_command(enum format format, const char *golden)
{
	static char *command[] = { "./prog", "one two", NULL };
	const struct stat_args args = {
		.targets.kind = TARGET_COMMAND, .layout.format = format, .command = command,
	};
	struct stat_result result = {
		.args = &args, .elapsed = 1.25, .has_usage = true, .user = 1, .system = 0.125,
	};

	stat_output(&result, golden);
}

static void stat_repeated(enum format format, const char *golden)
{
	static char *command[] = { "./prog", NULL };
	const struct stat_args args = {
		.targets.kind = TARGET_COMMAND, .layout.format = format, .command = command,
		.repeat = 3,
	};
	struct stat_result result = {
		.args = &args, .elapsed = 1.25, .elapsed_error = 0.0123, .runs = 3,
		.has_usage = true, .user = 1, .system = 0.125,
	};

	stat_output(&result, golden);
}

/* -I and -A together: the columns that come in front. */
static void stat_interval_per_cpu(enum format format, const char *golden)
{
	const struct stat_args args = {
		.targets.kind = TARGET_ALL_CPUS, .layout = { format, "," },
		.interval = 100, .per_cpu = true,
	};
	struct stat_result result = { .args = &args, .elapsed = 0.1, .time = 12.000123456 };

	stat_output(&result, golden);
}

static void stat_formats(void **state)
{
	(void)state;
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	stat_command(FORMAT_TEXT, "stat.txt");
	stat_command(FORMAT_CSV, "stat.csv");
	stat_command(FORMAT_JSON, "stat.json");
	stat_repeated(FORMAT_TEXT, "stat-repeat.txt");
	stat_repeated(FORMAT_CSV, "stat-repeat.csv");
	stat_repeated(FORMAT_JSON, "stat-repeat.json");
	stat_interval_per_cpu(FORMAT_TEXT, "stat-interval.txt");
	stat_interval_per_cpu(FORMAT_CSV, "stat-interval.csv");
	stat_interval_per_cpu(FORMAT_JSON, "stat-interval.json");
	pmuctl_close(ctx);
}

/* "-x columns never move": every line has as many. */
static void lines_have_commas(int expected)
{
	const char *p;
	int commas = 0;

	for (p = written; *p; p++) {
		commas += *p == ',';
		if (*p == '\n') {
			assert_int_equal(commas, expected);
			commas = 0;
		}
	}
}

static void csv_has_the_same_columns(void **state)
{
	(void)state;
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	stat_command(FORMAT_CSV, "stat.csv");
	lines_have_commas(10);
	stat_repeated(FORMAT_CSV, "stat-repeat.csv");
	lines_have_commas(11);
	stat_interval_per_cpu(FORMAT_CSV, "stat-interval.csv");
	lines_have_commas(12);
	pmuctl_close(ctx);
}

/* Every line is an object, and its numbers are numbers. */
static void json_is_json(void **state)
{
	json_t *object, *value;
	char *line, *rest;
	int lines = 0;

	(void)state;
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	stat_command(FORMAT_JSON, "stat.json");
	pmuctl_close(ctx);
	rest = written;
	while ((line = strsep(&rest, "\n")) && *line) {
		object = json_loads(line, 0, NULL);
		assert_non_null(object);
		value = json_object_get(object, "counter-value");
		assert_true(json_is_integer(value) || json_is_null(value));
		assert_true(json_is_number(json_object_get(object, "event-runtime")));
		assert_true(json_is_number(json_object_get(object, "pcnt-running")));
		assert_true(json_is_string(json_object_get(object, "event")));
		assert_true(json_is_boolean(json_object_get(object, "incomplete")));
		json_decref(object);
		lines++;
	}
	assert_int_equal(lines, 9);
}

/* ---- beside printf() ------------------------------------------------------------- */

static void put_by(const char *fmt, bool string, const char *text, uint64_t number)
{
	char theirs[1024];
	FILE *f = memory();
	struct writer *w = writer_open(f, FORMAT_TEXT, ",");

	if (string)
		writer_string(w, "key", fmt, text);
	else
		writer_u64(w, "key", fmt, number);
	assert_true(writer_close(w));
	fclose(f);
	if (string)
		snprintf(theirs, sizeof(theirs), fmt, text);
	else
		snprintf(theirs, sizeof(theirs), fmt, number);
	assert_string_equal(written, theirs);
	forget_written(NULL);
}

static void formats(void **state)
{
	static const char *const of_strings[] = {
		"%s", " %s:", "%16s", "%-16s|", "[%3s]", "%%%s", "%s%%", "%.3s", "%5.2s", "% 4s",
		"%300s", "%-300s|", "a long one, of more than thirty-two characters: %s",
	};
	static const char *const of_numbers[] = {
		"%" PRIu64, " %10" PRIu64, "%-10" PRIu64 "|", "[%03" PRIu64 "]", " %16" PRIx64,
		"%016" PRIx64, "%#" PRIx64, "%'" PRIu64, "%+" PRIu64, "%" PRIX64, "%" PRIo64,
		"%020" PRIu64 "/", "%300" PRIu64, "%0300" PRIx64, "%-08" PRIu64 "|",
	};
	static const char *const texts[] = { "", "x", "sixteen or more letters" };
	char wide[400], fmt[16];
	size_t i, k;

	(void)state;
	memset(wide, 'w', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	for (i = 0; i < ARRAY_SIZE(of_strings); i++) {
		for (k = 0; k < ARRAY_SIZE(texts); k++)
			put_by(of_strings[i], true, texts[k], 0);
		put_by(of_strings[i], true, wide, 0);
	}
	for (i = 0; i < ARRAY_SIZE(of_numbers); i++) {
		put_by(of_numbers[i], false, NULL, 0);
		put_by(of_numbers[i], false, NULL, 1027);
		put_by(of_numbers[i], false, NULL, UINT64_MAX);
	}
	/* One place for several formats, and one writer. */
	{
		FILE *f = memory();
		struct writer *w = writer_open(f, FORMAT_TEXT, ",");

		for (i = 0; i < 3; i++) {
			snprintf(fmt, sizeof(fmt), "%%%zus", 2 + i);
			writer_string(w, "key", fmt, "x");
		}
		assert_true(writer_close(w));
		fclose(f);
		assert_string_equal(written, " x  x   x");
		forget_written(NULL);
	}
}

/* ---- beside jansson ------------------------------------------------------------ */

/* {"key": VALUE} as we write it; what jansson has for the value, which is not ours from here on. */
static void same_as_jansson(void (*put)(struct writer *w, const void *value), const void *value,
			    json_t *theirs)
{
	json_t *object = json_object();
	FILE *f = memory();
	struct writer *w = writer_open(f, FORMAT_JSON, ",");
	char *text;

	writer_row(w);
	put(w, value);
	writer_end_row(w);
	assert_true(writer_close(w));
	fclose(f);
	json_object_set_new(object, "key", theirs);
	text = json_dumps(object, JSON_REAL_PRECISION(15));
	assert_non_null(text);
	assert_int_equal(written[strlen(written) - 1], '\n');
	written[strlen(written) - 1] = '\0';
	assert_string_equal(written, text);
	free(text);
	json_decref(object);
	forget_written(NULL);
}

static void put_real(struct writer *w, const void *value)
{
	writer_double(w, "key", NULL, 2, *(const double *)value);
}

/* One value by a format of printf()'s, which it is not asked about. */
static void shares_as_printed(void **state)
{
	static const char *const formats[] = { "[%7.2f%%]", "%.0f", "  %5.1f ms", "%-9.3f|", "%.6f" };
	static const double values[] = {
		0, 0.005, 0.015, 0.125, 2.5, 12.345, 99.995, 100, 123456.789, 999999999.5, 1e12,
		-1.5, 0.00001, 1.0 / 3,
	};
	char want[64];
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		for (k = 0; k < ARRAY_SIZE(values); k++) {
			FILE *f = memory();
			struct writer *w = writer_open(f, FORMAT_TEXT, ",");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(want, sizeof(want), formats[i], values[k]);
#pragma GCC diagnostic pop
			writer_double(w, "key", formats[i], 2, values[k]);
			assert_true(writer_close(w));
			fclose(f);
			assert_string_equal(written, want);
			forget_written(NULL);
		}
	}
}

static void put_count(struct writer *w, const void *value)
{
	writer_u64(w, "key", NULL, *(const uint64_t *)value);
}

static void put_text(struct writer *w, const void *value)
{
	writer_string(w, "key", NULL, value);
}

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void real_beside_jansson(double value)
{
	same_as_jansson(put_real, &value, json_real(value));
}

/* Those between two numbers of 15 digits, at the edges of both forms, and any. */
static void reals(void **state)
{
	static const double edges[] = {
		0, -0.0, 1, -1, 0.1, 0.5, 100, 1e-4, 9.9999999999999995e-5, 9.99999999999999999e-5,
		0.00099999999999999995, 1e14, 1e15, 1e16, 999999999999999.5, 999999999999999.375,
		99999999999999.95, 9999999999999999, 1e22, 1e100, 5e-324, 1.7976931348623157e308,
		0.5000000000000005, 1.0000000000000005, 1.00000000000000022, 4503599627370496.5,
		123456789012345.5, 123456789012344.5, 562949953421311.5, 562949953421311.25,
		INFINITY, -INFINITY, NAN,
	};
	uint64_t seed = 88172645463325252ull, bits;
	double value;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(edges); i++)
		real_beside_jansson(edges[i]);
	for (i = 0; i < 2000; i++) {
		bits = draw(&seed);
		memcpy(&value, &bits, sizeof(value));
		real_beside_jansson(value);
		/* Of the sizes that counts and shares have. */
		value = (double)(bits >> 32) / 1e9 * (double)(1 + (bits & 0xffff));
		real_beside_jansson(value);
		real_beside_jansson((double)(bits >> 40) / 16384);
	}
}

/* In CSV, with so many decimals, as printf() has it. */
static void fixed_as_printf(double value, int decimals)
{
	FILE *f = memory();
	struct writer *w = writer_open(f, FORMAT_CSV, ",");
	char text[512];

	writer_row(w);
	writer_double(w, "key", NULL, decimals, value);
	writer_end_row(w);
	assert_true(writer_close(w));
	fclose(f);
	snprintf(text, sizeof(text), "%.*f\n", decimals, value);
	assert_string_equal(written, text);
	forget_written(NULL);
}

static void decimals(void **state)
{
	static const double edges[] = {
		0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 99.995, 0.9999999995, 999999999.9999999,
		1e9, 1e-4, 9.9999e-5, 1e-300, -1.5, 1e300, INFINITY, NAN, 123456789.0000000005,
	};
	uint64_t seed = 3, bits;
	size_t i;
	int d;

	(void)state;
	for (d = 0; d <= 10; d++) {
		for (i = 0; i < ARRAY_SIZE(edges); i++)
			fixed_as_printf(edges[i], d);
		for (i = 0; i < 200; i++) {
			bits = draw(&seed);
			fixed_as_printf((double)(bits >> 32) / 1e9 * (double)(bits & 0xff), d);
			fixed_as_printf((double)(bits >> 48) / 1024, d);
		}
	}
}

static void integers(void **state)
{
	uint64_t seed = 1, value;
	unsigned int i;

	(void)state;
	for (i = 0; i < 64; i++) {
		value = draw(&seed) >> i;
		if (value > INT64_MAX)
			value >>= 1;
		same_as_jansson(put_count, &value, json_integer((json_int_t)value));
	}
	value = 0;
	same_as_jansson(put_count, &value, json_integer(0));
	value = INT64_MAX;
	same_as_jansson(put_count, &value, json_integer(INT64_MAX));
	value++;
	same_as_jansson(put_count, &value, json_real(9223372036854775808.0));
}

/* But for what a terminal obeys, which is escaped besides (control_characters). */
static void strings(void **state)
{
	static const char *const pieces[] = {
		"\"", "\\", "/", "\b\f\n\r\t", "\001\037", "~", "a", "eight or more", "\303\244",
		"\302\240", "\342\202\254", "\360\237\230\200", "\357\277\277", " ",
	};
	uint64_t seed = 7;
	char text[256];
	size_t len, i;
	int n;

	(void)state;
	for (i = 0; i < 2000; i++) {
		text[len = 0] = '\0';
		for (n = (int)(draw(&seed) % 12); n > 0; n--)
			len += (size_t)sprintf(text + len, "%s",
					       pieces[draw(&seed) % ARRAY_SIZE(pieces)]);
		same_as_jansson(put_text, text, json_string(text));
	}
}

/* Arrays in objects in arrays, empty ones, and values without a key. */
static void nested(void **state)
{
	FILE *f = memory();
	struct writer *w = writer_open(f, FORMAT_JSON, ",");

	(void)state;
	writer_row(w);
	writer_array(w, "none");
	writer_end_array(w);
	writer_array(w, "two");
	writer_row(w);
	writer_end_row(w);
	writer_string(w, NULL, NULL, "x");
	writer_row(w);
	writer_array(w, "in");
	writer_bool(w, NULL, false);
	writer_null(w, NULL, NULL, NULL);
	writer_end_array(w);
	writer_end_row(w);
	writer_end_array(w);
	writer_u64(w, "behind it", NULL, 3);
	writer_end_row(w);
	assert_true(writer_close(w));
	fclose(f);
	assert_string_equal(written, "{\"none\": [], \"two\": [{}, \"x\", {\"in\": [false, null]}], "
				     "\"behind it\": 3}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(shares_as_printed, forget_written),
		cmocka_unit_test_teardown(writer_formats, forget_written),
		cmocka_unit_test_teardown(bytes_that_are_no_text, forget_written),
		cmocka_unit_test_teardown(control_characters, forget_written),
		cmocka_unit_test_teardown(formulas_are_texts, forget_written),
		cmocka_unit_test(full_disk_is_noticed),
		cmocka_unit_test_teardown(stat_formats, forget_written),
		cmocka_unit_test_teardown(csv_has_the_same_columns, forget_written),
		cmocka_unit_test_teardown(json_is_json, forget_written),
		cmocka_unit_test(formats),
		cmocka_unit_test(reals),
		cmocka_unit_test(decimals),
		cmocka_unit_test(integers),
		cmocka_unit_test(strings),
		cmocka_unit_test_teardown(nested, forget_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
