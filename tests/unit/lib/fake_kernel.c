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
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/base/private.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"

#define FAMILY 42
#define QUEUE 16

struct fake_kernel fake;

static struct {
	unsigned char *bytes[QUEUE];
	size_t len[QUEUE];
	uint32_t from[QUEUE];
	unsigned int first, count;
} queue;

static void push(struct nl_msg *msg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	unsigned int at = (queue.first + queue.count++) % QUEUE;

	queue.len[at] = nlh->nlmsg_len;
	queue.bytes[at] = malloc(nlh->nlmsg_len);
	memcpy(queue.bytes[at], nlh, nlh->nlmsg_len);
	queue.from[at] = 0;
	nlmsg_free(msg);
}

static struct nl_msg *reply(const struct nlmsghdr *to, int type, int cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(65536);

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

/* What another process says to us, and what is left of an earlier request. */
static void push_strange(const struct nlmsghdr *to)
{
	struct nlmsghdr earlier = *to;

	push_ack(to, -EDOM, "from somebody else");
	queue.from[(queue.first + queue.count - 1) % QUEUE] = 4711;
	earlier.nlmsg_seq--;
	push_ack(&earlier, -EDOM, "to another request");
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
	if (nlh->nlmsg_flags & NLM_F_ACK)
		push_ack(nlh, 0, NULL);
}

static void put_sampling(struct nl_msg *msg)
{
	if (!fake.sampling)
		return;
	if (fake.pebs_format >= 0)
		nla_put_u32(msg, PMUCTL_A_INFO_PEBS_FORMAT, (uint32_t)fake.pebs_format);
	if (fake.pebs_refusal)
		nla_put_string(msg, PMUCTL_A_INFO_PEBS_REFUSAL, fake.pebs_refusal);
	nla_put_u32(msg, PMUCTL_A_INFO_LBR_DEPTH, fake.lbr_depth);
	nla_put_u32(msg, PMUCTL_A_INFO_RATE_MAX, 100000);
}

static void put_kinds(struct nl_msg *msg)
{
	struct nlattr *nest;
	size_t i;

	for (i = 0; i < fake.nr_kinds; i++) {
		nest = nla_nest_start(msg, PMUCTL_A_INFO_KIND);
		nla_put_u32(msg, PMUCTL_A_INFO_CORE, fake.kinds[i].core);
		nla_put(msg, PMUCTL_A_INFO_CPUS,
			(int)(fake.kinds[i].nr_cpus * sizeof(fake.kinds[i].cpus[0])),
			fake.kinds[i].cpus);
		nla_put_u64(msg, PMUCTL_A_INFO_COUNTERS, fake.kinds[i].counters);
		nla_put_u64(msg, PMUCTL_A_INFO_COUNTERS_USED, 0);
		nla_put_u32(msg, PMUCTL_A_INFO_ARCH_EVENTS, fake.arch_events);
		nla_put_u32(msg, PMUCTL_A_INFO_ANY, 0);
		nla_put_u64(msg, PMUCTL_A_INFO_FEATURES, fake.kinds[i].features);
		nla_nest_end(msg, nest);
	}
}

static void put_info(struct nl_msg *msg)
{
	put_kinds(msg);
	if (fake.abi)
		nla_put_u32(msg, PMUCTL_A_INFO_ABI, fake.abi);
	nla_put_u64(msg, PMUCTL_A_INFO_FEATURES, fake.features);
	nla_put_string(msg, PMUCTL_A_INFO_BACKEND, fake.backend ? fake.backend : "perfmon");
	nla_put_u32(msg, PMUCTL_A_INFO_STATE, fake.state);
	nla_put_u32(msg, PMUCTL_A_INFO_SIGNATURE, fake.signature);
	nla_put_u32(msg, PMUCTL_A_INFO_VERSION, fake.version);
	nla_put_u64(msg, PMUCTL_A_INFO_COUNTERS, fake.counters);
	nla_put_u64(msg, PMUCTL_A_INFO_COUNTERS_USED, fake.counters_used);
	nla_put_u32(msg, PMUCTL_A_INFO_GP_WIDTH, 48);
	nla_put_u32(msg, PMUCTL_A_INFO_FIXED_WIDTH, 48);
	nla_put_u32(msg, PMUCTL_A_INFO_ARCH_EVENTS, fake.arch_events);
	nla_put_u64(msg, PMUCTL_A_INFO_CAPABILITIES, fake.capabilities);
	nla_put_u32(msg, PMUCTL_A_INFO_SESSIONS, 0);
	put_sampling(msg);
	if (!fake.info_new)
		return;
	nla_put_u32(msg, PMUCTL_A_INFO_ARCH_ONLY, fake.arch_only);
	nla_put_u32(msg, PMUCTL_A_INFO_ANY, fake.any);
	nla_put_u64(msg, PMUCTL_A_INFO_ERRATA, fake.errata);
	nla_put_u32(msg, PMUCTL_A_INFO_UNPRIVILEGED, 1);
	nla_put_u64(msg, PMUCTL_A_INFO_INTERVAL, 1000000);
	nla_put_u32(msg, PMUCTL_A_INFO_SESSIONS_MAX, 11);
	nla_put_u32(msg, PMUCTL_A_INFO_EVENTS_MAX, 12);
	nla_put_u32(msg, PMUCTL_A_INFO_TASKS_MAX, 13);
	nla_put_u64(msg, PMUCTL_A_INFO_MEMORY_MAX, 14);
}

/* As asked for, in the ESCR that the last counter allowed reaches by way of CRU_ESCR2. */
static unsigned int put_p4_registers(struct nl_msg *msg, struct nlattr *asked)
{
	struct nlattr *a[PMUCTL_A_EVENT_MAX + 1];
	struct pmuctl_reg regs[4];
	unsigned int counter;
	size_t size;

	nla_parse_nested(a, PMUCTL_A_EVENT_MAX, asked, NULL);
	counter = 63 - (unsigned int)__builtin_clzll(nla_get_u64(a[PMUCTL_A_EVENT_COUNTERS]));
	size = (size_t)nla_len(a[PMUCTL_A_EVENT_REGS]);
	memcpy(regs, nla_data(a[PMUCTL_A_EVENT_REGS]), size);
	regs[0].index = 0x2c + counter % 2;
	regs[0].value |= 0xc;
	regs[1].index = counter;
	regs[1].value |= 0x31000;
	nla_put(msg, PMUCTL_A_EVENT_REGS, (int)size, regs);
	return counter;
}

/* The event that an attribute of the request is, with the set that it asks for. */
static void put_assigned(struct nl_msg *msg, struct nlattr *asked, unsigned int counter)
{
	const struct pmuctl_reg reg = {
		.reg = PMUCTL_REG_EVTSEL, .index = counter, .value = 0x4300c0 + counter,
	};
	struct nlattr *nest = nla_nest_start(msg, PMUCTL_A_SESSION_EVENT), *set = NULL;

	if (asked)
		set = nla_find(nla_data(asked), nla_len(asked), PMUCTL_A_EVENT_SET);
	if (asked && fake.backend && !strcmp(fake.backend, "p4"))
		counter = put_p4_registers(msg, asked);
	else
		nla_put(msg, PMUCTL_A_EVENT_REGS, sizeof(reg) - (fake.short_regs ? 4 : 0), &reg);
	if (!fake.no_counter)
		nla_put_u32(msg, PMUCTL_A_EVENT_COUNTER, counter);
	nla_put_u32(msg, PMUCTL_A_EVENT_SET, set ? nla_get_u32(set) : 0);
	nla_nest_end(msg, nest);
}

/* A number that nothing is behind, unless somebody is to wait for it. */
static void put_fd(struct nl_msg *msg)
{
	int fd = fake.sampling ? eventfd(0, 0) : -1;

	if (fd >= 0) {
		assert_int_equal(dup2(fd, 1001), 1001);
		close(fd);
	}
	nla_put_u32(msg, PMUCTL_A_SESSION_FD, 1001);
}

/* Sessions of kinds are numbered from here on, in their order. */
#define FIRST_OF_KINDS 70

/* Of a request that makes a session, or is about one. */
static unsigned int kind_of(const struct nlmsghdr *nlh)
{
	struct nlmsghdr *msg = (struct nlmsghdr *)(uintptr_t)nlh;
	struct nlattr *kind = nlmsg_find_attr(msg, GENL_HDRLEN, PMUCTL_A_SESSION_KIND);
	struct nlattr *id = nlmsg_find_attr(msg, GENL_HDRLEN, PMUCTL_A_SESSION_ID);
	unsigned int number = kind ? nla_get_u32(kind) : id ? nla_get_u32(id) - FIRST_OF_KINDS : 0;

	assert_true(kind || id);
	assert_true(number < fake.nr_kinds);
	return number;
}

static void put_session(struct nl_msg *msg, const struct nlmsghdr *nlh)
{
	struct nlattr *attr;
	int rem, i;

	attr = nlmsg_find_attr((struct nlmsghdr *)(uintptr_t)nlh, GENL_HDRLEN,
			       PMUCTL_A_SESSION_FLAGS);
	fake.nr_events = 0;
	/* As the module has it: a plan without hardware is no session. */
	nla_put_u32(msg, PMUCTL_A_SESSION_ID, nla_get_u64(attr) & PMUCTL_SESSION_DRY_RUN ? 0 :
		    fake.nr_kinds ? FIRST_OF_KINDS + kind_of(nlh) : 7);
	if (nla_get_u64(attr) & PMUCTL_SESSION_FD)
		put_fd(msg);
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_EVENT)
			continue;
		if (fake.nr_events || !fake.events_missing)
			put_assigned(msg, attr, (unsigned int)fake.nr_events);
		fake.nr_events++;
	}
	for (i = 0; i < fake.events_extra; i++)
		put_assigned(msg, NULL, 60);
	if (fake.nr_kinds)
		fake.kinds[kind_of(nlh)].nr_events = fake.nr_events;
}

