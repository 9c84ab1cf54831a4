// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errata of the perfmon backend: which of them a processor has, and what they take away, against
 * the model as such a processor.
 */
#include "tests/unit/kmod/perfmon_host.h"

#include "kmod/perfmon/perfmon.h"

#define LOOPS 500
#define KERNEL PMUCTL_EVENT_KERNEL
#define BRANCHES 0xc4
#define LOADS 0x81d0
#define PREC_DIST 0x01c0
#define LOAD_LATENCY 0x01cd
#define AUXILIARY_SEL 0x428203

static uint64_t errata_of(uint32_t signature)
{
	fake.signature = signature;
	(void)probe_again();
	return pmuctl_caps.errata;
}

static void are_found_by_model(void **state)
{
	(void)state;
	fake.threads = 2;
	assert_true(errata_of(0x206a7) & PMUCTL_ERRATUM_TWIN);
	assert_true(errata_of(0x306e4) & PMUCTL_ERRATUM_TWIN);
	assert_true(errata_of(0x306c3) & PMUCTL_ERRATUM_TWIN);
	assert_false(errata_of(0x306d4) & PMUCTL_ERRATUM_TWIN);		/* Broadwell */
	assert_true(pmuctl_caps.errata & PMUCTL_ERRATUM_ODD_DIST);
	fake.threads = 1;
	assert_false(errata_of(0x306c3) & PMUCTL_ERRATUM_TWIN);
	assert_true(errata_of(0x106a5) & PMUCTL_ERRATUM_FIRST_EVENT);
	assert_true(errata_of(0x206c2) & PMUCTL_ERRATUM_FIRST_EVENT);
	/* Bonnell by stepping. */
	assert_true(errata_of(0x106c2) & PMUCTL_ERRATUM_LBR_FREEZE);
	assert_int_equal(pmuctl_caps.lbr_depth, 0);
	assert_false(errata_of(0x106ca) & PMUCTL_ERRATUM_LBR_FREEZE);
	assert_int_equal(errata_of(0x506e3), 0);
}

static void pebs_of(uint32_t signature, uint32_t microcode, bool there)
{
	fake.microcode = microcode;
	assert_int_equal(errata_of(signature) & PMUCTL_ERRATUM_PEBS, there ? 0 :
			 PMUCTL_ERRATUM_PEBS);
	assert_int_equal(pmuctl_caps.has_pebs, there);
	if (there)
		assert_null(pmuctl_caps.pebs_refusal);
	else
		assert_non_null(strstr(pmuctl_caps.pebs_refusal, "unreliable_pebs=1"));
}

static void pebs_goes_by_microcode(void **state)
{
	(void)state;
	pebs_of(0x206a7, 0x27, false);
	pebs_of(0x206a7, 0x28, true);
	pebs_of(0x206d6, 0x617, false);
	pebs_of(0x206d6, 0x618, true);
	pebs_of(0x206d7, 0x70b, false);
	pebs_of(0x206d7, 0x70c, true);
	pebs_of(0x306a9, 1, true);
	/* Whoever wants it all the same is reminded. */
	fake.signature = 0x206a7;
	fake.microcode = 0x27;
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	pmuctl_caps.allow_bad_pebs = true;
	assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
	assert_true(pmuctl_caps.has_pebs);
	assert_int_equal(pmuctl_caps.errata_open, PMUCTL_ERRATUM_PEBS);
}

static void counter3_is_not_given_out(void **state)
{
	(void)state;
	fake.force_abort = true;
	assert_true(errata_of(0x506e3) & PMUCTL_ERRATUM_COUNTER3);
	assert_int_equal(pmuctl_caps.counters & 0xff, 0x7);
	assert_int_equal(pmuctl_caps.pebs_counters & 0xff, 0x7);
	fake.always_abort = true;
	assert_int_equal(errata_of(0x506e3), 0);
	assert_int_equal(pmuctl_caps.counters & 0xff, 0xf);
}

/* --- periods --- */

static int validate(uint64_t code, uint64_t period, uint32_t freq)
{
	struct pmuctl_event event = {
		.evtsel = code, .allowed = 0x2, .flags = KERNEL,
		.sampled = true, .period = period, .freq = freq,
	};
	int err = perfmon->validate(&event, NULL);

	if (!err && code == PREC_DIST)
		assert_true(event.coarse);
	return err;
}

static void periods_are_limited(void **state)
{
	(void)state;
	(void)errata_of(0x306c3);
	assert_int_equal(validate(BRANCHES, 31, 0), -ERANGE);
	assert_int_equal(validate(BRANCHES, 32, 0), 0);
	assert_int_equal(validate(PREC_DIST, 127, 0), -ERANGE);
	assert_int_equal(validate(PREC_DIST, 129, 0), 0);
	assert_int_equal(validate(PREC_DIST, 0, 1000), 0);
	(void)errata_of(0x306d4);
	assert_int_equal(validate(BRANCHES, 1, 0), 0);
	assert_int_equal(validate(PREC_DIST, 64, 0), -ERANGE);
	assert_int_equal(validate(PREC_DIST, 1000, 0), -ERANGE);
	assert_non_null(strstr(said, "take 960 or 1024"));
	assert_int_equal(validate(PREC_DIST, 1024, 0), 0);
}

/* --- slots and counters of a second thread --- */

