// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records out of rings into netlink messages, and the ledger.
 *
 * A ring has one reader at a time, which is a dump: it holds the rings that it
 * was asked for from its first part to its last.  Dumps of different rings run
 * beside each other, under the sessions' lock for reading only.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "kmod/netlink/attrs.h"
#include "kmod/netlink/drain.h"
#include "kmod/netlink/dump.h"
#include "kmod/netlink/named.h"
#include "kmod/sample/ring.h"
#include "kmod/session/target.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* The largest part that netlink makes; and that of larger samples. */
#define PART		SKB_WITH_OVERHEAD(32768)
#define PART_LARGE	SKB_WITH_OVERHEAD(65536)
/* Of a message, beside the records. */
#define OVERHEAD	(GENL_HDRLEN + NLMSG_HDRLEN + 3 * NLA_HDRLEN +	\
			 nla_total_size(sizeof(u32)))
/* Less room than this is not worth another message. */
#define ROOM_MIN	4096

/* How a dump goes on: cb->args[0]. */
struct drain {
	u32 id;				/* of the session */
	bool flush;
	bool flushed;			/* this CPU's lost ones are told */
	unsigned int cpu;		/* whose ring it is at */
	bool begun;
	unsigned long end;		/* what came later is another dump's */
	cpumask_var_t cpus;
};

/* --- beginning --- */

static int name_cpu(struct drain *drain, const struct pmuctl_session *session,
		   const struct nlattr *attr, const struct pmuctl_why *why)
{
	u32 cpu = nla_get_u32(attr);

	if (cpu >= nr_cpu_ids || !session->ring[cpu])
		return pmuctl_why_attr(why, attr, -ENODEV,
				       "session %u has no ring for CPU %u",
				       session->id, cpu);
	cpumask_set_cpu(cpu, drain->cpus);
	return 0;
}

/* Those that are named, or all. */
static int find_cpus(struct drain *drain, const struct pmuctl_session *session,
		     const struct nlmsghdr *message,
		     const struct pmuctl_why *why)
{
	const struct nlattr *attr;
	unsigned int cpu;
	int rem, err;

	nlmsg_for_each_attr(attr, message, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_CPU)
			continue;
		err = name_cpu(drain, session, attr, why);
		if (err)
			return err;
	}
	if (!cpumask_empty(drain->cpus))
		return 0;
	for_each_possible_cpu(cpu)
		if (session->ring[cpu])
			cpumask_set_cpu(cpu, drain->cpus);
	return 0;
}

static void drain_release(const struct drain *drain,
			  const struct pmuctl_session *session,
			  const void *reader)
{
	unsigned int cpu;

	for_each_cpu(cpu, drain->cpus) {
		if (READ_ONCE(session->ring[cpu]->reader) != reader)
			continue;
		/* The next reader sees what was taken: pairs with claim(). */
		smp_store_release(&session->ring[cpu]->reader, NULL);
	}
}

static int drain_claim(const struct drain *drain,
		       const struct pmuctl_session *session, const void *reader,
		       const struct pmuctl_why *why)
{
	unsigned int cpu;

	for_each_cpu(cpu, drain->cpus) {
		if (!cmpxchg(&session->ring[cpu]->reader, NULL, reader))
			continue;
		drain_release(drain, session, reader);
		return pmuctl_why(why, -EBUSY,
				  "somebody is taking the records of CPU %u already: one reader a CPU",
				  cpu);
	}
	return 0;
}

static int check_flush(struct drain *drain, const struct nlattr *attr,
		       const struct pmuctl_why *why)
{
	u32 flush = attr ? nla_get_u32(attr) : 0;

	if (flush > 1)
		return pmuctl_why_attr(why, attr, -EINVAL,
				       "flush %u: 0 or 1", flush);
	drain->flush = flush;
	return 0;
}

static int drain_prepare(struct drain *drain, struct pmuctl_session *session,
			 struct nlattr **attrs, struct netlink_callback *cb,
			 const struct pmuctl_why *why)
{
	int err;

	if (!session->nr_sampled)
		return pmuctl_why(why, -EINVAL,
				  "session %u takes no samples: none of its events has a period or a frequency",
				  session->id);
	drain->id = session->id;
	err = check_flush(drain, attrs[PMUCTL_A_SESSION_FLUSH], why);
	if (!err)
		err = find_cpus(drain, session, cb->nlh, why);
	if (!err)
		err = drain_claim(drain, session, cb, why);
	if (!err && drain->flush)
		pmuctl_cpu_fold(session);
	return err;
}

