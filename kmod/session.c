// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: made, started, stopped, added up, ended.
 */
#include <linux/cpu.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "assign.h"
#include "percpu.h"
#include "reserve.h"
#include "session.h"
#include "task.h"
#include "trace.h"

static DEFINE_IDR(sessions);
static unsigned int nr_sessions;
static DECLARE_RWSEM(sessions_lock);

#define for_each_session(session, id)					\
	idr_for_each_entry(&sessions, session, id)

/*
 * Sessions first, CPUs last: our hotplug callbacks come with the CPUs locked
 * and take no other lock, and tracepoints lock the CPUs themselves, so they
 * are used in between.
 */
void pmuctl_lock(bool write)
{
	if (write)
		down_write(&sessions_lock);
	else
		down_read(&sessions_lock);
	cpus_read_lock();
}

void pmuctl_unlock(bool write)
{
	cpus_read_unlock();
	if (write)
		up_write(&sessions_lock);
	else
		up_read(&sessions_lock);
}

/* A CPU may come or go meanwhile: before or after everything else only. */
static int hold_trace(const struct pmuctl_session *session,
		      const struct pmuctl_why *why)
{
	int err;

	if (!session->on_task)
		return 0;
	cpus_read_unlock();
	err = pmuctl_trace_hold(why);
	cpus_read_lock();
	return err;
}

static void release_trace(const struct pmuctl_session *session)
{
	if (!session->on_task)
		return;
	cpus_read_unlock();
	pmuctl_trace_release();
	cpus_read_lock();
}

struct pmuctl_session *pmuctl_session_find(u32 id)
{
	return idr_find(&sessions, id);
}

struct pmuctl_session *pmuctl_session_next(u32 id)
{
	int next = id;

	return id > INT_MAX ? NULL : idr_get_next(&sessions, &next);
}

unsigned int pmuctl_sessions(void)
{
	return nr_sessions;
}

u64 pmuctl_counters_used(void)
{
	struct pmuctl_session *session;
	u64 used = 0;
	int id;

	for_each_session(session, id)
		used |= session->counters;
	return used;
}

struct pmuctl_session *pmuctl_session_alloc(void)
{
	struct pmuctl_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return NULL;
	INIT_LIST_HEAD(&session->links);
	if (!zalloc_cpumask_var(&session->cpus, GFP_KERNEL))
		goto err_session;
	session->counts = alloc_percpu(struct pmuctl_counts);
	if (!session->counts)
		goto err_cpus;
	session->pid = get_pid(task_tgid(current));
	get_task_comm(session->comm, current);
	return session;

err_cpus:
	free_cpumask_var(session->cpus);
err_session:
	kfree(session);
	return NULL;
}

void pmuctl_session_free(struct pmuctl_session *session)
{
	put_pid(session->pid);
	free_percpu(session->counts);
	free_cpumask_var(session->cpus);
	kfree(session);
}

/* --- counters --- */

static void mark(struct pmuctl_session *session, void *data)
{
	session->in_the_way = true;
}

/*
 * Two sessions are in each other's way if they can ever run on one CPU at the
 * same time.  Marks those that are in the way of the plan's; returns the
 * counters that they hold.
 */
static u64 counters_in_the_way(const struct pmuctl_plan *plan)
{
	const struct pmuctl_session *new = plan->session;
	struct pmuctl_session *session;
	u64 counters = 0;
	unsigned int i;
	int id;

	for_each_session(session, id)
		session->in_the_way = new->on_task != session->on_task ||
			(!new->on_task && cpumask_intersects(new->cpus,
							     session->cpus));
	for (i = 0; i < plan->nr_targets; i++)
		pmuctl_task_sessions(&plan->target[i], mark, NULL);
	for_each_session(session, id)
		if (session->in_the_way)
			counters |= session->counters;
	return counters;
}

static void name_holders(char *text, size_t size)
{
	struct pmuctl_session *session;
	size_t used = 0;
	int id;

	text[0] = '\0';
	for_each_session(session, id)
		if (session->in_the_way)
			used += scnprintf(text + used, size - used,
					  "%spid %d (%s) holds 0x%llx",
					  used ? ", " : "",
					  pid_vnr(session->pid), session->comm,
					  session->counters);
}

static int no_counter(const struct pmuctl_plan *plan, unsigned int event,
		      u64 free, const struct pmuctl_why *why)
{
	const struct pmuctl_session *session = plan->session;
	u64 all = pmuctl_caps.counters;
	char holders[240];

	if (free == all)
		return pmuctl_why(why, -ENOSPC,
				  "event %u of %u finds no counter: it may use 0x%llx of 0x%llx, and the events before it need those; ask for fewer events at a time",
				  event + 1, session->nr_events,
				  session->event[event].allowed, all);
	name_holders(holders, sizeof(holders));
	return pmuctl_why(why, -EBUSY,
			  "event %u of %u finds no counter: it may use 0x%llx; %lu of %lu counters are free (0x%llx); %s; ask for fewer events or end that session",
			  event + 1, session->nr_events,
			  session->event[event].allowed, hweight64(free),
			  hweight64(all), free, holders);
}

int pmuctl_session_assign(struct pmuctl_plan *plan,
			  const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	u64 free = pmuctl_caps.counters & ~counters_in_the_way(plan);
	unsigned int i;
	int failed;

	failed = pmuctl_assign(session->event, session->nr_events, free);
	if (failed >= 0)
		return no_counter(plan, failed, free, why);
	for (i = 0; i < session->nr_events; i++) {
		pmuctl_backend->encode(&session->event[i], &session->reg[i]);
		session->counters |= BIT_ULL(session->event[i].counter);
	}
	return 0;
}

/* --- running --- */

