// SPDX-License-Identifier: GPL-2.0-only
/*
 * Last branch records of the perfmon backend against the model: what is recorded for
 * whom, what each format is brought to, and where another task's end.
 */
#include <linux/kernel.h>

#include "tests/unit/kmod/perfmon_host.h"

#include "kmod/pmu/lbr.h"

#define BRANCH_SELECT 0x1c8
#define BRANCH_TOP 0x1c9
#define BRANCH_INFO 0xdc0
/* Architectural: a list, the latest first. */
#define LIST 0x3f
#define LIST_CTL 0x14ce
#define LIST_DEPTH 0x14cf
#define LIST_INFO 0x1200
#define LBR 1u
#define FREEZE_LBR (1u << 11)
#define STATUS_LBR_FRZ (UINT64_C(1) << 58)
#define BIT63 (UINT64_C(1) << 63)
#define BITS62_61 (UINT64_C(3) << 61)
#define BIT60 (UINT64_C(1) << 60)
#define KERNEL UINT64_C(0xffffffff81000000)
#define PERIOD 1000

static const struct shape {
	const char *profile;
	unsigned int depth, format;
	uint32_t from, to;
} shapes[] = {
	{ "core2", 4, 2, 0x40, 0x60 },
	{ "nehalem", 16, 3, 0x680, 0x6c0 },
	{ "sandybridge", 16, 3, 0x680, 0x6c0 },
	{ "ivybridge", 16, 3, 0x680, 0x6c0 },
	{ "haswell", 16, 4, 0x680, 0x6c0 },
	{ "skylake", 32, 5, 0x680, 0x6c0 },
	{ "icelake", 32, 5, 0x680, 0x6c0 },
	{ "sapphirerapids", 32, LIST, 0x1500, 0x1600 },
	{ "graniterapids", 32, LIST, 0x1500, 0x1600 },
	{ "alderlake-p", 32, LIST, 0x1500, 0x1600 },
	{ "alderlake-n", 32, LIST, 0x1500, 0x1600 },
	{ "sierraforest", 32, LIST, 0x1500, 0x1600 },
	{ "tremont", 32, 5, 0x680, 0x6c0 },
	{ "goldmontplus", 32, 5, 0x680, 0x6c0 },
};

static const struct shape *shape_of(void **state)
{
	const struct profile *is = *state;
	unsigned int i = 0;

	while (strcmp(shapes[i].profile, is->name))
		i++;
	return &shapes[i];
}

static struct pmuctl_branch seen[PMUCTL_LBR_MAX];

static struct pmuctl_event with_branches(unsigned int counter, uint32_t flags)
{
	struct pmuctl_event event = {
		.evtsel = 0xc4, .allowed = UINT64_C(1) << counter, .flags = flags,
		.sampled = true, .period = PERIOD, .content = PMUCTL_CONTENT_BRANCHES,
		.counter = counter,
	};
	struct pmuctl_reg reg;

	assert_int_equal(perfmon->validate(&event, NULL), 0);
	perfmon->encode(&event, &reg);
	return event;
}

static void program(struct pmuctl_event event)
{
	perfmon->program(&regs, &event);
}

static void switch_on(uint32_t flags)
{
	perfmon->reset(&regs);
	program(with_branches(0, flags));
}

/* --- on and off --- */

static void facts(void **state)
{
	const struct shape *is = shape_of(state);
	struct pmuctl_event event = { .evtsel = 0xc4, .allowed = 1, .flags = 1, .sampled = true,
				      .period = PERIOD, .content = PMUCTL_CONTENT_BRANCHES };

	assert_int_equal(pmuctl_caps.lbr_depth, is->depth);
	if (is->depth)
		assert_int_equal(pmuctl_caps.lbr_format, is->format);
	assert_int_equal(perfmon->validate(&event, NULL), is->depth ? 0 : -EOPNOTSUPP);
}

