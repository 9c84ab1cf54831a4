/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks which sessions count: a hash of (task, session) links.
 *
 * A link is made when a session is put on a task or when such a task forks,
 * and goes when the task has run for the last time or the session ends.  The
 * task is only ever compared, so no link keeps one alive; every last run is
 * seen (task_ran()), so no address is compared that has a new owner.
 */
#ifndef PMUCTL_SESSION_LINKS_H
#define PMUCTL_SESSION_LINKS_H

#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "kmod/access/privilege.h"
#include "kmod/state/link.h"
#include "kmod/state/phase.h"

struct pmuctl_session;
struct task_struct;

struct link {
	struct hlist_node node;		/* in the hash */
	struct task_struct *task;
	struct pmuctl_session *session;
	u8 armed;			/* enum armed */
	bool watched;			/* only as long as creds hold */
	bool plain;			/* a switch need not look at it */
	bool proved;			/* its maker may look into it */
	bool refused;			/* he may not: asked since its exec */
	bool own_exec;			/* to come: of a child that he forked */
	bool removed;			/* under pmuctl_links_lock */
	struct pmuctl_creds creds;
	struct list_head of_session;
	struct llist_node dead;
	struct rcu_head rcu;
	struct pmuctl_phase phase[];	/* of the session's events with some */
};

/* Anything but GO is looked at again at each switch to the task. */
enum armed {
	GO,
	WAITS_FOR_EXEC,
	GATED,				/* goes, and asks: see cpu/gate.h */
};

#define PMUCTL_LINK_BITS	12

extern struct hlist_head pmuctl_links[1 << PMUCTL_LINK_BITS];
/* Innermost: taken under a runqueue's lock. */
extern raw_spinlock_t pmuctl_links_lock;

static __always_inline struct hlist_head *
pmuctl_link_bucket(const struct task_struct *task)
{
	return &pmuctl_links[hash_ptr(task, PMUCTL_LINK_BITS)];
}

/* Preemption is off wherever a link is followed, or the lock is held. */
#define for_each_link(link, task_)					\
	hlist_for_each_entry_rcu(link, pmuctl_link_bucket(task_), node,	\
				 rcu_read_lock_any_held() ||		\
				 lockdep_is_held(&pmuctl_links_lock))	\
		if ((link)->task == (task_))

static inline struct link *
pmuctl_link_find(const struct task_struct *task,
		 const struct pmuctl_session *session)
{
	struct link *link;

	for_each_link(link, task)
		if (link->session == session)
			return link;
	return NULL;
}

/*
 * Of a session whose tasks' phases are those of the one beside it: where the
 * task stands; NULL: nobody keeps that (any more).
 */
struct pmuctl_phase *pmuctl_phases_beside(const struct task_struct *task,
					  const struct pmuctl_session *session);

/* Charged, until it is removed or freed. */
enum pmuctl_add pmuctl_link_new(struct pmuctl_session *session,
				struct task_struct *task, struct link **result);
/*
 * Of what the task has of the session `from` (NULL: nothing) nothing is left in
 * any case.  A switch finds that or the new one, never both or neither: what
 * the task executes meanwhile is in one of the two counts.
 */
enum pmuctl_add pmuctl_link_add(struct link *link,
				const struct pmuctl_session *from);
/* One that was not added. */
void pmuctl_link_free(struct link *link);
/* One that was, under pmuctl_links_lock. */
void pmuctl_link_remove(struct link *link);
/* Something of the task's links is another now, or its flag is its parent's. */
void pmuctl_links_look_at(struct task_struct *task);
/* Frees those that were removed, once no switch can be at them. */
void pmuctl_links_bury(void);

#endif
