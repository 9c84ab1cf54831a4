/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of pmuctl mem: a file, or with --sharing what is to be recorded first.
 */
#ifndef PMUCTL_MEM_ARGS_H
#define PMUCTL_MEM_ARGS_H

#include "tools/base/options.h"
#include "tools/record/record.h"
#include "tools/run/context.h"
#include "tools/samples/view_args.h"

struct mem_args {
	struct view_args view;		/* begins it: rows that several commands have go there */
	bool sharing;

	/* What is recorded; kind TARGET_COMMAND without a command: nothing is. */
	struct targets targets;
	char **command;
	bool user, kernel;
	unsigned int latency;		/* of loads: cycles that it has to be above; 0: not given */
	uint64_t period;		/* 0: not given */
	unsigned int frequency;		/* 0: not given */
	unsigned int timeout;		/* ms; 0: none */
	const char *output;		/* keep the samples there; NULL: nowhere */
	char **argv;			/* all of it, for the file */
};

extern const struct option_row mem_options[];

/* mem/args.c: 0, or the exit code. */
int mem_args_parse(struct mem_args *args, int argc, char **argv);
void mem_args_free(struct mem_args *args);
bool mem_records(const struct mem_args *args);

/* A recording of loads and stores in one run. */
struct mem_record {
	struct mem_args *args;
	struct record record;		/* its child is forked already, its context open */
	char *events[2];		/* loads, stores */
	int file;			/* of memory alone; -1: args->output */
	char path[MEMORY_FILE_PATH];
};

/* mem/record.c: until the command has ended; 0, or the exit code. */
int mem_record_run(struct mem_record *r);
/* Where the samples are. */
const char *mem_record_path(const struct mem_record *r);
void mem_record_free(struct mem_record *r);

#endif
