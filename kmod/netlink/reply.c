// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module answers, as netlink messages.
 */
#include <linux/cred.h>
#include <linux/uidgid.h>
#include <net/sock.h>

#include "kmod/access/limits.h"
#include "kmod/access/privilege.h"
#include "kmod/features/features.h"
#include "kmod/hold/pebs_hold.h"
#include "kmod/hold/reserve.h"
#include "kmod/netlink/reply.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/owner.h"
#include "kmod/state/meter.h"

#define FEATURES	(PMUCTL_FEATURE_TASK | PMUCTL_FEATURE_CPU |	\
			 PMUCTL_FEATURE_INHERIT | PMUCTL_FEATURE_EXEC |	\
			 PMUCTL_FEATURE_DRY_RUN | PMUCTL_FEATURE_SETS |	\
			 PMUCTL_FEATURE_RESET | PMUCTL_FEATURE_EXTRA |	\
			 PMUCTL_FEATURE_FD | PMUCTL_FEATURE_SAMPLE |	\
			 PMUCTL_FEATURE_END | PMUCTL_FEATURE_CGROUP |	\
			 PMUCTL_FEATURE_SELF | PMUCTL_FEATURE_COUNTS)

static int put_info64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, PMUCTL_A_INFO_PAD);
}

/* What cores of several kinds differ in. */
static int put_kind_facts(struct sk_buff *skb, u32 kind)
{
	const struct pmuctl_caps *caps = pmuctl_kind_caps(kind);

	if (put_info64(skb, PMUCTL_A_INFO_COUNTERS, caps->counters) ||
	    put_info64(skb, PMUCTL_A_INFO_COUNTERS_USED,
		       pmuctl_counters_used(kind)) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_ARCH_EVENTS, caps->arch_events) ||
	    put_info64(skb, PMUCTL_A_INFO_CAPABILITIES, caps->capabilities) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_ARCH_ONLY, caps->arch_only) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_ANY, caps->any) ||
	    put_info64(skb, PMUCTL_A_INFO_ERRATA, caps->errata) ||
	    put_info64(skb, PMUCTL_A_INFO_ERRATA_OPEN, caps->errata_open))
		return -EMSGSIZE;
	return 0;
}

static int put_facts(struct sk_buff *skb)
{
	const struct pmuctl_caps *caps = &pmuctl_caps;

	if (nla_put_string(skb, PMUCTL_A_INFO_BACKEND, pmuctl_backend->name) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_SIGNATURE, caps->signature) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_VERSION, caps->version) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_GP_WIDTH, caps->gp_width) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_FIXED_WIDTH, caps->fixed_width))
		return -EMSGSIZE;
	return put_kind_facts(skb, 0);
}

static size_t cpus_size(const struct pmuctl_kind *kind)
{
	return cpumask_weight(&kind->cpus) * sizeof(u32);
}

