/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of the kernel the module's core uses on a CPU, in user space: one CPU, no
 * interrupts, clocks that stand still until a test moves them.
 */
#ifndef CORE_KERNEL_H
#define CORE_KERNEL_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

typedef __s32 s32;

/* --- the compiler and memory --- */

#define barrier() __asm__ volatile("" : : : "memory")
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define smp_store_release(p, value) (*(p) = (value))
#define smp_load_acquire(p) (*(p))
#define smp_mb() barrier()
#define __percpu
#define __user
#define __read_mostly
#define ____cacheline_aligned_in_smp
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define clamp(x, low, high) min(max(x, low), high)
#define clamp_t(type, x, low, high) min_t(type, max_t(type, x, low), high)

/* --- one CPU --- */

#define DECLARE_PER_CPU(type, name) extern type name
#define DEFINE_PER_CPU(type, name) type name
#define this_cpu_ptr(p) (p)
#define per_cpu_ptr(p, cpu) (p)
#define per_cpu(name, cpu) (name)
#define smp_processor_id() 0u

/* --- arithmetic --- */

static inline u64 div_u64_rem(u64 x, u32 by, u32 *rest)
{
	*rest = x % by;
	return x / by;
}

static inline u64 div_u64(u64 x, u32 by)
{
	return x / by;
}

static inline u64 div64_u64(u64 x, u64 by)
{
	return x / by;
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (unsigned __int128)a * b / c;
}

static inline unsigned int __ffs64(u64 x)
{
	return __builtin_ctzll(x);
}

static inline int ilog2(u64 x)
{
	return 63 - __builtin_clzll(x);
}

#define for_each_set_bit(i, bits, size)					\
	for ((i) = 0; (i) < (size); (i)++)				\
		if (*(bits) >> (i) & 1)

/* --- tasks, clocks, registers --- */

#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull
#define TASK_COMM_LEN 16
#define PF_KTHREAD 0x200000

struct pt_regs {
	unsigned long flags, ip, ax, bx, cx, dx, si, di, bp, sp, cs;
};

struct task_struct {
	unsigned int flags;
	struct pt_regs regs;
};

extern struct task_struct *current;
extern u64 core_ns;

#define user_mode(regs) ((regs)->cs & 3)
#define task_pt_regs(task) (&(task)->regs)
#define get_irq_regs() ((struct pt_regs *)NULL)
#define local_clock() core_ns
#define ktime_get_mono_fast_ns() core_ns
#define hw_tsc() core_ns
#define rdtsc() core_ns
#define tsc_khz 1000000u
#define jiffies core_jiffies
extern unsigned long core_jiffies;

/* What threads' flags are is nothing that a test asks for. */
#define test_tsk_thread_flag(task, flag) 0
struct thread_info { unsigned long flags; };
static inline struct thread_info *task_thread_info(const struct task_struct *task)
{
	static struct thread_info none;

	(void)task;
	return &none;
}

/* Code of programs and of the kernel cannot be read here. */
#define copy_from_kernel_nofault(to, from, size) ((void)(to), 1)
#define copy_from_user_nmi(to, from, size) ((void)(to), 1ul)

#define APIC_DM_NMI 0x400
#define APIC_LVT_MASKED 0x10000
#define MSR_LSTAR 0xc0000082
extern u32 core_lvtpc;
#define hw_read_lvtpc() core_lvtpc
#define hw_write_lvtpc(value) (core_lvtpc = (value))

/* --- NMIs --- */

enum { NMI_DONE, NMI_HANDLED };
#define NMI_LOCAL 0
#define NMI_FLAG_FIRST 1
typedef int (*core_nmi_handler)(unsigned int type, struct pt_regs *regs);
extern core_nmi_handler core_nmi;
#define register_nmi_handler(type, fn, flags, name) (core_nmi = (fn), 0)
#define unregister_nmi_handler(type, name) (core_nmi = NULL)

/* --- what has a type and no use --- */

#define module_param(name, type, mode) struct core_unused
#define MODULE_PARM_DESC(name, text) struct core_unused

typedef struct { int counter; } atomic_t;
typedef struct { unsigned int sequence; } seqcount_t;
typedef struct { unsigned int val; } kuid_t;
typedef unsigned long cpumask_var_t[1];
struct list_head { struct list_head *next, *prev; };
struct hrtimer { int unused; };
struct irq_work { int unused; };

#define atomic_read(a) ((a)->counter)
#define atomic_or(bits, a) ((a)->counter |= (bits))
#define raw_write_seqcount_begin(s) ((s)->sequence++)
#define raw_write_seqcount_end(s) ((s)->sequence++)

#define DECLARE_STATIC_CALL(name, fn) extern __typeof__(fn) *name
#define static_call(name) name

/* The debug store area. */
struct debug_store {
	u64 bts[4];
	u64 pebs_buffer_base, pebs_index, pebs_absolute_maximum, pebs_interrupt_threshold;
	u64 pebs_event_reset[40];
};

#endif
