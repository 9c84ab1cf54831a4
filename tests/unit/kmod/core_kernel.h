/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of the kernel the module's core uses on a CPU, in user space: one CPU, no
 * interrupts, clocks that stand still until a test moves them.
 */
#ifndef CORE_KERNEL_H
#define CORE_KERNEL_H

#define _GNU_SOURCE

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

typedef __s32 s32;
#define U64_MAX (~0ull)

/* --- the compiler and memory --- */

#define barrier() __asm__ volatile("" : : : "memory")
#define pr_notice_once(...) ((void)0)
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
#define round_up(x, step) ((((x) - 1) | ((step) - 1)) + 1)	/* of unsigned ones */
#define clamp(x, low, high) min(max(x, low), high)
#define clamp_t(type, x, low, high) min_t(type, max_t(type, x, low), high)

/* --- one CPU --- */

#define DECLARE_PER_CPU(type, name) extern type name
#define DEFINE_PER_CPU(type, name) type name
#define this_cpu_read(name) (name)
#define this_cpu_write(name, value) ((name) = (value))
#define this_cpu_ptr(p) (p)
#define per_cpu_ptr(p, cpu) (p)
#define per_cpu(name, cpu) (name)
#define smp_processor_id() 0u
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define cpu_online(cpu) ((cpu) == 0)
#define nr_cpu_ids 1u
/* Every CPU that a mask has is the one that there is. */
#define cpumask_any_and(mask, online) ((mask)->bits[0] ? 0u : nr_cpu_ids)
#define alloc_percpu(type) ((type *)calloc(1, sizeof(type)))
#define free_percpu(p) free(p)
#define on_each_cpu(fn, info, wait) fn(info)
#define on_each_cpu_cond(wanted, fn, info, wait)			\
	do {								\
		if (wanted(0, info))					\
			fn(info);					\
	} while (0)
#define smp_call_function_single(cpu, fn, info, wait) ((void)(cpu), fn(info))
#define local_irq_save(flags) ((flags) = 0)
#define local_irq_restore(flags) ((void)(flags))
#define GFP_KERNEL 0
#define kcalloc(n, size, flags) calloc(n, size)
#define kfree(p) free(p)

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

#define CONFIG_X86_64
#define __USER32_CS 0x23

struct pt_regs {
	unsigned long flags, ip, ax, bx, cx, dx, si, di, bp, sp, cs, ss;
	unsigned long r8, r9, r10, r11, r12, r13, r14, r15;
};

struct task_struct {
	unsigned int flags;
	int pid, tgid;
	void *mm;
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

/* Code of programs and of the kernel cannot be read here; of the program's memory this can. */
#define CORE_USER_AT 0x7ff000ul
#define CORE_USER_SIZE 0x4000ul
#define TASK_SIZE (CORE_USER_AT + 0x100000)
#define TASK_SIZE_MAX TASK_SIZE
#define CPU_ENTRY_AREA_BASE 0xfffffe0000000000ul
#define PAGE_SIZE 4096ul
#define P4D_SIZE (1ul << 39)
extern u8 core_user[CORE_USER_SIZE];

#define copy_from_kernel_nofault(to, from, size) ((void)(to), 1)

static inline unsigned long copy_from_user_nmi(void *to, const void *from, unsigned long size)
{
	unsigned long at = (unsigned long)from - CORE_USER_AT;
	unsigned long n = at < CORE_USER_SIZE ? CORE_USER_SIZE - at : 0;

	n = n < size ? n : size;
	if (n)
		__builtin_memcpy(to, core_user + at, n);
	return size - n;
}

#define APIC_DM_NMI 0x400
#define APIC_LVT_MASKED 0x10000
#define MSR_LSTAR 0xc0000082
extern u32 core_lvtpc;
#define hw_read_lvtpc() core_lvtpc
#define hw_write_lvtpc(value) (core_lvtpc = (value))

#define X86_CR4_VMXE 0x2000
extern unsigned long core_cr4;
#define hw_cr4() core_cr4

/* --- timers: who plays the clock calls what is due --- */

typedef s64 ktime_t;
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_REL_PINNED_HARD };
/* As up to 7.1; nobody here asks for it. */
#define SUID_DUMP_USER 1
struct hrtimer {
	enum hrtimer_restart (*function)(struct hrtimer *timer);
	u64 at;				/* 0: it is off */
};

#define ns_to_ktime(ns) ((ktime_t)(ns))
#define ktime_add_ns(time, ns) ((time) + (ns))
#define ktime_get() ((ktime_t)core_ns)
#define hrtimer_init(timer, clock, mode) ((void)(clock), (void)(mode), (timer)->at = 0)
#define hrtimer_start(timer, ns, mode) ((timer)->at = core_ns + (ns))
#define hrtimer_set_expires(timer, time) ((timer)->at = (time))
#define hrtimer_try_to_cancel(timer) ((timer)->at = 0)

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
struct cpumask { unsigned long bits[1]; };
typedef struct cpumask cpumask_var_t[1];
#define cpumask_set_cpu(cpu, mask) ((mask)->bits[0] |= 1ul << (cpu))
#define cpumask_test_cpu(cpu, mask) ((mask)->bits[0] >> (cpu) & 1)
struct list_head { struct list_head *next, *prev; };
struct llist_node { struct llist_node *next; };
struct hlist_node { struct hlist_node *next, **pprev; };
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define core_entry(at, pos, member) \
	((__typeof__(pos))((char *)(at) - offsetof(__typeof__(*pos), member)))
#define list_for_each_entry(pos, head, member)				\
	for (pos = core_entry((head)->next, pos, member);		\
	     &pos->member != (head);					\
	     pos = core_entry(pos->member.next, pos, member))

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

struct irq_work { int unused; };
typedef struct { int unused; } call_single_data_t;

/* A namespace in which each number is 1000 more. */
struct pid_namespace;
#define ns_of_pid(pid) ((struct pid_namespace *)(pid))
#define task_tgid_nr_ns(task, ns) ((void)(ns), (task)->tgid + 1000)
#define task_pid_nr_ns(task, ns) ((void)(ns), (task)->pid + 1000)

#define atomic_read(a) ((a)->counter)
#define atomic_or(bits, a) ((a)->counter |= (bits))
#define cmpxchg(p, old, new) (*(p) == (old) ? (*(p) = (new), (old)) : *(p))
#define raw_read_seqcount(s) ((s)->sequence)
#define raw_write_seqcount_begin(s) ((s)->sequence++)
#define raw_write_seqcount_end(s) ((s)->sequence++)

#define DECLARE_STATIC_CALL(name, fn) extern __typeof__(fn) *name
#define static_call(name) name

#endif