/* DEBUGCTL has the ring on, a list has a register of its own; who leaves out what is told. */
static void recorded_is(const struct shape *is, uint64_t frozen, uint64_t select, uint64_t ctl)
{
	const uint64_t debugctl = host_peek(&cpu, MSR_DEBUGCTL) & (LBR | FREEZE_LBR);

	if (is->format == LIST) {
		assert_int_equal(debugctl, frozen);
		assert_int_equal(host_peek(&cpu, LIST_CTL), ctl);
		return;
	}
	assert_int_equal(debugctl, ctl ? LBR | frozen : 0);
	if (is->depth > 4 && ctl)
		assert_int_equal(host_peek(&cpu, BRANCH_SELECT), select);
}

/* Only while somebody wants them, and where LBR_SELECT is, only of the rings wanted. */
static void on_for_those_who_want_them(void **state)
{
	const struct shape *is = shape_of(state);
	struct pmuctl_event plain = event_on(0, 0xc0, PMUCTL_EVENT_USER);

	/* Somebody else's. */
	if (is->format == LIST)
		host_wrmsr(&cpu, LIST_CTL, 0x7f0007);
	perfmon->reset(&regs);
	recorded_is(is, 0, 0, 0);
	/* Linux single-steps branches. */
	host_wrmsr(&cpu, MSR_DEBUGCTL, 2);
	if (is->depth > 4 && is->format != LIST)
		host_wrmsr(&cpu, BRANCH_SELECT, 0x1fc);
	program(with_branches(0, PMUCTL_EVENT_USER));
	assert_int_equal(regs.lbr, PMUCTL_EVENT_USER);
	recorded_is(is, FREEZE_LBR, 1, 0x7f0005);
	/* A second one wants the other ring; the first goes; the second as well. */
	program(with_branches(1, PMUCTL_EVENT_KERNEL));
	recorded_is(is, FREEZE_LBR, 0, 0x7f0007);
	perfmon->program(&regs, &plain);
	assert_int_equal(regs.lbr, PMUCTL_EVENT_KERNEL);
	recorded_is(is, FREEZE_LBR, 2, 0x7f0003);
	plain = event_on(1, 0xc0, PMUCTL_EVENT_USER);
	perfmon->program(&regs, &plain);
	assert_int_equal(regs.lbr, 0);
	recorded_is(is, 0, 0, 0);
	assert_int_equal(host_peek(&cpu, MSR_DEBUGCTL), 2);
}

/* Somebody writes where branches are recorded: found, said, put right. */
static void what_others_write_is_put_right(void **state)
{
	const struct shape *is = shape_of(state);
	const uint32_t msr = is->format == LIST ? LIST_CTL : MSR_DEBUGCTL;

	switch_on(PMUCTL_EVENT_USER);
	assert_int_equal(perfmon->disturbed(&regs), 0);
	host_wrmsr(&cpu, msr, 0);
	assert_int_equal(perfmon->disturbed(&regs), msr);
	recorded_is(is, FREEZE_LBR, 1, 0x7f0005);
	assert_int_equal(perfmon->disturbed(&regs), 0);
	program(event_on(0, 0xc0, PMUCTL_EVENT_USER));
	assert_int_equal(perfmon->disturbed(&regs), 0);
	host_wrmsr(&cpu, msr, 1);
	assert_int_equal(perfmon->disturbed(&regs), msr);
	recorded_is(is, 0, 0, 0);
}

/* What was on before we came is on when we go. */
static void given_back(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX] = { 0 };

	(void)state;
	host_wrmsr(&cpu, LIST_DEPTH, 16);
	host_wrmsr(&cpu, LIST_CTL, 0x10001);
	perfmon->save(saved);
	switch_on(PMUCTL_EVENT_USER);
	assert_int_equal(host_peek(&cpu, LIST_DEPTH), 32);
	program(event_on(0, 0xc0, PMUCTL_EVENT_USER));
	assert_int_equal(host_peek(&cpu, LIST_CTL), 0);
	perfmon->restore(saved, true);
	assert_int_equal(host_peek(&cpu, LIST_DEPTH), 16);
	assert_int_equal(host_peek(&cpu, LIST_CTL), 0x10001);
}

