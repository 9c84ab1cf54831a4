// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend for Intel's architectural performance monitoring, versions 2 to
 * 6: taking the PMU, giving it back, and counting.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/msr.h"

/* Bits that we change. */
#define DEBUGCTL_OURS		(DEBUGCTL_LBR | DEBUGCTL_FREEZE)
#define RTIT_TRACE_EN		BIT_ULL(0)
#define RDPMC_FIXED		BIT(30)
#define RDPMC_METRICS		BIT(29)
/* The buffer of architectural PEBS; its other bit is a debug store's. */
#define STATUS_INDEX		BIT_ULL(54)
/* Intel PT's full buffer: its driver looks for that. */
#define STATUS_NOT_OURS		BIT_ULL(55)
/* "Something has changed", which no software can say. */
#define STATUS_READ_ONLY	BIT_ULL(63)

static bool full_width(void)
{
	return pmuctl_caps.capabilities & CAP_FULL_WIDTH;
}

static u32 pmc_msr(unsigned int i)
{
	return (full_width() ? MSR_FULL_PMC : MSR_PMC) + i;
}

static u32 slot_msr(unsigned int slot)
{
	return slot < PMUCTL_GP_MAX ? pmc_msr(slot) :
				      MSR_FIXED_CTR + slot - PMUCTL_GP_MAX;
}

/* All fixed counters that there are. */
#define for_each_fixed(i, caps)						\
	for ((i) = 0; (i) < PMUCTL_FIXED_MAX; (i)++)			\
		if (pmuctl_has_fixed(caps, i))

/* --- taking and giving back --- */

/*
 * perf leaves DS_AREA behind when it lets go of its buffers (its
 * fini_debug_store_on_cpu() comes after the pointer that it looks at is gone),
 * so Linux's own area says nothing: nobody records into it once we hold the
 * reservations.
 */
static bool foreign_ds_area(void)
{
	u64 area;

	if (!pmuctl_caps_here()->has_ds)
		return false;
	area = hw_rdmsr(MSR_DS_AREA);
	return area && area != hw_linux_ds_area();
}

const char *pmuctl_perfmon_foreign(void)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	unsigned int i;

	for (i = 0; i < caps->nr_gp; i++)
		if (hw_rdmsr(MSR_EVTSEL + i) & EVTSEL_EN)
			return "an event select is enabled that nobody reserved";
	if (hw_rdmsr_if(MSR_DEBUGCTL) & DEBUGCTL_BTS)
		return "branch trace store is on";
	if (foreign_ds_area())
		return "somebody has set up a debug store area";
	if (caps->has_pt && hw_rdmsr_if(MSR_RTIT_CTL) & RTIT_TRACE_EN)
		return "Intel PT is tracing";
	return NULL;
}

/*
 * The kernel's reservation knows no fixed counters; the NMI watchdog counts on
 * one, which perf puts back to rest when it is done.
 */
u64 pmuctl_perfmon_fixed_on(void)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	u64 on = hw_rdmsr(MSR_GLOBAL_CTRL);
	u64 ctrl = hw_rdmsr(MSR_FIXED_CTR_CTRL);
	unsigned int i;

	for_each_fixed(i, caps)
		if (on & BIT_ULL(PMUCTL_FIXED_BASE + i) &&
		    ctrl >> 4 * i & FIXED_NIBBLE)
			return ctrl;
	return 0;
}

/* CFG_B and CFG_C, one behind the other, of counters that have them. */
static unsigned int cfg_msrs(u32 *msrs)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	unsigned int slot, n = 0;
	u64 counter;
	u32 msr;

	for (slot = 0; caps->cfg_c && slot < PMUCTL_SLOTS; slot++) {
		counter = BIT_ULL(pmuctl_counter(slot));
		msr = slot < PMUCTL_GP_MAX ?
		      MSR_CFG_B + slot * MSR_CFG_STEP :
		      MSR_FIXED_CFG_B + (slot - PMUCTL_GP_MAX) * MSR_CFG_STEP;
		if (caps->cfg_b & counter)
			msrs[n++] = msr;
		if (caps->cfg_c & counter)
			msrs[n++] = msr + 1;
	}
	return n;
}

