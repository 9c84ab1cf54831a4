// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pipeline of the PMU model: that slots add up, that they have the cause that a
 * program was made for, and that the formulas of Top-Down find the same from signals.
 */
#include "tests/unit/model/pipeline_host.h"

#define POINT 0.01

static const struct {
	const char *name;
	unsigned int width;
	bool old;			/* formulas of Sandy Bridge to Haswell */
} profiles[] = {
	{ "sandybridge", 4, true }, { "ivybridge", 4, true }, { "haswell", 4, true },
	{ "skylake", 4, false }, { "icelake", 5, false }, { "sapphirerapids", 6, false },
};

#define PROFILES (sizeof(profiles) / sizeof(profiles[0]))

/* What happened since the last look. */
struct seen {
	uint64_t total[PMU_TOTALS];
};

static void look(struct program *p, struct seen *s)
{
	host_boundary(&p->h);
	memcpy(s->total, pmu_totals(p->h.pmu, PMU_USER), sizeof(s->total));
}

static void subtract(struct seen *s, const struct seen *before)
{
	for (unsigned int i = 0; i < PMU_TOTALS; i++)
		s->total[i] -= before->total[i];
}

static uint64_t causes(const struct seen *s, enum slot_cause first, enum slot_cause last)
{
	uint64_t sum = 0;

	for (unsigned int i = first; i <= last; i++)
		sum += s->total[PMU_SLOTS + i];
	return sum;
}

static uint64_t all_slots(const struct seen *s)
{
	return causes(s, 0, SLOT_CAUSE_COUNT - 1);
}

static double share(const struct seen *s, enum slot_cause first, enum slot_cause last)
{
	return (double)causes(s, first, last) / (double)all_slots(s);
}

#define N(s, name) ((double)(s)->total[PMU_SIG_##name])

/* --- programs --- */

static void dense(struct program *p, uint64_t n)
{
	run_dense(p, n);
}

static void chain(struct program *p, uint64_t n)
{
	run_chain(p, n);
}

static void chase_l3(struct program *p, uint64_t n)
{
	run_chase(p, n, 65536);
}

static void branches(struct program *p, uint64_t n)
{
	run_branches(p, n);
}

static void footprint(struct program *p, uint64_t n)
{
	run_footprint(p, n, 1 << 17);
}

static void divisions(struct program *p, uint64_t n)
{
	run_divisions(p, n);
}

static void stores(struct program *p, uint64_t n)
{
	run_stores(p, n, 1 << 26);
}

#define WARM 20000
#define LONG_WARM 200000

static const struct kernel {
	const char *name;
	void (*run)(struct program *p, uint64_t n);
	enum slot_cause first, last;	/* of these it has most */
	double least;			/* share of them */
	uint64_t warm;			/* instructions before it is like that */
} kernels[] = {
	{ "dense", dense, SLOT_LIGHT, SLOT_LIGHT, 0.94, WARM },
	{ "chain", chain, SLOT_PORTS, SLOT_PORTS, 0.7, WARM },
	{ "chase L1", chase_l1, SLOT_L1, SLOT_L1, 0.4, WARM },
	{ "chase L2", chase_l2, SLOT_L2, SLOT_L2, 0.75, WARM },
	{ "chase L3", chase_l3, SLOT_L3, SLOT_L3, 0.8, LONG_WARM },
	{ "chase memory", chase_memory, SLOT_DRAM, SLOT_DRAM, 0.9, WARM },
	{ "branches", branches, SLOT_MISPREDICTED, SLOT_MISPREDICT_RECOVERY, 0.4, WARM },
	{ "footprint", footprint, SLOT_ICACHE, SLOT_ICACHE, 0.5, 2 * WARM },
	{ "divisions", divisions, SLOT_DIVIDER, SLOT_DIVIDER, 0.9, WARM },
	{ "stores", stores, SLOT_STORE, SLOT_STORE, 0.8, WARM },
};

#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))
#define MEASURED 30000

static void run_kernel(const struct kernel *k, const char *profile, struct seen *s)
{
	struct program p;
	struct seen before;

	program_new(&p, profile);
	k->run(&p, k->warm);
	look(&p, &before);
	k->run(&p, p.instructions + MEASURED);
	look(&p, s);
	subtract(s, &before);
	program_end(&p);
}

