/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the PMU model share with each other and with nobody else:
 * the events it knows, the facts of a profile, and the state of one PMU.
 */
#ifndef PMUBOX_MODEL_H
#define PMUBOX_MODEL_H

#include "event.h"
#include "ideal.h"
#include "registers.h"
#include "shape.h"
#include "silicon.h"

#define PMU_MAX_FIXED 7
#define PMU_MAX_COUNTERS (PMU_MAX_GP + PMU_MAX_FIXED)
#define PMU_SLOTS_COUNTER (PMU_MAX_GP + 3)
#define PMU_MAX_METRICS 8
#define PMU_MAX_PLAIN 40
#define PMU_MAX_CLASSES 16
#define PMU_MAX_THREADS 2

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * What a uop may be or may meet: in pmu->tagged, those that tag it.  The branch
 * itself has UOP_MISSED_BRANCH.
 */
enum uop_trait {
	UOP_LOAD = 1 << 0,
	UOP_STORE = 1 << 1,
	UOP_UNIT = 1 << 2,		/* shifted by enum pmu_unit, from PMU_X87 on */
	UOP_L1D_MISS = 1 << 16,		/* of loads */
	UOP_L2_MISS = 1 << 17,
	UOP_DTLB_LOAD_MISS = 1 << 18,
	UOP_DTLB_STORE_MISS = 1 << 19,
	UOP_SPLIT_LOAD = 1 << 20,
	UOP_SPLIT_STORE = 1 << 21,
	UOP_MOB_NO_STA = 1 << 22,
	UOP_MOB_NO_STD = 1 << 23,
	UOP_MOB_PARTIAL = 1 << 24,
	UOP_MOB_UNALIGNED = 1 << 25,
	UOP_MISSED_BRANCH = 1 << 26,
};

/*
 * An event code (umask in bits 8 to 15) and the counters that can count it.  With
 * CMASK, INV or E in their places of PERFEVTSEL it stands for that very choice,
 * which the model then knows as an event of its own.
 */
struct event_code {
	uint32_t code;
	uint16_t counters;
	enum event event;
};

/* Beside the counters: counts for all threads, with or without ANY... */
#define ALL_THREADS BIT(15)
/* ... and only with its code in MSR_FRONTEND. */
#define WITH_FRONTEND BIT(14)

/*
 * Slots of which each bit of the mask is a part, by its number; EV_NONE is one that the model
 * has not.  Several bits are their sum, no bit (as in the code) is all of them.
 */
struct event_parts {
	struct event_code all;
	enum event part[8];
};

struct event_list {
	const struct event_code *codes;
	unsigned int nr;
	const struct event_parts *parts;	/* looked up behind the codes */
	unsigned int nr_parts;
	const struct event_list *others;	/* what is not in this one, NULL: none */
};

/* What is in the record of a precise event. */
enum pebs_kind {
	PEBS_NOT,			/* the event makes none */
	PEBS_PLAIN,
	PEBS_LOAD,			/* the address of the load */
	PEBS_STORE,			/* of the store, and whether it hit */
	PEBS_PRECISE_STORE,		/* the same, by Sandy Bridge's own facility */
	PEBS_LATENCY,			/* address, source and latency of the load */
};

/* An event code under a mask; the first rule that fits is the one. */
struct pebs_rule {
	uint16_t code, mask;
	enum pebs_kind kind;
};

struct pebs_rules {
	const struct pebs_rule *rules;
	unsigned int nr;
};

/* A register without a function in the model so far: bits that can be set. */
struct plain_msr {
	uint32_t msr;
	uint64_t writable;
	bool linear;			/* an address: faults unless canonical */
	bool core;			/* one for all threads of a core */
	bool module;			/* one for small cores with one second level */
	uint64_t package;		/* of that, bits that all cores share */
	uint64_t power_on;
	uint64_t always;		/* bits that are set, whatever is written */
	uint64_t dropped;		/* bits that may be written, and are not set */
};

struct plain_list {
	const struct plain_msr *msrs;
	unsigned int nr;
};

/* Bits that a leaf of CPUID has on top of what the host says. */
struct cpuid_bits {
	uint32_t leaf, subleaf;
	uint32_t regs[4];		/* eax, ebx, ecx, edx */
};

struct cpuid_list {
	const struct cpuid_bits *leaves;
	unsigned int nr;
};

struct p4;
struct p4_model;

/*
 * The bits of OFFCORE_RSP that say what became of a request: it counts if any is
 * set, or where it was found and how other caches were asked.
 */
struct offcore_bits {
	uint64_t any, hit, miss, snoop;	/* snoop 0: no such bits */
};

