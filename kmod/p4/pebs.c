// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS of the Pentium 4: counter 16 records what the first thread of a core
 * retires, 17 what the second one does, each into the DS area of its thread.
 *
 * The manual's text and its table of registers disagree about PEBS_ENABLE.  By
 * the table, and Linux's names, bit 24 tags replays, 25 records my thread, 26
 * the other one.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/base/counters_text.h"
#include "kmod/p4/p4.h"
#include "kmod/pmu/pebs_records.h"

#define CPUID_1_ECX_DTES64	BIT(2)
#define MISC_PEBS_UNAVAIL	BIT_ULL(12)

#define PEBS_COUNTERS		(BIT_ULL(16) | BIT_ULL(17))

/* What an interrupt is for, or filters what the record would be of. */
#define CCCR_NOT_PEBS		(CCCR_COMPARE | CCCR_COMPLEMENT |	\
				 CCCR_THRESHOLD | CCCR_EDGE | CCCR_FORCE_OVF)

#define CONTENT_NOT_THERE						\
	(PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_LATENCY |			\
	 PMUCTL_CONTENT_DATA_SRC | PMUCTL_CONTENT_BRANCHES |		\
	 PMUCTL_CONTENT_BLOCK | PMUCTL_CONTENT_RETIRE)

/* --- facts --- */

static u32 format_of(const u32 leaf[4])
{
#ifdef CONFIG_X86_32
	if (!(leaf[2] & CPUID_1_ECX_DTES64))
		return PEBS_FORMAT_P4_NARROW;
#endif
	return PMUCTL_PEBS_FORMAT_P4;
}

void pmuctl_p4_pebs_probe(struct pmuctl_caps *caps, const u32 leaf[4])
{
	u64 value;

	caps->has_ds &= hw_rdmsr_safe(MSR_P4_DS_AREA, &value);
	caps->has_pebs = caps->has_ds &&
			 !(hw_rdmsr_if(MSR_P4_MISC_ENABLE) & MISC_PEBS_UNAVAIL);
	if (!caps->has_pebs)
		return;
	caps->pebs_format = format_of(leaf);
	caps->pebs_counters = PEBS_COUNTERS;
	if (caps->threads < 2)
		caps->pebs_counters &= BIT_ULL(16);
}

/* --- validation --- */

static int validate_filters(const struct pmuctl_event *event,
			    const struct pmuctl_why *why)
{
	if (event->cccr & CCCR_NOT_PEBS)
		return pmuctl_why(why, -EINVAL,
				  "CCCR 0x%llx: PEBS records nothing sensible with compare, complement, threshold, edge or FORCE_OVF (0x%llx): leave them out, or sample by interrupt",
				  event->cccr, event->cccr & CCCR_NOT_PEBS);
	if (event->evtsel & ESCR_RINGS)
		return pmuctl_why(why, -EINVAL,
				  "ESCR 0x%llx: each thread has records of its own events: leave [3:0] 0 and use the user and kernel flags",
				  event->evtsel);
	return 0;
}

static int validate_period(const struct pmuctl_event *event,
			   const struct pmuctl_why *why)
{
	if (event->freq || (event->period >= 2 && event->period <= P4_TOP))
		return 0;
	return pmuctl_why(why, -ERANGE,
			  "period %llu: with PEBS it is 2 to %llu on this processor, since an overflow readies the record of the next event",
			  event->period, P4_TOP);
}

/* Leaves those counters that can do it. */
static int validate_counters(struct pmuctl_event *event,
			     const struct pmuctl_why *why)
{
	u64 capable = pmuctl_caps.pebs_counters;
	struct pmuctl_text there, allowed;

	if (!(event->allowed & capable))
		return pmuctl_why(why, -EINVAL,
				  "event counters %s: PEBS is there on %s; sample it by interrupt",
				  pmuctl_counters_text(event->allowed,
						       &allowed),
				  pmuctl_counters_text(capable, &there));
	event->allowed &= pmuctl_caps.pebs_counters;
	return 0;
}

int pmuctl_p4_pebs_validate(struct pmuctl_event *event,
			    const struct pmuctl_p4_event *row,
			    const struct pmuctl_why *why)
{
	int err;

	if (event->content & CONTENT_NOT_THERE)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "content 0x%llx: this processor's records have registers only: no data addresses, latencies, sources, and no branches that this module reads",
				  event->content & CONTENT_NOT_THERE);
	if (!event->precise)
		return 0;
	if (!(row->flags & P4_PEBS))
		return pmuctl_why(why, -EOPNOTSUPP,
				  "event 0x%02x at select %u: PEBS records execution, front-end and replay events only; use interrupts (precision 0), or tag what you look for",
				  row->code, row->select);
	if (!pmuctl_caps.has_pebs)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "this processor has no PEBS, or a hypervisor hides it: sample by interrupt");
	err = validate_filters(event, why);
	if (!err)
		err = validate_period(event, why);
	return err ? err : validate_counters(event, why);
}

/* --- registers --- */

void pmuctl_p4_pebs_program(struct pmuctl_regs *regs,
			    struct pmuctl_p4_cpu *cpu,
			    const struct pmuctl_event *event)
{
	/* Without an area it would write wherever MSR_DS_AREA points. */
	if (event->pebs && regs->pebs_area)
		cpu->recording |= BIT(event->slot);
	else
		cpu->recording &= ~BIT(event->slot);
	regs->pebs = cpu->recording;
}

/* Bits of PEBS_ENABLE, as this thread sees them. */
u32 pmuctl_p4_pebs_bits(const struct pmuctl_p4_core *core, unsigned int thread)
{
	u32 bits = 0;

	if (core->recording & BIT(thread))
		bits |= P4_PEBS_MY_THREAD;
	if (core->recording & ~BIT(thread))
		bits |= P4_PEBS_OTHER_THREAD;
	return bits;
}

/*
 * Stopped between an overflow and its record, it has forgotten that there is
 * to be one: overflowing once more makes it one late, rather than a lap.
 */
void pmuctl_p4_pebs_start(struct pmuctl_p4_cpu *cpu, unsigned int slot)
{
	unsigned int counter = cpu->counter[slot];
	u64 at = hw_rdpmc(counter);

	if (likely(at & P4_TOP))
		return;
	cpu->offset[slot] = (cpu->offset[slot] + at + 1) & P4_MASK;
	pmuctl_p4_write_counter(counter, P4_MASK);
}
