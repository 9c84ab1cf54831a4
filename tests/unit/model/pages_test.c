// SPDX-License-Identifier: GPL-2.0-only
/*
 * What cores without a pipeline miss besides data: pages and lines of code.
 */
#include "tests/unit/model/host.h"

#define PAGE 4096u
#define LINE 64u
#define ROUNDS 3u

/* The events' codes, and pages that the TLBs hold; lines of code are 4 or 8 in a set. */
static const struct core {
	const char *profile;
	uint32_t loads, stores, fetches, lines;	/* 0: there is none */
	unsigned int itlb, dtlb, cached;
} cores[] = {
	{ "p6", 0, 0, 0x85, 0x81, 32, 64, 16384 },
	{ "core2", 0x208, 0x808, 0x1282, 0x81, 128, 256, 32768 },
	{ "nehalem", 0x108, 0x10c, 0x185, 0x280, 128, 512, 32768 },
};

#define EACH(c) for (const struct core *c = cores; c < cores + sizeof(cores) / sizeof(*cores); c++)

static void count(struct host *h, const struct core *c, uint32_t code)
{
	user_host(h, c->profile, 0);
	host_ring(h, PMU_KERNEL);
	host_wrmsr(h, MSR_EVTSEL0, EN | USR | code);
	/* A Pentium III has no such register. */
	if (c->loads)
		host_wrmsr(h, MSR_GLOBAL_CTRL, 1);
	host_ring(h, PMU_USER);
}

static uint64_t counted(struct host *h)
{
	return host_peek(h, MSR_PMC0);
}

static void fetch(struct host *h, uint64_t ip)
{
	host_start(h);
	if (h->hot.needs[h->hot.cls] & PMU_NEED_KIND)
		pmu_insn(h->pmu, ip, 0);
	h->retired++;
}

/* Each page again and again: what fits misses once, one page more than a set holds always. */
static void accesses(struct host *h, unsigned int pages, uint64_t step, bool store)
{
	for (unsigned int round = 0; round < ROUNDS; round++)
		for (uint64_t page = 0; page < pages; page++)
			(store ? host_store : host_load)(h, page * step);
}

static void data(const struct core *c, uint32_t code, bool store)
{
	struct host h;

	if (!code)
		return;
	count(&h, c, code);
	accesses(&h, c->dtlb, PAGE, store);
	assert_int_equal(counted(&h), c->dtlb);
	accesses(&h, c->dtlb, PAGE, !store);
	assert_int_equal(counted(&h), c->dtlb);
	/* Two pages at once. */
	(store ? host_store : host_load)(&h, (UINT64_C(1) << 40) + PAGE - 4);
	assert_int_equal(counted(&h), c->dtlb + 2);
	host_free(&h);
	count(&h, c, code);
	accesses(&h, 5, (uint64_t)c->dtlb / 4 * PAGE, store);
	assert_int_equal(counted(&h), 5 * ROUNDS);
	host_free(&h);
}

static void pages_of_data_miss(void **state)
{
	(void)state;
	EACH(c) {
		data(c, c->loads, false);
		data(c, c->stores, true);
	}
}

static void pages_of_code_miss(void **state)
{
	(void)state;
	EACH(c) {
		struct host h;

		count(&h, c, c->fetches);
		for (unsigned int round = 0; round < ROUNDS; round++)
			for (uint64_t page = 0; page < c->itlb; page++)
				fetch(&h, page * PAGE);
		assert_int_equal(counted(&h), c->itlb);
		/* One page, and all of them. */
		pmu_flush(h.pmu, 3 * PAGE + 17);
		for (uint64_t page = 0; page < c->itlb; page++)
			fetch(&h, page * PAGE);
		assert_int_equal(counted(&h), c->itlb + 1);
		pmu_flush(h.pmu, UINT64_MAX);
		for (uint64_t page = 0; page < c->itlb; page++)
			fetch(&h, page * PAGE);
		assert_int_equal(counted(&h), 2 * c->itlb + 1);
		host_free(&h);
	}
}

static void lines_of_code_miss(void **state)
{
	(void)state;
	EACH(c) {
		struct host h;

		count(&h, c, c->lines);
		for (unsigned int round = 0; round < ROUNDS; round++)
			for (uint64_t ip = 0; ip < c->cached; ip += 4)
				fetch(&h, ip);
		assert_int_equal(counted(&h), c->cached / LINE);
		/* In the order of their use each goes before it is asked for again. */
		for (unsigned int round = 0; round < ROUNDS; round++)
			for (uint64_t ip = 0; ip < 2 * c->cached; ip += LINE)
				fetch(&h, UINT64_C(1) << 40 | ip);
		assert_int_equal(counted(&h), (1 + 2 * ROUNDS) * c->cached / LINE);
		host_free(&h);
	}
}

/* Nobody is asked for each instruction, as long as no counter wants to know of code. */
static void only_who_counts_pays(void **state)
{
	(void)state;
	EACH(c) {
		struct host h;

		count(&h, c, 0xc0);
		assert_int_equal(h.hot.needs[PMU_USER], PMU_NEED_INSN);
		host_free(&h);
		count(&h, c, c->lines);
		assert_int_equal(h.hot.needs[PMU_USER], PMU_NEED_INSN | PMU_NEED_KIND);
		assert_int_equal(h.hot.needs[PMU_KERNEL], 0);
		host_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_data_miss),
		cmocka_unit_test(pages_of_code_miss),
		cmocka_unit_test(lines_of_code_miss),
		cmocka_unit_test(only_who_counts_pays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
