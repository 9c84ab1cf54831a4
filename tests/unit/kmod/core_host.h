/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's core on one CPU, in user space: a backend whose registers the test writes,
 * a session of its own, and whatever the core asks of others.
 */
#ifndef CORE_HOST_H
#define CORE_HOST_H

#include "tests/unit/cmocka_all.h"

#include "kmod/sample/branches.h"
#include "kmod/cpu/along.h"
#include "kmod/cpu/cascade.h"
#include "kmod/hold/buffers.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/hold/guests.h"
#include "kmod/pmu/hot.h"
#include "kmod/pmu/kinds.h"
#include "kmod/cpu/metrics.h"
#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/twins.h"
#include "kmod/state/cpu.h"
#include "kmod/hold/pmi.h"
#include "kmod/cpu/timer.h"
#include "kmod/cpu/run.h"
#include "kmod/sample/sample.h"
#include "kmod/state/session.h"
#include "kmod/session/task.h"
#include "kmod/state/meter.h"
#include "kmod/state/slot.h"

#define WIDTH 48
#define MASK ((UINT64_C(1) << WIDTH) - 1)
#define START (UINT64_C(1) << (WIDTH - 1))
#define SLOTS 35
#define SLOTS_SLOT (PMUCTL_GP_MAX + 3)

/* --- the kernel and the rest of the module --- */

static struct task_struct task;
struct task_struct *current = &task;
u8 core_user[CORE_USER_SIZE];
u64 core_ns;
unsigned long core_jiffies;
u32 core_lvtpc;
core_nmi_handler core_nmi;
struct pmuctl_caps pmuctl_caps;
u32 pmuctl_kind_of_cpu;
u32 pmuctl_nr_kinds = 1;
struct pmuctl_kind pmuctl_kinds[PMUCTL_KINDS_MAX];
struct pmuctl_tried pmuctl_tried;

const struct pmuctl_caps *pmuctl_caps_here(void)
{
	return &pmuctl_caps;
}

struct pmuctl_twins *pmuctl_twins_here(void)
{
	fail_msg("there are no twins");
	return NULL;
}

static struct {
	u64 counter[PMUCTL_SLOTS];
	u64 fields, status;
	unsigned int reads_of_fields, clears, rearmed, resumed;
	bool disturbed;			/* somebody else wrote */
	u64 enabled[8];			/* what was written, in order; the last ones */
	unsigned int enables;
	unsigned int reads_of_lstar, drops;
	void (*during)(void);		/* while overflows are looked at */
} hw;

static struct pmuctl_ds ds;
static struct debug_store area;

#ifdef CORE_WHOLE
static void start_whole(void);
#else
#include "tests/unit/kmod/core_alone.h"
#endif

struct pmuctl_ds *pmuctl_ds_here(void)
{
	return &ds;
}

int pmuctl_why(const struct pmuctl_why *why, int err, const char *fmt, ...)
{
	return err;
}

int pmuctl_why_attr(const struct pmuctl_why *why, const struct nlattr *attr, int err,
		    const char *fmt, ...)
{
	return err;
}

/* None of these has anything to do here. */
void pmuctl_cascades_on(struct pmuctl_cpu *cpu, const struct pmuctl_session *session,
			const struct pmuctl_set *set, const struct pmuctl_phase *phase) { }
void pmuctl_cascade_overflow(struct pmuctl_cpu *cpu, unsigned int slot) { }
const char *pmuctl_guests_refusal(void) { return NULL; }
int pmuctl_guests_hold(const struct pmuctl_why *why) { return 0; }
void pmuctl_guests_release(void) { }
const char *pmuctl_buffers_refusal(void) { return NULL; }
int pmuctl_buffers_hold(const struct pmuctl_why *why) { return 0; }
void pmuctl_buffers_release(void) { }

/* --- the backend --- */

static void program(struct pmuctl_regs *regs, const struct pmuctl_event *event)
{
	unsigned int i;

	regs->lbr_of[event->slot] = event->lbr;
	for (i = 0, regs->lbr = 0; i < PMUCTL_SLOTS; i++)
		regs->lbr |= regs->lbr_of[i];
	regs->pebs = (regs->pebs & ~(1ull << event->counter)) | event->pebs;
}

static void enable(struct pmuctl_regs *regs, u64 counters)
{
	hw.enabled[hw.enables++ % ARRAY_SIZE(hw.enabled)] = counters;
	regs->enabled = counters;
	hw.disturbed = false;
}

static u64 read_counter(unsigned int slot)
{
	return hw.counter[slot];
}

