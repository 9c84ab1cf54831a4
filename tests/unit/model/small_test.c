// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small cores in the PMU model: with their code told they have a pipeline of five to eight slots,
 * of which the events of Top-Down count each class and each part as the truth has it; without, they
 * are what they were.
 */
#include "tests/unit/model/pipeline_host.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const struct core {
	const char *profile;
	unsigned int width;
	uint32_t retiring;
} cores[] = {
	{ "alderlake-n", 5, 0x00c2 }, { "alderlake-e", 5, 0x00c2 },
	{ "sierraforest", 6, 0x0072 }, { "meteorlake-e", 6, 0x0072 },
	{ "arrowlake-h-e", 8, 0x0072 }, { "arrowlake-h-l", 6, 0x0072 },
	{ "lunarlake-e", 8, 0x0072 }, { "pantherlake-e", 8, 0x02c2 },
};

#define EACH(c) for (const struct core *c = cores; c < cores + ROWS(cores); c++)
/* One of each width. */
#define EACH_WIDTH(c) for (const struct core *c = cores; c < cores + ROWS(cores); c += 2)

static void small_new(struct program *p, const char *profile)
{
	program_new(p, profile);
	assert_true(pmu_use_pipeline(p->h.pmu));
	pmu_force(p->h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	host_boundary(&p->h);
}

/* --- programs --- */

static void branches(struct program *p)
{
	run_branches(p, 30000);
}

static void footprint(struct program *p)
{
	run_footprint(p, 60000, 1 << 18);
}

static void divisions(struct program *p)
{
	run_divisions(p, 20000);
}

static void chase(struct program *p)
{
	chase_memory(p, 20000);
}

static void stores(struct program *p)
{
	run_stores(p, 20000, 1 << 26);
}

static void anything(struct program *p)
{
	run_random(p, 30000);
}

static void serial(struct program *p)
{
	uint64_t top = p->ip;

	while (p->instructions < 10000) {
		run(p, &code_cpuid);
		loop_end(p, top, true);
	}
}

/* Long flows of microcode, which nothing waits for. */
static void microcode(struct program *p)
{
	static const struct pmu_code flow = {
		.length = 2, .uops = 20, .kind = PMU_CODE_SYSTEM, .flags = PMU_CODE_MICROCODE,
	};
	uint64_t top = p->ip;

	while (p->instructions < 10000) {
		run(p, &flow);
		loop_end(p, top, true);
	}
}

/* More jumps than the front end can know, in code that the first level holds. */
static void jumps(struct program *p)
{
	uint64_t top = p->ip;

	while (p->instructions < 60000)
		run_branch(p, &code_jmp, true, p->ip < top + 60 * 1024 ? p->ip + 8 : top);
}

/* An instruction on each of many pages, whose lines share no set. */
static void pages(struct program *p)
{
	for (uint64_t i = 0; p->instructions < 20000; i++) {
		uint64_t page = i % 512;

		p->ip = CODE_BASE + page * 4096 + page * LINE;
		run(p, &code_add[2 + i % 12]);
	}
}

static void faults(struct program *p)
{
	while (p->instructions < 10000) {
		run(p, &code_add[2 + p->instructions % 8]);
		if (p->instructions % 10)
			continue;
		begin(p, &code_load);
		pmu_unretire(p->h.pmu);
		p->h.retired--;
		p->ip -= code_load.length;
	}
}

/* --- what the counters say --- */

#define MOST 6

struct counted {
	uint64_t n[MOST], cycles;
	uint64_t total[PMU_TOTALS];
};

/* Of a program each counter has one of so many codes, in both rings. */
static void count(const char *profile, void (*program)(struct program *p), const uint32_t *codes,
		  unsigned int nr, struct counted *c)
{
	struct program p;

	small_new(&p, profile);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 0);
	for (unsigned int i = 0; i < nr; i++)
		host_wrmsr(&p.h, MSR_EVTSEL0 + i, EN | USR | OS | codes[i]);
	host_wrmsr(&p.h, MSR_FIXED_CTRL, 0x30);
	enter_kernel(&p);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, FIXED_BIT(1) | ((1u << nr) - 1));
	memcpy(c->total, pmu_totals(p.h.pmu, PMU_USER), sizeof(c->total));
	program(&p);
	enter_kernel(&p);
	for (unsigned int i = 0; i < nr; i++)
		c->n[i] = host_peek(&p.h, MSR_PMC0 + i);
	c->cycles = host_peek(&p.h, MSR_FIXED0 + 1);
	for (unsigned int i = 0; i < PMU_TOTALS; i++)
		c->total[i] = pmu_totals(p.h.pmu, PMU_USER)[i] - c->total[i];
	program_end(&p);
}