/* The order in which save and restore go over the registers. */
static unsigned int saved_msrs(u32 *msrs)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	unsigned int i, n = 0;

	for (i = 0; i < caps->nr_gp; i++)
		msrs[n++] = pmc_msr(i);
	for_each_fixed(i, caps)
		msrs[n++] = MSR_FIXED_CTR + i;
	/* Behind the counter that it divides: writing that changes it. */
	if (caps->counters & PMUCTL_METRICS)
		msrs[n++] = MSR_METRICS;
	for (i = 0; i < caps->nr_gp; i++)
		msrs[n++] = MSR_EVTSEL + i;
	/* The buffer before what records into it. */
	n += pmuctl_pebs_msrs(&msrs[n]);
	n += cfg_msrs(&msrs[n]);
	n += pmuctl_lbr_msrs(&msrs[n]);
	n += pmuctl_extra_msrs(&msrs[n]);
	msrs[n++] = MSR_FIXED_CTR_CTRL;
	msrs[n++] = MSR_DEBUGCTL;
	msrs[n++] = MSR_GLOBAL_CTRL;
	return n;
}

void pmuctl_perfmon_save(u64 *saved)
{
	u32 msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);

	for (i = 0; i < n; i++)
		saved[i] = hw_rdmsr_if(msrs[i]);
	saved[n] = hw_rdmsr(MSR_GLOBAL_STATUS);
}

/*
 * Frozen counters (v4) and whatever else is set with ours; returns the
 * counters that overflowed.
 */
static u64 perfmon_acknowledge(void)
{
	u64 status = hw_rdmsr(MSR_GLOBAL_STATUS) & ~STATUS_NOT_OURS;

	if (status)
		hw_wrmsr(MSR_GLOBAL_OVF_CTRL, status);
	/* A bit that in masks of counters is one's. */
	if (status & STATUS_INDEX)
		status = (status & ~STATUS_INDEX) | PMUCTL_STATUS_BUFFER;
	return status & (pmuctl_caps.counters | PMUCTL_STATUS_BUFFER);
}

/* How often the status is read, for what came while it was. */
#define READINGS_MAX	8

/*
 * A bit may come after the others were read, and its PMI be lost to the mask of
 * theirs.  Where all that ran have overflowed there is none to come.
 */
u64 pmuctl_perfmon_overflows(u64 ran)
{
	u64 more = perfmon_acknowledge(), overflows = more;
	unsigned int readings = 1;

	while (unlikely(more && ran & ~overflows) &&
	       readings++ < READINGS_MAX) {
		more = perfmon_acknowledge();
		overflows |= more;
	}
	return overflows;
}

/*
 * perf leaves bits behind, too: when it stops a counter whose record has just
 * filled the buffer, say.  Before version 4 they can be cleared only.
 */
static void restore_status(u64 saved)
{
	saved &= ~(STATUS_NOT_OURS | STATUS_READ_ONLY);
	if (saved && pmuctl_caps.version >= VERSION_STREAMLINED)
		hw_wrmsr(MSR_GLOBAL_STATUS_SET, saved);
}

/*
 * Only what differs is written.  A legacy counter takes 32 bits and extends
 * their sign, so a value in between cannot be put back; zero then, rather
 * than something that never was there.
 */
static void restore_msr(u32 msr, u64 value)
{
	if (hw_rdmsr_if(msr) == value)
		return;
	hw_wrmsr(msr, value);
	if (msr != MSR_GLOBAL_CTRL && hw_rdmsr(msr) != value)
		hw_wrmsr(msr, 0);
}

/* Linux sets single-stepping of branches there as tasks come and go. */
static u64 value_to_restore(u32 msr, u64 saved)
{
	if (msr != MSR_DEBUGCTL)
		return saved;
	return (hw_rdmsr_if(msr) & ~DEBUGCTL_OURS) | (saved & DEBUGCTL_OURS);
}