/* An event's CPUs follow each other; how many counts that is. */
static size_t fill_counts(struct pmuctl_count *counts, bool dump)
{
	size_t places = dump && fake.cpus ? fake.cpus : 1, i, n = fake.nr_events * places;

	assert_true(n <= ARRAY_SIZE(fake.counts));
	memcpy(counts, fake.counts, sizeof(fake.counts));
	for (i = 0; i < n; i++) {
		if (fake.idle_reads)
			counts[i].value = counts[i].running = 0;
		counts[i].event = (uint32_t)(i / places) + fake.wrong_event;
		counts[i].cpu = dump && fake.cpus ? (uint32_t)(i % places) : PMUCTL_CPU_ALL;
	}
	fake.idle_reads -= !!fake.idle_reads;
	for (i = 0; i < n; i++)
		fake.counts[i].value += fake.growth;
	return n;
}

static void put_counts_of(struct nl_msg *msg, struct fake_kind *kind, bool dump)
{
	size_t i, n = kind->nr_events * (dump ? kind->nr_cpus : 1);

	assert_true(n <= ARRAY_SIZE(kind->counts));
	for (i = 0; i < n; i++) {
		kind->counts[i].event = (uint32_t)(dump ? i / kind->nr_cpus : i);
		kind->counts[i].cpu = dump ? kind->cpus[i % kind->nr_cpus] : PMUCTL_CPU_ALL;
	}
	nla_put(msg, PMUCTL_A_SESSION_COUNTS, (int)(n * sizeof(kind->counts[0])), kind->counts);
}