static uint64_t causes(const struct counted *c, enum slot_cause first, enum slot_cause last)
{
	uint64_t sum = 0;

	for (unsigned int i = first; i <= last; i++)
		sum += c->total[PMU_SLOTS + i];
	return sum;
}

static void (*const programs[])(struct program *p) = {
	branches, footprint, divisions, chase, stores, anything, serial, microcode, jumps, pages,
	faults,
};

static void classes_are_all_slots(void **state)
{
	struct counted c;

	(void)state;
	EACH(core) {
		const uint32_t codes[] = { core->retiring, 0x0073, 0x0071, 0x0074, 0x00c2 };

		for (size_t i = 0; i < ROWS(programs); i++) {
			count(core->profile, programs[i], codes, 5, &c);
			assert_int_equal(c.n[0] + c.n[1] + c.n[2] + c.n[3],
					 core->width * c.cycles);
			assert_int_equal(c.n[0], causes(&c, SLOT_LIGHT, SLOT_HEAVY));
			assert_int_equal(c.n[1], causes(&c, SLOT_MISPREDICTED,
							SLOT_CLEAR_RECOVERY));
			assert_int_equal(c.n[2], causes(&c, SLOT_ICACHE, SLOT_MS));
			assert_int_equal(c.n[3], causes(&c, SLOT_L1, SLOT_RESTART));
			assert_int_equal(c.n[4], c.n[0]);
		}
	}
}

/* The bits of a class, each by itself; then what all bits together are. */
static void add_parts(const struct core *core, void (*program)(struct program *p), uint32_t class,
		      uint64_t part[8])
{
	struct counted c;
	uint64_t sum = 0;

	for (unsigned int half = 0; half < 2; half++) {
		uint32_t codes[MOST];

		for (unsigned int i = 0; i < 4; i++)
			codes[i] = class | 0x100u << (4 * half + i);
		codes[4] = class;
		codes[5] = class | 0xff00;
		count(core->profile, program, codes, 6, &c);
		for (unsigned int i = 0; i < 4; i++)
			sum += part[4 * half + i] = c.n[i];
	}
	assert_int_equal(sum, c.n[4]);
	assert_int_equal(sum, c.n[5]);
}

static void parts_are_their_class(void **state)
{
	(void)state;
	EACH_WIDTH(core)
		for (size_t i = 0; i < ROWS(programs); i++)
			for (uint32_t class = 0x71; class < 0x75; class++) {
				uint64_t part[8];

				if (class != 0x72)
					add_parts(core, programs[i], class, part);
			}
}

/* Of each program one part has most of the class, in per cent. */
static const struct {
	void (*program)(struct program *p);
	uint32_t code;
	unsigned int least;
	enum slot_cause first, last;	/* what the truth has of it */
} most[] = {
	{ microcode, 0x0171, 80, SLOT_MS, SLOT_MS },
	{ jumps, 0x0271, 60, SLOT_UNKNOWN_BRANCH, SLOT_UNKNOWN_BRANCH },
	{ pages, 0x1071, 60, SLOT_ITLB, SLOT_ITLB },
	{ footprint, 0x2071, 80, SLOT_ICACHE, SLOT_ICACHE },
	{ branches, 0x4071, 75, SLOT_RESTEER, SLOT_RESTEER },
	{ branches, 0x0473, 100, SLOT_MISPREDICTED, SLOT_MISPREDICT_RECOVERY },
	{ faults, 0x0173, 90, SLOT_CLEARED, SLOT_CLEAR_RECOVERY },
};

static void a_program_has_its_part(void **state)
{
	(void)state;
	EACH(core)
		for (size_t i = 0; i < ROWS(most); i++) {
			uint32_t codes[] = { most[i].code, most[i].code & 0xff };
			struct counted c;

			count(core->profile, most[i].program, codes, 2, &c);
			if (!c.n[1] || c.n[0] * 100 < c.n[1] * most[i].least)
				fail_msg("%s: %x has %d of %d", core->profile, most[i].code,
					 (int)c.n[0], (int)c.n[1]);
			assert_int_equal(c.n[0], causes(&c, most[i].first, most[i].last));
		}
}

