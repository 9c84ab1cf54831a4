// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What happens to tasks while they are sampled: the kernel tells it through a
 * software event that counts nothing and needs no hardware.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/record/rings.h"

/* An exec of a program with some twenty libraries is about 3 KiB of it. */
#define RING_BYTES (128u << 10)

/*
 * A file that only its process sees is opened while that lives, which may be milliseconds. The
 * exec of a program without libraries makes more than this.
 */
#define WAKE_BYTES 256
/* And not more often, however many programs begin. */
#define WAKE_PAUSE_NS 1000000

struct sideband {
	struct rings *rings;
	int ready_fd;		/* an epoll instance over the rings */
	int pause_fd;		/* a timer */
	bool paused;		/* nobody is woken by ready_fd before the timer */
};

/* ---- opening ---------------------------------------------------------------------- */

/* Into the instance over all that a recording waits for. */
static int add_wakes(struct pmuctl_dump *d)
{
	struct sideband *s = d->sideband;
	struct epoll_event event = { .events = EPOLLIN };

	if (d->live)
		return rings_poll(s->rings, d->poll_fd);
	s->ready_fd = epoll_create1(EPOLL_CLOEXEC);
	s->pause_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (s->ready_fd < 0 || s->pause_fd < 0 ||
	    epoll_ctl(d->poll_fd, EPOLL_CTL_ADD, s->ready_fd, &event) ||
	    epoll_ctl(d->poll_fd, EPOLL_CTL_ADD, s->pause_fd, &event))
		return -errno;
	return rings_poll(s->rings, s->ready_fd);
}

int sideband_poll(struct pmuctl_dump *d)
{
	return d->sideband ? add_wakes(d) : 0;
}

size_t sideband_ids(const struct pmuctl_dump *d, const uint64_t **ids)
{
	return rings_ids(d->sideband ? d->sideband->rings : NULL, ids);
}

void sideband_close(struct sideband *s)
{
	if (!s)
		return;
	rings_close(s->rings);
	if (s->ready_fd >= 0)
		close(s->ready_fd);
	if (s->pause_fd >= 0)
		close(s->pause_fd);
	free(s);
}

/* Where it is refused /proc has to do. */
int sideband_open(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	struct perf_event_attr attr = dump_dummy(d)->attr;
	struct sideband *s = malloc(sizeof(*s));
	int err;

	if (!s)
		return fail(d->ctx, -ENOMEM, "out of memory");
	*s = (struct sideband){ .ready_fd = -1, .pause_fd = -1 };
	d->sideband = s;

	attr.inherit = options->inherit && names_tasks(d->session);
	attr.disabled = attr.enable_on_exec =
		options->on_exec && names_tasks(d->session);
	attr.watermark = 1;
	attr.wakeup_watermark = d->live ? RING_BYTES / 4 : WAKE_BYTES;
	err = rings_open(d->session, &attr, RING_BYTES, &s->rings);
	if (!err)
		return 0;
	sideband_close(s);
	d->sideband = NULL;
	d->info.from_proc = true;
	say(d->ctx, PMUCTL_LOG_WARNING, "the kernel refuses the software event that tells of "
	    "tasks (%s); what is known of them comes from /proc, and of short-lived ones nothing",
	    err == -ESRCH ? "they have ended" : strerror(-err));
	return 0;
}

/* ---- taking ----------------------------------------------------------------------- */

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

static int take_cpu(struct pmuctl_dump *d, size_t cpu, bool *some)
{
	const struct rings *rings = d->sideband->rings;
	size_t size, before = d->tasks.used;

	if (ring_copy(rings, cpu, &d->tasks, &size))
		return fail(d->ctx, -ENOMEM, "out of memory");
	ring_advance(rings, cpu, size);
	if (size)
		look_through(d, d->tasks.bytes + before, size);
	*some |= size;
	return 0;
}

static int take(struct pmuctl_dump *d, bool *some)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < d->sideband->rings->nr_cpus; i++)
		err = take_cpu(d, i, some);
	return err;
}

/* It is not paused, or the pause is over: what is ready from now on is to be told. */
static bool may_wake(const struct sideband *s)
{
	struct epoll_event events[64];
	uint64_t times;

	if (s->ready_fd < 0 || (s->paused && read(s->pause_fd, &times, sizeof(times)) < 0))
		return false;
	while (epoll_wait(s->ready_fd, events, ARRAY_SIZE(events), 0) == (int)ARRAY_SIZE(events))
		;
	return true;
}

/* Behind records more of them follow, which are taken together at the end of the pause. */
static void pause_wakes(struct pmuctl_dump *d, bool on)
{
	struct sideband *s = d->sideband;
	struct epoll_event event = { .events = on ? 0 : EPOLLIN };
	const struct itimerspec when = { .it_value.tv_nsec = on ? WAKE_PAUSE_NS : 0 };

	/* Neither can fail of what is open; the recording looks each second anyway. */
	timerfd_settime(s->pause_fd, 0, &when, NULL);
	if (s->paused != on)
		epoll_ctl(d->poll_fd, EPOLL_CTL_MOD, s->ready_fd, &event);
	s->paused = on;
}

int sideband_take(struct pmuctl_dump *d)
{
	bool may, some = false;
	int err;

	if (!d->sideband)
		return 0;
	may = may_wake(d->sideband);
	err = take(d, &some);
	if (may && (some || d->sideband->paused))
		pause_wakes(d, some);
	return err;
}