/* Either way of freezing: the bit that the PMI takes, or one of the status. */
static void recorded_again_behind_an_interrupt(void **state)
{
	const struct profile *is = *state;

	switch_on(PMUCTL_EVENT_USER);
	pmu_pmi(cpu.pmu, false);
	host_ring(&cpu, PMU_USER);
	host_branch_kind(&cpu, 0x100, 0x200, PMU_JMP);
	host_ring(&cpu, PMU_KERNEL);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), 0);
	if (is->version >= 4)
		assert_true(host_peek(&cpu, MSR_STATUS) & STATUS_LBR_FRZ);
	perfmon->overflows(0);
	pmuctl_lbr_go(&regs);
	host_ring(&cpu, PMU_USER);
	host_branch_kind(&cpu, 0x300, 0x400, PMU_JMP);
	host_ring(&cpu, PMU_KERNEL);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), 1);
	assert_int_equal(seen[0].from, 0x300);
}

/* --- reading --- */

/* Round the ring twice: all of it, the latest first. */
static void the_latest_first(void **state)
{
	const struct shape *is = shape_of(state);
	unsigned int i, n = 2 * is->depth + 3;

	switch_on(PMUCTL_EVENT_USER);
	host_ring(&cpu, PMU_USER);
	for (i = 1; i <= n; i++)
		host_branch_kind(&cpu, 0x1000 * i, 0x1000 * i + 0x10, PMU_JMP);
	host_ring(&cpu, PMU_KERNEL);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), is->depth);
	for (i = 0; i < is->depth; i++) {
		assert_int_equal(seen[i].from, 0x1000 * (n - i));
		assert_int_equal(seen[i].to, 0x1000 * (n - i) + 0x10);
	}
}

/* At a switch, wherever in the ring: what comes behind the mark is all there is. */
static void a_mark_ends_another_tasks(void **state)
{
	const struct shape *is = shape_of(state);
	unsigned int before, behind, i;

	for (before = is->depth - 1; before <= is->depth + 1; before++)
		for (behind = 0; behind < 3; behind++) {
			switch_on(PMUCTL_EVENT_USER);
			host_ring(&cpu, PMU_USER);
			for (i = 0; i < before; i++)
				host_branch_kind(&cpu, 0x1000, 0x2000, PMU_JMP);
			host_ring(&cpu, PMU_KERNEL);
			pmuctl_lbr_mark(&regs);
			host_ring(&cpu, PMU_USER);
			for (i = 0; i < behind; i++)
				host_branch_kind(&cpu, 0x5000, 0x6000, PMU_JMP);
			host_ring(&cpu, PMU_KERNEL);
			assert_int_equal(pmuctl_lbr_read(&regs, seen), behind);
			for (i = 0; i < behind; i++)
				assert_int_equal(seen[i].from, 0x5000);
		}
	/* Nobody's while it is off. */
	program(event_on(0, 0xc0, PMUCTL_EVENT_USER));
	writes = 0;
	pmuctl_lbr_mark(&regs);
	assert_int_equal(writes, 0);
}

/* What was there before it is switched on is somebody else's. */
static void it_begins_empty(void **state)
{
	const struct shape *is = shape_of(state);
	unsigned int i;

	for (i = 0; i < is->depth; i++)
		host_wrmsr(&cpu, is->from + i, 0x1234);
	switch_on(PMUCTL_EVENT_USER);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), 0);
}

