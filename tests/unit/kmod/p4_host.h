/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Pentium 4 backend as the module has it, compiled in user space, with the
 * box's model as its registers: a core of two threads, or of one.  Any access
 * that the model faults fails the test, as it would oops the kernel.
 */
#ifndef P4_HOST_H
#define P4_HOST_H

#include "tests/unit/model/p4_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The backend has its own names for the same bits. */
#undef CCCR_COMPARE
#undef CCCR_COMPLEMENT
#undef CCCR_THRESHOLD
#undef CCCR_EDGE
#undef CCCR_CASCADE
#undef CCCR_OVF
#undef CCCR_EXTENDED

#include "kmod/state/set.h"
#include "kmod/p4/p4.h"
#include "tests/unit/kmod/why_host.h"

struct pmuctl_caps pmuctl_caps;
struct pmuctl_tried pmuctl_tried;
const struct pmuctl_backend *pmuctl_backend = &pmuctl_p4;

static struct p4_core cpu;
static unsigned int me;			/* the thread that runs */
static struct pmuctl_p4_cpu threads[2];
static struct pmuctl_p4_core core;
static struct pmuctl_regs regs[2];
static unsigned int accesses;

static struct {
	uint32_t signature;
	unsigned int threads, cores;
	bool hidden, dead, stuck;
} fake;

/* --- the seam --- */

u64 hw_rdmsr(u32 msr)
{
	accesses++;
	if (msr == MSR_P4_MISC_ENABLE)
		return pmu_misc_enable(cpu.t[me].pmu);
	return host_rdmsr(&cpu.t[me], msr);
}

bool hw_rdmsr_safe(u32 msr, u64 *value)
{
	uint64_t ignored;
	bool exists = msr == MSR_P4_MISC_ENABLE ? !fake.hidden :
		      host_try_rdmsr(&cpu.t[me], msr, &ignored) == PMU_DONE;

	*value = exists ? hw_rdmsr(msr) : 0;
	return exists;
}

void hw_wrmsr(u32 msr, u64 value)
{
	accesses++;
	if (fake.dead || (fake.stuck && msr >= MSR_P4_CCCR && msr < MSR_P4_ESCR))
		return;
	host_wrmsr(&cpu.t[me], msr, value);
}

u64 hw_rdpmc(u32 counter)
{
	uint64_t value = 0;

	host_start(&cpu.t[me]);
	assert_int_equal(pmu_rdpmc(cpu.t[me].pmu, counter, &value), PMU_DONE);
	cpu.t[me].retired++;
	return value;
}

void hw_cpuid(u32 leaf, u32 out[4])
{
	memset(out, 0, 4 * sizeof(out[0]));
	if (leaf == 4 && fake.cores)
		out[0] = (fake.cores - 1) << 26;
	if (leaf != 1)
		return;
	out[0] = fake.signature;
	out[1] = me << 24 | fake.threads << 16;
	out[3] = 1u << 21 | (fake.threads > 1 ? 1u << 28 : 0);
}

u64 hw_linux_ds_area(void)
{
	return 0;
}

/* The tests say where events go, or ask pmuctl_p4_seat(). */
int pmuctl_p4_plan(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	(void)plan;
	(void)why;
	return 0;
}

struct pmuctl_p4_cpu *pmuctl_p4_cpu(void)
{
	return &threads[me];
}

struct pmuctl_p4_core *pmuctl_p4_core(u32 id)
{
	(void)id;
	return &core;
}

void pmuctl_p4_lock(struct pmuctl_p4_core *locked)
{
	(void)locked;
}

void pmuctl_p4_unlock(struct pmuctl_p4_core *locked)
{
	(void)locked;
}

/* --- what each test starts from --- */

static const struct pmuctl_backend *const p4 = &pmuctl_p4;

static inline int start(const char *profile, uint32_t signature, unsigned int n)
{
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	memset(&pmuctl_tried, 0, sizeof(pmuctl_tried));
	memset(threads, 0, sizeof(threads));
	memset(&core, 0, sizeof(core));
	said[0] = '\0';
	me = 0;
	fake.signature = signature;
	fake.threads = n;
	p4_core_new(&cpu, profile);
	return p4->probe(&pmuctl_caps);
}

static inline int prescott(void **state)
{
	(void)state;
	return start("p4", 0xf41, 2);
}

static inline int northwood(void **state)
{
	(void)state;
	return start("p4-northwood", 0xf27, 2);
}

