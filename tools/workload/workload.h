/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loops of pmuctl workload: each keeps one part of the processor busy, or waits for it.
 */
#ifndef PMUCTL_WORKLOAD_H
#define PMUCTL_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "tools/base/base.h"

/* What the loops go by: the caches of this machine. */
struct workload_machine {
	struct pmuctl_cache l1d;
	size_t second_level;	/* bytes of it */
	size_t last_level;	/* bytes of the largest cache */
	size_t memory;		/* bytes of the machine */
};

struct workload_run {
	const struct workload_machine *machine;
	void *memory;
	size_t size;		/* of it */
	uint64_t rounds;	/* never 0 */
};

struct workload {
	const char *name;
	const char *text;	/* one line */
	const char *leaf;	/* of Top-Down, where its slots go */
	const char *remedy;	/* a word for what it lacks; NULL: none */
	const char *remedied;	/* the workload that has it: the same work and rounds */
	uint64_t rounds;	/* unless told otherwise */
	/* Bytes that it wants, to begin at a huge page; NULL: none. */
	size_t (*memory)(const struct workload_machine *machine);
	/* Before the loop: what is to be found in that memory. */
	void (*prepare)(const struct workload_run *run);
	/* The loop, in a symbol of its own: what it has computed, 0 if that means nothing. */
	unsigned long (*run)(const struct workload_run *run);
};

extern const struct workload workloads[];	/* the last has no name */

/* workload/loops.c */
unsigned long workload_pointer_chase(const struct workload_run *run);
unsigned long workload_code_footprint(const struct workload_run *run);
unsigned long workload_divide_chain(const struct workload_run *run);
unsigned long workload_streaming_stores(const struct workload_run *run);
unsigned long workload_dense_alu(const struct workload_run *run);

/* workload/pairs.c */
unsigned long workload_random_branches(const struct workload_run *run);
unsigned long workload_random_branches_selected(const struct workload_run *run);
unsigned long workload_set_conflict(const struct workload_run *run);
unsigned long workload_set_conflict_padded(const struct workload_run *run);
unsigned long workload_page_alias(const struct workload_run *run);
unsigned long workload_page_alias_shifted(const struct workload_run *run);
unsigned long workload_line_split(const struct workload_run *run);
unsigned long workload_line_split_aligned(const struct workload_run *run);
unsigned long workload_cache_overflow(const struct workload_run *run);
unsigned long workload_cache_overflow_blocked(const struct workload_run *run);
unsigned long workload_scattered_fields(const struct workload_run *run);
unsigned long workload_scattered_fields_gathered(const struct workload_run *run);
unsigned long workload_narrow_stores(const struct workload_run *run);
unsigned long workload_narrow_stores_widened(const struct workload_run *run);

/* workload/loops.c: what half of the first level holds, a power of two. */
size_t workload_block(const struct workload_machine *machine);
/* workload/loops.c: touched before the loop, for a first touch is another kind of miss. */
void *workload_allocate(size_t size);
void workload_machine(struct pmuctl *ctx, struct workload_machine *machine);

#endif
