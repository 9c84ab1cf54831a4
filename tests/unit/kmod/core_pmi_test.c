// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts that come while counters are added up, late, or for somebody else.
 */
#include "tests/unit/kmod/core_host.h"

static void nmi(u64 ip)
{
	struct pt_regs regs = { .ip = ip, .cs = 3 };

	core_lvtpc = APIC_DM_NMI | APIC_LVT_MASKED;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_HANDLED);
}

/* Ours mask it when they are delivered. */
static void somebody_elses_nmi(int answer)
{
	struct pt_regs regs = { .ip = 0x4444 };

	assert_int_equal(core_nmi(NMI_LOCAL, &regs), answer);
}

static void overflow(void)
{
	hw.counter[0] = 3;
	hw.status = 1;
}

static void overflow_while_busy(void)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	overflow();
	pmuctl_busy_begin(pmuctl_cpus);
}

static void the_first_of_two_while_busy_says_where(void **state)
{
	overflow_while_busy();
	nmi(0x1111);
	somebody_elses_nmi(NMI_DONE);
	assert_int_equal(taken.n, 0);
	pmuctl_busy_end(pmuctl_cpus);
	assert_int_equal(taken.n, 1);
	assert_int_equal(taken.ip[0], 0x1111);
	assert_false(pmuctl_cpus->missed);
	assert_false(pmuctl_cpus->busy);
}

/* An event that interrupts with each instruction would let none of those be that are busy. */
static void no_second_one_while_busy(void **state)
{
	overflow_while_busy();
	nmi(0x1111);
	assert_int_equal(core_lvtpc, APIC_DM_NMI | APIC_LVT_MASKED);
	pmuctl_busy_end(pmuctl_cpus);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	/* When not busy, whoever handles it lets the next one through. */
	overflow();
	nmi(0x2222);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	assert_int_equal(taken.n, 2);
	somebody_elses_nmi(NMI_DONE);
}

/* That an earlier one is masked says nothing of who sent this one. */
static void not_ours_while_busy(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	pmuctl_busy_begin(pmuctl_cpus);
	somebody_elses_nmi(NMI_DONE);
	nmi(0x1111);
	assert_int_equal(pmuctl_cpus->missed_at.ip, 0x1111);
	somebody_elses_nmi(NMI_DONE);
	pmuctl_pmi_expect(pmuctl_cpus, 1);
	somebody_elses_nmi(NMI_HANDLED);
	somebody_elses_nmi(NMI_DONE);
	pmuctl_busy_end(pmuctl_cpus);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	/* And the next time the mask says again that it is ours. */
	pmuctl_busy_begin(pmuctl_cpus);
	nmi(0x1111);
	pmuctl_busy_end(pmuctl_cpus);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
}

/* Between the end of a busy one and its going on. */
static void somebody_elses_at_the_end(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	pmuctl_busy_begin(pmuctl_cpus);
	nmi(0x1111);
	pmuctl_cpus->busy = false;
	somebody_elses_nmi(NMI_DONE);
	pmuctl_busy_missed(pmuctl_cpus);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
}

/* P6: nothing tells one from another's, and each may come. */
static void all_are_ours_where_none_need_mask(void **state)
{
	pmuctl_tried.lvtpc_stays = true;
	overflow_while_busy();
	somebody_elses_nmi(NMI_HANDLED);
	nmi(0x1111);
	somebody_elses_nmi(NMI_HANDLED);
	pmuctl_busy_end(pmuctl_cpus);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	assert_int_equal(taken.n, 1);
}

static void wrap(void)
{
	hw.during = NULL;
	hw.counter[0] = 1;
}

static void one_more(void)
{
	hw.during = wrap;
	nmi(0x3333);
	hw.status = 1;
}

/*
 * One that comes while a missed one is handled has a place of its own.  Only another's
 * lets one through then.
 */
static void one_that_comes_while_one_is_handled(void **state)
{
	overflow_while_busy();
	somebody_elses_nmi(NMI_DONE);
	hw.during = one_more;
	pmuctl_busy_end(pmuctl_cpus);
	assert_false(pmuctl_cpus->missed);
	assert_int_equal(pmuctl_cpus->at ? 1 : 0, 0);
	assert_int_equal(taken.n, 2);
	assert_int_equal(taken.ip[0], 0x4444);
	assert_int_equal(taken.ip[1], 0x3333);
	/* Nothing is left that nobody looks at. */
	assert_int_equal(hw.status, 0);
}