static u64 arm(unsigned int slot, u64 left)
{
	return hw.counter[slot] = -left & MASK;
}

static u64 rearm(unsigned int slot)
{
	hw.rearmed++;
	return hw.counter[slot] = START;
}

static u64 overflows(u64 ran)
{
	u64 status = hw.status;

	hw.status = 0;
	if (hw.during)
		hw.during();
	return status;
}

static u64 mask(unsigned int slot)
{
	return MASK;
}

static u64 metrics(void)
{
	hw.reads_of_fields++;
	return hw.fields;
}

static void clear_metrics(void)
{
	hw.clears++;
	hw.counter[SLOTS_SLOT] = 0;
	hw.fields = 0;
}

static u32 disturbed(const struct pmuctl_regs *regs)
{
	return hw.disturbed ? 0x38f : 0;
}

/* Everything off, every counter at its start. */
static void reset(struct pmuctl_regs *regs)
{
	unsigned int i;

	memset(regs, 0, sizeof(*regs));
	for (i = 0; i < PMUCTL_SLOTS; i++)
		hw.counter[i] = START;
}

static void resume(struct pmuctl_regs *regs)
{
	regs->pebs_paused = false;
	hw.resumed++;
}

static const struct pmuctl_backend backend = {
	.name = "played", .rearm = rearm, .arm = arm, .mask = mask, .read = read_counter,
	.metrics = metrics, .clear_metrics = clear_metrics, .disturbed = disturbed,
	.pebs_resume = resume, .reset = reset,
};
const struct pmuctl_backend *pmuctl_backend = &backend;

__typeof__(pmuctl_no_program) *hw_program = program;
__typeof__(pmuctl_no_enable) *hw_enable = enable;
__typeof__(pmuctl_no_read) *hw_read = read_counter;
__typeof__(pmuctl_no_arm) *hw_arm = arm;
__typeof__(pmuctl_no_overflows) *hw_overflows = overflows;

/* --- a session --- */

#define FIELDS 4

static struct {
	struct pmuctl_session session;
	struct pmuctl_set set[4];
	struct pmuctl_event event[2 * (1 + FIELDS)];
	struct {
		struct pmuctl_counts counts;
		u64 cell[64];
	} on;
	struct pmuctl_run run;
} of;

static int start(void **state)
{
	memset(&hw, 0, sizeof(hw));
	memset(&of, 0, sizeof(of));
	memset(&area, 0, sizeof(area));
	memset(&ds, 0, sizeof(ds));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	memset(&pmuctl_tried, 0, sizeof(pmuctl_tried));
	pmuctl_backend = &backend;
	pmuctl_caps.counters = UINT64_C(0xf000f000000ff);
	pmuctl_caps.pebs_counters = 0xff;
	pmuctl_caps.pebs_format = 3;
#ifdef CORE_WHOLE
	start_whole();
#else
	start_alone();
#endif
	pmuctl_cpus->held = true;
	core_lvtpc = APIC_DM_NMI;
	of.session.event = of.event;
	of.session.set = of.set;
	of.session.counts = &of.on.counts;
	pmuctl_slots_init();
	hw.counter[SLOTS_SLOT] = START;
	return 0;
}

static void add_event(u32 set, u64 allowed, bool metric, unsigned int counter)
{
	of.event[of.session.nr_events] = (struct pmuctl_event){
		.session = &of.session, .set = set, .group = set, .flags = PMUCTL_EVENT_USER,
		.place = of.session.nr_events, .allowed = allowed, .metric = metric,
		.counter = counter,
		.slot = metric ? SLOTS_SLOT : pmuctl_slot(counter),
	};
	of.session.nr_events++;
}

static u64 *values(void)
{
	return pmuctl_values(&of.session, &of.on.counts);
}

/* Counts and samples on this slot, as if its set had come on. */
static inline void sampled(unsigned int slot, u64 period, u32 precise)
{
	struct pmuctl_slot *s = &pmuctl_cpus->slot[slot];

	of.session.ring_size = 1;
	of.session.nr_phases = 1;
	add_event(0, 1ull << slot, false, slot);
	of.event[0].sampled = true;
	of.event[0].period = period;
	of.event[0].precise = precise;
	of.event[0].flags = PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL;
	s->event = &of.event[0];
	s->value = values();
	s->phase = (struct pmuctl_phase){ .left = period, .period = period };
	s->last = arm(slot, period);
	pmuctl_cpus->regs.enabled = 1ull << slot;
}

#define TEST(name) cmocka_unit_test_setup(name, start)

#endif
