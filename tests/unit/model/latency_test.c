// SPDX-License-Identifier: GPL-2.0-only
/*
 * Latencies of loads in the pipeline of the PMU model: what each has met is in them, and the
 * truth, the counts above a threshold and PEBS records have the same.
 */
#include "tests/unit/model/pebs_host.h"
#include "tests/unit/model/pipeline_host.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define PAGE 4096
#define SEL_SLOW (EN | USR | 0x01cdu)

/* add (%rbx),%rcx */
static const struct pmu_code code_add_load = {
	.length = 4, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64, .flags = PMU_CODE_LOADS,
	.address_regs = REG(3), .reads = REG(2), .writes = REG(2) | FLAGS,
};

/* Cycles of each level, of a miss of the first TLB, of a walk on top; ways; fill buffers. */
static const struct figures {
	const char *profile;
	unsigned int l1, l2, l3, memory;
	unsigned int stlb, walk, ways, buffers;
} figures[] = {
	{ "sandybridge", 4, 12, 34, 184, 7, 24, 8, 10 },
	{ "skylake", 4, 12, 34, 184, 9, 24, 8, 12 },
	{ "icelake", 5, 14, 39, 205, 7, 24, 12, 12 },
	{ "sapphirerapids", 5, 16, 65, 265, 7, 24, 12, 16 },
};

static uint64_t loads_total(struct program *p, enum load_origin origin, unsigned int what)
{
	return total(p, PMU_LOAD_LATENCIES + origin * PMU_GAP_TOTALS + what);
}

static uint64_t loads_of(struct program *p, enum load_origin origin)
{
	uint64_t n = 0;

	for (unsigned int bin = 0; bin < GAP_BINS; bin++)
		n += loads_total(p, origin, 1 + bin);
	return n;
}

struct took {
	uint64_t loads, cycles;
};

static struct took took(struct program *p, enum load_origin origin)
{
	return (struct took) { loads_of(p, origin), loads_total(p, origin, 0) };
}

/* The latency of one load, of which the truth has to say where its data came from. */
static uint64_t load_at(struct program *p, uint64_t addr, enum load_origin origin)
{
	struct took before = took(p, origin), after;

	run_access(p, &code_load, addr, false);
	after = took(p, origin);
	assert_int_equal(after.loads, before.loads + 1);
	return after.cycles - before.cycles;
}

static void program_of(struct program *p, const char *profile)
{
	program_new(p, profile);
	host_no_prefetch(&p->h);
	pmu_want_gaps(p->h.pmu, NULL, NULL);
	run_dense(p, 2000);
	enter_kernel(p);
}

/* All that is under way arrives. */
static void settle(struct program *p)
{
	enter_kernel(p);
	run_dense(p, p->instructions + 2000);
	enter_kernel(p);
}

/* Loads lines so far apart, behind the first, so that others of their sets are in their place. */
static void displace(struct program *p, uint64_t addr, uint64_t step, unsigned int lines)
{
	for (unsigned int i = 1; i <= lines; i++)
		run_access(p, &code_load, addr + i * step, false);
	/* The page is known again, by another line. */
	run_access(p, &code_load, addr + 5 * LINE, false);
	settle(p);
}

static void levels(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		const struct figures *f = &figures[i];
		uint64_t addr = DATA_BASE + 3 * LINE, pages = 40 * PAGE;
		struct program p;

		program_of(&p, f->profile);
		assert_int_equal(load_at(&p, addr, LOAD_MEMORY), f->memory + f->stlb + f->walk);
		settle(&p);
		assert_int_equal(load_at(&p, addr + LINE, LOAD_MEMORY), f->memory);
		settle(&p);
		assert_int_equal(load_at(&p, addr, LOAD_L1), f->l1);
		displace(&p, addr, PAGE, f->ways);
		assert_int_equal(load_at(&p, addr, LOAD_L2), f->l2);
		/* Sets of the second level repeat after 128 KiB at most. */
		displace(&p, addr, UINT64_C(128) << 10, 20);
		assert_int_equal(load_at(&p, addr, LOAD_L3), f->l3);
		/* The second TLB still has it; lines beside each other displace nothing else. */
		settle(&p);
		for (uint64_t page = addr + PAGE; page < addr + 200 * PAGE; page += PAGE)
			run_access(&p, &code_load, page + page / PAGE % 32 * LINE, false);
		run_access(&p, &code_load, addr + pages, false);
		settle(&p);
		run_access(&p, &code_load, addr + pages, false);
		settle(&p);
		for (uint64_t page = addr + 64 * PAGE; page < addr + 200 * PAGE; page += PAGE)
			run_access(&p, &code_load, page + page / PAGE % 32 * LINE + LINE, false);
		settle(&p);
		assert_int_equal(load_at(&p, addr + pages, LOAD_L1), f->l1 + f->stlb);
		program_end(&p);
	}
}