static void nothing_of_ours_is_left_to_others(void **state)
{
	struct pt_regs regs = { .ip = 1 };

	pmuctl_pmi_register();
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
	pmuctl_cpus->held = false;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
	/* Just given back: one may be on its way. */
	pmuctl_pmi_expect(pmuctl_cpus, 1);
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_HANDLED);
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
}

/* An NMI that finds nothing within a moment of what it was for, and after. */
static void what_comes_much_later_is_somebody_elses(void **state)
{
	struct pt_regs regs = { .ip = 1 };

	pmuctl_pmi_register();
	pmuctl_pmi_expect(pmuctl_cpus, 2);
	core_ns += 900000;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_HANDLED);
	core_ns += 200000;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
	/* And so is the next one, even if time stood still. */
	core_ns -= 200000;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
}

/* --- interrupts that never come --- */

static void on_this_cpu(void)
{
	of.set[0] = (struct pmuctl_set){ .nr = 1, .counted = 1, .counters = 1 };
	of.session.nr_sets = 1;
	of.session.nr_sampled = 1;
	pmuctl_cpus->cpu[0] = (struct pmuctl_run){
		.session = &of.session, .counts = &of.on.counts, .counters = 1,
	};
	pmuctl_cpus->nr_cpu = 1;
}

static void the_tick_finds_what_never_interrupted(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	on_this_cpu();
	pmuctl_cpu_tick(pmuctl_cpus, 0);
	assert_int_equal(taken.n, 0);
	/* Past its overflow by two periods, and whoever lost the PMI left it masked. */
	hw.counter[0] = 250;
	core_lvtpc = APIC_DM_NMI | APIC_LVT_MASKED;
	pmuctl_cpu_tick(pmuctl_cpus, 0);
	assert_int_equal(taken.n, 1);
	assert_int_equal(taken.period[0], 300);
	assert_int_equal(stalls, 1);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	assert_true(hw.counter[0] == (-50ull & MASK));
	assert_true(pmuctl_cpus->regs.enabled == 1);
	pmuctl_cpu_tick(pmuctl_cpus, 0);
	assert_int_equal(taken.n, 1);
	/* Should it be late, it is nobody else's. */
	somebody_elses_nmi(NMI_HANDLED);
	somebody_elses_nmi(NMI_DONE);
}

/* One that comes while the tick looks is handled as ever, and nothing has stalled. */
static void what_comes_while_the_tick_looks(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	on_this_cpu();
	overflow();
	pmuctl_busy_begin(pmuctl_cpus);
	nmi(0x1111);
	pmuctl_cpu_recover(pmuctl_cpus);
	assert_int_equal(taken.n, 0);
	pmuctl_busy_end(pmuctl_cpus);
	assert_int_equal(taken.n, 1);
	assert_int_equal(taken.ip[0], 0x1111);
	assert_int_equal(stalls, 0);
}

/* --- how PMIs are delivered --- */

static void deliver_masked(struct pmuctl_regs *regs)
{
	nmi(0);
}

static void deliver_unmasked(struct pmuctl_regs *regs)
{
	hw.status = 1;
	somebody_elses_nmi(NMI_HANDLED);
}

static void deliver_another(struct pmuctl_regs *regs)
{
	somebody_elses_nmi(NMI_DONE);
}

static void delivered(void (*by)(struct pmuctl_regs *regs))
{
	static struct pmuctl_backend trying;

	pmuctl_pmi_register();
	trying = backend;
	trying.pmi_try = by;
	pmuctl_backend = &trying;
	pmuctl_pmi_try();
	pmuctl_backend = &backend;
	assert_false(pmuctl_cpus->trying);
}

/* In this order: what was found out is not tried again. */
static void what_a_delivery_does_is_tried(void **state)
{
	delivered(deliver_another);
	assert_false(pmuctl_tried.lvtpc_stays);
	delivered(deliver_unmasked);
	assert_true(pmuctl_tried.lvtpc_stays);
	delivered(deliver_masked);
	assert_true(pmuctl_tried.lvtpc_stays);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_first_of_two_while_busy_says_where),
		TEST(no_second_one_while_busy),
		TEST(not_ours_while_busy),
		TEST(somebody_elses_at_the_end),
		TEST(all_are_ours_where_none_need_mask),
		TEST(one_that_comes_while_one_is_handled),
		TEST(nothing_of_ours_is_left_to_others),
		TEST(what_comes_much_later_is_somebody_elses),
		TEST(the_tick_finds_what_never_interrupted),
		TEST(what_comes_while_the_tick_looks),
		TEST(what_a_delivery_does_is_tried),
	};

	return cmocka_run_group_tests_name("core interrupts", tests, NULL, NULL);
}
