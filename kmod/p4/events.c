// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the Pentium 4: which there are, every bit checked, then encoded.
 *
 * The table follows Intel's manual (tables 19-28 to 19-34) and its table of
 * registers; Documentation/errata.rst says where others differ.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/base/counters_text.h"
#include "kmod/p4/p4.h"

#define CCCR_GIVEN							\
	(CCCR_SELECT | CCCR_THREAD | CCCR_COMPARE | CCCR_COMPLEMENT |	\
	 CCCR_THRESHOLD | CCCR_EDGE | CCCR_FORCE_OVF)
#define CCCR_FILTER	(CCCR_COMPLEMENT | CCCR_THRESHOLD | CCCR_EDGE)

#define EVENT(group_, select_, code_, halves_, masks_, ...)		\
	{ .group = P4_##group_, .select = select_, .code = code_,	\
	  .halves = halves_, .masks = masks_, __VA_ARGS__ }
#define HAS(flags_)		.flags = (flags_)

static const struct pmuctl_p4_event events[] = {
	EVENT(BPU, 0, 0x03, P4_BOTH, 0x0001),	/* fetch requests */
	EVENT(BPU, 2, 0x03, P4_BOTH, 0x003a),	/* MOB replays */
	EVENT(BPU, 3, 0x18, P4_BOTH, 0x0007),	/* ITLB */
	EVENT(BPU, 4, 0x01, P4_BOTH, 0x0003, HAS(P4_TI)),	/* page walks */
	EVENT(BPU, 6, 0x03, P4_BOTH, 0xefff),	/* IOQ allocation */
	EVENT(BPU, 6, 0x1a, P4_SECOND, 0xefff),	/* IOQ entries */
	EVENT(BPU, 6, 0x17, P4_BOTH, 0x003f, HAS(P4_TI)),	/* bus data */
	EVENT(BPU, 6, 0x13, P4_BOTH, 0x0001),	/* not stopped */
	/* Select 6 is the FSB's; some tables say 3, which is the ITLB's. */
	EVENT(BPU, 6, 0x16, P4_BOTH, 0x007e, HAS(P4_TI)), /* back to back */
	EVENT(BPU, 6, 0x08, P4_BOTH, 0x0007, HAS(P4_TI)),	/* not ready */
	EVENT(BPU, 6, 0x06, P4_BOTH, 0x00c4, HAS(P4_TI)),	/* snoops */
	EVENT(BPU, 6, 0x04, P4_BOTH, 0x0306, HAS(P4_TI)),	/* responses */
	EVENT(BPU, 7, 0x0c, P4_BOTH, 0x073f),	/* L2, L3 */
	EVENT(BPU, 7, 0x05, P4_FIRST, 0x3fef),	/* BSQ allocation */
	EVENT(BPU, 7, 0x06, P4_SECOND, 0x3fef),	/* BSQ entries */
	EVENT(MS, 0, 0x05, P4_BOTH, 0x0001),	/* to the ROM */
	EVENT(MS, 0, 0x09, P4_BOTH, 0x0007),	/* uop queue */
	EVENT(MS, 1, 0x01, P4_BOTH, 0x00ff, HAS(P4_TI)), /* trace cache mode */
	EVENT(MS, 1, 0x06, P4_BOTH, 0x0010),	/* its flushes */
	EVENT(MS, 2, 0x04, P4_BOTH, 0x001e),	/* branches by type */
	EVENT(MS, 2, 0x05, P4_BOTH, 0x001e),	/* mispredicted ones */
	EVENT(FLAME, 1, 0x34, P4_BOTH, 0x8000, HAS(P4_TI)), /* SSE assists */
	EVENT(FLAME, 1, 0x08, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x0c, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x0a, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x0e, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x02, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x1a, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x04, P4_BOTH, 0x8000, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 1, 0x2e, P4_BOTH, 0x0018, HAS(P4_TI | P4_TAGS)),
	EVENT(FLAME, 2, 0x04, P4_BOTH, 0x0002),	/* load port */
	EVENT(FLAME, 2, 0x05, P4_BOTH, 0x0002),	/* store port */
	EVENT(FLAME, 2, 0x08, P4_BOTH, 0x0003),	/* split accesses */
	EVENT(FLAME, 5, 0x02, P4_BOTH, 0x000c),	/* cancelled */
	EVENT(FLAME, 5, 0x05, P4_BOTH, 0x0003, HAS(P4_TI)),	/* WC buffers */
	EVENT(IQ, 1, 0x01, P4_BOTH, 0x0020),	/* stalls */
	EVENT(IQ, 2, 0x02, P4_BOTH, 0x0006, HAS(P4_TAGS_FRONT)),
	EVENT(IQ, 4, 0x01, P4_BOTH, 0x0003),	/* uops retired */
	EVENT(IQ, 4, 0x02, P4_BOTH, 0x000f),	/* instructions */
	EVENT(IQ, 4, 0x03, P4_BOTH, 0x0001),	/* mispredictions */
	EVENT(IQ, 4, 0x07, P4_BOTH, 0x0003, .first_model = 3),	/* completed */
	EVENT(IQ, 5, 0x02, P4_BOTH, 0x0045),	/* machine clears */
	EVENT(IQ, 5, 0x03, P4_BOTH, 0x001f),	/* x87 assists */
	EVENT(IQ, 5, 0x06, P4_BOTH, 0x000f),	/* branches */
	EVENT(IQ, 5, 0x08, P4_BOTH, 0x0003, HAS(P4_PEBS | P4_FRONT_END)),
	EVENT(IQ, 5, 0x09, P4_BOTH, 0x0003, HAS(P4_PEBS | P4_REPLAY)),
	EVENT(IQ, 5, 0x0c, P4_BOTH, 0x00ff, HAS(P4_PEBS | P4_EXECUTION)),
};

