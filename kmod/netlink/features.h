/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests about features of the processor, and the replies to them.
 */
#ifndef PMUCTL_NETLINK_FEATURES_H
#define PMUCTL_NETLINK_FEATURES_H

#include <net/genetlink.h>

#include "kmod/base/why.h"
#include "kmod/features/features.h"

/* What a FEATURE_HOLD asks for, if its sender may have it at all. */
int pmuctl_features_request(struct sk_buff *skb, struct genl_info *info,
			    struct pmuctl_hold **hold,
			    const struct pmuctl_why *why);
/* The hold that a FEATURE_RELEASE names, if it is the sender's. */
int pmuctl_features_named(struct genl_info *info, struct pmuctl_hold **hold,
			  const struct pmuctl_why *why);

size_t pmuctl_features_reply_size(void);
size_t pmuctl_features_left_size(void);
int pmuctl_features_reply(struct sk_buff *skb, const struct pmuctl_hold *hold);
int pmuctl_features_put_left(struct sk_buff *skb,
			     const struct pmuctl_hold *hold);

/* A feature in one place, as a FEATURE_GET has it. */
int pmuctl_features_put(struct sk_buff *skb, unsigned int row,
			unsigned int cpu);

#endif
