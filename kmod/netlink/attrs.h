/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which attributes each command takes, and reading them with a text for
 * whatever is wrong.
 */
#ifndef PMUCTL_ATTRS_H
#define PMUCTL_ATTRS_H

#include <net/netlink.h>

#include "kmod/base/why.h"
#include "kmod/uapi/pmuctl.h"

struct pmuctl_attr_rules;

extern const struct pmuctl_attr_rules pmuctl_event_rules;

/*
 * Fills attrs[] by type, NULL for what is missing and any one of those that
 * may be given several times.
 */
int pmuctl_attrs_parse(const struct pmuctl_attr_rules *rules,
		       const struct nlattr *head, int len,
		       struct nlattr **attrs, const struct pmuctl_why *why);
/* The same of a request's message. */
int pmuctl_attrs_parse_message(u8 cmd, const struct nlmsghdr *message,
			       struct nlattr **attrs,
			       const struct pmuctl_why *why);

#endif