static int put_kind(struct sk_buff *skb, u32 kind)
{
	const struct pmuctl_kind *is = &pmuctl_kinds[kind];
	struct nlattr *nest = nla_nest_start(skb, PMUCTL_A_INFO_KIND);
	struct nlattr *attr;
	unsigned int cpu;
	u32 *at;

	if (!nest || nla_put_u32(skb, PMUCTL_A_INFO_CORE, is->caps.core))
		return -EMSGSIZE;
	attr = nla_reserve(skb, PMUCTL_A_INFO_CPUS, cpus_size(is));
	if (!attr)
		return -EMSGSIZE;
	at = nla_data(attr);
	for_each_cpu(cpu, &is->cpus)
		*at++ = cpu;
	if (put_kind_facts(skb, kind) ||
	    put_info64(skb, PMUCTL_A_INFO_FEATURES,
		       is->caps.has_retire ? PMUCTL_FEATURE_RETIRE : 0))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_kinds(struct sk_buff *skb)
{
	u32 kind;

	if (pmuctl_nr_kinds == 1)
		return 0;
	for (kind = 0; kind < pmuctl_nr_kinds; kind++)
		if (put_kind(skb, kind))
			return -EMSGSIZE;
	return 0;
}

/* How wide the words of a record are is nobody else's matter. */
static u32 pebs_format(void)
{
	if (pmuctl_caps.pebs_format == PEBS_FORMAT_P4_NARROW)
		return PMUCTL_PEBS_FORMAT_P4;
	return pmuctl_caps.pebs_format;
}

/* What is there is put; what is not is left out. */
static int put_pebs(struct sk_buff *skb)
{
	const char *refusal = pmuctl_caps.has_pebs ? pmuctl_pebs_refusal() :
						     pmuctl_caps.pebs_refusal;

	if (nla_put_u32(skb, PMUCTL_A_INFO_LBR_DEPTH, pmuctl_caps.lbr_depth))
		return -EMSGSIZE;
	if (refusal && nla_put_string(skb, PMUCTL_A_INFO_PEBS_REFUSAL, refusal))
		return -EMSGSIZE;
	if (!pmuctl_caps.has_pebs)
		return 0;
	return nla_put_u32(skb, PMUCTL_A_INFO_PEBS_FORMAT, pebs_format());
}

static int put_limits(struct sk_buff *skb)
{
	if (nla_put_u32(skb, PMUCTL_A_INFO_UNPRIVILEGED,
			pmuctl_unprivileged()) ||
	    put_info64(skb, PMUCTL_A_INFO_INTERVAL, PMUCTL_INTERVAL) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_SESSIONS_MAX,
			pmuctl_limit(PMUCTL_LIMIT_SESSIONS)) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_EVENTS_MAX,
			pmuctl_limit(PMUCTL_LIMIT_EVENTS)) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_TASKS_MAX,
			pmuctl_limit(PMUCTL_LIMIT_TASKS)) ||
	    put_info64(skb, PMUCTL_A_INFO_MEMORY_MAX,
		       pmuctl_limit(PMUCTL_LIMIT_MEMORY)) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_RATE_MAX, pmuctl_max_sample_rate()))
		return -EMSGSIZE;
	return 0;
}

/* Beside what is a few hundred bytes on any machine: the CPUs of each kind. */
size_t pmuctl_reply_info_size(void)
{
	size_t size = NLMSG_DEFAULT_SIZE;
	u32 kind;

	for (kind = 0; pmuctl_nr_kinds > 1 && kind < pmuctl_nr_kinds; kind++)
		size += nla_total_size(cpus_size(&pmuctl_kinds[kind]));
	return size;
}

int pmuctl_reply_info(struct sk_buff *skb)
{
	u64 features = FEATURES;

	if (!pmuctl_interrupts())
		features &= ~(PMUCTL_FEATURE_SAMPLE |
			      PMUCTL_FEATURE_COUNTS);
	if (pmuctl_nr_kinds > 1)
		features |= PMUCTL_FEATURE_KINDS;
	if (pmuctl_caps.has_pebs)
		features |= PMUCTL_FEATURE_PEBS;
	if (pmuctl_caps.cascade)
		features |= PMUCTL_FEATURE_CASCADE;
	if (pmuctl_caps.counters & PMUCTL_METRICS)
		features |= PMUCTL_FEATURE_METRICS;
	if (pmuctl_caps.has_retire)
		features |= PMUCTL_FEATURE_RETIRE;
	if (pmuctl_features_on())
		features |= PMUCTL_FEATURE_SWITCH | PMUCTL_FEATURE_SWITCH_TASK;
	if (nla_put_u32(skb, PMUCTL_A_INFO_ABI, PMUCTL_ABI) ||
	    put_info64(skb, PMUCTL_A_INFO_FEATURES, features) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_STATE, pmuctl_pmu_state()) ||
	    nla_put_u32(skb, PMUCTL_A_INFO_SESSIONS, pmuctl_sessions()) ||
	    put_facts(skb) || put_kinds(skb) || put_pebs(skb))
		return -EMSGSIZE;
	return put_limits(skb);
}

