// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may be wrong with a count, in words.
 */
#include "tools/base/base.h"
#include "tools/base/flags.h"

static const struct {
	uint32_t flag;
	const char *key;	/* in JSON */
	const char *note;	/* beside the count */
	const char *warning;	/* once, on a line of its own; NULL: none */
} flags[] = {
	{ PMUCTL_VALUE_INCOMPLETE, "incomplete", "incomplete: a child was not followed",
	  "incomplete: at least one child, or one that came into the control group, could not be followed, for lack of memory, by a limit or since another session counts it by the same counters; or a CPU could not be counted, or PEBS lost records; the counts are too low" },
	{ PMUCTL_VALUE_DISTURBED, "disturbed", "disturbed: someone else wrote the PMU",
	  "disturbed: somebody else wrote registers of the PMU meanwhile, the kernel or firmware; the counts may be wrong" },
	{ PMUCTL_VALUE_DETACHED, "detached", "detached: a task gained privilege",
	  "detached: a task was let go of when it gained privilege (a set-user-ID exec or a change of credentials); what it did after that is not counted" },
	{ PMUCTL_VALUE_GUESTS, "guests", "includes guests",
	  "guests: virtual machines ran on this host, and the counts include them" },
	{ PMUCTL_VALUE_ESTIMATE, "estimate", NULL, NULL },
	{ PMUCTL_VALUE_LOST, "lost", "lost: not counted to the end",
	  "lost: somebody with CAP_PERFMON needed the counters, and what came after that is not counted" },
};

void flags_note(uint32_t bits, char *text, size_t at, size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if ((bits & flags[i].flag) && flags[i].note && at < size)
			at += (size_t)snprintf(text + at, size - at, "%s%s", at ? "; " : "",
					       flags[i].note);
}

void flags_print(struct writer *w, uint32_t bits)
{
	size_t i;

	if (writer_format(w) != FORMAT_JSON)
		return;
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		writer_bool(w, flags[i].key, bits & flags[i].flag);
}

static void warn_of(const char *cmd, const struct pmuctl *ctx, size_t i)
{
	const char *reg = flags[i].flag == PMUCTL_VALUE_DISTURBED ?
			  pmuctl_disturbed_register(ctx) : NULL;

	if (reg)
		complain(cmd, 0, "warning: %s: %s", flags[i].warning, reg);
	else
		complain(cmd, 0, "warning: %s", flags[i].warning);
}

void flags_warn(const char *cmd, const struct pmuctl *ctx, uint32_t bits)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if ((bits & flags[i].flag) && flags[i].warning)
			warn_of(cmd, ctx, i);
}
