// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which remedy an instruction has that retirement waits for, and how much of the time is to be had
 * by it: what is waited there, less what the same load takes when the first level has it.  How much
 * of that stays behind the remedy depends on what goes on meanwhile: all of it if the next one
 * waits for this one, nothing if nobody does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/samples/text.h"

/* Of the cycles: what may be had by less is not worth a remedy. */
#define GAIN_LEAST	0.02
/* ...or, if all that is known of it is how much it is at the most, so much. */
#define MAYBE_LEAST	0.2
/* Of a clue's events: who has fewer is not who it is about. */
#define EVENTS_LEAST	0.1
/* Of the times that it ran: a load which the event is rare for is not waiting for that. */
#define RATE_LEAST	0.01

static const char *const names[REMEDIES] = {
	[REMEDY_PAD] = "pad", [REMEDY_SHIFT] = "shift", [REMEDY_ALIGN] = "align",
	[REMEDY_BLOCK] = "block", [REMEDY_GATHER] = "gather", [REMEDY_SELECT] = "select",
	[REMEDY_WIDEN] = "widen",
};

const char *remedy_name(enum remedy remedy)
{
	return names[remedy];
}

static int no_memory(const struct advise *a)
{
	return complain(a->cmd, EXIT_FAILED, "out of memory");
}

/* ---- who has the events of a clue ----------------------------------------------------------- */

static bool same_function(const struct hot_spot *spot, const struct hot_spot *other)
{
	struct pmuctl_symbol symbol = { .name = NULL };

	if (spot->key.a != other->key.a)
		return false;
	pmuctl_data_symbol(spot->data, &spot->place, &symbol);
	return symbol.name && other->place.address >= symbol.start &&
	       other->place.address - symbol.start < symbol.size;
}

/* By interrupt they are near it: of its function all, if no other load waits longer there. */
static double events_near(struct advise *a, const struct hot_spot *spot, enum clue clue)
{
	const struct hot_spot *other;
	double events = 0;
	size_t i;

	for (i = 0; i < a->spots.slots_count; i++) {
		other = a->spots.slots[i];
		if (!other || (!other->clues[clue] && other->waits <= spot->waits) ||
		    !same_function(spot, other))
			continue;
		if (other->waits > spot->waits && bytes_read(other))
			return 0;
		events += spot_events(a, other, clue);
	}
	return events;
}

static double events_of(struct advise *a, const struct hot_spot *spot, enum clue clue)
{
	if (a->clues[clue].exact)
		return spot_events(a, spot, clue);
	if (spot_share(a, spot) < GAIN_LEAST || !bytes_read(spot))
		return 0;
	return events_near(a, spot, clue);
}

/* ---- what is to be done ------------------------------------------------------------------- */

static int cure_load(struct advise *a, const struct finding *f, struct cure *cure)
{
	unsigned int bytes = bytes_read(f->spot);
	int len = 0;

	cure->share = 1;
	switch (f->clue) {
	case CLUE_SPLITS:
		cure->remedy = REMEDY_ALIGN;
		len = asprintf(&cure->text, "Align what it reads to its %u bytes, so that none of it is in "
			       "two lines of the cache (aligned_alloc(), __attribute__((aligned(%u)))).",
			       bytes, bytes);
		break;
	case CLUE_ALIASES:
		cure->remedy = REMEDY_SHIFT;
		len = asprintf(&cure->text, "Move what it reads, or what was stored before it, by 64 bytes "
			       "or more: both are at the same offset in their pages, and the load waits "
			       "for a store that it does not need.");
		break;
	case CLUE_BLOCKS:
		cure->remedy = REMEDY_WIDEN;
		len = asprintf(&cure->text, "Store in one piece what is read in one piece, or read it in "
			       "the pieces that were stored: its %u bytes come from a store that has not "
			       "all of them, and the load waits until that is in the cache.", bytes);
		break;
	default:
		cure->share = 0;
		return advise_misses(a, f, cure);
	}
	return len < 0 ? no_memory(a) : 0;
}

/* ---- findings ------------------------------------------------------------------------------- */

static int add_finding(struct advise *a, const struct finding *f)
{
	struct finding *grown = reallocarray(a->findings, a->count + 1, sizeof(*grown));

	if (!grown)
		return no_memory(a);
	a->findings = grown;
	a->findings[a->count++] = *f;
	return 0;
}