/* A copy is encoded: a CPU may be programming the event itself by now. */
static int put_event(struct sk_buff *skb, struct pmuctl_event event)
{
	struct pmuctl_reg regs[PMUCTL_OWN_REGS_MAX + PMUCTL_EXTRA_MAX];
	unsigned int own = pmuctl_own_regs();
	struct nlattr *nest = nla_nest_start(skb, PMUCTL_A_SESSION_EVENT);

	pmuctl_backend->encode(&event, regs);
	memcpy(&regs[own], event.extra, event.nr_extra * sizeof(regs[0]));
	if (!nest ||
	    nla_put_u32(skb, PMUCTL_A_EVENT_COUNTER, event.counter) ||
	    nla_put_64bit(skb, PMUCTL_A_EVENT_REGS,
			  (own + event.nr_extra) * sizeof(regs[0]), regs,
			  PMUCTL_A_EVENT_PAD) ||
	    nla_put_u32(skb, PMUCTL_A_EVENT_SET, event.set))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static const struct pmuctl_event *event_at(const struct pmuctl_session *session,
					   unsigned int place)
{
	const struct pmuctl_event *event = session->event;

	while (event->place != place)
		event++;
	return event;
}

int pmuctl_reply_plan(struct sk_buff *skb, const struct pmuctl_session *session)
{
	unsigned int i;

	if (nla_put_u32(skb, PMUCTL_A_SESSION_ID, session->id))
		return -EMSGSIZE;
	for (i = 0; i < session->nr_events; i++)
		if (put_event(skb, *event_at(session, i)))
			return -EMSGSIZE;
	return 0;
}

size_t pmuctl_reply_plan_size(const struct pmuctl_session *session)
{
	size_t regs = (PMUCTL_OWN_REGS_MAX + PMUCTL_EXTRA_MAX) *
		      sizeof(struct pmuctl_reg);
	size_t event = nla_total_size(0) + 2 * nla_total_size(sizeof(u32)) +
		       nla_total_size_64bit(regs);

	/* The ID, and perhaps a descriptor. */
	return 2 * nla_total_size(sizeof(u32)) + session->nr_events * event;
}

#define CGROUP_PATH_MAX	512

static int put_cgroup(struct sk_buff *skb, const struct pmuctl_session *session)
{
	char *path = kmalloc(CGROUP_PATH_MAX, GFP_KERNEL);
	int err = 0;

	if (path && !pmuctl_cgroup_path(session, path, CGROUP_PATH_MAX))
		err = nla_put_string(skb, PMUCTL_A_SESSION_CGROUP_PATH, path);
	kfree(path);
	return err;
}

/* The CPUs that it counts, or how many tasks it follows now, and why. */
static int put_targets(struct sk_buff *skb,
		       const struct pmuctl_session *session)
{
	unsigned int cpu;

	if (session->cgroup && put_cgroup(skb, session))
		return -EMSGSIZE;
	if (session->on_task)
		return nla_put_u32(skb, PMUCTL_A_SESSION_TASKS,
				   READ_ONCE(session->nr_links));
	for_each_cpu(cpu, session->cpus)
		if (nla_put_u32(skb, PMUCTL_A_SESSION_CPU, cpu))
			return -EMSGSIZE;
	return 0;
}

int pmuctl_reply_session(struct sk_buff *skb,
			 const struct pmuctl_session *session)
{
	if (pmuctl_nr_kinds > 1 &&
	    nla_put_u32(skb, PMUCTL_A_SESSION_KIND, session->kind))
		return -EMSGSIZE;
	if (nla_put_u32(skb, PMUCTL_A_SESSION_ID, session->id) ||
	    nla_put_u64_64bit(skb, PMUCTL_A_SESSION_FLAGS, session->flags,
			      PMUCTL_A_SESSION_PAD) ||
	    nla_put_u64_64bit(skb, PMUCTL_A_SESSION_COUNTERS,
			      session->counters, PMUCTL_A_SESSION_PAD) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_OWNER_PID,
			pmuctl_owner_pid(session)) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_OWNER_UID,
			from_kuid_munged(current_user_ns(), session->uid)) ||
	    nla_put_u64_64bit(skb, PMUCTL_A_SESSION_INODE,
			      sock_i_ino(session->owner.sk),
			      PMUCTL_A_SESSION_PAD) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_PRIVILEGED,
			session->privileged) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_LOST, session->lost) ||
	    nla_put_string(skb, PMUCTL_A_SESSION_OWNER_COMM, session->comm) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_RUNNING, session->running) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_EVENTS, session->nr_events) ||
	    nla_put_u32(skb, PMUCTL_A_SESSION_SETS,
			session->nr_sets - session->gated))
		return -EMSGSIZE;
	return put_targets(skb, session);
}
