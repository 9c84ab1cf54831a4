// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the attributes of a SESSION_NEW to a plan, every bit checked.
 */
#include <linux/cpumask.h>
#include <linux/pid.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "request.h"

#define SESSION_FLAGS_ALL	(PMUCTL_SESSION_INHERIT |	\
				 PMUCTL_SESSION_ON_EXEC |	\
				 PMUCTL_SESSION_DRY_RUN)
#define EVENT_FLAGS_ALL		(PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)
#define TARGETS_MAX		1024

const struct nla_policy pmuctl_event_policy[PMUCTL_A_EVENT_MAX + 1] = {
	[PMUCTL_A_EVENT_FLAGS] = { .type = NLA_U64 },
	[PMUCTL_A_EVENT_REGS] = { .type = NLA_BINARY },
	[PMUCTL_A_EVENT_COUNTERS] = { .type = NLA_U64 },
	[PMUCTL_A_EVENT_SET] = { .type = NLA_U32 },
	[PMUCTL_A_EVENT_GROUP] = { .type = NLA_U32 },
};

/* --- one event --- */

static int parse_event_flags(struct pmuctl_event *event, struct nlattr **attrs,
			     const struct nlattr *nest,
			     const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_FLAGS];
	u64 flags = attr ? nla_get_u64(attr) : 0;

	if (flags & ~(u64)EVENT_FLAGS_ALL)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event flags 0x%llx: this module knows 0x%x (user, kernel) only",
				       flags, EVENT_FLAGS_ALL);
	if (!flags)
		return pmuctl_why_attr(why, attr ? attr : nest, -EINVAL,
				       "event flags: neither user nor kernel is set, so nothing would be counted; set at least one");
	event->flags = flags;
	return 0;
}

static int parse_event_regs(struct pmuctl_event *event, struct nlattr **attrs,
			    const struct nlattr *nest,
			    const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_REGS];
	struct pmuctl_reg reg;

	if (!attr || nla_len(attr) != sizeof(reg))
		return pmuctl_why_attr(why, attr ? attr : nest, -EINVAL,
				       "event registers: %d bytes given, exactly one struct pmuctl_reg (%zu bytes) is needed",
				       attr ? nla_len(attr) : 0, sizeof(reg));
	nla_memcpy(&reg, attr, sizeof(reg));
	if (reg.reg != PMUCTL_REG_EVTSEL || reg.index)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event register %u, index %u: only the event select (%u, index 0) may be given",
				       reg.reg, reg.index, PMUCTL_REG_EVTSEL);
	event->evtsel = reg.value;
	return 0;
}

static int parse_event_counters(struct pmuctl_event *event,
				struct nlattr **attrs,
				const struct nlattr *nest,
				const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_COUNTERS];
	u64 counters = attr ? nla_get_u64(attr) : 0;

	if (!counters)
		return pmuctl_why_attr(why, attr ? attr : nest, -EINVAL,
				       "event counters: the mask is empty; name those it may use, of 0x%llx",
				       pmuctl_caps.counters);
	if (counters & ~pmuctl_caps.counters)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event counters 0x%llx: this PMU has 0x%llx, not 0x%llx",
				       counters, pmuctl_caps.counters,
				       counters & ~pmuctl_caps.counters);
	event->allowed = counters;
	return 0;
}

static int parse_event_set(struct pmuctl_event *event, struct nlattr **attrs,
			   const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_SET];

	event->set = attr ? nla_get_u32(attr) : 0;
	if (event->set)
		return pmuctl_why_attr(why, attr, -EOPNOTSUPP,
				       "event set %u: this version counts one set, 0; use a session for each set",
				       event->set);
	attr = attrs[PMUCTL_A_EVENT_GROUP];
	event->group = attr ? nla_get_u32(attr) : 0;
	return 0;
}

static int parse_event(struct pmuctl_event *event, const struct nlattr *nest,
		       struct netlink_ext_ack *extack,
		       const struct pmuctl_why *why)
{
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1];
	int err;

	/* Says itself what is wrong with the nest. */
	err = nla_parse_nested(attrs, PMUCTL_A_EVENT_MAX, nest,
			       pmuctl_event_policy, extack);
	if (!err)
		err = parse_event_flags(event, attrs, nest, why);
	if (!err)
		err = parse_event_regs(event, attrs, nest, why);
	if (!err)
		err = parse_event_counters(event, attrs, nest, why);
	if (!err)
		err = parse_event_set(event, attrs, why);
	if (err)
		return err;
	NL_SET_BAD_ATTR(extack, attrs[PMUCTL_A_EVENT_REGS]);
	return pmuctl_backend->validate(event, why);
}

static int add_event(struct pmuctl_plan *plan, const struct nlattr *attr,
		     struct genl_info *info, const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	unsigned int most = hweight64(pmuctl_caps.counters);

	if (session->nr_events >= most)
		return pmuctl_why_attr(why, attr, -E2BIG,
				       "more than %u events: the PMU has %u counters, and all events of a session count at the same time; ask for fewer",
				       most, most);
	return parse_event(&session->event[session->nr_events++], attr,
			   info->extack, why);
}

/* --- targets --- */

static int name_cpu(struct pmuctl_plan *plan, const struct nlattr *attr,
		   const struct pmuctl_why *why)
{
	u32 cpu = nla_get_u32(attr);

	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return pmuctl_why_attr(why, attr, -ENODEV,
				       "CPU %u is not online: online are %*pbl",
				       cpu, cpumask_pr_args(cpu_online_mask));
	if (cpumask_test_and_set_cpu(cpu, plan->session->cpus))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "CPU %u is given twice: give it once",
				       cpu);
	return 0;
}

