// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module answers, as netlink messages.
 */
#include <linux/pid.h>

#include "backend.h"
#include "reply.h"
#include "reserve.h"

#define FEATURES	(PMUCTL_FEATURE_TASK | PMUCTL_FEATURE_CPU |	\
			 PMUCTL_FEATURE_INHERIT | PMUCTL_FEATURE_EXEC |	\
			 PMUCTL_FEATURE_DRY_RUN)

static int put_info64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, PMUCTL_A_INFO_PAD);
}

static int put_facts(struct sk_buff *skb)
{
	const struct pmuctl_caps *caps = &pmuctl_caps;

	if (nla_put_string(skb, PMUCTL_A_INFO_BACKEND, pmuctl_backend->name) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_SIGNATURE, caps->signature) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_VERSION, caps->version) ||
	    put_info64(skb, PMUCTL_A_INFO_COUNTERS, caps->counters) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_GP_WIDTH, caps->gp_width) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_FIXED_WIDTH, caps->fixed_width) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_ARCH_EVENTS, caps->arch_events) ||
	    put_info64(skb, PMUCTL_A_INFO_CAPABILITIES, caps->capabilities))
		return -EMSGSIZE;
	return 0;
}

int pmuctl_reply_info(struct sk_buff *skb)
{
	if (nla_put_u32(skb, PMUCTL_A_INFO_ABI, PMUCTL_ABI) ||
	    put_info64(skb, PMUCTL_A_INFO_FEATURES, FEATURES) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_STATE, pmuctl_pmu_state()) ||
	    put_info64(skb, PMUCTL_A_INFO_COUNTERS_USED,
		       pmuctl_counters_used()) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_SESSIONS, pmuctl_sessions()))
		return -EMSGSIZE;
	return put_facts(skb);
}

static int put_event(struct sk_buff *skb, const struct pmuctl_event *event,
		     const struct pmuctl_reg *reg)
{
	struct nlattr *nest = nla_nest_start(skb, PMUCTL_A_SESSION_EVENT);

	if (!nest ||
	    nla_put_u32(skb, PMUCTL_A_EVENT_COUNTER, event->counter) ||
	    nla_put_64bit(skb, PMUCTL_A_EVENT_REGS, sizeof(*reg), reg,
			  PMUCTL_A_EVENT_PAD) ||
	    nla_put_u32(skb, PMUCTL_A_EVENT_SET, event->set))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int pmuctl_reply_plan(struct sk_buff *skb, const struct pmuctl_session *session)
{
	unsigned int i;

	if (nla_put_u32(skb, PMUCTL_A_SESSION_ID, session->id))
		return -EMSGSIZE;
	for (i = 0; i < session->nr_events; i++)
		if (put_event(skb, &session->event[i], &session->reg[i]))
			return -EMSGSIZE;
	return 0;
}

size_t pmuctl_reply_plan_size(void)
{
	size_t event = nla_total_size(0) + 2 * nla_total_size(sizeof(u32)) +
		       nla_total_size_64bit(sizeof(struct pmuctl_reg));

	return nla_total_size(sizeof(u32)) + PMUCTL_EVENTS_MAX * event;
}

int pmuctl_reply_session(struct sk_buff *skb,
			 const struct pmuctl_session *session)
{
	if (nla_put_u32(skb, PMUCTL_A_SESSION_ID, session->id) ||
	    nla_put_u64_64bit(skb, PMUCTL_A_SESSION_FLAGS, session->flags,
			      PMUCTL_A_SESSION_PAD) ||
	    nla_put_u64_64bit(skb, PMUCTL_A_SESSION_COUNTERS,
			      session->counters, PMUCTL_A_SESSION_PAD) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_OWNER_PID,
			pid_vnr(session->pid)) ||
	    nla_put_string(skb, PMUCTL_A_SESSION_OWNER_COMM, session->comm) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_RUNNING, session->running))
		return -EMSGSIZE;
	return 0;
}
