// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting what Linux counts itself: a descriptor for each event and task or CPU.  Those of one
 * task or CPU are a group, so that they begin and end at one moment.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/run/events.h"
#include "tools/run/software.h"
#include "tools/run/software_count.h"
#include "tools/run/targets.h"

/* So often threads may come while those of a process are gone through. */
#define TRIES 20
/* More descriptors than that, and the limit is looked at first. */
#define FEW_FILES 128

/* Of tasks, or of CPUs. */
struct numbers {
	int *list;
	size_t count;
};

struct software {
	const struct software_options *options;
	struct events *events;
	size_t count;		/* of events */
	bool cpus;		/* the targets are CPUs, not tasks */
	size_t cgroup_cpus;	/* or so many CPUs for each control group; 0: there is none */
	struct numbers targets;
	int *fds;		/* a target's follow each other; -1: none */
	uint32_t flags;		/* enum pmuctl_value_flag, of all values */
	size_t places[];	/* of the events, in the list */
};

static int *fd_of(const struct software *sw, size_t target, size_t event)
{
	return &sw->fds[target * sw->count + event];
}

static int out_of_memory(const struct software *sw)
{
	return complain(sw->options->cmd, EXIT_FAILED, "out of memory");
}

static void close_all(struct software *sw)
{
	size_t i;

	for (i = 0; sw->fds && i < sw->targets.count * sw->count; i++)
		if (sw->fds[i] >= 0)
			close(sw->fds[i]);
	free(sw->fds);
	sw->fds = NULL;
}

void software_close(struct software *sw)
{
	if (!sw)
		return;
	close_all(sw);
	free(sw->targets.list);
	free(sw);
}

/* ---- whose they are ------------------------------------------------------------------------- */

static int add_number(void *data, int number)
{
	struct numbers *n = data;
	int *grown = reallocarray(n->list, n->count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	n->list = grown;
	grown[n->count++] = number;
	return 0;
}

/* again: a process that has ended meanwhile has no threads. */
static int add_processes(const struct software *sw, struct numbers *n, bool again)
{
	const struct targets *t = sw->options->targets;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < t->nr_pids; i++) {
		err = each_thread(t->pids[i], add_number, n);
		if (err == -ESRCH && again)
			err = 0;
		else if (err == -ESRCH)
			return complain(sw->options->cmd, EXIT_FAILED, "there is no process %d",
					(int)t->pids[i]);
	}
	return err ? complain(sw->options->cmd, EXIT_FAILED, "cannot list the threads of '%s': %s",
			      t->text, strerror(-err)) : 0;
}

/* Each group on each CPU. */
static int add_cgroups(struct software *sw, struct numbers *n)
{
	unsigned int *cpus = NULL;
	size_t count = 0, i, j;
	int err = online_cpus(&cpus, &count);

	sw->cpus = true;
	sw->cgroup_cpus = count;
	for (i = 0; i < sw->options->targets->cgroups.count; i++)
		for (j = 0; !err && j < count; j++)
			err = add_number(n, (int)cpus[j]);
	free(cpus);
	return err;
}

static int list_targets(struct software *sw, struct numbers *n)
{
	const struct targets *t = sw->options->targets;
	size_t i;
	int err = 0;

	if (sw->options->threads) {
		for (i = 0; !err && i < sw->options->nr_threads; i++)
			err = add_number(n, (int)sw->options->threads[i]);
		return err ? out_of_memory(sw) : 0;
	}
	switch (t->kind) {
	case TARGET_COMMAND:
		err = add_number(n, sw->options->child);
		break;
	case TARGET_ALL_CPUS:
	case TARGET_CPUS:
		sw->cpus = true;
		for (i = 0; !err && i < t->nr_cpus; i++)
			err = add_number(n, (int)t->cpus[i]);
		break;
	case TARGET_THREADS:
		for (i = 0; !err && i < t->nr_pids; i++)
			err = add_number(n, (int)t->pids[i]);
		break;
	case TARGET_PROCESSES:
		return add_processes(sw, n, false);
	case TARGET_CGROUPS:
		err = add_cgroups(sw, n);
		break;
	}
	return err ? out_of_memory(sw) : 0;
}

/* Threads that came since; those of before may have ended. */
static bool have_come(const struct numbers *before, const struct numbers *now)
{
	size_t i, j;

	for (i = 0; i < now->count; i++) {
		for (j = 0; j < before->count && before->list[j] != now->list[i]; j++)
			;
		if (j == before->count)
			return true;
	}
	return false;
}

/* ---- opening -------------------------------------------------------------------------------- */

