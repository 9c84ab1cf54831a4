// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else writes what is ours, or runs guests, and each way of looking sees it.
 */
#include "tests/unit/kmod/core_whole.h"

/* What is seen is seen by all that are there, and what is ours is put back. */
static void seen_by_all(void)
{
	assert_true(is_disturbed(&of.session));
	assert_true(is_disturbed(&other.session));
}

static void a_foreign_write_is_seen_by_who_goes(void **state)
{
	two_on_this_cpu();
	hw.disturbed = true;
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	seen_by_all();
	assert_true(pmuctl_cpus->regs.enabled == 2);
	assert_false(hw.disturbed);
}

static void a_foreign_write_is_seen_by_who_comes(void **state)
{
	two_on_this_cpu();
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	hw.disturbed = true;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	assert_true(is_disturbed(&other.session));
	/* It was not there. */
	assert_false(is_disturbed(&of.session));
}

static void a_foreign_write_is_seen_when_asked(void **state)
{
	two_on_this_cpu();
	hw.disturbed = true;
	pmuctl_cpu_check(pmuctl_cpus);
	seen_by_all();
	assert_true(hw.enabled[(hw.enables - 1) % 8] == 3);
}

static void a_foreign_write_is_seen_at_a_turn(void **state)
{
	two_on_this_cpu();
	hw.disturbed = true;
	pmuctl_cpu_turn(pmuctl_cpus, core_ns);
	seen_by_all();
}

/* And by an interrupt, once a tick. */
static void a_foreign_write_is_seen_by_an_interrupt(void **state)
{
	session_of(10, false, true);
	want(&a, true, false);
	happen(10);
	hw.disturbed = true;
	happen(10);
	assert_false(is_disturbed(&of.session));
	core_jiffies++;
	hw.disturbed = true;
	happen(10);
	assert_true(is_disturbed(&of.session));
}

/* Where virtual machines run, wherever it is looked for. */
static void guests_are_seen(void **state)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		session_of(0, false, false);
		of.session.trouble.counter = 0;
		core_cr4 = i == 0 ? X86_CR4_VMXE : 0;
		pmuctl_cpu_add(pmuctl_cpus, &of.session);
		core_cr4 = i == 1 ? X86_CR4_VMXE : 0;
		pmuctl_cpu_fold(&of.session);
		core_cr4 = i == 2 ? X86_CR4_VMXE : 0;
		pmuctl_cpu_remove(pmuctl_cpus, &of.session);
		assert_true(of.session.trouble.counter & PMUCTL_COUNT_GUESTS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(a_foreign_write_is_seen_by_who_goes),
		WHOLE(a_foreign_write_is_seen_by_who_comes),
		WHOLE(a_foreign_write_is_seen_when_asked),
		WHOLE(a_foreign_write_is_seen_at_a_turn),
		WHOLE(a_foreign_write_is_seen_by_an_interrupt),
		WHOLE(guests_are_seen),
	};

	return cmocka_run_group_tests_name("core foreign", tests, NULL, NULL);
}
