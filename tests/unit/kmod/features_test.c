// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features of the processor as the module switches them: which processor has which fields, held
 * and given back against the PMU model's registers, and refused by machines that pretend.
 */
#include "tests/unit/model/host.h"

#include <string.h>

#include "kmod/features/cached.h"
#include "kmod/features/field.h"
#include "kmod/features/rows.h"
#include "kmod/pmu/msr.h"

static struct host cpu;
static unsigned int writes, reads;
static bool swallows, missing;

/* --- the seam --- */

bool hw_rdmsr_safe(u32 msr, u64 *value)
{
	uint64_t read = 0;
	enum pmu_access access = missing ? PMU_FAULT : pmu_rdmsr(cpu.pmu, msr, &read);

	reads++;
	/* What nobody has is 0, as QEMU answers. */
	*value = read;
	return access != PMU_FAULT;
}

bool hw_wrmsr_safe(u32 msr, u64 value)
{
	writes++;
	return swallows || pmu_wrmsr(cpu.pmu, msr, value) != PMU_FAULT;
}

static u64 now(u32 msr)
{
	u64 value = 0;

	hw_rdmsr_safe(msr, &value);
	return value;
}

/* --- what there is --- */

static const struct {
	const char *profile;	/* NULL: the box has none of it */
	u32 signature;
	unsigned int documented, reported;
	bool tried;
	u32 core;		/* CPUID.1AH:EAX */
} processors[] = {
	{ "core2", 0x10676, 4, 0, true, 0 },
	{ "nehalem", 0x106a5, 4, 0, true, 0 },
	{ NULL, 0x206c2, 4, 0, true, 0 },		/* Westmere */
	{ "sandybridge", 0x206a7, 4, 0, true, 0 },
	{ "ivybridge", 0x306a9, 4, 0, true, 0 },
	{ "haswell", 0x306c3, 4, 0, true, 0 },
	{ NULL, 0x306d4, 4, 0, true, 0 },		/* Broadwell */
	{ "skylake", 0x506e3, 4, 0, true, 0 },
	{ NULL, 0x50657, 4, 0, true, 0 },		/* Cascade Lake */
	{ NULL, 0xa0655, 4, 0, true, 0 },		/* Comet Lake */
	{ "icelake", 0x706e5, 4, 0, true, 0 },
	{ NULL, 0xa0671, 4, 0, true, 0 },		/* Rocket Lake */
	{ "sapphirerapids", 0x806f8, 4, 3, true, 0 },
	{ NULL, 0xc06f2, 4, 3, true, 0 },		/* Emerald Rapids */
	{ "graniterapids", 0xa06d1, 4, 5, true, 0 },
	{ "alderlake", 0x90672, 4, 0, true, 0x40000001 },
	{ "alderlake-e", 0x90672, 7, 0, true, 0x20000001 },
	{ NULL, 0xb06e0, 7, 0, true, 0x20000001 },	/* Alder Lake-N */
	{ NULL, 0xb06e0, 7, 0, true, 0 },	/* ... that does not say what it is */
	{ "meteorlake-e", 0xa06a4, 11, 0, true, 0x20000002 },
	{ "sierraforest", 0xa06f3, 11, 0, true, 0x20000002 },
	{ "arrowlake-h-e", 0xc0652, 11, 0, true, 0x20000003 },
	{ "pantherlake-e", 0xc06c3, 12, 0, true, 0x20000004 },
	{ "pantherlake", 0xc06c3, 4, 0, true, 0x40000004 },
	{ NULL, 0xd0670, 0, 0, false, 0x20000005 },	/* of cores that nobody knows */
	{ "tremont", 0x80665, 2, 0, true, 0x20000000 },
	{ "goldmontplus", 0x706a1, 2, 0, true, 0 },
	{ NULL, 0x406d8, 2, 0, false, 0 },		/* Silvermont */
	{ NULL, 0x50671, 2, 0, false, 0 },		/* Knights Landing */
	{ "p4", 0xf41, 2, 0, true, 0 },
	{ "p4-northwood", 0xf29, 2, 0, true, 0 },
	{ "p6", 0x683, 0, 0, false, 0 },
	{ "unknown", 0xf06e3, 0, 0, false, 0 },
};

#define PROCESSORS (sizeof(processors) / sizeof(processors[0]))

static struct pmuctl_feature_rows rows_of(unsigned int i)
{
	struct pmuctl_feature_rows rows = { .nr = 0 };

