// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4's registers, as the manual's tables of them have it: counters, the
 * ESCRs that each reaches, cascades, and what a model lacks.
 */
#include <stddef.h>

#include "p4.h"

const struct p4_model p4_northwood = {
	.model = 2, .iq_escrs = true, .cascade_silent = true, .dtes64 = false,
};

/* The manual knows the erratum of cascades from models 0 to 2 only. */
const struct p4_model p4_prescott = {
	.model = 4, .iq_escrs = false, .cascade_silent = false, .dtes64 = true,
};

static const struct p4_counter_facts counters[P4_COUNTERS] = {
	[0] = { P4_BPU, 0, 2, P4_NOBODY },
	[1] = { P4_BPU, 0, 3, P4_NOBODY },
	[2] = { P4_BPU, 1, 0, P4_NOBODY },
	[3] = { P4_BPU, 1, 1, P4_NOBODY },
	[4] = { P4_MS, 0, 6, P4_NOBODY },
	[5] = { P4_MS, 0, 7, P4_NOBODY },
	[6] = { P4_MS, 1, 4, P4_NOBODY },
	[7] = { P4_MS, 1, 5, P4_NOBODY },
	[8] = { P4_FLAME, 0, 10, P4_NOBODY },
	[9] = { P4_FLAME, 0, 11, P4_NOBODY },
	[10] = { P4_FLAME, 1, 8, P4_NOBODY },
	[11] = { P4_FLAME, 1, 9, P4_NOBODY },
	[12] = { P4_IQ, 0, 14, 16 },
	[13] = { P4_IQ, 0, 15, P4_NOBODY },
	[14] = { P4_IQ, 1, 12, P4_NOBODY },
	[15] = { P4_IQ, 1, 13, 17 },
	[16] = { P4_IQ, 0, 14, 17 },
	[17] = { P4_IQ, 1, 15, 16 },
};

static const struct p4_route routes[] = {
	{ P4_BPU, 0, { 0x12, 0x13 } },			/* BPU */
	{ P4_BPU, 1, { 0x14, 0x15 } },			/* IS */
	{ P4_BPU, 2, { 0x0a, 0x0b } },			/* MOB */
	{ P4_BPU, 3, { 0x16, 0x17 } },			/* ITLB */
	{ P4_BPU, 4, { 0x0c, 0x0d } },			/* PMH */
	{ P4_BPU, 5, { 0x28, 0x29 } },			/* IX */
	{ P4_BPU, 6, { 0x02, 0x03 } },			/* FSB */
	{ P4_BPU, 7, { 0x00, 0x01 } },			/* BSU */
	{ P4_MS, 0, { 0x20, 0x21 } },			/* MS */
	{ P4_MS, 1, { 0x24, 0x25 } },			/* TC */
	{ P4_MS, 2, { 0x22, 0x23 } },			/* TBPU */
	{ P4_FLAME, 0, { 0x06, 0x07 } },		/* FLAME */
	{ P4_FLAME, 1, { 0x04, 0x05 } },		/* FIRM */
	{ P4_FLAME, 2, { 0x0e, 0x0f } },		/* SAAT */
	{ P4_FLAME, 3, { 0x10, 0x11 } },		/* U2L */
	{ P4_FLAME, 5, { 0x08, 0x09 } },		/* DAC */
	{ P4_IQ, 0, { 0x1a, 0x1b } },			/* IQ: models 0 to 2 */
	{ P4_IQ, 1, { 0x2a, 0x2b } },			/* ALF */
	{ P4_IQ, 2, { 0x1c, 0x1d } },			/* RAT */
	{ P4_IQ, 3, { 0x1e, P4_NO_ESCR } },		/* SSU: there is no second */
	{ P4_IQ, 4, { 0x18, 0x19 } },			/* CRU 0, 1 */
	{ P4_IQ, 5, { 0x2c, 0x2d } },			/* CRU 2, 3 */
	{ P4_IQ, 6, { 0x40, 0x41 } },			/* CRU 4, 5 */
};

#define IQ_ROUTE 16

const struct p4_counter_facts *p4_counter_facts(unsigned int counter)
{
	return &counters[counter];
}

/* An ESCR is one that a route leads to; the kernel's SSU_ESCR1 is none. */
bool p4_escr_exists(const struct p4_model *model, unsigned int escr)
{
	for (size_t i = 0; i < ARRAY_SIZE(routes); i++) {
		if (i == IQ_ROUTE && !model->iq_escrs)
			continue;
		if (routes[i].escr[0] == escr || routes[i].escr[1] == escr)
			return true;
	}
	return false;
}

/* NULL if the group has no such select value. */
const struct p4_route *p4_route_of(unsigned int counter, unsigned int select)
{
	for (size_t i = 0; i < ARRAY_SIZE(routes); i++)
		if (routes[i].group == counters[counter].group && routes[i].select == select)
			return &routes[i];
	return NULL;
}

unsigned int p4_escr_of(unsigned int counter, unsigned int select)
{
	const struct p4_route *route = p4_route_of(counter, select);

	return route ? route->escr[counters[counter].half] : P4_NO_ESCR;
}
