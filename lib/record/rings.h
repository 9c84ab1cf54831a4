/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A software event of the kernel on all that a session watches: one a CPU (and a thread), each
 * CPU's into one ring of memory.
 */
#ifndef LIBPMUCTL_RINGS_H
#define LIBPMUCTL_RINGS_H

#include "lib/record/dump.h"

struct ring {
	struct perf_event_mmap_page *page;	/* NULL: none */
	int fd;					/* whose ring it is */
};

struct rings {
	struct ring *cpus;
	size_t nr_cpus;
	size_t bytes;		/* of a ring; a power of two */
	int *fds;
	uint64_t *ids;
	size_t nr_fds, room;
};

/*
 * attr says what is told.  -ENOBUFS: the kernel has no memory for rings of that size for this
 * user; else why it refuses the event.  Threads that have ended are none; if all have, -ESRCH.
 */
int rings_open(const struct pmuctl_session *session, const struct perf_event_attr *attr,
	       size_t bytes, struct rings **rings);
void rings_close(struct rings *rings);
/* PERF_EVENT_IOC_ENABLE or _DISABLE to all of the events. */
void rings_control(const struct rings *rings, unsigned long request);
/* Ids of the events in the kernel; rings may be NULL: there are none. */
size_t rings_ids(const struct rings *rings, const uint64_t **ids);
/* An epoll instance is to know when there is something to take; rings may be NULL. */
int rings_poll(const struct rings *rings, int epoll_fd);
/* What is in a CPU's ring is appended, and stays there; how much it is: *size. */
int ring_copy(const struct rings *rings, size_t cpu, struct dump_buffer *to, size_t *size);
/* So many bytes of it are taken; returns how many there were by then. */
size_t ring_advance(const struct rings *rings, size_t cpu, size_t size);

#endif
