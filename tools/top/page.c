// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page of text, made of what is to be seen: no line is wider than it, whatever names are like.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "tools/base/clean.h"
#include "tools/base/colour.h"
#include "tools/top/top.h"

/* A column of text with fewer columns says nothing. */
#define TEXT_LEAST 8
#define TEXT_SIZE 1024

/* ---- columns, not bytes --------------------------------------------------------------------- */

/* Of clean text: the character, and how many bytes it has. */
static uint32_t next_character(const char *text, int *bytes)
{
	uint32_t c = 0;

	*bytes = (int)utf8_character(text, &c);
	if (!*bytes)
		*bytes = 1;
	return c;
}

/* What the C library does not know a terminal will show as one column. */
static int character_width(uint32_t c, bool utf8)
{
	int width = c < 0x80 || !utf8 ? 1 : wcwidth((wchar_t)c);

	return width < 0 ? 1 : width;
}

int text_width(const char *text, bool utf8)
{
	int width = 0, bytes;

	for (; *text; text += bytes)
		width += character_width(next_character(text, &bytes), utf8);
	return width;
}

int text_fit(char *to, size_t size, const char *text, int columns, bool utf8)
{
	int all = text_width(text, utf8), left = all <= columns ? columns : columns - 1, used = 0;
	int bytes, width;
	size_t at = 0;

	for (; *text; text += bytes) {
		uint32_t c = next_character(text, &bytes);

		width = character_width(c, utf8);
		if (width > left - used || at + (size_t)bytes + 2 > size)
			break;
		if (c >= 0x80 && !utf8)
			to[at++] = '?';
		else
			at = (size_t)(stpncpy(to + at, text, (size_t)bytes) - to);
		used += width;
	}
	if (*text && columns > 0 && at + 2 <= size) {
		to[at++] = '~';
		used++;
	}
	to[at] = '\0';
	return used;
}

/* With spaces behind it, or in front, up to so many columns. */
static void put_text(char *to, size_t size, const char *text, int columns, bool utf8, bool right)
{
	char fit[TEXT_SIZE];
	int pad = columns - text_fit(fit, sizeof(fit), text, columns, utf8);
	size_t at = strlen(to);

	snprintf(to + at, size - at, "%*s%s%*s", right ? pad : 0, "", fit, right ? 0 : pad, "");
}

/* ---- columns of a view ---------------------------------------------------------------------- */

/* How wide each column of the view is; 0: it is not shown. */
struct widths {
	int of[COLUMNS_MAX];
};

/* What texts have, beside the other columns and the spaces between. */
static int room_for_texts(const struct top_layout *l, const struct widths *w, int width, int *texts)
{
	size_t i;

	*texts = 0;
	for (i = 0; i < l->count; i++) {
		if (l->columns[i].kind == KIND_TEXT)
			(*texts)++;
		else if (w->of[i])
			width -= w->of[i] + 1;
	}
	return width - (*texts > 1 ? *texts - 1 : 0);
}

/* The last text has what the others leave, which have a third of it each, and no more than 24. */
static void share_out(const struct top_layout *l, struct widths *w, int room, int texts)
{
	int one = room / 3 < 24 ? room / 3 : 24;
	size_t i;

	for (i = 0; i < l->count; i++) {
		if (l->columns[i].kind != KIND_TEXT)
			continue;
		w->of[i] = --texts ? one : room;
		room -= w->of[i];
	}
}

static struct widths find_widths(const struct top_layout *l, int width)
{
	struct widths w = { { 0 } };
	size_t i;
	int texts, room;

	for (i = 0; i < l->count; i++)
		w.of[i] = l->columns[i].width;
	for (i = l->count; i--;) {
		room = room_for_texts(l, &w, width, &texts);
		if (room >= texts * TEXT_LEAST)
			break;
		if (l->columns[i].spare)
			w.of[i] = 0;
	}
	room = room_for_texts(l, &w, width, &texts);
	share_out(l, &w, room, texts);
	return w;
}

static void cell(const struct top_column *c, const struct top_line *line, size_t i, char *to,
		 size_t size)
{
	double value = line->number[i];

	if (c->kind == KIND_TEXT)
		snprintf(to, size, "%s", line->text[i]);
	else if (c->kind == KIND_ADDRESS)
		snprintf(to, size, "%" PRIx64, line->b);
	else if (c->kind == KIND_SHARE && value == NO_VALUE)
		snprintf(to, size, "-");
	else if (c->kind == KIND_SHARE)
		snprintf(to, size, c->width < 8 ? "%.1f" : "%.2f%%", value);
	else if (c->kind == KIND_COUNT && value >= 1e7)
		snprintf(to, size, "%.0fk", value / 1000);
	else
		snprintf(to, size, "%.0f", value);
}

/* With > in front of the one that the lines are sorted by. */
static void heading(const struct top_layout *l, const struct top_state *state, size_t i, char *to,
		    size_t size)
{
	int width = l->columns[i].width;

	snprintf(to, size, "%s%s", state->sort[state->view] == i ? ">" : "",
		 l->columns[i].heading);
	if (width)
		to[width] = '\0';
}

