// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an NMI or a switch to an interrupt of our own, and from there to a
 * worker: wake-ups take locks that whoever was interrupted may hold.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched/clock.h>
#include <linux/workqueue.h>

#include "kmod/base/compat.h"
#include "kmod/cpu/timer.h"
#include "kmod/session/readfd.h"
#include "kmod/session/wake.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* Once a session: the records in its rings say when and where. */
static void tell_throttled(struct pmuctl_session *session)
{
	if (session->throttle_told)
		return;
	session->throttle_told = true;
	pr_notice_ratelimited("session %u of %s[%d] samples too often and is throttled: ask for a longer period, or raise /sys/module/pmuctl/parameters/max_sample_rate\n",
			      session->id, session->comm,
			      pid_nr(session->pid));
}

static void on_work(struct work_struct *work)
{
	struct pmuctl_session *session;

	pmuctl_lock(false);
	for_each_session(session) {
		if (test_and_clear_bit(PMUCTL_WAKE_READER, &session->wake))
			pmuctl_readfd_wake(session);
		if (test_and_clear_bit(PMUCTL_WAKE_THROTTLED, &session->wake))
			tell_throttled(session);
	}
	pmuctl_unlock(false);
}

static DECLARE_WORK(work, on_work);

/* A hard interrupt, on the CPU meant. */
static void on_irq_work(struct irq_work *irq_work)
{
	struct pmuctl_cpu *cpu = container_of(irq_work, struct pmuctl_cpu,
					      wake);

	/* Given back meanwhile: its timer has been cancelled, for good. */
	if (cpu->held)
		pmuctl_rotate_arm(cpu, local_clock());
	queue_work(pmuctl_unbound_wq, &work);
}

void pmuctl_wake(struct pmuctl_cpu *cpu, struct pmuctl_session *session,
		 enum pmuctl_wake why)
{
	set_bit(why, &session->wake);
	irq_work_queue(&cpu->wake);
}

void pmuctl_wake_init(void)
{
	unsigned int number;

	for_each_possible_cpu(number)
		per_cpu_ptr(pmuctl_cpus, number)->wake =
			IRQ_WORK_INIT_HARD(on_irq_work);
}

void pmuctl_wake_exit(void)
{
	unsigned int number;

	for_each_possible_cpu(number)
		irq_work_sync(&per_cpu_ptr(pmuctl_cpus, number)->wake);
	cancel_work_sync(&work);
}
