// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session with PEBS holds: areas for its records, and guests that stop
 * it where they are entered.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "kmod/base/why.h"
#include "kmod/hold/buffers.h"
#include "kmod/hold/guests.h"
#include "kmod/hold/pebs_hold.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/kinds.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

static bool uses_pebs(const struct pmuctl_session *session)
{
	unsigned int i;

	for (i = 0; i < session->nr_events; i++)
		if (session->event[i].precise)
			return true;
	return false;
}

const char *pmuctl_pebs_refusal(void)
{
	if (!pmuctl_caps.has_pebs)
		return NULL;
	return pmuctl_guests_refusal() ?: pmuctl_buffers_refusal();
}

/* All processors of a kind do alike, and what is found is to be that of all. */
static struct {
	bool tried;
	bool differs;			/* from one that was tried before */
} kinds[PMUCTL_KINDS_MAX];

static void try_here(void *done)
{
	unsigned long flags;

	local_irq_save(flags);
	*(bool *)done = pmuctl_cpu_try_pebs(this_cpu_ptr(pmuctl_cpus),
					    pmuctl_ds_here());
	local_irq_restore(flags);
}

static bool is_any_tried(void)
{
	u32 kind;

	for (kind = 0; kind < pmuctl_nr_kinds; kind++)
		if (kinds[kind].tried)
			return true;
	return false;
}

/* On one of its CPUs, if one is online. */
static void try_kind(u32 kind)
{
	bool before = pmuctl_tried.pebs_counts_recorded;
	bool first = !is_any_tried();
	unsigned int cpu = cpumask_any_and(&pmuctl_kinds[kind].cpus,
					   cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		return;
	smp_call_function_single(cpu, try_here, &kinds[kind].tried, true);
	if (first || pmuctl_tried.pebs_counts_recorded == before)
		return;
	pmuctl_tried.pebs_counts_recorded = before;
	kinds[kind].differs = true;
}

static int try_once(u32 own, const struct pmuctl_why *why)
{
	u32 kind;

	if (pmuctl_nr_kinds == 1 && !kinds[0].tried)
		try_here(&kinds[0].tried);
	for (kind = 0; pmuctl_nr_kinds > 1 && kind < pmuctl_nr_kinds; kind++)
		if (!kinds[kind].tried)
			try_kind(kind);
	if (!kinds[own].differs)
		return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "PEBS of this kind of core sets counters back in another way than that of the other kinds, which is not driven yet: sample by interrupt");
}

int pmuctl_pebs_hold(const struct pmuctl_session *session,
		     const struct pmuctl_why *why)
{
	int err;

	if (!uses_pebs(session))
		return 0;
	err = pmuctl_guests_hold(why);
	if (err)
		return err;
	err = pmuctl_buffers_hold(why);
	if (err)
		goto err_guests;
	err = try_once(session->kind, why);
	if (err)
		goto err_ds;
	return 0;

err_ds:
	pmuctl_buffers_release();
err_guests:
	pmuctl_guests_release();
	return err;
}

void pmuctl_pebs_release(const struct pmuctl_session *session)
{
	if (!uses_pebs(session))
		return;
	pmuctl_buffers_release();
	pmuctl_guests_release();
}