static void a_program_waits_for_what_it_was_made_for(void **state)
{
	struct seen s;

	(void)state;
	for (size_t k = 0; k < KERNELS; k++)
		for (size_t i = 0; i < PROFILES; i++) {
			run_kernel(&kernels[k], profiles[i].name, &s);
			if (share(&s, kernels[k].first, kernels[k].last) < kernels[k].least)
				fail_msg("%s on %s: %.3f", kernels[k].name, profiles[i].name,
					 share(&s, kernels[k].first, kernels[k].last));
		}
}

/* --- slots --- */

static void slots_add_up(void **state)
{
	struct program p;
	struct seen s;

	(void)state;
	for (size_t i = 0; i < PROFILES; i++) {
		unsigned int width = profiles[i].width;

		program_new(&p, profiles[i].name);
		run_random(&p, 50000);
		enter_kernel(&p);
		look(&p, &s);
		assert_int_equal(all_slots(&s), width * s.total[PMU_CYCLES]);
		assert_true(causes(&s, SLOT_LIGHT, SLOT_HEAVY) >= s.total[PMU_INSTRUCTIONS]);
		program_end(&p);
	}
}

static void a_program_is_always_the_same(void **state)
{
	struct program p;
	struct seen first, again;

	(void)state;
	for (size_t i = 0; i < PROFILES; i++) {
		program_new(&p, profiles[i].name);
		run_random(&p, 20000);
		look(&p, &first);
		program_end(&p);
		/* ... however often somebody looks. */
		program_new(&p, profiles[i].name);
		p.h.eager = true;
		run_random(&p, 20000);
		look(&p, &again);
		program_end(&p);
		assert_memory_equal(&first, &again, sizeof(first));
	}
}

/* --- what formulas make of the signals --- */

static void level_one(const char *name, const struct seen *s, unsigned int width)
{
	const uint64_t *n = s->total;
	uint64_t wrong = n[PMU_SIG_UOPS_ISSUED] - n[PMU_SIG_UOPS_RETIRED] +
			 width * n[PMU_SIG_RECOVERY_CYCLES];

	(void)name;
	assert_int_equal(n[PMU_SIG_UOPS_RETIRED], causes(s, SLOT_LIGHT, SLOT_HEAVY));
	assert_int_equal(n[PMU_SIG_NOT_DELIVERED], causes(s, SLOT_ICACHE, SLOT_MS));
	assert_int_equal(wrong, causes(s, SLOT_MISPREDICTED, SLOT_CLEAR_RECOVERY));
	assert_int_equal(n[PMU_SIG_BACK_END_SLOTS], causes(s, SLOT_L1, SLOT_RESTART));
	assert_int_equal(n[PMU_SIG_METRIC_BACK_END], causes(s, SLOT_L1, SLOT_SERIALIZING));
	assert_int_equal(n[PMU_SIG_METRIC_BAD_SPECULATION] + n[PMU_SIG_METRIC_BACK_END],
			 causes(s, SLOT_MISPREDICTED, SLOT_CLEAR_RECOVERY) +
				 n[PMU_SIG_BACK_END_SLOTS]);
}

static void level_one_is_exact(void **state)
{
	struct program p;
	struct seen s;

	(void)state;
	for (size_t i = 0; i < PROFILES; i++) {
		program_new(&p, profiles[i].name);
		run_random(&p, 50000);
		look(&p, &s);
		level_one(profiles[i].name, &s, profiles[i].width);
		program_end(&p);
	}
}

static double back_end(const struct seen *s)
{
	return N(s, BACK_END_SLOTS) / (double)all_slots(s);
}

static double few_uops(const struct seen *s)
{
	double ipc = (double)s->total[PMU_INSTRUCTIONS] / (double)s->total[PMU_CYCLES];

	return ipc > 1.8 ? N(s, EXECUTED_GE3) : N(s, EXECUTED_GE2);
}

static double memory_old(const struct seen *s, double latency)
{
	double empty = latency > 0.1 ? N(s, RS_EMPTY_CYCLES) : 0;
	double cycles = N(s, EXE_STALLS) + N(s, EXECUTED_GE1) - few_uops(s) - empty +
			N(s, STALLS_SB);

	return (N(s, EXE_STALLS_MEM) + N(s, STALLS_SB)) / cycles * back_end(s);
}

static double memory_new(const struct seen *s)
{
	double retiring = N(s, UOPS_RETIRED) / (double)all_slots(s);
	double cycles = N(s, EXE_STALLS) + N(s, PORTS_1) + retiring * N(s, PORTS_2) +
			N(s, BOUND_ON_STORES);

	return (N(s, EXE_STALLS_MEM) + N(s, BOUND_ON_STORES)) / cycles * back_end(s);
}

static bool apart(double a, double b)
{
	return a - b > 5 * POINT || b - a > 5 * POINT;
}

