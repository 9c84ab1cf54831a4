// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session with PEBS holds: areas for its records, and guests that stop
 * it where they are entered.
 */
#include <linux/percpu.h>

#include "kmod/hold/ds.h"
#include "kmod/hold/guests.h"
#include "kmod/hold/pebs_hold.h"
#include "kmod/pmu/ds_area.h"
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
	return pmuctl_guests_refusal() ?: pmuctl_ds_refusal();
}

/* All processors of a machine do alike. */
static void try_once(void)
{
	static bool tried;
	unsigned long flags;

	if (tried)
		return;
	local_irq_save(flags);
	tried = pmuctl_cpu_try_pebs(this_cpu_ptr(pmuctl_cpus),
				    pmuctl_ds_here());
	local_irq_restore(flags);
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
	err = pmuctl_ds_hold(why);
	if (err)
		pmuctl_guests_release();
	else
		try_once();
	return err;
}

void pmuctl_pebs_release(const struct pmuctl_session *session)
{
	if (!uses_pebs(session))
		return;
	pmuctl_ds_release();
	pmuctl_guests_release();
}
