// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The counters of energy, read from powercap's zones of packages.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/run/energy.h"

/* Zones of the driver's other interface (intel-rapl-mmio:0) have the same energy again. */
#define ZONE "intel-rapl:"
/* A zone at the top may also be the whole machine, psys, which the packages are a part of. */
#define PACKAGE "package-"

struct package {
	int fd;			/* of energy_uj */
	uint64_t range;		/* its largest value */
	uint64_t before;
};

struct energy {
	struct package *packages;
	size_t count;
	int err;		/* of the reading in energy_begin() */
};

/* ---- reading -------------------------------------------------------------------------------- */

/* The driver reads the counter anew for each pread from the beginning. */
static int read_number(int fd, uint64_t *value)
{
	char text[32], *end;
	ssize_t got;

	do
		got = pread(fd, text, sizeof(text) - 1, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	text[got] = '\0';
	errno = 0;
	*value = strtoull(text, &end, 10);
	return end == text || errno ? -EINVAL : 0;
}

static int read_file(const char *path, uint64_t *value)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = read_number(fd, value);
	close(fd);
	return err;
}

void energy_begin(struct energy *e)
{
	size_t i;

	e->err = 0;
	for (i = 0; !e->err && i < e->count; i++)
		e->err = read_number(e->packages[i].fd, &e->packages[i].before);
}

int energy_end(struct energy *e, double *joules)
{
	uint64_t now, used;
	size_t i;

	*joules = 0;
	for (i = 0; !e->err && i < e->count; i++) {
		struct package *p = &e->packages[i];

		e->err = read_number(p->fd, &now);
		if (e->err)
			break;
		used = now >= p->before ? now - p->before : p->range - p->before + now;
		*joules += (double)used / 1e6;
	}
	return e->err;
}

/* ---- finding the packages ------------------------------------------------------------------- */

static int say_nothing_there(const char *powercap, char *why, size_t size)
{
	snprintf(why, size, "no package in %s has a counter of energy: `modprobe intel_rapl_msr`, on "
		 "servers since Granite Rapids intel_rapl_tpmi; processors before Sandy Bridge and most "
		 "virtual machines have none", powercap);
	return -ENODEV;
}

static int say_unreadable(const char *path, int err, char *why, size_t size)
{
	bool refused = err == -EACCES || err == -EPERM;

	snprintf(why, size, "%s: %s%s", path, strerror(-err), refused ?
		 ": only root may read energy, since it tells of others' secrets (PLATYPUS); run pmuctl "
		 "as root, or have root run `chmod a+r` on that file" : "");
	return err;
}

static struct package *add_package(struct energy *e)
{
	struct package *grown = reallocarray(e->packages, e->count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	e->packages = grown;
	grown += e->count++;
	*grown = (struct package){ .fd = -1 };
	return grown;
}

/* A zone at the top, if it is a package. */
static int take_zone(struct energy *e, const char *zone, char *why, size_t size)
{
	struct package *p;
	char path[512], name[32];
	uint64_t value;
	int err;

	snprintf(path, sizeof(path), "%s/name", zone);
	if (!read_line(path, name, sizeof(name)) || strncmp(name, PACKAGE, strlen(PACKAGE)) != 0)
		return 0;
	p = add_package(e);
	if (!p) {
		snprintf(why, size, "out of memory");
		return -ENOMEM;
	}
	snprintf(path, sizeof(path), "%s/max_energy_range_uj", zone);
	err = read_file(path, &p->range);
	if (err)
		return say_unreadable(path, err, why, size);
	snprintf(path, sizeof(path), "%s/energy_uj", zone);
	p->fd = open(path, O_RDONLY | O_CLOEXEC);
	err = p->fd < 0 ? -errno : read_number(p->fd, &value);
	return err ? say_unreadable(path, err, why, size) : 0;
}

/* "intel-rapl:0", and not "intel-rapl:0:0", which is a part of it. */
static bool is_top_zone(const char *name)
{
	return !strncmp(name, ZONE, strlen(ZONE)) && !strchr(name + strlen(ZONE), ':');
}

static int take_zones(struct energy *e, const char *powercap, char *why, size_t size)
{
	DIR *dir = opendir(powercap);
	struct dirent *entry;
	char zone[400];
	int err = 0;

	if (!dir)
		return say_nothing_there(powercap, why, size);
	while (!err && (entry = readdir(dir))) {
		if (!is_top_zone(entry->d_name))
			continue;
		snprintf(zone, sizeof(zone), "%s/%s", powercap, entry->d_name);
		err = take_zone(e, zone, why, size);
	}
	closedir(dir);
	return err || e->count ? err : say_nothing_there(powercap, why, size);
}

int energy_open_at(const char *powercap, struct energy **e, char *why, size_t size)
{
	int err;

	*e = calloc(1, sizeof(**e));
	if (!*e) {
		snprintf(why, size, "out of memory");
		return -ENOMEM;
	}
	err = take_zones(*e, powercap, why, size);
	if (err) {
		energy_close(*e);
		*e = NULL;
	}
	return err;
}

int energy_open(struct energy **e, char *why, size_t size)
{
	return energy_open_at(ENERGY_POWERCAP, e, why, size);
}

void energy_close(struct energy *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; i < e->count; i++)
		if (e->packages[i].fd >= 0)
			close(e->packages[i].fd);
	free(e->packages);
	free(e);
}
