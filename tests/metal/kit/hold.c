// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU of one CPU: taken from the kernel, programmed, and given back bit for bit.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/version.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
/* 6.16: cpuid() and cpuid_eax() have a header of their own. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#endif

#include "kit.h"

#define FULL_WIDTH		BIT_ULL(13)
#define PEBS_FORMAT(caps)	((caps) >> 8 & 15)
#define PEBS_UNAVAILABLE	BIT_ULL(12)
#define PDCM			BIT(15)

struct kit_cpu kit_cpu;

/* In the order in which they are put back: what starts counters comes last. */
static const u32 perfmon_msrs[] = {
	MSR_ARCH_PERFMON_EVENTSEL0, MSR_ARCH_PERFMON_EVENTSEL1, MSR_CORE_PERF_FIXED_CTR_CTRL,
	MSR_IA32_DS_AREA, MSR_PEBS_DATA_CFG, MSR_CORE_PERF_FIXED_CTR0,
	MSR_ARCH_PERFMON_PERFCTR0, MSR_ARCH_PERFMON_PERFCTR1,
	MSR_IA32_PEBS_ENABLE, MSR_IA32_DEBUGCTLMSR, MSR_CORE_PERF_GLOBAL_CTRL,
};

static const u32 p4_msrs[] = { P4_ESCR, P4_COUNTER, P4_CCCR };

#define MOST_MSRS	ARRAY_SIZE(perfmon_msrs)

static struct {
	unsigned long flags;
	u32 lvtpc;
	u64 value[MOST_MSRS];
	bool is_there[MOST_MSRS];
} found;

static bool read_msr(u32 msr, u64 *value)
{
	u32 low, high;

	if (rdmsr_safe(msr, &low, &high))
		return false;
	*value = (u64)high << 32 | low;
	return true;
}

u64 kit_rdmsr(u32 msr)
{
	u64 value = 0;

	read_msr(msr, &value);
	return value;
}

bool kit_wrmsr(u32 msr, u64 value)
{
	return !wrmsr_safe(msr, (u32)value, (u32)(value >> 32));
}

/* Through the pointer: not every kernel exports what apic_write() needs. */
void kit_lvtpc(u32 value)
{
	apic->write(APIC_LVTPC, value);
}

u32 kit_read_lvtpc(void)
{
	return apic->read(APIC_LVTPC);
}

/* --- what there is --- */

void kit_look(void)
{
	u32 eax, ebx, ecx, edx;
	u64 caps;

	cpuid(1, &eax, &ebx, &ecx, &edx);
	kit_cpu.p4 = boot_cpu_data.x86 == 15;
	caps = ecx & PDCM ? kit_rdmsr(MSR_IA32_PERF_CAPABILITIES) : 0;
	if (cpuid_eax(0) >= 10) {
		cpuid(10, &eax, &ebx, &ecx, &edx);
		kit_cpu.version = eax & 0xff;
		kit_cpu.counters = eax >> 8 & 0xff;
		kit_cpu.mask = GENMASK_ULL((eax >> 16 & 0xff ?: 40) - 1, 0);
	}
	kit_cpu.wide = caps & FULL_WIDTH;
	kit_cpu.pebs_format = PEBS_FORMAT(caps);
	kit_cpu.pebs = kit_cpu.version >= 2 && boot_cpu_has(X86_FEATURE_DTES64) &&
		       !(kit_rdmsr(MSR_IA32_MISC_ENABLE) & PEBS_UNAVAILABLE);
}

/* --- from the kernel, and back --- */

static unsigned int nr_msrs(void)
{
	return kit_cpu.p4 ? ARRAY_SIZE(p4_msrs) : ARRAY_SIZE(perfmon_msrs);
}

static u32 msr_at(unsigned int i)
{
	return kit_cpu.p4 ? p4_msrs[i] : perfmon_msrs[i];
}

static u32 counter_msr(unsigned int i)
{
	return kit_cpu.p4 ? P4_COUNTER + i : MSR_ARCH_PERFMON_PERFCTR0 + i;
}

static u32 select_msr(unsigned int i)
{
	return kit_cpu.p4 ? P4_ESCR + i : MSR_ARCH_PERFMON_EVENTSEL0 + i;
}

static unsigned int nr_reserved(void)
{
	return kit_cpu.p4 ? 1 : 2;
}

static void release_below(unsigned int i)
{
	while (i--) {
		release_evntsel_nmi(select_msr(i));
		release_perfctr_nmi(counter_msr(i));
	}
}

