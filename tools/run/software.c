// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names of what Linux counts itself, and the numbers of its tracepoints.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/software.h"

/* Where what is counted happens, as far as Linux tells. */
enum rings {
	RINGS_BOTH,	/* each by itself, by what the processor did when it came */
	RINGS_KERNEL,	/* the kernel does it */
	RINGS_UNKNOWN,	/* time goes by in both, and is not told apart */
};

static const struct kind {
	const char *name, *other;	/* other: NULL, or perf's short one */
	uint64_t config;
	enum rings rings;
	bool clock, never;		/* never: not on x86 */
	const char *text;
} kinds[] = {
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS, RINGS_BOTH, .never = true,
	  .text = "Unaligned accesses that the kernel does; on x86 it never has to" },
	{ "cgroup-switches", NULL, PERF_COUNT_SW_CGROUP_SWITCHES, RINGS_KERNEL,
	  .text = "Context switches to a task of another cgroup (Linux 5.13)" },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, RINGS_KERNEL,
	  .text = "A task is taken off a CPU for another one" },
	{ "cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK, RINGS_UNKNOWN, .clock = true,
	  .text = "Time that a CPU, or a task on one, was counted, by the CPU's clock" },
	{ "cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS, RINGS_KERNEL,
	  .text = "A task goes to another CPU" },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS, RINGS_BOTH, .never = true,
	  .text = "Instructions that the kernel does instead of the CPU; on x86 it counts none" },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, RINGS_BOTH,
	  .text = "Page faults that wait for a disk" },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, RINGS_BOTH,
	  .text = "Page faults that find what they need in memory" },
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, RINGS_BOTH,
	  .text = "Accesses to pages that were not mapped, minor and major" },
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, RINGS_UNKNOWN, .clock = true,
	  .text = "Time that a task was on a CPU" },
};

/* ---- modifiers ---------------------------------------------------------------------------- */

/* text: "" or ":" and letters, several times.  Which rings are asked for; none is both. */
static int take_rings(const char *text, bool *user, bool *kernel, char *why, size_t size)
{
	const char *c;

	*user = *kernel = false;
	for (c = text; *c; c++) {
		*user |= *c == 'u';
		*kernel |= *c == 'k';
		if (!strchr(":uk", *c) || (*c == ':' && (!c[1] || c[1] == ':'))) {
			snprintf(why, size, "'%s': events of Linux's software take the modifiers u "
				 "and k alone", text);
			return -EINVAL;
		}
	}
	if (!*user && !*kernel)
		*user = *kernel = true;
	return 0;
}

/* The kernel would take it, and count none. */
static int refuse_user(const char *what, char *why, size_t size)
{
	snprintf(why, size, "':u': %s in the kernel, and in user mode there are none; leave it away",
		 what);
	return -EINVAL;
}

/* ---- those with a name of their own --------------------------------------------------------- */

static bool is_name(const char *text, size_t len, const char *name)
{
	return name && strlen(name) == len && !memcmp(text, name, len);
}

static int set_rings(const struct kind *k, bool user, bool kernel, struct software_event *event,
		     char *why, size_t size)
{
	switch (k->rings) {
	case RINGS_BOTH:
		event->no_user = !user;
		event->no_kernel = !kernel;
		return 0;
	case RINGS_KERNEL:
		return kernel ? 0 : refuse_user("these happen", why, size);
	case RINGS_UNKNOWN:
		/* It says nothing to a clock, and takes less privilege. */
		event->no_kernel = true;
		if (!user || !kernel)
			event->remark = "of both rings: Linux does not tell their time apart";
		return 0;
	}
	return 0;
}

int software_find(const char *text, struct software_event *event, char *why, size_t size)
{
	size_t len = strcspn(text, ":"), i;
	bool user, kernel;
	int err;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct kind *k = &kinds[i];

		if (!is_name(text, len, k->name) && !is_name(text, len, k->other))
			continue;
		*event = (struct software_event){
			.type = PERF_TYPE_SOFTWARE, .config = k->config, .clock = k->clock,
			.text = k->text,
			.remark = k->never ? "Linux counts none on x86" : NULL,
		};
		err = take_rings(text + len, &user, &kernel, why, size);
		return err ? err : set_rings(k, user, kernel, event, why, size);
	}
	return -ENOENT;
}