/* Signatures below this have the IOQ's allocation in the first half only. */
#define IOQ_CODE		0x03
#define IOQ_SELECT		6
#define IOQ_BOTH_HALVES		0xf27

static unsigned int select_of(const struct pmuctl_event *event)
{
	return (event->cccr & CCCR_SELECT) >> CCCR_SELECT_SHIFT;
}

static unsigned int code_of(const struct pmuctl_event *event)
{
	return (event->evtsel & ESCR_CODE) >> ESCR_CODE_SHIFT;
}

static unsigned int masks_of(const struct pmuctl_event *event)
{
	return (event->evtsel & ESCR_MASK) >> ESCR_MASK_SHIFT;
}

static enum pmuctl_p4_group group_of(const struct pmuctl_event *event)
{
	return pmuctl_p4_group_of(__builtin_ctzll(event->allowed));
}

const struct pmuctl_p4_event *
pmuctl_p4_event(const struct pmuctl_event *event)
{
	const struct pmuctl_p4_event *row;

	for (row = events; row < events + ARRAY_SIZE(events); row++)
		if (row->group == group_of(event) &&
		    row->select == select_of(event) &&
		    row->code == code_of(event))
			return row;
	return NULL;
}

/* --- bits --- */

static int validate_escr(const struct pmuctl_event *event,
			 const struct pmuctl_why *why)
{
	u64 rings = event->evtsel & ESCR_RINGS;
	u32 flags = 0;

	if (event->evtsel & ~(ESCR_CODE | ESCR_MASK | ESCR_TAG |
			      ESCR_TAG_ENABLE | ESCR_RINGS))
		return pmuctl_why(why, -EINVAL,
				  "ESCR 0x%llx: it has 31 bits; leave the others 0",
				  event->evtsel);
	if (!rings)
		return 0;
	if (rings & (ESCR_T1_OS | ESCR_T1_USR) && pmuctl_caps.threads < 2)
		return pmuctl_why(why, -EINVAL,
				  "ESCR 0x%llx: bits 0x%llx are those of a second thread, which this processor does not have",
				  event->evtsel,
				  rings & (ESCR_T1_OS | ESCR_T1_USR));
	if (rings & (ESCR_T0_OS | ESCR_T1_OS))
		flags |= PMUCTL_EVENT_KERNEL;
	if (rings & (ESCR_T0_USR | ESCR_T1_USR))
		flags |= PMUCTL_EVENT_USER;
	if ((event->flags & (PMUCTL_EVENT_KERNEL | PMUCTL_EVENT_USER)) == flags)
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "ESCR 0x%llx: its rings (0x%llx) and the event's flags differ: make the flags 0x%x, or leave [3:0] 0",
			  event->evtsel, rings, flags);
}

static int validate_cccr(const struct pmuctl_event *event,
			 const struct pmuctl_why *why)
{
	u64 cccr = event->cccr;

	if (cccr & ~CCCR_GIVEN)
		return pmuctl_why(why, -EINVAL,
				  "CCCR 0x%llx: bits 0x%llx may not be set: they are the kernel's, or reserved",
				  cccr, cccr & ~CCCR_GIVEN);
	if (cccr & CCCR_FILTER && !(cccr & CCCR_COMPARE))
		return pmuctl_why(why, -EINVAL,
				  "CCCR 0x%llx: threshold, complement and edge (0x%llx) do nothing without compare (0x%llx): set it, or leave them 0",
				  cccr, cccr & CCCR_FILTER, CCCR_COMPARE);
	if (cccr & CCCR_THREAD && (cccr & CCCR_THREAD) != CCCR_THREAD_ANY &&
	    pmuctl_caps.threads < 2)
		return pmuctl_why(why, -EINVAL,
				  "CCCR 0x%llx: active threads (0x%llx) are for processors with two threads a core: leave them 0",
				  cccr, cccr & CCCR_THREAD);
	if (cccr & CCCR_FORCE_OVF && event->period != 1)
		return pmuctl_why(why, -EINVAL,
				  "CCCR 0x%llx: FORCE_OVF (0x%llx) interrupts at each event: it takes a period of 1",
				  cccr, CCCR_FORCE_OVF);
	return 0;
}

