// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: made, started, stopped.  How they end: end.c.
 */
#include <linux/cpu.h>
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "kmod/access/limits.h"
#include "kmod/access/proof.h"
#include "kmod/cpu/timer.h"
#include "kmod/hold/pebs_hold.h"
#include "kmod/hold/reserve.h"
#include "kmod/pmu/kinds.h"
#include "kmod/sample/ring.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/rdpmc.h"
#include "kmod/session/self.h"
#include "kmod/session/session.h"
#include "kmod/session/target.h"
#include "kmod/session/task.h"
#include "kmod/session/trace.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* NULL, or why no session may be made or started. */
static const char *closed;

/* What the hardware keeps by itself is the task's that leaves a CPU. */
static bool tells_tasks_apart(const struct pmuctl_session *session)
{
	unsigned int i;

	for (i = 0; i < session->nr_events; i++)
		if (session->event[i].precise ||
		    session->event[i].content & PMUCTL_CONTENT_BRANCHES)
			return true;
	return false;
}

/* A CPU may come or go meanwhile: before or after everything else only. */
static int hold_trace(const struct pmuctl_session *session,
		      const struct pmuctl_why *why)
{
	int err;

	if (!session->on_task && !tells_tasks_apart(session))
		return 0;
	cpus_read_unlock();
	err = session->on_task ? pmuctl_trace_hold(why) :
				 pmuctl_trace_hold_leaves(why);
	if (!err && session->cgroup) {
		err = pmuctl_cgroup_hold_trace(why);
		if (err)
			pmuctl_trace_release();
	}
	cpus_read_lock();
	return err;
}

void pmuctl_session_release_trace(const struct pmuctl_session *session)
{
	if (!session->on_task && !tells_tasks_apart(session))
		return;
	cpus_read_unlock();
	if (session->cgroup)
		pmuctl_cgroup_release_trace();
	if (session->on_task)
		pmuctl_trace_release();
	else
		pmuctl_trace_release_leaves();
	cpus_read_lock();
}

/* It goes to terminals of others, in refusals: control characters do not. */
static void name_owner(struct pmuctl_session *session)
{
	char *c;

	session->pid = get_pid(task_tgid(current));
	session->in_init_ns = ns_of_pid(session->pid) == &init_pid_ns;
	get_task_comm(session->comm, current);
	for (c = session->comm; *c; c++)
		if (!isascii(*c) || !isprint(*c))
			*c = '?';
}

struct pmuctl_session *pmuctl_session_alloc(void)
{
	struct pmuctl_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return NULL;
	INIT_LIST_HEAD(&session->links);
	INIT_LIST_HEAD(&session->cgroup_node);
	session->interval = PMUCTL_INTERVAL;
	if (!zalloc_cpumask_var(&session->cpus, GFP_KERNEL_ACCOUNT)) {
		kfree(session);
		return NULL;
	}
	session->uid = current_uid();
	name_owner(session);
	return session;
}

void pmuctl_session_uncharge(const struct pmuctl_session *session)
{
	const struct pmuctl_payer payer = pmuctl_payer_of(session);

	pmuctl_uncharge(&payer, PMUCTL_LIMIT_SESSIONS, 1);
	pmuctl_uncharge(&payer, PMUCTL_LIMIT_EVENTS, session->nr_events);
	pmuctl_uncharge(&payer, PMUCTL_LIMIT_MEMORY, session->memory);
}

void pmuctl_session_free(struct pmuctl_session *session)
{
	pmuctl_cgroup_put(session);
	pmuctl_user_put(session->user);
	put_pid(session->pid);
	pmuctl_rings_free(session);
	pmuctl_self_free(session);
	free_percpu(session->counts);
	free_cpumask_var(session->cpus);
	kfree(session->claim);
	kfree(session->set);
	kvfree(session->event);
	kfree(session);
}

/* --- running --- */

static void add_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_add(this_cpu_ptr(pmuctl_cpus), info);
	local_irq_restore(flags);
}

static void remove_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_remove(this_cpu_ptr(pmuctl_cpus), info);
	local_irq_restore(flags);
}

static void set_running(struct pmuctl_session *session, bool running)
{
	WRITE_ONCE(session->running, running);
	if (session->on_task) {
		pmuctl_trace_sync();
		if (running)
			pmuctl_session_undisturbed(session);
		else
			pmuctl_session_note_disturbances(session);
	} else {
		on_each_cpu_mask(session->cpus,
				 running ? add_here : remove_here, session,
				 true);
	}
}

void pmuctl_session_halt(struct pmuctl_session *session)
{
	set_running(session, false);
}

/* There may be sessions already, if it did not come back after a sleep. */
static int session_take(const struct pmuctl_why *why)
{
	struct pmuctl_session *session;
	int err;

	if (pmuctl_held())
		return 0;
	err = pmuctl_take(why);
	if (err)
		return err;
	for_each_session(session)
		if (session->running)
			set_running(session, true);
	return 0;
}

