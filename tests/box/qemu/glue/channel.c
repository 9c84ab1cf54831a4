// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hands the frames of the guest's init to whoever started QEMU.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "channel.h"
#include "guest-time.h"

#define HEAD 5
#define FRAME_BEGIN 'b'		/* as init has it: a command begins */

static int channel_fd(void)
{
	static int fd = -2;
	const char *name;

	if (fd == -2) {
		name = getenv("PMUBOX_CHANNEL");
		fd = name ? atoi(name) : -1;
	}
	return fd;
}

static void write_all(int fd, const uint8_t *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return; /* nobody is there any more */
		data += n;
		len -= n;
	}
}

bool box_channel_send(CPUState *cpu, uint8_t type, uint64_t address, uint32_t length)
{
	g_autofree uint8_t *frame = NULL;

	if (channel_fd() < 0)
		return false;
	if (!type)
		return true; /* who only asks */
	frame = g_malloc(HEAD + length);
	frame[0] = type;
	stl_le_p(frame + 1, length);
	if (length && cpu_memory_rw_debug(cpu, address, frame + HEAD, length, false)) {
		error_report("pmubox: a frame of %u bytes at 0x%" PRIx64 " is not in memory", length,
			     address);
		memset(frame + HEAD, 0, length);
	}
	write_all(channel_fd(), frame, HEAD + length);
	if (type == FRAME_BEGIN)
		pmubox_limit_again(cpu);
	return true;
}
