// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads all counts from perf events, again and again:
 * read-perf LABEL TIMES self|asleep|running|cpus each|group CONFIG,...
 * each: as perf stat does, a descriptor and a read() an event and CPU, inherited;
 * group: one group and one read() for all events of a CPU, which cannot be inherited.
 * CONFIG is a raw one in hexadecimal.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "target.h"
#include "window.h"

#define MAX_EVENTS	16

static int fds[TARGET_CPUS * MAX_EVENTS];
static int count;
static int group;

static void open_event(uint64_t config, pid_t pid, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = config,
		.inherit = !group && pid >= 0, .exclude_guest = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       (group ? PERF_FORMAT_GROUP : 0),
	};

	fds[count] = syscall(SYS_perf_event_open, &attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
	if (fds[count++] >= 0)
		return;
	perror("read-perf: perf_event_open");
	exit(1);
}

static int open_all(char *configs, pid_t pid, int cpu)
{
	int first = count;

	for (char *word = strtok(configs, ","); word; word = strtok(NULL, ","))
		open_event(strtoul(word, NULL, 16), pid, cpu,
			   group && count > first ? fds[first] : -1);
	return count - first;
}

static uint64_t read_one(int fd)
{
	/* Without a group: value, enabled, running; with: nr, enabled, running, values. */
	uint64_t data[3 + MAX_EVENTS];

	if (read(fd, data, sizeof(data)) < (ssize_t)(3 * sizeof(data[0])) || !data[2]) {
		fprintf(stderr, "read-perf: an event is not counted\n");
		exit(1);
	}
	return group ? data[3] : data[0];
}

static uint64_t read_all(int step)
{
	uint64_t sum = 0;

	for (int i = 0; i < count; i += step)
		sum += read_one(fds[i]);
	return sum;
}

int main(int argc, char **argv)
{
	struct target target;
	int times, i, step = 1;
	uint64_t sum;

	if (argc != 6 || target_make(argv[3], &target))
		return 2;
	times = atoi(argv[2]);
	group = !strcmp(argv[4], "group");
	for (i = 0; i < (target.cpus ?: 1); i++) {
		int events = open_all(strdup(argv[5]), target.pid, target.cpus ? i : -1);

		step = group ? events : 1;
	}
	target_counted(&target);
	sum = read_all(step);
	window_open(atoi(argv[1]));
	for (i = 0; i < times; i++)
		sum += read_all(step);
	window_close(atoi(argv[1]), times);
	target_end(&target);
	return sum ? 0 : 1;
}