/* In registers, by format; and what is made of it. */
static const struct format_case {
	unsigned int format;
	bool tsx;
	uint64_t from, to;
	struct pmuctl_branch is;
} formats[] = {
	{ 0, false, UINT64_C(0x4012300401000), 0,
	  { 0x00401000, 0x00040123, 0 } },
	{ 1, false, KERNEL, 0x401000, { KERNEL, 0x401000, 0 } },
	{ 2, false, KERNEL, 0x401000, { KERNEL, 0x401000, 0 } },
	/* The misprediction is where the sign was. */
	{ 3, false, KERNEL & ~BIT63, KERNEL, { KERNEL, KERNEL, 0 } },
	{ 3, false, KERNEL, 0x401000, { KERNEL, 0x401000, BIT63 } },
	{ 3, false, 0x401000 | BIT63, 0x402000, { 0x401000, 0x402000, BIT63 } },
	{ 3, false, 0x401000, 0x402000, { 0x401000, 0x402000, 0 } },
	/* With transactions two bits more are flags... */
	{ 4, true, KERNEL & ~BIT63 & ~BITS62_61, KERNEL, { KERNEL, KERNEL, 0 } },
	{ 4, true, (KERNEL & ~BITS62_61) | BIT63, 0x401000, { KERNEL, 0x401000, BIT63 } },
	{ 4, true, 0x401000 | UINT64_C(1) << 62, 0x402000,
	  { 0x401000, 0x402000, UINT64_C(1) << 62 } },
	{ 4, true, 0x401000 | UINT64_C(1) << 61, 0x402000,
	  { 0x401000, 0x402000, UINT64_C(1) << 61 } },
	/* ... and without they are the address's. */
	{ 4, false, KERNEL & ~BIT63, KERNEL, { KERNEL, KERNEL, 0 } },
	{ 4, false, KERNEL, 0x401000, { KERNEL, 0x401000, BIT63 } },
	{ 4, false, 0x401000 | BIT63, 0x402000, { 0x401000, 0x402000, BIT63 } },
	{ 6, false, KERNEL & ~BIT63, (KERNEL & ~(UINT64_C(0xffff) << 48)) | UINT64_C(7) << 48,
	  { KERNEL, KERNEL, BIT60 | 7 } },
	{ 6, false, 0x401000 | BIT63, 0x402000 | UINT64_C(0xffff) << 48,
	  { 0x401000, 0x402000, BIT63 | BIT60 | 0xffff } },
};

static void formats_are_brought_into_one(void **state)
{
	const struct shape *is = shape_of(state);
	const struct format_case *c;

	switch_on(PMUCTL_EVENT_USER);
	host_wrmsr(&cpu, BRANCH_TOP, 1);
	host_wrmsr(&cpu, is->from, 0);
	for (c = formats; c < formats + ARRAY_SIZE(formats); c++) {
		host_wrmsr(&cpu, is->from + 1, c->from);
		host_wrmsr(&cpu, is->to + 1, c->to);
		pmuctl_caps.lbr_format = c->format;
		pmuctl_caps.has_tsx = c->tsx;
		assert_int_equal(pmuctl_lbr_read(&regs, seen), 1);
		if (memcmp(seen, &c->is, sizeof(c->is)))
			fail_msg("format %u of %#lx %#lx: %#llx %#llx %#llx", c->format,
				 (unsigned long)c->from, (unsigned long)c->to, seen[0].from,
				 seen[0].to, seen[0].info);
	}
}

/* A list says what kind each is, and whether it knows the cycles. */
static void kinds_and_cycles_of_a_list(void **state)
{
	static const struct {
		enum pmu_branch_kind kind;
		unsigned int type;
	} of[] = {
		{ PMU_RET, 5 }, { PMU_CALL, 4 }, { PMU_CALL_INDIRECT, 3 }, { PMU_JMP, 2 },
		{ PMU_JMP_INDIRECT, 1 }, { PMU_JCC, 0 },
	};
	struct pmuctl_event event = { .flags = PMUCTL_EVENT_USER };
	unsigned int i;

	(void)state;
	switch_on(PMUCTL_EVENT_USER);
	host_ring(&cpu, PMU_USER);
	for (i = ARRAY_SIZE(of); i--; )
		host_branch_kind(&cpu, 0x1000 * (i + 1), 0x800, of[i].kind);
	host_ring(&cpu, PMU_KERNEL);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), ARRAY_SIZE(of));
	for (i = 0; i < ARRAY_SIZE(of); i++) {
		assert_int_equal(seen[i].from, 0x1000 * (i + 1));
		assert_int_equal(seen[i].info >> 56 & 0xf, of[i].type);
	}
	/* It goes on behind a reading. */
	assert_int_equal(host_peek(&cpu, LIST_CTL), 0x7f0005);
	seen[0].info = BIT63 | 17;
	seen[1].info = BIT60 | 17;
	assert_int_equal(pmuctl_lbr_filter(&event, seen, 2), 2);
	assert_int_equal(seen[0].info, BIT63);
	assert_int_equal(seen[1].info, BIT60 | 17);
}

