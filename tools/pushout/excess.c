// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gaps of an event less what the same instructions have without it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/statistics.h"
#include "tools/base/base.h"
#include "tools/pushout/excess.h"
#include "tools/samples/code_files.h"

/* Fewer samples without the event are no mean. */
#define SAMPLES_LEAST	5
/* Of how often an instruction ran at all: what is less may be what sampling errs by. */
#define REST_LEAST	0.05

/* An instruction, in whichever run; its key is the number of a file's name, and the address. */
struct spot {
	struct table_entry key;
	struct gap_sum tag, all, otherwise;
	double tag_squares, all_squares, otherwise_squares;
	uint64_t all_samples, otherwise_samples;
};

struct merged {
	const struct tally *tallies;
	struct code_files files;
	struct table spots;
};

/* ---- the same instruction in several runs --------------------------------------------------- */

static struct spot *spot_of(struct merged *m, const struct tally *t, uint64_t dso, uint64_t address)
{
	size_t number = code_file_number(&m->files, pmuctl_data_dso(t->s.data, (uint32_t)dso));

	return number == SIZE_MAX ? NULL : table_get(&m->spots, number, address);
}

static void add(struct gap_sum *to, const struct gap_sum *from)
{
	to->events += from->events;
	to->cycles += from->cycles;
}

static int merge(struct merged *m, const struct tally *t)
{
	const struct gap_place *place;
	struct spot *spot;
	size_t i;

	for (i = 0; i < t->places.slots_count; i++) {
		place = t->places.slots[i];
		if (!place)
			continue;
		spot = spot_of(m, t, place->key.a, place->key.b);
		if (!spot)
			return -ENOMEM;
		add(&spot->tag, &place->of[EXCESS_TAG]);
		add(&spot->all, &place->of[EXCESS_ALL]);
		spot->tag_squares += place->squares[EXCESS_TAG];
		spot->all_squares += place->squares[EXCESS_ALL];
		spot->all_samples += place->samples[EXCESS_ALL];
		if (t->count <= EXCESS_OTHERWISE)
			continue;
		add(&spot->otherwise, &place->of[EXCESS_OTHERWISE]);
		spot->otherwise_squares += place->squares[EXCESS_OTHERWISE];
		spot->otherwise_samples += place->samples[EXCESS_OTHERWISE];
	}
	return 0;
}

/* ---- what it is like without ---------------------------------------------------------------- */

/* Gaps of an instruction without the event. */
struct rest {
	double mean, variance;		/* of their mean */
};

static struct rest rest_of(const struct gap_sum *sum, double squares, double samples)
{
	double mean = sum->cycles / sum->events, spread = squares / sum->events - mean * mean;

	/* Of two samples each other's errors may leave less than nothing. */
	return (struct rest){ mean > 0 ? mean : 0, spread > 0 ? spread / samples : 0 };
}

/* Returns whether it is known; then *rest is it. */
static bool without(const struct spot *spot, bool has_otherwise, struct rest *rest)
{
	struct gap_sum left = { spot->all.events - spot->tag.events,
				spot->all.cycles - spot->tag.cycles };
	double samples = (double)spot->all_samples;

	if (has_otherwise) {
		if (spot->otherwise_samples < SAMPLES_LEAST)
			return false;
		*rest = rest_of(&spot->otherwise, spot->otherwise_squares,
				(double)spot->otherwise_samples);
		return true;
	}
	if (spot->all_samples < SAMPLES_LEAST || left.events < REST_LEAST * spot->all.events)
		return false;
	*rest = rest_of(&left, spot->all_squares - spot->tag_squares,
			samples * left.events / spot->all.events);
	return true;
}

struct pass {
	struct merged *m;
	struct gap_sum all, alone, batches[GAP_BATCHES];
	uint64_t seen;
};

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct pass *p = data;
	const struct tally *t = &p->m->tallies[0];
	struct pmuctl_place place;
	const struct spot *spot;
	struct rest rest;
	double mean = 0, events = (double)s->period;
	size_t batch;

	if (s->event != EXCESS_TAG)
		return 0;
	pmuctl_data_sample_place(t->s.data, s, &place);
	spot = spot_of(p->m, t, place.dso, place.address);
	if (!spot)
		return -ENOMEM;
	if (without(spot, t->count > EXCESS_OTHERWISE, &rest))
		mean = rest.mean;
	else
		p->alone.events += events;
	batch = gap_batch(p->seen++, t->s.events[EXCESS_TAG].samples);
	add(&p->batches[batch], &(struct gap_sum){ events, events * ((double)s->retire - mean) });
	add(&p->all, &(struct gap_sum){ events, events * ((double)s->retire - mean) });
	return 0;
}

/* What the means without the event err by, each as often as it is subtracted. */
static double rest_error(const struct merged *m, double events)
{
	const struct spot *spot;
	struct rest rest;
	double variance = 0, share;
	size_t i;

	for (i = 0; events > 0 && i < m->spots.slots_count; i++) {
		spot = m->spots.slots[i];
		if (!spot || !without(spot, m->tallies[0].count > EXCESS_OTHERWISE, &rest))
			continue;
		share = spot->tag.events / events;
		variance += share * share * rest.variance;
	}
	return normal_quantile(GAP_LEVEL) * square_root(variance);
}

/* Half of the interval of a difference. */
static double error_of(const struct pass *p)
{
	double tag = gap_error(p->batches), rest = rest_error(p->m, p->all.events);

	return p->seen < 2 * GAP_BATCHES || tag < 0 ? -1 : square_root(tag * tag + rest * rest);
}

int excess_find(const struct tally *tallies, size_t count, struct excess *to)
{
	struct merged m = { .tallies = tallies };
	struct pass pass = { .m = &m };
	size_t i;
	int err = 0;

	table_init(&m.spots, sizeof(struct spot));
	for (i = 0; !err && i < count; i++)
		err = merge(&m, &tallies[i]);
	if (!err)
		err = pmuctl_data_samples(tallies[0].s.data, take_sample, &pass);
	*to = (struct excess){
		.cycles = pass.all.events > 0 ? pass.all.cycles / pass.all.events : 0,
		.error = error_of(&pass),
		.over_nothing = pass.all.events > 0 ? pass.alone.events / pass.all.events : 0,
		.samples = pass.seen,
	};
	table_free(&m.spots, NULL);
	code_files_free(&m.files);
	return err;
}
