/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl mem share.
 */
#ifndef PMUCTL_MEM_H
#define PMUCTL_MEM_H

#include "tools/base/base.h"
#include "tools/base/table.h"
#include "tools/samples/view_args.h"

/* Where a sample's data address comes from, or why it has none. */
enum origin {
	ORIGIN_HARDWARE,
	ORIGIN_REGISTERS,	/* the instruction's operand, from the registers */
	ORIGIN_KNOWN = ORIGIN_REGISTERS,	/* the last that has an address */
	ORIGIN_OVERWRITTEN,	/* the instruction did that to its own address */
	ORIGIN_COMPLEX,		/* more than registers decides */
	ORIGIN_AMBIGUOUS,	/* two operands */
	ORIGIN_NO_OPERAND,
	ORIGIN_INEXACT,		/* the instruction is not known */
	ORIGIN_NO_CODE,
	ORIGIN_GUEST,		/* a virtual machine's, whose memory is its own */
	ORIGIN_NOT_RECORDED,	/* neither an address nor registers */
	ORIGINS,
};

/* What a sample's instruction did to memory, as its event has it. */
enum access {
	ACCESS_ANY,
	ACCESS_LOAD,
	ACCESS_STORE,
};

struct amount {
	uint64_t samples;
	uint64_t events;	/* sum of their periods */
	uint64_t weighed;	/* samples that have a latency, */
	uint64_t cycles;	/* and the sum of those */
};

/*
 * Memory is that of a process, by its number, and of one of its images, in the upper half:
 * an exec begins another.
 */
static inline uint32_t memory_pid(uint64_t memory)
{
	return (uint32_t)memory;
}

/* What data belongs to: a symbol, a mapping, or a stretch of the heap or a stack. */
struct object {
	struct table_entry key;	/* file, symbol's start; or memory, address */
	struct amount amount;
	char *name;
	bool symbol;
	/* Of what samples name: addresses in the memory that it was seen in first. */
	uint64_t start, end;
	uint32_t dso;		/* of a symbol */
	uint64_t mapping;	/* that all of it is in, if it is not a symbol; 0: unknown */
};

/* Of an address, a line or a page; its key is the address and the memory. */
struct spot {
	struct table_entry key;
	struct amount amount;
	uint64_t missed;	/* samples that are not known to have hit the first level */
	uint64_t time;		/* of one sample: what was there then */
	uint32_t load;		/* + 1: number of the load that all of them are by; 0: several */
	const struct object *object;	/* after folding: where it starts, */
	uint64_t base;		/* and where in this memory that starts */
};

/* An instruction; its key is DSO and address. */
struct load {
	struct table_entry key;
	struct amount amount;
	uint64_t failed[ORIGINS];
	uint32_t number;
	bool decoded;
	int error;		/* of decoding */
	struct pmuctl_insn insn;
	uint64_t first;		/* of its addresses */
	size_t memories;	/* that those are in */
	uint64_t reach;		/* bytes between its addresses, in the memory where most are */
	uint64_t step;		/* the greatest common divisor of their differences in each */
	uint64_t pairs;		/* of samples that follow each other in a thread */
	size_t strides;		/* different ones that are kept */
};

/* The difference to the address before, of one load; its key is load and difference. */
struct stride {
	struct table_entry key;
	uint64_t pairs;
};

/* Where data came from; its key is what of the word is shown. */
struct source {
	struct table_entry key;
	struct amount amount;
};

#define LATENCY_BUCKETS 33	/* below 2^n cycles */

struct profile {
	const struct pmuctl_data_event *event;
	struct amount all, known;
	uint64_t origins[ORIGINS];
	struct table cells, loads, reaches, strides, lasts, sources;
	struct table lines, pages, objects;	/* after folding */
	uint64_t latencies[LATENCY_BUCKETS];
	bool has_source;
};

struct mem {
	const struct view_args *args;
	struct pmuctl *ctx;
	struct pmuctl_data *data;
	const struct pmuctl_data_info *info;
	struct profile *profiles;	/* an event each */
	uint32_t kernel;		/* the DSO that the kernel is, 0: not known */
	struct table homes;		/* what was found out about a page */
	struct pmuctl_cache cache;
	bool cache_recorded;		/* in the file; else it is this machine's */
};

