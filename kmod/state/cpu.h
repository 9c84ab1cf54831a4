/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one CPU counts now: which session is on which counter.
 */
#ifndef PMUCTL_PERCPU_H
#define PMUCTL_PERCPU_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "kmod/pmu/pmu.h"
#include "kmod/state/meter.h"
#include "kmod/state/phase.h"

struct pmuctl_counts;
struct pmuctl_ds;
struct pmuctl_session;

/* Running sessions have counters of their own, so that many at most. */
#define PMUCTL_RUNS	PMUCTL_SLOTS

struct pmuctl_slot {
	u64 last;		/* the counter, when it was last added up */
	u64 *value;		/* where its events go */
	const struct pmuctl_event *event;	/* that it is programmed for */
	/* Sampled: how far the next sample is, when it was last added up. */
	struct pmuctl_phase phase;
	u64 on;			/* when it came on, or of its last sample */
	/*
	 * PEBS: by how many events the hardware set it back since then, a
	 * period a record.  Whoever drains adds to it, before it is added up.
	 */
	u64 reloaded;
	bool throttled;
};

/* A session that a task is to be counted by, and where its samples stand. */
struct pmuctl_want {
	struct pmuctl_session *session;
	const struct pmuctl_phase *phase;
};

/* Of a core whose threads share it: counters, ESCRs by number. */
struct pmuctl_claim {
	u64 counters;
	u64 escrs;
};

/* What a set needs, by thread. */
struct pmuctl_claims {
	struct pmuctl_claim of[PMUCTL_THREADS_MAX];
};

struct pmuctl_run {
	struct pmuctl_session *session;
	struct pmuctl_counts *counts;	/* of this CPU */
	u64 counters;		/* that it has on now */
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
	bool trying;		/* how a PMI is delivered */
	bool busy;
	bool missed;		/* an NMI came while busy */
	bool cleared;		/* of what perf had counted: session/rdpmc.c */
	bool kept_masked;	/* and left LVTPC as its delivery did */
	unsigned int late;	/* PMIs that may come for nothing */
	u64 late_until;		/* and until when */
	u32 lvtpc;
	u32 random;
	u64 timer_at;		/* when the timer ends a turn; 0: it is off */
	struct hrtimer timer;
	const char *unlike;	/* NULL, or why it is not even asked for it */
	const char *refusal;	/* why this CPU's PMU could not be taken */
	u64 found_fixed;	/* fixed counters that ran, when it was */
	struct pmuctl_regs regs;
	/* Samples: where an event was, if it is taken now. */
	struct pt_regs *at;		/* of the NMI, or NULL */
	unsigned long switch_ip;	/* in the scheduler, without */
	struct pt_regs missed_at;	/* of the one that came while busy */
	struct pmuctl_meter meter;
	struct irq_work wake;
	call_single_data_t look_again;	/* for tasks: see session/cgroup.c */
	unsigned long checked;		/* the tick of the last look */
	/* Looks that found a register which somebody else wrote, and which. */
	u32 disturbances;
	u32 disturbed;
	bool samples;			/* a session on the task does */
	struct task_struct *whose;	/* the task, as long as nr_task */
	u64 *saved;		/* not here: modules have little per CPU */
	struct pmuctl_run task[PMUCTL_RUNS];
	struct pmuctl_run cpu[PMUCTL_RUNS];
	struct pmuctl_slot slot[PMUCTL_SLOTS];
};

/* Allocated: modules have little per CPU. */
extern struct pmuctl_cpu __percpu *pmuctl_cpus;
/*
 * The only session on the current task, unless it samples: from that one to
 * another of its tasks there is nothing to do.  Every switch looks at it.
 */
DECLARE_PER_CPU(const struct pmuctl_session *, pmuctl_lasting);


/*
 * The task that counters of a session count now.  In a switch that is the next
 * one before it is current, and what is recorded in between is among its
 * events.
 */
static inline struct task_struct *
pmuctl_cpu_task(const struct pmuctl_cpu *cpu, bool on_task)
{
	return on_task ? cpu->whose : current;
}

/* Once the backend is known: memory, and the hot verbs. */
int pmuctl_cpu_init(void);
void pmuctl_cpu_exit(void);

