// SPDX-License-Identifier: GPL-2.0-only
/*
 * A descriptor that reads what a session has counted: one system call, where a
 * netlink message and its answer cost several times what they carry.
 *
 * It knows the session by its ID alone, so it keeps none alive; who polls it
 * waits at something that both have.
 */
#include <linux/anon_inodes.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kmod/base/why.h"
#include "kmod/sample/ring.h"
#include "kmod/session/readfd.h"
#include "kmod/session/self.h"
#include "kmod/state/session.h"

struct pmuctl_watch {
	refcount_t refs;		/* the file, the session */
	u32 id;				/* of the session */
	wait_queue_head_t wait;
	struct pmuctl_self_view self;
};

/* Most sessions are small; more than that many counts are allocated. */
#define COUNTS_ON_STACK		12

/* What an offset means. */
enum {
	SUM,
	EACH,
	OFFSETS
};

/* Into *count, or memory of its own if there are more; returns the bytes. */
static ssize_t take_counts(struct pmuctl_session *session, bool each,
			   size_t room, struct pmuctl_count **count)
{
	size_t nr = pmuctl_session_nr_counts(session, each);

	if (room / sizeof(**count) < nr)
		return -ENOSPC;
	if (nr > COUNTS_ON_STACK)
		*count = kvmalloc_array(nr, sizeof(**count),
					GFP_KERNEL_ACCOUNT);
	if (!*count)
		return -ENOMEM;
	pmuctl_session_counts(session, each, *count);
	return nr * sizeof(**count);
}

/* IDs come again after two billion sessions; what they share does not. */
static struct pmuctl_session *session_of(const struct file *file)
{
	const struct pmuctl_watch *watch = file->private_data;
	struct pmuctl_session *session = pmuctl_session_find(watch->id);

	return session && session->watch == watch ? session : NULL;
}

static ssize_t take_locked(const struct file *file, bool each, size_t room,
			   struct pmuctl_count **count)
{
	struct pmuctl_session *session;
	ssize_t size = -ENODEV;

	pmuctl_lock(false);
	session = session_of(file);
	if (session)
		size = take_counts(session, each, room, count);
	pmuctl_unlock(false);
	return size;
}

/*
 * Copied without the locks: a fault on the reader's page takes as long as
 * whoever backs it likes (FUSE, userfaultfd), and sessions, CPU hotplug and a
 * reboot would all wait for it.
 */
static ssize_t read_counts(struct file *file, char __user *to, size_t room,
			   loff_t *offset)
{
	struct pmuctl_count few[COUNTS_ON_STACK], *count = few;
	ssize_t size;

	if (*offset >= OFFSETS)
		return -EINVAL;
	size = take_locked(file, *offset == EACH, room, &count);
	if (size > 0 && copy_to_user(to, count, size))
		size = -EFAULT;
	if (count != few)
		kvfree(count);
	return size;
}

/* --- polling --- */

/*
 * A dump may have taken since what the reader was told of, so that nobody
 * would tell it again: from here on somebody does.
 */
static bool has_enough(const struct pmuctl_session *session)
{
	struct pmuctl_ring *ring;
	unsigned int cpu;

	if (!session->ring)
		return false;
	for_each_possible_cpu(cpu) {
		ring = session->ring[cpu];
		if (!ring)
			continue;
		pmuctl_ring_listen(ring);
		if (pmuctl_ring_used(ring) >= session->watermark)
			return true;
	}
	return false;
}

static __poll_t poll_records(struct file *file, poll_table *table)
{
	struct pmuctl_watch *watch = file->private_data;
	struct pmuctl_session *session;
	__poll_t mask = EPOLLHUP;

	poll_wait(file, &watch->wait, table);
	pmuctl_lock(false);
	session = session_of(file);
	if (session)
		mask = has_enough(session) ? EPOLLIN | EPOLLRDNORM : 0;
	pmuctl_unlock(false);
	return mask;
}

