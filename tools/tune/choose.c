// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which settings of features are tried, one behind the other, and which one is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/tune/tune.h"

static int no_memory(void)
{
	return complain("tune", EXIT_FAILED, "out of memory");
}

/* ---- judging -------------------------------------------------------------------------------- */

/* Ratios are the other's by this one's: below 1 this one takes more. */
static bool keeps_rule(const struct energy_rule *rule, double saves, const struct tried *t)
{
	if (*t->cost.why_not || *t->energy.why_not)
		return false;
	return 1 / t->cost.interval.low - 1 < rule->slower && t->energy.apart &&
	       1 - 1 / t->energy.interval.low > saves;
}

/* One feature more or less has to save something; the rule is about all of them. */
static bool is_better(const struct chooser *c, enum step_why why, const struct tried *t)
{
	bool change = why == STEP_WITH || why == STEP_WITHOUT;

	if (c->rule->given)
		return keeps_rule(c->rule, change ? 0 : c->rule->saves, t);
	return t->cost.apart && t->cost.ratio > 1;
}

/* By which of two the better one is told. */
static double worth(const struct chooser *c, const struct step *step)
{
	return c->rule->given ? step->tried.energy.ratio : step->tried.cost.ratio;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Settings beside one base, run together so that they are judged together. */
static int take_steps(const struct chooser *c, struct choice *choice, enum step_why why,
		      const char *base, const char *const *settings, size_t count)
{
	struct step *steps = reallocarray(choice->steps, choice->count + count, sizeof(*steps));
	struct tried *tried;
	size_t i;
	int code;

	if (!steps)
		return no_memory();
	choice->steps = steps;
	tried = calloc(count + 1, sizeof(*tried));
	if (!tried)
		return no_memory();
	code = c->measure(c->data, base, settings, count, tried);
	for (i = 0; !code && i < count; i++) {
		struct step *step = &steps[choice->count];

		*step = (struct step){
			.why = why, .base = strdup(base), .setting = strdup(settings[i]),
			.tried = tried[i], .better = is_better(c, why, &tried[i]),
		};
		choice->count++;
		if (!step->base || !step->setting)
			code = no_memory();
	}
	free(tried);
	return code;
}

static int take_step(const struct chooser *c, struct choice *choice, enum step_why why,
		     const char *base, const char *setting)
{
	return take_steps(c, choice, why, base, &setting, 1);
}

static const struct step *last_step(const struct choice *choice)
{
	return &choice->steps[choice->count - 1];
}

/* ---- settings ------------------------------------------------------------------------------- */

/* Those that are marked, in the order of the features; NULL: no memory. */
static char *join(const struct chooser *c, const bool *marked)
{
	size_t length = 1, i;
	char *text;

	for (i = 0; i < c->count; i++)
		length += marked[i] ? strlen(c->features[i]) + 1 : 0;
	text = calloc(1, length);
	for (i = 0; text && i < c->count; i++) {
		if (!marked[i])
			continue;
		if (*text)
			strcat(text, ",");
		strcat(text, c->features[i]);
	}
	return text;
}

static int replace(char **text, char *with)
{
	free(*text);
	*text = with;
	return with ? 0 : no_memory();
}

static size_t count_marked(const struct chooser *c, const bool *marked)
{
	size_t i, count = 0;

	for (i = 0; i < c->count; i++)
		count += marked[i];
	return count;
}

/* ---- the way to one ------------------------------------------------------------------------- */

/* In which order single ones are added, the best first, or taken away, the worst first. */
struct order {
	size_t *at;		/* of the features */
	size_t count;
};

/* The first steps are the features', in their order. */
static void order_by_worth(const struct chooser *c, const struct choice *choice,
			   struct order *order)
{
	size_t i, k;

	order->count = 0;
	for (i = 0; i < c->count; i++) {
		for (k = order->count; k && worth(c, &choice->steps[order->at[k - 1]]) <
		     worth(c, &choice->steps[i]); k--)
			order->at[k] = order->at[k - 1];
		order->at[k] = i;
		order->count++;
	}
}

/* One more feature, or one less, is tried beside what is kept so far, and replaces it if better. */
static int add_more(const struct chooser *c, struct choice *choice, const struct order *order,
		    bool *marked)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < order->count; i++) {
		size_t feature = order->at[i];
		char *with;

		if (marked[feature] || !choice->steps[feature].better)
			continue;
		marked[feature] = true;
		with = join(c, marked);
		code = with ? take_step(c, choice, STEP_WITH, choice->kept, with) : no_memory();
		marked[feature] = !code && last_step(choice)->better;
		if (marked[feature])
			code = replace(&choice->kept, with);
		else
			free(with);
	}
	return code;
}

