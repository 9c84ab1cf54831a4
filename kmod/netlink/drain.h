/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dumps that take records out of rings and show the ledger.
 */
#ifndef PMUCTL_DRAIN_H
#define PMUCTL_DRAIN_H

struct netlink_callback;
struct sk_buff;

int pmuctl_sample_get_start(struct netlink_callback *cb);
int pmuctl_sample_get_dump(struct sk_buff *skb, struct netlink_callback *cb);
int pmuctl_sample_get_done(struct netlink_callback *cb);

int pmuctl_ledger_get_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
