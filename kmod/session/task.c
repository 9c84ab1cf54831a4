// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to tasks, and what their links make of it: they run, fork,
 * execute another program and end, and are put under sessions.
 */
#include <linux/instruction_pointer.h>
#include <linux/jump_label.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "kmod/access/privilege.h"
#include "kmod/access/proof.h"
#include "kmod/base/compat.h"
#include "kmod/cpu/gate.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/lbr.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/links.h"
#include "kmod/session/session.h"
#include "kmod/session/task.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* Of cores: where all are alike, switches are not to pay for a question. */
static DEFINE_STATIC_KEY_FALSE(several_kinds);

void pmuctl_task_init(void)
{
	if (pmuctl_nr_kinds > 1)
		static_branch_enable(&several_kinds);
}

/* A task that is not the session's to see any more. */
static void let_go(struct link *link)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	/* Its session may be ending, and have taken it off. */
	if (!link->removed)
		pmuctl_link_remove(link);
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
	pmuctl_session_trouble(link->session, PMUCTL_COUNT_DETACHED);
}

/* --- who is counted --- */

/* One that exits has nothing more to hide, and no mm to tell. */
static bool may_go_on(const struct link *link, const struct task_struct *task)
{
	return !link->watched || READ_ONCE(task->flags) & PF_EXITING ||
	       pmuctl_creds_hold(task, &link->creds);
}

static u8 task_goes(const struct pmuctl_session *session)
{
	return session->gated ? GATED : GO;
}

static bool passes_gate(const struct link *link)
{
	if (READ_ONCE(link->armed) != GATED ||
	    !READ_ONCE(link->session->running))
		return false;
	pmuctl_gate_enter(link->session);
	return true;
}

/* Sessions that are for cores of another kind stay off. */
static __always_inline bool is_for_others(const struct link *link)
{
	return static_branch_unlikely(&several_kinds) &&
	       link->session->kind != pmuctl_kind_here();
}

static __always_inline bool has_phases_beside(const struct pmuctl_session *of)
{
	return static_branch_unlikely(&several_kinds) && of->phases_beside;
}

static unsigned int task_running(struct task_struct *task,
				 struct pmuctl_want *want)
{
	unsigned int n = 0, found = 0;
	struct link *link;

	for_each_link(link, task) {
		found++;
		if (is_for_others(link))
			continue;
		if ((READ_ONCE(link->armed) ||
		     !READ_ONCE(link->session->running)) && !passes_gate(link))
			continue;
		if (unlikely(!may_go_on(link, task))) {
			let_go(link);
			continue;
		}
		if (n == PMUCTL_RUNS)
			continue;
		want[n].session = link->session;
		want[n++].phase = has_phases_beside(link->session) ?
				  pmuctl_phases_beside(task, link->session) :
				  link->phase;
	}
	if (unlikely(!found))
		pmuctl_links_look_at(task);
	return n;
}

struct pmuctl_phase *pmuctl_task_phases(const struct task_struct *task,
					const struct pmuctl_session *session)
{
	struct link *link;

	if (has_phases_beside(session))
		return pmuctl_phases_beside(task, session);
	link = pmuctl_link_find(task, session);
	return link ? link->phase : NULL;
}

void pmuctl_task_count(struct pmuctl_cpu *cpu, struct task_struct *task)
{
	struct pmuctl_want want[PMUCTL_RUNS] pmuctl_uninitialized;
	unsigned int n = 0;

	if (pmuctl_task_maybe(task))
		n = task_running(task, want);
	pmuctl_cpu_switch(cpu, task, want, n);
}

bool pmuctl_task_has(const struct task_struct *task,
		     const struct pmuctl_session *session)
{
	return pmuctl_link_find(task, session);
}

/* --- putting a session on a task, taking it off --- */

void pmuctl_task_remove(const struct task_struct *task,
			const struct pmuctl_session *session)
{
	struct link *link;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	for_each_link(link, task) {
		if (session && link->session != session)
			continue;
		pmuctl_link_remove(link);
	}
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
}

/* A child that waits for the program that it was made for. */
static bool is_own_command(const struct task_struct *task)
{
	bool own;

	rcu_read_lock();
	own = READ_ONCE(task->flags) & PF_FORKNOEXEC &&
	      rcu_dereference(task->real_parent)->tgid == current->tgid;
	rcu_read_unlock();
	return own;
}