/* Whether it loads where the next round's load goes: no remedy makes a round shorter than a hit. */
static bool leads_itself(const struct hot_spot *spot)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	place_insn(spot->data, &spot->place, &insn);
	return insn.memory_count && insn.memory[0].base >= 0 &&
	       insn.writes >> insn.memory[0].base & 1;
}

static void promise(struct advise *a, const struct cure *cure, struct finding *f)
{
	const struct clue_count *clue = &a->clues[f->clue];
	double events = f->events * f->times;
	double hit = cycles_share(a, (f->times + f->times_error) * a->load_cycles);
	double least = cycles_share(a, (f->times - f->times_error) * a->load_cycles);
	double alone = cycles_share(a, events * (clue->covers ? clue->most : clue->cycles)), low;

	f->share = spot_share(a, f->spot);
	f->error = spot_error(a, f->spot);
	if (f->loop.least < least && leads_itself(f->spot))
		f->loop.least = least;
	low = f->share - f->error - hit;
	finding_promise(f, cure->share * (low < alone ? low : alone),
			cure->most > 0 ? cure->most : cure->share,
			cycles_share(a, events * clue->most));
}

static int find_load(struct advise *a, struct finding *f)
{
	struct cure cure = { .share = 0 };
	int code = cure_load(a, f, &cure);

	if (!code && cure.share > 0) {
		f->remedy = cure.remedy;
		promise(a, &cure, f);
		f->text = cure.text;
		return 0;
	}
	free(cure.text);
	return code;
}

/* It is had there, or may be, as the events would cost more by themselves. */
static bool is_worth_it(const struct advise *a, const struct finding *f, double events)
{
	double alone = events * a->clues[f->clue].cycles;

	return f->low >= GAIN_LEAST || (f->high >= MAYBE_LEAST && alone >= MAYBE_LEAST * a->cycles);
}

static int look_at(struct advise *a, const struct hot_spot *spot, enum clue clue)
{
	double events = events_of(a, spot, clue);
	struct finding f = { .clue = clue, .spot = spot };
	int code;

	if (events < EVENTS_LEAST * a->clues[clue].count)
		return 0;
	advise_find_loop(a, spot, &f.loop);
	f.times = spot_times(a, spot);
	f.times_error = times_error(a, f.times);
	if (f.loop.found)
		f.times = loop_times(a, spot, &f.loop, spot->place.address, &f.times_error);
	if (events < RATE_LEAST * f.times)
		return 0;
	f.events = f.times > 0 ? events / f.times : 0;
	if (clue == CLUE_MISPREDICTIONS) {
		f.remedy = REMEDY_SELECT;
		code = advise_branch(a, &f);
	} else {
		code = find_load(a, &f);
	}
	f.cycles = f.times > 0 ? f.share / cycles_share(a, f.times) : 0;
	if (!code && f.text && is_worth_it(a, &f, events))
		return add_finding(a, &f);
	free(f.text);
	return code;
}

static int by_gain(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	if (a->low != b->low)
		return a->low > b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high > b->high ? -1 : 1;
	return a->spot->place.address < b->spot->place.address ? -1 : 1;
}

static bool are_one(const struct finding *a, const struct finding *b)
{
	return a->spot == b->spot || (a->loop.found && b->loop.found && !strcmp(a->text, b->text) &&
				      a->spot->key.a == b->spot->key.a &&
				      a->loop.first == b->loop.first);
}

/* An instruction has one remedy, the one that is worth most; so has a loop if all say the same. */
static void drop_second_ones(struct advise *a)
{
	size_t i, j, kept = 0;

	for (i = 0; i < a->count; i++) {
		for (j = 0; j < kept && !are_one(&a->findings[j], &a->findings[i]); j++)
			;
		if (j < kept)
			free(a->findings[i].text);
		else
			a->findings[kept++] = a->findings[i];
	}
	a->count = kept;
}

int advise_find_remedies(struct advise *a)
{
	const struct hot_spot *spot;
	size_t i;
	unsigned int clue;
	int code = 0;

	for (i = 0; !code && i < a->spots.slots_count; i++) {
		spot = a->spots.slots[i];
		for (clue = 0; spot && !code && clue < CLUES; clue++)
			if (a->clues[clue].seen)
				code = look_at(a, spot, (enum clue)clue);
	}
	if (a->count)
		qsort(a->findings, a->count, sizeof(*a->findings), by_gain);
	drop_second_ones(a);
	return code;
}
