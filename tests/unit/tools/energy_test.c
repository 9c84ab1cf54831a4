// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Energy by powercap's files: which zones are packages, sums, wraps, and what is said where there
 * is nothing to read.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/run/energy.h"

#define RANGE 262143328850ull

static char root[64];

static void path_of(const char *zone, const char *file, char *path, size_t size)
{
	snprintf(path, size, "%s/%s/%s", root, zone, file);
}

static void put(const char *zone, const char *file, const char *text)
{
	char path[256];
	FILE *out;

	path_of(zone, file, path, sizeof(path));
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void put_energy(const char *zone, unsigned long long uj)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu\n", uj);
	put(zone, "energy_uj", text);
}

static void make_zone(const char *zone, const char *name, unsigned long long uj)
{
	char path[256], text[32];

	path_of(zone, "", path, sizeof(path));
	assert_int_equal(mkdir(path, 0700), 0);
	put(zone, "name", name);
	snprintf(text, sizeof(text), "%llu\n", RANGE);
	put(zone, "max_energy_range_uj", text);
	put_energy(zone, uj);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root, "/tmp/energy_test-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static struct energy *open_all(void)
{
	struct energy *e;
	char why[512] = "";

	if (energy_open_at(root, &e, why, sizeof(why)))
		fail_msg("%s", why);
	return e;
}

static double passed(struct energy *e)
{
	double joules;

	assert_int_equal(energy_end(e, &joules), 0);
	return joules;
}

/* Neither the parts of a package, nor the whole machine, nor the other way to the same counters. */
static void packages_and_nothing_else(void **state)
{
	struct energy *e;

	(void)state;
	make_zone("intel-rapl:0", "package-0\n", 1000000);
	make_zone("intel-rapl:0:0", "core\n", 500000);
	make_zone("intel-rapl:1", "package-1-die-0\n", 7000000);
	make_zone("intel-rapl:2", "psys\n", 9000000);
	make_zone("intel-rapl-mmio:0", "package-0\n", 1000000);
	put("intel-rapl:0", "../intel-rapl", "");
	e = open_all();
	energy_begin(e);
	put_energy("intel-rapl:0", 3500000);
	put_energy("intel-rapl:0:0", 3000000);
	put_energy("intel-rapl:1", 7250000);
	put_energy("intel-rapl:2", 99000000);
	put_energy("intel-rapl-mmio:0", 3500000);
	assert_true(passed(e) == 2.75);
	energy_begin(e);
	put_energy("intel-rapl:1", 7500000);
	assert_true(passed(e) == 0.25);
	energy_begin(e);
	assert_true(passed(e) == 0);
	energy_close(e);
}

static void a_counter_begins_anew(void **state)
{
	struct energy *e;

	(void)state;
	make_zone("intel-rapl:0", "package-0\n", RANGE - 1500000);
	e = open_all();
	energy_begin(e);
	put_energy("intel-rapl:0", 500000);
	assert_true(passed(e) == 2);
	energy_close(e);
}

static void expect_refusal(int err, const char *what)
{
	struct energy *e;
	char why[512] = "";

	assert_int_equal(energy_open_at(root, &e, why, sizeof(why)), err);
	assert_null(e);
	if (!strstr(why, what))
		fail_msg("'%s' is not in '%s'", what, why);
}

static void nothing_there(void **state)
{
	(void)state;
	expect_refusal(-ENODEV, "`modprobe intel_rapl_msr`");
	make_zone("intel-rapl:0", "psys\n", 1);
	expect_refusal(-ENODEV, root);
	strcat(root, "/none");
	expect_refusal(-ENODEV, "`modprobe intel_rapl_msr`");
	root[strlen(root) - strlen("/none")] = '\0';
}

static void not_to_be_read(void **state)
{
	char path[256];
	uid_t user = geteuid();

	(void)state;
	make_zone("intel-rapl:0", "package-0\n", 1);
	path_of("intel-rapl:0", "energy_uj", path, sizeof(path));
	assert_int_equal(chmod(root, 0755), 0);
	path_of("intel-rapl:0", "", path, sizeof(path));
	assert_int_equal(chmod(path, 0755), 0);
	path_of("intel-rapl:0", "energy_uj", path, sizeof(path));
	assert_int_equal(chmod(path, user ? 0 : 0400), 0);
	if (!user)
		assert_int_equal(seteuid(1000), 0);
	expect_refusal(-EACCES, "only root may read energy");
	if (!user)
		assert_int_equal(seteuid(0), 0);
}

static void no_number(void **state)
{
	struct energy *e;
	double joules;

	(void)state;
	make_zone("intel-rapl:0", "package-0\n", 1);
	put("intel-rapl:0", "max_energy_range_uj", "much\n");
	expect_refusal(-EINVAL, "max_energy_range_uj");
	put("intel-rapl:0", "max_energy_range_uj", "9\n");
	e = open_all();
	put("intel-rapl:0", "energy_uj", "none\n");
	energy_begin(e);
	put_energy("intel-rapl:0", 1);
	assert_int_equal(energy_end(e, &joules), -EINVAL);
	energy_close(e);
}

#define ON_FILES(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_FILES(packages_and_nothing_else),
		ON_FILES(a_counter_begins_anew),
		ON_FILES(nothing_there),
		ON_FILES(not_to_be_read),
		ON_FILES(no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
