// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * l3-ways: how it is taken out of settings, and what is read of a tree like resctrl's: masks, what
 * is to be written, and whose ways nobody else may have.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants these above it. */
#include <cmocka.h>

#include "tools/run/resctrl.h"
#include "tools/run/ways.h"

static void settings_lose_their_ways(void **state)
{
	static const struct {
		const char *text, *rest;
		unsigned int ways;
	} rows[] = {
		{ "l3-ways=4", "", 4 },
		{ "prefetch=off", "prefetch=off", 0 },
		{ "prefetch=off,l3-ways=2", "prefetch=off", 2 },
		{ "l3-ways=2,prefetch=off", "prefetch=off", 2 },
		{ "l1-next=on,l3-ways=2,prefetch=off", "l1-next=on,prefetch=off", 2 },
		{ "l3-ways=2,l3-ways=15", "", 15 },
		{ "l3-wayss=2", "l3-wayss=2", 0 },
		{ "l3-way=2", "l3-way=2", 0 },
		{ "", "", 0 },
		{ "prefetch=off,", "prefetch=off,", 0 },
		{ ",", ",", 0 },
		{ ",l3-ways=1", "", 1 },
		{ "l3-ways=4,prefetch=off,,", "prefetch=off,,", 4 },
	};
	char text[64];
	unsigned int ways;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "%s", rows[i].text);
		assert_null(ways_take(text, &ways));
		assert_string_equal(text, rows[i].rest);
		assert_int_equal(ways, rows[i].ways);
	}
}

static void ways_are_numbers(void **state)
{
	static const char *const wrong[] = {
		"l3-ways=0", "l3-ways=", "l3-ways", "l3-ways=off", "l3-ways=4x", "l3-ways=-1",
		"l3-ways= 4", "l3-ways=65", "l3-ways=99999999999999999999", "l3-ways=4 ,l1-next=on",
	};
	char text[64];
	unsigned int ways;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(text, sizeof(text), "prefetch=off,%s", wrong[i]);
		assert_non_null(ways_take(text, &ways));
	}
}

static void names_are_whole(void **state)
{
	(void)state;
	assert_true(ways_is_named("l3-ways=4"));
	assert_true(ways_is_named("l3-ways"));
	assert_false(ways_is_named("l3-wayss=4"));
	assert_false(ways_is_named("l3=4"));
	assert_false(ways_is_named(""));
}

static void lowest_bits(void **state)
{
	(void)state;
	assert_int_equal(resctrl_lowest(1), 1);
	assert_int_equal(resctrl_lowest(11), 0x7ff);
	assert_true(resctrl_lowest(63) == UINT64_MAX >> 1);
	assert_true(resctrl_lowest(64) == UINT64_MAX);
}

static void schemata_are_read(void **state)
{
	static const char text[] = "    MB:0=100;1=100\n    L3:0=7fff;1=00f0\nL2:0=3\n";
	struct resctrl_masks masks;

	(void)state;
	assert_true(resctrl_parse(text, "L3", &masks));
	assert_int_equal(masks.count, 2);
	assert_int_equal(masks.caches[0].mask, 0x7fff);
	assert_int_equal(masks.caches[1].id, 1);
	assert_int_equal(masks.caches[1].mask, 0xf0);
	assert_true(resctrl_parse(text, "L2", &masks));
	assert_int_equal(masks.caches[0].mask, 3);
	assert_false(resctrl_parse(text, "L3CODE", &masks));
	assert_false(resctrl_parse(text, "L", &masks));
	assert_false(resctrl_parse("L3:\n", "L3", &masks));
	assert_false(resctrl_parse("", "L3", &masks));
	/* A pseudo-locked region has no other cache. */
	assert_true(resctrl_parse("L3:1=c\n", "L3", &masks));
	assert_int_equal(masks.caches[0].id, 1);
}

static void schemata_are_written(void **state)
{
	static const struct resctrl_l3 one = { { "L3" }, 1, 15, 1, 15 };
	static const struct resctrl_l3 two = { { "L3CODE", "L3DATA" }, 2, 15, 1, 7 };
	char text[80];

	(void)state;
	assert_true(resctrl_schemata(&one, "    L3:0=7fff;4=7fff\n", 0xf, text, sizeof(text)));
	assert_string_equal(text, "L3:0=f;4=f\n");
	assert_true(resctrl_schemata(&two, "L3DATA:0=7fff\nL3CODE:0=7fff\n", 1, text, sizeof(text)));
	assert_string_equal(text, "L3CODE:0=1\nL3DATA:0=1\n");
	assert_false(resctrl_schemata(&two, "L3:0=7fff\n", 1, text, sizeof(text)));
	assert_false(resctrl_schemata(&one, "L3:0=7fff;1=7fff\n", 1, text, 10));
}

