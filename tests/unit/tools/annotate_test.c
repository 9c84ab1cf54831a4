// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * annotate on a perf.data file of paper: samples at their instructions, and what is none.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/samples/text.h"
#include "tools/annotate/annotate.h"
#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/paper_data.h"

static void print_annotation(enum format format, const struct view_args *args)
{
	struct annotation a = {
		.args = args, .data = &paper, .events = events, .events_count = 2,
		.inlines.on = args->inlined,
	};
	FILE *f = tmpfile();
	struct writer *w = writer_open(f, format, ",");

	assert_int_equal(annotation_collect(&a), 0);
	annotation_print(&a, w);
	assert_true(writer_close(w));
	annotation_free(&a);
	slurp(f);
}

static void fill_annotation(void)
{
	begin("loads:pp");
	add_sample(0, CODE);
	add_sample(0, CODE);
	add_sample(0, CODE + 7)->exact = false;
	add_sample(1, CODE + 4);
	add_sample(1, CODE + 5);	/* within an instruction */
	add_sample(1, CODE + 0x10);	/* none */
	add_sample(1, 0x20);		/* of no file */
}

static void print_all(enum format format)
{
	const struct view_args args = { .limit = 0 };

	print_annotation(format, &args);
}

static void annotate_shows_every_sample(void **state)
{
	(void)state;
	fill_annotation();
	goldens("annotate", print_all);
}

static void annotate_shows_what_was_asked_for(void **state)
{
	const struct view_args one = { .event = "cycles", .operand = "walk" };
	const struct view_args other = { .dso = "/usr/bin/other" };

	(void)state;
	fill_annotation();
	print_annotation(FORMAT_TEXT, &one);
	assert_null(strstr(out, "loads:pp"));
	assert_null(strstr(out, "[unknown]"));
	assert_non_null(strstr(out, "75.00 % of cycles"));
	print_annotation(FORMAT_TEXT, &other);
	assert_null(strstr(out, "mov"));
}

static void inlined_are_told(void **state)
{
	const struct view_args args = { .inlined = true };

	(void)state;
	fill_annotation();
	print_annotation(FORMAT_TEXT, &args);
	assert_non_null(strstr(out, "walk.c:10  step (inlined) <- walk_one (inlined)\n"));
	assert_non_null(strstr(out, "walk.c:11\n"));
	print_all(FORMAT_TEXT);
	assert_null(strstr(out, "inlined"));
}

static void legend_tells_how(void **state)
{
	const struct view_args args = { .limit = 0 };

	(void)state;
	fill_annotation();
	print_annotation(FORMAT_TEXT, &args);
	assert_non_null(strstr(out, "cycles: 4 samples for 400 events, by interrupt: the cause is"));
	events[1].type = PERF_TYPE_SOFTWARE;
	print_annotation(FORMAT_TEXT, &args);
	assert_non_null(strstr(out, "cycles: 4 samples for 400 events, by the kernel\n"));
}

/* What one sample stands for may be more than what three do. */
static void blocks_are_by_events(void **state)
{
	unsigned int i;

	(void)state;
	begin("loads:pp");
	for (i = 0; i < 3; i++)
		add_sample(0, CODE)->period = 1;
	add_sample(0, 0x20)->period = 97;
	events[0].events = 100;
	print_all(FORMAT_TEXT);
	assert_non_null(strstr(out, "97.00 % of loads:pp"));
	assert_non_null(strstr(strstr(out, "97.00 % of loads:pp"), "3.00 % of loads:pp"));
}

/* Of the control characters in a line those that end it are not shown. */
static void lines_are_plain(void **state)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX";
	struct sources *sources = NULL;
	int fd = mkstemp(name);

	(void)state;
	assert_int_equal(write(fd, "one\r\nt\rwo\033\nthree\r", 17), 17);
	close(fd);
	assert_string_equal(source_line(&sources, name, 1), "one");
	assert_string_equal(source_line(&sources, name, 2), "t?wo?");
	assert_string_equal(source_line(&sources, name, 3), "three?");
	assert_null(source_line(&sources, name, 4));
	sources_free(sources);
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(annotate_shows_every_sample),
		cmocka_unit_test(annotate_shows_what_was_asked_for),
		cmocka_unit_test(inlined_are_told),
		cmocka_unit_test(legend_tells_how),
		cmocka_unit_test(blocks_are_by_events),
		cmocka_unit_test(lines_are_plain),
	};

	return cmocka_run_group_tests_name("tools_annotate", tests, NULL, NULL);
}
