/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The third step of pmuctl analyze: the samples by instruction, and what is known of each.
 */
#ifndef PMUCTL_ANALYZE_HOT_H
#define PMUCTL_ANALYZE_HOT_H

#include "tools/analyze/analyze.h"
#include "tools/annotate/annotate.h"
#include "tools/mem/mem.h"

struct hot {
	const struct analyze *a;
	struct pmuctl_data *data;
	size_t event;			/* of the file */
	struct annotation annotation;
	struct hit **hits;		/* most events first, NULL behind the last */
	/* Of samples with data addresses: */
	bool has_mem;
	struct mem mem;
	struct conflicts conflicts;
};

/* analyze/hot.c; 0 or a negative errno. */
int hot_collect(struct hot *hot, const struct analyze *a, struct pmuctl_data *data);
void hot_free(struct hot *hot);
/* What of the samples this instruction has. */
double hot_percent(const struct hot *hot, const struct hit *hit);
struct pmuctl_place hot_place(const struct hit *hit);
/* Of the data addresses that its samples have; NULL: none. */
const struct load *hot_load(const struct hot *hot, const struct hit *hit);

/* analyze/hot.c: why it is hot, as far as the samples tell; to be freed, NULL: no memory. */
char *hot_reason(const struct hot *hot, const struct hit *hit);
/* What to do about the hottest one; false: nothing is known. */
bool hot_advice(const struct hot *hot, char *text, size_t size);

#endif
