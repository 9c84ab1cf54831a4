// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kinds of cores that are counted on, and which of them have an event.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/run/kinds.h"

void kinds_find(struct pmuctl *ctx, struct kinds *kinds)
{
	int count = pmuctl_kinds(ctx), i;

	kinds->count = 0;
	for (i = 0; i < count; i++) {
		kinds->list[i].size = sizeof(kinds->list[i]);
		if (pmuctl_kind_get(ctx, (unsigned int)i, &kinds->list[i]))
			return;
	}
	kinds->count = (unsigned int)count;
}

uint32_t kinds_of_event(const struct kinds *kinds, const struct pmuctl_event *event)
{
	uint32_t mask = 0;
	unsigned int k;

	for (k = 0; k < kinds->count; k++)
		if (pmuctl_event_of_kind(event, k))
			mask |= 1u << k;
	return mask;
}

int kind_alone(uint32_t mask)
{
	return mask && !(mask & (mask - 1)) ? __builtin_ctz(mask) : -1;
}

char *kind_event(const struct pmuctl_kind *kind, const char *event, const char *modifiers)
{
	return kind ? new_text("%s/%s/%s", kind->pmu, event, modifiers) :
		      new_text("%s%s%s", event, *modifiers ? ":" : "", modifiers);
}

/* "0-3,8" */
static void put_cpus(FILE *out, const struct pmuctl_kind *kind)
{
	size_t i, last;

	for (i = 0; i < kind->cpus_count; i = last + 1) {
		for (last = i; last + 1 < kind->cpus_count &&
			       kind->cpus[last + 1] == kind->cpus[last] + 1; last++)
			;
		fprintf(out, "%s%u", i ? "," : "", kind->cpus[i]);
		if (last > i)
			fprintf(out, "-%u", kind->cpus[last]);
	}
}

static int refuse_several(const char *cmd, const struct kinds *kinds)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	unsigned int k;

	for (k = 0; out && k < kinds->count; k++) {
		fprintf(out, "%s`taskset -c ", !k ? "" : k + 1 < kinds->count ? ", " : " or ");
		put_cpus(out, &kinds->list[k]);
		fprintf(out, " pmuctl %s ...` (%s)", cmd, kinds->list[k].name);
	}
	if (out)
		fclose(out);
	complain(cmd, 0, "cores are of several kinds here, and what this finds is of one: have all "
			 "of it run on such, by %s", text ? text : "taskset");
	free(text);
	return EXIT_FAILED;
}

int need_one_kind(const char *cmd, struct pmuctl **ctx, const cpu_set_t *where)
{
	struct kinds kinds;
	uint32_t mask = 0;
	unsigned int cpu;

	kinds_find(*ctx, &kinds);
	if (!kinds.count)
		return 0;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, where))
			mask |= 1u << kind_of_cpu(&kinds, cpu);
	/* Of no kind are CPUs that were never online. */
	mask &= (1u << kinds.count) - 1;
	if (kind_alone(mask) < 0)
		return refuse_several(cmd, &kinds);
	return pmuctl_narrow(ctx, (unsigned int)kind_alone(mask)) ?
	       complain(cmd, EXIT_FAILED, "%s", pmuctl_error(*ctx)) : 0;
}

unsigned int kind_of_cpu(const struct kinds *kinds, unsigned int cpu)
{
	unsigned int k;

	for (k = 0; k < kinds->count; k++)
		if (pmuctl_kind_has_cpu(&kinds->list[k], cpu))
			break;
	return k;
}
