// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What happens to tasks while they are sampled: the kernel tells it through a
 * software event that counts nothing and needs no hardware, one a CPU (and a
 * task), each CPU's into one ring of memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/record/dump.h"

/* An exec of a program with some twenty libraries is about 3 KiB of it. */
#define RING_BYTES (128u << 10)

struct sideband_cpu {
	struct perf_event_mmap_page *page;	/* NULL: none */
	int fd;			/* whose ring it is */
};

struct sideband {
	struct sideband_cpu *cpus;
	size_t nr_cpus;
	int *fds;
	uint64_t *ids;
	size_t nr_fds, room;
};

static size_t ring_bytes(void)
{
	return RING_BYTES;
}

static size_t map_bytes(void)
{
	return ring_bytes() + (size_t)sysconf(_SC_PAGESIZE);
}

void sideband_close(struct sideband *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr_cpus; i++)
		if (s->cpus[i].page)
			munmap(s->cpus[i].page, map_bytes());
	for (i = 0; i < s->nr_fds; i++)
		close(s->fds[i]);
	free(s->cpus);
	free(s->fds);
	free(s->ids);
	free(s);
}

size_t sideband_ids(const struct sideband *s, const uint64_t **ids)
{
	*ids = s ? s->ids : NULL;
	return s ? s->nr_fds : 0;
}

/* ---- opening --------------------------------------------------------------------- */

static int remember(struct sideband *s, int fd)
{
	size_t room = s->room ? s->room * 2 : 16;
	uint64_t *ids;
	int *fds;

	if (s->nr_fds == s->room) {
		fds = reallocarray(s->fds, room, sizeof(*fds));
		if (fds)
			s->fds = fds;
		ids = reallocarray(s->ids, room, sizeof(*ids));
		if (ids)
			s->ids = ids;
		if (!fds || !ids)
			return -ENOMEM;
		s->room = room;
	}
	if (ioctl(fd, PERF_EVENT_IOC_ID, &s->ids[s->nr_fds]))
		return -errno;
	s->fds[s->nr_fds++] = fd;
	return 0;
}

/* The first event of a CPU brings the ring, the others write into it. */
static int join_ring(struct sideband_cpu *c, int fd)
{
	void *page;

	if (c->page)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, c->fd) ? -errno : 0;
	page = mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	c->page = page;
	c->fd = fd;
	return 0;
}

static int open_one(struct sideband *s, const struct perf_event_attr *attr, int pid, size_t cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	int err;

	/* A CPU that is not there now, or a thread that has ended. */
	if (fd < 0)
		return errno == ENODEV || errno == ESRCH ? 0 : -errno;
	err = join_ring(&s->cpus[cpu], fd);
	if (!err)
		err = remember(s, fd);
	if (err && (!s->nr_fds || s->fds[s->nr_fds - 1] != fd))
		close(fd);
	return err;
}

static int open_everywhere(struct sideband *s, const struct perf_event_attr *attr, int pid)
{
	size_t cpu;
	int err = 0;

	for (cpu = 0; !err && cpu < s->nr_cpus; cpu++)
		err = open_one(s, attr, pid, cpu);
	return err;
}

static int open_threads(struct sideband *s, const struct perf_event_attr *attr, uint32_t pid)
{
	uint32_t *tids = NULL;
	size_t i, count = 0;
	int err = dump_list_threads(pid, &tids, &count);

	for (i = 0; !err && i < count; i++)
		err = open_everywhere(s, attr, (int)tids[i]);
	/* Without /proc: the first one's number is known. */
	if (!err && !count)
		err = open_everywhere(s, attr, (int)pid);
	free(tids);
	return err;
}

static int open_targets(struct pmuctl_dump *d, struct sideband *s,
			const struct perf_event_attr *attr)
{
	const struct pmuctl_session *session = d->session;
	size_t i;
	int err = 0;

	if (!names_tasks(session))
		return open_everywhere(s, attr, -1);
	for (i = 0; !err && i < session->nr_targets; i++)
		err = session->target_kind == PMUCTL_A_SESSION_PID ?
			      open_threads(s, attr, session->targets[i]) :
			      open_everywhere(s, attr, (int)session->targets[i]);
	return err;
}