static void slots_are_exchanged_in_pairs(void **state)
{
	(void)state;
	fake.threads = 2;
	(void)errata_of(0x306c3);
	pmuctl_twins_reset(true);
	assert_int_equal(pmuctl_twins_bits(0x50000000f), 0x50000000f);
	assert_true(pmuctl_twins_put(3, 2));
	assert_false(pmuctl_twins_put(3, 2));
	assert_int_equal(pmuctl_twins_place(3), 2);
	assert_int_equal(pmuctl_twins_place(2), 3);
	assert_int_equal(pmuctl_twins_bits(0x100000009), 0x100000005);
	/* The other one's slot gets another counter: nobody is left without. */
	assert_true(pmuctl_twins_put(2, 0));
	assert_int_equal(pmuctl_twins_place(3), 3);
	assert_int_equal(pmuctl_twins_place(0), 2);
	assert_true(pmuctl_twins_put(2, 2));
	for (unsigned int i = 0; i < PMUCTL_TWINS; i++)
		assert_int_equal(pmuctl_twins_place(i), i);
}

static struct pmuctl_event twin(void)
{
	struct pmuctl_event event = event_on(3, LOADS, KERNEL);

	assert_true(event.twice);
	event.twin = 2;
	return event;
}

static void programmed_on(unsigned int apic_id, unsigned int counter)
{
	const struct pmuctl_backend *twins = &pmuctl_perfmon_twins;
	struct pmuctl_event event;
	u64 before;

	fake.threads = 2;
	fake.apic_id = apic_id;
	(void)errata_of(0x306c3);
	twins->reset(&regs);
	event = twin();
	twins->program(&regs, &event);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL + counter) & 0xffff, LOADS);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL + (5 - counter)), 0);
	before = twins->arm(3, 1000);
	assert_int_equal(hw_rdpmc(counter), before);
	assert_int_equal(twins->read(3), before);
	twins->enable(&regs, 0x8);
	assert_int_equal(hw_rdmsr(MSR_GLOBAL_CTRL), UINT64_C(1) << counter);
	assert_int_equal(twins->disturbed(&regs), 0);
	twins->enable(&regs, 0);
	/* What overflows is told by slots. */
	hw_wrmsr(MSR_EVTSEL + counter, BRANCHES | EVTSEL_OS | EVTSEL_EN);
	(void)twins->arm(3, 3);
	twins->enable(&regs, 0x8);
	host_branch(&cpu, 0x1000, true, 0x0ff8);
	host_branch(&cpu, 0x1000, true, 0x0ff8);
	host_branch(&cpu, 0x1000, true, 0x0ff8);
	twins->enable(&regs, 0);
	assert_int_equal(twins->overflows(0x8), 0x8);
}

static void threads_have_counters_of_their_own(void **state)
{
	(void)state;
	programmed_on(0, 3);
	programmed_on(1, 2);
	programmed_on(6, 3);
}

/* --- events before and beside others --- */

static void be(const char *silicon)
{
	char why[300];

	if (!pmu_silicon(cpu.pmu, silicon, why, sizeof(why)))
		fail_msg("%s", why);
}

static u64 counted(const struct pmuctl_backend *backend, unsigned int counter)
{
	struct pmuctl_event event = event_on(counter, BRANCHES, KERNEL);
	u64 start;

	backend->program(&regs, &event);
	start = backend->rearm(counter);
	backend->enable(&regs, UINT64_C(1) << counter);
	for (unsigned int i = 0; i < LOOPS; i++)
		host_branch(&cpu, 0x1000, true, 0x0ff8);
	backend->enable(&regs, 0);
	return backend->read(counter) - start;
}

static void others_come_first(void **state)
{
	(void)state;
	be("first-event");
	perfmon->reset(&regs);
	assert_null(perfmon->pretends(&regs));
	assert_int_equal(counted(perfmon, 1), 0);
	perfmon->reset(&regs);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(counted(&pmuctl_perfmon_fresh, i), LOOPS);
	/* Nothing else moves meanwhile, and nothing stays on. */
	assert_int_equal(regs.fresh, 0);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL + 2) & 0xffff, BRANCHES);
}

static void one_runs_beside(void **state)
{
	struct pmuctl_event event = {
		.evtsel = LOAD_LATENCY, .allowed = 0x80, .flags = KERNEL, .counter = 7,
		.sampled = true, .period = 1000, .precise = 2, .nr_extra = 1,
		.extra = { { PMUCTL_REG_LD_LAT, 0, 3 } },
	};
	struct pmuctl_reg reg;

	(void)state;
	perfmon->reset(&regs);
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	assert_true(event.auxiliary);
	event.twin = 3;
	perfmon->encode(&event, &reg);
	pmuctl_perfmon_auxiliary.program(&regs, &event);
	assert_int_equal(hw_rdmsr(MSR_EVTSEL + 3), AUXILIARY_SEL);
	event.precise = 0;
	event.content = 0;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	assert_false(event.auxiliary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(are_found_by_model, haswell),
		ON(pebs_goes_by_microcode, sandybridge),
		ON(counter3_is_not_given_out, skylake),
		ON(periods_are_limited, haswell),
		ON(slots_are_exchanged_in_pairs, haswell),
		ON(threads_have_counters_of_their_own, haswell),
		ON(others_come_first, nehalem),
		ON(one_runs_beside, sapphirerapids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
