// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What there is to be counted: CPUs that are online, control groups that are there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/base/index.h"
#include "tools/base/proc.h"
#include "tools/exporter/exporter.h"

/* Who cannot be counted is tried again after that. */
#define RETRY_NS (10 * SECOND)

/* ---- CPUs ---------------------------------------------------------------------------------- */

static bool is_metered(const struct counts *c, unsigned int cpu)
{
	size_t i, j;

	for (i = 0; i < c->nr_meters; i++)
		for (j = 0; !c->meters[i]->path && j < c->meters[i]->count; j++)
			if (c->meters[i]->targets[j].cpu == cpu)
				return true;
	return false;
}

static void put_position(FILE *out, bool *first, unsigned int cpu, const char *label,
			 const char *file)
{
	char path[128], line[32];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, file);
	if (read_line(path, line, sizeof(line)))
		put_label(out, first, label, line);
}

/* NULL: no memory. */
static char *label_cpu(enum scope scope, unsigned int cpu)
{
	char *labels = NULL, number[16];
	bool first = true;
	size_t size;
	FILE *out = open_memstream(&labels, &size);

	if (!out)
		return NULL;
	if (scope == SCOPE_CPU) {
		snprintf(number, sizeof(number), "%u", cpu);
		put_label(out, &first, "cpu", number);
	}
	if (scope <= SCOPE_CORE) {
		put_position(out, &first, cpu, "core", "core_id");
		put_position(out, &first, cpu, "die", "die_id");
	}
	if (scope <= SCOPE_PACKAGE)
		put_position(out, &first, cpu, "package", "physical_package_id");
	return fclose(out) ? NULL : labels;
}

static int add_cpu(struct counts *c, struct meter *m, unsigned int cpu)
{
	char *labels = label_cpu(c->args->scope, cpu);
	struct place *place = labels ? places_get(&c->places, c->args->scope, labels) : NULL;

	free(labels);
	/* One that is left out is none. */
	return place ? meter_add(m, c, cpu, place) : 0;
}

/* One session for all that have come; a CPU that goes comes back in its session. */
int counts_meter_cpus(struct counts *c)
{
	unsigned int *cpus = NULL;
	size_t count = 0, i;
	struct meter *m;
	int err = online_cpus(&cpus, &count);

	m = err ? NULL : meter_new(NULL);
	if (!m) {
		free(cpus);
		return err ? err : -ENOMEM;
	}
	for (i = 0; !err && i < count; i++)
		if (!is_metered(c, cpus[i]))
			err = add_cpu(c, m, cpus[i]);
	free(cpus);
	if (!err && m->count)
		err = meter_begin(m, c, -1);
	if (err || !m->count || (err = counts_keep(c, m)))
		meter_free(m);
	return err;
}

/* ---- control groups ------------------------------------------------------------------------ */

static int survey(struct counts *c, struct cgroups *groups)
{
	const struct exporter_args *args = c->args;
	int code = 0;
	size_t i;

	for (i = 0; !code && i < args->cgroups.count; i++)
		code = cgroups_add_present("exporter", "-G", args->cgroups.texts[i], groups);
	for (i = 0; !code && i < args->units.count; i++)
		code = cgroups_add_units("exporter", "--unit", args->units.texts[i], groups);
	return code;
}

static struct place *place_of_group(struct counts *c, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct place *place;
	char *labels = NULL;
	bool first = true;
	size_t size;
	FILE *out = open_memstream(&labels, &size);

	if (!out)
		return NULL;
	put_label(out, &first, "cgroup", path);
	if (cgroup_is_unit(name))
		put_label(out, &first, "unit", name);
	if (fclose(out))
		return NULL;
	place = places_get(&c->places, SCOPE_CGROUP, labels);
	free(labels);
	return place;
}

void counts_say_why_not(struct counts *c, const char *what, const char *name)
{
	if (!counts_sessions(c) || !strcmp(c->why_not, c->reason))
		return;
	snprintf(c->why_not, sizeof(c->why_not), "%s", c->reason);
	complain("exporter", 0, "cannot count %s%s: %s; that is tried again", what, name, c->why_not);
}