/* Its credentials are noted before they are looked at. */
static enum pmuctl_add task_add(struct pmuctl_session *session,
				struct task_struct *task,
				const struct pmuctl_proof *proof,
				const struct pmuctl_session *from)
{
	enum pmuctl_add result;
	struct link *link;

	pmuctl_links_bury();
	result = pmuctl_link_new(session, task, &link);
	if (result != PMUCTL_ADDED)
		return result;
	link->armed = session->flags & PMUCTL_SESSION_ON_EXEC ?
		      WAITS_FOR_EXEC : task_goes(session);
	link->proved = true;
	link->own_exec = link->watched && is_own_command(task);
	pmuctl_creds_of(task, &link->creds);
	result = link->watched && pmuctl_task_refusal(task) ?
		 PMUCTL_NOT_OWN : pmuctl_link_add(link, from);
	if (result != PMUCTL_ADDED) {
		pmuctl_link_free(link);
		return result;
	}
	/*
	 * Not exiting after the link can be found: its last run is to come
	 * and will be seen.  Exiting: that may be over.
	 */
	smp_mb();
	if (READ_ONCE(task->flags) & PF_EXITING) {
		pmuctl_task_remove(task, session);
		return PMUCTL_ENDING;
	}
	/* An exec that comes from here on finds the link, see there. */
	if (proof && READ_ONCE(task->mm) != proof->mm) {
		pmuctl_task_remove(task, session);
		return PMUCTL_EXECS;
	}
	return PMUCTL_ADDED;
}

enum pmuctl_add pmuctl_task_add(struct pmuctl_session *session,
				struct task_struct *task,
				const struct pmuctl_proof *proof)
{
	return task_add(session, task, proof, NULL);
}

enum pmuctl_add pmuctl_task_move(struct task_struct *task,
				 const struct pmuctl_session *from,
				 struct pmuctl_session *to)
{
	enum pmuctl_add result = task_add(to, task, NULL, from);

	/* There was not even a link to try. */
	if (result != PMUCTL_ADDED)
		pmuctl_task_remove(task, from);
	return result;
}

void pmuctl_task_close(struct pmuctl_session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	session->dying = true;
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
}

/* So many links are removed while IRQs are off. */
#define DETACH_BATCH	64

/* Whether there may be more; none is added any more. */
static bool detach_some(struct pmuctl_session *session)
{
	unsigned int left = DETACH_BATCH;
	struct link *link, *next;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	list_for_each_entry_safe(link, next, &session->links, of_session) {
		if (!left--)
			break;
		pmuctl_link_remove(link);
	}
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
	return !list_empty(&session->links);
}

void pmuctl_task_detach(struct pmuctl_session *session)
{
	while (detach_some(session))
		cond_resched();
	pmuctl_links_bury();
}

void pmuctl_task_sessions(const struct task_struct *task,
			  void (*fn)(struct pmuctl_session *session,
				     void *data), void *data)
{
	struct link *link;

	for_each_link(link, task)
		fn(link->session, data);
}

/* --- who may be looked into --- */

bool pmuctl_task_may_tell(const struct task_struct *task,
			  const struct pmuctl_session *session)
{
	const struct link *link = pmuctl_link_find(task, session);

	return link && READ_ONCE(link->proved);
}

unsigned int pmuctl_task_unproved(struct pmuctl_session *session,
				  struct task_struct **tasks, unsigned int most)
{
	struct link *link;
	unsigned long flags;
	unsigned int n = 0;

	if (!READ_ONCE(session->unproved))
		return 0;
	WRITE_ONCE(session->unproved, false);
	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	list_for_each_entry(link, &session->links, of_session) {
		if (link->proved || link->refused)
			continue;
		if (n == most) {
			WRITE_ONCE(session->unproved, true);
			break;
		}
		tasks[n++] = get_task_struct(link->task);
	}
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
	return n;
}

/* Of an exec since the proof there will be another one. */
void pmuctl_task_proved(struct pmuctl_session *session,
			const struct task_struct *task,
			const struct pmuctl_proof *proof)
{
	struct link *link;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	for_each_link(link, task) {
		if (link->session != session)
			continue;
		if (!proof->mm)
			link->refused = true;
		else if (READ_ONCE(task->mm) == proof->mm)
			WRITE_ONCE(link->proved, true);
	}
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
}

/* --- tracepoints: preemption is off --- */

/*
 * Fresh, but what a frequency has come to with the parent is a good guess for
 * the child.  The parent's own CPU may be writing it: any value will do.
 */
static void inherit_periods(struct link *child, const struct link *parent)
{
	const struct pmuctl_session *session = parent->session;
	const struct pmuctl_event *event = session->event;
	struct pmuctl_phase *phase;
	unsigned int i;

	if (session->phases_beside)
		return;
	for (i = 0; session->by_freq && i < session->nr_events; i++, event++) {
		if (!event->sampled || !event->freq)
			continue;
		phase = &child->phase[event->phase];
		phase->period = READ_ONCE(parent->phase[event->phase].period);
		phase->left = phase->period;
	}
}

/* A copy of the stack has the same calls on it; a new thread begins another. */
static void inherit_calls(struct link *link, const struct task_struct *child)
{
	const struct pmuctl_session *session = link->session;
	unsigned long flags;

	if (likely(!session->calls) || child->mm == current->mm)
		return;
	local_irq_save(flags);
	if (this_cpu_ptr(pmuctl_cpus)->regs.lbr & LBR_CALLS)
		pmuctl_lbr_keep(pmuctl_calls(session, link->phase));
	local_irq_restore(flags);
}

