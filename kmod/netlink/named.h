/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session that a request names.
 */
#ifndef PMUCTL_NAMED_H
#define PMUCTL_NAMED_H

#include <linux/types.h>

struct nlattr;
struct pmuctl_session;
struct pmuctl_why;

/* Whosever it is. */
int pmuctl_find_any(struct nlattr *attr, const struct pmuctl_why *why,
		    struct pmuctl_session **session);
/* The sender's; of_process: any socket of the owner's process will do. */
int pmuctl_find_session(struct nlattr *attr, bool of_process,
			const struct pmuctl_why *why,
			struct pmuctl_session **session);

#endif