static void put_columns(char *to, size_t size, int width, bool utf8, const struct top_state *state,
			const struct top_line *line)
{
	const struct top_layout *l = &top_layouts[state->view];
	const struct widths w = find_widths(l, width);
	char text[TEXT_SIZE];
	size_t i;

	*to = '\0';
	for (i = 0; i < l->count; i++) {
		if (w.of[i] <= 0)
			continue;
		if (*to)
			put_text(to, size, "", 1, utf8, false);
		if (line)
			cell(&l->columns[i], line, i, text, sizeof(text));
		else
			heading(l, state, i, text, sizeof(text));
		put_text(to, size, text, w.of[i], utf8, l->columns[i].kind != KIND_TEXT);
	}
}

void top_heading_text(char *to, size_t size, int width, bool utf8, const struct top_state *state)
{
	put_columns(to, size, width, utf8, state, NULL);
}

void top_line_text(char *to, size_t size, int width, bool utf8, const struct top_state *state,
		   const struct top_line *line)
{
	put_columns(to, size, width, utf8, state, line);
}

/* ---- head and foot -------------------------------------------------------------------------- */

/* Appends an item if there is room for all of it. */
static void add_item(char *to, size_t size, int width, bool utf8, const char *mark,
		     const char *item)
{
	size_t at = strlen(to);

	if (!*item || text_width(to, utf8) + (int)(at ? strlen(mark) : 0) +
	    text_width(item, utf8) > width)
		return;
	snprintf(to + at, size - at, "%s%s", at ? mark : "", item);
}

static const char *past_text(const struct top_state *state)
{
	static const char *const texts[PASTS] = {
		[PAST_DECAYS] = "half after 10 s", [PAST_KEPT] = "since the start",
		[PAST_DROPPED] = "of this interval",
	};

	return texts[state->past];
}

/* What matters most comes first: what has no room is left out. */
void top_head_text(char *to, size_t size, int width, bool utf8, const struct top_state *state,
		   const struct top_head *head)
{
	char item[TEXT_SIZE];

	text_fit(to, size, head->event, width, utf8);
	if (head->ended)
		add_item(to, size, width, utf8, ", ", head->ended);
	else if (state->paused)
		add_item(to, size, width, utf8, ", ", "paused");
	snprintf(item, sizeof(item), "%.0f samples/s", head->per_second);
	add_item(to, size, width, utf8, ", ", item);
	snprintf(item, sizeof(item), "%" PRIu64 " lost", head->lost);
	add_item(to, size, width, utf8, ", ", item);
	snprintf(item, sizeof(item), "top %.2f %% of a CPU", head->own);
	add_item(to, size, width, utf8, ", ", head->own == NO_VALUE ? "" : item);
	add_item(to, size, width, utf8, ", ", head->rate);
	snprintf(item, sizeof(item), "every %g s", state->delay);
	add_item(to, size, width, utf8, ", ", item);
	add_item(to, size, width, utf8, ", ", past_text(state));
}

static void view_text(char *to, size_t size, int width, bool utf8, const struct top_state *state,
		      const struct top_lines *lines)
{
	char item[TEXT_SIZE], *clean = clean_copy(state->typing ? state->typed : state->filter);

	*to = '\0';
	if (state->typing) {
		snprintf(item, sizeof(item), "filter: %s_", clean ? clean : "");
		text_fit(to, size, item, width, utf8);
	} else {
		if (state->view == VIEW_CODE)
			snprintf(item, sizeof(item), "instructions of %s", state->code_name);
		else
			snprintf(item, sizeof(item), "%s", top_layouts[state->view].title);
		text_fit(to, size, item, width, utf8);
		snprintf(item, sizeof(item), "%zu lines", lines->count);
		add_item(to, size, width, utf8, ", ", item);
		snprintf(item, sizeof(item), "filter: %s (%zu hidden)", clean ? clean : "",
			 lines->hidden);
		add_item(to, size, width, utf8, ", ", state->filter[0] ? item : "");
	}
	free(clean);
}

static void keys_text(char *to, size_t size, int width, bool utf8, const struct top_state *state)
{
	static const char *const lists[] = {
		"q quit", "h help", "s symbols", "t tasks", "c CPUs", "d Top-Down", "/ filter",
		"Enter code", "< > sort", "p pause", "z zero", "a past", "+ - delay",
	}, *const code[] = {
		"q back", "h help", "/ filter", "< > sort", "p pause", "z zero", "a past", "+ - delay",
	}, *const typing[] = {
		"Enter filter", "Esc leave",
	};
	const char *const *items = state->typing ? typing : state->view == VIEW_CODE ? code : lists;
	size_t i, count = state->typing ? ARRAY_SIZE(typing) :
			  state->view == VIEW_CODE ? ARRAY_SIZE(code) : ARRAY_SIZE(lists);

	*to = '\0';
	for (i = 0; i < count; i++)
		add_item(to, size, width, utf8, "  ", items[i]);
}

/* ---- the page ------------------------------------------------------------------------------- */

