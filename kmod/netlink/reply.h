/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module answers, as netlink messages.
 */
#ifndef PMUCTL_REPLY_H
#define PMUCTL_REPLY_H

#include <net/genetlink.h>

#include "kmod/state/session.h"

/* Each puts into a message; -EMSGSIZE if there is no room. */
int pmuctl_reply_info(struct sk_buff *skb);
int pmuctl_reply_plan(struct sk_buff *skb,
		      const struct pmuctl_session *session);
int pmuctl_reply_session(struct sk_buff *skb,
			 const struct pmuctl_session *session);

size_t pmuctl_reply_info_size(void);
/* Room that the reply to a SESSION_NEW needs at most. */
size_t pmuctl_reply_plan_size(const struct pmuctl_session *session);

#endif
