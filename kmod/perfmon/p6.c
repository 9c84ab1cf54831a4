// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend for P6: Pentium Pro to Pentium M, which have two counters and
 * nothing architectural.
 *
 * One bit, EN of select 0, lets both counters run; there is no other control
 * and no status.  So a counter that shall not run while the other one does has
 * a select of 0, and one that has overflowed shows it by its sign: each starts
 * below zero.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"

#define P6_COUNTERS		2
#define P6_WIDTH		40
#define P6_SIGN			BIT_ULL(P6_WIDTH - 1)
/* A write takes 32 bits and extends their sign. */
#define P6_MOST			(BIT_ULL(31) - 1)

/* Models of family 6 without leaf 0AH, as Linux's own P6 driver has them. */
static const u8 models[] = { 1, 3, 5, 6, 7, 8, 9, 10, 11, 13 };

/* Events that one counter alone has. */
static const struct {
	u8 event;
	u8 counter;
} only_on[] = {
	{ 0xc1, 0 },			/* floating-point operations */
	{ 0x10, 0 },			/* those executed */
	{ 0x14, 0 },			/* cycles of the divider */
	{ 0x11, 1 },			/* floating-point assists */
	{ 0x12, 1 },			/* multiplications */
	{ 0x13, 1 },			/* divisions */
};

/* What the selects hold; those of counters that shall not run are kept. */
#define live			extra

/* --- facts --- */

static u32 model_of(u32 signature)
{
	return ((signature >> 12) & 0xf0) | ((signature >> 4) & 0xf);
}

bool pmuctl_p6_drives(void)
{
	u32 leaf[4], i;

	hw_cpuid(0xa, leaf);
	if (leaf[0] & 0xff)
		return false;
	hw_cpuid(1, leaf);
	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i] == model_of(leaf[0]))
			return true;
	return false;
}

static int p6_probe(struct pmuctl_caps *caps)
{
	u32 leaf[4];
	u64 value;

	if (!hw_rdmsr_safe(MSR_EVTSEL, &value))
		return pmuctl_why(NULL, -ENODEV,
				  "PerfEvtSel0 is not there: a hypervisor hides the PMU");
	hw_cpuid(1, leaf);
	caps->signature = leaf[0];
	caps->nr_gp = P6_COUNTERS;
	caps->gp_width = P6_WIDTH;
	caps->counters = GENMASK_ULL(P6_COUNTERS - 1, 0);
	pmuctl_tried.lvtpc_stays = true;
	caps->nr_reserve = P6_COUNTERS;
	caps->perfctr = MSR_PMC;
	caps->evntsel = MSR_EVTSEL;
	return 0;
}

/* --- events --- */

static int validate_counters(struct pmuctl_event *event,
			     const struct pmuctl_why *why)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(only_on); i++) {
		if ((event->evtsel & EVTSEL_EVENT) != only_on[i].event)
			continue;
		event->allowed &= BIT_ULL(only_on[i].counter);
		if (!event->allowed)
			return pmuctl_why(why, -EINVAL,
					  "event 0x%04llx exists on counter %u only: ask for that",
					  event->evtsel & EVTSEL_CODE,
					  only_on[i].counter);
	}
	return 0;
}

static int p6_validate(struct pmuctl_event *event, const struct pmuctl_why *why)
{
	int err = pmuctl_perfmon_validate(event, why);

	return err ? err : validate_counters(event, why);
}

static void p6_encode(struct pmuctl_event *event, struct pmuctl_reg *reg)
{
	pmuctl_perfmon_encode(event, reg);
	/* Select 1 has no such bit. */
	if (event->counter)
		event->config &= ~EVTSEL_EN;
	reg->value = event->config;
}

/* --- taking and giving back --- */

/*
 * Linux's own driver leaves EN on for good: what counts, counts some ring.
 */
static const char *p6_foreign(void)
{
	u64 selects = hw_rdmsr(MSR_EVTSEL);

	if (!(selects & EVTSEL_EN))
		return NULL;
	selects |= hw_rdmsr(MSR_EVTSEL + 1);
	if (selects & (EVTSEL_USR | EVTSEL_OS))
		return "an event select is enabled that nobody reserved";
	return NULL;
}

/* In the order in which they are given back: select 0 last. */
static const u32 saved_msrs[] = {
	MSR_PMC, MSR_PMC + 1, MSR_EVTSEL + 1, MSR_EVTSEL,
};

static void p6_save(u64 *saved)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(saved_msrs); i++)
		saved[i] = hw_rdmsr(saved_msrs[i]);
}

/* Nothing is shared: no P6 has threads. */
static void p6_adopt(u64 *saved, const u64 *of_sibling) { }

