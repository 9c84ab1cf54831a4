// SPDX-License-Identifier: GPL-2.0-only
/*
 * What manuals leave open and the processor can be asked: it is made to do so,
 * in code whose events are known.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/pebs_records.h"

/* --- PEBS --- */

/* Between PMIs; loops; and the least records that tell. */
#define TRIED_PERIOD	100
#define TRIED_LOOPS	1000
#define TRIED_RECORDS	16

#define BRANCHES	0x00c4

/*
 * What is recorded of a loop, how many of it by the reset value, and what of
 * code without branches: instructions, and where these make no records the
 * branch of each loop, and uops.  Intel's lists do not have 00C0 with PEBS from
 * Sandy Bridge to Broadwell.
 */
static const struct tried_events {
	u64 loop;
	u32 period;
	u64 straight;
} tried_events[] = {
	{ INSTRUCTIONS, 100, INSTRUCTIONS },
	/* BR_INST_RETIRED.CONDITIONAL, UOPS_RETIRED.ALL */
	{ 0x01c4, 25, 0x01c2 },
};

/* Up to an overflow; returns where it starts. */
static u64 count_here(unsigned int counter, u64 code, u64 events)
{
	pmuctl_events_before(BIT_ULL(counter));
	hw_wrmsr(MSR_EVTSEL + counter, code | EVTSEL_OS | EVTSEL_EN);
	return pmuctl_backend->arm(counter, events);
}

static u64 moved(unsigned int counter, u64 since)
{
	return (hw_rdpmc(counter) - since) & pmuctl_backend->mask(counter);
}

/* With the one group that all have. */
static u32 records_here(const struct pmuctl_ds *ds)
{
	const struct pmuctl_pebs_format *format =
		pmuctl_pebs_format(pmuctl_caps.pebs_format);

	if (pmuctl_pebs_is_architectural())
		return pmuctl_index.look(ds).bytes / format->least;
	return (u32)(ds_index(ds->area) - ds_base(ds->area)) /
	       (format->size ?: pmuctl_pebs_adaptive_size(0));
}

static void empty_area(const struct pmuctl_ds *ds)
{
	if (pmuctl_pebs_is_architectural()) {
		pmuctl_index.empty(ds);
		return;
	}
	ds_set_index(ds->area, ds_base(ds->area));
	/* Nothing is as full as to interrupt. */
	ds_set_limits(ds->area, ds_base(ds->area) + ds->size,
		      ds_base(ds->area) + ds->size);
}

static void set_back_to(struct debug_store *area, unsigned int counter,
			u64 events)
{
	const struct pmuctl_pebs_format *format =
		pmuctl_pebs_format(pmuctl_caps.pebs_format);

	ds_set_reset(area, format->one_reset ? 0 : counter,
		     -events & pmuctl_backend->mask(counter));
}

/* Counter 0, every period events. */
static void record_first(const struct pmuctl_ds *ds, u32 period)
{
	if (pmuctl_pebs_is_architectural()) {
		pmuctl_index_try(0, period);
		return;
	}
	set_back_to(ds->area, 0, period);
	hw_wrmsr(MSR_PEBS_ENABLE, BIT_ULL(0));
}

static void record_none(void)
{
	if (pmuctl_pebs_is_architectural())
		pmuctl_index_try(0, 0);
	else
		hw_wrmsr(MSR_PEBS_ENABLE, 0);
}

/*
 * The same code by a counter with records and by one without: what the first
 * one lacks is one a record, or nothing.  Returns how many records it had.
 */
static u64 count_both(const struct pmuctl_ds *ds, u64 code, u32 period,
		      u64 *lacks)
{
	u64 start, other;
	u64 records;

	empty_area(ds);
	start = count_here(0, code, period);
	other = count_here(1, code, BIT(30));
	record_first(ds, period);
	hw_run_loop(MSR_GLOBAL_CTRL, BIT_ULL(0) | BIT_ULL(1), TRIED_LOOPS);
	record_none();
	records = records_here(ds);
	*lacks = moved(1, other) - moved(0, start) - records * period;
	return records;
}

/* Returns those that make records; NULL: none does, and nothing was told. */
static const struct tried_events *try_recorded(const struct pmuctl_ds *ds)
{
	const struct tried_events *e = tried_events;
	u64 records, lacks;

	for (; e < tried_events + ARRAY_SIZE(tried_events); e++) {
		records = count_both(ds, e->loop, e->period, &lacks);
		if (records < TRIED_RECORDS)
			continue;
		pmuctl_tried.pebs_counts_recorded =
			2 * (s64)lacks < (s64)records;
		return e;
	}
	return NULL;
}

/*
 * The first of these branches readies a counter that the second one records,
 * and far from both the other counter has a record.
 */
static bool try_ready(const struct pmuctl_ds *ds, u64 straight)
{
	struct pmuctl_pebs_record record = { };

	empty_area(ds);
	set_back_to(ds->area, 0, TRIED_LOOPS);
	set_back_to(ds->area, 1, TRIED_LOOPS);
	count_here(0, BRANCHES, 1);
	count_here(1, straight, HW_STRAIGHT / 2);
	hw_wrmsr(MSR_PEBS_ENABLE, BIT_ULL(0) | BIT_ULL(1));
	hw_run_branches(MSR_GLOBAL_CTRL, BIT_ULL(0) | BIT_ULL(1));
	hw_wrmsr(MSR_PEBS_ENABLE, 0);
	if (!pmuctl_pebs_decode(pmuctl_caps.pebs_format, ds->records,
				ds_index(ds->area) - ds_base(ds->area),
				&record))
		return false;
	return (record.counters & 3) == 3;
}

static void end_tries(struct pmuctl_regs *regs, const struct pmuctl_ds *ds)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_TRIED_COUNTERS; i++)
		hw_wrmsr(MSR_EVTSEL + i, regs->evtsel[i]);
	if (ds)
		empty_area(ds);
	pmuctl_backend->overflows(0);
}

void pmuctl_perfmon_pebs_try(struct pmuctl_regs *regs,
			     const struct pmuctl_ds *ds)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	const struct tried_events *events;

	if (!ds->records || caps->nr_gp < PMUCTL_TRIED_COUNTERS ||
	    !(caps->arch_events & ARCH_INSTRUCTIONS))
		return;
	events = try_recorded(ds);
	pmuctl_tried.pebs_silent = !events;
	/* From format 3 on a record names the counters that it is of. */
	if (!pmuctl_pebs_format(pmuctl_caps.pebs_format)->says_counters &&
	    caps->pebs_counters & BIT_ULL(1) && events)
		pmuctl_tried.pebs_names_ready = try_ready(ds, events->straight);
	end_tries(regs, ds);
}

/* --- the interrupt --- */

void pmuctl_perfmon_pmi_try(struct pmuctl_regs *regs)
{
	if (!(pmuctl_caps_here()->arch_events & ARCH_INSTRUCTIONS))
		return;
	count_here(0, INSTRUCTIONS | EVTSEL_INT, TRIED_PERIOD);
	hw_run_loop(MSR_GLOBAL_CTRL, BIT_ULL(0), TRIED_LOOPS);
	end_tries(regs, NULL);
	pmuctl_backend->rearm(0);
}
