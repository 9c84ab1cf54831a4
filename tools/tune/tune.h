/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl tune tell each other: what is tried, what came of it, and what is kept.
 */
#ifndef PMUCTL_TUNE_H
#define PMUCTL_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/base/options.h"
#include "tools/compare/compare.h"
#include "tools/pairs/pairs.h"
#include "tools/tune/profile.h"

/* ---- what is asked for ---------------------------------------------------------------------- */

/* "slower<1% saves>5%": a setting is kept if it is surely so. */
struct energy_rule {
	bool given;
	double slower;		/* at most, as a share of what it was */
	double saves;		/* at least */
};

/* What a setting is judged by. */
enum tune_by { BY_CYCLES, BY_TIME };

struct tune_args {
	struct pair_args runs;
	struct option_list tries;	/* instead of all features of the manuals */
	const char *phase;		/* NULL: all of the program */
	struct energy_rule rule;
	const char *by;			/* "cycles" or "time"; NULL: not given */
	const char *program_class;	/* NULL: not given */
	const char *dir;		/* of profiles; NULL: the usual one */
	bool save, all;
	struct layout layout;
	const char *output;		/* NULL: standard error */
};

extern const struct option_row tune_options[];
/* Behind it argv[optind] is the first operand; 0, or the exit code. */
int tune_args_parse(struct tune_args *args, int argc, char **argv);
void tune_args_free(struct tune_args *args);
/* "slower<1% saves>5%"; false: it is not written so. */
bool energy_rule_parse(const char *text, struct energy_rule *rule);
enum tune_by tune_by(const struct tune_args *args);
/* "cycles", "time". */
const char *tune_by_word(const struct tune_args *args);

/* ---- choose.c: which settings are tried, and which one is kept ------------------------------- */

/* Why something was tried. */
enum step_why { STEP_EACH, STEP_ALL, STEP_WITH, STEP_WITHOUT, STEP_CONFIRM };

/* What one setting came to, beside another one. */
struct tried {
	struct cell cost;		/* cycles or time: the other's by this one's */
	struct cell energy;		/* the same; nothing is in it without a rule */
	size_t pairs;
};

struct step {
	enum step_why why;
	char *base;			/* the other; "": as it is */
	char *setting;
	struct tried tried;
	bool better;			/* it is what is looked for */
};

struct choice {
	struct step *steps;
	size_t count;
	char *kept;			/* "": nothing; else what the last step confirmed */
};

struct chooser {
	const char *const *features;	/* each to be tried by itself: "l1-next=off" */
	size_t count;
	const struct energy_rule *rule;
	/* Runs the settings beside the base, and fills in what each came to: 0, or a code. */
	int (*measure)(void *data, const char *base, const char *const *settings, size_t count,
		       struct tried *tried);
	void *data;
};

/*
 * Each by itself, and all at once; then what is best gets others, as long as they are better still,
 * or loses those that do nothing; and what is left is confirmed by runs of its own.  0, or the exit
 * code of measure(); EXIT_FAILED: out of memory.
 */
int choose(const struct chooser *chooser, struct choice *choice);
void choice_free(struct choice *choice);
/* Of what is kept; NULL: nothing is. */
const struct step *choice_confirmed(const struct choice *choice);

/* ---- trial.c: the runs ---------------------------------------------------------------------- */

/* Tries what is asked for; in choice is what came of it.  0, or the exit code. */
int tune_try(const struct tune_args *args, struct choice *choice);

/* ---- print.c -------------------------------------------------------------------------------- */

void tune_print(struct writer *w, const struct tune_args *args, const struct choice *choice);

/* ---- kept.c: show and forget; apply.c: apply ------------------------------------------------ */

/* Of the programs or build-ids named behind the word; none: of all.  Exit codes. */
int tune_show(const struct tune_args *args, char **names);
int tune_forget(const struct tune_args *args, char **names);
/*
 * Saved settings are held as their programs come and go, for as long as the command runs, or else
 * until a signal.  The exit code.
 */
int tune_apply(const struct tune_args *args, char **command);

#endif
