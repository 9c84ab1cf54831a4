// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cores of several kinds: how they are found and numbered, which are driven together, what an
 * event may be on each, and which registers are touched on which CPU.
 */
#include "tests/unit/kmod/perfmon_host.h"

#define BIG UINT64_C(0xff000f000000ff)
#define SMALL UINT64_C(0x70000003f)

/* From here on the CPU is such a one: a register that it lacks fails the test. */
static void become(const char *profile)
{
	host_free(&cpu);
	host_new(&cpu, profile, 0);
}

static void look_at(const char *profile, unsigned int number)
{
	struct pmuctl_look look = { .backend = perfmon };

	become(profile);
	pmuctl_look_here(&look);
	assert_int_equal(look.err, 0);
	assert_int_equal(pmuctl_kinds_add(&look.caps, number), 0);
}

/* An Alder Lake, whose small cores come first. */
static int hybrid(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	fake.signature = 0x90672;
	pmuctl_caps.overflow_bits = 20;
	host_new(&cpu, "alderlake", 0);
	pmuctl_kinds_begin();
	look_at("alderlake-e", 0);
	look_at("alderlake-e", 1);
	look_at("alderlake", 2);
	look_at("alderlake", 5);
	pmuctl_kinds_settle();
	pmuctl_kind_of_cpu = 0;
	return 0;
}

static void big_cores_come_first(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_nr_kinds, 2);
	assert_int_equal(pmuctl_kinds[0].caps.core, 0x40000001);
	assert_int_equal(pmuctl_kinds[0].cpus.bits[0], 0x24);
	assert_int_equal(pmuctl_kinds[1].caps.core, 0x20000001);
	assert_int_equal(pmuctl_kinds[1].cpus.bits[0], 0x3);
	assert_string_equal(pmuctl_kinds[0].caps.model->name, "goldencove");
	assert_string_equal(pmuctl_kinds[1].caps.model->name, "gracemont");
	assert_string_equal(pmuctl_core_name(0x40000001), "big");
	assert_string_equal(pmuctl_core_name(0x20000001), "small");
}

/* Beyond what leaf 0AH says of both: the model knows, the processor shows. */
static void each_has_its_own_counters(void **state)
{
	struct pmuctl_look look = { .backend = perfmon };

	(void)state;
	assert_true(pmuctl_kinds[0].caps.counters == BIG);
	assert_int_equal(pmuctl_kinds[0].caps.nr_gp, 8);
	assert_int_equal(pmuctl_kinds[0].caps.nr_fixed, 4);
	assert_true(pmuctl_kinds[1].caps.counters == SMALL);
	assert_int_equal(pmuctl_kinds[1].caps.nr_gp, 6);
	assert_int_equal(pmuctl_kinds[1].caps.nr_fixed, 3);
	fake.hidden = MSR_EVTSEL0 + 6;
	pmuctl_look_here(&look);
	assert_int_equal(look.caps.nr_gp, 6);
	fake.hidden = MSR_FIXED0 + 3;
	pmuctl_look_here(&look);
	assert_int_equal(look.caps.nr_fixed, 3);
}

static void machine_has_what_all_have(void **state)
{
	unsigned int i;

	(void)state;
	assert_true(pmuctl_caps.counters == (BIG | SMALL));
	assert_true(pmuctl_caps.pebs_counters == (UINT64_C(0xf000000ff) | SMALL));
	assert_true(pmuctl_kinds[1].caps.pebs_counters == SMALL);
	assert_int_equal(pmuctl_caps.nr_reserve, 8);
	assert_true(pmuctl_caps.errata & PMUCTL_ERRATUM_AUXILIARY);
	assert_false(pmuctl_kinds[1].caps.errata & PMUCTL_ERRATUM_AUXILIARY);
	for (i = 0; i < 2; i++) {
		assert_true(pmuctl_kind_caps(i)->has_pebs);
		assert_null(pmuctl_kind_caps(i)->pebs_refusal);
		assert_int_equal(pmuctl_kind_caps(i)->pebs_format, 4);
		assert_int_equal(pmuctl_kind_caps(i)->lbr_depth, 32);
		assert_true(pmuctl_kind_caps(i)->has_lbr_calls);
		assert_false(pmuctl_kind_caps(i)->allow_unsupported);
		assert_int_equal(pmuctl_kind_caps(i)->overflow_bits, 20);
	}
}

