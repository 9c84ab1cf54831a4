/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What talk hears: replies, refusals and records, as lines of text.
 */
#ifndef TALK_REPLIES_H
#define TALK_REPLIES_H

#include "talk-request.h"

static uint32_t last_fd;	/* of the session that was made last */

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

static uint64_t get_of(const struct nlattr *nest, int type)
{
	const char *at = (const char *)(nest + 1), *end = (const char *)nest + nest->nla_len;
	uint64_t value = 0;

	for (; at + NLA_HDRLEN <= end; at += NLA_ALIGN(((const struct nlattr *)at)->nla_len)) {
		const struct nlattr *attr = (const void *)at;
		int len = attr->nla_len - NLA_HDRLEN;

		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			memcpy(&value, at + NLA_HDRLEN, len < 8 ? len : 8);
	}
	return value;
}

static void print_cpus(const struct nlattr *nest)
{
	const char *at = (const char *)(nest + 1), *end = (const char *)nest + nest->nla_len;

	for (; at + NLA_HDRLEN <= end; at += NLA_ALIGN(((const struct nlattr *)at)->nla_len)) {
		const struct nlattr *attr = (const void *)at;
		const uint32_t *cpu = (const void *)(at + NLA_HDRLEN);
		int n = (attr->nla_len - NLA_HDRLEN) / 4;

		if ((attr->nla_type & NLA_TYPE_MASK) != PMUCTL_A_INFO_CPUS)
			continue;
		for (int i = 0; i < n; i++)
			printf("%s%u", i ? "," : "", cpu[i]);
	}
}

/* A line each, in their order. */
static void print_kinds(struct nlmsghdr *nl)
{
	char *pos = (char *)nl + NLMSG_HDRLEN + GENL_HDRLEN;
	char *end = (char *)nl + nl->nlmsg_len;

	for (; pos + NLA_HDRLEN <= end; pos += NLA_ALIGN(((struct nlattr *)pos)->nla_len)) {
		struct nlattr *nest = (void *)pos;

		if ((nest->nla_type & NLA_TYPE_MASK) != PMUCTL_A_INFO_KIND)
			continue;
		printf("kind: core %llx counters %llx used %llx arch %llx cpus ",
		       (unsigned long long)get_of(nest, PMUCTL_A_INFO_CORE),
		       (unsigned long long)get_of(nest, PMUCTL_A_INFO_COUNTERS),
		       (unsigned long long)get_of(nest, PMUCTL_A_INFO_COUNTERS_USED),
		       (unsigned long long)get_of(nest, PMUCTL_A_INFO_ARCH_EVENTS));
		print_cpus(nest);
		printf("\n");
	}
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
	print_kinds(nl);
}