static void put_counts(struct nl_msg *msg, bool dump)
{
	struct pmuctl_count counts[ARRAY_SIZE(fake.counts)];
	size_t n = fill_counts(counts, dump);

	nla_put(msg, PMUCTL_A_SESSION_COUNTS,
		(int)(n * sizeof(counts[0])) - (fake.short_counts ? 8 : 0), counts);
}

static void put_owner(struct nl_msg *msg)
{
	nla_put_u32(msg, PMUCTL_A_SESSION_ID, 3);
	nla_put_u64(msg, PMUCTL_A_SESSION_FLAGS, PMUCTL_SESSION_INHERIT);
	nla_put_u64(msg, PMUCTL_A_SESSION_COUNTERS, 0x100000001ull);
	nla_put_u32(msg, PMUCTL_A_SESSION_OWNER_PID, fake.no_maker ? 0 : 1234);
	nla_put_u64(msg, PMUCTL_A_SESSION_INODE, fake.inode);
	nla_put_u32(msg, PMUCTL_A_SESSION_OWNER_UID, 1000);
	nla_put_u32(msg, PMUCTL_A_SESSION_LOST, fake.lost);
	nla_put_string(msg, PMUCTL_A_SESSION_OWNER_COMM, fake.owner ? fake.owner : "somebody");
	nla_put_u32(msg, PMUCTL_A_SESSION_RUNNING, 1);
	nla_put_u32(msg, PMUCTL_A_SESSION_EVENTS, 5);
	nla_put_u32(msg, PMUCTL_A_SESSION_SETS, 2);
	if (fake.cgroup) {
		nla_put_string(msg, PMUCTL_A_SESSION_CGROUP_PATH, fake.cgroup);
		nla_put_u32(msg, PMUCTL_A_SESSION_TASKS, 2);
		return;
	}
	nla_put_u32(msg, PMUCTL_A_SESSION_CPU, 1);
	nla_put_u32(msg, PMUCTL_A_SESSION_CPU, 3);
}

