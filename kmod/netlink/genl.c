// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family: who may ask, and what commands about sessions do.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "kmod/access/privilege.h"
#include "kmod/base/compat.h"
#include "kmod/features/features.h"
#include "kmod/netlink/answer.h"
#include "kmod/netlink/attrs.h"
#include "kmod/netlink/drain.h"
#include "kmod/netlink/dump.h"
#include "kmod/netlink/features.h"
#include "kmod/netlink/genl.h"
#include "kmod/netlink/named.h"
#include "kmod/netlink/reply.h"
#include "kmod/netlink/request.h"
#include "kmod/netlink/request_sample.h"
#include "kmod/plan/arbitrate.h"
#include "kmod/session/end.h"
#include "kmod/session/readfd.h"
#include "kmod/session/target.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* --- who may ask --- */

/* What pre_doit does for a command; internal_flags. */
enum {
	CHANGES = 1 << 0,		/* sessions change */
	NAMED = 1 << 1,			/* the request names one */
	LOCKS = 1 << 2,			/* the command takes the lock itself */
};

static int pre_doit(pmuctl_genl_ops *ops, struct sk_buff *skb,
		    struct genl_info *info)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_why why = pmuctl_why_of(skb, info);
	struct pmuctl_session *session;
	bool all;
	int err;

	err = pmuctl_permitted(skb, &all, &why);
	if (!err)
		err = pmuctl_attrs_parse_message(ops->cmd, info->nlhdr, attrs,
						 &why);
	if (err)
		return err;
	info->user_ptr[PMUCTL_PRIVILEGED] = all ? info : NULL;
	why.all = all;
	if (ops->internal_flags & LOCKS)
		return 0;
	pmuctl_lock(ops->internal_flags & CHANGES);
	if (!(ops->internal_flags & NAMED))
		return 0;
	err = pmuctl_find_session(attrs[PMUCTL_A_SESSION_ID], false, &why,
				  &session);
	if (err)
		pmuctl_unlock(ops->internal_flags & CHANGES);
	else
		info->user_ptr[PMUCTL_NAMED] = session;
	return err;
}

static void post_doit(pmuctl_genl_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	if (!(ops->internal_flags & LOCKS))
		pmuctl_unlock(ops->internal_flags & CHANGES);
}

/* --- commands --- */

static int info_get(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_answer answer;
	int err = pmuctl_answer_begin(&answer, skb, info,
				      pmuctl_reply_info_size());

	if (err)
		return err;
	return pmuctl_answer_send(&answer, info, pmuctl_reply_info(answer.skb));
}

/*
 * Of a request that makes a session, or that ends one.  What ends does so when
 * the lock is let go.
 */
struct change {
	struct pmuctl_why why;
	struct list_head ending;
};

static void change_begin(struct change *change, const struct sk_buff *request,
			 const struct genl_info *info)
{
	change->why = pmuctl_why_of(request, info);
	INIT_LIST_HEAD(&change->ending);
	pmuctl_lock(true);
}

static void change_end(struct change *change)
{
	pmuctl_unlock(true);
	pmuctl_ending_finish(&change->ending);
}

/* A dry run stops where hardware would be touched. */
static int genl_make(struct pmuctl_plan *plan, struct change *change)
{
	struct pmuctl_session *session = plan->session;
	int err = pmuctl_session_assign(plan, &change->why);

	if (err || session->flags & PMUCTL_SESSION_DRY_RUN)
		return err;
	err = pmuctl_session_register(plan, &change->why.socket, &change->why);
	/* From here on it is the owner's, not the plan's. */
	if (plan->registered)
		plan->session = NULL;
	if (plan->registered && err)
		pmuctl_session_withdraw(session, &change->ending);
	return err;
}

static int put_new(struct sk_buff *skb, const struct pmuctl_session *session,
		   const struct pmuctl_readfd *fd)
{
	if (fd->nr >= 0 && nla_put_u32(skb, PMUCTL_A_SESSION_FD, fd->nr))
		return -EMSGSIZE;
	return pmuctl_reply_plan(skb, session);
}

static int make_and_answer(struct pmuctl_plan *plan, struct pmuctl_readfd *fd,
			   struct pmuctl_answer *answer, struct genl_info *info,
			   struct change *change)
{
	struct pmuctl_session *session = plan->session;
	int err = genl_make(plan, change);

	if (err) {
		nlmsg_free(answer->skb);
		return err;
	}
	err = pmuctl_answer_send(answer, info,
				 put_new(answer->skb, session, fd));
	if (!err)
		pmuctl_readfd_install(fd, session);
	/* Nobody would know its ID. */
	else if (plan->registered)
		pmuctl_session_withdraw(session, &change->ending);
	return err;
}

/* Without the lock: it may take as long as a task's program likes. */
static int prove_targets(struct pmuctl_plan *plan, const struct pmuctl_why *why)
{
	int err;

	if (plan->session->privileged || !plan->session->on_task)
		return 0;
	pmuctl_unlock(true);
	err = pmuctl_targets_prove(plan, why);
	pmuctl_lock(true);
	return err;
}

