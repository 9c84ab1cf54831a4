// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of the PMU model's caches that leave before their time, by CLFLUSH and its like,
 * and lines that come one after the other: a stream waits once for as many of them as
 * there are fill buffers.
 */
#include "tests/unit/model/pipeline_host.h"

#define ROUNDS 1000
#define LINES UINT64_C(1000000)
#define COST 50				/* cycles, at most, of each of them */
#define STALL 180			/* of a single load from memory, in the profiles here */

/* A core's two ways to tell the time. */
static const struct way {
	const char *profile;
	bool pipeline;
	unsigned int buffers;
} ways[] = {
	{ "core2", false, 8 }, { "skylake", false, 12 }, { "skylake", true, 12 },
	{ "nehalem", false, 10 }, { "icelake", true, 12 },
};

#define EACH(w) for (const struct way *w = ways; w < ways + sizeof(ways) / sizeof(*ways); w++)

static const struct pmu_code code_flush = {
	.length = 3, .uops = 4, .kind = PMU_CODE_SYSTEM, .bits = 64, .address_regs = REG(3),
};
static const struct pmu_code code_fence = {
	.length = 3, .uops = 3, .kind = PMU_CODE_SYSTEM, .flags = PMU_CODE_SERIALIZING,
};

static void begin_way(struct program *p, const struct way *w)
{
	if (w->pipeline)
		program_new(p, w->profile);
	else
		program_new_simple(p, w->profile);
}

static void load(struct program *p, uint64_t addr)
{
	run_access(p, &code_load, addr, false);
}

/* --- lines that are flushed --- */

static void a_flushed_line_is_missing(void **state)
{
	(void)state;
	EACH(w) {
		struct program p;

		begin_way(&p, w);
		for (unsigned int i = 0; i < ROUNDS; i++) {
			load(&p, DATA_BASE + i % 56);
			run(&p, &code_flush);
			pmu_evict(p.h.pmu, DATA_BASE + 63 - i % 64);
			run(&p, &code_fence);
		}
		assert_int_equal(total(&p, PMU_L1D_MISSES), ROUNDS);
		assert_int_equal(total(&p, PMU_CACHE_REFERENCES), ROUNDS);
		assert_int_equal(total(&p, PMU_CACHE_MISSES), ROUNDS);
		assert_int_equal(total(&p, PMU_LOADS), ROUNDS);
		/* Each of them takes its time. */
		assert_true(total(&p, PMU_CYCLES) > ROUNDS * STALL);
		program_end(&p);
	}
}

/* The others stay, and stay in the order of their use. */
static void other_lines_stay(void **state)
{
	(void)state;
	EACH(w) {
		struct program p;
		uint64_t missed;

		begin_way(&p, w);
		for (uint64_t i = 0; i < 8; i++)
			load(&p, DATA_BASE + i * 0x100000);
		missed = total(&p, PMU_L1D_MISSES);
		pmu_evict(p.h.pmu, DATA_BASE + 3 * 0x100000);
		pmu_evict(p.h.pmu, DATA_BASE + 0x900000);
		for (uint64_t i = 0; i < 8; i++)
			if (i != 3)
				load(&p, DATA_BASE + i * 0x100000);
		assert_int_equal(total(&p, PMU_L1D_MISSES), missed);
		/* There is room for one more in the set now. */
		load(&p, DATA_BASE + 0xa00000);
		for (uint64_t i = 0; i < 8; i++)
			if (i != 3)
				load(&p, DATA_BASE + i * 0x100000);
		assert_int_equal(total(&p, PMU_L1D_MISSES), missed + 1);
		load(&p, DATA_BASE + 3 * 0x100000);
		assert_int_equal(total(&p, PMU_L1D_MISSES), missed + 2);
		program_end(&p);
	}
}

static void all_lines_leave(void **state)
{
	(void)state;
	EACH(w)
		for (int write_back = 0; write_back < 2; write_back++) {
			struct program p;

			begin_way(&p, w);
			for (unsigned int round = 0; round < 10; round++) {
				for (uint64_t i = 0; i < 7; i++)
					load(&p, DATA_BASE + i * 0x100000);
				pmu_evict_all(p.h.pmu, write_back);
			}
			assert_int_equal(total(&p, PMU_CACHE_MISSES), 70);
			program_end(&p);
		}
}

/* Whoever flushes while nothing is counted has flushed. */
static void flushed_while_nobody_counts(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0x412e);
	host_load(&h, DATA_BASE);
	host_load(&h, DATA_BASE + 0x100000);
	host_ring(&h, PMU_KERNEL);
	assert_false(h.hot.needs[PMU_KERNEL] & PMU_NEED_MEM);
	pmu_evict(h.pmu, DATA_BASE);
	host_ring(&h, PMU_USER);
	host_load(&h, DATA_BASE);
	host_load(&h, DATA_BASE + 0x100000);
	assert_int_equal(host_peek(&h, MSR_PMC0), 3);
	host_free(&h);
}

