// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the attributes of a SESSION_NEW to a plan, every bit checked.
 */
#include <linux/cpumask.h>
#include <linux/pid.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "kmod/access/privilege.h"
#include "kmod/base/counters_text.h"
#include "kmod/cpu/metrics.h"
#include "kmod/netlink/attrs.h"
#include "kmod/netlink/request.h"
#include "kmod/netlink/request_sample.h"
#include "kmod/pmu/kinds.h"
#include "kmod/session/cgroup.h"
#include "kmod/state/cpu.h"
#include "kmod/uapi/pmuctl-self.h"

#define SESSION_FLAGS_ALL	(PMUCTL_SESSION_INHERIT |	\
				 PMUCTL_SESSION_ON_EXEC |	\
				 PMUCTL_SESSION_DRY_RUN |	\
				 PMUCTL_SESSION_FD |		\
				 PMUCTL_SESSION_SELF)
#define EVENT_FLAGS_ALL		(PMUCTL_EVENT_USER |		\
				 PMUCTL_EVENT_KERNEL |		\
				 PMUCTL_EVENT_PINNED)
#define TARGETS_MAX		1024

/* --- one event --- */

static int parse_event_flags(struct pmuctl_event *event, struct nlattr **attrs,
			     const struct nlattr *nest,
			     const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_FLAGS];
	u64 flags = attr ? nla_get_u64(attr) : 0;

	if (flags & ~(u64)EVENT_FLAGS_ALL)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event flags 0x%llx: this module knows 0x%x (user, kernel, pinned) only",
				       flags, EVENT_FLAGS_ALL);
	if (!(flags & (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)))
		return pmuctl_why_attr(why, attr ? attr : nest, -EINVAL,
				       "event flags: neither user nor kernel is set, so nothing would be counted; set at least one");
	event->flags = flags;
	return 0;
}

/* Its counter follows from the field, and nothing else can be said of it. */
static int parse_metric(struct pmuctl_event *event, const struct nlattr *attr,
			const struct pmuctl_why *why)
{
	struct pmuctl_reg reg;

	memcpy(&reg, nla_data(attr), sizeof(reg));
	if (nla_len(attr) > sizeof(reg) || reg.value)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event registers: a field of PERF_METRICS (register %u) is an event by itself, with the value 0; leave other registers out",
				       PMUCTL_REG_METRIC);
	return pmuctl_metrics_field(event, reg.index, attr, why);
}

/* The backend knows which registers there are beside the event's own. */
static int parse_extra_regs(struct pmuctl_event *event,
			    const struct nlattr *attr,
			    const struct pmuctl_why *why)
{
	const struct pmuctl_reg *a, *b;
	unsigned int own = pmuctl_own_regs();

	event->nr_extra = nla_len(attr) / sizeof(*a) - own;
	event->again = event->nr_extra;
	memcpy(event->extra, nla_data(attr) + own * sizeof(*a),
	       event->nr_extra * sizeof(*a));
	for (a = event->extra; a < event->extra + event->nr_extra; a++)
		for (b = event->extra; b < a; b++)
			if (a->reg == b->reg && a->index == b->index)
				return pmuctl_why_attr(why, attr, -EINVAL,
						       "event register %u, index %u, is given twice: give it once",
						       a->reg, a->index);
	return 0;
}

static u32 first_reg(void)
{
	return pmuctl_backend->first_reg ?: PMUCTL_REG_EVTSEL;
}

static int parse_event_regs(struct pmuctl_event *event, struct nlattr **attrs,
			    const struct nlattr *nest,
			    const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_REGS];
	unsigned int len = attr ? nla_len(attr) : 0, own = pmuctl_own_regs();
	struct pmuctl_reg reg[PMUCTL_OWN_REGS_MAX];

	if (len < own * sizeof(*reg) || len % sizeof(*reg) ||
	    len > (own + PMUCTL_EXTRA_MAX) * sizeof(*reg))
		return pmuctl_why_attr(why, attr ? attr : nest, -EINVAL,
				       "event registers: %u bytes given; it takes the event select%s and up to %u registers beside it, each a struct pmuctl_reg (%zu bytes)",
				       len, own > 1 ? " (ESCR), the CCCR" : "",
				       PMUCTL_EXTRA_MAX, sizeof(*reg));
	memcpy(reg, nla_data(attr), own * sizeof(*reg));
	if (reg[0].reg == PMUCTL_REG_METRIC)
		return parse_metric(event, attr, why);
	if (reg[0].reg != first_reg() || reg[0].index)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event register %u, index %u: the event select (%u, index 0) comes first",
				       reg[0].reg, reg[0].index, first_reg());
	if (own > 1 && (reg[1].reg != pmuctl_backend->second_reg ||
			reg[1].index))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event register %u, index %u: the CCCR (%u, index 0) comes second",
				       reg[1].reg, reg[1].index,
				       pmuctl_backend->second_reg);
	event->evtsel = reg[0].value;
	event->cccr = own > 1 ? reg[1].value : 0;
	return parse_extra_regs(event, attr, why);
}