/* The load of that number. */
const struct load *load_of_number(const struct profile *p, uint32_t number);

/* mem/address.c: where the sample's data was. */
enum origin mem_address(struct mem *m, struct load *load, const struct pmuctl_data_sample *s,
			uint64_t *address);
const char *origin_text(enum origin origin);
/* What the hardware says it was, or else the event's name. */
enum access mem_access(const struct mem *m, const struct pmuctl_data_sample *s);
/* How many operands of the instruction the access may have been to; the last of them. */
unsigned int mem_operand(const struct pmuctl_insn *insn, enum access access,
			 unsigned int *operand);
/* Fills load->insn, or load->error. */
void mem_decode(struct mem *m, struct load *load);

/* mem/sums.c; 0 or a negative errno. */
int mem_collect(struct mem *m);
/* All samples of the file; the cache has no sets if it is not known. */
int mem_read(struct mem *m, struct pmuctl *ctx, struct pmuctl_data *data);
void mem_free(struct mem *m);
void amount_add(struct amount *to, const struct amount *from);
struct amount amount_of(const struct pmuctl_data_sample *s);
/* Whose address this is: 0 for the kernel's, which is everybody's. */
uint64_t memory_of(const struct mem *m, const struct pmuctl_data_sample *s, uint64_t address);
/* The sample's instruction, with a number of its own; NULL: out of memory. */
struct load *load_of(struct mem *m, struct table *loads, const struct pmuctl_data_sample *s);
/* The largest step that makes step, and what lies between a and b; 0: none yet. */
uint64_t step_with(uint64_t step, uint64_t a, uint64_t b);

/* What is called so is memory of no file that is not the heap. */
#define ANONYMOUS "[anonymous]"

/*
 * mem/object.c: the object that a cell is in, grown by it, and its base in that memory;
 * NULL: out of memory.
 */
struct object *mem_object(struct mem *m, struct profile *p, struct spot *cell,
			  struct object *before);
void object_free(void *entry);
/* What is at a cell, by debugging information as well: "counters[1].hits", "[heap] at 0x5000040" */
void cell_name(struct mem *m, const struct spot *cell, char *text, size_t size);
/* Of a line or a page: "buf+0x40", "[heap]" */
void spot_place(const struct spot *spot, char *text, size_t size);

/* mem/sums.c: of the file, or else this machine's; false: neither tells (pmuctl_error()). */
bool mem_find_cache(struct mem *m);

/* mem/sets.c: sets of the first-level cache that more lines compete for than fit. */
struct set_conflict {
	struct table_entry key;	/* set and memory */
	uint64_t missed;	/* samples */
	uint64_t lines, ways;
	uint64_t step;		/* bytes that the lines are apart, or a divisor of that */
	uint64_t lowest, highest;	/* lines */
	uint32_t load;		/* + 1: number of the load that all are by; 0: several */
	const struct object *object;	/* of the first of them */
	bool several;		/* objects */
};

struct conflicts {
	struct table sets;
	struct set_conflict **list;	/* worst first, NULL behind the last */
	uint64_t missed;	/* samples, of all sets */
};

/* Those of which all lines are by one load. */
struct load_sets {
	uint64_t sets, lines, ways, step;
	const struct set_conflict *worst;
};

struct load_sets load_sets_of(const struct conflicts *c, const struct load *load);
int mem_find_conflicts(const struct mem *m, const struct profile *p, struct conflicts *c);
void conflicts_free(struct conflicts *c);

/* mem/print.c */
void mem_print(struct mem *m, struct writer *w);
double percent_of(uint64_t part, uint64_t whole);
/* "main+0x24 in prog", of an instruction */
void load_place(const struct mem *m, const struct load *load, char *text, size_t size);

/* The difference to the address before that this load has most often; NULL: none. */
const struct stride *mem_best_stride(const struct profile *p, const struct load *load);
/* mem/verdict.c: what to do about such lines; false if that is not known. */
bool mem_conflict_advice(const struct mem *m, const struct set_conflict *set, char *text,
			 size_t size);

/* mem/loads.c, mem/verdict.c: parts of it that are large. */
void mem_print_loads(struct mem *m, struct writer *w, const struct profile *p);
void mem_print_conflicts(struct mem *m, struct writer *w, const struct profile *p);

#endif