void pmuctl_perfmon_adopt(u64 *saved, const u64 *of_sibling)
{
	u32 msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);

	for (i = 0; i < n; i++)
		if (pmuctl_extra_is_shared(msrs[i]))
			saved[i] = of_sibling[i];
}

void pmuctl_perfmon_restore(const u64 *saved, bool shared)
{
	u32 msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);

	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
	for (i = 0; i < pmuctl_caps_here()->nr_gp; i++)
		hw_wrmsr(MSR_EVTSEL + i, 0);
	hw_wrmsr(MSR_FIXED_CTR_CTRL, 0);
	/* Its base is not to change while it is on. */
	if (pmuctl_caps_here()->has_pebs && pmuctl_pebs_is_architectural())
		hw_wrmsr(MSR_PEBS_INDEX, 0);
	perfmon_acknowledge();
	restore_status(saved[n]);
	for (i = 0; i < n; i++)
		if (shared || !pmuctl_extra_is_shared(msrs[i]))
			restore_msr(msrs[i],
				    value_to_restore(msrs[i], saved[i]));
}

/*
 * Counting goes upwards from a start, not down to an overflow: counts are
 * differences.  From one overflow to the next must be less than a counter
 * holds, so that a difference is never ambiguous; half way for a counter that
 * can be written in full, else the most that has no sign to extend.
 */
static u64 start_value(unsigned int slot)
{
	u32 width = slot < PMUCTL_GP_MAX ? pmuctl_caps.gp_width :
					   pmuctl_caps.fixed_width;

	if (pmuctl_caps.overflow_bits)
		return BIT_ULL(width) - BIT_ULL(pmuctl_caps.overflow_bits);
	return full_width() ? BIT_ULL(width - 1) : BIT_ULL(30);
}

u64 pmuctl_perfmon_rearm(unsigned int slot)
{
	u64 start = start_value(slot);

	hw_wrmsr(slot_msr(slot), start);
	return start;
}

/* A legacy counter takes 32 bits and extends their sign: 31 bits of period. */
u64 pmuctl_perfmon_arm(unsigned int slot, u64 left)
{
	u32 width = slot < PMUCTL_GP_MAX ? pmuctl_caps.gp_width :
					   pmuctl_caps.fixed_width;
	u64 most = full_width() ? BIT_ULL(width - 1) : BIT_ULL(31) - 1;
	u64 start = -(left < most ? left : most) & GENMASK_ULL(width - 1, 0);

	hw_wrmsr(slot_msr(slot), start);
	return start;
}

void pmuctl_perfmon_reset(struct pmuctl_regs *regs)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	u64 debugctl = hw_rdmsr_if(MSR_DEBUGCTL);
	u32 cfgs[PMUCTL_SAVED_MAX];
	unsigned int i, n = cfg_msrs(cfgs);

	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
	hw_wrmsr(MSR_FIXED_CTR_CTRL, 0);
	if (caps->has_pebs)
		pmuctl_pebs_reset();
	/* No overflow of ours reloads a counter, or records one. */
	for (i = 0; i < n; i++)
		if (hw_rdmsr_if(cfgs[i]))
			hw_wrmsr(cfgs[i], 0);
	for (i = 0; i < caps->nr_gp; i++) {
		hw_wrmsr(MSR_EVTSEL + i, 0);
		pmuctl_perfmon_rearm(i);
	}
	for_each_fixed(i, caps)
		pmuctl_perfmon_rearm(PMUCTL_GP_MAX + i);
	/* Our handler stops the counters itself. */
	if (debugctl & DEBUGCTL_OURS)
		hw_wrmsr(MSR_DEBUGCTL, debugctl & ~DEBUGCTL_OURS);
	pmuctl_lbr_reset();
	perfmon_acknowledge();
	memset(regs, 0, sizeof(*regs));
}

/* Does reading a counter of instructions advance it? */
static bool perfmon_moves(const struct pmuctl_regs *regs)
{
	u64 before, after;

	pmuctl_events_before(BIT_ULL(0));
	hw_wrmsr(MSR_EVTSEL, INSTRUCTIONS | EVTSEL_OS | EVTSEL_EN);
	hw_wrmsr(MSR_GLOBAL_CTRL, BIT_ULL(0));
	before = hw_rdpmc(0);
	after = hw_rdpmc(0);
	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
	hw_wrmsr(MSR_EVTSEL, regs->evtsel[0]);
	pmuctl_perfmon_rearm(0);
	return after != before;
}

