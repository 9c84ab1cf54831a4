/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the pipeline share: the state of one, in cycles of its own clock.
 *
 * There are two clocks.  That of allocation takes slots: an instruction is allocated when
 * it begins.  It is executed when all is known of it, at the next boundary: then it is told
 * when it begins, completes and retires, mostly in the future of this clock.  What that
 * future has in store is in a ring of cycles, which the clock walks over.
 *
 * The clock of retirement stands where the last instruction has retired, and is the one
 * that counters and branch records see as cycles: so a cycle belongs to the instruction
 * that retirement waits for.  Where the class changes both stand at the same cycle.
 */
#ifndef PMUBOX_PIPELINE_H
#define PMUBOX_PIPELINE_H

#include "model.h"
#include "tlb.h"

#define PAGE_BITS 12

#define RING_BITS 16
#define RING_CYCLES (1 << RING_BITS)
#define ROB_RING 512			/* a power of two, as large as the largest */
#define LOAD_RING 256
#define STORE_RING 128
#define MAX_ACCESSES 16			/* of one instruction; more are as good as these */
#define BTB_ENTRIES 4096
#define FORWARD_ENTRIES 64
#define FILLS 512			/* the last ones that began, of loads, stores, prefetches */
#define FILL_BUCKETS 64
#define MEMORY_LEVEL CACHE_LEVELS
#define NOT_YET (UINT64_MAX / 2)	/* a uop that has not been executed retires then */
#define MAX_PORTS 12
#define PORT_GROUP 6
#define NOWHERE UINT64_MAX		/* no address of an instruction */

/* What a cycle has in store. */
union cycle_plan {
	struct {
		uint16_t ports;		/* that begin to execute a uop */
		uint8_t executed;	/* uops that leave the scheduler for them */
		uint8_t retired;	/* uops */
		bool memory;		/* what is under way there changes: plan_memory */
	};
	uint64_t any;			/* 0: nothing */
};

/* What is under way in memory: so many bits for each kind of thing, none ever negative. */
#define LANE_BITS 10
#define LANE_LOADS UINT64_C(1)
#define LANE_L1D (LANE_LOADS << LANE_BITS)	/* loads that missed it */
#define LANE_L2 (LANE_L1D << LANE_BITS)
#define LANE_L3 (LANE_L2 << LANE_BITS)
#define LANE_RFOS (LANE_L3 << LANE_BITS)	/* stores that wait for a line */
#define LANE_FILLS (LANE_RFOS << LANE_BITS)	/* fill buffers taken */
#define LANE_OF(memory, lane) ((memory) / (lane) & (BIT(LANE_BITS) - 1))

enum uop_source { FROM_DSB, FROM_MITE, FROM_MS, UOP_SOURCES };

/* What happens in each cycle and to each uop, told as signals by pipe_tell() only. */
struct tally {
	uint64_t light, heavy;			/* uops that retired: the first, the others */
	uint64_t accesses;			/* of their instructions */
	uint64_t delivered[UOP_SOURCES];	/* uops ... */
	uint64_t delivering[UOP_SOURCES];	/* ... cycles with any ... */
	uint64_t full[UOP_SOURCES];		/* ... with as many as are issued */
	uint64_t issued[MAX_SLOTS + 1];		/* cycles with so many uops ... */
	uint64_t retired[MAX_SLOTS + 1];
	uint64_t executed[MAX_PORTS + 1];
	uint64_t utilized[MAX_PORTS + 1];	/* ... of them those with more that waits */
	uint64_t ports[MAX_PORTS / PORT_GROUP][BIT(PORT_GROUP)];	/* with these of them */
};

/* A line on its way. */
struct fill {
	uint64_t line, from, until;
	unsigned int before;		/* the fill before it that has its bucket */
	uint8_t level;
	bool buffer;			/* takes a fill buffer */
};

/* Cycles for which there is none of something. */
struct busy {
	uint64_t from, to;
};

/* The last store to eight bytes. */
struct forward {
	uint64_t addr, ready, drained;
	uint8_t size;
};

struct access {
	uint64_t addr;
	uint16_t size;
	bool store;
	bool code;			/* writes some that has been fetched */
	uint8_t level;			/* of the caches; past the last one: memory */
};

struct front_end {
	uint64_t cycle;			/* in which uops are delivered now ... */
	unsigned int uops, bytes;	/* ... and how many of them, so far */
	enum uop_source source;
	unsigned int rate;		/* uops that it delivers in a cycle */
	uint64_t next_ip;		/* where fetching goes on; else it has been led away */
	uint64_t window, line, page;
	unsigned int window_uops;
	unsigned int pending_bubble;	/* before the next instruction */
	uint8_t pending_cause;
	uint8_t cause;			/* of the last bubble */
	unsigned int bubble;		/* the longest in front of the present instruction */
	unsigned int fetched;		/* what befell that: enum fetched */
	unsigned int next_fetched;	/* ... and will befall the one behind it */
	uint64_t lost;			/* slots that allocation has waited for it */
};

