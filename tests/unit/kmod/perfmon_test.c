// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon backend against the model: what it finds, and what it counts.
 */
#include "tests/unit/kmod/perfmon_host.h"

/* --- probe --- */

static void facts(void **state)
{
	const struct profile *is = *state;

	assert_int_equal(pmuctl_caps.version, is->version);
	assert_int_equal(pmuctl_caps.nr_gp, is->gp);
	assert_int_equal(pmuctl_caps.nr_fixed, is->fixed);
	assert_int_equal(pmuctl_caps.gp_width, is->width);
	assert_int_equal(pmuctl_caps.fixed_width, is->width);
	assert_int_equal(pmuctl_caps.arch_events, is->arch_events);
	assert_true(pmuctl_caps.counters == is->counters);
	assert_int_equal(pmuctl_caps.any, is->any);
	assert_false(pmuctl_caps.arch_only);
	assert_int_equal(pmuctl_caps.evntsel, 0x186);
	assert_int_equal(pmuctl_caps.nr_reserve, is->gp);
	assert_true(perfmon->mask(0) == (UINT64_C(1) << is->width) - 1);
}

static struct pmuctl_caps probed;

static int probe_leaf(uint32_t eax, uint32_t ecx, uint32_t edx)
{
	bool allow = probed.allow_unsupported;

	memset(&probed, 0, sizeof(probed));
	probed.allow_unsupported = allow;
	fake.leaf_set = true;
	fake.leaf[0] = eax;
	fake.leaf[2] = ecx;
	fake.leaf[3] = edx;
	return perfmon->probe(&probed);
}

static int probe_of(uint32_t eax, uint32_t edx)
{
	return probe_leaf(eax, 0, edx);
}

static void refuses_what_it_does_not_know(void **state)
{
	(void)state;
	assert_int_equal(probe_of(0, 0), -ENODEV);
	assert_non_null(strstr(said, "no counters"));
	assert_int_equal(probe_of(0x07280201, 0), -ENODEV);
	assert_non_null(strstr(said, "version 1 "));
	assert_int_equal(probe_of(0x08300807, 0x604), -ENODEV);
	assert_non_null(strstr(said, "version 7 "));
	assert_non_null(strstr(said, "allow_unsupported=1"));
	assert_int_equal(probe_of(0x07300004, 0x603), -ENODEV);
	assert_non_null(strstr(said, "makes no sense"));
	assert_int_equal(probe_of(0x07000404, 0x603), -ENODEV);
	assert_int_equal(probe_of(0x07300404, 0x003), -ENODEV);
	assert_int_equal(probe_of(0x07300403, 0x603), 0);
	assert_int_equal(probe_of(0x08300805, 0x604), 0);
	assert_int_equal(probe_of(0x08300806, 0x604), 0);
}

static uint64_t counters_probed(void)
{
	return probed.counters & ~PMUCTL_METRICS;
}

/* Either way of announcing a fixed counter, from version 5 on. */
static void fixed_counters_of_version_5(void **state)
{
	(void)state;
	assert_int_equal(probe_leaf(0x08300805, 0xf, 0x600), 0);
	assert_true(counters_probed() == 0xf000000ff);
	assert_int_equal(probe_leaf(0x08300805, 0x8, 0x603), 0);
	assert_true(counters_probed() == 0xf000000ff);
	assert_int_equal(probe_leaf(0x08300805, 0x5, 0x600), 0);
	assert_true(counters_probed() == 0x5000000ff);
	assert_int_equal(probed.nr_fixed, 2);
	/* More than anybody knows what they count. */
	assert_int_equal(probe_leaf(0x08300805, 0xff, 0x605), 0);
	assert_true(counters_probed() == 0xf000000ff);
	/* Before, ECX is reserved; a fourth has to be there, as clouds announce it. */
	assert_int_equal(probe_leaf(0x08300804, 0xf, 0x604), 0);
	assert_true(counters_probed() == 0xf000000ff);
	assert_int_equal(probe_leaf(0x08300802, 0xf, 0x603), 0);
	assert_true(counters_probed() == 0x7000000ff);
	fake.hidden = MSR_FIXED0 + 3;
	assert_int_equal(probe_leaf(0x08300802, 0, 0x604), 0);
	assert_true(counters_probed() == 0x7000000ff);
	fake.hidden = 0;
}

