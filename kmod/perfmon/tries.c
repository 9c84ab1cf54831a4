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

/* Between records, by the reset value; and the least records that tell. */
#define TRIED_PERIOD	100
#define TRIED_LOOPS	1000
#define TRIED_RECORDS	16

#define BRANCHES	0x00c4

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

static u32 records_here(const struct debug_store *area)
{
	u32 size = pmuctl_pebs_format(pmuctl_caps.pebs_format)->size ?:
		   pmuctl_pebs_adaptive_size(0);

	return (ds_index(area) - ds_base(area)) / size;
}

static void empty_area(const struct pmuctl_ds *ds)
{
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

/*
 * The same instructions by a counter with records and by one without: what the
 * first one lacks is one a record, or nothing.
 */
static bool try_recorded(const struct pmuctl_ds *ds)
{
	u64 start, other, lacks;
	u64 records;

	empty_area(ds);
	set_back_to(ds->area, 0, TRIED_PERIOD);
	start = count_here(0, INSTRUCTIONS, TRIED_PERIOD);
	other = count_here(1, INSTRUCTIONS, BIT(30));
	hw_wrmsr(MSR_PEBS_ENABLE, BIT_ULL(0));
	hw_run_loop(MSR_GLOBAL_CTRL, BIT_ULL(0) | BIT_ULL(1), TRIED_LOOPS);
	hw_wrmsr(MSR_PEBS_ENABLE, 0);
	records = records_here(ds->area);
	lacks = moved(1, other) - moved(0, start) - records * TRIED_PERIOD;
	return records >= TRIED_RECORDS && 2 * (s64)lacks < (s64)records;
}

/*
 * The first of these branches readies a counter that the second one records,
 * and far from both the other counter has a record.
 */
static bool try_ready(const struct pmuctl_ds *ds)
{
	struct pmuctl_pebs_record record = { };

	empty_area(ds);
	set_back_to(ds->area, 0, TRIED_LOOPS);
	set_back_to(ds->area, 1, TRIED_LOOPS);
	count_here(0, BRANCHES, 1);
	count_here(1, INSTRUCTIONS, HW_STRAIGHT / 2);
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
		ds_set_index(ds->area, ds_base(ds->area));
	pmuctl_backend->overflows(0);
}

void pmuctl_perfmon_pebs_try(struct pmuctl_regs *regs,
			     const struct pmuctl_ds *ds)
{
	if (!ds->area || pmuctl_caps.nr_gp < PMUCTL_TRIED_COUNTERS ||
	    !(pmuctl_caps.arch_events & ARCH_INSTRUCTIONS))
		return;
	pmuctl_tried.pebs_counts_recorded = try_recorded(ds);
	/* From format 3 on a record names the counters that it is of. */
	if (!pmuctl_pebs_format(pmuctl_caps.pebs_format)->says_counters &&
	    pmuctl_caps.pebs_counters & BIT_ULL(1))
		pmuctl_tried.pebs_names_ready = try_ready(ds);
	end_tries(regs, ds);
}

/* --- the interrupt --- */

void pmuctl_perfmon_pmi_try(struct pmuctl_regs *regs)
{
	if (!(pmuctl_caps.arch_events & ARCH_INSTRUCTIONS))
		return;
	count_here(0, INSTRUCTIONS | EVTSEL_INT, TRIED_PERIOD);
	hw_run_loop(MSR_GLOBAL_CTRL, BIT_ULL(0), TRIED_LOOPS);
	end_tries(regs, NULL);
	pmuctl_backend->rearm(0);
}
