// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gaps by the retire latency of PEBS.
 */
#include <errno.h>

#include "tools/base/base.h"
#include "tools/pushout/tally.h"

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct tally *t = data;
	struct pmuctl_place place;
	struct gap_place *at;

	if (s->event >= t->count)
		return 0;
	gaps_add(&t->gaps[s->event], s->retire, (double)s->period);
	pmuctl_data_sample_place(t->s.data, s, &place);
	at = table_get(&t->places, place.dso, place.address);
	if (!at)
		return -ENOMEM;
	at->samples[s->event]++;
	at->of[s->event].events += (double)s->period;
	at->of[s->event].cycles += (double)s->period * (double)s->retire;
	at->squares[s->event] += (double)s->period * (double)s->retire * (double)s->retire;
	return 0;
}

static int read_samples(struct tally *t)
{
	size_t i;
	int err = 0;

	table_init(&t->places, sizeof(struct gap_place));
	for (i = 0; !err && i < t->count; i++)
		err = gaps_make(&t->gaps[i], t->s.events[i].samples);
	if (!err)
		err = pmuctl_data_samples(t->s.data, take_sample, t);
	if (!err)
		return 0;
	return complain(t->s.cmd, EXIT_FAILED, "cannot read the samples: %s",
			err == -ENOMEM ? "out of memory" : pmuctl_error(t->s.ctx));
}

int tally_run(struct tally *t, const struct side *side, const struct pair_args *args)
{
	int code;

	t->s.content = PMUCTL_SAMPLE_WEIGHT;
	for (t->count = 0; t->count < t->s.count && t->s.events[t->count].period; t->count++)
		;
	code = sampling_run(&t->s, side, args);
	return code ? code : read_samples(t);
}

void tally_subtract(struct tally *t, size_t event, size_t part)
{
	struct gap_place *at;
	size_t i;

	gaps_subtract(&t->gaps[event], &t->gaps[part]);
	for (i = 0; i < t->places.slots_count; i++) {
		at = t->places.slots[i];
		if (!at)
			continue;
		at->of[event].events -= at->of[part].events;
		at->of[event].cycles -= at->of[part].cycles;
		at->squares[event] -= at->squares[part];
	}
}

void tally_free(struct tally *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		gaps_free(&t->gaps[i]);
	table_free(&t->places, NULL);
	sampling_close(&t->s);
}
