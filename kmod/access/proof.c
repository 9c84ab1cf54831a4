// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether who asks may look into a task, as ptrace and the security modules
 * have it.
 *
 * Nothing that is exported asks that.  Opening /proc/TID/environ does, of
 * whoever opens it: the opener's credentials, Landlock, AppArmor, SELinux.
 * What was opened keeps the memory that the answer is about, so the task is
 * still the same one as long as it has that.
 *
 * procfs is mounted for this alone: the sender's own may be another, or none,
 * or a file system of the sender's making.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/mount.h>
#include <linux/path.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "kmod/access/proof.h"
#include "kmod/base/why.h"

static struct vfsmount *proc;

/* By a worker, since a mount is of its maker's PID namespace. */
static void mount_proc(struct work_struct *work)
{
	struct file_system_type *type = get_fs_type("proc");

	proc = type ? kern_mount(type) : ERR_PTR(-ENODEV);
}

int pmuctl_proof_init(void)
{
	struct work_struct work;

	INIT_WORK_ONSTACK(&work, mount_proc);
	schedule_work(&work);
	flush_work(&work);
	destroy_work_on_stack(&work);
	return PTR_ERR_OR_ZERO(proc);
}

void pmuctl_proof_exit(void)
{
	kern_unmount(proc);
}

static struct file *open_environ(struct task_struct *task)
{
	const struct path root = { .mnt = proc, .dentry = proc->mnt_root };
	char name[32];

	scnprintf(name, sizeof(name), "%d/environ",
		  task_pid_nr_ns(task, &init_pid_ns));
	return file_open_root(&root, name, O_RDONLY, 0);
}

/* Own threads, and whoever else shares the memory, are nobody else. */
int pmuctl_prove(struct task_struct *task, struct pmuctl_proof *proof)
{
	struct file *file;

	*proof = (struct pmuctl_proof){ .mm = READ_ONCE(task->mm) };
	if (!proof->mm || proof->mm == current->mm)
		return 0;
	file = open_environ(task);
	if (IS_ERR(file)) {
		*proof = (struct pmuctl_proof){ };
		return PTR_ERR(file);
	}
	proof->mm = file->private_data;
	proof->file = file;
	return 0;
}

static const char *words(int err)
{
	switch (err) {
	case -EACCES:
		return "Permission denied";
	case -EPERM:
		return "Operation not permitted";
	case -EINTR:
		return "Interrupted system call";
	default:
		return "it cannot be opened";
	}
}

int pmuctl_prove_or_say(struct task_struct *task, struct pmuctl_proof *proof,
			const struct nlattr *attr, const struct pmuctl_why *why)
{
	int err = pmuctl_prove(task, proof);

	/* Gone meanwhile: who attaches it says so. */
	if (!err || err == -ENOENT || err == -ESRCH)
		return 0;
	return pmuctl_why_attr(why, attr, err == -EPERM ? -EACCES : err,
			       "/proc/%d/environ: %s: what may not look into a task may not count it either (a security module as Landlock, AppArmor or SELinux may be why); CAP_PERFMON is needed",
			       task_pid_vnr(task), words(err));
}

void pmuctl_proof_drop(struct pmuctl_proof *proof)
{
	if (proof->file)
		fput(proof->file);
	*proof = (struct pmuctl_proof){ };
}
