// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon backend against the model: it refuses what is somebody else's, and what it took it
 * gives back as it was found, with everything in use.
 */
#include "tests/unit/kmod/perfmon_host.h"

#define STATUS_OF_BUFFER (UINT64_C(1) << 62)

struct found {
	unsigned int n;
	uint64_t value[64];
};

static void note(void *data, uint32_t msr, uint64_t value)
{
	struct found *found = data;

	assert_true(found->n + 2 <= 64);
	found->value[found->n++] = msr;
	found->value[found->n++] = value;
}

static struct found look(void)
{
	struct found found = { 0 };

	host_boundary(&cpu);
	pmu_each_changed_msr(cpu.pmu, note, &found);
	return found;
}

/* As perf leaves a PMU: selects that are off, GLOBAL_CTRL all ones, a status of records. */
static void leave_traces(void)
{
	for (unsigned int i = 0; i < pmuctl_caps.nr_gp; i++) {
		host_wrmsr(&cpu, MSR_PMC0 + i, 0xfffff000 + i);
		host_wrmsr(&cpu, MSR_EVTSEL0 + i, 0x5100c0 + i);
	}
	host_wrmsr(&cpu, MSR_FIXED0, 12345);
	host_wrmsr(&cpu, MSR_FIXED_CTRL, 0x0b0);
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL,
		   pmuctl_caps.counters & ~(PMUCTL_METRICS | FIXED_BIT(1)));
	/* It can be set from this version on only. */
	if (pmuctl_caps.version >= 4)
		host_wrmsr(&cpu, MSR_STATUS_SET, STATUS_OF_BUFFER | 1);
}

static void given_back_as_found(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX];
	struct pmuctl_event event;
	struct found before, after;

	(void)state;
	leave_traces();
	before = look();
	assert_true(before.n > 8);
	perfmon->save(saved);
	perfmon->reset(&regs);
	assert_null(perfmon->pretends(&regs));
	event = event_on(0, 0x00c0, 3);
	perfmon->program(&regs, &event);
	event = event_on(34, 0x0300, 3);
	perfmon->program(&regs, &event);
	perfmon->enable(&regs, 1 | FIXED_BIT(2));
	host_run(&cpu, 1000);
	perfmon->restore(saved, true);
	after = look();
	assert_int_equal(before.n, after.n);
	assert_memory_equal(before.value, after.value, before.n * sizeof(before.value[0]));
}

/* What reloads a counter of version 6 is off while the counters are ours. */
static void reloads_are_given_back(void **state)
{
	static const uint32_t msrs[] = { 0x1902, 0x1903, 0x191e, 0x191f, 0x1982, 0x198e, 0x198f };
	u64 saved[PMUCTL_SAVED_MAX];

	(void)state;
	for (unsigned int i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++)
		host_wrmsr(&cpu, msrs[i], 1 + i);
	perfmon->save(saved);
	perfmon->reset(&regs);
	for (unsigned int i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++)
		assert_int_equal(host_peek(&cpu, msrs[i]), 0);
	perfmon->restore(saved, true);
	for (unsigned int i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++)
		assert_int_equal(host_peek(&cpu, msrs[i]), 1 + i);
	assert_int_equal(host_peek(&cpu, 0x1906), 0);
}

/* --- with everything in use --- */

#define LBR_SELECT 0x1c8
#define PEBS_GROUPS 0x3f2
#define LBR_CTL 0x14ce
#define LBR_DEPTH 0x14cf
#define OFFCORE_0 0x1a6
#define OFFCORE_1 0x1a7
#define LD_LAT 0x3f6
#define FRONTEND 0x3f7

/* Registers beside the counters', with a value that nobody writes, where there are some. */
static const struct {
	uint32_t msr;
	uint64_t found;
} odd[] = {
	{ OFFCORE_0, 0x8007 }, { OFFCORE_1, 0x8003 }, { LD_LAT, 0x1235 }, { FRONTEND, 0x13 },
	{ LBR_SELECT, 0x1ad }, { PEBS_GROUPS, 0x5 }, { LBR_DEPTH, 16 }, { LBR_CTL, 0x30005 },
};

/* Branches recorded and frozen by somebody before, or neither; and records. */
static const struct found_on {
	uint64_t debugctl, pebs_enable;
} founds[] = { { 0x1801, 0 }, { 0x1000, 1 }, { 0, 0 } };

