// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Control groups: how they are found by name and pattern in a tree that is mounted nowhere, and how
 * they are shown.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/cmocka_all.h"
#include "tools/base/base.h"
#include "tools/run/cgroups.h"

static char root[] = "/tmp/cgroups-XXXXXX";
static bool is_mounted = true;
static char said[512];

bool mounted(const char *type, char *at, size_t size)
{
	assert_string_equal(type, "cgroup2");
	snprintf(at, size, "%s", root);
	return is_mounted;
}

int complain(const char *cmd, int code, const char *fmt, ...)
{
	va_list args;

	assert_string_equal(cmd, "stat");
	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	return code;
}

static void make(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int set_up(void **state)
{
	static const char *const names[] = {
		"a", "a/in", "b", "b,c", "machine-fe\\x2d1.scope", "system.slice",
		"system.slice/one.service", "system.slice/two.service", ".hidden",
	};
	char path[256];
	size_t i;

	(void)state;
	assert_non_null(mkdtemp(root));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		make(names[i]);
	/* Each group has files, which a pattern matches as well. */
	snprintf(path, sizeof(path), "%s/system.slice/cgroup.procs", root);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	return 0;
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

typedef int adds_fn(const char *cmd, const char *option, const char *text, struct cgroups *groups);

/* What it finds, with spaces between; or what it says. */
static const char *found_by(adds_fn *adds, const char *text)
{
	static char list[512];
	struct cgroups groups = { .count = 0 };
	struct stat folder, named;
	char path[512];
	size_t i, at = 0;

	said[0] = list[0] = '\0';
	if (!adds("stat", "-G", text, &groups))
		assert_string_equal(said, "");
	for (i = 0; i < groups.count; i++) {
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? " " : "",
				       groups.paths[i]);
		snprintf(path, sizeof(path), "%s%s", root, groups.paths[i]);
		assert_int_equal(fstat(groups.fds[i], &folder), 0);
		assert_int_equal(stat(path, &named), 0);
		assert_int_equal(folder.st_ino, named.st_ino);
	}
	cgroups_free(&groups);
	return *said ? said : list;
}

static const char *found(const char *text)
{
	return found_by(cgroups_add, text);
}

static void names(void **state)
{
	char whole[128];

	(void)state;
	assert_string_equal(found("a"), "/a");
	assert_string_equal(found("/a"), "/a");
	assert_string_equal(found("a/in/,b"), "/a/in /b");
	assert_string_equal(found("/"), "/");
	assert_string_equal(found("a,/a,a/"), "/a");
	/* A backslash in it is none of a pattern. */
	assert_string_equal(found("machine-fe\\x2d1.scope"), "/machine-fe\\x2d1.scope");
	snprintf(whole, sizeof(whole), "%s/a/in,%s", root, root);
	assert_string_equal(found(whole), "/a/in /");
}

static void patterns(void **state)
{
	(void)state;
	assert_string_equal(found("system.slice/*"),
			    "/system.slice/one.service /system.slice/two.service");
	assert_string_equal(found("system.slice/t*,[ab]"), "/system.slice/two.service /a /b");
}

static void complaints(void **state)
{
	(void)state;
	assert_non_null(strstr(found("c"), "-G 'c': there is no such control group below /tmp/"));
	assert_non_null(strstr(found("system.slice/cgroup.procs"), "no such control group"));
	assert_non_null(strstr(found("system.slice/x*"), "no such control group"));
	assert_non_null(strstr(found(""), "-G '': not a path"));
	assert_non_null(strstr(found("a,,b"), "-G '': not a path"));
	assert_non_null(strstr(found("a/../b"), "not a path"));
	assert_non_null(strstr(found(".."), "not a path"));
	/* Beside the root, not below it. */
	assert_non_null(strstr(found("/tmp"), "no such control group"));
	is_mounted = false;
	assert_non_null(strstr(found("a"), "version 2 is mounted"));
	is_mounted = true;
}

/* Who asks each second is told nothing of what is not there yet. */
static void present(void **state)
{
	(void)state;
	assert_string_equal(found_by(cgroups_add_present, "c,b,system.slice/x*"), "/b");
	assert_string_equal(found_by(cgroups_add_present, "a,/a"), "/a /a");
	assert_non_null(strstr(found_by(cgroups_add_present, "a/../b"), "not a path"));
}

static void units(void **state)
{
	(void)state;
	assert_string_equal(found_by(cgroups_add_units, "one.service"), "/system.slice/one.service");
	assert_string_equal(found_by(cgroups_add_units, "t*.service,system.slice,x.service"),
			    "/system.slice/two.service /system.slice");
	/* The backslash is the unit's. */
	assert_string_equal(found_by(cgroups_add_units, "machine-fe\\x2d1.scope"),
			    "/machine-fe\\x2d1.scope");
	assert_non_null(strstr(found_by(cgroups_add_units, "one"), "-G 'one': not the name of a unit"));
	assert_non_null(strstr(found_by(cgroups_add_units, "a/one.service"), "not the name of a unit"));
	assert_non_null(strstr(found_by(cgroups_add_units, ""), "not the name of a unit"));
	assert_true(cgroup_is_unit("a.b.service"));
	assert_false(cgroup_is_unit(".service"));
	assert_false(cgroup_is_unit("service"));
	assert_false(cgroup_is_unit("cgroup.procs"));
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void labels(void **state)
{
	static const struct {
		const char *path, *label;
	} rows[] = {
		{ "/", "/" },
		{ "/system.slice/ssh.service", "/system.slice/ssh.service" },
		{ "/system.slice/docker-" ID ".scope", "docker/0123456789ab" },
		{ "/docker/" ID, "docker/0123456789ab" },
		{ "/docker/" ID "/init", "docker/0123456789ab/init" },
		/* Of docker in docker, the inner one. */
		{ "/docker/" ID "/docker/abcd" ID, "docker/0123456789ab/docker/abcd" ID },
		{ "/docker/" ID "/docker/ff" ID, "docker/0123456789ab/docker/ff" ID },
		{ "/docker/" ID "/libpod-" ID ".scope/x", "podman/0123456789ab/x" },
		{ "/machine.slice/libpod-" ID, "podman/0123456789ab" },
		{ "/kubepods.slice/cri-containerd-" ID ".scope", "containerd/0123456789ab" },
		{ "/kubepods.slice/crio-" ID ".scope", "cri-o/0123456789ab" },
		{ "/lxc.payload.web", "lxc/web" },
		{ "/machine.slice/machine-fe\\x2d1.scope", "machine/fe-1" },
		{ "/machine.slice/systemd-nspawn@web.service/payload", "machine/web/payload" },
		/* None of theirs. */
		{ "/docker/short", "/docker/short" },
		{ "/system.slice/docker-" ID ".service", "/system.slice/docker-" ID ".service" },
		{ "/system.slice/docker.service", "/system.slice/docker.service" },
		{ "/lxc.payload.", "/lxc.payload." },
		{ "/machine-.scope", "/machine-.scope" },
		{ "/machine-a\\x1b.scope", "machine/a\\x1b" },
	};
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(cgroup_label(rows[i].path, text, sizeof(text)), rows[i].label);
	/* As much as there is room for. */
	assert_string_equal(cgroup_label("/lxc.payload.web", text, 6), "lxc/w");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(patterns),
		cmocka_unit_test(complaints),
		cmocka_unit_test(present),
		cmocka_unit_test(units),
		cmocka_unit_test(labels),
	};

	return cmocka_run_group_tests_name("cgroups", tests, set_up, tear_down);
}
