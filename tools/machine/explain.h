/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl explain share.
 */
#ifndef PMUCTL_EXPLAIN_H
#define PMUCTL_EXPLAIN_H

#include <stdbool.h>

#include "lib/pmuctl.h"
#include "tools/base/writer.h"

/* explain_p4.c: an ESCR and a CCCR, field by field. */
bool explain_is_p4(const struct pmuctl_event_info *e);
void explain_p4_fields(struct writer *w, const struct pmuctl_event_info *e);
/* The manual's eight steps to set it up; plan: of its session, or NULL. */
void explain_p4_setup(struct writer *w, const struct pmuctl_event_info *e,
		      const struct pmuctl_session *plan, unsigned int number);

#endif