/* Who reads branches as well, and that moves entries where the kernel's are recorded. */
static void reading_moves_nothing(void **state)
{
	static const uint32_t rings[] = {
		PMUCTL_EVENT_USER, PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL,
	};
	unsigned int i, k, n = 5;

	(void)state;
	for (k = 0; k < ARRAY_SIZE(rings); k++) {
		switch_on(rings[k]);
		host_ring(&cpu, PMU_USER);
		for (i = 1; i <= n; i++)
			host_branch_kind(&cpu, 0x1000 * i, 0x1000 * i + 0x10, PMU_JMP);
		host_ring(&cpu, PMU_KERNEL);
		fake.branching = KERNEL;
		writes = 0;
		assert_int_equal(pmuctl_lbr_read(&regs, seen), n);
		fake.branching = 0;
		for (i = 0; i < n; i++) {
			assert_int_equal(seen[i].from, 0x1000 * (n - i));
			assert_int_equal(seen[i].to, 0x1000 * (n - i) + 0x10);
		}
		/* Where it does not move there is nothing to stop; it goes on as it was. */
		assert_int_equal(writes, k ? 2 : 0);
		assert_int_equal(host_peek(&cpu, LIST_CTL), k ? 0x7f0007 : 0x7f0005);
	}
}

/* Not as architectural as it says: nobody has to guess what is in an entry. */
static void lists_that_do_not_say_all_are_left_alone(void **state)
{
	static const uint32_t lacks[][4] = {
		{ 0, 7, 7 }, { 0xf0, 7, 7 }, { 0xb, 6, 7 }, { 0xb, 5, 7 }, { 0xb, 7, 5 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lacks); i++) {
		fake.branches = lacks[i];
		assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
		assert_int_equal(pmuctl_caps.lbr_depth, 0);
	}
	fake.branches = (const uint32_t[4]){ 0x3, 3, 7 };
	assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
	assert_int_equal(pmuctl_caps.lbr_depth, 16);
	assert_false(pmuctl_caps.has_lbr_calls);
	fake.branches = NULL;
	fake.hidden = LIST_CTL;
	assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
	assert_int_equal(pmuctl_caps.lbr_depth, 0);
}

/* By a register of its own, beside each. */
static void flags_and_cycles_beside(void **state)
{
	const struct shape *is = shape_of(state);
	unsigned int i;

	switch_on(PMUCTL_EVENT_USER);
	host_wrmsr(&cpu, BRANCH_TOP, 2);
	for (i = 1; i < 3; i++) {
		host_wrmsr(&cpu, is->from + i, KERNEL + i);
		host_wrmsr(&cpu, is->to + i, 0x401000 + i);
		host_wrmsr(&cpu, BRANCH_INFO + i, BIT63 | i);
	}
	assert_int_equal(pmuctl_lbr_read(&regs, seen), 2);
	assert_int_equal(seen[0].info, BIT63 | 2);
	assert_int_equal(seen[1].info, BIT63 | 1);
	assert_int_equal(seen[1].from, KERNEL + 1);
	assert_int_equal(seen[1].to, 0x401001);
}

/* --- calls under way --- */

static struct pmuctl_event with_calls(uint32_t flags)
{
	struct pmuctl_event event = with_branches(0, flags);
	struct pmuctl_reg reg;

	event.content |= PMUCTL_CONTENT_CALLS;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	perfmon->encode(&event, &reg);
	return event;
}

