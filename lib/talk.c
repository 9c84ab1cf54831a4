// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One request to the module and its replies, with the kernel's own words
 * (extack) as the error.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <string.h>
#include <unistd.h>

#include "../kmod/uapi/pmuctl.h"
#include "private.h"

struct talk {
	struct pmuctl *ctx;
	const struct request *req;
	int err;		/* the kernel's */
	int stop;		/* the reply function's */
	bool done;
	char text[512];		/* extack */
};

/* The attributes that follow an acknowledgement, from where they start. */
static void take_extack(struct talk *t, const struct nlmsghdr *nlh, size_t start)
{
	size_t len = nlh->nlmsg_len;
	struct nlattr *attr;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || start >= len)
		return;
	attr = nla_find((struct nlattr *)((char *)nlh + start), (int)(len - start),
			NLMSGERR_ATTR_MSG);
	if (attr)
		nla_strlcpy(t->text, attr, sizeof(t->text));
}

static void take_ack(struct talk *t, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *ack = nlmsg_data(nlh);
	size_t start = NLMSG_HDRLEN + sizeof(*ack);

	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && ack->msg.nlmsg_len > NLMSG_HDRLEN)
		start += NLMSG_ALIGN(ack->msg.nlmsg_len - NLMSG_HDRLEN);
	take_extack(t, nlh, start);
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *ack, void *data)
{
	struct talk *t = data;

	(void)from;
	take_ack(t, (struct nlmsghdr *)((char *)ack - NLMSG_HDRLEN));
	t->err = ack->error < 0 ? ack->error : -EBADMSG;
	t->done = true;
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *data)
{
	struct talk *t = data;

	take_ack(t, nlmsg_hdr(msg));
	t->done = true;
	return NL_STOP;
}

/* The end of a dump carries an error of its own. */
static int on_finish(struct nl_msg *msg, void *data)
{
	const struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct talk *t = data;
	int err;

	t->done = true;
	if (nlh->nlmsg_len >= NLMSG_HDRLEN + sizeof(err)) {
		memcpy(&err, nlmsg_data(nlh), sizeof(err));
		if (err < 0)
			t->err = err;
		take_extack(t, nlh, NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(err)));
	}
	return NL_STOP;
}

static int on_reply(struct nl_msg *msg, void *data)
{
	struct nlattr *attrs[64] = { NULL };
	struct talk *t = data;

	/* What is left must be read all the same. */
	if (t->stop)
		return NL_SKIP;
	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, t->req->maxattr, NULL) < 0)
		t->stop = fail(t->ctx, -EBADMSG, "the module's answer cannot be parsed");
	else if (t->req->fn)
		t->stop = t->req->fn(t->req->data, nlmsg_hdr(msg), attrs);
	return NL_OK;
}

/* Another network namespace does not see the family at all. */
static int no_family(struct pmuctl *ctx)
{
	if (access("/sys/module/" PMUCTL_FAMILY_NAME, F_OK))
		return fail(ctx, -ENOENT, "the kernel module pmuctl is not loaded");
	return fail(ctx, -ENONET,
		    "the kernel module pmuctl is loaded, but it answers in the initial network "
		    "namespace only; run this outside of the container");
}

static int connect_family(struct pmuctl *ctx, struct nl_sock *sock)
{
	int err = wire_connect(sock);

	if (err)
		return fail(ctx, err, "cannot open a generic netlink socket: %s", strerror(-err));
	ctx->family = genl_ctrl_resolve(sock, PMUCTL_FAMILY_NAME);
	return ctx->family < 0 ? no_family(ctx) : 0;
}

static int talk_open(struct pmuctl *ctx)
{
	struct nl_sock *sock;
	int err;

	if (ctx->sock)
		return 0;
	sock = nl_socket_alloc();
	if (!sock)
		return fail(ctx, -ENOMEM, "out of memory");
	err = connect_family(ctx, sock);
	if (err) {
		nl_socket_free(sock);
		return err;
	}
	ctx->sock = sock;
	return 0;
}

void talk_close(struct pmuctl *ctx)
{
	if (ctx->sock)
		nl_socket_free(ctx->sock);
	ctx->sock = NULL;
}

int talk_message(struct pmuctl *ctx, const struct request *req, struct nl_msg **msg)
{
	int flags = NLM_F_REQUEST | (req->dump ? NLM_F_DUMP : NLM_F_ACK);
	int err = talk_open(ctx);

	if (err)
		return err;
	*msg = nlmsg_alloc_size(req->room + 256);
	if (!*msg)
		return fail(ctx, -ENOMEM, "out of memory");
	if (!genlmsg_put(*msg, NL_AUTO_PORT, NL_AUTO_SEQ, ctx->family, 0, flags, req->cmd,
			 PMUCTL_FAMILY_VERSION)) {
		nlmsg_free(*msg);
		return fail(ctx, -ENOMEM, "out of memory");
	}
	return 0;
}

static struct nl_cb *talk_callbacks(struct talk *t)
{
	struct nl_cb *cb = nl_socket_get_cb(t->ctx->sock);
	struct nl_cb *own = cb ? nl_cb_clone(cb) : NULL;

	nl_cb_put(cb);
	if (!own)
		return NULL;
	nl_cb_err(own, NL_CB_CUSTOM, on_error, t);
	nl_cb_set(own, NL_CB_ACK, NL_CB_CUSTOM, on_ack, t);
	nl_cb_set(own, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, t);
	nl_cb_set(own, NL_CB_VALID, NL_CB_CUSTOM, on_reply, t);
	return own;
}

static int talk_receive(struct talk *t)
{
	struct nl_cb *cb = talk_callbacks(t);
	int err = 0;

	if (!cb)
		return fail(t->ctx, -ENOMEM, "out of memory");
	while (!t->done) {
		err = nl_recvmsgs(t->ctx->sock, cb);
		if (err == -NLE_INTR)
			continue;
		if (err < 0 && !t->done)
			break;
	}
	nl_cb_put(cb);
	if (t->done)
		return 0;
	return fail(t->ctx, -EIO, "netlink: %s", nl_geterror(err));
}

/* Words for an errno of the module that came without any. */
static int no_extack(struct pmuctl *ctx, int err)
{
	if (err == -EPERM)
		return fail(ctx, err, "the kernel module wants the capability CAP_PERFMON");
	return fail(ctx, err, "the kernel module refused: %s", strerror(-err));
}

int talk(struct pmuctl *ctx, const struct request *req, struct nl_msg *msg)
{
	struct talk t = { .ctx = ctx, .req = req };
	int err;

	ctx->error[0] = '\0';
	err = nl_send_auto(ctx->sock, msg);
	nlmsg_free(msg);
	if (err < 0)
		return fail(ctx, -EIO, "netlink: cannot send: %s", nl_geterror(err));
	err = talk_receive(&t);
	if (err)
		return err;
	if (t.err)
		return t.text[0] ? fail(ctx, t.err, "%s", t.text) : no_extack(ctx, t.err);
	if (t.text[0])
		say(ctx, PMUCTL_LOG_WARNING, "%s", t.text);
	return t.stop;
}
