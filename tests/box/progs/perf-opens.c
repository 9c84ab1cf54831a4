// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf-opens N: opens a hardware event of Linux's perf N times and says how
 * often that was refused.
 * perf-opens keep: says "open", or not, and keeps it until it is killed.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.size = sizeof(attr),
	};
	unsigned long i, refused = 0, n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	int fd, error = 0;

	if (argc > 1 && !strcmp(argv[1], "keep")) {
		attr.disabled = 1;
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		printf("%s\n", fd >= 0 ? "open" : strerror(errno));
		fflush(stdout);
		pause();
		return 0;
	}
	for (i = 0; i < n; i++) {
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		if (fd >= 0) {
			close(fd);
			continue;
		}
		error = errno;
		refused++;
	}
	printf("%lu refused%s%s\n", refused, error ? ": " : "", error ? strerror(error) : "");
	return 0;
}
