// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening a software event of the kernel on all that a session watches, and reading the rings
 * that it writes to.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/record/rings.h"

static size_t map_bytes(const struct rings *r)
{
	return r->bytes + (size_t)sysconf(_SC_PAGESIZE);
}

void rings_close(struct rings *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->nr_cpus; i++)
		if (r->cpus[i].page)
			munmap(r->cpus[i].page, map_bytes(r));
	for (i = 0; i < r->nr_fds; i++)
		close(r->fds[i]);
	free(r->cpus);
	free(r->fds);
	free(r->ids);
	free(r);
}

size_t rings_ids(const struct rings *r, const uint64_t **ids)
{
	*ids = r ? r->ids : NULL;
	return r ? r->nr_fds : 0;
}

/* ---- opening --------------------------------------------------------------------- */

static int remember(struct rings *r, int fd)
{
	size_t room = r->room ? r->room * 2 : 16;
	uint64_t *ids;
	int *fds;

	if (r->nr_fds == r->room) {
		fds = reallocarray(r->fds, room, sizeof(*fds));
		if (fds)
			r->fds = fds;
		ids = reallocarray(r->ids, room, sizeof(*ids));
		if (ids)
			r->ids = ids;
		if (!fds || !ids)
			return -ENOMEM;
		r->room = room;
	}
	if (ioctl(fd, PERF_EVENT_IOC_ID, &r->ids[r->nr_fds]))
		return -errno;
	r->fds[r->nr_fds++] = fd;
	return 0;
}

/* The first event of a CPU brings the ring, the others write into it. */
static int join_ring(struct rings *r, struct ring *c, int fd)
{
	void *page;

	if (c->page)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, c->fd) ? -errno : 0;
	page = mmap(NULL, map_bytes(r), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return errno == EPERM || errno == ENOMEM ? -ENOBUFS : -errno;
	c->page = page;
	c->fd = fd;
	return 0;
}

static int open_one(struct rings *r, const struct perf_event_attr *attr, int pid, size_t cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	int err;

	/* A CPU that is not there now, or a thread that has ended. */
	if (fd < 0)
		return errno == ENODEV || errno == ESRCH ? 0 : -errno;
	err = join_ring(r, &r->cpus[cpu], fd);
	if (!err)
		err = remember(r, fd);
	if (err && (!r->nr_fds || r->fds[r->nr_fds - 1] != fd))
		close(fd);
	return err;
}

static int open_everywhere(struct rings *r, const struct perf_event_attr *attr, int pid)
{
	size_t cpu;
	int err = 0;

	for (cpu = 0; !err && cpu < r->nr_cpus; cpu++)
		err = open_one(r, attr, pid, cpu);
	return err;
}

static int open_threads(struct rings *r, const struct perf_event_attr *attr, uint32_t pid)
{
	uint32_t *tids = NULL;
	size_t i, count = 0;
	int err = dump_list_threads(pid, &tids, &count);

	for (i = 0; !err && i < count; i++)
		err = open_everywhere(r, attr, (int)tids[i]);
	/* Without /proc: the first one's number is known. */
	if (!err && !count)
		err = open_everywhere(r, attr, (int)pid);
	free(tids);
	return err;
}

static int open_targets(struct rings *r, const struct pmuctl_session *session,
			const struct perf_event_attr *attr)
{
	size_t i;
	int err = 0;

	if (!names_tasks(session))
		return open_everywhere(r, attr, -1);
	for (i = 0; !err && i < session->nr_targets; i++)
		err = session->target_kind == PMUCTL_A_SESSION_PID ?
			      open_threads(r, attr, session->targets[i]) :
			      open_everywhere(r, attr, (int)session->targets[i]);
	return err;
}

static struct rings *make_rings(size_t bytes)
{
	struct rings *r = calloc(1, sizeof(*r));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (!r)
		return NULL;
	r->bytes = bytes;
	r->nr_cpus = cpus > 0 ? (size_t)cpus : 1;
	r->cpus = calloc(r->nr_cpus, sizeof(*r->cpus));
	if (r->cpus)
		return r;
	free(r);
	return NULL;
}

int rings_open(const struct pmuctl_session *session, const struct perf_event_attr *attr,
	       size_t bytes, struct rings **rings)
{
	struct rings *r = make_rings(bytes);
	int err = r ? open_targets(r, session, attr) : -ENOMEM;

	if (!err && !r->nr_fds)
		err = -ESRCH;
	if (err)
		rings_close(r);
	else
		*rings = r;
	return err;
}

void rings_control(const struct rings *r, unsigned long request)
{
	size_t i;

	/* A thread that has ended has nothing more to tell. */
	for (i = 0; i < r->nr_fds; i++)
		ioctl(r->fds[i], request, 0);
}

int rings_poll(const struct rings *r, int epoll_fd)
{
	/* A thread that has ended has an end of file for ever, which is to be told once. */
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	size_t i;

	for (i = 0; r && i < r->nr_cpus; i++)
		if (r->cpus[i].page && epoll_ctl(epoll_fd, EPOLL_CTL_ADD, r->cpus[i].fd, &event))
			return -errno;
	return 0;
}

/* ---- taking ----------------------------------------------------------------------- */

int ring_copy(const struct rings *r, size_t cpu, struct dump_buffer *to, size_t *size)
{
	const struct perf_event_mmap_page *page = r->cpus[cpu].page;
	const unsigned char *ring;
	size_t at, first;
	unsigned char *copy;

	*size = 0;
	if (page)
		*size = (size_t)(__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) -
				 page->data_tail);
	if (!*size)
		return 0;
	copy = dump_room(to, *size);
	if (!copy)
		return -ENOMEM;
	ring = (const unsigned char *)page + sysconf(_SC_PAGESIZE);
	at = page->data_tail & (r->bytes - 1);
	first = r->bytes - at < *size ? r->bytes - at : *size;
	memcpy(copy, ring + at, first);
	memcpy(copy + first, ring, *size - first);
	return 0;
}

size_t ring_advance(const struct rings *r, size_t cpu, size_t size)
{
	struct perf_event_mmap_page *page = r->cpus[cpu].page;
	uint64_t head;

	if (!page)
		return 0;
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	__atomic_store_n(&page->data_tail, page->data_tail + size, __ATOMIC_RELEASE);
	return (size_t)(head - page->data_tail) + size;
}
