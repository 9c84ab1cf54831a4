/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl top tell each other.
 *
 * Samples become sums (profile.c), sums become the lines of a view (view.c), and lines a page of
 * text (page.c), whatever shows it: a terminal (screen.c) or standard output (print.c).
 */
#ifndef PMUCTL_TOP_H
#define PMUCTL_TOP_H

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/table.h"
#include "tools/record/record.h"

/* ---- what is seen ------------------------------------------------------------------------- */

enum top_view {
	VIEW_SYMBOLS,
	VIEW_TASKS,
	VIEW_CPUS,
	VIEW_TOPDOWN,
	VIEWS_NAMED,		/* --view has those before */
	VIEW_CODE = VIEWS_NAMED,	/* the instructions of one symbol */
	VIEWS,
};

/* What becomes of older samples. */
enum top_past {
	PAST_DECAYS,		/* they count less and less */
	PAST_KEPT,
	PAST_DROPPED,		/* each interval is by itself */
	PASTS,
};

/* Older samples count half after so many seconds. */
#define HALF_LIFE 10.0

#define DELAY_LEAST 0.1
#define DELAY_MOST 3600.0

#define FILTER_SIZE 64

/* Of what a user chose, on the command line or by keys. */
struct top_state {
	enum top_view view;
	unsigned int sort[VIEWS];	/* a column of each view */
	char filter[FILTER_SIZE];	/* "": none */
	enum top_past past;
	double delay;			/* seconds */
	unsigned int event;
	bool hide_kernel, hide_user;

	bool paused;
	bool typing;			/* a filter, into typed */
	char typed[FILTER_SIZE];
	bool help;
	size_t selected, first;		/* lines of the view: of the cursor, and at the top */
	size_t under;			/* selected, in the view that VIEW_CODE was entered from */
	uint64_t code_dso, code_start;	/* of VIEW_CODE */
	char code_name[128];
};

/* ---- top/args.c --------------------------------------------------------------------------- */

struct top_args {
	struct record_args record;	/* the first, so that its rows of options fit */
	double delay;			/* 0: was not given */
	unsigned int iterations;	/* 0: without end */
	unsigned int entries;		/* rows of a table; 0: as many as there are */
	bool stdio;
	struct layout layout;
	bool zero, accumulate;
	bool hide_kernel, hide_user;
	const char *view, *sort, *filter;	/* NULL: were not given */
};

extern const struct option_row top_options[];

/* 0, or the exit code. */
int top_args_parse(struct top_args *args, int argc, char **argv);

/* ---- top/profile.c: the sums -------------------------------------------------------------- */

struct top_weight {
	double samples, events;
};

/* An address that samples name; its key is DSO and address. */
struct top_spot {
	struct table_entry key;
	uint64_t start;		/* of its symbol */
	struct top_weight weights[];	/* of each event */
};

/* A symbol (its key is DSO and start), a task (process and thread) or a CPU. */
struct top_sum {
	struct table_entry key;
	const char *raw;	/* what `name` was made of, as long as that is the same text */
	char *name, *dso;	/* clean */
	bool kernel;
	struct top_weight weights[];
};

/* What no symbol has. */
#define NO_START UINT64_MAX

/* Who has fewer samples left than that has none. */
#define SAMPLES_LEAST (1.0 / 64)

struct top_profile {
	struct pmuctl_data *data;
	size_t events;
	double scale;		/* what a sample counts now: it grows, and older ones stay */
	struct table spots, symbols, tasks, cpus;
};

void top_profile_init(struct top_profile *p, struct pmuctl_data *data, size_t events);
void top_profile_free(struct top_profile *p);
/* A pmuctl_data_sample_fn; -ENOMEM. */
int top_profile_take(void *profile, const struct pmuctl_data_sample *sample);
/* All that there is counts so much less; 0: it goes. */
void top_profile_age(struct top_profile *p, double factor);

/* ---- top/shares.c: Top-Down's level 1 of tasks ---------------------------------------------- */

#define SHARES 4		/* retiring, bad speculation, front end, back end */

struct top_shares;

/* Without a plan for this processor it says why not; NULL: no memory. */
struct top_shares *top_shares_open(struct pmuctl *ctx, bool user_only);
void top_shares_close(struct top_shares *s);
/* What has been counted of the tasks since, and from now on of those that had most samples. */
void top_shares_turn(struct top_shares *s, const struct top_profile *p, unsigned int event);
/* Percents; NULL: there are none of that task (yet). */
const double *top_shares_of(const struct top_shares *s, uint32_t tid);
/* Why there are none of any; NULL: there are, or will be. */
const char *top_shares_why_not(const struct top_shares *s);

/* ---- top/view.c: lines ---------------------------------------------------------------------- */

#define COLUMNS_MAX 7

enum top_kind {
	KIND_SHARE,		/* percent; the largest first */
	KIND_COUNT,		/* likewise */
	KIND_NUMBER,		/* of a task or a CPU; the smallest first */
	KIND_ADDRESS,
	KIND_TEXT,
};

struct top_column {
	const char *name;	/* of --sort */
	const char *heading;
	int width;		/* KIND_TEXT: 0, it takes what is left */
	enum top_kind kind;
	bool spare;		/* goes where there is no room */
};

struct top_layout {
	const char *name, *title;
	size_t count;
	struct top_column columns[COLUMNS_MAX];
};

extern const struct top_layout top_layouts[VIEWS];

/* A value that is not there: of no column does it come first. */
#define NO_VALUE (-1.0)

