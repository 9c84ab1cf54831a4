// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who may hold the PMU besides the module: the NMI watchdog, and processes
 * that have perf events open.  The kernel tells neither directly.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"

#define PERF_LINK "anon_inode:[perf_event]"

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
static int count_events(pid_t pid)
{
	char path[64], link[64];
	struct dirent *entry;
	int events = 0;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	if (!dir)
		/* Gone by now is not "may not look". */
		return errno == ENOENT ? 0 : -1;
	while ((entry = readdir(dir))) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): it has one */
		len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link));
		if (len == (ssize_t)strlen(PERF_LINK) && !memcmp(link, PERF_LINK, (size_t)len))
			events++;
	}
	closedir(dir);
	return events;
}

/* Who is told of the holders. */
struct asker {
	void (*fn)(void *data, const struct holder *holder);
	void *data;
	unsigned int hidden;
};

static int look_at_process(void *data, pid_t pid)
{
	struct holder h = { .pid = pid, .comm = "?" };
	struct asker *asker = data;
	int events = count_events(pid);

	asker->hidden += events < 0;
	if (events <= 0)
		return 0;
	h.events = (unsigned int)events;
	task_name(pid, h.comm, sizeof(h.comm));
	asker->fn(asker->data, &h);
	return 0;
}

unsigned int perf_holders(void (*fn)(void *data, const struct holder *holder), void *data)
{
	struct asker asker = { .fn = fn, .data = data };

	each_process(look_at_process, &asker);
	return asker.hidden;
}