static int parse_event_counters(struct pmuctl_event *event,
				struct nlattr **attrs,
				const struct nlattr *nest,
				const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_COUNTERS];
	u64 counters = attr ? nla_get_u64(attr) : 0;
	u64 there = pmuctl_caps_of(event)->counters;
	u64 missing = counters & ~there;
	struct pmuctl_text all, others;

	pmuctl_counters_text(there, &all);
	if (!counters)
		return pmuctl_why_attr(why, attr ? attr : nest, -EINVAL,
				       "event counters: the mask is empty; name those it may use, of %s",
				       all.line);
	if (missing)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event counters 0x%llx: this PMU has %s, not %s",
				       counters, all.line,
				       pmuctl_counters_text(missing, &others));
	if (event->metric ? counters != BIT_ULL(event->counter) :
			    counters & PMUCTL_METRICS)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event counters 0x%llx: bits from %u on are fields of PERF_METRICS, of which an event with register %u has its own and no other counter",
				       counters, PMUCTL_METRIC_BASE,
				       PMUCTL_REG_METRIC);
	event->allowed = counters;
	return 0;
}

static int parse_event_set(struct pmuctl_event *event, struct nlattr **attrs,
			   const struct pmuctl_why *why)
{
	const struct nlattr *attr = attrs[PMUCTL_A_EVENT_SET];

	event->set = attr ? nla_get_u32(attr) : 0;
	if (event->set >= PMUCTL_SETS_MAX)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event set %u: sets are numbered from 0 to %u",
				       event->set, PMUCTL_SETS_MAX - 1);
	attr = attrs[PMUCTL_A_EVENT_GROUP];
	event->group = attr ? nla_get_u32(attr) : PMUCTL_NO_GROUP;
	if (attr && event->group == PMUCTL_NO_GROUP)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "event group %u: groups are numbered below that",
				       event->group);
	return 0;
}

static int parse_event_cascade(struct pmuctl_event *event,
			       struct nlattr **attrs,
			       const struct pmuctl_why *why)
{
	const struct nlattr *after = attrs[PMUCTL_A_EVENT_AFTER];
	const struct nlattr *cascade = attrs[PMUCTL_A_EVENT_CASCADE];

	event->after = after ? nla_get_u64(after) : 0;
	event->cascaded = cascade;
	event->cascade = cascade ? nla_get_u32(cascade) : 0;
	if (after && !event->after)
		return pmuctl_why_attr(why, after, -ERANGE,
				       "event after 0: the first event that it can be is number 1");
	if ((!after && !cascade) || pmuctl_caps.cascade)
		return 0;
	return pmuctl_why_attr(why, after ?: cascade, -EOPNOTSUPP,
			       "event cascade: no counter of this PMU starts another");
}

/* Not on the stack beside the session's attributes. */
static noinline_for_stack int parse_event(struct pmuctl_session *session,
					  struct pmuctl_event *event,
					  const struct nlattr *nest,
					  struct netlink_ext_ack *extack,
					  const struct pmuctl_why *why)
{
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1];
	int err;

	err = pmuctl_attrs_parse(&pmuctl_event_rules, nla_data(nest),
				 nla_len(nest), attrs, why);
	if (!err)
		err = parse_event_flags(event, attrs, nest, why);
	if (!err)
		err = parse_event_regs(event, attrs, nest, why);
	if (!err)
		err = parse_event_counters(event, attrs, nest, why);
	if (!err)
		err = parse_event_set(event, attrs, why);
	if (!err)
		err = parse_event_cascade(event, attrs, why);
	if (!err)
		err = pmuctl_request_event(session, event, attrs, why);
	if (err)
		return err;
	NL_SET_BAD_ATTR(extack, attrs[PMUCTL_A_EVENT_REGS]);
	if (event->metric)
		return pmuctl_metrics_validate(event, why);
	return pmuctl_backend->validate(event, why);
}

/* What the event itself may be; whose tasks are looked at one by one. */
static int may_count(const struct pmuctl_session *session,
		     const struct pmuctl_event *event,
		     const struct nlattr *attr, const struct pmuctl_why *why)
{
	int err = pmuctl_locked_down(event, attr, why);

	if (err || session->privileged)
		return err;
	return pmuctl_may_count_event(event, attr, why);
}

