// SPDX-License-Identifier: GPL-2.0-only
/*
 * What processors do wrong, and what is kept from it: counters, PEBS, periods.
 *
 * Documentation/errata.rst has where each is published.  Rows of models say
 * what some of a model have; here is which of them this one has.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"

#define CPUID_7_EDX_ALWAYS_ABORT	BIT(11)
#define CPUID_7_EDX_FORCE_ABORT		BIT(13)

/* The counter that microcode has for itself then. */
#define ABORT_COUNTER		BIT_ULL(3)

#define ARCH_BRANCH_MISSES	BIT(6)

/* The first stepping of Bonnell whose LBRs freeze. */
#define BONNELL			0x61c
#define BONNELL_FREEZES		10

/* INST_RETIRED.PREC_DIST of Haswell and Broadwell. */
#define PREC_DIST		0x01c0
#define PREC_DIST_LEAST		128
#define PREC_DIST_STEP		64
#define PERIOD_LEAST		32

/* MEM_UOPS_RETIRED, MEM_LOAD_UOPS_RETIRED and two more of their kind. */
#define TWIN_FIRST		0xd0
#define TWIN_LAST		0xd3

/* MEM_TRANS_RETIRED.LOAD_LATENCY of Sapphire Rapids. */
#define LOAD_LATENCY		0x01cd

/* --- which of them this processor has --- */

static u32 stepping_of(u32 signature)
{
	return signature & 0xf;
}

/* Microcode whose PEBS can be relied on; of models not named here: any. */
static u32 good_microcode(u32 signature)
{
	switch (pmuctl_model_id(signature)) {
	case 0x62a:
		return 0x28;
	case 0x62d:
		return stepping_of(signature) <= 6 ? 0x618 : 0x70c;
	default:
		return 0;
	}
}

static bool has_bad_pebs(const struct pmuctl_caps *caps)
{
	u32 good = good_microcode(caps->signature);

	return !good || hw_microcode() < good;
}

static u64 found_by_model(const struct pmuctl_caps *caps)
{
	u64 errata = caps->model ? caps->model->errata : 0;

	if (!pmuctl_core_has_siblings())
		errata &= ~PMUCTL_ERRATUM_TWIN;
	if (!has_bad_pebs(caps))
		errata &= ~PMUCTL_ERRATUM_PEBS;
	if (caps->arch_events & ARCH_BRANCH_MISSES)
		errata &= ~PMUCTL_ERRATUM_BRANCH_MISSES;
	if (pmuctl_model_id(caps->signature) != BONNELL ||
	    stepping_of(caps->signature) >= BONNELL_FREEZES)
		errata &= ~PMUCTL_ERRATUM_LBR_FREEZE;
	return errata;
}

/* Announced, on whatever model. */
static bool has_force_abort(void)
{
	u32 regs[4];

	hw_cpuid(7, regs);
	return regs[3] & CPUID_7_EDX_FORCE_ABORT &&
	       !(regs[3] & CPUID_7_EDX_ALWAYS_ABORT);
}

static void refuse_pebs(struct pmuctl_caps *caps)
{
	if (!caps->has_pebs)
		return;
	if (caps->allow_bad_pebs) {
		caps->errata_open |= PMUCTL_ERRATUM_PEBS;
		return;
	}
	caps->has_pebs = false;
	caps->pebs_refusal = good_microcode(caps->signature) ?
		"PEBS of this processor is unreliable with its microcode: update that (package intel-microcode), or load the module with unreliable_pebs=1 to have it all the same" :
		"PEBS of this processor is unreliable (errata AJ67 to AJ69, AJ106): load the module with unreliable_pebs=1 to have it all the same";
}

void pmuctl_errata_probe(struct pmuctl_caps *caps)
{
	caps->errata = found_by_model(caps);
	if (caps->errata & PMUCTL_ERRATUM_PEBS)
		refuse_pebs(caps);
	if (caps->counters & ABORT_COUNTER && has_force_abort()) {
		caps->errata |= PMUCTL_ERRATUM_COUNTER3;
		caps->counters &= ~ABORT_COUNTER;
	}
}

/* --- which of them an event has --- */

static bool event_has(const struct pmuctl_event *event, u64 erratum)
{
	u64 code = event->evtsel & EVTSEL_CODE;

	if (!(pmuctl_caps_of(event)->errata & erratum))
		return false;
	switch (erratum) {
	case PMUCTL_ERRATUM_TWIN:
		return (code & EVTSEL_EVENT) >= TWIN_FIRST &&
		       (code & EVTSEL_EVENT) <= TWIN_LAST;
	case PMUCTL_ERRATUM_SHORT_DIST:
	case PMUCTL_ERRATUM_ODD_DIST:
		return code == PREC_DIST;
	case PMUCTL_ERRATUM_AUXILIARY:
		return code == LOAD_LATENCY && event->precise;
	default:
		return true;
	}
}

static void limit_period(struct pmuctl_event *event)
{
	event->least = 1;
	event->step = 1;
	if (event_has(event, PMUCTL_ERRATUM_SHORT_PERIOD))
		event->least = PERIOD_LEAST;
	if (event_has(event, PMUCTL_ERRATUM_SHORT_DIST))
		event->least = PREC_DIST_LEAST;
	if (event_has(event, PMUCTL_ERRATUM_ODD_DIST))
		event->step = PREC_DIST_STEP;
	event->coarse = event->least > 1;
}

static int validate_period(const struct pmuctl_event *event,
			   const struct pmuctl_why *why)
{
	u64 less = event->period & ~((u64)event->step - 1);

	if (event->freq)
		return 0;
	if (event->period < event->least)
		return pmuctl_why(why, -ERANGE,
				  "period %llu of event 0x%04llx: this processor gets periods below %u wrong (see 'pmuctl info'): take at least that",
				  event->period, event->evtsel & EVTSEL_CODE,
				  event->least);
	if (event->period == less)
		return 0;
	return pmuctl_why(why, -ERANGE,
			  "period %llu of event 0x%04llx: on this processor it has to be a multiple of %u (erratum BDM55): take %llu or %llu",
			  event->period, event->evtsel & EVTSEL_CODE,
			  event->step, less, less + event->step);
}

int pmuctl_errata_validate(struct pmuctl_event *event,
			   const struct pmuctl_why *why)
{
	event->twice = event_has(event, PMUCTL_ERRATUM_TWIN);
	event->auxiliary = event_has(event, PMUCTL_ERRATUM_AUXILIARY);
	if (!event->sampled)
		return 0;
	limit_period(event);
	return validate_period(event, why);
}
