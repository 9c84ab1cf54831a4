// SPDX-License-Identifier: GPL-2.0-only
/* Questions about the delivery of a PMI: one overflow at a time, and a handler that looks. */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "kit.h"

#define CTRL		MSR_CORE_PERF_GLOBAL_CTRL
#define STATUS		MSR_CORE_PERF_GLOBAL_STATUS
#define CCCR_ENABLE	BIT_ULL(12)
#define PERIOD		100
#define WAIT_US		100

/* Interrupts are off no longer than for so many of them. */
#define AT_ONCE		100

unsigned int kit_rounds = 200;

static int asking_cpu = -1;
static unsigned int seen, masked;

static bool overflowed(void)
{
	if (kit_cpu.p4)
		return kit_rdmsr(P4_CCCR) & P4_CCCR_OVF;
	return kit_rdmsr(STATUS) & BIT(0);
}

static void acknowledge(void)
{
	if (kit_cpu.p4)
		kit_wrmsr(P4_CCCR, kit_rdmsr(P4_CCCR) & ~(P4_CCCR_OVF | CCCR_ENABLE));
	else
		kit_clear_status();
}

/* NMIs of others pass by. */
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	bool is_masked;

	if (READ_ONCE(asking_cpu) != smp_processor_id())
		return NMI_DONE;
	is_masked = kit_read_lvtpc() & APIC_LVT_MASKED;
	if (!is_masked && !overflowed())
		return NMI_DONE;
	WRITE_ONCE(seen, seen + 1);
	masked += is_masked;
	acknowledge();
	kit_lvtpc(APIC_DM_NMI);
	return NMI_HANDLED;
}

int kit_pmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, NMI_FLAG_FIRST, "pmuctl_kit");
}

void kit_pmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "pmuctl_kit");
}

static void overflow_once(void)
{
	unsigned int before = seen, i;
	u64 cccr;

	if (kit_cpu.p4) {
		cccr = kit_p4_program(BIT_ULL(40) - PERIOD, true);
		kit_loop(P4_CCCR, cccr | CCCR_ENABLE, cccr, 1000);
	} else {
		kit_program(0, EVENT_INSTRUCTIONS, ARCH_PERFMON_EVENTSEL_INT, PERIOD);
		kit_loop(CTRL, BIT(0), 0, 1000);
	}
	for (i = 0; i < WAIT_US && READ_ONCE(seen) == before; i++)
		udelay(1);
}

struct tally {
	unsigned int asked, came, masked, silent;	/* silent: the status said nothing either */
};

static void ask_some(struct tally *tally, unsigned int n)
{
	unsigned int i, before;

	kit_take();
	seen = 0;
	masked = 0;
	WRITE_ONCE(asking_cpu, smp_processor_id());
	kit_lvtpc(APIC_DM_NMI);
	for (i = 0; i < n; i++) {
		before = seen;
		overflow_once();
		tally->silent += READ_ONCE(seen) == before && !overflowed();
		acknowledge();
	}
	kit_lvtpc(APIC_DM_NMI | APIC_LVT_MASKED);
	udelay(10);
	WRITE_ONCE(asking_cpu, -1);
	tally->asked += n;
	tally->came += seen;
	tally->masked += masked;
	kit_give_back();
}

static bool is_absent(struct kit_answer *answer)
{
	if (kit_cpu.p4 || kit_cpu.version >= 2)
		return false;
	kit_say(answer, KIT_ABSENT, "no IA32_PERF_GLOBAL_STATUS");
	return true;
}

void kit_ask_unmasked(struct kit_answer *answer)
{
	struct tally tally = { };

	if (is_absent(answer))
		return;
	ask_some(&tally, AT_ONCE);
	kit_say(answer, !tally.came ? KIT_UNKNOWN : tally.masked < tally.came ? KIT_YES : KIT_NO,
		"of %u interrupts %u found their entry of the local APIC masked",
		tally.came, tally.masked);
}

void kit_ask_lost_pmi(struct kit_answer *answer)
{
	struct tally tally = { };
	unsigned int n;

	if (is_absent(answer))
		return;
	while (tally.asked < kit_rounds) {
		n = kit_rounds - tally.asked;
		ask_some(&tally, n < AT_ONCE ? n : AT_ONCE);
	}
	if (tally.silent || tally.came > tally.asked)
		kit_say(answer, KIT_UNKNOWN, "of %u overflows %u interrupted, %u did not show",
			tally.asked, tally.came, tally.silent);
	else
		kit_say(answer, tally.came < tally.asked ? KIT_YES : KIT_NO,
			"of %u overflows %u interrupted", tally.asked, tally.came);
}
