/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call chain of a sample as addresses of calls, innermost first.
 */
#ifndef PMUCTL_CALLERS_H
#define PMUCTL_CALLERS_H

#include "tools/base/base.h"
#include "tools/samples/frameless.h"

struct caller {
	uint64_t ip;		/* within the calling instruction; the first: the sample's */
	uint64_t raw;		/* as it was recorded */
	bool kernel;
	bool guest;		/* of a virtual machine: of no DSO */
	bool returns;		/* ip is before raw, which was taken for where a call returns to */
	bool recorded;		/* a call by its own address */
	/* Not in the chain, but at the top of the stack; called through a pointer, perhaps. */
	bool found, unsure;
};

/* All zero: empty. */
struct callers {
	struct caller *at;
	size_t count, room;
	struct frameless frameless;
};

/* The sample's own address first, whether it has a chain or not.  -ENOMEM. */
int callers_take(struct callers *callers, struct pmuctl_data *data,
		 const struct pmuctl_data_sample *sample);
/* Where one of them was. */
void callers_place(const struct pmuctl_data *data, const struct pmuctl_data_sample *sample,
		   const struct caller *caller, struct pmuctl_place *place);
/*
 * What is called there; returns: the call is there, and the next address was recorded.
 * Where a function begins nothing returns to: what points there is none of the calls,
 * and has that function's name, as in perf.
 */
void callers_symbol(struct pmuctl_data *data, const struct pmuctl_place *place, bool returns,
		    struct pmuctl_symbol *symbol);
void callers_free(struct callers *callers);

#endif
