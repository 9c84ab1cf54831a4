// SPDX-License-Identifier: GPL-2.0-only
/*
 * Talks to the module in plain netlink, without the library: one socket, and
 * on it one request after the other as the arguments say.  Prints what comes
 * back, refusals word for word.
 *
 * talk REQUEST [, REQUEST]...
 *	info | sessions
 *	new FLAGS [pid=N] [tid=N] [cpu=N] [child] [ev=FLAGS:EVTSEL:COUNTERS[:SET]]
 *	start ID | stop ID | del ID | count ID | counts ID
 *	raw CMD [DUMP] [attr=TYPE:u32:N | attr=TYPE:u64:N | attr=TYPE:bytes:N]
 *	fork PROGRAM [ARG]...	makes the child that waits to exec PROGRAM
 *	go			lets it, and waits for its end
 *	sleep MS | pause | mark LABEL
 * ID 0: the session made last.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../kmod/uapi/pmuctl.h"
#include "../guest/mark.h"

#ifndef NLM_F_ACK_TLVS
#define NLM_F_ACK_TLVS 0x200
#endif

static int sock, family, failures;
static uint32_t seq, last_id;
static pid_t child;
static int gate[2];

static struct {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char data[65536];
} msg;

static void die(const char *what)
{
	fprintf(stderr, "talk: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void begin(int type, int cmd, int flags)
{
	memset(&msg, 0, sizeof(msg.nl) + sizeof(msg.genl));
	msg.nl.nlmsg_type = type;
	msg.nl.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	msg.nl.nlmsg_seq = ++seq;
	msg.nl.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	msg.genl.cmd = cmd;
	msg.genl.version = 1;
}

static struct nlattr *put(int type, const void *data, int len)
{
	struct nlattr *attr = (void *)((char *)&msg + NLMSG_ALIGN(msg.nl.nlmsg_len));

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

static void put_event(const char *text)
{
	unsigned long long flags = 0, evtsel = 0, counters = 0;
	struct pmuctl_reg reg = { .reg = PMUCTL_REG_EVTSEL };
	struct nlattr *nest = put(PMUCTL_A_SESSION_EVENT | NLA_F_NESTED, NULL, 0);
	int set = -1;

	sscanf(text, "%llx:%llx:%llx:%d", &flags, &evtsel, &counters, &set);
	reg.value = evtsel;
	put_u64(PMUCTL_A_EVENT_FLAGS, flags);
	put(PMUCTL_A_EVENT_REGS, &reg, sizeof(reg));
	put_u64(PMUCTL_A_EVENT_COUNTERS, counters);
	if (set >= 0)
		put_u32(PMUCTL_A_EVENT_SET, set);
	nest->nla_len = (char *)&msg + msg.nl.nlmsg_len - (char *)nest;
}

static void put_raw(const char *text)
{
	static char zeroes[4096];
	unsigned int type;
	char kind[8] = "";
	unsigned long long value;

	if (sscanf(text, "%u:%7[^:]:%lli", &type, kind, (long long *)&value) != 3)
		die("attr");
	if (!strcmp(kind, "u32"))
		put_u32(type, value);
	else if (!strcmp(kind, "u64"))
		put_u64(type, value);
	else
		put(type, zeroes, value);
}

static const void *find(struct nlmsghdr *nl, int header, int type, int *len)
{
	char *pos = (char *)nl + NLMSG_HDRLEN + NLMSG_ALIGN(header);
	char *end = (char *)nl + nl->nlmsg_len;

	while (pos + NLA_HDRLEN <= end) {
		struct nlattr *attr = (void *)pos;

		if ((attr->nla_type & NLA_TYPE_MASK) == type) {
			if (len)
				*len = attr->nla_len - NLA_HDRLEN;
			return pos + NLA_HDRLEN;
		}
		pos += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

static int print_error(const char *name, struct nlmsghdr *nl)
{
	struct nlmsgerr *err = NLMSG_DATA(nl);
	int header = sizeof(*err);
	const char *text = NULL;

	if (!err->error)
		return 0;
	if (!(nl->nlmsg_flags & NLM_F_CAPPED))
		header += err->msg.nlmsg_len - NLMSG_HDRLEN;
	if (nl->nlmsg_flags & NLM_F_ACK_TLVS)
		text = find(nl, header, NLMSGERR_ATTR_MSG, NULL);
	printf("%s: error %d: %s\n", name, -err->error, text ? text : "(no reason given)");
	failures++;
	return -1;
}

static int print_done(const char *name, struct nlmsghdr *nl)
{
	int error = *(int *)NLMSG_DATA(nl);
	const char *text = NULL;

	if (nl->nlmsg_flags & NLM_F_ACK_TLVS)
		text = find(nl, sizeof(error), NLMSGERR_ATTR_MSG, NULL);
	if (error) {
		printf("%s: error %d: %s\n", name, -error, text ? text : "(no reason given)");
		failures++;
	}
	return error;
}

static uint64_t get(struct nlmsghdr *nl, int type)
{
	uint64_t value = 0;
	int len;
	const void *data = find(nl, GENL_HDRLEN, type, &len);

	if (data)
		memcpy(&value, data, len < 8 ? len : 8);
	return value;
}

static void print_info(struct nlmsghdr *nl)
{
	printf("info: abi %llu state %llu signature %llx version %llu counters %llx used %llx sessions %llu backend %s\n",
	       (unsigned long long)get(nl, PMUCTL_A_INFO_ABI),
	       (unsigned long long)get(nl, PMUCTL_A_INFO_STATE),
	       (unsigned long long)get(nl, PMUCTL_A_INFO_SIGNATURE),
	       (unsigned long long)get(nl, PMUCTL_A_INFO_VERSION),
	       (unsigned long long)get(nl, PMUCTL_A_INFO_COUNTERS),
	       (unsigned long long)get(nl, PMUCTL_A_INFO_COUNTERS_USED),
	       (unsigned long long)get(nl, PMUCTL_A_INFO_SESSIONS),
	       (char *)find(nl, GENL_HDRLEN, PMUCTL_A_INFO_BACKEND, NULL));
}

static void print_new(struct nlmsghdr *nl)
{
	char *pos = (char *)nl + NLMSG_HDRLEN + GENL_HDRLEN;
	char *end = (char *)nl + nl->nlmsg_len;

	last_id = get(nl, PMUCTL_A_SESSION_ID);
	printf("new: session %u", last_id);
	for (; pos + NLA_HDRLEN <= end; pos += NLA_ALIGN(((struct nlattr *)pos)->nla_len)) {
		struct nlattr *attr = (void *)pos;

		/* The counter is the nest's first attribute. */
		if ((attr->nla_type & NLA_TYPE_MASK) == PMUCTL_A_SESSION_EVENT)
			printf(" counter %u", *(uint32_t *)(pos + 2 * NLA_HDRLEN));
	}
	printf("\n");
}

