// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gaps from one taken branch to the next.
 */
#include <errno.h>

#include "lib/base/statistics.h"
#include "tools/base/base.h"
#include "tools/pushout/blocks.h"

/* Of struct perf_branch_entry's flags. */
#define MISPREDICTED	1ull
#define CYCLES(flags)	((flags) >> 4 & 0xffff)
/* The most branch records that there are. */
#define MOST_RECORDS	32

static int take_block(struct blocks *b, const struct pmuctl_data_sample *s,
		      const struct pmuctl_branch_entry *branch)
{
	/* Latest first: what stands behind it came before it. */
	const struct pmuctl_branch_entry *into = branch + 1;
	enum led_by by = into->flags & MISPREDICTED ? LED_MISPREDICTED : LED_RIGHT;
	double cycles = (double)CYCLES(branch->flags);
	struct pmuctl_place place;
	struct gap_block *at;

	/* Where it came from another ring the cycles are that ring's as well. */
	if (!into->from || !branch->from)
		return 0;
	gaps_add(&b->all, CYCLES(branch->flags), 1);
	gaps_add(&b->gaps[by], CYCLES(branch->flags), 1);
	pmuctl_data_place(b->s.data, s->pid, s->time, into->to, s->kernel, &place);
	at = table_get(&b->places, place.dso, place.address);
	if (!at)
		return -ENOMEM;
	at->seen[by]++;
	at->of[by].events++;
	at->of[by].cycles += cycles;
	at->squares[by] += cycles * cycles;
	return 0;
}

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && s->branches && i + 1 < s->branches_count; i++)
		err = take_block(data, s, &s->branches[i]);
	return err;
}

static int read_samples(struct blocks *b)
{
	uint64_t expected = b->s.events[0].samples * (MOST_RECORDS - 1);
	size_t i;
	int err = gaps_make(&b->all, expected);

	table_init(&b->places, sizeof(struct gap_block));
	for (i = 0; !err && i < LED_BY; i++)
		err = gaps_make(&b->gaps[i], expected);
	if (!err)
		err = pmuctl_data_samples(b->s.data, take_sample, b);
	if (!err)
		return 0;
	return complain(b->s.cmd, EXIT_FAILED, "cannot read the samples: %s",
			err == -ENOMEM ? "out of memory" : pmuctl_error(b->s.ctx));
}

int blocks_run(struct blocks *b, const struct side *side, const struct pair_args *args)
{
	int code;

	b->s.content = PMUCTL_SAMPLE_BRANCHES;
	code = sampling_run(&b->s, side, args);
	return code ? code : read_samples(b);
}

void blocks_free(struct blocks *b)
{
	size_t i;

	gaps_free(&b->all);
	for (i = 0; i < LED_BY; i++)
		gaps_free(&b->gaps[i]);
	table_free(&b->places, NULL);
	sampling_close(&b->s);
}

static double mean_of(const struct gap_block *at, enum led_by by)
{
	return at->of[by].cycles / at->of[by].events;
}

/* The square of the standard error of a mean; two are the least. */
static double variance_of(const struct gap_block *at, enum led_by by)
{
	double n = at->of[by].events, mean = mean_of(at, by);

	return (at->squares[by] / n - mean * mean) / (n - 1);
}

double blocks_added(const struct blocks *b, double *cycles, double *error)
{
	double whole = b->gaps[LED_MISPREDICTED].all.events;
	double sum = 0, events = 0, variance = 0, n;
	const struct gap_block *at;
	size_t i;

	for (i = 0; i < b->places.slots_count; i++) {
		at = b->places.slots[i];
		if (!at || at->seen[LED_RIGHT] < 2 || at->seen[LED_MISPREDICTED] < 2)
			continue;
		n = at->of[LED_MISPREDICTED].events;
		events += n;
		sum += n * (mean_of(at, LED_MISPREDICTED) - mean_of(at, LED_RIGHT));
		variance += n * n * (variance_of(at, LED_MISPREDICTED) +
				     variance_of(at, LED_RIGHT));
	}
	if (events <= 0)
		return 0;
	*cycles = sum / events;
	*error = normal_quantile(GAP_LEVEL) * square_root(variance > 0 ? variance : 0) / events;
	return events / whole;
}
