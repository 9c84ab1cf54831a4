// SPDX-License-Identifier: GPL-2.0-only
/* Sends frames to the host, which takes them out of memory when CPUID asks for it. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "mark.h"

#define PIECE (256 << 10)
#define PAGE 4096

static bool is_open;

void channel_open(void)
{
	is_open = pmubox_frame(0, NULL, 0);
	if (!is_open)
		fprintf(stderr, "init: nobody listens to what this box says\n");
}

void channel_close(void)
{
	is_open = false;
}

/* What the host takes must be there, which a page of a mapped file need not be. */
static void make_present(const volatile uint8_t *data, size_t len)
{
	if (!len)
		return;
	for (size_t at = 0; at < len; at += PAGE)
		(void)data[at];
	(void)data[len - 1];
}

void channel_send(enum frame type, const void *data, size_t len)
{
	if (!is_open)
		return;
	make_present(data, len);
	pmubox_frame(type, data, len);
}

void channel_send_much(enum frame type, const void *data, size_t len)
{
	const uint8_t *from = data;

	while (len) {
		size_t piece = len < PIECE ? len : PIECE;

		channel_send(type, from, piece);
		from += piece;
		len -= piece;
	}
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
	static uint8_t buffer[PIECE];

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
