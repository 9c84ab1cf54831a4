// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which tasks which sessions count: a hash of (task, session) links.
 *
 * A link is made when a session is put on a task or when such a task forks,
 * and goes when the task has run for the last time or the session ends.  The
 * task is only ever compared, so no link keeps one alive; every last run is
 * seen (pmuctl_task_dead()), so no address is compared that has a new owner.
 */
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/llist.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "percpu.h"
#include "session.h"
#include "task.h"

struct link {
	struct hlist_node node;		/* in the hash */
	const struct task_struct *task;
	struct pmuctl_session *session;
	bool armed;			/* waits for an exec */
	struct list_head of_session;
	struct llist_node dead;
	struct rcu_head rcu;
};

#define LINK_BITS	10

static DEFINE_HASHTABLE(links, LINK_BITS);
/* Innermost: taken under a runqueue's lock. */
static DEFINE_RAW_SPINLOCK(links_lock);
/* The scheduler may not free: whoever makes links does it later. */
static LLIST_HEAD(dead_links);

static struct hlist_head *bucket(const struct task_struct *task)
{
	return &links[hash_ptr(task, LINK_BITS)];
}

/* Preemption is off wherever a link is followed, or links_lock is held. */
#define for_each_link(link, task_)					\
	hlist_for_each_entry_rcu(link, bucket(task_), node,		\
				 rcu_read_lock_any_held() ||		\
				 lockdep_is_held(&links_lock))		\
		if ((link)->task == (task_))

bool pmuctl_task_maybe(const struct task_struct *task)
{
	return !hlist_empty(bucket(task));
}

unsigned int pmuctl_task_running(const struct task_struct *task,
				 struct pmuctl_session **want)
{
	struct link *link;
	unsigned int n = 0;

	for_each_link(link, task) {
		if (READ_ONCE(link->armed) ||
		    !READ_ONCE(link->session->running))
			continue;
		if (n < PMUCTL_RUNS)
			want[n++] = link->session;
	}
	return n;
}

/* --- making links --- */

enum add { ADDED, PRESENT, IN_THE_WAY, TOO_MANY, ENDING };

/* Others on the same task may run at the same time: not on our counters. */
static enum add may_add(const struct link *new)
{
	const struct pmuctl_session *session = new->session;
	struct link *link;

	if (session->dying)
		return ENDING;
	if (session->nr_links >= PMUCTL_TASKS_MAX)
		return TOO_MANY;
	for_each_link(link, new->task) {
		if (link->session == session)
			return PRESENT;
		if (link->session->counters & session->counters)
			return IN_THE_WAY;
	}
	return ADDED;
}

static enum add link_add(struct link *link)
{
	unsigned long flags;
	enum add result;

	raw_spin_lock_irqsave(&links_lock, flags);
	result = may_add(link);
	if (result == ADDED) {
		hlist_add_head_rcu(&link->node, bucket(link->task));
		list_add(&link->of_session, &link->session->links);
		link->session->nr_links++;
	}
	raw_spin_unlock_irqrestore(&links_lock, flags);
	return result;
}

static void link_remove(struct link *link)
{
	lockdep_assert_held(&links_lock);
	hlist_del_rcu(&link->node);
	list_del(&link->of_session);
	link->session->nr_links--;
	llist_add(&link->dead, &dead_links);
}

static void bury_dead(void)
{
	struct llist_node *dead = llist_del_all(&dead_links);
	struct link *link, *next;

	llist_for_each_entry_safe(link, next, dead, dead)
		kfree_rcu(link, rcu);
}

static struct link *link_new(const struct task_struct *task,
			     struct pmuctl_session *session, bool armed)
{
	struct link *link = kzalloc(sizeof(*link), GFP_ATOMIC | __GFP_NOWARN);

	if (!link)
		return NULL;
	link->task = task;
	link->session = session;
	link->armed = armed;
	return link;
}

/* --- attaching --- */

static void remove_from(const struct task_struct *task,
			const struct pmuctl_session *session)
{
	struct link *link;
	unsigned long flags;

	raw_spin_lock_irqsave(&links_lock, flags);
	for_each_link(link, task) {
		if (session && link->session != session)
			continue;
		link_remove(link);
	}
	raw_spin_unlock_irqrestore(&links_lock, flags);
}

static enum add attach_one(struct pmuctl_session *session,
			   const struct task_struct *task)
{
	struct link *link = link_new(task, session,
				     session->flags & PMUCTL_SESSION_ON_EXEC);
	enum add result;

	if (!link)
		return TOO_MANY;
	result = link_add(link);
	if (result != ADDED) {
		kfree(link);
		return result;
	}
	/*
	 * Not exiting after the link can be found: its last run is to come
	 * and will be seen.  Exiting: that may be over.
	 */
	smp_mb();
	if (READ_ONCE(task->flags) & PF_EXITING) {
		remove_from(task, session);
		return ENDING;
	}
	return ADDED;
}

