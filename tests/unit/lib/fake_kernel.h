/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel of paper: what libpmuctl sends goes here instead of to netlink,
 * and what the test laid ready comes back, in the bytes of the real protocol.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netlink/msg.h>

#include "kmod/uapi/pmuctl.h"

/* Signatures of CPUs: CPUID.1:EAX. */
#define FAKE_SKYLAKE 0x506e3
#define FAKE_CORE2 0x6fb
#define FAKE_PRESCOTT 0xf41
#define FAKE_NORTHWOOD 0xf29
#define FAKE_PENTIUM3 0x673

struct fake_kernel {
	/* The module. */
	bool missing;			/* the family is not there */
	/* What the module says of its state, look by look; NULL: it is another one by then. */
	const char *states[3];
	unsigned int looks;
	bool comes_back;		/* the family, by the first of them */
	const char *backend;		/* NULL: "perfmon" */
	uint32_t abi, state, signature, version, arch_events;
	uint64_t counters, counters_used;
	uint64_t features;
	bool info_new;			/* what later modules tell is in INFO */
	uint32_t any, arch_only;
	uint64_t errata;
	bool threads;			/* share cores */
	int smt;			/* they do now: 1, 0; -1: the kernel does not tell */
	bool sampling;			/* what follows is in INFO */
	int pebs_format;		/* -1: there is no PEBS */
	const char *pebs_refusal;	/* NULL: there is none */
	unsigned int lbr_depth;
	uint64_t capabilities;
	uint64_t inode;		/* of the session's socket */
	bool no_maker, lost;	/* the session's */
	const char *cgroup;	/* whose tasks it follows, or NULL */
	const char *owner;		/* of the session that there is; NULL: "somebody" */

	/* What the command `fail_cmd` is answered with. */
	int fail_cmd, fail_errno;
	const char *extack;
	bool not_capped;		/* the request is quoted in the error */
	bool fail_at_done;		/* a dump's end has the error */
	unsigned int fail_times;	/* 0: always */
	const char *warning;		/* extack of what succeeds */
	bool strange;			/* what is not for us comes first */

	/* Lies in the reply to SESSION_NEW and COUNT_GET. */
	int events_missing, events_extra;
	bool no_counter, short_regs, short_counts, wrong_event, no_reply;

	/* Counts, one an event, and of so many CPUs each (0: of none). */
	struct pmuctl_count counts[512];
	unsigned int cpus;
	unsigned int idle_reads;	/* so many find nothing that was on a counter */
	uint64_t growth;		/* of each count, behind each read */
	int fd_errno;			/* what their descriptor says */
	unsigned int fd_reads, fds_closed;

	/* Kinds of cores, whose sessions have these counts, and how many; 0: all CPUs are alike. */
	struct fake_kind {
		uint32_t core, cpus[4];
		size_t nr_cpus;
		uint64_t counters, features;
		struct pmuctl_count counts[64];
		unsigned char last_new[65536];	/* of a session there */
		size_t nr_events;
		unsigned int started, stopped, ended;
		uint32_t beside;		/* what the last session was, or 0 */
		unsigned char records[512];	/* that wait in its CPU's ring */
		size_t records_size;
		int errno_new;			/* what a session is refused with */
	} kinds[3];
	size_t nr_kinds;

	/* What waits in the ring of one CPU, until it is taken; and the ledger. */
	unsigned char records[16384];
	size_t records_size;
	unsigned int records_cpu;
	bool no_cpu;			/* the reply does not say whose they are */
	struct pmuctl_ledger ledger[16];
	size_t nr_ledger;

	/* Features of the processor, an entry a place that has one by itself; and what was left. */
	struct fake_feature {
		struct pmuctl_feature_row row;
		struct pmuctl_feature_state state;
		const char *refusal, *comm;	/* NULL: none, nobody */
		uint32_t kind;			/* where there are several */
	} features_list[16];
	size_t nr_features;
	struct pmuctl_feature_left left[4];
	size_t nr_left;
	unsigned int also;			/* a CPU that a hold reaches as well; 0: none */

	/* What came in. */
	unsigned int acks;		/* that were asked for */
	unsigned int requests[PMUCTL_CMD_MAX + 1];
	unsigned char last_new[65536];	/* struct nlmsghdr of SESSION_NEW */
	bool flushed;			/* the last SAMPLE_GET asked for it */
	struct pmuctl_feature_value held[16];	/* by the last FEATURE_HOLD, on so many CPUs */
	size_t nr_held, nr_held_cpus;
	uint32_t held_process;			/* 0: of CPUs */
	size_t nr_events;
};

extern struct fake_kernel fake;

/* A module for a CPU that does all it is asked. */
void fake_cpu(uint32_t signature, uint32_t version, uint64_t counters);
void fake_skylake(void);
void fake_core2(void);
/* Of this signature; all counters but 1. */
void fake_p4(uint32_t signature);
void fake_p6(void);
/* It samples, and its CPU has PEBS of this format. */
void fake_sampling(int pebs_format);
/* An Alder Lake: two kinds of cores, two CPUs of each. */
void fake_hybrid(void);
/* An Arrow Lake H: three kinds, of which the first has two CPUs. */
void fake_three_kinds(void);
/* Its CPU has two prefetchers, and the module switches them: one of them is held, one for tasks. */
void fake_features(void);

#endif
