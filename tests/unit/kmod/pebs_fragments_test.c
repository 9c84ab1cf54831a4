// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of architectural PEBS, written by hand: of one fragment and of more, and what is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"

#define BIT(n) (UINT64_C(1) << (n))
#define CONTINUES BIT(31)
#define WIDE BIT(30)
#define BASIC BIT(63)
#define AUX BIT(62)
#define GPR BIT(61)
#define COUNTERS BIT(36)
#define LBR_8 BIT(40)
#define LBR_16 BIT(41)
#define LBR_DEPTH (LBR_8 | LBR_16)

static uint64_t words[256];
static unsigned int nr, begun;

static void begin(uint64_t format)
{
	begun = nr;
	words[nr++] = format;
	words[nr++] = 0;
}

static void end(void)
{
	words[begun] |= 8 * (nr - begun);
}

static void null(void)
{
	begin(0);
	end();
}

static void put(unsigned int n, uint64_t first)
{
	while (n--)
		words[nr++] = first++;
}

static void basic(void)
{
	put(3, 0x401000);			/* IP, counters, TSC */
	words[nr - 2] = 2;
	put(1, BIT(16) | 77);
	put(2, 0);
}

static void aux(void)
{
	put(8, 0x500);
	words[nr - 2] = UINT64_C(20) << 32 | 30;
}

static void branches(uint64_t depth, unsigned int n)
{
	put(6, 0);
	words[nr - 4] = depth;
	put(3 * n, 0x1000);
}

/* Values from 0x700 on; of PERF_METRICS (3) two more. */
static void counters(uint32_t gp, uint32_t fixed, uint32_t metrics)
{
	words[nr++] = gp | (uint64_t)fixed << 32;
	words[nr++] = metrics;
	put((unsigned int)__builtin_popcount(gp) + (unsigned int)__builtin_popcount(fixed) +
	    (metrics == 3 ? 2 : 0), 0x700);
}

static void fresh(void)
{
	memset(words, 0, sizeof(words));
	nr = 0;
}

static bool decoded(struct pmuctl_pebs_record *record)
{
	return pmuctl_pebs_decode(15, words, 8 * nr, record);
}

static void is_whole(const struct pmuctl_pebs_record *record)
{
	assert_int_equal(record->size, 8 * nr);
	assert_true(record->exact);
	assert_int_equal(record->ip, 0x401000);
	assert_int_equal(record->counters, 2);
	assert_int_equal(record->tsc, 0x401002);
	assert_int_equal(record->retire, 77);
	assert_int_equal(record->addr, 0x500);
	assert_int_equal(record->data_src, 0x505);
	assert_true(record->latency == (UINT64_C(30) << 32 | 20));
	assert_non_null(record->regs);
	assert_int_equal(record->regs->ip, 0x601);
	assert_int_equal(record->regs->r15, 0x611);
	assert_int_equal(record->nr_branches, 8);
	assert_int_equal(record->branches[1].from, 0x1003);
}

static void records_of_one_fragment(void **state)
{
	struct pmuctl_pebs_record record;

	(void)state;
	fresh();
	begin(BASIC | AUX | GPR | LBR_8 | COUNTERS | WIDE);
	basic();
	aux();
	put(20, 0x600);
	branches(32, 8);
	counters(0x9, 0, 0);
	end();
	assert_true(decoded(&record));
	is_whole(&record);
	fresh();
	begin(BASIC);
	basic();
	words[nr - 3] = 77;			/* not valid */
	end();
	assert_true(decoded(&record));
	assert_int_equal(record.retire, 0);
	assert_null(record.regs);
	assert_null(record.branches);
}

static void records_of_several_fragments(void **state)
{
	struct pmuctl_pebs_record record;

	(void)state;
	fresh();
	null();
	begin(BASIC | WIDE | CONTINUES);
	basic();
	end();
	null();
	begin(AUX | GPR | CONTINUES);
	aux();
	put(20, 0x600);
	end();
	begin(COUNTERS | CONTINUES);
	counters(0, 0, 3);
	end();
	begin(LBR_8);
	branches(8, 8);
	end();
	assert_true(decoded(&record));
	is_whole(&record);
	/* The next one is another. */
	begin(BASIC);
	basic();
	end();
	assert_true(decoded(&record));
	assert_int_equal(record.size, 8 * (nr - 8));
	nr -= 8;
	/* One that goes on has to have the rest. */
	assert_false(pmuctl_pebs_decode(15, words, 8 * nr - 8, &record));
	fresh();
	begin(BASIC | CONTINUES);
	basic();
	end();
	assert_false(decoded(&record));
}

