// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family: who may ask, and what each command does.
 */
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "compat.h"
#include "genl.h"
#include "percpu.h"
#include "reply.h"
#include "request.h"
#include "session.h"

static struct genl_family family;

/* Without a policy the core would not look at attributes at all. */
static const struct nla_policy no_policy[PMUCTL_A_SESSION_MAX + 1] = { };

static const struct nla_policy new_policy[PMUCTL_A_SESSION_MAX + 1] = {
	[PMUCTL_A_SESSION_FLAGS] = { .type = NLA_U64 },
	[PMUCTL_A_SESSION_PID] = { .type = NLA_U32 },
	[PMUCTL_A_SESSION_TID] = { .type = NLA_U32 },
	[PMUCTL_A_SESSION_CPU] = { .type = NLA_U32 },
	[PMUCTL_A_SESSION_EVENT] = NLA_POLICY_NESTED(pmuctl_event_policy),
};

static const struct nla_policy id_policy[PMUCTL_A_SESSION_MAX + 1] = {
	[PMUCTL_A_SESSION_ID] = { .type = NLA_U32 },
};

/* --- who may ask --- */

static int permitted(struct sk_buff *skb, const struct pmuctl_why *why)
{
	if (netlink_capable(skb, CAP_PERFMON) ||
	    netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	NL_SET_ERR_MSG(why->extack,
		       "the PMU sees every program: CAP_PERFMON (or CAP_SYS_ADMIN) is needed; run as root, or give the program that capability");
	return -EPERM;
}

static int find_session(struct nlattr *attr, struct sk_buff *skb,
			const struct pmuctl_why *why,
			struct pmuctl_session **session)
{
	struct pmuctl_session *found;

	if (!attr)
		return pmuctl_why(why, -EINVAL,
				  "SESSION_ID is missing: say which session");
	found = pmuctl_session_find(nla_get_u32(attr));
	if (!found)
		return pmuctl_why_attr(why, attr, -ENOENT,
				       "there is no session %u: it has ended, or never was",
				       nla_get_u32(attr));
	if (found->portid != why->portid || found->sock != NETLINK_CB(skb).sk)
		return pmuctl_why_attr(why, attr, -EACCES,
				       "session %u belongs to a socket of pid %d (%s): only that socket may use it",
				       found->id, pid_vnr(found->pid),
				       found->comm);
	*session = found;
	return 0;
}

/* What pre_doit does for a command; internal_flags. */
enum {
	CHANGES = 1 << 0,		/* sessions change */
	NAMED = 1 << 1,	/* the request names one: user_ptr[0] */
};

static struct pmuctl_why why_of(const struct genl_info *info)
{
	return (struct pmuctl_why){ info->extack, info->snd_portid };
}

static int pre_doit(pmuctl_genl_ops *ops, struct sk_buff *skb,
		    struct genl_info *info)
{
	struct pmuctl_why why = why_of(info);
	struct pmuctl_session *session;
	int err;

	err = permitted(skb, &why);
	if (err)
		return err;
	pmuctl_lock(ops->internal_flags & CHANGES);
	if (!(ops->internal_flags & NAMED))
		return 0;
	err = find_session(info->attrs[PMUCTL_A_SESSION_ID], skb, &why,
			   &session);
	if (err)
		pmuctl_unlock(ops->internal_flags & CHANGES);
	else
		info->user_ptr[0] = session;
	return err;
}

static void post_doit(pmuctl_genl_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	pmuctl_unlock(ops->internal_flags & CHANGES);
}

/* --- replies --- */

struct answer {
	struct sk_buff *skb;
	void *header;
};

static int answer_begin(struct answer *answer, struct genl_info *info,
			size_t size)
{
	struct pmuctl_why why = why_of(info);

	answer->skb = genlmsg_new(size, GFP_KERNEL);
	if (!answer->skb)
		goto err;
	answer->header = genlmsg_put_reply(answer->skb, info, &family, 0,
					   info->genlhdr->cmd);
	if (answer->header)
		return 0;
	nlmsg_free(answer->skb);
err:
	return pmuctl_why(&why, -ENOMEM, "no memory for the reply");
}

static int answer_send(struct answer *answer, struct genl_info *info, int err)
{
	struct pmuctl_why why = why_of(info);

	if (err) {
		nlmsg_free(answer->skb);
		return pmuctl_why(&why, err,
				  "the reply does not fit into its message");
	}
	genlmsg_end(answer->skb, answer->header);
	err = genlmsg_reply(answer->skb, info);
	if (err)
		return pmuctl_why(&why, err,
				  "the reply cannot be delivered: read the socket's earlier messages first");
	return 0;
}

/* --- commands --- */

static int info_get(struct sk_buff *skb, struct genl_info *info)
{
	struct answer answer;
	int err = answer_begin(&answer, info, NLMSG_DEFAULT_SIZE);

	if (err)
		return err;
	return answer_send(&answer, info, pmuctl_reply_info(answer.skb));
}

/* A dry run stops where hardware would be touched. */
static int make(struct pmuctl_plan *plan, struct sk_buff *skb,
		const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	int err = pmuctl_session_assign(plan, why);

	if (err || session->flags & PMUCTL_SESSION_DRY_RUN)
		return err;
	session->portid = why->portid;
	session->sock = NETLINK_CB(skb).sk;
	err = pmuctl_session_register(plan, why);
	/* From here on it is the owner's, not the plan's. */
	if (!err)
		plan->session = NULL;
	return err;
}

static int session_new(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = why_of(info);
	struct pmuctl_session *session;
	struct pmuctl_plan plan = { };
	struct answer answer;
	int err;

	err = pmuctl_request_parse(&plan, info, &why);
	session = plan.session;
	if (!err)
		err = answer_begin(&answer, info, pmuctl_reply_plan_size());
	if (err)
		goto out;
	err = make(&plan, skb, &why);
	if (err) {
		nlmsg_free(answer.skb);
		goto out;
	}
	err = answer_send(&answer, info,
			  pmuctl_reply_plan(answer.skb, session));
	/* Nobody would know its ID. */
	if (err && !plan.session)
		pmuctl_session_end(session);
out:
	pmuctl_request_release(&plan);
	return err;
}

static int session_del(struct sk_buff *skb, struct genl_info *info)
{
	pmuctl_session_end(info->user_ptr[0]);
	return 0;
}

static int session_start(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = why_of(info);

	return pmuctl_session_start(info->user_ptr[0], &why);
}

static int session_stop(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = why_of(info);

	return pmuctl_session_stop(info->user_ptr[0], &why);
}

static int count_get(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_session *session = info->user_ptr[0];
	struct pmuctl_count counts[PMUCTL_EVENTS_MAX];
	struct answer answer;
	unsigned int i;
	int err;

	err = answer_begin(&answer, info, nla_total_size_64bit(sizeof(counts)));
	if (err)
		return err;
	pmuctl_cpu_fold(session);
	for (i = 0; i < session->nr_events; i++)
		pmuctl_session_sum(session, i, &counts[i]);
	err = nla_put_64bit(answer.skb, PMUCTL_A_SESSION_COUNTS,
			    i * sizeof(counts[0]), counts,
			    PMUCTL_A_SESSION_PAD);
	return answer_send(&answer, info, err);
}

/* --- dumps ---
 *
 * Checks are made at the first part, not in .start: 6.1 hands that no extack.
 * cb->args[0] is 0 until then.
 */

static int dump_permitted(struct netlink_callback *cb, struct pmuctl_why *why)
{
	why->extack = cb->extack;
	why->portid = NETLINK_CB(cb->skb).portid;
	return permitted(cb->skb, why);
}

static void *dump_message(struct sk_buff *skb, struct netlink_callback *cb,
			  u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &family, NLM_F_MULTI, cmd);
}

