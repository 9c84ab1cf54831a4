/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The channel from the guest's init to the host: frames of a type and a payload.
 * The host takes each out of the guest's memory (mark.h), for which no guest time
 * goes by.
 */
#ifndef BOX_CHANNEL_H
#define BOX_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

enum frame {
	FRAME_BEGIN = 'b', /* 32 bits: which command begins; what follows is its own */
	FRAME_STDOUT = 'o',
	FRAME_STDERR = 'e',
	FRAME_KMSG = 'k', /* one record of /dev/kmsg */
	FRAME_PROBLEM = 'p', /* text: what init found wrong with the guest */
	FRAME_STATUS = 's', /* 32 bits: wait status of the command */
	FRAME_FILE = 'f', /* struct frame_file */
	FRAME_DATA = 'd', /* a piece of the file that was last announced */
	FRAME_TAINT = 't', /* text of /proc/sys/kernel/tainted */
	FRAME_DONE = 'n', /* the command has ended and all of it was told */
	FRAME_END = 'z', /* so have all */
};

/* Below a wanted directory, path (the rest of the frame) says where. */
struct frame_file {
	uint32_t index; /* of the --get */
	uint32_t error;
	uint32_t mode; /* st_mode */
	char path[];
};

/* Without a host that listens (a plain box) frames are dropped. */
void channel_open(void);
void channel_close(void);
void channel_send(enum frame type, const void *data, size_t len);
/* In pieces that the host can take one by one. */
void channel_send_much(enum frame type, const void *data, size_t len);
void channel_problem(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sends everything that can be read from fd now; 0 at its end, else 1. */
int channel_forward(enum frame type, int fd);

#endif