/* A clock that ticks num times in 2^shift core cycles. */
struct clock_rate {
	uint8_t num;
	uint8_t shift;
};

/* How the registers show a branch (IA32_PERF_CAPABILITIES, bits 0 to 5). */
enum lbr_format {
	LBR_EIP = 2,			/* addresses only */
	LBR_FLAGS,			/* FROM has the misprediction */
	LBR_FLAGS_TSX,			/* ... and room for TSX, which no profile has */
	LBR_INFO,			/* a third register has it, and cycles */
	LBR_ARCHITECTURAL = 0x3f,	/* so has that of CPUID leaf 1CH, and the kind */
};

struct pmu_profile {
	const char *name;
	uint8_t version;
	uint8_t gp, fixed;		/* numbers of counters */
	uint8_t fixed_holes;		/* bits of fixed ones below that are not there */
	uint8_t gp_alone;		/* ... with one thread a core; 0: no difference */
	uint8_t gp_width, fixed_width;	/* bits */
	uint8_t arch_events;		/* valid bits of CPUID.0AH:EBX */
	/* A hybrid: what that leaf says, which all its cores have; profiles of its other cores. */
	uint8_t gp_said, fixed_said, arch_said;
	const char *small, *low_power;
	uint32_t arch_missing;		/* CPUID.0AH:EBX */
	uint8_t lbr_depth;		/* branch records; 0: none */
	uint8_t lbr_format;		/* enum lbr_format */
	uint32_t lbr_leaf;		/* CPUID.1CH:EAX: depths that can be chosen, and more */
	struct cpuid_list cpuid;
	uint64_t misc_enable;
	uint64_t capabilities;		/* IA32_PERF_CAPABILITIES */
	uint64_t evtsel_writable;
	bool no_any;			/* CPUID.0AH:EDX[15] also before version 5 */
	uint8_t fixed_ctrl_writable;	/* four bits, the same for each counter */
	uint64_t fixed_ctrl_more;	/* ... and the bits outside of these */
	uint64_t global_ctrl_more;	/* GLOBAL_CTRL bits besides those of counters */
	uint64_t status_clearable;	/* GLOBAL_STATUS bits that can be cleared... */
	uint64_t status_settable;	/* ...and set, besides those of counters */
	const struct event_list *events;	/* besides the architectural ones */
	/* ... of a core that has a pipeline only where the host tells code; NULL: any other. */
	const struct event_list *piped_events;
	const struct pebs_rules *pebs;
	/* Architectural PEBS: what CFG_C may hold; 0: by the DS area, or none. */
	uint64_t arch_pebs;
	struct plain_list plain;
	struct offcore_bits offcore;
	uint8_t pebs_memory_source;	/* what PEBS calls a load from memory */
	const uint8_t *pebs_sources;	/* ... and others, by enum load_origin; NULL: as ever */
	bool two_latencies;		/* in the memory group of a PEBS record */
	uint8_t metrics;		/* fields of PERF_METRICS; 0: no such register */
	uint64_t dead;			/* counters that are 0 whatever is written... */
	uint64_t stuck;			/* ...and that never move; as in GLOBAL_CTRL */
	uint8_t issue_bits;		/* log2 of instructions issued in a cycle */
	uint8_t slots;			/* of a cycle; 0: no such event */
	uint16_t branch_stall;		/* cycles lost by a misprediction */
	uint16_t memory_stall;		/* ... and by a load from memory */
	uint8_t load_cycles;		/* latency of a load that hits the first level */
	struct clock_rate ref, bus;
	struct cache_shape cache[CACHE_LEVELS];	/* L1D first; needs two */
	uint8_t l3_classes;		/* of service, by masks of its ways (CAT); 0: none */
	uint16_t l3_shared;		/* ... and its ways that devices fill, too */
	uint8_t fill_buffers;		/* of a core without a pipeline; 0: nothing overlaps */
	struct pages_shape pages;	/* ... of one, too */
	const struct pmu_core_shape *shape;	/* NULL: no pipeline */
	const struct p4_model *p4;	/* NULL: another kind of PMU */
	bool netburst;			/* makes the events of a Pentium 4 */
	bool one_enable;		/* P6: EN of the first select is that of all counters */
	bool p5, mmx;			/* the first Pentium, CESR in place of selects; with MMX */
	uint32_t rapl_units;		/* MSR_RAPL_POWER_UNIT; 0: no counters of energy */
	bool server;			/* ... of which that of the cores stays 0 */
};