/* A line under way is there before one that would begin now, and later than one that is here. */
static void lines_under_way(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		const struct figures *f = &figures[i];
		struct took before;
		struct program p;
		uint64_t waited;

		program_of(&p, f->profile);
		run_access(&p, &code_load, DATA_BASE, false);
		settle(&p);
		before = took(&p, LOAD_UNDER_WAY);
		run_access(&p, &code_load, DATA_BASE + LINE, false);
		for (unsigned int n = 0; n < 40; n++)
			run(&p, &code_add[5]);
		run_access(&p, &code_load, DATA_BASE + LINE + 8, false);
		waited = took(&p, LOAD_UNDER_WAY).cycles - before.cycles;
		assert_int_equal(took(&p, LOAD_UNDER_WAY).loads, before.loads + 1);
		assert_true(waited > f->l1 && waited < f->memory);
		assert_int_equal(total(&p, PMU_SIG_FB_HITS), took(&p, LOAD_UNDER_WAY).loads);
		program_end(&p);
	}
}

/* Lines of the second level, as many as there are fill buffers, and half as many more. */
static void loads_queue_for_fill_buffers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		const struct figures *f = &figures[i];
		uint64_t mean[2];
		struct program p;

		program_of(&p, f->profile);
		for (unsigned int more = 0; more < 2; more++) {
			unsigned int n = more ? f->buffers * 2 : 2;
			struct took before;

			for (unsigned int way = 0; way <= f->ways; way++)
				for (uint64_t line = 0; line < n; line++)
					run_access(&p, &code_load,
						   DATA_BASE + way * PAGE + line * LINE, false);
			run_access(&p, &code_load, DATA_BASE + 40 * LINE, false);
			settle(&p);
			before = took(&p, LOAD_L2);
			for (uint64_t line = 0; line < n; line++)
				run_access(&p, &code_load, DATA_BASE + line * LINE, false);
			assert_int_equal(took(&p, LOAD_L2).loads, before.loads + n);
			mean[more] = (took(&p, LOAD_L2).cycles - before.cycles) / n;
		}
		assert_int_equal(mean[0], f->l2);
		assert_true(mean[1] > f->l2 + 2);
		program_end(&p);
	}
}

/* Behind a store to the same bytes, to some of them, to another page; and over two lines. */
static void stores_and_splits(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		const struct figures *f = &figures[i];
		uint64_t addr = DATA_BASE + 16, latency;
		struct program p;

		program_of(&p, f->profile);
		for (unsigned int n = 0; n < 4; n++)
			run_access(&p, &code_load, addr + n / 2 * PAGE + n % 2 * LINE, false);
		settle(&p);
		assert_int_equal(load_at(&p, DATA_BASE + LINE - 4, LOAD_L1), f->l1 + 6);
		settle(&p);
		run_access(&p, &code_store, addr, true);
		latency = load_at(&p, addr, LOAD_STORE);
		assert_true(latency >= f->l1 && latency < f->l1 + 6);
		settle(&p);
		run_access(&p, &code_store, addr, true);
		assert_true(load_at(&p, addr + 4, LOAD_STORE) > latency + 4);
		settle(&p);
		run_access(&p, &code_store, addr, true);
		assert_int_equal(load_at(&p, addr + PAGE, LOAD_L1), f->l1 + 5);
		program_end(&p);
	}
}

/* --- who says it --- */

/* Of Ice Lake on the facility needs no bit. */
static uint64_t facility(const char *profile, unsigned int i)
{
	bool old = !strcmp(profile, "sandybridge") || !strcmp(profile, "skylake");

	return old ? UINT64_C(1) << (32 + i) : 0;
}

static const unsigned int counter = 3;

static void program_with_records(struct program *p, const char *profile, uint64_t threshold,
				 uint64_t enable, uint64_t period)
{
	program_of(p, profile);
	p->h.record = record;
	written = 0;
	set_ds(0x2000, 0x2000, -(period - 1));
	host_wrmsr(&p->h, MSR_DS_AREA, DS);
	host_wrmsr(&p->h, MSR_LATENCY, threshold);
	if (!facility(profile, counter))
		host_wrmsr(&p->h, MSR_DATA_CFG, 1);
	start(&p->h, counter, SEL_SLOW | (facility(profile, counter) ? 0 : ADAPTIVE),
	      enable | facility(profile, counter), period);
}

/* Thresholds where bins of the truth begin: all of these are in bins behind. */
static uint64_t slower_than(struct program *p, uint64_t threshold)
{
	uint64_t n = 0;

	for (enum load_origin origin = 0; origin < LOAD_ORIGIN_COUNT; origin++)
		for (unsigned int bin = 0; bin < GAP_BINS; bin++)
			if (gap_bin_from(bin) > threshold)
				n += loads_total(p, origin, 1 + bin);
	return n;
}

