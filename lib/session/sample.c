// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that are sampled: how often, how precisely, and with what.
 */
#include <errno.h>
#include <string.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/cpu/p4.h"

#define PERIOD_MAX (1ull << 47)
#define PRECISE_MAX 3
#define CONTENT_ALL (PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_WEIGHT | PMUCTL_SAMPLE_DATA_SRC | \
		     PMUCTL_SAMPLE_REGS | PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_BRANCHES | \
		     PMUCTL_SAMPLE_CALLS | \
		     PMUCTL_SAMPLE_STACK | PMUCTL_SAMPLE_TOP | PMUCTL_SAMPLE_COUNTS)
/* As perf has it. */
#define STACK_DEFAULT 8192

#define GP_COUNTERS ((1ull << PMUCTL_COUNTER_FIXED) - 1)

static bool wants_retire(const struct pmuctl_info *info, const struct pmuctl_sampling *s)
{
	return s->precise && s->content & PMUCTL_SAMPLE_WEIGHT &&
	       info->features & PMUCTL_CAN_RETIRE;
}

static int check_period(const struct pmuctl_event *e, const struct pmuctl_sampling *s)
{
	const char *name = e->info.name;

	if (!s->period && !s->frequency)
		return fail(e->ctx, -EINVAL, "event '%s': neither a period nor a frequency to "
			    "sample it is given, or it is 0", name);
	if (s->period && s->frequency)
		return fail(e->ctx, -EINVAL, "event '%s': a period or a frequency, not both", name);
	if (s->period > PERIOD_MAX)
		return fail(e->ctx, -EINVAL, "event '%s': period %llu is too long; it is 1 to "
			    "2^47", name, (unsigned long long)s->period);
	if (s->random_bits && (s->frequency || s->random_bits > 32 ||
			       1ull << s->random_bits >= s->period))
		return fail(e->ctx, -EINVAL, "event '%s': %u random bits want a period above 2^%u, "
			    "and 32 are the most", name, s->random_bits, s->random_bits);
	if (s->content & ~(uint64_t)CONTENT_ALL)
		return fail(e->ctx, -EINVAL, "event '%s': unknown contents of samples", name);
	if (s->precise > PRECISE_MAX)
		return fail(e->ctx, -EINVAL, "event '%s': precise is 0 to 3", name);
	return 0;
}

/* What a record leaves for it, the module knows. */
static int check_stack(const struct pmuctl_event *e, struct pmuctl_sampling *s)
{
	if (!(s->content & PMUCTL_SAMPLE_STACK))
		return s->stack ? fail(e->ctx, -EINVAL, "event '%s': %u bytes of the stack, and no "
				       "copy of it among the contents", e->info.name, s->stack) : 0;
	if (!s->stack)
		s->stack = STACK_DEFAULT;
	if (s->stack < PMUCTL_STACK_MIN || s->stack > PMUCTL_RECORD_MAX || s->stack % 8)
		return fail(e->ctx, -EINVAL, "event '%s': a copy of %u bytes of the stack: it is a "
			    "multiple of 8 from %d to what fits into a record beside the rest, which "
			    "is below %d", e->info.name, s->stack, PMUCTL_STACK_MIN,
			    PMUCTL_RECORD_MAX);
	/* The copy begins with them. */
	s->content &= ~(uint64_t)PMUCTL_SAMPLE_TOP;
	return 0;
}

/* The bit is in the CCCR, and goes with a counter that overflows each time. */
static int force_overflow(struct pmuctl_event *e, const struct pmuctl_sampling *s)
{
	if (!s->force_overflow)
		return 0;
	if (e->reg[1].kind != PMUCTL_REGISTER_CCCR)
		return fail(e->ctx, -EOPNOTSUPP, "event '%s': FORCE_OVF is the Pentium 4's, and "
			    "this CPU is none", e->info.name);
	if (s->period != 1 || s->precise || e->info.precise)
		return fail(e->ctx, -EINVAL, "event '%s': FORCE_OVF takes a sample of every event "
			    "by interrupt; it wants a period of 1 and no :p", e->info.name);
	e->reg[1].value |= P4_CCCR_FORCE_OVF;
	return 0;
}