static int session_new(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_readfd fd = { .nr = -1 };
	struct pmuctl_plan plan = { };
	struct pmuctl_answer answer;
	struct change change;
	int err;

	pmuctl_ended_settle();
	change_begin(&change, skb, info);
	err = pmuctl_request_parse(&plan, info, change.why.all, &change.why);
	if (!err)
		err = prove_targets(&plan, &change.why);
	/* From here on the lock is held. */
	if (!err)
		err = pmuctl_request_beside(&plan, &change.why);
	if (!err && plan.session->flags & PMUCTL_SESSION_FD)
		err = pmuctl_readfd_make(&fd, &change.why);
	if (!err)
		err = pmuctl_answer_begin(&answer, skb, info,
					  pmuctl_reply_plan_size(plan.session));
	if (!err)
		err = make_and_answer(&plan, &fd, &answer, info, &change);
	pmuctl_readfd_drop(&fd);
	change_end(&change);
	pmuctl_targets_forget(&plan);
	pmuctl_request_release(&plan);
	return err;
}

typedef int find_fn(struct nlattr *attr, const struct pmuctl_why *why,
		    struct pmuctl_session **session);

static int end_named(struct sk_buff *skb, struct genl_info *info, find_fn *find)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_session *session;
	struct change change;
	int err;

	change_begin(&change, skb, info);
	/* Looked at before: there is nothing to be said against them. */
	pmuctl_attrs_parse_message(info->genlhdr->cmd, info->nlhdr, attrs,
				   &change.why);
	err = find(attrs[PMUCTL_A_SESSION_ID], &change.why, &session);
	if (!err)
		pmuctl_session_withdraw(session, &change.ending);
	change_end(&change);
	return err;
}

static int find_own(struct nlattr *attr, const struct pmuctl_why *why,
		    struct pmuctl_session **session)
{
	return pmuctl_find_session(attr, false, why, session);
}

static int session_del(struct sk_buff *skb, struct genl_info *info)
{
	return end_named(skb, info, find_own);
}

/* Whosever it is: a socket can be where no process has it. */
static int session_end(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = pmuctl_why_of(skb, info);

	if (!netlink_capable(skb, CAP_SYS_ADMIN))
		return pmuctl_why(&why, -EPERM,
				  "ending others' sessions takes CAP_SYS_ADMIN: run as root; own ones end with their socket");
	return end_named(skb, info, pmuctl_find_any);
}

static int session_start(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = pmuctl_why_of(skb, info);

	return pmuctl_session_start(info->user_ptr[PMUCTL_NAMED], &why);
}

static int session_stop(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_why why = pmuctl_why_of(skb, info);

	return pmuctl_session_stop(info->user_ptr[PMUCTL_NAMED], &why);
}

/* Added up where they are sent from. */
static int count_get(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_session *session = info->user_ptr[PMUCTL_NAMED];
	size_t size = session->nr_events * sizeof(struct pmuctl_count);
	struct pmuctl_answer answer;
	struct nlattr *attr;
	int err;

	err = pmuctl_answer_begin(&answer, skb, info,
				  nla_total_size_64bit(size));
	if (err)
		return err;
	attr = nla_reserve_64bit(answer.skb, PMUCTL_A_SESSION_COUNTS, size,
				 PMUCTL_A_SESSION_PAD);
	if (!attr)
		return pmuctl_answer_send(&answer, info, -EMSGSIZE);
	pmuctl_session_counts(session, false, nla_data(attr));
	return pmuctl_answer_send(&answer, info, 0);
}

static int count_reset(struct sk_buff *skb, struct genl_info *info)
{
	struct pmuctl_session *session = info->user_ptr[PMUCTL_NAMED];
	struct pmuctl_why why = pmuctl_why_of(skb, info);

	if (session->self)
		return pmuctl_why(&why, -EOPNOTSUPP,
				  "session %u is read by its thread, for whom counts only grow: subtract what was read before",
				  session->id);
	pmuctl_session_reset(session);
	return 0;
}

/* --- dumps --- */

static int dump_session(struct sk_buff *skb, struct netlink_callback *cb,
			const struct pmuctl_session *session)
{
	void *header = pmuctl_dump_message(skb, cb, PMUCTL_CMD_SESSION_GET);

	if (!header)
		return -EMSGSIZE;
	if (pmuctl_reply_session(skb, session)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* How the dump of sessions goes on: cb->args. */
enum {
	NEXT,				/* the first that was not sent, or 0 */
	ALL,				/* not only the reader's own */
};

static bool may_see(const struct netlink_callback *cb,
		    const struct pmuctl_session *session)
{
	return cb->args[ALL] || uid_eq(session->uid, current_uid());
}

static int session_get_begin(struct netlink_callback *cb)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_why why;
	bool all;
	int err;

	err = pmuctl_dump_begin(cb, PMUCTL_CMD_SESSION_GET, attrs, &all, &why);
	cb->args[ALL] = all;
	return err;
}

static int session_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct pmuctl_session *session;
	int err = cb->args[NEXT] ? 0 : session_get_begin(cb);

	if (err)
		return err;
	pmuctl_lock(false);
	while ((session = pmuctl_session_next(cb->args[NEXT]))) {
		err = may_see(cb, session) ? dump_session(skb, cb, session) : 0;
		if (err)
			break;
		cb->args[NEXT] = session->id + 1;
	}
	pmuctl_unlock(false);
	/* One that does not even fit alone is not the end. */
	return skb->len ?: err;
}