/* --- the event --- */

static int validate_group(const struct pmuctl_event *event,
			  const struct pmuctl_why *why)
{
	u32 group = pmuctl_p4_counters_of(group_of(event), P4_BOTH);
	struct pmuctl_text allowed;

	if (!(event->allowed & ~(u64)group))
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "event counters %s: they are of several groups, each with ESCRs of its own; name some of gp0-3, gp4-7, gp8-11 or gp12-17",
			  pmuctl_counters_text(event->allowed, &allowed));
}

static int no_event(const struct pmuctl_event *event,
		    const struct pmuctl_why *why)
{
	u32 group = pmuctl_p4_counters_of(group_of(event), P4_BOTH);
	struct pmuctl_text counters;

	return pmuctl_why(why, -EINVAL,
			  "ESCR 0x%llx, CCCR 0x%llx: there is no event 0x%02x at select %u of counters %s",
			  event->evtsel, event->cccr, code_of(event),
			  select_of(event),
			  pmuctl_counters_text(group, &counters));
}

static int validate_masks(const struct pmuctl_event *event,
			  const struct pmuctl_p4_event *row,
			  const struct pmuctl_why *why)
{
	unsigned int masks = masks_of(event);

	if (!masks)
		return pmuctl_why(why, -EINVAL,
				  "ESCR 0x%llx: its mask [24:9] is empty, so nothing would be counted; set some of 0x%x",
				  event->evtsel, row->masks);
	if (!(masks & ~row->masks))
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "ESCR 0x%llx: event 0x%02x has mask bits 0x%x, not 0x%x",
			  event->evtsel, row->code, row->masks,
			  masks & ~row->masks);
}

static int validate_model(const struct pmuctl_p4_event *row,
			  const struct pmuctl_why *why)
{
	unsigned int model = pmuctl_p4_model(&pmuctl_caps);

	if (model >= row->first_model)
		return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "event 0x%02x at select %u came with model %u of family 15; this is model %u",
			  row->code, row->select, row->first_model, model);
}

static int validate_tag(const struct pmuctl_event *event,
			const struct pmuctl_p4_event *row,
			const struct pmuctl_why *why)
{
	u64 tag = event->evtsel & ESCR_TAG;
	bool enable = event->evtsel & ESCR_TAG_ENABLE;

	if ((tag || enable) && !(row->flags & P4_TAGS))
		return pmuctl_why(why, -EINVAL,
				  "ESCR 0x%llx: event 0x%02x tags no uops: leave bits 0x%llx 0",
				  event->evtsel, row->code,
				  ESCR_TAG | ESCR_TAG_ENABLE);
	if (!tag == !enable)
		return 0;
	return pmuctl_why(why, -EINVAL,
			  "ESCR 0x%llx: a tag [8:5] and tag enable (bit 4) go together: set both, or none",
			  event->evtsel);
}

/* --- replay tags --- */

static const struct {
	u32 reg;
	u64 bits;
	const char *name;
} replay_regs[] = {
	{ PMUCTL_REG_REPLAY, P4_REPLAY_CAUSES, "REPLAY" },
	{ PMUCTL_REG_MATRIX_VERT, P4_MATRIX_BITS, "MATRIX_VERT" },
};

static const struct pmuctl_reg *extra_of(const struct pmuctl_event *event,
					 u32 reg)
{
	unsigned int i;

	for (i = 0; i < event->nr_extra; i++)
		if (event->extra[i].reg == reg && !event->extra[i].index)
			return &event->extra[i];
	return NULL;
}

static int validate_replay(const struct pmuctl_event *event,
			   const struct pmuctl_why *why)
{
	const struct pmuctl_reg *reg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(replay_regs); i++) {
		reg = extra_of(event, replay_regs[i].reg);
		if (!reg || !reg->value)
			return pmuctl_why(why, -EINVAL,
					  "event 0x%02x counts replays that register %s names: give it, with some of 0x%llx, or nothing would be counted",
					  code_of(event), replay_regs[i].name,
					  replay_regs[i].bits);
		if (reg->value & ~replay_regs[i].bits)
			return pmuctl_why(why, -EINVAL,
					  "register %s value 0x%llx: bits 0x%llx cannot be set; it has 0x%llx",
					  replay_regs[i].name, reg->value,
					  reg->value & ~replay_regs[i].bits,
					  replay_regs[i].bits);
	}
	return 0;
}

