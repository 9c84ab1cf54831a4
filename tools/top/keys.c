// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a key does to what is seen.
 */
#include <string.h>

#include "tools/top/top.h"

/* ---- the cursor ----------------------------------------------------------------------------- */

/* It stays on a line, and that on the page. */
static void put_cursor(struct top_state *s, const struct top_keys *k, size_t line)
{
	size_t count = k->lines->count, page = k->page > 0 ? (size_t)k->page : 1;

	if (line >= count)
		line = count ? count - 1 : 0;
	s->selected = line;
	if (s->first > line)
		s->first = line;
	if (line - s->first >= page)
		s->first = line - page + 1;
	if (s->first + page > count)
		s->first = count > page ? count - page : 0;
}

void top_keep_cursor(struct top_state *s, const struct top_keys *k)
{
	put_cursor(s, k, s->selected);
}

static void move(struct top_state *s, const struct top_keys *k, int key)
{
	size_t page = k->page > 1 ? (size_t)k->page : 1, at = s->selected;

	switch (key) {
	case KEY_MOVE_UP:
		at -= !!at;
		break;
	case KEY_MOVE_DOWN:
		at++;
		break;
	case KEY_MOVE_PAGE_UP:
		at -= at < page ? at : page;
		break;
	case KEY_MOVE_PAGE_DOWN:
		at += page;
		break;
	case KEY_MOVE_FIRST:
		at = 0;
		break;
	case KEY_MOVE_LAST:
		at = k->lines->count;
		break;
	default:
		break;
	}
	put_cursor(s, k, at);
}

/* ---- views ---------------------------------------------------------------------------------- */

static enum top_deed show(struct top_state *s, enum top_view view)
{
	s->view = view;
	s->selected = s->first = 0;
	return DEED_DRAW;
}

/* Of a symbol alone: what a file has without symbols is anywhere. */
static enum top_deed enter(struct top_state *s, const struct top_keys *k)
{
	const struct top_line *line;

	if (s->view != VIEW_SYMBOLS || s->selected >= k->lines->count)
		return DEED_NONE;
	line = &k->lines->list[s->selected];
	s->code_dso = line->a;
	s->code_start = line->b;
	snprintf(s->code_name, sizeof(s->code_name), "%s", line->text[3]);
	s->under = s->selected;
	/* A filter was for symbols. */
	s->filter[0] = '\0';
	return show(s, VIEW_CODE);
}

static enum top_deed leave(struct top_state *s)
{
	if (s->help) {
		s->help = false;
		return DEED_DRAW;
	}
	if (s->view != VIEW_CODE)
		return DEED_QUIT;
	show(s, VIEW_SYMBOLS);
	s->selected = s->under;
	s->filter[0] = '\0';
	return DEED_DRAW;
}

static enum top_deed sort_beside(struct top_state *s, int step)
{
	unsigned int count = (unsigned int)top_layouts[s->view].count;

	s->sort[s->view] = (s->sort[s->view] + count + (unsigned int)step) % count;
	return DEED_DRAW;
}

/* ---- a filter is typed ---------------------------------------------------------------------- */

/* The last character, which may have several bytes. */
static void erase(char *text)
{
	size_t len = strlen(text);

	while (len && ((unsigned char)text[len - 1] & 0xc0) == 0x80)
		len--;
	text[len ? len - 1 : 0] = '\0';
}

static enum top_deed type(struct top_state *s, int key)
{
	size_t len = strlen(s->typed);

	switch (key) {
	case KEY_ENTERED:
	case '\r':
		memcpy(s->filter, s->typed, sizeof(s->filter));
		s->typing = false;
		s->selected = s->first = 0;
		break;
	case KEY_ESCAPED:
		s->typing = false;
		break;
	case KEY_ERASED:
	case '\b':
		erase(s->typed);
		break;
	default:
		if (key < ' ' || key > 0xff || len + 1 >= sizeof(s->typed))
			return DEED_NONE;
		s->typed[len] = (char)key;
		s->typed[len + 1] = '\0';
	}
	return DEED_DRAW;
}

/* ---- keys ----------------------------------------------------------------------------------- */

static enum top_deed change_delay(struct top_state *s, double factor)
{
	double delay = s->delay * factor;

	if (delay >= DELAY_LEAST && delay <= DELAY_MOST)
		s->delay = delay;
	return DEED_DRAW;
}

static enum top_deed toggle(bool *what, bool *other)
{
	*what = !*what;
	*other = false;
	return DEED_DRAW;
}

static enum top_deed press_view(struct top_state *s, const struct top_keys *k, int key)
{
	switch (key) {
	case 's':
		return show(s, VIEW_SYMBOLS);
	case 't':
		return show(s, VIEW_TASKS);
	case 'c':
		return show(s, VIEW_CPUS);
	case 'd':
		return show(s, VIEW_TOPDOWN);
	case KEY_ENTERED:
	case '\r':
		return enter(s, k);
	case 'e':
		s->event = k->events ? (s->event + 1) % (unsigned int)k->events : 0;
		return DEED_DRAW;
	case '<':
		return sort_beside(s, -1);
	case '>':
		return sort_beside(s, 1);
	default:
		move(s, k, key);
		return DEED_DRAW;
	}
}

static enum top_deed press(struct top_state *s, const struct top_keys *k, int key)
{
	switch (key) {
	case 'q':
		return leave(s);
	case 'h':
	case '?':
	case KEY_HELPED:
		s->help = !s->help;
		return DEED_DRAW;
	case 'p':
	case ' ':
		s->paused = !s->paused;
		return DEED_DRAW;
	case 'z':
		return DEED_ZERO;
	case 'a':
		s->past = (s->past + 1) % PASTS;
		return DEED_DRAW;
	case '+':
		return change_delay(s, 2);
	case '-':
		return change_delay(s, 0.5);
	case '/':
		s->typing = true;
		memcpy(s->typed, s->filter, sizeof(s->typed));
		return DEED_DRAW;
	case KEY_ESCAPED:
		s->filter[0] = '\0';
		s->help = false;
		return DEED_DRAW;
	case 'K':
		return toggle(&s->hide_kernel, &s->hide_user);
	case 'U':
		return toggle(&s->hide_user, &s->hide_kernel);
	default:
		return press_view(s, k, key);
	}
}

enum top_deed top_press(struct top_state *s, int key, const struct top_keys *k)
{
	return s->typing ? type(s, key) : press(s, k, key);
}
