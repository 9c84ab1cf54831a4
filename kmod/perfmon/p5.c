// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend for the first Pentium, with MMX and without: one register, CESR,
 * has the events of both counters, and an overflow interrupts nobody.
 *
 * A count is a difference of 40 bits, so each counter is added up long before
 * it can have come round: at every switch, and by a timer (fold_every).  The
 * counters are read by RDMSR, since a Pentium without MMX has no RDPMC.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"

#define MSR_CESR		0x11
#define MSR_CTR			0x12

#define P5_COUNTERS		2
#define P5_WIDTH		40
#define P5_MASK			GENMASK_ULL(P5_WIDTH - 1, 0)

/* What CESR has of a counter; that of counter 1 is 16 bits further up. */
#define CESR_EVENT		GENMASK_ULL(5, 0)
#define CESR_KERNEL		BIT_ULL(6)	/* CPL 0 to 2 */
#define CESR_USER		BIT_ULL(7)	/* CPL 3 */
#define CESR_RINGS		(CESR_KERNEL | CESR_USER)
#define CESR_CLOCKS		BIT_ULL(8)
#define CESR_PIN		BIT_ULL(9)
#define CESR_FIELD		GENMASK_ULL(9, 0)
#define CESR_SHIFT		16
#define CESR_STOPS		(CESR_RINGS | CESR_RINGS << CESR_SHIFT)

/* Two of them a clock, at 9 GHz, would fill a counter in that time. */
#define FOLD_EVERY		(60 * 1000000000ULL)
/* Fewer bits, for tests, come round sooner than a timer can look. */
#define WIDTH_LEAST		24

#define EXECUTED		0x16

/* Codes, by bit: those that all have, and those of Pentiums with MMX. */
#define EVENTS_ALL		(GENMASK_ULL(0x0f, 0x00) |		\
				 GENMASK_ULL(0x1f, 0x12) |		\
				 GENMASK_ULL(0x29, 0x22))
#define EVENTS_MMX		GENMASK_ULL(0x3b, 0x2a)
/* Of the latter, which are another event on each counter, nothing on 1. */
#define FIRST_ALONE		BIT_ULL(0x39)

static const struct {
	u8 number;
	bool mmx;
} models[] = {
	{ 1, false }, { 2, false }, { 7, false }, { 4, true }, { 8, true },
};

/* What CESR holds. */
#define live			extra[0]

/* --- facts --- */

static int find_model(u32 signature)
{
	u32 number = pmuctl_model_id(signature) & PMUCTL_MODEL_NUMBER;
	int i = ARRAY_SIZE(models);

	while (i--)
		if (models[i].number == number)
			break;
	return i;
}

bool pmuctl_p5_has_mmx(const struct pmuctl_caps *caps)
{
	int i = find_model(caps->signature);

	return i >= 0 && models[i].mmx;
}

static u32 width(const struct pmuctl_caps *caps)
{
	return caps->overflow_bits ?: P5_WIDTH;
}

static int refuse_facts(const struct pmuctl_caps *caps)
{
	if (find_model(caps->signature) < 0 && !caps->allow_unsupported)
		return pmuctl_why(NULL, -ENODEV,
				  "model %u of family 5 is not known: 1, 2, 4, 7 and 8 are; allow_unsupported=1 drives it as one without MMX",
				  pmuctl_model_id(caps->signature) &
				  PMUCTL_MODEL_NUMBER);
	if (width(caps) < WIDTH_LEAST)
		return pmuctl_why(NULL, -EINVAL,
				  "overflow_bits=%u: an overflow of this PMU interrupts nobody, and a timer is too slow below %u",
				  caps->overflow_bits, WIDTH_LEAST);
	return 0;
}

static int p5_probe(struct pmuctl_caps *caps)
{
	u32 leaf[4];
	u64 value;

	if (!hw_rdmsr_safe(MSR_CESR, &value))
		return pmuctl_why(NULL, -ENODEV,
				  "CESR is not there: a hypervisor hides the PMU");
	hw_cpuid(1, leaf);
	caps->signature = leaf[0];
	caps->nr_gp = P5_COUNTERS;
	caps->gp_width = P5_WIDTH;
	caps->counters = GENMASK_ULL(P5_COUNTERS - 1, 0);
	caps->fold_every = FOLD_EVERY >> (P5_WIDTH - width(caps));
	/* The kernel has one bit for all that family 5 may have. */
	caps->nr_reserve = 1;
	caps->perfctr = MSR_CTR;
	caps->evntsel = MSR_CESR;
	return refuse_facts(caps);
}

/* --- events --- */

