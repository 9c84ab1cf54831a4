/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a backend is: verbs over one family of PMUs.
 *
 * Three kinds of thing are kept apart.  Verbs: struct pmuctl_backend.  Facts:
 * struct pmuctl_caps, filled once by probe(), and each backend's own const
 * tables.  State: struct pmuctl_regs, one a CPU.
 */
#ifndef PMUCTL_BACKEND_H
#define PMUCTL_BACKEND_H

#include <linux/types.h>

#include "kmod/base/why.h"
#include "kmod/uapi/pmuctl.h"

/*
 * A counter has two names: its bit in masks (the protocol's: 0.. general
 * purpose, 32.. fixed) and its slot, dense, for arrays.
 */
#define PMUCTL_SLOTS		25
#define PMUCTL_GP_MAX		18
#define PMUCTL_FIXED_MAX	(PMUCTL_SLOTS - PMUCTL_GP_MAX)

/* Fields of PERF_METRICS, counters without a slot; one bit switches all. */
#define PMUCTL_METRICS_MAX	8
#define PMUCTL_METRICS		(0xffULL << PMUCTL_METRIC_BASE)
#define PMUCTL_METRICS_ON	(1ULL << PMUCTL_METRIC_BASE)
/* The counter that they divide. */
#define PMUCTL_METRICS_OF	(PMUCTL_FIXED_BASE + PMUCTL_METRIC_SLOTS)

/* A set uses each counter at most once. */
#define PMUCTL_SET_EVENTS_MAX	(PMUCTL_SLOTS + PMUCTL_METRICS_MAX)

/* Registers beside the event select that one event may need. */
#define PMUCTL_EXTRA_MAX	2
/* And how many such registers a CPU has at most: slots of pmuctl_regs. */
#define PMUCTL_EXTRA_SLOTS	4

/* Contents read off a stack: it is there when the sample is, not later. */
#define PMUCTL_CONTENT_STACKS	(PMUCTL_CONTENT_CHAIN |			\
				 PMUCTL_CONTENT_STACK |			\
				 PMUCTL_CONTENT_TOP)

/* Registers of its own that every event has: a select, or two of the P4. */
#define PMUCTL_OWN_REGS_MAX	2

/* Threads of a core that share a PMU. */
#define PMUCTL_THREADS_MAX	2

/* Counters that pebs_try() moves. */
#define PMUCTL_TRIED_COUNTERS	2

/* Registers of one CPU that are given back as found. */
#define PMUCTL_SAVED_MAX	96

static inline unsigned int pmuctl_slot(unsigned int counter)
{
	return counter < PMUCTL_FIXED_BASE ?
	       counter : PMUCTL_GP_MAX + counter - PMUCTL_FIXED_BASE;
}

static inline unsigned int pmuctl_counter(unsigned int slot)
{
	return slot < PMUCTL_GP_MAX ?
	       slot : PMUCTL_FIXED_BASE + slot - PMUCTL_GP_MAX;
}

/* AnyThread in an event select, wherever there is such a bit. */
#define PMUCTL_EVTSEL_ANY	(1ULL << 21)

/* IA32_PERF_CAPABILITIES: counters can be written in all their bits. */
#define PMUCTL_CAP_FULL_WIDTH	(1ULL << 13)

/* The most last branch records that any processor has. */
#define PMUCTL_LBR_MAX		32

/* Addresses of the kernel are negative; with 32 bits they have a start. */
static inline u32 pmuctl_ring_of(u64 address)
{
#ifdef CONFIG_X86_32
	bool kernel = address >= CONFIG_PAGE_OFFSET;
#else
	bool kernel = (s64)address < 0;
#endif

	return kernel ? PMUCTL_EVENT_KERNEL : PMUCTL_EVENT_USER;
}

/* Beside counters: the PEBS buffer is as full as its threshold. */
#define PMUCTL_STATUS_BUFFER	(1ULL << 62)

struct pmuctl_ds;
struct pmuctl_model;
struct pmuctl_plan;
struct pmuctl_session;

