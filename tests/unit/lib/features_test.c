// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Features of the processor by their names: what is asked of the module, and what it answers.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"
#include "lib/pmuctl.h"
#include "tests/unit/lib/fake_kernel.h"

static struct pmuctl *ctx;

static int setup(void **state)
{
	(void)state;
	fake_skylake();
	fake_features();
	return pmuctl_open(NULL, &ctx);
}

static int teardown(void **state)
{
	(void)state;
	pmuctl_close(ctx);
	return 0;
}

/* The value that the last hold asks of a feature; -1: none. */
static int asked(uint32_t id)
{
	size_t i;

	for (i = 0; i < fake.nr_held; i++)
		if (fake.held[i].id == id)
			return (int)fake.held[i].value;
	return -1;
}

static void hold(const char *text)
{
	struct pmuctl_hold *held = NULL;

	assert_int_equal(pmuctl_hold_features(ctx, text, NULL, 0, &held), 0);
	assert_non_null(held);
	assert_int_equal(pmuctl_hold_release(held, NULL, NULL), 0);
}

/* All of the manuals', and of several for one the last. */
static void words_become_values(void **state)
{
	(void)state;
	hold("prefetch=off");
	assert_int_equal(fake.nr_held, 2);
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L2_STREAM), 1);
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L1_NEXT), 1);
	hold("prefetch=off,l1-next=on");
	assert_int_equal(fake.nr_held, 2);
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L2_STREAM), 1);
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L1_NEXT), 0);
	hold("l1-next=on,prefetch=off");
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L1_NEXT), 1);
	hold("llc-prefetch=1");
	assert_int_equal(fake.nr_held, 1);
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_LLC), 1);
	/* Off is what the processor says, not 1. */
	fake.features_list[0].row.off = 0;
	hold("l2-stream=off");
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L2_STREAM), 0);
	hold("l2-stream=on");
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L2_STREAM), 1);
}

static void cpus_are_named(void **state)
{
	const unsigned int cpus[] = { 1, 5 }, *also;
	struct pmuctl_hold *held;
	size_t count;

	(void)state;
	fake.also = 3;
	assert_int_equal(pmuctl_hold_features(ctx, "prefetch=off", cpus, 2, &held), 0);
	assert_int_equal(fake.nr_held_cpus, 2);
	also = pmuctl_hold_also(held, &count);
	assert_int_equal(count, 1);
	assert_int_equal(also[0], 3);
	assert_int_equal(pmuctl_hold_release(held, NULL, NULL), 0);
	assert_int_equal(fake.requests[PMUCTL_CMD_FEATURE_RELEASE], 1);
	assert_int_equal(pmuctl_hold_release(NULL, NULL, NULL), 0);
	assert_null(pmuctl_hold_also(NULL, &count));
}

struct listed {
	int l2, l1;			/* of which kinds, by bit */
};

static int list(void *data, const struct pmuctl_feature_info *f)
{
	struct listed *listed = data;

	if (f->level > 2)
		return 0;
	assert_non_null(f->cores);
	assert_int_equal(f->places_count, !strcmp(f->name, "l1-next") ? 2 : 1);
	if (!strcmp(f->name, "l2-stream"))
		listed->l2 |= !strcmp(f->cores, "p cores") ? 1 : 2;
	else if (!strcmp(f->name, "l1-next"))
		listed->l1 |= !strcmp(f->cores, "p cores") ? 1 : 2;
	return 0;
}

/* One that both kinds have is listed for each, and asked for once; a group is what is there. */
static void kinds_have_their_own(void **state)
{
	const unsigned int small = 2, big = 1;
	struct listed listed = { 0, 0 };
	struct pmuctl_hold *held;

	(void)state;
	fake_hybrid();
	fake_features();
	assert_int_equal(pmuctl_list_features(ctx, list, &listed), 0);
	assert_int_equal(listed.l2, 3);
	assert_int_equal(listed.l1, 1);
	hold("prefetch=off");
	assert_int_equal(fake.nr_held, 2);
	assert_int_equal(pmuctl_hold_features(ctx, "prefetch=off", &small, 1, &held), 0);
	assert_int_equal(fake.nr_held, 1);
	assert_int_equal(asked(PMUCTL_CPU_FEATURE_L2_STREAM), 1);
	pmuctl_hold_release(held, NULL, NULL);
	assert_int_equal(pmuctl_hold_features(ctx, "prefetch=off", &big, 1, &held), 0);
	assert_int_equal(fake.nr_held, 2);
	pmuctl_hold_release(held, NULL, NULL);
	/* By its name it is the module's to refuse. */
	assert_int_equal(pmuctl_hold_features(ctx, "l1-next=off", &small, 1, &held), 0);
	assert_int_equal(fake.nr_held, 1);
	pmuctl_hold_release(held, NULL, NULL);
	assert_int_equal(pmuctl_hold_features(ctx, "llc-page=off", NULL, 0, &held), -ENOENT);
	assert_non_null(strstr(pmuctl_error(ctx), "it has: l2-stream, l1-next, llc-prefetch"));
}