static void put_records(struct nl_msg *msg, const struct nlmsghdr *nlh)
{
	struct fake_kind *kind = fake.nr_kinds ? &fake.kinds[kind_of(nlh)] : NULL;

	if (kind) {
		nla_put_u32(msg, PMUCTL_A_SESSION_CPU, kind->cpus[0]);
		nla_put(msg, PMUCTL_A_SESSION_RECORDS, (int)kind->records_size, kind->records);
		kind->records_size = 0;
		return;
	}
	fake.flushed = nlmsg_find_attr((struct nlmsghdr *)(uintptr_t)nlh, GENL_HDRLEN,
				       PMUCTL_A_SESSION_FLUSH);
	if (!fake.no_cpu)
		nla_put_u32(msg, PMUCTL_A_SESSION_CPU, fake.records_cpu);
	nla_put(msg, PMUCTL_A_SESSION_RECORDS, (int)fake.records_size, fake.records);
	fake.records_size = 0;
}

static void put_feature(struct nl_msg *msg, const struct fake_feature *f)
{
	nla_put(msg, PMUCTL_A_SESSION_FEATURE, sizeof(f->row), &f->row);
	nla_put(msg, PMUCTL_A_SESSION_STATE, sizeof(f->state), &f->state);
	if (fake.nr_kinds)
		nla_put_u32(msg, PMUCTL_A_SESSION_KIND, f->kind);
	if (f->refusal)
		nla_put_string(msg, PMUCTL_A_SESSION_REFUSAL, f->refusal);
	if (!f->comm)
		return;
	nla_put_u32(msg, PMUCTL_A_SESSION_OWNER_PID, 1234);
	nla_put_string(msg, PMUCTL_A_SESSION_OWNER_COMM, f->comm);
}

