/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features of the processor that are held while something runs: --with, and modes of pairs.
 */
#ifndef PMUCTL_RUN_FEATURES_H
#define PMUCTL_RUN_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tools/base/options.h"

struct pmuctl;
struct pmuctl_hold;
struct targets;

/* Into a struct option_list, if it is written as features are. */
int take_features(const struct option_use *use);
#define OPTION_WITH(type, field)						\
	{ 0, "with", "FEATURE=VALUE[,...]", take_features, offsetof(type, field),	\
	  .help = "hold features of the processor meanwhile, like prefetch=off: `pmuctl features`" }

/* 0, or the exit code after a complaint: `what` is the option. */
int check_features(const char *cmd, const char *what, const char *text);
/* Does a setting NAME=VALUE name one, of the library's or of resctrl's? */
bool is_feature(const char *text);

/*
 * 0 if any feature of the processor can be switched now; else the exit code, after the reason why
 * nothing can be `done`.
 */
int features_any(const char *cmd, struct pmuctl *ctx, const char *done);

/*
 * What both lists say, on these CPUs and what shares cores with them, or (count 0) on all; where
 * both name a feature the second holds, which may be NULL.  *hold is NULL where they say nothing
 * of registers.  Ways of the last level are of the commands that begin from now on, wherever they
 * run.  0, or the exit code after a complaint.
 */
int features_hold(const char *cmd, struct pmuctl *ctx, const struct option_list *first,
		  const struct option_list *second, const unsigned int *cpus, size_t count,
		  struct pmuctl_hold **hold);
/* The same for a process, while it runs; ways of the last level are of commands as ever. */
int features_hold_task(const char *cmd, struct pmuctl *ctx, const struct option_list *list,
		       pid_t process, struct pmuctl_hold **hold);
/* The same for what is counted: of CPUs on these, which have the ways as well, else on all. */
int features_hold_for(const char *cmd, struct pmuctl *ctx, const struct option_list *with,
		      const struct targets *targets, struct pmuctl_hold **hold);
/* Says what somebody else wrote meanwhile; hold may be NULL. */
void features_release(const char *cmd, struct pmuctl *ctx, struct pmuctl_hold *hold);

#endif
