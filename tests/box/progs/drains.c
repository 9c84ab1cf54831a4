// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples the first CPUS CPUs, each of which has a program that does not sleep, and takes
 * the records of each by a thread of its own, side by side, and CPU 0's by two:
 * drains CPUS PERIOD TURNS.  Each record has to come to one of them, in the order of its
 * CPU, and all that the ledger has as written have to come.  Says what is wrong, and ends
 * with 1 then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuctl.h>

#include "../../../kmod/uapi/pmuctl.h"
#include "need.h"
#include "pin.h"

#define MAX_CPUS 16

static struct pmuctl_session *session;
static atomic_bool over, failed;

static struct drainer {
	pthread_t thread;
	struct pmuctl *ctx;
	int cpu;
	bool rival;		/* of another one's CPU: either may find it busy */
	uint64_t drains, busy, samples, lost, last;
} drainers[MAX_CPUS + 1];

static void wrong(const struct drainer *d, const char *what)
{
	printf("drains: CPU %d: %s\n", d->cpu, what);
	failed = true;
}

static int take(void *data, unsigned int cpu, const void *records, size_t bytes)
{
	struct drainer *d = data;
	struct pmuctl_record r;
	struct pmuctl_lost lost;
	size_t at;

	if ((int)cpu != d->cpu)
		wrong(d, "another's records");
	for (at = 0; at < bytes; at += r.size) {
		memcpy(&r, (const char *)records + at, sizeof(r));
		if (r.size < sizeof(r) || r.size > bytes - at) {
			wrong(d, "a record is not whole");
			return -EBADMSG;
		}
		if (r.time < d->last)
			wrong(d, "a record is older than the one before it");
		d->last = r.time;
		d->samples += r.type == PMUCTL_RECORD_SAMPLE;
		if (r.type == PMUCTL_RECORD_LOST) {
			memcpy(&lost, (const char *)records + at, sizeof(lost));
			d->lost += lost.samples;
		}
	}
	return 0;
}

static void drain(struct drainer *d, bool flush)
{
	int err = pmuctl_session_drain(d->ctx, session, d->cpu, flush, take, d);

	d->drains++;
	if (err == -EBUSY && (d->rival || !d->cpu))
		d->busy++;
	else
		need(d->ctx, err, "drain");
}

static void *drain_on(void *data)
{
	while (!over)
		drain(data, false);
	return NULL;
}

static void burn(int cpu, unsigned long turns)
{
	if (fork())
		return;
	if (pin(cpu))
		_exit(1);
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
	_exit(0);
}

static void make_session(struct pmuctl *ctx, unsigned int cpus, uint64_t period)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = period };
	struct pmuctl_event *event;
	unsigned int cpu;

	need(ctx, pmuctl_session_new(ctx, &session), "session");
	need(ctx, pmuctl_event_parse(ctx, "instructions:u", &event), "event");
	need(ctx, pmuctl_event_sample(event, &sampling), "sampling");
	need(ctx, pmuctl_session_add_event(session, event), "event");
	for (cpu = 0; cpu < cpus; cpu++)
		need(ctx, pmuctl_session_add_cpu(session, cpu), "target");
	need(ctx, pmuctl_session_set_ring(session, PMUCTL_RING_MIN, 0), "ring");
	need(ctx, pmuctl_session_create(session, 0), "create");
	pmuctl_event_free(event);
}

static int on_entry(void *data, const struct pmuctl_ledger_entry *e)
{
	const struct drainer *d, *end = (struct drainer *)data;
	uint64_t samples = 0, lost = 0;

	for (d = drainers; d < end; d++)
		if (d->cpu == (int)e->cpu) {
			samples += d->samples;
			lost += d->lost;
		}
	printf("CPU %u: %" PRIu64 " produced, %" PRIu64 " written, %" PRIu64 " came; %" PRIu64
	       " lost, %" PRIu64 " said\n", e->cpu, e->produced, e->written, samples, e->lost, lost);
	if (e->produced != e->written + e->lost || e->written != samples || e->lost != lost ||
	    !e->written)
		failed = true;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int i, cpus = argc == 4 ? (unsigned int)atoi(argv[1]) : 0;
	uint64_t drains = 0, busy = 0;
	struct pmuctl *ctx = opened();

	if (!cpus || cpus > MAX_CPUS) {
		fprintf(stderr, "usage: drains CPUS PERIOD TURNS\n");
		return 2;
	}
	make_session(ctx, cpus, strtoull(argv[2], NULL, 10));
	for (i = 0; i < cpus; i++)
		burn((int)i, strtoul(argv[3], NULL, 10));
	need(ctx, pmuctl_session_start(session), "start");
	for (i = 0; i <= cpus; i++) {
		drainers[i].rival = i == cpus;
		drainers[i].cpu = i == cpus ? 0 : (int)i;
		drainers[i].ctx = opened();
		need(ctx, -pthread_create(&drainers[i].thread, NULL, drain_on, &drainers[i]),
		     "thread");
	}
	while (wait(NULL) > 0)
		;
	need(ctx, pmuctl_session_stop(session), "stop");
	over = true;
	for (i = 0; i <= cpus; i++)
		pthread_join(drainers[i].thread, NULL);
	for (i = 0; i <= cpus; i++) {
		drain(&drainers[i], true);
		drains += drainers[i].drains;
		busy += drainers[i].busy;
		pmuctl_close(drainers[i].ctx);
	}
	need(ctx, pmuctl_session_ledger(session, on_entry, drainers + cpus + 1), "ledger");
	printf("%" PRIu64 " drains, %" PRIu64 " of a CPU that another was at\n", drains, busy);
	pmuctl_session_free(session);
	pmuctl_close(ctx);
	return failed;
}