/* A big core and a small one of an Alder Lake, but for what change() makes of the small one. */
static void settle_with(void (*change)(struct pmuctl_caps *caps))
{
	struct pmuctl_look big = { .backend = perfmon }, small = { .backend = perfmon };

	become("alderlake");
	pmuctl_look_here(&big);
	become("alderlake-e");
	pmuctl_look_here(&small);
	change(&small.caps);
	pmuctl_kinds_begin();
	assert_int_equal(pmuctl_kinds_add(&big.caps, 0), 0);
	assert_int_equal(pmuctl_kinds_add(&small.caps, 1), 0);
	pmuctl_kinds_settle();
}

static void another_format(struct pmuctl_caps *caps)
{
	caps->pebs_format = 5;
}

static void no_pebs(struct pmuctl_caps *caps)
{
	caps->has_pebs = false;
}

static void retire_latency(struct pmuctl_caps *caps)
{
	caps->has_retire = true;
}

static void other_counters(struct pmuctl_caps *caps)
{
	caps->pebs_counters = UINT64_C(1) << 40;
}

/* One kind of records is all that a buffer is read by. */
static void records_are_of_one_format(void **state)
{
	(void)state;
	settle_with(another_format);
	assert_false(pmuctl_caps.has_pebs || pmuctl_kinds[1].caps.has_pebs);
	assert_non_null(strstr(pmuctl_kinds[0].caps.pebs_refusal, "differ in the format"));
	assert_non_null(strstr(pmuctl_kinds[1].caps.pebs_refusal, "not driven yet"));
	settle_with(no_pebs);
	assert_false(pmuctl_caps.has_pebs || pmuctl_kinds[1].caps.has_pebs);
	assert_non_null(strstr(pmuctl_caps.pebs_refusal, "some have none"));
	assert_null(pmuctl_kinds[1].caps.pebs_refusal);
}

static void another_depth(struct pmuctl_caps *caps)
{
	caps->lbr_depth = 16;
}

static void no_calls(struct pmuctl_caps *caps)
{
	caps->has_lbr_calls = false;
}

/* Nor has an event branch records of two sorts. */
static void branches_are_of_one_sort(void **state)
{
	(void)state;
	settle_with(another_depth);
	assert_int_equal(pmuctl_caps.lbr_depth | pmuctl_kinds[1].caps.lbr_depth, 0);
	assert_int_equal(pmuctl_caps.lbr_format, 0);
	settle_with(no_calls);
	assert_int_equal(pmuctl_caps.lbr_depth | pmuctl_kinds[1].caps.lbr_depth, 0);
	assert_true(pmuctl_caps.has_pebs);
}

static void each_has_its_own_records(void **state)
{
	(void)state;
	settle_with(retire_latency);
	assert_true(pmuctl_kinds[1].caps.has_retire);
	assert_false(pmuctl_kinds[0].caps.has_retire);
	assert_true(pmuctl_caps.has_retire);
	settle_with(other_counters);
	assert_true(pmuctl_caps.pebs_counters == (UINT64_C(0xf000000ff) | UINT64_C(1) << 40));
}

