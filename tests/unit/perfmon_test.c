// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon backend as the module has it, compiled in user space, with the
 * box's PMU model as its registers.  Any access that the model faults fails
 * the test, as it would oops the kernel.
 */
#include "model_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../kmod/backend.h"
#include "../../kmod/msr.h"

#define MSR_MISC_ENABLE 0x1a0

struct pmuctl_caps pmuctl_caps;

static struct host cpu;
static char said[512];
static unsigned int writes;
static struct {
	bool leaf_set;
	uint32_t leaf[4];		/* instead of the model's 0AH */
	bool dead;			/* writes are swallowed, nothing counts */
	bool stuck;			/* writes are kept, nothing counts */
	uint64_t linux_ds;
} fake;

/* --- the seam --- */

u64 hw_rdmsr(u32 msr)
{
	if (fake.dead)
		return 0;
	if (msr == MSR_MISC_ENABLE)
		return pmu_misc_enable(cpu.pmu);
	return host_rdmsr(&cpu, msr);
}

void hw_wrmsr(u32 msr, u64 value)
{
	writes++;
	if (fake.dead || (fake.stuck && msr == MSR_GLOBAL_CTRL))
		return;
	host_wrmsr(&cpu, msr, value);
}

u64 hw_rdpmc(u32 counter)
{
	uint64_t value = 0;

	if (fake.dead)
		return 0;
	host_start(&cpu);
	assert_int_equal(pmu_rdpmc(cpu.pmu, counter, &value), PMU_DONE);
	cpu.retired++;
	return value;
}

void hw_cpuid(u32 leaf, u32 regs[4])
{
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf == 1) {
		regs[0] = 0x506e3;
		pmu_cpuid_1(cpu.pmu, &regs[2], &regs[3]);
	} else if (leaf == 0xa && fake.leaf_set) {
		memcpy(regs, fake.leaf, sizeof(fake.leaf));
	} else if (leaf == 0xa) {
		pmu_cpuid_0a(cpu.pmu, regs);
	}
}

u64 hw_linux_ds_area(void)
{
	return fake.linux_ds;
}

int pmuctl_why(const struct pmuctl_why *why, int err, const char *fmt, ...)
{
	va_list args;

	(void)why;
	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	return err;
}

/* --- what each test starts from --- */

static const struct pmuctl_backend *const perfmon = &pmuctl_perfmon;
static struct pmuctl_regs regs;

static int start(const char *profile)
{
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	memset(said, 0, sizeof(said));
	host_new(&cpu, profile, 0);
	return perfmon->probe(&pmuctl_caps);
}

static int core2(void **state)
{
	*state = "core2";
	return start("core2");
}

static int skylake(void **state)
{
	*state = "skylake";
	return start("skylake");
}

static int stop(void **state)
{
	(void)state;
	host_free(&cpu);
	return 0;
}

static bool is_skylake(void **state)
{
	return !strcmp(*state, "skylake");
}

static struct pmuctl_event event_on(unsigned int counter, uint64_t evtsel, uint32_t flags)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = UINT64_C(1) << counter,
		.flags = flags, .counter = counter,
	};
	struct pmuctl_reg reg;

	assert_int_equal(perfmon->validate(&event, NULL), 0);
	perfmon->encode(&event, &reg);
	return event;
}

/* --- probe --- */

static void facts(void **state)
{
	bool sky = is_skylake(state);

	assert_int_equal(pmuctl_caps.version, sky ? 4 : 2);
	assert_int_equal(pmuctl_caps.nr_gp, sky ? 4 : 2);
	assert_int_equal(pmuctl_caps.nr_fixed, 3);
	assert_int_equal(pmuctl_caps.gp_width, sky ? 48 : 40);
	assert_int_equal(pmuctl_caps.fixed_width, sky ? 48 : 40);
	assert_int_equal(pmuctl_caps.arch_events, 0x7f);
	assert_true(pmuctl_caps.counters == (sky ? 0x70000000f : 0x700000003));
	assert_int_equal(pmuctl_caps.evntsel, 0x186);
	assert_int_equal(pmuctl_caps.nr_reserve, sky ? 4 : 2);
	assert_int_equal(perfmon->mask(0), sky ? 0xffffffffffff : 0xffffffffff);
}

static int probe_of(uint32_t eax, uint32_t edx)
{
	struct pmuctl_caps caps = { 0 };

	fake.leaf_set = true;
	fake.leaf[0] = eax;
	fake.leaf[3] = edx;
	return perfmon->probe(&caps);
}

static void refuses_what_it_does_not_know(void **state)
{
	(void)state;
	assert_int_equal(probe_of(0, 0), -ENODEV);
	assert_non_null(strstr(said, "no counters"));
	assert_int_equal(probe_of(0x07280201, 0), -ENODEV);
	assert_non_null(strstr(said, "version 1 "));
	assert_int_equal(probe_of(0x08300805, 0x604), -ENODEV);
	assert_non_null(strstr(said, "version 5 "));
	assert_int_equal(probe_of(0x07300004, 0x603), -ENODEV);
	assert_non_null(strstr(said, "makes no sense"));
	assert_int_equal(probe_of(0x07000404, 0x603), -ENODEV);
	assert_int_equal(probe_of(0x07300404, 0x003), -ENODEV);
	assert_int_equal(probe_of(0x07300403, 0x603), 0);
}

/* --- validate, encode --- */

static int validate(uint64_t evtsel, uint64_t counters)
{
	struct pmuctl_event event = { .evtsel = evtsel, .allowed = counters, .flags = 1 };

	said[0] = '\0';
	return perfmon->validate(&event, NULL);
}

