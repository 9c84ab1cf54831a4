// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon backend's events: what may be set, what is refused and how it is
 * said, what ends up in which register.
 */
#include "tests/unit/kmod/perfmon_host.h"

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
	if (pmuctl_caps.any)
		allowed |= 1 << 21;
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
	assert_int_equal(validate(0x00c0 | UINT64_C(1) << 36, 1), -EINVAL);
	assert_non_null(strstr(said, "EQ (0x1000000000) may not be set"));
	assert_int_equal(validate(0x00c0 | UINT64_C(0x81) << 40, 1), -EINVAL);
	assert_non_null(strstr(said, "UMASK2 (0x810000000000) may not be set"));
	if (pmuctl_caps.any)
		return;
	assert_int_equal(validate(0x00c0 | 1 << 21, 1), -EINVAL);
	assert_non_null(strstr(said, "any"));
}

static void event_code_0_counts_nothing(void **state)
{
	const struct profile *is = *state;

	assert_int_equal(validate(0x0000, 1), -EINVAL);
	assert_non_null(strstr(said, "event code 0"));
	assert_int_equal(validate(0x4200, 1), -EINVAL);
	/* Fixed counter 3 is big cores' from version 5 on. */
	assert_int_equal(validate(0x0400, 1), -EINVAL);
	assert_non_null(strstr(said, is->fixed < 4 ? "does not have" : "ask for fixed3"));
}

static void anythread(void **state)
{
	struct pmuctl_event event = { .evtsel = 0x2000c0, .flags = 1, .counter = 1 };
	struct pmuctl_reg reg;

	(void)state;
	assert_int_equal(validate(0x2000c0, 1 | FIXED_BIT(0)), 0);
	perfmon->encode(&event, &reg);
	assert_int_equal(reg.value, 0x2000c0 | USR | INT | EN);
	event.counter = 32;
	perfmon->encode(&event, &reg);
	assert_int_equal(reg.value, 0xe);
}

/* --- unknown processors --- */

static void only_architectural_events(void **state)
{
	static const uint64_t arch[] = { 0x3c, 0xc0, 0x13c, 0x4f2e, 0x412e, 0xc4, 0xc5 };

	(void)state;
	fake.signature = 0x000f0600;
	assert_int_equal(probe_again(), 0);
	assert_true(pmuctl_caps.arch_only);
	for (unsigned int i = 0; i < 7; i++)
		assert_int_equal(validate(arch[i], 1), 0);
	assert_int_equal(validate(0x010000c0, 1), 0);
	assert_int_equal(validate(0x0300, FIXED_BIT(2)), 0);
	assert_int_equal(validate(0x01a4, 1), -EOPNOTSUPP);
	assert_int_equal(validate(0x81d0, 1), -EOPNOTSUPP);
	assert_non_null(strstr(said, "0x81d0 is not architectural"));
	assert_non_null(strstr(said, "allow_unknown_events=1"));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	pmuctl_caps.allow_unknown_events = true;
	assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
	assert_int_equal(validate(0x81d0, 1), 0);
}

/* --- registers beside the event select --- */

static int validate_extra(uint64_t evtsel, uint32_t reg, uint32_t index, uint64_t value)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = 1, .flags = 1, .nr_extra = 1,
		.extra = { { reg, index, value } },
	};

	said[0] = '\0';
	return perfmon->validate(&event, NULL);
}

static void extra_of_core2(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_caps.extra_slots, 0);
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 1), -EOPNOTSUPP);
	assert_non_null(strstr(said, "has none"));
	assert_int_equal(validate_extra(0x00c0, 77, 0, 1), -EOPNOTSUPP);
}

static void extra_of_skylake(void **state)
{
	(void)state;
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 0x3fffff8fff), 0);
	assert_int_equal(validate_extra(0x01bb, PMUCTL_REG_OFFCORE_RSP, 1, 0x10001), 0);
	assert_int_equal(validate_extra(0x01cd, PMUCTL_REG_LD_LAT, 0, 3), 0);
	assert_int_equal(validate_extra(0x01cd, PMUCTL_REG_LD_LAT, 0, 0xffff), 0);
	assert_int_equal(validate_extra(0x01c6, PMUCTL_REG_FRONTEND, 0, 0x400806), 0);
	/* With modifiers as well. */
	assert_int_equal(validate_extra(0x010401b7, PMUCTL_REG_OFFCORE_RSP, 0, 1), 0);
}