/* By what leaf 1AH says of their make; and no more than there is room for. */
static void small_ones_by_their_make(void **state)
{
	struct pmuctl_caps caps = pmuctl_kinds[1].caps;
	unsigned int i;

	(void)state;
	pmuctl_kinds_begin();
	for (i = 1; i <= 3; i++) {
		caps.core = 0x20000000 | i;
		assert_int_equal(pmuctl_kinds_add(&caps, i), 0);
	}
	caps.core = 0x40000001;
	assert_int_equal(pmuctl_kinds_add(&caps, 9), 0);
	caps.core = 0x40000002;
	assert_int_equal(pmuctl_kinds_add(&caps, 10), -ENOSPC);
	caps.core = 0x20000002;
	assert_int_equal(pmuctl_kinds_add(&caps, 11), 0);
	pmuctl_kinds_settle();
	assert_int_equal(pmuctl_kinds[0].caps.core, 0x40000001);
	assert_int_equal(pmuctl_kinds[1].caps.core, 0x20000003);
	assert_int_equal(pmuctl_kinds[2].caps.core, 0x20000002);
	assert_int_equal(pmuctl_kinds[2].cpus.bits[0], 1 << 2 | 1 << 11);
	assert_int_equal(pmuctl_kinds[3].caps.core, 0x20000001);
}

/* What counts at each switch does not ask what the CPU is. */
static void what_differs_too_much_stays_apart(void **state)
{
	const struct pmuctl_caps *big = &pmuctl_kinds[0].caps;
	struct pmuctl_caps small = pmuctl_kinds[1].caps;

	(void)state;
	assert_null(pmuctl_kinds_apart(big, &small));
	small.gp_width = 40;
	assert_non_null(strstr(pmuctl_kinds_apart(big, &small), "wide"));
	small = pmuctl_kinds[1].caps;
	small.fixed_width = 40;
	assert_non_null(strstr(pmuctl_kinds_apart(big, &small), "wide"));
	small = pmuctl_kinds[1].caps;
	small.version = 6;
	assert_non_null(strstr(pmuctl_kinds_apart(big, &small), "version"));
	small = pmuctl_kinds[1].caps;
	small.capabilities ^= UINT64_C(1) << 13;
	assert_non_null(strstr(pmuctl_kinds_apart(big, &small), "in full"));
}

/* --- events --- */

static int validate(unsigned int kind, uint64_t evtsel, uint64_t allowed, uint32_t reg)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = allowed, .flags = PMUCTL_EVENT_USER,
		.caps = &pmuctl_kinds[kind].caps,
	};

	said[0] = '\0';
	if (reg) {
		event.nr_extra = 1;
		event.extra[0] = (struct pmuctl_reg){ reg, 0, 1 };
	}
	return perfmon->validate(&event, NULL);
}

static void events_are_of_a_kind(void **state)
{
	(void)state;
	assert_int_equal(validate(0, 0x012a, 1, PMUCTL_REG_OFFCORE_RSP), 0);
	assert_int_equal(validate(1, 0x012a, 1, PMUCTL_REG_OFFCORE_RSP), -EINVAL);
	assert_int_equal(validate(1, 0x01b7, 1, PMUCTL_REG_OFFCORE_RSP), 0);
	assert_int_equal(validate(0, 0x01b7, 1, PMUCTL_REG_OFFCORE_RSP), -EINVAL);
	assert_int_equal(validate(0, 0x01c6, 1, PMUCTL_REG_FRONTEND), 0);
	assert_int_equal(validate(1, 0x01c6, 1, PMUCTL_REG_FRONTEND), -EOPNOTSUPP);
	assert_int_equal(validate(0, 0x0400, 1, 0), -EINVAL);
	assert_non_null(strstr(said, "ask for fixed3"));
	assert_int_equal(validate(1, 0x0400, 1, 0), -EINVAL);
	assert_non_null(strstr(said, "does not have"));
}

/* One that nobody has told us about, beside one that we know. */
static void an_unknown_kind_has_architectural_events(void **state)
{
	(void)state;
	pmuctl_kinds[1].caps.arch_only = true;
	assert_int_equal(validate(1, 0x81d0, 1, 0), -EOPNOTSUPP);
	assert_int_equal(validate(1, 0x00c0, 1, 0), 0);
	assert_int_equal(validate(0, 0x81d0, 1, 0), 0);
}

