// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl features as a whole, --with and modes of pairs, against the kernel of paper.
 */
#include <errno.h>

#include "tests/unit/tools/run.h"

static int with_features(void **state)
{
	setup(state);
	fake_features();
	return 0;
}

/* The row of ways is this machine's, whichever it is: there is one, and it goes. */
static const char *without_ways(void)
{
	char *row = strstr(out, "l3-ways  "), *end;

	row = row ? row : strstr(out, "l3-ways;");
	row = row ? row : strstr(out, "{\"name\": \"l3-ways\"");
	assert_non_null(row);
	end = strchr(row, '\n');
	assert_non_null(end);
	memmove(row, end + 1, strlen(end));
	return out;
}

static void listed(void **state)
{
	(void)state;
	assert_int_equal(run("features"), 0);
	matches_golden("features.txt", without_ways());
	assert_int_equal(run("features -x; list"), 0);
	matches_golden("features.csv", without_ways());
	assert_int_equal(run("features list -x ;"), 0);
	matches_golden("features.csv", without_ways());
	assert_int_equal(run("features -j"), 0);
	matches_golden("features.json", without_ways());
}

static void none_is_known(void **state)
{
	(void)state;
	fake.nr_features = 0;
	assert_int_equal(run("features"), 0);
	assert_non_null(strstr(out, "Features of this processor cannot be switched yet"));
	assert_non_null(strstr(out, "branch-predictor"));
	RUN_HAS("features hold prefetch=off true", EXIT_FAILED,
		"cannot hold 'prefetch=off': features of this processor cannot be switched yet");
}

static void held(void **state)
{
	(void)state;
	assert_int_equal(run("features hold prefetch=off true"), 0);
	assert_string_equal(err, "");
	assert_int_equal(run("features hold prefetch=off -- sh -c true"), 0);
	assert_int_equal(run("features hold l1-next=1 l2-stream=on false"), 1);
	assert_int_equal(run("features hold --per-task prefetch=off -- true"), 0);
	assert_int_equal(run("features hold prefetch=off --per-task false"), 1);
	/* The others of a core are told, and what somebody else wrote. */
	fake.also = 3;
	RUN_HAS("features hold prefetch=off --core 0 true", 0,
		"pmuctl features: note: CPU 3 has the same features");
	fake.left[0] = (struct pmuctl_feature_left){ PMUCTL_CPU_FEATURE_L1_NEXT, 2, 1, 0 };
	fake.nr_left = 1;
	RUN_HAS("features hold prefetch=off true", 0,
		"warning: feature l1-next of CPU 2 was held at 1 and is 0 now: somebody else wrote it");
	RUN_HAS("stat --with prefetch=off -e cycles true", 0, "warning: feature l1-next of CPU 2");
}

/* Wherever the option stands, it is the process that is asked for. */
static void not_for_tasks(void **state)
{
	(void)state;
	fake.features &= ~(uint64_t)PMUCTL_FEATURE_SWITCH_TASK;
	assert_int_equal(run("features hold prefetch=off true"), 0);
	RUN_HAS("features hold --per-task prefetch=off true", EXIT_FAILED,
		"cannot hold 'prefetch=off': the loaded module switches no features with tasks");
	RUN_HAS("features hold prefetch=off --per-task -- true", EXIT_FAILED,
		"switches no features with tasks");
}

