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

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

/* The two headers, and a session's number. */
#define HEAD_ROOM 64

struct talk {
	struct pmuctl *ctx;
	const struct request *req;
	uint32_t seq;
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

	t->done = true;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && ack->msg.nlmsg_len > NLMSG_HDRLEN)
		start += NLMSG_ALIGN(ack->msg.nlmsg_len - NLMSG_HDRLEN);
	take_extack(t, nlh, start);
}

/* ---- libnl's callbacks ------------------------------------------------- */

/* Another process may write to us, too, and what was given up may have a rest. */
static int on_any(struct nl_msg *msg, void *data)
{
	const struct talk *t = data;

	return nlmsg_get_src(msg)->nl_pid || nlmsg_hdr(msg)->nlmsg_seq != t->seq ? NL_SKIP : NL_OK;
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *ack, void *data)
{
	struct talk *t = data;

	(void)from;
	take_ack(t, (struct nlmsghdr *)((char *)ack - NLMSG_HDRLEN));
	t->err = ack->error < 0 ? ack->error : -EBADMSG;
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *data)
{
	take_ack(data, nlmsg_hdr(msg));
	return NL_STOP;
}

/* The end of a dump carries an error of its own. */
static int on_end(struct nl_msg *msg, void *data)
{
	const struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct talk *t = data;
	int err;

	t->done = true;
	if (nlh->nlmsg_len < NLMSG_HDRLEN + sizeof(err))
		return NL_STOP;
	memcpy(&err, nlmsg_data(nlh), sizeof(err));
	if (err < 0)
		t->err = err;
	take_extack(t, nlh, NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(err)));
	return NL_STOP;
}

static int on_reply(struct nl_msg *msg, void *data)
{
	struct nlattr *attrs[64] = { NULL };
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct talk *t = data;

	if (!t->req->dump && !t->req->acked)
		t->done = true;
	/* What is left must be read all the same. */
	if (t->stop)
		return NL_OK;
	if (genlmsg_parse(nlh, 0, attrs, t->req->maxattr, NULL) < 0)
		t->stop = fail(t->ctx, -EBADMSG, "the module's answer cannot be parsed");
	else if (t->req->fn)
		t->stop = t->req->fn(t->req->data, nlh, attrs);
	return NL_OK;
}

/* Sessions of all kinds of cores are one socket's. */
static struct pmuctl *connection(struct pmuctl *ctx)
{
	return ctx->whole ? ctx->whole : ctx;
}

static struct nl_cb *callbacks(struct talk *t)
{
	struct nl_cb *of_socket = nl_socket_get_cb(connection(t->ctx)->sock);
	struct nl_cb *cb = nl_cb_clone(of_socket);

	nl_cb_put(of_socket);
	if (!cb)
		return NULL;
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_any, t);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, t);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, t);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_end, t);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_reply, t);
	return cb;
}

/* ---- request and reply ------------------------------------------------- */

static struct nl_msg *make_message(struct pmuctl *ctx, const struct request *req)
{
	int flags = (req->dump ? NLM_F_DUMP : 0) | (req->acked ? NLM_F_ACK : 0);
	struct nl_msg *msg = nlmsg_alloc_size(HEAD_ROOM + req->room);

	if (msg &&
	    genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, connection(ctx)->family, 0, flags, req->cmd,
			PMUCTL_FAMILY_VERSION) &&
	    (!req->session || !nla_put_u32(msg, PMUCTL_A_SESSION_ID, req->session)) &&
	    (!req->put || !req->put(msg, req->data)))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int transmit(struct talk *t)
{
	struct nl_msg *msg = make_message(t->ctx, t->req);
	int err;

	if (!msg)
		return fail(t->ctx, -ENOMEM, "out of memory");
	do
		err = nl_send_auto(connection(t->ctx)->sock, msg);
	while (err == -NLE_INTR);
	t->seq = nlmsg_hdr(msg)->nlmsg_seq;
	nlmsg_free(msg);
	if (err < 0)
		return fail(t->ctx, -EIO, "netlink: cannot send: %s", nl_geterror(err));
	return 0;
}

