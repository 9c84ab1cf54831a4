/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The caller of a function that has no frame, which a chain by frame pointers
 * passes over: its address is at the top of the stack.
 */
#ifndef PMUCTL_FRAMELESS_H
#define PMUCTL_FRAMELESS_H

#include "tools/base/base.h"
#include "tools/base/index.h"

/* What the code of a function says of where its return address is. */
struct frameless_function {
	uint32_t dso;
	uint64_t start;
	/* No instruction but a return moves the stack pointer. */
	bool still;
	/* From start to here each leads to the next, and none before here has moved it. */
	uint64_t straight;
	/* Behind `push %rbp`, if that is the first that moved it, and in that line; or 0. */
	uint64_t pushed;
};

/* Of the functions that samples were in; all zero: none yet. */
struct frameless {
	struct frameless_function *functions;
	uint32_t count, room;
	struct index index;
};

struct frameless_caller {
	uint64_t raw;		/* where it returns to */
	bool sure;		/* the call names the function; else it is through a pointer */
};

/*
 * Whether the sample's words at the top of the stack tell who called the function that
 * a program was in at ip.  registers: the ip is of the sample's registers, not of the
 * instruction before them.
 */
bool frameless_find(struct frameless *f, struct pmuctl_data *data,
		    const struct pmuctl_data_sample *sample, const struct pmuctl_place *at,
		    bool registers, struct frameless_caller *caller);
void frameless_free(struct frameless *f);

#endif