/* The instruction that has been allocated and not executed. */
struct flight {
	const struct pmu_code *code;	/* NULL: none */
	uint64_t ip;
	unsigned int uops;		/* slots that it has taken */
	bool plain;			/* one uop without accesses, as most are */
	bool fused;			/* it is one uop with the one before */
	bool round;			/* of a REP, not the first */
	unsigned int accesses;
	struct access access[MAX_ACCESSES];
};

/* When a load of the instruction in flight was dispatched, looked up, and had its data. */
struct load_executed {
	uint64_t addr, begun, looked_up, ready;
	enum load_origin origin;
};

struct pipeline {
	const struct pmu_core_shape *shape;
	uint64_t *n;			/* signals that happened: pending[EV_SIGNALS] */
	uint64_t *slots;		/* slots by cause */
	bool on;			/* the host has told of an instruction */
	bool held;			/* a sync while an instruction is in flight */
	bool again;			/* a REP goes round again */

	/* The clock of allocation, and that of retirement, which counts as cycles. */
	uint64_t cycle;
	unsigned int used;		/* slots of it */
	uint64_t allocation_counted;	/* cycles that events have seen */
	uint64_t last_retire;
	uint64_t counted;		/* the same of these */
	uint64_t due;			/* then a counter may overflow; UINT64_MAX: none may */
	enum pipe_signal blocked;	/* what allocation waits for; SIG_COUNT: nothing */

	/* Allocation. */
	uint64_t seq;			/* uops allocated */
	uint64_t seq_told;		/* ... when they were told last */
	uint64_t head;			/* the oldest of them that has not retired */
	/* Of each uop in the reorder buffer: when, and what it waits for (enum slot_cause). */
	uint64_t allocated[ROB_RING], retires[ROB_RING];
	uint8_t waits_for[ROB_RING];
	uint64_t loads, stores;
	uint64_t load[LOAD_RING];	/* when each has retired */
	uint64_t store[STORE_RING];	/* ... has left the store buffer */
	uint64_t serial;		/* nothing is allocated before ... */
	unsigned int last_retired;	/* uops in the cycle last_retire */
	uint8_t last_cause;		/* of what held retirement up until then */
	/* Instructions in the last cycle that had any, and in the one right before it. */
	uint64_t busy_cycle;
	unsigned int busy, busy_before;
	const bool *wants_busy;		/* some counter compares instructions */
	uint64_t fuse_ip;		/* a JCC here is one uop with the instruction before */

	/* Execution. */
	uint32_t computing;		/* bit per kind: something executes */
	uint64_t ready[PMU_REGS];
	uint64_t divider_free;
	struct {
		uint64_t from, to;	/* cycles in which no port of it is free */
	} full[PMU_CODE_KINDS + 3];
	uint64_t last_complete;		/* of the instruction before */
	uint64_t drained;		/* when the last store was done */

	/* Memory. */
	struct tlb itlb, dtlb, stlb;
	struct fill fill[FILLS];
	unsigned int fills, arrived;	/* that began; the first of them have arrived */
	unsigned int bucket[FILL_BUCKETS];	/* the last of these lines, plus one */
	struct busy no_buffer, no_bus[2];	/* for loads, for stores */
	uint64_t fills_until;		/* none is under way later */
	struct forward forward[FORWARD_ENTRIES];

	struct front_end front;
	uint64_t *icache, *code_l2, *dsb;
	uint64_t code_lines[64];	/* a filter: lines that may be in the icache */
	uint32_t btb[BTB_ENTRIES];

	/* The walk. */
	uint64_t walked;		/* the first cycle that it has not seen */
	struct tally tally;
	uint64_t singles;		/* cycles with one uop ... */
	uint64_t singles_ahead;		/* ... among those ahead of the clock */
	uint64_t memory;		/* what is under way ... */
	uint64_t memory_since;		/* ... from this cycle on */
	int waiting;			/* in the scheduler */
	bool was_empty, was_stalled, fills_were_full;
	union cycle_plan plan[RING_CYCLES];
	uint64_t plan_memory[RING_CYCLES];	/* more or fewer of each lane, added up */

	struct flight flight;
	const bool *wants_loads;	/* somebody wants to know what they take */
	unsigned int executed;		/* so many loads, if so */
	struct load_executed load_executed[MAX_ACCESSES];

	/* What befell the instruction in flight, as enum gap_tag; GAP_OTHER: nothing. */
	uint8_t tag_branch, tag_access, tag_behind;
	uint8_t tag_next;		/* ... and will be tag_behind of the next one */
	uint64_t gap_since;		/* cycle of retirement that the last gap went to */
	uint64_t gap;			/* cycles from the retirement before to the last one */
	bool behind_miss;		/* the branch in front of the next one was mispredicted */

	struct ideal *ideal;		/* what it does not take the time for */