static int add_event(struct pmuctl_plan *plan, const struct nlattr *attr,
		     struct genl_info *info, const struct pmuctl_why *why)
{
	struct pmuctl_session *session = plan->session;
	struct pmuctl_event *event = &session->event[session->nr_events];

	int err;

	event->caps = session->caps;
	event->place = session->nr_events++;
	err = parse_event(session, event, attr, info->extack, why);
	return err ? err : may_count(session, event, attr, why);
}

/* --- targets --- */

int pmuctl_request_cpu(struct cpumask *cpus, const struct nlattr *attr,
		       const struct pmuctl_why *why)
{
	u32 cpu = nla_get_u32(attr);

	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return pmuctl_why_attr(why, attr, -ENODEV,
				       "CPU %u is not online: online are %*pbl",
				       cpu, cpumask_pr_args(cpu_online_mask));
	if (per_cpu_ptr(pmuctl_cpus, cpu)->unlike)
		return pmuctl_why_attr(why, attr, -ENODEV,
				       "CPU %u is not counted on: %s; leave it out",
				       cpu,
				       per_cpu_ptr(pmuctl_cpus, cpu)->unlike);
	if (cpumask_test_and_set_cpu(cpu, cpus))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "CPU %u is given twice: give it once",
				       cpu);
	return 0;
}

static int check_task(const struct pmuctl_session *session,
		      const struct pmuctl_target *target, u32 nr,
		      const struct pmuctl_why *why)
{
	const char *what = target->process ? "process" : "thread";
	struct task_struct *task;
	int err = 0;

	task = get_pid_task(target->pid, target->process ? PIDTYPE_TGID :
							   PIDTYPE_PID);
	if (!task)
		return pmuctl_why_attr(why, target->attr, -ESRCH,
				       "there is no %s %u in this PID namespace%s",
				       what, nr, target->process ?
				       " (a thread is named by TID)" : "");
	if (READ_ONCE(task->flags) & PF_KTHREAD)
		err = pmuctl_why_attr(why, target->attr, -EINVAL,
				      "%s %u is a kernel thread: count the CPUs that it runs on",
				      what, nr);
	else if (!session->privileged)
		err = pmuctl_may_count_task(task, target->attr, why);
	put_task_struct(task);
	return err;
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
	return check_task(plan->session, target, nr, why);
}

/* --- the kind of cores --- */

static int check_kind_of_cpu(const struct pmuctl_session *session,
			     const struct nlattr *attr,
			     const struct pmuctl_why *why)
{
	const struct pmuctl_caps *wanted = pmuctl_session_caps(session);
	u32 cpu = nla_get_u32(attr), kind = per_cpu(pmuctl_kind_of_cpu, cpu);

	if (kind == session->kind)
		return 0;
	return pmuctl_why_attr(why, attr, -EINVAL,
			       "CPU %u is of kind %u (%s), and the session is for kind %u (%s): make one session a kind",
			       cpu, kind,
			       pmuctl_core_name(pmuctl_kind_caps(kind)->core),
			       session->kind, pmuctl_core_name(wanted->core));
}

/* "0: big, CPUs 0-3; 1: small, CPUs 4-7" */
static const char *kinds_text(char *line, size_t size)
{
	const struct pmuctl_kind *kind = pmuctl_kinds;
	size_t used = 0;

	for (; kind < pmuctl_kinds + pmuctl_nr_kinds; kind++)
		used += scnprintf(line + used, size - used,
				  "%s%td: %s, CPUs %*pbl", used ? "; " : "",
				  kind - pmuctl_kinds,
				  pmuctl_core_name(kind->caps.core),
				  cpumask_pr_args(&kind->cpus));
	return line;
}

static int check_kind(u32 kind, const struct nlattr *attr,
		      const struct pmuctl_why *why)
{
	char line[128];

	if (kind < pmuctl_nr_kinds)
		return 0;
	if (pmuctl_nr_kinds == 1)
		return pmuctl_why_attr(why, attr, -ERANGE,
				       "session kind %u: the cores of this machine are of one kind, 0",
				       kind);
	return pmuctl_why_attr(why, attr, -ERANGE,
			       "session kind %u: cores are of kinds 0 to %u (%s)",
			       kind, pmuctl_nr_kinds - 1,
			       kinds_text(line, sizeof(line)));
}