/* Every register that is written has a value of its own. */
static void leave_odd_ones(const struct found_on *found)
{
	unsigned int i, n = 0;

	for (i = 0; i < pmuctl_caps.nr_gp; i++) {
		host_wrmsr(&cpu, MSR_PMC0 + i, 0x7ffff000 + i);
		host_wrmsr(&cpu, MSR_EVTSEL0 + i, 0x5100c0 + i);
	}
	for (i = 0; i < pmuctl_caps.nr_fixed; i++)
		host_wrmsr(&cpu, MSR_FIXED0 + i, 12345 + i);
	host_wrmsr(&cpu, MSR_FIXED_CTRL, 0x0b0);
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL, FIXED_BIT(0) | 1);
	fake.fields = 0x40404039;
	host_wrmsr(&cpu, MSR_DEBUGCTL,
		   pmuctl_caps.lbr_depth ? found->debugctl : found->debugctl & 0x1000);
	host_wrmsr(&cpu, MSR_PEBS_ENABLE, found->pebs_enable);
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		n += host_try_wrmsr(&cpu, odd[i].msr, odd[i].found) == PMU_DONE;
	/* All but Core 2 have some. */
	assert_true(n >= 2 || pmuctl_caps.version == 2);
}

static bool has_msr(uint32_t msr)
{
	uint64_t value;

	return host_try_rdmsr(&cpu, msr, &value) == PMU_DONE;
}

static void put_on(struct pmuctl_event event, unsigned int counter)
{
	struct pmuctl_reg reg;

	event.allowed = UINT64_C(1) << counter;
	event.flags = PMUCTL_EVENT_USER;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	event.counter = counter;
	perfmon->encode(&event, &reg);
	perfmon->program(&regs, &event);
}

/* An event that needs a register beside its select, where there is such a one. */
static void put_on_extra(unsigned int counter, uint64_t evtsel, struct pmuctl_reg reg,
			 uint32_t msr)
{
	if (!has_msr(msr))
		return;
	put_on((struct pmuctl_event){ .evtsel = evtsel, .nr_extra = 1, .extra = { reg } },
	       counter);
	/* It is in use, so that there is something to put back. */
	assert_true(host_peek(&cpu, msr) == reg.value);
}

static void use_everything(const struct profile *is)
{
	bool gnr = !strcmp(is->name, "graniterapids");
	bool spr = gnr || !strcmp(is->name, "sapphirerapids") || !strcmp(is->name, "alderlake-p");
	bool old = !strcmp(is->name, "nehalem"), small = !strcmp(is->name, "goldmontplus") ||
						   (is->version == 5 && is->fixed == 3);

	regs.pebs_area = 0x10000;
	put_on((struct pmuctl_event){ .evtsel = 0xc0, .sampled = true, .period = 1000,
				      .precise = 2, .content = PMUCTL_CONTENT_REGS }, 0);
	assert_int_equal(host_peek(&cpu, MSR_PEBS_ENABLE), 1);
	put_on_extra(1, spr ? 0x012a : 0x01b7,
		     (struct pmuctl_reg){ PMUCTL_REG_OFFCORE_RSP, 0, 0x11 }, OFFCORE_0);
	put_on_extra(2, spr ? 0x012b : small ? 0x02b7 : 0x01bb,
		     (struct pmuctl_reg){ PMUCTL_REG_OFFCORE_RSP, 1, 0x13 }, OFFCORE_1);
	put_on_extra(3, old ? 0x100b : small ? 0x05d0 : 0x01cd,
		     (struct pmuctl_reg){ PMUCTL_REG_LD_LAT, 0, 30 }, LD_LAT);
	put_on_extra(2, gnr ? 0x03c6 : 0x01c6,
		     (struct pmuctl_reg){ PMUCTL_REG_FRONTEND, 0, 0x11 }, FRONTEND);
	if (pmuctl_caps.lbr_depth)
		put_on((struct pmuctl_event){ .evtsel = 0xc4, .sampled = true, .period = 1000,
					      .content = PMUCTL_CONTENT_BRANCHES }, 1);
	put_on((struct pmuctl_event){ .evtsel = 0x0300 }, 34);
	if (has_msr(LBR_CTL))
		assert_int_equal(host_peek(&cpu, LBR_CTL), 0x7f0005);
	if (pmuctl_caps.lbr_depth)
		assert_int_equal(host_peek(&cpu, MSR_DEBUGCTL), has_msr(LBR_CTL) ? 0x800 : 0x801);
	perfmon->enable(&regs, 3 | FIXED_BIT(2));
	host_ring(&cpu, PMU_USER);
	host_run(&cpu, 100);
	host_ring(&cpu, PMU_KERNEL);
	if (fake.metrics)
		perfmon->clear_metrics();
}

/* What records branches goes on by itself, and which were there is nobody's to keep. */
static bool is_branch(uint64_t msr)
{
	return msr == 0x1c9 || (msr >= 0x40 && msr < 0x80) || (msr >= 0x680 && msr < 0x700) ||
	       (msr >= 0xdc0 && msr < 0xe00) || (msr >= 0x1200 && msr < 0x1300) ||
	       (msr >= 0x1500 && msr < 0x1700);
}