/* Marks the session if virtual machines are among what it counts. */
void pmuctl_cpu_look_for_guests(struct pmuctl_session *session);

/* All of these: on the CPU meant, IRQs off. */
void pmuctl_cpu_reset(struct pmuctl_cpu *cpu);
/* To the task that is counted so; the one before is still current. */
void pmuctl_cpu_switch(struct pmuctl_cpu *cpu, struct task_struct *task,
		       const struct pmuctl_want *want, unsigned int n);
/* The current task goes, and sessions on CPUs have PEBS or branches. */
void pmuctl_cpu_task_leaves(struct pmuctl_cpu *cpu);
/* The current task executes another program, which no call has led to. */
void pmuctl_cpu_new_stack(void);
void pmuctl_cpu_add(struct pmuctl_cpu *cpu, struct pmuctl_session *session);
void pmuctl_cpu_remove(struct pmuctl_cpu *cpu, struct pmuctl_session *session);
void pmuctl_cpu_clear(struct pmuctl_cpu *cpu);
/* The turns that are over: the next sets are on. */
void pmuctl_cpu_turn(struct pmuctl_cpu *cpu, u64 now);
/* What runs here is added up and goes on. */
void pmuctl_cpu_fold_all(struct pmuctl_cpu *cpu, u64 now);
/* ns of a session's turn that are left. */
u64 pmuctl_cpu_left(const struct pmuctl_run *run, u64 now);
/* Marks the sessions here if somebody else wrote what is ours. */
void pmuctl_cpu_check(struct pmuctl_cpu *cpu);
/* The throttle is over, or it is time to look at what is sampled. */
void pmuctl_cpu_release(struct pmuctl_cpu *cpu);
void pmuctl_cpu_tick(struct pmuctl_cpu *cpu, u64 now);
/* What the processor makes of PEBS; false: it cannot be tried here and now. */
bool pmuctl_cpu_try_pebs(struct pmuctl_cpu *cpu, const struct pmuctl_ds *ds);
/* A guest was left, for which PEBS was off. */
void pmuctl_cpu_resume_pebs(struct pmuctl_cpu *cpu);

/*
 * Between these two the NMI handler leaves slots alone and counters running;
 * an overflow that it saw is handled at the end.
 */
static inline void pmuctl_busy_begin(struct pmuctl_cpu *cpu)
{
	cpu->busy = true;
	barrier();
}

void pmuctl_busy_missed(struct pmuctl_cpu *cpu);

static inline void pmuctl_busy_end(struct pmuctl_cpu *cpu)
{
	barrier();
	cpu->busy = false;
	barrier();
	if (unlikely(cpu->missed))
		pmuctl_busy_missed(cpu);
}

void pmuctl_cpu_drain_pebs(struct pmuctl_cpu *cpu);

/* While busy, before anything is added up: what records say belongs to it. */
static inline void pmuctl_cpu_drain(struct pmuctl_cpu *cpu)
{
	if (unlikely(cpu->regs.pebs))
		pmuctl_cpu_drain_pebs(cpu);
}

/* While busy: samples that are due though no interrupt has said so. */
void pmuctl_cpu_recover(struct pmuctl_cpu *cpu);

/* PMIs: so many may come for nothing within a moment. */
void pmuctl_pmi_expect(struct pmuctl_cpu *cpu, unsigned int n);

/* The same as pmuctl_cpu_check(), while busy. */
void pmuctl_cpu_look(struct pmuctl_cpu *cpu);
/* Once a tick is often enough where it comes often: it reads some ten MSRs. */
void pmuctl_cpu_look_once(struct pmuctl_cpu *cpu);

/*
 * From the NMI handler, or after one that came while busy.  masked: its
 * interrupt is to be let through again.
 */
unsigned int pmuctl_cpu_overflow(struct pmuctl_cpu *cpu, struct pt_regs *at,
				 bool masked);

/*
 * From process context: adds up what the session has counted until now
 * wherever it runs.
 */
void pmuctl_cpu_fold(struct pmuctl_session *session);
/* The same of its records on one CPU: those that were lost are told. */
void pmuctl_cpu_tell_lost(struct pmuctl_session *session, unsigned int cpu);
/* Forgets every trace of sessions (their node) that run nowhere any more. */
void pmuctl_cpu_forget(struct list_head *sessions);

#endif