static int no_kind(const struct pmuctl_why *why)
{
	char line[128];

	return pmuctl_why(why, -EINVAL,
			  "cores are of several kinds (%s): name which one the session is for (PMUCTL_A_SESSION_KIND), and make one session a kind",
			  kinds_text(line, sizeof(line)));
}

/* Before events: what those can be is the kind's to say. */
static int parse_kind(struct pmuctl_session *session, const struct nlattr *attr,
		      const struct nlattr *cpu, const struct pmuctl_why *why)
{
	int err;

	if (attr) {
		session->kind = nla_get_u32(attr);
		err = check_kind(session->kind, attr, why);
		if (err)
			return err;
	} else if (pmuctl_nr_kinds > 1) {
		if (session->on_task)
			return no_kind(why);
		err = pmuctl_request_cpu(session->cpus, cpu, why);
		if (err)
			return err;
		cpumask_clear(session->cpus);
		session->kind = per_cpu(pmuctl_kind_of_cpu, nla_get_u32(cpu));
	}
	if (pmuctl_nr_kinds > 1)
		session->caps = pmuctl_kind_caps(session->kind);
	return 0;
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

static const struct nlattr *first_cpu(struct genl_info *info)
{
	const struct nlattr *attr;
	int rem;

	for_each_request_attr(attr, info, rem)
		if (nla_type(attr) == PMUCTL_A_SESSION_CPU)
			return attr;
	return NULL;
}

static int one_kind(struct pmuctl_plan *plan, struct genl_info *info,
		    const struct pmuctl_why *why)
{
	unsigned int pids = count_attrs(info, PMUCTL_A_SESSION_PID);
	unsigned int tids = count_attrs(info, PMUCTL_A_SESSION_TID);
	unsigned int cpus = count_attrs(info, PMUCTL_A_SESSION_CPU);
	unsigned int groups = count_attrs(info, PMUCTL_A_SESSION_CGROUP);

	if (!pids && !tids && !cpus && !groups)
		return pmuctl_why(why, -EINVAL,
				  "nothing to count: name processes (PID), threads (TID), CPUs or a control group");
	if (!!pids + !!tids + !!cpus + !!groups > 1)
		return pmuctl_why(why, -EINVAL,
				  "%u processes, %u threads, %u CPUs and %u control groups: a session counts one kind; use several sessions",
				  pids, tids, cpus, groups);
	if (pids + tids > TARGETS_MAX)
		return pmuctl_why(why, -E2BIG,
				  "%u tasks are named, %u may be: use several sessions",
				  pids + tids, TARGETS_MAX);
	if (cpus && !plan->session->privileged)
		return pmuctl_why(why, -EACCES,
				  "a CPU runs everybody's programs: CAP_PERFMON is needed to count it; own tasks can be counted without");
	if (groups && !plan->session->privileged)
		return pmuctl_why(why, -EACCES,
				  "a control group has everybody's programs: CAP_PERFMON is needed to count it; own tasks can be counted without");
	plan->session->on_task = !cpus;
	plan->target = kvcalloc(pids + tids, sizeof(*plan->target),
				GFP_KERNEL_ACCOUNT);
	if (!plan->target)
		return pmuctl_why(why, -ENOMEM, "no memory for %u targets",
				  pids + tids);
	return 0;
}

static int alloc_events(struct pmuctl_plan *plan, struct genl_info *info,
			const struct pmuctl_why *why)
{
	unsigned int n = count_attrs(info, PMUCTL_A_SESSION_EVENT);

	if (!n)
		return pmuctl_why(why, -EINVAL,
				  "no event is given: name at least one");
	if (n > PMUCTL_SESSION_EVENTS_MAX)
		return pmuctl_why(why, -E2BIG,
				  "%u events are asked for, a session has %u at most: use several sessions",
				  n, PMUCTL_SESSION_EVENTS_MAX);
	plan->session->event = kvcalloc(n, sizeof(*plan->session->event),
					GFP_KERNEL_ACCOUNT);
	if (!plan->session->event)
		return pmuctl_why(why, -ENOMEM, "no memory for %u events", n);
	return 0;
}

static int parse_interval(struct pmuctl_plan *plan, const struct nlattr *attr,
			  const struct pmuctl_why *why)
{
	u64 ns = attr ? nla_get_u64(attr) : PMUCTL_INTERVAL;

	if (ns < PMUCTL_INTERVAL_MIN || ns > PMUCTL_INTERVAL_MAX)
		return pmuctl_why_attr(why, attr, -ERANGE,
				       "interval %llu ns: a set stays on from %u to %u ns",
				       ns, PMUCTL_INTERVAL_MIN,
				       PMUCTL_INTERVAL_MAX);
	plan->session->interval = ns;
	return 0;
}

static int parse_flags(struct pmuctl_plan *plan, const struct nlattr *attr,
		       const struct pmuctl_why *why)
{
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
	if (plan->session->cgroup &&
	    flags & (PMUCTL_SESSION_INHERIT | PMUCTL_SESSION_ON_EXEC))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session flags 0x%llx: a control group's tasks are followed as they come and go; leave inherit and on-exec out",
				       flags);
	if (flags & PMUCTL_SESSION_DRY_RUN && flags & PMUCTL_SESSION_FD)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session flags 0x%llx: a dry run counts nothing that a descriptor could read; leave one out",
				       flags);
	plan->session->flags = flags;
	return 0;
}