static void calls_where_they_can_be(void **state)
{
	const struct profile *is = *state;
	const bool can = !strcmp(is->name, "haswell") || shape_of(state)->format >= 5;
	struct pmuctl_event event = { .evtsel = 0xc4, .allowed = 1, .sampled = true,
				      .period = PERIOD, .flags = PMUCTL_EVENT_KERNEL,
				      .content = PMUCTL_CONTENT_BRANCHES | PMUCTL_CONTENT_CALLS };

	assert_int_equal(perfmon->validate(&event, NULL), can ? -EINVAL : -EOPNOTSUPP);
	event.flags |= PMUCTL_EVENT_USER;
	assert_int_equal(perfmon->validate(&event, NULL), can ? 0 : -EOPNOTSUPP);
}

static void call(uint64_t from)
{
	host_branch_kind(&cpu, from, 2 * from, PMU_CALL);
}

static void begin_calls(void)
{
	perfmon->reset(&regs);
	program(with_calls(PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL));
	host_ring(&cpu, PMU_USER);
}

/* Calls and returns of user mode alone; the PMI does not freeze them. */
static void calls_are_a_stack(void **state)
{
	begin_calls();
	recorded_is(shape_of(state), 0, 0x3c5, 0x38000d);
	call(0x1000);
	call(0x3000);
	host_branch_kind(&cpu, 0x6000, 0x6100, PMU_JMP);
	call(0x6100);
	host_branch_kind(&cpu, 0xc200, 0x6105, PMU_RET);
	pmu_pmi(cpu.pmu, false);
	host_ring(&cpu, PMU_KERNEL);
	call(KERNEL);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), 2);
	assert_int_equal(seen[0].from, 0x3000);
	assert_int_equal(seen[1].from, 0x1000);
	/* Others want the branches themselves: nothing of this is left. */
	program(with_branches(0, PMUCTL_EVENT_USER));
	recorded_is(shape_of(state), FREEZE_LBR, 1, 0x7f0005);
	assert_int_equal(pmuctl_lbr_read(&regs, seen), 0);
}

/* One that has fewer, none, and more than there is room for; and each comes back to its own. */
static void calls_go_with_their_task(void **state)
{
	const struct shape *is = shape_of(state);
	const unsigned int deep[] = { 3, 0, is->depth + 5, 1 };
	static struct pmuctl_calls of[4];

	begin_calls();
	for (unsigned int t = 0; t < 4; t++) {
		pmuctl_lbr_put(NULL);
		for (unsigned int i = 1; i <= deep[t]; i++)
			call(0x1000 * (t + 1) + i);
		pmuctl_lbr_keep(&of[t]);
		assert_int_equal(of[t].nr, min_t(unsigned int, deep[t], is->depth));
	}
	for (unsigned int t = 0; t < 8; t++) {
		unsigned int n = of[t % 4].nr, last = deep[t % 4];

		pmuctl_lbr_put(&of[t % 4]);
		assert_int_equal(pmuctl_lbr_read(&regs, seen), n);
		for (unsigned int i = 0; i < n; i++)
			assert_int_equal(seen[i].from, 0x1000 * (t % 4 + 1) + last - i);
		/* It returns from them all, and once too often: nobody else's come to light. */
		for (unsigned int i = 0; i <= n; i++)
			host_branch_kind(&cpu, 0x9000, 0x9100, PMU_RET);
		assert_int_equal(pmuctl_lbr_read(&regs, seen), 0);
		call(0x7000);
		assert_int_equal(pmuctl_lbr_read(&regs, seen), 1);
	}
	pmuctl_lbr_mark(&regs);
	for (unsigned int i = 0; i < is->depth; i++)
		assert_int_equal(host_peek(&cpu, is->from + i), 0);
}

/* One that pops also where there is nothing. */
static void calls_go_where_nothing_is_popped(void **state)
{
	char why[200];

	assert_true(pmu_silicon(cpu.pmu, "pops-empty", why, sizeof(why)));
	calls_go_with_their_task(state);
}