/* A message each, or none at all. */
static void push_features(const struct nlmsghdr *nlh)
{
	struct nl_msg *msg;
	size_t i;

	for (i = 0; i < fake.nr_features; i++) {
		msg = reply(nlh, FAMILY, PMUCTL_CMD_FEATURE_GET, NLM_F_MULTI);
		put_feature(msg, &fake.features_list[i]);
		push(msg);
	}
}

static void put_hold(struct nl_msg *msg, const struct nlmsghdr *nlh)
{
	struct nlattr *attr;
	int rem;

	fake.nr_held_cpus = 0;
	fake.held_process = 0;
	nlmsg_for_each_attr(attr, (struct nlmsghdr *)(uintptr_t)nlh, GENL_HDRLEN, rem) {
		fake.nr_held_cpus += nla_type(attr) == PMUCTL_A_SESSION_CPU;
		if (nla_type(attr) == PMUCTL_A_SESSION_PID)
			fake.held_process = nla_get_u32(attr);
		if (nla_type(attr) != PMUCTL_A_SESSION_FEATURES)
			continue;
		assert_true((size_t)nla_len(attr) <= sizeof(fake.held));
		memcpy(fake.held, nla_data(attr), (size_t)nla_len(attr));
		fake.nr_held = (size_t)nla_len(attr) / sizeof(fake.held[0]);
	}
	nla_put_u32(msg, PMUCTL_A_SESSION_HOLD, 7);
	if (fake.also)
		nla_put_u32(msg, PMUCTL_A_SESSION_CPU, fake.also);
}

static void put_answer(struct nl_msg *msg, const struct nlmsghdr *nlh, int cmd, bool dump)
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
		if (fake.nr_kinds)
			put_counts_of(msg, &fake.kinds[kind_of(nlh)], dump);
		else
			put_counts(msg, dump);
		break;
	case PMUCTL_CMD_SAMPLE_GET:
		put_records(msg, nlh);
		break;
	case PMUCTL_CMD_LEDGER_GET:
		nla_put(msg, PMUCTL_A_SESSION_LEDGER,
			(int)(fake.nr_ledger * sizeof(fake.ledger[0])), fake.ledger);
		break;
	case PMUCTL_CMD_FEATURE_HOLD:
		put_hold(msg, nlh);
		break;
	case PMUCTL_CMD_FEATURE_RELEASE:
		nla_put(msg, PMUCTL_A_SESSION_LEFT, (int)(fake.nr_left * sizeof(fake.left[0])),
			fake.left);
		break;
	}
}

static bool has_reply(int cmd)
{
	return cmd != PMUCTL_CMD_SESSION_DEL && cmd != PMUCTL_CMD_SESSION_START &&
	       cmd != PMUCTL_CMD_SESSION_STOP && cmd != PMUCTL_CMD_COUNT_RESET;
}

/* true: the session is refused. */
static bool note_kind(const struct nlmsghdr *nlh, int cmd)
{
	struct fake_kind *kind;
	struct nlattr *beside;

	switch (cmd) {
	case PMUCTL_CMD_SESSION_NEW:
		kind = &fake.kinds[kind_of(nlh)];
		assert_true(nlh->nlmsg_len <= sizeof(kind->last_new));
		memcpy(kind->last_new, nlh, nlh->nlmsg_len);
		beside = nlmsg_find_attr((struct nlmsghdr *)(uintptr_t)nlh, GENL_HDRLEN,
					 PMUCTL_A_SESSION_BESIDE);
		kind->beside = beside ? nla_get_u32(beside) : 0;
		return kind->errno_new;
	case PMUCTL_CMD_SESSION_START:
		fake.kinds[kind_of(nlh)].started++;
		break;
	case PMUCTL_CMD_SESSION_STOP:
		fake.kinds[kind_of(nlh)].stopped++;
		break;
	case PMUCTL_CMD_SESSION_DEL:
		fake.kinds[kind_of(nlh)].ended++;
		break;
	}
	return false;
}

