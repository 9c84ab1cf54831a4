// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workloads that there are, and what their loops find in memory.
 */
#include "tools/workload/workload.h"

#define LINE 64u

/*
 * Twice the last level, as a power of two.  On a machine that has less than four times as
 * much memory it is what a quarter of that has room for.
 */
static size_t beyond_caches(const struct workload_machine *machine)
{
	size_t size = 1u << 20;

	while (size < 2 * machine->last_level)
		size *= 2;
	while (machine->memory && size > machine->memory / 4)
		size /= 2;
	return size;
}

/*
 * A cycle through all lines that looks random: a linear congruential generator modulo a
 * power of two has its full period if the factor is 1 modulo 4 and the addend odd.
 */
static void link_at_random(const struct workload_run *run)
{
	size_t lines = run->size / LINE, i;
	char *base = run->memory;

	for (i = 0; i < lines; i++)
		*(void **)(base + i * LINE) =
			base + ((1664525u * i + 1013904223u) & (lines - 1)) * LINE;
}

static size_t way_size(const struct workload_machine *machine)
{
	return (size_t)machine->l1d.sets * machine->l1d.line;
}

static size_t too_many_ways(const struct workload_machine *machine)
{
	return 2 * machine->l1d.ways * way_size(machine);
}

/* The first line of each way's worth of memory, and back to the first one. */
static void link_one_set(const struct workload_run *run)
{
	size_t step = way_size(run->machine), at;
	char *base = run->memory;

	for (at = 0; at < run->size; at += step)
		*(void **)(base + at) = base + (at + step) % run->size;
}

/* As many rounds as outweigh the start of the program many times. */
const struct workload workloads[] = {
	{ .name = "pointer-chase",
	  .text = "loads that wait for each other, each from memory",
	  .leaf = "L3_Miss_Bound", .rounds = 400000,
	  .memory = beyond_caches, .prepare = link_at_random, .run = workload_pointer_chase },
	{ .name = "random-branches",
	  .text = "branches of which half go another way than predicted",
	  .leaf = "Branch_Mispredicts", .rounds = 1500000, .run = workload_random_branches },
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
	  .memory = too_many_ways, .prepare = link_one_set, .run = workload_set_conflict },
	{ .name = NULL },
};
