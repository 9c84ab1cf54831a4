/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be wrong with a count: enum pmuctl_value_flag in words.
 */
#ifndef PMUCTL_FLAGS_H
#define PMUCTL_FLAGS_H

#include "tools/base/writer.h"

struct pmuctl;

/* Behind what text has already, of which `at` characters are there. */
void flags_note(uint32_t flags, char *text, size_t at, size_t size);
/* A key of JSON for each. */
void flags_print(struct writer *w, uint32_t flags);
/* A line to stderr for each that is set; ctx: of the sessions that they are of. */
void flags_warn(const char *cmd, const struct pmuctl *ctx, uint32_t flags);

#endif
