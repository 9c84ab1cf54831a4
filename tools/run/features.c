// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Features of the processor that are held while something runs: --with, and modes of pairs.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/run/features.h"
#include "tools/run/targets.h"

int check_features(const char *cmd, const char *what, const char *text)
{
	struct pmuctl *ctx;
	int code = open_context(cmd, NULL, &ctx);

	if (code)
		return code;
	if (pmuctl_check_features(ctx, text))
		code = complain(cmd, EXIT_USAGE, "%s '%s': %s", what, text, pmuctl_error(ctx));
	pmuctl_close(ctx);
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
	fprintf(stderr, " %s the same features, as %s a core or a package with what was named\n",
		count == 1 ? "has" : "have", count == 1 ? "it shares" : "they share");
}

static int hold_text(const char *cmd, struct pmuctl *ctx, const char *text,
		     const unsigned int *cpus, size_t count, struct pmuctl_hold **hold)
{
	if (pmuctl_hold_features(ctx, text, cpus, count, hold))
		return complain(cmd, EXIT_FAILED, "cannot hold '%s': %s", text, pmuctl_error(ctx));
	say_also(cmd, *hold);
	return 0;
}

int features_hold(const char *cmd, struct pmuctl *ctx, const struct option_list *first,
		  const struct option_list *second, const unsigned int *cpus, size_t count,
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
	code = hold_text(cmd, ctx, text, cpus, count, hold);
	free(text);
	return code;
}

int features_hold_for(const char *cmd, struct pmuctl *ctx, const struct option_list *with,
		      const struct targets *targets, struct pmuctl_hold **hold)
{
	bool some = targets->kind == TARGET_CPUS;

	return features_hold(cmd, ctx, with, NULL, some ? targets->cpus : NULL,
			     some ? targets->nr_cpus : 0, hold);
}

static void say_left(void *cmd, const struct pmuctl_left *left)
{
	complain(cmd, 0, "warning: feature %s of CPU %u was held at %" PRIu64 " and is %" PRIu64
		 " now: somebody else wrote it meanwhile, so it is left as it is", left->name,
		 left->cpu, left->wrote, left->now);
}

void features_release(const char *cmd, struct pmuctl *ctx, struct pmuctl_hold *hold)
{
	if (pmuctl_hold_release(hold, say_left, (void *)cmd))
		complain(cmd, 0, "warning: features: %s", pmuctl_error(ctx));
}