/* Leaf 0AH has what all kinds of cores have, leaf 23H this one's; no loop skips a hole. */
static void leaf_23_is_of_this_core(void **state)
{
	(void)state;
	fake.leaf_23 = true;
	fake.gp_23 = 0xff;
	fake.fixed_23 = 0xf;
	assert_int_equal(probe_leaf(0x07300605, 0x7, 0x8603), 0);
	assert_true(counters_probed() == 0xf000000ff);
	assert_int_equal(probed.nr_gp, 8);
	assert_int_equal(probed.nr_fixed, 4);
	fake.fixed_23 = 0x77;
	fake.gp_23 = 0x2f;
	assert_int_equal(probe_leaf(0x07300805, 0x7, 0x8603), 0);
	assert_true(counters_probed() == 0x70000000f);
	fake.gp_23 = UINT32_MAX;
	assert_int_equal(probe_leaf(0x07300805, 0x7, 0x8603), 0);
	assert_int_equal(probed.nr_gp, 12);
	fake.leaf_23 = false;
}

/* Who has CFG_B by what can be reloaded, CFG_C by that or by PEBS; from version 6 on. */
static void counters_of_version_6(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_caps.version, 6);
	assert_true(pmuctl_caps.counters == 0xf000000ff);
	assert_true(pmuctl_caps.cfg_b == 0xf000000ff);
	assert_true(pmuctl_caps.cfg_c == 0xf000000ff);
	assert_true(pmuctl_caps.arch_only);
	assert_int_equal(pmuctl_caps.fixed_alone, 0);
	fake.leaf_23 = true;
	fake.gp_23 = 0xff;
	fake.fixed_23 = 0x77;
	assert_int_equal(probe_again(), 0);
	assert_true(pmuctl_caps.cfg_b == 0 && pmuctl_caps.cfg_c == 0);
	assert_int_equal(pmuctl_caps.fixed_alone, 0x70);
	fake.ext_23 = 1 << 2;
	assert_int_equal(probe_again(), 0);
	assert_true(pmuctl_caps.cfg_b == 0x7000000ff);
	assert_true(pmuctl_caps.cfg_c == 0x7000000ff);
	fake.ext_23 = 1 << 5;
	assert_int_equal(probe_again(), 0);
	assert_true(pmuctl_caps.cfg_b == 0);
	assert_true(pmuctl_caps.cfg_c == 0x7000000ff);
	fake.ext_23 = 1 << 2;
	assert_int_equal(probe_leaf(0x08300805, 0xf, 0x604), 0);
	assert_true(probed.cfg_b == 0 && probed.cfg_c == 0);
}

static void anythread_by_version(void **state)
{
	(void)state;
	assert_int_equal(probe_of(0x07300402, 0x603), 0);
	assert_false(probed.any);
	assert_int_equal(probe_of(0x07300403, 0x603), 0);
	assert_true(probed.any);
	assert_int_equal(probe_of(0x08300805, 0x604), 0);
	assert_true(probed.any);
	assert_int_equal(probe_of(0x08300805, 0x8604), 0);
	assert_false(probed.any);
}

static bool is_model(uint32_t signature, uint32_t core, const char *name)
{
	fake.signature = signature;
	fake.core = core;
	assert_int_equal(probe_of(0x08300805, 0x8604), 0);
	return probed.model ? name && !strcmp(probed.model->name, name) : !name;
}

/* The hybrid bit says nothing: the kind of this core does, and without it its counters. */
static void core_by_its_kind(void **state)
{
	(void)state;
	fake.hybrid = true;
	fake.without_core = false;
	assert_true(is_model(0x90672, 0x40000001, "goldencove"));
	assert_true(is_model(0x90672, 0x20000001, "gracemont"));
	assert_true(is_model(0xb0671, 0x40000001, "goldencove"));
	/* It does not say: slots are the big ones' alone. */
	assert_true(is_model(0x90672, 0, "goldencove"));
	assert_int_equal(probe_of(0x07300605, 0x8603), 0);
	assert_null(probed.model);
	assert_true(probed.arch_only);
	fake.hybrid = false;
	assert_true(is_model(0xb06e0, 0x20000001, "gracemont"));
	assert_true(is_model(0xb06e0, 0, "gracemont"));
	assert_true(is_model(0xd0670, 0, "goldencove"));
	assert_true(is_model(0xa06f3, 0x20000002, "crestmont"));
	assert_true(is_model(0xb0660, 0x20000002, "crestmont"));
	assert_true(is_model(0xa06d1, 0x40000002, "graniterapids"));
	assert_true(is_model(0xc06f2, 0, "sapphirerapids"));
	assert_true(is_model(0x506c9, 0, "goldmont"));
	assert_true(is_model(0x506f1, 0, "goldmont"));
	assert_true(is_model(0x706a8, 0, "goldmontplus"));
	assert_true(is_model(0x80665, 0, "tremont"));
}

