// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Features of the processor that are held while something runs: --with, and modes of pairs.
 * Registers are the library's, ways of the last level go through resctrl.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/run/features.h"
#include "tools/run/targets.h"
#include "tools/run/ways.h"

bool is_feature(const char *text)
{
	return ways_is_named(text) || pmuctl_is_feature(text);
}

/* What is left behind the ways, which may be nothing then. */
static int check_registers(const char *cmd, const char *what, const char *text, const char *rest,
			   bool may_be_empty)
{
	struct pmuctl *ctx;
	int code = open_context(cmd, NULL, &ctx);

	if (code)
		return code;
	if ((*rest || !may_be_empty) && pmuctl_check_features(ctx, rest))
		code = complain(cmd, EXIT_USAGE, "%s '%s': %s", what, text, pmuctl_error(ctx));
	pmuctl_close(ctx);
	return code;
}

int check_features(const char *cmd, const char *what, const char *text)
{
	char *rest = strdup(text);
	unsigned int ways;
	const char *why;
	int code;

	if (!rest)
		return complain(cmd, EXIT_FAILED, "out of memory");
	why = ways_take(rest, &ways);
	code = why ? complain(cmd, EXIT_USAGE, "%s '%s': %s", what, text, why) :
		     check_registers(cmd, what, text, rest, ways);
	free(rest);
	return code;
}

int take_features(const struct option_use *use)
{
	char option[64];
	int code;

	snprintf(option, sizeof(option), "--%s", use->row->name);
	code = check_features(use->cmd, option, use->text);
	return code ? code : take_list(use);
}

/* ---- whether there are any ------------------------------------------------------------------ */

struct reason {
	char text[320];		/* of the first feature that cannot be switched */
	bool can;		/* another one can */
};

static int note_reason(void *data, const struct pmuctl_feature_info *f)
{
	struct reason *r = data;

	if (f->level <= 2 && !f->why_not)
		r->can = true;
	else if (f->level <= 2 && !*r->text)
		snprintf(r->text, sizeof(r->text), "%s: %s", f->name, f->why_not);
	return 0;
}

int features_any(const char *cmd, struct pmuctl *ctx, const char *done)
{
	struct reason r = { .can = false };

	if (pmuctl_list_features(ctx, note_reason, &r))
		return complain(cmd, EXIT_FAILED, "%s", pmuctl_error(ctx));
	if (r.can)
		return 0;
	return complain(cmd, EXIT_FAILED, "nothing can be %s: %s", done, *r.text ? r.text :
			"no feature of this processor can be switched yet (`pmuctl features`)");
}

/* ---- holding -------------------------------------------------------------------------------- */

static size_t list_length(const struct option_list *list)
{
	size_t i, length = 0;

	for (i = 0; list && i < list->count; i++)
		length += strlen(list->texts[i]) + 1;
	return length;
}

static void list_append(const struct option_list *list, char *text)
{
	size_t i;

	for (i = 0; list && i < list->count; i++) {
		if (*text)
			strcat(text, ",");
		strcat(text, list->texts[i]);
	}
}

/*
 * CPUs that were not named have it as well: whoever runs there should know.  Once is enough, for
 * pairs hold the same again and again.
 */
static void say_also(const char *cmd, const struct pmuctl_hold *hold)
{
	static bool said;
	size_t count, i;
	const unsigned int *cpus = pmuctl_hold_also(hold, &count);

	if (!count || said)
		return;
	said = true;
	fprintf(stderr, "pmuctl %s: note: CPU", cmd);
	for (i = 0; i < count; i++)
		fprintf(stderr, "%s%u", i ? "," : " ", cpus[i]);
	fprintf(stderr, " %s the same features, as %s a core, a module or a package with what was named\n",
		count == 1 ? "has" : "have", count == 1 ? "it shares" : "they share");
}

/* The CPUs of registers, or a process, and the CPUs of ways. */
struct places {
	const unsigned int *cpus, *ways_cpus;
	size_t nr_cpus, nr_ways_cpus;
	pid_t process;			/* 0: none */
	const char *no_ways;		/* why ways make no sense; NULL: they do */
};

