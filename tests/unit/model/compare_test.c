// SPDX-License-Identifier: GPL-2.0-only
/*
 * CMASK, INV and E of the PMU model, against a clock that is kept here: which
 * instruction issues in which cycle, told by how the truth's cycles advance.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/model/host.h"

#define EDGE (1u << 18)
#define INV (1u << 23)
#define CMASK(n) ((uint32_t)(n) << 24)
#define EQ (UINT64_C(1) << 36)
#define WIDTH 4
#define MAX_CYCLES 400000

enum what { INSTRUCTIONS, CYCLES, BRANCHES, BRANCH_MISSES, LOADS, STORES, ACCESSES, L1D_HITS,
	    L1D_MISSES, TAKEN, WHATS };

static const uint32_t code[WHATS] = {
	[INSTRUCTIONS] = 0xc0, [CYCLES] = 0x3c, [BRANCHES] = 0xc4, [BRANCH_MISSES] = 0xc5,
	[LOADS] = 0x81d0, [STORES] = 0x82d0, [ACCESSES] = 0x83d0, [L1D_HITS] = 0x01d1,
	[L1D_MISSES] = 0x08d1, [TAKEN] = 0x20c4,
};

struct timeline {
	struct host h;
	uint32_t seed;
	uint64_t next_line;
	unsigned int slot;		/* taken in the cycle that runs */
	uint64_t cycles;		/* of the truth */
	size_t now;			/* the cycle that runs */
	uint8_t n[WHATS][MAX_CYCLES];
};

static uint32_t random_to(struct timeline *t, uint32_t n)
{
	t->seed = t->seed * 1103515245 + 12345;
	return (t->seed >> 8) % n;
}

static uint64_t total(struct timeline *t, enum pmu_total what)
{
	return host_total(&t->h, PMU_USER, what);
}

static void branch(struct timeline *t)
{
	bool taken = random_to(t, 2);

	t->n[BRANCHES][t->now]++;
	t->n[TAKEN][t->now] += taken;
	host_branch(&t->h, 0x400000 + 16 * random_to(t, 8), taken, 0x500000);
}

static void access_memory(struct timeline *t)
{
	bool store = random_to(t, 3) == 0, miss = random_to(t, 4) == 0;
	uint64_t line = miss ? t->next_line++ : 1;

	t->n[store ? STORES : LOADS][t->now]++;
	t->n[ACCESSES][t->now]++;
	if (store)
		host_store(&t->h, line << 6);
	else
		host_load(&t->h, line << 6);
}

/* One instruction, and when the next one will issue. */
static void step(struct timeline *t, unsigned int kind)
{
	uint64_t misses = total(t, PMU_BRANCH_MISSES), l1 = total(t, PMU_L1D_MISSES);
	uint64_t loads = total(t, PMU_LOADS), passed;

	t->n[INSTRUCTIONS][t->now]++;
	if (kind < 3)
		host_run(&t->h, 1);
	else if (kind < 5)
		branch(t);
	else
		access_memory(t);
	t->n[BRANCH_MISSES][t->now] += (uint8_t)(total(t, PMU_BRANCH_MISSES) - misses);
	t->n[L1D_MISSES][t->now] += (uint8_t)(total(t, PMU_L1D_MISSES) - l1);
	if (total(t, PMU_LOADS) > loads && total(t, PMU_L1D_MISSES) == l1)
		t->n[L1D_HITS][t->now]++;
	passed = total(t, PMU_CYCLES) - t->cycles;
	t->cycles += passed;
	/* A stall ends its cycle; without one the cycle ends when it is full. */
	t->slot = passed ? 0 : t->slot + 1;
	for (uint64_t i = 0; i < passed; i++)
		t->n[CYCLES][t->now++]++;
	assert_true(t->now < MAX_CYCLES && t->slot < WIDTH);
}

static uint64_t expected(const struct timeline *t, enum what what, uint32_t sel)
{
	unsigned int least = sel >> 24 ? sel >> 24 : 1;
	bool inverted = sel & INV, before = false, holds;
	uint64_t n = 0;

	for (size_t i = 0; i < t->now; i++) {
		holds = (t->n[what][i] >= least) != inverted;
		n += (sel & EDGE) ? holds && !before : holds;
		before = holds;
	}
	return n;
}

