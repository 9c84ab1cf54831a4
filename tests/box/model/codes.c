// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that only event codes ask for, and that follow from others when these are
 * accounted.
 */
#include "events.h"

static void derive_rings(struct pmu *pmu, uint64_t *n)
{
	bool kernel = pmu->hot->cls == PMU_KERNEL;

	n[EV_RING0] = kernel ? n[EV_CYCLES] : 0;
	n[EV_RING123] = kernel ? 0 : n[EV_CYCLES];
	n[EV_RING0_ENTRIES] = kernel ? n[EV_ENTRIES] : 0;
}

/* Allocation waits for one thing at a time, so that "any of these" is a sum. */
static void derive_sums(uint64_t *n)
{
	n[EV_FETCH_STALLS] = n[SIG(ICACHE_STALL_CYCLES)] + n[SIG(ITLB_STALL_CYCLES)];
	n[EV_STALLS_LB_SB] = n[SIG(STALLS_LB)] + n[SIG(STALLS_SB)];
	n[EV_STALLS_MEM_RS] = n[EV_STALLS_LB_SB] + n[SIG(STALLS_RS)];
	n[EV_PORTS_2_3] = n[SIG(PORTS_2)] + n[SIG(PORTS_3)];
	/* By the model's numbers: Intel calls its 10 and 11 the other way round here. */
	n[EV_LOAD_PORTS] = n[SIG(PORT_2)] + n[SIG(PORT_3)] + n[SIG(PORT_11)];
	n[EV_DATA_PORTS] = n[SIG(PORT_4)] + n[SIG(PORT_9)];
	n[EV_ADDRESS_PORTS] = n[SIG(PORT_7)] + n[SIG(PORT_8)];
	n[EV_PORTS_5_10] = n[SIG(PORT_5)] + n[SIG(PORT_10)];
}

enum event pmu_parts_event(struct pmu *pmu, unsigned int i, const struct event_code *code)
{
	unsigned int mask = (unsigned int)(pmu->evtsel[i] >> 8) & 0xff;
	const struct event_parts *parts;

	pmu->parts[i] = NULL;
	parts = code ? pmu_event_parts(pmu_events_of(pmu), code) : NULL;
	if (!code)
		return EV_NONE;
	if (!parts || !mask)
		return code->event;
	if (!(mask & (mask - 1)))
		return parts->part[__builtin_ctz(mask)];
	pmu->parts[i] = parts;
	return EV_PARTS + (enum event)i;
}

enum event pmu_parts_all(const struct pmu *pmu, unsigned int i)
{
	return pmu->parts[i]->all.event;
}

static void derive_parts(struct pmu *pmu)
{
	uint64_t *n = pmu->pending;

	for (unsigned int i = 0; i < pmu->gp; i++) {
		unsigned int mask = (unsigned int)(pmu->evtsel[i] >> 8) & 0xff;

		n[EV_PARTS + i] = 0;
		for (; pmu->parts[i] && mask; mask &= mask - 1) {
			enum event part = pmu->parts[i]->part[__builtin_ctz(mask)];

			n[EV_PARTS + i] += part == EV_NONE ? 0 : n[part];
		}
	}
}

void pmu_codes_derive(struct pmu *pmu)
{
	uint64_t *n = pmu->pending;

	derive_rings(pmu, n);
	n[EV_DISTRIBUTED] = n[EV_CYCLES];
	n[EV_BUS_ALONE] = n[EV_BUS_CYCLES];
	if (!pmu->pipe)
		return;
	derive_sums(n);
	derive_parts(pmu);
}
