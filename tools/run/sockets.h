/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has sockets open, or the module's descriptors: all of /proc is looked through.
 */
#ifndef PMUCTL_SOCKETS_H
#define PMUCTL_SOCKETS_H

#include <stddef.h>
#include <stdint.h>

struct socket_holder {
	uint64_t inode;		/* of the socket; 0: a descriptor that the module made */
	int pid;
	char comm[32];
};

struct socket_holders {
	struct socket_holder *list;
	size_t count;
	unsigned int hidden;	/* processes that could not be looked into */
};

/* Of all sockets and of the module's descriptors; -ENOMEM.  Free the list. */
int socket_holders(struct socket_holders *holders);

#endif
