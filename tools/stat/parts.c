// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where cores are of several kinds: the lines of what each kind had of a count.
 */
#include "tools/stat/stat.h"

struct stat_count *stat_part(const struct stat_result *r, const struct stat_count *c,
			     unsigned int kind)
{
	size_t line = (size_t)(c - r->counts);

	return &r->counts[r->count + line * r->kinds.count + kind];
}

bool stat_is_sum(const struct stat_result *r, const struct stat_count *c)
{
	return !c->part && c->kinds && kind_alone(c->kinds) < 0 && !r->args->per_cpu;
}

/*
 * Each part is what was counted there, or for turns an estimate of that; the times of all of them
 * together are no measure for the sum.
 */
void stat_sum_parts(const struct stat_result *r)
{
	struct stat_count *c;
	unsigned int k;

	for (c = r->counts; c < r->counts + r->count; c++) {
		if (!c->kinds)
			continue;
		c->value = 0;
		for (k = 0; k < r->kinds.count; k++)
			c->value += stat_part(r, c, k)->value;
	}
}

void stat_part_text(const struct stat_result *r, const struct stat_count *part, char *text,
		    size_t size)
{
	int kind = kind_alone(part->part);
	const struct stat_count *first = part - kind;
	const char *name = r->kinds.list[kind].name;
	uint64_t all = 0;
	unsigned int k;

	for (k = 0; k < r->kinds.count; k++)
		all += first[k].enabled;
	if (all)
		snprintf(text, size, "%s, %.2f %% of the time", name,
			 100.0 * (double)part->enabled / (double)all);
	else
		snprintf(text, size, "%s", name);
}