/* --- registers --- */

/* Of each what it has; the model faults any other. */
static void registers_are_the_cpus(void **state)
{
	static const char *const profiles[] = { "alderlake", "alderlake-e" };
	u64 saved[PMUCTL_SAVED_MAX];
	unsigned int i, last;

	(void)state;
	for (i = 0; i < 2; i++) {
		pmuctl_kind_of_cpu = i;
		become(profiles[i]);
		last = pmuctl_kinds[i].caps.nr_gp - 1;
		host_wrmsr(&cpu, MSR_PMC0_FULL + last, 4711);
		assert_null(perfmon->foreign());
		assert_true(perfmon->fixed_on() == 0);
		perfmon->save(saved);
		perfmon->reset(&regs);
		assert_null(perfmon->pretends(&regs));
		assert_int_equal(perfmon->disturbed(&regs), 0);
		assert_true(perfmon->read(last) > 4711);
		perfmon->restore(saved, true);
		assert_int_equal(host_peek(&cpu, MSR_PMC0_FULL + last), 4711);
	}
	/* Somebody's, on the last one of all. */
	pmuctl_kind_of_cpu = 0;
	become("alderlake");
	host_wrmsr(&cpu, MSR_EVTSEL0 + 7, EN | USR | 0xc0);
	assert_non_null(perfmon->foreign());
}

/* --- CPUs that come --- */

static void who_never_came_may_be_of_any(void **state)
{
	(void)state;
	assert_true(pmuctl_kind_may_have(0, 2) && !pmuctl_kind_may_have(1, 2));
	assert_true(pmuctl_kind_may_have(1, 0) && !pmuctl_kind_may_have(0, 0));
	assert_true(pmuctl_kind_may_have(0, 3) && pmuctl_kind_may_have(1, 3));
	pmuctl_nr_kinds = 1;
	assert_true(pmuctl_kind_may_have(0, 0));
}

static void who_comes_is_of_its_kind(void **state)
{
	(void)state;
	become("alderlake-e");
	assert_null(pmuctl_kinds_join());
	assert_int_equal(pmuctl_kind_here(), 1);
	assert_ptr_equal(pmuctl_caps_here(), &pmuctl_kinds[1].caps);
	/* Sessions for the others have nothing there. */
	become("alderlake");
	assert_non_null(strstr(pmuctl_kinds_join(), "of another kind than when"));
	assert_int_equal(pmuctl_kind_here(), PMUCTL_KIND_NONE);
	assert_int_equal(pmuctl_kinds[0].cpus.bits[0], 0x24);
	pmuctl_kinds[1].cpus.bits[0] = 0x2;
	assert_null(pmuctl_kinds_join());
	assert_int_equal(pmuctl_kind_here(), 0);
	assert_int_equal(pmuctl_kinds[0].cpus.bits[0], 0x25);
	become("skylake");
	assert_non_null(strstr(pmuctl_kinds_join(), "like none"));
	assert_int_equal(pmuctl_kind_here(), PMUCTL_KIND_NONE);
}

/* Where all are alike the facts are the machine's, whatever the CPU's number says. */
static void one_kind_is_the_machine(void **state)
{
	(void)state;
	pmuctl_kinds_begin();
	look_at("alderlake", 0);
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	assert_int_equal(perfmon->probe(&pmuctl_caps), 0);
	pmuctl_kinds_settle();
	assert_ptr_equal(pmuctl_caps_here(), &pmuctl_caps);
	assert_ptr_equal(pmuctl_kind_caps(0), &pmuctl_caps);
	assert_true(pmuctl_caps.has_pebs);
	assert_null(pmuctl_kinds_join());
	become("alderlake-e");
	assert_non_null(strstr(pmuctl_kinds_join(), "of another kind"));
	assert_int_equal(pmuctl_kind_here(), PMUCTL_KIND_NONE);
}

