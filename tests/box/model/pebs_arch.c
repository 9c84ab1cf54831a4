// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectural PEBS: a buffer by its physical address, an index in a register, and records whose
 * groups each counter chooses for itself.
 */
#include "pebs.h"

/* The first word of a fragment; its groups have the bits that they have in CFG_C. */
#define FORMAT_64BIT BIT(30)
#define FORMAT_CONTINUES BIT(31)
#define FORMAT_BASIC BIT(63)
#define COUNTER_GROUPS (CFG_C_GP | CFG_C_FIXED | CFG_C_METRICS)
#define VECTOR_GROUPS (CFG_C_XMM | CFG_C_YMMH)

/* What XSAVE calls the components. */
#define XSTATE_SSE BIT(1)
#define XSTATE_AVX BIT(2)

#define RETIRE_LATENCY_VALID BIT(16)

/* A record that is being put together, of one fragment or of several. */
struct arch_record {
	struct pmu *pmu;
	const struct pmu_cpu *cpu;
	struct pebs_words words;
	unsigned int begun;		/* the word that the fragment begins with */
	uint64_t format;		/* groups that are in it */
};

static void put(struct arch_record *r, uint64_t word)
{
	pmu_pebs_put(&r->words, word);
}

static void put_zeros(struct arch_record *r, unsigned int n)
{
	while (n--)
		put(r, 0);
}

static uint64_t bytes(unsigned int words)
{
	return words * sizeof(uint64_t);
}

static void begin_fragment(struct arch_record *r)
{
	r->begun = r->words.nr;
	r->format = 0;
	put_zeros(r, 2);
}

/* Sizes are in steps of two words, as the index is. */
static void end_fragment(struct arch_record *r, bool continues)
{
	put_zeros(r, r->words.nr & 1);
	r->words.word[r->begun] = bytes(r->words.nr - r->begun) | r->format |
				  (r->cpu->wide ? FORMAT_64BIT : 0) |
				  (continues ? FORMAT_CONTINUES : 0);
}

/* A header that names no group: something follows. */
static void put_null(struct arch_record *r)
{
	put(r, bytes(2));
	put(r, 0);
}

/* Whether the group that comes next is in a fragment of its own, behind a null one perhaps. */
static bool splits(const struct arch_record *r)
{
	const struct silicon *silicon = &r->pmu->silicon;

	return silicon_is(silicon, SILICON_FRAGMENTS) ||
	       (silicon_is(silicon, SILICON_NULL_FRAGMENTS) && r->format == FORMAT_BASIC);
}

static void begin_group(struct arch_record *r, uint64_t bits)
{
	if (r->format && splits(r)) {
		end_fragment(r, true);
		if (silicon_is(&r->pmu->silicon, SILICON_NULL_FRAGMENTS))
			put_null(r);
		begin_fragment(r);
	}
	r->format |= bits;
}

static void put_basic(struct arch_record *r, uint64_t counters)
{
	uint64_t latency;
	bool valid = pmu_pebs_retire_latency(r->pmu, counters, &latency);

	begin_group(r, FORMAT_BASIC);
	put(r, r->cpu->eventing_ip);
	put(r, counters);
	put(r, r->cpu->tsc);
	put(r, latency | (valid ? RETIRE_LATENCY_VALID : 0));
	put_zeros(r, 2);
}

/* The last word would tell of transactions. */
static void put_aux(struct arch_record *r, const struct pebs_data *data)
{
	begin_group(r, CFG_C_AUX);
	put(r, data->addr);
	put_zeros(r, 4);
	put(r, data->source);
	put(r, pmu_pebs_latencies(r->pmu, data));
	put(r, 0);
}

/* There is no shadow stack, whose pointer comes behind the others. */
static void put_gprs(struct arch_record *r)
{
	begin_group(r, CFG_C_GPR);
	pmu_pebs_put_gprs(&r->words, r->cpu);
	put_zeros(r, 2);
}

static void put_vectors(struct arch_record *r, uint64_t groups)
{
	begin_group(r, groups & VECTOR_GROUPS);
	put(r, (groups & CFG_C_XMM ? XSTATE_SSE : 0) | (groups & CFG_C_YMMH ? XSTATE_AVX : 0));
	put(r, 0);
	if (groups & CFG_C_XMM)
		pmu_pebs_put_vectors(&r->words, r->cpu->xmm);
	if (groups & CFG_C_YMMH)
		pmu_pebs_put_vectors(&r->words, r->cpu->ymmh);
}

/* Nothing keeps the branch before an exception (LER). */
static void put_branches(struct arch_record *r, uint64_t groups)
{
	const struct lbr *lbr = &r->pmu->lbr;
	uint64_t how = groups & CFG_C_LBR;
	unsigned int nr = how == CFG_C_LBR_8 ? 8 : how == CFG_C_LBR_16 ? 16 : lbr->depth;

	begin_group(r, how);
	put(r, 0);
	put(r, lbr->ctl);
	put(r, lbr->depth);
	put_zeros(r, 3);
	pmu_pebs_put_branches(r->pmu, &r->words, nr);
}

/* Of all counters those that let themselves be recorded. */
static void put_counters(struct arch_record *r, uint64_t groups)
{
	struct pebs_shown shown = { .metrics = groups & CFG_C_METRICS };

	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++) {
		if (!(r->pmu->cfg_c[i] & CFG_C_ALLOW))
			continue;
		if (i < PMU_MAX_GP)
			shown.gp |= groups & CFG_C_GP ? BIT(i) : 0;
		else
			shown.fixed |= groups & CFG_C_FIXED ? BIT(i - PMU_MAX_GP) : 0;
	}
	begin_group(r, groups & COUNTER_GROUPS);
	pmu_pebs_put_counters(r->pmu, &r->words, &shown);
}

