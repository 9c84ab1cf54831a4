// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workloads that there are, and what their loops find in memory.
 */
#include <string.h>

#include "tools/workload/loop.h"
#include "tools/workload/workload.h"

/* ---- orders that look random ------------------------------------------------------------- */

/*
 * The next one of so many, a power of two.  A linear congruential generator has its full
 * period then if the factor is 1 modulo 4 and the addend odd: all come up before the first
 * one does again.
 */
static size_t at_random(size_t i, size_t count)
{
	return (1664525u * i + 1013904223u) & (count - 1);
}

static void link_records(const struct workload_run *run, size_t record)
{
	size_t count = run->size / record, i;
	char *base = run->memory;

	for (i = 0; i < count; i++)
		*(void **)(base + i * record) = base + at_random(i, count) * record;
}

/* ---- more than a cache holds ------------------------------------------------------------- */

/*
 * Twice the cache, as a power of two.  On a machine that has less than four times as much
 * memory it is what a quarter of that has room for.
 */
static size_t twice(size_t cache, const struct workload_machine *machine)
{
	size_t size = 1u << 20;

	while (size < 2 * cache)
		size *= 2;
	while (machine->memory && size > machine->memory / 4)
		size /= 2;
	return size;
}

static size_t beyond_caches(const struct workload_machine *machine)
{
	return twice(machine->last_level, machine);
}

static void link_lines(const struct workload_run *run)
{
	link_records(run, LINE);
}

static size_t beyond_second_level(const struct workload_machine *machine)
{
	return twice(machine->second_level, machine);
}

static size_t way_size(const struct workload_machine *machine)
{
	return (size_t)machine->l1d.sets * machine->l1d.line;
}

/*
 * The first pointer of each pair of lines leads to that of another pair, until all of the block
 * were there, then to what is behind it.
 */
static void link_block(char *block, size_t size, char *behind)
{
	size_t at, next;

	for (at = 0; at < size; at += PAIR) {
		next = at_random(at / PAIR, size / PAIR);
		*(void **)(block + at) = next ? block + next * PAIR : behind;
	}
}

/* From block to block, and back to the first one. */
static void link_all(const struct workload_run *run)
{
	size_t block = workload_block(run->machine), at;
	char *base = run->memory;

	for (at = 0; at < run->size; at += block)
		link_block(base + at, block, base + (at + block) % run->size);
}

/* Each is a circle. */
static void link_blocks(const struct workload_run *run)
{
	size_t block = workload_block(run->machine), at;
	char *base = run->memory;

	for (at = 0; at < run->size; at += block)
		link_block(base + at, block, base + at);
}

/* ---- lines that share a set, and such that do not ---------------------------------------- */

static size_t too_many_ways(const struct workload_machine *machine)
{
	return 2 * machine->l1d.ways * way_size(machine);
}

static size_t too_many_ways_padded(const struct workload_machine *machine)
{
	return 2 * machine->l1d.ways * (way_size(machine) + LINE);
}

/* From one to the next at that distance, and back to the first one; at any address. */
static void link_steps(const struct workload_run *run, size_t first, size_t step)
{
	char *base = (char *)run->memory + first, *next;
	size_t at;

	for (at = 0; at < run->size; at += step) {
		next = base + (at + step) % run->size;
		memcpy(base + at, &next, sizeof(next));
	}
}

static void link_one_set(const struct workload_run *run)
{
	link_steps(run, 0, way_size(run->machine));
}

static void link_sets(const struct workload_run *run)
{
	link_steps(run, 0, way_size(run->machine) + LINE);
}

/* ---- pages and lines --------------------------------------------------------------------- */

/* One of a load, one of a store, and a line more. */
static size_t two_pages(const struct workload_machine *machine)
{
	(void)machine;
	return 2 * PAGE + LINE;
}

static void link_itself(const struct workload_run *run)
{
	*(void **)run->memory = run->memory;
}

static size_t one_page(const struct workload_machine *machine)
{
	(void)machine;
	return PAGE;
}

/* Half of each pointer is in one line, half in the next. */
static void link_across(const struct workload_run *run)
{
	link_steps(run, SPLIT_AT, PAIR);
}

static void link_within(const struct workload_run *run)
{
	link_steps(run, 0, PAIR);
}

/* ---- records ----------------------------------------------------------------------------- */

/* So many as fit into half of the first level if nothing but the two fields is kept. */
static size_t records(const struct workload_machine *machine)
{
	return workload_block(machine) / FIELDS;
}

static size_t scattered(const struct workload_machine *machine)
{
	return records(machine) * RECORD;
}

static size_t gathered(const struct workload_machine *machine)
{
	return records(machine) * FIELDS;
}

/* The second field, so far behind the first, is the record's number. */
static void number_records(const struct workload_run *run, size_t record, size_t distance)
{
	char *field = (char *)run->memory + distance;
	size_t i;

	link_records(run, record);
	for (i = 0; i < run->size / record; i++)
		*(unsigned long *)(field + i * record) = i;
}

static void scatter(const struct workload_run *run)
{
	number_records(run, RECORD, RECORD / 2);
}

static void gather(const struct workload_run *run)
{
	number_records(run, FIELDS, FIELDS / 2);
}

