// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads of a Pentium 4's core that want the same counters or ESCRs.
 *
 * What a set needs is claimed when it comes on.  A claim holds as long as its
 * run is on: nobody takes it back, which would cost every switch something;
 * whoever wants the same looks whether the run still is.
 */
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/topology.h>

#include "kmod/cpu/gate.h"
#include "kmod/cpu/timer.h"
#include "kmod/p4/p4.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* Of a run that is gated. */
struct stake {
	struct pmuctl_claim claim;	/* what it has of the core */
	bool waits;			/* for the other thread */
};

/* As the runs of struct pmuctl_cpu; allocated: modules have little per CPU. */
struct stakes {
	struct stake task[PMUCTL_RUNS];
	struct stake cpu[PMUCTL_RUNS];
};

static struct stakes __percpu *stakes;

/* Asking and having are one step for all threads. */
static DEFINE_RAW_SPINLOCK(gate_lock);

/*
 * Added to what is left of a turn, to have the session ask before it goes on;
 * far from whatever a turn can be.
 */
#define ASK			(-(1LL << 60))

static bool p4_gate_asks(const struct pmuctl_counts *counts)
{
	return counts->left < ASK / 2;
}

int pmuctl_gate_init(void)
{
	if (pmuctl_caps.threads < 2)
		return 0;
	stakes = alloc_percpu(struct stakes);
	return stakes ? 0 : -ENOMEM;
}

void pmuctl_gate_exit(void)
{
	free_percpu(stakes);
}

void pmuctl_gate_enter(const struct pmuctl_session *session)
{
	struct pmuctl_counts *counts = this_cpu_ptr(session->counts);

	if (!p4_gate_asks(counts))
		counts->left += ASK;
}

void pmuctl_gate_add(unsigned int i, const struct pmuctl_session *session)
{
	this_cpu_ptr(stakes)->cpu[i] = (struct stake){ };
	if (session->gated)
		pmuctl_gate_enter(session);
}

void pmuctl_gate_move(unsigned int to, unsigned int from)
{
	struct stakes *here = this_cpu_ptr(stakes);

	here->cpu[to] = here->cpu[from];
}

void pmuctl_gate_forget(const struct pmuctl_session *session)
{
	const struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	unsigned int i;

	for (i = 0; i < PMUCTL_RUNS; i++)
		if (cpu->task[i].session == session)
			this_cpu_ptr(stakes)->task[i] = (struct stake){ };
}

/* --- the other thread --- */

static bool p4_gate_same(const struct pmuctl_claim *a,
			 const struct pmuctl_claim *b)
{
	return a->counters & b->counters || a->escrs & b->escrs;
}

static bool some_claim(const struct stake *stake, unsigned int n,
		       const struct pmuctl_claim *claim)
{
	while (n--)
		if (p4_gate_same(&stake[n].claim, claim))
			return true;
	return false;
}

static bool some_wait(const struct stake *stake, unsigned int n)
{
	while (n--)
		if (stake[n].waits)
			return true;
	return false;
}

/* The other thread of this core, if there is one. */
static int p4_gate_sibling(void)
{
	int me = smp_processor_id(), number;

	for_each_cpu(number, topology_sibling_cpumask(me))
		if (number != me)
			return number;
	return -1;
}

/* While it changes its runs any of them may be on. */
static bool is_free(const struct pmuctl_claim *claim)
{
	unsigned int nr_task = PMUCTL_RUNS, nr_cpu = PMUCTL_RUNS;
	const struct pmuctl_cpu *other;
	const struct stakes *theirs;
	int number = p4_gate_sibling();

	if (number < 0)
		return true;
	other = per_cpu_ptr(pmuctl_cpus, number);
	theirs = per_cpu_ptr(stakes, number);
	if (!READ_ONCE(other->busy)) {
		/* Not busy any more: what it did is to be seen. */
		smp_rmb();
		nr_task = READ_ONCE(other->nr_task);
		nr_cpu = READ_ONCE(other->nr_cpu);
	}
	return !some_claim(theirs->task, nr_task, claim) &&
	       !some_claim(theirs->cpu, nr_cpu, claim);
}

static bool other_waits(void)
{
	const struct pmuctl_cpu *other;
	const struct stakes *theirs;
	int number = p4_gate_sibling();

	if (number < 0)
		return false;
	other = per_cpu_ptr(pmuctl_cpus, number);
	theirs = per_cpu_ptr(stakes, number);
	return some_wait(theirs->task, READ_ONCE(other->nr_task)) ||
	       some_wait(theirs->cpu, READ_ONCE(other->nr_cpu));
}

/* --- this one --- */

/* Of its run: the first that names it is the one that is being put on. */
static struct stake *stake_of(const struct pmuctl_session *session)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	const struct pmuctl_run *run = session->on_task ? cpu->task : cpu->cpu;
	struct stakes *here = this_cpu_ptr(stakes);
	struct stake *stake = session->on_task ? here->task : here->cpu;

	for (; run->session != session; run++)
		stake++;
	return stake;
}

static u32 waiting_set(const struct pmuctl_session *session)
{
	return session->nr_sets - 1;
}

/* Where it goes on if it can; the waiting set: to let the other one. */
static u32 wanted_set(const struct pmuctl_session *session,
		      const struct pmuctl_counts *counts)
{
	u32 waiting = waiting_set(session);

	if (counts->set == waiting)
		return 0;
	if (p4_gate_asks(counts) && counts->left > ASK)
		return counts->set;
	if (counts->set + 1 < waiting)
		return counts->set + 1;
	return other_waits() ? waiting : 0;
}

/* Threads that hardly ever wait need no timer to speak of. */
static s64 turn_of(const struct pmuctl_session *session,
		   const struct pmuctl_counts *counts, bool waits)
{
	if (session->nr_sets > 2)
		return pmuctl_rotate_time(counts);
	return session->split && !waits ? PMUCTL_INTERVAL_MAX :
					  session->interval;
}

void pmuctl_gate_next(const struct pmuctl_session *session,
		      struct pmuctl_counts *counts)
{
	const struct pmuctl_claim nothing = { };
	const struct pmuctl_claim *claim;
	struct stake *stake = stake_of(session);
	u32 next, waiting = waiting_set(session);
	unsigned int thread = pmuctl_p4_cpu()->thread;

	raw_spin_lock(&gate_lock);
	next = wanted_set(session, counts);
	claim = next == waiting ? &nothing : &session->claim[next].of[thread];
	stake->waits = !is_free(claim);
	stake->claim = stake->waits ? nothing : *claim;
	raw_spin_unlock(&gate_lock);
	if (stake->waits)
		next = waiting;
	if (next == counts->set && p4_gate_asks(counts) && counts->left > ASK)
		counts->left -= ASK;
	else
		counts->left = turn_of(session, counts, stake->waits);
	counts->set = next;
}
