// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeping perf out where the kernel's reservation of counters is void.
 *
 * From Linux 6.11 on perf knows the counters of version 6 by their new
 * addresses, 1900H and up.  The kernel's reservation, which knows 66 addresses
 * from C1H on, grants any other and notes nothing: whoever has reserved C1H
 * keeps nobody out, and perf does not keep us out.  Both would program the same
 * counters, and both count wrong.
 *
 * So a kprobe is put on what perf asks.  While the PMU is ours it answers for
 * the new addresses that they are taken, and perf refuses its user with EBUSY
 * as it does on other processors.  And since perf asks for its first event
 * alone, an event that we make then tells whether it has others: if perf asks,
 * and is refused, there are none; if it does not there are, asleep or not.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <linux/workqueue.h>
#include <asm/nmi.h>

#include "kmod/base/compat.h"
#include "kmod/base/why.h"
#include "kmod/hold/exclude.h"
#include "kmod/pmu/pmu.h"

/* The first version with other addresses; older kernels use the old ones. */
#define VERSION_VOID	6

#ifdef CONFIG_KPROBES

/* Those addresses, of counters of both kinds. */
#define VOID_FIRST	0x1900
#define VOID_LAST	0x19ff

static bool refuses;
/* Who makes an event to see whether perf asks, and whether it did. */
static const struct task_struct *asker;
static bool asked;

/*
 * The function is left at its first instruction for one of the kernel's that
 * returns 0: not for one of this module's, which a task could still be in when
 * the module goes.
 */
static int on_reserve(struct kprobe *probe, struct pt_regs *regs)
{
	u32 msr = regs_get_kernel_argument(regs, 0);

	if (READ_ONCE(asker) == current)
		asked = true;
	if (!READ_ONCE(refuses) || msr < VOID_FIRST || msr > VOID_LAST)
		return 0;
	instruction_pointer_set(regs, (unsigned long)__static_call_return0);
	return 1;
}
NOKPROBE_SYMBOL(on_reserve);

/* Without one the kernel may optimise the probe, and it cannot go elsewhere. */
static void behind_reserve(struct kprobe *probe, struct pt_regs *regs,
			   unsigned long flags)
{
}
NOKPROBE_SYMBOL(behind_reserve);

static struct kprobe probe;
static bool registered;
static DEFINE_MUTEX(probe_lock);

/* What registering fills in is not there the next time. */
static int probe_register(void)
{
	int err;

	if (registered)
		return 0;
	probe = (struct kprobe) {
		.symbol_name = "reserve_perfctr_nmi",
		.pre_handler = on_reserve,
		.post_handler = behind_reserve,
	};
	err = register_kprobe(&probe);
	registered = !err;
	return err;
}

/*
 * A probe that goes waits for every CPU, so it stays for a moment: a command
 * ends without it, and the next one finds it.
 */
static void drop(struct work_struct *work)
{
	mutex_lock(&probe_lock);
	if (registered && !refuses) {
		unregister_kprobe(&probe);
		registered = false;
	}
	mutex_unlock(&probe_lock);
}

static DECLARE_DELAYED_WORK(drop_work, drop);

#define DROP_AFTER	(HZ / 10)

static void allow(void)
{
	mutex_lock(&probe_lock);
	WRITE_ONCE(refuses, false);
	mod_delayed_work(pmuctl_unbound_wq, &drop_work, DROP_AFTER);
	mutex_unlock(&probe_lock);
}

static int refuse(const struct pmuctl_why *why)
{
	int err;

	mutex_lock(&probe_lock);
	err = probe_register();
	WRITE_ONCE(refuses, !err);
	mutex_unlock(&probe_lock);
	if (err)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "perfmon version %u is shared with perf by a kprobe on reserve_perfctr_nmi, which this kernel refuses: error %d",
				  pmuctl_caps.version, -err);
	/* Our own question shows whether it is in force. */
	if (!reserve_perfctr_nmi(VOID_FIRST))
		return 0;
	release_perfctr_nmi(VOID_FIRST);
	allow();
	return pmuctl_why(why, -EOPNOTSUPP,
			  "perfmon version %u is shared with perf by a kprobe, and kprobes are switched off: sysctl kernel.ftrace_enabled=1, and 1 in /sys/kernel/debug/kprobes/enabled",
			  pmuctl_caps.version);
}

/*
 * Makes an event that never runs.  It is a task's, since of cores of several
 * kinds perf asks nothing for a CPU that its first PMU does not have.
 */
static int look_for_perf(const struct pmuctl_why *why)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
	};
	struct perf_event *event;

	asked = false;
	WRITE_ONCE(asker, current);
	event = perf_event_create_kernel_counter(&attr, -1, current, NULL,
						 NULL);
	WRITE_ONCE(asker, NULL);
	/* perf knows no such event: it does not drive this PMU. */
	if (asked || event == ERR_PTR(-ENOENT))
		return 0;
	if (IS_ERR(event))
		return pmuctl_why(why, PTR_ERR(event),
				  "whether perf counts cannot be found out: the kernel makes no event, error %ld",
				  -PTR_ERR(event));
	perf_event_release_kernel(event);
	return pmuctl_why(why, -EBUSY,
			  "perf has hardware events, counting or not: of the NMI watchdog (sysctl kernel.nmi_watchdog=0), or of processes (end those that have them)");
}

static int exclude(const struct pmuctl_why *why)
{
	int err = refuse(why);

	if (err)
		return err;
	err = look_for_perf(why);
	if (err)
		allow();
	return err;
}

int pmuctl_exclude(const struct pmuctl_why *why)
{
	int err;

	if (pmuctl_caps.version < VERSION_VOID)
		return 0;
	/* Kprobes and perf's events lock the CPUs themselves. */
	cpus_read_unlock();
	err = exclude(why);
	cpus_read_lock();
	return err;
}

void pmuctl_admit(void)
{
	if (pmuctl_caps.version >= VERSION_VOID)
		allow();
}

void pmuctl_exclude_exit(void)
{
	cancel_delayed_work_sync(&drop_work);
	drop(NULL);
}

#else

int pmuctl_exclude(const struct pmuctl_why *why)
{
	if (pmuctl_caps.version < VERSION_VOID)
		return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "perfmon version %u is shared with perf by a kprobe, which this kernel is built without: it needs CONFIG_KPROBES=y",
			  pmuctl_caps.version);
}

void pmuctl_admit(void)
{
}

void pmuctl_exclude_exit(void)
{
}

#endif