static void event_select_bits(void **state)
{
	uint64_t allowed = 0xff84ffff;		/* event, umask, edge, inv, cmask */

	(void)state;
	for (unsigned int bit = 0; bit < 64; bit++) {
		uint64_t evtsel = 0x00c0 ^ (UINT64_C(1) << bit);
		bool ok = allowed >> bit & 1;

		if (evtsel == 0x0300)
			continue;
		assert_int_equal(validate(evtsel, 1), ok ? 0 : -EINVAL);
		assert_int_equal(said[0] != '\0', !ok);
	}
	assert_int_equal(validate(0x00c0 | 1 << 22, 1), -EINVAL);
	assert_non_null(strstr(said, "EN"));
	assert_int_equal(validate(0x00c0 | 1 << 21, 1), -EINVAL);
	assert_non_null(strstr(said, "any"));
}

static void fixed_counters_count_one_thing(void **state)
{
	static const uint64_t encoding[] = { 0x00c0, 0x003c, 0x0300 };

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int k = 0; k < 3; k++)
			assert_int_equal(validate(encoding[i], FIXED_BIT(k)), i == k ? 0 : -EINVAL);
	assert_int_equal(validate(0x00c0, 3 | FIXED_BIT(0)), 0);
	assert_int_equal(validate(0x00c0 | 1 << 18, FIXED_BIT(0)), -EINVAL);
	assert_int_equal(validate(0x010000c0, FIXED_BIT(0)), -EINVAL);
	assert_non_null(strstr(said, "bit 32"));
	/* Reference cycles have no encoding elsewhere. */
	assert_int_equal(validate(0x0300, 1), -EINVAL);
	assert_int_equal(validate(0x0300, 1 | FIXED_BIT(2)), -EINVAL);
}

static void encodings(void **state)
{
	struct pmuctl_event event = { .evtsel = 0x010000c4, .flags = 1, .counter = 1 };
	struct pmuctl_reg reg;

	(void)state;
	perfmon->encode(&event, &reg);
	assert_int_equal(reg.reg, PMUCTL_REG_EVTSEL);
	assert_int_equal(reg.index, 1);
	assert_int_equal(reg.value, 0x010000c4 | USR | INT | EN);
	event = (struct pmuctl_event) { .evtsel = 0x3c, .flags = 2, .counter = 33 };
	perfmon->encode(&event, &reg);
	assert_int_equal(reg.reg, PMUCTL_REG_FIXED_CTRL);
	assert_int_equal(reg.index, 1);
	assert_int_equal(reg.value, 0x9);
	assert_int_equal(event.slot, PMUCTL_GP_MAX + 1);
}

/* --- taking and giving back --- */

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

/* As perf leaves a PMU: selects that are off, GLOBAL_CTRL all ones. */
static void leave_traces(void)
{
	for (unsigned int i = 0; i < pmuctl_caps.nr_gp; i++) {
		host_wrmsr(&cpu, MSR_PMC0 + i, 0xfffff000 + i);
		host_wrmsr(&cpu, MSR_EVTSEL0 + i, 0x5100c0 + i);
	}
	host_wrmsr(&cpu, MSR_FIXED0, 12345);
	host_wrmsr(&cpu, MSR_FIXED_CTRL, 0x0b0);
	host_wrmsr(&cpu, MSR_GLOBAL_CTRL, pmuctl_caps.counters & ~FIXED_BIT(1));
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
	assert_true(perfmon->counts(&regs));
	event = event_on(0, 0x00c0, 3);
	perfmon->program(&regs, &event);
	event = event_on(34, 0x0300, 3);
	perfmon->program(&regs, &event);
	perfmon->enable(&regs, 1 | FIXED_BIT(2));
	host_run(&cpu, 1000);
	perfmon->restore(saved);
	after = look();
	assert_int_equal(before.n, after.n);
	assert_memory_equal(before.value, after.value, before.n * sizeof(before.value[0]));
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
	perfmon->restore(saved);
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
	perfmon->restore(saved);
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

static void notices_a_pmu_that_only_pretends(void **state)
{
	(void)state;
	perfmon->reset(&regs);
	assert_true(perfmon->counts(&regs));
	fake.stuck = true;
	assert_false(perfmon->counts(&regs));
	fake.stuck = false;
	fake.dead = true;
	perfmon->reset(&regs);
	assert_false(perfmon->counts(&regs));
}

/* Proof leaves no trace: the counter is where reset put it. */
static void proof_leaves_no_trace(void **state)
{
	struct found before, after;

	(void)state;
	perfmon->reset(&regs);
	before = look();
	assert_true(perfmon->counts(&regs));
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

#define BOTH(test)							\
	{ #test ", core2", test, core2, stop, NULL },			\
	{ #test ", skylake", test, skylake, stop, NULL }

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(facts),
		BOTH(refuses_what_it_does_not_know),
		BOTH(event_select_bits),
		BOTH(fixed_counters_count_one_thing),
		BOTH(encodings),
		BOTH(given_back_as_found),
		BOTH(leaves_the_rest_of_debugctl),
		cmocka_unit_test_setup_teardown(a_count_that_cannot_be_written_back, core2, stop),
		BOTH(nothing_runs_after_reset),
		BOTH(foreign_use),
		BOTH(notices_a_pmu_that_only_pretends),
		BOTH(proof_leaves_no_trace),
		BOTH(counts_what_runs),
		BOTH(writes_only_what_changes),
		BOTH(overflows_lose_nothing),
		BOTH(tells_when_somebody_wrote),
	};

	return cmocka_run_group_tests_name("perfmon", tests, NULL, NULL);
}