static bool matches(const char *pattern, const char *name)
{
	if (!pattern || strcasestr(name, pattern))
		return true;
	return strpbrk(pattern, "*?[") && !fnmatch(pattern, name, FNM_CASEFOLD);
}

void software_list(const char *pattern, software_fn *fn, void *data)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (matches(pattern, kinds[i].name))
			fn(data, kinds[i].name, kinds[i].text);
		if (kinds[i].other && matches(pattern, kinds[i].other))
			fn(data, kinds[i].other, kinds[i].text);
	}
}

/* ---- tracepoints ---------------------------------------------------------------------------- */

static const char *const tracefs[] = {
	"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
};

/* Of "sched:sched_switch:k" the lengths of the first two words; both are 0 if it is no such. */
struct tracepoint {
	const char *system, *name;
	int system_len, name_len;
};

static int word_length(const char *text)
{
	int len = 0;

	while (isalnum((unsigned char)text[len]) || text[len] == '_' || text[len] == '-')
		len++;
	return len;
}

static bool split(const char *text, struct tracepoint *t)
{
	t->system = text;
	t->system_len = word_length(text);
	if (!t->system_len || text[t->system_len] != ':')
		return false;
	t->name = text + t->system_len + 1;
	t->name_len = word_length(t->name);
	return t->name_len && (!t->name[t->name_len] || t->name[t->name_len] == ':');
}

/* The number in its file, or -errno. */
static long read_id(const char *events, const struct tracepoint *t)
{
	char path[512], text[32];
	ssize_t got;
	int fd, err;

	snprintf(path, sizeof(path), "%s/%.*s/%.*s/id", events, t->system_len, t->system,
		 t->name_len, t->name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, sizeof(text) - 1);
	err = got < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	text[got] = '\0';
	return isdigit((unsigned char)text[0]) ? strtol(text, NULL, 10) : -EIO;
}

/* Where Linux knows the group, the name is what is wrong; elsewhere it may be no tracepoint. */
static int none_there(const char *events, const struct tracepoint *t, int err, char *why,
		      size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%.*s", events, t->system_len, t->system);
	if (err == -ENOENT && !access(path, F_OK))
		snprintf(why, size, "Linux has no tracepoint '%.*s' in '%.*s'; `ls %s` has those that "
			 "it has", t->name_len, t->name, t->system_len, t->system, path);
	else if (err != -ENOENT)
		snprintf(why, size, "no event of the cores' PMU; whether Linux has a tracepoint of that "
			 "name, and which, is not to be seen here: %s: %s", events, strerror(-err));
	else if (access(events, F_OK))
		snprintf(why, size, "no event of the cores' PMU; whether Linux has a tracepoint of that "
			 "name is not to be seen here: %s is not there; `mount -t tracefs tracefs "
			 "/sys/kernel/tracing`", events);
	return -ENOENT;
}

int software_find_tracepoint_at(const char *events, const char *text,
				struct software_event *event, char *why, size_t size)
{
	bool user, kernel;
	struct tracepoint t;
	long id;
	int err;

	*why = '\0';
	if (!split(text, &t))
		return -ENOENT;
	id = read_id(events, &t);
	if (id < 0)
		return none_there(events, &t, (int)id, why, size);
	*event = (struct software_event){
		.type = PERF_TYPE_TRACEPOINT, .config = (uint64_t)id, .text = "A tracepoint of Linux",
	};
	err = take_rings(t.name + t.name_len, &user, &kernel, why, size);
	if (err)
		return err;
	return kernel ? 0 : refuse_user("tracepoints are", why, size);
}

int software_find_tracepoint(const char *text, struct software_event *event, char *why,
			     size_t size)
{
	/* Older kernels, and those who mount it themselves, have it with the debug files alone. */
	bool debug = access(tracefs[0], F_OK) && !access(tracefs[1], F_OK);

	return software_find_tracepoint_at(tracefs[debug], text, event, why, size);
}