/* Configuration of a counter, derived from the registers that rule it. */
struct counter {
	uint64_t value;
	uint64_t mask;			/* the bits it has */
	uint64_t status;		/* its bit in GLOBAL_STATUS and GLOBAL_CTRL */
	enum event event;
	enum event less;		/* counted down; EV_NONE: nothing */
	int64_t debt;			/* ... before what it is to be taken from */
	uint8_t classes;		/* bit per enum pmu_class */
	enum pebs_kind pebs;		/* what is to be recorded */
	bool adaptive;			/* its records have what PEBS_DATA_CFG says */
	bool armed;			/* overflowed: the next event is recorded */
	bool any;			/* counts for all threads of the core */
	bool on;
	bool pmi;
	bool ran_first, is_good;	/* errata.c */
};

/* An access of an instruction, and which level of the caches had it. */
struct seen_access {
	uint64_t instruction;		/* 0: none */
	uint64_t addr;
	unsigned int level;
};

/* What a load took, in cycles. */
struct load_time {
	uint64_t addr;
	uint64_t cycles;		/* from its dispatch until its data are there */
	uint64_t cache;			/* the same from when the cache is looked into */
	uint64_t instruction;		/* from its dispatch until its instruction is complete */
	enum load_origin origin;
};

/* The slowest load of an instruction. */
struct seen_load {
	uint64_t instruction;		/* 0: none */
	struct load_time time;
};

/*
 * How instructions take the cycles: a stall ends the cycle in which it begins, so
 * that slots of it are lost.  Totals are since pmu_new().
 */
struct issue {
	uint64_t lost_total, stall_total;
	uint64_t lost, stall;		/* of them, not counted yet */
	uint64_t stalled;		/* instruction that stalled last */
	uint64_t run;			/* slot in which retiring began again */
};

/* Cycles in which an event happens often enough: CMASK, INV and E of a counter. */
struct compare {
	enum event of;			/* EV_NONE: nothing to compare */
	uint8_t least;
	bool edge;
	uint64_t instruction;		/* that saved belongs to */
	unsigned int held;		/* events of it, until a pipeline knows its cycle */
	struct cycle_tally {
		uint64_t cycle, hit;	/* of the last event, of the last hit */
		unsigned int n;		/* events in that cycle */
	} now, saved;
};

/* What the memory accesses of one instruction added, should it not retire. */
struct access_tally {
	uint64_t instruction;		/* its sequence number */
	uint32_t count[EV_PENDING];
	struct issue issue;		/* as it was before, if it stalled */
	bool stalled;
	bool missed;			/* more than loads and stores to undo */
	uint32_t prefetched;		/* lines */
};

#define PREDICTOR_BITS 12
#define TARGET_BITS 10

struct branch_target {
	uint64_t from, to;
};

/* What the tables have for an event select: nothing for 0, as it is at first. */
struct known_code {
	uint64_t sel;
	const struct event_code *code;
};

typedef uint64_t event_counts[PMU_CLASSES][EV_ALL];

/* Sets of classes by the bits that struct counter has of them, less one. */
#define CLASS_SETS ((1 << PMU_CLASSES) - 1)

enum core_ticks { CORE_CYCLES, CORE_REF_CYCLES, CORE_BUS_CYCLES, CORE_TICKS };

typedef uint64_t clock_counts[CLASS_SETS][CORE_TICKS];

/* Cycles in which any thread runs in a set of classes. */
struct core_clock {
	uint64_t now;			/* where the thread that is ahead stands... */
	uint64_t position[PMU_MAX_THREADS];	/* ...and each of them */
	uint64_t ref_rest, bus_rest;
	uint64_t count[CORE_TICKS];
};

#define PMU_PACKAGE_PLAIN 3
#define PMU_MODULE_PLAIN 3
#define PMU_MODULES 64

/* What the cores of a package have in common; those of a hybrid are of two profiles. */
struct pmu_package {
	unsigned int cores;
	uint64_t plain[PMU_PACKAGE_PLAIN];	/* bits of registers that are the package's */
	uint64_t module[PMU_MODULES][PMU_MODULE_PLAIN];
	uint64_t energy, core_energy;	/* nJ */
	struct l3 *l3;			/* NULL: two levels */
};

/*
 * What the threads of a core have in common.  They may run at the same time: what
 * follows the lock is only touched under it, and the two in front of it are single
 * bytes that other threads read.
 */
