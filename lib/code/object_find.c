// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where a file of code is on this machine: by its name, in the mount namespace of a process
 * that had it, or by its build-id; and taken only if it is the one that was recorded.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/debuginfod.h"
#include "lib/code/object.h"

/* ---- by name ---------------------------------------------------------------------------- */

/* Below another root numbers of files mean nothing. */
static bool open_named(const char *root, const struct dso *dso, bool check,
		       struct elf_file *file, const char **why)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.2000s%.2000s", root, dso->name);
	if (check && !dso->id.size && !object_is_file(path, &dso->file)) {
		*why = "another file has its name here";
		return false;
	}
	return elf_file_open(path, &dso->id, file, why);
}

/* As its own process sees it, while that lives; pids come again, so the file has to be proved. */
static bool open_at_process(const struct dso *dso, struct elf_file *file)
{
	char root[32];
	const char *why;

	if (!dso->pid || (!dso->id.size && !dso->file.inode))
		return false;
	snprintf(root, sizeof(root), "/proc/%u/root", dso->pid);
	return open_named(root, dso, true, file, &why);
}

/* ---- by build-id ------------------------------------------------------------------------ */

/* "TOP/.build-id/12/3456BEHIND" */
static bool open_id(const char *top, const char *digits, const char *behind,
		    const struct build_id *id, struct elf_file *file)
{
	char path[PATH_MAX];
	const char *why;

	snprintf(path, sizeof(path), "%.3000s/.build-id/%.2s/%.100s%s", top, digits, digits + 2,
		 behind);
	return elf_file_open(path, id, file, &why);
}

static bool begins(const char *name, const char *with)
{
	while (*with && *name == *with) {
		name++;
		with++;
	}
	return !*with;
}

/* What a file has of an id is padded or cut: names that begin like it. */
static bool open_alike(const char *top, const char *bare, const char *behind,
		       const struct build_id *id, struct elf_file *file)
{
	const struct dirent *entry;
	char path[PATH_MAX];
	bool found = false;
	const char *why;
	DIR *dir;

	snprintf(path, sizeof(path), "%.3000s/.build-id/%.2s", top, bare);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		if (!begins(entry->d_name, bare + 2))
			continue;
		snprintf(path, sizeof(path), "%.3000s/.build-id/%.2s/%.255s%s", top, bare,
			 entry->d_name, *behind == '.' ? "" : behind);
		found = elf_file_open(path, id, file, &why);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool open_by_id(const char *top, const char *behind, const struct build_id *id,
		       struct elf_file *file)
{
	char digits[2 * BUILD_ID_MAX + 1], bare[2 * BUILD_ID_MAX + 1];

	build_id_text(id, false, digits);
	build_id_text(id, true, bare);
	/* Not worth a directory: nobody has such ids. */
	if (strlen(bare) < 4)
		return false;
	return open_id(top, digits, behind, id, file) || open_alike(top, bare, behind, id, file);
}

/* perf keeps what it recorded below ~/.debug. */
static bool open_kept(const struct build_id *id, const char *behind, struct elf_file *file)
{
	const char *home = secure_getenv("HOME");
	char top[PATH_MAX];

	if (!home || !id->size)
		return false;
	snprintf(top, sizeof(top), "%.3000s/.debug", home);
	return open_by_id(top, behind, id, file);
}

static bool open_debug(const struct pmuctl_data *data, const struct build_id *id,
		       struct elf_file *file)
{
	char top[PATH_MAX];

	if (!id->size)
		return false;
	if (data->where.symfs) {
		snprintf(top, sizeof(top), "%.3000s" DEBUG_FILES, data->where.symfs);
		if (open_by_id(top, ".debug", id, file))
			return true;
	}
	return open_by_id(DEBUG_FILES, ".debug", id, file) || open_kept(id, "/debug", file);
}

static bool open_fetched(const struct pmuctl_data *data, const struct build_id *id, bool debug,
			 struct elf_file *file)
{
	char *path = debuginfod_fetch(data, id, debug);
	const char *why;
	bool found = path && elf_file_open(path, id, file, &why);

	free(path);
	return found;
}

bool object_find_debug(const struct pmuctl_data *data, const struct build_id *id,
		       struct elf_file *file)
{
	return open_debug(data, id, file) || open_fetched(data, id, true, file);
}

/*
 * Of a file that is not here nothing but the recording says that its build-id is anybody's:
 * others are asked for it only if the user said so.
 */
static bool open_from_afar(const struct pmuctl_data *data, const struct dso *dso,
			   struct elf_file *file)
{
	return data->where.download && (open_fetched(data, &dso->id, false, file) ||
					open_fetched(data, &dso->id, true, file));
}

/* That of 32 bits lies beside the modules of its kernel. */
static bool open_installed(const struct pmuctl_data *data, const struct dso *dso,
			   struct elf_file *file)
{
	const char *release = data->info.release, *why;
	char path[PATH_MAX];

	if (strcmp(dso->name, DSO_VDSO32) != 0 || !*release || strchr(release, '/'))
		return false;
	snprintf(path, sizeof(path), "/lib/modules/%.200s/vdso/vdso32.so", release);
	return elf_file_open(path, &dso->id, file, &why);
}

bool object_find_vdso(const struct pmuctl_data *data, const struct dso *dso,
		      struct elf_file *file)
{
	char path[PATH_MAX];
	const char *why;

	if (data->where.symfs) {
		snprintf(path, sizeof(path), "%.3000s/%s", data->where.symfs, dso->name);
		if (elf_file_open(path, &dso->id, file, &why))
			return true;
	}
	return open_installed(data, dso, file) || open_kept(&dso->id, "/vdso", file);
}

bool object_find(struct pmuctl_data *data, struct dso *dso, struct elf_file *file)
{
	const char *symfs = data->where.symfs;

	if (open_named(symfs ? symfs : "", dso, !symfs, file, &dso->why) ||
	    (!symfs && open_at_process(dso, file)) || open_kept(&dso->id, "/elf", file) ||
	    open_debug(data, &dso->id, file) || open_from_afar(data, dso, file)) {
		dso->why = NULL;
		return true;
	}
	return false;
}
