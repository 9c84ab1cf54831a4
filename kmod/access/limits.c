// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one user may take, and what all without privilege may take together:
 * accounts held to the module's parameters.
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

/*
 * Who has subordinate user IDs (65536 are usual) is as many users as that, so
 * a user's limit alone keeps nobody from taking everything.
 */
static unsigned int unprivileged_max_sessions = 4096;
module_param(unprivileged_max_sessions, uint, 0644);
MODULE_PARM_DESC(unprivileged_max_sessions,
		 "The most sessions of all users without CAP_PERFMON together (default 4096)");

static unsigned int unprivileged_max_events = 65536;
module_param(unprivileged_max_events, uint, 0644);
MODULE_PARM_DESC(unprivileged_max_events,
		 "The most events in all those sessions (default 65536)");

static unsigned int unprivileged_max_tasks = 262144;
module_param(unprivileged_max_tasks, uint, 0644);
MODULE_PARM_DESC(unprivileged_max_tasks,
		 "The most tasks that all those sessions follow (default 262144)");

static unsigned int unprivileged_max_memory_kib = 262144;
module_param(unprivileged_max_memory_kib, uint, 0644);
MODULE_PARM_DESC(unprivileged_max_memory_kib,
		 "The most kernel memory of all those sessions, in KiB (default 262144)");

struct bound {
	const unsigned int *parameter;
	const char *name;
};

static const struct limit {
	struct bound own;		/* of one user */
	struct bound common;		/* of all who have no privilege */
	u64 unit;
	const char *what;		/* in its units */
} limits[PMUCTL_LIMITS] = {
	[PMUCTL_LIMIT_SESSIONS] = {
		{ &max_sessions, "max_sessions" },
		{ &unprivileged_max_sessions, "unprivileged_max_sessions" },
		1, "sessions" },
	[PMUCTL_LIMIT_EVENTS] = {
		{ &max_events, "max_events" },
		{ &unprivileged_max_events, "unprivileged_max_events" },
		1, "events" },
	[PMUCTL_LIMIT_TASKS] = {
		{ &max_tasks, "max_tasks" },
		{ &unprivileged_max_tasks, "unprivileged_max_tasks" },
		1, "followed tasks" },
	[PMUCTL_LIMIT_MEMORY] = {
		{ &max_memory_kib, "max_memory_kib" },
		{ &unprivileged_max_memory_kib, "unprivileged_max_memory_kib" },
		1024, "KiB of memory" },
};

struct pmuctl_user {
	struct list_head node;
	refcount_t refs;
	kuid_t uid;
	atomic64_t used[PMUCTL_LIMITS];
};

static LIST_HEAD(users);
static DEFINE_MUTEX(users_lock);
/* By all sessions without privilege. */
static atomic64_t common_used[PMUCTL_LIMITS];

static u64 most_of(const struct bound *bound, enum pmuctl_limit limit)
{
	return READ_ONCE(*bound->parameter) * limits[limit].unit;
}

u64 pmuctl_limit(enum pmuctl_limit limit)
{
	return most_of(&limits[limit].own, limit);
}

u64 pmuctl_common_limit(enum pmuctl_limit limit)
{
	return most_of(&limits[limit].common, limit);
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

static bool take(atomic64_t *account, u64 most, u64 n)
{
	s64 used = atomic64_read(account);

	do {
		if (n > most || used > most - n)
			return false;
	} while (!atomic64_try_cmpxchg(account, &used, used + n));
	return true;
}

static void give(atomic64_t *account, u64 n)
{
	WARN_ON_ONCE(atomic64_sub_return(n, account) < 0);
}

bool pmuctl_try_charge(const struct pmuctl_payer *payer,
		       enum pmuctl_limit limit, u64 n)
{
	if (!take(&payer->user->used[limit], pmuctl_limit(limit), n))
		return false;
	if (payer->privileged ||
	    take(&common_used[limit], pmuctl_common_limit(limit), n))
		return true;
	give(&payer->user->used[limit], n);
	return false;
}

/* The limit that there is no room below; a guess, if others took or gave. */
static int refuse(const struct pmuctl_payer *payer, enum pmuctl_limit limit,
		  u64 n, const struct pmuctl_why *why)
{
	u64 used = atomic64_read(&payer->user->used[limit]);
	const struct limit *l = &limits[limit];
	u64 most = pmuctl_limit(limit);

	if (payer->privileged || used + n > most)
		return pmuctl_why(why, -EDQUOT,
				  "user %u holds %llu %s and asks for %llu more, a user may have %llu: end some sessions, or let root raise /sys/module/pmuctl/parameters/%s",
				  from_kuid_munged(current_user_ns(),
						   payer->user->uid),
				  div64_u64(used, l->unit), l->what,
				  DIV64_U64_ROUND_UP(n, l->unit),
				  div64_u64(most, l->unit), l->own.name);
	return pmuctl_why(why, -EDQUOT,
			  "all users without CAP_PERFMON together may have %llu %s, and %llu more are too many: end some sessions, or let root raise /sys/module/pmuctl/parameters/%s",
			  div64_u64(pmuctl_common_limit(limit), l->unit),
			  l->what, DIV64_U64_ROUND_UP(n, l->unit),
			  l->common.name);
}

int pmuctl_charge(const struct pmuctl_payer *payer, enum pmuctl_limit limit,
		  u64 n, const struct pmuctl_why *why)
{
	if (pmuctl_try_charge(payer, limit, n))
		return 0;
	return refuse(payer, limit, n, why);
}

void pmuctl_uncharge(const struct pmuctl_payer *payer, enum pmuctl_limit limit,
		     u64 n)
{
	give(&payer->user->used[limit], n);
	if (!payer->privileged)
		give(&common_used[limit], n);
}
