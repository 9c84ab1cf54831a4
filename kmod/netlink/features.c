// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands about features of the processor.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/security.h>

#include "kmod/features/features.h"
#include "kmod/features/places.h"
#include "kmod/netlink/answer.h"
#include "kmod/netlink/attrs.h"
#include "kmod/netlink/dump.h"
#include "kmod/netlink/features.h"
#include "kmod/netlink/request.h"
#include "kmod/pmu/kinds.h"
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

static bool is_given(const struct pmuctl_hold *hold, u32 id)
{
	unsigned int i;

	for (i = 0; i < hold->nr; i++)
		if (pmuctl_features()->row[hold->held[i].row].id == id)
			return true;
	return false;
}

static int unknown_feature(u32 id, const struct nlattr *attr,
			   const struct pmuctl_why *why)
{
	if (!pmuctl_features()->nr)
		return pmuctl_why_attr(why, attr, -EOPNOTSUPP,
				       "feature %u: not yet; nothing is known of how this processor (CPUID.1:EAX 0x%x) is switched",
				       id, pmuctl_caps.signature);
	return pmuctl_why_attr(why, attr, -ENOENT,
			       "feature %u: this processor has none of that number that is known here; FEATURE_GET has those that it has",
			       id);
}

static int check_value(const struct pmuctl_hold *hold,
		       const struct pmuctl_feature_value *value,
		       const struct nlattr *attr, const struct pmuctl_why *why)
{
	if (value->reserved)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "feature %u: reserved is 0x%x, and must be 0",
				       value->id, value->reserved);
	if (is_given(hold, value->id))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "feature %u is given twice: give it once",
				       value->id);
	return 0;
}

/* Each kind of cores that has it has a row of its own. */
static int add_value(struct pmuctl_hold *hold,
		     const struct pmuctl_feature_value *value,
		     const struct nlattr *attr, const struct pmuctl_why *why)
{
	const struct pmuctl_feature_rows *rows = pmuctl_features();
	unsigned int i;
	int err = check_value(hold, value, attr, why);

	for (i = 0; i < rows->nr && !err; i++) {
		if (rows->row[i].id != value->id)
			continue;
		if (value->value >> rows->row[i].width)
			return pmuctl_why_attr(why, attr, -ERANGE,
					       "feature %u: the value %llu does not fit into its %u bit",
					       value->id, value->value,
					       rows->row[i].width);
		hold->held[hold->nr++] = (struct pmuctl_held) {
			.row = i,
			.value = value->value,
		};
	}
	if (!err && !is_given(hold, value->id))
		err = unknown_feature(value->id, attr, why);
	return err;
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

static int name_process(struct pmuctl_hold *hold, const struct nlattr *attr,
			const struct pmuctl_why *why)
{
	u32 nr = nla_get_u32(attr);

	if (hold->process || !cpumask_empty(hold->cpus))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "process %u is not all that is named: a hold is for one process, or on CPUs; make several",
				       nr);
	hold->process = nr && nr <= INT_MAX ? find_get_pid(nr) : NULL;
	return hold->process ? 0 :
	       pmuctl_why_attr(why, attr, -ESRCH,
			       "there is no process %u in this PID namespace",
			       nr);
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
		err = pmuctl_request_cpu(hold->cpus, attr, why);
		if (err)
			return err;
	}
	return 0;
}

static bool any_has(const struct cpumask *cpus, unsigned int row)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (pmuctl_place_has(row, cpu))
			return true;
	return false;
}

/* Only what cores of these CPUs have; all that is asked for has to be there. */
static int keep_those_there(struct pmuctl_hold *hold,
			    const struct nlattr *asked,
			    const struct pmuctl_why *why)
{
	struct pmuctl_feature_value value;
	unsigned int i, nr = 0;

	for (i = 0; i < hold->nr; i++)
		if (any_has(hold->cpus, hold->held[i].row))
			hold->held[nr++] = hold->held[i];
	hold->nr = nr;
	for (i = 0; i < nla_len(asked) / sizeof(value); i++) {
		memcpy(&value, nla_data(asked) + i * sizeof(value),
		       sizeof(value));
		if (!is_given(hold, value.id))
			return pmuctl_why_attr(why, asked, -ENOENT,
					       "feature %u: no core of CPU %*pbl has it, but cores of another kind: FEATURE_GET has where it is",
					       value.id,
					       cpumask_pr_args(hold->cpus));
	}
	return 0;
}

/* For a process, or on those CPUs, or on all. */
static int name_where(struct pmuctl_hold *hold, struct genl_info *info,
		      const struct pmuctl_why *why)
{
	const struct nlattr *attr;
	int rem, err = name_cpus(hold, info, why);

	nla_for_each_attr(attr, genlmsg_data(info->genlhdr),
			  genlmsg_len(info->genlhdr), rem)
		if (!err && nla_type(attr) == PMUCTL_A_SESSION_PID)
			err = name_process(hold, attr, why);
	hold->all = !hold->process && cpumask_empty(hold->cpus);
	if (hold->all)
		cpumask_copy(hold->cpus, cpu_possible_mask);
	return err;
}