static void counts_above_a_threshold_are_the_truth(void **state)
{
	static const uint64_t thresholds[] = { 3, 5, 15, 127, 191 };

	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		for (size_t t = 0; t < ROWS(thresholds); t++) {
			struct program p;
			uint64_t before;

			program_with_records(&p, figures[i].profile, thresholds[t], 0, 1);
			before = slower_than(&p, thresholds[t]);
			run_random(&p, p.instructions + 3000);
			load_meets_store(&p, p.instructions + 300, &code_chase, 4);
			assert_int_equal(host_peek(&p.h, MSR_PMC0 + counter),
					 slower_than(&p, thresholds[t]) - before);
			assert_true(slower_than(&p, thresholds[t]) > before + 20);
			program_end(&p);
		}
	}
}

struct records {
	unsigned int n;
	uint64_t addr[64], latency[64];
};

static void read_records(const char *profile, struct records *r)
{
	bool old = facility(profile, counter);
	unsigned int size = old ? (!strcmp(profile, "skylake") ? 0xc8 : 0xb0) : 0x40;

	r->n = written;
	assert_in_range(r->n, 1, 63);
	for (unsigned int i = 0; i < r->n; i++) {
		r->addr[i] = field(i, size, old ? 0x98 : 0x20);
		r->latency[i] = field(i, size, old ? 0xa8 : 0x30);
	}
}

/* It makes no difference how often the host looks. */
static void records_are_of_the_same_loads(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		struct records records[2];

		for (unsigned int eager = 0; eager < 2; eager++) {
			struct program p;
			uint64_t before;

			program_with_records(&p, figures[i].profile, 100,
					     UINT64_C(1) << counter, 17);
			p.h.eager = eager;
			before = slower_than(&p, 127);
			run_random(&p, p.instructions + 4000);
			settle(&p);
			assert_true(written >= (slower_than(&p, 127) - before) / 17);
			read_records(figures[i].profile, &records[eager]);
			program_end(&p);
		}
		assert_int_equal(records[0].n, records[1].n);
		for (unsigned int n = 0; n < records[0].n; n++) {
			assert_int_equal(records[0].addr[n], records[1].addr[n]);
			assert_int_equal(records[0].latency[n], records[1].latency[n]);
			assert_true((records[0].latency[n] & 0xffff) > 100);
		}
	}
}

/* A record's latency and source are those of its own load, in words of its format. */
static void a_record_has_the_latency_and_the_source(void **state)
{
	static const unsigned int walked[] = { 184 + 7 + 24, 184 + 9 + 24, 205 + 7 + 24,
					       265 + 7 + 24 };

	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		const struct figures *f = &figures[i];
		bool old = facility(f->profile, counter), both = i == 3;
		unsigned int size = old ? (i ? 0xc8 : 0xb0) : 0x40;
		unsigned int latency = old ? 0xa8 : 0x30, source = old ? 0xa0 : 0x28;
		struct program p;

		program_with_records(&p, f->profile, 3, UINT64_C(1) << counter, 2);
		run_access(&p, &code_load, DATA_BASE, false);
		settle(&p);
		run_access(&p, &code_add_load, DATA_BASE + 2 * PAGE, false);
		settle(&p);
		/* The addition is a cycle, and the cache knows of no walk. */
		assert_int_equal(field(0, size, latency),
				 both ? (uint64_t)f->memory << 32 | (walked[i] + 1) : walked[i]);
		run_access(&p, &code_load, DATA_BASE + 5 * LINE, false);
		run_access(&p, &code_load, DATA_BASE + 5 * LINE + 8, false);
		settle(&p);
		assert_int_equal(field(1, size, source), 2);
		assert_in_range(field(1, size, latency) & 0xffff, f->l1 + 1, f->memory);
		assert_int_equal(written, 2);
		program_end(&p);
	}
}

/* Of an instruction's two loads the slower one, here the second. */
static void a_record_has_the_slowest_load(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(figures); i++) {
		bool old = facility(figures[i].profile, counter);
		unsigned int size = old ? (i ? 0xc8 : 0xb0) : 0x40;
		struct program p;

		program_with_records(&p, figures[i].profile, 3, UINT64_C(1) << counter, 2);
		run_access(&p, &code_load, DATA_BASE, false);
		settle(&p);
		run_access(&p, &code_load, DATA_BASE, false);
		pmu_mem(p.h.pmu, DATA_BASE + LINE, 8, false);
		settle(&p);
		assert_int_equal(written, 1);
		assert_int_equal(field(0, size, old ? 0x98 : 0x20), DATA_BASE + LINE);
		assert_in_range(field(0, size, old ? 0xa8 : 0x30) & 0xffff, figures[i].memory,
				figures[i].memory + 2);
		program_end(&p);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(lines_under_way),
		cmocka_unit_test(loads_queue_for_fill_buffers),
		cmocka_unit_test(stores_and_splits),
		cmocka_unit_test(counts_above_a_threshold_are_the_truth),
		cmocka_unit_test(records_are_of_the_same_loads),
		cmocka_unit_test(a_record_has_the_latency_and_the_source),
		cmocka_unit_test(a_record_has_the_slowest_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
