// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is to be had of a loop, and what to do about a load or a branch of it, on a perf.data file
 * of paper.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/paper_data.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6)
#define INSTRUCTIONS 10000
#define CYCLES 40000

/* Four instructions a cycle; of 1000 samples of both each stands for as much. */
static struct advise begin_advice(void)
{
	struct advise a = { .cmd = "analyze", .load_cycles = 4, .width = 4, .cycles = CYCLES };

	table_init(&a.spots, sizeof(struct hot_spot));
	a.runs[RUN_CYCLES].event = (struct sampled){ .total = CYCLES, .samples = 1000 };
	a.runs[RUN_CYCLES].sampled = CYCLES;
	a.runs[RUN_INSTRUCTIONS].event = (struct sampled){ .total = INSTRUCTIONS, .samples = 1000 };
	a.runs[RUN_INSTRUCTIONS].sampled = INSTRUCTIONS;
	return a;
}

static void end_advice(struct advise *a)
{
	table_free(&a->spots, NULL);
	code_files_free(&a->files);
}

static struct hot_spot *add_spot(struct advise *a, uint64_t address, double waits, double times)
{
	const struct pmuctl_place place = { .dso = 1, .address = address };
	struct hot_spot *spot = advise_spot(a, &paper, &place);

	spot->waits = waits;
	spot->times = times;
	return spot;
}

/* The loop from 1000 to 100c; its second load waits.  Returns that. */
static struct hot_spot *add_loop(struct advise *a)
{
	struct hot_spot *load = add_spot(a, CODE + 4, 28000, 900);

	add_spot(a, CODE, 4000, 1100);
	add_spot(a, CODE + 7, 2000, 1000);
	add_spot(a, CODE + 9, 0, 1000);
	add_spot(a, CODE + 12, 2000, 1000);
	/* Behind it. */
	add_spot(a, CODE + 14, 4000, 500);
	return load;
}

/* ---- promises ------------------------------------------------------------------------------- */

static void least_and_most(void **state)
{
	struct finding f = { .share = 0.8, .error = 0.05 };

	(void)state;
	f.loop = (struct loop){ .found = true, .share = 0.9, .least = 0.1 };
	finding_promise(&f, 0.55, 1, 9);
	NEAR(f.low, 0.55);
	NEAR(f.high, 0.85);
	finding_promise(&f, 0.275, 0.8, 9);
	NEAR(f.high, 0.68);
	/* So many events take no more. */
	finding_promise(&f, 0.3, 1, 0.4);
	NEAR(f.high, 0.4);
	/* Never less than nothing, nor more than all; the most is no less than the least. */
	finding_promise(&f, -0.1, 1, 9);
	NEAR(f.low, 0);
	f.loop.least = -1;
	finding_promise(&f, 0.8, 1, 9);
	NEAR(f.high, 1);
	f.loop.least = 0.8;
	finding_promise(&f, 0.75, 1, 9);
	NEAR(f.low, 0.75);
	NEAR(f.high, 0.75);
	/* Without a loop it is what is waited there. */
	f.loop.found = false;
	finding_promise(&f, 0.6, 1, 9);
	NEAR(f.high, 0.85);
}

