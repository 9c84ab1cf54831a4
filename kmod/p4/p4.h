/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of the backend for the Pentium 4 (NetBurst, family 15):
 * registers, bits, facts, and what a core and each of its threads hold.
 */
#ifndef PMUCTL_P4_H
#define PMUCTL_P4_H

#include <linux/bits.h>
#include <linux/types.h>

#include "kmod/pmu/msr.h"
#include "kmod/pmu/pmu.h"

#define P4_COUNTERS		18
#define P4_WIDTH		40
#define P4_MASK			GENMASK_ULL(P4_WIDTH - 1, 0)
/* Set until a counter overflows: it starts in the upper half. */
#define P4_TOP			BIT_ULL(P4_WIDTH - 1)

#define MSR_P4_MISC_ENABLE	0x1a0
#define MSR_P4_COUNTER		0x300
#define MSR_P4_CCCR		0x360
#define MSR_P4_ESCR		0x3a0
#define MSR_P4_PEBS_ENABLE	0x3f1
#define MSR_P4_MATRIX_VERT	0x3f2
#define MSR_P4_DS_AREA		PMUCTL_MSR_DS_AREA

/* ESCRs by number, with gaps: address - MSR_P4_ESCR. */
#define P4_ESCRS		0x42

#define ESCR_RINGS		GENMASK_ULL(3, 0)
#define ESCR_T0_OS		BIT_ULL(3)
#define ESCR_T0_USR		BIT_ULL(2)
#define ESCR_T1_OS		BIT_ULL(1)
#define ESCR_T1_USR		BIT_ULL(0)
#define ESCR_TAG_ENABLE		BIT_ULL(4)
#define ESCR_TAG		GENMASK_ULL(8, 5)
#define ESCR_TAG_SHIFT		5
#define ESCR_MASK		GENMASK_ULL(24, 9)
#define ESCR_MASK_SHIFT		9
#define ESCR_CODE		GENMASK_ULL(30, 25)
#define ESCR_CODE_SHIFT		25

#define CCCR_EXTENDED		BIT_ULL(11)	/* cascade */
#define CCCR_ENABLE		BIT_ULL(12)
#define CCCR_SELECT		GENMASK_ULL(15, 13)
#define CCCR_SELECT_SHIFT	13
#define CCCR_THREAD		GENMASK_ULL(17, 16)
#define CCCR_THREAD_ANY		GENMASK_ULL(17, 16)
#define CCCR_COMPARE		BIT_ULL(18)
#define CCCR_COMPLEMENT		BIT_ULL(19)
#define CCCR_THRESHOLD		GENMASK_ULL(23, 20)
#define CCCR_EDGE		BIT_ULL(24)
#define CCCR_FORCE_OVF		BIT_ULL(25)
#define CCCR_OVF_PMI_T0		BIT_ULL(26)
#define CCCR_OVF_PMI_T1		BIT_ULL(27)
#define CCCR_CASCADE		BIT_ULL(30)
#define CCCR_OVF		BIT_ULL(31)

/* PEBS_ENABLE: what replays are tagged, and that they are. */
#define P4_REPLAY_CAUSES	0x19fffULL
#define P4_UOP_TAG		BIT_ULL(24)
#define P4_PEBS_MY_THREAD	BIT_ULL(25)
#define P4_PEBS_OTHER_THREAD	BIT_ULL(26)
#define P4_MATRIX_BITS		0x17ULL

/* --- facts: p4/events.c --- */

enum pmuctl_p4_group { P4_BPU, P4_MS, P4_FLAME, P4_IQ, P4_GROUPS };

/* Each event has an ESCR of the first pair of counters, or the other, or two */
#define P4_FIRST		BIT(0)
#define P4_SECOND		BIT(1)
#define P4_BOTH			(P4_FIRST | P4_SECOND)

enum pmuctl_p4_event_flag {
	P4_TI = BIT(0),			/* counts both threads alike */
	P4_PEBS = BIT(1),		/* can be recorded */
	P4_TAGS = BIT(2),		/* can tag uops for P4_EXECUTION */
	P4_EXECUTION = BIT(3),
	P4_TAGS_FRONT = BIT(4),		/* tags for P4_FRONT_END */
	P4_FRONT_END = BIT(5),
	P4_REPLAY = BIT(6),		/* needs REPLAY and MATRIX_VERT */
};

struct pmuctl_p4_event {
	u8 group;
	u8 select;			/* CCCR */
	u8 code;			/* ESCR's event select */
	u8 halves;			/* P4_FIRST, P4_SECOND */
	u16 masks;
	u8 flags;
	u8 first_model;
};

/* NULL: there is none. */
const struct pmuctl_p4_event *
pmuctl_p4_event(const struct pmuctl_event *event);
int pmuctl_p4_validate(struct pmuctl_event *event,
		       const struct pmuctl_why *why);
void pmuctl_p4_encode(struct pmuctl_event *event, struct pmuctl_reg *reg);
/* What is programmed for it on a thread. */
u32 pmuctl_p4_escr(const struct pmuctl_event *event, unsigned int thread);
u32 pmuctl_p4_cccr(const struct pmuctl_event *event, unsigned int thread);

/* --- facts: p4/facts.c --- */

enum pmuctl_p4_quirk {
	/* A write to a counter may be lost; a second one is not. */
	P4_WRITE_TWICE = BIT(0),
	/* Its enable bit does not always do what it says. */
	P4_COUNTER1_UNRELIABLE = BIT(1),
};

int pmuctl_p4_probe(struct pmuctl_caps *caps);
bool pmuctl_p4_has_quirk(const struct pmuctl_caps *caps,
			 enum pmuctl_p4_quirk quirk);
