/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which task has which hold: a hash of links, looked into at switches.  The
 * task is only ever compared.
 */
#ifndef PMUCTL_FEATURE_LINKS_H
#define PMUCTL_FEATURE_LINKS_H

#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

struct pmuctl_hold;

struct pmuctl_feature_link {
	struct hlist_node node;		/* in the hash */
	struct task_struct *task;
	struct pmuctl_hold *hold;
	struct list_head of_hold;
	struct llist_node dead;
	struct rcu_head rcu;
};

extern raw_spinlock_t pmuctl_feature_links_lock;

#define PMUCTL_FEATURE_LINK_BITS	10

extern struct hlist_head pmuctl_feature_links[1 << PMUCTL_FEATURE_LINK_BITS];

/* Where a task's are, among others. */
static inline struct hlist_head *
pmuctl_feature_links_of(const struct task_struct *task)
{
	return &pmuctl_feature_links[hash_ptr(task, PMUCTL_FEATURE_LINK_BITS)];
}

/* Under RCU or the lock. */
#define pmuctl_for_each_feature_link(link, task_)			\
	hlist_for_each_entry_rcu(link, pmuctl_feature_links_of(task_), node, \
				 rcu_read_lock_any_held() ||		\
				 lockdep_is_held(&pmuctl_feature_links_lock)) \
		if ((link)->task == (task_))

/* Whether it may have some. */
static inline bool pmuctl_feature_links_maybe(const struct task_struct *task)
{
	return !hlist_empty(pmuctl_feature_links_of(task));
}

/*
 * Returns 0, -EEXIST: it has it; -ESRCH: the hold ends; -ENOMEM; -EBUSY: it has
 * a hold with another value, which *other is.
 */
int pmuctl_feature_link_add(struct pmuctl_hold *hold, struct task_struct *task,
			    const struct pmuctl_hold **other);
/* All of a task's, or the one of this hold. */
void pmuctl_feature_links_remove(const struct task_struct *task,
				 const struct pmuctl_hold *hold);
/* Removes some of a hold's and lets none come; whether there may be more. */
bool pmuctl_feature_links_detach(struct pmuctl_hold *hold);
/* Frees, once nobody can look at them, what was removed. */
void pmuctl_feature_links_bury(void);

#endif
