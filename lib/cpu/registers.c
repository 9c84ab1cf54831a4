// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of registers and counters, as the manuals have them.
 */
#include <stdio.h>

#include "lib/cpu/p4.h"

/* By number, as the kernel has it; the first of each pair. */
static const struct {
	const char *unit;
	uint8_t first;
	uint8_t number;		/* in the first one's name */
} escrs[] = {
	{ "BSU", 0x00, 0 },  { "FSB", 0x02, 0 }, { "FIRM", 0x04, 0 }, { "FLAME", 0x06, 0 },
	{ "DAC", 0x08, 0 },  { "MOB", 0x0a, 0 }, { "PMH", 0x0c, 0 },  { "SAAT", 0x0e, 0 },
	{ "U2L", 0x10, 0 },  { "BPU", 0x12, 0 }, { "IS", 0x14, 0 },   { "ITLB", 0x16, 0 },
	{ "CRU", 0x18, 0 },  { "IQ", 0x1a, 0 },  { "RAT", 0x1c, 0 },  { "SSU", 0x1e, 0 },
	{ "MS", 0x20, 0 },   { "TBPU", 0x22, 0 }, { "TC", 0x24, 0 },  { "IX", 0x28, 0 },
	{ "ALF", 0x2a, 0 },  { "CRU", 0x2c, 2 }, { "CRU", 0x40, 4 },
};

static const char *const counters[P4_COUNTERS][2] = {
	{ "BPU_COUNTER0", "BPU_CCCR0" },     { "BPU_COUNTER1", "BPU_CCCR1" },
	{ "BPU_COUNTER2", "BPU_CCCR2" },     { "BPU_COUNTER3", "BPU_CCCR3" },
	{ "MS_COUNTER0", "MS_CCCR0" },	     { "MS_COUNTER1", "MS_CCCR1" },
	{ "MS_COUNTER2", "MS_CCCR2" },	     { "MS_COUNTER3", "MS_CCCR3" },
	{ "FLAME_COUNTER0", "FLAME_CCCR0" }, { "FLAME_COUNTER1", "FLAME_CCCR1" },
	{ "FLAME_COUNTER2", "FLAME_CCCR2" }, { "FLAME_COUNTER3", "FLAME_CCCR3" },
	{ "IQ_COUNTER0", "IQ_CCCR0" },	     { "IQ_COUNTER1", "IQ_CCCR1" },
	{ "IQ_COUNTER2", "IQ_CCCR2" },	     { "IQ_COUNTER3", "IQ_CCCR3" },
	{ "IQ_COUNTER4", "IQ_CCCR4" },	     { "IQ_COUNTER5", "IQ_CCCR5" },
};

const char *pmuctl_p4_counter_name(uint32_t counter)
{
	return counter < P4_COUNTERS ? counters[counter][0] : NULL;
}

int pmuctl_p4_escr(uint32_t counter, uint32_t select)
{
	return counter < P4_COUNTERS ? p4_route(counter, select) : -1;
}

static void escr_name(uint32_t number, char *text, size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(escrs); i++)
		if ((number & ~1u) == escrs[i].first) {
			snprintf(text, size, "MSR_%s_ESCR%u", escrs[i].unit,
				 escrs[i].number + (number & 1));
			return;
		}
	snprintf(text, size, "ESCR %u", number);
}

/* Those that the tools know from the start, and those of which there is one. */
static const struct {
	uint32_t kind;
	const char *fmt;
} names[] = {
	{ PMUCTL_REGISTER_EVTSEL, "IA32_PERFEVTSEL%u" },
	{ PMUCTL_REGISTER_FIXED_CTRL, "IA32_FIXED_CTR_CTRL field %u" },
	{ PMUCTL_REGISTER_OFFCORE_RSP, "MSR_OFFCORE_RSP_%u" },
	{ PMUCTL_REGISTER_LD_LAT, "MSR_PEBS_LD_LAT_THRESHOLD" },
	{ PMUCTL_REGISTER_FRONTEND, "MSR_PEBS_FRONTEND" },
	{ PMUCTL_REGISTER_REPLAY, "IA32_PEBS_ENABLE" },
	{ PMUCTL_REGISTER_MATRIX_VERT, "MSR_PEBS_MATRIX_VERT" },
	{ PMUCTL_REGISTER_CESR, "CESR of counter %u" },
};

void pmuctl_register_name(const struct pmuctl_register *reg, char *text, size_t size)
{
	size_t i;

	if (reg->kind == PMUCTL_REGISTER_ESCR) {
		escr_name(reg->index, text, size);
		return;
	}
	if (reg->kind == PMUCTL_REGISTER_CCCR && reg->index < P4_COUNTERS) {
		snprintf(text, size, "MSR_%s", counters[reg->index][1]);
		return;
	}
	snprintf(text, size, "register %u.%u", reg->kind, reg->index);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].kind == reg->kind)
			snprintf(text, size, names[i].fmt, reg->index);
}

/* Those that sessions hold, for what the module says of them; the first of several. */
static const struct {
	uint32_t first, last;
	const char *fmt;
	uint32_t step;			/* from one to the next */
} msrs[] = {
	{ 0x11, 0x11, "CESR", 1 },
	{ 0x186, 0x197, "IA32_PERFEVTSEL%u", 1 },
	{ 0x1c8, 0x1c8, "MSR_LBR_SELECT", 1 },
	{ 0x1d9, 0x1d9, "IA32_DEBUGCTL", 1 },
	{ 0x329, 0x329, "MSR_PERF_METRICS", 1 },
	{ 0x38d, 0x38d, "IA32_FIXED_CTR_CTRL", 1 },
	{ 0x38f, 0x38f, "IA32_PERF_GLOBAL_CTRL", 1 },
	{ 0x3f1, 0x3f1, "IA32_PEBS_ENABLE", 1 },
	{ 0x3f4, 0x3f4, "IA32_PEBS_BASE", 1 },
	{ 0x600, 0x600, "IA32_DS_AREA", 1 },
	{ 0x14ce, 0x14ce, "IA32_LBR_CTL", 1 },
	{ 0x14cf, 0x14cf, "IA32_LBR_DEPTH", 1 },
	{ 0x1903, 0x1947, "IA32_PMC_GP%u_CFG_C", 4 },
	{ 0x1983, 0x199b, "IA32_PMC_FX%u_CFG_C", 4 },
};

#define MSR_CCCR 0x360

void msr_name(uint32_t msr, char *text, size_t size)
{
	int length = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(msrs); i++)
		if (msr >= msrs[i].first && msr <= msrs[i].last)
			length = snprintf(text, size, msrs[i].fmt,
					  (msr - msrs[i].first) / msrs[i].step);
	if (msr >= MSR_CCCR && msr < MSR_CCCR + P4_COUNTERS)
		length = snprintf(text, size, "MSR_%s", counters[msr - MSR_CCCR][1]);
	snprintf(text + length, size - (size_t)length, length ? " (%XH)" : "MSR %XH", msr);
}
