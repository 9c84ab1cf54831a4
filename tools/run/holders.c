// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who may hold the PMU besides the module: the NMI watchdog, and processes
 * that have perf events open.  The kernel tells neither directly.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"

#define PERF_LINK "anon_inode:[perf_event]"

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

bool has_proc(void)
{
	return !access("/proc/self", F_OK);
}

bool watchdog_enabled(void)
{
	char line[16];

	return read_line("/proc/sys/kernel/nmi_watchdog", line, sizeof(line)) && line[0] == '1';
}

void watchdog_warn(const char *cmd, bool enabled_before)
{
	if (!enabled_before && watchdog_enabled())
		complain(cmd, 0, "warning: the NMI watchdog was turned on meanwhile "
			 "(kernel.nmi_watchdog=1), but no CPU has a counter for it, so that it "
			 "watches nothing; " WATCHDOG_AGAIN " turns it on");
}

/* The perf events that a process has open, -1 if we may not look. */
static int count_events(const char *pid)
{
	char path[64], link[64];
	struct dirent *entry;
	int events = 0;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	dir = opendir(path);
	if (!dir)
		/* Gone by now is not "may not look". */
		return errno == ENOENT ? 0 : -1;
	while ((entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link));
		if (len == (ssize_t)strlen(PERF_LINK) && !memcmp(link, PERF_LINK, (size_t)len))
			events++;
	}
	closedir(dir);
	return events;
}

unsigned int perf_holders(void (*fn)(void *data, const struct holder *holder), void *data)
{
	unsigned int hidden = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	char path[64];
	int events;

	if (!proc)
		return 0;
	while ((entry = readdir(proc))) {
		struct holder h = { .comm = "?" };

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		events = count_events(entry->d_name);
		hidden += events < 0;
		if (events <= 0)
			continue;
		h.pid = atoi(entry->d_name);
		h.events = (unsigned int)events;
		snprintf(path, sizeof(path), "/proc/%.16s/comm", entry->d_name);
		read_line(path, h.comm, sizeof(h.comm));
		fn(data, &h);
	}
	closedir(proc);
	return hidden;
}