static void level_two_is_within_five_points(void **state)
{
	struct seen s;

	(void)state;
	for (size_t k = 0; k < KERNELS; k++)
		for (size_t i = 0; i < PROFILES; i++) {
			double latency, memory;

			run_kernel(&kernels[k], profiles[i].name, &s);
			latency = N(&s, DELIVERED_0) * profiles[i].width / (double)all_slots(&s);
			memory = profiles[i].old ? memory_old(&s, latency) : memory_new(&s);
			if (apart(latency, share(&s, SLOT_ICACHE, SLOT_LCP)) ||
			    apart(memory, share(&s, SLOT_L1, SLOT_STORE)))
				fail_msg("%s on %s: latency %.3f %.3f, memory %.3f %.3f",
					 kernels[k].name, profiles[i].name, latency,
					 share(&s, SLOT_ICACHE, SLOT_LCP), memory,
					 share(&s, SLOT_L1, SLOT_STORE));
		}
}

/* --- by hand --- */

/* A chain of additions takes a cycle each; independent ones go as wide as the core. */
static void cycles_of_additions(void **state)
{
	struct seen s;

	(void)state;
	run_kernel(&kernels[1], "skylake", &s);
	assert_in_range(s.total[PMU_CYCLES], MEASURED * 64 / 66 - 200, MEASURED * 64 / 66 + 200);
	run_kernel(&kernels[0], "skylake", &s);
	assert_in_range(s.total[PMU_SIG_UOPS_RETIRED], s.total[PMU_CYCLES] * 4 * 99 / 100,
			s.total[PMU_CYCLES] * 4);
}

/* Each takes its latency, with an L1 hit as the whole of the loop. */
static void cycles_of_a_chase(void **state)
{
	struct seen s;

	(void)state;
	run_kernel(&kernels[2], "skylake", &s);
	assert_in_range(s.total[PMU_CYCLES] * 3, MEASURED * 4 - 600, MEASURED * 4 + 600);
	run_kernel(&kernels[3], "skylake", &s);
	assert_in_range(s.total[PMU_CYCLES] * 3, MEASURED * 12 - 2000,
			MEASURED * 12 + 2000);
}

/* Seven cycles of recovery each, which are bad speculation; then the front end's nine. */
static void a_misprediction_costs_what_the_core_says(void **state)
{
	struct program p;
	struct seen s;
	uint64_t missed;

	(void)state;
	program_new(&p, "skylake");
	run_branches(&p, 50000);
	look(&p, &s);
	missed = s.total[PMU_BRANCH_MISSES];
	assert_true(missed > 1000);
	assert_int_equal(s.total[PMU_SIG_CLEARS_COUNT], missed);
	assert_int_equal(s.total[PMU_SIG_RECOVERY_CYCLES], 7 * missed);
	assert_int_equal(s.total[PMU_SLOT_MISPREDICT_RECOVERY], 4 * 7 * missed);
	assert_int_equal(s.total[PMU_SIG_CLEAR_RESTEER_CYCLES], 9 * missed);
	/* Something of the wrong path is issued each time. */
	assert_true(s.total[PMU_SLOT_MISPREDICTED] > 4 * missed);
	program_end(&p);
}

/* A counter with ANY counts what the pipeline of the core's other thread signals. */
static void threads_tell_of_signals(void **state)
{
	struct program p;
	struct host other;
	struct seen s;

	(void)state;
	program_new(&p, "skylake");
	user_host(&other, "skylake", 0);
	assert_true(pmu_join(other.pmu, p.h.pmu));
	host_wrmsr(&other, MSR_EVTSEL0, EN | USR | ANY | 0x010d);
	host_wrmsr(&other, MSR_GLOBAL_CTRL, 1);
	if (pmu_core_changed(other.pmu))
		pmu_core_update(p.h.pmu);
	run_branches(&p, 50000);
	look(&p, &s);
	assert_true(s.total[PMU_SIG_RECOVERY_CYCLES] > 7000);
	host_boundary(&other);
	assert_int_equal(host_peek(&other, MSR_PMC0), s.total[PMU_SIG_RECOVERY_CYCLES]);
	host_free(&other);
	program_end(&p);
}

/* Ice Lake's metrics do not see the cycle behind a clear. */
static void metrics_leave_a_cycle_out(void **state)
{
	struct program p;
	struct seen s;

	(void)state;
	program_new(&p, "icelake");
	run_branches(&p, 50000);
	look(&p, &s);
	assert_int_equal(s.total[PMU_SLOT_RESTART], 5 * s.total[PMU_SIG_CLEARS_COUNT]);
	assert_int_equal(s.total[PMU_SIG_METRIC_BACK_END] + s.total[PMU_SLOT_RESTART],
			 s.total[PMU_SIG_BACK_END_SLOTS]);
	program_end(&p);
}

