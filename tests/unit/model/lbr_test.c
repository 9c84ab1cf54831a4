// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU model's branch records: which branches are recorded, how each format
 * shows them, freezing, and the call stack.
 */
#include "tests/unit/model/host.h"

#define LBR 1u
#define FREEZE_LBR (1u << 11)
#define LBR_FRZ (UINT64_C(1) << 58)
#define MISPREDICTED (UINT64_C(1) << 63)
#define KERNEL_IP UINT64_C(0xffffffff81000000)

enum { MSR_SELECT = 0x1c8, MSR_TOP = 0x1c9, MSR_INFO = 0xdc0 };

static const struct shape {
	const char *profile;
	unsigned int depth, format;
	uint32_t from, to;
	bool info;
} shapes[] = {
	{ "core2", 4, 2, 0x40, 0x60, false },
	{ "nehalem", 16, 3, 0x680, 0x6c0, false },
	{ "sandybridge", 16, 3, 0x680, 0x6c0, false },
	{ "ivybridge", 16, 3, 0x680, 0x6c0, false },
	{ "haswell", 16, 4, 0x680, 0x6c0, false },
	{ "skylake", 32, 5, 0x680, 0x6c0, true },
	{ "icelake", 32, 5, 0x680, 0x6c0, true },
};

static uint64_t entry(struct host *h, const struct shape *s, uint32_t base, unsigned int back)
{
	uint64_t top = host_peek(h, MSR_TOP);

	return host_peek(h, base + (uint32_t)((top - back) & (s->depth - 1)));
}

/* Taken without a surprise once it has been there twice. */
static void train(struct host *h, uint64_t from, uint64_t to)
{
	for (int i = 0; i < 100; i++)
		host_branch_kind(h, from, to, PMU_JMP);
}

static void registers_of_each_depth(void **state)
{
	struct host h;
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *s = &shapes[i];

		host_new(&h, s->profile, 0);
		assert_int_equal(host_peek(&h, MSR_CAPABILITIES) & 0x3f, s->format);
		for (uint32_t n = 0; n < s->depth; n++) {
			host_wrmsr(&h, s->from + n, KERNEL_IP + n);
			host_wrmsr(&h, s->to + n, n + 1);
			assert_int_equal(host_peek(&h, s->from + n), KERNEL_IP + n);
			assert_int_equal(host_peek(&h, s->to + n), n + 1);
		}
		assert_int_not_equal(host_try_rdmsr(&h, s->from + s->depth, &value), PMU_DONE);
		assert_int_equal(host_try_rdmsr(&h, MSR_INFO, &value),
				 s->info ? PMU_DONE : PMU_FAULT);
		assert_int_equal(host_try_rdmsr(&h, 0x14ce, &value), PMU_FAULT);
		assert_int_equal(host_try_rdmsr(&h, 0x1500, &value), PMU_FAULT);
		host_wrmsr(&h, MSR_TOP, s->depth - 1);
		assert_int_equal(host_try_wrmsr(&h, MSR_TOP, s->depth), PMU_FAULT);
		pmu_reset(h.pmu);
		assert_int_equal(host_peek(&h, s->from), 0);
		assert_int_equal(host_peek(&h, MSR_TOP), 0);
		host_free(&h);
	}
}

static void others_have_none_of_these(void **state)
{
	static const char *const names[] = { "graniterapids-v2", "alderlake" };
	struct host h;
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		/* The second one has architectural ones: lbr_arch_test. */
		host_new(&h, names[i], 0);
		assert_int_equal(host_peek(&h, MSR_CAPABILITIES) & 0x3f, i ? 0x3f : 0);
		assert_int_equal(host_try_wrmsr(&h, MSR_DEBUGCTL, LBR), i ? PMU_DONE : PMU_FAULT);
		assert_false(h.hot.active);
		assert_int_equal(host_try_rdmsr(&h, 0x14ce, &value), i ? PMU_DONE : PMU_FAULT);
		assert_int_equal(host_try_rdmsr(&h, MSR_TOP, &value), PMU_FAULT);
		assert_int_equal(host_try_rdmsr(&h, 0x680, &value), PMU_FAULT);
		host_free(&h);
	}
}

static void asks_for_branches_only_while_on(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "nehalem", 0);
	assert_false(h.hot.active);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	assert_int_equal(h.hot.needs[PMU_KERNEL], PMU_NEED_BRANCH);
	assert_int_equal(h.hot.needs[PMU_USER], PMU_NEED_BRANCH);
	host_wrmsr(&h, MSR_DEBUGCTL, 0);
	assert_false(h.hot.active);
	host_free(&h);
	/* Its records have cycles, for which everything counts that takes some. */
	host_new(&h, "skylake", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	assert_int_equal(h.hot.needs[PMU_USER], PMU_NEED_ALL | PMU_NEED_KIND);
	host_free(&h);
}