/* One on each generation, and what the one before it had instead. */
static void extra_of_each(void **state)
{
	const struct profile *is = *state;
	bool nehalem = !strcmp(is->name, "nehalem");
	bool front = is->version >= 4;

	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 1), 0);
	assert_int_equal(validate_extra(0x01bb, PMUCTL_REG_OFFCORE_RSP, 1, 1),
			 nehalem ? -EOPNOTSUPP : 0);
	assert_int_equal(validate_extra(nehalem ? 0x100b : 0x01cd, PMUCTL_REG_LD_LAT, 0, 3), 0);
	assert_int_equal(validate_extra(nehalem ? 0x01cd : 0x100b, PMUCTL_REG_LD_LAT, 0, 3),
			 -EINVAL);
	assert_int_equal(validate_extra(0x01c6, PMUCTL_REG_FRONTEND, 0, 0x11),
			 front ? 0 : -EOPNOTSUPP);
	/* Not known on Skylake, known on Ice Lake, and so on. */
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 0x2000),
			 is->version >= 5 || nehalem ? 0 : -EINVAL);
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 0x100000),
			 nehalem ? -EINVAL : 0);
	fake.threads = 2;
	assert_int_equal(probe_again(), 0);
	assert_int_equal(pmuctl_caps.extra_shared,
			 is->version >= 5 ? 0 : 1 << PMUCTL_REG_OFFCORE_RSP);
}

/* Whatever may be set can be: the model faults on a bit that it does not have. */
static void every_bit_that_may_be_set(void **state)
{
	static const struct { uint32_t reg, index, msr, event, nehalem; } extra[] = {
		{ PMUCTL_REG_OFFCORE_RSP, 0, 0x1a6, 0x01b7, 0x01b7 },
		{ PMUCTL_REG_OFFCORE_RSP, 1, 0x1a7, 0x01bb, 0x01bb },
		{ PMUCTL_REG_LD_LAT, 0, 0x3f6, 0x01cd, 0x100b },
		{ PMUCTL_REG_FRONTEND, 0, 0x3f7, 0x01c6, 0x01c6 },
	};
	const struct profile *is = *state;
	unsigned int settable = 0;

	for (unsigned int i = 0; i < 4; i++)
		for (unsigned int bit = 0; bit < 64; bit++) {
			uint32_t event = strcmp(is->name, "nehalem") ?
					 extra[i].event : extra[i].nehalem;
			/* Not below the least latency. */
			uint64_t least = extra[i].reg == PMUCTL_REG_LD_LAT ? 3 : 0;
			uint64_t value = UINT64_C(1) << bit | least;

			if (validate_extra(event, extra[i].reg, extra[i].index, value))
				continue;
			host_wrmsr(&cpu, extra[i].msr, value);
			settable++;
		}
	assert_in_range(settable, 32, 120);
}

static void extra_refused(void **state)
{
	(void)state;
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 0x7000), -EINVAL);
	assert_non_null(strstr(said, "OFFCORE_RSP 0 value 0x7000: bits 0x7000 cannot be set"));
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 0), -ERANGE);
	assert_int_equal(validate_extra(0x01cd, PMUCTL_REG_LD_LAT, 0, 2), -ERANGE);
	assert_int_equal(validate_extra(0x01cd, PMUCTL_REG_LD_LAT, 0, 0x10000), -EINVAL);
	assert_int_equal(validate_extra(0x01c6, PMUCTL_REG_FRONTEND, 0, 0x08), -EINVAL);
	/* The wrong one of two, or of an event that knows none. */
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 1, 1), -EINVAL);
	assert_non_null(strstr(said, "no meaning for event 0x01b7"));
	assert_int_equal(validate_extra(0x00c0, PMUCTL_REG_OFFCORE_RSP, 0, 1), -EINVAL);
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 2, 1), -EOPNOTSUPP);
	/* Left out. */
	assert_int_equal(validate(0x01b7, 1), -EINVAL);
	assert_non_null(strstr(said, "event 0x01b7 needs register 3 (OFFCORE_RSP), index 0"));
	assert_int_equal(validate(0x01cd, 1), -EINVAL);
}

static void extra_twice(void **state)
{
	struct pmuctl_event event = {
		.evtsel = 0x01b7, .allowed = 1, .flags = 1, .nr_extra = 2,
		.extra = { { PMUCTL_REG_OFFCORE_RSP, 0, 1 }, { PMUCTL_REG_OFFCORE_RSP, 0, 1 } },
	};

	(void)state;
	assert_int_equal(perfmon->validate(&event, NULL), -EINVAL);
	assert_non_null(strstr(said, "given twice"));
}

