// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which samples were asked for, by -c, -d, -S, -C, --pid and --tid; and what of that no sample
 * has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/run.h"

/* ---- lists of names ------------------------------------------------------------------------- */

/* Bytes of an operator's name, whose brackets are none; 0: no such name begins here. */
static size_t operator_length(const char *text)
{
	static const char *const names[] = {
		"()", "[]", "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "<", ">",
	};
	const size_t word = strlen("operator");
	size_t i;

	if (strncmp(text, "operator", word) != 0)
		return 0;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(text + word, names[i], strlen(names[i])))
			return word + strlen(names[i]);
	return 0;
}

/* What one opens and the other closes; an arrow is neither. */
static int bracket(const char *text, size_t at)
{
	if (text[at] == '>' && at && text[at - 1] == '-')
		return 0;
	return strchr("(<[{", text[at]) ? 1 : strchr(")>]}", text[at]) ? -1 : 0;
}

/* Commas within brackets belong to a name, unless the brackets are none. */
static void find_commas(struct name_list *list, bool brackets)
{
	size_t i, skip;
	int depth = 0;

	for (i = 0; i < list->length; i += skip) {
		skip = operator_length(list->text + i);
		if (skip)
			continue;
		skip = 1;
		depth += brackets ? bracket(list->text, i) : 0;
		list->ends[i] = list->text[i] == ',' && !depth;
	}
	list->ends[list->length] = true;
	if (depth)
		find_commas(list, false);
}

static int read_list(struct name_list *list, const char *text)
{
	if (!text)
		return 0;
	*list = (struct name_list){ .text = text, .length = strlen(text) };
	list->ends = calloc(list->length + 1, sizeof(*list->ends));
	list->used = calloc(list->length + 1, sizeof(*list->used));
	if (!list->ends || !list->used)
		return -ENOMEM;
	find_commas(list, true);
	return 0;
}

static bool is_start(const struct name_list *list, size_t at)
{
	return !at || list->ends[at - 1];
}

/* No list has all.  A name with commas may reach over several entries. */
static bool in_list(const struct name_list *list, const char *name)
{
	size_t length = strlen(name), at;
	bool found = false;

	if (!list->text)
		return true;
	for (at = 0; at + length <= list->length; at++) {
		if (!is_start(list, at) || !list->ends[at + length] ||
		    memcmp(list->text + at, name, length) != 0)
			continue;
		memset(list->used + at, true, length);
		found = true;
	}
	return found;
}

/* Entries that no name was. */
static void complain_unused(const char *option, const char *what, const struct name_list *list)
{
	size_t at = 0, end;

	for (; list->text && at < list->length; at = end + 1) {
		for (end = at; !list->ends[end]; end++)
			;
		if (end > at && !list->used[at])
			complain("report", 0, "%s: no sample is %s '%.*s'", option, what,
				 (int)(end - at), list->text + at);
	}
}

/* ---- numbers -------------------------------------------------------------------------------- */

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

static bool is_cpu_wanted(const struct report_args *args, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < args->cpus_count; i++)
		if (args->cpus[i] == cpu)
			return true;
	return !args->cpus;
}

/* ---- all of them ---------------------------------------------------------------------------- */

int report_filters_read(struct report_filters *f, const struct report_args *args)
{
	int err = read_list(&f->comms, args->comms);

	if (!err)
		err = read_list(&f->dsos, args->dsos);
	return err ? err : read_list(&f->symbols, args->symbols);
}

static void free_list(struct name_list *list)
{
	free(list->ends);
	free(list->used);
}

void report_filters_free(struct report_filters *f)
{
	free_list(&f->comms);
	free_list(&f->dsos);
	free_list(&f->symbols);
}

bool report_wants_cpu(struct profile *r, uint32_t cpu)
{
	bool wanted = is_cpu_wanted(r->args, cpu);

	r->filters.cpu |= wanted;
	return wanted;
}

bool report_wants_sample(struct profile *r, const struct pmuctl_data_sample *sample)
{
	bool pid = number_in_list(r->args->pids, sample->pid);
	bool tid = number_in_list(r->args->tids, sample->tid);

	r->filters.pid |= pid;
	r->filters.tid |= tid;
	return pid && tid && (!r->args->comms ||
			      in_list(&r->filters.comms, pmuctl_data_comm(r->data, sample->tid,
									  sample->time)));
}

/* "/usr/lib/libc.so.6" by that, by "libc.so.6", or by the name that tables have. */
static bool dso_wanted(const struct profile *r, uint32_t dso)
{
	const struct name_list *list = &r->filters.dsos;
	const char *name, *slash;
	char *shown;
	bool wanted;

	if (!list->text)
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
	return name && in_list(&r->filters.symbols, name);
}

bool report_wants_spot(const struct profile *r, const struct report_spot *spot)
{
	return dso_wanted(r, spot->place.dso) && symbol_wanted(r, spot);
}

void report_complain_unused(const struct profile *r)
{
	const struct report_filters *f = &r->filters;

	if (r->args->cpus && !f->cpu)
		complain("report", 0, "-C: no sample is of these CPUs");
	else if (r->args->pids && !f->pid)
		complain("report", 0, "--pid %s: no sample is of these processes", r->args->pids);
	else if (r->args->tids && !f->tid)
		complain("report", 0, "--tid %s: no sample is of these threads", r->args->tids);
	complain_unused("-c", "of a task named", &f->comms);
	complain_unused("-d", "in a DSO named", &f->dsos);
	complain_unused("-S", "in a symbol named", &f->symbols);
}