static void add_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_add(this_cpu_ptr(&pmuctl_cpu), info);
	local_irq_restore(flags);
}

static void remove_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_remove(this_cpu_ptr(&pmuctl_cpu), info);
	local_irq_restore(flags);
}

static void set_running(struct pmuctl_session *session, bool running)
{
	WRITE_ONCE(session->running, running);
	if (session->on_task)
		pmuctl_trace_sync();
	else
		on_each_cpu_mask(session->cpus,
				 running ? add_here : remove_here, session,
				 true);
}

int pmuctl_session_start(struct pmuctl_session *session,
			 const struct pmuctl_why *why)
{
	if (session->running && session->flags & PMUCTL_SESSION_ON_EXEC)
		return pmuctl_why(why, -EALREADY,
				  "session %u starts by itself when its task execs: no start is needed",
				  session->id);
	if (session->running)
		return pmuctl_why(why, -EALREADY,
				  "session %u runs already: stop it first",
				  session->id);
	set_running(session, true);
	return 0;
}

int pmuctl_session_stop(struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	if (!session->running)
		return pmuctl_why(why, -EALREADY,
				  "session %u does not run: start it first",
				  session->id);
	set_running(session, false);
	return 0;
}

void pmuctl_session_cpu_online(unsigned int cpu)
{
	bool held = per_cpu(pmuctl_cpu, cpu).held;
	struct pmuctl_session *session;
	int id;

	for_each_session(session, id) {
		if (session->on_task && !held)
			pmuctl_session_trouble(session,
					       PMUCTL_COUNT_INCOMPLETE);
		if (!session->on_task && session->running &&
		    cpumask_test_cpu(cpu, session->cpus))
			add_here(session);
	}
}

/* --- life --- */

/* Off every task and CPU, and no probe that found it before still runs. */
static void withdraw(struct pmuctl_session *session)
{
	if (session->on_task)
		pmuctl_task_detach(session);
	if (session->on_task || session->running)
		set_running(session, false);
	pmuctl_cpu_forget(session);
	synchronize_rcu();
}

/* On a CPU that came up with its PMU in use, tasks run and are not counted. */
static void look_for_lost_cpus(struct pmuctl_session *session)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (!per_cpu(pmuctl_cpu, cpu).held)
			pmuctl_session_trouble(session,
					       PMUCTL_COUNT_INCOMPLETE);
}

static int attach_tasks(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	unsigned int i;
	int err = 0;

	look_for_lost_cpus(session);
	for (i = 0; i < plan->nr_targets && !err; i++)
		err = pmuctl_task_attach(session, &plan->target[i], why);
	if (err)
		withdraw(session);
	return err;
}

static int name_session(struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	int id;

	if (nr_sessions >= PMUCTL_SESSIONS_MAX)
		return pmuctl_why(why, -EUSERS,
				  "there are %u sessions, the most there can be: end some",
				  nr_sessions);
	id = idr_alloc_cyclic(&sessions, session, 1, 0, GFP_KERNEL);
	if (id < 0)
		return pmuctl_why(why, id, "no memory for another session");
	session->id = id;
	nr_sessions++;
	return 0;
}

static void unname_session(struct pmuctl_session *session)
{
	idr_remove(&sessions, session->id);
	nr_sessions--;
}

int pmuctl_session_register(struct pmuctl_plan *plan,
			    const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	int err;

	err = hold_trace(session, why);
	if (err)
		return err;
	err = name_session(session, why);
	if (err)
		goto err_trace;
	err = pmuctl_take(why);
	if (err)
		goto err_name;
	/* Links are armed: nothing is counted before the exec. */
	session->running = session->flags & PMUCTL_SESSION_ON_EXEC;
	err = session->on_task ? attach_tasks(plan, why) : 0;
	if (err)
		goto err_take;
	/* Cannot fail to be alive: we are in one of its functions. */
	__module_get(THIS_MODULE);
	return 0;

err_take:
	if (nr_sessions == 1)
		pmuctl_give_back();
err_name:
	unname_session(session);
err_trace:
	release_trace(session);
	return err;
}

void pmuctl_session_end(struct pmuctl_session *session)
{
	withdraw(session);
	unname_session(session);
	if (!nr_sessions)
		pmuctl_give_back();
	release_trace(session);
	pmuctl_session_free(session);
	module_put(THIS_MODULE);
}

void pmuctl_session_end_owner(u32 portid)
{
	struct pmuctl_session *session;
	int id;

	pmuctl_lock(true);
	for_each_session(session, id)
		if (session->portid == portid)
			pmuctl_session_end(session);
	pmuctl_unlock(true);
}

/* --- counts --- */

void pmuctl_session_on_cpu(const struct pmuctl_session *session,
			   unsigned int event, unsigned int cpu,
			   struct pmuctl_count *count)
{
	const struct pmuctl_counts *counts = per_cpu_ptr(session->counts, cpu);

	count->event = event;
	count->cpu = cpu;
	count->flags = atomic_read(&session->trouble);
	count->value = READ_ONCE(counts->value[event]);
	/* One set: whenever it was to be counted it was. */
	count->running = READ_ONCE(counts->time);
	count->enabled = count->running;
}

void pmuctl_session_sum(const struct pmuctl_session *session,
			unsigned int event, struct pmuctl_count *count)
{
	struct pmuctl_count one;
	unsigned int cpu;

	memset(count, 0, sizeof(*count));
	count->event = event;
	count->cpu = PMUCTL_CPU_ALL;
	for_each_possible_cpu(cpu) {
		pmuctl_session_on_cpu(session, event, cpu, &one);
		count->flags |= one.flags;
		count->value += one.value;
		count->running += one.running;
		count->enabled += one.enabled;
	}
}
