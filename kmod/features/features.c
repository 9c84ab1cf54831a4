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

static DEFINE_PER_CPU(struct feature_cpu, feature_cpus);
static const struct pmuctl_feature_rows *rows;
/* Of who has the lock: places, and CPUs that are to do something. */
static cpumask_var_t places, others, doers;

static struct feature_cpu *of_cpu(unsigned int cpu)
{
	return per_cpu_ptr(&feature_cpus, cpu);
}

static unsigned int place_of(unsigned int row, unsigned int cpu)
{
	return pmuctl_place_of(rows->row[row].scope, cpu);
}

static struct pmuctl_field *field_at(unsigned int row, unsigned int cpu)
{
	return &of_cpu(place_of(row, cpu))->field[row];
}

/* The places of a row that any of these CPUs is in. */
static void places_of(unsigned int row, const struct cpumask *cpus,
		      struct cpumask *to)
{
	pmuctl_places_of(rows->row[row].scope, cpus, to);
}

/* One CPU that is online of each of these places, as far as there is one. */
static void doers_of(unsigned int row, const struct cpumask *of,
		     struct cpumask *to)
{
	pmuctl_places_online(rows->row[row].scope, of, to);
}

bool pmuctl_feature_is_place(unsigned int row, unsigned int cpu)
{
	return pmuctl_place_first(rows->row[row].scope, cpu) == cpu;
}

/* --- giving back --- */

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

struct give_back {
	unsigned int row;
	/* One CPU is enough to know that all have to be looked at. */
	bool left;
};

static void give_back_here(void *info)
{
	struct give_back *call = info;
	struct pmuctl_field *field = field_at(call->row, smp_processor_id());
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_tasks_off_here();
	of_cpu(smp_processor_id())->trouble = PMUCTL_FIELD_SET;
	if (field->held &&
	    !pmuctl_field_give_back(&rows->row[call->row], field)) {
		of_cpu(smp_processor_id())->trouble = PMUCTL_FIELD_SWALLOWED;
		WRITE_ONCE(call->left, true);
	}
	pmuctl_tasks_on_here();
	local_irq_restore(flags);
}

/* Of the places in this mask. */
static void give_back(unsigned int row, const struct cpumask *of)
{
	struct give_back call = { .row = row };
	unsigned int cpu;

	doers_of(row, of, doers);
	on_each_cpu_mask(doers, give_back_here, &call, true);
	if (!call.left)
		return;
	for_each_cpu(cpu, doers)
		if (of_cpu(cpu)->trouble != PMUCTL_FIELD_SET)
			tell_left(row, cpu, false, field_at(row, cpu));
}

/* What no other hold wants there. */
static void give_back_row(struct pmuctl_hold *hold, unsigned int row)
{
	struct pmuctl_hold *other;

	places_of(row, hold->cpus, places);
	pmuctl_for_each_hold(other) {
		if (other == hold || !pmuctl_held_of(other, row))
			continue;
		places_of(row, other->cpus, others);
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
		places_of(row, cpu_possible_mask, places);
		give_back(row, places);
	}
}

/* --- setting --- */

static void hold_here(void *info)
{
	const struct pmuctl_held *held = info;
	struct feature_cpu *me = of_cpu(smp_processor_id());
	struct pmuctl_field *field = field_at(held->row, smp_processor_id());
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_tasks_off_here();
	/* It is, if another hold has the same value. */
	me->trouble = field->held ? PMUCTL_FIELD_SET :
		      pmuctl_field_hold(&rows->row[held->row], held->value,
					field);
	me->read = field->read;
	pmuctl_tasks_on_here();
	local_irq_restore(flags);
}

/* Whether a switch can set it, and back as it was. */
static void try_here(void *info)
{
	const struct pmuctl_held *held = info;
	struct feature_cpu *me = of_cpu(smp_processor_id());
	struct pmuctl_field field = { };
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_tasks_off_here();
	me->trouble = pmuctl_field_hold(&rows->row[held->row], held->value,
					&field);
	me->read = field.read;
	if (field.held)
		pmuctl_field_give_back(&rows->row[held->row], &field);
	pmuctl_tasks_on_here();
	local_irq_restore(flags);
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
	unsigned int cpu;

	places_of(held->row, hold->process ? cpu_online_mask : hold->cpus,
		  places);
	doers_of(held->row, places, doers);
	on_each_cpu_mask(doers, hold->process ? try_here : hold_here,
			 (void *)held, true);
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

	for (i = 0; i < hold->nr; i++)
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
	if (!field_at(held->row, cpu)->held)
		hold_here((void *)held);
	else
		of_cpu(cpu)->trouble = PMUCTL_FIELD_SET;
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

void pmuctl_features_offline(unsigned int cpu)
{
	struct give_back call = { };
	unsigned long flags;

	/* Tasks that are still to be moved from here may run once more. */
	local_irq_save(flags);
	pmuctl_tasks_stop_here();
	local_irq_restore(flags);
	tell_tasks(cpumask_of(cpu));
	for (call.row = 0; call.row < rows->nr; call.row++) {
		if (!pmuctl_place_is_last(rows->row[call.row].scope, cpu))
			continue;
		call.left = false;
		give_back_here(&call);
		if (call.left)
			tell_left(call.row, cpu, false,
				  field_at(call.row, cpu));
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

static bool alloc_masks(void)
{
	return zalloc_cpumask_var(&places, GFP_KERNEL) &&
	       zalloc_cpumask_var(&others, GFP_KERNEL) &&
	       zalloc_cpumask_var(&doers, GFP_KERNEL);
}

static void free_masks(void)
{
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
	err = alloc_masks() ? pmuctl_places_init() : -ENOMEM;
	if (err)
		goto err_masks;
	err = pmuctl_tasks_init(rows);
	if (err)
		goto err_places;
	return 0;

err_places:
	pmuctl_places_exit();
err_masks:
	free_masks();
	return err;
}

/* Every hold holds the module, so there is none. */
void pmuctl_features_exit(void)
{
	pmuctl_tasks_exit();
	pmuctl_places_exit();
	free_masks();
}
