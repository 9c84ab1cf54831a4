// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS of the PMU model's Pentium 4: records of 64 and of 32 bits, which show the CPU
 * as it was in front of the instruction.
 */
#include "tests/unit/model/p4_host.h"

#define DS UINT64_C(0x10000000)
#define BUFFER (DS + 0x100)
#define MEMORY_SIZE 0x4000

#include "tests/unit/kmod/ds_host.h"

static bool long_mode;
static struct pmu_cpu in_front;		/* state in front of the instruction */
static struct pmu_written last;
static unsigned int written;

static uint64_t word_at(uint64_t addr, unsigned int size)
{
	uint64_t word = 0;

	memcpy(&word, memory + (addr - DS), size);
	return word;
}

static void put(unsigned int offset, unsigned int size, uint64_t value)
{
	memcpy(memory + offset, &value, size);
}

static void record(struct host *h)
{
	assert_true(pmu_records_before(h->pmu));
	last = pmu_record(h->pmu, &in_front, &memory_ops);
	written += last.written;
}

/* An instruction that a record of it would show as number n. */
static void load_as(struct host *h, uint64_t n, uint64_t addr)
{
	host_boundary(h);
	in_front = (struct pmu_cpu) { .long_mode = long_mode, .ip = 0x1000 + n, .flags = 0x202 };
	for (unsigned int i = 0; i < 16; i++)
		in_front.gpr[i] = n << 8 | i;
	p4_access(h, addr, 8, false);
	host_boundary(h);
}

static void set_ds(unsigned int size, uint64_t max, uint64_t threshold, uint64_t period)
{
	memset(memory, 0, sizeof(memory));
	put(4 * size, size, BUFFER);
	put(5 * size, size, BUFFER);
	put(6 * size, size, BUFFER + max);
	put(7 * size, size, BUFFER + threshold);
	put(8 * size, 8, -(period - 1) & WIDTH40);
	written = 0;
}

/* Replays of loads that miss the first level, recorded by counter 16 or 17. */
static void pebs_start(struct host *h, unsigned int counter, uint64_t period)
{
	uint32_t threads = counter == 16 ? T0_USR : T1_USR;

	h->record = record;
	p4_set(h, 0x600, DS);
	p4_set(h, MSR_MATRIX_VERT, 1);
	p4_set(h, MSR_PEBS_ENABLE, 3u << 24 | 1);
	p4_set(h, ESCR(counter == 16 ? CRU2 : CRU3), ESCR_OF(9, 1, threads));
	p4_set(h, COUNTER(counter), -(period - 1) & WIDTH40);
	p4_set(h, CCCR(counter), CCCR_ON_SEL(5));
}

/* One load in eight misses; the others hit the line of the one before. */
static void miss_each_eighth(struct host *h, uint64_t loads)
{
	for (uint64_t n = 0; n < loads; n++)
		load_as(h, n % 8, FAR_LINE(1000 + n / 8) + 8 * (n % 8));
}

static void test_records_of_long_mode(void **state)
{
	static const uint8_t order[] = { 0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15 };
	struct host h;

	(void)state;
	long_mode = true;
	set_ds(8, 0x1000, 0x1000, 10);
	user_host(&h, "p4-northwood", 0);
	pebs_start(&h, 16, 10);
	miss_each_eighth(&h, 8 * 50);
	assert_int_equal(written, 5);
	assert_int_equal(word_at(DS + 0x28, 8), BUFFER + 5 * 0x90);
	for (unsigned int i = 0; i < 5; i++) {
		assert_int_equal(word_at(BUFFER + 0x90 * i, 8), 0x202);
		assert_int_equal(word_at(BUFFER + 0x90 * i + 8, 8), 0x1000);
		for (unsigned int r = 0; r < 16; r++)
			assert_int_equal(word_at(BUFFER + 0x90 * i + 16 + 8 * r, 8), order[r]);
	}
	assert_int_equal(last.counters, 1 << 16);
	assert_true(last.has_address);
	assert_int_equal(h.pmis, 0);
	assert_false(host_peek(&h, CCCR(16)) & CCCR_OVF);
	host_free(&h);
}

