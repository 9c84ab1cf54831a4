/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call chains that were unwound and end early: how many, why, and what to do.
 */
#ifndef PMUCTL_CUTS_H
#define PMUCTL_CUTS_H

#include "tools/base/base.h"

/* In a few words: "the copy of the stack ends". */
const char *cut_text(enum pmuctl_cut cut);
/* One line on standard error, if pmuctl_data_chains() cut any. */
void cuts_complain(const char *cmd, const char *input, struct pmuctl_data *data);

#endif