/* What is not better than the same without a feature does without it. */
static int drop_some(const struct chooser *c, struct choice *choice, const struct order *order,
		     bool *marked)
{
	size_t i;
	int code = 0;

	for (i = order->count; !code && i-- && count_marked(c, marked) > 1; ) {
		size_t feature = order->at[i];
		char *without;

		marked[feature] = false;
		without = join(c, marked);
		code = without ? take_step(c, choice, STEP_WITHOUT, without, choice->kept) :
				 no_memory();
		marked[feature] = !code && last_step(choice)->better;
		if (!code && !marked[feature])
			code = replace(&choice->kept, without);
		else
			free(without);
	}
	return code;
}

/* All at once are tried as well, since one may do the work of another that is off. */
static int try_all(const struct chooser *c, struct choice *choice, bool *marked)
{
	const char **settings = calloc(c->count + 1, sizeof(*settings));
	char *all;
	int code;

	memset(marked, true, c->count);
	all = join(c, marked);
	if (!settings || !all) {
		free(settings);
		free(all);
		return no_memory();
	}
	memcpy(settings, c->features, c->count * sizeof(*settings));
	settings[c->count] = all;
	code = take_steps(c, choice, STEP_EACH, "", settings, c->count + (c->count > 1));
	if (!code && c->count > 1)
		choice->steps[c->count].why = STEP_ALL;
	free(all);
	free(settings);
	return code;
}

/* Returns the best of the first steps; NULL: none is better. */
static const struct step *best_step(const struct chooser *c, const struct choice *choice)
{
	const struct step *best = NULL;
	size_t i;

	for (i = 0; i < choice->count; i++)
		if (choice->steps[i].better &&
		    (!best || worth(c, &choice->steps[i]) > worth(c, best)))
			best = &choice->steps[i];
	return best;
}

static int refine(const struct chooser *c, struct choice *choice, bool *marked,
		  struct order *order)
{
	const struct step *best = best_step(c, choice);
	bool all = best && best->why == STEP_ALL;
	int code = replace(&choice->kept, strdup(best ? best->setting : ""));

	if (code || !best)
		return code;
	memset(marked, all, c->count);
	if (!all)
		marked[best - choice->steps] = true;
	order_by_worth(c, choice, order);
	return all ? drop_some(c, choice, order, marked) : add_more(c, choice, order, marked);
}

/* What won among many was lucky, too: how much it gains is told by runs that chose nothing. */
static int confirm(const struct chooser *c, struct choice *choice)
{
	int code;

	if (!*choice->kept)
		return 0;
	code = take_step(c, choice, STEP_CONFIRM, "", choice->kept);
	return code || last_step(choice)->better ? code : replace(&choice->kept, strdup(""));
}

int choose(const struct chooser *c, struct choice *choice)
{
	bool *marked = calloc(c->count + 1, sizeof(*marked));
	struct order order = { .at = calloc(c->count + 1, sizeof(*order.at)) };
	int code;

	if (!marked || !order.at) {
		free(order.at);
		free(marked);
		return no_memory();
	}
	code = try_all(c, choice, marked);
	if (!code)
		code = refine(c, choice, marked, &order);
	if (!code)
		code = confirm(c, choice);
	free(order.at);
	free(marked);
	return code;
}

const struct step *choice_confirmed(const struct choice *choice)
{
	return choice->kept && *choice->kept ? last_step(choice) : NULL;
}

void choice_free(struct choice *choice)
{
	size_t i;

	for (i = 0; i < choice->count; i++) {
		free(choice->steps[i].base);
		free(choice->steps[i].setting);
	}
	free(choice->steps);
	free(choice->kept);
}
