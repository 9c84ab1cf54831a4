// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which samples pmuctl report was asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/report/run.h"

/* Whether `name` stands in a list with commas. */
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

/* The list was looked at when it was given.  No list has all. */
static bool number_in_list(const char *list, uint32_t number)
{
	char *end;

	if (!list)
		return true;
	for (;; list = end + 1) {
		if (strtol(list, &end, 10) == (int32_t)number)
			return true;
		if (!*end)
			return false;
	}
}

bool report_has(const struct pmuctl_data_info *info, uint64_t field)
{
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (info->events[i].sample_type & field)
			return true;
	return false;
}

bool report_wants_cpu(const struct report_args *args, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < args->cpus_count; i++)
		if (args->cpus[i] == cpu)
			return true;
	return !args->cpus;
}

/* "/usr/lib/libc.so.6" by that, by "libc.so.6", or by the name that tables have. */
static bool dso_wanted(const struct profile *r, uint32_t dso)
{
	const char *list = r->args->dsos, *name, *slash;
	char *shown;
	bool wanted;

	if (!list)
		return true;
	name = pmuctl_data_dso(r->data, dso);
	slash = strrchr(name, '/');
	if (in_list(list, name) || (slash && in_list(list, slash + 1)))
		return true;
	shown = report_dso_text(r, dso, true);
	wanted = shown && in_list(list, shown);
	free(shown);
	return wanted;
}

static bool symbol_wanted(const struct profile *r, const struct report_spot *spot)
{
	const char *name;

	if (!r->args->symbols)
		return true;
	name = r->functions[spot->function].name;
	return name && in_list(r->args->symbols, name);
}

bool report_wants_sample(const struct profile *r, const struct pmuctl_data_sample *sample)
{
	const struct report_args *args = r->args;

	return number_in_list(args->pids, sample->pid) &&
	       number_in_list(args->tids, sample->tid) &&
	       (!args->comms ||
		in_list(args->comms, pmuctl_data_comm(r->data, sample->tid, sample->time)));
}

bool report_wants_spot(const struct profile *r, const struct report_spot *spot)
{
	return dso_wanted(r, spot->place.dso) && symbol_wanted(r, spot);
}