static void branches_are_as_many_as_it_says(void **state)
{
	struct pmuctl_pebs_record record;

	(void)state;
	fresh();
	begin(BASIC | LBR_16);
	basic();
	branches(8, 16);
	end();
	assert_true(decoded(&record));
	assert_int_equal(record.nr_branches, 16);
	fresh();
	begin(BASIC | LBR_DEPTH);
	basic();
	branches(4, 4);
	end();
	assert_true(decoded(&record));
	assert_int_equal(record.nr_branches, 4);
	/* More than the fragment holds. */
	words[2 + 6 + 2] = 5;
	assert_false(decoded(&record));
	words[2 + 6 + 2] = UINT64_MAX / 24 + 2;
	assert_false(decoded(&record));
}

static void what_is_none(void **state)
{
	struct pmuctl_pebs_record record;

	(void)state;
	fresh();
	begin(BASIC | GPR);
	basic();
	put(20, 0x600);
	end();
	assert_true(decoded(&record));
	words[0] -= 16;				/* too short for the registers */
	assert_false(decoded(&record));
	words[0] += 32;				/* behind the end */
	assert_false(decoded(&record));
	words[0] = BASIC;
	assert_false(decoded(&record));
	words[0] = 8;
	assert_false(decoded(&record));
	words[0] = 0;
	assert_false(decoded(&record));
	fresh();
	begin(BASIC | BIT(49));			/* vectors: nobody asks for them */
	basic();
	put(34, 0);
	end();
	assert_false(decoded(&record));
	nr = 1;
	assert_false(decoded(&record));
}

/* By the slots that the module has them in. */
static void counters_of_a_record(void **state)
{
	struct pmuctl_pebs_record record;
	u64 value;

	(void)state;
	fresh();
	begin(BASIC | COUNTERS | BIT(37));
	basic();
	counters(0x12, 0x5, 0);
	words[nr++] = 0;			/* filled up */
	words[nr++] = 0;
	end();
	assert_true(decoded(&record));
	assert_true(pmuctl_pebs_counted(record.counts, 1, &value));
	assert_int_equal(value, 0x700);
	assert_true(pmuctl_pebs_counted(record.counts, 4, &value));
	assert_int_equal(value, 0x701);
	assert_true(pmuctl_pebs_counted(record.counts, PMUCTL_GP_MAX, &value));
	assert_int_equal(value, 0x702);
	assert_true(pmuctl_pebs_counted(record.counts, PMUCTL_GP_MAX + 2, &value));
	assert_int_equal(value, 0x703);
	assert_false(pmuctl_pebs_counted(record.counts, 0, &value));
	assert_false(pmuctl_pebs_counted(record.counts, PMUCTL_GP_MAX + 1, &value));
	/* One more than the fragment has. */
	words[8] |= 0xff00;
	assert_false(decoded(&record));
	fresh();
	begin(BASIC);
	basic();
	end();
	assert_true(decoded(&record));
	assert_null(record.counts);
	/* No room for what says which they are. */
	words[0] |= COUNTERS;
	assert_false(decoded(&record));
}

/* No record is longer, however many fragments it comes in. */
static void the_most_bytes(void **state)
{
	uint64_t cfg = PEBS_CFG_MEMORY | PEBS_CFG_GPR | PEBS_CFG_LBR |
		       (uint64_t)31 << PEBS_CFG_LBR_SHIFT;

	(void)state;
	assert_int_equal(pmuctl_pebs_architectural_size(0), 64);
	assert_int_equal(pmuctl_pebs_architectural_size(cfg),
			 64 + 32 + 64 + 32 + 160 + 32 + 48 + 32 * 24);
	/* Two general-purpose ones, and a fixed one. */
	cfg = PEBS_CFG_COUNTERS | BIT(33) | BIT(36) | BIT(48);
	assert_int_equal(pmuctl_pebs_architectural_size(cfg), 64 + 32 + 16 + 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_one_fragment),
		cmocka_unit_test(records_of_several_fragments),
		cmocka_unit_test(branches_are_as_many_as_it_says),
		cmocka_unit_test(what_is_none),
		cmocka_unit_test(counters_of_a_record),
		cmocka_unit_test(the_most_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
