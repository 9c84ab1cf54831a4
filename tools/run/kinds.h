/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of cores that are counted on, and which of them have an event.
 */
#ifndef PMUCTL_TOOLS_KINDS_H
#define PMUCTL_TOOLS_KINDS_H

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
/* The exit code, after saying so, of what cannot do with several yet; 0: there are none. */
int need_one_kind(const char *cmd, struct pmuctl *ctx);
/* kinds->count: of none. */
unsigned int kind_of_cpu(const struct kinds *kinds, unsigned int cpu);

#endif