/* ---- a tree --------------------------------------------------------------------------------- */

static char root[] = "/tmp/pmuctl-ways-XXXXXX";

/* Makes what leads to it as well. */
static void put(const char *file, const char *text)
{
	char path[256], *slash;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	for (slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int make_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	put("info/L3/cbm_mask", "7fff\n");
	put("info/L3/min_cbm_bits", "2\n");
	put("info/L3/num_closids", "15\n");
	put("mon_groups/empty", "");
	put("schemata", "    L3:0=7fff;1=7fff\n");
	put("mode", "shareable\n");
	return 0;
}

static int remove_tree(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static void trees_are_read(void **state)
{
	struct resctrl_l3 l3;
	char text[64];

	(void)state;
	assert_true(resctrl_read_l3(root, &l3));
	assert_int_equal(l3.count, 1);
	assert_string_equal(l3.names[0], "L3");
	assert_int_equal(l3.ways, 15);
	assert_int_equal(l3.least, 2);
	assert_int_equal(l3.classes, 15);
	assert_false(resctrl_read_l3("/nowhere", &l3));
	resctrl_read(root, "", "mode", text, sizeof(text));
	assert_string_equal(text, "shareable\n");
	resctrl_read(root, "nobody", "mode", text, sizeof(text));
	assert_string_equal(text, "");
	assert_int_equal(resctrl_write(root, "", "mode", "shareable\n"), 0);
	assert_int_equal(resctrl_write(root, "nobody", "mode", ""), -ENOENT);
}

static void owners_are_found(void **state)
{
	struct resctrl_l3 l3;
	const char *mode;
	char name[64];

	(void)state;
	resctrl_read_l3(root, &l3);
	assert_false(resctrl_has_groups(root));
	assert_false(resctrl_finds_owner(root, &l3, 0xf, "mine", name, sizeof(name), &mode));
	put("theirs/schemata", "L3:0=7fff;1=c0\n");
	put("theirs/mode", "shareable\n");
	assert_true(resctrl_has_groups(root));
	assert_false(resctrl_finds_owner(root, &l3, 0xf, "mine", name, sizeof(name), &mode));
	/* One cache is enough. */
	put("theirs/schemata", "L3:0=f0;1=c\n");
	put("theirs/mode", "exclusive\n");
	assert_true(resctrl_finds_owner(root, &l3, 0xf, "mine", name, sizeof(name), &mode));
	assert_string_equal(name, "group 'theirs'");
	assert_string_equal(mode, "exclusive");
	assert_false(resctrl_finds_owner(root, &l3, 0x3, "mine", name, sizeof(name), &mode));
	assert_false(resctrl_finds_owner(root, &l3, 0xf, "theirs", name, sizeof(name), &mode));
	put("theirs/mode", "pseudo-locked\n");
	assert_true(resctrl_finds_owner(root, &l3, 0x8, "mine", name, sizeof(name), &mode));
	assert_string_equal(mode, "pseudo-locked");
	/* One that is about to be locked has nothing yet. */
	put("theirs/mode", "pseudo-locksetup\n");
	assert_false(resctrl_finds_owner(root, &l3, 0x8, "mine", name, sizeof(name), &mode));
	put("mode", "exclusive\n");
	assert_true(resctrl_finds_owner(root, &l3, 0x8, "mine", name, sizeof(name), &mode));
	assert_string_equal(name, "the default group");
}

static void monitored_groups_are_groups(void **state)
{
	char path[64];

	(void)state;
	assert_false(resctrl_has_groups(root));
	put("mon_groups/watched/tasks", "");
	assert_true(resctrl_has_groups(root));
	snprintf(path, sizeof(path), "%s/mon_groups/watched/tasks", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/mon_groups/watched", root);
	rmdir(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_lose_their_ways),
		cmocka_unit_test(ways_are_numbers),
		cmocka_unit_test(names_are_whole),
		cmocka_unit_test(lowest_bits),
		cmocka_unit_test(schemata_are_read),
		cmocka_unit_test(schemata_are_written),
		cmocka_unit_test(trees_are_read),
		cmocka_unit_test(monitored_groups_are_groups),
		cmocka_unit_test(owners_are_found),
	};

	return cmocka_run_group_tests_name("tools ways", tests, make_tree, remove_tree);
}
