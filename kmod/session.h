/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: what they are, how long they live, and who may ask for what.
 */
#ifndef PMUCTL_SESSION_H
#define PMUCTL_SESSION_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "backend.h"

#define PMUCTL_SESSIONS_MAX	1024
/* Tasks that one session follows at a time. */
#define PMUCTL_TASKS_MAX	65536

/* What a session has counted on one CPU; only that CPU writes it. */
struct pmuctl_counts {
	u64 time;			/* ns on the counters */
	u64 value[PMUCTL_EVENTS_MAX];
};

struct pmuctl_session {
	u32 id;
	u64 flags;			/* enum pmuctl_session_flag */
	bool on_task;			/* else on CPUs */
	bool running;
	atomic_t trouble;		/* enum pmuctl_count_flag */

	u32 nr_events;
	struct pmuctl_event event[PMUCTL_EVENTS_MAX];
	struct pmuctl_reg reg[PMUCTL_EVENTS_MAX];	/* for the reply */
	u64 counters;			/* that it holds */
	struct pmuctl_counts __percpu *counts;

	cpumask_var_t cpus;		/* a session on CPUs */
	struct list_head links;		/* a session on tasks: see task.c */
	u32 nr_links;
	bool dying;			/* no new links */
	bool in_the_way;		/* of the one being assigned */

	/* The owner is a socket; sock is compared, never followed. */
	u32 portid;
	const void *sock;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	struct list_head node;
};

/* From any context and any CPU, several at once. */
static inline void pmuctl_session_trouble(struct pmuctl_session *session,
					  u32 flag)
{
	if (!(atomic_read(&session->trouble) & flag))
		atomic_or(flag, &session->trouble);
}

/*
 * Taken around everything that makes, ends or changes sessions (write) or
 * looks at them (read).  CPUs neither come nor go meanwhile.
 */
void pmuctl_lock(bool write);
void pmuctl_unlock(bool write);

struct pmuctl_session *pmuctl_session_alloc(void);
void pmuctl_session_free(struct pmuctl_session *session);

/* What is to be counted where: request.c fills it. */
struct pmuctl_target {
	struct pid *pid;
	bool process;			/* all threads of it */
	const struct nlattr *attr;
};

struct pmuctl_plan {
	struct pmuctl_session *session;
	struct pmuctl_target *target;
	unsigned int nr_targets;
};

/* Counters for every event, or why not. */
int pmuctl_session_assign(struct pmuctl_plan *plan,
			  const struct pmuctl_why *why);
/* Assigned: takes the PMU if need be and makes it a session of the caller's. */
int pmuctl_session_register(struct pmuctl_plan *plan,
			    const struct pmuctl_why *why);
void pmuctl_session_end(struct pmuctl_session *session);
void pmuctl_session_end_owner(u32 portid);

int pmuctl_session_start(struct pmuctl_session *session,
			 const struct pmuctl_why *why);
int pmuctl_session_stop(struct pmuctl_session *session,
			const struct pmuctl_why *why);

struct pmuctl_session *pmuctl_session_find(u32 id);
/* The first with an ID of at least id. */
struct pmuctl_session *pmuctl_session_next(u32 id);

unsigned int pmuctl_sessions(void);
u64 pmuctl_counters_used(void);

/* Sum over all CPUs; fold first. */
void pmuctl_session_sum(const struct pmuctl_session *session,
			unsigned int event, struct pmuctl_count *count);
void pmuctl_session_on_cpu(const struct pmuctl_session *session,
			   unsigned int event, unsigned int cpu,
			   struct pmuctl_count *count);

/* A CPU has come up with its PMU taken: what runs there. */
void pmuctl_session_cpu_online(unsigned int cpu);

#endif
