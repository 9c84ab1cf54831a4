// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Time off the CPU: the kernel's context switches, with the call chain of who leaves, become
 * samples of two events of the file, whose periods are the nanoseconds until it ran again.
 *
 * perf's own recorder does it by BPF; this takes no more than a software event.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/record/rings.h"
#include "lib/record/waits.h"

/* Some 2000 switches of a CPU, or 500 with a copy of the stack. */
#define RING_DEFAULT (1u << 20)
#define RING_WITH_STACK (4u << 20)

/* What a record is long beside its chain and its copy of a stack, and then some. */
#define RECORD_BESIDE 512
#define STACK_ENTRIES_DEFAULT 127
#define RECORDS_LEAST 4

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* Of a sample that the file has; see ALWAYS in attr.c. */
struct wait_head {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
	uint64_t period;
	uint64_t nr_chain;
};

/* A record of a ring. */
struct switching {
	uint64_t time;
	size_t at;		/* in d->offcpu->raw */
};

struct offcpu {
	struct rings *rings;
	struct waits *waits;
	size_t margin;		/* of the longest record */
	bool stopped;		/* the events are */
	uint64_t *last;		/* by CPU: when its last record was made */
	uint64_t read;		/* all records up to then */
	uint64_t leavings;	/* samples that were read */
	uint64_t sched_from, sched_to;	/* code of the scheduler; 0: not known */
	struct dump_buffer raw, list;
};

static int no_memory(struct pmuctl_dump *d)
{
	return fail(d->ctx, -ENOMEM, "out of memory");
}

/* ---- opening ----------------------------------------------------------------------- */

/* Of a file in /proc/sys. */
static long read_number(const char *path, long otherwise)
{
	FILE *f = fopen(path, "re");
	long value = otherwise;

	if (f && fscanf(f, "%ld", &value) != 1)
		value = otherwise;
	if (f)
		fclose(f);
	return value;
}

/* What waits in the scheduler is the function that called it, as in /proc/PID/wchan. */
static void find_scheduler(struct offcpu *o)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512];
	const char *name;

	while (f && !o->sched_to && fgets(line, sizeof(line), f)) {
		name = strstr(line, " __sched_text_");
		if (name && !strcmp(name, " __sched_text_start\n"))
			o->sched_from = strtoull(line, NULL, 16);
		else if (name && !strcmp(name, " __sched_text_end\n"))
			o->sched_to = strtoull(line, NULL, 16);
	}
	if (f)
		fclose(f);
}

static size_t longest_record(const struct perf_event_attr *attr)
{
	size_t entries = (size_t)read_number("/proc/sys/kernel/perf_event_max_stack",
					     STACK_ENTRIES_DEFAULT);
	size_t bytes = RECORD_BESIDE + entries * sizeof(uint64_t) + attr->sample_stack_user;

	return bytes < UINT16_MAX ? bytes : UINT16_MAX;
}

static int refused(struct pmuctl_dump *d, int err)
{
	bool cpus = d->session->target_kind == PMUCTL_A_SESSION_CPU;

	if (err == -ESRCH)
		return fail(d->ctx, err, "off-CPU time: all of the threads have ended");
	if (err == -ENOBUFS)
		return fail(d->ctx, err, "off-CPU time: the kernel has no memory for its records, or "
			    "this user may not have so much of it (kernel.perf_event_mlock_kb, "
			    "RLIMIT_MEMLOCK)");
	if (err == -EMFILE)
		return fail(d->ctx, err, "off-CPU time takes a descriptor for each thread on each CPU, "
			    "which are too many here; raise the limit (ulimit -n), or name fewer "
			    "threads");
	if (err == -EACCES || err == -EPERM)
		return fail(d->ctx, err, "off-CPU time: the kernel refuses its event of context "
			    "switches (%s): kernel.perf_event_paranoid is %ld, and without CAP_PERFMON "
			    "it takes %d or less", strerror(-err), read_number(PARANOID, 2),
			    cpus ? 0 : 1);
	return fail(d->ctx, err, "off-CPU time: the kernel refuses its event of context switches: %s",
		    strerror(-err));
}