static inline int no_threads(void **state)
{
	(void)state;
	return start("p4", 0xf41, 1);
}

static inline int stop(void **state)
{
	(void)state;
	p4_core_free(&cpu);
	return 0;
}

/* The kernel runs on that thread. */
static inline void on(unsigned int thread)
{
	if (me != thread)
		p4_turn(&cpu, thread);
	me = thread;
	host_ring(&cpu.t[me], PMU_KERNEL);
}

/* Its program does, for so many instructions. */
static inline void user_runs(unsigned int thread, unsigned int instructions)
{
	on(thread);
	host_ring(&cpu.t[me], PMU_USER);
	p4_run(&cpu.t[me], instructions);
	host_ring(&cpu.t[me], PMU_KERNEL);
}

/* Taken by all threads that there are. */
static inline void take(void)
{
	u64 saved[PMUCTL_SAVED_MAX];
	unsigned int t;

	for (t = 0; t < pmuctl_caps.threads; t++) {
		on(t);
		p4->save(saved);
		p4->reset(&regs[t]);
		assert_null(p4->pretends(&regs[t]));
	}
	on(0);
}

static inline void give_back(void)
{
	unsigned int t;

	for (t = 0; t < pmuctl_caps.threads; t++) {
		on(t);
		p4->restore(NULL, true);
	}
}

/* --- events --- */

#define UK (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)
#define GROUP_BPU 0xfu
#define GROUP_MS 0xf0u
#define GROUP_FLAME 0xf00u
#define GROUP_IQ 0x3f000u

static inline struct pmuctl_event event_of(unsigned int group, unsigned int select,
					   unsigned int code, unsigned int mask, uint32_t flags)
{
	return (struct pmuctl_event) {
		.evtsel = ESCR_OF(code, mask, 0), .cccr = CCCR_SEL(select),
		.allowed = group & pmuctl_caps.counters, .flags = flags,
	};
}

#define INSTRUCTIONS(flags) event_of(GROUP_IQ, 4, 2, 3, flags)
#define CYCLES(flags) event_of(GROUP_BPU, 6, 0x13, 1, flags)
#define UOPS(flags) event_of(GROUP_IQ, 4, 1, 1, flags)
#define BRANCHES(flags) event_of(GROUP_IQ, 5, 6, 0xf, flags)

static const struct pmuctl_p4_taken nobody;

static inline struct pmuctl_event with(struct pmuctl_event event, uint64_t escr, uint64_t cccr)
{
	event.evtsel |= escr;
	event.cccr |= cccr;
	return event;
}

/* Validated and seated as one set: -1, or the one without a seat. */
static inline int seat(struct pmuctl_event *event, unsigned int n,
		       const struct pmuctl_p4_taken *taken, enum pmuctl_p4_sharing *sharing)
{
	struct pmuctl_set set = { .first = 0, .nr = n };
	unsigned int i, t = pmuctl_caps.threads > 1 ? 3 : 1;
	struct pmuctl_reg reg[2];
	int failed;

	for (i = 0; i < n; i++)
		assert_int_equal(p4->validate(&event[i], NULL), 0);
	failed = pmuctl_p4_seat(event, &set, 1, false, t, taken, sharing);
	for (i = 0; failed < 0 && i < n; i++) {
		event[i].counter = event[i].seat[0].counter;
		p4->encode(&event[i], reg);
	}
	return failed;
}

static inline u64 slots_of(const struct pmuctl_event *event, unsigned int n)
{
	u64 slots = 0;

	while (n--)
		slots |= BIT_ULL(event[n].counter);
	return slots;
}

/* On the thread that runs. */
static inline void events_on(const struct pmuctl_event *event, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		p4->program(&regs[me], &event[i]);
	p4->enable(&regs[me], regs[me].enabled | slots_of(event, n));
}

static inline void events_off(const struct pmuctl_event *event, unsigned int n)
{
	p4->enable(&regs[me], regs[me].enabled & ~slots_of(event, n));
}

/* What a slot counts over a run of the thread's program. */
static inline u64 counted_since(const struct pmuctl_event *event, u64 from)
{
	return (p4->read(event->slot) - from) & p4->mask(event->slot);
}

#define ON(test, profile) { #test ", " #profile, test, profile, stop, NULL }
#define ON_EACH(test) ON(test, prescott), ON(test, northwood), ON(test, no_threads)

#endif
