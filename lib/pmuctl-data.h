/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libpmuctl: reading perf.data, and what the addresses in it mean.  A part of pmuctl.h.
 */
#ifndef LIBPMUCTL_DATA_READ_H
#define LIBPMUCTL_DATA_READ_H

#include "pmuctl.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- perf.data: read ----------------------------------------------- */

struct pmuctl_data;

/*
 * Ours or perf's, PERFILE2: a file, compressed (perf record -z) or not, what was written to
 * a pipe, and a pipe, which is read to its end; a directory (--threads); "-": standard input.
 * One that was cut is read up to its last whole record (pmuctl_data_get_info()->cut).
 * -EBADMSG: not such a file, and the error says where and what; -EOPNOTSUPP: of another
 * endianness, compressed without libzstd...
 */
int pmuctl_data_open(struct pmuctl *ctx, const char *path, struct pmuctl_data **data);
void pmuctl_data_close(struct pmuctl_data *data);

/* While a file is fetched: bytes that came, of how many (0: unknown); not 0 ends it. */
typedef int pmuctl_progress_fn(void *data, long got, long all);
/*
 * While the file of samples is read, which is done more than once: bytes that were, of how many.
 * The last call of a time has both the same.
 */
typedef void pmuctl_reading_fn(void *data, uint64_t got, uint64_t all);

/* Where the files of code are that a perf.data file names; NULL: where it says. */
struct pmuctl_data_options {
	size_t size;
	const char *symfs;	/* the directory that stands for the root of their machine */
	const char *kallsyms;	/* the kernel's symbols, as in /proc/kallsyms there */
	const char *vmlinux;	/* ... or the kernel as an ELF file */
	/*
	 * Ask the servers of DEBUGINFOD_URLS for files that are not here, too.  For debugging
	 * information of files that are here they are asked anyway.
	 */
	bool download;
	pmuctl_progress_fn *progress;	/* may be NULL */
	void *progress_data;
	pmuctl_reading_fn *reading;	/* may be NULL */
	void *reading_data;
};

int pmuctl_data_open_with(struct pmuctl *ctx, const char *path,
			  const struct pmuctl_data_options *options, struct pmuctl_data **data);

struct pmuctl_data_event {
	const char *name;
	uint32_t type;		/* as struct perf_event_attr */
	uint64_t config;
	uint64_t sample_type;	/* PERF_SAMPLE_* */
	uint64_t period;	/* 0: frequency */
	uint32_t precise;
	uint64_t samples;	/* that pmuctl_data_samples() gives of it */
	uint64_t events;	/* sum of their periods */
	uint64_t inexact;	/* of the samples: without PERF_RECORD_MISC_EXACT_IP */
};

struct pmuctl_data_info {
	const struct pmuctl_data_event *events;
	size_t events_count;
	/* Records; with PERF_SAMPLE_READ one gives a sample for each event that went on. */
	uint64_t samples;
	uint64_t lost;		/* PERF_RECORD_LOST or LOST_SAMPLES, which tell of the same */
	uint64_t throttled;	/* PERF_RECORD_THROTTLE */
	bool cut;		/* the file ends within a record, or was not closed */
	const char *hostname, *release, *arch, *cpuid, *command;	/* "" if not there */
	uint32_t cpus;
	const char *version;		/* "pmuctl 0.1", perf's "6.1.192", or "" */
	struct pmuctl_cache l1d;	/* where it was recorded; sets 0: not there */
	uint64_t undescribed;	/* samples of events that the file does not describe: not given */
	/* Call chains as copies of stacks, which pmuctl_data_chains() unwinds. */
	bool stack_copies;
	uint64_t trace_bytes;	/* PERF_RECORD_AUXTRACE, of which nothing is given */
	uint64_t began;		/* ns since 1970; 0: not known */
	uint64_t duration;	/* ns that it is of, or from first to last sample; 0: not known */
};