struct pmu_core {
	unsigned int threads;
	struct pmu *thread[PMU_MAX_THREADS];
	struct p4 *p4;			/* NULL: another kind of PMU */
	struct pmu_package *package;
	unsigned int number;		/* in its package */
	uint64_t plain[PMU_MAX_PLAIN];	/* of which only those that are the core's */
	uint8_t listening;		/* bit per thread that counts for all of them */
	uint8_t needs[PMU_MAX_THREADS][PMU_CLASSES];	/* ... and what it wants to know */
	bool lock;
	event_counts told[PMU_MAX_THREADS];	/* what each thread has reported */
	bool away[PMU_MAX_THREADS];	/* halted: it will go on where the clocks are */
	struct core_clock clock[CLASS_SETS];
	uint64_t overlap[PMU_MAX_THREADS];	/* cycles of two, that each still counts whole */
	uint64_t overlap_rest[PMU_MAX_THREADS];	/* ... below a tick of the bus */
};

#define LINES_AHEAD 32

/* What a core without a pipeline has asked for before the program does. */
struct line_ahead {
	uint64_t line;			/* its number plus one; 0: none */
	uint64_t from, until;		/* it takes a fill buffer */
};

#define PREFETCH_PAGES 32

/* What the prefetchers know of a page. */
struct prefetch_page {
	uint64_t page;			/* its number plus one; 0: none */
	uint8_t last;			/* line in it that was missing last */
	int8_t step;
	uint8_t alike;			/* steps that were the same */
};

#define LBR_MAX 32

struct pmu_lbr_entry {
	uint64_t from, to, info;	/* as the registers show them */
};

/* Records of the last branches: a ring whose size is the profile's, or LBR_DEPTH's. */
struct lbr {
	struct pmu_lbr_entry entry[LBR_MAX];
	uint64_t select;		/* LBR_SELECT, ... */
	uint64_t ctl;			/* ... or LBR_CTL */
	unsigned int depth;
	unsigned int top;		/* the latest */
	bool on;
	bool call_stack;
	uint8_t wanted[PMU_CLASSES];	/* bit per kind of branch that leads there */
	uint64_t cycle;			/* in which the latest was recorded */
};

struct pmu {
	const struct pmu_profile *profile;
	struct pmu_core *core;
	unsigned int thread;		/* its number in the core */
	uint8_t gp;			/* counters that this thread has */
	bool core_changed;		/* the core's other threads do not know it yet */
	struct pmu_hot *hot;
	unsigned int skid;
	uint8_t forced;			/* needs that the truth asks for */

	/* Between two syncs. */
	int64_t granted;		/* budget given, less what was taken back */
	bool kicked;			/* budget cut to zero: sync at next boundary */
	bool counts_cycles;		/* stalls bring the next sync closer */
	uint64_t retired;		/* instructions up to the last sync */
	unsigned int events;		/* EV_PENDING, or EV_ALL: how many of these there are */
	uint64_t pending[EV_ALL];	/* events not yet counted */
	uint64_t limit[EV_ALL];		/* ... of which so many overflow something */
	struct issue issue;
	struct access_tally tally;
	struct compare compare[PMU_MAX_GP];
	uint64_t compared;		/* bit per event that any of these compares; WATCH_ */
	bool stepping;			/* every instruction ends in a sync */
	bool in_write;			/* WRMSR retires: no event of it is recorded */
	bool wants_fetched;		/* a counter asks how instructions were fetched */
	bool wants_busy;		/* ... or in which cycles so many of them retire */
	bool watches_code;		/* ... or what their fetch misses, without a pipeline */
	bool wants_causes;		/* the host asks which instruction overflowed */
	bool wants_gaps;		/* ... and what retirement waited for */
	bool wants_loads;		/* somebody wants to know what loads of a pipeline take */
	void (*retired_fn)(void *data, const struct pmu_retired *retired);
	void *retired_data;
	struct seen_access access[2];	/* load and store of the instruction that runs */
	struct seen_load slowest;

	/* What counters that count for all threads get from the core. */
	event_counts heard, seen;
	clock_counts ticked, seen_ticks;

	/* The clocks: what is left over below one tick. */
	uint64_t issue_rest, ref_rest, bus_rest;

	/* The PMI: pending while it skids. */
	bool pmi;
	int64_t pmi_cycles;
	uint64_t overflowed;		/* counters that asked for it, by status bit */
	uint64_t record;		/* counters whose record is to be written now */

	struct lbr lbr;

