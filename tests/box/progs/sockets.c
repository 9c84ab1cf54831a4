// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sockets N: opens and closes N generic netlink sockets and says in how many of
 * the closes it had to wait for something.
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
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	unsigned long waited = 0;

	while (n--)
		waited += close_waits();
	printf("%lu\n", waited);
	return 0;
}