int top_page_init(struct top_page *page, int width, int height, bool utf8)
{
	int i;

	*page = (struct top_page){ .width = width, .height = height, .utf8 = utf8 };
	/* Characters without a width of their own stand with others. */
	page->row_size = (size_t)width * 8 + 8;
	page->rows = calloc((size_t)height + 1, sizeof(*page->rows));
	for (i = 0; page->rows && i < height; i++) {
		page->rows[i].text = calloc(1, page->row_size);
		if (!page->rows[i].text)
			break;
	}
	if (page->rows && i == height)
		return 0;
	top_page_free(page);
	return -ENOMEM;
}

void top_page_free(struct top_page *page)
{
	int i;

	for (i = 0; page->rows && i < page->height; i++)
		free(page->rows[i].text);
	free(page->rows);
	page->rows = NULL;
}

static void draw_text(struct top_page *page, int row, enum top_look look, const char *text)
{
	page->rows[row].look = look;
	text_fit(page->rows[row].text, page->row_size, text, page->width, page->utf8);
}

static void draw_small(struct top_page *page)
{
	char text[64];

	snprintf(text, sizeof(text), "too small: %d x %d is the least", WIDTH_LEAST, HEIGHT_LEAST);
	draw_text(page, 0, LOOK_PLAIN, text);
}

static void draw_help(struct top_page *page)
{
	static const char *const lines[] = {
		"s t c d    symbols, tasks, CPUs, Top-Down",
		"Enter      instructions of the symbol",
		"< >        sort by the column beside",
		"/          lines with this text; Esc: all",
		"Up Down PgUp PgDn Home End   move",
		"p Space    pause, and go on",
		"z          begin anew",
		"a          older samples: decay, stay, go",
		"+ -        refresh more seldom, oftener",
		"e          the next event",
		"K U        hide the kernel, programs",
		"q          quit; out of a symbol: back",
		"h          this, and back",
	};
	int i;

	for (i = 0; i < (int)ARRAY_SIZE(lines) && i + 2 < page->height; i++)
		draw_text(page, i + 1, LOOK_PLAIN, lines[i]);
}

static enum top_look look_of(const struct top_line *line)
{
	if (line->number[0] >= SHARE_HOT)
		return LOOK_HOT;
	return line->number[0] >= SHARE_WARM ? LOOK_WARM : LOOK_PLAIN;
}

/* Words on as many rows as they take, behind the one of the view; how many those are. */
static int draw_note(struct top_page *page, const char *note)
{
	char *clean = clean_copy(note), *word, *save = NULL, *text;
	int used = 1, most = page->height / 2;

	page->rows[2].text[0] = '\0';
	word = clean ? strtok_r(clean, " ", &save) : NULL;
	for (; word && used < most; word = strtok_r(NULL, " ", &save)) {
		text = page->rows[1 + used].text;
		if (*text && text_width(text, page->utf8) + 1 + text_width(word, page->utf8) >
				     page->width) {
			text = page->rows[1 + ++used].text;
			text_fit(text, page->row_size, word, page->width, page->utf8);
		} else if (*text) {
			add_item(text, page->row_size, page->width, page->utf8, " ", word);
		} else {
			text_fit(text, page->row_size, word, page->width, page->utf8);
		}
	}
	free(clean);
	return used;
}

/* Headings in that row, and the lines below. */
static void draw_lines(struct top_page *page, const struct top_state *state,
		       const struct top_lines *lines, int first)
{
	struct top_row *row = &page->rows[first];
	size_t i;
	int n;

	row->look = LOOK_HEADING;
	top_heading_text(row->text, page->row_size, page->width, page->utf8, state);
	page->room = page->height - LINES_AROUND - (first - 2);
	for (n = 0; n < page->room; n++) {
		i = state->first + (size_t)n;
		if (i >= lines->count)
			return;
		row = &page->rows[first + 1 + n];
		row->look = i == state->selected ? LOOK_SELECTED : look_of(&lines->list[i]);
		top_line_text(row->text, page->row_size, page->width, page->utf8, state,
			      &lines->list[i]);
	}
}

void top_page_draw(struct top_page *page, const struct top_state *state,
		   const struct top_head *head, const struct top_lines *lines)
{
	int i;

	for (i = 0; i < page->height; i++) {
		page->rows[i].look = LOOK_PLAIN;
		page->rows[i].text[0] = '\0';
	}
	if (page->width < WIDTH_LEAST || page->height < HEIGHT_LEAST) {
		draw_small(page);
		return;
	}
	page->rows[0].look = LOOK_HEAD;
	top_head_text(page->rows[0].text, page->row_size, page->width, page->utf8, state, head);
	if (state->help) {
		draw_help(page);
	} else {
		view_text(page->rows[1].text, page->row_size, page->width, page->utf8, state,
			  lines);
		draw_lines(page, state, lines, 2 + (head->note ? draw_note(page, head->note) : 0));
	}
	page->rows[page->height - 1].look = LOOK_KEYS;
	keys_text(page->rows[page->height - 1].text, page->row_size, page->width, page->utf8,
		  state);
}
