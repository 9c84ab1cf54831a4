/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_METRICS: how the slots that fixed counter 3 counts divide.
 *
 * Its fields are 255ths of what that counter holds, so the two are read
 * together and start from 0 together: the less they hold, the less a 255th is.
 */
#ifndef PMUCTL_METRICS_H
#define PMUCTL_METRICS_H

#include <linux/types.h>

struct nlattr;
struct pmuctl_cpu;
struct pmuctl_event;
struct pmuctl_session;
struct pmuctl_why;

/* The event counts that field; or why there is none. */
int pmuctl_metrics_field(struct pmuctl_event *event, u32 field,
			 const struct nlattr *attr,
			 const struct pmuctl_why *why);
int pmuctl_metrics_validate(const struct pmuctl_event *event,
			    const struct pmuctl_why *why);

/*
 * Of a session whose sets are built: which slots each field divides, or what
 * is wrong; and once it has its counters.
 */
int pmuctl_metrics_build(struct pmuctl_session *session,
			 const struct pmuctl_why *why);
void pmuctl_metrics_assigned(struct pmuctl_session *session);

/* All of these: on the CPU meant, IRQs off.  slots: event with fields. */

/* It comes on, and is about to be programmed; its counter does not run. */
void pmuctl_metrics_on(struct pmuctl_cpu *cpu,
		       const struct pmuctl_event *slots);
/* So many were just added to it; its counter stands still. */
void pmuctl_metrics_fold(struct pmuctl_cpu *cpu,
			 const struct pmuctl_event *slots, u64 count);
/*
 * The counter, or PERF_METRICS, overflowed: returns false if no field is
 * counted, so that the counter is like any other.
 */
bool pmuctl_metrics_overflow(struct pmuctl_cpu *cpu, bool wrapped);

#endif
