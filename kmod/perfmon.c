// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend for Intel's architectural performance monitoring, versions 2-4.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "backend.h"
#include "msr.h"

#define MSR_PMC			0x0c1
#define MSR_EVTSEL		0x186
#define MSR_MISC_ENABLE		0x1a0
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED_CTR		0x309
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_OVF_CTRL	0x390	/* v4: GLOBAL_STATUS_RESET */
#define MSR_PEBS_ENABLE		0x3f1
#define MSR_FULL_PMC		0x4c1
#define MSR_RTIT_CTL		0x570
#define MSR_DS_AREA		0x600

#define CAP_FULL_WIDTH		BIT_ULL(13)
#define CPUID_1_ECX_PDCM	BIT(15)
#define CPUID_1_EDX_DS		BIT(21)
#define CPUID_7_EBX_PT		BIT(25)
#define MISC_PEBS_UNAVAIL	BIT_ULL(12)
#define DEBUGCTL_BTS		BIT_ULL(7)
#define DEBUGCTL_FREEZE		(BIT_ULL(11) | BIT_ULL(12))
#define RTIT_TRACE_EN		BIT_ULL(0)
#define RDPMC_FIXED		BIT(30)

#define EVTSEL_EVENT		GENMASK_ULL(7, 0)
#define EVTSEL_UMASK		GENMASK_ULL(15, 8)
#define EVTSEL_USR		BIT_ULL(16)
#define EVTSEL_OS		BIT_ULL(17)
#define EVTSEL_EDGE		BIT_ULL(18)
#define EVTSEL_PC		BIT_ULL(19)
#define EVTSEL_INT		BIT_ULL(20)
#define EVTSEL_ANY		BIT_ULL(21)
#define EVTSEL_EN		BIT_ULL(22)
#define EVTSEL_INV		BIT_ULL(23)
#define EVTSEL_CMASK		GENMASK_ULL(31, 24)

#define FIXED_OS		BIT_ULL(0)
#define FIXED_USR		BIT_ULL(1)
#define FIXED_PMI		BIT_ULL(3)
#define FIXED_NIBBLE		GENMASK_ULL(3, 0)

#define INSTRUCTIONS		0x00c0
#define ARCH_INSTRUCTIONS	BIT(1)

/* IA32_PERFEVTSELx: what user space may set, and why not the rest. */
static const struct evtsel_field {
	u64 bits;
	const char *name;
	const char *refusal;		/* NULL: may be set */
} evtsel_fields[] = {
	{ EVTSEL_EVENT, "event", NULL },
	{ EVTSEL_UMASK, "umask", NULL },
	{ EVTSEL_EDGE, "edge", NULL },
	{ EVTSEL_INV, "inv", NULL },
	{ EVTSEL_CMASK, "cmask", NULL },
	{ EVTSEL_USR | EVTSEL_OS, "USR/OS",
	  "use the event's user and kernel flags" },
	{ EVTSEL_PC, "PC", "the pins are not user space's; leave it 0" },
	{ EVTSEL_INT, "INT", "the kernel owns interrupts; leave it 0" },
	{ EVTSEL_EN, "EN", "the kernel enables counters; leave it 0" },
	{ EVTSEL_ANY, "any",
	  "it would count the other thread of the core; leave it 0" },
	{ GENMASK_ULL(63, 32), "bits 63:32",
	  "no such bits before perfmon version 5; leave them 0" },
};

/* What a fixed counter counts, as an event select. */
static const u16 fixed_encoding[] = {
	0x00c0,				/* instructions retired */
	0x003c,				/* unhalted core cycles */
	0x0300,				/* reference cycles: only fixed */
};

#define PSEUDO_REF_CYCLES	0x0300

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

static bool has_pebs(void)
{
	return pmuctl_caps.has_ds &&
	       !(hw_rdmsr(MSR_MISC_ENABLE) & MISC_PEBS_UNAVAIL);
}

/* --- facts --- */

static void probe_features(struct pmuctl_caps *caps)
{
	u32 regs[4];

	hw_cpuid(1, regs);
	caps->signature = regs[0];
	caps->has_ds = regs[3] & CPUID_1_EDX_DS;
	if (regs[2] & CPUID_1_ECX_PDCM)
		caps->capabilities = hw_rdmsr(MSR_PERF_CAPABILITIES);
	hw_cpuid(7, regs);
	caps->has_pt = regs[1] & CPUID_7_EBX_PT;
}