static void start(struct timeline *t, uint32_t seed)
{
	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->next_line = 1000;
	user_host(&t->h, "skylake", 0);
	pmu_force(t->h.pmu, PMU_NEED_ALL);
	host_wrmsr(&t->h, MSR_GLOBAL_CTRL, 0);
}

/* The write that turns the counters on is the last of its cycle. */
static void enable(struct timeline *t)
{
	host_load(&t->h, 64);
	host_load(&t->h, 0x7777000);
	host_run(&t->h, WIDTH - 1);
	host_wrmsr(&t->h, MSR_GLOBAL_CTRL, 0xf);
	for (unsigned int i = 0; i < 4; i++)
		host_wrmsr(&t->h, MSR_PMC0 + i, 0);
}

static void hold_to_timeline(const uint32_t *modifiers, size_t nr, enum what what, uint64_t slack)
{
	struct timeline *t = malloc(sizeof(*t));
	uint64_t before[4], got, want;

	for (size_t first = 0; first < nr; first += 4) {
		start(t, 17 + (uint32_t)first);
		for (unsigned int i = 0; i < 4 && first + i < nr; i++)
			host_wrmsr(&t->h, MSR_EVTSEL0 + i,
				   EN | USR | code[what] | modifiers[first + i]);
		enable(t);
		/* The writes of the counters themselves were four instructions: a cycle. */
		for (unsigned int i = 0; i < 4; i++)
			before[i] = host_peek(&t->h, MSR_PMC0 + i);
		t->cycles = total(t, PMU_CYCLES);
		for (int i = 0; i < 6000; i++)
			step(t, random_to(t, 8));
		host_load(&t->h, 0x9999000);
		t->n[what][t->now] += what == INSTRUCTIONS || what == LOADS ||
				      what == ACCESSES || what == L1D_MISSES;
		t->now++;
		for (uint64_t i = t->cycles + 1; i < total(t, PMU_CYCLES); i++)
			t->n[CYCLES][t->now++]++;
		for (unsigned int i = 0; i < 4 && first + i < nr; i++) {
			want = expected(t, what, modifiers[first + i]);
			got = host_peek(&t->h, MSR_PMC0 + i) - before[i];
			if (got + slack < want || got > want + slack)
				print_error("event %x %x: %llu, expected %llu\n", code[what],
					    modifiers[first + i], (unsigned long long)got,
					    (unsigned long long)want);
			assert_in_range(got + slack, want, want + 2 * slack);
		}
		host_free(&t->h);
	}
	free(t);
}

static void cycles_with_so_many_events(void **state)
{
	static const uint32_t modifiers[] = {
		CMASK(1), CMASK(2), CMASK(3), CMASK(4), CMASK(5), CMASK(16), CMASK(255),
	};

	(void)state;
	for (int what = 0; what < WHATS; what++)
		if (what != CYCLES)
			hold_to_timeline(modifiers, sizeof(modifiers) / sizeof(*modifiers),
					 (enum what)what, 0);
}

static void cycles_with_fewer_events(void **state)
{
	static const uint32_t modifiers[] = {
		INV | CMASK(1), INV | CMASK(2), INV | CMASK(3), INV | CMASK(4), INV | CMASK(5),
		INV | CMASK(16),
	};

	(void)state;
	for (int what = 0; what < WHATS; what++)
		if (what != CYCLES)
			hold_to_timeline(modifiers, sizeof(modifiers) / sizeof(*modifiers),
					 (enum what)what, 1);
}

static void edges(void **state)
{
	static const uint32_t modifiers[] = {
		EDGE, EDGE | CMASK(1), EDGE | CMASK(2), EDGE | CMASK(3), EDGE | CMASK(4),
		EDGE | INV | CMASK(1), EDGE | CMASK(9),
	};

	(void)state;
	for (int what = 0; what < WHATS; what++)
		if (what != CYCLES)
			hold_to_timeline(modifiers, sizeof(modifiers) / sizeof(*modifiers),
					 (enum what)what, 1);
}