static int check_open(const struct pmuctl_why *why)
{
	if (!closed)
		return 0;
	return pmuctl_why(why, -ESHUTDOWN, "nothing can be counted now: %s",
			  closed);
}

int pmuctl_session_start(struct pmuctl_session *session,
			 const struct pmuctl_why *why)
{
	int err;

	if (session->running && session->flags & PMUCTL_SESSION_ON_EXEC)
		return pmuctl_why(why, -EALREADY,
				  "session %u starts by itself when its task execs: no start is needed",
				  session->id);
	if (session->running)
		return pmuctl_why(why, -EALREADY,
				  "session %u runs already: stop it first",
				  session->id);
	if (session->lost)
		return pmuctl_why(why, -EBUSY,
				  "session %u has lost its counters to one with CAP_PERFMON: make another one when that has ended",
				  session->id);
	err = check_open(why);
	if (!err)
		err = session_take(why);
	if (err)
		return err;
	set_running(session, true);
	return 0;
}

int pmuctl_session_stop(struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	if (session->lost)
		return 0;
	if (!session->running)
		return pmuctl_why(why, -EALREADY,
				  "session %u does not run: start it first",
				  session->id);
	set_running(session, false);
	return 0;
}

/*
 * Tasks run on that CPU and are not counted, though the session is for such
 * ones; of a CPU that is like none of the kinds nobody knows.
 */
static bool misses_cpu(const struct pmuctl_session *session, unsigned int cpu)
{
	u32 kind = per_cpu(pmuctl_kind_of_cpu, cpu);

	return !per_cpu_ptr(pmuctl_cpus, cpu)->held &&
	       (kind == session->kind || kind == PMUCTL_KIND_NONE);
}

void pmuctl_session_cpu_online(unsigned int cpu)
{
	struct pmuctl_session *session;

	for_each_session(session) {
		if (session->on_task && misses_cpu(session, cpu))
			pmuctl_session_trouble(session,
					       PMUCTL_COUNT_INCOMPLETE);
		if (!session->on_task && session->running &&
		    cpumask_test_cpu(cpu, session->cpus))
			add_here(session);
	}
}

/* --- pauses --- */

/* Tasks run that are not counted. */
static void incomplete_all(void)
{
	struct pmuctl_session *session;

	for_each_session(session)
		if (session->running)
			pmuctl_session_trouble(session,
					       PMUCTL_COUNT_INCOMPLETE);
}

/* Every task is frozen, before and until after it is over: none is missed. */
void pmuctl_session_pause_all(void)
{
	pmuctl_lock(true);
	closed = "the machine goes to sleep; try again when it is awake";
	pmuctl_give_back();
	pmuctl_unlock(true);
}

void pmuctl_session_shutdown(void)
{
	pmuctl_lock(true);
	closed = "the machine goes down";
	incomplete_all();
	pmuctl_give_back();
	pmuctl_unlock(true);
}

void pmuctl_session_resume_all(void)
{
	pmuctl_lock(true);
	closed = NULL;
	/* If not, it says so in the log, and the next start tries again. */
	if (pmuctl_sessions() && session_take(NULL))
		incomplete_all();
	pmuctl_unlock(true);
}

/* --- life --- */

/* On a CPU that came up with its PMU in use, tasks run and are not counted. */
static void look_for_lost_cpus(struct pmuctl_session *session)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (misses_cpu(session, cpu))
			pmuctl_session_trouble(session,
					       PMUCTL_COUNT_INCOMPLETE);
}

static int attach_tasks(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	unsigned int i;
	int err = 0;

	look_for_lost_cpus(session);
	pmuctl_cpu_look_for_guests(session);
	if (session->cgroup)
		return pmuctl_cgroup_attach(session, why);
	for (i = 0; i < plan->nr_targets && !err; i++)
		err = pmuctl_target_attach(session, &plan->target[i],
					   plan->proof ? &plan->proof[i] : NULL,
					   why);
	return err;
}

/* CPUs begin with different sets: so a short run sees more of them. */
static void begin_turns(struct pmuctl_session *session)
{
	unsigned int n = session->nr_sets - session->first_turn;
	struct pmuctl_counts *counts;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(session->counts, cpu);
		seqcount_init(&counts->seq);
		counts->set = session->first_turn + cpu % n;
		pmuctl_rotate_begin(session, counts);
		if (session->gated)
			counts->set = session->nr_sets - 1;
	}
}

static size_t counts_size(const struct pmuctl_session *session)
{
	return sizeof(struct pmuctl_counts) +
	       2 * pmuctl_nr_cells(session) * sizeof(u64) +
	       session->nr_phases * sizeof(struct pmuctl_phase);
}