/* ---- all of them ------------------------------------------------------------------------- */

/* As many rounds as outweigh the start of the program many times. */
const struct workload workloads[] = {
	{ .name = "pointer-chase",
	  .text = "loads that wait for each other, each from memory",
	  .leaf = "L3_Miss_Bound", .rounds = 400000,
	  .memory = beyond_caches, .prepare = link_lines, .run = workload_pointer_chase },
	{ .name = "random-branches",
	  .text = "branches of which half go another way than predicted",
	  .leaf = "Branch_Mispredicts", .rounds = 1500000, .run = workload_random_branches,
	  .remedy = "select", .remedied = "random-branches-selected" },
	{ .name = "code-footprint",
	  .text = "jumps through more code than the first caches of instructions hold (on Sandy "
		  "Bridge, which does not count what that costs, Fetch_Latency)",
	  .leaf = "ICache_Misses", .rounds = 1000, .run = workload_code_footprint },
	{ .name = "divide-chain",
	  .text = "divisions that wait for each other",
	  .leaf = "Divider", .rounds = 1000000, .run = workload_divide_chain },
	{ .name = "streaming-stores",
	  .text = "stores to one line after the other, over more memory than caches hold",
	  .leaf = "Store_Bound", .rounds = 1000000,
	  .memory = beyond_caches, .run = workload_streaming_stores },
	{ .name = "dense-alu",
	  .text = "additions that do not wait for each other, as many as there is room for",
	  .leaf = "Retiring", .rounds = 800000, .run = workload_dense_alu },
	{ .name = "set-conflict",
	  .text = "loads of which one misses: its lines compete for one set of the first cache",
	  .leaf = "L2_Bound", .rounds = 1500000,
	  .memory = too_many_ways, .prepare = link_one_set, .run = workload_set_conflict,
	  .remedy = "pad", .remedied = "set-conflict-padded" },
	{ .name = "set-conflict-padded",
	  .text = "the same loads of lines that are a line further apart, in sets of their own",
	  .leaf = "Ports_Utilization", .rounds = 1500000, .memory = too_many_ways_padded,
	  .prepare = link_sets, .run = workload_set_conflict_padded },
	{ .name = "page-alias",
	  .text = "loads that wait for each other, each behind a store at its place of another page",
	  .leaf = "L1_Bound", .rounds = 1000000,
	  .memory = two_pages, .prepare = link_itself, .run = workload_page_alias,
	  .remedy = "shift", .remedied = "page-alias-shifted" },
	{ .name = "page-alias-shifted",
	  .text = "the same loads and stores, with the stores a line further on",
	  .leaf = "L1_Bound", .rounds = 1000000,
	  .memory = two_pages, .prepare = link_itself, .run = workload_page_alias_shifted },
	{ .name = "line-split",
	  .text = "loads that wait for each other, each of parts of two lines",
	  .leaf = "L1_Bound", .rounds = 1000000,
	  .memory = one_page, .prepare = link_across, .run = workload_line_split,
	  .remedy = "align", .remedied = "line-split-aligned" },
	{ .name = "line-split-aligned",
	  .text = "the same loads, each of one line",
	  .leaf = "L1_Bound", .rounds = 1000000,
	  .memory = one_page, .prepare = link_within, .run = workload_line_split_aligned },
	{ .name = "cache-overflow",
	  .text = "loads that wait for each other, over and over more than the second level holds",
	  .leaf = "L3_Bound", .rounds = 524288, .memory = beyond_second_level,
	  .prepare = link_all, .run = workload_cache_overflow,
	  .remedy = "block", .remedied = "cache-overflow-blocked" },
	{ .name = "cache-overflow-blocked",
	  .text = "the same loads block by block: over and over what the first level holds",
	  .leaf = "L3_Bound", .rounds = 524288, .memory = beyond_second_level,
	  .prepare = link_blocks, .run = workload_cache_overflow_blocked },
	{ .name = "scattered-fields",
	  .text = "a list of records of which two fields are read, each in a line of its own",
	  .leaf = "L2_Bound", .rounds = 1000000, .memory = scattered,
	  .prepare = scatter, .run = workload_scattered_fields,
	  .remedy = "gather", .remedied = "scattered-fields-gathered" },
	{ .name = "scattered-fields-gathered",
	  .text = "the same list of these two fields alone, one beside the other",
	  .leaf = "L1_Bound", .rounds = 1000000, .memory = gathered,
	  .prepare = gather, .run = workload_scattered_fields_gathered },
	{ .name = "random-branches-selected",
	  .text = "the same sums by conditional moves",
	  .leaf = "Ports_Utilization", .rounds = 1500000, .run = workload_random_branches_selected },
	{ .name = "narrow-stores",
	  .text = "loads that wait for each other through memory, each of what two stores wrote",
	  .leaf = "L1_Bound", .rounds = 1000000, .run = workload_narrow_stores,
	  .remedy = "widen", .remedied = "narrow-stores-widened" },
	{ .name = "narrow-stores-widened",
	  .text = "the same loads, each of what one store wrote",
	  .leaf = "Ports_Utilization", .rounds = 1000000, .run = workload_narrow_stores_widened },
	{ .name = NULL },
};