/*
 * An emulator may swallow every write, or keep it and count nothing.  One
 * counter is looked at: every taking of the PMU pays for this.
 */
const char *pmuctl_perfmon_pretends(struct pmuctl_regs *regs)
{
	if (hw_rdpmc(0) != start_value(0))
		return "its counters do not keep what is written to them, as an emulator's that only announces a PMU";
	if (pmuctl_caps_here()->arch_events & ARCH_INSTRUCTIONS &&
	    !perfmon_moves(regs))
		return "its counters are stuck: they keep what is written to them, but instructions do not move them";
	return NULL;
}

/* --- counting --- */

static void program_fixed(struct pmuctl_regs *regs,
			  const struct pmuctl_event *event)
{
	unsigned int shift = 4 * (event->slot - PMUCTL_GP_MAX);
	u64 ctrl = regs->fixed_ctrl &
		   ~((FIXED_NIBBLE | FIXED_ADAPTIVE) << shift);

	ctrl |= event->config << shift;
	if (ctrl == regs->fixed_ctrl)
		return;
	regs->fixed_ctrl = ctrl;
	hw_wrmsr(MSR_FIXED_CTR_CTRL, ctrl);
}

/* With AnyThread the sibling's user mode moves it, too. */
static void note_rings(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event)
{
	if (event->flags & PMUCTL_EVENT_KERNEL || event->evtsel & EVTSEL_ANY)
		regs->user_only &= ~BIT_ULL(event->counter);
	else
		regs->user_only |= BIT_ULL(event->counter);
}

void pmuctl_perfmon_program_at(struct pmuctl_regs *regs,
			       const struct pmuctl_event *event,
			       unsigned int counter)
{
	note_rings(regs, event);
	if (unlikely(event->nr_extra))
		pmuctl_extra_program(regs, event);
	/* Also for one without, after another that had. */
	if (unlikely(event->pebs | regs->pebs))
		pmuctl_pebs_program(regs, event);
	if (unlikely(event->lbr | regs->lbr))
		pmuctl_lbr_program(regs, event);
	if (event->slot >= PMUCTL_GP_MAX) {
		program_fixed(regs, event);
		return;
	}
	if (regs->evtsel[counter] == event->config)
		return;
	regs->evtsel[counter] = event->config;
	hw_wrmsr(MSR_EVTSEL + counter, event->config);
}

void pmuctl_perfmon_program(struct pmuctl_regs *regs,
			    const struct pmuctl_event *event)
{
	pmuctl_perfmon_program_at(regs, event, event->slot);
}

void pmuctl_perfmon_enable(struct pmuctl_regs *regs, u64 counters)
{
	regs->enabled = counters;
	hw_wrmsr(MSR_GLOBAL_CTRL, counters);
}

u32 pmuctl_perfmon_rdpmc(unsigned int slot)
{
	return slot < PMUCTL_GP_MAX ? slot :
				      RDPMC_FIXED | (slot - PMUCTL_GP_MAX);
}

u64 pmuctl_perfmon_read(unsigned int slot)
{
	return hw_rdpmc(pmuctl_perfmon_rdpmc(slot));
}

u64 pmuctl_perfmon_mask(unsigned int slot)
{
	return GENMASK_ULL((slot < PMUCTL_GP_MAX ? pmuctl_caps.gp_width :
			    pmuctl_caps.fixed_width) - 1, 0);
}

u64 pmuctl_perfmon_metrics(void)
{
	return hw_rdpmc(RDPMC_METRICS);
}

/* In this order, since it is made from that counter. */
void pmuctl_perfmon_clear_metrics(void)
{
	hw_wrmsr(MSR_FIXED_CTR + PMUCTL_METRIC_SLOTS, 0);
	hw_wrmsr(MSR_METRICS, 0);
}
