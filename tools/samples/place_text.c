// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A place in a program in words: symbol and offset, and the instruction that is there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/pmuctl.h"
#include "tools/samples/place_text.h"

#define INSN_MAX 15

void place_text(struct pmuctl_data *data, const struct pmuctl_place *place, char *text,
		size_t size)
{
	const char *dso = pmuctl_data_dso(data, place->dso), *base = strrchr(dso, '/');
	struct pmuctl_symbol symbol = { .name = NULL };

	pmuctl_data_symbol(data, place, &symbol);
	if (symbol.name && place->address == symbol.start)
		snprintf(text, size, "%s", symbol.name);
	else if (symbol.name)
		snprintf(text, size, "%s+%#" PRIx64, symbol.name, place->address - symbol.start);
	else
		snprintf(text, size, "%#" PRIx64 " in %s", place->address, base ? base + 1 : dso);
}

void place_insn(struct pmuctl_data *data, const struct pmuctl_place *place,
		struct pmuctl_insn *insn)
{
	unsigned char code[INSN_MAX];
	size_t size = pmuctl_data_text(data, place, code, sizeof(code));

	if (pmuctl_insn_decode(code, size, place->address, insn))
		snprintf(insn->text, sizeof(insn->text), "(no code)");
}
