// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking the PMU from the kernel, and giving it back exactly as found.
 *
 * perf reserves before it uses anything, so holding every reservation holds
 * what has none as well: fixed counters, GLOBAL_CTRL, the DS area.  What never
 * asks (Intel PT, BTS, a hypervisor's leftovers) is looked for on each CPU.
 * Where reserving holds nothing see exclude.c.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <asm/nmi.h>

#include "kmod/hold/buffers.h"
#include "kmod/hold/exclude.h"
#include "kmod/hold/guests.h"
#include "kmod/hold/pmi.h"
#include "kmod/hold/reserve.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/pmu.h"
#include "kmod/state/cpu.h"

static bool held;

static bool reserve_one(unsigned int i)
{
	if (!reserve_perfctr_nmi(pmuctl_caps.perfctr + i))
		return false;
	if (reserve_evntsel_nmi(pmuctl_caps.evntsel + i))
		return true;
	release_perfctr_nmi(pmuctl_caps.perfctr + i);
	return false;
}

static void release_below(unsigned int i)
{
	while (i--) {
		release_evntsel_nmi(pmuctl_caps.evntsel + i);
		release_perfctr_nmi(pmuctl_caps.perfctr + i);
	}
}

/* The counter that somebody else has, or -1 when all are ours. */
static int reserve_all(void)
{
	unsigned int i;

	for (i = 0; i < pmuctl_caps.nr_reserve; i++) {
		if (reserve_one(i))
			continue;
		release_below(i);
		return i;
	}
	return -1;
}

static void release_all(void)
{
	release_below(pmuctl_caps.nr_reserve);
}

bool pmuctl_held(void)
{
	return held;
}

/* --- one CPU --- */

/* Where no overflow interrupts, the local APIC has no such entry. */
static u32 read_lvtpc(void)
{
	return pmuctl_interrupts() ? hw_read_lvtpc() : APIC_LVT_MASKED;
}

static void write_lvtpc(u32 value)
{
	if (pmuctl_interrupts())
		hw_write_lvtpc(value);
}

/* Linux leaves it an NMI, or masked; anything else is somebody's handler. */
static bool foreign_lvtpc(void)
{
	u32 lvtpc = read_lvtpc();

	return !(lvtpc & APIC_LVT_MASKED) &&
	       (lvtpc & APIC_MODE_MASK) != APIC_DM_NMI;
}

static void look_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);

	cpu->refusal = NULL;
	if (cpu->unlike)
		return;
	cpu->refusal = pmuctl_backend->foreign();
	if (!cpu->refusal && foreign_lvtpc())
		cpu->refusal = "its overflow interrupt goes to another handler";
}

static bool counts_here(void)
{
	const char *foreign = pmuctl_backend->foreign();

	return foreign || foreign_lvtpc() ||
	       (pmuctl_backend->fixed_on && pmuctl_backend->fixed_on());
}

static void state_here(void *info)
{
	/* What is asked of those that are like the first may fault there. */
	if (!this_cpu_ptr(pmuctl_cpus)->unlike && counts_here())
		WRITE_ONCE(*(u32 *)info, PMUCTL_STATE_FOREIGN);
}

/*
 * Reserving would tell more, since who has reserved need not count; but for as
 * long as we had it, nobody else would get it.
 */
u32 pmuctl_pmu_state(void)
{
	u32 state = PMUCTL_STATE_FREE;

	if (held)
		return PMUCTL_STATE_HELD;
	on_each_cpu(state_here, &state, true);
	return state;
}

/* Another thread of this core whose PMU is ours, or NULL. */
static const struct pmuctl_cpu *held_sibling(void)
{
	unsigned int me = smp_processor_id(), number;

	for_each_cpu(number, topology_sibling_cpumask(me)) {
		if (number == me)
			continue;
		/* Pairs with acquire_here(): what it found is there. */
		if (smp_load_acquire(&per_cpu_ptr(pmuctl_cpus, number)->held))
			return per_cpu_ptr(pmuctl_cpus, number);
	}
	return NULL;
}

/* The handler is registered already; a PMI finds held set or nothing on. */
static void acquire_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	const struct pmuctl_cpu *sibling = held_sibling();
	unsigned long flags;

	if (cpu->unlike)
		return;
	local_irq_save(flags);
	cpu->late = 0;
	cpu->missed = false;
	cpu->kept_masked = false;
	cpu->cleared = false;
	cpu->lvtpc = read_lvtpc();
	cpu->found_fixed = pmuctl_backend->fixed_on ?
			   pmuctl_backend->fixed_on() : 0;
	pmuctl_backend->save(cpu->saved);
	if (sibling)
		pmuctl_backend->adopt(cpu->saved, sibling->saved);
	write_lvtpc(APIC_LVT_MASKED | APIC_DM_NMI);
	pmuctl_cpu_reset(cpu);
	cpu->refusal = pmuctl_backend->pretends(&cpu->regs);
	/* For sessions that are there already: the machine has slept. */
	pmuctl_buffers_on_here();
	/* Pairs with held_sibling(). */
	smp_store_release(&cpu->held, true);
	write_lvtpc(APIC_DM_NMI);
	local_irq_restore(flags);
}

