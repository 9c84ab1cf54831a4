// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * annotate on a perf.data file of paper: samples at their instructions, and what is none.
 */
#include <stdio.h>
#include <string.h>

#include "../../tools/annotate.h"
#include "golden.h"
#include "paper_data.h"

static void print_annotation(enum format format, const struct view_args *args)
{
	struct annotation a = {
		.args = args, .data = &paper, .events = events, .events_count = 2,
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(annotate_shows_every_sample),
		cmocka_unit_test(annotate_shows_what_was_asked_for),
	};

	return cmocka_run_group_tests_name("tools_annotate", tests, NULL, NULL);
}