/*
 * The counters that CPUID announces and no more: Linux assumes three fixed
 * ones on bare metal even if CPUID reports fewer, but touching one that is
 * not there is a fault.
 */
static void probe_counters(struct pmuctl_caps *caps, const u32 leaf[4])
{
	u32 events = min_t(u32, leaf[0] >> 24, 32);

	caps->version = leaf[0] & 0xff;
	caps->nr_gp = min_t(u32, (leaf[0] >> 8) & 0xff, PMUCTL_GP_MAX);
	caps->gp_width = (leaf[0] >> 16) & 0xff;
	caps->nr_fixed = min_t(u32, leaf[3] & 0x1f, ARRAY_SIZE(fixed_encoding));
	caps->fixed_width = caps->nr_fixed ? (leaf[3] >> 5) & 0xff : 0;
	if (events)
		caps->arch_events = ~leaf[1] & GENMASK(events - 1, 0);
	caps->counters = GENMASK_ULL(PMUCTL_FIXED_BASE - 1, 0) >>
			 (PMUCTL_FIXED_BASE - caps->nr_gp);
	if (caps->nr_fixed)
		caps->counters |= GENMASK_ULL(PMUCTL_FIXED_BASE +
					      caps->nr_fixed - 1,
					      PMUCTL_FIXED_BASE);
	caps->nr_reserve = caps->nr_gp;
	caps->perfctr = MSR_PMC;
	caps->evntsel = MSR_EVTSEL;
}

static int perfmon_probe(struct pmuctl_caps *caps)
{
	u32 leaf[4];

	hw_cpuid(0xa, leaf);
	if (!(leaf[0] & 0xff))
		return pmuctl_why(NULL, -ENODEV,
				  "CPUID leaf 0AH announces no counters: a hypervisor hides the PMU; give the guest one (QEMU: -cpu host,pmu=on) or use the emulated test box");
	if ((leaf[0] & 0xff) < 2 || (leaf[0] & 0xff) > 4)
		return pmuctl_why(NULL, -ENODEV,
				  "perfmon version %u is not supported: this version of the module knows 2, 3 and 4",
				  leaf[0] & 0xff);
	probe_counters(caps, leaf);
	if (!caps->nr_gp || caps->gp_width < 32 || caps->gp_width > 63 ||
	    (caps->nr_fixed &&
	     (caps->fixed_width < 32 || caps->fixed_width > 63)))
		return pmuctl_why(NULL, -ENODEV,
				  "CPUID leaf 0AH makes no sense: %u counters of %u bits, %u fixed of %u bits",
				  caps->nr_gp, caps->gp_width, caps->nr_fixed,
				  caps->fixed_width);
	probe_features(caps);
	return 0;
}

/* --- events --- */

static int validate_evtsel(const struct pmuctl_event *event,
			   const struct pmuctl_why *why)
{
	const struct evtsel_field *field;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(evtsel_fields); i++) {
		field = &evtsel_fields[i];
		if (!field->refusal || !(event->evtsel & field->bits))
			continue;
		return pmuctl_why(why, -EINVAL,
				  "event select 0x%llx: %s (0x%llx) may not be set: %s",
				  event->evtsel, field->name,
				  event->evtsel & field->bits, field->refusal);
	}
	return 0;
}

/* A fixed counter is right only if it counts what the event select says. */
static int validate_fixed(const struct pmuctl_event *event,
			  const struct pmuctl_why *why)
{
	unsigned int i;

	for (i = 0; i < pmuctl_caps.nr_fixed; i++) {
		if (!(event->allowed & BIT_ULL(PMUCTL_FIXED_BASE + i)))
			continue;
		if (event->evtsel != fixed_encoding[i])
			return pmuctl_why(why, -EINVAL,
					  "event select 0x%llx cannot be on fixed counter %u, which counts 0x%04x and nothing else: drop bit %u of the counters",
					  event->evtsel, i, fixed_encoding[i],
					  PMUCTL_FIXED_BASE + i);
	}
	if (event->evtsel == PSEUDO_REF_CYCLES &&
	    event->allowed & GENMASK_ULL(PMUCTL_FIXED_BASE - 1, 0))
		return pmuctl_why(why, -EINVAL,
				  "event select 0x0300 (reference cycles) exists on fixed counter 2 only: ask for counters 0x400000000");
	return 0;
}

static int perfmon_validate(const struct pmuctl_event *event,
			    const struct pmuctl_why *why)
{
	int err = validate_evtsel(event, why);

	return err ? err : validate_fixed(event, why);
}

