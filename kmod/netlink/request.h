/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the attributes of a SESSION_NEW to a plan.
 */
#ifndef PMUCTL_REQUEST_H
#define PMUCTL_REQUEST_H

#include <net/genetlink.h>

#include "kmod/state/session.h"

/* Everything checked but whether counters are free; release in any case. */
int pmuctl_request_parse(struct pmuctl_plan *plan, struct genl_info *info,
			 bool privileged, const struct pmuctl_why *why);
void pmuctl_request_release(struct pmuctl_plan *plan);

/* Adds the CPU that an attribute names, which is online and not there yet. */
int pmuctl_request_cpu(struct cpumask *cpus, const struct nlattr *attr,
		       const struct pmuctl_why *why);

#endif
