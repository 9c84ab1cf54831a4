// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features of the processor that somebody holds at a value: set on CPUs, and
 * as they were found when nobody holds them any more.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include "kmod/features/features.h"
#include "kmod/features/field.h"
#include "kmod/features/holds.h"
#include "kmod/features/places.h"
#include "kmod/features/tasks.h"
#include "kmod/pmu/pmu.h"
#include "kmod/state/session.h"

struct feature_cpu {
	/* Of the places that this CPU stands for. */
	struct pmuctl_field field[PMUCTL_FEATURES_MAX];
	enum pmuctl_field_trouble trouble;
	u64 read;			/* instead of what was written */
};

/* Allocated: modules have little per CPU. */
static struct feature_cpu __percpu *feature_cpus;
static const struct pmuctl_feature_rows *rows;
/* Of who has the lock: places, and CPUs that are to do something. */
static cpumask_var_t places, others, doers;

static struct feature_cpu *of_cpu(unsigned int cpu)
{
	return per_cpu_ptr(feature_cpus, cpu);
}

static struct pmuctl_field *field_at(unsigned int row, unsigned int cpu)
{
	return &of_cpu(pmuctl_place_of(row, cpu))->field[row];
}

/* --- giving back --- */

/* Of a register that is a module's each of its cores has something to tell. */
static bool is_told(const struct pmuctl_hold *hold, unsigned int row,
		    unsigned int cpu)
{
	u32 i;

	for (i = 0; i < hold->nr_left; i++)
		if (hold->left[i].id == rows->row[row].id &&
		    pmuctl_place_reaches(row, hold->left[i].cpu, cpu))
			return true;
	return false;
}

/*
 * Each hold of it, of tasks or of CPUs, is told, as far as there is room; and
 * the kernel's log.
 */
static void tell_left(unsigned int row, unsigned int cpu, bool tasks,
		      const struct pmuctl_field *field)
{
	const struct pmuctl_feature_row *feature = &rows->row[row];
	struct pmuctl_hold *hold;

	pr_notice_ratelimited("bit %u of MSR 0x%x of CPU %u was held at %llu and is %llu: somebody else wrote it, so it is left as it is\n",
			      feature->shift, feature->msr, cpu, field->wrote,
			      field->read);
	pmuctl_for_each_hold(hold) {
		if (!pmuctl_held_of(hold, row) || !hold->process == tasks ||
		    (!tasks && !pmuctl_hold_is_at(hold, row, cpu)) ||
		    is_told(hold, row, cpu) ||
		    hold->nr_left == ARRAY_SIZE(hold->left))
			continue;
		hold->left[hold->nr_left++] = (struct pmuctl_feature_left) {
			.id = feature->id,
			.cpu = cpu,
			.wrote = field->wrote,
			.now = field->read,
		};
	}
}

/* What looks at these CPUs found that tasks had. */
static void tell_tasks(const struct cpumask *cpus)
{
	struct pmuctl_field field;
	unsigned int cpu, row;

	for_each_cpu(cpu, cpus)
		for (row = 0; row < rows->nr; row++)
			if (pmuctl_tasks_lost(cpu, row, &field))
				tell_left(row, cpu, true, &field);
}

/* One field of the CPU that runs is read or written, with no task's value. */
struct doing {
	void (*what)(const struct doing *doing, struct pmuctl_field *field,
		     struct feature_cpu *me);
	unsigned int row;
	u64 value;
};

static void do_here(void *info)
{
	const struct doing *doing = info;
	unsigned int cpu = smp_processor_id();
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_tasks_off_here();
	doing->what(doing, field_at(doing->row, cpu), of_cpu(cpu));
	pmuctl_tasks_on_here();
	local_irq_restore(flags);
}

static void do_on(const struct cpumask *cpus, const struct doing *doing)
{
	on_each_cpu_mask(cpus, do_here, (void *)doing, true);
}

/*
 * On all CPUs that give a field back before one of them does so: what one
 * writes may be what another one reads.
 */
static void look_for_others(const struct doing *doing,
			    struct pmuctl_field *field, struct feature_cpu *me)
{
	me->trouble = PMUCTL_FIELD_SET;
	if (field->held &&
	    !pmuctl_field_is_ours(&rows->row[doing->row], field))
		me->trouble = PMUCTL_FIELD_SWALLOWED;
}

static void give_back_own(const struct doing *doing,
			  struct pmuctl_field *field, struct feature_cpu *me)
{
	if (field->held && me->trouble == PMUCTL_FIELD_SET)
		pmuctl_field_give_back(&rows->row[doing->row], field);
	field->held = false;
}