/* A power of two, in which several of the longest records have room. */
static size_t ring_bytes(const struct offcpu *o, const struct pmuctl_dump_options *options)
{
	size_t bytes = options->off_cpu_ring ? options->off_cpu_ring :
		       options->off_cpu_stack ? RING_WITH_STACK : RING_DEFAULT;

	while (bytes < RECORDS_LEAST * o->margin)
		bytes *= 2;
	return bytes;
}

/* Less of them where the user may not have so much. */
static int open_rings(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	bool cpus = d->session->target_kind == PMUCTL_A_SESSION_CPU;
	struct perf_event_attr attr = dump_sleeping(d)->attr;
	size_t bytes;
	int err;

	attr.inherit = options->inherit && !cpus;
	/* What switches before its ring is there would be counted as lost. */
	attr.disabled = 1;
	attr.enable_on_exec = options->on_exec && !cpus;
	attr.context_switch = 1;
	attr.task = attr.comm = attr.comm_exec = 1;
	attr.watermark = 1;
	d->offcpu->margin = longest_record(&attr);
	bytes = ring_bytes(d->offcpu, options);
	do {
		attr.wakeup_watermark = (uint32_t)bytes / 4;
		err = rings_open(d->session, &attr, bytes, &d->offcpu->rings);
		bytes /= 2;
	} while (err == -ENOBUFS && bytes >= RECORDS_LEAST * d->offcpu->margin);
	if (err)
		return refused(d, err);
	if (!attr.enable_on_exec)
		rings_control(d->offcpu->rings, PERF_EVENT_IOC_ENABLE);
	return 0;
}

static wait_fn put_wait;

/* Of threads that go from CPU to CPU those of all are read, whichever are asked for. */
int offcpu_open(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	struct offcpu *o;
	int err;

	if (!options->off_cpu)
		return 0;
	if (d->session->target_kind == PMUCTL_A_SESSION_CGROUP)
		return fail(d->ctx, -EOPNOTSUPP, "off-CPU time of a control group: not yet; record CPUs "
			    "or tasks");
	d->offcpu = o = calloc(1, sizeof(*o));
	if (!o)
		return no_memory(d);
	err = open_rings(d, options);
	if (err)
		return err;
	o->last = calloc(o->rings->nr_cpus, sizeof(*o->last));
	o->waits = waits_new(options->off_cpu_min, put_wait, d);
	if (!o->last || !o->waits)
		return no_memory(d);
	if (d->session->target_kind == PMUCTL_A_SESSION_CPU)
		waits_set_cpus(o->waits, d->session->targets, d->session->nr_targets);
	find_scheduler(o);
	return 0;
}

int offcpu_poll(const struct pmuctl_dump *d)
{
	return d->offcpu ? rings_poll(d->offcpu->rings, d->poll_fd) : 0;
}

void offcpu_close(struct offcpu *o)
{
	if (!o)
		return;
	rings_close(o->rings);
	waits_free(o->waits);
	free(o->last);
	free(o->raw.bytes);
	free(o->list.bytes);
	free(o);
}

/* ---- the file's samples ------------------------------------------------------------ */

/* How many of the chain's innermost entries are the scheduler's own; not all of the kernel's. */
static size_t count_scheduler(const struct offcpu *o, const uint64_t *chain, size_t count)
{
	size_t i = 1;

	if (!count || chain[0] != PERF_CONTEXT_KERNEL)
		return 0;
	while (i < count && chain[i] >= o->sched_from && chain[i] < o->sched_to)
		i++;
	return i < count && chain[i] < PERF_CONTEXT_MAX ? i - 1 : 0;
}

