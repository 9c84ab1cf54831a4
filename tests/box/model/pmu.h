/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU model's interface to whatever runs the instructions: QEMU's
 * translated code in the box, a loop in a unit test.
 *
 * One struct pmu per logical CPU, used by that CPU's thread alone; those of a core
 * may run at the same time.  The host
 * lowers hot->budget by one for every instruction that starts and calls
 * pmu_sync() when it falls below zero; everything else (what a counter
 * counts, when it overflows, what a cache miss costs) is the model's business.
 *
 * "Boundary" below means that no instruction is in flight: a host that finds
 * the budget below zero at the start of an instruction adds one back, calls
 * pmu_sync(), and takes one again.  struct pmu_hot must survive a CPU reset.
 * needs and active may change in pmu_new, pmu_reset, pmu_wrmsr, pmu_pmi,
 * pmu_core_update and pmu_force; pmu_sync and the reads only ever add PMU_NEED_INSN.
 */
#ifndef PMUBOX_PMU_H
#define PMUBOX_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gaps.h"
#include "loads.h"
#include "p4_signals.h"
#include "slots.h"

enum pmu_class {
	PMU_KERNEL,		/* CPL 0 */
	PMU_USER,		/* CPL 1..3 */
	PMU_CLASSES
};

/* What the host has to tell the model in one class. */
enum pmu_need {
	PMU_NEED_INSN = 1 << 0,		/* keep the budget */
	PMU_NEED_MEM = 1 << 1,		/* call pmu_mem() */
	PMU_NEED_BRANCH = 1 << 2,	/* call pmu_branch() */
	PMU_NEED_ALL = 7,
	/* Call pmu_code_run() where pmu_wants_code(), else pmu_insn(): a Pentium 4 and
	 * processors with a pipeline only, for their cycles too. */
	PMU_NEED_KIND = 1 << 3,
	PMU_NEED_USER_KIND = 1 << 4,	/* for pmu_force() alone: the same in user mode only */
};

/* The truth: everything the model knows how to total. */
enum pmu_total {
	PMU_INSTRUCTIONS,
	PMU_CYCLES,
	PMU_REF_CYCLES,
	PMU_BRANCHES,
	PMU_BRANCH_MISSES,
	PMU_LOADS,
	PMU_STORES,
	PMU_L1D_MISSES,			/* loads that missed the first level */
	PMU_CACHE_REFERENCES,		/* last level */
	PMU_CACHE_MISSES,
	PMU_MSR_READS,			/* RDMSR, of any MSR */
	PMU_MSR_WRITES,
	PMU_RDPMCS,
	PMU_PMIS,			/* delivered to the local APIC unmasked */
	PMU_ENERGY,			/* nJ, from Sandy Bridge on */
	PMU_CORE_ENERGY,		/* ... of which the cores have taken so much */
	PMU_P4,				/* here on a Pentium 4's only */
	PMU_P4_BEFORE = PMU_P4 - 1,
#define TOTAL(name, text, needs) PMU_P4_##name,
	P4_SIGNALS(TOTAL)
#undef TOTAL
	PMU_SLOTS,			/* from here on of a core with a pipeline only */
	PMU_SLOTS_BEFORE = PMU_SLOTS - 1,
#define TOTAL(name, text, part) PMU_SLOT_##name,
	SLOT_CAUSES(TOTAL)
#undef TOTAL
#define TOTAL(name, text) PMU_SIG_##name,
	PIPE_SIGNALS(TOTAL)
#undef TOTAL
	PMU_GAPS,			/* pmu_want_gaps(): PMU_GAP_TOTALS of each tag */
	PMU_LOAD_LATENCIES = PMU_GAPS + GAP_TAG_COUNT * (1 + GAP_BINS),	/* ... and origin */
	PMU_TOTALS = PMU_LOAD_LATENCIES + LOAD_ORIGIN_COUNT * (1 + GAP_BINS)
};

/* Of a tag: all its cycles, and its instructions by bins of gaps.  Of loads: of latencies. */
#define PMU_GAP_TOTALS (1 + GAP_BINS)

