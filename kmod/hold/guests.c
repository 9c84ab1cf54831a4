// SPDX-License-Identifier: GPL-2.0-only
/*
 * Virtual machines: PEBS while one runs, and a kvm that takes the whole PMU.
 *
 * In a guest PEBS would write its records to an address of the host's, through
 * the guest's page tables.  So no session with PEBS is made while a virtual
 * CPU is inside its run loop, and if one enters a guest later, a probe on kvm's
 * own tracepoint, which comes with interrupts off just before each entry, has
 * taken PEBS off that CPU by then.
 *
 * kvm loaded, even with VMX switched on, is no reason to refuse.  VMX on
 * without kvm is somebody whose entries nobody tells us of.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "kmod/base/compat.h"
#include "kmod/base/why.h"
#include "kmod/hold/guests.h"
#include "kmod/pmu/msr.h"
#include "kmod/state/cpu.h"

static bool pebs_with_guests;
module_param(pebs_with_guests, bool, 0644);
MODULE_PARM_DESC(pebs_with_guests,
		 "Allow PEBS while virtual machines run on this host (default 0: refuse it). On processors that do not stop PEBS at a VM entry by themselves records are then written into guest memory: a guest may crash, and its memory be corrupted");

/*
 * In front of each entry and behind each exit, IRQs off; an NMI in between
 * turns nothing of PEBS on.
 */
static void on_entry(void *data)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);

	if (!cpu->held)
		return;
	cpu->regs.pebs_foreign = true;
	if (!cpu->regs.pebs || READ_ONCE(pebs_with_guests))
		return;
	/* The Pentium 4's core has a lock, which NMIs take. */
	pmuctl_busy_begin(cpu);
	pmuctl_backend->pebs_pause(&cpu->regs);
	pmuctl_busy_end(cpu);
}

static void on_exit(void *data)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);

	if (!cpu->held || !cpu->regs.pebs)
		return;
	if (cpu->regs.pebs_paused)
		pmuctl_cpu_resume_pebs(cpu);
	else
		pmuctl_backend->pebs_resume(&cpu->regs);
}

/* What of kvm's we listen to: found when it comes or is there already. */
static struct probe {
	const char *name;
	void *fn;
	struct tracepoint *tracepoint;	/* NULL: not listening */
} probes[] = {
	{ "kvm_entry", on_entry },
	{ "kvm_exit", on_exit },
};

static unsigned int holds;

/* --- is there one now? --- */

/* From vcpu_load() to vcpu_put(), which is all of its run loop. */
static bool is_vcpu(const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_NOTIFIERS
	return !hlist_empty(&task->preempt_notifiers);
#else
	return false;
#endif
}

static bool vcpu_runs(void)
{
	struct task_struct *process, *task;
	bool found = false;

	rcu_read_lock();
	for_each_process_thread(process, task)
		found |= is_vcpu(task);
	rcu_read_unlock();
	return found;
}

static void look_for_vmx(void *found)
{
	if (hw_cr4() & X86_CR4_VMXE)
		WRITE_ONCE(*(bool *)found, true);
}

static bool vmx_is_on(void)
{
	bool found = false;

	on_each_cpu(look_for_vmx, &found, true);
	return found;
}

const char *pmuctl_guests_refusal(void)
{
	if (READ_ONCE(pebs_with_guests))
		return NULL;
	if (vcpu_runs())
		return "a virtual machine runs on this host, and PEBS could write into its memory: end it, or load the module with pebs_with_guests=1, which risks that";
	if (holds && !probes[0].tracepoint && vmx_is_on())
		return "VMX is on, and whoever uses it does not say when it enters a guest, whose memory PEBS could write into: end it, or load the module with pebs_with_guests=1, which risks that";
	return NULL;
}

/* --- who is given the PMU --- */

/*
 * With a mediated PMU kvm loads the guest's counters at each entry, and whoever
 * counts without perf is not asked.  Only its parameter tells.
 */
bool pmuctl_guests_have_pmu(void)
{
	char text[4] = "";
	loff_t at = 0;
	struct file *file;

	if (!PMUCTL_KVM_MEDIATES)
		return false;
	file = filp_open("/sys/module/kvm_intel/parameters/enable_mediated_pmu",
			 O_RDONLY, 0);
	if (IS_ERR(file))
		return false;
	kernel_read(file, text, sizeof(text), &at);
	filp_close(file, NULL);
	return text[0] == 'Y';
}

/* --- listening --- */

static void guests_listen(struct probe *probe, struct tracepoint *tracepoint)
{
	if (strcmp(tracepoint->name, probe->name) || probe->tracepoint ||
	    tracepoint_probe_register(tracepoint, probe->fn, NULL))
		return;
	probe->tracepoint = tracepoint;
}

static void guests_ignore(struct probe *probe,
			  const struct tracepoint *tracepoint)
{
	/* Neither is there without KVM. */
	if (!probe->tracepoint || probe->tracepoint != tracepoint)
		return;
	tracepoint_probe_unregister(probe->tracepoint, probe->fn, NULL);
	probe->tracepoint = NULL;
}

/* Called for the modules that are there already as well. */
static int on_module(struct notifier_block *block, unsigned long state,
		     void *data)
{
	const struct module *module = ((struct tp_module *)data)->mod;
	struct tracepoint *tracepoint;
	unsigned int i, k;

	for (i = 0; i < module->num_tracepoints; i++) {
		tracepoint = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);
		for (k = 0; k < ARRAY_SIZE(probes); k++)
			if (state == MODULE_STATE_COMING)
				guests_listen(&probes[k], tracepoint);
			else if (state == MODULE_STATE_GOING)
				guests_ignore(&probes[k], tracepoint);
	}
	return NOTIFY_OK;
}

static struct notifier_block modules = { .notifier_call = on_module };

static void stop_listening(void)
{
	unsigned int k;

	unregister_tracepoint_module_notifier(&modules);
	for (k = 0; k < ARRAY_SIZE(probes); k++)
		guests_ignore(&probes[k], probes[k].tracepoint);
	tracepoint_synchronize_unregister();
}

/* Tracepoints lock the CPUs themselves. */
static int start_listening(void)
{
	int err;

	cpus_read_unlock();
	err = register_tracepoint_module_notifier(&modules);
	cpus_read_lock();
	return err;
}

int pmuctl_guests_hold(const struct pmuctl_why *why)
{
	const char *refusal;
	int err = holds ? 0 : start_listening();

	if (err)
		return pmuctl_why(why, err,
				  "PEBS cannot be used: this kernel does not tell when kvm comes");
	holds++;
	/* Whoever entered before we listened is seen here. */
	refusal = pmuctl_guests_refusal();
	if (!refusal)
		return 0;
	pmuctl_guests_release();
	return pmuctl_why(why, -EBUSY, "PEBS cannot be used: %s", refusal);
}

void pmuctl_guests_release(void)
{
	if (--holds)
		return;
	cpus_read_unlock();
	stop_listening();
	cpus_read_lock();
}
