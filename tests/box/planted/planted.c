// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two faults, planted to see that seeds find them: a deadlock of two locks that are
 * taken in both orders, and a wake-up that is lost between a check and the sleep that
 * it leads to.
 *
 * Loading the module with fault=deadlock or fault=wakeup lets two threads on two CPUs
 * meet ROUNDS times, and returns when they are done: never, if the fault bites.  It
 * does where a CPU's turn ends within WINDOW.  With mended=1 it cannot.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>

#define ROUNDS	32
/* Loops of four instructions; all of a round fits into the turns of seed 1, of 20,000. */
#define BEFORE	300
#define WINDOW	250

static char *fault = "";
module_param(fault, charp, 0444);
static bool mended;
module_param(mended, bool, 0444);

struct actor {
	const char *name;
	unsigned int cpu;
	void (*act)(void);
	struct completion go, done;
	struct task_struct *task;
};

static struct actor actors[2] = {
	{ .name = "planted/one", .cpu = 1 },
	{ .name = "planted/two", .cpu = 2 },
};

/* No pause in it, which would end the turn. */
static noinline void work(unsigned int loops)
{
	while (loops--)
		OPTIMIZER_HIDE_VAR(loops);
}

/* The deadlock. */

static DEFINE_MUTEX(first_lock);
static DEFINE_MUTEX(second_lock);

static noinline void deadlock_take(struct mutex *outer, struct mutex *inner)
{
	work(BEFORE);
	mutex_lock(outer);
	work(WINDOW);
	mutex_lock(inner);
	mutex_unlock(inner);
	mutex_unlock(outer);
}

static void deadlock_one(void)
{
	deadlock_take(&first_lock, &second_lock);
}

static void deadlock_two(void)
{
	if (mended)
		deadlock_take(&first_lock, &second_lock);
	else
		deadlock_take(&second_lock, &first_lock);
}

/* The lost wake-up. */

static bool ready;

static noinline void wakeup_sleep(void)
{
	work(BEFORE);
	for (;;) {
		/* To be woken from here on, whatever the check says. */
		if (mended)
			set_current_state(TASK_UNINTERRUPTIBLE);
		if (READ_ONCE(ready))
			break;
		work(WINDOW);
		if (!mended)
			set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(ready, false);
}

static void wakeup_wake(void)
{
	work(BEFORE);
	WRITE_ONCE(ready, true);
	wake_up_process(actors[0].task);
}

static const struct fault {
	const char *name;
	void (*one)(void);
	void (*two)(void);
} faults[] = {
	{ "deadlock", deadlock_one, deadlock_two },
	{ "wakeup", wakeup_sleep, wakeup_wake },
};

static int actor_run(void *data)
{
	struct actor *actor = data;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		wait_for_completion(&actor->go);
		actor->act();
		complete(&actor->done);
	}
	/* The module's code may be gone when its last caller goes on. */
	kthread_complete_and_exit(&actor->done, 0);
}

static int actor_create(struct actor *actor, void (*act)(void))
{
	actor->act = act;
	init_completion(&actor->go);
	init_completion(&actor->done);
	actor->task = kthread_create(actor_run, actor, "%s", actor->name);
	if (IS_ERR(actor->task))
		return PTR_ERR(actor->task);
	kthread_bind(actor->task, actor->cpu);
	return 0;
}

static void meet(void)
{
	int i;

	complete(&actors[0].go);
	complete(&actors[1].go);
	for (i = 0; i < 2; i++)
		wait_for_completion(&actors[i].done);
}

static const struct fault *fault_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		if (!strcmp(faults[i].name, name))
			return &faults[i];
	return NULL;
}

static int __init planted_init(void)
{
	const struct fault *chosen = fault_find(fault);
	int i, err;

	if (!chosen)
		return -EINVAL;
	err = actor_create(&actors[0], chosen->one);
	if (err)
		return err;
	err = actor_create(&actors[1], chosen->two);
	if (err) {
		kthread_stop(actors[0].task);
		return err;
	}
	for (i = 0; i < 2; i++)
		wake_up_process(actors[i].task);
	for (i = 0; i < ROUNDS; i++)
		meet();
	for (i = 0; i < 2; i++)
		wait_for_completion(&actors[i].done);
	return 0;
}

static void __exit planted_exit(void)
{
}

module_init(planted_init);
module_exit(planted_exit);
MODULE_DESCRIPTION("Faults planted for the tests of the box");
MODULE_LICENSE("GPL");