const struct pmuctl_data_info *pmuctl_data_get_info(const struct pmuctl_data *data);

struct pmuctl_branch_entry {
	uint64_t from;
	uint64_t to;
	uint64_t flags;		/* as struct perf_branch_entry */
};

/* Why a chain that was unwound ends before the function that nobody called. */
enum pmuctl_cut {
	PMUCTL_CUT_NONE,
	PMUCTL_CUT_COPY,	/* the copy of the stack is too short */
	PMUCTL_CUT_FILE,	/* a file of code is not here, or another one */
	PMUCTL_CUT_RULES,	/* it does not say how functions save registers (no CFI) */
	PMUCTL_CUT_UNMAPPED,	/* nothing was mapped there */
	PMUCTL_CUT_REGISTERS,	/* what registers or the stack hold leads nowhere */
	PMUCTL_CUT_BELOW,	/* a register was saved where the stack no longer reaches */
	PMUCTL_CUT_ABSENT,	/* what was to be copied of the stack was not there */
	PMUCTL_CUT_DEPTH,	/* more callers than are read */
	PMUCTL_CUT_MACHINE,	/* of 32 bits, or of another machine */
	PMUCTL_CUT_READER,	/* elfutils died of the file, or took too long */
	PMUCTL_CUTS,
};

/* Pointers are valid within the callback alone. */
struct pmuctl_data_sample {
	uint32_t event;
	/* Each UINT32_MAX if the file does not say; pid and tid also of a task that was gone. */
	uint32_t pid, tid;
	uint32_t cpu;
	uint64_t ip;
	uint64_t time;		/* for the other functions; a place where not all have a time */
	uint64_t period;
	bool kernel;		/* PERF_RECORD_MISC_CPUMODE */
	bool guest;		/* ...of a virtual machine: nothing of it is known */
	bool exact;		/* PERF_RECORD_MISC_EXACT_IP */
	uint64_t has;		/* PERF_SAMPLE_* bits that are there */
	uint64_t addr;
	uint64_t weight;	/* of it the cycles of the load, where there are several */
	uint32_t retire;	/* PERF_SAMPLE_WEIGHT_STRUCT: cycles since the instruction before */
	uint64_t data_src;	/* union perf_mem_data_src */
	const uint64_t *chain;	/* with PERF_CONTEXT_*, innermost first */
	size_t chain_count;
	const struct pmuctl_branch_entry *branches;	/* latest first */
	size_t branches_count;
	bool calls;		/* they are calls of user mode that have not returned */
	uint64_t regs_mask;	/* bit PERF_REG_X86_* : it is there... */
	const uint64_t *regs;	/* ...in this order */
	uint64_t clock;		/* PERF_SAMPLE_TIME as it was recorded; 0: it was not */
	/* Of the program, also where the sample is the kernel's; user_regs NULL: it has none. */
	unsigned int user_abi;	/* PERF_SAMPLE_REGS_ABI_* */
	uint64_t user_mask;
	const uint64_t *user_regs;
	const void *stack;	/* a copy of the stack, from its SP on */
	size_t stack_size;	/* bytes of it that were there */
	size_t stack_asked;	/* bytes of it that should have been */
	bool unwound;		/* by pmuctl_data_chains(): its callers are out of the copy */
	enum pmuctl_cut cut;	/* ... and why some are missing at its end */
};

typedef int pmuctl_data_sample_fn(void *data, const struct pmuctl_data_sample *sample);

/* Where an address was at that time: the same for all that is loaded alike. */
struct pmuctl_place {
	uint32_t dso;		/* a number, from 0 */
	uint64_t address;	/* as the DSO's symbol table has it */
};

/* Every sample, in the order of the file. */
int pmuctl_data_samples(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data);
/*
 * The same, and copies of stacks are unwound: what is found stands in the sample's chain, behind
 * the kernel's part.  A process of its own reads the files of code (it is forked, and gone when
 * this returns), so that none that is damaged does harm.
 */