/* Each misprediction stalls, so that no two of them are in one cycle or in a row. */
static void edges_of_misses_are_misses(void **state)
{
	struct timeline *t = malloc(sizeof(*t));

	(void)state;
	start(t, 5);
	host_wrmsr(&t->h, MSR_EVTSEL0, SEL_BRANCHES | 1);
	host_wrmsr(&t->h, MSR_EVTSEL0 + 1, (SEL_BRANCHES | 1) | EDGE | CMASK(1));
	host_wrmsr(&t->h, MSR_EVTSEL0 + 2, EN | USR | 0x08d1);
	host_wrmsr(&t->h, MSR_EVTSEL0 + 3, EN | USR | 0x08d1 | EDGE | CMASK(1));
	enable(t);
	for (int i = 0; i < 5000; i++)
		step(t, random_to(t, 8));
	assert_true(host_peek(&t->h, MSR_PMC0) > 100);
	assert_int_equal(host_peek(&t->h, MSR_PMC0), host_peek(&t->h, MSR_PMC0 + 1));
	assert_true(host_peek(&t->h, MSR_PMC0 + 2) > 100);
	assert_int_equal(host_peek(&t->h, MSR_PMC0 + 2), host_peek(&t->h, MSR_PMC0 + 3));
	host_free(&t->h);
	free(t);
}

/* Every cycle that runs is one, with an edge at each entry of the ring counted. */
static void cycles_compared(void **state)
{
	struct host h;

	(void)state;
	host_new(&h, "haswell", 0);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | OS | 0x3c);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | USR | OS | 0x3c | CMASK(1));
	host_wrmsr(&h, MSR_EVTSEL0 + 2, EN | USR | OS | 0x3c | CMASK(1) | INV);
	host_wrmsr(&h, MSR_EVTSEL0 + 3, EN | USR | OS | 0x3c | CMASK(2) | INV);
	/* CPU_CLK_UNHALTED.RING0_TRANS */
	host_wrmsr(&h, MSR_EVTSEL0 + 4, EN | OS | 0x3c | CMASK(1) | EDGE);
	host_wrmsr(&h, MSR_EVTSEL0 + 5, EN | USR | OS | 0x3c | CMASK(1) | EDGE);
	host_wrmsr(&h, MSR_EVTSEL0 + 6, EN | USR | OS | 0x3c | INV);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0xff);
	for (int i = 0; i < 10; i++) {
		host_ring(&h, PMU_USER);
		host_run(&h, 100);
		host_ring(&h, PMU_KERNEL);
		host_run(&h, 100);
		if (i == 3)
			assert_false(pmu_halt(h.pmu));
	}
	assert_int_equal(host_peek(&h, MSR_PMC0), 500);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 500);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 2), 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 3), 500);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 4), 11);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 5), 1);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 6), 500);
	host_free(&h);
}

/* The overflow of a comparison comes behind the instruction that brings it. */
static void comparison_overflows_exactly(void **state)
{
	struct host h;

	(void)state;
	for (int eager = 0; eager < 2; eager++) {
		user_host(&h, "skylake", 0);
		h.eager = eager;
		pmu_force(h.pmu, PMU_NEED_ALL);
		host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-3 & WIDTH48);
		host_wrmsr(&h, MSR_EVTSEL0, SEL_LOADS | CMASK(2) | INT);
		host_load(&h, 0x40);		/* it stalls: here a cycle begins */
		h.retired = 0;
		/* Cycles of four: one load, then two, in turn. */
		for (int i = 0; i < 20 && !h.pmis; i++) {
			host_load(&h, 0x40);
			if (i % 2)
				host_load(&h, 0x40);
			else
				host_run(&h, 1);
			host_run(&h, 2);
			host_boundary(&h);
		}
		assert_int_equal(h.pmis, 1);
		assert_int_equal(h.pmi_at, 22);
		host_free(&h);
	}
}