static struct sideband *make_sideband(void)
{
	struct sideband *s = calloc(1, sizeof(*s));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (!s)
		return NULL;
	s->nr_cpus = cpus > 0 ? (size_t)cpus : 1;
	s->cpus = calloc(s->nr_cpus, sizeof(*s->cpus));
	if (s->cpus)
		return s;
	free(s);
	return NULL;
}

/* Where it is refused /proc has to do. */
int sideband_open(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	struct perf_event_attr attr = dump_dummy(d)->attr;
	struct sideband *s = make_sideband();
	int err;

	if (!s)
		return fail(d->ctx, -ENOMEM, "out of memory");
	attr.inherit = options->inherit && names_tasks(d->session);
	attr.disabled = attr.enable_on_exec =
		options->on_exec && names_tasks(d->session);
	attr.watermark = 1;
	attr.wakeup_watermark = (uint32_t)ring_bytes() / 4;
	err = open_targets(d, s, &attr);
	if (!err && s->nr_fds) {
		d->sideband = s;
		return 0;
	}
	sideband_close(s);
	d->info.from_proc = true;
	say(d->ctx, PMUCTL_LOG_WARNING, "the kernel refuses the software event that tells of "
	    "tasks (%s); what is known of them comes from /proc, and of short-lived ones nothing",
	    err ? strerror(-err) : "they have ended");
	return 0;
}

int sideband_poll(const struct pmuctl_dump *d)
{
	struct epoll_event event = { .events = EPOLLIN };
	size_t i;

	for (i = 0; d->sideband && i < d->sideband->nr_cpus; i++)
		if (d->sideband->cpus[i].page &&
		    epoll_ctl(d->poll_fd, EPOLL_CTL_ADD, d->sideband->cpus[i].fd, &event))
			return -errno;
	return 0;
}

/* ---- taking ----------------------------------------------------------------------- */

static void copy_ring(unsigned char *to, const unsigned char *ring, uint64_t from, size_t size)
{
	size_t at = from & (ring_bytes() - 1), first = ring_bytes() - at;

	if (first > size)
		first = size;
	memcpy(to, ring + at, first);
	memcpy(to + first, ring, size - first);
}

static void look_at_mapping(struct pmuctl_dump *d, unsigned char *record)
{
	struct mmap2 m;
	const struct build_id *id;

	memcpy(&m, record, sizeof(m));
	id = dump_files_add(d, &(struct dump_mapping){
		.name = (const char *)record + sizeof(m), .pid = m.pid, .start = m.start,
		.end = m.start + m.length, .file = { m.major, m.minor, m.inode },
		.code = m.prot & PROT_EXEC,
	});
	if (id)
		dump_mark_mapping(record, id);
}

/* The kernel's own records are whole. */
static void look_at(struct pmuctl_dump *d, unsigned char *record,
		    const struct perf_event_header *h)
{
	uint64_t lost;

	if (h->type == PERF_RECORD_MMAP2 && h->size > sizeof(struct mmap2))
		look_at_mapping(d, record);
	if (h->type == PERF_RECORD_LOST && h->size >= 24) {
		memcpy(&lost, record + 16, sizeof(lost));
		d->info.tasks_lost += lost;
	}
}

static void look_through(struct pmuctl_dump *d, unsigned char *at, size_t size)
{
	struct perf_event_header h;

	while (size >= sizeof(h)) {
		memcpy(&h, at, sizeof(h));
		if (h.size < sizeof(h) || h.size > size)
			return;
		look_at(d, at, &h);
		at += h.size;
		size -= h.size;
	}
}

static int take_cpu(struct pmuctl_dump *d, struct perf_event_mmap_page *page)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	size_t size = (size_t)(head - tail);
	unsigned char *to;

	if (!size)
		return 0;
	to = dump_room(&d->tasks, size);
	if (!to)
		return fail(d->ctx, -ENOMEM, "out of memory");
	copy_ring(to, (unsigned char *)page + sysconf(_SC_PAGESIZE), tail, size);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	look_through(d, to, size);
	return 0;
}

int sideband_take(struct pmuctl_dump *d)
{
	size_t i;
	int err = 0;

	for (i = 0; d->sideband && !err && i < d->sideband->nr_cpus; i++)
		if (d->sideband->cpus[i].page)
			err = take_cpu(d, d->sideband->cpus[i].page);
	return err;
}
