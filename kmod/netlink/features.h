/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands about features of the processor.
 */
#ifndef PMUCTL_NETLINK_FEATURES_H
#define PMUCTL_NETLINK_FEATURES_H

struct genl_info;
struct netlink_callback;
struct sk_buff;

/* With the sessions' lock. */
int pmuctl_feature_hold(struct sk_buff *skb, struct genl_info *info);
int pmuctl_feature_release(struct sk_buff *skb, struct genl_info *info);
int pmuctl_feature_get_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
