/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holds of tasks: their values are there while one of the tasks runs, and what
 * was found is there while it does not.
 */
#ifndef PMUCTL_FEATURE_TASKS_H
#define PMUCTL_FEATURE_TASKS_H

#include <linux/types.h>

struct pmuctl_feature_rows;
struct pmuctl_feature_state;
struct pmuctl_field;
struct pmuctl_hold;
struct pmuctl_why;

int pmuctl_tasks_init(const struct pmuctl_feature_rows *of);
void pmuctl_tasks_exit(void);

/* The rest with pmuctl_lock(true), or where a CPU comes or goes. */

/*
 * From here on switches are seen, until it is released.  CPUs may come and go
 * in between.
 */
int pmuctl_tasks_take(const struct pmuctl_why *why);
void pmuctl_tasks_release(void);

/* 0, or why its fields are no task's here. */
int pmuctl_tasks_check(const struct pmuctl_hold *hold,
		       const struct pmuctl_why *why);
/* Its process has them from now on, and whatever that starts. */
int pmuctl_tasks_begin(struct pmuctl_hold *hold, const struct pmuctl_why *why);
/* No task has them any more, wherever it runs. */
void pmuctl_tasks_end(struct pmuctl_hold *hold);
/* The first that holds this row, NULL: none. */
const struct pmuctl_hold *pmuctl_tasks_holder(unsigned int row);

/*
 * On this CPU, IRQs off: no task's value is there, until the second.  Around
 * everything else that reads or writes a field to keep it.
 */
void pmuctl_tasks_off_here(void);
void pmuctl_tasks_on_here(void);
/* The same, and switches write nothing until it is started again. */
void pmuctl_tasks_stop_here(void);
void pmuctl_tasks_start_here(void);
/* Looks whether somebody else wrote what tasks have. */
void pmuctl_tasks_look_here(void);
/* What a look of this CPU found; wrote and read are filled.  Tells it once. */
bool pmuctl_tasks_lost(unsigned int cpu, unsigned int row,
		       struct pmuctl_field *field);
/* Without tasks' values; false: no task holds it there. */
bool pmuctl_tasks_found(unsigned int cpu, unsigned int row, u64 *found);

/* While the machine sleeps nothing is written. */
void pmuctl_tasks_pause(void);
void pmuctl_tasks_resume(void);
/*
 * -EBUSY, and it is said in the kernel's log, if a CPU that comes is another
 * thread of a core, and so may not.
 */
int pmuctl_tasks_online(unsigned int cpu);

#endif