/* What any of these counters asks for. */
static uint64_t groups_of(const struct pmu *pmu, uint64_t counters)
{
	uint64_t groups = 0;

	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++)
		if (counters & pmu->counter[i].status)
			groups |= pmu->cfg_c[i];
	return groups & ~(uint64_t)(CFG_C_RELOAD | CFG_C_ALLOW | CFG_C_PEBS);
}

static void build(struct arch_record *r, const struct pebs_data *data)
{
	begin_fragment(r);
	put_basic(r, data->counters);
	if (data->groups & CFG_C_AUX)
		put_aux(r, data);
	if (data->groups & CFG_C_GPR)
		put_gprs(r);
	if (data->groups & VECTOR_GROUPS)
		put_vectors(r, data->groups);
	if (data->groups & CFG_C_LBR)
		put_branches(r, data->groups);
	if (data->groups & COUNTER_GROUPS)
		put_counters(r, data->groups);
	end_fragment(r, false);
}

/* --- the buffer --- */

/* No more than the index can name. */
static uint64_t buffer_size(const struct pmu *pmu)
{
	uint64_t size = PEBS_BASE_PAGE << (pmu->pebs_base & PEBS_BASE_SIZE);

	return size < INDEX_WR ? size : INDEX_WR;
}

static void is_full(struct pmu *pmu)
{
	pmu->pebs_index |= INDEX_FULL;
	if (silicon_is(&pmu->silicon, SILICON_FULL_STOPS)) {
		pmu->pebs_index &= ~INDEX_EN;
		pmu_configure(pmu);
	}
	if (silicon_is(&pmu->silicon, SILICON_FULL_INTERRUPTS))
		pmu_pebs_threshold(pmu, STATUS_ARCH_PEBS);
}

/* All of a record or, where it has no room or no memory, nothing. */
static bool store(struct pmu *pmu, const struct pebs_words *words,
		  const struct pmu_memory *memory)
{
	uint64_t at = pmu->pebs_index & INDEX_WR, size = bytes(words->nr), max = buffer_size(pmu);
	uint64_t to = (pmu->pebs_base & ~(PEBS_BASE_PAGE - 1)) + at;

	if ((pmu->pebs_index & (INDEX_EN | INDEX_FULL)) != INDEX_EN)
		return false;
	if (at > max || max - at < size) {
		is_full(pmu);
		return false;
	}
	if (!memory->physical_writable(memory->data, to, (unsigned int)size))
		return false;
	for (unsigned int i = 0; i < words->nr; i++)
		memory->physical_write(memory->data, to + bytes(i), words->word[i]);
	pmu->pebs_index += size;
	return true;
}

static bool record(struct pmu *pmu, uint64_t counters, const struct pmu_cpu *cpu,
		   const struct pmu_memory *memory, struct pmu_written *result)
{
	struct pebs_data data = { .counters = counters, .groups = groups_of(pmu, counters) };
	struct arch_record r = { .pmu = pmu, .cpu = cpu };

	pmu_pebs_fill(pmu, counters, &data, result);
	build(&r, &data);
	if (!store(pmu, &r.words, memory))
		return false;
	if (data.groups & CFG_C_METRICS)
		pmu_metrics_were_read(pmu);
	return true;
}

/* Counters that overflowed at one instruction have one record, or by another reading one each. */
static bool record_all(struct pmu *pmu, const struct pmu_cpu *cpu,
		       const struct pmu_memory *memory, struct pmu_written *result)
{
	bool written = true;

	if (!silicon_is(&pmu->silicon, SILICON_RECORD_EACH))
		return record(pmu, pmu->record, cpu, memory, result);
	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++)
		if (pmu->record & pmu->counter[i].status)
			written &= record(pmu, pmu->counter[i].status, cpu, memory, result);
	return written;
}

/* 32 bits of a value that has more, and is meant to be negative. */
static uint64_t reload_value(const struct pmu *pmu, unsigned int i)
{
	uint64_t value = pmu->cfg_c[i] & CFG_C_RELOAD;

	if (value && silicon_is(&pmu->silicon, SILICON_RELOAD_ONES))
		return value | ~(uint64_t)CFG_C_RELOAD;
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value;
}

static void reload(struct pmu *pmu)
{
	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++)
		if (pmu->record & pmu->counter[i].status)
			pmu_pebs_reload(pmu, &pmu->counter[i], reload_value(pmu, i));
}

static bool past_threshold(const struct pmu *pmu)
{
	return (pmu->pebs_index & INDEX_WR) >= INDEX_THRESH_BYTES(pmu->pebs_index);
}

struct pmu_written pmu_pebs_arch_record(struct pmu *pmu, const struct pmu_cpu *cpu,
					const struct pmu_memory *memory)
{
	struct pmu_written result = { .counters = pmu->record };

	result.written = record_all(pmu, cpu, memory, &result);
	reload(pmu);
	pmu_pebs_recorded(pmu);
	if (result.written && past_threshold(pmu))
		pmu_pebs_threshold(pmu, STATUS_ARCH_PEBS);
	pmu_grant(pmu);
	return result;
}