static void task_inherit(const struct link *parent, struct task_struct *child)
{
	struct pmuctl_session *session = parent->session;
	struct link *link;
	enum pmuctl_add result;

	if (session->cgroup ? !pmuctl_cgroup_has(session, child) :
			     !(session->flags & PMUCTL_SESSION_INHERIT))
		return;
	if (unlikely(!may_go_on(parent, child))) {
		pmuctl_session_trouble(session, PMUCTL_COUNT_DETACHED);
		return;
	}
	result = pmuctl_link_new(session, child, &link);
	if (result == PMUCTL_ADDED) {
		link->armed = READ_ONCE(parent->armed);
		link->proved = READ_ONCE(parent->proved);
		link->refused = READ_ONCE(parent->refused);
		link->creds = parent->creds;
		inherit_periods(link, parent);
		inherit_calls(link, child);
		result = pmuctl_link_add(link, NULL);
		if (result != PMUCTL_ADDED)
			pmuctl_link_free(link);
	}
	if (result >= PMUCTL_IN_THE_WAY)
		pmuctl_session_trouble(session, PMUCTL_COUNT_INCOMPLETE);
}

void pmuctl_task_forked(struct task_struct *parent, struct task_struct *child)
{
	struct link *link;

	pmuctl_links_bury();
	for_each_link(link, parent)
		task_inherit(link, child);
	/* What it has from its parent, unless there is a reason to have it. */
	pmuctl_links_look_at(child);
}

/* Sessions without privilege are in user mode, where a kernel thread is not. */
void pmuctl_task_helped(struct task_struct *parent, struct task_struct *worker)
{
	struct link *link;

	pmuctl_links_bury();
	for_each_link(link, parent)
		if (!link->watched)
			task_inherit(link, worker);
}

/*
 * Other memory, which a security module may keep from the session's maker
 * though the user is the same.  A command of his own is what he started.
 */
static void link_execs(struct link *link)
{
	bool proved = !link->watched || link->own_exec;

	link->own_exec = false;
	link->refused = false;
	WRITE_ONCE(link->proved, proved);
	if (!proved)
		WRITE_ONCE(link->session->unproved, true);
}

/*
 * A program with more privilege than whoever started it is nobody's to count
 * who was put on its task: no instruction of it is, whatever the session may
 * do.  Of a control group everybody is.
 */
void pmuctl_task_exec(struct task_struct *task,
		      const struct linux_binprm *bprm)
{
	bool change = false, gains = pmuctl_exec_gains(task, bprm);
	struct link *link;
	unsigned long flags;

	for_each_link(link, task) {
		if ((gains && !link->session->cgroup) ||
		    !may_go_on(link, task)) {
			let_go(link);
			change = true;
			continue;
		}
		link_execs(link);
		change |= link->armed == WAITS_FOR_EXEC;
		WRITE_ONCE(link->armed, task_goes(link->session));
	}
	pmuctl_cpu_new_stack();
	if (!change)
		return;
	/* Those that waited go. */
	pmuctl_links_look_at(task);
	local_irq_save(flags);
	pmuctl_task_count(this_cpu_ptr(pmuctl_cpus), task);
	local_irq_restore(flags);
}

/* Whoever was switched from; perhaps for the last time. */
static void task_ran(struct task_struct *task, unsigned int state)
{
	if (unlikely(state == TASK_DEAD) && pmuctl_task_maybe(task))
		pmuctl_task_remove(task, NULL);
}

static noinline void switch_slow(struct task_struct *prev,
				 struct task_struct *next,
				 unsigned int prev_state)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);

	cpu->switch_ip = _RET_IP_;
	pmuctl_task_count(cpu, next);
	task_ran(prev, prev_state);
}

/*
 * What is on stays on: the next task is counted by that session and by no other
 * on a CPU of this kind.  No link is of NULL.  Whether it runs need not be
 * asked: who stops a session takes it off all CPUs, and here nothing comes on.
 */
static __always_inline bool stays_on(const struct pmuctl_session *session,
				     const struct task_struct *next)
{
	struct link *link;

	for_each_link(link, next) {
		if (link->session == session)
			return READ_ONCE(link->plain);
		if (!static_branch_unlikely(&several_kinds))
			break;
	}
	return false;
}

/*
 * Between two tasks of one session, threads of one program as a rule, this is
 * all there is: one look into the hash, and no call.  It starts a cache line,
 * so that its return is as far into one in every build, see on_switch().
 */
notrace __aligned(64)
void pmuctl_task_switch(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next, unsigned int prev_state)
{
	if (likely(stays_on(this_cpu_read(pmuctl_lasting), next)))
		task_ran(prev, prev_state);
	else
		switch_slow(prev, next, prev_state);
}

void pmuctl_task_exit(void)
{
	pmuctl_links_bury();
	rcu_barrier();
}
