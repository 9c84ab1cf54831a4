// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layouts of PEBS records: formats 0 to 3, each of them the one before it and
 * something more, and the groups of formats 4 to 6, of which architectural ones have some.
 */
#include "pebs.h"

#define ADAPTIVE_FORMAT 4
#define METRICS_FOLLOW 3		/* in the header of counters */
#define SIZE_SHIFT 48
#define LATENCY_SHIFT 32
#define LATENCY_MOST 0xffff
#define GP_COUNTERS UINT32_MAX
#define MAX_LBR 256

void pmu_pebs_put(struct pebs_words *to, uint64_t word)
{
	if (to->nr < PEBS_MOST_WORDS)
		to->word[to->nr++] = word;
}

static unsigned int format(const struct pmu *pmu)
{
	return CAP_PEBS_FORMAT_OF(pmu->profile->capabilities);
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

static void put_old(const struct pmu *pmu, struct pebs_words *to, const struct pebs_data *data,
		    const struct pmu_cpu *cpu)
{
	pmu_pebs_put(to, cpu->flags);
	pmu_pebs_put(to, cpu->ip);
	for (unsigned int i = 0; i < ARRAY_SIZE(old_order); i++)
		pmu_pebs_put(to, cpu->gpr[old_order[i]]);
	if (format(pmu) >= 1) {
		pmu_pebs_put(to, status_of(pmu, data->counters));
		pmu_pebs_put(to, data->addr);
		pmu_pebs_put(to, data->source);
		pmu_pebs_put(to, data->latency);
	}
	if (format(pmu) >= 2) {
		pmu_pebs_put(to, cpu->eventing_ip);
		pmu_pebs_put(to, 0);			/* there is no TSX */
	}
	if (format(pmu) >= 3)
		pmu_pebs_put(to, cpu->tsc);
}

static uint64_t at_most(uint64_t cycles, uint64_t most)
{
	return cycles < most ? cycles : most;
}

/* Fixed counters may do without: on some processors they do. */
bool pmu_pebs_retire_latency(const struct pmu *pmu, uint64_t counters, uint64_t *cycles)
{
	*cycles = 0;
	if (!(pmu->profile->capabilities & CAP_TIMED_PEBS) || !(counters & GP_COUNTERS))
		return false;
	*cycles = at_most(pmu_pipe_runs(pmu) ? pmu_pipe_gap(pmu) : 0, LATENCY_MOST);
	return true;
}

/* Its size is put in when it is known. */
static void put_basic(const struct pmu *pmu, struct pebs_words *to, const struct pebs_data *data,
		      const struct pmu_cpu *cpu)
{
	uint64_t shape = data->groups & PEBS_GROUPS, latency;

	if (shape & PEBS_GROUP_LBR)
		shape |= (uint64_t)(PEBS_LBR_ENTRIES(data->groups) - 1) << PEBS_LBR_SHIFT;
	pmu_pebs_retire_latency(pmu, data->counters, &latency);
	pmu_pebs_put(to, shape | latency << LATENCY_SHIFT);
	pmu_pebs_put(to, cpu->eventing_ip);
	pmu_pebs_put(to, data->counters);
	pmu_pebs_put(to, cpu->tsc);
}

void pmu_pebs_put_gprs(struct pebs_words *to, const struct pmu_cpu *cpu)
{
	pmu_pebs_put(to, cpu->flags);
	pmu_pebs_put(to, cpu->ip);
	for (unsigned int i = 0; i < ARRAY_SIZE(cpu->gpr); i++)
		pmu_pebs_put(to, cpu->gpr[i]);
}

void pmu_pebs_put_vectors(struct pebs_words *to, const uint64_t vector[16][2])
{
	for (unsigned int i = 0; i < 32; i++)
		pmu_pebs_put(to, vector[i / 2][i % 2]);
}

void pmu_pebs_put_branches(const struct pmu *pmu, struct pebs_words *to, unsigned int nr)
{
	struct pmu_lbr_entry branches[MAX_LBR] = { { 0 } };

	pmu_lbr_read(pmu, branches, nr);
	for (unsigned int i = 0; i < nr; i++) {
		pmu_pebs_put(to, branches[i].from);
		pmu_pebs_put(to, branches[i].to);
		pmu_pebs_put(to, branches[i].info);
	}
}

/* As they are, before a record's counter is set back: also those that overflowed long ago. */
void pmu_pebs_put_counters(const struct pmu *pmu, struct pebs_words *to,
			   const struct pebs_shown *shown)
{
	pmu_pebs_put(to, shown->gp | (uint64_t)shown->fixed << 32);
	pmu_pebs_put(to, shown->metrics ? METRICS_FOLLOW : 0);
	for (unsigned int i = 0; i < PMU_MAX_GP; i++)
		if (shown->gp & BIT(i))
			pmu_pebs_put(to, pmu->counter[i].value);
	for (unsigned int i = 0; i < PMU_MAX_FIXED; i++)
		if (shown->fixed & BIT(i))
			pmu_pebs_put(to, pmu->counter[PMU_MAX_GP + i].value);
	if (!shown->metrics)
		return;
	pmu_pebs_put(to, pmu->counter[PMU_SLOTS_COUNTER].value);
	pmu_pebs_put(to, pmu_metrics(pmu));
}

/* The cache's above the instruction's, where there are both. */
uint64_t pmu_pebs_latencies(const struct pmu *pmu, const struct pebs_data *data)
{
	if (!pmu->profile->two_latencies)
		return at_most(data->latency, UINT32_MAX);
	return at_most(data->cache_latency, LATENCY_MOST) << LATENCY_SHIFT |
	       at_most(data->latency, LATENCY_MOST);
}

static void put_shown(const struct pmu *pmu, struct pebs_words *to, uint64_t groups)
{
	bool counters = groups & PEBS_GROUP_COUNTERS;
	const struct pebs_shown shown = {
		.gp = counters ? groups >> PEBS_GP_SHIFT & 0xffff : 0,
		.fixed = counters ? groups >> PEBS_FIXED_SHIFT & 0xff : 0,
		.metrics = groups & PEBS_GROUP_METRICS,
	};

	if (counters || shown.metrics)
		pmu_pebs_put_counters(pmu, to, &shown);
}

static void put_adaptive(const struct pmu *pmu, struct pebs_words *to, const struct pebs_data *data,
			 const struct pmu_cpu *cpu)
{
	put_basic(pmu, to, data, cpu);
	if (data->groups & PEBS_GROUP_MEMORY) {
		pmu_pebs_put(to, data->addr);
		pmu_pebs_put(to, data->source);
		pmu_pebs_put(to, pmu_pebs_latencies(pmu, data));
		pmu_pebs_put(to, 0);
	}
	if (data->groups & PEBS_GROUP_GPR)
		pmu_pebs_put_gprs(to, cpu);
	if (data->groups & PEBS_GROUP_XMM)
		pmu_pebs_put_vectors(to, cpu->xmm);
	if (data->groups & PEBS_GROUP_LBR)
		pmu_pebs_put_branches(pmu, to, PEBS_LBR_ENTRIES(data->groups));
	put_shown(pmu, to, data->groups);
	to->word[0] |= (uint64_t)to->nr * sizeof(to->word[0]) << SIZE_SHIFT;
}

void pmu_pebs_build(const struct pmu *pmu, const struct pebs_data *data,
		    const struct pmu_cpu *cpu, struct pebs_words *to)
{
	to->nr = 0;
	if (format(pmu) < ADAPTIVE_FORMAT)
		put_old(pmu, to, data, cpu);
	else
		put_adaptive(pmu, to, data, cpu);
}