/* Takes them out of the sample; its address is the first that is left. */
static void cut_scheduler(const struct offcpu *o, unsigned char *sample, struct wait_head *head)
{
	unsigned char *chain = sample + sizeof(*head), *end = sample + head->header.size;
	const void *from = chain;
	size_t out;

	if (head->nr_chain > (size_t)(end - chain) / sizeof(uint64_t))
		return;
	out = count_scheduler(o, from, head->nr_chain);
	if (!out)
		return;
	chain += sizeof(uint64_t);
	memmove(chain, chain + out * sizeof(uint64_t),
		(size_t)(end - chain) - out * sizeof(uint64_t));
	memcpy(&head->ip, chain, sizeof(head->ip));
	head->nr_chain -= out;
	head->header.size -= (uint16_t)(out * sizeof(uint64_t));
}

static void add_up(struct pmuctl_dump_waits *sum, uint64_t ns)
{
	sum->count++;
	sum->ns += ns;
}

/* As the kernel has it of the leaving, but for the time of the return, and how long it was. */
static int put_wait(void *data, const struct wait *wait)
{
	struct pmuctl_dump *d = data;
	struct wait_head head;
	size_t at = d->samples.used;

	if (wait->size < sizeof(head))
		return fail(d->ctx, -EBADMSG, "off-CPU time: a sample of %zu bytes from the kernel",
			    wait->size);
	if (dump_append(&d->samples, wait->sample, wait->size))
		return no_memory(d);
	memcpy(&head, wait->sample, sizeof(head));
	head.id = wait->preempted ? dump_preempted(d)->id : dump_sleeping(d)->id;
	head.time = wait->end;
	head.period = wait->end - wait->start;
	cut_scheduler(d->offcpu, d->samples.bytes + at, &head);
	memcpy(d->samples.bytes + at, &head, sizeof(head));
	d->samples.used = at + head.header.size;
	add_up(wait->preempted ? &d->info.preempted : &d->info.slept, head.period);
	return d->info.from_proc ? dump_poll_see(d, head.pid) : 0;
}

/* ---- taking ------------------------------------------------------------------------ */

/* A clock that is read in any context may go back a little: in a ring time never does. */
static uint64_t time_of(struct offcpu *o, size_t cpu, const unsigned char *record)
{
	struct perf_event_header h;
	uint64_t time;

	memcpy(&h, record, sizeof(h));
	if (h.type == PERF_RECORD_SAMPLE)
		memcpy(&time, record + offsetof(struct wait_head, time), sizeof(time));
	else
		memcpy(&time, record + h.size - sizeof(struct dump_trailer) +
		       offsetof(struct dump_trailer, time), sizeof(time));
	if (time < o->last[cpu])
		time = o->last[cpu];
	return time;
}

static bool is_whole(const unsigned char *record, size_t left)
{
	struct perf_event_header h;

	if (left < sizeof(h))
		return false;
	memcpy(&h, record, sizeof(h));
	if (h.size > left)
		return false;
	return h.size >= (h.type == PERF_RECORD_SAMPLE ? sizeof(struct wait_head) :
			  sizeof(h) + sizeof(struct dump_trailer));
}

struct span {
	uint64_t from, until;	/* until 0: there is none */
};

static void add_loss(struct span *lost, uint64_t from, uint64_t until)
{
	if (!lost->until || from < lost->from)
		lost->from = from;
	lost->until = until;
}

/* The records of a CPU that are not behind `until`; the others wait for the next time. */
static int list_cpu(struct offcpu *o, size_t cpu, uint64_t until, struct span *lost)
{
	size_t start = o->raw.used, at = start, size;
	struct perf_event_header h;
	struct switching s;
	bool later = false;

	if (ring_copy(o->rings, cpu, &o->raw, &size))
		return -ENOMEM;
	for (; is_whole(o->raw.bytes + at, start + size - at); at += h.size) {
		memcpy(&h, o->raw.bytes + at, sizeof(h));
		s = (struct switching){ time_of(o, cpu, o->raw.bytes + at), at };
		later = s.time > until;
		if (later)
			break;
		o->last[cpu] = s.time;
		o->leavings += h.type == PERF_RECORD_SAMPLE;
		if (dump_append(&o->list, &s, sizeof(s)))
			return -ENOMEM;
	}
	/* The kernel's records are whole: what is none is not waited for. */
	size = ring_advance(o->rings, cpu, later ? at - start : size);
	o->raw.used = at;
	/* Where the longest record has no room any that came was lost, until now. */
	if (size + o->margin > o->rings->bytes && o->last[cpu] < until)
		add_loss(lost, o->last[cpu] > o->read ? o->last[cpu] : o->read, monotonic_ns());
	return 0;
}

