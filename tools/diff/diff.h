/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl diff share: two files of samples, A and B, and the rows in which
 * their samples meet.
 */
#ifndef PMUCTL_DIFF_H
#define PMUCTL_DIFF_H

#include "lib/base/statistics.h"
#include "tools/base/base.h"
#include "tools/base/index.h"
#include "tools/base/options.h"
#include "tools/base/table.h"
#include "tools/diff/align.h"
#include "tools/samples/missing.h"
#include "tools/samples/where.h"

/* How often rows that do not differ may be told apart, of all rows together. */
#define ERROR_MOST	0.05

/* What makes a row. */
enum diff_key {
	DIFF_COMM,
	DIFF_DSO,
	DIFF_SYMBOL,
	DIFF_LINE,
	DIFF_ADDRESS,
	DIFF_KEYS,
};

struct diff_args {
	const char *files[2];
	const char *event;	/* this one alone; NULL: all that both have */
	enum diff_key keys[DIFF_KEYS];
	size_t keys_count;
	bool by_events;		/* changes are of events, not of shares */
	double limit;		/* percent: rows with less on both sides are not shown */
	struct layout layout;
	const char *output;	/* NULL: standard output */
	const char *svg;	/* a flame graph into this file instead; NULL: no */
	bool inlined;		/* functions that were inlined are frames of it */
	struct where_args where;	/* of both */
	struct where_args own[2];	/* of one, instead */
};

extern const struct option_row diff_options[];
/* args.c: 0, or the exit code after a complaint. */
int diff_args_parse(struct diff_args *args, int argc, char **argv);
bool diff_by(const struct diff_args *args, enum diff_key key);
/* A file to be written, which is neither of those that are read; as open_output() has it. */
FILE *diff_open_output(const struct diff_args *args, const char *path);

/* ---- side.c: what one file has of an event -------------------------------------------------- */

struct diff_half;

/* Samples by their periods: with the squares is known how uncertain their sum is. */
struct weight {
	uint64_t samples;
	double events, squares;
};

void weight_add(struct weight *to, const struct weight *more);
/* Of so many samples of one period as these samples are worth; their sum is as uncertain. */
double weight_trials(const struct weight *weight);

/* Where samples were; its key is DSO and address, and above the DSO the number of the task. */
struct place {
	struct table_entry key;
	bool kernel;
	struct weight weight;
	struct diff_half *half;	/* the function it is in, once all places are known */
};

/* A function that was sampled; its key is DSO and start.  What has no symbol is one, by DSO. */
struct diff_half {
	struct table_entry key;
	uint64_t size;
	const char *name;	/* NULL: there is no symbol */
	bool kernel;
	uint32_t function;	/* of struct diff; set by who pairs them */
};

/* What of a side was inlined, by name. */
struct inlined {
	const char *name;
	double events;
};

struct diff_side {
	const char *file;
	struct pmuctl_data *data;
	uint32_t event;		/* that of this file which is compared */
	struct weight all;
	struct table places, halves;
	const char **comms;	/* by the task's number */
	struct index comm_index;
	uint32_t comms_count, comms_room;
	bool by_comm;
	char **objects;		/* by DSO, as both sides call it; NULL: nothing of it was sampled */
	uint32_t objects_count, objects_room;
	struct missing missing;
	/* Functions that were inlined, once side_inlined() was asked. */
	struct inlined *inlined;
	struct index inlined_index;
	uint32_t inlined_count, inlined_room;
	bool inlined_read, inlined_known;
};

/* Reads it; file, data, event and by_comm are set.  -ENOMEM, or what pmuctl_data_samples() says. */
int side_read(struct diff_side *side);
void side_free(struct diff_side *side);
uint32_t place_dso(const struct place *place);
const char *place_comm(const struct diff_side *side, const struct place *place);
/*
 * How many events were in a function where that was inlined into others: *events; -ENOMEM, or
 * -ENODATA: there is no debugging information that would tell.
 */
int side_inlined(struct diff_side *side, const char *name, double *events);

/* ---- functions.c: which function of B is which of A ---------------------------------------- */

enum alike {
	ALIKE_UNKNOWN,		/* nobody looked */
	ALIKE_SAME,		/* code does not differ, or is not here: by offset */
	ALIKE_ALIGNED,
};

struct line_pair {
	const char *file;
	unsigned int b, a;
	uint32_t votes;
};

struct diff_function {
	const char *dso;	/* as A calls it: "libc.so", "[xfs]" */
	const char *name;	/* of A, or of B if A has none; NULL: no symbol */
	struct diff_half *of[2];	/* the first of that name; NULL: no sample */
	bool kernel;
	enum alike alike;
	struct alignment aligned;
	struct line_pair *lines;	/* ... by B's line */
	size_t lines_count;
};

/* ---- rows.c ---------------------------------------------------------------------------------- */

struct diff_row {
	char *text[DIFF_KEYS];	/* of the keys that were asked for */
	uint32_t function;	/* INDEX_NONE: rows are of no symbols */
	struct weight of[2];
	unsigned int alone;	/* in code that only A (1) or B (2) has; 0: that both have */
	unsigned int line_b;	/* where A's line is in B, if elsewhere; 0: it is not */
	unsigned int at_side;	/* ... one of the places of the row, */
	struct pmuctl_place at;	/* in that side's file */
	double change;		/* B - A, of shares, or of events by all of A */
	struct interval interval;	/* of that */
	double p;
	bool apart;
	double inlined[2];	/* share of events in it where it was inlined; < 0: not known */
	char note[160];
};

struct diff {
	const struct diff_args *args;
	const char *event;	/* its name in both */
	struct diff_side sides[2];
	struct diff_function *functions;
	struct index function_index;
	uint32_t functions_count, functions_room;
	struct diff_row *rows;
	struct index row_index;
	uint32_t rows_count, rows_room;
	size_t shown;		/* rows, which come first */
	uint64_t unaligned;	/* functions of which it is not known whether their code differs */
	const char *programs[2];	/* DSOs of other names that are compared; NULL: none are */
};

/* functions.c: 0 or -ENOMEM. */
int diff_pair_functions(struct diff *d);
/*
 * An offset in the function of that side becomes the one in A's; or is it of an instruction that
 * no other side has?  -ENOMEM.
 */
int diff_offset(struct diff *d, struct diff_function *f, unsigned int side, uint64_t *offset,
		bool *alone);
/* The same of a line. */
int diff_line(struct diff *d, struct diff_function *f, unsigned int side, const char *file,
	      unsigned int *line, bool *alone);
/* The object of that name of A's in that side's file; INDEX_NONE: nothing of it was sampled. */
uint32_t diff_object(const struct diff *d, unsigned int side, const char *name);
void diff_free_functions(struct diff *d);

/* rows.c: adds both sides up to rows, and judges them; 0 or -ENOMEM. */
int diff_rows(struct diff *d);
void diff_free(struct diff *d);
/* A row's share of its side's events, 0 to 1. */
double diff_share(const struct diff *d, const struct diff_row *row, unsigned int side);

/* notes.c: of the rows that are shown what became of their functions; 0 or -ENOMEM. */
int diff_notes(struct diff *d);

/*
 * svg.c: the flame graph of both files' samples of an event, into the file of --svg; complains, and
 * returns the exit code.
 */
int diff_draw(const struct diff_args *args, struct pmuctl *ctx, struct pmuctl_data *const data[2],
	      const uint32_t event[2]);

/* print.c */
void diff_print(const struct diff *d, struct writer *w, FILE *out);

#endif