struct pmuctl_caps {
	u32 signature;			/* CPUID.1:EAX */
	u32 version;			/* of architectural perfmon */
	u32 nr_gp;
	u32 nr_fixed;
	u32 gp_width;
	u32 fixed_width;
	u32 arch_events;
	bool has_ds;
	bool has_pebs;
	bool has_pt;
	u32 core;			/* CPUID.1AH:EAX; 0: it does not say */
	u64 capabilities;		/* IA32_PERF_CAPABILITIES */
	u64 counters;			/* that exist */
	/* Version 6: those with a register CFG_B, or CFG_C, of their own. */
	u64 cfg_b;
	u64 cfg_c;
	u32 fixed_alone;		/* fixed counters that are not driven */
	bool any;			/* AnyThread may be set */
	bool has_umask2;		/* ... and the second mask */
	bool has_eq;			/* ... and comparing for equality */
	const struct pmuctl_model *model;	/* NULL: unknown */
	bool arch_only;			/* architectural events, no others */
	u32 extra_slots;		/* registers beside event selects */
	/* Bit n: enum pmuctl_reg_id n is one register for a whole core. */
	u32 extra_shared;
	/* PEBS, if has_pebs: its records, and counters that have them. */
	u32 pebs_format;
	u64 pebs_counters;
	u64 pebs_groups;		/* PEBS_CFG_*: what they may have */
	u64 pebs_most;			/* events from one to the next */
	bool has_retire;		/* records have the retire latency */
	/* Last branch records; depth 0: none. */
	u32 lbr_depth;
	u32 lbr_format;			/* IA32_PERF_CAPABILITIES[5:0] */
	bool has_lbr_calls;		/* it can be a stack of calls */
	bool has_tsx;			/* transactions */
	u64 cascade;		/* counters start each other below this */
	/* Parameters: drive all the same what is not known. */
	bool allow_unsupported;
	bool allow_unknown_events;
	/* For tests: overflow after 2^n events instead of when full; 0: no. */
	u32 overflow_bits;
	/* What the kernel's reservation knows the counters by; 0: nothing. */
	u32 nr_reserve;
	u32 perfctr;
	u32 evntsel;
	/* Threads that share all of a core's PMU; 0: none do. */
	u32 threads;
	/* Parameter: use a counter whose enable bit is unreliable. */
	bool p4_counter1;
	/* Events that pass between an overflow and its interrupt. */
	u32 late;
	/*
	 * There is no such interrupt: ns after which counters are added up, so
	 * that none comes round unseen.  0: there is one.
	 */
	u64 fold_every;
	/* enum pmuctl_erratum_bit; and what a parameter leaves alone. */
	u64 errata;
	u64 errata_open;
	/* Parameter: PEBS also where its records are known to be wrong. */
	bool allow_bad_pebs;
	const char *pebs_refusal;	/* NULL, or why there is none */
};

/* Where an event of the P4 is on one thread of a core. */
struct pmuctl_seat {
	u8 counter;
	u8 escr;
};

struct pmuctl_event {
	u64 evtsel;			/* as asked for */
	u64 cccr;			/* P4: evtsel is the ESCR */
	u64 allowed;			/* counters, by bit */
	u32 flags;			/* enum pmuctl_event_flag */
	u32 set;
	u32 group;
	u32 nr_extra;
	struct pmuctl_reg extra[PMUCTL_EXTRA_MAX];	/* as asked for */
	bool sees_sibling;		/* counts other threads of the core */
	/* Programmed anew whenever it goes on. */
	bool again;
	/* As assigned. */
	struct pmuctl_seat seat[PMUCTL_THREADS_MAX];	/* P4 */
	u8 shown;			/* the seat that names its counter */
	u32 counter;
	u32 slot;
	u64 config;			/* as programmed */
	u64 pebs;			/* bits of MSR_PEBS_ENABLE */
	u64 pebs_cfg;			/* bits of MSR_PEBS_DATA_CFG */
	u32 lbr;			/* rings whose branches it needs */
	/* Has two counters, one for each thread of a core: see twins.h. */
	bool twice;
	/* Another event has to run beside it, on a counter for that alone. */
	bool auxiliary;
	u32 twin;			/* the second one, or that */
	/* Its place in the request: events are sorted by set. */
	u32 place;
	/* Samples: sampled if it has a period or a frequency. */
	bool sampled;
	u32 phase;			/* its place among those sampled */
	u64 period;			/* 0: by frequency */
	u32 freq;			/* a second */
	u32 random;			/* bits; 0: every period the same */
	/* What a counter can be armed with: 1 and 1, but for errata. */
	bool coarse;
	u32 least, step;
	u32 precise;			/* 0: by interrupt, else by PEBS */
	u64 content;			/* enum pmuctl_content */
	u32 stack;			/* the most bytes of a user stack */
	u32 room;			/* the most bytes of a sample */
	/* Cascades: counts to its overflow, starts at another's. */
	u64 after;			/* events; 0: it starts none */
	bool cascaded;
	u32 cascade;			/* place of the event that starts it */
	const struct pmuctl_event *starter;	/* which is this one */
	bool starts;			/* is one */
	bool along;			/* samples of its group tell it */
	u64 counters_along;		/* that its own have, as assigned */
	/* A field of PERF_METRICS; of the slots that it divides: such ones. */
	bool metric;
	u32 nr_metrics;
	const struct pmuctl_event *metrics;
	struct pmuctl_session *session;
	/* Of the CPUs that it is for; NULL: all are alike. */
	const struct pmuctl_caps *caps;
};