static void the_ring_holds_the_last_ones(void **state)
{
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *s = &shapes[i];

		user_host(&h, s->profile, 0);
		train(&h, 0x1000, 0x2000);
		host_wrmsr(&h, MSR_DEBUGCTL, LBR);
		for (uint64_t n = 0; n < 100; n++)
			host_branch_kind(&h, 0x1000 + 16 * n, 0x900000, PMU_JMP);
		for (unsigned int back = 0; back < s->depth; back++) {
			assert_int_equal(entry(&h, s, s->from, back) & ~MISPREDICTED,
					 0x1000 + 16 * (99 - back));
			assert_int_equal(entry(&h, s, s->to, back), 0x900000);
		}
		/* Off, it stays as it is. */
		host_wrmsr(&h, MSR_DEBUGCTL, 0);
		host_branch_kind(&h, 0x77, 0x88, PMU_JMP);
		assert_int_equal(entry(&h, s, s->to, 0), 0x900000);
		host_free(&h);
	}
}

static void branches_not_taken_leave_none(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	host_branch(&h, 0x1000, false, 0x2000);
	assert_int_equal(host_peek(&h, MSR_TOP), 0);
	/* A jump to what stands behind it is one. */
	host_branch_kind(&h, 0x1000, 0x1002, PMU_JMP);
	assert_int_equal(host_peek(&h, MSR_TOP), 1);
	assert_int_equal(host_peek(&h, 0x6c1), 0x1002);
	host_free(&h);
}

static void mispredictions_show_where_the_format_says(void **state)
{
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *s = &shapes[i];
		uint64_t from;

		host_new(&h, s->profile, 0);
		host_wrmsr(&h, MSR_DEBUGCTL, LBR);
		/* Taken all along, the one that is not surprises, and so may the next. */
		for (int n = 0; n < 100; n++)
			host_branch(&h, KERNEL_IP, true, KERNEL_IP + 0x100);
		from = entry(&h, s, s->from, 0);
		assert_int_equal(from, s->format == 3 || s->format == 4 ?
				 KERNEL_IP & ~MISPREDICTED : KERNEL_IP);
		if (s->info)
			assert_int_equal(entry(&h, s, MSR_INFO, 0) & MISPREDICTED, 0);
		/* An indirect jump that goes elsewhere than ever before. */
		host_branch_kind(&h, KERNEL_IP, KERNEL_IP + 0x200, PMU_JMP_INDIRECT);
		assert_int_equal(entry(&h, s, s->from, 0), KERNEL_IP);
		if (s->info)
			assert_int_equal(entry(&h, s, MSR_INFO, 0) & MISPREDICTED, MISPREDICTED);
		host_free(&h);
	}
}

static void info_has_the_cycles_between(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	for (int n = 0; n < 100; n++) {
		host_run(&h, 39);
		host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	}
	/* Forty instructions, four a cycle. */
	assert_int_equal(entry(&h, &shapes[5], MSR_INFO, 0), 10);
	host_load(&h, 0x5000);			/* misses everything: 180 cycles */
	host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	assert_in_range(entry(&h, &shapes[5], MSR_INFO, 0), 180, 182);
	host_run(&h, 1000000);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	assert_int_equal(entry(&h, &shapes[5], MSR_INFO, 0), 0xffff);
	host_free(&h);
}

static void select_leaves_out(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "haswell", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	for (unsigned int kind = PMU_JCC; kind <= PMU_FAR; kind++) {
		uint64_t top = host_peek(&h, MSR_TOP);

		host_wrmsr(&h, MSR_SELECT, UINT64_C(4) << kind);
		host_branch_kind(&h, 0x1000, 0x2000, (enum pmu_branch_kind)kind);
		assert_int_equal(host_peek(&h, MSR_TOP), top);
		host_wrmsr(&h, MSR_SELECT, 0x1fc & ~(UINT64_C(4) << kind));
		host_branch_kind(&h, 0x1000, 0x2000, (enum pmu_branch_kind)kind);
		assert_int_equal(host_peek(&h, MSR_TOP), top + 1);
	}
	host_free(&h);
}

/* The ring is that of the target: what leads to ring 0 is a branch of ring 0. */
static void select_knows_rings(void **state)
{
	struct pmu_branch out = { .from = 0x1000, .to = KERNEL_IP, .fall = 0x1002,
				  .kind = PMU_FAR, .cls = PMU_KERNEL };
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	host_wrmsr(&h, MSR_SELECT, 1);
	pmu_branch(h.pmu, &out);
	pmu_interrupt(h.pmu, 0x1000, KERNEL_IP, PMU_KERNEL);
	assert_int_equal(host_peek(&h, MSR_TOP), 0);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	assert_int_equal(host_peek(&h, MSR_TOP), 1);
	host_wrmsr(&h, MSR_SELECT, 2);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	assert_int_equal(host_peek(&h, MSR_TOP), 1);
	pmu_branch(h.pmu, &out);
	pmu_interrupt(h.pmu, 0x3000, KERNEL_IP, PMU_KERNEL);
	assert_int_equal(host_peek(&h, MSR_TOP), 3);
	assert_int_equal(host_peek(&h, 0x683), 0x3000);
	assert_int_equal(host_peek(&h, 0x6c3), KERNEL_IP);
	host_free(&h);
}