struct top_line {
	uint64_t a, b;		/* the key of its sum */
	double number[COLUMNS_MAX];
	const char *text[COLUMNS_MAX];	/* valid as long as the lines and the profile */
	bool kernel;
};

struct top_lines {
	struct top_line *list;
	size_t count, room;
	size_t hidden;		/* that the filter leaves out */
	char **made;		/* texts of their own */
	size_t made_count, made_room;
};

/* Of the view, sorted and filtered; -ENOMEM.  shares may be NULL. */
int top_lines_make(struct top_lines *lines, const struct top_profile *p,
		   const struct top_shares *shares, const struct top_state *state);
void top_lines_free(struct top_lines *lines);
/* The column of that name; the view's count of columns: there is none. */
unsigned int top_column_named(enum top_view view, const char *name);

/* ---- top/page.c: text ------------------------------------------------------------------------ */

#define WIDTH_LEAST 40
#define HEIGHT_LEAST 8
/* Head, line of the view, headings, and the line of keys. */
#define LINES_AROUND 4

/* What the head says besides. */
struct top_head {
	const char *event;
	char rate[32];		/* "-F 1000" */
	double per_second;	/* samples */
	uint64_t lost;
	double own;		/* percent of a CPU; NO_VALUE: not known yet */
	const char *ended;	/* why no more samples come; NULL: they do */
	const char *note;	/* what the view lacks, and why; NULL: nothing */
};

enum top_look {
	LOOK_PLAIN,
	LOOK_HEAD,
	LOOK_HEADING,
	LOOK_HOT,		/* 5 % and more */
	LOOK_WARM,		/* half a percent and more */
	LOOK_SELECTED,
	LOOK_KEYS,
};

struct top_row {
	char *text;		/* no wider than the page */
	enum top_look look;
};

struct top_page {
	int width, height;
	bool utf8;		/* the terminal shows it */
	struct top_row *rows;	/* height of them */
	size_t row_size;
	int room;		/* lines of the view that fit */
};

/* Columns that a clean text takes. */
int text_width(const char *text, bool utf8);
/* As many columns of it as fit, with ~ at the end if that is not all; returns how many. */
int text_fit(char *to, size_t size, const char *text, int columns, bool utf8);

int top_page_init(struct top_page *page, int width, int height, bool utf8);
void top_page_free(struct top_page *page);
void top_page_draw(struct top_page *page, const struct top_state *state,
		   const struct top_head *head, const struct top_lines *lines);
/* The texts of the page's first lines, for who has no page. */
void top_head_text(char *to, size_t size, int width, bool utf8, const struct top_state *state,
		   const struct top_head *head);
void top_heading_text(char *to, size_t size, int width, bool utf8, const struct top_state *state);
void top_line_text(char *to, size_t size, int width, bool utf8, const struct top_state *state,
		   const struct top_line *line);

/* ---- top/keys.c ----------------------------------------------------------------------------- */

/* Beside characters. */
enum top_key {
	KEY_NONE = 0,
	KEY_ENTERED = '\n',
	KEY_ESCAPED = 27,
	KEY_ERASED = 127,
	KEY_MOVE_UP = 0x1000,
	KEY_MOVE_DOWN,
	KEY_MOVE_PAGE_UP,
	KEY_MOVE_PAGE_DOWN,
	KEY_MOVE_FIRST,
	KEY_MOVE_LAST,
	KEY_HELPED,
};

/* What is left to be done by who called. */
enum top_deed {
	DEED_DRAW,
	DEED_ZERO,
	DEED_QUIT,
	DEED_NONE,
};

struct top_keys {
	const struct top_lines *lines;	/* that are shown */
	int page;			/* how many fit */
	size_t events;
};

/* There may be fewer lines than before. */
void top_keep_cursor(struct top_state *state, const struct top_keys *keys);
enum top_deed top_press(struct top_state *state, int key, const struct top_keys *keys);

/* ---- top/remember.c ------------------------------------------------------------------------- */

/* What was chosen the last time; says so in a line if the file is no such file. */
void top_recall(struct top_state *state);
/* Says why if it could not be written. */
void top_remember(const struct top_state *state);
/* One file's text to a state; false: it is none. */
bool top_state_read(struct top_state *state, const char *text);
void top_state_write(FILE *out, const struct top_state *state);

/* ---- top/live.c ----------------------------------------------------------------------------- */

struct top {
	struct top_args args;
	struct top_state state;
	struct record r;
	struct top_profile profile;
	struct top_shares *shares;	/* NULL: were not wanted yet */
	struct top_lines lines;
	struct top_head head;
	struct pmuctl_data *data;
	int memory;		/* the file that samples go through; -1: none */
	uint64_t punched;	/* of it was given back */
	uint64_t began_ns;
	uint64_t looked_ns, own_ns;	/* when samples were taken last, and our time by then */
	uint64_t seen, lost;	/* samples by then */
	bool user_only;
	bool stopped;		/* the command was ended by us */
};

/* Each 0 or the exit code after a complaint. */
int top_begin(struct top *t);
int top_start(struct top *t);
/* What is there of the samples, to the file alone. */
int top_drain(struct top *t);
/* The same, and into the profile; then the lines are made. */
int top_look(struct top *t);
int top_make_lines(struct top *t);
void top_end(struct top *t);

/* top/print.c: tables on standard output. */
int top_print(struct top *t);
/* top/screen.c: a terminal, until it is quit. */
int top_screen(struct top *t);

#endif
