// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS of the Pentium 4: counters 16 (of thread 0) and 17 (of thread 1) leave records
 * of tagged uops, which show the CPU in front of the instruction that has them.
 */
#include <stddef.h>

#include "p4.h"

#define PEBS_COUNTER 16			/* of thread 0; the next is thread 1's */
#define PEBS_GPRS 16
#define PEBS_GPRS_32 8

/* The DS area, with fields of eight bytes, or of four. */
static const struct ds_layout {
	unsigned int index, max, threshold, reset, record;
} ds_64 = { 0x28, 0x30, 0x38, 0x40, 0x90 }, ds_32 = { 0x14, 0x18, 0x1c, 0x20, 0x28 };

struct ds {
	const struct ds_layout *layout;
	const struct pmu_memory *memory;
	uint64_t at, index, max, threshold;
};

/* After the event of counter i is known. */
void p4_pebs_setup(struct pmu *pmu, unsigned int i)
{
	struct p4 *p4 = p4_of(pmu);
	const struct p4_event *event = p4->counter[i].event[p4_counter_facts(i)->half];
	bool tagged = event && (event->kind == P4_FRONT_END || event->kind == P4_EXECUTION ||
				event->kind == P4_REPLAY);

	p4->counter[i].pebs = tagged && i >= PEBS_COUNTER &&
			      (p4->pebs_enable & PEBS_THREAD(i - PEBS_COUNTER));
}

/* A counter with PEBS has moved.  Its overflow shows nowhere; the next event is recorded. */
void p4_pebs_event(struct pmu *pmu, unsigned int i, uint64_t n)
{
	struct p4_counter *c = &p4_of(pmu)->counter[i];

	c->value += n;
	if (c->armed) {
		if (pmu->thread == i - PEBS_COUNTER && !pmu->in_write)
			pmu->record |= BIT(i);
		return;
	}
	c->armed = c->value >= BIT(P4_COUNTER_WIDTH);
	c->value &= BIT(P4_COUNTER_WIDTH) - 1;
}

/* --- the DS area --- */

static bool read_field(const struct ds *ds, unsigned int offset, uint64_t *value)
{
	if (!ds->memory->read(ds->memory->data, ds->at + offset, value))
		return false;
	if (ds->layout == &ds_32)
		*value = (uint32_t)*value;
	return true;
}

static bool read_ds(const struct pmu *pmu, const struct pmu_memory *memory, bool wide,
		    struct ds *ds)
{
	const uint64_t *area = pmu_plain((struct pmu *)pmu, MSR_DS_AREA);

	*ds = (struct ds) {
		.layout = wide ? &ds_64 : &ds_32, .memory = memory, .at = area ? *area : 0,
	};
	return read_field(ds, ds->layout->index, &ds->index) &&
	       read_field(ds, ds->layout->max, &ds->max) &&
	       read_field(ds, ds->layout->threshold, &ds->threshold) &&
	       memory->writable(memory->data, ds->at + ds->layout->index, 8);
}

/* Two fields of four bytes are a word of the host's; this is the upper one. */
static void write_index(const struct ds *ds)
{
	uint64_t at = ds->at + ds->layout->index, word = ds->index;

	if (ds->layout == &ds_32) {
		at -= 4;
		ds->memory->read(ds->memory->data, at, &word);
		word = (uint32_t)word | ds->index << 32;
	}
	ds->memory->write(ds->memory->data, at, word);
}

/* --- the record --- */

/* AX, BX, CX, DX, SI, DI, BP, SP, R8 ... by the numbers of their encoding. */
static const uint8_t order[PEBS_GPRS] = { 0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15 };

static void write_64(const struct ds *ds, const struct pmu_cpu *cpu)
{
	const struct pmu_memory *m = ds->memory;

	m->write(m->data, ds->index, cpu->flags);
	m->write(m->data, ds->index + 8, cpu->ip);
	for (unsigned int i = 0; i < PEBS_GPRS; i++)
		m->write(m->data, ds->index + 16 + 8 * i, cpu->gpr[order[i]]);
}

static uint64_t pair(uint64_t low, uint64_t high)
{
	return (uint32_t)low | high << 32;
}

static void write_32(const struct ds *ds, const struct pmu_cpu *cpu)
{
	const struct pmu_memory *m = ds->memory;

	m->write(m->data, ds->index, pair(cpu->flags, cpu->ip));
	for (unsigned int i = 0; i < PEBS_GPRS_32; i += 2)
		m->write(m->data, ds->index + 8 + 4 * i,
			 pair(cpu->gpr[order[i]], cpu->gpr[order[i + 1]]));
}

static bool store_record(struct ds *ds, const struct pmu_cpu *cpu)
{
	const struct pmu_memory *m = ds->memory;
	unsigned int size = ds->layout->record;

	if (ds->index > ds->max || ds->max - ds->index < size ||
	    !m->writable(m->data, ds->index, size))
		return false;
	if (ds->layout == &ds_64)
		write_64(ds, cpu);
	else
		write_32(ds, cpu);
	ds->index += size;
	write_index(ds);
	return true;
}

/*
 * The event recorded is not counted on top of the reset value; what the overflow and
 * the record left behind is.
 */
static void reload(struct pmu *pmu, const struct ds *ds)
{
	struct p4_counter *c = &p4_of(pmu)->counter[PEBS_COUNTER + pmu->thread];
	uint64_t reset, mask = BIT(P4_COUNTER_WIDTH) - 1;

	c->armed = false;
	if (!ds || !ds->memory->read(ds->memory->data, ds->at + ds->layout->reset, &reset))
		return;
	c->value += (reset & mask) - 1;
	c->armed = c->value > mask;
	c->value &= mask;
}

static void note_address(const struct pmu *pmu, struct pmu_written *result)
{
	const struct seen_access *seen = pmu_access_seen(pmu, false);

	if (!seen)
		seen = pmu_access_seen(pmu, true);
	if (!seen)
		return;
	result->address = seen->addr;
	result->has_address = true;
}

struct pmu_written p4_record(struct pmu *pmu, const struct pmu_cpu *cpu,
			     const struct pmu_memory *memory)
{
	struct pmu_written result = { .counters = pmu->record };
	struct ds ds;
	bool found = read_ds(pmu, memory, p4_of(pmu)->model->dtes64 || cpu->long_mode, &ds);

	note_address(pmu, &result);
	reload(pmu, found ? &ds : NULL);
	pmu->record = 0;
	result.written = found && store_record(&ds, cpu);
	if (result.written && ds.index >= ds.threshold)
		pmu_pebs_threshold(pmu, STATUS_DS);
	pmu_grant(pmu);
	return result;
}
