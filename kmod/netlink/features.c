// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests about features of the processor, and the replies to them.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/security.h>

#include "kmod/netlink/attrs.h"
#include "kmod/netlink/features.h"
#include "kmod/state/session.h"

/* --- who may --- */

/* It slows everybody on the core: whoever may write MSRs may, nobody else. */
static int may_switch(struct sk_buff *skb, const struct pmuctl_why *why)
{
	if (!netlink_capable(skb, CAP_SYS_ADMIN) ||
	    !netlink_capable(skb, CAP_SYS_RAWIO))
		return pmuctl_why(why, -EPERM,
				  "features are switched for everybody on their cores: CAP_SYS_ADMIN and CAP_SYS_RAWIO are needed, of who asks and of who opened the socket; run as root");
	if (security_locked_down(LOCKDOWN_MSR))
		return pmuctl_why(why, -EPERM,
				  "features are MSRs, and the kernel is locked down (/sys/kernel/security/lockdown): boot without lockdown to switch them");
	return 0;
}

/* --- what is asked for --- */

static int row_of(u32 id, const struct nlattr *attr,
		  const struct pmuctl_why *why)
{
	const struct pmuctl_feature_rows *rows = pmuctl_features();
	unsigned int i;

	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].id == id)
			return i;
	if (!rows->nr)
		return pmuctl_why_attr(why, attr, -EOPNOTSUPP,
				       "feature %u: not yet; nothing is known of how this processor (CPUID.1:EAX 0x%x) is switched",
				       id, pmuctl_caps.signature);
	return pmuctl_why_attr(why, attr, -ENOENT,
			       "feature %u: this processor has none of that number that is known here; FEATURE_GET has those that it has",
			       id);
}

static int add_value(struct pmuctl_hold *hold,
		     const struct pmuctl_feature_value *value,
		     const struct nlattr *attr, const struct pmuctl_why *why)
{
	int row = row_of(value->id, attr, why);
	unsigned int i;

	if (row < 0)
		return row;
	if (value->reserved)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "feature %u: reserved is 0x%x, and must be 0",
				       value->id, value->reserved);
	if (value->value >> pmuctl_features()->row[row].width)
		return pmuctl_why_attr(why, attr, -ERANGE,
				       "feature %u: the value %llu does not fit into its %u bit",
				       value->id, value->value,
				       pmuctl_features()->row[row].width);
	for (i = 0; i < hold->nr; i++)
		if (hold->held[i].row == row)
			return pmuctl_why_attr(why, attr, -EINVAL,
					       "feature %u is given twice: give it once",
					       value->id);
	hold->held[hold->nr++] = (struct pmuctl_held) {
		.row = row,
		.value = value->value,
	};
	return 0;
}

static int add_values(struct pmuctl_hold *hold, const struct nlattr *attr,
		      const struct pmuctl_why *why)
{
	struct pmuctl_feature_value value;
	unsigned int i, nr;
	int err = 0;

	nr = attr ? nla_len(attr) / sizeof(value) : 0;
	if (!nr || nla_len(attr) % sizeof(value))
		return pmuctl_why(why, -EINVAL,
				  "FEATURES has %d bytes: it takes at least one struct pmuctl_feature_value (%zu bytes)",
				  attr ? nla_len(attr) : 0, sizeof(value));
	for (i = 0; i < nr && !err; i++) {
		memcpy(&value, nla_data(attr) + i * sizeof(value),
		       sizeof(value));
		err = add_value(hold, &value, attr, why);
	}
	return err;
}

static int name_cpu(struct pmuctl_hold *hold, const struct nlattr *attr,
		   const struct pmuctl_why *why)
{
	u32 cpu = nla_get_u32(attr);

	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return pmuctl_why_attr(why, attr, -ENODEV,
				       "CPU %u is not online: online are %*pbl",
				       cpu, cpumask_pr_args(cpu_online_mask));
	if (cpumask_test_and_set_cpu(cpu, hold->cpus))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "CPU %u is given twice: give it once",
				       cpu);
	return 0;
}

static int name_cpus(struct pmuctl_hold *hold, struct genl_info *info,
		    const struct pmuctl_why *why)
{
	const struct nlattr *attr;
	int rem, err;

	nla_for_each_attr(attr, genlmsg_data(info->genlhdr),
			  genlmsg_len(info->genlhdr), rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_CPU)
			continue;
		err = name_cpu(hold, attr, why);
		if (err)
			return err;
	}
	hold->all = cpumask_empty(hold->cpus);
	if (hold->all)
		cpumask_copy(hold->cpus, cpu_possible_mask);
	return 0;
}

