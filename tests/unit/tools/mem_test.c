// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mem on a perf.data file of paper: places, conflicts, and where addresses come from.
 */
#include <asm/perf_regs.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "tools/samples/text.h"
#include "tools/mem/mem.h"
#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/paper_data.h"

static struct mem mem_of(const struct view_args *args)
{
	struct mem m = {
		.args = args, .data = &paper, .info = &paper.info, .cache_recorded = true,
		.cache = { .size = sizeof(m.cache), .sets = 64, .ways = 8, .line = 64 },
	};

	assert_int_equal(mem_collect(&m), 0);
	return m;
}

static void print_mem(enum format format)
{
	const struct view_args args = { .limit = 5 };
	struct mem m = mem_of(&args);
	FILE *f = tmpfile();
	struct writer *w = writer_open(f, format, ",");

	mem_print(&m, w);
	assert_true(writer_close(w));
	mem_free(&m);
	slurp(f);
}

/* Sixteen lines of the matrix in turn, and a few accesses elsewhere. */
static void fill_conflict(void)
{
	union perf_mem_data_src l2 = {
		.mem_op = PERF_MEM_OP_LOAD, .mem_lvl = PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT,
		.mem_snoop = PERF_MEM_SNOOP_HITM, .mem_dtlb = PERF_MEM_TLB_WK,
	};
	struct pmuctl_data_sample *s;
	unsigned int i;

	begin("loads:pp");
	for (i = 0; i < 64; i++) {
		s = add_address(CODE, BIAS + 0x10080 + i % 16 * 4096);
		s->has |= PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
		s->weight = 10 + i % 2;
		s->data_src = l2.val;
	}
	add_address(CODE + 4, BIAS + 0x30000);
	add_address(CODE + 4, BIAS + 0x30008);
	/* The heap, close together and far apart; anonymous memory, the stack, the kernel. */
	add_address(CODE + 4, 0x5000010);
	add_address(CODE + 4, 0x5000110);
	add_address(CODE + 4, 0x5080000);
	add_address(CODE + 4, 0x6000000);
	add_address(CODE + 4, 0x7ffe00000040);
	add_address(CODE + 4, 0xffff888000000000);
}

/* perf's word for an event that has none: each part says that it is not available. */
static void no_source_is_none(void **state)
{
	union perf_mem_data_src none = {
		.mem_op = PERF_MEM_OP_NA, .mem_lvl = PERF_MEM_LVL_NA,
		.mem_lvl_num = PERF_MEM_LVLNUM_NA, .mem_snoop = PERF_MEM_SNOOP_NA,
		.mem_dtlb = PERF_MEM_TLB_NA, .mem_lock = PERF_MEM_LOCK_NA,
	}, some = none;
	struct pmuctl_data_sample *s;
	char text[64];

	(void)state;
	begin("page-faults");
	s = add_address(CODE, BIAS + 0x10080);
	s->has |= PERF_SAMPLE_DATA_SRC;
	s->data_src = none.val;
	print_mem(FORMAT_TEXT);
	assert_null(strstr(out, "where the data came from"));
	source_text_of(source_key(none.val), text, sizeof(text));
	assert_string_equal(text, "not available");
	some.mem_op = PERF_MEM_OP_LOAD;
	s->data_src = some.val;
	print_mem(FORMAT_TEXT);
	assert_non_null(strstr(out, "where the data came from"));
	assert_non_null(strstr(out, "  load, unknown level\n"));
}

static void mem_prints_all_tables(void **state)
{
	(void)state;
	fill_conflict();
	goldens("mem", print_mem);
}

static void add_access(uint32_t pid, uint64_t time, uint64_t address)
{
	struct pmuctl_data_sample *s = add_address(CODE, bias_of(pid) + address);

	s->ip = bias_of(pid) + CODE;
	s->pid = s->tid = pid;
	s->time = time;
}

/* The same array at other addresses: a place, a reach and a step are of one memory. */
static void mem_keeps_memories_apart(void **state)
{
	const struct view_args args = { .limit = 10 };
	const struct load *load;
	struct mem m;

	(void)state;
	begin("loads:pp");
	add_access(FIRST, 1, 0x10040);
	add_access(OTHER, 1, 0x10040);
	add_access(FIRST, 1, 0x100c0);
	add_access(OTHER, 1, 0x100c0);
	/* The first becomes another program. */
	add_access(FIRST, 2, 0x10040);
	m = mem_of(&args);
	load = load_of_number(&m.profiles[0], 0);
	assert_int_equal(load->reach, 0x80);
	assert_int_equal(load->step, 0x80);
	assert_int_equal(load->pairs, 2);
	mem_free(&m);
	print_mem(FORMAT_TEXT);
	assert_non_null(strstr(out, "0x561200010040      matrix+0x40\n"));
	assert_non_null(strstr(out, "0x4100c0            matrix+0xc0\n"));
	assert_null(strstr(out, "matrix+0x5"));
	print_mem(FORMAT_CSV);
	assert_non_null(strstr(out, "matrix,/usr/bin/prog,4259840,4260032"));
}

