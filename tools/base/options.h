/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of options: each is checked here, and what is wrong with it said.  All but
 * the first return 0, or the exit code.
 */
#ifndef PMUCTL_OPTIONS_H
#define PMUCTL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/writer.h"

struct option;

/*
 * The next one as getopt_long() has it; '?' after a complaint.  At --help or -h that is all
 * of the process.
 */
int option_next(const char *cmd, int argc, char **argv, const char *letters,
		const struct option *options);
/* Of who has none but --help. */
int option_none(const char *cmd, int argc, char **argv);
/* Behind the last option: not more words than most.  takes: of which kind, "one file". */
int option_rest(const char *cmd, int argc, char **argv, int most, const char *takes);
/* There is nothing behind it, and has to be: "nothing to (verb); name (what)". */
int option_missing(const char *cmd, const char *verb, const char *what);
int option_number(const char *cmd, const char *option, const char *text, uint64_t least,
		  uint64_t most, uint64_t *number);
int option_int(const char *cmd, const char *option, const char *text, unsigned int least,
	       unsigned int most, unsigned int *number);
/* what: of the option's value, as in "the file name". */
int option_text(const char *cmd, const char *option, const char *what, const char *text,
		const char **to);
/* -x and -j exclude each other. */
int option_format(const char *cmd, enum format wanted, const char *text, enum format *format,
		  const char **separator);
/* --nmi-watchdog=off */
int option_watchdog(const char *cmd, const char *text, bool *off);
/* One more of a list. */
int option_add(const char *cmd, const char *text, const char ***list, size_t *count);

#endif