int pmuctl_data_chains(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data);

/* Whose samples pmuctl_data_sums() tells apart. */
#define PMUCTL_BY_COMM	1u
#define PMUCTL_BY_PID	2u
#define PMUCTL_BY_TID	4u
#define PMUCTL_BY_CPU	8u

struct pmuctl_data_sums_options {
	size_t size;
	unsigned int by;	/* PMUCTL_BY_* */
	/*
	 * That read a part of the file each; 0: as many as the process may use CPUs, if the file
	 * is large.  One, where something is `wanted` or the file cannot be read in parts.
	 */
	unsigned int threads;
	/* Whether a sample counts: 1: yes; 0: no; a negative errno ends it.  NULL: all do. */
	pmuctl_data_sample_fn *wanted;
	void *wanted_data;
};

/* Samples of one event in one place. */
struct pmuctl_data_sum {
	struct pmuctl_place place;	/* as pmuctl_data_sample_place() has it */
	uint32_t event;
	bool kernel;
	/* 0 and NULL: they are not told apart by it. */
	uint32_t pid, tid, cpu;
	const char *comm;		/* as pmuctl_data_comm() has it: the same pointer */
	uint64_t samples;
	uint64_t events;		/* sum of their periods */
	size_t left;			/* sums that come behind this one */
};

typedef int pmuctl_data_sum_fn(void *data, const struct pmuctl_data_sum *sum);

/*
 * All samples of the file, added up: many times as fast as pmuctl_data_samples().  There may be
 * several sums of one place, and they come in no order.  What fn returns ends it if not 0.
 */
int pmuctl_data_sums(struct pmuctl_data *data, const struct pmuctl_data_sums_options *options,
		     pmuctl_data_sum_fn *fn, void *fn_data);

/*
 * What has come since the last time, or since it was opened, of a file that is being written as
 * to a pipe (pmuctl_dump_options.fd), by this process, which ends with a whole record now.  What
 * came before is not read again; the writer may punch a hole there.  What is known of tasks that
 * are gone is forgotten, and pmuctl_data_image() numbers their programs anew.  What fn returns
 * ends it if not 0, and so does -EBADMSG.
 */
int pmuctl_data_follow(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data);

/* Chains that were cut for the same reason. */
struct pmuctl_data_cut {
	enum pmuctl_cut why;
	uint32_t dso;		/* in which; 0: that does not matter */
	uint64_t chains;
};

/* What pmuctl_data_chains() cut when it was last called; how many chains there were: *chains. */
const struct pmuctl_data_cut *pmuctl_data_get_cuts(const struct pmuctl_data *data, size_t *count,
						   uint64_t *chains);

/* dso name 0 is "[unknown]", and address then the one that was asked for. */
void pmuctl_data_place(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       bool kernel, struct pmuctl_place *place);
/* Of the sample's own address; what a guest has there is in no map of the host's. */
void pmuctl_data_sample_place(const struct pmuctl_data *data,
			      const struct pmuctl_data_sample *sample, struct pmuctl_place *place);
/*
 * Of code of a program from which the kernel was entered: until an exec is over that is
 * still the one which called it.
 */
void pmuctl_data_entry(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       struct pmuctl_place *place);
/* Where in the DSO's file a place is: what perf has for one without a symbol. */
uint64_t pmuctl_data_offset(const struct pmuctl_data *data, const struct pmuctl_place *place);
/* Another number for each program that the process was, one after the other. */
uint32_t pmuctl_data_image(const struct pmuctl_data *data, uint32_t pid, uint64_t time);
/*
 * What is mapped at an address of data.  The kernel joins neighbours, as large arrays of
 * malloc() are; `start` is that of the one which the address was in first, so that it tells
 * them apart.
 */
struct pmuctl_mapping {
	uint32_t dso;		/* of "[heap]" and the like, too; 0: unknown */
	uint64_t start;
};

