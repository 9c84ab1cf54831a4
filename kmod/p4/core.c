// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cores of Pentium 4s and their threads: where their state is.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "kmod/p4/p4.h"

/* APIC IDs have eight bits. */
#define IDS			256

struct core {
	struct pmuctl_p4_core state;
	/*
	 * Taken in NMIs, which find a CPU that has it busy and stay away; the
	 * checker of locks does not know that, so it does not see this one.
	 */
	arch_spinlock_t lock;
};

/* Allocated: modules have little per CPU. */
static struct pmuctl_p4_cpu __percpu *threads;
static struct core __percpu *cores;

/* By APIC ID without the thread's bit: on whose part of the above it is. */
static struct core *core_of[IDS];
static DEFINE_RAW_SPINLOCK(core_of_lock);

int pmuctl_p4_init(void)
{
	if (pmuctl_backend != &pmuctl_p4)
		return 0;
	threads = alloc_percpu(struct pmuctl_p4_cpu);
	cores = alloc_percpu(struct core);
	if (threads && cores)
		return 0;
	pmuctl_p4_exit();
	return -ENOMEM;
}

void pmuctl_p4_exit(void)
{
	free_percpu(cores);
	free_percpu(threads);
}

struct pmuctl_p4_cpu *pmuctl_p4_cpu(void)
{
	return this_cpu_ptr(threads);
}

/* The first of its threads that asks lends it, for good, its own part. */
struct pmuctl_p4_core *pmuctl_p4_core(u32 id)
{
	unsigned int key = pmuctl_caps.threads > 1 ? id >> 1 : id;
	unsigned long flags;
	struct core *core;

	raw_spin_lock_irqsave(&core_of_lock, flags);
	core = core_of[key];
	if (!core) {
		core = this_cpu_ptr(cores);
		core->lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
		core_of[key] = core;
	}
	raw_spin_unlock_irqrestore(&core_of_lock, flags);
	return &core->state;
}

void pmuctl_p4_lock(struct pmuctl_p4_core *core)
{
	arch_spin_lock(&container_of(core, struct core, state)->lock);
}

void pmuctl_p4_unlock(struct pmuctl_p4_core *core)
{
	arch_spin_unlock(&container_of(core, struct core, state)->lock);
}