static void drain_free(struct drain *drain)
{
	free_cpumask_var(drain->cpus);
	kfree(drain);
}

static struct drain *drain_alloc(void)
{
	struct drain *drain = kzalloc(sizeof(*drain), GFP_KERNEL_ACCOUNT);

	if (!drain)
		return NULL;
	if (zalloc_cpumask_var(&drain->cpus, GFP_KERNEL_ACCOUNT))
		return drain;
	kfree(drain);
	return NULL;
}

static int drain_begin(struct netlink_callback *cb)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_session *session;
	struct pmuctl_why why;
	bool all, unproved = false;
	struct drain *drain;
	int err;

	err = pmuctl_dump_begin(cb, PMUCTL_CMD_SAMPLE_GET, attrs, &all, &why);
	if (err)
		return err;
	drain = drain_alloc();
	if (!drain)
		return pmuctl_why(&why, -ENOMEM, "no memory to take records");
	pmuctl_lock(false);
	err = pmuctl_find_session(attrs[PMUCTL_A_SESSION_ID], true, &why,
				  &session);
	if (!err)
		err = drain_prepare(drain, session, attrs, cb, &why);
	if (!err)
		unproved = READ_ONCE(session->unproved);
	pmuctl_unlock(false);
	if (err) {
		drain_free(drain);
		return err;
	}
	cb->args[0] = (long)drain;
	/* Here it is the reader who runs. */
	if (unproved)
		pmuctl_session_prove_again(drain->id);
	return 0;
}

/* --- going on --- */

static void look_at(struct drain *drain, struct pmuctl_ring *ring)
{
	pmuctl_ring_listen(ring);
	drain->end = READ_ONCE(ring->head);
	drain->begun = true;
}

/* One message of what fits; false: no room for any. */
static bool put_records(struct sk_buff *skb, struct netlink_callback *cb,
			struct drain *drain, struct pmuctl_ring *ring)
{
	size_t overhead = OVERHEAD;
	u32 bytes, room = skb_tailroom(skb);
	const void *from;
	void *header;

	if (room < overhead + ROOM_MIN)
		return false;
	bytes = pmuctl_ring_peek(ring, drain->end, room - overhead, &from);
	if (!bytes)
		return false;
	header = pmuctl_dump_message(skb, cb, PMUCTL_CMD_SAMPLE_GET);
	if (!header)
		return false;
	if (nla_put_u32(skb, PMUCTL_A_SESSION_CPU, drain->cpu) ||
	    nla_put_64bit(skb, PMUCTL_A_SESSION_RECORDS, bytes, from,
			  PMUCTL_A_SESSION_PAD)) {
		genlmsg_cancel(skb, header);
		return false;
	}
	genlmsg_end(skb, header);
	pmuctl_ring_consume(ring, bytes);
	return true;
}

/* There is room again to say what there was none for. */
static bool drain_again(struct drain *drain, struct pmuctl_session *session,
			struct pmuctl_ring *ring)
{
	if (!drain->flush || drain->flushed)
		return false;
	drain->flushed = true;
	pmuctl_cpu_tell_lost(session, drain->cpu);
	drain->end = READ_ONCE(ring->head);
	return drain->end != ring->tail;
}

/* False: the part is full. */
static bool put_ring(struct sk_buff *skb, struct netlink_callback *cb,
		     struct drain *drain, struct pmuctl_session *session)
{
	struct pmuctl_ring *ring = session->ring[drain->cpu];

	if (!drain->begun)
		look_at(drain, ring);
	do {
		while (drain->end != ring->tail)
			if (!put_records(skb, cb, drain, ring))
				return false;
	} while (drain_again(drain, session, ring));
	drain->begun = false;
	drain->flushed = false;
	return true;
}

static void put_rings(struct sk_buff *skb, struct netlink_callback *cb,
		      struct drain *drain, struct pmuctl_session *session)
{
	for (; drain->cpu < nr_cpu_ids; drain->cpu++)
		if (cpumask_test_cpu(drain->cpu, drain->cpus) &&
		    !put_ring(skb, cb, drain, session))
			return;
}

