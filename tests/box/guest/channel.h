/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The channel from the guest's init to the host: frames written to one I/O
 * port.  A frame is its type, the length of its payload as 32 bits little
 * endian, and the payload.
 */
#ifndef BOX_CHANNEL_H
#define BOX_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

/* QEMU's isa-debugcon listens here; clear of the PC's own and PCI's ports. */
#define CHANNEL_PORT 0x5042

enum frame {
	FRAME_STDOUT = 'o',
	FRAME_STDERR = 'e',
	FRAME_KMSG = 'k', /* one record of /dev/kmsg */
	FRAME_PROBLEM = 'p', /* text: what init found wrong with the guest */
	FRAME_STATUS = 's', /* 32 bits: wait status of the command */
	FRAME_FILE = 'f', /* 32 bits each: index of the --get, errno, mode */
	FRAME_DATA = 'd', /* a piece of the file that was last announced */
	FRAME_TAINT = 't', /* text of /proc/sys/kernel/tainted */
	FRAME_END = 'z',
};

/* Takes the port; without it (a plain box) frames are dropped. */
void channel_open(void);
/* Gives the port back, so that a child's task switches cost what they always do. */
void channel_close(void);
void channel_send(enum frame type, const void *data, size_t len);
void channel_problem(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sends everything that can be read from fd now; 0 at its end, else 1. */
int channel_forward(enum frame type, int fd);

#endif
