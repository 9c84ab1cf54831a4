// SPDX-License-Identifier: GPL-2.0-only
/*
 * CMASK, INV and E of the PMU model over programs of which it is known how they retire:
 * no event is found in more cycles than it can have happened in, on a simple core or on
 * one with a pipeline.
 */
#include "tests/unit/model/pipeline_host.h"

#define EDGE (1u << 18)
#define INV (1u << 23)
#define CMASK(n) ((uint32_t)(n) << 24)
#define INSNS 6000

/* A core's two ways to tell the time, and events of it. */
static const struct way {
	const char *profile;
	bool pipeline;
	uint32_t codes[12];
} ways[] = {
	{ "core2", false, { 0xc0, 0x01c0, 0x02c0, 0x0143, 0xc4, 0xc5, 0x0cc4, 0x0140, 0x4f2e,
			    0x412e } },
	{ "skylake", false, { 0xc0, 0x81d0, 0x82d0, 0x83d0, 0xc4, 0xc5, 0x20c4, 0x08d1, 0x4f2e,
			      0x412e } },
	{ "skylake", true, { 0xc0, 0x81d0, 0x82d0, 0x83d0, 0xc4, 0xc5, 0x20c4, 0x08d1, 0x4f2e,
			     0x412e, 0x02c2, 0x010e } },
	{ "icelake", true, { 0xc0, 0x81d0, 0x82d0, 0x83d0, 0xc4, 0xc5, 0x20c4, 0x08d1, 0x4f2e,
			     0x412e, 0x02c2, 0x010e } },
};

#define EACH(w) for (const struct way *w = ways; w < ways + sizeof(ways) / sizeof(*ways); w++)

static void chain_of_additions(struct program *p)
{
	for (unsigned int i = 0; i < INSNS; i++)
		run(p, &code_add[2]);
}

static void chain_of_loads(struct program *p)
{
	for (unsigned int i = 0; i < INSNS; i++)
		run_access(p, &code_chase, DATA_BASE, false);
}

/* Each in a set of its own page, so that nothing is fetched ahead. */
static void chain_of_misses(struct program *p)
{
	for (uint64_t i = 0; i < INSNS / 10; i++)
		run_access(p, &code_chase, DATA_BASE + i * 0x10000, false);
}

static void loop_of_loads(struct program *p)
{
	run_loads(p, INSNS, 1 << 20);
}

static void branches(struct program *p)
{
	run_branches(p, INSNS);
}

static void anything(struct program *p)
{
	run_random(p, INSNS);
}

static void (*const programs[])(struct program *p) = {
	chain_of_additions, chain_of_loads, chain_of_misses, loop_of_loads, branches, anything,
};

struct counted {
	uint64_t n, cycles;
};

/* The same program each time, under one counter beside that of cycles. */
static struct counted count(const struct way *w, void (*program)(struct program *p), uint32_t sel)
{
	struct program p;
	struct counted c;

	if (w->pipeline)
		program_new(&p, w->profile);
	else
		program_new_simple(&p, w->profile);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | sel);
	host_wrmsr(&p.h, MSR_FIXED_CTRL, 0x20);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, UINT64_C(1) << 33 | 1);
	host_wrmsr(&p.h, MSR_PMC0, 0);
	host_wrmsr(&p.h, MSR_FIXED0 + 1, 0);
	program(&p);
	enter_kernel(&p);
	c.n = host_peek(&p.h, MSR_PMC0);
	c.cycles = host_peek(&p.h, MSR_FIXED0 + 1);
	program_end(&p);
	return c;
}