static int validate_bits(const struct pmuctl_event *event,
			 const struct pmuctl_why *why)
{
	u64 wrong = event->evtsel & ~(CESR_EVENT | CESR_CLOCKS | CESR_PIN);

	if (event->nr_extra)
		return pmuctl_why(why, -EINVAL,
				  "event register %u: no event of a Pentium needs one beside CESR; leave it out",
				  event->extra[0].reg);
	if (wrong & CESR_RINGS)
		return pmuctl_why(why, -EINVAL,
				  "event 0x%llx: an event has six bits, and bits 7:6 of CESR are its rings: use the event's user and kernel flags",
				  event->evtsel);
	if (wrong)
		return pmuctl_why(why, -EINVAL,
				  "event 0x%llx: bits 0x%llx may not be set: CESR has the event (5:0), clocks (8) and pin control (9) of a counter, no umask, edge, inv or cmask",
				  event->evtsel, wrong);
	return 0;
}

static int validate_code(const struct pmuctl_event *event, u64 code,
			 const struct pmuctl_why *why)
{
	const struct pmuctl_caps *caps = pmuctl_caps_of(event);

	if (code & EVENTS_ALL || caps->allow_unknown_events)
		return 0;
	if (!(code & EVENTS_MMX))
		return pmuctl_why(why, -EOPNOTSUPP,
				  "event 0x%02llx is reserved on every Pentium",
				  event->evtsel & CESR_EVENT);
	if (pmuctl_p5_has_mmx(caps))
		return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "event 0x%02llx came with MMX (models 4 and 8 of family 5), and this is a Pentium without",
			  event->evtsel & CESR_EVENT);
}

/* The same code is two events: who does not say which counter says neither. */
static int validate_counter(struct pmuctl_event *event, u64 code,
			    const struct pmuctl_why *why)
{
	u64 code_of = event->evtsel & CESR_EVENT;

	if (!(code & EVENTS_MMX))
		return 0;
	if (code & FIRST_ALONE) {
		event->allowed &= BIT_ULL(0);
		if (!event->allowed)
			return pmuctl_why(why, -EINVAL,
					  "event 0x%02llx exists on counter 0 only: ask for that",
					  code_of);
	}
	if (event->allowed & (event->allowed - 1))
		return pmuctl_why(why, -EINVAL,
				  "event 0x%02llx is another event on each counter: ask for one of them",
				  code_of);
	return 0;
}

static int p5_validate(struct pmuctl_event *event, const struct pmuctl_why *why)
{
	u64 code = BIT_ULL(event->evtsel & CESR_EVENT);
	int err = validate_bits(event, why);

	if (!err)
		err = validate_code(event, code, why);
	if (!err)
		err = validate_counter(event, code, why);
	return err;
}

static void p5_encode(struct pmuctl_event *event, struct pmuctl_reg *reg)
{
	event->slot = event->counter;
	event->config = event->evtsel;
	if (event->flags & PMUCTL_EVENT_USER)
		event->config |= CESR_USER;
	if (event->flags & PMUCTL_EVENT_KERNEL)
		event->config |= CESR_KERNEL;
	reg->reg = PMUCTL_REG_CESR;
	reg->index = event->counter;
	reg->value = event->config;
}

/* --- taking and giving back --- */

static const char *p5_foreign(void)
{
	if (hw_rdmsr(MSR_CESR) & CESR_STOPS)
		return "a counter is on in CESR that nobody reserved";
	return NULL;
}

/* CESR last: it starts what is restored. */
static const u32 saved_msrs[] = { MSR_CTR, MSR_CTR + 1, MSR_CESR };

static void p5_save(u64 *saved)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(saved_msrs); i++)
		saved[i] = hw_rdmsr(saved_msrs[i]);
}

/* Nothing is shared: no Pentium has threads. */
static void p5_adopt(u64 *saved, const u64 *of_sibling) { }

/* A counter is stopped, and set, while its event is still the one before. */
static void p5_stop(void)
{
	hw_wrmsr(MSR_CESR, hw_rdmsr(MSR_CESR) & ~CESR_STOPS);
}

static void p5_restore(const u64 *saved, bool shared)
{
	unsigned int i;

	p5_stop();
	for (i = 0; i < ARRAY_SIZE(saved_msrs); i++)
		hw_wrmsr(saved_msrs[i], saved[i]);
}

/* For tests near the end, so that it comes round. */
static u64 p5_rearm(unsigned int slot)
{
	u32 bits = pmuctl_caps.overflow_bits;
	u64 start = bits ? -BIT_ULL(bits) & P5_MASK : 0;

	hw_wrmsr(MSR_CTR + slot, start);
	return start;
}

