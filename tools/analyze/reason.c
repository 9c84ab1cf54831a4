// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why an instruction is hot, in words: what it is, and what its samples have in common.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analyze/hot.h"
#include "tools/samples/place_text.h"

/* A stride is one if it comes this often. */
#define STRIDE_MIN 50	/* percent */

static const char *kind_of(const struct pmuctl_insn *insn)
{
	static const struct {
		const char *starts, *kind;
	} kinds[] = { { "div", "division" }, { "idiv", "division" }, { "fdiv", "division" } };
	size_t i;

	if (insn->branch)
		return "branch";
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(insn->text, kinds[i].starts, strlen(kinds[i].starts)))
			return kinds[i].kind;
	for (i = 0; i < insn->memory_count; i++)
		if (insn->memory[i].reads || insn->memory[i].writes)
			return insn->memory[i].reads ? "load" : "store";
	return "instruction";
}

static void put_sets(FILE *to, const struct hot_sets *sets)
{
	fprintf(to, "; its addresses: %" PRIu64 " lines in ", sets->lines);
	if (sets->sets == 1)
		fputs("one set", to);
	else
		fprintf(to, "%" PRIu64 " sets", sets->sets);
	fprintf(to, " of %" PRIu64 " ways of the first-level cache, %" PRIu64 " bytes apart",
		sets->ways, sets->step);
}

static void put_stride(FILE *to, const struct profile *p, const struct load *load)
{
	const struct stride *best = mem_best_stride(p, load);
	double share = best ? percent_of(best->pairs, load->pairs) : 0;

	if (!load->reach && load->memories > 1) {
		fputs("; its address is always the same in each process", to);
		return;
	}
	if (!load->reach) {
		fprintf(to, "; its address is always the same, %#" PRIx64, load->first);
		return;
	}
	fprintf(to, "; its addresses: over %" PRIu64 " bytes", load->reach);
	if (best && share >= STRIDE_MIN)
		fprintf(to, ", most often %+" PRId64 " from the one before (%.0f %%)",
			(int64_t)best->key.b, share);
	else
		fputs(", in no order", to);
}

static void put_addresses(FILE *to, const struct hot *hot, const struct load *load)
{
	struct hot_sets sets = hot_find_sets(hot, load);

	if (sets.sets)
		put_sets(to, &sets);
	else
		put_stride(to, &hot->mem.profiles[hot->event], load);
	if (load->amount.weighed)
		fprintf(to, "; %.0f cycles each", (double)load->amount.cycles /
			(double)load->amount.weighed);
}

char *hot_reason(const struct hot *hot, const struct hit *hit)
{
	const struct pmuctl_place place = hot_place(hit);
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	const struct load *load = hot_load(hot, hit);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	place_insn(hot->data, &place, &insn);
	fprintf(to, "%.1f %% of the samples of %s: this %s%s", hot_percent(hot, hit),
		hot->a->node->name, kind_of(&insn),
		hot->a->why_not_precise ? ", or one shortly before it" : "");
	if (load)
		put_addresses(to, hot, load);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

bool hot_advice(const struct hot *hot, char *text, size_t size)
{
	const struct load *load = hot->hits[0] ? hot_load(hot, hot->hits[0]) : NULL;

	return load && mem_conflict_advice(&hot->mem, hot_find_sets(hot, load).worst, text, size);
}