static int validate_extra(const struct pmuctl_event *event,
			  const struct pmuctl_p4_event *row,
			  const struct pmuctl_why *why)
{
	const struct pmuctl_reg *reg;

	for (reg = event->extra; reg < event->extra + event->nr_extra; reg++)
		if (!(row->flags & P4_REPLAY) || reg->index ||
		    (reg->reg != PMUCTL_REG_REPLAY &&
		     reg->reg != PMUCTL_REG_MATRIX_VERT))
			return pmuctl_why(why, -EINVAL,
					  "register %u, index %u, has no meaning for event 0x%02x at select %u: leave it out",
					  reg->reg, reg->index, row->code,
					  row->select);
	return row->flags & P4_REPLAY ? validate_replay(event, why) : 0;
}

/* --- the whole --- */

static u8 halves_of(const struct pmuctl_p4_event *row)
{
	if (row->group == P4_BPU && row->select == IOQ_SELECT &&
	    row->code == IOQ_CODE && pmuctl_caps.signature < IOQ_BOTH_HALVES)
		return P4_FIRST;
	return row->halves;
}

static int validate_counters(struct pmuctl_event *event,
			     const struct pmuctl_p4_event *row,
			     const struct pmuctl_why *why)
{
	u32 counters = pmuctl_p4_counters_of(row->group, halves_of(row)) &
		       pmuctl_caps.counters;
	struct pmuctl_text allowed, there;

	if (!(event->allowed & counters))
		return pmuctl_why(why, -EINVAL,
				  "event counters %s: event 0x%02x at select %u is on %s only",
				  pmuctl_counters_text(event->allowed,
						       &allowed),
				  row->code, row->select,
				  pmuctl_counters_text(counters, &there));
	event->allowed &= counters;
	return 0;
}

int pmuctl_p4_validate(struct pmuctl_event *event,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_p4_event *row = pmuctl_p4_event(event);
	int err = validate_group(event, why);

	if (!err)
		err = validate_escr(event, why);
	if (!err)
		err = validate_cccr(event, why);
	if (!err && !row)
		err = no_event(event, why);
	if (!err)
		err = validate_model(row, why);
	if (!err)
		err = validate_masks(event, row, why);
	if (!err)
		err = validate_tag(event, row, why);
	if (!err)
		err = validate_extra(event, row, why);
	if (!err)
		err = validate_counters(event, row, why);
	if (!err)
		err = pmuctl_p4_pebs_validate(event, row, why);
	if (err)
		return err;
	/* What is beside it on its ESCR, and on its core, may change. */
	event->again = true;
	event->sees_sibling = event->evtsel & ESCR_RINGS ||
			      row->flags & P4_TI;
	return 0;
}

/* --- encoding --- */

u32 pmuctl_p4_escr(const struct pmuctl_event *event, unsigned int thread)
{
	u32 escr = event->evtsel;

	if (escr & ESCR_RINGS)
		return escr;
	if (event->flags & PMUCTL_EVENT_KERNEL)
		escr |= thread ? ESCR_T1_OS : ESCR_T0_OS;
	if (event->flags & PMUCTL_EVENT_USER)
		escr |= thread ? ESCR_T1_USR : ESCR_T0_USR;
	return escr;
}

u32 pmuctl_p4_cccr(const struct pmuctl_event *event, unsigned int thread)
{
	u32 cccr = event->cccr | CCCR_ENABLE;

	if (!(cccr & CCCR_THREAD))
		cccr |= CCCR_THREAD_ANY;
	/* With PEBS the full buffer interrupts. */
	if (event->precise)
		return cccr;
	/* Also without samples: it goes on from there. */
	return cccr | (thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);
}

void pmuctl_p4_encode(struct pmuctl_event *event, struct pmuctl_reg *reg)
{
	const struct pmuctl_seat *seat = &event->seat[event->shown];

	event->slot = event->counter;
	event->pebs = event->precise ? BIT_ULL(event->counter) : 0;
	event->config = event->starter ?
			pmuctl_p4_cascade_cccr(event, event->shown) :
			pmuctl_p4_cccr(event, event->shown);
	reg[0].reg = PMUCTL_REG_ESCR;
	reg[0].index = seat->escr;
	reg[0].value = pmuctl_p4_escr(event, event->shown);
	reg[1].reg = PMUCTL_REG_CCCR;
	reg[1].index = seat->counter;
	reg[1].value = event->config;
}
