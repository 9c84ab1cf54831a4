/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The page of a session with PMUCTL_SESSION_SELF: how a thread reads its own
 * counts without a system call.
 */
#ifndef _UAPI_PMUCTL_SELF_H
#define _UAPI_PMUCTL_SELF_H

#include <linux/types.h>

/* Bytes of the page, and the most events that it has room for. */
#define PMUCTL_SELF_SIZE	4096
#define PMUCTL_SELF_EVENTS_MAX	64

enum pmuctl_self_flag {
	PMUCTL_SELF_RDPMC	= 1 << 0,	/* RDPMC is allowed */
	PMUCTL_SELF_TIME	= 1 << 1,	/* mult and shift are known */
	PMUCTL_SELF_ENDED	= 1 << 2,	/* the session has */
};

/* Why RDPMC is not allowed, and the descriptor is what to read. */
enum pmuctl_self_why {
	PMUCTL_SELF_WHY_NOT	= 0,	/* it is */
	PMUCTL_SELF_WHY_PRIVILEGE = 1,	/* no CAP_PERFMON: it shows all */
	PMUCTL_SELF_WHY_PMU	= 2,	/* not the counters of this PMU */
	PMUCTL_SELF_WHY_KERNEL	= 3,	/* devices/cpu/rdpmc is 0 */
	PMUCTL_SELF_WHY_SWITCH	= 4,	/* CPUs cannot be told of it */
};

/*
 * Of an event, in the order of the request.  index not 0: it has counted
 * offset + ((RDPMC(index - 1) - start) & mask).  index 0 and on 0: offset.
 * index 0 and on not 0: read the descriptor.
 */
struct pmuctl_self_event {
	__u32 index;
	__u32 on;		/* it counts now */
	__u64 offset;
	__u64 start;
	__u64 mask;		/* bits that the counter has */
	__u64 running;		/* ns that it counted, until tsc */
};

/*
 * What is read between two looks at seq that were the same belongs together.
 * ns until now, where on: running + (RDTSC - tsc) * mult / 2^shift.
 */
struct pmuctl_self_page {
	__u32 abi;		/* PMUCTL_ABI */
	__u32 seq;
	__u32 events;
	__u32 flags;		/* enum pmuctl_self_flag */
	__u32 why;		/* enum pmuctl_self_why */
	__u32 on;		/* the session is on now */
	__u32 mult;
	__u32 shift;
	__u64 tsc;		/* as this was written */
	__u64 enabled;		/* ns that the session was on until then */
	__u64 reserved[2];
	struct pmuctl_self_event event[PMUCTL_SELF_EVENTS_MAX];
};

#endif
