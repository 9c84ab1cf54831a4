// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands in the columns of pmuctl report.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/digits.h"
#include "tools/report/run.h"
#include "tools/samples/text.h"

/* perf's headings; the keys are what -s takes. */
static const struct {
	const char *heading, *key;
} columns[KEYS] = {
	[KEY_COMM] = { "Command", "comm" },
	[KEY_DSO] = { "Shared Object", "dso" },
	[KEY_SYMBOL] = { "Symbol", "symbol" },
	[KEY_PID] = { "Pid", "pid" },
	[KEY_TID] = { "Tid", "tid" },
	[KEY_LINE] = { "Source:Line", "line" },
	[KEY_CPU] = { "CPU", "cpu" },
	[KEY_ADDRESS] = { "Address", "address" },
	[KEY_DSO_FROM] = { "Source Shared Object", "dso_from" },
	[KEY_DSO_TO] = { "Target Shared Object", "dso_to" },
	[KEY_SYMBOL_FROM] = { "Source Symbol", "symbol_from" },
	[KEY_SYMBOL_TO] = { "Target Symbol", "symbol_to" },
	[KEY_MISPREDICT] = { "Branch Mispredicted", "mispredict" },
};

const char *report_heading(enum report_key key)
{
	return columns[key].heading;
}

const char *report_json_key(enum report_key key)
{
	return columns[key].key;
}

uint64_t report_amount(const struct report_weight *weight, bool by_samples)
{
	return by_samples ? weight->samples : weight->events;
}

double report_percent(uint64_t part, double total)
{
	return total > 0 ? 100.0 * (double)part / total : 0;
}

void report_texts_free(struct report_texts *t)
{
	size_t i;

	for (i = 0; i < t->dsos_room; i++)
		free(t->dsos[i]);
	free(t->dsos);
	free(t->line);
}

/* Room for so many bytes and a NUL. */
static char *line_of(struct report_texts *t, size_t size)
{
	char *more;

	if (size < t->room)
		return t->line;
	more = realloc(t->line, 2 * size + 64);
	if (!more)
		return NULL;
	t->line = more;
	t->room = 2 * size + 64;
	return more;
}

/* Takes text over. */
static const char *keep(struct report_texts *t, char *text)
{
	if (!text)
		return "";
	free(t->line);
	t->line = text;
	t->room = strlen(text) + 1;
	return text;
}

static const char *clean_text(struct report_texts *t, const char *name)
{
	return is_clean_ascii(name) ? name : keep(t, clean_copy(name));
}

/* There are few, in many rows. */
static const char *dso_column(const struct profile *p, uint32_t dso, bool text,
			      struct report_texts *t)
{
	const size_t i = 2 * (size_t)dso + text, room = 2 * i + 64;
	char **more;

	if (i >= t->dsos_room) {
		more = reallocarray(t->dsos, room, sizeof(*more));
		if (!more)
			return "";
		memset(more + t->dsos_room, 0, (room - t->dsos_room) * sizeof(*more));
		t->dsos = more;
		t->dsos_room = room;
	}
	if (!t->dsos[i])
		t->dsos[i] = text ? dso_text(p->data, dso) :
				    clean_copy(pmuctl_data_dso(p->data, dso));
	return t->dsos[i] ? t->dsos[i] : "";
}

static const char *inlined_text(struct report_texts *t, const char *name)
{
	char *clean = clean_copy(name), *text = clean ? new_text("%s" INLINED, clean) : NULL;

	free(clean);
	return keep(t, text);
}

/* Sixteen digits at least, as perf has it: who compares the two need not know more. */
static const char *address_text(char text[32], uint64_t address)
{
	static const char zeros[] = "0x0000000000000000";
	char digits[DIGITS_HEX], *end = digits_hex(digits, address), *last;
	size_t count = (size_t)(end - digits);

	/* Of nothing printf() shows no 0x. */
	last = stpcpy(text, zeros + (address ? 0 : 2));
	memcpy(last - count, digits, count);
	return text;
}

const char *report_function_text(const struct profile *p, uint32_t function, bool text,
				 struct report_texts *t)
{
	const struct report_function *f = &p->functions[function];
	const struct pmuctl_place place = { f->dso, f->start };
	char digits[32], *whole;
	const char *name;
	bool own;	/* it stands where the whole is to be */
	size_t len;

	name = f->inlined ? inlined_text(t, f->name) :
	       f->name ? clean_text(t, f->name) :
			 address_text(digits, pmuctl_data_offset(p->data, &place));
	own = name == t->line;
	len = strlen(name);
	whole = line_of(t, len + 4);
	if (!whole)
		return "";
	memmove(whole + (text ? 4 : 0), own ? whole : name, len + 1);
	if (text) {
		whole[0] = '[';
		whole[1] = f->kernel ? 'k' : '.';
		whole[2] = ']';
		whole[3] = ' ';
	}
	return whole;
}

/* perf has addresses where there are no lines, and so sums up nothing unlike. */
static const char *line_text(struct report_texts *t, const struct report_spot *spot, bool text)
{
	const char *name = spot->file, *slash = name ? strrchr(name, '/') : NULL;
	char *clean, *whole;

	if (!name)
		return "??:0";
	clean = clean_copy(text && slash ? slash + 1 : name);
	whole = clean ? new_text("%s:%u", clean, spot->line) : NULL;
	free(clean);
	return keep(t, whole);
}

/* Behind the function's name how far into it, or the line. */
const char *report_caller_text(const struct profile *p, const struct report_spot *spot,
			       struct report_texts *t)
{
	const struct report_function *f = &p->functions[spot->function];
	const char *name = report_function_text(p, spot->function, false, t);
	enum report_caller by = p->args->graph.by;
	char *file, *whole;

	if (by == CALLER_ADDRESS && f->name && !f->inlined && spot->place.address >= f->start)
		return keep(t, new_text("%s+%#" PRIx64, name, spot->place.address - f->start));
	if (by != CALLER_LINE || !spot->file)
		return name;
	file = clean_copy(spot->file);
	whole = file ? new_text("%s %s:%u", name, file, spot->line) : NULL;
	free(file);
	return keep(t, whole);
}

static const char *number_text(struct report_texts *t, uint32_t number)
{
	char *text = line_of(t, DIGITS_WHOLE), *to = text;

	if (!text)
		return "";
	if ((int32_t)number < 0)
		*to++ = '-';
	*digits_whole(to, (int32_t)number < 0 ? -number : number) = '\0';
	return text;
}

const char *report_text(const struct profile *p, const struct report_row *row,
			enum report_key key, bool text, struct report_texts *t)
{
	const struct report_spot *spot = &p->spots[row->spot];

	switch (key) {
	case KEY_COMM:
		return clean_text(t, row->comm);
	case KEY_DSO:
	case KEY_DSO_FROM:
		return dso_column(p, spot->place.dso, text, t);
	case KEY_DSO_TO:
		return dso_column(p, p->spots[row->to].place.dso, text, t);
	case KEY_SYMBOL:
	case KEY_SYMBOL_FROM:
		return report_function_text(p, spot->function, text, t);
	case KEY_SYMBOL_TO:
		return report_function_text(p, p->spots[row->to].function, text, t);
	case KEY_MISPREDICT:
		return row->mispredict;
	case KEY_LINE:
		return line_text(t, spot, text);
	case KEY_ADDRESS:
		return keep(t, new_text("%#" PRIx64, spot->place.address));
	case KEY_PID:
		return number_text(t, row->pid);
	case KEY_TID:
		return number_text(t, row->tid);
	default:
		return number_text(t, row->cpu);
	}
}