	pmuctl_feature_rows_add(&rows, 0, processors[i].signature, processors[i].core);
	return rows;
}

static void each_processor_has_its_rows(void **state)
{
	unsigned int i, j, documented;

	(void)state;
	for (i = 0; i < PROCESSORS; i++) {
		struct pmuctl_feature_rows rows = rows_of(i);

		documented = 0;
		for (j = 0; j < rows.nr; j++)
			documented += rows.row[j].kind == PMUCTL_FEATURE_KIND_DOCUMENTED;
		assert_int_equal(documented, processors[i].documented);
		assert_int_equal(rows.nr - documented, processors[i].reported);
		for (j = 0; j < rows.nr; j++)
			assert_int_equal(rows.tried[j], processors[i].tried);
		assert_in_range(rows.nr, 0, PMUCTL_FEATURES_MAX);
	}
}

/* No two rows of a processor are one field, or have one name. */
static void rows_do_not_overlap(void **state)
{
	unsigned int i, j, k;

	(void)state;
	for (i = 0; i < PROCESSORS; i++) {
		struct pmuctl_feature_rows rows = rows_of(i);

		for (j = 0; j < rows.nr; j++)
			for (k = 0; k < j; k++) {
				assert_int_not_equal(rows.row[j].id, rows.row[k].id);
				assert_false(rows.row[j].msr == rows.row[k].msr &&
					     pmuctl_feature_mask(&rows.row[j]) &
					     pmuctl_feature_mask(&rows.row[k]));
			}
	}
}

/* Those of three kinds of cores, each with its number, and all of them. */
static void kinds_have_rows_of_their_own(void **state)
{
	struct pmuctl_feature_rows rows = { .nr = 0 };
	unsigned int i, of[3] = { 0 };

	(void)state;
	pmuctl_feature_rows_add(&rows, 0, 0xc0652, 0x40000003);
	pmuctl_feature_rows_add(&rows, 1, 0xc0652, 0x20000003);
	pmuctl_feature_rows_add(&rows, 2, 0xc0652, 0x20000002);
	for (i = 0; i < rows.nr; i++) {
		of[rows.cores[i]]++;
		assert_int_equal(rows.row[i].scope, rows.cores[i] ? PMUCTL_FEATURE_SCOPE_CLUSTER :
				 PMUCTL_FEATURE_SCOPE_CORE);
	}
	assert_int_equal(of[0], 4);
	assert_int_equal(of[1], 11);
	assert_int_equal(of[2], 11);
}

/* --- held and given back --- */

/* Knights Landing has the two bits the other way round. */
static void the_same_bit_is_another_feature_there(void **state)
{
	struct pmuctl_feature_rows rows = { .nr = 0 };

	(void)state;
	pmuctl_feature_rows_add(&rows, 0, 0x50671, 0);
	assert_int_equal(rows.row[0].id, PMUCTL_CPU_FEATURE_L1_NEXT);
	assert_int_equal(rows.row[0].shift, 0);
	assert_int_equal(rows.row[1].id, PMUCTL_CPU_FEATURE_L2_STREAM);
	assert_int_equal(rows.row[1].shift, 1);
}

static enum pmuctl_field_trouble hold(const struct pmuctl_feature_row *row, u64 value,
				      struct pmuctl_field *field)
{
	enum pmuctl_field_trouble trouble = pmuctl_field_find(row, field);

	return trouble == PMUCTL_FIELD_SET ? pmuctl_field_hold(row, value, field) : trouble;
}

static bool give_back(const struct pmuctl_feature_row *row, struct pmuctl_field *field)
{
	if (!pmuctl_field_is_ours(row, field))
		return false;
	pmuctl_field_give_back(row, field);
	return true;
}

static void hold_and_give_back(const struct pmuctl_feature_row *row, u64 found)
{
	struct pmuctl_field field = { .held = false };
	u64 before;

	if (!!(now(row->msr) & pmuctl_feature_mask(row)) != found)
		assert_true(hw_wrmsr_safe(row->msr, now(row->msr) ^ pmuctl_feature_mask(row)));
	before = now(row->msr);
	assert_int_equal(hold(row, 1, &field), PMUCTL_FIELD_SET);
	assert_true(field.held);
	assert_int_equal(field.found, found);
	assert_int_equal(now(row->msr), before | pmuctl_feature_mask(row));
	assert_true(give_back(row, &field));
	assert_false(field.held);
	assert_int_equal(now(row->msr), before);
}