static int no_pebs(const struct pmuctl_event *e, const struct pmuctl_info *info)
{
	const char *why = info->features & PMUCTL_CAN_PEBS ? "this CPU does not have it" :
			  "the loaded module cannot do it";

	return fail(e->ctx, -EOPNOTSUPP, "event '%s' cannot be sampled by PEBS: %s; without :p it "
		    "is sampled by interrupt", e->info.name,
		    info->pebs_refusal[0] ? info->pebs_refusal : why);
}

static int not_this_event(const struct pmuctl_event *e)
{
	if (e->reg[0].kind == PMUCTL_REGISTER_ESCR)
		return fail(e->ctx, -EOPNOTSUPP,
			    "event '%s' is none that a Pentium 4 records by PEBS: that are "
			    "front_end_event, execution_event, replay_event and the metrics made of "
			    "them, like 1stL_cache_load_miss_retired; without :p it is sampled by "
			    "interrupt", e->info.name);
	return fail(e->ctx, -EOPNOTSUPP,
		    "event '%s' (code 0x%04llx) is none that this CPU records by PEBS; without "
		    ":p it is sampled by interrupt", e->info.name,
		    (unsigned long long)(e->reg[0].value & EVTSEL_CODE));
}

static int check_precise(struct pmuctl_event *e, const struct pmuctl_info *info, uint32_t precise)
{
	if (!precise)
		return 0;
	if (!(info->features & PMUCTL_CAN_PEBS) || info->pebs_format < 0 || info->pebs_refusal[0])
		return no_pebs(e, info);
	if (!e->info.pebs)
		return not_this_event(e);
	if (!(e->info.counters & e->pebs_counters))
		return fail(e->ctx, -EOPNOTSUPP, "event '%s': none of the counters that it may use "
			    "can record it by PEBS", e->info.name);
	e->info.counters &= e->pebs_counters;
	return 0;
}

/* Linux knows cores whose fixed counters have no retire latency. */
static int check_retire(struct pmuctl_event *e, const struct pmuctl_info *info,
			const struct pmuctl_sampling *s)
{
	if (!wants_retire(info, s))
		return 0;
	if (!(e->info.counters & GP_COUNTERS))
		return fail(e->ctx, -EOPNOTSUPP, "event '%s' is counted by a fixed counter alone, "
			    "whose records may have no retire latency; leave -W away",
			    e->info.name);
	e->info.counters &= GP_COUNTERS;
	return 0;
}

static int check_spread(struct pmuctl_event *e, const struct pmu_facts *facts,
			const struct pmuctl_sampling *s)
{
	struct pebs_spread spread;

	if (s->precise < 3)
		return 0;
	if (!pebs_spread_find(facts, e->reg[0].value, &spread))
		return fail(e->ctx, -EOPNOTSUPP, "event '%s': :ppp asks for samples that are spread "
			    "evenly, and this CPU has none (Ivy Bridge was the first that had, of "
			    "small cores Tremont); it has :pp", e->info.name);
	if (!(e->info.counters & spread.counters))
		return fail(e->ctx, -EOPNOTSUPP, "event '%s': :ppp is recorded on counter 0 of this "
			    "CPU alone (of instructions on fixed counter 0), where PEBS does not have "
			    "this event; take :pp", e->info.name);
	if (s->period && s->period < spread.period)
		return fail(e->ctx, -EINVAL, "event '%s': with :ppp the shortest period of this CPU "
			    "is %llu", e->info.name, (unsigned long long)spread.period);
	e->info.counters &= spread.counters;
	if (spread.remark)
		event_remark(e, spread.remark);
	return 0;
}

/* The portable name knew only now that it is to be precise: it takes what stands in. */
static void make_precise(struct pmuctl_event *e, const struct pmu_facts *facts, uint32_t precise)
{
	if (precise && !e->info.precise)
		event_make_precise(e, facts, precise);
	if (precise > e->info.precise)
		e->info.precise = precise;
}

