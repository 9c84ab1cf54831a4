// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is counted or sampled: the lists of -a, -C, -p, -t and -G.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/proc.h"
#include "tools/run/targets.h"

static int set_kind(const char *cmd, struct targets *t, enum target kind, const char *text)
{
	if (t->kind != TARGET_COMMAND)
		return complain(cmd, EXIT_USAGE, "one of -C, -p, -t and -G at a time, and once");
	t->kind = kind;
	t->text = text;
	return 0;
}

int take_cpus(const struct option_use *use)
{
	struct targets *t = option_target(use);
	int code = set_kind(use->cmd, t, TARGET_CPUS, use->text);
	const char *why;

	if (code || !parse_cpulist(use->text, &t->cpus, &t->nr_cpus, &why))
		return code;
	return complain(use->cmd, EXIT_USAGE, "-C '%s': %s", use->text, why);
}

static int add_pid(struct targets *t, const char *text, char **end)
{
	pid_t *grown;
	long pid;

	if (!isdigit((unsigned char)*text))
		return -1;
	pid = strtol(text, end, 10);
	if (pid <= 0 || pid > INT_MAX)
		return -1;
	grown = reallocarray(t->pids, t->nr_pids + 1, sizeof(*grown));
	if (!grown)
		return -1;
	t->pids = grown;
	grown[t->nr_pids++] = (pid_t)pid;
	return 0;
}

/* 0, or the first that is there twice. */
static pid_t find_twice(const struct targets *t)
{
	size_t i, j;

	for (i = 0; i < t->nr_pids; i++)
		for (j = 0; j < i; j++)
			if (t->pids[i] == t->pids[j])
				return t->pids[i];
	return 0;
}

static int take_pids(const struct option_use *use, enum target kind)
{
	struct targets *t = option_target(use);
	const char *cmd = use->cmd, *text = use->text;
	int code = set_kind(cmd, t, kind, text), bad;
	char letter = use->row->letter, *end = NULL;
	pid_t twice;

	if (code)
		return code;
	bad = add_pid(t, text, &end);
	while (!bad && *end == ',')
		bad = add_pid(t, end + 1, &end);
	if (bad || *end)
		return complain(cmd, EXIT_USAGE, "-%c '%s': not a list of numbers like 17,23",
				letter, text);
	twice = find_twice(t);
	if (twice)
		return complain(cmd, EXIT_USAGE, "-%c '%s': %d is in it twice", letter, text,
				(int)twice);
	return 0;
}

int take_processes(const struct option_use *use)
{
	return take_pids(use, TARGET_PROCESSES);
}

int take_threads(const struct option_use *use)
{
	return take_pids(use, TARGET_THREADS);
}

int take_cgroups(const struct option_use *use)
{
	struct targets *t = option_target(use);
	char option[64];
	int code = set_kind(use->cmd, t, TARGET_CGROUPS, use->text);

	if (code)
		return code;
	return cgroups_add(use->cmd, option_spelled(use->row, option, sizeof(option)), use->text,
			   &t->cgroups);
}

/* What perf makes of several with -G is another thing: the first is of the first event. */
int take_cgroup(const struct option_use *use)
{
	struct targets *t = option_target(use);
	int code = set_kind(use->cmd, t, TARGET_CGROUPS, use->text);

	if (!code)
		code = cgroups_add(use->cmd, "-G", use->text, &t->cgroups);
	if (code || t->cgroups.count == 1)
		return code;
	return complain(use->cmd, EXIT_USAGE, "-G '%s': these are %zu control groups, and it takes "
			"one, for all events; `pmuctl stat --for-each-cgroup` counts each by itself",
			use->text, t->cgroups.count);
}

/* ---- once all options are there ----------------------------------------------- */

/* One that has gone is nowhere. */
static int add_affinity(void *data, pid_t tid)
{
	cpu_set_t own;

	if (!sched_getaffinity(tid, sizeof(own), &own))
		CPU_OR((cpu_set_t *)data, (cpu_set_t *)data, &own);
	return 0;
}

void targets_cpus(const struct targets *targets, cpu_set_t *set)
{
	size_t i;

	CPU_ZERO(set);
	for (i = 0; i < targets->nr_cpus; i++)
		CPU_SET(targets->cpus[i], set);
	for (i = 0; i < targets->nr_pids; i++) {
		if (targets->kind == TARGET_THREADS)
			add_affinity(set, targets->pids[i]);
		else
			each_thread(targets->pids[i], add_affinity, set);
	}
	if (targets->kind == TARGET_COMMAND)
		add_affinity(set, 0);
	/* Where tasks of a group may run changes with each that comes. */
	for (i = 0; targets->kind == TARGET_CGROUPS && i < CPU_SETSIZE; i++)
		CPU_SET(i, set);
}

bool targets_are_tasks(const struct targets *t)
{
	return t->kind != TARGET_ALL_CPUS && t->kind != TARGET_CPUS;
}

