/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libpmuctl: a sampled session as a perf.data file.  A part of pmuctl.h.
 */
#ifndef LIBPMUCTL_DUMP_WRITE_H
#define LIBPMUCTL_DUMP_WRITE_H

#include "pmuctl.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct pmuctl_dump;

struct pmuctl_dump_options {
	size_t size;
	const char *path;	/* written from its beginning on */
	const char *const *command;	/* of the recorder, for the header; ends with NULL */
	bool inherit;		/* the session follows children */
	bool on_exec;		/* its process is still to exec what is recorded */
	/*
	 * > 0: it goes there, as to a pipe, and path only names it.  Samples whose ip is the
	 * next instruction's stay so.  The descriptor stays the caller's.
	 */
	int fd;
	/*
	 * Beside the session's samples those of threads that wait, by the kernel's software event
	 * of context switches: of each wait the call chain where it began, when it was over, and
	 * as its period the ns in between.  Two events, offcpu-time of threads that slept, and
	 * offcpu-time:preempted of those that were ready and had no CPU.  -EACCES or -EPERM: the
	 * kernel refuses the event.
	 */
	bool off_cpu;
	uint64_t off_cpu_min;	/* only waits of so many ns or more */
	size_t off_cpu_ring;	/* bytes of a CPU, a power of two; 0: a default */
	uint32_t off_cpu_stack;	/* bytes of a copy of the stack; 0: chains by frame pointers */
	/*
	 * With fd: pmuctl_data_follow() reads it as it is written, and nobody does later.  It has
	 * no build-ids, and files that only their processes see are not kept below ~/.debug.
	 */
	bool live;
	bool switched;	/* other files follow: pmuctl_dump_switch() */
};

/*
 * A session that was created and has not started goes to a file, with what
 * happens to its tasks (names, mappings, fork and exit) from the kernel's
 * software dummy event, which takes a descriptor for each thread and CPU, or
 * where that is refused from /proc.  -EINVAL: none of its events is sampled; the
 * errno of what could not be done with the file.
 */
int pmuctl_dump_open(struct pmuctl_session *session, const struct pmuctl_dump_options *options,
		     struct pmuctl_dump **dump);
/* To poll(): POLLIN when there is something to take. */
int pmuctl_dump_fd(const struct pmuctl_dump *dump);
/* Takes what is there and writes it; flush: of the hardware's buffers, too. */
int pmuctl_dump_take(struct pmuctl_dump *dump, bool flush);

struct pmuctl_dump_waits {
	uint64_t count, ns;
};

struct pmuctl_dump_info {
	size_t size;
	uint64_t samples;
	uint64_t lost;		/* as far as records say so; the ledger knows */
	uint64_t throttled;	/* times that a CPU was throttled */
	uint64_t uncertain;	/* of the samples: the ip is the next instruction's */
	uint64_t bytes;		/* of the file */
	uint64_t tasks_lost;	/* records about tasks */
	bool from_proc;		/* tasks are known from /proc alone */
	/* Samples whose stack was read after its pointer had moved on from the PEBS record's. */
	uint64_t moved;
	/* With off_cpu: waits in the file of threads that slept, and that were ready to run. */
	struct pmuctl_dump_waits slept, preempted;
	/* The rest is known once the file has ended. */
	uint64_t waits_open;	/* of them: still on, and counted, at the end of the session */
	uint64_t waits_cut;	/* of them: they end where switches were lost */
	uint64_t waits_unknown;	/* not in the file: they began where switches were lost */
	uint64_t waits_brief;	/* not in the file: below off_cpu_min */
	uint64_t switches;	/* that the kernel counted, with those of idle CPUs... */
	uint64_t switches_lost;	/* ...and had no room for */
};

int pmuctl_dump_get_info(const struct pmuctl_dump *dump, struct pmuctl_dump_info *info);
/*
 * Takes what is there, ends the file and goes on with another at path, in which all is that comes
 * later: each sample is in one of them, with a wait (off_cpu) in the one in which it was over.
 * Each file can be read by itself, as the next begins with the processes that live.  *ended: of
 * the file that has ended, as soon as it has; may be NULL.  If path cannot be opened the file
 * before goes on; after another error nothing more can be taken.
 */
int pmuctl_dump_switch(struct pmuctl_dump *dump, const char *path,
		       struct pmuctl_dump_info *ended);
/*
 * Ends the file: nothing more can be taken.  Samples by PEBS whose ip is that of
 * the next instruction are made exact where the code can be decoded.  After an
 * error of pmuctl_dump_take() the file has all that was written before.
 */
int pmuctl_dump_end(struct pmuctl_dump *dump);
/* Ends the file, if it was not, and frees the dump, before its session. */
int pmuctl_dump_close(struct pmuctl_dump *dump);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
