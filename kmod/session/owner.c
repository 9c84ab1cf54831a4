// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose a session is, in words for who asks.
 *
 * It is its socket's, which may outlive the process that made it, and that
 * one's number is another's then.
 */
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/uidgid.h>

#include "kmod/session/owner.h"
#include "kmod/state/session.h"

static bool maker_lives(const struct pmuctl_session *session)
{
	bool lives;

	rcu_read_lock();
	lives = pid_task(session->pid, PIDTYPE_TGID);
	rcu_read_unlock();
	return lives;
}

pid_t pmuctl_owner_pid(const struct pmuctl_session *session)
{
	return maker_lives(session) ? pid_vnr(session->pid) : 0;
}

bool pmuctl_owner_known(const struct pmuctl_session *session, bool all)
{
	return all || uid_eq(session->uid, current_uid());
}

const char *pmuctl_owner_text(const struct pmuctl_session *session, bool all,
			      struct pmuctl_owner_text *text)
{
	pid_t pid = pmuctl_owner_pid(session);

	if (!pmuctl_owner_known(session, all))
		scnprintf(text->line, sizeof(text->line),
			  "another user's session");
	else if (pid)
		scnprintf(text->line, sizeof(text->line), "pid %d (%s)", pid,
			  session->comm);
	else
		scnprintf(text->line, sizeof(text->line),
			  "session %u (its maker %s)", session->id,
			  maker_lives(session) ? "is in another PID namespace" :
			  "has ended");
	return text->line;
}