/* perf and the NMI watchdog reserve all before they use one. */
int kit_reserve(void)
{
	unsigned int i;

	for (i = 0; i < nr_reserved(); i++) {
		if (!reserve_perfctr_nmi(counter_msr(i)))
			break;
		if (reserve_evntsel_nmi(select_msr(i)))
			continue;
		release_perfctr_nmi(counter_msr(i));
		break;
	}
	if (i == nr_reserved())
		return 0;
	release_below(i);
	return -EBUSY;
}

void kit_release(void)
{
	release_below(nr_reserved());
}

static void stop_all(void)
{
	if (kit_cpu.p4) {
		kit_wrmsr(P4_CCCR, 3 << 16);
		return;
	}
	kit_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	if (kit_cpu.pebs)
		kit_wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	kit_wrmsr(MSR_CORE_PERF_FIXED_CTR_CTRL, 0);
}

void kit_take(void)
{
	unsigned int i;

	local_irq_save(found.flags);
	found.lvtpc = kit_read_lvtpc();
	for (i = 0; i < nr_msrs(); i++)
		found.is_there[i] = read_msr(msr_at(i), &found.value[i]);
	kit_lvtpc(APIC_DM_NMI | APIC_LVT_MASKED);
	stop_all();
	if (!kit_cpu.p4)
		kit_clear_status();
}

/* The old address of a counter takes 32 bits and extends the sign. */
static u32 written_at(u32 msr)
{
	bool counter = msr - MSR_ARCH_PERFMON_PERFCTR0 < 2;

	return counter && kit_cpu.wide ? msr - MSR_ARCH_PERFMON_PERFCTR0 + MSR_IA32_PMC0 : msr;
}

void kit_give_back(void)
{
	unsigned int i;

	stop_all();
	if (!kit_cpu.p4)
		kit_clear_status();
	for (i = 0; i < nr_msrs(); i++)
		if (found.is_there[i])
			kit_wrmsr(written_at(msr_at(i)), found.value[i]);
	kit_lvtpc(found.lvtpc);
	local_irq_restore(found.flags);
}

/* --- counting --- */

void kit_program(unsigned int counter, u64 code, u64 extra, u64 events)
{
	kit_wrmsr(MSR_ARCH_PERFMON_EVENTSEL0 + counter,
		  code | ARCH_PERFMON_EVENTSEL_OS | ARCH_PERFMON_EVENTSEL_ENABLE | extra);
	/* As all counters and addresses take it; negative where events is not too large. */
	kit_wrmsr(MSR_ARCH_PERFMON_PERFCTR0 + counter, (u32)-events);
}

u64 kit_counted(unsigned int counter)
{
	return kit_rdmsr(MSR_ARCH_PERFMON_PERFCTR0 + counter) & kit_cpu.mask;
}

void kit_loop(u32 msr, u64 on, u64 off, u32 rounds)
{
	u32 low = on, high = on >> 32;

	asm volatile("wrmsr\n"
		     "1:\tdec %[rounds]\n\t"
		     "jnz 1b\n\t"
		     "mov %[off_low], %%eax\n\t"
		     "mov %[off_high], %%edx\n\t"
		     "wrmsr"
		     : "+a" (low), "+d" (high), [rounds] "+r" (rounds)
		     : "c" (msr), [off_low] "r" ((u32)off), [off_high] "r" ((u32)(off >> 32))
		     : "cc", "memory");
}

void kit_one_branch(u64 on)
{
	u32 low = on, high = on >> 32;

	asm volatile("wrmsr\n\t"
		     "jmp 1f\n"
		     "1:\t.rept 400\n\t"
		     "nop\n\t"
		     ".endr\n\t"
		     "xor %%eax, %%eax\n\t"
		     "xor %%edx, %%edx\n\t"
		     "wrmsr"
		     : "+a" (low), "+d" (high)
		     : "c" (MSR_CORE_PERF_GLOBAL_CTRL)
		     : "cc", "memory");
}

/* One by one where a bit is reserved in the register that clears. */
static void clear_bits(u64 status)
{
	unsigned int bit;

	if (kit_wrmsr(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status))
		return;
	for (bit = 0; bit < 64; bit++)
		if (status & BIT_ULL(bit))
			kit_wrmsr(MSR_CORE_PERF_GLOBAL_OVF_CTRL, BIT_ULL(bit));
}

/* Some may come by the reading of others. */
u64 kit_clear_status(void)
{
	u64 status = 0;
	int i;

	for (i = 0; i < 4; i++) {
		status = kit_rdmsr(MSR_CORE_PERF_GLOBAL_STATUS);
		if (!status)
			break;
		clear_bits(status);
	}
	return status;
}
