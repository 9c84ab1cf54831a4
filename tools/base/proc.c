// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes and threads, as /proc lists them.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/proc.h"

bool read_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "re");
	bool got;

	if (!f)
		return false;
	got = fgets(line, (int)size, f);
	fclose(f);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

/* What has a number for its name; the others say something else. */
static int each_number(const char *path, task_fn *fn, void *data)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	int result = 0;

	if (!dir)
		return -errno;
	while (!result && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			result = fn(data, (pid_t)strtol(entry->d_name, NULL, 10));
	closedir(dir);
	return result;
}

int each_process(task_fn *fn, void *data)
{
	return each_number("/proc", fn, data);
}

int each_thread(pid_t pid, task_fn *fn, void *data)
{
	char path[64];
	int result;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	result = each_number(path, fn, data);
	return result == -ENOENT ? -ESRCH : result;
}

bool task_name(pid_t number, char *name, size_t size)
{
	char path[64], line[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)number);
	if (!read_line(path, line, sizeof(line)))
		return false;
	snprintf(name, size, "%.*s", (int)size - 1, line);
	return true;
}