/* Model 1 of family 18 is not model 1 of family 6, nor 0xf's of family 19 Merom. */
static void family_is_part_of_a_model(void **state)
{
	(void)state;
	assert_true(is_model(0x006f6, 0, "merom"));
	assert_true(is_model(0x300ff6, 0, NULL));
	assert_true(is_model(0x400ff6, 0, NULL));
	/* 0x8f of family 19. */
	assert_true(is_model(0x480ff0, 0, NULL));
	assert_true(is_model(0x806f8, 0, "sapphirerapids"));
}

/* What differs is refused with words; what is driven all the same is what all have. */
static void cpus_that_differ(void **state)
{
	struct pmuctl_caps first = pmuctl_caps, other = pmuctl_caps;

	(void)state;
	assert_null(pmuctl_unlike(&first, &other));
	other.core = first.core ^ 1;
	assert_non_null(strstr(pmuctl_unlike(&first, &other), "of another kind"));
	other.core = first.core;
	other.counters ^= 1 << 7;
	assert_non_null(strstr(pmuctl_unlike(&first, &other), "counters are others"));
	first.allow_unsupported = true;
	assert_non_null(strstr(pmuctl_unlike(&first, &other), "lacks counters"));
	other.counters = first.counters | 1 << 11;
	other.core = first.core ^ 1;
	assert_null(pmuctl_unlike(&first, &other));
	pmuctl_caps_narrow(&first, &other);
	assert_null(first.model);
	assert_true(first.arch_only);
	assert_false(first.has_pebs);
	assert_false(first.counters & PMUCTL_METRICS);
	assert_int_equal(first.extra_slots, 0);
}

static void version_7_by_name(void **state)
{
	(void)state;
	probed.allow_unsupported = true;
	assert_int_equal(probe_of(0x08300807, 0x604), 0);
	assert_true(probed.arch_only);
	assert_int_equal(probed.extra_slots, 0);
	probed.allow_unsupported = false;
}

/* --- counting --- */

static void counts_what_runs(void **state)
{
	struct pmuctl_event user = event_on(0, 0x00c0, PMUCTL_EVENT_USER);
	struct pmuctl_event fixed = event_on(32, 0x00c0, PMUCTL_EVENT_USER);
	struct pmuctl_event branches = event_on(1, 0x00c4, PMUCTL_EVENT_USER);
	uint64_t a, b, c;

	(void)state;
	perfmon->reset(&regs);
	perfmon->program(&regs, &user);
	perfmon->program(&regs, &fixed);
	perfmon->program(&regs, &branches);
	a = perfmon->read(user.slot);
	b = perfmon->read(fixed.slot);
	c = perfmon->read(branches.slot);
	perfmon->enable(&regs, 3 | FIXED_BIT(0));
	host_run(&cpu, 77);
	host_ring(&cpu, PMU_USER);
	host_run(&cpu, 1000);
	host_branch(&cpu, 0x400000, true, 0x400100);
	host_ring(&cpu, PMU_KERNEL);
	host_run(&cpu, 55);
	perfmon->enable(&regs, 0);
	assert_int_equal(perfmon->read(user.slot) - a, 1001);
	assert_int_equal(perfmon->read(fixed.slot) - b, 1001);
	assert_int_equal(perfmon->read(branches.slot) - c, 1);
}

static void writes_only_what_changes(void **state)
{
	struct pmuctl_event first = event_on(0, 0x00c0, PMUCTL_EVENT_USER);
	struct pmuctl_event fixed = event_on(33, 0x003c, PMUCTL_EVENT_USER);

	(void)state;
	perfmon->reset(&regs);
	writes = 0;
	perfmon->program(&regs, &first);
	perfmon->program(&regs, &fixed);
	assert_int_equal(writes, 2);
	perfmon->program(&regs, &first);
	perfmon->program(&regs, &fixed);
	assert_int_equal(writes, 2);
	perfmon->enable(&regs, 1);
	perfmon->enable(&regs, 0);
	assert_int_equal(writes, 4);
	/* The neighbour's four bits stay. */
	first = event_on(32, 0x00c0, PMUCTL_EVENT_KERNEL);
	perfmon->program(&regs, &first);
	assert_int_equal(host_peek(&cpu, MSR_FIXED_CTRL), 0xa9);
	/* Its own are replaced, not added to. */
	fixed = event_on(33, 0x003c, PMUCTL_EVENT_KERNEL);
	perfmon->program(&regs, &fixed);
	assert_int_equal(host_peek(&cpu, MSR_FIXED_CTRL), 0x99);
}

