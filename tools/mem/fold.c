// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses put together: into lines, pages, and what they belong to.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/mem/mem.h"

#define LINE	64u
#define PAGE	4096u

static int by_address(const void *x, const void *y)
{
	const struct spot *a = *(struct spot *const *)x, *b = *(struct spot *const *)y;

	if (a->key.b != b->key.b)
		return a->key.b < b->key.b ? -1 : 1;
	return a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static int add_to(struct table *t, const struct spot *cell, uint64_t size)
{
	struct spot *spot = table_get(t, cell->key.a & ~(size - 1), cell->key.b);

	if (!spot)
		return -ENOMEM;
	if (!spot->amount.samples) {
		spot->load = cell->load;
		spot->object = cell->object;
		spot->base = cell->base;
		spot->time = cell->time;
	}
	if (spot->load != cell->load)
		spot->load = 0;
	amount_add(&spot->amount, &cell->amount);
	return 0;
}

static int fold_cell(struct mem *m, struct profile *p, struct spot *cell, struct object **object)
{
	*object = mem_object(m, p, cell, *object);
	if (!*object)
		return -ENOMEM;
	cell->object = *object;
	amount_add(&(*object)->amount, &cell->amount);
	return add_to(&p->lines, cell, LINE) || add_to(&p->pages, cell, PAGE) ? -ENOMEM : 0;
}

int mem_fold(struct mem *m, struct profile *p)
{
	struct spot **cells = (struct spot **)table_sorted(&p->cells, by_address);
	struct object *object = NULL;
	int err = cells ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !err && cells[i]; i++)
		err = fold_cell(m, p, cells[i], &object);
	free(cells);
	return err;
}
