// SPDX-License-Identifier: GPL-2.0-only
/*
 * Links of tasks and sessions: making them, taking them away, and the task's
 * flag that tells that there are some.
 */
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "kmod/access/limits.h"
#include "kmod/pmu/lbr.h"
#include "kmod/session/links.h"
#include "kmod/session/session.h"
#include "kmod/state/session.h"

struct hlist_head pmuctl_links[1 << PMUCTL_LINK_BITS];
DEFINE_RAW_SPINLOCK(pmuctl_links_lock);
/* The scheduler may not free: whoever makes links does it later. */
static LLIST_HEAD(dead_links);

/* --- the task's flag --- */

/*
 * A task that has a link has not run for the last time, so it is there to be
 * written to; and one that runs, or is being forked, is as well.
 */
static void set_flag(struct task_struct *task, bool value)
{
	lockdep_assert_held(&pmuctl_links_lock);
	update_tsk_thread_flag(task, PMUCTL_TASK_FLAG, value);
}

/* Of its task's links no other goes on the same CPUs. */
static bool is_alone(const struct link *link)
{
	const struct link *other;

	for_each_link(other, link->task)
		if (other != link &&
		    other->session->kind == link->session->kind)
			return false;
	return true;
}

/*
 * The task's links, or what is to be known of them, are others now.  A plain
 * one is the only one of its kind, goes, and has no credentials to be looked
 * at.
 */
static void links_changed(struct task_struct *task)
{
	struct link *link;
	bool any = false;

	lockdep_assert_held(&pmuctl_links_lock);
	for_each_link(link, task) {
		WRITE_ONCE(link->plain, link->armed == GO && !link->watched &&
					is_alone(link));
		any = true;
	}
	set_flag(task, any);
}

void pmuctl_links_look_at(struct task_struct *task)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	links_changed(task);
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
}

/* --- making links --- */

/*
 * Others on the same task may run at the same time: not on our counters.  old
 * goes, or is NULL.
 */
static enum pmuctl_add may_add(const struct link *new, const struct link *old)
{
	const struct pmuctl_session *session = new->session;
	struct link *link;

	if (session->dying)
		return PMUCTL_ENDING;
	for_each_link(link, new->task) {
		if (link == old)
			continue;
		if (link->session == session)
			return PMUCTL_PRESENT;
		if (!link->session->dying &&
		    pmuctl_session_contends(link->session, session))
			return PMUCTL_IN_THE_WAY;
	}
	return PMUCTL_ADDED;
}

struct pmuctl_phase *pmuctl_phases_beside(const struct task_struct *task,
					  const struct pmuctl_session *session)
{
	const struct pmuctl_session *beside = READ_ONCE(session->beside);
	struct link *link = beside ? pmuctl_link_find(task, beside) : NULL;

	return link ? link->phase : NULL;
}

static size_t link_size(const struct pmuctl_session *session)
{
	unsigned int own = session->phases_beside ? 0 : session->nr_phases;
	struct link *link;

	return struct_size(link, phase, own) +
	       (session->calls ? sizeof(struct pmuctl_calls) : 0);
}

static void task_uncharge(const struct pmuctl_session *session)
{
	const struct pmuctl_payer payer = pmuctl_payer_of(session);

	pmuctl_uncharge(&payer, PMUCTL_LIMIT_TASKS, 1);
	pmuctl_uncharge(&payer, PMUCTL_LIMIT_MEMORY, link_size(session));
}

static bool task_charge(const struct pmuctl_session *session)
{
	const struct pmuctl_payer payer = pmuctl_payer_of(session);

	if (!pmuctl_try_charge(&payer, PMUCTL_LIMIT_TASKS, 1))
		return false;
	if (pmuctl_try_charge(&payer, PMUCTL_LIMIT_MEMORY, link_size(session)))
		return true;
	pmuctl_uncharge(&payer, PMUCTL_LIMIT_TASKS, 1);
	return false;
}

/* One that cannot be found any more. */
static void link_drop(struct link *link)
{
	link->removed = true;
	list_del(&link->of_session);
	link->session->nr_links--;
	task_uncharge(link->session);
	links_changed(link->task);
	llist_add(&link->dead, &dead_links);
}

void pmuctl_link_remove(struct link *link)
{
	lockdep_assert_held(&pmuctl_links_lock);
	hlist_del_rcu(&link->node);
	link_drop(link);
}

enum pmuctl_add pmuctl_link_add(struct link *link,
				const struct pmuctl_session *from)
{
	struct link *old = NULL;
	enum pmuctl_add result;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	if (from)
		old = pmuctl_link_find(link->task, from);
	result = may_add(link, old);
	if (result == PMUCTL_ADDED) {
		if (old)
			hlist_replace_rcu(&old->node, &link->node);
		else
			hlist_add_head_rcu(&link->node,
					   pmuctl_link_bucket(link->task));
		list_add(&link->of_session, &link->session->links);
		link->session->nr_links++;
		if (old)
			link_drop(old);
		else
			links_changed(link->task);
	} else if (old) {
		pmuctl_link_remove(old);
	}
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
	return result;
}

void pmuctl_links_bury(void)
{
	struct llist_node *dead = llist_del_all(&dead_links);
	struct link *link, *next;

	llist_for_each_entry_safe(link, next, dead, dead)
		kfree_rcu(link, rcu);
}

enum pmuctl_add pmuctl_link_new(struct pmuctl_session *session,
				struct task_struct *task, struct link **result)
{
	struct link *link;

	if (!task_charge(session))
		return PMUCTL_TOO_MANY;
	link = kzalloc(link_size(session),
		       GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!link) {
		task_uncharge(session);
		return PMUCTL_NO_MEMORY;
	}
	link->task = task;
	link->session = session;
	link->watched = !session->privileged;
	*result = link;
	return PMUCTL_ADDED;
}

void pmuctl_link_free(struct link *link)
{
	task_uncharge(link->session);
	kfree(link);
}
