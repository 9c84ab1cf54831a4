// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel of paper: generic netlink's family look-up and the module's
 * commands, answered from struct fake_kernel.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/private.h"
#include "fake_kernel.h"

#define FAMILY 42
#define QUEUE 16

struct fake_kernel fake;

static struct {
	unsigned char *bytes[QUEUE];
	size_t len[QUEUE];
	unsigned int first, count;
} queue;

static void push(struct nl_msg *msg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	unsigned int at = (queue.first + queue.count++) % QUEUE;

	queue.len[at] = nlh->nlmsg_len;
	queue.bytes[at] = malloc(nlh->nlmsg_len);
	memcpy(queue.bytes[at], nlh, nlh->nlmsg_len);
	nlmsg_free(msg);
}

static struct nl_msg *reply(const struct nlmsghdr *to, int type, int cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (cmd)
		genlmsg_put(msg, to->nlmsg_pid, to->nlmsg_seq, type, 0, flags, (uint8_t)cmd, 1);
	else
		nlmsg_put(msg, to->nlmsg_pid, to->nlmsg_seq, type, 0, flags);
	return msg;
}

/* NLMSG_ERROR: the error, the request's header (all of it if not capped), TLVs. */
static void push_ack(const struct nlmsghdr *to, int err, const char *text)
{
	bool whole = err && fake.not_capped;
	struct nl_msg *msg = reply(to, NLMSG_ERROR, 0,
				   (text ? NLM_F_ACK_TLVS : 0) | (whole ? 0 : NLM_F_CAPPED));

	nlmsg_append(msg, &err, sizeof(err), 0);
	nlmsg_append(msg, (void *)(uintptr_t)to, whole ? to->nlmsg_len : sizeof(*to),
		     NLMSG_ALIGNTO);
	if (text)
		nla_put_string(msg, NLMSGERR_ATTR_MSG, text);
	push(msg);
}

static void push_done(const struct nlmsghdr *to, int err, const char *text)
{
	struct nl_msg *msg = reply(to, NLMSG_DONE, 0, NLM_F_MULTI | (text ? NLM_F_ACK_TLVS : 0));

	nlmsg_append(msg, &err, sizeof(err), NLMSG_ALIGNTO);
	if (text)
		nla_put_string(msg, NLMSGERR_ATTR_MSG, text);
	push(msg);
}

static void answer_family(const struct nlmsghdr *nlh)
{
	struct nl_msg *msg;

	if (fake.missing) {
		push_ack(nlh, -ENOENT, NULL);
		return;
	}
	msg = reply(nlh, GENL_ID_CTRL, CTRL_CMD_NEWFAMILY, 0);
	nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, PMUCTL_FAMILY_NAME);
	nla_put_u16(msg, CTRL_ATTR_FAMILY_ID, FAMILY);
	push(msg);
	push_ack(nlh, 0, NULL);
}

static void put_info(struct nl_msg *msg)
{
	if (fake.abi)
		nla_put_u32(msg, PMUCTL_A_INFO_ABI, fake.abi);
	nla_put_u64(msg, PMUCTL_A_INFO_FEATURES, 0x1f);
	nla_put_string(msg, PMUCTL_A_INFO_BACKEND, "perfmon");
	nla_put_u32(msg, PMUCTL_A_INFO_STATE, fake.state);
	nla_put_u32(msg, PMUCTL_A_INFO_SIGNATURE, fake.signature);
	nla_put_u32(msg, PMUCTL_A_INFO_VERSION, fake.version);
	nla_put_u64(msg, PMUCTL_A_INFO_COUNTERS, fake.counters);
	nla_put_u64(msg, PMUCTL_A_INFO_COUNTERS_USED, 0);
	nla_put_u32(msg, PMUCTL_A_INFO_GP_WIDTH, 48);
	nla_put_u32(msg, PMUCTL_A_INFO_FIXED_WIDTH, 48);
	nla_put_u32(msg, PMUCTL_A_INFO_ARCH_EVENTS, fake.arch_events);
	nla_put_u64(msg, PMUCTL_A_INFO_CAPABILITIES, 0);
	nla_put_u32(msg, PMUCTL_A_INFO_SESSIONS, 0);
}

static size_t count_events(const struct nlmsghdr *nlh)
{
	struct nlattr *attr;
	size_t count = 0;
	int rem;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem)
		count += nla_type(attr) == PMUCTL_A_SESSION_EVENT;
	return count;
}

static void put_assigned(struct nl_msg *msg, unsigned int counter)
{
	const struct pmuctl_reg reg = {
		.reg = PMUCTL_REG_EVTSEL, .index = counter, .value = 0x4300c0 + counter,
	};
	struct nlattr *nest = nla_nest_start(msg, PMUCTL_A_SESSION_EVENT);

	if (!fake.no_counter)
		nla_put_u32(msg, PMUCTL_A_EVENT_COUNTER, counter);
	nla_put(msg, PMUCTL_A_EVENT_REGS, sizeof(reg) - (fake.short_regs ? 4 : 0), &reg);
	nla_put_u32(msg, PMUCTL_A_EVENT_SET, 0);
	nla_nest_end(msg, nest);
}

