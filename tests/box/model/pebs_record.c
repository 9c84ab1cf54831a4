// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layouts of PEBS records: formats 0 to 3, each of them the one before it and
 * something more, and the groups of format 4 and 5.
 */
#include "model.h"

/* In words of 8 bytes. */
static const uint8_t fixed_sizes[] = { 18, 22, 24, 25 };

#define ADAPTIVE_FORMAT 4
#define BASIC_WORDS 4
#define MEMORY_WORDS 4
#define GPR_WORDS 18
#define XMM_WORDS 32
#define LBR_WORDS 3
#define SIZE_SHIFT 48
#define LATENCY_SHIFT 32
#define LATENCY_MOST 0xffff
#define GP_COUNTERS UINT32_MAX
#define MAX_LBR 256

/* Where the record grows. */
struct cursor {
	const struct pmu_memory *memory;
	uint64_t at;
};

static void put(struct cursor *to, uint64_t word)
{
	to->memory->write(to->memory->data, to->at, word);
	to->at += sizeof(word);
}

static unsigned int format(const struct pmu *pmu)
{
	return CAP_PEBS_FORMAT_OF(pmu->profile->capabilities);
}

unsigned int pmu_pebs_size(const struct pmu *pmu, uint64_t groups)
{
	unsigned int words = BASIC_WORDS;

	if (format(pmu) < ADAPTIVE_FORMAT)
		return 8 * fixed_sizes[format(pmu)];
	words += groups & PEBS_GROUP_MEMORY ? MEMORY_WORDS : 0;
	words += groups & PEBS_GROUP_GPR ? GPR_WORDS : 0;
	words += groups & PEBS_GROUP_XMM ? XMM_WORDS : 0;
	words += groups & PEBS_GROUP_LBR ? LBR_WORDS * PEBS_LBR_ENTRIES(groups) : 0;
	return 8 * words;
}

/* The order of the registers in formats 0 to 3, by their encoding. */
static const uint8_t old_order[16] = { 0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15 };

/* Up to format 2 GLOBAL_STATUS, then only the counters that made the record. */
static uint64_t status_of(const struct pmu *pmu, uint64_t counters)
{
	return format(pmu) < 3 ? counters | pmu->global_status : counters;
}

/* The counters that a record is to name: those that it is of, or what else a reading says. */
uint64_t pmu_pebs_named(struct pmu *pmu)
{
	if (format(pmu) >= 3)
		return pmu->record;
	return format(pmu) ? pmu_silicon_named(pmu, pmu->record) : pmu->record;
}

static void put_old(const struct pmu *pmu, struct cursor *to, const struct pebs_data *data,
		    const struct pmu_cpu *cpu)
{
	put(to, cpu->flags);
	put(to, cpu->ip);
	for (unsigned int i = 0; i < ARRAY_SIZE(old_order); i++)
		put(to, cpu->gpr[old_order[i]]);
	if (format(pmu) >= 1) {
		put(to, status_of(pmu, data->counters));
		put(to, data->addr);
		put(to, data->source);
		put(to, data->latency);
	}
	if (format(pmu) >= 2) {
		put(to, cpu->eventing_ip);
		put(to, 0);			/* there is no TSX */
	}
	if (format(pmu) >= 3)
		put(to, cpu->tsc);
}

/* Cycles since the instruction before retired.  Fixed counters may do without: on some they do. */
static uint64_t retire_latency(const struct pmu *pmu, const struct pebs_data *data)
{
	uint64_t gap = pmu_pipe_runs(pmu) ? pmu_pipe_gap(pmu) : 0;

	if (!(pmu->profile->capabilities & CAP_TIMED_PEBS) || !(data->counters & GP_COUNTERS))
		return 0;
	return (gap < LATENCY_MOST ? gap : LATENCY_MOST) << LATENCY_SHIFT;
}

static void put_basic(const struct pmu *pmu, struct cursor *to, const struct pebs_data *data,
		      const struct pmu_cpu *cpu)
{
	uint64_t shape = data->groups & PEBS_GROUPS;

	if (shape & PEBS_GROUP_LBR)
		shape |= (uint64_t)(PEBS_LBR_ENTRIES(data->groups) - 1) << PEBS_LBR_SHIFT;
	shape |= retire_latency(pmu, data);
	put(to, shape | (uint64_t)pmu_pebs_size(pmu, data->groups) << SIZE_SHIFT);
	put(to, cpu->eventing_ip);
	put(to, data->counters);
	put(to, cpu->tsc);
}

static void put_gprs(struct cursor *to, const struct pmu_cpu *cpu)
{
	put(to, cpu->flags);
	put(to, cpu->ip);
	for (unsigned int i = 0; i < ARRAY_SIZE(cpu->gpr); i++)
		put(to, cpu->gpr[i]);
}

static void put_branches(const struct pmu *pmu, struct cursor *to, unsigned int nr)
{
	struct pmu_lbr_entry branches[MAX_LBR] = { { 0 } };

	pmu_lbr_read(pmu, branches, nr);
	for (unsigned int i = 0; i < nr; i++) {
		put(to, branches[i].from);
		put(to, branches[i].to);
		put(to, branches[i].info);
	}
}

static uint64_t at_most(uint64_t cycles, uint64_t most)
{
	return cycles < most ? cycles : most;
}

/* The cache's above the instruction's, where there are both. */
static uint64_t latencies(const struct pmu *pmu, const struct pebs_data *data)
{
	if (!pmu->profile->two_latencies)
		return at_most(data->latency, UINT32_MAX);
	return at_most(data->cache_latency, LATENCY_MOST) << LATENCY_SHIFT |
	       at_most(data->latency, LATENCY_MOST);
}

static void put_adaptive(const struct pmu *pmu, struct cursor *to, const struct pebs_data *data,
			 const struct pmu_cpu *cpu)
{
	put_basic(pmu, to, data, cpu);
	if (data->groups & PEBS_GROUP_MEMORY) {
		put(to, data->addr);
		put(to, data->source);
		put(to, latencies(pmu, data));
		put(to, 0);
	}
	if (data->groups & PEBS_GROUP_GPR)
		put_gprs(to, cpu);
	for (unsigned int i = 0; (data->groups & PEBS_GROUP_XMM) && i < XMM_WORDS; i++)
		put(to, cpu->xmm[i / 2][i % 2]);
	if (data->groups & PEBS_GROUP_LBR)
		put_branches(pmu, to, PEBS_LBR_ENTRIES(data->groups));
}

/* All of the record, where memory has been found writable. */
void pmu_pebs_write(const struct pmu *pmu, const struct pebs_data *data,
		    const struct pmu_cpu *cpu, const struct pmu_memory *memory, uint64_t at)
{
	struct cursor to = { .memory = memory, .at = at };

	if (format(pmu) < ADAPTIVE_FORMAT)
		put_old(pmu, &to, data, cpu);
	else
		put_adaptive(pmu, &to, data, cpu);
}