/* The part that translated code touches: the host embeds it in its CPU state. */
struct pmu_hot {
	int64_t budget;			/* instructions that may still start */
	uint8_t needs[PMU_CLASSES];	/* enum pmu_need bits, set by the model */
	uint8_t cls;			/* enum pmu_class that runs now */
	uint8_t active;			/* any need in any class */
};

enum pmu_access {
	PMU_DONE,
	PMU_FAULT,			/* #GP(0) */
	PMU_NOT_MINE,			/* not a register of the model */
};

struct pmu;

/*
 * Takes penalties away: their names with commas between, and behind a colon, if not all of
 * their occurrences are to be free, which share of them.  What is counted stays, but for
 * time.  Returns false if that cannot be had, and why, up to size bytes of text.
 */
bool pmu_ideal(struct pmu *pmu, const char *text, char *why, size_t size);
/* NULL, or why the host must not go on with it: an interrupt that depends on time is due. */
const char *pmu_spoilt(const struct pmu *pmu);

/*
 * What the manual leaves open is as these readings say: their names with commas between.
 * Returns false if there is no such, and why, up to size bytes of text.
 */
bool pmu_silicon(struct pmu *pmu, const char *text, char *why, size_t size);
/* For the host, which delivers: a PMI masks its entry, and this one does not arrive. */
bool pmu_masks_pmi(const struct pmu *pmu);
bool pmu_loses_pmi(struct pmu *pmu);

const char *pmu_profile_name(const struct pmu *pmu);
/*
 * The profile of the cores of a kind, where profile is that of the big ones ('p') and there are
 * small ('e') or low-power ones ('l') beside; NULL: there are none.
 */
const char *pmu_core_of_kind(const char *profile, char kind);
/* NULL if there is no such profile; skid: cycles from overflow to PMI. */
struct pmu *pmu_new(const char *profile, unsigned int skid, struct pmu_hot *hot);
/* Makes a new PMU another thread of the core that thread is of, before either
 * has run; false if the core has no room. */
bool pmu_join(struct pmu *pmu, struct pmu *thread);
/* Puts a PMU's core into another's package; false if it is there, or of another processor. */
bool pmu_join_package(struct pmu *pmu, struct pmu *core);
/* Where the last level, which is the package's, has lines of linear addresses: physical gives their
 * physical ones, or PMU_NO_ADDRESS.  Called while an access is told.  Without it they are equal. */
#define PMU_NO_ADDRESS UINT64_MAX
void pmu_l3_by(struct pmu *pmu, uint64_t (*physical)(void *data, uint64_t addr), void *data);
void pmu_free(struct pmu *pmu);
/* True once after a call that changed what other threads of the core have to tell
 * this one (AnyThread).  While none of them runs, the host calls pmu_core_update()
 * for each, between two of its instructions and with its class up to date. */
bool pmu_core_changed(struct pmu *pmu);
void pmu_core_update(struct pmu *pmu);
/* True: the threads of the core share its counters.  Then one of them runs at a time,
 * and the host says where: pmu_leave() at a boundary behind its last instruction (true:
 * something is due, of which pmu_sync() will tell again), pmu_enter() in front of its
 * next. */
bool pmu_shares_counters(const struct pmu *pmu);
bool pmu_leave(struct pmu *pmu);
void pmu_enter(struct pmu *pmu);
/* RESET: every register as after power-on; truth totals go on. */
void pmu_reset(struct pmu *pmu);

/* CPUID: makes eax, ebx, ecx, edx of the host those of the profile. */
void pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);
/* IA32_MISC_ENABLE: bits the profile sets and that software cannot change. */
uint64_t pmu_misc_enable(const struct pmu *pmu);

/*
 * RDMSR, WRMSR, RDPMC while an instruction is in flight: that instruction has
 * already been taken from the budget (where its class needs that); it has not
 * retired for a read and retires, under the old settings, with a write.  After
 * PMU_FAULT nothing has retired or changed: pmu_unretire() as for any fault.
 * A PMI that falls due here is reported by pmu_sync() at the next boundary.
 */
enum pmu_access pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
enum pmu_access pmu_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value);

/*
 * At a boundary between two instructions: count what has been consumed of the
 * budget, overflow, and set the next budget.  True if something is due now, before
 * the next instruction: a record (pmu_record() below), then, where that or a counter
 * asks for it, a PMI (pmu_pmi()).  A host that cannot write the record here is told
 * of it again at the next boundary, which is in front of the next instruction.
 */
