/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: what they are, how long they live, and who may ask for what.
 */
#ifndef PMUCTL_SESSION_H
#define PMUCTL_SESSION_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/uidgid.h>

#include "kmod/base/sockets.h"
#include "kmod/pmu/pmu.h"
#include "kmod/state/phase.h"
#include "kmod/state/set.h"

/* How long a set stays on, in ns. */
#define PMUCTL_INTERVAL		1000000
#define PMUCTL_INTERVAL_MIN	100000
#define PMUCTL_INTERVAL_MAX	1000000000

#define PMUCTL_NO_GROUP		(~(u32)0)

/*
 * What a session has counted on one CPU, and whose turn it is there; only
 * that CPU writes it, but for the bases.
 *
 * Cells: the ns that the session was on, those that each set was on, the
 * values of the events; and then, for each of them, what it was at the last
 * reset.
 */
struct pmuctl_counts {
	seqcount_t seq;			/* values and times belong together */
	u32 set;			/* whose turn it is */
	u32 turn;			/* ns that turns take now, about */
	s64 left;			/* ns of this one */
	u32 looked;			/* seq, as this CPU's MSRs were seen */
	u32 disturbances;		/* of this CPU, as it started */
	u8 rest[PMUCTL_METRICS_MAX];	/* of each field, in 1/255 of a slot */
	u64 cell[];			/* and the phases of events with some */
};

struct pmuctl_session {
	u32 id;
	u64 flags;			/* enum pmuctl_session_flag */
	bool on_task;			/* else on CPUs */
	u32 kind;			/* of the CPUs that it is for */
	const struct pmuctl_caps *caps;	/* theirs; NULL: all are alike */
	bool running;
	bool pinned;			/* set 0 is on beside every other */
	bool rotates;			/* several sets take turns */
	bool metrics;			/* fields of PERF_METRICS are counted */
	bool odd;			/* pinned, metrics or self */
	bool twice;			/* has events with two counters */
	bool auxiliary;			/* ... or with another beside them */
	bool was_reset;			/* there are bases */
	atomic_t trouble;		/* enum pmuctl_count_flag */
	u32 disturbed;			/* the MSR that somebody else wrote */

	/* Sorted by set. */
	u32 nr_events;
	u32 nr_sets;
	u32 first_turn;			/* the first set that is not pinned */
	u32 interval;			/* ns */
	struct pmuctl_event *event;
	struct pmuctl_set *set;
	u64 counters;			/* that it holds */

	/* Threads that share a core's PMU: see cpu/gate.h. */
	struct pmuctl_claims *claim;	/* by set, of one that is gated */
	u32 threads;			/* of cores that it may be on, by bit */
	bool gated;			/* waits for the other thread */
	bool split;			/* but hardly ever has to */
	bool exclusive;			/* cannot wait, so others do not come */
	struct pmuctl_counts __percpu *counts;

	/* Samples. */
	u32 nr_sampled;			/* events with some, also beside it */
	u32 room;			/* the most bytes of a sample */
	u32 nr_phases;			/* and those that start others */
	bool cascades;			/* there are such */
	u32 ring_size;			/* bytes; 0: none was asked for */
	u32 watermark;
	bool by_freq;			/* one of them is */
	bool calls;			/* one of them has calls under way */
	bool timed;			/* rotates or samples */
	bool phases_beside;		/* its tasks' are another session's */
	struct pmuctl_session *beside;	/* that one, until it ends; RCU */
	struct pmuctl_ring **ring;	/* by CPU, NULL: none there */
	unsigned long wake;		/* enum pmuctl_wake bits */
	bool throttle_told;		/* in the kernel's log */
	struct pmuctl_watch *watch;	/* who polls: see readfd.c */
	struct pmuctl_self *self;	/* a page for its thread, or NULL */

	cpumask_var_t cpus;		/* a session on CPUs */
	struct cgroup *cgroup;		/* whose tasks it is on, or NULL */
	struct list_head cgroup_node;	/* of those that have one */
	struct list_head links;		/* on tasks: session/links.h */
	u32 nr_links;
	bool dying;			/* no new links */
	bool unproved;			/* some links are not, since an exec */
	bool in_the_way;		/* of the one being assigned */
	bool loses;			/* its counters to that one */
	bool lost;			/* them, for good */

	struct pmuctl_socket owner;	/* held while it is registered */
	struct hlist_node port_node;	/* of those with its port ID */
	bool privileged;		/* may see more than its own tasks */
	kuid_t uid;
	struct pmuctl_user *user;	/* who is charged, NULL: nobody yet */
	u64 memory;			/* bytes, but for links */
	struct pid *pid;
	bool in_init_ns;		/* it knows tasks as the kernel does */
	char comm[TASK_COMM_LEN];
	struct list_head node;		/* of those that end together */
	struct llist_node ended;
};

static inline const struct pmuctl_caps *
pmuctl_session_caps(const struct pmuctl_session *session)
{
	return session->caps ? session->caps : &pmuctl_caps;
}

/* Those that are for cores of different kinds never meet on a CPU. */
static inline bool pmuctl_session_contends(const struct pmuctl_session *session,
					   const struct pmuctl_session *other)
{
	return session->kind == other->kind &&
	       session->counters & other->counters;
}

