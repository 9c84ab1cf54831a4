// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields of pmuctl script that are lists: registers, branches, the call chain.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/samples/cuts.h"
#include "tools/script/script.h"

/* By PERF_REG_X86_* */
static const char *const registers[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES",
	"FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

char *script_registers(const struct script *s)
{
	const uint64_t *value = s->sample->regs;
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < 64 && value; i++) {
		if (!(s->sample->regs_mask >> i & 1))
			continue;
		if (i < ARRAY_SIZE(registers))
			fprintf(f, "%s%s:%#" PRIx64, value == s->sample->regs ? "" : " ",
				registers[i], *value);
		value++;
	}
	return fclose(f) ? (free(text), NULL) : text;
}

/* As perf names them; NULL: it was not recorded. */
static const char *branch_kind(const struct perf_branch_entry *e)
{
	static const char *const names[] = {
		[PERF_BR_COND] = "COND", [PERF_BR_UNCOND] = "UNCOND", [PERF_BR_IND] = "IND",
		[PERF_BR_CALL] = "CALL", [PERF_BR_IND_CALL] = "IND_CALL", [PERF_BR_RET] = "RET",
		[PERF_BR_SYSCALL] = "SYSCALL", [PERF_BR_SYSRET] = "SYSRET",
		[PERF_BR_COND_CALL] = "COND_CALL", [PERF_BR_COND_RET] = "COND_RET",
	};

	return e->type < ARRAY_SIZE(names) ? names[e->type] : NULL;
}

/* FROM/TO/P or M/X/A/CYCLES/KIND, as perf: whether predicted, in a transaction, aborted. */
static void print_branch(FILE *f, const struct pmuctl_branch_entry *branch, const char *gap)
{
	struct perf_branch_entry e;
	const char *kind;

	memcpy(&e, branch, sizeof(e));
	kind = branch_kind(&e);
	fprintf(f, "%s%#llx/%#llx/%c/%c/%c/%u%s%s", gap, (unsigned long long)e.from,
		(unsigned long long)e.to, e.mispred ? 'M' : e.predicted ? 'P' : '-',
		e.in_tx ? 'X' : '-', e.abort ? 'A' : '-', (unsigned int)e.cycles, kind ? "/" : "",
		kind ? kind : "");
}

char *script_branches(const struct script *s)
{
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < s->sample->branches_count; i++)
		print_branch(f, &s->sample->branches[i], i ? " " : "");
	return fclose(f) ? (free(text), NULL) : text;
}

char *script_symbol(const struct pmuctl_symbol *symbol, const struct pmuctl_place *place,
		    bool offset)
{
	char *clean, *text;

	if (!symbol->name)
		return strdup("[unknown]");
	clean = clean_copy(symbol->name);
	if (!clean || !offset)
		return clean;
	text = new_text("%s+0x%" PRIx64, clean, place->address - symbol->start);
	free(clean);
	return text;
}

#define ARROW " <- "

static void print_inlined(struct script *s, FILE *f, const struct pmuctl_place *place,
			  const char **arrow)
{
	const struct pmuctl_inlined *inlined;
	size_t i, count = inlines_at(&s->inlines, s->data, place, &inlined);
	char *name;

	for (i = 0; i < count; i++) {
		name = clean_copy(inlined[i].name);
		fprintf(f, "%s%s" INLINED, *arrow, name ? name : "");
		free(name);
		*arrow = ARROW;
	}
}

static void print_caller(struct script *s, FILE *f, size_t i)
{
	const struct caller *c = &s->chain.at[i];
	struct pmuctl_symbol symbol;
	const char *arrow = i ? ARROW : "";
	struct pmuctl_place place;
	char *text;

	callers_place(s->data, s->sample, c, &place);
	callers_symbol(s->data, &place, c->returns, &symbol);
	print_inlined(s, f, &place, &arrow);
	/* Shown is where the call returns to, as perf does. */
	place.address += c->raw - c->ip;
	text = script_symbol(&symbol, &place, true);
	if (symbol.name)
		fprintf(f, "%s%s", arrow, text ? text : "");
	else
		fprintf(f, "%s%#" PRIx64, arrow, c->raw);
	if (c->found)
		fputs(c->unsure ? " (stack?)" : " (stack)", f);
	free(text);
}

char *script_chain(struct script *s)
{
	char *text = NULL;
	size_t size, i;
	FILE *f;

	if (callers_take(&s->chain, s->data, s->sample))
		return NULL;
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	for (i = 0; i < s->chain.count; i++)
		print_caller(s, f, i);
	if (s->sample->cut)
		fprintf(f, ARROW "... (%s)", cut_text(s->sample->cut));
	return fclose(f) ? (free(text), NULL) : text;
}
