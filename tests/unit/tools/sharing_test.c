// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mem --sharing: the verdict by threads, bytes, times and cores; and lines of a perf.data file of
 * paper.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "tools/mem/sharing.h"
#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/paper_data.h"

/* ---- the verdict ----------------------------------------------------------------------------- */

#define TOUCHERS_MAX 8

static struct toucher touchers[TOUCHERS_MAX];
static struct part parts[4 * TOUCHERS_MAX];
static uint32_t cores[TOUCHERS_MAX];
static size_t nr_touchers, nr_parts;

static void nobody(void)
{
	nr_touchers = nr_parts = 0;
}

/* What the thread that was added last did. */
static void did(uint64_t bytes, bool writes, uint64_t samples)
{
	touchers[nr_touchers - 1].samples += samples;
	parts[nr_parts++] = (struct part){
		.toucher = nr_touchers - 1, .bytes = bytes, .reads = !writes, .writes = writes,
		.samples = samples,
	};
}

/* A thread on a core of its own, all the time; and the first that it did. */
static void one_more(uint64_t bytes, bool writes, uint64_t samples)
{
	struct toucher *t = &touchers[nr_touchers];

	cores[nr_touchers] = (uint32_t)nr_touchers;
	*t = (struct toucher){
		.thread = (uint32_t)nr_touchers, .first = 1, .last = 100,
		.cores = &cores[nr_touchers], .cores_count = 1,
	};
	nr_touchers++;
	did(bytes, writes, samples);
}

static struct finding judge(void)
{
	struct finding f;

	assert_int_equal(sharing_judge(touchers, nr_touchers, parts, nr_parts, &f), 0);
	return f;
}

#define LOW	0xffull
#define MIDDLE	(LOW << 16)
#define HIGH	(LOW << 56)

static void two_counters(void)
{
	nobody();
	one_more(LOW, true, 50);
	one_more(HIGH, true, 50);
}

static void false_sharing(void **state)
{
	struct finding f;

	(void)state;
	two_counters();
	f = judge();
	assert_int_equal(f.verdict, VERDICT_FALSE);
	assert_int_equal(f.threads, 2);
	assert_int_equal(f.writers, 2);
	assert_int_equal(f.cores, 2);
	assert_int_equal(f.samples, 100);
	assert_int_equal(f.contested, 0);
	/* One writes and the other reads beside it. */
	nobody();
	one_more(LOW, true, 50);
	one_more(HIGH, false, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_FALSE);
	assert_int_equal(f.writers, 1);
}

static void true_sharing(void **state)
{
	struct finding f;

	(void)state;
	nobody();
	one_more(LOW, true, 50);
	one_more(LOW << 4, false, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_TRUE);
	assert_int_equal(f.contested, 0xf0);
	/* What both read and nobody writes is not contested. */
	nobody();
	one_more(LOW, true, 50);
	did(HIGH, false, 50);
	one_more(LOW, true, 50);
	did(HIGH, false, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_TRUE);
	assert_int_equal(f.contested, LOW);
}

static void both(void **state)
{
	struct finding f;

	(void)state;
	/* A third stands aside, */
	nobody();
	one_more(LOW, true, 50);
	one_more(LOW, true, 50);
	one_more(HIGH, false, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_BOTH);
	assert_int_equal(f.aside, 1);
	/* ... or each has bytes of its own as well. */
	nobody();
	one_more(LOW, true, 50);
	did(MIDDLE, true, 50);
	one_more(LOW, true, 50);
	did(HIGH, true, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_BOTH);
	assert_int_equal(f.aside, 0);
	assert_false(f.apart);
	assert_int_equal(f.contested, LOW);
	/* Two have the one end and two the other. */
	two_counters();
	one_more(LOW, true, 50);
	one_more(HIGH, false, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_BOTH);
	assert_true(f.apart);
	assert_int_equal(f.contested, LOW | HIGH);
	/* Who only read different ends take nothing from each other. */
	nobody();
	one_more(LOW, false, 50);
	one_more(HIGH, false, 50);
	one_more(LOW, true, 50);
	did(HIGH, true, 50);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_TRUE);
	assert_false(f.apart);
}