/* Code comes from caches, too: more of it here than the uop cache holds. */
static void code_is_flushed(void **state)
{
	const uint64_t bytes = 16384, once = bytes / 4 + 1;
	struct program p;
	uint64_t missed;

	(void)state;
	program_new(&p, "skylake");
	run_footprint(&p, 2 * once, bytes);
	missed = total(&p, PMU_SIG_ICACHE_MISSES);
	run_footprint(&p, 3 * once, bytes);
	assert_int_equal(total(&p, PMU_SIG_ICACHE_MISSES), missed);
	pmu_evict(p.h.pmu, CODE_BASE + 10 * LINE + 5);
	run_footprint(&p, 4 * once, bytes);
	assert_int_equal(total(&p, PMU_SIG_ICACHE_MISSES), missed + 1);
	pmu_evict_all(p.h.pmu, true);
	run_footprint(&p, 5 * once, bytes);
	assert_int_equal(total(&p, PMU_SIG_ICACHE_MISSES), 2 * missed + 1);
	program_end(&p);
}

/* A Pentium 4 writes lines back that it flushes, unless by INVD. */
static void written_lines_go_to_memory(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	pmu_force(h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	for (unsigned int i = 0; i < 3; i++)
		host_store(&h, DATA_BASE + i * LINE);
	host_load(&h, DATA_BASE + 3 * LINE);
	host_start(&h);
	pmu_evict(h.pmu, DATA_BASE);
	pmu_evict(h.pmu, DATA_BASE + 3 * LINE);
	h.retired++;
	assert_int_equal(host_total(&h, PMU_USER, PMU_P4_BUS_WRITES), 1);
	host_start(&h);
	pmu_evict_all(h.pmu, true);
	h.retired++;
	assert_int_equal(host_total(&h, PMU_USER, PMU_P4_BUS_WRITES), 3);
	host_store(&h, DATA_BASE);
	host_start(&h);
	pmu_evict_all(h.pmu, false);
	h.retired++;
	assert_int_equal(host_total(&h, PMU_USER, PMU_P4_BUS_WRITES), 3);
	host_free(&h);
}

/* --- lines one after the other --- */

static uint64_t cost(const struct way *w, uint64_t lines, bool store)
{
	struct program p;
	uint64_t cycles;

	begin_way(&p, w);
	for (uint64_t i = 0; i < lines; i++) {
		run_access(&p, store ? &code_store : &code_load, DATA_BASE + i * LINE, store);
		run(&p, &code_dec);
		p.ip = CODE_BASE;
	}
	cycles = total(&p, PMU_CYCLES);
	program_end(&p);
	return cycles;
}

static void a_million_lines_cost_little(void **state)
{
	(void)state;
	EACH(w) {
		uint64_t loads = cost(w, LINES, false), stores = cost(w, LINES / 10, true);

		if (loads > COST * LINES || stores > COST * LINES / 10)
			print_error("%s: %llu, %llu\n", w->profile, (unsigned long long)loads,
				    (unsigned long long)stores);
		assert_true(loads <= COST * LINES);
		assert_true(stores <= COST * LINES / 10);
		/* No faster than with all buffers at work, or than memory's bus is. */
		if (!w->pipeline && strcmp(w->profile, "skylake"))
			assert_true(loads >= LINES * STALL / w->buffers);
		if (w->pipeline)
			assert_in_range(loads, LINES * 11, COST * LINES);
	}
}

/* A simple core's loads do not overlap where no stream says so. */
static void others_wait_for_each(void **state)
{
	(void)state;
	for (uint64_t step = 1; step < 200000; step = step * 7 + 64) {
		struct program p;
		uint64_t cycles;

		begin_way(&p, &ways[0]);
		for (uint64_t i = 0; i < ROUNDS; i++)
			load(&p, DATA_BASE + i * step * LINE);
		cycles = total(&p, PMU_CYCLES);
		if (step > 20)
			assert_true(cycles >= ROUNDS * STALL);
		else
			assert_true(cycles < ROUNDS * STALL / 2);
		program_end(&p);
	}
}

/* What did not retire has waited for nothing, and its stream goes on. */
static void streams_with_faults(void **state)
{
	uint64_t cycles[2];

	(void)state;
	for (unsigned int faults = 0; faults < 2; faults++) {
		struct program p;

		begin_way(&p, &ways[0]);
		for (uint64_t i = 0; i < ROUNDS; i++) {
			if (faults && i % 5 == 4) {
				host_start(&p.h);
				pmu_mem(p.h.pmu, DATA_BASE + 0x8001f000 + i * 0x20000, 8, false);
				pmu_unretire(p.h.pmu);
			}
			load(&p, DATA_BASE + i * LINE);
		}
		cycles[faults] = total(&p, PMU_CYCLES);
		program_end(&p);
	}
	assert_int_equal(cycles[0], cycles[1]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flushed_line_is_missing),
		cmocka_unit_test(other_lines_stay),
		cmocka_unit_test(all_lines_leave),
		cmocka_unit_test(flushed_while_nobody_counts),
		cmocka_unit_test(code_is_flushed),
		cmocka_unit_test(written_lines_go_to_memory),
		cmocka_unit_test(a_million_lines_cost_little),
		cmocka_unit_test(others_wait_for_each),
		cmocka_unit_test(streams_with_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
