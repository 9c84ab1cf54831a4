// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last branches are read once an interrupt, or once a switch, whoever
 * needs them; each event gets those of its own rings.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "kmod/pmu/lbr.h"
#include "kmod/sample/branches.h"

struct branches {
	bool kept;
	unsigned int n;
	struct pmuctl_branch all[PMUCTL_LBR_MAX];
	struct pmuctl_branch seen[PMUCTL_LBR_MAX];
};

/* Allocated: modules have little per CPU. */
static struct branches __percpu *branches;

int pmuctl_branches_init(void)
{
	if (!pmuctl_caps.lbr_depth)
		return 0;
	branches = alloc_percpu(struct branches);
	return branches ? 0 : -ENOMEM;
}

void pmuctl_branches_exit(void)
{
	free_percpu(branches);
}

void pmuctl_branches_keep(const struct pmuctl_regs *regs)
{
	struct branches *here;

	if (likely(!regs->lbr))
		return;
	here = this_cpu_ptr(branches);
	if (here->kept)
		return;
	here->n = pmuctl_lbr_read(regs, here->all);
	here->kept = true;
}

static unsigned int nr_known(const struct pmuctl_branch *all, unsigned int nr)
{
	unsigned int n = 0;

	while (n < nr && n < PMUCTL_LBR_MAX && all[n].from)
		n++;
	return n;
}

const struct pmuctl_branch *
pmuctl_branches_in(const struct pmuctl_branch *all, unsigned int nr,
		   const struct pmuctl_event *event, unsigned int *n)
{
	struct branches *here = this_cpu_ptr(branches);

	*n = nr_known(all, nr);
	memcpy(here->seen, all, *n * sizeof(all[0]));
	*n = pmuctl_lbr_filter(event, here->seen, *n);
	return here->seen;
}

const struct pmuctl_branch *
pmuctl_branches_of(const struct pmuctl_event *event, unsigned int *n)
{
	const struct branches *here = this_cpu_ptr(branches);

	return pmuctl_branches_in(here->all, here->kept ? here->n : 0, event,
				  n);
}

void pmuctl_branches_drop(void)
{
	this_cpu_ptr(branches)->kept = false;
}

void pmuctl_branches_done(const struct pmuctl_regs *regs)
{
	if (likely(!regs->lbr))
		return;
	this_cpu_ptr(branches)->kept = false;
	pmuctl_lbr_go(regs);
}