void pmuctl_data_mapped(const struct pmuctl_data *data, uint32_t pid, uint64_t time,
			uint64_t address, struct pmuctl_mapping *mapping);
/*
 * The file whose variables may be at an address of a process, zeroed ones too, and by how
 * much its addresses are higher there than in its symbol table; whether a variable is
 * there pmuctl_data_symbol() tells.  -ENOENT: no file has anything there.
 */
int pmuctl_data_loaded(struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t address,
		       uint32_t *dso, uint64_t *bias);
/* "/usr/bin/gzip", "[kernel.kallsyms]", "[vdso]", "[heap]", "[unknown]" */
const char *pmuctl_data_dso(const struct pmuctl_data *data, uint32_t dso);
/* Its build-id in hexadecimal digits; -ENOENT: it has none, -ERANGE: 2 * 20 + 1 bytes do. */
int pmuctl_data_build_id(const struct pmuctl_data *data, uint32_t dso, char *text, size_t size);
const char *pmuctl_data_comm(const struct pmuctl_data *data, uint32_t tid, uint64_t time);

struct pmuctl_symbol {
	const char *name;	/* demangled; NULL: none there */
	uint64_t start;
	uint64_t size;
};

/*
 * The core of a CPU, by the lowest of its CPUs: those that have one core have its first-level
 * cache, too.  If the file does not say, each CPU is one.
 */
uint32_t pmuctl_data_core(const struct pmuctl_data *data, uint32_t cpu);

/* Of a DSO as it is on this machine now, if its build-id is the recorded one. */
void pmuctl_data_symbol(struct pmuctl_data *data, const struct pmuctl_place *place,
			struct pmuctl_symbol *symbol);
/*
 * The symbol of a DSO that has this name, the one at the lowest address; -ENOENT: none has,
 * -ENODATA: names of the DSO are not to be had.
 */
int pmuctl_data_named(struct pmuctl_data *data, uint32_t dso, const char *name,
		      struct pmuctl_symbol *symbol);
/* *file is NULL if there are no lines. */
void pmuctl_data_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		      const char **file, unsigned int *line);
/* A function that was inlined, and where it is called in what it was inlined into. */
struct pmuctl_inlined {
	const char *name;	/* as its symbol would be */
	const char *file;	/* NULL: unknown */
	unsigned int line;
};

/*
 * How many functions were inlined at a place, innermost first; the symbol is that of what has
 * them all.  They stay as they are until the data is closed.  -ENODATA: there is no debugging
 * information that would say so.
 */
int pmuctl_data_inlined(struct pmuctl_data *data, const struct pmuctl_place *place,
			const struct pmuctl_inlined **inlined);
/* A variable of a file of code, and what of it is at an address. */
struct pmuctl_variable {
	size_t size;
	char name[192];		/* "counters[1].hits", "total+0x4", "stats (padding)" */
	uint64_t start, bytes;	/* of all of the variable, as the place's address */
	uint64_t element;	/* bytes of each, if it is an array; else 0 */
};

/*
 * By debugging information; variable->size is to be set.  -ENODATA: there is none;
 * -ENOENT: no variable is there, or none with a fixed address.
 */
int pmuctl_data_variable(struct pmuctl_data *data, const struct pmuctl_place *place,
			 struct pmuctl_variable *variable);
/* Code at a place; how many bytes of it were there. */
size_t pmuctl_data_text(struct pmuctl_data *data, const struct pmuctl_place *place,
			void *text, size_t size);

/* Why the DSO's names are not to be had, or not all of them; NULL: they are. */
const char *pmuctl_data_missing(struct pmuctl_data *data, uint32_t dso);
/*
 * What instructions its code has: 64 or 32 bits of x86; 0: another machine's, whose name is in
 * *machine.  What is in no file that is here is taken for 64 bits.
 */