/* --- prefetchers --- */

static void run_with_prefetchers(uint64_t off, uint64_t step, struct seen *s)
{
	struct program p;

	program_new(&p, "skylake");
	assert_int_equal(pmu_wrmsr(p.h.pmu, MSR_PREFETCH, off), PMU_DONE);
	for (uint64_t i = 0; i < 4096; i++) {
		run_access(&p, &code_load, DATA_BASE + i * step, false);
		run(&p, &code_add[4]);
	}
	look(&p, s);
	program_end(&p);
}

#define NO_PREFETCHERS 0xf
#define ONLY(bit) (NO_PREFETCHERS & ~(1u << (bit)))

static void prefetchers_can_be_switched_off(void **state)
{
	struct seen none, all, streamer, adjacent, next, stride;

	(void)state;
	run_with_prefetchers(NO_PREFETCHERS, LINE, &none);
	assert_int_equal(none.total[PMU_L1D_MISSES], 4096);
	assert_int_equal(none.total[PMU_CACHE_MISSES], 4096);
	assert_int_equal(none.total[PMU_SIG_PREFETCHES_L1], 0);
	assert_int_equal(none.total[PMU_SIG_PREFETCHES_L2], 0);
	run_with_prefetchers(ONLY(0), LINE, &streamer);
	assert_int_equal(streamer.total[PMU_L1D_MISSES], 4096);
	assert_true(streamer.total[PMU_CACHE_MISSES] < 4096 / 10);
	run_with_prefetchers(ONLY(1), LINE, &adjacent);
	assert_int_equal(adjacent.total[PMU_L1D_MISSES], 4096);
	assert_int_equal(adjacent.total[PMU_CACHE_MISSES], 4096 / 2);
	run_with_prefetchers(ONLY(2), LINE, &next);
	assert_true(next.total[PMU_L1D_MISSES] < 4096);
	assert_true(next.total[PMU_SIG_PREFETCHES_L1] > 1000);
	run_with_prefetchers(0, LINE, &all);
	assert_true(all.total[PMU_CYCLES] < none.total[PMU_CYCLES]);
	/* Every third line. */
	run_with_prefetchers(ONLY(3), 3 * LINE, &stride);
	assert_true(stride.total[PMU_L1D_MISSES] < 4096 * 9 / 10);
	run_with_prefetchers(NO_PREFETCHERS, 3 * LINE, &none);
	assert_int_equal(none.total[PMU_L1D_MISSES], 4096);
}

/* --- instructions that do not retire --- */

static void a_fault_is_issued_in_vain(void **state)
{
	struct program p;
	struct seen before, s;

	(void)state;
	program_new(&p, "skylake");
	run_dense(&p, 1000);
	look(&p, &before);
	begin(&p, &code_load);
	pmu_unretire(p.h.pmu);
	p.ip -= code_load.length;
	look(&p, &s);
	subtract(&s, &before);
	assert_int_equal(s.total[PMU_INSTRUCTIONS], 0);
	assert_int_equal(s.total[PMU_SIG_UOPS_RETIRED], 0);
	assert_int_equal(s.total[PMU_SIG_UOPS_ISSUED], 1);
	assert_int_equal(s.total[PMU_SLOT_CLEARED], 1);
	program_end(&p);
}

static void rounds_of_a_rep_are_short(void **state)
{
	static const struct pmu_code movs = {
		.length = 2, .uops = 30, .kind = PMU_CODE_STRING, .bits = 8,
		.flags = PMU_CODE_MICROCODE | PMU_CODE_LOADS | PMU_CODE_STORES,
	};
	struct program p;
	struct seen s;

	(void)state;
	program_new(&p, "skylake");
	begin(&p, &movs);
	for (unsigned int i = 0; i < 9; i++) {
		pmu_mem(p.h.pmu, DATA_BASE + i, 1, false);
		pmu_mem(p.h.pmu, DATA_BASE + 4096 + i, 1, true);
		pmu_rep_again(p.h.pmu);
		host_start(&p.h);
		pmu_code_run(p.h.pmu, CODE_BASE, &movs);
	}
	look(&p, &s);
	assert_int_equal(s.total[PMU_INSTRUCTIONS], 1);
	assert_int_equal(s.total[PMU_LOADS], 9);
	assert_int_equal(s.total[PMU_SIG_UOPS_RETIRED], 30 + 9 * 2);
	assert_int_equal(s.total[PMU_SIG_MS_SWITCHES], 1);
	program_end(&p);
}

