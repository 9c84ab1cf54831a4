// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend for the Pentium 4: taking the PMU, giving it back, and counting.
 *
 * Counters, CCCRs and ESCRs are a core's.  A slot stands for the counter that
 * an event has on this thread, and what it shows goes on from where it stood,
 * whoever used that counter meanwhile.  There is no global control: each
 * counter is started and stopped by its CCCR.  Nor is there a status: a counter
 * that has overflowed shows it by its top bit, also if OVF is missing.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/p4/p4.h"

/* A stopped CCCR: as it was, but that it neither counts nor interrupts. */
#define CCCR_STOPPED		(CCCR_SELECT | CCCR_THREAD)

#define for_each_bit(i, bits, rest)					\
	for ((rest) = (bits);						\
	     (rest) && ((i) = __builtin_ctz(rest), true);		\
	     (rest) &= (rest) - 1)

/* --- taking and giving back --- */

static const char *p4_foreign(void)
{
	u32 leaf[4];
	unsigned int i;
	u64 area;

	hw_cpuid(1, leaf);
	if (pmuctl_p4_core(leaf[1] >> 24)->held)
		return NULL;
	for (i = 0; i < P4_COUNTERS; i++)
		if (hw_rdmsr(MSR_P4_CCCR + i) & (CCCR_ENABLE | CCCR_CASCADE))
			return "a CCCR is enabled that nobody reserved";
	if (!pmuctl_caps.has_ds)
		return NULL;
	area = hw_rdmsr(MSR_P4_DS_AREA);
	return area && area != hw_linux_ds_area() ?
	       "somebody has set up a debug store area" : NULL;
}

/* CCCRs last: they start what is restored. */
static unsigned int saved_msrs(u32 *msrs)
{
	u8 escrs[P4_ESCRS];
	unsigned int i, n = 0, nr_escrs = pmuctl_p4_escrs(escrs);

	for (i = 0; i < P4_COUNTERS; i++)
		msrs[n++] = MSR_P4_COUNTER + i;
	for (i = 0; i < nr_escrs; i++)
		msrs[n++] = MSR_P4_ESCR + escrs[i];
	msrs[n++] = MSR_P4_PEBS_ENABLE;
	msrs[n++] = MSR_P4_MATRIX_VERT;
	for (i = 0; i < P4_COUNTERS; i++)
		msrs[n++] = MSR_P4_CCCR + i;
	return n;
}

static void stop_core(void)
{
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++)
		hw_wrmsr(MSR_P4_CCCR + i, CCCR_THREAD_ANY);
	hw_wrmsr(MSR_P4_PEBS_ENABLE, 0);
	hw_wrmsr(MSR_P4_MATRIX_VERT, 0);
}

/* The first thread finds it as it was, the other one finds what we made. */
static void p4_save(u64 *saved)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	u32 leaf[4], msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);
	struct pmuctl_p4_core *core;

	hw_cpuid(1, leaf);
	core = pmuctl_p4_core(leaf[1] >> 24);
	memset(cpu, 0, sizeof(*cpu));
	cpu->core = core;
	cpu->thread = pmuctl_p4_thread();
	pmuctl_p4_lock(core);
	for (i = 0; !core->held && i < n; i++)
		core->saved[i] = hw_rdmsr(msrs[i]);
	core->held |= BIT(cpu->thread);
	pmuctl_p4_unlock(core);
}

static void p4_adopt(u64 *saved, const u64 *of_sibling)
{
}

static void restore_core(const struct pmuctl_p4_core *core)
{
	u32 msrs[PMUCTL_SAVED_MAX];
	unsigned int i, n = saved_msrs(msrs);

	stop_core();
	for (i = 0; i < n; i++)
		if (hw_rdmsr(msrs[i]) != core->saved[i])
			hw_wrmsr(msrs[i], core->saved[i]);
}

