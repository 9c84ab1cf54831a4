// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of rows that have the same weight.
 */
#include <string.h>

#include "tools/report/run.h"

static int by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_function(const struct report_function *a, const struct report_function *b)
{
	int order = !a->name - !b->name;

	if (!order && a->name)
		order = strcmp(a->name, b->name);
	return order ? order : by_number(a->start, b->start);
}

static int by_line(const struct report_spot *a, const struct report_spot *b)
{
	int order = !a->file - !b->file;

	if (!order && a->file)
		order = strcmp(a->file, b->file);
	return order ? order : by_number(a->line, b->line);
}

int report_compare(const struct profile *p, const struct report_row *l,
		   const struct report_row *r, enum report_key key)
{
	const struct report_spot *a = &p->spots[l->spot], *b = &p->spots[r->spot];

	switch (key) {
	case KEY_COMM:
		return strcmp(l->comm, r->comm);
	case KEY_DSO:
		return strcmp(pmuctl_data_dso(p->data, a->place.dso),
			      pmuctl_data_dso(p->data, b->place.dso));
	case KEY_SYMBOL:
		return by_function(&p->functions[a->function], &p->functions[b->function]);
	case KEY_LINE:
		return by_line(a, b);
	case KEY_ADDRESS:
		return by_number(a->place.address, b->place.address);
	case KEY_PID:
		return by_number(l->pid, r->pid);
	case KEY_TID:
		return by_number(l->tid, r->tid);
	default:
		return by_number(l->cpu, r->cpu);
	}
}
