// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gaps of retirement in the PMU model: they add up to the cycles, and each has the tag of
 * what its instruction was made to meet.
 */
#include "tests/unit/model/pipeline_host.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define WARM 60000

static uint64_t gap_total(struct program *p, enum pmu_class cls, enum gap_tag tag,
			  unsigned int what)
{
	return host_total(&p->h, cls, (enum pmu_total)(PMU_GAPS + tag * PMU_GAP_TOTALS + what));
}

static uint64_t gap_cycles(struct program *p, enum pmu_class cls, enum gap_tag tag)
{
	return gap_total(p, cls, tag, 0);
}

static uint64_t gap_count(struct program *p, enum pmu_class cls, enum gap_tag tag)
{
	uint64_t n = 0;

	for (unsigned int bin = 0; bin < GAP_BINS; bin++)
		n += gap_total(p, cls, tag, 1 + bin);
	return n;
}

/* --- what adds up --- */

static void gaps_add_up_to_cycles(void **state)
{
	static const char *const profiles[] = {
		"sandybridge", "ivybridge", "haswell", "skylake", "icelake", "sapphirerapids",
		"arrowlake-h",
	};

	(void)state;
	for (size_t i = 0; i < ROWS(profiles); i++) {
		struct program p;

		program_new(&p, profiles[i]);
		pmu_want_gaps(p.h.pmu, NULL, NULL);
		for (unsigned int n = 0; n < 200; n++) {
			host_ring(&p.h, n % 2 ? PMU_KERNEL : PMU_USER);
			run_random(&p, p.instructions + next_random(&p) % 200);
			/* Its class may end with a misprediction that nobody has paid for. */
			if (n % 3 == 0) {
				run_dense(&p, p.instructions + 600);
				run(&p, &code_test);
				run_branch(&p, &code_jcc, next_random(&p) & 1, p.ip + 64);
			}
			if (n % 5 == 0)
				pmu_interrupt(p.h.pmu, p.ip, p.ip, (enum pmu_class)p.h.hot.cls);
		}
		for (enum pmu_class cls = PMU_KERNEL; cls < PMU_CLASSES; cls++) {
			uint64_t cycles = 0, count = 0;

			for (enum gap_tag tag = 0; tag < GAP_TAG_COUNT; tag++) {
				cycles += gap_cycles(&p, cls, tag);
				count += gap_count(&p, cls, tag);
			}
			assert_int_equal(cycles, host_total(&p.h, cls, PMU_CYCLES));
			assert_int_equal(count, host_total(&p.h, cls, PMU_INSTRUCTIONS));
		}
		program_end(&p);
	}
}

/* Nobody pays for what nobody wants. */
static void there_are_none_unless_wanted(void **state)
{
	struct program p;
	unsigned int fewer;

	(void)state;
	program_new(&p, "skylake");
	run_random(&p, 1000);
	for (enum gap_tag tag = 0; tag < GAP_TAG_COUNT; tag++)
		assert_int_equal(gap_cycles(&p, PMU_USER, tag), 0);
	fewer = pmu_nr_totals(p.h.pmu);
	pmu_want_gaps(p.h.pmu, NULL, NULL);
	assert_int_equal(pmu_nr_totals(p.h.pmu),
			 fewer + (GAP_TAG_COUNT + LOAD_ORIGIN_COUNT) * PMU_GAP_TOTALS);
	program_end(&p);
}

/* --- whose they are --- */

static void branches(struct program *p, uint64_t n)
{
	run_branches(p, n);
}

static void dense(struct program *p, uint64_t n)
{
	run_dense(p, n);
}

static void divisions(struct program *p, uint64_t n)
{
	run_divisions(p, n);
}

static void footprint(struct program *p, uint64_t n)
{
	run_footprint(p, n, 1 << 17);
}

static void blocked(struct program *p, uint64_t n)
{
	load_meets_store(p, n, &code_chase, 4);
}

static void aliased(struct program *p, uint64_t n)
{
	load_meets_store(p, n, &code_chase, 4096);
}

static void split(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		run_access(p, &code_chase, DATA_BASE + LINE - 4, false);
		loop_end(p, top, true);
	}
}

/* More pages than both TLBs have, each in the first level. */
static void walks(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	for (; p->instructions < n; p->at++) {
		/* 2000 pages, whose line is another one in each, less than a set has ways. */
		run_access(p, &code_chase, DATA_BASE + p->at % 2000 * (4096 + LINE), false);
		loop_end(p, top, true);
	}
}

