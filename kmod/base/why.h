/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reason of a refusal: where it is written, whoever asked.
 */
#ifndef PMUCTL_WHY_H
#define PMUCTL_WHY_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "kmod/base/sockets.h"

struct netlink_ext_ack;
struct nlattr;

struct pmuctl_why {
	struct netlink_ext_ack *extack;
	struct pmuctl_socket socket;	/* that asked */
	bool all;			/* who asks may know of everybody */
};

/*
 * Says why a request is refused and returns err, for "return pmuctl_why(...)".
 * Name the object, the reason and what to do.  May sleep.  Without a request
 * (why is NULL: the module is being loaded) the kernel log gets the text.
 */
__printf(3, 4) int pmuctl_why(const struct pmuctl_why *why, int err,
			      const char *fmt, ...);
/* The same, and points at the attribute that is to blame. */
__printf(4, 5) int pmuctl_why_attr(const struct pmuctl_why *why,
				   const struct nlattr *attr, int err,
				   const char *fmt, ...);

/* To who cannot have a reference to this module any more: -ENODEV. */
int pmuctl_why_unloading(const struct pmuctl_why *why);

/* A socket with that port ID was closed: so is gone whatever it was told. */
void pmuctl_why_forget_closed(u32 portid);
void pmuctl_why_exit(void);

#endif
