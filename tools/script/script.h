/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl script share.
 */
#ifndef PMUCTL_SCRIPT_H
#define PMUCTL_SCRIPT_H

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/samples/callers.h"
#include "tools/samples/filter.h"
#include "tools/samples/inlines.h"
#include "tools/samples/missing.h"
#include "tools/samples/where.h"

/* In perf's order, and with its names. */
enum script_field {
	FIELD_COMM,
	FIELD_PID,
	FIELD_TID,
	FIELD_CPU,
	FIELD_TIME,
	FIELD_PERIOD,
	FIELD_EVENT,
	FIELD_ADDR,
	FIELD_WEIGHT,
	FIELD_RETIRE_LAT,
	FIELD_DATA_SRC,
	FIELD_IP,
	FIELD_SYM,
	FIELD_SYMOFF,
	FIELD_DSO,
	FIELD_SRCLINE,
	FIELD_IREGS,
	FIELD_BRSTACK,
	FIELD_CALLCHAIN,
	FIELDS,
};

enum script_wish {
	WISH_NONE,
	WISH_DEFAULT,		/* if it is in the file */
	WISH_ASKED,		/* and said not to be there if it is not */
};

struct script_args {
	const char *input;
	const char *output;	/* NULL: standard output */
	unsigned char fields[FIELDS];	/* enum script_wish */
	bool inlined;
	struct layout layout;
	struct filter_args filter;
	struct where_args where;
};

extern const struct option_row script_options[];

/* script/args.c: 0, or the exit code after a complaint. */
int script_args_parse(struct script_args *args, int argc, char **argv);
const char *script_field_name(enum script_field field);

struct script {
	const struct script_args *args;
	struct pmuctl_data *data;
	struct writer *w;
	const struct pmuctl_data_sample *sample;	/* that is being printed */
	struct pmuctl_place place;
	struct pmuctl_symbol symbol;
	struct callers chain;
	struct missing missing;
	struct inlines inlines;
	struct filter filter;
	uint64_t there;		/* PERF_SAMPLE_* that any event with samples has */
	bool shown[FIELDS];
	bool places;		/* some of it is of the place */
	struct script_lines *lines;	/* NULL: not as text */
};

/* script/line.c: text, kept until there is some of it.  NULL: no memory. */
struct script_lines *script_lines_new(const struct script *script, FILE *out);
void script_lines_flush(struct script_lines *lines);
void script_lines_free(struct script_lines *lines);
/* Of script->sample and script->place; the name of script->symbol is known behind this. */
void script_line_begin(struct script *script);
/* False: it is none of those that are put together there. */
bool script_line_put(struct script *script, enum script_field field);
/* Of others: what is shown behind a blank. */
void script_line_put_text(struct script *script, const char *text);
/* -ENOMEM: it is not whole. */
int script_line_end(struct script *script);
/* script/fields.c: before the first sample. */
void script_begin(struct script *script);
/* script/fields.c: one sample, as a line or an object.  -ENOMEM. */
int script_print(struct script *script, const struct pmuctl_data_sample *sample);
/* script/fields.c: call chains are among what is printed. */
bool script_shows_chains(const struct script *script);
/* script/lists.c: fields that are lists, as text; to be freed, NULL: no memory. */
char *script_registers(const struct script *script);
char *script_branches(const struct script *script);
char *script_chain(struct script *script);
/* "main+0x12", or the address where there is no symbol; to be freed. */
char *script_symbol(const struct pmuctl_symbol *symbol, const struct pmuctl_place *place,
		    bool offset);

#endif
