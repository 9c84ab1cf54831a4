// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS of an architectural PMU: which events it can record, and the registers
 * that make it do so.  What becomes of the records is in sample/pebs_drain.c.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/base/counters_text.h"
#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/twins.h"

/* The event with a latency to exceed; with version 5 it needs no bit. */
#define LATENCY_SHIFT		32
#define VERSION_NO_LATENCY_BITS	5
#define PRECISE_STORE		BIT_ULL(63)
#define PRECISE_STORE_COUNTER	3

/* All cycles: those in which fewer than so many instructions retire. */
#define CYCLES_CMASK		16
#define CYCLES_CORE		0x00c0
#define CYCLES_SANDYBRIDGE	0x01c2

#define MISC_PEBS_UNAVAIL	BIT_ULL(12)

#define MEMORY_CONTENT							\
	(PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_LATENCY |			\
	 PMUCTL_CONTENT_DATA_SRC)

static bool perfmon_adaptive(void)
{
	return pmuctl_caps.pebs_format >= PEBS_ADAPTIVE;
}

/* What others left of both is not what regs say of them from here on. */
void pmuctl_pebs_reset(void)
{
	if (pmuctl_pebs_is_architectural()) {
		pmuctl_index_reset();
		return;
	}
	hw_wrmsr(MSR_PEBS_ENABLE, 0);
	if (perfmon_adaptive())
		hw_wrmsr(MSR_PEBS_GROUPS, 0);
}

/* --- facts --- */

static u32 format_of(const struct pmuctl_caps *caps)
{
	return (caps->capabilities & CAP_PEBS_FORMAT) >> CAP_PEBS_FORMAT_SHIFT;
}

bool pmuctl_pebs_exists(const struct pmuctl_caps *caps)
{
	u64 value;

	if (format_of(caps) == PEBS_ARCHITECTURAL)
		return pmuctl_index_exists();
	return caps->has_ds && hw_rdmsr_safe(MSR_PEBS_ENABLE, &value) &&
	       !(hw_rdmsr_if(MSR_MISC_ENABLE) & MISC_PEBS_UNAVAIL);
}

/* Of records in a debug store area. */
static void probe_area(struct pmuctl_caps *caps, u32 format)
{
	u64 value;

	if (format >= PEBS_ADAPTIVE && !hw_rdmsr_safe(MSR_PEBS_GROUPS, &value))
		caps->has_pebs = false;
	caps->has_retire = format >= PEBS_ADAPTIVE &&
			   caps->capabilities & CAP_TIMED_PEBS;
	/* Nothing says that those of classes record, as leaf 23H does later. */
	caps->pebs_counters = caps->counters & ~PMUCTL_METRICS &
			      ~((u64)caps->model->fixed_classes <<
				PMUCTL_FIXED_BASE);
	if (format < PEBS_ADAPTIVE)
		caps->pebs_counters &= GENMASK_ULL(3, 0);
	if (!format || caps->model->pebs_first_only)
		caps->pebs_counters &= BIT_ULL(0);
	caps->pebs_groups = PEBS_CFG_MEMORY | PEBS_CFG_GPR | PEBS_CFG_LBR;
	if (format >= PEBS_WITH_COUNTERS)
		caps->pebs_groups |= PEBS_CFG_COUNTERS;
	/* What a write into a counter can say. */
	caps->pebs_most = caps->capabilities & CAP_FULL_WIDTH ?
			  BIT_ULL(caps->gp_width - 1) : BIT_ULL(31) - 1;
}

void pmuctl_pebs_probe(struct pmuctl_caps *caps)
{
	u32 format = format_of(caps);

	if (!pmuctl_pebs_format(format) || !caps->model)
		caps->has_pebs = false;
	if (!caps->has_pebs)
		return;
	caps->pebs_format = format;
	if (format == PEBS_ARCHITECTURAL)
		pmuctl_index_probe(caps);
	else
		probe_area(caps, format);
}

unsigned int pmuctl_pebs_msrs(u32 *msrs)
{
	unsigned int n = 0;

	if (!pmuctl_caps.has_pebs)
		return 0;
	if (pmuctl_pebs_is_architectural())
		return pmuctl_index_msrs(msrs);
	msrs[n++] = MSR_PEBS_ENABLE;
	if (perfmon_adaptive())
		msrs[n++] = MSR_PEBS_GROUPS;
	return n;
}

/* --- validation --- */

static bool is_precise_store(const struct pmuctl_event *event)
{
	const struct pmuctl_model *model = pmuctl_caps_of(event)->model;

	return model && model->precise_store &&
	       (event->evtsel & EVTSEL_CODE) == model->precise_store;
}

