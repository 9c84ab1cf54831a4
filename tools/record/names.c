// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the files of pmuctl record --rotate are called, and which of them go.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/record/rotate.h"

#define NS 1000000000ull

/* d: a digit.  Names of one length are in the order of time. */
static const char pattern[] = ".ddddddddTdddddd.dddZ-dddddd";

void rotate_stamp(char text[STAMP_SIZE], uint64_t moment, uint64_t number)
{
	const time_t seconds = (time_t)(moment / NS);
	char date[24];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y%m%dT%H%M%S", &tm);
	snprintf(text, STAMP_SIZE, "%s.%03uZ-%06llu", date, (unsigned int)(moment % NS / 1000000),
		 (unsigned long long)number);
}

bool rotate_is_named(const struct rotate_names *names, const char *suffix, const char *name)
{
	size_t len = strlen(names->base), i;

	if (strncmp(name, names->base, len) != 0)
		return false;
	name += len;
	for (i = 0; pattern[i]; i++)
		if (pattern[i] == 'd' ? !isdigit((unsigned char)name[i]) : name[i] != pattern[i])
			return false;
	name += i;
	/* Of a million intervals and more. */
	name += strspn(name, "0123456789");
	return !strcmp(name, suffix);
}

struct list {
	char **names;
	size_t count;
};

static void list_free(struct list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		free(list->names[i]);
	free(list->names);
}

static int list_add(struct list *list, const char *name)
{
	char **more = reallocarray(list->names, list->count + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	list->names = more;
	more[list->count] = strdup(name);
	return more[list->count++] ? 0 : -ENOMEM;
}

static int list_files(const struct rotate_names *names, const char *suffix, struct list *list)
{
	DIR *dir = opendir(names->dir);
	const struct dirent *entry;
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir)))
		if (rotate_is_named(names, suffix, entry->d_name))
			err = list_add(list, entry->d_name);
	closedir(dir);
	return err;
}

static int newest_first(const void *left, const void *right)
{
	return strcmp(*(char *const *)right, *(char *const *)left);
}

/* What is gone by now has not to go. */
static int prune(int dir, const struct list *list, uint64_t count, uint64_t bytes)
{
	uint64_t sum = 0;
	int removed = 0, err = 0;
	struct stat st;
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (fstatat(dir, list->names[i], &st, 0))
			continue;
		sum += (uint64_t)st.st_size;
		if (!i || ((!count || i < count) && (!bytes || sum <= bytes)))
			continue;
		if (!unlinkat(dir, list->names[i], 0))
			removed++;
		else if (errno != ENOENT)
			err = -errno;
	}
	return err ? err : removed;
}

int rotate_prune(const struct rotate_names *names, uint64_t count, uint64_t bytes)
{
	struct list list = { .count = 0 };
	int dir = open(names->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int code = dir < 0 ? -errno : list_files(names, names->suffix, &list);

	if (!code && list.count) {
		qsort(list.names, list.count, sizeof(*list.names), newest_first);
		code = prune(dir, &list, count, bytes);
	}
	if (dir >= 0)
		close(dir);
	list_free(&list);
	return code;
}

void rotate_remove(const struct rotate_names *names, const char *suffix)
{
	struct list list = { .count = 0 };
	int dir = open(names->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t i;

	if (dir >= 0 && !list_files(names, suffix, &list))
		for (i = 0; i < list.count; i++)
			unlinkat(dir, list.names[i], 0);
	if (dir >= 0)
		close(dir);
	list_free(&list);
}
