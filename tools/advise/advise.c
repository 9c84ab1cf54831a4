// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The steps of pmuctl analyze --advise, from what is counted to what is to be done.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/pmuctl-cost.h"
#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/record/record.h"

static int check_event(struct advise *a, const char *event)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = 1000003 };
	char *text = event_in_ring(event, a->ring, "pp");
	int err = text ? record_try(a->ctx, text, &sampling) : -ENOMEM;

	free(text);
	if (!err)
		return 0;
	complain(a->cmd, 0, "--advise: where retirement waits is told by samples of %s by PEBS: %s", event,
		 err == -ENOMEM ? "out of memory" : pmuctl_error(a->ctx));
	diagnose(a->ctx, err, stderr);
	return EXIT_FAILED;
}

/* The command as it is. */
static const struct mode plain;

/*
 * Where nobody has published how long a load takes that the first level has: as on the slowest of
 * all others, so that no more is promised than there is.
 */
#define LOAD_CYCLES_MOST 5

int advise_check(struct advise *a)
{
	struct pmuctl_cost_floor lowest = { .size = sizeof(lowest) };
	int code;

	table_init(&a->spots, sizeof(struct hot_spot));
	a->side = (struct side){ .command = a->command, .mode = &plain };
	if (pmuctl_cost_get_floor(a->ctx, &lowest))
		return complain(a->cmd, EXIT_FAILED, "--advise: %s", pmuctl_error(a->ctx));
	a->load_cycles = lowest.load ? lowest.load : LOAD_CYCLES_MOST;
	a->width = lowest.width;
	code = check_event(a, "cycles");
	return code ? code : check_event(a, "instructions");
}

int advise_run(struct advise *a)
{
	int code = advise_count(a);

	if (!code)
		code = advise_times(a);
	if (!code)
		code = advise_find_clues(a);
	return code ? code : advise_find_remedies(a);
}

void advise_free(struct advise *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		free(a->findings[i].text);
	free(a->findings);
	for (i = 0; i < RUNS; i++) {
		if (a->runs[i].text)
			sampling_close(&a->runs[i].s);
		free(a->runs[i].text);
	}
	for (i = 0; i < CLUES; i++) {
		free(a->clues[i].event);
		free(a->clues[i].why_not);
	}
	code_files_free(&a->files);
	table_free(&a->spots, NULL);
}