static bool has_latency(const struct pmuctl_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nr_extra; i++)
		if (event->extra[i].reg == PMUCTL_REG_LD_LAT)
			return true;
	return false;
}

/* The one use of INV and CMASK that Linux makes with PEBS, and so may we. */
static bool counts_all_cycles(u64 evtsel)
{
	u64 code = evtsel & EVTSEL_CODE;

	return evtsel & EVTSEL_INV &&
	       !(evtsel & (EVTSEL_ANY | EVTSEL_EDGE)) &&
	       (evtsel & EVTSEL_CMASK) >> EVTSEL_CMASK_SHIFT == CYCLES_CMASK &&
	       (code == CYCLES_CORE || code == CYCLES_SANDYBRIDGE);
}

static int validate_modifiers(const struct pmuctl_event *event,
			      const struct pmuctl_why *why)
{
	u64 bits = event->evtsel & (EVTSEL_ANY | EVTSEL_EDGE | EVTSEL_INV |
				    EVTSEL_CMASK);

	if (!bits || counts_all_cycles(event->evtsel))
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "event select 0x%llx: PEBS records nothing sensible with any, edge, inv or cmask (0x%llx): leave them out, or sample by interrupt",
			  event->evtsel, bits);
}

static int validate_capable(const struct pmuctl_event *event,
			    const struct pmuctl_why *why)
{
	const struct pmuctl_model *model = pmuctl_caps_of(event)->model;
	u64 code = event->evtsel & EVTSEL_CODE;
	unsigned int i;

	if (!model->pebs)
		return 0;
	for (i = 0; i < model->nr_pebs; i++)
		if (((code ^ model->pebs[i].event) & model->pebs[i].mask) == 0)
			return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "event 0x%04llx cannot be recorded by PEBS on this processor: sample it by interrupt",
			  code);
}

static int validate_content(const struct pmuctl_event *event,
			    const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);

	if (event->content & MEMORY_CONTENT &&
	    !(pmuctl_pebs_format(caps->pebs_format)->has_memory &&
	      caps->pebs_groups & PEBS_CFG_MEMORY))
		return pmuctl_why(why, -EOPNOTSUPP,
				  "content 0x%llx: this processor's PEBS records have neither data addresses nor latencies nor sources; ask for registers",
				  event->content & MEMORY_CONTENT);
	if (event->content & PMUCTL_CONTENT_RETIRE && !caps->has_retire)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "content 0x%x: this processor's PEBS records have no retire latency (IA32_PERF_CAPABILITIES bit 17); leave it out",
				  PMUCTL_CONTENT_RETIRE);
	return 0;
}

static int validate_period(const struct pmuctl_event *event,
			   const struct pmuctl_why *why)
{
	u64 most = pmuctl_caps_of(event)->pebs_most;

	if (event->freq || (event->period >= 2 && event->period <= most))
		return 0;
	return pmuctl_why(why, -ERANGE,
			  "period %llu: with PEBS it is 2 to %llu on this processor, since an overflow readies the record of the next event, and the hardware sets the counter back by itself",
			  event->period, most);
}

/* Leaves those counters that can do it. */
static int validate_counters(struct pmuctl_event *event,
			     const struct pmuctl_why *why)
{
	u64 capable = pmuctl_caps_of(event)->pebs_counters;
	struct pmuctl_text there, allowed;

	if (is_precise_store(event))
		capable &= BIT_ULL(PRECISE_STORE_COUNTER);
	/* Linux knows cores of this kind whose fixed counter 0 has none. */
	if (event->content & PMUCTL_CONTENT_RETIRE)
		capable &= BIT_ULL(PMUCTL_FIXED_BASE) - 1;
	if (!(event->allowed & capable))
		return pmuctl_why(why, -EINVAL,
				  "event 0x%04llx: PEBS is there on %s, and it may use %s only; sample it by interrupt",
				  event->evtsel & EVTSEL_CODE,
				  pmuctl_counters_text(capable, &there),
				  pmuctl_counters_text(event->allowed,
						       &allowed));
	event->allowed &= capable;
	return 0;
}

static int validate_lbr(const struct pmuctl_event *event,
			const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);

	if (event->content & PMUCTL_CONTENT_BRANCHES && !caps->lbr_depth)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "content 0x%x: this processor has no last branch records that this module can read; sample call chains",
				  PMUCTL_CONTENT_BRANCHES);
	if (!(event->content & PMUCTL_CONTENT_CALLS))
		return 0;
	if (!caps->has_lbr_calls)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "content 0x%x: the last branch records of this processor are no stack of calls (Haswell and later); sample call chains by frame pointers",
				  PMUCTL_CONTENT_CALLS);
	if (!(event->flags & PMUCTL_EVENT_USER))
		return pmuctl_why(why, -EINVAL,
				  "content 0x%x: calls are recorded in user mode, where the event does not count",
				  PMUCTL_CONTENT_CALLS);
	return 0;
}

