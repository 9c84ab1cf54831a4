// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kinds of cores that are counted on, and which of them have an event.
 */
#include "tools/base/base.h"
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

int need_one_kind(const char *cmd, struct pmuctl *ctx)
{
	return pmuctl_one_kind(ctx) ? complain(cmd, EXIT_FAILED, "%s", pmuctl_error(ctx)) : 0;
}

int kind_alone(uint32_t mask)
{
	return mask && !(mask & (mask - 1)) ? __builtin_ctz(mask) : -1;
}

unsigned int kind_of_cpu(const struct kinds *kinds, unsigned int cpu)
{
	unsigned int k;

	for (k = 0; k < kinds->count; k++)
		if (pmuctl_kind_has_cpu(&kinds->list[k], cpu))
			break;
	return k;
}