static void unretired_is_not_compared(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_LOADS | CMASK(1));
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_LOADS | CMASK(2));
	host_wrmsr(&h, MSR_EVTSEL0 + 2, EN | USR | 0x08d1 | CMASK(1));
	host_run(&h, 8);
	for (int i = 0; i < 5; i++) {
		host_start(&h);
		host_mem(&h, 0x40, 8, false);
		host_mem(&h, 0x10000 + 64 * (uint64_t)i, 8, false);
		pmu_unretire(h.pmu);
	}
	assert_int_equal(host_peek(&h, MSR_PMC0), 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 2), 0);
	host_load(&h, 0x40);
	assert_int_equal(host_peek(&h, MSR_PMC0), 1);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 0);
	host_free(&h);
}

/* Cycles with each number of instructions, times that number, are all of them. */
static void equal_numbers(void **state)
{
	uint64_t all = 0, cycles = 0, at_least_2;
	struct host h;

	(void)state;
	user_host(&h, "lunarlake", 0);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	for (unsigned int n = 1; n < 9; n++)
		host_wrmsr(&h, MSR_EVTSEL0 + n, EN | USR | 0xc0 | EQ | CMASK(n));
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0xc0 | CMASK(2));
	host_wrmsr(&h, MSR_EVTSEL0 + 9, EN | USR | 0xc0 | EQ);
	host_wrmsr(&h, MSR_FIXED_CTRL, 0x2);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0x1000003ff);
	for (unsigned int i = 0; i < 3000; i++) {
		host_run(&h, i % 7);
		host_load(&h, i % 5 ? 0x40 : 0x1000 * (uint64_t)i);
	}
	at_least_2 = host_peek(&h, MSR_PMC0);
	for (unsigned int n = 1; n < 9; n++) {
		all += n * host_peek(&h, MSR_PMC0 + n);
		cycles += n > 1 ? host_peek(&h, MSR_PMC0 + n) : 0;
	}
	assert_true(all > 10000);
	/* The cycle that runs is not over. */
	assert_in_range(host_peek(&h, MSR_FIXED0) - all, 0, 8);
	assert_in_range(at_least_2 - cycles, 0, 1);
	assert_true(host_peek(&h, MSR_PMC0 + 1) > 0 && host_peek(&h, MSR_PMC0 + 2) > 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 9), 0);
	host_free(&h);
}

/* Ice Lake's slots: five in each cycle, from the fourth fixed counter and an event. */
static void slots(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "icelake", 0);
	host_wrmsr(&h, MSR_EVTSEL0 + 7, EN | USR | 0x01a4);
	host_wrmsr(&h, MSR_EVTSEL0 + 6, EN | USR | 0x01a4 | CMASK(5));
	host_wrmsr(&h, MSR_EVTSEL0 + 5, EN | USR | 0x01c0 | INV | CMASK(1));
	host_wrmsr(&h, MSR_FIXED_CTRL, 0xa020);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&h, MSR_FIXED0 + 3, (uint64_t)-1000 & WIDTH48);
	for (unsigned int i = 5; i < 8; i++)
		host_wrmsr(&h, MSR_PMC0 + i, 0);
	host_wrmsr(&h, MSR_FIXED0 + 1, 0);
	h.retired = 0;
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 0xa000000e0);
	host_run(&h, 10000);
	assert_int_equal(host_peek(&h, MSR_FIXED0 + 3), 5 * host_peek(&h, MSR_FIXED0 + 1) - 1000);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 7), 5 * host_peek(&h, MSR_FIXED0 + 1));
	assert_int_equal(host_peek(&h, MSR_PMC0 + 6), host_peek(&h, MSR_FIXED0 + 1));
	assert_int_equal(host_peek(&h, MSR_PMC0 + 5), 0);
	assert_int_equal(h.pmis, 1);
	assert_in_range(h.pmi_at, 797, 804);		/* 200 cycles */
	assert_int_equal(host_peek(&h, MSR_STATUS), FIXED_BIT(3));
	host_free(&h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_with_so_many_events),
		cmocka_unit_test(cycles_with_fewer_events),
		cmocka_unit_test(edges),
		cmocka_unit_test(edges_of_misses_are_misses),
		cmocka_unit_test(cycles_compared),
		cmocka_unit_test(comparison_overflows_exactly),
		cmocka_unit_test(unretired_is_not_compared),
		cmocka_unit_test(equal_numbers),
		cmocka_unit_test(slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