static int no_pebs(const struct pmuctl_caps *caps, const struct pmuctl_why *why)
{
	if (!caps->model)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "this module does not know what PEBS records on this processor (CPUID signature 0x%x): sample by interrupt",
				  caps->signature);
	return pmuctl_why(why, -EOPNOTSUPP, "%s", caps->pebs_refusal ?:
			  "this processor has no PEBS, or a hypervisor hides it: sample by interrupt");
}

int pmuctl_pebs_validate(struct pmuctl_event *event,
			 const struct pmuctl_why *why)
{
	int err = validate_lbr(event, why);

	if (err || !event->precise)
		return err;
	if (!pmuctl_caps_of(event)->has_pebs)
		return no_pebs(pmuctl_caps_of(event), why);
	err = validate_modifiers(event, why);
	if (!err)
		err = validate_capable(event, why);
	if (!err)
		err = validate_period(event, why);
	if (!err)
		err = validate_content(event, why);
	if (!err)
		err = validate_counters(event, why);
	return err;
}

/* --- encoding --- */

static u64 enable_bits(const struct pmuctl_event *event)
{
	u64 bits = BIT_ULL(event->counter);

	if (has_latency(event) &&
	    pmuctl_caps_of(event)->version < VERSION_NO_LATENCY_BITS)
		bits |= BIT_ULL(LATENCY_SHIFT + event->counter);
	if (is_precise_store(event))
		bits |= PRECISE_STORE;
	return bits;
}

/*
 * Records have all of those that are read along, or none, which are read at
 * the interrupt then.
 */
static u64 counters_along(const struct pmuctl_event *event)
{
	u64 counters = event->counters_along;

	if (pmuctl_pebs_is_architectural() &&
	    counters & ~pmuctl_caps_of(event)->cfg_c)
		return 0;
	return PEBS_CFG_COUNTERS |
	       (counters << PEBS_CFG_GP_SHIFT & PEBS_CFG_GP) |
	       (counters >> PMUCTL_FIXED_BASE << PEBS_CFG_FIXED_SHIFT &
		PEBS_CFG_FIXED);
}

static u64 data_cfg(const struct pmuctl_event *event)
{
	u64 cfg = 0;

	if (event->content & MEMORY_CONTENT)
		cfg |= PEBS_CFG_MEMORY;
	/* Call chain and stack begin where the record was made. */
	if (event->content & (PMUCTL_CONTENT_REGS | PMUCTL_CONTENT_STACKS))
		cfg |= PEBS_CFG_GPR;
	if (event->content & PMUCTL_CONTENT_BRANCHES)
		cfg |= PEBS_CFG_LBR;
	if (event->content & PMUCTL_CONTENT_COUNTS)
		cfg |= PEBS_CFG_COUNTERS;
	cfg &= pmuctl_caps_of(event)->pebs_groups;
	if (cfg & PEBS_CFG_COUNTERS)
		cfg = (cfg & ~PEBS_CFG_COUNTERS) | counters_along(event);
	if (cfg & PEBS_CFG_LBR)
		cfg |= (u64)(pmuctl_caps_of(event)->lbr_depth - 1) <<
		       PEBS_CFG_LBR_SHIFT;
	return cfg;
}

/* Which of its groups an adaptive record has by the counter's own bit. */
static u64 adaptive_bit(const struct pmuctl_event *event)
{
	bool fixed = event->counter >= PMUCTL_FIXED_BASE;

	if (!pmuctl_pebs_is_architectural())
		return fixed ? FIXED_ADAPTIVE : EVTSEL_ADAPTIVE;
	/*
	 * There CFG_C says it.  Linux sets the bit of fixed counters all the
	 * same, where the processor has it, and of no others.
	 */
	return fixed && pmuctl_caps_of(event)->capabilities & CAP_BASELINE ?
	       FIXED_ADAPTIVE : 0;
}

static u32 lbr_rings(const struct pmuctl_event *event)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);
	bool fix_up = event->precise > 1 &&
		      !pmuctl_pebs_format(caps->pebs_format)->exact;

	if (!caps->lbr_depth ||
	    !(fix_up || event->content & PMUCTL_CONTENT_BRANCHES))
		return 0;
	if (event->content & PMUCTL_CONTENT_CALLS)
		return LBR_CALLS | PMUCTL_EVENT_USER;
	return event->flags & (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL);
}