static void what_all_have_is_one_kind(void **state)
{
	(void)state;
	pmuctl_caps = pmuctl_kinds[0].caps;
	pmuctl_kinds_merge();
	assert_int_equal(pmuctl_nr_kinds, 1);
	assert_true(pmuctl_caps.counters == SMALL);
	assert_null(pmuctl_caps.model);
}

#define KINDS(test) cmocka_unit_test_setup_teardown(test, hybrid, stop)

/* --- three of them --- */

/* An Arrow Lake H, whose low-power cores come first. */
static int three(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	fake.signature = 0xc0652;
	host_new(&cpu, "arrowlake-h", 0);
	pmuctl_kinds_begin();
	look_at("arrowlake-h-l", 0);
	look_at("arrowlake-h-e", 1);
	look_at("arrowlake-h", 2);
	pmuctl_kinds_settle();
	pmuctl_kind_of_cpu = 0;
	return 0;
}

/* Of two that have the same counters the later make comes first. */
static void three_kinds_are_told_apart(void **state)
{
	static const struct {
		uint32_t core;
		const char *model;
		uint64_t counters, pebs;
		uint32_t gp, fixed, alone, cpus;
	} rows[] = {
		{ 0x40000003, "lioncove", UINT64_C(0xff000f000003ff), UINT64_C(0xf000003ff), 10,
		  4, 0, 4 },
		{ 0x20000003, "skymont", UINT64_C(0x77000000ff), UINT64_C(0x7000000ff), 8, 6, 0,
		  2 },
		{ 0x20000002, "crestmont", UINT64_C(0x7000000ff), UINT64_C(0x7000000ff), 8, 3, 0,
		  1 },
	};
	unsigned int i;

	(void)state;
	assert_int_equal(pmuctl_nr_kinds, 3);
	for (i = 0; i < 3; i++) {
		const struct pmuctl_caps *caps = pmuctl_kind_caps(i);

		assert_int_equal(caps->core, rows[i].core);
		assert_string_equal(caps->model->name, rows[i].model);
		assert_true(caps->counters == rows[i].counters);
		assert_true(caps->pebs_counters == rows[i].pebs);
		assert_int_equal(caps->nr_gp, rows[i].gp);
		assert_int_equal(caps->nr_fixed, rows[i].fixed);
		assert_int_equal(caps->fixed_alone, rows[i].alone);
		assert_int_equal(pmuctl_kinds[i].cpus.bits[0], rows[i].cpus);
		assert_true(caps->has_pebs);
		assert_int_equal(caps->pebs_format, 5);
		assert_int_equal(caps->has_retire, !i);
		assert_int_equal(caps->lbr_depth, 32);
		assert_null(pmuctl_kinds_apart(caps, pmuctl_kind_caps(0)));
	}
	assert_int_equal(pmuctl_caps.nr_reserve, 10);
	assert_true(pmuctl_caps.counters == UINT64_C(0xff007f000003ff));
}

static int validate_on(unsigned int kind, uint64_t code, uint32_t reg, uint64_t value)
{
	struct pmuctl_event event = {
		.evtsel = code, .allowed = 1, .flags = PMUCTL_EVENT_USER,
		.caps = &pmuctl_kinds[kind].caps,
		.nr_extra = 1, .extra = { { .reg = reg, .value = value } },
	};

	return perfmon->validate(&event, NULL);
}

