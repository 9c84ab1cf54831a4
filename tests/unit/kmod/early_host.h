/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A backend from before architectural perfmon, compiled in user space, with the box's PMU model as
 * its registers; which, the test says.  Any access that the model faults fails the test.
 */
#ifndef EARLY_HOST_H
#define EARLY_HOST_H

#include "tests/unit/model/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kmod/pmu/pmu.h"
#include "kmod/pmu/msr.h"
#include "tests/unit/kmod/why_host.h"

struct pmuctl_caps pmuctl_caps;
struct pmuctl_tried pmuctl_tried;

static struct pmuctl_regs regs;
static struct host cpu;
static unsigned int writes;

static struct {
	u32 signature;
	u32 version;			/* of leaf 0AH */
	bool hidden, dead, stuck;
} fake;

/* --- the processor --- */

/* Its program runs, or the kernel; a branch is an instruction as well. */
static void run(enum pmu_class ring, u64 instructions)
{
	host_ring(&cpu, ring);
	host_run(&cpu, instructions);
	host_ring(&cpu, PMU_KERNEL);
}

static void branch(u64 branches)
{
	host_ring(&cpu, PMU_USER);
	while (branches--)
		host_branch(&cpu, 0x1000, true, 0x1000);
	host_ring(&cpu, PMU_KERNEL);
}

/* As somebody else would, without an instruction here. */
static void poke(u32 msr, u64 value)
{
	host_boundary(&cpu);
	assert_int_equal(pmu_wrmsr(cpu.pmu, msr, value), PMU_DONE);
}

u64 hw_rdmsr(u32 msr)
{
	u64 value = host_rdmsr(&cpu, msr);

	return fake.dead ? 0 : value;
}

bool hw_rdmsr_safe(u32 msr, u64 *value)
{
	*value = fake.hidden ? 0 : hw_rdmsr(msr);
	return !fake.hidden;
}

/* --- a test --- */

static int stop(void **state)
{
	(void)state;
	host_free(&cpu);
	return 0;
}

/* What the kernel tells of it is a register of that kind. */
static struct pmuctl_event event_of(u16 reg_kind, unsigned int counter, u64 evtsel, u32 flags)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = 1u << counter, .flags = flags, .counter = counter,
	};
	struct pmuctl_reg reg;

	assert_int_equal(pmuctl_backend->validate(&event, NULL), 0);
	pmuctl_backend->encode(&event, &reg);
	assert_int_equal(reg.reg, reg_kind);
	assert_int_equal(reg.index, counter);
	assert_true(reg.value == event.config);
	return event;
}

static u64 seen(unsigned int slot, u64 start)
{
	return (pmuctl_backend->read(slot) - start) & pmuctl_backend->mask(slot);
}

#endif
