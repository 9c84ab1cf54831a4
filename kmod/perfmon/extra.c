// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers beside the event select: which an event needs, what may be set.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"

static const char *const reg_names[] = {
	[PMUCTL_REG_EVTSEL] = "EVTSEL",
	[PMUCTL_REG_FIXED_CTRL] = "FIXED_CTRL",
	[PMUCTL_REG_OFFCORE_RSP] = "OFFCORE_RSP",
	[PMUCTL_REG_LD_LAT] = "LD_LAT",
	[PMUCTL_REG_FRONTEND] = "FRONTEND",
};

static const char *reg_name(u32 reg)
{
	return reg < ARRAY_SIZE(reg_names) && reg_names[reg] ?
	       reg_names[reg] : "of no name";
}

#define for_each_extra(extra, caps)					\
	for ((extra) = (caps)->model ? (caps)->model->extra : NULL;	\
	     (extra) && (extra) < (caps)->model->extra +		\
				  (caps)->model->nr_extra; (extra)++)

static bool has_slot(const struct pmuctl_caps *caps,
		     const struct pmuctl_extra *extra)
{
	return caps->extra_slots & BIT(extra->slot);
}

static bool is_for(const struct pmuctl_extra *extra,
		   const struct pmuctl_reg *reg)
{
	return extra->reg == reg->reg && extra->index == reg->index;
}

/* --- validation --- */

static int validate_value(const struct pmuctl_caps *caps,
			  const struct pmuctl_extra *extra,
			  const struct pmuctl_reg *reg,
			  const struct pmuctl_why *why)
{
	if (!extra->writable)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "event 0x%04x needs register %s %u, whose bits this module does not know on this processor",
				  extra->event, reg_name(reg->reg), reg->index);
	if (!has_slot(caps, extra))
		return pmuctl_why(why, -EOPNOTSUPP,
				  "register %s %u is not there, though processors of this model have it: a hypervisor hides it",
				  reg_name(reg->reg), reg->index);
	if (reg->value & ~extra->writable)
		return pmuctl_why(why, -EINVAL,
				  "register %s %u value 0x%llx: bits 0x%llx cannot be set on this processor, which has 0x%llx",
				  reg_name(reg->reg), reg->index, reg->value,
				  reg->value & ~extra->writable,
				  extra->writable);
	if (reg->value < extra->least)
		return pmuctl_why(why, -ERANGE,
				  "register %s %u value 0x%llx is below the least that counts anything, %llu",
				  reg_name(reg->reg), reg->index, reg->value,
				  extra->least);
	return 0;
}

/* The row that an event's register belongs to, or why there is none. */
static int validate_reg(const struct pmuctl_event *event, unsigned int i,
			const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);
	const struct pmuctl_reg *reg = &event->extra[i];
	u64 code = event->evtsel & EVTSEL_CODE;
	const struct pmuctl_extra *extra;
	bool exists = false;
	unsigned int k;

	for (k = 0; k < i; k++)
		if (event->extra[k].reg == reg->reg &&
		    event->extra[k].index == reg->index)
			return pmuctl_why(why, -EINVAL,
					  "register %s %u is given twice for one event: give it once",
					  reg_name(reg->reg), reg->index);
	for_each_extra(extra, caps) {
		if (is_for(extra, reg) && extra->event == code)
			return validate_value(caps, extra, reg, why);
		exists |= is_for(extra, reg);
	}
	if (!exists)
		return pmuctl_why(why, -EOPNOTSUPP,
				  "register %u (%s), index %u: this processor has none that this module may set",
				  reg->reg, reg_name(reg->reg), reg->index);
	return pmuctl_why(why, -EINVAL,
			  "register %s %u has no meaning for event 0x%04llx: leave it out",
			  reg_name(reg->reg), reg->index, code);
}

static bool has_reg(const struct pmuctl_event *event,
		    const struct pmuctl_extra *extra)
{
	unsigned int i;

	for (i = 0; i < event->nr_extra; i++)
		if (is_for(extra, &event->extra[i]))
			return true;
	return false;
}

/* With whatever the register holds it would count something else. */
static int validate_complete(const struct pmuctl_event *event,
			     const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);
	u64 code = event->evtsel & EVTSEL_CODE;
	const struct pmuctl_extra *extra;

	for_each_extra(extra, caps) {
		if (extra->event != code || has_reg(event, extra))
			continue;
		if (!extra->reg)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "event 0x%04llx counts what MSR 0x%x says, which this module does not set yet",
					  code, extra->msr);
		return pmuctl_why(why, -EINVAL,
				  "event 0x%04llx needs register %u (%s), index %u, to say what it counts: %s",
				  code, extra->reg, reg_name(extra->reg),
				  extra->index, extra->writable ?
				  "give it a value" :
				  "this module does not know its bits on this processor");
	}
	return 0;
}

int pmuctl_extra_validate(const struct pmuctl_event *event,
			  const struct pmuctl_why *why)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < event->nr_extra && !err; i++)
		err = validate_reg(event, i, why);
	return err ? err : validate_complete(event, why);
}

/* --- registers --- */

/*
 * A register that threads of a core share may have got another value from the
 * other one since: what this CPU remembers of it says nothing.
 */
static void program_one(struct pmuctl_regs *regs,
			const struct pmuctl_caps *caps,
			const struct pmuctl_extra *extra, u64 value)
{
	bool shared = caps->extra_shared & BIT(extra->reg);

	if (!shared && regs->extra[extra->slot] == value)
		return;
	regs->extra[extra->slot] = value;
	hw_wrmsr(extra->msr, value);
}

void pmuctl_extra_program(struct pmuctl_regs *regs,
			  const struct pmuctl_event *event)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);
	u64 code = event->evtsel & EVTSEL_CODE;
	const struct pmuctl_extra *extra;
	unsigned int i;

	for_each_extra(extra, caps)
		for (i = 0; i < event->nr_extra; i++)
			if (is_for(extra, &event->extra[i]) &&
			    extra->event == code)
				program_one(regs, caps, extra,
					    event->extra[i].value);
}

unsigned int pmuctl_extra_msrs(u32 *msrs)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	const struct pmuctl_extra *extra;
	unsigned int seen = 0, n = 0;

	for_each_extra(extra, caps) {
		if (!extra->reg || !has_slot(caps, extra) ||
		    seen & BIT(extra->slot))
			continue;
		seen |= BIT(extra->slot);
		msrs[n++] = extra->msr;
	}
	return n;
}

bool pmuctl_extra_is_shared(u32 msr)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	const struct pmuctl_extra *extra;

	for_each_extra(extra, caps)
		if (extra->msr == msr)
			return caps->extra_shared & BIT(extra->reg);
	return false;
}

/* CPUID.0BH, switched on or not. */
bool pmuctl_core_has_siblings(void)
{
	u32 regs[4];

	hw_cpuid(0xb, regs);
	return (regs[1] & 0xffff) > 1;
}

/* A hypervisor may hide registers that the model has: as perf, look. */
void pmuctl_extra_probe(struct pmuctl_caps *caps)
{
	bool siblings = pmuctl_core_has_siblings();
	const struct pmuctl_extra *extra;
	u64 value;

	for_each_extra(extra, caps) {
		if (!extra->writable || !hw_rdmsr_safe(extra->msr, &value))
			continue;
		caps->extra_slots |= BIT(extra->slot);
		if (extra->shared && siblings)
			caps->extra_shared |= BIT(extra->reg);
	}
}