static void refuse(struct software *sw, size_t event, const char *why)
{
	struct event *e = &sw->events->list[sw->places[event]];

	if (!e->why_not)
		e->why_not = strdup(why);
}

/* kernel.perf_event_paranoid, -1 to 2, and 3 of Debian's kernels. */
static void refuse_for_privilege(struct software *sw, size_t event)
{
	const struct event *e = &sw->events->list[sw->places[event]];
	char level[16] = "", why[256];

	read_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	snprintf(why, sizeof(why), "the kernel refuses it: it takes CAP_PERFMON, or `sysctl "
		 "kernel.perf_event_paranoid=%d`%s%s", sw->cpus ? 0 : e->software->no_kernel ? 2 : 1,
		 *level ? "; it is " : "", level);
	refuse(sw, event, why);
}

static void refuse_for_files(struct software *sw)
{
	char why[160];
	size_t i;

	snprintf(why, sizeof(why), "it takes a file of each of %zu %s and %zu events, and this process "
		 "may have no more: `ulimit -n`", sw->targets.count, sw->cpus ? "CPUs" : "threads",
		 sw->count);
	for (i = 0; i < sw->count; i++)
		refuse(sw, i, why);
}

/* Of a kernel that has no such event it is none of Linux's. */
static void refuse_unknown(struct software *sw, size_t event, int err)
{
	struct event *e = &sw->events->list[sw->places[event]];
	char why[128];

	snprintf(why, sizeof(why), "this kernel does not count it (perf_event_open: %s)",
		 strerror(err));
	refuse(sw, event, why);
	free(e->software);
	e->software = NULL;
}

/* The kernel's word for it is that of an event that it does not know, too. */
static bool is_offline(const struct software *sw, size_t target)
{
	unsigned int *cpus;
	size_t count;
	bool there;

	if (!sw->cpus || online_cpus(&cpus, &count))
		return false;
	there = is_one_of_cpus((unsigned int)sw->targets.list[target], cpus, count);
	free(cpus);
	return !there;
}

/* 0 if it is to be counted without that event, or the exit code. */
static int refused(struct software *sw, size_t target, size_t event, int err)
{
	const char *cmd = sw->options->cmd;

	if (err == ENOMEM)
		return out_of_memory(sw);
	if (err == ESRCH)
		return complain(cmd, EXIT_FAILED, "there is no thread %d", sw->targets.list[target]);
	if ((err == ENODEV || err == EINVAL) && is_offline(sw, target))
		return complain(cmd, EXIT_FAILED, "CPU %d: there is none that is online",
				sw->targets.list[target]);
	if (err == EACCES || err == EPERM)
		refuse_for_privilege(sw, event);
	else if (err == EMFILE || err == ENFILE)
		refuse_for_files(sw);
	/* Its controller perf_event is on as soon as any is. */
	else if (sw->cgroup_cpus && err == ENOENT)
		refuse(sw, event, "no controller is on in a control group: some have to be in the "
		       "cgroup.subtree_control of the group above it");
	else
		refuse_unknown(sw, event, err);
	return 0;
}

static int open_event(const struct software *sw, const struct software_event *e, size_t target,
		      int leader)
{
	int number = sw->targets.list[target], task = sw->cpus ? -1 : number;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_user = e->no_user,
		.exclude_kernel = e->no_kernel,
		.inherit = !sw->cpus && sw->options->inherit,
		.disabled = leader < 0,
		.enable_on_exec = leader < 0 && sw->options->on_exec,
	};

	if (sw->cgroup_cpus) {
		task = sw->options->targets->cgroups.fds[target / sw->cgroup_cpus];
		flags |= PERF_FLAG_PID_CGROUP;
	}
	return (int)syscall(SYS_perf_event_open, &attr, task, sw->cpus ? number : -1, leader,
			    flags);
}

/* How an attempt ended. */
enum opened { OPENED, REFUSED, FAILED };

/* One task or CPU's; a task that has ended since it was listed has none. */
static enum opened open_target(struct software *sw, size_t target, int *code)
{
	size_t i;

	for (i = 0; i < sw->count; i++) {
		const struct event *e = &sw->events->list[sw->places[i]];
		int fd = open_event(sw, e->software, target, i ? *fd_of(sw, target, 0) : -1);

		*fd_of(sw, target, i) = fd;
		if (fd >= 0)
			continue;
		if (errno == ESRCH && sw->options->targets->kind != TARGET_THREADS)
			break;
		*code = refused(sw, target, i, errno);
		return *code ? FAILED : REFUSED;
	}
	return OPENED;
}

static enum opened open_targets(struct software *sw, int *code)
{
	enum opened how = OPENED;
	size_t i, files = sw->targets.count * sw->count;

