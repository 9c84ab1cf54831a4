/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl html share: one page of all that is known of a run.
 */
#ifndef PMUCTL_HTML_H
#define PMUCTL_HTML_H

#include <jansson.h>
#include <sys/types.h>

#include "tools/annotate/annotate.h"
#include "tools/base/base.h"
#include "tools/run/context.h"
#include "tools/samples/filter.h"
#include "tools/samples/view_args.h"

struct html_args {
	struct view_args view;		/* begins it: rows that several commands have go there */
	struct filter_args filter;
	struct listing listing;
	const char *output;
	const char *topdown, *sharing;	/* files of other runs; NULL: none */
	/* How a command is recorded: */
	const char *call_graph;
	unsigned int frequency;
	char **command;			/* NULL: files are read */
	char *title;			/* what is shown instead of the input's name; NULL: that */
	/* Why a part is not there, where that is no error; NULL: it is, or nobody asked. */
	const char *no_topdown, *no_sharing;
};

/* One that is being made; what fails complains and returns the exit code, else 0. */
struct page {
	const struct html_args *args;
	struct pmuctl *ctx;
	struct pmuctl_data *data;
	const struct pmuctl_data_info *info;
	json_t *json;		/* what tools/html/page.js shows, by key */
	FILE *flames;		/* the graphs, in memory */
	char *flames_text;
	size_t flames_size;
};

/* html/json.c */
int page_no_memory(void);
/* By key, whose value is taken over; NULL: there was no memory. */
int page_put(json_t *object, const char *key, json_t *value);
/* Text of unknown origin, clean; NULL: no memory. */
json_t *page_text(const char *text);
/* JSON's have a sign; sums of a hostile file's periods may be larger. */
static inline json_int_t page_int(uint64_t count)
{
	return count < INT64_MAX ? (json_int_t)count : INT64_MAX;
}
/* What tells functions apart, in the table of them and in that of their code. */
#define PAGE_KEY_SIZE 32
void page_key(char key[PAGE_KEY_SIZE], uint32_t dso, uint64_t start);

/* html/functions.c: who had the samples, and who called those. */
int page_add_functions(struct page *p);
/* html/code.c: of the hottest functions the instructions, and the sources that they come from. */
int page_add_code(struct page *p);
/* html/topdown.c: what `pmuctl topdown -j` wrote into that file. */
int page_add_topdown(struct page *p, const char *path);
/* html/sharing.c: what of a file threads share. */
int page_add_sharing(struct page *p);

/* html/page.c: all of it; to be freed in any case. */
int page_fill(struct page *p);
int page_write(const struct page *p, const char *path);
void page_free(struct page *p);

/* What a run of a command wrote, in a file that only memory holds. */
struct html_run {
	int fd;			/* -1: none */
	char path[MEMORY_FILE_PATH];
	char others[48];	/* the same for other processes */
	char why_not[200];	/* there is nothing in it; empty: there is */
};

struct html_runs {
	struct html_run samples, topdown, sharing;
	int exit_code;		/* of the command, when it was sampled */
	off_t input;		/* where standard input begins; -1: it can be read but once */
};

/* html/runs.c: runs it once for each of these, by other commands of pmuctl. */
int html_run(struct html_runs *runs, const struct html_args *args);
void html_runs_close(struct html_runs *runs);

#endif
