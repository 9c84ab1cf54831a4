/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth: what retired in which address space, and the marks of the guest.
 *
 * A CPU's thread charges its own CPU without a lock; everything else here is
 * called with truth_lock() held.
 */
#ifndef PMUBOX_TRUTH_H
#define PMUBOX_TRUTH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "pmu.h"

#define TRUTH_NO_SPACE UINT32_MAX

typedef uint64_t truth_counts[PMU_CLASSES][PMU_TOTALS];

/* Where a thread of the guest left user mode, and will come back to. */
struct truth_place {
	uint64_t rip, rsp;
};

/* How the child of a fork is known: what it has as its parent had it. */
#define TRUTH_NR_KEPT 12

struct truth_child {
	uint64_t kept[TRUTH_NR_KEPT];	/* registers */
	uint64_t rsp;
	uint64_t page;			/* of the stack: its physical address */
	uint64_t tid_at;		/* where the kernel gives it its thread ID, or 0 */
};

/* One life of an address space. */
struct truth_space {
	uint32_t id;
	uint32_t parent;		/* or TRUTH_NO_SPACE */
	const char *origin;
	char *name;			/* of a fork: NULL, it has its parent's */
	uint64_t cr3;
	uint32_t tid;			/* of a fork's first thread, if it is known */
	bool guessed;			/* parent: until its fork returns and tells */
	struct truth_place *away;	/* threads that are in the kernel */
	unsigned int nr_away, next_away;
	truth_counts *cpu;		/* one for each CPU */
};

extern const char *const truth_gap_tags[GAP_TAG_COUNT];

enum truth_sample_kind {
	TRUTH_PMI,
	TRUTH_PEBS_FULL,		/* a PMI of the buffer and of nothing else */
	TRUTH_PEBS,
	TRUTH_PEBS_LOST,		/* no room in the buffer, or no page */
	TRUTH_SAMPLE_KINDS
};

/* A PMI that was delivered, or an event that PEBS records. */
struct truth_sample {
	uint64_t counters;		/* as in GLOBAL_STATUS */
	uint64_t ip;			/* the instruction that caused it, if known */
	uint64_t next;			/* where the CPU stood behind it... */
	uint64_t at;			/* ...and where the PMI found it */
	uint64_t address, tsc;
	uint32_t space;
	uint8_t kind, cls;
	bool has_ip, has_address;
};

/* For each CPU; what comes then is only counted. */
#define TRUTH_MAX_SAMPLES 200000

struct where;

struct truth_cpu {
	unsigned int index;
	struct pmu *pmu;
	struct truth_space *space;	/* charged now */
	truth_counts seen;		/* totals that have been charged */
	enum pmu_class cls;
	struct truth_sample overflow;	/* its PMI has not been delivered yet */
	struct truth_sample *sample;
	unsigned int nr_samples;
	uint64_t sampled[TRUTH_SAMPLE_KINDS];	/* kept or not */
	uint64_t cr3, cr3_before;
	struct {			/* the last thing that left user mode */
		bool valid, syscall, forks;
		struct truth_place to;
		uint64_t nr;
		struct truth_child child;
		char *path;		/* of an execve */
	} left;
	struct where *where;		/* NULL: nobody asks where instructions go */
};

struct truth_msr {
	uint32_t msr;
	uint64_t value;
};

struct truth_mark_cpu {
	truth_counts totals;
	struct truth_msr *msr;
	unsigned int nr_msrs;
};

struct truth_mark {
	uint32_t label, space;
	unsigned int cpu, nr_spaces;	/* that were there */
	uint64_t tsc;
	struct truth_mark_cpu *each;
};

struct truth {
	const char *file, *profile;
	unsigned int nr_cpus, nr_totals;
	bool slots;			/* where they went is wanted, and the model knows... */
	bool slots_on;			/* ...and is asked for now */
	struct truth_cpu **cpu;
	struct truth_space **space;
	unsigned int nr_spaces;
	struct truth_mark *mark;
	unsigned int nr_marks;
};

extern struct truth the_truth;

void truth_lock(void);
void truth_unlock(void);

/* The file cannot be written: false, errno says why. */
bool truth_open(const char *file, const char *profile);
struct truth_cpu *truth_add_cpu(unsigned int index, struct pmu *pmu);

struct truth_space *truth_new_space(struct truth_space *parent, const char *origin,
				    const char *name, uint64_t cr3);
/* The space that owns this CR3 now, or NULL. */
struct truth_space *truth_find(uint64_t cr3);
/* The newest that was forked with that thread ID and whose parent is a guess, or NULL. */
struct truth_space *truth_find_guessed(uint32_t tid);

/* What the CPU has retired since the last time goes to its space. */
void truth_charge(struct truth_cpu *cpu);

/* A thread left user mode; it came back (false: none such had left). */
void truth_away(struct truth_space *space, struct truth_place to);
bool truth_back(struct truth_space *space, struct truth_place at);

void truth_add_sample(struct truth_cpu *cpu, const struct truth_sample *sample);

/* A mark at that TSC with room for every CPU, to be filled in by the caller. */
struct truth_mark *truth_new_mark(uint32_t label, const struct truth_cpu *cpu, uint64_t tsc);
void truth_note_msr(void *mark_cpu, uint32_t msr, uint64_t value);

void truth_write(void);
void truth_json(const struct truth *truth, FILE *to);

#endif