	/* Registers. */
	struct counter counter[PMU_MAX_COUNTERS];	/* GP, then fixed */
	uint64_t evtsel[PMU_MAX_GP];
	uint64_t cesr;			/* Pentium: in place of these ... */
	bool set[2];			/* ... and whether its counters were, since they stopped */
	struct known_code known[PMU_MAX_GP];
	const struct event_parts *parts[PMU_MAX_GP];	/* that EV_PARTS adds up; NULL: none */
	uint64_t fixed_ctrl, global_ctrl, global_status;
	uint64_t cfg_c[PMU_MAX_COUNTERS], pebs_base, pebs_index;
	uint64_t metric[PMU_MAX_METRICS];	/* slots behind each field of PERF_METRICS */
	uint64_t plain[PMU_MAX_PLAIN];
	unsigned int clos;		/* class of service, 0 without CAT */

	uint64_t totals[PMU_CLASSES][PMU_TOTALS];

	/* Timing. */
	uint64_t *line[L3_LEVEL];	/* sets of ways, the last used first */
	uint64_t (*physical_fn)(void *data, uint64_t addr);
	void *physical_data;
	uint8_t direction[1 << PREDICTOR_BITS];
	struct branch_target target[1 << TARGET_BITS];
	uint64_t path_target[1 << TARGET_BITS];
	uint32_t history, path;
	struct prefetch_page prefetch[PREFETCH_PAGES];
	struct line_ahead ahead[LINES_AHEAD];	/* a ring */
	unsigned int asked;
	uint64_t prefetched;		/* lines that prefetchers brought, not accounted yet */
	struct pages *pages;		/* NULL: they are not modelled, or by the pipeline */
	struct netburst *burst;		/* NULL: another kind of processor */
	struct pipeline *pipe;		/* NULL: no pipeline */
	struct ideal ideal;
	struct silicon silicon;
	bool spoilt;			/* by an interrupt that depends on what is free */
	uint32_t tagged[PMU_CLASSES];	/* enum uop_trait that make an instruction tagged */
};

/* pmu.c */
void pmu_power_on(struct pmu *pmu);

/* core.c */
int pmu_core_new(struct pmu *pmu);
void pmu_core_leave(struct pmu *pmu);
void pmu_core_listen(struct pmu *pmu);
void pmu_core_account(struct pmu *pmu);
void pmu_core_halt(struct pmu *pmu);
uint8_t pmu_core_needs(const struct pmu *pmu, unsigned int cls);
bool pmu_core_busy(const struct pmu *pmu);
int pmu_core_ticks(enum event event);

/* counters.c */
void pmu_configure(struct pmu *pmu);
void pmu_counters_reset(struct pmu *pmu);
void pmu_counters_advance(struct pmu *pmu);
void pmu_overflow(struct pmu *pmu, uint64_t status, bool pmi);
void pmu_count_interrupt(struct pmu *pmu);

/* gaps.c */
void pmu_gap(struct pmu *pmu);
void pmu_gap_end(struct pmu *pmu);

/* ideal.c */
unsigned int pmu_ideal_level(struct pmu *pmu, unsigned int level, unsigned int last);
void pmu_ideal_interrupts(struct pmu *pmu, enum event event);

/* energy.c */
void pmu_energy_account(struct pmu *pmu);
uint64_t pmu_energy(const struct pmu *pmu);
uint64_t pmu_core_energy(const struct pmu *pmu);

/* errata.c */
void pmu_errata_moved(struct pmu *pmu, const struct counter *c, uint64_t n);
void pmu_errata_set(struct pmu *pmu, struct counter *c, uint64_t value);
void pmu_errata_selected(struct pmu *pmu, unsigned int i, uint64_t before);
void pmu_errata_configured(struct pmu *pmu, unsigned int i);
bool pmu_errata_counts(const struct pmu *pmu, const struct counter *c);
void pmu_errata_interrupt(struct pmu *pmu);
bool pmu_errata_shows_load(const struct pmu *pmu);

/* silicon.c */
uint64_t pmu_silicon_named(struct pmu *pmu, uint64_t counters);
void pmu_silicon_show(struct pmu *pmu, uint64_t status);
uint64_t pmu_silicon_status(struct pmu *pmu, uint64_t may);
uint64_t pmu_silicon_baseline(const struct pmu *pmu, uint64_t bits);

/* metrics.c */
uint64_t pmu_metrics(const struct pmu *pmu);
void pmu_metrics_set(struct pmu *pmu, uint64_t value);
void pmu_metrics_were_read(struct pmu *pmu);
void pmu_metrics_advance(struct pmu *pmu);

/* fetched.c: what befell an instruction on its way to the queue. */
enum fetched {
	FETCHED_BY_MITE = 1 << 0,
	FETCHED_FROM_MS = 1 << 1,
	FETCHED_L1I_MISS = 1 << 2,
	FETCHED_L2_MISS = 1 << 3,
	FETCHED_ITLB_MISS = 1 << 4,
	FETCHED_STLB_MISS = 1 << 5,	/* its page was walked for */
	FETCHED_UNKNOWN_BRANCH = 1 << 6,	/* behind one */
};

