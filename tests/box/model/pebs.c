// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS: a counter that overflows is armed, and its next event leaves a record in
 * the buffer that the DS area describes; then it starts anew from its reset value.
 */
#include <stddef.h>

#include "p4.h"
#include "pebs.h"

/* The DS area of 64-bit mode. */
#define DS_INDEX 0x28
#define DS_MAX 0x30
#define DS_THRESHOLD 0x38
#define DS_RESET 0x40
#define DS_RESET_FIXED 0x80		/* format 4 */
#define DS_RESET_FIXED_5 0x140		/* format 5 on */

struct ds_area {
	uint64_t at, index, max, threshold;
};

static uint64_t plain(const struct pmu *pmu, uint32_t msr)
{
	const uint64_t *value = pmu_plain((struct pmu *)pmu, msr);

	return value ? *value : 0;
}

static bool is_fixed(unsigned int i)
{
	return i >= PMU_MAX_GP;
}

bool pmu_pebs_is_architectural(const struct pmu *pmu)
{
	return pmu->profile->arch_pebs;
}

static bool adaptive(const struct pmu *pmu, unsigned int i)
{
	if (is_fixed(i))
		return pmu->fixed_ctrl & FIXED_ADAPTIVE_OF(i - PMU_MAX_GP);
	return pmu->evtsel[i] & SEL_ADAPTIVE;
}

/* Before version 5 load latency and precise stores have bits of their own. */
static bool facility_on(const struct pmu *pmu, unsigned int i, enum pebs_kind kind)
{
	uint64_t enable = plain(pmu, MSR_PEBS_ENABLE);

	if (kind == PEBS_LATENCY && pmu->profile->version < 5)
		return enable & PEBS_LATENCY_OF(i);
	return kind != PEBS_PRECISE_STORE || (enable & PEBS_STORES);
}

/* Somebody wants records of it; the buffer may be off all the same. */
static bool asked_for(const struct pmu *pmu, unsigned int i)
{
	if (!pmu_pebs_is_architectural(pmu))
		return plain(pmu, MSR_PEBS_ENABLE) & pmu->counter[i].status;
	if (silicon_is(&pmu->silicon, SILICON_OFF_OVERFLOWS) && !(pmu->pebs_index & INDEX_EN))
		return false;
	return pmu->cfg_c[i] & CFG_C_PEBS;
}

static void setup_gp(struct pmu *pmu, unsigned int i)
{
	struct counter *c = &pmu->counter[i];
	enum pebs_kind kind = pmu_pebs_kind(pmu->profile, pmu->evtsel[i] & SEL_CODE);

	if (silicon_is(&pmu->silicon, SILICON_C0_COUNTS_ONLY) &&
	    (pmu->evtsel[i] & SEL_CODE) == 0x00c0)
		kind = PEBS_NOT;
	if (!facility_on(pmu, i, kind))
		c->event = EV_NONE;
	if (c->event == EV_SLOW_LOADS) {
		pmu->compared |= WATCH_LATENCY;
		pmu->wants_loads = true;
	}
	if (!c->any && asked_for(pmu, i))
		c->pebs = kind;
}

/*
 * After the event of counter i is known.  Before fixed counters could be recorded
 * their bits were those of load latency.
 */
void pmu_pebs_setup(struct pmu *pmu, unsigned int i)
{
	struct counter *c = &pmu->counter[i];
	bool baseline = pmu->profile->capabilities & CAP_PEBS_BASELINE;

	c->pebs = PEBS_NOT;
	c->adaptive = adaptive(pmu, i);
	if (!is_fixed(i))
		setup_gp(pmu, i);
	else if (baseline && asked_for(pmu, i))
		c->pebs = PEBS_PLAIN;
	/* Where no write of the counter does it. */
	if (!c->pebs && silicon_is(&pmu->silicon, SILICON_STAYS_READY))
		c->armed = false;
}

