// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes through a symbol's code and through its samples at once.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/annotate/walk.h"
#include "tools/samples/text.h"

/* No function is longer. */
#define CODE_MAX	(4u << 20)

static size_t code_size(const struct block *block)
{
	uint64_t last = block->hits[block->hits_count - 1]->key.b;
	uint64_t size = block->size ? block->size : last - block->key.b + 1;

	return size < CODE_MAX ? (size_t)size : CODE_MAX;
}

static void read_code(struct walk *k)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a,
					    .address = k->block->key.b };
	size_t size = code_size(k->block);

	k->bits = pmuctl_data_bits(k->a->data, place.dso, &k->machine);
	if (!k->bits)
		return;
	k->code = malloc(size);
	k->size = k->code ? pmuctl_data_text(k->a->data, &place, k->code, size) : 0;
}

void walk_begin(struct walk *k, struct annotation *a, const struct block *block)
{
	*k = (struct walk){ .a = a, .block = block };
	if (block->name)
		read_code(k);
}

void walk_end(struct walk *k)
{
	free(k->code);
	k->code = NULL;
}

/* ---- instructions ------------------------------------------------------------ */

static void append_place(struct walk *k, const char *mark, uint64_t address)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a, .address = address };
	struct pmuctl_symbol symbol = { .name = NULL };
	size_t len = strlen(k->text), size = sizeof(k->text);

	pmuctl_data_symbol(k->a->data, &place, &symbol);
	if (!symbol.name && !*mark)
		return;
	len += (size_t)snprintf(k->text + len, size - len, " %s", mark);
	if (!symbol.name || len >= size)
		return;
	if (address == symbol.start)
		snprintf(k->text + len, size - len, "<%s>", symbol.name);
	else
		snprintf(k->text + len, size - len, "<%s+%#" PRIx64 ">", symbol.name,
			 address - symbol.start);
}

/* What it says and where its direct target or its operand beside %rip is. */
static void describe(struct walk *k, const struct pmuctl_insn *insn)
{
	uint64_t operand = k->address + insn->length + (uint64_t)insn->memory[0].displacement;
	char mark[32];

	snprintf(k->text, sizeof(k->text), "%s", insn->text);
	if (k->a->listing.syntax != PMUCTL_SYNTAX_ATT)
		pmuctl_insn_text(k->bits, k->code + k->next, k->size - k->next, k->address,
				 k->a->listing.syntax, k->text, sizeof(k->text));
	if (insn->target)
		append_place(k, "", insn->target);
	if (!insn->memory_count || insn->memory[0].base != PMUCTL_REG_RIP)
		return;
	snprintf(mark, sizeof(mark), "# %#" PRIx64 " ", operand);
	append_place(k, mark, operand);
}

static void decode(struct walk *k)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	k->address = k->block->key.b + k->next;
	if (pmuctl_insn_decode_bits(k->bits, k->code + k->next, k->size - k->next, k->address,
				    &insn)) {
		insn.length = 1;
		snprintf(k->text, sizeof(k->text), ".byte 0x%02x", k->code[k->next]);
	} else {
		describe(k, &insn);
	}
	k->length = insn.length;
	k->next += insn.length;
}

/* ---- samples ------------------------------------------------------------------ */

static const struct hit *take_hit(struct walk *k, uint64_t before)
{
	if (k->next_hit == k->block->hits_count ||
	    k->block->hits[k->next_hit]->key.b >= before)
		return NULL;
	return k->block->hits[k->next_hit++];
}

/* The end of the instruction that was the last one; before the first, the start. */
static uint64_t walked_to(const struct walk *k)
{
	return k->block->key.b + k->next;
}

/* Outside all symbols each is by itself: what lies between is nobody's. */
static void describe_stray(struct walk *k)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a,
					    .address = k->address };
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	place_insn(k->a->data, &place, &insn);
	snprintf(k->text, sizeof(k->text), "%s", insn.text);
}

/* Where no code is there to show. */
static void take_bare(struct walk *k, const struct hit *hit, const char *why)
{
	k->hit = hit;
	k->address = hit->key.b;
	k->length = 0;
	snprintf(k->text, sizeof(k->text), "%s", why);
	if (!k->block->name)
		describe_stray(k);
}

bool walk_next(struct walk *k)
{
	const struct hit *hit = k->next ? take_hit(k, walked_to(k)) : NULL;

	if (hit) {
		take_bare(k, hit, "(within the instruction above)");
		return true;
	}
	if (k->next < k->size) {
		decode(k);
		k->hit = take_hit(k, k->address + 1);
		return true;
	}
	hit = take_hit(k, UINT64_MAX);
	if (hit)
		take_bare(k, hit, k->size ? "(behind the symbol's end)" : "");
	return hit;
}

void walk_skip_within(struct walk *k)
{
	while (take_hit(k, walked_to(k)))
		;
}