/*
 * A thread that a thread without a link makes gets none; but it is on the
 * list by then, so go round until there is nobody new.  Without inheritance
 * those that are there now are meant: a process that goes on making threads
 * would have us go round for ever.
 */
static enum add attach_threads(struct pmuctl_session *session,
			       struct task_struct *leader)
{
	struct task_struct *task;
	bool added, any = false;
	enum add result;

	do {
		added = false;
		rcu_read_lock();
		for_each_thread(leader, task) {
			result = attach_one(session, task);
			added |= result == ADDED;
			any |= result == ADDED || result == PRESENT;
			if (result == TOO_MANY || result == IN_THE_WAY) {
				rcu_read_unlock();
				return result;
			}
		}
		rcu_read_unlock();
	} while (added && session->flags & PMUCTL_SESSION_INHERIT);
	return any ? ADDED : ENDING;
}

static struct task_struct *target_task(const struct pmuctl_target *target)
{
	return get_pid_task(target->pid, target->process ? PIDTYPE_TGID :
							   PIDTYPE_PID);
}

static int attach_error(enum add result, const struct pmuctl_target *target,
			const struct pmuctl_why *why)
{
	pid_t nr = pid_vnr(target->pid);

	switch (result) {
	case TOO_MANY:
		return pmuctl_why_attr(why, target->attr, -ENOMEM,
				       "task %d: no memory, or more than %u tasks in one session",
				       nr, PMUCTL_TASKS_MAX);
	case IN_THE_WAY:
		return pmuctl_why_attr(why, target->attr, -EBUSY,
				       "task %d: another session came to be on it, with the same counters; try again",
				       nr);
	case ENDING:
		return pmuctl_why_attr(why, target->attr, -ESRCH,
				       "task %d is exiting: there is nothing left to count",
				       nr);
	default:
		return 0;
	}
}

int pmuctl_task_attach(struct pmuctl_session *session,
		       const struct pmuctl_target *target,
		       const struct pmuctl_why *why)
{
	struct task_struct *task = target_task(target);
	enum add result = ENDING;

	if (task) {
		bury_dead();
		result = target->process ? attach_threads(session, task) :
					   attach_one(session, task);
		put_task_struct(task);
	}
	return attach_error(result, target, why);
}

void pmuctl_task_detach(struct pmuctl_session *session)
{
	struct link *link, *next;
	unsigned long flags;

	raw_spin_lock_irqsave(&links_lock, flags);
	session->dying = true;
	list_for_each_entry_safe(link, next, &session->links, of_session)
		link_remove(link);
	raw_spin_unlock_irqrestore(&links_lock, flags);
	bury_dead();
}

static void each_session(const struct task_struct *task,
			 void (*fn)(struct pmuctl_session *session, void *data),
			 void *data)
{
	struct link *link;

	for_each_link(link, task)
		fn(link->session, data);
}

void pmuctl_task_sessions(const struct pmuctl_target *target,
			  void (*fn)(struct pmuctl_session *session,
				     void *data), void *data)
{
	struct task_struct *task = target_task(target), *thread;

	if (!task)
		return;
	rcu_read_lock();
	if (target->process)
		for_each_thread(task, thread)
			each_session(thread, fn, data);
	else
		each_session(task, fn, data);
	rcu_read_unlock();
	put_task_struct(task);
}

/* --- tracepoints: preemption is off --- */

static void inherit(const struct link *parent, struct task_struct *child)
{
	struct pmuctl_session *session = parent->session;
	struct link *link;
	enum add result = TOO_MANY;

	if (!(session->flags & PMUCTL_SESSION_INHERIT))
		return;
	link = link_new(child, session, READ_ONCE(parent->armed));
	if (link)
		result = link_add(link);
	if (result == ADDED)
		return;
	kfree(link);
	if (result == TOO_MANY || result == IN_THE_WAY)
		pmuctl_session_trouble(session, PMUCTL_COUNT_INCOMPLETE);
}

void pmuctl_task_forked(struct task_struct *parent, struct task_struct *child)
{
	struct link *link;

	bury_dead();
	for_each_link(link, parent)
		inherit(link, child);
}

void pmuctl_task_exec(struct task_struct *task)
{
	struct pmuctl_session *want[PMUCTL_RUNS];
	struct link *link;
	unsigned long flags;
	bool start = false;

	for_each_link(link, task) {
		start |= link->armed;
		WRITE_ONCE(link->armed, false);
	}
	if (!start)
		return;
	local_irq_save(flags);
	pmuctl_cpu_switch(this_cpu_ptr(&pmuctl_cpu), want,
			  pmuctl_task_running(task, want));
	local_irq_restore(flags);
}

void pmuctl_task_dead(struct task_struct *task)
{
	if (pmuctl_task_maybe(task))
		remove_from(task, NULL);
}

void pmuctl_task_exit(void)
{
	bury_dead();
	rcu_barrier();
}