static void errors_of_samples(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *spot = add_spot(&a, CODE, 20000, 1000);

	(void)state;
	NEAR(spot_share(&a, spot), 0.5);
	assert_true(fabs(spot_error(&a, spot) - 1.959964 * sqrt(0.25 / 1000)) < 1e-5);
	/* Lost ones may be anybody's: 250 of 1250. */
	a.runs[RUN_CYCLES].event.lost = 250;
	assert_true(fabs(spot_error(&a, spot) - 1.959964 * sqrt(0.25 / 1000) - 0.2) < 1e-5);
	/* A hundred samples, of 10 each. */
	assert_true(fabs(times_error(&a, 1000) - 1.959964 * 100) < 1e-2);
	end_advice(&a);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static void a_loop_is_found(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *load = add_loop(&a), *behind = add_spot(&a, CODE + 17, 0, 500);
	struct loop loop;
	double error;

	(void)state;
	advise_find_loop(&a, load, &loop);
	assert_true(loop.found);
	assert_int_equal(loop.first, CODE);
	assert_int_equal(loop.last, CODE + 12);
	NEAR(loop.share, 0.9);
	NEAR(loop.least, 5000.0 / 4 / CYCLES);
	/* One block, whose mean it is, of 500 samples. */
	NEAR(loop_times(&a, load, &loop, CODE + 4, &error), 1000);
	assert_true(fabs(error - 1.959964 * sqrt(5000 * 10) / 5) < 1e-2);
	advise_find_loop(&a, behind, &loop);
	assert_false(loop.found);
	end_advice(&a);
}

static void strides_are_in_the_code(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *load = add_spot(&a, CODE + 18, 0, 1000), *other = add_loop(&a);
	struct loop loop;

	(void)state;
	add_spot(&a, CODE + 33, 0, 1000);
	advise_find_loop(&a, load, &loop);
	assert_int_equal(loop.first, CODE + 18);
	/* Base by 4112, index by -2 of 8 bytes. */
	assert_int_equal(loop_stride(load, &loop), 4096);
	/* By what it loads. */
	advise_find_loop(&a, other, &loop);
	assert_int_equal(loop_stride(other, &loop), 0);
	end_advice(&a);
}

/* ---- loads ---------------------------------------------------------------------------------- */

/* Of misses and of all loads the samples are the same; returns the text, which is to be freed. */
static char *cure_of(struct advise *a, struct hot_spot *spot, double events, struct cure *cure)
{
	struct finding f = { .clue = CLUE_MISSES, .spot = spot };

	paper.info.l1d = (struct pmuctl_cache){
		.size = sizeof(paper.info.l1d), .sets = 64, .ways = 8, .line = 64,
	};
	a->runs[RUN_CLUES + CLUE_MISSES].s = a->runs[RUN_LOADS].s =
		(struct sampling){ .data = &paper, .content = PMUCTL_SAMPLE_ADDR };
	a->runs[RUN_CLUES + CLUE_MISSES].sampled = 1;
	spot->clues[CLUE_MISSES] = 1;
	a->clues[CLUE_MISSES].count = events;
	*cure = (struct cure){ .share = 0 };
	advise_find_loop(a, spot, &f.loop);
	assert_int_equal(advise_misses(a, &f, cure), 0);
	return cure->text;
}

static void lines_of_one_set_are_padded(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *load = add_loop(&a);
	struct cure cure;
	unsigned int i;

	(void)state;
	begin("misses:pp");
	for (i = 0; i < 64; i++)
		add_address(CODE + 4, 0x5000000 + i % 16 * 4096);
	free(cure_of(&a, load, 1000, &cure));
	assert_int_equal(cure.remedy, REMEDY_PAD);
	NEAR(cure.share, 1);
	end_advice(&a);
}

/* No set is worse than others, as it is by turns. */
static void steps_of_a_way_are_padded(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *load = add_spot(&a, CODE + 18, 20000, 1000);
	struct cure cure;
	unsigned int i;
	char *text;

	(void)state;
	add_spot(&a, CODE + 33, 0, 1000);
	begin("misses:pp");
	for (i = 0; i < 200; i++)
		add_address(CODE + 18, 0x5000000 + i * 37 % 2048 * 64);
	text = cure_of(&a, load, 1000, &cure);
	assert_int_equal(cure.remedy, REMEDY_PAD);
	assert_non_null(strstr(text, "steps of 4096 bytes 64 (a line) longer"));
	free(text);
	/* A column of no more lines than there are ways. */
	begin("misses:pp");
	for (i = 0; i < 200; i++)
		add_address(CODE + 18, 0x5000000 + i * 37 % 500 * 64);
	free(cure_of(&a, load, 1000, &cure));
	assert_int_equal(cure.remedy, REMEDY_GATHER);
	end_advice(&a);
}

/* Records of 256 bytes, in no order; the other field is 128 bytes behind the first. */
static void add_records(unsigned int records)
{
	unsigned int i, at = 0;

	begin("misses:pp");
	for (i = 0; i < 100; i++) {
		at = (at * 13 + 7) % records;
		add_address(CODE + 4, 0x5000000 + at * 256);
		add_address(CODE, 0x5000080 + at * 256);
	}
}

static void fields_are_gathered(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *load = add_loop(&a);
	struct cure cure;
	char *text;

	(void)state;
	/* So few that the first level has all of what is used: 1024 times 16 bytes. */
	add_records(1024);
	text = cure_of(&a, load, 1000, &cure);
	assert_int_equal(cure.remedy, REMEDY_GATHER);
	NEAR(cure.share, 1);
	assert_non_null(strstr(text, "each 256 bytes"));
	assert_non_null(strstr(text, "only 16 are used, in 2 lines, at offsets 0 and 128"));
	free(text);
	/* So many that it has not: a line for two. */
	add_records(65536);
	free(cure_of(&a, load, 1000, &cure));
	assert_int_equal(cure.remedy, REMEDY_GATHER);
	NEAR(cure.share, 0.5);
	end_advice(&a);
}

static void what_comes_again_is_blocked(void **state)
{
	struct advise a = begin_advice();
	struct hot_spot *load = add_loop(&a);
	struct cure cure;
	unsigned int i;

	(void)state;
	/* All of 8 bytes each, over 128 KiB: nothing to gather. */
	begin("misses:pp");
	for (i = 0; i < 200; i++)
		add_address(CODE + 4, 0x5000000 + (i * 5003 % 16384) * 8);
	free(cure_of(&a, load, 4 * 2048, &cure));
	assert_int_equal(cure.remedy, REMEDY_BLOCK);
	assert_true(cure.share > 0.74 && cure.share < 0.76);
	NEAR(cure.most, 1);
	/* Once is not again. */
	free(cure_of(&a, load, 2048, &cure));
	NEAR(cure.share, 0);
	end_advice(&a);
}

/* ---- branches ------------------------------------------------------------------------------- */

/* Its waits are a fifth of the cycles, whoever they are for; returns what is promised. */
static struct finding branch_finding(double misprediction, double events)
{
	struct advise a = begin_advice();
	struct finding f = {
		.clue = CLUE_MISPREDICTIONS, .times = 1000, .times_error = 50, .events = events,
	};

	a.misprediction = misprediction;
	a.clues[CLUE_MISPREDICTIONS].most = 100;
	f.spot = spot_at(&a, add_loop(&a), CODE + 12);
	advise_find_loop(&a, f.spot, &f.loop);
	assert_int_equal(advise_branch(&a, &f), 0);
	/* Behind it and at its target. */
	NEAR(f.share, 0.2);
	/* 500 +- 139 of 1000 +- 50 go on. */
	assert_non_null(strstr(f.text, "select"));
	assert_non_null(strstr(f.text, "taken 50 +- 16 % of the times"));
	free(f.text);
	end_advice(&a);
	return f;
}

static void a_branch_gives_what_its_mispredictions_add(void **state)
{
	struct finding f = branch_finding(16, 0.4);

	(void)state;
	/* 400 of 16 cycles, less 2 each time that it runs, which may be 50 more. */
	NEAR(f.low, 4300.0 / CYCLES);
	NEAR(f.high, 0.9 - 5000.0 / 4 / CYCLES + f.error);
	/* Rare ones are not what is waited for there: no more than 100 cycles each. */
	f = branch_finding(16, 0.02);
	NEAR(f.low, 0);
	NEAR(f.high, 2000.0 / CYCLES);
	/* No more than is waited; and where it is not told, nothing. */
	f = branch_finding(60, 0.9);
	NEAR(f.low, f.share + f.error);
	f = branch_finding(0, 0.9);
	NEAR(f.low, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_and_most),
		cmocka_unit_test(errors_of_samples),
		cmocka_unit_test(a_loop_is_found),
		cmocka_unit_test(strides_are_in_the_code),
		cmocka_unit_test(lines_of_one_set_are_padded),
		cmocka_unit_test(steps_of_a_way_are_padded),
		cmocka_unit_test(fields_are_gathered),
		cmocka_unit_test(what_comes_again_is_blocked),
		cmocka_unit_test(a_branch_gives_what_its_mispredictions_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