/* The last thread puts back what the first one found. */
static void p4_restore(const u64 *saved, bool shared)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	struct pmuctl_p4_core *core = cpu->core;

	pmuctl_p4_lock(core);
	core->held &= ~BIT(cpu->thread);
	if (!core->held) {
		core->clean = false;
		restore_core(core);
	}
	pmuctl_p4_unlock(core);
}

static u64 start_value(void)
{
	if (pmuctl_caps.overflow_bits)
		return BIT_ULL(P4_WIDTH) - BIT_ULL(pmuctl_caps.overflow_bits);
	return P4_TOP;
}

void pmuctl_p4_write_counter(unsigned int counter, u64 value)
{
	hw_wrmsr(MSR_P4_COUNTER + counter, value);
	if (pmuctl_p4_has_quirk(&pmuctl_caps, P4_WRITE_TWICE))
		hw_wrmsr(MSR_P4_COUNTER + counter, value);
}

/* --- does it count? --- */

#define TRIED			12
#define TRIED_ESCR		0x18
/* Instructions of the kernel that are neither bogus nor tagged. */
#define TRIED_EVENT		(0x02ULL << ESCR_CODE_SHIFT |		\
				 1ULL << ESCR_MASK_SHIFT)
#define TRIED_CCCR		(4ULL << CCCR_SELECT_SHIFT |		\
				 CCCR_THREAD_ANY | CCCR_ENABLE)

static bool p4_moves(unsigned int thread)
{
	u64 before, after;

	hw_wrmsr(MSR_P4_ESCR + TRIED_ESCR,
		 TRIED_EVENT | (thread ? ESCR_T1_OS : ESCR_T0_OS));
	hw_wrmsr(MSR_P4_CCCR + TRIED, TRIED_CCCR);
	before = hw_rdpmc(TRIED);
	after = hw_rdpmc(TRIED);
	hw_wrmsr(MSR_P4_CCCR + TRIED, CCCR_THREAD_ANY);
	hw_wrmsr(MSR_P4_ESCR + TRIED_ESCR, 0);
	pmuctl_p4_write_counter(TRIED, start_value());
	return after != before;
}

static const char *p4_try(unsigned int thread)
{
	if (hw_rdpmc(TRIED) != start_value())
		return "its counters do not keep what is written to them, as an emulator's that only announces a PMU";
	if (!p4_moves(thread))
		return "its counters are stuck: they keep what is written to them, but instructions do not move them";
	return NULL;
}

/* The other thread may count by now: the core was tried when it was cleaned. */
static const char *p4_pretends(struct pmuctl_regs *regs)
{
	return pmuctl_p4_cpu()->core->refusal;
}

static void p4_clean(struct pmuctl_p4_core *core, unsigned int thread)
{
	u8 escrs[P4_ESCRS];
	unsigned int i, n = pmuctl_p4_escrs(escrs);

	stop_core();
	for (i = 0; i < n; i++)
		hw_wrmsr(MSR_P4_ESCR + escrs[i], 0);
	for (i = 0; i < P4_COUNTERS; i++)
		pmuctl_p4_write_counter(i, start_value());
	memset(core->escr, 0, sizeof(core->escr));
	memset(core->user, 0, sizeof(core->user));
	memset(core->pebs_enable, 0, sizeof(core->pebs_enable));
	memset(core->matrix, 0, sizeof(core->matrix));
	core->recording = 0;
	core->refusal = p4_try(thread);
	core->clean = true;
}

/* What this thread knew of them before it was offline. */
static void forget_counters(struct pmuctl_p4_cpu *cpu)
{
	const u64 **user = cpu->core->user;
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++)
		if (user[i] >= cpu->offset &&
		    user[i] < cpu->offset + P4_COUNTERS)
			user[i] = NULL;
}

/* The other thread may be counting already: once is enough for both. */
static void p4_reset(struct pmuctl_regs *regs)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	unsigned int i;

	pmuctl_p4_lock(cpu->core);
	if (!cpu->core->clean)
		p4_clean(cpu->core, cpu->thread);
	forget_counters(cpu);
	pmuctl_p4_unlock(cpu->core);
	for (i = 0; i < P4_COUNTERS; i++) {
		cpu->counter[i] = i;
		cpu->last[i] = start_value();
	}
	memset(regs, 0, sizeof(*regs));
}