/* A counter with PEBS moved by n.  An overflow sets no bit of GLOBAL_STATUS. */
void pmu_pebs_event(struct pmu *pmu, struct counter *c, uint64_t n)
{
	if (c->armed) {
		if (n && !pmu->in_write) {
			pmu_ideal_interrupts(pmu, c->event);
			pmu->record |= c->status;
		}
		return;
	}
	if (c->value <= c->mask)
		return;
	c->value &= c->mask;
	c->armed = true;
	/* Cycles come one by one: where an instruction has more of them the next is its own. */
	if (c->event == EV_CYCLES && c->value && pmu->stepping && !pmu->in_write) {
		pmu_ideal_interrupts(pmu, c->event);
		pmu->record |= c->status;
	}
}

bool pmu_record_due(const struct pmu *pmu)
{
	return pmu->record != 0;
}

bool pmu_stepping(const struct pmu *pmu)
{
	return pmu->stepping;
}

static bool read_ds(const struct pmu *pmu, const struct pmu_memory *memory, struct ds_area *ds)
{
	ds->at = plain(pmu, MSR_DS_AREA);
	return memory->read(memory->data, ds->at + DS_INDEX, &ds->index) &&
	       memory->read(memory->data, ds->at + DS_MAX, &ds->max) &&
	       memory->read(memory->data, ds->at + DS_THRESHOLD, &ds->threshold) &&
	       memory->writable(memory->data, ds->at + DS_INDEX, sizeof(ds->index));
}

static uint64_t reset_at(const struct pmu *pmu, unsigned int i)
{
	bool wide = CAP_PEBS_FORMAT_OF(pmu->profile->capabilities) >= 5;

	if (!is_fixed(i))
		return DS_RESET + 8 * i;
	return (wide ? DS_RESET_FIXED_5 : DS_RESET_FIXED) + 8 * (i - PMU_MAX_GP);
}

/*
 * The event recorded is not counted on top of the reset value; what the overflow
 * and the record left behind (an instruction may have several events) is.
 */
void pmu_pebs_reload(struct pmu *pmu, struct counter *c, uint64_t reset)
{
	reset &= c->mask;
	c->value += reset - !silicon_is(&pmu->silicon, SILICON_COUNTS_RECORDED);
	c->armed = c->value > c->mask;
	c->value &= c->mask;
	pmu_errata_set(pmu, c, reset);
}

static void reload(struct pmu *pmu, const struct ds_area *ds, const struct pmu_memory *memory)
{
	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];
		uint64_t reset;

		if (!(pmu->record & c->status))
			continue;
		c->armed = false;
		if (ds && memory->read(memory->data, ds->at + reset_at(pmu, i), &reset))
			pmu_pebs_reload(pmu, c, reset);
	}
}

/* Of several counters the one that shows most. */
static enum pebs_kind kind_of(const struct pmu *pmu, uint64_t counters)
{
	enum pebs_kind kind = PEBS_NOT;

	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++) {
		const struct counter *c = &pmu->counter[i];

		if (counters & c->status)
			kind = c->pebs > kind ? c->pebs : kind;
	}
	return kind;
}

/* One of the counters that are recorded now wants all that PEBS_DATA_CFG says. */
static bool all_groups(const struct pmu *pmu)
{
	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++)
		if ((pmu->record & pmu->counter[i].status) && pmu->counter[i].adaptive)
			return true;
	return false;
}

/* Bits 3 to 0 of the data source. */
enum { SOURCE_L1 = 1, SOURCE_UNDER_WAY, SOURCE_L2, SOURCE_L3 };

static uint64_t source_of(const struct pmu_profile *p, enum load_origin origin)
{
	static const uint8_t sources[LOAD_ORIGIN_COUNT] = {
		[LOAD_L1] = SOURCE_L1, [LOAD_L2] = SOURCE_L2, [LOAD_L3] = SOURCE_L3,
		[LOAD_UNDER_WAY] = SOURCE_UNDER_WAY, [LOAD_STORE] = SOURCE_L1,
	};

	if (p->pebs_sources)
		return p->pebs_sources[origin];
	return origin == LOAD_MEMORY ? p->pebs_memory_source : sources[origin];
}