	sw->fds = calloc(files + 1, sizeof(*sw->fds));
	if (!sw->fds) {
		*code = out_of_memory(sw);
		return FAILED;
	}
	memset(sw->fds, 0xff, files * sizeof(*sw->fds));
	if (files > FEW_FILES)
		allow_many_files();
	for (i = 0; how == OPENED && i < sw->targets.count; i++)
		how = open_target(sw, i, code);
	return how;
}

/* Those of the list that are Linux's and were not refused. */
static void pick_events(struct software *sw)
{
	size_t i;

	sw->count = 0;
	for (i = 0; i < sw->events->count; i++)
		if (sw->events->list[i].software && !sw->events->list[i].why_not)
			sw->places[sw->count++] = i;
}

/* Leaving one out of a group that exists would let its others go by themselves. */
static int open_some(struct software *sw)
{
	enum opened how;
	int code = 0;

	do {
		close_all(sw);
		pick_events(sw);
		how = open_targets(sw, &code);
	} while (how == REFUSED);
	return code;
}

/*
 * A thread's clone has what the thread had by then: one that came while we went through the
 * threads may have all, some or nothing of it.  Nothing counts yet, so we begin again.
 */
static int open_threads(struct software *sw)
{
	struct numbers now = { .count = 0 };
	unsigned int tries = TRIES;
	int code;

	for (;;) {
		code = open_some(sw);
		if (!code)
			code = add_processes(sw, &now, true);
		if (code || !have_come(&sw->targets, &now))
			break;
		if (!tries--) {
			sw->flags |= PMUCTL_VALUE_INCOMPLETE;
			break;
		}
		close_all(sw);
		free(sw->targets.list);
		sw->targets = now;
		now = (struct numbers){ .count = 0 };
	}
	free(now.list);
	return code;
}

static bool has_any(const struct events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->list[i].software)
			return true;
	return false;
}

int software_open(const struct software_options *options, struct events *events,
		  struct software **sw)
{
	struct software *s;
	int code;

	*sw = NULL;
	if (!has_any(events))
		return 0;
	s = calloc(1, sizeof(*s) + events->count * sizeof(s->places[0]));
	if (!s)
		return complain(options->cmd, EXIT_FAILED, "out of memory");
	s->options = options;
	s->events = events;
	code = list_targets(s, &s->targets);
	if (!code)
		code = options->targets->kind == TARGET_PROCESSES && !options->threads ?
			       open_threads(s) : open_some(s);
	if (code)
		software_close(s);
	else
		*sw = s;
	return code;
}

/* ---- counting ------------------------------------------------------------------------------- */

/* The leader of each group, and of those that its task's clones have. */
static void tell_leaders(const struct software *sw, unsigned long request)
{
	size_t i;

	for (i = 0; sw && sw->count && i < sw->targets.count; i++)
		if (*fd_of(sw, i, 0) >= 0)
			ioctl(*fd_of(sw, i, 0), request, 0);
}

void software_start(const struct software *sw)
{
	tell_leaders(sw, PERF_EVENT_IOC_ENABLE);
}

void software_stop(const struct software *sw)
{
	tell_leaders(sw, PERF_EVENT_IOC_DISABLE);
}

/* What read() gives, by the read_format that was asked for. */
struct reading {
	uint64_t value, enabled, running;
};

static int add_reading(const struct software *sw, size_t target, size_t event,
		       struct pmuctl_value *value)
{
	int fd = *fd_of(sw, target, event);
	struct reading r = { .value = 0 };
	ssize_t got = fd < 0 ? (ssize_t)sizeof(r) : read(fd, &r, sizeof(r));

	if (got != sizeof(r))
		return got < 0 ? -errno : -EIO;
	value->value += r.value;
	value->estimate += r.value;
	value->enabled += r.enabled;
	value->running += r.running;
	return 0;
}

int software_read(const struct software *sw, bool each, pmuctl_value_fn *fn, void *data)
{
	struct pmuctl_value value;
	size_t i, j;
	int err = 0;

	for (i = 0; sw && !err && i < sw->count; i++) {
		value = (struct pmuctl_value){
			.event = (uint32_t)sw->places[i], .cpu = -1, .flags = sw->flags,
		};
		for (j = 0; !err && j < sw->targets.count; j++) {
			err = add_reading(sw, j, i, &value);
			if (err || !each)
				continue;
			value.cpu = sw->cgroup_cpus ? (int)(j / sw->cgroup_cpus) :
						      sw->targets.list[j];
			err = fn(data, &value);
			value.value = value.estimate = value.enabled = value.running = 0;
		}
		if (!err && !each)
			err = fn(data, &value);
	}
	return err;
}