/* A function that two threads call returns by two stacks: how far those are apart is nothing. */
static void mem_keeps_stacks_apart(void **state)
{
	const struct view_args args = { .limit = 10 };
	const struct load *load;
	struct mem m;

	(void)state;
	begin("loads:pp");
	add_access(FIRST, 1, 0x10040);
	add_access(FIRST, 1, 0x10060);
	add_access(FIRST, 1, 0x10040 + 58274100983608);
	m = mem_of(&args);
	load = load_of_number(&m.profiles[0], 0);
	assert_int_equal(load->reach, 0x20);
	mem_free(&m);
}

/* Downwards as well as upwards; two in one line are one place; no latency is behind the last. */
static void sums_have_edges(void **state)
{
	const struct view_args args = { .limit = 10 };
	struct pmuctl_data_sample *s;
	const struct load *load;
	struct mem m;

	(void)state;
	begin("loads:pp");
	add_access(FIRST, 1, 0x100c0);
	add_access(FIRST, 1, 0x100a0);
	add_access(FIRST, 1, 0x10080);
	add_access(FIRST, 1, 0x10080);
	s = &samples[paper.count - 1];
	s->has |= PERF_SAMPLE_WEIGHT;
	s->weight = 1ull << 40;
	m = mem_of(&args);
	load = load_of_number(&m.profiles[0], 0);
	assert_int_equal(load->reach, 0x40);
	assert_int_equal(m.profiles[0].latencies[LATENCY_BUCKETS - 1], 1);
	assert_int_equal(m.profiles[0].lines.count, 2);
	assert_int_equal(m.profiles[0].pages.count, 1);
	mem_free(&m);
}

static struct conflicts conflicts_of(struct mem *m)
{
	struct conflicts c;

	assert_int_equal(mem_find_conflicts(m, &m->profiles[0], &c), 0);
	return c;
}

static size_t sets_of(uint64_t *lines)
{
	const struct view_args args = { .limit = 0 };
	struct mem m = mem_of(&args);
	struct conflicts c = conflicts_of(&m);
	size_t n;

	*lines = c.list[0] ? c.list[0]->lines : 0;
	for (n = 0; c.list[n]; n++)
		;
	conflicts_free(&c);
	mem_free(&m);
	return n;
}

static void mem_tells_conflicts_from_other_misses(void **state)
{
	uint64_t lines;
	unsigned int i;

	(void)state;
	fill_conflict();
	assert_int_equal(sets_of(&lines), 1);
	assert_int_equal(lines, 16);
	/* A stream comes to each line once. */
	begin("misses");
	for (i = 0; i < 200; i++)
		add_address(CODE, BIAS + 0x10000 + i * 64);
	assert_int_equal(sets_of(&lines), 0);
	/* Eight lines fit. */
	begin("misses");
	for (i = 0; i < 64; i++)
		add_address(CODE, BIAS + 0x10000 + i % 8 * 4096);
	assert_int_equal(sets_of(&lines), 0);
	/* What is evenly bad is too much for the cache, not for a set. */
	begin("misses");
	for (i = 0; i < 240; i++)
		add_address(CODE, 0x5000000 + i % 120 * 64 * 9);
	assert_int_equal(sets_of(&lines), 0);
	/* Two columns of a matrix, each in a set of its own. */
	begin("misses");
	for (i = 0; i < 200; i++)
		add_address(CODE, 0x5000000 + i % 10 * 4096 + (i / 10 & 1) * 64);
	assert_int_equal(sets_of(&lines), 2);
	assert_int_equal(lines, 10);
}

/* Those that hit are no misses, whatever their number. */
static void mem_leaves_out_hits(void **state)
{
	union perf_mem_data_src l1 = { .mem_op = PERF_MEM_OP_LOAD,
				       .mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT };
	uint64_t lines;
	unsigned int i;

	(void)state;
	begin("loads");
	for (i = 0; i < 64; i++) {
		struct pmuctl_data_sample *s = add_address(CODE, BIAS + 0x10000 + i % 16 * 4096);

		s->has |= PERF_SAMPLE_DATA_SRC;
		s->data_src = l1.val;
	}
	assert_int_equal(sets_of(&lines), 0);
}

