// SPDX-License-Identifier: GPL-2.0-only
/*
 * The family whose messages requests and replies are, and a reply's way from
 * its header to the sender.
 */
#include <linux/cache.h>
#include <linux/module.h>

#include "kmod/netlink/answer.h"
#include "kmod/uapi/pmuctl.h"

/* What its commands do is genl.c's to say. */
struct genl_family pmuctl_family __ro_after_init = {
	.name = PMUCTL_FAMILY_NAME,
	.version = PMUCTL_FAMILY_VERSION,
	.module = THIS_MODULE,
	.parallel_ops = true,
	/* Or operations without a policy would take no attributes at all. */
	.resv_start_op = __PMUCTL_CMD_MAX,
};

struct pmuctl_why pmuctl_why_of(const struct sk_buff *request,
				const struct genl_info *info)
{
	return (struct pmuctl_why) {
		.extack = info->extack,
		.socket = pmuctl_socket_of(request),
		.all = info->user_ptr[PMUCTL_PRIVILEGED],
	};
}

int pmuctl_answer_begin(struct pmuctl_answer *answer,
			const struct sk_buff *request, struct genl_info *info,
			size_t size)
{
	answer->why = pmuctl_why_of(request, info);
	answer->skb = genlmsg_new(size, GFP_KERNEL);
	if (!answer->skb)
		goto err;
	answer->header = genlmsg_put_reply(answer->skb, info, &pmuctl_family, 0,
					   info->genlhdr->cmd);
	if (answer->header)
		return 0;
	nlmsg_free(answer->skb);
err:
	return pmuctl_why(&answer->why, -ENOMEM, "no memory for the reply");
}

int pmuctl_answer_send(struct pmuctl_answer *answer, struct genl_info *info,
		       int err)
{
	if (err) {
		nlmsg_free(answer->skb);
		return pmuctl_why(&answer->why, err,
				  "the reply does not fit into its message");
	}
	genlmsg_end(answer->skb, answer->header);
	err = genlmsg_reply(answer->skb, info);
	if (err)
		return pmuctl_why(&answer->why, err,
				  "the reply cannot be delivered: read the socket's earlier messages first");
	return 0;
}