static struct found look_at_odd(void)
{
	struct found all = look(), found = { 0 };

	for (unsigned int i = 0; i < all.n; i += 2)
		if (!is_branch(all.value[i]))
			note(&found, (uint32_t)all.value[i], all.value[i + 1]);
	return found;
}

static void use_and_give_back(const struct profile *is, const struct found_on *found)
{
	u64 saved[PMUCTL_SAVED_MAX];
	struct found before, after;

	leave_odd_ones(found);
	before = look_at_odd();
	perfmon->save(saved);
	perfmon->reset(&regs);
	use_everything(is);
	perfmon->restore(saved, true);
	after = look_at_odd();
	for (unsigned int i = 0; i < before.n && i < after.n; i += 2)
		if (before.value[i] != after.value[i] || before.value[i + 1] != after.value[i + 1])
			fail_msg("register %#lx %#lx, then %#lx %#lx", before.value[i],
				 before.value[i + 1], after.value[i], after.value[i + 1]);
	assert_int_equal(before.n, after.n);
	assert_true(!fake.metrics || fake.fields == 0x40404039);
}

static void given_back_as_found_from_everything(void **state)
{
	const struct profile *is = *state;

	fake.metrics = is->version >= 5 && is->fixed == 4;
	assert_int_equal(probe_again(), 0);
	for (unsigned int i = 0; i < sizeof(founds) / sizeof(founds[0]); i++)
		use_and_give_back(is, &founds[i]);
}

/* A sibling goes on with what the core has once; its first user knew how it was found. */
static void what_a_core_has_once_is_the_first_ones(void **state)
{
	u64 first[PMUCTL_SAVED_MAX], second[PMUCTL_SAVED_MAX];

	(void)state;
	fake.threads = 2;
	assert_int_equal(probe_again(), 0);
	host_wrmsr(&cpu, OFFCORE_0, 0x8007);
	host_wrmsr(&cpu, LD_LAT, 0x1235);
	perfmon->save(first);
	/* The other thread is taken while this one has both in use, each in its own way. */
	host_wrmsr(&cpu, OFFCORE_0, 0x11);
	host_wrmsr(&cpu, LD_LAT, 30);
	perfmon->save(second);
	perfmon->adopt(second, first);
	perfmon->reset(&regs);
	host_wrmsr(&cpu, LD_LAT, 99);
	perfmon->restore(second, false);
	assert_int_equal(host_peek(&cpu, OFFCORE_0), 0x11);
	assert_int_equal(host_peek(&cpu, LD_LAT), 30);
	perfmon->restore(second, true);
	assert_int_equal(host_peek(&cpu, OFFCORE_0), 0x8007);
	assert_int_equal(host_peek(&cpu, LD_LAT), 30);
}

/* A thread may have written it since: what this one remembers says nothing. */
static void what_a_core_has_once_is_written_each_time(void **state)
{
	struct pmuctl_event event = {
		.evtsel = 0x01b7, .allowed = 1, .flags = PMUCTL_EVENT_USER,
		.nr_extra = 1, .extra = { { PMUCTL_REG_OFFCORE_RSP, 0, 0x11 } },
	};
	struct pmuctl_reg reg;
	unsigned int threads;

	(void)state;
	for (threads = 1; threads <= 2; threads++) {
		fake.threads = threads;
		assert_int_equal(probe_again(), 0);
		assert_int_equal(perfmon->validate(&event, NULL), 0);
		perfmon->encode(&event, &reg);
		perfmon->reset(&regs);
		perfmon->program(&regs, &event);
		host_wrmsr(&cpu, OFFCORE_0, 0x22);
		perfmon->program(&regs, &event);
		assert_int_equal(host_peek(&cpu, OFFCORE_0), threads == 2 ? 0x11 : 0x22);
	}
}

/* Linux writes it at task switches: only the freezing of counters is ours. */
static void leaves_the_rest_of_debugctl(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX];

	(void)state;
	host_wrmsr(&cpu, MSR_DEBUGCTL, 0x1000);
	perfmon->save(saved);
	perfmon->reset(&regs);
	assert_int_equal(host_peek(&cpu, MSR_DEBUGCTL), 0);
	host_wrmsr(&cpu, MSR_DEBUGCTL, 2);
	perfmon->restore(saved, true);
	assert_int_equal(host_peek(&cpu, MSR_DEBUGCTL), 0x1002);
}

/* 40 bits that are no sign extension of 32: zero, not something else. */
static void a_count_that_cannot_be_written_back(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX];
	uint64_t value;

	(void)state;
	host_wrmsr(&cpu, MSR_PMC0, 0x7fffff00);
	host_wrmsr(&cpu, MSR_EVTSEL0, EN | OS | 0xc0);
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL, 1);
	host_run(&cpu, 5000);
	host_wrmsr(&cpu, MSR_EVTSEL0, 0);
	value = host_peek(&cpu, MSR_PMC0);
	assert_true(value > 0x80000000 && value < 0x80010000);
	perfmon->save(saved);
	perfmon->reset(&regs);
	perfmon->restore(saved, true);
	assert_int_equal(host_peek(&cpu, MSR_PMC0), 0);
}

