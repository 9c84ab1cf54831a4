// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which attributes each command takes, and reading them.
 *
 * The kernel's policies would do with fewer words: they do not name the
 * attribute, take one that is given twice, and let everybody who can send a
 * message write to the kernel's log.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <net/genetlink.h>

#include "kmod/netlink/attrs.h"

enum kind { KIND_UNKNOWN, KIND_U32, KIND_U64, KIND_BINARY, KIND_NEST };

struct rule {
	u8 kind;
	bool many;
	const char *name;
};

struct pmuctl_attr_rules {
	const char *taker;
	unsigned int max;
	const struct rule *rule;
};

#define RULE(attr, kind, many)						\
	[PMUCTL_A_##attr] = { KIND_##kind, many, #attr }
#define ONE(attr, kind)		RULE(attr, kind, false)
#define MANY(attr, kind)	RULE(attr, kind, true)

static const struct rule no_rule[PMUCTL_A_SESSION_MAX + 1] = { };

static const struct rule id_rule[PMUCTL_A_SESSION_MAX + 1] = {
	ONE(SESSION_ID, U32),
};

static const struct rule new_rule[PMUCTL_A_SESSION_MAX + 1] = {
	ONE(SESSION_FLAGS, U64),
	ONE(SESSION_KIND, U32),
	ONE(SESSION_BESIDE, U32),
	ONE(SESSION_PLACES, U32),
	MANY(SESSION_PID, U32),
	MANY(SESSION_TID, U32),
	MANY(SESSION_CPU, U32),
	ONE(SESSION_CGROUP, U32),
	ONE(SESSION_INTERVAL, U64),
	ONE(SESSION_RING, U32),
	ONE(SESSION_WATERMARK, U32),
	MANY(SESSION_EVENT, NEST),
};

static const struct rule samples_rule[PMUCTL_A_SESSION_MAX + 1] = {
	ONE(SESSION_ID, U32),
	MANY(SESSION_CPU, U32),
	ONE(SESSION_FLUSH, U32),
};

static const struct rule hold_rule[PMUCTL_A_SESSION_MAX + 1] = {
	MANY(SESSION_PID, U32),
	MANY(SESSION_CPU, U32),
	ONE(SESSION_FEATURES, BINARY),
};

static const struct rule release_rule[PMUCTL_A_SESSION_MAX + 1] = {
	ONE(SESSION_HOLD, U32),
};

static const struct rule event_rule[PMUCTL_A_EVENT_MAX + 1] = {
	ONE(EVENT_FLAGS, U64),
	ONE(EVENT_REGS, BINARY),
	ONE(EVENT_COUNTERS, U64),
	ONE(EVENT_SET, U32),
	ONE(EVENT_GROUP, U32),
	ONE(EVENT_PERIOD, U64),
	ONE(EVENT_FREQ, U32),
	ONE(EVENT_RANDOM, U32),
	ONE(EVENT_PRECISE, U32),
	ONE(EVENT_CONTENT, U64),
	ONE(EVENT_AFTER, U64),
	ONE(EVENT_CASCADE, U32),
	ONE(EVENT_STACK, U32),
	ONE(EVENT_PLACE, U32),
};

const struct pmuctl_attr_rules pmuctl_event_rules = {
	"SESSION_EVENT", PMUCTL_A_EVENT_MAX, event_rule
};

#define COMMAND(cmd, rule)						\
	[PMUCTL_CMD_##cmd] = { #cmd, PMUCTL_A_SESSION_MAX, rule }

static const struct pmuctl_attr_rules commands[PMUCTL_CMD_MAX + 1] = {
	COMMAND(INFO_GET, no_rule),
	COMMAND(SESSION_NEW, new_rule),
	COMMAND(SESSION_DEL, id_rule),
	COMMAND(SESSION_GET, no_rule),
	COMMAND(SESSION_START, id_rule),
	COMMAND(SESSION_STOP, id_rule),
	COMMAND(COUNT_GET, id_rule),
	COMMAND(COUNT_RESET, id_rule),
	COMMAND(SAMPLE_GET, samples_rule),
	COMMAND(LEDGER_GET, id_rule),
	COMMAND(SESSION_END, id_rule),
	COMMAND(FEATURE_GET, no_rule),
	COMMAND(FEATURE_HOLD, hold_rule),
	COMMAND(FEATURE_RELEASE, release_rule),
};

static const struct rule *rule_of(const struct pmuctl_attr_rules *rules,
				  unsigned int type)
{
	if (type > rules->max || rules->rule[type].kind == KIND_UNKNOWN)
		return NULL;
	return &rules->rule[type];
}

static int check_length(const struct rule *rule, const struct nlattr *attr,
			const struct pmuctl_why *why)
{
	int wanted = rule->kind == KIND_U32 ? sizeof(u32) : sizeof(u64);

	if ((rule->kind != KIND_U32 && rule->kind != KIND_U64) ||
	    nla_len(attr) == wanted)
		return 0;
	return pmuctl_why_attr(why, attr, -EINVAL,
			       "%s has %d bytes: it takes %d", rule->name,
			       nla_len(attr), wanted);
}

static int check_type_flags(const struct rule *rule, const struct nlattr *attr,
			    const struct pmuctl_why *why)
{
	bool nested = attr->nla_type & NLA_F_NESTED;

	if (attr->nla_type & NLA_F_NET_BYTEORDER)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "%s is marked as of network byte order: this protocol has the machine's",
				       rule->name);
	if (nested == (rule->kind == KIND_NEST))
		return 0;
	return pmuctl_why_attr(why, attr, -EINVAL, nested ?
			       "%s is no nest: NLA_F_NESTED may not be set" :
			       "%s is a nest: NLA_F_NESTED must be set",
			       rule->name);
}

static int parse_one(const struct pmuctl_attr_rules *rules,
		     struct nlattr *attr, struct nlattr **attrs,
		     const struct pmuctl_why *why)
{
	const struct rule *rule = rule_of(rules, nla_type(attr));
	int err;

	if (!rule)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "attribute %u: %s takes none of that number",
				       nla_type(attr), rules->taker);
	err = check_type_flags(rule, attr, why);
	if (!err)
		err = check_length(rule, attr, why);
	if (err)
		return err;
	if (attrs[nla_type(attr)] && !rule->many)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "%s is given twice: give it once",
				       rule->name);
	attrs[nla_type(attr)] = attr;
	return 0;
}