/* Of the session that is asked for; whether it may be is not said here. */
static u32 sample_room(const struct netlink_callback *cb)
{
	const struct nlattr *id = nlmsg_find_attr(cb->nlh, GENL_HDRLEN,
						  PMUCTL_A_SESSION_ID);
	const struct pmuctl_session *session = NULL;
	u32 room;

	pmuctl_lock(false);
	if (id && nla_len(id) == sizeof(u32))
		session = pmuctl_session_find(nla_get_u32(id));
	room = session ? session->room : 0;
	pmuctl_unlock(false);
	return room;
}

int pmuctl_sample_get_start(struct netlink_callback *cb)
{
	BUILD_BUG_ON(PMUCTL_RECORD_MAX + OVERHEAD > PART_LARGE);
	cb->min_dump_alloc = sample_room(cb) + OVERHEAD > PART ? PART_LARGE :
								 PART;
	return 0;
}

int pmuctl_sample_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct pmuctl_session *session;
	int err = cb->args[0] ? 0 : drain_begin(cb);
	struct drain *drain;

	if (err)
		return err;
	drain = (void *)cb->args[0];
	pmuctl_lock(false);
	session = pmuctl_session_find(drain->id);
	if (session)
		put_rings(skb, cb, drain, session);
	pmuctl_unlock(false);
	return skb->len;
}

int pmuctl_sample_get_done(struct netlink_callback *cb)
{
	struct drain *drain = (void *)cb->args[0];
	struct pmuctl_session *session;

	if (!drain)
		return 0;
	pmuctl_lock(false);
	session = pmuctl_session_find(drain->id);
	if (session)
		drain_release(drain, session, cb);
	pmuctl_unlock(false);
	drain_free(drain);
	return 0;
}

/* --- the ledger --- */

static bool has_any(const struct pmuctl_tally *tally)
{
	return tally->produced || tally->throttled || tally->collisions ||
	       tally->overruns || tally->stalled;
}

static void add_entry(struct pmuctl_snapshot *snapshot,
		      const struct pmuctl_event *event, unsigned int cpu,
		      const struct pmuctl_tally *tally)
{
	struct pmuctl_ledger *entry = (void *)snapshot->data;

	if (!has_any(tally))
		return;
	entry[snapshot->nr++] = (struct pmuctl_ledger){
		.event = event->place, .cpu = cpu,
		.produced = tally->produced, .written = tally->written,
		.lost = tally->lost, .collisions = tally->collisions,
		.throttled = tally->throttled, .uncertain = tally->uncertain,
		.overruns = tally->overruns, .stalled = tally->stalled,
	};
}

static struct pmuctl_snapshot *
take_ledger(const struct pmuctl_session *session)
{
	struct pmuctl_snapshot *snapshot;
	unsigned int cpu, i;

	snapshot = pmuctl_snapshot_alloc(session->nr_sampled *
					 num_possible_cpus(),
					 sizeof(struct pmuctl_ledger));
	if (!snapshot)
		return NULL;
	snapshot->nr = 0;
	for_each_possible_cpu(cpu)
		for (i = 0; i < session->nr_events; i++)
			if (session->event[i].sampled && session->ring[cpu])
				add_entry(snapshot, &session->event[i], cpu,
					  &session->ring[cpu]->tally
					  [session->event[i].phase]);
	return snapshot;
}

static int ledger_begin(struct netlink_callback *cb)
{
	struct nlattr *attrs[PMUCTL_A_SESSION_MAX + 1];
	struct pmuctl_session *session;
	struct pmuctl_why why;
	bool all;
	int err;

	err = pmuctl_dump_begin(cb, PMUCTL_CMD_LEDGER_GET, attrs, &all, &why);
	if (err)
		return err;
	pmuctl_lock(false);
	err = pmuctl_find_session(attrs[PMUCTL_A_SESSION_ID], true, &why,
				  &session);
	if (!err) {
		cb->args[0] = (long)take_ledger(session);
		if (!cb->args[0])
			err = pmuctl_why(&why, -ENOMEM,
					 "no memory for the ledger");
	}
	pmuctl_unlock(false);
	return err;
}

int pmuctl_ledger_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = cb->args[0] ? 0 : ledger_begin(cb);

	return err ? err : pmuctl_snapshot_dump(skb, cb, PMUCTL_CMD_LEDGER_GET,
						PMUCTL_A_SESSION_LEDGER);
}