static int receive(struct talk *t)
{
	struct nl_cb *cb = callbacks(t);
	int err = 0;

	if (!cb)
		return fail(t->ctx, -ENOMEM, "out of memory");
	while (!t->done && err >= 0)
		err = nl_recvmsgs(connection(t->ctx)->sock, cb);
	nl_cb_put(cb);
	if (t->done)
		return 0;
	if (err == -NLE_AGAIN)
		return fail(t->ctx, -EBADMSG, "the module did not answer");
	return fail(t->ctx, -EIO, "netlink: cannot receive: %s", nl_geterror(err));
}

/* Words for an errno of the module that came without any. */
static int no_extack(struct pmuctl *ctx, int err)
{
	if (err == -EPERM)
		return fail(ctx, err, "the kernel module wants the capability CAP_PERFMON");
	/* The module says of what is not there what it is; this is of the family. */
	if (err == -ENOENT)
		return fail(ctx, err, "the kernel module pmuctl is not loaded any more");
	return fail(ctx, err, "the kernel module refused: %s", strerror(-err));
}

static int verdict(const struct talk *t)
{
	if (t->err)
		return t->text[0] ? fail(t->ctx, t->err, "%s", t->text) : no_extack(t->ctx, t->err);
	if (t->text[0])
		say(t->ctx, PMUCTL_LOG_WARNING, "%s", t->text);
	return t->stop;
}

/* ---- the connection ---------------------------------------------------- */

static bool is_live(int module)
{
	char state[16] = "";

	return wire_read(module, state, sizeof(state) - 1, 0) > 0 && !strcmp(state, "live\n");
}

static int find_family(struct pmuctl *ctx)
{
	ctx->family = genl_ctrl_resolve(ctx->sock, PMUCTL_FAMILY_NAME);
	return ctx->family == -NLE_OBJ_NOTFOUND ? -ENOENT : 0;
}

static int comes_or_goes(struct pmuctl *ctx)
{
	return fail(ctx, -ENOENT,
		    "the kernel module pmuctl is just being loaded or unloaded: try again");
}

/*
 * While a module comes or goes its family is not there.  One that is live before and behind a
 * look has been so meanwhile: its family is there, and only not for us.
 */
static int look_again(struct pmuctl *ctx, int module)
{
	if (!is_live(module))
		return comes_or_goes(ctx);
	if (!find_family(ctx))
		return 0;
	if (!is_live(module))
		return comes_or_goes(ctx);
	return fail(ctx, -ENONET,
		    "the kernel module pmuctl is loaded, but it answers in the initial "
		    "network namespace only; run this outside of the container");
}

static int no_family(struct pmuctl *ctx)
{
	int err, module = wire_open_module();

	if (module == -ENOENT)
		return fail(ctx, -ENOENT, "the kernel module pmuctl is not loaded");
	if (module < 0)
		return comes_or_goes(ctx);
	err = look_again(ctx, module);
	wire_close(module);
	return err;
}

static int connect_family(struct pmuctl *ctx)
{
	int err;

	nl_socket_disable_auto_ack(ctx->sock);
	err = wire_connect(ctx->sock);
	if (err)
		return fail(ctx, -EIO, "cannot open a generic netlink socket: %s",
			    nl_geterror(err));
	err = find_family(ctx) ? no_family(ctx) : 0;
	if (err)
		return err;
	if (ctx->family < 0)
		return fail(ctx, -EIO, "generic netlink does not tell the module's number: %s",
			    nl_geterror(ctx->family));
	return 0;
}

static int talk_open(struct pmuctl *ctx)
{
	int err;

	if (ctx->whole)
		return talk_open(ctx->whole) ? fail(ctx, -EIO, "%s", ctx->whole->error) : 0;
	if (ctx->sock)
		return 0;
	ctx->sock = nl_socket_alloc();
	err = ctx->sock ? connect_family(ctx) : fail(ctx, -ENOMEM, "out of memory");
	if (err)
		talk_close(ctx);
	return err;
}

void talk_close(struct pmuctl *ctx)
{
	nl_socket_free(ctx->sock);
	ctx->sock = NULL;
}

int talk(struct pmuctl *ctx, const struct request *req)
{
	struct talk t = { .ctx = ctx, .req = req };
	int err;

	if (ctx->planned)
		return fail(ctx, -ENOENT, "what was asked is of another processor, not of this "
			    "machine's: the module here knows nothing of it");
	ctx->error[0] = '\0';
	err = talk_open(ctx);
	if (!err)
		err = transmit(&t);
	if (!err)
		err = receive(&t);
	return err ? err : verdict(&t);
}