/* Zero for a count that no write of 32 bits can make. */
static void restore_msr(u32 msr, u64 value)
{
	if (hw_rdmsr(msr) == value)
		return;
	hw_wrmsr(msr, (u32)value);
	if (hw_rdmsr(msr) != value)
		hw_wrmsr(msr, 0);
}

static void p6_restore(const u64 *saved, bool shared)
{
	unsigned int i;

	hw_wrmsr(MSR_EVTSEL, 0);
	hw_wrmsr(MSR_EVTSEL + 1, 0);
	for (i = 0; i < ARRAY_SIZE(saved_msrs); i++)
		restore_msr(saved_msrs[i], saved[i]);
}

static u64 p6_arm(unsigned int slot, u64 left)
{
	u64 start = -(left < P6_MOST ? left : P6_MOST);

	hw_wrmsr(MSR_PMC + slot, (u32)start);
	return start & GENMASK_ULL(P6_WIDTH - 1, 0);
}

static u64 p6_rearm(unsigned int slot)
{
	u32 bits = pmuctl_caps.overflow_bits;

	return p6_arm(slot, bits ? BIT_ULL(bits) : P6_MOST);
}

static void p6_reset(struct pmuctl_regs *regs)
{
	unsigned int i;

	for (i = 0; i < P6_COUNTERS; i++)
		hw_wrmsr(MSR_EVTSEL + i, 0);
	for (i = 0; i < P6_COUNTERS; i++)
		p6_rearm(i);
	memset(regs, 0, sizeof(*regs));
}

/* An emulator may keep what is written and count nothing. */
static bool p6_moves(void)
{
	u64 before, after;

	hw_wrmsr(MSR_EVTSEL, INSTRUCTIONS | EVTSEL_OS | EVTSEL_EN);
	before = hw_rdpmc(0);
	after = hw_rdpmc(0);
	hw_wrmsr(MSR_EVTSEL, 0);
	p6_rearm(0);
	return after != before;
}

static const char *p6_pretends(struct pmuctl_regs *regs)
{
	if (!(hw_rdpmc(0) & P6_SIGN))
		return "its counters do not keep what is written to them, as an emulator's that only announces a PMU";
	if (!p6_moves())
		return "its counters are stuck: they keep what is written to them, but instructions do not move them";
	return NULL;
}

/* --- counting --- */

static void p6_program(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event)
{
	regs->evtsel[event->slot] = event->config;
}

static void p6_select(struct pmuctl_regs *regs, unsigned int i, u64 value)
{
	if (regs->live[i] == value)
		return;
	regs->live[i] = value;
	hw_wrmsr(MSR_EVTSEL + i, value);
}

static u64 p6_wanted(const struct pmuctl_regs *regs, unsigned int i,
		     u64 counters)
{
	return counters & BIT_ULL(i) ? regs->evtsel[i] : 0;
}

/* Select 0 last: its EN starts both.  Without rings it counts nothing. */
static void p6_enable(struct pmuctl_regs *regs, u64 counters)
{
	regs->enabled = counters;
	if (!counters) {
		p6_select(regs, 0, regs->live[0] & ~EVTSEL_EN);
		return;
	}
	p6_select(regs, 1, p6_wanted(regs, 1, counters));
	p6_select(regs, 0, p6_wanted(regs, 0, counters) | EVTSEL_EN);
}

static u32 p6_rdpmc(unsigned int slot)
{
	return slot;
}

static u64 p6_read(unsigned int slot)
{
	return hw_rdpmc(slot);
}

static u64 p6_mask(unsigned int slot)
{
	return GENMASK_ULL(P6_WIDTH - 1, 0);
}

/* Until it is armed again it stays above zero. */
static u64 p6_overflows(u64 ran)
{
	u64 overflows = 0;
	unsigned int i;

	for (i = 0; i < P6_COUNTERS; i++)
		if (!(hw_rdpmc(i) & P6_SIGN))
			overflows |= BIT_ULL(i);
	return overflows;
}

static u32 p6_disturbed(const struct pmuctl_regs *regs)
{
	return hw_rdmsr(MSR_EVTSEL) != regs->live[0] ? MSR_EVTSEL : 0;
}

const struct pmuctl_backend pmuctl_p6 = {
	.name = "p6",
	.probe = p6_probe,
	.validate = p6_validate,
	.encode = p6_encode,
	.foreign = p6_foreign,
	.save = p6_save,
	.adopt = p6_adopt,
	.restore = p6_restore,
	.reset = p6_reset,
	.pretends = p6_pretends,
	.program = p6_program,
	.enable = p6_enable,
	.read = p6_read,
	.user_index = p6_rdpmc,
	.mask = p6_mask,
	.rearm = p6_rearm,
	.arm = p6_arm,
	.overflows = p6_overflows,
	.disturbed = p6_disturbed,
};
