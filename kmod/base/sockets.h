/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sockets that something of ours belongs to, and when they are closed.
 *
 * A port ID alone names none: it is free for others before anybody hears that
 * its socket was closed.
 */
#ifndef PMUCTL_SOCKETS_H
#define PMUCTL_SOCKETS_H

#include <linux/types.h>

struct sk_buff;
struct sock;

struct pmuctl_socket {
	struct sock *sk;
	u32 portid;
};

/* What may be a socket's.  Each has a lock of its own, see below. */
enum pmuctl_owned {
	PMUCTL_OWNED_SESSION,		/* pmuctl_lock(true) */
	PMUCTL_OWNED_TEXT,		/* why.c */
	PMUCTL_OWNED_HOLD,		/* of features: pmuctl_lock(true) */
	PMUCTL_OWNED_KINDS
};

/* The one that a request came from. */
struct pmuctl_socket pmuctl_socket_of(const struct sk_buff *request);

/*
 * The first makes sure that the socket can be asked whether it is closed, until
 * the second.  0 or -ENOMEM.  With the lock of what is owned.
 */
int pmuctl_socket_hold(const struct pmuctl_socket *socket,
		       enum pmuctl_owned owned);
void pmuctl_socket_put(const struct pmuctl_socket *socket,
		       enum pmuctl_owned owned);

/* Is any of this a socket's with that port ID?  Needs no lock. */
bool pmuctl_socket_owns(u32 portid, enum pmuctl_owned owned);
bool pmuctl_socket_closed(const struct pmuctl_socket *socket);

#endif
