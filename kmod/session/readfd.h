/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A descriptor that reads what a session has counted.
 */
#ifndef PMUCTL_READFD_H
#define PMUCTL_READFD_H

struct file;
struct pmuctl_session;
struct pmuctl_why;

/* Who polls a session's descriptors; outlives the session. */
struct pmuctl_watch;

/* A number and a file that do not know of each other yet; nr < 0: none. */
struct pmuctl_readfd {
	int nr;
	struct file *file;
};

int pmuctl_readfd_make(struct pmuctl_readfd *fd, const struct pmuctl_why *why);
/* The caller's from now on, and reads the session. */
void pmuctl_readfd_install(struct pmuctl_readfd *fd,
			   struct pmuctl_session *session);
/* Nothing if it was installed, or never made. */
void pmuctl_readfd_drop(struct pmuctl_readfd *fd);

/* A ring of the session holds as much as its watermark. */
void pmuctl_readfd_wake(struct pmuctl_session *session);
/* The session ends: so do its polls. */
void pmuctl_readfd_forget(struct pmuctl_session *session);

#endif
