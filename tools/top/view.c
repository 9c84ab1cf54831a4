// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The views: which columns each has, and its lines, filtered and sorted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/samples/text.h"
#include "tools/top/top.h"

#define SHARE { "overhead", "Overhead", 9, KIND_SHARE, false }
#define SAMPLES { "samples", "Samples", 8, KIND_COUNT, true }

const struct top_layout top_layouts[VIEWS] = {
	[VIEW_SYMBOLS] = { "symbol", "symbols", 4, {
		SHARE, SAMPLES,
		{ "dso", "Shared Object", 0, KIND_TEXT, false },
		{ "symbol", "Symbol", 0, KIND_TEXT, false },
	} },
	[VIEW_TASKS] = { "task", "tasks", 5, {
		SHARE, SAMPLES,
		{ "pid", "PID", 8, KIND_NUMBER, true },
		{ "tid", "TID", 8, KIND_NUMBER, false },
		{ "comm", "Command", 0, KIND_TEXT, false },
	} },
	[VIEW_CPUS] = { "cpu", "CPUs", 3, {
		SHARE, SAMPLES,
		{ "cpu", "CPU", 5, KIND_NUMBER, false },
	} },
	[VIEW_TOPDOWN] = { "topdown", "Top-Down level 1 of tasks", 7, {
		{ "overhead", "Overh", 6, KIND_SHARE, false },
		{ "retiring", "Retir", 5, KIND_SHARE, false },
		{ "bad", "BadSp", 5, KIND_SHARE, false },
		{ "frontend", "Front", 5, KIND_SHARE, false },
		{ "backend", "Back", 5, KIND_SHARE, false },
		{ "tid", "TID", 8, KIND_NUMBER, true },
		{ "comm", "Command", 0, KIND_TEXT, false },
	} },
	[VIEW_CODE] = { "code", "instructions", 5, {
		SHARE, SAMPLES,
		{ "address", "Address", 12, KIND_ADDRESS, true },
		{ "line", "Source Line", 0, KIND_TEXT, false },
		{ "instruction", "Instruction", 0, KIND_TEXT, false },
	} },
};

unsigned int top_column_named(enum top_view view, const char *name)
{
	unsigned int i;

	for (i = 0; i < top_layouts[view].count; i++)
		if (!strcmp(top_layouts[view].columns[i].name, name))
			break;
	return i;
}

/* ---- one line ------------------------------------------------------------------------------- */

/* A text that only this line has; NULL: no memory. */
static const char *keep_text(struct top_lines *lines, char *text)
{
	size_t room = lines->made_room ? 2 * lines->made_room : 64;
	char **grown;

	if (text && lines->made_count == lines->made_room) {
		grown = reallocarray(lines->made, room, sizeof(*grown));
		if (!grown) {
			free(text);
			return NULL;
		}
		lines->made = grown;
		lines->made_room = room;
	}
	if (text)
		lines->made[lines->made_count++] = text;
	return text;
}

static struct top_line *add_line(struct top_lines *lines, const struct table_entry *key,
				 const struct top_weight *weight, double scale)
{
	size_t room = lines->room ? 2 * lines->room : 256;
	struct top_line *line;

	if (lines->count == lines->room) {
		line = reallocarray(lines->list, room, sizeof(*line));
		if (!line)
			return NULL;
		lines->list = line;
		lines->room = room;
	}
	line = &lines->list[lines->count++];
	*line = (struct top_line){ .a = key->a, .b = key->b };
	line->number[0] = weight->events;
	line->number[1] = weight->samples / scale;
	return line;
}

struct making {
	struct top_lines *lines;
	const struct top_profile *p;
	const struct top_shares *shares;
	const struct top_state *state;
};

static int fill_symbol(const struct making *m, struct top_line *line, const struct top_sum *sum)
{
	(void)m;
	line->kernel = sum->kernel;
	line->text[2] = sum->dso;
	line->text[3] = sum->name;
	return 0;
}

static int fill_task(const struct making *m, struct top_line *line, const struct top_sum *sum)
{
	(void)m;
	line->number[2] = (double)(int32_t)sum->key.a;
	line->number[3] = (double)(int32_t)sum->key.b;
	line->text[4] = sum->name;
	return 0;
}

static int fill_cpu(const struct making *m, struct top_line *line, const struct top_sum *sum)
{
	(void)m;
	line->number[2] = (double)(int32_t)sum->key.a;
	return 0;
}

static int fill_topdown(const struct making *m, struct top_line *line, const struct top_sum *sum)
{
	const double *shares = m->shares ? top_shares_of(m->shares, (uint32_t)sum->key.b) : NULL;
	size_t i;

	for (i = 0; i < SHARES; i++)
		line->number[1 + i] = shares ? shares[i] : NO_VALUE;
	line->number[5] = (double)(int32_t)sum->key.b;
	line->text[6] = sum->name;
	return 0;
}

/* "file.c:17" */
static char *line_of(struct pmuctl_data *data, const struct pmuctl_place *place)
{
	const char *file = NULL, *base;
	unsigned int number = 0;
	char *clean, *text;

	pmuctl_data_line(data, place, &file, &number);
	base = file ? strrchr(file, '/') : NULL;
	clean = clean_copy(base ? base + 1 : file ? file : "");
	if (!clean || !file)
		return clean;
	text = new_text("%s:%u", clean, number);
	free(clean);
	return text;
}

