/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: from whoever has one (the interrupt, a switch, a PEBS record) into
 * the ring of its session and CPU, entered in the ledger.
 */
#ifndef PMUCTL_SAMPLE_H
#define PMUCTL_SAMPLE_H

#include <linux/types.h>

#include "kmod/pmu/pmu.h"

struct pmuctl_cpu;
struct pmuctl_pebs_counts;
struct pmuctl_session;
struct pt_regs;
struct task_struct;

/*
 * What is known of one sample; event->session is whose it is.  What the
 * event's content asks for and nobody knows (NULL, nr_branches 0) is written as
 * zeroes.
 */
struct pmuctl_taken {
	const struct pmuctl_event *event;
	/* Whose event it was: current, but for a record found too late. */
	struct task_struct *task;
	/*
	 * Of the interrupt, or NULL: for call chains and stacks, and for
	 * registers without gpr.  Those of a record: threshold 1, its PMI's.
	 */
	struct pt_regs *regs;
	bool entering;			/* the kernel: those are not known */
	/* As the hardware has them, or NULL. */
	const struct pmuctl_sample_regs *gpr;
	const struct pmuctl_branch *branches;
	unsigned int nr_branches;
	u16 flags;			/* enum pmuctl_record_flag */
	u64 time;			/* CLOCK_MONOTONIC; 0: now */
	u64 ip;
	u64 period;			/* events that it stands for */
	u64 addr;
	u64 latency;
	u64 data_src;
	u64 block;
	u64 retire;
	/* Of a record, or NULL: they are as they stand now. */
	const struct pmuctl_pebs_counts *counts;
};

/*
 * On the CPU meant, IRQs off, from the NMI handler or between busy_begin() and
 * busy_end(): produced = written + lost.  False: it was lost.
 */
bool pmuctl_sample_take(struct pmuctl_cpu *cpu,
			const struct pmuctl_taken *taken);
/* Overflows that made no sample, since their CPU is throttled. */
void pmuctl_sample_throttled(const struct pmuctl_event *event, u64 n);
/* What is due has come to light without its interrupt. */
void pmuctl_sample_stalled(const struct pmuctl_event *event);
/* A record without a body. */
void pmuctl_sample_note(const struct pmuctl_event *event, u16 type);
/* On cpu, or when nothing runs there: says what was lost and not told yet. */
void pmuctl_sample_tell_lost(struct pmuctl_session *session, unsigned int cpu);
/* The most bytes that a sample of this content takes, and of this stack. */
u32 pmuctl_sample_room(u64 content, u32 stack);
/* PEBS: a record that names several counters. */
void pmuctl_sample_collision(struct pmuctl_cpu *cpu,
			     const struct pmuctl_event *event);
/* PEBS: the buffer was full. */
void pmuctl_sample_overrun(const struct pmuctl_event *event);

#endif
