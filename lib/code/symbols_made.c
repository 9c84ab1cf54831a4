// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols of code that a program made itself, from /tmp/perf-PID.map, as
 * just-in-time compilers leave them: "START SIZE NAME", hexadecimal.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/code/code.h"

#define BEFORE_PID "/tmp/perf-"

/* A program below a directory like /tmp/perf-tests is a file as any other. */
bool symbols_are_made(const char *dso)
{
	const char *pid = dso + strlen(BEFORE_PID);
	size_t digits;

	if (strncmp(dso, BEFORE_PID, strlen(BEFORE_PID)) != 0)
		return false;
	digits = strspn(pid, "0123456789");
	return digits && !strcmp(pid + digits, ".map");
}

static void read_line(struct pmuctl_data *data, struct dso *dso, const char *line)
{
	uint64_t start, size;
	int at = 0;
	const char *name;
	size_t len;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &start, &size, &at) < 2 || !at)
		return;
	len = strcspn(line + at, "\n");
	name = len ? strings_add(&data->strings, line + at, len) : NULL;
	if (!name)
		return;
	symbol_table_add(&dso->table, &(struct symbol){
		.start = start,
		.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
		.name = name,
		.rank = SYMBOL_GLOBAL,
	});
}

/* Anybody may write to /tmp: only what we or root left there is believed. */
static FILE *open_own(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || !st.st_uid))
		f = fdopen(fd, "re");
	if (!f)
		close(fd);
	return f;
}

void symbols_read_made(struct pmuctl_data *data, struct dso *dso)
{
	FILE *f = open_own(dso->name);
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0)
		read_line(data, dso, line);
	free(line);
	if (f)
		fclose(f);
}
