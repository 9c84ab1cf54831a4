/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session from the inside, for the files that make it and read its counts.
 */
#ifndef LIBPMUCTL_SESSION_H
#define LIBPMUCTL_SESSION_H

#include "private.h"

struct session_event {
	uint64_t flags;		/* enum pmuctl_event_flag of the protocol */
	uint64_t counters;
	struct pmuctl_register reg;

	/* The kernel's answer. */
	bool assigned;
	uint32_t counter;
	uint32_t set;
	struct pmuctl_register programmed[8];
	size_t nr_programmed;
};

struct pmuctl_session {
	struct pmuctl *ctx;
	uint32_t id;		/* 0: not in the kernel */
	struct session_event *events;
	size_t nr_events;
	uint16_t target_kind;	/* PMUCTL_A_SESSION_PID, _TID or _CPU */
	uint32_t *targets;
	size_t nr_targets;
};

/* A request about this session, with replies and without. */
int session_ask(struct pmuctl_session *s, const struct request *req);
int session_command(struct pmuctl_session *s, uint8_t cmd);

#endif