static int check_sampling(struct pmuctl_event *e, const struct pmuctl_info *info,
			  const struct pmuctl_sampling *s)
{
	int err = check_period(e, s);

	if (!err && !strcmp(info->backend, "p5"))
		err = fail(e->ctx, -EOPNOTSUPP, "event '%s': a Pentium raises no interrupt when a "
			   "counter overflows, so nothing is sampled here; pmuctl stat counts it",
			   e->info.name);
	else if (!err && !(info->features & PMUCTL_CAN_SAMPLE))
		err = fail(e->ctx, -EOPNOTSUPP, "the loaded module cannot sample; install module "
			   "and command of one version, then `pmuctl unload` and `pmuctl load`");
	else if (!err && s->content & PMUCTL_SAMPLE_COUNTS &&
		 !(info->features & PMUCTL_CAN_COUNTS))
		err = fail(e->ctx, -EOPNOTSUPP, "event '%s': the loaded module does not know counts of "
			   "a group in samples (:S); install module and command of one version, then "
			   "`pmuctl unload` and `pmuctl load`", e->info.name);
	return err;
}

/* An address that the hardware does not tell the instruction's operand may. */
static void ask_for_registers(struct pmuctl_sampling *s)
{
	if (!(s->content & PMUCTL_SAMPLE_ADDR))
		return;
	s->content &= ~(uint64_t)(PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC);
	s->content |= PMUCTL_SAMPLE_REGS;
}

int event_sample(struct pmuctl_event *e, const struct pmuctl_sampling *sampling)
{
	struct pmuctl_sampling own = { .size = sizeof(own) };
	const struct pmuctl_info *info;
	struct pmu_facts facts;
	int err;

	if (!e)
		return -EINVAL;
	err = take_sized(e->ctx, &own, sampling, sizeof(own));
	if (!err)
		err = info_get(e->ctx, &info);
	if (!err)
		err = facts_get(e->ctx, &facts);
	if (!err)
		err = check_sampling(e, info, &own);
	if (err)
		return err;
	err = check_stack(e, &own);
	if (!err)
		err = force_overflow(e, &own);
	if (err)
		return err;
	make_precise(e, &facts, own.precise);
	own.precise = e->info.precise;
	err = check_precise(e, info, own.precise);
	if (!err && own.precise && own.period == 1)
		err = fail(e->ctx, -EINVAL, "event '%s': by PEBS the shortest period is 2",
			   e->info.name);
	if (!err)
		err = check_spread(e, &facts, &own);
	if (!err)
		err = check_retire(e, info, &own);
	if (own.precise && !e->info.gives_address)
		ask_for_registers(&own);
	if (!err)
		e->sampling = own;
	return err;
}

/* ---- as the kernel is asked for it ------------------------------------------ */

static const struct {
	uint64_t ours, kernels;
} contents[] = {
	{ PMUCTL_SAMPLE_ADDR, PMUCTL_CONTENT_ADDR },
	{ PMUCTL_SAMPLE_WEIGHT, PMUCTL_CONTENT_LATENCY },
	{ PMUCTL_SAMPLE_DATA_SRC, PMUCTL_CONTENT_DATA_SRC },
	{ PMUCTL_SAMPLE_REGS, PMUCTL_CONTENT_REGS },
	{ PMUCTL_SAMPLE_CHAIN, PMUCTL_CONTENT_CHAIN },
	{ PMUCTL_SAMPLE_BRANCHES, PMUCTL_CONTENT_BRANCHES },
	{ PMUCTL_SAMPLE_CALLS, PMUCTL_CONTENT_BRANCHES | PMUCTL_CONTENT_CALLS },
	{ PMUCTL_SAMPLE_STACK, PMUCTL_CONTENT_STACK },
	{ PMUCTL_SAMPLE_TOP, PMUCTL_CONTENT_TOP },
	{ PMUCTL_SAMPLE_COUNTS, PMUCTL_CONTENT_COUNTS },
};

/* Records before Haswell's have the next instruction's address: see BLOCK. */
static bool wants_block(const struct pmuctl_info *info, const struct pmuctl_sampling *s)
{
	return s->precise > 1 && info->pebs_format < 2 && info->lbr_depth;
}

uint64_t sample_content(const struct pmuctl_info *info, const struct pmuctl_sampling *s)
{
	uint64_t bits = (wants_block(info, s) ? PMUCTL_CONTENT_BLOCK : 0) |
			(wants_retire(info, s) ? PMUCTL_CONTENT_RETIRE : 0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(contents); i++)
		if (s->content & contents[i].ours)
			bits |= contents[i].kernels;
	return bits;
}
