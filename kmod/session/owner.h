/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose a session is, in words for who asks.
 */
#ifndef PMUCTL_OWNER_H
#define PMUCTL_OWNER_H

#include <linux/types.h>

struct pmuctl_session;

struct pmuctl_owner_text {
	char line[56];
};

/*
 * all: current may know of everybody; others learn of their own sessions only.
 * Returns text->line: "pid 4711 (perf)", "another user's session".
 */
const char *pmuctl_owner_text(const struct pmuctl_session *session, bool all,
			      struct pmuctl_owner_text *text);
/* Whether who asks may know more than that it is another user's. */
bool pmuctl_owner_known(const struct pmuctl_session *session, bool all);
/* In current's PID namespace; 0: the process has ended, or is not in there. */
pid_t pmuctl_owner_pid(const struct pmuctl_session *session);

#endif
