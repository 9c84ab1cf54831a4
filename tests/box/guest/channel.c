// SPDX-License-Identifier: GPL-2.0-only
/* Sends frames to the host through the I/O port of QEMU's debug console. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/io.h>
#include <unistd.h>

#include "channel.h"

static bool is_open;

void channel_open(void)
{
	is_open = ioperm(CHANNEL_PORT, 1, 1) == 0;
	if (!is_open)
		perror("init: the channel's port");
}

void channel_close(void)
{
	ioperm(CHANNEL_PORT, 1, 0);
	is_open = false;
}

static void put(const void *data, size_t len)
{
	__asm__ volatile("rep outsb"
			 : "+S"(data), "+c"(len)
			 : "d"((uint16_t)CHANNEL_PORT)
			 : "memory");
}

void channel_send(enum frame type, const void *data, size_t len)
{
	uint8_t header[5] = { type, len, len >> 8, len >> 16, len >> 24 };

	if (!is_open)
		return;
	put(header, sizeof(header));
	put(data, len);
}

void channel_problem(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "init: %s\n", text);
	channel_send(FRAME_PROBLEM, text, strlen(text));
}

int channel_forward(enum frame type, int fd)
{
	static char buffer[65536];

	for (;;) {
		ssize_t n = read(fd, buffer, sizeof(buffer));

		if (n > 0)
			channel_send(type, buffer, n);
		else if (n == 0)
			return 0;
		/* EPIPE: the kernel log overran its reader; go on with what is left. */
		else if (errno != EINTR && errno != EPIPE)
			return errno == EAGAIN;
	}
}