static void extra_that_a_hypervisor_hides(void **state)
{
	(void)state;
	fake.hidden = 0x1a6;
	assert_int_equal(probe_again(), 0);
	assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, 1), -EOPNOTSUPP);
	assert_non_null(strstr(said, "is not there"));
	assert_int_equal(validate_extra(0x01bb, PMUCTL_REG_OFFCORE_RSP, 1, 1), 0);
}

static void extra_on_an_atom(void **state)
{
	(void)state;
	fake.signature = 0x406d8;
	assert_int_equal(probe_again(), 0);
	assert_false(pmuctl_caps.arch_only);
	assert_int_equal(validate_extra(0x02b7, PMUCTL_REG_OFFCORE_RSP, 1, 1), -EOPNOTSUPP);
	assert_int_equal(validate(0x01b7, 1), -EINVAL);
	assert_non_null(strstr(said, "does not know its bits"));
}

/* The bits of offcore responses, and of whom; what has a register that is not set yet. */
static void extra_on_small_cores(void **state)
{
	static const struct {
		uint32_t signature;
		uint64_t first, second;
		bool latency, snoops;
	} cores[] = {
		{ 0x506c9, 0x760005ffbf, 0x360005ffbf, false, false },
		{ 0x706a8, 0x760005ffbf, 0x360005ffbf, false, false },
		{ 0x90661, 0x800ff0ffffff9fff, 0xff0ffffff9fff, false, false },
		{ 0xb06e0, 0x8003f03fffffffff, 0x3f03fffffffff, true, false },
		{ 0xa06f3, 0x800ff3ffffffffff, 0xff3ffffffffff, true, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		fake.signature = cores[i].signature;
		assert_int_equal(probe_again(), 0);
		for (int bit = 0; bit < 64; bit++) {
			uint64_t value = UINT64_C(1) << bit;

			assert_int_equal(validate_extra(0x01b7, PMUCTL_REG_OFFCORE_RSP, 0, value),
					 value & cores[i].first ? 0 : -EINVAL);
			assert_int_equal(validate_extra(0x02b7, PMUCTL_REG_OFFCORE_RSP, 1, value),
					 value & cores[i].second ? 0 : -EINVAL);
		}
		assert_int_equal(validate_extra(0x01bb, PMUCTL_REG_OFFCORE_RSP, 1, 1), -EINVAL);
		assert_int_equal(validate_extra(0x05d0, PMUCTL_REG_LD_LAT, 0, 3),
				 cores[i].latency ? 0 : -EOPNOTSUPP);
		assert_int_equal(validate(0x05d0, 1), cores[i].latency ? -EINVAL : 0);
		assert_int_equal(validate(0x0127, 1), cores[i].snoops ? -EOPNOTSUPP : 0);
		if (cores[i].snoops)
			assert_non_null(strstr(said, "MSR 0x1328 says, which this module does"));
	}
}

static struct pmuctl_event extra_event(unsigned int counter, uint64_t evtsel, uint32_t reg,
				       uint64_t value)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = 1 << counter, .flags = 1, .counter = counter,
		.nr_extra = 1, .extra = { { reg, 0, value } },
	};
	struct pmuctl_reg unused;

	assert_int_equal(perfmon->validate(&event, NULL), 0);
	perfmon->encode(&event, &unused);
	return event;
}

static void extra_programmed(void **state)
{
	struct pmuctl_event load, offcore;

	(void)state;
	perfmon->reset(&regs);
	load = extra_event(0, 0x01cd, PMUCTL_REG_LD_LAT, 32);
	offcore = extra_event(1, 0x01b7, PMUCTL_REG_OFFCORE_RSP, 0x10001);
	perfmon->program(&regs, &load);
	perfmon->program(&regs, &offcore);
	assert_int_equal(host_peek(&cpu, 0x3f6), 32);
	assert_int_equal(host_peek(&cpu, 0x1a6), 0x10001);
	writes = 0;
	perfmon->program(&regs, &load);
	perfmon->program(&regs, &offcore);
	assert_int_equal(writes, 0);
	load.extra[0].value = 64;
	perfmon->program(&regs, &load);
	assert_int_equal(host_peek(&cpu, 0x3f6), 64);
}