static uint64_t origins[ORIGINS];
static uint64_t lowest;		/* address; 0: there is none */

static uint64_t lowest_of(const struct table *cells)
{
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; i < cells->slots_count; i++) {
		const struct spot *cell = cells->slots[i];

		if (cell && cell->key.a < least)
			least = cell->key.a;
	}
	return cells->count ? least : 0;
}

static void find_origins(void)
{
	const struct view_args args = { .limit = 0 };
	struct mem m = mem_of(&args);

	memcpy(origins, m.profiles[0].origins, sizeof(origins));
	lowest = lowest_of(&m.profiles[0].cells);
	mem_free(&m);
}

static void mem_evaluates_operands(void **state)
{
	uint64_t *r;

	(void)state;
	begin("loads");
	r = add_registers(CODE, CODE + 4);
	r[PERF_REG_X86_DI] = 0x5000000;
	r[PERF_REG_X86_CX] = 0x18;
	find_origins();
	assert_int_equal(origins[ORIGIN_REGISTERS], 1);
	assert_int_equal(lowest, 0x5000018);
	/* It overwrote %rax; whether %rax is that of before nobody says but our own files. */
	begin("loads");
	r = add_registers(CODE + 4, CODE + 7);
	r[PERF_REG_X86_AX] = 0x5000000;
	find_origins();
	assert_int_equal(origins[ORIGIN_OVERWRITTEN], 1);
	r[PERF_REG_X86_IP] = BIAS + CODE + 4;
	find_origins();
	assert_int_equal(origins[ORIGIN_REGISTERS], 1);
	assert_int_equal(lowest, 0x5000000);
	paper.info.version = "6.1.192";
	find_origins();
	assert_int_equal(origins[ORIGIN_OVERWRITTEN], 1);
}

static void mem_knows_which_operand(void **state)
{
	uint64_t *r;

	(void)state;
	begin("mem_loads");
	r = add_registers(CODE + 7, CODE + 9);
	r[PERF_REG_X86_SI] = 0x5000008;
	r[PERF_REG_X86_DI] = 0x6000008;
	find_origins();
	assert_int_equal(lowest, 0x5000000);
	events[0].name = "mem_stores";
	find_origins();
	assert_int_equal(lowest, 0x6000000);
	events[0].name = "instructions";
	find_origins();
	assert_int_equal(origins[ORIGIN_AMBIGUOUS], 1);
	/* Not what it writes, but what a call reads. */
	begin("mem_loads");
	r = add_registers(CODE + 0xe, CODE);
	r[PERF_REG_X86_AX] = 0x5000000;
	find_origins();
	assert_int_equal(lowest, 0x5000000);
}

static void mem_says_why_there_is_no_address(void **state)
{
	(void)state;
	begin("loads");
	add_registers(CODE + 9, CODE + 0xc);		/* inc */
	add_registers(CODE, CODE + 4);
	samples[1].exact = false;
	add_registers(0x20000, 0x20004);		/* no code */
	add_registers(CODE + 0x10, CODE + 0x11);	/* no instruction */
	add_sample(0, CODE);
	find_origins();
	assert_int_equal(origins[ORIGIN_NO_OPERAND], 1);
	assert_int_equal(origins[ORIGIN_INEXACT], 1);
	assert_int_equal(origins[ORIGIN_NO_CODE], 2);
	assert_int_equal(origins[ORIGIN_NOT_RECORDED], 1);
	assert_int_equal(origins[ORIGIN_HARDWARE] + origins[ORIGIN_REGISTERS], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mem_prints_all_tables),
		cmocka_unit_test(no_source_is_none),
		cmocka_unit_test(mem_keeps_memories_apart),
		cmocka_unit_test(mem_keeps_stacks_apart),
		cmocka_unit_test(sums_have_edges),
		cmocka_unit_test(mem_tells_conflicts_from_other_misses),
		cmocka_unit_test(mem_leaves_out_hits),
		cmocka_unit_test(mem_evaluates_operands),
		cmocka_unit_test(mem_knows_which_operand),
		cmocka_unit_test(mem_says_why_there_is_no_address),
	};

	return cmocka_run_group_tests_name("tools_mem", tests, NULL, NULL);
}