/* ESCRs in the order of their numbers; returns how many. */
unsigned int pmuctl_p4_escrs(u8 *escrs);
/* This CPU's number among the threads of its core. */
unsigned int pmuctl_p4_thread(void);
/* Model of family 15. */
unsigned int pmuctl_p4_model(const struct pmuctl_caps *caps);

/* --- routes: p4/seats.c --- */

enum pmuctl_p4_group pmuctl_p4_group_of(unsigned int counter);
/* By bit, of a group. */
u32 pmuctl_p4_counters_of(enum pmuctl_p4_group group, u8 halves);
u8 pmuctl_p4_route(unsigned int counter, unsigned int select);
/* That does for the second thread what it does for the first. */
unsigned int pmuctl_p4_mirror(unsigned int counter);

/* What others have that may run at the same time. */
#define P4_TAKEN		BIT(31)
struct pmuctl_p4_taken {
	u32 counters;
	u32 escr[P4_ESCRS];		/* its value and P4_TAKEN, or 0 */
};

struct pmuctl_set;

/* How the threads of a core share the PMU in a session. */
enum pmuctl_p4_sharing {
	P4_SPLIT,			/* half and half */
	P4_WHOLE,			/* one thread at a time */
};

/*
 * Gives each event a seat on each of the threads (by bit).  Returns -1, or an
 * event for which there was none.
 */
int pmuctl_p4_seat(struct pmuctl_event *event, const struct pmuctl_set *set,
		   unsigned int nr_sets, bool pinned, unsigned int threads,
		   const struct pmuctl_p4_taken *taken,
		   enum pmuctl_p4_sharing *sharing);

/* plan/core_plan.c: the same for a session among others. */
int pmuctl_p4_plan(struct pmuctl_plan *plan, const struct pmuctl_why *why);

/* --- state: p4/core.c --- */

struct pmuctl_p4_core {
	u32 held;			/* threads that have the PMU, by bit */
	bool clean;			/* stopped and set back since then */
	const char *refusal;		/* NULL, or how it does not count */
	u32 escr[P4_ESCRS];		/* as written last */
	const u64 *user[P4_COUNTERS];	/* the offset that fits a counter */
	/* By thread: what it wants in PEBS_ENABLE and MATRIX_VERT. */
	u32 pebs_enable[PMUCTL_THREADS_MAX];
	u32 matrix[PMUCTL_THREADS_MAX];
	u32 recording;			/* threads with PEBS on, by bit */
	u64 saved[PMUCTL_SAVED_MAX];
};

/* Slots of this CPU that run: each stands for a counter of the core. */
struct pmuctl_p4_cpu {
	struct pmuctl_p4_core *core;
	u8 thread;
	u8 counter[P4_COUNTERS];	/* by slot */
	u8 escr_nr[P4_COUNTERS];
	u32 escr[P4_COUNTERS];
	u32 cccr[P4_COUNTERS];
	u32 replay[P4_COUNTERS];
	u32 matrix[P4_COUNTERS];
	/* What a slot shows is its counter plus this, and was, last, that. */
	u64 offset[P4_COUNTERS];
	u64 last[P4_COUNTERS];
	u32 on;				/* slots */
	u32 before;			/* those before the last change */
	u32 tagging;			/* slots whose ESCR is 0 when off */
	u32 replaying;			/* slots that need PEBS_ENABLE */
	u32 forced;			/* slots that overflow at each event */
	u32 recording;			/* slots with PEBS */
	u32 waiting;			/* slots that another one starts */
};

/* This CPU's; core is set once it has been saved. */
struct pmuctl_p4_cpu *pmuctl_p4_cpu(void);
/* The core that this CPU belongs to, by the number that its threads share. */
struct pmuctl_p4_core *pmuctl_p4_core(u32 id);
/* Around what its threads do to a core; IRQs are off. */
void pmuctl_p4_lock(struct pmuctl_p4_core *core);
void pmuctl_p4_unlock(struct pmuctl_p4_core *core);

/* --- p4.c --- */

void pmuctl_p4_write_counter(unsigned int counter, u64 value);

/* --- p4/pebs.c --- */

void pmuctl_p4_pebs_probe(struct pmuctl_caps *caps, const u32 leaf[4]);
int pmuctl_p4_pebs_validate(struct pmuctl_event *event,
			    const struct pmuctl_p4_event *row,
			    const struct pmuctl_why *why);
void pmuctl_p4_pebs_program(struct pmuctl_regs *regs,
			    struct pmuctl_p4_cpu *cpu,
			    const struct pmuctl_event *event);
u32 pmuctl_p4_pebs_bits(const struct pmuctl_p4_core *core, unsigned int thread);
/* A slot that is recorded is about to be started. */
void pmuctl_p4_pebs_start(struct pmuctl_p4_cpu *cpu, unsigned int slot);

/* --- p4/cascade.c --- */

/* The bit of to's CCCR that has it started by from, or 0. */
u32 pmuctl_p4_cascade_bit(unsigned int from, unsigned int to);
/* Event i of a set, whose earlier ones have seats, may have this counter. */
bool pmuctl_p4_cascade_fits(const struct pmuctl_event *event, unsigned int i,
			    unsigned int counter, unsigned int thread);
/* n events in a row. */
int pmuctl_p4_cascades_check(const struct pmuctl_event *event, unsigned int n,
			     const struct pmuctl_why *why);
u32 pmuctl_p4_cascade_cccr(const struct pmuctl_event *event,
			   unsigned int thread);
void pmuctl_p4_cascade(const struct pmuctl_event *event, bool waits);

#endif
