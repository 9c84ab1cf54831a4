// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What happens to tasks while they are sampled: the kernel tells it through a
 * software event that counts nothing and needs no hardware.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/record/rings.h"

/* An exec of a program with some twenty libraries is about 3 KiB of it. */
#define RING_BYTES (128u << 10)

/* Where it is refused /proc has to do. */
int sideband_open(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	struct perf_event_attr attr = dump_dummy(d)->attr;
	int err;

	attr.inherit = options->inherit && names_tasks(d->session);
	attr.disabled = attr.enable_on_exec =
		options->on_exec && names_tasks(d->session);
	attr.watermark = 1;
	attr.wakeup_watermark = RING_BYTES / 4;
	err = rings_open(d->session, &attr, RING_BYTES, &d->sideband);
	if (!err)
		return 0;
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

static int take_cpu(struct pmuctl_dump *d, size_t cpu)
{
	size_t size, before = d->tasks.used;

	if (ring_copy(d->sideband, cpu, &d->tasks, &size))
		return fail(d->ctx, -ENOMEM, "out of memory");
	ring_advance(d->sideband, cpu, size);
	if (size)
		look_through(d, d->tasks.bytes + before, size);
	return 0;
}

int sideband_take(struct pmuctl_dump *d)
{
	size_t i;
	int err = 0;

	for (i = 0; d->sideband && !err && i < d->sideband->nr_cpus; i++)
		err = take_cpu(d, i);
	return err;
}
