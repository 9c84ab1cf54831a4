/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a perf.data file as trees of frames, one an event: what the
 * exports and the flame graph are made from.
 *
 * Below the root of an event are its commands, below those the outermost
 * functions, and so on inwards.  A sample without a call chain is one frame deep.  With inlines
 * functions that were inlined are frames, too: but where nodes are addresses they are the spot's.
 */
#ifndef PMUCTL_STACKS_H
#define PMUCTL_STACKS_H

#include "tools/base/base.h"
#include "tools/base/index.h"
#include "tools/samples/callers.h"
#include "tools/samples/filter.h"
#include "tools/samples/inlines.h"
#include "tools/samples/missing.h"

enum frame_kind {
	FRAME_COMM,		/* a command's name */
	FRAME_USER,
	FRAME_KERNEL,
};

struct frame {
	char *name;		/* clean; "[libc.so.6]" where there is no symbol */
	char *raw;		/* as the file or the DSO has it */
	enum frame_kind kind;
	uint32_t dso;
};

/* An address in some DSO. */
struct spot {
	struct pmuctl_place place;
	bool kernel, returns;
	bool nameless;		/* no symbol is known there */
	uint32_t frame;
	uint32_t *inlined;	/* frames, innermost first */
	size_t inlined_count;
};

/* Who was sampled, where it is asked for; each UINT32_MAX: the file does not say. */
struct task {
	uint32_t pid, tid, cpu;
};

struct node {
	uint32_t parent;	/* comes before its children; a root: INDEX_NONE */
	uint32_t frame;
	uint32_t spot;		/* INDEX_NONE: stacks are by function, or it is a command */
	uint32_t task;		/* of a command; INDEX_NONE: not by_task */
	uint32_t child, next;	/* by name of the frame; INDEX_NONE: none */
	uint64_t samples, events;		/* that ended here */
	uint64_t all_samples, all_events;	/* and those further in */
};

struct stacks {
	struct pmuctl_data *data;
	bool by_address;	/* a node is an address; else a function */
	bool by_task, by_cpu;	/* a command is of one task, on one CPU */
	uint32_t only;		/* this event, with all of its name, alone; INDEX_NONE: all */
	uint32_t roots;		/* nodes 0 and up: of the file's events, in order */
	struct node *nodes;
	uint32_t nodes_count, nodes_room;
	struct frame *frames;
	uint32_t frames_count, frames_room;
	struct spot *spots;
	uint32_t spots_count, spots_room;
	struct task *tasks;
	uint32_t tasks_count, tasks_room;
	struct index node_index, frame_index, spot_index, task_index;
	struct callers chain;	/* of the sample that is being read, */
	uint32_t leaf;		/* ... and its spot */
	struct missing missing;
	struct inlines inlines;
	struct filter filter;
};

/*
 * Reads the file's samples; data, what it is by, only, inlines.on and filter are set, the rest
 * is 0.  Out of memory: -ENOMEM; else what pmuctl_data_chains() says.  To be freed in any case.
 */
int stacks_read(struct stacks *s);
/* That nothing is left of what was asked for, and what of it there was not; 0 or the exit code. */
int stacks_check(const struct stacks *s, const char *cmd, const char *input);
void stacks_free(struct stacks *s);

/* The one that comes after node, parents first, within root; INDEX_NONE: none. */
uint32_t stacks_next(const struct stacks *s, uint32_t root, uint32_t node);

/* An event (dummy) by which a recorder follows tasks: it is in the file, but never sampled. */
bool only_tracks(const struct pmuctl_data_event *event);
/* Its samples are waits and its periods ns off the CPU: ours, or perf's but for the newest. */
bool is_off_cpu(const struct pmuctl_data_event *event);
/* The first event that has samples; INDEX_NONE: none has.  *count: how many names have. */
uint32_t first_sampled(const struct pmuctl_data *data, size_t *count);

#endif
