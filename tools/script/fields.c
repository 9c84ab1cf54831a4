// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fields of a sample, as pmuctl script prints them.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/digits.h"
#include "tools/samples/text.h"
#include "tools/script/script.h"

/* What of a sample a field needs; 0: nothing, or what every sample has. */
static const uint64_t needs[FIELDS] = {
	[FIELD_COMM] = PERF_SAMPLE_TID,
	[FIELD_PID] = PERF_SAMPLE_TID,
	[FIELD_TID] = PERF_SAMPLE_TID,
	[FIELD_CPU] = PERF_SAMPLE_CPU,
	[FIELD_TIME] = PERF_SAMPLE_TIME,
	[FIELD_ADDR] = PERF_SAMPLE_ADDR,
	[FIELD_WEIGHT] = PERF_SAMPLE_WEIGHT_TYPE,
	[FIELD_RETIRE_LAT] = PERF_SAMPLE_WEIGHT_STRUCT,
	[FIELD_DATA_SRC] = PERF_SAMPLE_DATA_SRC,
	[FIELD_IREGS] = PERF_SAMPLE_REGS_INTR,
	[FIELD_BRSTACK] = PERF_SAMPLE_BRANCH_STACK,
	[FIELD_CALLCHAIN] = PERF_SAMPLE_CALLCHAIN,
};

/* Takes text over; -ENOMEM if there is none. */
static int put_text(struct script *s, enum script_field field, char *text)
{
	if (!text)
		return -ENOMEM;
	if (s->lines)
		script_line_put_text(s, text);
	else
		writer_string(s->w, script_field_name(field), NULL, text);
	free(text);
	return 0;
}

/* The same of a text that stays: most need not be copied. */
static int put_kept(struct script *s, enum script_field field, const char *text)
{
	if (!is_clean_ascii(text))
		return put_text(s, field, clean_copy(text));
	writer_string(s->w, script_field_name(field), NULL, text);
	return 0;
}

static int put_number(struct script *s, enum script_field field, uint64_t value)
{
	writer_u64(s->w, script_field_name(field), NULL, value);
	return 0;
}

/* JSON has no hexadecimal numbers. */
static int put_hex(struct script *s, enum script_field field, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%#" PRIx64, value);
	writer_string(s->w, script_field_name(field), NULL, text);
	return 0;
}

/* In seconds; a double has not the digits for the nanoseconds of a long uptime. */
static int put_time(struct script *s)
{
	char text[2 * DIGITS_WHOLE], *to, *end;

	to = digits_whole(text, s->sample->clock / 1000000000);
	/* The nanoseconds with a one before them, where the point is then: so they keep zeros. */
	end = digits_whole(to, 1000000000 + s->sample->clock % 1000000000);
	*to = '.';
	*end = '\0';
	writer_string(s->w, "time", NULL, text);
	return 0;
}

static int put_task(struct script *s, enum script_field field)
{
	const struct pmuctl_data_sample *sample = s->sample;
	int32_t number = (int32_t)(field == FIELD_PID ? sample->pid : sample->tid);
	char text[16];

	if (field == FIELD_COMM)
		return put_kept(s, field, pmuctl_data_comm(s->data, sample->tid, sample->time));
	/* A task that was gone already has -1. */
	if (s->args->layout.format == FORMAT_JSON && number >= 0)
		return put_number(s, field, (uint64_t)number);
	snprintf(text, sizeof(text), "%d", number);
	writer_string(s->w, script_field_name(field), NULL, text);
	return 0;
}

static int put_event(struct script *s)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(s->data);

	return put_kept(s, FIELD_EVENT, info->events[s->sample->event].name);
}

static int put_source(struct script *s)
{
	char words[128], *text;

	source_text_of(source_key(s->sample->data_src), words, sizeof(words));
	if (asprintf(&text, "%#" PRIx64 " |%s|", s->sample->data_src, words) < 0)
		return -ENOMEM;
	return put_text(s, FIELD_DATA_SRC, text);
}