/* Load latency: of several loads the slowest, which need not be from the farthest level. */
static void fill_load(const struct pmu *pmu, struct pebs_data *data, struct pmu_written *result)
{
	const struct load_time *t = pmu_load_seen(pmu);

	if (!t)
		return;
	data->addr = t->addr;
	if (pmu_errata_shows_load(pmu)) {
		data->source = source_of(pmu->profile, t->origin);
		data->latency = pmu_load_latency(pmu, t);
		data->cache_latency = t->cache;
	}
	result->address = data->addr;
	result->has_address = true;
}

/* Of a store the first bit says whether it hit the first level. */
void pmu_pebs_fill(const struct pmu *pmu, uint64_t counters, struct pebs_data *data,
		   struct pmu_written *result)
{
	enum pebs_kind kind = kind_of(pmu, counters);
	bool store = kind == PEBS_STORE || kind == PEBS_PRECISE_STORE;
	const struct seen_access *seen = pmu_access_seen(pmu, store);

	if (kind == PEBS_LATENCY)
		fill_load(pmu, data, result);
	if (kind <= PEBS_PLAIN || kind == PEBS_LATENCY || !seen)
		return;
	data->addr = seen->addr;
	if (store)
		data->source = !seen->level;
	result->address = data->addr;
	result->has_address = true;
}

static bool store_record(struct pmu *pmu, struct ds_area *ds, const struct pebs_data *data,
			 const struct pmu_cpu *cpu, const struct pmu_memory *memory)
{
	struct pebs_words words;
	uint64_t size;

	pmu_pebs_build(pmu, data, cpu, &words);
	size = words.nr * sizeof(words.word[0]);
	if (ds->index > ds->max || ds->max - ds->index < size ||
	    !memory->writable(memory->data, ds->index, (unsigned int)size))
		return false;
	for (unsigned int i = 0; i < words.nr; i++, ds->index += sizeof(words.word[0]))
		memory->write(memory->data, ds->index, words.word[i]);
	memory->write(memory->data, ds->at + DS_INDEX, ds->index);
	if (data->groups & PEBS_GROUP_METRICS)
		pmu_metrics_were_read(pmu);
	return true;
}

void pmu_pebs_threshold(struct pmu *pmu, uint64_t status)
{
	if (status != STATUS_DS || !silicon_is(&pmu->silicon, SILICON_NO_BUFFER_BIT) ||
	    (plain(pmu, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_PERFMON))
		pmu->global_status |= status;
	pmu->overflowed |= status;
	pmu->pmi = true;
	pmu->pmi_cycles = 0;
	pmu_needs_update(pmu);
}

void pmu_pebs_recorded(struct pmu *pmu)
{
	/* Where a record shows GLOBAL_STATUS it would name all of the past. */
	if (silicon_is(&pmu->silicon, SILICON_OWN_BITS) &&
	    CAP_PEBS_FORMAT_OF(pmu->profile->capabilities) >= 3)
		pmu->global_status |= pmu->record;
	pmu->record = 0;
}

struct pmu_written pmu_record(struct pmu *pmu, const struct pmu_cpu *cpu,
			      const struct pmu_memory *memory)
{
	struct pmu_written result = { .counters = pmu->record };
	struct pebs_data data = { 0 };
	struct ds_area ds;
	bool found;

	if (p4_of(pmu))
		return p4_record(pmu, cpu, memory);
	if (pmu_pebs_is_architectural(pmu))
		return pmu_pebs_arch_record(pmu, cpu, memory);
	data.counters = pmu_pebs_named(pmu);
	found = read_ds(pmu, memory, &ds);
	pmu_pebs_fill(pmu, pmu->record, &data, &result);
	data.groups = all_groups(pmu) ? plain(pmu, MSR_PEBS_DATA_CFG) : 0;
	/* What it shows of counters is from before they are set back. */
	result.written = found && store_record(pmu, &ds, &data, cpu, memory);
	reload(pmu, found ? &ds : NULL, memory);
	pmu_pebs_recorded(pmu);
	if (result.written && ds.index >= ds.threshold)
		pmu_pebs_threshold(pmu, STATUS_DS);
	pmu_grant(pmu);
	return result;
}
