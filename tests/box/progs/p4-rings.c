// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts events on CPU 0 while its core's two threads are busy in user mode and in the
 * kernel: p4-rings EVENT...
 * From CPU 2, which stands between marks: two around the read in front of the work, two
 * around the one behind it, so that what is counted is at least what happens between the
 * inner two, and at most what happens between the outer two.  A line each: EVENT, the
 * first mark's label, the difference of the reads, flags.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pmuctl.h>

#include "../guest/mark.h"
#include "need.h"
#include "pin.h"

static struct pmuctl *ctx;

static int on_value(void *data, const struct pmuctl_value *value)
{
	*(struct pmuctl_value *)data = *value;
	return 0;
}

/* Neither thread does as much as the other in either ring. */
static void *busy(void *cpu)
{
	unsigned long loops = cpu ? 300000 : 200000, calls = cpu ? 2000 : 5000;

	need(NULL, pin(cpu ? 1 : 0) ? errno : 0, "sched_setaffinity");
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(loops) : : "cc");
	while (calls--)
		syscall(SYS_getppid);
	return NULL;
}

static void work(void)
{
	pthread_t thread[2];

	need(NULL, pthread_create(&thread[0], NULL, busy, NULL), "pthread_create");
	need(NULL, pthread_create(&thread[1], NULL, busy, thread), "pthread_create");
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
}

static void count(const char *name, unsigned int label)
{
	struct pmuctl_session *session;
	struct pmuctl_event *event;
	struct pmuctl_value before, after;

	need(ctx, pmuctl_session_new(ctx, &session), name);
	need(ctx, pmuctl_event_parse(ctx, name, &event), name);
	need(ctx, pmuctl_session_add_event(session, event), name);
	pmuctl_event_free(event);
	need(ctx, pmuctl_session_add_cpu(session, 0), name);
	need(ctx, pmuctl_session_create(session, 0), name);
	need(ctx, pmuctl_session_start(session), name);
	pmubox_mark(label);
	need(ctx, pmuctl_session_read(session, on_value, &before), name);
	pmubox_mark(label + 1);
	work();
	pmubox_mark(label + 2);
	need(ctx, pmuctl_session_read(session, on_value, &after), name);
	pmubox_mark(label + 3);
	pmuctl_session_free(session);
	printf("%s %u %" PRIu64 " %u\n", name, label, after.value - before.value, after.flags);
}

int main(int argc, char **argv)
{
	need(NULL, pin(2) ? errno : 0, "sched_setaffinity");
	ctx = opened();
	for (int i = 1; i < argc; i++)
		count(argv[i], (unsigned int)i * 4);
	pmuctl_close(ctx);
	return 0;
}