/* What this CPU's registers hold while the PMU is ours. */
struct pmuctl_regs {
	u64 enabled;			/* counters that run */
	/* Those that stand still while this CPU is in the kernel. */
	u64 user_only;
	u64 fixed_ctrl;
	u32 fresh;			/* counters whose event is a new one */
	u64 evtsel[PMUCTL_GP_MAX];
	u64 extra[PMUCTL_EXTRA_SLOTS];
	/* MSR_DS_AREA, or IA32_PEBS_BASE; 0: there is no buffer. */
	u64 pebs_area;
	bool pebs_paused;		/* for a guest: it is off */
	bool pebs_foreign;		/* a guest may have had it */
	/*
	 * MSR_PEBS_ENABLE and MSR_PEBS_DATA_CFG.  Of architectural PEBS they
	 * say the same, and what is made of them is in IA32_PMC_*_CFG_C.
	 */
	u64 pebs;
	u64 pebs_cfg;
	u64 pebs_cfg_of[PMUCTL_SLOTS];
	u32 reload[PMUCTL_SLOTS];
	u64 cfg_c[PMUCTL_SLOTS];
	u32 lbr;			/* those recorded; and LBR_CALLS */
	u32 lbr_of[PMUCTL_SLOTS];
};

/* What the buffer of records has in it, for PEBS to be drained. */
struct pmuctl_filled {
	u32 bytes;
	bool due;			/* as full as its threshold says */
	bool stopped;			/* a record found no room: no more */
};

/*
 * A buffer that is no debug store area: the hardware knows it by its physical
 * address, and a register has the index.  On the CPU meant, IRQs off.
 */
struct pmuctl_buffer {
	/* 4 KiB << order of them begin at address; nothing records yet. */
	void (*on)(struct pmuctl_regs *regs, struct pmuctl_ds *ds, u64 address,
		   unsigned int order);
	/* Nothing records any more. */
	void (*off)(const struct pmuctl_regs *regs);
	struct pmuctl_filled (*look)(const struct pmuctl_ds *ds);
	/* What was in it has been taken; no counter that records runs. */
	void (*empty)(const struct pmuctl_ds *ds);
	/* Due as soon as it has so many bytes. */
	void (*limit)(struct pmuctl_regs *regs, struct pmuctl_ds *ds,
		      u32 bytes);
	/* What the hardware sets the counter back to, in 32 bits. */
	void (*reload)(struct pmuctl_regs *regs, unsigned int slot, u32 value);
};

/* All but probe, validate and encode run on the CPU meant, IRQs off. */
struct pmuctl_backend {
	const char *name;
	/* What an event's registers begin with; 0: an event select, and none */
	u32 first_reg;
	u32 second_reg;
	/* Fills the facts, or says what it found instead. */
	int (*probe)(struct pmuctl_caps *caps);
	/*
	 * Every bit of an event and its registers; it has no counter yet, and
	 * those are taken from it that cannot do what it asks.
	 */
	int (*validate)(struct pmuctl_event *event,
			const struct pmuctl_why *why);
	/*
	 * NULL: any event on any of its counters.  Else: where each event of
	 * the plan's session goes, which is in sets, and what it holds.
	 */
	int (*assign)(struct pmuctl_plan *plan, const struct pmuctl_why *why);
	/*
	 * Sets event->config for event->counter; fills the reply's registers,
	 * as many as an event has of its own.
	 */
	void (*encode)(struct pmuctl_event *event, struct pmuctl_reg *reg);

	/* NULL, or who else uses this CPU's PMU. */
	const char *(*foreign)(void);
	/*
	 * NULL, or whether somebody counts in what cannot be reserved by itself
	 * and is not foreign while it stands still: IA32_FIXED_CTR_CTRL, or 0.
	 */
	u64 (*fixed_on)(void);
	void (*save)(u64 *saved);
	/* What threads of a core share was found by the first of them. */
	void (*adopt)(u64 *saved, const u64 *of_sibling);
	/* Without what is shared, if a sibling goes on using it. */
	void (*restore)(const u64 *saved, bool shared);
	/* Everything off, every counter at its start, status acknowledged. */
	void (*reset)(struct pmuctl_regs *regs);
	/* After reset: NULL, or how this PMU only pretends to count. */
	const char *(*pretends)(struct pmuctl_regs *regs);

