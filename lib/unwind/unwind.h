/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Callers out of a copy of the stack: what the files share that find them.
 */
#ifndef LIBPMUCTL_UNWIND_H
#define LIBPMUCTL_UNWIND_H

#include <sys/types.h>

#include "lib/code/rules.h"
#include "lib/perfdata/perfdata.h"

/* As kernel.perf_event_max_stack has it: callers of one sample. */
#define UNWIND_FRAMES	127

/* Registers at one moment, by DWARF's numbers; RULE_RA: where it is. */
struct frame {
	uint64_t registers[RULE_REGISTERS];
	uint32_t known;		/* bits of those that are */
	enum pmuctl_cut lost;	/* why another is not; NONE: its function did not keep it */
};

/* The copy of a stack. */
struct stack_copy {
	const uint8_t *bytes;
	size_t size;
	uint64_t start;		/* the address of its first byte */
	size_t asked;		/* bytes that should have been copied */
};

/*
 * unwind/step.c: the caller's registers, by the row for where this frame is.  1: it has one; 0:
 * nobody called it; -1: cut, and *cut says why.
 */
int unwind_step(const struct rule_row *row, const struct stack_copy *stack,
		const struct frame *frame, struct frame *caller, enum pmuctl_cut *cut);

/* unwind/reader.c: the process that reads files of code; all zero: not there yet. */
struct rule_reader {
	pid_t pid;		/* 0: none */
	int fd;
	unsigned int deaths;
};

/*
 * What the DSO's file says of an address.  1: row is set; 0: the reader died of it, or has died
 * too often; or -errno, with words: there can be none.
 */
int rule_reader_ask(struct rule_reader *reader, struct pmuctl_data *data, uint32_t dso,
		    uint64_t address, bool debug, struct rule_row *row);
void rule_reader_end(struct rule_reader *reader);
/* Bytes of it that are used. */
size_t rule_row_size(const struct rule_row *row);

/*
 * unwind/rows.c: rows by DSO and address.  An address has the same row whatever the registers and
 * the stack hold, so that one which is kept is as good as one that is read again.
 */
struct dso_rows {
	struct data_ids numbers;	/* by address, into `rows` */
	bool dead;			/* the reader died of it */
};

/* All zero: empty. */
struct rule_rows {
	struct rule_reader reader;
	struct dso_rows *dsos;
	size_t dsos_room;
	struct rule_row **rows;
	size_t count, room;
};

/* The row for a place; NULL: there is none, and *cut says why, or *err is -errno. */
const struct rule_row *rule_rows_find(struct rule_rows *rows, struct pmuctl_data *data,
				      const struct pmuctl_place *place, enum pmuctl_cut *cut,
				      int *err);
void rule_rows_free(struct rule_rows *rows);

#endif
