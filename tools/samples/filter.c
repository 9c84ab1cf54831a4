// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which samples were asked for, by -c, -d, -S, -C, --pid, --tid and --time; and what of that no
 * sample has.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/samples/filter.h"
#include "tools/samples/text.h"

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
static void complain_unused(const char *cmd, const char *option, const char *what,
			    const struct name_list *list)
{
	size_t at = 0, end;

	for (; list->text && at < list->length; at = end + 1) {
		for (end = at; !list->ends[end]; end++)
			;
		if (end > at && !list->used[at])
			complain(cmd, 0, "%s: no sample is %s '%.*s'", option, what,
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

static bool is_cpu_wanted(const struct filter_args *args, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < args->cpus_count; i++)
		if (args->cpus[i] == cpu)
			return true;
	return !args->cpus;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void free_list(struct name_list *list)
{
	free(list->ends);
	free(list->used);
}

void filter_close(struct filter *f)
{
	free_list(&f->comms);
	free_list(&f->dsos);
	free_list(&f->symbols);
	free(f->dso_wanted);
}

bool samples_have(const struct pmuctl_data_info *info, uint64_t field)
{
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (info->events[i].sample_type & field)
			return true;
	return false;
}

/* What was asked for and no sample says would be an empty answer. */
static int check_file(const struct filter *f, const char *input)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(f->data);
	const struct filter_args *args = f->args;

	if (args->cpus && !samples_have(info, PERF_SAMPLE_CPU))
		return complain(f->cmd, EXIT_FAILED, "-C: %s does not say on which CPUs its samples "
				"were: perf record does with --sample-cpu, or with -a", input);
	if ((args->pids || args->tids || args->comms) && !samples_have(info, PERF_SAMPLE_TID))
		return complain(f->cmd, EXIT_FAILED, "-c, --pid and --tid: %s does not say of which "
				"tasks its samples are", input);
	if (args->time && !samples_have(info, PERF_SAMPLE_TIME))
		return complain(f->cmd, EXIT_FAILED, "--time: %s does not say when its samples were: "
				"perf record does with -T", input);
	return 0;
}

struct span {
	uint64_t first, last;
};

static int widen(void *data, const struct pmuctl_data_sample *sample)
{
	struct span *span = data;

	if (sample->clock && sample->clock < span->first)
		span->first = sample->clock;
	if (sample->clock > span->last)
		span->last = sample->clock;
	return 0;
}

static uint64_t clock_of(const struct moment *moment, const struct span *span, uint64_t without)
{
	double part = moment->part * (double)(span->last - span->first);

	switch (moment->kind) {
	case MOMENT_CLOCK:
		return moment->ns;
	case MOMENT_SINCE:
		return moment->ns > UINT64_MAX - span->first ? UINT64_MAX :
							       span->first + moment->ns;
	case MOMENT_PART:
		return span->first + (uint64_t)part;
	default:
		return without;
	}
}

/* Of a file all is known once it was read: only then what is a part of it. */
static int set_time(struct filter *f)
{
	const struct moment *from = &f->args->from, *to = &f->args->to;
	struct span span = { UINT64_MAX, 0 };
	int err = 0;

	if (from->kind > MOMENT_CLOCK || to->kind > MOMENT_CLOCK)
		err = pmuctl_data_samples(f->data, widen, &span);
	if (err)
		return complain(f->cmd, EXIT_FAILED, "--time: %s", strerror(-err));
	if (span.first > span.last)
		span.first = span.last;
	f->from = clock_of(from, &span, 0);
	f->to = clock_of(to, &span, UINT64_MAX);
	if (f->from <= f->to)
		return 0;
	return complain(f->cmd, EXIT_USAGE, "--time '%s': that ends before it begins", f->args->time);
}

int filter_open(struct filter *f, const char *cmd, const struct filter_args *args,
		const char *input, struct pmuctl_data *data)
{
	int code;

	*f = (struct filter){ .cmd = cmd, .args = args, .data = data };
	code = check_file(f, input);
	if (!code && args->time)
		code = set_time(f);
	if (code)
		return code;
	if (read_list(&f->comms, args->comms) || read_list(&f->dsos, args->dsos) ||
	    read_list(&f->symbols, args->symbols))
		return complain(cmd, EXIT_FAILED, "%s", strerror(ENOMEM));
	return 0;
}

bool filter_asks(const struct filter *f)
{
	const struct filter_args *a = f->args;

	return a && (a->comms || a->pids || a->tids || a->time || a->cpus);
}

bool filter_is_there(struct filter *f, const struct pmuctl_data_sample *sample)
{
	bool cpu, time;

	if (!f->args)
		return true;
	cpu = is_cpu_wanted(f->args, sample->cpu);
	time = !f->args->time || (sample->clock >= f->from && sample->clock <= f->to);
	f->cpu |= cpu;
	f->time |= time;
	return cpu && time;
}

bool filter_wants_task(struct filter *f, const struct pmuctl_data_sample *sample)
{
	bool pid, tid;

	if (!f->args)
		return true;
	pid = number_in_list(f->args->pids, sample->pid);
	tid = number_in_list(f->args->tids, sample->tid);
	f->pid |= pid;
	f->tid |= tid;
	return pid && tid && (!f->args->comms ||
			      in_list(&f->comms, pmuctl_data_comm(f->data, sample->tid,
								  sample->time)));
}

/* "/usr/lib/libc.so.6" by that, by "libc.so.6", or by the name that tables have. */
static bool is_dso_named(const struct filter *f, uint32_t dso)
{
	const char *name = pmuctl_data_dso(f->data, dso), *slash = strrchr(name, '/');
	char *shown;
	bool wanted;

	if (in_list(&f->dsos, name) || (slash && in_list(&f->dsos, slash + 1)))
		return true;
	shown = dso_text(f->data, dso);
	wanted = shown && in_list(&f->dsos, shown);
	free(shown);
	return wanted;
}

bool filter_wants_dso(struct filter *f, uint32_t dso)
{
	char *more;

	if (!f->dsos.text)
		return true;
	if (dso >= f->dsos_room) {
		more = realloc(f->dso_wanted, 2 * (size_t)dso + 16);
		if (!more)
			return is_dso_named(f, dso);
		memset(more + f->dsos_room, 0, 2 * (size_t)dso + 16 - f->dsos_room);
		f->dso_wanted = more;
		f->dsos_room = 2 * (size_t)dso + 16;
	}
	if (!f->dso_wanted[dso])
		f->dso_wanted[dso] = is_dso_named(f, dso) ? 'y' : 'n';
	return f->dso_wanted[dso] == 'y';
}

bool filter_wants_symbol(struct filter *f, const char *name)
{
	return !f->symbols.text || (name && in_list(&f->symbols, name));
}

bool filter_wants(struct filter *f, const struct pmuctl_data_sample *sample)
{
	struct pmuctl_symbol symbol;
	struct pmuctl_place place;

	if (!filter_is_there(f, sample) || !filter_wants_task(f, sample))
		return false;
	if (!f->dsos.text && !f->symbols.text)
		return true;
	pmuctl_data_sample_place(f->data, sample, &place);
	if (!filter_wants_dso(f, place.dso))
		return false;
	if (!f->symbols.text)
		return true;
	pmuctl_data_symbol(f->data, &place, &symbol);
	return filter_wants_symbol(f, symbol.name);
}

void filter_complain_unused(const struct filter *f)
{
	const struct filter_args *args = f->args;

	if (!args)
		return;
	if (args->time && !f->time)
		complain(f->cmd, 0, "--time %s: no sample is of that time", args->time);
	else if (args->cpus && !f->cpu)
		complain(f->cmd, 0, "-C: no sample is of these CPUs");
	else if (args->pids && !f->pid)
		complain(f->cmd, 0, "--pid %s: no sample is of these processes", args->pids);
	else if (args->tids && !f->tid)
		complain(f->cmd, 0, "--tid %s: no sample is of these threads", args->tids);
	complain_unused(f->cmd, "-c", "of a task named", &f->comms);
	complain_unused(f->cmd, "-d", "in a DSO named", &f->dsos);
	complain_unused(f->cmd, "-S", "in a symbol named", &f->symbols);
}
