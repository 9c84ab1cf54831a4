/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which event goes on which counter.
 */
#ifndef PMUCTL_ASSIGN_H
#define PMUCTL_ASSIGN_H

#include "backend.h"

/*
 * Gives each of the n events one of the free counters that it may use: sets
 * event->counter.  Returns -1, or the event for which none was left however
 * the others move.
 */
int pmuctl_assign(struct pmuctl_event *event, unsigned int n, u64 free);

#endif
