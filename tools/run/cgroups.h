/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups (version 2) as they are named on a command line and shown.
 */
#ifndef PMUCTL_CGROUPS_H
#define PMUCTL_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

struct cgroups {
	char **paths;	/* from the root of the hierarchy on: "/system.slice" */
	int *fds;	/* of their folders */
	size_t count;
};

/*
 * Adds the groups of text, which are separated by commas: paths from the root of the hierarchy on,
 * with or without a slash in front, or with the folder that it is mounted at.  Each may be a
 * pattern of a shell, in alphabetical order of what it matches.  0, or the exit code after a
 * complaint that names option and group.
 */
int cgroups_add(const char *cmd, const char *option, const char *text, struct cgroups *groups);
/*
 * The same, for who asks again and again: what is not there now is no mistake, and a group that
 * several of them name is added several times.
 */
int cgroups_add_present(const char *cmd, const char *option, const char *text,
			struct cgroups *groups);
/*
 * Likewise, by names of systemd's units or patterns of these, wherever in the hierarchy they are:
 * "nginx.service,user-*.slice".
 */
int cgroups_add_units(const char *cmd, const char *option, const char *text,
		      struct cgroups *groups);
/* Whether a group of that name is a unit's. */
bool cgroup_is_unit(const char *name);
void cgroups_free(struct cgroups *groups);

/* How people call the group: a container's name, where the path is a container's; else the path. */
const char *cgroup_label(const char *path, char *text, size_t size);

#endif
