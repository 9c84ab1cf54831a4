/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features of the processor that somebody holds at a value: who may, who does,
 * and that each is as it was found when nobody does any more.
 */
#ifndef PMUCTL_FEATURES_H
#define PMUCTL_FEATURES_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/sched.h>

#include "kmod/base/sockets.h"
#include "kmod/base/why.h"
#include "kmod/features/cached.h"
#include "kmod/features/rows.h"

/* Of a hold: which row of this processor's, and its value. */
struct pmuctl_held {
	u32 row;
	u64 value;
};

/* Registers of which tasks may have fields, of any processor. */
#define PMUCTL_TASK_REGS	2

/* A socket's, until it is released or the socket closed. */
struct pmuctl_hold {
	struct list_head node;
	u32 id;
	struct pmuctl_socket owner;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	cpumask_var_t cpus;		/* also those that are not online yet */
	bool all;
	u32 nr;
	struct pmuctl_held held[PMUCTL_FEATURES_MAX];
	/* NULL: of CPUs.  Else of this process's tasks, and of no CPUs. */
	struct pid *process;
	struct list_head of_tasks;
	struct list_head links;
	bool dying;			/* no new links */
	struct pmuctl_wish wish[PMUCTL_TASK_REGS];
	struct rcu_head rcu;
	/* Left, since somebody else wrote it; as far as there is room. */
	u32 nr_left;
	struct pmuctl_feature_left left[PMUCTL_FEATURES_MAX];
};

/* NULL: it does not hold that row. */
static inline const struct pmuctl_held *
pmuctl_held_of(const struct pmuctl_hold *hold, unsigned int row)
{
	unsigned int i;

	for (i = 0; i < hold->nr; i++)
		if (hold->held[i].row == row)
			return &hold->held[i];
	return NULL;
}

/* Of this machine; 0 rows: none is known.  Fixed from the start on. */
const struct pmuctl_feature_rows *pmuctl_features(void);
/* The parameter allows some to be switched. */
bool pmuctl_features_on(void);

/* All that follows with pmuctl_lock(true). */

/* NULL, or why a row cannot be switched by anybody now. */
const char *pmuctl_feature_refusal(unsigned int row);
/* NULL after a refusal. */
struct pmuctl_hold *pmuctl_hold_alloc(const struct pmuctl_why *why);
void pmuctl_hold_free(struct pmuctl_hold *hold);
/* Sets its fields and makes it the socket's, or leaves everything as it was. */
int pmuctl_hold_begin(struct pmuctl_hold *hold,
		      const struct pmuctl_socket *owner,
		      const struct pmuctl_why *why);
/* Gives back what no other holds; it is not freed. */
void pmuctl_hold_end(struct pmuctl_hold *hold);
/* NULL: there is none of that number. */
struct pmuctl_hold *pmuctl_hold_find(u32 id);

/* The CPUs beside those it named that have its values as well. */
bool pmuctl_hold_reaches(const struct pmuctl_hold *hold, unsigned int cpu);
/* Fills a state, and says who holds it there, NULL: nobody. */
const struct pmuctl_hold *
pmuctl_feature_look(unsigned int row, unsigned int cpu,
		    struct pmuctl_feature_state *state);

/* A socket with that port ID was closed.  Takes the lock if it must. */
void pmuctl_features_end_closed(u32 portid);

/* On the CPU meant, with hotplug locked.  Not 0: it may not come. */
int pmuctl_features_online(unsigned int cpu);
void pmuctl_features_offline(unsigned int cpu);

/* The machine sleeps, is awake again, or goes down.  They take the lock. */
void pmuctl_features_pause(void);
void pmuctl_features_resume(void);
void pmuctl_features_shutdown(void);

int pmuctl_features_init(void);
void pmuctl_features_exit(void);

#endif