void pmuctl_pebs_encode(struct pmuctl_event *event)
{
	event->lbr = event->sampled ? lbr_rings(event) : 0;
	event->pebs = event->precise ? enable_bits(event) : 0;
	event->pebs_cfg = 0;
	if (!event->precise || !perfmon_adaptive())
		return;
	event->pebs_cfg = data_cfg(event);
	event->config |= adaptive_bit(event);
}

/* --- registers --- */

static u64 bits_of(unsigned int counter)
{
	u64 bits = BIT_ULL(counter);

	if (perfmon_adaptive())
		return bits;
	if (counter <= PRECISE_STORE_COUNTER)
		bits |= BIT_ULL(LATENCY_SHIFT + counter);
	if (counter == PRECISE_STORE_COUNTER)
		bits |= PRECISE_STORE;
	return bits;
}

/* What all events that are recorded here want, in records of one size. */
static u64 union_of(const struct pmuctl_regs *regs, u64 pebs)
{
	unsigned int slot;
	u64 cfg = 0;

	for (slot = 0; slot < PMUCTL_SLOTS; slot++)
		if (pebs & BIT_ULL(pmuctl_counter(slot)))
			cfg |= regs->pebs_cfg_of[slot];
	return cfg;
}

/* Bits of counters, and those of load latency; not that of precise stores. */
static u64 enable_value(u64 pebs)
{
	u64 latency = pebs >> LATENCY_SHIFT & (BIT(PMUCTL_TWINS) - 1);

	if (likely(!pmuctl_twins_exist()))
		return pebs;
	return (pmuctl_twins_bits(pebs) & ~(latency << LATENCY_SHIFT)) |
	       pmuctl_twins_bits(latency) << LATENCY_SHIFT;
}

static void write_enable(struct pmuctl_regs *regs, u64 pebs)
{
	if (pmuctl_pebs_is_architectural())
		pmuctl_index_record(regs, pebs);
	else
		hw_wrmsr(MSR_PEBS_ENABLE, enable_value(pebs));
}

static void write_groups(u64 cfg)
{
	/* Each counter has its own there. */
	if (!pmuctl_pebs_is_architectural())
		hw_wrmsr(MSR_PEBS_GROUPS, cfg);
}

u64 pmuctl_pebs_enabled(const struct pmuctl_regs *regs)
{
	return regs->pebs_paused ? 0 : enable_value(regs->pebs);
}

void pmuctl_pebs_write(struct pmuctl_regs *regs)
{
	if (!regs->pebs_paused)
		write_enable(regs, regs->pebs);
}

/*
 * A guest that uses PEBS has an area and contents of its own, and behind it kvm
 * puts back what perf has there on this CPU: none, as long as it is ours.
 */
static void take_back(struct pmuctl_regs *regs)
{
	if (likely(!regs->pebs_foreign))
		return;
	regs->pebs_foreign = false;
	if (!perfmon_adaptive() || !regs->pebs_area ||
	    pmuctl_pebs_is_architectural())
		return;
	hw_wrmsr(MSR_DS_AREA, regs->pebs_area);
	hw_wrmsr(MSR_PEBS_GROUPS, regs->pebs_cfg);
}

/*
 * The buffer is empty: whoever puts an event on has drained it, since records
 * of two sizes in one buffer could not be told apart on older processors.
 */
void pmuctl_pebs_program(struct pmuctl_regs *regs,
			 const struct pmuctl_event *event)
{
	u64 cfg, pebs = regs->pebs & ~bits_of(event->counter);
	bool same = event->pebs_cfg == regs->pebs_cfg_of[event->slot];

	/* Without an area it would write wherever MSR_DS_AREA points. */
	if (regs->pebs_area)
		pebs |= event->pebs;
	regs->pebs_cfg_of[event->slot] = event->pebs_cfg;
	cfg = union_of(regs, pebs);
	if (cfg != regs->pebs_cfg) {
		regs->pebs_cfg = cfg;
		write_groups(cfg);
	}
	if (pebs == regs->pebs &&
	    (same || !pmuctl_pebs_is_architectural()))
		return;
	take_back(regs);
	regs->pebs = pebs;
	regs->pebs_paused = false;
	write_enable(regs, pebs);
}

void pmuctl_pebs_unready(struct pmuctl_regs *regs, unsigned int counter)
{
	write_enable(regs, regs->pebs & ~bits_of(counter));
	write_enable(regs, regs->pebs);
}

void pmuctl_pebs_pause(struct pmuctl_regs *regs)
{
	regs->pebs_paused = true;
	write_enable(regs, 0);
}

void pmuctl_pebs_resume(struct pmuctl_regs *regs)
{
	regs->pebs_paused = false;
	take_back(regs);
	write_enable(regs, regs->pebs);
}
