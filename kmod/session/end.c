// SPDX-License-Identifier: GPL-2.0-only
/*
 * How sessions end: a few at a time, so that nobody waits for a user who has
 * many.
 *
 * An end has three parts.  Withdrawn, with the lock: nobody finds the session
 * any more, and no CPU counts it.  Without the lock: its tasks forget it, and
 * there may be many.  With the lock again: what it held is given back.  Only
 * its memory waits for probes that may have found it before, and nobody waits
 * for that.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "kmod/access/limits.h"
#include "kmod/base/compat.h"
#include "kmod/hold/pebs_hold.h"
#include "kmod/hold/reserve.h"
#include "kmod/pmu/kinds.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/end.h"
#include "kmod/session/readfd.h"
#include "kmod/session/rdpmc.h"
#include "kmod/session/session.h"
#include "kmod/session/task.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* So many with the lock held: each costs an interrupt of CPUs or two. */
#define BATCH	16

/* A task's next periods begin anew in sessions that have this one beside. */
static void leave_besides(const struct pmuctl_session *session)
{
	struct pmuctl_session *other;

	if (pmuctl_nr_kinds == 1 || !session->nr_sampled)
		return;
	for_each_session(other)
		if (other->beside == session)
			WRITE_ONCE(other->beside, NULL);
}

void pmuctl_session_withdraw(struct pmuctl_session *session,
			     struct list_head *ending)
{
	pmuctl_session_unname(session);
	if (session->running)
		pmuctl_session_halt(session);
	leave_besides(session);
	/* The other may end before this one's tasks have forgotten it. */
	WRITE_ONCE(session->beside, NULL);
	/* It stops first: behind a task that has no link nobody would. */
	if (session->on_task)
		pmuctl_task_close(session);
	pmuctl_cgroup_close(session);
	list_add_tail(&session->node, ending);
}

/* --- memory --- */

static LLIST_HEAD(ended);
static atomic64_t ended_memory;

static void free_ended(struct work_struct *work)
{
	struct llist_node *all = llist_del_all(&ended);
	struct pmuctl_session *session, *next;

	synchronize_rcu();
	llist_for_each_entry_safe(session, next, all, ended) {
		atomic64_sub(session->memory, &ended_memory);
		pmuctl_session_free(session);
		cond_resched();
	}
}

static DECLARE_WORK(free_work, free_ended);

static void free_later(struct pmuctl_session *session)
{
	atomic64_add(session->memory, &ended_memory);
	if (llist_add(&session->ended, &ended))
		queue_work(pmuctl_unbound_wq, &free_work);
}

void pmuctl_ended_settle(void)
{
	if (atomic64_read(&ended_memory) > pmuctl_limit(PMUCTL_LIMIT_MEMORY))
		flush_work(&free_work);
}

/* --- all of an end --- */

static void give_back(struct pmuctl_session *session)
{
	pmuctl_rdpmc_close(session);
	pmuctl_pebs_release(session);
	if (!pmuctl_sessions())
		pmuctl_give_back();
	pmuctl_session_release_trace(session);
	pmuctl_socket_put(&session->owner, PMUCTL_OWNED_SESSION);
	pmuctl_readfd_forget(session);
	pmuctl_session_uncharge(session);
	free_later(session);
	module_put(THIS_MODULE);
}

void pmuctl_ending_finish(struct list_head *ending)
{
	struct pmuctl_session *session, *next;

	if (list_empty(ending))
		return;
	list_for_each_entry(session, ending, node)
		if (session->on_task)
			pmuctl_task_detach(session);
	pmuctl_lock(true);
	pmuctl_cpu_forget(ending);
	list_for_each_entry_safe(session, next, ending, node)
		give_back(session);
	INIT_LIST_HEAD(ending);
	pmuctl_unlock(true);
}

/* --- closed sockets --- */

/*
 * Whoever closes one has its sessions ended by a worker: however many die at
 * once, only one stands where requests wait.  It has the CPU before them, by
 * a policy of its own: some hundred of them weigh more than any nice value, and
 * while they run, what it holds is waited for.
 */
static struct kthread_worker *worker;

/* So long may ends follow one another before others have their turn. */
#define IN_A_ROW_US	2000

/*
 * Whoever takes the lock again at once would take it before those who wait:
 * they wake up, or spin on another CPU, and have not seen that it was free.
 */
static void give_way(ktime_t *gave_way)
{
	if (ktime_us_delta(ktime_get(), *gave_way) < IN_A_ROW_US)
		return;
	usleep_range(200, 300);
	*gave_way = ktime_get();
}

/* On the stack of who closes it, and waits. */
struct closing {
	struct llist_node node;
	u32 portid;
};

static LLIST_HEAD(closings);

/* Whether there may be more; *node goes to the next that has some. */
static bool withdraw_some(struct llist_node **node, struct list_head *ending)
{
	struct pmuctl_session *session;
	struct closing *closing;
	unsigned int left = BATCH;

	for (; *node; *node = (*node)->next) {
		closing = llist_entry(*node, struct closing, node);
		for (;;) {
			session = pmuctl_session_closed(closing->portid);
			if (!session)
				break;
			pmuctl_session_withdraw(session, ending);
			if (!--left)
				return true;
		}
	}
	return false;
}

static void end_closed(struct kthread_work *work)
{
	/* Of one after the other, as when a process has many sockets. */
	static ktime_t gave_way, ended_last;
	struct llist_node *node = llist_del_all(&closings);
	LIST_HEAD(ending);
	bool more;

	if (ktime_us_delta(ktime_get(), ended_last) > IN_A_ROW_US)
		gave_way = ktime_get();
	do {
		pmuctl_lock(true);
		more = withdraw_some(&node, &ending);
		pmuctl_unlock(true);
		give_way(&gave_way);
		pmuctl_ending_finish(&ending);
		give_way(&gave_way);
	} while (more);
	ended_last = ktime_get();
}

static DEFINE_KTHREAD_WORK(end_work, end_closed);

void pmuctl_session_end_closed(u32 portid)
{
	struct closing closing = { .portid = portid };

	if (!pmuctl_socket_owns(portid, PMUCTL_OWNED_SESSION))
		return;
	llist_add(&closing.node, &closings);
	kthread_queue_work(worker, &end_work);
	/* Whichever run takes it has ended when the last one has. */
	kthread_flush_work(&end_work);
}

int pmuctl_end_init(void)
{
	worker = pmuctl_run_worker("pmuctl_end");
	if (IS_ERR(worker))
		return PTR_ERR(worker);
	sched_set_fifo_low(worker->task);
	return 0;
}

void pmuctl_end_exit(void)
{
	kthread_destroy_worker(worker);
	flush_work(&free_work);
}