/* Folds as the module does: differences modulo the width. */
static uint64_t fold(unsigned int slot, uint64_t *last)
{
	uint64_t now = perfmon->read(slot), more = (now - *last) & perfmon->mask(slot);

	*last = now;
	return more;
}

static void overflow(unsigned int counter, uint64_t evtsel)
{
	struct pmuctl_event event = event_on(counter, evtsel, PMUCTL_EVENT_USER);
	uint64_t last, total = 0, pmis = cpu.pmis;

	pmuctl_caps.overflow_bits = 12;
	perfmon->reset(&regs);
	perfmon->program(&regs, &event);
	last = perfmon->read(event.slot);
	perfmon->enable(&regs, event.allowed);
	for (unsigned int i = 0; i < 100; i++) {
		host_ring(&cpu, PMU_USER);
		host_run(&cpu, 1234);
		host_ring(&cpu, PMU_KERNEL);
		/* Switches add up at any moment, before or after the wrap is seen. */
		if (i % 3 == 0)
			total += fold(event.slot, &last);
		if (cpu.pmis == pmis)
			continue;
		pmis = cpu.pmis;
		perfmon->enable(&regs, 0);
		assert_true(perfmon->overflows(0) == event.allowed);
		assert_int_equal(host_peek(&cpu, MSR_STATUS), 0);
		total += fold(event.slot, &last);
		last = perfmon->rearm(event.slot);
		assert_true(perfmon->read(event.slot) == last);
		perfmon->enable(&regs, event.allowed);
	}
	perfmon->enable(&regs, 0);
	total += fold(event.slot, &last);
	assert_int_equal(total, 123400);
	assert_in_range(pmis, 20, 31);
}

static void overflows_lose_nothing(void **state)
{
	(void)state;
	overflow(0, 0x00c0);
	cpu.pmis = 0;
	overflow(32, 0x00c0);
}

static void tells_when_somebody_wrote(void **state)
{
	(void)state;
	perfmon->reset(&regs);
	perfmon->enable(&regs, 1);
	assert_false(perfmon->disturbed(&regs));
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL, 0);
	assert_true(perfmon->disturbed(&regs));
}

/* A cloud's: four fixed counters, no PEBS, no word of the kind of core. */
static void version_2_of_a_cloud(void **state)
{
	(void)state;
	assert_string_equal(pmuctl_caps.model->name, "graniterapids");
	assert_int_equal(pmuctl_caps.core, 0);
	assert_false(pmuctl_caps.has_ds);
	assert_false(pmuctl_caps.has_pebs);
	assert_false(pmuctl_caps.capabilities);
	overflow(7, 0x00c0);
	cpu.pmis = 0;
	overflow(32, 0x00c0);
}

/* 31 bits of a legacy counter, whose sign is what is in all bits above; all but one else. */
static void armed_for_so_many(void **state)
{
	static const uint64_t lefts[] = { 1, 2, 10007, 0x7ffffffe, 0x7fffffff, 0x80000000,
					  0xffffffff, 0x100000000, UINT64_C(1) << 46,
					  UINT64_C(1) << 60 };
	static const unsigned int slots[] = { 0, 1, PMUCTL_GP_MAX, PMUCTL_GP_MAX + 1 };
	const struct profile *is = *state;
	bool wide = pmuctl_caps.capabilities & 1 << 13;
	uint64_t most = wide ? UINT64_C(1) << (is->width - 1) : 0x7fffffff, left;
	unsigned int i, k;

	assert_int_equal(wide, is->version > 3 || (is->gp == 8 && is->version > 2));
	perfmon->reset(&regs);
	for (i = 0; i < sizeof(lefts) / sizeof(lefts[0]); i++)
		for (k = 0; k < sizeof(slots) / sizeof(slots[0]); k++) {
			left = lefts[i] < most ? lefts[i] : most;
			assert_true(perfmon->arm(slots[k], lefts[i]) ==
				    (-left & perfmon->mask(slots[k])));
			assert_true(perfmon->read(slots[k]) == (-left & perfmon->mask(slots[k])));
			/* And far from any overflow again. */
			assert_true(perfmon->rearm(slots[k]) == perfmon->read(slots[k]));
			assert_true((-perfmon->read(slots[k]) & perfmon->mask(slots[k])) >= most);
		}
}