static void select_bits(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "nehalem", 0);
	host_wrmsr(&h, MSR_SELECT, 0x1ff);
	assert_int_equal(host_try_wrmsr(&h, MSR_SELECT, 0x200), PMU_FAULT);
	host_free(&h);
	host_new(&h, "haswell", 0);
	host_wrmsr(&h, MSR_SELECT, 0x3ff);
	assert_int_equal(host_try_wrmsr(&h, MSR_SELECT, 0x400), PMU_FAULT);
	host_free(&h);
}

/* Where each loop overflows, the PMI freezes what led to it. */
static void freeze_on_pmi(void **state)
{
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *s = &shapes[i];
		bool streamlined = s->info;

		user_host(&h, s->profile, 0);
		host_wrmsr(&h, MSR_DEBUGCTL, LBR | FREEZE_LBR);
		host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
		host_wrmsr(&h, MSR_PMC0, (uint32_t)-50);
		for (uint64_t n = 0; n < 60; n++)
			host_branch_kind(&h, 0x1000 + 16 * n, 0x900000, PMU_JMP);
		assert_int_equal(h.pmis, 1);
		assert_int_equal(entry(&h, s, s->from, 0) & ~MISPREDICTED, 0x1000 + 16 * 49);
		assert_int_equal(host_peek(&h, MSR_DEBUGCTL) & LBR, streamlined);
		assert_int_equal(!!(host_peek(&h, MSR_STATUS) & LBR_FRZ), streamlined);
		/* And on. */
		if (streamlined)
			host_wrmsr(&h, MSR_STATUS_RESET, LBR_FRZ);
		else
			host_wrmsr(&h, MSR_DEBUGCTL, LBR | FREEZE_LBR);
		host_branch_kind(&h, 0x77770, 0x88880, PMU_JMP);
		assert_int_equal(entry(&h, s, s->to, 0), 0x88880);
		host_free(&h);
	}
}

static void call_stack(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "haswell", 0);
	host_wrmsr(&h, MSR_SELECT, 0x3c5 & ~UINT64_C(8) & ~UINT64_C(0x10));
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_CALL);
	host_branch_kind(&h, 0x2000, 0x3000, PMU_CALL_INDIRECT);
	host_branch_kind(&h, 0x3000, 0x3002, PMU_CALL);	/* to learn its own address */
	host_branch_kind(&h, 0x3010, 0x3020, PMU_JMP);
	host_branch_kind(&h, 0x3020, 0x4000, PMU_CALL);
	host_branch_kind(&h, 0x4000, 0x3022, PMU_RET);
	assert_int_equal(host_peek(&h, MSR_TOP), 2);
	assert_int_equal(host_peek(&h, 0x682) & ~MISPREDICTED, 0x2000);
	assert_int_equal(host_peek(&h, 0x683), 0);
	for (int n = 0; n < 5; n++)
		host_branch_kind(&h, 0x3000, 0x2002, PMU_RET);
	assert_int_equal(host_peek(&h, MSR_TOP), 0);
	host_free(&h);
}

/* A return too much, on a machine that looks at no entry: what is below comes to light. */
static void empty_pops(void **state)
{
	char why[100];
	struct host h;

	(void)state;
	user_host(&h, "haswell", 0);
	assert_true(pmu_silicon(h.pmu, "pops-empty", why, sizeof(why)));
	host_wrmsr(&h, MSR_SELECT, 0x3c5);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_CALL);
	host_branch_kind(&h, 0x2000, 0x3000, PMU_CALL);
	host_wrmsr(&h, 0x682, 0);
	host_branch_kind(&h, 0x4000, 0x3022, PMU_RET);
	assert_int_equal(host_peek(&h, MSR_TOP), 1);
	assert_int_equal(host_peek(&h, 0x681) & ~MISPREDICTED, 0x1000);
	host_branch_kind(&h, 0x4000, 0x3022, PMU_RET);
	host_branch_kind(&h, 0x4000, 0x3022, PMU_RET);
	assert_int_equal(host_peek(&h, MSR_TOP), 15);
	host_free(&h);
}

static void interrupts_are_records_but_no_branches(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_BRANCHES);
	host_wrmsr(&h, MSR_DEBUGCTL, LBR);
	pmu_interrupt(h.pmu, 0x1000, KERNEL_IP, PMU_KERNEL);
	assert_int_equal(host_peek(&h, MSR_TOP), 1);
	assert_int_equal(host_peek(&h, MSR_PMC0), 0);
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_of_each_depth),
		cmocka_unit_test(others_have_none_of_these),
		cmocka_unit_test(asks_for_branches_only_while_on),
		cmocka_unit_test(the_ring_holds_the_last_ones),
		cmocka_unit_test(branches_not_taken_leave_none),
		cmocka_unit_test(mispredictions_show_where_the_format_says),
		cmocka_unit_test(info_has_the_cycles_between),
		cmocka_unit_test(select_leaves_out),
		cmocka_unit_test(select_knows_rings),
		cmocka_unit_test(select_bits),
		cmocka_unit_test(freeze_on_pmi),
		cmocka_unit_test(call_stack),
		cmocka_unit_test(empty_pops),
		cmocka_unit_test(interrupts_are_records_but_no_branches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
