// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds which feature of the processor where, and who may.
 */
#include <linux/ctype.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "kmod/features/holds.h"
#include "kmod/features/places.h"
#include "kmod/features/tasks.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/pmu.h"

static unsigned int features;
module_param(features, uint, 0444);
MODULE_PARM_DESC(features,
		 "Let prefetchers be switched: 1: those in Intel's manuals, 2: those that only a tool of Intel's knows as well (default 0: none)");

/* Each is looked at when another comes or goes. */
#define HOLDS_MAX	256

static struct pmuctl_feature_rows rows;
LIST_HEAD(pmuctl_holds);
static unsigned int nr_holds;
static u32 last_id;
/* NULL, or why nothing is held now though somebody holds it. */
static const char *closed;

const struct pmuctl_feature_rows *pmuctl_features(void)
{
	return &rows;
}

bool pmuctl_features_on(void)
{
	unsigned int row;

	for (row = 0; row < rows.nr; row++)
		if (rows.tried[row])
			return features;
	return false;
}

/* --- who has it --- */

bool pmuctl_hold_is_at(const struct pmuctl_hold *hold, unsigned int row,
		       unsigned int cpu)
{
	unsigned int other;

	if (hold->all)
		return pmuctl_place_has(row, cpu);
	for_each_cpu(other, hold->cpus)
		if (pmuctl_place_reaches(row, other, cpu))
			return true;
	return false;
}

struct pmuctl_hold *pmuctl_holder(unsigned int row, unsigned int cpu)
{
	struct pmuctl_hold *hold;

	pmuctl_for_each_hold(hold)
		if (pmuctl_held_of(hold, row) &&
		    pmuctl_hold_is_at(hold, row, cpu))
			return hold;
	return NULL;
}

bool pmuctl_hold_reaches(const struct pmuctl_hold *hold, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < hold->nr; i++)
		if (!cpumask_test_cpu(cpu, hold->cpus) &&
		    pmuctl_hold_is_at(hold, hold->held[i].row, cpu))
			return true;
	return false;
}

struct pmuctl_hold *pmuctl_hold_find(u32 id)
{
	struct pmuctl_hold *hold;

	pmuctl_for_each_hold(hold)
		if (hold->id == id)
			return hold;
	return NULL;
}

/* It goes to terminals of others: control characters do not. */
static void name_holder(struct pmuctl_hold *hold)
{
	char *c;

	hold->pid = get_pid(task_tgid(current));
	get_task_comm(hold->comm, current);
	for (c = hold->comm; *c; c++)
		if (!isascii(*c) || !isprint(*c))
			*c = '?';
}

struct pmuctl_hold *pmuctl_hold_alloc(const struct pmuctl_why *why)
{
	struct pmuctl_hold *hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT);

	if (hold && zalloc_cpumask_var(&hold->cpus, GFP_KERNEL_ACCOUNT)) {
		INIT_LIST_HEAD(&hold->links);
		name_holder(hold);
		return hold;
	}
	kfree(hold);
	pmuctl_why(why, -ENOMEM, "no memory for a hold");
	return NULL;
}

/* A task that forks may still look at it. */
void pmuctl_hold_free(struct pmuctl_hold *hold)
{
	put_pid(hold->pid);
	put_pid(hold->process);
	free_cpumask_var(hold->cpus);
	kfree_rcu(hold, rcu);
}

/* --- whether it may be --- */

const char *pmuctl_feature_refusal(unsigned int row)
{
	if (!rows.tried[row])
		return "not yet: nobody has tried a processor like this one";
	if (!features)
		return "the module was loaded with features=0 (load it anew: rmmod pmuctl; modprobe pmuctl features=1)";
	if (rows.row[row].kind > features)
		return "no manual has it, only a tool of Intel's (load the module anew: rmmod pmuctl; modprobe pmuctl features=2)";
	return closed;
}

