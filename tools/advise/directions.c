// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is to be done about a branch that is mispredicted: which way it goes how often, and what
 * retirement waits for behind it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/samples/text.h"

/* Between these shares no direction is worth a guess; per cent. */
#define EVEN_LEAST	20
#define EVEN_MOST	80
/* A load behind it that misses this often waits for itself. */
#define MISSES_MOST	0.1
/* Cycles each time that computing both sides and selecting one takes at the most. */
#define SELECTING	2

struct ways {
	const struct hot_spot *next, *target;	/* NULL: no sample was there */
	double taken, error;			/* per cent; below 0: not known */
};

/* Whoever comes from elsewhere as well was there more often than the branch. */
static void find_ways(struct advise *a, const struct finding *f, const struct pmuctl_insn *insn,
		      struct ways *w)
{
	uint64_t next = f->spot->place.address + insn->length;
	bool inside = f->loop.found && next <= f->loop.last;
	double on, error = 0;

	*w = (struct ways){
		.next = spot_at(a, f->spot, next),
		.target = insn->target ? spot_at(a, f->spot, insn->target) : NULL,
		.taken = -1,
	};
	if (inside) {
		on = loop_times(a, f->spot, &f->loop, next, &error);
	} else {
		on = w->next ? spot_times(a, w->next) : 0;
		error = times_error(a, on);
	}
	if (f->times <= 0 || on <= 0 || on > f->times)
		return;
	w->taken = 100 * (1 - on / f->times);
	w->error = 100 * (error + on / f->times * f->times_error) / f->times;
}

/* What it waits for is the misprediction in front of it, as far as it is known. */
static bool waits_for_branch(struct advise *a, const struct hot_spot *behind)
{
	double times = spot_times(a, behind);

	return !times || spot_events(a, behind, CLUE_MISSES) < MISSES_MOST * times;
}

static void add_waits(struct advise *a, const struct hot_spot *behind, struct finding *f)
{
	if (!behind || !waits_for_branch(a, behind))
		return;
	f->share += spot_share(a, behind);
	f->error += spot_error(a, behind);
}

static char *text_of(const struct ways *w)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (w->taken < 0 || (w->taken >= EVEN_LEAST && w->taken <= EVEN_MOST))
		fputs("Compute both sides and select (cmov: ?: with __builtin_expect_with_probability() "
		      "of 0.5), or sort what it looks at", to);
	else
		fprintf(to, "Put the likely side behind it (__builtin_expect(), or by a profile: pmuctl "
			"record -b, then perf2bolt or create_llvm_prof), and what decides it where it is "
			"known earlier");
	if (w->taken >= 0)
		fprintf(to, ": the branch is taken %.0f +- %.0f %% of the times", w->taken, w->error);
	fputs(".", to);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

int advise_branch(struct advise *a, struct finding *f)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	struct ways w;
	double selecting, least, waits;

	place_insn(f->spot->data, &f->spot->place, &insn);
	if (!insn.branch)
		return 0;
	find_ways(a, f, &insn, &w);
	add_waits(a, w.next, f);
	if (w.target != w.next)
		add_waits(a, w.target, f);
	selecting = (f->times + f->times_error) * SELECTING;
	least = cycles_share(a, f->events * f->times * a->misprediction - selecting);
	waits = f->share + f->error;
	finding_promise(f, least < waits ? least : waits, 1,
			cycles_share(a, f->events * f->times * a->clues[f->clue].most));
	f->text = text_of(&w);
	return f->text ? 0 : complain(a->cmd, EXIT_FAILED, "out of memory");
}