static void print_counts(const char *name, struct nlmsghdr *nl)
{
	int len = 0;
	const char *data = find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_COUNTS, &len);
	struct pmuctl_count count;

	for (; len >= (int)sizeof(count); len -= sizeof(count), data += sizeof(count)) {
		memcpy(&count, data, sizeof(count));
		printf("%s: event %u cpu %d value %llu enabled %llu running %llu flags %u\n", name,
		       count.event, count.cpu, (unsigned long long)count.value,
		       (unsigned long long)count.enabled, (unsigned long long)count.running,
		       count.flags);
	}
}

static void print_session(struct nlmsghdr *nl)
{
	printf("session: %llu flags %llx counters %llx pid %llu comm %s running %llu\n",
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_ID),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_FLAGS),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_COUNTERS),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_OWNER_PID),
	       (char *)find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_OWNER_COMM, NULL),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_RUNNING));
}

static void print_reply(const char *name, struct nlmsghdr *nl)
{
	switch (((struct genlmsghdr *)NLMSG_DATA(nl))->cmd) {
	case PMUCTL_CMD_INFO_GET:
		print_info(nl);
		break;
	case PMUCTL_CMD_SESSION_NEW:
		print_new(nl);
		break;
	case PMUCTL_CMD_SESSION_GET:
		print_session(nl);
		break;
	case PMUCTL_CMD_COUNT_GET:
		print_counts(name, nl);
		break;
	}
}

/* Sends, and prints until the acknowledgement or the end of the dump. */
static int talk(const char *name)
{
	static char buffer[65536];

	if (send(sock, &msg, msg.nl.nlmsg_len, 0) < 0)
		die("send");
	for (;;) {
		int len = recv(sock, buffer, sizeof(buffer), 0);
		struct nlmsghdr *nl = (void *)buffer;

		if (len < 0)
			die("recv");
		for (; NLMSG_OK(nl, len); nl = NLMSG_NEXT(nl, len)) {
			if (nl->nlmsg_type == NLMSG_ERROR)
				return print_error(name, nl);
			if (nl->nlmsg_type == NLMSG_DONE)
				return print_done(name, nl);
			if (nl->nlmsg_type == family)
				print_reply(name, nl);
			else if (!family)
				family = get(nl, CTRL_ATTR_FAMILY_ID);
		}
	}
}

