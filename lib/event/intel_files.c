// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which of Intel's files are for this CPU: those that mapfile.csv names,
 * in the directory or above it; without one, all files of the directory.
 */
#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/event/intel.h"

#define PATH_ROOM 4096

/* "GenuineIntel-6-55-4": mapfile.csv has regular expressions for it. */
static void cpu_id(uint32_t signature, bool stepping, char *text, size_t size)
{
	int n = snprintf(text, size, "GenuineIntel-%X-%02X", signature_family(signature),
			 signature_model(signature));

	if (stepping)
		snprintf(text + n, size - (size_t)n, "-%X", signature & 0xf);
}

static bool matches(const char *pattern, const char *id)
{
	char whole[256];
	regex_t regex;
	bool found;

	snprintf(whole, sizeof(whole), "^(%s)$", pattern);
	if (regcomp(&regex, whole, REG_EXTENDED | REG_ICASE | REG_NOSUB))
		return false;
	found = !regexec(&regex, id, 0, NULL, 0);
	regfree(&regex);
	return found;
}

/*
 * Of hybrids each kind of core has a line ("hybridcore", "metrics"), and behind the type its kind
 * and make, as CPUID.1AH has them.
 */
static bool is_type(char *const fields[6], const struct pmu_facts *facts, const char *type)
{
	static const char hybrid[] = "hybrid";
	uint64_t kind, make;

	if (!fields[3])
		return false;
	if (strcmp(fields[3], type) != 0 &&
	    (strncmp(fields[3], hybrid, strlen(hybrid)) != 0 ||
	     strcmp(fields[3] + strlen(hybrid), type) != 0))
		return false;
	if (!fields[5] || !fields[4][0])
		return true;
	return parse_number(fields[4], 0xff, &kind) && parse_number(fields[5], 0xffffff, &make) &&
	       kind == core_kind(facts) && (!facts->core || make == core_make(facts));
}

/* Family-model,Version,Filename,EventType,...; false: none of this CPU's. */
static bool take_line(char *line, const struct pmu_facts *facts, const char *type, char **file)
{
	char *fields[6] = { NULL }, with[64], without[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		fields[i] = strsep(&line, ",\r\n");
	*file = fields[2];
	if (!is_type(fields, facts, type))
		return false;
	cpu_id(facts->signature, true, with, sizeof(with));
	cpu_id(facts->signature, false, without, sizeof(without));
	return matches(fields[0], with) || matches(fields[0], without);
}

/* The file that the map names for this CPU, below base; "" if none. */
static int look_up(struct pmuctl *ctx, const char *type, FILE *map, const char *base, char *path,
		   size_t size)
{
	struct pmu_facts facts;
	char *line = NULL, *file;
	size_t room = 0;
	int err = facts_get(ctx, &facts);

	path[0] = '\0';
	while (!err && !path[0] && getline(&line, &room, map) > 0)
		if (take_line(line, &facts, type, &file) &&
		    snprintf(path, size, "%s/%s", base, file + strspn(file, "/")) >= (int)size)
			err = fail(ctx, -EINVAL, "%s/mapfile.csv: a name is too long", base);
	free(line);
	return err;
}

static int not_mapped(struct pmuctl *ctx, const char *base)
{
	char id[64];

	cpu_id(ctx->facts.signature, true, id, sizeof(id));
	return fail(ctx, -EINVAL, "%s/mapfile.csv has no events for this CPU (%s)", base, id);
}

/* It may be there without the directories that the map has it in. */
static int read_mapped(struct pmuctl *ctx, struct intel *intel, const char *dir,
		       const char *mapped)
{
	char beside[PATH_ROOM];

	if (!access(mapped, F_OK))
		return intel_read_file(ctx, intel, mapped);
	snprintf(beside, sizeof(beside), "%s/%s", dir, strrchr(mapped, '/') + 1);
	if (!access(beside, F_OK))
		return intel_read_file(ctx, intel, beside);
	return fail(ctx, -EINVAL, "%s: mapfile.csv names it for this CPU, and it is not there",
		    mapped);
}

/* Of another processor's directory nothing may be taken. */
static bool is_below(const char *file, const char *dir)
{
	char *real_file = realpath(file, NULL), *real_dir = realpath(dir, NULL);
	size_t len = real_dir ? strlen(real_dir) : 0;
	bool below = real_file && real_dir && !strncmp(real_file, real_dir, len) &&
		     real_file[len] == '/';

	free(real_file);
	free(real_dir);
	return below;
}

static int read_by_map(struct pmuctl *ctx, struct intel *intel, const char *dir,
		       const char *base, FILE *map)
{
	bool metrics = intel->kind == INTEL_METRICS;
	char mapped[PATH_ROOM];
	int err = look_up(ctx, metrics ? "metrics" : "core", map, base, mapped, sizeof(mapped));

	if (err)
		return err;
	/* Of some processors there are none, and events may be there without. */
	if (metrics && (!mapped[0] || access(mapped, F_OK) || !is_below(mapped, dir)))
		return 0;
	if (!mapped[0])
		return not_mapped(ctx, base);
	if (!access(mapped, F_OK) && !is_below(mapped, dir))
		return fail(ctx, -EINVAL, "%s: it is not for this CPU, whose events are in %s",
			    dir, mapped);
	return read_mapped(ctx, intel, dir, mapped);
}

/* ---- without a map ---------------------------------------------------------- */

static int only_json(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 5 && !strcmp(entry->d_name + len - 5, ".json");
}

static int read_all(struct pmuctl *ctx, struct intel *intel, const char *dir)
{
	struct dirent **entries = NULL;
	char path[PATH_ROOM];
	int i, err = 0, n = scandir(dir, &entries, only_json, alphasort);

	if (n < 0)
		return fail(ctx, -EINVAL, "%s: %s", dir, strerror(errno));
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);
		if (!err)
			err = intel_read_file(ctx, intel, path);
		free(entries[i]);
	}
	free(entries);
	if (!err && !intel->count && intel->kind == INTEL_EVENTS)
		return fail(ctx, -EINVAL, "%s: there are no event files (*.json) in it, and no "
					  "mapfile.csv", dir);
	return err;
}

/* ---- both --------------------------------------------------------------------- */

static const char *const above[] = { "", "/..", "/../.." };

static int read_dir(struct pmuctl *ctx, struct intel *intel, const char *dir)
{
	char base[PATH_ROOM], path[PATH_ROOM + 16];
	FILE *map = NULL;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(above) && !map; i++) {
		snprintf(base, sizeof(base), "%s%s", dir, above[i]);
		snprintf(path, sizeof(path), "%s/mapfile.csv", base);
		map = fopen(path, "re");
		if (!map && errno != ENOENT)
			return fail(ctx, -EINVAL, "%s: %s", path, strerror(errno));
	}
	if (!map)
		return read_all(ctx, intel, dir);
	err = read_by_map(ctx, intel, dir, base, map);
	fclose(map);
	return err;
}

int intel_load(struct pmuctl *ctx, struct intel *intel, const char *path)
{
	struct stat st;

	if (strlen(path) > PATH_ROOM / 2)
		return fail(ctx, -EINVAL, "the name of the events directory is too long");
	if (stat(path, &st))
		return fail(ctx, -EINVAL, "%s: %s (--events-dir, PMUCTL_EVENTS_DIR)", path,
			    strerror(errno));
	return S_ISDIR(st.st_mode) ? read_dir(ctx, intel, path) :
				     intel_read_file(ctx, intel, path);
}