/* What a load finds of a store that is in front of it in the same round. */
static void loads_meet_stores(void **state)
{
	static const struct {
		uint64_t load;		/* behind the store's address */
		unsigned int blocked, aliased;	/* loads of 100, at least */
	} rows[] = {
		{ 0, 0, 0 }, { 4, 90, 0 }, { 4096, 0, 90 }, { 4100, 0, 90 }, { 4104, 0, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct program p;
		uint64_t top;

		program_new(&p, "skylake");
		top = p.ip;
		for (unsigned int round = 0; round < 100; round++) {
			run_access(&p, &code_store, DATA_BASE + 16, true);
			run_access(&p, &code_load, DATA_BASE + 16 + rows[i].load, false);
			loop_end(&p, top, true);
		}
		assert_in_range(total(&p, PMU_SIG_BLOCKED_LOADS), rows[i].blocked,
				rows[i].blocked ? 100 : 0);
		assert_in_range(total(&p, PMU_SIG_ALIASED_LOADS), rows[i].aliased,
				rows[i].aliased ? 100 : 0);
		program_end(&p);
	}
}

static void pairs_are_one_uop(void **state)
{
	struct program p;
	struct seen s;

	(void)state;
	program_new(&p, "skylake");
	for (unsigned int i = 0; i < 100; i++)
		loop_end(&p, CODE_BASE, true);
	look(&p, &s);
	assert_int_equal(s.total[PMU_INSTRUCTIONS], 200);
	assert_int_equal(s.total[PMU_SIG_UOPS_RETIRED], 100);
	assert_int_equal(s.total[PMU_SIG_MACRO_FUSED], 100);
	program_end(&p);
}

/* --- counters --- */

/* Instructions retired when a counter of cycles interrupts, n times. */
static void interrupts_at(bool eager, uint32_t select, uint64_t period, uint64_t *at, size_t n)
{
	struct program p = { .ip = CODE_BASE, .random = 1 };

	user_host(&p.h, "skylake", 0);
	p.h.eager = eager;
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 1);
	host_wrmsr(&p.h, MSR_PMC0_FULL, WIDTH48 + 1 - period);
	host_wrmsr(&p.h, MSR_EVTSEL0, select);
	for (size_t i = 0; i < n; i++) {
		while (p.h.pmis == i)
			run_random(&p, p.instructions + 1);
		at[i] = p.h.pmi_at;
		host_wrmsr(&p.h, MSR_PMC0_FULL, WIDTH48 + 1 - period);
	}
	program_end(&p);
}

#define INTERRUPTS 200

/* The budget never runs past an overflow: as if every boundary were looked at. */
static void counters_overflow_behind_the_right_instruction(void **state)
{
	static const uint32_t selects[] = {
		SEL_CYCLES | INT, EN | USR | INT | 0x10e, EN | USR | INT | 0x2c2,
	};
	uint64_t lazy[INTERRUPTS], eager[INTERRUPTS];

	(void)state;
	for (size_t i = 0; i < sizeof(selects) / sizeof(selects[0]); i++)
		for (uint64_t period = 1; period < 2000; period = period * 5 + 2) {
			interrupts_at(false, selects[i], period, lazy, INTERRUPTS);
			interrupts_at(true, selects[i], period, eager, INTERRUPTS);
			assert_memory_equal(lazy, eager, sizeof(lazy));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_waits_for_what_it_was_made_for),
		cmocka_unit_test(slots_add_up),
		cmocka_unit_test(a_program_is_always_the_same),
		cmocka_unit_test(level_one_is_exact),
		cmocka_unit_test(level_two_is_within_five_points),
		cmocka_unit_test(cycles_of_additions),
		cmocka_unit_test(cycles_of_a_chase),
		cmocka_unit_test(a_misprediction_costs_what_the_core_says),
		cmocka_unit_test(threads_tell_of_signals),
		cmocka_unit_test(metrics_leave_a_cycle_out),
		cmocka_unit_test(prefetchers_can_be_switched_off),
		cmocka_unit_test(a_fault_is_issued_in_vain),
		cmocka_unit_test(rounds_of_a_rep_are_short),
		cmocka_unit_test(loads_meet_stores),
		cmocka_unit_test(pairs_are_one_uop),
		cmocka_unit_test(counters_overflow_behind_the_right_instruction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