/* Where pmu->wants_fetched. */
void pmu_fetched(struct pmu *pmu, uint64_t bubbles, unsigned int what);
bool pmu_frontend_allows(struct pmu *pmu, const struct event_code *code);

/* codes.c */
void pmu_codes_derive(struct pmu *pmu);
/* What counter i is to count of a code (NULL: none) that its select has. */
enum event pmu_parts_event(struct pmu *pmu, unsigned int i, const struct event_code *code);
/* What has never happened less often than the parts that it adds up. */
enum event pmu_parts_all(const struct pmu *pmu, unsigned int i);

/* compare.c */
void pmu_compare_setup(struct pmu *pmu, unsigned int i, const struct event_code *code);
void pmu_compare(struct pmu *pmu, enum event event);
void pmu_compare_undo(struct pmu *pmu);
void pmu_compare_retired(struct pmu *pmu, uint64_t cycle);

/* pebs.c */
void pmu_pebs_setup(struct pmu *pmu, unsigned int i);
void pmu_pebs_event(struct pmu *pmu, struct counter *c, uint64_t n);
/* The buffer is as full as software wanted it to get: this bit of GLOBAL_STATUS, and a PMI. */
void pmu_pebs_threshold(struct pmu *pmu, uint64_t status);
bool pmu_pebs_is_architectural(const struct pmu *pmu);

/* pebs_record.c */
uint64_t pmu_pebs_named(struct pmu *pmu);

/* access.c */
void pmu_watch(struct pmu *pmu, uint64_t addr, bool store, unsigned int level);
const struct seen_access *pmu_access_seen(const struct pmu *pmu, bool store);
const struct load_time *pmu_load_seen(const struct pmu *pmu);
/* The latency that is compared with the threshold, and that a record has. */
uint64_t pmu_load_latency(const struct pmu *pmu, const struct load_time *t);
void pmu_loads_executed(struct pmu *pmu);

/* budget.c */
uint64_t pmu_in_flight(const struct pmu *pmu);
uint64_t pmu_simple_cycle(const struct pmu *pmu);
void pmu_account(struct pmu *pmu, int64_t instructions);
void pmu_grant(struct pmu *pmu);
uint64_t pmu_distance(struct pmu *pmu, enum event event, uint64_t left);
void pmu_kick(struct pmu *pmu);
void pmu_stall(struct pmu *pmu, uint32_t cycles, struct access_tally *tally);
uint8_t pmu_need_of(enum event event);
uint64_t pmu_ticks(struct clock_rate rate, uint64_t *rest, uint64_t cycles);
void pmu_needs_update(struct pmu *pmu);

/* regs.c */
uint64_t pmu_power_on_global_ctrl(const struct pmu *pmu);
uint64_t *pmu_plain(struct pmu *pmu, uint32_t msr);
/* As RDMSR has it; 0 if there is none. */
uint64_t pmu_plain_read(const struct pmu *pmu, uint32_t msr);
/* Its cores share their second level, and what switches prefetchers. */
bool pmu_has_modules(const struct pmu_profile *profile);
void pmu_plain_power_on(struct pmu *pmu);
void pmu_sync_before(struct pmu *pmu);
void pmu_retire_write(struct pmu *pmu);

/* lbr.c */
/* The branch records, latest first, up to max of them; returns how many there are. */
unsigned int pmu_lbr_read(const struct pmu *pmu, struct pmu_lbr_entry *entries, unsigned int max);
bool pmu_lbr_is_architectural(const struct pmu *pmu);
void pmu_lbr_reset(struct pmu *pmu);
void pmu_lbr_configure(struct pmu *pmu);
/* The record that the registers with this number show. */
struct pmu_lbr_entry *pmu_lbr_at(struct pmu *pmu, unsigned int i);
bool pmu_lbr_has_depth(const struct pmu *pmu, uint64_t depth);
void pmu_lbr_set_depth(struct pmu *pmu, unsigned int depth);
/* LBR_CTL has them on, which writes of them may notice. */
bool pmu_lbr_busy(const struct pmu *pmu);
uint8_t pmu_lbr_needs(const struct pmu *pmu);
void pmu_lbr_branch(struct pmu *pmu, const struct pmu_branch *branch, bool right);

