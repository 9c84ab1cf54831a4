// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Control groups (version 2): found by name or pattern, and shown as people call them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/cgroups.h"

/* ---- by name ----------------------------------------------------------------------------- */

struct search {
	const char *cmd, *option;
	char root[256];		/* where the hierarchy is mounted */
	struct cgroups *groups;
	bool may_be_none;	/* what is not there is no mistake */
};

static int out_of_memory(const struct search *s)
{
	return complain(s->cmd, EXIT_FAILED, "out of memory");
}

static bool is_there(const struct cgroups *groups, const char *path)
{
	size_t i;

	for (i = 0; i < groups->count; i++)
		if (!strcmp(groups->paths[i], path))
			return true;
	return false;
}

static int grow(const struct search *s)
{
	struct cgroups *groups = s->groups;
	char **paths = reallocarray(groups->paths, groups->count + 1, sizeof(*paths));
	int *fds;

	if (!paths)
		return out_of_memory(s);
	groups->paths = paths;
	fds = reallocarray(groups->fds, groups->count + 1, sizeof(*fds));
	if (!fds)
		return out_of_memory(s);
	groups->fds = fds;
	return 0;
}

/* Of a folder below the root; one that is there already is not taken twice. */
static int add_folder(const struct search *s, const char *folder)
{
	const char *path = folder + strlen(s->root);
	struct cgroups *groups = s->groups;
	char *copy;
	int fd, code;

	while (path[0] == '/' && path[1] == '/')
		path++;
	if (!*path)
		path = "/";
	if (!s->may_be_none && is_there(groups, path))
		return 0;
	code = grow(s);
	if (code)
		return code;
	copy = strdup(path);
	if (!copy)
		return out_of_memory(s);
	/* A slash at the end is no part of the name. */
	while (strlen(copy) > 1 && copy[strlen(copy) - 1] == '/')
		copy[strlen(copy) - 1] = '\0';
	fd = !s->may_be_none && is_there(groups, copy) ? -EEXIST :
	     open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		/* One that was there a moment ago is gone as well. */
		if (fd != -EEXIST && !(s->may_be_none && errno == ENOENT))
			code = complain(s->cmd, EXIT_FAILED, "%s '%s': %s", s->option, copy,
					strerror(errno));
		free(copy);
		return code;
	}
	groups->paths[groups->count] = copy;
	groups->fds[groups->count++] = fd;
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Files of a group match a pattern as well: its folders are meant. */
static int add_matches(const struct search *s, const char *name, const glob_t *found)
{
	size_t i, folders = 0;
	int code = 0;

	for (i = 0; !code && i < found->gl_pathc; i++) {
		if (!is_folder(found->gl_pathv[i]))
			continue;
		folders++;
		code = add_folder(s, found->gl_pathv[i]);
	}
	if (code || folders || s->may_be_none)
		return code;
	return complain(s->cmd, EXIT_USAGE, "%s '%s': there is no such control group below %s "
			"(systemd-cgls lists them)", s->option, name, s->root);
}

