// SPDX-License-Identifier: GPL-2.0-only
/* Files and directories that a command left: the next one is to find none of them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "tidy.h"

static struct place {
	const char *path;
	struct dirent **kept;
	int count;
} places[] = {
	{ .path = "/root" },
	{ .path = "/tmp" },
};

#define PLACES (sizeof(places) / sizeof(places[0]))

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

void tidy_remember(void)
{
	for (size_t i = 0; i < PLACES; i++)
		places[i].count = scandir(places[i].path, &places[i].kept, is_entry, alphasort);
}

static bool is_kept(const struct place *place, const char *name)
{
	for (int i = 0; i < place->count; i++) {
		if (!strcmp(place->kept[i]->d_name, name))
			return true;
	}
	return false;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	if (remove(path))
		channel_problem("cannot remove %s: %s", path, strerror(errno));
	return 0;
}

static void tidy_place(const struct place *place)
{
	struct dirent **found;
	int count = scandir(place->path, &found, is_entry, alphasort);
	char path[PATH_MAX];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", place->path, found[i]->d_name);
		if (!is_kept(place, found[i]->d_name))
			nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
}

void tidy_up(void)
{
	for (size_t i = 0; i < PLACES; i++)
		tidy_place(&places[i]);
}