static void tell_trouble(unsigned int row, const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (of_cpu(cpu)->trouble != PMUCTL_FIELD_SET)
			tell_left(row, cpu, false, field_at(row, cpu));
}

/* Of the places in this mask. */
static void give_back(unsigned int row, const struct cpumask *of)
{
	const struct doing look = { look_for_others, row },
			   back = { give_back_own, row };

	pmuctl_places_online(row, of, doers);
	do_on(doers, &look);
	do_on(doers, &back);
	tell_trouble(row, doers);
}

/* What no other hold wants there. */
static void give_back_row(struct pmuctl_hold *hold, unsigned int row)
{
	struct pmuctl_hold *other;

	pmuctl_places_of(row, hold->cpus, places);
	pmuctl_for_each_hold(other) {
		if (other == hold || !pmuctl_held_of(other, row))
			continue;
		pmuctl_places_of(row, other->cpus, others);
		cpumask_andnot(places, places, others);
	}
	give_back(row, places);
}

static void give_back_all(void)
{
	unsigned int row;

	pmuctl_tasks_pause();
	tell_tasks(cpu_online_mask);
	for (row = 0; row < rows->nr; row++) {
		pmuctl_places_of(row, cpu_possible_mask, places);
		give_back(row, places);
	}
}

/* --- setting --- */

static void find_field(const struct doing *doing, struct pmuctl_field *field,
		       struct feature_cpu *me)
{
	me->trouble = field->held ? PMUCTL_FIELD_SET :
		      pmuctl_field_find(&rows->row[doing->row], field);
}

static void hold_field(const struct doing *doing, struct pmuctl_field *field,
		       struct feature_cpu *me)
{
	/* It is, if another hold has the same value. */
	if (!field->held && me->trouble == PMUCTL_FIELD_SET)
		me->trouble = pmuctl_field_hold(&rows->row[doing->row],
						doing->value, field);
	me->read = field->read;
}

/* Whether a switch can set it, and back as it was. */
static void try_field(const struct doing *doing, struct pmuctl_field *unused,
		      struct feature_cpu *me)
{
	const struct pmuctl_feature_row *row = &rows->row[doing->row];
	struct pmuctl_field field = { };

	me->trouble = pmuctl_field_find(row, &field);
	if (me->trouble == PMUCTL_FIELD_SET)
		me->trouble = pmuctl_field_hold(row, doing->value, &field);
	me->read = field.read;
	if (field.held)
		pmuctl_field_give_back(row, &field);
}

/*
 * One that comes to a module whose other cores hold it already may find what
 * these have written: what it was before they know.
 */
static void find_what_others_found(unsigned int row, unsigned int cpu)
{
	struct pmuctl_field *field = field_at(row, cpu), *theirs;
	unsigned int other;

	for_each_online_cpu(other) {
		theirs = field_at(row, other);
		if (theirs->held && theirs->wrote == field->found &&
		    pmuctl_place_reaches(row, cpu, other)) {
			field->found = theirs->found;
			return;
		}
	}
}

/* Found everywhere before it is written anywhere, as behind a hold. */
static void hold_on(const struct cpumask *cpus, const struct pmuctl_held *held)
{
	const struct doing look = { find_field, held->row },
			   set = { hold_field, held->row, held->value };
	unsigned int cpu;

	do_on(cpus, &look);
	for_each_cpu(cpu, cpus)
		if (!field_at(held->row, cpu)->held)
			find_what_others_found(held->row, cpu);
	do_on(cpus, &set);
}

static int hold_refused(const struct pmuctl_held *held, unsigned int cpu,
			const struct pmuctl_why *why)
{
	const struct pmuctl_feature_row *feature = &rows->row[held->row];

	switch (of_cpu(cpu)->trouble) {
	case PMUCTL_FIELD_MISSING:
		return pmuctl_why(why, -EIO,
				  "feature %u (bit %u of MSR 0x%x) of CPU %u: there is no such register; a hypervisor may keep it to itself",
				  feature->id, feature->shift, feature->msr,
				  cpu);
	case PMUCTL_FIELD_FAULTS:
		return pmuctl_why(why, -EIO,
				  "feature %u (bit %u of MSR 0x%x) of CPU %u: the processor refuses that it is written; firmware may have locked it, or a hypervisor keeps it to itself",
				  feature->id, feature->shift, feature->msr,
				  cpu);
	default:
		return pmuctl_why(why, -EIO,
				  "feature %u (bit %u of MSR 0x%x) of CPU %u: written %llu, reads %llu; a hypervisor swallows what is written there, so it cannot be switched on this machine",
				  feature->id, feature->shift, feature->msr,
				  cpu, held->value, of_cpu(cpu)->read);
	}
}

