/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs and settings that run by turns, pair by pair: what compare and cost share.
 *
 *	struct pairs p = { .cmd = "compare", .args = &args, .sets = &set, .nr_sets = 1, ... };
 *	code = pairs_make_contests(&p);
 *	code = pairs_open_energy(&p);	where p.energy
 *	p.ctx and the events of the sets, and how many pairs are wanted: p.room
 *	code = pairs_run(&p);		calls p.take() behind each run that is to be used
 *	pairs_warn(&p);			a busy sibling, a clock that drifted
 *	pairs_free(&p);
 */
#ifndef PMUCTL_PAIRS_H
#define PMUCTL_PAIRS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/options.h"
#include "tools/run/counting.h"
#include "tools/run/energy.h"
#include "tools/run/events.h"
#include "tools/run/features.h"

#define PAIRS_USUAL	12
#define PAIRS_MOST	1000

/* ---- what runs ------------------------------------------------------------------------------ */

/* Under what a program runs; all zero: as it is. */
struct mode {
	char *name;
	const char **settings;	/* VAR=VALUE */
	size_t nr_settings;
	unsigned int *cpus;
	size_t nr_cpus;		/* 0: wherever */
	struct option_list features;	/* of the processor */
};

/* What is said of it on a command line. */
struct pair_args {
	unsigned int pairs;	/* 0: not given */
	uint64_t seed;
	bool no_shuffle;
	struct mode *modes;
	size_t nr_modes;
	struct mode cpu;	/* what -C says, for modes that say nothing of CPUs */
	struct option_list with;	/* features of all modes that have no other value */
	char **programs[2];
	size_t nr_programs;
};

/* side.c: where its programs may run. */
void pair_cpus(const struct pair_args *args, cpu_set_t *set);
/* mode.c: the rows of these options; type is the command's structure, with `runs` of the above. */
int take_mode(const struct option_use *use);
/* --toggle: as it is, and a mode for each of these. */
int take_toggle(const struct option_use *use);
int take_pair_cpus(const struct option_use *use);
int take_core(const struct option_use *use);
#define OPTION_PAIRS(type, text)						\
	{ 'r', "repeat", "PAIRS", take_uint, offsetof(type, runs.pairs), 1, PAIRS_MOST, .help = (text) }
#define OPTIONS_ORDER(type)							\
	{ 0, "seed", "N", take_u64, offsetof(type, runs.seed), 0, INT64_MAX,	\
	  .help = "another order and other environments; 1 by default" },	\
	{ 0, "no-shuffle", NULL, take_flag, offsetof(type, runs.no_shuffle),	\
	  .help = "do not vary the size of the environment from run to run" }
#define OPTIONS_MODES(type, text)						\
	{ 0, "mode", "NAME[=SETTING]", take_mode, offsetof(type, runs), .help = (text) },	\
	{ 'C', "cpu", "CPUS", take_pair_cpus, offsetof(type, runs.cpu),		\
	  .help = "run on these CPUs, like 0,2-3" },				\
	{ 0, "core", "N", take_core, offsetof(type, runs.cpu),			\
	  .help = "run on this CPU alone, and say if the other thread of its core was busy" },	\
	OPTION_WITH(type, runs.with)

/* Words from optind on, with "--" between the programs, which becomes the end of the first. */
int pair_args_programs(const char *cmd, struct pair_args *args, int argc, char **argv);
void pair_args_free(struct pair_args *args);

/* One of the two that run by turns. */
struct side {
	char **command;
	const struct mode *mode;
};

/* What is run beside what; with two programs there is a contest for each mode. */
struct contest {
	const char *name;	/* the mode; NULL: there is but one contest */
	struct side sides[2];
};

/*
 * side.c: which side of a pair is first, and how many bytes a run's environment gets more:
 * decided by the seed, whatever was asked before.
 */
unsigned int order_first(uint64_t seed, size_t contest, size_t pair);
size_t order_padding(uint64_t seed, size_t contest, size_t pair, unsigned int side);

/*
 * Forks the side's program with its environment, made longer by `padding` bytes (-1: not), and on
 * its CPUs; it waits for its exec.  Returns 0, or the exit code.
 */