static bool climbs(const char *name)
{
	const char *at = name;

	while ((at = strstr(at, "..")) != NULL) {
		if ((at == name || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return true;
		at += 2;
	}
	return false;
}

static int add_name(const struct search *s, const char *name)
{
	bool whole = !strncmp(name, s->root, strlen(s->root)) &&
		     (!name[strlen(s->root)] || name[strlen(s->root)] == '/');
	glob_t found = { .gl_pathc = 0 };
	char *pattern;
	int code, err;

	if (!*name || climbs(name))
		return complain(s->cmd, EXIT_USAGE, "%s '%s': not a path of a control group, like "
				"/system.slice", s->option, name);
	if (asprintf(&pattern, "%s%s%s", whole ? "" : s->root, whole || *name == '/' ? "" : "/",
		     name) < 0)
		return out_of_memory(s);
	/* A name may have what a pattern takes for its own: systemd's have backslashes. */
	if (is_folder(pattern)) {
		code = add_folder(s, pattern);
		free(pattern);
		return code;
	}
	err = glob(pattern, 0, NULL, &found);
	free(pattern);
	if (err == GLOB_NOMATCH && s->may_be_none)
		return 0;
	if (err && err != GLOB_NOMATCH)
		return complain(s->cmd, EXIT_FAILED, "%s '%s': %s cannot be searched: %s",
				s->option, name, s->root,
				err == GLOB_NOSPACE ? "out of memory" : strerror(errno));
	code = add_matches(s, name, &found);
	globfree(&found);
	return code;
}

/* Does it for each word of text, which are separated by commas. */
static int add_words(struct search *s, const char *text,
		     int (*add)(const struct search *s, const char *name))
{
	char *copy, *rest, *name;
	int code = 0;

	if (!mounted("cgroup2", s->root, sizeof(s->root)))
		return complain(s->cmd, EXIT_FAILED, "%s '%s': no hierarchy of control groups of "
				"version 2 is mounted (mount -t cgroup2 none /sys/fs/cgroup)",
				s->option, text);
	copy = rest = strdup(text);
	if (!copy)
		return out_of_memory(s);
	while (!code && (name = strsep(&rest, ",")) != NULL)
		code = add(s, name);
	free(copy);
	return code;
}

int cgroups_add(const char *cmd, const char *option, const char *text, struct cgroups *groups)
{
	struct search s = { .cmd = cmd, .option = option, .groups = groups };

	return add_words(&s, text, add_name);
}

int cgroups_add_present(const char *cmd, const char *option, const char *text,
			struct cgroups *groups)
{
	struct search s = { .cmd = cmd, .option = option, .groups = groups, .may_be_none = true };

	return add_words(&s, text, add_name);
}

/* ---- systemd's units --------------------------------------------------------------------- */

/* A group without groups in it has two links: its own name and ".". */
static bool is_leaf(const char *folder)
{
	struct stat st;

	return !stat(folder, &st) && st.st_nlink == 2;
}

static int add_units_below(const struct search *s, const char *folder, const char *pattern);

/* Of hundreds of them each second: nothing is asked that is known. */
static int look_at(const struct search *s, const char *folder, const struct dirent *entry,
		   const char *pattern)
{
	char *path;
	int code = 0;

	if (entry->d_name[0] == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
		return 0;
	if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
		return out_of_memory(s);
	if (entry->d_type == DT_DIR || is_folder(path)) {
		if (cgroup_is_unit(entry->d_name) &&
		    !fnmatch(pattern, entry->d_name, FNM_NOESCAPE))
			code = add_folder(s, path);
		if (!code)
			code = add_units_below(s, path, pattern);
	}
	free(path);
	return code;
}

/* One that goes while it is looked into is no mistake. */
static int add_units_below(const struct search *s, const char *folder, const char *pattern)
{
	DIR *dir = is_leaf(folder) ? NULL : opendir(folder);
	const struct dirent *entry;
	int code = 0;

	while (dir && !code && (entry = readdir(dir)))
		code = look_at(s, folder, entry, pattern);
	if (dir)
		closedir(dir);
	return code;
}

static int add_unit(const struct search *s, const char *name)
{
	if (!*name || strchr(name, '/') || !cgroup_is_unit(name))
		return complain(s->cmd, EXIT_USAGE, "%s '%s': not the name of a unit that has processes, "
				"like nginx.service (.service, .scope, .slice, .socket, .mount, .swap)",
				s->option, name);
	return add_units_below(s, s->root, name);
}

int cgroups_add_units(const char *cmd, const char *option, const char *text,
		      struct cgroups *groups)
{
	struct search s = { .cmd = cmd, .option = option, .groups = groups, .may_be_none = true };

	return add_words(&s, text, add_unit);
}

bool cgroup_is_unit(const char *name)
{
	static const char *const kinds[] = {
		"service", "scope", "slice", "socket", "mount", "swap",
	};
	const char *dot = strrchr(name, '.');
	size_t i;

	for (i = 0; dot && dot > name && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(dot + 1, kinds[i]))
			return true;
	return false;
}

void cgroups_free(struct cgroups *groups)
{
	while (groups->count) {
		close(groups->fds[--groups->count]);
		free(groups->paths[groups->count]);
	}
	free(groups->paths);
	free(groups->fds);
}

/* ---- as people call them ------------------------------------------------------------------ */

/* How many of its digits docker and podman show. */
#define ID_SHOWN 12
#define ID_DIGITS 64

/* What container managers call the groups of their containers. */
static const struct {
	const char *before;	/* the name or the number; at a '/' or within a component */
	const char *after;
	const char *shown;
	bool number;		/* of ID_DIGITS */
} managers[] = {
	{ "/docker-", ".scope", "docker", true },
	{ "/docker/", "", "docker", true },
	{ "/libpod-", ".scope", "podman", true },
	{ "/libpod-", "", "podman", true },
	{ "/cri-containerd-", ".scope", "containerd", true },
	{ "/crio-", ".scope", "cri-o", true },
	{ "/lxc.payload.", "", "lxc", false },
	{ "/machine-", ".scope", "machine", false },
	{ "/systemd-nspawn@", ".service", "machine", false },
};

/* systemd writes what a name may not have as \xNN. */
static void unescape(const char *from, size_t len, char *to, size_t size)
{
	size_t at = 0, i;
	unsigned int c;

	for (i = 0; i < len && at + 1 < size; i++) {
		if (len - i >= 4 && !strncmp(from + i, "\\x", 2) &&
		    sscanf(from + i + 2, "%2x", &c) == 1 && c >= ' ' && c < 127) {
			to[at++] = (char)c;
			i += 3;
		} else {
			to[at++] = from[i];
		}
	}
	to[at] = '\0';
}

/* The length of the component at name without `after`, if it is one of that kind; 0: it is not. */
static size_t fits(const char *name, const char *after, bool number)
{
	size_t len = strcspn(name, "/"), end = strlen(after);

	if (len <= end || strncmp(name + len - end, after, end) != 0)
		return 0;
	len -= end;
	if (number && (len != ID_DIGITS || strspn(name, "0123456789abcdef") < len))
		return 0;
	return len;
}

/* The innermost container in the path: what follows it are groups of its own. */
const char *cgroup_label(const char *path, char *text, size_t size)
{
	const char *slash, *name = NULL, *rest = NULL;
	char shown[128] = "";
	size_t i, len;

	for (slash = path; slash; slash = strchr(slash + 1, '/'))
		for (i = 0; i < ARRAY_SIZE(managers); i++) {
			if (strncmp(slash, managers[i].before, strlen(managers[i].before)) != 0)
				continue;
			name = slash + strlen(managers[i].before);
			len = fits(name, managers[i].after, managers[i].number);
			if (!len)
				continue;
			rest = name + strcspn(name, "/");
			unescape(name, managers[i].number ? ID_SHOWN : len, shown, sizeof(shown));
			snprintf(text, size, "%s/%s%s", managers[i].shown, shown, rest);
		}
	return rest ? text : path;
}