static int set_row(const struct pmuctl_hold *hold,
		   const struct pmuctl_held *held, const struct pmuctl_why *why)
{
	const struct doing trying = { try_field, held->row, held->value };
	unsigned int cpu;

	pmuctl_places_of(held->row, hold->process ? cpu_online_mask :
						    hold->cpus, places);
	pmuctl_places_online(held->row, places, doers);
	if (hold->process)
		do_on(doers, &trying);
	else
		hold_on(doers, held);
	for_each_cpu(cpu, doers)
		if (of_cpu(cpu)->trouble != PMUCTL_FIELD_SET)
			return hold_refused(held, cpu, why);
	return 0;
}

/* --- life --- */

int pmuctl_hold_begin(struct pmuctl_hold *hold,
		      const struct pmuctl_socket *owner,
		      const struct pmuctl_why *why)
{
	unsigned int i;
	int err;

	if (!try_module_get(THIS_MODULE))
		return pmuctl_why_unloading(why);
	if (hold->process) {
		err = pmuctl_tasks_take(why);
		if (err)
			goto err_module;
	}
	pmuctl_places_learn();
	err = pmuctl_hold_check(hold, why);
	if (err)
		goto err_tasks;
	err = pmuctl_socket_hold(owner, PMUCTL_OWNED_HOLD);
	if (err) {
		pmuctl_why(why, err, "no memory for a hold");
		goto err_tasks;
	}
	for (i = 0; i < hold->nr && !err; i++)
		err = set_row(hold, &hold->held[i], why);
	if (!err && hold->process)
		err = pmuctl_tasks_begin(hold, why);
	tell_tasks(cpu_online_mask);
	if (err)
		goto err_set;
	hold->owner = *owner;
	pmuctl_hold_list(hold);
	return 0;

err_set:
	/* The last one in part. */
	while (i--)
		give_back_row(hold, hold->held[i].row);
	pmuctl_socket_put(owner, PMUCTL_OWNED_HOLD);
err_tasks:
	if (hold->process)
		pmuctl_tasks_release();
err_module:
	module_put(THIS_MODULE);
	return err;
}

void pmuctl_hold_end(struct pmuctl_hold *hold)
{
	unsigned int i;

	for (i = hold->nr; i--;)
		give_back_row(hold, hold->held[i].row);
	if (hold->process)
		pmuctl_tasks_end(hold);
	tell_tasks(cpu_online_mask);
	pmuctl_hold_unlist(hold);
	pmuctl_socket_put(&hold->owner, PMUCTL_OWNED_HOLD);
	if (hold->process)
		pmuctl_tasks_release();
	module_put(THIS_MODULE);
}

void pmuctl_features_end_closed(u32 portid)
{
	struct pmuctl_hold *hold, *next;

	if (!pmuctl_socket_owns(portid, PMUCTL_OWNED_HOLD))
		return;
	pmuctl_lock(true);
	list_for_each_entry_safe(hold, next, &pmuctl_holds, node) {
		if (hold->owner.portid != portid ||
		    !pmuctl_socket_closed(&hold->owner))
			continue;
		pmuctl_hold_end(hold);
		pmuctl_hold_free(hold);
	}
	pmuctl_unlock(true);
}

/* --- looks --- */

struct look {
	unsigned int row;
	bool there;
	u64 value;
};

static void look_here(void *info)
{
	struct look *look = info;

	pmuctl_tasks_look_here();
	look->there = pmuctl_field_read(&rows->row[look->row], &look->value);
}

const struct pmuctl_hold *
pmuctl_feature_look(unsigned int row, unsigned int cpu,
		    struct pmuctl_feature_state *state)
{
	const struct pmuctl_field *field = field_at(row, cpu);
	const struct pmuctl_hold *by = pmuctl_holder(row, cpu);
	struct look look = { .row = row };

	smp_call_function_single(cpu, look_here, &look, true);
	tell_tasks(cpumask_of(cpu));
	*state = (struct pmuctl_feature_state) {
		.cpu = cpu,
		.flags = (look.there ? PMUCTL_FEATURE_READ : 0) |
			 (field->held ? PMUCTL_FEATURE_HELD : 0),
		.found = field->held ? field->found : look.value,
		.wrote = field->wrote,
		.now = look.value,
	};
	if (by || !pmuctl_tasks_found(cpu, row, &state->found))
		return by;
	by = pmuctl_tasks_holder(row);
	state->wrote = pmuctl_held_of(by, row)->value;
	state->flags |= PMUCTL_FEATURE_TASKS;
	return by;
}

/* --- CPUs that come and go --- */

