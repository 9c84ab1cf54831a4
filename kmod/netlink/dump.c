// SPDX-License-Identifier: GPL-2.0-only
/*
 * What netlink dumps have in common.
 *
 * Checks are made at the first part, not in .start: 6.1 hands that no extack.
 * cb->args[0] is 0 until then.
 */
#include <linux/overflow.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "kmod/access/privilege.h"
#include "kmod/netlink/answer.h"
#include "kmod/netlink/attrs.h"
#include "kmod/netlink/dump.h"

int pmuctl_dump_begin(struct netlink_callback *cb, u8 cmd,
		      struct nlattr **attrs, bool *all, struct pmuctl_why *why)
{
	int err;

	why->extack = cb->extack;
	why->socket = pmuctl_socket_of(cb->skb);
	err = pmuctl_permitted(cb->skb, all, why);
	why->all = !err && *all;
	return err ? err : pmuctl_attrs_parse_message(cmd, cb->nlh, attrs, why);
}

void *pmuctl_dump_message(struct sk_buff *skb, struct netlink_callback *cb,
			  u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &pmuctl_family, NLM_F_MULTI, cmd);
}

struct pmuctl_snapshot *pmuctl_snapshot_alloc(unsigned int nr,
					      unsigned int size)
{
	struct pmuctl_snapshot *snapshot;

	snapshot = kvmalloc(sizeof(*snapshot) + array_size(nr, size),
			    GFP_KERNEL_ACCOUNT);
	if (!snapshot)
		return NULL;
	snapshot->nr = nr;
	snapshot->sent = 0;
	snapshot->size = size;
	return snapshot;
}

int pmuctl_snapshot_dump(struct sk_buff *skb, struct netlink_callback *cb,
			 u8 cmd, int attr)
{
	size_t overhead = GENL_HDRLEN + NLMSG_HDRLEN + 2 * NLA_HDRLEN;
	struct pmuctl_snapshot *snapshot = (void *)cb->args[0];
	unsigned int n = snapshot->nr - snapshot->sent;
	size_t room = skb_tailroom(skb);
	void *header;

	if (!n)
		return 0;
	if (room < overhead + snapshot->size)
		return -EMSGSIZE;
	n = min_t(size_t, n, (room - overhead) / snapshot->size);
	header = pmuctl_dump_message(skb, cb, cmd);
	if (!header)
		return -EMSGSIZE;
	/* Every attribute set's padding has the same number. */
	if (nla_put_64bit(skb, attr, n * snapshot->size,
			  (u8 *)snapshot->data +
			  snapshot->sent * snapshot->size,
			  PMUCTL_A_SESSION_PAD)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	snapshot->sent += n;
	return skb->len;
}

int pmuctl_snapshot_done(struct netlink_callback *cb)
{
	kvfree((void *)cb->args[0]);
	return 0;
}