int side_fork(const char *cmd, const struct side *side, const struct mode *cpu, long padding,
	      struct child *child);
/*
 * Holds what all runs have, and then what this side's mode has, on the CPUs that it runs on.  0, or
 * the exit code; *hold is for features_release().
 */
int side_hold(const char *cmd, struct pmuctl *ctx, const struct side *side,
	      const struct pair_args *args, struct pmuctl_hold **hold);
/* Returns 0, or the exit code if a CPU of this mode is not there; what: the option. */
int side_check_cpus(const char *cmd, const char *what, const struct mode *mode);

/* ---- how it runs ---------------------------------------------------------------------------- */

/* What one run has of one event, or of what is made of several. */
struct reading {
	double value;
	const char *why_not;	/* nothing can be made of it; NULL: something can */
	uint32_t flags;		/* enum pmuctl_value_flag */
	double running;		/* ns that it was on a counter; 0 of what is made of several */
};

#define NOT_COUNTED "not counted"

/* Events that are counted in one run, and where among them those are that the clock is told by. */
struct pair_set {
	struct events events;
	size_t cycles, ref_cycles;	/* the number of events: it has them not */
};

/* A run that is over. */
struct pair_run {
	size_t contest, pair;		/* from 0 on */
	unsigned int side;
	size_t set;			/* which one was counted */
	const struct reading *counted;	/* by event of that set */
	double seconds;
	double joules;			/* of all packages; below 0: not measured */
};

struct watch;

struct pairs {
	const char *cmd;
	const char *what_fails;		/* "compared": what does not become of a run that fails */
	struct pair_args *args;
	struct pmuctl *ctx;
	struct pair_set *sets;		/* pair by pair another one */
	size_t nr_sets;
	size_t room;			/* pairs that are wanted */
	bool energy;			/* that of the packages is measured as well */
	/* Before each run, the warm-up's as well; may be NULL.  0, or the exit code. */
	int (*begin)(void *data, size_t contest, unsigned int side);
	/* A run that is no warm-up is over; 0, or the exit code. */
	int (*take)(void *data, const struct pair_run *run);
	void *data;

	struct contest *contests;
	size_t nr_contests;
	size_t done;			/* pairs that are complete */
	bool terminal;			/* somebody can see how far we are */
	unsigned int runs;		/* that are over */
	uint64_t began_ns;
	struct counting c;
	struct targets targets;
	const struct pair_set *set;	/* that is counted now */
	struct reading *counted;
	struct watch *watch;
	struct pmuctl_hold *hold;	/* features of the run; NULL: none */
	struct energy *meter;		/* NULL: no energy is measured */
	double joules;			/* of the run that is over */
	double shortest;		/* seconds of a run that is no warm-up; 0: none so far */
};

/*
 * Two programs: under each mode.  One: under the first mode and each of the others, or beside
 * itself.  0, or the exit code.
 */
int pairs_make_contests(struct pairs *p);
/*
 * Where p->energy is set: 0, or the exit code if energy cannot be measured here, which it says.
 * Else nothing.
 */
int pairs_open_energy(struct pairs *p);
/* Before the context: fills in what no caller decides. */
void pairs_init(struct pairs *p);
/* The warm-up and all pairs, as far as no signal ends them; 0, or the exit code. */
int pairs_run(struct pairs *p);
void pairs_free(struct pairs *p);

/* ---- watch.c: what else the machine did meanwhile ------------------------------------------- */

/*
 * Adds cycles and reference cycles to what the set counts, if the counters have room for them
 * beside its events, or finds them among these; without reference cycles where the counter of
 * those is the sibling's.  The contests are there.  0, or the exit code.
 */
int pair_set_watch(struct pairs *p, struct pair_set *set);
/* Before the first run, before and behind each, and behind the last. */
int watch_open(struct pairs *p);
void watch_begin(struct pairs *p);
void watch_end(struct pairs *p);
void watch_close(struct watch *w);
/* Says on standard error what makes the runs, or their energy, doubtful. */
void pairs_warn(const struct pairs *p);

#endif
