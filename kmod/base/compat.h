/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every difference between the kernels that the module builds for.
 */
#ifndef PMUCTL_COMPAT_H
#define PMUCTL_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/sched/coredump.h>
#include <linux/version.h>
#include <asm/msr.h>
#include <net/genetlink.h>

/* 6.16: cpuid() and cpuid_eax() have a header of their own. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#endif

/* 6.2: pre_doit and post_doit are told the operation in another struct. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
typedef const struct genl_split_ops pmuctl_genl_ops;
#else
typedef const struct genl_ops pmuctl_genl_ops;
#endif

/* 6.3: flags of a mapping are changed by functions. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define pmuctl_vm_flags(vma, more, less)	vm_flags_mod(vma, more, less)
#else
#define pmuctl_vm_flags(vma, more, less)				\
	((vma)->vm_flags = ((vma)->vm_flags | (more)) & ~(less))
#endif

/* 6.13: a timer is initialised together with its function. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define pmuctl_hrtimer_setup	hrtimer_setup
#else
static inline void
pmuctl_hrtimer_setup(struct hrtimer *timer,
		     enum hrtimer_restart (*fn)(struct hrtimer *timer),
		     clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

/* Written before it is read: kernels that clear the stack need not clear it. */
#if __has_attribute(uninitialized)
#define pmuctl_uninitialized	__attribute__((uninitialized))
#else
#define pmuctl_uninitialized
#endif

/* 6.16: rdmsrl and wrmsrl became functions of another name. */
#ifndef rdmsrq
#define rdmsrq(msr, value)	rdmsrl(msr, value)
#define rdmsrq_safe(msr, value)	rdmsrl_safe(msr, value)
#define wrmsrq(msr, value)	wrmsrl(msr, value)
#define wrmsrq_safe(msr, value)	wrmsrl_safe(msr, value)
#endif

/* 6.16: rdpmc(counter) is a function; before it was rdpmcl(counter, value). */
#ifdef rdpmcl
#define pmuctl_rdpmc(counter)						\
({									\
	u64 pmuctl_value;						\
	rdpmcl(counter, pmuctl_value);					\
	pmuctl_value;							\
})
#else
#define pmuctl_rdpmc(counter)	rdpmc(counter)
#endif

/* 6.14: kthread_create_worker() leaves its worker standing. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
#define pmuctl_run_worker(name)		kthread_run_worker(0, name)
#else
#define pmuctl_run_worker(name)		kthread_create_worker(0, name)
#endif

/* 6.18: the queue has another name; 7.x warns of the old one. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define pmuctl_unbound_wq	system_dfl_wq
#else
#define pmuctl_unbound_wq	system_unbound_wq
#endif

/* 7.0: kvm can give a guest the counters themselves (enable_mediated_pmu). */
#define PMUCTL_KVM_MEDIATES	(LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0))

/*
 * 7.2, or a fix within another release: whether a task may be looked into is
 * kept with the task, and the function that tells is not exported; before it
 * was a field of its mm.  A task without an mm may not.
 */
#ifndef SUID_DUMP_USER
#include <linux/sched/exec_state.h>

static inline bool pmuctl_dumpable(const struct task_struct *task,
				   const struct mm_struct *mm)
{
	const struct task_exec_state *state;
	bool dumpable;

	rcu_read_lock();
	state = rcu_dereference(task->exec_state);
	dumpable = mm && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return dumpable;
}
#else
#define pmuctl_dumpable(task, mm)					\
	((mm) && get_dumpable((struct mm_struct *)(mm)) == SUID_DUMP_USER)
#endif

#endif