/* The other thread of the core may have written it since. */
static void extra_shared_by_threads(void **state)
{
	struct pmuctl_event load, offcore;

	(void)state;
	assert_int_equal(pmuctl_caps.extra_shared, 0);
	fake.threads = 2;
	assert_int_equal(probe_again(), 0);
	assert_int_equal(pmuctl_caps.extra_shared, 1 << PMUCTL_REG_OFFCORE_RSP);
	perfmon->reset(&regs);
	load = extra_event(0, 0x01cd, PMUCTL_REG_LD_LAT, 32);
	offcore = extra_event(1, 0x01b7, PMUCTL_REG_OFFCORE_RSP, 0x10001);
	perfmon->program(&regs, &load);
	perfmon->program(&regs, &offcore);
	host_wrmsr(&cpu, 0x1a6, 0x20001);
	perfmon->program(&regs, &offcore);
	assert_int_equal(host_peek(&cpu, 0x1a6), 0x10001);
}

static void extra_given_back(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX];
	struct pmuctl_event load, offcore;

	(void)state;
	host_wrmsr(&cpu, 0x1a6, 0x4001 & ~0x4000);
	host_wrmsr(&cpu, 0x3f6, 7);
	perfmon->save(saved);
	perfmon->reset(&regs);
	load = extra_event(0, 0x01cd, PMUCTL_REG_LD_LAT, 32);
	offcore = extra_event(1, 0x01b7, PMUCTL_REG_OFFCORE_RSP, 0x10002);
	perfmon->program(&regs, &load);
	perfmon->program(&regs, &offcore);
	perfmon->restore(saved, true);
	assert_int_equal(host_peek(&cpu, 0x1a6), 1);
	assert_int_equal(host_peek(&cpu, 0x3f6), 7);
	assert_int_equal(host_peek(&cpu, 0x1a7), 0);
}

/* A thread goes while the other one of its core counts, and comes back. */
static void extra_of_a_sibling(void **state)
{
	u64 saved[PMUCTL_SAVED_MAX], late[PMUCTL_SAVED_MAX];
	struct pmuctl_event offcore;

	(void)state;
	fake.threads = 2;
	assert_int_equal(probe_again(), 0);
	host_wrmsr(&cpu, 0x1a6, 5);
	perfmon->save(saved);
	perfmon->reset(&regs);
	offcore = extra_event(1, 0x01b7, PMUCTL_REG_OFFCORE_RSP, 0x10002);
	perfmon->program(&regs, &offcore);
	perfmon->restore(saved, false);
	assert_int_equal(host_peek(&cpu, 0x1a6), 0x10002);
	perfmon->save(late);
	perfmon->adopt(late, saved);
	perfmon->restore(late, true);
	assert_int_equal(host_peek(&cpu, 0x1a6), 5);
}

static void fixed_counters_count_one_thing(void **state)
{
	static const uint64_t encoding[] = { 0x00c0, 0x003c, 0x0300, 0x0400 };
	unsigned int n = pmuctl_caps.nr_fixed;

	(void)state;
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int k = 0; k < n; k++)
			assert_int_equal(validate(encoding[i], FIXED_BIT(k)), i == k ? 0 : -EINVAL);
	assert_int_equal(validate(0x00c0, 3 | FIXED_BIT(0)), 0);
	assert_int_equal(validate(0x00c0 | 1 << 18, FIXED_BIT(0)), -EINVAL);
	assert_int_equal(validate(0x010000c0, FIXED_BIT(0)), -EINVAL);
	assert_non_null(strstr(said, "leave fixed0 out"));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(only_architectural_events, skylake),
		ON_EACH(event_code_0_counts_nothing),
		ON(anythread, skylake),
		ON(extra_of_core2, core2),
		ON(extra_of_skylake, skylake),
		ON(extra_of_each, nehalem),
		ON(extra_of_each, sandybridge),
		ON(extra_of_each, haswell),
		ON(extra_of_each, skylake),
		ON(extra_of_each, icelake),
		ON(every_bit_that_may_be_set, nehalem),
		ON(every_bit_that_may_be_set, sandybridge),
		ON(every_bit_that_may_be_set, ivybridge),
		ON(every_bit_that_may_be_set, haswell),
		ON(every_bit_that_may_be_set, skylake),
		ON(every_bit_that_may_be_set, icelake),
		ON(extra_refused, skylake),
		ON(extra_twice, skylake),
		ON(extra_that_a_hypervisor_hides, skylake),
		ON(extra_on_an_atom, skylake),
		ON(extra_on_small_cores, sierraforest),
		ON(extra_programmed, skylake),
		ON(extra_shared_by_threads, skylake),
		ON(extra_given_back, skylake),
		ON(extra_of_a_sibling, haswell),
		ON_EACH(event_select_bits),
		ON_EACH(fixed_counters_count_one_thing),
		ON_EACH(encodings),
	};

	return cmocka_run_group_tests_name("perfmon events", tests, NULL, NULL);
}