/* The module's words, with a name for its number. */
static void refused_by_the_module(void **state)
{
	(void)state;
	fake.fail_cmd = PMUCTL_CMD_FEATURE_HOLD;
	fake.fail_errno = -EBUSY;
	fake.extack = "feature 3 (bit 2 of MSR 0x1a4) of CPU 0 is asked to be 1, but pid 9 (x) holds it";
	RUN_HAS("features hold prefetch=off true", EXIT_FAILED,
		"pmuctl features: cannot hold 'prefetch=off': feature 'l1-next' (bit 2 of MSR 0x1a4) of "
		"CPU 0 is asked to be 1, but pid 9 (x) holds it\n");
	RUN_HAS("stat --with l1-next=off true", EXIT_FAILED, "pmuctl stat: cannot hold 'l1-next=off'");
	RUN_HAS("record -o /tmp/none --with l1-next=off true", EXIT_FAILED, "record: cannot hold");
	RUN_HAS("topdown --with l1-next=off true", EXIT_FAILED, "pmuctl topdown: cannot hold");
	RUN_HAS("compare --mode a --mode prefetch=off true", EXIT_FAILED,
		"pmuctl compare: cannot hold 'prefetch=off'");
	/* What is held for all runs stands in front of what a mode has. */
	RUN_HAS("compare --with l1-next=on --mode a=prefetch=off,l1-next=off -- true -- true",
		EXIT_FAILED, "compare: cannot hold 'l1-next=on,prefetch=off,l1-next=off'");
	RUN_HAS("cost -e cycles --toggle l1-next=off --toggle prefetch=off true", EXIT_FAILED,
		"pmuctl cost: cannot hold 'l1-next=off'");
	fake.extack = "features are switched for everybody";
	RUN_HAS("features hold prefetch=off true", EXIT_FAILED,
		"'prefetch=off': features are switched for everybody\n");
	fake.fail_cmd = 0;
	RUN_HAS("compare --mode a --mode prefetch=off -r 7 -e cycles true", 0, "prefetch=off");
	RUN_HAS("cost -e cycles --toggle prefetch=off -r 10 true", 0, "total-time");
}

static void wrong_words(void **state)
{
	(void)state;
	RUN_HAS("features show", EXIT_USAGE, "'show': it is list or hold");
	RUN_HAS("features list more", EXIT_USAGE, "'more': it takes list or hold");
	RUN_HAS("features hold", EXIT_USAGE, "nothing to hold; name features, like prefetch=off");
	RUN_HAS("features hold true", EXIT_USAGE, "nothing to hold");
	RUN_HAS("features hold prefetch=off", EXIT_USAGE, "nothing to run; name a command");
	RUN_HAS("features hold --per-task", EXIT_USAGE, "nothing to hold");
	RUN_HAS("features hold --per-task prefetch=off --core 0 true", EXIT_USAGE,
		"--core and --per-task: features are a core's, or a command's wherever it runs");
	RUN_HAS("features hold prefetch=off --core x true", EXIT_USAGE, "--core 'x': not a number");
	RUN_HAS("features hold prefetch=maybe true", EXIT_USAGE,
		"feature 'prefetch': 'maybe' is no value: it is on, off or a number");
	RUN_HAS("features hold prefetch=1x true", EXIT_USAGE, "'1x' is no value");
	RUN_HAS("features hold l1-next=2 true", EXIT_FAILED, "2 does not fit into its 1 bit\n");
	RUN_HAS("features hold l1-next=off, true", EXIT_USAGE, "nothing behind the last comma");
	RUN_HAS("features hold l1-stride=off true", EXIT_FAILED,
		"feature 'l1-stride': this processor has none; it has: l2-stream, l1-next, llc-prefetch");
	RUN_HAS("features hold none=off true", EXIT_USAGE, "there is no feature 'none'");
	RUN_HAS("features hold branch-predictor=off true", EXIT_USAGE,
		"feature 'branch-predictor' cannot be switched: no processor of Intel's has");
	RUN_HAS("stat --with prefetch true", EXIT_USAGE,
		"--with 'prefetch': features 'prefetch': each is NAME=VALUE");
	RUN_HAS("stat --with , true", EXIT_USAGE, "each is NAME=VALUE");
	fake.missing = true;
	RUN_HAS("features", EXIT_FAILED, "the kernel module pmuctl is not loaded");
	RUN_HAS("features hold prefetch=off true", EXIT_FAILED, "the kernel module pmuctl is not loaded");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(listed, with_features),
		cmocka_unit_test_setup(none_is_known, with_features),
		cmocka_unit_test_setup(held, with_features),
		cmocka_unit_test_setup(not_for_tasks, with_features),
		cmocka_unit_test_setup(refused_by_the_module, with_features),
		cmocka_unit_test_setup(wrong_words, with_features),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
