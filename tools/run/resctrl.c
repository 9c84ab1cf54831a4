// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's resource control (resctrl) as a tree of files: what of the last-level cache can be
 * given, what other groups have, and a group of ours.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/resctrl.h"

#define PATH_ROOM 512
#define SCHEMATA_ROOM 8192

/* ---- files ---------------------------------------------------------------------------------- */

static void make_path(const char *root, const char *group, const char *file, char *path)
{
	snprintf(path, PATH_ROOM, "%s%s%s/%s", root, *group ? "/" : "", group, file);
}

void resctrl_read(const char *root, const char *group, const char *file, char *text, size_t size)
{
	char path[PATH_ROOM];
	ssize_t got = 0, used = 0;
	int fd;

	make_path(root, group, file, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (got = read(fd, text + used, size - 1 - (size_t)used)) > 0)
		used += got;
	if (fd >= 0)
		close(fd);
	text[used] = '\0';
}

int resctrl_write(const char *root, const char *group, const char *file, const char *text)
{
	char path[PATH_ROOM];
	ssize_t done;
	int fd, err;

	make_path(root, group, file, path);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	done = write(fd, text, strlen(text));
	err = done < 0 ? -errno : 0;
	close(fd);
	return err;
}

static uint64_t read_number(const char *root, const char *file, int base)
{
	char text[32];

	resctrl_read(root, "", file, text, sizeof(text));
	return strtoull(text, NULL, base);
}

/* ---- what can be given ---------------------------------------------------------------------- */

bool resctrl_read_l3(const char *root, struct resctrl_l3 *l3)
{
	static const char *const names[] = { "L3", "L3CODE", "L3DATA" };
	char file[64];
	uint64_t mask;
	size_t i;

	*l3 = (struct resctrl_l3){ .count = 0 };
	for (i = 0; i < ARRAY_SIZE(names) && l3->count < RESCTRL_RESOURCES; i++) {
		snprintf(file, sizeof(file), "info/%s/cbm_mask", names[i]);
		mask = read_number(root, file, 16);
		if (!mask)
			continue;
		l3->names[l3->count++] = names[i];
		l3->ways = (unsigned int)__builtin_popcountll(mask);
		snprintf(file, sizeof(file), "info/%s/min_cbm_bits", names[i]);
		l3->least = (unsigned int)read_number(root, file, 10);
		snprintf(file, sizeof(file), "info/%s/num_closids", names[i]);
		l3->classes = (unsigned int)read_number(root, file, 10);
	}
	return l3->count;
}

uint64_t resctrl_lowest(unsigned int ways)
{
	return ways < 64 ? ((uint64_t)1 << ways) - 1 : UINT64_MAX;
}

/* ---- schemata ------------------------------------------------------------------------------- */

/* "0=7fff;1=7fff", to the end of the line; false if it is written otherwise. */
static bool take_caches(const char *text, struct resctrl_masks *masks)
{
	struct resctrl_cache c;
	int end;

	masks->count = 0;
	do {
		end = 0;
		if (sscanf(text, " %u=%" SCNx64 "%n", &c.id, &c.mask, &end) != 2 ||
		    masks->count == RESCTRL_CACHES)
			return false;
		masks->caches[masks->count++] = c;
		text += end;
	} while (*text++ == ';');
	return true;
}

bool resctrl_parse(const char *schemata, const char *resource, struct resctrl_masks *masks)
{
	size_t len = strlen(resource);
	const char *line;

	for (line = schemata; line; line = strchr(line, '\n')) {
		line += strspn(line, " \n");
		if (!strncmp(line, resource, len) && line[len] == ':')
			return take_caches(line + len + 1, masks);
	}
	masks->count = 0;
	return false;
}

bool resctrl_schemata(const struct resctrl_l3 *l3, const char *schemata, uint64_t mask, char *text,
		      size_t size)
{
	struct resctrl_masks masks;
	size_t used = 0, i, j;

	for (i = 0; i < l3->count; i++) {
		if (!resctrl_parse(schemata, l3->names[i], &masks))
			return false;
		for (j = 0; j < masks.count && used < size; j++)
			used += (size_t)snprintf(text + used, size - used, "%s%s%u=%" PRIx64,
						 j ? "" : l3->names[i], j ? ";" : ":",
						 masks.caches[j].id, mask);
		if (used < size)
			used += (size_t)snprintf(text + used, size - used, "\n");
	}
	return used < size;
}

/* ---- other groups --------------------------------------------------------------------------- */

/* Directories of its own that are no groups. */
static bool is_group(const struct dirent *entry)
{
	static const char *const others[] = { "info", "mon_data", "mon_groups" };
	size_t i;

	if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
		return false;
	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(entry->d_name, others[i]))
			return false;
	return true;
}

static bool overlaps(const char *root, const char *group, const struct resctrl_l3 *l3,
		     uint64_t mask)
{
	char *schemata = calloc(1, SCHEMATA_ROOM);
	struct resctrl_masks masks;
	bool found = false;
	size_t i, j;

	if (schemata)
		resctrl_read(root, group, "schemata", schemata, SCHEMATA_ROOM);
	for (i = 0; schemata && i < l3->count; i++) {
		resctrl_parse(schemata, l3->names[i], &masks);
		for (j = 0; j < masks.count; j++)
			found |= (masks.caches[j].mask & mask) != 0;
	}
	free(schemata);
	return found;
}

/* "exclusive" or "pseudo-locked", else NULL. */
static const char *owner_mode(const char *root, const char *group)
{
	char mode[32];

	resctrl_read(root, group, "mode", mode, sizeof(mode));
	if (!strncmp(mode, "exclusive", strlen("exclusive")))
		return "exclusive";
	return !strncmp(mode, "pseudo-locked", strlen("pseudo-locked")) ? "pseudo-locked" : NULL;
}

bool resctrl_finds_owner(const char *root, const struct resctrl_l3 *l3, uint64_t mask,
			 const char *but, char *name, size_t size, const char **mode)
{
	DIR *dir = opendir(root);
	struct dirent *entry;
	bool found;

	*mode = owner_mode(root, "");
	found = *mode && overlaps(root, "", l3, mask);
	if (found)
		snprintf(name, size, "the default group");
	while (dir && !found && (entry = readdir(dir)) != NULL) {
		if (!is_group(entry) || !strcmp(entry->d_name, but))
			continue;
		*mode = owner_mode(root, entry->d_name);
		found = *mode && overlaps(root, entry->d_name, l3, mask);
		if (found)
			snprintf(name, size, "group '%s'", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool has_directory(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)) != NULL)
		found = is_group(entry);
	if (dir)
		closedir(dir);
	return found;
}

bool resctrl_has_groups(const char *root)
{
	char path[PATH_ROOM];

	make_path(root, "", "mon_groups", path);
	return has_directory(root) || has_directory(path);
}