static inline unsigned int pmuctl_nr_cells(const struct pmuctl_session *session)
{
	return 1 + session->nr_sets + session->nr_events;
}

static inline u64 *pmuctl_values(const struct pmuctl_session *session,
				 struct pmuctl_counts *counts)
{
	return &counts->cell[1 + session->nr_sets];
}

/* Where a session on CPUs stands between two samples there. */
static inline struct pmuctl_phase *
pmuctl_phases(const struct pmuctl_session *session,
	      struct pmuctl_counts *counts)
{
	return (void *)&counts->cell[2 * pmuctl_nr_cells(session)];
}

/* Of a session that has calls: a task's, behind its phases. */
static inline struct pmuctl_calls *
pmuctl_calls(const struct pmuctl_session *session,
	     const struct pmuctl_phase *phase)
{
	return (void *)(unsigned long)(phase + session->nr_phases);
}

/* From any context and any CPU, several at once. */
static inline void pmuctl_session_trouble(struct pmuctl_session *session,
					  u32 flag)
{
	if (!(atomic_read(&session->trouble) & flag))
		atomic_or(flag, &session->trouble);
}

/* msr: that somebody else wrote; the first one is what users are told. */
static inline void pmuctl_session_disturbed(struct pmuctl_session *session,
					    u32 msr)
{
	pmuctl_session_trouble(session, PMUCTL_COUNT_DISTURBED);
	cmpxchg(&session->disturbed, 0, msr);
}

/*
 * Taken around everything that makes, ends or changes sessions (write) or
 * looks at them (read).  CPUs neither come nor go meanwhile.
 */
void pmuctl_lock(bool write);
void pmuctl_unlock(bool write);

struct pmuctl_session *pmuctl_session_alloc(void);
void pmuctl_session_free(struct pmuctl_session *session);

/* What is to be counted where: request.c fills it. */
struct pmuctl_target {
	struct pid *pid;
	bool process;			/* all threads of it */
	const struct nlattr *attr;
};

struct pmuctl_plan {
	struct pmuctl_session *session;
	struct pmuctl_target *target;
	struct pmuctl_proof *proof;	/* of each; NULL: none is needed */
	unsigned int nr_targets;
	struct nlattr *beside;		/* names another session, or NULL */
	bool registered;		/* the session is the owner's */
	bool evicts;			/* sessions lose their counters to it */
};

/*
 * Assigned: takes the PMU if need be and makes it a session of the owner's.
 * If it is refused and plan->registered all the same, it has to be ended.
 */
int pmuctl_session_register(struct pmuctl_plan *plan,
			    const struct pmuctl_socket *owner,
			    const struct pmuctl_why *why);

int pmuctl_session_start(struct pmuctl_session *session,
			 const struct pmuctl_why *why);
int pmuctl_session_stop(struct pmuctl_session *session,
			const struct pmuctl_why *why);

struct pmuctl_session *pmuctl_session_find(u32 id);
/* The first with an ID of at least id. */
struct pmuctl_session *pmuctl_session_next(u32 id);

/* With the lock held. */
#define for_each_session(session)					\
	for ((session) = pmuctl_session_next(0); (session);		\
	     (session) = pmuctl_session_next((session)->id + 1))

/* Gives it an ID, by which it is found; takes that from it. */
int pmuctl_session_name(struct pmuctl_session *session,
			const struct pmuctl_why *why);
void pmuctl_session_unname(struct pmuctl_session *session);
/* One whose socket had that port ID and is closed, or NULL. */
struct pmuctl_session *pmuctl_session_closed(u32 portid);

unsigned int pmuctl_sessions(void);
/* Of sessions that are for cores of that kind. */
u64 pmuctl_counters_used(u32 kind);

/*
 * What was counted until now: an event each in the request's order, summed; or
 * with each, of a session on CPUs, those of its CPUs one by one.
 */
unsigned int pmuctl_session_nr_counts(const struct pmuctl_session *session,
				      bool each);
void pmuctl_session_counts(struct pmuctl_session *session, bool each,
			   struct pmuctl_count *count);
void pmuctl_session_reset(struct pmuctl_session *session);
/*
 * Of one on tasks: looks may have found it while another task was on, and what
 * they found until now is none of its.
 */
void pmuctl_session_note_disturbances(struct pmuctl_session *session);
void pmuctl_session_undisturbed(struct pmuctl_session *session);

/*
 * The machine goes to sleep: every counter off and the PMU given back; no
 * session is made or started until it is taken again, and what ran runs.
 */
void pmuctl_session_pause_all(void);
void pmuctl_session_resume_all(void);
/* The kernel ends or makes way for another: off for good. */
void pmuctl_session_shutdown(void);

/*
 * Whether what is in the task's registers and memory is the session's to
 * tell.  Any context; a look into a hash, for sessions without privilege.
 */
bool pmuctl_task_may_tell(const struct task_struct *task,
			  const struct pmuctl_session *session);

/* A CPU has come up with its PMU taken: what runs there. */
void pmuctl_session_cpu_online(unsigned int cpu);

#endif
