// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for kvm, as far as others can see a virtual CPU: its tracepoints come with
 * IRQs off in front of each entry into the guest and behind each exit, and the thread in
 * its run loop has a preemption notifier.  The guest is a loop of this kernel, which NMIs
 * interrupt as they do a guest.
 *
 * Writing N to the parameter "run" enters N times on the writer's CPU, with a sleep of
 * PAUSE us after each exit; a signal ends it.  "before", "inside" and "behind" then say in
 * how many of the "entries" PEBS was on there: a bit of MASK in IA32_PEBS_ENABLE, or, if MASK
 * is 0, the one of any counter's CFG_C (architectural PEBS).
 *
 * With "foreign" the guest has PEBS of its own: behind it kvm puts back the area and the
 * contents that perf has on this CPU, which has none.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>

#include <asm/msr.h>
#include <asm/processor.h>

#define PEBS_ENABLE	0x3f1
#define PEBS_DATA_CFG	0x3f2
#define DS_AREA		0x600
#define GP_CFG_C	0x1903
#define FIXED_CFG_C	0x1983
#define CFG_C_STEP	4
#define LEAF_PMU	0x23
#define LEAF_PMU_PEBS	5
#define CFG_C_PEBS	BIT_ULL(63)
#define LOOPS		20000

DECLARE_TRACE(kvm_entry, TP_PROTO(unsigned int vcpu), TP_ARGS(vcpu));
DECLARE_TRACE(kvm_exit, TP_PROTO(unsigned int vcpu), TP_ARGS(vcpu));
DEFINE_TRACE(kvm_entry, TP_PROTO(unsigned int vcpu), TP_ARGS(vcpu));
DEFINE_TRACE(kvm_exit, TP_PROTO(unsigned int vcpu), TP_ARGS(vcpu));

static ulong mask = ~0UL;
module_param(mask, ulong, 0444);
static uint pause = 100;
module_param(pause, uint, 0444);

static bool foreign;
module_param(foreign, bool, 0444);

static uint entries, before, inside, behind;
module_param(entries, uint, 0444);
module_param(before, uint, 0444);
module_param(inside, uint, 0444);
module_param(behind, uint, 0444);

static bool one_records(u32 first, unsigned long counters)
{
	unsigned int i;
	u64 value;

	for_each_set_bit(i, &counters, BITS_PER_LONG) {
		rdmsrl(first + i * CFG_C_STEP, value);
		if (value & CFG_C_PEBS)
			return true;
	}
	return false;
}

static bool records(void)
{
	u32 gp, fixed, unused;
	u64 value;

	if (!mask) {
		/* Cores of another kind have more of them, or fewer. */
		cpuid_count(LEAF_PMU, LEAF_PMU_PEBS, &gp, &unused, &fixed, &unused);
		return one_records(GP_CFG_C, gp) || one_records(FIXED_CFG_C, fixed);
	}
	rdmsrl(PEBS_ENABLE, value);
	return value & mask;
}

/* Says whether PEBS was on at its beginning or at its end. */
static noinline bool vcpu_guest(void)
{
	unsigned int loops = LOOPS;
	bool on = records();

	while (loops--)
		OPTIMIZER_HIDE_VAR(loops);
	return records() || on;
}

static void vcpu_enter(void)
{
	local_irq_disable();
	entries++;
	before += records();
	trace_kvm_entry(0);
	inside += vcpu_guest();
	if (foreign) {
		wrmsrl(DS_AREA, 0);
		wrmsrl(PEBS_DATA_CFG, 0);
	}
	trace_kvm_exit(0);
	behind += records();
	local_irq_enable();
}

static void nothing_in(struct preempt_notifier *notifier, int cpu)
{
}

static void nothing_out(struct preempt_notifier *notifier, struct task_struct *next)
{
}

static struct preempt_ops ops = { .sched_in = nothing_in, .sched_out = nothing_out };

static int vcpu_run(const char *text, const struct kernel_param *param)
{
	struct preempt_notifier notifier;
	unsigned int times;
	int err = kstrtouint(text, 0, &times);

	if (err)
		return err;
	entries = before = inside = behind = 0;
	/* The others may be read meanwhile. */
	kernel_param_unlock(THIS_MODULE);
	preempt_notifier_init(&notifier, &ops);
	preempt_notifier_inc();
	preempt_disable();
	preempt_notifier_register(&notifier);
	preempt_enable();
	while (times-- && !signal_pending(current)) {
		vcpu_enter();
		usleep_range(pause, pause);
	}
	preempt_disable();
	preempt_notifier_unregister(&notifier);
	preempt_enable();
	preempt_notifier_dec();
	kernel_param_lock(THIS_MODULE);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = vcpu_run };

module_param_cb(run, &run_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A stand-in for kvm, of pmuctl's tests");