/* Each has the registers beside of its own core, as wide as there. */
static void three_have_their_registers(void **state)
{
	(void)state;
	assert_int_equal(validate_on(0, 0x12a, PMUCTL_REG_OFFCORE_RSP, UINT64_C(1) << 43 | 1), 0);
	assert_int_equal(validate_on(0, 0x12a, PMUCTL_REG_OFFCORE_RSP, UINT64_C(1) << 44), -EINVAL);
	assert_int_equal(validate_on(0, 0x3c6, PMUCTL_REG_FRONTEND, 0x11), 0);
	assert_int_equal(validate_on(0, 0x40ad, PMUCTL_REG_FRONTEND, 0xf), 0);
	assert_int_not_equal(validate_on(0, 0x1b7, PMUCTL_REG_OFFCORE_RSP, 1), 0);
	assert_int_equal(validate_on(1, 0x1b7, PMUCTL_REG_OFFCORE_RSP, UINT64_C(1) << 63 | 1), 0);
	assert_int_equal(validate_on(2, 0x5d0, PMUCTL_REG_LD_LAT, 3), 0);
	assert_int_not_equal(validate_on(2, 0x1cd, PMUCTL_REG_LD_LAT, 3), 0);
	assert_int_not_equal(validate_on(1, 0x3c6, PMUCTL_REG_FRONTEND, 0x11), 0);
}

/* Of leaf 23H, whatever the version. */
static void second_masks(void **state)
{
	const uint64_t cond = 0x11c4 | UINT64_C(1) << 40;

	(void)state;
	assert_int_equal(validate(0, cond, 1, 0), 0);
	assert_int_equal(validate(1, cond, 1, 0), 0);
	assert_int_equal(validate(2, cond, 1, 0), -EINVAL);
	assert_non_null(strstr(said, "UMASK2 (0x10000000000) may not be set"));
	assert_int_equal(validate(2, 0x10010011c4, 1, 0), -EINVAL);
	assert_non_null(strstr(said, "EQ (0x1000000000) may not be set"));
	/* Instructions' counter counts nothing else, and a mask more is no architectural event. */
	assert_int_equal(validate(0, 0x00c0 | UINT64_C(1) << 40, UINT64_C(1) << 32, 0), -EINVAL);
	pmuctl_kinds[0].caps.arch_only = true;
	assert_int_equal(validate(0, 0x00c4, 1, 0), 0);
	assert_int_equal(validate(0, 0x00c4 | UINT64_C(1) << 40, 1, 0), -EOPNOTSUPP);
}

/* A CPU that comes back is of the kind that it is of; one that nobody has seen of none. */
static void three_come_back(void **state)
{
	(void)state;
	become("arrowlake-h-l");
	assert_null(pmuctl_kinds_join());
	assert_int_equal(pmuctl_kind_of_cpu, 2);
	become("arrowlake-h-e");
	assert_non_null(pmuctl_kinds_join());
	become("alderlake-e");
	assert_non_null(pmuctl_kinds_join());
}

/* --- of version 6 --- */

static void start_v6(uint32_t signature, const char *big, const char *small)
{
	memset(&fake, 0, sizeof(fake));
	memset(&pmuctl_caps, 0, sizeof(pmuctl_caps));
	fake.signature = signature;
	host_new(&cpu, big, 0);
	pmuctl_kinds_begin();
	look_at(small, 0);
	look_at(big, 1);
	pmuctl_kinds_settle();
	pmuctl_kind_of_cpu = 0;
}

static int lunar_lake(void **state)
{
	(void)state;
	start_v6(0xb06d1, "lunarlake", "lunarlake-e");
	return 0;
}

static int panther_lake(void **state)
{
	(void)state;
	start_v6(0xc06c3, "pantherlake", "pantherlake-e");
	return 0;
}

/* CFG_B, and what else CFG_C is for. */
static void check_v6(uint64_t small_cfg_c, uint64_t big_cfg_c)
{
	const struct pmuctl_caps *big = pmuctl_kind_caps(0), *small = pmuctl_kind_caps(1);

	assert_int_equal(pmuctl_nr_kinds, 2);
	assert_null(pmuctl_kinds_apart(big, small));
	assert_int_equal(big->version, 6);
	assert_string_equal(big->model->name, "lioncove");
	assert_string_equal(small->model->name, "skymont");
	assert_true(big->counters == UINT64_C(0xff000f000003ff));
	assert_true(small->counters == UINT64_C(0x77000000ff));
	assert_int_equal(big->nr_fixed, 4);
	assert_int_equal(small->nr_fixed, 6);
	assert_int_equal(big->fixed_alone | small->fixed_alone, 0);
	assert_true(big->has_umask2 && small->has_umask2);
	assert_true(big->has_eq && small->has_eq);
	assert_int_equal(big->cfg_b, 0);
	assert_true(big->cfg_c == big_cfg_c);
	assert_true(small->cfg_b == UINT64_C(0x3000000fc));
	assert_true(small->cfg_c == small_cfg_c);
	assert_int_equal(big->lbr_depth, 32);
	assert_int_equal(small->lbr_depth, 32);
}

