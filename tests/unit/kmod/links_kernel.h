/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What links of tasks and sessions use of the kernel beside core_kernel.h, in user space: lists,
 * memory, a lock that nobody else wants.
 */
#ifndef LINKS_KERNEL_H
#define LINKS_KERNEL_H

#include "tests/unit/kmod/core_kernel.h"

typedef struct { unsigned int val; } kgid_t;
typedef u64 kernel_cap_t;
typedef int raw_spinlock_t;

#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name
#define raw_spin_lock_irqsave(lock, flags) ((flags) = (unsigned long)++*(lock))
#define raw_spin_unlock_irqrestore(lock, flags) ((void)(flags), --*(lock))
#define lockdep_is_held(lock) (*(lock))
#define lockdep_assert_held(lock) assert_true(*(lock))
#define rcu_read_lock_any_held() 1
#undef task_thread_info
#define update_tsk_thread_flag(task, flag, value)			\
	((task)->flags = (value) ? 1 : 0)

#define GFP_ATOMIC 0
#define __GFP_NOWARN 0
#define __GFP_ACCOUNT 0
#define kzalloc(size, flags) calloc(1, size)
#define struct_size(p, member, n)					\
	(offsetof(__typeof__(*(p)), member) + (n) * sizeof((p)->member[0]))
struct rcu_head { int unused; };
#define kfree_rcu(p, member) free(p)

/* All in one bucket: tasks are told apart by more than their place. */
#define hash_ptr(p, bits) ((void)(p), 0)

struct hlist_head { struct hlist_node *first; };
#define core_entry_or_null(at, pos, member)				\
	((at) ? core_entry(at, pos, member) : NULL)
#define hlist_for_each_entry_rcu(pos, head, member, ...)		\
	for (pos = core_entry_or_null((head)->first, pos, member); pos;	\
	     pos = core_entry_or_null(pos->member.next, pos, member))

static inline void hlist_add_head_rcu(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->pprev = &head->first;
	if (node->next)
		node->next->pprev = &node->next;
	head->first = node;
}

static inline void hlist_del_rcu(struct hlist_node *node)
{
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
}

static inline void hlist_replace_rcu(struct hlist_node *old, struct hlist_node *node)
{
	*node = *old;
	*node->pprev = node;
	if (node->next)
		node->next->pprev = &node->next;
}

#define list_add(node, head) list_add_tail(node, head)

static inline void list_del(struct list_head *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

struct llist_head { struct llist_node *first; };
#define LLIST_HEAD(name) struct llist_head name

static inline void llist_add(struct llist_node *node, struct llist_head *head)
{
	node->next = head->first;
	head->first = node;
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	struct llist_node *all = head->first;

	head->first = NULL;
	return all;
}

#define llist_for_each_entry_safe(pos, next_, at, member)		\
	for (pos = core_entry_or_null(at, pos, member);			\
	     pos && (next_ = core_entry_or_null(pos->member.next, pos, member), 1); \
	     pos = next_)

#endif
