// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether CPUs have the same PMU, so that the same facts are theirs.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "kmod/pmu/alike.h"
#include "kmod/pmu/lbr.h"

void pmuctl_look_here(void *info)
{
	struct pmuctl_look *look = info;

	look->caps = (struct pmuctl_caps) {
		.allow_unsupported = true,
		.allow_unknown_events = pmuctl_caps.allow_unknown_events,
		.p4_counter1 = pmuctl_caps.p4_counter1,
		.allow_bad_pebs = pmuctl_caps.allow_bad_pebs,
	};
	look->err = look->backend->probe(&look->caps);
}

bool pmuctl_alike(const struct pmuctl_caps *a, const struct pmuctl_caps *b)
{
	return a->version == b->version && a->counters == b->counters &&
	       a->cfg_b == b->cfg_b && a->cfg_c == b->cfg_c &&
	       a->gp_width == b->gp_width && a->fixed_width == b->fixed_width &&
	       a->core == b->core;
}

/* Of cores of two kinds only what is architectural means the same. */
static void forget_model(struct pmuctl_caps *caps)
{
	caps->model = NULL;
	caps->arch_only = !caps->allow_unknown_events;
	caps->counters &= ~PMUCTL_METRICS;
	caps->extra_slots = 0;
	caps->extra_shared = 0;
	caps->errata = 0;
	caps->has_pebs = false;
	pmuctl_lbr_none(caps);
}

void pmuctl_caps_narrow(struct pmuctl_caps *caps,
			const struct pmuctl_caps *other)
{
	if (caps->core != other->core)
		forget_model(caps);
	caps->counters &= other->counters;
	caps->cfg_b &= other->cfg_b;
	caps->cfg_c &= other->cfg_c;
	caps->nr_gp = min_t(u32, caps->nr_gp, other->nr_gp);
	caps->nr_reserve = caps->nr_gp;
	caps->nr_fixed = hweight64((caps->counters & ~PMUCTL_METRICS) >>
				   PMUCTL_FIXED_BASE);
	caps->gp_width = min_t(u32, caps->gp_width, other->gp_width);
	caps->fixed_width = min_t(u32, caps->fixed_width,
				  other->fixed_width);
	caps->arch_events &= other->arch_events;
	caps->capabilities &= other->capabilities;
	caps->any &= other->any;
	caps->has_umask2 &= other->has_umask2;
	caps->has_eq &= other->has_eq;
	if (caps->model)
		caps->errata |= other->errata;
	caps->has_ds &= other->has_ds;
	/* Records of two kinds in one session are nobody's to tell apart. */
	caps->has_pebs &= other->has_pebs &&
			  caps->pebs_format == other->pebs_format;
	caps->pebs_counters &= other->pebs_counters;
	if (caps->lbr_format != other->lbr_format ||
	    caps->lbr_depth != other->lbr_depth)
		pmuctl_lbr_none(caps);
}

const char *pmuctl_unlike(const struct pmuctl_caps *caps,
			  const struct pmuctl_caps *other)
{
	if (pmuctl_alike(caps, other))
		return NULL;
	/* What all had in common then is what is used. */
	if (caps->allow_unsupported)
		return caps->counters & ~other->counters ||
		       other->gp_width < caps->gp_width ?
		       "it lacks counters of the CPUs that were online when the module was loaded" :
		       NULL;
	return caps->core != other->core ?
	       "its core is of another kind than those that were online when the module was loaded" :
	       "its counters are others than those of the CPUs that were online when the module was loaded";
}
