// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt, which comes as an NMI.
 */
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <asm/nmi.h>

#include "kmod/hold/pmi.h"
#include "kmod/pmu/hot.h"
#include "kmod/pmu/msr.h"
#include "kmod/state/cpu.h"

static bool pmi_expected(struct pmuctl_cpu *cpu)
{
	if (!cpu->late)
		return false;
	if (local_clock() > cpu->late_until) {
		cpu->late = 0;
		return false;
	}
	cpu->late--;
	return true;
}

/* --- how they are delivered --- */

/* Another's NMI finds neither a mask nor an overflow. */
static int note_delivery(struct pmuctl_cpu *cpu, bool masked)
{
	if (!masked && !static_call(hw_overflows)(0))
		return NMI_DONE;
	pmuctl_tried.lvtpc_stays = !masked;
	cpu->trying = false;
	hw_write_lvtpc(APIC_DM_NMI);
	return NMI_HANDLED;
}

/*
 * Processors mask the entry, and some hypervisors do not: KVM before October
 * 2023, Hyper-V.  The first CPU that is taken tells, of all.
 */
void pmuctl_pmi_try(void)
{
	struct pmuctl_cpu *cpu;
	static bool tried;
	unsigned long flags;

	if (tried || !pmuctl_backend->pmi_try)
		return;
	local_irq_save(flags);
	cpu = this_cpu_ptr(pmuctl_cpus);
	if (cpu->held) {
		cpu->trying = true;
		barrier();
		pmuctl_backend->pmi_try(&cpu->regs);
		barrier();
		tried = !cpu->trying;
		cpu->trying = false;
		/* One that came late, after all. */
		pmuctl_pmi_expect(cpu, !tried);
	}
	local_irq_restore(flags);
}

/* --- the handler --- */

/*
 * No overflow goes unheard, though the status is read once only:
 *
 * - One before that reading is in it.  Counters stand still from before the
 *   reading until the end, the local APIC lets PMIs through again before they
 *   go on, and each overflow from then on sends its own.
 * - While busy, the PMI stays masked: FORCE_OVF of a Pentium 4 would send one
 *   with each instruction of the kernel, and nothing else would get on.  The
 *   status keeps all overflows until busy_end(), which needs no PMI to get
 *   there.
 */
static int handle_pmi(unsigned int type, struct pt_regs *regs)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	unsigned int handled;
	bool masked, ours;

	if (!cpu->held)
		return pmi_expected(cpu) ? NMI_HANDLED : NMI_DONE;
	/* Nothing but the delivery of a PMI masks it while it is ours. */
	masked = hw_read_lvtpc() & APIC_LVT_MASKED;
	if (unlikely(cpu->trying))
		return note_delivery(cpu, masked);
	/* But one from before may have left it so. */
	ours = masked && !cpu->kept_masked;
	if (cpu->busy) {
		/*
		 * Counters are being added up: busy_end() goes on from here.
		 * Any NMI may do this, so it must stay cheap and harmless.
		 */
		if (ours || !cpu->missed)
			cpu->missed_at = *regs;
		cpu->missed = true;
		cpu->kept_masked = masked;
		return ours || pmuctl_tried.lvtpc_stays || pmi_expected(cpu) ?
			NMI_HANDLED : NMI_DONE;
	}
	handled = pmuctl_cpu_overflow(cpu, regs, masked);
	if (handled) {
		/* Where nothing tells whose one is, one more may be ours. */
		pmuctl_pmi_expect(cpu, handled - !pmuctl_tried.lvtpc_stays);
		return handled;
	}
	/* Late: busy_end() or an earlier PMI took care of its overflow. */
	return ours || pmi_expected(cpu) ? NMI_HANDLED : NMI_DONE;
}

/*
 * Once, until the module goes: unregistering waits for a grace period, and so
 * would whoever wants the PMU next.  While it is not held it is nobody's NMI.
 */
static bool registered;

int pmuctl_pmi_register(void)
{
	int err = registered ? 0 : register_nmi_handler(NMI_LOCAL, handle_pmi,
							NMI_FLAG_FIRST,
							"pmuctl");

	registered = !err;
	return err;
}

void pmuctl_pmi_exit(void)
{
	if (registered)
		unregister_nmi_handler(NMI_LOCAL, "pmuctl");
}