static void connect_family(void)
{
	int one = 1;

	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (sock < 0)
		die("socket");
	setsockopt(sock, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(sock, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	put(CTRL_ATTR_FAMILY_NAME, PMUCTL_FAMILY_NAME, sizeof(PMUCTL_FAMILY_NAME));
	if (talk("family") || !family)
		exit(2);
}

static void do_new(char **argv)
{
	begin(family, PMUCTL_CMD_SESSION_NEW, 0);
	put_u64(PMUCTL_A_SESSION_FLAGS, strtoull(*argv++, NULL, 16));
	for (; *argv; argv++) {
		if (!strncmp(*argv, "pid=", 4))
			put_u32(PMUCTL_A_SESSION_PID, atoi(*argv + 4));
		else if (!strncmp(*argv, "tid=", 4))
			put_u32(PMUCTL_A_SESSION_TID, atoi(*argv + 4));
		else if (!strncmp(*argv, "cpu=", 4))
			put_u32(PMUCTL_A_SESSION_CPU, atoi(*argv + 4));
		else if (!strcmp(*argv, "child"))
			put_u32(PMUCTL_A_SESSION_PID, child);
		else if (!strncmp(*argv, "ev=", 3))
			put_event(*argv + 3);
	}
	talk("new");
}

static void do_raw(char **argv)
{
	int cmd = atoi(*argv++), dump = 0;

	if (*argv && !strcmp(*argv, "DUMP")) {
		dump = NLM_F_DUMP;
		argv++;
	}
	begin(family, cmd, dump);
	for (; *argv; argv++)
		put_raw(*argv + strlen("attr="));
	talk("raw");
}

static void do_fork(char **argv)
{
	char byte;

	if (pipe(gate))
		die("pipe");
	child = fork();
	if (child < 0)
		die("fork");
	if (child)
		return;
	/* Or the session would outlive its owner until this child's end. */
	close(sock);
	close(gate[1]);
	if (read(gate[0], &byte, 1) == 1) {
		close(gate[0]);
		execvp(argv[0], argv);
	}
	_exit(127);
}

static void do_go(void)
{
	int status;

	fflush(stdout);
	if (write(gate[1], "g", 1) != 1 || waitpid(child, &status, 0) < 0)
		die("go");
	if (status) {
		printf("go: status %x\n", status);
		failures++;
	}
}

static void do_id(const char *name, int cmd, int flags, const char *id)
{
	uint32_t number = id ? strtoul(id, NULL, 0) : 0;

	begin(family, cmd, flags);
	put_u32(PMUCTL_A_SESSION_ID, number ? number : last_id);
	talk(name);
}

static const struct {
	const char *name;
	int cmd, flags;
} by_id[] = {
	{ "start", PMUCTL_CMD_SESSION_START, 0 },
	{ "stop", PMUCTL_CMD_SESSION_STOP, 0 },
	{ "del", PMUCTL_CMD_SESSION_DEL, 0 },
	{ "count", PMUCTL_CMD_COUNT_GET, 0 },
	{ "counts", PMUCTL_CMD_COUNT_GET, NLM_F_DUMP },
};

static void do_request(char **argv)
{
	const char *name = *argv++;
	unsigned int i;

	for (i = 0; i < sizeof(by_id) / sizeof(by_id[0]); i++)
		if (!strcmp(name, by_id[i].name)) {
			do_id(name, by_id[i].cmd, by_id[i].flags, *argv);
			return;
		}
	if (!strcmp(name, "info")) {
		begin(family, PMUCTL_CMD_INFO_GET, 0);
		talk(name);
	} else if (!strcmp(name, "sessions")) {
		begin(family, PMUCTL_CMD_SESSION_GET, NLM_F_DUMP);
		talk(name);
	} else if (!strcmp(name, "new")) {
		do_new(argv);
	} else if (!strcmp(name, "raw")) {
		do_raw(argv);
	} else if (!strcmp(name, "fork")) {
		do_fork(argv);
	} else if (!strcmp(name, "go")) {
		do_go();
	} else if (!strcmp(name, "sleep")) {
		usleep(1000 * atoi(*argv));
	} else if (!strcmp(name, "mark")) {
		pmubox_mark(atoi(*argv));
	} else if (!strcmp(name, "pause")) {
		fflush(stdout);
		pause();
	}
}

int main(int argc, char **argv)
{
	int i = 1, first;

	connect_family();
	while (i < argc) {
		for (first = i; i < argc && strcmp(argv[i], ","); i++)
			;
		if (i < argc)
			argv[i++] = NULL;
		do_request(&argv[first]);
		fflush(stdout);
	}
	return failures ? 1 : 0;
}