static void encode_gp(struct pmuctl_event *event)
{
	event->config = event->evtsel | EVTSEL_EN | EVTSEL_INT;
	if (event->flags & PMUCTL_EVENT_USER)
		event->config |= EVTSEL_USR;
	if (event->flags & PMUCTL_EVENT_KERNEL)
		event->config |= EVTSEL_OS;
}

static void encode_fixed(struct pmuctl_event *event)
{
	event->config = FIXED_PMI;
	if (event->flags & PMUCTL_EVENT_USER)
		event->config |= FIXED_USR;
	if (event->flags & PMUCTL_EVENT_KERNEL)
		event->config |= FIXED_OS;
}

static void perfmon_encode(struct pmuctl_event *event, struct pmuctl_reg *reg)
{
	bool fixed = event->counter >= PMUCTL_FIXED_BASE;

	event->slot = pmuctl_slot(event->counter);
	if (fixed)
		encode_fixed(event);
	else
		encode_gp(event);
	reg->reg = fixed ? PMUCTL_REG_FIXED_CTRL : PMUCTL_REG_EVTSEL;
	reg->index = event->counter - (fixed ? PMUCTL_FIXED_BASE : 0);
	reg->value = event->config;
}

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

	if (!pmuctl_caps.has_ds)
		return false;
	area = hw_rdmsr(MSR_DS_AREA);
	return area && area != hw_linux_ds_area();
}

static const char *perfmon_foreign(void)
{
	unsigned int i;

	for (i = 0; i < pmuctl_caps.nr_gp; i++)
		if (hw_rdmsr(MSR_EVTSEL + i) & EVTSEL_EN)
			return "an event select is enabled that nobody reserved";
	if (hw_rdmsr(MSR_DEBUGCTL) & DEBUGCTL_BTS)
		return "branch trace store is on";
	if (foreign_ds_area())
		return "somebody has set up a debug store area";
	if (pmuctl_caps.has_pt && hw_rdmsr(MSR_RTIT_CTL) & RTIT_TRACE_EN)
		return "Intel PT is tracing";
	return NULL;
}

/* The order in which save and restore go over the registers. */
static unsigned int saved_msrs(u32 *msrs)
{
	unsigned int i, n = 0;

	for (i = 0; i < pmuctl_caps.nr_gp; i++)
		msrs[n++] = pmc_msr(i);
	for (i = 0; i < pmuctl_caps.nr_fixed; i++)
		msrs[n++] = MSR_FIXED_CTR + i;
	for (i = 0; i < pmuctl_caps.nr_gp; i++)
		msrs[n++] = MSR_EVTSEL + i;
	if (has_pebs())
		msrs[n++] = MSR_PEBS_ENABLE;
	msrs[n++] = MSR_FIXED_CTR_CTRL;
	msrs[n++] = MSR_DEBUGCTL;
	msrs[n++] = MSR_GLOBAL_CTRL;
	return n;
}

static void perfmon_save(u64 *saved)
{
	u32 msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);

	for (i = 0; i < n; i++)
		saved[i] = hw_rdmsr(msrs[i]);
}

static void acknowledge(void)
{
	u64 status = hw_rdmsr(MSR_GLOBAL_STATUS);

	if (status)
		hw_wrmsr(MSR_GLOBAL_OVF_CTRL, status);
}

/*
 * Only what differs is written.  A legacy counter takes 32 bits and extends
 * their sign, so a value in between cannot be put back; zero then, rather
 * than something that never was there.
 */
static void restore_msr(u32 msr, u64 value)
{
	if (hw_rdmsr(msr) == value)
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
	return (hw_rdmsr(msr) & ~DEBUGCTL_FREEZE) | (saved & DEBUGCTL_FREEZE);
}

static void perfmon_restore(const u64 *saved)
{
	u32 msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);

	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
	for (i = 0; i < pmuctl_caps.nr_gp; i++)
		hw_wrmsr(MSR_EVTSEL + i, 0);
	hw_wrmsr(MSR_FIXED_CTR_CTRL, 0);
	acknowledge();
	for (i = 0; i < n; i++)
		restore_msr(msrs[i], value_to_restore(msrs[i], saved[i]));
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

static u64 perfmon_rearm(unsigned int slot)
{
	u64 start = start_value(slot);

	hw_wrmsr(slot_msr(slot), start);
	return start;
}