/* By what is full: who waits for a line or the divider fills a scheduler, or the buffer. */
static void the_back_end_is_what_is_full(void **state)
{
	static const struct {
		void (*program)(struct program *p);
		uint32_t mask;
	} rows[] = {
		{ chase, 0x4274 }, { stores, 0x0274 }, { divisions, 0x4874 }, { serial, 0x1074 },
	};

	(void)state;
	EACH(core)
		for (size_t i = 0; i < ROWS(rows); i++) {
			uint32_t codes[] = { rows[i].mask, 0x0074 };
			struct counted c;

			count(core->profile, rows[i].program, codes, 2, &c);
			if (c.n[0] * 10 < c.n[1] * 9)
				fail_msg("%s: %x has %d of %d", core->profile, rows[i].mask,
					 (int)c.n[0], (int)c.n[1]);
		}
}

static void masks_are_sums(void **state)
{
	(void)state;
	EACH(core) {
		/* latency, bandwidth, all clears, and what Linux takes for all bad speculation */
		const uint32_t codes[] = { 0x7271, 0x8d71, 0x0373, 0x0673, 0x6074, 0x9f74 };
		struct counted c;

		count(core->profile, anything, codes, 6, &c);
		assert_int_equal(c.n[0], causes(&c, SLOT_ICACHE, SLOT_UNKNOWN_BRANCH));
		assert_int_equal(c.n[1], causes(&c, SLOT_MS_SWITCH, SLOT_MS));
		assert_int_equal(c.n[2], causes(&c, SLOT_CLEARED, SLOT_CLEAR_RECOVERY));
		assert_int_equal(c.n[3], causes(&c, SLOT_MISPREDICTED, SLOT_MISPREDICT_RECOVERY));
		assert_int_equal(c.n[4] + c.n[5], causes(&c, SLOT_L1, SLOT_RESTART));
		assert_true(c.n[0] && c.n[1] && c.n[3] && c.n[4] && c.n[5]);
	}
}

/* MEM_BOUND_STALLS: by who has the line, and all together; up to Gracemont the bits are others. */
static void stalls_are_of_loads(void **state)
{
	static const uint32_t codes[2][5] = {
		{ 0x0134, 0x0234, 0x0434, 0x0634, 0x0734 },
		{ 0x0134, 0x0634, 0x7834, 0x7e34, 0x7f34 },
	};
	struct counted c;

	(void)state;
	EACH(core) {
		count(core->profile, anything, codes[core->width > 5], 5, &c);
		assert_int_equal(c.n[0], c.total[PMU_SIG_MISS_STALLS_L2]);
		assert_int_equal(c.n[1], c.total[PMU_SIG_MISS_STALLS_L3]);
		assert_int_equal(c.n[2], c.total[PMU_SIG_MISS_STALLS_DRAM]);
		assert_int_equal(c.n[3], c.n[1] + c.n[2]);
		assert_int_equal(c.n[4], c.n[0] + c.n[3]);
		assert_int_equal(c.n[4], c.total[PMU_SIG_MISS_STALLS]);
		assert_true(c.n[2] && c.n[4] < c.cycles);
		/* Loads from memory that wait for each other are all there is. */
		count(core->profile, chase, codes[core->width > 5], 5, &c);
		if (c.n[2] * 10 < c.cycles * 9)
			fail_msg("%s: %d of %d cycles", core->profile, (int)c.n[2], (int)c.cycles);
		count(core->profile, divisions, codes[core->width > 5], 5, &c);
		assert_true(c.n[4] * 10 < c.cycles);
	}
}

static void the_divider_works_in_periods(void **state)
{
	(void)state;
	EACH(core) {
		const uint32_t codes[] = { 0x03cd, 0x01003cd, 0x0ccd };
		struct counted c;

		count(core->profile, divisions, codes, 3, &c);
		assert_int_equal(c.n[0], c.total[PMU_SIG_DIVIDER_CYCLES]);
		assert_int_equal(c.n[1], c.n[0]);
		assert_int_equal(c.n[2], c.total[PMU_SIG_DIVIDER_UOPS]);
		/* A division is 14 cycles or more, and a period has at least one. */
		assert_true(c.total[PMU_SIG_DIVIDER_PERIODS]);
		assert_true(c.n[0] >= 14 * c.total[PMU_SIG_DIVIDER_PERIODS]);
	}
}

static void cycles_by_cmask(void **state)
{
	static const uint32_t cmask = 1u << 24, inverted = 1u << 23;

	(void)state;
	EACH(core) {
		const uint32_t codes[] = {
			0x0071 | cmask * core->width, 0x0071 | cmask * core->width | inverted,
			0x00c2 | cmask, 0x0071 | cmask * (core->width + 1),
		};
		struct counted c;

		count(core->profile, anything, codes, 4, &c);
		assert_int_equal(c.n[0], c.total[PMU_SIG_DELIVERED_0]);
		assert_int_equal(c.n[0] + c.n[1], c.cycles);
		assert_int_equal(c.n[2], c.total[PMU_SIG_RETIRED_GE1]);
		assert_int_equal(c.n[3], 0);
	}
}

