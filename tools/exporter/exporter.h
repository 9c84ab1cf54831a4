/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl exporter tell each other.
 *
 * Events are named by options and a file (events_file.c).  Sessions count them (counts.c), and what
 * they read is added up by place, which is a CPU, a core, a package, the machine or a control group
 * (places.c).  A page shows all places (page.c); a client of a socket gets it (http.c), or a
 * directory (textfile.c).
 */
#ifndef PMUCTL_EXPORTER_H
#define PMUCTL_EXPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/cgroups.h"
#include "tools/run/events.h"
#include "tools/run/signals.h"
#include "tools/topdown/run.h"

/* ---- exporter/args.c ----------------------------------------------------------------------- */

/* What counts are summed by. */
enum scope { SCOPE_CPU, SCOPE_CORE, SCOPE_PACKAGE, SCOPE_MACHINE, SCOPE_CGROUP, SCOPES };

struct exporter_args {
	struct option_list events;	/* of every -e */
	const char *events_file;	/* NULL: none */
	const char *by;			/* NULL: not given */
	enum scope scope;		/* of CPUs; SCOPES: no CPU is counted */
	bool topdown;
	struct option_list cgroups, units;
	const char *listen;		/* NULL: no socket */
	const char *textfile;		/* NULL: no file */
	unsigned int interval;		/* ms between two files */
	unsigned int max_series;
	const char *events_dir;
};

extern const struct option_row exporter_options[];

/* 0, or the exit code. */
int exporter_args_parse(struct exporter_args *args, int argc, char **argv);
void exporter_args_free(struct exporter_args *args);
/* The word of --by, and the first one of a metric's name behind "pmuctl_". */
const char *scope_name(enum scope scope);

/* ---- exporter/events_file.c ---------------------------------------------------------------- */

/* A part of what is counted, as -e takes it. */
struct event_line {
	char *text;
	char *group;		/* "": it has none */
};

struct event_lines {
	struct event_line *list;
	size_t count;
};

/* Both add to the lines: 0, or the exit code after a complaint. */
int event_lines_add(struct event_lines *lines, const char *group, const char *text);
int event_lines_read(struct event_lines *lines, const char *path);
void event_lines_free(struct event_lines *lines);

/* ---- exporter/places.c: what was counted where --------------------------------------------- */

/* Top-Down's level 1. */
#define CATEGORIES 4
extern const char *const category_names[CATEGORIES];

struct place {
	enum scope scope;
	char *labels;		/* 'cpu="0",core="1"'; "" of the machine */
	uint64_t *totals;	/* of each event */
	bool *known;		/* whether it has a total */
	uint64_t counted_ns;	/* that its events were counted for, of all its CPUs */
	uint64_t divided_ns[CATEGORIES];	/* the same, as its slots divide */
	bool divided;		/* that is known */
	unsigned int targets;	/* of sessions that count for it now */
	uint64_t left_ns;	/* when there was none any more */
	bool uncounted;		/* it is there, and cannot be counted now */
};

struct places {
	struct place **list;
	size_t count;
	size_t events;		/* of each place */
	bool topdown;
	size_t limit;		/* of series */
	char **left;		/* labels of places that there is no room for */
	size_t nr_left;
	size_t more_left;	/* and control groups that were not even asked for */
};

/* One of these labels that is there, or a new one; NULL: no room for it, or no memory. */
struct place *places_get(struct places *all, enum scope scope, const char *labels);
/* What there is no room for is asked for once more. */
void places_ask_anew(struct places *all);
/* Series that a place has. */
size_t places_series(const struct places *all);
/* Those that nothing has been counted for since then go. */
void places_forget(struct places *all, uint64_t since_ns);
void places_free(struct places *all);
/* Adds 'name="value"', escaped, with a comma in front if there is something in it already. */
void put_label(FILE *out, bool *first, const char *name, const char *value);

/* ---- what is counted ----------------------------------------------------------------------- */

#define SECOND 1000000000ull

/* Why nothing is counted. */
struct down {
	const char *reason;	/* a word */
	char holder[96];	/* "process 17 (perf)"; "": not known */
	char text[512];		/* the library's */
};

#define FLAGS 4
extern const char *const flag_names[FLAGS];

struct meter;

struct exported_event {
	char *name;
	const char *group;
	char *labels;		/* 'event="cycles",group="ipc"' */
};

struct counts {
	const struct exporter_args *args;
	struct event_lines lines;
	struct exported_event *names;	/* of the events that have series */
	size_t nr_names;

	struct pmuctl *ctx;		/* NULL: to be opened anew */
	struct events events;
	size_t nr_events;		/* of a session: those, and the plans' */
	struct topdown_run topdown;	/* its parts, one a kind of core; none without --topdown */
	size_t nodes[PMUCTL_KINDS_MAX][CATEGORIES];
	/* Of each event whether its time is counted: of each kind of core that of one. */
	bool *timed;

	struct meter **meters;
	size_t nr_meters;
	struct places places;

	bool no_pmu;			/* there is nothing to be counted by, ever */
	bool up;
	char reason[512];		/* of the last session that could not be made or read */
	struct down down;
	char why_not[512];		/* of the last group that could not be counted */
	unsigned int failed_looks;	/* since it was down for this reason */
	struct pmuctl_info info;	/* of the module, while it is up */

	uint64_t read_at_ns;		/* the last time */
	uint64_t reads, read_ns;
	uint64_t flagged[FLAGS];	/* values of the last reading */
};

