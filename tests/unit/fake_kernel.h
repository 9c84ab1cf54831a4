/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel of paper: what libpmuctl sends goes here instead of to netlink,
 * and what the test laid ready comes back, in the bytes of the real protocol.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netlink/msg.h>

#include "../../kmod/uapi/pmuctl.h"

/* Signatures of CPUs: CPUID.1:EAX. */
#define FAKE_SKYLAKE 0x506e3
#define FAKE_CORE2 0x6fb

struct fake_kernel {
	/* The module. */
	bool missing;			/* the family is not there */
	uint32_t abi, state, signature, version, arch_events;
	uint64_t counters;

	/* What the command `fail_cmd` is answered with. */
	int fail_cmd, fail_errno;
	const char *extack;
	bool not_capped;		/* the request is quoted in the error */
	bool fail_at_done;		/* a dump's end has the error */
	const char *warning;		/* extack of what succeeds */

	/* Lies in the reply to SESSION_NEW and COUNT_GET. */
	int events_missing, events_extra;
	bool no_counter, short_regs, short_counts, wrong_event, no_reply;

	/* Counts. */
	struct pmuctl_count counts[16];

	/* What came in. */
	unsigned int requests[PMUCTL_CMD_MAX + 1];
	unsigned char last_new[4096];	/* struct nlmsghdr of SESSION_NEW */
	size_t nr_events;
};

extern struct fake_kernel fake;

/* A module for the named CPU that does all it is asked. */
void fake_skylake(void);
void fake_core2(void);

#endif
