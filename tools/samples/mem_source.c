// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where data came from, as struct perf_event.h has it, in words.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "tools/mem/mem.h"

struct word {
	uint64_t bit;
	const char *text;
};

static const struct word levels[] = {
	{ PERF_MEM_LVL_L1, "L1" },
	{ PERF_MEM_LVL_LFB, "line fill buffer" },
	{ PERF_MEM_LVL_L2, "L2" },
	{ PERF_MEM_LVL_L3, "L3" },
	{ PERF_MEM_LVL_LOC_RAM, "local memory" },
	{ PERF_MEM_LVL_REM_RAM1, "remote memory" },
	{ PERF_MEM_LVL_REM_RAM2, "remote memory (2 hops)" },
	{ PERF_MEM_LVL_REM_CCE1, "remote cache" },
	{ PERF_MEM_LVL_REM_CCE2, "remote cache (2 hops)" },
	{ PERF_MEM_LVL_IO, "I/O" },
	{ PERF_MEM_LVL_UNC, "uncached" },
};

/* Newer writers number the level as well. */
static const char *const numbered[16] = {
	[PERF_MEM_LVLNUM_L1] = "L1",
	[PERF_MEM_LVLNUM_L2] = "L2",
	[PERF_MEM_LVLNUM_L3] = "L3",
	[PERF_MEM_LVLNUM_L4] = "L4",
	[PERF_MEM_LVLNUM_ANY_CACHE] = "some cache",
	[PERF_MEM_LVLNUM_LFB] = "line fill buffer",
	[PERF_MEM_LVLNUM_RAM] = "memory",
	[PERF_MEM_LVLNUM_PMEM] = "persistent memory",
};

static const struct word snoops[] = {
	{ PERF_MEM_SNOOP_HIT, "snoop hit" },
	{ PERF_MEM_SNOOP_MISS, "snoop miss" },
	{ PERF_MEM_SNOOP_HITM, "snoop hit modified" },
};

static const struct word ops[] = {
	{ PERF_MEM_OP_LOAD, "load" },
	{ PERF_MEM_OP_STORE, "store" },
	{ PERF_MEM_OP_PFETCH, "prefetch" },
};

uint64_t source_key(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src }, key = { .val = 0 };

	key.mem_op = src.mem_op;
	key.mem_lvl = src.mem_lvl;
	key.mem_lvl_num = src.mem_lvl_num;
	key.mem_remote = src.mem_remote;
	key.mem_snoop = src.mem_snoop;
	key.mem_dtlb = src.mem_dtlb;
	key.mem_lock = src.mem_lock & PERF_MEM_LOCK_LOCKED;
	return key.val;
}

bool source_is_known(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src };

	return (src.mem_op && src.mem_op != PERF_MEM_OP_NA) ||
	       (src.mem_lvl && src.mem_lvl != PERF_MEM_LVL_NA) ||
	       (src.mem_lvl_num && src.mem_lvl_num != PERF_MEM_LVLNUM_NA);
}

static void append(char *text, size_t size, const char *mark, const char *word)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, "%s%s", len ? mark : "", word);
}

static void append_words(char *text, size_t size, const struct word *words, size_t count,
			 uint64_t bits)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (bits & words[i].bit)
			append(text, size, ", ", words[i].text);
}

static void append_level(char *text, size_t size, union perf_mem_data_src src)
{
	const char *name = numbered[src.mem_lvl_num];
	size_t before = strlen(text);

	if (name && src.mem_remote)
		append(text, size, ", ", "remote");
	if (name)
		append(text, size, src.mem_remote ? " " : ", ", name);
	else
		append_words(text, size, levels, ARRAY_SIZE(levels), src.mem_lvl);
	if (strlen(text) == before)
		append(text, size, ", ", "unknown level");
	if (src.mem_lvl & PERF_MEM_LVL_HIT)
		append(text, size, " ", "hit");
	else if (src.mem_lvl & PERF_MEM_LVL_MISS)
		append(text, size, " ", "miss");
}

void source_text_of(uint64_t key, char *text, size_t size)
{
	union perf_mem_data_src src = { .val = key };

	snprintf(text, size, "%s", source_is_known(key) ? "" : "not available");
	if (*text)
		return;
	append_words(text, size, ops, ARRAY_SIZE(ops), src.mem_op);
	append_level(text, size, src);
	append_words(text, size, snoops, ARRAY_SIZE(snoops), src.mem_snoop);
	if (src.mem_dtlb & PERF_MEM_TLB_WK)
		append(text, size, ", ", "page walk");
	if (src.mem_lock)
		append(text, size, ", ", "locked");
}

bool source_hit_l1(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src };
	bool l1 = src.mem_lvl_num == PERF_MEM_LVLNUM_L1 || (src.mem_lvl & PERF_MEM_LVL_L1);

	return l1 && !(src.mem_lvl & PERF_MEM_LVL_MISS);
}