/* The thread that adds the counters up reads all of them once; another one cleared them. */
static void seldom(void **state)
{
	struct finding f;

	(void)state;
	two_counters();
	one_more(LOW, true, 1);
	did(HIGH, false, 0);
	f = judge();
	assert_int_equal(f.verdict, VERDICT_FALSE);
	assert_int_equal(f.threads, 2);
	/* Nor do bytes count that a thread touched once in hundreds of times. */
	two_counters();
	did(HIGH, true, 400);
	did(LOW, true, 3);
	assert_int_equal(judge().verdict, VERDICT_FALSE);
	did(LOW, true, 6);
	assert_int_equal(judge().verdict, VERDICT_TRUE);
	/* All but a few are of one. */
	nobody();
	one_more(LOW, true, 50);
	one_more(HIGH, true, 1);
	assert_int_equal(judge().verdict, VERDICT_ONE_THREAD);
	nobody();
	one_more(LOW, true, 6);
	one_more(HIGH, true, 1);
	assert_int_equal(judge().verdict, VERDICT_TOO_FEW);
	/* Two of each are enough for a thread, ten for a line. */
	nobody();
	one_more(LOW, true, 2);
	one_more(HIGH, true, 7);
	assert_int_equal(judge().verdict, VERDICT_TOO_FEW);
	did(HIGH, true, 1);
	assert_int_equal(judge().verdict, VERDICT_FALSE);
	/* Who was seen to write did so once. */
	nobody();
	one_more(LOW, false, 50);
	did(LOW, true, 1);
	one_more(LOW, false, 50);
	assert_int_equal(judge().verdict, VERDICT_NO_WRITER);
}

static void in_turn(void **state)
{
	struct finding f;

	(void)state;
	two_counters();
	touchers[0].last = 49;
	touchers[1].first = 50;
	assert_int_equal(judge().verdict, VERDICT_IN_TURN);
	touchers[0].last = 50;
	assert_int_equal(judge().verdict, VERDICT_FALSE);
	/* A third that came later is none of those that share. */
	one_more(LOW | HIGH, true, 50);
	touchers[2].first = 101;
	touchers[2].last = 200;
	f = judge();
	assert_int_equal(f.verdict, VERDICT_FALSE);
	assert_int_equal(f.threads, 2);
	touchers[2].first = 100;
	assert_int_equal(judge().verdict, VERDICT_BOTH);
	/* Of a buffer that was drained once it is not known when. */
	two_counters();
	touchers[0].first = touchers[0].last = 10;
	touchers[1].first = touchers[1].last = 20;
	assert_int_equal(judge().verdict, VERDICT_FALSE);
}

static void one_core(void **state)
{
	static const uint32_t both_cores[] = { 0, 1 };

	(void)state;
	two_counters();
	cores[1] = 0;
	assert_int_equal(judge().verdict, VERDICT_ONE_CORE);
	/* Of a file that does not say which. */
	cores[0] = cores[1] = UINT32_MAX;
	assert_int_equal(judge().verdict, VERDICT_FALSE);
	assert_int_equal(judge().cores, 0);
	cores[0] = 0;
	touchers[1].cores = both_cores;
	touchers[1].cores_count = 2;
	assert_int_equal(judge().verdict, VERDICT_FALSE);
}

/* ---- a file ---------------------------------------------------------------------------------- */

#define COUNTERS (BIAS + 0x32000ull)
#define LOAD	CODE		/* mov (%rdi,%rcx),%rax */
#define BOTH	(CODE + 7)	/* movsq */
#define BUMP	(CODE + 35)	/* incq (%rdi) */

static uint64_t clock_now;

static struct pmuctl_data_sample *add(uint32_t event, uint32_t tid, uint64_t ip, uint64_t address)
{
	struct pmuctl_data_sample *s = add_sample(event, ip);

	s->tid = tid;
	s->cpu = tid - FIRST;
	s->has = PERF_SAMPLE_ADDR;
	s->addr = address;
	/* The lower half of it is the image. */
	s->time = ++clock_now << 32;
	return s;
}

static void load(uint32_t tid, uint64_t address, bool modified, bool far)
{
	union perf_mem_data_src src = {
		.mem_op = PERF_MEM_OP_LOAD, .mem_lvl = PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT,
		.mem_snoop = modified ? PERF_MEM_SNOOP_HITM : PERF_MEM_SNOOP_NONE,
		.mem_remote = far,
	};
	struct pmuctl_data_sample *s = add(0, tid, LOAD, address);

	s->has |= PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
	s->data_src = src.val;
	s->weight = modified ? 90 : 40;
}

static void store(uint32_t tid, uint64_t address)
{
	add(1, tid, BOTH, address);
}

static void begin_accesses(void)
{
	begin("mem-loads:ldlat=30:upp");
	events[1].name = "mem-stores:upp";
	clock_now = 0;
}

static void print_sharing(enum format format)
{
	const struct view_args args = { .limit = 20 };
	struct mem m = { .args = &args, .data = &paper, .info = &paper.info };
	FILE *f = tmpfile();
	struct writer *w = writer_open(f, format, ",");
	struct sharing s;

	assert_int_equal(sharing_collect(&s, &m), 0);
	sharing_print(&s, w);
	assert_true(writer_close(w));
	sharing_free(&s);
	slurp(f);
}