static int dump_session(struct sk_buff *skb, struct netlink_callback *cb,
			const struct pmuctl_session *session)
{
	void *header = dump_message(skb, cb, PMUCTL_CMD_SESSION_GET);

	if (!header)
		return -EMSGSIZE;
	if (pmuctl_reply_session(skb, session)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

static int session_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct pmuctl_session *session;
	struct pmuctl_why why;
	int err = cb->args[0] ? 0 : dump_permitted(cb, &why);

	if (err)
		return err;
	pmuctl_lock(false);
	while ((session = pmuctl_session_next(cb->args[0]))) {
		if (dump_session(skb, cb, session))
			break;
		cb->args[0] = session->id + 1;
	}
	pmuctl_unlock(false);
	return skb->len;
}

/* Taken when the dump begins, so that its parts belong together. */
struct snapshot {
	unsigned int nr;
	unsigned int sent;
	struct pmuctl_count count[];
};

static struct snapshot *take_snapshot(struct pmuctl_session *session)
{
	unsigned int cpus = session->on_task ? 1 :
			    cpumask_weight(session->cpus);
	struct snapshot *snapshot;
	unsigned int i, cpu;

	snapshot = kvzalloc(struct_size(snapshot, count,
					cpus * session->nr_events), GFP_KERNEL);
	if (!snapshot)
		return NULL;
	pmuctl_cpu_fold(session);
	for (i = 0; i < session->nr_events; i++) {
		if (session->on_task)
			pmuctl_session_sum(session, i,
					   &snapshot->count[snapshot->nr++]);
		for_each_cpu(cpu, session->cpus)
			pmuctl_session_on_cpu(session, i, cpu,
					      &snapshot->count[snapshot->nr++]);
	}
	return snapshot;
}

static int count_get_begin(struct netlink_callback *cb)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_session *session;
	struct snapshot *snapshot;
	struct pmuctl_why why;
	int err;

	err = dump_permitted(cb, &why);
	if (!err)
		err = nlmsg_parse(cb->nlh, GENL_HDRLEN, attrs,
				  PMUCTL_A_SESSION_MAX, id_policy, cb->extack);
	if (err)
		return err;
	pmuctl_lock(false);
	err = find_session(attrs[PMUCTL_A_SESSION_ID], cb->skb, &why, &session);
	if (!err) {
		snapshot = take_snapshot(session);
		if (!snapshot)
			err = pmuctl_why(&why, -ENOMEM,
					 "no memory for the counts");
		cb->args[0] = (long)snapshot;
	}
	pmuctl_unlock(false);
	return err;
}

