// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon backend against the model: what it finds, takes, counts and
 * gives back.
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
	assert_int_equal(probe_of(0x08300806, 0x604), -ENODEV);
	assert_non_null(strstr(said, "version 6 "));
	assert_non_null(strstr(said, "allow_unsupported=1"));
	assert_int_equal(probe_of(0x07300004, 0x603), -ENODEV);
	assert_non_null(strstr(said, "makes no sense"));
	assert_int_equal(probe_of(0x07000404, 0x603), -ENODEV);
	assert_int_equal(probe_of(0x07300404, 0x003), -ENODEV);
	assert_int_equal(probe_of(0x07300403, 0x603), 0);
	assert_int_equal(probe_of(0x08300805, 0x604), 0);
}

/* Either way of announcing a fixed counter, from version 5 on. */
static void fixed_counters_of_version_5(void **state)
{
	(void)state;
	assert_int_equal(probe_leaf(0x08300805, 0xf, 0x600), 0);
	assert_true(probed.counters == 0xf000000ff);
	assert_int_equal(probe_leaf(0x08300805, 0x8, 0x603), 0);
	assert_true(probed.counters == 0xf000000ff);
	assert_int_equal(probe_leaf(0x08300805, 0x5, 0x600), 0);
	assert_true(probed.counters == 0x5000000ff);
	assert_int_equal(probed.nr_fixed, 2);
	/* More than anybody knows what they count. */
	assert_int_equal(probe_leaf(0x08300805, 0xff, 0x605), 0);
	assert_true(probed.counters == 0xf000000ff);
	/* Before, ECX is reserved and there are three. */
	assert_int_equal(probe_leaf(0x08300804, 0xf, 0x604), 0);
	assert_true(probed.counters == 0x7000000ff);
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

static void hybrid_by_name(void **state)
{
	(void)state;
	fake.hybrid = true;
	probed.allow_unsupported = false;
	assert_int_equal(probe_of(0x08300805, 0x604), -ENODEV);
	assert_non_null(strstr(said, "hybrid"));
	assert_non_null(strstr(said, "allow_unsupported=1"));
	probed.allow_unsupported = true;
	assert_int_equal(probe_of(0x08300805, 0x604), 0);
	assert_true(probed.arch_only);
	assert_int_equal(probed.extra_slots, 0);
	fake.hybrid = false;
	assert_int_equal(probe_of(0x08300806, 0x604), 0);
	assert_true(probed.arch_only);
	probed.allow_unsupported = false;
}

/* --- taking and giving back --- */

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

/* --- with everything in use --- */

#define LBR_SELECT 0x1c8
#define PEBS_GROUPS 0x3f2
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
	{ LBR_SELECT, 0x1ad }, { PEBS_GROUPS, 0x5 },
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
	bool spr = !strcmp(is->name, "sapphirerapids"), old = !strcmp(is->name, "nehalem");

	regs.pebs_area = 0x10000;
	put_on((struct pmuctl_event){ .evtsel = 0xc0, .sampled = true, .period = 1000,
				      .precise = 2, .content = PMUCTL_CONTENT_REGS }, 0);
	assert_int_equal(host_peek(&cpu, MSR_PEBS_ENABLE), 1);
	put_on_extra(1, spr ? 0x012a : 0x01b7,
		     (struct pmuctl_reg){ PMUCTL_REG_OFFCORE_RSP, 0, 0x11 }, OFFCORE_0);
	put_on_extra(2, spr ? 0x012b : 0x01bb,
		     (struct pmuctl_reg){ PMUCTL_REG_OFFCORE_RSP, 1, 0x13 }, OFFCORE_1);
	put_on_extra(3, old ? 0x100b : 0x01cd,
		     (struct pmuctl_reg){ PMUCTL_REG_LD_LAT, 0, 30 }, LD_LAT);
	put_on_extra(2, 0x01c6, (struct pmuctl_reg){ PMUCTL_REG_FRONTEND, 0, 0x11 }, FRONTEND);
	if (pmuctl_caps.lbr_depth)
		put_on((struct pmuctl_event){ .evtsel = 0xc4, .sampled = true, .period = 1000,
					      .content = PMUCTL_CONTENT_BRANCHES }, 1);
	put_on((struct pmuctl_event){ .evtsel = 0x0300 }, 34);
	if (pmuctl_caps.lbr_depth)
		assert_int_equal(host_peek(&cpu, MSR_DEBUGCTL), 0x801);
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
	       (msr >= 0xdc0 && msr < 0xe00);
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

	fake.metrics = is->version >= 5;
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
		assert_true(perfmon->overflows() == event.allowed);
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

	assert_int_equal(wide, is->version > 3 || is->gp == 8);
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
	fake.hidden = MSR_METRICS;
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
		ON(fixed_counters_of_version_5, skylake),
		ON(anythread_by_version, skylake),
		ON(hybrid_by_name, skylake),
		ON_EACH(given_back_as_found),
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