static void lunar_lakes_records_are_of_format_6(void **state)
{
	(void)state;
	check_v6(UINT64_C(0x3000000fc), 0);
	for (unsigned int i = 0; i < 2; i++) {
		assert_true(pmuctl_kind_caps(i)->has_pebs);
		assert_int_equal(pmuctl_kind_caps(i)->pebs_format, 6);
		assert_int_equal(pmuctl_kind_caps(i)->has_retire, !i);
	}
	assert_true(pmuctl_kind_caps(0)->pebs_counters == UINT64_C(0xf000003ff));
	assert_true(pmuctl_kind_caps(1)->pebs_counters == UINT64_C(0x7000000ff));
}

static void panther_lake_has_more_in_cfg_c(void **state)
{
	(void)state;
	check_v6(UINT64_C(0x77000000ff), UINT64_C(0xf000003ff));
	assert_true(pmuctl_kind_caps(1)->pebs_counters == UINT64_C(0x77000000ff));
}

/* What fixed counters 4 to 6 count; each event is on its own alone, and on others. */
static void classes_have_fixed_counters(void **state)
{
	static const struct {
		uint64_t evtsel, counter;
		bool can;
	} rows[] = {
		{ 0x0073, 36, true }, { 0x019c, 37, true }, { 0x02c2, 38, true },
		{ 0x0073, 37, false }, { 0x00c2, 38, false }, { 0x10002c2, 38, false },
	};
	struct pmuctl_event event;
	struct pmuctl_reg reg;

	(void)state;
	become("lunarlake-e");
	pmuctl_kind_of_cpu = 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		event = (struct pmuctl_event){
			.evtsel = rows[i].evtsel, .flags = PMUCTL_EVENT_USER,
			.caps = pmuctl_kind_caps(1),
			.allowed = UINT64_C(1) << rows[i].counter,
		};
		assert_int_equal(perfmon->validate(&event, NULL), rows[i].can ? 0 : -EINVAL);
		if (!rows[i].can)
			continue;
		event.counter = rows[i].counter;
		perfmon->encode(&event, &reg);
		assert_int_equal(reg.index, rows[i].counter - 32);
		perfmon->program(&regs, &event);
		assert_int_equal(host_peek(&cpu, MSR_FIXED_CTRL) >> 4 * reg.index & 0xf, 0xa);
	}
}

/* With a number to compare with; cmask and inv beside it are as ever. */
static void equality(void **state)
{
	static const struct {
		uint64_t evtsel;
		int err;
	} rows[] = {
		{ UINT64_C(0x10020002c2), 0 }, { UINT64_C(0x10028002c2), 0 },
		{ UINT64_C(0x10000002c2), -EINVAL }, { UINT64_C(0x30020002c2), -EINVAL },
	};
	struct pmuctl_event event;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		event = (struct pmuctl_event){ .evtsel = rows[i].evtsel,
					       .caps = pmuctl_kind_caps(i & 1),
					       .allowed = 0xf };
		assert_int_equal(perfmon->validate(&event, NULL), rows[i].err);
	}
}

