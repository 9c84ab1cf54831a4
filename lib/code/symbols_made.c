// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols of code that a program made itself, from /tmp/perf-PID.map, as
 * just-in-time compilers leave them: "START SIZE NAME", hexadecimal.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "lib/code/code.h"
#include "lib/code/perf_features.h"

#define BEFORE_PID "/tmp/perf-"

/* A program below a directory like /tmp/perf-tests is a file as any other. */
bool symbols_are_made(const char *dso)
{
	const char *pid = dso + strlen(BEFORE_PID);
	size_t digits;

	if (strncmp(dso, BEFORE_PID, strlen(BEFORE_PID)) != 0)
		return false;
	digits = strspn(pid, "0123456789");
	return digits && !strcmp(pid + digits, ".map");
}

static void read_line(struct pmuctl_data *data, struct dso *dso, const char *line)
{
	uint64_t start, size;
	int at = 0;
	const char *name;
	size_t len;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &start, &size, &at) < 2 || !at)
		return;
	len = strcspn(line + at, "\n");
	name = len ? strings_add(&data->strings, line + at, len) : NULL;
	if (!name)
		return;
	symbol_table_add(&dso->table, &(struct symbol){
		.start = start,
		.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
		.name = name,
		.rank = SYMBOL_GLOBAL,
	});
}

/* ---- whose it is ---------------------------------------------------------------------------- */

/* The process that made the code, as far as it is known. */
struct maker {
	uint32_t pid;
	bool lives;		/* and has since before the recording ended */
	uint32_t inner;		/* its number in its own namespace */
	bool known;
	uid_t user;
};

/* When it was started, in seconds since 1970; -1: it is not there. */
static int64_t started(uint32_t pid)
{
	char path[64], text[1024], *at;
	long long boot = 0, ticks = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	f = fopen(path, "re");
	at = f && fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	if (f)
		fclose(f);
	/* Behind the name the 20th. */
	if (!at || sscanf(at + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			  "%*s %*s %*s %*s %lld", &ticks) != 1)
		return -1;
	f = fopen("/proc/stat", "re");
	while (f && fgets(text, sizeof(text), f))
		if (sscanf(text, "btime %lld", &boot) == 1)
			break;
	if (f)
		fclose(f);
	return boot + ticks / sysconf(_SC_CLK_TCK);
}

/* The last of its numbers is the one it knows itself. */
static uint32_t inner_pid(uint32_t pid)
{
	char path[64], line[512];
	uint32_t inner = pid;
	const char *last;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "NSpid:", 6) != 0)
			continue;
		last = strrchr(line, '\t');
		inner = last ? (uint32_t)strtoul(last, NULL, 10) : pid;
	}
	if (f)
		fclose(f);
	return inner;
}

static void find_maker(const struct pmuctl_data *data, uint32_t pid, struct maker *m)
{
	int64_t since;
	char path[64];
	struct stat st;
	size_t i;

	*m = (struct maker){ .pid = pid, .inner = pid };
	for (i = 0; i < data->owners_count && !m->known; i++) {
		m->known = data->owners[i].pid == m->pid;
		m->user = data->owners[i].user;
	}
	if (data->where.symfs)
		return;
	since = started(m->pid);
	snprintf(path, sizeof(path), "/proc/%u", m->pid);
	/* Its number may be another's by now. */
	if (since < 0 || since > data->written || stat(path, &st))
		return;
	m->lives = true;
	if (!m->known)
		m->user = st.st_uid;
	m->known = true;
	m->inner = inner_pid(m->pid);
}

/* ---- the file ------------------------------------------------------------------------------- */

static const char *refuse(struct pmuctl_data *data, const char *path, const struct maker *m,
			  uid_t owner)
{
	char text[256];

	if (m->known)
		snprintf(text, sizeof(text), "%.100s is of user %u, and the process was user %u's",
			 path, owner, m->user);
	else
		snprintf(text, sizeof(text), "%.100s is of user %u, and whose process it was is "
			 "not known; chown it to be taken", path, owner);
	return strings_add(&data->strings, text, strlen(text));
}

/* Anybody may write to /tmp: only what we, root or the process itself left there is believed. */
static FILE *open_own(struct pmuctl_data *data, struct dso *dso, const char *path,
		      const struct maker *m)
{
	int fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	FILE *f = NULL;

	if (fd < 0 || fstat(fd, &st)) {
		dso->why = symbols_are_made(dso->name) ? "no /tmp/perf-PID.map names its code" :
							 "it is not here";
	} else if (!S_ISREG(st.st_mode)) {
		dso->why = symbols_are_made(dso->name) ?
			   "its /tmp/perf-PID.map is no regular file" :
			   "it is no regular file";
	} else if (st.st_uid && st.st_uid != geteuid() && !(m->known && st.st_uid == m->user)) {
		dso->why = refuse(data, path, m, st.st_uid);
	} else {
		char again[32];
		int opened;

		snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
		opened = open_linked(again);
		f = opened < 0 ? NULL : fdopen(opened, "re");
		dso->why = f ? NULL : symbols_are_made(dso->name) ?
			   "its /tmp/perf-PID.map cannot be read" :
			   "it cannot be read";
	}
	if (fd >= 0)
		close(fd);
	return f;
}

/*
 * Below the root that the process has, by the number that it has there; else by its name here.  A
 * jit-PID.dump is mapped by the name that it has in there.
 */
FILE *made_open(struct pmuctl_data *data, struct dso *dso, uint32_t pid)
{
	const char *root = data->where.symfs;
	char path[PATH_MAX];
	struct maker m;
	FILE *f = NULL;

	find_maker(data, pid, &m);
	if (m.lives && symbols_are_made(dso->name))
		snprintf(path, sizeof(path), "/proc/%u/root" BEFORE_PID "%u.map", m.pid, m.inner);
	else if (m.lives)
		snprintf(path, sizeof(path), "/proc/%u/root%.3000s", m.pid, dso->name);
	if (m.lives)
		f = open_own(data, dso, path, &m);
	if (!f && !(m.lives && !access(path, F_OK))) {
		snprintf(path, sizeof(path), "%.3000s%s", root ? root : "", dso->name);
		f = open_own(data, dso, path, &m);
	}
	if (f)
		dso->made = strings_add(&data->strings, path, strlen(path));
	return f;
}

void symbols_read_made(struct pmuctl_data *data, struct dso *dso)
{
	FILE *f = made_open(data, dso, (uint32_t)strtoul(dso->name + strlen(BEFORE_PID), NULL, 10));
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0)
		read_line(data, dso, line);
	free(line);
	if (f)
		fclose(f);
}
