// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt, which comes as an NMI.
 */
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>
#include <asm/nmi.h>

#include "kmod/hold/pmi.h"
#include "kmod/pmu/msr.h"
#include "kmod/state/cpu.h"

/*
 * From an overflow to its NMI pass less than that, unless IRET of another NMI
 * is what it waits for; what comes later is somebody else's.
 */
#define PMI_LATE_MAX	NSEC_PER_MSEC

/*
 * An NMI does not say who sent it.  One that finds nothing is ours all the
 * same if an earlier one took care of several overflows, each of which may
 * have sent its own, or if this CPU's PMU has just been stopped.
 */
void pmuctl_pmi_expect(struct pmuctl_cpu *cpu, unsigned int n)
{
	cpu->late = n;
	if (n)
		cpu->late_until = local_clock() + PMI_LATE_MAX;
}

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
	struct pmuctl_cpu *cpu = this_cpu_ptr(&pmuctl_cpu);
	unsigned int handled;
	bool masked, ours;

	if (!cpu->held)
		return pmi_expected(cpu) ? NMI_HANDLED : NMI_DONE;
	/* Nothing but the delivery of a PMI masks it while it is ours. */
	masked = hw_read_lvtpc() & APIC_LVT_MASKED;
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
		return ours || pmuctl_caps.lvtpc_stays || pmi_expected(cpu) ?
			NMI_HANDLED : NMI_DONE;
	}
	handled = pmuctl_cpu_overflow(cpu, regs, masked);
	if (handled) {
		pmuctl_pmi_expect(cpu, handled - 1);
		return handled;
	}
	/* Late: busy_end() or an earlier PMI took care of its overflow. */
	return ours || pmi_expected(cpu) ? NMI_HANDLED : NMI_DONE;
}

int pmuctl_pmi_register(void)
{
	return register_nmi_handler(NMI_LOCAL, handle_pmi, NMI_FLAG_FIRST,
				    "pmuctl");
}

void pmuctl_pmi_unregister(void)
{
	unregister_nmi_handler(NMI_LOCAL, "pmuctl");
}
