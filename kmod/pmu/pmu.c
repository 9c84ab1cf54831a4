// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one PMU that is driven: its verbs, its facts, what was found out of it.
 */
#include <linux/cache.h>
#include <linux/percpu.h>

#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/pmu.h"
#include "kmod/pmu/twins.h"

const struct pmuctl_backend *pmuctl_backend __ro_after_init;
struct pmuctl_caps pmuctl_caps __ro_after_init;
struct pmuctl_tried pmuctl_tried __read_mostly;

static DEFINE_PER_CPU(struct pmuctl_twins, twins);
static DEFINE_PER_CPU(struct pmuctl_ds, ds);

struct pmuctl_twins *pmuctl_twins_here(void)
{
	return this_cpu_ptr(&twins);
}

struct pmuctl_ds *pmuctl_ds_here(void)
{
	return this_cpu_ptr(&ds);
}