/* Three threads and their counters; two of them and a word of the heap; a table that is read. */
static void fill_accesses(void)
{
	unsigned int i, thread;

	begin_accesses();
	for (i = 0; i < 10; i++)
		for (thread = 0; thread < 3; thread++) {
			store(FIRST + thread, COUNTERS + 16ull * thread);
			if (i < 4)
				load(FIRST + thread, COUNTERS + 16ull * thread, i < 2, !i);
		}
	for (i = 0; i < 12; i++) {
		store(FIRST + i % 2, 0x5000040);
		load(FIRST + i % 2, 0x5000080, false, false);
	}
	/* What only one thread has, and what two have of which nobody knows more. */
	store(FIRST, BIAS + 0x10000);
	store(FIRST, BIAS + 0x10100);
	store(FIRST + 1, BIAS + 0x10100);
}

static void prints_lines(void **state)
{
	(void)state;
	fill_accesses();
	goldens("sharing", print_sharing);
}

static void nothing_is_shared(void **state)
{
	unsigned int i;

	(void)state;
	begin_accesses();
	for (i = 0; i < 20; i++)
		store(FIRST + i % 2, COUNTERS + 64 * (i % 2));
	print_sharing(FORMAT_TEXT);
	assert_non_null(strstr(out, "no line is shared in a way that costs\n"));
	assert_null(strstr(out, "false sharing"));
	assert_non_null(strstr(out, "no loads were sampled"));
}

/* Of what has too few samples nothing is claimed. */
static void few_samples(void **state)
{
	(void)state;
	begin_accesses();
	store(FIRST, COUNTERS);
	store(FIRST + 1, COUNTERS + 16);
	print_sharing(FORMAT_TEXT);
	assert_non_null(strstr(out, "1 line touched with too few samples to judge\n"));
	assert_non_null(strstr(out, "that costs, but for what few samples do not tell\n"));
}

/* Eight bytes that end in the next line are in both; another thread has that one's end. */
static void crosses_lines(void **state)
{
	unsigned int i;

	(void)state;
	begin_accesses();
	for (i = 0; i < 10; i++) {
		store(FIRST, 0x500007c);
		store(FIRST + 1, 0x50000b8);
	}
	print_sharing(FORMAT_CSV);
	assert_non_null(strstr(out, "line,0x5000080,7,false sharing,2,2,2,"));
	assert_non_null(strstr(out, "access,0x5000080,7,0,4,10,0,"));
	assert_non_null(strstr(out, "access,0x5000080,7,56,8,10,0,"));
	assert_null(strstr(out, "line,0x5000040"));
}

/* A load's instruction that also writes there is a writer, and no other load. */
static void instructions_tell(void **state)
{
	unsigned int i;

	(void)state;
	begin_accesses();
	for (i = 0; i < 10; i++) {
		load(FIRST, COUNTERS, true, false);
		load(FIRST + 1, COUNTERS + 16, true, false);
	}
	print_sharing(FORMAT_TEXT);
	assert_non_null(strstr(out, "1 line of several threads, only read\n"));
	assert_non_null(strstr(out, "no stores were sampled"));
	begin_accesses();
	for (i = 0; i < 10; i++) {
		add(0, FIRST, BUMP, COUNTERS);
		add(0, FIRST + 1, BUMP, COUNTERS + 16);
	}
	print_sharing(FORMAT_TEXT);
	assert_non_null(strstr(out, ": false sharing\n  2 threads on 2 cores, 2 of them write;"));
	assert_non_null(strstr(out, "whether loads found their line modified in another core is not"));
	/* Where the instruction is not known for certain its bytes are not. */
	begin_accesses();
	for (i = 0; i < 10; i++) {
		store(FIRST, 0x5000044);
		samples[paper.count - 1].exact = false;
		store(FIRST + 1, 0x5000045);
		samples[paper.count - 1].exact = false;
	}
	print_sharing(FORMAT_TEXT);
	assert_non_null(strstr(out, "20 accesses are taken for one byte"));
	assert_non_null(strstr(out, ": false sharing\n"));
}

/* The kernel's memory is everybody's, and each CPU has an idle task of its own. */
static void kernel_lines(void **state)
{
	unsigned int i;

	(void)state;
	begin_accesses();
	for (i = 0; i < 20; i++) {
		store(FIRST, 0xffff888000000000 + 8 * (i % 2));
		samples[paper.count - 1].pid = samples[paper.count - 1].tid = 0;
		samples[paper.count - 1].cpu = i % 2;
	}
	print_sharing(FORMAT_TEXT);
	assert_non_null(strstr(out, "0xffff888000000000 of the kernel: false sharing\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_sharing), cmocka_unit_test(true_sharing),
		cmocka_unit_test(both), cmocka_unit_test(seldom), cmocka_unit_test(in_turn),
		cmocka_unit_test(one_core), cmocka_unit_test(prints_lines),
		cmocka_unit_test(nothing_is_shared), cmocka_unit_test(few_samples),
		cmocka_unit_test(crosses_lines),
		cmocka_unit_test(instructions_tell), cmocka_unit_test(kernel_lines),
	};

	return cmocka_run_group_tests_name("tools_sharing", tests, NULL, NULL);
}
