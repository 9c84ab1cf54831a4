/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmuctl mem --sharing: lines of the cache that several threads touch and one of them writes.
 */
#ifndef PMUCTL_MEM_SHARING_H
#define PMUCTL_MEM_SHARING_H

#include "tools/mem/mem.h"

#define SHARING_LINE	64u

/* What is said of a line. */
enum verdict {
	VERDICT_FALSE,		/* threads write, and none of their bytes is another one's */
	VERDICT_BOTH,		/* some bytes are several threads', others beside them are not */
	VERDICT_TRUE,		/* the same bytes */
	VERDICT_REPORTED = VERDICT_TRUE,	/* the last that costs */
	VERDICT_ONE_CORE,	/* all on one core: the line is nowhere else */
	VERDICT_IN_TURN,	/* one thread after the other */
	VERDICT_ONE_THREAD,	/* what others had of it does not count */
	VERDICT_NO_WRITER,	/* ... as what was written of it does not */
	VERDICT_TOO_FEW,	/* samples */
	VERDICTS,
};

/* A thread that touched the line. */
struct toucher {
	uint32_t thread;	/* its number */
	uint64_t samples;
	uint64_t first, last;	/* times of these */
	const uint32_t *cores;	/* where it ran then, some twice; UINT32_MAX: not known */
	size_t cores_count;
	/* Found: */
	bool counts;		/* for the verdict */
	uint64_t reads, writes;	/* a bit for each byte of the line */
};

/* What a thread did to some bytes of it. */
struct part {
	size_t toucher;		/* its place among those */
	uint64_t bytes;		/* a bit each */
	bool reads, writes;
	uint64_t samples;
};

struct finding {
	enum verdict verdict;
	uint64_t samples;	/* of threads that count */
	unsigned int threads;	/* that count, */
	unsigned int writers;	/* ... that write, */
	unsigned int aside;	/* ... and that touch none of the contested bytes */
	bool apart;		/* two of them, one of which writes, have no byte in common */
	unsigned int cores;	/* that those ran on; 0: not known */
	uint64_t contested;	/* bytes of several threads, one of which writes them */
};

/* mem/sharing_verdict.c; -ENOMEM. */
int sharing_judge(struct toucher *touchers, size_t touchers_count, const struct part *parts,
		  size_t parts_count, struct finding *finding);
const char *verdict_text(enum verdict verdict);

/* A line that several threads touched, one of them at least writing; its key as a spot's. */
struct shared_line {
	struct table_entry key;
	uint32_t number;
	uint32_t thread;	/* number of the first that touched it */
	bool several, written;
	uint64_t time;		/* of one sample */
	uint64_t samples;
	/* After the second pass: */
	struct amount loads, stores;
	uint64_t told, local, remote;	/* loads: whose snoop is known; that hit a modified line */
	struct touch **touches;	/* of all threads, by offset; behind the last of them: */
	size_t touches_count;
	struct finding finding;
};

/* A thread of the file; its key is its number and its process's. */
struct thread {
	struct table_entry key;
	uint32_t number;
	uint64_t time;
	uint64_t stack_page;	/* where it was last; 0: not known */
};

/* An instruction that touched bytes of a line, in a thread. */
struct touch {
	struct table_entry key;	/* line, first byte, bytes; numbers of thread and instruction */
	const struct load *load;
	const struct thread *thread;
	bool reads, writes;
	struct amount loads, stores;
	uint64_t local, remote;	/* as of a line */
	uint64_t time;
};

static inline uint32_t touch_line(const struct touch *t)
{
	return (uint32_t)(t->key.a >> 32);
}

static inline unsigned int touch_offset(const struct touch *t)
{
	return t->key.a >> 16 & 0xffff;
}

static inline unsigned int touch_bytes(const struct touch *t)
{
	return t->key.a & 0xffff;
}

struct sharing {
	struct mem *m;
	struct table loads, threads, stacks, lines, seats, touches;
	uint64_t samples, known;	/* that are loads or stores; with an address */
	uint64_t origins[ORIGINS];
	struct amount read, written;	/* loads and stores with an address */
	uint64_t told, local, remote;
	uint64_t unsized;	/* of instructions that could not be decoded */
	struct touch **touch_list;
	struct shared_line **list;	/* worst first; those that are reported */
	uint64_t verdicts[VERDICTS];
	uint64_t read_only;	/* lines of several threads that nobody was seen to write */
};

/* mem/sharing.c; 0 or a negative errno. */
int sharing_collect(struct sharing *s, struct mem *m);
void sharing_free(struct sharing *s);
/* What is there, as cell_name() has it, and of a stack whose it is: "[stack of 17] at 0x7f5c60" */
void sharing_name(const struct sharing *s, const struct spot *cell, char *text, size_t size);

/* mem/sharing_print.c */
void sharing_print(struct sharing *s, struct writer *w);

#endif