/* --- PERF_METRICS --- */

static uint64_t fields_with(uint32_t signature, bool metrics)
{
	fake.signature = signature;
	fake.metrics = metrics;
	assert_int_equal(probe_again(), 0);
	return pmuctl_caps.counters >> PMUCTL_METRIC_BASE;
}

/* Level 2 came with Sapphire Rapids; PEBS is on none of them. */
static void fields_by_model(void **state)
{
	const struct profile *is = *state;

	assert_int_equal(fields_with(is->signature, true), 0xf);
	assert_int_equal(pmuctl_caps.nr_fixed, 4);
	assert_int_equal(pmuctl_caps.pebs_counters >> PMUCTL_METRIC_BASE, 0);
	assert_int_equal(fields_with(0x806f8, true), 0xff);
	assert_int_equal(fields_with(0xc06f2, true), 0xff);
	/* Skylake, and one that nobody has told us about. */
	assert_int_equal(fields_with(0x506e3, true), 0);
	assert_int_equal(fields_with(0xff6f0, true), 0);
	/* The register is hidden. */
	fake.hidden = PMUCTL_MSR_METRICS;
	assert_int_equal(fields_with(is->signature, true), 0);
}

static void no_fields_before_version_5(void **state)
{
	assert_int_equal(fields_with(((const struct profile *)*state)->signature, true), 0);
}

static void a_field_has_no_register(void **state)
{
	struct pmuctl_event event = { .metric = true, .flags = 1, .counter = 50 };
	struct pmuctl_reg reg;

	(void)state;
	perfmon->encode(&event, &reg);
	assert_int_equal(reg.reg, PMUCTL_REG_METRIC);
	assert_int_equal(reg.index, 2);
	assert_true(reg.value == 0);
	assert_int_equal(event.slot, pmuctl_slot(35));
}

/* Written after the counter that it is made from. */
static void starts_from_0_with_its_slots(void **state)
{
	const struct profile *is = *state;

	fields_with(is->signature, true);
	perfmon->reset(&regs);
	host_wrmsr(&cpu, MSR_FIXED0 + 3, 123456);
	fake.fields = 0x40404039;
	writes = 0;
	assert_true(perfmon->metrics() == 0x40404039);
	assert_int_equal(writes, 0);
	perfmon->clear_metrics();
	assert_int_equal(writes, 2);
	assert_true(fake.slots_then == 0);
	assert_true(perfmon->read(pmuctl_slot(35)) == 0);
	assert_true(perfmon->metrics() == 0);
}

static void metrics_given_back_as_found(void **state)
{
	const struct profile *is = *state;
	u64 saved[PMUCTL_SAVED_MAX];

	fields_with(is->signature, true);
	host_wrmsr(&cpu, MSR_FIXED0 + 3, 123456);
	fake.fields = 0x40404039;
	perfmon->save(saved);
	perfmon->reset(&regs);
	perfmon->clear_metrics();
	perfmon->restore(saved, true);
	assert_true(host_peek(&cpu, MSR_FIXED0 + 3) == 123456);
	assert_true(fake.fields == 0x40404039);
	/* Otherwise the counter would have changed it since. */
	assert_true(fake.slots_then == 123456);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(facts),
		ON_EACH(refuses_what_it_does_not_know),
		ON(fixed_counters_of_version_5, icelake),
		ON(anythread_by_version, skylake),
		ON(leaf_23_is_of_this_core, icelake), ON(counters_of_version_6, perfmon6),
		ON(core_by_its_kind, icelake),
		ON(family_is_part_of_a_model, icelake), ON(cpus_that_differ, graniterapids),
		ON(version_7_by_name, skylake), ON(facts, graniterapids_v2),
		ON(version_2_of_a_cloud, graniterapids_v2),
		ON_EACH(counts_what_runs),
		ON_EACH(writes_only_what_changes),
		ON_EACH(overflows_lose_nothing),
		ON_EACH(tells_when_somebody_wrote),
		ON_EACH(armed_for_so_many),
		ON(fields_by_model, icelake),
		ON(no_fields_before_version_5, skylake),
		ON(a_field_has_no_register, icelake),
		ON(starts_from_0_with_its_slots, icelake),
		ON(metrics_given_back_as_found, icelake),
	};

	return cmocka_run_group_tests_name("perfmon", tests, NULL, NULL);
}