static void answer(const struct nlmsghdr *nlh, int cmd)
{
	bool dump = (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	bool bad = cmd == fake.fail_cmd;
	struct nl_msg *msg;

	if (cmd == PMUCTL_CMD_SESSION_NEW) {
		assert_true(nlh->nlmsg_len <= sizeof(fake.last_new));
		memcpy(fake.last_new, nlh, nlh->nlmsg_len);
	}
	if (fake.nr_kinds && note_kind(nlh, cmd)) {
		push_ack(nlh, fake.kinds[kind_of(nlh)].errno_new, "refused there");
		return;
	}
	if (bad && fake.fail_times && fake.requests[cmd] >= fake.fail_times)
		bad = false;
	fake.requests[cmd]++;
	if (fake.strange)
		push_strange(nlh);
	if (bad && !fake.fail_at_done) {
		push_ack(nlh, fake.fail_errno, fake.extack);
		return;
	}
	if (cmd == PMUCTL_CMD_FEATURE_GET) {
		push_features(nlh);
	} else if (!fake.no_reply && has_reply(cmd)) {
		msg = reply(nlh, FAMILY, cmd, dump ? NLM_F_MULTI : 0);
		put_answer(msg, nlh, cmd, dump);
		push(msg);
	}
	if (dump)
		push_done(nlh, bad ? fake.fail_errno : 0, bad ? fake.extack : fake.warning);
	else if (nlh->nlmsg_flags & NLM_F_ACK)
		push_ack(nlh, 0, fake.warning);
}

static int on_send(struct nl_sock *sock, struct nl_msg *msg)
{
	const struct nlmsghdr *nlh = nlmsg_hdr(msg);
	const struct genlmsghdr *genl = nlmsg_data(nlh);

	(void)sock;
	fake.acks += !!(nlh->nlmsg_flags & NLM_F_ACK);
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
	*from = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = queue.from[at] };
	*bytes = queue.bytes[at];
	queue.first = (queue.first + 1) % QUEUE;
	queue.count--;
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

#define MODULE_FD 1002

int wire_open_module(void)
{
	return fake.states[0] ? MODULE_FD : -ENOENT;
}

static ssize_t read_state(char *text, size_t size)
{
	const char *state = fake.states[fake.looks++];

	fake.missing &= !fake.comes_back;
	return state ? snprintf(text, size, "%s\n", state) : -ENODEV;
}

void wire_close(int fd)
{
	if (fd == MODULE_FD)
		return;
	assert_int_equal(fd, 1001);
	if (fake.sampling)
		close(fd);
	fake.fds_closed++;
}

/* There is no page: who counts itself reads the descriptor. */
void *wire_map(int fd, size_t size)
{
	(void)fd;
	(void)size;
	return NULL;
}

ssize_t wire_read(int fd, void *bytes, size_t size, long offset)
{
	struct pmuctl_count counts[ARRAY_SIZE(fake.counts)];
	size_t n;

	if (fd == MODULE_FD)
		return read_state(bytes, size);
	assert_int_equal(fd, 1001);
	fake.fd_reads++;
	if (fake.fd_errno)
		return fake.fd_errno;
	n = fill_counts(counts, offset == 1) * sizeof(counts[0]);
	assert_true(n <= size);
	memcpy(bytes, counts, n);
	return (ssize_t)n;
}

bool wire_threads_share_cores(void)
{
	return fake.threads;
}

int wire_smt_active(void)
{
	return fake.smt;
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
	fake.smt = -1;
	fake.features = 0xff;
	fake.arch_events = 0x7f;
}

void fake_cpu(uint32_t signature, uint32_t version, uint64_t counters)
{
	reset();
	fake.signature = signature;
	fake.version = version;
	fake.counters = counters;
}

void fake_skylake(void)
{
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
}

void fake_core2(void)
{
	fake_cpu(FAKE_CORE2, 2, 0x700000003ull);
}

void fake_p4(uint32_t signature)
{
	fake_cpu(signature, 0, 0x3fffdull);
	fake.backend = "p4";
	fake.arch_events = 0;
	fake.features |= PMUCTL_FEATURE_CASCADE;
}

void fake_p6(void)
{
	fake_cpu(FAKE_PENTIUM3, 0, 0x3);
	fake.backend = "p6";
	fake.arch_events = 0;
}

void fake_hybrid(void)
{
	fake_cpu(0x90672, 5, 0xf000000ffull);
	fake.features = PMUCTL_FEATURE_TASK | PMUCTL_FEATURE_CPU | PMUCTL_FEATURE_SETS |
			PMUCTL_FEATURE_DRY_RUN | PMUCTL_FEATURE_KINDS;
	fake.nr_kinds = 2;
	fake.kinds[0] = (struct fake_kind){
		.core = 0x40000001, .cpus = { 0, 1 }, .nr_cpus = 2, .counters = 0xf000000ffull,
	};
	fake.kinds[1] = (struct fake_kind){
		.core = 0x20000001, .cpus = { 2, 3 }, .nr_cpus = 2, .counters = 0x70000003full,
	};
}

void fake_three_kinds(void)
{
	fake_hybrid();
	fake.signature = 0xc0652;
	fake.nr_kinds = 3;
	fake.kinds[0] = (struct fake_kind){
		.core = 0x40000003, .cpus = { 0, 1 }, .nr_cpus = 2, .counters = 0xf000003ffull,
	};
	fake.kinds[1] = (struct fake_kind){
		.core = 0x20000003, .cpus = { 2 }, .nr_cpus = 1, .counters = 0x77000000ffull,
	};
	fake.kinds[2] = (struct fake_kind){
		.core = 0x20000002, .cpus = { 3 }, .nr_cpus = 1, .counters = 0x7000000ffull,
	};
}

void fake_features(void)
{
	const struct fake_feature there[] = {
		{ { PMUCTL_CPU_FEATURE_L2_STREAM, 1, 1, 0x1a4, 0, 1, 1 },
		  { 0, PMUCTL_FEATURE_READ | PMUCTL_FEATURE_HELD, 0, 1, 1 }, NULL,
		  "someone", 0 },
		{ { PMUCTL_CPU_FEATURE_L2_STREAM, 1, 1, 0x1a4, 0, 1, 1 },
		  { 2, PMUCTL_FEATURE_READ, 0, 0, 0 }, NULL, NULL, 1 },
		{ { PMUCTL_CPU_FEATURE_L1_NEXT, 1, 1, 0x1a4, 2, 1, 1 },
		  { 0, PMUCTL_FEATURE_READ, 1, 0, 1 }, NULL, NULL, 0 },
		{ { PMUCTL_CPU_FEATURE_L1_NEXT, 1, 1, 0x1a4, 2, 1, 1 },
		  { 2, PMUCTL_FEATURE_READ | PMUCTL_FEATURE_HELD | PMUCTL_FEATURE_TASKS, 1, 0, 1 },
		  NULL, "tasks", 0 },
		{ { PMUCTL_CPU_FEATURE_LLC, 2, 1, 0x6d, 42, 1, 1 },
		  { 0, 0, 0, 0, 0 }, "no manual has it", NULL, 0 },
	};

	memcpy(fake.features_list, there, sizeof(there));
	fake.nr_features = ARRAY_SIZE(there);
	fake.features |= PMUCTL_FEATURE_SWITCH | PMUCTL_FEATURE_SWITCH_TASK;
}

void fake_sampling(int pebs_format)
{
	fake.sampling = true;
	fake.features |= PMUCTL_FEATURE_FD | PMUCTL_FEATURE_SAMPLE | PMUCTL_FEATURE_PEBS |
			 PMUCTL_FEATURE_COUNTS;
	fake.pebs_format = pebs_format;
	fake.lbr_depth = 16;
}