/* As many as fit; the rest comes with the next call. */
static int count_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	size_t overhead = GENL_HDRLEN + NLMSG_HDRLEN + 2 * NLA_HDRLEN;
	size_t room = skb_tailroom(skb), one = sizeof(struct pmuctl_count);
	int err = cb->args[0] ? 0 : count_get_begin(cb);
	struct snapshot *snapshot = (void *)cb->args[0];
	unsigned int n;
	void *header;

	if (err)
		return err;
	n = snapshot->nr - snapshot->sent;
	if (!n)
		return 0;
	if (room < overhead + one)
		return -EMSGSIZE;
	n = min_t(size_t, n, (room - overhead) / one);
	header = dump_message(skb, cb, PMUCTL_CMD_COUNT_GET);
	if (!header)
		return -EMSGSIZE;
	if (nla_put_64bit(skb, PMUCTL_A_SESSION_COUNTS, n * one,
			  &snapshot->count[snapshot->sent],
			  PMUCTL_A_SESSION_PAD)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	snapshot->sent += n;
	return skb->len;
}

static int count_get_done(struct netlink_callback *cb)
{
	kvfree((void *)cb->args[0]);
	return 0;
}

/* --- the family --- */

static const struct genl_ops ops[] = {
	{
		.cmd = PMUCTL_CMD_INFO_GET,
		.doit = info_get,
		.policy = no_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
	}, {
		.cmd = PMUCTL_CMD_SESSION_NEW,
		.doit = session_new,
		.policy = new_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.internal_flags = CHANGES,
	}, {
		.cmd = PMUCTL_CMD_SESSION_DEL,
		.doit = session_del,
		.policy = id_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.internal_flags = CHANGES | NAMED,
	}, {
		.cmd = PMUCTL_CMD_SESSION_GET,
		.dumpit = session_get_dump,
		.policy = no_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
	}, {
		.cmd = PMUCTL_CMD_SESSION_START,
		.doit = session_start,
		.policy = id_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.internal_flags = CHANGES | NAMED,
	}, {
		.cmd = PMUCTL_CMD_SESSION_STOP,
		.doit = session_stop,
		.policy = id_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.internal_flags = CHANGES | NAMED,
	}, {
		.cmd = PMUCTL_CMD_COUNT_GET,
		.doit = count_get,
		.dumpit = count_get_dump,
		.done = count_get_done,
		.policy = id_policy,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.internal_flags = NAMED,
	},
};

static struct genl_family family = {
	.name = PMUCTL_FAMILY_NAME,
	.version = PMUCTL_FAMILY_VERSION,
	.module = THIS_MODULE,
	.parallel_ops = true,
	.pre_doit = pre_doit,
	.post_doit = post_doit,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
};

/* The owner's socket is closed, by the owner or by its death. */
static int on_release(struct notifier_block *block, unsigned long event,
		      void *data)
{
	const struct netlink_notify *notify = data;

	if (event != NETLINK_URELEASE ||
	    notify->protocol != NETLINK_GENERIC ||
	    !net_eq(notify->net, &init_net))
		return NOTIFY_DONE;
	pmuctl_session_end_owner(notify->portid);
	pmuctl_why_forget(notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block release_notifier = {
	.notifier_call = on_release,
};

int pmuctl_genl_init(void)
{
	int err = netlink_register_notifier(&release_notifier);

	if (err)
		return err;
	err = genl_register_family(&family);
	if (err)
		netlink_unregister_notifier(&release_notifier);
	return err;
}

void pmuctl_genl_exit(void)
{
	genl_unregister_family(&family);
	netlink_unregister_notifier(&release_notifier);
	pmuctl_why_exit();
}