static int by_time(const void *left, const void *right)
{
	const struct switching *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int take_list(struct offcpu *o)
{
	const struct switching *list = (const void *)o->list.bytes;
	size_t i, count = o->list.used / sizeof(*list);
	int err = 0;

	if (count)
		qsort(o->list.bytes, count, sizeof(*list), by_time);
	for (i = 0; !err && i < count; i++)
		err = waits_take(o->waits, o->raw.bytes + list[i].at, list[i].time);
	return err;
}

static int take(struct pmuctl_dump *d, uint64_t until)
{
	struct offcpu *o = d->offcpu;
	const struct pmuctl_session *s = d->session;
	struct span lost = { .until = 0 };
	size_t i;
	int err = 0;

	if (s->started || s->on_exec)
		waits_set_beginning(o->waits, s->started);
	o->raw.used = o->list.used = 0;
	for (i = 0; !err && i < o->rings->nr_cpus; i++)
		err = list_cpu(o, i, until, &lost);
	if (lost.until)
		waits_lose(o->waits, lost.from, lost.until);
	if (!err)
		err = take_list(o);
	o->read = until;
	return err ? err : waits_until(o->waits, until);
}

/* Behind waits.c, whose one error is without words. */
static int done(struct pmuctl_dump *d, int err)
{
	return err == -ENOMEM ? no_memory(d) : err;
}

static void stop(struct offcpu *o)
{
	if (!o->stopped)
		rings_control(o->rings, PERF_EVENT_IOC_DISABLE);
	o->stopped = true;
}

/*
 * What switched before this moment is in the rings, but for a record that is being written: it
 * is taken the next time.  Behind the session's end nothing counts.
 */
int offcpu_take(struct pmuctl_dump *d)
{
	if (!d->offcpu || d->offcpu->stopped)
		return 0;
	if (!d->session->stopped)
		return done(d, take(d, monotonic_ns()));
	stop(d->offcpu);
	return done(d, take(d, d->session->stopped));
}

/* What the kernel counted, beside the samples of it that it had room for. */
static int count_lost(struct pmuctl_dump *d)
{
	struct offcpu *o = d->offcpu;
	struct span lost = { .until = 0 };
	struct {
		uint64_t count, id;
	} value;
	uint64_t all = 0;
	size_t i;

	/* Those behind the end are there, too. */
	for (i = 0; i < o->rings->nr_cpus; i++)
		if (list_cpu(o, i, UINT64_MAX, &lost))
			return -ENOMEM;
	for (i = 0; i < o->rings->nr_fds; i++)
		if (read(o->rings->fds[i], &value, sizeof(value)) == sizeof(value))
			all += value.count;
	d->info.switches = all;
	d->info.switches_lost = all > o->leavings ? all - o->leavings : 0;
	dump_sleeping(d)->lost = d->info.switches_lost;
	return 0;
}

int offcpu_end(struct pmuctl_dump *d)
{
	struct offcpu *o = d->offcpu;
	const struct wait_sums *sums;
	uint64_t end;
	int err;

	if (!o)
		return 0;
	end = d->session->stopped ? d->session->stopped : monotonic_ns();
	stop(o);
	err = take(d, end);
	if (!err)
		err = waits_end(o->waits, end);
	if (!err)
		err = count_lost(d);
	sums = waits_sums(o->waits);
	d->info.waits_open = sums->open;
	d->info.waits_cut = sums->cut;
	d->info.waits_unknown = sums->unknown;
	d->info.waits_brief = sums->brief;
	return done(d, err);
}