bool targets_can_inherit(const struct targets *t)
{
	return targets_are_tasks(t) && t->kind != TARGET_CGROUPS;
}

static int take_all_cpus(const char *cmd, struct targets *t)
{
	t->kind = TARGET_ALL_CPUS;
	if (!online_cpus(&t->cpus, &t->nr_cpus))
		return 0;
	return complain(cmd, EXIT_FAILED, "/sys/devices/system/cpu/online: cannot be read; name "
			"the CPUs with -C");
}

int targets_check(const char *cmd, struct targets *t, char **command, bool no_inherit)
{
	if (t->kind == TARGET_CGROUPS && no_inherit)
		return complain(cmd, EXIT_USAGE, "-i is for tasks that are named: of a control group "
				"all that are in it are counted, whoever started them");
	if (t->all_cpus && (t->kind == TARGET_PROCESSES || t->kind == TARGET_THREADS))
		return complain(cmd, EXIT_USAGE, "-a is for CPUs, -p and -t are for tasks: one of "
				"them at a time");
	if (t->all_cpus && t->kind == TARGET_COMMAND)
		return take_all_cpus(cmd, t);
	if (t->kind != TARGET_COMMAND || command)
		return 0;
	return option_missing(cmd, strcmp(cmd, "record") ? "count" : cmd,
			      "a command, or CPUs with -a or -C, processes with -p or a control "
			      "group with -G");
}

int targets_into_session(const struct targets *t, pid_t child, size_t which,
			 struct pmuctl_session *session)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < t->nr_cpus; i++)
		err = pmuctl_session_add_cpu(session, t->cpus[i]);
	for (i = 0; !err && i < t->nr_pids; i++)
		err = t->kind == TARGET_THREADS ? pmuctl_session_add_thread(session, t->pids[i]) :
						  pmuctl_session_add_process(session, t->pids[i]);
	if (t->kind == TARGET_CGROUPS)
		err = pmuctl_session_add_cgroup(session, t->cgroups.fds[which]);
	if (!err && t->kind == TARGET_COMMAND)
		err = pmuctl_session_add_process(session, child);
	return err;
}

void targets_free(struct targets *t)
{
	free(t->cpus);
	free(t->pids);
	cgroups_free(&t->cgroups);
}

/* ---- lists of CPUs ---------------------------------------------------------------------- */

/* More than any kernel has; keeps "0-4294967295" from eating the memory. */
#define CPUS_MAX 65536

#define NO_LIST "not a list of CPUs like 0,2-3"

struct cpulist {
	unsigned int *cpus;
	size_t count;
	const char *why;	/* it is none */
};

static int add_cpu(struct cpulist *list, unsigned int cpu)
{
	unsigned int *grown;
	size_t i;

	/* Counting a CPU twice would double its counts. */
	for (i = 0; i < list->count; i++)
		if (list->cpus[i] == cpu)
			return 0;
	grown = reallocarray(list->cpus, list->count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	list->cpus = grown;
	grown[list->count++] = cpu;
	return 0;
}

static int wrong(struct cpulist *list, const char *why)
{
	list->why = why;
	return -EINVAL;
}

static int take_number(const char **text, struct cpulist *list, unsigned int *number)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)**text))
		return wrong(list, NO_LIST);
	value = strtoul(*text, &end, 10);
	if (value >= CPUS_MAX)
		return wrong(list, "no kernel has a CPU of that number");
	*text = end;
	*number = (unsigned int)value;
	return 0;
}

static int take_range(const char **text, struct cpulist *list)
{
	unsigned int first = 0, last;
	int err = take_number(text, list, &first);

	last = first;
	if (!err && **text == '-') {
		(*text)++;
		err = take_number(text, list, &last);
	}
	if (!err && last < first)
		err = wrong(list, "a range ends before it begins: write the smaller number first");
	for (; !err && first <= last; first++)
		err = add_cpu(list, first);
	return err;
}

int parse_cpulist(const char *text, unsigned int **cpus, size_t *count, const char **why)
{
	struct cpulist list = { .why = "out of memory" };
	int err = take_range(&text, &list);

	while (!err && *text == ',') {
		text++;
		err = take_range(&text, &list);
	}
	if (!err && *text && *text != '\n')
		err = wrong(&list, NO_LIST);
	if (err) {
		free(list.cpus);
		*why = list.why;
		return err;
	}
	*cpus = list.cpus;
	*count = list.count;
	return 0;
}

bool is_one_of_cpus(unsigned int cpu, const unsigned int *cpus, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

int online_cpus(unsigned int **cpus, size_t *count)
{
	char text[4096];
	const char *why;
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");
	bool got;

	if (!f)
		return -errno;
	got = fgets(text, sizeof(text), f);
	fclose(f);
	return got ? parse_cpulist(text, cpus, count, &why) : -EIO;
}