/* ---- exporter/counts.c --------------------------------------------------------------------- */

/*
 * What is due every second: begins to count, or tries to, whatever is there and not counted yet,
 * and ends that of what has gone.  0, or the exit code if nothing will ever be counted.
 */
int counts_turn(struct counts *c);
/* Adds to the places what has come since. */
void counts_read(struct counts *c);
void counts_close(struct counts *c);

/* ---- exporter/events.c --------------------------------------------------------------------- */

/* What can be known at once is wrong at once: 0, or the exit code after a complaint. */
int counts_open(struct counts *c, const struct exporter_args *args);
/* The context and its events, once more; names: they are new.  Likewise. */
int counts_open_events(struct counts *c, bool names);
void counts_close_events(struct counts *c);
/* Adds what a session counts: the events by name, and those of the plan; 0 or -errno. */
int counts_into_session(struct counts *c, struct pmuctl_session *session);

/* ---- exporter/survey.c --------------------------------------------------------------------- */

/* Begins with CPUs that have come; 0 or -errno. */
int counts_meter_cpus(struct counts *c);
/*
 * Begins with control groups that have come, and ends those that have gone: 0, or the exit code.
 * *err: the first reason why one of them cannot be counted, or 0.
 */
int counts_turn_groups(struct counts *c, int *err);
/*
 * Why it cannot be counted, once for each reason; where nothing else is counted either, who is told
 * that has to say so.
 */
void counts_say_why_not(struct counts *c, const char *what, const char *name);

/* ---- exporter/meter.c: a session, and where its counts go ---------------------------------- */

/* A CPU of it, or a control group. */
struct metered {
	unsigned int cpu;
	struct place *place;
	struct pmuctl_topdown_count *last;	/* of each event, as it was read */
	struct pmuctl_topdown_count *divided;	/* of the plans', up to where slots are divided */
	uint64_t running;		/* ns of this reading; on one kind the same of all events */
	bool seen;			/* by this reading */
};

struct meter {
	struct pmuctl_session *session;	/* NULL: it could not be made */
	char *path;			/* of a control group; NULL: of CPUs */
	struct metered *targets;
	size_t count, room;
	struct topdown_watch watch;	/* for its tallies */
	uint64_t inode;			/* of its group's folder */
	uint64_t retry_ns;		/* of one that could not be made */
	bool there;			/* its group, by the last look */
	bool lost;			/* its counters, to somebody with more privilege */
};

struct meter *meter_new(const char *path);
/* The place gets counts of it from now on; 0 or -ENOMEM. */
int meter_add(struct meter *m, struct counts *c, unsigned int cpu, struct place *place);
/* fd: of a control group's folder; 0 or -errno, as the session's. */
int meter_begin(struct meter *m, struct counts *c, int fd);
/* Its session is over, and the next one's counts begin at 0. */
void meter_end(struct meter *m, struct counts *c);
/* 0 or -errno: then it counts no more. */
int meter_read(struct meter *m, struct counts *c);
void meter_free(struct meter *m);
/* One more of the counts' meters; 0 or -ENOMEM. */
int counts_keep(struct counts *c, struct meter *m);
/* How many of them have a session. */
size_t counts_sessions(const struct counts *c);
/* That of this number ends. */
void counts_drop(struct counts *c, size_t i);

/* ---- exporter/page.c ----------------------------------------------------------------------- */

/* What the exporter does, beside what it counts. */
struct own_costs {
	uint64_t pages, page_ns;	/* that were made, and how long that took, with readings */
	uint64_t refused, cut;		/* requests; connections that were too slow or too many */
	uint64_t file_errors;
	uint64_t left_out;		/* series, of all pages together */
};

/* Reads the counts and writes all there is to tell; 0 or -ENOMEM.  *text is for free(). */
int page_make(struct counts *c, struct own_costs *own, bool openmetrics, char **text, size_t *size);

/* ---- exporter/http.c ----------------------------------------------------------------------- */

struct http;

struct http_options {
	const char *listen;		/* ADDRESS:PORT */
	struct own_costs *own;
	int (*page)(void *data, bool openmetrics, char **text, size_t *size);
	void *data;
};

/* 0, or the exit code after a complaint. */
int http_open(const struct http_options *options, struct http **http);
/* Can be read when there is something to do. */
int http_fd(const struct http *http);
/* Does it.  *deadline_ns: when it is to be called again; 0: when the descriptor says so. */
void http_run(struct http *http, uint64_t *deadline_ns);
void http_close(struct http *http);
/* Whether a client that sent this header (or none, NULL) wants OpenMetrics. */
bool http_wants_openmetrics(const char *accept);
/* "127.0.0.1:9976" or "[::1]:9976" in two; false: it is neither. */
bool http_split(const char *text, char *address, size_t size, char *port, size_t port_size);

/* ---- exporter/textfile.c ------------------------------------------------------------------- */

struct textfile {
	const char *path;	/* of the directory */
	int fd;			/* of that, locked; -1: there is none */
	int err;		/* of the last file */
};

#define TEXTFILE_NAME "pmuctl.prom"

/* 0, or the exit code after a complaint. */
int textfile_open(struct textfile *t, const char *path);
/* The whole of it or nothing, and says so when that changes; whether it was written. */
bool textfile_write(struct textfile *t, const char *text, size_t size);
/* The file goes, or what it says would stay true for whoever reads it. */
void textfile_close(struct textfile *t);

#endif
