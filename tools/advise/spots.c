// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions that samples of several runs name, and what the samples of one come to of all.
 */
#include <stdint.h>

#include "lib/base/statistics.h"
#include "tools/advise/advise.h"
#include "tools/samples/text.h"

/* Of the intervals of what samples tell. */
#define LEVEL 0.95

struct hot_spot *advise_spot(struct advise *a, struct pmuctl_data *data,
			     const struct pmuctl_place *place)
{
	size_t file = code_file_number(&a->files, pmuctl_data_dso(data, place->dso));
	struct hot_spot *spot;

	spot = file == SIZE_MAX ? NULL : table_get(&a->spots, file, place->address);
	if (spot && !spot->data) {
		spot->data = data;
		spot->place = *place;
	}
	return spot;
}

struct hot_spot *spot_at(const struct advise *a, const struct hot_spot *of, uint64_t address)
{
	return table_find(&a->spots, of->key.a, address);
}

static double total_of(const struct advise *a, unsigned int run)
{
	return (double)a->runs[run].event.total;
}

double spot_share(const struct advise *a, const struct hot_spot *spot)
{
	return spot->waits / a->runs[RUN_CYCLES].sampled;
}

/* Of a share of so many samples, each a throw of dice; those that are lost may be anybody's. */
double spot_error(const struct advise *a, const struct hot_spot *spot)
{
	const struct sampled *event = &a->runs[RUN_CYCLES].event;
	double share = spot_share(a, spot), samples = (double)event->samples;

	return normal_quantile(LEVEL) * square_root(share * (1 - share) / samples) +
	       (double)event->lost / (samples + (double)event->lost);
}

double spot_times(const struct advise *a, const struct hot_spot *spot)
{
	return spot->times / a->runs[RUN_INSTRUCTIONS].sampled * total_of(a, RUN_INSTRUCTIONS);
}

double times_error(const struct advise *a, double times)
{
	const struct advise_run *run = &a->runs[RUN_INSTRUCTIONS];
	double each = (double)run->event.total / (double)run->event.samples;

	return normal_quantile(LEVEL) * square_root(times * each);
}

double cycles_share(const struct advise *a, double cycles)
{
	return cycles / total_of(a, RUN_CYCLES);
}

double spot_events(const struct advise *a, const struct hot_spot *spot, enum clue clue)
{
	const struct advise_run *run = &a->runs[RUN_CLUES + clue];

	return run->sampled > 0 ? spot->clues[clue] / run->sampled * a->clues[clue].count : 0;
}

unsigned int bytes_read(const struct hot_spot *spot)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	size_t i;

	place_insn(spot->data, &spot->place, &insn);
	for (i = 0; i < insn.memory_count; i++)
		if (insn.memory[i].reads)
			return insn.memory[i].bytes;
	return 0;
}
