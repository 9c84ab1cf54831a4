/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host whose memory has a DS area and a buffer for PEBS records; a program each
 * includes it.
 */
#ifndef MODEL_PEBS_HOST_H
#define MODEL_PEBS_HOST_H

#include "tests/unit/model/host.h"

#define DS UINT64_C(0xfffffe0000010000)
#define BUFFER (DS + 0x1000)
#define MEMORY_SIZE 0x3000
#define MSR_DATA_CFG 0x3f2
#define MSR_LATENCY 0x3f6
#define STATUS_DS (UINT64_C(1) << 62)
#define ADAPTIVE (UINT64_C(1) << 34)
#define FIRST_IP UINT64_C(0x400000)

#include "tests/unit/kmod/ds_host.h"

static unsigned int written;
static struct pmu_written last;

static inline uint64_t *word_at(uint64_t addr)
{
	assert_in_range(addr, DS, DS + MEMORY_SIZE - 8);
	return (uint64_t *)(memory + (addr - DS));
}

static inline uint64_t ip_of(uint64_t instruction)
{
	return FIRST_IP + 4 * instruction;
}

/* Registers that tell themselves by their values. */
static inline void record(struct host *h)
{
	struct pmu_cpu cpu = {
		.ip = ip_of(h->retired), .eventing_ip = ip_of(h->step),
		.flags = 0x246, .tsc = 0x75c,
	};

	for (unsigned int i = 0; i < 16; i++) {
		cpu.gpr[i] = 0x100 + i;
		cpu.xmm[i][0] = 0x200 + 2 * i;
		cpu.xmm[i][1] = 0x201 + 2 * i;
	}
	last = pmu_record(h->pmu, &cpu, &memory_ops);
	written += last.written;
}

static inline void set_ds(uint64_t max, uint64_t threshold, uint64_t reset)
{
	memset(memory, 0, sizeof(memory));
	*word_at(DS + 0x20) = BUFFER;
	*word_at(DS + 0x28) = BUFFER;
	*word_at(DS + 0x30) = BUFFER + max;
	*word_at(DS + 0x38) = BUFFER + threshold;
	for (unsigned int i = 0; i < 12; i++)
		*word_at(DS + 0x40 + 8 * i) = reset;
}

/* In user mode, with a buffer that takes all there will be, and a period. */
static inline void pebs_host(struct host *h, const char *profile, uint64_t period)
{
	hole = 0;
	written = 0;
	last = (struct pmu_written) { 0 };
	host_new(h, profile, 0);
	h->record = record;
	set_ds(0x2000, 0x2000, -(period - 1));
	host_wrmsr(h, MSR_DS_AREA, DS);
	host_ring(h, PMU_USER);
}

/* From -(period - 1), as the reset value says. */
static inline void start(struct host *h, unsigned int i, uint64_t sel, uint64_t enable,
			 uint64_t period)
{
	host_wrmsr(h, MSR_EVTSEL0 + i, 0);
	host_wrmsr(h, MSR_PMC0 + i, (uint32_t)-(period - 1));
	host_wrmsr(h, MSR_PEBS_ENABLE, enable);
	host_ring(h, PMU_KERNEL);
	host_wrmsr(h, MSR_EVTSEL0 + i, sel);
	host_ring(h, PMU_USER);
}

static inline uint64_t field(unsigned int index, unsigned int size, unsigned int offset)
{
	return *word_at(BUFFER + (uint64_t)index * size + offset);
}

/* Lines that have nothing to do with each other. */
#define FAR(n) (UINT64_C(0x10000000) + UINT64_C(0x100000) * (n))

#endif
