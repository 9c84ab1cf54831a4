// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is said of call chains that end early.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/samples/cuts.h"

/* Reasons that are named; more are no help. */
#define NAMED 4

static const struct {
	const char *text;
	const char *advice;	/* NULL: there is none */
} words[PMUCTL_CUTS] = {
	[PMUCTL_CUT_COPY] = { "the copy of the stack ends",
		"record a larger one: --call-graph dwarf,SIZE" },
	[PMUCTL_CUT_FILE] = { "the file of code is not here",
		"--symfs and `pmuctl archive` bring it" },
	[PMUCTL_CUT_RULES] = { "no unwind tables that are understood",
		"a debug package may have them" },
	[PMUCTL_CUT_UNMAPPED] = { "nothing was mapped there", NULL },
	[PMUCTL_CUT_REGISTERS] = { "registers and stack lead nowhere", NULL },
	[PMUCTL_CUT_BELOW] = { "a register was saved where the stack no longer reaches", NULL },
	[PMUCTL_CUT_ABSENT] = { "a part of the stack could not be copied", NULL },
	[PMUCTL_CUT_DEPTH] = { "127 callers are the most that are read", NULL },
	[PMUCTL_CUT_MACHINE] = { "code of 32 bits or of another machine is not unwound",
		"--call-graph fp has its callers" },
	[PMUCTL_CUT_READER] = { "elfutils fails on the file: it may be damaged", NULL },
};

const char *cut_text(enum pmuctl_cut cut)
{
	return cut < PMUCTL_CUTS && words[cut].text ? words[cut].text : "";
}

static void put_cut(FILE *f, struct pmuctl_data *data, const struct pmuctl_data_cut *cut)
{
	const char *why = cut->why == PMUCTL_CUT_FILE ? pmuctl_data_missing(data, cut->dso) : NULL;

	fprintf(f, "%" PRIu64, cut->chains);
	if (cut->dso)
		fprintf(f, " in %s", pmuctl_data_dso(data, cut->dso));
	fprintf(f, " (%s", why ? why : cut_text(cut->why));
	if (words[cut->why].advice)
		fprintf(f, "; %s", words[cut->why].advice);
	fputc(')', f);
}

/* The one with most chains below `most`, or of as many a later one. */
static const struct pmuctl_data_cut *next_cut(const struct pmuctl_data_cut *cuts, size_t count,
					      const struct pmuctl_data_cut *last)
{
	const struct pmuctl_data_cut *best = NULL, *c;

	for (c = cuts; c < cuts + count; c++) {
		if (last && (c->chains > last->chains || (c->chains == last->chains && c <= last)))
			continue;
		if (!best || c->chains > best->chains)
			best = c;
	}
	return best;
}

static uint64_t sum_of(const struct pmuctl_data_cut *cuts, size_t count)
{
	uint64_t sum = 0;

	while (count--)
		sum += cuts[count].chains;
	return sum;
}

void cuts_complain(const char *cmd, const char *input, struct pmuctl_data *data)
{
	const struct pmuctl_data_cut *cuts, *cut = NULL;
	size_t count, size, i;
	uint64_t chains;
	char *text = NULL;
	FILE *f;

	cuts = pmuctl_data_get_cuts(data, &count, &chains);
	f = count ? open_memstream(&text, &size) : NULL;
	if (!f)
		return;
	for (i = 0; i < count && i < NAMED; i++) {
		cut = next_cut(cuts, count, cut);
		fputs(i ? ", " : "", f);
		put_cut(f, data, cut);
	}
	if (count > NAMED)
		fprintf(f, " and for %zu reasons more", count - NAMED);
	fclose(f);
	complain(cmd, 0, "%" PRIu64 " of %" PRIu64 " stacks of %s are unwound in part, and lack their "
		 "outermost callers: %s", sum_of(cuts, count), chains, input, text ? text : "");
	free(text);
}