static void fields_are_given_back_bit_for_bit(void **state)
{
	unsigned int i, j;

	(void)state;
	for (i = 0; i < PROCESSORS; i++) {
		struct pmuctl_feature_rows rows = rows_of(i);

		for (j = 0; processors[i].profile && j < rows.nr; j++) {
			/* The box has no register of these. */
			if (rows.row[j].kind != PMUCTL_FEATURE_KIND_DOCUMENTED)
				continue;
			host_new(&cpu, processors[i].profile, 0);
			hold_and_give_back(&rows.row[j], 0);
			hold_and_give_back(&rows.row[j], 1);
			host_free(&cpu);
		}
	}
}

static const struct pmuctl_feature_row *first_of(const char *profile)
{
	static struct pmuctl_feature_rows rows;
	unsigned int i;

	for (i = 0; i < PROCESSORS; i++)
		if (processors[i].profile && !strcmp(processors[i].profile, profile))
			break;
	host_new(&cpu, profile, 0);
	rows = rows_of(i);
	return rows.row;
}

/* Others' bits of the register, written meanwhile, stay as they wrote them. */
static void other_bits_are_left_alone(void **state)
{
	const struct pmuctl_feature_row *row = first_of("skylake");
	struct pmuctl_field field;

	(void)state;
	assert_int_equal(hold(row, 1, &field), PMUCTL_FIELD_SET);
	assert_true(hw_wrmsr_safe(row->msr, 0xd));
	assert_true(give_back(row, &field));
	assert_int_equal(now(row->msr), 0xc);
	host_free(&cpu);
}

static void what_others_wrote_is_left(void **state)
{
	const struct pmuctl_feature_row *row = first_of("skylake");
	struct pmuctl_field field;

	(void)state;
	assert_int_equal(hold(row, 1, &field), PMUCTL_FIELD_SET);
	assert_true(hw_wrmsr_safe(row->msr, 0x6));
	writes = 0;
	assert_false(give_back(row, &field));
	assert_int_equal(writes, 0);
	assert_int_equal(field.read, 0);
	assert_int_equal(now(row->msr), 0x6);
	host_free(&cpu);
}

/* What is so already needs no write, now or later. */
static void what_is_so_is_not_written(void **state)
{
	const struct pmuctl_feature_row *row = first_of("nehalem");
	struct pmuctl_field field;

	(void)state;
	writes = 0;
	assert_int_equal(hold(row, 0, &field), PMUCTL_FIELD_SET);
	assert_true(give_back(row, &field));
	assert_int_equal(writes, 0);
	host_free(&cpu);
}

/* --- of tasks --- */

#define PREFETCH 0x1a4

static const struct pmuctl_wish nobody = { 0, 0 }, first = { 0x3, 0x1 }, second = { 0x2, 0x2 };

static void begin(struct pmuctl_cached *cached, u64 found)
{
	host_new(&cpu, "skylake", 0);
	assert_true(hw_wrmsr_safe(PREFETCH, found));
	*cached = (struct pmuctl_cached){ .on = false };
	pmuctl_cached_begin(cached, PREFETCH, 0x3);
	assert_true(cached->on);
	writes = reads = 0;
}

/* And nothing is read for it. */
static void a_switch_writes_what_differs(void **state)
{
	struct pmuctl_cached cached;

	(void)state;
	begin(&cached, 0xa);
	pmuctl_cached_set(&cached, PREFETCH, &nobody);
	assert_int_equal(writes, 0);
	pmuctl_cached_set(&cached, PREFETCH, &first);
	pmuctl_cached_set(&cached, PREFETCH, &first);
	assert_int_equal(writes, 1);
	assert_int_equal(reads, 0);
	assert_int_equal(now(PREFETCH), 0x9);
	/* From one task to another nothing of the first stays. */
	pmuctl_cached_set(&cached, PREFETCH, &second);
	assert_int_equal(now(PREFETCH), 0xa);
	pmuctl_cached_set(&cached, PREFETCH, &nobody);
	assert_int_equal(writes, 2);
	assert_int_equal(now(PREFETCH), 0xa);
	host_free(&cpu);
}

