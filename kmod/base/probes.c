// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes of tracepoints, there while somebody needs them.
 *
 * Tracepoints are not exported by name, so they are looked for in the kernel's
 * list.
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <asm/cpufeature.h>

#include "kmod/base/compat.h"
#include "kmod/base/probes.h"
#include "kmod/base/why.h"

static DEFINE_MUTEX(probes_lock);

/*
 * The tracepoint calls its only probe directly, and where no CPU looks for
 * ENDBR64 nobody needs to execute one.  Several it calls by their addresses,
 * with clang's CFI comparing what is in front of each.
 */
static void *entry_of(void *fn)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (IS_ENABLED(CONFIG_CFI_CLANG) || boot_cpu_has(X86_FEATURE_IBT) ||
	    memcmp(fn, endbr64, sizeof(endbr64)))
		return fn;
	return fn + sizeof(endbr64);
}

static void probe_find(struct tracepoint *tracepoint, void *data)
{
	struct pmuctl_probes *probes = data;
	unsigned int i;

	for (i = 0; i < probes->nr; i++)
		if (!strcmp(tracepoint->name, probes->probe[i].name))
			probes->probe[i].tracepoint = tracepoint;
}

static void unregister_below(struct pmuctl_probes *probes, unsigned int i)
{
	while (i--)
		tracepoint_probe_unregister(probes->probe[i].tracepoint,
					    entry_of(probes->probe[i].fn),
					    NULL);
}

static int register_all(struct pmuctl_probes *probes,
			const struct pmuctl_why *why)
{
	struct pmuctl_probe *probe = probes->probe;
	unsigned int i;
	int err;

	for_each_kernel_tracepoint(probe_find, probes);
	for (i = 0; i < probes->nr; i++, probe++) {
		err = probe->tracepoint ?
		      tracepoint_probe_register(probe->tracepoint,
						entry_of(probe->fn), NULL) :
		      -ENOENT;
		if (!err)
			continue;
		unregister_below(probes, i);
		return pmuctl_why(why, err,
				  "this kernel does not let tracepoint %s be used, which %s",
				  probe->name, probes->needed);
	}
	return 0;
}

/*
 * Probes that come back right after they went wait for a grace period, so they
 * stay for a moment: whoever wants them next does not wait for another's end.
 */
void pmuctl_probes_drop(struct work_struct *work)
{
	struct pmuctl_probes *probes =
		container_of(to_delayed_work(work), struct pmuctl_probes, drop);

	mutex_lock(&probes_lock);
	if (!probes->takers && probes->registered) {
		unregister_below(probes, probes->nr);
		probes->registered = false;
	}
	mutex_unlock(&probes_lock);
}

#define DROP_AFTER	(HZ / 10)

int pmuctl_probes_take(struct pmuctl_probes *probes,
		       const struct pmuctl_why *why)
{
	int err = 0;

	mutex_lock(&probes_lock);
	if (!probes->registered)
		err = register_all(probes, why);
	if (!err) {
		probes->registered = true;
		probes->takers++;
	}
	mutex_unlock(&probes_lock);
	return err;
}

void pmuctl_probes_release(struct pmuctl_probes *probes)
{
	mutex_lock(&probes_lock);
	if (!--probes->takers)
		mod_delayed_work(pmuctl_unbound_wq, &probes->drop, DROP_AFTER);
	mutex_unlock(&probes_lock);
}

void pmuctl_probes_exit(struct pmuctl_probes *probes)
{
	cancel_delayed_work_sync(&probes->drop);
	pmuctl_probes_drop(&probes->drop.work);
	tracepoint_synchronize_unregister();
}
