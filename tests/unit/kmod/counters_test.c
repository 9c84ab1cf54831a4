// SPDX-License-Identifier: GPL-2.0-only
/*
 * Masks of counters in the module's words.
 */
#include <string.h>

#include "tests/unit/cmocka_all.h"
#include "kmod/base/counters_text.h"

static void says(uint64_t counters, const char *words)
{
	struct pmuctl_text text;

	assert_string_equal(pmuctl_counters_text(counters, &text), words);
}

static void counters_have_their_kinds_names(void **state)
{
	(void)state;
	says(0, "none");
	says(1, "gp0");
	says(0xd, "gp0,2-3");
	says(0x70000000full, "gp0-3, fixed0-2");
	says(1ull << 35, "fixed3");
	says(0x3ffff, "gp0-17");
	says(0x80000000, "gp31");
	says(0xffffffff, "gp0-31");
	says(0x00ff0005000000ffull, "gp0-7, fixed0,2, metric0-7");
}

/* Of a caller who has every second bit there is: what there is room for, and no more. */
static void too_much_is_cut(void **state)
{
	struct pmuctl_text text;

	(void)state;
	memset(&text, 'x', sizeof(text));
	assert_true(strlen(pmuctl_counters_text(0x5555555555555555ull, &text)) <
		    sizeof(text.line));
	assert_int_equal(strncmp(text.line, "gp0,2,4,6,", 10), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_have_their_kinds_names),
		cmocka_unit_test(too_much_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