void pmuctl_readfd_wake(struct pmuctl_session *session)
{
	if (session->watch)
		wake_up_interruptible_poll(&session->watch->wait,
					   EPOLLIN | EPOLLRDNORM);
}

static void put_watch(struct pmuctl_watch *watch)
{
	if (!refcount_dec_and_test(&watch->refs))
		return;
	pmuctl_self_view_put(&watch->self);
	kfree(watch);
}

/* Nobody finds it any more, so whoever wakes up sees that. */
void pmuctl_readfd_forget(struct pmuctl_session *session)
{
	struct pmuctl_watch *watch = session->watch;

	if (!watch)
		return;
	session->watch = NULL;
	wake_up_interruptible_poll(&watch->wait, EPOLLHUP);
	put_watch(watch);
}

static int release_watch(struct inode *inode, struct file *file)
{
	put_watch(file->private_data);
	return 0;
}

/*
 * The lock is not taken: whoever has it may wait for memory of a process.
 */
static int map_self(struct file *file, struct vm_area_struct *vma)
{
	const struct pmuctl_watch *watch = file->private_data;

	return pmuctl_self_map(&watch->self, vma);
}

static const struct file_operations readfd_ops = {
	.owner = THIS_MODULE,
	.read = read_counts,
	.poll = poll_records,
	.mmap = map_self,
	.release = release_watch,
};

/* --- making --- */

static struct pmuctl_watch *make_watch(void)
{
	struct pmuctl_watch *watch = kzalloc(sizeof(*watch),
					     GFP_KERNEL_ACCOUNT);

	if (!watch)
		return NULL;
	refcount_set(&watch->refs, 1);
	init_waitqueue_head(&watch->wait);
	return watch;
}

/* It takes the watch with it, if it is made at all. */
static struct file *make_file(void)
{
	struct pmuctl_watch *watch = make_watch();
	struct file *file;

	if (!watch)
		return ERR_PTR(-ENOMEM);
	file = anon_inode_getfile("[pmuctl]", &readfd_ops, watch, O_RDONLY);
	if (IS_ERR(file))
		put_watch(watch);
	return file;
}

static int no_file(int err, const struct pmuctl_why *why)
{
	/* Of the module whose operations they are. */
	if (err == -ENOENT)
		return pmuctl_why_unloading(why);
	if (err == -ENFILE)
		return pmuctl_why(why, err,
				  "no file is left to read the counts by: close some, or raise the machine's limit (sysctl fs.file-max)");
	return pmuctl_why(why, err,
			  "no memory for a descriptor to read the counts");
}

int pmuctl_readfd_make(struct pmuctl_readfd *fd, const struct pmuctl_why *why)
{
	fd->nr = get_unused_fd_flags(O_CLOEXEC);
	if (fd->nr < 0)
		return pmuctl_why(why, fd->nr,
				  "no descriptor is left to read the counts: close some, or raise the limit (ulimit -n)");
	fd->file = make_file();
	if (!IS_ERR(fd->file)) {
		fd->file->f_mode |= FMODE_PREAD;
		return 0;
	}
	put_unused_fd(fd->nr);
	fd->nr = -1;
	return no_file(PTR_ERR(fd->file), why);
}

void pmuctl_readfd_install(struct pmuctl_readfd *fd,
			   struct pmuctl_session *session)
{
	struct pmuctl_watch *watch;

	if (fd->nr < 0)
		return;
	watch = fd->file->private_data;
	watch->id = session->id;
	pmuctl_self_view_get(&watch->self, session);
	refcount_inc(&watch->refs);
	session->watch = watch;
	fd_install(fd->nr, fd->file);
	fd->nr = -1;
}

void pmuctl_readfd_drop(struct pmuctl_readfd *fd)
{
	if (fd->nr < 0)
		return;
	put_unused_fd(fd->nr);
	fput(fd->file);
	fd->nr = -1;
}
