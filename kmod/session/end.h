/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How sessions end.
 */
#ifndef PMUCTL_END_H
#define PMUCTL_END_H

#include <linux/types.h>

struct list_head;
struct pmuctl_session;

/*
 * Withdraws a session, with the lock held for writing: nobody finds it any
 * more, it counts nowhere, and its counters are others' to have.
 * pmuctl_ending_finish() has to follow for the list.
 */
void pmuctl_session_withdraw(struct pmuctl_session *session,
			     struct list_head *ending);
/* Without the lock: when it returns all that they held is given back. */
void pmuctl_ending_finish(struct list_head *ending);

/* A socket with that port ID was closed: its sessions are over. */
void pmuctl_session_end_closed(u32 portid);

/* Without the lock: waits, if sessions that ended still have much memory. */
void pmuctl_ended_settle(void);
int pmuctl_end_init(void);
/* There is no session, and no probe runs. */
void pmuctl_end_exit(void);

#endif