/* Never two in a cycle, where the program has one a cycle at most. */
static void one_a_cycle_is_never_two(void **state)
{
	(void)state;
	EACH(w) {
		if (w->pipeline) {
			assert_true(count(w, chain_of_additions, 0xc0).n > INSNS - 10);
			assert_int_equal(count(w, chain_of_additions, 0xc0 | CMASK(2)).n, 0);
			assert_int_equal(count(w, chain_of_loads, 0xc0 | CMASK(2)).n, 0);
			assert_int_equal(count(w, chain_of_loads, w->codes[1] | CMASK(2)).n, 0);
		}
		/* A miss ends its cycle, on a simple core as well; the last write begins one. */
		assert_int_equal(count(w, chain_of_misses, w->codes[1] | CMASK(2)).n, 0);
		assert_true(count(w, chain_of_misses, 0xc0 | CMASK(2)).n <= !w->pipeline);
		assert_in_range(count(w, chain_of_misses, 0xc0 | CMASK(1)).n,
				INSNS / 10 - 200, INSNS / 10);
	}
}

/* With and without INV each cycle is one or the other. */
static void both_add_up_to_the_cycles(const struct way *w, void (*program)(struct program *p),
				      uint32_t code, unsigned int least)
{
	struct counted with = count(w, program, code | CMASK(least));
	struct counted less = count(w, program, code | CMASK(least) | INV);

	if (with.n + less.n != with.cycles)
		print_error("%s %d %x: %llu + %llu != %llu\n", w->profile, w->pipeline, code,
			    (unsigned long long)with.n, (unsigned long long)less.n,
			    (unsigned long long)with.cycles);
	assert_int_equal(with.cycles, less.cycles);
	/* A simple core's last cycle may still be open. */
	assert_in_range(with.n + less.n, with.cycles - !w->pipeline, with.cycles + !w->pipeline);
}

static void with_and_without_make_all_cycles(void **state)
{
	(void)state;
	EACH(w)
		for (unsigned int c = 0; c < 12 && w->codes[c]; c++)
			for (unsigned int p = 0; p < sizeof(programs) / sizeof(*programs); p++)
				for (unsigned int least = 1; least <= 2; least++)
					both_add_up_to_the_cycles(w, programs[p], w->codes[c],
								  least);
}

/* N events in a cycle are N events, and a run of such cycles has one at least. */
static void never_more_than_the_events_allow(void **state)
{
	(void)state;
	EACH(w)
		for (unsigned int c = 0; c < 12 && w->codes[c]; c++)
			for (unsigned int p = 0; p < sizeof(programs) / sizeof(*programs); p++) {
				struct counted all = count(w, programs[p], w->codes[c]);
				uint64_t most = all.n;

				for (unsigned int least = 1; least <= 5; least++) {
					uint32_t sel = w->codes[c] | CMASK(least);
					uint64_t n = count(w, programs[p], sel).n;

					assert_true(n <= most && n * least <= all.n);
					assert_true(n <= all.cycles);
					/* One may have begun before. */
					assert_true(count(w, programs[p], sel | EDGE).n <=
						    n + !w->pipeline);
					most = n;
				}
			}
}

/* Where a comparison overflows the counter stands at what it was to count. */
static void comparisons_overflow_behind_their_instruction(void **state)
{
	(void)state;
	EACH(w)
		{
			struct program p;
			uint64_t at[2];

			for (unsigned int i = 0; i < 2; i++) {
				if (w->pipeline)
					program_new(&p, w->profile);
				else
					program_new_simple(&p, w->profile);
				p.h.eager = i;
				host_wrmsr(&p.h, MSR_EVTSEL0,
					   EN | USR | INT | w->codes[1] | CMASK(1));
				host_wrmsr(&p.h, MSR_PMC0, (uint32_t)-500);
				p.h.retired = 0;
				loop_of_loads(&p);
				assert_int_equal(p.h.pmis, 1);
				at[i] = p.h.pmi_at;
				program_end(&p);
			}
			assert_int_equal(at[0], at[1]);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_a_cycle_is_never_two),
		cmocka_unit_test(with_and_without_make_all_cycles),
		cmocka_unit_test(never_more_than_the_events_allow),
		cmocka_unit_test(comparisons_overflow_behind_their_instruction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
