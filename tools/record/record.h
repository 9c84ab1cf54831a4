/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl record tell each other.
 */
#ifndef PMUCTL_RECORD_H
#define PMUCTL_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/base/options.h"
#include "tools/record/rotate.h"
#include "tools/run/command.h"
#include "tools/run/events.h"
#include "tools/run/targets.h"

#define FREQUENCY_MAX UINT32_MAX
/* Of -c. */
#define PERIOD_MAX (1ull << 47)

struct record_args {
	struct targets targets;
	bool no_inherit;

	struct option_list events;	/* of every -e */
	const char *events_dir;		/* NULL: not given */
	bool no_multiplex;
	struct option_list with;	/* features that are held */

	uint64_t period;		/* -c; 0: not given */
	const uint64_t *periods;	/* of each event, instead of that; NULL: none */
	struct option_list counted;	/* events beside those, without samples */
	uint32_t frequency;		/* -F; FREQUENCY_MAX: what the module takes */
	unsigned int random_bits;
	uint64_t content;		/* enum pmuctl_sample_content bits */
	uint32_t stack;			/* bytes of a copy; 0: none */
	uint64_t ring;			/* bytes of a CPU; 0: the kernel's choice */
	bool off_cpu;			/* where threads wait, too */
	uint64_t off_cpu_min;		/* us: no waits that are shorter */

	unsigned int delay;		/* ms */
	unsigned int timeout;
	bool watchdog_off;
	bool strict;
	bool force_overflow;		/* a sample of each event */
	bool quiet;
	bool verbose;

	unsigned int rotate;		/* ms; 0: into one file */
	const char *pprof;		/* a directory of profiles instead; NULL: none */
	bool cpu_label;
	uint64_t keep, keep_bytes;	/* so much of them stays; 0: all */

	const char *output;
	int piped;			/* the pipe that it is, instead; 0: it is none */
	bool live;			/* it is read as it is written, and not kept */
	char **command;			/* NULL: none */
	char **argv;			/* all of it, for the file */
};

extern const struct option_row record_options[];

/* -F, which may be `max`, and -m: of what begins with a struct record_args. */
int record_take_frequency(const struct option_use *use);
int record_take_buffer(const struct option_use *use);
/* record/args.c: 0, or the exit code. */
int record_args_parse(struct record_args *args, int argc, char **argv);
void record_args_free(struct record_args *args);

/* record/try.c: 0 if the event can be sampled so, by a task; else why not is pmuctl_error(). */
int record_try(struct pmuctl *ctx, const char *text, const struct pmuctl_sampling *sampling);

/* What became of the samples of one event, over all CPUs. */
struct record_ledger {
	uint64_t produced, written, lost, collisions, throttled, uncertain, overruns, stalled;
	uint64_t count;		/* of the event itself */
};

struct record {
	const char *cmd;		/* the subcommand, for what is complained of */
	struct record_args args;
	struct pmuctl *ctx;
	struct pmuctl_session *session;
	struct pmuctl_dump *dump;
	int file;			/* that it writes, by O_PATH; 0: none that has a name */
	struct events events;
	struct child child;
	bool watchdog;			/* was on when the session was made */
	bool running;			/* the session was started */
	bool terminal;			/* there is progress to be shown */
	struct outlet *progress;	/* on it; NULL: none */
	struct record_ledger *ledger;	/* one an event of the session */
	size_t nr_ledger;
	uint32_t flags;			/* of all counts */
	struct pmuctl_dump_info info;	/* of files that are closed, together */
	uint64_t last_samples;		/* of the last one of them */
	struct rotation rotation;	/* with --rotate */
	char *new_name;			/* of the file, until it has its own; NULL: it has */
};

/* Each returns 0 or the exit code, after saying why. */

/* record/run.c: all of it, in an open context, until the command has ended. */
int record_run(struct record *r);
/* All but args and ctx. */
void record_free(struct record *r);

/* record/session.c */
int record_add_events(struct record *r);
int record_make_session(struct record *r);
int record_start(struct record *r);
int record_stop(struct record *r);
int record_open_dump(struct record *r);
/* Now that there is something to record: gives the file its name. */
int record_publish(struct record *r);
/* A file is closed. */
void record_add_info(struct record *r, const struct pmuctl_dump_info *info);
/* Of the file that is being written. */
const char *record_path(const struct record *r);
/* The file goes if it never got its name. */
void record_drop_name(struct record *r);
/* What is there to the file; flush: of the hardware's buffers, too. */
int record_take(struct record *r, bool flush);

/* record/wait.c: until the command or the processes end, a signal comes or the time is over. */
int record_wait(struct record *r);

/* record/summary.c */
void record_progress(const struct record *r);
int record_read_ledger(struct record *r);
/* The last lines; the exit code of --strict if a sample was lost, else 0. */
int record_summary(const struct record *r);

#endif