/* One of CPUs and one of tasks: a task may run on any CPU. */
static int refuse_other_kind(const struct pmuctl_hold *hold,
			     const struct pmuctl_held *held,
			     const struct pmuctl_hold *other,
			     const struct pmuctl_held *theirs,
			     const struct pmuctl_why *why)
{
	const struct pmuctl_feature_row *feature = &rows.row[held->row];

	return pmuctl_why(why, -EBUSY,
			  "feature %u (bit %u of MSR 0x%x) is asked to be %llu %s, but pid %d (%s) holds it at %llu %s: wait until that has ended, or ask for its value",
			  feature->id, feature->shift, feature->msr,
			  held->value, hold->process ? "for tasks" : "on CPUs",
			  pid_vnr(other->pid), other->comm, theirs->value,
			  other->process ? "for tasks" : "on CPUs");
}

static int check_conflict(const struct pmuctl_hold *hold,
			  const struct pmuctl_held *held,
			  const struct pmuctl_why *why)
{
	const struct pmuctl_feature_row *feature = &rows.row[held->row];
	const struct pmuctl_hold *other;
	const struct pmuctl_held *theirs;
	unsigned int cpu;

	pmuctl_for_each_hold(other) {
		theirs = pmuctl_held_of(other, held->row);
		if (!theirs || theirs->value == held->value)
			continue;
		if (!hold->process != !other->process)
			return refuse_other_kind(hold, held, other, theirs,
						 why);
		for_each_cpu(cpu, hold->cpus)
			if (pmuctl_hold_is_at(other, held->row, cpu))
				return pmuctl_why(why, -EBUSY,
						  "feature %u (bit %u of MSR 0x%x) of CPU %u is asked to be %llu, but pid %d (%s) holds it at %llu: wait until that has ended, or ask for its value",
						  feature->id, feature->shift,
						  feature->msr, cpu,
						  held->value,
						  pid_vnr(other->pid),
						  other->comm, theirs->value);
	}
	return 0;
}

int pmuctl_hold_check(const struct pmuctl_hold *hold,
		      const struct pmuctl_why *why)
{
	const struct pmuctl_feature_row *feature;
	const char *refusal;
	unsigned int i;
	int err = 0;

	if (nr_holds == HOLDS_MAX)
		return pmuctl_why(why, -ENOSPC,
				  "there are %u holds of features, as many as may be: release some",
				  nr_holds);
	for (i = 0; i < hold->nr && !err; i++) {
		feature = &rows.row[hold->held[i].row];
		refusal = pmuctl_feature_refusal(hold->held[i].row);
		if (refusal)
			return pmuctl_why(why, closed == refusal ?
					  -ESHUTDOWN : -EOPNOTSUPP,
					  "feature %u (bit %u of MSR 0x%x) cannot be switched: %s",
					  feature->id, feature->shift,
					  feature->msr, refusal);
		err = check_conflict(hold, &hold->held[i], why);
	}
	if (!err && hold->process)
		err = pmuctl_tasks_check(hold, why);
	return err;
}

/* --- life --- */

void pmuctl_hold_list(struct pmuctl_hold *hold)
{
	hold->id = ++last_id ?: ++last_id;
	list_add_tail(&hold->node, &pmuctl_holds);
	nr_holds++;
}

void pmuctl_hold_unlist(struct pmuctl_hold *hold)
{
	list_del(&hold->node);
	nr_holds--;
}

void pmuctl_holds_close(const char *reason)
{
	closed = reason;
}

bool pmuctl_holds_closed(void)
{
	return closed;
}

static void find_rows(void)
{
	const struct pmuctl_caps *caps;
	u32 kind;

	for (kind = 0; kind < pmuctl_nr_kinds; kind++) {
		caps = pmuctl_kind_caps(kind);
		pmuctl_feature_rows_add(&rows, kind, caps->signature,
					caps->core);
	}
	/* Cores of several kinds are taken for one, whichever a row is of. */
	if (pmuctl_caps.core && !pmuctl_caps.model)
		memset(rows.tried, 0, sizeof(rows.tried));
}

int pmuctl_holds_init(void)
{
	if (features > PMUCTL_FEATURE_KIND_REPORTED)
		return pmuctl_why(NULL, -EINVAL,
				  "features=%u: must be 0 (none), 1 (documented) or 2 (reported as well)",
				  features);
	find_rows();
	return 0;
}
