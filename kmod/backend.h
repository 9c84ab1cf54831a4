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

#include "uapi/pmuctl.h"
#include "why.h"

/*
 * A counter has two names: its bit in masks (the protocol's: 0.. general
 * purpose, 32.. fixed) and its slot, dense, for arrays.
 */
#define PMUCTL_SLOTS		16
#define PMUCTL_GP_MAX		12
#define PMUCTL_FIXED_MAX	(PMUCTL_SLOTS - PMUCTL_GP_MAX)

/* A set uses each counter at most once. */
#define PMUCTL_EVENTS_MAX	PMUCTL_SLOTS

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

struct pmuctl_caps {
	u32 signature;			/* CPUID.1:EAX */
	u32 version;			/* of architectural perfmon */
	u32 nr_gp;
	u32 nr_fixed;
	u32 gp_width;
	u32 fixed_width;
	u32 arch_events;
	bool has_ds;
	bool has_pt;
	u64 capabilities;		/* IA32_PERF_CAPABILITIES */
	u64 counters;			/* that exist */
	/* For tests: overflow after 2^n events instead of when full; 0: no. */
	u32 overflow_bits;
	/* What the kernel's reservation knows the counters by; 0: nothing. */
	u32 nr_reserve;
	u32 perfctr;
	u32 evntsel;
};

struct pmuctl_event {
	u64 evtsel;			/* as asked for */
	u64 allowed;			/* counters, by bit */
	u32 flags;			/* enum pmuctl_event_flag */
	u32 set;
	u32 group;
	/* As assigned. */
	u32 counter;
	u32 slot;
	u64 config;			/* as programmed */
};

/* What this CPU's registers hold while the PMU is ours. */
struct pmuctl_regs {
	u64 enabled;			/* counters that run */
	u64 fixed_ctrl;
	u64 evtsel[PMUCTL_GP_MAX];
};

/* All but probe, validate and encode run on the CPU meant, IRQs off. */
struct pmuctl_backend {
	const char *name;
	/* Fills the facts, or says what it found instead. */
	int (*probe)(struct pmuctl_caps *caps);
	/* Every bit of an event, before a counter is chosen. */
	int (*validate)(const struct pmuctl_event *event,
			const struct pmuctl_why *why);
	/* Sets event->config for event->counter; fills the reply's register. */
	void (*encode)(struct pmuctl_event *event, struct pmuctl_reg *reg);

	/* NULL, or who else uses this CPU's PMU. */
	const char *(*foreign)(void);
	void (*save)(u64 *saved);
	void (*restore)(const u64 *saved);
	/* Everything off, every counter at its start, status acknowledged. */
	void (*reset)(struct pmuctl_regs *regs);
	/* After reset: does this PMU count, or only pretend? */
	bool (*counts)(struct pmuctl_regs *regs);

	void (*program)(struct pmuctl_regs *regs,
			const struct pmuctl_event *event);
	void (*enable)(struct pmuctl_regs *regs, u64 counters);
	u64 (*read)(unsigned int slot);
	/* How far a counter goes before it starts again from zero. */
	u64 (*mask)(unsigned int slot);
	/* Back to where the next overflow is far away; returns that value. */
	u64 (*rearm)(unsigned int slot);
	/* The counters that overflowed, acknowledged with all else. */
	u64 (*overflows)(void);
	/* Somebody else wrote what is ours. */
	bool (*disturbed)(const struct pmuctl_regs *regs);
};

extern const struct pmuctl_backend pmuctl_perfmon;

/* The one that runs, and its facts: fixed when the module has loaded. */
extern const struct pmuctl_backend *pmuctl_backend;
extern struct pmuctl_caps pmuctl_caps;

int pmuctl_probe(void);

#endif
