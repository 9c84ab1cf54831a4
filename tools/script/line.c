// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sample as a line of text, put together by hand: there may be millions.  Names of a place and
 * of a task are put together once, and kept as they stand in a line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/digits.h"
#include "tools/script/script.h"

/* So much is written at once. */
#define WRITTEN		(64u << 10)
/* Powers of two. */
#define PLACES		32768
#define TASKS		256

/* It grows; without memory it is at its end, and failed. */
struct text {
	char *at;
	size_t size, room;
	bool failed;
};

/* " main+0x12" and " (/usr/bin/gzip)", of one place. */
struct place_text {
	struct pmuctl_place place;
	const char *name;	/* of its symbol, for what is missing */
	uint8_t symbol, dso;	/* bytes of each in the text; neither: nothing is known */
	char text[102];
};

struct task_text {
	const char *name;	/* names are kept once; NULL: free */
	uint8_t size;
	char text[39];
};

struct script_lines {
	FILE *out;
	struct text line, scratch;
	char **events;		/* " cycles:" */
	size_t events_count;
	struct task_text tasks[TASKS];
	struct place_text places[PLACES];
};

/* ---- text that grows ------------------------------------------------------------------------ */

/* Where so many bytes may be put; NULL: no memory. */
static char *room_for(struct text *t, size_t size)
{
	size_t room = 2 * (t->size + size) + 256;
	char *more;

	if (t->room - t->size >= size)
		return t->at + t->size;
	more = realloc(t->at, room);
	if (!more) {
		t->failed = true;
		return NULL;
	}
	t->at = more;
	t->room = room;
	return more + t->size;
}

static void put_bytes(struct text *t, const char *bytes, size_t size)
{
	char *to = room_for(t, size);

	if (!to)
		return;
	memcpy(to, bytes, size);
	t->size += size;
}

static void put(struct text *t, const char *text)
{
	put_bytes(t, text, strlen(text));
}

static void put_char(struct text *t, char c)
{
	put_bytes(t, &c, 1);
}

/* What has so many bytes of a column. */
static void put_pad(struct text *t, char pad, size_t width, size_t size)
{
	char *to = size < width ? room_for(t, width - size) : NULL;

	if (!to)
		return;
	memset(to, pad, width - size);
	t->size += width - size;
}

static void put_number(struct text *t, char pad, size_t width, uint64_t value)
{
	char digits[DIGITS_WHOLE], *end = digits_whole(digits, value);

	put_pad(t, pad, width, (size_t)(end - digits));
	put_bytes(t, digits, (size_t)(end - digits));
}

static void put_hex(struct text *t, size_t width, uint64_t value)
{
	char digits[DIGITS_HEX], *end = digits_hex(digits, value);

	put_pad(t, ' ', width, (size_t)(end - digits));
	put_bytes(t, digits, (size_t)(end - digits));
}

