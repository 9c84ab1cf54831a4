// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The small parts of the command: CPU lists, names of counters, lists of events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/stat/stat.h"
#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tests/unit/cmocka_all.h"

static void cpulist_is(const char *text, size_t n, const unsigned int *expected)
{
	const char *why = NULL;
	unsigned int *cpus;
	size_t count, i;

	assert_int_equal(parse_cpulist(text, &cpus, &count, &why), 0);
	assert_int_equal(count, n);
	for (i = 0; i < n; i++)
		assert_int_equal(cpus[i], expected[i]);
	free(cpus);
}

static void good_cpulists(void **state)
{
	(void)state;
	cpulist_is("0", 1, (unsigned int[]){ 0 });
	cpulist_is("0,2-3", 3, (unsigned int[]){ 0, 2, 3 });
	cpulist_is("3,1", 2, (unsigned int[]){ 3, 1 });
	cpulist_is("0-3\n", 4, (unsigned int[]){ 0, 1, 2, 3 });
	/* Twice the same CPU must not be counted twice. */
	cpulist_is("1,1,0-1", 2, (unsigned int[]){ 1, 0 });
}

static void bad_cpulists(void **state)
{
	static const char *const bad[] = { "", ",", "0,", ",0", "a", "0-", "-1", "3-1", "0 1", "0x1",
					   "0--1", "99999999999999999999", "0-4294967295", "+1" };
	const char *why = NULL;
	unsigned int *cpus;
	size_t count, i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse_cpulist(bad[i], &cpus, &count, &why), -EINVAL);
	assert_int_equal(parse_cpulist("0,1-0", &cpus, &count, &why), -EINVAL);
	assert_string_equal(why, "a range ends before it begins: write the smaller number first");
	assert_int_equal(parse_cpulist("0,1-", &cpus, &count, &why), -EINVAL);
	assert_string_equal(why, "not a list of CPUs like 0,2-3");
	assert_int_equal(parse_cpulist("65536", &cpus, &count, &why), -EINVAL);
	assert_string_equal(why, "no kernel has a CPU of that number");
}