/* Firmware may have reset it; what it is now is what was found. */
static void hold_again(unsigned int cpu, const struct pmuctl_held *held)
{
	hold_on(cpumask_of(cpu), held);
	if (of_cpu(cpu)->trouble != PMUCTL_FIELD_SET)
		pr_notice("bit %u of MSR 0x%x of CPU %u cannot be set as it is on others\n",
			  rows->row[held->row].shift, rows->row[held->row].msr,
			  cpu);
}

int pmuctl_features_online(unsigned int cpu)
{
	struct pmuctl_hold *hold;
	unsigned long flags;
	unsigned int i;

	pmuctl_place_learn(cpu);
	if (pmuctl_holds_closed())
		return 0;
	if (pmuctl_tasks_online(cpu))
		return -EBUSY;
	pmuctl_for_each_hold(hold)
		for (i = 0; i < hold->nr; i++)
			if (pmuctl_hold_is_at(hold, hold->held[i].row, cpu))
				hold_again(cpu, &hold->held[i]);
	local_irq_save(flags);
	pmuctl_tasks_start_here();
	local_irq_restore(flags);
	return 0;
}

/* Behind another one of the module that gave it back; else it is as it was. */
static void hold_on_still(const struct doing *doing,
			  struct pmuctl_field *field, struct feature_cpu *me)
{
	if (field->held)
		pmuctl_field_hold(&rows->row[doing->row], field->wrote, field);
}

/* The cores of its module that stay keep it. */
static void leave_to_others(unsigned int row, unsigned int cpu)
{
	const struct doing still = { hold_on_still, row };

	pmuctl_places_of(row, cpumask_of(cpu), places);
	cpumask_clear_cpu(pmuctl_place_of(row, cpu), places);
	pmuctl_places_online(row, places, doers);
	do_on(doers, &still);
}

void pmuctl_features_offline(unsigned int cpu)
{
	unsigned long flags;
	unsigned int row;

	/* Tasks that are still to be moved from here may run once more. */
	local_irq_save(flags);
	pmuctl_tasks_stop_here();
	local_irq_restore(flags);
	tell_tasks(cpumask_of(cpu));
	for (row = 0; row < rows->nr; row++) {
		if (!pmuctl_place_has(row, cpu) ||
		    !pmuctl_place_is_last(row, cpu) ||
		    !field_at(row, cpu)->held)
			continue;
		give_back(row, cpumask_of(pmuctl_place_of(row, cpu)));
		if (of_cpu(cpu)->trouble == PMUCTL_FIELD_SET)
			leave_to_others(row, cpu);
	}
}

/* --- pauses --- */

void pmuctl_features_pause(void)
{
	pmuctl_lock(true);
	pmuctl_holds_close("the machine goes to sleep; try again when it is awake");
	give_back_all();
	pmuctl_unlock(true);
}

void pmuctl_features_shutdown(void)
{
	pmuctl_lock(true);
	pmuctl_holds_close("the machine goes down");
	give_back_all();
	pmuctl_unlock(true);
}

void pmuctl_features_resume(void)
{
	struct pmuctl_hold *hold;
	unsigned int i;

	pmuctl_lock(true);
	pmuctl_holds_close(NULL);
	/* Firmware may have changed them; what cannot be set is in the log. */
	pmuctl_for_each_hold(hold)
		for (i = 0; i < hold->nr && !hold->process; i++)
			set_row(hold, &hold->held[i], NULL);
	pmuctl_tasks_resume();
	pmuctl_unlock(true);
}

static bool alloc_cpus(void)
{
	feature_cpus = alloc_percpu(struct feature_cpu);
	return feature_cpus && zalloc_cpumask_var(&places, GFP_KERNEL) &&
	       zalloc_cpumask_var(&others, GFP_KERNEL) &&
	       zalloc_cpumask_var(&doers, GFP_KERNEL);
}

static void free_cpus(void)
{
	free_percpu(feature_cpus);
	free_cpumask_var(places);
	free_cpumask_var(others);
	free_cpumask_var(doers);
}

/* Before CPUs that come or go are told of. */
int pmuctl_features_init(void)
{
	int err;

	err = pmuctl_holds_init();
	if (err)
		return err;
	rows = pmuctl_features();
	err = alloc_cpus() ? pmuctl_places_init(rows) : -ENOMEM;
	if (err)
		goto err_cpus;
	err = pmuctl_tasks_init(rows);
	if (err)
		goto err_places;
	return 0;

err_places:
	pmuctl_places_exit();
err_cpus:
	free_cpus();
	return err;
}

/* Every hold holds the module, so there is none. */
void pmuctl_features_exit(void)
{
	pmuctl_tasks_exit();
	pmuctl_places_exit();
	free_cpus();
}
