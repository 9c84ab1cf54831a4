// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which task has which hold: a hash of links, looked into at switches.  The
 * task is only ever compared.
 */
#include <linux/slab.h>

#include "kmod/features/features.h"
#include "kmod/features/links.h"

struct hlist_head pmuctl_feature_links[1 << PMUCTL_FEATURE_LINK_BITS];
/* Innermost: taken under a runqueue's lock. */
DEFINE_RAW_SPINLOCK(pmuctl_feature_links_lock);
/* The scheduler may not free: whoever makes links does it later. */
static LLIST_HEAD(dead_links);

static bool differ(const struct pmuctl_hold *a, const struct pmuctl_hold *b)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_TASK_REGS; i++)
		if ((a->wish[i].value ^ b->wish[i].value) &
		    a->wish[i].bits & b->wish[i].bits)
			return true;
	return false;
}

static int may_add(const struct pmuctl_feature_link *new,
		   const struct pmuctl_hold **other)
{
	struct pmuctl_feature_link *link;

	if (new->hold->dying)
		return -ESRCH;
	pmuctl_for_each_feature_link(link, new->task) {
		if (link->hold == new->hold)
			return -EEXIST;
		*other = link->hold;
		if (differ(link->hold, new->hold))
			return -EBUSY;
	}
	return 0;
}

void pmuctl_feature_links_bury(void)
{
	struct llist_node *dead = llist_del_all(&dead_links);
	struct pmuctl_feature_link *link, *next;

	llist_for_each_entry_safe(link, next, dead, dead)
		kfree_rcu(link, rcu);
}

int pmuctl_feature_link_add(struct pmuctl_hold *hold, struct task_struct *task,
			    const struct pmuctl_hold **other)
{
	struct pmuctl_feature_link *link;
	unsigned long flags;
	int err;

	pmuctl_feature_links_bury();
	link = kzalloc(sizeof(*link),
		       GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!link)
		return -ENOMEM;
	link->task = task;
	link->hold = hold;
	raw_spin_lock_irqsave(&pmuctl_feature_links_lock, flags);
	err = may_add(link, other);
	if (!err) {
		hlist_add_head_rcu(&link->node, pmuctl_feature_links_of(task));
		list_add(&link->of_hold, &hold->links);
	}
	raw_spin_unlock_irqrestore(&pmuctl_feature_links_lock, flags);
	if (err)
		kfree(link);
	return err;
}

static void link_remove(struct pmuctl_feature_link *link)
{
	lockdep_assert_held(&pmuctl_feature_links_lock);
	hlist_del_rcu(&link->node);
	list_del(&link->of_hold);
	llist_add(&link->dead, &dead_links);
}

void pmuctl_feature_links_remove(const struct task_struct *task,
				 const struct pmuctl_hold *hold)
{
	struct pmuctl_feature_link *link;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_feature_links_lock, flags);
	pmuctl_for_each_feature_link(link, task)
		if (!hold || link->hold == hold)
			link_remove(link);
	raw_spin_unlock_irqrestore(&pmuctl_feature_links_lock, flags);
}

/* So many links are removed while IRQs are off. */
#define DETACH_BATCH	64

bool pmuctl_feature_links_detach(struct pmuctl_hold *hold)
{
	unsigned int left = DETACH_BATCH;
	struct pmuctl_feature_link *link, *next;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_feature_links_lock, flags);
	hold->dying = true;
	list_for_each_entry_safe(link, next, &hold->links, of_hold) {
		if (!left--)
			break;
		link_remove(link);
	}
	raw_spin_unlock_irqrestore(&pmuctl_feature_links_lock, flags);
	return !list_empty(&hold->links);
}
