// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of an architectural PMU: every bit checked, then encoded.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"

/* IA32_PERFEVTSELx: what user space may not set, and why. */
static const struct evtsel_field {
	u64 bits;
	const char *name;
	const char *refusal;
} evtsel_fields[] = {
	{ EVTSEL_USR | EVTSEL_OS, "USR/OS",
	  "use the event's user and kernel flags" },
	{ EVTSEL_PC, "PC", "the pins are not user space's; leave it 0" },
	{ EVTSEL_INT, "INT", "the kernel owns interrupts; leave it 0" },
	{ EVTSEL_EN, "EN", "the kernel enables counters; leave it 0" },
	{ EVTSEL_EQ, "EQ",
	  "this processor does not compare for equality (CPUID leaf 23H); leave it 0" },
	{ EVTSEL_UMASK2, "UMASK2",
	  "this processor has no second mask (CPUID leaf 23H); leave it 0" },
	{ GENMASK_ULL(63, 32), "bits 63:32",
	  "they are not for counting; leave them 0" },
};

/* What a fixed counter counts, as an event select. */
static const u16 fixed_encoding[PMUCTL_FIXED_MAX] = {
	0x00c0,				/* instructions retired */
	0x003c,				/* unhalted core cycles */
	0x0300,				/* reference cycles */
	0x0400,				/* topdown slots */
	/* Of small cores; their general-purpose counters have them as well. */
	0x0073,				/* slots of bad speculation */
	0x019c,				/* slots left empty by the front end */
	0x02c2,				/* slots that retired */
};

/* Event code 0 is none that a general-purpose counter has. */
#define NO_EVENT		0x00

static const struct {
	u16 encoding;
	u8 fixed;
	const char *name;
} only_fixed[] = {
	{ 0x0300, 2, "reference cycles" },
	{ 0x0400, 3, "slots" },
};

/* Architectural events, by their bit of CPUID.0AH:EBX. */
static const u16 arch_encoding[] = {
	0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x01a4,
};

#define GP_COUNTERS		GENMASK_ULL(PMUCTL_FIXED_BASE - 1, 0)

/* --- bits --- */

static int validate_any(const struct pmuctl_event *event,
			const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);

	if (!(event->evtsel & EVTSEL_ANY) || caps->any)
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "event select 0x%llx: any (0x%llx) may not be set: %s; leave it 0",
			  event->evtsel, EVTSEL_ANY, caps->version < 3 ?
			  "AnyThread came with perfmon version 3" :
			  "this processor no longer has AnyThread");
}

static int validate_bits(const struct pmuctl_event *event,
			 const struct pmuctl_why *why)
{
	const struct evtsel_field *field;
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);
	u64 may = (caps->has_umask2 ? EVTSEL_UMASK2 : 0) |
		  (caps->has_eq ? EVTSEL_EQ : 0);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(evtsel_fields); i++) {
		field = &evtsel_fields[i];
		if (!(event->evtsel & field->bits & ~may))
			continue;
		return pmuctl_why(why, -EINVAL,
				  "event select 0x%llx: %s (0x%llx) may not be set: %s",
				  event->evtsel, field->name,
				  event->evtsel & field->bits & ~may,
				  field->refusal);
	}
	if (event->evtsel & EVTSEL_EQ && !(event->evtsel & EVTSEL_CMASK))
		return pmuctl_why(why, -EINVAL,
				  "event select 0x%llx: EQ (0x%llx) compares with CMASK, which is 0: set it, or leave EQ 0",
				  event->evtsel, EVTSEL_EQ);
	return validate_any(event, why);
}

/* --- fixed counters --- */

/* Without counters to choose from: a fixed one has AnyThread, nothing else. */
static u64 fixed_part(const struct pmuctl_event *event)
{
	return event->evtsel & ~EVTSEL_ANY;
}

/* A fixed counter is right only if it counts what the event select says. */
static int validate_fixed(const struct pmuctl_event *event,
			  const struct pmuctl_why *why)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_FIXED_MAX; i++) {
		if (!(event->allowed & BIT_ULL(PMUCTL_FIXED_BASE + i)) ||
		    fixed_part(event) == fixed_encoding[i])
			continue;
		return pmuctl_why(why, -EINVAL,
				  "event select 0x%llx cannot be on fixed counter %u, which counts 0x%04x and nothing else: leave fixed%u out of its counters",
				  event->evtsel, i, fixed_encoding[i], i);
	}
	return 0;
}

