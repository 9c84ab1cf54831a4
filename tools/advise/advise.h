/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A remedy for each hot instruction: how long retirement waits there, which event it waits for,
 * and how much is to be had of it.  What pmuctl analyze --advise does in runs of its own.
 *
 *	struct advise a = { .cmd = "analyze", .ctx = ctx, .command = command, .ring = "u" };
 *	code = advise_check(&a);		before anything runs
 *	code = advise_run(&a);
 *	advise_print(&a, writer);
 *	advise_free(&a);
 */
#ifndef PMUCTL_ADVISE_H
#define PMUCTL_ADVISE_H

#include "tools/base/table.h"
#include "tools/mem/mem.h"
#include "tools/pushout/sampling.h"
#include "tools/samples/code_files.h"

struct writer;

/* Events that an instruction may be waiting for. */
enum clue {
	CLUE_MISSES,		/* of the first level */
	CLUE_SPLITS,		/* loads from two lines */
	CLUE_ALIASES,		/* loads that look like a store of another page */
	CLUE_BLOCKS,		/* loads that a store in front of them blocks */
	CLUE_MISPREDICTIONS,
	CLUES
};

struct clue_count {
	char *event;		/* for pmuctl_event_parse(), without its ring */
	char *why_not;		/* why it is not looked for; NULL: it is */
	double cycles;		/* that one takes by itself */
	double most;		/* ... and at the most, whatever else goes on */
	bool covers;		/* there are worse ones among them, which take longer */
	double count;		/* of a run */
	bool seen;		/* so often that it may matter */
	bool exact;		/* samples name the very instruction; else its function */
};

enum remedy {
	REMEDY_PAD,
	REMEDY_SHIFT,
	REMEDY_ALIGN,
	REMEDY_BLOCK,
	REMEDY_GATHER,
	REMEDY_SELECT,
	REMEDY_WIDEN,
	REMEDIES
};

/* An instruction; its key is the number of its file, and the address. */
struct hot_spot {
	struct table_entry key;
	struct pmuctl_data *data;	/* that names it so: */
	struct pmuctl_place place;
	double waits;			/* cycles that retirement waits for it */
	double times;			/* that it was executed */
	double clues[CLUES];		/* events at it */
};

/* The loop around an instruction. */
struct loop {
	bool found;
	uint64_t first, last;		/* addresses of its instructions */
	double share;			/* of all cycles, that retirement waits in it */
	double least;			/* of them, that its instructions take anyway */
};

/* Shares are of the command's cycles. */
struct finding {
	enum remedy remedy;
	enum clue clue;
	const struct hot_spot *spot;
	double times, times_error;	/* that it ran; half of its interval */
	double share, error;		/* that retirement waits there; how far samples tell it */
	double cycles;			/* each time */
	double events;			/* each time, of the clue */
	double low, high;		/* to be had */
	struct loop loop;		/* it may be had elsewhere in that as well */
	char *text;			/* what to do, and why */
};

enum advise_runs {
	RUN_CYCLES,
	RUN_INSTRUCTIONS,
	RUN_LOADS,
	RUN_CLUES,	/* and from here on one a clue */
	RUNS = RUN_CLUES + CLUES
};

/* The command once, sampled by one event; without data it did not run. */
struct advise_run {
	struct sampling s;
	struct sampled event;
	double sampled;			/* what its samples stand for */
	char *text;
};

struct advise {
	const char *cmd;
	struct pmuctl *ctx;
	char **command;
	const char *ring;		/* "u", "k" or "" */

	struct side side;		/* the command, as runs have it */
	struct pair_args runs_with;	/* nothing besides */
	uint32_t load_cycles;		/* of a load that the first level has */
	uint32_t width;			/* instructions a cycle, at the most */
	double cycles, instructions, seconds;	/* of the run that was counted; on a CPU */
	struct clue_count clues[CLUES];
	struct advise_run runs[RUNS];
	double misprediction;		/* cycles that one adds, at the least; 0: not told here */
	struct code_files files;
	struct table spots;
	struct hot_spot *hottest;
	struct finding *findings;	/* the one that is worth most first */
	size_t count;
};

/* Whether this processor can tell; 0, or the exit code. */
int advise_check(struct advise *a);
int advise_run(struct advise *a);
void advise_print(const struct advise *a, struct writer *w);
void advise_free(struct advise *a);

/* ---- what its files tell each other --------------------------------------------------------- */

/* count.c: cycles, instructions and all clues, in one run; 0, or the exit code. */
int advise_count(struct advise *a);

/*
 * sample.c: the command once more, sampled by this event, and what the run is for added up at each
 * sample's spot; 0, or the exit code.
 */
int advise_sample(struct advise *a, unsigned int run, const char *event, double count,
		  uint64_t content);
/* A period for something of which a run has so many. */
uint64_t advise_period(struct advise *a, double count);
/* Its time, and how often it ran: RUN_CYCLES and RUN_INSTRUCTIONS. */
int advise_times(struct advise *a);
/* What a misprediction adds, where branch records tell it. */
int advise_measure_misprediction(struct advise *a);

/* spots.c: the spot of a run's sample; NULL: no memory. */
struct hot_spot *advise_spot(struct advise *a, struct pmuctl_data *data,
			     const struct pmuctl_place *place);
/* The spot at an address of this file of code; NULL: no sample was there. */
struct hot_spot *spot_at(const struct advise *a, const struct hot_spot *of, uint64_t address);
/* Shares of all cycles, and times that it ran. */
double spot_share(const struct advise *a, const struct hot_spot *spot);
double spot_error(const struct advise *a, const struct hot_spot *spot);
double spot_times(const struct advise *a, const struct hot_spot *spot);
/* Half of the interval of so many times that instructions were executed. */
double times_error(const struct advise *a, double times);
double cycles_share(const struct advise *a, double cycles);
/* Bytes that the instruction reads from memory; 0: none. */
unsigned int bytes_read(const struct hot_spot *spot);
/* Events of a clue, of the whole run. */
double spot_events(const struct advise *a, const struct hot_spot *spot, enum clue clue);

/* loop.c */
void advise_find_loop(const struct advise *a, const struct hot_spot *spot, struct loop *to);
/*
 * What is to be had: the least, which the caller knows; at the most a share of all that the loop
 * waits less what it takes anyway, and what so many events may take.
 */
void finding_promise(struct finding *f, double least, double share, double events_most);
/*
 * How often the instruction at an address in the loop ran, by all of its block, and half of the
 * interval of that.
 */
double loop_times(const struct advise *a, const struct hot_spot *spot, const struct loop *loop,
		  uint64_t address, double *error);
/* Bytes by which a load goes on from round to round, as its code has it; 0: it does not tell. */
int64_t loop_stride(const struct hot_spot *spot, const struct loop *loop);

/* clues.c: who has them; 0, or the exit code. */
int advise_find_clues(struct advise *a);

/* remedies.c: fills the findings in; 0, or the exit code. */
int advise_find_remedies(struct advise *a);
const char *remedy_name(enum remedy remedy);

/* What is to be done about something, and which share of its waits that takes away. */
struct cure {
	enum remedy remedy;
	double share;		/* 0: nothing is known that does */
	double most;		/* of what is left a prefetcher may take some */
	char *text;
};

/* addresses.c: about misses of this load, by where they are; 0, or the exit code. */
int advise_misses(struct advise *a, const struct finding *f, struct cure *cure);
/*
 * directions.c: about a branch: fills in what is waited behind it, what is to be had, and the text;
 * 0, or the exit code.
 */
int advise_branch(struct advise *a, struct finding *f);

#endif
