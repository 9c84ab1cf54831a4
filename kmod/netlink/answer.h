/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replies to requests that are no dumps.
 */
#ifndef PMUCTL_ANSWER_H
#define PMUCTL_ANSWER_H

#include <net/genetlink.h>

#include "kmod/base/why.h"

extern struct genl_family pmuctl_family;

/* What is known of a request before its command is called, in user_ptr. */
enum {
	PMUCTL_NAMED,			/* the session that it names */
	PMUCTL_PRIVILEGED,		/* not NULL: the sender may do all */
};

struct pmuctl_why pmuctl_why_of(const struct sk_buff *request,
				const struct genl_info *info);

struct pmuctl_answer {
	struct sk_buff *skb;
	void *header;
	struct pmuctl_why why;
};

/* Room for attributes of that size in all. */
int pmuctl_answer_begin(struct pmuctl_answer *answer,
			const struct sk_buff *request, struct genl_info *info,
			size_t size);
/* err: of what was put into it; it is gone in any case. */
int pmuctl_answer_send(struct pmuctl_answer *answer, struct genl_info *info,
		       int err);

#endif
