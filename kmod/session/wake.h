/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From where nothing may be done (an NMI, a switch) to where it may.
 */
#ifndef PMUCTL_WAKE_H
#define PMUCTL_WAKE_H

struct pmuctl_cpu;
struct pmuctl_session;

enum pmuctl_wake {
	PMUCTL_WAKE_READER,		/* there is enough to read */
	PMUCTL_WAKE_THROTTLED,		/* say so, and set the timer */
};

/* On this CPU, from any context: as soon as may be. */
void pmuctl_wake(struct pmuctl_cpu *cpu, struct pmuctl_session *session,
		 enum pmuctl_wake why);

void pmuctl_wake_init(void);
/* Nothing is woken any more; no session is there. */
void pmuctl_wake_exit(void);

#endif