static void put_clean_name(struct text *t, const char *name)
{
	char *clean;

	if (is_clean_ascii(name)) {
		put(t, name);
		return;
	}
	clean = clean_copy(name);
	if (clean)
		put(t, clean);
	else
		t->failed = true;
	free(clean);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* A task that was gone already has -1. */
static void put_id(struct text *t, uint32_t id, bool behind_pid)
{
	bool negative = (int32_t)id < 0;
	char digits[DIGITS_WHOLE + 1] = "-";
	char *end = digits_whole(digits + negative, negative ? -id : id);
	size_t size = (size_t)(end - digits);

	put_char(t, behind_pid ? '/' : ' ');
	if (!behind_pid)
		put_pad(t, ' ', 7, size);
	put_bytes(t, digits, size);
	if (behind_pid)
		put_pad(t, ' ', 7, size);
}

/* In seconds; a double has not the digits for the nanoseconds of a long uptime. */
static void put_time(struct text *t, uint64_t clock)
{
	put_char(t, ' ');
	put_number(t, ' ', 0, clock / 1000000000);
	put_char(t, '.');
	put_number(t, '0', 9, clock % 1000000000);
	put_char(t, ':');
}

static void put_comm(const struct script *s)
{
	struct script_lines *l = s->lines;
	const char *name = pmuctl_data_comm(s->data, s->sample->tid, s->sample->time);
	struct task_text *known = &l->tasks[(uintptr_t)name / 8 % TASKS];

	if (known->name != name) {
		l->scratch.size = 0;
		put_clean_name(&l->scratch, name);
		if (l->scratch.size > sizeof(known->text)) {
			put_bytes(&l->line, l->scratch.at, l->scratch.size);
			return;
		}
		known->name = name;
		known->size = (uint8_t)l->scratch.size;
		memcpy(known->text, l->scratch.at, l->scratch.size);
	}
	put_pad(&l->line, ' ', 16, known->size);
	put_bytes(&l->line, known->text, known->size);
}

/* An offset alone says nothing: it belongs to the symbol. */
static void put_symbol(struct text *t, const struct script *s, const struct pmuctl_symbol *symbol)
{
	put_char(t, ' ');
	put_clean_name(t, symbol->name ? symbol->name : "[unknown]");
	if (!symbol->name || !s->args->fields[FIELD_SYMOFF])
		return;
	put(t, "+0x");
	put_hex(t, 0, s->place.address - symbol->start);
}

static void put_dso(struct text *t, const struct script *s)
{
	put(t, " (");
	put_clean_name(t, pmuctl_data_dso(s->data, s->place.dso));
	put_char(t, ')');
}

static struct place_text *known_of(struct script_lines *l, const struct pmuctl_place *place)
{
	uint64_t hash = (place->address ^ (uint64_t)place->dso << 40) * 0x9e3779b97f4a7c15ull;

	return &l->places[hash >> 32 & (PLACES - 1)];
}

/* Looks its place up, and puts it together, unless that is known. */
static void learn_place(struct script *s)
{
	struct script_lines *l = s->lines;
	struct place_text *known = known_of(l, &s->place);
	size_t symbol = 0;

	if ((known->symbol || known->dso) && known->place.address == s->place.address &&
	    known->place.dso == s->place.dso) {
		s->symbol.name = known->name;
		return;
	}
	*known = (struct place_text){ .place = s->place };
	l->scratch.size = 0;
	if (s->args->fields[FIELD_SYM]) {
		pmuctl_data_symbol(s->data, &s->place, &s->symbol);
		put_symbol(&l->scratch, s, &s->symbol);
		known->name = s->symbol.name;
		symbol = l->scratch.size;
	}
	put_dso(&l->scratch, s);
	if (l->scratch.size > sizeof(known->text))
		return;
	known->symbol = (uint8_t)symbol;
	known->dso = (uint8_t)(l->scratch.size - symbol);
	memcpy(known->text, l->scratch.at, l->scratch.size);
}

static void put_place(const struct script *s, enum script_field field)
{
	struct script_lines *l = s->lines;
	const struct place_text *known = known_of(l, &s->place);

	if (known->dso && field == FIELD_SYM)
		put_bytes(&l->line, known->text, known->symbol);
	else if (known->dso)
		put_bytes(&l->line, known->text + known->symbol, known->dso);
	else if (field == FIELD_SYM)
		put_symbol(&l->line, s, &s->symbol);
	else
		put_dso(&l->line, s);
}

void script_line_begin(struct script *s)
{
	learn_place(s);
}

bool script_line_put(struct script *s, enum script_field field)
{
	const struct pmuctl_data_sample *sample = s->sample;
	struct text *line = &s->lines->line;

	switch (field) {
	case FIELD_COMM:
		put_comm(s);
		return true;
	case FIELD_PID:
		put_id(line, sample->pid, false);
		return true;
	case FIELD_TID:
		put_id(line, sample->tid, s->args->fields[FIELD_PID]);
		return true;
	case FIELD_CPU:
		put(line, " [");
		put_number(line, '0', 3, sample->cpu);
		put_char(line, ']');
		return true;
	case FIELD_TIME:
		put_time(line, sample->clock);
		return true;
	case FIELD_PERIOD:
		put_char(line, ' ');
		put_number(line, ' ', 10, sample->period);
		return true;
	case FIELD_EVENT:
		put(line, s->lines->events[sample->event]);
		return true;
	case FIELD_IP:
	case FIELD_ADDR:
		put_char(line, ' ');
		put_hex(line, 16, field == FIELD_IP ? sample->ip : sample->addr);
		return true;
	case FIELD_WEIGHT:
	case FIELD_RETIRE_LAT:
		put_char(line, ' ');
		put_number(line, ' ', 10, field == FIELD_WEIGHT ? sample->weight : sample->retire);
		return true;
	case FIELD_SYM:
	case FIELD_DSO:
		put_place(s, field);
		return true;
	case FIELD_SYMOFF:
		return true;
	default:
		return false;
	}
}

void script_line_put_text(struct script *s, const char *text)
{
	put_char(&s->lines->line, ' ');
	put_clean_name(&s->lines->line, text);
}

int script_line_end(struct script *s)
{
	struct text *line = &s->lines->line;

	put_char(line, '\n');
	if (line->failed || s->lines->scratch.failed)
		return -ENOMEM;
	if (line->size >= WRITTEN)
		script_lines_flush(s->lines);
	return 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool name_events(struct script_lines *l, const struct pmuctl_data_info *info)
{
	size_t i;

	l->events = calloc(info->events_count + 1, sizeof(*l->events));
	for (i = 0; l->events && i < info->events_count; i++) {
		char *clean = clean_copy(info->events[i].name);

		l->events[i] = clean ? new_text(" %s:", clean) : NULL;
		free(clean);
		if (!l->events[i])
			return false;
		l->events_count++;
	}
	return l->events;
}

struct script_lines *script_lines_new(const struct script *s, FILE *out)
{
	struct script_lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->out = out;
	if (name_events(l, pmuctl_data_get_info(s->data)))
		return l;
	script_lines_free(l);
	return NULL;
}

void script_lines_flush(struct script_lines *l)
{
	/* An error stays with the stream, and is found where that is closed. */
	if (l->line.size)
		fwrite(l->line.at, 1, l->line.size, l->out);
	l->line.size = 0;
}

void script_lines_free(struct script_lines *l)
{
	size_t i;

	if (!l)
		return;
	script_lines_flush(l);
	for (i = 0; i < l->events_count; i++)
		free(l->events[i]);
	free(l->events);
	free(l->line.at);
	free(l->scratch.at);
	free(l);
}