/* Nothing happens when it overflows; nobody asks for it. */
static u64 p5_arm(unsigned int slot, u64 left)
{
	return p5_rearm(slot);
}

static void p5_reset(struct pmuctl_regs *regs)
{
	unsigned int i;

	p5_stop();
	for (i = 0; i < P5_COUNTERS; i++)
		p5_rearm(i);
	hw_wrmsr(MSR_CESR, 0);
	memset(regs, 0, sizeof(*regs));
}

/* An emulator may keep what is written and count nothing. */
static bool p5_moves(void)
{
	u64 before, after;

	hw_wrmsr(MSR_CESR, EXECUTED | CESR_KERNEL);
	before = hw_rdmsr(MSR_CTR);
	after = hw_rdmsr(MSR_CTR);
	p5_stop();
	p5_rearm(0);
	hw_wrmsr(MSR_CESR, 0);
	return after != before;
}

static const char *p5_pretends(struct pmuctl_regs *regs)
{
	u32 bits = pmuctl_caps.overflow_bits;

	if ((hw_rdmsr(MSR_CTR) & P5_MASK) !=
	    (bits ? -BIT_ULL(bits) & P5_MASK : 0))
		return "its counters do not keep what is written to them, as an emulator's that only announces a PMU";
	if (!p5_moves())
		return "its counters are stuck: they keep what is written to them, but instructions do not move them";
	return NULL;
}

/* --- counting --- */

static void p5_program(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event)
{
	unsigned int i = event->slot;

	if ((regs->evtsel[i] ^ event->config) & ~CESR_RINGS)
		regs->fresh |= BIT(i);
	regs->evtsel[i] = event->config;
}

static u64 p5_read(unsigned int slot)
{
	return hw_rdmsr(MSR_CTR + slot) & P5_MASK;
}

/*
 * "It must be stopped and cleared or preset before switching to a new event":
 * to where it stands, so that counts go on from there.
 */
static void preset(struct pmuctl_regs *regs, u32 fresh)
{
	unsigned int i;

	for (i = 0; i < P5_COUNTERS; i++)
		if (fresh & BIT(i))
			hw_wrmsr(MSR_CTR + i, p5_read(i));
	regs->fresh &= ~fresh;
}

/* One that stands still keeps the event that it had. */
static u64 wanted(const struct pmuctl_regs *regs, unsigned int i, u64 counters)
{
	if (counters & BIT_ULL(i))
		return regs->evtsel[i] << CESR_SHIFT * i;
	return regs->live & ((CESR_FIELD & ~CESR_RINGS) << CESR_SHIFT * i);
}

/* Always written: somebody else may have, see pmuctl_cpu_look(). */
static void p5_enable(struct pmuctl_regs *regs, u64 counters)
{
	u32 fresh = regs->fresh & counters;

	regs->enabled = counters;
	if (fresh)
		preset(regs, fresh);
	regs->live = wanted(regs, 0, counters) | wanted(regs, 1, counters);
	hw_wrmsr(MSR_CESR, regs->live);
}

/* With fewer bits a count is lost unless the timer looks in time. */
static u64 p5_mask(unsigned int slot)
{
	return GENMASK_ULL(width(&pmuctl_caps) - 1, 0);
}

static u64 p5_overflows(u64 ran)
{
	return 0;
}

static u32 p5_disturbed(const struct pmuctl_regs *regs)
{
	return hw_rdmsr(MSR_CESR) != regs->live ? MSR_CESR : 0;
}

static u32 p5_rdpmc(unsigned int slot)
{
	return slot;
}

#define VERBS								\
	.name = "p5",							\
	.first_reg = PMUCTL_REG_CESR,					\
	.probe = p5_probe,						\
	.validate = p5_validate,					\
	.encode = p5_encode,						\
	.foreign = p5_foreign,						\
	.save = p5_save,						\
	.adopt = p5_adopt,						\
	.restore = p5_restore,						\
	.reset = p5_reset,						\
	.pretends = p5_pretends,					\
	.program = p5_program,						\
	.enable = p5_enable,						\
	.read = p5_read,						\
	.mask = p5_mask,						\
	.rearm = p5_rearm,						\
	.arm = p5_arm,							\
	.overflows = p5_overflows,					\
	.disturbed = p5_disturbed

const struct pmuctl_backend pmuctl_p5 = { VERBS };

const struct pmuctl_backend pmuctl_p5_mmx = {
	VERBS,
	.user_index = p5_rdpmc,
};