static int fill_spot(const struct making *m, struct top_line *line, const struct top_spot *spot)
{
	const struct pmuctl_place place = { (uint32_t)spot->key.a, spot->key.b };
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	place_insn(m->p->data, &place, &insn);
	line->number[2] = (double)spot->key.b;
	line->text[3] = keep_text(m->lines, line_of(m->p->data, &place));
	line->text[4] = keep_text(m->lines, clean_copy(insn.text));
	return line->text[3] && line->text[4] ? 0 : -ENOMEM;
}

/* ---- all of a view -------------------------------------------------------------------------- */

static bool is_nothing(const struct making *m, const struct top_weight *weight)
{
	return weight->samples < SAMPLES_LEAST * m->p->scale;
}

static int make_spots(const struct making *m)
{
	const struct top_state *state = m->state;
	const struct top_spot *spot;
	struct top_line *line;
	size_t i;

	for (i = 0; i < m->p->spots.slots_count; i++) {
		spot = m->p->spots.slots[i];
		if (!spot || spot->key.a != state->code_dso || spot->start != state->code_start ||
		    is_nothing(m, &spot->weights[state->event]))
			continue;
		line = add_line(m->lines, &spot->key, &spot->weights[state->event], m->p->scale);
		if (!line || fill_spot(m, line, spot))
			return -ENOMEM;
	}
	return 0;
}

static int make_sums(const struct making *m, const struct table *from,
		     int (*fill)(const struct making *m, struct top_line *line,
				 const struct top_sum *sum))
{
	const struct top_sum *sum;
	struct top_line *line;
	size_t i;

	for (i = 0; i < from->slots_count; i++) {
		sum = from->slots[i];
		if (!sum || is_nothing(m, &sum->weights[m->state->event]))
			continue;
		line = add_line(m->lines, &sum->key, &sum->weights[m->state->event], m->p->scale);
		if (!line || fill(m, line, sum))
			return -ENOMEM;
	}
	return 0;
}

static int make(const struct making *m)
{
	switch (m->state->view) {
	case VIEW_SYMBOLS:
		return make_sums(m, &m->p->symbols, fill_symbol);
	case VIEW_TASKS:
		return make_sums(m, &m->p->tasks, fill_task);
	case VIEW_CPUS:
		return make_sums(m, &m->p->cpus, fill_cpu);
	case VIEW_TOPDOWN:
		return make_sums(m, &m->p->tasks, fill_topdown);
	default:
		return make_spots(m);
	}
}

/* Of all, what is hidden included. */
static void make_shares(struct top_lines *lines)
{
	double all = 0;
	size_t i;

	for (i = 0; i < lines->count; i++)
		all += lines->list[i].number[0];
	for (i = 0; i < lines->count; i++)
		lines->list[i].number[0] = all > 0 ? 100 * lines->list[i].number[0] / all : 0;
}

static bool is_shown(const struct top_state *state, const struct top_line *line)
{
	const struct top_layout *layout = &top_layouts[state->view];
	char number[32];
	size_t i;

	if (state->view == VIEW_SYMBOLS &&
	    ((state->hide_kernel && line->kernel) || (state->hide_user && !line->kernel)))
		return false;
	if (!state->filter[0])
		return true;
	for (i = 0; i < layout->count; i++) {
		if (layout->columns[i].kind == KIND_TEXT &&
		    strcasestr(line->text[i], state->filter))
			return true;
		snprintf(number, sizeof(number), "%.0f", line->number[i]);
		if (layout->columns[i].kind == KIND_NUMBER && strstr(number, state->filter))
			return true;
	}
	return false;
}

static void filter(struct top_lines *lines, const struct top_state *state)
{
	size_t i, shown = 0;

	for (i = 0; i < lines->count; i++)
		if (is_shown(state, &lines->list[i]))
			lines->list[shown++] = lines->list[i];
	lines->hidden = lines->count - shown;
	lines->count = shown;
}

/* ---- order ---------------------------------------------------------------------------------- */

static int by_number(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* Lines that are alike in it keep one order, or they would jump about. */
static int by_column(const void *left, const void *right, void *data)
{
	const struct top_line *a = left, *b = right;
	const struct top_state *state = data;
	unsigned int i = state->sort[state->view];
	int order = 0;

	switch (top_layouts[state->view].columns[i].kind) {
	case KIND_TEXT:
		order = strcmp(a->text[i], b->text[i]);
		break;
	case KIND_SHARE:
	case KIND_COUNT:
		order = by_number(b->number[i], a->number[i]);
		break;
	default:
		order = by_number(a->number[i], b->number[i]);
	}
	if (!order)
		order = by_number(b->number[0], a->number[0]);
	if (!order)
		order = a->a != b->a ? (a->a < b->a ? -1 : 1) : 0;
	return order ? order : (a->b < b->b ? -1 : a->b > b->b);
}

static void forget(struct top_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->made_count; i++)
		free(lines->made[i]);
	lines->made_count = lines->count = lines->hidden = 0;
}

int top_lines_make(struct top_lines *lines, const struct top_profile *p,
		   const struct top_shares *shares, const struct top_state *state)
{
	const struct making m = { lines, p, shares, state };

	forget(lines);
	if (make(&m))
		return -ENOMEM;
	make_shares(lines);
	filter(lines, state);
	if (lines->count)
		qsort_r(lines->list, lines->count, sizeof(*lines->list), by_column,
			(void *)(uintptr_t)state);
	return 0;
}

void top_lines_free(struct top_lines *lines)
{
	forget(lines);
	free(lines->made);
	free(lines->list);
	*lines = (struct top_lines){ .list = NULL };
}
