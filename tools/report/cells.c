// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples of one kind and address, counted before anything is looked up: in a file
 * with millions of them, one step to one line of the cache is most of the work.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/report/run.h"

#define FIRST_SIZE 1024

static size_t hash_cell(const struct report_cell *cell)
{
	uint64_t where = hash_u64(cell->address, (uint64_t)cell->dso << 32 | cell->event);
	uint64_t who = (uint64_t)cell->tid << 32 | (cell->pid ^ cell->cpu << 24);

	return who || cell->comm ? hash_u64(where ^ (uintptr_t)cell->comm, who) : where;
}

static bool same_cell(const struct report_cell *a, const struct report_cell *b)
{
	return a->address == b->address && a->dso == b->dso && a->event == b->event &&
	       a->comm == b->comm && a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu &&
	       a->kernel == b->kernel;
}

/* The cell itself, or the free one where it belongs. */
static struct report_cell *find(const struct report_cells *cells, const struct report_cell *key)
{
	size_t i = hash_cell(key) & (cells->size - 1);

	while (cells->at[i].weight.samples && !same_cell(&cells->at[i], key))
		i = (i + 1) & (cells->size - 1);
	return &cells->at[i];
}

static int grow(struct report_cells *cells)
{
	struct report_cells more = { .size = cells->size ? 2 * cells->size : FIRST_SIZE };
	size_t i;

	more.at = calloc(more.size, sizeof(*more.at));
	if (!more.at)
		return -ENOMEM;
	for (i = 0; i < cells->size; i++)
		if (cells->at[i].weight.samples)
			*find(&more, &cells->at[i]) = cells->at[i];
	more.used = cells->used;
	free(cells->at);
	*cells = more;
	return 0;
}

int report_cells_add(struct report_cells *cells, const struct report_cell *key, uint64_t events)
{
	struct report_cell *cell;

	if (2 * cells->used >= cells->size && grow(cells))
		return -ENOMEM;
	cell = find(cells, key);
	if (!cell->weight.samples) {
		*cell = *key;
		cell->weight = (struct report_weight){ 0 };
		cells->used++;
	}
	cell->weight.samples++;
	cell->weight.events += events;
	return 0;
}

void report_cells_free(struct report_cells *cells)
{
	free(cells->at);
	*cells = (struct report_cells){ 0 };
}
