/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A generic netlink message in the making, and the attributes of one that came: what
 * programs share that talk to the module without the library.
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

static struct {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char data[65536];
} msg;

/* Whose refusals come with their reason; -1: errno. */
static int generic_socket(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC), one = 1;

	if (fd >= 0)
		setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	return fd;
}

static void begin_message(int type, int cmd, int flags, uint32_t seq)
{
	memset(&msg, 0, NLMSG_HDRLEN + GENL_HDRLEN);
	msg.nl.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	msg.nl.nlmsg_type = type;
	msg.nl.nlmsg_flags = NLM_F_REQUEST | flags;
	msg.nl.nlmsg_seq = seq;
	msg.genl.cmd = cmd;
	msg.genl.version = 1;
}

/* What does not fit is left out; what is returned can be written to all the same. */
static struct nlattr *put(int type, const void *data, uint32_t len)
{
	struct nlattr *attr = (void *)((char *)&msg + NLMSG_ALIGN(msg.nl.nlmsg_len));

	if (msg.nl.nlmsg_len + len + 64 > sizeof(msg))
		return attr;
	memset(attr, 0, NLA_HDRLEN + NLA_ALIGN(len));
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	if (len)
		memcpy((char *)attr + NLA_HDRLEN, data, len);
	msg.nl.nlmsg_len += NLA_ALIGN(attr->nla_len);
	return attr;
}

static void put_u32(int type, uint32_t value)
{
	put(type, &value, sizeof(value));
}

static void put_u64(int type, uint64_t value)
{
	put(type, &value, sizeof(value));
}

static void end_nest(struct nlattr *nest)
{
	nest->nla_len = (char *)&msg + msg.nl.nlmsg_len - (char *)nest;
}

/* What an attribute behind so long a header holds; NULL: it is not there. */
static const void *find(const struct nlmsghdr *nl, int header, int type, int *len)
{
	const char *pos = (const char *)nl + NLMSG_HDRLEN + NLMSG_ALIGN(header);
	const char *end = (const char *)nl + nl->nlmsg_len;

	while (pos + NLA_HDRLEN <= end) {
		const struct nlattr *attr = (const void *)pos;

		if (attr->nla_len < NLA_HDRLEN)
			return NULL;
		if ((attr->nla_type & NLA_TYPE_MASK) == type) {
			if (len)
				*len = attr->nla_len - NLA_HDRLEN;
			return pos + NLA_HDRLEN;
		}
		pos += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

#endif