static void a_process_is_named(void **state)
{
	struct pmuctl_hold *held = NULL;

	(void)state;
	assert_int_equal(pmuctl_hold_features_for(ctx, "prefetch=off", 4321, &held), 0);
	assert_int_equal(fake.held_process, 4321);
	assert_int_equal(fake.nr_held_cpus, 0);
	assert_int_equal(pmuctl_hold_release(held, NULL, NULL), 0);
	hold("prefetch=off");
	assert_int_equal(fake.held_process, 0);
	assert_int_equal(pmuctl_hold_features_for(ctx, "prefetch=off", 0, &held), -ESRCH);
	assert_int_equal(pmuctl_hold_features_for(ctx, "prefetch=off", -1, &held), -ESRCH);
	assert_int_equal(pmuctl_hold_features_for(ctx, "prefetch=of", 1, &held), -EINVAL);
}

/* A module that would take no process. */
static void an_older_module_is_named(void **state)
{
	struct pmuctl_hold *held = NULL;

	(void)state;
	fake.features &= ~(uint64_t)PMUCTL_FEATURE_SWITCH_TASK;
	assert_int_equal(pmuctl_hold_features_for(ctx, "prefetch=off", 1, &held), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "install module and command of one version"));
	assert_int_equal(fake.requests[PMUCTL_CMD_FEATURE_HOLD], 0);
}

static void is_left(void *data, const struct pmuctl_left *left)
{
	assert_string_equal(left->name, "l2-stream");
	assert_int_equal(left->cpu, 4);
	assert_int_equal(left->wrote, 1);
	assert_int_equal(left->now, 0);
	++*(int *)data;
}

static void what_was_left_is_told(void **state)
{
	struct pmuctl_hold *held;
	int times = 0;

	(void)state;
	fake.left[0] = (struct pmuctl_feature_left){ PMUCTL_CPU_FEATURE_L2_STREAM, 4, 1, 0 };
	fake.nr_left = 1;
	assert_int_equal(pmuctl_hold_features(ctx, "prefetch=off", NULL, 0, &held), 0);
	assert_int_equal(pmuctl_hold_release(held, is_left, &times), 0);
	assert_int_equal(times, 1);
}

static void what_is_wrong(void **state)
{
	static const struct {
		const char *text;
		int err;
	} wrong[] = {
		{ "", -EINVAL }, { "prefetch", -EINVAL }, { "=off", -EINVAL }, { "prefetch=", -EINVAL },
		{ "prefetch=off,", -EINVAL }, { ",prefetch=off", -EINVAL }, { "prefetch=of", -EINVAL },
		{ "prefetch=-1", -EINVAL }, { "prefetch=off off", -EINVAL }, { "pre=off", -ENOENT },
		{ "prefetchx=off", -ENOENT }, { "tlb=off", -EOPNOTSUPP }, { "l3=off", -EOPNOTSUPP },
	};
	struct pmuctl_hold *held = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(pmuctl_check_features(ctx, wrong[i].text), wrong[i].err);
		assert_true(*pmuctl_error(ctx));
		assert_int_equal(pmuctl_hold_features(ctx, wrong[i].text, NULL, 0, &held),
				 wrong[i].err);
	}
	assert_null(held);
	assert_int_equal(pmuctl_check_features(ctx, NULL), -EINVAL);
	assert_int_equal(pmuctl_hold_features(ctx, "prefetch=off", NULL, 0, NULL), -EINVAL);
	assert_int_equal(pmuctl_list_features(ctx, NULL, NULL), -EINVAL);
	/* Nothing of all that was asked of the module. */
	assert_int_equal(fake.requests[PMUCTL_CMD_FEATURE_HOLD], 0);
}

static void names_are_known(void **state)
{
	(void)state;
	assert_true(pmuctl_is_feature("prefetch=off"));
	assert_true(pmuctl_is_feature("l1-next"));
	assert_true(pmuctl_is_feature("tlb=1"));
	assert_false(pmuctl_is_feature("l1-nex"));
	assert_false(pmuctl_is_feature("cpu=0"));
	assert_false(pmuctl_is_feature(""));
	assert_false(pmuctl_is_feature(NULL));
}

/* An answer that is not one. */
static void broken_answers(void **state)
{
	struct pmuctl_hold *held;

	(void)state;
	fake.no_reply = true;
	assert_int_equal(pmuctl_hold_features(ctx, "prefetch=off", NULL, 0, &held), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_become_values, setup, teardown),
		cmocka_unit_test_setup_teardown(cpus_are_named, setup, teardown),
		cmocka_unit_test_setup_teardown(kinds_have_their_own, setup, teardown),
		cmocka_unit_test_setup_teardown(a_process_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(an_older_module_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_left_is_told, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_wrong, setup, teardown),
		cmocka_unit_test_setup_teardown(names_are_known, setup, teardown),
		cmocka_unit_test_setup_teardown(broken_answers, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