static int refuse_only_fixed(const struct pmuctl_event *event, unsigned int i,
			     const struct pmuctl_why *why)
{
	unsigned int fixed = only_fixed[i].fixed;

	if (!pmuctl_has_fixed(pmuctl_caps_of(event), fixed))
		return pmuctl_why(why, -EINVAL,
				  "event select 0x%04x (%s) exists on fixed counter %u only, which this PMU does not have",
				  only_fixed[i].encoding, only_fixed[i].name,
				  fixed);
	return pmuctl_why(why, -EINVAL,
			  "event select 0x%04x (%s) exists on fixed counter %u only, without edge, inv and cmask: ask for fixed%u",
			  only_fixed[i].encoding, only_fixed[i].name, fixed,
			  fixed);
}

/* Encodings that mean nothing to a general-purpose counter. */
static int validate_gp(const struct pmuctl_event *event,
		       const struct pmuctl_why *why)
{
	unsigned int i;

	if (!(event->allowed & GP_COUNTERS) ||
	    (event->evtsel & EVTSEL_EVENT) != NO_EVENT)
		return 0;
	for (i = 0; i < ARRAY_SIZE(only_fixed); i++)
		if ((event->evtsel & EVTSEL_CODE) == only_fixed[i].encoding)
			return refuse_only_fixed(event, i, why);
	return pmuctl_why(why, -EINVAL,
			  "event select 0x%llx: event code 0 counts nothing; say which event",
			  event->evtsel);
}

/* --- processors that nobody has told us about --- */

static bool is_architectural(const struct pmuctl_caps *caps, u64 code)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(arch_encoding); i++)
		if (arch_encoding[i] == code)
			return caps->arch_events & BIT(i);
	for (i = 0; i < PMUCTL_FIXED_MAX; i++)
		if (fixed_encoding[i] == code)
			return pmuctl_has_fixed(caps, i);
	return false;
}

static int validate_known(const struct pmuctl_event *event,
			  const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);
	u64 code = event->evtsel & (EVTSEL_CODE | EVTSEL_UMASK2);

	if (!caps->arch_only || is_architectural(caps, code))
		return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "event 0x%04llx is not architectural, and this module does not know what else counts on this processor (CPUID signature 0x%x): use events that 'pmuctl info' names as architectural, or load the module with allow_unknown_events=1",
			  code, caps->signature);
}

int pmuctl_perfmon_validate(struct pmuctl_event *event,
			    const struct pmuctl_why *why)
{
	int err = validate_bits(event, why);

	if (!err)
		err = validate_known(event, why);
	if (!err)
		err = validate_gp(event, why);
	if (!err)
		err = validate_fixed(event, why);
	if (!err)
		err = pmuctl_extra_validate(event, why);
	if (!err)
		err = pmuctl_errata_validate(event, why);
	if (!err)
		err = pmuctl_pebs_validate(event, why);
	return err;
}

/* --- encoding --- */

static void encode_gp(struct pmuctl_event *event)
{
	event->config = event->evtsel | EVTSEL_EN;
	/* A counter of PEBS does not interrupt: the full buffer does. */
	if (!event->precise)
		event->config |= EVTSEL_INT;
	if (event->flags & PMUCTL_EVENT_USER)
		event->config |= EVTSEL_USR;
	if (event->flags & PMUCTL_EVENT_KERNEL)
		event->config |= EVTSEL_OS;
}

static void encode_fixed(struct pmuctl_event *event)
{
	event->config = event->precise ? 0 : FIXED_PMI;
	if (event->flags & PMUCTL_EVENT_USER)
		event->config |= FIXED_USR;
	if (event->flags & PMUCTL_EVENT_KERNEL)
		event->config |= FIXED_OS;
	if (event->evtsel & EVTSEL_ANY)
		event->config |= FIXED_ANY;
}

/* It has no register to be programmed, and its slots' place in arrays. */
static void encode_metric(struct pmuctl_event *event, struct pmuctl_reg *reg)
{
	event->slot = pmuctl_slot(PMUCTL_METRICS_OF);
	reg->reg = PMUCTL_REG_METRIC;
	reg->index = event->counter - PMUCTL_METRIC_BASE;
	reg->value = 0;
}

void pmuctl_perfmon_encode(struct pmuctl_event *event, struct pmuctl_reg *reg)
{
	bool fixed = event->counter >= PMUCTL_FIXED_BASE;

	if (event->metric) {
		encode_metric(event, reg);
		return;
	}
	event->slot = pmuctl_slot(event->counter);
	if (fixed)
		encode_fixed(event);
	else
		encode_gp(event);
	pmuctl_pebs_encode(event);
	reg->reg = fixed ? PMUCTL_REG_FIXED_CTRL : PMUCTL_REG_EVTSEL;
	reg->index = event->counter - (fixed ? PMUCTL_FIXED_BASE : 0);
	reg->value = event->config & (fixed ? FIXED_NIBBLE : ~0ULL);
}