/* Taken when the dump begins, so that its parts belong together. */
static struct pmuctl_snapshot *take_snapshot(struct pmuctl_session *session)
{
	struct pmuctl_snapshot *snapshot;

	snapshot = pmuctl_snapshot_alloc(pmuctl_session_nr_counts(session,
								  true),
					 sizeof(struct pmuctl_count));
	if (snapshot)
		pmuctl_session_counts(session, true, (void *)snapshot->data);
	return snapshot;
}

static int count_get_begin(struct netlink_callback *cb)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_session *session;
	struct pmuctl_snapshot *snapshot;
	struct pmuctl_why why;
	bool all;
	int err;

	err = pmuctl_dump_begin(cb, PMUCTL_CMD_COUNT_GET, attrs, &all, &why);
	if (err)
		return err;
	pmuctl_lock(false);
	err = pmuctl_find_session(attrs[PMUCTL_A_SESSION_ID], false, &why,
				  &session);
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

static int count_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = cb->args[0] ? 0 : count_get_begin(cb);

	return err ? err : pmuctl_snapshot_dump(skb, cb, PMUCTL_CMD_COUNT_GET,
						PMUCTL_A_SESSION_COUNTS);
}

/* --- the family --- */

/* No policies: attrs.c looks at every attribute and says more. */
static const struct genl_ops ops[] = {
	{
		.cmd = PMUCTL_CMD_INFO_GET,
		.doit = info_get,
	}, {
		.cmd = PMUCTL_CMD_SESSION_NEW,
		.doit = session_new,
		.internal_flags = LOCKS,
	}, {
		.cmd = PMUCTL_CMD_SESSION_DEL,
		.doit = session_del,
		.internal_flags = LOCKS,
	}, {
		.cmd = PMUCTL_CMD_SESSION_GET,
		.dumpit = session_get_dump,
	}, {
		.cmd = PMUCTL_CMD_SESSION_START,
		.doit = session_start,
		.internal_flags = CHANGES | NAMED,
	}, {
		.cmd = PMUCTL_CMD_SESSION_STOP,
		.doit = session_stop,
		.internal_flags = CHANGES | NAMED,
	}, {
		.cmd = PMUCTL_CMD_COUNT_GET,
		.doit = count_get,
		.dumpit = count_get_dump,
		.done = pmuctl_snapshot_done,
		.internal_flags = NAMED,
	}, {
		.cmd = PMUCTL_CMD_COUNT_RESET,
		.doit = count_reset,
		.internal_flags = CHANGES | NAMED,
	}, {
		.cmd = PMUCTL_CMD_SAMPLE_GET,
		.start = pmuctl_sample_get_start,
		.dumpit = pmuctl_sample_get_dump,
		.done = pmuctl_sample_get_done,
	}, {
		.cmd = PMUCTL_CMD_LEDGER_GET,
		.dumpit = pmuctl_ledger_get_dump,
		.done = pmuctl_snapshot_done,
	}, {
		.cmd = PMUCTL_CMD_SESSION_END,
		.doit = session_end,
		.internal_flags = LOCKS,
	}, {
		.cmd = PMUCTL_CMD_FEATURE_GET,
		.dumpit = pmuctl_feature_get_dump,
	}, {
		.cmd = PMUCTL_CMD_FEATURE_HOLD,
		.doit = pmuctl_feature_hold,
		.internal_flags = CHANGES,
	}, {
		.cmd = PMUCTL_CMD_FEATURE_RELEASE,
		.doit = pmuctl_feature_release,
		.internal_flags = CHANGES,
	},
};

/*
 * A socket is closed, by its owner or by the owner's death.  It may be any of
 * the machine: whoever has nothing of ours pays for two look-ups.
 */
static int on_release(struct notifier_block *block, unsigned long event,
		      void *data)
{
	const struct netlink_notify *notify = data;

	if (event != NETLINK_URELEASE ||
	    notify->protocol != NETLINK_GENERIC ||
	    !net_eq(notify->net, &init_net))
		return NOTIFY_DONE;
	pmuctl_session_end_closed(notify->portid);
	pmuctl_features_end_closed(notify->portid);
	pmuctl_why_forget_closed(notify->portid);
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
	pmuctl_family.pre_doit = pre_doit;
	pmuctl_family.post_doit = post_doit;
	pmuctl_family.ops = ops;
	pmuctl_family.n_ops = ARRAY_SIZE(ops);
	err = genl_register_family(&pmuctl_family);
	if (err)
		netlink_unregister_notifier(&release_notifier);
	return err;
}

void pmuctl_genl_exit(void)
{
	genl_unregister_family(&pmuctl_family);
	netlink_unregister_notifier(&release_notifier);
	pmuctl_why_exit();
}
