/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads of a Pentium 4's core that want the same counters or ESCRs: one at a
 * time has them.
 *
 * A session that may have to wait is gated.  It has one set more, the last,
 * without events, which is on while it waits: so the others' running time
 * says how long they counted.
 */
#ifndef PMUCTL_P4_GATE_H
#define PMUCTL_P4_GATE_H

#include <linux/types.h>

struct pmuctl_counts;
struct pmuctl_session;

/* Once the backend is known. */
int pmuctl_gate_init(void);
void pmuctl_gate_exit(void);

/* All of these: on the CPU meant, IRQs off. */

/* A gated session may come on: it is to ask for what it needs. */
void pmuctl_gate_enter(const struct pmuctl_session *session);
/* The same of a session on CPUs, whose run has this number. */
void pmuctl_gate_add(unsigned int i, const struct pmuctl_session *session);
/* Such a run has moved. */
void pmuctl_gate_move(unsigned int to, unsigned int from);
/* A session on tasks ends: others' runs may need nothing of the core. */
void pmuctl_gate_forget(const struct pmuctl_session *session);
/* Which of its sets is on next. */
void pmuctl_gate_next(const struct pmuctl_session *session,
		      struct pmuctl_counts *counts);

#endif