/* Stores to a line of code that has been fetched. */
static void clears(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		run_access(p, &code_store, top, true);
		run(p, &code_add[3]);
		loop_end(p, top, true);
	}
}

/* A misprediction that is over long before the line of an older load comes. */
static void branch_in_shadow(struct program *p, uint64_t n)
{
	static const struct pmu_code test_5 = {
		.length = 3, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64,
		.flags = PMU_CODE_FUSES, .reads = REG(5), .writes = FLAGS,
	};
	uint64_t top = p->ip;

	while (p->instructions < n) {
		p->ip = top;
		run_access(p, &code_chase, DATA_BASE + p->at * LINE, false);
		p->at = (p->at * 5 + 12345) % CHASE_LINES;
		for (unsigned int i = 0; i < 4; i++)
			run(p, &code_add[5]);
		run(p, &test_5);
		run_branch(p, &code_jcc, next_random(p) & 1, p->ip + 10);
		p->ip = top + 60;
		for (unsigned int i = 0; i < 6; i++)
			run(p, &code_add[6 + i]);
		loop_end(p, top, true);
	}
}

static void an_instruction_has_the_tag_of_what_it_met(void **state)
{
	static const struct {
		void (*program)(struct program *p, uint64_t n);
		enum gap_tag tag;
		double least, most;		/* mean gap, on skylake */
		unsigned int of_all;		/* per cent of all cycles, at least */
	} rows[] = {
		{ chase_l1, GAP_L1, 3.9, 4.1, 90 },
		{ chase_l2, GAP_L2, 11.9, 12.1, 85 },
		{ chase_l3_warm, GAP_L3, 38, 46, 10 },
		{ chase_memory, GAP_MEMORY, 200, 220, 95 },
		{ branches, GAP_MISPREDICT, 0, 0.5, 0 },
		{ branches, GAP_MISPREDICT_NEXT, 18, 24, 60 },
		{ branch_in_shadow, GAP_MISPREDICT, 0, 0.9, 0 },
		{ branch_in_shadow, GAP_MISPREDICT_NEXT, 0, 0.9, 0 },
		{ footprint, GAP_FRONT_END, 1, 12, 60 },
		{ dense, GAP_OTHER, 0.2, 0.3, 85 },
		{ divisions, GAP_OTHER, 9, 14, 95 },
		{ blocked, GAP_BLOCK, 10, 30, 90 },
		{ aliased, GAP_ALIAS, 8, 10, 90 },
		{ split, GAP_SPLIT, 9, 11, 90 },
		{ walks, GAP_WALK, 30, 45, 60 },
		{ clears, GAP_CLEAR, 10, 60, 50 },
	};

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct program p;
		uint64_t cycles, count, before;
		double mean;

		program_new(&p, "skylake");
		rows[i].program(&p, WARM);
		before = total(&p, PMU_CYCLES);
		pmu_want_gaps(p.h.pmu, NULL, NULL);
		rows[i].program(&p, p.instructions + 30000);
		cycles = gap_cycles(&p, PMU_USER, rows[i].tag);
		count = gap_count(&p, PMU_USER, rows[i].tag);
		mean = count ? (double)cycles / (double)count : -1;
		if (mean < rows[i].least || mean > rows[i].most ||
		    cycles * 100 < rows[i].of_all * (total(&p, PMU_CYCLES) - before))
			fail_msg("row %u: %llu instructions, mean %.2f, %llu of %llu cycles",
				 (unsigned int)i, (unsigned long long)count, mean,
				 (unsigned long long)cycles,
				 (unsigned long long)(total(&p, PMU_CYCLES) - before));
		program_end(&p);
	}
}

/* --- one by one --- */

struct trace {
	struct pmu_retired retired[64];
	unsigned int n;
};

static void note(void *data, const struct pmu_retired *retired)
{
	struct trace *trace = data;

	trace->retired[trace->n++ % ROWS(trace->retired)] = *retired;
}

static const struct pmu_retired *latest(const struct trace *trace, unsigned int before)
{
	return &trace->retired[(trace->n - 1 - before) % ROWS(trace->retired)];
}

/* mov (%rbx),%rdx: not what code_load writes, and none of them waits for the other. */
static const struct pmu_code load_other = {
	.length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64, .flags = PMU_CODE_LOADS,
	.address_regs = REG(3), .writes = REG(6),
};