static void print_new(struct nlmsghdr *nl)
{
	char *pos = (char *)nl + NLMSG_HDRLEN + GENL_HDRLEN;
	char *end = (char *)nl + nl->nlmsg_len;

	last_id = get(nl, PMUCTL_A_SESSION_ID);
	last_fd = get(nl, PMUCTL_A_SESSION_FD);
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

static struct sum {
	unsigned int event, pid, tid;
	unsigned long long samples, period, user, odd;
} sums[256];
static int quiet;

/* The kernel's ip for a sample of the program's, or the other way round. */
static int is_odd(const struct pmuctl_sample *sample)
{
	return !(sample->record.flags & PMUCTL_RECORD_USER) != ((long long)sample->ip < 0);
}

static void add_up(const struct pmuctl_sample *sample)
{
	struct sum *sum = sums;

	while (sum->samples && (sum->event != sample->record.event || sum->tid != sample->tid))
		if (++sum == sums + 255)
			break;
	sum->event = sample->record.event;
	sum->pid = sample->pid;
	sum->tid = sample->tid;
	sum->samples++;
	sum->period += sample->period;
	sum->user += sample->record.flags & PMUCTL_RECORD_USER;
	sum->odd += is_odd(sample);
}

static void print_sums(void)
{
	struct sum *sum = sums;

	for (; sum->samples; sum++)
		printf("sum: event %u pid %u tid %u samples %llu period %llu user %llu odd %llu\n",
		       sum->event, sum->pid, sum->tid, sum->samples, sum->period, sum->user,
		       sum->odd);
}

static void print_content(const uint64_t *at, const uint64_t *end)
{
	while (at < end)
		printf(" %llx", (unsigned long long)*at++);
	printf("\n");
}

static void print_sample(unsigned int cpu, const struct pmuctl_sample *sample)
{
	add_up(sample);
	if (quiet)
		return;
	printf("sample: cpu %u event %u pid %u tid %u ip %llx period %llu time %llu flags %u content", cpu,
	       sample->record.event, sample->pid, sample->tid, (unsigned long long)sample->ip,
	       (unsigned long long)sample->period, (unsigned long long)sample->record.time,
	       sample->record.flags);
	print_content((const void *)(sample + 1), (const void *)((const char *)sample +
								 sample->record.size));
}

static void print_record(unsigned int cpu, const struct pmuctl_record *record)
{
	static const char *const names[] = { "", "sample", "lost", "throttle", "unthrottle" };

	if (record->type == PMUCTL_RECORD_SAMPLE)
		print_sample(cpu, (const void *)record);
	else if (record->type == PMUCTL_RECORD_LOST)
		printf("lost: cpu %u event %u samples %llu\n", cpu, record->event,
		       (unsigned long long)((const struct pmuctl_lost *)record)->samples);
	else
		printf("%s: cpu %u event %u\n", record->type > 4 ? "unknown" : names[record->type],
		       cpu, record->event);
}

static void print_records(struct nlmsghdr *nl)
{
	unsigned int cpu = get(nl, PMUCTL_A_SESSION_CPU);
	int len = 0;
	const char *data = find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_RECORDS, &len);

	while (len > 0) {
		const struct pmuctl_record *record = (const void *)data;

		if (len < (int)sizeof(*record) || record->size < sizeof(*record) ||
		    record->size > len) {
			printf("samples: a record is cut off\n");
			failures++;
			return;
		}
		print_record(cpu, record);
		len -= record->size;
		data += record->size;
	}
}

static void print_ledger(struct nlmsghdr *nl)
{
	int len = 0;
	const char *data = find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_LEDGER, &len);
	struct pmuctl_ledger entry;

	for (; len >= (int)sizeof(entry); len -= sizeof(entry), data += sizeof(entry)) {
		memcpy(&entry, data, sizeof(entry));
		printf("ledger: event %u cpu %u produced %llu written %llu lost %llu collisions %llu throttled %llu uncertain %llu overruns %llu stalled %llu\n",
		       entry.event, entry.cpu, (unsigned long long)entry.produced,
		       (unsigned long long)entry.written, (unsigned long long)entry.lost,
		       (unsigned long long)entry.collisions, (unsigned long long)entry.throttled,
		       (unsigned long long)entry.uncertain,
		       (unsigned long long)entry.overruns,
		       (unsigned long long)entry.stalled);
	}
}

static void print_session(struct nlmsghdr *nl)
{
	printf("session: %llu flags %llx counters %llx pid %llu comm %s kind %llu running %llu\n",
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_ID),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_FLAGS),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_COUNTERS),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_OWNER_PID),
	       (char *)find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_OWNER_COMM, NULL),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_KIND),
	       (unsigned long long)get(nl, PMUCTL_A_SESSION_RUNNING));
}

static uint32_t last_hold;

/* What somebody else wrote meanwhile. */
static void print_left(struct nlmsghdr *nl)
{
	struct pmuctl_feature_left left;
	int len = 0;
	const char *data = find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_LEFT, &len);

	for (; len >= (int)sizeof(left); len -= sizeof(left), data += sizeof(left)) {
		memcpy(&left, data, sizeof(left));
		printf("release: feature %u cpu %u wrote %llu now %llu\n", left.id, left.cpu,
		       (unsigned long long)left.wrote, (unsigned long long)left.now);
	}
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
	case PMUCTL_CMD_SAMPLE_GET:
		print_records(nl);
		break;
	case PMUCTL_CMD_LEDGER_GET:
		print_ledger(nl);
		break;
	case PMUCTL_CMD_FEATURE_HOLD:
		last_hold = get(nl, PMUCTL_A_SESSION_HOLD);
		printf("hold: %u\n", last_hold);
		break;
	case PMUCTL_CMD_FEATURE_RELEASE:
		print_left(nl);
		break;
	}
}

#endif