static void perfmon_reset(struct pmuctl_regs *regs)
{
	u64 debugctl = hw_rdmsr(MSR_DEBUGCTL);
	unsigned int i;

	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
	hw_wrmsr(MSR_FIXED_CTR_CTRL, 0);
	if (has_pebs())
		hw_wrmsr(MSR_PEBS_ENABLE, 0);
	for (i = 0; i < pmuctl_caps.nr_gp; i++) {
		hw_wrmsr(MSR_EVTSEL + i, 0);
		perfmon_rearm(i);
	}
	for (i = 0; i < pmuctl_caps.nr_fixed; i++)
		perfmon_rearm(PMUCTL_GP_MAX + i);
	/* Our handler stops the counters itself. */
	if (debugctl & DEBUGCTL_FREEZE)
		hw_wrmsr(MSR_DEBUGCTL, debugctl & ~DEBUGCTL_FREEZE);
	acknowledge();
	memset(regs, 0, sizeof(*regs));
}

/*
 * An emulator may swallow every write and count nothing.  So: does a value
 * stick, and does reading a counter of instructions advance it?
 */
static bool perfmon_counts(struct pmuctl_regs *regs)
{
	u64 before, after;

	if (hw_rdpmc(0) != start_value(0))
		return false;
	if (!(pmuctl_caps.arch_events & ARCH_INSTRUCTIONS))
		return true;
	hw_wrmsr(MSR_EVTSEL, INSTRUCTIONS | EVTSEL_OS | EVTSEL_EN);
	hw_wrmsr(MSR_GLOBAL_CTRL, BIT_ULL(0));
	before = hw_rdpmc(0);
	after = hw_rdpmc(0);
	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
	hw_wrmsr(MSR_EVTSEL, regs->evtsel[0]);
	perfmon_rearm(0);
	return after != before;
}

/* --- counting --- */

static void program_fixed(struct pmuctl_regs *regs,
			  const struct pmuctl_event *event)
{
	unsigned int shift = 4 * (event->slot - PMUCTL_GP_MAX);
	u64 ctrl = regs->fixed_ctrl & ~(FIXED_NIBBLE << shift);

	ctrl |= event->config << shift;
	if (ctrl == regs->fixed_ctrl)
		return;
	regs->fixed_ctrl = ctrl;
	hw_wrmsr(MSR_FIXED_CTR_CTRL, ctrl);
}

static void perfmon_program(struct pmuctl_regs *regs,
			    const struct pmuctl_event *event)
{
	if (event->slot >= PMUCTL_GP_MAX) {
		program_fixed(regs, event);
		return;
	}
	if (regs->evtsel[event->slot] == event->config)
		return;
	regs->evtsel[event->slot] = event->config;
	hw_wrmsr(MSR_EVTSEL + event->slot, event->config);
}

static void perfmon_enable(struct pmuctl_regs *regs, u64 counters)
{
	regs->enabled = counters;
	hw_wrmsr(MSR_GLOBAL_CTRL, counters);
}

static u64 perfmon_read(unsigned int slot)
{
	return hw_rdpmc(slot < PMUCTL_GP_MAX ?
			 slot : RDPMC_FIXED | (slot - PMUCTL_GP_MAX));
}

static u64 perfmon_mask(unsigned int slot)
{
	return GENMASK_ULL((slot < PMUCTL_GP_MAX ? pmuctl_caps.gp_width :
			    pmuctl_caps.fixed_width) - 1, 0);
}

static u64 perfmon_overflows(void)
{
	u64 status = hw_rdmsr(MSR_GLOBAL_STATUS);

	if (status)
		hw_wrmsr(MSR_GLOBAL_OVF_CTRL, status);
	return status & pmuctl_caps.counters;
}

static bool perfmon_disturbed(const struct pmuctl_regs *regs)
{
	return hw_rdmsr(MSR_GLOBAL_CTRL) != regs->enabled;
}

const struct pmuctl_backend pmuctl_perfmon = {
	.name = "perfmon",
	.probe = perfmon_probe,
	.validate = perfmon_validate,
	.encode = perfmon_encode,
	.foreign = perfmon_foreign,
	.save = perfmon_save,
	.restore = perfmon_restore,
	.reset = perfmon_reset,
	.counts = perfmon_counts,
	.program = perfmon_program,
	.enable = perfmon_enable,
	.read = perfmon_read,
	.mask = perfmon_mask,
	.rearm = perfmon_rearm,
	.overflows = perfmon_overflows,
	.disturbed = perfmon_disturbed,
};
