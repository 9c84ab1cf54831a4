// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cycles an instruction takes, out of counts: what each part is, and what does not add up.
 */
#include "tools/base/base.h"
#include "tools/cpi/cpi.h"

/* A part so much larger than its node of Top-Down has costs that others hide. */
#define NODE_TIMES 2
/* What is less of all cycles is not worth a flag. */
#define FLAG_LEAST 0.01

static double value_of(const struct pmuctl_topdown_count *counts, size_t at)
{
	return at == CPI_NOWHERE ? 0 : (double)counts[at].value;
}

static bool was_on(const struct pmuctl_topdown_count *counts, size_t at)
{
	return at == CPI_NOWHERE || counts[at].running;
}

/* Cycles that one of them costs: by a figure, or as long as one lasts. */
static double cycles_of(const struct cpi_part *part, const struct pmuctl_topdown_count *counts)
{
	double periods = value_of(counts, part->at[2]);

	if (part->method != CPI_DURATION)
		return part->cycles;
	return periods > 0 ? value_of(counts, part->at[1]) / periods : 0;
}

/* Why what happened has no cycles; NULL: it has, or there is nothing that could. */
static const char *why_none(const struct cpi_part *part, const struct pmuctl_topdown_count *counts,
			    double cycles)
{
	size_t i;

	if (part->why_not)
		return part->why_not;
	for (i = 0; i < ARRAY_SIZE(part->at); i++)
		if (!was_on(counts, part->at[i]))
			return "not counted";
	if (part->method == CPI_FLOOR && value_of(counts, part->at[0]) <= 0)
		return "no uops were counted";
	if (cycles <= 0 && value_of(counts, part->at[0]) > 0)
		return "its duration was counted as 0";
	return NULL;
}

/* A part is by its own set's instructions, so that turns make no difference to it. */
static void fill_row(const struct cpi_part *part, const struct pmuctl_topdown_count *counts,
		     struct cpi_row *row)
{
	double instructions = part->why_not ? 0 : value_of(counts, part->instructions);

	*row = (struct cpi_row){ .part = part, .error = -1, .node = -1 };
	if (!part->why_not)
		row->cycles = cycles_of(part, counts);
	row->why_not = why_none(part, counts, row->cycles);
	if (!row->why_not && instructions <= 0)
		row->why_not = "not counted";
	if (instructions > 0)
		row->count = value_of(counts, part->at[0]) / instructions;
	if (!row->why_not)
		row->cpi = row->count * row->cycles;
}

/* So long a set of a program has to be on for what it sees to be all of that, in ns. */
#define ON_LEAST 64000000ull

/* Turns of 16 ms see other parts of a program each; of a few there is no telling what all is. */
static bool is_rough(const struct cpi_parts *parts, const struct pmuctl_topdown_count *counts)
{
	const struct pmuctl_topdown_count *on;
	size_t i;

	for (i = 0; i < parts->nr_sets; i++) {
		on = &counts[parts->clocks[i].instructions];
		if (on->running < on->enabled && on->running < ON_LEAST)
			return true;
	}
	return false;
}

/* Of all sets together that have both. */
static void add_clocks(const struct cpi_parts *parts, const struct pmuctl_topdown_count *counts,
		       struct cpi_sum *sum)
{
	double cycles = 0;
	size_t i;

	sum->instructions = 0;
	for (i = 0; i < parts->nr_sets; i++) {
		if (parts->clocks[i].cycles == CPI_NOWHERE)
			continue;
		cycles += value_of(counts, parts->clocks[i].cycles);
		sum->instructions += value_of(counts, parts->clocks[i].instructions);
	}
	sum->empty = sum->instructions <= 0;
	sum->cpi = sum->empty ? 0 : cycles / sum->instructions;
}

void cpi_add_up(const struct cpi_parts *parts, const struct pmuctl_topdown_count *counts,
		struct cpi_sum *sum)
{
	size_t i;

	add_clocks(parts, counts, sum);
	sum->rough = is_rough(parts, counts);
	sum->count = parts->count;
	sum->cpi_error = sum->rest_error = -1;
	sum->rest = sum->cpi;
	for (i = 0; i < parts->count; i++) {
		fill_row(&parts->list[i], counts, &sum->rows[i]);
		sum->rest -= sum->rows[i].cpi;
	}
}

void cpi_scatter_add(const struct cpi_parts *parts, const struct pmuctl_topdown_count *counts,
		     struct cpi_sum *spare, struct cpi_scatter *scatter)
{
	size_t i;

	cpi_add_up(parts, counts, spare);
	if (spare->empty)
		return;
	for (i = 0; i < parts->count; i++)
		if (!spare->rows[i].why_not)
			moments_add(&scatter->parts[i], spare->rows[i].cpi);
	moments_add(&scatter->parts[parts->count], spare->cpi);
	moments_add(&scatter->parts[parts->count + 1], spare->rest);
}

static double error_of(const struct moments *m)
{
	return m->n < 2 ? -1 : student_quantile(0.95, m->n - 1) * moments_error(m);
}

void cpi_take_errors(const struct cpi_scatter *scatter, struct cpi_sum *sum)
{
	size_t i;

	for (i = 0; i < sum->count; i++)
		sum->rows[i].error = error_of(&scatter->parts[i]);
	sum->cpi_error = error_of(&scatter->parts[sum->count]);
	sum->rest_error = error_of(&scatter->parts[sum->count + 1]);
}

void cpi_take_nodes(const struct pmuctl_topdown_result *results, struct cpi_sum *sum)
{
	size_t i;

	for (i = 0; results && i < sum->count; i++) {
		struct cpi_row *row = &sum->rows[i];
		size_t node = row->part->node_at;

		if (node == CPI_NOWHERE || results[node].why_not)
			continue;
		row->node = results[node].value / 100 * sum->cpi;
		row->flagged = !row->why_not && row->cpi > NODE_TIMES * row->node &&
			       row->cpi > FLAG_LEAST * sum->cpi;
	}
}