static int check_task(const struct pmuctl_target *target, u32 nr,
		      const struct pmuctl_why *why)
{
	const char *what = target->process ? "process" : "thread";
	struct task_struct *task;
	unsigned int flags;

	task = get_pid_task(target->pid, target->process ? PIDTYPE_TGID :
							   PIDTYPE_PID);
	if (!task)
		return pmuctl_why_attr(why, target->attr, -ESRCH,
				       "there is no %s %u in this PID namespace%s",
				       what, nr, target->process ?
				       " (a thread is named by TID)" : "");
	flags = READ_ONCE(task->flags);
	put_task_struct(task);
	if (flags & PF_KTHREAD)
		return pmuctl_why_attr(why, target->attr, -EINVAL,
				       "%s %u is a kernel thread: count the CPUs that it runs on",
				       what, nr);
	return 0;
}

static int name_task(struct pmuctl_plan *plan, const struct nlattr *attr,
		    const struct pmuctl_why *why)
{
	struct pmuctl_target *target = &plan->target[plan->nr_targets];
	u32 nr = nla_get_u32(attr);

	target->pid = nr && nr <= INT_MAX ? find_get_pid(nr) : NULL;
	target->process = nla_type(attr) == PMUCTL_A_SESSION_PID;
	target->attr = attr;
	if (!target->pid)
		return pmuctl_why_attr(why, attr, -ESRCH,
				       "there is no task %u in this PID namespace",
				       nr);
	plan->nr_targets++;
	return check_task(target, nr, why);
}

/* --- the whole --- */

#define for_each_request_attr(attr, info, rem)				\
	nla_for_each_attr(attr, genlmsg_data((info)->genlhdr),		\
			  genlmsg_len((info)->genlhdr), rem)

static unsigned int count_attrs(struct genl_info *info, int type)
{
	const struct nlattr *attr;
	unsigned int n = 0;
	int rem;

	for_each_request_attr(attr, info, rem)
		n += nla_type(attr) == type;
	return n;
}

static int one_kind(struct pmuctl_plan *plan, struct genl_info *info,
		    const struct pmuctl_why *why)
{
	unsigned int pids = count_attrs(info, PMUCTL_A_SESSION_PID);
	unsigned int tids = count_attrs(info, PMUCTL_A_SESSION_TID);
	unsigned int cpus = count_attrs(info, PMUCTL_A_SESSION_CPU);

	if (!pids && !tids && !cpus)
		return pmuctl_why(why, -EINVAL,
				  "nothing to count: name processes (PID), threads (TID) or CPUs");
	if (!!pids + !!tids + !!cpus > 1)
		return pmuctl_why(why, -EINVAL,
				  "%u processes, %u threads and %u CPUs: a session counts one kind; use several sessions",
				  pids, tids, cpus);
	if (pids + tids > TARGETS_MAX)
		return pmuctl_why(why, -E2BIG,
				  "%u tasks are named, %u may be: use several sessions",
				  pids + tids, TARGETS_MAX);
	plan->session->on_task = !cpus;
	plan->target = kvcalloc(pids + tids, sizeof(*plan->target),
				GFP_KERNEL);
	if (!plan->target)
		return pmuctl_why(why, -ENOMEM, "no memory for %u targets",
				  pids + tids);
	return 0;
}

static int parse_flags(struct pmuctl_plan *plan, struct genl_info *info,
		       const struct pmuctl_why *why)
{
	const struct nlattr *attr = info->attrs[PMUCTL_A_SESSION_FLAGS];
	u64 flags = attr ? nla_get_u64(attr) : 0;

	if (flags & ~(u64)SESSION_FLAGS_ALL)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session flags 0x%llx: this module knows 0x%x only",
				       flags, SESSION_FLAGS_ALL);
	if (!plan->session->on_task &&
	    flags & (PMUCTL_SESSION_INHERIT | PMUCTL_SESSION_ON_EXEC))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session flags 0x%llx: CPUs neither fork nor exec; leave inherit and on-exec out",
				       flags);
	plan->session->flags = flags;
	return 0;
}

static int parse_lists(struct pmuctl_plan *plan, struct genl_info *info,
		       const struct pmuctl_why *why)
{
	const struct nlattr *attr;
	int rem, err = 0;

	for_each_request_attr(attr, info, rem) {
		switch (nla_type(attr)) {
		case PMUCTL_A_SESSION_PID:
		case PMUCTL_A_SESSION_TID:
			err = name_task(plan, attr, why);
			break;
		case PMUCTL_A_SESSION_CPU:
			err = name_cpu(plan, attr, why);
			break;
		case PMUCTL_A_SESSION_EVENT:
			err = add_event(plan, attr, info, why);
			break;
		}
		if (err)
			return err;
	}
	if (!plan->session->nr_events)
		return pmuctl_why(why, -EINVAL,
				  "no event is given: name at least one");
	NL_SET_BAD_ATTR(info->extack, NULL);
	return 0;
}

int pmuctl_request_parse(struct pmuctl_plan *plan, struct genl_info *info,
			 const struct pmuctl_why *why)
{
	int err;

	plan->session = pmuctl_session_alloc();
	if (!plan->session)
		return pmuctl_why(why, -ENOMEM, "no memory for a session");
	err = one_kind(plan, info, why);
	if (!err)
		err = parse_flags(plan, info, why);
	if (!err)
		err = parse_lists(plan, info, why);
	return err;
}

void pmuctl_request_release(struct pmuctl_plan *plan)
{
	while (plan->nr_targets)
		put_pid(plan->target[--plan->nr_targets].pid);
	kvfree(plan->target);
	if (plan->session)
		pmuctl_session_free(plan->session);
}