static uint64_t inode_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_ino;
}

/* One that cannot be counted is kept without a session, to be tried again some time. */
static int begin_group(struct counts *c, struct meter *m, int fd)
{
	int err = meter_begin(m, c, fd);

	m->inode = inode_of(fd);
	m->targets[0].place->uncounted = err;
	if (!err)
		return 0;
	pmuctl_session_free(m->session);
	m->session = NULL;
	m->retry_ns = now_ns() + RETRY_NS;
	return err;
}

/* One that there is no room for on the page is left out, and that is no error. */
static int meter_group(struct counts *c, struct index *by_path, const char *path, int fd)
{
	struct place *place = place_of_group(c, path);
	struct meter *m;
	int err;

	if (!place)
		return c->places.nr_left ? 0 : -ENOMEM;
	m = meter_new(path);
	if (!m)
		return -ENOMEM;
	err = meter_add(m, c, 0, place);
	if (!err)
		err = counts_keep(c, m);
	if (err) {
		meter_free(m);
		return err;
	}
	if (!index_add(by_path, hash_text(path, 0), (uint32_t)c->nr_meters - 1))
		return -ENOMEM;
	m->there = true;
	return begin_group(c, m, fd);
}

/* A service that is started again has a new group by the old name. */
static int begin_again(struct counts *c, struct meter *m, int fd)
{
	if (m->session)
		meter_read(m, c);
	meter_end(m, c);
	return begin_group(c, m, fd);
}

/* What it counted until its end is read before. */
static void drop_gone(struct counts *c)
{
	size_t i = c->nr_meters;

	while (i--) {
		struct meter *m = c->meters[i];

		if (!m->path || m->there)
			continue;
		if (m->session)
			meter_read(m, c);
		counts_drop(c, i);
	}
}

static bool same_path(const void *data, uint32_t id, const void *key)
{
	const struct counts *c = data;

	return !strcmp(c->meters[id]->path, key);
}

static struct meter *find_meter(const struct counts *c, const struct index *by_path,
				const char *path)
{
	uint32_t id = index_find(by_path, hash_text(path, 0), same_path, c, path);

	return id == INDEX_NONE ? NULL : c->meters[id];
}

static int index_meters(struct counts *c, struct index *by_path)
{
	uint32_t i;

	for (i = 0; i < c->nr_meters; i++) {
		c->meters[i]->there = false;
		if (c->meters[i]->path &&
		    !index_add(by_path, hash_text(c->meters[i]->path, 0), i))
			return -ENOMEM;
	}
	return 0;
}

/* 0 or -errno. */
static int turn_group(struct counts *c, struct index *by_path, const char *path, int fd)
{
	struct meter *m = find_meter(c, by_path, path);

	if (!m && c->places.nr_left) {
		/* Who comes behind one that is left out is so, too, and need not ask. */
		c->places.more_left++;
		return 0;
	}
	if (!m)
		return meter_group(c, by_path, path, fd);
	m->there = true;
	if (m->inode != inode_of(fd))
		return begin_again(c, m, fd);
	return m->session || now_ns() < m->retry_ns ? 0 : begin_group(c, m, fd);
}

/* *err: the first reason why one of them cannot be counted, or 0. */
int counts_turn_groups(struct counts *c, int *err)
{
	struct cgroups groups = { .paths = NULL };
	struct index by_path = { .slots = NULL };
	int code = survey(c, &groups), one;
	size_t i;

	c->places.more_left = 0;
	*err = index_meters(c, &by_path);
	for (i = 0; !code && i < groups.count; i++) {
		one = turn_group(c, &by_path, groups.paths[i], groups.fds[i]);
		if (one && !*err) {
			*err = one;
			counts_say_why_not(c, "control group ", groups.paths[i]);
		}
		/* Without a module, or the right to count, the next one would hear the same. */
		if ((one == -ENOENT || one == -ENONET || one == -EPERM) && !counts_sessions(c))
			break;
	}
	if (!code)
		drop_gone(c);
	index_free(&by_path);
	cgroups_free(&groups);
	return code;
}