bool pmu_sync(struct pmu *pmu);
/* The same, and what follows runs in class cls. */
bool pmu_set_class(struct pmu *pmu, enum pmu_class cls);
/* The same behind a HLT, with which cycles end until the host goes on. */
bool pmu_halt(struct pmu *pmu);
/* The PMI is delivered (dropped if the LVT entry is masked): freezes what the
 * registers say either way, and notes the truth of an unmasked one. */
void pmu_pmi(struct pmu *pmu, bool masked);

bool pmu_pmi_due(const struct pmu *pmu);
bool pmu_record_due(const struct pmu *pmu);

/* What a record shows of the CPU, which stands behind the instruction, or, where
 * pmu_records_before() says so, in front of it. */
struct pmu_cpu {
	bool long_mode;			/* IA-32e mode is active ... */
	bool wide;			/* ... and it runs code of 64 bits */
	uint64_t ip;			/* where it goes on */
	uint64_t eventing_ip;		/* of the instruction */
	uint64_t flags;
	uint64_t gpr[16];		/* in the order of their encoding: AX CX DX BX ... */
	uint64_t xmm[16][2], ymmh[16][2];	/* lower and upper halves of vectors */
	uint64_t tsc;
};

/*
 * Memory by linear address, for the processor itself: with the rights of ring 0; and by physical
 * address, for profiles with architectural PEBS.
 */
struct pmu_memory {
	void *data;
	bool (*read)(void *data, uint64_t addr, uint64_t *word);
	bool (*writable)(void *data, uint64_t addr, unsigned int size);
	void (*write)(void *data, uint64_t addr, uint64_t word);	/* where writable */
	bool (*physical_writable)(void *data, uint64_t addr, unsigned int size);
	void (*physical_write)(void *data, uint64_t addr, uint64_t word);
};

/* What became of a record. */
struct pmu_written {
	uint64_t counters;		/* bit per counter, as in GLOBAL_STATUS */
	uint64_t address;		/* of its data, if has_address */
	bool has_address;
	bool written;			/* else there was no room, or no memory */
};

/* Writes the record that is due.  The host knows eventing_ip, because pmu_stepping()
 * was true at the boundary in front of that instruction. */
struct pmu_written pmu_record(struct pmu *pmu, const struct pmu_cpu *cpu,
			      const struct pmu_memory *memory);
/* True: the host is called at each boundary, and wants to note where it stands. */
bool pmu_stepping(const struct pmu *pmu);
/* Instructions retired up to the last sync. */
uint64_t pmu_retired(const struct pmu *pmu);

/* The instruction in flight, which the host took from the budget, does not
 * retire: give back its budget and undo its memory accesses. */
void pmu_unretire(struct pmu *pmu);
/* A REP instruction in flight goes round again: gives its budget back, as it
 * retires once; the iteration's memory accesses stay. */
void pmu_rep_again(struct pmu *pmu);
/* What an instruction computes with. */
enum pmu_unit {
	PMU_INTEGER,
	PMU_X87,
	PMU_PACKED_SP,
	PMU_PACKED_DP,
	PMU_SCALAR_SP,
	PMU_SCALAR_DP,
	PMU_MMX_64,
	PMU_MMX_128,
	PMU_SIMD_MOVE,			/* x87, MMX and SSE: moves and stores */
	PMU_SIMD_LOAD,			/* ... and loads that do nothing else */
};

/* Beside the unit: it only moves, from or to memory if it has an access; it is
 * microcode. */
#define PMU_INSN_UNIT 0xf
#define PMU_INSN_MOVE 0x10
#define PMU_INSN_ROM 0x20

/*
 * What a core with a pipeline has to know of an instruction's code; the host makes one
 * for each that it translates, which must outlive the PMU.
 */