/* Two long waits that begin a cycle apart: the second one has hardly any left. */
static void a_stall_in_the_shadow_of_another_costs_nothing(void **state)
{
	static const struct {
		enum gap_tag tag;
		unsigned int least;		/* the first gap */
		unsigned int most;		/* the second */
	} rows[] = {
		/* Lines from memory keep a distance on the bus. */
		{ GAP_MEMORY, 150, 12 }, { GAP_L3, 30, 1 }, { GAP_L1, 1, 1 },
	};
	struct trace trace = { .n = 0 };
	struct program p;

	(void)state;
	program_new(&p, "skylake");
	host_no_prefetch(&p.h);
	pmu_want_gaps(p.h.pmu, note, &trace);
	run_dense(&p, 2000);
	for (size_t i = 0; i < ROWS(rows); i++) {
		/* Nothing is in flight, or it would be in the shadow of that. */
		enter_kernel(&p);
		run_access(&p, &code_load, DATA_BASE, false);
		run_access(&p, &load_other, DATA_BASE + 0x1000, false);
		host_boundary(&p.h);
		assert_int_equal(latest(&trace, 1)->tag, rows[i].tag);
		assert_true(latest(&trace, 1)->gap >= rows[i].least);
		assert_int_equal(latest(&trace, 0)->tag, rows[i].tag);
		assert_true(latest(&trace, 0)->gap <= rows[i].most);
		/* Other lines of their sets: the third level alone has them next. */
		for (uint64_t n = 1; !i && n <= 16; n++) {
			run_access(&p, &code_load, DATA_BASE + n * 0x10000, false);
			run_access(&p, &code_load, DATA_BASE + n * 0x10000 + 0x1000, false);
		}
		run_dense(&p, p.instructions + 2000);
	}
	program_end(&p);
}

static void a_trace_has_each_instruction(void **state)
{
	struct trace trace = { .n = 0 };
	struct program p;
	uint64_t ip;

	(void)state;
	program_new(&p, "skylake");
	pmu_want_gaps(p.h.pmu, note, &trace);
	ip = p.ip;
	for (unsigned int i = 0; i < 10; i++)
		run(&p, &code_add[2]);
	host_boundary(&p.h);
	assert_int_equal(trace.n, 10);
	for (unsigned int i = 0; i < 9; i++) {
		assert_int_equal(latest(&trace, i)->ip, ip + 4 * (9 - i));
		assert_int_equal(latest(&trace, i)->cls, PMU_USER);
		assert_int_equal(latest(&trace, i)->gap, 1);
	}
	program_end(&p);
}

/* A bin has the gaps from its least one up to the next bin's. */
static void bins_follow_each_other(void **state)
{
	struct trace trace = { .n = 0 };
	struct program p;
	uint64_t n[GAP_BINS] = { 0 };

	(void)state;
	for (unsigned int bin = 1; bin < GAP_BINS; bin++)
		assert_true(gap_bin_from(bin) > gap_bin_from(bin - 1));
	assert_int_equal(gap_bin_from(GAP_EXACT), 4);
	assert_int_equal(gap_bin_from(GAP_EXACT + 1), 6);
	assert_int_equal(gap_bin_from(GAP_BINS - 1), 4096);
	program_new(&p, "skylake");
	pmu_want_gaps(p.h.pmu, note, &trace);
	for (unsigned int i = 0; i < 3000; i++) {
		unsigned int bin = GAP_BINS - 1;

		run_random(&p, p.instructions + 1);
		host_boundary(&p.h);
		while (gap_bin_from(bin) > latest(&trace, 0)->gap)
			bin--;
		n[bin]++;
	}
	for (unsigned int bin = 0; bin < GAP_BINS; bin++) {
		for (enum gap_tag tag = 0; tag < GAP_TAG_COUNT; tag++)
			n[bin] -= gap_total(&p, PMU_USER, tag, 1 + bin);
		assert_int_equal(n[bin], 0);
	}
	program_end(&p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_add_up_to_cycles),
		cmocka_unit_test(there_are_none_unless_wanted),
		cmocka_unit_test(an_instruction_has_the_tag_of_what_it_met),
		cmocka_unit_test(a_stall_in_the_shadow_of_another_costs_nothing),
		cmocka_unit_test(a_trace_has_each_instruction),
		cmocka_unit_test(bins_follow_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