/* timing.c */
int pmu_timing_new(struct pmu *pmu);
void pmu_timing_free(struct pmu *pmu);
/* A tag comes to the front of its set's ways; true if it was among them, else the last one goes. */
bool pmu_touch_way(uint64_t *way, unsigned int ways, uint64_t tag);
void pmu_tally_begin(struct pmu *pmu);
/* An access misses something; undone if its instruction does not retire. */
void pmu_miss_event(struct pmu *pmu, enum event event);
void pmu_timing_prefetch(struct pmu *pmu, uint64_t line, unsigned int to, bool store);

/* prefetch.c */
void pmu_prefetch(struct pmu *pmu, uint64_t line, bool missed, bool store);
/* Prefetchers that are off: of MSR_PREFETCH the bits, or of MISC_ENABLE what they mean there. */
#define NO_STREAMER BIT(0)
#define NO_ADJACENT BIT(1)
#define NO_NEXT_LINE BIT(2)
#define NO_STRIDE BIT(3)
uint64_t pmu_prefetchers_off(const struct pmu *pmu);
/* The step of the stream that a line missing in the first level goes on with; 0: of none. */
int pmu_stream(struct pmu *pmu, uint64_t line);

/* ahead.c */
uint32_t pmu_ahead(struct pmu *pmu, uint64_t line, uint32_t stall);
void pmu_ahead_forget(struct pmu *pmu, uint64_t line);

/* pages.c */
int pmu_pages_new(struct pmu *pmu);
void pmu_pages_free(struct pmu *pmu);
void pmu_pages_watch(struct pmu *pmu, enum event event);
void pmu_pages_fetch(struct pmu *pmu, uint64_t ip);
void pmu_pages_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool store);
void pmu_pages_flush(struct pmu *pmu, uint64_t addr);

/* evict.c */
/* A tag leaves the ways of its set. */
void pmu_drop_way(uint64_t *way, unsigned int ways, uint64_t tag);

/* CPUs may run at the same time, and hold it for some instructions. */
static inline void pmu_lock(bool *lock)
{
	while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
		;
}

static inline void pmu_unlock(bool *lock)
{
	__atomic_clear(lock, __ATOMIC_RELEASE);
}

/* l3.c: lines are linear ones */
int pmu_l3_new(struct pmu *pmu);
/* True if the line is there; it is afterwards in any case. */
bool pmu_l3_touch(struct pmu *pmu, uint64_t line);
void pmu_l3_drop(struct pmu *pmu, uint64_t line);
void pmu_l3_clear(struct pmu *pmu);
void pmu_l3_power_on(struct pmu *pmu);
uint64_t pmu_l3_ways(const struct pmu *pmu);
uint64_t pmu_l3_mask(const struct pmu *pmu, unsigned int clos);
void pmu_l3_set_mask(struct pmu *pmu, unsigned int clos, uint64_t mask);
bool pmu_l3_allows_mask(uint64_t mask);
bool pmu_l3_allows_class(const struct pmu *pmu, uint64_t value);

/* pipeline.c */
int pmu_pipe_new(struct pmu *pmu);
void pmu_pipe_free(struct pmu *pmu);
bool pmu_pipe_runs(const struct pmu *pmu);
uint64_t pmu_pipe_clock(const struct pmu *pmu);
uint64_t pmu_pipe_gap(const struct pmu *pmu);
bool pmu_pipe_retired(const struct pmu *pmu, uint64_t *cycle);
void pmu_pipe_due(struct pmu *pmu, uint64_t cycles);
void pmu_pipe_watch(struct pmu *pmu, enum event event);
void pmu_pipe_unwatch(struct pmu *pmu);
void pmu_pipe_finish(struct pmu *pmu);
void pmu_pipe_hold(struct pmu *pmu, bool hold);
void pmu_pipe_drop(struct pmu *pmu);
void pmu_pipe_again(struct pmu *pmu);
void pmu_pipe_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool store,
		     unsigned int level);
void pmu_pipe_prefetched(struct pmu *pmu, uint64_t line, unsigned int to, unsigned int from,
			 bool store);
void pmu_pipe_branch(struct pmu *pmu, const struct pmu_branch *branch, bool right);
void pmu_pipe_interrupt(struct pmu *pmu);
void pmu_pipe_drain(struct pmu *pmu);
void pmu_pipe_flush(struct pmu *pmu, uint64_t addr);
void pmu_pipe_evict(struct pmu *pmu, uint64_t line);
void pmu_pipe_account(struct pmu *pmu, uint64_t *n);
uint64_t pmu_pipe_distance(const struct pmu *pmu, uint64_t cycles);