enum pmu_code_kind {
	PMU_CODE_NONE,		/* its memory accesses are all that it does: MOV, PUSH, POP */
	PMU_CODE_ALU,
	PMU_CODE_SHIFT,
	PMU_CODE_LEA,
	PMU_CODE_LEA_SLOW,	/* three operands */
	PMU_CODE_MUL,
	PMU_CODE_DIV,
	PMU_CODE_MOVE,		/* between registers; eliminated where the core can */
	PMU_CODE_ZEROING,	/* no uop executes, nothing is read */
	PMU_CODE_NOP,
	PMU_CODE_VEC_ALU,	/* integers and logic in vector registers */
	PMU_CODE_SHUFFLE,
	PMU_CODE_VEC_MUL,
	PMU_CODE_FP_ADD,	/* compares and conversions, too */
	PMU_CODE_FP_MUL,
	PMU_CODE_FP_FMA,
	PMU_CODE_FP_DIV,
	PMU_CODE_SQRT,
	PMU_CODE_X87,
	PMU_CODE_TO_VEC,	/* MOVD and its like: between the register files */
	PMU_CODE_JCC,
	PMU_CODE_JMP,
	PMU_CODE_CALL,
	PMU_CODE_RET,
	PMU_CODE_INDIRECT,	/* JMP and CALL by register or memory */
	PMU_CODE_FAR,		/* far branches, SYSCALL, IRET, INT n */
	PMU_CODE_STRING,	/* of a REP, each round */
	PMU_CODE_SYSTEM,	/* CPUID, RDMSR, RDTSC, FENCEs, ...: by uops and flags */
	PMU_CODE_KINDS
};

enum pmu_code_flag {
	PMU_CODE_MICROCODE = 1 << 0,	/* its uops come from the sequencer */
	PMU_CODE_LCP = 1 << 1,		/* a prefix that changes its length */
	PMU_CODE_SERIALIZING = 1 << 2,	/* waits for all before it, all behind it wait */
	PMU_CODE_LOCK = 1 << 3,
	PMU_CODE_FUSES = 1 << 4,	/* with a JCC right behind it, into one uop */
	PMU_CODE_LOADS = 1 << 5,	/* has memory operands that are read ... */
	PMU_CODE_STORES = 1 << 6,	/* ... and written */
};

/* What events that count instructions by what they compute take one for. */
enum pmu_code_count {
	PMU_COUNT_NONE,
	PMU_COUNT_NOP,
	PMU_COUNT_PAUSE,
	PMU_COUNT_LFENCE,
	PMU_COUNT_X87,
	PMU_COUNT_FP_SCALAR_DOUBLE,	/* arithmetic, by the bits of its operands */
	PMU_COUNT_FP_SCALAR_SINGLE,
	PMU_COUNT_FP_128_DOUBLE,
	PMU_COUNT_FP_128_SINGLE,
	PMU_COUNT_FP_256_DOUBLE,
	PMU_COUNT_FP_256_SINGLE,
	PMU_COUNT_VECTOR_ADD_128,	/* of integers */
	PMU_COUNT_VECTOR_ADD_256,
	PMU_COUNT_VECTOR_MUL_256,
	PMU_COUNT_SHUFFLE_256,
	PMU_COUNTS
};

/* In the masks: bit n for GPR n, 16 + n for vector register n (of 0 to 15). */
#define PMU_REG_VECTOR 16
#define PMU_REG_FLAGS 32
#define PMU_REG_X87 33
#define PMU_REG_OTHER 34
#define PMU_REGS 35

struct pmu_code {
	uint8_t length;			/* bytes */
	uint8_t uops;			/* fused: slots that it takes to issue; 1 to 255 */
	uint8_t kind;			/* enum pmu_code_kind */
	uint8_t bits;			/* of operands: 8, 16, 32, 64, 128, 255 for 256 and more */
	uint16_t flags;			/* enum pmu_code_flag */
	uint8_t counts, times;		/* enum pmu_code_count, and how often */
	uint64_t address_regs;		/* read for addresses of memory operands */
	uint64_t reads, writes;		/* all others */
};

/* The host will tell code: small cores have a pipeline then, others have theirs anyway.  Called
 * for a new PMU, before it is in a core or package with others; false without memory. */
bool pmu_use_pipeline(struct pmu *pmu);
/* True: the core has a pipeline, and wants pmu_code_run() where its needs
 * have PMU_NEED_KIND.  It runs from the first call on; without any, cycles are those of
 * a core that issues four instructions each. */