	/*
	 * The event's counter, which does not run, and its extra registers.
	 * One with event->again is programmed each time it goes on, even if
	 * its counter still is: others may have used its registers since.
	 */
	void (*program)(struct pmuctl_regs *regs,
			const struct pmuctl_event *event);
	void (*enable)(struct pmuctl_regs *regs, u64 counters);
	u64 (*read)(unsigned int slot);
	/* RDPMC's name of it for programs; NULL: they cannot read them. */
	u32 (*user_index)(unsigned int slot);
	/* How far a counter goes before it starts again from zero. */
	u64 (*mask)(unsigned int slot);
	/* Back to where the next overflow is far away; returns that value. */
	u64 (*rearm)(unsigned int slot);
	/*
	 * So that it overflows after so many events, or after the most that can
	 * be written; returns the value.  Its counter does not run.
	 */
	u64 (*arm)(unsigned int slot, u64 left);
	/*
	 * The counters that overflowed, and PMUCTL_STATUS_BUFFER, acknowledged
	 * with all else; of those that ran until now.
	 */
	u64 (*overflows)(u64 ran);
	/*
	 * The event's counter, which is stopped, is started by that of another,
	 * or has been.
	 */
	void (*cascade)(const struct pmuctl_event *event, bool waits);
	/* PERF_METRICS; and from 0 again, with the counter that it divides. */
	u64 (*metrics)(void);
	void (*clear_metrics)(void);
	/* 0, or the MSR that somebody else wrote; of enable's it stays so. */
	u32 (*disturbed)(const struct pmuctl_regs *regs);
	/*
	 * A counter that has overflowed waits for the record of its next event,
	 * which no manual says that a write of it ends: it does not any more.
	 * NULL: a write does.
	 */
	void (*pebs_unready)(struct pmuctl_regs *regs, unsigned int counter);
	/*
	 * What this processor does with PEBS where the manual leaves it open,
	 * into pmuctl_tried.  All counters are stopped, nobody has PEBS on, and
	 * the first ones are moved.  NULL: nothing is open.
	 */
	void (*pebs_try)(struct pmuctl_regs *regs,
			 const struct pmuctl_ds *ds);
	/*
	 * A PMI, from here, while all counters are stopped.  NULL: it is known
	 * how they are delivered.
	 */
	void (*pmi_try)(struct pmuctl_regs *regs);
	/* Of PEBS; NULL: in a debug store area. */
	const struct pmuctl_buffer *buffer;
	/* With PEBS: a guest is entered, and left, if it was paused. */
	void (*pebs_pause)(struct pmuctl_regs *regs);
	void (*pebs_resume)(struct pmuctl_regs *regs);
};

extern const struct pmuctl_backend pmuctl_perfmon;
/* Where an event has two counters, needs others before it, or one beside it. */
extern const struct pmuctl_backend pmuctl_perfmon_twins;
extern const struct pmuctl_backend pmuctl_perfmon_fresh;
extern const struct pmuctl_backend pmuctl_perfmon_auxiliary;
/* Where PEBS is architectural. */
extern const struct pmuctl_backend pmuctl_perfmon_index;
extern const struct pmuctl_backend pmuctl_p5;
/* With MMX came RDPMC. */
extern const struct pmuctl_backend pmuctl_p5_mmx;
extern const struct pmuctl_backend pmuctl_p6;
extern const struct pmuctl_backend pmuctl_p4;

/* What the Pentium 4 needs beside that, once the backend is known. */
int pmuctl_p4_init(void);
void pmuctl_p4_exit(void);

bool pmuctl_p5_has_mmx(const struct pmuctl_caps *caps);

/* This is a P6, which has no architectural perfmon. */
bool pmuctl_p6_drives(void);

/* The one that runs, and its facts: fixed when the module has loaded. */
extern const struct pmuctl_backend *pmuctl_backend;
extern struct pmuctl_caps pmuctl_caps;

/*
 * Where cores are of several kinds (see kinds.h) each has facts of its own.
 * Those of the CPU that this runs on: for who touches its registers, but for
 * what is done at each switch and overflow, which is the same on all.
 */
const struct pmuctl_caps *pmuctl_caps_here(void);

/* Those of the CPUs that an event is for: for who decides about it. */
static inline const struct pmuctl_caps *
pmuctl_caps_of(const struct pmuctl_event *event)
{
	return event->caps ? event->caps : &pmuctl_caps;
}

/* What nothing announces: found out by trying, once the PMU is ours. */
struct pmuctl_tried {
	/* The delivery of a PMI need not mask its entry of the local APIC. */
	bool lvtpc_stays;
	/* The event that PEBS records is counted on top of the reset value. */
	bool pebs_counts_recorded;
	/* That could not be told: known code left no record. */
	bool pebs_silent;
	/* Records also name counters that are only ready for theirs. */
	bool pebs_names_ready;
};

extern struct pmuctl_tried pmuctl_tried;

/* An overflow interrupts. */
static inline bool pmuctl_interrupts(void)
{
	return !pmuctl_caps.fold_every;
}

static inline unsigned int pmuctl_own_regs(void)
{
	return pmuctl_backend->second_reg ? 2 : 1;
}

int pmuctl_probe(void);

#endif