static u64 memory_of(const struct pmuctl_session *session)
{
	return sizeof(*session) + cpumask_size() +
	       session->nr_events * sizeof(*session->event) +
	       session->nr_sets * sizeof(*session->set) +
	       (u64)num_possible_cpus() * counts_size(session) +
	       pmuctl_rings_memory(session) + pmuctl_self_memory(session);
}

static int session_charge(struct pmuctl_session *session,
			  const struct pmuctl_why *why)
{
	const struct pmuctl_payer payer = {
		.user = pmuctl_user_get(session->uid),
		.privileged = session->privileged,
	};
	u64 memory = memory_of(session);
	int err;

	if (!payer.user)
		return pmuctl_why(why, -ENOMEM, "no memory for a session");
	err = pmuctl_charge(&payer, PMUCTL_LIMIT_SESSIONS, 1, why);
	if (err)
		goto err_user;
	err = pmuctl_charge(&payer, PMUCTL_LIMIT_EVENTS, session->nr_events,
			    why);
	if (err)
		goto err_session;
	err = pmuctl_charge(&payer, PMUCTL_LIMIT_MEMORY, memory, why);
	if (err)
		goto err_events;
	session->user = payer.user;
	session->memory = memory;
	return 0;

err_events:
	pmuctl_uncharge(&payer, PMUCTL_LIMIT_EVENTS, session->nr_events);
err_session:
	pmuctl_uncharge(&payer, PMUCTL_LIMIT_SESSIONS, 1);
err_user:
	pmuctl_user_put(payer.user);
	return err;
}

static int alloc_counts(struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	session->counts = __alloc_percpu_gfp(counts_size(session), sizeof(u64),
					     GFP_KERNEL_ACCOUNT);
	if (!session->counts)
		return pmuctl_why(why, -ENOMEM,
				  "no memory for the counts of %u events on %u CPUs",
				  session->nr_events, num_possible_cpus());
	begin_turns(session);
	pmuctl_session_undisturbed(session);
	return 0;
}

static int own_session(struct pmuctl_session *session,
		       const struct pmuctl_socket *owner,
		       const struct pmuctl_why *why)
{
	int err = pmuctl_socket_hold(owner, PMUCTL_OWNED_SESSION);

	if (err)
		return pmuctl_why(why, err, "no memory for another session");
	session->owner = *owner;
	return 0;
}

static void disown_session(const struct pmuctl_session *session)
{
	pmuctl_socket_put(&session->owner, PMUCTL_OWNED_SESSION);
}

/* What they counted until now stays theirs to read. */
static void evict(const struct pmuctl_plan *plan)
{
	struct pmuctl_session *session;

	if (!plan->evicts)
		return;
	for_each_session(session) {
		if (!session->loses)
			continue;
		session->lost = true;
		session->counters = 0;
		WRITE_ONCE(session->running, false);
		pmuctl_session_trouble(session, PMUCTL_COUNT_LOST);
	}
	pmuctl_trace_sync();
	for_each_session(session) {
		if (!session->loses)
			continue;
		session->loses = false;
		pmuctl_session_note_disturbances(session);
	}
}

int pmuctl_session_register(struct pmuctl_plan *plan,
			    const struct pmuctl_socket *owner,
			    const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	int err;

	/* An unload that has begun waits for this request, not for sessions. */
	if (!try_module_get(THIS_MODULE))
		return pmuctl_why_unloading(why);
	err = check_open(why);
	if (err)
		goto err_module;
	err = session_charge(session, why);
	if (err)
		goto err_module;
	err = alloc_counts(session, why);
	if (!err)
		err = pmuctl_rings_alloc(session, why);
	if (!err)
		err = pmuctl_self_alloc(session, why);
	if (!err)
		err = own_session(session, owner, why);
	if (err)
		goto err_charge;
	err = hold_trace(session, why);
	if (err)
		goto err_owner;
	err = pmuctl_session_name(session, why);
	if (err)
		goto err_trace;
	err = session_take(why);
	if (err)
		goto err_name;
	err = pmuctl_pebs_hold(session, why);
	if (err)
		goto err_take;
	plan->registered = true;
	pmuctl_rdpmc_open(session);
	evict(plan);
	/* Links are armed: nothing is counted before the exec. */
	session->running = session->flags & PMUCTL_SESSION_ON_EXEC;
	return session->on_task ? attach_tasks(plan, why) : 0;

err_take:
	if (pmuctl_sessions() == 1)
		pmuctl_give_back();
err_name:
	pmuctl_session_unname(session);
err_trace:
	pmuctl_session_release_trace(session);
err_owner:
	disown_session(session);
err_charge:
	pmuctl_session_uncharge(session);
err_module:
	module_put(THIS_MODULE);
	return err;
}
