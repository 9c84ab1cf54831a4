/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT and SIGTERM end the counting, not the command.
 */
#ifndef PMUCTL_SIGNALS_H
#define PMUCTL_SIGNALS_H

#include <sys/types.h>

/* From now on; those sent to us alone are passed on to the child, if not 0. */
void signals_catch(pid_t child);
/* The child is gone: its number may be somebody else's soon. */
void signals_forget_child(void);
/* How many came, and the last one. */
int signals_seen(void);
int signals_last(void);
/* Returns when a signal came, or when all of these processes ended. */
int wait_for_processes(const pid_t *pids, size_t count);
/* Dies of the last signal as if it had not been caught. */
void signals_die(void);

#endif