/* An offset alone says nothing: it belongs to the symbol. */
static int put_symbol(struct script *s)
{
	if (!s->symbol.name || !s->args->fields[FIELD_SYMOFF])
		return put_kept(s, FIELD_SYM, s->symbol.name ? s->symbol.name : "[unknown]");
	return put_text(s, FIELD_SYM, script_symbol(&s->symbol, &s->place, true));
}

static int put_line(struct script *s)
{
	const char *file;
	unsigned int line;
	char *text, *clean;

	pmuctl_data_line(s->data, &s->place, &file, &line);
	if (!file)
		return put_text(s, FIELD_SRCLINE, strdup("??:0"));
	clean = clean_copy(file);
	text = clean ? new_text("%s:%u", clean, line) : NULL;
	free(clean);
	return put_text(s, FIELD_SRCLINE, text);
}

static int put_list(struct script *s, enum script_field field)
{
	return put_text(s, field, field == FIELD_IREGS ? script_registers(s) :
					 field == FIELD_BRSTACK ? script_branches(s) :
								  script_chain(s));
}

static int put_field(struct script *s, enum script_field field)
{
	const struct pmuctl_data_sample *sample = s->sample;

	switch (field) {
	case FIELD_COMM:
	case FIELD_PID:
	case FIELD_TID:
		return put_task(s, field);
	case FIELD_CPU:
		return put_number(s, field, sample->cpu);
	case FIELD_TIME:
		return put_time(s);
	case FIELD_PERIOD:
		return put_number(s, field, sample->period);
	case FIELD_EVENT:
		return put_event(s);
	case FIELD_ADDR:
		return put_hex(s, field, sample->addr);
	case FIELD_WEIGHT:
		return put_number(s, field, sample->weight);
	case FIELD_RETIRE_LAT:
		return put_number(s, field, sample->retire);
	case FIELD_DATA_SRC:
		return put_source(s);
	case FIELD_IP:
		return put_hex(s, field, sample->ip);
	case FIELD_SYM:
		return put_symbol(s);
	case FIELD_DSO:
		return put_kept(s, field, pmuctl_data_dso(s->data, s->place.dso));
	case FIELD_SRCLINE:
		return put_line(s);
	case FIELD_IREGS:
	case FIELD_BRSTACK:
	case FIELD_CALLCHAIN:
		return put_list(s, field);
	default:
		return 0;
	}
}

static bool is_shown(const struct script *s, enum script_field field)
{
	enum script_wish wish = s->args->fields[field];

	return wish == WISH_ASKED || (wish && (!needs[field] || s->there & needs[field]));
}

bool script_shows_chains(const struct script *s)
{
	return is_shown(s, FIELD_CALLCHAIN);
}

/* All lines have the same columns: what one lacks is said not to be there. */
static int put_or_none(struct script *s, enum script_field field)
{
	if (!s->shown[field])
		return 0;
	if (needs[field] && !(s->sample->has & needs[field])) {
		if (s->lines)
			script_line_put_text(s, "-");
		else
			writer_null(s->w, script_field_name(field), NULL, "-");
		return 0;
	}
	return s->lines && script_line_put(s, field) ? 0 : put_field(s, field);
}

void script_begin(struct script *s)
{
	int field;

	for (field = 0; field < FIELDS; field++)
		s->shown[field] = is_shown(s, field);
	s->places = s->args->fields[FIELD_SYM] || s->args->fields[FIELD_DSO] ||
		    s->args->fields[FIELD_SRCLINE];
}

static void find_place(struct script *s)
{
	pmuctl_data_sample_place(s->data, s->sample, &s->place);
	if (s->lines)
		script_line_begin(s);
	else if (s->args->fields[FIELD_SYM])
		pmuctl_data_symbol(s->data, &s->place, &s->symbol);
	if (s->args->fields[FIELD_SYM])
		missing_add(&s->missing, s->place.dso, s->symbol.name, 1);
}

int script_print(struct script *s, const struct pmuctl_data_sample *sample)
{
	int field, err = 0;

	s->sample = sample;
	if (s->places)
		find_place(s);
	writer_row(s->w);
	for (field = 0; field < FIELDS && !err; field++)
		err = put_or_none(s, field);
	if (s->lines && !err)
		err = script_line_end(s);
	writer_end_row(s->w);
	return err;
}
