/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where results go while a command runs that has its own output: standard error, or a file.
 */
#ifndef PMUCTL_PRINTING_H
#define PMUCTL_PRINTING_H

#include "writer.h"

struct printing {
	const char *cmd;		/* the subcommand, for what is complained of */
	const char *path;		/* of -o; NULL: standard error, "-": output */
	bool append;
	bool thousands;			/* text has them as the user's language wants them */
	enum format format;
	const char *separator;
	FILE *out;
	struct writer *w;		/* from printing_begin() on */
};

/* Each returns 0 or the exit code, after saying why. */

int printing_open(struct printing *p);
/* There is something to print now; what was in the file goes, not by a mistyped event. */
int printing_begin(struct printing *p);
/* code: what is returned if all was written. */
int printing_end(struct printing *p, int code);

#endif
