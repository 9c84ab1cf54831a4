/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every difference between the kernels that the module builds for.
 */
#ifndef PMUCTL_COMPAT_H
#define PMUCTL_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/version.h>
#include <asm/msr.h>
#include <net/genetlink.h>

/* 6.2: pre_doit and post_doit are told the operation in another struct. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
typedef const struct genl_split_ops pmuctl_genl_ops;
#else
typedef const struct genl_ops pmuctl_genl_ops;
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
#endif

#endif