/* --- what slots are programmed for --- */

static void write_escr(struct pmuctl_p4_core *core, unsigned int escr,
		       u32 value)
{
	if (core->escr[escr] == value)
		return;
	core->escr[escr] = value;
	hw_wrmsr(MSR_P4_ESCR + escr, value);
}

/*
 * Others may have left the counter anywhere: what the slot shows goes on from
 * where it was, and the counter has far to go to its next overflow.
 */
static void adopt_counter(struct pmuctl_p4_cpu *cpu, unsigned int slot)
{
	unsigned int counter = cpu->counter[slot];
	u64 at;

	if (likely(cpu->core->user[counter] == &cpu->offset[slot]))
		return;
	cpu->core->user[counter] = &cpu->offset[slot];
	at = hw_rdpmc(counter);
	if (!(at & P4_TOP)) {
		at = start_value();
		pmuctl_p4_write_counter(counter, at);
	}
	cpu->offset[slot] = (cpu->last[slot] - at) & P4_MASK;
}

static void p4_note(u32 *slots, unsigned int slot, bool is)
{
	*slots = is ? *slots | BIT(slot) : *slots & ~BIT(slot);
}

/* Uops go on being tagged as long as the ESCR says so: see p4_enable(). */
static bool p4_tags(const struct pmuctl_event *event)
{
	const struct pmuctl_p4_event *row = pmuctl_p4_event(event);

	return event->evtsel & ESCR_TAG_ENABLE || row->flags & P4_TAGS_FRONT;
}

static void program_replay(struct pmuctl_p4_cpu *cpu,
			   const struct pmuctl_event *event)
{
	const struct pmuctl_reg *reg = event->extra;

	p4_note(&cpu->replaying, event->slot, event->nr_extra);
	for (; reg < event->extra + event->nr_extra; reg++)
		if (reg->reg == PMUCTL_REG_REPLAY)
			cpu->replay[event->slot] = reg->value | P4_UOP_TAG;
		else
			cpu->matrix[event->slot] = reg->value;
}

static void p4_program(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	const struct pmuctl_seat *seat = &event->seat[cpu->thread];
	unsigned int slot = event->slot;

	cpu->counter[slot] = seat->counter;
	cpu->escr_nr[slot] = seat->escr;
	cpu->escr[slot] = pmuctl_p4_escr(event, cpu->thread);
	cpu->cccr[slot] = pmuctl_p4_cccr(event, cpu->thread);
	p4_note(&cpu->forced, slot, event->cccr & CCCR_FORCE_OVF);
	p4_note(&cpu->tagging, slot, p4_tags(event));
	program_replay(cpu, event);
	pmuctl_p4_pebs_program(regs, cpu, event);
	cpu->waiting &= ~BIT(slot);
	if (!(cpu->tagging & BIT(slot)))
		write_escr(cpu->core, seat->escr, cpu->escr[slot]);
	adopt_counter(cpu, slot);
}

/* --- starting and stopping --- */

static void start_slot(struct pmuctl_p4_cpu *cpu, unsigned int slot)
{
	if (unlikely(cpu->tagging & BIT(slot)))
		write_escr(cpu->core, cpu->escr_nr[slot], cpu->escr[slot]);
	if (unlikely(cpu->recording & BIT(slot)))
		pmuctl_p4_pebs_start(cpu, slot);
	hw_wrmsr(MSR_P4_CCCR + cpu->counter[slot], cpu->cccr[slot]);
}

/* Sessions that want the same of an ESCR share it. */
static bool others_tag(const struct pmuctl_p4_cpu *cpu, unsigned int slot,
		       u32 on)
{
	unsigned int other;
	u32 rest;

	for_each_bit(other, on & cpu->tagging, rest)
		if (cpu->escr_nr[other] == cpu->escr_nr[slot])
			return true;
	return false;
}

