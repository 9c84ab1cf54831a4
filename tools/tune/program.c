// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a program's file as exec does, and its build-id.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/tune/program.h"

/* Of the folders of PATH the first that has it; NULL: none. */
static char *search_path(const char *name)
{
	const char *path = getenv("PATH"), *at;
	char *found;
	size_t len;

	for (at = path ? path : "/bin:/usr/bin"; ; at += len + 1) {
		len = strcspn(at, ":");
		if (asprintf(&found, "%.*s/%s", len ? (int)len : 1, len ? at : ".", name) < 0)
			return NULL;
		if (!access(found, X_OK))
			return found;
		free(found);
		if (!at[len])
			return NULL;
	}
}

int program_id(int fd, char text[2 * BUILD_ID_MAX + 1])
{
	struct build_id id;

	if (!build_id_of_fd(fd, &id))
		return -ENODATA;
	build_id_text(&id, false, text);
	return 0;
}

static int read_id(const char *name, struct program *program)
{
	int fd = open(program->path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return complain("tune", EXIT_FAILED, "cannot open '%s': %s", program->path,
				strerror(errno));
	err = program_id(fd, program->id);
	close(fd);
	if (!err)
		return 0;
	return complain("tune", EXIT_FAILED, "'%s' has no build-id, by which its profile would be kept: "
			"link it with -Wl,--build-id (of a script, it is the interpreter that runs)",
			name);
}

int program_find(const char *name, struct program *program)
{
	char *found = strchr(name, '/') ? strdup(name) : search_path(name);

	program->path = found ? realpath(found, NULL) : NULL;
	free(found);
	if (!program->path)
		return complain("tune", EXIT_FAILED, "there is no program '%s'", name);
	return read_id(name, program);
}
