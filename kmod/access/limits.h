/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one user may take of the kernel through this module.
 */
#ifndef PMUCTL_LIMITS_H
#define PMUCTL_LIMITS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct pmuctl_why;

/* One for each user (kuid) who has sessions; counted references. */
struct pmuctl_user;

enum pmuctl_limit {
	PMUCTL_LIMIT_SESSIONS,
	PMUCTL_LIMIT_EVENTS,
	PMUCTL_LIMIT_TASKS,		/* links: a task in a session */
	PMUCTL_LIMIT_MEMORY,		/* bytes */
	PMUCTL_LIMITS
};

/* Whose accounts a session is in: its user's, and that of all unprivileged. */
struct pmuctl_payer {
	struct pmuctl_user *user;	/* NULL: nobody yet */
	bool privileged;
};

/* A user's limit, and that of all without privilege, as parameters have it. */
u64 pmuctl_limit(enum pmuctl_limit limit);
u64 pmuctl_common_limit(enum pmuctl_limit limit);

/* Process context; NULL: no memory. */
struct pmuctl_user *pmuctl_user_get(kuid_t uid);
void pmuctl_user_put(struct pmuctl_user *user);

/* Takes n of it, or says what the limit is and which parameter raises it. */
int pmuctl_charge(const struct pmuctl_payer *payer, enum pmuctl_limit limit,
		  u64 n, const struct pmuctl_why *why);
/* The same without words, from any context but NMI. */
bool pmuctl_try_charge(const struct pmuctl_payer *payer,
		       enum pmuctl_limit limit, u64 n);
/* Gives n back; any context but NMI. */
void pmuctl_uncharge(const struct pmuctl_payer *payer, enum pmuctl_limit limit,
		     u64 n);

#endif
