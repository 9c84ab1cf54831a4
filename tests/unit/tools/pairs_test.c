// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workloads that come in pairs: who is whose remedy, and where their data lie.
 */
#include "tools/workload/loop.h"
#include "tools/workload/workload.h"
#include "tests/unit/tools/run.h"

static const struct workload_machine machine = {
	.l1d = { .sets = 64, .ways = 12, .line = 64 },
	.second_level = 512 << 10,
	.memory = 1 << 30,
};

static const struct workload *workload(const char *name)
{
	const struct workload *w = workloads;

	while (w->name && strcmp(w->name, name) != 0)
		w++;
	return w->name ? w : NULL;
}

/* Its memory as the loop finds it; a page for such as want none. */
static struct workload_run prepare(const char *name)
{
	const struct workload *w = workload(name);
	struct workload_run run = { .machine = &machine, .rounds = 1000 };

	run.size = w->memory ? w->memory(&machine) : PAGE;
	run.memory = workload_allocate(run.size);
	if (w->prepare)
		w->prepare(&run);
	return run;
}

/* What the loop has computed. */
static unsigned long result(const char *name)
{
	struct workload_run run = prepare(name);
	unsigned long value = workload(name)->run(&run);

	free(run.memory);
	return value;
}

static void each_remedy_has_one_pair(void **state)
{
	static const char *const remedies[] = { "pad", "shift", "align", "block", "gather",
						"select", "widen" };
	unsigned int found[7] = { 0 }, i, all = 0;
	const struct workload *w, *other;

	(void)state;
	for (w = workloads; w->name; w++) {
		assert_true(!w->remedy == !w->remedied);
		if (!w->remedy)
			continue;
		all++;
		for (i = 0; i < 7; i++)
			found[i] += !strcmp(w->remedy, remedies[i]);
		other = workload(w->remedied);
		assert_non_null(other);
		assert_null(other->remedy);
		assert_int_equal(other->rounds, w->rounds);
	}
	assert_int_equal(all, 7);
	for (i = 0; i < 7; i++)
		assert_int_equal(found[i], 1);
}

static void the_list_names_them(void **state)
{
	(void)state;
	assert_int_equal(run("workload --list"), 0);
	assert_non_null(strstr(out, "remedy: pad, as in set-conflict-padded\n"));
	assert_int_equal(run("workload --list -x ;"), 0);
	assert_non_null(strstr(out, ";L2_Bound;1500000;pad;set-conflict-padded\n"));
	assert_non_null(strstr(out, ";Divider;1000000;;\n"));
	assert_int_equal(run("workload --list -j"), 0);
	assert_non_null(strstr(out, "\"rounds\": 1500000, \"remedy\": \"pad\", "
				    "\"remedied\": \"set-conflict-padded\"}\n"));
	assert_non_null(strstr(out, "\"rounds\": 1000, \"remedy\": null, \"remedied\": null}\n"));
}

static void both_compute_the_same(void **state)
{
	const struct workload *w;
	unsigned int sums = 0;

	(void)state;
	for (w = workloads; w->name; w++) {
		if (!w->remedy)
			continue;
		assert_int_equal(result(w->name), result(w->remedied));
		sums += result(w->name) != 0;
	}
	/* Fields, branches and stores. */
	assert_int_equal(sums, 3);
}

/* A pointer, at any address. */
static char *pointer_at(const char *address)
{
	char *to;

	memcpy(&to, address, sizeof(to));
	return to;
}

/* From pointer to pointer until the first one comes again: so many, and so many in two lines. */
static void follow(char *first, size_t *length, size_t *split)
{
	char *at = first;

	*length = *split = 0;
	do {
		*split += (uintptr_t)at / LINE != ((uintptr_t)at + sizeof(at) - 1) / LINE;
		at = pointer_at(at);
		++*length;
	} while (at != first);
}

static void pointers_are_split_or_not(void **state)
{
	struct workload_run split = prepare("line-split"), whole = prepare("line-split-aligned");
	size_t length, of_two;

	(void)state;
	follow((char *)split.memory + SPLIT_AT, &length, &of_two);
	assert_int_equal(length, PAGE / LINE / 2);
	assert_int_equal(of_two, length);
	follow(whole.memory, &length, &of_two);
	assert_int_equal(length, PAGE / LINE / 2);
	assert_int_equal(of_two, 0);
	free(split.memory);
	free(whole.memory);
}

static void padded_lines_have_sets_of_their_own(void **state)
{
	struct workload_run padded = prepare("set-conflict-padded");
	size_t length, of_two;

	(void)state;
	follow(padded.memory, &length, &of_two);
	assert_int_equal(length, 24);
	assert_ptr_equal(pointer_at(padded.memory), (char *)padded.memory + 4096 + 64);
	free(padded.memory);
}

/* The bytes from the lowest to the highest of so many visits. */
static size_t reach(const struct workload_run *run, size_t visits)
{
	char *at = run->memory, *lowest = at, *highest = at;

	for (; visits; visits--, at = pointer_at(at)) {
		lowest = at < lowest ? at : lowest;
		highest = at > highest ? at : highest;
	}
	return (size_t)(highest - lowest);
}

/* All pairs of lines in one circle, or those of each block in one; a block is 128 of them. */
static void blocks_are_visited_one_after_the_other(void **state)
{
	struct workload_run all = prepare("cache-overflow");
	struct workload_run blocked = prepare("cache-overflow-blocked");
	size_t length, of_two, at;

	(void)state;
	assert_int_equal(all.size, 1 << 20);
	assert_int_equal(blocked.size, 1 << 20);
	follow(all.memory, &length, &of_two);
	assert_int_equal(length, all.size / PAIR);
	assert_true(reach(&all, 128) < 16 << 10);
	assert_int_equal(reach(&all, all.size / PAIR), all.size - PAIR);
	for (at = 0; at < blocked.size; at += 16 << 10) {
		follow((char *)blocked.memory + at, &length, &of_two);
		assert_int_equal(length, 128);
	}
	assert_true(reach(&blocked, 1000) < 16 << 10);
	free(all.memory);
	free(blocked.memory);
}

static void fields_are_scattered_or_gathered(void **state)
{
	struct workload_run scattered = prepare("scattered-fields");
	struct workload_run gathered = prepare("scattered-fields-gathered");
	size_t records = (16 << 10) / FIELDS, length, of_two;

	(void)state;
	assert_int_equal(scattered.size, records * 256);
	assert_int_equal(gathered.size, 16 << 10);
	follow(scattered.memory, &length, &of_two);
	assert_int_equal(length, records);
	follow(gathered.memory, &length, &of_two);
	assert_int_equal(length, records);
	free(scattered.memory);
	free(gathered.memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_remedy_has_one_pair),
		cmocka_unit_test_setup(the_list_names_them, setup),
		cmocka_unit_test(both_compute_the_same),
		cmocka_unit_test(pointers_are_split_or_not),
		cmocka_unit_test(padded_lines_have_sets_of_their_own),
		cmocka_unit_test(blocks_are_visited_one_after_the_other),
		cmocka_unit_test(fields_are_scattered_or_gathered),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
