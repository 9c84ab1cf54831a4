/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that touches registers: MSRs, counters, CPUID, the local APIC.
 *
 * A unit test has its own register file behind the same names.
 */
#ifndef PMUCTL_MSR_H
#define PMUCTL_MSR_H

#include <linux/types.h>

#define PMUCTL_MSR_DS_AREA	0x600
#define PMUCTL_MSR_METRICS	0x329

/* Instructions of hw_run_branches() between its branches. */
#define HW_STRAIGHT		400

#ifdef __KERNEL__
#include <linux/smp.h>
#include <linux/stringify.h>
#include <asm/apic.h>
#include <asm/cpu_entry_area.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "kmod/base/compat.h"

/*
 * Of registers that the kernel's own driver reads as well, or that a probe has
 * found: of one that is not there the kernel would warn.
 */
static inline u64 hw_rdmsr(u32 msr)
{
	u64 value;

	rdmsrq(msr, value);
	return value;
}

/* False if there is no such register. */
static inline bool hw_rdmsr_safe(u32 msr, u64 *value)
{
	return !rdmsrq_safe(msr, value);
}

static inline void hw_wrmsr(u32 msr, u64 value)
{
	wrmsrq(msr, value);
}

/* False if there is no such register, or a bit of it that cannot be set. */
static inline bool hw_wrmsr_safe(u32 msr, u64 value)
{
	return !wrmsrq_safe(msr, value);
}

static inline u64 hw_rdpmc(u32 counter)
{
	return pmuctl_rdpmc(counter);
}

/* eax, ebx, ecx, edx; zeroes for a leaf that does not exist. */
static inline void hw_cpuid(u32 leaf, u32 regs[4])
{
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf <= cpuid_eax(0))
		cpuid(leaf, &regs[0], &regs[1], &regs[2], &regs[3]);
}

static inline void hw_cpuid_count(u32 leaf, u32 subleaf, u32 regs[4])
{
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf <= cpuid_eax(0))
		cpuid_count(leaf, subleaf, &regs[0], &regs[1], &regs[2],
			    &regs[3]);
}

/* Of this CPU; 0, or what a hypervisor makes of it, in a virtual machine. */
static inline u32 hw_microcode(void)
{
	return cpu_data(raw_smp_processor_id()).microcode;
}

/* Where Linux keeps this CPU's debug store. */
static inline u64 hw_linux_ds_area(void)
{
	unsigned int cpu = smp_processor_id();

	return (unsigned long)&get_cpu_entry_area(cpu)->cpu_debug_store;
}

/* The time-stamp counter, not before anything that was done until now. */
static inline u64 hw_tsc(void)
{
	return rdtsc_ordered();
}

/* Forgets this CPU's translations of an address. */
static inline void hw_invlpg(unsigned long address)
{
	asm volatile("invlpg (%0)" : : "r" (address) : "memory");
}

/* Through the pointer: 6.12 does not export what apic_write() needs. */
static inline u32 hw_read_lvtpc(void)
{
	return apic->read(APIC_LVTPC);
}

static inline void hw_write_lvtpc(u32 value)
{
	apic->write(APIC_LVTPC, value);
}

/* With the MSR as said meanwhile, then 0: a loop of two instructions. */
static inline void hw_run_loop(u32 msr, u64 value, u32 loops)
{
	hw_wrmsr(msr, value);
	asm volatile("1: dec %0\n\tjnz 1b" : "+r" (loops) : : "cc");
	hw_wrmsr(msr, 0);
}

/*
 * The same: a branch, so many instructions that are none, and a branch.  The
 * writes are among them, since the kernel's own function has branches.
 */
static inline void hw_run_branches(u32 msr, u64 value)
{
	u32 low = value, high = value >> 32;

	asm volatile("wrmsr\n\t"
		     "jmp 1f\n"
		     "1:\t.rept " __stringify(HW_STRAIGHT) "\n\t"
		     "nop\n\t"
		     ".endr\n\t"
		     "jmp 2f\n"
		     "2:\txor %%eax, %%eax\n\t"
		     "xor %%edx, %%edx\n\t"
		     "wrmsr"
		     : "+a" (low), "+d" (high) : "c" (msr) : "memory", "cc");
}

/* Not read_cr4 of the kernel, whose cached copy modules cannot have. */
static inline unsigned long hw_cr4(void)
{
	unsigned long value;

	asm volatile("mov %%cr4, %0" : "=r" (value));
	return value;
}
#else
u64 hw_rdmsr(u32 msr);
bool hw_rdmsr_safe(u32 msr, u64 *value);
void hw_wrmsr(u32 msr, u64 value);
bool hw_wrmsr_safe(u32 msr, u64 value);
u64 hw_rdpmc(u32 counter);
void hw_run_loop(u32 msr, u64 value, u32 loops);
void hw_run_branches(u32 msr, u64 value);
void hw_cpuid(u32 leaf, u32 regs[4]);
void hw_cpuid_count(u32 leaf, u32 subleaf, u32 regs[4]);
u64 hw_linux_ds_area(void);
u32 hw_microcode(void);
#endif

/* 0 where a hypervisor announces more than it has: reading that would warn. */
static inline u64 hw_rdmsr_if(u32 msr)
{
	u64 value;

	return hw_rdmsr_safe(msr, &value) ? value : 0;
}

#endif