static int hold_text(const char *cmd, struct pmuctl *ctx, const char *text,
		     const struct places *places, struct pmuctl_hold **hold)
{
	int err = places->process ?
		  pmuctl_hold_features_for(ctx, text, places->process, hold) :
		  pmuctl_hold_features(ctx, text, places->cpus, places->nr_cpus, hold);

	if (err)
		return complain(cmd, EXIT_FAILED, "cannot hold '%s': %s", text, pmuctl_error(ctx));
	say_also(cmd, *hold);
	return 0;
}

/* The last of several holds; `text` is what is left for registers. */
static int hold_ways(const char *cmd, char *text, const struct places *places)
{
	unsigned int ways;
	const char *why = ways_take(text, &ways);

	if (why)
		return complain(cmd, EXIT_USAGE, "%s", why);
	if (ways && places->no_ways)
		return complain(cmd, EXIT_FAILED, "cannot hold '" WAYS_NAME "=%u': %s", ways,
				places->no_ways);
	return ways ? ways_hold(cmd, ways, places->ways_cpus, places->nr_ways_cpus) : 0;
}

static int hold_both(const char *cmd, struct pmuctl *ctx, const struct option_list *first,
		     const struct option_list *second, const struct places *places,
		     struct pmuctl_hold **hold)
{
	size_t length = list_length(first) + list_length(second);
	char *text;
	int code;

	*hold = NULL;
	if (!length)
		return 0;
	text = calloc(1, length + 1);
	if (!text)
		return complain(cmd, EXIT_FAILED, "out of memory");
	list_append(first, text);
	list_append(second, text);
	code = hold_ways(cmd, text, places);
	if (!code && *text)
		code = hold_text(cmd, ctx, text, places, hold);
	free(text);
	return code;
}

int features_hold(const char *cmd, struct pmuctl *ctx, const struct option_list *first,
		  const struct option_list *second, const unsigned int *cpus, size_t count,
		  struct pmuctl_hold **hold)
{
	const struct places places = { .cpus = cpus, .nr_cpus = count };

	return hold_both(cmd, ctx, first, second, &places, hold);
}

int features_hold_task(const char *cmd, struct pmuctl *ctx, const struct option_list *list,
		       pid_t process, struct pmuctl_hold **hold)
{
	const struct places places = { .process = process };

	return hold_both(cmd, ctx, list, NULL, &places, hold);
}

int features_hold_for(const char *cmd, struct pmuctl *ctx, const struct option_list *with,
		      const struct targets *targets, struct pmuctl_hold **hold)
{
	struct places places = { .cpus = NULL };
	unsigned int *online = NULL;
	int code;

	*hold = NULL;
	if (!with->count)
		return 0;
	if (targets->kind == TARGET_CPUS) {
		places.cpus = places.ways_cpus = targets->cpus;
		places.nr_cpus = places.nr_ways_cpus = targets->nr_cpus;
	} else if (targets->kind == TARGET_ALL_CPUS) {
		if (online_cpus(&online, &places.nr_ways_cpus))
			return complain(cmd, EXIT_FAILED, "cannot read which CPUs are online");
		places.ways_cpus = online;
	} else if (targets->kind == TARGET_PROCESSES || targets->kind == TARGET_THREADS) {
		places.no_ways = "they are for a command that is run, or for CPUs (-a, -C): what runs "
				 "already may be in a group of somebody else";
	}
	code = hold_both(cmd, ctx, with, NULL, &places, hold);
	free(online);
	return code;
}

static void say_left(void *cmd, const struct pmuctl_left *left)
{
	complain(cmd, 0, "warning: feature %s of CPU %u was held at %" PRIu64 " and is %" PRIu64
		 " now: somebody else wrote it meanwhile, so it is left as it is", left->name,
		 left->cpu, left->wrote, left->now);
}

void features_release(const char *cmd, struct pmuctl *ctx, struct pmuctl_hold *hold)
{
	ways_release(cmd);
	if (pmuctl_hold_release(hold, say_left, (void *)cmd))
		complain(cmd, 0, "warning: features: %s", pmuctl_error(ctx));
}