/* --- interrupts --- */

static void interrupts_at(bool eager, const char *profile, uint32_t code, uint64_t *at, size_t n)
{
	struct program p;

	small_new(&p, profile);
	p.h.eager = eager;
	host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | INT | code);
	host_wrmsr(&p.h, MSR_PMC0_FULL, WIDTH48 - 1000);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 1);
	for (size_t i = 0; i < n; i++) {
		uint64_t pmis = p.h.pmis;

		while (p.h.pmis == pmis)
			run_random(&p, p.instructions + 1);
		at[i] = p.h.pmi_at;
		host_wrmsr(&p.h, MSR_PMC0_FULL, WIDTH48 - 1000);
		host_wrmsr(&p.h, MSR_STATUS_RESET, 1);
	}
	program_end(&p);
}

/* Also of several parts at once, which are added up later than they happen. */
static void overflows_are_where_they_happen(void **state)
{
	static const uint32_t codes[] = {
		0x0071, 0x2071, 0x7271, 0x0673, 0x0074, 0x4a74, 0x1734, 0x03cd,
	};
	uint64_t at[5], again[5];

	(void)state;
	EACH(core)
		for (size_t i = 0; i < ROWS(codes); i++) {
			interrupts_at(false, core->profile, codes[i], at, 5);
			interrupts_at(true, core->profile, codes[i], again, 5);
			assert_memory_equal(at, again, sizeof(at));
		}
}

/* --- with code and without --- */

/* The same code is the simple model's event there, and the pipeline's here. */
static void walks_are_counted_either_way(void **state)
{
	(void)state;
	EACH(core) {
		const uint32_t codes[] = { 0x0e08, 0x0e49, 0x0e85, 0x0280 };
		struct counted c;

		count(core->profile, anything, codes, 4, &c);
		assert_int_equal(c.n[0], c.total[PMU_SIG_DTLB_LOAD_WALKS]);
		assert_int_equal(c.n[1], c.total[PMU_SIG_DTLB_STORE_WALKS]);
		assert_int_equal(c.n[2], c.total[PMU_SIG_ITLB_WALKS]);
		assert_int_equal(c.n[3], c.total[PMU_SIG_ICACHE_MISSES]);
		assert_true(c.n[0] && c.n[1] && c.n[2] && c.n[3]);
	}
}

static void without_code_there_is_no_slot(void **state)
{
	(void)state;
	EACH(core) {
		static const uint32_t codes[] = { 0x0071, 0x7271, 0x0073, 0x0074, 0x0072, 0x00c2 };
		struct program p;

		program_new_simple(&p, core->profile);
		assert_false(pmu_wants_code(p.h.pmu));
		assert_int_equal(pmu_nr_totals(p.h.pmu), PMU_P4);
		for (unsigned int i = 0; i < 6; i++)
			host_wrmsr(&p.h, MSR_EVTSEL0 + i, EN | USR | codes[i]);
		host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 0x3f);
		run_random(&p, 20000);
		for (unsigned int i = 0; i < 6; i++)
			assert_int_equal(host_peek(&p.h, MSR_PMC0 + i), 0);
		program_end(&p);
	}
}

static void a_misprediction_costs_thirteen_cycles(void **state)
{
	(void)state;
	EACH(core) {
		const uint32_t code = 0x00c5;
		struct counted c;

		count(core->profile, branches, &code, 1, &c);
		assert_true(c.n[0] > 1000);
		assert_int_equal(c.total[PMU_SIG_RECOVERY_CYCLES], 5 * c.n[0]);
		assert_int_equal(c.total[PMU_SIG_CLEAR_RESTEER_CYCLES], 8 * c.n[0]);
		assert_int_equal(c.total[PMU_SLOT_MISPREDICT_RECOVERY], 5 * core->width * c.n[0]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_are_all_slots),
		cmocka_unit_test(parts_are_their_class),
		cmocka_unit_test(a_program_has_its_part),
		cmocka_unit_test(the_back_end_is_what_is_full),
		cmocka_unit_test(masks_are_sums),
		cmocka_unit_test(stalls_are_of_loads),
		cmocka_unit_test(the_divider_works_in_periods),
		cmocka_unit_test(cycles_by_cmask),
		cmocka_unit_test(overflows_are_where_they_happen),
		cmocka_unit_test(walks_are_counted_either_way),
		cmocka_unit_test(without_code_there_is_no_slot),
		cmocka_unit_test(a_misprediction_costs_thirteen_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
