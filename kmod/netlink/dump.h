/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What netlink dumps have in common: their beginning, their messages, and
 * arrays that are taken at once and sent in parts.
 */
#ifndef PMUCTL_DUMP_H
#define PMUCTL_DUMP_H

#include <linux/netlink.h>
#include <linux/types.h>

#include "kmod/base/why.h"

struct nlattr;

/* Who asks, and for what; *all: the sender may do everything. */
int pmuctl_dump_begin(struct netlink_callback *cb, u8 cmd,
		      struct nlattr **attrs, bool *all, struct pmuctl_why *why);
/* The header of another message in the part, or NULL. */
void *pmuctl_dump_message(struct sk_buff *skb, struct netlink_callback *cb,
			  u8 cmd);

/* nr members of so many bytes each, sent from what cb->args[0] says. */
struct pmuctl_snapshot {
	unsigned int nr;
	unsigned int sent;
	unsigned int size;		/* of one */
	u64 data[];
};

/* Room for nr; NULL: no memory. */
struct pmuctl_snapshot *pmuctl_snapshot_alloc(unsigned int nr,
					      unsigned int size);
/* As many as fit, as attribute attr; the rest comes with the next call. */
int pmuctl_snapshot_dump(struct sk_buff *skb, struct netlink_callback *cb,
			 u8 cmd, int attr);
int pmuctl_snapshot_done(struct netlink_callback *cb);

#endif
