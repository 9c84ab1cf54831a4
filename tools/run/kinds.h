/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of cores that are counted on, and which of them have an event.
 */
#ifndef PMUCTL_TOOLS_KINDS_H
#define PMUCTL_TOOLS_KINDS_H

#include <sched.h>
#include <stdint.h>

#include "lib/pmuctl.h"

struct kinds {
	unsigned int count;	/* 0: all CPUs are alike */
	struct pmuctl_kind list[PMUCTL_KINDS_MAX];
};

void kinds_find(struct pmuctl *ctx, struct kinds *kinds);
/* By bit; 0 where all CPUs are alike. */
uint32_t kinds_of_event(const struct kinds *kinds, const struct pmuctl_event *event);
/* A single one's number; -1: there are several, or none. */
int kind_alone(uint32_t mask);
/*
 * For what is of one kind of core: if all of these CPUs are, *ctx becomes that kind's.  Else the
 * exit code, after saying so.
 */
int need_one_kind(const char *cmd, struct pmuctl **ctx, const cpu_set_t *where);
/*
 * "cpu_atom/EVENT/upp", or of no kind "EVENT:upp"; for free(), NULL: no memory.  modifiers: "" for
 * none.
 */
char *kind_event(const struct pmuctl_kind *kind, const char *event, const char *modifiers);
/* kinds->count: of none. */
unsigned int kind_of_cpu(const struct kinds *kinds, unsigned int cpu);

#endif
