// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers as vhost makes them, which Debian's cloud kernel has not on 6.1: whoever opens
 * /proc/vhost-like has one of its own until the file is closed, and each write to it has
 * that do WORK instructions before it returns.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/version.h>

#define WORK 20000000

struct worker {
	bool asked;
	struct completion done;
	void *task;
};

/* Whether there was something to do. */
static bool do_work(void *data)
{
	struct worker *worker = data;
	unsigned long rounds = WORK / 2;

	if (!xchg(&worker->asked, false))
		return false;
	__set_current_state(TASK_RUNNING);
	asm volatile("1: dec %0; jnz 1b" : "+r" (rounds));
	complete(&worker->done);
	return true;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)

static int run(void *data)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		if (!do_work(data))
			schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void *worker_start(struct worker *worker)
{
	struct task_struct *task = kthread_create(run, worker, "vhost-%d",
						  current->pid);

	if (!IS_ERR(task))
		wake_up_process(task);
	return task;
}

static void worker_wake(struct worker *worker)
{
	wake_up_process(worker->task);
}

static void worker_stop(struct worker *worker)
{
	kthread_stop(worker->task);
}

#else
#include <linux/sched/vhost_task.h>

static void killed(void *data)
{
}

static void *worker_start(struct worker *worker)
{
	char name[TASK_COMM_LEN];
	struct vhost_task *task;

	snprintf(name, sizeof(name), "vhost-%d", current->pid);
	task = vhost_task_create(do_work, killed, worker, name);
	if (!task)
		return ERR_PTR(-ENOMEM);
	vhost_task_start(task);
	return task;
}

static void worker_wake(struct worker *worker)
{
	vhost_task_wake(worker->task);
}

static void worker_stop(struct worker *worker)
{
	vhost_task_stop(worker->task);
}

#endif

static int like_open(struct inode *inode, struct file *file)
{
	struct worker *worker = kzalloc(sizeof(*worker), GFP_KERNEL);

	if (!worker)
		return -ENOMEM;
	init_completion(&worker->done);
	worker->task = worker_start(worker);
	if (IS_ERR(worker->task)) {
		int err = PTR_ERR(worker->task);

		kfree(worker);
		return err;
	}
	file->private_data = worker;
	return 0;
}

static ssize_t like_write(struct file *file, const char __user *text,
			  size_t size, loff_t *at)
{
	struct worker *worker = file->private_data;

	WRITE_ONCE(worker->asked, true);
	worker_wake(worker);
	wait_for_completion(&worker->done);
	return size;
}

static int like_release(struct inode *inode, struct file *file)
{
	struct worker *worker = file->private_data;

	worker_stop(worker);
	kfree(worker);
	return 0;
}

static const struct proc_ops like_ops = {
	.proc_open = like_open,
	.proc_write = like_write,
	.proc_release = like_release,
};

static int __init like_init(void)
{
	return proc_create("vhost-like", 0600, NULL, &like_ops) ? 0 : -ENOMEM;
}

static void __exit like_exit(void)
{
	remove_proc_entry("vhost-like", NULL);
}

module_init(like_init);
module_exit(like_exit);

MODULE_DESCRIPTION("Workers like vhost's");
MODULE_LICENSE("GPL");
