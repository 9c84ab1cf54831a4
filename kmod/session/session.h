/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the end of a session takes of its beginning.
 */
#ifndef PMUCTL_SESSION_SESSION_H
#define PMUCTL_SESSION_SESSION_H

#include "kmod/access/limits.h"
#include "kmod/state/session.h"

static inline struct pmuctl_payer
pmuctl_payer_of(const struct pmuctl_session *session)
{
	return (struct pmuctl_payer){
		.user = session->user, .privileged = session->privileged,
	};
}

/* All of these with the lock held for writing. */
/* It counts nowhere when this returns. */
void pmuctl_session_halt(struct pmuctl_session *session);
void pmuctl_session_release_trace(const struct pmuctl_session *session);
/* Its accounts are others' to use; they go with its memory. */
void pmuctl_session_uncharge(const struct pmuctl_session *session);

#endif