/* Arrow Lake S, and what else is a Panther Lake, by their numbers alone. */
static void numbers_of_version_6(void **state)
{
	static const uint32_t signatures[] = { 0xb06d1, 0xc0662, 0xc06c3, 0xe0650, 0xd0651 };

	(void)state;
	for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
		const struct pmuctl_model *big = pmuctl_model_find(signatures[i], 0x40, 4);
		const struct pmuctl_model *small = pmuctl_model_find(signatures[i], 0x20, 4);

		assert_non_null(big);
		assert_non_null(small);
		assert_string_equal(big->name, "lioncove");
		assert_string_equal(small->name, "skymont");
	}
	assert_null(pmuctl_model_find(0xc06c3, 0, 0));
}

/* What reloads counters goes on only behind us. */
static void small_ones_get_all_back(void **state)
{
	static const struct {
		uint32_t msr;
		uint64_t value;
	} found[] = {
		{ 0x190a, 0x4 }, { 0x190b, 0xfffff000 },
		{ 0x191e, UINT64_C(0x100000000) }, { 0x1986, 0xfc }, { 0x1987, 77 },
		{ MSR_FIXED0 + 4, 4711 }, { MSR_FIXED0 + 6, 4713 },
		{ MSR_FIXED_CTRL, 0x3330000 },
		{ MSR_GLOBAL_CTRL, UINT64_C(0x7000000000) },
	};
	u64 saved[PMUCTL_SAVED_MAX];
	size_t i;

	(void)state;
	pmuctl_kind_of_cpu = 1;
	become("lunarlake-e");
	for (i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		host_wrmsr(&cpu, found[i].msr, found[i].value);
	perfmon->save(saved);
	perfmon->reset(&regs);
	/* Counters start from where they overflow in time. */
	for (i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		if (found[i].msr > MSR_FIXED0 && found[i].msr < MSR_FIXED_CTRL)
			assert_true(host_peek(&cpu, found[i].msr) != found[i].value);
		else
			assert_true(host_peek(&cpu, found[i].msr) == 0);
	perfmon->restore(saved, true);
	for (i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		assert_true(host_peek(&cpu, found[i].msr) == found[i].value);
	/* A big one has none of the registers for it. */
	pmuctl_kind_of_cpu = 0;
	become("lunarlake");
	perfmon->save(saved);
	perfmon->reset(&regs);
	perfmon->restore(saved, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		KINDS(big_cores_come_first),
		KINDS(each_has_its_own_counters),
		KINDS(machine_has_what_all_have),
		KINDS(records_are_of_one_format),
		KINDS(branches_are_of_one_sort),
		KINDS(each_has_its_own_records),
		KINDS(small_ones_by_their_make),
		KINDS(what_differs_too_much_stays_apart),
		KINDS(events_are_of_a_kind),
		KINDS(an_unknown_kind_has_architectural_events),
		KINDS(registers_are_the_cpus),
		KINDS(who_never_came_may_be_of_any),
		KINDS(who_comes_is_of_its_kind),
		KINDS(one_kind_is_the_machine),
		KINDS(what_all_have_is_one_kind),
		cmocka_unit_test_setup_teardown(three_kinds_are_told_apart, three, stop),
		cmocka_unit_test_setup_teardown(three_have_their_registers, three, stop),
		cmocka_unit_test_setup_teardown(second_masks, three, stop),
		cmocka_unit_test_setup_teardown(three_come_back, three, stop),
		cmocka_unit_test_setup_teardown(lunar_lakes_records_are_of_format_6, lunar_lake,
						stop),
		cmocka_unit_test_setup_teardown(panther_lake_has_more_in_cfg_c, panther_lake, stop),
		cmocka_unit_test_setup_teardown(classes_have_fixed_counters, lunar_lake, stop),
		cmocka_unit_test_setup_teardown(equality, lunar_lake, stop),
		cmocka_unit_test(numbers_of_version_6),
		cmocka_unit_test_setup_teardown(small_ones_get_all_back, lunar_lake, stop),
	};

	return cmocka_run_group_tests_name("perfmon kinds", tests, NULL, NULL);
}