static void test_records_of_32_bits(void **state)
{
	static const uint8_t order[] = { 0, 3, 1, 2, 6, 7, 5, 4 };
	struct host h;

	(void)state;
	long_mode = false;
	set_ds(4, 0x1000, 3 * 0x28, 4);
	user_host(&h, "p4-northwood", 0);
	pebs_start(&h, 16, 4);
	miss_each_eighth(&h, 8 * 8);
	assert_int_equal(written, 2);
	assert_int_equal(h.pmis, 0);
	assert_int_equal(word_at(DS + 0x10, 4), BUFFER);
	assert_int_equal(word_at(DS + 0x14, 4), BUFFER + 2 * 0x28);
	assert_int_equal(word_at(BUFFER + 0x28, 4), 0x202);
	assert_int_equal(word_at(BUFFER + 0x28 + 4, 4), 0x1000);
	for (unsigned int r = 0; r < 8; r++)
		assert_int_equal(word_at(BUFFER + 0x28 + 8 + 4 * r, 4), order[r]);
	miss_each_eighth(&h, 8 * 4);
	assert_int_equal(h.pmis, 1);
	host_free(&h);
}

/* DTES64 makes it the wide one in any mode. */
static void test_dtes64_decides(void **state)
{
	struct host h;

	(void)state;
	long_mode = false;
	set_ds(8, 0x1000, 0x1000, 2);
	user_host(&h, "p4", 0);
	pebs_start(&h, 16, 2);
	miss_each_eighth(&h, 8 * 4);
	assert_int_equal(word_at(DS + 0x28, 8), BUFFER + written * 0x90);
	assert_int_not_equal(written, 0);
	host_free(&h);
}

static void test_a_full_buffer_loses_records(void **state)
{
	struct host h;

	(void)state;
	long_mode = true;
	set_ds(8, 2 * 0x90 + 1, 0x90, 2);
	user_host(&h, "p4", 0);
	pebs_start(&h, 16, 2);
	miss_each_eighth(&h, 8 * 10);
	assert_int_equal(written, 2);
	assert_int_equal(h.pmis, 2);
	assert_int_equal(word_at(DS + 0x28, 8), BUFFER + 2 * 0x90);
	host_free(&h);
}

/* Counter 17 and the other thread's bit are thread 1's. */
static void test_threads_have_their_own_counters(void **state)
{
	struct p4_core core;

	(void)state;
	long_mode = true;
	set_ds(8, 0x1000, 0x1000, 2);
	p4_core_new(&core, "p4");
	p4_turn(&core, 1);
	pebs_start(&core.t[1], 17, 2);
	miss_each_eighth(&core.t[1], 8 * 6);
	assert_int_equal(written, 3);
	assert_int_equal(last.counters, 1 << 17);
	p4_core_free(&core);
}

/* instr_retired makes no records. */
static void test_other_events_are_not_recorded(void **state)
{
	struct host h;

	(void)state;
	set_ds(8, 0x1000, 0x1000, 2);
	user_host(&h, "p4", 0);
	pebs_start(&h, 16, 2);
	p4_set(&h, ESCR(CRU0), INSTR_RETIRED(1, T0_USR));
	p4_set(&h, CCCR(16), CCCR_ON_SEL(4));
	p4_run(&h, 10);
	assert_int_equal(written, 0);
	assert_true(host_peek(&h, CCCR(16)) & CCCR_OVF);
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_of_long_mode),
		cmocka_unit_test(test_records_of_32_bits),
		cmocka_unit_test(test_dtes64_decides),
		cmocka_unit_test(test_a_full_buffer_loses_records),
		cmocka_unit_test(test_threads_have_their_own_counters),
		cmocka_unit_test(test_other_events_are_not_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