static void others_keep_what_they_wrote(void **state)
{
	struct pmuctl_cached cached;

	(void)state;
	begin(&cached, 0x0);
	pmuctl_cached_set(&cached, PREFETCH, &(struct pmuctl_wish){ 0x3, 0x3 });
	/* One of the tasks' bits, and one that is none of theirs. */
	assert_true(hw_wrmsr_safe(PREFETCH, 0x6));
	assert_int_equal(pmuctl_cached_look(&cached, PREFETCH), 0x1);
	assert_int_equal(pmuctl_cached_look(&cached, PREFETCH), 0);
	pmuctl_cached_set(&cached, PREFETCH, &nobody);
	assert_int_equal(now(PREFETCH), 0x4);
	pmuctl_cached_set(&cached, PREFETCH, &first);
	assert_int_equal(now(PREFETCH), 0x4);
	host_free(&cpu);
}

/* His until no task has the bit any more. */
static void what_was_lost_is_found_anew(void **state)
{
	struct pmuctl_cached cached;

	(void)state;
	begin(&cached, 0x0);
	assert_true(hw_wrmsr_safe(PREFETCH, 0x1));
	assert_int_equal(pmuctl_cached_look(&cached, PREFETCH), 0x1);
	pmuctl_cached_begin(&cached, PREFETCH, 0x3);
	assert_int_equal(cached.lost, 0x1);
	pmuctl_cached_begin(&cached, PREFETCH, 0);
	assert_false(cached.on);
	pmuctl_cached_begin(&cached, PREFETCH, 0x3);
	assert_int_equal(cached.lost, 0);
	assert_int_equal(cached.found, 0x1);
	missing = true;
	pmuctl_cached_begin(&cached, PREFETCH, 0x3);
	missing = false;
	assert_false(cached.on);
	host_free(&cpu);
}

/* Those that a core has, of a register that nobody else writes. */
static void some_fields_are_no_tasks(void **state)
{
	struct pmuctl_feature_rows rows;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < PROCESSORS; i++) {
		rows = rows_of(i);
		for (j = 0; j < rows.nr; j++)
			assert_int_equal(!pmuctl_feature_no_task(&rows.row[j]),
					 rows.row[j].scope == PMUCTL_FEATURE_SCOPE_CORE &&
					 (rows.row[j].msr == PREFETCH || rows.row[j].msr == 0x6d));
	}
}

/* --- machines that pretend --- */

static void swallowed_writes_are_seen(void **state)
{
	const struct pmuctl_feature_row *row = first_of("skylake");
	struct pmuctl_field field = { .held = false };

	(void)state;
	swallows = true;
	assert_int_equal(hold(row, 1, &field), PMUCTL_FIELD_SWALLOWED);
	swallows = false;
	assert_false(field.held);
	assert_int_equal(field.read, 0);
	host_free(&cpu);
	host_new(&cpu, "faulty-zero", 0);
	assert_int_equal(hold(row, 1, &field), PMUCTL_FIELD_SWALLOWED);
	host_free(&cpu);
}

static void registers_that_are_not_there_are_seen(void **state)
{
	struct pmuctl_feature_row bad = *first_of("skylake");
	struct pmuctl_field field = { .held = false };
	u64 value;

	(void)state;
	missing = true;
	assert_int_equal(hold(&bad, 1, &field), PMUCTL_FIELD_MISSING);
	assert_false(pmuctl_field_read(&bad, &value));
	missing = false;
	bad.shift = 40;
	assert_int_equal(hold(&bad, 1, &field), PMUCTL_FIELD_FAULTS);
	assert_false(field.held);
	host_free(&cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_processor_has_its_rows),
		cmocka_unit_test(rows_do_not_overlap),
		cmocka_unit_test(kinds_have_rows_of_their_own),
		cmocka_unit_test(the_same_bit_is_another_feature_there),
		cmocka_unit_test(fields_are_given_back_bit_for_bit),
		cmocka_unit_test(other_bits_are_left_alone),
		cmocka_unit_test(what_others_wrote_is_left),
		cmocka_unit_test(what_is_so_is_not_written),
		cmocka_unit_test(a_switch_writes_what_differs),
		cmocka_unit_test(others_keep_what_they_wrote),
		cmocka_unit_test(what_was_lost_is_found_anew),
		cmocka_unit_test(some_fields_are_no_tasks),
		cmocka_unit_test(swallowed_writes_are_seen),
		cmocka_unit_test(registers_that_are_not_there_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