int pmuctl_attrs_parse(const struct pmuctl_attr_rules *rules,
		       const struct nlattr *head, int len,
		       struct nlattr **attrs, const struct pmuctl_why *why)
{
	const struct nlattr *attr;
	int rem, err;

	memset(attrs, 0, (rules->max + 1) * sizeof(*attrs));
	nla_for_each_attr(attr, head, len, rem) {
		err = parse_one(rules, (struct nlattr *)attr, attrs, why);
		if (err)
			return err;
	}
	if (rem > 0)
		return pmuctl_why(why, -EINVAL,
				  "the last %d bytes of %s are no attribute: its length is less than a header's or more than there is",
				  rem, rules->taker);
	return 0;
}

int pmuctl_attrs_parse_message(u8 cmd, const struct nlmsghdr *message,
			       struct nlattr **attrs,
			       const struct pmuctl_why *why)
{
	const struct genlmsghdr *header = nlmsg_data(message);

	if (header->reserved)
		return pmuctl_why(why, -EINVAL,
				  "the header's reserved field is 0x%x: it must be 0",
				  header->reserved);
	return pmuctl_attrs_parse(&commands[cmd],
				  nlmsg_attrdata(message, GENL_HDRLEN),
				  nlmsg_attrlen(message, GENL_HDRLEN), attrs,
				  why);
}