/* --- counting oneself --- */

static int check_self_events(const struct pmuctl_session *session,
			     const struct pmuctl_why *why)
{
	const struct pmuctl_event *event = session->event;

	if (session->nr_events > PMUCTL_SELF_EVENTS_MAX)
		return pmuctl_why(why, -E2BIG,
				  "%u events are asked for, a thread counts itself by %u at most",
				  session->nr_events, PMUCTL_SELF_EVENTS_MAX);
	for (; event < session->event + session->nr_events; event++) {
		if (event->sampled)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "event %u: who counts itself takes no samples; leave its period out",
					  event->place + 1);
		if (event->metric || event->after || event->cascaded)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "event %u: fields of PERF_METRICS, and events that start others, cannot be counted by a thread itself; make another session",
					  event->place + 1);
	}
	return 0;
}

static int check_self(const struct pmuctl_plan *plan, const struct nlattr *attr,
		      const struct pmuctl_why *why)
{
	const struct pmuctl_session *session = plan->session;
	u64 flags = session->flags;

	if (!(flags & PMUCTL_SESSION_SELF))
		return 0;
	if (flags != (PMUCTL_SESSION_SELF | PMUCTL_SESSION_FD))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session flags 0x%llx: who counts itself (0x%x) reads by a descriptor (0x%x), and follows neither fork nor exec",
				       flags, PMUCTL_SESSION_SELF,
				       PMUCTL_SESSION_FD);
	if (!current->mm || plan->nr_targets != 1 || plan->target->process ||
	    plan->target->pid != task_pid(current))
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "session flags 0x%llx: a thread that counts itself names itself (TID), and nobody else",
				       flags);
	return check_self_events(session, why);
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
			err = pmuctl_request_cpu(plan->session->cpus,
						 attr, why);
			if (!err)
				err = check_kind_of_cpu(plan->session, attr,
							why);
			break;
		case PMUCTL_A_SESSION_EVENT:
			err = add_event(plan, attr, info, why);
			break;
		}
		if (err)
			return err;
	}
	NL_SET_BAD_ATTR(info->extack, NULL);
	return 0;
}

int pmuctl_request_parse(struct pmuctl_plan *plan, struct genl_info *info,
			 bool privileged, const struct pmuctl_why *why)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	int err;

	/* Looked at before: there is nothing to be said against them. */
	pmuctl_attrs_parse_message(PMUCTL_CMD_SESSION_NEW, info->nlhdr, attrs,
				   why);
	plan->session = pmuctl_session_alloc();
	if (!plan->session)
		return pmuctl_why(why, -ENOMEM, "no memory for a session");
	plan->session->privileged = privileged;
	err = one_kind(plan, info, why);
	if (!err)
		err = parse_kind(plan->session, attrs[PMUCTL_A_SESSION_KIND],
				 first_cpu(info), why);
	if (!err && attrs[PMUCTL_A_SESSION_CGROUP])
		err = pmuctl_cgroup_name(plan->session,
					 attrs[PMUCTL_A_SESSION_CGROUP], why);
	if (!err)
		err = parse_flags(plan, attrs[PMUCTL_A_SESSION_FLAGS], why);
	if (!err)
		err = parse_interval(plan, attrs[PMUCTL_A_SESSION_INTERVAL],
				     why);
	if (!err)
		err = alloc_events(plan, info, why);
	if (!err)
		err = parse_lists(plan, info, why);
	if (!err)
		err = pmuctl_request_places(plan->session,
					    attrs[PMUCTL_A_SESSION_PLACES],
					    why);
	if (!err)
		err = pmuctl_request_rings(plan->session, attrs, why);
	if (!err)
		err = check_self(plan, attrs[PMUCTL_A_SESSION_FLAGS], why);
	plan->beside = attrs[PMUCTL_A_SESSION_BESIDE];
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