/* Masked by the delivery of a PMI that nobody finished: not worth keeping. */
static u32 lvtpc_to_restore(u32 found)
{
	if ((found & ~APIC_LVT_MASKED) == APIC_DM_NMI)
		return APIC_DM_NMI;
	return found;
}

/* info: only this CPU, so that a sibling may go on counting. */
static void restore_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	unsigned long flags;

	local_irq_save(flags);
	if (cpu->held) {
		pmuctl_cpu_clear(cpu);
		/* Masked before the last counter can overflow unheard. */
		write_lvtpc(APIC_LVT_MASKED | APIC_DM_NMI);
		/* One may be on its way. */
		pmuctl_pmi_expect(cpu, 1);
		barrier();
		cpu->held = false;
		pmuctl_backend->restore(cpu->saved, !info || !held_sibling());
		/* PEBS is off by now. */
		pmuctl_buffers_off_here();
		write_lvtpc(lvtpc_to_restore(cpu->lvtpc));
	}
	local_irq_restore(flags);
}

void pmuctl_take_here(void)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);

	look_here(NULL);
	if (cpu->unlike)
		cpu->refusal = cpu->unlike;
	if (cpu->refusal)
		return;
	acquire_here(NULL);
	if (cpu->refusal)
		restore_here(cpu);
}

void pmuctl_give_back_here(void)
{
	restore_here(this_cpu_ptr(pmuctl_cpus));
}

/* --- all CPUs --- */

/* Some firmware counts there, and goes on to: what it writes is then said. */
static void tell_found_fixed(void)
{
	unsigned int number;

	for_each_online_cpu(number) {
		u64 found = per_cpu_ptr(pmuctl_cpus, number)->found_fixed;

		if (!found)
			continue;
		pr_notice_once("IA32_FIXED_CTR_CTRL of CPU %u was 0x%llx, and nobody has reserved it: perhaps firmware counts; it is put back when the PMU is given back\n",
			       number, found);
		return;
	}
}

static int reserve_refused(const struct pmuctl_why *why, int err)
{
	unsigned int number;

	for_each_online_cpu(number) {
		const char *refusal = per_cpu_ptr(pmuctl_cpus, number)->refusal;

		if (refusal)
			return pmuctl_why(why, err,
					  "the PMU of CPU %u cannot be taken: %s",
					  number, refusal);
	}
	return 0;
}

static int take_cpus(const struct pmuctl_why *why)
{
	int err;

	on_each_cpu(look_here, NULL, true);
	err = reserve_refused(why, -EBUSY);
	if (err)
		return err;
	err = pmuctl_interrupts() ? pmuctl_pmi_register() : 0;
	if (err)
		return pmuctl_why(why, err,
				  "the kernel takes no NMI handler of this module's");
	on_each_cpu(acquire_here, NULL, true);
	/* Nobody has it; it does not work. */
	err = reserve_refused(why, -EIO);
	if (!err) {
		tell_found_fixed();
		pmuctl_pmi_try();
		return 0;
	}
	on_each_cpu(restore_here, NULL, true);
	return err;
}

int pmuctl_take(const struct pmuctl_why *why)
{
	int err, other;

	if (held)
		return 0;
	if (pmuctl_guests_have_pmu())
		return pmuctl_why(why, -EBUSY,
				  "kvm gives the PMU to its guests and asks nobody: load kvm_intel with enable_mediated_pmu=0");
	other = reserve_all();
	if (other >= 0)
		return pmuctl_why(why, -EBUSY,
				  "the kernel has lent counter %d of the PMU to somebody else: the NMI watchdog (sysctl kernel.nmi_watchdog=0) or perf (end the processes that use hardware events)",
				  other);
	err = pmuctl_exclude(why);
	if (err)
		goto err_reserve;
	/*
	 * perf releases what it reserved before it stops looking at NMIs as
	 * its own; wait for that handler.  Each CPU is interrupted by what
	 * follows anyway, and whoever asks for something meanwhile waits.
	 */
	synchronize_rcu_expedited();
	err = take_cpus(why);
	if (err)
		goto err_exclude;
	held = true;
	return 0;

err_exclude:
	pmuctl_admit();
err_reserve:
	release_all();
	return err;
}

void pmuctl_give_back(void)
{
	if (!held)
		return;
	on_each_cpu(restore_here, NULL, true);
	held = false;
	pmuctl_admit();
	release_all();
}
