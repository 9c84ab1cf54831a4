// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sessions that there are, and the lock around them.
 */
#include <linux/cpu.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/rwsem.h>

#include "kmod/base/why.h"
#include "kmod/state/session.h"

static DEFINE_IDR(sessions);
/* Whoever dies with a thousand sockets is not looked for a thousand times. */
static DEFINE_HASHTABLE(by_port, 8);
static unsigned int nr_sessions;
static DECLARE_RWSEM(sessions_lock);

/*
 * Sessions first, CPUs last: our hotplug callbacks come with the CPUs locked
 * and take no other lock, and tracepoints lock the CPUs themselves, so they
 * are used in between.
 */
void pmuctl_lock(bool write)
{
	if (write)
		down_write(&sessions_lock);
	else
		down_read(&sessions_lock);
	cpus_read_lock();
}

void pmuctl_unlock(bool write)
{
	cpus_read_unlock();
	if (write)
		up_write(&sessions_lock);
	else
		up_read(&sessions_lock);
}

struct pmuctl_session *pmuctl_session_find(u32 id)
{
	return idr_find(&sessions, id);
}

struct pmuctl_session *pmuctl_session_next(u32 id)
{
	int next = id;

	return id > INT_MAX ? NULL : idr_get_next(&sessions, &next);
}

unsigned int pmuctl_sessions(void)
{
	return nr_sessions;
}

u64 pmuctl_counters_used(u32 kind)
{
	struct pmuctl_session *session;
	u64 used = 0;

	for_each_session(session)
		if (session->kind == kind)
			used |= session->counters;
	return used;
}

int pmuctl_session_name(struct pmuctl_session *session,
			const struct pmuctl_why *why)
{
	int id;

	id = idr_alloc_cyclic(&sessions, session, 1, 0, GFP_KERNEL);
	if (id < 0)
		return pmuctl_why(why, id, "no memory for another session");
	session->id = id;
	hash_add(by_port, &session->port_node, session->owner.portid);
	nr_sessions++;
	return 0;
}

void pmuctl_session_unname(struct pmuctl_session *session)
{
	idr_remove(&sessions, session->id);
	hash_del(&session->port_node);
	nr_sessions--;
}

/* Another socket may have the port ID of one that is closed by now. */
struct pmuctl_session *pmuctl_session_closed(u32 portid)
{
	struct pmuctl_session *session;

	hash_for_each_possible(by_port, session, port_node, portid)
		if (session->owner.portid == portid &&
		    pmuctl_socket_closed(&session->owner))
			break;
	return session;
}