/* OVF goes with it.  Those in on stay, or come. */
static void stop_slot(struct pmuctl_p4_cpu *cpu, unsigned int slot, u32 on)
{
	hw_wrmsr(MSR_P4_CCCR + cpu->counter[slot],
		 cpu->cccr[slot] & CCCR_STOPPED);
	if (unlikely(cpu->tagging & BIT(slot)) && !others_tag(cpu, slot, on))
		write_escr(cpu->core, cpu->escr_nr[slot], 0);
}

static void write_pebs(const struct pmuctl_p4_core *core, unsigned int thread)
{
	hw_wrmsr(MSR_P4_MATRIX_VERT, core->matrix[0] | core->matrix[1]);
	hw_wrmsr(MSR_P4_PEBS_ENABLE,
		 core->pebs_enable[0] | core->pebs_enable[1] |
		 pmuctl_p4_pebs_bits(core, thread));
}

/* The core tags for both threads; they agree on what, or one waits. */
static void set_pebs(struct pmuctl_p4_cpu *cpu, u32 slots, u32 recording)
{
	struct pmuctl_p4_core *core = cpu->core;
	u32 rest, enable = 0, matrix = 0;
	u32 records = slots & recording ? BIT(cpu->thread) : 0;
	unsigned int slot;

	for_each_bit(slot, slots & cpu->replaying, rest) {
		enable |= cpu->replay[slot];
		matrix |= cpu->matrix[slot];
	}
	if (core->pebs_enable[cpu->thread] == enable &&
	    core->matrix[cpu->thread] == matrix &&
	    (core->recording & BIT(cpu->thread)) == records)
		return;
	pmuctl_p4_lock(core);
	core->pebs_enable[cpu->thread] = enable;
	core->matrix[cpu->thread] = matrix;
	core->recording = (core->recording & ~BIT(cpu->thread)) | records;
	write_pebs(core, cpu->thread);
	pmuctl_p4_unlock(core);
}

static void p4_enable(struct pmuctl_regs *regs, u64 counters)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	u32 rest, on = counters;
	unsigned int slot;

	regs->enabled = counters;
	cpu->before = cpu->on;
	for_each_bit(slot, cpu->on & ~on, rest)
		stop_slot(cpu, slot, on);
	if (unlikely(cpu->replaying | cpu->recording))
		set_pebs(cpu, on, regs->pebs_paused ? 0 : cpu->recording);
	/* Those that another one starts first, or it may start nobody. */
	for_each_bit(slot, on & ~cpu->on & cpu->waiting, rest)
		start_slot(cpu, slot);
	for_each_bit(slot, on & ~cpu->on & ~cpu->waiting, rest)
		start_slot(cpu, slot);
	cpu->on = on;
}

static void p4_pebs_pause(struct pmuctl_regs *regs)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();

	regs->pebs_paused = true;
	set_pebs(cpu, cpu->on, 0);
}

static void p4_pebs_resume(struct pmuctl_regs *regs)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();

	regs->pebs_paused = false;
	set_pebs(cpu, cpu->on, cpu->recording);
}

/* --- counters --- */

/*
 * Erratum O9: one that stops in the cycle in which bit 31 carries may lose that
 * carry, and then stands before where it was last seen.  Those that PEBS sets
 * back do as well.
 */
static u64 read_slot(const struct pmuctl_p4_cpu *cpu, unsigned int slot)
{
	u64 carry = BIT_ULL(32), at = hw_rdpmc(cpu->counter[slot]);
	u64 moved = (at + cpu->offset[slot] - cpu->last[slot]) & P4_MASK;

	if (likely(moved <= P4_MASK - carry) || cpu->recording & BIT(slot))
		return at;
	at = (at + carry) & P4_MASK;
	pmuctl_p4_write_counter(cpu->counter[slot], at);
	return at;
}

