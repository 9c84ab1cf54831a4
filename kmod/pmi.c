// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt, which comes as an NMI.
 */
#include <linux/percpu.h>
#include <asm/nmi.h>

#include "msr.h"
#include "percpu.h"
#include "pmi.h"

/*
 * An NMI does not say who sent it.  One that finds nothing is ours all the
 * same if an earlier one took care of several overflows, each of which may
 * have sent its own, or if this CPU's PMU has just been stopped.
 */
static bool expected(struct pmuctl_cpu *cpu)
{
	if (cpu->stopped) {
		cpu->stopped = false;
		return true;
	}
	if (!cpu->late)
		return false;
	cpu->late--;
	return true;
}

static int handle_pmi(unsigned int type, struct pt_regs *regs)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(&pmuctl_cpu);
	unsigned int handled;
	bool masked;

	if (!cpu->held)
		return expected(cpu) ? NMI_HANDLED : NMI_DONE;
	/* Nothing but the delivery of a PMI masks it while it is ours. */
	masked = hw_read_lvtpc() & APIC_LVT_MASKED;
	if (cpu->busy) {
		/*
		 * Counters are being added up: busy_end() goes on from here.
		 * Any NMI may do this, so it must stay cheap and harmless.
		 */
		if (!cpu->missed)
			cpu->missed_at = *regs;
		cpu->missed = true;
		if (!masked && !pmuctl_caps.lvtpc_stays)
			return expected(cpu) ? NMI_HANDLED : NMI_DONE;
		hw_write_lvtpc(APIC_DM_NMI);
		return NMI_HANDLED;
	}
	handled = pmuctl_cpu_overflow(cpu, regs, masked);
	if (handled) {
		cpu->late = handled - 1;
		return handled;
	}
	/* Late: busy_end() or an earlier PMI took care of its overflow. */
	return masked || expected(cpu) ? NMI_HANDLED : NMI_DONE;
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
