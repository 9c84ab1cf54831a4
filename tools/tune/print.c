// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl tune: what was tried beside what, what it came to, and what is kept.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/tune/tune.h"

#define RATIO_TEXT	sizeof(((struct cell *)0)->why_not)

/* less: of what is not counted one by one. */
static const char *verdict_of(bool less, const struct cell *cell)
{
	if (*cell->why_not)
		return "no ratio";
	if (cell->identical && cell->ratio == 1)
		return "the same in all pairs";
	if (!cell->apart)
		return "not told apart";
	return cell->ratio > 1 ? less ? "less" : "fewer" : "more";
}

/* Of the setting by the other, as people say "0.6 of it". */
static void ratio_text(const struct cell *cell, char text[RATIO_TEXT])
{
	if (*cell->why_not)
		snprintf(text, RATIO_TEXT, "%s", cell->why_not);
	else
		snprintf(text, RATIO_TEXT, "%.4f [%.4f, %.4f]", 1 / cell->ratio,
			 1 / cell->interval.high, 1 / cell->interval.low);
}

static const char *step_word(enum step_why why)
{
	static const char *const words[] = {
		[STEP_EACH] = "each", [STEP_ALL] = "all", [STEP_WITH] = "with",
		[STEP_WITHOUT] = "without", [STEP_CONFIRM] = "confirm",
	};

	return words[why];
}

static void put_numbers(struct writer *w, const char *what, const struct cell *cell, bool there)
{
	char key[3][32];

	snprintf(key[0], sizeof(key[0]), "%sratio", what);
	snprintf(key[1], sizeof(key[1]), "%slow", what);
	snprintf(key[2], sizeof(key[2]), "%shigh", what);
	there = there && !*cell->why_not;
	writer_number(w, key[0], 6, there ? 1 / cell->ratio : 0, there);
	writer_number(w, key[1], 6, there ? 1 / cell->interval.high : 0, there);
	writer_number(w, key[2], 6, there ? 1 / cell->interval.low : 0, there);
}

static void print_step(struct writer *w, const struct tune_args *args, const struct step *step)
{
	const struct tried *t = &step->tried;
	bool time = tune_by(args) == BY_TIME;
	char text[RATIO_TEXT];

	writer_row(w);
	writer_string(w, "step", NULL, step_word(step->why));
	writer_string(w, "setting", "  %-34s ", step->setting);
	writer_string(w, "beside", NULL, step->base);
	writer_string(w, "phase", NULL, args->phase ? args->phase : "");
	writer_string(w, "by", NULL, tune_by_word(args));
	put_numbers(w, "", &t->cost, true);
	writer_number(w, "level", 4, t->cost.interval.level, !*t->cost.why_not);
	writer_string(w, "verdict", NULL, verdict_of(time, &t->cost));
	put_numbers(w, "energy-", &t->energy, args->rule.given);
	writer_bool(w, "better", step->better);
	ratio_text(&t->cost, text);
	writer_text(w, "%-26s %s", text, verdict_of(time, &t->cost));
	if (args->rule.given) {
		ratio_text(&t->energy, text);
		writer_text(w, "; energy %s %s", text, verdict_of(true, &t->energy));
	}
	writer_text(w, "\n");
	writer_end_row(w);
}

/* Steps beside one other setting have one headline. */
static void print_steps(struct writer *w, const struct tune_args *args,
			const struct choice *choice)
{
	const char *base = NULL;
	size_t i;

	for (i = 0; i < choice->count; i++) {
		const struct step *step = &choice->steps[i];
		bool again = step->why == STEP_CONFIRM;

		if (!base || strcmp(base, step->base) != 0 || again)
			writer_text(w, "%s %s%s:\n", i ? "\n" : "",
				    again ? "Once more, to confirm it, beside " : "Beside ",
				    *step->base ? step->base : "features as they are");
		base = step->base;
		print_step(w, args, step);
	}
}

static bool any_apart(const struct choice *choice)
{
	size_t i;

	for (i = 0; i < choice->count; i++)
		if (choice->steps[i].tried.cost.apart)
			return true;
	return false;
}

static void print_nothing(struct writer *w, const struct tune_args *args,
			  const struct choice *choice)
{
	const struct step *last = &choice->steps[choice->count - 1];

	if (last->why == STEP_CONFIRM)
		writer_text(w, "\n Nothing is kept: %s was not confirmed.\n", last->setting);
	else if (args->rule.given)
		writer_text(w, "\n Nothing is kept: no setting is within the rule.\n");
	else if (any_apart(choice))
		writer_text(w, "\n Nothing is kept: no setting takes less than features as they are.\n");
	else
		writer_text(w, "\n Nothing is kept: nothing told apart.\n");
}

static void print_kept(struct writer *w, const struct tune_args *args, const struct step *step)
{
	const struct interval *i = &step->tried.cost.interval;

	writer_text(w, "\n Kept: %s: %.1f %% %s [%.1f, %.1f]\n", step->setting,
		    100 * (1 - 1 / step->tried.cost.ratio),
		    tune_by(args) == BY_TIME ? "less time" : "fewer cycles", 100 * (1 - 1 / i->low),
		    100 * (1 - 1 / i->high));
	if (args->rule.given)
		writer_text(w, " and %.1f %% less energy [%.1f, %.1f]\n",
			    100 * (1 - 1 / step->tried.energy.ratio),
			    100 * (1 - 1 / step->tried.energy.interval.low),
			    100 * (1 - 1 / step->tried.energy.interval.high));
}

void tune_print(struct writer *w, const struct tune_args *args, const struct choice *choice)
{
	const struct step *kept = choice_confirmed(choice);

	writer_text(w, "\n Features for '");
	writer_words(w, args->runs.programs[0]);
	writer_text(w, "'%s%s: %s with a setting, as a part of those beside it\n\n",
		    args->phase ? " in phase " : "", args->phase ? args->phase : "", tune_by_word(args));
	print_steps(w, args, choice);
	if (kept)
		print_kept(w, args, kept);
	else
		print_nothing(w, args, choice);
	writer_text(w, "\n %zu pairs a step, by turns, seed %" PRIu64 "; intervals are at the level of "
		    "their verdict\n", choice->steps[0].tried.pairs, args->runs.seed);
}