static u64 p4_read(unsigned int slot)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	unsigned int counter = cpu->counter[slot];
	u64 at = read_slot(cpu, slot);

	/* Overflowed, and nobody looked: it is to be set back some time. */
	if (unlikely(!(at & P4_TOP)))
		cpu->core->user[counter] = NULL;
	cpu->last[slot] = (at + cpu->offset[slot]) & P4_MASK;
	return cpu->last[slot];
}

static u64 p4_mask(unsigned int slot)
{
	return P4_MASK;
}

static u64 set_counter(unsigned int slot, u64 value)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	unsigned int counter = cpu->counter[slot];

	pmuctl_p4_write_counter(counter, value);
	cpu->core->user[counter] = &cpu->offset[slot];
	cpu->offset[slot] = 0;
	cpu->last[slot] = value;
	return value;
}

/* One that is to interrupt at each event would go on, wherever it stands. */
static u64 p4_rearm(unsigned int slot)
{
	pmuctl_p4_cpu()->cccr[slot] &= ~CCCR_FORCE_OVF;
	return set_counter(slot, start_value());
}

/* The interrupt comes with the event behind the overflow, so one less. */
static u64 p4_arm(unsigned int slot, u64 left)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	u64 events = left > 1 ? left - 1 : 1;

	if (events > P4_TOP)
		events = P4_TOP;
	if (unlikely(cpu->forced & BIT(slot)))
		cpu->cccr[slot] |= CCCR_FORCE_OVF;
	return set_counter(slot, -events & P4_MASK);
}

static bool p4_overflowed(const struct pmuctl_p4_cpu *cpu, unsigned int slot)
{
	const u64 *user = cpu->core->user[cpu->counter[slot]];
	u64 at;

	/* It has been another's since, of this thread or the other one. */
	if (unlikely(user && user != &cpu->offset[slot]))
		return false;
	at = read_slot(cpu, slot);
	if (unlikely(cpu->forced & BIT(slot)))
		return ((at + cpu->offset[slot]) & P4_MASK) != cpu->last[slot];
	return !(at & P4_TOP);
}

/* All are stopped, and so acknowledged. */
static u64 p4_overflows(u64 ran)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	u64 overflows = 0;
	unsigned int slot;
	u32 rest;

	for_each_bit(slot, cpu->before, rest)
		if (p4_overflowed(cpu, slot))
			overflows |= BIT_ULL(slot);
	return overflows;
}

/* One of those that run is looked at; the next start writes all. */
static u32 p4_disturbed(const struct pmuctl_regs *regs)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	unsigned int slot;
	u64 cccr;
	u32 msr;

	if (!cpu->on)
		return 0;
	slot = __builtin_ctz(cpu->on);
	msr = MSR_P4_CCCR + cpu->counter[slot];
	cccr = hw_rdmsr(msr);
	if (!((cccr ^ cpu->cccr[slot]) & (CCCR_SELECT | CCCR_ENABLE)))
		return 0;
	cpu->on = 0;
	return msr;
}

const struct pmuctl_backend pmuctl_p4 = {
	.name = "p4",
	.first_reg = PMUCTL_REG_ESCR,
	.second_reg = PMUCTL_REG_CCCR,
	.probe = pmuctl_p4_probe,
	.validate = pmuctl_p4_validate,
	.assign = pmuctl_p4_plan,
	.encode = pmuctl_p4_encode,
	.foreign = p4_foreign,
	.save = p4_save,
	.adopt = p4_adopt,
	.restore = p4_restore,
	.reset = p4_reset,
	.pretends = p4_pretends,
	.program = p4_program,
	.enable = p4_enable,
	.read = p4_read,
	.mask = p4_mask,
	.rearm = p4_rearm,
	.arm = p4_arm,
	.overflows = p4_overflows,
	.disturbed = p4_disturbed,
	.cascade = pmuctl_p4_cascade,
	.pebs_pause = p4_pebs_pause,
	.pebs_resume = p4_pebs_resume,
};