	/* Counters that overflow at a signal: checked as it happens. */
	uint64_t check_at;		/* in no cycle before it; UINT64_MAX: never */
	unsigned int watched;
	uint16_t watch[PMU_MAX_COUNTERS];
};

static inline void sig(struct pipeline *p, enum pipe_signal s, uint64_t n)
{
	p->n[s] += n;
}

static inline uint64_t max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Where the plan of a cycle is; one too far ahead is the last that there is room for. */
static inline unsigned int plan_index(const struct pipeline *p, uint64_t cycle)
{
	if (__builtin_expect(cycle >= p->walked + RING_CYCLES, 0))
		cycle = p->walked + RING_CYCLES - 1;
	return cycle & (RING_CYCLES - 1);
}

static inline union cycle_plan *plan_for(struct pipeline *p, uint64_t cycle)
{
	return &p->plan[plan_index(p, cycle)];
}

/* From a cycle up to another something is under way in memory. */
static inline void plan_memory(struct pipeline *p, uint64_t lanes, uint64_t from, uint64_t to)
{
	unsigned int begin = plan_index(p, from), end = plan_index(p, to);

	p->plan[begin].memory = true;
	p->plan_memory[begin] += lanes;
	p->plan[end].memory = true;
	p->plan_memory[end] -= lanes;
}

/* Moves a tag to the front of its set's ways; true if it was there. */
bool pipe_find(uint64_t *way, unsigned int ways, uint64_t tag);
/* When this uop has been allocated, or the last one. */
static inline uint64_t last_allocated(const struct pipeline *p)
{
	return p->allocated[(p->seq - 1) % ROB_RING];
}

/* pipeline_front.c */
void front_from(struct pipeline *p, enum uop_source source);
/* Fetches and decodes: the cycle in which the first of the uops can be allocated. */
void front_fetch(struct pipeline *p, const struct pmu_profile *profile, const struct flight *f);
/* The cycle in which its first uop is delivered, and each of the others. */
uint64_t front_uop(struct pipeline *p);
uint64_t front_next_uop(struct pipeline *p);
/* It starts anew, so many cycles behind a cycle. */
void front_resteer(struct pipeline *p, uint64_t cycle, unsigned int bubble);
/* A taken branch; if the front end did not know of it, it takes a while to find out. */
void front_taken(struct pipeline *p, uint64_t ip, bool right);
bool front_has_code(const struct pipeline *p, uint64_t line);

/* pipeline_alloc.c */
void alloc_uop(struct pipeline *p, uint64_t fetched);
void alloc_wait(struct pipeline *p, uint64_t until, enum slot_cause cause, enum pipe_signal why);
void alloc_mispredicted(struct pipeline *p, uint64_t resolved);
/* The same, but for the time. */
void alloc_mispredicted_free(struct pipeline *p);
void alloc_clear(struct pipeline *p, uint64_t resolved);
void alloc_end_cycle(struct pipeline *p, enum slot_cause cause);
void alloc_lose(struct pipeline *p, enum slot_cause cause, uint64_t slots);
void alloc_wait_oldest(struct pipeline *p, uint64_t until, enum pipe_signal why);

/* pipeline_execute.c */
/* All is known of the instruction in flight: it executes and retires. */
void execute(struct pipeline *p, const struct pmu_profile *profile, const struct flight *f);
void execute_plain(struct pipeline *p, const struct pmu_code *code);
/* Which kinds execute anything on a core. */
uint32_t execute_kinds(const struct pmu_core_shape *shape);

/* pipeline_memory.c */
struct load_result {
	uint64_t ready;
	enum slot_cause cause;
	enum gap_tag tag;		/* if somebody wants to know */
};
struct load_result memory_load(struct pipeline *p, const struct pmu_profile *profile,
			       const struct access *a, uint64_t start);
uint64_t memory_store_translated(struct pipeline *p, const struct access *a, uint64_t start);
void memory_store(struct pipeline *p, const struct pmu_profile *profile, const struct access *a,
		  uint64_t data, uint64_t retires);
void memory_prefetched(struct pipeline *p, const struct pmu_profile *profile, uint64_t line,
		       unsigned int level, bool store);
/* Cycles until the translation is known; counts what it met. */
unsigned int memory_translate(struct pipeline *p, struct tlb *first, uint64_t page,
			      enum pipe_signal hits, enum pipe_signal walks,
			      enum pipe_signal walk_cycles);

/* pipeline_walk.c */
/* Count what happens in all cycles before this one. */
void walk_to(struct pipeline *p, uint64_t cycle);
/* What has been tallied becomes signals. */
void pipe_tell(struct pipeline *p);
/* On to the first cycle in which a uop leaves the scheduler. */
void walk_to_dispatch(struct pipeline *p);
static inline void walk_retire(struct pipeline *p, uint64_t cycle, unsigned int uops)
{
	union cycle_plan *plan = plan_for(p, cycle);

	plan->retired = (uint8_t)(plan->retired + uops);
}

#endif