unsigned int pmuctl_data_bits(struct pmuctl_data *data, uint32_t dso, const char **machine);

/*
 * What is read of a DSO: the file here, and below which path of another root it would be found
 * again.  Of what is in no file (the vdso) `bytes` are it, and path is NULL.
 */
struct pmuctl_data_file {
	const char *path;
	const char *name;
	const void *bytes;
	size_t size;
};

typedef int pmuctl_data_file_fn(void *data, const struct pmuctl_data_file *file);

int pmuctl_data_files(struct pmuctl_data *data, uint32_t dso, pmuctl_data_file_fn *fn,
		      void *fn_data);

/* ---- instructions --------------------------------------------------- */

/* A register of an operand: PERF_REG_X86_*, or one of these. */
#define PMUCTL_NO_REG		(-1)
#define PMUCTL_REG_RIP		8	/* PERF_REG_X86_IP: of the next instruction */

/*
 * Where an operand is: base + index * scale + displacement, of the registers before
 * the instruction (a push writes below the SP of then).
 */
struct pmuctl_memory {
	int base;
	int index;
	unsigned int scale;
	int64_t displacement;
	bool segment;		/* FS or GS: its base is not in a sample */
	bool other;		/* more decides: rep, a vector of indices, a far bit... */
	bool narrow;		/* only 32 bits of the sum count */
	unsigned int bytes;
	bool reads, writes;
};

struct pmuctl_insn {
	size_t size;
	unsigned int length;	/* bytes */
	char text[96];		/* AT&T, as objdump has it */
	uint64_t writes;	/* bit PERF_REG_X86_*: it writes (all or part of) it */
	struct pmuctl_memory memory[2];
	unsigned int memory_count;
	bool branch;		/* may go elsewhere than to the next one */
	bool repeats;		/* a string instruction with rep: is itself the next one */
	uint64_t target;	/* of a direct branch or call, else 0 */
	int64_t stack_step;	/* what it adds to SP, if that is known */
	unsigned int string_step; /* ...to SI and DI that it writes, or takes off if DF */
};

/*
 * -EBADMSG: no instruction, or not all of it is there; -ENOSYS: Zydis is not
 * installed (Debian: libzydis4.0).  insn->size is to be set.
 */
int pmuctl_insn_decode(const void *code, size_t size, uint64_t ip, struct pmuctl_insn *insn);
/* Of code of so many bits, 64 or 32 (-EINVAL: others), as pmuctl_data_bits() has them. */
int pmuctl_insn_decode_bits(unsigned int bits, const void *code, size_t size, uint64_t ip,
			    struct pmuctl_insn *insn);
enum pmuctl_syntax {
	PMUCTL_SYNTAX_ATT,	/* as insn->text has it */
	PMUCTL_SYNTAX_INTEL,
};

/* The text alone, in that syntax; errors as of pmuctl_insn_decode_bits(). */
int pmuctl_insn_text(unsigned int bits, const void *code, size_t size, uint64_t ip,
		     enum pmuctl_syntax syntax, char *text, size_t text_size);
/*
 * The start of the instruction that ends at ip, decoding from start on, which is
 * one's start; 0 if none ends there.  code begins at start.
 */
uint64_t pmuctl_insn_before(const void *code, size_t size, uint64_t start, uint64_t ip);
uint64_t pmuctl_insn_before_bits(unsigned int bits, const void *code, size_t size,
				 uint64_t start, uint64_t ip);
/*
 * The address of insn->memory[operand] of the instruction at ip.  regs: those of
 * mask, in the order of PERF_REG_X86_*; after: they are those behind the
 * instruction.  -ENODATA: they do not tell, since the instruction overwrote one of
 * those that it needed, or the address depends on more.
 */
int pmuctl_insn_address(const struct pmuctl_insn *insn, unsigned int operand, uint64_t ip,
			uint64_t mask, const uint64_t *regs, bool after, uint64_t *address);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
