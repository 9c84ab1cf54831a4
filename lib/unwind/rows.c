// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rules that were read, by DSO and address: each is read once, and then found in a table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/code.h"
#include "lib/unwind/unwind.h"

/* Of a function's end: every register is popped by two bytes at most. */
#define CODE_MAX 32

static struct dso_rows *rows_of(struct rule_rows *rows, uint32_t dso)
{
	size_t room = rows->dsos_room ? rows->dsos_room : 64;
	struct dso_rows *more;

	if (dso < rows->dsos_room)
		return &rows->dsos[dso];
	while (room <= dso)
		room *= 2;
	more = reallocarray(rows->dsos, room, sizeof(*more));
	if (!more)
		return NULL;
	memset(more + rows->dsos_room, 0, (room - rows->dsos_room) * sizeof(*more));
	rows->dsos = more;
	rows->dsos_room = room;
	return &rows->dsos[dso];
}

/* Those without expressions are short. */
static struct rule_row *keep(struct rule_rows *rows, const struct rule_row *row)
{
	void *more = data_grow(rows->rows, &rows->room, rows->count, sizeof(void *));
	size_t size = rule_row_size(row);
	struct rule_row *kept;

	if (!more)
		return NULL;
	rows->rows = more;
	kept = malloc(size);
	if (kept)
		rows->rows[rows->count++] = memcpy(kept, row, size);
	return kept;
}

/* What has to be fetched is fetched here, so that the reader, which has no time, finds it. */
static int ask(struct rule_rows *rows, struct pmuctl_data *data, const struct pmuctl_place *place,
	       struct rule_row *row)
{
	struct dso *dso = dsos_get(data->dsos, place->dso);
	int ret;

	*row = (struct rule_row){ .state = ROW_NONE };
	if (!dso->object)
		return 1;
	ret = rule_reader_ask(&rows->reader, data, place->dso, place->address, false, row);
	if (ret < 1 || row->state != ROW_NONE_YET)
		return ret;
	object_debug_path(dso->object);
	return rule_reader_ask(&rows->reader, data, place->dso, place->address, true, row);
}

/* ---- the end of a function ----------------------------------------------------------------- */

/* Whether from here on nothing is done but popping, and then returning. */
static bool is_leaving(struct pmuctl_data *data, const struct pmuctl_place *place)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	unsigned char code[CODE_MAX];
	size_t size = pmuctl_data_text(data, place, code, sizeof(code)), at;

	for (at = 0; at < size; at += insn.length) {
		if (pmuctl_insn_decode(code + at, size - at, place->address + at, &insn))
			return false;
		if (!strncmp(insn.text, "ret", 3))
			return true;
		if (strncmp(insn.text, "pop %", 5) != 0)
			return false;
	}
	return false;
}

/*
 * Compilers do not say of registers that they were popped: where they were saved is below the
 * SP then, and in no copy.  Who only pops and returns has given each of those back, for nothing
 * is left that could: they are what they are.  Elsewhere a function may still need what it has
 * below its SP, which nobody copied.
 */
static void mend_leaving(struct pmuctl_data *data, const struct pmuctl_place *place,
			 struct rule_row *row)
{
	bool asked = false;
	size_t i;

	if (row->state != ROW_FOUND || row->cfa.kind != RULE_SUM || row->cfa.number != RULE_SP)
		return;
	for (i = 0; i < RULE_REGISTERS; i++) {
		struct rule *rule = &row->registers[i];

		if (rule->kind != RULE_AT_CFA || rule->offset >= 0 ||
		    rule->offset >= -row->cfa.offset)
			continue;
		if (!asked && !is_leaving(data, place))
			return;
		asked = true;
		rule->kind = RULE_SAME;
	}
}

static const struct rule_row *add(struct rule_rows *rows, struct pmuctl_data *data,
				  const struct pmuctl_place *place, struct dso_rows *of,
				  enum pmuctl_cut *cut, int *err)
{
	struct rule_row row;
	const struct rule_row *kept;
	int ret = ask(rows, data, place, &row);

	if (ret < 0) {
		*err = ret;
		return NULL;
	}
	if (!ret) {
		of->dead = true;
		*cut = PMUCTL_CUT_READER;
		return NULL;
	}
	mend_leaving(data, place, &row);
	kept = keep(rows, &row);
	if (!kept || data_ids_add(&of->numbers, place->address, (uint32_t)rows->count - 1)) {
		*err = data_no_memory(data);
		return NULL;
	}
	return kept;
}

/* What perf calls a file may be none that was ever on a disk. */
static enum pmuctl_cut why_none(struct pmuctl_data *data, uint32_t dso)
{
	const struct dso *d = dsos_get(data->dsos, dso);

	return d->object || !d->why ? PMUCTL_CUT_RULES : PMUCTL_CUT_FILE;
}

const struct rule_row *rule_rows_find(struct rule_rows *rows, struct pmuctl_data *data,
				      const struct pmuctl_place *place, enum pmuctl_cut *cut,
				      int *err)
{
	struct dso_rows *of = rows_of(rows, place->dso);
	const struct rule_row *row;
	int64_t number;

	if (!of) {
		*err = data_no_memory(data);
		return NULL;
	}
	if (of->dead) {
		*cut = PMUCTL_CUT_READER;
		return NULL;
	}
	number = data_ids_find(&of->numbers, place->address);
	row = number >= 0 ? rows->rows[number] : add(rows, data, place, of, cut, err);
	if (!row || row->state == ROW_FOUND)
		return row;
	*cut = why_none(data, place->dso);
	return NULL;
}

void rule_rows_free(struct rule_rows *rows)
{
	size_t i;

	rule_reader_end(&rows->reader);
	for (i = 0; i < rows->dsos_room; i++)
		data_ids_free(&rows->dsos[i].numbers);
	for (i = 0; i < rows->count; i++)
		free(rows->rows[i]);
	free(rows->dsos);
	free(rows->rows);
}