static void counters_are(uint64_t counters, const char *expected)
{
	char text[128];

	counters_text(counters, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void counter_names(void **state)
{
	char text[32];

	(void)state;
	counters_are(0, "none");
	counters_are(1, "gp0");
	counters_are(0xd, "gp0, gp2-3");
	counters_are(0x70000000full, "gp0-3, fixed0-2");
	counters_are(0x200000000ull, "fixed1");
	counters_are(~0ull, "gp0-31, fixed0-15, metric0-15");
	counter_text(3, text, sizeof(text));
	assert_string_equal(text, "gp3");
	counter_text(33, text, sizeof(text));
	assert_string_equal(text, "fixed1");
	/* Never past the end. */
	counters_text(0x5555555555555555ull, text, 8);
	assert_true(strlen(text) < 8);
}

/* A text of -e, taken apart: "name+modifiers@group" with blanks between. */
static int collect(void *data, const struct event_part *part)
{
	char *to = data;

	to += strlen(to);
	sprintf(to, "%s%.*s%.*s", to == (char *)data ? "" : " ", (int)part->len, part->name,
		(int)part->modifiers_len, part->modifiers);
	if (part->group)
		sprintf(to + strlen(to), "@%u%s", part->group, part->leads ? "S" : "");
	return 0;
}

static void parts_are(const char *text, const char *expected)
{
	const char *why = NULL;
	char parts[256] = "";

	assert_int_equal(event_text_walk(text, collect, parts, &why), 0);
	assert_null(why);
	assert_string_equal(parts, expected);
}

static void event_texts(void **state)
{
	(void)state;
	parts_are("a", "a");
	parts_are("a,b:u", "a b:u");
	parts_are("cpu/event=1,umask=2/u,b", "cpu/event=1,umask=2/u b");
	parts_are("{a,b}", "a@1 b@1");
	parts_are("{a}", "a@1");
	parts_are("{a,b:k}:u,c", "a:u@1 b:k:u@1 c");
	parts_are("{a,cpu/event=1,umask=2/},{c,d}:k", "a@1 cpu/event=1,umask=2/@1 c:k@2 d:k@2");
	parts_are("{a}:STATE_S", "a:STATE_S@1");
	parts_are("x,{a,b},y", "x a@1 b@1 y");
	/* The first one samples for all of them. */
	parts_are("{a,b}:S", "a@1S b@1S");
	parts_are("{a,b}:k:uS,c", "a:k:u@1S b:k:u@1S c");
	parts_are("{a,b:p}:Su", "a:u@1S b:p:u@1S");
	parts_are("{a}:uS:k,{b}", "a:u:k@1S b@2");
	parts_are("{a}:S:S", "a@1S");
	parts_are("{a}:SS,{b}:S:STATE_S", "a@1S b:STATE_S@2S");
	parts_are("{a}:SPEC", "a:SPEC@1");
	parts_are("{a}:", "a:@1");
	/* What is written between two words is for the reader. */
	parts_are("a, b:u ,\tc ", "a b:u c");
	parts_are(" { a, b } :u , {c,d}, e", "a:u@1 b:u@1 c@2 d@2 e");
	parts_are("cpu/event=1,umask=2/u, b", "cpu/event=1,umask=2/u b");
}

static void text_is_refused(const char *text, const char *reason)
{
	const char *why = NULL;
	char parts[256] = "";

	assert_int_equal(event_text_walk(text, collect, parts, &why), -EINVAL);
	assert_non_null(why);
	if (!strstr(why, reason))
		fail_msg("%s: %s", text, why);
}

static void bad_event_texts(void **state)
{
	(void)state;
	text_is_refused("", "is empty");
	text_is_refused("a,,b", "is empty");
	text_is_refused("a,", "is empty");
	text_is_refused("a, ", "is empty");
	text_is_refused(" ", "is empty");
	text_is_refused("{a, }", "ends with a comma");
	text_is_refused("{ }", "without an event");
	text_is_refused("{}", "without an event");
	text_is_refused("{a,}", "ends with a comma");
	text_is_refused("{a", "not closed");
	text_is_refused("{a,", "not closed");
	text_is_refused("{", "not closed");
	text_is_refused("{,a}", "empty name");
	text_is_refused("a}", "without an opening one");
	text_is_refused("}", "without an opening one");
	text_is_refused("{a}}", "without an opening one");
	text_is_refused("{a,{b}}", "a group within a group");
	text_is_refused("a{b}", "behind a comma");
	text_is_refused("{a}b", "followed by");
	text_is_refused("{a}{b}", "behind a comma");
}

static void clean_is(const char *text, const char *expected)
{
	char *clean = clean_copy(text);

	assert_non_null(clean);
	assert_string_equal(clean, expected);
	free(clean);
}

/* Names come from programs that want to see us write to a terminal. */
static void clean_names(void **state)
{
	(void)state;
	clean_is("plain", "plain");
	clean_is("\033[2J", "?[2J");
	clean_is("a\tb\nc\rd", "a?b?c?d");
	clean_is("a\x7f" "b", "a?b");
	/* The second set of characters of control, each byte by itself; what is above it stays. */
	clean_is("a\xc2\x85z", "a??z");
	clean_is("a\xc2\x9bz", "a??z");
	clean_is("a\xc2\xa0z", "a\xc2\xa0z");
	clean_is("\xc3\xbc", "\xc3\xbc");
	/* Too long for what they say, halves of pairs, cut off, and beyond all. */
	clean_is("\xc0\xaf", "??");
	clean_is("\xe0\x80\xaf", "???");
	clean_is("\xed\xa0\x80", "???");
	clean_is("\xe2\x82", "??");
	clean_is("\xf4\x90\x80\x80", "????");
	clean_is("\xff", "?");
	/* What turns the text behind it: "file" .. "exe.txt". */
	clean_is("a\xe2\x80\xae" "b", "a???b");
	clean_is("a\xe2\x81\xa6" "b\xe2\x81\xa9", "a???b???");
	clean_is("\xd8\x9c\xe2\x80\x8f", "?????");
	clean_is("\xe2\x80\xa6\xd7\x90", "\xe2\x80\xa6\xd7\x90");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_cpulists),
		cmocka_unit_test(bad_cpulists),
		cmocka_unit_test(counter_names),
		cmocka_unit_test(event_texts),
		cmocka_unit_test(bad_event_texts),
		cmocka_unit_test(clean_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
