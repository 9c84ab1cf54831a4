/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one CPU counts now: which session is on which counter.
 */
#ifndef PMUCTL_PERCPU_H
#define PMUCTL_PERCPU_H

#include <linux/percpu.h>

#include "backend.h"

struct pmuctl_session;

/* Running sessions have counters of their own, so that many at most. */
#define PMUCTL_RUNS	PMUCTL_SLOTS

struct pmuctl_slot {
	u64 last;		/* the counter, when it was last added up */
	u64 *value;		/* where its events go */
	const struct pmuctl_event *event;	/* that it is programmed for */
};

struct pmuctl_run {
	struct pmuctl_session *session;
	u64 since;		/* when its time was last added up */
};

/*
 * Only its own CPU writes it, with IRQs off; the NMI handler stays away
 * while busy is set.  A stopped counter always stands at slot->last.
 */
struct pmuctl_cpu {
	unsigned int nr_task;	/* sessions on the current task */
	unsigned int nr_cpu;	/* sessions on this CPU */
	bool held;		/* this CPU's PMU is ours */
	bool busy;
	bool missed;		/* an NMI came while busy */
	bool stopped;		/* just given back: a PMI may be on its way */
	unsigned int late;	/* PMIs that may come for nothing */
	u32 lvtpc;
	const char *refusal;	/* why this CPU's PMU could not be taken */
	struct pmuctl_regs regs;
	struct pmuctl_run task[PMUCTL_RUNS];
	struct pmuctl_run cpu[PMUCTL_RUNS];
	struct pmuctl_slot slot[PMUCTL_SLOTS];
	u64 saved[PMUCTL_SAVED_MAX];
};

DECLARE_PER_CPU(struct pmuctl_cpu, pmuctl_cpu);

/* Sets the hot verbs, once the backend is known. */
void pmuctl_cpu_init(void);

/* All of these: on the CPU meant, IRQs off. */
void pmuctl_cpu_reset(struct pmuctl_cpu *cpu);
void pmuctl_cpu_switch(struct pmuctl_cpu *cpu,
		       struct pmuctl_session **want, unsigned int n);
void pmuctl_cpu_add(struct pmuctl_cpu *cpu, struct pmuctl_session *session);
void pmuctl_cpu_remove(struct pmuctl_cpu *cpu, struct pmuctl_session *session);
void pmuctl_cpu_clear(struct pmuctl_cpu *cpu);
/* Marks the sessions here if somebody else wrote what is ours. */
void pmuctl_cpu_check(struct pmuctl_cpu *cpu);
/* From the NMI handler, or after one that came while busy. */
unsigned int pmuctl_cpu_overflow(struct pmuctl_cpu *cpu);

/*
 * From process context: adds up what the session has counted until now
 * wherever it runs.
 */
void pmuctl_cpu_fold(struct pmuctl_session *session);
/* Forgets every trace of the session; it must run nowhere any more. */
void pmuctl_cpu_forget(struct pmuctl_session *session);

#endif
