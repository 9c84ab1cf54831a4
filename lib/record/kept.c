// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Files that nobody sees once their namespace is gone, kept where perf keeps what it recorded:
 * in ~/.debug/NAME/BUILDID/elf, to which ~/.debug/.build-id/12/3456 leads.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/record/dump.h"

/* No file of code is larger; what is has no room in somebody's home. */
#define KEPT_MAX (1ll << 30)

/* All directories of a path. */
static bool make_dirs(char *path)
{
	char *slash;

	for (slash = path; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return true;
}

static bool copy(int from, const char *path)
{
	char unfinished[PATH_MAX];
	off_t at = 0;
	ssize_t got = -1;
	int to;

	if (snprintf(unfinished, sizeof(unfinished), "%s.%d", path, (int)getpid()) >= PATH_MAX)
		return false;
	to = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	while (to >= 0 && (got = sendfile(to, from, &at, 1 << 20)) > 0)
		;
	if (to >= 0)
		close(to);
	if (!got && !rename(unfinished, path))
		return true;
	if (to >= 0)
		unlink(unfinished);
	return false;
}

bool dump_keep_file(int fd, const char *name, const struct build_id *id)
{
	const char *home = secure_getenv("HOME");
	char digits[2 * BUILD_ID_MAX + 1], path[PATH_MAX], link[PATH_MAX], target[PATH_MAX];
	struct stat st;

	if (!home || strstr(name, "/../") || fstat(fd, &st) || st.st_size > KEPT_MAX)
		return false;
	build_id_text(id, false, digits);
	if (snprintf(link, sizeof(link), "%s/.debug/.build-id/%.2s/%s", home, digits,
		     digits + 2) >= PATH_MAX ||
	    snprintf(path, sizeof(path), "%s/.debug%s/%s/elf", home, name, digits) >= PATH_MAX ||
	    snprintf(target, sizeof(target), "../..%s/%s", name, digits) >= PATH_MAX)
		return false;
	if (!access(link, F_OK))
		return true;
	return make_dirs(path) && copy(fd, path) && make_dirs(link) &&
	       (!symlink(target, link) || errno == EEXIST);
}