static void nothing_runs_after_reset(void **state)
{
	(void)state;
	leave_traces();
	perfmon->reset(&regs);
	assert_int_equal(host_peek(&cpu, MSR_GLOBAL_CTRL), 0);
	assert_int_equal(host_peek(&cpu, MSR_FIXED_CTRL), 0);
	assert_int_equal(host_peek(&cpu, MSR_STATUS), 0);
	for (unsigned int i = 0; i < pmuctl_caps.nr_gp; i++)
		assert_int_equal(host_peek(&cpu, MSR_EVTSEL0 + i), 0);
	assert_int_equal(regs.enabled, 0);
}

static void foreign_use(void **state)
{
	(void)state;
	assert_null(perfmon->foreign());
	host_wrmsr(&cpu, MSR_EVTSEL0 + 1, EN | USR | 0xc0);
	assert_non_null(perfmon->foreign());
	host_wrmsr(&cpu, MSR_EVTSEL0 + 1, USR | 0xc0);
	assert_null(perfmon->foreign());
	host_wrmsr(&cpu, MSR_DS_AREA, 0xffffc90000001000);
	assert_non_null(strstr(perfmon->foreign(), "debug store"));
	fake.linux_ds = 0xffffc90000001000;
	assert_null(perfmon->foreign());
}

static void a_fixed_counter_that_is_on(void **state)
{
	(void)state;
	assert_false(perfmon->fixed_on());
	host_wrmsr(&cpu, MSR_FIXED_CTRL, 0xb0);
	/* Half of it is not on. */
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL, 0x100000001);
	assert_false(perfmon->fixed_on());
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL, 0x200000001);
	assert_true(perfmon->fixed_on());
	host_wrmsr(&cpu, MSR_FIXED_CTRL, 0);
	assert_false(perfmon->fixed_on());
	/* Which is no reason to refuse: Linux has lent it to nobody. */
	host_wrmsr(&cpu, MSR_FIXED_CTRL, 0xb0);
	assert_null(perfmon->foreign());
}

/* Reads of registers that are announced and missing fail in hw_rdmsr(). */
static void registers_that_a_hypervisor_lacks(void **state)
{
	static const uint32_t msrs[] = { MSR_MISC_ENABLE, MSR_CAPABILITIES, MSR_DEBUGCTL };
	u64 saved[PMUCTL_SAVED_MAX];
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++) {
		fake.hidden = msrs[i];
		assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
		assert_null(perfmon->foreign());
		perfmon->save(saved);
		perfmon->reset(&regs);
		perfmon->restore(saved, true);
	}
}

static void notices_a_pmu_that_only_pretends(void **state)
{
	(void)state;
	perfmon->reset(&regs);
	assert_null(perfmon->pretends(&regs));
	fake.stuck = true;
	assert_non_null(strstr(perfmon->pretends(&regs), "stuck"));
	fake.stuck = false;
	fake.dead = true;
	perfmon->reset(&regs);
	assert_non_null(strstr(perfmon->pretends(&regs), "do not keep"));
}

/* Proof leaves no trace: the counter is where reset put it. */
static void proof_leaves_no_trace(void **state)
{
	struct found before, after;

	(void)state;
	perfmon->reset(&regs);
	before = look();
	assert_null(perfmon->pretends(&regs));
	after = look();
	assert_int_equal(before.n, after.n);
	assert_memory_equal(before.value, after.value, before.n * sizeof(before.value[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(given_back_as_found), ON(given_back_as_found, perfmon6),
		ON(reloads_are_given_back, perfmon6), ON(nothing_runs_after_reset, perfmon6),
		ON_EACH(given_back_as_found_from_everything),
		ON(what_a_core_has_once_is_the_first_ones, nehalem),
		ON(what_a_core_has_once_is_the_first_ones, skylake),
		ON(what_a_core_has_once_is_written_each_time, nehalem),
		ON(what_a_core_has_once_is_written_each_time, skylake),
		ON_EACH(leaves_the_rest_of_debugctl),
		ON(a_count_that_cannot_be_written_back, core2),
		ON_EACH(nothing_runs_after_reset),
		ON_EACH(foreign_use),
		ON_EACH(a_fixed_counter_that_is_on),
		ON_EACH(registers_that_a_hypervisor_lacks),
		ON_EACH(notices_a_pmu_that_only_pretends),
		ON_EACH(proof_leaves_no_trace),
	};

	return cmocka_run_group_tests_name("perfmon found", tests, NULL, NULL);
}
