// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which samples pmuctl report was asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "report_run.h"

/* Whether `name` stands in a list with commas; no list has all. */
static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name);

	while (list) {
		size_t entry = strcspn(list, ",");

		if (entry == len && !memcmp(list, name, len))
			return true;
		list = list[entry] ? list + entry + 1 : NULL;
	}
	return false;
}

static bool number_in_list(const char *list, uint32_t number)
{
	char text[16];

	if (!list)
		return true;
	snprintf(text, sizeof(text), "%d", (int)number);
	return in_list(list, text);
}

static bool cpu_wanted(const struct report_args *args, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < args->cpus_count; i++)
		if (args->cpus[i] == cpu)
			return true;
	return !args->cpus;
}

/* "/usr/lib/libc.so.6" by that, or by "libc.so.6". */
static bool dso_wanted(const struct profile *r, uint32_t spot)
{
	const char *name, *slash;

	if (!r->args->dsos)
		return true;
	name = pmuctl_data_dso(r->data, r->spots[spot].place.dso);
	slash = strrchr(name, '/');
	return in_list(r->args->dsos, name) || (slash && in_list(r->args->dsos, slash + 1));
}

static bool symbol_wanted(const struct profile *r, uint32_t spot)
{
	const char *name;

	if (!r->args->symbols)
		return true;
	name = r->functions[r->spots[spot].function].name;
	return name && in_list(r->args->symbols, name);
}

bool report_wants_sample(const struct profile *r, const struct pmuctl_data_sample *sample)
{
	const struct report_args *args = r->args;

	return cpu_wanted(args, sample->cpu) && number_in_list(args->pids, sample->pid) &&
	       number_in_list(args->tids, sample->tid) &&
	       (!args->comms ||
		in_list(args->comms, pmuctl_data_comm(r->data, sample->tid, sample->time)));
}

bool report_wants_spot(const struct profile *r, uint32_t spot)
{
	return dso_wanted(r, spot) && symbol_wanted(r, spot);
}
