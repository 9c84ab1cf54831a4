// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines that get into each other's way: sets of the first-level cache which far more
 * misses are in than in others, and whose lines come again but do not all fit.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/mem/mem.h"

/* A set has to have so many times its even share of the misses... */
#define UNEVEN	4
/* ...and a line so many: what is touched once would miss anyway. */
#define AGAIN	2

static void widen(struct set_conflict *set, uint64_t line)
{
	if (!set->lines)
		set->lowest = set->highest = line;
	set->step = step_with(set->step, line, set->lowest);
	if (line < set->lowest)
		set->lowest = line;
	if (line > set->highest)
		set->highest = line;
	set->lines++;
}

static int add_line(const struct mem *m, struct conflicts *c, const struct spot *line)
{
	uint64_t address = line->key.a;
	struct set_conflict *set;

	c->missed += line->missed;
	if (line->missed < AGAIN)
		return 0;
	set = table_get(&c->sets, address / m->cache.line % m->cache.sets, line->key.b);
	if (!set)
		return -ENOMEM;
	if (!set->lines) {
		set->load = line->load;
		set->object = line->object;
		set->ways = m->cache.ways;
	}
	if (set->load != line->load)
		set->load = 0;
	set->several |= set->object != line->object;
	widen(set, address);
	set->missed += line->missed;
	return 0;
}

/* Cells into the lines that this cache has. */
static int fold_lines(const struct mem *m, const struct profile *p, struct table *lines)
{
	const struct spot *cell;
	struct spot *line;
	size_t i;

	for (i = 0; i < p->cells.slots_count; i++) {
		cell = p->cells.slots[i];
		if (!cell)
			continue;
		line = table_get(lines, cell->key.a / m->cache.line * m->cache.line, cell->key.b);
		if (!line)
			return -ENOMEM;
		if (!line->amount.samples) {
			line->load = cell->load;
			line->object = cell->object;
		}
		if (line->load != cell->load)
			line->load = 0;
		line->missed += cell->missed;
		amount_add(&line->amount, &cell->amount);
	}
	return 0;
}

static bool compete(const struct mem *m, const struct conflicts *c, const struct set_conflict *set)
{
	return set->lines > m->cache.ways && set->missed * m->cache.sets >= UNEVEN * c->missed;
}

static int by_misses(const void *x, const void *y)
{
	const struct set_conflict *a = *(struct set_conflict *const *)x;
	const struct set_conflict *b = *(struct set_conflict *const *)y;

	if (a->missed != b->missed)
		return a->missed > b->missed ? -1 : 1;
	if (a->key.b != b->key.b)
		return a->key.b < b->key.b ? -1 : 1;
	return a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static int pick(const struct mem *m, struct conflicts *c)
{
	size_t i, n = 0;

	c->list = (struct set_conflict **)table_sorted(&c->sets, by_misses);
	if (!c->list)
		return -ENOMEM;
	for (i = 0; c->list[i]; i++)
		if (compete(m, c, c->list[i]))
			c->list[n++] = c->list[i];
	c->list[n] = NULL;
	return 0;
}

int mem_find_conflicts(const struct mem *m, const struct profile *p, struct conflicts *c)
{
	struct table lines;
	size_t i;
	int err;

	*c = (struct conflicts){ .list = NULL };
	table_init(&c->sets, sizeof(struct set_conflict));
	table_init(&lines, sizeof(struct spot));
	err = fold_lines(m, p, &lines);
	for (i = 0; !err && i < lines.slots_count; i++)
		err = lines.slots[i] ? add_line(m, c, lines.slots[i]) : 0;
	table_free(&lines, NULL);
	return err ? err : pick(m, c);
}

void conflicts_free(struct conflicts *c)
{
	table_free(&c->sets, NULL);
	free(c->list);
}

struct load_sets load_sets_of(const struct conflicts *c, const struct load *load)
{
	struct load_sets found = { .sets = 0 };
	size_t i;

	for (i = 0; c->list && c->list[i]; i++) {
		if (c->list[i]->load != load->number + 1)
			continue;
		if (!found.sets++) {
			found.worst = c->list[i];
			found.ways = c->list[i]->ways;
			found.step = c->list[i]->step;
		}
		found.lines += c->list[i]->lines;
	}
	return found;
}
