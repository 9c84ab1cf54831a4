/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where results go while a command runs that has its own output: standard error, or a file.
 */
#ifndef PMUCTL_PRINTING_H
#define PMUCTL_PRINTING_H

#include "tools/base/outlet.h"
#include "tools/base/writer.h"

struct printing {
	const char *cmd;		/* the subcommand, for what is complained of */
	const char *option;		/* whose file it is; NULL: -o */
	const char *path;		/* of that; NULL: standard error, "-": output */
	bool append;
	bool thousands;			/* text has them as the user's language wants them */
	struct layout layout;
	int fd;
	struct outlet *outlet;		/* from printing_open() on, with out, which is its stream */
	FILE *out;
	struct writer *w;		/* from printing_begin() on */
};

/* Each returns 0 or the exit code, after saying why. */

int printing_open(struct printing *p);
/* There is something to print now; what was in the file goes, not by a mistyped event. */
int printing_begin(struct printing *p);
/* What was printed, as far as it is taken now; whether anything is left. */
bool printing_push(struct printing *p);
/* All of it: what is said on standard error from now on comes behind. */
int printing_finish(struct printing *p);
/* code: what is returned if all was written; if it is not 0, only what is taken now is. */
int printing_end(struct printing *p, int code);

#endif
