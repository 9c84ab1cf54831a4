// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sockets FILE: opens and closes generic netlink sockets until there is that file, and
 * says in how many of the closes it had to wait for something, and of how many.
 */
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* How often this process went to sleep by itself: for a lock, say. */
static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static int close_waits(void)
{
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	long before;

	/* Without a port ID nobody would hear of it. */
	if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof(any))) {
		perror("netlink socket");
		exit(1);
	}
	before = sleeps();
	close(fd);
	return sleeps() != before;
}

int main(int argc, char **argv)
{
	unsigned long waited = 0, closes = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: sockets FILE\n");
		return 2;
	}
	for (; access(argv[1], F_OK); closes++)
		waited += close_waits();
	printf("%lu of %lu\n", waited, closes);
	return 0;
}