/* Whether a list can be written and emptied while it is on no manual says. */
static void lists_that_are_on_are_let_be(void **state)
{
	char why[200];

	assert_true(pmu_silicon(cpu.pmu, "lbr-unwritten", why, sizeof(why)));
	the_latest_first(state);
	a_mark_ends_another_tasks(state);
	calls_are_a_stack(state);
	calls_go_with_their_task(state);
}

/* --- what an event may see --- */

static void an_event_sees_its_rings(void **state)
{
	static const struct pmuctl_branch all[] = {
		{ 0x1000, 0x2000, 1 }, { KERNEL, 0x3000, 2 },
		{ 0x4000, KERNEL, 3 }, { KERNEL, KERNEL + 1, 4 },
	};
	struct pmuctl_event event = { .flags = PMUCTL_EVENT_USER };
	struct pmuctl_branch kept[4];

	(void)state;
	/* Whatever the one before this has left. */
	pmuctl_caps.lbr_format = 0;
	memcpy(kept, all, sizeof(all));
	assert_int_equal(pmuctl_lbr_filter(&event, kept, 4), 2);
	assert_memory_equal(&kept[0], &all[0], sizeof(all[0]));
	/* Nobody tells it from where. */
	assert_int_equal(kept[1].from, 0);
	assert_int_equal(kept[1].to, 0x3000);
	event.flags = PMUCTL_EVENT_KERNEL;
	memcpy(kept, all, sizeof(all));
	assert_int_equal(pmuctl_lbr_filter(&event, kept, 4), 2);
	assert_int_equal(kept[0].from, 0);
	assert_int_equal(kept[0].info, 3);
	assert_int_equal(kept[1].from, KERNEL);
	event.flags = PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL;
	memcpy(kept, all, sizeof(all));
	assert_int_equal(pmuctl_lbr_filter(&event, kept, 4), 4);
	assert_memory_equal(kept, all, sizeof(all));
}

#define ON_THOSE_WITH(test)						\
	ON(test, core2), ON(test, nehalem), ON(test, sandybridge),	\
	ON(test, ivybridge), ON(test, haswell), ON(test, skylake),	\
	ON(test, icelake), ON(test, sapphirerapids)
#define ON_LISTS(test)							\
	ON(test, sapphirerapids), ON(test, graniterapids),		\
	ON(test, alderlake_n), ON(test, sierraforest)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(facts),
		ON_THOSE_WITH(on_for_those_who_want_them),
		ON(what_others_write_is_put_right, skylake),
		ON_LISTS(what_others_write_is_put_right),
		ON_LISTS(given_back),
		ON_LISTS(kinds_and_cycles_of_a_list),
		ON_LISTS(reading_moves_nothing),
		ON(lists_that_do_not_say_all_are_left_alone, sapphirerapids),
		ON_THOSE_WITH(recorded_again_behind_an_interrupt),
		ON_THOSE_WITH(the_latest_first),
		ON_THOSE_WITH(a_mark_ends_another_tasks),
		ON_THOSE_WITH(it_begins_empty),
		ON(formats_are_brought_into_one, core2),
		ON(formats_are_brought_into_one, haswell),
		ON(flags_and_cycles_beside, skylake),
		ON(flags_and_cycles_beside, icelake),
		ON_EACH(calls_where_they_can_be),
		ON(calls_are_a_stack, haswell), ON(calls_are_a_stack, skylake),
		ON(calls_are_a_stack, icelake), ON(calls_are_a_stack, sapphirerapids),
		ON(calls_go_with_their_task, haswell), ON(calls_go_with_their_task, skylake),
		ON(calls_go_with_their_task, sapphirerapids),
		ON(calls_go_where_nothing_is_popped, skylake),
		ON(calls_go_where_nothing_is_popped, sapphirerapids),
		ON_LISTS(lists_that_are_on_are_let_be),
		cmocka_unit_test(an_event_sees_its_rings),
	};

	return cmocka_run_group_tests_name("perfmon branches", tests, NULL, NULL);
}
