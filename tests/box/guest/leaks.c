// SPDX-License-Identifier: GPL-2.0-only
/* Asks the debug kernel, which has kmemleak, for memory that nobody knows any more. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "setup.h"

#define KMEMLEAK "/sys/kernel/debug/kmemleak"
/* What is younger than 5 s is no leak to it yet. */
#define LEAK_AGE 6

static int scan(int fd)
{
	return write(fd, "scan", 4) == 4 ? 0 : -1;
}

void setup_find_leaks(void)
{
	char text[400];
	ssize_t len;
	int fd = open(KMEMLEAK, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	sleep(LEAK_AGE);
	/* Twice: it wants to have seen an object unchanged. */
	if (scan(fd) || scan(fd))
		channel_problem("%s: %s", KMEMLEAK, strerror(errno));
	len = read(fd, text, sizeof(text));
	if (len > 0)
		channel_problem("memory leaked: %.*s", (int)len, text);
	close(fd);
}
