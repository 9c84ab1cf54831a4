// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session that a request names, and whether it is the sender's.
 */
#include <linux/sched/signal.h>
#include <net/netlink.h>

#include "kmod/netlink/named.h"
#include "kmod/session/owner.h"
#include "kmod/state/session.h"

static bool is_owner(const struct pmuctl_session *session, bool of_process,
		     const struct pmuctl_socket *socket)
{
	if (of_process && session->pid == task_tgid(current))
		return true;
	return session->owner.sk == socket->sk;
}

int pmuctl_find_any(struct nlattr *attr, const struct pmuctl_why *why,
		    struct pmuctl_session **session)
{
	if (!attr)
		return pmuctl_why(why, -EINVAL,
				  "SESSION_ID is missing: say which session");
	*session = pmuctl_session_find(nla_get_u32(attr));
	if (*session)
		return 0;
	return pmuctl_why_attr(why, attr, -ENOENT,
			       "there is no session %u: it has ended, or never was",
			       nla_get_u32(attr));
}

int pmuctl_find_session(struct nlattr *attr, bool of_process,
			const struct pmuctl_why *why,
			struct pmuctl_session **session)
{
	struct pmuctl_owner_text owner;
	int err = pmuctl_find_any(attr, why, session);

	if (err || is_owner(*session, of_process, &why->socket))
		return err;
	if (!pmuctl_owner_known(*session, why->all))
		return pmuctl_why_attr(why, attr, -EACCES,
				       "session %u is another user's session",
				       (*session)->id);
	pmuctl_owner_text(*session, why->all, &owner);
	return pmuctl_why_attr(why, attr, -EACCES,
			       "session %u belongs to a socket of %s: only that socket may use it",
			       (*session)->id, owner.line);
}