/* netburst.c */
enum l2_access { L2_LOAD, L2_STORE, L2_CODE };
int pmu_burst_new(struct pmu *pmu);
void pmu_burst_free(struct pmu *pmu);
uint8_t pmu_burst_needs(enum event event);
void pmu_burst_account(struct pmu *pmu, uint64_t retired);
void pmu_burst_halt(struct pmu *pmu);
void pmu_burst_undo(struct pmu *pmu);
void pmu_burst_again(struct pmu *pmu);
void pmu_burst_hold(struct pmu *pmu);
void pmu_burst_release(struct pmu *pmu);
bool pmu_burst_l2(struct pmu *pmu, uint64_t line, enum l2_access access);
void pmu_burst_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool is_store,
		      unsigned int level);
void pmu_burst_store_stall(struct pmu *pmu, uint32_t cycles);
/* A line, or (UINT64_MAX) any, goes to memory if it has been written. */
void pmu_burst_write_back(struct pmu *pmu, uint64_t line);
void pmu_burst_branch(struct pmu *pmu, enum pmu_branch_kind kind, bool right);

/* pipeline_shapes.c */
extern const struct pmu_core_shape pmu_shape_sandybridge, pmu_shape_ivybridge, pmu_shape_haswell,
	pmu_shape_skylake, pmu_shape_icelake, pmu_shape_sapphirerapids, pmu_shape_lioncove,
	pmu_shape_gracemont, pmu_shape_crestmont, pmu_shape_skymont;

/* profiles.c */
const struct pmu_profile *pmu_profile_find(const char *name);
/* Of a core of a hybrid its big one's; itself otherwise. */
const struct pmu_profile *pmu_profile_head(const struct pmu_profile *profile);

static inline bool pmu_profile_has_fixed(const struct pmu_profile *p, unsigned int i)
{
	return i < p->fixed && !(p->fixed_holes >> i & 1);
}

/* A bit per fixed counter, from bit 0. */
static inline uint64_t pmu_profile_fixed(const struct pmu_profile *p)
{
	return (BIT(p->fixed) - 1) & ~(uint64_t)p->fixed_holes;
}

/* events.c */
extern const struct event_list pmu_events_p6, pmu_events_core2, pmu_events_nehalem,
	pmu_events_sandybridge, pmu_events_ivybridge, pmu_events_haswell, pmu_events_skylake,
	pmu_events_icelake, pmu_events_sapphirerapids, pmu_events_graniterapids,
	pmu_events_lioncove, pmu_events_cougarcove, pmu_events_goldmont, pmu_events_tremont,
	pmu_events_gracemont, pmu_events_crestmont, pmu_events_crestmont_client,
	pmu_events_skymont, pmu_events_skymont_alone, pmu_events_darkmont,
	pmu_events_gracemont_piped, pmu_events_crestmont_piped,
	pmu_events_crestmont_client_piped, pmu_events_skymont_piped,
	pmu_events_skymont_alone_piped, pmu_events_darkmont_piped;
extern const struct pebs_rules pmu_pebs_core2, pmu_pebs_nehalem, pmu_pebs_bridge,
	pmu_pebs_haswell, pmu_pebs_skylake, pmu_pebs_icelake, pmu_pebs_sapphirerapids,
	pmu_pebs_goldmont, pmu_pebs_tremont, pmu_pebs_gracemont;
enum pebs_kind pmu_pebs_kind(const struct pmu_profile *profile, uint16_t code);
const struct event_list *pmu_events_of(const struct pmu *pmu);
const struct event_code *pmu_event_find(const struct pmu_profile *profile,
					const struct event_list *events, uint64_t sel);
/* Is that code one of slots with parts? */
const struct event_parts *pmu_event_parts(const struct event_list *events,
					  const struct event_code *code);

/* In pmu->compared: what else wants to see each access. */
#define WATCH_PAGES BIT(60)
#define WATCH_BURST BIT(61)
#define WATCH_LATENCY BIT(62)
#define WATCH_ACCESS BIT(63)
_Static_assert(EV_COUNT <= 60, "a bit is an event or a WATCH_");

/* An event that is a difference of others happens: only comparisons want to know. */
static inline void pmu_seen(struct pmu *pmu, enum event event)
{
	if (__builtin_expect((pmu->compared & BIT(event)) != 0, 0))
		pmu_compare(pmu, event);
}

/* One more of an event that is counted as it happens. */
static inline void pmu_bump(struct pmu *pmu, enum event event)
{
	if (__builtin_expect(++pmu->pending[event] >= pmu->limit[event], 0))
		pmu_kick(pmu);
}

#endif
