// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one user may take: accounts by user, held to the module's parameters.
 */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include "kmod/access/limits.h"
#include "kmod/base/why.h"

/* Root changes them while the module runs; what is taken already stays. */
static unsigned int max_sessions = 1024;
module_param(max_sessions, uint, 0644);
MODULE_PARM_DESC(max_sessions, "The most sessions of a user (default 1024)");

static unsigned int max_events = 16384;
module_param(max_events, uint, 0644);
MODULE_PARM_DESC(max_events,
		 "The most events in all sessions of a user (default 16384)");

static unsigned int max_tasks = 65536;
module_param(max_tasks, uint, 0644);
MODULE_PARM_DESC(max_tasks,
		 "The most tasks that all sessions of a user follow, children included (default 65536)");

static unsigned int max_memory_kib = 65536;
module_param(max_memory_kib, uint, 0644);
MODULE_PARM_DESC(max_memory_kib,
		 "The most kernel memory of all sessions of a user, in KiB (default 65536)");

static const struct limit {
	const unsigned int *parameter;
	u64 unit;
	const char *name;		/* of the parameter */
	const char *what;		/* in its units */
} limits[PMUCTL_LIMITS] = {
	[PMUCTL_LIMIT_SESSIONS] = {
		&max_sessions, 1, "max_sessions", "sessions" },
	[PMUCTL_LIMIT_EVENTS] = {
		&max_events, 1, "max_events", "events" },
	[PMUCTL_LIMIT_TASKS] = {
		&max_tasks, 1, "max_tasks", "followed tasks" },
	[PMUCTL_LIMIT_MEMORY] = {
		&max_memory_kib, 1024, "max_memory_kib", "KiB of memory" },
};

struct pmuctl_user {
	struct list_head node;
	refcount_t refs;
	kuid_t uid;
	atomic64_t used[PMUCTL_LIMITS];
};

static LIST_HEAD(users);
static DEFINE_MUTEX(users_lock);

u64 pmuctl_limit(enum pmuctl_limit limit)
{
	return READ_ONCE(*limits[limit].parameter) * limits[limit].unit;
}

static struct pmuctl_user *limits_find(kuid_t uid)
{
	struct pmuctl_user *user;

	list_for_each_entry(user, &users, node)
		if (uid_eq(user->uid, uid))
			return user;
	return NULL;
}

static struct pmuctl_user *limits_make(kuid_t uid)
{
	struct pmuctl_user *user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);

	if (!user)
		return NULL;
	refcount_set(&user->refs, 1);
	user->uid = uid;
	list_add(&user->node, &users);
	return user;
}

struct pmuctl_user *pmuctl_user_get(kuid_t uid)
{
	struct pmuctl_user *user;

	mutex_lock(&users_lock);
	user = limits_find(uid);
	if (user)
		refcount_inc(&user->refs);
	else
		user = limits_make(uid);
	mutex_unlock(&users_lock);
	return user;
}

static void check_empty(const struct pmuctl_user *user)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_LIMITS; i++)
		WARN_ONCE(atomic64_read(&user->used[i]),
			  "pmuctl: %s were not given back\n", limits[i].what);
}

void pmuctl_user_put(struct pmuctl_user *user)
{
	if (!user || !refcount_dec_and_mutex_lock(&user->refs, &users_lock))
		return;
	list_del(&user->node);
	mutex_unlock(&users_lock);
	check_empty(user);
	kfree(user);
}

bool pmuctl_try_charge(struct pmuctl_user *user, enum pmuctl_limit limit,
		       u64 n)
{
	u64 most = pmuctl_limit(limit);
	s64 used = atomic64_read(&user->used[limit]);

	do {
		if (n > most || used > most - n)
			return false;
	} while (!atomic64_try_cmpxchg(&user->used[limit], &used, used + n));
	return true;
}

int pmuctl_charge(struct pmuctl_user *user, enum pmuctl_limit limit, u64 n,
		  const struct pmuctl_why *why)
{
	const struct limit *l = &limits[limit];
	u64 used;

	if (pmuctl_try_charge(user, limit, n))
		return 0;
	used = atomic64_read(&user->used[limit]);
	return pmuctl_why(why, -EDQUOT,
			  "user %u holds %llu %s and asks for %llu more, a user may have %llu: end some sessions, or let root raise /sys/module/pmuctl/parameters/%s",
			  from_kuid_munged(current_user_ns(), user->uid),
			  div64_u64(used, l->unit), l->what,
			  DIV64_U64_ROUND_UP(n, l->unit),
			  div64_u64(pmuctl_limit(limit), l->unit), l->name);
}

void pmuctl_uncharge(struct pmuctl_user *user, enum pmuctl_limit limit, u64 n)
{
	WARN_ON_ONCE(atomic64_sub_return(n, &user->used[limit]) < 0);
}
