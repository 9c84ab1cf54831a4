/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which samples of a perf.data file are asked for: by task, place, CPU and time.
 */
#ifndef PMUCTL_FILTER_H
#define PMUCTL_FILTER_H

#include "tools/base/base.h"
#include "tools/base/options.h"

/* One end of --time. */
struct moment {
	enum { MOMENT_NONE, MOMENT_CLOCK, MOMENT_SINCE, MOMENT_PART } kind;
	uint64_t ns;		/* by the clock, or since the first sample */
	double part;		/* of all the time, 0 to 1 */
};

/* As the command line has it. */
struct filter_args {
	/* Names between commas; NULL: all. */
	const char *comms, *dsos, *symbols;
	const char *pids, *tids;
	const char *time;
	struct moment from, to;	/* if there is `time` */
	unsigned int *cpus;	/* freed by filter_args_free() */
	size_t cpus_count;
};

int filter_take_cpus(const struct option_use *use);
int filter_take_numbers(const struct option_use *use);
int filter_take_time(const struct option_use *use);

#define FILTER_AT(type, field)	offsetof(type, filter.field)
#define FILTER_TEXT(type, field) take_text, FILTER_AT(type, field), .what = "what follows"

/* Rows of them; the command's structure has a struct filter_args `filter`. */
#define OPTIONS_FILTER_PLACE(type)							\
	{ 'd', "dsos", "NAMES", FILTER_TEXT(type, dsos), .usage = "-d DSOS",		\
	  .help = "only these DSOs, by path or its last part" },			\
	{ 'S', "symbols", "NAMES", FILTER_TEXT(type, symbols), .usage = "-S SYMBOLS",	\
	  .help = "only these symbols" }
#define OPTIONS_FILTER(type)								\
	{ 'c', "comms", "NAMES", FILTER_TEXT(type, comms), .usage = "-c COMMS",		\
	  .help = "only these tasks" },							\
	{ 'C', "cpu", "CPUS", filter_take_cpus, offsetof(type, filter),			\
	  .help = "only these CPUs" },							\
	{ 0, "pid", "PIDS", filter_take_numbers, FILTER_AT(type, pids),			\
	  .help = "only these processes" },						\
	{ 0, "tid", "TIDS", filter_take_numbers, FILTER_AT(type, tids),			\
	  .help = "only these threads" },						\
	{ 0, "time", "FROM,TO", filter_take_time, offsetof(type, filter),		\
	  .help = "only from then to then: seconds as script has them, +1.5 from the first sample, 10% of all the time" }

void filter_args_free(struct filter_args *args);

/* The names of -c, -d or -S; text NULL: there is no list. */
struct name_list {
	const char *text;
	size_t length;
	bool *ends;	/* by byte of the text: an entry ends before it */
	bool *used;	/* ... it is part of a name that was met */
};

/* Whether samples of any event have this field, of PERF_SAMPLE_*. */
bool samples_have(const struct pmuctl_data_info *info, uint64_t field);

/* All zero: everything is wanted. */
struct filter {
	const char *cmd;
	const struct filter_args *args;
	struct pmuctl_data *data;
	struct name_list comms, dsos, symbols;
	char *dso_wanted;		/* by DSO: 'y', 'n', or 0: not asked yet */
	size_t dsos_room;
	uint64_t from, to;		/* ns, if there is args->time */
	bool cpu, pid, tid, time;	/* one of those that were asked for was met */
};

/*
 * Of the file `input`, which has to say what is asked of it; 0, or the exit code after a
 * complaint.  filter_close() in either case.
 */
int filter_open(struct filter *filter, const char *cmd, const struct filter_args *args,
		const char *input, struct pmuctl_data *data);
void filter_close(struct filter *filter);

/* Whether tasks, CPUs or a time are asked for: places can be left out later. */
bool filter_asks(const struct filter *filter);
/*
 * Whether it is one of those that were asked for.  As in perf, other CPUs and times are as if they
 * were not in the file; what the others leave out is a part of all.
 */
bool filter_is_there(struct filter *filter, const struct pmuctl_data_sample *sample);
bool filter_wants_task(struct filter *filter, const struct pmuctl_data_sample *sample);
bool filter_wants_dso(struct filter *filter, uint32_t dso);
/* name NULL: there is no symbol */
bool filter_wants_symbol(struct filter *filter, const char *name);
/* All of it, and the place is the sample's own. */
bool filter_wants(struct filter *filter, const struct pmuctl_data_sample *sample);
/* That what was asked for was not met, once all samples were looked at. */
void filter_complain_unused(const struct filter *filter);

#endif