static void put_session(struct nl_msg *msg, const struct nlmsghdr *nlh)
{
	size_t i;

	memcpy(fake.last_new, nlh, nlh->nlmsg_len);
	fake.nr_events = count_events(nlh);
	nla_put_u32(msg, PMUCTL_A_SESSION_ID, 7);
	for (i = 0; i < fake.nr_events - (size_t)fake.events_missing + (size_t)fake.events_extra;
	     i++)
		put_assigned(msg, (unsigned int)i);
}

static void put_counts(struct nl_msg *msg)
{
	struct pmuctl_count counts[ARRAY_SIZE(fake.counts)];
	size_t i, n = fake.nr_events;

	memcpy(counts, fake.counts, sizeof(counts));
	for (i = 0; i < n; i++) {
		counts[i].event = (uint32_t)i + (fake.wrong_event ? 100 : 0);
		counts[i].cpu = PMUCTL_CPU_ALL;
	}
	nla_put(msg, PMUCTL_A_SESSION_COUNTS,
		(int)(n * sizeof(counts[0])) - (fake.short_counts ? 8 : 0), counts);
}

static void put_owner(struct nl_msg *msg)
{
	nla_put_u32(msg, PMUCTL_A_SESSION_ID, 3);
	nla_put_u64(msg, PMUCTL_A_SESSION_FLAGS, PMUCTL_SESSION_INHERIT);
	nla_put_u64(msg, PMUCTL_A_SESSION_COUNTERS, 0x100000001ull);
	nla_put_u32(msg, PMUCTL_A_SESSION_OWNER_PID, 1234);
	nla_put_string(msg, PMUCTL_A_SESSION_OWNER_COMM, "somebody");
	nla_put_u32(msg, PMUCTL_A_SESSION_RUNNING, 1);
}

static void put_answer(struct nl_msg *msg, const struct nlmsghdr *nlh, int cmd)
{
	switch (cmd) {
	case PMUCTL_CMD_INFO_GET:
		put_info(msg);
		break;
	case PMUCTL_CMD_SESSION_NEW:
		put_session(msg, nlh);
		break;
	case PMUCTL_CMD_SESSION_GET:
		put_owner(msg);
		break;
	case PMUCTL_CMD_COUNT_GET:
		put_counts(msg);
		break;
	}
}

static void answer(const struct nlmsghdr *nlh, int cmd)
{
	bool dump = (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	bool bad = cmd == fake.fail_cmd;
	struct nl_msg *msg;

	fake.requests[cmd]++;
	if (bad && !fake.fail_at_done) {
		push_ack(nlh, fake.fail_errno, fake.extack);
		return;
	}
	if (!fake.no_reply && cmd != PMUCTL_CMD_SESSION_DEL && cmd != PMUCTL_CMD_SESSION_START &&
	    cmd != PMUCTL_CMD_SESSION_STOP) {
		msg = reply(nlh, FAMILY, cmd, dump ? NLM_F_MULTI : 0);
		put_answer(msg, nlh, cmd);
		push(msg);
	}
	if (dump)
		push_done(nlh, bad ? fake.fail_errno : 0, bad ? fake.extack : fake.warning);
	else
		push_ack(nlh, 0, fake.warning);
}

static int on_send(struct nl_sock *sock, struct nl_msg *msg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	const struct genlmsghdr *genl = nlmsg_data(nlh);

	(void)sock;
	if (nlh->nlmsg_type == GENL_ID_CTRL)
		answer_family(nlh);
	else
		answer(nlh, genl->cmd);
	return (int)nlh->nlmsg_len;
}

static int on_receive(struct nl_sock *sock, struct sockaddr_nl *from, unsigned char **bytes,
		      struct ucred **creds)
{
	unsigned int at = queue.first;

	(void)sock;
	(void)creds;
	if (!queue.count)
		return -NLE_AGAIN;
	memset(from, 0, sizeof(*from));
	from->nl_family = AF_NETLINK;
	queue.first = (queue.first + 1) % QUEUE;
	queue.count--;
	*bytes = queue.bytes[at];
	return (int)queue.len[at];
}

/* In place of the library's wire.c. */
int wire_connect(struct nl_sock *sock)
{
	struct nl_cb *cb = nl_socket_get_cb(sock);

	nl_cb_overwrite_send(cb, on_send);
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_put(cb);
	return 0;
}

static void reset(void)
{
	while (queue.count) {
		free(queue.bytes[queue.first]);
		queue.first = (queue.first + 1) % QUEUE;
		queue.count--;
	}
	memset(&fake, 0, sizeof(fake));
	fake.abi = PMUCTL_ABI;
	fake.arch_events = 0x7f;
}

void fake_skylake(void)
{
	reset();
	fake.signature = FAKE_SKYLAKE;
	fake.version = 4;
	fake.counters = 0x70000000full;
}

void fake_core2(void)
{
	reset();
	fake.signature = FAKE_CORE2;
	fake.version = 2;
	fake.counters = 0x700000003ull;
}
