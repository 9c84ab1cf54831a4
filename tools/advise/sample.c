// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs of the command that are sampled by one event each, and their samples summed up by
 * instruction.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/pushout/pushout.h"

/* So many tell the share of a hot instruction within a few per mille. */
#define SAMPLES_WANTED 20000
/* A hot loop has so many times the events of the whole run, and none of its samples may be lost. */
#define DENSE 4

static int no_memory(const struct advise *a)
{
	return complain(a->cmd, EXIT_FAILED, "out of memory");
}

/* ---- one run -------------------------------------------------------------------------------- */

struct pass {
	struct advise *a;
	unsigned int number;
};

static void add_to(struct advise *a, struct hot_spot *spot, unsigned int number, double events)
{
	if (number >= RUN_CLUES)
		spot->clues[number - RUN_CLUES] += events;
	else if (number == RUN_INSTRUCTIONS)
		spot->times += events;
	else if (number == RUN_CYCLES)
		spot->waits += events;
	if (number == RUN_CYCLES && (!a->hottest || spot->waits > a->hottest->waits))
		a->hottest = spot;
}

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct pass *p = data;
	struct advise_run *run = &p->a->runs[p->number];
	struct pmuctl_place place;
	struct hot_spot *spot;

	if (s->event)
		return 0;
	pmuctl_data_sample_place(run->s.data, s, &place);
	spot = advise_spot(p->a, run->s.data, &place);
	if (!spot)
		return -ENOMEM;
	run->sampled += (double)s->period;
	add_to(p->a, spot, p->number, (double)s->period);
	return 0;
}

/*
 * Before Skylake a counter starts again at each record, in step with a loop that always takes as
 * long, and all samples are of one place.  Periods that differ by up to a quarter are not; but a
 * record is an interrupt then.
 */
static unsigned int random_bits(struct advise *a, uint64_t period)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	if (pmuctl_get_info(a->ctx, &info) || info.pebs_format >= 3)
		return 0;
	return 61 - (unsigned int)__builtin_clzll(period);
}

uint64_t advise_period(struct advise *a, double count)
{
	double most = sampling_most(a->ctx, a->seconds) / DENSE;

	return sampling_period(count, most < SAMPLES_WANTED ? most : SAMPLES_WANTED);
}

int advise_sample(struct advise *a, unsigned int number, const char *event, double count,
		  uint64_t content)
{
	struct advise_run *run = &a->runs[number];
	struct pass pass = { .a = a, .number = number };
	int err, code;

	run->text = strdup(event);
	if (!run->text)
		return no_memory(a);
	run->event = (struct sampled){ .text = run->text, .period = advise_period(a, count) };
	run->s = (struct sampling){
		.cmd = a->cmd, .ctx = a->ctx, .events = &run->event, .count = 1,
		.random_bits = random_bits(a, run->event.period), .content = content, .file = -1,
	};
	code = sampling_run(&run->s, &a->side, &a->runs_with);
	if (code)
		return code;
	err = pmuctl_data_samples(run->s.data, take_sample, &pass);
	if (err == -ENOMEM)
		return no_memory(a);
	return err ? complain(a->cmd, EXIT_FAILED, "cannot read the samples: %s", pmuctl_error(a->ctx)) : 0;
}

/* ---- time ----------------------------------------------------------------------------------- */

int advise_times(struct advise *a)
{
	char *cycles = event_in_ring("cycles", a->ring, "pp");
	char *instructions = event_in_ring("instructions", a->ring, "pp");
	int code = EXIT_FAILED;

	if (!cycles || !instructions)
		no_memory(a);
	else
		code = advise_sample(a, RUN_CYCLES, cycles, a->cycles, 0);
	if (!code)
		code = advise_sample(a, RUN_INSTRUCTIONS, instructions, a->instructions, 0);
	free(cycles);
	free(instructions);
	if (code || (a->runs[RUN_CYCLES].sampled > 0 && a->runs[RUN_INSTRUCTIONS].sampled > 0))
		return code;
	return complain(a->cmd, EXIT_FAILED, "--advise: the command is too short for that: there are "
			"%" PRIu64 " samples of its cycles and %" PRIu64 " of its instructions",
			a->runs[RUN_CYCLES].event.samples,
			a->runs[RUN_INSTRUCTIONS].event.samples);
}

/* ---- mispredictions ------------------------------------------------------------------------- */

/*
 * How much longer blocks take that a misprediction leads into.  How long is waited behind a branch
 * does not tell: much of it may be there without.
 */
int advise_measure_misprediction(struct advise *a)
{
	char *text = event_in_ring("branch-instructions", a->ring, "");
	struct sampled branches = { .text = text, .period = advise_period(a, a->cycles) };
	struct blocks b = {
		.s = { .cmd = a->cmd, .ctx = a->ctx, .events = &branches, .count = 1, .file = -1 },
	};
	struct pushout_here here;
	double cycles, error;
	int code = text ? 0 : complain(a->cmd, EXIT_FAILED, "out of memory");

	if (!code && !pushout_look(a->ctx, &here) && here.has[WAY_BLOCKS]) {
		code = blocks_run(&b, &a->side, &a->runs_with);
		if (!code && blocks_added(&b, &cycles, &error) > 0 && cycles > error)
			a->misprediction = cycles - error;
		blocks_free(&b);
	}
	free(text);
	return code;
}
