// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Branches as lines: "+" where one begins or ends, ">" where it ends.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/annotate/arrows.h"

static uint32_t top(const struct arrow *a)
{
	return a->from < a->to ? a->from : a->to;
}

static uint32_t bottom(const struct arrow *a)
{
	return a->from < a->to ? a->to : a->from;
}

int arrows_add(struct arrows *arrows, uint32_t from, uint32_t to)
{
	struct arrow *more;

	if (arrows->count == arrows->room) {
		more = reallocarray(arrows->at, 2 * arrows->room + 16, sizeof(*more));
		if (!more)
			return -ENOMEM;
		arrows->at = more;
		arrows->room = 2 * arrows->room + 16;
	}
	arrows->at[arrows->count++] = (struct arrow){ from, to, LANES_MAX };
	return 0;
}

static int by_length(const void *left, const void *right)
{
	const struct arrow *a = left, *b = right;
	uint32_t x = bottom(a) - top(a), y = bottom(b) - top(b);

	if (x != y)
		return x < y ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* Those that go to one place may share a lane there. */
static bool collide(const struct arrow *a, const struct arrow *b)
{
	return a->to != b->to && top(a) <= bottom(b) && top(b) <= bottom(a);
}

static unsigned int free_lane(const struct arrows *arrows, size_t i)
{
	bool taken[LANES_MAX] = { false };
	unsigned int lane;
	size_t k;

	for (k = 0; k < i; k++)
		if (arrows->at[k].lane < LANES_MAX && collide(&arrows->at[k], &arrows->at[i]))
			taken[arrows->at[k].lane] = true;
	for (lane = 0; lane < LANES_MAX && taken[lane]; lane++)
		;
	return lane;
}

void arrows_place(struct arrows *arrows)
{
	size_t i;

	arrows->lanes = 0;
	if (!arrows->count)
		return;
	qsort(arrows->at, arrows->count, sizeof(*arrows->at), by_length);
	for (i = 0; i < arrows->count; i++) {
		unsigned int lane = free_lane(arrows, i);

		arrows->at[i].lane = lane;
		if (lane < LANES_MAX && lane >= arrows->lanes)
			arrows->lanes = lane + 1;
	}
}

/* From its lane to the instruction, over what crosses it. */
static void draw_end(char *text, unsigned int lanes, const struct arrow *a, bool target)
{
	unsigned int column = lanes - 1 - a->lane, i;

	for (i = column + 1; i <= lanes; i++)
		if (text[i] == ' ')
			text[i] = '-';
	text[column] = '+';
	if (target)
		text[lanes] = '>';
}

void arrows_text(const struct arrows *arrows, uint32_t offset, int above,
		 char text[LANES_MAX + 3])
{
	unsigned int lanes = arrows->lanes;
	size_t i;

	memset(text, ' ', lanes + 2);
	text[lanes + 2] = '\0';
	for (i = 0; i < arrows->count; i++) {
		const struct arrow *a = &arrows->at[i];

		if (a->lane < LANES_MAX && top(a) < offset &&
		    (above ? bottom(a) >= offset : bottom(a) > offset))
			text[lanes - 1 - a->lane] = '|';
	}
	for (i = 0; i < arrows->count && !above; i++) {
		const struct arrow *a = &arrows->at[i];

		if (a->lane < LANES_MAX && (a->from == offset || a->to == offset))
			draw_end(text, lanes, a, a->to == offset);
	}
}

void arrows_free(struct arrows *arrows)
{
	free(arrows->at);
	*arrows = (struct arrows){ 0 };
}
