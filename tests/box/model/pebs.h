/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of PEBS share: a record that is being put together, and its parts that several
 * formats have.
 */
#ifndef PMUBOX_PEBS_H
#define PMUBOX_PEBS_H

#include "model.h"

/* The largest has 256 branch records of three words. */
#define PEBS_MOST_WORDS 1024

struct pebs_words {
	unsigned int nr;
	uint64_t word[PEBS_MOST_WORDS];
};

struct pebs_data {
	uint64_t counters;		/* by status bit */
	uint64_t groups;		/* of an adaptive record: MSR_PEBS_DATA_CFG */
	uint64_t addr, source;
	uint64_t latency, cache_latency;
};

/* Counters whose values a record has. */
struct pebs_shown {
	uint32_t gp, fixed;
	bool metrics;
};

/* pebs.c */
/* Fills in what the instruction did in memory, as far as these counters show it. */
void pmu_pebs_fill(const struct pmu *pmu, uint64_t counters, struct pebs_data *data,
		   struct pmu_written *result);
/* Behind a record, or where it is lost: counter c starts anew. */
void pmu_pebs_reload(struct pmu *pmu, struct counter *c, uint64_t reset);
/* The record has been made, and with it what pmu_record() is called for. */
void pmu_pebs_recorded(struct pmu *pmu);

/* pebs_record.c */
void pmu_pebs_put(struct pebs_words *to, uint64_t word);
void pmu_pebs_put_gprs(struct pebs_words *to, const struct pmu_cpu *cpu);
void pmu_pebs_put_vectors(struct pebs_words *to, const uint64_t vector[16][2]);
void pmu_pebs_put_branches(const struct pmu *pmu, struct pebs_words *to, unsigned int nr);
void pmu_pebs_put_counters(const struct pmu *pmu, struct pebs_words *to,
			   const struct pebs_shown *shown);
uint64_t pmu_pebs_latencies(const struct pmu *pmu, const struct pebs_data *data);
/* Cycles since the instruction before retired; false: these counters do not tell. */
bool pmu_pebs_retire_latency(const struct pmu *pmu, uint64_t counters, uint64_t *cycles);
/* A record of formats 0 to 6. */
void pmu_pebs_build(const struct pmu *pmu, const struct pebs_data *data,
		    const struct pmu_cpu *cpu, struct pebs_words *to);

/* pebs_arch.c */
struct pmu_written pmu_pebs_arch_record(struct pmu *pmu, const struct pmu_cpu *cpu,
					const struct pmu_memory *memory);

#endif