int pmuctl_features_request(struct sk_buff *skb, struct genl_info *info,
			    struct pmuctl_hold **hold,
			    const struct pmuctl_why *why)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	int err = may_switch(skb, why);

	if (err)
		return err;
	/* Looked at before: there is nothing to be said against them. */
	pmuctl_attrs_parse_message(PMUCTL_CMD_FEATURE_HOLD, info->nlhdr, attrs,
				   why);
	*hold = pmuctl_hold_alloc(why);
	if (!*hold)
		return -ENOMEM;
	err = add_values(*hold, attrs[PMUCTL_A_SESSION_FEATURES], why);
	if (!err)
		err = name_cpus(*hold, info, why);
	if (err)
		pmuctl_hold_free(*hold);
	return err;
}

int pmuctl_features_named(struct genl_info *info, struct pmuctl_hold **hold,
			  const struct pmuctl_why *why)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1], *attr;

	pmuctl_attrs_parse_message(PMUCTL_CMD_FEATURE_RELEASE, info->nlhdr,
				   attrs, why);
	attr = attrs[PMUCTL_A_SESSION_HOLD];
	if (!attr)
		return pmuctl_why(why, -EINVAL,
				  "HOLD is missing: say which hold");
	*hold = pmuctl_hold_find(nla_get_u32(attr));
	if (!*hold)
		return pmuctl_why_attr(why, attr, -ENOENT,
				       "there is no hold %u: it was released, or never was",
				       nla_get_u32(attr));
	if ((*hold)->owner.sk != why->socket.sk)
		return pmuctl_why_attr(why, attr, -EACCES,
				       "hold %u belongs to a socket of pid %d (%s): only that socket may release it",
				       (*hold)->id, pid_vnr((*hold)->pid),
				       (*hold)->comm);
	return 0;
}

/* --- replies --- */

size_t pmuctl_features_reply_size(void)
{
	return (1 + num_online_cpus()) * nla_total_size(sizeof(u32));
}

int pmuctl_features_reply(struct sk_buff *skb, const struct pmuctl_hold *hold)
{
	unsigned int cpu;

	if (nla_put_u32(skb, PMUCTL_A_SESSION_HOLD, hold->id))
		return -EMSGSIZE;
	for_each_online_cpu(cpu)
		if (pmuctl_hold_reaches(hold, cpu) &&
		    nla_put_u32(skb, PMUCTL_A_SESSION_CPU, cpu))
			return -EMSGSIZE;
	return 0;
}

size_t pmuctl_features_left_size(void)
{
	return nla_total_size_64bit(PMUCTL_FEATURES_MAX *
				    sizeof(struct pmuctl_feature_left));
}

int pmuctl_features_put_left(struct sk_buff *skb,
			     const struct pmuctl_hold *hold)
{
	return nla_put_64bit(skb, PMUCTL_A_SESSION_LEFT,
			     hold->nr_left * sizeof(hold->left[0]), hold->left,
			     PMUCTL_A_SESSION_PAD);
}

/* --- what there is --- */

int pmuctl_features_put(struct sk_buff *skb, unsigned int row, unsigned int cpu)
{
	const char *refusal = pmuctl_feature_refusal(row);
	const struct pmuctl_hold *holder;
	struct pmuctl_feature_state state;

	holder = pmuctl_feature_look(row, cpu, &state);
	if (nla_put_64bit(skb, PMUCTL_A_SESSION_FEATURE,
			  sizeof(struct pmuctl_feature_row),
			  &pmuctl_features()->row[row], PMUCTL_A_SESSION_PAD) ||
	    nla_put_64bit(skb, PMUCTL_A_SESSION_STATE, sizeof(state), &state,
			  PMUCTL_A_SESSION_PAD) ||
	    (refusal &&
	     nla_put_string(skb, PMUCTL_A_SESSION_REFUSAL, refusal)))
		return -EMSGSIZE;
	if (!holder)
		return 0;
	return nla_put_u32(skb, PMUCTL_A_SESSION_OWNER_PID,
			   pid_vnr(holder->pid)) ||
	       nla_put_string(skb, PMUCTL_A_SESSION_OWNER_COMM, holder->comm) ?
	       -EMSGSIZE : 0;
}
