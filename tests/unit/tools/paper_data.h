/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file of paper, in place of the library's: one function of a few
 * instructions, some variables, and samples with addresses or with registers.
 */
#ifndef PAPER_DATA_H
#define PAPER_DATA_H

#include <stdint.h>
#include <stdio.h>

#include "lib/pmuctl-data.h"
#include "tools/base/writer.h"

#define CODE 0x1000u
/* Where processes have it; OTHER has it elsewhere. */
#define BIAS 0x400000u
#define FIRST 7
#define OTHER 8

#define SAMPLES_MAX 256

struct pmuctl_data {
	struct pmuctl_data_info info;
	const struct pmuctl_data_sample *samples;
	size_t count;
};

extern struct pmuctl_data_sample samples[SAMPLES_MAX];
extern struct pmuctl_data_event events[2];
extern struct pmuctl_data paper;
/* What was printed. */
extern char out[65536];

uint64_t bias_of(uint32_t pid);

/* No samples; name: the first event's. */
void begin(const char *name);
struct pmuctl_data_sample *add_sample(uint32_t event, uint64_t ip);
struct pmuctl_data_sample *add_address(uint64_t ip, uint64_t address);
/* Registers as they are behind the instruction. */
uint64_t *add_registers(uint64_t ip, uint64_t next);

/* Into out; closes it. */
void slurp(FILE *f);
/* In all formats; print leaves it in out. */
void goldens(const char *name, void (*print)(enum format format));

#endif