static int parse_hold(struct sk_buff *skb, struct genl_info *info,
		      struct pmuctl_hold **hold, const struct pmuctl_why *why)
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
		err = name_where(*hold, info, why);
	if (!err && !(*hold)->process && !(*hold)->all)
		err = keep_those_there(*hold, attrs[PMUCTL_A_SESSION_FEATURES],
				       why);
	if (err)
		pmuctl_hold_free(*hold);
	return err;
}

static int find_hold(struct genl_info *info, struct pmuctl_hold **hold,
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

static size_t reply_size(void)
{
	return (1 + num_online_cpus()) * nla_total_size(sizeof(u32));
}

static int put_hold(struct sk_buff *skb, const struct pmuctl_hold *hold)
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

static size_t left_size(void)
{
	return nla_total_size_64bit(PMUCTL_FEATURES_MAX *
				    sizeof(struct pmuctl_feature_left));
}

static int put_left(struct sk_buff *skb, const struct pmuctl_hold *hold)
{
	return nla_put_64bit(skb, PMUCTL_A_SESSION_LEFT,
			     hold->nr_left * sizeof(hold->left[0]), hold->left,
			     PMUCTL_A_SESSION_PAD);
}

/* --- what there is --- */

static int put_feature(struct sk_buff *skb, unsigned int row, unsigned int cpu)
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
	    (pmuctl_nr_kinds > 1 &&
	     nla_put_u32(skb, PMUCTL_A_SESSION_KIND,
			 pmuctl_features()->cores[row])) ||
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

/* --- commands --- */

int pmuctl_feature_hold(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = pmuctl_why_of(skb, info);
	struct pmuctl_hold *hold;
	struct pmuctl_answer answer;
	int err = parse_hold(skb, info, &hold, &why);

	if (err)
		return err;
	err = pmuctl_answer_begin(&answer, skb, info, reply_size());
	if (err)
		goto err_hold;
	err = pmuctl_hold_begin(hold, &why.socket, &why);
	if (err) {
		nlmsg_free(answer.skb);
		goto err_hold;
	}
	err = pmuctl_answer_send(&answer, info, put_hold(answer.skb, hold));
	if (!err)
		return 0;
	/* Nobody would know its number. */
	pmuctl_hold_end(hold);
err_hold:
	pmuctl_hold_free(hold);
	return err;
}

int pmuctl_feature_release(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = pmuctl_why_of(skb, info);
	struct pmuctl_hold *hold;
	struct pmuctl_answer answer;
	int err = find_hold(info, &hold, &why);

	if (!err)
		err = pmuctl_answer_begin(&answer, skb, info, left_size());
	if (err)
		return err;
	pmuctl_hold_end(hold);
	err = pmuctl_answer_send(&answer, info, put_left(answer.skb, hold));
	pmuctl_hold_free(hold);
	return err;
}

static int dump_feature(struct sk_buff *skb, struct netlink_callback *cb,
			unsigned int row, unsigned int cpu)
{
	void *header = pmuctl_dump_message(skb, cb, PMUCTL_CMD_FEATURE_GET);

	if (!header)
		return -EMSGSIZE;
	if (put_feature(skb, row, cpu)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* How the dump of features goes on: cb->args. */
enum {
	BEGUN,
	ROW,
	CPU,
};

static int feature_get_begin(struct netlink_callback *cb)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_why why;
	bool all;
	int err;

	err = pmuctl_dump_begin(cb, PMUCTL_CMD_FEATURE_GET, attrs, &all, &why);
	if (!err && !all)
		err = pmuctl_why(&why, -EACCES,
				 "features tell of everybody's programs: CAP_PERFMON is needed to look at them");
	cb->args[BEGUN] = !err;
	return err;
}

static int dump_row(struct sk_buff *skb, struct netlink_callback *cb)
{
	unsigned int cpu;
	int err;

	for (cpu = cb->args[CPU]; cpu < nr_cpu_ids; cpu++) {
		if (!cpu_online(cpu) ||
		    !pmuctl_place_is_first(cb->args[ROW], cpu))
			continue;
		err = dump_feature(skb, cb, cb->args[ROW], cpu);
		if (err)
			return err;
		cb->args[CPU] = cpu + 1;
	}
	cb->args[ROW]++;
	cb->args[CPU] = 0;
	return 0;
}

int pmuctl_feature_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = cb->args[BEGUN] ? 0 : feature_get_begin(cb);

	if (err)
		return err;
	pmuctl_lock(true);
	pmuctl_places_learn();
	while (!err && cb->args[ROW] < pmuctl_features()->nr)
		err = dump_row(skb, cb);
	pmuctl_unlock(true);
	/* One that does not even fit alone is not the end. */
	return skb->len ?: err;
}