bool pmu_wants_code(const struct pmu *pmu);
/* The instruction at ip has been taken from the budget and is in flight.  Called for
 * each round of a REP, behind pmu_rep_again(), with the same code. */
void pmu_code_run(struct pmu *pmu, uint64_t ip, const struct pmu_code *code);
/* The instruction at ip has been taken from the budget and is in flight; what is an
 * enum pmu_unit and bits of PMU_INSN_.  Called for each round of a REP. */
void pmu_insn(struct pmu *pmu, uint64_t ip, uint32_t what);
/* Translations are forgotten: of one page, or (UINT64_MAX) of all. */
void pmu_flush(struct pmu *pmu, uint64_t addr);
/* CLFLUSH or CLFLUSHOPT: the line of a linear address leaves this CPU's caches and the
 * package's.  WBINVD and INVD: all do; what was written goes to memory, or is lost.
 * Whatever is counted. */
void pmu_evict(struct pmu *pmu, uint64_t addr);
void pmu_evict_all(struct pmu *pmu, bool write_back);
/* True: a record shows the CPU as it was in front of the instruction, which the host
 * then has to note at each boundary at which pmu_stepping() is true. */
bool pmu_records_before(const struct pmu *pmu);
/* Instruction in flight read or wrote size bytes at a linear address. */
void pmu_mem(struct pmu *pmu, uint64_t addr, unsigned int size, bool store);
/* What a branch is, in the order of LBR_SELECT. */
enum pmu_branch_kind {
	PMU_JCC,		/* and LOOPcc, JrCXZ: all that may fall through */
	PMU_CALL,
	PMU_CALL_INDIRECT,
	PMU_RET,
	PMU_JMP_INDIRECT,
	PMU_JMP,
	PMU_FAR			/* and INT n, SYSCALL, IRET and the like */
};

struct pmu_branch {
	uint64_t from, to, fall;	/* fall: the instruction behind it */
	enum pmu_branch_kind kind;
	enum pmu_class cls;		/* that it leads to */
};

/* A branch retired.  Before the next instruction is taken, and before sync,
 * set_class and reset. */
void pmu_branch(struct pmu *pmu, const struct pmu_branch *branch);
/* An interrupt or exception takes the CPU, at the boundary in front of from, to its
 * handler in class cls: no branch, but a branch record. */
void pmu_interrupt(struct pmu *pmu, uint64_t from, uint64_t to, enum pmu_class cls);

/* Truth: step up to each overflow that interrupts, to know its instruction... */
void pmu_want_causes(struct pmu *pmu, bool want);
/* ... and the counters that did so since it was asked last, as in GLOBAL_STATUS. */
uint64_t pmu_overflowed(struct pmu *pmu);
/* Truth: an instruction of a core with a pipeline has retired, so many cycles behind the one
 * before; or a round of a REP. */
struct pmu_retired {
	uint64_t ip, gap;
	enum gap_tag tag;
	enum pmu_class cls;
};

/* Truth: totals have gaps and latencies of loads from now on, and fn, if it is not NULL, is told
 * of each gap. */
void pmu_want_gaps(struct pmu *pmu, void (*fn)(void *data, const struct pmu_retired *retired),
		   void *data);
/* Truth: keep these needs on in both classes whatever the registers say. */
void pmu_force(struct pmu *pmu, unsigned int needs);
/* Totals since pmu_new() of one class, synced by the caller; the first
 * pmu_nr_totals() of them.  Those from PMU_P4 up to PMU_SLOTS are a Pentium 4's, those
 * behind are of a profile for which pmu_wants_code(), and stay 0 for others. */
const uint64_t *pmu_totals(const struct pmu *pmu, enum pmu_class cls);
unsigned int pmu_nr_totals(const struct pmu *pmu);
/* Host events that only the truth counts (MSR accesses, RDPMCs). */
void pmu_note(struct pmu *pmu, enum pmu_total what);
/* Every register of the model whose value is not the power-on value, synced by
 * the caller; the full-width aliases of counters are left out. */
void pmu_each_changed_msr(const struct pmu *pmu,
			  void (*fn)(void *data, uint32_t msr, uint64_t value), void *data);

#endif
